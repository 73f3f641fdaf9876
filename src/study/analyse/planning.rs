//! Plans a sample: how many labels each design and configuration needs, and a comparison of two configurations.

use serde::Serialize;

use crate::StudyError;
use crate::label::draw::SampleDraw;
use crate::label::framing::{Framing, OneByOne};
use crate::label::strata::Strata;
use crate::snapshot::Snapshot;
use dejaview_evaluation::estimates::{PlannedComparison, PlannedDocuments, PlannedStratum, half_width, needed};
use dejaview_evaluation::sample::{Allocation, StratifyBy};

/// How often an interval covers.
const CONFIDENCE: f64 = 0.95;

#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// The configurations whose pairs would be drawn from, together.
    pub configurations: Vec<String>,
    /// The design that would be drawn; none where those that are usual are to be compared.
    pub design: Option<PlannedDesign>,
    /// Seed of the draw; it decides which of equal strata gets a pair more.
    pub seed: u64,
    /// Labels of which the half-width is told.
    pub size: u64,
    /// Half-widths for which the number of labels is told.
    pub wanted: Vec<f64>,
    /// DocumentBundle of true pairs that is expected; the worst case of a half stands beside.
    pub expect: f64,
    /// Two configurations, the difference of precision to be told, and with which power.
    pub compare: Option<([String; 2], f64, f64)>,
}

/// How a sample would be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedDesign {
    /// Pairs, divided by something at some edges.
    Pairs(StratifyBy, Vec<f64>, Allocation),
    /// Source documents, one pair of each.
    Documents,
}

/// What a design would give for a configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedRow {
    /// The design: `simple`, `by agreement`, …
    pub design: String,
    pub configuration: String,
    /// Its pairs; of a sample of documents, its documents.
    pub pairs: u64,
    /// DocumentBundle of true pairs that is taken for granted.
    pub share: f64,
    /// Half of the interval's width to be expected with the size asked for.
    pub half_width: f64,
    /// For each half-width wanted, the labels it takes; none where all are not enough.
    pub needed: Vec<Option<u64>>,
}

/// What it takes to tell two configurations apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedDifference {
    pub configurations: [String; 2],
    pub pairs: PlannedComparison,
    /// The difference of precision to be told.
    pub difference: f64,
    /// How often it shall be told when it is there.
    pub power: f64,
    /// Labels of a simple random sample that it takes; none where the two cannot differ so much.
    pub needed: Option<u64>,
}

/// A plan. Nothing is drawn for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SamplePlan {
    /// Labels of which the half-widths are told.
    pub size: u64,
    /// Half-widths for which the labels are told.
    pub wanted: Vec<f64>,
    /// By design, then configuration.
    pub rows: Vec<PlannedRow>,
    /// Of two configurations, where asked for.
    pub difference: Option<PlannedDifference>,
}

/// The designs that are compared where none is asked for.
const DESIGNS: [(StratifyBy, Allocation); 4] = [
    (StratifyBy::None, Allocation::Proportional),
    (StratifyBy::Agreement, Allocation::Proportional),
    (StratifyBy::Jaccard, Allocation::Proportional),
    (StratifyBy::Jaccard, Allocation::Equal),
];

/// How large a sample must be. Draws and writes nothing.
pub fn plan_sample(study: &Snapshot, order: &PlanOptions) -> Result<SamplePlan, StudyError> {
    let mut rows = Vec::new();
    for (by, bounds, allocation) in order.pair_designs() {
        let design = design_name(by, allocation);
        for (configuration, strata) in order.configurations.iter().zip(expected_strata(study, order, by, &bounds)?) {
            let most: u64 = strata.iter().map(|stratum| stratum.pairs).sum();
            let pairs = strata.iter().map(|stratum| stratum.found).sum();
            let width = |n: u64, share: f64| half_width(&strata, n, allocation, order.seed, share, CONFIDENCE);
            rows.extend(planned_rows(order, &design, configuration, pairs, most, &width));
        }
    }
    if let Some(one) = order.document_design()? {
        let documents = expected_documents(study, order)?;
        let width = |n: u64, share: f64| documents.half_width(n, share, CONFIDENCE);
        rows.extend(planned_rows(order, "documents", one, documents.all, documents.all, &width));
    }
    let (size, wanted) = (order.size, order.wanted.clone());
    Ok(SamplePlan { size, wanted, rows, difference: planned_difference(study, order)? })
}

/// For each configuration the strata of a design, with what it found in them.
fn expected_strata(
    study: &Snapshot,
    order: &PlanOptions,
    by: StratifyBy,
    bounds: &[f64],
) -> Result<Vec<Vec<PlannedStratum>>, StudyError> {
    let draw = SampleDraw { by, bounds: bounds.to_vec(), ..order.draw() };
    draw.fits()?;
    let framing = Framing::new(study, &draw)?;
    let mut strata = Strata::new(study, &draw, &framing)?;
    let mut counts: std::collections::BTreeMap<(u32, String), Vec<u64>> = Default::default();
    framing.each_inside(&strata.one_by_one(), |one| {
        let count = counts.entry(strata.stratum_of(&one)?).or_insert_with(|| vec![0; order.configurations.len() + 1]);
        let asked = framing.asked(one.found);
        count[0] += one.pairs();
        (0..order.configurations.len()).for_each(|c| count[c + 1] += (asked >> c & 1) * one.pairs());
        Ok(())
    })?;
    let strata_of = |c: usize| -> Vec<PlannedStratum> {
        let one = |((_, name), count): (&(u32, String), &Vec<u64>)| PlannedStratum {
            name: name.clone(),
            pairs: count[0],
            found: count[c + 1],
        };
        counts.iter().map(one).collect()
    };
    Ok((0..order.configurations.len()).map(strata_of).collect())
}

/// The documents with a pair.
fn expected_documents(study: &Snapshot, order: &PlanOptions) -> Result<PlannedDocuments, StudyError> {
    let framing = Framing::new(study, &order.draw())?;
    let (mut last, mut pairs, mut all, mut several) = (String::new(), 0u64, 0, 0);
    framing.each_inside(&OneByOne::NONE, |one| {
        if one.pair.source != last || pairs == 0 {
            (all, pairs) = (all + one.documents, 0);
            last = one.pair.source.to_owned();
        }
        several += if pairs < 2 && pairs + one.each >= 2 { one.documents } else { 0 };
        pairs += one.each;
        Ok(())
    })?;
    Ok(PlannedDocuments { all, several })
}

fn planned_difference(study: &Snapshot, order: &PlanOptions) -> Result<Option<PlannedDifference>, StudyError> {
    let Some((names, difference, power)) = &order.compare else { return Ok(None) };
    let place = |name: &String| order.configurations.iter().position(|known| known == name);
    let [Some(a), Some(b)] = [place(&names[0]), place(&names[1])] else {
        let why = format!("{} and {} must be among the configurations of --configuration", names[0], names[1]);
        return Err(StudyError::Sample { why });
    };
    let framing = Framing::new(study, &order.draw())?;
    let mut pairs = PlannedComparison { both: 0, first: 0, second: 0, pairs: 0 };
    framing.each_inside(&OneByOne::NONE, |one| {
        let asked = framing.asked(one.found);
        pairs.pairs += one.pairs();
        match (asked >> a & 1, asked >> b & 1) {
            (1, 1) => pairs.both += one.pairs(),
            (1, 0) => pairs.first += one.pairs(),
            (0, 1) => pairs.second += one.pairs(),
            _ => {}
        }
        Ok(())
    })?;
    let needed = pairs.needed(order.expect, *difference, *power, CONFIDENCE);
    let (difference, power) = (*difference, *power);
    Ok(Some(PlannedDifference { configurations: names.clone(), pairs, difference, power, needed }))
}

/// What a design of pairs is called: `simple`, `by jaccard, equal`.
fn design_name(by: StratifyBy, allocation: Allocation) -> String {
    match (by, allocation) {
        (StratifyBy::None, _) => "simple".to_owned(),
        (by, Allocation::Proportional) => format!("by {}", by.name()),
        (by, Allocation::Equal) => format!("by {}, equal", by.name()),
    }
}

impl PlanOptions {
    /// The designs of pairs that are planned: the one asked for, else those that are usual.
    fn pair_designs(&self) -> Vec<(StratifyBy, Vec<f64>, Allocation)> {
        match &self.design {
            None => DESIGNS.into_iter().map(|(by, allocation)| (by, Vec::new(), allocation)).collect(),
            Some(PlannedDesign::Pairs(by, bounds, allocation)) => vec![(*by, bounds.clone(), *allocation)],
            Some(PlannedDesign::Documents) => Vec::new(),
        }
    }

    /// The configuration of which a sample of documents is planned.
    fn document_design(&self) -> Result<Option<&String>, StudyError> {
        match (&self.design, &self.configurations[..]) {
            (None | Some(PlannedDesign::Documents), [one]) => Ok(Some(one)),
            (Some(PlannedDesign::Documents), _) => {
                let why = "--documents is planned for one configuration at a time; name one with --configuration";
                Err(StudyError::Sample { why: why.to_owned() })
            }
            _ => Ok(None),
        }
    }

    fn draw(&self) -> SampleDraw {
        let first = self.configurations.first().map_or("", String::as_str);
        SampleDraw { configurations: self.configurations.clone(), ..SampleDraw::simple("plan", first) }
    }
}

/// The rows of a design and a configuration: for the worst case, and for the share that is expected.
fn planned_rows<'a>(
    order: &'a PlanOptions,
    design: &'a str,
    configuration: &'a str,
    pairs: u64,
    most: u64,
    width: &'a dyn Fn(u64, f64) -> f64,
) -> impl Iterator<Item = PlannedRow> + 'a {
    let shares = if order.expect == 0.5 { vec![0.5] } else { vec![0.5, order.expect] };
    shares.into_iter().map(move |share| PlannedRow {
        design: design.to_owned(),
        configuration: configuration.to_owned(),
        pairs,
        share,
        half_width: width(order.size.min(most), share),
        needed: order.wanted.iter().map(|wanted| needed(most, *wanted, |n| width(n, share))).collect(),
    })
}
