//! Finds files by a pattern, whatever their names are.
//!
//! Names that are not UTF-8 are found like all others: `*` stands for any bytes. Symbolic links to folders are followed, but
//! never into a folder that holds the link: such a link is returned itself, so that whoever reads can say so.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dejaview_base::{own_folder, system};

/// Why files could not be found.
#[derive(Debug)]
pub(super) enum FindError {
    Pattern(glob::PatternError),
    /// A folder that cannot be looked into.
    Folder(PathBuf, io::Error),
}

/// What a study writes beside its `study.toml`.
const OWN: [&str; 4] = ["study.toml", own_folder::NAME, "labels", "samples"];

/// Whether a path is a file of the study at `folder` itself that a pattern does not name but only reaches.
pub(super) fn is_own_file(folder: &Path, glob: &str, path: &Path) -> bool {
    let first = |path: &Path| path.components().next().map(|part| part.as_os_str().to_owned());
    let Some(own) = path.strip_prefix(folder).ok().and_then(first).filter(|name| OWN.iter().any(|own| name == own))
    else {
        return false;
    };
    let pattern = folder.join(glob.trim_start_matches("./"));
    pattern.strip_prefix(folder).ok().and_then(first) != Some(own)
}

/// Files and folders that a pattern names, in no order. `*`, `?` and `[…]` stand for characters of one name, `**` for any
/// folders.
pub(super) fn find(folder: &Path, glob: &str) -> Result<Vec<PathBuf>, FindError> {
    find_parts(start(folder, glob), &parts(glob))
}

/// Whether a pattern will name a file, or a folder around it, once it is there. The file is given by its canonical path.
pub(super) fn would_find(folder: &Path, glob: &str, place: &Path) -> bool {
    let parts = parts(glob);
    let found = |parts: &[&str]| -> Vec<PathBuf> {
        let found = find_parts(start(folder, glob), parts).unwrap_or_default();
        found.into_iter().filter_map(|path| fs::canonicalize(path).ok()).collect()
    };
    let named = parts.split_last().is_some_and(|(last, above)| {
        fits(last, place).unwrap_or(false) && found(above).iter().any(|folder| Some(&**folder) == place.parent())
    });
    named || found(&parts).iter().any(|path| path.is_dir() && place.starts_with(path))
}

/// The names and patterns for names of which a pattern is made.
fn parts(glob: &str) -> Vec<&str> {
    glob.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

/// Where a pattern begins.
fn start(folder: &Path, glob: &str) -> PathBuf {
    if glob.starts_with('/') { PathBuf::from("/") } else { folder.to_owned() }
}

fn find_parts(start: PathBuf, parts: &[&str]) -> Result<Vec<PathBuf>, FindError> {
    // The whole pattern is checked before anything is looked at.
    parts.iter().try_for_each(|part| glob::Pattern::new(part).map(|_| ())).map_err(FindError::Pattern)?;
    let mut found = vec![start];
    for part in parts {
        let mut next = Vec::new();
        for path in found {
            match *part {
                "**" => next.extend(folders_below(&path).map_err(|(path, why)| FindError::Folder(path, why))?),
                part if is_pattern(part) => next.extend(children(&path, part)?),
                part => next.extend(Some(path.join(part)).filter(|path| path.symlink_metadata().is_ok())),
            }
        }
        next.sort();
        next.dedup();
        found = next;
    }
    Ok(found)
}

fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// Whether the name of a path is one that a part of a pattern stands for.
fn fits(part: &str, path: &Path) -> Result<bool, FindError> {
    let pattern = glob::Pattern::new(part).map_err(FindError::Pattern)?;
    let name = path.file_name().unwrap_or_default();
    Ok(if is_pattern(part) { pattern.matches(&name.to_string_lossy()) } else { name == part })
}

/// What lies in a folder and has a name that fits.
fn children(folder: &Path, part: &str) -> Result<Vec<PathBuf>, FindError> {
    let entries = match sorted_entries(folder) {
        Ok(entries) => entries,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(why) => return Err(FindError::Folder(folder.to_owned(), why)),
    };
    let keep = |path: PathBuf| fits(part, &path).map(|fits| fits.then_some(path)).transpose();
    entries.into_iter().filter_map(keep).collect()
}

type Failure = (PathBuf, io::Error);

/// All files below a folder, sorted, with the links that lead back into a folder above them.
pub(super) fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    walk(folder, &mut |path, is_folder| {
        if !is_folder {
            files.push(path)
        }
    })?;
    files.sort();
    Ok(files)
}

/// A folder and all folders below it.
fn folders_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut folders = vec![folder.to_owned()];
    walk(folder, &mut |path, is_folder| {
        if is_folder {
            folders.push(path)
        }
    })?;
    Ok(folders)
}

/// Shows everything below a folder, and whether it is a folder that is looked into.
fn walk(folder: &Path, show: &mut dyn FnMut(PathBuf, bool)) -> Result<(), Failure> {
    // Each folder with the real places of those above it that links were followed to, its own included.
    let real = |path: &Path| path.canonicalize().map_err(|why| (path.to_owned(), why));
    let mut folders = vec![(folder.to_owned(), vec![real(folder)?])];
    while let Some((folder, above)) = folders.pop() {
        for entry in sorted_entries(&folder).map_err(|why| (folder.clone(), why))? {
            if !entry.is_dir() {
                show(entry, false);
                continue;
            }
            let mut above = above.clone();
            if entry.is_symlink() {
                let place = real(&entry)?;
                let here = real(&folder)?;
                if above.iter().chain([&here]).any(|above| above.starts_with(&place)) {
                    show(entry, false);
                    continue;
                }
                above.extend([here, place]);
            }
            show(entry.clone(), true);
            folders.push((entry, above));
        }
    }
    Ok(())
}

pub(super) fn sorted_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    Ok(entries)
}

/// A path as text that no other path has: bytes that are not UTF-8 are written as `\xff`.
pub(super) fn name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in system::name_bytes(path.as_os_str()).utf8_chunks() {
        name.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| name.push_str(&format!("\\x{byte:02x}")));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    fn found(folder: &Path, glob: &str) -> Vec<String> {
        find(folder, glob).unwrap().iter().map(|path| name(path.strip_prefix(folder).unwrap())).collect()
    }

    #[test]
    fn patterns_find_what_they_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("a/b/c")).unwrap();
        for file in ["x.html", "a/x.html", "a/y.txt", "a/b/x.html", "a/b/c/x.html"] {
            fs::write(at(file), "").unwrap();
        }
        fs::write(at("a").join(OsStr::from_bytes(b"\xffz.html")), "").unwrap();
        assert_eq!(found(folder.path(), "a/*.html"), ["a/x.html", "a/\\xffz.html"]);
        assert_eq!(found(folder.path(), "./a/?.html"), ["a/x.html"]);
        assert_eq!(found(folder.path(), "a/**/x.html"), ["a/b/c/x.html", "a/b/x.html", "a/x.html"]);
        assert_eq!(found(folder.path(), "**/[y]*"), ["a/y.txt"]);
        assert_eq!(found(folder.path(), "*/b"), ["a/b"]);
        assert!(found(folder.path(), "nowhere/*").is_empty() && found(folder.path(), "x.html/*").is_empty());
        assert!(matches!(find(folder.path(), "nowhere/***"), Err(FindError::Pattern(_))));
        let folder_itself = folder.path().canonicalize().unwrap();
        for (glob, named) in [
            ("a/*.html", true),
            ("./a//n?w.html", true),
            ("a/new.html", true),
            ("a", true),
            ("**", true),
            ("**/new.*", true),
            ("*", true),
            ("b/*.html", false),
            ("a/*.txt", false),
            ("a/new", false),
            ("a/b", false),
        ] {
            assert_eq!(would_find(folder.path(), glob, &folder_itself.join("a/new.html")), named, "{glob}");
        }
        let absolute = at("a/y*").display().to_string();
        assert_eq!(find(Path::new("/elsewhere"), &absolute).unwrap(), [at("a/y.txt")]);
    }

    #[test]
    fn links_are_followed_and_circles_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("a/b")).unwrap();
        fs::create_dir_all(at("c")).unwrap();
        fs::write(at("a/b/file"), "").unwrap();
        symlink(at("a"), at("a/b/up")).unwrap();
        symlink(at("c"), at("a/there")).unwrap();
        symlink(at("a"), at("c/back")).unwrap();
        symlink("self", at("a/self")).unwrap();
        let all: Vec<String> =
            below(folder.path()).unwrap().iter().map(|path| name(path.strip_prefix(folder.path()).unwrap())).collect();
        assert_eq!(
            all,
            [
                "a/b/file",
                "a/b/up",
                "a/self",
                "a/there/back",
                "c/back/b/file",
                "c/back/b/up",
                "c/back/self",
                "c/back/there"
            ]
        );
    }
}
