//! Facts about one asset, collected while its files are read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::gallery::kinds::Mark;

/// Maximum size of a JSON document or glTF file to read.
pub(super) const LARGEST_DOCUMENT: u64 = 256 << 20;

/// Facts about one asset.
#[derive(Debug, Clone, Default)]
pub(in crate::gallery) struct Facts {
    /// Facts for its own page.
    pub values: Map<String, Value>,
    /// Bits of [`Mark`].
    pub marks: u32,
    /// Two numbers shown in a list.
    pub numbers: [u64; 2],
    /// Additional search terms.
    pub terms: BTreeSet<String>,
    /// Assets that it names.
    pub mentions: BTreeSet<usize>,
    /// Output paths that its document names, and their assets.
    pub links: BTreeMap<String, usize>,
    /// Picture for lists.
    pub thumb: Option<String>,
}

impl Facts {
    /// Adds a fact, unless it is empty.
    pub(super) fn put(&mut self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        let is_empty = match &value {
            Value::Null => true,
            Value::Number(number) => number.as_u64() == Some(0),
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::String(text) => text.is_empty(),
            Value::Bool(is) => !is,
        };
        if !is_empty {
            self.values.insert(key.to_owned(), value);
        }
    }

    /// Adds a mark.
    pub(super) fn mark(&mut self, mark: Mark, is: bool) {
        if is {
            self.marks |= mark.bit();
        }
    }
}
