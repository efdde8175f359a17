//! 'Mechs of MechWarrior 3 and Pirate's Moon, as scenes with their motions as clips.
//!
//! - [`library`] — the members of a model library and what each becomes;
//! - [`motions`] — motions bound to the nodes of a 'mech.

mod library;
mod motions;

pub(in crate::convert) use library::MechLibrary;
