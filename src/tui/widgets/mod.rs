//! What screens are drawn with. Every function takes what it shows, never the whole program.

pub mod bar;
pub mod boxes;
pub mod chart;
pub mod chips;
pub mod cursor;
pub mod diff_view;
pub mod empty;
pub mod find;
pub mod finder_box;
pub mod focus;
pub mod found_by;
pub mod frame;
pub mod fuzzy;
pub mod glyphs;
pub mod hud;
pub mod matrix;
pub mod meter;
pub mod names;
pub mod paragraph;
pub mod pieces;
pub mod plain;
pub mod prompt;
pub mod size;
pub mod tab_bar;
pub mod table;
pub mod toast;
