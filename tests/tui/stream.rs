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
                        Some(c) if ('\u{40}'..='\u{7e}').contains(&c) => break c,
                        Some(c) => parameters.push(c),
                        None => break '\0',
                    }
                };
                pieces.push(Piece::Csi(parameters, last));
            }
            other => pieces.push(Piece::Other(other.map(String::from).unwrap_or_default())),
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
        Piece::Control(_) | Piece::Other(_) => false,
    }
}
