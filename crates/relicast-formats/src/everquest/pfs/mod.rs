//! PFS archives: `.s3d`, `.pfs` and `.eqg` files.
//!
//! ```text
//! header, 12 bytes: offset of the index, magic, version
//! members: blocks { u32 deflated, u32 inflated, zlib stream }, 8192 bytes each but the last
//! directory: a member like the others that holds the names
//! index: u32 count, count × { u32 crc of the name, u32 offset, u32 size }
//! footer: "STEVE" and a time (optional)
//! ```
//!
//! [`decode`] reads the tables and finds the blocks of each member; [`Entry::extract`] inflates
//! them. Blocks are preserved as stored, so an archive that is read and written is the same bytes.
//!
//! ```
//! use relicast_formats::everquest::pfs;
//!
//! let packed = pfs::pack(&[("a.txt", b"hello".as_slice())], None, 1)?;
//! let bytes = pfs::encode(&packed)?;
//! let archive = pfs::decode(&bytes)?.value;
//! assert_eq!(archive.member("a.txt").unwrap().extract()?.value, b"hello");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

mod archive;
mod block;
mod directory;
mod edit;
mod name;
mod pack;
mod read;
mod start;
mod write;

pub use archive::{Archive, DIRECTORY_CRC, Directory, Entry, Footer, Header, IndexRow, Version};
pub use block::{BLOCK_SIZE, inflated};
pub use name::name_crc;
pub use pack::pack;
pub use read::decode;
pub use write::encode;
