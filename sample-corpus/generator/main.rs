//! Makes the sample study: two crawls of one small web, years apart, with the truth about every pair.
//!
//! ```text
//! base/*.txt ─┐                 templates/*.html
//!             ├─ works ─ versions ─ pages ─ crawl-2009/, crawl-2012/ ─ truth.tsv, judgments/, topics/
//! families/*.txt                (edit)     (skin, url, plan)   (warc)
//! ```
//!
//! `cargo run --release --example generate-sample` writes everything anew; the same bytes each time.

mod box_score;
mod date;
mod edit;
mod family;
mod html;
mod judgments;
mod plan;
mod rng;
mod skin;
mod tides;
mod truth;
mod url;
mod warc;
mod work;

use std::{collections::BTreeMap, fs, io, path::Path};

use date::Date;
use family::Family;
use plan::{Page, Plan, Planner};
use rng::Rng;
use skin::{Dress, Wardrobe};
use truth::Relation;
use warc::Response;
use work::Work;

const SEED: u64 = 2009;
const TARGET_PAGES: usize = 1200;
const SEGMENTS: usize = 4;
/// Members of each family above the number its file asks for; what is too many is cut off at `TARGET_PAGES`.
const EXTRA_MEMBERS: usize = 8;
/// Rows of `truth.tsv` that say `unrelated`; all pairs not listed are unrelated too.
const UNRELATED_ROWS: usize = 400;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-corpus");
    let plan = make_plan(&root)?;
    let source: Vec<Response<'_>> =
        plan.source.iter().enumerate().map(|(i, page)| response(&plan, page, source_id(i), false)).collect();
    write(&root.join("crawl-2009/old.warc.gz"), &warc::write_old(&source)?)?;
    for segment in 0..SEGMENTS {
        let range = segment_range(segment, plan.target.len());
        let responses: Vec<Response<'_>> =
            range.map(|i| response(&plan, &plan.target[i], target_id(i, plan.target.len()), true)).collect();
        let path = root.join(format!("crawl-2012/{segment:02}.warc.gz"));
        write(&path, &warc::write_new(&responses, segment)?)?;
    }
    write(&root.join("judgments/sample.qrels"), judgments::qrels(&plan, source_id, SEED).as_bytes())?;
    write(&root.join("topics/sample.xml"), judgments::topics().as_bytes())?;
    let (rows, counts) = truth_table(&plan);
    write(&root.join("truth.tsv"), rows.as_bytes())?;
    println!("{} source pages, {} target pages", plan.source.len(), plan.target.len());
    for (relation, count) in counts {
        println!("{count:6} {}", relation.name());
    }
    Ok(())
}

fn make_plan(root: &Path) -> io::Result<Plan> {
    let mut works: Vec<Work> =
        read_folder(&root.join("base"))?.iter().map(|(stem, text)| Work::parse(stem, text)).collect();
    let families: Vec<Family> =
        read_folder(&root.join("families"))?.iter().map(|(stem, text)| Family::parse(stem, text)).collect();
    let (old, new) = plan::fill_families(&families, &mut works, EXTRA_MEMBERS, SEED);
    let mut newcomers = new;
    Rng::named(SEED, "newcomers").shuffle(&mut newcomers);
    let wardrobe = Wardrobe::load(&root.join("templates"), &works, SEED)?;
    let mut planner = Planner::new(&works, &wardrobe, SEED);
    let source = planner.source(&old);
    let target = planner.target(&source, &newcomers, TARGET_PAGES);
    Ok(Plan { works, source, target })
}

/// The files of a folder by stem, sorted.
fn read_folder(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(stem) = path.file_stem().and_then(|s| s.to_str()) {
            files.insert(stem.to_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn source_id(index: usize) -> String {
    format!("sample09-en0000-00-{index:05}")
}

fn segment_range(segment: usize, pages: usize) -> std::ops::Range<usize> {
    pages * segment / SEGMENTS..pages * (segment + 1) / SEGMENTS
}

fn target_id(index: usize, pages: usize) -> String {
    let segment = (0..SEGMENTS).find(|s| segment_range(*s, pages).contains(&index)).unwrap_or(0);
    format!("sample12-0000wb-{segment:02}-{:05}", index - segment_range(segment, pages).start)
}

/// A page as bytes, in the character set its server used in that year.
fn response<'a>(plan: &Plan, page: &'a Page, id: String, new: bool) -> Response<'a> {
    let work = &plan.works[page.work];
    let charset = match (work.get("charset"), page.dress) {
        // Sites in other scripts had all changed to UTF-8 by 2012.
        (own, _) if !own.is_empty() && !new => own,
        ("", Dress::Old | Dress::Print | Dress::Archive) if latin1_site(work.get("site")) => "iso-8859-1",
        _ => "utf-8",
    };
    let real = if work.get("trap") == "says-utf8-is-latin1" && !new { "iso-8859-1" } else { charset };
    let mut rng = Rng::named(SEED, &page.url);
    let content_type = if rng.chance(60) { format!("text/html; charset={charset}") } else { "text/html".to_owned() };
    let fetched = if new {
        Date { year: 2012, month: 5, day: rng.between(3, 30) }
    } else {
        Date { year: 2009, month: 3, day: rng.between(1, 20) }
    };
    let body = warc::encode(&page.html, real, charset);
    Response { id, url: &page.url, fetched, content_type, body }
}

fn latin1_site(site: &str) -> bool {
    matches!(site, "shop" | "council" | "home" | "saucepan" | "index" | "links")
}

/// The rows of `truth.tsv` and how often each relation occurs among all pairs.
fn truth_table(plan: &Plan) -> (String, BTreeMap<Relation, usize>) {
    let mut counts = BTreeMap::new();
    let mut rows = Vec::new();
    for (s, source) in plan.source.iter().enumerate() {
        for (t, target) in plan.target.iter().enumerate() {
            let relation = truth::relation(plan, source, target);
            *counts.entry(relation).or_insert(0_usize) += 1;
            if relation != Relation::Unrelated {
                rows.push((s, t, relation));
            }
        }
    }
    let mut rng = Rng::named(SEED, "unrelated");
    let mut unrelated = 0;
    while unrelated < UNRELATED_ROWS {
        let (s, t) = (rng.below(plan.source.len()), rng.below(plan.target.len()));
        let row = (s, t, Relation::Unrelated);
        if truth::relation(plan, &plan.source[s], &plan.target[t]) == row.2 && !rows.contains(&row) {
            rows.push(row);
            unrelated += 1;
        }
    }
    rows.sort_unstable();
    let mut out = "source\ttarget\trelation\n".to_owned();
    for (s, t, relation) in rows {
        let target = target_id(t, plan.target.len());
        out.push_str(&format!("{}\t{target}\t{}\n", source_id(s), relation.name()));
    }
    (out, counts)
}
