//! Rates of change in animation containers, which are stored together with the values they follow from.

use relicast_codec::{F32, Vec3};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::anim::{
    self, Definition, Event, EventBody, FloatRamp, VectorRamp, rate,
};

/// The container `after` with consistent rates where those of `before` were consistent; `None` if there is nothing to
/// do.
pub(super) fn in_step(kind: Kind, before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    if kind != Kind::Anim {
        return None;
    }
    let before = anim::decode(before).ok()?.value;
    let mut file = anim::decode(after).ok()?.value;
    let mut is_changed = false;
    let pairs = before.definitions.iter().zip(&mut file.definitions);
    for (before, after) in pairs {
        let pairs = events(before).zip(events_mut(after));
        for (before, after) in pairs {
            is_changed |= before.body != after.body && settle(&before.body, &mut after.body);
        }
    }
    is_changed.then(|| anim::encode(&file).ok()).flatten()
}

fn events(definition: &Definition) -> impl Iterator<Item = &Event> {
    let reset = definition.reset_state.iter();
    let damage = definition.damage_state.iter().map(|state| &state.sequence);
    let sequences = reset.chain(damage).chain(&definition.sequences);
    sequences.flat_map(|sequence| &sequence.events)
}

fn events_mut(definition: &mut Definition) -> impl Iterator<Item = &mut Event> {
    let reset = definition.reset_state.iter_mut();
    let damage = definition
        .damage_state
        .iter_mut()
        .map(|state| &mut state.sequence);
    let sequences = reset.chain(damage).chain(&mut definition.sequences);
    sequences.flat_map(|sequence| &mut sequence.events)
}

/// Updates the rates of an event, and returns true if one changed.
fn settle(before: &EventBody, after: &mut EventBody) -> bool {
    macro_rules! settle {
        ($before:ident, $after:ident, $($ramp:ident),*) => {{
            let (was, now) = ($before.run_time, $after.run_time);
            [$($after.$ramp.settle(&$before.$ramp, was, now)),*].contains(&true)
        }};
    }
    match (before, after) {
        (EventBody::ObjectMotionFromTo(before), EventBody::ObjectMotionFromTo(after)) => {
            settle!(before, after, morph, translate, rotate, scale)
        }
        (EventBody::CameraFromTo(before), EventBody::CameraFromTo(after)) => {
            settle!(
                before,
                after,
                clip_near,
                clip_far,
                lod_multiplier,
                fov_h,
                fov_v,
                zoom_h,
                zoom_v
            )
        }
        (EventBody::FbfxColorFromTo(before), EventBody::FbfxColorFromTo(after)) => {
            settle!(before, after, red, green, blue, alpha)
        }
        (EventBody::FbfxCsinwaveFromTo(before), EventBody::FbfxCsinwaveFromTo(after)) => {
            settle!(
                before,
                after,
                screen_x,
                screen_y,
                screen_radius,
                csin_x,
                csin_y,
                csin_z
            )
        }
        (EventBody::ObjectOpacityFromTo(before), EventBody::ObjectOpacityFromTo(after)) => {
            let expected = rate(before.opacity_from, before.opacity_to, before.run_time);
            let new = rate(after.opacity_from, after.opacity_to, after.run_time);
            let is_changed = before.opacity_delta == expected && after.opacity_delta != new;
            if is_changed {
                after.opacity_delta = new;
            }
            is_changed
        }
        _ => false,
    }
}

/// A value that changes evenly, with its rate.
trait Ramp {
    /// Updates the rate if it was consistent; returns true if it changed.
    fn settle(&mut self, before: &Self, was: F32, now: F32) -> bool;
}

impl Ramp for FloatRamp {
    fn settle(&mut self, before: &Self, was: F32, now: F32) -> bool {
        let new = rate(self.from, self.to, now);
        let is_changed = before.delta == rate(before.from, before.to, was) && self.delta != new;
        if is_changed {
            self.delta = new;
        }
        is_changed
    }
}

impl Ramp for VectorRamp {
    fn settle(&mut self, before: &Self, was: F32, now: F32) -> bool {
        let rates = |ramp: &Self, time: F32| Vec3 {
            x: rate(ramp.from.x, ramp.to.x, time),
            y: rate(ramp.from.y, ramp.to.y, time),
            z: rate(ramp.from.z, ramp.to.z, time),
        };
        let new = rates(self, now);
        let is_changed = before.delta == rates(before, was) && self.delta != new;
        if is_changed {
            self.delta = new;
        }
        is_changed
    }
}
