//! Row 6. What does a study ask for, how is it run, and what are its results?
//!
//! A [`Recipe`] is the checked content of `study.toml`. [`Session`] opens a study, a [`Snapshot`] holds what was read of it
//! ([`LiveStudy`] takes a new one when files have changed), and functions over a snapshot answer what the command line and
//! the explorer ask. The folders, each with the question that it answers:
//!
//! - `recipe`: what does `study.toml` ask for, and which files does it name?
//! - `run`: how are pairs found and stored, what does that cost, and are the stored results up to date?
//! - `query`: which pairs and documents does the study have, and why does a pair match?
//! - `label`: which pairs are labelled by whom, and are they still the pairs that were drawn?
//! - `analyse`: how good are the configurations, and which judgments can be carried over?

mod analyse;
mod error;
mod half_written;
mod kept_parts;
mod label;
mod live;
mod new_folders;
mod once;
mod outputs;
mod query;
mod recipe;
mod run;
mod session;
mod snapshot;
mod stale_segments;
mod threads;

pub use analyse::effect::{Effect, EffectOptions, Effects, System};
pub use analyse::estimate::{
    MEASURES, cut_offs, estimates, labelled_sample, labels_to_go, paired_difference, quality_by_cut_off,
};
pub use analyse::evaluate::evaluate;
pub use analyse::evaluation::{Evaluation, LeftOut, Reading, ShownInterval, Unlabelled};
pub use analyse::experiments::experiments;
pub use analyse::experiments::table::{CosineRow, Experiments, LexiconRow, SimHashRow, StabilityRow};
pub use analyse::experiments::tally::SHOWN_DISTANCES;
pub use analyse::figures::options::{CandidatesRow, FigureOptions, Figures, QualityRow};
pub use analyse::figures::{
    Bar, Extrapolation, Figure, Kind, Series, figures, must_carry_on_to, tenth_filter, tenth_names,
};
pub use analyse::groups::{Groups, GroupsOptions, Node, RepresentativeRule, SharedText, groups, shared_text};
pub use analyse::judged::{JudgedDocuments, missing_judged};
pub use analyse::judged_groups::{GradeChange, JoinedBy, JudgedGroup, JudgedGroups, PatchRule, judged_groups};
pub use analyse::label_weights::LabelledPopulation;
pub use analyse::learn::{
    DecidedBy, FeatureWeight, FewerLabels, HeldOut, LearnOptions, LearnedPair, LearnedQuality, Learning, learn,
};
pub use analyse::patch::qrels_patch;
pub use analyse::planning::{PlanOptions, PlannedDesign, PlannedDifference, PlannedRow, SamplePlan, plan_sample};
pub use analyse::sizes::options::{AskedBy, SizeBy, SizeOptions};
pub use analyse::sizes::{
    BACKWARDS, CorpusSize, DrawnPage, DrawnPages, PageDraw, PageSampler, SearchedFor, Sizes, draw_pages, sizes,
};
pub use analyse::thin::{RULE, Thinned, Thinner};
pub use analyse::transfer::{Transfer, transfer};
pub use analyse::transfer_material::TransferOptions;
pub use analyse::transfer_sample::{TransferDraw, draw_from_transfer};
pub use analyse::truth::{NoTruth, TextCompared, Truth, TruthMeasure};
pub use analyse::truth_file::{PairKinds, TruthListing};
pub use analyse::urls::order::UrlsOptions;
pub use analyse::urls::{Against, AlikeGroup, AlikePages, Canonical, SameUrl, Urls, urls};
pub use analyse::wrong::WrongPairs;
pub use error::StudyError;
pub use kept_parts::KeptParts;
pub use label::changed::{ChangedSample, Difference, Provenance};
pub use label::draw::{Assignment, Importance, SampleDraw};
pub use label::drawing::{
    SampleProgress, current_sample, draw_sample, drawn_sample, extend_sample, sample_progress, sample_to_label,
};
pub use label::exchange::{
    AgreementOn, CheckedJournal, Contradiction, DisputedBy, ImportReport, Imported, ImportedSample, LabelExport,
    LabelFormat, LabelImport, Packed, Paragraph, Relabelled, agreement, export_labels, files_beside_journals,
    import_labels, import_sample, pack_sample, paragraph, unpack_sample, verify_labels,
};
pub use label::extension::{SampleExtension, extended_draw};
pub use label::labelling::{
    JointLabel, LostFiles, guidelines, joint_labels, lost_files, open_journal, read_journals, review,
};
pub use label::preview::{SamplePreview, preview_sample, sample_to_look_at};
pub use label::provenance::{changed_samples, check_sample, check_samples, must_be_unchanged, must_read_samples};
pub use label::renewal::{Renewed, RetainedPairs, keep_sample, redraw_sample};
pub use live::{LiveStudy, Stamp};
pub use outputs::{OutputFile, Outputs, finish_all, must_be_no_own_file};
pub use query::anatomy::{Anatomy, PairVerdicts, QuickVerdict, anatomy};
pub use query::filter::facts::{Judging, PairFacts};
pub use query::filter::{
    Advice, Completion, Filter, FilterError, FilterNumber, Filterable, GRAMMAR, List, Names, StudyNames, TextField,
    WantedText, advise, is_filter_word, spelling,
};
pub use query::lookup::{
    ConfigurationVerdict, FoundDocument, PairScores, Verdict, explain, explain_files, find_document, find_raw_document,
    find_record, further_records, sketches,
};
pub use query::pair_files::{OpenEnds, OpenPairs, PairFilter};
pub use query::pair_table::{Arranged, Bundle, Order, PairTable, Sort};
pub use query::titles::{ShownTitle, TitleMatch, Titles};
pub use recipe::files::{Corpora, IMPORTED, Segment};
pub use recipe::sample_study::unpack;
pub use recipe::template::{StudyKind, Template, write_template};
pub use recipe::{ContentRecipe, Keep, Pattern, Recipe, StatisticsFrom, settings, standard_set};
pub use run::cost::{Cost, TableCost, expected_cost};
pub use run::helpers::Workers;
pub use run::joining::join_rows;
pub use run::kit::{Kit, KitFile};
pub use run::manifest::{FromWorkers, InputSummary, NotRead, Summary, Timing, advice};
pub use run::plan::{Plan, plan};
pub use run::runner::{KitOrder, RunOptions, prepare, run, run_with};
pub use run::skips::SkippedRecord;
pub use run::spark::Spark;
pub use run::stage::KitStage;
pub use run::state::{RunProgress, RunState, run_state, stop_run};
pub use run::watch::{Stage, Unwatched, Watch};
pub use run::worker::{MatchedFile, Worker};
pub use session::Session;
pub use snapshot::Snapshot;
pub use stale_segments::StaleSegments;
pub use threads::start_threads;
