//! Emitters of particles in a zone: `ZONE_EnvironmentEmitters.txt`.

use glam::Vec3;
use serde_json::Value;

use relicast_formats::everquest::eqg::text;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Node, NodeId, Transform};

use super::scene_builder::Layers;
use super::space;

/// Adds an empty node for each emitter of the environment.
pub(super) fn add(bytes: &[u8], root: NodeId, layers: &mut Layers<'_, '_>) {
    let Ok(text) = text::decode(bytes) else {
        return;
    };
    let emitters = text.value.emitters();
    if emitters.is_empty() {
        return;
    }
    let scene = &mut layers.main.scene;
    let above = scene.add_node(Node {
        name: "emitters".to_owned(),
        ..Node::default()
    });
    scene.add_child(root, above);
    for emitter in emitters {
        let Some(position) = emitter.position() else {
            layers.main.checks.unplaced += 1;
            continue;
        };
        let fields = emitter.fields.iter();
        let fields = fields.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        let facts = everquest::Node {
            emitter: Some(fields.collect()),
            ..everquest::Node::default()
        };
        let scene = &mut layers.main.scene;
        let node = scene.add_node(Node {
            name: emitter.field("Name").unwrap_or("emitter").to_owned(),
            transform: Transform::from_translation(Vec3::from_array(space::vector(position))),
            extras: facts.extras(),
            ..Node::default()
        });
        scene.add_child(above, node);
    }
}
