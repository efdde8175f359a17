//! Start and duration of the events of a sequence, where they do not depend on the running game.
//!
//! Events of a sequence run in order: each starts when the previous one has ended and its own start time is
//! reached. Times are those of the first pass; in a branch, those of the branch being taken.

use relicast_formats::zipper::anim::event::motion::MotionFlags;
use relicast_formats::zipper::anim::{
    AnimFile, Definition, Event, EventBody, EventStart, Frame, Sequence, SequenceState,
};

use super::flow::Item;
use crate::zipper::event_length::EventLength;

/// Start and length of an event in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::zipper) struct Span {
    /// From the start of the animation, or, in a sequence that waits for a call, of the sequence.
    /// `None` where it depends on the game.
    pub start: Option<f64>,
    /// `None` where it depends on the game.
    pub length: Option<f64>,
}

/// Duration of an event.
pub(in crate::zipper) fn length(
    container: &AnimFile,
    definition: &Definition,
    event: &Event,
) -> Option<f64> {
    let script = |frames: &[Frame]| frames.last().map_or(0.0, |frame| frame.end_time.0);
    let pooled = |head| {
        let script_of = container.script(definition, head);
        script_of.map(|found| script(&found.frames))
    };
    let seconds = match EventLength::new(&event.body) {
        EventLength::Seconds(seconds) => seconds,
        EventLength::Motion(body) => {
            // The body may land before.
            let is_known = body.flags.contains(MotionFlags::RUN_TIME)
                && !body.flags.contains(MotionFlags::GRAVITY);
            is_known.then_some(body.run_time.0)?
        }
        EventLength::Script(body) if container.version.has_script_pool() => pooled(&body.head)?,
        EventLength::Script(body) => script(&body.frames),
        EventLength::Scripts(body) => {
            let mut longest: f32 = 0.0;
            for motion in &body.motions {
                longest = longest.max(pooled(&motion.head)?);
            }
            longest
        }
        EventLength::Call(_) | EventLength::Unknown => return None,
    };
    (seconds.is_finite() && seconds >= 0.0).then_some(f64::from(seconds))
}

/// Spans of the events of a sequence, and the end of the sequence; `items` are its blocks.
pub(in crate::zipper) fn spans(
    container: &AnimFile,
    definition: &Definition,
    sequence: &Sequence,
    items: &[Item],
) -> (Vec<Span>, Option<f64>) {
    let lengths = sequence
        .events
        .iter()
        .map(|event| length(container, definition, event));
    let mut clock = Clock {
        on_call: sequence.head.state == SequenceState::OnCall,
        events: &sequence.events,
        spans: lengths
            .map(|length| Span {
                start: None,
                length,
            })
            .collect(),
    };
    let end = clock.run(items, Some(0.0));
    (clock.spans, end)
}

struct Clock<'e> {
    on_call: bool,
    events: &'e [Event],
    spans: Vec<Span>,
}

impl Clock<'_> {
    /// Computes the times of an event that follows one ending at `before`. Returns its end, if that is known.
    fn pass(&mut self, index: usize, before: Option<f64>) -> Option<f64> {
        let event = &self.events[index];
        let time = f64::from(event.time.0);
        let stamp = Some(time).filter(|time| time.is_finite());
        let start = match event.start {
            _ if event.is_unstamped() => before,
            // The running time of the animation is unknown when a sequence is called.
            EventStart::Animation if self.on_call => None,
            EventStart::Animation | EventStart::Sequence => {
                before.zip(stamp).map(|(before, stamp)| before.max(stamp))
            }
            // A negative time is already over.
            EventStart::Event => before
                .zip(stamp)
                .map(|(before, stamp)| before + stamp.max(0.0)),
            EventStart::Other(_) => None,
        };
        let span = &mut self.spans[index];
        span.start = start;
        start.zip(span.length).map(|(start, length)| start + length)
    }

    fn run(&mut self, items: &[Item], mut at: Option<f64>) -> Option<f64> {
        for item in items {
            at = match item {
                Item::Event(index) => {
                    let end = self.pass(*index, at);
                    let event = &self.events[*index].body;
                    let jumps = matches!(
                        event,
                        EventBody::If(_)
                            | EventBody::ElseIf(_)
                            | EventBody::Else(_)
                            | EventBody::EndIf(_)
                            | EventBody::Loop(_)
                    );
                    // Without blocks the target of these jumps is unknown.
                    end.filter(|_| !jumps)
                }
                Item::Loop { body, end } => {
                    let at = self.run(body, at);
                    self.pass(*end, at);
                    // Following events wait for the last pass.
                    None
                }
                Item::If {
                    head,
                    then,
                    otherwise,
                    end,
                } => self.choose(*head, then, otherwise, *end, at),
            };
        }
        at
    }

    fn choose(
        &mut self,
        head: usize,
        then: &[Item],
        otherwise: &[(usize, Vec<Item>)],
        end: usize,
        at: Option<f64>,
    ) -> Option<f64> {
        let entered = self.pass(head, at);
        let mut ends = vec![self.run(then, entered)];
        let mut refused = entered;
        let mut has_else = false;
        for (branch, items) in otherwise {
            refused = self.pass(*branch, refused);
            has_else |= matches!(self.events[*branch].body, EventBody::Else(_));
            ends.push(self.run(items, refused));
        }
        if !has_else {
            ends.push(refused);
        }
        let first = ends[0];
        let same = ends.iter().all(|end| *end == first);
        self.pass(end, first.filter(|_| same))
    }
}
