//! Reader of glTF files of any program: the chunks of a `.glb`, and the numbers of accessors. Every index and length is
//! checked, and memory use is bounded by the size of the file.

use std::borrow::Cow;

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
#[derive(Debug, Clone)]
pub struct Accessor<'b> {
    /// Its elements, one directly after the other.
    bytes: Cow<'b, [u8]>,
    component: ComponentType,
    /// Numbers per element.
    width: usize,
    is_normalized: bool,
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
    /// It does not exist, its data is missing, or its elements overlap.
    pub fn open(root: &Value, buffers: &'b [Vec<u8>], index: usize) -> Result<Self, AccessorError> {
        let accessor = entry(root, "accessors", index).ok_or(AccessorError("it does not exist"))?;
        let Ok(Checked::Valid(kind)) = Checked::<Type>::deserialize(&accessor["type"]) else {
            return Err(AccessorError("its type does not exist"));
        };
        let component = component(accessor)?;
        let count = number(accessor, "count").ok_or(AccessorError("it has no count"))?;
        let element = component.size() * kind.multiplicity();
        let sparse = &accessor["sparse"];
        let mut bytes = match accessor.get("bufferView") {
            Some(_) => elements(root, buffers, accessor, count, element)?,
            None if sparse.is_null() => return Err(AccessorError("it has no data")),
            // Bounded by the size of the file, whose other accessors have as many elements.
            None if count > buffers.iter().map(Vec::len).sum() => return Err(OUTSIDE),
            None => Cow::Owned(vec![0; count.checked_mul(element).ok_or(OUTSIDE)?]),
        };
        if !sparse.is_null() {
            overwrite(bytes.to_mut(), root, buffers, sparse, element)?;
        }
        Ok(Self {
            bytes,
            component,
            width: kind.multiplicity(),
            is_normalized: accessor["normalized"] == true,
        })
    }

    /// Returns true if its components are 32-bit floats.
    pub fn is_float(&self) -> bool {
        self.component == ComponentType::F32
    }

    /// Returns the bytes of its elements, without those between them.
    pub fn data(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the first `N` numbers of each element. Normalized integers become fractions.
    ///
    /// # Errors
    /// Its elements have fewer numbers, or a number is not finite.
    pub fn rows<const N: usize>(&self) -> Result<Vec<[f64; N]>, AccessorError> {
        if self.width < N {
            return Err(AccessorError("its elements have too few components"));
        }
        let size = self.component.size();
        let elements = self.bytes.chunks_exact(size * self.width);
        let rows = elements.map(|element| {
            let mut row = [0.0; N];
            for (value, bytes) in row.iter_mut().zip(element.chunks(size)) {
                *value = self.number(bytes);
                if !value.is_finite() {
                    return Err(AccessorError("a value is not finite"));
                }
            }
            Ok(row)
        });
        rows.collect()
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

/// Bytes of `count` elements of a view, without those between them. `place` names the view and the first byte.
fn elements<'b>(
    root: &Value,
    buffers: &'b [Vec<u8>],
    place: &Value,
    count: usize,
    element: usize,
) -> Result<Cow<'b, [u8]>, AccessorError> {
    let view = number(place, "bufferView").and_then(|at| entry(root, "bufferViews", at));
    let view = view.ok_or(AccessorError("it has no data"))?;
    let offset = |value: &Value| number(value, "byteOffset").unwrap_or_default();
    let bytes = number(view, "buffer").and_then(|at| {
        let length = number(view, "byteLength")?;
        let behind = buffers.get(at)?.get(offset(view)..)?;
        behind.get(..length)?.get(offset(place)..)
    });
    let bytes = bytes.ok_or(OUTSIDE)?;
    let stride = number(view, "byteStride").unwrap_or(element);
    if stride < element {
        return Err(AccessorError("its elements overlap"));
    }
    if stride == element {
        let length = count.checked_mul(element).ok_or(OUTSIDE)?;
        return Ok(Cow::Borrowed(bytes.get(..length).ok_or(OUTSIDE)?));
    }
    let mut found = Vec::new();
    for number in 0..count {
        let rest = number.checked_mul(stride).and_then(|at| bytes.get(at..));
        let one = rest.and_then(|rest| rest.get(..element));
        found.extend_from_slice(one.ok_or(OUTSIDE)?);
    }
    Ok(Cow::Owned(found))
}

/// Puts the elements of a sparse list into `bytes`.
fn overwrite(
    bytes: &mut [u8],
    root: &Value,
    buffers: &[Vec<u8>],
    sparse: &Value,
    element: usize,
) -> Result<(), AccessorError> {
    let count = number(sparse, "count").ok_or(AccessorError("its sparse list has no count"))?;
    let component = component(&sparse["indices"])?;
    let size = component.size();
    let places = elements(root, buffers, &sparse["indices"], count, size)?;
    let values = elements(root, buffers, &sparse["values"], count, element)?;
    for (place, value) in places.chunks_exact(size).zip(values.chunks_exact(element)) {
        let place = match *place {
            [byte] => usize::from(byte),
            [a, b] => usize::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] if component == ComponentType::U32 => {
                u32::from_le_bytes([a, b, c, d]) as usize
            }
            _ => return Err(AccessorError("its sparse list has no indices")),
        };
        let there = place
            .checked_mul(element)
            .and_then(|at| bytes.get_mut(at..));
        let there = there.and_then(|rest| rest.get_mut(..element));
        there.ok_or(OUTSIDE)?.copy_from_slice(value);
    }
    Ok(())
}

/// Type of the numbers of an accessor, or of the indices of a sparse one.
fn component(value: &Value) -> Result<ComponentType, AccessorError> {
    match Checked::<GenericComponentType>::deserialize(&value["componentType"]) {
        Ok(Checked::Valid(GenericComponentType(component))) => Ok(component),
        _ => Err(AccessorError("its component type does not exist")),
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
        assert_eq!(first.data(), [255, 0, 51, 0, 255, 0]);
        assert_eq!(open(1).unwrap_err(), OUTSIDE);
        assert!(open(2).is_err());
        assert!(open(3).is_err());
    }
    #[test]
    fn sparse_elements_replace_those_of_the_view_or_zeros() {
        let sparse = |count: usize| {
            json!({
                "count": count,
                "indices": {"bufferView": 1, "componentType": 5123},
                "values": {"bufferView": 2},
            })
        };
        let accessor = |view: Option<u32>, count: usize, sparse: Value| {
            let mut accessor =
                json!({"componentType": 5121, "type": "VEC2", "count": count, "sparse": sparse});
            accessor["bufferView"] = view.into();
            accessor
                .as_object_mut()
                .unwrap()
                .retain(|_, it| !it.is_null());
            accessor
        };
        let root = json!({
            "bufferViews": [
                {"buffer": 0, "byteLength": 6},
                {"buffer": 0, "byteOffset": 6, "byteLength": 4},
                {"buffer": 0, "byteOffset": 10, "byteLength": 4},
            ],
            "accessors": [
                accessor(Some(0), 3, sparse(2)),
                accessor(None, 3, sparse(2)),
                accessor(Some(0), 2, sparse(2)),
                accessor(Some(0), 3, sparse(3)),
                accessor(None, 1 << 40, sparse(2)),
            ],
        });
        let buffers = [vec![1, 2, 3, 4, 5, 6, 0, 0, 2, 0, 7, 8, 9, 10]];
        let rows = |index| Accessor::open(&root, &buffers, index)?.rows();
        assert_eq!(rows(0), Ok(vec![[7.0, 8.0], [3.0, 4.0], [9.0, 10.0]]));
        assert_eq!(rows(1), Ok(vec![[7.0, 8.0], [0.0, 0.0], [9.0, 10.0]]));
        for outside in 2..5 {
            assert_eq!(rows(outside), Err(OUTSIDE), "{outside}");
        }
    }
}
