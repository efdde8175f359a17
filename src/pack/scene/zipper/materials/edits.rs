//! Edited surfaces, packed into the tables of materials and textures, and into the polygons and models that use them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::difference::{AssignmentChange, SurfaceChange};
use super::material_usage::{MaterialUsage, MaterialUsers};
use super::table::{CycleEdit, MaterialEdits, set};
use super::tinted::Tinted;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::surface::Surface;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_codec::Vec3;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Model, ModelFlags, NodeData, Polygon, PolygonFlags, Soil};
use relicast_scene::space::srgb_from_linear;

/// The edits of polygons and models, from all scenes that show a tree.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct SurfaceEdits {
    /// By model and polygon: true if it is visible from both sides.
    sides: BTreeMap<(usize, usize), bool>,
    /// By model, polygon and layer: the material.
    assignments: BTreeMap<(usize, usize, usize), usize>,
    /// By model: true if lights do not affect it.
    unlit: BTreeMap<usize, bool>,
    /// By model: the movement of its textures, if any.
    scroll: BTreeMap<usize, Option<[f32; 2]>>,
    /// By model: sides of materials, for polygons that are made anew.
    sides_of_materials: BTreeMap<usize, Vec<MaterialSides>>,
    /// By node: the color of its tint, sRGB from 0 to 1.
    tints: BTreeMap<usize, [f32; 3]>,
}

/// New sides of the polygons that have a material of a scene.
#[derive(Debug, Clone)]
struct MaterialSides {
    /// The materials of the game file.
    materials: BTreeSet<usize>,
    /// True if it is laid over others.
    is_layer: bool,
    /// True if they were visible from both sides.
    had_both: bool,
    has_both: bool,
}

impl MaterialSides {
    fn is_of(&self, polygon: &Polygon) -> bool {
        let mut materials = polygon.materials.iter().skip(usize::from(self.is_layer));
        let has_it = |stored: &i32| {
            usize::try_from(*stored).is_ok_and(|stored| self.materials.contains(&stored))
        };
        match self.is_layer {
            true => materials.any(has_it),
            false => materials.next().is_some_and(has_it),
        }
    }
}

/// Collects the edits of the tables, and of polygons and models.
///
/// # Errors
/// The game has no place for an edit, or two edits disagree.
pub(in crate::pack::scene) fn collect(
    before: &GameTree,
    scene: &EditedScene<'_>,
    config: &Config,
    tables: &mut MaterialEdits,
    edits: &mut SurfaceEdits,
) -> Result<(), Refusal> {
    if scene.surfaces.is_empty() {
        return Ok(());
    }
    let usage = MaterialUsage::new(before, &scene.base, config);
    for (number, change) in scene.surfaces.surfaces.iter().enumerate() {
        let surface = scene.base.surfaces.get(change.base);
        let name = surface.map_or("", |surface| &*surface.name);
        let inside =
            |refusal: Refusal| refusal!("materials[{}] ({name}): {refusal}", change.edited);
        let users = usage.users(change.base).ok_or_else(|| {
            inside(refusal!(
                "no polygon has it directly: it belongs to a variant, or the game generates it; edit the material that the polygons have"
            ))
        })?;
        let picture = scene.pictures.get(&number).map(String::as_str);
        let change = &*untinted(before, change, surface, (&usage, users), edits);
        collect_table(before, change, picture, users, scene.path(), tables).map_err(inside)?;
        collect_polygons_and_models(change, users, edits).map_err(inside)?;
        collect_sides(before, scene, change, users, edits);
    }
    for change in &scene.surfaces.assignments {
        collect_assignment(before, &scene.base, change, &usage, edits).map_err(|refusal| {
            refusal!("materials of node {}: {refusal}", scene.name(change.node))
        })?;
    }
    Ok(())
}

/// A change with the color of the material for one that is shown tinted. Where nodes tint nothing else, their tint gives
/// the color, and the material stays.
fn untinted<'c>(
    before: &GameTree,
    change: &'c SurfaceChange,
    old: Option<&Surface>,
    (usage, users): (&MaterialUsage, &MaterialUsers),
    edits: &mut SurfaceEdits,
) -> Cow<'c, SurfaceChange> {
    let mut change = Cow::Borrowed(change);
    let places = users.tinted_by.first().zip(users.materials.first());
    let (Some((&node, &material)), Some(old), Some(wanted)) = (places, old, change.color) else {
        return change;
    };
    let Some(tinted) = Tinted::of(before, node, material, old.color) else {
        return change;
    };
    let is_own = usage.tint_only(change.base, &users.tinted_by);
    let (tint, own) = match (tinted.tint(wanted).filter(|_| is_own), tinted.own(wanted)) {
        (Some(tint), _) => (Some(tint), None),
        (None, Some(own)) => (None, Some(own)),
        // Neither alone can give it.
        (None, None) => (is_own.then(|| wanted.map(srgb_from_linear)), Some(wanted)),
    };
    let nodes = users.tinted_by.iter();
    let tints = tint.into_iter();
    let tints = tints.flat_map(|tint| nodes.clone().map(move |&node| (node, tint)));
    edits.tints.extend(tints);
    change.to_mut().color = own;
    change
}

/// Collects the edits of the tables.
fn collect_table(
    before: &GameTree,
    change: &SurfaceChange,
    picture: Option<&str>,
    users: &MaterialUsers,
    path: &str,
    tables: &mut MaterialEdits,
) -> Result<(), Refusal> {
    for &number in &users.materials {
        let Some(record) = before.material(number) else {
            continue;
        };
        let edit = tables.edit(number);
        let is_painted = change.color.is_some() || change.opacity.is_some();
        if is_painted && record.is_textured() && !change.is_plain {
            refuse!(
                "it has a picture, which the game draws without color and opacity of the material; paint the picture instead, and set the color back to white and the opacity to 1"
            );
        }
        if change.is_plain {
            // Worlds get a copy of the material for the layers.
            let is_world = matches!(before, GameTree::World(_));
            if users.is_layer || (!is_world && is_laid_over(before, number)) {
                refuse!(
                    "its picture was removed, and the game lays it over others; give the faces a new material of a color instead"
                );
            }
            set(&mut edit.plain, (), path)?;
        }
        if let Some(color) = change.color {
            set(&mut edit.color, color, path)?;
        }
        if let Some((old, new)) = change.opacity {
            // Nodes contribute the rest of the opacity.
            let own = f32::from(record.alpha) / 255.0;
            let of_nodes = if own > 0.0 { old / own } else { 1.0 };
            let wanted = (new / of_nodes * 255.0).round();
            if !(0.0..=255.0).contains(&wanted) {
                refuse!("it cannot be more opaque than its nodes");
            }
            set(&mut edit.alpha, wanted as u8, path)?;
        }
        if let Some(name) = picture {
            set(&mut edit.picture, name.to_owned(), path)?;
        }
        if let Some(soil) = change.facts.get("soil") {
            let stored = soil_of(soil, record.soil, before.version())?;
            set(&mut edit.soil, stored, path)?;
        }
        if let Some(cycle) = change.facts.get("cycle") {
            set(&mut edit.cycle, cycle_of(cycle)?, path)?;
        }
    }
    Ok(())
}

/// True if polygons have a material as a further layer.
fn is_laid_over(tree: &GameTree, material: usize) -> bool {
    let polygons = (0..tree.model_count()).filter_map(|number| tree.model(number));
    let mut polygons = polygons.flat_map(|model| &model.polygons);
    let is_it = |stored: &i32| usize::try_from(*stored) == Ok(material);
    polygons.any(|polygon| polygon.materials.iter().skip(1).any(is_it))
}

/// The kind of ground that the facts name, by number or, if the number is unchanged, by name.
fn soil_of(facts: &Value, stored: Soil, version: ZipperGame) -> Result<Soil, Refusal> {
    if facts.is_null() {
        return Ok(Soil::Default);
    }
    let fault = || {
        refusal!(
            "extras.zipper.soil: expected an object with an id from 0 to {} or the name of a soil of the game",
            Soil::LAST
        )
    };
    let code = |value: &Value| {
        let code = value.as_u64().or_else(|| {
            value
                .as_f64()
                .filter(|it| it.fract() == 0.0)
                .map(|it| it as u64)
        });
        code.and_then(|code| u32::try_from(code).ok())
            .filter(|&code| code <= Soil::LAST)
    };
    let id = facts.get("id").and_then(code);
    let name = facts.get("name").and_then(Value::as_str);
    let by_name = name.and_then(|name| {
        let all = (0..=Soil::LAST).map(Soil::from_code);
        let mut named = all.filter(|soil| soil.label(version) == Some(name));
        named.next()
    });
    let is_renamed = name.is_some() && name != stored.label(version);
    match (id, by_name) {
        (Some(id), _) if id != stored.code() => Ok(Soil::from_code(id)),
        (_, Some(soil)) if is_renamed => Ok(soil),
        (Some(id), _) if !is_renamed => Ok(Soil::from_code(id)),
        _ => Err(fault()),
    }
}

fn cycle_of(facts: &Value) -> Result<CycleEdit, Refusal> {
    let fault = |what: &str| refusal!("extras.zipper.cycle{what}");
    if facts.is_null() {
        return Err(fault(" was removed; a cycle cannot be added or removed"));
    }
    let speed = facts.get("fps").and_then(Value::as_f64);
    let speed = speed
        .map(|speed| speed as f32)
        .filter(|speed| speed.is_finite() && *speed >= 0.0)
        .ok_or_else(|| fault(".fps: expected a number from 0"))?;
    let looping = match facts.get("loop") {
        Some(Value::Bool(looping)) => *looping,
        Some(Value::Number(number)) if number.as_f64() == Some(0.0) => false,
        Some(Value::Number(number)) if number.as_f64() == Some(1.0) => true,
        _ => return Err(fault(".loop: expected true or false")),
    };
    let frames = facts.get("frames").and_then(Value::as_array);
    let frames: Option<Vec<String>> = frames
        .into_iter()
        .flatten()
        .map(|frame| frame.as_str().map(str::to_owned))
        .collect();
    let frames = frames
        .filter(|frames| !frames.is_empty())
        .ok_or_else(|| fault(".frames: expected a list of at least one texture name"))?;
    let start = facts.get("start").and_then(Value::as_f64);
    let start = start
        .filter(|start| start.fract() == 0.0 && (0.0..frames.len() as f64).contains(start))
        .ok_or_else(|| fault(".start: expected the index of a frame, from 0"))?;
    Ok(CycleEdit {
        speed,
        looping,
        start: start as u32,
        frames,
    })
}

/// Collects the edits of polygons and models.
fn collect_polygons_and_models(
    change: &SurfaceChange,
    users: &MaterialUsers,
    edits: &mut SurfaceEdits,
) -> Result<(), Refusal> {
    fn put<K: Ord, T: PartialEq>(
        map: &mut BTreeMap<K, T>,
        key: K,
        value: T,
        what: &str,
    ) -> Result<(), Refusal> {
        match map.get(&key) {
            Some(known) if *known != value => Err(refusal!(
                "two materials that share polygons set different values for {what}"
            )),
            _ => {
                map.insert(key, value);
                Ok(())
            }
        }
    }
    if let Some(both) = change.double_sided {
        for &place in &users.polygons {
            put(&mut edits.sides, place, both, "the sides")?;
        }
    }
    if let Some(unlit) = change.unlit {
        for model in users.models() {
            put(&mut edits.unlit, model, unlit, "the light")?;
        }
    }
    if let Some(facts) = change.facts.get("scroll") {
        let speed = |key: &str| {
            let speed = facts.get(key).and_then(Value::as_f64);
            speed
                .map(|speed| speed as f32)
                .filter(|speed| speed.is_finite())
        };
        let scroll = match (facts, speed("u"), speed("v")) {
            (Value::Null, _, _) => None,
            (_, Some(u), Some(v)) => Some([u, v]).filter(|speeds| *speeds != [0.0; 2]),
            _ => {
                refuse!("extras.zipper.scroll: expected numbers u and v");
            }
        };
        for model in users.models() {
            put(&mut edits.scroll, model, scroll, "the movement")?;
        }
    }
    Ok(())
}

/// Collects the new sides of a material for the models that have it in the edit.
fn collect_sides(
    before: &GameTree,
    scene: &EditedScene<'_>,
    change: &SurfaceChange,
    users: &MaterialUsers,
    edits: &mut SurfaceEdits,
) {
    let Some(has_both) = change.double_sided else {
        return;
    };
    let sides = MaterialSides {
        materials: users.materials.clone(),
        is_layer: users.is_layer,
        had_both: !has_both,
        has_both,
    };
    let has_it = |mesh: usize| {
        let parts = scene.edited.meshes.get(mesh).map(|mesh| &mesh.primitives);
        let mut materials = parts.into_iter().flatten().filter_map(|part| part.material);
        materials.any(|it| it == change.edited)
    };
    let nodes = scene.edited.nodes.iter().enumerate();
    let nodes = nodes.filter(|(_, node)| node.mesh.is_some_and(has_it));
    let models = nodes.filter_map(|(node, _)| {
        let (index, _) = game_node(&scene.edited, node)?;
        before.model_of(index)
    });
    for model in models.collect::<BTreeSet<usize>>() {
        let known = edits.sides_of_materials.entry(model).or_default();
        known.push(sides.clone());
    }
}

/// Nodes whose meshes have polygons of which only some triangles have another material.
pub(in crate::pack::scene) fn torn(
    before: &GameTree,
    base: &SceneFile,
    assignments: &[AssignmentChange],
    config: &Config,
) -> BTreeSet<usize> {
    let usage = MaterialUsage::new(before, base, config);
    let torn = assignments.iter().filter(|change| {
        Reassigned::of(base, change, &usage).is_ok_and(|reassigned| reassigned.is_torn)
    });
    torn.map(|change| change.node).collect()
}

/// Polygons that get another material.
struct Reassigned {
    model: usize,
    /// Each with its layer.
    polygons: BTreeSet<(usize, usize)>,
    /// True if some of their triangles keep their material.
    is_torn: bool,
}

impl Reassigned {
    fn of(
        base: &SceneFile,
        change: &AssignmentChange,
        usage: &MaterialUsage,
    ) -> Result<Self, Refusal> {
        let mesh = base.nodes.get(change.node).and_then(|node| node.mesh);
        let found = mesh.and_then(|mesh| usage.sources(mesh, change.primitive));
        let (model, sources) = found
            .ok_or_else(|| refusal!("its triangles cannot be traced to polygons of a model"))?;
        let changed: BTreeSet<usize> = change.corners.iter().copied().collect();
        let polygon_of = |corner: usize| sources.get(corner).map(|it| (it.polygon, it.layer));
        let polygons: BTreeSet<_> = change
            .corners
            .iter()
            .filter_map(|&at| polygon_of(at))
            .collect();
        let is_torn = (0..sources.len()).any(|corner| {
            !changed.contains(&corner)
                && polygon_of(corner).is_some_and(|it| polygons.contains(&it))
        });
        Ok(Self {
            model,
            polygons,
            is_torn,
        })
    }
}

/// Triangles that have another material of the scene: their polygons get its material and its sides.
fn collect_assignment(
    before: &GameTree,
    base: &SceneFile,
    change: &AssignmentChange,
    usage: &MaterialUsage,
    edits: &mut SurfaceEdits,
) -> Result<(), Refusal> {
    let Reassigned {
        model,
        polygons,
        is_torn,
    } = Reassigned::of(base, change, usage)?;
    let surface = base.surfaces.get(change.to);
    let material = usage
        .users(change.to)
        .and_then(|users| users.materials.first());
    let (Some(surface), Some(&material)) = (surface, material) else {
        refuse!("its new material is not a material of the game file");
    };
    if is_torn {
        refuse!("triangles of one polygon have different materials; a polygon has only one");
    }
    let Some(stored) = before.model(model) else {
        return Ok(());
    };
    let polygons = with_repeats(before, stored, polygons);
    for (polygon, layer) in polygons {
        let key = (model, polygon, layer);
        if edits
            .assignments
            .insert(key, material)
            .is_some_and(|it| it != material)
        {
            refuse!("its model is shown several times, now with different materials");
        }
        let is_both = stored
            .polygons
            .get(polygon)
            .is_some_and(|it| stored.shows_both_sides(it, before.version()));
        if is_both != surface.is_double_sided && layer == 0 {
            edits
                .sides
                .entry((model, polygon))
                .or_insert(surface.is_double_sided);
        }
    }
    Ok(())
}

/// Polygons with their repetitions, which model libraries have and scenes omit.
fn with_repeats(
    before: &GameTree,
    model: &Model,
    mut polygons: BTreeSet<(usize, usize)>,
) -> BTreeSet<(usize, usize)> {
    if matches!(before, GameTree::World(_)) {
        return polygons;
    }
    let cycle = |polygon: &Polygon| {
        let mut corners = polygon.vertex_indices.clone();
        let lowest = corners.iter().enumerate().min_by_key(|(_, index)| **index);
        let lowest = lowest.map_or(0, |(place, _)| place);
        if !polygon.flags().contains(PolygonFlags::TRI_STRIP) {
            corners.rotate_left(lowest);
        }
        (corners, polygon.materials.clone())
    };
    let edited: BTreeMap<_, usize> = polygons
        .iter()
        .filter_map(|&(polygon, layer)| Some((cycle(model.polygons.get(polygon)?), layer)))
        .collect();
    for (number, polygon) in model.polygons.iter().enumerate() {
        if let Some(&layer) = edited.get(&cycle(polygon)) {
            polygons.insert((number, layer));
        }
    }
    polygons
}

impl SurfaceEdits {
    /// True if polygons of a model get other materials.
    pub(in crate::pack::scene) fn assigns(&self, model: usize) -> bool {
        self.assignments.keys().any(|&(own, ..)| own == model)
    }

    /// Applies the edits to the models of a tree that are made anew.
    pub(in crate::pack::scene) fn apply_to_remade(
        &self,
        tree: &mut GameTree,
        models: &BTreeSet<usize>,
    ) {
        let version = tree.version();
        for &number in models {
            let Some(model) = tree.model_mut(number) else {
                continue;
            };
            let shows_both: Vec<bool> = model
                .polygons
                .iter()
                .map(|polygon| model.shows_both_sides(polygon, version))
                .collect();
            let sides = self.sides_of_materials.get(&number);
            for (polygon, had_both) in model.polygons.iter_mut().zip(shows_both) {
                let mut sides = sides.into_iter().flatten();
                let found = sides.find(|it| it.had_both == had_both && it.is_of(polygon));
                if let Some(found) = found {
                    let flags = &mut polygon.record.corners.flags.known;
                    flags.set(PolygonFlags::SHOW_BACKFACE, found.has_both);
                }
            }
            self.apply_to_record(number, model);
        }
    }

    /// Sets the light and the movement of a model.
    fn apply_to_record(&self, number: usize, model: &mut Model) {
        let record = &mut model.record;
        if let Some(unlit) = self.unlit.get(&number) {
            record.flags.known.set(ModelFlags::LIGHTING, !unlit);
        }
        if let Some(scroll) = self.scroll.get(&number) {
            let moves = scroll.is_some();
            record.flags.known.set(ModelFlags::TEXTURE_SCROLL, moves);
            [record.tex_scroll_u.0, record.tex_scroll_v.0] = scroll.unwrap_or_default();
        }
    }

    /// Applies the edits to the models of a tree.
    pub(in crate::pack::scene) fn apply(&self, tree: &mut GameTree) {
        let listed: BTreeSet<usize> = self.assignments.keys().map(|&(model, ..)| model).collect();
        // References are computed anew only where they matched the rule.
        let listed: Vec<usize> = listed
            .into_iter()
            .filter(|&model| {
                let expected = tree.expected_references(model);
                tree.model(model)
                    .is_some_and(|stored| Some(&stored.material_references) == expected.as_ref())
            })
            .collect();
        for (&node, &color) in &self.tints {
            if let Some(NodeData::Object3d(object)) = tree.node_mut(node).map(|it| &mut it.data) {
                object.color = Vec3::from(color);
            }
        }
        for (&(model, polygon), &both) in &self.sides {
            let polygon = tree
                .model_mut(model)
                .and_then(|model| model.polygons.get_mut(polygon));
            if let Some(polygon) = polygon {
                let flags = &mut polygon.record.corners.flags.known;
                flags.set(PolygonFlags::SHOW_BACKFACE, both);
            }
        }
        for (&(model, polygon, layer), &material) in &self.assignments {
            let place = tree
                .model_mut(model)
                .and_then(|model| model.polygons.get_mut(polygon)?.materials.get_mut(layer));
            if let (Some(place), Ok(material)) = (place, i32::try_from(material)) {
                *place = material;
            }
        }
        let of_models = self.unlit.keys().chain(self.scroll.keys());
        for &number in of_models {
            if let Some(model) = tree.model_mut(number) {
                self.apply_to_record(number, model);
            }
        }
        for model in listed {
            let references = tree.expected_references(model);
            if let (Some(model), Some(references)) = (tree.model_mut(model), references) {
                model.material_references = references;
            }
        }
    }
}
