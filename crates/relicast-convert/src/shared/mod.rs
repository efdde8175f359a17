//! Code that the converters of all games share.
//!
//! - [`stems`] — names of outputs; [`scene_outputs`] — the files of a scene;
//! - [`atlas`] — pictures in a row, shown in turn;
//! - [`sound`], [`video`] — sounds and videos of all games;
//! - [`disc`] — disc images and their music; [`cabinet`] — cabinets and archives;
//! - [`line`] — values that take one line of a document;
//! - [`passthrough`] — files that need no conversion.

pub(crate) mod atlas;
pub(crate) mod cabinet;
pub(crate) mod disc;
pub(crate) mod line;
pub(crate) mod passthrough;
pub(crate) mod scene_outputs;
pub(crate) mod sound;
pub(crate) mod stems;
pub(crate) mod video;
