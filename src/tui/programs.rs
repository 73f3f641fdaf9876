//! Programs of the person's choice that get the terminal for a while: the pager, the editor.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use dejaview_base::system::create_private;

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

/// Lets the person edit a text; gives it back as it was left.
pub(super) fn edit(text: &str) -> Result<String, String> {
    let editor = chosen(&["VISUAL", "EDITOR"], "vi");
    let path = draft(text).map_err(|why| format!("writing the note for the editor: {why}"))?;
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&path).status();
    let result = match status {
        Ok(status) if status.success() => fs::read_to_string(&path).map_err(|why| format!("reading the note: {why}")),
        Ok(status) => Err(format!("Not saved: the editor “{editor}” ended with {status}")),
        Err(why) => Err(format!("starting the editor “{editor}”: {why}")),
    };
    let _ = fs::remove_file(&path);
    result
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
