//! Lets a method see all words of a page, or its content words only.
//!
//! Zelenkov and Segalovich (RCDL 2007) take stop words and words of up to 3 letters out before any of their algorithms
//! sees a page. A method that is told to do so gets a document with the same text and with these tokens left out, so its
//! n-grams, shingles, lengths and explanations are over the words that are left; which words those are is answered by
//! [`Prepared::content`]. Cost: one look a token, once a document, whatever the number of configurations.

use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::Declaration;
use super::prepared::Prepared;

/// Which words of a page count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordsSeen {
    All,
    Content,
}

impl WordsSeen {
    /// The parameter `words`, with this default.
    pub(super) fn declare(declaration: &mut Declaration<'_>, default: Self) -> Self {
        let choices = [("all", Self::All), ("content", Self::Content)];
        let about =
            "which words of a page count: all, or its content words, without stop words and words of up to 3 letters";
        declaration.choice("words", default, &choices, about)
    }

    /// Makes a method see only these words.
    pub(super) fn restrict(self, method: impl Method + 'static) -> Box<dyn Method> {
        match self {
            Self::All => Box::new(method),
            Self::Content => Box::new(ContentWords { method }),
        }
    }
}

/// A method that sees only the content words of a page.
#[derive(Debug)]
struct ContentWords<M> {
    method: M,
}

impl<M: Method> Method for ContentWords<M> {
    fn shape(&self) -> Shape<'_> {
        self.method.shape()
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        self.method.sketch(&document.content(), out)
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        self.method.keys(sketch, out);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        self.method.compare(a, b)
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let mut reasons = self.method.reasons(&source.content(), &target.content());
        let [a, b] = [source, target].map(|document| document.content().tokens().len());
        let claim = format!(
            "content words alone count: {a} of {} words of the source, {b} of {} of the target",
            source.tokens().len(),
            target.tokens().len()
        );
        reasons.claim.push_str("; of content words");
        reasons.parts.push(Explanation::new(claim, (a + b) as f64));
        reasons
    }

    fn print(&self, sketch: &[u64]) -> String {
        self.method.print(sketch)
    }
}

#[cfg(test)]
mod tests {
    use crate::parameters::Value;
    use crate::testing::{fitted, reasons, sketch, verdict, with};
    use crate::{Algorithm, decomposition, log_shingles, megashingles, simhash};

    /// Those that the paper runs on preprocessed pages, and SimHash, which may.
    const SEEING: [&Algorithm; 4] =
        [&megashingles::ALGORITHM, &log_shingles::ALGORITHM, &decomposition::ALGORITHM, &simhash::ALGORITHM];

    const PAGE: &str = "The old harbour of the town stands open, and its keeper lights the lantern when a storm comes in \
                        from the west; all boats that are out at sea steer by it";

    /// The content words of [`PAGE`], found by hand.
    const CONTENT_OF_PAGE: &str = "harbour town stands open keeper lights lantern storm comes west boats steer";

    fn set(words: &str) -> [(&'static str, Value); 1] {
        [("words", Value::Word(words.to_owned()))]
    }

    #[test]
    fn a_page_is_its_content_words() {
        let words = with(PAGE, |page| {
            let content = page.content();
            let tokens = content.tokens();
            (0..tokens.len()).map(|i| &PAGE[tokens.span(i)]).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(words, CONTENT_OF_PAGE);
        for algorithm in SEEING {
            let (all, content) = (fitted(algorithm, &set("all"), &[]), fitted(algorithm, &set("content"), &[]));
            let name = algorithm.name;
            assert_eq!(sketch(&*content, PAGE), sketch(&*all, CONTENT_OF_PAGE), "{name}");
            assert_ne!(sketch(&*content, PAGE), sketch(&*all, PAGE), "{name}");
            assert!(verdict(&*content, PAGE, CONTENT_OF_PAGE).is_some(), "{name}");
            assert!(verdict(&*all, PAGE, CONTENT_OF_PAGE).is_none(), "{name}");
        }
    }

    #[test]
    fn explanations_point_into_the_page_and_say_so() {
        for algorithm in SEEING {
            let method = fitted(algorithm, &set("content"), &[]);
            let answer = reasons(&*method, PAGE, CONTENT_OF_PAGE);
            assert!(answer.claim.ends_with("; of content words"), "{}", answer.claim);
            let last = answer.parts.last().map(|part| part.claim.as_str());
            let expected = "content words alone count: 12 of 32 words of the source, 12 of 12 of the target";
            assert_eq!(last, Some(expected), "{}", algorithm.name);
        }
    }

    #[test]
    fn defaults_are_the_papers() {
        let of = |algorithm: &Algorithm| algorithm.parameters().pop().map(|words| words.default.to_string());
        assert_eq!(SEEING.map(of), ["content", "content", "content", "all"].map(|word| Some(word.to_owned())));
    }
}
