//! Containers with wrong clips: each costs a line of the report at most, and the rest is converted.
//! Everything here is made by the library's own encoders.

use relicast::convert::ConvertOptions;
use relicast::convert::{
    ConvertError, Dependency, Disposition, OpenContext, OutputRole, Sink, open,
};
use relicast::emit::{Options, encode, encode_scene, gltf::GltfFiles};
use relicast::formats::codec::{F32, PaddedText, Vec3};
use relicast::formats::kind::Kind;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::{
    CallAnimation, CallFlags, Condition, ConditionKind, Loop, LoopLimit,
};
use relicast::formats::zipper::anim::event::motion::{
    FromToFlags, MotionFlags, ObjectMotion, ObjectMotionFromTo, ObjectMotionSiScript,
};
use relicast::formats::zipper::anim::{
    self, AnimFile, Definition, Event, EventBody, EventStart, Frame, NodeIndex, NodeName, NodeRef,
    RotationChannel, Sequence, ShortNodeIndex, VectorChannel,
};
use relicast::formats::zipper::gamez;
use relicast::scene::{Asset, Encoding};
use relicast_testing::test;
use serde_json::Value;

use relicast_samples::minimal::worlds;

const HOUSE: NodeIndex = NodeIndex(1);

fn event(body: EventBody) -> Event {
    Event::new(body)
}

fn definition(name: &str, sequences: Vec<Vec<Event>>) -> Definition {
    let mut definition = Definition::default();
    let head = &mut definition.head;
    head.anim_name = PaddedText::new(name).unwrap();
    head.name = PaddedText::new("house").unwrap();
    head.anim_root_name = PaddedText::new("house").unwrap();
    head.two = 2;
    let node = |name: &str| NodeRef {
        name: NodeName::new(name).unwrap(),
        ..NodeRef::default()
    };
    definition.tables.nodes = vec![
        NodeRef::default(),
        node("house"),
        node("house_walls"),
        node("ghost"),
    ];
    let block = |events| {
        let mut sequence = Sequence::default();
        sequence.head.name = PaddedText::new("main").unwrap();
        sequence.events = events;
        sequence
    };
    definition.reset_state = Some(Sequence::default());
    definition.sequences = sequences.into_iter().map(block).collect();
    definition
}

fn slide(node: NodeIndex, to: f32, seconds: f32) -> Event {
    let mut motion = ObjectMotionFromTo {
        flags: FromToFlags::TRANSLATE,
        node,
        run_time: F32(seconds),
        ..ObjectMotionFromTo::default()
    };
    motion.translate.to.x = F32(to);
    event(EventBody::ObjectMotionFromTo(Box::new(motion)))
}

fn frame(start: f32, end: f32, base: f32, delta: f32) -> Frame {
    let channel = VectorChannel {
        base: Vec3::from([base, 0.0, 0.0]),
        delta: Vec3::from([delta, 0.0, 0.0]),
        ..VectorChannel::default()
    };
    Frame {
        start_time: F32(start),
        end_time: F32(end),
        translate: Some(Box::new(channel)),
        ..Frame::default()
    }
}

fn script(frames: Vec<Frame>) -> Event {
    let mut motion = ObjectMotionSiScript::default();
    motion.head.node = HOUSE;
    motion.frames = frames;
    event(EventBody::ObjectMotionSiScript(Box::new(motion)))
}

fn call(name: &str) -> Event {
    let call = CallAnimation {
        name: PaddedText::new(name).unwrap(),
        flags: CallFlags::WAIT_FOR_COMPLETION,
        ..CallAnimation::default()
    };
    event(EventBody::CallAnimation(Box::new(call)))
}

/// Output of a conversion, checked on arrival.
#[derive(Default)]
struct CollectSink {
    notes: Vec<String>,
    documents: usize,
    /// Bytes of all outputs.
    bytes: usize,
    clips: Vec<(Value, Vec<f32>)>,
}

impl CollectSink {
    /// The notes of clips; the container itself has some on missing neighbors.
    fn of_clips(&self) -> Vec<&String> {
        let notes = self.notes.iter();
        notes
            .filter(|note| note.starts_with("animation "))
            .collect()
    }

    /// The extras and the key times of a clip: of its longest channel.
    fn clip(&self, name: &str) -> Option<&(Value, Vec<f32>)> {
        let mut clips = self.clips.iter();
        clips.find(|(clip, _)| clip["name"] == name)
    }
}

/// The floats of an accessor.
fn floats(file: &Value, bin: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &file["accessors"][usize::try_from(accessor.as_u64().unwrap()).unwrap()];
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let view = &file["bufferViews"][number(&accessor["bufferView"])];
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        _ => 4,
    };
    assert_eq!(accessor["componentType"], 5126);
    let bytes = &bin[start..start + number(&accessor["count"]) * width * 4];
    let words = bytes.chunks(4);
    words
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

impl Sink for CollectSink {
    fn wants(&self, role: OutputRole) -> bool {
        role != OutputRole::Raw
    }

    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let failed = |error: relicast::emit::EmitError| ConvertError::Emit(error.to_string());
        match &asset {
            Asset::Document(_) => {
                let made = encode(&asset, Encoding::Json, &[], Options::default());
                self.bytes += made.map_err(failed)?.len();
                self.documents += 1;
            }
            Asset::Scene(scene, pictures) => {
                let options = Options::default();
                let made = encode_scene(scene, *pictures, "a.gltf", Some("a.bin"), options);
                let GltfFiles::Gltf { json, bin } = made.map_err(failed)? else {
                    panic!("not what was asked for");
                };
                self.bytes += json.len() + bin.len();
                let file: Value = serde_json::from_slice(&json).unwrap();
                for clip in file["animations"].as_array().into_iter().flatten() {
                    let mut longest = Vec::new();
                    for sampler in clip["samplers"].as_array().unwrap() {
                        let times = floats(&file, &bin, &sampler["input"]);
                        assert!(times[0] >= 0.0, "{}", clip["name"]);
                        let mut pairs = times.windows(2);
                        assert!(pairs.all(|pair| pair[0] < pair[1]), "{}", clip["name"]);
                        let values = floats(&file, &bin, &sampler["output"]);
                        let mut all = times.iter().chain(&values);
                        assert!(all.all(|value| value.is_finite()), "{}", clip["name"]);
                        if times.len() > longest.len() {
                            longest = times;
                        }
                    }
                    self.clips.push((clip.clone(), longest));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn container(definitions: Vec<Definition>) -> Vec<u8> {
    let mut file = AnimFile {
        version: ZipperGame::MechWarrior3,
        definitions,
        ..AnimFile::default()
    };
    file.reserved.reset_state = Some(Sequence::default());
    anim::encode(&file).unwrap()
}

/// Converts definitions, each of which has to come out as a document.
fn convert(definitions: Vec<Definition>) -> CollectSink {
    let count = definitions.len();
    let bytes = container(definitions);
    let world = gamez::encode(&worlds::gamez(ZipperGame::MechWarrior3)).unwrap();
    let dependencies = [Dependency {
        path: "gamez.zbd",
        kind: Kind::GameZ,
        bytes: &world,
        digest: None,
        outputs: &[],
    }];
    let options = ConvertOptions::default();
    let opened =
        open(OpenContext::new(Kind::Anim, "anim.zbd", &bytes).with_dependencies(&dependencies))
            .unwrap();
    let mut collected = CollectSink::default();
    for (index, part) in opened.items(&options).iter().enumerate() {
        assert_eq!(part.verdict, Disposition::Convert);
        opened.convert(index, &options, &mut collected).unwrap();
    }
    assert_eq!(collected.documents, count + 1);
    collected
}

/// Converts a wrong definition between two good ones, which must come out whole. `noted` is the line of the
/// report that the wrong one costs.
fn between(liars: Vec<Definition>, noted: Option<&str>) -> CollectSink {
    let sane = |name: &str| definition(name, vec![vec![slide(HOUSE, 4.0, 2.0)]]);
    let mut all = vec![sane("before")];
    all.extend(liars);
    all.push(sane("after"));
    let collected = convert(all);
    for name in ["before", "after"] {
        let (_, times) = collected
            .clip(name)
            .unwrap_or_else(|| panic!("no clip {name}"));
        assert_eq!(times.last(), Some(&2.0));
    }
    match noted {
        Some(noted) => {
            let found = collected
                .notes
                .iter()
                .any(|note| note.starts_with("animation liar") && note.contains(noted));
            assert!(found, "{noted} is not in {:?}", collected.notes);
        }
        None => assert_eq!(collected.of_clips(), [""; 0]),
    }
    collected
}

fn corrupted(events: Vec<Event>) -> Vec<Definition> {
    vec![definition("liar", vec![events])]
}

const ODD: &str = "frames of a script with invalid times or values, or that begin before it";
const INVALID_CHANGES: &str = "frames of a script with an invalid change, played without it";

#[test]
fn frames_that_are_no_numbers_are_left_out() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let frames = vec![
            frame(0.0, 1.0, 0.0, 1.0),
            frame(1.0, 2.0, bad, 1.0),
            frame(2.0, 3.0, 5.0, 1.0),
        ];
        let collected = between(corrupted(vec![script(frames)]), Some(ODD));
        let (_, times) = collected.clip("liar").unwrap();
        assert_eq!(times.last(), Some(&3.0));
        // A change per second that is no number is none.
        let frames = vec![frame(0.0, 1.0, 0.0, bad), frame(1.0, 2.0, 1.0, 1.0)];
        let collected = between(corrupted(vec![script(frames)]), Some(INVALID_CHANGES));
        assert!(collected.clip("liar").is_some());
        let mut turned = frame(0.0, 1.0, 0.0, 1.0);
        let mut channel = RotationChannel::default();
        channel.base.w = F32(bad);
        turned.rotate = Some(Box::new(channel));
        between(corrupted(vec![script(vec![turned])]), Some(ODD));
    }
}

#[test]
fn what_grows_beyond_all_bounds_is_left_out() {
    // Values of stale memory.
    between(
        corrupted(vec![script(vec![frame(0.0, 10.0, 3e38, 0.0)])]),
        Some(ODD),
    );
    between(
        corrupted(vec![script(vec![frame(0.0, 10.0, 3.0, 3e38)])]),
        Some(INVALID_CHANGES),
    );
    // A launch that leaves the range of 32-bit numbers within 10 s.
    let mut launch = ObjectMotion {
        flags: MotionFlags::TRANSLATION | MotionFlags::RUN_TIME,
        node: ShortNodeIndex(1),
        run_time: F32(10.0),
        ..ObjectMotion::default()
    };
    launch.velocity.x = F32(3e38);
    let launch = Event::new(EventBody::ObjectMotion(Box::new(launch)));
    let noted = "left out: values exceed the range of 32-bit floats";
    between(corrupted(vec![launch]), Some(noted));
    let collected = between(corrupted(vec![slide(HOUSE, 3e38, 2.0)]), None);
    assert!(collected.clip("liar").is_some());
}

#[test]
fn frames_whose_times_are_none_are_left_out_and_those_out_of_order_are_played() {
    let orders: [&[[f32; 2]]; 3] = [
        &[[-1.0, 1.0], [1.0, 3.0]],
        &[[0.0, 1.0], [f32::NAN, 2.0], [2.0, 3.0]],
        &[[0.0, 1.0], [1.0, f32::INFINITY], [2.0, 3.0]],
    ];
    for order in orders {
        let frames = order
            .iter()
            .map(|&[start, end]| frame(start, end, 1.0, 1.0));
        let collected = between(corrupted(vec![script(frames.collect())]), Some(ODD));
        let (_, times) = collected.clip("liar").unwrap();
        assert_eq!(times.last(), Some(&3.0), "{order:?}");
    }
    let orders: [&[[f32; 2]]; 2] = [
        &[[1.0, 2.0], [0.0, 1.0], [2.0, 3.0]],
        &[[0.0, 1.0], [2.0, 1.5], [2.0, 3.0]],
    ];
    for order in orders {
        let frames = order
            .iter()
            .map(|&[start, end]| frame(start, end, 1.0, 1.0));
        let collected = between(corrupted(vec![script(frames.collect())]), None);
        let (_, times) = collected.clip("liar").unwrap();
        assert_eq!(times.last(), Some(&3.0), "{order:?}");
    }
}

#[test]
fn frames_without_length_jump() {
    let frames = vec![
        frame(0.0, 0.0, 1.0, 0.0),
        frame(1.0, 1.0, 2.0, 0.0),
        frame(1.0, 1.0, 3.0, 0.0),
        frame(2.0, 2.0, 4.0, 0.0),
    ];
    let collected = between(corrupted(vec![script(frames)]), None);
    assert_eq!(collected.clip("liar").unwrap().1, [0.0, 1.0, 2.0]);
}

#[test]
fn thousands_of_frames_are_as_many_keys() {
    let frames = (0..6000_u16).map(|place| {
        let start = f32::from(place) / 16.0;
        let zigzag = f32::from(place % 2);
        frame(
            start,
            start + 1.0 / 16.0,
            zigzag,
            16.0 * (1.0 - 2.0 * zigzag),
        )
    });
    let collected = between(corrupted(vec![script(frames.collect())]), None);
    assert_eq!(collected.clip("liar").unwrap().1.len(), 6001);
}

#[test]
fn loops_of_no_time_and_without_end_are_one_pass() {
    let count = |count| LoopLimit::Count { count, pad: 0 };
    for limit in [
        count(-1),
        count(0),
        count(i16::MAX),
        LoopLimit::RunTime(F32(-1.0)),
        LoopLimit::RunTime(F32(f32::INFINITY)),
        LoopLimit::RunTime(F32(f32::NAN)),
        LoopLimit::RunTime(F32(3e38)),
    ] {
        let again = || event(EventBody::Loop(Loop { limit }));
        // Of no time at all, then with something in it.
        let empty = definition("liar", vec![vec![again()], vec![slide(HOUSE, 1.0, 1.0)]]);
        let collected = between(vec![empty], None);
        let (clip, times) = collected.clip("liar").unwrap();
        let facts = &clip["extras"]["zipper"]["loops"][0];
        assert!(facts["period"].as_f64().unwrap() < 0.02, "{limit:?}");
        assert_eq!(times.last(), Some(&1.0), "{limit:?}");
        let busy = corrupted(vec![slide(HOUSE, 1.0, 1.0), again()]);
        let collected = between(busy, None);
        assert_eq!(collected.clip("liar").unwrap().1.last(), Some(&1.0));
    }
}

#[test]
fn animations_that_wait_for_each_other_end() {
    let circle = vec![
        definition("liar", vec![vec![call("liar2"), slide(HOUSE, 1.0, 1.0)]]),
        definition("liar2", vec![vec![call("liar3"), slide(HOUSE, 1.0, 1.0)]]),
        definition("liar3", vec![vec![call("liar"), slide(HOUSE, 1.0, 1.0)]]),
    ];
    let noted = "animations that wait for each other";
    let collected = between(circle, Some(noted));
    for name in ["liar", "liar2", "liar3"] {
        assert!(collected.clip(name).is_some());
        let found = collected
            .notes
            .iter()
            .filter(|note| note.contains(&format!("{name}:")));
        assert_eq!(found.count(), 1, "{:?}", collected.notes);
    }
    let itself = corrupted(vec![call("liar"), slide(HOUSE, 1.0, 1.0)]);
    let collected = between(itself, Some(noted));
    assert_eq!(collected.clip("liar").unwrap().1.last(), Some(&1.0));
}

#[test]
fn missing_nodes_are_reported() {
    let collected = between(
        corrupted(vec![slide(NodeIndex(3), 1.0, 1.0), slide(HOUSE, 1.0, 1.0)]),
        Some("OBJECT_MOTION_FROM_TO: no node ghost"),
    );
    assert_eq!(collected.clip("liar").unwrap().1.last(), Some(&2.0));
    for missing in [0, 4, 30_000, -7] {
        between(
            corrupted(vec![slide(NodeIndex(missing), 1.0, 1.0)]),
            Some("OBJECT_MOTION_FROM_TO: no node"),
        );
    }
}

#[test]
fn what_starts_after_the_end_of_time_never_does() {
    let late = |start, time| Event {
        start,
        time: F32(time),
        ..slide(HOUSE, 1.0, 1.0)
    };
    for start in [
        EventStart::Animation,
        EventStart::Sequence,
        EventStart::Event,
    ] {
        let events = vec![slide(HOUSE, 2.0, 1.0), late(start, 1e30)];
        let noted = "1 event left out";
        let collected = between(corrupted(events), Some(noted));
        assert_eq!(collected.clip("liar").unwrap().1.last(), Some(&1.0));
        // What is no number is no time; what is negative has come.
        for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30] {
            let collected = between(corrupted(vec![late(start, time)]), None);
            assert_eq!(collected.clip("liar").unwrap().1.last(), Some(&1.0));
        }
    }
    let forever = [f32::NAN, -5.0].map(|seconds| slide(HOUSE, 1.0, seconds));
    between(corrupted(forever.into()), None);
    for seconds in [f32::INFINITY, 1e30, 90_000.0] {
        let noted = "OBJECT_MOTION_FROM_TO: lasts longer than a clip can";
        let collected = between(corrupted(vec![slide(HOUSE, 1.0, seconds)]), Some(noted));
        assert!(collected.clip("liar").unwrap().1.last() < Some(&1.0));
    }
}

#[test]
fn ten_thousand_conditions_within_each_other_are_decided() {
    let condition = || Condition {
        kind: ConditionKind::AnimationLod,
        ..Condition::default()
    };
    let mut events: Vec<Event> = Vec::new();
    events.extend((0..10_000).map(|_| event(EventBody::If(condition()))));
    events.push(slide(HOUSE, 1.0, 1.0));
    events.extend((0..10_000).map(|_| event(EventBody::EndIf(Default::default()))));
    let collected = between(corrupted(events), None);
    let (clip, times) = collected.clip("liar").unwrap();
    assert_eq!(times.last(), Some(&1.0));
    assert_eq!(
        clip["extras"]["zipper"]["conditions"]["animation_lod"],
        true
    );
}

#[test]
fn spins_too_fast_to_see_have_as_many_keys_as_they_may() {
    let spin = |rate: f32| {
        let mut motion = ObjectMotion {
            flags: MotionFlags::XYZ_ROTATION | MotionFlags::RUN_TIME,
            node: ShortNodeIndex(1),
            run_time: F32(60.0),
            ..ObjectMotion::default()
        };
        motion.spin_rate = Vec3::from([rate, rate, rate]);
        event(EventBody::ObjectMotion(Box::new(motion)))
    };
    for rate in [1e30, f32::NAN, f32::INFINITY] {
        let collected = between(corrupted(vec![spin(rate)]), None);
        if let Some((_, times)) = collected.clip("liar") {
            assert!(times.len() <= 1 << 18, "{}", times.len());
        }
    }
}

#[test]
fn twenty_times_as_much_costs_twenty_times_as_much() {
    let many = |count: usize| -> CollectSink {
        let kinds: [fn() -> Event; 3] = [
            || slide(HOUSE, 1.0, 1.0),
            || {
                script(
                    (0..50_u8)
                        .map(|at| {
                            let start = f32::from(at);
                            frame(start, start + 1.0, f32::from(at % 3), 1.0)
                        })
                        .collect(),
                )
            },
            || slide(NodeIndex(2), 5.0, 3.0),
        ];
        let definitions = (0..count)
            .map(|place| definition(&format!("act{place:05}"), vec![vec![kinds[place % 3]()]]));
        convert(definitions.collect())
    };
    let (one, twenty) = (many(30), many(600));
    assert_eq!(one.clips.len(), 30);
    assert_eq!(twenty.clips.len(), 600);
    let keys = |collected: &CollectSink| -> usize {
        collected.clips.iter().map(|(_, times)| times.len()).sum()
    };
    assert_eq!(keys(&twenty), 20 * keys(&one));
    assert_eq!(twenty.documents - 1, 20 * (one.documents - 1));
    assert!(
        twenty.bytes < 22 * one.bytes,
        "{} {}",
        twenty.bytes,
        one.bytes
    );
    assert_eq!(twenty.of_clips(), [""; 0]);
}
