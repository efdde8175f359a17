//! Meshes whose triangles or surfaces changed: removed triangles leave the list, and new triangles are appended.
//! Corners without a matching vertex get new vertices, which are appended too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::bones::{self, has_bones};
use super::members::{Body, Member, Members};
use super::new_surfaces::NewSurfaces;
use super::probe::{List, colors_mut};
use super::scenes::Coded;
use super::shapes::{list_of, relight, vertices_of};
use super::surfaces::places_of;
use super::vertices::{NewVertex, Old, Vertices};
use crate::config::EverQuest;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::compare::pairing::{Pairs, Triangle as Paired, Twin, pair};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::everquest::corners::{VertexId, meshes_of};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::recut::{MaterialAssignment, Recut, is_solid};
use crate::pack::scene::everquest::vertex_edits::ELSEWHERE;
use crate::pack::scene::exporter::weights;
use crate::pack::scene::file::SceneMesh;
use relicast_codec::{Vec2, Vec3};
use relicast_formats::everquest::eqg::parts::{Triangle, TriangleFlags, Vertex};

/// A piece to rebuild.
#[derive(Debug)]
struct Remake {
    path: String,
    /// The original mesh of the scene.
    base: usize,
    vertices: Vec<NewVertex>,
    triangles: Vec<Triangle>,
    /// The list of baked light with the colors of the scene.
    light: Option<List>,
}

/// Pieces to rebuild.
#[derive(Debug, Default)]
pub(super) struct Remakes(BTreeMap<Place, Remake>);

/// Stored form of the triangles of a surface.
#[derive(Debug, Clone, Copy)]
struct Slot {
    material: i32,
    flags: TriangleFlags,
}

impl Remakes {
    /// True if a piece is rebuilt.
    pub(super) fn has(&self, place: Place) -> bool {
        self.0.contains_key(&place)
    }

    /// True if the colors of an original mesh of a scene are stored.
    pub(super) fn stores_colors(&self, path: &str, base: usize) -> bool {
        let mut all = self.0.values();
        all.any(|one| one.path == path && one.base == base && one.light.is_some())
    }

    /// The pieces.
    pub(super) fn places(&self) -> impl Iterator<Item = (Place, &str)> {
        let all = self.0.iter();
        all.map(|(&place, remake)| (place, &*remake.path))
    }

    /// Collects the meshes of a scene with other triangles.
    ///
    /// # Errors
    /// They are of another archive, or a change has no place in the file.
    pub(super) fn take(
        &mut self,
        coded: &Coded<'_, '_>,
        new: &NewSurfaces,
        members: &Members<'_>,
        options: &EverQuest,
    ) -> Result<(), Refusal> {
        for recut in &coded.recut {
            self.take_mesh(coded, recut, new, (members, options))
                .map_err(|refusal| {
                    let name = coded.scene.name(recut.node);
                    refusal!("mesh of node {name}: {refusal}")
                })?;
        }
        Ok(())
    }

    fn take_mesh(
        &mut self,
        coded: &Coded<'_, '_>,
        recut: &Recut,
        new: &NewSurfaces,
        (members, options): (&Members<'_>, &EverQuest),
    ) -> Result<(), Refusal> {
        let (base, codes) = meshes_of(coded.scene, &coded.numbered, recut.node)?;
        let parts = base.primitives.iter().zip(&codes.primitives);
        let ids = parts.map(|(base, coded)| {
            let ids = vertices_of(base, coded, members).into_iter();
            ids.collect::<Option<Vec<VertexId>>>()
        });
        let ids: Option<Vec<Vec<VertexId>>> = ids.collect();
        let ids = ids.ok_or_else(|| Refusal::new(ELSEWHERE))?;
        let pieces: BTreeSet<Place> = ids.iter().flatten().map(|id| id.mesh).collect();
        let single = pieces.first().filter(|_| pieces.len() == 1);
        let place = *single.ok_or_else(|| recut.reason.clone())?;
        let node = coded.scene.base.nodes.get(recut.node);
        let is_terrain = coded.is_zone
            && node
                .and_then(placement_of)
                .is_some_and(|(_, index)| index == 0);
        let is_own = coded.has_own_model(recut.node);
        if !is_terrain && !is_own && coded.member != Some(place.member) {
            refuse!(
                "{}; to change the triangles of a model, edit its own scene, not a placement",
                recut.reason
            );
        }
        let numbers = ids.iter();
        let ids: Vec<Vec<usize>> = numbers
            .map(|list| list.iter().map(|id| id.vertex).collect())
            .collect();
        let maker = Maker {
            coded,
            recut,
            base,
            light: list_of((base, codes), &ids, place, members, options),
            ids,
            place,
            new,
            members,
        };
        let remake = maker.make()?;
        match self.0.insert(place, remake) {
            Some(_) => Err(refusal!(
                "several edited scenes change it; edit it in one scene"
            )),
            None => Ok(()),
        }
    }

    /// Rebuilds the pieces, and extends lists of baked light with them.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(
        &self,
        members: &mut Members<'_>,
        options: &EverQuest,
    ) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&place, remake) in &self.0 {
            let Some(file) = members.files.get(place.member) else {
                continue;
            };
            let Some(old) = file.piece(place.index).map(|piece| piece.vertices.len()) else {
                continue;
            };
            let start = file.first_vertex(place.index);
            let total = file.first_vertex(file.pieces());
            let name = file.name.clone();
            let like: Vec<usize> = remake.vertices.iter().map(|new| new.like).collect();
            for list in lists_of(members, &name, total) {
                grow(members, list, start, old, &like);
            }
            let put = match members.edit(place.member) {
                Some(file) => remake.put(file, place.index),
                None => Ok(()),
            };
            let first = match remake.light {
                Some(List::Own(_)) => old,
                _ => start + old,
            };
            if let Err(refusal) = put.and_then(|()| remake.light_up(members, first, options)) {
                let reason = refusal!("{name}: {refusal}");
                refusals.push((remake.path.clone(), reason));
            }
        }
        unless_refused((), refusals)
    }
}

/// A mesh that is being rebuilt.
struct Maker<'m, 'c, 'j> {
    coded: &'m Coded<'c, 'j>,
    recut: &'m Recut,
    base: &'m SceneMesh,
    /// The vertices of the corners of the original mesh.
    ids: Vec<Vec<usize>>,
    light: Option<List>,
    place: Place,
    new: &'m NewSurfaces,
    members: &'m Members<'m>,
}

impl Maker<'_, '_, '_> {
    fn make(&self) -> Result<Remake, Refusal> {
        let scene = self.coded.scene;
        let file = self.members.files.get(self.place.member);
        let file = file.ok_or_else(|| Refusal::new(ELSEWHERE))?;
        let piece = file.piece(self.place.index);
        let piece = piece.ok_or_else(|| Refusal::new(ELSEWHERE))?;
        let edit = &self.recut.mesh;
        if edit.primitives.iter().any(|part| !part.is_triangles) {
            refuse!("a primitive of it has no triangles");
        }
        let places = places_of(self.coded, self.members);
        let shown = self.shown(file, piece.triangles, &places);
        let parts = edit.primitives.iter();
        let assignments =
            parts.map(|part| MaterialAssignment::new(&scene.base, &scene.edited, part));
        let assignments = assignments.collect::<Result<Vec<MaterialAssignment>, _>>()?;
        let slots = self.slots(&shown, piece.triangles, &places, &assignments);
        let bones = [
            weights(&scene.base_document, self.recut.base, self.base, Some)?,
            weights(&scene.edited_document, self.recut.edited, edit, Some)?,
        ];
        let old = Old {
            base: self.base,
            ids: &self.ids,
            count: piece.vertices.len(),
            is_turned: piece.is_turned,
            bones: has_bones(file).then_some(&bones),
            edited: edit,
            is_own: self.coded.has_own_model(self.recut.node),
            is_lit: self.light.is_some(),
        };
        let mut vertices = Vertices::new(old, Tolerance::EXACT);
        let mut kept: BTreeMap<usize, Triangle> = BTreeMap::new();
        let mut new = Vec::new();
        for (triangle, twin) in &self.pairs(&assignments).new {
            let corners = self.corners(*triangle, *twin, &mut vertices)?;
            let own = twin.and_then(|twin| {
                let list = shown.get(twin.triangle.primitive)?;
                let index = list.get(twin.triangle.first / 3).copied().flatten()?;
                let vertices = [0, 1, 2].map(|step: usize| corners[(step + twin.turn) % 3]);
                Some((index, vertices))
            });
            if let Some((index, vertices)) = own {
                let stored = piece.triangles.get(index).copied().unwrap_or_default();
                kept.insert(index, Triangle { vertices, ..stored });
                continue;
            }
            let slot = slots.get(triangle.primitive).copied().flatten();
            let slot = slot.ok_or_else(|| {
                refusal!("a primitive of it has a material that the game file does not have")
            })?;
            new.push(Triangle {
                vertices: corners,
                material: slot.material,
                flags: slot.flags,
            });
        }
        let was_shown: BTreeSet<usize> = shown.iter().flatten().filter_map(|it| *it).collect();
        let all = piece.triangles.iter().enumerate();
        let stay = all.filter_map(|(index, triangle)| match was_shown.contains(&index) {
            true => kept.get(&index).copied(),
            false => Some(*triangle),
        });
        Ok(Remake {
            path: scene.output.path.clone(),
            base: self.recut.base,
            triangles: stay.chain(new).collect(),
            vertices: vertices.new,
            light: self.light,
        })
    }

    /// The triangles of the edit, each with its original if it has one.
    fn pairs(&self, assignments: &[MaterialAssignment]) -> Pairs {
        let fits = |old: usize, new: usize| {
            let parts = (self.base.primitives.get(old), assignments.get(new));
            let (Some(old), Some(assignments)) = parts else {
                return false;
            };
            old.material == assignments.material && is_solid(old) == assignments.is_solid
        };
        let tolerances = [Tolerance::EXACT, Tolerance::FOREIGN];
        pair(self.base, &self.recut.mesh, &tolerances, &fits)
    }

    /// The vertices of the corners of a triangle of the edit.
    fn corners(
        &self,
        triangle: Paired,
        twin: Option<Twin>,
        vertices: &mut Vertices<'_>,
    ) -> Result<[u32; 3], Refusal> {
        let mut corners = [0_u32; 3];
        for (step, corner) in corners.iter_mut().enumerate() {
            let twin = twin.map(|twin| (twin.triangle.primitive, twin.corner(step)));
            let vertex = vertices.of(triangle.primitive, triangle.first + step, twin)?;
            *corner = u32::try_from(vertex)
                .map_err(|_| refusal!("it has more vertices than the file can hold"))?;
        }
        Ok(corners)
    }

    /// For each original primitive and each of its triangles the triangle of the file.
    fn shown(
        &self,
        file: &Member,
        triangles: &[Triangle],
        places: &BTreeMap<usize, BTreeSet<Place>>,
    ) -> Vec<Vec<Option<usize>>> {
        let mut known: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (index, triangle) in triangles.iter().enumerate().rev() {
            known.entry(triangle.vertices).or_default().push(index);
        }
        let name = |material: usize| {
            let (materials, strings) = file.materials()?;
            Some(strings.text(materials.get(material)?.name))
        };
        let parts = self.base.primitives.iter().zip(&self.ids);
        let lists = parts.map(|(part, ids)| {
            let own = part.material.and_then(|material| places.get(&material));
            let own = own.into_iter().flatten();
            let own = own.filter(|own| own.member == self.place.member);
            let names: BTreeSet<String> = own.filter_map(|place| name(place.index)).collect();
            // Others at the same corners may have another material, or none.
            let is_own = |index: &usize| {
                triangles.get(*index).is_some_and(|triangle| {
                    let material = usize::try_from(triangle.material).ok().and_then(name);
                    let is_assigned = material.is_some_and(|name| names.contains(&name));
                    let is_passable = triangle.flags.contains(TriangleFlags::PASSABLE);
                    is_assigned && is_passable != is_solid(part)
                })
            };
            let found = ids.chunks_exact(3).map(|corners| {
                let key: Vec<u32> = corners
                    .iter()
                    .filter_map(|&vertex| u32::try_from(vertex).ok())
                    .collect();
                let key: [u32; 3] = key.try_into().ok()?;
                let all = known.get_mut(&key)?;
                let last = all.iter().rposition(is_own)?;
                Some(all.remove(last))
            });
            found.collect()
        });
        lists.collect()
    }

    /// Stored form of the triangles of each primitive of the edit; `None` where the file has no material for them.
    fn slots(
        &self,
        shown: &[Vec<Option<usize>>],
        triangles: &[Triangle],
        places: &BTreeMap<usize, BTreeSet<Place>>,
        assignments: &[MaterialAssignment],
    ) -> Vec<Option<Slot>> {
        let parts = self.base.primitives.iter().zip(shown);
        let known = parts.filter_map(|(part, shown)| {
            let triangle = triangles.get(shown.iter().find_map(|it| *it)?)?;
            // Smoothing groups belong to the triangles that they were made for.
            let flags = TriangleFlags::from_bits_retain(triangle.flags.bits() & 0xFFFF);
            let slot = Slot {
                material: triangle.material,
                flags,
            };
            Some((part.material, is_solid(part), slot))
        });
        let known: Vec<(Option<usize>, bool, Slot)> = known.collect();
        let of_file = |material: usize| {
            let mut own = places.get(&material).into_iter().flatten();
            let found = own.find(|own| own.member == self.place.member);
            let found = found.map(|found| found.index).or_else(|| {
                let key = (&*self.coded.scene.output.path, material);
                self.new.slot(self.members, self.place.member, key)
            });
            let material = i32::try_from(found?).ok()?;
            Some(Slot {
                material,
                flags: TriangleFlags::empty(),
            })
        };
        let slots = assignments
            .iter()
            .map(|&MaterialAssignment { material, is_solid }| {
                let mut own = known.iter().filter(|(own, ..)| *own == material);
                let exact = own.clone().find(|(_, was_solid, _)| *was_solid == is_solid);
                let found = exact.or_else(|| own.next()).map(|(_, _, slot)| *slot);
                let mut found = found.or_else(|| of_file(material?));
                if let Some(slot) = &mut found {
                    slot.flags.set(TriangleFlags::PASSABLE, !is_solid);
                }
                found
            });
        slots.collect()
    }
}

impl Remake {
    /// Gives new vertices their own colors; the first one is the color `first` of the list.
    fn light_up(
        &self,
        members: &mut Members<'_>,
        first: usize,
        options: &EverQuest,
    ) -> Result<(), Refusal> {
        let Some(list) = self.light else {
            return Ok(());
        };
        let mut stored = colors_mut(members, list).into_iter().skip(first);
        for new in &self.vertices {
            if let (Some(stored), Some(color)) = (stored.next(), new.color) {
                relight(stored, color, options)?;
            }
        }
        Ok(())
    }

    fn put(&self, file: &mut Member, piece: usize) -> Result<(), Refusal> {
        let lost = || refusal!("the game file no longer has it");
        let bones = self.vertices.iter();
        let bones = bones.map(|new| (new.weights, new.like));
        bones::add(file, piece, &bones.collect::<Vec<_>>());
        let vertices = file.vertices_mut(piece).ok_or_else(lost)?;
        for new in &self.vertices {
            let like = vertices.get(new.like).cloned().ok_or_else(lost)?;
            let uv = |own: Vec2, wanted: Option<[f32; 2]>| wanted.map_or(own, Vec2::from);
            vertices.push(Vertex {
                position: Vec3::from(new.corner.position),
                normal: Vec3::from(new.corner.normal),
                uv: uv(like.uv, new.corner.uvs[0]),
                uv2: uv(like.uv2, new.corner.uvs[1]),
                ..like
            });
        }
        match &mut file.body {
            Body::Mesh(mesh) => {
                if !mesh.tail.uvs.is_empty() {
                    for new in &self.vertices {
                        let like = mesh.tail.uvs.get(new.like).copied().unwrap_or_default();
                        let wanted = new.corner.uvs[1];
                        mesh.tail.uvs.push(wanted.map_or(like, Vec2::from));
                    }
                }
                mesh.triangles.clone_from(&self.triangles);
            }
            Body::Creature(creature) => {
                let piece = creature.pieces.get_mut(piece).ok_or_else(lost)?;
                piece.triangles.clone_from(&self.triangles);
            }
            _ => return Err(lost()),
        }
        Ok(())
    }
}

/// The lists of baked light of the placements of a model, if they fit it.
fn lists_of(members: &Members<'_>, model: &str, vertices: usize) -> BTreeSet<List> {
    let mut all = BTreeSet::new();
    for (member, file) in members.files.iter().enumerate() {
        let Some(zone) = file.zone() else { continue };
        for (index, placement) in zone.placements.iter().enumerate() {
            let own = usize::try_from(placement.model).ok();
            let own = own.and_then(|own| zone.models.get(own));
            let is_own =
                own.is_some_and(|&name| zone.strings.text(name).eq_ignore_ascii_case(model));
            if !is_own {
                continue;
            }
            let colors = placement.colors.as_ref();
            if colors.is_some_and(|colors| colors.len() == vertices && vertices > 0) {
                all.insert(List::Placement(Place { member, index }));
            }
            let light = format!("{}.lit", zone.strings.text(placement.name));
            let light = members.find(&light).filter(|&light| {
                let file = members.files.get(light).map(|file| &file.body);
                matches!(file, Some(Body::Light(light)) if light.colors.len() == vertices)
            });
            all.extend(light.map(List::Light));
        }
    }
    all
}

/// Extends a list of baked light with the light of new vertices: that of the vertices they are modeled on. They follow
/// the `old` ones of their piece, which begin at `start`.
fn grow(members: &mut Members<'_>, list: List, start: usize, old: usize, like: &[usize]) {
    if matches!(list, List::Own(_)) {
        return;
    }
    let file = members.edit(list.member());
    let Some(file) = file.filter(|_| !like.is_empty()) else {
        return;
    };
    let colors = match (list, &mut file.body) {
        (List::Light(_), Body::Light(light)) => &mut light.colors,
        (List::Placement(place), Body::Zone(zone)) => {
            let placement = zone.placements.get_mut(place.index);
            match placement.and_then(|placement| placement.colors.as_mut()) {
                Some(colors) => colors,
                None => return,
            }
        }
        _ => return,
    };
    let new = like.iter();
    let new = new.map(|&like| colors.get(start.saturating_add(like)).copied());
    let new: Vec<[u8; 4]> = new.map(Option::unwrap_or_default).collect();
    let at = start.saturating_add(old).min(colors.len());
    colors.splice(at..at, new);
}
