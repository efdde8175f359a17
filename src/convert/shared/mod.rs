//! What the converters of all games share, once each.
//!
//! - [`stems`] — names of outputs; [`scene_outputs`] — the files of a scene;
//! - [`extras`] — extras below one key; [`atlas`] — pictures in a row, shown in turn;
//! - [`sound`], [`video`] — sounds and videos, which are no game's own;
//! - [`disc`] — disc images and their music; [`cabinet`] — cabinets and archives;
//! - [`line`] — values that take one line of a document;
//! - [`passthrough`] — files that are fine as they are.

pub(in crate::convert) mod atlas;
pub(in crate::convert) mod cabinet;
pub(in crate::convert) mod disc;
pub(in crate::convert) mod extras;
pub(in crate::convert) mod line;
pub(in crate::convert) mod passthrough;
pub(in crate::convert) mod scene_outputs;
pub(in crate::convert) mod sound;
pub(in crate::convert) mod stems;
pub(in crate::convert) mod video;
