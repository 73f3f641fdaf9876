use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use dejaview_corpus::qrels::{QrelsFile, read};

/// Judgments from lines of qrels.
fn judgments(lines: &str) -> Judgments {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.qrels");
    std::fs::write(&path, lines).unwrap();
    read(&[QrelsFile { path, track: None }]).unwrap()
}

fn link(source: u32, target: u32, score: f64, rank: u64) -> Fan {
    fan(source, &[(target, 0)], score, rank)
}

fn fan(source: u32, targets: &[(u32, u64)], score: f64, rank: u64) -> Fan {
    let label = Labelled::Nobody;
    Fan { source, targets: targets.into(), score: Some(score), accepted_by: Some(score), rank, label }
}

/// Of links one by one, and of the same with many targets at once.
#[test]
fn fans_carry_what_their_links_carry() {
    let judgments = judgments("1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 1\n1 0 c 0\n");
    let alike: Arc<[(u32, u64)]> = [(10, 0), (11, 2), (13, 3)].into();
    let mut fans = vec![fan(2, &[(10, 0), (12, 1)], 0.8, 20), fan(0, &[(12, 0)], 0.9, 1)];
    fans.extend([0, 1].map(|source| Fan { targets: alike.clone(), ..fan(source, &[], 0.9, 10 * u64::from(source)) }));
    let single: Vec<Fan> = fans
        .iter()
        .flat_map(|of| of.targets.iter().map(|(target, above)| fan(of.source, &[(*target, 0)], 0.0, of.rank + above)))
        .zip(fans.iter().flat_map(|of| vec![of.score; of.targets.len()]))
        .map(|(fan, score)| Fan { score, ..fan })
        .collect();
    for &policy in Policy::ALL {
        let [one, other] =
            [&fans, &single].map(|fans| transfer(&judgments, fans, &HashMap::new(), policy, Accept::All));
        assert_eq!((one.entries, one.qrels, &one.conflicts), (other.entries, other.qrels, &other.conflicts));
        assert_eq!((one.unused, one.first_not_best, one.fan_out), (other.unused, other.first_not_best, other.fan_out));
        assert_eq!(one.conflicts.len(), 4, "of topic 1, at every target");
    }
}

/// Topic, target, grade as written.
fn lines(judgments: &Judgments, outcome: &Outcome) -> Vec<(String, u32, String)> {
    let line = |c: &Carried| {
        let topic = judgments.topics()[c.topic as usize].number.clone();
        (topic, c.target, judgments.grades()[c.grade as usize].clone())
    };
    outcome.qrels.iter().map(line).collect()
}

fn expected(lines: &[(&str, u32, &str)]) -> Vec<(String, u32, String)> {
    lines.iter().map(|(topic, target, grade)| ((*topic).to_owned(), *target, (*grade).to_owned())).collect()
}

#[test]
fn each_policy_takes_what_it_says() {
    let judgments = judgments("1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 1\n");
    // a has two targets, the second better; b shares the first of them; c has none.
    let links = [link(0, 10, 0.7, 1), link(0, 11, 0.9, 2), link(1, 10, 0.8, 3)];
    let of = |policy| transfer(&judgments, &links, &HashMap::new(), policy, Accept::All);
    let best = of(Policy::Best);
    assert_eq!(lines(&judgments, &best), expected(&[("1", 10, "0"), ("1", 11, "2"), ("2", 11, "1")]));
    assert_eq!((best.transferred, best.first_not_best, best.unused, best.conflicts.len()), (3, 2, 1, 1));
    assert_eq!(best.left_behind, BTreeMap::from([("no pair", 1)]));
    assert_eq!((best.fan_out.max, best.fan_out.mean, best.widest), (2, 1.5, Some(0)));
    let first = of(Policy::First);
    // Both judgments of topic 1 go to target 10, and that of the better pair stands.
    assert_eq!(lines(&judgments, &first), expected(&[("1", 10, "0"), ("2", 10, "1")]));
    assert_eq!(first.entries.iter().filter(|e| e.status == Status::Overruled).count(), 1);
    let all = of(Policy::All);
    assert_eq!((all.qrels.len(), all.unused, all.entries.len()), (4, 0, 6), "five links of judgments and one left");
}

#[test]
fn a_vote_follows_the_many_and_a_tie_the_best_pair() {
    let judgments = judgments("1 0 a 2\n1 0 b 0\n1 0 c 0\n");
    let links = [link(0, 10, 1.0, 1), link(1, 10, 0.8, 2), link(2, 10, 0.8, 3)];
    let vote = transfer(&judgments, &links, &HashMap::new(), Policy::Vote, Accept::All);
    assert_eq!(lines(&judgments, &vote), expected(&[("1", 10, "0")]));
    let statuses: Vec<Status> = vote.entries.iter().map(|e| e.status).collect();
    assert_eq!(statuses, [Status::Overruled, Status::Carried, Status::Same]);
    let tie = transfer(&judgments, &links[..2], &HashMap::new(), Policy::Vote, Accept::All);
    assert_eq!(lines(&judgments, &tie), expected(&[("1", 10, "2")]));
}

/// A grade counts by its value, however it is written, and a judgment that is repeated counts once.
#[test]
fn a_vote_counts_documents_by_the_value_of_their_grades() {
    let links = [link(0, 10, 0.9, 1), link(1, 10, 0.8, 2), link(2, 10, 0.7, 3), link(3, 10, 0.95, 4)];
    let vote = |text: &str| {
        let judgments = judgments(text);
        let vote = transfer(&judgments, &links, &HashMap::new(), Policy::Vote, Accept::All);
        (lines(&judgments, &vote), vote.conflicts.len())
    };
    let written = vote("1 0 a 1\n1 0 b 01\n1 0 c +1\n1 0 d 0\n");
    assert_eq!(written, (expected(&[("1", 10, "1")]), 1), "three of four, by the best of their pairs");
    assert_eq!(vote("1 0 a 1\n1 0 b 01\n1 0 c 1.0\n1 0 d +1\n").1, 0, "all say the same");
    let once = vote("1 0 a 0\n1 0 b 1\n1 0 c 0\n");
    assert_eq!(vote("1 0 a 0\n1 0 b 1\n1 0 c 0\n1 0 b 1\n1 0 b 1\n"), once);
    assert_eq!(once.0, expected(&[("1", 10, "0")]));
}

#[test]
fn the_best_pair_breaks_a_tie_among_the_grades_that_tie() {
    let judgments = judgments("1 0 a 1\n1 0 b 1\n1 0 c 2\n1 0 d 2\n1 0 e 0\n");
    let links =
        [link(0, 10, 0.5, 1), link(1, 10, 0.6, 2), link(2, 10, 0.8, 3), link(3, 10, 0.7, 4), link(4, 10, 1.0, 5)];
    let vote = transfer(&judgments, &links, &HashMap::new(), Policy::Vote, Accept::All);
    assert_eq!(lines(&judgments, &vote), expected(&[("1", 10, "2")]), "the one that has grade 0 is alone");
    let why: Vec<(Status, &str)> = vote.entries.iter().map(|entry| (entry.status, entry.why)).collect();
    let tied = (Status::Overruled, "as many judged documents have another grade, one of them by a better pair");
    let expected = [
        tied,
        tied,
        (Status::Carried, "the best pair of the grades that tie for most judged documents"),
        (Status::Same, "another judgment of this topic and target has the same grade"),
        (Status::Overruled, "more judged documents of this topic and target have another grade"),
    ];
    assert_eq!(why, expected);
}

#[test]
fn labels_and_thresholds_refuse() {
    let judgments = judgments("1 0 a 2\n1 0 b 0\n1 0 c 0\n");
    let mut links = [link(0, 10, 0.9, 1), link(0, 11, 0.5, 2), link(1, 12, 0.5, 3)];
    links[0].label = Labelled::Not;
    links[2].label = Labelled::NearDuplicate;
    let of = |accept| transfer(&judgments, &links, &HashMap::new(), Policy::Best, accept);
    assert_eq!(
        lines(&judgments, &of(Accept::All)),
        expected(&[("1", 11, "2"), ("1", 12, "0")]),
        "never one labelled not"
    );
    assert_eq!(lines(&judgments, &of(Accept::Labels)), expected(&[("1", 12, "0")]));
    let least = of(Accept::Least(Measure::Score, 0.6));
    assert!(least.qrels.is_empty());
    assert_eq!(least.left_behind, BTreeMap::from([("below the threshold", 2), ("no pair", 1)]));
    // What ranks links need not be what they are accepted by.
    links[1].accepted_by = Some(0.7);
    let least = transfer(&judgments, &links, &HashMap::new(), Policy::Best, Accept::Least(Measure::Jaccard, 0.6));
    assert_eq!(lines(&judgments, &least), expected(&[("1", 11, "2")]));
}

#[test]
fn words_and_meanings() {
    for text in ["labels", "all", "jaccard:0.9", "s3:0.8", "edit:0.75", "score:12"] {
        assert_eq!(text.parse::<Accept>().unwrap().to_string(), text);
    }
    for text in ["", "jaccard", "jaccard:x", "luck:1", "score:inf"] {
        assert!(text.parse::<Accept>().is_err(), "{text}");
    }
    for &policy in Policy::ALL {
        assert_eq!(policy.name().parse(), Ok(policy));
    }
}

/// a, b and d stand in the target themselves, as 20, 21 and 23; c is judged and does not; 30 is nobody.
#[test]
fn the_judgments_of_a_target_itself_stand() {
    let judgments = judgments("1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n1 0 d 0\n");
    let own = HashMap::from([(0, 20), (1, 21), (3, 23)]);
    let links = [link(0, 21, 0.9, 1), link(0, 30, 0.8, 2), link(1, 20, 0.9, 3), link(2, 20, 0.9, 4)];
    let outcome = transfer(&judgments, &links, &own, Policy::Best, Accept::All);
    // Of topic 1 b is judged, so a is carried to 30; of topic 2 it is not.
    let own_lines = [("1", 20, "2"), ("1", 21, "0"), ("1", 23, "0"), ("2", 20, "1")];
    let carried = [("1", 30, "2"), ("2", 21, "1")];
    let mut all = own_lines.to_vec();
    all.extend(carried);
    all.sort_unstable();
    assert_eq!(lines(&judgments, &outcome), expected(&all));
    assert_eq!((outcome.own, outcome.transferred, outcome.standing()), (4, 2, 4));
    let left = BTreeMap::from([("judged already", 2), ("in the target itself", 1)]);
    assert_eq!(outcome.left_behind, left);
    // 20 is 2 itself, and 0 by b or 1 by c; 21 is 0 itself, and 2 by a.
    assert_eq!((outcome.conflicts.len(), outcome.against_own), (2, 2));
    let why: Vec<(&str, &str)> = outcome.entries.iter().map(|entry| (entry.status.name(), entry.why)).collect();
    assert!(why.contains(&("judged", "judged already")), "{why:?}");
}
