//! What the clips of a container are: a group for each name that definitions are bound to, and what the
//! events of each definition do.
//!
//! The scene of a group holds the nodes that its animations are bound to, with all below them, and
//! whatever else they move, each where it stands in its world; and a clip for each animation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use crate::zipper::bake::curve::Curve;
use crate::zipper::bake::evaluate::{AnimatedNode, BakeContext, NodeKey, Timeline};
use crate::zipper::bake::keys;
use crate::zipper::bake::schedule::{DefinitionIndex, Entry, LoopFacts, Schedule};
use crate::zipper::bake::track::Track;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::{AnimFile, Definition, DefinitionFlags, EventBody, Sequence};
use relicast_scene::model::{Interpolation, NodeId, number};

use super::stored_nodes::StoredNodes;
use crate::zipper::anim::bind::{Binding, Bound};

/// Least seconds of a clip.
const SHORTEST: f64 = 1.0 / 30.0;

/// Where each node is in a scene.
pub(in crate::zipper) type Places = BTreeMap<NodeKey, Vec<NodeId>>;

/// The definitions of a container that are bound to one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) struct Group {
    /// The name, without the ending of a model file.
    pub name: String,
    /// Places of the definitions.
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

/// Whether something in a sequence moves, fades or toggles a node, or sets the lens of a camera.
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

/// The clips of a group, and the nodes that they are about.
pub(in crate::zipper) struct ClipSet<'f> {
    plays: Vec<BakedClip<'f>>,
    /// The nodes of each file that the scene must hold.
    pub wanted: BTreeMap<usize, BTreeSet<usize>>,
    /// Lines for the report.
    pub notes: Vec<String>,
    /// The opacity of a node counts in place of those above.
    pub replaces_opacity: bool,
    /// Films have black bars, a node of the world.
    pub has_letterbox: bool,
}

/// Works out what the definitions of a group do.
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
    /// Adds the clips of a definition: of its start, of its damage, and of the sequences that neither starts.
    fn add_definition(
        &mut self,
        context: &BakeContext<'_, 'f>,
        index: usize,
        binding: &'f Binding,
    ) {
        let definition = context.definition;
        // Without its flag a reset waits until something asks for it.
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

    /// Notes movements that could not be baked as the file says.
    fn note_gaps(&mut self, name: &str, performance: &Timeline) {
        for (what, count) in performance.gaps.faults() {
            self.notes
                .push(format!("animation {name}: {what} ({count} times)"));
        }
    }

    /// Notes events that no clip can hold.
    fn note_schedule(&mut self, name: &str, schedule: &Schedule<'_>) {
        let lost = [
            (
                schedule.dropped,
                "events come too late or are too many for a clip",
            ),
            (
                schedule.circles,
                "waits for animations that wait in a circle, which take no time here",
            ),
        ];
        for (count, what) in lost.into_iter().filter(|(count, _)| *count > 0) {
            self.notes.push(format!("animation {name}: {count} {what}"));
        }
    }

    /// Whether nothing moves.
    pub(in crate::zipper) fn is_empty(&self) -> bool {
        self.plays.is_empty()
    }

    /// The clips.
    pub(in crate::zipper) fn plays(&self) -> &[BakedClip<'f>] {
        &self.plays
    }
}

impl BakedClip<'_> {
    /// Seconds of the clip: until nothing moves any more, and whole passes of loops.
    pub(in crate::zipper) fn length(&self) -> f64 {
        let loops = self.schedule.loops.iter().map(|facts| match facts.passes {
            Some(passes) if facts.unrolled => facts.start + facts.period * f64::from(passes),
            _ => facts.start + facts.period,
        });
        let end = loops.fold(self.performance.end, f64::max);
        end.max(SHORTEST)
    }

    /// The extras of the clip.
    pub(in crate::zipper) fn extras(&self, end: f64) -> Map<String, Value> {
        let mut extras = Map::new();
        let head = &self.definition.head;
        extras.insert("animation".to_owned(), self.definition.anim_name().into());
        extras.insert("root".to_owned(), head.anim_root_name.text().into());
        if self.binding.bound != self.binding.attached {
            extras.insert("boundTo".to_owned(), head.name.text().into());
        }
        if let Some(sequence) = &self.sequence {
            extras.insert("sequence".to_owned(), Value::from(sequence.clone()));
        }
        if let Ok(activation) = serde_json::to_value(head.activation) {
            extras.insert("activation".to_owned(), activation);
        }
        extras.insert("length".to_owned(), number(end as f32));
        if head.reset_time.0 >= 0.0 {
            extras.insert("resetTime".to_owned(), number(head.reset_time.0));
        }
        let loops: Vec<Value> = self.schedule.loops.iter().map(loop_facts).collect();
        let mut list = |name: &str, values: Vec<Value>| {
            if !values.is_empty() {
                extras.insert(name.to_owned(), Value::from(values));
            }
        };
        list("loops", loops);
        let stuck = self.schedule.stuck.iter();
        list(
            "neverStartedByTheGame",
            stuck.map(|name| Value::from(name.as_str())).collect(),
        );
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
                extras.insert(name.to_owned(), counts.to_json());
            }
        }
        if !self.schedule.conditions.is_empty() {
            extras.insert("conditions".to_owned(), json!(self.schedule.conditions));
        }
        if self.schedule.dropped > 0 {
            extras.insert("dropped".to_owned(), Value::from(self.schedule.dropped));
        }
        extras
    }

    fn name_of(&self, node: NodeKey) -> Value {
        let nodes = self.binding.nodes.iter().zip(&self.definition.tables.nodes);
        let mut names = nodes.filter(|(bound, _)| bound.node().map(NodeKey::from) == Some(node));
        match names.next() {
            Some((_, entry)) => Value::from(entry.name.text()),
            None => Value::from(self.definition.head.name.text()),
        }
    }

    /// Keys of one property for extras.
    fn extras_of(
        &self,
        end: f64,
        track_of: impl Fn(&AnimatedNode) -> Option<&Track<Curve>>,
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
            let mut extras = json!({
                "node": self.name_of(key),
                "index": key.index,
                "times": Value::from_iter(keys.times.iter().copied().map(number)),
                name: Value::from_iter(values),
            });
            if let (Interpolation::Linear, Value::Object(extras)) =
                (keys.interpolation, &mut extras)
            {
                extras.insert("interpolation".to_owned(), Value::from("LINEAR"));
            }
            all.push(extras);
        }
        all
    }

    fn visibility(&self, end: f64) -> Vec<Value> {
        let track = |actor: &'_ AnimatedNode| -> bool {
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
    let mut extras = json!({
        "sequence": it.sequence,
        "start": number(it.start as f32),
        "period": number(it.period as f32),
        "passes": it.passes,
        // The games lose the rest of a frame with each pass.
        "idealPeriod": true,
    });
    if let (true, Value::Object(extras)) = (it.unrolled, &mut extras) {
        extras.insert("unrolled".to_owned(), Value::from(true));
    }
    extras
}
