//! Pairs and groups as JSON lines.

use serde_json::{Map, Value};

use super::list::{LineError, ListLine, PairList, blank, edge};
use super::table::{DISTANCE, SCORE, SOURCE, TARGET, plain};
use dejaview_base::json::fault_in_line;

/// Keys under which a group lists its members.
const MEMBERS: [&str; 5] = ["equivalentdocuments", "group", "ids", "documents", "members"];
/// Key under which CopyCat's transfer lists targets.
const TARGETS: [&str; 2] = ["targetdocs", "targets"];

pub(super) fn parse(text: &str) -> PairList {
    let mut list = PairList::default();
    let names = FileNames::of(text);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !blank(line)) {
        let object = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => {
                list.unread(number + 1, "not a JSON object");
                continue;
            }
            Err(error) => {
                list.unread(number + 1, format!("not JSON: {}", fault_in_line(&error)));
                continue;
            }
        };
        for read in lines(&object, &names) {
            match read {
                Ok(line) => list.add(number + 1, line),
                Err(reason) => list.unread(number + 1, reason.to_string()),
            }
        }
    }
    list
}

/// The names under which objects have scores and distances: of several those that tables count by, too.
#[derive(Debug, Clone, Copy)]
struct Names {
    score: Option<&'static str>,
    distance: Option<&'static str>,
}

/// Those of pairs, and those of targets that a source lists.
#[derive(Debug, Clone, Copy)]
struct FileNames {
    pairs: Names,
    targets: Names,
}

impl FileNames {
    fn of(text: &str) -> Self {
        let (mut pairs, mut targets) = (Places::default(), Places::default());
        for object in text.lines().filter_map(|line| serde_json::from_str::<Map<String, Value>>(line).ok()) {
            match get(&object, &TARGETS) {
                Some(Value::Array(listed)) => {
                    listed.iter().filter_map(Value::as_object).for_each(|one| targets.see(one))
                }
                _ => pairs.see(&object),
            }
        }
        Self { pairs: pairs.names(), targets: targets.names() }
    }
}

/// Places of the first names that had a value so far.
struct Places {
    score: usize,
    distance: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self { score: SCORE.len(), distance: DISTANCE.len() }
    }
}

impl Places {
    fn see(&mut self, object: &Map<String, Value>) {
        self.score = self.score.min(first_with_value(object, &SCORE[..self.score]));
        self.distance = self.distance.min(first_with_value(object, &DISTANCE[..self.distance]));
    }

    fn names(&self) -> Names {
        Names { score: SCORE.get(self.score).copied(), distance: DISTANCE.get(self.distance).copied() }
    }
}

/// The place of the first name under which an object has a value; behind all of them where it has none.
fn first_with_value(object: &Map<String, Value>, names: &[&str]) -> usize {
    let has_value = |name: &&str| get(object, &[*name]).is_some_and(|value| !value.is_null());
    names.iter().position(has_value).unwrap_or(names.len())
}

/// What one object says: a group, a source with its targets, or a pair.
fn lines(object: &Map<String, Value>, names: &FileNames) -> Vec<Result<ListLine, LineError>> {
    if let Some(Value::Array(members)) = get(object, &MEMBERS) {
        return vec![group(members)];
    }
    let Some(source) = get(object, &SOURCE).and_then(id) else {
        return vec![Err(LineError::NoSource)];
    };
    if let Some(Value::Array(targets)) = get(object, &TARGETS) {
        return targets.iter().map(|target| one_of(&source, target, names.targets)).collect();
    }
    vec![pair(&source, object, names.pairs)]
}

/// A target of a list: an object with an id and a score, or an id.
fn one_of(source: &str, target: &Value, names: Names) -> Result<ListLine, LineError> {
    match target {
        Value::Object(target) => pair(source, target, names),
        other => edge(source, &id(other).ok_or(LineError::Target)?, None, None),
    }
}

fn pair(source: &str, object: &Map<String, Value>, names: Names) -> Result<ListLine, LineError> {
    let target = get(object, &TARGET).or_else(|| object.get("id")).and_then(id);
    let target = target.ok_or(LineError::NoTarget)?;
    let number = |name: Option<&str>| match name.and_then(|name| get(object, &[name])) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or_else(|| LineError::Number(value.clone())),
    };
    let distance = match number(names.distance)? {
        None => None,
        Some(d) if d.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&d) => Some(d as u16),
        Some(d) => return Err(LineError::Distance(d.to_string())),
    };
    edge(source, &target, number(names.score)?, distance)
}

fn group(members: &[Value]) -> Result<ListLine, LineError> {
    let ids: Option<Vec<String>> = members.iter().map(id).collect();
    match ids {
        Some(ids) if ids.len() > 1 => Ok(ListLine::Group(ids)),
        Some(_) => Err(LineError::SmallGroup),
        None => Err(LineError::Member),
    }
}

/// The value of the first key that goes by one of these names.
fn get<'a>(object: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| object.iter().find(|(key, _)| plain(key) == **name)).map(|(_, value)| value)
}

/// Ids are texts, or numbers as written.
fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
