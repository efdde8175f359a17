//! Clips of a container: a group for each name that definitions are bound to, and the curves of the events of
//! each definition.
//!
//! The scene of a group holds the nodes that its animations are bound to, with all their descendants, and the
//! other nodes that they move, each at its place in the world. Each animation has one clip.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::zipper::bake::curve::Curve;
use crate::zipper::bake::evaluate::{AnimatedNode, BakeContext, NodeKey, Timeline};
use crate::zipper::bake::keys;
use crate::zipper::bake::schedule::{DefinitionIndex, Entry, LoopFacts, Schedule};
use crate::zipper::bake::track::Track;
use relicast_codec::quantity::counted;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::{AnimFile, Definition, DefinitionFlags, EventBody, Sequence};
use relicast_scene::extras::{Float, zipper};
use relicast_scene::model::{Interpolation, NodeId};

use super::stored_nodes::StoredNodes;
use crate::zipper::anim::bind::{Binding, Bound};

/// Minimum duration of a clip in seconds.
const SHORTEST: f64 = 1.0 / 30.0;

/// Places of each node in a scene.
pub(in crate::zipper) type Places = BTreeMap<NodeKey, Vec<NodeId>>;

/// The definitions of a container that are bound to one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) struct Group {
    /// The name, without the ending of a model file.
    pub name: String,
    /// Indices of the definitions.
    pub definitions: Vec<usize>,
}

/// The groups with events for a clip (movement, fading, visibility or lenses), in the order of their first
/// definitions.
pub(in crate::zipper) fn groups(container: &AnimFile) -> Vec<Group> {
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

/// True if something in a sequence moves, fades, shows or hides a node, or sets the lens of a camera.
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
                | EventBody::CameraState(_)
                | EventBody::CameraFromTo(_)
        )
    })
}

/// A clip before it is in a scene.
pub(in crate::zipper) struct BakedClip<'f> {
    pub name: String,
    definition: &'f Definition,
    binding: &'f Binding,
    sequence: Option<String>,
    schedule: Schedule<'f>,
    pub performance: Timeline,
}

/// The clips of a group, and their nodes.
pub(in crate::zipper) struct ClipSet<'f> {
    plays: Vec<BakedClip<'f>>,
    /// The nodes of each file that the scene must hold.
    pub wanted: BTreeMap<usize, BTreeSet<usize>>,
    /// Lines for the report.
    pub notes: Vec<String>,
    /// The opacity of a node replaces those of its ancestors.
    pub replaces_opacity: bool,
    /// Films have black bars, a node of the world.
    pub has_letterbox: bool,
}

/// Bakes the definitions of a group.
pub(in crate::zipper) fn bake<'f>(
    container: &'f AnimFile,
    bindings: &'f [Binding],
    cast: &StoredNodes<'_>,
    group: &Group,
) -> ClipSet<'f> {
    let library = DefinitionIndex::new(container);
    let mut set = ClipSet {
        plays: Vec::new(),
        wanted: BTreeMap::new(),
        notes: Vec::new(),
        replaces_opacity: container.version == ZipperGame::Recoil,
        has_letterbox: container.version == ZipperGame::CrimsonSkies,
    };
    for &index in &group.definitions {
        let found = container.definitions.get(index).zip(bindings.get(index));
        if let Some((definition, binding)) = found {
            let context = BakeContext {
                library: &library,
                definition,
                world: cast,
                names: binding,
            };
            set.add_definition(&context, index, binding);
        }
    }
    let plays = std::mem::take(&mut set.plays);
    for play in &plays {
        set.note_gaps(&play.name, &play.performance);
        set.note_schedule(&play.name, &play.schedule);
        let root = play.binding.attached.node().map(NodeKey::from);
        for node in root
            .into_iter()
            .chain(play.performance.actors.keys().copied())
            .chain(play.performance.cameras.keys().copied())
        {
            let of_file = set.wanted.entry(node.lookup).or_default();
            of_file.insert(node.index);
        }
    }
    set.plays = plays;
    set
}

impl<'f> ClipSet<'f> {
    /// Adds the clips of a definition: of its start, of its damage, and of the sequences that neither of them starts.
    fn add_definition(
        &mut self,
        context: &BakeContext<'_, 'f>,
        index: usize,
        binding: &'f Binding,
    ) {
        let definition = context.definition;
        // Without its flag a reset runs only on request.
        let begins_reset = definition.head.flags.contains(DefinitionFlags::RESET_TIME);
        let reset = if begins_reset {
            context.library.schedule(index, Entry::Reset).actions
        } else {
            Vec::new()
        };
        let mut perform = |entry: Entry, name: String, sequence: Option<String>| {
            let schedule = context.library.schedule(index, entry);
            let started = schedule.reached.clone();
            let performance = context.perform(&reset, &schedule.actions);
            if !performance.actors.values().any(AnimatedNode::is_touched)
                && performance.cameras.is_empty()
            {
                self.note_gaps(&name, &performance);
                self.note_schedule(&name, &schedule);
                return started;
            }
            self.plays.push(BakedClip {
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
        // Sequences that only the game calls, or that wait for an impact.
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

    /// Notes movements that could not be baked exactly.
    fn note_gaps(&mut self, name: &str, performance: &Timeline) {
        for (what, count) in performance.gaps.faults() {
            let times = counted(count, "time", "times");
            self.notes
                .push(format!("animation {name}: {what} ({times})"));
        }
    }

    /// Notes events that cannot be stored in a clip.
    fn note_schedule(&mut self, name: &str, schedule: &Schedule<'_>) {
        let dropped = schedule.dropped;
        if dropped > 0 {
            let events = counted(dropped, "event", "events");
            self.notes.push(format!(
                "animation {name}: {events} left out: too late or too many for a clip"
            ));
        }
        let circles = schedule.circles;
        if circles > 0 {
            let waits = counted(circles, "wait", "waits");
            self.notes.push(format!(
                "animation {name}: {waits} skipped: animations that wait for each other"
            ));
        }
    }

    /// True if nothing moves.
    pub(in crate::zipper) fn is_empty(&self) -> bool {
        self.plays.is_empty()
    }

    /// The clips.
    pub(in crate::zipper) fn plays(&self) -> &[BakedClip<'f>] {
        &self.plays
    }
}

impl BakedClip<'_> {
    /// Seconds of the clip: to the end of the last movement, with whole passes of loops.
    pub(in crate::zipper) fn length(&self) -> f64 {
        let loops = self.schedule.loops.iter().map(|facts| match facts.passes {
            Some(passes) if facts.unrolled => facts.start + facts.period * f64::from(passes),
            _ => facts.start + facts.period,
        });
        let end = loops.fold(self.performance.end, f64::max);
        end.max(SHORTEST)
    }

    /// The extras of the clip.
    pub(in crate::zipper) fn facts(&self, end: f64) -> zipper::Clip {
        let head = &self.definition.head;
        let is_elsewhere = self.binding.bound != self.binding.attached;
        let activation = serde_json::to_value(head.activation);
        let stuck = self.schedule.stuck.iter().map(|name| name.to_string());
        let conditions = &self.schedule.conditions;
        let dropped = self.schedule.dropped;
        zipper::Clip {
            animation: Some(self.definition.anim_name()),
            root: Some(head.anim_root_name.text()),
            bound_to: is_elsewhere.then(|| head.name.text()),
            sequence: self.sequence.clone(),
            activation: activation
                .ok()
                .and_then(|value| Some(value.as_str()?.to_owned())),
            length: Some(Float(end as f32)),
            reset_time: (head.reset_time.0 >= 0.0).then_some(Float(head.reset_time.0)),
            loops: some(self.schedule.loops.iter().map(loop_facts).collect()),
            never_started_by_the_game: some(stuck.collect()),
            visibility: some(self.visibility(end)),
            opacity: some(self.opacity(end)),
            marks: some(self.performance.marks.clone()),
            ambiguous: some(self.ambiguous()),
            not_baked: self.performance.gaps.counts(),
            nominal: self.performance.nominal.counts(),
            conditions: (!conditions.is_empty()).then(|| conditions.clone()),
            dropped: (dropped > 0).then_some(dropped),
            ..zipper::Clip::default()
        }
    }

    fn name_of(&self, node: NodeKey) -> String {
        let nodes = self.binding.nodes.iter().zip(&self.definition.tables.nodes);
        let mut names = nodes.filter(|(bound, _)| bound.node().map(NodeKey::from) == Some(node));
        match names.next() {
            Some((_, entry)) => entry.name.text(),
            None => self.definition.head.name.text(),
        }
    }

    /// Keys of one property for extras, of each node that has any.
    fn extras_of<T>(
        &self,
        end: f64,
        track_of: impl Fn(&AnimatedNode) -> Option<&Track<Curve>>,
        make: impl Fn(NodeKey, Vec<Float>, Vec<f32>, Option<String>) -> T,
    ) -> Vec<T> {
        let tracks = self.performance.actors.iter();
        let tracks = tracks.filter_map(|(&key, actor)| Some((key, track_of(actor)?)));
        tracks
            .map(|(key, track)| {
                let keys = keys::vector_keys(&track.spans(end));
                let values = keys.values.iter().map(|value| value.x);
                let times = keys.times.iter().copied().map(Float);
                let is_linear = matches!(keys.interpolation, Interpolation::Linear);
                let interpolation = is_linear.then(|| "LINEAR".to_owned());
                make(key, times.collect(), values.collect(), interpolation)
            })
            .collect()
    }

    fn visibility(&self, end: f64) -> Vec<zipper::Visibility> {
        let track = |actor: &'_ AnimatedNode| -> bool {
            let settled = actor.visibility.rest().x > 0.5;
            !actor.visibility.is_untouched() || settled != actor.rest.is_active
        };
        self.extras_of(
            end,
            |actor| track(actor).then_some(&actor.visibility),
            |key, times, values, interpolation| zipper::Visibility {
                node: Some(self.name_of(key)),
                index: Some(key.index),
                times: Some(times),
                shown: Some(values.into_iter().map(|value| value > 0.5).collect()),
                interpolation,
            },
        )
    }

    fn opacity(&self, end: f64) -> Vec<zipper::Opacity> {
        self.extras_of(
            end,
            |actor| (!actor.opacity.is_untouched()).then_some(&actor.opacity),
            |key, times, values, interpolation| zipper::Opacity {
                node: Some(self.name_of(key)),
                index: Some(key.index),
                times: Some(times),
                opacity: Some(values.into_iter().map(Float).collect()),
                interpolation,
            },
        )
    }

    /// Names of several nodes of the world that no node below the root has.
    fn ambiguous(&self) -> Vec<String> {
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
        several.map(|(_, entry)| entry.name.text()).collect()
    }
}

/// A list; `None` if it is empty.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

fn loop_facts(it: &LoopFacts) -> zipper::Loop {
    zipper::Loop {
        sequence: it.sequence.clone(),
        start: Float(it.start as f32),
        period: Float(it.period as f32),
        passes: it.passes,
        // The games drop the rest of a frame with each pass.
        ideal_period: true,
        unrolled: it.unrolled,
    }
}
