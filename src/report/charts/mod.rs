//! Figures drawn: as text for a terminal, as SVG for a page.

pub mod svg;
pub mod text;
