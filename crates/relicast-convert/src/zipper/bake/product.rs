//! Products of numbers over time: the opacity of an object and of all its ancestors.

use glam::DVec3;

use super::curve::Curve;
use super::track::{Span, SpanValue};

/// Number of lines that approximate a span in which too many factors change at once.
const LINES: u32 = 16;

/// Coefficients of 1, u, u², u³ of a span, with u in seconds since `start`.
fn terms(span: &Span<Curve>, start: f64) -> [f64; 4] {
    match &span.content {
        SpanValue::Hold(value) => [value.x, 0.0, 0.0, 0.0],
        SpanValue::Move(curve) => curve.since(start).terms.map(|term| term.x),
    }
}

/// The product of two polynomials; `None` if its degree is above 3.
fn multiply(one: [f64; 4], other: [f64; 4]) -> Option<[f64; 4]> {
    let mut product = [0.0; 4];
    for (low, a) in one.into_iter().enumerate() {
        for (high, b) in other.into_iter().enumerate() {
            let term = a * b;
            match product.get_mut(low + high) {
                Some(sum) => *sum += term,
                None if term != 0.0 => return None,
                None => {}
            }
        }
    }
    Some(product)
}

fn span_at(spans: &[Span<Curve>], time: f64) -> Option<&Span<Curve>> {
    let next = spans.partition_point(|span| span.from <= time);
    spans.get(next.saturating_sub(1))
}

fn value_at(factors: &[Vec<Span<Curve>>], time: f64) -> f64 {
    let values = factors.iter().filter_map(|spans| span_at(spans, time));
    values.map(|span| span.at(time).x).product()
}

fn vector(value: f64) -> DVec3 {
    DVec3::new(value, 0.0, 0.0)
}

/// The product of the x components of several tracks. The spans of each track are contiguous and cover the
/// same times.
pub(crate) fn product(factors: &[Vec<Span<Curve>>]) -> Vec<Span<Curve>> {
    let all = factors.iter().flatten();
    let mut times: Vec<f64> = all.flat_map(|span| [span.from, span.to]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut spans = Vec::new();
    for pair in times.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let factors_there = factors.iter().filter_map(|spans| span_at(spans, from));
        let whole = factors_there
            .map(|span| terms(span, from))
            .try_fold([1.0, 0.0, 0.0, 0.0], multiply);
        match whole {
            Some([value, 0.0, 0.0, 0.0]) => spans.push(Span {
                from,
                to,
                content: SpanValue::Hold(vector(value)),
            }),
            Some(terms) => spans.push(moving(from, to, terms.map(vector))),
            None => spans.extend((0..LINES).map(|line| {
                let at = |line: u32| from + (to - from) * f64::from(line) / f64::from(LINES);
                let (start, end) = (at(line), if line + 1 < LINES { at(line + 1) } else { to });
                // The last moment belongs to the next span.
                let last = end.next_down().max(start);
                let [first, last] = [start, last].map(|time| value_at(factors, time));
                let rate = (last - first) / (end - start);
                let terms = [first, rate, 0.0, 0.0].map(vector);
                moving(start, end, terms)
            })),
        }
    }
    if let Some(&end) = times.last() {
        let value = vector(value_at(factors, end));
        if spans.last().is_none_or(|span| span.at(end) != value) {
            spans.push(Span {
                from: end,
                to: end,
                content: SpanValue::Hold(value),
            });
        }
    }
    spans
}

fn moving(from: f64, to: f64, terms: [DVec3; 4]) -> Span<Curve> {
    let curve = Curve {
        start: from,
        end: to,
        terms,
    };
    Span {
        from,
        to,
        content: SpanValue::Move(curve),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::bake::track::{Order, Track};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_what_their_factors_multiply_to(
            tracks in prop::collection::vec(
                prop::collection::vec((0.0..8.0, 0.0..4.0, 0.0..1.0, 0.0..1.0), 0..4), 1..6),
            times in prop::collection::vec(0.0..10.0, 20),
        ) {
            let tracks: Vec<Track<Curve>> = tracks.into_iter().map(|pieces| {
                let mut track = Track::new(vector(0.75));
                for (place, (start, length, from, to)) in pieces.into_iter().enumerate() {
                    let rate: f64 = if length > 0.0 { (to - from) / length } else { 0.0 };
                    let line = Curve::line(start, start + length, vector(from), vector(rate));
                    track.write(Order::new(0, place), vec![line], 99.0);
                }
                track
            }).collect();
            let factors: Vec<Vec<Span<Curve>>> = tracks.iter().map(|track| track.spans(10.0)).collect();
            let spans = product(&factors);
            prop_assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from));
            for time in times {
                let found = span_at(&spans, time).unwrap().at(time).x;
                let truth: f64 = tracks.iter().map(|track| track.at(time).x).product();
                prop_assert!((found - truth).abs() < 2e-2, "{} {} at {}", found, truth, time);
                if tracks.len() <= 3 {
                    prop_assert!((found - truth).abs() < 1e-9, "{} {} at {}", found, truth, time);
                }
            }
        }
    }
}
