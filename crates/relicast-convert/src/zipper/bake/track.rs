//! One property of one node over time, written by consecutive or simultaneous events.
//!
//! While events of several sequences write the same property, the event of the last sequence wins, because the
//! games run sequences in order each tick. After the end of an event its last value remains.

use std::collections::BTreeMap;

use super::curve::Segment;

/// Priority among events that write at the same time: the later one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    /// Index of the sequence in the animation.
    pub sequence: usize,
    /// Index of the event among all events of the clip.
    pub ordinal: usize,
}

impl Order {
    /// The order of an event, by the index of its sequence and its own.
    pub(crate) fn new(sequence: usize, ordinal: usize) -> Self {
        Self { sequence, ordinal }
    }
}

/// Values written by one event.
#[derive(Debug, Clone, PartialEq)]
struct EventTrack<S> {
    order: Order,
    /// In order of time, without overlap, at least one.
    segments: Vec<S>,
    start: f64,
    end: f64,
}

impl<S: Segment> EventTrack<S> {
    fn at(&self, time: f64) -> Option<S::Value> {
        let next = self
            .segments
            .partition_point(|segment| segment.start() <= time);
        let segment = self.segments.get(next.saturating_sub(1))?;
        Some(segment.at(time))
    }
}

/// A property over time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Track<S: Segment> {
    rest: S::Value,
    /// The value that replaces the first one from a time on, where no event writes.
    later_rest: Option<(f64, S::Value)>,
    pieces: Vec<EventTrack<S>>,
}

/// A span of a finished track.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Span<S: Segment> {
    pub from: f64,
    pub to: f64,
    pub content: SpanValue<S>,
}

/// Content of a span.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SpanValue<S: Segment> {
    /// One value.
    Hold(S::Value),
    /// Value of a segment.
    Move(S),
}

impl<S: Segment> Span<S> {
    /// The value at a time within the span.
    pub(crate) fn at(&self, time: f64) -> S::Value {
        match &self.content {
            SpanValue::Hold(value) => *value,
            SpanValue::Move(segment) => segment.at(time),
        }
    }
}

impl<S: Segment> Track<S> {
    /// A property without events yet.
    pub(crate) fn new(rest: S::Value) -> Self {
        Self {
            rest,
            later_rest: None,
            pieces: Vec::new(),
        }
    }

    /// Replaces the value before anything is written, from a time on.
    pub(crate) fn replace_rest(&mut self, time: f64, value: S::Value) {
        self.later_rest = Some((time, value));
    }

    fn rest_at(&self, time: f64) -> S::Value {
        let later = self.later_rest.filter(|(from, _)| *from <= time);
        later.map_or(self.rest, |(_, value)| value)
    }

    /// True if nothing has written it.
    pub(crate) fn is_untouched(&self) -> bool {
        self.pieces.is_empty() && self.later_rest.is_none()
    }

    /// The value before anything is written.
    pub(crate) fn rest(&self) -> S::Value {
        self.rest
    }

    /// Writes the segments of an event, in order of time, none of them after `cut`.
    pub(crate) fn write(&mut self, order: Order, segments: Vec<S>, cut: f64) {
        let mut kept: Vec<S> = Vec::with_capacity(segments.len());
        for segment in segments {
            if segment.start() > cut {
                break;
            }
            if let Some(last) = kept.last_mut() {
                if segment.start() < last.start() {
                    continue;
                }
                // A later one wins where they overlap.
                *last = last.clone().cut(segment.start());
            }
            kept.push(segment.cut(cut));
        }
        if let (Some(first), Some(last)) = (kept.first(), kept.last()) {
            self.pieces.push(EventTrack {
                order,
                start: first.start(),
                end: last.end(),
                segments: kept,
            });
        }
    }

    /// The value at a time.
    pub(crate) fn at(&self, time: f64) -> S::Value {
        let mut active: Option<&EventTrack<S>> = None;
        let mut held: Option<&EventTrack<S>> = None;
        for piece in self.pieces.iter().filter(|piece| piece.start <= time) {
            if time < piece.end {
                if active.is_none_or(|other| piece.order > other.order) {
                    active = Some(piece);
                }
            } else if held.is_none_or(|other| piece.is_held_over(other)) {
                held = Some(piece);
            }
        }
        let winner = active.or(held);
        winner
            .and_then(|piece| piece.at(time))
            .unwrap_or_else(|| self.rest_at(time))
    }

    /// The whole track from 0 to `end` in spans without gaps.
    pub(crate) fn spans(&self, end: f64) -> Vec<Span<S>> {
        let mut times: Vec<f64> = vec![0.0, end];
        times.extend(self.later_rest.map(|(time, _)| time.clamp(0.0, end)));
        for piece in &self.pieces {
            times.extend([piece.start, piece.end].map(|time| time.clamp(0.0, end)));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut waiting: Vec<&EventTrack<S>> = self.pieces.iter().collect();
        waiting.sort_by(|one, other| other.start.total_cmp(&one.start));
        let mut live: BTreeMap<Order, &EventTrack<S>> = BTreeMap::new();
        let mut held: Option<&EventTrack<S>> = None;
        let mut spans = Vec::new();
        let last = times.len().saturating_sub(1);
        for (place, &from) in times.iter().enumerate() {
            while let Some(piece) = waiting.pop_if(|piece| piece.start <= from) {
                live.insert(piece.order, piece);
            }
            live.retain(|_, piece| {
                let ended = piece.end <= from;
                if ended && held.is_none_or(|other| piece.is_held_over(other)) {
                    held = Some(piece);
                }
                !ended
            });
            let to = times.get(place + 1).copied();
            // The last moment has no length, unless it is the only one.
            let Some(to) = to.or_else(|| (last == 0).then_some(from)) else {
                break;
            };
            match live.values().next_back() {
                Some(piece) => piece.spans(from, to, &mut spans),
                None => {
                    let value = held.and_then(|piece| piece.at(from));
                    spans.push(Span {
                        from,
                        to,
                        content: SpanValue::Hold(value.unwrap_or_else(|| self.rest_at(from))),
                    });
                }
            }
        }
        self.finish(end, &mut spans);
        spans
    }

    /// A value that is written at the very end gets a span of zero length.
    fn finish(&self, end: f64, spans: &mut Vec<Span<S>>) {
        let value = self.at(end);
        if spans.last().is_none_or(|span| span.at(end) != value) {
            spans.push(Span {
                from: end,
                to: end,
                content: SpanValue::Hold(value),
            });
        }
    }
}

impl<S: Segment> EventTrack<S> {
    /// True if this one of two ended pieces was written last.
    fn is_held_over(&self, other: &Self) -> bool {
        let by_time = self.end.total_cmp(&other.end);
        by_time.then(self.order.cmp(&other.order)).is_gt()
    }

    /// Spans of the piece between two times, with the gaps between its segments filled.
    fn spans(&self, from: f64, to: f64, spans: &mut Vec<Span<S>>) {
        let mut place = self
            .segments
            .partition_point(|segment| segment.start() <= from)
            .saturating_sub(1);
        let mut at = from;
        while at < to {
            let Some(segment) = self.segments.get(place) else {
                break;
            };
            let next = self.segments.get(place + 1);
            let until = next.map_or(to, |next| next.start().min(to));
            let moving = segment.end().min(until);
            if moving > at {
                spans.push(Span {
                    from: at,
                    to: moving,
                    content: SpanValue::Move(segment.clone()),
                });
                at = moving;
            }
            if until > at {
                spans.push(Span {
                    from: at,
                    to: until,
                    content: SpanValue::Hold(segment.at(segment.end())),
                });
                at = until;
            }
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::bake::curve::Curve;
    use glam::DVec3;
    use proptest::prelude::*;

    fn value_of(spans: &[Span<Curve>], time: f64) -> DVec3 {
        let next = spans.partition_point(|span| span.from <= time);
        spans[next.max(1) - 1].at(time)
    }

    #[test]
    fn the_last_sequence_wins_while_both_write_and_the_last_value_holds() {
        let mut track = Track::new(DVec3::ZERO);
        let line = |start, end| Curve::line(start, end, DVec3::ZERO, DVec3::X);
        track.write(Order::new(0, 0), vec![line(1.0, 6.0)], 9.0);
        track.write(
            Order::new(1, 1),
            vec![Curve::line(2.0, 4.0, DVec3::Y, DVec3::ZERO)],
            9.0,
        );
        track.write(Order::new(1, 2), vec![Curve::instant(5.0, DVec3::Z)], 9.0);
        assert_eq!(track.at(0.5), DVec3::ZERO);
        assert_eq!(track.at(1.5), DVec3::X * 0.5);
        assert_eq!(track.at(3.0), DVec3::Y);
        assert_eq!(track.at(5.5), DVec3::X * 4.5);
        assert_eq!(track.at(8.0), DVec3::X * 5.0);
    }

    #[test]
    fn what_is_cut_holds_where_it_was_cut() {
        let mut track = Track::new(DVec3::ZERO);
        track.write(
            Order::new(0, 0),
            vec![Curve::line(1.0, 6.0, DVec3::ZERO, DVec3::X)],
            3.0,
        );
        assert_eq!(track.at(5.0), DVec3::X * 2.0);
    }

    proptest! {
        #[test]
        fn spans_say_what_the_track_says(
            pieces in prop::collection::vec((0..3_usize, 0.0..8.0, 0.0..4.0, -2.0..2.0, 0.0..9.0), 0..8),
            times in prop::collection::vec(0.0..10.0, 20),
        ) {
            let mut track = Track::new(DVec3::NEG_ONE);
            for (place, (sequence, start, length, rate, cut)) in pieces.into_iter().enumerate() {
                let curve = Curve::line(start, start + length, DVec3::splat(place as f64), DVec3::X * rate);
                let late = Curve::instant(start + length + 0.5, DVec3::Y * rate);
                track.write(Order::new(sequence, place), vec![curve, late], cut);
            }
            let spans = track.spans(10.0);
            prop_assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from));
            prop_assert_eq!(spans[0].from, 0.0);
            for time in times {
                prop_assert_eq!(value_of(&spans, time), track.at(time), "at {}", time);
            }
        }
    }
}
