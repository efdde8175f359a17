//! Checksums of audio tracks, for each way of cutting them.
//!
//! ```
//! use relicast_source::disc::sums::md5_text;
//!
//! assert_eq!(md5_text(&[0xAB; 16]), "abababababababababababababababab");
//! ```

use serde::{Deserialize, Serialize};

/// Treatment of the gap between two tracks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Pregap {
    /// It belongs to no track.
    #[default]
    Drop,
    /// It is the end of the previous track.
    Append,
    /// It is the start of the next track, as in sets with a file for each track.
    Prepend,
}

/// Checksums of samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sums {
    /// Frames of two samples.
    pub samples: u64,
    /// CRC-32.
    #[serde(serialize_with = "hexadecimal")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub crc32: u32,
    /// MD5.
    #[serde(serialize_with = "digits")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub md5: [u8; 16],
}

fn hexadecimal<S: serde::Serializer>(sum: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{sum:08X}"))
}

fn digits<S: serde::Serializer>(sum: &[u8; 16], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&md5_text(sum))
}

/// An MD5 as hexadecimal text.
pub fn md5_text(sum: &[u8; 16]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checksums of the three cuts of a track.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackSums {
    /// From index 1 to the gap of the next track.
    #[serde(rename = "track")]
    pub drop: Sums,
    /// To index 1 of the next track.
    #[serde(rename = "with_next_pregap")]
    pub append: Sums,
    /// From the gap before index 1.
    #[serde(rename = "with_own_pregap")]
    pub prepend: Sums,
}

impl TrackSums {
    /// The sums of a cut.
    pub fn of(&self, pregap: Pregap) -> &Sums {
        match pregap {
            Pregap::Drop => &self.drop,
            Pregap::Append => &self.append,
            Pregap::Prepend => &self.prepend,
        }
    }
}
