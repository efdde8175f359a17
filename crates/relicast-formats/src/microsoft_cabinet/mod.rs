//! Tables of Microsoft cabinets: header, folders, files. The caller reads the data.
//!
//! Source: the public specification of the format ("Microsoft Cabinet Format").
//!
//! ```
//! use std::io::{Cursor, Write};
//!
//! use relicast_formats::microsoft_cabinet::decode;
//!
//! let mut builder = cab::CabinetBuilder::new();
//! builder.add_folder(cab::CompressionType::MsZip).add_file("ZBD\\messages.dll");
//! let mut writer = builder.build(Cursor::new(Vec::new()))?;
//! while let Some(mut file) = writer.next_file()? {
//!     file.write_all(&[7; 100])?;
//! }
//! let tables = decode(writer.finish()?.get_ref())?;
//! assert_eq!(tables.files[0].name, "ZBD\\messages.dll");
//! assert_eq!(tables.files[0].entry.size, 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod data;

use serde::Serialize;

use relicast_codec::record;
use relicast_codec::{Bytes, FixedSize, FormatError, Result, shown};
use relicast_limits as limits;

/// The first bytes of every cabinet.
pub const SIGNATURE: [u8; 4] = *b"MSCF";

/// Flag: a cabinet precedes this one.
pub const HAS_PREVIOUS: u16 = 1;
/// Flag: a cabinet follows.
pub const HAS_NEXT: u16 = 2;
/// Flag: sizes of reserved areas are stored.
pub const HAS_RESERVE: u16 = 4;

/// Folder of a file that began in the previous cabinet.
pub const FROM_PREVIOUS: u16 = 0xFFFD;
/// Folder of a file that continues in the next cabinet.
pub const TO_NEXT: u16 = 0xFFFE;
/// Folder of a file that does both.
pub const THROUGH: u16 = 0xFFFF;

/// Attribute of a file whose name is UTF-8.
const NAME_IS_UTF8: u16 = 0x80;

/// Longest name, including its NUL.
const MAX_NAME_LENGTH: usize = 256;

record! {
    /// Header.
    pub struct CabinetHeader[36]: FixedSize {
        /// Offset 0: `MSCF`.
        signature: Bytes<4>,
        /// Offset 4: zero.
        unk04: u32,
        /// Offset 8: size of the cabinet.
        size: u32,
        /// Offset 12: zero.
        unk12: u32,
        /// Offset 16: start of the files.
        files: u32,
        /// Offset 20: zero.
        unk20: u32,
        /// Offset 24: minor version, 3.
        minor: u8,
        /// Offset 25: major version, 1.
        major: u8,
        /// Offset 26: number of folders.
        folder_count: u16,
        /// Offset 28: number of files.
        file_count: u16,
        /// Offset 30: flags.
        flags: u16,
        /// Offset 32: identifier of the set.
        set: u16,
        /// Offset 34: number within the set.
        number: u16,
    }
}

record! {
    /// Folder: a stream of blocks.
    pub struct CabinetFolder[8]: FixedSize {
        /// Offset 0: start of its first block.
        data: u32,
        /// Offset 4: number of blocks.
        blocks: u16,
        /// Offset 6: compression.
        method: u16,
    }
}

record! {
    /// File, before its name.
    pub struct CabinetEntry[16]: FixedSize {
        /// Offset 0: size.
        size: u32,
        /// Offset 4: its start among the expanded bytes of its folder.
        start: u32,
        /// Offset 8: folder.
        folder: u16,
        /// Offset 10: DOS date.
        date: u16,
        /// Offset 12: DOS time.
        time: u16,
        /// Offset 14: attributes.
        attributes: u16,
    }
}

/// A file of a cabinet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CabinetFile {
    /// Stored entry.
    pub entry: CabinetEntry,
    /// Its name, with backslashes between folders.
    pub name: String,
}

/// The tables of a cabinet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cabinet {
    /// Header.
    pub header: CabinetHeader,
    /// Number of reserved bytes in each block.
    pub data_reserve: u8,
    /// Name of the previous cabinet.
    pub previous: Option<String>,
    /// Name of the next cabinet.
    pub next: Option<String>,
    /// Folders.
    pub folders: Vec<CabinetFolder>,
    /// Files.
    pub files: Vec<CabinetFile>,
}

/// Upper bound of the size of all tables of the cabinet whose header starts `bytes`.
///
/// # Errors
/// It is not a header, or has a wrong size.
pub fn extent(bytes: &[u8], size: u64) -> Result<u64> {
    let header = header(bytes)?;
    let files = u64::from(header.file_count) * (CabinetEntry::SIZE + MAX_NAME_LENGTH) as u64;
    let end = u64::from(header.files) + files;
    // Header with its reserves and names, then folders with theirs.
    let folders = 70_000 + u64::from(header.folder_count) * (CabinetFolder::SIZE as u64 + 255);
    if u64::from(header.files) >= size && header.file_count > 0 {
        let found = header.files;
        return Err(FormatError::malformed(
            "header.files",
            16,
            format!("below {size}"),
            found,
        ));
    }
    Ok(end.max(folders).min(size))
}

fn header(bytes: &[u8]) -> Result<CabinetHeader> {
    let header = CabinetHeader::load(bytes)
        .ok_or_else(|| FormatError::truncated("header", 0, CabinetHeader::SIZE, bytes.len()))?;
    if header.signature.0 != SIGNATURE {
        let found = shown(&header.signature);
        return Err(FormatError::malformed(
            "signature",
            0,
            "MSCF (4d 53 43 46)",
            found,
        ));
    }
    if header.major != 1 {
        return Err(FormatError::unsupported(
            "header.major",
            25,
            "1",
            header.major,
        ));
    }
    Ok(header)
}

/// Sequential reader.
struct Place<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Place<'_> {
    fn next<T: FixedSize>(&mut self, field: &str) -> Result<T> {
        let behind = self.bytes.get(self.at..).unwrap_or_default();
        let value = T::load(behind)
            .ok_or_else(|| FormatError::truncated(field, self.at, T::SIZE, behind.len()))?;
        self.at += T::SIZE;
        Ok(value)
    }

    fn text(&mut self, field: &str, utf8: bool) -> Result<String> {
        let behind = self.bytes.get(self.at..).unwrap_or_default();
        let end = behind
            .iter()
            .take(MAX_NAME_LENGTH + 1)
            .position(|byte| *byte == 0);
        let end = end.ok_or_else(|| {
            FormatError::malformed(field, self.at, "a text that ends with NUL", "no NUL")
        })?;
        let text = behind.get(..end).unwrap_or_default();
        self.at += end + 1;
        let coding = if utf8 {
            encoding_rs::UTF_8
        } else {
            encoding_rs::WINDOWS_1252
        };
        Ok(coding.decode_without_bom_handling(text).0.into_owned())
    }
}

/// Decodes the tables of a cabinet.
///
/// # Errors
/// They are truncated, or belong to another format.
pub fn decode(bytes: &[u8]) -> Result<Cabinet> {
    let header = header(bytes)?;
    let mut place = Place {
        bytes,
        at: CabinetHeader::SIZE,
    };
    let (mut folder_reserve, mut data_reserve) = (0_u8, 0_u8);
    if header.flags & HAS_RESERVE != 0 {
        let own: u16 = place.next("reserve")?;
        folder_reserve = place.next("reserve")?;
        data_reserve = place.next("reserve")?;
        place.at += usize::from(own);
    }
    let mut neighbor = |flag: u16, field: &str| -> Result<Option<String>> {
        if header.flags & flag == 0 {
            return Ok(None);
        }
        let name = place.text(field, false)?;
        place.text(field, false)?;
        Ok(Some(name))
    };
    let previous = neighbor(HAS_PREVIOUS, "previous")?;
    let next = neighbor(HAS_NEXT, "next")?;
    let mut folders = Vec::new();
    for _ in 0..header.folder_count {
        folders.push(place.next("folder")?);
        place.at += usize::from(folder_reserve);
        limits::check();
    }
    place.at = header.files as usize;
    let mut files = Vec::new();
    for index in 0..usize::from(header.file_count) {
        let entry: CabinetEntry = place
            .next("file")
            .map_err(|error| error.within("files", index))?;
        let utf8 = entry.attributes & NAME_IS_UTF8 != 0;
        let name = place
            .text("name", utf8)
            .map_err(|error| error.within("files", index))?;
        files.push(CabinetFile { entry, name });
        limits::check();
    }
    Ok(Cabinet {
        header,
        data_reserve,
        previous,
        next,
        folders,
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example of the specification.
    const SMALL: &[u8] = b"MSCF\0\0\0\0\x59\0\0\0\0\0\0\0\x2c\0\0\0\0\0\0\0\x03\x01\x01\0\x01\0\0\0\x34\x12\0\0\
        \x43\0\0\0\x01\0\0\0\x0e\0\0\0\0\0\0\0\0\0\x6c\x22\xba\x59\x01\0hi.txt\0\x4c\x1a\x2e\x7f\x0e\0\x0e\0Hello, world!\n";

    #[test]
    fn tables_are_read_and_cut_ones_are_errors() {
        let cabinet = decode(SMALL).unwrap();
        assert_eq!(cabinet.files[0].name, "hi.txt");
        assert_eq!(
            (cabinet.folders[0].data, cabinet.folders[0].blocks),
            (0x43, 1)
        );
        assert_eq!(
            extent(SMALL, SMALL.len() as u64).unwrap(),
            SMALL.len() as u64
        );
        for length in 0..0x43 {
            assert!(decode(&SMALL[..length]).is_err(), "{length}");
        }
        for place in 0..0x43 {
            for word in [0, 0xFF, 0x80] {
                let mut bytes = SMALL.to_vec();
                bytes[place] = word;
                let _ = (decode(&bytes).is_ok(), extent(&bytes, 89).is_ok());
            }
        }
    }
}
