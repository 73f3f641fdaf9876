//! Pages by example, and what holds for every page.

use proptest::prelude::*;

use super::*;

fn text(html: &str) -> String {
    let mut out = String::from("old");
    extract(html, &mut out);
    out
}

#[test]
fn lines_cells_and_spaces() {
    assert_eq!(text("<p>One  two\n three<p> <b>f</b>our<br><br>five"), "One two three\nfour\nfive");
    assert_eq!(text("<table><tr><td>a<td>b</td><th>c</tr><tr><td><td>d</table>e"), "a\tb\tc\nd\ne");
    assert_eq!(text("<pre>\na  b\n   c\n\nd</pre>\ne\nf"), "a b\nc\nd\ne f");
    assert_eq!(text("a<textarea>b\nc &lt;p> <p></textarea>d"), "a\nb\nc <p> <p>\nd");
    assert_eq!(text("x<img>y<wbr>z &nbsp; <a>w</a>&nbsp;"), "x yz w");
    assert_eq!(text("<ul><li>a<li>b</ul><select><option>c<option>d</select>"), "a\nb\nc\nd");
    assert_eq!(text(""), "");
    assert_eq!(text(" \n<p> </p>&nbsp;"), "");
}

#[test]
fn the_title_stands_first() {
    assert_eq!(text("<head><title> A &amp;\n <b> </title><body>x"), "A & <b>\nx");
    assert_eq!(text("<p>x<title>A</title>y<title>B</title>z"), "A\nx\ny\nz");
    assert_eq!(text("<svg><title>icon</title></svg><title>A</title>x"), "A\nicon\nx");
    assert_eq!(text("<svg/><title>A</title><title></title>x"), "A\nx");
    assert_eq!(text("<template><title>T</title></template><title></title><title>A</title>x"), "A\nx");
    assert_eq!(text("<title>A</titel><p>x"), "A</titel><p>x");
}

#[test]
fn what_is_not_shown_is_left_out() {
    assert_eq!(text("a<!-- x > <p> -->b<!doctype x>c<?php x ?>d<![CDATA[x]]>e"), "abcd]>e".replace("]>", ""));
    assert_eq!(text("a<script>'<p>x'</script>b<style>p > q {}</style >c"), "ab c");
    assert_eq!(text("a<template>x<p>y<template>z</template>w</template>b"), "ab");
    assert_eq!(text("a<iframe>x</iframe>b<noframes><p>x</noframes>c<noscript><p>d</noscript>"), "a b c\nd");
    assert_eq!(text("<svg><style>x</style><text><![CDATA[a < b]]></text></svg>c"), "a < bc");
    assert_eq!(text("<xmp>a <b> &amp;</xmp>c<plaintext>d</plaintext><p>"), "a <b> &amp;\nc\nd</plaintext><p>");
    assert_eq!(text("<script>a"), "");
    assert_eq!(text("b<!-- a"), "b");
    assert_eq!(text("b<a href=\"x>c</a>"), "b");
}

#[test]
fn what_is_no_markup_is_text() {
    assert_eq!(text("1 < 2 <3 a<b>c< /p>"), "1 < 2 <3 ac< /p>");
    assert_eq!(text("a&b &nosuch; &notit; &#x41;&#65 &"), "a&b &nosuch; ¬it; AA &");
    assert_eq!(text("a</>b</ x>c</3>d<"), "abcd<");
    assert_eq!(text("</"), "</");
    assert_eq!(text("<"), "<");
    assert_eq!(text("a<"), "a<");
}

#[test]
fn any_depth_costs_one_turn_a_tag() {
    let deep = 100_000;
    for (open, close) in
        [("<div>", "</div>"), ("<b>", "</b>"), ("<table><tr><td>", "</table>"), ("<svg>", ""), ("<pre>", "")]
    {
        let html = format!("{}a{} b", open.repeat(deep), close.repeat(deep));
        let mut out = String::new();
        assert!(Page::new(&html, &mut out, &mut ()).read() <= 4 * deep + 2, "{open}");
        assert_eq!(out.split_whitespace().collect::<Vec<_>>(), ["a", "b"], "{open}");
    }
    assert_eq!(text(&format!("{}a{}b", "<template>".repeat(deep), "</template>".repeat(deep))), "b");
    assert_eq!(text(&"<!--".repeat(deep)), "");
    assert_eq!(text(&"<".repeat(deep)).len(), deep);
    assert_eq!(text(&"&".repeat(deep)).len(), deep);
}

const PIECES: &str = "<|>|/|!|--|-->|<!--|<p>|</p>|<script>|</script>|<title>|</title>|<svg>|</svg>|<template>|</template>|\
    <pre>|</pre>|<td>|<textarea>|</textarea>|<style|\"|'|=|&|&amp|&#|x|;|é|漢|\u{A0}| |\n|\r|\0|<![CDATA[|]]>|<?|</|\
    <plaintext>|<xmp>|</xmp>|word|\u{1F600}";

fn soup() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(PIECES.split('|').collect::<Vec<_>>()), 0..60)
}

proptest! {
    #[test]
    fn soup_gives_tidy_text(pieces in soup()) {
        let text = text(&pieces.concat());
        for line in text.split('\n') {
            prop_assert_eq!(line, line.trim_matches([' ', '\t', '\r', '\u{A0}']));
        }
        prop_assert!(!text.contains("  ") && !text.contains("\n\n") && !text.contains('\r'), "{:?}", text);
    }

    #[test]
    fn any_string_is_read(html in "\\PC{0,100}") {
        text(&html);
    }

    #[test]
    fn plain_words_come_through(words in prop::collection::vec("[a-zé漢]{1,8}", 1..20)) {
        prop_assert_eq!(text(&words.join(" <i> \n </i>")), words.join(" "));
    }
}
