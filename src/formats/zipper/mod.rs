//! Formats of Zipper Interactive's games. Facts come from the project's fact sheet of the Zipper
//! containers; where a fact is uncertain the field says so.

pub mod anim;
pub mod archive;
pub mod interp;
pub mod messages;
pub mod motion;
pub mod reader;
pub mod save;
pub mod texture;
pub mod zmap;
