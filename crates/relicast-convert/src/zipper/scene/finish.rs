//! Final pass over the complete scenes of an item.

use std::collections::BTreeMap;

use glam::Quat;

use super::checks::{BoundMeshes, Checks};
use super::layer::Layer;
use super::scene_builder::SceneBuilder;
use crate::options::ConvertOptions;
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::Transform;
use relicast_scene::model::binding::{Bound, bind_meshes};

/// Prepares the scenes of a separate model for tools, by the settings: binds its meshes as a skin, and turns its
/// front to glTF's direction.
pub(crate) fn finish_model(
    builders: &mut BTreeMap<Layer, SceneBuilder>,
    options: &ConvertOptions,
) -> Option<BoundMeshes> {
    let mut counts = BoundMeshes::default();
    for builder in builders.values_mut() {
        let scene = &mut builder.scene;
        if options.models.skin {
            let Bound { bound, left } = bind_meshes(scene);
            counts.bound += bound;
            counts.left += left;
        }
        if options.scenes.face_forward && !scene.roots.is_empty() {
            // Half a turn about Y.
            let turned = Transform {
                rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
                ..Transform::IDENTITY
            };
            scene.put_below("face_forward", turned);
            // Extras record the turn, because the front of the game's file is the opposite one.
            if scene.extras.contains_key(zipper::Scene::FAMILY) {
                let facts = zipper::Scene {
                    face_forward: Some(true),
                    ..zipper::Scene::default()
                };
                facts.put_below(&mut scene.extras);
            }
        }
    }
    options.models.skin.then_some(counts)
}

/// Measures the visible geometry.
pub(crate) fn measure_bounds(builders: &BTreeMap<Layer, SceneBuilder>, checks: &mut Checks) {
    let main = builders.get(&Layer::Main);
    let bounds = main.and_then(|builder| builder.scene.bounds());
    checks.bounds = bounds.map(|(least, greatest)| [least.to_array(), greatest.to_array()]);
}
