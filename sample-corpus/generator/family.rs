//! A *family* is one form filled in many times: the same words around other content. Its file under `families/` is a
//! base page with holes:
//!
//! - `var name: a | b | c` in the front matter is drawn once a member and written `{{name}}`;
//! - `{{?name}}` draws another value, none twice until all were drawn; `{{3-9}}` is a number, `{{100-900/50}}` one in
//!   steps of 50, `{a|b|c}` a choice;
//! - `{{Year}}`, `{{Month}}`, `{{Day}}` and `{{Weekday}}` are of the member's own date;
//! - `repeat 4-7: line` writes the line several times, each time drawn afresh and never twice the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    date::Date,
    rng::Rng,
    work::{Work, parse_meta},
};

/// A form and how often it is filled in.
#[derive(Debug)]
pub struct Family {
    /// The file's stem.
    pub name: String,
    /// Members in the old crawl.
    pub source: usize,
    /// Further members in the new one.
    pub target: usize,
    kind: Kind,
    head: BTreeMap<String, String>,
    variables: Vec<(String, Vec<String>)>,
    body: String,
}

/// Who writes the members' text.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Form,
    BoxScore,
    Tides,
}

impl Family {
    /// Reads a family file.
    pub fn parse(name: &str, text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let variables = head
            .lines()
            .filter_map(|line| line.strip_prefix("var ")?.split_once(':'))
            .map(|(name, list)| (name.to_owned(), choices(list)))
            .collect();
        let meta = parse_meta(head);
        let count = |key: &str| meta.get(key).and_then(|v| v.parse().ok()).unwrap_or(0);
        Self {
            name: name.to_owned(),
            source: count("source"),
            target: count("target"),
            kind: match name {
                "box-score" => Kind::BoxScore,
                "tide-table" => Kind::Tides,
                _ => Kind::Form,
            },
            variables,
            body: if body.is_empty() { head } else { body }.to_owned(),
            head: meta,
        }
    }

    /// Fills in the form once. `late` members are dated between the crawls.
    pub fn member(&self, number: usize, late: bool, seed: u64) -> Work {
        let id = format!("{}-{number:03}", self.name);
        let mut rng = Rng::named(seed, &id);
        let date = Date {
            year: if late { rng.between(2009, 2011) } else { rng.between(2006, 2008) },
            month: rng.between(1, 12),
            day: rng.between(1, 28),
        };
        let text = match self.kind {
            Kind::Form => self.fill(date, &mut rng),
            Kind::BoxScore => crate::box_score::write(&self.body, date, &mut rng),
            Kind::Tides => crate::tides::write(&self.body, date, &mut rng),
        };
        let mut work = Work::parse(&id, &text);
        for key in ["site", "genre", "topic", "grade", "author", "board"] {
            if let Some(value) = self.head.get(key) {
                work.meta.insert(key.to_owned(), value.clone());
            }
        }
        work.meta.entry("date".to_owned()).or_insert_with(|| date.iso());
        let (low, high) = work.get("grade").rsplit_once('-').unwrap_or(("0", "0"));
        let (low, high) = (low.parse().unwrap_or(0), high.parse().unwrap_or(0));
        // TREC gives −2 to junk and never −1.
        let grade = match rng.between(low, high) {
            -1 => -2,
            grade => grade,
        };
        work.meta.insert("grade".to_owned(), grade.to_string());
        work.family = Some(self.name.clone());
        work.generated = true;
        work
    }

    fn fill(&self, date: Date, rng: &mut Rng) -> String {
        let mut scope = Scope::new(date);
        for (name, list) in &self.variables {
            let drawn = rng.pick(list).clone();
            let value = scope.expand(&drawn, rng);
            scope.lists.insert(name.clone(), list.clone());
            scope.values.insert(name.clone(), value);
        }
        let mut text = String::new();
        for key in ["title", "user"] {
            if let Some(value) = self.head.get(key) {
                let value = scope.expand(value, rng);
                text.push_str(&format!("{key}: {value}\n"));
            }
        }
        for name in ["price", "sku"] {
            if let Some(value) = scope.values.get(name) {
                text.push_str(&format!("{name}: {value}\n"));
            }
        }
        text.push('\n');
        for line in self.body.lines() {
            scope.write_line(line, rng, &mut text);
        }
        text
    }
}

fn choices(list: &str) -> Vec<String> {
    list.split(" | ").map(|v| v.trim().to_owned()).collect()
}

/// What the holes of one member are filled with.
struct Scope {
    lists: BTreeMap<String, Vec<String>>,
    values: BTreeMap<String, String>,
    /// What is left of each list for fresh draws.
    bags: BTreeMap<String, Vec<String>>,
}

impl Scope {
    fn new(date: Date) -> Self {
        let values = [
            ("Year", date.year.to_string()),
            ("Month", date.month_name().to_owned()),
            ("Day", date.day.to_string()),
            ("Weekday", date.weekday_name().to_owned()),
        ];
        Self {
            lists: BTreeMap::new(),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            bags: BTreeMap::new(),
        }
    }

    /// Another value of a variable than the member's own.
    fn another(&mut self, name: &str, rng: &mut Rng) -> Option<String> {
        let list = self.lists.get(name)?;
        let bag = self.bags.entry(name.to_owned()).or_default();
        if bag.is_empty() {
            bag.extend(list.iter().filter(|v| Some(*v) != self.values.get(name)).cloned());
            rng.shuffle(bag);
        }
        bag.pop()
    }

    fn write_line(&mut self, line: &str, rng: &mut Rng, out: &mut String) {
        let repeat = line.strip_prefix("repeat ").and_then(|r| r.split_once(": "));
        let Some((range, template)) = repeat else {
            out.push_str(&self.expand(line, rng));
            out.push('\n');
            return;
        };
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let times = rng.between(low.parse().unwrap_or(1), high.parse().unwrap_or(1));
        let mut seen = BTreeSet::new();
        for _ in 0..times {
            let row = self.expand(template, rng);
            if seen.insert(row.clone()) {
                out.push_str(&row);
                out.push('\n');
            }
        }
    }

    /// Fills every hole of `text`, from left to right.
    fn expand(&mut self, text: &str, rng: &mut Rng) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((name, after)) = rest.strip_prefix("{{").and_then(|r| r.split_once("}}")) {
                out.push_str(&self.hole(name, rng));
                rest = after;
            } else {
                let end = closing(rest);
                let options = alternatives(&rest[1..end]);
                let chosen = *rng.pick(&options);
                out.push_str(&self.expand(chosen, rng));
                rest = &rest[end + 1..];
            }
        }
        out.push_str(rest);
        out
    }

    fn hole(&mut self, name: &str, rng: &mut Rng) -> String {
        if let Some(name) = name.strip_prefix('?') {
            let drawn = self.another(name, rng).unwrap_or_default();
            return self.expand(&drawn, rng);
        }
        let (range, step) = name.split_once('/').unwrap_or((name, "1"));
        if let (Some((low, high)), Ok(step)) = (range.split_once('-'), step.parse::<i64>())
            && let (Ok(low), Ok(high)) = (low.parse::<i64>(), high.parse::<i64>())
        {
            return (low + step * rng.between(0, (high - low) / step.max(1))).to_string();
        }
        self.values.get(name).cloned().unwrap_or_default()
    }
}

/// The index of the brace that closes the one at the start; the last byte where none does.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return i,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len() - 1
}

/// Splits at the bars that stand outside inner braces.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
