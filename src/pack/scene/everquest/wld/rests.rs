//! Vertices of bones that an edit moves at rest. They are stored in the spaces of their bones, and stay where they are in
//! the model.

use std::sync::Arc;

use glam::{DMat4, DVec3};

use super::keys;
use super::members::Members;
use super::shapes::{Bones, Shapes, skeletons, stored_vertices};
use crate::pack::edited::{IN_TWO_STEPS, Refusal};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::tracks::Tracks;
use relicast_convert::{joint_places, skinned_meshes};
use relicast_formats::everquest::wld::{Body, Wld};

/// Largest difference of matrices that are equal.
const SAME: f64 = 1e-9;

/// Meshes of a skeleton with edited poses at rest, and the bones that move them.
pub(super) type PosedMeshes = Vec<(Place, Arc<Bones>)>;

impl Shapes {
    /// Finds the meshes of the skeleton whose poses at rest a scene edits, with the transforms of its bones as they are
    /// stored then. Edits of vertices use these.
    ///
    /// # Errors
    /// The format cannot hold a pose, or other skeletons have it, or one of the meshes, too.
    pub(super) fn pose(
        &mut self,
        (job, scene): (&Job<'_>, &Scene<'_>),
        members: &Members<'_>,
        rests: &Tracks,
    ) -> Result<PosedMeshes, Refusal> {
        let mut posed = Members::open(job.original)?;
        if let Err(refusals) = keys::put(rests, &mut posed) {
            let first = refusals.into_iter().next();
            return Err(first.map_or_else(|| refusal!("its poses cannot be stored"), |it| it.1));
        }
        let own = scene.output.member.as_deref().unwrap_or_default();
        let model = own.rsplit_once('/').map_or("", |(_, model)| model);
        let mut all = PosedMeshes::new();
        let mut found = None;
        for (member, (before, after)) in members.files.iter().zip(&posed.files).enumerate() {
            let (before, after) = (&before.body, &after.body);
            for (index, skeleton) in skeletons(before) {
                let places = joint_places(after, skeleton);
                if places == joint_places(before, skeleton) {
                    continue;
                }
                if found.replace((member, index)).is_some() {
                    refuse!(
                        "other models of the archive have the same pose of this bone at rest, and would change with it; move the bone in a clip"
                    );
                }
                for mesh in skinned_meshes(before, skeleton, model) {
                    let others = skeletons(before).filter(|(other, skeleton)| {
                        *other != index && skinned_meshes(before, skeleton, "").contains(&mesh)
                    });
                    if others.count() > 0 {
                        refuse!(
                            "other models of the archive have the mesh of this bone, and would change with it; move the bone in a clip"
                        );
                    }
                    let bones = Bones::new(before, (index, skeleton), mesh);
                    let Some(bones) = bones else { continue };
                    let bones = Arc::new(Bones {
                        places: places.clone(),
                        ..bones
                    });
                    let place = Place {
                        member,
                        index: mesh,
                    };
                    self.origins.insert(place, Some(bones.clone()));
                    all.push((place, bones));
                }
            }
        }
        Ok(all)
    }

    /// Stores the vertices of moved bones anew, so that they stay where they are.
    ///
    /// # Errors
    /// A mesh is rebuilt too.
    pub(super) fn follow_bones(
        &mut self,
        scene: &Scene<'_>,
        posed: PosedMeshes,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        if let Some(recut) = scene.recut.first().filter(|_| !posed.is_empty()) {
            refuse!(
                "mesh of node {}: its triangles changed, and bones moved at rest; {IN_TWO_STEPS}",
                scene.name(recut.node)
            );
        }
        for (place, bones) in posed {
            let file = members.files.get(place.member);
            let vertices = file.map_or_else(Vec::new, |file| vertices(&file.body, place.index));
            let mesh = self.mesh(place, scene);
            for (vertex, (position, normal)) in vertices.into_iter().enumerate() {
                let Some(matrix) = turn(&bones, vertex) else {
                    continue;
                };
                let wide = |parts: [f32; 3]| DVec3::from_array(to_scene(parts).map(f64::from));
                let edit = mesh.vertices.entry(vertex).or_default();
                if edit.position == [None; 3] {
                    let there = matrix.transform_point3(wide(position)).to_array();
                    edit.position = to_file(there).map(Some);
                }
                let normal = normal.filter(|_| edit.normal.is_none());
                if let Some(normal) = normal {
                    let turned = matrix.transform_vector3(wide(normal)).try_normalize();
                    edit.normal = turned.map(|turned| to_file(turned.to_array()));
                }
            }
            mesh.bones = Some(bones);
        }
        Ok(())
    }
}

/// The stored positions and normals of a mesh.
fn vertices(wld: &Wld<'static>, mesh: usize) -> Vec<([f32; 3], Option<[f32; 3]>)> {
    let normal = |vertex: usize| match &wld.fragments.get(mesh)?.body {
        Body::Mesh(mesh) => mesh.normal(vertex),
        Body::LegacyMesh(mesh) => {
            let normal = mesh.normals.get(vertex)?.to_array();
            let is_stored = normal != [0.0; 3] && normal.iter().all(|part| part.is_finite());
            is_stored.then_some(normal)
        }
        _ => None,
    };
    let stored = stored_vertices(wld, mesh).map(|(positions, _)| positions);
    let positions = stored.unwrap_or_default().into_iter().enumerate();
    positions
        .map(|(vertex, position)| (position, normal(vertex)))
        .collect()
}

/// The matrix from the old to the new stored position of a vertex; `None` if these are equal.
fn turn(bones: &Bones, vertex: usize) -> Option<DMat4> {
    let matrix = bones.place(vertex).inverse() * bones.place_before(vertex);
    let is_other = !matrix.abs_diff_eq(DMat4::IDENTITY, SAME);
    (is_other && matrix.is_finite()).then_some(matrix)
}
