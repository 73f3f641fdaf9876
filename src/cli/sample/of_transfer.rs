//! `dejaview sample --from transfer`: the pairs that a transfer takes.

use anyhow::Result;

use super::args::{Args, DrawnFrom};
use crate::output::Misuse;
use crate::transfer::accepted;
use dejaview_study::{Snapshot, TransferDraw, TransferOrder};

/// The draw where it is from the pairs of a transfer, or makes one of those longer.
pub fn draw(args: &Args, study: &Snapshot) -> Result<Option<TransferDraw>> {
    if let (Some(more), Some(name)) = (args.extend, args.name.as_deref()) {
        let there = TransferDraw::of(&dejaview_study::sample_or_first_draw(study, name)?)?;
        return Ok(there.map(|there| TransferDraw { size: there.size + more, ..there }));
    }
    let transfer = &args.transfer;
    if args.from != Some(DrawnFrom::Transfer) {
        let pages = transfer.policy.is_none() && transfer.accept.is_none();
        let why = "--policy and --accept go with --from transfer alone".to_owned();
        return if pages { Ok(None) } else { Err(Misuse(why).into()) };
    }
    let order = TransferOrder {
        policy: transfer.policy.unwrap_or_default(),
        accept: accepted(transfer.accept)?,
        by: None,
        configurations: args.configuration.iter().filter(|name| *name != "all").cloned().collect(),
    };
    let name = args.name.as_deref().unwrap_or("transfer").to_owned();
    Ok(Some(TransferDraw { name, size: args.size, seed: args.seed, order }))
}
