//! A save game of Recoil with a section of every kind.

use relicast::formats::codec::{Bytes, F32, PaddedText, Vec3};
use relicast::formats::zipper::save::recoil::{
    AnimationHead, AnimationState, Damage, Deformation, Fog, Mine, MissionData, NodeState, Pickup,
    Player, RunningAnimation, RunningHead, RunningLight, RunningSequence, RunningSound,
    SequenceHead, Vehicle,
};
use relicast::formats::zipper::save::{self, SaveMember};

use crate::Outcome;
use crate::pack::Pack;
use crate::random::Random;

fn text<const N: usize>(text: &str) -> PaddedText<N> {
    PaddedText::new(text).unwrap_or_default()
}

fn player() -> SaveMember<'static> {
    SaveMember::Player(Box::new(Player {
        damage: Some(Damage::default()),
        ..Player::default()
    }))
}

/// A running animation, with a sequence of these events.
fn running(events: Vec<u8>) -> RunningAnimation<'static> {
    RunningAnimation {
        head: RunningHead {
            index: 3,
            name: text("lift"),
            countdown: F32(1.5),
            ..RunningHead::default()
        },
        sequences: vec![RunningSequence {
            head: SequenceHead {
                name: text("up"),
                current_event: 4,
                ..SequenceHead::default()
            },
            events: events.into(),
        }],
        lights: vec![RunningLight::default()],
        sounds: vec![RunningSound::default(); 2],
    }
}

/// The sections, each by its name.
pub fn sections() -> Vec<(&'static str, SaveMember<'static>)> {
    let mut random = Random::named("recoil save");
    let node = |node| NodeState {
        node,
        active: 1,
        place: [F32(0.5); 12],
        ..NodeState::default()
    };
    let animation = |command, name: &str| {
        SaveMember::Animation(AnimationState {
            head: AnimationHead {
                command,
                name: text(name),
                node: 7,
                state: 3,
                ..AnimationHead::default()
            },
            nodes: vec![node(11), node(-1)],
        })
    };
    let running = running(random.bytes::<20>().to_vec());
    let vehicle = Vehicle {
        size: 128,
        position: Vec3::from([100.0, 5.0, -200.0]),
        health: F32(80.0),
        ..Vehicle::default()
    };
    vec![
        (
            "Mission/MissionData",
            SaveMember::Mission(MissionData {
                mission: 2,
                current_objective: -1,
                ..MissionData::default()
            }),
        ),
        ("AnimActivation/Activation0000", animation(1, "door_open")),
        ("RunningAnim/Running000", SaveMember::Running(running)),
        ("Anim/Anim0001", animation(0, "lift")),
        ("VehicleList/bft_00", SaveMember::Vehicle(vehicle)),
        ("HUDTimer/TimerData", SaveMember::Timer(F32(123.25))),
        ("Player/bft_00", player()),
        (
            "Pickup/pu003_01",
            SaveMember::Pickup(Pickup {
                first: 1,
                kind: 3,
                ..Pickup::default()
            }),
        ),
        ("Weapons/WeaponData", SaveMember::Number(12)),
        (
            "GWWorld/world1",
            SaveMember::Fog(Fog {
                state: 1,
                far: F32(900.0),
                ..Fog::default()
            }),
        ),
        (
            "zDEClient/Crater0",
            SaveMember::Deformation(Deformation {
                kind: 1,
                event: Bytes(random.bytes()),
                first: 0,
            }),
        ),
        (
            "Mines/MineData000",
            SaveMember::Mine(Mine {
                weapon: text("mine"),
                owner: text("bft_00"),
                ..Mine::default()
            }),
        ),
        ("MissionLate/LateMissionData", SaveMember::Number(1)),
    ]
}

/// The save.
///
/// # Errors
/// A section does not fit its format (a fault of this program).
pub fn save_game() -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("save");
    for (name, section) in sections() {
        pack.add(name, save::encode(&section)?)?;
    }
    pack.finish()
}
