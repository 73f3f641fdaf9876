//! No circle of files inside a crate: whoever reads a file can read first what it uses.
//!
//! The compiler keeps crates apart and lets the files of one name each other as they like, so this reads them. File A
//! uses file B where its code, tests aside, names an item that B defines, wherever a `pub use` passes it on. A parent
//! that only passes on what its children define does not use them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::rows::{ROWS, root, sources};

type Module = Vec<String>;

/// One file of a crate, as far as names go.
#[derive(Default)]
struct File {
    /// What it defines.
    items: BTreeSet<String>,
    /// Names that `use` brings in: as they are called here, the path they stand for, whether they are passed on.
    imports: Vec<(String, Module, bool)>,
    /// Other paths in its code.
    paths: Vec<Module>,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The code of a file without comments, strings and tests.
fn code(text: &str) -> String {
    let (mut out, mut test_at) = (String::new(), None::<usize>);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if let Some(at) = test_at {
            if indent == at && bare.starts_with('}') {
                test_at = None;
            }
            continue;
        }
        if bare.starts_with("#[cfg(test)]") {
            if lines.peek().is_some_and(|next| next.trim_end().ends_with('{')) {
                test_at = Some(indent);
            }
            lines.next();
            continue;
        }
        out.push_str(bare.split("//").next().unwrap_or_default());
        out.push('\n');
    }
    let mut quoted = false;
    let mut before = ' ';
    out.retain(|c| {
        let is_quote = c == '"' && before != '\\' && before != '\'';
        before = c;
        quoted ^= is_quote;
        !quoted && !is_quote
    });
    out
}

/// The paths of a `use` tree, each with the name that it brings in.
fn tree(prefix: &Module, text: &str, out: &mut Vec<(String, Module)>) {
    let text = text.trim();
    if let Some(open) = text.find('{').filter(|open| text[..*open].ends_with("::") || *open == 0) {
        let mut prefix = prefix.clone();
        prefix.extend(text[..open].split("::").filter(|part| !part.is_empty()).map(|part| part.trim().to_owned()));
        let (mut depth, mut from) = (0, open + 1);
        for (at, c) in text.char_indices().skip(open) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if (c == ',' && depth == 1) || depth == 0 {
                tree(&prefix, &text[from..at], out);
                from = at + 1;
            }
            if depth == 0 {
                return;
            }
        }
        return;
    }
    if text.is_empty() {
        return;
    }
    let (path, name) = text.split_once(" as ").unwrap_or((text, ""));
    let mut whole = prefix.clone();
    whole.extend(path.trim().split("::").map(|part| part.trim().to_owned()));
    if whole.last().is_some_and(|last| last == "self") {
        whole.pop();
    }
    let name = if name.is_empty() { whole.last().cloned().unwrap_or_default() } else { name.trim().to_owned() };
    out.push((name, whole));
}

fn read(text: &str) -> File {
    const KINDS: [&str; 8] = ["fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ", "macro_rules! "];
    let mut file = File::default();
    let code = code(text);
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        // The last `use` of the statement: attributes and other items may stand before it.
        let at = statement.rfind("\nuse ").map(|at| (at + 1, false));
        let at = at.or_else(|| statement.starts_with("use ").then_some((0, false)));
        let at = at.or_else(|| statement.rfind("\npub use ").map(|at| (at + 1, true)));
        let at = at.or_else(|| statement.starts_with("pub use ").then_some((0, true)));
        let at = at.or_else(|| {
            let at = statement.rfind("\npub(")?;
            statement[at..].contains(") use ").then_some((at + 1, true))
        });
        let Some((at, public)) = at else {
            rest.push_str(statement);
            continue;
        };
        rest.push_str(&statement[..at]);
        let tail = statement[at..].split_once("use ").map_or("", |(_, tail)| tail);
        let mut found = Vec::new();
        tree(&Vec::new(), tail.trim_end_matches(';'), &mut found);
        file.imports.extend(found.into_iter().map(|(name, path)| (name, path, public)));
    }
    for line in rest.lines() {
        let mut line = line;
        if line.starts_with("pub(") {
            line = line.split_once(") ").map_or(line, |(_, line)| line);
        }
        for front in ["pub ", "unsafe ", "async "] {
            line = line.strip_prefix(front).unwrap_or(line);
        }
        line = line.strip_prefix("const fn ").map_or(line, |_| &line[6..]);
        for kind in KINDS {
            if let Some(name) = line.strip_prefix(kind) {
                file.items.insert(name.chars().take_while(|c| is_word(*c)).collect());
            }
        }
    }
    for (at, _) in rest.match_indices("::") {
        let front = &rest[..at];
        let start = front.rfind(|c| !is_word(c)).map_or(0, |i| i + front[i..].chars().next().map_or(1, char::len_utf8));
        if front[..start].ends_with("::") || start == at {
            continue;
        }
        let end = rest[start..].find(|c| !is_word(c) && c != ':').map_or(rest.len(), |end| start + end);
        file.paths.push(rest[start..end].split("::").map(str::to_owned).collect());
    }
    file
}

/// The files of a crate by their modules.
struct Crate {
    files: BTreeMap<Module, File>,
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut tests: Vec<Module> = Vec::new();
        for path in sources(folder) {
            let inside = path.strip_prefix(folder).unwrap().with_extension("");
            let parts = inside.iter().map(|part| part.to_str().unwrap().to_owned());
            let module: Module = parts.filter(|part| !["lib", "mod"].contains(&part.as_str())).collect();
            let text = fs::read_to_string(&path).unwrap();
            for (before, line) in text.lines().zip(text.lines().skip(1)) {
                let name = line.split_once("mod ").map(|(_, name)| name.trim_end_matches(';').to_owned());
                if let Some(name) = name.filter(|_| before == "#[cfg(test)]" && line.ends_with(';')) {
                    tests.push([module.clone(), vec![name]].concat());
                }
            }
            files.insert(module, read(&text));
        }
        files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Self { files }
    }

    /// The file that defines what a path names, as the file of `from` sees it.
    fn defines(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut module = from.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (module, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let file = self.files.get(from)?;
                let child = [from.clone(), vec![first.to_owned()]].concat();
                if !self.files.contains_key(&child) {
                    let (_, to, _) = file.imports.iter().find(|(name, _, _)| name == first)?;
                    if depth > 8 || to.first().is_some_and(|start| start == first && to.len() == 1) {
                        return None;
                    }
                    return self.defines(from, &[to, &rest[1..]].concat(), depth + 1);
                }
            }
        }
        while let Some(next) = rest.first() {
            let child = [module.clone(), vec![next.clone()]].concat();
            if !self.files.contains_key(&child) {
                break;
            }
            (module, rest) = (child, &rest[1..]);
        }
        let item = rest.first()?;
        let file = self.files.get(&module)?;
        if file.items.contains(item) || depth > 8 {
            return Some(module);
        }
        let (_, to, _) = file.imports.iter().find(|(name, _, _)| name == item)?;
        self.defines(&module, &[to, &rest[1..]].concat(), depth + 1)
    }

    /// Which files each file uses, with one name for each.
    fn uses(&self) -> BTreeMap<&Module, BTreeMap<Module, String>> {
        let mut all = BTreeMap::new();
        for (module, file) in &self.files {
            let mut uses: BTreeMap<Module, String> = BTreeMap::new();
            let imports = file.imports.iter().filter(|(_, _, public)| !public).map(|(_, path, _)| path);
            for path in imports.chain(&file.paths) {
                if let Some(to) = self.defines(module, path, 0).filter(|to| to != module) {
                    uses.entry(to).or_insert_with(|| path.join("::"));
                }
            }
            all.insert(module, uses);
        }
        all
    }

    /// The circles: files that reach each other.
    fn circles(&self) -> Vec<String> {
        let uses = self.uses();
        let reach = |from: &Module| {
            let mut seen: BTreeSet<&Module> = BTreeSet::new();
            let mut open: Vec<&Module> = uses[from].keys().collect();
            while let Some(module) = open.pop() {
                if seen.insert(module) {
                    open.extend(uses.get(module).into_iter().flat_map(BTreeMap::keys));
                }
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            uses.keys().map(|module| (*module, reach(module))).collect();
        let mut circles: BTreeSet<Vec<&Module>> = BTreeSet::new();
        for (module, seen) in &reached {
            if seen.contains(*module) {
                circles.insert(seen.iter().copied().filter(|other| reached[other].contains(*module)).collect());
            }
        }
        let name = |module: &Module| if module.is_empty() { "the root".to_owned() } else { module.join("/") };
        let mut said = Vec::new();
        for circle in circles {
            let mut text = format!("{} files", circle.len());
            for from in &circle {
                for (to, path) in uses[*from].iter().filter(|(to, _)| circle.contains(to)) {
                    text.push_str(&format!("\n    {} uses {} ({path})", name(from), name(to)));
                }
            }
            said.push(text);
        }
        said
    }
}

/// Circles that are still there, by crate. None may be added.
const LEFT: &[(&str, usize)] = &[("study", 7)];

#[test]
fn no_files_of_a_crate_use_each_other_in_a_circle() {
    for row in ROWS.concat() {
        let found = Crate::read(&root().join("src").join(row));
        assert!(found.files.len() > 5, "the files of {row} were not found");
        let circles = found.circles();
        let left = LEFT.iter().find(|(name, _)| *name == row).map_or(0, |(_, left)| *left);
        assert!(circles.len() <= left, "{} circles in {row}, not {left}:\n{}", circles.len(), circles.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Crate {
        let module = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Crate { files: files.iter().map(|(name, text)| (module(name), read(text))).collect() }
    }

    #[test]
    fn a_circle_is_seen_through_what_a_parent_passes_on() {
        let root = "pub mod a;\npub mod b;\npub use a::One;\npub use b::Two;\n";
        let a = "use crate::Two;\npub struct One(Two);\n";
        let b = "pub struct Two;\nfn f() -> super::One { todo() }\n";
        assert_eq!(of(&[("", root), ("a", a), ("b", b)]).circles().len(), 1);
        assert_eq!(of(&[("", root), ("a", a), ("b", "pub struct Two;\n")]).circles().len(), 0);
        let tested = "pub struct Two;\n#[cfg(test)]\nmod tests {\n    use crate::One;\n}\n";
        assert_eq!(of(&[("", root), ("a", a), ("b", tested)]).circles().len(), 0, "tests may name what they like");
    }

    #[test]
    fn trees_and_other_names_are_followed() {
        let a = "use super::{b::{self, Two as Second}, c};\nfn one() { c::three(); }\n";
        let (b, c) = ("pub struct Two;\n", "use crate::a;\npub fn three() { a::one(); }\n");
        assert_eq!(of(&[("", ""), ("a", a), ("b", b), ("c", c)]).circles().len(), 1);
        assert_eq!(
            of(&[("", ""), ("a", a), ("b", b), ("c", "pub fn three() {}\n// crate::a::one\n")]).circles().len(),
            0
        );
    }
}
