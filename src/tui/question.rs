//! What a line is typed for. Whoever asks declares it.

/// What a typed line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// What stands before the line.
    pub sign: &'static str,
    /// What Enter does with it, in a few words.
    pub enter: &'static str,
}

/// Words to look for.
pub const SEARCH: Question = Question { sign: "/", enter: "finds it" };

/// Which rows to show.
pub const FILTER: Question = Question { sign: "& ", enter: "filters; an empty line shows all" };
