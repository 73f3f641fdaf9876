//! Who labelled it, how, and how far they agree.

use super::words::{counted, list, number, seconds, sentence, share, verb};
use super::{Account, GivenLabel};
use dejaview_evaluation::agreement::SelfAgreement;

/// With fewer pairs in common Fleiss' kappa says nothing.
const FEW: u64 = 10;

impl Account<'_> {
    /// Annotators, blindness, order of sides, time, and what is left.
    pub(super) fn labelled(&self) -> Vec<String> {
        let p = self.paragraph;
        let (seen, size) = (p.estimates.with_label(), p.estimates.size);
        let annotators = p.agreement.annotators.len() as u64;
        let who = match annotators {
            0 => "adjudicators".to_owned(),
            1 => counted(1, "annotator"),
            several => format!("{} together", counted(several, "annotator")),
        };
        let what = match size - seen.min(size) {
            0 if size == 1 => "the pair".to_owned(),
            0 => format!("all {} pairs", number(size)),
            _ => format!("{} of the {} pairs", number(seen), number(size)),
        };
        let mut sentences =
            vec![sentence(&format!("{who} labelled {what} as near-duplicate, not a near-duplicate, or unsure"))];
        sentences.extend(self.shared());
        sentences.extend(self.blind());
        sentences.extend(self.pace());
        sentences.extend(self.waiting().or_else(|| self.gaps()));
        sentences
    }

    /// How the sample was shared out.
    fn shared(&self) -> Option<String> {
        let (annotators, overlap) = (self.sample.annotators().len() as u64, self.sample.overlap() as u64);
        (annotators > 0).then(|| {
            let all = if annotators == 2 { "both" } else { "all" };
            let pairs = counted(overlap, "pair");
            sentence(&format!(
                "the pairs were shared out at random: {pairs} {} assigned to {all} of the {} annotators, every other pair to \
                 one of them",
                verb(overlap, "was", "were"),
                number(annotators)
            ))
        })
    }

    /// Whether scores were hidden, and in what order documents were shown, as far as every label says so.
    fn blind(&self) -> Vec<String> {
        let every = |holds: fn(&GivenLabel) -> bool| !self.given.is_empty() && self.given.iter().all(holds);
        let (all, saw) = (self.given.len() as u64, self.paragraph.peeked);
        let (labels, were) = (counted(saw, "label"), verb(saw, "was", "were"));
        let mut sentences = Vec::new();
        if every(|given| given.saw_scores.is_some()) && saw < all {
            let except = if saw == 0 {
                String::new()
            } else {
                format!(", except for {labels} that {were} given with them in view")
            };
            sentences.push(sentence(&format!(
                "similarity scores and the configurations that had found a pair were hidden until it was decided{except}"
            )));
        } else if saw > 0 {
            sentences.push(sentence(&format!("the similarity scores were in view when {labels} {were} given")));
        }
        if every(|given| given.shuffled) {
            sentences.push(sentence("the two documents of a pair were shown side by side in random order"));
        }
        sentences
    }

    fn pace(&self) -> Option<String> {
        let time = seconds(self.paragraph.seconds?);
        Some(sentence(&format!("the median time per decision was {time} seconds")))
    }

    /// Where pairs came with a later draw: nothing is said of the others before these have a label.
    fn waiting(&self) -> Option<String> {
        let e = &self.paragraph.estimates;
        (e.waiting > 0).then(|| {
            let (more, have) = (number(e.waiting), verb(e.waiting, "has", "have"));
            sentence(&format!(
                "the sample was drawn anew or extended after labelling had begun, and no estimate is made until {more} more of \
                 its pairs {have} a label"
            ))
        })
    }

    /// A beginning of the random order is a random sample; with gaps it need not be.
    fn gaps(&self) -> Option<String> {
        let p = self.paragraph;
        let left = p.estimates.size.saturating_sub(p.estimates.with_label());
        match (left, p.estimates.gaps) {
            (0, _) => None,
            (_, 0) => Some(sentence(
                "since pairs were labelled in random order, those that have a label are a random sample themselves",
            )),
            (_, gaps) => Some(sentence(&format!(
                "of the pairs before the last labelled one, {} {} passed over; the estimates assume that this did not \
                 depend on what their label would have been",
                number(gaps),
                verb(gaps, "was", "were")
            ))),
        }
    }

    /// Overlap and agreement, and what was settled.
    pub(super) fn agreed(&self) -> Vec<String> {
        let p = self.paragraph;
        let (mut sentences, a, pool) = (Vec::new(), &p.agreement, &p.agreement.pool);
        if a.annotators.len() > 1 && pool.pairs > 0 {
            let who = match a.annotators.len() as u64 {
                2 => "both annotators".to_owned(),
                n if pool.fleiss_pairs == pool.pairs => format!("all {} annotators", number(n)),
                _ => "at least two annotators".to_owned(),
            };
            let alike = match pool.unanimous {
                n if n == pool.pairs && n == 1 => "it".to_owned(),
                n if n == pool.pairs => "all of them".to_owned(),
                0 => "none of them".to_owned(),
                n => format!("{} of them", number(n)),
            };
            let pairs = match (pool.pairs == p.estimates.size, &a.audit) {
                (true, _) => "every pair".to_owned(),
                (false, Some(_)) => format!("{} that some configuration found", counted(pool.pairs, "pair")),
                (false, None) => counted(pool.pairs, "pair"),
            };
            let coefficients = self.coefficients();
            sentences
                .push(sentence(&format!("{who} labelled {pairs} and gave the same label to {alike}{coefficients}")));
        }
        sentences.extend(a.repeats.iter().map(steadiness));
        if p.adjudicated > 0 {
            sentences.push(sentence(&format!("adjudication settled {}", counted(p.adjudicated, "pair"))));
        }
        sentences
    }

    fn coefficients(&self) -> String {
        let (a, pool) = (&self.paragraph.agreement, &self.paragraph.agreement.pool);
        let alpha = pool.alpha.map(|alpha| format!("Krippendorff's α = {}", share(alpha)));
        let kappa = match &a.cohen[..] {
            [two] => two.kappa.map(|kappa| format!("Cohen's κ = {}", share(kappa))),
            _ => pool.fleiss.filter(|_| pool.fleiss_pairs >= FEW).map(|kappa| {
                format!(
                    "Fleiss' κ = {} on the {} that all of them labelled",
                    share(kappa),
                    counted(pool.fleiss_pairs, "pair")
                )
            }),
        };
        let ac1 = pool.ac1.map(|ac1| format!("Gwet's AC1 = {}", share(ac1)));
        let both: Vec<String> = [alpha, kappa, ac1].into_iter().flatten().collect();
        match both.is_empty() {
            true => String::new(),
            false => format!(" ({}, with 95 % intervals over pairs)", list(&both, "and")),
        }
    }
}

/// How often an annotator decided alike when a pair came again.
fn steadiness(again: &SelfAgreement) -> String {
    let (n, same, who) = (again.pairs, again.same, &again.annotator);
    if n == 1 {
        let not = if same == 1 { "" } else { "not " };
        return sentence(&format!("the one pair shown to {who} again without notice was {not}given the same label"));
    }
    let (n, all, were) = (number(n), number(same), verb(same, "was", "were"));
    sentence(&format!("of the {n} pairs shown to {who} again without notice, {all} {were} given the same label"))
}
