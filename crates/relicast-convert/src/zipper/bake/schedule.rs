//! Times of the events of a definition.
//!
//! Sequences that start with the animation run at the same time, each strictly in order: an event starts when the
//! previous one has completed and its own start time is reached. Two rules replace facts that only a running game
//! knows:
//!
//! - the kind of a condition decides if it is true, see [`holds`];
//! - a loop runs once, unless it has few passes and no condition; events after an endless loop never start.
//!
//! This module deals with the duration of events and not with their effect.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::control::{Condition, ConditionKind, LoopLimit};
use relicast_formats::zipper::anim::event::motion::ScriptMotionHead;
use relicast_formats::zipper::anim::{
    AnimFile, Definition, Event, EventBody, EventStart, Frame, Sequence, SequenceState,
};

use super::script::Splines;
use super::time::{LATEST, seconds};
use super::{motion, script};
use crate::zipper::event_length::EventLength;

/// Seconds of a tick: the minimum duration of a pass of a loop.
const TICK: f64 = 1.0 / 60.0;

/// Maximum number of events of one clip, including all passes of loops.
const MAX_STEPS: usize = 1 << 16;

/// Loops are unrolled up to this many passes,
const MAX_PASSES: u32 = 16;

/// and up to this many events.
const MAX_UNROLLED: usize = 512;

/// Maximum length of a chain of animations that wait for each other.
const MAX_WAIT_DEPTH: usize = 16;

/// One event at its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Action<'f> {
    /// Body of the event.
    pub body: &'f EventBody,
    /// Index of its sequence.
    pub sequence: usize,
    /// Seconds.
    pub start: f64,
    /// Time at which the next event of the sequence can start. [`LATEST`] if never.
    pub end: f64,
    /// Time at which the sequence was stopped during the event; else no limit.
    pub cut: f64,
    /// An earlier condition in its sequence was decided here, not by a running game.
    pub is_decided: bool,
}

/// A loop and its schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LoopFacts {
    /// Name of the sequence.
    pub sequence: String,
    /// Start of the first pass in seconds.
    pub start: f64,
    /// Duration of the first pass in seconds.
    pub period: f64,
    /// Number of passes; none if it has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The clip contains every pass, not only the first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrolled: bool,
}

/// The events of an animation in order of time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Schedule<'f> {
    /// The events by start time; events of the same time in the order in which the games run them.
    pub actions: Vec<Action<'f>>,
    /// Loops.
    pub loops: Vec<LoopFacts>,
    /// Kinds of conditions that were decided, and the results.
    pub conditions: BTreeMap<String, bool>,
    /// Time of the first of them in seconds.
    pub first_condition: Option<f64>,
    /// Seconds until all sequences have ended, endless loops after their first pass.
    pub end: f64,
    /// Some sequence never ends.
    pub is_endless: bool,
    /// Events left out because they are too late or too many.
    pub dropped: usize,
    /// Waits for animations that wait for each other in a circle, or in too long a chain.
    pub circles: usize,
    /// Indices of the sequences that were started.
    pub reached: BTreeSet<usize>,
    /// Names of the sequences whose first event waits on a clock that, in Recoil's program, is stopped until the
    /// first event has started: the game would never start them.
    pub stuck: BTreeSet<String>,
}

/// Wait for an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Wait {
    /// `None` if it never ends.
    seconds: Option<f64>,
    /// The wait is part of a cycle, or of too long a chain.
    in_circle: bool,
}

/// Entry that starts the sequences of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The start of the animation.
    Start,
    /// A call of one sequence.
    Sequence(usize),
    /// Damage.
    Damage,
    /// A reset.
    Reset,
}

/// True if a condition is assumed to hold: conditions on the detail setting, the renderer, chance or the
/// distance of the player are, others are not.
pub(crate) fn holds(kind: ConditionKind) -> bool {
    use ConditionKind::{AnimationLod, HwRender, PlayerRange, RandomWeight};
    matches!(kind, AnimationLod | HwRender | PlayerRange | RandomWeight)
}

/// Definitions by name, and the durations of those that others wait for.
#[derive(Debug)]
pub(crate) struct DefinitionIndex<'f> {
    pub file: &'f AnimFile,
    by_name: HashMap<String, usize>,
    /// Durations of definitions that something has waited for.
    waits: RefCell<HashMap<usize, Wait>>,
}

impl<'f> DefinitionIndex<'f> {
    pub(crate) fn new(file: &'f AnimFile) -> Self {
        let mut by_name = HashMap::new();
        for (index, definition) in file.definitions.iter().enumerate() {
            by_name.entry(definition.anim_name()).or_insert(index);
        }
        Self {
            file,
            by_name,
            waits: RefCell::default(),
        }
    }

    /// Duration of an animation. It is zero for an animation that does not exist, and for one that waits for its
    /// own waiter: neither can end before the other.
    fn wait(&self, name: &str, above: &mut Vec<usize>) -> Wait {
        let no_time = |in_circle| Wait {
            seconds: Some(0.0),
            in_circle,
        };
        let Some(&index) = self.by_name.get(name) else {
            return no_time(false);
        };
        if above.contains(&index) || above.len() >= MAX_WAIT_DEPTH {
            return no_time(true);
        }
        if let Some(&known) = self.waits.borrow().get(&index) {
            return known;
        }
        let schedule = self.schedule_below(index, Entry::Start, above);
        let wait = Wait {
            seconds: (!schedule.is_endless).then_some(schedule.end),
            in_circle: schedule.circles > 0,
        };
        self.waits.borrow_mut().insert(index, wait);
        wait
    }

    /// The events of a definition.
    pub(crate) fn schedule(&self, index: usize, entry: Entry) -> Schedule<'f> {
        self.schedule_below(index, entry, &mut Vec::new())
    }

    fn schedule_below(&self, index: usize, entry: Entry, above: &mut Vec<usize>) -> Schedule<'f> {
        let Some(definition) = self.file.definitions.get(index) else {
            return Schedule::default();
        };
        above.push(index);
        let schedule = Simulation::new(self, definition, entry).run(above);
        above.pop();
        schedule
    }

    /// The frames that an event plays, and the use of their splines.
    pub(crate) fn frames<'e>(
        &'e self,
        definition: &Definition,
        head: &ScriptMotionHead,
        own: &'e [Frame],
    ) -> (&'e [Frame], Splines) {
        match self.file.script(definition, head) {
            Some(script) if self.file.version == ZipperGame::CrimsonSkies => {
                let splines = if script.header.spline_interpolation.is_set() {
                    Splines::Stated
                } else {
                    Splines::None
                };
                (&script.frames, splines)
            }
            Some(script) => (&script.frames, Splines::None),
            None if self.file.version == ZipperGame::MechWarrior3 => (own, Splines::Unstated),
            None => (own, Splines::None),
        }
    }
}

/// A running sequence.
#[derive(Debug, Clone)]
struct Run<'f> {
    block: &'f Sequence,
    /// Index of the next event.
    cursor: usize,
    /// Start time of the sequence, or of the current pass of its loop.
    start: f64,
    /// Time at which the previous event completed.
    ready: f64,
    /// Index of the last event among the actions.
    last: Option<usize>,
    passes: HashMap<usize, u32>,
    /// Conditions were met: loops are not unrolled.
    branches: bool,
    /// A condition was decided.
    is_decided: bool,
    running: bool,
}

struct Simulation<'l, 'f> {
    library: &'l DefinitionIndex<'f>,
    definition: &'f Definition,
    runs: Vec<Run<'f>>,
    /// Bits of the time, and index, of the sequences whose next event is known, earliest first. Times are not
    /// negative, so that their bits compare like the times.
    due: BTreeSet<(u64, usize)>,
    schedule: Schedule<'f>,
    steps: usize,
}

/// Step after an event.
enum Next {
    /// The next event of the sequence.
    Go,
    /// The sequence never continues.
    Stuck,
    /// The whole animation stops.
    StopAll,
}

impl<'l, 'f> Simulation<'l, 'f> {
    fn new(library: &'l DefinitionIndex<'f>, definition: &'f Definition, entry: Entry) -> Self {
        let blocks: Vec<&'f Sequence> = definition.sequences.iter().collect();
        let special = match entry {
            Entry::Damage => definition
                .damage_state
                .as_ref()
                .map(|state| &state.sequence),
            Entry::Reset => definition.reset_state.as_ref(),
            Entry::Start | Entry::Sequence(_) => None,
        };
        let count = blocks.len();
        let runs = blocks.into_iter().chain(special).map(|block| Run {
            block,
            cursor: 0,
            start: 0.0,
            ready: 0.0,
            last: None,
            passes: HashMap::new(),
            branches: block.events.iter().any(is_branch),
            is_decided: false,
            running: false,
        });
        let mut simulation = Self {
            library,
            definition,
            runs: runs.collect(),
            due: BTreeSet::new(),
            schedule: Schedule::default(),
            steps: 0,
        };
        match entry {
            Entry::Start => {
                for place in 0..count {
                    let state = simulation.runs[place].block.head.state;
                    if state != SequenceState::OnCall {
                        simulation.begin(place, 0.0);
                    }
                }
            }
            Entry::Sequence(place) if place < count => simulation.begin(place, 0.0),
            Entry::Damage | Entry::Reset if simulation.runs.len() > count => {
                simulation.begin(count, 0.0);
            }
            _ => {}
        }
        simulation
    }

    fn begin(&mut self, place: usize, time: f64) {
        self.schedule.reached.insert(place);
        let run = &mut self.runs[place];
        run.cursor = 0;
        run.start = time;
        run.ready = time;
        run.last = None;
        run.passes.clear();
        run.running = true;
        self.enqueue(place);
    }

    /// Queues the next event of a sequence, or ends the sequence.
    fn enqueue(&mut self, place: usize) {
        let run = &mut self.runs[place];
        let Some(event) = run.block.events.get(run.cursor) else {
            run.running = false;
            self.schedule.end = self.schedule.end.max(run.ready);
            return;
        };
        let time = f64::from(event.time.0);
        let time = if time.is_finite() { time } else { 0.0 };
        let own_clock = matches!(event.start, EventStart::Sequence | EventStart::Event);
        if run.cursor == 0 && own_clock && time > 0.0 {
            self.schedule.stuck.insert(run.block.head.name.text());
        }
        let start = match event.start {
            EventStart::Sequence => run.ready.max(run.start + time),
            EventStart::Event => run.ready + time.max(0.0),
            EventStart::Animation | EventStart::Other(_) => run.ready.max(time),
        };
        if start >= LATEST {
            run.running = false;
            self.schedule.dropped += run.block.events.len() - run.cursor;
            self.schedule.end = self.schedule.end.max(run.ready.min(LATEST));
            self.schedule.is_endless = true;
            return;
        }
        self.due.insert((start.max(0.0).to_bits(), place));
    }

    fn run(mut self, above: &mut Vec<usize>) -> Schedule<'f> {
        while let Some((bits, place)) = self.due.pop_first() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                let left = self.runs.iter().filter(|run| run.running);
                let left: usize = left.map(|run| run.block.events.len() - run.cursor).sum();
                self.schedule.dropped += left;
                break;
            }
            let now = f64::from_bits(bits);
            match self.step(place, now, above) {
                Next::Go => self.enqueue(place),
                Next::Stuck => {
                    let run = &mut self.runs[place];
                    run.running = false;
                    self.schedule.is_endless = true;
                    self.schedule.end = self.schedule.end.max(now);
                }
                Next::StopAll => {
                    for place in 0..self.runs.len() {
                        self.stop(place, now);
                    }
                    self.due.clear();
                }
            }
        }
        self.schedule
    }

    /// Ends a sequence, and its current event.
    fn stop(&mut self, place: usize, now: f64) {
        let run = &mut self.runs[place];
        if !std::mem::replace(&mut run.running, false) {
            return;
        }
        if let Some(action) = run.last.and_then(|at| self.schedule.actions.get_mut(at)) {
            action.cut = action.cut.min(now);
        }
        self.due.retain(|&(_, other)| other != place);
        self.schedule.end = self.schedule.end.max(now);
    }

    fn step(&mut self, place: usize, now: f64, above: &mut Vec<usize>) -> Next {
        let run = &mut self.runs[place];
        let block = run.block;
        let at = run.cursor;
        run.cursor += 1;
        run.ready = now;
        let Some(event) = block.events.get(at) else {
            return Next::Go;
        };
        match &event.body {
            EventBody::Loop(body) => return self.loop_back(place, at, now, body.limit),
            EventBody::If(condition) | EventBody::ElseIf(condition) => {
                let first = self.schedule.first_condition;
                self.schedule.first_condition = Some(first.map_or(now, |first| first.min(now)));
                self.branch(place, at, condition);
                return Next::Go;
            }
            EventBody::Else(_) => {
                self.runs[place].cursor =
                    next_of(block, at, |body| matches!(body, EventBody::EndIf(_)));
                return Next::Go;
            }
            EventBody::EndIf(_) => return Next::Go,
            EventBody::CallSequence(call) => {
                if let Some(other) = self.named(&call.name.text())
                    && self.runs[other].block.head.state == SequenceState::OnCall
                    && !self.runs[other].running
                {
                    let is_decided = self.runs[place].is_decided;
                    self.begin(other, now);
                    self.runs[other].is_decided |= is_decided;
                }
                return Next::Go;
            }
            EventBody::StopSequence(call) => {
                if let Some(other) = self.named(&call.name.text()) {
                    let stops_itself = other == place;
                    self.stop(other, now);
                    if stops_itself {
                        self.runs[place].cursor = block.events.len();
                    }
                }
                return Next::Go;
            }
            EventBody::StopAnimation(call) if call.name.text() == self.definition.anim_name() => {
                return Next::StopAll;
            }
            _ => {}
        }
        let length = self.length(&event.body, above);
        let end = length.map_or(LATEST, |length| (now + length).min(LATEST));
        self.schedule.actions.push(Action {
            body: &event.body,
            sequence: place,
            start: now,
            end,
            cut: f64::INFINITY,
            is_decided: self.runs[place].is_decided,
        });
        let last = self.schedule.actions.len() - 1;
        let run = &mut self.runs[place];
        run.last = Some(last);
        run.ready = end;
        match length {
            Some(_) => Next::Go,
            None => Next::Stuck,
        }
    }

    fn named(&self, name: &str) -> Option<usize> {
        let mut sequences = self.definition.sequences.iter();
        sequences.position(|sequence| sequence.head.name.text() == name)
    }

    /// Decides a condition. A false one jumps to the next ELSE, ELSEIF or ENDIF, even of another IF; one that is
    /// reached after a taken branch jumps to the next ENDIF.
    fn branch(&mut self, place: usize, at: usize, condition: &Condition) {
        let run = &mut self.runs[place];
        run.is_decided = true;
        let block = run.block;
        let mut at = at;
        let mut condition = condition;
        if matches!(block.events[at].body, EventBody::ElseIf(_)) {
            run.cursor = next_of(block, at, |body| matches!(body, EventBody::EndIf(_)));
            return;
        }
        loop {
            let truth = holds(condition.kind);
            let label = serde_json::to_value(condition.kind).ok();
            let label = label.and_then(|label| label.as_str().map(str::to_owned));
            let label = label.unwrap_or_else(|| condition.kind.code().to_string());
            self.schedule.conditions.insert(label, truth);
            if truth {
                run.cursor = at + 1;
                return;
            }
            at = next_of(block, at, |body| {
                matches!(
                    body,
                    EventBody::Else(_) | EventBody::ElseIf(_) | EventBody::EndIf(_)
                )
            });
            match block.events.get(at).map(|event| &event.body) {
                Some(EventBody::ElseIf(next)) => condition = next,
                _ => {
                    run.cursor = at.saturating_add(1);
                    return;
                }
            }
        }
    }

    fn loop_back(&mut self, place: usize, at: usize, now: f64, limit: LoopLimit) -> Next {
        let run = &mut self.runs[place];
        let elapsed = now - run.start;
        let period = if elapsed > 0.0 { elapsed } else { TICK };
        let passes = match limit {
            LoopLimit::Count { count, .. } => u32::try_from(count).ok().filter(|&count| count > 0),
            LoopLimit::RunTime(time) if time.0 >= 0.0 => {
                let passes = (seconds(time.0) / period).ceil().max(1.0);
                // A cast of a float saturates.
                Some(passes as u32)
            }
            LoopLimit::RunTime(_) | LoopLimit::Other { .. } => None,
        };
        let done = run.passes.entry(at).or_insert(0);
        *done += 1;
        let is_first = *done == 1;
        let short = passes.is_some_and(|passes| {
            passes <= MAX_PASSES && (at + 1).saturating_mul(passes as usize) <= MAX_UNROLLED
        });
        let unrolled = short && !run.branches;
        let finished = passes.is_some_and(|passes| *done >= passes);
        if finished {
            run.passes.remove(&at);
        }
        if is_first && self.schedule.loops.len() < MAX_UNROLLED {
            self.schedule.loops.push(LoopFacts {
                sequence: run.block.head.name.text(),
                start: run.start,
                period,
                passes,
                unrolled: unrolled && passes.is_some_and(|passes| passes > 1),
            });
        }
        let Some(passes) = passes else {
            self.schedule.end = self.schedule.end.max(now);
            return Next::Stuck;
        };
        if finished {
            return Next::Go;
        }
        if unrolled {
            run.cursor = 0;
            run.start += period;
            run.ready = run.start;
            return Next::Go;
        }
        run.passes.remove(&at);
        run.ready = run.start + period * f64::from(passes);
        Next::Go
    }

    /// Duration of an event in seconds; `None` if it never ends.
    fn length(&mut self, body: &EventBody, above: &mut Vec<usize>) -> Option<f64> {
        let (library, definition) = (self.library, self.definition);
        let script = |head: &ScriptMotionHead, own: &[Frame]| {
            script::length(library.frames(definition, head, own).0)
        };
        Some(match EventLength::new(body) {
            EventLength::Seconds(stored) => seconds(stored),
            EventLength::Motion(body) => return motion::length(body),
            EventLength::Script(body) => script(&body.head, &body.frames),
            EventLength::Scripts(body) => {
                let lengths = body.motions.iter().map(|motion| script(&motion.head, &[]));
                lengths.fold(0.0, f64::max)
            }
            EventLength::Call(body) => {
                let wait = library.wait(&body.name.text(), above);
                self.schedule.circles += usize::from(wait.in_circle);
                return wait.seconds;
            }
            EventLength::Unknown => 0.0,
        })
    }
}

fn is_branch(event: &Event) -> bool {
    matches!(event.body, EventBody::If(_) | EventBody::ElseIf(_))
}

/// Index of the next event of a kind; past the end if there is none.
fn next_of(block: &Sequence, at: usize, is_wanted: impl Fn(&EventBody) -> bool) -> usize {
    let rest = block.events.iter().enumerate().skip(at + 1);
    let mut wanted = rest.filter(|(_, event)| is_wanted(&event.body));
    wanted.next().map_or(block.events.len(), |(at, _)| at)
}
