//! Small pictures in a line of text: heights and curves.

use super::explanation::Explanation;

/// Heights from low to high.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns of a curve; the last is a similarity of 1.
const COLUMNS: usize = 51;

/// A share of 0 to 1 as a height; what is outside is taken for the nearer end.
pub(super) fn height(share: f64) -> char {
    let step = (share.clamp(0.0, 1.0) * (HEIGHTS.len() - 1) as f64).round() as usize;
    HEIGHTS.get(step).copied().unwrap_or(HEIGHTS[0])
}

/// The curve of a probability over the similarity from 0 to 1, and below it the place of a pair.
pub(super) fn curve(at: f64, probability: impl Fn(f64) -> f64) -> Vec<Explanation> {
    let similarity = |column: usize| column as f64 / (COLUMNS - 1) as f64;
    let heights: String = (0..COLUMNS).map(|column| height(probability(similarity(column)))).collect();
    let place = (at.clamp(0.0, 1.0) * (COLUMNS - 1) as f64).round() as usize;
    let mark = format!("0{:<width$}1", "", width = COLUMNS - 2);
    let mark: String = mark.chars().enumerate().map(|(i, c)| if i == place { '▲' } else { c }).collect();
    [format!("found  {heights}"), format!("at     {mark}  {at:.3}")].map(|line| Explanation::new(line, None)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_from_end_to_end() {
        assert_eq!([0.0, 0.5, 1.0, -3.0, 7.0, f64::NAN].map(height), ['▁', '▅', '█', '▁', '█', '▁']);
    }

    #[test]
    fn the_mark_stands_under_the_similarity() {
        for (at, column) in [(0.0, 0), (0.5, 25), (1.0, 50)] {
            let lines = curve(at, |similarity| similarity);
            let cells = |line: usize| lines[line].claim.chars().skip(7).collect::<Vec<char>>();
            assert_eq!(cells(1).iter().position(|c| *c == '▲'), Some(column));
            assert_eq!((cells(0)[0], cells(0)[50], cells(0).len()), ('▁', '█', 51));
        }
    }
}
