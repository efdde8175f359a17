//! Proof that packed scene files show an edit.

use super::lights;
use super::materials;
use super::members::Members;
use super::plan::Plan;
use super::probe::vertex_at;
use super::regions::Growth;
use super::topology;
use crate::pack::edited::Refusal;
use crate::pack::rounding::RoundingReport;
use crate::pack::scene::compare::difference::MeshChange;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::everquest::clip_check;
use crate::pack::scene::everquest::corners::VertexId;
use crate::pack::scene::everquest::glow;
use crate::pack::scene::everquest::light_nodes::HasLight;
use crate::pack::scene::everquest::new_materials::Names;
use crate::pack::scene::everquest::packed::Packed;
use crate::pack::scene::everquest::proof::{Forms, Free, Proof, Rounding};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::stored_lights::StoredLight;
use crate::pack::scene::file::{Local, SceneFile};
use relicast_formats::everquest::wld::Body;

/// An edited scene with its changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct WldProof<'p> {
    pub scene: &'p Scene<'p>,
    /// The original scene files.
    pub members: &'p Members<'p>,
    pub plan: &'p Plan<'p>,
}

impl Proof for WldProof<'_> {
    const FORMS: Forms = Forms {
        position: 2e-6,
        rest: Tolerance {
            place: 0.5 / 256.0 + 1e-4,
            ..Tolerance::STORED
        },
        normal: 0.02,
        uv: 0.5 / 256.0 + 1e-5,
        uv_part: 0.0,
        uvs_need_pictures: true,
        normals_message: [
            "normal is rounded, by at most 0.01",
            "normals are rounded, by at most 0.01",
        ],
        uvs_message: [
            "texture coordinate is rounded to 256ths",
            "texture coordinates are rounded to 256ths",
        ],
        keys_message: [
            "key of a clip is rounded, to 256ths of a unit and 16,384ths of a rotation",
            "keys of clips are rounded, to 256ths of a unit and 16,384ths of a rotation",
        ],
        rests_message: [
            "bone at rest is rounded, to 256ths of a unit and 16,384ths of a rotation",
            "bones at rest are rounded, to 256ths of a unit and 16,384ths of a rotation",
        ],
        new_message: [
            "copy of a placement has the baked light of its original",
            "copies of placements have the baked light of their originals",
        ],
        gone_message: [
            "removed placement is sunk below the world, as the tools of the game did",
            "removed placements are sunk below the world, as the tools of the game did",
        ],
    };

    fn scene(&self) -> &Scene<'_> {
        self.scene
    }

    fn copies(&self, after: &mut SceneFile) -> Result<Vec<usize>, Refusal> {
        let own = self.plan.added.iter();
        let own = own.filter(|added| added.path == self.scene.output.path);
        let copies = own.map(|added| {
            let mut nodes = after.nodes.iter();
            nodes.position(|node| {
                let is_own = placement_of(node).is_some_and(|(name, index)| {
                    name.eq_ignore_ascii_case(&added.file) && index == added.index
                });
                is_own && is_same_place(added.place, node.local, Tolerance::STORED)
            })
        });
        let copies = copies.collect::<Option<_>>().ok_or_else(|| {
            refusal!("the packed scene does not show a copied placement at its position")
        })?;
        // The numbers that placements had before fragments were inserted.
        for node in &mut after.nodes {
            let place = placement_of(node);
            let member = place.and_then(|(file, _)| self.members.find(file));
            let original = member
                .zip(place)
                .map(|(member, (_, index))| self.plan.palettes.original(member, index));
            if let Some(original) = original {
                node.extras["everquest"]["index"] = original.into();
            }
        }
        Ok(copies)
    }

    fn new_lights(&self) -> (&[StoredLight], HasLight) {
        (&self.plan.new_lights.stored, lights::has_light)
    }

    fn check_others(&self, packed: &Packed<'_>, rounding: &mut Rounding) -> Result<(), Refusal> {
        let has_recuts = self.plan.recuts(self.scene).next().is_some();
        let may_be_unused = has_recuts || !self.scene.copies.gone.is_empty();
        let path = &self.scene.output.path;
        materials::check(
            self.scene,
            packed.document,
            &self.new_materials(),
            may_be_unused,
        )?;
        let said = [
            &self.plan.materials.roundings,
            &self.plan.palettes.roundings,
            &self.plan.baked,
            &self.plan.own_tracks.words,
            &self.plan.own_models.words,
        ];
        let said = said.into_iter().filter_map(|said| said.get(path)).flatten();
        rounding.notes.extend(said.cloned());
        rounding.notes.extend(self.scene.notes.iter().cloned());
        glow::check(self.scene, packed, lights::has_light)?;
        let path = &self.scene.output.path;
        let recuts = self.plan.recuts(self.scene);
        let of_mesh = |base: usize| self.plan.remakes.summary(path, Some(base));
        let farthest = topology::check(self.scene, recuts, packed, &of_mesh)?;
        let summary = self.plan.remakes.summary(path, None);
        // Models of their own have their light in their vertices.
        let own = self.plan.recuts(self.scene).filter(|recut| {
            let mut own = self.scene.own_models.iter();
            own.any(|own| own.is_shaped && own.nodes.contains(&recut.node))
        });
        let own = own.count().min(summary.objects);
        if own > 0 {
            let off = topology::off_by(farthest);
            let words = [
                "mesh of a model of its own is",
                "meshes of models of their own are",
            ];
            let words = words.map(|meshes| format!("{meshes} rebuilt{off}"));
            let mut report = RoundingReport::default();
            report.count(own, words.each_ref().map(String::as_str));
            rounding.notes.extend(report.text());
        }
        rounding.recut = summary.objects - own;
        rounding.recut_farthest = farthest;
        rounding.notes.extend(summary.describe(farthest));
        let growth = self.plan.growths.get(path);
        rounding.notes.extend(growth.and_then(Growth::describe));
        let edits = self.plan.outcomes.iter().filter(|(place, _)| {
            let edit = self.plan.shapes.meshes.get(*place);
            edit.is_some_and(|edit| edit.path == *path)
        });
        let rounded: usize = edits.map(|(_, outcome)| outcome.rounded).sum();
        rounding.vertices = rounded + summary.rounded;
        Ok(())
    }

    fn new_materials(&self) -> Names {
        self.plan.palettes.names(&self.scene.output.path)
    }

    fn is_light(&self, node: usize) -> bool {
        lights::is_light(&self.scene.base_document, node)
    }

    fn place(&self, _node: usize) -> Option<Local> {
        None
    }

    fn follows(&self, node: usize, found: Local) -> bool {
        clip_check::is_rest(self.scene, node, found)
    }

    fn check_recut(
        &self,
        mesh: usize,
        _packed: &Packed<'_>,
        _now: usize,
        _rounding: &mut Rounding,
    ) -> Result<bool, Refusal> {
        // They were compared with the materials.
        Ok(self.is_rebuilt(mesh))
    }

    fn is_rebuilt(&self, mesh: usize) -> bool {
        self.plan.recuts(self.scene).any(|recut| recut.base == mesh)
    }

    fn free(&self, node: usize, _change: Option<&MeshChange>) -> Option<Vec<Vec<Free>>> {
        let numbered = self.plan.numbered.get(&self.scene.output.path);
        let codes = numbered.and_then(|numbered| {
            let mesh = numbered.nodes.get(node)?.mesh?;
            numbered.meshes.get(mesh)
        });
        let free = |&coded: &[f32; 3]| match vertex_at(coded, self.members) {
            Some(id) => Free {
                slack: self.slack(id),
                normal: self.follows_faces(id),
                turned: self.is_turned(id),
                ..Free::default()
            },
            None => Free::default(),
        };
        let parts = codes.into_iter().flat_map(|codes| &codes.primitives);
        Some(
            parts
                .map(|part| part.positions.iter().map(free).collect())
                .collect(),
        )
    }

    fn recut_message(farthest: f32) -> [String; 2] {
        let off = topology::off_by(farthest);
        ["mesh is", "meshes are"].map(|meshes| {
            format!(
                "{meshes} rebuilt{off}; baked light of placements no longer fits meshes with other corners"
            )
        })
    }
}

impl WldProof<'_> {
    /// Largest allowed difference of the position of a vertex in its scene.
    fn slack(&self, id: VertexId) -> f32 {
        let (Some(outcome), Some(edit)) = (
            self.plan.outcomes.get(&id.mesh),
            self.plan.shapes.meshes.get(&id.mesh),
        ) else {
            return 0.0;
        };
        if outcome.moved.is_empty() && outcome.rounded == 0 {
            return 0.0;
        }
        let size = edit.bones.as_ref().map_or(1.0, |bones| {
            // All axes may be off at once, and be rotated onto one.
            let place = bones.place(id.vertex);
            let axes = [place.x_axis, place.y_axis, place.z_axis];
            axes.map(|axis| axis.length()).into_iter().sum::<f64>()
        });
        (outcome.slack * size) as f32
    }

    /// Returns true when a normal is stored anew.
    fn is_turned(&self, id: VertexId) -> bool {
        let mesh = self.plan.shapes.meshes.get(&id.mesh);
        let edit = mesh.and_then(|mesh| mesh.vertices.get(&id.vertex));
        edit.is_some_and(|edit| edit.normal.is_some())
    }

    /// Returns true when the normal of a vertex is not stored but derived from its faces, and these were moved.
    fn follows_faces(&self, id: VertexId) -> bool {
        let outcome = self.plan.outcomes.get(&id.mesh);
        if outcome.is_none_or(|outcome| outcome.moved.is_empty() && outcome.rounded == 0) {
            return false;
        }
        match self.members.body(id.mesh) {
            Some(Body::Mesh(mesh)) => mesh.normal(id.vertex).is_none(),
            Some(Body::LegacyMesh(mesh)) => {
                let normal = mesh.normals.get(id.vertex);
                normal.is_none_or(|normal| {
                    let parts = normal.to_array();
                    parts == [0.0; 3] || !parts.iter().all(|part| part.is_finite())
                })
            }
            _ => false,
        }
    }
}
