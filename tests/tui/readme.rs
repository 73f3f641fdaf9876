//! The README and the program say the same.

use std::fs;
use std::path::Path;

use dejaview::tui::keymap::Keymap;
use dejaview::tui::screens::keys;

/// `DEJAVIEW_UPDATE=1` writes the table of the program into the README.
#[test]
fn the_readme_lists_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let place =
        text.split_once("<!-- keys -->").and_then(|(before, rest)| Some((before, rest.split_once("<!-- /keys -->")?)));
    let (before, (table, after)) =
        place.expect("README.md has no table of keys between <!-- keys --> and <!-- /keys -->");
    let program = Keymap::built_in(&keys()).markdown();
    if std::env::var_os("DEJAVIEW_UPDATE").is_some() {
        fs::write(&path, format!("{before}<!-- keys -->\n{}\n<!-- /keys -->{after}", program.trim())).unwrap();
    } else {
        assert_eq!(table.trim(), program.trim(), "DEJAVIEW_UPDATE=1 writes it anew");
    }
}
