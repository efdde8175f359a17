//! Proof that packed members of an archive in EQG format show an edit.

use std::collections::HashMap;

use super::bones;
use super::lamps;
use super::members::Members;
use super::placements::Added;
use super::plan::Plan;
use super::probe::Code;
use super::scenes::Coded;
use super::shapes::{follows_faces, vertices_of};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::MeshChange;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::compare::triangle_check::shows_all;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::glow;
use crate::pack::scene::everquest::light_nodes::HasLight;
use crate::pack::scene::everquest::new_materials::Names;
use crate::pack::scene::everquest::packed::Packed;
use crate::pack::scene::everquest::proof::{Forms, Free, Proof, Rounding};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::stored_lights::StoredLight;
use crate::pack::scene::exporter::weights;
use crate::pack::scene::file::{Local, SceneFile, SceneMesh};

/// An edited scene with its changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct EqgProof<'p> {
    pub coded: &'p Coded<'p, 'p>,
    /// The original members.
    pub members: &'p Members<'p>,
    pub plan: &'p Plan<'p, 'p>,
}

impl Proof for EqgProof<'_> {
    const FORMS: Forms = Forms {
        position: 0.0,
        rest: Tolerance::STORED,
        normal: 1e-3,
        uv: 0.0,
        uv_part: 1e-6,
        uvs_need_pictures: false,
        normals_message: [
            "normal is rounded, by at most 0.001",
            "normals are rounded, by at most 0.001",
        ],
        uvs_message: [
            "texture coordinate is rounded, by at most 0.00001",
            "texture coordinates are rounded, by at most 0.00001",
        ],
        keys_message: [
            "key of a clip is rounded, by at most 0.0002",
            "keys of clips are rounded, by at most 0.0002",
        ],
        rests_message: [
            "bone at rest is rounded, by at most 0.0002",
            "bones at rest are rounded, by at most 0.0002",
        ],
        new_message: [
            "copy of a placement has the name and the baked light of its original",
            "copies of placements have the names and the baked light of their originals",
        ],
        gone_message: [
            "placement was removed; its baked light stays in the archive",
            "placements were removed; their baked light stays in the archive",
        ],
    };

    fn scene(&self) -> &Scene<'_> {
        self.coded.scene
    }

    /// Gives the packed placements their old numbers too.
    fn copies(&self, after: &mut SceneFile) -> Result<Vec<usize>, Refusal> {
        let mut copies = Vec::new();
        let Some(member) = self.coded.member.filter(|_| self.coded.is_zone) else {
            return Ok(copies);
        };
        let own = self.plan.added.iter();
        let own = own.filter(|added| added.path == self.coded.scene.output.path);
        let own: Vec<&Added> = own.collect();
        for (number, node) in after.nodes.iter_mut().enumerate() {
            let Some((_, index)) = placement_of(node) else {
                continue;
            };
            match own.iter().find(|added| added.index == index) {
                Some(added) if is_same_place(added.place, node.local, Tolerance::STORED) => {
                    copies.push(number);
                }
                Some(_) => break,
                None => {
                    let before = self.plan.placements.number_before(member, index);
                    node.extras["everquest"]["index"] = before.into();
                    let place = Place {
                        member,
                        index: before,
                    };
                    if let Some(twin) = self.plan.own_models.twin_of(place) {
                        node.extras["everquest"]["model"] = twin.into();
                    }
                }
            }
        }
        match copies.len() == own.len() {
            true => Ok(copies),
            false => Err(refusal!(
                "the packed zone does not show a copied placement at its position"
            )),
        }
    }

    fn new_lights(&self) -> (&[StoredLight], HasLight) {
        (&self.plan.lamps.stored, lamps::has_light)
    }

    fn check_others(&self, packed: &Packed<'_>, rounding: &mut Rounding) -> Result<(), Refusal> {
        glow::check(self.coded.scene, packed, lamps::has_light)?;
        let (surfaces, new) = (&self.plan.surfaces, &self.plan.new_surfaces);
        let path = &self.coded.scene.output.path;
        let said = [
            &surfaces.roundings,
            &self.plan.baked,
            &self.plan.own_models.words,
        ];
        let said = said.into_iter().filter_map(|said| said.get(path)).flatten();
        rounding.notes.extend(said.cloned());
        rounding
            .notes
            .extend(self.coded.scene.notes.iter().cloned());
        new.check(self.coded, packed.document)?;
        surfaces.check(self.coded, packed.document, self.members)
    }

    fn new_materials(&self) -> Names {
        self.plan.new_surfaces.names(&self.coded.scene.output.path)
    }

    fn is_light(&self, node: usize) -> bool {
        matches!(self.coded.code(node), Some(Code::Lamp(_)))
    }

    fn place(&self, node: usize) -> Option<Local> {
        // Nodes that are not drawn follow their placement.
        self.plan.placements.moved(self.coded.placement(node)?)
    }

    fn follows(&self, _node: usize, _found: Local) -> bool {
        false
    }

    fn is_rebuilt(&self, mesh: usize) -> bool {
        self.coded.recut.iter().any(|recut| recut.base == mesh)
    }

    /// Colors of its vertices follow.
    fn check_recut(
        &self,
        mesh: usize,
        packed: &Packed<'_>,
        number: usize,
        rounding: &mut Rounding,
    ) -> Result<bool, Refusal> {
        let mut recut = self.coded.recut.iter();
        let Some(recut) = recut.find(|recut| recut.base == mesh) else {
            return Ok(false);
        };
        let now = packed.scene.meshes.get(number);
        let now = now.ok_or_else(|| refusal!("it has no mesh in the packed file"))?;
        let scenes = ScenePair {
            base: &self.coded.scene.base,
            edited: &self.coded.scene.edited,
        };
        let path = &self.coded.scene.output.path;
        let [shown, wanted] = match self.plan.remakes.stores_colors(path, mesh) {
            true => [now.clone(), with_light(&recut.mesh, now)],
            false => [without_colors(now), without_colors(&recut.mesh)],
        };
        let otherwise = shows_all(packed.scene, &shown, scenes, &wanted)?;
        let document = &self.coded.scene.edited_document;
        let wanted = weights(document, recut.edited, &recut.mesh, Some)?;
        let found = weights(packed.document, number, now, Some)?;
        bones::check((&recut.mesh, &wanted), (now, &found))?;
        rounding.recut += 1;
        rounding.normals += otherwise.normals;
        Ok(true)
    }

    fn free(&self, node: usize, change: Option<&MeshChange>) -> Option<Vec<Vec<Free>>> {
        let (coded, plan) = (self.coded, self.plan);
        let path = &coded.scene.output.path;
        let [before, codes] = [&coded.scene.base, &coded.numbered].map(|file| {
            let mesh = file.nodes.get(node).and_then(|node| node.mesh);
            let mesh = mesh.and_then(|mesh| file.meshes.get(mesh));
            mesh.map_or(&[][..], |mesh| &*mesh.primitives)
        });
        let mut all = Vec::with_capacity(before.len());
        for (number, (before, codes)) in before.iter().zip(codes).enumerate() {
            let changes = change.and_then(|change| change.corners.get(number));
            let mut free = Vec::with_capacity(before.positions.len());
            for (corner, id) in vertices_of(before, codes, self.members)
                .into_iter()
                .enumerate()
            {
                let Some(id) = id else {
                    free.push(Free::default());
                    continue;
                };
                if plan.remakes.has(id.mesh) {
                    return None;
                }
                let change = changes.and_then(|changes| changes.get(corner));
                let is_edited = change.is_some_and(|change| change.is_any());
                free.push(Free {
                    slack: 0.0,
                    shape: !is_edited && plan.shapes.is_reported_elsewhere(id.mesh, path),
                    color: plan.shapes.is_lit_elsewhere(id.mesh, path),
                    normal: plan.shapes.has(id.mesh) && follows_faces(self.members, id),
                    turned: false,
                });
            }
            all.push(free);
        }
        Some(all)
    }

    fn recut_message(_farthest: f32) -> [String; 2] {
        ["mesh has", "meshes have"].map(|meshes| format!("{meshes} other triangles; new vertices without a color have the light of the nearest one, and unused vertices stay"))
    }
}

fn without_colors(mesh: &SceneMesh) -> SceneMesh {
    let mut mesh = mesh.clone();
    let parts = mesh.primitives.iter_mut();
    parts.for_each(|part| part.colors.clear());
    mesh
}

/// A mesh in which white corners, which programs write for new triangles, have the colors of a packed one.
fn with_light(mesh: &SceneMesh, packed: &SceneMesh) -> SceneMesh {
    let mut light: HashMap<[u32; 3], [f32; 3]> = HashMap::new();
    let bits = |place: &[f32; 3]| place.map(|part| (part + 0.0).to_bits());
    for part in &packed.primitives {
        for (place, color) in part.positions.iter().zip(&part.colors) {
            let known = light.entry(bits(place)).or_insert(*color);
            // A corner that is white there may be the one.
            if color.iter().all(|part| *part > 0.99) {
                *known = *color;
            }
        }
    }
    let mut mesh = mesh.clone();
    for part in &mut mesh.primitives {
        part.colors.resize(part.positions.len(), [1.0; 3]);
        for (place, color) in part.positions.iter().zip(&mut part.colors) {
            if let Some(known) = light.get(&bits(place)).filter(|_| *color == [1.0; 3]) {
                *color = *known;
            }
        }
    }
    mesh
}
