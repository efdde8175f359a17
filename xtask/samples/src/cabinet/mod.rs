//! Cabinets: an encoder of InstallShield sets in every supported form, sets of Microsoft cabinets, and discs with an
//! install in them.
//!
//! - [`set`] — InstallShield sets; `layout` — layout of their data in volumes.
//! - [`microsoft`] — Microsoft cabinets, divided into sets.
//! - [`disc`] — sample discs.

pub mod disc;
mod layout;
pub mod microsoft;
pub mod set;
