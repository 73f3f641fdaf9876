//! Estimates of the quality of configurations from labelled samples.

use crate::StudyError;
use crate::analyse::evaluation::{Reading, Unlabelled};
use crate::analyse::labelled::LabelledSample;
use crate::label::domains::SamplePopulation;
use crate::label::drawing::{current_sample, sample_progress};
use crate::label::estimating::estimates_of;
use crate::label::labelling::journals_for;
use crate::label::provenance::usable_sample;
use crate::query::pair_table::PairTable;
use crate::snapshot::Snapshot;
use dejaview_base::random::Bootstrap;
use dejaview_evaluation::estimates::{
    Consensus, Cut, Estimates, Frame, Paired, Plan, TakenPairs, Units, Unsure, WANTED, rail,
};
use dejaview_evaluation::sample::{Sample, SampledPair, Stratum};
use dejaview_labels::Journals;
use dejaview_methods::measures::Scores;

/// Measures that a cut-off can be set on.
pub const MEASURES: [&str; 10] = [
    "jaccard",
    "jaccard_1",
    "jaccard_2",
    "jaccard_3",
    "jaccard_5",
    "jaccard_8",
    "cosine",
    "dice_8",
    "s3",
    "length_ratio",
];

/// What a measure says of a pair.
fn value_of(scores: &Scores, measure: &str, n: usize) -> f64 {
    match measure {
        "jaccard_1" => scores.jaccard_1,
        "jaccard_2" => scores.jaccard_2,
        "jaccard_3" => scores.jaccard_3,
        "jaccard_5" => scores.jaccard_5,
        "jaccard_8" => scores.jaccard_8,
        "cosine" => scores.cosine,
        "dice_8" => scores.dice_8,
        "s3" => scores.s3,
        "length_ratio" => scores.length_ratio,
        _ => scores.jaccard(n).unwrap_or_default(),
    }
}

/// What the labels of a sample say, by all annotators together.
pub fn estimates(study: &Snapshot, sample: &str, unsure: Unsure) -> Result<Estimates, StudyError> {
    let (sample, frame) = labelled_sample(study, sample, false)?;
    Ok(estimates_of(study, &sample, &frame, unsure)?.with_commands(study.folder()))
}

/// Of the configurations that a sample was drawn from the one whose precision is known least, and how many more labels make it
/// known to ± `wanted`. `None` before there are labels.
pub fn labels_to_go(study: &Snapshot, sample: &str) -> Result<Option<(String, Plan)>, StudyError> {
    let (sample, frame) = labelled_sample(study, sample, false)?;
    if !sample.drawn_here() {
        return Ok(None);
    }
    let confidence = Bootstrap::default().confidence;
    let plan = |c: usize| Some((c, Plan::new(&frame, c, Unsure::Out, WANTED, confidence)?));
    let drawn = |c: &usize| sample.configurations.contains(&sample.serves[*c]);
    let widest = (0..sample.serves.len()).filter(drawn).filter_map(plan).max_by(|a, b| a.1.now.total_cmp(&b.1.now));
    Ok(widest.map(|(c, plan)| (sample.serves[c].clone(), plan)))
}

/// Two configurations on the labels of one sample. `None` before there are any.
pub fn paired_difference(
    study: &Snapshot,
    sample: &str,
    names: [&str; 2],
    reading: &Reading,
) -> Result<Option<Paired>, StudyError> {
    let (sample, frame) = labelled_sample(study, sample, reading.blind_only)?;
    let places = [place(&sample, names[0])?, place(&sample, names[1])?];
    let unknown = |stratum: &Stratum| !stratum.audit && stratum.together.is_empty();
    if sample.strata.iter().any(unknown) {
        let why = format!(
            "the sample {} does not say how many pairs {} and {} both found, as samples of version 0.1.0 do not; \
             `dejaview sample STUDY --name {} --redraw` draws it again and keeps its labels",
            sample.name, names[0], names[1], sample.name
        );
        return Err(StudyError::Sample { why });
    }
    Ok(Paired::new(&frame, places, reading.unsure, Bootstrap::default().confidence))
}

/// Precision and recall of a configuration, by the labels of a sample, as a cut-off on one of [`MEASURES`] moves.
pub fn quality_by_cut_off(
    study: &Snapshot,
    sample: &str,
    configuration: &str,
    measure: &str,
    reading: &Reading,
) -> Result<Vec<Cut>, StudyError> {
    let (sample, frame) = labelled_sample(study, sample, reading.blind_only)?;
    let c = place(&sample, configuration)?;
    if sample.of_old_pairs() {
        let why = "stands for old pairs alone, and a cut-off is set on those of now; --redraw draws it again";
        return Err(StudyError::Sample { why: format!("{} {why}", sample.name) });
    }
    if frame.units == Units::Documents {
        let why = "is of documents, whose share has no cut-offs; a sample of pairs has";
        return Err(StudyError::Sample { why: format!("{} {why}", sample.name) });
    }
    if !sample.drawn_here() {
        let why = "was drawn elsewhere, and a cut-off is set on the pairs there are here";
        return Err(StudyError::Sample { why: format!("{} {why}", sample.name) });
    }
    let table = study.table()?;
    let score = |i: usize| score(table, &sample.pairs[i], measure);
    let drawn_from = SamplePopulation::new(study, &sample)?;
    let mine = drawn_from.bits([&configuration.to_owned()]);
    let mut scores = Vec::new();
    drawn_from.each(|stratum, one| {
        if one.found & mine != 0 {
            scores.push((stratum, value_of(&one.pair.scores(), measure, table.n()), one.pairs()));
        }
    })?;
    let taken = TakenPairs::new(sample.strata.len(), scores.into_iter());
    Ok(rail(&frame, c, &score, &taken, reading.unsure, Bootstrap::default().confidence))
}

/// The cut-offs of a configuration by the sample with the most labels of its pairs, with the sample's name; of equal ones by
/// the first. Samples in `without` are left out. None where no pair of the configuration is labelled in a sample.
pub fn cut_offs(
    study: &Snapshot,
    configuration: &str,
    measure: &str,
    without: &[String],
) -> Result<Option<(String, Vec<Cut>)>, StudyError> {
    study.known_configuration(configuration)?;
    let begun = sample_progress(study)?.into_iter().filter(|sample| !sample.decided.is_empty());
    let (mut best, mut most, mut why) = (None, 0, None);
    for sample in begun.filter(|sample| !without.contains(&sample.name)) {
        match quality_by_cut_off(study, &sample.name, configuration, measure, &Reading::default()) {
            Ok(cuts) => {
                let labelled = cuts.first().map_or(0, |cut| cut.labelled);
                if labelled > most {
                    (best, most) = (Some((sample.name, cuts)), labelled);
                }
            }
            // The sample is of other configurations.
            Err(StudyError::NoConfiguration { .. }) => {}
            Err(error) => why = Some(error),
        }
    }
    match (best, why) {
        (None, Some(why)) => Err(why),
        (best, _) => Ok(best),
    }
}

/// A sample with what annotators say about its pairs.
pub fn labelled_sample(study: &Snapshot, name: &str, blind_only: bool) -> Result<(Sample, Frame), StudyError> {
    let sample = current_sample(study, name)?;
    let frame = Frame::labelled(&sample, &journals_for(study, blind_only)?);
    Ok((sample, frame))
}

/// Every sample with a label, or the one asked for, with what its labels say; and those that nobody has labelled yet.
pub(crate) fn labelled_samples(
    study: &Snapshot,
    reading: &Reading,
    all: &Journals,
) -> Result<(Vec<LabelledSample>, Vec<Unlabelled>), StudyError> {
    let names = match &reading.sample {
        Some(name) => vec![current_sample(study, name)?.name],
        None => Sample::names(study.folder())?.into_iter().filter(|name| !reading.without.contains(name)).collect(),
    };
    let (mut labelled, mut unlabelled) = (Vec::new(), Vec::new());
    for name in names {
        let Some(sample) = Sample::read(study.folder(), &name)? else { continue };
        let Some(sample) = usable_sample(study, sample)? else { continue };
        let frame = Frame::labelled(&sample, all);
        let is_labelled = frame.waiting > 0 || frame.count(|said| said != Consensus::Undecided) > 0;
        if !is_labelled {
            let (sample, study) = (sample.name.clone(), study.folder().to_owned());
            unlabelled.push(Unlabelled { sample, configurations: frame.configurations.clone(), study });
        }
        if reading.sample.is_some() || is_labelled {
            let estimates = estimates_of(study, &sample, &frame, reading.unsure)?.with_commands(study.folder());
            labelled.push(LabelledSample { sample, frame, estimates });
        }
    }
    Ok((labelled, unlabelled))
}

fn place(sample: &Sample, name: &str) -> Result<usize, StudyError> {
    let known = || sample.serves.join(", ");
    let place = sample.serves.iter().position(|c| c == name);
    place.ok_or_else(|| StudyError::NoConfiguration { name: name.to_owned(), known: known() })
}

fn score(table: &PairTable, pair: &SampledPair, measure: &str) -> f64 {
    let row = table.find(&pair.source, &pair.target);
    row.map_or(0.0, |row| value_of(&table.pair(row).scores(), measure, table.n()))
}
