//! `manifest.json`: every output with its hash and where it came from. The same for the same input,
//! configuration and version, whatever the machine; it holds no time.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::convert::AssetKind;

/// Name of the file in the output folder.
pub const FILE_NAME: &str = "manifest.json";

/// Version of this program, part of every output's key.
pub const CONVERTER: &str = env!("CARGO_PKG_VERSION");

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the program.
    pub converter: String,
    /// Digest of the effective configuration.
    pub config_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
    /// The sources that outputs were made from, sorted by path.
    pub sources: Vec<ManifestSource>,
    /// The outputs, sorted by path.
    pub outputs: Vec<ManifestOutput>,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestSource {
    /// Path below its input.
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
    /// What it is.
    pub kind: AssetKind,
    /// The source file.
    pub source: String,
    /// Stored name of the archive member.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub member: Option<String>,
    /// First byte in the source and the byte after the last.
    pub range: Range<u64>,
    /// Version of the program that made it.
    pub converter: String,
    /// Digest of the settings that it depends on.
    pub config_digest: String,
    /// Digest of all that it depends on: version, settings, source, member, path.
    pub key: String,
}
