//! Pairs of other tools in a study: read from the files that a configuration names, scored where both texts are there.
//!
//! A pair whose documents are both read is recorded in the pass over its target's segment, like a pair that was found. The
//! others (all of them in a study without documents) make a segment of their own, [`IMPORTED`], behind all others: ids and
//! what the file says, no texts and no similarities.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::StudyError;
use crate::recipe::files::{IMPORTED, Segment, list_files};
use crate::run::manifest::{Facts, FileFacts, NOT_A_PAIR, REPEATED_PAIR, UNJUDGED_GROUP};
use crate::run::skips::{ListedSkip, SkipList};
use crate::session::Session;
use dejaview_base::progress::Progress;
use dejaview_corpus::qrels::Judgments;
use dejaview_matching::import::{self, Imported, ImportedPair, Imports, NamedPair, NamedPairs, RepeatedPair};
use dejaview_matching::pairs::{FoundPair, PairRows, PairsFile, write_ids};
use dejaview_matching::pass::{self, ITSELF};
use dejaview_matching::source::Source;
use dejaview_matching::{ConfigurationNumber, DocumentNumber, MatchingError};
use dejaview_methods::measures::Common;

/// All imported pairs of a study, by number of their configuration.
#[derive(Debug, Default)]
pub(crate) struct StudyImports {
    by_configuration: BTreeMap<usize, Imports>,
    /// The files that were read, relative to the study.
    files: Vec<String>,
    skipped: Vec<ListedSkip>,
    /// What is said of files that give no pair.
    pub(crate) remarks: Vec<String>,
}

/// Reads the files of all configurations that import pairs.
pub(crate) fn read_imports(session: &Session, judgments: Option<&Judgments>) -> Result<StudyImports, StudyError> {
    let mut all = StudyImports::default();
    let judged = |id: &str| judgments.is_some_and(|j| j.document(id).is_some());
    let judged: Option<&dyn Fn(&str) -> bool> = if judgments.is_some() { Some(&judged) } else { None };
    for (c, configuration) in session.recipe().configurations.iter().enumerate() {
        let Some(pattern) = &configuration.pairs else { continue };
        let mut imports = Imports::default();
        for path in list_files(session.folder(), pattern)? {
            let list = import::read(&path)?;
            let name = path.strip_prefix(session.folder()).unwrap_or(&path).to_string_lossy().into_owned();
            if let (true, Some(first)) = (list.lines.is_empty(), list.unread.first()) {
                all.remarks.push(format!("{name} gives no pair; line {}: {}", first.line, first.reason));
            }
            all.skipped.extend(list.unread.iter().map(|unread| {
                let detail = format!("line {}: {}", unread.line, unread.reason);
                ListedSkip::new(&name, unread.line, NOT_A_PAIR, &detail)
            }));
            imports.add(all.files.len() as u32, list, judged);
            all.files.push(name);
        }
        imports.finish();
        let repeated: Vec<ListedSkip> = imports.repeated.iter().map(|repeated| all.repeated(repeated)).collect();
        all.skipped.extend(repeated);
        if imports.unjudged_groups > 0 {
            let detail =
                format!("{} groups of {} hold no judged document", imports.unjudged_groups, configuration.name);
            all.skipped.push(ListedSkip::new(&pattern.glob, 0, UNJUDGED_GROUP, &detail));
        }
        all.by_configuration.insert(c, imports);
    }
    Ok(all)
}

/// The files that pairs are imported from, as they are now.
pub(crate) fn import_files(session: &Session) -> Result<Vec<FileFacts>, StudyError> {
    let mut files = Vec::new();
    for pattern in session.recipe().configurations.iter().filter_map(|c| c.pairs.as_ref()) {
        for input in crate::recipe::files::inputs(session.folder(), session.recipe(), std::slice::from_ref(pattern))? {
            files.push(FileFacts::new(&input, 0));
        }
    }
    Ok(files)
}

/// Writes the segment of imported pairs that no other segment holds, and returns the facts that finish it.
pub(crate) fn write_imported(
    session: &Session,
    imports: &StudyImports,
    segments: &[Segment],
) -> Result<Facts, StudyError> {
    let mut counts = BTreeMap::new();
    let others = segments.iter().filter(|segment| !segment.imported);
    let workspace = session.workspace();
    let mut known = BTreeSet::new();
    for name in others.map(|segment| &segment.name) {
        let facts = Facts::read(&workspace.segment(name))?.unwrap_or_default();
        if facts.skipped.counts().contains_key(ITSELF) {
            facts.skipped.each(&workspace.skipped_of(name), name, &mut |skipped| {
                known.extend((skipped.reason == ITSELF).then_some(skipped.detail));
                true
            })?;
        }
    }
    let mut itself = BTreeSet::new();
    for (c, configuration) in session.recipe().configurations.iter().enumerate() {
        let mut files = Vec::new();
        if configuration.pairs.is_some() {
            for segment in segments.iter().filter(|segment| !segment.imported) {
                files.push(PairsFile::open(&session.workspace().pairs(&configuration.name, &segment.name))?);
            }
        }
        let (same, unplaced): (Vec<UnplacedPair<'_>>, _) =
            imports.pairs_in_none_of(c, &files).into_iter().partition(|pair| pair.source == pair.target);
        itself.extend(
            same.iter().filter(|pair| !known.contains(pair.source)).map(|pair| (pair.file, pair.line, pair.source)),
        );
        write_pairs(&session.workspace().pairs(&configuration.name, IMPORTED), &unplaced)?;
        counts.insert(configuration.name.clone(), unplaced.len() as u64);
    }
    let listed = |(file, line, id): (u32, u64, &str)| {
        ListedSkip::new(imports.file(file), line, ITSELF, &format!("line {line}: {id}"))
    };
    let itself: Vec<ListedSkip> = itself.into_iter().map(listed).collect();
    let progress = Progress::default();
    let list = SkipList::new(&[], workspace.skipped_of(IMPORTED), &progress);
    imports.skipped.iter().chain(&itself).enumerate().for_each(|(order, skip)| list.add(order, skip));
    Facts { pairs: counts, skipped: list.finish()?, ..Facts::default() }.with_pair_files(workspace, IMPORTED)
}

/// An imported pair that no other segment holds.
struct UnplacedPair<'a> {
    source: &'a str,
    target: &'a str,
    distance: u16,
    values: Imported,
    /// Where it was read first, as in [`ImportedPair`].
    file: u32,
    line: u64,
}

fn write_pairs(path: &Path, pairs: &[UnplacedPair<'_>]) -> Result<(), MatchingError> {
    let sources: Vec<&str> = pairs.iter().map(|pair| pair.source).collect::<BTreeSet<_>>().into_iter().collect();
    let targets: Vec<&str> = pairs.iter().map(|pair| pair.target).collect::<BTreeSet<_>>().into_iter().collect();
    let number = |ids: &[&str], id: &str| DocumentNumber::at(ids.binary_search(&id).unwrap_or_default());
    let found = |pair: &UnplacedPair<'_>| FoundPair {
        source: number(&sources, pair.source),
        target: number(&targets, pair.target),
        same_url: false,
        common: Common::default(),
    };
    let found: Vec<FoundPair<DocumentNumber>> = pairs.iter().map(found).collect();
    let hits: Vec<(u32, u16)> = (0u32..).zip(pairs).map(|(i, pair)| (i, pair.distance)).collect();
    let imported: Vec<Imported> = pairs.iter().map(|pair| pair.values).collect();
    let rows = PairRows { imported: &imported, ..PairRows::found(&found, &hits) };
    write_ids(path, &sources, &targets, rows)
}

impl StudyImports {
    /// The name of a file by its number.
    fn file(&self, number: u32) -> &str {
        &self.files[number as usize]
    }

    /// A line of a pair that was read before.
    fn repeated(&self, repeated: &RepeatedPair) -> ListedSkip {
        let RepeatedPair { again: ImportedPair { pair, file, line, .. }, first } = repeated;
        let place = if first.0 == *file { String::new() } else { format!(" of {}", self.file(first.0)) };
        let detail = format!("line {line}: {} {}, as in line {}{place}", pair.source, pair.target, first.1);
        ListedSkip::new(self.file(*file), *line, REPEATED_PAIR, &detail)
    }

    /// The pairs whose source document is there, for a pass to record.
    pub(crate) fn named(&self, source: &Source) -> NamedPairs {
        let mut named = NamedPairs::default();
        for (&c, imports) in &self.by_configuration {
            for ImportedPair { pair: edge, .. } in imports.rows() {
                let distance = edge.distance.unwrap_or(0);
                let with =
                    |source: DocumentNumber| NamedPair { source, configuration: ConfigurationNumber::at(c), distance };
                match (number_in(source, &edge.source), number_in(source, &edge.target)) {
                    (Some(source), target) => {
                        named.add(&edge.target, with(source));
                        if let Some(target) = target {
                            named.add_turned(&edge.source, with(target));
                        }
                    }
                    // The sides are swapped.
                    (None, Some(source)) => named.add(&edge.source, with(source)),
                    (None, None) => {}
                }
            }
        }
        named
    }

    /// Whether a configuration imports its pairs.
    pub(crate) fn imports_pairs_of(&self, c: usize) -> bool {
        self.by_configuration.contains_key(&c)
    }

    /// Scores and ranks that the files give to the pairs of a configuration that a pass over a segment recorded, in the
    /// order of that pass; empty for a configuration that imports none.
    pub(crate) fn values_of(&self, c: usize, source: &Source, passed: &pass::Segment) -> Vec<Imported> {
        let Some(imports) = self.by_configuration.get(&c) else { return Vec::new() };
        let nothing = Imported { score: None, rank: u32::MAX };
        let value = |&(i, _): &(u32, u16)| {
            let FoundPair { source: number, target, .. } = passed.named[i as usize];
            let (id, target) = (&*source.documents[number.index()].id, &passed.targets[target.index()]);
            let (here, turned) = (imports.get(id, &target.id), imports.get(&target.id, id));
            let on_both = passed.in_target.get(number.index()).copied().unwrap_or_default();
            // Swapped it is the same pair unless both ids name other documents on the other side.
            let is_one_pair = (on_both && target.same_source.is_some()) || number_in(source, &target.id).is_none();
            (if is_one_pair { Imported::either(here, turned) } else { here.or(turned) }).unwrap_or(nothing)
        };
        passed.named_hits[c].iter().map(value).collect()
    }

    /// The pairs of a configuration that none of these files holds.
    fn pairs_in_none_of<'a>(&'a self, c: usize, files: &[PairsFile]) -> Vec<UnplacedPair<'a>> {
        let Some(imports) = self.by_configuration.get(&c) else { return Vec::new() };
        let found = |file: &PairsFile, source: &str, target: &str| {
            let turned = file.find(target, source);
            file.find(source, target).is_some()
                || turned.is_some_and(|turned| turned.both[1] || imports.get(target, source).is_none())
        };
        let held = |source: &str, target: &str| files.iter().any(|file| found(file, source, target));
        imports
            .rows()
            .iter()
            .filter(|row| !held(&row.pair.source, &row.pair.target))
            .map(|ImportedPair { pair, values, file, line }| UnplacedPair {
                source: &pair.source,
                target: &pair.target,
                distance: pair.distance.unwrap_or(0),
                values: *values,
                file: *file,
                line: *line,
            })
            .collect()
    }
}

/// The number of a document of the source.
fn number_in(source: &Source, id: &str) -> Option<DocumentNumber> {
    source.documents.binary_search_by(|document| (*document.id).cmp(id)).ok().map(DocumentNumber::at)
}
