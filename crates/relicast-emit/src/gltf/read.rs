//! Reader of glTF files of any program: the chunks of a `.glb`, and the numbers of accessors. Every index and length is
//! checked, and memory use is bounded by the size of the file.

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::validation::Checked;
use serde::Deserialize;
use serde_json::Value;

/// Chunks of a glTF file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunks<'b> {
    /// The JSON.
    pub json: &'b [u8],
    /// The buffer of a `.glb`.
    pub binary: Option<&'b [u8]>,
}

/// Splits a `.glb` into its chunks; any other file is JSON. `None`: a chunk is truncated, or there is no JSON.
pub fn chunks(bytes: &[u8]) -> Option<Chunks<'_>> {
    let Some(framed) = bytes.strip_prefix(b"glTF") else {
        return Some(Chunks {
            json: bytes,
            binary: None,
        });
    };
    let mut rest = framed.get(8..)?;
    let (mut json, mut binary) = (None, None);
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let Some((kind, after)) = after.split_first_chunk::<4>() else {
            break;
        };
        let (data, after) = after.split_at_checked(length)?;
        match kind {
            b"JSON" => json = json.or(Some(data)),
            b"BIN\0" => binary = binary.or(Some(data)),
            _ => {}
        }
        // Programs may omit the padding after the last chunk.
        let filling = length.next_multiple_of(4) - length;
        rest = after.get(filling..).unwrap_or_default();
    }
    json.map(|json| Chunks { json, binary })
}

/// List of numbers of a glTF file.
#[derive(Debug, Clone, Copy)]
pub struct Accessor<'b> {
    /// Bytes of its view, from its first element on.
    bytes: &'b [u8],
    component: ComponentType,
    /// Numbers per element.
    width: usize,
    count: usize,
    /// Bytes from one element to the next.
    stride: usize,
    is_normalized: bool,
    is_sparse: bool,
}

/// Reason why the numbers of an accessor cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AccessorError(&'static str);

const OUTSIDE: AccessorError = AccessorError("its data is outside the buffer");

impl<'b> Accessor<'b> {
    /// Opens the accessor `index` of the file with the JSON `root`.
    ///
    /// # Errors
    /// It does not exist, or its data is missing.
    pub fn open(root: &Value, buffers: &'b [Vec<u8>], index: usize) -> Result<Self, AccessorError> {
        let accessor = entry(root, "accessors", index).ok_or(AccessorError("it does not exist"))?;
        let Ok(Checked::Valid(kind)) = Checked::<Type>::deserialize(&accessor["type"]) else {
            return Err(AccessorError("its type does not exist"));
        };
        let component = Checked::<GenericComponentType>::deserialize(&accessor["componentType"]);
        let Ok(Checked::Valid(GenericComponentType(component))) = component else {
            return Err(AccessorError("its component type does not exist"));
        };
        let count = number(accessor, "count").ok_or(AccessorError("it has no count"))?;
        let view = number(accessor, "bufferView").and_then(|at| entry(root, "bufferViews", at));
        let view = view.ok_or(AccessorError("it has no data"))?;
        let offset = |value: &Value| number(value, "byteOffset").unwrap_or_default();
        let bytes = number(view, "buffer").and_then(|at| {
            let length = number(view, "byteLength")?;
            let behind = buffers.get(at)?.get(offset(view)..)?;
            behind.get(..length)?.get(offset(accessor)..)
        });
        let element = component.size() * kind.multiplicity();
        Ok(Self {
            bytes: bytes.ok_or(OUTSIDE)?,
            component,
            width: kind.multiplicity(),
            count,
            stride: number(view, "byteStride").unwrap_or(element),
            is_normalized: accessor["normalized"] == true,
            is_sparse: !accessor["sparse"].is_null(),
        })
    }

    /// Returns true if its components are 32-bit floats.
    pub fn is_float(&self) -> bool {
        self.component == ComponentType::F32
    }

    /// Returns the available bytes from its first element to its last.
    pub fn data(&self) -> &'b [u8] {
        let element = self.component.size() * self.width;
        let before = self.count.saturating_sub(1).saturating_mul(self.stride);
        let length = before.saturating_add(element).min(self.bytes.len());
        self.bytes.get(..length).unwrap_or_default()
    }

    /// Returns the first `N` numbers of each element. Normalized integers become fractions.
    ///
    /// # Errors
    /// Its elements have fewer numbers, a number is not finite, or data is missing.
    pub fn rows<const N: usize>(&self) -> Result<Vec<[f64; N]>, AccessorError> {
        if self.is_sparse {
            return Err(AccessorError("sparse accessors are not supported"));
        }
        if self.width < N {
            return Err(AccessorError("its elements have too few components"));
        }
        let size = self.component.size();
        if self.stride < size * self.width {
            return Err(AccessorError("its elements overlap"));
        }
        let mut rows = Vec::new();
        for element in 0..self.count {
            let start = element.checked_mul(self.stride).ok_or(OUTSIDE)?;
            let bytes = self.bytes.get(start..).and_then(|it| it.get(..size * N));
            let mut row = [0.0; N];
            for (value, bytes) in row.iter_mut().zip(bytes.ok_or(OUTSIDE)?.chunks(size)) {
                *value = self.number(bytes);
                if !value.is_finite() {
                    return Err(AccessorError("a value is not finite"));
                }
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        let (value, most) = match (self.component, bytes) {
            (ComponentType::I8, &[byte]) => (f64::from(byte.cast_signed()), 127.0),
            (ComponentType::U8, &[byte]) => (f64::from(byte), 255.0),
            (ComponentType::I16, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
            (ComponentType::U16, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
            (ComponentType::U32, &[a, b, c, d]) => {
                return f64::from(u32::from_le_bytes([a, b, c, d]));
            }
            (ComponentType::F32, &[a, b, c, d]) => {
                return f64::from(f32::from_le_bytes([a, b, c, d]));
            }
            _ => return f64::NAN,
        };
        match self.is_normalized {
            true => (value / most).max(-1.0),
            false => value,
        }
    }
}

/// Entry of a list of a glTF file.
fn entry<'v>(root: &'v Value, list: &str, index: usize) -> Option<&'v Value> {
    root.get(list)?.get(index)
}

fn number(value: &Value, name: &str) -> Option<usize> {
    usize::try_from(value.get(name)?.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::container::glb;
    use super::*;

    #[test]
    fn chunks_of_a_binary_file_come_back() {
        let file = glb(b"{}".to_vec(), &[1, 2, 3]).unwrap();
        let found = chunks(&file).unwrap();
        assert_eq!(found.json, b"{}  ");
        assert_eq!(found.binary, Some(&[1, 2, 3, 0][..]));
        for cut in [13, 21, file.len() - 1] {
            assert_eq!(chunks(&file[..cut]), None, "{cut}");
        }
        let plain = chunks(b"{}").unwrap();
        assert_eq!((plain.json, plain.binary), (&b"{}"[..], None));
    }

    #[test]
    fn elements_apart_and_fractions_are_read() {
        let root = json!({
            "bufferViews": [{"buffer": 0, "byteOffset": 1, "byteLength": 7, "byteStride": 4}],
            "accessors": [
                {"bufferView": 0, "componentType": 5121, "type": "VEC3", "count": 2, "normalized": true},
                {"bufferView": 0, "componentType": 5121, "type": "VEC3", "count": 3},
                {"bufferView": 0, "componentType": 5121, "type": "VEC3", "count": 1, "sparse": {}},
            ],
        });
        let buffers = [vec![9, 255, 0, 51, 9, 0, 255, 0]];
        let open = |index| Accessor::open(&root, &buffers, index);
        let first = open(0).unwrap();
        assert_eq!(first.rows(), Ok(vec![[1.0, 0.0, 0.2], [0.0, 1.0, 0.0]]));
        assert_eq!(first.rows(), Ok(vec![[1.0], [0.0]]));
        assert!(first.rows::<4>().is_err());
        assert_eq!(first.data().len(), 7);
        assert_eq!(open(1).unwrap().rows::<3>(), Err(OUTSIDE));
        assert!(open(2).unwrap().rows::<3>().is_err());
        assert!(open(3).is_err());
    }
}
