//! The restored file: the original with the edits.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::instances::instances;
use super::lights::AddedLights;
use super::materials::{merged, merged_extras};
use super::mesh_pair::MeshPair;
use super::nodes::{NodePairs, is_instanced, pair_nodes};
use super::noise::{Change, Noise};
use super::pair::Pair;
use super::rest::MovedBones;
use super::skin::Skin;
use super::values::{new_mesh, restore_mesh};
use super::{clips, lights, materials};
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::matching::{index_of, placement_of, plain_name};
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::curve::{Moves, distance};
use crate::pack::scene::file::{Document, Local, SceneNode};

/// A file that is made from the original and the edited one.
pub(super) struct Restoration<'f> {
    pair: Pair<'f>,
    nodes: NodePairs,
    /// Original nodes that are joints of a skin.
    joints: HashSet<usize>,
    materials: Vec<Option<usize>>,
    builder: Builder,
    noise: Noise,
    /// Meshes of the restored file by original and edited mesh.
    meshes: BTreeMap<(usize, usize), usize>,
    new_meshes: HashMap<usize, usize>,
    /// For each original mesh the edited ones.
    shown_as: HashMap<usize, HashSet<usize>>,
    /// For each edited node the first values of its curves.
    starts: clips::Starts,
    /// Original bones that the edit moves at rest.
    moved_bones: MovedBones,
}

/// For each original mesh the edited meshes of its nodes.
fn shown_as(pair: Pair<'_>, nodes: &NodePairs) -> HashMap<usize, HashSet<usize>> {
    let mut all: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (old, new) in nodes.edited.iter().enumerate() {
        let mesh = pair.base_scene.nodes[old].mesh;
        let edited = new.and_then(|new| pair.edited_scene.nodes[new].mesh);
        if let (Some(from), Some(to)) = (mesh, edited) {
            all.entry(from).or_default().insert(to);
        }
    }
    for &(old, new) in &nodes.spread {
        let below = pair.edited_scene.nodes[new].children.iter();
        let meshes = below.filter_map(|&child| pair.edited_scene.nodes[child].mesh);
        if let Some(from) = pair.base_scene.nodes[old].mesh {
            all.entry(from).or_default().extend(meshes);
        }
    }
    all
}

/// The refusal of a mesh that no longer is that of all nodes that share it in the game.
pub(in crate::pack::scene) fn edited_alone(node: &str) -> Refusal {
    refusal!(
        "node {node}: it shares its mesh with other nodes in the game and was edited alone; edit the mesh of all of them (Blender: link the data of the objects again, Ctrl+L)"
    )
}

impl<'f> Restoration<'f> {
    pub(super) fn new(pair: Pair<'f>) -> Result<Self, Refusal> {
        let mut builder = Builder::new(pair.base);
        let mut noise = Noise::new(pair.exporter.name);
        let nodes = pair_nodes(pair);
        noise.add(Change::Node, nodes.dissolved.len());
        let materials = materials::restore(pair, &mut builder, &mut noise)?;
        let shown_as = shown_as(pair, &nodes);
        let skins = items(&pair.base.json, "skins").iter();
        let starts = clips::starts(pair, &nodes)?;
        let joints = skins
            .flat_map(|skin| items(skin, "joints"))
            .filter_map(index);
        Ok(Self {
            joints: joints.collect(),
            pair,
            nodes,
            materials,
            builder,
            noise,
            meshes: BTreeMap::new(),
            new_meshes: HashMap::new(),
            starts,
            shown_as,
            moved_bones: MovedBones::new(),
        })
    }

    /// Makes the file.
    ///
    /// # Errors
    /// An edit cannot be expressed in the structure of the original.
    pub(super) fn finish(mut self) -> Result<(Document, Noise), Refusal> {
        for base in 0..self.pair.base_scene.nodes.len() {
            match self.nodes.edited[base] {
                Some(edited) => self.restore_node(base, edited)?,
                None => self.remove_node(base),
            }
        }
        self.add_nodes()?;
        self.restore_scene();
        let bones = (&self.nodes, &self.moved_bones);
        clips::restore(self.pair, bones, &mut self.builder, &mut self.noise)?;
        lights::restore(self.pair, &self.nodes, &mut self.builder);
        Ok((self.builder.finish()?, self.noise))
    }

    /// Takes over edited facts of the scene that is shown.
    fn restore_scene(&mut self) {
        let scene = |document: &Document| {
            let shown = index(&document.json["scene"]).unwrap_or_default();
            document.json["scenes"][shown]["extras"].clone()
        };
        let (old, new) = (scene(self.pair.base), scene(self.pair.edited));
        let extras = merged_extras(self.pair, &old, &new, &mut self.noise, "the scene");
        let shown = index(&self.pair.base.json["scene"]).unwrap_or_default();
        if extras != old
            && let Some(scene) = self.builder.entry("scenes", shown)
        {
            scene.insert("extras".to_owned(), extras);
        }
    }

    fn restore_node(&mut self, base: usize, edited: usize) -> Result<(), Refusal> {
        let pair = self.pair;
        let (old, new) = (
            &pair.base_scene.nodes[base],
            &pair.edited_scene.nodes[edited],
        );
        let is_skinned = !pair.base.json["nodes"][base]["skin"].is_null();
        let wanted = self.nodes.local(pair.edited_scene, edited)?;
        // Joints have the poses of the skin, which are compared there; a skin ignores the transform of its mesh.
        let is_exact = pair.exporter.frames.is_none();
        if is_exact || (!is_skinned && !self.joints.contains(&base)) {
            let wanted = self.without_clips(old.local, wanted, edited);
            self.restore_transform(base, old.local, wanted);
        }
        if self.nodes.spread.contains(&(base, edited)) {
            self.restore_instances(base, edited)?;
        }
        if new.name != old.name {
            match pair.exporter.may_name(&new.name, &old.name) {
                true => self.noise.add(Change::Name, 1),
                false => self.set(base, "name", json!(new.name)),
            }
        }
        let extras = merged_extras(pair, &old.extras, &new.extras, &mut self.noise, &old.name);
        if extras != old.extras {
            self.set(base, "extras", extras);
        } else if new.extras.is_null() && !old.extras.is_null() {
            self.noise.add(Change::Extras, 1);
        }
        match (old.mesh, new.mesh) {
            (Some(from), Some(to)) => {
                let mesh = self.mesh(from, to, base, edited)?;
                if mesh != from {
                    self.set(base, "mesh", json!(mesh));
                }
            }
            (Some(from), None) if self.has_triangles(from) && !is_instanced(pair, base) => {
                self.set(base, "mesh", Value::Null);
            }
            (None, Some(to)) => {
                let mesh = self.new_mesh(to);
                self.set(base, "mesh", json!(mesh));
            }
            // Programs that write only triangles leave out points and lines.
            _ => {}
        }
        Ok(())
    }

    /// Compares the nodes that a program writes in place of instances. Without the extension, the node says that the
    /// instances were edited.
    fn restore_instances(&mut self, base: usize, edited: usize) -> Result<(), Refusal> {
        let pair = self.pair;
        let attributes =
            &pair.base.json["nodes"][base]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        let mut before = instances(pair.base, attributes)?;
        let nodes = &pair.edited_scene.nodes;
        let children = &nodes[edited].children;
        let mut after: Vec<Local> = children.iter().map(|&child| nodes[child].local).collect();
        for places in [&mut before, &mut after] {
            places.sort_by(|one, other| {
                let pairs = one.translation.iter().zip(other.translation);
                let mut orders = pairs.map(|(one, other)| one.total_cmp(&other));
                let differs = orders.find(|order| order.is_ne());
                differs.unwrap_or(std::cmp::Ordering::Equal)
            });
        }
        let tolerance = Tolerance {
            place: self.pair.exporter.translation,
            turn: 1e-3,
            ..Tolerance::EXACT
        };
        let pairs = before.iter().zip(&after);
        let is_same = before.len() == after.len()
            && pairs
                .clone()
                .all(|(one, other)| is_same_place(*one, *other, tolerance));
        for &child in children {
            let meshes = pair.base_scene.nodes[base].mesh.zip(nodes[child].mesh);
            if let Some((from, to)) = meshes {
                let mesh = self.mesh(from, to, base, child)?;
                if mesh != from {
                    self.set(base, "mesh", json!(mesh));
                }
            }
        }
        match is_same {
            true => self.noise.add(Change::Node, children.len()),
            false => self.set(base, "extensions", Value::Null),
        }
        Ok(())
    }

    /// The transform of a node without the parts that a clip has at its start: programs write the pose of the frame that
    /// they show.
    fn without_clips(&self, old: Local, new: Local, edited: usize) -> Local {
        let mut wanted = new;
        for channel in self.starts.get(&edited).into_iter().flatten() {
            let (moves, [x, y, z, _]) = *channel;
            let is_start =
                |value: &[f32; 3]| is_near(value, &[x, y, z], self.pair.exporter.translation);
            match moves {
                Moves::Translation if is_start(&new.translation) => {
                    wanted.translation = old.translation
                }
                Moves::Scale if is_start(&new.scale) => wanted.scale = old.scale,
                Moves::Rotation
                    if distance(moves, new.rotation, channel.1) <= self.pair.exporter.rotation =>
                {
                    wanted.rotation = old.rotation;
                }
                _ => {}
            }
        }
        wanted
    }

    fn has_triangles(&self, mesh: usize) -> bool {
        let mesh = &self.pair.base_scene.meshes[mesh];
        mesh.primitives.iter().any(|part| part.is_triangles)
    }

    fn set(&mut self, node: usize, key: &str, value: Value) {
        if let Some(map) = self.builder.entry("nodes", node) {
            match value {
                Value::Null => {
                    map.shift_remove(key);
                }
                value => {
                    map.insert(key.to_owned(), value);
                }
            }
        }
    }

    fn restore_transform(&mut self, base: usize, old: Local, new: Local) {
        if old == new {
            return;
        }
        let exporter = self.pair.exporter;
        let tolerance = Tolerance {
            place: exporter.translation,
            turn: exporter.rotation,
            ..Tolerance::EXACT
        };
        let as_matrix = |local: Local| Local {
            matrix: Some(local.to_matrix().to_cols_array().map(|it| it as f32)),
            ..local
        };
        // Scales below zero may be written as rotations.
        if is_same_place(old, new, tolerance)
            || (exporter.rotation > 0.0 && is_same_place(as_matrix(old), as_matrix(new), tolerance))
        {
            self.noise.add(Change::Transform, 1);
            return;
        }
        let only = |translation, rotation, scale| Local {
            translation,
            rotation,
            scale,
            matrix: None,
        };
        let new = match new.matrix {
            Some(_) => {
                let (scale, rotation, translation) =
                    new.to_matrix().to_scale_rotation_translation();
                only(
                    translation.as_vec3().to_array(),
                    rotation.as_quat().to_array(),
                    scale.as_vec3().to_array(),
                )
            }
            None => new,
        };
        let unmoved = Local {
            translation: old.translation,
            ..new
        };
        let is_only_moved = exporter.rotation > 0.0
            && old.matrix.is_none()
            && is_same_place(as_matrix(old), as_matrix(unmoved), tolerance);
        if is_only_moved {
            self.set(base, "translation", json!(new.translation));
            return;
        }
        let parts = [
            (
                "translation",
                only(new.translation, old.rotation, old.scale),
                json!(new.translation),
            ),
            (
                "rotation",
                only(old.translation, new.rotation, old.scale),
                json!(new.rotation),
            ),
            (
                "scale",
                only(old.translation, old.rotation, new.scale),
                json!(new.scale),
            ),
        ];
        for (key, with_part, value) in parts {
            if old.matrix.is_some() || !is_same_place(old, with_part, tolerance) {
                self.set(base, key, value);
            }
        }
        self.set(base, "matrix", Value::Null);
    }

    /// The mesh of the restored file for a pair of meshes.
    fn mesh(
        &mut self,
        from: usize,
        to: usize,
        base: usize,
        edited: usize,
    ) -> Result<usize, Refusal> {
        if let Some(&known) = self.meshes.get(&(from, to)) {
            return Ok(known);
        }
        let skin = Skin::new(self.pair, &self.nodes, base, edited, &mut self.noise)?;
        let rest = skin.as_ref().and_then(|skin| skin.rest.as_ref());
        if let Some(rest) = rest {
            rest.restore(&mut self.builder);
            self.moved_bones.extend(&rest.bones);
        }
        let meshes = MeshPair {
            pair: self.pair,
            base: from,
            edited: to,
            skin: skin.as_ref(),
            materials: &self.materials,
        };
        let restored = restore_mesh(meshes, &mut self.builder, &mut self.noise)?;
        let mesh = match restored {
            None => from,
            // The original keeps its place, unless nodes that shared it have different meshes now.
            Some(mesh)
                if self
                    .shown_as
                    .get(&from)
                    .is_some_and(|meshes| meshes.len() == 1) =>
            {
                if let Some(place) = self.builder.json["meshes"].get_mut(from) {
                    *place = mesh;
                }
                from
            }
            // In Zipper's games, one of them can get a model of its own; a placement of EverQuest can be moved instead.
            Some(mesh) if self.may_have_own_mesh(base) => self.builder.push("meshes", mesh),
            Some(_) => return Err(edited_alone(&self.pair.base_scene.nodes[base].name)),
        };
        self.meshes.insert((from, to), mesh);
        Ok(mesh)
    }

    fn may_have_own_mesh(&self, base: usize) -> bool {
        let node = &self.pair.base_scene.nodes[base];
        index_of(node).is_some() || placement_of(node).is_some()
    }

    fn new_mesh(&mut self, to: usize) -> usize {
        if let Some(&known) = self.new_meshes.get(&to) {
            return known;
        }
        let mesh = new_mesh(self.pair, to, &self.materials, &mut self.builder);
        let mesh = self.builder.push("meshes", mesh);
        self.new_meshes.insert(to, mesh);
        mesh
    }

    /// Takes an original node out of the tree that the edit does not have, unless the program left it out.
    fn remove_node(&mut self, base: usize) {
        let node = &self.pair.base.json["nodes"][base];
        let has = |node: &Value, what: &str| !node[what].is_null();
        let is_light = |node: &Value| !node["extensions"]["KHR_lights_punctual"].is_null();
        let others = items(&self.pair.edited.json, "nodes");
        let is_left_out = (has(node, "camera") && !others.iter().any(|it| has(it, "camera")))
            || (is_light(node) && !others.iter().any(is_light));
        if is_left_out {
            self.noise.add(Change::CameraOrLight, 1);
            return;
        }
        let parent = self.pair.base_scene.nodes[base].parent;
        let is_above_gone = parent.is_some_and(|parent| self.nodes.edited[parent].is_none());
        if is_above_gone {
            return;
        }
        let remove = |list: Option<&mut Value>| {
            if let Some(list) = list.and_then(Value::as_array_mut) {
                list.retain(|it| index(it) != Some(base));
            }
        };
        match parent {
            Some(parent) => {
                let map = self.builder.entry("nodes", parent);
                remove(map.and_then(|map| map.get_mut("children")));
            }
            None => {
                let scenes = self
                    .builder
                    .json
                    .get_mut("scenes")
                    .and_then(Value::as_array_mut);
                for scene in scenes.into_iter().flatten() {
                    remove(scene.get_mut("nodes"));
                }
            }
        }
    }

    /// Adds the nodes that the original does not have.
    ///
    /// # Errors
    /// One is a camera, or a mesh with bones.
    fn add_nodes(&mut self) -> Result<(), Refusal> {
        let pair = self.pair;
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut lights = AddedLights::default();
        for (edited, parent) in std::mem::take(&mut self.nodes.added) {
            let node = &pair.edited_scene.nodes[edited];
            let json = &pair.edited.json["nodes"][edited];
            if [&json["skin"], &json["camera"]]
                .iter()
                .any(|it| !it.is_null())
            {
                refuse!(
                    "node {}: cameras and meshes with bones cannot be added; delete it, or join a mesh to the one that has the bones (Blender: Ctrl+J)",
                    node.name
                );
            }
            let light = index(&json["extensions"]["KHR_lights_punctual"]["light"]);
            let light = light.and_then(|number| {
                let (nodes, builder) = (&self.nodes, &mut self.builder);
                lights.restore(pair, nodes, (edited, number), builder, &mut self.noise)
            });
            let local = self.nodes.local(pair.edited_scene, edited)?;
            let mut json = Map::new();
            json.insert("name".to_owned(), json!(node.name));
            match local.matrix {
                Some(matrix) => {
                    json.insert("matrix".to_owned(), json!(matrix));
                }
                None => {
                    json.insert("translation".to_owned(), json!(local.translation));
                    json.insert("rotation".to_owned(), json!(local.rotation));
                    json.insert("scale".to_owned(), json!(local.scale));
                }
            }
            if let Some(mesh) = node.mesh {
                let mesh = self.mesh_of_added(edited, mesh)?;
                json.insert("mesh".to_owned(), json!(mesh));
            }
            let extras = merged_extras(
                pair,
                &Value::Null,
                &node.extras,
                &mut self.noise,
                &node.name,
            );
            if !extras.is_null() {
                json.insert("extras".to_owned(), extras);
            }
            if let Some(light) = light {
                let light = json!({"KHR_lights_punctual": {"light": light}});
                json.insert("extensions".to_owned(), light);
            }
            let place = self.builder.push("nodes", json.into());
            places.insert(edited, place);
            let above = parent.and_then(|parent| {
                let own = places.get(&parent).copied();
                own.or_else(|| self.nodes.base[parent])
            });
            let list = match above {
                Some(above) => self
                    .builder
                    .entry("nodes", above)
                    .map(|map| map.entry("children").or_insert_with(|| json!([]))),
                None => {
                    let scene = index(&pair.base.json["scene"]).unwrap_or_default();
                    let map = self.builder.entry("scenes", scene);
                    map.map(|map| map.entry("nodes").or_insert_with(|| json!([])))
                }
            };
            if let Some(list) = list.and_then(Value::as_array_mut) {
                list.push(json!(place));
            }
        }
        Ok(())
    }

    /// The mesh of an added node: that of the node it copies, if it has the same triangles, or that of the node it is,
    /// which the edit has below another one.
    ///
    /// # Errors
    /// An edit cannot be expressed in the structure of the original.
    fn mesh_of_added(&mut self, edited: usize, mesh: usize) -> Result<usize, Refusal> {
        if let Some((_, &known)) = self.meshes.iter().find(|((_, to), _)| *to == mesh) {
            return Ok(known);
        }
        if let Some(&known) = self.new_meshes.get(&mesh) {
            return Ok(known);
        }
        let pair = self.pair;
        let node = &pair.edited_scene.nodes[edited];
        let is_of = |old: &&SceneNode| {
            old.mesh.is_some()
                && match node.extras.is_null() {
                    true => {
                        plain_name(&old.name) == plain_name(&node.name)
                            || pair.exporter.may_name(&node.name, &old.name)
                    }
                    false => merged(&old.extras, &node.extras) == old.extras,
                }
        };
        let mut nodes = pair.base_scene.nodes.iter();
        let copied = nodes.position(|old| is_of(&old));
        let from = copied.and_then(|copied| Some((copied, pair.base_scene.nodes[copied].mesh?)));
        if let Some((copied, from)) = from {
            let is_gone = self.nodes.edited[copied].is_none();
            if is_gone && index_of(&pair.base_scene.nodes[copied]).is_some() {
                self.shown_as.entry(from).or_default().insert(mesh);
                return self.mesh(from, mesh, copied, edited);
            }
            let meshes = MeshPair {
                pair,
                base: from,
                edited: mesh,
                skin: None,
                materials: &self.materials,
            };
            let mark = self.builder.mark();
            if let Ok(None) = restore_mesh(meshes, &mut self.builder, &mut Noise::default()) {
                self.meshes.insert((from, mesh), from);
                return Ok(from);
            }
            self.builder.undo(mark);
        }
        Ok(self.new_mesh(mesh))
    }
}
