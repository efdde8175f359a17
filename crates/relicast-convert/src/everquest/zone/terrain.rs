//! Terrain: the meshes of the regions.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::everquest::baking::Baking;
use crate::everquest::geometry::{Geometry, VertexFrames};
use crate::everquest::mesh::{self, Group};
use crate::everquest::scene_builder::{Layers, ResolvedMaterial, Source};
use crate::everquest::space;
use crate::options::Terrain;
use relicast_formats::everquest::wld::{Bgra, Body, FragmentKind};
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Clip, MaterialId, Mesh, Node, NodeId, Primitive};

use super::group::group;
use super::sources::Zone;

/// Name of the terrain's node, mesh and clip.
const NAME: &str = "terrain";

/// Primitives of merged terrain by material, in the order of their first faces.
#[derive(Debug, Default)]
struct Merged {
    places: HashMap<MaterialId, usize>,
    parts: Vec<MergedPart>,
}

/// Vertices of one material, with the faces that stop movement and those that do not.
#[derive(Debug, Default)]
struct MergedPart {
    solid: Primitive,
    passable: Vec<u32>,
}

impl Merged {
    /// Adds the groups of one material of a geometry, which share their vertices.
    fn add(
        &mut self,
        resolved: ResolvedMaterial,
        geometry: &Geometry,
        groups: &[&Group],
        colors: &[Bgra],
        baking: Baking<'_>,
    ) {
        let parts = &mut self.parts;
        let place = *self.places.entry(resolved.material).or_insert_with(|| {
            parts.push(MergedPart::default());
            parts.len() - 1
        });
        let part = &mut self.parts[place];
        part.solid.material = Some(resolved.material);
        part.solid.keep_unused_uvs = resolved.lacks_picture;
        let vertices = groups.first().map_or(&[][..], |group| &group.vertices);
        let base = mesh::append_vertices(&mut part.solid, geometry, vertices, colors, baking);
        for group in groups {
            let indices = match group.solid {
                true => Arc::make_mut(&mut part.solid.indices),
                false => &mut part.passable,
            };
            mesh::append_triangles(indices, group, base);
        }
    }

    fn finish(self) -> Vec<Primitive> {
        let mut primitives = Vec::new();
        for part in self.parts {
            let passable = (!part.passable.is_empty()).then(|| Primitive {
                indices: Arc::new(part.passable),
                is_passable: true,
                extras: mesh::primitive_extras(false),
                ..Primitive {
                    indices: Arc::default(),
                    ..part.solid.clone()
                }
            });
            if !part.solid.indices.is_empty() {
                primitives.push(part.solid);
            }
            primitives.extend(passable);
        }
        primitives
    }
}

/// Colors of newer archives for the meshes of regions, by the start of their names.
fn lit_overrides<'z>(zone: &'z Zone<'_, '_>) -> HashMap<String, &'z [Bgra]> {
    let mut colors = HashMap::new();
    for source in zone.relit() {
        for fragment in &source.file.wld().fragments {
            if let Body::VertexColors(stored) = &fragment.body {
                let entry = colors.entry(start_of(fragment.name()));
                entry.or_insert(&*stored.colors);
            }
        }
    }
    colors
}

/// A name up to its first underscore, in upper case.
fn start_of(name: &str) -> String {
    let start = name.split('_').next().unwrap_or_default();
    start.to_uppercase()
}

/// Adds the terrain below a node. Returns its bounding box in scene space.
pub(super) fn add(
    zone: &Zone<'_, '_>,
    above: NodeId,
    layers: &mut Layers<'_, '_>,
) -> Option<[[f32; 3]; 2]> {
    let cut_up = layers.main.view().options.everquest.terrain;
    let source = Source {
        file: zone.file,
        opened: 0,
    };
    let root = group(layers, NAME, above);
    let lit_overrides = lit_overrides(zone);
    let mut drawn = Merged::default();
    let mut undrawn = Merged::default();
    let mut bounds: Option<[[f32; 3]; 2]> = None;
    let mut clips: BTreeMap<u32, Clip> = BTreeMap::new();
    let wld = zone.file.wld();
    for (region, index) in zone.region_meshes() {
        let Some(geometry) = Geometry::new(wld, index, &mut layers.main.checks) else {
            continue;
        };
        enclose(&mut bounds, &geometry);
        let frames = geometry.frames(wld, &mut layers.main.checks);
        let other = lit_overrides.get(&start_of(&geometry.name)).copied();
        let other = other.filter(|colors| colors.len() == geometry.positions.len());
        let colors = other.unwrap_or(&geometry.colors);
        if cut_up == Terrain::Merged && frames.is_none() {
            merge(
                &geometry,
                colors,
                source,
                layers,
                [&mut drawn, &mut undrawn],
            );
        } else {
            let found = RegionGeometry {
                region,
                geometry: &geometry,
                frames: frames.as_ref(),
            };
            alone(found, colors, source, root, layers, &mut clips);
        }
    }
    finish(drawn, undrawn, root, layers);
    let several = clips.len() > 1;
    layers
        .main
        .scene
        .clips
        .extend(clips.into_iter().map(|(length, mut clip)| {
            if several {
                clip.name = format!("{NAME}_{length}ms");
            }
            clip
        }));
    let regions = wld.fragments.iter();
    let regions = regions
        .filter(|region| region.kind() == FragmentKind::Region)
        .count();
    layers.main.note(&everquest::Scene {
        regions: Some(regions),
        ..everquest::Scene::default()
    });
    bounds
}

fn enclose(bounds: &mut Option<[[f32; 3]; 2]>, geometry: &Geometry) {
    for &position in &geometry.positions {
        let point = space::vector(position);
        let [least, greatest] = bounds.get_or_insert([point, point]);
        for axis in 0..3 {
            least[axis] = least[axis].min(point[axis]);
            greatest[axis] = greatest[axis].max(point[axis]);
        }
    }
}

/// Adds a geometry to the merged terrain.
fn merge(
    geometry: &Geometry,
    colors: &[Bgra],
    source: Source<'_>,
    layers: &mut Layers<'_, '_>,
    [drawn, undrawn]: [&mut Merged; 2],
) {
    let baking = layers.baking();
    let groups = mesh::groups(geometry);
    for same in groups.chunk_by(|one, other| one.slot == other.slot) {
        let slot = same[0].slot;
        let count: usize = same.iter().map(|group| group.triangles.len()).sum();
        let resolved = layers.main.resolve_material(source, geometry.palette, slot);
        let checks = &mut layers.main.checks;
        checks.unknown_materials += if resolved.known { 0 } else { count };
        let same: Vec<&Group> = same.iter().collect();
        if resolved.visible {
            checks.faces += count;
            drawn.add(resolved, geometry, &same, colors, baking);
        } else {
            checks.invisible_faces += count;
            let resolved = layers
                .hidden()
                .resolve_material(source, geometry.palette, slot);
            undrawn.add(resolved, geometry, &same, colors, baking);
        }
    }
}

/// Geometry of a region.
#[derive(Clone, Copy)]
struct RegionGeometry<'g> {
    /// Number of the region.
    region: usize,
    geometry: &'g Geometry,
    /// Positions over time, if it moves.
    frames: Option<&'g VertexFrames>,
}

/// Adds a node with a geometry.
fn alone(
    found: RegionGeometry<'_>,
    colors: &[Bgra],
    source: Source<'_>,
    above: NodeId,
    layers: &mut Layers<'_, '_>,
    clips: &mut BTreeMap<u32, Clip>,
) {
    let RegionGeometry {
        region,
        geometry,
        frames,
    } = found;
    let meshes = mesh::make(geometry, frames, colors, source, layers);
    let facts = everquest::Node {
        region: u32::try_from(region).ok(),
        ..everquest::Node::default()
    };
    let name = super::super::catalog::base_name(&geometry.name).to_owned();
    if let Some(mesh) = meshes.visible {
        let scene = &mut layers.main.scene;
        let mesh = scene.add_mesh(mesh);
        let node = scene.add_node(Node {
            name: name.clone(),
            mesh: Some(mesh),
            extras: facts.extras(),
            ..Node::default()
        });
        scene.add_child(above, node);
        if let (Some(weights), Some(frames)) = (&meshes.weights, frames) {
            // Animations of the same length play together.
            let length = frames.sleep.saturating_mul(frames.frames.len() as u32);
            let options = layers.main.view().options;
            let clip = clips.entry(length);
            let clip = clip.or_insert_with(|| mesh::vertex_clip(NAME.to_owned(), options));
            clip.channels.push(weights.channel(node));
        }
    }
    if let Some(mesh) = meshes.invisible {
        let hidden = layers.hidden();
        let mesh = hidden.scene.add_mesh(mesh);
        let node = Node {
            name,
            mesh: Some(mesh),
            extras: facts.extras(),
            ..Node::default()
        };
        hidden.attach(node);
    }
}

fn finish(drawn: Merged, undrawn: Merged, root: NodeId, layers: &mut Layers<'_, '_>) {
    let mesh = |merged: Merged, name: &str| {
        let primitives = merged.finish();
        (!primitives.is_empty()).then(|| Mesh {
            name: name.to_owned(),
            primitives,
            ..Mesh::default()
        })
    };
    if let Some(mesh) = mesh(drawn, NAME) {
        let scene = &mut layers.main.scene;
        let mesh = scene.add_mesh(mesh);
        scene.nodes[root.index()].mesh = Some(mesh);
    }
    if let Some(mesh) = mesh(undrawn, "invisible") {
        let hidden = layers.hidden();
        let mesh = hidden.scene.add_mesh(mesh);
        hidden.attach(Node {
            name: "invisible".to_owned(),
            mesh: Some(mesh),
            ..Node::default()
        });
    }
}
