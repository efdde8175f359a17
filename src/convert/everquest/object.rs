//! Models of meshes alone: a file of their own each, and what zones place.

use serde_json::{Map, Value};

use crate::formats::everquest::wld::Bgra;
use crate::scene::model::{Clip, Node, NodeId, Transform};

use super::extras;
use super::geometry::Geometry;
use super::mesh::{self, Made};
use super::stage::{Layers, Source};

/// Name of the clip that animated vertices make.
pub(super) const VERTEX_CLIP: &str = "vertices";

/// Makes the scenes of a model of meshes.
pub(super) fn build(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    name: &str,
    meshes: &[usize],
    facts: Map<String, Value>,
) {
    let root = layers.main.scene.add_node(Node {
        name: name.to_owned(),
        extras: extras(facts),
        ..Node::default()
    });
    layers.main.scene.roots.push(root);
    let mut clip = Clip {
        name: VERTEX_CLIP.to_owned(),
        ..Clip::default()
    };
    let alone = meshes.len() == 1;
    for &index in meshes {
        let Some((geometry, made)) = geometry_of(layers, source, index, &[]) else {
            continue;
        };
        let node = match alone {
            true => root,
            false => {
                let child = layers.main.scene.add_node(Node {
                    name: geometry.name.clone(),
                    ..Node::default()
                });
                layers.main.scene.add_child(root, child);
                child
            }
        };
        show(layers, node, &made, &mut clip);
        hide(layers, name, made, Transform::IDENTITY);
        let facts = mesh::facts(&geometry);
        let extras = &mut layers.main.scene.nodes[node.index()].extras;
        let entry = extras
            .entry("everquest")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(all) = entry {
            all.extend(
                facts
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value)),
            );
            if all.is_empty() {
                extras.clear();
            }
        }
    }
    if !clip.channels.is_empty() {
        layers.main.scene.clips.push(clip);
    }
}

/// Meshes of the fragment at `index` with the colours of one placement, or their own without.
pub(super) fn geometry_of(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    index: usize,
    colours: &[Bgra],
) -> Option<(Geometry, Made)> {
    let wld = &source.file.wld;
    let geometry = Geometry::of(wld, index, &mut layers.main.checks)?;
    let frames = geometry.frames(wld, &mut layers.main.checks);
    let colours = match colours.len() == geometry.positions.len() {
        true => colours,
        false => {
            layers.main.checks.odd_colours += usize::from(!colours.is_empty());
            &geometry.colours
        }
    };
    let made = mesh::make(&geometry, frames.as_ref(), colours, source, layers);
    Some((geometry, made))
}

/// Shows the drawn part of a mesh on a node.
fn show(layers: &mut Layers<'_, '_>, node: NodeId, made: &Made, clip: &mut Clip) {
    let Some(mesh) = made.visible.clone() else {
        return;
    };
    let mesh = layers.main.scene.add_mesh(mesh);
    layers.main.scene.nodes[node.index()].mesh = Some(mesh);
    if let Some(weights) = &made.weights {
        clip.channels.push(weights.channel(node));
    }
}

/// Puts what is not drawn into the hidden scene.
fn hide(layers: &mut Layers<'_, '_>, name: &str, made: Made, transform: Transform) {
    let Some(mesh) = made.invisible else {
        return;
    };
    let hidden = &mut layers.hidden().scene;
    let mesh = hidden.add_mesh(mesh);
    let node = hidden.add_node(Node {
        name: name.to_owned(),
        mesh: Some(mesh),
        transform,
        ..Node::default()
    });
    hidden.roots.push(node);
}
