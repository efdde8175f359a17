//! Start of every volume and header file of a set.
//!
//! ```
//! use relicast_formats::installshield::header::Version;
//!
//! assert_eq!(Version(0x0100_5201).major(), 5);
//! assert!(Version(0x0100_600C).is_newer());
//! ```

use serde::Serialize;

use super::records::{CommonHeader, VolumeHeader5, VolumeHeader6};
use relicast_codec::{Blob, FixedSize, FormatError, Result, shown};

/// The first bytes of every file of a set.
pub const SIGNATURE: [u8; 4] = *b"ISc(";

/// Start of tables and data in all known files.
pub const HEADER_SIZE: usize = 0x200;

/// Bit of [`CommonHeader::link`]: the data is in separate files next to the cabinet.
pub const BESIDE: u8 = 0x20;

/// The newest known version.
pub const NEWEST: u32 = 17;

/// Version word of a cabinet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Version(pub u32);

impl Version {
    /// Major version: 5 for all versions with the layout of 5.
    pub fn major(self) -> u32 {
        let number = match self.0 >> 24 {
            1 => (self.0 >> 12) & 0xF,
            _ => (self.0 & 0xFFFF) / 100,
        };
        number.max(5)
    }

    /// True for InstallShield 5.0, which does not say how its data is packed.
    pub fn is_first(self) -> bool {
        self.0 >> 24 == 1 && (self.0 >> 12) & 0xF == 0
    }

    /// True if structures are those of InstallShield 6 and newer.
    pub fn is_newer(self) -> bool {
        self.major() >= 6
    }

    /// True if texts are UTF-16.
    pub fn is_wide(self) -> bool {
        self.major() >= 17
    }
}

/// Place of a volume in its set, in one form for all versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeFacts {
    /// Start of file data.
    pub data_offset: u64,
    /// Index of the first file with data here.
    pub first_file: u32,
    /// Index of the last file with data here.
    pub last_file: u32,
    /// Start of the rest of the first file, if it began in the previous volume.
    pub first_offset: u64,
    /// Number of its bytes here.
    pub first_here: u64,
    /// Start of the last file, if it continues in the next volume.
    pub last_offset: u64,
    /// Number of its bytes here.
    pub last_here: u64,
}

/// The part of the header that depends on the version.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VolumeHeader {
    /// Up to version 5.
    V5(VolumeHeader5),
    /// From version 6 on.
    V6(VolumeHeader6),
}

/// The header of a volume or header file, with all of its bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header<'a> {
    /// Part that is the same in all versions.
    pub common: CommonHeader,
    /// Rest with a known meaning.
    pub volume: VolumeHeader,
    /// Zeros or stale memory up to the tables or the data.
    pub rest: Blob<'a>,
}

impl<'a> Header<'a> {
    /// Reads the header at the start of `bytes`; [`HEADER_SIZE`] of them are enough.
    ///
    /// # Errors
    /// It is not a header, or is truncated.
    pub fn decode(bytes: &'a [u8]) -> Result<Self> {
        let common = CommonHeader::load(bytes)
            .ok_or_else(|| FormatError::truncated("header", 0, CommonHeader::SIZE, bytes.len()))?;
        if common.signature.0 != SIGNATURE {
            let expected = "ISc( (49 53 63 28)";
            let found = shown(&common.signature);
            return Err(FormatError::malformed("signature", 0, expected, found));
        }
        let start = CommonHeader::SIZE;
        let behind = bytes.get(start..).unwrap_or_default();
        let (volume, size) = if Version(common.version).is_newer() {
            let header = VolumeHeader6::load(behind).map(VolumeHeader::V6);
            (header, VolumeHeader6::SIZE)
        } else {
            let header = VolumeHeader5::load(behind).map(VolumeHeader::V5);
            (header, VolumeHeader5::SIZE)
        };
        let volume =
            volume.ok_or_else(|| FormatError::truncated("volume", start, size, behind.len()))?;
        let end = HEADER_SIZE.min(bytes.len());
        Ok(Self {
            common,
            volume,
            rest: Blob::borrowed(bytes.get(start + size..end).unwrap_or_default()),
        })
    }

    /// Encodes the bytes that [`decode`](Self::decode) read.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_SIZE);
        self.common.store(&mut bytes);
        match self.volume {
            VolumeHeader::V5(header) => header.store(&mut bytes),
            VolumeHeader::V6(header) => header.store(&mut bytes),
        }
        bytes.extend_from_slice(&self.rest);
        bytes
    }

    /// The version.
    pub fn version(&self) -> Version {
        Version(self.common.version)
    }

    /// The fields in one form for all versions.
    pub fn facts(&self) -> VolumeFacts {
        match self.volume {
            VolumeHeader::V5(header) => VolumeFacts {
                data_offset: header.data_offset.into(),
                first_file: header.first_file,
                last_file: header.last_file,
                first_offset: header.first_offset.into(),
                first_here: header.first_here.into(),
                last_offset: header.last_offset.into(),
                last_here: header.last_here.into(),
            },
            VolumeHeader::V6(header) => VolumeFacts {
                data_offset: header.data_offset,
                first_file: header.first_file,
                last_file: header.last_file,
                first_offset: header.first_offset,
                first_here: header.first_here,
                last_offset: header.last_offset,
                last_here: header.last_here,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_references_do() {
        let major = |word| Version(word).major();
        assert_eq!(major(0x0100_0004), 5);
        assert!(Version(0x0100_0004).is_first() && !Version(0x0100_5201).is_first());
        assert_eq!(major(0x0100_5201), 5);
        assert_eq!(major(0x0100_600C), 6);
        assert_eq!(major(0x0200_0578), 14);
        assert!(Version(0x0400_06A4).is_wide());
    }

    #[test]
    fn a_header_gives_its_bytes_back() {
        for version in [0x0100_5201_u32, 0x0100_600C] {
            let mut bytes: Vec<u8> = (0..=255).cycle().take(600).collect();
            bytes[..4].copy_from_slice(&SIGNATURE);
            bytes[4..8].copy_from_slice(&version.to_le_bytes());
            let header = Header::decode(&bytes).unwrap();
            assert_eq!(header.encode(), bytes[..HEADER_SIZE]);
            for length in 0..84 {
                // It must not panic; enough for both forms is more than enough for one.
                let _ = Header::decode(&bytes[..length]).is_ok();
            }
        }
    }
}
