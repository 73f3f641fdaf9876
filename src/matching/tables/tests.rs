//! Tables against comparing everyone with everyone.

use super::*;
use dejaview_base::hash::widen;
use proptest::prelude::*;

const WORKED: [u64; 8] =
    [0b1010_1010, 0b1111_1010, 0b1010_1011, 0b1010_0000, 0b1001_1100, 0b0001_0110, 0b1111_0000, 0b0001_1100];

fn worked() -> Tables {
    let sketches: Vec<(GroupNumber, &[u64])> =
        WORKED.iter().enumerate().map(|(i, f)| (GroupNumber::at(i + 1), std::slice::from_ref(f))).collect();
    Tables::new(&Layout::new(8, 2, 4).unwrap(), &sketches)
}

#[test]
fn the_worked_example_has_its_six_tables() {
    let expected: [&[(u64, &[u32])]; 6] = [
        &[(0b0001, &[6, 8]), (0b1001, &[5]), (0b1010, &[1, 3, 4]), (0b1111, &[2, 7])],
        &[
            (0b0001, &[6]),
            (0b0011, &[8]),
            (0b1000, &[4]),
            (0b1010, &[1, 3]),
            (0b1011, &[5]),
            (0b1100, &[7]),
            (0b1110, &[2]),
        ],
        &[
            (0b0000, &[8]),
            (0b0010, &[6]),
            (0b1000, &[4, 5]),
            (0b1010, &[1]),
            (0b1011, &[3]),
            (0b1100, &[7]),
            (0b1110, &[2]),
        ],
        &[(0b0101, &[6]), (0b0111, &[5, 8]), (0b1000, &[4]), (0b1010, &[1, 3]), (0b1100, &[7]), (0b1110, &[2])],
        &[
            (0b0100, &[5, 8]),
            (0b0110, &[6]),
            (0b1000, &[4]),
            (0b1010, &[1]),
            (0b1011, &[3]),
            (0b1100, &[7]),
            (0b1110, &[2]),
        ],
        &[(0b0000, &[4, 7]), (0b0110, &[6]), (0b1010, &[1, 2]), (0b1011, &[3]), (0b1100, &[5, 8])],
    ];
    let found = worked().buckets();
    assert_eq!(found.len(), 6);
    for (table, (found, expected)) in found.iter().zip(expected).enumerate() {
        let numbers = |groups: &[u32]| groups.iter().copied().map(GroupNumber::from).collect();
        let expected: Vec<(u64, Vec<GroupNumber>)> = expected.iter().map(|(k, g)| (*k, numbers(g))).collect();
        assert_eq!(found, &expected, "table {}", table + 1);
    }
}

#[test]
fn the_worked_query_meets_three_and_finds_one() {
    let tables = worked();
    let query = [0b1000_0000u64];
    let mut met: Vec<GroupNumber> = tables
        .layout
        .tables()
        .iter()
        .zip(tables.buckets())
        .flat_map(|(table, buckets)| {
            buckets.into_iter().filter(|(key, _)| *key == table.key(&query)).flat_map(|(_, d)| d).collect::<Vec<_>>()
        })
        .collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met, [4, 5, 7].map(GroupNumber::from));
    let mut found = Vec::new();
    tables.probe(&query, &mut found);
    assert_eq!(found, [Near { group: GroupNumber::from(4), distance: 1 }]);
}

fn brute(side: &[Vec<u64>], query: &[u64], most: u16) -> Vec<Near> {
    side.iter()
        .enumerate()
        .map(|(i, other)| Near { group: GroupNumber::at(i), distance: Layout::hamming(query, other) as u16 })
        .filter(|near| near.distance <= most)
        .collect()
}

/// Fingerprints in clusters, so that there is something to find at every distance.
fn side(layout: &Layout, seed: u64, count: u64) -> Vec<Vec<u64>> {
    let words = layout.words() as u64;
    (0..count)
        .map(|i| {
            let mut fingerprint: Vec<u64> = (0..words).map(|j| widen(seed ^ (i % 7), j)).collect();
            for flip in 0..i % 9 {
                let bit = fmix64(seed ^ (i << 8) ^ flip) as usize % layout.bits();
                fingerprint[bit / 64] ^= 1 << (bit % 64);
            }
            let last = layout.bits() % 64;
            if last != 0 {
                fingerprint[words as usize - 1] &= !0 >> (64 - last);
            }
            fingerprint
        })
        .collect()
}

fn check(layout: &Layout, seed: u64) -> Result<(), TestCaseError> {
    let indexed = side(layout, seed, 120);
    let sketches: Vec<(GroupNumber, &[u64])> =
        indexed.iter().enumerate().map(|(i, f)| (GroupNumber::at(i), &f[..])).collect();
    let tables = Tables::new(layout, &sketches);
    for query in side(layout, seed ^ 1, 20).iter().chain(&indexed) {
        let mut found = Vec::new();
        tables.probe(query, &mut found);
        if let [one] = query[..] {
            let mut plainly = Vec::new();
            tables.probe_one(one, &mut plainly);
            prop_assert_eq!(&plainly, &found, "with and without what the processor has beyond others");
        }
        found.sort_unstable();
        prop_assert_eq!(found, brute(&indexed, query, layout.distance()));
    }
    Ok(())
}

/// With some keys capped, what shares none but capped keys is not found unless it is equal.
fn check_capped(layout: &Layout, seed: u64) -> Result<(), TestCaseError> {
    let indexed = side(layout, seed, 120);
    let sketches: Vec<(GroupNumber, &[u64])> =
        indexed.iter().enumerate().map(|(i, f)| (GroupNumber::at(i), &f[..])).collect();
    let keys =
        |f: &[u64]| -> Vec<(u32, u64)> { (0..).zip(layout.tables()).map(|(i, table)| (i, table.key(f))).collect() };
    let capped: HashSet<(u32, u64)> = indexed.iter().step_by(3).flat_map(|f| keys(f)).collect();
    let tables = Tables::with_capped(layout, &sketches, capped.clone());
    for query in side(layout, seed ^ 1, 20).iter().chain(&indexed) {
        let mut found = Vec::new();
        tables.probe(query, &mut found);
        found.sort_unstable();
        let mut expected = brute(&indexed, query, layout.distance());
        expected.retain(|near| {
            let other = keys(&indexed[near.group.index()]);
            near.distance == 0 || keys(query).iter().any(|key| other.contains(key) && !capped.contains(key))
        });
        prop_assert_eq!(found, expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]
    #[test]
    fn search_equals_brute_force(bits in 8usize..=512, k in 0u16..7, more in 1usize..4, seed in any::<u64>()) {
        if let Ok(layout) = Layout::new(bits, k, usize::from(k) + more) {
            check(&layout, seed)?;
            check_capped(&layout, seed)?;
        }
    }

    #[test]
    fn two_levels_equal_brute_force(bits in 24usize..=128, k in 0u16..5, seed in any::<u64>()) {
        if let Ok(layout) = Layout::two_level(bits, k) {
            check(&layout, seed)?;
        }
    }
}

proptest! {
    #[test]
    fn folding_brings_no_two_apart(a in any::<u64>(), flips in proptest::collection::vec(0..64u32, 0..9)) {
        let b = flips.iter().fold(a, |b, flip| b ^ (1 << flip));
        let (whole, folded) = ((a ^ b).count_ones(), fold(a) ^ fold(b));
        prop_assert!(folded.count_ones() <= whole);
        prop_assert_eq!(beyond::<3>(folded) == 0, folded.count_ones() <= 3);
    }
}

#[test]
fn an_empty_side_finds_nothing() {
    let tables = Tables::new(&Layout::new(64, 3, 4).unwrap(), &[]);
    let mut found = Vec::new();
    tables.probe(&[7], &mut found);
    assert!(found.is_empty());
}
