//! Everything a person can ask for, each with a long name that the palette, the help and a config file use.

/// The screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScreenId {
    /// What the study is.
    Home,
    /// Judged documents by topic.
    Judgments,
    /// Candidate pairs.
    Pairs,
    /// Two documents side by side.
    Compare,
    /// One pair of a sample, to be decided.
    Label,
    /// Where annotators differ, and what is settled.
    Review,
    /// Counts and distributions.
    Figures,
    /// How good each configuration is, and how far two find the same.
    Methods,
    /// Documents and full-text search.
    Corpus,
    /// What happened.
    Log,
}

impl ScreenId {
    /// All of them, in the order of their digits.
    pub const ALL: [Self; 10] = [
        Self::Home,
        Self::Judgments,
        Self::Pairs,
        Self::Compare,
        Self::Label,
        Self::Review,
        Self::Figures,
        Self::Methods,
        Self::Corpus,
        Self::Log,
    ];

    /// As shown and as typed behind `:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Judgments => "judgments",
            Self::Pairs => "pairs",
            Self::Compare => "compare",
            Self::Label => "label",
            Self::Review => "review",
            Self::Figures => "figures",
            Self::Methods => "methods",
            Self::Corpus => "corpus",
            Self::Log => "log",
        }
    }
}

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Go to a screen.
    Go(ScreenId),
    /// Leave the screen, or close what lies over it.
    Back,
    /// Leave the program.
    Quit,
    /// Show the keys.
    Help,
    /// Type the name of an action.
    Palette,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// Half a page up.
    HalfUp,
    /// Half a page down.
    HalfDown,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// Open what is under the cursor.
    Open,
    /// Open it the other way round: what the second found and the first did not.
    OpenReverse,
    /// Open the pairs that no other configuration found.
    OpenAlone,
    /// Type words to look for.
    Search,
    /// To the next place found.
    NextHit,
    /// To the place found before.
    PreviousHit,
    /// Type which rows to show.
    Filter,
    /// Sort by the next column.
    Sort,
    /// Sort the other way round.
    SortReverse,
    /// Set two configurations against each other.
    Duel,
    /// Show documents of the other side, or of both.
    NextSide,
    /// Give up the job under the cursor.
    Cancel,
    /// Choose the next sample for Label.
    NextSample,
    /// Show the next configuration's pairs only.
    NextConfiguration,
    /// Show the other table of the screen.
    NextPane,
    /// Measure against the next truth.
    NextTruth,
    /// To the next change.
    NextChange,
    /// To the change before.
    PreviousChange,
    /// To the next pair; on Label the next undecided one.
    NextPair,
    /// To the pair before; on Label the undecided one before.
    PreviousPair,
    /// Side by side or one below the other.
    View,
    /// Wrap long lines or cut them.
    Wrap,
    /// Fold equal lines, show all, or leave them out.
    Fold,
    /// Canonical text, the rendered page, or the page as it was sent.
    Rendered,
    /// Why the pair matches.
    Why,
    /// Compare without a run of shared text, or with it again.
    WhatIf,
    /// To the next run of equal lines.
    NextRun,
    /// To the run of equal lines before.
    PreviousRun,
    /// Look for the word that differs here.
    SearchHere,
    /// Source and target change places.
    Swap,
    /// One text in the place of both, by turns.
    Blink,
    /// Scroll the sides apart, or together again.
    Unlock,
    /// What is known of the two documents.
    About,
    /// More room for what is looked at.
    ZoomIn,
    /// Less room for it.
    ZoomOut,
    /// The pair is a near-duplicate.
    NearDuplicate,
    /// The pair is not a near-duplicate.
    Not,
    /// Cannot be told.
    Unsure,
    /// Write a note on the pair.
    Note,
    /// Flag the pair.
    Flag,
    /// Take the last decision back.
    Undo,
    /// Make it again.
    Redo,
    /// Show both texts in the person's pager.
    Pager,
    /// Write the note in the person's editor.
    EditNote,
    /// Copy something: the next key says what.
    Copy,
    /// Copy the source's id.
    CopySource,
    /// Copy the target's id.
    CopyTarget,
    /// Copy both ids.
    CopyPair,
    /// Copy the source's URL.
    CopyUrl,
    /// Draw the whole screen again.
    Redraw,
    /// Give the terminal back to the shell for a while.
    Suspend,
    /// Choose a finer class for the label to come.
    Class,
    /// Choose a reason for it.
    Reason,
    /// Read what counts as a near-duplicate.
    Guidelines,
    /// Look at the scores before the decision; recorded.
    Peek,
    /// Try pairs whose answer is known.
    Calibrate,
    /// The paragraph for a paper, about the sample.
    Paragraph,
}

impl Action {
    /// All actions that a person can name.
    pub const ALL: &[Self] = &[
        Self::Go(ScreenId::Home),
        Self::Go(ScreenId::Judgments),
        Self::Go(ScreenId::Pairs),
        Self::Go(ScreenId::Compare),
        Self::Go(ScreenId::Label),
        Self::Go(ScreenId::Review),
        Self::Go(ScreenId::Figures),
        Self::Go(ScreenId::Methods),
        Self::Go(ScreenId::Corpus),
        Self::Go(ScreenId::Log),
        Self::Back,
        Self::Quit,
        Self::Help,
        Self::Palette,
        Self::Up,
        Self::Down,
        Self::HalfUp,
        Self::HalfDown,
        Self::PageUp,
        Self::PageDown,
        Self::Top,
        Self::Bottom,
        Self::Left,
        Self::Right,
        Self::Open,
        Self::OpenReverse,
        Self::OpenAlone,
        Self::Search,
        Self::NextHit,
        Self::PreviousHit,
        Self::Filter,
        Self::Sort,
        Self::SortReverse,
        Self::Duel,
        Self::NextSide,
        Self::Cancel,
        Self::NextSample,
        Self::NextConfiguration,
        Self::NextPane,
        Self::NextTruth,
        Self::NextChange,
        Self::PreviousChange,
        Self::NextPair,
        Self::PreviousPair,
        Self::View,
        Self::Wrap,
        Self::Fold,
        Self::Rendered,
        Self::Why,
        Self::WhatIf,
        Self::NextRun,
        Self::PreviousRun,
        Self::SearchHere,
        Self::Swap,
        Self::Blink,
        Self::Unlock,
        Self::About,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Note,
        Self::Flag,
        Self::Undo,
        Self::Redo,
        Self::Pager,
        Self::EditNote,
        Self::Copy,
        Self::CopySource,
        Self::CopyTarget,
        Self::CopyPair,
        Self::CopyUrl,
        Self::Redraw,
        Self::Suspend,
        Self::Class,
        Self::Reason,
        Self::Guidelines,
        Self::Peek,
        Self::Calibrate,
        Self::Paragraph,
    ];

    /// Those that write a label. They are not in [`Action::ALL`]: a label is made by its key alone, which the input
    /// guard watches.
    pub const LABELS: [Self; 3] = [Self::NearDuplicate, Self::Not, Self::Unsure];

    /// Its long name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Go(screen) => screen.name(),
            Self::Back => "back",
            Self::Quit => "quit",
            Self::Help => "help",
            Self::Palette => "palette",
            Self::Up => "up",
            Self::Down => "down",
            Self::HalfUp => "half-page-up",
            Self::HalfDown => "half-page-down",
            Self::PageUp => "page-up",
            Self::PageDown => "page-down",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Left => "left",
            Self::Right => "right",
            Self::Open => "open",
            Self::OpenReverse => "open-reverse",
            Self::OpenAlone => "open-alone",
            Self::Search => "search",
            Self::NextHit => "next-hit",
            Self::PreviousHit => "previous-hit",
            Self::Filter => "filter",
            Self::Sort => "sort",
            Self::SortReverse => "sort-reverse",
            Self::Duel => "duel",
            Self::NextSide => "next-side",
            Self::Cancel => "cancel-job",
            Self::NextSample => "next-sample",
            Self::NextConfiguration => "next-configuration",
            Self::NextPane => "next-pane",
            Self::NextTruth => "next-truth",
            Self::NextChange => "next-change",
            Self::PreviousChange => "previous-change",
            Self::NextPair => "next-pair",
            Self::PreviousPair => "previous-pair",
            pair => pair.name_on_a_pair(),
        }
    }

    /// The names of what is done to a pair or with what is shown of it; empty for all others.
    fn name_on_a_pair(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Wrap => "wrap",
            Self::Fold => "fold",
            Self::Rendered => "rendered",
            Self::Why => "why",
            Self::WhatIf => "what-if",
            Self::NextRun => "next-run",
            Self::PreviousRun => "previous-run",
            Self::SearchHere => "search-here",
            Self::Swap => "swap",
            Self::Blink => "blink",
            Self::Unlock => "unlock",
            Self::About => "about",
            Self::ZoomIn => "zoom-in",
            Self::ZoomOut => "zoom-out",
            Self::NearDuplicate => "near-duplicate",
            Self::Not => "not",
            Self::Unsure => "unsure",
            Self::Note => "note",
            Self::Flag => "flag",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Pager => "pager",
            Self::EditNote => "edit-note",
            Self::Copy => "copy",
            Self::CopySource => "copy-source",
            Self::CopyTarget => "copy-target",
            Self::CopyPair => "copy-pair",
            Self::CopyUrl => "copy-url",
            Self::Redraw => "redraw",
            Self::Suspend => "suspend",
            Self::Class => "class",
            Self::Reason => "reason",
            Self::Guidelines => "guidelines",
            Self::Peek => "peek",
            Self::Calibrate => "calibrate",
            Self::Paragraph => "paragraph",
            _ => "",
        }
    }

    /// The action of a long name, those that write a label included: a person may give them other keys.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().chain(&Self::LABELS).copied().find(|action| action.name() == name)
    }
}
