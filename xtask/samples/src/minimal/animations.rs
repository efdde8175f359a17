//! Small compiled animation files with every type of event.

use relicast::formats::codec::{F32, PaddedText};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::motion::{
    GroupedMotion, ObjectMotionGroup, ObjectMotionSiScript,
};
use relicast::formats::zipper::anim::{
    AnimFile, CountedText, DamageState, Definition, Event, EventBody, Frame, NodeName, NodeRef,
    RotationChannel, Sequence, SiScript, SourceFile, UnknownEvent, VectorChannel,
};

fn frames() -> Vec<Frame> {
    let mut translate = VectorChannel::default();
    translate.base.y = F32(-0.0);
    translate.unk12 = 0x3F80_0000;
    let moved = Frame {
        end_time: F32(0.5),
        translate: Some(Box::new(translate)),
        scale: Some(Box::default()),
        ..Frame::default()
    };
    let mut rotation = RotationChannel::default();
    rotation.delta.x = F32(f32::from_bits(0xFFC0_0000));
    let turned = Frame {
        start_time: F32(0.5),
        end_time: F32(1.0),
        rotate: Some(Box::new(rotation)),
        ..Frame::default()
    };
    vec![moved, Frame::default(), turned]
}

/// One event of each type that the version can hold.
fn bodies(version: ZipperGame) -> Vec<EventBody> {
    macro_rules! all {
        ($($variant:ident)*) => { vec![$(EventBody::$variant(Default::default())),*] };
    }
    let mut bodies = all![
        Sound SoundNode Effect LightState LightAnimation ObjectActiveState ObjectTranslateState
        ObjectScaleState ObjectRotateState ObjectMotion ObjectMotionFromTo ObjectOpacityState
        ObjectOpacityFromTo ObjectAddChild ObjectDeleteChild ObjectCycleTexture ObjectConnector
        CallObjectConnector CameraState CameraFromTo CallSequence StopSequence CallAnimation
        StopAnimation ResetAnimation InvalidateAnimation FogState Loop If Else ElseIf EndIf
        Callback FbfxColorFromTo FbfxCsinwaveFromTo TextMessage AnimVerbose Marker DetonateWeapon
        PufferState SoundAdjust
    ];
    let mut motion = ObjectMotionSiScript::default();
    if version < ZipperGame::PiratesMoon {
        motion.frames = frames();
        motion.head.script = 3;
    } else {
        bodies.push(EventBody::ObjectMotionGroup(ObjectMotionGroup {
            motions: vec![GroupedMotion::default(); 2],
        }));
    }
    bodies.push(EventBody::ObjectMotionSiScript(Box::new(motion)));
    bodies.push(EventBody::Unknown(UnknownEvent {
        kind: 44,
        data: vec![1, 2, 3].into(),
    }));
    bodies
}

fn sequence(name: &str, bodies: Vec<EventBody>) -> Sequence {
    let mut sequence = Sequence {
        events: bodies.into_iter().map(Event::new).collect(),
        ..Sequence::default()
    };
    sequence.head.name = PaddedText::new(name).unwrap();
    sequence
}

fn definition(version: ZipperGame) -> Definition {
    let mut definition = Definition::default();
    definition.head.anim_name = PaddedText::new("door_open").unwrap();
    definition.head.two = 2;
    definition.head.reset_copy.0 = [0; 64];
    let node = NodeRef {
        name: NodeName::new("door").unwrap(),
        ..NodeRef::default()
    };
    let tables = &mut definition.tables;
    tables.nodes = vec![NodeRef::default(), node];
    tables.objects = vec![Default::default(); 2];
    tables.lights = vec![Default::default(); 3];
    tables.dynamic_sounds = vec![Default::default(); 4];
    tables.static_sounds = vec![Default::default(); 5];
    tables.prerequisites = vec![Default::default()];
    tables.animation_refs = vec![Default::default(); 2];
    definition.reset_state = Some(sequence(Sequence::RESET, bodies(version).split_off(5)));
    if version > ZipperGame::Recoil {
        tables.puffers = vec![Default::default(); 2];
    }
    if version >= ZipperGame::PiratesMoon {
        definition.head.reset_state_ptr = 0x1234;
    }
    if version == ZipperGame::CrimsonSkies {
        tables.paths = vec![Default::default(); 2];
        tables.script_ids = vec![0];
        definition.head.damage_state_ptr = 0x5678;
        definition.damage_state = Some(DamageState {
            position: 1,
            sequence: sequence(Sequence::DAMAGE, Vec::new()),
        });
    }
    definition.sequences = vec![
        sequence("all", bodies(version)),
        sequence("rest", Vec::new()),
    ];
    definition
}

/// One file of each version.
pub fn files() -> Vec<AnimFile> {
    ZipperGame::ALL
        .into_iter()
        .map(|version| {
            let mut file = AnimFile {
                version,
                sources: vec![SourceFile::default(); 2],
                definitions: vec![definition(version), definition(version)],
                ..AnimFile::default()
            };
            if version < ZipperGame::PiratesMoon {
                file.reserved.reset_state = Some(Sequence::default());
            } else {
                file.scripts = vec![
                    SiScript {
                        script_name: CountedText::new("door.zan"),
                        object_name: CountedText::new("door"),
                        frames: frames(),
                        ..SiScript::default()
                    };
                    2
                ];
            }
            if version == ZipperGame::PiratesMoon {
                file.timestamp = 919_047_053;
            }
            if version == ZipperGame::CrimsonSkies {
                file.base_files = vec![Default::default(); 2];
            }
            file
        })
        .collect()
}
