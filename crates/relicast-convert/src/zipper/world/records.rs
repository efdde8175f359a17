//! Records of objects that missions place: splitting lists of readers, and the common fields.

use glam::{DQuat, DVec3};

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;

/// Maximum coordinate; larger values are damaged.
const FARTHEST: f32 = 1e7;

/// Kind of the placed object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissionPlacementKind {
    Vehicle,
    Pickup,
    PathNode,
    /// The place to which a variable of the mission moves an actor.
    Teleport,
    /// A place where a player of a multiplayer mission starts.
    SpawnPoint,
    /// An airship whose node waits outside of the world.
    Airship,
}

impl MissionPlacementKind {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Vehicle => "vehicle",
            Self::Pickup => "pickup",
            Self::PathNode => "pathNode",
            Self::Teleport => "teleport",
            Self::SpawnPoint => "spawnPoint",
            Self::Airship => "airship",
        }
    }
}

/// An object that a mission places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MissionPlacement {
    pub kind: MissionPlacementKind,
    pub name: String,
    /// Name of its template.
    pub template: Option<String>,
    pub place: DVec3,
    pub rotation: DQuat,
    /// For extras.
    pub facts: zipper::Placement,
}

impl MissionPlacement {
    /// Its extras: its kind, and its facts.
    pub(super) fn placement(&self) -> zipper::Placement {
        zipper::Placement {
            kind: Some(self.kind.label().to_owned()),
            name: Some(self.name.clone()),
            ..self.facts.clone()
        }
    }
}

/// A record: its first value, and the others.
pub(super) type Record<'r, 'v> = (&'r Value<'v>, &'r [Value<'v>]);

/// The records in a list: each a text followed by a list or by bare values, a number followed by lists of three
/// numbers, or a list.
pub(super) fn records<'r, 'v>(values: &'r [Value<'v>]) -> Vec<Record<'r, 'v>> {
    let values = settings::unwrapped(values);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(value) = values.get(at) {
        let rest = values.get(at + 1..).unwrap_or_default();
        at += 1;
        let starts = |value: &Value<'_>| match value {
            Value::Text(_) => true,
            Value::List(list) => matches!(&**list, [Value::Text(_), ..]),
            Value::Int(_) | Value::Float(_) => false,
        };
        let own = match value {
            Value::Text(_) => (0..rest.len())
                .find(|&at| starts(&rest[at]) || is_numbered(rest, at))
                .unwrap_or(rest.len()),
            Value::Int(_) => rest.iter().take_while(|value| is_triple(value)).count(),
            _ => 0,
        };
        let own = rest.get(..own).unwrap_or_default();
        match (value, own) {
            // A list is the whole record, unless it is only a place.
            (Value::Text(_), [first @ Value::List(list), ..]) if !is_triple(first) => {
                found.push((value, &**list));
                at += 1;
            }
            (Value::Text(_), _) | (Value::Int(_), [_, ..]) => {
                found.push((value, own));
                at += own.len();
            }
            (Value::List(list), _) => {
                if let [first @ (Value::Text(_) | Value::Int(_)), rest @ ..] = &**list {
                    found.push((first, rest));
                }
            }
            (Value::Int(_) | Value::Float(_), _) => {}
        }
    }
    found
}

/// Texts with the list after each; empty where no list follows.
pub(super) fn pairs<'r, 'v>(values: &'r [Value<'v>]) -> Vec<Record<'r, 'v>> {
    let values = settings::unwrapped(values);
    let mut found = Vec::new();
    let mut values = values.iter().peekable();
    while let Some(value) = values.next() {
        if value.as_text().is_some() {
            let own = values.next_if(|next| next.as_list().is_some());
            found.push((value, own.and_then(Value::as_list).unwrap_or_default()));
        }
    }
    found
}

/// True if a record that a number starts begins after the lists of another.
fn is_numbered(values: &[Value<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| values.get(at));
    let around = [before, values.get(at + 1)];
    matches!(values.get(at), Some(Value::Int(_)))
        && around.iter().all(|value| value.is_some_and(is_triple))
}

/// True if a value is a list of three numbers.
fn is_triple(value: &Value<'_>) -> bool {
    matches!(
        value.as_list(),
        Some([
            Value::Int(_) | Value::Float(_),
            Value::Int(_) | Value::Float(_),
            Value::Int(_) | Value::Float(_),
        ])
    )
}

/// A place, if the numbers are valid.
pub(super) fn place(numbers: &[f32]) -> Option<DVec3> {
    let [x, y, z] = numbers.get(..3)?.try_into().ok()?;
    let is_near = |value: f32| value.abs() <= FARTHEST;
    ([x, y, z].into_iter().all(is_near)).then(|| DVec3::from_array([x, y, z].map(f64::from)))
}

pub(super) fn whole(number: Option<&f32>) -> Option<i64> {
    let value = *number?;
    (value.abs() < 1e9 && value.fract() == 0.0).then_some(value as i64)
}

/// Rotation about an axis by an angle in radians. Computed in software, so that results are the same on every
/// machine.
pub(super) fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The name of a template: up to the first `_` before a digit.
pub(super) fn template_of(name: &str) -> &str {
    let marks = name.match_indices('_').find(|(at, _)| {
        let next = name.as_bytes().get(at + 1);
        next.is_some_and(u8::is_ascii_digit)
    });
    marks.map_or(name, |(at, _)| &name[..at])
}

/// The name of a template of Crimson Skies: only the last `_` and number are removed, so that `blakepeace_2_1` is a
/// copy of `blakepeace_2` (CSVM, docs/formats).
pub(super) fn template_of_skies(name: &str) -> &str {
    let Some((front, number)) = name.rsplit_once('_') else {
        return name;
    };
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { front } else { name }
}
