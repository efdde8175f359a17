//! Music: XMIDI files.
//!
//! - [`song`] — a sequence as a Standard MIDI File, and the events that such a file cannot express;
//! - [`file`] — the items of a file, and its document;
//! - [`render`] — a song as sound, through a sound font.

mod file;
mod fonts;
mod render;
mod song;

pub(crate) use file::FORMS;
pub(crate) use file::{XmidiFile, needs};
pub(crate) use fonts::is_playable;
