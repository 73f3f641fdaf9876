//! Divides labels into folds so that what belongs together is never on both sides.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dejaview_base::hash;
use dejaview_base::random::mix;

/// The fold of each example, given its group and label. Groups stay whole; they are dealt out one by one, the largest first,
/// each to the fold that has the fewest labels of the kind that the group has most of.
pub(super) fn folds(groups: &[&str], labels: &[bool], count: usize, seed: u64) -> Vec<usize> {
    let mut sizes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (group, label) in groups.iter().zip(labels) {
        sizes.entry(group).or_default()[usize::from(*label)] += 1;
    }
    let mut order: Vec<(&str, [usize; 2])> = sizes.into_iter().collect();
    order.sort_by_key(|(group, [no, yes])| (Reverse(no + yes), mix(seed, hash::token(group.as_bytes())), *group));
    let mut filled = vec![[0usize; 2]; count.max(1)];
    let mut fold_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (group, [no, yes]) in order {
        let most = usize::from(yes > no);
        let load = |fold: &usize| (filled[*fold][most], filled[*fold][0] + filled[*fold][1], *fold);
        let fold = (0..filled.len()).min_by_key(load).unwrap_or_default();
        filled[fold][0] += no;
        filled[fold][1] += yes;
        fold_of.insert(group, fold);
    }
    groups.iter().map(|group| fold_of[group]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stay_whole_and_folds_are_alike() {
        let names: Vec<String> = (0..200).map(|i| format!("g{}", i % 67)).collect();
        let groups: Vec<&str> = names.iter().map(String::as_str).collect();
        let labels: Vec<bool> = (0..200).map(|i| (i % 67) % 3 == 0).collect();
        let found = folds(&groups, &labels, 5, 1);
        for (i, a) in groups.iter().enumerate() {
            for (j, b) in groups.iter().enumerate() {
                assert!(a != b || found[i] == found[j]);
            }
        }
        for fold in 0..5 {
            let yes = (0..200).filter(|i| found[*i] == fold && labels[*i]).count();
            let all = found.iter().filter(|f| **f == fold).count();
            assert!((10..=18).contains(&yes) && (34..=46).contains(&all), "{yes} of {all}");
        }
        assert_eq!(found, folds(&groups, &labels, 5, 1));
        assert_ne!(found, folds(&groups, &labels, 5, 2));
    }
}
