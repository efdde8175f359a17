//! Records of the folders of ISO 9660 file systems, and the sectors that contain them.
//!
//! Source: ECMA-119.
//!
//! ```
//! use std::io;
//!
//! use relicast_source::disc::record::Sectors;
//!
//! /// A disc of zeros.
//! struct Blank(u64);
//!
//! impl Sectors for Blank {
//!     fn end(&self) -> u64 {
//!         self.0
//!     }
//!     fn read(&self, _: u64, buffer: &mut [u8]) -> io::Result<()> {
//!         buffer.fill(0);
//!         Ok(())
//!     }
//! }
//!
//! assert_eq!((Blank(10).first(), Blank(10).end()), (0, 10));
//! ```

use std::io;

/// Sectors of user data.
pub trait Sectors {
    /// First sector that can be read.
    fn first(&self) -> u64 {
        0
    }

    /// Number after the last sector that can be read.
    fn end(&self) -> u64;

    /// Fills `buffer`, whole sectors, from `sector` on.
    ///
    /// # Errors
    /// A sector cannot be read.
    fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// Consecutive sectors of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// First sector.
    pub sector: u64,
    /// Bytes of the file in it.
    pub bytes: u64,
}

/// A number of four bytes, least significant first; 0 after the end.
pub(super) fn word(bytes: &[u8], offset: usize) -> u32 {
    let word = bytes.get(offset..).and_then(<[u8]>::first_chunk);
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

/// One record of a folder.
pub(super) struct Record<'a> {
    /// Extent of the bytes.
    pub extent: Extent,
    /// The bits `FLAG_…`.
    pub flags: u8,
    /// True if its sectors are interleaved with those of others.
    pub interleaved: bool,
    /// Its name as stored.
    pub name: &'a [u8],
    /// True if its numbers are equal in both byte orders.
    pub agrees: bool,
    /// System use area.
    pub system: &'a [u8],
}

pub(super) const FLAG_FOLDER: u8 = 0x02;
pub(super) const FLAG_ASSOCIATED: u8 = 0x04;
pub(super) const FLAG_MORE: u8 = 0x80;

/// Parses a record at the start of `bytes`; `None` when it is cut off.
pub(super) fn record(bytes: &[u8]) -> Option<Record<'_>> {
    let length = usize::from(*bytes.get(32)?);
    let name = bytes.get(33..)?.get(..length)?;
    let big = |offset: usize| {
        let word = bytes.get(offset..).and_then(<[u8]>::first_chunk);
        word.map(|word| u32::from_be_bytes(*word))
    };
    // The name is padded to an odd length, so that the next field has an even offset.
    let system = 33 + length + usize::from(length.is_multiple_of(2));
    let attributes = u64::from(*bytes.get(1)?);
    let (sector, size) = (word(bytes, 2), word(bytes, 10));
    Some(Record {
        extent: Extent {
            sector: u64::from(sector) + attributes,
            bytes: u64::from(size),
        },
        flags: *bytes.get(25)?,
        interleaved: *bytes.get(26)? != 0,
        name,
        agrees: big(6) == Some(sector) && big(14) == Some(size),
        system: bytes.get(system..).unwrap_or_default(),
    })
}
