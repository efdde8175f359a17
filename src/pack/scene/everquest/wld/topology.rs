//! Meshes of objects whose triangles changed: all tables of the mesh are rebuilt.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::members::Members;
use super::probe::vertex_at;
use super::shapes::packed_normal;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::packed::Packed;
use crate::pack::scene::everquest::recut::{MaterialAssignment, Recut};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::vertex_edits::ELSEWHERE;
use crate::pack::scene::file::{SceneFile, SceneMesh};
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::everquest::wld::{
    Body, Face, FaceFlags, MaterialGroup, Mesh, MeshFlags, TextureCoordinates,
};

/// A corner in file axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    position: [f64; 3],
    normal: [f64; 3],
    uv: [f32; 2],
}

/// A mesh that is being rebuilt: corners of triangles, clockwise, by palette index and by the fact that they stop
/// movement.
#[derive(Debug, Default)]
struct Remake {
    path: String,
    /// Number of the mesh in the original scene.
    base: usize,
    parts: BTreeMap<(u16, bool), Vec<Corner>>,
    /// Half of the steps in which its positions are stored.
    slack: f64,
}

/// Meshes to rebuild.
#[derive(Debug, Default)]
pub(super) struct Remakes(BTreeMap<Place, Remake>);

/// Key by which the triangles of a primitive are assigned.
#[derive(Debug, Clone, PartialEq)]
struct Surface {
    /// Number of the material in the original scene.
    material: usize,
    /// True if its faces stop movement.
    is_solid: bool,
}

/// The surfaces of the primitives of a mesh of a file, by materials of the original scene.
fn surfaces(
    scene: &Scene<'_>,
    file: &SceneFile,
    mesh: &SceneMesh,
) -> Result<Vec<Surface>, Refusal> {
    let parts = mesh.primitives.iter();
    parts
        .map(|part| {
            let assignment = MaterialAssignment::new(&scene.base, file, part)?;
            let none = || refusal!("a primitive of it has no material");
            Ok(Surface {
                material: assignment.material.ok_or_else(none)?,
                is_solid: assignment.is_solid,
            })
        })
        .collect()
}

impl Remakes {
    /// Largest error of the positions of a mesh of a scene.
    fn slack(&self, path: &str, base: usize) -> f64 {
        let mut all = self.0.values();
        let own = all.find(|remake| remake.path == path && remake.base == base);
        own.map_or(0.0, |remake| remake.slack)
    }

    /// Collects the meshes of a scene with other triangles.
    ///
    /// # Errors
    /// They are of another archive, or the object does not allow it.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        numbered: &SceneFile,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        for recut in &scene.recut {
            self.take_mesh(scene, recut, numbered, members)
                .map_err(|refusal| {
                    let name = scene.name(recut.node);
                    refusal!("mesh of node {name}: {refusal}")
                })?;
        }
        Ok(())
    }

    fn take_mesh(
        &mut self,
        scene: &Scene<'_>,
        recut: &Recut,
        numbered: &SceneFile,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let base = scene.base.meshes.get(recut.base);
        let codes = numbered
            .nodes
            .get(recut.node)
            .and_then(|node| numbered.meshes.get(node.mesh?));
        let (Some(base), Some(codes)) = (base, codes) else {
            return Err(recut.reason.clone());
        };
        let (place, slots) = slots_of(scene, recut, base, codes, members)?;
        let mut remake = Remake {
            path: scene.output.path.clone(),
            base: recut.base,
            ..Remake::default()
        };
        let surfaces = surfaces(scene, &scene.edited, &recut.mesh)?;
        for (part, surface) in recut.mesh.primitives.iter().zip(surfaces) {
            let mut slots = slots.iter();
            let slot = slots.find(|(own, _)| own.material == surface.material);
            let (_, slot) = slot.ok_or_else(|| {
                refusal!("a primitive of it has a material that the mesh did not have")
            })?;
            if !part.is_triangles || part.positions.len() % 3 != 0 {
                refuse!("a primitive of it has no triangles");
            }
            let corners = remake.parts.entry((*slot, surface.is_solid)).or_default();
            for first in (0..part.positions.len()).step_by(3) {
                // Faces are clockwise in the files.
                for corner in [first, first + 2, first + 1] {
                    let row = |rows: &[[f32; 3]]| rows.get(corner).copied().unwrap_or_default();
                    let uv = part.uvs.first().and_then(|rows| rows.get(corner));
                    let [u, v] = uv.copied().unwrap_or([0.0, 1.0]);
                    corners.push(Corner {
                        position: to_file(row(&part.positions).map(f64::from)),
                        normal: to_file(row(&part.normals).map(f64::from)),
                        uv: [u, 1.0 - v],
                    });
                }
            }
        }
        match self.0.insert(place, remake) {
            Some(_) => Err(refusal!(
                "several edited scenes change it; edit it in one scene"
            )),
            None => Ok(()),
        }
    }

    /// Rebuilds the meshes.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&mut self, members: &mut Members<'_>) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&Place { member, index }, remake) in &mut self.0 {
            let file = members.edit(member);
            let fragment = file.and_then(|file| file.body.fragments.get_mut(index));
            let Some(fragment) = fragment else { continue };
            let name = fragment.name().to_owned();
            let made = match &mut fragment.body {
                Body::Mesh(mesh) => remake.put(mesh),
                _ => Err(refusal!("it has the older mesh format")),
            };
            if let Err(refusal) = made {
                let reason = refusal!("mesh {name}: {refusal}");
                refusals.push((remake.path.clone(), reason));
            }
        }
        unless_refused((), refusals)
    }
}

/// The fragment behind a mesh, and the palette index of each of its surfaces.
fn slots_of(
    scene: &Scene<'_>,
    recut: &Recut,
    base: &SceneMesh,
    codes: &SceneMesh,
    members: &Members<'_>,
) -> Result<(Place, Vec<(Surface, u16)>), Refusal> {
    let mut places = BTreeSet::new();
    let mut corners = 0_usize;
    let mut firsts = Vec::new();
    for (before, part) in base.primitives.iter().zip(&codes.primitives) {
        let mut first = None;
        for (before, &coded) in before.positions.iter().zip(&part.positions) {
            let id = vertex_at(coded, members).filter(|_| coded != *before);
            let id = id.ok_or_else(|| Refusal::new(ELSEWHERE))?;
            places.insert(id.mesh);
            first = first.or(Some(id.vertex));
            corners += 1;
        }
        firsts.push(first);
    }
    let single = places.first().filter(|_| places.len() == 1);
    let place = *single.ok_or_else(|| {
        refusal!(
            "{}; triangles can be changed in objects of one mesh, not in the ground of zones",
            recut.reason
        )
    })?;
    let Some(Body::Mesh(mesh)) = members.body(place) else {
        refuse!("it has the older mesh format, in which triangles cannot be changed");
    };
    if let Some(reason) = fixed(mesh, corners) {
        refuse!("{}: {reason}", recut.reason);
    }
    let surfaces = surfaces(scene, &scene.base, base)?;
    let slots = surfaces
        .into_iter()
        .zip(firsts)
        .filter_map(|(surface, first)| {
            let first = u16::try_from(first?).ok()?;
            let mut faces = mesh.faces_with_materials();
            let (_, slot) = faces.find(|(face, _)| face.vertices.contains(&first))?;
            Some((surface, slot?))
        });
    Ok((place, slots.collect()))
}

/// Reason why the triangles of a mesh cannot change; `corners` is the number of corners in its scene.
fn fixed(mesh: &Mesh, corners: usize) -> Option<&'static str> {
    if !mesh.pieces.is_empty() {
        Some("not supported for a mesh that bones move")
    } else if mesh.animation.index().is_some() {
        Some("not supported for a mesh whose vertices are animated")
    } else if !mesh.colors.is_empty() {
        Some("not supported for a mesh with baked light")
    } else if !mesh.operations.is_empty() {
        Some("not supported for a mesh with levels of detail")
    } else if corners != mesh.faces.len() * 3 {
        Some("not supported for a mesh with invisible parts, which are in a separate scene")
    } else {
        None
    }
}

/// A stored vertex; the same for corners that share one.
type Stored = ([i16; 3], [u32; 2], [i8; 3]);

impl Corner {
    /// Converts it to the form of a mesh around a center, with this many steps per unit.
    fn stored(&self, center: [f64; 3], step: f64, is_float: bool) -> Result<Stored, Refusal> {
        let raw = [0, 1, 2].map(|axis| ((self.position[axis] - center[axis]) * step).round());
        let uv = match is_float {
            true => self.uv.map(f32::to_bits),
            false => {
                let raw = self.uv.map(|part| (f64::from(part) * 256.0).round());
                if raw.iter().any(|part| !(-32768.0..=32767.0).contains(part)) {
                    refuse!(
                        "its texture is repeated more than 128 times, which the format cannot hold"
                    );
                }
                raw.map(|part| (part as i32).cast_unsigned())
            }
        };
        Ok((raw.map(|part| part as i16), uv, packed_normal(self.normal)))
    }
}

impl Remake {
    /// The finest steps, no finer than the old ones, in which all positions can be stored.
    fn exponent(&self, before: u16, center: [f64; 3]) -> Result<u16, Refusal> {
        let all = || self.parts.values().flatten();
        let fits = |exponent: &u16| {
            let step = libm::exp2(f64::from(*exponent));
            all().all(|corner| {
                let parts = corner.position.iter().zip(center);
                parts.into_iter().all(|(part, center)| {
                    let raw = ((part - center) * step).round();
                    (-32768.0..=32767.0).contains(&raw)
                })
            })
        };
        let exponent = (0..=before.min(40)).rev().find(fits);
        exponent.ok_or_else(|| {
            refusal!("a vertex is more than 32,767 units from the center of its mesh")
        })
    }

    fn put(&mut self, mesh: &mut Mesh) -> Result<(), Refusal> {
        let many = |_| refusal!("it has more than 65,535 vertices or triangles");
        let center = mesh.center.to_array().map(f64::from);
        let exponent = self.exponent(mesh.scale_exponent, center)?;
        let step = libm::exp2(f64::from(exponent));
        let is_float = matches!(mesh.texture_coordinates, TextureCoordinates::Float(_));
        // Materials in the old order.
        let mut order: Vec<u16> = Vec::new();
        let known = mesh.face_groups.iter().map(|group| group.material);
        for slot in known.chain(self.parts.keys().map(|&(slot, _)| slot)) {
            if !order.contains(&slot) {
                order.push(slot);
            }
        }
        let mut vertices: Vec<Stored> = Vec::new();
        let (mut faces, mut face_groups, mut vertex_groups) = (Vec::new(), Vec::new(), Vec::new());
        for slot in order {
            let mut places: HashMap<Stored, u16> = HashMap::new();
            let (from, faces_before) = (vertices.len(), faces.len());
            for is_solid in [true, false] {
                let corners = self.parts.get(&(slot, is_solid)).into_iter().flatten();
                let indices = corners
                    .map(|corner| {
                        let vertex = corner.stored(center, step, is_float)?;
                        if let Some(&known) = places.get(&vertex) {
                            return Ok(known);
                        }
                        let place = u16::try_from(vertices.len()).map_err(many)?;
                        vertices.push(vertex);
                        places.insert(vertex, place);
                        Ok(place)
                    })
                    .collect::<Result<Vec<u16>, Refusal>>()?;
                let flags = match is_solid {
                    true => FaceFlags::empty(),
                    false => FaceFlags::PASSABLE,
                };
                let triangles = indices.as_chunks::<3>().0.iter();
                faces.extend(triangles.map(|&vertices| Face { flags, vertices }));
            }
            let group = |count: usize| -> Result<MaterialGroup, Refusal> {
                Ok(MaterialGroup {
                    count: u16::try_from(count).map_err(many)?,
                    material: slot,
                })
            };
            if faces.len() > faces_before {
                face_groups.push(group(faces.len() - faces_before)?);
                vertex_groups.push(group(vertices.len() - from)?);
            }
        }
        u16::try_from(vertices.len().max(faces.len())).map_err(many)?;
        if faces.is_empty() {
            refuse!("it has no triangles left");
        }
        self.slack = 0.5 / step;
        mesh.scale_exponent = exponent;
        mesh.positions = vertices.iter().map(|vertex| vertex.0).collect();
        mesh.texture_coordinates = texture_coordinates(&vertices, is_float);
        mesh.normals = vertices.iter().map(|vertex| vertex.2).collect();
        mesh.faces = faces.into();
        mesh.face_groups = face_groups.into();
        mesh.vertex_groups = vertex_groups.into();
        bound(mesh, step);
        Ok(())
    }
}

fn texture_coordinates(vertices: &[Stored], is_float: bool) -> TextureCoordinates<'static> {
    match is_float {
        true => {
            let rows = vertices.iter().map(|vertex| vertex.1.map(f32::from_bits));
            TextureCoordinates::Float(rows.map(Vec2::from).collect())
        }
        false => {
            let rows = vertices.iter();
            let rows = rows.map(|vertex| vertex.1.map(|part| part.cast_signed() as i16));
            TextureCoordinates::Fixed(rows.collect())
        }
    }
}

/// Computes radius and box anew.
fn bound(mesh: &mut Mesh, step: f64) {
    let step = (1.0 / step) as f32;
    let places = mesh
        .positions
        .iter()
        .map(|raw| raw.map(|part| f32::from(part) * step));
    let places: Vec<[f32; 3]> = places.collect();
    let reach = places.iter().map(|[x, y, z]| x * x + y * y + z * z);
    mesh.radius = F32(reach.fold(0.0, f32::max).sqrt());
    if !mesh.flags.contains(MeshFlags::BOX) {
        return;
    }
    let corner = |pick: fn(f32, f32) -> f32| {
        let found = places.iter().copied();
        let found = found.reduce(|a, b| [0, 1, 2].map(|axis| pick(a[axis], b[axis])));
        Vec3::from(found.unwrap_or_default())
    };
    (mesh.min, mesh.max) = (corner(f32::min), corner(f32::max));
}

/// Corners of a mesh by material and by whether they stop movement.
type Shown = BTreeMap<(usize, bool), Vec<([f32; 3], [f32; 3], [f32; 2])>>;

fn shown(mesh: &SceneMesh, surfaces: &[Surface]) -> Shown {
    let mut all = Shown::new();
    for (part, surface) in mesh.primitives.iter().zip(surfaces) {
        let corners = all.entry((surface.material, surface.is_solid)).or_default();
        for (corner, &position) in part.positions.iter().enumerate() {
            let normal = part.normals.get(corner).copied().unwrap_or_default();
            let uv = part.uvs.first().and_then(|rows| rows.get(corner));
            corners.push((position, normal, uv.copied().unwrap_or_default()));
        }
    }
    all
}

/// Checks that packed meshes show the triangles of the edit. Returns the largest error of a corner.
///
/// # Errors
/// One does not.
pub(super) fn check(
    scene: &Scene<'_>,
    packed: &Packed<'_>,
    remakes: &Remakes,
) -> Result<f32, Refusal> {
    let mut farthest = 0.0_f32;
    for recut in &scene.recut {
        let other = || {
            refusal!(
                "mesh {}: it has other triangles in the packed file",
                recut.mesh.name
            )
        };
        let edited = scene.matches.get(recut.node).copied().flatten();
        let node = edited.and_then(|edited| packed.node(edited));
        let node = node.and_then(|node| packed.scene.nodes.get(node));
        let number = node.and_then(|node| node.mesh).ok_or_else(other)?;
        let mesh = packed.scene.meshes.get(number).ok_or_else(other)?;
        let found = shown(mesh, &surfaces(scene, packed.scene, mesh)?);
        let own = surfaces(scene, &scene.edited, &recut.mesh)?;
        let wanted = shown(&recut.mesh, &own);
        if wanted.keys().ne(found.keys()) {
            return Err(other());
        }
        for (wanted, found) in wanted.values().zip(found.values()) {
            if wanted.len() != found.len() {
                return Err(other());
            }
            for (wanted, found) in wanted.iter().zip(found) {
                let off = |one: &[f32], other: &[f32]| {
                    let parts = one.iter().zip(other);
                    parts.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
                };
                let far = off(&wanted.0, &found.0);
                let reach = off(&wanted.0, &[0.0; 3]);
                let slack = remakes.slack(&scene.output.path, recut.base) as f32;
                let allowed = slack * 1.001 + 2e-6 * reach.max(1.0);
                let has_uv =
                    scene.base.meshes.get(recut.base).is_some_and(|mesh| {
                        mesh.primitives.iter().any(|part| !part.uvs.is_empty())
                    });
                if far > allowed
                    || off(&wanted.1, &found.1) > 0.03
                    || (has_uv && off(&wanted.2, &found.2) > 0.5 / 256.0 + 1e-5)
                {
                    return Err(other());
                }
                farthest = farthest.max(far);
            }
        }
    }
    Ok(farthest)
}
