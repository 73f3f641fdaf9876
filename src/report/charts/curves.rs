//! Curves of shares against a number, and how they look made of characters.

/// One curve; its points in the order of x.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub name: String,
    /// x, and a share from 0 to 1.
    pub points: Vec<(f64, f64)>,
}

/// Curves over one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The table that has their numbers.
    pub table: &'static str,
    pub title: String,
    /// What the axis counts.
    pub x: String,
    pub lines: Vec<Line>,
}

/// Lines of a plot from 1 down to 0.
const HEIGHT: usize = 11;
/// Columns of a plot at most and at least, without its scale.
const WIDTHS: [usize; 2] = [64, 24];
/// Columns before a plot.
const SCALE: usize = 5;
/// Where several curves meet.
const SEVERAL: char = '*';

impl Curves {
    /// Every point as the letter of its curve, on a screen of so many columns; below it which letter is which.
    pub fn text(&self, columns: Option<usize>) -> Vec<String> {
        let [most, least] = WIDTHS;
        let width = columns.map_or(most, |columns| columns.saturating_sub(SCALE + 1)).clamp(least, most);
        let xs = || self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
        let mut text = vec![self.title.clone()];
        if low > high {
            return text;
        }
        let mut meets = false;
        let mut plot = vec![vec![' '; width]; HEIGHT];
        for (line, letter) in self.lines.iter().zip('a'..) {
            for (x, share) in &line.points {
                let part = if high > low { (x - low) / (high - low) } else { 0.0 };
                let column = (part * (width - 1) as f64).round() as usize;
                let row = ((1.0 - share.clamp(0.0, 1.0)) * (HEIGHT - 1) as f64).round() as usize;
                let cell = &mut plot[row][column];
                *cell = if *cell == ' ' || *cell == letter { letter } else { SEVERAL };
                meets |= *cell == SEVERAL;
            }
        }
        for (row, cells) in plot.into_iter().enumerate() {
            let share = 1.0 - row as f64 / (HEIGHT - 1) as f64;
            text.push(format!("{share:>4.1} |{}", cells.into_iter().collect::<String>()).trim_end().to_owned());
        }
        text.push(format!("     +{}", "-".repeat(width)));
        let (first, last) = (shortest(low), shortest(high));
        let room = width.saturating_sub(first.chars().count() + last.chars().count());
        text.push(format!("      {first}{:^room$}{last}", self.x));
        text.extend(self.lines.iter().zip('a'..).map(|(line, letter)| format!("  {letter}  {}", line.name)));
        text.extend(meets.then(|| format!("  {SEVERAL}  several of them")));
        text
    }
}

/// A number with as few decimals as it has.
pub(super) fn shortest(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_letters_and_meetings_are_marked() {
        let line = |name: &str, points: &[(f64, f64)]| Line { name: name.to_owned(), points: points.to_vec() };
        let lines = vec![line("up", &[(0.0, 0.0), (10.0, 1.0)]), line("flat", &[(0.0, 0.5), (10.0, 1.0)])];
        let curves = Curves { table: "t", title: "T".to_owned(), x: "lexicons".to_owned(), lines };
        let text = curves.text(Some(40));
        assert_eq!(text[0], "T");
        assert!(text[1].starts_with(" 1.0 |") && text[1].ends_with('*'), "{text:#?}");
        assert_eq!((text[6].as_str(), text[11].as_str()), (" 0.5 |b", " 0.0 |a"));
        assert!(text[13].contains("lexicons") && text[13].ends_with("10"), "{text:#?}");
        assert_eq!(text[14..], ["  a  up", "  b  flat", "  *  several of them"]);
        assert!(text.iter().all(|line| line.chars().count() <= 40), "{text:#?}");
        let none = Curves { lines: Vec::new(), ..curves };
        assert_eq!(none.text(None), ["T"]);
    }
}
