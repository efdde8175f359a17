//! Archives of Crimson Skies (`crimson.rof`, `crimptch.rof`): a tree of folders with plain and packed files.
//!
//! ```text
//! block of the root, at offset 0: u32 count, u32 bytes of names, count × record (24 bytes), names
//! record: start, decoded length, stored length, flags, length of the name, one more word
//! blocks of folders and the bytes of files, anywhere; in every file seen blocks come first
//! ```
//!
//! [`decode`] reads the blocks and finds the stored bytes of each file; [`Entry::extract`] inflates them. Stored
//! bytes are preserved, so that byte equality does not depend on the compressor.
//!
//! ```
//! use relicast_formats::zipper::rof::{self, NewFile};
//!
//! let file = NewFile { path: "ASSETS/A.TXT", bytes: b"hello", packed: Some(1) };
//! let bytes = rof::pack(&[file], &["ASSETS/EMPTY"])?;
//! let archive = rof::decode(&bytes)?.value;
//! let entry = archive.entries.iter().find(|entry| entry.name == "A.TXT").unwrap();
//! assert_eq!(*entry.extract()?.value, *b"hello");
//! assert_eq!(rof::encode(&archive)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

mod archive;
mod edit;
mod pack;
mod read;

pub use archive::{
    Block, BlockHead, DEEPEST, Entry, Gap, LONGEST_NAME, Record, Rof, Storage, encode,
};
pub use pack::{NewFile, pack};
pub use read::{decode, looks_like};
