//! What items were converted to, by the digest of everything that they were made from.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::{ITEMS, Store, place};
use crate::pipeline::report::{Faults, Status};

/// Digits of the name of an entry.
pub(super) const DIGITS: usize = 64;

/// Bytes of an entry, at most.
const MOST_BYTES: u64 = 1 << 26;

/// What an item was converted to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::pipeline) struct Entry {
    /// Its outputs, in the order in which they were written.
    pub outputs: Vec<EntryOutput>,
    /// Converted or copied.
    pub status: Status,
    /// As the report has them.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    pub deviations: Faults,
    /// As the report has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// As the report has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<usize>,
    /// As the report has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<serde_json::Value>,
    /// The program from outside that took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// An output of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::pipeline) struct EntryOutput {
    /// Path below the output folder.
    pub path: String,
    /// BLAKE3 of its bytes.
    pub blake3: String,
    /// Size in bytes.
    pub size: u64,
}

/// The entry in the bytes of its file: a line with the hash of the next, and that.
pub(super) fn parse(text: &str) -> Option<Entry> {
    let (hash, json) = text.split_once('\n')?;
    if *blake3::hash(json.as_bytes()).to_hex() != *hash {
        return None;
    }
    serde_json::from_str(json).ok()
}

impl Store {
    /// What the item with this key was converted to, when it is known. An entry that was changed does not count.
    pub(in crate::pipeline) fn entry(&self, key: &str) -> Option<Entry> {
        let file = self.folder.read(&place(ITEMS, key, DIGITS)?).ok()?;
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        parse(&text)
    }

    /// Keeps what an item was converted to. Values that would not be read as they are written are not kept.
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
