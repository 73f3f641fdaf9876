//! Builds the figures from the table of pairs.

use std::collections::{HashMap, HashSet};

use super::chart::{Bar, Extrapolation, Figure, Kind, Series};
use super::options::{CandidatesRow, FigureOptions, Figures, QualityRow};
use crate::StudyError;
use crate::analyse::judged::JudgedDocuments;
use crate::query::filter::spelling;
use crate::query::pair_table::{DocumentBundle, DocumentKind, FinderSet, PairTable};
use crate::recipe::files::IMPORTED;
use dejaview_base::numbers::count as with_commas;
use dejaview_evaluation::figures::{
    COVERAGE, Candidate, Counts, Difference, Spread, TENTHS, Tally, bin, linear, saturating,
};
use dejaview_evaluation::intervals::{wilson, wilson_of_twos};

/// Fewest candidates of the bins of candidates per document.
const CANDIDATE_BINS: [u64; 9] = [1, 2, 3, 6, 11, 31, 101, 1_001, 10_001];

/// Numbers of segments at which a curve is carried on, at most; a fit for each would take long for many.
const POINTS: usize = 12;

/// From the segments read to the last asked for, each while there are few.
fn points(read: usize, last: usize) -> Vec<usize> {
    let more = last - read;
    let steps = more.min(POINTS);
    (0..=steps).map(|i| read + (more * i).checked_div(steps).unwrap_or_default()).collect()
}

/// What the figures are made of.
pub(super) struct Builder<'a> {
    table: &'a PairTable,
    options: &'a FigureOptions,
    /// "judged documents" or "source documents".
    who: &'static str,
    /// Whether judged documents are counted.
    judged: bool,
    /// Which of them there are at most.
    which: &'static str,
    documents: u64,
    segments: Vec<String>,
    /// Places and names of the configurations shown.
    shown: Vec<(usize, &'a str)>,
    tally: Tally,
    /// Id of the first document of each kind of source documents.
    first: Vec<&'a str>,
    /// What bars open where documents share their pairs.
    shared: Option<SharedPairs>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        table: &'a PairTable,
        options: &'a FigureOptions,
        judged: Option<JudgedDocuments>,
        documents: u64,
        both: &'a HashMap<String, Option<String>>,
    ) -> Result<Self, StudyError> {
        let all = table.segments();
        let kept = all.into_iter().filter(|name| options.segment.as_deref().is_none_or(|only| only == *name));
        let segments: Vec<String> = kept.map(str::to_owned).collect();
        let names = table.configurations().iter().map(String::as_str).enumerate();
        let wanted = |name: &str| options.configurations.is_empty() || options.configurations.iter().any(|c| c == name);
        let (numbers, shown): (Vec<usize>, Vec<&str>) = names.filter(|(_, name)| wanted(name)).unzip();
        let shown: Vec<(usize, &str)> = shown.into_iter().enumerate().collect();
        let found = table.found_among(&numbers, "figures", "name some with --configuration, or split it")?;
        let home = |id: &str| both.get(id).and_then(Option::as_deref);
        let shared = table.joins_itself().then(|| {
            let all: Vec<DocumentKind<'_>> = table.documents(home).collect();
            SharedPairs::new(table, &all, &segments, &found, shown.len())
        });
        let mut tally = Tally::new(segments.len(), segments_read(&segments), shown.len(), options.alike);
        let first = count(table.documents(home), &segments, &found, &mut tally);
        let who = if judged.is_some() { "judged documents" } else { "source documents" };
        // Imported pairs may be of judged documents none of which is at hand.
        let (documents, which) = match judged {
            Some(judged) if judged.in_source == 0 => (judged.documents, "there are"),
            Some(judged) if judged.missing() > 0 => (documents, "in the source"),
            _ => (documents, "there are"),
        };
        Ok(Self {
            table,
            options,
            who,
            judged: judged.is_some(),
            which,
            documents,
            segments,
            shown,
            tally,
            first,
            shared,
        })
    }

    pub(super) fn figures(self) -> Figures {
        let mut figures = vec![self.pairs(), self.found()];
        figures.extend((self.read() > 1).then(|| self.accumulated()));
        figures.extend([self.jaccard(), self.best(), self.per_document(), self.differences()]);
        Figures {
            pool: self.tally.pool,
            documents: self.documents,
            jaccard: self.table.n(),
            alike: self.options.alike,
            figures,
            candidates: self.candidate_rows(),
            quality: self.quality_rows(),
            differences: self.difference_rows(),
            segments: self.segments,
            in_twos: self.shared.is_some(),
        }
    }

    /// Terms that hold for all pairs of a configuration that are shown.
    fn all_of(&self, name: &str) -> String {
        match &self.options.segment {
            Some(segment) => self.within(segment, name),
            None => spelling::found_by(name),
        }
    }

    /// Terms that hold for the pairs of a configuration in one segment.
    fn within(&self, segment: &str, name: &str) -> String {
        format!("{} & {}", spelling::exactly("segment", segment), spelling::found_by(name))
    }

    fn figure(&self, name: &'static str, title: String, kind: Kind, [x, y]: [&str; 2]) -> Figure {
        let pool = match &self.options.segment {
            Some(segment) => format!("pool: {} pairs of segment {segment}", with_commas(self.tally.pool)),
            None => format!("pool: {} pairs that any configuration found", with_commas(self.tally.pool)),
        };
        let (categories, series) = (Vec::new(), Vec::new());
        Figure { name, title, kind, x: x.to_owned(), y: y.to_owned(), categories, series, notes: vec![pool] }
    }

    /// The figures of the thesis that a figure is like: with judgments its first study, without them also its second, of Wikipedia.
    fn published(&self, judged: &str, unjudged: &str) -> String {
        if self.judged { format!("{judged} of the thesis") } else { format!("as {unjudged} of the thesis") }
    }

    fn by_segment(&self, mut figure: Figure, counts: &[Vec<u64>]) -> Figure {
        figure.categories.clone_from(&self.segments);
        for (c, name) in &self.shown {
            let bars = self.segments.iter().zip(&counts[*c]).zip(&self.tally.counts.pairs[*c]);
            let bar = |((segment, value), pairs): ((&String, &u64), &u64)| Bar {
                value: *value,
                pairs: *pairs,
                filter: self.within(segment, name),
            };
            figure.series.push(Series::new(name, bars.map(bar)));
        }
        figure
    }

    fn pairs(&self) -> Figure {
        let title = format!(
            "Candidate pairs per segment and configuration ({})",
            self.published("Fig. 5.1", "Figs 5.1 and 5.7")
        );
        self.by_segment(self.figure("pairs", title, Kind::Bars, ["segment", "pairs"]), &self.tally.counts.pairs)
    }

    fn found(&self) -> Figure {
        let title =
            format!("Found {} per segment and configuration ({})", self.who, self.published("Fig. 5.2", "Fig. 5.2"));
        let mut figure =
            self.by_segment(self.figure("found", title, Kind::Bars, ["segment", self.who]), &self.tally.counts.found);
        figure.notes.extend(self.shared.is_some().then(|| {
            "a document counts where the other document of its pair is; the pair opens in the segment of its target"
                .to_owned()
        }));
        figure
    }

    pub(super) fn read(&self) -> usize {
        segments_read(&self.segments)
    }

    fn accumulated(&self) -> Figure {
        let published = self.published("Fig. 5.3", "Figs 5.3 and 5.8");
        let title = format!("Found {}, accumulated over the segments in order ({published})", self.who);
        let figure = self.figure("accumulated", title, Kind::Accumulated, ["segments read", self.who]);
        let mut figure = self.by_segment(figure, &self.tally.counts.accumulated);
        let read = self.read();
        figure.categories = (1..=read).map(|n| n.to_string()).collect();
        let last = self.options.segments.unwrap_or(2 * read);
        for ((c, name), series) in self.shown.iter().zip(&mut figure.series) {
            let mut pairs = 0;
            series.bars.truncate(read);
            for (i, bar) in series.bars.iter_mut().enumerate() {
                pairs += bar.pairs;
                bar.pairs = pairs;
                let later = self.segments[i + 1..].iter();
                let but = |filter: String, s: &String| format!("{filter} & !{}", spelling::exactly("segment", s));
                bar.filter = later.fold(spelling::found_by(name), but);
            }
            series.extrapolation = Some(self.extrapolation(&self.tally.read, *c, last));
        }
        let most = format!("never more than the {} {} {}", with_commas(self.documents), self.who, self.which);
        figure.notes.push(format!("carried on to {last} segments, {most}: linear is the thesis's straight line, which promises too much where the curve bends; its interval takes the points for independent{}", two_points(read)));
        figure.notes.push(format!("saturating lets every document have its own chance of being found in a segment, and takes the segments for random parts of the target; its 95 % interval covered what was found {:.0} times in 100 and more in simulations of equal, unequal and no chances, at twice and at four times the segments", 100.0 * COVERAGE));
        figure
    }

    fn extrapolation(&self, counts: &Counts, c: usize, last: usize) -> Extrapolation {
        let points = points(self.read(), last);
        let line = |n: &usize| linear(&counts.accumulated[c], *n, self.documents);
        Extrapolation {
            linear: points.iter().filter_map(line).collect(),
            saturating: saturating(&counts.recurring[c], &points, self.documents),
        }
    }

    /// Bars of ten bins of the Jaccard: `counts_of` has the value of each and the pairs that it opens.
    fn tenths(
        &self,
        mut figure: Figure,
        counts_of: impl Fn(usize) -> Vec<(u64, u64)>,
        term: impl Fn(&str) -> String,
    ) -> Figure {
        let upper = |i: usize| TENTHS.get(i + 1).copied();
        figure.categories = (0..TENTHS.len()).map(|i| format!("{}–{}", TENTHS[i], upper(i).unwrap_or(1.0))).collect();
        for (c, name) in &self.shown {
            let bars = counts_of(*c).into_iter().enumerate().map(|(i, (value, pairs))| {
                let below = upper(i).map_or(String::new(), |edge| format!(" & jaccard<{edge}"));
                Bar { value, pairs, filter: format!("jaccard>={}{below} & {}", TENTHS[i], term(name)) }
            });
            figure.series.push(Series::new(name, bars));
        }
        figure
    }

    fn jaccard(&self) -> Figure {
        let n = self.table.n();
        let title = format!("Jaccard (n = {n}) of all candidate pairs ({})", self.published("Fig. 5.4", "Fig. 5.4"));
        let figure = self.figure("jaccard", title, Kind::Histogram, ["Jaccard", "pairs"]);
        let counts_of = |c: usize| self.tally.jaccard[c].iter().map(|&pairs| (pairs, pairs)).collect();
        let mut figure = self.tenths(figure, counts_of, |name| self.all_of(name));
        figure.notes.extend(self.without_texts());
        figure
    }

    /// How many pairs no Jaccard is known of.
    fn without_texts(&self) -> Option<String> {
        let left = self.tally.unknown;
        let count = with_commas(left);
        (left > 0).then(|| format!("{count} imported pairs without texts have no Jaccard and are left out"))
    }

    fn best(&self) -> Figure {
        let (n, who) = (self.table.n(), self.who);
        let published = self.published("Fig. 5.5", "Figs 5.5 and 5.9");
        let title = format!("Jaccard (n = {n}) of the best candidate of each of the {who} ({published})");
        let figure = self.figure("best", title, Kind::Histogram, ["Jaccard", who]);
        let counts_of = |c: usize| {
            let documents = self.tally.best[c].clone();
            let pairs = self.shared.as_ref().map_or_else(|| documents.clone(), |shared| shared.tops[c].clone());
            documents.into_iter().zip(pairs).collect()
        };
        let term = |name: &str| format!("{} & {}", spelling::top(name), self.all_of(name));
        let mut figure = self.tenths(figure, counts_of, term);
        figure.notes.extend(self.without_texts());
        figure.notes.extend(self.shared.is_some().then(|| {
            "a pair may be the best of both its documents, so a bar may open fewer pairs than it has documents"
                .to_owned()
        }));
        figure.notes.extend(self.beyond_segment("best over all segments"));
        figure
    }

    fn per_document(&self) -> Figure {
        let title = format!("Candidates of each of the {} found", self.who);
        let mut figure = self.figure("candidates", title, Kind::Histogram, ["candidates", self.who]);
        let most = self.tally.spreads.iter().map(Spread::max).max().unwrap_or(1).max(1);
        let edges: Vec<f64> = CANDIDATE_BINS.iter().map(|&n| n as f64).collect();
        let bins: Vec<(u64, Option<u64>)> =
            (0..=bin(&edges, most as f64)).map(|i| (CANDIDATE_BINS[i], CANDIDATE_BINS.get(i + 1).copied())).collect();
        let label = |(least, below): &(u64, Option<u64>)| match below {
            Some(below) if below - least == 1 => least.to_string(),
            Some(below) => format!("{least}–{}", below - 1),
            None => format!("{least} or more"),
        };
        figure.categories = bins.iter().map(label).collect();
        for ((c, name), spread) in self.shown.iter().zip(&self.tally.spreads) {
            let candidates = spelling::candidates(name);
            let bars = bins.iter().enumerate().map(|(i, (least, below))| {
                let under = below.map_or(String::new(), |below| format!(" & {candidates}<{below}"));
                let filter = format!("{candidates}>={least}{under} & {}", self.all_of(name));
                let within = spread.between(*least, below.unwrap_or(u64::MAX));
                let shared = self.shared.as_ref().map(|shared| shared.busier[*c][i]);
                Bar { value: within.len() as u64, pairs: shared.unwrap_or_else(|| within.iter().sum()), filter }
            });
            figure.series.push(Series::new(name, bars));
        }
        figure.notes.push(format!("only {} with a candidate are counted", self.who));
        figure.notes.extend(self.shared.is_some().then(|| {
            "a pair of two of them is a candidate of each, and is opened by the bar of the one with more candidates"
                .to_owned()
        }));
        figure.notes.extend(self.beyond_segment("of documents with so many candidates in all segments"));
        figure
    }

    /// A filter cannot say "of this segment alone": what it says instead, where that differs.
    fn beyond_segment(&self, what: &str) -> Option<String> {
        let part = self.options.segment.is_some() && self.table.segments().len() > 1;
        part.then(|| format!("the pairs that a bar opens are those that are {what}"))
    }

    fn differences(&self) -> Figure {
        let (n, alike) = (self.table.n(), self.options.alike);
        let title =
            format!("Pairs with a Jaccard (n = {n}) of {alike} or more that the row finds and the column misses");
        let mut figure = self.figure("differences", title, Kind::Matrix, ["missed by", "pairs found by"]);
        let table = self.difference_rows();
        figure.categories = self.shown.iter().map(|(_, name)| (*name).to_owned()).collect();
        for ((_, name), row) in self.shown.iter().zip(&table) {
            let bars = self.shown.iter().zip(row).map(|((_, other), difference)| Bar {
                value: difference.pairs,
                pairs: difference.pairs,
                filter: format!("{} & !{} & jaccard>={alike}", self.all_of(name), spelling::found_by(other)),
            });
            figure.series.push(Series::new(name, bars));
        }
        figure.notes.extend(self.without_texts());
        figure
    }

    fn difference_rows(&self) -> Vec<Vec<Difference>> {
        let all = &self.tally.differences;
        self.shown.iter().map(|(row, _)| self.shown.iter().map(|(column, _)| all[*row][*column]).collect()).collect()
    }

    fn candidate_rows(&self) -> Vec<CandidatesRow> {
        let row = |((c, name), spread): (&(usize, &str), &Spread)| CandidatesRow {
            configuration: (*name).to_owned(),
            documents: spread.documents(),
            pairs: self.tally.counts.pairs[*c].iter().sum(),
            mean: spread.mean(),
            median: spread.quantile(0.5),
            p75: spread.quantile(0.75),
            p95: spread.quantile(0.95),
            max: spread.max(),
            max_document: spread.most.map(|source| self.first[source as usize].to_owned()),
        };
        self.shown.iter().zip(&self.tally.spreads).map(row).collect()
    }

    fn quality_rows(&self) -> Vec<QualityRow> {
        let row = |(c, name): &(usize, &str)| {
            let counts = &self.tally.quality[*c];
            let (found, alike) = (counts[0] + counts[1], counts[1]);
            // A pair of two documents of one collection finds them both, or neither.
            let interval = if self.shared.is_some() { wilson_of_twos } else { wilson };
            let precision = interval(alike, found, 0.95);
            QualityRow { configuration: (*name).to_owned(), found, alike, precision }
        };
        self.shown.iter().map(row).collect()
    }
}

/// Why the straight line has no interval, where it has none.
const fn two_points(read: usize) -> &'static str {
    if read == 2 { ", and a line through two points has none" } else { "" }
}

/// Pairs that are counted at once, and those of the last of their documents.
const BLOCK: usize = 1 << 16;

/// Counts the pairs of these segments, and returns the first document of each kind of source documents.
fn count<'t>(
    all: impl Iterator<Item = DocumentKind<'t>>,
    segments: &[String],
    found: &impl Fn(FinderSet) -> u64,
    tally: &mut Tally,
) -> Vec<&'t str> {
    let (mut candidates, mut first) = (Vec::new(), Vec::new());
    for (source, documents) in (0u32..).zip(all) {
        if candidates.len() >= BLOCK {
            tally.add(&candidates);
            candidates.clear();
        }
        first.extend(documents.ids.first().copied());
        for bundle in &documents.bundles {
            let Some(segment) = segments.iter().position(|name| name == bundle.found_in) else { continue };
            candidates.push(Candidate {
                source,
                documents: documents.ids.len() as u64,
                each: bundle.pairs,
                turned: bundle.turned,
                segment: segment as u32,
                found: found(bundle.finders),
                jaccard: bundle.jaccard,
            });
        }
    }
    tally.add(&candidates);
    first
}

/// What bars open where documents stand on both sides, and a pair is one of two of them. By configuration.
struct SharedPairs {
    /// Pairs that are the best of one of their documents, by tenths of their Jaccard.
    tops: Vec<Vec<u64>>,
    /// Pairs by the candidates of the one of their documents that has more, in the bins of these.
    busier: Vec<Vec<u64>>,
}

impl SharedPairs {
    fn new(
        table: &PairTable,
        all: &[DocumentKind<'_>],
        segments: &[String],
        found: &impl Fn(FinderSet) -> u64,
        configurations: usize,
    ) -> Self {
        let shown = |segment: &str| segments.iter().any(|name| name == segment);
        let (mut tops, mut busier) = (Vec::new(), Vec::new());
        for c in 0..configurations {
            let is_found = |finders: FinderSet, segment: &str| found(finders) >> c & 1 == 1 && shown(segment);
            let is_its = |bundle: &DocumentBundle<'_>| is_found(bundle.finders, bundle.segment);
            let mut candidates: HashMap<&str, u64> = HashMap::new();
            let (mut best, mut seen) = (vec![0; TENTHS.len()], HashSet::new());
            for documents in all {
                let its = documents.bundles.iter().filter(|bundle| is_its(bundle));
                let count: u64 = its.map(|bundle| bundle.pairs).sum();
                candidates.extend(documents.ids.iter().map(|id| (*id, count)));
                let Some((top, jaccard)) = documents.top(is_its).and_then(|top| Some((top, top.jaccard?))) else {
                    continue;
                };
                for &id in &documents.ids {
                    let is_new = seen.insert(if top.turned { (top.other, id) } else { (id, top.other) });
                    best[bin(&TENTHS, jaccard)] += u64::from(is_new);
                }
            }
            let mut counts = vec![0; CANDIDATE_BINS.len()];
            for link in table.links().filter(|link| is_found(link.finders, link.segment)) {
                let below = |edge: u64| link.pairs(|id| candidates.get(id).is_none_or(|count| *count < edge));
                let mut before = 0;
                for (i, count) in counts.iter_mut().enumerate() {
                    let upto = below(CANDIDATE_BINS.get(i + 1).copied().unwrap_or(u64::MAX));
                    *count += upto - before;
                    before = upto;
                }
            }
            tops.push(best);
            busier.push(counts);
        }
        Self { tops, busier }
    }
}

/// How many of these segments were read. Imported pairs of documents that are nowhere else stand behind them.
pub(super) fn segments_read(names: &[impl AsRef<str>]) -> usize {
    match names.iter().filter(|name| name.as_ref() != IMPORTED).count() {
        0 => names.len(),
        read => read,
    }
}
