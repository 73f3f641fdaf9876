//! Charts of the study's figures: as text for a terminal, as SVG for the HTML page.

pub mod curves;
pub mod svg;
pub mod text;
