//! Placed models: a node for each placement. Placements with the same baked light, or without any, share
//! their meshes.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use glam::DMat4;
use serde::Serialize;

use crate::everquest::actor::{RestPoseModel, Skins};
use crate::everquest::archive::ArchiveSet;
use crate::everquest::catalog::{Model, Root};
use crate::everquest::geometry::{Geometry, VertexFrames};
use crate::everquest::mesh::{self, Group, UnlitMeshes, Weights};
use crate::everquest::scene_builder::{Layers, Source};
use crate::everquest::{solids, space};
use relicast_codec::F32;
use relicast_formats::everquest::wld::{Actor, Bgra, Body, FragmentRef, Wld};
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{
    Clip, MeshId, Node, NodeId, Placement as PlacementTransform, Transform,
};

use super::baked_light::{Baked, BakedKey, even};
use super::group::group;
use super::models::Models;
use super::sources::label;

/// Letters of the code of a creature.
const CODE_LENGTH: usize = 3;

/// Height below which the tools moved objects that should not be shown.
const SUNKEN: f32 = -30_000.0;

/// A placement that is not in the scene, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct LeftOut {
    /// The scene file, or the table of a server.
    pub file: String,
    /// Index of the fragment, or line of the table.
    pub index: usize,
    /// The actor that it places.
    pub model: String,
    /// Reason.
    pub reason: &'static str,
    /// Position in scene space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[F32; 3]>,
}

/// Results of the placements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlacementTable {
    /// Number of placements in the scene, by model.
    pub models: BTreeMap<String, usize>,
    /// The others.
    pub left_out: Vec<LeftOut>,
}

/// Actor and place of a placement, bit by bit.
type Spot = (String, Option<([u32; 6], Option<u32>)>);

fn spot(source: Source<'_>, actor: &Actor) -> Spot {
    let name = actor_name(source.file.wld(), actor).to_uppercase();
    let place = actor.place.as_ref().map(|place| {
        let [x, y, z] = place.position.to_array();
        let turns = [place.rotation_z, place.rotation_y, place.rotation_x];
        let [a, b, c] = turns.map(F32::get);
        let scale = actor.scale.map(|scale| scale.get().to_bits());
        ([x, y, z, a, b, c].map(f32::to_bits), scale)
    });
    (name, place)
}

/// Pose of meshes by a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PoseKey {
    /// The skeleton, by index of its fragment.
    pub skeleton: usize,
    /// Texture set of a creature, and its face; none for things at rest.
    pub skin_and_face: Option<(u32, u32)>,
}

/// Model with a skeleton as it is placed.
#[derive(Clone, Copy)]
pub(super) struct Posed<'m> {
    pub rest_pose: &'m RestPoseModel,
    pub stance: PoseKey,
    /// Transform of its node.
    pub transform: Transform,
}

/// Archive, scene file and fragment of a mesh, and its pose.
type MeshKey = (usize, usize, usize, Option<PoseKey>);

/// A mesh with one set of colors, as nodes show it.
#[derive(Clone)]
struct Shared {
    visible: Option<MeshId>,
    invisible: Option<MeshId>,
    weights: Option<Rc<Weights>>,
}

/// Parts that all meshes of a geometry share, independent of their colors.
struct Prepared {
    geometry: Geometry,
    groups: Vec<Group>,
    frames: Option<VertexFrames>,
    unlit: OnceCell<UnlitMeshes>,
}

/// Puts placements into the scene.
pub(super) struct Placer<'z, 's, 'a> {
    pub archive_set: &'s ArchiveSet<'a>,
    pub models: Models<'s, 'a>,
    geometries: HashMap<MeshKey, Rc<Prepared>>,
    /// Meshes by key, and by the location of their colors.
    shared: HashMap<(MeshKey, Option<BakedKey>), Shared>,
    /// Volumes of collision.
    volumes: HashMap<MeshKey, Option<MeshId>>,
    /// Clips by model.
    clips: BTreeMap<String, Clip>,
    pub table: PlacementTable,
    /// The scenes.
    pub layers: &'z mut Layers<'s, 'a>,
}

impl<'z, 's, 'a> Placer<'z, 's, 'a> {
    /// A placer of models of a set of archives.
    pub(super) fn new(archive_set: &'s ArchiveSet<'a>, layers: &'z mut Layers<'s, 'a>) -> Self {
        Self {
            archive_set,
            models: Models::new(archive_set, &["_obj"]),
            geometries: HashMap::new(),
            shared: HashMap::new(),
            volumes: HashMap::new(),
            clips: BTreeMap::new(),
            table: PlacementTable::default(),
            layers,
        }
    }

    /// Results of all placements.
    pub(super) fn finish(self) -> PlacementTable {
        self.layers
            .main
            .scene
            .clips
            .extend(self.clips.into_values());
        self.table
    }
}

/// Adds all placements of some scene files below a node.
pub(super) fn add<'s>(placer: &mut Placer<'_, 's, '_>, sources: &[Source<'s>], above: NodeId) {
    let mut actors = Vec::new();
    for &source in sources {
        for (index, fragment) in source.file.wld().fragments.iter().enumerate() {
            if let Body::Actor(actor) = &fragment.body {
                actors.push((source, index, &**actor));
            }
        }
    }
    if actors.is_empty() {
        return;
    }
    let above = group(placer.layers, "objects", above);
    let relit: HashSet<Spot> = actors
        .iter()
        .filter(|(source, ..)| source.opened > 0)
        .map(|&(source, _, actor)| spot(source, actor))
        .collect();
    for (source, index, actor) in actors {
        if source.opened == 0 && !relit.is_empty() && relit.contains(&spot(source, actor)) {
            placer.leave(
                source,
                index,
                actor,
                "an archive of later light has it again",
            );
        } else {
            placer.place(source, index, actor, above);
        }
    }
}

/// Assigns the materials of a skin and a face to faces of a creature, as far as the file has them.
fn assign_skins(
    from: Source<'_>,
    palette: FragmentRef,
    groups: &mut [Group],
    skin: u32,
    face: u32,
) {
    let wld = from.file.wld();
    let Some(Body::MaterialPalette(palette)) = wld.get(palette).map(|fragment| &fragment.body)
    else {
        return;
    };
    for group in groups {
        let slot = group.slot.map(usize::from);
        let material = slot.and_then(|slot| palette.materials.get(slot)?.index());
        let name = material.and_then(|index| wld.fragments.get(index));
        let name = name.map_or("", |fragment| fragment.name());
        let creature = name.get(..CODE_LENGTH).unwrap_or_default().to_uppercase();
        let skins = Skins {
            materials: from.file.materials(),
            creature: &creature,
        };
        group.skin_material = skins.skin_material(name, skin, face);
    }
}

/// The name of the actor that an instance places.
fn actor_name<'w>(wld: &'w Wld<'_>, actor: &'w Actor) -> &'w str {
    match actor.model.fragment() {
        Some(fragment) => wld.get(fragment).map_or("", |fragment| fragment.name()),
        None => actor.model.as_str(),
    }
}

impl<'s> Placer<'_, 's, '_> {
    fn leave(&mut self, source: Source<'s>, index: usize, actor: &Actor, reason: &'static str) {
        let position = actor.place.as_ref().map(|place| place.position.to_array());
        self.table.left_out.push(LeftOut {
            file: label(self.archive_set, source),
            index,
            model: actor_name(source.file.wld(), actor).to_owned(),
            reason,
            position: position.map(|position| space::vector(position).map(F32)),
        });
    }

    fn place(&mut self, source: Source<'s>, index: usize, actor: &Actor, above: NodeId) {
        let name = actor_name(source.file.wld(), actor).to_owned();
        let height = actor.place.as_ref().map(|place| place.position.z.get());
        if height.is_some_and(|height| height <= SUNKEN) {
            self.layers.main.checks.below_world += 1;
            return self.leave(source, index, actor, "below the world");
        }
        let Some((from, catalog, place)) = self.models.find(&name) else {
            let missing = &mut self.layers.main.checks.missing_models;
            *missing.entry(name).or_default() += 1;
            return self.leave(source, index, actor, "no scene has the model");
        };
        let Some(model) = catalog.models.get(place) else {
            return;
        };
        if let Root::Sprites(_) = model.root {
            return self.leave(source, index, actor, "the model has no geometry");
        }
        let Some(transform) = space::placement(actor) else {
            self.layers.main.checks.unplaced += 1;
            return self.leave(source, index, actor, "no usable place");
        };
        let count = self.table.models.entry(model.name.clone()).or_default();
        *count += 1;
        let sound = actor.sound.as_ref().map(|sound| sound.as_str().to_owned());
        let user_data = actor.user_data.text();
        let facts = everquest::Node {
            model: Some(model.name.clone()),
            file: Some(label(self.archive_set, source)),
            index: Some(index),
            sound: sound.filter(|sound| !sound.is_empty()),
            user_data: (!user_data.is_empty()).then_some(user_data),
            ..everquest::Node::default()
        };
        let scene = &mut self.layers.main.scene;
        let node = scene.add_node(Node {
            name: model.name.clone(),
            transform,
            extras: facts.extras(),
            ..Node::default()
        });
        scene.add_child(above, node);
        let colors = self.colors(source, actor);
        self.show(from, model, node, transform, colors);
    }

    /// The baked light of a placement.
    fn colors(&self, source: Source<'s>, actor: &Actor) -> Option<Baked<'s>> {
        let options = &self.layers.main.view().options.everquest;
        if !options.bakes() {
            return None;
        }
        let wld = source.file.wld();
        let Body::VertexColorsInstance(instance) = &wld.get(actor.colors?)?.body else {
            return None;
        };
        let index = instance.definition.index()?;
        match &wld.fragments.get(index)?.body {
            Body::VertexColors(baked) => {
                let key = BakedKey::List(source.opened, source.file.member, index, 0);
                Some(Baked::List(key, &baked.colors))
            }
            _ => None,
        }
    }

    /// Shows a model below a node.
    pub(super) fn show(
        &mut self,
        from: Source<'s>,
        model: &Model,
        node: NodeId,
        transform: Transform,
        colors: Option<Baked<'s>>,
    ) {
        let meshes = match &model.root {
            Root::Meshes(meshes) => meshes,
            &Root::Skeleton(skeleton) => {
                let Some(rest_pose) = RestPoseModel::new(from, skeleton, &model.name) else {
                    return;
                };
                let stance = PoseKey {
                    skeleton,
                    skin_and_face: None,
                };
                let posed = Posed {
                    rest_pose: &rest_pose,
                    stance,
                    transform,
                };
                return self.show_jointed(from, &model.name, posed, node, colors);
            }
            Root::Sprites(_) => return,
        };
        let alone = meshes.len() == 1;
        for &mesh in meshes {
            let key = (from.opened, from.file.member, mesh, None);
            let Some(shared) = self.mesh(from, key, None, colors) else {
                continue;
            };
            if let Some(visible) = shared.visible {
                let scene = &mut self.layers.main.scene;
                let shown = if alone {
                    node
                } else {
                    let child = scene.add_node(Node {
                        name: model.name.clone(),
                        ..Node::default()
                    });
                    scene.add_child(node, child);
                    child
                };
                scene.nodes[shown.index()].mesh = Some(visible);
                if let Some(weights) = &shared.weights {
                    let options = self.layers.main.view().options;
                    let clip = self.clips.entry(model.name.clone());
                    let clip = clip.or_insert_with_key(|name| {
                        mesh::vertex_clip(format!("vertices_{name}"), options)
                    });
                    clip.channels.push(weights.channel(shown));
                }
            }
            self.collide(from, key, &model.name, node);
            if let Some(invisible) = shared.invisible {
                self.layers.hidden().attach(Node {
                    name: model.name.clone(),
                    mesh: Some(invisible),
                    transform,
                    ..Node::default()
                });
            }
        }
    }

    /// Adds the collision volume of a mesh below a node, as settings want.
    fn collide(&mut self, from: Source<'s>, key: MeshKey, name: &str, above: NodeId) {
        if !self.layers.main.view().options.scenes.collision {
            return;
        }
        let Some(prepared) = self.geometries.get(&key) else {
            return;
        };
        let scene = &mut self.layers.main.scene;
        let volume = *self.volumes.entry(key).or_insert_with(|| {
            let volume = solids::volume(from.file.wld(), prepared.geometry.collision, name)?;
            Some(scene.add_mesh(volume))
        });
        if let Some(volume) = volume {
            let node = scene.add_node(Node {
                name: format!("{name}_collision"),
                mesh: Some(volume),
                ..Node::default()
            });
            scene.add_child(above, node);
        }
    }

    /// Adds a model with a skeleton in a pose. Its clips are in its own file.
    pub(super) fn show_jointed(
        &mut self,
        from: Source<'s>,
        name: &str,
        posed: Posed<'_>,
        node: NodeId,
        colors: Option<Baked<'s>>,
    ) {
        let Posed {
            rest_pose,
            stance,
            transform,
        } = posed;
        // Joints of creatures are nodes only if something is attached to them.
        let has_joints = stance.skin_and_face.is_none() || !rest_pose.model_parts.held.is_empty();
        let joints = if has_joints {
            rest_pose.add_below(&mut self.layers.main.scene, node)
        } else {
            Vec::new()
        };
        let held = rest_pose.model_parts.held.iter();
        let held = held.map(|&(joint, mesh)| (Some(joint), mesh));
        let skins = rest_pose.model_parts.skins.iter().map(|&mesh| (None, mesh));
        let meshes: Vec<(Option<usize>, usize)> = held.chain(skins).collect();
        let lit = self.shares(from, &meshes, colors);
        for ((joint, mesh), colors) in meshes.into_iter().zip(lit) {
            let poser = joint.is_none().then_some(rest_pose);
            let is_posed = poser.is_some() || stance.skin_and_face.is_some();
            let key = (
                from.opened,
                from.file.member,
                mesh,
                is_posed.then_some(stance),
            );
            let Some(shared) = self.mesh(from, key, poser, colors) else {
                continue;
            };
            let above = joint.and_then(|joint| joints.get(joint)).copied();
            if let Some(visible) = shared.visible {
                let scene = &mut self.layers.main.scene;
                let child = scene.add_node(Node {
                    name: name.to_owned(),
                    mesh: Some(visible),
                    ..Node::default()
                });
                scene.add_child(above.unwrap_or(node), child);
            }
            if let Some(invisible) = shared.invisible {
                let world = joint.map_or(DMat4::IDENTITY, |joint| rest_pose.world(joint));
                let there = PlacementTransform::from_matrix(&(transform.to_matrix() * world));
                self.layers.hidden().attach(Node {
                    name: name.to_owned(),
                    mesh: Some(invisible),
                    transform: there.map_or(transform, |there| there.outer()),
                    ..Node::default()
                });
            }
        }
    }

    /// The colors of a list of baked light for each mesh of a model with joints. The colors are assumed to
    /// be stored mesh by mesh; no known file has such a list.
    fn shares(
        &mut self,
        from: Source<'s>,
        meshes: &[(Option<usize>, usize)],
        colors: Option<Baked<'s>>,
    ) -> Vec<Option<Baked<'s>>> {
        let counts = meshes.iter().map(|&(_, mesh)| {
            let body = from
                .file
                .wld()
                .fragments
                .get(mesh)
                .map(|fragment| &fragment.body);
            match body {
                Some(Body::Mesh(mesh)) => mesh.positions.len(),
                Some(Body::LegacyMesh(mesh)) => mesh.positions.len(),
                _ => 0,
            }
        });
        let counts: Vec<usize> = counts.collect();
        let Some(Baked::List(BakedKey::List(opened, member, index, _), all)) = colors else {
            return vec![colors; meshes.len()];
        };
        if all.is_empty() {
            return vec![None; meshes.len()];
        }
        if counts.iter().sum::<usize>() != all.len() {
            self.layers.main.checks.odd_colors += 1;
            let even = Baked::Even(even(all, self.layers.ambient));
            return vec![Some(even); meshes.len()];
        }
        let shares = counts.iter().scan(0_usize, |start, count| {
            let from = *start;
            *start += count;
            let key = BakedKey::List(opened, member, index, from);
            Some(Some(Baked::List(key, all.get(from..*start)?)))
        });
        shares.collect()
    }

    /// The geometry of a key, with its faces by material, made once.
    fn prepared(
        &mut self,
        from: Source<'s>,
        key: MeshKey,
        poser: Option<&RestPoseModel>,
    ) -> Option<Rc<Prepared>> {
        if let Some(known) = self.geometries.get(&key) {
            return Some(Rc::clone(known));
        }
        let wld = from.file.wld();
        let checks = &mut self.layers.main.checks;
        let mut geometry = Geometry::new(wld, key.2, checks)?;
        let frames = match poser {
            Some(rest_pose) => {
                rest_pose.pose(&mut geometry);
                None
            }
            None => geometry.frames(wld, checks),
        };
        let mut groups = mesh::groups(&geometry);
        if let Some((skin, face)) = key.3.and_then(|stance| stance.skin_and_face) {
            assign_skins(from, geometry.palette, &mut groups, skin, face);
        }
        let prepared = Rc::new(Prepared {
            groups,
            geometry,
            frames,
            unlit: OnceCell::new(),
        });
        self.geometries.insert(key, Rc::clone(&prepared));
        Some(prepared)
    }

    /// The mesh of a key with some colors, made once; a skin has the pose of its skeleton.
    fn mesh(
        &mut self,
        from: Source<'s>,
        key: MeshKey,
        poser: Option<&RestPoseModel>,
        colors: Option<Baked<'s>>,
    ) -> Option<Shared> {
        let prepared = self.prepared(from, key, poser)?;
        let layers = &mut *self.layers;
        let Prepared {
            geometry,
            groups,
            frames,
            unlit,
        } = &*prepared;
        let vertices = geometry.positions.len();
        let mut evened = Vec::new();
        let (place, colors) = match colors {
            Some(Baked::List(place, list)) if list.len() == vertices => (Some(place), list),
            Some(Baked::List(_, [])) | None => (None, &*geometry.colors),
            Some(odd) => {
                let color = match odd {
                    Baked::Even(color) => color,
                    Baked::List(_, list) => {
                        layers.main.checks.odd_colors += 1;
                        even(list, layers.ambient)
                    }
                };
                if geometry.colors.is_empty() {
                    evened.resize(vertices, color);
                    let Bgra {
                        blue,
                        green,
                        red,
                        alpha,
                    } = color;
                    (Some(BakedKey::Even([blue, green, red, alpha])), &*evened)
                } else {
                    (None, &*geometry.colors)
                }
            }
        };
        let shared = self.shared.entry((key, place)).or_insert_with(|| {
            let unlit = unlit
                .get_or_init(|| UnlitMeshes::new(geometry, groups, frames.as_ref(), from, layers));
            let baking = layers.baking();
            let checks = &mut layers.main.checks;
            let meshes = unlit.clone().lit(groups, colors, baking, checks);
            Shared {
                visible: meshes.visible.map(|mesh| layers.main.scene.add_mesh(mesh)),
                invisible: meshes
                    .invisible
                    .map(|mesh| layers.hidden().scene.add_mesh(mesh)),
                weights: meshes.weights.map(Rc::new),
            }
        });
        Some(shared.clone())
    }
}
