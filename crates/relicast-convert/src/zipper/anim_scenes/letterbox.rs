//! The black bars of films.
//!
//! Each chapter of Crimson Skies has one node `letterbox`, switched off: two black quads 7.5 m in front of the origin.
//! Animations of films show it at 27 places. It belongs in front of the camera, not in the map (CSVM, docs/formats,
//! CC BY 4.0, counted on the retail data).

use relicast_scene::model::{NodeId, Scene, Transform};

use super::clips::{BakedClip, Places};

/// Name of the node.
const NAME: &str = "letterbox";

/// Makes the bars that a clip shows a child of its camera. Where clips of a scene have several cameras, the first
/// is used.
pub(super) fn hang(scene: &mut Scene, places: &Places, clip: &BakedClip<'_>) {
    let actors = &clip.performance.actors;
    let nodes_of = |key| places.get(key).into_iter().flatten().copied();
    let cameras = actors.iter().filter(|(_, actor)| actor.rest.is_camera);
    let cameras = cameras
        .map(|(key, _)| key)
        .chain(clip.performance.cameras.keys());
    let Some(camera) = cameras.flat_map(nodes_of).next() else {
        return;
    };
    let bars: Vec<NodeId> = actors
        .keys()
        .flat_map(nodes_of)
        .filter(|node| scene.nodes[node.index()].name == NAME)
        .collect();
    for node in bars {
        let is_hung = scene
            .nodes
            .iter()
            .any(|above| above.camera.is_some() && above.children.contains(&node));
        if is_hung || node == camera {
            continue;
        }
        scene.roots.retain(|root| *root != node);
        for above in &mut scene.nodes {
            above.children.retain(|child| *child != node);
        }
        scene.nodes[node.index()].transform = Transform::IDENTITY;
        scene.nodes[camera.index()].children.push(node);
    }
}
