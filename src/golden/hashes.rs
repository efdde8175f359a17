//! Golden hashes, as stored in a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Hashes of all outputs of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// Outputs by path, with forward slashes, except `manifest.json` and `report.json`, which describe a run.
    pub outputs: BTreeMap<String, GoldenOutput>,
}

/// Hashes of one output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenOutput {
    /// BLAKE3 of its bytes, hexadecimal; for a video, of its content digest and frames.
    pub blake3: String,
    /// Size in bytes; 0 for a video.
    pub size: u64,
    /// Content digest by name: short values are stored directly, long ones as short hashes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(rename = "facets")]
    pub content_digest: BTreeMap<String, String>,
    /// Short digests of the decoded frames of a video's source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}
