//! Geometry to meshes of a scene: a primitive for each material, separate for faces that stop movement and
//! faces that do not. Order and number of the vertices do not change.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::options::{ConvertOptions, VertexAnimation};
use relicast_formats::everquest::wld::Bgra;
use relicast_scene::extras::{ObjectExtras, everquest, floats};
use relicast_scene::model::{
    Channel, Clip, Extras, Interpolation, Mesh, MorphTarget, NameHint, NodeId, Primitive, Track,
};

use super::baking::{Baking, light};
use super::checks::Checks;
use super::geometry::{Geometry, VertexFrames};
use super::scene_builder::{Layers, SceneBuilder, Source};
use super::space;

/// Faces of one material of a geometry that do or do not stop movement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// Index in the palette.
    pub slot: Option<u16>,
    /// Material that replaces that of the palette, by index of its fragment: a creature may have another skin.
    pub skin_material: Option<usize>,
    /// True if they stop movement.
    pub solid: bool,
    /// Indices of the material's vertices in the geometry; solid and passable faces share them.
    pub vertices: Vec<usize>,
    /// Faces by indices into `vertices`, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

/// Faces of one material while faces are assigned to materials.
#[derive(Debug, Default)]
struct SplitFaces {
    slot: Option<u16>,
    vertices: Vec<usize>,
    /// Number of solid faces, and of passable ones.
    counts: [usize; 2],
    /// The solid faces, and the passable ones.
    triangles: [Vec<[u32; 3]>; 2],
    /// Indices of vertices that the groups of the geometry assign to another material.
    foreign_vertices: HashMap<usize, u32>,
}

/// Marks vertices that are in no list.
const NO_LIST: (usize, u32) = (usize::MAX, u32::MAX);

/// The faces of a geometry by material, in the order of their first faces, solid ones first.
pub(super) fn groups(geometry: &Geometry) -> Vec<Group> {
    let mut dealt: Vec<SplitFaces> = Vec::new();
    let mut numbers: HashMap<Option<u16>, usize> = HashMap::new();
    // Mostly the previous face has the same material.
    let mut last = None;
    let numbered = geometry.faces.iter().map(|face| {
        let number = match last {
            Some((slot, number)) if slot == face.slot => number,
            _ => *numbers.entry(face.slot).or_insert_with(|| {
                dealt.push(SplitFaces {
                    slot: face.slot,
                    ..SplitFaces::default()
                });
                dealt.len() - 1
            }),
        };
        last = Some((face.slot, number));
        dealt[number].counts[usize::from(!face.solid)] += 1;
        number
    });
    let numbered: Vec<usize> = numbered.collect();
    let vertex_lists = vertex_lists(geometry, &numbers, &mut dealt);
    split_faces(geometry, &numbered, &vertex_lists, &mut dealt);
    let mut groups: Vec<Group> = Vec::with_capacity(dealt.len());
    for of in dealt {
        let lists = [true, false].into_iter().zip(of.triangles);
        let filled = lists.filter(|(_, list)| !list.is_empty());
        let before = groups.len();
        groups.extend(filled.map(|(solid, triangles)| Group {
            slot: of.slot,
            skin_material: None,
            solid,
            vertices: Vec::new(),
            triangles,
        }));
        // Mostly there is one group, which takes the whole list.
        if let Some((last, others)) = groups[before..].split_last_mut() {
            for group in others {
                group.vertices.clone_from(&of.vertices);
            }
            last.vertices = of.vertices;
        }
    }
    groups
}

/// Adds each vertex to the list of its material, by the runs of materials. Returns the list of each vertex, and
/// its index there.
fn vertex_lists(
    geometry: &Geometry,
    numbers: &HashMap<Option<u16>, usize>,
    dealt: &mut [SplitFaces],
) -> Vec<(usize, u32)> {
    let mut vertex_lists: Vec<(usize, u32)> = Vec::with_capacity(geometry.positions.len());
    for run in geometry.slots.chunk_by(|one, next| one == next) {
        let slot = run.first().copied().filter(Option::is_some);
        let number = slot.and_then(|slot| numbers.get(&slot).copied());
        let vertices = vertex_lists.len()..vertex_lists.len() + run.len();
        if let Some(number) = number {
            let list = &mut dealt[number].vertices;
            let places = list.len() as u32..;
            vertex_lists.extend(places.take(run.len()).map(|place| (number, place)));
            list.extend(vertices);
        } else {
            vertex_lists.resize(vertices.end, NO_LIST);
        }
    }
    vertex_lists.resize(geometry.positions.len(), NO_LIST);
    vertex_lists
}

/// Assigns each face to its material, solid ones first; vertices of another material become guests.
fn split_faces(
    geometry: &Geometry,
    numbered: &[usize],
    vertex_lists: &[(usize, u32)],
    dealt: &mut [SplitFaces],
) {
    for of in &mut *dealt {
        of.triangles = of.counts.map(Vec::with_capacity);
    }
    for solid in [true, false] {
        let faces = geometry.faces.iter().zip(numbered);
        for (face, &number) in faces.filter(|(face, _)| face.solid == solid) {
            let SplitFaces {
                vertices,
                triangles,
                foreign_vertices,
                ..
            } = &mut dealt[number];
            let corners = face.vertices.map(|vertex| match vertex_lists[vertex] {
                (home, place) if home == number => place,
                _ => *foreign_vertices.entry(vertex).or_insert_with(|| {
                    vertices.push(vertex);
                    (vertices.len() - 1) as u32
                }),
            });
            triangles[usize::from(!solid)].push(space::triangle(corners));
        }
    }
}

/// Appends a group to a primitive of the same surface.
pub(super) fn append(
    primitive: &mut Primitive,
    geometry: &Geometry,
    group: &Group,
    colors: &[Bgra],
    baking: Baking<'_>,
) {
    let base = append_vertices(primitive, geometry, &group.vertices, colors, baking);
    append_triangles(Arc::make_mut(&mut primitive.indices), group, base);
}

/// Appends vertices of a geometry to a primitive. Returns the index of the first one.
pub(super) fn append_vertices(
    primitive: &mut Primitive,
    geometry: &Geometry,
    vertices: &[usize],
    colors: &[Bgra],
    baking: Baking<'_>,
) -> u32 {
    // A primitive of 2³² vertices would not fit in memory.
    let base = u32::try_from(primitive.positions.len()).unwrap_or(u32::MAX);
    let before = primitive.positions.len();
    let of_vertices = || vertices.iter().copied();
    let positions = Arc::make_mut(&mut primitive.positions);
    positions.extend(of_vertices().map(|vertex| space::vector(geometry.positions[vertex])));
    let normals = Arc::make_mut(&mut primitive.normals);
    normals.extend(of_vertices().map(|vertex| space::vector(geometry.normals[vertex])));
    let sets = Arc::make_mut(&mut primitive.uvs);
    if sets.is_empty() {
        sets.push(Vec::new());
    }
    sets[0].extend(of_vertices().map(|vertex| space::uv(geometry.uvs[vertex])));
    let after = primitive.positions.len();
    if is_lit(colors, baking) {
        primitive.colors.resize(before, [u16::MAX; 4]);
        append_colors(&mut primitive.colors, vertices, colors, baking);
    } else if !primitive.colors.is_empty() {
        primitive.colors.resize(after, [u16::MAX; 4]);
    }
    base
}

/// True if baked light becomes vertex colors.
fn is_lit(colors: &[Bgra], baking: Baking<'_>) -> bool {
    baking.options.bakes() && !colors.is_empty()
}

/// Appends the colors of vertices; white if the light has none.
fn append_colors(
    baked: &mut Vec<[u16; 4]>,
    vertices: &[usize],
    colors: &[Bgra],
    baking: Baking<'_>,
) {
    baked.extend(vertices.iter().map(|&vertex| {
        let color = colors.get(vertex).copied();
        color.map_or([u16::MAX; 4], |color| light(color, baking))
    }));
}

/// Appends the faces of a group whose vertices start at `base`.
pub(super) fn append_triangles(indices: &mut Vec<u32>, group: &Group, base: u32) {
    let corners = group.triangles.as_flattened().iter();
    indices.extend(corners.map(|&corner| base.saturating_add(corner)));
}

/// Extras of a primitive.
pub(super) fn primitive_extras(solid: bool) -> Extras {
    let facts = everquest::Primitive {
        solid: (!solid).then_some(false),
    };
    facts.extras()
}

/// Drawn and undrawn meshes of a geometry.
#[derive(Debug, Clone, Default)]
pub(super) struct GeometryMeshes {
    /// Drawn part.
    pub visible: Option<Mesh>,
    /// Surfaces that are never drawn, such as boundaries.
    pub invisible: Option<Mesh>,
    /// Weights of the morph targets over time.
    pub weights: Option<Weights>,
}

/// Weights of morph targets over time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    /// Seconds of the keys.
    pub times: Vec<f32>,
    /// A value for each target and key.
    pub values: Vec<f32>,
}

impl Weights {
    /// The channel that moves the mesh of a node by them.
    pub(super) fn channel(&self, node: NodeId) -> Channel {
        Channel {
            node,
            times: self.times.clone(),
            interpolation: Interpolation::Linear,
            track: Track::Weights(self.values.clone()),
        }
    }
}

/// An empty clip for vertex animation, which loops.
pub(super) fn vertex_clip(name: String, options: &ConvertOptions) -> Clip {
    let facts = everquest::Clip {
        r#loop: Some(true),
        ..everquest::Clip::default()
    };
    Clip {
        name,
        hint: options.scenes.godot_loop.then_some(NameHint::Loop),
        extras: facts.extras(),
        ..Clip::default()
    }
}

/// Meshes of a geometry without light, which placements share.
#[derive(Debug, Clone, Default)]
pub(super) struct UnlitMeshes {
    meshes: GeometryMeshes,
    /// The group of each drawn primitive, and of each undrawn one.
    groups: [Vec<usize>; 2],
    /// Number of drawn faces, and of undrawn ones.
    faces: [usize; 2],
    /// Number of faces whose material the file lacks.
    unknown_materials: usize,
}

impl UnlitMeshes {
    /// Makes meshes of a geometry whose faces are assigned to `groups`.
    pub(super) fn new(
        geometry: &Geometry,
        groups: &[Group],
        frames: Option<&VertexFrames>,
        source: Source<'_>,
        layers: &mut Layers<'_, '_>,
    ) -> Self {
        let options = &layers.main.view().options.everquest;
        let baking = layers.baking();
        let mut unlit = Self::default();
        let mut primitives: [Vec<Primitive>; 2] = Default::default();
        for (number, group) in groups.iter().enumerate() {
            let count = group.triangles.len();
            let resolve = |builder: &mut SceneBuilder<'_, '_>| match group.skin_material {
                Some(index) => builder.material(source, index),
                None => builder.resolve_material(source, geometry.palette, group.slot),
            };
            let mut resolved = resolve(&mut layers.main);
            unlit.unknown_materials += if resolved.known { 0 } else { count };
            let layer = usize::from(!resolved.visible);
            if !resolved.visible {
                resolved = resolve(layers.hidden());
            }
            let mut primitive = Primitive {
                material: Some(resolved.material),
                is_passable: !group.solid,
                extras: primitive_extras(group.solid),
                keep_unused_uvs: resolved.lacks_picture,
                ..Primitive::default()
            };
            append(&mut primitive, geometry, group, &[], baking);
            unlit.faces[layer] += count;
            unlit.groups[layer].push(number);
            primitives[layer].push(primitive);
        }
        let meshes = &mut unlit.meshes;
        let [visible, invisible] = primitives.map(|primitives| {
            (!primitives.is_empty()).then(|| Mesh {
                name: geometry.name.clone(),
                primitives,
                ..Mesh::default()
            })
        });
        meshes.visible = visible;
        meshes.invisible = invisible;
        if let (Some(mesh), Some(frames)) = (&mut meshes.visible, frames) {
            match options.vertex_animation {
                VertexAnimation::Clips => {
                    let drawn = unlit.groups[0].iter();
                    let drawn: Vec<&[usize]> =
                        drawn.map(|&number| &*groups[number].vertices).collect();
                    meshes.weights = bend(mesh, geometry, frames, &drawn);
                }
                VertexAnimation::Extras => {
                    let animation = everquest::VertexAnimation {
                        frames: Some(frames.frames.len()),
                        sleep_ms: Some(frames.sleep),
                    };
                    let facts = everquest::Mesh {
                        vertex_animation: Some(animation),
                    };
                    mesh.extras = facts.extras();
                }
            }
        }
        unlit
    }

    /// The meshes with the colors of one placement, whose faces are counted.
    pub(super) fn lit(
        self,
        groups: &[Group],
        colors: &[Bgra],
        baking: Baking<'_>,
        checks: &mut Checks,
    ) -> GeometryMeshes {
        let [faces, invisible_faces] = self.faces;
        checks.faces += faces;
        checks.invisible_faces += invisible_faces;
        checks.unknown_materials += self.unknown_materials;
        let mut meshes = self.meshes;
        if is_lit(colors, baking) {
            let layers = [&mut meshes.visible, &mut meshes.invisible];
            for (mesh, numbers) in layers.into_iter().zip(&self.groups) {
                let primitives = mesh.iter_mut().flat_map(|mesh| &mut mesh.primitives);
                for (primitive, &number) in primitives.zip(numbers) {
                    let vertices = &groups[number].vertices;
                    append_colors(&mut primitive.colors, vertices, colors, baking);
                }
            }
        }
        meshes
    }
}

/// Makes meshes of a geometry that is placed once, with its own colors or others.
pub(super) fn make(
    geometry: &Geometry,
    frames: Option<&VertexFrames>,
    colors: &[Bgra],
    source: Source<'_>,
    layers: &mut Layers<'_, '_>,
) -> GeometryMeshes {
    let groups = groups(geometry);
    let unlit = UnlitMeshes::new(geometry, &groups, frames, source, layers);
    let baking = layers.baking();
    unlit.lit(&groups, colors, baking, &mut layers.main.checks)
}

/// Adds a morph target for each frame that differs from the mesh itself. Returns the weights of the targets
/// over time; `None` if no frame differs. `drawn` are the vertices of each primitive.
fn bend(
    mesh: &mut Mesh,
    geometry: &Geometry,
    frames: &VertexFrames,
    drawn: &[&[usize]],
) -> Option<Weights> {
    let mut target_of: Vec<Option<usize>> = Vec::with_capacity(frames.frames.len());
    for (number, frame) in frames.frames.iter().enumerate() {
        if *frame == geometry.positions {
            target_of.push(None);
            continue;
        }
        target_of.push(Some(mesh.morph_targets.len()));
        mesh.morph_targets.push(MorphTarget {
            name: format!("frame_{number}"),
            weight: 0.0,
        });
        for (primitive, vertices) in mesh.primitives.iter_mut().zip(drawn) {
            let deltas = vertices.iter().map(|&vertex| {
                let (there, here) = (frame[vertex], geometry.positions[vertex]);
                space::vector([0, 1, 2].map(|axis: usize| there[axis] - here[axis]))
            });
            primitive.morphs.push(deltas.collect());
        }
    }
    let targets = mesh.morph_targets.len();
    if targets == 0 {
        return None;
    }
    let seconds = |key: usize| (key as f64 * f64::from(frames.sleep) / 1000.0) as f32;
    let closing = target_of.first().copied();
    let mut values = Vec::with_capacity((target_of.len() + 1) * targets);
    for target in target_of.iter().copied().chain(closing) {
        values.extend((0..targets).map(|at| if target == Some(at) { 1.0 } else { 0.0 }));
    }
    Some(Weights {
        times: (0..=target_of.len()).map(seconds).collect(),
        values,
    })
}

/// Facts of a geometry for a node or mesh.
pub(super) fn facts(geometry: &Geometry) -> everquest::Node {
    let offset = geometry.light_offset.map(space::vector);
    everquest::Node {
        light_offset: offset.map(floats),
        ..everquest::Node::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::everquest::geometry::GeometryFace;

    fn face(vertices: [usize; 3], slot: u16, solid: bool) -> GeometryFace {
        GeometryFace {
            vertices,
            slot: Some(slot),
            solid,
        }
    }

    #[test]
    fn faces_go_by_material_and_keep_all_vertices_of_it() {
        let geometry = Geometry {
            positions: vec![[0.0; 3]; 6],
            slots: vec![Some(4), Some(4), Some(4), Some(4), Some(7), None],
            faces: vec![
                face([0, 1, 2], 4, false),
                face([1, 2, 4], 7, true),
                face([2, 1, 0], 4, true),
            ],
            ..Geometry::default()
        };
        let grouped = groups(&geometry);
        let summary: Vec<_> = grouped
            .iter()
            .map(|group| (group.slot, group.solid, &*group.vertices, &*group.triangles))
            .collect();
        assert_eq!(
            summary,
            [
                (Some(4), true, &[0, 1, 2, 3][..], &[[2, 0, 1]][..]),
                (Some(4), false, &[0, 1, 2, 3], &[[0, 2, 1]]),
                (Some(7), true, &[4, 1, 2], &[[1, 0, 2]]),
            ]
        );
    }

    #[test]
    fn vertices_of_another_material_follow_in_the_order_of_solid_faces_first() {
        let geometry = Geometry {
            positions: vec![[0.0; 3]; 5],
            slots: vec![Some(4), Some(4), Some(4), Some(7), Some(7)],
            faces: vec![
                face([0, 1, 2], 4, true),
                face([3, 2, 1], 7, false),
                face([3, 4, 0], 7, true),
                face([4, 0, 1], 7, true),
            ],
            ..Geometry::default()
        };
        let of_second: Vec<_> = groups(&geometry).into_iter().skip(1).collect();
        let vertices = vec![3, 4, 0, 1, 2];
        let group = |solid, triangles| Group {
            slot: Some(7),
            skin_material: None,
            solid,
            vertices: vertices.clone(),
            triangles,
        };
        assert_eq!(
            of_second,
            [
                group(true, vec![[0, 2, 1], [1, 3, 2]]),
                group(false, vec![[0, 3, 4]]),
            ]
        );
    }
}
