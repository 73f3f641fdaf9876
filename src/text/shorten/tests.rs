//! Widths are never exceeded, equal parts are under each other, and what differs is visible whenever there is room.

use proptest::prelude::*;

use super::*;

fn text(line: &[Span]) -> String {
    line.iter().map(|span| span.text.as_str()).collect()
}

/// Both lines as they are drawn; one line for two that are the same.
fn drawn(compared: &Compared) -> Vec<String> {
    match compared {
        Compared::Same(only) => vec![only.clone()],
        Compared::Different(lines) => lines.iter().map(|line| text(line)).collect(),
    }
}

/// The line without what is equal, with blanks in its place.
fn marked(line: &[Span]) -> String {
    let mark = |span: &Span| if span.role == Role::Equal { " ".repeat(columns(&span.text)) } else { span.text.clone() };
    line.iter().map(mark).collect::<String>().trim_end().to_owned()
}

#[test]
fn the_title_is_the_first_line() {
    assert_eq!(title("  A page \nof two lines"), "A page");
    assert_eq!(title(""), "");
    assert_eq!(title("\nx"), "");
    assert_eq!(title(&"é ".repeat(400)).chars().count(), 299, "150 times, without the last blank");
}

#[test]
fn one_text_is_cut_where_its_kind_is() {
    assert_eq!(shorten_title("Cormorant Rock light\u{202e} sold", 16), "Cormorant Rock …");
    assert_eq!(shorten_title("a\tb\n c", 9), "a b c");
    assert_eq!(shorten_url("HTTP://www.example.org/a/long/path/page.html", 20), "www.exampl…page.html");
    assert_eq!(shorten_url("https://example.org", 40), "https://example.org");
    assert_eq!(shorten_id("sample09-en0000-00-00019", 6), "…00019");
    assert_eq!([shorten_title("漢字", 3), shorten_url("漢字漢", 4), shorten_id("漢字", 3)], ["漢…", "漢…", "…字"]);
    assert_eq!([shorten_title("ab", 0), shorten_url("ab", 1), shorten_id("ab", 1)], ["", "…", "…"]);
}

#[test]
fn what_titles_share_gives_way_at_the_ends() {
    let a = "LCL Box Score: Gray Harbor Wreckers at Port Ansel Pilots, postponed";
    let b = "LCL Box Score: Wick End Millers at Cormorant Bay Shags, postponed";
    let at = |columns| drawn(&compare_titles(a, b, columns));
    assert_eq!(at(80), [a, b]);
    assert_eq!(
        at(52),
        ["… Score: Gray Harbor Wreckers at Port Ansel Pilots…", "… Score: Wick End Millers at Cormorant Bay Shags…"]
    );
    assert_eq!(at(42), ["… Gray Harbor Wreckers at Port Ansel Pilo…", "… Wick End Millers at Cormorant Bay Shags…"]);
    let Compared::Different(lines) = compare_titles(a, b, 80) else { panic!("they differ") };
    assert_eq!(marked(&lines[0]), "               Gray Harbor Wreckers    Port Ansel Pilots");
    assert_eq!(lines[0][1], Span { text: "Gray Harbor Wreckers".to_owned(), role: Role::OnlyA });
    assert_eq!(compare_titles("x  y", "x y", 9), Compared::Same("x y".to_owned()));
    assert_eq!(drawn(&compare_titles("one two", "one two three", 9)), ["one two", "… three"]);
    assert_eq!(drawn(&compare_titles("", "one two", 5)), ["", "one …"]);
}

#[test]
fn equal_parts_of_urls_are_under_each_other() {
    let [a, b] =
        ["http://ftp.example.edu/pub/harbour/photos/?print=1", "http://ftp.example.edu/old/pub/harbour/photos/"];
    assert_eq!(
        drawn(&compare_urls(a, b, 60)),
        ["ftp.example.edu    /pub/harbour/photos/?print=1", "ftp.example.edu/old/pub/harbour/photos/"]
    );
    let a = "http://www.bluesaucepan.example.com/recipes/leek-and-potato-soup-properly.php?serves=8";
    let b = "http://bluesaucepan.example/recipes/leek-and-potato-soup-properly.php";
    assert_eq!(
        drawn(&compare_urls(a, b, 47)),
        ["www.bluesaucepan.example.com/reci….php?serves=8", "bluesaucepan.example        /reci….php"]
    );
    assert_eq!(compare_urls("http://a/", "a/", 9), Compared::Same("a/".to_owned()));
    assert_eq!(drawn(&compare_urls("http://a.org/x", "https://a.org/x", 40)), ["        a.org/x", "https://a.org/x"]);
    assert_eq!(
        drawn(&compare_urls("a.org/page-one-of-many-1.html", "a.org/page-one-of-many-2.html", 14)),
        ["a…g…any-1.html", "a…g…any-2.html"]
    );
    assert_eq!(drawn(&compare_urls("", "a.org", 9)), ["", "a.org"]);
}

#[test]
fn long_urls_are_compared_at_once() {
    let long = |start: usize| (start..start + 2500).map(|i| format!("/{i}")).collect::<String>();
    for (a, b) in [(long(0), long(1)), ("x".repeat(10_000), "x".repeat(9_999) + "y"), (long(0), String::new())] {
        for line in drawn(&compare_urls(&a, &b, 60)) {
            assert!(columns(&line) <= 60, "{line}");
        }
    }
}

#[test]
fn names_of_sites_are_left_out() {
    let titles = [
        "Fresnel lens - Pharos, the open encyclopedia",
        "Lighthouse - Pharos, the open encyclopedia",
        "Index - Pharos, the open encyclopedia",
        "Index - Old pages - Pharos, the open encyclopedia",
        "Index - More - Pharos, the open encyclopedia",
        "Index - Pharos, the open encyclopedia",
        "Saucepan :: Soup",
        "Saucepan :: Cake",
        "Saucepan | Bread",
        "Pharos - Pharos",
    ];
    let sites = SiteNames::new(titles.iter().flat_map(|title| SiteNames::parts("pharos.org", title)).collect());
    let short = |title| sites.shorten("pharos.org", title);
    assert_eq!(
        titles[..5].iter().map(|title| short(title)).collect::<Vec<_>>(),
        ["Fresnel lens", "Lighthouse", "Index", "Old pages", "More"]
    );
    assert_eq!(short("Saucepan :: Soup"), "Saucepan :: Soup", "three are too few");
    assert_eq!(short("Pharos, the open encyclopedia"), "Pharos, the open encyclopedia");
    assert_eq!(short(" - "), " - ");
    assert_eq!(sites.shorten("other.org", titles[0]), titles[0], "of another host");
    let pharos = |title| ("pharos.org", title);
    assert_eq!(sites.shorten_both([pharos(titles[0]), pharos(titles[0])]), ["Fresnel lens"; 2]);
    assert_eq!(sites.shorten_both([pharos(titles[0]), ("b.org", "Fresnel lens")]), [titles[0], "Fresnel lens"]);
    assert_eq!(sites.shorten_both([pharos(titles[0]), pharos(titles[1])]), ["Fresnel lens", "Lighthouse"]);
}

/// Words, with wide, combining and right-to-left letters, and what must not reach a terminal.
fn words() -> impl Strategy<Value = String> {
    "([a-c漢\u{5d0}é]\u{301}?|[ ,\t\u{202e}\u{1b}]){0,40}"
}

/// URLs of few letters, so that parts recur.
fn urls() -> impl Strategy<Value = String> {
    "(http://)?[ab漢]{0,8}([/?&=][ab\u{5d0}é]{0,12}\u{301}?){0,6}"
}

proptest! {
    #[test]
    fn no_line_is_wider_than_its_room(a in words(), b in words(), url in urls(), room in 0usize..50) {
        let mut lines = vec![shorten_title(&a, room), shorten_url(&a, room), shorten_id(&a, room)];
        for (one, other) in [(&a, &b), (&a, &url)] {
            lines.extend(drawn(&compare_titles(one, other, room)));
            lines.extend(drawn(&compare_urls(one, other, room)));
        }
        for line in lines {
            prop_assert!(columns(&line) <= room, "{:?} in {}", line, room);
            prop_assert!(!line.contains(['\t', '\u{202e}', '\u{1b}', '\n']), "{:?}", line);
        }
    }

    #[test]
    fn with_room_nothing_is_lost(a in words(), b in words()) {
        for (compared, clean) in [
            (compare_titles(&a, &b, 1000), [shorten_title(&a, 1000), shorten_title(&b, 1000)]),
            (compare_urls(&a, &b, 1000), [shorten_url(&a, 1000), shorten_url(&b, 1000)]),
        ] {
            match &compared {
                Compared::Same(only) => prop_assert!(clean.iter().all(|text| text == only)),
                Compared::Different(lines) => for (line, (clean, own)) in lines.iter().zip(clean.iter().zip(ONLY)) {
                    let blanks = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
                    prop_assert_eq!(blanks(&text(line)), blanks(clean));
                    prop_assert!(line.iter().all(|span| span.role == Role::Equal || span.role == own));
                },
            }
        }
    }

    #[test]
    fn equal_stretches_of_urls_begin_in_the_same_column(a in urls(), b in urls(), room in 0usize..60) {
        if let Compared::Different(lines) = compare_urls(&a, &b, room) {
            // Column by column: where both lines show an equal stretch, it is the same letter or a blank.
            let cells = |line: &[Span]| -> Vec<(String, bool)> {
                let mut cells = Vec::new();
                for span in line {
                    for letter in unicode_segmentation::UnicodeSegmentation::graphemes(&*span.text, true) {
                        cells.push((letter.to_owned(), span.role == Role::Equal));
                        cells.extend((1..columns(letter)).map(|_| (String::new(), false)));
                    }
                }
                cells
            };
            for (a, b) in cells(&lines[0]).into_iter().zip(cells(&lines[1])) {
                let blank = |cell: &str| cell == " " || cell == "…";
                prop_assert!(!a.1 || !b.1 || a.0 == b.0 || blank(&a.0) || blank(&b.0), "{:?} {:?}", a, b);
            }
        }
    }

    #[test]
    fn what_differs_is_visible_whenever_it_fits(a in urls(), b in urls(), room in 0usize..80) {
        // Room for every part at its narrowest, each side having at most seven parts and a scheme.
        if let (Compared::Different(lines), true) = (compare_urls(&a, &b, room), room >= 16 * 5) {
            prop_assert_ne!(text(&lines[0]), text(&lines[1]));
        }
    }

    #[test]
    fn a_word_that_differs_is_visible_whenever_it_fits(
        start in "[a-c]{1,4}( [a-c]{1,4}){0,6}",
        end in "[a-c]{1,4}( [a-c]{1,4}){0,6}",
        room in 12usize..40,
    ) {
        // The words in the middle are of letters that no other word has, so that they are what differs.
        let [a, b] = ["xyz", "zyx"].map(|word| format!("{start} {word} {end}"));
        let Compared::Different(lines) = compare_titles(&a, &b, room) else { return Err(TestCaseError::fail("same")) };
        prop_assert!(text(&lines[0]).contains("xyz") && text(&lines[1]).contains("zyx"), "{:?}", lines);
        let Compared::Different(lines) = compare_urls(&a.replace(' ', "/"), &b.replace(' ', "/"), room) else {
            return Err(TestCaseError::fail("same"));
        };
        prop_assert!(text(&lines[0]).contains("/xyz") && text(&lines[1]).contains("/zyx"), "{:?}", lines);
    }
}
