//! Creatures in the scene of a zone: models with bones, in their standing pose.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use glam::{DMat3, DMat4, DVec3};

use crate::everquest::actor::rig::Rig;
use relicast_scene::extras::ObjectExtras;
use relicast_scene::model::{MeshId, Node, NodeId, Primitive};

use super::clips;
use super::companions::Companions;
use super::models::{Model, ModelFile};
use super::placing::{Placement, Placer};
use super::shape::{self, Wanted};
use super::skeleton::{self, Names};
use super::surfaces::{self, Origin};
use super::variants::LayerVariants;

/// Code of the standing animation set.
const STANDING: &str = "P01";

/// Meshes of the creatures of a zone, by model and texture.
#[derive(Debug, Default)]
pub(super) struct Creatures {
    made: HashMap<(Origin, u32), Rc<Vec<MeshId>>>,
}

/// Matrices that move vertices from the rest pose of a model to another pose, by joint.
struct Pose(Vec<DMat4>);

impl Pose {
    /// Pose at the start of the standing clip of a model; the rest pose for a model without one.
    fn standing(placer: &Placer<'_, '_, '_>, origin: Origin, stem: &str, rig: &Rig) -> Self {
        let names = Names::of(rig);
        let (mut found, _) = clips::find(placer.set, origin.place, stem);
        found.extend(clips::by_skeleton(placer.set, origin, &names, &found).found);
        let mut joints = rig.joints.clone();
        for (joint, place) in clips::first_pose(&found, STANDING, &names) {
            if let Some(joint) = joints.get_mut(joint) {
                joint.rest = place;
            }
        }
        let parents = rig.order.iter().map(|&joint| {
            let parent = rig.joints.get(joint).and_then(|joint| joint.parent);
            (joint, parent)
        });
        let parents: Vec<(usize, Option<usize>)> = parents.collect();
        let posed = Rig::settled(joints, &parents, rig.faults);
        let matrices = posed.joints.iter().zip(&rig.joints);
        Self(
            matrices
                .map(|(posed, rest)| posed.world * rest.inverse)
                .collect(),
        )
    }

    /// Moves the vertices of a primitive, which then needs no joints.
    fn apply(&self, primitive: &mut Primitive) {
        let matrix = |vertex: usize| {
            let joints = primitive.joints.get(vertex).copied().unwrap_or_default();
            let weights = primitive.weights.get(vertex).copied().unwrap_or_default();
            let mut sum = DMat4::ZERO;
            for (joint, weight) in joints.into_iter().zip(weights) {
                let joint = self.0.get(usize::from(joint)).copied();
                sum += joint.unwrap_or(DMat4::IDENTITY) * f64::from(weight);
            }
            sum
        };
        let place = |point: [f32; 3]| DVec3::from_array(point.map(f64::from));
        let positions = primitive.positions.iter().enumerate();
        let positions = positions.map(|(vertex, &position)| {
            let moved = matrix(vertex).transform_point3(place(position));
            let moved = moved.to_array().map(|part| part as f32);
            let is_finite = moved.iter().all(|part| part.is_finite());
            if is_finite { moved } else { position }
        });
        let positions: Vec<[f32; 3]> = positions.collect();
        let normals = primitive.normals.iter().enumerate();
        let normals = normals.map(|(vertex, &normal)| {
            let turned = DMat3::from_mat4(matrix(vertex)).inverse().transpose() * place(normal);
            let turned = turned.normalize_or_zero();
            if turned == DVec3::ZERO || !turned.is_finite() {
                normal
            } else {
                turned.to_array().map(|part| part as f32)
            }
        });
        let normals: Vec<[f32; 3]> = normals.collect();
        primitive.positions = Arc::new(positions);
        primitive.normals = Arc::new(normals);
        primitive.joints = Vec::new();
        primitive.weights = Vec::new();
        if !primitive.tangents.is_empty() {
            primitive.make_tangents();
        }
    }
}

impl Creatures {
    /// Places a creature below a node, in the variant of a number if its model has one.
    pub(super) fn place(
        &mut self,
        placer: &mut Placer<'_, '_, '_>,
        origin: Origin,
        file: &ModelFile,
        variant: u32,
        above: NodeId,
        placement: Placement,
    ) {
        let key = (origin, variant);
        let meshes = match self.made.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let made = Rc::new(meshes(placer, origin, &file.model, variant));
                self.made.insert(key, Rc::clone(&made));
                made
            }
        };
        *placer.models.entry(placement.model).or_default() += 1;
        let scene = &mut placer.layers.main.scene;
        let node = scene.add_node(Node {
            name: placement.name.clone(),
            transform: placement.transform,
            extras: placement.facts.extras(),
            ..Node::default()
        });
        scene.add_child(above, node);
        for &mesh in &*meshes {
            let child = scene.add_node(Node {
                name: placement.name.clone(),
                mesh: Some(mesh),
                ..Node::default()
            });
            scene.add_child(node, child);
        }
    }
}

/// Makes the meshes of the pieces of a creature that are shown.
fn meshes(
    placer: &mut Placer<'_, '_, '_>,
    origin: Origin,
    model: &Model,
    variant: u32,
) -> Vec<MeshId> {
    let stem = placer.name(origin);
    let (rig, _) = skeleton::rig(model);
    let pose = Pose::standing(placer, origin, &stem, &rig);
    let variants = Companions::new(placer.set, origin.place, &stem).variants(&stem);
    let mut meshes = Vec::new();
    for piece in model.pieces(&stem).iter().filter(|piece| !piece.alternate) {
        let wanted = Wanted {
            origin,
            colors: &piece.colors(),
            hidden: false,
            joints: Some(rig.joints.len()),
        };
        let made = shape::make(placer.layers, &mut placer.surfaces, model, piece, wanted);
        let Some(mut mesh) = made.visible else {
            continue;
        };
        for primitive in &mut mesh.primitives {
            assign_variant(placer, origin, model, &variants, variant, primitive);
            pose.apply(primitive);
        }
        meshes.push(placer.layers.main.scene.add_mesh(mesh));
    }
    meshes
}

/// Replaces the material of a primitive by that of a variant.
fn assign_variant(
    placer: &mut Placer<'_, '_, '_>,
    origin: Origin,
    model: &Model,
    variants: &LayerVariants,
    variant: u32,
    primitive: &mut Primitive,
) {
    let builder = &mut placer.layers.main;
    let material = primitive.material;
    let material = material.and_then(|id| builder.scene.materials.get(id.index()));
    let Some(name) = material.map(|material| material.name.clone()) else {
        return;
    };
    let own = model.places().get(&name).copied();
    let Some((at, mut own)) = own.and_then(|at| Some((at, model.shader_material(at)?))) else {
        return;
    };
    let Some(layer) = variants.of_number(at, &name, variant) else {
        return;
    };
    layer.put(&mut own);
    let material = surfaces::add(builder, origin.place, &own).material;
    let assigned = builder.scene.materials.get(material.index());
    let bends = assigned.is_some_and(|assigned| assigned.normal_texture.is_some());
    if bends && primitive.tangents.is_empty() {
        primitive.make_tangents();
    }
    primitive.material = Some(material);
}
