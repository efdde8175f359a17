//! Results of items in the store, by the digest of everything they were made from.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::{ITEMS, Store, place};
use crate::pipeline::report::{Faults, Status};

/// Digits in the name of an entry.
pub(super) const DIGITS: usize = 64;

/// Maximum size of an entry in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// Result of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::pipeline) struct Entry {
    /// Its outputs, in the order in which they were written.
    pub outputs: Vec<EntryOutput>,
    /// Converted or copied.
    pub status: Status,
    /// As in the report.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    pub deviations: Faults,
    /// As in the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// As in the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<usize>,
    /// As in the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<serde_json::Value>,
    /// External program that was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// Output of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::pipeline) struct EntryOutput {
    /// Path below the output folder.
    pub path: String,
    /// BLAKE3 of its bytes.
    pub blake3: String,
    /// Size in bytes.
    pub size: u64,
}

/// Parses the text of an entry: a line with the hash of the rest, and the rest.
pub(super) fn parse(text: &str) -> Option<Entry> {
    let (hash, json) = text.split_once('\n')?;
    if *blake3::hash(json.as_bytes()).to_hex() != *hash {
        return None;
    }
    serde_json::from_str(json).ok()
}

impl Store {
    /// Stored result of the item with this key, if any. A changed entry is ignored.
    pub(in crate::pipeline) fn entry(&self, key: &str) -> Option<Entry> {
        let file = self.folder.read(&place(ITEMS, key, DIGITS)?).ok()?;
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
        parse(&text)
    }

    /// Stores the result of an item, unless its values would not be read as they are written.
    ///
    /// # Errors
    /// The entry cannot be written.
    pub(in crate::pipeline) fn keep(&self, key: &str, entry: &Entry) -> std::io::Result<()> {
        let Some(path) = place(ITEMS, key, DIGITS) else {
            return Ok(());
        };
        let json = serde_json::to_string(entry)?;
        let text = format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex());
        match parse(&text).as_ref() == Some(entry) {
            true => self.folder.write(&path, text.as_bytes()),
            false => Ok(()),
        }
    }
}
