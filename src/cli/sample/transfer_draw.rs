//! `dejaview sample --from transfer`: a draw from the pairs by which a transfer carries judgments over.

use anyhow::Result;

use super::args::{Args, DrawnFrom};
use crate::output::Misuse;
use crate::transfer::required_accept;
use dejaview_evaluation::sample::Sample;
use dejaview_study::{Snapshot, TransferDraw, TransferOptions};

/// The draw that the arguments describe, or the one of the sample that is to be made longer; `None` where it is not from the pairs of
/// a transfer.
pub fn transfer_draw(args: &Args, study: &Snapshot, before: Option<&Sample>) -> Result<Option<TransferDraw>> {
    if let (Some(more), Some(before)) = (args.extend, before) {
        let existing = TransferDraw::from_sample(before)?;
        return Ok(existing.map(|draw| TransferDraw { size: draw.size + more, ..draw }));
    }
    let transfer = &args.transfer;
    if args.from != Some(DrawnFrom::Transfer) {
        if transfer.policy.is_none() && transfer.accept.is_none() {
            return Ok(None);
        }
        return Err(Misuse("--policy and --accept go with --from transfer alone".to_owned()).into());
    }
    let order = TransferOptions {
        policy: transfer.policy.unwrap_or_default(),
        accept: required_accept(transfer.accept)?,
        by: None,
        configurations: args.configuration.iter().filter(|name| *name != "all").cloned().collect(),
    };
    let name = args.name.as_deref().unwrap_or("transfer").to_owned();
    Ok(Some(TransferDraw { name, size: args.size, seed: args.seed(study), order }))
}
