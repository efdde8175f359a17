//! Animations of a glTF file as curves over time.

use std::collections::BTreeMap;

use glam::DQuat;
use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::file::Document;

/// The part of a transform that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    Translation,
    Rotation,
    Scale,
}

/// The three parts.
pub(super) const PARTS: [Part; 3] = [Part::Translation, Part::Rotation, Part::Scale];

/// Values over time; the fourth number is used only for rotations.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Curve {
    /// Seconds, growing.
    pub times: Vec<f64>,
    pub values: Vec<[f64; 4]>,
    is_stepped: bool,
    is_rotation: bool,
}

/// Largest difference between values that count as equal.
pub(super) fn slack(part: Part) -> f64 {
    match part {
        Part::Rotation => 1e-9,
        Part::Translation | Part::Scale => 0.0,
    }
}

/// Curves by node and part.
pub(super) type Curves = BTreeMap<(usize, Part), Curve>;

impl Curve {
    /// A constant value.
    pub(super) fn still(value: [f64; 4], part: Part) -> Self {
        Self {
            times: vec![0.0],
            values: vec![value],
            is_stepped: false,
            is_rotation: part == Part::Rotation,
        }
    }

    /// The value at a time.
    pub(super) fn at(&self, time: f64) -> [f64; 4] {
        let next = self.times.partition_point(|&key| key <= time);
        let value = |key: usize| self.values.get(key).copied().unwrap_or_default();
        let Some(before) = next.checked_sub(1) else {
            return value(0);
        };
        let (Some(start), Some(end)) = (self.times.get(before), self.times.get(next)) else {
            return value(before);
        };
        if self.is_stepped || end <= start {
            return value(before);
        }
        let part = (time - start) / (end - start);
        let (from, to) = (value(before), value(next));
        if self.is_rotation {
            let [from, to] = [from, to].map(|it| DQuat::from_array(it).normalize());
            let to = if from.dot(to) < 0.0 { -to } else { to };
            return from.slerp(to, part).to_array();
        }
        let mut mixed = [0.0; 4];
        for (axis, mixed) in mixed.iter_mut().enumerate() {
            *mixed = from[axis] + (to[axis] - from[axis]) * part;
        }
        mixed
    }

    /// The same at these times.
    pub(super) fn sampled(&self, times: &[f64]) -> Self {
        Self {
            times: times.to_vec(),
            values: times.iter().map(|&time| self.at(time)).collect(),
            ..*self
        }
    }

    /// The value that another curve has at a time, if the two differ there: it has a key there that differs, or keys on
    /// both sides of which one does.
    pub(super) fn changed_in(&self, other: &Self, time: f64, slack: f64) -> Option<[f64; 4]> {
        let next = other.times.partition_point(|&key| key < time - 1e-4);
        let is_key = other
            .times
            .get(next)
            .is_some_and(|key| (key - time).abs() <= 1e-4);
        let differs = |key: usize| {
            let (Some(&time), Some(value)) = (other.times.get(key), other.values.get(key)) else {
                return false;
            };
            !self.is_near(self.at(time), *value, slack)
        };
        if is_key {
            let value = other.values.get(next).copied()?;
            return (!self.is_near(self.at(time), value, slack)).then_some(value);
        }
        let around = [next.checked_sub(1), Some(next)];
        let mut around = around.into_iter().flatten();
        let beyond = next >= other.times.len() || next == 0;
        let is_other = match beyond {
            // There it holds its first or last value.
            true => !self.is_near(self.at(time), other.at(time), slack),
            false => around.any(differs),
        };
        is_other.then(|| other.at(time))
    }

    /// True if another curve has the values of this one at all its keys.
    pub(super) fn has(&self, other: &Self, slack: f64) -> bool {
        let keys = other.times.iter().zip(&other.values);
        keys.clone()
            .all(|(&time, &value)| self.is_near(self.at(time), value, slack))
    }

    /// True if another curve of a part has the same values everywhere.
    pub(super) fn is_like(&self, other: &Self, part: Part) -> bool {
        let slack = slack(part);
        self.has(other, slack) && other.has(self, slack.max(1e-9))
    }

    /// True if it never changes.
    pub(super) fn is_still(&self, slack: f64) -> bool {
        let mut values = self.values.iter();
        let first = values.next();
        first.is_none_or(|&first| values.all(|&value| self.is_near(first, value, slack)))
    }

    /// True if values are equal; a rotation equals its negative.
    pub(super) fn is_near(&self, one: [f64; 4], other: [f64; 4], slack: f64) -> bool {
        let off = |sign: f64| {
            let parts = one.into_iter().zip(other);
            parts
                .map(|(a, b)| {
                    (a - b * sign).abs()
                        / if self.is_rotation {
                            1.0
                        } else {
                            a.abs().max(1.0)
                        }
                })
                .fold(0.0, f64::max)
        };
        off(1.0) <= slack || (self.is_rotation && off(-1.0) <= slack)
    }
}

/// The curves of an animation; weights and others are dropped.
///
/// # Errors
/// Data are missing, or have an unsupported form.
pub(super) fn of(document: &Document, animation: &Value) -> Result<Curves, Refusal> {
    let mut curves = Curves::new();
    for channel in items(animation, "channels") {
        let part = match channel["target"]["path"].as_str() {
            Some("translation") => Part::Translation,
            Some("rotation") => Part::Rotation,
            Some("scale") => Part::Scale,
            _ => continue,
        };
        let lost = || refusal!("a channel of it has no node or sampler");
        let node = index(&channel["target"]["node"]).ok_or_else(lost)?;
        let sampler = index(&channel["sampler"]).ok_or_else(lost)?;
        let sampler = &animation["samplers"][sampler];
        let is_stepped = match sampler["interpolation"].as_str() {
            None | Some("LINEAR") => false,
            Some("STEP") => true,
            _ => {
                refuse!("its curves are splines; export them with linear keys");
            }
        };
        let input = index(&sampler["input"]).ok_or_else(lost)?;
        let output = index(&sampler["output"]).ok_or_else(lost)?;
        let times = document.rows::<1>(input)?;
        let times: Vec<f64> = times.into_iter().map(|[time]| time).collect();
        let values: Vec<[f64; 4]> = match part {
            Part::Rotation => document.rows::<4>(output)?,
            _ => {
                let rows = document.rows::<3>(output)?;
                rows.into_iter().map(|[x, y, z]| [x, y, z, 0.0]).collect()
            }
        };
        let grows = times.windows(2).all(|pair| pair[0] <= pair[1]);
        if times.is_empty() || times.len() != values.len() || !grows {
            return Err(lost());
        }
        let curve = Curve {
            times,
            values,
            is_stepped,
            is_rotation: part == Part::Rotation,
        };
        curves.insert((node, part), curve);
    }
    Ok(curves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(keys: &[(f64, f64)]) -> Curve {
        Curve {
            times: keys.iter().map(|key| key.0).collect(),
            values: keys.iter().map(|key| [key.1, 0.0, 0.0, 0.0]).collect(),
            ..Curve::default()
        }
    }

    #[test]
    fn curves_sampled_anew_are_the_same() {
        let base = curve(&[(0.0, 0.0), (0.1, 1.0), (0.2, 0.0)]);
        let times = [0.0, 0.04, 0.08, 0.12, 0.16, 0.2];
        let sampled: Vec<(f64, f64)> = times.map(|time| (time, base.at(time)[0])).to_vec();
        let again = curve(&sampled);
        assert!(base.has(&again, 1e-6));
        assert_eq!(base.changed_in(&again, 0.1, 1e-6), None);
        let mut edited = sampled;
        edited[3].1 += 0.5;
        let edited = curve(&edited);
        assert!(!base.has(&edited, 1e-6));
        let found = base.changed_in(&edited, 0.1, 1e-6).map(|value| value[0]);
        assert_eq!(found, Some(edited.at(0.1)[0]));
        assert_eq!(base.changed_in(&edited, 0.0, 1e-6), None);
        // A curve that ends early holds its last value.
        let short = curve(&[(0.0, 0.0), (0.1, 1.0)]);
        assert_eq!(
            base.changed_in(&short, 0.2, 1e-6),
            Some([1.0, 0.0, 0.0, 0.0])
        );
    }
}
