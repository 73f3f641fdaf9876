//! Which lines of a change stand opposite each other, and which of their words differ.
//!
//! Myers on the words of the whole change says how much of each line came from which line: a staircase of pairs of
//! lines with what they share. The pairs kept are those of the heaviest chain that climbs on both sides, among lines
//! that share a third of their weight. One line left over opposite one line is a replacement and stands beside it.
//! All of it is linear but Myers, and Myers has the deadline.

use std::ops::Range;
use std::time::Instant;

use super::Line;
use super::runs::{Run, matches};
use super::words::{Numbers, WEIGHTS, Word, words};

/// One text and the spans of its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) text: &'a str,
    pub(super) lines: &'a [Range<usize>],
}

impl Side<'_> {
    /// The line of number `i` from 0, all equal.
    pub(super) fn line(&self, i: usize) -> Line {
        Line { number: u32::try_from(i + 1).unwrap_or(u32::MAX), span: self.lines[i].clone(), changed: Vec::new() }
    }

    /// The same, all changed.
    pub(super) fn changed_line(&self, i: usize) -> Line {
        let mut line = self.line(i);
        line.changed.extend(Some(line.span.clone()).filter(|span| !span.is_empty()));
        line
    }
}

/// Two lines that stand opposite each other.
#[derive(Debug)]
pub(super) struct Pair {
    /// Numbers of the lines from 0.
    pub(super) at: (usize, usize),
    pub(super) lines: (Line, Line),
    /// How many words that count are equal.
    pub(super) equal: usize,
}

/// Pairs lines of two texts.
pub(super) struct Aligner<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    pub(super) deadline: Instant,
    pub(super) numbers: Numbers<'a>,
}

impl<'a> Aligner<'a> {
    /// The pairs among lines `a` and `b`, climbing; `None` when the deadline passed.
    pub(super) fn align(&mut self, a: Range<usize>, b: Range<usize>) -> Option<Vec<Pair>> {
        let first = (a.start, b.start);
        let a_words = Block::read(self.a, a, &mut self.numbers, self.deadline)?;
        let b_words = Block::read(self.b, b, &mut self.numbers, self.deadline)?;
        let chain = match (a_words.len(), b_words.len()) {
            (1, 1) => Vec::new(),
            _ => chain(&stairs(&a_words, &b_words, self.deadline), &a_words, &b_words),
        };
        let mut pairs = Vec::with_capacity(chain.len());
        let mut done = (0, 0);
        for &(i, j) in chain.iter().chain([&(a_words.len(), b_words.len())]) {
            if (i - done.0, j - done.1) == (1, 1) {
                pairs.push(self.pair(first, (&a_words, done.0), (&b_words, done.1)));
            }
            if i < a_words.len() {
                pairs.push(self.pair(first, (&a_words, i), (&b_words, j)));
            }
            done = (i + 1, j + 1);
        }
        (Instant::now() < self.deadline).then_some(pairs)
    }

    fn pair(&self, first: (usize, usize), (a, i): (&Block, usize), (b, j): (&Block, usize)) -> Pair {
        let at = (first.0 + i, first.1 + j);
        let (mut lines, mut equal) = ((self.a.changed_line(at.0), self.b.changed_line(at.1)), 0);
        if self.a.text[lines.0.span.clone()] == self.b.text[lines.1.span.clone()] {
            lines = (self.a.line(at.0), self.b.line(at.1));
            return Pair { at, lines, equal: a.words(i).iter().filter(|w| w.counts()).count() };
        }
        let mut runs = matches(a.numbers(i), b.numbers(j), self.deadline);
        let shared = runs.iter().map(|r| weight(&a.words(i)[r.a..r.a + r.len])).sum();
        if similar(shared, a.weights[i], b.weights[j]) {
            drop_weak(&mut runs, a.words(i), b.words(j));
            let words = runs.iter().flat_map(|r| &a.words(i)[r.a..r.a + r.len]);
            equal = words.filter(|w| w.counts()).count();
            let mut marks = Marks { a: self.a.text, b: self.b.text, lines: &mut lines };
            marks.mark(&runs, a.words(i), b.words(j));
        }
        Pair { at, lines, equal }
    }
}

/// After how many words the clock is looked at.
const LOOK: usize = 1 << 14;

/// The words of some consecutive lines.
struct Block {
    words: Vec<Word>,
    numbers: Vec<u32>,
    /// Where the words of each line begin, and the end.
    starts: Vec<usize>,
    /// What the words of each line weigh together.
    weights: Vec<usize>,
}

impl Block {
    fn read<'a>(side: Side<'a>, lines: Range<usize>, numbers: &mut Numbers<'a>, deadline: Instant) -> Option<Self> {
        let mut this = Self { words: Vec::new(), numbers: Vec::new(), starts: vec![0], weights: Vec::new() };
        for line in &side.lines[lines] {
            for word in words(side.text, line.clone()) {
                this.words.push(word);
                this.numbers.push(numbers.number(&side.text[word.start..word.end]));
                if this.words.len().is_multiple_of(LOOK) && Instant::now() >= deadline {
                    return None;
                }
            }
            this.starts.push(this.words.len());
            this.weights.push(weight(this.words(this.len() - 1)));
        }
        Some(this)
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn words(&self, i: usize) -> &[Word] {
        &self.words[self.starts[i]..self.starts[i + 1]]
    }

    fn numbers(&self, i: usize) -> &[u32] {
        &self.numbers[self.starts[i]..self.starts[i + 1]]
    }
}

fn weight(words: &[Word]) -> usize {
    words.iter().map(|w| usize::from(w.weight)).sum()
}

/// Whether lines of weight `a` and `b` that share `shared` are forms of one line.
fn similar(shared: usize, a: usize, b: usize) -> bool {
    shared > 0 && shared * 6 >= a + b
}

/// What pairs of lines share: first line, second line, weight. Both lines never fall.
fn stairs(a: &Block, b: &Block, deadline: Instant) -> Vec<(usize, usize, usize)> {
    let mut stairs: Vec<(usize, usize, usize)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for run in matches(&a.numbers, &b.numbers, deadline) {
        for k in 0..run.len {
            while a.starts[i + 1] <= run.a + k {
                i += 1;
            }
            while b.starts[j + 1] <= run.b + k {
                j += 1;
            }
            let weight = usize::from(a.words[run.a + k].weight);
            match stairs.last_mut() {
                Some(step) if (step.0, step.1) == (i, j) => step.2 += weight,
                _ => stairs.push((i, j, weight)),
            }
        }
    }
    stairs
}

/// The heaviest chain of similar lines that climbs on both sides.
fn chain(stairs: &[(usize, usize, usize)], a: &Block, b: &Block) -> Vec<(usize, usize)> {
    // For each beginning of the staircase: the weight of its best chain, the last step of it, and the beginning before.
    let mut best: Vec<(usize, Option<(usize, usize)>)> = vec![(0, None)];
    let (mut below_i, mut below_j) = (0, 0);
    for (k, &(i, j, shared)) in stairs.iter().enumerate() {
        while stairs[below_i].0 < i {
            below_i += 1;
        }
        while stairs[below_j].1 < j {
            below_j += 1;
        }
        let before = below_i.min(below_j);
        let taken = best[before].0 + shared;
        let choice = match similar(shared, a.weights[i], b.weights[j]) && taken > best[k].0 {
            true => (taken, Some((k, before))),
            false => best[k],
        };
        best.push(choice);
    }
    let mut chain = Vec::new();
    let mut last = best[stairs.len()].1;
    while let Some((k, before)) = last {
        chain.push((stairs[k].0, stairs[k].1));
        last = best[before].1;
    }
    chain.reverse();
    chain
}

/// Drops the runs between two changes that are lighter than a word: a lone comma, or one ideograph.
fn drop_weak(runs: &mut Vec<Run>, a: &[Word], b: &[Word]) {
    runs.retain(|r| {
        let begins = r.a == 0 && r.b == 0;
        let ends = r.a + r.len == a.len() && r.b + r.len == b.len();
        begins || ends || weight(&a[r.a..r.a + r.len]) >= usize::from(WEIGHTS[0])
    });
}

/// Marks what differs in two lines.
struct Marks<'a> {
    a: &'a str,
    b: &'a str,
    lines: &'a mut (Line, Line),
}

impl Marks<'_> {
    /// Marks everything but the runs and the blanks that are equal around and inside them.
    fn mark(&mut self, runs: &[Run], a: &[Word], b: &[Word]) {
        self.lines.0.changed.clear();
        self.lines.1.changed.clear();
        let mut done = (self.lines.0.span.start, self.lines.1.span.start);
        for run in runs {
            for (a, b) in a[run.a..].iter().zip(&b[run.b..]).take(run.len) {
                self.gap(done.0..a.start, done.1..b.start);
                done = (a.end, b.end);
            }
        }
        self.gap(done.0..self.lines.0.span.end, done.1..self.lines.1.span.end);
    }

    /// Marks what differs between two equal words, without the blanks that both begin or end with.
    fn gap(&mut self, mut a: Range<usize>, mut b: Range<usize>) {
        let (gap_a, gap_b) = (&self.a[a.clone()], &self.b[b.clone()]);
        if gap_a == gap_b {
            return;
        }
        let head = blanks(gap_a.chars(), gap_b.chars());
        let tail = blanks(gap_a[head..].chars().rev(), gap_b[head..].chars().rev());
        (a.start, b.start) = (a.start + head, b.start + head);
        (a.end, b.end) = (a.end - tail, b.end - tail);
        self.lines.0.changed.extend(Some(a).filter(|range| !range.is_empty()));
        self.lines.1.changed.extend(Some(b).filter(|range| !range.is_empty()));
    }
}

/// Length of the white space that both begin with.
fn blanks(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b && a.is_whitespace()).map(|(a, _)| a.len_utf8()).sum()
}
