//! What the labels say: unsure and disputed pairs, precision and recall with their intervals.

use super::words::{counted, list, number, sentence, share, verb};
use super::{Account, DisputedBy};
use dejaview_base::interval::Interval;
use dejaview_evaluation::estimates::{Estimate, Unit, Unsure};
use dejaview_evaluation::sample::Design;

impl Account<'_> {
    /// Unsure labels, pairs in doubt, then the estimates, unless they wait for more labels.
    pub(super) fn found(&self) -> Vec<String> {
        let mut sentences = vec![self.unsure()];
        if self.paragraph.estimates.waiting > 0 {
            return sentences;
        }
        sentences.extend(self.in_doubt());
        sentences.extend(self.carried());
        sentences.extend(self.precisions());
        sentences.extend(self.recall(
            "recall, the share of all near-duplicate pairs including those that no configuration found",
            |c| c.recall.all,
        ));
        sentences.extend(self.far());
        sentences.extend(self.recall(
            "recall within the pool, the share of the near-duplicate pairs that any of these configurations found",
            |c| if c.recall.all.is_some() { None } else { c.recall.pool },
        ));
        sentences
    }

    /// How many labels were unsure.
    fn unsure(&self) -> String {
        let n = self.paragraph.unsure_labels;
        match (self.given.len() as u64, n) {
            (_, 0) => sentence("no label was unsure"),
            (1, _) => sentence("the only label was unsure"),
            (all, n) => {
                let (all, unsure, were) = (number(all), number(n), verb(n, "was", "were"));
                sentence(&format!("of the {all} labels, {unsure} {were} unsure"))
            }
        }
    }

    /// What becomes of pairs whose final label is unsure, or that are disputed.
    fn in_doubt(&self) -> Option<String> {
        let e = &self.paragraph.estimates;
        let DisputedBy { annotators, outside, adjudicators } = self.paragraph.disputed;
        let kinds = [
            (e.unsure, "pair", "finally labelled unsure"),
            (annotators, "disputed pair", "on which the annotators differ"),
            (outside, "disputed pair", "on which labels given outside the sample differ from those given in it"),
            (adjudicators, "disputed pair", "on which adjudicators differ"),
        ];
        let which: Vec<String> = kinds
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, pair, how)| format!("{} {how}", counted(n, pair)))
            .collect();
        let n = e.unsure + e.disputed;
        if n == 0 {
            return None;
        }
        let which = list(&which, "and");
        let become_of = match e.unsure_as {
            Unsure::Out => verb(n, "is left out of the estimates", "are left out of the estimates"),
            Unsure::Yes => verb(n, "counts as a near-duplicate", "count as near-duplicates"),
            Unsure::No => verb(n, "does not count as a near-duplicate", "do not count as near-duplicates"),
        };
        Some(sentence(&format!("{which} {become_of}")))
    }

    /// The share of true pairs among those that a transfer takes.
    fn carried(&self) -> Option<String> {
        self.sample.transfer.as_ref()?;
        let share = share(self.paragraph.estimates.strata.first()?.share?);
        Some(sentence(&format!(
            "the share of near-duplicates among the transferred pairs, with an exact 95 % interval for the finite \
             population, is {share}"
        )))
    }

    /// The sentence on precision.
    fn precisions(&self) -> Option<String> {
        let configurations = &self.paragraph.estimates.configurations;
        let unit_of = |c: &Estimate| c.precision.as_ref().map(|precision| precision.unit);
        // Of a sample of documents the share of these is what it was drawn for; shares of pairs would need a sentence of their own.
        let documents = configurations.iter().any(|c| unit_of(c) == Some(Unit::Documents));
        let unit = if documents { Unit::Documents } else { Unit::Pairs };
        let told = configurations.iter().filter(|c| unit_of(c) == Some(unit));
        let each: Vec<String> = told.filter_map(|c| self.precision(c)).collect();
        let intervals =
            if each.len() == 1 { "a 95 % Clopper–Pearson interval" } else { "95 % Clopper–Pearson intervals" };
        let what = match (unit, &self.sample.design) {
            (Unit::Documents, _) => {
                "precision by document, the share of source documents whose pair is a near-duplicate,"
            }
            (_, Design::Simple | Design::Stratified | Design::Imported) if self.sample.strata.len() == 1 => {
                "precision,"
            }
            (_, Design::Simple | Design::Stratified | Design::Imported) => "precision, weighted by stratum and",
            _ => "precision, weighted by inverse inclusion probability and",
        };
        let size = "at the effective sample size, corrected for the finite population";
        (!each.is_empty()).then(|| sentence(&format!("{what} with {intervals} {size}, is {}", list(&each, "and"))))
    }

    /// `0.950 [0.888, 0.978] for simhash-2`.
    fn precision(&self, c: &Estimate) -> Option<String> {
        let e = &self.paragraph.estimates;
        let precision = share(c.precision.as_ref()?.headline?);
        let range = match (e.unsure + e.disputed, c.by_unsure) {
            (0, _) => String::new(),
            (_, [_, Some(yes), Some(no)]) if no.value < yes.value => {
                format!(" (between {:.3} and {:.3}, depending on how pairs in doubt count)", no.value, yes.value)
            }
            _ => String::new(),
        };
        Some(format!("{precision} for {}{range}", c.name))
    }

    /// What recall of all takes for granted.
    fn far(&self) -> Option<String> {
        let configurations = &self.paragraph.estimates.configurations;
        let far = configurations.iter().find_map(|c| c.recall.all.and(c.recall.assumes))?;
        let (pairs, labelled) = (counted(far.pairs, "pair"), counted(far.labelled, "labelled pair"));
        let is = verb(far.labelled, "is not a near-duplicate", "are not near-duplicates");
        Some(sentence(&format!(
            "this assumes that the {pairs} of the remotest strata (found by no configuration, or only by ones that find many for \
             each document), whose {labelled} {is}, hold no near-duplicate"
        )))
    }

    /// The sentence on one kind of recall.
    fn recall(&self, what: &str, recall: impl Fn(&Estimate) -> Option<Interval>) -> Option<String> {
        let configurations = self.paragraph.estimates.configurations.iter();
        let each: Vec<String> =
            configurations.filter_map(|c| Some(format!("{} for {}", share(recall(c)?), c.name))).collect();
        let intervals = if each.len() == 1 { "a 95 % MOVER interval" } else { "95 % MOVER intervals" };
        (!each.is_empty()).then(|| sentence(&format!("{what}, with {intervals}, is {}", list(&each, "and"))))
    }
}
