//! The dialog that draws a sample. Every field shows its effect at once, and nothing is written before Enter.

mod draw;
mod jobs;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use self::jobs::{DrawSample, PreviewSample};
use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::data::StudyData;
use crate::key::Key;
use crate::shared::Shared;
use crate::widgets::prompt::Prompt;
use dejaview_evaluation::sample::StratifyBy;
use dejaview_study::{Importance, SampleDraw};

/// Pairs that are drawn unless a person wants others.
const PAIRS: &str = "100";
/// Characters that a field takes.
const LONGEST: usize = 40;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Draw,
    Cancel,
    NextField,
    PreviousField,
    NextChoice,
    PreviousChoice,
    /// Opens the list of configurations, or chooses the one under the cursor.
    Choose,
    /// Goes to the first configuration of the list, and to the last.
    Top,
    Bottom,
}

/// Keys on every field.
const KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Enter], Does::Draw, "draws"),
    OverlayKey::shown(&[Key::Esc, Key::Ctrl('c')], Does::Cancel, "cancels"),
    OverlayKey::shown(&[Key::Tab, Key::Down], Does::NextField, "next field"),
    OverlayKey::hidden(&[Key::BackTab, Key::Up], Does::PreviousField),
];

/// Further keys on the configurations, and on the design.
const CONFIGURATION_KEYS: &[OverlayKey<Does>] =
    &[OverlayKey::shown(&[Key::Char(' ')], Does::Choose, "choose configurations")];
const DESIGN_KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Left], Does::PreviousChoice, "another design"),
    OverlayKey::shown(&[Key::Right], Does::NextChoice, "another design"),
    OverlayKey::hidden(&[Key::Char(' ')], Does::NextChoice),
];

/// The keys of the list of configurations.
const LIST_KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Char(' ')], Does::Choose, "choose or not"),
    OverlayKey::shown(&[Key::Char('a')], Does::NextChoice, "all"),
    OverlayKey::shown(&[Key::Char('n')], Does::PreviousChoice, "none"),
    OverlayKey::shown(&[Key::Up, Key::Char('k')], Does::PreviousField, "move"),
    OverlayKey::shown(&[Key::Down, Key::Char('j')], Does::NextField, "move"),
    OverlayKey::hidden(&[Key::Char('g'), Key::Home], Does::Top),
    OverlayKey::hidden(&[Key::Char('G'), Key::End], Does::Bottom),
    OverlayKey::shown(&[Key::Enter, Key::Tab], Does::Draw, "done"),
    OverlayKey::shown(&[Key::Esc, Key::Ctrl('c')], Does::Cancel, "done"),
];

/// A line of the dialog that can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Configurations,
    Size,
    Design,
    Audit,
    Seed,
    Name,
}

impl Field {
    const ALL: [Self; 6] = [Self::Configurations, Self::Size, Self::Design, Self::Audit, Self::Seed, Self::Name];

    /// The field so many further on, around the end.
    fn after(self, steps: usize) -> Self {
        let at = Self::ALL.iter().position(|field| *field == self).unwrap_or_default();
        Self::ALL[(at + steps) % Self::ALL.len()]
    }

    /// The keys that work on this field alone.
    fn keys(self) -> &'static [OverlayKey<Does>] {
        match self {
            Self::Configurations => CONFIGURATION_KEYS,
            Self::Design => DESIGN_KEYS,
            Self::Size | Self::Audit | Self::Seed | Self::Name => &[],
        }
    }
}

/// How pairs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Design {
    /// Each pair with the same probability, within strata if there is something to divide by.
    Pairs(StratifyBy),
    Documents,
    Importance,
}

impl Design {
    const ALL: [Self; 9] = [
        Self::Pairs(StratifyBy::None),
        Self::Pairs(StratifyBy::Agreement),
        Self::Pairs(StratifyBy::Jaccard),
        Self::Pairs(StratifyBy::Segment),
        Self::Pairs(StratifyBy::Url),
        Self::Pairs(StratifyBy::Length),
        Self::Pairs(StratifyBy::Host),
        Self::Documents,
        Self::Importance,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Pairs(StratifyBy::None) => "simple random",
            Self::Pairs(by) => by.name(),
            Self::Documents => "documents",
            Self::Importance => "importance",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Pairs(StratifyBy::None) => "every pair is equally likely",
            Self::Pairs(StratifyBy::Agreement) => "strata by which configurations found the pair",
            Self::Pairs(StratifyBy::Jaccard) => "strata by Jaccard",
            Self::Pairs(StratifyBy::Segment) => "strata by segment of the target",
            Self::Pairs(StratifyBy::Url) => "strata: same URL or not",
            Self::Pairs(StratifyBy::Length) => "strata by length ratio",
            Self::Pairs(StratifyBy::Host) => "strata: same host or not (slow)",
            Self::Pairs(StratifyBy::Score) => "strata by the score of imported pairs",
            Self::Documents => "source documents, one pair of each",
            Self::Importance => "pairs that are probably true more often",
        }
    }
}

/// A configuration of the study in the list.
#[derive(Debug, Clone)]
struct Listed {
    name: String,
    /// Whether it finds pairs itself; others decide on the pairs of these.
    finds: bool,
    pairs: u64,
    chosen: bool,
}

/// The dialog.
#[derive(Debug)]
pub struct NewSample {
    field: Field,
    configurations: Vec<Listed>,
    /// The configuration under the cursor while their list is open.
    list: Option<usize>,
    size: Prompt,
    design: Design,
    audit: Prompt,
    seed: Prompt,
    name: Prompt,
    /// Names that samples of the study have already.
    taken: Vec<String>,
    /// Pairs that any configuration found.
    found: u64,
    /// Pairs of each hundred that come again.
    repeats: u64,
    /// The folder of the study, as a command names it.
    folder: String,
}

impl NewSample {
    /// Opens the dialog with all configurations chosen that find pairs themselves. Nothing is opened over a study without pairs.
    pub fn open(data: &StudyData, shared: &Shared) -> Vec<Request> {
        if data.trouble.is_some() || data.partial.is_some() {
            return Vec::new();
        }
        let (names, finding) = (data.recipe.configuration_names(), data.recipe.finding_configurations());
        let pairs = data.counts.iter().map(|counts| counts.0).chain(std::iter::repeat(0));
        let configurations = names.into_iter().zip(pairs).map(|(name, pairs)| {
            let finds = finding.contains(&name);
            Listed { name, pairs, finds, chosen: finds }
        });
        let taken = shared.sample_names();
        let number = (1..).find(|number| !taken.contains(&format!("s{number}"))).unwrap_or(1);
        let dialog = Self {
            field: Field::Size,
            configurations: configurations.collect(),
            list: None,
            size: Prompt::with(PAIRS),
            design: Design::Pairs(StratifyBy::None),
            audit: Prompt::with("0"),
            seed: Prompt::with(&number.to_string()),
            name: Prompt::with(&format!("s{number}")),
            taken,
            found: data.table.len() as u64,
            repeats: data.recipe.labels.repeats,
            folder: data.study.folder().display().to_string(),
        };
        let preview = dialog.preview();
        std::iter::once(Request::open(dialog)).chain(preview).collect()
    }

    /// The sample that is asked for, or why it cannot be drawn.
    fn asked(&self) -> Result<SampleDraw, String> {
        let chosen = self.configurations.iter().filter(|listed| listed.chosen).map(|listed| listed.name.clone());
        let configurations: Vec<String> = chosen.collect();
        let first = configurations.first().cloned().ok_or("Choose a configuration")?;
        let number = |prompt: &Prompt, what: &str| {
            prompt.text.parse::<u64>().map_err(|_| format!("{what} must be a whole number"))
        };
        let (size, audit, seed) =
            (number(&self.size, "Size")?, number(&self.audit, "Audit")?, number(&self.seed, "Seed")?);
        let name = self.name.text.trim();
        if size == 0 {
            return Err("A sample has at least one pair".to_owned());
        }
        if name.is_empty() {
            return Err("A sample needs a name".to_owned());
        }
        if self.taken.iter().any(|taken| taken == name) {
            return Err(format!("There is a sample {name} already. Choose another name"));
        }
        let by = if let Design::Pairs(by) = self.design { by } else { StratifyBy::None };
        Ok(SampleDraw {
            configurations,
            size,
            audit,
            seed,
            by,
            documents: self.design == Design::Documents,
            importance: (self.design == Design::Importance).then_some(Importance::Truth),
            ..SampleDraw::simple(name, &first)
        })
    }

    /// To see what the sample would be.
    fn preview(&self) -> Option<Request> {
        self.asked().ok().map(|draw| Request::job(PreviewSample { draw }))
    }

    /// The command that draws the same sample.
    fn command(&self, draw: &SampleDraw) -> String {
        let finding = self.configurations.iter().filter(|listed| listed.finds);
        let all: Vec<String> = finding.map(|listed| listed.name.clone()).collect();
        let folder = dejaview_base::shell::quoted(&self.folder);
        let options: Vec<String> = draw.options(&all).iter().map(|word| dejaview_base::shell::quoted(word)).collect();
        format!("dejaview sample {folder} {}", options.join(" "))
    }

    fn prompt(&mut self) -> Option<&mut Prompt> {
        match self.field {
            Field::Size => Some(&mut self.size),
            Field::Audit => Some(&mut self.audit),
            Field::Seed => Some(&mut self.seed),
            Field::Name => Some(&mut self.name),
            Field::Configurations | Field::Design => None,
        }
    }

    /// A key while the list of configurations is open.
    fn list_key(&mut self, key: Key, at: usize) -> Answer {
        let last = self.configurations.len().saturating_sub(1);
        match OverlayKey::resolve(LIST_KEYS, key) {
            Some(Does::Choose) => self.configurations[at].chosen ^= true,
            Some(Does::NextChoice) => self.configurations.iter_mut().for_each(|listed| listed.chosen = true),
            Some(Does::PreviousChoice) => self.configurations.iter_mut().for_each(|listed| listed.chosen = false),
            Some(Does::PreviousField) => self.list = Some(at.saturating_sub(1)),
            Some(Does::NextField) => self.list = Some((at + 1).min(last)),
            Some(Does::Top) => self.list = Some(0),
            Some(Does::Bottom) => self.list = Some(last),
            Some(Does::Draw | Does::Cancel) => self.list = None,
            None => return Answer::Stays,
        }
        Answer::Asks(self.preview().into_iter().collect())
    }

    /// Goes through the designs.
    fn choose_design(&mut self, steps: usize) {
        let at = Design::ALL.iter().position(|design| *design == self.design).unwrap_or_default();
        self.design = Design::ALL[(at + steps) % Design::ALL.len()];
    }

    /// Types into the field; numbers take digits alone.
    fn type_key(&mut self, event: &KeyEvent) {
        let digits = self.field != Field::Name;
        if let Some(prompt) = self.prompt() {
            prompt.key(event);
            let kept: String = prompt.text.chars().filter(|c| !digits || c.is_ascii_digit()).take(LONGEST).collect();
            if kept != prompt.text {
                *prompt = Prompt::with(&kept);
            }
        }
    }
}

impl Overlay for NewSample {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let Some(key) = Key::of(event) else { return Answer::Stays };
        if let Some(at) = self.list {
            return self.list_key(key, at);
        }
        let own = self.field.keys();
        match OverlayKey::resolve(KEYS, key).or_else(|| OverlayKey::resolve(own, key)) {
            Some(Does::Draw) => match self.asked() {
                Ok(draw) => return Answer::Closed(vec![Request::job(DrawSample { draw })]),
                Err(why) => {
                    shared.message = Some(why);
                    return Answer::Stays;
                }
            },
            Some(Does::Cancel) => return Answer::Closed(Vec::new()),
            Some(Does::NextField) => self.field = self.field.after(1),
            Some(Does::PreviousField) => self.field = self.field.after(Field::ALL.len() - 1),
            Some(Does::NextChoice) => self.choose_design(1),
            Some(Does::PreviousChoice) => self.choose_design(Design::ALL.len() - 1),
            Some(Does::Choose) => self.list = Some(0),
            None if own.is_empty() => self.type_key(event),
            None | Some(Does::Top | Does::Bottom) => return Answer::Stays,
        }
        Answer::Asks(self.preview().into_iter().collect())
    }

    fn paste(&mut self, text: &str, _: &mut Shared) -> bool {
        let digits = self.field != Field::Name;
        let fits = !digits || text.chars().all(|c| c.is_ascii_digit());
        match self.prompt().filter(|_| fits) {
            Some(prompt) => {
                prompt.paste(text);
                true
            }
            None => false,
        }
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        match self.list {
            Some(_) => OverlayKey::bar(LIST_KEYS),
            None => OverlayKey::bar(self.field.keys()).into_iter().chain(OverlayKey::bar(KEYS)).collect(),
        }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        self.draw_dialog(buffer, area, shared);
    }
}
