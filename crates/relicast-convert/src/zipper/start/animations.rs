//! Effects of animations on a world before a mission begins: the reset sequences of all records with the flag
//! for it, in order, then the first moment of the animations that start at load, then of those that the
//! mission's list starts.

use std::collections::{BTreeSet, HashSet, VecDeque};

use glam::{DMat4, DVec3};

use super::calls::{CalledNames, Cast, DefinitionRef, Started, index_of};
use super::lights;
use super::plan::{Missions, StartPlan, Turrets};
use super::state::StagedWorld;
use crate::zipper::anim::bind::{Binding, DISABLED};
use crate::zipper::bake::curve::Rotation;
use crate::zipper::bake::evaluate::{BakeContext, Names, NodeKey, Timeline};
use crate::zipper::bake::motion::vector;
use crate::zipper::bake::schedule::{Action, DefinitionIndex, Entry};
use crate::zipper::bake::time::LATEST;
use crate::zipper::scene::hierarchy::Nodes;
use relicast_formats::zipper::anim::event::control::{CallAnimation, CallFlags};
use relicast_formats::zipper::anim::{
    Activation, Definition, DefinitionFlags, EventBody, NodeIndex, NodeTarget,
};
use relicast_formats::zipper::gamez::NodeData;
use relicast_scene::extras::zipper;

/// Maximum number of animations that start, including called ones.
const MAX_STARTS: usize = 1 << 14;

/// Maximum length of a chain of calls.
const MAX_DEPTH: usize = 32;

/// Status of a definition that was running when the file was stored. It needs no reset.
const RUNNING: u8 = 2;

/// Statuses of definitions that do not start. No source names 4 and 6.
const NOT_STARTED: [u8; 3] = [4, DISABLED, 6];

/// Runs only while its node is drawn. No source names the bit among the flags of definitions.
const WHILE_DRAWN: u32 = 0x4;

struct Run<'r, 'g, 'c> {
    state: &'r mut StagedWorld<'g>,
    cast: &'r Cast<'c>,
    indices: Vec<DefinitionIndex<'c>>,
    started: BTreeSet<(DefinitionRef, Option<usize>)>,
    /// Nodes that the world or one of its cells lists.
    standing: HashSet<usize>,
    waiting: VecDeque<Started>,
}

/// Reason not to start another animation after `starts` of them, at the end of a chain of `depth` calls.
fn limit_reached(starts: usize, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return Some(format!(
            "animations at the end of more than {MAX_DEPTH} nested calls"
        ));
    }
    (starts >= MAX_STARTS).then(|| format!("animations beyond the limit of {MAX_STARTS} starts"))
}

/// Runs animations up to the start of a mission.
pub(super) fn run(state: &mut StagedWorld<'_>, missions: &Missions<'_>, plan: &StartPlan) {
    let files = plan.containers.iter();
    let files = files.filter_map(|&place| missions.containers.get(place));
    let containers: Vec<_> = files.map(|(_, container)| container).collect();
    if containers.is_empty() {
        if !plan.starts.is_empty() {
            for name in &plan.starts {
                state.report.leave(NO_ANIMATION, name);
            }
        }
        return;
    }
    let cast = Cast::new(state, containers);
    let indices = cast
        .containers
        .iter()
        .map(|file| DefinitionIndex::new(file));
    let world = state.gamez.nodes.world();
    let standing = world.into_iter().flat_map(|(at, world)| {
        let cells = world.partitions.iter().flat_map(|cell| &cell.entries);
        let children = state.node(at).map(|node| node.children.as_slice());
        let children = children.unwrap_or_default().iter().copied();
        cells.map(|entry| entry.node).chain(children)
    });
    let standing = standing.map(|node| node as usize).collect();
    let mut run = Run {
        standing,
        indices: indices.collect(),
        state,
        cast: &cast,
        started: BTreeSet::new(),
        waiting: VecDeque::new(),
    };
    let all: Vec<DefinitionRef> = cast
        .containers
        .iter()
        .enumerate()
        .flat_map(|(container, file)| {
            (0..file.definitions.len()).map(move |index| DefinitionRef { container, index })
        })
        .collect();
    for &definition in &all {
        run.reset(definition);
    }
    run.reset_turrets(&plan.turrets);
    run.start_waiting();
    for &definition in &all {
        let found = cast.definition(definition);
        if found.is_some_and(|found| found.head.activation == Activation::OnStartup) {
            run.start_by_itself(definition);
        }
    }
    run.start_waiting();
    for name in &plan.starts {
        match run.cast.called(name, 0) {
            Some(definition) => run.wait_for(Started {
                definition,
                operand: None,
                input: None,
                depth: 0,
            }),
            None => run.state.report.leave(NO_ANIMATION, name),
        }
        run.start_waiting();
    }
}

const NO_ANIMATION: &str = "animations that start at load and that no container has";

/// Moment at which events are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// After all events: a reset.
    End,
    /// At the first events.
    First,
}

impl<'c> Run<'_, '_, 'c> {
    /// Runs the reset sequence of a definition, if it has the flag for that.
    fn reset(&mut self, at: DefinitionRef) {
        let Some(definition) = self.cast.definition(at) else {
            return;
        };
        let head = &definition.head;
        let needs_no_reset = [DISABLED, RUNNING].contains(&head.status);
        let has_reset = head.flags.contains(DefinitionFlags::RESET_TIME);
        let events = definition.reset_state.as_ref();
        if needs_no_reset || !has_reset || events.is_none_or(|reset| reset.events.is_empty()) {
            return;
        }
        self.state.report.resets += 1;
        let started = Started {
            definition: at,
            operand: None,
            input: None,
            depth: 0,
        };
        self.play(&started, Entry::Reset, Moment::End);
    }

    /// Switches parts of turrets off, and runs the reset sequence of each turret's destruction: of the animation
    /// that its definition names, else of the animation with the turret's name, else of the usual one.
    fn reset_turrets(&mut self, turrets: &Turrets) {
        for definition in &turrets.definitions {
            let nodes = self.state.gamez.nodes.used.iter().enumerate();
            let named = nodes.filter(|(_, node)| definition.names(&node.name()));
            let named: Vec<(usize, String)> =
                named.map(|(index, node)| (index, node.name())).collect();
            for (turret, name) in named {
                for off in definition.off_below(&self.state.gamez, turret) {
                    self.state.change_rest(off, |rest| rest.is_active = false);
                }
                let own = definition.destroyed_by.as_deref();
                let by_name = || self.cast.called(&name, 0);
                let usual = || self.cast.called(turrets.destroyed_by.as_deref()?, 0);
                let found = match own {
                    Some(own) => self.cast.called(own, 0),
                    None => by_name().or_else(usual),
                };
                let Some(found) = found else {
                    let why = "turrets without an animation that resets them";
                    self.state.report.leave(why, name);
                    continue;
                };
                self.state.report.resets += 1;
                let started = Started {
                    definition: found,
                    operand: Some(turret),
                    input: None,
                    depth: 0,
                };
                self.play(&started, Entry::Reset, Moment::End);
            }
        }
    }

    /// Starts an animation without a list or a call, if its conditions hold.
    fn start_by_itself(&mut self, at: DefinitionRef) {
        let Some(definition) = self.cast.definition(at) else {
            return;
        };
        let started = &self.state.report.started;
        let has_started = |name: &str| started.contains(name);
        if self.cast.may_start(definition, self.state, has_started) {
            self.wait_for(Started {
                definition: at,
                operand: None,
                input: None,
                depth: 0,
            });
            self.start_waiting();
        } else {
            let name = definition.anim_name();
            self.state
                .report
                .leave("animations whose conditions do not hold at the start", name);
        }
    }

    fn wait_for(&mut self, started: Started) {
        let key = (started.definition, started.operand);
        let definition = self.cast.definition(started.definition);
        let name = definition.map(Definition::anim_name).unwrap_or_default();
        if let Some(why) = limit_reached(self.started.len(), started.depth) {
            self.state.report.leave(why, name);
        } else if self.started.insert(key) {
            self.waiting.push_back(started);
        } else if definition.is_some() && started.depth > 0 {
            let why = "second copies of animations that are already running";
            self.state.report.leave(why, name);
        }
    }

    fn start_waiting(&mut self) {
        while let Some(started) = self.waiting.pop_front() {
            self.start(&started);
        }
    }

    fn start(&mut self, started: &Started) {
        let Some(definition) = self.cast.definition(started.definition) else {
            return;
        };
        let head = &definition.head;
        let name = definition.anim_name();
        if NOT_STARTED.contains(&head.status) {
            let why = "animations that are switched off";
            self.state.report.leave(why, name);
            return;
        }
        let by_place = DefinitionFlags::EXECUTION_BY_RANGE | DefinitionFlags::EXECUTION_BY_ZONE;
        if head.flags.intersects(by_place) || head.flags.bits() & WHILE_DRAWN != 0 {
            let why = "animations that run only while the player is near or sees them";
            self.state.report.leave(why, name);
            return;
        }
        self.state.report.started.insert(name);
        self.attach_to_world(started);
        self.play(started, Entry::Start, Moment::First);
    }

    /// Makes a bound node without parent a child of the world while its animation runs.
    fn attach_to_world(&mut self, started: &Started) {
        let Some(binding) = self.cast.binding(started) else {
            return;
        };
        let world = self.state.gamez.nodes.world().map(|(index, _)| index);
        if let (Some(root), Some(world)) = (index_of(binding.bound), world)
            && self.is_free(root)
            && self.state.hang(world, root)
        {
            let facts = zipper::Node {
                starts_with: Some(true),
                ..zipper::Node::default()
            };
            self.state.note(root, facts);
        }
    }

    /// True if a node is an object or LOD that has no parent and that neither the world nor a cell lists.
    fn is_free(&self, index: usize) -> bool {
        let node = self.state.node(index);
        let is_thing = node.is_some_and(|node| {
            matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_)) && node.parents.is_empty()
        });
        is_thing && !self.standing.contains(&index)
    }

    /// Plays the events of a definition, in order.
    fn play(&mut self, started: &Started, entry: Entry, moment: Moment) {
        let at = started.definition;
        let Some(definition) = self.cast.definition(at) else {
            return;
        };
        let (Some(binding), Some(index)) =
            (self.cast.binding(started), self.indices.get(at.container))
        else {
            return;
        };
        let schedule = index.schedule(at.index, entry);
        for action in &schedule.actions {
            let is_due = moment == Moment::End || action.start <= 0.0;
            if is_due && !action.is_decided {
                self.act(started, definition, &binding, action, moment);
            }
        }
        let first = schedule.first_condition;
        if first.is_some_and(|first| moment == Moment::End || first <= 0.0) {
            let why = "events that depend on a condition of the running game";
            self.state.report.leave(why, definition.anim_name());
        }
    }

    fn act(
        &mut self,
        started: &Started,
        definition: &'c Definition,
        binding: &Binding,
        action: &Action<'c>,
        moment: Moment,
    ) {
        let at = started.definition;
        let names = CalledNames {
            binding,
            input: started.input,
        };
        let Some(index) = self.indices.get(at.container) else {
            return;
        };
        let name = definition.anim_name();
        match action.body {
            EventBody::ObjectAddChild(body) => {
                let [parent, child] = [body.parent, body.child].map(|node| node_of(&names, node));
                match (parent, child) {
                    (Some(parent), Some(child)) => {
                        self.state.hang(parent, child);
                    }
                    _ => self.state.report.leave(NO_NODE, name),
                }
            }
            EventBody::ObjectDeleteChild(body) => {
                let [parent, child] = [body.parent, body.child].map(|node| node_of(&names, node));
                match (parent, child) {
                    (Some(parent), Some(child)) => self.state.take_off(parent, child),
                    _ => self.state.report.leave(NO_NODE, name),
                }
            }
            EventBody::LightState(body) => {
                let node = node_of(&names, body.node);
                let transform = node.map(|node| self.in_world(node));
                let light = usize::try_from(body.light.0).unwrap_or_default();
                let known = definition.tables.lights.get(light);
                let called = known.map(|light| light.name.text()).unwrap_or_default();
                let key = (at.container, at.index, light);
                lights::set(self.state, key, called, body, transform);
            }
            EventBody::FogState(body) => lights::set_fog(self.state, body),
            EventBody::CallAnimation(body) => self.call(started, &names, body, &name),
            EventBody::CallSequence(_)
            | EventBody::StopSequence(_)
            | EventBody::Loop(_)
            | EventBody::If(_)
            | EventBody::Else(_)
            | EventBody::ElseIf(_)
            | EventBody::EndIf(_) => {}
            _ => {
                let context = BakeContext {
                    library: index,
                    definition,
                    world: &*self.state,
                    names: &names,
                };
                let timeline = context.perform(&[], std::slice::from_ref(action));
                self.take(&timeline, moment, &name);
            }
        }
    }

    /// Applies the changes of an event to nodes.
    fn take(&mut self, timeline: &Timeline, moment: Moment, name: &str) {
        let time = match moment {
            Moment::End => LATEST,
            Moment::First => 0.0,
        };
        for (key, actor) in &timeline.actors {
            if key.lookup == 0 && actor.is_touched() {
                let rest = actor.rest_at(time);
                self.state.change_rest(key.index, |stored| *stored = rest);
            }
        }
        for (key, lens) in &timeline.cameras {
            let node = self.state.node_mut(key.index).filter(|_| key.lookup == 0);
            if let Some(NodeData::Camera(camera)) = node.map(|node| &mut node.data) {
                for (field, value) in [
                    (&mut camera.clip_near, lens.near),
                    (&mut camera.clip_far, lens.far),
                    (&mut camera.fov_h_base, lens.fov_h),
                    (&mut camera.fov_v_base, lens.fov_v),
                ] {
                    if let Some(value) = value {
                        field.0 = value as f32;
                    }
                }
            }
        }
        for (what, _) in timeline.gaps.faults() {
            self.state.report.leave(what, name);
        }
        for what in timeline.gaps.events() {
            let why = format!("the event {what} has no place in a scene");
            self.state.report.leave(why, name);
        }
    }

    /// Calls another animation, which starts in the same frame.
    fn call(
        &mut self,
        started: &Started,
        names: &CalledNames<'_>,
        body: &CallAnimation,
        caller: &str,
    ) {
        let called = body.name.text();
        let Some(definition) = self.cast.called(&called, started.definition.container) else {
            let why = "calls of animations that no container has";
            self.state.report.leave(why, called);
            return;
        };
        let by_node = body
            .flags
            .intersects(CallFlags::AT_NODE | CallFlags::WITH_NODE);
        let node = node_of(names, body.node);
        if by_node && node.is_none() && NodeIndex::from(body.node).target() != NodeTarget::None {
            self.state.report.leave(NO_NODE, caller);
            return;
        }
        let callee = Started {
            definition,
            operand: node_of(names, body.operand_node),
            input: node.filter(|_| body.flags.contains(CallFlags::WITH_NODE)),
            depth: started.depth + 1,
        };
        let root = self
            .cast
            .binding(&callee)
            .and_then(|binding| index_of(binding.bound));
        if let Some(root) = root.filter(|&root| self.is_free(root)) {
            self.move_root(root, node, body);
        }
        self.wait_for(callee);
    }

    /// Moves the root of a called animation to the place of the call.
    fn move_root(&mut self, root: usize, node: Option<usize>, body: &CallAnimation) {
        let flags = body.flags;
        let at_node = node.filter(|_| flags.contains(CallFlags::AT_NODE));
        let offset = vector(body.position);
        let offset = if flags.contains(CallFlags::POSITION) {
            offset
        } else {
            DVec3::ZERO
        };
        let transform = at_node.map(|node| self.in_world(node));
        let angles = transform
            .filter(|_| flags.contains(CallFlags::TRANSLATE))
            .map(|transform| {
                let (_, turned, _) = transform.to_scale_rotation_translation();
                let own = Rotation::from_quat(turned).angles();
                own + vector(body.translate)
            });
        let shows = self.state.shows_model(root);
        self.state.change_rest(root, |rest| {
            rest.translation = match transform {
                Some(transform) => transform.transform_point3(offset),
                None => DVec3::ZERO,
            };
            if !shows {
                let angles = angles.unwrap_or_default();
                rest.leave_matrix();
                rest.rotation = Rotation::from_angles(angles);
            }
        });
    }

    /// Place, rotation and scale of a node in the world.
    fn in_world(&self, node: usize) -> DMat4 {
        Timeline::default().in_world(
            &*self.state,
            NodeKey {
                lookup: 0,
                index: node,
            },
            0.0,
        )
    }
}

/// Nodes of files other than the world are not changed.
const NO_NODE: &str = "events for nodes that the world does not have";

/// The node of the world that an event names; `None` for nodes of other files. The world is the first file that is
/// searched, with `lookup` 0.
fn node_of<I: Into<NodeIndex>>(names: &CalledNames<'_>, node: I) -> Option<usize> {
    let node = names.node(node.into().target())?;
    (node.lookup == 0).then_some(node.index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_its_own_reason() {
        assert_eq!(limit_reached(MAX_STARTS - 1, MAX_DEPTH), None);
        let reason = |starts, depth| limit_reached(starts, depth).unwrap();
        assert!(reason(MAX_STARTS, 0).contains("limit of 16384 starts"));
        assert!(reason(0, MAX_DEPTH + 1).contains("more than 32 nested calls"));
    }
}
