//! Clips put into the scene in which they play.
//!
//! What a scene needs for them is put in once: nodes that show and hide others, lenses of cameras,
//! surfaces of nodes that fade.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Map, Value};

use crate::config::{Config, Visibility};
use crate::convert::zipper::clip::curve::Curve;
use crate::convert::zipper::clip::evaluate::{Actor, CameraSetup, NodeKey, Performance};
use crate::convert::zipper::clip::keys::{self, Keys};
use crate::convert::zipper::clip::track::Track;
use crate::convert::zipper::model::zipper;
use crate::scene::model::{
    self, Camera, Channel, Clip, Interpolation, NodeId, Scene, Track as Values, Transform,
};

use super::clips::{Play, Show};
use super::fades::Fades;

/// Width over height of the picture of a camera whose file does not say.
const ASPECT: f64 = 4.0 / 3.0;

/// Where each node is in a scene.
pub(super) type Places = BTreeMap<NodeKey, Vec<NodeId>>;

/// What was put into a scene for its clips.
#[derive(Debug, Default)]
pub(super) struct Staging {
    /// Where each node is.
    places: Places,
    /// The nodes that show and hide the one below them, by that one.
    shutters: BTreeMap<NodeId, NodeId>,
    fades: Fades,
}

impl Staging {
    pub(super) fn new(places: Places) -> Self {
        Self {
            places,
            ..Self::default()
        }
    }

    /// Adds the clips of a group to the scene. Returns lines for the report.
    pub(super) fn add(
        &mut self,
        scene: &mut Scene,
        show: &Show<'_>,
        config: &Config,
    ) -> Vec<String> {
        let visibility = config.animations.visibility;
        for play in show.plays() {
            self.set_cameras(scene, play);
        }
        for play in show.plays() {
            match visibility {
                Visibility::Scale => self.add_shutters(scene, play),
                Visibility::Pointer => self.tell_shown(scene, play),
                Visibility::Extras => {}
            }
        }
        if visibility == Visibility::Pointer {
            self.fades.look_at(scene);
        }
        let mut notes = Vec::new();
        for play in show.plays() {
            self.add_clip(scene, play, visibility, &mut notes);
        }
        notes
    }

    fn add_clip(
        &mut self,
        scene: &mut Scene,
        play: &Play<'_>,
        visibility: Visibility,
        notes: &mut Vec<String>,
    ) {
        let end = play.length();
        let mut channels = Vec::new();
        for (key, actor) in &play.performance.actors {
            for &node in self.places.get(key).into_iter().flatten() {
                let shutter = self.shutters.get(&node).copied();
                add_channels(scene, node, shutter, actor, end, &mut channels);
                if visibility == Visibility::Pointer && toggles(actor) {
                    let keys = keys::vector_keys(&actor.visibility.spans(end));
                    let shown = |values: Vec<Vec3>| {
                        Values::Shown(values.into_iter().map(|it| it.x > 0.5).collect())
                    };
                    channels.push(channel(node, keys, shown));
                }
            }
        }
        let surfaces = match visibility {
            Visibility::Pointer => {
                let faders = self.faders(&play.performance);
                self.fades.channels(scene, &faders, end)
            }
            Visibility::Extras | Visibility::Scale => Vec::new(),
        };
        let all = channels.len();
        channels.retain(is_finite);
        if channels.len() < all {
            let lost = all - channels.len();
            notes.push(format!(
                "animation {}: {lost} movements grow beyond what a file can hold",
                play.name
            ));
        }
        if channels.is_empty() && surfaces.is_empty() {
            // A clip in which nothing moves still says what is shown and hidden.
            let mut nodes = play.performance.actors.keys();
            let first = nodes.find_map(|key| self.places.get(key)?.first().copied());
            let Some(node) = first else { return };
            channels.push(still(scene, node, end));
        }
        scene.clips.push(Clip {
            name: play.name.clone(),
            hint: None,
            channels,
            surfaces,
            extras: zipper(play.facts(end)),
        });
    }

    /// The nodes of a scene whose opacity a clip sets.
    fn faders<'p>(&self, performance: &'p Performance) -> BTreeMap<NodeId, &'p Actor> {
        let actors = performance.actors.iter();
        let fading = actors.filter(|(_, actor)| {
            let rest = actor.rest.opacity.unwrap_or(1.0);
            !actor.opacity.is_untouched() || actor.opacity.rest().x != rest
        });
        fading
            .flat_map(|(key, actor)| {
                let nodes = self.places.get(key).into_iter().flatten();
                nodes.map(move |&node| (node, actor))
            })
            .collect()
    }

    /// Has the nodes that are shown or hidden say which they are at rest.
    fn tell_shown(&self, scene: &mut Scene, play: &Play<'_>) {
        let actors = play.performance.actors.iter();
        for (key, actor) in actors.filter(|(_, actor)| toggles(actor)) {
            for &node in self.places.get(key).into_iter().flatten() {
                scene.nodes[node.index()].shown = Some(actor.rest.is_active);
            }
        }
    }

    /// Puts a node above each node that is shown or hidden.
    fn add_shutters(&mut self, scene: &mut Scene, play: &Play<'_>) {
        for (key, actor) in &play.performance.actors {
            if actor.visibility.is_untouched() && actor.rest.is_active {
                continue;
            }
            for &node in self.places.get(key).into_iter().flatten() {
                self.shutters.entry(node).or_insert_with(|| {
                    let inner = &scene.nodes[node.index()];
                    let scale = Vec3::splat(f32::from(u8::from(actor.rest.is_active)));
                    let wrapper = model::Node {
                        name: format!("{}__shown", inner.name),
                        transform: Transform {
                            scale,
                            ..Transform::IDENTITY
                        },
                        ..model::Node::default()
                    };
                    scene.wrap(node, wrapper)
                });
            }
        }
    }

    /// Gives the nodes that are cameras their lenses: as the first clip that says so sets them, else as
    /// their file does, else as most cameras have them.
    fn set_cameras(&self, scene: &mut Scene, play: &Play<'_>) {
        for (key, actor) in &play.performance.actors {
            if !actor.rest.is_camera {
                continue;
            }
            let setup = play.performance.cameras.get(key).copied();
            for &node in self.places.get(key).into_iter().flatten() {
                let name = scene.nodes[node.index()].name.clone();
                let known = scene.nodes[node.index()].camera;
                let known = known.map(|id| scene.cameras[id.index()].clone());
                let is_known = known.is_some();
                let mut camera = known.unwrap_or_else(|| plain_camera(name));
                match setup {
                    Some(setup) => apply(setup, &mut camera),
                    None if is_known => continue,
                    None => {}
                }
                let id = scene.add_camera(camera);
                scene.nodes[node.index()].camera = Some(id);
            }
        }
    }
}

/// Whether a clip says if a node is shown.
fn toggles(actor: &Actor) -> bool {
    let settled = actor.visibility.rest().x > 0.5;
    !actor.visibility.is_untouched() || settled != actor.rest.is_active
}

/// A camera whose file says nothing of its lens.
fn plain_camera(name: String) -> Camera {
    let mut facts = Map::new();
    facts.insert("assumedLens".to_owned(), Value::from(true));
    Camera {
        name,
        vertical_angle: 0.8,
        aspect: Some(ASPECT as f32),
        near: 0.5,
        far: Some(20_000.0),
        extras: zipper(facts),
    }
}

fn apply(setup: CameraSetup, camera: &mut Camera) {
    let is_angle = |angle: &f64| *angle > 0.0 && *angle < std::f64::consts::PI;
    let across = setup.fov_h.filter(is_angle);
    let upright = setup.fov_v.filter(is_angle);
    let half = |angle: f64| libm::tan(angle / 2.0);
    let aspect = camera.aspect.map_or(ASPECT, f64::from);
    let vertical = upright.or_else(|| across.map(|it| 2.0 * libm::atan(half(it) / aspect)));
    if let (Some(across), Some(upright)) = (across, upright) {
        camera.aspect = Some((half(across) / half(upright)) as f32);
    }
    if let Some(vertical) = vertical {
        camera.vertical_angle = vertical as f32;
        camera.extras = model::Extras::new();
    }
    let near = setup.near.map_or(camera.near, |near| near as f32);
    let far = setup.far.map(|far| far as f32).or(camera.far);
    if near > 0.0 && far.is_none_or(|far| far > near && far.is_finite()) {
        camera.near = near;
        camera.far = far;
    }
}

fn is_finite(channel: &Channel) -> bool {
    match &channel.track {
        Values::Translation(values) | Values::Scale(values) => {
            values.iter().all(|value| value.is_finite())
        }
        Values::Rotation(values) => values.iter().all(|value| value.is_finite()),
        Values::Weights(values) => values.iter().all(|value| value.is_finite()),
        Values::Shown(_) => true,
    }
}

/// A channel in which a node stays where it is.
fn still(scene: &Scene, node: NodeId, end: f64) -> Channel {
    let place = scene.nodes[node.index()].transform.translation;
    Channel {
        node,
        times: vec![0.0, end as f32],
        interpolation: Interpolation::Step,
        track: Values::Translation(vec![place; 2]),
    }
}

/// The channels of one node, those left out in which it stays as the scene has it.
fn add_channels(
    scene: &Scene,
    node: NodeId,
    shutter: Option<NodeId>,
    actor: &Actor,
    end: f64,
    channels: &mut Vec<Channel>,
) {
    let stands = scene.nodes[node.index()].transform;
    let moved = |track: &Track<Curve>, at: Vec3| {
        let settled = track.rest().as_vec3().abs_diff_eq(at, 1e-6);
        (!(track.is_untouched() && settled)).then(|| keys::vector_keys(&track.spans(end)))
    };
    if let Some(keys) = moved(&actor.translation, stands.translation)
        && !stays(&keys, |it| it.abs_diff_eq(stands.translation, 1e-6))
    {
        channels.push(channel(node, keys, Values::Translation));
    }
    let turned = actor.rotation.rest().quat.as_quat();
    let settled = turned.dot(stands.rotation).abs() > 1.0 - 1e-7;
    if !(actor.rotation.is_untouched() && settled) {
        let keys = keys::rotation_keys(&actor.rotation.spans(end));
        if !stays(&keys, |it| it.dot(stands.rotation).abs() > 1.0 - 1e-7) {
            channels.push(channel(node, keys, Values::Rotation));
        }
    }
    if let Some(keys) = moved(&actor.scale, stands.scale)
        && !stays(&keys, |it| it.abs_diff_eq(stands.scale, 1e-6))
    {
        channels.push(channel(node, keys, Values::Scale));
    }
    let mesh = scene.nodes[node.index()].mesh;
    let mesh = mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
    if mesh.is_some_and(|mesh| mesh.morph_targets.len() == 1) && !actor.morph.is_untouched() {
        let keys = keys::vector_keys(&actor.morph.spans(end));
        let weights = |values: Vec<Vec3>| {
            Values::Weights(values.into_iter().map(|it| it.x.clamp(0.0, 1.0)).collect())
        };
        channels.push(channel(node, keys, weights));
    }
    if let Some(shutter) = shutter {
        let keys = keys::vector_keys(&actor.visibility.spans(end));
        let scales = |values: Vec<Vec3>| {
            Values::Scale(values.into_iter().map(|it| Vec3::splat(it.x)).collect())
        };
        channels.push(channel(shutter, keys, scales));
    }
}

/// Whether every value is the one that the scene has anyway.
fn stays<V: Copy>(keys: &Keys<V>, is_rest: impl Fn(V) -> bool) -> bool {
    keys.interpolation == Interpolation::Step && keys.values.iter().all(|&value| is_rest(value))
}

fn channel<V>(node: NodeId, keys: Keys<V>, track: impl FnOnce(Vec<V>) -> Values) -> Channel {
    Channel {
        node,
        times: keys.times,
        interpolation: keys.interpolation,
        track: track(keys.values),
    }
}
