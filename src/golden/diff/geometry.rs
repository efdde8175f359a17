//! What differs between two scenes: vertices, other numbers of buffers, values of the JSON.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::Serialize;
use serde_json::Value;

use super::document::{DocumentChange, compare_values, parse};

/// Kind of a component: 32-bit floats.
const FLOAT: u64 = 5126;

/// Kinds of the chunks of a `.glb`.
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// What differs between two scenes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SceneChange {
    /// Vertices of the first.
    pub vertices_before: u64,
    /// Vertices of the second.
    pub vertices_after: u64,
    /// Vertices that lie elsewhere, those that only one of them has among them.
    pub vertices: u64,
    /// How far the farthest of those in both lies off, in metres.
    pub largest: f64,
    /// Accessors with other numbers, those of the vertices among them.
    pub accessors: u64,
    /// Values of the JSON.
    pub values: DocumentChange,
}

impl SceneChange {
    /// Whether everything is the same.
    pub(super) fn is_nothing(&self) -> bool {
        self.vertices == 0 && self.accessors == 0 && self.values.total == 0
    }
}

impl Display for SceneChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let of = self.vertices_before.max(self.vertices_after);
        write!(
            formatter,
            "{} of {of} vertices, by {} m at most; {} accessors; {}",
            self.vertices, self.largest, self.accessors, self.values
        )
    }
}

/// A scene, and the bytes of its buffers.
struct Opened {
    root: Value,
    buffers: Vec<Option<Vec<u8>>>,
}

/// A scene's bytes, and those of a file beside it.
pub(super) type SceneBytes<'a> = (&'a [u8], &'a dyn Fn(&str) -> Option<Vec<u8>>);

/// The JSON and the buffer of a `.glb`.
fn chunks(bytes: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let mut rest = bytes.strip_prefix(b"glTF")?.get(8..)?;
    let (mut json, mut binary) = (None, None);
    while let Some((header, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, e, f, g, h] = *header;
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
        let payload = after.get(..length)?;
        match u32::from_le_bytes([e, f, g, h]) {
            JSON_CHUNK => json = Some(payload),
            BINARY_CHUNK => binary = Some(payload),
            _ => {}
        }
        rest = after.get(length..)?;
    }
    Some((json?, binary))
}

fn open((bytes, beside): SceneBytes<'_>) -> Option<Opened> {
    let (json, binary) = match bytes.starts_with(b"glTF") {
        true => chunks(bytes)?,
        false => (bytes, None),
    };
    let root = parse(json)?;
    let buffers = list(&root, "buffers").iter().map(|buffer| {
        match buffer.get("uri").and_then(Value::as_str) {
            Some(uri) => beside(uri),
            None => binary.map(<[u8]>::to_vec),
        }
    });
    let buffers = buffers.collect();
    Some(Opened { root, buffers })
}

fn list<'a>(root: &'a Value, name: &str) -> &'a [Value] {
    root.get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn number(value: &Value, name: &str) -> Option<usize> {
    usize::try_from(value.get(name)?.as_u64()?).ok()
}

impl Opened {
    /// Bytes of the view of an accessor from its first element on, and the distance of its elements if it tells one.
    fn bytes_of(&self, accessor: &Value) -> Option<(&[u8], Option<usize>)> {
        let views = list(&self.root, "bufferViews");
        let view = views.get(number(accessor, "bufferView")?)?;
        let buffer = self.buffers.get(number(view, "buffer")?)?.as_ref()?;
        let start = number(view, "byteOffset").unwrap_or(0);
        let end = start.checked_add(number(view, "byteLength")?)?;
        let inner = number(accessor, "byteOffset").unwrap_or(0);
        let bytes = buffer.get(start..end)?.get(inner..)?;
        Some((bytes, number(view, "byteStride")))
    }

    /// Positions of the vertices of an accessor.
    fn positions(&self, index: usize) -> Option<Vec<[f32; 3]>> {
        let accessor = list(&self.root, "accessors").get(index)?;
        if accessor.get("componentType")?.as_u64() != Some(FLOAT) {
            return None;
        }
        let (bytes, stride) = self.bytes_of(accessor)?;
        let stride = stride.unwrap_or(12);
        let count = number(accessor, "count")?;
        let vertex = |index: usize| -> Option<[f32; 3]> {
            let place = index.checked_mul(stride)?;
            let (one, _) = bytes.get(place..)?.split_first_chunk::<12>()?;
            let [a, b, c, d, e, f, g, h, i, j, k, l] = *one;
            Some([
                f32::from_le_bytes([a, b, c, d]),
                f32::from_le_bytes([e, f, g, h]),
                f32::from_le_bytes([i, j, k, l]),
            ])
        };
        (0..count).map_while(|index| Some(vertex(index))).collect()
    }

    /// The accessors of positions, by mesh and primitive.
    fn meshes(&self) -> BTreeMap<(usize, usize), usize> {
        let mut found = BTreeMap::new();
        for (mesh, value) in list(&self.root, "meshes").iter().enumerate() {
            for (primitive, value) in list(value, "primitives").iter().enumerate() {
                let attributes = value.get("attributes");
                let positions = attributes.and_then(|all| number(all, "POSITION"));
                found.extend(positions.map(|accessor| ((mesh, primitive), accessor)));
            }
        }
        found
    }
}

/// Bytes of an accessor's elements, from the first to the last.
fn length(accessor: &Value, stride: Option<usize>) -> Option<usize> {
    let component = match number(accessor, "componentType")? {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    };
    let components = match accessor.get("type")?.as_str()? {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => 4,
    };
    let element = component * components;
    let last = number(accessor, "count")?.checked_sub(1)?;
    let before = last.checked_mul(stride.unwrap_or(element))?;
    before.checked_add(element)
}

/// Compares two scenes, each a `.gltf` with its buffers or a `.glb`; `None` when one of them is none.
pub(super) fn compare(before: SceneBytes<'_>, after: SceneBytes<'_>) -> Option<SceneChange> {
    let (before, after) = (open(before)?, open(after)?);
    let mut change = SceneChange {
        values: compare_values(&before.root, &after.root),
        ..SceneChange::default()
    };
    let (ours, theirs) = (before.meshes(), after.meshes());
    let mut keys: Vec<&(usize, usize)> = ours.keys().chain(theirs.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let positions = |scene: &Opened, meshes: &BTreeMap<(usize, usize), usize>| {
            let index = meshes.get(key)?;
            scene.positions(*index)
        };
        let one = positions(&before, &ours).unwrap_or_default();
        let other = positions(&after, &theirs).unwrap_or_default();
        count_vertices(&one, &other, &mut change);
    }
    let accessors = list(&before.root, "accessors");
    let others = list(&after.root, "accessors");
    for index in 0..accessors.len().max(others.len()) {
        let bytes = |scene: &Opened, list: &[Value]| {
            let accessor = list.get(index)?;
            let (bytes, stride) = scene.bytes_of(accessor)?;
            let length = length(accessor, stride).unwrap_or(bytes.len());
            Some(blake3::hash(bytes.get(..length).unwrap_or(bytes)))
        };
        if bytes(&before, accessors) != bytes(&after, others) {
            change.accessors += 1;
        }
    }
    Some(change)
}

fn count_vertices(one: &[[f32; 3]], other: &[[f32; 3]], change: &mut SceneChange) {
    change.vertices_before += one.len() as u64;
    change.vertices_after += other.len() as u64;
    change.vertices += one.len().abs_diff(other.len()) as u64;
    for (one, other) in one.iter().zip(other) {
        if one == other {
            continue;
        }
        change.vertices += 1;
        let squares = one
            .iter()
            .zip(other)
            .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
        let distance = libm::sqrt(squares.sum());
        if distance.is_finite() {
            change.largest = change.largest.max(distance);
        }
    }
}
