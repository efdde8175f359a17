//! The items of an archive or of a loose scene, and the outputs of each.
//!
//! Every member is one item, in the order of the index; the models of scenes follow behind all of them,
//! so that the place of a member's item depends on nothing but the index.

mod convert;
mod converter;
mod document;
mod later;
mod plan;
mod skies;

pub(crate) use converter::PfsConverter;
pub(crate) use document::FORMS;
