//! The relation of every source page to every target page, from how they were made.

use crate::{
    edit::Version,
    plan::{Page, Plan},
};

/// How two pages are related, strongest kinship first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// Same page, same address.
    ExactCopy,
    /// Same page, other address.
    Moved,
    /// Only the dates and the visit counter in the template differ.
    DateChanged,
    /// Same text in another template.
    BoilerplateChanged,
    /// A few words differ.
    LightEdit,
    /// Much differs.
    HeavyEdit,
    /// One is a part of the other.
    Excerpt,
    /// Other content in the same form.
    SameTemplate,
    /// Other content at the same address.
    SameUrlNewContent,
    /// Nothing in common but the language, perhaps.
    Unrelated,
}

impl Relation {
    /// The word in `truth.tsv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExactCopy => "exact-copy",
            Self::Moved => "moved",
            Self::DateChanged => "date-changed",
            Self::BoilerplateChanged => "boilerplate-changed",
            Self::LightEdit => "light-edit",
            Self::HeavyEdit => "heavy-edit",
            Self::Excerpt => "excerpt",
            Self::SameTemplate => "same-template",
            Self::SameUrlNewContent => "same-url-new-content",
            Self::Unrelated => "unrelated",
        }
    }
}

/// The relation of two pages.
pub fn relation(plan: &Plan, source: &Page, target: &Page) -> Relation {
    if source.work != target.work {
        let family = &plan.works[source.work].family;
        return if source.url == target.url {
            Relation::SameUrlNewContent
        } else if family.is_some() && *family == plan.works[target.work].family {
            Relation::SameTemplate
        } else {
            Relation::Unrelated
        };
    }
    // An edit may have found nothing to change, so the texts decide, except for a page that broke off.
    let cut = source.version == Version::Cut || target.version == Version::Cut;
    if cut || source.text != target.text {
        return [source.version, target.version].into_iter().map(severity).max().unwrap_or(Relation::LightEdit);
    }
    match (source.html == target.html, source.url == target.url) {
        (true, true) => Relation::ExactCopy,
        (true, false) => Relation::Moved,
        (false, _) if source.dress == target.dress => Relation::DateChanged,
        (false, _) => Relation::BoilerplateChanged,
    }
}

fn severity(version: Version) -> Relation {
    match version {
        Version::Original | Version::Light(_) | Version::Scaled(_) => Relation::LightEdit,
        Version::Heavy(_) => Relation::HeavyEdit,
        Version::Excerpt(_) | Version::Cut => Relation::Excerpt,
    }
}
