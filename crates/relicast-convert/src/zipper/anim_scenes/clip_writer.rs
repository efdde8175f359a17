//! Adds clips to the scene in which they play.
//!
//! Adds to a scene, once, everything that its clips need: nodes that show and hide others, lenses of cameras,
//! surfaces of nodes that fade.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use crate::options::{ConvertOptions, Visibility};
use crate::zipper::bake::curve::Curve;
use crate::zipper::bake::evaluate::{AnimatedNode, CameraSetup, Timeline};
use crate::zipper::bake::keys::{self, Keys};
use crate::zipper::bake::track::Track;
use relicast_codec::quantity::counted;
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{
    self, Camera, Channel, Clip, Interpolation, NodeId, Scene, Track as Values, Transform,
};

pub(in crate::zipper) use super::clips::Places;
use super::clips::{BakedClip, ClipSet};
use super::letterbox;
use super::opacity_channels::Fades;

/// Aspect ratio (width over height) of cameras without a stored one.
const ASPECT: f64 = 4.0 / 3.0;

/// Additions to a scene for its clips.
#[derive(Debug, Default)]
pub(in crate::zipper) struct Staging {
    /// Places of each node.
    places: Places,
    /// Parent nodes that show and hide a node, by that node.
    shutters: BTreeMap<NodeId, NodeId>,
    fades: Fades,
    /// Cameras keep the lenses of the scene.
    keeps_lenses: bool,
    /// Cameras whose lens is set.
    lenses: BTreeSet<NodeId>,
}

impl Staging {
    pub(in crate::zipper) fn new(places: Places) -> Self {
        Self {
            places,
            ..Self::default()
        }
    }

    /// For a scene with other contents than its clips: cameras keep their lenses.
    pub(in crate::zipper) fn inside(places: Places) -> Self {
        Self {
            keeps_lenses: true,
            ..Self::new(places)
        }
    }

    /// Adds the clips of a group to the scene. Returns lines for the report.
    pub(in crate::zipper) fn add(
        &mut self,
        scene: &mut Scene,
        show: &ClipSet<'_>,
        options: &ConvertOptions,
    ) -> Vec<String> {
        let visibility = options.animations.visibility;
        for play in show.plays() {
            self.set_lenses(scene, play);
        }
        for play in show.plays() {
            self.assume_lenses(scene, play);
            if show.has_letterbox && !self.keeps_lenses {
                letterbox::hang(scene, &self.places, play);
            }
        }
        for play in show.plays() {
            match visibility {
                Visibility::Scale => self.add_shutters(scene, play),
                Visibility::Pointer => self.add_visibility_facts(scene, play),
                Visibility::Extras => {}
            }
        }
        if visibility == Visibility::Pointer {
            self.fades.look_at(scene);
            self.fades.replaces = show.replaces_opacity;
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
        play: &BakedClip<'_>,
        visibility: Visibility,
        notes: &mut Vec<String>,
    ) {
        let end = play.length();
        let mut channels = Vec::new();
        for (key, actor) in &play.performance.actors {
            for &node in self.places.get(key).into_iter().flatten() {
                let visibility_node = self.shutters.get(&node).copied();
                add_channels(scene, node, visibility_node, actor, end, &mut channels);
                if visibility == Visibility::Pointer && changes_visibility(actor) {
                    let keys = keys::vector_keys(&actor.visibility.spans(end));
                    let shown = |values: Vec<Vec3>| {
                        Values::Shown(values.into_iter().map(|iter| iter.x > 0.5).collect())
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
                "animation {}: {} left out: values exceed the range of 32-bit floats",
                play.name,
                counted(lost, "movement", "movements")
            ));
        }
        if channels.is_empty() && surfaces.is_empty() {
            // A clip without movement still shows and hides nodes.
            let performance = &play.performance;
            let mut nodes = performance.actors.keys().chain(performance.cameras.keys());
            let first = nodes.find_map(|key| self.places.get(key)?.first().copied());
            let Some(node) = first else { return };
            channels.push(still(scene, node, end));
        }
        scene.clips.push(Clip {
            name: play.name.clone(),
            hint: None,
            channels,
            surfaces,
            extras: play.facts(end).extras(),
        });
    }

    /// The nodes of a scene whose opacity a clip changes.
    fn faders<'p>(&self, performance: &'p Timeline) -> BTreeMap<NodeId, &'p AnimatedNode> {
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

    /// Sets the initial visibility of nodes that a clip shows or hides.
    fn add_visibility_facts(&self, scene: &mut Scene, play: &BakedClip<'_>) {
        let actors = play.performance.actors.iter();
        for (key, actor) in actors.filter(|(_, actor)| changes_visibility(actor)) {
            for &node in self.places.get(key).into_iter().flatten() {
                scene.nodes[node.index()].shown = Some(actor.rest.is_active);
            }
        }
    }

    /// Adds a parent to each node that a clip shows or hides.
    fn add_shutters(&mut self, scene: &mut Scene, play: &BakedClip<'_>) {
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

    /// Sets the lenses of cameras from a clip, unless an earlier clip has set them or the stored lens has precedence.
    fn set_lenses(&mut self, scene: &mut Scene, play: &BakedClip<'_>) {
        for (key, setup) in &play.performance.cameras {
            for &node in self.places.get(key).into_iter().flatten() {
                let known = scene.nodes[node.index()].camera;
                let is_kept = self.keeps_lenses && known.is_some();
                if !self.lenses.insert(node) || is_kept {
                    continue;
                }
                let known = known.map(|id| scene.cameras[id.index()].clone());
                let name = scene.nodes[node.index()].name.clone();
                let mut camera = known.unwrap_or_else(|| plain_camera(name));
                apply(*setup, &mut camera);
                scene.nodes[node.index()].camera = Some(scene.add_camera(camera));
            }
        }
    }

    /// Sets the default lens of cameras without one in their file or in any clip.
    fn assume_lenses(&self, scene: &mut Scene, play: &BakedClip<'_>) {
        let actors = play.performance.actors.iter();
        for (key, _) in actors.filter(|(_, actor)| actor.rest.is_camera) {
            for &node in self.places.get(key).into_iter().flatten() {
                if scene.nodes[node.index()].camera.is_none() {
                    let name = scene.nodes[node.index()].name.clone();
                    let camera = scene.add_camera(plain_camera(name));
                    scene.nodes[node.index()].camera = Some(camera);
                }
            }
        }
    }
}

/// True if a clip shows or hides a node.
fn changes_visibility(actor: &AnimatedNode) -> bool {
    let settled = actor.visibility.rest().x > 0.5;
    !actor.visibility.is_untouched() || settled != actor.rest.is_active
}

/// A camera with the default lens.
fn plain_camera(name: String) -> Camera {
    let facts = zipper::Camera {
        assumed_lens: Some(true),
        ..zipper::Camera::default()
    };
    Camera {
        name,
        vertical_angle: 0.8,
        aspect: Some(ASPECT as f32),
        near: 0.5,
        far: Some(20_000.0),
        extras: facts.extras(),
    }
}

fn apply(setup: CameraSetup, camera: &mut Camera) {
    let is_angle = |angle: &f64| *angle > 0.0 && *angle < std::f64::consts::PI;
    let across = setup.fov_h.filter(is_angle);
    let upright = setup.fov_v.filter(is_angle);
    let half = |angle: f64| libm::tan(angle / 2.0);
    let aspect = camera.aspect.map_or(ASPECT, f64::from);
    let vertical = upright.or_else(|| across.map(|across| 2.0 * libm::atan(half(across) / aspect)));
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

/// A constant channel of a node.
fn still(scene: &Scene, node: NodeId, end: f64) -> Channel {
    let place = scene.nodes[node.index()].transform.translation;
    Channel {
        node,
        times: vec![0.0, end as f32],
        interpolation: Interpolation::Step,
        track: Values::Translation(vec![place; 2]),
    }
}

/// The channels of one node, without those that equal the node in the scene.
fn add_channels(
    scene: &Scene,
    node: NodeId,
    visibility_node: Option<NodeId>,
    actor: &AnimatedNode,
    end: f64,
    channels: &mut Vec<Channel>,
) {
    let at_rest = scene.nodes[node.index()].transform;
    let moved = |track: &Track<Curve>, at: Vec3| {
        let settled = track.rest().as_vec3().abs_diff_eq(at, 1e-6);
        (!(track.is_untouched() && settled)).then(|| keys::vector_keys(&track.spans(end)))
    };
    if let Some(keys) = moved(&actor.translation, at_rest.translation)
        && !stays(&keys, |stay| stay.abs_diff_eq(at_rest.translation, 1e-6))
    {
        channels.push(channel(node, keys, Values::Translation));
    }
    let turned = actor.rotation.rest().quat.as_quat();
    let settled = turned.dot(at_rest.rotation).abs() > 1.0 - 1e-7;
    if !(actor.rotation.is_untouched() && settled) {
        let keys = keys::rotation_keys(&actor.rotation.spans(end));
        if !stays(&keys, |stay| stay.dot(at_rest.rotation).abs() > 1.0 - 1e-7) {
            channels.push(channel(node, keys, Values::Rotation));
        }
    }
    if let Some(keys) = moved(&actor.scale, at_rest.scale)
        && !stays(&keys, |stay| stay.abs_diff_eq(at_rest.scale, 1e-6))
    {
        channels.push(channel(node, keys, Values::Scale));
    }
    let mesh = scene.nodes[node.index()].mesh;
    let mesh = mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
    if mesh.is_some_and(|mesh| mesh.morph_targets.len() == 1) && !actor.morph.is_untouched() {
        let keys = keys::vector_keys(&actor.morph.spans(end));
        let weights = |values: Vec<Vec3>| {
            Values::Weights(
                values
                    .into_iter()
                    .map(|iter| iter.x.clamp(0.0, 1.0))
                    .collect(),
            )
        };
        channels.push(channel(node, keys, weights));
    }
    if let Some(visibility_node) = visibility_node {
        let keys = keys::vector_keys(&actor.visibility.spans(end));
        let scales = |values: Vec<Vec3>| {
            Values::Scale(values.into_iter().map(|iter| Vec3::splat(iter.x)).collect())
        };
        channels.push(channel(visibility_node, keys, scales));
    }
}

/// True if every value equals that of the scene.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::anim::bind;
    use crate::zipper::anim::node_lookup::NodeLookup;
    use crate::zipper::anim_scenes::clips;
    use crate::zipper::anim_scenes::stored_nodes::StoredNodes;
    use crate::zipper::bake::evaluate::NodeKey;
    use crate::zipper::scene::hierarchy::{ModelNumber, Nodes};
    use relicast_codec::{F32, PaddedText, Vec3 as Stored};
    use relicast_formats::zipper::anim::event::camera::{CameraFlags, CameraState};
    use relicast_formats::zipper::anim::event::motion::{FromToFlags, ObjectMotionFromTo};
    use relicast_formats::zipper::anim::event::object::{ObjectScaleState, ObjectTranslateState};
    use relicast_formats::zipper::anim::{
        self, AnimFile, Definition, DefinitionFlags, Event, EventBody, NodeIndex, NodeRef,
        Sequence, ShortNodeIndex,
    };
    use relicast_formats::zipper::gamez::{Model, Node, NodeData, NodeFlags, NodeName};

    /// A rider, and below it a camera.
    struct Ride([Node; 2]);

    impl Nodes for Ride {
        fn node(&self, index: usize) -> Option<&Node> {
            self.0.get(index)
        }

        fn model(&self, _index: usize) -> Option<(ModelNumber, &Model)> {
            None
        }

        fn count(&self) -> usize {
            self.0.len()
        }
    }

    fn ride() -> Ride {
        let node = |name, data, children| {
            let mut node = Node {
                data,
                children,
                ..Node::default()
            };
            node.record.name = NodeName::new(name).unwrap();
            node.record.flags = NodeFlags::ACTIVE;
            node
        };
        let object = NodeData::Object3d(Box::default());
        let camera = NodeData::Camera(Box::default());
        Ride([
            node("rider", object, vec![1]),
            node("camera1", camera, Vec::new()),
        ])
    }

    const RIDER: i32 = 1;
    const CAMERA: i32 = 2;

    fn sequence(bodies: Vec<EventBody>) -> Sequence {
        Sequence {
            events: bodies.into_iter().map(Event::new).collect(),
            ..Sequence::default()
        }
    }

    fn definition(name: &str, bodies: Vec<EventBody>) -> Definition {
        let mut definition = Definition::default();
        definition.head.anim_name = PaddedText::new(name).unwrap();
        definition.head.name = PaddedText::new("rider").unwrap();
        definition.head.anim_root_name = PaddedText::new("rider").unwrap();
        let nodes = ["", "rider", "camera1"].into_iter();
        let nodes = nodes.map(|name| NodeRef {
            name: anim::NodeName::new(name).unwrap(),
            ..NodeRef::default()
        });
        definition.tables.nodes = nodes.collect();
        definition.sequences = vec![sequence(bodies)];
        definition
    }

    fn lens(angle: f32) -> EventBody {
        EventBody::CameraState(CameraState {
            flags: CameraFlags::FOV_V,
            node: NodeIndex(CAMERA),
            fov_v: F32(angle),
            ..CameraState::default()
        })
    }

    fn scale(node: i32) -> EventBody {
        EventBody::ObjectScaleState(ObjectScaleState {
            scale: Stored::from([2.0; 3]),
            node: NodeIndex(node),
        })
    }

    fn grow(node: i32) -> EventBody {
        let mut it = ObjectMotionFromTo {
            flags: FromToFlags::SCALE,
            node: NodeIndex(node),
            run_time: F32(1.0),
            ..ObjectMotionFromTo::default()
        };
        it.scale.from = Stored::from([1.0; 3]);
        it.scale.to = Stored::from([3.0; 3]);
        EventBody::ObjectMotionFromTo(Box::new(it))
    }

    /// The scene of the rider with the clips of some definitions; `stored` is the camera's own lens.
    fn staged(definitions: Vec<Definition>, stored: Option<f32>, is_inside: bool) -> Scene {
        let ride = ride();
        let lookup = NodeLookup::new("", &ride, BTreeMap::new(), &[]);
        let container = AnimFile {
            definitions,
            ..AnimFile::default()
        };
        let bindings = bind::bind(&container, &[lookup]);
        let groups = clips::groups(&container);
        let cast = StoredNodes(vec![&ride as &dyn Nodes]);
        let show = clips::bake(&container, &bindings, &cast, &groups[0]);
        let mut scene = Scene::default();
        let camera = scene.add_node(model::Node::default());
        let rider = scene.add_node(model::Node {
            children: vec![camera],
            ..model::Node::default()
        });
        scene.roots.push(rider);
        let stored = stored.map(|vertical_angle| {
            scene.add_camera(Camera {
                vertical_angle,
                ..plain_camera("camera1".to_owned())
            })
        });
        scene.nodes[camera.index()].camera = stored;
        let key = |index| NodeKey { lookup: 0, index };
        let places = Places::from([(key(0), vec![rider]), (key(1), vec![camera])]);
        let mut staging = if is_inside {
            Staging::inside(places)
        } else {
            Staging::new(places)
        };
        staging.add(&mut scene, &show, &ConvertOptions::default());
        scene
    }

    /// The angle of the camera's lens.
    fn angle(scene: &Scene) -> f32 {
        let cameras = scene.nodes.iter().filter_map(|node| node.camera);
        let cameras: Vec<_> = cameras.collect();
        assert_eq!(cameras.len(), 1);
        scene.cameras[cameras[0].index()].vertical_angle
    }

    #[test]
    fn the_first_clip_that_sets_a_lens_decides() {
        // Lenses alone make clips too.
        let clips = || {
            vec![
                definition("fly", vec![lens(0.5), lens(0.6)]),
                definition("land", vec![lens(1.0)]),
            ]
        };
        for stored in [None, Some(0.7)] {
            let scene = staged(clips(), stored, false);
            assert_eq!(angle(&scene), 0.5, "{stored:?}");
            let names: Vec<&str> = scene.clips.iter().map(|clip| &*clip.name).collect();
            assert_eq!(names, ["fly", "land"]);
        }
    }

    #[test]
    fn a_world_keeps_its_lens() {
        let clips = || vec![definition("fly", vec![lens(0.5), scale(RIDER)])];
        assert_eq!(angle(&staged(clips(), Some(0.7), true)), 0.7);
        assert_eq!(angle(&staged(clips(), None, true)), 0.5);
    }

    #[test]
    fn cameras_have_no_scale() {
        for (first, second) in [(scale(RIDER), scale(CAMERA)), (grow(RIDER), grow(CAMERA))] {
            let scene = staged(
                vec![definition("fly", vec![first, second])],
                Some(0.7),
                false,
            );
            let channels = scene.clips[0].channels.iter();
            let scaled: Vec<NodeId> = channels
                .filter(|channel| matches!(channel.track, Values::Scale(_)))
                .map(|channel| channel.node)
                .collect();
            assert_eq!(scaled, [scene.roots[0]]);
        }
    }

    #[test]
    fn a_clip_begins_with_its_reset_only_where_the_flag_says_so() {
        for (flags, expected) in [
            (DefinitionFlags::RESET_TIME, Some(Vec3::new(5.0, 0.0, 0.0))),
            (DefinitionFlags::empty(), None),
        ] {
            let mut definition = definition("fly", vec![scale(RIDER)]);
            definition.head.flags = flags;
            let place = ObjectTranslateState {
                translate: Stored::from([5.0, 0.0, 0.0]),
                node: ShortNodeIndex(1),
                ..ObjectTranslateState::default()
            };
            let reset = sequence(vec![EventBody::ObjectTranslateState(place)]);
            definition.reset_state = Some(reset);
            let scene = staged(vec![definition], None, false);
            let channels = scene.clips[0].channels.iter();
            let mut places = channels.filter_map(|channel| match &channel.track {
                Values::Translation(values) => values.first().copied(),
                _ => None,
            });
            assert_eq!(places.next(), expected, "{flags:?}");
        }
    }
}
