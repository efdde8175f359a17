//! Formats of Zipper Interactive's games. Facts come from the project's fact sheet of the Zipper
//! containers; where a fact is uncertain the field says so.

pub mod archive;
pub mod gamez;
pub mod mechlib;
