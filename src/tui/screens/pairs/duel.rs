//! Two configurations against each other: which pairs only one of them found, and which both.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use dejaview_report::numbers::count;

/// Two configurations, and which of their pairs are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duel {
    /// By their numbers.
    pub of: [usize; 2],
    /// 0 only the first's, 1 only the second's, 2 both's.
    pub side: usize,
}

impl Duel {
    /// Reads two names, apart by blanks, `vs`, `and` or a comma. The beginning of a name will do where it is the only one
    /// that begins so.
    pub fn parse(text: &str, names: &[String]) -> Result<Self, String> {
        let words = text.split(|c: char| c.is_whitespace() || c == ',');
        let words: Vec<&str> = words.filter(|word| !["", "vs", "and", "-", "x"].contains(word)).collect();
        let [a, b] = words[..] else {
            return Err("a duel is of two configurations: type two names".to_owned());
        };
        let (a, b) = (named(a, names)?, named(b, names)?);
        if a == b {
            return Err(format!("{} cannot meet itself: type two names", names[a]));
        }
        Ok(Self { of: [a, b], side: 0 })
    }

    /// The next set of pairs.
    pub fn next(&mut self) {
        self.side = (self.side + 1) % 3;
    }

    /// The next opponent of the first configuration, or the one before.
    pub fn opponent(&mut self, forward: bool, configurations: usize) {
        let step = if forward { 1 } else { configurations.saturating_sub(1) };
        let next = |b: usize| (b + step) % configurations.max(1);
        self.of[1] = next(self.of[1]);
        if self.of[0] == self.of[1] {
            self.of[1] = next(self.of[1]);
        }
    }

    /// The set that is shown, in words.
    pub fn words(self, names: &[String]) -> [String; 3] {
        let [a, b] = self.of.map(|c| &names[c]);
        [format!("only {a}"), format!("only {b}"), "both".to_owned()]
    }

    /// The configuration whose distances order the pairs that are shown.
    pub fn measured(self) -> usize {
        self.of[usize::from(self.side == 1)]
    }

    /// Draws the three sets with their counts, the one shown in brackets, and what is measured of them.
    pub fn draw(self, buffer: &mut Buffer, area: Rect, data: &StudyData, counts: Option<[u64; 3]>, theme: &Theme) {
        let names = data.table.configurations();
        let mut x = area.x + 1;
        let end = area.x + area.width;
        for (side, words) in self.words(names).into_iter().enumerate() {
            let number = counts.map_or("…".to_owned(), |counts| count(counts[side]));
            let shown = side == self.side;
            let text = if shown { format!("[{words} {number}]") } else { format!(" {words} {number} ") };
            let style = if shown { theme.title } else { theme.text };
            x += draw_text(buffer, (x.min(end), area.y), end.saturating_sub(x), &text, style) + 1;
        }
        let unit = |c: usize| data.recipe.configurations.get(c).map_or("", |recipe| recipe.algorithm().distance);
        let note = match self.of.map(unit) {
            [a, b] if a == b => format!("d: {a}"),
            [a, b] => format!("d: {a} | {b}"),
        };
        draw_text(buffer, ((x + 1).min(end), area.y), end.saturating_sub(x + 1), &note, theme.dim);
    }
}

fn named(word: &str, names: &[String]) -> Result<usize, String> {
    if let Some(exact) = names.iter().position(|name| name == word) {
        return Ok(exact);
    }
    let begin: Vec<usize> = (0..names.len()).filter(|&c| names[c].starts_with(word)).collect();
    match begin[..] {
        [only] => Ok(only),
        [] => Err(format!("there is no configuration “{word}”; there are {}", names.join(", "))),
        _ => {
            let which: Vec<&str> = begin.iter().map(|&c| names[c].as_str()).collect();
            Err(format!("which “{word}”: {}?", which.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["simhash-2", "simhash-3+5", "imatch"].map(str::to_owned).to_vec()
    }

    #[test]
    fn two_names_make_a_duel() {
        let of = |text: &str| Duel::parse(text, &names()).map(|duel| duel.of);
        assert_eq!(of("simhash-2 imatch"), Ok([0, 2]));
        assert_eq!(of("im vs simhash-3"), Ok([2, 1]));
        assert!(of("simhash imatch").unwrap_err().contains("simhash-2, simhash-3+5?"));
        assert!(of("imatch").unwrap_err().contains("two names"));
        assert!(of("imatch imatch").unwrap_err().contains("cannot meet itself"));
        assert!(of("imatch md5").unwrap_err().contains("no configuration “md5”"));
        assert!(of("").is_err());
    }

    #[test]
    fn opponents_go_round_and_never_meet_themselves() {
        let mut duel = Duel { of: [1, 0], side: 0 };
        duel.opponent(true, 3);
        assert_eq!(duel.of, [1, 2]);
        duel.opponent(true, 3);
        assert_eq!(duel.of, [1, 0]);
        duel.opponent(false, 3);
        assert_eq!(duel.of, [1, 2]);
    }
}
