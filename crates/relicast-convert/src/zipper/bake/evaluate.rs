//! The state of each node as a function of time.
//!
//! Every property that an event writes gets a track. Values are absolute, in the space of the parent node; a
//! relative event is evaluated against the tracks at its start time. The initial state is the rest state of
//! the world after the reset sequence of the animation. The tracks are written in `perform`.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};

use relicast_formats::zipper::anim::{Definition, NodeIndex, NodeTarget};

use super::curve::{Curve, Rotation, RotationCurve};
use super::schedule::{Action, DefinitionIndex};
use super::time::LATEST;
use super::track::{Order, Track};

/// Maximum number of ancestors that are followed.
const MAX_DEPTH: usize = 512;

/// A node by the index of its file among those that are searched, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeKey {
    /// Index of the file.
    pub lookup: usize,
    /// Index in the file.
    pub index: usize,
}

/// Angles and size that a node stores in addition to a matrix that was set directly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StoredParts {
    pub rotation: Rotation,
    pub scale: DVec3,
}

/// State of a node before any event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RestState {
    pub translation: DVec3,
    pub rotation: Rotation,
    pub scale: DVec3,
    /// In matrix mode, the angles and size that apply once an event sets the rotation or the scale. The engine's
    /// setters for these leave matrix mode, the setter for the translation does not (both reconstructions of
    /// Recoil's program). Shipped nodes store angles of 0 and a size of 1.
    pub stored: Option<StoredParts>,
    pub is_active: bool,
    pub opacity: Option<f64>,
    pub morph: f64,
    pub is_camera: bool,
}

impl RestState {
    /// Leaves matrix mode: the stored angles and size are the rotation and the scale.
    pub(crate) fn leave_matrix(&mut self) {
        if let Some(stored) = self.stored.take() {
            self.rotation = stored.rotation;
            self.scale = stored.scale;
        }
    }

    /// A node at its parent's place.
    pub(crate) fn plain() -> Self {
        Self {
            translation: DVec3::ZERO,
            rotation: Rotation::from_angles(DVec3::ZERO),
            scale: DVec3::ONE,
            stored: None,
            is_active: true,
            opacity: None,
            morph: 0.0,
            is_camera: false,
        }
    }
}

/// Initial poses of nodes.
pub(crate) trait World {
    /// A node.
    fn rest(&self, node: NodeKey) -> RestState;

    /// The parent, the first if there are several.
    fn parent(&self, node: NodeKey) -> Option<NodeKey>;
}

/// Meanings of the names of a definition.
pub(crate) trait Names {
    /// A node.
    fn node(&self, target: NodeTarget) -> Option<NodeKey>;
}

/// The state of a node at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct State {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// True if the node and all its descendants are shown.
    pub is_visible: bool,
    /// Opacity of all descendants, 0 to 1.
    pub opacity: f64,
    /// Weight of the morph target.
    pub morph: f64,
}

/// A node with events.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AnimatedNode {
    /// State before the reset.
    pub rest: RestState,
    pub translation: Track<Curve>,
    pub rotation: Track<RotationCurve>,
    pub scale: Track<Curve>,
    /// 1 or 0 along x.
    pub visibility: Track<Curve>,
    /// Along x.
    pub opacity: Track<Curve>,
    /// Along x.
    pub morph: Track<Curve>,
    /// Stored opacity, and true if it applies.
    pub(super) fade: (f64, bool),
    /// The time at which an event set the rotation or the scale of a node in matrix mode.
    matrix_until: Option<f64>,
    /// The angles and size that replace the matrix of the node after the reset.
    stored: Option<StoredParts>,
}

pub(super) fn scalar(value: f64) -> DVec3 {
    DVec3::new(value, 0.0, 0.0)
}

impl AnimatedNode {
    fn new(rest: RestState) -> Self {
        Self {
            rest,
            translation: Track::new(rest.translation),
            rotation: Track::new(rest.rotation),
            scale: Track::new(rest.scale),
            visibility: Track::new(scalar(f64::from(u8::from(rest.is_active)))),
            opacity: Track::new(scalar(rest.opacity.unwrap_or(1.0))),
            morph: Track::new(scalar(rest.morph)),
            fade: (rest.opacity.unwrap_or(1.0), rest.opacity.is_some()),
            matrix_until: None,
            stored: rest.stored,
        }
    }

    /// Leaves matrix mode at the time at which an event first sets the rotation or the scale: from then on the
    /// stored angles and size apply, each until an event sets it. Events are played in order of time.
    pub(super) fn leave_matrix(&mut self, time: f64) {
        let Some(stored) = self.stored.filter(|_| self.matrix_until.is_none()) else {
            return;
        };
        self.matrix_until = Some(time);
        self.rotation.replace_rest(time, stored.rotation);
        self.scale.replace_rest(time, stored.scale);
    }

    /// The angles and size that replace the matrix of a node that is in matrix mode at a time.
    fn stored_at(&self, time: f64) -> Option<StoredParts> {
        let is_left = self.matrix_until.is_some_and(|until| until <= time);
        self.stored.filter(|_| !is_left)
    }

    /// True if an event has written anything since the reset.
    pub(crate) fn is_touched(&self) -> bool {
        let curves = [
            &self.translation,
            &self.scale,
            &self.visibility,
            &self.opacity,
            &self.morph,
        ];
        !self.rotation.is_untouched() || curves.iter().any(|track| !track.is_untouched())
    }

    /// The state at a time.
    pub(crate) fn at(&self, time: f64) -> State {
        State {
            translation: self.translation.at(time),
            rotation: self.rotation.at(time).quat,
            scale: self.scale.at(time),
            is_visible: self.visibility.at(time).x > 0.5,
            opacity: self.opacity.at(time).x,
            morph: self.morph.at(time).x,
        }
    }

    /// The rest state of a node that remains as this one is at a time.
    pub(crate) fn rest_at(&self, time: f64) -> RestState {
        let opacity = match self.opacity.is_untouched() {
            true => self.rest.opacity,
            false => {
                let value = self.opacity.at(time).x;
                (self.fade.1 || value < 1.0).then_some(value)
            }
        };
        RestState {
            translation: self.translation.at(time),
            rotation: self.rotation.at(time),
            scale: self.scale.at(time),
            stored: self.stored_at(time),
            is_active: self.visibility.at(time).x > 0.5,
            opacity,
            morph: self.morph.at(time).x,
            is_camera: self.rest.is_camera,
        }
    }

    /// A node whose rest state is the final state of this one.
    fn settled(&self) -> Self {
        let rest = RestState {
            translation: self.translation.at(LATEST),
            rotation: self.rotation.at(LATEST),
            scale: self.scale.at(LATEST),
            stored: self.stored_at(LATEST),
            is_active: self.visibility.at(LATEST).x > 0.5,
            opacity: Some(self.opacity.at(LATEST).x),
            morph: self.morph.at(LATEST).x,
            is_camera: self.rest.is_camera,
        };
        Self {
            rest: self.rest,
            fade: self.fade,
            ..Self::new(rest)
        }
    }
}

/// Reason for a count in [`Gaps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GapKind {
    /// An event without movement, such as a sound.
    OtherEvent,
    /// A movement that could not be baked exactly.
    Fault,
}

/// Differences between the tracks and the file, with counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Gaps(BTreeMap<String, (GapKind, usize)>);

impl Gaps {
    /// Counts an event without movement, by its name.
    pub(super) fn add_event(&mut self, name: &str) {
        self.add(name, GapKind::OtherEvent, 1);
    }

    /// Counts faults of one kind, by their description.
    pub(super) fn add_faults(&mut self, description: &str, count: usize) {
        self.add(description, GapKind::Fault, count);
    }

    fn add(&mut self, text: &str, kind: GapKind, count: usize) {
        let entry = self.0.entry(text.to_owned()).or_insert((kind, 0));
        entry.1 += count;
    }

    /// Descriptions of the faults, with their counts.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (&str, usize)> {
        let faults = self.0.iter();
        let faults = faults.filter(|(_, (kind, _))| *kind == GapKind::Fault);
        faults.map(|(text, &(_, count))| (&**text, count))
    }

    /// Names of the events without movement.
    pub(crate) fn events(&self) -> impl Iterator<Item = &str> {
        let events = self.0.iter();
        let events = events.filter(|(_, (kind, _))| *kind == GapKind::OtherEvent);
        events.map(|(name, _)| &**name)
    }

    /// All counts by name or description; `None` without any.
    pub(crate) fn counts(&self) -> Option<BTreeMap<String, usize>> {
        let counts = self.0.iter();
        let counts = counts.map(|(text, &(_, count))| (text.clone(), count));
        (!self.0.is_empty()).then(|| counts.collect())
    }
}

/// The nodes of a clip over time.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// The nodes with events.
    pub actors: BTreeMap<NodeKey, AnimatedNode>,
    /// Events that no track can represent, in order, for extras.
    pub marks: Vec<relicast_scene::extras::zipper::Mark>,
    /// Events that were not baked exactly.
    pub gaps: Gaps,
    /// Events that were baked by a substitute for a rule of the game.
    pub nominal: Gaps,
    /// The lens of each camera. The first value of each property is used.
    pub cameras: BTreeMap<NodeKey, CameraSetup>,
    /// End of the last movement in seconds.
    pub end: f64,
}

/// The lens of a camera, as far as an event sets it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CameraSetup {
    pub near: Option<f64>,
    pub far: Option<f64>,
    /// Radians from left to right.
    pub fov_h: Option<f64>,
    /// Radians from top to bottom.
    pub fov_v: Option<f64>,
}

/// Inputs of a performance.
pub(crate) struct BakeContext<'s, 'f> {
    pub library: &'s DefinitionIndex<'f>,
    pub definition: &'f Definition,
    pub world: &'s dyn World,
    pub names: &'s dyn Names,
}

impl<'s, 'f> BakeContext<'s, 'f> {
    /// Plays events on nodes after a reset.
    pub(crate) fn perform(&self, reset: &[Action<'f>], actions: &[Action<'f>]) -> Timeline {
        let mut before = Timeline::default();
        for (ordinal, action) in reset.iter().enumerate() {
            before.play(self, action, Order::new(0, ordinal));
        }
        let actors = before.actors.iter();
        let mut performance = Timeline {
            actors: actors.map(|(&key, actor)| (key, actor.settled())).collect(),
            gaps: before.gaps,
            ..Timeline::default()
        };
        for (ordinal, action) in actions.iter().enumerate() {
            let order = Order::new(action.sequence, ordinal);
            performance.play(self, action, order);
        }
        performance
    }
}

impl Timeline {
    /// The state of a node at a time.
    pub(crate) fn state(&self, world: &dyn World, node: NodeKey, time: f64) -> State {
        match self.actors.get(&node) {
            Some(actor) => actor.at(time),
            None => AnimatedNode::new(world.rest(node)).at(time),
        }
    }

    /// Place, rotation and scale of a node in the world.
    pub(crate) fn in_world(&self, world: &dyn World, node: NodeKey, time: f64) -> DMat4 {
        let mut matrix = DMat4::IDENTITY;
        let mut at = Some(node);
        for _ in 0..MAX_DEPTH {
            let Some(node) = at else { break };
            let state = self.state(world, node, time);
            let local = DMat4::from_scale_rotation_translation(
                state.scale,
                state.rotation.normalize(),
                state.translation,
            );
            matrix = local * matrix;
            at = world.parent(node);
        }
        matrix
    }

    pub(super) fn actor(
        &mut self,
        setting: &BakeContext<'_, '_>,
        node: NodeKey,
    ) -> &mut AnimatedNode {
        let actor = self.actors.entry(node);
        actor.or_insert_with(|| AnimatedNode::new(setting.world.rest(node)))
    }

    /// The node that an event acts on.
    pub(super) fn target(
        &mut self,
        setting: &BakeContext<'_, '_>,
        node: impl Into<NodeIndex>,
        kind: &str,
    ) -> Option<NodeKey> {
        let target = node.into().target();
        let found = setting.names.node(target);
        if found.is_none() {
            let why = match target {
                NodeTarget::Input => format!("{kind}: acts on the node handed over at the start"),
                NodeTarget::Entry(place) => {
                    let nodes = &setting.definition.tables.nodes;
                    let name = nodes.get(place).map(|node| node.name.text());
                    format!("{kind}: no node {}", name.unwrap_or_default())
                }
                _ => format!("{kind}: no node"),
            };
            self.gaps.add_faults(&why, 1);
        }
        found
    }
}
