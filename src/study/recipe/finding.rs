//! Finds files by a pattern, whatever their names are.
//!
//! Names that are not UTF-8 are found like all others: `*` stands for any bytes. Symbolic links to folders are followed, but
//! never into a folder that holds the link: such a link is returned itself, so that whoever reads can say so.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dejaview_base::system;

/// Why files could not be found.
#[derive(Debug)]
pub(super) enum FindError {
    Pattern(glob::PatternError),
    /// A folder that cannot be looked into.
    Folder(PathBuf, io::Error),
}

/// What a study writes beside its `study.toml`.
const OWN: [&str; 4] = ["study.toml", ".dejaview", "labels", "samples"];

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
    let start = if glob.starts_with('/') { PathBuf::from("/") } else { folder.to_owned() };
    let mut found = vec![start];
    for part in glob.split('/').filter(|part| !matches!(*part, "" | ".")) {
        // The whole pattern is checked before anything is looked at.
        glob::Pattern::new(part).map_err(FindError::Pattern)?;
    }
    for part in glob.split('/').filter(|part| !matches!(*part, "" | ".")) {
        let mut next = Vec::new();
        for path in found {
            match part {
                "**" => next.extend(folders_below(&path).map_err(|(path, why)| FindError::Folder(path, why))?),
                part if part.contains(['*', '?', '[']) => next.extend(children(&path, part)?),
                part => next.extend(Some(path.join(part)).filter(|path| path.symlink_metadata().is_ok())),
            }
        }
        next.sort();
        next.dedup();
        found = next;
    }
    Ok(found)
}

/// What lies in a folder and has a name that fits.
fn children(folder: &Path, part: &str) -> Result<Vec<PathBuf>, FindError> {
    let pattern = glob::Pattern::new(part).map_err(FindError::Pattern)?;
    let fits = |path: &PathBuf| path.file_name().is_some_and(|name| pattern.matches(&name.to_string_lossy()));
    match sorted_entries(folder) {
        Ok(entries) => Ok(entries.into_iter().filter(fits).collect()),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(why) => Err(FindError::Folder(folder.to_owned(), why)),
    }
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
