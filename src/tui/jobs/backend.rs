//! How a wish is done: by the study's session, on the thread of whoever asks.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Answer, Effect, Form, OpenPair, Reviewed, Says, Wish};
use crate::data::{Known, StudyData};
use crate::dissector::Dissector;
use crate::widgets::diff_view::Texts;
use dejaview_evaluation::estimates::Unsure;
use dejaview_evaluation::sample::Sample;
use dejaview_index::{KeptSide, Stored};
use dejaview_labels::{CalibrationPair, calibration_deck};
use dejaview_report::numbers::plural;
use dejaview_study::{AgreementOn, Arranged, Order, Reading, Session, Snapshot, StudyError};
use dejaview_text::{decode, diff, rendered};

/// A word-level diff stops here and goes on by lines.
const DIFF_TIME: Duration = Duration::from_millis(1500);
/// The words of one change that a person asked for.
const WORDS_TIME: Duration = Duration::from_secs(8);

/// Does what takes time.
#[derive(Debug)]
pub struct Backend {
    /// The study.
    pub session: Session,
    /// Whose drafts are kept.
    drafts_of: Option<String>,
    /// Whether nothing may be written.
    only_looks: bool,
    /// What was found out about a pair.
    dissector: Dissector,
}

impl Backend {
    /// For a study.
    pub fn new(session: Session) -> Self {
        Self { session, drafts_of: None, only_looks: false, dissector: Dissector::default() }
    }

    /// The study as it is now: a run may have gone on since the last request.
    fn study(&self) -> Snapshot {
        Snapshot::of(&self.session)
    }

    /// The same, which keeps what this annotator begins.
    #[must_use]
    pub fn keeping_drafts_of(self, annotator: &str) -> Self {
        Self { drafts_of: Some(annotator.to_owned()), ..self }
    }

    /// The same, which writes nothing: no sample, no file.
    #[must_use]
    pub fn only_looking(self) -> Self {
        Self { only_looks: true, ..self }
    }

    /// Does one thing and answers. Journals are written elsewhere; leaving is the loop's.
    pub fn perform(&self, effect: Effect) -> Option<Answer> {
        self.perform_until(effect, &|| false)
    }

    /// The same; what can be interrupted gives up, without an answer, once `stop` says so.
    pub fn perform_until(&self, effect: Effect, stop: &(dyn Fn() -> bool + Sync)) -> Option<Answer> {
        match effect {
            Effect::Head => Some(Answer::Head(StudyData::head(&self.study()).map(Box::new))),
            Effect::Study => {
                let read = StudyData::read(&self.study(), self.drafts_of.as_deref());
                Some(Answer::Study(read.map(Box::new).map_err(|error| error.to_string())))
            }
            Effect::Pair { generation, source, target, form, swapped } => {
                let pair = match form {
                    Form::Text => self.pair(&source, &target),
                    Form::Rendered => self.rendered(&source, &target),
                    Form::Raw => self.raw(&source, &target),
                };
                let result = pair.map(|(a, b, note)| Box::new(open_pair(a, b, note, swapped)));
                Some(Answer::Pair { generation, result })
            }
            Effect::Gold { generation, at } => {
                let found = calibration_deck().get(at).ok_or_else(|| "the deck has no such pair".to_owned());
                Some(Answer::Pair { generation, result: found.map(|gold| Box::new(open_gold(gold, at % 2 == 1))) })
            }
            Effect::Review { generation } => {
                let result = self.reviewed().map(Box::new).map_err(|error| error.to_string());
                Some(Answer::Review { generation, result })
            }
            Effect::Estimate(sample) => {
                let says = self.says(&sample).map(Box::new).map_err(|error| error.to_string());
                Some(Answer::Estimate(says))
            }
            Effect::Draft(draft) => {
                let kept = draft.write(self.session.folder(), self.drafts_of.as_deref()?);
                kept.err().map(|why| Answer::NoDraft(why.to_string()))
            }
            Effect::Words { generation, texts, change } => {
                let deadline = Instant::now() + WORDS_TIME;
                let hunk = diff::refine_change(&texts.diff, &texts.source, &texts.target, change, deadline);
                Some(Answer::Words { generation, change, hunk })
            }
            Effect::Why { generation, source, target, ask } => {
                let result = self.dissector.tell(&self.study(), [&source, &target], ask);
                Some(Answer::Why { generation, result: result.map_err(|error| error.to_string()) })
            }
            Effect::Arrange { generation, data, wish } => {
                let result = self.arrange(&data, &wish, stop).transpose()?;
                Some(Answer::Arrange { generation, result })
            }
            Effect::Ask(ask) => ask.perform(&self.study(), stop).map(Answer::Told),
            Effect::Measure { generation, truth } => {
                let evaluation = dejaview_study::evaluate(&self.study(), &truth, &Reading::default());
                let result = evaluation.map(Box::new).map_err(|error| error.to_string());
                Some(Answer::Measure { generation, result })
            }
            Effect::Sample(name) => {
                let sample = self.sample(&name);
                Some(Answer::Sample(sample.map(Box::new).map_err(|error| error.to_string())))
            }
            Effect::Write { path, .. } if self.only_looks => Some(Answer::Said(unwritten(&path))),
            Effect::Write { path, text } => Some(Answer::Said(write(&path, &text))),
            _ => None,
        }
    }

    /// The sample to label; who only looks keeps none that is drawn for it.
    fn sample(&self, name: &str) -> Result<Sample, StudyError> {
        if self.only_looks {
            dejaview_study::sample_to_look_at(&self.study(), name)
        } else {
            dejaview_study::sample_or_first_draw(&self.study(), name)
        }
    }

    fn arrange(
        &self,
        data: &Arc<StudyData>,
        wish: &Wish,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Arranged>, String> {
        let none = dejaview_labels::Decisions::default();
        let labels = wish.labels.as_deref().unwrap_or(&none);
        let index = || self.study().index().map_err(|error| error.to_string());
        let known = Known::new(data.clone(), labels, &wish.filter, index)?;
        let Wish { filter, duel, sort, measured, reverse, .. } = wish;
        let (duel, sort, measured, reverse) = (*duel, *sort, *measured, *reverse);
        Ok(data.table.arrange(&Order { filter, duel, sort, measured, reverse, beside: &known, stop }))
    }

    fn reviewed(&self) -> Result<Reviewed, StudyError> {
        let review = dejaview_study::review(&self.study())?;
        let agreement =
            dejaview_study::agreement(&self.study(), AgreementOn::MostShared).map_err(|error| match error {
                StudyError::Changed(changed) => changed.short(),
                other => other.to_string(),
            });
        Ok(Reviewed { review, agreement, to_go: self.to_go().unwrap_or_default() })
    }

    /// What the labels of a sample say, and how far those who gave them agree.
    fn says(&self, sample: &str) -> Result<Says, StudyError> {
        let estimates = dejaview_study::estimates(&self.study(), sample, Unsure::Out)?;
        Ok(Says { estimates, agreement: dejaview_study::agreement(&self.study(), AgreementOn::Sample(sample))? })
    }

    /// What each labelled sample still needs, in words.
    fn to_go(&self) -> Result<Vec<String>, StudyError> {
        let mut all = Vec::new();
        for sample in dejaview_study::sample_progress(&self.study())?.iter().filter(|sample| !sample.decided.is_empty())
        {
            if let Some(changed) = &sample.changed {
                all.push(changed.short());
            } else if let Some((name, plan)) = dejaview_study::labels_to_go(&self.study(), &sample.name)? {
                let (now, then) = (100.0 * plan.now, 100.0 * plan.then);
                let more = match (&plan.alone, plan.total()) {
                    (Some(alone), _) => {
                        let wanted = 100.0 * plan.wanted;
                        format!(
                            "{} of a sample of it alone usually make it ±{wanted:.1}",
                            plural(alone.labels, "label")
                        )
                    }
                    (None, 0) if plan.now > plan.wanted => "no pair is left to label".to_owned(),
                    (None, 0) => "that is enough".to_owned(),
                    (None, more) => format!("{} usually make it ±{then:.1}", plural(more, "more label")),
                };
                all.push(format!("{}: precision of {name} ±{now:.1} points; {more}", sample.name));
            }
        }
        Ok(all)
    }

    fn pair(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let fetch = |id: &str, side| {
            dejaview_study::find_document(&self.study(), id, Some(side)).map_err(|error| error.to_string())
        };
        let a = fetch(source, KeptSide::Source)?.document;
        let b = fetch(target, KeptSide::Target)?.document;
        Ok((a, b, None))
    }

    fn rendered(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let mut notes = Vec::new();
        let mut fetch = |id: &str, side| -> Result<Stored, String> {
            let found =
                dejaview_study::find_raw_document(&self.study(), id, Some(side)).map_err(|error| error.to_string())?;
            let mut document = found.document;
            let raw = found.raw.unwrap_or_default();
            if document.media == "html" {
                match rendered::rendered(&decode(&raw, Some(&document.charset), true).text, rendered::Limits::default())
                {
                    Ok(text) => document.text = text,
                    Err(why) => notes.push(format!("{id}: {why}; canonical text shown")),
                }
            }
            Ok(document)
        };
        let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
        notes.insert(0, "rendered by html2text".to_owned());
        Ok((a, b, Some(notes.join(" · "))))
    }

    fn raw(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let fetch = |id: &str, side| -> Result<Stored, String> {
            let found =
                dejaview_study::find_raw_document(&self.study(), id, Some(side)).map_err(|error| error.to_string())?;
            let mut document = found.document;
            let html = document.media == "html";
            document.text = decode(&found.raw.unwrap_or_default(), Some(&document.charset), html).text.into_owned();
            Ok(document)
        };
        let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
        Ok((a, b, Some("the pages as they were sent, decoded".to_owned())))
    }
}

/// Two documents, and what to know of the view.
type Fetched = (Stored, Stored, Option<String>);

fn open_pair(mut source: Stored, mut target: Stored, note: Option<String>, swapped: bool) -> OpenPair {
    let (mut a, mut b) = (std::mem::take(&mut source.text), std::mem::take(&mut target.text));
    if swapped {
        std::mem::swap(&mut a, &mut b);
    }
    let diff = diff::diff(&a, &b, Instant::now() + DIFF_TIME);
    OpenPair { source, target, texts: Arc::new(Texts::new(a, b, diff)), note }
}

/// What is said of a file that those who only look do not write.
fn unwritten(path: &Path) -> String {
    format!("{} is not written: this is only a picture", path.display())
}

/// Writes a new file; says what came of it.
fn write(path: &Path, text: &str) -> String {
    let shown = path.display();
    let put = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match put {
        Ok(()) => format!("{} bytes written to {shown}", text.len()),
        Err(why) => format!("writing {shown}: {why}"),
    }
}

/// A pair of the calibration deck, which is in no study.
fn open_gold(gold: &CalibrationPair, swapped: bool) -> OpenPair {
    let stored = |side, id: &str, text: &str| Stored {
        side,
        segment: String::new(),
        id: id.to_owned(),
        url: "sample study".to_owned(),
        date: String::new(),
        charset: "text".to_owned(),
        media: "text".to_owned(),
        file: String::new(),
        offset: 0,
        bytes: text.len() as u64,
        digest: String::new(),
        text: text.to_owned(),
    };
    let source = stored(KeptSide::Source, &gold.source, &gold.source_text);
    let target = stored(KeptSide::Target, &gold.target, &gold.target_text);
    open_pair(source, target, None, swapped)
}
