//! The main content of a page: its canonical text without what frames it.
//!
//! What is kept is a subsequence of the lines of [`super::extract`] (where a table cell holds a text of its own, of the
//! cells), so the words of the main content are a subsequence of the words of the page. One pass over the page, one
//! over the lines, a few over the blocks: linear in time, and in memory a few dozen bytes for each tag that has text.
//!
//! The features are those of Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features*
//! (WSDM 2010): the number of words of a block and the share of them in links, for the block and its neighbours. To
//! these come the elements the text stands in:
//!
//! 1. Lines that belong together are one block: the lines of a paragraph, the items of a list, the rows of a table.
//! 2. A block is a *text* when it is long and has few links.
//! 3. What stands in `nav`, `aside`, `footer` and their like, or in an element of such a name, is *framed* and left out,
//!    unless it holds most of the page's texts.
//! 4. The *core* is the smallest element with more than 60 % of the words of the texts; where the element around it is
//!    named as content, that one. What readers added is not counted for it, but treated as if it stood in it.
//! 5. In the core are kept: texts; blocks that the paper's decision tree keeps for their neighbours; blocks with few
//!    links between two texts; headings, when what they head is kept. Of the rest of the page: the heading of the first
//!    order before the core, with the texts between.
//! 6. Where texts have less than half of the words outside links (tables of data, references), every block with few
//!    links counts as one. Where two thirds of the words of the core are links (directories), all of it is kept.
//!
//! The title stays first. **When fewer than 20 words would be left of a page that has more, all its text is kept**: no
//! page is lost.

use super::Tokens;
use super::html;
use super::outline::{Kind, Outline, Sort, Zone};
use super::parts::{self, Block, Part};

/// Words that must be left.
const FEWEST: u32 = 20;
/// Words that a text has at least; the paper's tree keeps blocks of more than 16.
const TEXT: u32 = 17;
/// The same for paragraphs.
const PARAGRAPH: u32 = 8;
/// The same for lists and tables, which may have more links.
const GROUP: u32 = 31;
/// Words in texts with which a frame may not be believed to be one.
const CONVINCING: u64 = 50;

/// Writes the main content of `html` into `out`, which is cleared first; the whole text, as [`super::extract`] does,
/// when the main content would have fewer than 20 words.
pub fn extract_main(html: &str, out: &mut String) {
    let mut outline = Outline::new();
    let titled = html::watched(html, out, &mut outline);
    let (runs, zones) = outline.finish(out.len() - titled.shift);
    let parts = parts::parts(out, &runs, titled.shift, &zones);
    let blocks = parts::blocks(&parts, usize::from(titled.first));
    let keep = Page { blocks: &blocks, zones: &zones }.keep();
    let kept = || blocks.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(block, _)| block);
    let title = parts.iter().take(usize::from(titled.first));
    let text = write(out, title.chain(kept().flat_map(|block| &parts[block.parts.clone()])));
    // Blocks are judged by their words of two letters and more; what is left of the page is counted in all words.
    let enough = kept().map(|block| block.words).sum::<u32>() >= FEWEST;
    if enough || words(&text) >= words(out).min(FEWEST as usize) {
        *out = text;
    }
}

/// Number of words.
fn words(text: &str) -> usize {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens.len()
}

/// The parts as lines; cells of one line stay on one line.
fn write<'p>(text: &str, parts: impl Iterator<Item = &'p Part>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_end = None;
    for part in parts {
        if !out.is_empty() {
            let same = part.joined && line_end.is_some_and(|end| !text[end..part.span.start].contains('\n'));
            out.push(if same { '\t' } else { '\n' });
        }
        out.push_str(&text[part.span.clone()]);
        line_end = Some(part.span.end);
    }
    out
}

/// The blocks of a page and the zones they stand in.
struct Page<'a> {
    blocks: &'a [Block],
    zones: &'a [Zone],
}

impl Page<'_> {
    /// Which blocks are main content.
    fn keep(&self) -> Vec<bool> {
        let comments = self.within(|zone| self.zones[zone].sort == Sort::Comments);
        let texts =
            self.weigh(|_, block| if is_text(block) && !comments[block.zone as usize] { block.plain() } else { 0 });
        let live = self.live(&texts);
        let counts = |i: usize, block: &Block| live[i] && !comments[block.zone as usize];
        let texts = self.weigh(|i, block| if counts(i, block) && is_text(block) { block.plain() } else { 0 });
        let all = self.weigh(|i, block| if counts(i, block) && few_links(block) { block.plain() } else { 0 });
        let poor = texts[0] * 2 < all[0];
        let core = self.core(if poor { &all } else { &texts });
        let words = self.weigh(|i, block| if counts(i, block) { block.words } else { 0 });
        let linked = self.weigh(|i, block| if counts(i, block) { block.linked } else { 0 });
        let core = self.widen(core, &words, &linked);
        let inside = self.within(|zone| zone == core || comments[zone]);
        let live = (0..live.len()).filter(|&i| live[i]).collect();
        Selection { blocks: self.blocks, zones: self.zones, live, inside, poor }.keep()
    }

    /// Which zones are so, or stand in one that is.
    fn within(&self, is_so: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut within = vec![false; self.zones.len()];
        for (at, zone) in self.zones.iter().enumerate() {
            within[at] = within[zone.outer as usize] || is_so(at);
        }
        within
    }

    /// Adds up for each zone what its blocks weigh, and those of the zones in it.
    fn weigh(&self, weight: impl Fn(usize, &Block) -> u32) -> Vec<u64> {
        let mut sums = vec![0; self.zones.len()];
        for (i, block) in self.blocks.iter().enumerate() {
            sums[block.zone as usize] += u64::from(weight(i, block));
        }
        for at in (1..sums.len()).rev() {
            sums[self.zones[at].outer as usize] += sums[at];
        }
        sums
    }

    /// Which blocks are not framed. The more of the texts a zone holds, the less is it believed to be a frame; on the
    /// edge of the content, texts and the first heading are.
    fn live(&self, texts: &[u64]) -> Vec<bool> {
        let is_small = |zone: usize, percent| texts[zone] < CONVINCING || texts[zone] * 100 <= texts[0] * percent;
        let framed = self.within(|zone| match self.zones[zone].sort {
            Sort::Frame => is_small(zone, 90),
            Sort::Named => is_small(zone, 50),
            _ => false,
        });
        let edge = self.within(|zone| self.zones[zone].sort == Sort::Edge && is_small(zone, 25));
        let live = |block: &Block| {
            let zone = block.zone as usize;
            !framed[zone] && (!edge[zone] || is_text(block) || block.kind == Kind::Title)
        };
        self.blocks.iter().map(live).collect()
    }

    /// The smallest zone with more than 60 % of the words.
    fn core(&self, words: &[u64]) -> usize {
        let mut heaviest = vec![0; self.zones.len()];
        let mut inner = vec![0; self.zones.len()];
        for at in (1..self.zones.len()).rev() {
            let outer = self.zones[at].outer as usize;
            inner[outer] += words[at];
            if heaviest[outer] == 0 || words[at] >= words[heaviest[outer]] {
                heaviest[outer] = at;
            }
        }
        let mut core = 0;
        while heaviest[core] != 0 && words[heaviest[core]] * 10 > words[0] * 6 {
            core = heaviest[core];
        }
        // A list or a table of data is part of something; a table that lays out a page has its words in cells.
        while self.zones[core].sort == Sort::Group && inner[core] * 2 <= words[core] {
            core = self.zones[core].outer as usize;
        }
        core
    }

    /// The zone around the core that is named as content, when hardly any of what that adds is links.
    fn widen(&self, core: usize, words: &[u64], linked: &[u64]) -> usize {
        let mut at = core;
        while self.zones[at].sort != Sort::Content {
            let outer = self.zones[at].outer as usize;
            if at == 0 || (linked[outer] - linked[at]) * 5 > words[outer] - words[at] {
                return core;
            }
            at = outer;
        }
        at
    }
}

/// At most a third of the words in links.
fn few_links(block: &Block) -> bool {
    block.linked * 3 <= block.words
}

/// Long, with few links.
fn is_text(block: &Block) -> bool {
    match block.kind {
        Kind::Control => false,
        Kind::Item | Kind::Row if block.words >= GROUP => block.linked * 5 <= block.words * 3,
        Kind::Paragraph => few_links(block) && block.words >= PARAGRAPH,
        _ => few_links(block) && block.words >= TEXT,
    }
}

/// What is left when frames are gone, and where the core is.
struct Selection<'a> {
    blocks: &'a [Block],
    zones: &'a [Zone],
    /// The blocks that are not framed.
    live: Vec<usize>,
    /// Which zones are in the core.
    inside: Vec<bool>,
    /// Whether texts are few.
    poor: bool,
}

impl Selection<'_> {
    fn keep(&self) -> Vec<bool> {
        let mut keep = vec![false; self.blocks.len()];
        if self.is_directory() {
            self.live.iter().for_each(|&i| keep[i] = self.is_inside(i));
            return keep;
        }
        self.keep_by_neighbours(&mut keep);
        self.fill_gaps(&mut keep);
        self.keep_headings(&mut keep);
        self.keep_lead(&mut keep);
        keep
    }

    fn is_inside(&self, i: usize) -> bool {
        self.inside[self.blocks[i].zone as usize]
    }

    fn is_heading(&self, i: usize) -> bool {
        matches!(self.blocks[i].kind, Kind::Title | Kind::Heading)
    }

    /// Whether two thirds of the core are links.
    fn is_directory(&self) -> bool {
        let core = || self.live.iter().filter(|&&i| self.is_inside(i)).map(|&i| &self.blocks[i]);
        core().map(|block| u64::from(block.linked)).sum::<u64>() * 3
            > core().map(|block| u64::from(block.words)).sum::<u64>() * 2
    }

    /// Keeps the texts of the core, and what the paper's tree keeps. Headings are no neighbours.
    fn keep_by_neighbours(&self, keep: &mut [bool]) {
        let others: Vec<usize> = self.live.iter().copied().filter(|&i| !self.is_heading(i)).collect();
        for (at, &i) in others.iter().enumerate() {
            let block = &self.blocks[i];
            let neighbour = |at: usize| others.get(at).map(|&i| &self.blocks[i]);
            let (before, after) = (neighbour(at.wrapping_sub(1)), neighbour(at + 1));
            let wanted = is_text(block) || self.poor && few_links(block) || tree(block, before, after);
            keep[i] = wanted && self.is_inside(i);
        }
    }

    /// Keeps what has few links between two texts that stand near each other.
    fn fill_gaps(&self, keep: &mut [bool]) {
        let mut before = None;
        for (at, &i) in self.live.iter().enumerate() {
            if !keep[i] || !is_text(&self.blocks[i]) {
                continue;
            }
            if let Some(before) = before.filter(|&before| self.is_near(self.live[before], i)) {
                for &between in &self.live[before + 1..at] {
                    keep[between] |= self.blocks[between].linked * 2 <= self.blocks[between].words;
                }
            }
            before = Some(at);
        }
    }

    /// Whether at most three steps up from the one or the other lead to the same zone, at most two from each.
    fn is_near(&self, a: usize, b: usize) -> bool {
        let outer = |zone: u32| self.zones[zone as usize].outer;
        let up = |i: usize| {
            let zone = self.blocks[i].zone;
            [zone, outer(zone), outer(outer(zone))]
        };
        let (a, b) = (up(a), up(b));
        (0..3).any(|i| (0..3.min(4 - i)).any(|j| a[i] == b[j]))
    }

    /// Keeps a heading when something is kept before the next one, or when that follows at once and is kept.
    fn keep_headings(&self, keep: &mut [bool]) {
        let (mut heads, mut at_once) = (false, false);
        for &i in self.live.iter().rev() {
            if self.is_heading(i) {
                keep[i] = (heads || at_once) && self.is_inside(i);
                (heads, at_once) = (false, keep[i]);
            } else {
                heads |= keep[i];
                at_once = false;
            }
        }
    }

    /// Keeps the last heading of the first order before the first text, and the texts between them.
    fn keep_lead(&self, keep: &mut [bool]) {
        let Some(first) = self.live.iter().position(|&i| keep[i] && is_text(&self.blocks[i])) else { return };
        let title =
            self.live[..first].iter().rposition(|&i| self.blocks[i].kind == Kind::Title && self.blocks[i].linked == 0);
        for &i in title.map_or(&[][..], |title| &self.live[title..first]) {
            keep[i] |= is_text(&self.blocks[i]) || self.blocks[i].kind == Kind::Title;
        }
    }
}

/// The decision tree of the paper, on numbers of words and shares of words in links. What is missing has no words.
fn tree(block: &Block, before: Option<&Block>, after: Option<&Block>) -> bool {
    let words = |block: Option<&Block>| block.map_or(0, |block| block.words);
    let before_is_links = before.is_some_and(|block| block.linked * 9 > block.words * 5);
    few_links(block)
        && if before_is_links {
            block.words > 40 || words(after) > 17
        } else {
            block.words > 16 || words(after) > 15 || words(before) > 4
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::html::extract;
    use super::super::tokens::Tokens;
    use super::*;

    fn main_of(html: &str) -> String {
        let mut out = String::from("old");
        extract_main(html, &mut out);
        out
    }

    fn all_of(html: &str) -> String {
        let mut out = String::new();
        extract(html, &mut out);
        out
    }

    /// Whether `few` can be had from `many` by leaving out.
    fn is_subsequence<T: PartialEq>(few: &[T], many: &[T]) -> bool {
        let mut many = many.iter();
        few.iter().all(|wanted| many.any(|found| found == wanted))
    }

    fn hashes(text: &str) -> Vec<u64> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens.hashes().to_vec()
    }

    /// What holds for every page.
    fn check(html: &str) -> Result<(), TestCaseError> {
        let (all, main) = (all_of(html), main_of(html));
        prop_assert!(is_subsequence(&hashes(&main), &hashes(&all)), "{:?} of {:?}", main, all);
        fn cells(text: &str) -> Vec<&str> {
            text.split(['\n', '\t']).collect()
        }
        prop_assert!(main.is_empty() || is_subsequence(&cells(&main), &cells(&all)), "{:?} of {:?}", main, all);
        prop_assert!(hashes(&main).len() >= hashes(&all).len().min(FEWEST as usize), "{:?} of {:?}", main, all);
        prop_assert_eq!(
            main.split('\n').next(),
            all.split('\n').next().filter(|first| *first == "T").or(main.split('\n').next())
        );
        prop_assert_eq!(&main_of(html), &main);
        Ok(())
    }

    const TEXT: &str = "These are the words of a paragraph that is long enough to be taken for a text by everyone.";

    /// A page with a menu, a sidebar and a footer around `content`.
    fn framed(content: &str) -> String {
        format!(
            "<title>T</title><div id=top><a href=/>Home</a></div><ul class=menu><li>One<li>Two</ul>\
             <div class=box>{content}</div><div id=sidebar><p>{TEXT}</div><footer>Imprint and so on</footer>"
        )
    }

    fn content(content: &str) -> String {
        main_of(&framed(content)).strip_prefix("T\n").unwrap().to_owned()
    }

    #[test]
    fn what_stands_around_is_left_out() {
        let two = format!("<h2>One</h2><p>{TEXT}<p>{TEXT}");
        assert_eq!(content(&two), format!("One\n{TEXT}\n{TEXT}"));
        assert_eq!(
            main_of(&format!("<p>x<div><p>{TEXT}<p>{TEXT}</div><title>T</title>")),
            format!("T\n{TEXT}\n{TEXT}")
        );
    }

    #[test]
    fn short_lines_stay_between_texts() {
        let lines =
            format!("<p>{TEXT}<div>a short line</div><p><a href=x>only a link</a><ul><li>aa<li>bb</ul><p>{TEXT}");
        assert_eq!(content(&lines), format!("{TEXT}\na short line\naa\nbb\n{TEXT}"));
    }

    #[test]
    fn headings_stand_or_fall_with_what_they_head() {
        let share = "<h2>Share</h2><p><a href=x>This</a> <a href=y>That</a>";
        assert_eq!(content(&format!("<h1>One</h1><h2>Two</h2><p>{TEXT}{share}")), format!("One\nTwo\n{TEXT}"));
        let outside = format!("<h1>One</h1><p>{TEXT}<div><p>{TEXT}<p>{TEXT}<p>{TEXT}</div>");
        assert_eq!(content(&outside), format!("One\n{TEXT}\n{TEXT}\n{TEXT}\n{TEXT}"));
    }

    #[test]
    fn a_frame_with_most_of_the_text_is_none() {
        let html =
            format!("<form><div class=sidebar-layout><p>{TEXT}<p>{TEXT}<p>{TEXT}</div></form><p class=foot>{TEXT}");
        assert_eq!(main_of(&html), format!("{TEXT}\n{TEXT}\n{TEXT}"));
    }

    #[test]
    fn comments_do_not_outweigh_what_they_are_about() {
        let comments = format!("<p>{TEXT}").repeat(9);
        let html = format!("<article><p>{TEXT}<p>{TEXT}</article><div id=comments>{comments}</div>");
        assert_eq!(main_of(&html), [TEXT; 11].join("\n"));
    }

    #[test]
    fn tables_of_data_and_lists_of_links_are_content() {
        let rows = "<tr><td>Height<td>31 m<tr><td>Range<td>7 miles".repeat(6);
        assert_eq!(content(&format!("<table>{rows}</table>")), ["Height\t31 m\nRange\t7 miles"; 6].join("\n"));
        let links = "<li><a href=x>Some other page</a>".repeat(9);
        assert_eq!(
            content(&format!("<p>See also these.<ul>{links}</ul>")),
            format!("See also these.{}", "\nSome other page".repeat(9))
        );
    }

    #[test]
    fn cells_that_lay_out_a_page_are_parted() {
        let html = format!(
            "<table><tr><td>Menu<br>Last item<td>{TEXT}<p>{TEXT}<td>{}Aside</table>",
            "<a href=x>link</a> ".repeat(9)
        );
        assert_eq!(main_of(&html), format!("{TEXT}\n{TEXT}"));
    }

    #[test]
    fn nobody_loses_a_page() {
        for html in [
            "",
            "<title>T</title>",
            "<nav>One two three</nav>",
            "<title>T</title><nav>One two three</nav><p>Short.",
            &framed("<p>Hardly a word."),
        ] {
            assert_eq!(main_of(html), all_of(html), "{html}");
        }
        let html = format!("<title>T</title><nav>One two three</nav><p>{TEXT} {TEXT}");
        assert_eq!(main_of(&html), format!("T\n{TEXT} {TEXT}"));
    }

    #[test]
    fn any_depth_and_length_is_read() {
        let deep = 100_000;
        for piece in [
            "<div>",
            "<ul><li>",
            "<table><tr><td>",
            "<h1>",
            "<a href=x>",
            "<nav>",
            "</div>",
            "<p>a",
            "<div>a</div>",
            "<h2>aa bb",
            "a\n",
        ] {
            let html = format!("<p>{TEXT}{}<p>{TEXT}", piece.repeat(deep));
            check(&html).unwrap();
        }
        let line = "word ".repeat(200_000);
        assert_eq!(main_of(&format!("<nav>Menu</nav>{line}")), line.trim_end());
    }

    const PIECES: &str = "<div>|</div>|<div class=nav>|<div id=content>|<p>|</p>|<p class=comment>|<nav>|</nav>|<article>|</article>|\
        <header>|</header>|<ul>|<li>|</ul>|<table>|<tr>|<td>|<td class=side>|</table>|<h1>|</h1>|<h2>|</h2>|<a href=x>|<a>|</a>|\
        <br>|<pre>|</pre>|<select><option>|</select>|<title>|</title>|<template>|</template>|<form>|</form>|word |two words |\
        漢字 |1 |&amp;|<|\n|\u{A0}|é|";

    fn soup() -> impl Strategy<Value = String> {
        let pieces = PIECES.split('|').chain([TEXT, "<title>T</title>"]).collect::<Vec<_>>();
        prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn soup_gives_a_part_of_its_text(html in soup()) {
            check(&html)?;
        }
    }
}
