//! 'Mechs of MechWarrior 3 and Pirate's Moon, as scenes with their motions as clips.
//!
//! - [`texture_library`] — the members of a model library and their conversion;
//! - [`chassis`] — settings of a 'mech in readers;
//! - [`skins`] — the paint schemes of a 'mech;
//! - [`motions`] — motions bound to the nodes of a 'mech;
//! - [`rest`] — the pose at rest.

mod chassis;
mod definition;
mod library;
mod motions;
mod rest;
mod skins;

pub(crate) use library::FORMS;
pub(crate) use library::MechLibrary;
