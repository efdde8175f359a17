//! Animations of a glTF file in the form that pack compares: curves of nodes over time.

use glam::{Quat, Vec3};
use serde_json::Value;

/// An animation.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct SceneClip {
    pub name: String,
    /// Contents of `extras.zipper`; null where the file has none.
    pub facts: Value,
    pub channels: Vec<SceneChannel>,
}

impl SceneClip {
    /// The member of an archive of motions that it shows, as the path of the archive and the name of the member.
    pub(in crate::pack::scene) fn motion(&self) -> Option<(&str, &str)> {
        self.facts.get("frames")?.as_u64()?;
        self.facts.get("source")?.as_str()?.rsplit_once('/')
    }
}

/// Property that a channel animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack::scene) enum Moves {
    Translation,
    Rotation,
    Scale,
    /// A property that pack does not read.
    Other,
}

/// Interpolation between keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack::scene) enum Between {
    Line,
    Step,
    /// A spline, or keys that cannot be read.
    Other,
}

/// A property of a node over time.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct SceneChannel {
    pub node: usize,
    pub moves: Moves,
    pub between: Between,
    /// Seconds.
    pub times: Vec<f32>,
    /// One per time; the fourth number is used only for rotations.
    pub values: Vec<[f32; 4]>,
}

impl SceneChannel {
    /// Its value at a time; `None` without keys. Rotations have length 1.
    pub(in crate::pack::scene) fn at(&self, time: f64) -> Option<[f32; 4]> {
        let after = self.times.partition_point(|&key| f64::from(key) < time);
        let last = self.times.len().checked_sub(1)?;
        let next = after.min(last);
        let before = next.saturating_sub(usize::from(after <= last));
        let (one, other) = (*self.values.get(before)?, *self.values.get(next)?);
        let (from, to) = (self.times.get(before)?, self.times.get(next)?);
        let span = f64::from(to - from);
        let part = match span > 0.0 {
            true => ((time - f64::from(*from)) / span).clamp(0.0, 1.0),
            false => 1.0,
        };
        Some(match (self.between, self.moves) {
            (Between::Step, _) => {
                if part >= 1.0 {
                    other
                } else {
                    one
                }
            }
            (_, Moves::Rotation) => turned(one, other, part as f32),
            _ => {
                let [x, y, z, w] = one;
                let from = Vec3::new(x, y, z);
                let [a, b, c, _] = other;
                let place = match part {
                    0.0 => from,
                    1.0 => Vec3::new(a, b, c),
                    part => from.lerp(Vec3::new(a, b, c), part as f32),
                };
                [place.x, place.y, place.z, w]
            }
        })
    }

    /// Seconds of the last key.
    pub(in crate::pack::scene) fn end(&self) -> f32 {
        self.times.last().copied().unwrap_or_default()
    }

    /// True if its value never changes.
    pub(in crate::pack::scene) fn is_constant(&self) -> bool {
        let mut pairs = self.values.windows(2);
        pairs.all(|pair| distance(self.moves, pair[0], pair[1]) == 0.0)
    }
}

/// Interpolates rotations by the shorter arc.
pub(in crate::pack::scene) fn turned(one: [f32; 4], other: [f32; 4], part: f32) -> [f32; 4] {
    let (from, to) = (Quat::from_array(one), Quat::from_array(other));
    match part {
        0.0 => one,
        1.0 => other,
        part => {
            // In double precision, with functions that give the same result on every machine.
            let (from, to) = (from.as_dquat(), to.as_dquat());
            let cosine = from.dot(to);
            let to = if cosine < 0.0 { -to } else { to };
            let angle = libm::acos(cosine.abs().min(1.0));
            let part = f64::from(part);
            let mixed = match libm::sin(angle) {
                sine if sine > 1e-6 => {
                    from * (libm::sin((1.0 - part) * angle) / sine)
                        + to * (libm::sin(part * angle) / sine)
                }
                _ => from * (1.0 - part) + to * part,
            };
            let length = mixed.length();
            match length > 0.0 {
                true => (mixed / length).as_quat().to_array(),
                false => one,
            }
        }
    }
}

/// Distance of values: the largest difference of a part; rotations are compared without their sign.
pub(in crate::pack::scene) fn distance(moves: Moves, one: [f32; 4], other: [f32; 4]) -> f32 {
    let apart = |other: [f32; 4]| {
        let parts = one.into_iter().zip(other);
        parts.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    match moves {
        Moves::Rotation => apart(other).min(apart(other.map(|part| -part))),
        _ => {
            let [x, y, z, _] = other;
            let [.., w] = one;
            apart([x, y, z, w])
        }
    }
}
