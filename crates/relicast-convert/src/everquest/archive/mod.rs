//! The parts of an archive or of a loose scene, and what each becomes.
//!
//! Every member is one part, in the order of the index; the models of scenes follow behind all of them,
//! so that the place of a member's part depends on nothing but the index.

mod convert;
mod converter;
mod document;
mod later;
mod plan;
mod skies;

pub(crate) use converter::PfsConverter;
pub(crate) use document::FORMS;
