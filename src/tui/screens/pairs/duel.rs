//! A duel of two configurations: which pairs only one of them found, and which both.

/// Which pairs of a duel are shown, in the order in which their counts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DuelSet {
    OnlyFirst,
    OnlySecond,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Duel {
    pub(super) configurations: [usize; 2],
    pub(super) set: DuelSet,
}

impl Duel {
    /// Reads two names separated by blanks, `vs`, `and` or a comma. The beginning of a name is enough if no other name
    /// begins like this.
    pub(super) fn parse(text: &str, names: &[String]) -> Result<Self, String> {
        let words = text.split(|c: char| c.is_whitespace() || c == ',');
        let words: Vec<&str> = words.filter(|word| !["", "vs", "and", "-", "x"].contains(word)).collect();
        let [a, b] = words[..] else {
            return Err("A duel needs two configurations: type two names".to_owned());
        };
        let (a, b) = (find_configuration(a, names)?, find_configuration(b, names)?);
        if a == b {
            return Err("Choose two different configurations".to_owned());
        }
        Ok(Self { configurations: [a, b], set: DuelSet::OnlyFirst })
    }

    pub(super) fn show_next_set(&mut self) {
        self.set = match self.set {
            DuelSet::OnlyFirst => DuelSet::OnlySecond,
            DuelSet::OnlySecond => DuelSet::Both,
            DuelSet::Both => DuelSet::OnlyFirst,
        };
    }

    pub(super) fn show_previous_set(&mut self) {
        self.show_next_set();
        self.show_next_set();
    }

    /// Puts the next configuration, or the previous one, in the place of the second.
    pub(super) fn change_opponent(&mut self, forward: bool, configurations: usize) {
        let step = if forward { 1 } else { configurations.saturating_sub(1) };
        let next = |b: usize| (b + step) % configurations.max(1);
        self.configurations[1] = next(self.configurations[1]);
        if self.configurations[0] == self.configurations[1] {
            self.configurations[1] = next(self.configurations[1]);
        }
    }

    /// What the three sets are called, in the order of [`DuelSet`].
    pub(super) fn set_names(self, names: &[String]) -> [String; 3] {
        let [a, b] = self.configurations.map(|c| &names[c]);
        [format!("only {a}"), format!("only {b}"), "both".to_owned()]
    }

    /// The configuration whose distances order the pairs that are shown.
    pub(super) fn measured(self) -> usize {
        self.configurations[usize::from(self.set == DuelSet::OnlySecond)]
    }
}

fn find_configuration(word: &str, names: &[String]) -> Result<usize, String> {
    if let Some(exact) = names.iter().position(|name| name == word) {
        return Ok(exact);
    }
    let beginning: Vec<usize> = (0..names.len()).filter(|&c| names[c].starts_with(word)).collect();
    match beginning[..] {
        [only] => Ok(only),
        [] => Err(format!("No configuration “{word}”. Configurations: {}", names.join(", "))),
        _ => {
            let which: Vec<&str> = beginning.iter().map(|&c| names[c].as_str()).collect();
            Err(format!("“{word}” may be any of {}", which.join(", ")))
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
        let parsed = |text: &str| Duel::parse(text, &names()).map(|duel| duel.configurations);
        assert_eq!(parsed("simhash-2 imatch"), Ok([0, 2]));
        assert_eq!(parsed("im vs simhash-3"), Ok([2, 1]));
        assert!(parsed("simhash imatch").unwrap_err().contains("simhash-2, simhash-3+5"));
        assert!(parsed("imatch").unwrap_err().contains("two names"));
        assert!(parsed("imatch imatch").unwrap_err().contains("two different"));
        assert!(parsed("imatch md5").unwrap_err().contains("No configuration “md5”"));
        assert!(parsed("").is_err());
    }

    #[test]
    fn opponents_go_round_and_never_meet_themselves() {
        let mut duel = Duel { configurations: [1, 0], set: DuelSet::OnlyFirst };
        duel.change_opponent(true, 3);
        assert_eq!(duel.configurations, [1, 2]);
        duel.change_opponent(true, 3);
        assert_eq!(duel.configurations, [1, 0]);
        duel.change_opponent(false, 3);
        assert_eq!(duel.configurations, [1, 2]);
    }
}
