//! Small files made by our own encoder, with every event type, so that something is tested without
//! fixtures too.

use relicast::formats::codec::{F32, PaddedText};
use relicast::formats::zipper::anim::event::motion::{
    GroupedMotion, ObjectMotionGroup, ObjectMotionSiScript,
};
use relicast::formats::zipper::anim::{
    self, AnimFile, CountedText, DamageState, Definition, Event, EventBody, EventStart, Frame,
    NodeName, NodeRef, RotationChannel, Sequence, SiScript, SourceFile, UnknownEvent,
    VectorChannel, Version,
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
fn bodies(version: Version) -> Vec<EventBody> {
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
    if version < Version::PiratesMoon {
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

fn definition(version: Version) -> Definition {
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
    if version > Version::Recoil {
        tables.puffers = vec![Default::default(); 2];
    }
    if version >= Version::PiratesMoon {
        definition.head.reset_state_ptr = 0x1234;
    }
    if version == Version::CrimsonSkies {
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
    Version::ALL
        .into_iter()
        .map(|version| {
            let mut file = AnimFile {
                version,
                sources: vec![SourceFile::default(); 2],
                definitions: vec![definition(version), definition(version)],
                ..AnimFile::default()
            };
            if version < Version::PiratesMoon {
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
            if version == Version::PiratesMoon {
                file.timestamp = 919_047_053;
            }
            if version == Version::CrimsonSkies {
                file.base_files = vec![Default::default(); 2];
            }
            file
        })
        .collect()
}

#[test]
fn every_event_type_survives_writing_and_reading() {
    for file in files() {
        let bytes = anim::encode(&file).unwrap();
        let decoded = anim::decode(&bytes).unwrap().value;
        assert_eq!(anim::encode(&decoded).unwrap(), bytes);
        assert_eq!(decoded.definitions.len(), 2);
        for (written, read) in file.definitions.iter().zip(&decoded.definitions) {
            assert_eq!(written.tables, read.tables);
            for (written, read) in written.sequences.iter().zip(&read.sequences) {
                assert_eq!(written.events, read.events);
            }
            assert_eq!(read.odd_reset_copy, None);
            let order = |definition: &Definition| {
                definition
                    .damage_state
                    .as_ref()
                    .map(|damage| damage.position)
            };
            assert_eq!(order(written), order(read));
        }
        for (written, read) in file.scripts.iter().zip(&decoded.scripts) {
            assert_eq!(written.frames, read.frames);
            assert_eq!(written.script_name, read.script_name);
        }
    }
}

#[test]
fn a_reset_copy_that_is_none_is_kept() {
    let mut file = files().remove(1);
    file.definitions[0].odd_reset_copy = Some(relicast::formats::codec::Bytes([7; 64]));
    let bytes = anim::encode(&file).unwrap();
    let decoded = anim::decode(&bytes).unwrap();
    assert_eq!(
        decoded.value.definitions[0].odd_reset_copy.unwrap().0,
        [7; 64]
    );
    assert_eq!(decoded.value.definitions[1].odd_reset_copy, None);
    assert_eq!(anim::encode(&decoded.value).unwrap(), bytes);
    let fields: Vec<&str> = decoded
        .deviations
        .described()
        .iter()
        .map(|deviation| deviation.field.as_str())
        .collect();
    assert!(fields.contains(&"definitions[0].reset_copy"), "{fields:?}");
}

#[test]
fn sequences_that_end_in_no_event_keep_their_bytes() {
    let mut file = files().remove(3);
    file.definitions[0].sequences[1].rest = vec![9; 20].into();
    let bytes = anim::encode(&file).unwrap();
    let decoded = anim::decode(&bytes).unwrap();
    assert_eq!(&*decoded.value.definitions[0].sequences[1].rest, [9; 20]);
    assert_eq!(anim::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn scripts_with_other_data_are_kept() {
    let mut file = files().remove(2);
    let bytes = anim::encode(&file).unwrap();
    // The flags of the last frame: its header and one block of 76 bytes end the file.
    let mut damaged = bytes.clone();
    let flags = bytes.len() - 88;
    assert_eq!(damaged[flags], 2);
    damaged[flags] = 0x40;
    let decoded = anim::decode(&damaged).unwrap();
    let script = &decoded.value.scripts[1];
    assert_eq!(script.broken.as_ref().unwrap().count, 3);
    assert_eq!(anim::encode(&decoded.value).unwrap(), damaged);
    assert!(
        decoded
            .deviations
            .described()
            .iter()
            .any(|found| found.field.contains("frames"))
    );

    file.scripts[0].script_name = CountedText(vec![b'x'; 300]);
    assert!(anim::encode(&file).is_err());
}

#[test]
fn start_times_tell_stamped_events_from_others() {
    let mut event = Event::new(EventBody::Else(Default::default()));
    assert!(event.is_unstamped());
    event.start = EventStart::Event;
    assert!(!event.is_unstamped());
}
