//! Entries of an event's object, for all types.

use serde::Serialize;
use serde::ser::SerializeMap;

use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::anim::{FloatRamp, VectorRamp, rate};

/// Entries of an event's object.
pub(in crate::zipper::anim_documents) trait Fields:
    SerializeMap
{
    /// Adds an entry.
    fn put(&mut self, key: &'static str, value: impl Serialize) -> Result<(), Self::Error>;

    /// Adds an entry if it is used.
    fn put_if(
        &mut self,
        counts: bool,
        key: &'static str,
        value: impl Serialize,
    ) -> Result<(), Self::Error>;
}

impl<M: SerializeMap> Fields for M {
    fn put(&mut self, key: &'static str, value: impl Serialize) -> Result<(), Self::Error> {
        self.serialize_entry(key, &value)
    }

    fn put_if(
        &mut self,
        counts: bool,
        key: &'static str,
        value: impl Serialize,
    ) -> Result<(), Self::Error> {
        if counts {
            self.serialize_entry(key, &value)
        } else {
            Ok(())
        }
    }
}

/// Bits of a flag word that have no name here; 0 is left out.
pub(in crate::zipper::anim_documents) fn put_unknown_bits<M: Fields>(
    map: &mut M,
    all: u32,
    named: u32,
) -> Result<(), M::Error> {
    let unknown = all & !named;
    map.put_if(unknown != 0, "unknown_flags", unknown)
}

/// A value that changes linearly over time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper::anim_documents) struct Change<T> {
    pub(super) from: T,
    pub(super) to: T,
    /// Change per second as stored, where that is not `(to - from) / run_time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stored_rate: Option<T>,
}

pub(in crate::zipper::anim_documents) fn change(ramp: &FloatRamp, run_time: F32) -> Change<F32> {
    change_of(ramp.from, ramp.to, ramp.delta, run_time)
}

pub(in crate::zipper::anim_documents) fn change_of(
    from: F32,
    to: F32,
    delta: F32,
    run_time: F32,
) -> Change<F32> {
    let regular = delta == rate(from, to, run_time);
    Change {
        from,
        to,
        stored_rate: (!regular).then_some(delta),
    }
}

pub(in crate::zipper::anim_documents) fn vector_change(
    ramp: &VectorRamp,
    run_time: F32,
) -> Change<Vec3> {
    let VectorRamp { from, to, delta } = ramp;
    let regular = *delta
        == Vec3 {
            x: rate(from.x, to.x, run_time),
            y: rate(from.y, to.y, run_time),
            z: rate(from.z, to.z, run_time),
        };
    Change {
        from: ramp.from,
        to: ramp.to,
        stored_rate: (!regular).then_some(ramp.delta),
    }
}
