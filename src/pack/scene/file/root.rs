//! The JSON of a glTF file as far as pack reads it, and the numbers that its accessors name.

use serde::Deserialize;
use serde_json::Value;

use crate::pack::edited::Refusal;

/// What of its JSON is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    #[serde(default)]
    pub asset: Asset,
    #[serde(default)]
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<RootScene>,
    #[serde(default)]
    pub nodes: Vec<RootNode>,
    #[serde(default)]
    pub meshes: Vec<RootMesh>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

/// Who wrote it.
#[derive(Debug, Deserialize, Default)]
pub(super) struct Asset {
    #[serde(default)]
    pub generator: String,
}

/// A scene.
#[derive(Debug, Deserialize)]
pub(super) struct RootScene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

/// A node.
#[derive(Debug, Deserialize)]
pub(super) struct RootNode {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub children: Vec<usize>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub matrix: Option<[f32; 16]>,
    pub mesh: Option<usize>,
    #[serde(default)]
    pub extras: Value,
}

/// A mesh.
#[derive(Debug, Deserialize)]
pub(super) struct RootMesh {
    #[serde(default)]
    pub name: String,
    pub primitives: Vec<RootPrimitive>,
}

/// A part of a mesh.
#[derive(Debug, Deserialize)]
pub(super) struct RootPrimitive {
    pub attributes: std::collections::BTreeMap<String, usize>,
    pub indices: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    pub material: Option<usize>,
    #[serde(default)]
    pub extras: Value,
}

fn triangles() -> u32 {
    4
}

/// An animation.
#[derive(Debug, Deserialize)]
pub(super) struct RootAnimation {
    #[serde(default)]
    pub name: String,
    pub channels: Vec<RootChannel>,
    pub samplers: Vec<RootSampler>,
    #[serde(default)]
    pub extras: Value,
}

/// What a sampler moves.
#[derive(Debug, Deserialize)]
pub(super) struct RootChannel {
    pub sampler: usize,
    pub target: RootTarget,
}

/// A property of a node.
#[derive(Debug, Deserialize)]
pub(super) struct RootTarget {
    pub node: Option<usize>,
    pub path: String,
}

/// Keys and values by time.
#[derive(Debug, Deserialize)]
pub(super) struct RootSampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

/// A list of numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

/// A part of a buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

/// Bytes in a file, or in the JSON.
#[derive(Debug, Deserialize)]
pub(super) struct Buffer {
    pub uri: Option<String>,
}

/// The first `N` numbers of each element of an accessor.
pub(super) fn values<const N: usize>(
    root: &Root,
    buffers: &[Vec<u8>],
    index: usize,
) -> Result<Vec<[f64; N]>, Refusal> {
    let fault = |what: &str| refusal!("accessor {index}: {what}");
    let accessor = root
        .accessors
        .get(index)
        .ok_or_else(|| fault("it does not exist"))?;
    if accessor.sparse.is_some() {
        return Err(fault("sparse values are not read"));
    }
    let parts = match &*accessor.kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return Err(fault("its type is none of vertices")),
    };
    if parts < N {
        return Err(fault("it has too few numbers"));
    }
    let size = match accessor.component_type {
        5120 | 5121 => 1_usize,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => return Err(fault("its component type does not exist")),
    };
    let view = accessor
        .buffer_view
        .and_then(|view| root.buffer_views.get(view))
        .ok_or_else(|| fault("it has no data"))?;
    let end = view.byte_offset.saturating_add(view.byte_length);
    let data = buffers
        .get(view.buffer)
        .and_then(|buffer| buffer.get(view.byte_offset..end))
        .ok_or_else(|| fault("its data lie outside the buffer"))?;
    let stride = view.byte_stride.unwrap_or(size * parts);
    if stride < size * parts {
        return Err(fault("its elements overlap"));
    }
    let mut list = Vec::new();
    for element in 0..accessor.count {
        let start = element
            .checked_mul(stride)
            .and_then(|start| start.checked_add(accessor.byte_offset))
            .ok_or_else(|| fault("its data lie outside the buffer"))?;
        let bytes = data
            .get(start..start.saturating_add(size * N))
            .ok_or_else(|| fault("its data lie outside the buffer"))?;
        let mut row = [0.0; N];
        for (value, bytes) in row.iter_mut().zip(bytes.chunks_exact(size)) {
            *value = number(bytes, accessor.component_type, accessor.normalized);
            if !value.is_finite() {
                return Err(fault("a value is no finite number"));
            }
        }
        list.push(row);
    }
    Ok(list)
}

fn number(bytes: &[u8], component: u32, normalized: bool) -> f64 {
    let scaled = |value: f64, most: f64| match normalized {
        true => (value / most).max(-1.0),
        false => value,
    };
    match (component, bytes) {
        (5120, &[byte]) => scaled(f64::from(byte.cast_signed()), 127.0),
        (5121, &[byte]) => scaled(f64::from(byte), 255.0),
        (5122, &[a, b]) => scaled(f64::from(i16::from_le_bytes([a, b])), 32767.0),
        (5123, &[a, b]) => scaled(f64::from(u16::from_le_bytes([a, b])), 65535.0),
        (5125, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        (_, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => f64::NAN,
    }
}
