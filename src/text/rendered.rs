//! A page as html2text renders it: a second opinion for people, never what is hashed or compared.
//!
//! html2text builds a tree, so its time can grow with the square of the nesting, and it cannot be interrupted. Hence
//! the guards: size and nesting are looked at first, the rendering runs on a thread of its own, and nobody waits longer
//! than the limit. A thread that was given up runs on to its end, unseen; there is never more than one, and while it
//! lives every other page is answered with [`NotRendered::Busy`].

use std::sync::mpsc;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use html2text::config;

use super::{layout_tables, nesting};
use dejaview_base::panics::catch_panic;

/// Columns to render to: lines are wrapped where they are drawn, and only longer words are cut here.
const WIDTH: usize = 10_000;

/// What a page may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of HTML. Rendering takes about 35 bytes of memory for each.
    pub bytes: usize,
    /// Elements inside each other. The time of nested blocks grows with its square: 10,000 take a third of a second.
    pub depth: usize,
    /// How long the caller waits.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 2_000_000, depth: 2_000, time: Duration::from_secs(2) }
    }
}

/// Why there is no rendered view, in words for the person who asked for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRendered {
    /// Over [`Limits::bytes`].
    #[error("the page has {bytes} bytes, and pages over {limit} are not rendered")]
    TooLarge { bytes: usize, limit: usize },
    /// Over [`Limits::depth`].
    #[error("the page nests elements more than {limit} deep")]
    TooDeep { limit: usize },
    /// Over [`Limits::time`].
    #[error("rendering the page takes more than {:.1} seconds", limit.as_secs_f64())]
    TooSlow { limit: Duration },
    /// Another page is being rendered and did not end in time.
    #[error("another page is still being rendered")]
    Busy,
    /// html2text gave up, or the system has no thread left.
    #[error("the page cannot be rendered: {0}")]
    Failed(String),
}

/// Renders a page with html2text: tables of data with aligned columns, `[ ]` around links and alternative texts of images,
/// `*` and numbers before list items, `#` before headings. The title is not part of it.
///
/// Calls from several threads wait for each other, at most as long as their limit.
pub fn rendered(html: &str, limits: Limits) -> Result<String, NotRendered> {
    if html.len() > limits.bytes {
        return Err(NotRendered::TooLarge { bytes: html.len(), limit: limits.bytes });
    }
    if nesting::is_deeper(html, limits.depth) {
        return Err(NotRendered::TooDeep { limit: limits.depth });
    }
    let html = html.to_owned();
    aside(limits.time, move || render(&html))
}

fn render(html: &str) -> Result<String, NotRendered> {
    let config = config::plain_no_decorate().no_table_borders().allow_width_overflow().link_footnotes(false);
    config
        .string_from_read(layout_tables::flatten(html).as_bytes(), WIDTH)
        .map_err(|error| NotRendered::Failed(error.to_string()))
}

/// Whether a page is being rendered.
static RENDERING: Mutex<bool> = Mutex::new(false);
/// Told when it is over.
static DONE: Condvar = Condvar::new();

/// Takes the one place for rendering, and gives it back when dropped.
struct Place;

impl Place {
    fn take(time: Duration) -> Option<Self> {
        let guard = RENDERING.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = DONE.wait_timeout_while(guard, time, |rendering| *rendering);
        let (mut rendering, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return None;
        }
        *rendering = true;
        Some(Self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *RENDERING.lock().unwrap_or_else(PoisonError::into_inner) = false;
        DONE.notify_one();
    }
}

/// Runs `work` on a thread of its own and waits for at most `time`.
fn aside(
    time: Duration,
    work: impl FnOnce() -> Result<String, NotRendered> + Send + 'static,
) -> Result<String, NotRendered> {
    let begun = Instant::now();
    let place = Place::take(time).ok_or(NotRendered::Busy)?;
    let (answer, answered) = mpsc::sync_channel(1);
    let thread = thread::Builder::new().name("rendering".into()).spawn(move || {
        let result = catch_panic(work);
        drop(place);
        // Nobody listens any more when the time is over.
        drop(answer.send(result.unwrap_or_else(|panic| Err(NotRendered::Failed(panic.to_string())))));
    });
    if let Err(error) = thread {
        return Err(NotRendered::Failed(error.to_string()));
    }
    let left = time.saturating_sub(begun.elapsed());
    answered.recv_timeout(left).unwrap_or(Err(NotRendered::TooSlow { limit: time }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tokens, extract};
    use dejaview_base::similarity::common;

    /// Tests share the one place, so they wait for each other.
    fn patient() -> Limits {
        Limits { time: Duration::from_secs(120), ..Limits::default() }
    }

    #[test]
    fn pages_by_example() {
        let page = "<title>T</title><h1>A</h1><p>b <a href=x>c</a><ol><li>d<li>e</ol><hr><table><tr><td>f<td>g</table>";
        let text = rendered(page, patient()).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines[..4], ["# A", "b [c]", "1. d", "2. e"]);
        assert_eq!(lines[4].split_whitespace().collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(rendered("", patient()), Ok(String::new()));
    }

    #[test]
    fn tables_are_aligned_and_indentation_stays() {
        let page = "<table><tr><th>Club<th>Won<tr><td>Port Ansel<td>41<tr><td>Wick<td>7</table>\
                    <pre>if x:\n    go()\n        on()</pre>";
        let text = rendered(page, patient()).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let columns: Vec<Option<usize>> = ["Won", "41", "7"].map(|word| lines.iter().find_map(|l| l.find(word))).into();
        assert!(columns[0].is_some() && columns.iter().all(|column| *column == columns[0]), "{text}");
        assert_eq!(lines[3..], ["if x:", "    go()", "        on()"], "{text}");
    }

    #[test]
    fn guards_say_why() {
        let limits = Limits { bytes: 9, ..patient() };
        let why = rendered("<p>longer", limits).and(rendered("<p>longer!", limits)).unwrap_err();
        assert_eq!(why.to_string(), "the page has 10 bytes, and pages over 9 are not rendered");
        let why = rendered(&"<div>".repeat(100_000), patient()).unwrap_err();
        assert_eq!(why.to_string(), "the page nests elements more than 2000 deep");
    }

    #[test]
    fn the_slow_and_the_broken_are_left_alone() {
        let (end, why) = loop {
            let (end, ended) = mpsc::channel::<()>();
            let slow = move || {
                ended.recv().ok();
                Ok("late".to_owned())
            };
            match aside(Duration::from_millis(200), slow) {
                // Another test holds the place.
                Err(NotRendered::Busy) => continue,
                other => break (end, other.unwrap_err()),
            }
        };
        assert_eq!(why.to_string(), "rendering the page takes more than 0.2 seconds");
        assert_eq!(aside(Duration::from_millis(1), || Ok("other".into())), Err(NotRendered::Busy));
        end.send(()).unwrap();
        assert_eq!(aside(Duration::from_secs(60), || Ok("next".into())), Ok("next".into()));
        let broken = aside(Duration::from_secs(60), || panic!("broken page")).unwrap_err();
        assert_eq!(broken.to_string(), "the page cannot be rendered: broken page");
    }

    /// Words of a text, folded and counted by hash; without the list numbers when they are html2text's.
    fn words(text: &str, rendered: bool) -> Vec<u64> {
        let mut tokens = Tokens::new();
        let mut words = Vec::new();
        for line in text.lines() {
            let line = line.trim_start_matches(['#', '>', '*', ' ']);
            let numbered = line.split_once(". ").filter(|(n, _)| rendered && n.parse::<i64>().is_ok());
            tokens.read(numbered.map_or(line, |(_, rest)| rest));
            words.extend(tokens.hashes());
        }
        words.sort_unstable();
        words
    }

    /// html2text as an oracle for our own text: 41 real pages have the same words, images and list numbers aside.
    #[test]
    fn rendered_pages_have_the_words_of_the_canonical_text() {
        let Some(data) = crate::skipping::data() else { return };
        let pages = std::fs::read_to_string(data.join("recrawl/old-few.jsonl")).unwrap();
        let (mut all, mut both, mut same, mut count) = (0, 0, 0, 0);
        for page in pages.lines() {
            let page: serde_json::Value = serde_json::from_str(page).unwrap();
            let html = page["html"].as_str().unwrap();
            let mut ours = String::new();
            extract(html, &mut ours);
            let has_title = html.to_ascii_lowercase().contains("<title>");
            let body = ours.split_once('\n').filter(|_| has_title).map_or(ours.as_str(), |(_, body)| body);
            let (ours, theirs) = (words(body, false), words(&rendered(html, patient()).unwrap(), true));
            let shared = common(&ours, &theirs);
            all += ours.len() + theirs.len() - shared;
            both += shared;
            same += usize::from(ours == theirs);
            count += 1;
        }
        println!("{same} of {count} pages have the same words; {both} of {all} words are on both sides");
        assert!(both as f64 >= 0.99 * all as f64);
    }
}
