//! Row 6. What does this folder ask for, and how is it run?
//!
//! A [`Recipe`] is what `study.toml` says, checked. [`Session`] is the one door through which both fronts open, run and
//! ask a study. The folders, each with the question that it answers:
//!
//! - `recipe`: what does a study ask for, and which files does it name?
//! - `run`: how are the pairs found and kept, what did it cost, and is what is there still what the study asks for?
//! - `query`: which pairs and documents are there, and why does a pair match?
//! - `label`: which pairs are labelled by whom, and are they still the pairs that were drawn?
//! - `analyse`: what do pairs and labels say: how good, how many, and which judgments can be carried over?

mod analyse;
mod error;
mod label;
mod query;
mod recipe;
mod run;
mod session;

pub use analyse::effect::{Effect, EffectOrder, Effects, System};
pub use analyse::estimate::{MEASURES, Shown};
pub use analyse::evaluate::{Evaluation, Reading, Truth, Unlabelled};
pub use analyse::experiments::{Experiments, SimHashRow};
pub use analyse::figures::{
    Bar, CandidatesRow, Extrapolation, Figure, FigureOptions, Figures, Kind, QualityRow, Series,
};
pub use analyse::groups::{Groups, GroupsOrder, Node, Rule, SharedText};
pub use analyse::planning::{PlanOrder, PlannedDesign, PlannedDifference, PlannedRow, SamplePlan};
pub use analyse::sizes::{CorpusSize, DrawnPage, PageDraw, PageSampler, Pages, SizeBy, SizeOptions, Sizes, sizes};
pub use analyse::thin::{RULE, Thinned, Thinner};
pub use analyse::transfer::{Transfer, TransferOrder};
pub use analyse::transfer_sample::TransferDraw;
pub use analyse::truth_file::{Kinds, Listing};
pub use analyse::twins::{Change, PatchRule, TwinGroup, Twinned, Twins};
pub use analyse::urls::{Against, Canonical, SameUrl, Urls, UrlsOrder};
pub use analyse::wrong::Wrong;
pub use error::StudyError;
pub use label::drawing::{Draw, SampleProgress};
pub use label::exchange::{
    AgreementOn, Contradiction, DisputedBy, Finding, Import, ImportReport, Imported, ImportedSample, LabelFormat,
    Packed, Paragraph, Relabelled, unpack_sample,
};
pub use label::extension::Extension;
pub use label::labelling::Together;
pub use label::provenance::{Changed, Difference, Provenance};
pub use label::renewal::{Renewed, Told};
pub use label::sharing::Assignment;
pub use query::anatomy::{Anatomy, QuickAnswer, Standing};
pub use query::filter::{Beside, Filter, FilterError, Judging, NUMBERS as FILTER_NUMBERS, Spelling};
pub use query::lookup::{ConfigurationVerdict, Found, PairScores, Verdict, explain_files};
pub use query::pair_table::{Arranged, Bundle, Order, PairTable, Sort};
pub use recipe::files::{Corpora, Segment};
pub use recipe::sample_study::unpack;
pub use recipe::settings;
pub use recipe::template::{Template, write_template};
pub use recipe::{ContentRecipe, Keep, Pattern, Recipe, StatisticsFrom, standard_set};
pub use run::cost::{Cost, TableCost};
pub use run::imports::IMPORTED;
pub use run::manifest::{NotRead, Part, SkippedRecord, Summary, Timing, advice};
pub use run::{Options, Plan, Stage, Unwatched, Watch};
pub use session::{OpenEnds, OpenPairs, PairFilter, Session};
