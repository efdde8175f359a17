//! Converts edited corners to edits of vertices and of baked light, and applies them to the members.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::members::{Body, Member, Members};
use super::probe::{Code, List, code_at, color_of, colors_mut, light_of, list_at, lists, ordered};
use super::scenes::Coded;
use crate::config::EverQuest;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::difference::MeshChange;
use crate::pack::scene::everquest::colors::{is_drawn, stored_light};
use crate::pack::scene::everquest::corners::{APART, VertexId, meshes_of, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::vertex_edits::{VertexEdit, edits_of};
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};
use relicast_codec::{Vec2, Vec3};

/// Edits of the vertices of a piece of a model.
#[derive(Debug, Default)]
struct PieceEdit {
    /// The path of a scene that changes it.
    path: String,
    vertices: BTreeMap<usize, VertexEdit>,
}

/// Edits of a list of baked light.
#[derive(Debug, Default)]
struct ListEdit {
    path: String,
    /// Linear, as drawn, by number.
    colors: BTreeMap<usize, [f32; 3]>,
}

/// All edits of shapes.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pieces: BTreeMap<Place, PieceEdit>,
    lists: BTreeMap<List, ListEdit>,
}

/// The vertices of the corners of a primitive; `None` for those of other archives.
pub(super) fn vertices_of(
    base: &ScenePrimitive,
    coded: &ScenePrimitive,
    members: &Members<'_>,
) -> Vec<Option<VertexId>> {
    let corners = base.positions.iter().zip(&coded.positions);
    corners
        .map(|(before, &coded)| match code_at(coded) {
            Some(Code::Vertex(id)) if is_shown(members, id, *before) => Some(id),
            _ => None,
        })
        .collect()
}

/// True if a corner is at the stored position of a vertex.
fn is_shown(members: &Members<'_>, id: VertexId, corner: [f32; 3]) -> bool {
    let stored = members.vertex(id).map(|vertex| vertex.position);
    stored.is_some_and(|stored| to_scene(stored.to_array()) == corner)
}

impl Shapes {
    /// True if vertices of a piece changed.
    pub(super) fn has(&self, place: Place) -> bool {
        self.pieces.contains_key(&place)
    }

    /// True if another scene sets the shape of a piece, so that this one follows.
    pub(super) fn is_reported_elsewhere(&self, place: Place, path: &str) -> bool {
        let piece = self.pieces.get(&place);
        piece.is_some_and(|piece| piece.path != path)
    }

    /// True if another scene sets the baked light of a piece.
    pub(super) fn is_lit_elsewhere(&self, place: Place, path: &str) -> bool {
        let list = self.lists.get(&List::Own(place));
        list.is_some_and(|list| list.path != path)
    }

    /// Collects the edits of the meshes of a scene. Returns the meshes to rebuild, because corners that share a vertex
    /// were moved apart.
    ///
    /// # Errors
    /// A mesh is of another archive, or an edit of it has no place in the file.
    pub(super) fn take(
        &mut self,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
        options: &EverQuest,
    ) -> Result<Vec<Recut>, Refusal> {
        let scene = coded.scene;
        let mut apart = Vec::new();
        for change in &scene.difference.meshes {
            let taken = self.take_mesh(coded, change, members, options);
            let is_whole = taken.map_err(|refusal| {
                let name = scene.name(change.node);
                refusal!("mesh of node {name}: {refusal}")
            })?;
            let mesh = scene.edited.meshes.get(change.new);
            if let (false, Some(mesh)) = (is_whole, mesh) {
                apart.push(Recut {
                    node: change.node,
                    base: change.old,
                    edited: change.new,
                    mesh: mesh.clone(),
                    reason: Refusal::new(APART),
                });
            }
        }
        Ok(apart)
    }

    /// Collects the edits of a mesh; returns false where corners that share a vertex were moved apart.
    fn take_mesh(
        &mut self,
        coded: &Coded<'_, '_>,
        change: &MeshChange,
        members: &Members<'_>,
        options: &EverQuest,
    ) -> Result<bool, Refusal> {
        let scene = coded.scene;
        let path = &scene.output.path;
        let (base, codes) = meshes_of(scene, &coded.numbered, change.node)?;
        let parts = base.primitives.iter().zip(&codes.primitives);
        let ids = parts
            .clone()
            .map(|(base, coded)| vertices_of(base, coded, members));
        let ids: Vec<Vec<Option<VertexId>>> = ids.collect();
        if has_mixed_colors(change, &ids) {
            return Ok(false);
        }
        for (((part, codes), ids), corners) in parts.zip(&ids).zip(&change.corners) {
            for (at, (corner, &id)) in corners.iter().zip(ids).enumerate() {
                if let Some(wanted) = corner.color {
                    let colors = (codes.colors.get(at), part.colors.get(at));
                    let (Some(&coded), Some(&before)) = colors else {
                        refuse!(
                            "its vertices have no colors in the game: a placed model gets its colors from baked light"
                        );
                    };
                    let id = id.ok_or_else(|| Refusal::new(OTHER_LIGHT))?;
                    let (list, number) = color_at(id, coded, before, members, options)?;
                    self.add_color(list, number, wanted, path)?;
                }
            }
        }
        let seen = edits_of(change, base, &ids, |id, corner| {
            let piece = members.piece(id.mesh);
            Ok(corner.to_vertex(None, piece.is_some_and(|piece| piece.is_turned)))
        })?;
        let Some(seen) = seen else { return Ok(false) };
        for (id, edit) in seen {
            let piece = self.pieces.entry(id.mesh).or_default();
            if piece.path.is_empty() {
                piece.path.clone_from(path);
            }
            let known = piece.vertices.insert(id.vertex, edit);
            if known.is_some_and(|known| known != edit) {
                refuse!("meshes or scenes that share a vertex set different values for it");
            }
        }
        Ok(true)
    }

    fn add_color(
        &mut self,
        list: List,
        number: usize,
        wanted: [f32; 3],
        path: &str,
    ) -> Result<(), Refusal> {
        let list = self.lists.entry(list).or_default();
        if list.path.is_empty() {
            path.clone_into(&mut list.path);
        }
        let known = list.colors.insert(number, wanted);
        match known.is_some_and(|known| known != wanted) {
            true => Err(refusal!(
                "corners or scenes that share a color set different values for it"
            )),
            false => Ok(()),
        }
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(
        &self,
        members: &mut Members<'_>,
        options: &EverQuest,
    ) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&place, edit) in &self.pieces {
            let Some(file) = members.edit(place.member) else {
                continue;
            };
            let mut edits = edit.vertices.iter();
            if let Err(refusal) =
                edits.try_for_each(|(&vertex, edit)| put_vertex(edit, file, place.index, vertex))
            {
                let reason = refusal!("{}: {refusal}", file.name);
                refusals.push((edit.path.clone(), reason));
            }
        }
        for (&list, edit) in &self.lists {
            let mut stored = colors_mut(members, list);
            for (&number, &wanted) in &edit.colors {
                let Some(stored) = stored.get_mut(number) else {
                    continue;
                };
                if let Err(refusal) = relight(stored, wanted, options) {
                    refusals.push((edit.path.clone(), refusal));
                    break;
                }
            }
        }
        unless_refused((), refusals)
    }
}

/// True if corners that share a vertex get different colors.
fn has_mixed_colors(change: &MeshChange, ids: &[Vec<Option<VertexId>>]) -> bool {
    let mut colors: HashMap<VertexId, Option<[u32; 3]>> = HashMap::new();
    let corners = change.corners.iter().flatten().zip(ids.iter().flatten());
    let mut colored = corners.filter_map(|(corner, id)| {
        let color = corner.color.map(|color| color.map(f32::to_bits));
        Some(((*id)?, color))
    });
    colored.any(|(id, color)| *colors.entry(id).or_insert(color) != color)
}

/// The list of baked light with all colors of a mesh; `None` if it has none, or one of another archive.
pub(super) fn list_of(
    (base, codes): (&SceneMesh, &SceneMesh),
    ids: &[Vec<usize>],
    place: Place,
    members: &Members<'_>,
    options: &EverQuest,
) -> Option<List> {
    let mut found = None;
    let parts = base.primitives.iter().zip(&codes.primitives).zip(ids);
    for ((part, codes), ids) in parts {
        for (at, &vertex) in ids.iter().enumerate() {
            let (coded, before) = (codes.colors.get(at)?, part.colors.get(at)?);
            let id = VertexId {
                mesh: place,
                vertex,
            };
            let (list, _) = color_at(id, *coded, *before, members, options).ok()?;
            if *found.get_or_insert(list) != list {
                return None;
            }
        }
    }
    found
}

/// Gives baked light the color that is drawn as this one (linear).
///
/// # Errors
/// No light is.
pub(super) fn relight(
    stored: &mut [u8; 4],
    wanted: [f32; 3],
    options: &EverQuest,
) -> Result<(), Refusal> {
    let order = options.eqg_light_order;
    let light = stored_light(light_of(*stored, order), wanted, [0; 3], options)?;
    *stored = ordered([light.red, light.green, light.blue, light.alpha], order);
    Ok(())
}

const OTHER_LIGHT: &str = "its colors come from another archive; edit them there";

/// The list of baked light with the color of a vertex, and its index there. `coded` is the color in the numbered scene,
/// `before` in the original.
///
/// # Errors
/// It is of another archive.
fn color_at(
    id: VertexId,
    coded: [f32; 3],
    before: [f32; 3],
    members: &Members<'_>,
    options: &EverQuest,
) -> Result<(List, usize), Refusal> {
    let elsewhere = || Refusal::new(OTHER_LIGHT);
    let list = list_at(coded).and_then(|number| lists(members).get(number).copied());
    let list = list.ok_or_else(elsewhere)?;
    let first = match list {
        List::Own(_) => 0,
        // One list serves all pieces.
        _ => {
            let file = members.files.get(id.mesh.member);
            file.map_or(0, |file| file.first_vertex(id.mesh.index))
        }
    };
    let number = first.saturating_add(id.vertex);
    let stored = color_of(members, list, number);
    let is_drawn = stored.is_some_and(|(stored, _)| {
        let stored = light_of(stored, options.eqg_light_order);
        is_drawn(stored, [0; 3], before, options)
    });
    is_drawn.then_some((list, number)).ok_or_else(elsewhere)
}

fn put_vertex(
    edit: &VertexEdit,
    file: &mut Member,
    piece: usize,
    vertex: usize,
) -> Result<(), Refusal> {
    let lost = || refusal!("the game file no longer has a vertex of it");
    let has_own_second = file.piece(piece).is_some_and(|piece| piece.is_colored);
    let stored = file.vertices_mut(piece);
    let stored = stored.and_then(|vertices| vertices.get_mut(vertex));
    let stored = stored.ok_or_else(lost)?;
    let mut place = stored.position.to_array();
    for (part, wanted) in place.iter_mut().zip(edit.position) {
        *part = wanted.map_or(*part, |wanted| wanted as f32);
    }
    if place.iter().any(|part| !part.is_finite()) {
        refuse!("the position of a vertex is not finite");
    }
    stored.position = Vec3::from(place);
    if let Some(normal) = edit.normal {
        let length = DVec3::from_array(stored.normal.to_array().map(f64::from)).length();
        // Normals of another length than 1 keep it.
        let length = match length.is_finite() && (length - 1.0).abs() > 1e-5 && length > 0.0 {
            true => length,
            false => 1.0,
        };
        stored.normal = Vec3::from(normal.map(|part| (part * length) as f32));
    }
    let put = |row: &mut Vec2, wanted: [Option<f32>; 2]| {
        let mut parts = row.to_array();
        for (part, wanted) in parts.iter_mut().zip(wanted) {
            *part = wanted.unwrap_or(*part);
        }
        *row = Vec2::from(parts);
    };
    let [first, second] = edit.uvs;
    put(&mut stored.uv, first);
    if has_own_second {
        put(&mut stored.uv2, second);
    } else if second != [None; 2] {
        let row = match &mut file.body {
            Body::Mesh(mesh) => mesh.tail.uvs.get_mut(vertex),
            _ => None,
        };
        put(
            row.ok_or_else(|| refusal!("it has only one set of texture coordinates"))?,
            second,
        );
    }
    Ok(())
}

/// Pieces whose vertices have normals without direction: the normals of their faces are shown.
pub(super) fn follows_faces(members: &Members<'_>, id: VertexId) -> bool {
    members.vertex(id).is_some_and(|vertex| {
        let parts = DVec3::from_array(vertex.normal.to_array().map(f64::from));
        parts.try_normalize().is_none()
    })
}
