//! A stream of bytes to a terminal, taken apart.

/// One thing in a stream to a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A control character outside of a sequence.
    Control(u8),
    /// `ESC [ parameters final`.
    Csi(String, char),
    /// Any other sequence, from its second byte on.
    Other(String),
    /// A sequence at the end of the stream whose own end has not come yet.
    Unfinished,
}

/// Takes a stream apart.
pub fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let text = String::from_utf8_lossy(bytes);
    let mut pieces = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            match pieces.last_mut() {
                _ if c.is_control() => pieces.push(Piece::Control(c as u8)),
                Some(Piece::Text(text)) => text.push(c),
                _ => pieces.push(Piece::Text(c.to_string())),
            }
            continue;
        }
        match chars.next() {
            Some('[') => {
                let mut parameters = String::new();
                let last = loop {
                    match chars.next() {
                        Some(c) if ('\u{40}'..='\u{7e}').contains(&c) => break Some(c),
                        Some(c) => parameters.push(c),
                        None => break None,
                    }
                };
                pieces.push(last.map_or(Piece::Unfinished, |last| Piece::Csi(parameters, last)));
            }
            Some(other) => pieces.push(Piece::Other(other.to_string())),
            None => pieces.push(Piece::Unfinished),
        }
    }
    pieces
}

/// Whether a piece is what a frame is made of: places, styles, and text that neither hides nor reorders.
pub fn harmless(piece: &Piece) -> bool {
    match piece {
        Piece::Text(text) => !text.chars().any(|c| {
            matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        }),
        Piece::Csi(_, last) => "HGm".contains(*last),
        Piece::Control(_) | Piece::Other(_) | Piece::Unfinished => false,
    }
}

/// A stream may be looked at while it is being written: wherever it ends then, nothing else than its end looks different.
#[test]
fn a_stream_that_is_cut_has_the_same_pieces_up_to_the_cut() {
    let stream = b"\x1b[?25l\x1b[3;14H\x1b[38;5;141mab\x1b[0m\x1bc";
    let whole = pieces(stream);
    assert!(whole.len() == 6 && !whole.contains(&Piece::Unfinished), "{whole:?}");
    for end in 0..stream.len() {
        let cut = pieces(&stream[..end]);
        let same = cut.iter().zip(&whole).take_while(|(a, b)| a == b).count();
        let is_cut =
            |piece: &Piece| *piece == Piece::Unfinished || matches!(piece, Piece::Text(text) if "ab".starts_with(text));
        assert!(cut.len() - same <= 1 && cut[same..].iter().all(is_cut), "{end}: {cut:?}");
    }
}
