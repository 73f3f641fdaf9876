//! The near-duplicate groups of a study: documents of both sides that hang together by pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::StudyError;
use crate::analyse::transfer_material::{Scorer, chosen_configurations, default_measure, labels_by_number};
use crate::query::pair_table::{Bundle, Kind, PairTable, SpanningPairs};
use crate::snapshot::Snapshot;
use dejaview_base::choice::Expected;
use dejaview_evaluation::groups::{Degree, Edge, Group, groups_of_many};
use dejaview_evaluation::transfer::{Labelled, Measure};
use dejaview_index::{Index, KeptSide};
use dejaview_methods::measures::Profile;

/// Members of a group whose texts are read to name it.
const READ: usize = 25;
/// Members from which a group may be one of a template.
const TEMPLATE_MEMBERS: usize = 5;
/// Below this share of its members' words, what they share is a template and not the page.
const TEMPLATE_SHARE: f64 = 0.9;
/// Words that a line must have to name a group.
const LINE_WORDS: usize = 3;

/// Which pairs make groups.
#[derive(Debug, Clone, Default)]
pub struct GroupsOptions {
    /// Only pairs that one of these configurations found; all when empty.
    pub configurations: Vec<String>,
    /// The measure and its least value; by default a headline Jaccard of 0.9, and any pair where all are imported.
    pub least: Option<(Measure, f64)>,
    /// Who stands for a group.
    pub rule: RepresentativeRule,
}

/// Who stands for a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", parse_err_ty = Expected, parse_err_fn = no_rule)]
pub enum RepresentativeRule {
    /// The member with the highest sum of scores to others; of equal ones the first by id, sources before targets.
    #[default]
    Central,
    /// The first by id, sources before targets.
    First,
    /// The one with the most words; of equal ones the first by id, sources before targets.
    Longest,
}

impl RepresentativeRule {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn no_rule(_: &str) -> Expected {
    Expected("central, first or longest")
}

/// A document of a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Whether it is of the target alone; sources come first.
    pub target: bool,
    /// Whether it stands on both sides.
    pub both: bool,
    pub id: String,
    /// Words; 0 when its text is not there.
    pub words: u32,
}

impl Node {
    /// "source", "target" or "both".
    pub fn side(&self) -> &'static str {
        match self.sides() {
            [true, true] => "both",
            [true, false] => "source",
            _ => "target",
        }
    }

    /// Whether it stands in the source, and in the target.
    pub fn sides(&self) -> [bool; 2] {
        [!self.target, self.target || self.both]
    }
}

/// The groups of a study.
#[derive(Debug)]
pub struct Groups {
    /// All documents that take part, sources first, by id.
    pub nodes: Vec<Node>,
    /// The groups, the largest first; members are numbers of nodes.
    pub groups: Vec<Group>,
    /// What pairs are scored by.
    pub measure: Measure,
    /// The least score; none when any pair counts.
    pub least: Option<f64>,
    /// Who stands for a group.
    pub rule: RepresentativeRule,
    /// Pairs that were left out because people labelled them not near-duplicates.
    pub refused: u64,
    /// Names of the configurations whose pairs took part.
    pub configurations: Vec<String>,
}

/// What the members of a group have in common, line by line.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedText {
    /// The longest line that most of them hold; empty when there is none.
    pub line: String,
    /// DocumentBundle of the members' words that stand in lines which most of them hold.
    pub share: f64,
    /// Members whose texts were read.
    pub read: usize,
}

impl SharedText {
    /// Whether members have a good deal of text of their own beside what they share: pages of one template.
    pub fn template(&self) -> bool {
        self.read >= TEMPLATE_MEMBERS && self.share > 0.0 && self.share < TEMPLATE_SHARE
    }
}

impl Groups {
    /// The member that stands for a group.
    pub fn representative(&self, group: &Group) -> u32 {
        self.representative_of(group, |_| true).unwrap_or(group.members[0])
    }

    /// The member that stands for a group among the eligible; none when nobody is.
    pub fn representative_of(&self, group: &Group, eligible: impl Fn(&Node) -> bool) -> Option<u32> {
        let eligible = |member: u32| eligible(&self.nodes[member as usize]);
        let mut members = group.members.iter().copied().filter(|member| eligible(*member));
        match self.rule {
            RepresentativeRule::Central => group.central_of(eligible),
            RepresentativeRule::First => members.next(),
            RepresentativeRule::Longest => {
                let words = |member: u32| self.nodes[member as usize].words;
                members.reduce(|a, b| if words(b) > words(a) { b } else { a })
            }
        }
    }

    /// Source and target documents of a group; one that stands on both sides is both.
    pub fn sides(&self, group: &Group) -> (usize, usize) {
        let on =
            |side: usize| group.members.iter().filter(|member| self.nodes[**member as usize].sides()[side]).count();
        (on(0), on(1))
    }

    /// Pairs of a group that could have been found.
    pub fn possible(&self, group: &Group) -> u64 {
        group.possible(Some(&|member| self.nodes[member as usize].sides()))
    }

    /// The share of its source–target pairs that were found directly. Two documents of one side alone are never compared:
    /// they hang together only by way of the other side.
    pub fn direct(&self, group: &Group) -> f64 {
        let possible = self.possible(group);
        if possible == 0 { 0.0 } else { group.pairs as f64 / possible as f64 }
    }
}

/// The groups that the pairs of the study make.
pub fn groups(study: &Snapshot, order: &GroupsOptions) -> Result<Groups, StudyError> {
    let configurations = chosen_configurations(study, &order.configurations)?;
    let table = study.table()?;
    let (measure, least) = match (order.least, default_measure(study, &configurations)) {
        (Some((measure, least)), _) => (measure, Some(least)),
        (None, Measure::Score) => (Measure::Score, None),
        (None, measure) => (measure, Some(0.9)),
    };
    let found = table.found_by_any(&configurations);
    let labels = labels_by_number(study, table)?.into_iter();
    let not: BTreeSet<usize> = labels.filter(|(_, label)| *label == Labelled::Not).map(|(number, _)| number).collect();
    let mut scorer = Scorer::new(study, table, &configurations);
    let (mut scores, mut refused) = (Vec::new(), 0);
    for bundle in table.kinds_with_single_pairs(&not).flat_map(|kind| kind.bundles) {
        let score =
            if found(&bundle) { Some(scorer.score(measure, &bundle.first_pair, bundle.segment)?) } else { None };
        let enough = |score: &Option<f64>| least.is_none_or(|least| score.is_some_and(|score| score >= least));
        let taken = score.filter(enough).map(Option::unwrap_or_default);
        let is_not = bundle.number.is_some_and(|number| not.contains(&number));
        refused += u64::from(is_not && taken.is_some());
        scores.push(taken.filter(|_| !is_not));
    }
    let graph = Graph::new(table, &not, &scores);
    let groups = groups_of_many(&graph.edges, &graph.degrees);
    let nodes = graph.nodes;
    let configurations = configurations.iter().map(|&c| study.recipe().configurations[c].name.clone()).collect();
    Ok(Groups { nodes, groups, measure, least, rule: order.rule, refused, configurations })
}

/// What the members of a group share; none when fewer than two of their texts are kept.
pub fn shared_text(study: &Snapshot, groups: &Groups, group: &Group) -> Result<Option<SharedText>, StudyError> {
    let index = study.index()?;
    let mut texts = Vec::new();
    // Members from the first to the last, so that those read are like the others.
    let read = group.members.len().min(READ);
    for member in (0..read).map(|i| group.members[i * group.members.len() / read]) {
        texts.extend(kept_text(index, &groups.nodes[member as usize])?);
    }
    Ok((texts.len() > 1).then(|| shared(&texts)))
}

fn kept_text(index: &Index, node: &Node) -> Result<Option<String>, StudyError> {
    let side = if node.target { KeptSide::Target } else { KeptSide::Source };
    Ok(index.document(side, &node.id)?.map(|stored| stored.text))
}

/// Documents that have pairs, and pairs between them.
struct Graph {
    /// By side and id, one that stands on both sides once.
    nodes: Vec<Node>,
    /// As many as hold them together as all do.
    edges: Vec<Edge>,
    /// For each document what is known of all its pairs.
    degrees: Vec<Degree>,
}

impl Graph {
    /// Of the bundles of a table that have a score, with these pairs by themselves.
    fn new(table: &PairTable, alone: &BTreeSet<usize>, scores: &[Option<f64>]) -> Self {
        let mut words: BTreeMap<(bool, &str), (u32, bool)> = BTreeMap::new();
        let mut note = |key, profile: &Profile, both: bool| {
            let (words, on_both) = words.entry(key).or_default();
            *words = profile.words.max(*words);
            *on_both |= both;
        };
        each_scored(table, alone, scores, |kind, bundle, _| {
            let sources = kind.sources.iter();
            sources.for_each(|source| note((false, source.id), &bundle.first_pair.source_profile, source.both));
            let targets = table.pairs_of_first_source(kind, bundle);
            targets.for_each(|pair| note((!pair.both[1], pair.target), &pair.target_profile, pair.both[1]));
        });
        let numbers: HashMap<(bool, &str), u32> = words.keys().copied().zip(0u32..).collect();
        let nodes: Vec<Node> = words
            .into_iter()
            .map(|((target, id), (words, both))| Node { target, both, id: id.to_owned(), words })
            .collect();
        let mut graph = Self { degrees: vec![Degree::default(); nodes.len()], nodes, edges: Vec::new() };
        let mut spanning = SpanningPairs::default();
        each_scored(table, alone, scores, |kind, bundle, score| {
            let sources: Vec<u32> = kind.sources.iter().map(|source| numbers[&(false, source.id)]).collect();
            let targets = table.pairs_of_first_source(kind, bundle).map(|pair| numbers[&(!pair.both[1], pair.target)]);
            let mut targets: Vec<u32> = targets.collect();
            targets.sort_unstable();
            graph.add(&sources, &targets, spanning.whole(kind, bundle), score);
        });
        graph
    }

    /// Adds the pairs of each source with each target. The first sources keep all their edges, the others two.
    fn add(&mut self, sources: &[u32], targets: &[u32], whole: usize, score: f64) {
        for (place, &a) in sources.iter().enumerate() {
            self.degrees[a as usize].add(targets.len() as u64, score);
            let kept = if place < whole { targets.len() } else { targets.len().min(2) };
            self.edges.extend(targets[..kept].iter().map(|&b| Edge { a, b, score }));
        }
        targets.iter().for_each(|&b| self.degrees[b as usize].add(sources.len() as u64, score));
    }
}

/// Shows the bundles that have a score.
fn each_scored<'t>(
    table: &'t PairTable,
    alone: &BTreeSet<usize>,
    scores: &[Option<f64>],
    mut visit: impl FnMut(&Kind<'t>, &Bundle<'t>, f64),
) {
    let mut scores = scores.iter();
    for kind in table.kinds_with_single_pairs(alone) {
        for (bundle, score) in kind.bundles.iter().zip(scores.by_ref()) {
            score.iter().for_each(|score| visit(&kind, bundle, *score));
        }
    }
}

/// Lines that most texts hold: more than half of them.
fn shared(texts: &[String]) -> SharedText {
    let mut holders: HashMap<&str, (usize, usize)> = HashMap::new();
    for (number, text) in texts.iter().enumerate() {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (count, last) = holders.entry(line).or_insert((0, usize::MAX));
            if *last != number {
                (*count, *last) = (*count + 1, number);
            }
        }
    }
    let words = |line: &str| line.split_whitespace().count();
    // A few odd pages among many copies change nothing.
    let most = texts.len() / 2 + 1;
    let common = |line: &str| holders.get(line.trim()).is_some_and(|(count, _)| *count >= most);
    let (mut all, mut alike) = (0, 0);
    for line in texts.iter().flat_map(|text| text.lines()) {
        all += words(line);
        alike += if common(line) { words(line) } else { 0 };
    }
    // The odd one may be the first: of the longest lines, the first that any text holds.
    let named = texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let named = named.filter(|line| common(line) && words(line) >= LINE_WORDS);
    let named = named.reduce(|a, b| if b.chars().count() > a.chars().count() { b } else { a });
    let share = if all == 0 { 0.0 } else { alike as f64 / all as f64 };
    SharedText { line: named.unwrap_or_default().to_owned(), share, read: texts.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_by_what_all_share() {
        let page = |own: &str| format!("Box score\nBaltimore Orioles against New York Yankees\nnav bar here\n{own}\n");
        let texts: Vec<String> =
            ["a b c d e f g", "h i j", "k l m n", "o p q", "r s t u"].iter().map(|own| page(own)).collect();
        let found = shared(&texts);
        assert_eq!(found.line, "Baltimore Orioles against New York Yankees");
        assert_eq!((found.share, found.read, found.template()), (55.0 / 76.0, 5, true));
        let same = vec!["one two three four".to_owned(); 5];
        assert_eq!((shared(&same).share, shared(&same).template()), (1.0, false), "copies are no template");
        let odd = |place: usize| {
            let mut texts = vec!["one two three four".to_owned(); 20];
            texts[place].push_str(" five");
            shared(&texts)
        };
        assert_eq!(odd(0), odd(19), "whichever of them is the odd one");
        assert_eq!((odd(0).line.as_str(), odd(0).template()), ("one two three four", false));
        let lines: Vec<String> = (0..6).map(|n| format!("all on one line {n}")).collect();
        assert!(!shared(&lines).template(), "without a common line there is no template to see");
    }

    #[test]
    fn rules_have_names() {
        for &rule in RepresentativeRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert!("best".parse::<RepresentativeRule>().is_err());
    }
}
