//! How far each sample is labelled, counted as Label counts: a pair that comes again, unannounced, counts again. A count
//! without these would stop at each of them and give it away.

use crate::data::StudyData;
use crate::shared::Shared;
use dejaview_evaluation::sample::Sample;
use dejaview_labels::questions;
use dejaview_report::numbers::plural;
use dejaview_study::{Reading, SampleProgress, Snapshot, StudyError};

/// How far a sample is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleStatus {
    pub name: String,
    /// Pairs that are asked about, those that come again among them.
    pub pairs: usize,
    /// Pairs that each annotator has decided.
    pub decided: Vec<(String, usize)>,
    /// How many pairs each annotator is asked about; empty when everyone is asked about all.
    pub shares: Vec<(String, usize)>,
    /// What is different, where the sample is no longer of the pairs there are: then there is no number.
    pub changed: Option<String>,
    /// Whether it stands for pairs of an earlier run alone.
    pub kept: bool,
    /// Whether Label opens it.
    pub opens: bool,
    /// How long the rest may take.
    pub time_left: Option<String>,
}

impl SampleStatus {
    /// With so many of each hundred pairs asked again.
    fn new(progress: &SampleProgress, repeats: u64) -> Self {
        let pairs_of = |who: &str| number(&progress.parts, who).unwrap_or(progress.size);
        let decided = |(who, pairs): &(String, usize)| {
            let again = number(&progress.decided_again, who).unwrap_or(0);
            (who.clone(), pairs + again.min(asked(pairs_of(who), repeats) - pairs_of(who)))
        };
        Self {
            name: progress.name.clone(),
            pairs: asked(progress.size, repeats),
            decided: progress.decided.iter().map(decided).collect(),
            shares: progress.parts.iter().map(|(who, part)| (who.clone(), asked(*part, repeats))).collect(),
            changed: progress.changed.as_ref().map(|changed| changed.what()),
            ..Self::default()
        }
    }

    /// How many pairs an annotator is asked about.
    pub fn share(&self, annotator: &str) -> usize {
        number(&self.shares, annotator).unwrap_or(if self.shares.is_empty() { self.pairs } else { 0 })
    }

    pub fn decided_by(&self, annotator: &str) -> usize {
        number(&self.decided, annotator).unwrap_or(0)
    }

    /// How many pairs an annotator has left.
    pub fn left(&self, annotator: &str) -> usize {
        self.share(annotator).saturating_sub(self.decided_by(annotator))
    }

    /// Those who have begun or are asked, each with how many pairs they decided; the person at the keys where nobody is.
    pub fn annotators(&self, person: &str) -> Vec<(String, usize)> {
        let waiting = self.shares.iter().filter(|(who, _)| self.decided.iter().all(|(known, _)| known != who));
        let mut all: Vec<(String, usize)> =
            self.decided.iter().cloned().chain(waiting.map(|(who, _)| (who.clone(), 0))).collect();
        if all.is_empty() {
            all.push((person.to_owned(), 0));
        }
        all
    }
}

fn number(numbers: &[(String, usize)], annotator: &str) -> Option<usize> {
    numbers.iter().find(|(who, _)| who == annotator).map(|(_, number)| *number)
}

/// How often somebody is asked who has so many pairs to decide.
fn asked(pairs: usize, repeats: u64) -> usize {
    questions(pairs, repeats, 0).len()
}

/// The sample that a person goes on with: the one that Label opens, else the first one of which they have pairs left.
pub fn to_continue<'s>(samples: &'s [SampleStatus], annotator: &str) -> Option<&'s SampleStatus> {
    let unfinished = |status: &&SampleStatus| status.changed.is_none() && status.left(annotator) > 0;
    let open = samples.iter().filter(|status| status.opens).find(unfinished);
    open.or_else(|| samples.iter().find(unfinished))
}

/// The sample that is open in Label, as far as it is at this moment.
#[derive(Debug, Clone)]
pub struct OpenSample<'a> {
    pub sample: &'a Sample,
    /// Pairs that the person has decided.
    pub decided: usize,
    /// How long the rest may take.
    pub time_left: Option<String>,
}

/// How far each sample is, the open one as it is at this moment. Those in `kept` stand for pairs of an earlier run alone.
pub fn statuses(data: &StudyData, kept: &[String], open: Option<OpenSample<'_>>, shared: &Shared) -> Vec<SampleStatus> {
    let (annotator, repeats) = (&shared.book.annotator, data.recipe.labels.repeats);
    let mut all: Vec<SampleStatus> =
        data.labels().samples.iter().map(|progress| SampleStatus::new(progress, repeats)).collect();
    if let Some(OpenSample { sample: open, decided, time_left }) = open {
        let mine = (decided > 0).then(|| (annotator.clone(), decided));
        let place = all.iter().position(|status| status.name == open.name).unwrap_or_else(|| {
            all.push(SampleStatus {
                name: open.name.clone(),
                pairs: asked(open.pairs.len(), repeats),
                shares: open
                    .annotators()
                    .into_iter()
                    .map(|who| (who.to_owned(), asked(open.part(who).len(), repeats)))
                    .collect(),
                ..SampleStatus::default()
            });
            all.len() - 1
        });
        match (all[place].decided.iter_mut().find(|(who, _)| who == annotator), mine) {
            (Some(known), Some(mine)) => *known = mine,
            (Some(_), None) => all[place].decided.retain(|(who, _)| who != annotator),
            (None, mine) => all[place].decided.extend(mine),
        }
        all[place].time_left = time_left;
    }
    for status in &mut all {
        status.opens = Some(&status.name) == shared.sample.as_ref();
        status.kept = kept.contains(&status.name);
    }
    all
}

/// A sample whose labels the person may not know yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    pub sample: String,
    /// Pairs that the person has left to decide.
    pub left: usize,
}

/// Of a study that is labelled blind, the samples whose labels the person may not know yet, because they have pairs of them
/// left to decide: what was said so far would guide them. No number that is shown may rest on one of these.
pub fn withheld(study: &Snapshot, annotator: &str) -> Result<Vec<Withheld>, StudyError> {
    if !study.recipe().labels.blind {
        return Ok(Vec::new());
    }
    let begun = |sample: &SampleProgress| !sample.decided.is_empty() && sample.changed.is_none();
    // Whoever has decided every pair once may know, even if one comes again.
    let undecided = |sample: &SampleProgress| SampleStatus::new(sample, 0).left(annotator) > 0;
    let samples = dejaview_study::sample_progress(study)?.into_iter().filter(begun).filter(undecided);
    let left = |sample: &SampleProgress| SampleStatus::new(sample, study.recipe().labels.repeats).left(annotator);
    Ok(samples.map(|sample| Withheld { left: left(&sample), sample: sample.name }).collect())
}

/// How the person may read labels: without the samples that are withheld.
pub fn without(withheld: &[Withheld]) -> Reading {
    Reading { without: withheld.iter().map(|withheld| withheld.sample.clone()).collect(), ..Reading::default() }
}

/// The samples with what is left of them: `sample s1 (97 pairs left)`.
pub fn left_words(withheld: &[Withheld]) -> String {
    let sample = |Withheld { sample, left }: &Withheld| format!("{sample} ({} left)", plural(*left as u64, "pair"));
    let samples: Vec<String> = withheld.iter().map(sample).collect();
    format!("{} {}", if samples.len() == 1 { "sample" } else { "samples" }, samples.join(" and "))
}

/// Why what labels say is not shown, and the ways to see it. There is a sample that is withheld.
pub fn why_withheld(withheld: &[Withheld]) -> String {
    let which = if withheld.len() == 1 { "it" } else { "them" };
    format!(
        "What labels say is shown once you have decided your part of {}, so that it does not guide you. Finish {which} \
         in Label, or run `dejaview evaluate --truth labels`",
        left_words(withheld)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_how_many_pairs_left() {
        let decided = vec![("ada".to_owned(), 43), ("ben".to_owned(), 100)];
        let mut status = SampleStatus { name: "s".to_owned(), pairs: 100, decided, ..SampleStatus::default() };
        assert_eq!(["ada", "ben", "eve"].map(|who| status.left(who)), [57, 0, 100]);
        assert_eq!(status.annotators("eve"), [("ada".to_owned(), 43), ("ben".to_owned(), 100)]);
        status.shares = vec![("ada".to_owned(), 50), ("ben".to_owned(), 60), ("cas".to_owned(), 10)];
        assert_eq!(["ada", "ben", "eve"].map(|who| status.left(who)), [7, 0, 0]);
        assert_eq!(status.annotators("eve").last(), Some(&("cas".to_owned(), 0)));
        let new = SampleStatus { pairs: 100, ..SampleStatus::default() };
        assert_eq!(new.annotators("eve"), [("eve".to_owned(), 0)]);
    }

    #[test]
    fn pairs_that_come_again_count_as_on_label() {
        let of = |who: &str, count| vec![(who.to_owned(), count)];
        let progress = SampleProgress {
            name: "s".to_owned(),
            size: 100,
            decided: of("ada", 100),
            labelled: of("ada", 100),
            decided_again: of("ada", 2),
            parts: Vec::new(),
            changed: None,
        };
        let status = SampleStatus::new(&progress, 5);
        assert_eq!((status.share("ada"), status.decided_by("ada"), status.left("ada")), (105, 102, 3));
        let once = SampleStatus::new(&progress, 0);
        assert_eq!((once.share("ada"), once.decided_by("ada"), once.left("ada")), (100, 100, 0));
    }

    #[test]
    fn the_open_sample_is_continued_and_then_the_others() {
        let sample = |name: &str, decided, opens| SampleStatus {
            name: name.to_owned(),
            pairs: 10,
            decided: vec![("ada".to_owned(), decided)],
            opens,
            ..SampleStatus::default()
        };
        let next = |samples: &[SampleStatus]| to_continue(samples, "ada").map(|status| status.name.clone());
        assert_eq!(next(&[sample("s1", 4, false), sample("s2", 0, true)]).as_deref(), Some("s2"));
        assert_eq!(next(&[sample("s1", 4, false), sample("s2", 10, true)]).as_deref(), Some("s1"));
        assert_eq!(next(&[sample("s1", 10, false), sample("s2", 10, true)]), None);
    }

    #[test]
    fn all_samples_that_are_withheld_are_named() {
        let sample = |name: &str, left| Withheld { sample: name.to_owned(), left };
        let one = why_withheld(&[sample("s1", 97)]);
        assert!(one.contains("your part of sample s1 (97 pairs left), so"), "{one}");
        let two = why_withheld(&[sample("s1", 97), sample("s2", 1)]);
        assert!(two.contains("your part of samples s1 (97 pairs left) and s2 (1 pair left), so"), "{two}");
    }
}
