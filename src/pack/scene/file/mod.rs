//! A glTF file of any program in the form that pack compares: nodes with their transforms, meshes corner by corner.
//!
//! The file is not trusted: every index is checked, and no more memory is reserved than the file can fill.
//!
//! - `root` — its JSON; `surface` — materials; `lights_and_cameras` — lights and cameras; `curve` — animations;
//!   `unsupported_edits` — all other contents.

pub(super) mod curve;
pub(super) mod lights_and_cameras;
mod root;
pub(super) mod surface;
pub(super) mod unsupported_edits;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use base64::Engine as _;
use glam::{DMat4, DQuat, DVec3};
use serde::Deserialize as _;
use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::json::{check_size, items};
use crate::pack::text;
use curve::{Between, Moves, SceneChannel, SceneClip};
use lights_and_cameras::LightsAndCameras;
use relicast_emit::gltf::{Accessor, chunks, decode_uri};
use relicast_limits as limits;
use root::{Buffer, Root, RootAnimation, RootMesh, RootPrimitive};
use surface::Surface;
use unsupported_edits::UnsupportedEdits;

/// A scene as stored in its file.
#[derive(Debug, Clone, Default)]
pub(super) struct SceneFile {
    /// The nodes, in the order of the file.
    pub nodes: Vec<SceneNode>,
    /// Nodes without parents in the default scene.
    pub roots: Vec<usize>,
    /// Nodes without parents that are in no scene, so that nothing shows them.
    pub unused: Vec<usize>,
    /// The meshes.
    pub meshes: Vec<SceneMesh>,
    /// The materials.
    pub surfaces: Vec<Surface>,
    /// Their names.
    pub materials: Vec<String>,
    /// The lights and cameras.
    pub lights_and_cameras: LightsAndCameras,
    /// The animations, except those of worlds.
    pub clips: Vec<SceneClip>,
    /// Meshes of clutter of a world, by name; they are not nodes of the tree.
    pub strewn: BTreeMap<String, Strewn>,
    /// All other contents.
    pub rest: UnsupportedEdits,
}

/// A node that shows clutter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Strewn {
    /// Its transform.
    pub local: Local,
    /// The mesh of the clutter.
    pub mesh: usize,
    /// Other facts of it: digests of the positions of its parts.
    pub places: Option<Value>,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct SceneNode {
    pub name: String,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// From its own space to that of its parent.
    pub local: Local,
    pub mesh: Option<usize>,
    pub extras: Value,
}

/// Local transform of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Local {
    pub translation: [f32; 3],
    /// Unit quaternion, x y z w.
    pub rotation: [f32; 4],
    pub scale: [f32; 3],
    /// Replaces the three others; some programs write it.
    pub matrix: Option<[f32; 16]>,
}

impl Local {
    /// As a matrix for column vectors.
    pub(super) fn to_matrix(self) -> DMat4 {
        match self.matrix {
            Some(matrix) => DMat4::from_cols_array(&matrix.map(f64::from)),
            None => {
                let rotation = DQuat::from_array(self.rotation.map(f64::from));
                let length = rotation.length();
                let rotation = if length > 0.0 {
                    rotation / length
                } else {
                    DQuat::IDENTITY
                };
                DMat4::from_scale_rotation_translation(
                    DVec3::from_array(self.scale.map(f64::from)),
                    rotation,
                    DVec3::from_array(self.translation.map(f64::from)),
                )
            }
        }
    }
}

/// A mesh.
#[derive(Debug, Clone)]
pub(super) struct SceneMesh {
    pub name: String,
    pub primitives: Vec<ScenePrimitive>,
}

/// A primitive, its vertices repeated for each corner of a triangle.
#[derive(Debug, Clone, Default)]
pub(super) struct ScenePrimitive {
    /// True for triangles, false for points and lines.
    pub is_triangles: bool,
    pub positions: Vec<[f32; 3]>,
    /// For each corner the index of its vertex in the primitive.
    pub vertices: Vec<usize>,
    /// Empty without normals.
    pub normals: Vec<[f32; 3]>,
    /// Empty sets are dropped.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Linear; empty without colors.
    pub colors: Vec<[f32; 3]>,
    /// Index in the materials of the file.
    pub material: Option<usize>,
    /// The name of the material.
    pub surface: Option<String>,
    pub extras: Value,
}

impl ScenePrimitive {
    /// The corner with a number.
    pub(super) fn corner(&self, corner: usize) -> PrimitiveCorner<'_> {
        PrimitiveCorner {
            primitive: self,
            corner,
        }
    }

    /// The triangle that begins at a corner.
    pub(super) fn triangle(&self, first: usize) -> PrimitiveTriangle<'_> {
        PrimitiveTriangle {
            primitive: self,
            first,
        }
    }
}

/// A corner of a primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveCorner<'p> {
    pub primitive: &'p ScenePrimitive,
    pub corner: usize,
}

/// A triangle of a primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveTriangle<'p> {
    pub primitive: &'p ScenePrimitive,
    /// Its first corner.
    pub first: usize,
}

impl PrimitiveTriangle<'_> {
    /// Its corners.
    pub(super) fn corners(self) -> Range<usize> {
        self.first..self.first.saturating_add(3)
    }
}

/// Extensions that change how a file is read, and that are supported.
const KNOWN: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_materials_specular",
];

/// An opened file: its JSON and its buffers.
#[derive(Debug)]
pub(super) struct Document {
    /// The JSON.
    pub json: Value,
    root: Root,
    buffers: Vec<Vec<u8>>,
}

impl Document {
    /// Opens a `.gltf` or `.glb`; `companion` returns the bytes of a buffer by its path relative to the file.
    ///
    /// # Errors
    /// It is not a glTF file, or uses something unsupported.
    pub(super) fn open(
        bytes: &[u8],
        companion: &dyn Fn(&str) -> Result<Vec<u8>, Refusal>,
    ) -> Result<Self, Refusal> {
        let chunks = chunks(bytes).ok_or_else(|| refusal!("the .glb is truncated"))?;
        let json = &*text::decoded(chunks.json)?;
        check_size(json)?;
        let root: Root = serde_json::from_slice(json).map_err(|error| {
            refusal!("line {}, column {}: {error}", error.line(), error.column())
        })?;
        let unknown = root
            .extensions_required
            .iter()
            .find(|name| !KNOWN.contains(&name.as_str()));
        if let Some(name) = unknown {
            let instead = match name.as_str() {
                "KHR_draco_mesh_compression" => " (Blender: turn off Data > Compression)",
                "EXT_texture_webp" => " (Blender: Material > Images > Automatic)",
                _ => "",
            };
            refuse!(
                "the file requires the extension {name}, which is not supported; export it without{instead}"
            );
        }
        check_names(&root)?;
        let mut size = 0_usize;
        let load = |buffer: &Buffer| match (buffer.uri.as_deref(), chunks.binary) {
            (None, Some(chunk)) => Ok(chunk.to_vec()),
            (None, None) => Err(refusal!("a buffer of the file has no bytes")),
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => embedded(data),
                None => {
                    let path = decode_uri(uri);
                    companion(
                        &path.ok_or_else(|| refusal!("{uri} is not a valid path of a buffer"))?,
                    )
                }
            },
        };
        let counted = |buffer: Result<Vec<u8>, Refusal>| {
            let buffer = buffer?;
            size = size.saturating_add(buffer.len());
            limits::try_reserve(size).map_err(Refusal::new)?;
            Ok(buffer)
        };
        let buffers = root.buffers.iter().map(load).map(counted);
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        let mut json = serde_json::from_slice(json).map_err(Refusal::new)?;
        remove_nulls(&mut json);
        Ok(Self {
            json,
            root,
            buffers,
        })
    }

    /// A file of this JSON and these buffers.
    ///
    /// # Errors
    /// The JSON does not describe a glTF file.
    pub(super) fn from_parts(json: Value, buffers: Vec<Vec<u8>>) -> Result<Self, Refusal> {
        let root = Root::deserialize(&json).map_err(Refusal::new)?;
        Ok(Self {
            json,
            root,
            buffers,
        })
    }

    /// Gives the file another JSON.
    ///
    /// # Errors
    /// It does not describe a glTF file.
    pub(super) fn set_json(&mut self, json: Value) -> Result<(), Refusal> {
        self.root = Root::deserialize(&json).map_err(Refusal::new)?;
        self.json = json;
        Ok(())
    }

    /// The program that wrote the file.
    pub(super) fn generator(&self) -> &str {
        &self.root.asset.generator
    }

    /// The buffers.
    pub(super) fn buffers(&self) -> &[Vec<u8>] {
        &self.buffers
    }

    /// The first `N` numbers of each element of an accessor.
    ///
    /// # Errors
    /// It does not exist, or its data are missing.
    pub(super) fn rows<const N: usize>(&self, accessor: usize) -> Result<Vec<[f64; N]>, Refusal> {
        let opened = Accessor::open(&self.json, &self.buffers, accessor);
        let rows = opened.and_then(|opened| opened.rows());
        rows.map_err(|error| refusal!("accessor {accessor}: {error}"))
    }

    /// The bytes of the picture of a material that is in the file itself.
    pub(super) fn embedded_picture(&self, material: usize) -> Option<Vec<u8>> {
        self.embedded_image(surface::image_of(&self.json, material)?)
    }

    /// The bytes of an image that is in the file itself.
    pub(super) fn embedded_image(&self, image: &Value) -> Option<Vec<u8>> {
        if let Some(uri) = image.get("uri").and_then(Value::as_str) {
            return embedded(uri.strip_prefix("data:")?).ok();
        }
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
        let view = usize::try_from(number(image, "bufferView")?).ok()?;
        let view = items(&self.json, "bufferViews").get(view)?;
        let buffer = usize::try_from(number(view, "buffer").unwrap_or(0)).ok()?;
        let start = usize::try_from(number(view, "byteOffset").unwrap_or(0)).ok()?;
        let length = usize::try_from(number(view, "byteLength")?).ok()?;
        let bytes = self.buffers.get(buffer)?;
        bytes
            .get(start..start.checked_add(length)?)
            .map(<[u8]>::to_vec)
    }

    /// Contents of the file as a scene.
    ///
    /// # Errors
    /// It refers to something that does not exist.
    pub(super) fn scene(&self) -> Result<SceneFile, Refusal> {
        let (json, root) = (&self.json, &self.root);
        let surfaces = surface::of(json);
        let materials: Vec<String> = surfaces.iter().map(|it| it.name.clone()).collect();
        let meshes = root
            .meshes
            .iter()
            .map(|mesh| self.mesh(mesh, &materials))
            .collect::<Result<_, _>>()?;
        let nodes = nodes_of(root)?;
        let shown = root.scenes.get(root.scene.unwrap_or(0));
        let roots: Vec<usize> = match shown {
            Some(scene) => scene.nodes.clone(),
            None => (0..nodes.len())
                .filter(|&node| nodes[node].parent.is_none())
                .collect(),
        };
        let is_root = |&root: &usize| nodes.get(root).is_some_and(|node| node.parent.is_none());
        let distinct: HashSet<usize> = roots.iter().copied().collect();
        if distinct.len() != roots.len() || !roots.iter().all(is_root) {
            refuse!("the scene refers to a node that does not exist, twice, or below another one");
        }
        let listed: HashSet<usize> = root.scenes.iter().flat_map(|it| it.nodes.clone()).collect();
        let tops = nodes.iter().enumerate();
        let tops = tops.filter(|(number, node)| node.parent.is_none() && !listed.contains(number));
        let unused = match root.scenes.is_empty() {
            true => Vec::new(),
            false => tops.map(|(number, _)| number).collect(),
        };
        Ok(SceneFile {
            nodes,
            roots,
            unused,
            meshes,
            clips: self.clips(),
            materials,
            surfaces,
            lights_and_cameras: lights_and_cameras::of(json),
            strewn: BTreeMap::new(),
            rest: unsupported_edits::of(json, &self.buffers),
        })
    }
}

/// Longest name of a node or a mesh, in bytes. Messages about the parts of a mesh repeat its name.
const MAX_NAME_LENGTH: usize = 4096;

/// Checks that no name is too long.
fn check_names(root: &Root) -> Result<(), Refusal> {
    let nodes = root.nodes.iter().map(|node| &node.name);
    let mut names = nodes.chain(root.meshes.iter().map(|mesh| &mesh.name));
    match names.find(|name| name.len() > MAX_NAME_LENGTH) {
        None => Ok(()),
        Some(name) => Err(refusal!(
            "a node or a mesh has a name of {} bytes; expected at most {MAX_NAME_LENGTH}",
            name.len()
        )),
    }
}

fn embedded(data: &str) -> Result<Vec<u8>, Refusal> {
    let text = data.split_once(";base64,").map(|(_, text)| text);
    let text = text.ok_or_else(|| refusal!("an embedded buffer is not base64"))?;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(Refusal::new)
}

fn nodes_of(root: &Root) -> Result<Vec<SceneNode>, Refusal> {
    let mut nodes: Vec<SceneNode> = Vec::with_capacity(root.nodes.len());
    for node in &root.nodes {
        if node.mesh.is_some_and(|mesh| mesh >= root.meshes.len()) {
            refuse!(
                "the node {} refers to a mesh that does not exist",
                node.name
            );
        }
        nodes.push(SceneNode {
            name: node.name.clone(),
            parent: None,
            children: node.children.clone(),
            local: Local {
                translation: node.translation.unwrap_or_default(),
                rotation: node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: node.scale.unwrap_or([1.0; 3]),
                matrix: node.matrix,
            },
            mesh: node.mesh,
            extras: node.extras.clone(),
        });
    }
    for (parent, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            let found = nodes.get_mut(child).filter(|found| found.parent.is_none());
            match found {
                Some(found) if child != parent => found.parent = Some(parent),
                _ => {
                    refuse!(
                        "the node {} has a child that does not exist or has another parent",
                        node.name
                    );
                }
            }
        }
    }
    Ok(nodes)
}

/// Removes the entries of objects that are null: some programs leave them out.
fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, entry| !entry.is_null());
            entries.values_mut().for_each(remove_nulls);
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

impl Document {
    fn mesh(&self, mesh: &RootMesh, materials: &[String]) -> Result<SceneMesh, Refusal> {
        let inside = |refusal: Refusal| refusal!("mesh {}: {refusal}", mesh.name);
        let parts = mesh.primitives.iter();
        let parts = parts.map(|part| self.primitive(part, materials).map_err(inside));
        Ok(SceneMesh {
            name: mesh.name.clone(),
            primitives: parts.collect::<Result<_, _>>()?,
        })
    }

    fn primitive(
        &self,
        primitive: &RootPrimitive,
        materials: &[String],
    ) -> Result<ScenePrimitive, Refusal> {
        let attribute = |name: &str| primitive.attributes.get(name).copied();
        let positions = attribute("POSITION").ok_or_else(|| refusal!("it has no positions"))?;
        let positions = self.rows::<3>(positions)?;
        let vertices: Vec<usize> = match primitive.indices {
            Some(accessor) => {
                let rows = self.rows::<1>(accessor)?.into_iter();
                rows.map(|[index]| index as usize).collect()
            }
            None => (0..positions.len()).collect(),
        };
        let vectors = |name: &str| match attribute(name) {
            Some(accessor) => corners::<3>(self.rows(accessor)?, &vertices),
            None => Ok(Vec::new()),
        };
        let sets = (0..8).map_while(|set| attribute(&format!("TEXCOORD_{set}")));
        let uvs = sets.map(|accessor| corners(self.rows(accessor)?, &vertices));
        let uvs = uvs.collect::<Result<_, _>>()?;
        let surface = primitive.material.and_then(|it| materials.get(it));
        Ok(ScenePrimitive {
            is_triangles: primitive.mode == 4,
            positions: corners(positions, &vertices)?,
            normals: vectors("NORMAL")?,
            colors: vectors("COLOR_0")?,
            uvs,
            material: primitive.material,
            surface: surface.cloned(),
            extras: primitive.extras.clone(),
            vertices,
        })
    }

    /// The animations; invalid ones are dropped.
    fn clips(&self) -> Vec<SceneClip> {
        items(&self.json, "animations")
            .iter()
            .filter_map(|animation| RootAnimation::deserialize(animation).ok())
            .filter_map(|animation| self.clip(animation))
            .collect()
    }

    /// An animation; `None` for those of worlds, whose facts do not name a member of an archive of motions.
    fn clip(&self, animation: RootAnimation) -> Option<SceneClip> {
        let facts = animation.extras.get("zipper").cloned().unwrap_or_default();
        if !facts.is_null() && facts.get("source").is_none() {
            return None;
        }
        let channels = animation.channels.iter().filter_map(|channel| {
            let moves = match &*channel.target.path {
                "translation" => Moves::Translation,
                "rotation" => Moves::Rotation,
                "scale" => Moves::Scale,
                _ => Moves::Other,
            };
            let sampler = animation.samplers.get(channel.sampler)?;
            let times = self.rows::<1>(sampler.input).unwrap_or_default();
            let values: Vec<[f32; 4]> = match moves {
                Moves::Rotation => {
                    let rows = self.rows::<4>(sampler.output).unwrap_or_default();
                    rows.into_iter().map(narrow).collect()
                }
                Moves::Other => Vec::new(),
                _ => {
                    let rows = self.rows::<3>(sampler.output).unwrap_or_default();
                    let rows = rows.into_iter().map(narrow);
                    rows.map(|[x, y, z]| [x, y, z, 0.0]).collect()
                }
            };
            let is_whole = values.len() == times.len() && !values.is_empty();
            Some(SceneChannel {
                node: channel.target.node?,
                moves,
                between: match sampler.interpolation.as_deref() {
                    None | Some("LINEAR") if is_whole => Between::Line,
                    Some("STEP") if is_whole => Between::Step,
                    _ => Between::Other,
                },
                times: times.into_iter().map(|[time]| time as f32).collect(),
                values,
            })
        });
        Some(SceneClip {
            channels: channels.collect(),
            name: animation.name,
            facts,
        })
    }
}

fn narrow<const N: usize>(row: [f64; N]) -> [f32; N] {
    row.map(|value| value as f32)
}

/// The rows of vertices, one for each corner.
fn corners<const N: usize>(
    rows: Vec<[f64; N]>,
    vertices: &[usize],
) -> Result<Vec<[f32; N]>, Refusal> {
    let rows: Vec<[f32; N]> = rows.into_iter().map(narrow).collect();
    let corners = vertices.iter().map(|&vertex| rows.get(vertex).copied());
    corners
        .collect::<Option<_>>()
        .ok_or_else(|| refusal!("vertex index out of range"))
}
