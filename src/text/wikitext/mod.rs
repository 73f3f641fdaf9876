//! The canonical text of a page in wikitext: what a reader of the rendered page would read, as far as the page itself says.
//!
//! Templates are not expanded but left out, with comments, references, formulas and magic words; links leave their text,
//! files their caption, categories and links to other languages nothing; a heading, a list item and a row of a table are
//! lines of their own, cells apart by tabs. As for HTML: no empty lines, no blanks at the ends, runs of white space as one.
//!
//! Three passes, each linear in the page whatever its nesting: [`strip`] takes out what is not text, [`lines`] reads what
//! stands at the front of a line, [`inline`] the rest. Brackets without counterpart are dropped and their text stays.

mod inline;
mod lines;
mod strip;

/// Writes the canonical text of `wikitext` into `out`, which is cleared first.
pub fn extract_wikitext(wikitext: &str, out: &mut String) {
    out.clear();
    let stripped = strip::templates(&strip::tags(wikitext));
    lines::read(&stripped, out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(wikitext: &str) -> String {
        let mut out = String::new();
        extract_wikitext(wikitext, &mut out);
        out
    }

    #[test]
    fn links_leave_their_text() {
        assert_eq!(text("The [[dog|dogs]] of [[Rome]]s, [[:Category:Dogs]]."), "The dogs of Romes, Category:Dogs.");
        assert_eq!(
            text("[http://a.org An address] and [https://b.org] and http://c.org"),
            "An address and and http://c.org"
        );
        assert_eq!(text("[[Category:Dogs]][[de:Hund]][[zh-yue:狗]]a"), "a");
        assert_eq!(text("[[File:dog.jpg|thumb|200px|A [[dog]] in ''Rome'']]b"), "A dog in Rome b");
        assert_eq!(text("[[Image:x.png]]c [[Talk: a|b]] [1]"), "c b [1]");
        assert_eq!(text("[[Help (album)|]]"), "Help (album)");
    }

    #[test]
    fn what_is_not_text_is_left_out() {
        assert_eq!(text("a{{cite|b={{c|d}}|e}}f {{{1}}}g"), "af g");
        assert_eq!(text("a<!-- b -->c<ref name=x>d {{e}}</ref>f<ref name=x />g<math>x^2</math>"), "acfg");
        assert_eq!(text("__TOC__a <nowiki>b</nowiki><br>c<br/>d &nbsp;&eacute; e"), "a b\nc\nd é e");
        assert_eq!(text("unclosed {{template and [[link"), "unclosed template and link");
        assert_eq!(text("a <!-- to the end"), "a");
        assert_eq!(text("1 < 2 and a<b"), "1 < 2 and a<b");
    }

    #[test]
    fn lines_and_quotes() {
        assert_eq!(
            text("= A =\n\n== B ==\n'''bold''' ''it'' isn't ''''x''''\n* one\n** two\n# three\n:; four\n----\nend"),
            "A\nB\nbold it isn't 'x'\none\ntwo\nthree\nfour\nend"
        );
        assert_eq!(text("#REDIRECT [[Other]]"), "REDIRECT Other");
    }

    #[test]
    fn tables_are_lines_with_tabs() {
        let table = "{| class=\"wikitable\"\n|+ style=\"x\" | Caption\n! scope=col | Name !! Age\n|-\n| [[A|Ann]] || 3\n|-\n| align=right | Bob\n| 4 {{x|y}}\n|}\nafter";
        assert_eq!(text(table), "Caption\nName\tAge\nAnn\t3\nBob\t4\nafter");
        assert_eq!(text("| not a table\n! nor this"), "| not a table\n! nor this");
        assert_eq!(text("{|\n| a\n{|\n| inner\n|}\n| b\n|}"), "a\ninner\nb");
    }

    /// Inputs that would cost the square of their length, or a stack, if every bracket were matched anew.
    #[test]
    fn hostile_nesting_is_linear() {
        for unit in [
            "{{",
            "[[",
            "{{{",
            "<ref>",
            "<!--",
            "{|\n",
            "[http://a ",
            "''",
            "<",
            "&",
            "]]",
            "}}",
            "<ref",
            "[[File:a|",
            "<math>",
        ] {
            let wikitext = unit.repeat(50_000);
            let read = text(&wikitext);
            assert!(read.len() <= wikitext.len() + 1, "{unit}");
        }
        let deep = format!("{}x{}", "[[a|".repeat(50_000), "]]".repeat(50_000));
        assert!(text(&deep).contains('x'));
        let templates = format!("{}x{}y", "{{".repeat(100_000), "}}".repeat(100_000));
        assert_eq!(text(&templates), "y");
    }

    proptest! {
        #[test]
        fn nothing_breaks_it(parts in proptest::collection::vec(proptest::sample::select(vec![
            "[[", "]]", "{{", "}}", "{{{", "}}}", "|", "{|", "|}", "|-", "!", "''", "'", "=", "\n", "<ref>", "</ref>", "<",
            ">", "<!--", "-->", "File:", "Category:", "é", "狗", "&amp;", "&", " ", "a", "http://", "[", "]", "*", "__", "<br>",
        ]), 0..80)) {
            let wikitext = parts.concat();
            let read = text(&wikitext);
            prop_assert!(!read.contains("\n\n") && !read.starts_with('\n') && !read.ends_with('\n'), "{:?}", read);
            for line in read.lines() {
                prop_assert_eq!(line.trim_matches([' ', '\t']), line);
            }
        }
    }
}
