//! Actors of the older games that wait at the origin until an animation places them.
//!
//! Such a node is a child of the world, with an identity transform. Its place is an absolute translation that an
//! animation sets, or the first translation of its keys. Until then it is hidden, as in zStudio; otherwise a static
//! scene would show a pile of objects at the origin. The first absolute translation is also a place for a preview.

use std::collections::BTreeMap;

use relicast_scene::extras::{floats, zipper};

use crate::Dependency;
use crate::zipper::anim::bind::{Binding, bind};
use crate::zipper::anim::node_lookup::NodeLookup;
use crate::zipper::scene::node_places::NodePlaces;
use relicast_codec::Vec3;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::motion::{FromToFlags, ScriptMotionHead};
use relicast_formats::zipper::anim::{self, AnimFile, EventBody, Frame, NodeTarget};
use relicast_formats::zipper::gamez::GameZ;

use super::roots;

/// Place that an animation gives a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GivenPlace {
    /// Name of the animation.
    animation: String,
    /// The place, in the space of the world.
    place: [f32; 3],
}

impl GivenPlace {
    /// Extras of the node.
    pub(super) fn facts(&self) -> zipper::GivenPlace {
        zipper::GivenPlace {
            animation: Some(self.animation.clone()),
            place: Some(floats(self.place)),
        }
    }
}

/// The actors of a world that wait for a place, with the first place from an animation of the containers. None in
/// Crimson Skies, which hides all nodes without a place.
pub(super) fn actors(gamez: &GameZ, containers: &[Dependency<'_>]) -> BTreeMap<usize, GivenPlace> {
    let mut found = BTreeMap::new();
    if gamez.version == ZipperGame::CrimsonSkies {
        return found;
    }
    let waiting = roots::unplaced(gamez);
    if waiting.is_empty() {
        return found;
    }
    let forests = [NodeLookup::new("", gamez, NodePlaces::new(), &[])];
    for container in containers {
        let Ok(decoded) = anim::decode(container.bytes) else {
            continue;
        };
        let container = decoded.value;
        let bindings = bind(&container, &forests);
        for (definition, binding) in container.definitions.iter().zip(&bindings) {
            // Reset sequences set the place where an object waits.
            let events = definition.sequences.iter().flat_map(|block| &block.events);
            for event in events {
                let Some((target, place)) = given(&event.body, &container) else {
                    continue;
                };
                let node = node_of(binding, target).filter(|node| waiting.contains(node));
                let place = place.to_array();
                if let Some(node) = node
                    && place.iter().all(|part| part.is_finite())
                {
                    found.entry(node).or_insert_with(|| GivenPlace {
                        animation: definition.anim_name(),
                        place,
                    });
                }
            }
        }
    }
    found
}

fn node_of(binding: &Binding, target: NodeTarget) -> Option<usize> {
    let bound = match target {
        NodeTarget::Entry(place) => *binding.nodes.get(place)?,
        NodeTarget::Root => binding.bound,
        NodeTarget::None | NodeTarget::Input | NodeTarget::Other(_) => return None,
    };
    bound.node().map(|node| node.index)
}

/// The node that an event places absolutely, and the place.
fn given(body: &EventBody, container: &AnimFile) -> Option<(NodeTarget, Vec3)> {
    match body {
        EventBody::ObjectTranslateState(body) => {
            let is_absolute = body.relative.0 & 1 == 0 && body.at_node.target() == NodeTarget::None;
            is_absolute.then(|| (body.node.target(), body.translate))
        }
        EventBody::ObjectMotionFromTo(body) => {
            let moves = body.flags.contains(FromToFlags::TRANSLATE);
            moves.then(|| (body.node.target(), body.translate.from))
        }
        EventBody::ObjectMotionSiScript(body) => {
            let place = first_place(&body.frames).or_else(|| pooled(&body.head, container))?;
            Some((body.head.node.target(), place))
        }
        _ => None,
    }
}

fn first_place(frames: &[Frame]) -> Option<Vec3> {
    let mut channels = frames.iter().filter_map(|frame| frame.translate.as_ref());
    channels.next().map(|channel| channel.base)
}

/// The first place of a script of the pool.
fn pooled(head: &ScriptMotionHead, container: &AnimFile) -> Option<Vec3> {
    if !container.version.has_script_pool() {
        return None;
    }
    let script = usize::try_from(head.script).ok()?;
    first_place(&container.scripts.get(script)?.frames)
}
