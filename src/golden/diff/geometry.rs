//! Differences between two scenes: vertices, other numbers of buffers, values of the JSON.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use relicast_emit::gltf::{Accessor, Chunks, chunks};
use serde::Serialize;
use serde_json::Value;

use super::document::{DocumentChange, compare_values, parse};

/// Difference between two scenes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SceneChange {
    /// Vertices of the first.
    pub vertices_before: u64,
    /// Vertices of the second.
    pub vertices_after: u64,
    /// Vertices that moved, including those that only one scene has.
    pub vertices: u64,
    /// Largest distance between a vertex in one and the same vertex in the other, in meters.
    pub largest: f64,
    /// Accessors with other numbers, including those of vertices.
    pub accessors: u64,
    /// Values of the JSON.
    pub values: DocumentChange,
}

impl SceneChange {
    /// True if everything is the same.
    pub(super) fn is_nothing(&self) -> bool {
        self.vertices == 0 && self.accessors == 0 && self.values.total == 0
    }
}

impl Display for SceneChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let of = self.vertices_before.max(self.vertices_after);
        write!(
            formatter,
            "{} of {of} vertices, by at most {} m; {} accessors; {}",
            self.vertices, self.largest, self.accessors, self.values
        )
    }
}

/// A scene, and the bytes of its buffers.
struct Opened {
    root: Value,
    /// Empty for a missing buffer.
    buffers: Vec<Vec<u8>>,
}

/// Bytes of a scene.
pub(super) struct SceneBytes<'a> {
    pub bytes: &'a [u8],
    /// Reads a companion file.
    pub beside: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

fn open(SceneBytes { bytes, beside }: SceneBytes<'_>) -> Option<Opened> {
    let Chunks { json, binary } = chunks(bytes)?;
    let root = parse(json)?;
    let buffers = list(&root, "buffers").iter().map(|buffer| {
        let bytes = match buffer.get("uri").and_then(Value::as_str) {
            Some(uri) => beside(uri),
            None => binary.map(<[u8]>::to_vec),
        };
        bytes.unwrap_or_default()
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
    fn accessor(&self, index: usize) -> Option<Accessor<'_>> {
        Accessor::open(&self.root, &self.buffers, index).ok()
    }

    /// Positions of the vertices of an accessor.
    fn positions(&self, index: usize) -> Option<Vec<[f64; 3]>> {
        let accessor = self.accessor(index)?;
        accessor.is_float().then(|| accessor.rows().ok())?
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

/// Compares two scenes, each a `.gltf` with its buffers or a `.glb`; `None` if one of them is not a scene.
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
    let accessors = [&before, &after].map(|scene| list(&scene.root, "accessors").len());
    for index in 0..accessors.into_iter().max().unwrap_or_default() {
        let data = |scene: &Opened| Some(blake3::hash(scene.accessor(index)?.data()));
        if data(&before) != data(&after) {
            change.accessors += 1;
        }
    }
    Some(change)
}

fn count_vertices(one: &[[f64; 3]], other: &[[f64; 3]], change: &mut SceneChange) {
    change.vertices_before += one.len() as u64;
    change.vertices_after += other.len() as u64;
    change.vertices += one.len().abs_diff(other.len()) as u64;
    for (one, other) in one.iter().zip(other) {
        if one == other {
            continue;
        }
        change.vertices += 1;
        let squares = one.iter().zip(other).map(|(a, b)| (a - b).powi(2));
        let distance = libm::sqrt(squares.sum());
        if distance.is_finite() {
            change.largest = change.largest.max(distance);
        }
    }
}
