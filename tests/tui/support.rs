//! Studies and drivers for the tests.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use dejaview::labels::{Decisions, Event as Entry, EventKind, Journal, Label, Reading};
use dejaview::study::{SampleDraw, Session, Snapshot, unpack};
use dejaview::tui::action::ScreenId;
use dejaview::tui::app::{App, Options};
use dejaview::tui::book::Book;
use dejaview::tui::contract::{Done, Effect};
use dejaview::tui::event::{Event, Stamped};
use dejaview::tui::headless::Headless;
use dejaview::tui::jobs::Backend;
use dejaview::tui::outside::WriteFile;
use dejaview::tui::preferences::Preferences;
use dejaview::tui::screens::keys;
use dejaview::tui::screens::label::Label as LabelScreen;
use dejaview::tui::theme::Palette;
use dejaview::tui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::TempDir;

/// A folder of this process, made once; those of processes that are gone are removed.
fn shared(name: &str, make: impl FnOnce(&Path) -> PathBuf) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let pid = file.strip_prefix("tui-").and_then(|rest| rest.split('-').next().map(str::to_owned));
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let folder = root.join(format!("tui-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    make(&folder)
}

/// Runs a study and draws its sample.
fn run(study: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_dejaview")).arg("run").arg(study).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    draw_sample(study);
}

/// Draws the sample `default`: a hundred pairs of the first configuration.
fn draw_sample(study: &Path) {
    let study = Snapshot::open(study).unwrap();
    let first = study.recipe().configurations.first().unwrap().name.clone();
    dejaview::study::draw_sample(&study, &SampleDraw::simple("default", &first), None).unwrap();
}

/// The sample study, run, with its sample drawn. Not to be written: [`copy`] it for that.
pub fn sample() -> &'static Path {
    static SAMPLE: OnceLock<PathBuf> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        shared("sample", |folder| {
            let study = unpack(folder).unwrap();
            run(&study);
            study
        })
    })
}

/// Names as studies with many configurations have them.
pub const MANY: [&str; 30] = [
    "simhash-2",
    "simhash-3",
    "simhash-5",
    "simhash-2+3",
    "simhash-3+5",
    "supershingles",
    "megashingles",
    "imatch",
    "imatch-lexicons",
    "lex-rand",
    "md5",
    "tf",
    "tfidf",
    "tfridf",
    "long-sent",
    "heavy-sent",
    "log-shingles",
    "descr-words",
    "opt-freq",
    "decomposition",
    "sentences-words",
    "exact-jaccard",
    "bands",
    "minhash-84",
    "minhash-200",
    "modulo-25",
    "vocabulary",
    "spotsigs",
    "main-content",
    "best",
];

/// The sample study with thirty configurations. All are SimHash, whatever their names say: what is looked at is room.
pub fn many() -> &'static Path {
    static STUDY: OnceLock<PathBuf> = OnceLock::new();
    STUDY.get_or_init(|| {
        shared("many", |folder| {
            let study = unpack(folder).unwrap();
            let recipe = fs::read_to_string(study.join("study.toml")).unwrap();
            let (head, _) = recipe.split_once("[[configuration]]").unwrap();
            let configuration = |(n, name): (usize, &&str)| {
                let (ngram, distance) = (1 + n % 7, n % 4);
                format!(
                    "[[configuration]]\nname = \"{name}\"\nmethod = \"simhash\"\nngrams = [{ngram}]\ndistance = {distance}\n"
                )
            };
            let configurations: String = MANY.iter().enumerate().map(configuration).collect();
            fs::write(study.join("study.toml"), format!("{head}{configurations}")).unwrap();
            run(&study);
            study
        })
    })
}

/// A copy of a study that a test may write to.
pub struct Copy(TempDir);

impl Copy {
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// What the journal of an annotator says now.
    pub fn reading(&self, annotator: &str) -> Reading {
        let path = self.path().join("labels").join(format!("{annotator}.jsonl"));
        Reading::parse(&fs::read(path).unwrap_or_default())
    }

    /// Labels that hold, of an annotator.
    pub fn labels(&self, annotator: &str) -> usize {
        self.reading(annotator).decisions.pairs(None).filter(|(_, _, standing)| standing.label().is_some()).count()
    }
}

pub fn copy(study: &Path) -> Copy {
    let folder = tempfile::tempdir().unwrap();
    copy_into(study, folder.path());
    Copy(folder)
}

/// Lets annotators of a copy see what labels say before they have finished a sample.
pub fn not_blind(study: &Copy) {
    let file = study.path().join("study.toml");
    let recipe = fs::read_to_string(&file).unwrap();
    let open = recipe.replacen("[labels]", "[labels]\nblind = false", 1);
    assert_ne!(open, recipe, "the study has a part about labels");
    fs::write(&file, open).unwrap();
}

/// Copies a study into a folder.
pub fn copy_into(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_into(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
            // A study knows by their times that its files are those it was run on.
            let time = entry.metadata().unwrap().modified().unwrap();
            fs::File::options().write(true).open(&target).unwrap().set_modified(time).unwrap();
        }
    }
}

/// The sample study with the labels of two annotators, who differ: the first hundred pairs of its sample, by the truth and a
/// few slips; one pair unsure, one flagged, some with notes, one asked again and answered otherwise, one contradiction.
pub fn disputed() -> &'static Path {
    static STUDY: OnceLock<PathBuf> = OnceLock::new();
    STUDY.get_or_init(|| {
        shared("disputed", |folder| {
            let study = folder.join("study");
            copy_into(sample(), &study);
            label_all(&study);
            study
        })
    })
}

fn label_all(study: &Path) {
    let truth = fs::read_to_string(study.join("truth.tsv")).unwrap();
    let near = ["exact-copy", "moved", "date-changed", "boilerplate-changed", "light-edit"];
    let is_near = |source: &str, target: &str| {
        let line = format!("{source}\t{target}\t");
        truth.lines().find_map(|row| row.strip_prefix(&line)).is_some_and(|relation| near.contains(&relation))
    };
    let drawn = dejaview::study::drawn_sample(&Snapshot::open(study).unwrap(), "default").unwrap();
    for (annotator, slips) in [("ann", 0), ("bob", 9)] {
        let mut journal = Journal::open(study, annotator).unwrap();
        let mut put = |what, source: &str, target: &str, repeat: bool| {
            let mut event = Entry::new(what, source, target, "2012-02-10T00:00:00Z").in_sample("default");
            event.circumstances.repeat = repeat.then_some(true);
            event.circumstances.dwell_ms = Some(4_200);
            journal.append(&event).unwrap();
        };
        for (n, pair) in drawn.pairs.iter().enumerate() {
            let slip = slips > 0 && n % slips == 4;
            let label = if is_near(&pair.source, &pair.target) != slip { Label::NearDuplicate } else { Label::Not };
            put(EventKind::Label(if n == 20 { Label::Unsure } else { label }), &pair.source, &pair.target, false);
            if n == 4 {
                put(EventKind::Note(format!("{annotator} looked at the dates")), &pair.source, &pair.target, false);
            }
            if n == 30 {
                put(EventKind::Flag(true), &pair.source, &pair.target, false);
            }
            if n == 60 && annotator == "ann" {
                put(EventKind::Label(Label::Unsure), &pair.source, &pair.target, true);
            }
        }
        // Three that join the first pair's documents to another's, and a fourth that says they are apart.
        let (first, other) = (&drawn.pairs[0], &drawn.pairs[1]);
        put(EventKind::Label(Label::NearDuplicate), &first.source, &first.target, false);
        put(EventKind::Label(Label::NearDuplicate), &other.source, &first.target, false);
        put(EventKind::Label(Label::NearDuplicate), &other.source, &other.target, false);
        put(EventKind::Label(Label::Not), &first.source, &other.target, false);
    }
}

/// A page of a made study: id, key of its text (`text` or `html`), text.
pub type MadePage<'a> = (&'a str, &'a str, String);

/// A study of pages that a test made up. Pages of equal words are found as pairs.
pub fn made(name: &str, source: &[MadePage<'_>], target: &[MadePage<'_>]) -> PathBuf {
    shared(name, |folder| {
        let lines = |pages: &[MadePage<'_>]| -> String {
            let line = |(id, key, text): &MadePage<'_>| {
                let mut object = serde_json::Map::new();
                object.insert("id".to_owned(), (*id).into());
                object.insert("url".to_owned(), format!("http://example.org/{id}").into());
                object.insert((*key).to_owned(), text.as_str().into());
                serde_json::Value::from(object).to_string() + "\n"
            };
            pages.iter().map(line).collect()
        };
        fs::write(folder.join("old.jsonl"), lines(source)).unwrap();
        fs::write(folder.join("new.jsonl"), lines(target)).unwrap();
        let recipe = format!(
            "name = \"{name}\"\n[source]\ndocuments = [\"old.jsonl\"]\n[[target]]\nsegment = \"00\"\ndocuments = [\"new.jsonl\"]\n"
        );
        fs::write(folder.join("study.toml"), recipe).unwrap();
        run(folder);
        folder.to_owned()
    })
}

/// What no page may do to a terminal: what it holds, one hostile thing a line.
pub fn hostile_text(last: &str) -> String {
    let zalgo = format!("combining e{}", "\u{301}\u{316}".repeat(40));
    let long = format!("long {}", "abcdefghi ".repeat(10_000));
    let unbroken = "x".repeat(100_000);
    let lines = [
        "plain words that both of the pages have in common so that they are found",
        "escape \u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7} \u{1b}]52;c;aGVsbG8=\u{1b}\\ \u{1b}P+q\u{1b}\\ \u{1b}c",
        "eight bit \u{9b}31m \u{90}q \u{9d}0;t\u{9c} \u{85} \u{80}",
        "bidi \u{202e}gnp.exe\u{202c} \u{2066}x\u{2069} \u{200f} \u{061c} \u{202a}a\u{202b}b\u{202d}",
        "zero \u{200b}width\u{200d}join\u{feff} \u{2060} \u{ad} \u{180e} \u{e0041}\u{e0042}",
        "wide 漢字とひらがな 한국어 ｆｕｌｌ ﾊﾟ",
        zalgo.as_str(),
        "emoji 👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ✈️ ❤️",
        "tabs\tone\ttwo\t\tfour",
        "controls \u{0}nul \u{8}back \u{7f}del \r return \u{b}vt \u{c}ff",
        "arabic مرحبا hebrew שלום",
        long.as_str(),
        unbroken.as_str(),
        "noncharacters \u{fffe} \u{10ffff} private \u{e000} replacement \u{fffd}",
        last,
    ];
    lines.join("\n")
}

/// A study of hostile pages: as text, and inside HTML.
pub fn hostile() -> &'static Path {
    static HOSTILE: OnceLock<PathBuf> = OnceLock::new();
    HOSTILE.get_or_init(|| {
        let html = |last: &str| {
            format!("<html><title>\u{1b}]0;t\u{7}</title><body><pre>{}</pre></body></html>", hostile_text(last))
        };
        made(
            "hostile",
            &[("old\u{202e}1", "text", hostile_text("ends here")), ("old-2", "html", html("ends here"))],
            &[("new\u{1b}[31m1", "text", hostile_text("ends there")), ("new-2", "html", html("ends there"))],
        )
    })
}

/// All screens, in the order of their digits.
pub fn screens() -> Vec<ScreenId> {
    keys().iter().map(|keys| keys.id).collect()
}

/// Opens a study without a terminal.
pub fn headless(study: &Path, size: (u16, u16), annotator: Option<&str>) -> Headless {
    Headless::open(Session::open(study).unwrap(), size, Palette::Auto, annotator).unwrap()
}

/// A key without modifiers.
pub fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// A character.
pub fn char(c: char) -> Event {
    key(KeyCode::Char(c))
}

/// Whether a line is drawn in reverse, as the row under the cursor is; its number.
pub fn selected_row(buffer: &Buffer) -> Option<u16> {
    let area = *buffer.area();
    let marked = |y: &u16| (0..area.width).any(|x| buffer[(x, *y)].symbol() == "▌");
    (1..area.height.saturating_sub(1)).find(marked)
}

/// Where the cursor of the first list is and how many rows it has, as its frame says: `3/120`.
pub fn position(headless: &Headless) -> Option<(usize, usize)> {
    let text = headless.text().replace(',', "");
    let number = |text: &str| text.parse::<usize>().ok();
    let pair = |word: &str| word.split_once('/').and_then(|(at, of)| Some((number(at)?, number(of)?)));
    // A line may hold the border of one pane beside a row of another.
    let borders = text.lines().flat_map(|line| line.split(['│', '┃'])).filter(|part| part.contains("──"));
    borders.flat_map(|line| line.split(' ').filter_map(pair).collect::<Vec<_>>()).next()
}

/// The text of the row under the cursor, from its sign to the border of its pane.
pub fn selected_text(buffer: &Buffer) -> Option<String> {
    let y = selected_row(buffer)?;
    let row: String = (0..buffer.area().width).map(|x| buffer[(x, y)].symbol()).collect();
    let text = row.split('▌').nth(1)?.split(['│', '┃']).next()?;
    Some(format!(" {text}"))
}

/// Cells drawn in reverse within the screen proper, as what is under the cursor is: column, line.
pub fn reversed(buffer: &Buffer) -> Vec<(u16, u16)> {
    use ratatui::style::Modifier;
    let area = *buffer.area();
    let places = (1..area.height.saturating_sub(1)).flat_map(|y| (0..area.width).map(move |x| (x, y)));
    places.filter(|&place| buffer[place].modifier.contains(Modifier::REVERSED)).collect()
}

/// The explorer with every moment in the hands of the test: nothing is answered, drawn or saved unless it says so.
pub struct Slow {
    pub app: App,
    pub at: Duration,
    /// Wishes that nobody has looked at, oldest first.
    pub wishes: VecDeque<Effect>,
    /// Events of the journal that the explorer wished to be saved.
    pub written: Vec<std::sync::Arc<dejaview::labels::Event>>,
    pub left: bool,
    backend: Backend,
}

impl Slow {
    pub fn open(study: &Path, screen: ScreenId) -> Self {
        let session = Session::open(study).unwrap();
        let (app, effects) = App::new(Options {
            title: String::new(),
            size: (100, 30),
            book: Book::new("ann", Decisions::default(), 1, None),
            ssh: false,
            clock: || "2012-02-10T00:00:00Z".to_owned(),
            screen,
            sample: Some("default".to_owned()),
            sample_is_chosen: true,
            at: None,
            calibrate: false,
            preferences: Preferences::default(),
        });
        let backend = Backend::new(session).only_looking();
        let mut slow =
            Self { app, at: Duration::ZERO, wishes: VecDeque::new(), written: Vec::new(), left: false, backend };
        slow.take(effects);
        slow
    }

    /// On Label, the first pair drawn and seen.
    pub fn labelling(study: &Path) -> Self {
        let mut slow = Self::open(study, LabelScreen::ID);
        slow.settle();
        slow.wait(1000);
        slow
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Journal(event) => self.written.push(event),
                Effect::Quit => self.left = true,
                // A name that was typed by chance would become a file in the folder that the tests run in.
                Effect::Run(job) if job.job::<WriteFile>().is_some_and(|file| file.path.is_relative()) => {}
                other => self.wishes.push_back(other),
            }
        }
    }

    pub fn wait(&mut self, milliseconds: u64) -> &mut Self {
        self.at += Duration::from_millis(milliseconds);
        self
    }

    pub fn send(&mut self, event: Event) -> &mut Self {
        let effects = self.app.update(Stamped { at: self.at, event });
        self.take(effects);
        self
    }

    /// Does what a wish asks for; the answer is for the test to send.
    pub fn perform(&self, wish: Effect) -> Option<Done> {
        match wish {
            Effect::Run(job) => job.run(&self.backend, &|| false),
            _ => None,
        }
    }

    /// A job panics.
    pub fn fail(&mut self, wish: Effect) -> &mut Self {
        if let Effect::Run(job) = wish {
            self.send(Event::Trouble { job: job.ticket, why: "a worker failed".to_owned() });
        }
        self
    }

    /// Answers the oldest wish.
    pub fn answer(&mut self) -> &mut Self {
        if let Some(done) = self.wishes.pop_front().and_then(|wish| self.perform(wish)) {
            self.send(Event::Done(done));
        }
        self
    }

    /// Draws, as the loop does.
    pub fn draw(&mut self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.app.shared.size.0, self.app.shared.size.1));
        view::draw(&self.app, &mut buffer);
        self.app.flushed(self.at);
        buffer
    }

    /// Answers everything, then draws.
    pub fn settle(&mut self) -> &mut Self {
        while !self.wishes.is_empty() {
            self.answer();
        }
        self.draw();
        self
    }

    /// The screen as text.
    pub fn text(&mut self) -> String {
        text(&self.draw())
    }

    /// Labels written so far.
    pub fn labels(&self) -> usize {
        self.written.iter().filter(|event| matches!(event.kind, dejaview::labels::EventKind::Label(_))).count()
    }
}

/// A buffer as text.
pub fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area().width).max(1);
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>() + "\n";
    buffer.content().chunks(width).map(row).collect()
}

/// The journal of a study, read as a later process would.
pub fn reopened(study: &Path, annotator: &str) -> Decisions {
    Journal::open(study, annotator).unwrap().reading().decisions.clone()
}
