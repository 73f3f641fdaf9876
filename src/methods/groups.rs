//! Methods that put minima into groups: a group agrees when all its minima do, and enough agreeing groups make a match.
//!
//! Super shingles, megashingles and LSH bands are this with other numbers. GroupedMinima are formed by function: minimum i
//! belongs to group i / size whatever its value, so that two groups agree with probability pˢⁱᶻᵉ at similarity p.

use super::curves::groups_agree;
use super::explanation::Explanation;
use super::method::{Evidence, Method, Piece, Reasons, Shape};
use super::min_wise::{ComparedMinima, MinWise};
use super::pictures;
use super::prepared::Prepared;
use dejaview_base::hash::{M, S, fmix64};

#[derive(Debug)]
pub(super) struct GroupedMinima {
    pub(super) wise: MinWise,
    pub(super) groups: usize,
    /// Number of minima in each group.
    pub(super) size: usize,
    /// Number of groups that must agree.
    pub(super) agree: usize,
    /// Whether the sketch is all choices of `agree` = 2 groups, of which one must be equal.
    pub(super) paired: bool,
    /// What explanations call the groups.
    pub(super) name: &'static str,
}

/// Hash of the minima of group `number`.
fn group(number: usize, minima: &[u32]) -> u64 {
    let sum = minima.iter().fold(number as u64, |sum, &minimum| sum.wrapping_mul(M).wrapping_add(u64::from(minimum)));
    fmix64(sum.wrapping_add((minima.len() as u64).wrapping_mul(S)))
}

impl GroupedMinima {
    fn equal(a: &[u64], b: &[u64]) -> usize {
        a.iter().zip(b).filter(|(x, y)| x == y).count()
    }

    fn minima_of(&self, number: usize) -> std::ops::Range<usize> {
        number * self.size..(number + 1) * self.size
    }
}

impl Method for GroupedMinima {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let mut minima = Vec::with_capacity(self.wise.functions());
        if !self.wise.minima(document, &mut minima) {
            return false;
        }
        let start = out.len();
        out.extend(minima.chunks_exact(self.size).take(self.groups).enumerate().map(|(i, part)| group(i, part)));
        if self.paired {
            let single = out.split_off(start);
            for (i, a) in single.iter().enumerate() {
                out.extend(single[i + 1..].iter().map(|b| fmix64(a.wrapping_mul(M).wrapping_add(*b))));
            }
        }
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let equal = Self::equal(a, b);
        let needed = if self.paired { 1 } else { self.agree };
        (equal >= needed).then(|| Evidence { distance: (a.len() - equal) as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let Some(sides) = ComparedMinima::new(&self.wise, source, target) else {
            return Reasons { claim: self.wise.too_short(), ..Reasons::default() };
        };
        let agreeing: Vec<usize> =
            (0..self.groups).filter(|&g| sides.equal_of(self.minima_of(g)) == self.size).collect();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        self.sketch(source, &mut a);
        self.sketch(target, &mut b);
        let claim = format!("{} of {} {} agree, {} are needed", agreeing.len(), self.groups, self.name, self.agree);
        let exact = sides.jaccard();
        let found = groups_agree(exact, self.size, self.groups, self.agree);
        let curve = Explanation::new(
            format!(
                "at a Jaccard of {exact:.3} (n = {}) such a pair is found with probability {found:.3}",
                self.wise.shingle
            ),
            found,
        );
        let curve = curve
            .with(pictures::curve(exact, |similarity| groups_agree(similarity, self.size, self.groups, self.agree)));
        let ladder = (0..self.groups).map(|g| self.group_part(&sides, g)).collect();
        let marks: String = (0..self.groups).map(|g| if agreeing.contains(&g) { '✓' } else { '✗' }).collect();
        let ladder =
            Explanation::new(format!("the {}, one by one: {marks}", self.name), agreeing.len() as f64).with(ladder);
        let differing = (0..self.groups).filter(|g| !agreeing.contains(g));
        let decisive =
            differing.flat_map(|g| self.minima_of(g)).filter(|&i| !sides.equal(i)).map(|i| sides.target(i)).collect();
        Reasons {
            claim,
            value: Some((a.len() - Self::equal(&a, &b)) as f64),
            parts: vec![ladder, curve, sides.estimate()],
            pieces: self.pieces(&sides, &agreeing),
            decisive,
        }
    }
}

/// Minima of a group that an explanation lists.
const NAMED: usize = 4;

impl GroupedMinima {
    fn group_part(&self, sides: &ComparedMinima<'_, '_>, number: usize) -> Explanation {
        let all = self.minima_of(number);
        let equal = sides.equal_of(all.clone());
        if equal == self.size {
            let claim = format!("{} agrees: all {} minima", number + 1, self.size);
            let named = all.take(NAMED).map(|i| sides.minimum(i)).collect();
            return Explanation::new(claim, 1.0).with(named);
        }
        let claim = format!("{} differs: {equal} of {} minima are equal", number + 1, self.size);
        let named = all.filter(|&i| !sides.equal(i)).take(NAMED).map(|i| sides.minimum(i)).collect();
        Explanation::new(claim, 0.0).with(named)
    }

    /// The shingles of the agreeing groups, those that are in most groups first.
    fn pieces(&self, sides: &ComparedMinima<'_, '_>, agreeing: &[usize]) -> Vec<Piece> {
        let mut pieces: Vec<(usize, Piece)> = Vec::new();
        for &g in agreeing {
            let mut here: Vec<Piece> = self.minima_of(g).map(|i| sides.piece(i)).collect();
            here.sort_by(|a, b| a.target.first().map(|r| r.start).cmp(&b.target.first().map(|r| r.start)));
            here.dedup();
            for piece in here {
                match pieces.iter_mut().find(|(_, known)| *known == piece) {
                    Some((groups, _)) => *groups += 1,
                    None => pieces.push((1, piece)),
                }
            }
        }
        pieces.sort_by_key(|(groups, _)| std::cmp::Reverse(*groups));
        pieces.into_iter().map(|(_, piece)| piece).collect()
    }
}
