//! Which places of a page's text do not belong to its main content?

use std::ops::Range;

/// The spans of `text` that are not in `main`, which [`super::extract_main`] made of the same page: whole lines, or
/// cells of a table. Ascending; neighbours are one span. None when `main` is not a part of `text`: then nothing is known.
pub fn outside_main(text: &str, main: &str) -> Option<Vec<Range<usize>>> {
    let mut main = cells(main).map(|(_, cell)| cell).peekable();
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut goes_on = false;
    for (start, cell) in cells(text) {
        let inside = main.next_if_eq(&cell).is_some();
        match spans.last_mut() {
            _ if inside => {}
            Some(last) if goes_on => last.end = start + cell.len(),
            _ => spans.push(start..start + cell.len()),
        }
        goes_on = !inside;
    }
    main.peek().is_none().then_some(spans)
}

/// Lines and cells that hold something, with the byte at which each begins.
fn cells(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let place = move |cell| {
        let at = start;
        start += str::len(cell) + 1;
        (at, cell)
    };
    text.split(['\n', '\t']).map(place).filter(|(_, cell)| !cell.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{extract, extract_main};
    use super::*;
    use proptest::prelude::*;

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of spans, some of them of one")]
    fn frames_by_example() {
        let text = "Title\nHome\tNews\nA long paragraph.\nAnother.\nImprint";
        assert_eq!(outside_main(text, "Title\nA long paragraph.\nAnother."), Some(vec![6..15, 43..50]));
        assert_eq!(outside_main(text, "Title\nNews\nA long paragraph.\nAnother.\nImprint"), Some(vec![6..10]));
        assert_eq!(outside_main(text, text), Some(Vec::new()));
        assert_eq!(outside_main(text, ""), Some(vec![0..text.len()]));
        assert_eq!(outside_main("", ""), Some(Vec::new()));
        assert_eq!(outside_main(text, "Title\nsomething else"), None);
    }

    proptest! {
        /// What a frame leaves is the main content, cell by cell.
        #[test]
        fn what_is_left_is_the_main_content(pieces in prop::collection::vec(0usize..8, 0..40)) {
            let parts = [
                "<p>The words of a paragraph that is long enough to be taken for a text by everyone who reads.</p>",
                "<ul><li><a href=x>Home</a><li><a href=y>News</a></ul>", "<div id=nav>Menu</div>", "<h1>Head</h1>",
                "<table><tr><td>one<td>two</table>", "<footer>Imprint and so on</footer>", "<title>T</title>", "<p>漢字",
            ];
            let html: String = pieces.iter().map(|&i| parts[i]).collect();
            let (mut text, mut main) = (String::new(), String::new());
            extract(&html, &mut text);
            extract_main(&html, &mut main);
            let spans = outside_main(&text, &main).expect("the main content is a part of the text");
            prop_assert!(spans.windows(2).all(|pair| pair[0].end < pair[1].start));
            let framed = |at: usize| spans.iter().any(|span| span.contains(&at));
            let left: Vec<&str> = cells(&text).filter(|(at, _)| !framed(*at)).map(|(_, cell)| cell).collect();
            let wanted: Vec<&str> = cells(&main).map(|(_, cell)| cell).collect();
            prop_assert_eq!(left, wanted);
        }
    }
}
