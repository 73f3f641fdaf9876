//! Programs of the person's choice that get the terminal for a while: the pager, the editor.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use dejaview_base::system::create_private;
use dejaview_labels::LONGEST_NOTE;
use dejaview_report::numbers::plural;
use dejaview_text::windows_1252;

/// The first of these variables that is set, else the program everyone has.
fn chosen(variables: &[&str], otherwise: &str) -> String {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    variables.iter().find_map(set).unwrap_or_else(|| otherwise.to_owned())
}

/// Shows a text in the pager; says what went wrong.
pub(super) fn page(text: &str) -> Result<(), String> {
    let pager = chosen(&["PAGER"], "less");
    let failed = |why: io::Error| format!("starting the pager “{pager}”: {why}");
    let mut child = Command::new("sh").arg("-c").arg(&pager).stdin(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        // A pager that is left before it has read everything closes the pipe: no failure.
        let _ = input.write_all(text.as_bytes());
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("the pager “{pager}” ended with {status}")) }
}

/// A text as an editor left it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edited {
    pub text: String,
    /// What to tell the person about it.
    pub said: Option<String>,
}

/// Lets the person edit a text; gives it back as it was left. Where that cannot be, the file stays if it holds anything that
/// was typed, and the error names it.
pub(super) fn edit(text: &str) -> Result<Edited, String> {
    edit_with(&chosen(&["VISUAL", "EDITOR"], "vi"), text)
}

fn edit_with(editor: &str, text: &str) -> Result<Edited, String> {
    let path = draft(text).map_err(|why| format!("No note was saved: writing a file for the editor: {why}"))?;
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&path).status();
    let left = fs::read(&path);
    let problem = match (status, &left) {
        (Err(why), _) => format!("the editor “{editor}” could not be started: {why}"),
        (Ok(_), Err(why)) if why.kind() == io::ErrorKind::NotFound => {
            return Err(format!(
                "No note was saved: the editor “{editor}” deleted the file that it was to be written in"
            ));
        }
        (Ok(_), Err(why)) => format!("what the editor “{editor}” left cannot be read: {why}"),
        (Ok(status), Ok(_)) if !status.success() => format!("the editor “{editor}” ended with {status}"),
        (Ok(_), Ok(bytes)) if bytes.len() > LONGEST_NOTE => "it is longer than 1 MiB, the most of a note".to_owned(),
        (Ok(_), Ok(bytes)) => {
            let edited = decoded(bytes);
            let _ = fs::remove_file(&path);
            return Ok(edited);
        }
    };
    if left.is_ok_and(|bytes| bytes == text.as_bytes()) {
        let _ = fs::remove_file(&path);
        return Err(format!("No note was saved: {problem}"));
    }
    Err(format!("No note was saved: {problem}. What was typed is in {}", path.display()))
}

/// A text as UTF-8; bytes that are not are taken for Windows-1252, which has a character for nearly every byte, and that is
/// said.
fn decoded(bytes: &[u8]) -> Edited {
    let mut text = String::with_capacity(bytes.len());
    let mut others = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        others += chunk.invalid().len();
        text.push_str(&windows_1252(chunk.invalid()));
    }
    let said = (others > 0).then(|| {
        let bytes = plural(others as u64, "byte");
        format!("The note was not all UTF-8: {bytes} of it read as Windows-1252. Look whether it is as you wrote it")
    });
    Edited { text, said }
}

/// A file of our own that nobody else reads, with a text in it.
fn draft(text: &str) -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    for n in 0..1000 {
        let path = folder.join(format!("dejaview-note-{}-{n}.txt", std::process::id()));
        match create_private(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(why),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the temporary folder that a message names.
    fn named_file(message: &str) -> PathBuf {
        message.rsplit(" is in ").next().map(PathBuf::from).unwrap()
    }

    #[test]
    fn what_an_editor_leaves_is_read_whatever_its_bytes() {
        let edited = edit_with("printf 'na\\303\\257ve' >", "").unwrap();
        assert_eq!((edited.text.as_str(), edited.said), ("naïve", None));
        let edited = edit_with("printf 'caf\\351, na\\303\\257ve \\200' >", "").unwrap();
        assert_eq!(edited.text, "café, naïve €", "bytes that are no UTF-8 are of Windows-1252, the others stay");
        let said = edited.said.unwrap();
        assert!(said.contains("2 bytes of it read as Windows-1252"), "{said}");
    }

    #[test]
    fn nothing_that_was_typed_is_lost_with_its_editor() {
        let why = edit_with("rm", "a note").unwrap_err();
        assert!(why.starts_with("No note was saved: ") && why.contains("deleted the file"), "{why}");
        let why = edit_with("f() { printf 'typed \\351' > \"$1\"; exit 3; }; f", "a note").unwrap_err();
        let file = named_file(&why);
        assert!(why.starts_with("No note was saved: ") && why.contains("ended with exit status: 3"), "{why}");
        assert_eq!(fs::read(&file).unwrap(), b"typed \xe9");
        fs::remove_file(file).unwrap();
        let why = edit_with("false", "a note").unwrap_err();
        assert!(why.contains("ended with exit status: 1") && !why.contains(" is in "), "nothing was typed: {why}");
    }
}
