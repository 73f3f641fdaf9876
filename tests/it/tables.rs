//! Tables of the README and the manual that are made by the program. `DEJAVIEW_UPDATE=1` writes them there.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

pub fn updating() -> bool {
    std::env::var_os("DEJAVIEW_UPDATE").is_some()
}

/// Changes a page, which other tests may want to change at the same time.
pub fn rewrite(page: &str, change: impl FnOnce(&str) -> String) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(&text)).unwrap();
}

/// Checks that a page has this table between `<!-- name -->` and `<!-- /name -->`.
#[track_caller]
pub fn check(page: &str, name: &str, table: &str) {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let place = |text: &str| {
        let from = text.find(&start).unwrap_or_else(|| panic!("{page} has no place for {name}")) + start.len();
        from..from + text[from..].find(&end).unwrap()
    };
    if updating() {
        rewrite(page, |text| {
            let place = place(text);
            [&text[..place.start], table, &text[place.end..]].concat()
        });
    }
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    assert_eq!(&text[place(&text)], table, "{page}: DEJAVIEW_UPDATE=1 writes it again");
}
