//! Dresses a work in a site's template of 2009 or 2012, as a printer-friendly page, an archive copy or a clipping.

use std::{collections::BTreeMap, fs, io, path::Path};

use crate::{
    date::Date,
    html::{self, Manner},
    rng::Rng,
    work::{Block, Work},
};

/// The dress of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dress {
    /// The site's template of 2009.
    Old,
    /// The site's template of 2012.
    New,
    /// Printer-friendly.
    Print,
    /// A banner of an archive above the site's page of 2009.
    Archive,
    /// A blog that quotes.
    Digest,
}

/// The templates under `templates/`, by file stem, and the titles of each site for its link lists.
#[derive(Debug)]
pub struct Wardrobe {
    templates: BTreeMap<String, String>,
    titles: BTreeMap<String, Vec<String>>,
    seed: u64,
}

impl Wardrobe {
    /// Reads every template.
    pub fn load(folder: &Path, works: &[Work], seed: u64) -> io::Result<Self> {
        let mut templates = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if let Some(stem) = path.file_stem().and_then(|s| s.to_str()) {
                templates.insert(stem.to_owned(), fs::read_to_string(&path)?);
            }
        }
        let mut titles: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for work in works.iter().filter(|w| w.get("lang").is_empty() && !w.get("title").is_empty()) {
            titles.entry(work.get("site").to_owned()).or_default().push(work.get("title").to_owned());
        }
        Ok(Self { templates, titles, seed })
    }

    /// The page as HTML, still with the hole `{{charset}}`.
    pub fn dress(&self, work: &Work, blocks: &[Block], dress: Dress, stamp: Date) -> String {
        let site = work.get("site");
        let manner = match (site, dress) {
            ("index", _) => Manner::Listing,
            (_, Dress::New | Dress::Digest) => Manner::New,
            _ => Manner::Old,
        };
        let mut body = html::body(&strip_amounts(blocks), manner);
        if site == "workbench" && manner == Manner::Old {
            body = format!("<table class=\"forumline\" width=\"100%\" cellspacing=\"1\">\n{body}</table>\n");
        }
        let name = match dress {
            Dress::Old | Dress::Archive => format!("{site}-2009"),
            Dress::New => format!("{site}-2012"),
            Dress::Print => "print".to_owned(),
            Dress::Digest => "digest".to_owned(),
        };
        let template = self.templates.get(&name).map_or("{{body}}", String::as_str);
        let mut page = template.replace("{{body}}", &body);
        for (key, value) in self.holes(work, manner, stamp) {
            page = page.replace(&format!("{{{{{key}}}}}"), &value);
        }
        if dress == Dress::Archive {
            page = self.with_banner(&page, stamp);
        }
        page
    }

    fn holes(&self, work: &Work, manner: Manner, stamp: Date) -> Vec<(&'static str, String)> {
        let mut rng = Rng::named(self.seed, &work.id);
        let text = |key: &str| html::escape(work.get(key), manner);
        let visits = rng.between(900, 60_000) + (stamp.year - 2008) * 365 + stamp.day_of_year();
        let lang = if work.get("lang").is_empty() { "en".to_owned() } else { text("lang") };
        let dir = if lang == "ar" { " dir=\"rtl\"" } else { "" };
        vec![
            ("title", text("title")),
            ("slug", work.slug()),
            ("genre", text("genre")),
            ("date", work.date().long()),
            ("stamp", stamp.long()),
            ("today", stamp.american()),
            ("iso", stamp.iso()),
            ("year", stamp.year.to_string()),
            ("author", text("author")),
            ("board", text("board")),
            ("user", text("user")),
            ("price", text("price")),
            ("sku", text("sku")),
            ("host", text("host")),
            ("footer", text("footer")),
            ("lang", lang),
            ("dir", dir.to_owned()),
            ("nav", nav(work.get("nav"), manner)),
            ("visits", visits.to_string()),
            ("number", rng.between(1000, 99_999).to_string()),
            ("related", self.related(work, manner, &mut rng)),
        ]
    }

    /// Five other pages of the site, as list items.
    fn related(&self, work: &Work, manner: Manner, rng: &mut Rng) -> String {
        let Some(titles) = self.titles.get(work.get("site")) else { return String::new() };
        let mut out = String::new();
        for _ in 0..5 {
            let title = rng.pick(titles);
            if title != work.get("title") && !out.contains(title.as_str()) {
                let link = crate::work::slug(title);
                let title = html::escape(title, manner);
                out.push_str(&format!("<li><a href=\"{link}.html\">{title}</a></li>\n"));
            }
        }
        out
    }

    fn with_banner(&self, page: &str, stamp: Date) -> String {
        let banner = self.templates.get("archive").map_or("", String::as_str);
        let banner = banner.replace("{{stamp}}", &stamp.long());
        match page.find("<body").and_then(|at| Some(at + page[at..].find('>')? + 1)) {
            Some(at) => format!("{}\n{banner}{}", &page[..at], &page[at..]),
            None => page.to_owned(),
        }
    }
}

fn nav(list: &str, manner: Manner) -> String {
    let link = |words: &str| format!("<a href=\"#\">{}</a>", html::escape(words, manner));
    list.split(" | ").map(link).collect::<Vec<_>>().join(" | ")
}

/// Takes the braces from the amounts of a recipe.
fn strip_amounts(blocks: &[Block]) -> Vec<Block> {
    let strip = |text: &String| text.replace(['{', '}'], "");
    blocks
        .iter()
        .map(|block| match block {
            Block::Paragraph(text) => Block::Paragraph(strip(text)),
            Block::Item(ordered, text) => Block::Item(*ordered, strip(text)),
            other => other.clone(),
        })
        .collect()
}
