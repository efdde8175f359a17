//! Cabinets: an encoder of InstallShield sets in every form that is read, sets of Microsoft cabinets, and discs with an
//! install in them.
//!
//! - [`set`] — InstallShield sets; `layout` — how their data lies in volumes.
//! - [`microsoft`] — Microsoft cabinets, cut into sets.
//! - [`disc`] — sample discs.

pub mod disc;
mod layout;
pub mod microsoft;
pub mod set;
