//! Cabinets and other packed folders as sources: InstallShield sets, Microsoft cabinets, zip archives.
//!
//! - [`volume`] — the files of a cabinet, read by offset.
//! - [`container`] — an opened cabinet: a [`Container`] with its members; `reading` — their bytes, `scratch` — cached
//!   bytes.
//! - `member` — position and compression of one member; `names` — paths of members.
//! - [`set`] — InstallShield sets, `set_members` — their members; [`microsoft`] — Microsoft cabinets, `folder` — their
//!   streams; [`zipped`] — zip archives, `archive` — their members; `stub` — self-extracting programs.
//!
//! Cabinets can be on disk, in disc images and in one another. They are read by offset and never as a whole. A member
//! is inflated when it is asked for: small ones into memory, large ones into temporary files without a name.
//!
//! ```
//! use std::io::{Cursor, Write};
//! use std::sync::Arc;
//!
//! use relicast_source::cabinet::volume::Volume;
//! use relicast_source::cabinet::{ContainerKind, Sniffed, looks_packed, microsoft};
//!
//! let mut builder = cab::CabinetBuilder::new();
//! builder.add_folder(cab::CompressionType::MsZip).add_file("zbd\\interp.zbd");
//! let mut writer = builder.build(Cursor::new(Vec::new()))?;
//! while let Some(mut file) = writer.next_file()? {
//!     file.write_all(&[1, 2, 3])?;
//! }
//! let bytes = writer.finish()?.into_inner();
//! assert!(matches!(looks_packed("game.cab", &bytes), Some(Sniffed::Packed(ContainerKind::Microsoft))));
//! let opened = microsoft::open(Volume::in_memory("game.cab", bytes), 0, &mut |_| None, Arc::default());
//! assert_eq!(opened.members[0].path, "zbd/interp.zbd");
//! assert_eq!(&opened.read(0)?[..], [1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod behind;
mod blocks;
pub mod container;
mod folder;
pub(crate) mod member;
pub mod microsoft;
mod names;
mod reading;
mod scratch;
pub mod set;
mod set_members;
pub(super) mod stub;
pub mod volume;
pub mod zipped;

pub use container::{Container, ContainerKind, Sniffed, looks_packed};
pub use member::{Member, MemberPlace};
