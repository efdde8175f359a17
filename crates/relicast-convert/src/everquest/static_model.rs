//! Models of meshes alone: models with a file of their own, and models that zones place.

use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Clip, Node, NodeId};

use super::geometry::Geometry;
use super::mesh::{self, GeometryMeshes};
use super::scene_builder::{Layers, Source};
use super::solids;

/// Name of the clip of animated vertices.
pub(super) const VERTEX_CLIP: &str = "vertices";

/// Makes the scenes of a model of meshes.
pub(super) fn build(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    name: &str,
    meshes: &[usize],
    facts: &everquest::Node,
) {
    layers.is_ground = true;
    let root = layers.root(Node {
        name: name.to_owned(),
        extras: facts.extras(),
        ..Node::default()
    });
    let options = layers.main.view().options;
    let mut clip = mesh::vertex_clip(VERTEX_CLIP.to_owned(), options);
    let alone = meshes.len() == 1;
    for &index in meshes {
        let Some((geometry, mut meshes)) = geometry_of(layers, source, index) else {
            continue;
        };
        let node = if alone {
            root
        } else {
            let child = layers.main.scene.add_node(Node {
                name: geometry.name.clone(),
                ..Node::default()
            });
            layers.main.scene.add_child(root, child);
            child
        };
        show(layers, node, &mut meshes, &mut clip);
        if let Some(mesh) = meshes.invisible {
            let hidden = layers.hidden();
            let mesh = hidden.scene.add_mesh(mesh);
            hidden.attach(Node {
                name: geometry.name.clone(),
                mesh: Some(mesh),
                ..Node::default()
            });
        }
        let collision = layers.main.view().options.scenes.collision;
        let volume = solids::volume(source.file.wld(), geometry.collision, name);
        if let (true, Some(volume)) = (collision, volume) {
            let scene = &mut layers.main.scene;
            let volume = Node {
                name: volume.name.clone(),
                mesh: Some(scene.add_mesh(volume)),
                ..Node::default()
            };
            let volume = scene.add_node(volume);
            scene.add_child(node, volume);
        }
        let facts = mesh::facts(&geometry);
        facts.put_below(&mut layers.main.scene.nodes[node.index()].extras);
    }
    if !clip.channels.is_empty() {
        layers.main.scene.clips.push(clip);
    }
}

/// The mesh fragment at `index` with its own colors.
pub(super) fn geometry_of(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    index: usize,
) -> Option<(Geometry, GeometryMeshes)> {
    let wld = source.file.wld();
    let geometry = Geometry::new(wld, index, &mut layers.main.checks)?;
    let frames = geometry.frames(wld, &mut layers.main.checks);
    let colors = &geometry.colors;
    let meshes = mesh::make(&geometry, frames.as_ref(), colors, source, layers);
    Some((geometry, meshes))
}

/// Shows the drawn part of a mesh on a node.
fn show(layers: &mut Layers<'_, '_>, node: NodeId, meshes: &mut GeometryMeshes, clip: &mut Clip) {
    let Some(mesh) = meshes.visible.take() else {
        return;
    };
    let mesh = layers.main.scene.add_mesh(mesh);
    layers.main.scene.nodes[node.index()].mesh = Some(mesh);
    if let Some(weights) = &meshes.weights {
        clip.channels.push(weights.channel(node));
    }
}
