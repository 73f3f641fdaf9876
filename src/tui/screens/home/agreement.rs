//! How far annotators agree, on Home.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{Dashboard, estimate};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::width;
use crate::widgets::meter;
use crate::widgets::pieces::Piece;
use dejaview_base::interval::Interval;
use dejaview_evaluation::agreement::Agreement;
use dejaview_report::numbers::{count, plural};

/// Columns of the interval of a coefficient, at most.
const INTERVAL: u16 = 41;

impl Dashboard<'_> {
    pub(super) fn agreement(&self) -> Option<AgreementWords> {
        let overview = self.state.overview.as_ref().filter(|overview| overview.withheld.is_empty())?;
        AgreementWords::new(overview.agreement.as_ref()?)
    }

    pub(super) fn draw_agreement(&self, buffer: &mut Buffer, area: Rect) {
        let Some(inside) = self.card(buffer, area, Frame::new("Agreement")) else { return };
        if let Some(agreement) = self.agreement() {
            self.draw_lines(buffer, inside, &agreement.lines(self, inside.width));
        }
    }
}

/// How far annotators agree, in words.
pub(super) struct AgreementWords {
    sentence: String,
    /// The same for a narrow pane.
    short_sentence: String,
    /// The name of the coefficient and its value.
    coefficient: Option<(&'static str, Interval)>,
}

impl AgreementWords {
    fn new(agreement: &Agreement) -> Option<Self> {
        let pool = &agreement.pool;
        let share = 100.0 * pool.unanimous as f64 / pool.pairs.max(1) as f64;
        let pairs = plural(pool.pairs, "pair");
        let of_sample = agreement.sample.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        let alike = format!("{} of {pairs}{of_sample}", count(pool.unanimous));
        let (sentence, short_sentence) = (format!("{alike} labelled alike ({share:.0}%)"), format!("{alike} alike"));
        let coefficient = match &agreement.cohen[..] {
            [two] => two.kappa.map(|kappa| ("Cohen's kappa", kappa)),
            _ => pool.alpha.map(|alpha| ("Krippendorff's alpha", alpha)),
        };
        (pool.pairs > 0).then_some(Self { sentence, short_sentence, coefficient })
    }

    /// For a pane of so many columns.
    pub fn lines(&self, dashboard: &Dashboard<'_>, columns: u16) -> Vec<Vec<Piece>> {
        let (theme, room) = (dashboard.theme, columns.saturating_sub(1));
        let fits = width(&self.sentence) <= usize::from(room);
        let mut lines = vec![dashboard.sentence(if fits { &self.sentence } else { &self.short_sentence })];
        if let Some((name, value)) = self.coefficient {
            lines.push(vec![
                (format!("{name} "), theme.muted),
                (format!("{:.2}", value.value), theme.strong),
                (format!(" ({:.2}–{:.2})", value.low, value.high), theme.text),
            ]);
            lines.push(vec![(meter::interval(Some(estimate(value)), INTERVAL.min(room)), theme.text)]);
        }
        lines
    }
}
