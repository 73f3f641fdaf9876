//! The built program in a pseudo-terminal. Nothing here waits for a time where it can wait for the screen.

/// A terminal with the program in it.
mod terminal;

/// A session from start to end: what is on the screen, and what is left of it afterwards.
mod session;

/// Bytes that nobody typed write no label.
mod input;

/// What was shown as saved is saved, whatever happens to the process.
mod durability;

/// A file system without room.
mod full_disk;

/// A disk that fails at any one call.
mod faults;

/// What the program sends to the terminal, byte by byte.
mod output;

/// Work that takes long is no reason to leave a key unanswered.
mod busy;

/// The terminal lent to others: the shell, the pager, the editor, the clipboard, the mouse.
mod programs;

/// The same inside tmux, under the names that terminals give themselves.
mod tmux;
