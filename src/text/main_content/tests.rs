//! Pages whose main content is plain to see, and what holds for every page.

use proptest::prelude::*;

use super::*;
use crate::html::extract;

fn main_of(html: &str) -> String {
    let mut out = String::from("old");
    extract_main(html, &mut out);
    out
}

fn all_of(html: &str) -> String {
    let mut out = String::new();
    extract(html, &mut out);
    out
}

/// Whether `few` can be had from `many` by leaving out.
fn is_subsequence<T: PartialEq>(few: &[T], many: &[T]) -> bool {
    let mut many = many.iter();
    few.iter().all(|wanted| many.any(|found| found == wanted))
}

fn hashes(text: &str) -> Vec<u64> {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens.hashes().to_vec()
}

/// What holds for every page.
fn check(html: &str) -> Result<(), TestCaseError> {
    let (all, main) = (all_of(html), main_of(html));
    prop_assert!(is_subsequence(&hashes(&main), &hashes(&all)), "{:?} of {:?}", main, all);
    fn cells(text: &str) -> Vec<&str> {
        text.split(['\n', '\t']).collect()
    }
    prop_assert!(main.is_empty() || is_subsequence(&cells(&main), &cells(&all)), "{:?} of {:?}", main, all);
    prop_assert!(hashes(&main).len() >= hashes(&all).len().min(FEWEST as usize), "{:?} of {:?}", main, all);
    prop_assert_eq!(
        main.split('\n').next(),
        all.split('\n').next().filter(|first| *first == "T").or(main.split('\n').next())
    );
    prop_assert_eq!(&main_of(html), &main);
    Ok(())
}

const TEXT: &str = "These are the words of a paragraph that is long enough to be taken for a text by everyone.";

/// A page with a menu, a sidebar and a footer around `content`.
fn framed(content: &str) -> String {
    format!(
        "<title>T</title><div id=top><a href=/>Home</a></div><ul class=menu><li>One<li>Two</ul>\
         <div class=box>{content}</div><div id=sidebar><p>{TEXT}</div><footer>Imprint and so on</footer>"
    )
}

fn content(content: &str) -> String {
    main_of(&framed(content)).strip_prefix("T\n").unwrap().to_owned()
}

#[test]
fn what_stands_around_is_left_out() {
    let two = format!("<h2>One</h2><p>{TEXT}<p>{TEXT}");
    assert_eq!(content(&two), format!("One\n{TEXT}\n{TEXT}"));
    assert_eq!(main_of(&format!("<p>x<div><p>{TEXT}<p>{TEXT}</div><title>T</title>")), format!("T\n{TEXT}\n{TEXT}"));
}

#[test]
fn short_lines_stay_between_texts() {
    let lines = format!("<p>{TEXT}<div>a short line</div><p><a href=x>only a link</a><ul><li>aa<li>bb</ul><p>{TEXT}");
    assert_eq!(content(&lines), format!("{TEXT}\na short line\naa\nbb\n{TEXT}"));
}

#[test]
fn headings_stand_or_fall_with_what_they_head() {
    let share = "<h2>Share</h2><p><a href=x>This</a> <a href=y>That</a>";
    assert_eq!(content(&format!("<h1>One</h1><h2>Two</h2><p>{TEXT}{share}")), format!("One\nTwo\n{TEXT}"));
    let outside = format!("<h1>One</h1><p>{TEXT}<div><p>{TEXT}<p>{TEXT}<p>{TEXT}</div>");
    assert_eq!(content(&outside), format!("One\n{TEXT}\n{TEXT}\n{TEXT}\n{TEXT}"));
}

#[test]
fn a_frame_with_most_of_the_text_is_none() {
    let html = format!("<form><div class=sidebar-layout><p>{TEXT}<p>{TEXT}<p>{TEXT}</div></form><p class=foot>{TEXT}");
    assert_eq!(main_of(&html), format!("{TEXT}\n{TEXT}\n{TEXT}"));
}

#[test]
fn comments_do_not_outweigh_what_they_are_about() {
    let comments = format!("<p>{TEXT}").repeat(9);
    let html = format!("<article><p>{TEXT}<p>{TEXT}</article><div id=comments>{comments}</div>");
    assert_eq!(main_of(&html), [TEXT; 11].join("\n"));
}

#[test]
fn tables_of_data_and_lists_of_links_are_content() {
    let rows = "<tr><td>Height<td>31 m<tr><td>Range<td>7 miles".repeat(6);
    assert_eq!(content(&format!("<table>{rows}</table>")), ["Height\t31 m\nRange\t7 miles"; 6].join("\n"));
    let links = "<li><a href=x>Some other page</a>".repeat(9);
    assert_eq!(
        content(&format!("<p>See also these.<ul>{links}</ul>")),
        format!("See also these.{}", "\nSome other page".repeat(9))
    );
}

#[test]
fn cells_that_lay_out_a_page_are_parted() {
    let html = format!(
        "<table><tr><td>Menu<br>Last item<td>{TEXT}<p>{TEXT}<td>{}Aside</table>",
        "<a href=x>link</a> ".repeat(9)
    );
    assert_eq!(main_of(&html), format!("{TEXT}\n{TEXT}"));
}

#[test]
fn nobody_loses_a_page() {
    for html in [
        "",
        "<title>T</title>",
        "<nav>One two three</nav>",
        "<title>T</title><nav>One two three</nav><p>Short.",
        &framed("<p>Hardly a word."),
    ] {
        assert_eq!(main_of(html), all_of(html), "{html}");
    }
    let html = format!("<title>T</title><nav>One two three</nav><p>{TEXT} {TEXT}");
    assert_eq!(main_of(&html), format!("T\n{TEXT} {TEXT}"));
}

#[test]
fn any_depth_and_length_is_read() {
    let deep = 100_000;
    for piece in [
        "<div>",
        "<ul><li>",
        "<table><tr><td>",
        "<h1>",
        "<a href=x>",
        "<nav>",
        "</div>",
        "<p>a",
        "<div>a</div>",
        "<h2>aa bb",
        "a\n",
    ] {
        let html = format!("<p>{TEXT}{}<p>{TEXT}", piece.repeat(deep));
        check(&html).unwrap();
    }
    let line = "word ".repeat(200_000);
    assert_eq!(main_of(&format!("<nav>Menu</nav>{line}")), line.trim_end());
}

const PIECES: &str = "<div>|</div>|<div class=nav>|<div id=content>|<p>|</p>|<p class=comment>|<nav>|</nav>|<article>|</article>|\
    <header>|</header>|<ul>|<li>|</ul>|<table>|<tr>|<td>|<td class=side>|</table>|<h1>|</h1>|<h2>|</h2>|<a href=x>|<a>|</a>|\
    <br>|<pre>|</pre>|<select><option>|</select>|<title>|</title>|<template>|</template>|<form>|</form>|word |two words |\
    漢字 |1 |&amp;|<|\n|\u{A0}|é|";

fn soup() -> impl Strategy<Value = String> {
    let pieces = PIECES.split('|').chain([TEXT, "<title>T</title>"]).collect::<Vec<_>>();
    prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn soup_gives_a_part_of_its_text(html in soup()) {
        check(&html)?;
    }
}
