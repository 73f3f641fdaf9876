//! Which configurations found a pair: a dot for each in the order of the study, with a gap wherever the family of methods
//! changes.
//!
//! ```text
//!       simha sh im lexic se misc be
//! 13/22 ··•·· •• ·· ··••• •• •·•• ••
//! ```

const FOUND: &str = "•";
const NOT_FOUND: &str = "·";

/// Families of methods, each with the methods that belong to it.
const FAMILIES: &[(&str, &[&str])] = &[
    ("simhash", &["simhash", "probable-simhash"]),
    (
        "shingles",
        &[
            "minhash",
            "supershingles",
            "megashingles",
            "bands",
            "random-tuples",
            "smallest-shingles",
            "mod-shingles",
            "rare-chunks",
            "spex",
        ],
    ),
    ("imatch", &["imatch", "lex-rand"]),
    ("lexical", &["md5", "tf", "tfidf", "tfridf", "opt-freq"]),
    ("sentences", &["long-sent", "heavy-sent"]),
    (
        "misc",
        &[
            "fingerprint",
            "fuzzy-fingerprints",
            "log-shingles",
            "descr-words",
            "decomposition",
            "sentences-words",
            "pugh-lists",
            "substrings",
        ],
    ),
    ("best", &["best", "exact-jaccard", "learned"]),
    ("import", &["import"]),
];

fn family(method: &str) -> &'static str {
    let known = FAMILIES.iter().find(|(_, methods)| methods.contains(&method));
    known.map_or("misc", |(family, _)| family)
}

/// The configurations of a study as dots.
#[derive(Debug, Clone, Default)]
pub struct FoundByStrip {
    /// Neighbouring configurations of one family, and how many they are.
    families: Vec<(&'static str, usize)>,
}

impl FoundByStrip {
    /// Of the methods of a study's configurations, in their order.
    pub fn new<'m>(methods: impl Iterator<Item = &'m str>) -> Self {
        let mut families: Vec<(&'static str, usize)> = Vec::new();
        for method in methods {
            match families.last_mut() {
                Some((last, count)) if *last == family(method) => *count += 1,
                _ => families.push((family(method), 1)),
            }
        }
        Self { families }
    }

    fn configurations(&self) -> usize {
        self.families.iter().map(|(_, count)| count).sum()
    }

    /// Columns of the dots with their gaps.
    pub fn width(&self) -> u16 {
        (self.configurations() + self.families.len().saturating_sub(1)) as u16
    }

    /// The names of the families above their dots, each as long as there is room.
    pub fn head(&self) -> String {
        let name = |(family, count): &(&str, usize)| {
            let short: String = family.chars().take(*count).collect();
            format!("{short:<count$}")
        };
        self.families.iter().map(name).collect::<Vec<_>>().join(" ").trim_end().to_owned()
    }

    pub fn dots(&self, found: impl Fn(usize) -> bool) -> String {
        let mut next = 0;
        let mut dots = Vec::new();
        for (_, count) in &self.families {
            dots.push((next..next + count).map(|c| if found(c) { FOUND } else { NOT_FOUND }).collect::<String>());
            next += count;
        }
        dots.join(" ")
    }

    /// How many of all configurations found the pair, as `13/22`.
    pub fn count(&self, found: impl Fn(usize) -> bool) -> String {
        let all = self.configurations();
        format!("{}/{all}", (0..all).filter(|c| found(*c)).count())
    }

    /// The column of a configuration's dot.
    pub fn column(&self, configuration: usize) -> u16 {
        let mut next = 0;
        for (gaps, (_, count)) in self.families.iter().enumerate() {
            next += count;
            if configuration < next {
                return (configuration + gaps) as u16;
            }
        }
        self.width()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_methods::catalogue;
    use proptest::prelude::*;

    #[test]
    fn every_method_belongs_to_one_family() {
        for name in catalogue::names() {
            let families = FAMILIES.iter().filter(|(_, methods)| methods.contains(&name)).count();
            assert_eq!(families, 1, "{name}");
        }
    }

    #[test]
    fn families_are_apart_and_named() {
        let methods = ["simhash", "simhash", "simhash", "supershingles", "megashingles", "imatch", "md5", "tf"];
        let strip = FoundByStrip::new(methods.into_iter());
        let found = |c: usize| c.is_multiple_of(2);
        assert_eq!(strip.head(), "sim sh i le");
        assert_eq!(strip.dots(found), "•·• ·• · •·");
        assert_eq!(strip.count(found), "4/8");
    }

    proptest! {
        #[test]
        fn head_and_dots_are_as_wide_as_said(methods in proptest::collection::vec(0usize..30, 0..40)) {
            let names = catalogue::names();
            let strip = FoundByStrip::new(methods.iter().map(|m| names[m % names.len()]));
            let dots = strip.dots(|c| c % 3 == 0);
            prop_assert_eq!(dots.chars().count(), usize::from(strip.width()));
            prop_assert!(strip.head().chars().count() <= usize::from(strip.width()));
            for c in 0..methods.len() {
                let dot = dots.chars().nth(usize::from(strip.column(c)));
                prop_assert_eq!(dot, Some(if c % 3 == 0 { '•' } else { '·' }));
            }
        }
    }
}
