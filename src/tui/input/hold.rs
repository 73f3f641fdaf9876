//! How long the rest of what a terminal sends is waited for.

use std::time::Duration;

/// A rest of a sequence follows its Escape within this time.
pub const HOLD: Duration = Duration::from_millis(25);
/// The same over ssh.
pub const HOLD_SSH: Duration = Duration::from_millis(100);
/// A paste whose end was lost is over after this silence.
pub const PASTE_SILENCE: Duration = Duration::from_secs(2);
