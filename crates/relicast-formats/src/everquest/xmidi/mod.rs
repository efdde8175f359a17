//! XMIDI (`.xmi`): the songs of a zone for the Miles Sound System. A file of chunks, big-endian as
//! those of IFF, with one form for each sequence.
//!
//! - [`container`] — the chunks, byte for byte;
//! - [`events`] — events of a sequence: notes with their lengths, at ticks of 1/120 s.
//!
//! ```
//! use relicast_formats::everquest::xmidi::{Xmidi, decode, encode, events};
//!
//! let sequence = events::decode(b"\x90\x3C\x40\x0A\x7F\x01\xFF\x2F\x00")?.value;
//! assert_eq!(sequence.end, 128);
//! let bytes = encode(&Xmidi::new(&[sequence])?)?;
//! let file = decode(&bytes)?.value;
//! assert_eq!(file.sequences().len(), 1);
//! assert_eq!(encode(&file)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod container;
pub mod events;
mod made;

pub use container::{Xmidi, decode, encode, looks_like};
