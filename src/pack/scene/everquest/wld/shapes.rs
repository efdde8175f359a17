//! Converts edited corners to edits of vertices, in the axes of their file.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use glam::{DMat4, DVec3};

use super::members::Members;
use super::probe::{ColorId, color_at, vertex_at};
use crate::config::EverQuest;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::MeshChange;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::everquest::colors::is_drawn;
use crate::pack::scene::everquest::corners::{ONE_COLOR, VertexId, meshes_of, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::vertex_edits::{VertexEdit, edits_of};
use crate::pack::scene::file::{SceneFile, SceneMesh};
use relicast_codec::{F32, Vec3};
use relicast_convert::joint_places;
use relicast_formats::everquest::wld::{
    Bgra, Body, Skeleton, TextureCoordinates, VertexPiece, Wld,
};

/// Edits of the vertices of a mesh.
#[derive(Debug, Default)]
pub(super) struct MeshEdit {
    /// The path of a scene that changes it.
    pub path: String,
    /// By number of the vertex.
    pub vertices: BTreeMap<usize, VertexEdit>,
    /// The transforms of the bones in whose spaces its vertices are, in scene space; `None`: it has no bones.
    pub bones: Option<Arc<Bones>>,
    /// Ambient light of the scene, which its colors include.
    pub ambient: [u8; 3],
}

/// Edits of a list of baked light.
#[derive(Debug, Default)]
pub(super) struct ListEdit {
    pub path: String,
    /// Linear, as drawn, by number.
    pub colors: BTreeMap<usize, [f32; 3]>,
    pub ambient: [u8; 3],
}

/// All edits of shapes.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub meshes: BTreeMap<Place, MeshEdit>,
    pub lists: BTreeMap<Place, ListEdit>,
    pub(super) origins: HashMap<Place, Option<Arc<Bones>>>,
}

/// The bones of a mesh.
#[derive(Debug, Clone)]
pub(super) struct Bones {
    /// The skeleton.
    pub skeleton: usize,
    /// From the space of each bone to that of the model, in scene space.
    pub places: Vec<DMat4>,
    /// The same without edits of poses at rest.
    pub before: Vec<DMat4>,
    /// The bone of each vertex.
    pub of: Vec<usize>,
}

impl Bones {
    /// The bones of a skeleton at rest that move a mesh. `None`: it is not a mesh.
    pub(super) fn new(
        wld: &Wld<'_>,
        (number, skeleton): (usize, &Skeleton),
        mesh: usize,
    ) -> Option<Self> {
        let (_, pieces) = stored_vertices(wld, mesh)?;
        let of = pieces.iter().flat_map(|piece| {
            let bone = usize::from(piece.bone);
            let bone = if bone < skeleton.bones.len() { bone } else { 0 };
            std::iter::repeat_n(bone, usize::from(piece.count))
        });
        let places = joint_places(wld, skeleton);
        Some(Self {
            skeleton: number,
            before: places.clone(),
            places,
            of: of.collect(),
        })
    }

    /// The transform of a vertex's bone.
    pub(super) fn place(&self, vertex: usize) -> DMat4 {
        let bone = self.of.get(vertex).copied().unwrap_or_default();
        self.place_of(bone)
    }

    /// The transform of a vertex's bone without edits of poses at rest.
    pub(super) fn place_before(&self, vertex: usize) -> DMat4 {
        let bone = self.of.get(vertex).copied().unwrap_or_default();
        self.before.get(bone).copied().unwrap_or(DMat4::IDENTITY)
    }

    /// The transform of a bone.
    pub(super) fn place_of(&self, bone: usize) -> DMat4 {
        self.places.get(bone).copied().unwrap_or(DMat4::IDENTITY)
    }
}

/// The color of a corner.
#[derive(Debug, Clone, Copy)]
struct Color {
    /// The node that shows it.
    node: usize,
    /// The color in the edit.
    wanted: [f32; 3],
    /// The color in the numbered scene.
    coded: Option<[f32; 3]>,
    /// The color in the original scene.
    before: Option<[f32; 3]>,
}

impl Shapes {
    /// Collects the edit of a mesh. `numbered` is the scene with the numbers of its vertices. Returns false, and collects
    /// nothing, if corners that share a vertex were moved apart.
    ///
    /// # Errors
    /// The mesh is of another archive, or an edit of it has no place in the file.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        change: &MeshChange,
        numbered: &SceneFile,
        members: &Members<'_>,
        options: &EverQuest,
    ) -> Result<bool, Refusal> {
        let (base, codes) = meshes_of(scene, numbered, change.node)?;
        let ids = ids_of(base, codes, members);
        let shown = base.primitives.iter().zip(&ids).flat_map(|(part, ids)| {
            let corners = ids.iter().zip(&part.positions);
            corners.filter_map(|(id, &position)| Some(((*id)?, position)))
        });
        let mut by_mesh: HashMap<Place, Vec<(usize, [f32; 3])>> = HashMap::new();
        for (id, position) in shown {
            let corners = by_mesh.entry(id.mesh).or_default();
            corners.push((id.vertex, position));
        }
        let seen = edits_of(change, base, &ids, |id, corner| {
            let shown = by_mesh.get(&id.mesh).map_or(&[][..], Vec::as_slice);
            let bones = self.origin(id.mesh, base, shown, members)?;
            let is_turned = corner.change.position.is_some() || corner.change.normal.is_some();
            let inverse = bones.filter(|_| is_turned);
            let inverse = inverse.map(|bones| bones.place(id.vertex).inverse());
            if inverse.is_some_and(|inverse| !inverse.is_finite()) {
                refuse!("a bone of it has scale 0");
            }
            // V increases from the bottom of the picture in the files.
            Ok(corner.to_vertex(inverse, true))
        })?;
        let Some(seen) = seen else {
            return Ok(false);
        };
        if colors_part(change, base, codes, &ids)? {
            return Ok(false);
        }
        let parts = base.primitives.iter().zip(&codes.primitives);
        for (((part, codes), ids), corners) in parts.zip(&ids).zip(&change.corners) {
            for (at, (corner, &id)) in corners.iter().zip(ids).enumerate() {
                if let Some(wanted) = corner.color {
                    let color = Color {
                        node: change.node,
                        wanted,
                        coded: codes.colors.get(at).copied(),
                        before: part.colors.get(at).copied(),
                    };
                    self.take_color(scene, color, id, members, options)?;
                }
            }
        }
        self.merge(scene, seen)?;
        Ok(true)
    }

    /// Adds edits of vertices to those of other meshes and scenes.
    fn merge(
        &mut self,
        scene: &Scene<'_>,
        seen: HashMap<VertexId, VertexEdit>,
    ) -> Result<(), Refusal> {
        for (id, edit) in seen {
            let bones = self.origins.get(&id.mesh).cloned().flatten();
            let mesh = self.mesh(id.mesh, scene);
            mesh.bones = bones;
            let known = mesh.vertices.entry(id.vertex).or_default();
            let color = known.color;
            let is_other = *known
                != (VertexEdit {
                    color,
                    ..VertexEdit::default()
                });
            let edit = VertexEdit { color, ..edit };
            if is_other && *known != edit {
                refuse!("meshes or scenes that share a vertex set different values for it");
            }
            *known = edit;
        }
        Ok(())
    }

    pub(super) fn mesh(&mut self, place: Place, scene: &Scene<'_>) -> &mut MeshEdit {
        let mesh = self.meshes.entry(place).or_default();
        if mesh.path.is_empty() {
            mesh.path = scene.output.path.clone();
            mesh.ambient = scene.ambient;
        }
        mesh
    }

    /// The bones that bring the vertices of a mesh to their positions in the scene. `corners` are those of that mesh:
    /// their vertices and scene positions.
    fn origin(
        &mut self,
        place: Place,
        base: &SceneMesh,
        corners: &[(usize, [f32; 3])],
        members: &Members<'_>,
    ) -> Result<Option<Arc<Bones>>, Refusal> {
        if let Some(known) = self.origins.get(&place) {
            return Ok(known.clone());
        }
        let file = members.files.get(place.member);
        let wld = file.map(|file| &file.body);
        let found = wld.and_then(|wld| bones_of(wld, place.index, corners));
        let bones = found.map(|bones| bones.map(Arc::new)).ok_or_else(|| {
            refusal!(
                "the vertices of {} cannot be traced to the file; convert without quantized positions",
                base.name
            )
        })?;
        self.origins.insert(place, bones.clone());
        Ok(bones)
    }

    /// Collects the color of a corner.
    fn take_color(
        &mut self,
        scene: &Scene<'_>,
        color: Color,
        id: Option<VertexId>,
        members: &Members<'_>,
        options: &EverQuest,
    ) -> Result<(), Refusal> {
        let (node, wanted) = (color.node, color.wanted);
        let (Some(coded), Some(before)) = (color.coded, color.before) else {
            refuse!(
                "its vertices have no colors in the game: objects get their colors where they are placed"
            );
        };
        let elsewhere = || refusal!("its colors come from another archive; edit them there");
        let is_drawn = |stored: Option<&Bgra>| {
            stored.is_some_and(|&stored| is_drawn(stored, scene.ambient, before, options))
        };
        let conflict =
            || refusal!("corners or scenes that share a color set different values for it");
        match color_at(coded).ok_or_else(elsewhere)? {
            ColorId::Own(_) => {
                let id = id.ok_or_else(elsewhere)?;
                let stored = match members.body(id.mesh) {
                    Some(Body::Mesh(mesh)) => mesh.colors.get(id.vertex),
                    Some(Body::LegacyMesh(mesh)) => {
                        mesh.colors.as_ref().and_then(|list| list.get(id.vertex))
                    }
                    _ => None,
                };
                if !is_drawn(stored) {
                    return Err(elsewhere());
                }
                let mesh = self.mesh(id.mesh, scene);
                let edit = mesh.vertices.entry(id.vertex).or_default();
                if edit.color.is_some_and(|known| known != wanted) {
                    return Err(conflict());
                }
                edit.color = Some(wanted);
            }
            ColorId::List(number) => {
                let (place, colors) = baked_list(scene, node, members)?;
                if !is_drawn(colors.get(number)) {
                    refuse!("the list of its baked light does not fit its model");
                }
                let list = self.lists.entry(place).or_default();
                if list.path.is_empty() {
                    list.path = scene.output.path.clone();
                    list.ambient = scene.ambient;
                }
                if list
                    .colors
                    .insert(number, wanted)
                    .is_some_and(|known| known != wanted)
                {
                    return Err(conflict());
                }
            }
        }
        Ok(())
    }
}

/// True if corners that share a vertex with its own color get different ones.
///
/// # Errors
/// Such a color is in a list of baked light.
fn colors_part(
    change: &MeshChange,
    base: &SceneMesh,
    codes: &SceneMesh,
    ids: &[Vec<Option<VertexId>>],
) -> Result<bool, Refusal> {
    let mut wanted: HashMap<VertexId, [u32; 3]> = HashMap::new();
    let mut is_parted = false;
    let parts = base.primitives.iter().zip(&codes.primitives);
    for (((part, codes), ids), corners) in parts.zip(ids).zip(&change.corners) {
        for (at, (corner, id)) in corners.iter().zip(ids).enumerate() {
            let colors = (codes.colors.get(at), part.colors.get(at));
            let (Some(id), (Some(&coded), Some(&before))) = (*id, colors) else {
                continue;
            };
            let Some(place) = color_at(coded) else {
                continue;
            };
            let color = corner.color.unwrap_or(before).map(f32::to_bits);
            if *wanted.entry(id).or_insert(color) == color {
                continue;
            }
            match place {
                ColorId::Own(_) => is_parted = true,
                ColorId::List(_) => return Err(Refusal::new(ONE_COLOR)),
            }
        }
    }
    Ok(is_parted)
}

/// The vertices of the corners of a numbered mesh. A corner whose position did not change is of another archive.
fn ids_of(
    base: &SceneMesh,
    codes: &SceneMesh,
    members: &Members<'_>,
) -> Vec<Vec<Option<VertexId>>> {
    let parts = base.primitives.iter().zip(&codes.primitives);
    parts
        .map(|(base, codes)| {
            let corners = base.positions.iter().zip(&codes.positions);
            corners
                .map(|(before, &coded)| vertex_at(coded, members).filter(|_| coded != *before))
                .collect()
        })
        .collect()
}

/// The list of baked light of a node's placement, or of the placement that the node is below.
fn baked_list<'m>(
    scene: &Scene<'_>,
    node: usize,
    members: &'m Members<'_>,
) -> Result<(Place, &'m [Bgra]), Refusal> {
    let lost = || refusal!("its baked light cannot be traced to a placement");
    let mut at = node;
    let (name, index) = loop {
        let node = scene.base.nodes.get(at).ok_or_else(lost)?;
        match placement_of(node) {
            Some(found) => break found,
            None => at = node.parent.ok_or_else(lost)?,
        }
    };
    let member = members.scene_file(name)?;
    let wld = &members.files.get(member).ok_or_else(lost)?.body;
    let list = match wld.fragments.get(index).map(|fragment| &fragment.body) {
        Some(Body::Actor(actor)) => actor.colors.and_then(|colors| wld.get(colors)),
        _ => None,
    };
    let list = match list.map(|fragment| &fragment.body) {
        Some(Body::VertexColorsInstance(instance)) => instance.definition.index(),
        _ => None,
    };
    let list = list.ok_or_else(lost)?;
    match wld.fragments.get(list).map(|fragment| &fragment.body) {
        Some(Body::VertexColors(colors)) => Ok((
            Place {
                member,
                index: list,
            },
            &colors.colors,
        )),
        _ => Err(lost()),
    }
}

/// The bones that pose a mesh, the fragment `index`, as the scene shows it by `corners` (vertices and their positions).
/// The inner `None`: it has no bones. The outer `None`: no bones give these positions.
fn bones_of(wld: &Wld<'_>, index: usize, corners: &[(usize, [f32; 3])]) -> Option<Option<Bones>> {
    let (stored, _) = stored_vertices(wld, index)?;
    let is_plain = |&(vertex, shown): &(usize, [f32; 3])| {
        stored
            .get(vertex)
            .is_some_and(|&stored| to_scene(stored) == shown)
    };
    match corners.iter().all(is_plain) {
        true => Some(None),
        false => posing_bones(wld, index, corners).map(Some),
    }
}

/// The positions of the vertices of a mesh as they are stored, and their bones in runs.
pub(super) fn stored_vertices<'w>(
    wld: &'w Wld<'_>,
    index: usize,
) -> Option<(Vec<[f32; 3]>, &'w [VertexPiece])> {
    match &wld.fragments.get(index)?.body {
        Body::Mesh(mesh) => Some((mesh.all_positions().collect(), &mesh.pieces)),
        Body::LegacyMesh(mesh) => {
            let positions = (0..mesh.positions.len()).filter_map(|vertex| mesh.position(vertex));
            let pieces = mesh.pieces.as_deref().unwrap_or_default();
            Some((positions.collect(), pieces))
        }
        _ => None,
    }
}

/// The bones of the skeleton that poses a mesh, the fragment `index`, as the scene shows it by `corners` (vertices and
/// their positions). `None`: no skeleton gives these positions.
pub(super) fn posing_bones(
    wld: &Wld<'_>,
    index: usize,
    corners: &[(usize, [f32; 3])],
) -> Option<Bones> {
    let (stored, _) = stored_vertices(wld, index)?;
    skeletons(wld).find_map(|(number, skeleton)| {
        let bones = Bones::new(wld, (number, skeleton), index)?;
        let is_posed = |&(vertex, shown): &(usize, [f32; 3])| {
            let Some(&stored) = stored.get(vertex) else {
                return false;
            };
            let stored = DVec3::from_array(to_scene(stored).map(f64::from));
            let there = bones.place(vertex).transform_point3(stored);
            let shown = DVec3::from_array(shown.map(f64::from));
            (there - shown).abs().max_element() <= 1e-5 * shown.abs().max_element().max(1.0)
        };
        corners.iter().all(is_posed).then_some(bones)
    })
}

/// The skeletons of a file, by their fragments.
pub(super) fn skeletons<'w, 'f>(
    wld: &'w Wld<'f>,
) -> impl Iterator<Item = (usize, &'w Skeleton)> + use<'w, 'f> {
    let fragments = wld.fragments.iter().enumerate();
    fragments.filter_map(|(index, fragment)| match &fragment.body {
        Body::SkeletonDefinition(skeleton) => Some((index, &**skeleton)),
        _ => None,
    })
}

/// Texture coordinates with those of an edit.
pub(super) fn put_uv(
    stored: &mut TextureCoordinates,
    vertex: usize,
    uv: [Option<f32>; 2],
) -> Result<(), Refusal> {
    let none = || refusal!("it has no texture coordinates in the game");
    match stored {
        TextureCoordinates::Fixed(rows) => {
            let row = rows.to_mut().get_mut(vertex).ok_or_else(none)?;
            for (part, wanted) in row.iter_mut().zip(uv) {
                let Some(wanted) = wanted else { continue };
                let raw = (f64::from(wanted) * 256.0).round();
                if !(-32768.0..=32767.0).contains(&raw) {
                    refuse!(
                        "its texture is repeated more than 128 times, which the format cannot hold"
                    );
                }
                *part = raw as i16;
            }
        }
        TextureCoordinates::Float(rows) => {
            let row = rows.to_mut().get_mut(vertex).ok_or_else(none)?;
            for (part, wanted) in [&mut row.x, &mut row.y].into_iter().zip(uv) {
                if let Some(wanted) = wanted {
                    *part = F32(wanted);
                }
            }
        }
    }
    Ok(())
}

/// A stored normal; of the usual lengths, the one that keeps its direction best.
pub(super) fn packed_normal(normal: [f64; 3]) -> [i8; 3] {
    let lengths = [
        127.0, 126.5, 127.5, 126.0, 128.0, 125.5, 128.5, 125.0, 129.0,
    ];
    let mut best = ([0; 3], f64::INFINITY);
    for length in lengths {
        let raw = normal.map(|part| (part * length).round().clamp(-128.0, 127.0));
        let Some(again) = DVec3::from_array(raw).try_normalize() else {
            continue;
        };
        let off = (again - DVec3::from_array(normal)).length();
        // Rounding to single precision makes lengths indistinguishable.
        if off + 3e-7 < best.1 {
            best = (raw.map(|part| part as i8), off);
        }
        if off < 3e-7 {
            break;
        }
    }
    best.0
}

/// Three numbers as stored.
pub(super) fn narrow(wide: [f64; 3]) -> Vec3 {
    Vec3::from(wide.map(|part| part as f32))
}
