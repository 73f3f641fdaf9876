//! Row 6. What does this folder ask for, and how is it run?
//!
//! A [`Recipe`] is what `study.toml` says, checked. [`Session`] is the one door through which both fronts open, run and
//! ask a study.

mod anatomy;
mod audit;
mod both;
mod by_samples;
mod combining;
mod corpora;
mod cost;
mod domains;
mod drawing;
mod effect;
mod error;
mod estimate;
mod evaluate;
mod exchange;
mod experiments;
mod extension;
mod figures;
mod filter;
mod fitting;
mod framing;
mod groups;
mod imports;
mod keeping;
mod known;
mod labelling;
mod lookup;
mod manifest;
mod pair_table;
mod patch;
mod planning;
mod population;
mod process;
mod provenance;
mod recipe;
mod renewal;
mod run;
mod sample;
mod session;
pub mod settings;
mod sharing;
mod sizes;
mod standing;
mod strata;
mod template;
mod thin;
mod toml;
mod transfer;
mod transfer_sample;
mod truth_file;
mod twins;
mod urls;
mod workspace;
mod wrong;

pub use anatomy::{Anatomy, QuickAnswer, Standing};
pub use corpora::{Corpora, Segment};
pub use cost::{Cost, TableCost};
pub use drawing::{Draw, SampleProgress};
pub use effect::{Effect, EffectOrder, Effects, System};
pub use error::StudyError;
pub use estimate::{MEASURES, Shown};
pub use evaluate::{Evaluation, Reading, Truth, Unlabelled};
pub use exchange::{
    AgreementOn, Contradiction, DisputedBy, Finding, Import, ImportReport, Imported, ImportedSample, LabelFormat,
    Packed, Paragraph, Relabelled, unpack_sample,
};
pub use experiments::{Experiments, SimHashRow};
pub use extension::Extension;
pub use figures::{Bar, CandidatesRow, Extrapolation, Figure, FigureOptions, Figures, Kind, QualityRow, Series};
pub use filter::{Beside, Filter, FilterError, Judging, NUMBERS as FILTER_NUMBERS, Spelling};
pub use groups::{Groups, GroupsOrder, Node, Rule, SharedText};
pub use imports::IMPORTED;
pub use labelling::Together;
pub use lookup::{ConfigurationVerdict, Found, PairScores, Verdict, explain_files};
pub use manifest::{NotRead, Part, SkippedRecord, Summary, Timing, advice};
pub use pair_table::{Arranged, Bundle, Order, PairTable, Sort};
pub use planning::{PlanOrder, PlannedDesign, PlannedDifference, PlannedRow, SamplePlan};
pub use provenance::{Changed, Difference, Provenance};
pub use recipe::{ContentRecipe, Keep, Pattern, Recipe, StatisticsFrom, standard_set};
pub use renewal::{Renewed, Told};
pub use run::{Options, Plan, Stage, Unwatched, Watch};
pub use sample::unpack;
pub use session::{OpenEnds, OpenPairs, PairFilter, Session};
pub use sharing::Assignment;
pub use sizes::{CorpusSize, DrawnPage, PageDraw, PageSampler, Pages, SizeBy, SizeOptions, Sizes, sizes};
pub use template::{Template, write_template};
pub use thin::{RULE, Thinned, Thinner};
pub use transfer::{Transfer, TransferOrder};
pub use transfer_sample::TransferDraw;
pub use truth_file::{Kinds, Listing};
pub use twins::{Change, PatchRule, TwinGroup, Twinned, Twins};
pub use urls::{Against, Canonical, SameUrl, Urls, UrlsOrder};
pub use wrong::Wrong;
