//! The part of a glTF file's JSON that pack reads.

use serde::Deserialize;
use serde_json::Value;

/// The part of its JSON that is read.
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
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

/// The program that wrote it.
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

/// A primitive of a mesh.
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

/// Target of a sampler.
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

/// Bytes in a file, or in the JSON.
#[derive(Debug, Deserialize)]
pub(super) struct Buffer {
    pub uri: Option<String>,
}
