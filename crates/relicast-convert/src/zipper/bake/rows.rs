//! Tests events against values computed by hand from the formulas of the engine.

use std::collections::BTreeMap;

use glam::DVec3;

use super::curve::{Rotation, quat_of};
use super::evaluate::{BakeContext, Names, NodeKey, RestState, Timeline, World};
use super::schedule::{DefinitionIndex, Entry};
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::motion::{
    ConnectorFlags, MotionFlags, ObjectConnector, ObjectMotion,
};
use relicast_formats::zipper::anim::event::object::{
    ObjectOpacityFromTo, ObjectRotateState, RotationBasis,
};
use relicast_formats::zipper::anim::{
    AnimFile, Definition, Event, EventBody, EventStart, NodeIndex, NodeTarget, Sequence,
    ShortNodeIndex,
};

/// Nodes by number, each with its parent.
struct Stage(BTreeMap<usize, (RestState, Option<usize>)>);

fn key(index: usize) -> NodeKey {
    NodeKey { lookup: 0, index }
}

impl World for Stage {
    fn rest(&self, node: NodeKey) -> RestState {
        self.0
            .get(&node.index)
            .map_or_else(RestState::plain, |it| it.0)
    }

    fn parent(&self, node: NodeKey) -> Option<NodeKey> {
        self.0.get(&node.index)?.1.map(key)
    }
}

impl Names for Stage {
    fn node(&self, target: NodeTarget) -> Option<NodeKey> {
        match target {
            NodeTarget::Entry(index) => Some(key(index)),
            _ => None,
        }
    }
}

fn standing(place: [f64; 3], angles: [f64; 3]) -> RestState {
    RestState {
        translation: DVec3::from_array(place),
        rotation: Rotation::from_angles(DVec3::from_array(angles)),
        ..RestState::plain()
    }
}

fn played(version: ZipperGame, stage: &Stage, events: Vec<Event>) -> Timeline {
    let definition = Definition {
        sequences: vec![Sequence {
            events,
            ..Sequence::default()
        }],
        ..Definition::default()
    };
    let file = AnimFile {
        version,
        definitions: vec![definition],
        ..AnimFile::default()
    };
    let library = DefinitionIndex::new(&file);
    let schedule = library.schedule(0, Entry::Start);
    let context = BakeContext {
        library: &library,
        definition: &file.definitions[0],
        world: stage,
        names: stage,
    };
    context.perform(&[], &schedule.actions)
}

const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

#[test]
fn angles_of_another_nodes_place_in_the_world_are_added() {
    // The parent of the other node is rotated a quarter turn about y, and the node itself by half a radian.
    let stage = Stage(BTreeMap::from([
        (1, (standing([0.0; 3], [0.0; 3]), None)),
        (2, (standing([0.0; 3], [0.0, QUARTER, 0.0]), None)),
        (3, (standing([0.0; 3], [0.0, 0.5, 0.0]), Some(2))),
    ]));
    for (basis, expected) in [
        (RotationBasis::AtNodeMatrix, QUARTER + 0.5 + 0.25),
        (RotationBasis::AtNodeAngles, 0.75),
    ] {
        let event = Event::new(EventBody::ObjectRotateState(ObjectRotateState {
            basis,
            rotate: Vec3::from([0.0, 0.25, 0.0]),
            node: ShortNodeIndex(1),
            at_node: ShortNodeIndex(3),
        }));
        let timeline = played(ZipperGame::Recoil, &stage, vec![event]);
        let found = timeline.actors[&key(1)].rotation.at(0.0).angles();
        assert!(
            found.abs_diff_eq(DVec3::new(0.0, expected, 0.0), 1e-6),
            "{basis:?}: {found}"
        );
        assert_eq!(timeline.nominal.counts(), None);
    }
}

#[test]
fn gravity_of_the_world_is_turned_by_the_nodes_own_rotation() {
    // Turned a quarter about x, the world's down is the node's own -z … and is used in the parent's space.
    let stage = Stage(BTreeMap::from([(
        1,
        (standing([0.0; 3], [QUARTER, 0.0, 0.0]), None),
    )]));
    let motion = ObjectMotion {
        flags: MotionFlags::GRAVITY
            | MotionFlags::GRAVITY_COMPLEX
            | MotionFlags::TRANSLATION
            | MotionFlags::RUN_TIME,
        node: ShortNodeIndex(1),
        gravity: F32(-8.0),
        run_time: F32(2.0),
        ..ObjectMotion::default()
    };
    let event = Event::new(EventBody::ObjectMotion(Box::new(motion)));
    let timeline = played(ZipperGame::Recoil, &stage, vec![event]);
    let own = quat_of(DVec3::new(QUARTER, 0.0, 0.0)).inverse() * DVec3::new(0.0, -8.0, 0.0);
    let found = timeline.actors[&key(1)].translation.at(1.0);
    // s = a t² / 2 after a second.
    assert!(found.abs_diff_eq(own / 2.0, 1e-9), "{found}");
    assert!((found.z - 4.0).abs() < 1e-9, "{found}");
}

#[test]
fn fades_that_end_without_opacity_end_solid_in_recoil() {
    let stage = Stage(BTreeMap::new());
    for (version, state, expected) in [
        (ZipperGame::Recoil, 0, 1.0),
        (ZipperGame::Recoil, 1, 0.0),
        (ZipperGame::CrimsonSkies, 0, 0.0),
    ] {
        let event = Event::new(EventBody::ObjectOpacityFromTo(ObjectOpacityFromTo {
            node: NodeIndex(1),
            state_from: 1,
            state_to: state,
            opacity_from: F32(1.0),
            opacity_to: F32(0.0),
            run_time: F32(2.0),
            ..ObjectOpacityFromTo::default()
        }));
        let timeline = played(version, &stage, vec![event]);
        let opacity = &timeline.actors[&key(1)].opacity;
        assert!((opacity.at(1.0).x - 0.5).abs() < 1e-9);
        assert_eq!(opacity.at(3.0).x, expected, "{version:?}, {state}");
    }
}

#[test]
fn beams_span_their_ends() {
    let stage = Stage(BTreeMap::from([
        (1, (standing([0.0; 3], [0.0; 3]), None)),
        (2, (standing([1.0, 0.0, 0.0], [0.0, QUARTER, 0.0]), None)),
        (3, (standing([1.0, 0.0, -9.0], [0.0; 3]), None)),
    ]));
    let mut beam = ObjectConnector {
        flags: ConnectorFlags::FROM_NODE | ConnectorFlags::TO_NODE | ConnectorFlags::TO_T_RANGE,
        node: ShortNodeIndex(1),
        from_node: ShortNodeIndex(2),
        to_node: ShortNodeIndex(3),
        // A quarter turn takes z to x.
        from_position: Vec3::from([0.0, 0.0, -1.0]),
        run_time: F32(2.0),
        ..ObjectConnector::default()
    };
    beam.to_t.start = F32(0.0);
    beam.to_t.end = F32(1.0);
    let event = Event::new(EventBody::ObjectConnector(Box::new(beam)));
    let timeline = played(ZipperGame::Recoil, &stage, vec![event]);
    let actor = &timeline.actors[&key(1)];
    let from = DVec3::ZERO;
    let to = DVec3::new(1.0, 0.0, -9.0);
    assert!(actor.translation.at(1.0).abs_diff_eq(from, 1e-9));
    for (time, part) in [(0.0, 0.0), (1.0, 0.5), (2.5, 1.0)] {
        let scale = actor.scale.at(time);
        assert!(
            (scale.z - part * to.length()).abs() < 1e-9,
            "{time}: {scale}"
        );
        assert_eq!((scale.x, scale.y), (1.0, 1.0));
        let ahead = actor.rotation.at(time).quat * DVec3::NEG_Z;
        assert!(ahead.abs_diff_eq(to.normalize(), 1e-9), "{time}: {ahead}");
    }
    assert_eq!(timeline.gaps.counts(), None);
}

#[test]
fn sequences_that_the_game_never_starts_are_reported() {
    let mut event = Event::new(EventBody::ObjectRotateState(ObjectRotateState {
        node: ShortNodeIndex(1),
        ..ObjectRotateState::default()
    }));
    event.time = F32(0.5);
    for (start, is_stuck) in [
        (EventStart::Sequence, true),
        (EventStart::Event, true),
        (EventStart::Animation, false),
    ] {
        event.start = start;
        let file = AnimFile {
            definitions: vec![Definition {
                sequences: vec![Sequence {
                    events: vec![event.clone()],
                    ..Sequence::default()
                }],
                ..Definition::default()
            }],
            ..AnimFile::default()
        };
        let schedule = DefinitionIndex::new(&file).schedule(0, Entry::Start);
        assert_eq!(!schedule.stuck.is_empty(), is_stuck, "{start:?}");
        // The clip shows it anyway.
        assert_eq!(schedule.actions.len(), 1);
    }
}
