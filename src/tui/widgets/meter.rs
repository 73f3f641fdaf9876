//! Numbers as lengths: meters in rows of a table, progress, intervals on a common scale.

use ratatui::style::Style;

use crate::theme::Theme;

const FULL: &str = "━";
const HALF: &str = "╸";
const TRACK: &str = "─";

/// Steps of a sparkline; never a full block, for rows above and below would run together.
const SPARKS: [char; 5] = ['▁', '▂', '▃', '▅', '▇'];

/// A meter of at most `cells`, in half cells, on a scale from 0 to `max`. Anything above 0 is at least half a cell.
pub fn meter(value: f64, max: f64, cells: u16) -> String {
    let share = if max > 0.0 { (value / max).clamp(0.0, 1.0) } else { 0.0 };
    let halves = (share * f64::from(cells) * 2.0).round() as usize;
    let halves = if share > 0.0 && cells > 0 { halves.max(1) } else { 0 };
    FULL.repeat(halves / 2) + if halves % 2 == 1 { HALF } else { "" }
}

/// A meter with the track that is still before it.
pub fn progress(done: u64, total: u64, cells: u16, theme: &Theme) -> [(String, Style); 2] {
    let share = if total == 0 { 0.0 } else { done as f64 / total as f64 };
    // Full only when all is done, and begun only when something is.
    let full = ((share * f64::from(cells)).floor() as u16).max(u16::from(done > 0)).min(cells);
    let full = if done < total { full.min(cells.saturating_sub(1)) } else { full };
    [(FULL.repeat(usize::from(full)), theme.good), (TRACK.repeat(usize::from(cells - full)), theme.faint)]
}

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

/// The column of a share on a scale from 0 to 1 that is so many cells long.
fn column(share: f64, cells: u16) -> usize {
    (share.clamp(0.0, 1.0) * f64::from(cells.saturating_sub(1))).round() as usize
}

/// A scale from 0 to 1, with dots at its quarters.
fn scale(cells: u16) -> Vec<char> {
    let mut signs = vec![' '; usize::from(cells)];
    if cells > 0 {
        for quarter in [0.0, 0.25, 0.5, 0.75, 1.0] {
            signs[column(quarter, cells)] = '·';
        }
    }
    signs
}

/// `├──●──┤` on a scale from 0 to 1 that all rows share; the scale alone without an estimate. An interval that goes on below
/// 0, as that of a kappa may, has no end there.
pub fn interval(estimate: Option<Estimate>, cells: u16) -> String {
    let mut signs = scale(cells);
    if let Some(Estimate { low, value, high }) = estimate.filter(|_| cells > 0) {
        let goes_on = low < 0.0;
        let [low, at, high] = [low, value, high].map(|share| column(share, cells));
        let (low, high) = (low.min(at), high.max(at));
        signs[low..=high].fill('─');
        if !goes_on {
            signs[low] = '├';
        }
        signs[high] = '┤';
        signs[at] = '●';
    }
    signs.into_iter().collect()
}

/// One sign for each number, on a scale from 0 to the largest.
pub fn sparkline(values: &[u64]) -> String {
    let max = values.iter().copied().max().unwrap_or(0);
    let spark = |&value: &u64| match value {
        0 => ' ',
        _ => {
            SPARKS
                [((value as u128 * SPARKS.len() as u128).div_ceil(u128::from(max)) as usize).clamp(1, SPARKS.len()) - 1]
        }
    };
    values.iter().map(spark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;
    use proptest::prelude::*;

    #[test]
    fn meters_grow_by_half_cells() {
        assert_eq!(meter(0.0, 1.0, 6), "");
        assert_eq!(meter(0.001, 1.0, 6), "╸");
        assert_eq!(meter(0.5, 1.0, 6), "━━━");
        assert_eq!(meter(0.57, 1.0, 6), "━━━╸");
        assert_eq!(meter(1.0, 1.0, 6), "━━━━━━");
        assert_eq!(meter(2.0, 1.0, 6), "━━━━━━");
        assert_eq!(meter(1.0, 0.0, 6), "");
    }

    #[test]
    fn progress_is_full_only_at_the_end() {
        let theme = Theme::new(Palette::Mono);
        let drawn = |done, total| progress(done, total, 10, &theme).map(|(text, _)| text).concat();
        assert_eq!(drawn(0, 100), "──────────");
        assert_eq!(drawn(1, 100), "━─────────");
        assert_eq!(drawn(64, 100), "━━━━━━────");
        assert_eq!(drawn(99, 100), "━━━━━━━━━─");
        assert_eq!(drawn(100, 100), "━━━━━━━━━━");
        assert_eq!(drawn(0, 0), "──────────");
    }

    #[test]
    fn intervals_share_a_scale() {
        let estimate = |low, value, high| Some(Estimate { low, value, high });
        assert_eq!(interval(None, 21), "·    ·    ·    ·    ·");
        assert_eq!(interval(estimate(0.25, 0.5, 0.75), 21), "·    ├────●────┤    ·");
        assert_eq!(interval(estimate(0.9, 1.0, 1.0), 21), "·    ·    ·    ·  ├─●");
        assert_eq!(interval(estimate(0.5, 0.5, 0.5), 21), "·    ·    ●    ·    ·");
    }

    #[test]
    fn sparks_show_zero_as_nothing_and_the_largest_as_the_highest() {
        assert_eq!(sparkline(&[0, 1, 50, 100]), " ▁▃▇");
        assert_eq!(sparkline(&[u64::MAX, 1]), "▇▁");
        assert_eq!(sparkline(&[0, 0]), "  ");
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_its_cells(value in -1.0f64..3.0, max in 0.0f64..2.0, cells in 0u16..40,
                                           low in -0.5f64..1.5, high in -0.5f64..1.5, done in 0u64..50, total in 0u64..50) {
            prop_assert!(meter(value, max, cells).chars().count() <= usize::from(cells));
            let estimate = Estimate { low, value, high };
            prop_assert_eq!(interval(Some(estimate), cells).chars().count(), usize::from(cells));
            let theme = Theme::new(Palette::Mono);
            let drawn = progress(done.min(total), total, cells, &theme).map(|(text, _)| text).concat();
            prop_assert_eq!(drawn.chars().count(), usize::from(cells));
        }
    }
}
