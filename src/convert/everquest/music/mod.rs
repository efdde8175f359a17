//! Music: XMIDI files.
//!
//! - [`song`] — a sequence as a Standard MIDI File, and what such a file cannot tell;
//! - [`file`] — the parts of a file, and its document;
//! - [`render`] — a song as sound, through a sound font.

mod file;
mod fonts;
mod render;
mod song;

pub(in crate::convert) use file::FORMS;
pub(in crate::convert) use file::{XmidiFile, needs};
pub(in crate::convert) use fonts::is_playable;
