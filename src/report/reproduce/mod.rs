//! The study of the thesis and the papers on one page: what a study's own data give, in their order, beside what was published.
//!
//! Nothing is computed here. Every table is one that `judgments`, `evaluate`, `figures`, `urls` or `size` prints, made by the same
//! functions; beside it stand the published numbers ([`published`]) and a word on what differs. A chapter that the study has no data
//! for is said in one line. Chapters that take long are kept, and made again when what they rest on has changed.

mod beside;
mod chapters;
mod found;
mod kept;
mod lexicons;
mod material;
mod overlap;
pub mod published;
mod sizes;
mod sweep;
mod yandex;

pub use self::material::ReproduceOptions;

use crate::page::{Block, Page, Section};
use dejaview_study::{KeptParts, Snapshot, StudyError, Watch};
use material::Material;

/// A chapter of the page.
struct Chapter {
    /// Used in links, file names and for what is kept.
    id: &'static str,
    title: &'static str,
    /// Whether it is kept: it takes long, and rests on documents and pairs alone, not on labels.
    is_kept: bool,
    make: fn(&Material<'_>) -> Result<Vec<Block>, StudyError>,
}

/// In the order of the page.
const CHAPTERS: &[Chapter] = &[
    Chapter { id: "study", title: "This study", is_kept: false, make: chapters::study },
    Chapter { id: "chapter-2", title: "Chapter 2: judgments", is_kept: false, make: chapters::judgments },
    Chapter { id: "chapter-3", title: "Chapter 3: SimHash and its rivals", is_kept: true, make: sweep::chapter },
    Chapter { id: "chapter-4", title: "Chapter 4: URLs in common", is_kept: true, make: overlap::chapter },
    Chapter { id: "chapter-5", title: "Chapter 5: near-duplicates found", is_kept: false, make: found::chapter },
    Chapter { id: "labels", title: "Chapter 5: samples with labels", is_kept: false, make: found::labels },
    Chapter {
        id: "lexicons",
        title: "Kołcz et al.: I-Match with random lexicons",
        is_kept: true,
        make: lexicons::chapter,
    },
    Chapter { id: "yandex", title: "Zelenkov and Segalovich: A0 to A12", is_kept: true, make: yandex::chapter },
    Chapter { id: "sizes", title: "Sizes of corpora", is_kept: true, make: sizes::chapter },
    Chapter { id: "references", title: "References", is_kept: false, make: chapters::references },
];

/// Makes the page. What a chapter lacks is said in its place; the page itself always comes about.
pub fn reproduce(study: &Snapshot, options: ReproduceOptions, watch: &dyn Watch) -> Result<Page, StudyError> {
    // No chapter that is kept rests on an option.
    let parts = KeptParts::new(study, "reproduce")?;
    let material = Material::new(study, options, watch);
    let mut sections = Vec::new();
    for (number, chapter) in CHAPTERS.iter().enumerate() {
        let stored = if chapter.is_kept { kept::read(&parts, chapter.id) } else { None };
        let how = if stored.is_some() { ": kept from before" } else { "" };
        watch.remark(&format!("{} of {}: {}{how}", number + 1, CHAPTERS.len(), chapter.title));
        let blocks = match stored {
            Some(blocks) => blocks,
            None => made(chapter, &material, &parts)?,
        };
        sections.push(Section { id: chapter.id, title: chapter.title, blocks });
    }
    Ok(Page::of_sections(&study.recipe().name, sections))
}

/// Makes a chapter and keeps it, if it is one of those. A chapter that fails says why, and is not kept.
fn made(chapter: &Chapter, material: &Material<'_>, parts: &KeptParts<'_>) -> Result<Vec<Block>, StudyError> {
    match (chapter.make)(material) {
        Ok(blocks) => {
            if chapter.is_kept {
                kept::write(parts, chapter.id, &blocks)?;
            }
            Ok(blocks)
        }
        Err(why) if why.is_of_disk() => Err(why),
        Err(why) => {
            material.watch.remark(&format!("{} is not made: {why}", chapter.title));
            Ok(vec![Block::Text(format!("Not made: {why}"))])
        }
    }
}
