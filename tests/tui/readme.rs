//! The README and the program say the same.

use std::fs;
use std::path::Path;

#[test]
fn the_table_of_keys_is_that_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(path).unwrap_or_default();
    let table = text.split_once("<!-- keys -->").and_then(|(_, rest)| rest.split_once("<!-- /keys -->"));
    let (table, _) = table.expect("README.md has no table of keys between <!-- keys --> and <!-- /keys -->");
    let program = dejaview::tui::keymap::markdown();
    assert_eq!(table.trim(), program.trim(), "put the output of dejaview::tui::keymap::markdown() between the markers");
}
