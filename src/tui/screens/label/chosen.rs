//! A finer class and a reason for the label to come, out of the study's own.

use dejaview_study::Recipe;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// A finer class.
    Class,
    Reason,
}

impl Choice {
    /// What there is to choose from.
    pub fn options(self, recipe: &Recipe) -> &[String] {
        match self {
            Self::Class => &recipe.labels.classes,
            Self::Reason => &recipe.labels.reasons,
        }
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Reason => "reason",
        }
    }

    /// Said when the study names nothing to choose from.
    pub fn nothing(self) -> &'static str {
        match self {
            Self::Class => "this study has no finer classes ([labels] classes in study.toml)",
            Self::Reason => "this study has no reasons to choose from ([labels] reasons in study.toml)",
        }
    }
}

/// What was chosen for the label to come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// A finer class.
    pub class: Option<String>,
    pub reason: Option<String>,
}

impl Chosen {
    /// Sets or clears one of them.
    pub fn set(&mut self, choice: Choice, value: Option<String>) {
        match choice {
            Choice::Class => self.class = value,
            Choice::Reason => self.reason = value,
        }
    }

    /// Both, in words.
    pub fn words(&self) -> String {
        let part = |name: &str, value: &Option<String>| value.as_ref().map(|v| format!(" · {name}: {v}"));
        [part("class", &self.class), part("reason", &self.reason)].into_iter().flatten().collect()
    }
}
