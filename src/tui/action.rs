//! Everything a person can ask for, each with a long name that the palette, the help and a config file use.

/// Which screen: the name that a screen gives itself, as it is shown and typed behind `:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenId(&'static str);

impl ScreenId {
    /// In lower case.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// As it is typed.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// As it is written in sentences, with a capital letter.
    pub fn title(self) -> String {
        let mut letters = self.0.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

/// Makes the actions with their long names, so that none can be without one.
macro_rules! actions {
    (
        named: { $($(#[$doc:meta])* $action:ident = $name:literal,)* }
        labels: { $($(#[$label_doc:meta])* $label:ident = $label_name:literal,)* }
    ) => {
        /// One thing to do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            Go(ScreenId),
            $($(#[$doc])* $action,)*
            $($(#[$label_doc])* $label,)*
        }

        impl Action {
            /// Those that write a label. A person cannot ask for them by name: a label is made by its key alone, which
            /// the input guard watches.
            pub const LABELS: [Self; 3] = [$(Self::$label,)*];

            /// All that a person can ask for by name, but for going to a screen: which screens there are is not known here.
            pub const NAMED: &[Self] = &[$(Self::$action,)*];

            /// Its long name.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Go(screen) => screen.name(),
                    $(Self::$action => $name,)*
                    $(Self::$label => $label_name,)*
                }
            }
        }
    };
}

actions! {
    named: {
        /// Leave the screen, or close what lies over it.
        Back = "back",
        /// Clear the search or the filter; leave the screen when there is none.
        Clear = "clear",
        /// Leave the program.
        Quit = "quit",
        /// Show the keys.
        Help = "help",
        /// Type the name of an action.
        Palette = "palette",
        /// One row up.
        Up = "up",
        /// One row down.
        Down = "down",
        HalfUp = "half-page-up",
        HalfDown = "half-page-down",
        PageUp = "page-up",
        PageDown = "page-down",
        /// To the first row.
        Top = "top",
        /// To the last row.
        Bottom = "bottom",
        /// One column to the left.
        Left = "left",
        /// One column to the right.
        Right = "right",
        /// Open what is under the cursor.
        Open = "open",
        /// Open it the other way round: what the second found and the first did not.
        OpenReverse = "open-reverse",
        /// Open the pairs that no other configuration found.
        OpenAlone = "open-alone",
        /// Type words to look for.
        Search = "search",
        /// To the next place found.
        NextResult = "next-result",
        /// To the place found before.
        PreviousResult = "previous-result",
        /// Type which rows to show.
        Filter = "filter",
        /// Remove the last of what restricts the list: the filter, then the configuration.
        RemoveChip = "remove-chip",
        /// Sort by the next column.
        Sort = "sort",
        /// Sort the other way round.
        SortReverse = "sort-reverse",
        /// Set two configurations against each other.
        Duel = "duel",
        /// Show the pairs of the document under the cursor.
        DocumentPairs = "document-pairs",
        /// Show documents of the other side, or of both.
        NextSide = "next-side",
        /// Give up the job under the cursor.
        Cancel = "cancel-job",
        /// Run the study, or what is left of it.
        Run = "run",
        /// Stop the run that is at work; finished segments are kept.
        StopRun = "stop",
        /// Ask how a sample shall be drawn.
        NewSample = "new-sample",
        /// Choose the next sample for Label.
        ChooseSample = "choose-sample",
        /// To the next pane, or to the other table of the screen.
        NextPane = "next-pane",
        /// To the pane before.
        PreviousPane = "previous-pane",
        /// Measure against the next truth.
        NextTruth = "next-truth",
        /// Show all series of a figure side by side, or one.
        SmallMultiples = "small-multiples",
        /// Show only what failed, or everything.
        ErrorsOnly = "errors-only",
        NextChange = "next-change",
        /// To the change before.
        PreviousChange = "previous-change",
        /// To the next pair; on Label the next undecided one.
        NextPair = "next-pair",
        /// To the pair before; on Label the undecided one before.
        PreviousPair = "previous-pair",
        /// Side by side or one below the other.
        View = "view",
        /// Wrap long lines or cut them.
        Wrap = "wrap",
        /// Fold equal lines, show all, or leave them out.
        Fold = "fold",
        /// Canonical text, the rendered page, or the page as it was sent.
        Rendered = "rendered",
        /// Why the pair matches.
        Why = "why",
        /// Compare without a run of shared text, or with it again.
        WhatIf = "what-if",
        /// To the next run of equal lines.
        NextRun = "next-run",
        /// To the run of equal lines before.
        PreviousRun = "previous-run",
        /// Look for the word that differs here.
        SearchHere = "search-here",
        /// Source and target change places.
        Swap = "swap",
        /// One text in the place of both, by turns.
        Blink = "blink",
        /// Scroll the sides apart, or together again.
        Unlock = "unlock",
        /// What is known of the two documents.
        About = "about",
        /// More room for what is looked at.
        ZoomIn = "zoom-in",
        /// Less room for it.
        ZoomOut = "zoom-out",
        /// Write a note on the pair.
        Note = "note",
        /// Flag the pair.
        Flag = "flag",
        /// Take the last decision back.
        Undo = "undo",
        /// Make it again.
        Redo = "redo",
        /// Show both texts in the person's pager.
        Pager = "pager",
        /// Write the note in the person's editor.
        EditNote = "edit-note",
        /// Copy something: the next key says what.
        Copy = "copy",
        /// Copy the source's id.
        CopySource = "copy-source",
        /// Copy the target's id.
        CopyTarget = "copy-target",
        /// Copy both ids.
        CopyPair = "copy-pair",
        /// Copy the source's URL.
        CopyUrl = "copy-url",
        /// Copy the target's URL.
        CopyTargetUrl = "copy-target-url",
        /// Draw the whole screen again.
        Redraw = "redraw",
        /// Give the terminal back to the shell for a while.
        Suspend = "suspend",
        /// Choose a finer class for the label to come.
        Class = "class",
        /// Choose a reason for it.
        Reason = "reason",
        /// Read what counts as a near-duplicate.
        Guidelines = "guidelines",
        /// Look at the scores before the decision; recorded.
        Peek = "peek",
        /// Try pairs whose answer is known.
        Calibrate = "calibrate",
        /// The paragraph for a paper, about the sample.
        Paragraph = "paragraph",
    }
    labels: {
        /// The pair is a near-duplicate.
        NearDuplicate = "near-duplicate",
        /// The pair is not a near-duplicate.
        Not = "not",
        /// Cannot be told.
        Unsure = "unsure",
    }
}
