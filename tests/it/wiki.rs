//! An export of a wiki against a crawl, reproduced by one command: every count of its chapters computed again the slow way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::naive::{self, Document};
use crate::recrawl::{CONFIGURATIONS, show_all, trec_ids};
use crate::support::{Study, data, response};

/// An export with these titles and texts, as its public description has it
/// (<https://www.mediawiki.org/wiki/Help:Export>).
fn export(pages: &[(String, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = |(number, (title, text)): (usize, &(String, String))| {
        format!(
            "<page>\n<title>{}</title>\n<ns>0</ns>\n<id>{number}</id>\n<revision><id>{number}</id>\
             <timestamp>2012-01-01T00:00:00Z</timestamp><model>wikitext</model>\
             <text xml:space=\"preserve\">{}</text></revision>\n</page>\n",
            escaped(title),
            escaped(text)
        )
    };
    let pages: String = pages.iter().enumerate().map(page).collect();
    format!(
        "<mediawiki xml:lang=\"en\">\n<siteinfo><sitename>W</sitename><base>https://w.org/wiki/Main_Page</base></siteinfo>\n\
         {pages}</mediawiki>\n"
    )
}

fn text(seed: usize, changed: usize) -> String {
    let word = |i: usize| match i * 7 % 100 < changed {
        true => format!("other{seed}x{i}"),
        false => format!("word{}", (seed * 131 + i * 17) % 2_000),
    };
    (0..120).map(word).collect::<Vec<_>>().join(" ")
}

/// The rows of a table of the page, the head left out.
fn table(out: &Path, name: &str) -> Vec<Vec<String>> {
    table_with_head(out, name).split_off(1)
}

/// The cells of a row of a table by the names of their columns.
fn named_cells(out: &Path, name: &str, of: &str) -> BTreeMap<String, String> {
    let mut rows = table_with_head(out, name);
    let row = rows.iter().position(|row| row[0] == of).unwrap_or_else(|| panic!("no row {of}"));
    let cells = rows.swap_remove(row);
    rows.swap_remove(0).into_iter().zip(cells).collect()
}

fn table_with_head(out: &Path, name: &str) -> Vec<Vec<String>> {
    let path = out.join(format!("tables/{name}.csv"));
    let csv = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{name}: {why}"));
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                ',' => {}
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    csv.lines().map(cells).collect()
}

fn row<'a>(rows: &'a [Vec<String>], name: &str) -> &'a [String] {
    &rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no row {name}"))[1..]
}

fn numbers(cells: &[String]) -> Vec<u64> {
    cells.iter().map(|cell| cell.parse().unwrap_or_else(|_| panic!("{cell}"))).collect()
}

/// Both sides, each document with its fingerprints at every choice of n-grams.
struct Sides {
    source: Vec<(Document, Prints)>,
    /// With the number of the segment.
    target: Vec<(usize, Document, Prints)>,
}

type Prints = BTreeMap<&'static str, u64>;

/// The choices of chapter 3, by the names of its table; those of the study are among them.
const CHOICES: [(&str, &[usize]); 6] =
    [("1", &[1]), ("2", &[2]), ("3", &[3]), ("5", &[5]), ("2+3", &[2, 3]), ("3+5", &[3, 5])];

fn prints(document: &Document) -> Prints {
    let votes = [1, 2, 3, 5].map(|n| (n, naive::votes(&document.tokens, n)));
    let print = |(name, lengths): &(&'static str, &[usize])| {
        let chosen: Vec<_> = votes.iter().filter(|(n, _)| lengths.contains(n)).map(|(n, v)| (*n, v)).collect();
        Some((*name, naive::sketch(document.tokens.len(), &chosen)?))
    };
    CHOICES.iter().filter_map(print).collect()
}

fn words(document: &Document) -> BTreeMap<&str, f64> {
    let mut words = BTreeMap::new();
    document.tokens.iter().for_each(|token| *words.entry(token.as_str()).or_default() += 1.0);
    words
}

/// What the naive comparison says of a pair.
struct Compared {
    source: usize,
    segment: usize,
    jaccard: f64,
    cosine: f64,
    /// Differing bits by choice.
    bits: BTreeMap<&'static str, u32>,
}

fn compared(sides: &Sides) -> Vec<Compared> {
    let targets: Vec<_> = sides.target.iter().map(|(_, document, _)| words(document)).collect();
    let norm = |words: &BTreeMap<&str, f64>| words.values().map(|n| n * n).sum::<f64>().sqrt();
    let mut all = Vec::new();
    for (source, (document, mine)) in sides.source.iter().enumerate() {
        let a = words(document);
        for ((segment, _, theirs), b) in sides.target.iter().zip(&targets) {
            let common = a.keys().filter(|word| b.contains_key(*word)).count() as f64;
            let dot: f64 = a.iter().map(|(word, n)| n * b.get(word).copied().unwrap_or_default()).sum();
            let bits =
                mine.iter().filter_map(|(name, x)| Some((*name, (x ^ theirs.get(name)?).count_ones()))).collect();
            let jaccard = common / (a.len() as f64 + b.len() as f64 - common).max(1.0);
            let cosine = dot / (norm(&a) * norm(b)).max(1e-300);
            all.push(Compared { source, segment: *segment, jaccard, cosine, bits });
        }
    }
    all
}

fn tenth(value: f64) -> usize {
    (0..10).rev().find(|i| value >= *i as f64 / 10.0).unwrap_or_default()
}

/// Reproduces the study and holds chapters 3 and 5 against the naive comparison of everyone with everyone.
fn check(study: &Study, sides: &Sides, segments: usize) {
    let out = study.path("out");
    study.dejaview(["reproduce", "-o", out.to_str().unwrap()]).ok();
    let all = compared(sides);
    check_chapter_3(&out, &all);
    CONFIGURATIONS.iter().for_each(|(name, _)| check_chapter_5(&out, &all, name, segments));
    check_quality(&out, sides, &all);
    check_sizes(&out, sides, &all);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    let at = page.find("Not made").map(|at| &page[at.saturating_sub(200)..at + 200]);
    assert!(at.is_none(), "all chapters are made: {at:?}");
    // A wiki without judgments stands beside the study's second source.
    let judged = study.path("some.qrels").exists();
    assert_eq!(page.contains("section 5.2") && page.contains("3,318"), !judged);
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A share as tables have it: of nothing there is none.
fn cell(part: usize, whole: usize) -> String {
    if whole == 0 { String::new() } else { format!("{:.3}", share(part, whole)) }
}

fn near(pair: &Compared, choice: &str, k: u32) -> bool {
    pair.bits.get(choice).is_some_and(|bits| *bits <= k)
}

fn check_chapter_3(out: &Path, all: &[Compared]) {
    let alike = all.iter().filter(|pair| pair.jaccard >= 0.9).count();
    let rows = table(out, "chapter-3-simhash");
    let mut checked = 0;
    for row in rows.iter().filter(|row| CHOICES.iter().any(|(name, _)| *name == row[0])) {
        let k: u32 = row[1].parse().unwrap();
        let found: Vec<_> = all.iter().filter(|pair| near(pair, &row[0], k)).collect();
        let right = found.iter().filter(|pair| pair.jaccard >= 0.9).count();
        let expected = [cell(right, found.len()), cell(right, alike)];
        assert_eq!(numbers(&row[2..4]), [found.len() as u64, right as u64], "{row:?}");
        assert_eq!(row[4..6], expected, "{row:?}");
        checked += 1;
    }
    assert_eq!(checked, 48, "six choices at k = 1 to 8");
    let (precision, recall) = (table(out, "chapter-3-cosine-precision"), table(out, "chapter-3-cosine-recall"));
    assert_eq!((precision.len(), recall.len()), (11, 11));
    for (precision, recall) in precision.iter().zip(&recall) {
        let from: f64 = precision[0].parse().unwrap();
        let positive: Vec<_> = all.iter().filter(|pair| pair.cosine >= from - 1e-9).collect();
        assert_eq!((&precision[1], &recall[..2]), (&positive.len().to_string(), &precision[..2]));
        for (i, k) in [1, 3, 5].into_iter().enumerate() {
            let found = all.iter().filter(|pair| near(pair, "1", k)).count();
            let right = positive.iter().filter(|pair| near(pair, "1", k)).count();
            assert_eq!([&precision[2 + i], &recall[2 + i]], [&cell(right, found), &cell(right, positive.len())]);
        }
    }
}

fn check_chapter_5(out: &Path, all: &[Compared], name: &str, segments: usize) {
    let choice = name.strip_prefix("simhash-").unwrap();
    let found: Vec<&Compared> = all.iter().filter(|pair| near(pair, choice, 3)).collect();
    let in_segment = |segment: usize| found.iter().filter(move |pair| pair.segment == segment);
    let sources = |upto: usize| found.iter().filter(|p| p.segment <= upto).map(|p| p.source).collect::<BTreeSet<_>>();
    let pairs: Vec<u64> = (0..segments).map(|s| in_segment(s).count() as u64).collect();
    let own: Vec<u64> =
        (0..segments).map(|s| in_segment(s).map(|p| p.source).collect::<BTreeSet<_>>().len() as u64).collect();
    let accumulated: Vec<u64> = (0..segments).map(|s| sources(s).len() as u64).collect();
    let figure = |figure: &str| numbers(row(&table(out, &format!("chapter-5-{figure}")), name));
    assert_eq!(figure("pairs"), pairs, "{name}");
    assert_eq!(figure("found"), own, "{name}");
    assert_eq!(figure("accumulated"), accumulated, "{name}");
    let (mut each, mut best) = (vec![0u64; 10], vec![0u64; 10]);
    found.iter().for_each(|pair| each[tenth(pair.jaccard)] += 1);
    let mut tops: BTreeMap<usize, f64> = BTreeMap::new();
    for pair in &found {
        let top = tops.entry(pair.source).or_default();
        *top = top.max(pair.jaccard);
    }
    tops.values().for_each(|jaccard| best[tenth(*jaccard)] += 1);
    assert_eq!(figure("jaccard"), each, "{name}");
    assert_eq!(figure("best"), best, "{name}");
    let with_twin = tops.values().filter(|jaccard| **jaccard >= 0.9).count();
    let rows = table(out, "chapter-5-documents");
    assert_eq!(numbers(&row(&rows, name)[..2]), [tops.len() as u64, with_twin as u64], "{name}");
    let rows = table(out, "chapter-5-candidates-per-document");
    let mean = share(found.len(), tops.len());
    assert_eq!(row(&rows, name)[..3], [tops.len().to_string(), found.len().to_string(), format!("{mean:.1}")]);
}

/// The truth of the study of twelve methods: 2·M / (a + b) of at least 0.8, M the longest common subsequence of the
/// characters of both texts when stop words and words of three letters are gone.
fn alike_as_preprocessed(a: &Document, b: &Document) -> bool {
    let list = include_str!("../../assets/stop-words.tsv").lines().filter(|line| !line.starts_with('#'));
    let stop: BTreeSet<&str> = list.filter_map(|line| line.split('\t').nth(1)).collect();
    let [a, b] = [a, b].map(|document| {
        let content = document.tokens.iter().filter(|word| word.chars().count() > 3 && !stop.contains(word.as_str()));
        content.map(String::as_str).collect::<Vec<_>>().join(" ").chars().collect::<Vec<char>>()
    });
    let mut row = vec![0usize; b.len() + 1];
    for x in &a {
        let mut before = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { before + 1 } else { above.max(row[j]) };
            before = above;
        }
    }
    share(2 * row[b.len()], a.len() + b.len()) >= 0.8
}

/// The tables of the study of twelve methods: quality, Dice and unions, by the places of pairs among all.
fn check_quality(out: &Path, sides: &Sides, all: &[Compared]) {
    let found: BTreeMap<&str, BTreeSet<usize>> = CONFIGURATIONS
        .iter()
        .map(|(name, _)| {
            let choice = name.strip_prefix("simhash-").unwrap();
            (*name, (0..all.len()).filter(|i| near(&all[*i], choice, 3)).collect())
        })
        .collect();
    let pool: BTreeSet<usize> = found.values().flatten().copied().collect();
    let true_here = |i: &usize| {
        let (source, target) = (i / sides.target.len(), i % sides.target.len());
        alike_as_preprocessed(&sides.source[source].0, &sides.target[target].1)
    };
    let right: BTreeSet<usize> = pool.into_iter().filter(true_here).collect();
    for (name, own) in &found {
        let others: BTreeSet<usize> = found.iter().filter(|(n, _)| *n != name).flat_map(|(_, f)| f).copied().collect();
        let alone: Vec<usize> = own.difference(&others).copied().collect();
        let true_here = own.intersection(&right).count();
        let sources = own.iter().map(|i| all[*i].source).collect::<BTreeSet<_>>().len();
        let cells = named_cells(out, "yandex-quality", name);
        let alone_true = alone.iter().filter(|i| right.contains(i)).count();
        let counts = [own.len(), sources, alone.len(), alone_true].map(|count| count.to_string());
        assert_eq!(
            ["pairs", "sources", "found by it alone", "of these true"].map(|name| &cells[name]),
            counts.each_ref()
        );
        let expected =
            [cell(true_here, own.len()), cell(true_here, right.len()), cell(2 * true_here, own.len() + right.len())];
        assert_eq!(["precision", "recall", "F"].map(|name| &cells[name]), expected.each_ref(), "{name}");
    }
    let rows = table(out, "yandex-dice");
    for (name, own) in &found {
        let dice = found.values().map(|other| share(2 * own.intersection(other).count(), own.len() + other.len()));
        let mut cells: Vec<String> = row(&rows, name).to_vec();
        let mut dice: Vec<String> = dice.map(|x| format!("{x:.2}")).collect();
        cells.sort();
        dice.sort();
        assert_eq!(cells, dice, "{name}");
    }
    let (mut reached, mut asked) = (BTreeSet::new(), BTreeSet::<usize>::new());
    for step in table(out, "yandex-unions") {
        let gain = |own: &BTreeSet<usize>| own.intersection(&right).filter(|i| !reached.contains(*i)).count();
        let most = found.values().map(gain).max().unwrap();
        assert_eq!(gain(&found[step[0].as_str()]), most, "{step:?}");
        reached.extend(found[step[0].as_str()].intersection(&right));
        asked.extend(&found[step[0].as_str()]);
        let shares = [share(reached.len(), right.len()), share(reached.len(), asked.len())];
        assert_eq!(step[1..3], shares.map(|x| format!("{x:.3}")), "{step:?}");
    }
    assert_eq!(reached, right, "all that is true is found by the last step");
}

/// Sizes by the pairs of the study: how many documents of each side have a pair that is alike enough, and what follows.
fn check_sizes(out: &Path, sides: &Sides, all: &[Compared]) {
    let choices = || CONFIGURATIONS.iter().map(|(name, _)| name.strip_prefix("simhash-").unwrap());
    let is_pair = |i: &usize| all[*i].jaccard >= 0.9 && choices().any(|choice| near(&all[*i], choice, 3));
    let pairs: Vec<usize> = (0..all.len()).filter(is_pair).collect();
    let sources = pairs.iter().map(|i| i / sides.target.len()).collect::<BTreeSet<_>>().len();
    let targets = pairs.iter().map(|i| i % sides.target.len()).collect::<BTreeSet<_>>().len();
    let shares = [share(sources, sides.source.len()), share(targets, sides.target.len())];
    let asked = [(sides.source.len(), sources), (sides.target.len(), targets)];
    for ((row, (asked, found)), share) in table(out, "sizes-overlaps").iter().zip(asked).zip(shares) {
        assert_eq!(row[2..], [asked.to_string(), found.to_string(), format!("{share:.3}")]);
    }
    let target = &table(out, "sizes-sizes")[1];
    let joint = 1.0 / shares[0] + 1.0 / shares[1] - 1.0;
    assert_eq!(target[1], format!("{:.3}", shares[0] / shares[1]), "of what both have, each has this share");
    assert_eq!(target[4], format!("{:.3}", 1.0 / shares[1] / joint), "of all that some of them have");
}

/// Chapters 2 and 4 of the small export, from the URLs and judgments as they were made. Titles are in the order of `all`.
fn check_chapters_2_and_4(study: &Study, sides: &Sides, urls: [&[String]; 2], judged: &[usize]) {
    let out = study.path("out");
    let tracks = table(&out, "chapter-2-tracks");
    let grades = [0, 1, 2].map(|grade| judged.iter().filter(|i| **i % 3 == grade).count() as u64);
    let lines = judged.len() as u64;
    assert_eq!(numbers(row(&tracks, "all")), [&[lines, lines, 2][..], &grades].concat());
    let [source, target]: [BTreeSet<&str>; 2] = urls.map(|side| side.iter().map(String::as_str).collect());
    let common: BTreeSet<&str> = source.intersection(&target).copied().collect();
    let judged_common = judged.iter().filter(|i| common.contains(urls[0][**i].as_str())).count();
    let overlap = table(&out, "chapter-4-overlap");
    let number = |name: &str| row(&overlap, name)[0].parse::<usize>().unwrap();
    assert_eq!([number("lines of the source"), number("different URLs of the source")], [urls[0].len(), source.len()]);
    assert_eq!([number("lines of the target"), number("different URLs of the target")], [urls[1].len(), target.len()]);
    assert_eq!(number("common URLs"), common.len());
    assert_eq!(number("judged documents with a common URL"), judged_common);
    // Pages with the same URL, each with each, by their Jaccard.
    let all = compared(sides);
    let same = |i: usize| urls[0][i / urls[1].len()] == urls[1][i % urls[1].len()];
    let mut jaccards: Vec<f64> = (0..all.len()).filter(|i| same(*i)).map(|i| all[i].jaccard).collect();
    jaccards.sort_by(f64::total_cmp);
    let mut tenths = vec![0u64; 10];
    jaccards.iter().for_each(|jaccard| tenths[tenth(*jaccard)] += 1);
    let shown = table(&out, "chapter-4-same-url");
    assert_eq!(shown.iter().take(10).map(|row| row[1].parse::<u64>().unwrap()).collect::<Vec<_>>(), tenths);
    let mean = jaccards.iter().sum::<f64>() / jaccards.len() as f64;
    let middle = jaccards.len() / 2;
    let median =
        if jaccards.len() % 2 == 1 { jaccards[middle] } else { (jaccards[middle - 1] + jaccards[middle]) / 2.0 };
    let twins = jaccards.iter().filter(|jaccard| **jaccard >= 0.9).count();
    let percent = format!("{:.1}", 100.0 * share(twins, jaccards.len()));
    let expected = [jaccards.len().to_string(), format!("{mean:.3}"), format!("{median:.3}"), percent];
    for (name, key) in [("depths", "2"), ("domains", "org"), ("hosts", "w.org")] {
        assert_eq!(row(&table(&out, &format!("chapter-4-same-url-{name}")), key), expected, "{name}");
    }
}

/// The words of a document that count for I-Match; none where there are too few.
fn features(document: &Document) -> Option<BTreeSet<&str>> {
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    let counts = |word: &&str| word.chars().count() >= 4 && digits(word) < 2;
    let features: BTreeSet<&str> = document.tokens.iter().map(String::as_str).filter(counts).collect();
    (features.len() >= 5).then_some(features)
}

/// For each source document its neighbours, by their places: sets of words that count with a cosine of 0.9 or more.
fn neighbours(sides: &Sides) -> Vec<BTreeSet<usize>> {
    let targets: Vec<_> = sides.target.iter().map(|(_, document, _)| features(document)).collect();
    let near = |a: &BTreeSet<&str>, b: &Option<BTreeSet<&str>>| {
        let Some(b) = b else { return false };
        a.intersection(b).count() as f64 / (a.len() as f64 * b.len() as f64).sqrt() >= 0.9 - 1e-9
    };
    let of = |(document, _): &(Document, Prints)| match features(document) {
        Some(a) => (0..targets.len()).filter(|place| near(&a, &targets[*place])).collect(),
        None => BTreeSet::new(),
    };
    sides.source.iter().map(of).collect()
}

/// The lexicon of the paper's web pages.
const WIDE: &str = "nidf = [0.2, 0.8]";

/// The tables of lexicons in `out`, against what a study of the same documents finds with each number of them. `target` is where the
/// documents of the target are.
fn check_lexicons(
    out: &Path,
    bare: &dyn Fn() -> Study,
    target: &str,
    sides: &Sides,
    titles: &[String],
    targets: &[(usize, String)],
) {
    let rows = table(out, "lexicons-lexicons");
    check_lexicon(&rows, bare(), WIDE, sides, titles, targets);
    let others = table(out, "lexicons-other-lexicons");
    let of = |name: &str| -> Vec<Vec<String>> {
        others.iter().filter(|row| row[0] == name).map(|row| row[1..].to_vec()).collect()
    };
    check_lexicon(&of("nidf 0.2 to 0.3"), bare(), "nidf = [0.2, 0.3]", sides, titles, targets);
    let alone = [("source", "source".to_owned()), ("target", target.to_owned())];
    for (side, statistics) in alone {
        let study = bare().top(&format!("statistics = {statistics:?}"));
        check_lexicon(&of(&format!("nidf 0.2 to 0.8 of the {side} alone")), study, WIDE, sides, titles, targets);
    }
}

/// The rows of one lexicon.
fn check_lexicon(
    rows: &[Vec<String>],
    study: Study,
    nidf: &str,
    sides: &Sides,
    titles: &[String],
    targets: &[(usize, String)],
) {
    let named =
        |study: Study, k: usize| study.configuration("lex-rand", &format!("name = \"k{k}\"\nlexicons = {k}\n{nidf}"));
    let study = (0..=10).fold(study, named);
    study.run();
    let source: BTreeMap<&str, usize> = titles.iter().enumerate().map(|(i, id)| (id.as_str(), i)).collect();
    let target: BTreeMap<&str, usize> = targets.iter().enumerate().map(|(i, (_, id))| (id.as_str(), i)).collect();
    let near = neighbours(sides);
    let asked = near.iter().filter(|near| !near.is_empty()).count();
    let mut first = None;
    assert_eq!(rows.len(), 11);
    for (k, row) in rows.iter().enumerate() {
        let answer = study.dejaview(["pairs", "--configuration", &format!("k{k}")]);
        let mut found = vec![BTreeSet::new(); near.len()];
        for row in answer.rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard") {
            found[source[row[2]]].insert(target[row[3]]);
        }
        let pairs = found.iter().map(BTreeSet::len).sum::<usize>();
        let right = |i: usize| found[i].intersection(&near[i]).count();
        let all_right = (0..near.len()).map(right).sum::<usize>();
        let recall = (0..near.len()).map(|i| share(right(i), near[i].len())).sum::<f64>() / asked.max(1) as f64;
        let first = *first.get_or_insert(recall);
        let gain = || format!("{:+.0}", 100.0 * (recall / first - 1.0));
        let expected = [
            if asked == 0 { String::new() } else { format!("{recall:.3}") },
            if first > 0.0 { gain() } else { String::new() },
            cell(all_right, pairs),
            pairs.to_string(),
            asked.to_string(),
        ];
        assert_eq!(row[1..], expected, "{k} lexicons beside the first");
    }
}

/// The sides as `show` gives them.
fn sides(study: &Study, titles: &[String], targets: &[(usize, String)]) -> Sides {
    let mut ids: Vec<(&'static str, String)> = titles.iter().map(|title| ("source", title.clone())).collect();
    ids.extend(targets.iter().map(|(_, id)| ("target", id.clone())));
    let mut shown = show_all(study, &ids);
    let mut take = |side, id: &String| shown.remove(&(side, id.clone())).unwrap();
    let with_prints = |document: Document| (prints(&document), document);
    let source = titles.iter().map(|id| with_prints(take("source", id))).map(|(p, d)| (d, p)).collect();
    let mut of = |(segment, id): &(usize, String)| {
        let (prints, document) = with_prints(take("target", id));
        (*segment, document, prints)
    };
    Sides { source, target: targets.iter().map(&mut of).collect() }
}

fn with_simhash(study: Study) -> Study {
    CONFIGURATIONS.iter().fold(study, |study, (_, lengths)| study.simhash(&format!("ngrams = {lengths:?}")))
}

/// Some pages of the crawl are pages of the wiki.
fn target_url(segment: usize, page: usize) -> String {
    if page.is_multiple_of(4) { wiki_url(page) } else { format!("http://c{segment}.org/{page}") }
}

fn wiki_url(page: usize) -> String {
    format!("https://w.org/wiki/Page_{page}")
}

/// Pages of which a third stand in the crawl as they are, a third with some words changed, and a third not at all.
#[test]
fn a_small_export_against_a_crawl() {
    let pages: Vec<(String, String)> = (0..24).map(|i| (format!("Page {i}"), text(i, 0))).collect();
    let segments = [0usize, 1].map(|segment| {
        let one = |i: usize| {
            let seed = if i % 3 == 2 { 1_000 + 50 * segment + i } else { i };
            let changed = if i % 3 == 1 { 2 + i / 2 + 4 * segment } else { 0 };
            let html =
                format!("<html><head><title>Page {i}</title></head><body><p>{}</body></html>", text(seed, changed));
            response(&format!("new-{segment}-{i}"), &target_url(segment, i), html)
        };
        (0..24)
            .filter(|i| i % 2 == segment || i % 5 == 0)
            .map(|i| (format!("new-{segment}-{i}"), one(i)))
            .collect::<Vec<_>>()
    });
    let bytes = |segment: usize| segments[segment].iter().flat_map(|(_, bytes)| bytes.clone()).collect::<Vec<u8>>();
    let judged: Vec<usize> = (0..24).collect();
    let qrels = judged.iter().map(|i| format!("{} 0 Page_{i} {}\n", 1 + i % 2, i % 3)).collect::<String>();
    let bare = || {
        Study::new()
            .top("keep = \"all\"")
            .file("wiki.xml", export(&pages))
            .file("some.qrels", &qrels)
            .judgments("some.qrels")
            .file("00.warc", bytes(0))
            .file("01.warc", bytes(1))
            .source("wiki.xml")
            .target("00", "00.warc")
            .target("01", "01.warc")
    };
    let study = with_simhash(bare());
    assert_eq!(study.run()["documents"]["source"], 24);
    let titles: Vec<String> = (0..24).map(|i| format!("Page_{i}")).collect();
    let ids = |segment: usize| segments[segment].iter().map(move |(id, _)| (segment, id.clone()));
    let targets: Vec<(usize, String)> = ids(0).chain(ids(1)).collect();
    let sides = sides(&study, &titles, &targets);
    check(&study, &sides, 2);
    check_lexicons(&study.path("out"), &bare, "0*.warc", &sides, &titles, &targets);
    let page = |id: &str| id.rsplit('-').next().unwrap().parse::<usize>().unwrap();
    let of_target: Vec<String> = targets.iter().map(|(segment, id)| target_url(*segment, page(id))).collect();
    let of_source: Vec<String> = (0..24).map(wiki_url).collect();
    check_chapters_2_and_4(&study, &sides, [&of_source, &of_target], &judged);
}

/// The pages of a real crawl as the pages of a wiki, against the crawl of later years.
#[test]
fn an_export_against_a_real_crawl() {
    let Some(data) = data() else { return };
    let crawl = data.join("recrawl");
    let old = Study::new()
        .top("keep = \"all\"")
        .source(crawl.join("old.warc.gz"))
        .target("00", crawl.join("new-00.warc.gz"))
        .configuration("md5", "");
    old.run();
    let ids: Vec<(&'static str, String)> =
        trec_ids(&crawl.join("old.warc.gz")).into_iter().step_by(9).map(|id| ("source", id)).collect();
    let shown = show_all(&old, &ids);
    let pages: Vec<(String, String)> =
        shown.values().enumerate().map(|(i, document)| (format!("Old page {i}"), document.text.clone())).collect();
    let segment = |segment: usize| crawl.join(format!("new-0{segment}.warc.gz"));
    let bare = || {
        let study = Study::new().top("keep = \"all\"").file("wiki.xml", export(&pages)).source("wiki.xml");
        (0..4).fold(study, |study, number| study.target(&format!("0{number}"), segment(number)))
    };
    let ids_of = |number: usize| trec_ids(&segment(number)).into_iter().map(move |id| (number, id));
    let targets: Vec<(usize, String)> = (0..4).flat_map(ids_of).collect();
    let study = with_simhash(bare());
    let read = study.run()["documents"]["source"].as_u64().unwrap() as usize;
    assert_eq!(read, pages.len());
    let titles: Vec<String> = (0..pages.len()).map(|i| format!("Old_page_{i}")).collect();
    let sides = sides(&study, &titles, &targets);
    check(&study, &sides, 4);
    // The other lexicons are held against the small export.
    let rows = table(&study.path("out"), "lexicons-lexicons");
    check_lexicon(&rows, bare(), WIDE, &sides, &titles, &targets);
}
