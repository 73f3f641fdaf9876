//! Draws samples of a study's pairs in one pass and stores them; a longer draw replaces a shorter one.

use crate::StudyError;
use crate::analyse::sizes::{PageDraw, PageSampler, SearchedFor, draw_pages};
use crate::label::audit::Audit;
use crate::label::changed::{ChangedSample, Provenance};
use crate::label::deciders::with_deciders;
use crate::label::doubts::model_probabilities;
use crate::label::draw::{Importance, SampleDraw};
use crate::label::drawn_from::drawn_from;
use crate::label::framing::{FramedPairs, Framing, OneByOne};
use crate::label::labelling::read_journals;
use crate::label::provenance::{check_sample, must_be_unchanged, without_configurations};
use crate::label::sharing::assign;
use crate::label::strata::Strata;
use crate::run::watch::Watch;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{
    Candidate, Design, DocumentDrawer, Drawer, PageDrawer, PageSample, PriorityDrawer, Sample, SampledPair, StratifyBy,
    Stratum, Written, doubt, importance, order, rank,
};
use dejaview_index::KeptSide;
use dejaview_labels::Annotations;
use dejaview_matching::pairs::Pair;

/// Pairs drawn, with the configurations that found them as bits, and what they were drawn from.
struct DrawnPairs {
    population: u64,
    strata: Vec<Stratum>,
    drawn: Vec<(SampledPair, u64)>,
    /// The configurations, as bits, that found pairs beside those that were drawn from.
    beside: u64,
}

/// How far a sample is labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleProgress {
    pub name: String,
    pub size: usize,
    /// Pairs decided by each annotator who has begun; of a sample that was shared out, those of their part.
    pub decided: Vec<(String, usize)>,
    /// Pairs decided by each annotator, those that others were asked about among them.
    pub labelled: Vec<(String, usize)>,
    /// Pairs that came again to each of them, unannounced, and were decided again.
    pub decided_again: Vec<(String, usize)>,
    /// How many pairs each annotator is asked about; empty when everyone is asked about all.
    pub parts: Vec<(String, usize)>,
    /// What has changed since it was drawn, where its pairs are no longer those of the study.
    pub changed: Option<ChangedSample>,
}

/// Name of the sample to label when nobody names one: the newest; none when there is none.
pub fn sample_to_label(study: &Snapshot) -> Result<Option<String>, StudyError> {
    Ok(Sample::newest(study.folder())?)
}

/// The sample of this name; an error when none was drawn.
pub fn drawn_sample(study: &Snapshot, name: &str) -> Result<Sample, StudyError> {
    let none = || -> Result<Sample, StudyError> {
        let known = match &Sample::names(study.folder())?[..] {
            [] => "there are none".to_owned(),
            names => format!("there are: {}", names.join(", ")),
        };
        Err(StudyError::NoSample { name: name.to_owned(), known })
    };
    Sample::read(study.folder(), name)?.map_or_else(none, Ok)
}

/// Draws a sample and keeps it. The run must be finished: labels rest on a sample, and one of a part would stand for
/// the whole. A sample of this name that was drawn in the same way is made longer, never another. An audit reads
/// both sides again, so it needs something that watches.
pub fn draw_sample(
    study: &Snapshot,
    draw: &SampleDraw,
    watch: Option<(&dyn Watch, usize)>,
) -> Result<(Sample, Written), StudyError> {
    // Said before long work.
    Sample::must_be_nameable(study.folder(), &draw.name)?;
    let previous = Sample::read(study.folder(), &draw.name)?;
    if let Some(previous) = &previous {
        must_be_unchanged(study, previous)?;
    }
    let sample = choose_pairs(study, draw, watch, previous.as_ref())?;
    let written = sample.write(study.folder())?;
    Ok((sample, written))
}

/// Makes a sample longer by a draw that is its own with more pairs. Where another process has changed the sample since it was
/// read, nothing is written.
pub fn extend_sample(
    study: &Snapshot,
    before: &Sample,
    draw: &SampleDraw,
    watch: Option<(&dyn Watch, usize)>,
) -> Result<Sample, StudyError> {
    must_be_unchanged(study, before)?;
    let sample = choose_pairs(study, draw, watch, Some(before))?;
    sample.lengthen(study.folder(), before)?;
    Ok(sample)
}

/// A sample, drawn and not kept. The pairs of the previous one come first.
pub(crate) fn choose_pairs(
    study: &Snapshot,
    draw: &SampleDraw,
    watch: Option<(&dyn Watch, usize)>,
    previous: Option<&Sample>,
) -> Result<Sample, StudyError> {
    study.must_be_run_to_its_end()?;
    draw.fits()?;
    draw.assignment.fits(draw.size + draw.audit)?;
    let framing = Framing::new(study, draw)?;
    let DrawnPairs { population, mut strata, mut drawn, mut beside } = match draw.from {
        Some(sampler) => choose_from_pages(study, draw, sampler, &framing, watch.map_or(1, |(_, threads)| threads))?,
        None => match draw.importance {
            Some(importance) => choose_by_importance(study, draw, &framing, importance)?,
            None => choose_from_list(study, draw, &framing)?,
        },
    };
    check_size(draw, strata.len())?;
    if draw.audit > 0 {
        let why = || StudyError::Sample { why: "an audit reads both sides; ask for it on the command line".to_owned() };
        let (watch, threads) = watch.ok_or_else(why)?;
        let audit = Audit { draw, threads, framing: &framing, population };
        let (more, pairs) = audit.draw(study, watch)?;
        strata.extend(more);
        drawn.extend(pairs);
        beside = 0;
    }
    let served = framing.served(beside);
    let (strata, mut pairs) = framing.written(strata, drawn, &served);
    if draw.design() == Design::Simple {
        pairs.sort_by_cached_key(|p| (rank(draw.seed, &p.source, &p.target), p.source.clone(), p.target.clone()));
    } else {
        order(&mut pairs, draw.seed, previous);
    }
    assign(&mut pairs, draw, previous)?;
    let serves = framing.named(&served);
    let sample = Sample {
        design: draw.design(),
        seed: draw.seed,
        drawn_from: Some(drawn_from(study, &serves, framing.open())?),
        serves,
        by: draw.by,
        bounds: draw.bounds.clone(),
        allocation: draw.allocation,
        size: draw.size,
        audit: draw.audit,
        population,
        strata,
        mixed: previous
            .is_some_and(|previous| previous.mixed || draw.importance.is_some() && pairs.len() > previous.pairs.len()),
        pairs,
        ..Sample::default()
    };
    Ok(sample.named(&draw.name, &draw.configurations))
}

/// Draws from the list of pairs.
fn choose_from_list(study: &Snapshot, draw: &SampleDraw, framing: &Framing) -> Result<DrawnPairs, StudyError> {
    let mut population = 0;
    let (drawer, beside) = fill_drawer(study, draw, framing, |pairs| population += pairs)?;
    let (strata, drawn) = drawer.finish();
    Ok(DrawnPairs { population, strata, drawn, beside })
}

/// Draws from the list of pairs, those that are probably true, or that a model is least sure of, more often.
fn choose_by_importance(
    study: &Snapshot,
    draw: &SampleDraw,
    framing: &Framing,
    by: Importance,
) -> Result<DrawnPairs, StudyError> {
    let (n, configurations) = (study.recipe().jaccard, framing.configurations());
    let probabilities = match by {
        Importance::Truth => None,
        Importance::Doubt => Some(model_probabilities(study, framing)?),
    };
    let mut drawer = PriorityDrawer::new(draw.size as usize, configurations);
    let beside = framing.each_inside(&OneByOne::NONE, |one| {
        let agreement = f64::from(one.found.count_ones()) / configurations as f64;
        let x = match &probabilities {
            None => importance(one.pair.scores().jaccard(n).unwrap_or_default(), agreement),
            Some(probabilities) => doubt(probabilities.of(&one.pair)),
        };
        candidates(framing, &one, draw.seed).for_each(|candidate| drawer.offer(x, candidate));
        Ok(())
    })?;
    let (stratum, drawn) = drawer.finish();
    Ok(DrawnPairs { population: stratum.population, strata: vec![stratum], drawn, beside })
}

/// Draws pages of the source, and one pair of each that has any.
fn choose_from_pages(
    study: &Snapshot,
    draw: &SampleDraw,
    sampler: PageSampler,
    framing: &Framing,
    threads: usize,
) -> Result<DrawnPairs, StudyError> {
    let (size, searched_for) = (draw.size as usize, SearchedFor::Lexicon);
    let order = PageDraw { sampler, side: KeptSide::Source, size, start: None, searched_for, seed: draw.seed };
    let pages = draw_pages(study, &order, threads)?.pages.into_iter().map(|page| (page.id, page.weight));
    let mut drawn = PageDrawer::new(pages, draw.seed, framing.configurations());
    let beside = framing.each_inside(&OneByOne::All, |one| {
        drawn.offer(one.pair.source, one.pair.target, one.found);
        Ok(())
    })?;
    let PageSample { population, stratum, pairs } = drawn.finish();
    if pairs.is_empty() {
        let only = if draw.design() == Design::Walk { "; a walk comes only to pages that links lead to" } else { "" };
        let why = format!("none of the pages of {} draws has a pair; ask for more with --size{only}", draw.size);
        return Err(StudyError::Sample { why });
    }
    Ok(DrawnPairs { population, strata: vec![stratum], drawn: pairs, beside })
}

/// Offers every pair, or one pair of each document, to a drawer, and has all pairs counted. Beside it the
/// configurations, as bits, that found other pairs.
fn fill_drawer(
    study: &Snapshot,
    draw: &SampleDraw,
    framing: &Framing,
    mut count: impl FnMut(u64),
) -> Result<(Drawer, u64), StudyError> {
    let drawer = Drawer::new(draw.seed, draw.size as usize, draw.allocation, framing.configurations())
        .at_least(draw.least.iter().cloned());
    if draw.documents {
        if draw.by != StratifyBy::None {
            let why = "documents are drawn without strata: leave out --by, or --documents".to_owned();
            return Err(StudyError::Sample { why });
        }
        if framing.joins_itself() {
            let why =
                "documents of a collection against itself share their pairs, so one pair of each cannot be drawn: \
                       leave out --documents"
                    .to_owned();
            return Err(StudyError::Sample { why });
        }
        let mut documents = DocumentDrawer::new(drawer, draw.seed);
        let beside = framing.each_inside(&OneByOne::All, |one| {
            count(1);
            documents.offer(one.pair.source, one.pair.target, one.found);
            Ok(())
        })?;
        return Ok((documents.finish(), beside));
    }
    let mut drawer = drawer;
    let mut strata = Strata::new(study, draw, framing)?;
    let beside = framing.each_inside(&strata.one_by_one(), |one| {
        count(one.pairs());
        drawer.offer_all(strata.stratum_of(&one)?, candidates(framing, &one, draw.seed));
        Ok(())
    })?;
    Ok((drawer, beside))
}

/// For each sample its size, and how many of its pairs each annotator has decided.
pub fn sample_progress(study: &Snapshot) -> Result<Vec<SampleProgress>, StudyError> {
    let journals = read_journals(study)?;
    let mut all = Vec::new();
    for name in Sample::names(study.folder())? {
        let Some(sample) = Sample::read(study.folder(), &name)? else { continue };
        // Of pairs that somebody was asked about, or of all.
        let of_all = |asked: bool, repeat: bool| {
            let count = |annotations: &Annotations| {
                let decisions = &annotations.reading.decisions;
                let is_meant = |p: &&SampledPair| !asked || p.is_for(&annotations.annotator);
                let answered = |p: &&SampledPair| decisions.answer(&p.source, &p.target, &name, repeat).is_some();
                (annotations.annotator.clone(), sample.pairs.iter().filter(is_meant).filter(answered).count())
            };
            journals.annotators().map(count).filter(|(_, count)| *count > 0).collect::<Vec<_>>()
        };
        let (decided, decided_again, labelled) = (of_all(true, false), of_all(true, true), of_all(false, false));
        let parts = sample.annotators().into_iter().map(|who| (who.to_owned(), sample.part(who).len())).collect();
        let changed = check_sample(study, &sample)?.changed();
        let size = sample.pairs.len();
        all.push(SampleProgress { name, size, decided, labelled, decided_again, parts, changed });
    }
    Ok(all)
}

/// The single pairs of those that are shown together, as they may be drawn.
fn candidates<'f, 'a>(
    framing: &'a Framing,
    one: &'f FramedPairs<'f, 'a>,
    seed: u64,
) -> impl Iterator<Item = Candidate<'a>> + 'f {
    let found = one.found;
    framing.single_pairs(one).map(move |Pair { source, target, .. }| {
        let rank = rank(seed, source, target);
        Candidate { rank, source, target, found, document_pairs: 1 }
    })
}

/// A stratum without a pair would be left out of every estimate.
fn check_size(draw: &SampleDraw, strata: usize) -> Result<(), StudyError> {
    if draw.size >= strata as u64 {
        return Ok(());
    }
    let why = format!("{} pairs cannot stand for {strata} strata; ask for two of each at least", draw.size);
    Err(StudyError::Sample { why })
}

/// The sample of this name, to give numbers from: an error where it is not of the pairs there are.
pub fn current_sample(study: &Snapshot, name: &str) -> Result<Sample, StudyError> {
    let sample = drawn_sample(study, name)?;
    match check_sample(study, &sample)? {
        Provenance::Changed(changed) => Err(StudyError::Changed(Box::new(changed))),
        Provenance::Same { fewer } => with_deciders(study, without_configurations(sample, &fewer)),
        Provenance::Unknown { .. } => Ok(sample),
    }
}
