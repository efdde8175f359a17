//! State of nodes.

use super::{Fields, change_of};
use crate::zipper::anim_documents::names::Names;
use relicast_formats::zipper::anim::event::object::{
    ObjectActiveState, ObjectAddChild, ObjectCycleTexture, ObjectDeleteChild, ObjectOpacityFromTo,
    ObjectOpacityState, ObjectRotateState, ObjectScaleState, ObjectTranslateState, RotationBasis,
};

pub(in super::super) fn active<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectActiveState,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("shown", event.active)
}

pub(in super::super) fn translate<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectTranslateState,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("translation", event.translate)?;
    map.put_if(event.relative.0 != 0, "relative", event.relative)?;
    map.put_if(event.at_node.0 != 0, "from_node", names.node(event.at_node))
}

pub(in super::super) fn scale<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectScaleState,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("scale", event.scale)
}

pub(in super::super) fn rotate<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectRotateState,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("euler_radians", event.rotate)?;
    map.put_if(event.basis != RotationBasis::Absolute, "basis", event.basis)?;
    map.put_if(event.at_node.0 != 0, "from_node", names.node(event.at_node))
}

pub(in super::super) fn opacity<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectOpacityState,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("enabled", event.enable)?;
    map.put_if(event.has_opacity.is_set(), "opacity", event.opacity)
}

pub(in super::super) fn opacity_change<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectOpacityFromTo,
) -> Result<(), M::Error> {
    let switch = |state: i16| match state {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    };
    map.put("node", names.node(event.node))?;
    let change = change_of(
        event.opacity_from,
        event.opacity_to,
        event.opacity_delta,
        event.run_time,
    );
    map.put("opacity", change)?;
    for (key, raw_key, state) in [
        ("enabled_at_start", "state_at_start", event.state_from),
        ("enabled_at_end", "state_at_end", event.state_to),
    ] {
        match switch(state) {
            Some(state) => map.put(key, state)?,
            None => map.put_if(state != -1, raw_key, state)?,
        }
    }
    map.put("run_time", event.run_time)
}

pub(in super::super) fn add_child<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectAddChild,
) -> Result<(), M::Error> {
    map.put("parent", names.node(event.parent))?;
    map.put("child", names.node(event.child))
}

pub(in super::super) fn delete_child<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectDeleteChild,
) -> Result<(), M::Error> {
    map.put("parent", names.node(event.parent))?;
    map.put("child", names.node(event.child))
}

pub(in super::super) fn cycle_texture<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectCycleTexture,
) -> Result<(), M::Error> {
    map.put("node", names.node(event.node))?;
    map.put("frame", event.frame)?;
    map.put("restart", event.reset)
}
