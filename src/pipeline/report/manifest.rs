//! `manifest.json`: every output with its hash and origin. It contains no times, and is the same for the same
//! input, configuration and version on every machine.
//!
//! Several inputs can share an output folder. Each has a [number](InputNumber), assigned in the order of
//! their first runs; their paths on this machine are in `report.json`.
//!
//! ```
//! use relicast::pipeline::report::manifest::{InputNumber, Manifest};
//!
//! let manifest = Manifest { complete: true, ..Manifest::default() };
//! let json = serde_json::to_string(&manifest)?;
//! assert_eq!(serde_json::from_str::<Manifest>(&json)?, manifest);
//! assert!(InputNumber::default().is_first());
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::rows;
use crate::config::{self, Config};
use relicast_formats::asset::AssetKind;
use relicast_source::own_output;

/// Name of the file in the output folder.
pub const FILE_NAME: &str = own_output::MANIFEST;

/// Version of this program with the commit that it was built from, part of every output's key.
pub const CONVERTER: &str = env!("RELICAST_VERSION");

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the program.
    pub converter: String,
    /// Digest of the effective configuration.
    pub config_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
    /// Inputs by number. Manifests of version 0.1 have none: everything belongs to the first.
    #[serde(default)]
    pub inputs: Vec<ManifestInput>,
    /// Settings that can change an output, by the digest that inputs refer to.
    #[serde(default)]
    pub settings: BTreeMap<String, serde_json::Value>,
    /// Sources, converted or not, sorted by path and input. A changed source is listed twice while an output of
    /// its earlier state is preserved.
    #[serde(deserialize_with = "rows::read")]
    pub sources: Vec<ManifestSource>,
    /// The outputs, sorted by path.
    #[serde(deserialize_with = "rows::read")]
    pub outputs: Vec<ManifestOutput>,
}

impl Manifest {
    /// Settings that the outputs of an input were made with; the defaults if none are stored.
    ///
    /// # Errors
    /// The stored settings are not valid in this version.
    pub fn config_of(&self, input: InputNumber) -> Result<Config, serde_json::Error> {
        let mut inputs = self.inputs.iter();
        let own = inputs.find(|known| known.input == input);
        let digest = own.map_or(&self.config_digest, |known| &known.config_digest);
        let stored = self.settings.get(digest);
        stored.map_or_else(
            || Ok(Config::default()),
            |stored| serde_json::from_value(config::without_removed(stored.clone())),
        )
    }
}

/// Number of an input within its output folder, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputNumber(pub u32);

impl Default for InputNumber {
    fn default() -> Self {
        Self(1)
    }
}

impl InputNumber {
    /// Returns true for the first input, which is the default and not serialized.
    pub fn is_first(&self) -> bool {
        *self == Self::default()
    }
}

/// State of an input after its last run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifestInput {
    /// Its number.
    pub input: InputNumber,
    /// Folder that its paths begin with: empty, or a name and a slash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Version of the program in its last run.
    pub converter: String,
    /// Digest of the effective configuration of that run.
    pub config_digest: String,
    /// False when that run was interrupted.
    pub complete: bool,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ManifestSource {
    /// Input that contains it.
    #[serde(default, skip_serializing_if = "InputNumber::is_first")]
    pub input: InputNumber,
    /// Path below its input, after the input's prefix.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
}

/// An output file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestOutput {
    /// Path below the output folder.
    pub path: String,
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
    /// Size in bytes.
    pub size: u64,
    /// Kind of asset.
    pub kind: AssetKind,
    /// Input of the source file.
    #[serde(default, skip_serializing_if = "InputNumber::is_first")]
    pub input: InputNumber,
    /// Path of the source file.
    pub source: SmolStr,
    /// Everything that it was made from, as indices into [`Manifest::sources`]: the source file, the disc
    /// image that contains it, then the dependencies. Filled when the manifest is written.
    #[serde(default)]
    pub made_from: SmallVec<[u32; 4]>,
    /// Everything it was made from, during a run.
    #[serde(skip)]
    pub origins: Arc<[ManifestSource]>,
    /// Stored name of the archive member.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub member: Option<String>,
    /// First byte in the source, and the byte after the last.
    pub range: Range<u64>,
    /// Compression of these bytes.
    #[serde(default, skip_serializing_if = "Packing::is_none")]
    pub packing: Packing,
    /// Position of the first of these bytes on the disc that is or contains the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disc: Option<Box<DiscPlace>>,
    /// Position of the source in the cabinet that contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cabinet: Option<Box<CabinetPlace>>,
    /// Version of the program that made it.
    pub converter: SmolStr,
    /// External program that was used, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Digest of the settings that affect it.
    pub config_digest: SmolStr,
    /// Digest of everything that affects it: version, settings, source, member, path.
    pub key: String,
}

/// Compression of bytes in a source file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Packing {
    /// Stored without compression.
    #[default]
    None,
    /// In zlib blocks, each with a header.
    Zlib,
}

impl Packing {
    /// Returns true for bytes stored without compression.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Member of a cabinet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CabinetPlace {
    /// Path of the file that opens the cabinet, which is a source.
    pub cabinet: String,
    /// Number of the member.
    pub index: usize,
    /// File groups of the installer that hold it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Compression of its bytes.
    pub packing: String,
    /// Its stored bytes; none if members share a stream.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<CabinetPiece>,
}

/// Stored bytes of a member of a cabinet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CabinetPiece {
    /// Path of the volume, which is a source.
    pub volume: String,
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

/// Position on a disc.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscPlace {
    /// Path of the file of the image, which is a source.
    pub image: String,
    /// Number of the track.
    pub track: u8,
    /// Number of the sector on the disc; 0 is the first of track 1.
    pub sector: u64,
    /// Offset of the byte in the file of the image.
    pub offset: u64,
    /// Bytes from the start of a sector to the start of the next one in the file.
    pub sector_bytes: u64,
    /// Data bytes per sector.
    pub data_bytes: u64,
}
