//! Scenes with clips: one for each name that definitions are bound to.
//!
//! A scene holds the nodes that its animations are bound to, with all below them, and whatever else they
//! move, each where it stands in its world; and a clip for each animation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::Vec3;
use serde_json::{Map, Value, json};

use crate::config::{Config, Visibility};
use crate::convert::zipper::clip::curve::Curve;
use crate::convert::zipper::clip::evaluate::{Actor, CameraSetup, NodeKey, Performance, Setting};
use crate::convert::zipper::clip::keys::{self, Keys};
use crate::convert::zipper::clip::schedule::{Entry, Library, LoopFacts, Schedule};
use crate::convert::zipper::clip::track::Track;
use crate::convert::zipper::model::zipper;
use crate::formats::zipper::anim::{AnimFile, Definition, EventBody, Sequence};
use crate::scene::model::{
    self, Camera, Channel, Clip, Interpolation, NodeId, Scene, Track as Values, Transform, number,
};

use super::bind::{Binding, Bound};
use super::cast::Cast;

/// Least seconds of a clip.
const SHORTEST: f64 = 1.0 / 30.0;

/// Width over height of the picture of a camera whose file does not say.
const ASPECT: f64 = 4.0 / 3.0;

/// The definitions of a container that are bound to one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The name, without the ending of a model file.
    pub name: String,
    /// Places of the definitions.
    pub definitions: Vec<usize>,
}

/// The groups whose events move, fade or toggle something, in the order of their first definitions.
pub(super) fn groups(container: &AnimFile) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (index, definition) in container.definitions.iter().enumerate() {
        if !definition.blocks_of_events().any(moves) {
            continue;
        }
        let name = definition.head.anim_root_name.text();
        let name = name.strip_suffix(".flt").unwrap_or(&name).to_owned();
        let place = *by_name.entry(name.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.definitions.push(index),
            None => groups.push(Group {
                name,
                definitions: vec![index],
            }),
        }
    }
    groups
}

/// Whether something in a sequence moves, fades or toggles a node.
fn moves(sequence: &Sequence) -> bool {
    sequence.events.iter().any(|event| {
        matches!(
            event.body,
            EventBody::ObjectActiveState(_)
                | EventBody::ObjectTranslateState(_)
                | EventBody::ObjectScaleState(_)
                | EventBody::ObjectRotateState(_)
                | EventBody::ObjectMotion(_)
                | EventBody::ObjectMotionFromTo(_)
                | EventBody::ObjectMotionSiScript(_)
                | EventBody::ObjectMotionGroup(_)
                | EventBody::ObjectOpacityState(_)
                | EventBody::ObjectOpacityFromTo(_)
        )
    })
}

/// Where each node is in a scene.
pub(super) type Places = BTreeMap<NodeKey, Vec<NodeId>>;

/// The nodes that show and hide the one below them, by that one.
pub(super) type Shutters = BTreeMap<NodeId, NodeId>;

/// A clip before it is in a scene.
struct Play<'f> {
    name: String,
    definition: &'f Definition,
    binding: &'f Binding,
    sequence: Option<String>,
    schedule: Schedule<'f>,
    performance: Performance,
}

/// The clips of a group, and the nodes that they are about.
pub(super) struct Show<'f> {
    plays: Vec<Play<'f>>,
    /// The nodes of each file that the scene must hold.
    pub wanted: BTreeMap<usize, BTreeSet<usize>>,
    /// Lines for the report.
    pub notes: Vec<String>,
}

/// Works out what the definitions of a group do.
pub(super) fn rehearse<'f>(
    container: &'f AnimFile,
    bindings: &'f [Binding],
    cast: &Cast<'_>,
    group: &Group,
) -> Show<'f> {
    let library = Library::new(container);
    let mut show = Show {
        plays: Vec::new(),
        wanted: BTreeMap::new(),
        notes: Vec::new(),
    };
    for &index in &group.definitions {
        let found = container.definitions.get(index).zip(bindings.get(index));
        let Some((definition, binding)) = found else {
            continue;
        };
        let setting = Setting {
            library: &library,
            definition,
            world: cast,
            names: binding,
        };
        let reset = library.schedule(index, Entry::Reset).actions;
        let mut perform = |entry: Entry, name: String, sequence: Option<String>| {
            let schedule = library.schedule(index, entry);
            let started = schedule.reached.clone();
            let performance = setting.perform(&reset, &schedule.actions);
            if !performance.actors.values().any(Actor::is_touched) {
                show.note_gaps(&name, &performance);
                return started;
            }
            show.plays.push(Play {
                name,
                definition,
                binding,
                sequence,
                schedule,
                performance,
            });
            started
        };
        let name = definition.anim_name();
        let mut reached = perform(Entry::Start, name.clone(), None);
        if let Some(damage) = &definition.damage_state {
            let own = damage.sequence.head.name.text();
            reached.extend(perform(Entry::Damage, format!("{name}.{own}"), Some(own)));
        }
        // What only the game calls, or what waits for an impact.
        for (place, sequence) in definition.sequences.iter().enumerate() {
            if !reached.contains(&place) && moves(sequence) {
                let own = sequence.head.name.text();
                reached.extend(perform(
                    Entry::Sequence(place),
                    format!("{name}.{own}"),
                    Some(own),
                ));
            }
        }
    }
    let plays = std::mem::take(&mut show.plays);
    for play in &plays {
        show.note_gaps(&play.name, &play.performance);
        let root = play.binding.root.node().map(NodeKey::from);
        for node in root
            .into_iter()
            .chain(play.performance.actors.keys().copied())
        {
            let of_file = show.wanted.entry(node.forest).or_default();
            of_file.insert(node.index);
        }
    }
    show.plays = plays;
    show
}

impl Show<'_> {
    /// Notes what could not be done for want of a node or of sense; that sounds are no movement goes
    /// without saying.
    fn note_gaps(&mut self, name: &str, performance: &Performance) {
        let strange = performance
            .gaps
            .iter()
            .filter(|(what, _)| what.contains(' '));
        for (what, count) in strange {
            self.notes
                .push(format!("animation {name}: {what} ({count} times)"));
        }
    }

    /// Whether nothing moves.
    pub(super) fn is_empty(&self) -> bool {
        self.plays.is_empty()
    }

    /// Adds the clips to a scene in which each node of `places` stands for one of a file.
    pub(super) fn stage(
        &self,
        scene: &mut Scene,
        places: &Places,
        shutters: &mut Shutters,
        config: &Config,
    ) {
        self.set_cameras(scene, places);
        if config.animations.visibility == Visibility::Scale {
            self.add_shutters(scene, places, shutters);
        }
        for play in &self.plays {
            let end = play.length();
            let mut channels = Vec::new();
            for (key, actor) in &play.performance.actors {
                for &node in places.get(key).into_iter().flatten() {
                    let shutter = shutters.get(&node).copied();
                    add_channels(scene, node, shutter, actor, end, &mut channels);
                }
            }
            // Values that grow beyond what a file can hold move nothing.
            channels.retain(is_finite);
            if channels.is_empty() {
                // A clip in which nothing moves still says what is shown and hidden.
                let mut nodes = play.performance.actors.keys();
                let first = nodes.find_map(|key| places.get(key)?.first().copied());
                let Some(node) = first else { continue };
                channels.push(still(scene, node, end));
            }
            scene.clips.push(Clip {
                name: play.name.clone(),
                channels,
                extras: zipper(play.facts(end)),
            });
        }
    }

    /// Puts a node above each node that is shown or hidden.
    fn add_shutters(&self, scene: &mut Scene, places: &Places, shutters: &mut Shutters) {
        for play in &self.plays {
            for (key, actor) in &play.performance.actors {
                if actor.visibility.is_untouched() && actor.rest.is_active {
                    continue;
                }
                for &node in places.get(key).into_iter().flatten() {
                    shutters.entry(node).or_insert_with(|| {
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
    }

    /// Gives the nodes that are cameras their lenses: as the first clip that says so sets them, else as
    /// their file does, else as most cameras have them.
    fn set_cameras(&self, scene: &mut Scene, places: &Places) {
        for play in &self.plays {
            for (key, actor) in &play.performance.actors {
                if !actor.rest.is_camera {
                    continue;
                }
                let setup = play.performance.cameras.get(key).copied();
                for &node in places.get(key).into_iter().flatten() {
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

impl Play<'_> {
    /// Seconds of the clip: until nothing moves any more, and whole passes of loops.
    fn length(&self) -> f64 {
        let loops = self.schedule.loops.iter().map(|it| match it.passes {
            Some(passes) if it.unrolled => it.start + it.period * f64::from(passes),
            _ => it.start + it.period,
        });
        let end = loops.fold(self.performance.end, f64::max);
        end.max(SHORTEST)
    }

    /// The extras of the clip.
    fn facts(&self, end: f64) -> Map<String, Value> {
        let mut facts = Map::new();
        let head = &self.definition.head;
        facts.insert("animation".to_owned(), self.definition.anim_name().into());
        facts.insert("root".to_owned(), head.anim_root_name.text().into());
        if let Some(sequence) = &self.sequence {
            facts.insert("sequence".to_owned(), Value::from(sequence.clone()));
        }
        if let Ok(activation) = serde_json::to_value(head.activation) {
            facts.insert("activation".to_owned(), activation);
        }
        facts.insert("length".to_owned(), number(end as f32));
        if head.reset_time.0 >= 0.0 {
            facts.insert("resetTime".to_owned(), number(head.reset_time.0));
        }
        let loops: Vec<Value> = self.schedule.loops.iter().map(loop_facts).collect();
        let mut list = |name: &str, values: Vec<Value>| {
            if !values.is_empty() {
                facts.insert(name.to_owned(), Value::from(values));
            }
        };
        list("loops", loops);
        list("visibility", self.visibility(end));
        list("opacity", self.opacity(end));
        list("marks", self.performance.marks.clone());
        list("ambiguous", self.ambiguous());
        let counted = [
            ("notBaked", &self.performance.gaps),
            ("nominal", &self.performance.nominal),
        ];
        for (name, counts) in counted {
            if !counts.is_empty() {
                facts.insert(name.to_owned(), json!(counts));
            }
        }
        if !self.schedule.conditions.is_empty() {
            facts.insert("conditions".to_owned(), json!(self.schedule.conditions));
        }
        if self.schedule.dropped > 0 {
            facts.insert("dropped".to_owned(), Value::from(self.schedule.dropped));
        }
        facts
    }

    fn name_of(&self, node: NodeKey) -> Value {
        let nodes = self.binding.nodes.iter().zip(&self.definition.tables.nodes);
        let mut names = nodes.filter(|(bound, _)| bound.node().map(NodeKey::from) == Some(node));
        match names.next() {
            Some((_, entry)) => Value::from(entry.name.text()),
            None => Value::from(self.definition.head.anim_root_name.text()),
        }
    }

    /// Keys of one property for extras.
    fn extras_of(
        &self,
        end: f64,
        track_of: impl Fn(&Actor) -> Option<&Track<Curve>>,
        value_of: impl Fn(f32) -> Value,
        name: &str,
    ) -> Vec<Value> {
        let mut all = Vec::new();
        for (&key, actor) in &self.performance.actors {
            let Some(track) = track_of(actor) else {
                continue;
            };
            let keys = keys::vector_keys(&track.spans(end));
            let values = keys.values.iter().map(|value| value_of(value.x));
            let mut facts = json!({
                "node": self.name_of(key),
                "index": key.index,
                "times": Value::from_iter(keys.times.iter().copied().map(number)),
                name: Value::from_iter(values),
            });
            if let (Interpolation::Linear, Value::Object(facts)) = (keys.interpolation, &mut facts)
            {
                facts.insert("interpolation".to_owned(), Value::from("LINEAR"));
            }
            all.push(facts);
        }
        all
    }

    fn visibility(&self, end: f64) -> Vec<Value> {
        let track = |actor: &'_ Actor| -> bool {
            let settled = actor.visibility.rest().x > 0.5;
            !actor.visibility.is_untouched() || settled != actor.rest.is_active
        };
        self.extras_of(
            end,
            |actor| track(actor).then_some(&actor.visibility),
            |value| Value::from(value > 0.5),
            "shown",
        )
    }

    fn opacity(&self, end: f64) -> Vec<Value> {
        self.extras_of(
            end,
            |actor| (!actor.opacity.is_untouched()).then_some(&actor.opacity),
            number,
            "opacity",
        )
    }

    /// Names that several nodes of the world have, and none below the root.
    fn ambiguous(&self) -> Vec<Value> {
        let nodes = self.binding.nodes.iter().zip(&self.definition.tables.nodes);
        let several = nodes.filter(|(bound, _)| {
            matches!(
                bound,
                Bound::Node {
                    candidates: 2..,
                    local: false,
                    ..
                }
            )
        });
        several
            .map(|(_, entry)| Value::from(entry.name.text()))
            .collect()
    }
}

fn loop_facts(it: &LoopFacts) -> Value {
    let mut facts = json!({
        "sequence": it.sequence,
        "start": number(it.start as f32),
        "period": number(it.period as f32),
        "passes": it.passes,
    });
    if let (true, Value::Object(facts)) = (it.unrolled, &mut facts) {
        facts.insert("unrolled".to_owned(), Value::from(true));
    }
    facts
}
