//! An EQG model as scenes of its own.

use std::collections::HashMap;

use crate::everquest::actor::rig::Rig;
use crate::everquest::archive::{ArchiveSet, stem_of};
use crate::everquest::scene_builder::Layers;
use crate::options::ConvertOptions;
use crate::{ConvertError, Sink};
use relicast_codec::Deviations;
use relicast_codec::quantity::counted;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Mesh, Node, NodeId, Scene, Skin, SkinId, VariantId, VariantMaterial};

use super::clips;
use super::companions::Companions;
use super::models::{Model, ModelFile};
use super::shape::{self, Wanted};
use super::skeleton;
use super::surfaces::{self, Origin, Surfaces};
use super::variants::LayerVariants;

/// The skeleton in one scene.
struct Bound {
    nodes: Vec<NodeId>,
    top: Option<NodeId>,
    skin: Option<SkinId>,
}

impl Bound {
    /// Adds the nodes of a skeleton to a scene, without a skin yet.
    fn new(rig: &Rig, scene: &mut Scene, name: &str) -> Self {
        let (nodes, top) = rig.add_to(scene, None, name);
        let skin = None;
        Self { nodes, top, skin }
    }
}

struct Maker<'m, 's, 'a> {
    layers: &'m mut Layers<'s, 'a>,
    model: &'m Model,
    origin: Origin,
    name: &'m str,
    rig: Rig,
    companions: Companions,
    /// Variants of the materials.
    variants: LayerVariants,
    surfaces: Surfaces,
    /// The first material of each name.
    places: HashMap<String, usize>,
}

/// Converts the model of a member of the first archive.
pub(in crate::everquest) fn convert(
    set: &ArchiveSet<'_>,
    member: usize,
    file: &ModelFile,
    name: &str,
    options: &ConvertOptions,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let stem = stem_of(name);
    let mut layers = Layers::new(&stem, set.view(options));
    let mut deviations = file.deviations.clone();
    let (rig, broken) = skeleton::rig(&file.model);
    if broken > 0 {
        let found = format_args!("invalid links: {broken}");
        deviations.push(
            "bones",
            0,
            "one parent for each bone, without cycles",
            found,
        );
    }
    let faults = rig.faults;
    for (count, expected) in [
        (
            faults.invalid_pose,
            "finite positions, and scales other than 0",
        ),
        (faults.lost, "positions within single precision"),
    ] {
        if count > 0 {
            deviations.push("bones", 0, expected, format_args!("{count} invalid"));
        }
    }
    let origin = Origin { place: 0, member };
    let companions = Companions::new(set, 0, &stem);
    companions
        .failed
        .iter()
        .for_each(|line| sink.note(line.clone()));
    let mut maker = Maker {
        layers: &mut layers,
        model: &file.model,
        origin,
        name: &stem,
        rig,
        variants: companions.variants(&stem),
        companions,
        surfaces: Surfaces::default(),
        places: file.model.places(),
    };
    let lost = if file.model.bones().is_empty() {
        maker.layers.is_ground = true;
        maker.still()
    } else {
        maker.jointed(set, sink, &mut deviations)
    };
    if lost > 0 {
        let points = counted(lost, "point", "points");
        sink.note(format!("{points} on bones that the model lacks"));
    }
    let facts = maker.companions.facts();
    maker.layers.main.note(&facts);
    layers.take(sink)?;
    let checks = &layers.main.checks;
    checks.report(sink);
    checks.deviations(&mut deviations);
    Ok(deviations)
}

impl Maker<'_, '_, '_> {
    /// A model without bones. Returns the number of points on missing bones.
    fn still(&mut self) -> usize {
        let root = self.layers.root(Node {
            name: self.name.to_owned(),
            ..Node::default()
        });
        let model = self.model;
        let pieces = model.pieces(self.name);
        let alone = pieces.len() == 1;
        for piece in pieces {
            let colors = piece.colors();
            let wanted = Wanted {
                origin: self.origin,
                colors: &colors,
                hidden: piece.alternate,
                joints: None,
            };
            let made = shape::make(self.layers, &mut self.surfaces, model, &piece, wanted);
            if let Some(mut mesh) = made.visible {
                self.add_variants(&mut mesh, piece.alternate);
                if alone {
                    let scene = &mut self.layers.main.scene;
                    let mesh = scene.add_mesh(mesh);
                    if let Some(node) = scene.nodes.get_mut(root.index()) {
                        node.mesh = Some(mesh);
                    }
                } else {
                    self.hang(mesh, piece.alternate, false);
                }
            }
            if let Some(mesh) = made.invisible {
                self.hang(mesh, true, true);
            }
        }
        let scene = &mut self.layers.main.scene;
        self.companions.add_points(scene, root, |_| None)
    }

    /// Adds a node with a mesh that does not move.
    fn hang(&mut self, mesh: Mesh, hidden: bool, solid: bool) {
        let facts = everquest::Node {
            hidden: hidden.then_some(true),
            collision: solid.then_some(true),
            ..everquest::Node::default()
        };
        let builder = match hidden {
            true => self.layers.hidden(),
            false => &mut self.layers.main,
        };
        let node = Node {
            name: mesh.name.clone(),
            mesh: Some(builder.scene.add_mesh(mesh)),
            extras: facts.extras(),
            ..Node::default()
        };
        builder.attach(node);
    }

    /// A model with bones.
    fn jointed(
        &mut self,
        set: &ArchiveSet<'_>,
        sink: &mut dyn Sink,
        deviations: &mut Deviations,
    ) -> usize {
        let mut shown = Bound::new(&self.rig, &mut self.layers.main.scene, self.name);
        let mut hidden: Option<Bound> = None;
        let model = self.model;
        for piece in model.pieces(self.name) {
            let colors = piece.colors();
            let wanted = Wanted {
                origin: self.origin,
                colors: &colors,
                hidden: piece.alternate,
                joints: Some(self.rig.joints.len()),
            };
            let made = shape::make(self.layers, &mut self.surfaces, model, &piece, wanted);
            if let Some(mut mesh) = made.visible {
                self.add_variants(&mut mesh, piece.alternate);
                self.bind(mesh, piece.alternate, &mut shown, &mut hidden);
            }
            if let Some(mesh) = made.invisible {
                self.hang(mesh, true, true);
            }
        }
        // The hidden scene is written even if it stays empty.
        if !self.layers.is_single_scene() && self.layers.hidden().scene.nodes.is_empty() {
            let name = self.name.to_owned();
            self.layers.hidden().root(Node {
                name,
                ..Node::default()
            });
        }
        let names = skeleton::Names::of(&self.rig);
        self.add_clips(set, &names, &shown.nodes, sink, deviations);
        let nodes = &shown.nodes;
        let bone = |name: &str| nodes.get(names.find(name)?).copied();
        let root = shown.top.or(nodes.first().copied());
        let scene = &mut self.layers.main.scene;
        root.map_or(0, |root| self.companions.add_points(scene, root, bone))
    }

    /// Adds a node with a mesh that moves with the bones of the main scene, or for an alternate piece with those of the
    /// hidden one, if there is any.
    fn bind(&mut self, mesh: Mesh, alternate: bool, shown: &mut Bound, hidden: &mut Option<Bound>) {
        let apart = alternate && !self.layers.is_single_scene();
        let (rig, name) = (&self.rig, self.name);
        let builder = if alternate {
            self.layers.hidden()
        } else {
            &mut self.layers.main
        };
        let scene = &mut builder.scene;
        let bound = if apart {
            hidden.get_or_insert_with(|| Bound::new(rig, scene, name))
        } else {
            shown
        };
        let skin = *bound.skin.get_or_insert_with(|| {
            let joints = bound.nodes.iter().zip(&rig.joints);
            scene.add_skin(Skin {
                name: name.to_owned(),
                joints: joints.map(|(&node, joint)| (node, joint.inverse)).collect(),
                skeleton: bound.top,
                ..Skin::default()
            })
        });
        let facts = everquest::Node {
            alternate: alternate.then_some(true),
            hidden: alternate.then_some(true),
            ..everquest::Node::default()
        };
        let node = Node {
            name: mesh.name.clone(),
            mesh: Some(scene.add_mesh(mesh)),
            skin: Some(skin),
            extras: facts.extras(),
            ..Node::default()
        };
        let node = scene.add_node(node);
        scene.roots.push(node);
    }

    /// Adds the clips of the animations of the model, which move the nodes of its bones.
    fn add_clips(
        &mut self,
        set: &ArchiveSet<'_>,
        names: &skeleton::Names,
        nodes: &[NodeId],
        sink: &mut dyn Sink,
        deviations: &mut Deviations,
    ) {
        let (mut found, failed) = clips::find(set, self.origin.place, self.name);
        let stray = clips::by_skeleton(set, self.origin, names, &found);
        if let Some(note) = stray.note() {
            sink.note(note);
        }
        found.extend(stray.found);
        let failed = failed.into_iter().chain(stray.failed);
        failed.for_each(|line| sink.note(line));
        let godot_loop = self.layers.main.view().options.scenes.godot_loop;
        for one in found {
            let clip = clips::clip(&one, self.name, &self.rig, names, nodes, godot_loop);
            let known = &mut self.layers.main.scene.clips;
            known.extend(clip.map(|clip| clips::with_own_name(clip, &one, known)));
            deviations.absorb(&one.stem, 0, one.deviations);
        }
    }

    /// Adds the variants of the materials.
    fn add_variants(&mut self, mesh: &mut Mesh, hidden: bool) {
        if self.variants.is_empty() {
            return;
        }
        let apart = hidden && !self.layers.is_single_scene();
        let place = self.origin.place;
        for primitive in &mut mesh.primitives {
            let builder = match apart {
                true => self.layers.hidden(),
                false => &mut self.layers.main,
            };
            let material = primitive.material;
            let material = material.and_then(|id| builder.scene.materials.get(id.index()));
            let Some(name) = material.map(|material| material.name.clone()) else {
                continue;
            };
            let place_of = self.places.get(&name).copied();
            let own = place_of.and_then(|at| Some((at, self.model.shader_material(at)?)));
            let Some((at, own)) = own else {
                continue;
            };
            for (label, layer) in self.variants.of_material(at, &name) {
                let mut shader_material = own.clone();
                layer.put(&mut shader_material);
                let scene = &mut builder.scene;
                let known = scene.variants.iter().position(|known| *known == label);
                let variant = match known {
                    Some(known) => VariantId::from(known),
                    None => scene.add_variant(label),
                };
                let material = surfaces::add(builder, place, &shader_material).material;
                let assigned = builder.scene.materials.get(material.index());
                let bends = assigned.is_some_and(|assigned| assigned.normal_texture.is_some());
                if bends && primitive.tangents.is_empty() {
                    primitive.make_tangents();
                }
                primitive
                    .variants
                    .push(VariantMaterial { variant, material });
            }
        }
    }
}
