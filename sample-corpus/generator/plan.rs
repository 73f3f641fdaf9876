//! Decides which pages stand in which crawl, and in what state.

use std::collections::BTreeSet;

use crate::{
    date::Date,
    edit::{self, Version},
    family::Family,
    rng::Rng,
    skin::{Dress, Wardrobe},
    url,
    work::{Block, Work},
};

/// A page of a crawl.
#[derive(Debug, Clone)]
pub struct Page {
    /// Index of what it says.
    pub work: usize,
    /// How the text was edited.
    pub version: Version,
    /// The text as edited.
    pub text: Vec<Block>,
    /// The template.
    pub dress: Dress,
    /// The day in its footer.
    pub stamp: Date,
    /// Its address, unique within its crawl.
    pub url: String,
    /// The page with a hole for the character set.
    pub html: String,
}

/// All works and the pages made of them.
#[derive(Debug)]
pub struct Plan {
    /// What pages say.
    pub works: Vec<Work>,
    /// Pages of the old crawl, in the order of their ids.
    pub source: Vec<Page>,
    /// Pages of the new crawl.
    pub target: Vec<Page>,
}

/// What becomes of a page between the crawls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Moved,
    Redated,
    Redressed,
    Touched,
    TouchedAndRedressed,
    Rewritten,
    RewrittenAndRedressed,
    Clipped,
    Halved,
    Replaced,
    Gone,
}

const BASE_DECK: [Fate; 20] = [
    Fate::Kept,
    Fate::Kept,
    Fate::Moved,
    Fate::Moved,
    Fate::Redated,
    Fate::Redated,
    Fate::Redated,
    Fate::Redressed,
    Fate::Redressed,
    Fate::Touched,
    Fate::Touched,
    Fate::TouchedAndRedressed,
    Fate::Rewritten,
    Fate::RewrittenAndRedressed,
    Fate::Clipped,
    Fate::Clipped,
    Fate::Halved,
    Fate::Replaced,
    Fate::Replaced,
    Fate::Gone,
];

const FAMILY_DECK: [Fate; 15] = [
    Fate::Kept,
    Fate::Kept,
    Fate::Moved,
    Fate::Redated,
    Fate::Redated,
    Fate::Redressed,
    Fate::Redressed,
    Fate::Touched,
    Fate::TouchedAndRedressed,
    Fate::Replaced,
    Fate::Gone,
    Fate::Gone,
    Fate::Gone,
    Fate::Gone,
    Fate::Gone,
];

/// A shuffled pack of fates that is taken up again when it runs out, so that the spread is even.
struct Deck {
    cards: &'static [Fate],
    rest: Vec<Fate>,
}

impl Deck {
    fn draw(&mut self, rng: &mut Rng) -> Fate {
        if self.rest.is_empty() {
            self.rest = self.cards.to_vec();
            rng.shuffle(&mut self.rest);
        }
        self.rest.pop().unwrap_or(Fate::Gone)
    }
}

/// Makes the plan while it goes along.
pub struct Planner<'a> {
    wardrobe: &'a Wardrobe,
    works: &'a [Work],
    rng: Rng,
    seed: u64,
}

impl<'a> Planner<'a> {
    /// A planner with a random stream of its own.
    pub fn new(works: &'a [Work], wardrobe: &'a Wardrobe, seed: u64) -> Self {
        Self { wardrobe, works, rng: Rng::named(seed, "plan"), seed }
    }

    /// The pages of the old crawl. `members` are the family works that belong to it.
    pub fn source(&mut self, members: &[usize]) -> Vec<Page> {
        let mut pages = Vec::new();
        for work in 0..self.works.len() {
            if !self.works[work].generated && !self.works[work].target_only() {
                self.add_with_variants(work, &mut pages);
            }
        }
        for &work in members {
            let day = self.old_day();
            let page = self.page(work, Version::Original, Dress::Old, day);
            if self.rng.chance(6) {
                let url = url::session(&page.url, &mut self.rng);
                pages.push(Page { url, ..page.clone() });
            }
            pages.push(page);
        }
        self.unique(&mut pages);
        self.rng.clone().shuffle(&mut pages);
        pages
    }

    fn add_with_variants(&mut self, work: usize, pages: &mut Vec<Page>) {
        let trap = self.works[work].get("trap").to_owned();
        let day = self.old_day();
        let mut page = self.page(work, Version::Original, Dress::Old, day);
        if trap == "truncated" {
            page.version = Version::Cut;
            // In the middle of a tag, in the middle of the article.
            let half = page.html.len() * 9 / 20;
            let at = page.html[half..].find("<t").map_or(half, |p| half + p + 2);
            page.html.truncate(at);
        }
        if trap.is_empty() {
            if self.rng.chance(32) {
                let mut print = self.page(work, Version::Original, Dress::Print, page.stamp);
                print.url = url::print(&page.url);
                pages.push(print);
            }
            if self.rng.chance(30) {
                pages.push(Page { url: url::mirror(&page.url, &mut self.rng), ..page.clone() });
            }
            if self.rng.chance(18) {
                pages.push(Page { url: url::session(&page.url, &mut self.rng), ..page.clone() });
            }
            if self.rng.chance(16) {
                let mut kept = self.page(work, Version::Original, Dress::Archive, page.stamp);
                kept.url = url::archived(&page.url, &mut self.rng);
                pages.push(kept);
            }
            if self.works[work].get("site") == "saucepan" && self.rng.chance(55) {
                let mut double = self.page(work, Version::Scaled(4), Dress::Old, page.stamp);
                double.url = format!("{}?serves=8", page.url);
                pages.push(double);
            }
        }
        pages.push(page);
    }

    /// The pages of the new crawl, `total` of them: what became of the source, then works the source never had.
    pub fn target(&mut self, source: &[Page], members: &[usize], total: usize) -> Vec<Page> {
        let mut taken = BTreeSet::new();
        let mut pages = Vec::new();
        let mut base = Deck { cards: &BASE_DECK, rest: Vec::new() };
        let mut family = Deck { cards: &FAMILY_DECK, rest: Vec::new() };
        let mut done = BTreeSet::new();
        for page in source {
            if !done.insert(page.work) {
                continue;
            }
            let generated = self.works[page.work].generated;
            let (deck, draws) = if generated { (&mut family, 1) } else { (&mut base, 4) };
            let mut fates = Vec::new();
            for _ in 0..draws {
                let fate = deck.draw(&mut self.rng);
                if !fates.contains(&fate) {
                    fates.push(fate);
                }
            }
            // Whoever keeps or takes over the address comes before those who would put up with another.
            fates.sort_by_key(|fate| !matches!(fate, Fate::Kept | Fate::Replaced));
            for fate in fates {
                pages.extend(self.befall(page, fate, members, &mut taken));
            }
        }
        self.add_newcomers(members, &mut pages);
        self.unique(&mut pages);
        pages.truncate(total);
        self.rng.clone().shuffle(&mut pages);
        pages
    }

    /// Carries out a fate on the page at its own address, whichever variant of it the source holds.
    fn befall(&mut self, page: &Page, fate: Fate, members: &[usize], taken: &mut BTreeSet<String>) -> Option<Page> {
        let work = page.work;
        let home = url::canonical(&self.works[work]);
        let new_day = self.new_day();
        let number = u8::try_from(self.rng.below(3)).unwrap_or(0);
        let mut made = match fate {
            Fate::Gone => return None,
            Fate::Kept | Fate::Moved => self.page(work, Version::Original, Dress::Old, page.stamp),
            Fate::Redated => self.page(work, Version::Original, Dress::Old, new_day),
            Fate::Redressed => self.page(work, Version::Original, Dress::New, new_day),
            Fate::Touched => self.page(work, Version::Light(number), Dress::Old, page.stamp),
            Fate::TouchedAndRedressed => self.page(work, Version::Light(number), Dress::New, new_day),
            Fate::Rewritten => self.page(work, Version::Heavy(number), Dress::Old, new_day),
            Fate::RewrittenAndRedressed => self.page(work, Version::Heavy(number), Dress::New, new_day),
            Fate::Clipped => self.page(work, Version::Excerpt(0), Dress::Digest, new_day),
            Fate::Halved => self.page(work, Version::Excerpt(1), Dress::Old, new_day),
            Fate::Replaced => {
                let successor = self.successor(work, members);
                self.page(successor, Version::Original, Dress::New, new_day)
            }
        };
        made.url = if fate == Fate::Clipped {
            url::digest(&self.works[work].id, &mut self.rng)
        } else if fate != Fate::Moved && taken.insert(home.clone()) {
            home
        } else if fate == Fate::Replaced {
            // The address is in use already.
            return None;
        } else {
            url::other(&home, &mut self.rng)
        };
        Some(made)
    }

    /// What stands at an address whose page has gone: another of its family, or a notice.
    fn successor(&mut self, work: usize, members: &[usize]) -> usize {
        let family = &self.works[work].family;
        let notices = (0..self.works.len()).filter(|w| self.works[*w].get("role") == "replacement");
        let choices: Vec<usize> = if family.is_some() {
            members.iter().copied().filter(|m| &self.works[*m].family == family).collect()
        } else {
            notices.collect()
        };
        *self.rng.pick(&choices)
    }

    /// Works that only the new crawl has.
    fn add_newcomers(&mut self, members: &[usize], pages: &mut Vec<Page>) {
        for work in (0..self.works.len()).filter(|w| self.works[*w].target_only()) {
            let day = self.new_day();
            pages.push(self.page(work, Version::Original, Dress::New, day));
            let mut print = self.page(work, Version::Original, Dress::Print, day);
            print.url = url::print(&print.url);
            pages.push(print);
        }
        for &work in members {
            let dress = if self.rng.chance(50) { Dress::Old } else { Dress::New };
            let day = self.new_day();
            pages.push(self.page(work, Version::Original, dress, day));
        }
    }

    fn page(&self, work: usize, version: Version, dress: Dress, stamp: Date) -> Page {
        let says = &self.works[work];
        let text = edit::apply(says, version, self.seed);
        let html = if says.get("trap") == "empty" {
            "<html><head><title></title></head>\n<body>\n\n</body></html>\n".to_owned()
        } else {
            self.wardrobe.dress(says, &text, dress, stamp)
        };
        Page { work, version, text, dress, stamp, url: url::canonical(says), html }
    }

    /// A day of the old crawl.
    fn old_day(&mut self) -> Date {
        Date { year: 2009, month: self.rng.between(1, 2), day: self.rng.between(1, 28) }
    }

    /// A day of the new crawl.
    fn new_day(&mut self) -> Date {
        Date { year: 2012, month: self.rng.between(2, 5), day: self.rng.between(1, 28) }
    }

    /// Gives a second page at one address another one.
    fn unique(&mut self, pages: &mut [Page]) {
        let mut seen = BTreeSet::new();
        for page in pages {
            while !seen.insert(page.url.clone()) {
                page.url = url::other(&page.url, &mut self.rng);
            }
        }
    }
}

/// Fills in every form: first the members of the old crawl, then those of the new one, all with different titles.
pub fn fill_families(families: &[Family], works: &mut Vec<Work>, extra: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut titles: BTreeSet<String> = works.iter().map(|w| w.get("title").to_owned()).collect();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for family in families {
        let wanted = family.source + family.target + extra;
        let (mut made, mut number) = (0, 1);
        while made < wanted && number < 1000 {
            let late = made >= family.source;
            let member = family.member(number, late, seed);
            number += 1;
            if titles.insert(member.get("title").to_owned()) {
                if late {
                    new.push(works.len())
                } else {
                    old.push(works.len())
                }
                works.push(member);
                made += 1;
            }
        }
    }
    (old, new)
}
