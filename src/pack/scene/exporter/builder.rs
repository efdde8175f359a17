//! Builder of the restored file: the JSON of the original, to which lists of numbers are added.

use serde_json::{Map, Value, json};

use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::scene::file::Document;

/// Builder of a file from the original.
#[derive(Debug)]
pub(super) struct Builder {
    /// The JSON.
    pub json: Value,
    buffers: Vec<Vec<u8>>,
    /// Added numbers.
    added: Vec<u8>,
}

impl Builder {
    /// Starts with the original.
    pub(super) fn new(base: &Document) -> Self {
        Self {
            json: base.json.clone(),
            buffers: base.buffers().to_vec(),
            added: Vec::new(),
        }
    }

    /// An entry of a list as a map to change.
    pub(super) fn entry(&mut self, list: &str, index: usize) -> Option<&mut Map<String, Value>> {
        self.json.get_mut(list)?.get_mut(index)?.as_object_mut()
    }

    /// Appends to a list, and returns the index.
    pub(super) fn push(&mut self, list: &str, value: Value) -> usize {
        let Some(root) = self.json.as_object_mut() else {
            return 0;
        };
        let all = root.entry(list).or_insert_with(|| json!([]));
        let Some(all) = all.as_array_mut() else {
            return 0;
        };
        all.push(value);
        all.len() - 1
    }

    /// Sizes of its lists of numbers, to return to.
    pub(super) fn mark(&self) -> [usize; 3] {
        let [views, accessors] =
            ["bufferViews", "accessors"].map(|list| items(&self.json, list).len());
        [views, accessors, self.added.len()]
    }

    /// Removes the lists of numbers that were added since a mark.
    pub(super) fn undo(&mut self, [views, accessors, added]: [usize; 3]) {
        for (list, length) in [("bufferViews", views), ("accessors", accessors)] {
            if let Some(list) = self.json.get_mut(list).and_then(Value::as_array_mut) {
                list.truncate(length);
            }
        }
        self.added.truncate(added);
    }

    /// Adds rows of single-precision numbers, and returns the accessor.
    pub(super) fn rows<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        self.accessor(&bytes, rows.len(), 5126, kind(N))
    }

    /// Adds rows of 16-bit numbers, and returns the accessor.
    pub(super) fn shorts<const N: usize>(&mut self, rows: &[[u16; N]]) -> usize {
        let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        self.accessor(&bytes, rows.len(), 5123, kind(N))
    }

    /// Adds 32-bit indices, and returns the accessor.
    pub(super) fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.accessor(&bytes, indices.len(), 5125, "SCALAR")
    }

    fn accessor(&mut self, bytes: &[u8], count: usize, component: u32, kind: &str) -> usize {
        let offset = self.added.len().next_multiple_of(4);
        self.added.resize(offset, 0);
        self.added.extend_from_slice(bytes);
        let buffer = self.buffers.len();
        let view = json!({"buffer": buffer, "byteOffset": offset, "byteLength": bytes.len()});
        let view = self.push("bufferViews", view);
        let accessor =
            json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        self.push("accessors", accessor)
    }

    /// The file.
    ///
    /// # Errors
    /// Its JSON does not describe a glTF file.
    pub(super) fn finish(mut self) -> Result<Document, Refusal> {
        if !self.added.is_empty() {
            debug_assert_eq!(items(&self.json, "buffers").len(), self.buffers.len());
            self.push("buffers", json!({"byteLength": self.added.len()}));
            self.buffers.push(self.added);
        }
        Document::from_parts(self.json, self.buffers)
    }
}

fn kind(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        16 => "MAT4",
        _ => "VEC4",
    }
}
