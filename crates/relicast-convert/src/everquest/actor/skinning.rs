//! Meshes on joints: skins that several joints move, and objects that one joint holds.

use std::collections::HashMap;

use glam::{DMat4, DVec3};

use super::rig::Rig;
use super::texture_variants::Skins;
use crate::everquest::geometry::Geometry;
use crate::everquest::scene_builder::{Layers, SceneBuilder, Source};
use crate::everquest::{mesh, space, static_model};
use relicast_formats::everquest::wld::Body;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{
    Clip, Mesh, MeshId, Node, NodeId, Primitive, Skin, SkinId, VariantId, VariantMaterial,
};

/// Counts of faults in the meshes of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SkinningFaults {
    /// Vertices without a bone that exists; the first one moves them.
    pub unbound: usize,
    /// Vertices that single precision cannot place.
    pub far: usize,
    /// Meshes with several bones whose vertex animation is left out.
    pub still: usize,
}

/// Scene that something is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Layer {
    Shown,
    Hidden,
}

/// The skeleton in one scene.
#[derive(Debug)]
struct SkeletonInstance {
    nodes: Vec<NodeId>,
    top: Option<NodeId>,
    skin: Option<SkinId>,
    variants: HashMap<String, VariantId>,
}

/// A rigidly attached mesh that was made before.
#[derive(Debug, Clone, Default)]
struct RigidAttachment {
    name: String,
    visible: Option<MeshId>,
    invisible: Option<MeshId>,
    weights: Option<mesh::Weights>,
}

/// Binds meshes to a skeleton.
#[derive(Debug)]
pub(super) struct SkinBinder<'d, 's, 'a> {
    layers: &'d mut Layers<'s, 'a>,
    source: Source<'d>,
    rig: &'d Rig,
    name: &'d str,
    /// The material variants of a creature.
    skins: Option<Skins<'d>>,
    shown: SkeletonInstance,
    hidden: Option<SkeletonInstance>,
    held: HashMap<usize, RigidAttachment>,
    vertex_clip: Clip,
    faults: SkinningFaults,
}

/// A position or direction of a file in the space of a matrix that acts in scene space.
fn through(matrix: &DMat4, file: [f32; 3], direction: bool) -> [f64; 3] {
    let scene = DVec3::from_array(space::vector(file).map(f64::from));
    let there = if direction {
        matrix.transform_vector3(scene)
    } else {
        matrix.transform_point3(scene)
    };
    // Back to file axes, which geometry uses.
    [there.z, there.x, there.y]
}

/// Moves vertices from the space of their bones to model space. Returns the bone of each vertex, or nothing
/// for geometry without bones.
pub(super) fn pose(rig: &Rig, geometry: &mut Geometry, faults: &mut SkinningFaults) -> Vec<u16> {
    let joints = &rig.joints;
    if joints.is_empty() {
        return Vec::new();
    }
    let mut bones = Vec::with_capacity(geometry.positions.len());
    let vertices = geometry.positions.iter_mut().zip(&mut geometry.normals);
    for ((position, normal), bone) in vertices.zip(&geometry.bones) {
        let bone = bone.filter(|&bone| usize::from(bone) < joints.len());
        faults.unbound += usize::from(bone.is_none());
        let bone = bone.unwrap_or_default();
        bones.push(bone);
        let world = joints.get(usize::from(bone)).map(|joint| joint.world);
        let world = world.unwrap_or(DMat4::IDENTITY);
        let moved = through(&world, *position, false).map(|part| part as f32);
        let finite = moved.iter().all(|part| part.is_finite());
        faults.far += usize::from(!finite);
        *position = if finite { moved } else { [0.0; 3] };
        let turned = DVec3::from_array(through(&world, *normal, true));
        if let Some(turned) = turned.try_normalize() {
            *normal = turned.to_array().map(|part| part as f32);
        }
    }
    bones
}

impl SkeletonInstance {
    fn new(builder: &mut SceneBuilder<'_, '_>, rig: &Rig, name: &str) -> Self {
        let (mut nodes, top) = rig.add_to(&mut builder.scene, None, name);
        if nodes.is_empty() {
            // A skeleton without bones: attachments get a node of its name.
            let node = builder.scene.add_node(Node {
                name: name.to_owned(),
                ..Node::default()
            });
            builder.scene.roots.push(node);
            nodes.push(node);
        }
        Self {
            nodes,
            top,
            skin: None,
            variants: HashMap::new(),
        }
    }

    /// The skin of all joints, made when it is first needed.
    fn skin(
        &mut self,
        builder: &mut SceneBuilder<'_, '_>,
        rig: &Rig,
        name: &str,
    ) -> Option<SkinId> {
        if self.skin.is_none() && !rig.joints.is_empty() {
            let joints = self.nodes.iter().zip(&rig.joints);
            self.skin = Some(builder.scene.add_skin(Skin {
                name: name.to_owned(),
                joints: joints.map(|(&node, joint)| (node, joint.inverse)).collect(),
                skeleton: self.top,
                ..Skin::default()
            }));
        }
        self.skin
    }
}

impl<'d, 's, 'a> SkinBinder<'d, 's, 'a> {
    /// Adds the skeleton to the scene. `creature` is the code of a creature, whose materials may have
    /// variants.
    pub(super) fn new(
        layers: &'d mut Layers<'s, 'a>,
        source: Source<'d>,
        rig: &'d Rig,
        name: &'d str,
        creature: Option<&'d str>,
    ) -> Self {
        let skins = creature.map(|creature| Skins {
            materials: source.file.materials(),
            creature,
        });
        let shown = SkeletonInstance::new(&mut layers.main, rig, name);
        let options = layers.main.view().options;
        let vertex_clip = mesh::vertex_clip(static_model::VERTEX_CLIP.to_owned(), options);
        Self {
            layers,
            source,
            rig,
            name,
            skins,
            shown,
            hidden: None,
            held: HashMap::new(),
            vertex_clip,
            faults: SkinningFaults::default(),
        }
    }

    /// The nodes of the joints in the main scene.
    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.shown.nodes
    }

    /// Clips of animated vertices, if there are any.
    pub(super) fn clips(&mut self) -> Vec<Clip> {
        let vertex_clip = std::mem::take(&mut self.vertex_clip);
        if vertex_clip.channels.is_empty() {
            Vec::new()
        } else {
            vec![vertex_clip]
        }
    }

    /// The faults that were counted.
    pub(super) fn faults(&self) -> SkinningFaults {
        self.faults
    }

    /// Scene and skeleton of a layer.
    fn layer(&mut self, layer: Layer) -> (&mut SceneBuilder<'s, 'a>, &mut SkeletonInstance) {
        if layer == Layer::Shown || self.layers.is_single_scene() {
            return (&mut self.layers.main, &mut self.shown);
        }
        let builder = self.layers.hidden();
        let instance = self
            .hidden
            .get_or_insert_with(|| SkeletonInstance::new(builder, self.rig, self.name));
        (builder, instance)
    }

    /// Adds a skinned mesh. An `alternate`, which a game shows instead of another mesh, goes to the hidden
    /// scene.
    pub(super) fn add_skin(&mut self, index: usize, alternate: bool) {
        let wld = self.source.file.wld();
        let Some(mut geometry) = Geometry::new(wld, index, &mut self.layers.main.checks) else {
            return;
        };
        if geometry.bones.is_empty() {
            if alternate {
                geometry.bones = vec![Some(0); geometry.positions.len()];
            } else {
                self.hold(0, index);
                return;
            }
        }
        if geometry.animation.index().is_some() {
            self.faults.still += 1;
        }
        let bones = self.bind(&mut geometry);
        let mut by_layer: [Vec<Primitive>; 2] = Default::default();
        for group in mesh::groups(&geometry) {
            let count = group.triangles.len();
            let resolved =
                self.layers
                    .main
                    .resolve_material(self.source, geometry.palette, group.slot);
            let checks = &mut self.layers.main.checks;
            checks.unknown_materials += if resolved.known { 0 } else { count };
            if resolved.visible {
                checks.faces += count
            } else {
                checks.invisible_faces += count
            }
            let layer = if resolved.visible && !alternate {
                Layer::Shown
            } else {
                Layer::Hidden
            };
            let primitive = self.primitive(layer, &geometry, &group, &bones);
            by_layer[usize::from(layer == Layer::Hidden)].push(primitive);
        }
        let [shown, hidden] = by_layer;
        for (layer, primitives) in [(Layer::Shown, shown), (Layer::Hidden, hidden)] {
            if primitives.is_empty() {
                continue;
            }
            let (rig, name) = (self.rig, self.name);
            let (builder, instance) = self.layer(layer);
            let mesh = builder.scene.add_mesh(Mesh {
                name: geometry.name.clone(),
                primitives,
                ..Mesh::default()
            });
            let facts = everquest::Node {
                alternate: alternate.then_some(true),
                hidden: (layer == Layer::Hidden).then_some(true),
                ..everquest::Node::default()
            };
            let skin = instance.skin(builder, rig, name);
            let node = builder.scene.add_node(Node {
                name: geometry.name.clone(),
                mesh: Some(mesh),
                skin,
                extras: facts.extras(),
                ..Node::default()
            });
            builder.scene.roots.push(node);
        }
    }

    /// Moves vertices from the space of their bones to model space. Returns the bone of each vertex.
    fn bind(&mut self, geometry: &mut Geometry) -> Vec<u16> {
        pose(self.rig, geometry, &mut self.faults)
    }

    /// The faces of one material, with joints, weights and material variants.
    fn primitive(
        &mut self,
        layer: Layer,
        geometry: &Geometry,
        group: &mesh::Group,
        bones: &[u16],
    ) -> Primitive {
        let source = self.source;
        let wld = source.file.wld();
        let material = group.slot.and_then(|slot| {
            let Body::MaterialPalette(palette) = &wld.get(geometry.palette)?.body else {
                return None;
            };
            palette.materials.get(usize::from(slot))?.index()
        });
        let name = material.and_then(|index| wld.fragments.get(index));
        let name = name.map_or("", |fragment| fragment.name());
        let labels = self
            .skins
            .map(|skins| skins.others(name))
            .unwrap_or_default();
        let baking = self.layers.baking();
        let (builder, instance) = self.layer(layer);
        let resolved = builder.resolve_material(source, geometry.palette, group.slot);
        let mut primitive = Primitive {
            material: Some(resolved.material),
            is_passable: !group.solid,
            extras: mesh::primitive_extras(group.solid),
            keep_unused_uvs: resolved.lacks_picture,
            ..Primitive::default()
        };
        mesh::append(&mut primitive, geometry, group, &geometry.colors, baking);
        let bound = group.vertices.iter().filter(|_| !bones.is_empty());
        for &vertex in bound {
            let bone = bones.get(vertex).copied().unwrap_or_default();
            primitive.joints.push([bone, 0, 0, 0]);
            primitive.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
        for (label, index) in labels {
            let scene = &mut builder.scene;
            let variant = *(instance.variants.entry(label))
                .or_insert_with_key(|label| scene.add_variant(label.as_str()));
            let material = builder.material(source, index).material;
            primitive
                .variants
                .push(VariantMaterial { variant, material });
        }
        primitive
    }

    /// Attaches a mesh to a joint. Several joints may hold one mesh.
    pub(super) fn hold(&mut self, joint: usize, index: usize) {
        let held = match self.held.get(&index) {
            Some(known) => known.clone(),
            None => {
                let Some(attachment) = self.make_held(index) else {
                    return;
                };
                self.held.insert(index, attachment.clone());
                attachment
            }
        };
        let parts = [
            (Layer::Shown, held.visible),
            (Layer::Hidden, held.invisible),
        ];
        for (layer, mesh) in parts {
            let Some(mesh) = mesh else { continue };
            let (builder, instance) = self.layer(layer);
            let Some(&parent) = instance.nodes.get(joint) else {
                continue;
            };
            let node = builder.scene.add_node(Node {
                name: held.name.clone(),
                mesh: Some(mesh),
                ..Node::default()
            });
            builder.scene.add_child(parent, node);
            if let (Layer::Shown, Some(weights)) = (layer, &held.weights) {
                self.vertex_clip.channels.push(weights.channel(node));
            }
        }
    }

    /// Makes a mesh for rigid attachment to a joint; `None` for a mesh that has bones of its own, which is
    /// skinned instead.
    fn make_held(&mut self, index: usize) -> Option<RigidAttachment> {
        let (geometry, meshes) = static_model::geometry_of(self.layers, self.source, index)?;
        if !geometry.bones.is_empty() {
            self.add_skin(index, false);
            return Some(RigidAttachment::default());
        }
        let visible = meshes
            .visible
            .map(|mesh| self.layer(Layer::Shown).0.scene.add_mesh(mesh));
        let invisible = meshes
            .invisible
            .map(|mesh| self.layer(Layer::Hidden).0.scene.add_mesh(mesh));
        Some(RigidAttachment {
            name: geometry.name,
            visible,
            invisible,
            weights: meshes.weights,
        })
    }
}
