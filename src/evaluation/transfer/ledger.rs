//! What became of each judgment.

use strum::IntoStaticStr;

use super::links::{Labelled, Link};

/// Why a judgment is not carried to a target.
pub(super) const JUDGED: &str = "judged already";

/// What became of one judgment at one target, or of a judgment that has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LedgerEntry {
    /// Number of the judgment among `Judgments::rows`.
    pub judgment: u32,
    /// The link it is carried along, or would be were its target not judged; none when it is left behind.
    pub link: Option<Link>,
    pub status: Status,
    pub why: &'static str,
}

/// What became of a judgment at a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Status {
    /// Its grade stands in the new qrels.
    Carried,
    /// The same grade stands there by another judgment.
    Same,
    /// Another grade stands there.
    Overruled,
    /// It has no target.
    Left,
    /// The target is judged for this topic itself, and that judgment stands.
    Judged,
    /// Its document stands in the target itself, and its grade in the new qrels.
    Own,
}

impl Status {
    /// Whether the grade stands in the new qrels.
    pub fn stands(self) -> bool {
        matches!(self, Self::Carried | Self::Same | Self::Own)
    }

    /// As a ledger writes it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl LedgerEntry {
    pub(super) fn carried(judgment: u32, link: Link) -> Self {
        Self { judgment, link: Some(link), status: Status::Carried, why: "" }
    }

    pub(super) fn left(judgment: u32, why: &'static str) -> Self {
        Self { judgment, link: None, status: Status::Left, why }
    }

    /// A judgment whose target document is judged for the topic itself.
    pub(super) fn judged(judgment: u32, link: Link) -> Self {
        Self { judgment, link: Some(link), status: Status::Judged, why: JUDGED }
    }

    /// A judgment whose document is in the target itself.
    pub(super) fn own(judgment: u32, source: u32, target: u32) -> Self {
        let link = Link { source, target, score: None, rank: u64::MAX, label: Labelled::Nobody };
        Self { judgment, link: Some(link), status: Status::Own, why: "its document stands in the target itself" }
    }

    /// The link that the judgment is carried along.
    pub fn taken(&self) -> Option<Link> {
        self.link.filter(|_| !matches!(self.status, Status::Judged | Status::Own))
    }
}
