//! The items of an archive or of a loose scene, and the outputs of each.
//!
//! Every member is one item, in the order of the index; the models of scenes follow after all of them,
//! so that the position of a member's item depends on the index alone.

mod convert;
mod converter;
mod document;
mod eqg_members;
mod plan;
mod skies;

pub(crate) use converter::PfsConverter;
pub(crate) use document::FORMS;
