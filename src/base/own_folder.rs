//! `.dejaview`: what can be made again from a study, and what is true of this copy of it alone. Version control leaves it out:
//! taken back with the labels, it could not tell that some of these are gone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Its name.
pub const NAME: &str = ".dejaview";

/// The folder of the study in `study`.
pub fn of(study: &Path) -> PathBuf {
    study.join(NAME)
}

/// Makes a folder, and those around it. A `.dejaview` that is made so tells git to leave it out.
pub fn make(folder: &Path) -> io::Result<()> {
    let own = folder.ancestors().find(|around| around.file_name().is_some_and(|name| name == NAME));
    if let Some(own) = own.filter(|own| !own.exists()) {
        fs::create_dir_all(own)?;
        // The folder serves without it.
        let _ = fs::write(
            own.join(".gitignore"),
            "# Made by dejaview. All of it can be made again, or belongs to this folder alone.\n*\n",
        );
    }
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_folder_is_left_out_by_git_and_one_that_is_there_stays_as_it_is() {
        let study = tempfile::tempdir().unwrap();
        let folder = of(study.path()).join("locks");
        make(&folder).unwrap();
        let told = of(study.path()).join(".gitignore");
        assert!(folder.is_dir() && fs::read_to_string(&told).unwrap().ends_with("\n*\n"));
        fs::remove_file(&told).unwrap();
        make(&of(study.path()).join("drafts")).unwrap();
        assert!(!told.exists(), "whoever wants the folder in git may have it there");
        let elsewhere = study.path().join("labels");
        make(&elsewhere).unwrap();
        assert!(elsewhere.is_dir() && fs::read_dir(&elsewhere).unwrap().next().is_none());
    }
}
