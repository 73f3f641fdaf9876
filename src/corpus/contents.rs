//! The value of `contents` in JSON lines: a text, or a list of the parts of an article.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::scalar::Scalar;

#[derive(Debug)]
pub(crate) enum Contents<'a> {
    Text(Scalar<'a>),
    /// Markup, a paragraph for each part that has a text.
    Parts(String),
}

impl Default for Contents<'_> {
    fn default() -> Self {
        Self::Text(Scalar::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Contents<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentsVisitor)
    }
}

struct ContentsVisitor;

impl<'de> Visitor<'de> for ContentsVisitor {
    type Value = Contents<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Contents::Text(Scalar(Some(Cow::Borrowed(text)))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Contents::Text(Scalar(Some(Cow::Owned(text.to_owned())))))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Contents::Text(Scalar(Some(Cow::Owned(number.to_string())))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Contents::Text(Scalar(Some(Cow::Owned(number.to_string())))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Contents::Text(Scalar(Some(Cow::Owned(number.to_string())))))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Contents::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Contents::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut page = String::new();
        while let Some(part) = items.next_element::<Value>()? {
            if let Some(text) = part_text(&part) {
                page.push_str("<p>");
                page.push_str(&text);
                page.push_str("</p>\n");
            }
        }
        Ok(if page.is_empty() { Contents::default() } else { Contents::Parts(page) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Contents::default())
    }
}

/// The markup of a part: its text or caption, escaped unless the part says that it is HTML. Dates, tweets and pictures
/// without a caption have none.
fn part_text(part: &Value) -> Option<Cow<'_, str>> {
    let text = part.as_str().or_else(|| part["content"].as_str()).or_else(|| part["fullcaption"].as_str())?;
    let is_html = part["mime"] == "text/html" || part["type"] == "sanitized_html";
    let text = if is_html { Cow::Borrowed(text) } else { escaped(text) };
    Some(text).filter(|text| !text.trim().is_empty())
}

/// Text as markup.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if text.contains(['&', '<']) { Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;")) } else { text.into() }
}
