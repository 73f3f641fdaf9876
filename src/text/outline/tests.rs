//! Pages and where their texts stand.

use super::*;
use crate::html::extract_with;

/// The text of each run, its kind, whether it is a link, and the kinds of the zones around it, the innermost first.
fn outline(html: &str) -> Vec<(String, Kind, bool, Vec<ZoneKind>)> {
    let mut text = String::new();
    let mut outline = Outline::new();
    let titled = extract_with(html, &mut text, &mut outline);
    let (runs, zones) = outline.finish(text.len() - titled.shift);
    let mut from = titled.shift;
    let mut found = Vec::new();
    for run in runs {
        let mut sorts = Vec::new();
        let mut at = run.place.zone as usize;
        while at != 0 {
            sorts.push(zones[at].kind);
            assert!((zones[at].outer as usize) < at);
            at = zones[at].outer as usize;
        }
        let to = run.end + titled.shift;
        found.push((text[from..to].trim().to_owned(), run.place.kind, run.place.link, sorts));
        from = to;
    }
    assert_eq!(from, text.len());
    found
}

/// Only the texts and their kinds.
fn kinds(html: &str) -> Vec<(String, Kind)> {
    outline(html).into_iter().map(|(text, kind, ..)| (text, kind)).collect()
}

/// Only the texts and the sorts of their zones.
fn sorts(html: &str) -> Vec<(String, Vec<ZoneKind>)> {
    outline(html).into_iter().map(|(text, _, _, sorts)| (text, sorts)).collect()
}

fn pairs<T: Clone>(expected: &[(&str, T)]) -> Vec<(String, T)> {
    expected.iter().map(|(text, value)| ((*text).to_owned(), value.clone())).collect()
}

#[test]
fn kinds_by_example() {
    use Kind::*;
    for (html, expected) in [
        ("a<p>b<p>c</p>d", &[("a", Text), ("b", Paragraph), ("c", Paragraph), ("d", Text)][..]),
        ("<h1>a</h1>b<h2>c<p>d", &[("a", Title), ("b", Text), ("c", Heading), ("d", Paragraph)]),
        ("<ul><li>a<li>b<ul><li>c</ul>d</ul>e", &[("a", Item), ("b", Item), ("c", Item), ("d", Item), ("e", Text)]),
        ("<dl><dt>a<dd><p>b</dl>c", &[("a", Item), ("b", Paragraph), ("c", Text)]),
        ("<table><tr><td>a<td><div>b</div></table>c", &[("a", Row), ("b", Row), ("c", Text)]),
        ("<p>a <select><option>b<option>c</select> d", &[("a", Paragraph), ("b\nc", Control), ("d", Paragraph)]),
        ("<p>a<b>b</b><br>c", &[("ab\nc", Paragraph)]),
        ("a<template><p>x</template>b", &[("ab", Text)]),
        ("<p>a<title>T</title>b", &[("a\nb", Paragraph)]),
    ] {
        assert_eq!(kinds(html), pairs(expected), "{html}");
    }
}

#[test]
fn zones_by_example() {
    use ZoneKind::*;
    for (html, expected) in [
        ("<div><div></div>a</div>b", &[("a", vec![Plain]), ("b", vec![])][..]),
        ("<nav><ul><li>a</ul></nav>b", &[("a", vec![Group, Frame]), ("b", vec![])]),
        ("<div id=nav><div>a</div></div>b", &[("a", vec![Plain, Named]), ("b", vec![])]),
        ("<div id=nav><ul><li>a</div>b", &[("a", vec![Group, Named]), ("b", vec![])]),
        ("<article><header>a</header><p>b", &[("a", vec![Edge, Content]), ("b", vec![Content])]),
        ("<header class=entry-header>a</header>", &[("a", vec![Plain])]),
        ("<div id=comments><article>a", &[("a", vec![Content, Comments])]),
        ("<p class=menu>a<p>b", &[("a", vec![Named]), ("b", vec![])]),
        ("<h2 class=nav>a", &[("a", vec![])]),
        (
            "<table><tr><td class=side>a<td>b</div>c</table>d",
            &[("a", vec![Named, Group]), ("b", vec![Cell, Group]), ("c", vec![Cell, Group]), ("d", vec![])],
        ),
        ("<div><table><tr><td></div>a</table>b", &[("a", vec![Cell, Group, Plain]), ("b", vec![Plain])]),
    ] {
        assert_eq!(sorts(html), pairs(expected), "{html}");
    }
}

#[test]
fn links_end() {
    let links = |html| -> Vec<String> {
        outline(html).into_iter().filter(|(_, _, link, _)| *link).map(|(text, ..)| text).collect()
    };
    assert_eq!(links("a<a href=x>b</a>c<a name=y>d<a href=z>e<p>f</a>g"), ["b", "e", "f"]);
    assert_eq!(links("<table><tr><td><a href=x>a<td>b<td><a href=y>c</table>d"), ["a", "c"]);
}

#[test]
fn zones_are_made_for_text_alone() {
    let mut outline = Outline::new();
    let html = format!("{}{}a", "<div></div>".repeat(1000), "<ul class=nav>".repeat(100_000));
    extract_with(&html, &mut String::new(), &mut outline);
    assert_eq!((outline.open.len(), outline.beyond), (DEEPEST, 100_000 - DEEPEST));
    let (runs, zones) = outline.finish(1);
    assert_eq!((runs.len(), zones.len()), (1, DEEPEST + 1));
}

#[test]
fn what_is_too_deep_ends_where_it_should() {
    let deep = 2 * DEEPEST;
    let html = format!("<nav>{}a{}</nav>b", "<div>".repeat(deep), "</div>".repeat(deep));
    assert_eq!(sorts(&html).last(), Some(&("b".to_owned(), vec![])));
}
