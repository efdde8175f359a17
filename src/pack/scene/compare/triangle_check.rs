//! Checks that a packed mesh shows the triangles of an edit, in any order.

use std::collections::BTreeSet;

use super::difference::corner_change;
use super::matching::plain_name;
use super::pairing::{Pairs, is_seen, pair};
use super::scene_pair::ScenePair;
use super::surfaces::{self, Surface, essence};
use super::tolerance::Tolerance;
use super::triangles::is_near;
use crate::pack::edited::Refusal;
use crate::pack::scene::file::{SceneFile, SceneMesh, ScenePrimitive};

/// Largest difference of parts of normals that is not reported.
const NORMAL_SLACK: f32 = 1e-3;

/// Largest difference of linear colors of one material.
const COLOR_SLACK: f32 = 0.01;

/// Permitted differences between a packed mesh and the edit.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::pack::scene) struct Otherwise {
    /// Corners with other normals.
    pub normals: usize,
    /// Triangles of the edit that have no area.
    pub without_area: usize,
    /// Triangles whose material has another color.
    pub colors: usize,
}

/// True if an edit changed a material of the scene, and a packed one has its color or picture and its sides: names
/// follow from these.
fn shows_changed(
    [after, edited, base]: [&SceneFile; 3],
    [ours, theirs]: [&ScenePrimitive; 2],
    known: Option<usize>,
) -> bool {
    let look = |file: &SceneFile, number: Option<usize>| {
        let surface = file.surfaces.get(number?)?;
        let picture = surface
            .picture
            .as_ref()
            .map(|picture| plain_name(&picture.name).to_lowercase());
        Some((
            picture,
            surface.is_double_sided,
            surface.color,
            surface.opacity,
        ))
    };
    let found = look(after, ours.material);
    let edit = look(edited, theirs.material);
    let (Some(found), Some(edit), Some(old)) = (found, edit, look(base, known)) else {
        return false;
    };
    let is_same_look = match &edit.0 {
        Some(_) => true,
        None => is_near(&found.2, &edit.2, 2e-3) && (found.3 - edit.3).abs() < 5e-3,
    };
    edit != old && is_same_look && (found.0, found.1) == (edit.0, edit.1)
}

/// Pairs the triangles of a packed mesh with those of the edit that have its material.
fn pairs_of(
    after: &SceneFile,
    mine: &SceneMesh,
    ScenePair { base, edited }: ScenePair<'_>,
    edit: &SceneMesh,
) -> Pairs {
    let fits = |ours: usize, theirs: usize| {
        let parts = (mine.primitives.get(ours), edit.primitives.get(theirs));
        let (Some(ours), Some(theirs)) = parts else {
            return false;
        };
        let found = ours.material.and_then(|place| after.materials.get(place));
        let found = found.map(|name| essence(name, &after.materials));
        let called = theirs.material.and_then(|it| edited.materials.get(it));
        let called = called.map(|name| essence(plain_name(name), &edited.materials));
        let known = match surfaces::of(base, edited, theirs) {
            Surface::Known(place) => Some(place),
            Surface::Bare | Surface::Unknown(_) => None,
        };
        let name = known.and_then(|place| base.materials.get(place));
        let name = name.map(|name| essence(name, &base.materials));
        found == called
            || (found.is_some() && found == name)
            || shows_changed([after, edited, base], [ours, theirs], known)
    };
    let tolerances = [Tolerance::EXACT, Tolerance::FOREIGN, Tolerance::STORED];
    pair(mine, edit, &tolerances, &fits)
}

/// Edited materials of a mesh, each with a packed one of the same triangle.
pub(in crate::pack::scene) fn paired_materials(
    after: &SceneFile,
    mine: &SceneMesh,
    scenes: ScenePair<'_>,
    edit: &SceneMesh,
) -> BTreeSet<(usize, usize)> {
    let pairs = pairs_of(after, mine, scenes, edit);
    let twins = pairs.new.iter();
    let twins = twins.filter_map(|(triangle, twin)| {
        let theirs = edit.primitives.get(triangle.primitive)?;
        let ours = mine.primitives.get(twin.as_ref()?.triangle.primitive)?;
        theirs.material.zip(ours.material)
    });
    twins.collect()
}

/// Compares a packed mesh with the edited one.
///
/// # Errors
/// Its triangles or their materials differ.
pub(in crate::pack::scene) fn shows_all(
    after: &SceneFile,
    mine: &SceneMesh,
    ScenePair { base, edited }: ScenePair<'_>,
    edit: &SceneMesh,
) -> Result<Otherwise, Refusal> {
    let pairs = pairs_of(after, mine, ScenePair { base, edited }, edit);
    let mut otherwise = Otherwise::default();
    let (mut missing, mut reassigned) = (0_usize, 0_usize);
    for (triangle, twin) in &pairs.new {
        let Some(twin) = twin else {
            match is_seen(edit, *triangle) {
                true => missing += 1,
                false => otherwise.without_area += 1,
            }
            continue;
        };
        let parts = (
            mine.primitives.get(twin.triangle.primitive),
            edit.primitives.get(triangle.primitive),
        );
        let (Some(ours), Some(theirs)) = parts else {
            continue;
        };
        let color = |file: &SceneFile, material: Option<usize>| {
            let surface = file.surfaces.get(material?)?;
            Some(surface.color)
        };
        let colors = (color(after, ours.material), color(edited, theirs.material));
        if let (Some(found), Some(wanted)) = colors {
            otherwise.colors += usize::from(!is_near(&found, &wanted, COLOR_SLACK));
        }
        for step in 0..3 {
            let (from, to) = (twin.corner(step), triangle.first + step);
            let change = corner_change(ours.corner(from), theirs.corner(to), Tolerance::STORED);
            reassigned += usize::from(change.is_any());
            let normals = (ours.normals.get(from), theirs.normals.get(to));
            if let (Some(one), Some(other)) = normals {
                otherwise.normals += usize::from(!is_near(one, other, NORMAL_SLACK));
            }
        }
    }
    let more = pairs.lost.len();
    if missing > 0 || more > 0 {
        refuse!(
            "the packed mesh has other triangles than the edit (missing or with another material: {missing}; extra: {more})"
        );
    }
    match reassigned {
        0 => Ok(otherwise),
        _ => Err(refusal!(
            "the packed mesh has other texture coordinates or colors (corners: {reassigned})"
        )),
    }
}
