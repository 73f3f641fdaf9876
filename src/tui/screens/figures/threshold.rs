//! A cut-off that is moved: what precision and recall become, and the labelled pairs that change sides on the way.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::contract::Request;
use crate::data::{CutOffs, StudyData};
use crate::sample_status::{why_withheld, withheld, without};
use crate::theme::Theme;
use crate::widgets::chart::{Dots, draw_axes};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces::{self, Piece};
use dejaview_base::interval::Interval;
use dejaview_evaluation::estimates::Cut;
use dejaview_report::numbers::{count, plural, share};
use dejaview_study::{StudyError, spelling};

/// Columns before the chart, for its scale.
const SCALE: u16 = 4;
/// Lines below the chart: axis, cut-offs, and what the one at hand does.
const BELOW: u16 = 2;

/// Why there are no curves where nothing is labelled, and what to do.
const NO_LABELS: &str = "These curves rest on labels, and no pair of a sample is labelled yet that this configuration found. \
                         Label draws a sample and asks about its pairs";

/// Measures what moving a cut-off does to a configuration.
#[derive(Debug)]
pub struct MeasureCutOffs {
    pub(super) data: Arc<StudyData>,
    /// Number of the configuration.
    pub(super) number: usize,
    pub(super) configuration: String,
    pub(super) annotator: String,
}

impl MeasureCutOffs {
    /// The cut-offs by labels that the person may know, or why there are none.
    pub(super) fn measure(&self) -> Result<Result<CutOffs, String>, StudyError> {
        let study = &self.data.study;
        let withheld = withheld(study, &self.annotator)?;
        if let Some(cut_offs) = CutOffs::read(study, &self.configuration, &without(&withheld).without)? {
            return Ok(Ok(cut_offs));
        }
        let mut serving = Vec::new();
        for sample in withheld {
            let serves = dejaview_study::drawn_sample(study, &sample.sample)?.serves.contains(&self.configuration);
            serving.extend(serves.then_some(sample));
        }
        Ok(Err(if serving.is_empty() { NO_LABELS.to_owned() } else { why_withheld(&serving) }))
    }
}

/// The cut-offs of a configuration, and the one at hand.
#[derive(Debug, Default)]
pub(super) struct Threshold {
    /// With the number of the configuration.
    measured: Option<(usize, Result<Arc<CutOffs>, String>)>,
    /// Number of the cut-off; the one in the middle until it is moved.
    at: Option<usize>,
}

impl Threshold {
    /// Asks for the cut-offs of a configuration; always, since labels may have changed.
    pub fn ask(&self, c: usize, data: &Arc<StudyData>, annotator: &str) -> Vec<Request> {
        let Some(configuration) = data.table.configurations().get(c).cloned() else { return Vec::new() };
        let annotator = annotator.to_owned();
        vec![Request::job(MeasureCutOffs { data: data.clone(), number: c, configuration, annotator })]
    }

    pub fn take(&mut self, c: usize, result: Result<Box<CutOffs>, String>) {
        self.measured = Some((c, result.map(Arc::from)));
    }

    fn measured(&self, c: usize) -> Option<&Result<Arc<CutOffs>, String>> {
        self.measured.as_ref().filter(|(known, _)| *known == c).map(|(_, result)| result)
    }

    fn cut(&self, c: usize) -> Option<(&CutOffs, usize)> {
        let cut_offs = self.measured(c)?.as_ref().ok()?;
        let last = cut_offs.cuts.len().checked_sub(1)?;
        Some((cut_offs, self.at.unwrap_or(last / 2).min(last)))
    }

    /// Moves the cut-off by a step.
    pub fn step(&mut self, up: bool, c: usize) {
        if let Some((cut_offs, at)) = self.cut(c) {
            self.at = Some(if up { (at + 1).min(cut_offs.cuts.len() - 1) } else { at.saturating_sub(1) });
        }
    }

    /// The filter for the pairs that change sides at the cut-off, or why there are none.
    pub fn filter_of_changed_sides(&self, c: usize) -> Result<String, &'static str> {
        let (cut_offs, at) = self.cut(c).ok_or("There are no cut-offs before pairs are labelled")?;
        let flips = &cut_offs.flips[at];
        if flips.is_empty() {
            return Err("No labelled pair changes sides at this cut-off");
        }
        Ok(spelling::any_of(flips.iter().map(|flip| (flip.source.as_str(), flip.target.as_str()))))
    }

    /// Which cut-off of how many, for the border.
    pub fn position(&self, c: usize) -> String {
        self.cut(c).map_or(String::new(), |(cut_offs, at)| format!("cut-off {}/{}", at + 1, cut_offs.cuts.len()))
    }

    /// Draws both curves with what the cut-off does below them, or why there are none.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, c: usize, theme: &Theme) {
        let (cut_offs, at) = match (self.measured(c), self.cut(c)) {
            (_, Some(cut)) => cut,
            (Some(Err(why)), None) => {
                let columns = usize::from(area.width.saturating_sub(2)).max(1);
                for (y, line) in (area.y + 1..area.bottom()).zip(wrapped(why, columns)) {
                    draw_text(buffer, (area.x + 1, y), area.width.saturating_sub(2), &line, theme.muted);
                }
                return;
            }
            (_, None) => {
                draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), "…", theme.muted);
                return;
            }
        };
        let words = cut_off_words(cut_offs, at, usize::from(area.width.saturating_sub(1)), theme);
        let lines = (words.len() as u16).min(area.height / 3).max(2).min(area.height);
        let chart = Rect { height: area.height - lines, ..area };
        draw_curves(buffer, chart, cut_offs, at, theme);
        for (y, line) in (chart.bottom()..area.bottom()).zip(&words) {
            pieces::draw(buffer, (area.x + 1, y), area.width.saturating_sub(1), line);
        }
    }
}

/// What a cut-off does, in lines of so many columns: the numbers, what the last step changed, and the pairs that it moved.
fn cut_off_words(cut_offs: &CutOffs, at: usize, columns: usize, theme: &Theme) -> Vec<Vec<Piece>> {
    let (cut, flips) = (&cut_offs.cuts[at], &cut_offs.flips[at]);
    let muted = |text: &str| (text.to_owned(), theme.muted);
    let strong = |text: String| (text, theme.strong);
    let all = cut_offs.cuts.first().map_or(0, |first| first.labelled);
    let mut first = vec![
        strong(format!("Jaccard ≥ {:.2}", cut.at)),
        muted("   precision "),
        strong(share(cut.precision)),
        muted("   recall "),
        strong(share(cut.recall)),
    ];
    let labelled = format!("{} of {} labelled in sample {}", count(cut.labelled), count(all), cut_offs.sample);
    let kept = format!("{labelled}, {}", plural(cut.pairs, "pair"));
    let kept = [muted("keeps "), (kept, theme.text)];
    let mut lines = match pieces::width(&first) + 3 + pieces::width(&kept) <= columns {
        true => {
            first.push(muted("   "));
            first.extend(kept);
            vec![first]
        }
        false => vec![first, kept.to_vec()],
    };
    let lost = flips.iter().filter(|flip| flip.near_duplicate).count();
    let change = match at.checked_sub(1) {
        None => "every pair is kept".to_owned(),
        Some(previous) => format!(
            "from {:.2} to {:.2}: {} lost, {} dropped",
            cut_offs.cuts[previous].at,
            cut.at,
            plural(lost as u64, "near-duplicate"),
            plural((flips.len() - lost) as u64, "other")
        ),
    };
    lines.push(vec![(change, theme.text)]);
    lines.extend(flips.iter().map(|flip| {
        let sign = if flip.near_duplicate { "●" } else { "○" };
        vec![(format!("{sign} {:.3} ", flip.jaccard), theme.text), muted(&format!("{} {}", flip.source, flip.target))]
    }));
    lines
}

/// The cut that holds at a similarity: the last one that is not above it.
fn cut_at(cuts: &[Cut], similarity: f64) -> Option<&Cut> {
    cuts.iter().take_while(|cut| cut.at <= similarity + 1e-9).last()
}

/// Draws precision and recall over the cut-offs, the interval of precision shaded, the cut-off at hand as a dotted line.
/// A letter at that line says which curve is which.
fn draw_curves(buffer: &mut Buffer, area: Rect, cut_offs: &CutOffs, at: usize, theme: &Theme) {
    let cuts = &cut_offs.cuts[..];
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return };
    if area.height < BELOW + 5 || area.width < SCALE + 24 || last.at <= first.at {
        return;
    }
    let legend = [
        ("⣀⣀".to_owned(), theme.a),
        (" P precision   ".to_owned(), theme.text),
        ("⣀⣀".to_owned(), theme.b),
        (
            format!(" R recall {}", if cut_offs.audit { "of all true pairs" } else { "within the sample's pool" }),
            theme.text,
        ),
    ];
    pieces::draw(buffer, (area.x + SCALE + 1, area.y), area.width - SCALE - 1, &legend);
    let plot =
        Rect { x: area.x + SCALE + 1, y: area.y + 1, width: area.width - SCALE - 2, height: area.height - BELOW - 1 };
    let ticks = [(1.0, "1"), (0.75, "¾"), (0.5, "½"), (0.25, "¼"), (0.0, "0")];
    draw_axes(buffer, plot, &ticks.map(|(share, text)| (share, text.to_owned())), theme);
    let similarity = |share: f64| first.at + share * (last.at - first.at);
    let curve = |value: fn(&Cut) -> Option<Interval>| {
        let mut dots = Dots::new(plot.width, plot.height);
        dots.curve(|share| Some(value(cut_at(cuts, similarity(share))?)?.value));
        dots
    };
    let mut shade = Dots::new(plot.width, plot.height);
    shade.shade(|share| cut_at(cuts, similarity(share))?.precision.map(|known| (known.low, known.high)));
    shade.draw(buffer, (plot.x, plot.y), |_| theme.faint);
    let column =
        |cut: &Cut| plot.x + ((cut.at - first.at) / (last.at - first.at) * f64::from(plot.width - 1)).round() as u16;
    let x = column(&cuts[at]);
    for y in plot.y..plot.bottom() {
        draw_text(buffer, (x, y), 1, "┊", theme.accent);
    }
    curve(|cut| cut.recall).draw(buffer, (plot.x, plot.y), |_| theme.b);
    curve(|cut| cut.precision).draw(buffer, (plot.x, plot.y), |_| theme.a);
    draw_text(buffer, (x, plot.bottom()), 1, "▲", theme.accent);
    let line = |known: Interval| plot.bottom() - 1 - (known.value * f64::from(plot.height - 1)).round() as u16;
    let beside = if x + 3 < plot.right() { x + 1 } else { x.saturating_sub(2) };
    for (known, letter, style, shift) in [(cuts[at].precision, "P", theme.a, 0), (cuts[at].recall, "R", theme.b, 1)] {
        if let Some(known) = known {
            draw_text(buffer, (beside + shift, line(known)), 1, letter, style);
        }
    }
    // The number of the cut-off at hand is written whole; its neighbours keep away from it.
    for (number, cut) in cuts.iter().enumerate() {
        let text = format!("{:.2}", cut.at);
        let start = column(cut).min(plot.right().saturating_sub(width(&text) as u16));
        let clear = start.abs_diff(x.min(plot.right().saturating_sub(4))) > 5;
        if number == at || (number % 4 == 0 && clear) {
            let style = if number == at { theme.strong } else { theme.muted };
            draw_text(buffer, (start, plot.bottom() + 1), 4, &text, style);
        }
    }
}
