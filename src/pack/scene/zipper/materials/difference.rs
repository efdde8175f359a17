//! Differences between the surfaces of an edited scene and the original ones.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::unstored::{LEFT_OUT, flat, is_nothing};
use crate::pack::edited::Refusal;
use crate::pack::rounding::RoundingReport;
use crate::pack::scene::compare::difference::MeshRemake;
use crate::pack::scene::compare::matching::{match_nodes, plain_name};
use crate::pack::scene::compare::triangles::aligned;
use crate::pack::scene::file::surface::{Alpha, Picture, Surface};
use crate::pack::scene::file::{SceneFile, SceneMesh};
use crate::pack::scene::zipper::facts::is_same;
use relicast_codec::quantity::counted;

/// Facts of materials that can be packed.
const EDITABLE: [&str; 3] = ["soil", "cycle", "scroll"];

/// A changed material; `None`: unchanged.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct SurfaceChange {
    /// The original material.
    pub base: usize,
    /// The edited material.
    pub edited: usize,
    /// Linear.
    pub color: Option<[f32; 3]>,
    /// Old and new opacity.
    pub opacity: Option<(f32, f32)>,
    pub picture: Option<Picture>,
    /// True if its picture was removed, so that it has its color alone.
    pub is_plain: bool,
    pub double_sided: Option<bool>,
    pub unlit: Option<bool>,
    pub alpha: Option<Alpha>,
    /// True if its color, opacity or use of alpha is in the texels of its new picture.
    pub is_painted: bool,
    /// Changed facts; null where they were removed.
    pub facts: BTreeMap<String, Value>,
}

impl SurfaceChange {
    fn is_any(&self) -> bool {
        self.color.is_some()
            || self.opacity.is_some()
            || self.picture.is_some()
            || self.is_plain
            || self.double_sided.is_some()
            || self.unlit.is_some()
            || self.alpha.is_some()
            || !self.facts.is_empty()
    }
}

/// Triangles of a primitive that have another material of the scene.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct AssignmentChange {
    /// An original node that shows the mesh.
    pub node: usize,
    pub primitive: usize,
    /// Indices of corners of the triangles in the primitive.
    pub corners: Vec<usize>,
    /// The original material that they have now.
    pub to: usize,
}

/// All changes of surfaces.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct SurfaceDifference {
    pub surfaces: Vec<SurfaceChange>,
    pub assignments: Vec<AssignmentChange>,
    /// Values that the game does not store, in words.
    pub unstored: Vec<String>,
    /// For each edited material the original one.
    pub pairs: Vec<Option<usize>>,
}

impl SurfaceDifference {
    pub(in crate::pack::scene) fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.assignments.is_empty()
    }
}

/// Counts the changes of surfaces, for people.
pub(in crate::pack::scene) fn describe(
    difference: &SurfaceDifference,
    report: &mut RoundingReport,
) {
    let mut count = |what: &str, is_changed: fn(&SurfaceChange) -> bool| {
        let changed = difference.surfaces.iter();
        let changed = changed.filter(|change| is_changed(change)).count();
        if changed > 0 {
            let materials = counted(changed, "material", "materials");
            report.say(format!("{what} of {materials}"));
        }
    };
    count("color", |change| change.color.is_some());
    count("opacity", |change| change.opacity.is_some());
    count("texture", |change| {
        change.picture.is_some() || change.is_plain
    });
    count("sides", |change| change.double_sided.is_some());
    count("light", |change| change.unlit.is_some());
    count("alpha", |change| change.alpha.is_some());
    count("properties", |change| !change.facts.is_empty());
    let triangles = difference.assignments.iter();
    let triangles = triangles.map(|change| change.corners.len()).sum::<usize>() / 3;
    if triangles > 0 {
        let triangles = counted(triangles, "triangle", "triangles");
        report.say(format!("material of {triangles}"));
    }
}

/// Compares the surfaces of an edited scene with the original ones.
///
/// # Errors
/// A change cannot be stored in game files, or a material was added or removed. Meshes that are `remade` or `added` are
/// compared when they are rebuilt.
pub(in crate::pack::scene) fn compare(
    base: &SceneFile,
    edited: &SceneFile,
    remade: &[MeshRemake],
    added: &[usize],
) -> Result<SurfaceDifference, Refusal> {
    let remade_or_added = remade.iter().map(|remade| remade.new);
    let remade_or_added = remade_or_added.chain(added.iter().copied());
    let pairs = pairs(base, edited, remade_or_added)?;
    let (mut surfaces, mut unstored) = (Vec::new(), Vec::new());
    for (to, from) in pairs.iter().enumerate() {
        let Some(from) = *from else { continue };
        let (Some(old), Some(new)) = (base.surfaces.get(from), edited.surfaces.get(to)) else {
            continue;
        };
        let change = compare_surface(old, new)
            .and_then(|change| Ok((change, left_out(&old.others, &new.others)?)));
        let (change, mut left_out) =
            change.map_err(|refusal| refusal!("materials[{to}] ({}): {refusal}", old.name))?;
        if change.is_plain && new.alpha.mode != "OPAQUE" && new.opacity >= 1.0 {
            left_out.push("alpha mode");
        }
        if !left_out.is_empty() {
            let name = &old.name;
            let all = left_out.join(", its ");
            unstored.push(format!(
                "material {name}: not stored by the game: its {all}"
            ));
        }
        if change.is_any() {
            surfaces.push(SurfaceChange {
                base: from,
                edited: to,
                ..change
            });
        }
    }
    let assignments = assignments(base, edited, &pairs, remade)?;
    Ok(SurfaceDifference {
        surfaces,
        assignments,
        unstored,
        pairs,
    })
}

/// For each edited material the original one: by name, which is unique; by index where names are missing.
fn pairs(
    base: &SceneFile,
    edited: &SceneFile,
    anew: impl Iterator<Item = usize>,
) -> Result<Vec<Option<usize>>, Refusal> {
    let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, surface) in base.surfaces.iter().enumerate() {
        known.entry(&surface.name).or_default().push(number);
    }
    let is_same_name = |number: usize, name: &str| {
        let there = base.surfaces.get(number);
        there.is_some_and(|there| there.name == name)
    };
    let only = |name: &str| match known.get(name).map(Vec::as_slice) {
        Some(&[number]) => Some(number),
        _ => None,
    };
    let mut taken = HashSet::new();
    let mut pairs = Vec::with_capacity(edited.surfaces.len());
    for (number, surface) in edited.surfaces.iter().enumerate() {
        let name = &*surface.name;
        let found = match is_same_name(number, name) {
            true => Some(number),
            false => only(name),
        };
        pairs.push(found.filter(|&found| taken.insert(found)));
    }
    for (number, surface) in base.surfaces.iter().enumerate() {
        if !taken.contains(&number) {
            let renamed = pairs.get(number).is_some_and(Option::is_none);
            let reason = match renamed {
                true => "its name is derived from its texture or its color, and cannot be changed",
                false => "it was removed; materials cannot be removed",
            };
            refuse!("materials[{number}] ({}): {reason}", surface.name);
        }
    }
    let anew: HashSet<usize> = anew
        .filter_map(|mesh| edited.meshes.get(mesh))
        .flat_map(|mesh| &mesh.primitives)
        .filter_map(|primitive| primitive.material)
        .collect();
    let mut found = pairs.iter().zip(0..);
    match found.find(|(pair, number)| pair.is_none() && !anew.contains(number)) {
        Some((_, new)) => Err(is_new(edited, new)),
        None => Ok(pairs),
    }
}

fn is_new(edited: &SceneFile, number: usize) -> Refusal {
    let name = edited.surfaces.get(number).map(|surface| &*surface.name);
    refusal!(
        "materials[{number}] ({}): it is new; materials cannot be added",
        name.unwrap_or_default()
    )
}

/// Differences between two surfaces, without their numbers.
fn compare_surface(old: &Surface, new: &Surface) -> Result<SurfaceChange, Refusal> {
    let mut change = SurfaceChange::default();
    let is_other_picture = !is_same_picture(old.picture.as_ref(), new.picture.as_ref());
    if is_other_picture {
        match (&old.picture, &new.picture) {
            (Some(_), Some(new)) => change.picture = Some(new.clone()),
            (Some(_), None) => {
                change.is_plain = true;
                change.color = Some(new.color);
            }
            (None, _) => {
                refuse!(
                    "a picture was added, and its polygons have no texture coordinates; give the faces a new material with this picture instead (in Blender add a material, and unwrap them)"
                );
            }
        }
    } else if old.laid != new.laid {
        refuse!(
            "sampling and texture transform of its picture are derived from the texture package and the polygons; set them back (Blender: no Mapping node, Linear and Repeat in the Image Texture), and move the texture coordinates instead"
        );
    }
    if old.color != new.color && !change.is_plain {
        change.color = Some(new.color);
    }
    if old.opacity != new.opacity {
        change.opacity = Some((old.opacity, new.opacity));
    }
    if old.is_double_sided != new.is_double_sided {
        change.double_sided = Some(new.is_double_sided);
    }
    change.unlit = Some(new.is_unlit).filter(|&unlit| unlit != old.is_unlit);
    change.alpha = Some(new.alpha.clone()).filter(|alpha| *alpha != old.alpha);
    change.facts = facts(old.facts.as_ref(), new.facts.as_ref())?;
    Ok(change)
}

/// Changed facts.
fn facts(
    old: Option<&Map<String, Value>>,
    new: Option<&Map<String, Value>>,
) -> Result<BTreeMap<String, Value>, Refusal> {
    let none = Map::new();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let mut all = BTreeMap::new();
    for key in old.keys().chain(new.keys()) {
        let values = (old.get(key), new.get(key));
        if is_same(values.0, values.1) {
            continue;
        }
        if !EDITABLE.contains(&key.as_str()) {
            refuse!("extras.zipper.{key} cannot be packed; only soil, cycle and scroll can");
        }
        all.insert(key.clone(), values.1.cloned().unwrap_or(Value::Null));
    }
    Ok(all)
}

/// True if pictures are the same: at one path, or of one name where one of them has no path or is in another folder.
pub(in crate::pack::scene) fn is_same_picture(
    old: Option<&Picture>,
    new: Option<&Picture>,
) -> bool {
    let (Some(old), Some(new)) = (old, new) else {
        return old.is_none() && new.is_none();
    };
    if old.path.is_some() && old.path == new.path {
        return true;
    }
    // A program may put copies of pictures next to the scene.
    let is_beside = |path: &Option<String>| path.as_ref().is_none_or(|path| !path.contains('/'));
    (is_beside(&old.path) || is_beside(&new.path))
        && !old.name.is_empty()
        && old.name == plain_name(&new.name)
}

/// Values that differ and that programs write for every material, in words: the games do not have them.
///
/// # Errors
/// Another value differs.
fn left_out(old: &Value, new: &Value) -> Result<Vec<&'static str>, Refusal> {
    let (old, new) = (flat(old), flat(new));
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let of = |values: &Map<String, Value>, key: &str| {
        let value = values.get(key).filter(|value| !is_nothing(value));
        value.cloned()
    };
    let mut words = Vec::new();
    for key in keys {
        if is_same(of(&old, key).as_ref(), of(&new, key).as_ref()) {
            continue;
        }
        match LEFT_OUT.iter().find(|(known, _)| known == key) {
            Some((_, said)) => words.push(*said),
            None => refuse!(
                "{key} was changed, which the game cannot store; set it back, and change color, opacity, picture, sides or light instead"
            ),
        }
    }
    Ok(words)
}

/// Triangles that have another material.
fn assignments(
    base: &SceneFile,
    edited: &SceneFile,
    pairs: &[Option<usize>],
    remade: &[MeshRemake],
) -> Result<Vec<AssignmentChange>, Refusal> {
    let matches = match_nodes(base, edited)?;
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for (node, to) in matches.iter().enumerate() {
        let mesh = |file: &SceneFile, node: usize| file.nodes.get(node).and_then(|it| it.mesh);
        let Some(pair) = mesh(base, node).zip(to.and_then(|to| mesh(edited, to))) else {
            continue;
        };
        let is_remade = remade.iter().any(|mesh| (mesh.old, mesh.new) == pair);
        if is_remade || !seen.insert(pair) {
            continue;
        }
        let (Some(old), Some(new)) = (base.meshes.get(pair.0), edited.meshes.get(pair.1)) else {
            continue;
        };
        assignments_of_mesh(node, old, new, edited, pairs, &mut all)
            .map_err(|refusal| refusal!("mesh {}: {refusal}", old.name))?;
    }
    Ok(all)
}

fn assignments_of_mesh(
    node: usize,
    old: &SceneMesh,
    new: &SceneMesh,
    edited: &SceneFile,
    pairs: &[Option<usize>],
    all: &mut Vec<AssignmentChange>,
) -> Result<(), Refusal> {
    let as_it_was = |material: Option<usize>| -> Result<Option<usize>, Refusal> {
        match material {
            None => Ok(None),
            Some(material) => match pairs.get(material).copied().flatten() {
                Some(base) => Ok(Some(base)),
                None => Err(is_new(edited, material)),
            },
        }
    };
    let mut ordered = old.primitives.iter().zip(&new.primitives);
    let is_plain = old.primitives.len() == new.primitives.len()
        && ordered.all(|(old, new)| {
            let is_same = matches!(as_it_was(new.material), Ok(found) if found == old.material);
            is_same && old.positions.len() == new.positions.len()
        });
    if is_plain {
        return Ok(());
    }
    // Meshes whose triangles changed are compared elsewhere.
    let Ok(places) = aligned(old, new) else {
        return Ok(());
    };
    for (primitive, (part, places)) in old.primitives.iter().zip(places).enumerate() {
        let mut by_material: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (corner, place) in places.iter().enumerate() {
            let Some(shown) = new.primitives.get(place.primitive) else {
                continue;
            };
            match (part.material, as_it_was(shown.material)?) {
                (Some(old), Some(new)) if old != new => {
                    by_material.entry(new).or_default().push(corner);
                }
                (None, Some(_)) => {
                    refuse!("it had no material, like collision shapes; none can be added");
                }
                (Some(_), None) => {
                    return Err(refusal!("its material was removed; give the faces one"));
                }
                _ => {}
            }
        }
        all.extend(
            by_material
                .into_iter()
                .map(|(to, corners)| AssignmentChange {
                    node,
                    primitive,
                    corners,
                    to,
                }),
        );
    }
    Ok(())
}
