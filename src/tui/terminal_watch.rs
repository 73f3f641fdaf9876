//! Gives the terminal back when the explorer dies without doing so itself.
//!
//! A process that aborts, overflows its stack or is killed runs none of its own code any more. So another one waits: a shell
//! whose standard input is a pipe from the explorer. An explorer that ends says so first; a pipe that closes without a word
//! means that it died.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

/// Saves the settings of the terminal, which is its standard output, says so, and waits. Its arguments are what undoes the
/// explorer's modes, and what is said then. Keys that interrupt other programs of the terminal are not for it.
const SCRIPT: &str = "trap '' HUP INT QUIT TERM TSTP
exec 3<&1
settings=$(stty -g <&3) || exit
echo saved >&2
read -r ended && exit
stty \"$settings\" <&3
printf '%s%s\n' \"$1\" \"$2\"";

/// What is said when the explorer has died.
const DIED: &str = "dejaview: the explorer was killed, or a file of the study was cut short while it was open; labels that were \
                    shown as saved are on the disk";

/// The process that waits.
#[derive(Debug)]
pub(super) struct TerminalWatch(Child);

impl TerminalWatch {
    /// Starts the shell, which saves the settings of the terminal meanwhile. None where there is no shell: the explorer works
    /// without.
    pub(super) fn start(undo: &str) -> Option<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "dejaview", undo, DIED]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().ok().map(Self)
    }

    /// Waits until the settings are saved; must be called before the terminal is taken over. None where there is no terminal.
    pub(super) fn saved(mut self) -> Option<Self> {
        let saved = self.0.stderr.take().is_some_and(|mut said| said.read_exact(&mut [0; 6]).is_ok());
        saved.then_some(self)
    }
}

impl Drop for TerminalWatch {
    fn drop(&mut self) {
        if let Some(mut input) = self.0.stdin.take() {
            let _ = input.write_all(b"ended\n");
        }
        let _ = self.0.wait();
    }
}
