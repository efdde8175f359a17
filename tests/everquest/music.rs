//! Music: songs as MIDI files for other programs, their loops, and their rendering with a sound font.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use relicast::convert::ConvertOptions;
use relicast::convert::{self, OpenContext};
use relicast::formats::everquest::xmidi::{self, Xmidi, events, events::Message};
use relicast::formats::kind::Kind;
use relicast::formats::midi::{self, Midi, MidiEvent};
use relicast_samples::everquest::music;
use relicast_testing::{skip, test};
use sha2::{Digest, Sha256};

use crate::common;
use crate::damaged::NullSink;
use crate::support::mutate;
use crate::whole::Install;

/// A file of one sequence, written by hand.
const WORKED: &str = "46 4F 52 4D 00 00 00 0E 58 44 49 52 49 4E 46 4F 00 00 00 02 01 00 \
    43 41 54 20 00 00 00 58 58 4D 49 44 46 4F 52 4D 00 00 00 4C 58 4D 49 44 \
    54 49 4D 42 00 00 00 04 01 00 30 00 52 42 52 4E 00 00 00 08 01 00 00 00 0E 00 00 00 \
    45 56 4E 54 00 00 00 23 \
    FF 51 03 07 A1 20 C0 30 B0 07 64 B0 78 00 7F 01 90 3C 40 81 00 10 90 40 50 05 7F 7F 02 \
    B0 6C 00 FF 2F 00 00";

fn worked() -> Vec<u8> {
    let bytes = WORKED.split_whitespace();
    bytes
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

fn midi(path: &Path) -> Midi {
    let decoded = midi::decode(&std::fs::read(path).unwrap()).unwrap();
    assert!(decoded.deviations.is_empty());
    decoded.value
}

/// Events at ticks, without names.
fn listed(song: &Midi) -> Vec<(u32, String)> {
    let text = |event: &MidiEvent| match event {
        MidiEvent::Channel { status, data } => format!("{status:02x} {} {}", data[0], data[1]),
        MidiEvent::Meta { kind: 6, data } => String::from_utf8_lossy(data).into_owned(),
        MidiEvent::Meta { kind, data } => format!("meta {kind:02x} {data:?}"),
        MidiEvent::Exclusive { .. } => "exclusive".to_owned(),
    };
    let events = song.events.iter().filter(|event| {
        !matches!(
            event.event,
            MidiEvent::Meta {
                kind: midi::meta::NAME,
                ..
            }
        )
    });
    events
        .map(|event| (event.tick, text(&event.event)))
        .collect()
}

#[test]
fn the_worked_example_is_read_and_written_byte_for_byte() {
    let bytes = worked();
    assert_eq!(bytes.len(), 118);
    let file = xmidi::decode(&bytes).unwrap();
    assert!(file.deviations.is_empty());
    assert_eq!(xmidi::encode(&file.value).unwrap(), bytes);
    let forms = file.value.sequences();
    assert_eq!((forms.len(), file.value.stated_sequences()), (1, Some(1)));
    assert_eq!(forms[0].timbres()[0].patch, 48);
    assert_eq!(forms[0].branches()[0].offset, 14);
    let sequence = events::decode(forms[0].events().unwrap().1).unwrap();
    assert!(sequence.deviations.is_empty());
    let made = Xmidi::new(std::slice::from_ref(&sequence.value)).unwrap();
    assert_eq!(xmidi::encode(&made).unwrap(), bytes);
    let made = Xmidi::new(&[music::round()]).unwrap();
    assert_eq!(xmidi::encode(&made).unwrap(), bytes);
}

#[test]
fn songs_become_midi_files_with_their_loops_as_markers() {
    let install = Install::new();
    let out = install.convert("out", "");
    let song = midi(&out.join("music/dell/dell-00.mid"));
    assert_eq!((song.division, song.end), (60, 400));
    let row = |tick, text: &str| (tick, text.to_owned());
    let tempo = row(0, "meta 51 [7, 161, 32]");
    let expected = [
        tempo.clone(),
        row(0, "c0 48 0"),
        row(0, "b0 7 100"),
        row(0, "loopStart"),
        row(128, "90 60 64"),
        row(144, "90 64 80"),
        row(149, "80 64 64"),
        row(256, "80 60 64"),
        row(400, "loopEnd"),
    ];
    assert_eq!(listed(&song), expected);
    // Ends of earlier notes come first, the end of a note without length last.
    let song = midi(&out.join("music/dell/dell-01.mid"));
    let at: Vec<String> = listed(&song)
        .into_iter()
        .filter(|(tick, _)| *tick == 60)
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        at,
        ["82 67 64", "Theme1", "92 67 90", "99 38 100", "82 67 64"]
    );
    let range = ["b2 101 0", "b2 100 0", "b2 6 12"].map(|text| row(0, text));
    assert!(listed(&song).windows(3).any(|three| three == range));
    assert_eq!(
        listed(&song)
            .iter()
            .filter(|(_, text)| text.starts_with("meta 51"))
            .count(),
        1
    );
    assert!(listed(&song).contains(&row(90, "callback 2")));

    let document = common::json(&out.join("music/dell.json"));
    let songs = document["sequences"].as_array().unwrap();
    assert_eq!(songs[0]["path"], "music/dell/dell-00.mid");
    assert_eq!(songs[0]["loops"][0]["end"], 400);
    let seconds = songs[0]["seconds"].as_f64().unwrap();
    assert!((seconds - 400.0 / 120.0).abs() < 1e-9);
    assert_eq!(songs[1]["loops"][0]["start"], 0);
    assert_eq!(songs[1]["loops"][0]["end_seconds"], 1.5);
    assert_eq!(songs[1]["callbacks"][0]["tick"], 90);
    assert_eq!(songs[1]["markers"][0]["text"], "Theme1");
    assert_eq!(songs[1]["tempos_left_out"], 2);
    // No controller that means something else to MIDI.
    for name in ["dell-00", "dell-01"] {
        let song = midi(&out.join(format!("music/dell/{name}.mid")));
        for event in &song.events {
            if let MidiEvent::Channel { status, data } = event.event {
                assert!(status & 0xF0 != 0xB0 || !(105..=120).contains(&data[0]));
            }
        }
    }
    assert!(!out.join("music/dell/dell-00.flac").exists());
    assert!(out.join("music/sample.sf2").exists() && out.join("music/dusk.mp3").exists());
}

/// The samples of a sound; they are written as WAV too.
fn samples(path: &Path) -> (hound::WavSpec, Vec<i32>) {
    let mut reader = hound::WavReader::open(path).unwrap();
    let samples = reader.samples::<i32>().map(Result::unwrap).collect();
    (reader.spec(), samples)
}

#[test]
fn songs_are_played_with_the_font_next_to_them() {
    let install = Install::new();
    let render = "[music]\nformat = \"both\"\nrender = true\n";
    let out = install.convert("out", render);
    let (info, samples) = samples(&out.join("music/dell/dell-00.wav"));
    let facts = (info.channels, info.sample_rate, info.bits_per_sample);
    assert_eq!(facts, (2, 44_100, 16));
    let reader = claxon::FlacReader::open(out.join("music/dell/dell-00.flac")).unwrap();
    let frames = samples.len() as u64 / 2;
    assert_eq!(reader.streaminfo().samples, Some(frames));
    // Silent up to the first note at tick 128, and longer than the song.
    assert!(frames >= 400 * 44_100 / 120, "{frames}");
    let first = samples
        .iter()
        .position(|&sample| sample.abs() > 50)
        .unwrap()
        / 2;
    let start = 128 * 44_100 / 120;
    assert!((start..start + 2000).contains(&first), "{first}");
    let tag = |name: &str| reader.get_tag(name).next().map(str::to_owned);
    assert_eq!(tag("LOOPSTART").as_deref(), Some("0"));
    assert_eq!(tag("LOOPLENGTH").as_deref(), Some("147000"));
    let again = install.convert("again", render);
    let path = "music/dell/dell-01.flac";
    assert_eq!(
        std::fs::read(out.join(path)).unwrap(),
        std::fs::read(again.join(path)).unwrap()
    );

    // The user's own font, and none.
    let own = install.input().with_file_name("own.sf2");
    std::fs::rename(install.input().join("sample.sf2"), &own).unwrap();
    let named = format!("{render}sound_font = {:?}\n", own.display().to_string());
    let named = install.convert("named", &named);
    let first = std::fs::read(out.join(path)).unwrap();
    assert!(std::fs::read(named.join(path)).unwrap() == first);
    let none = install.convert("none", render);
    assert!(none.join("music/dell/dell-00.mid").exists());
    assert!(!none.join(path).exists());
    let report = common::json(&none.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let songs = sources
        .iter()
        .find(|source| source["path"] == "dell.xmi")
        .unwrap();
    let skipped = songs["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| part["status"] == "skipped");
    let reasons: Vec<&str> = skipped
        .map(|part| part["reason"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(reasons.len(), 2);
    assert!(reasons[0].contains("no sound font"), "{reasons:?}");
}

/// Converts all items that can be converted, and returns the number of items.
fn convert_all(bytes: &[u8]) -> Option<usize> {
    let context = OpenContext::new(Kind::Xmidi, "a.xmi", bytes);
    let opened = convert::open(context).ok()?;
    let options = ConvertOptions::default();
    let parts = opened.items(&options);
    for index in 0..parts.len() {
        opened
            .convert(index, &options, &mut NullSink::default())
            .ok();
    }
    Some(parts.len())
}

#[test]
fn damaged_songs_fail_with_a_place_and_alone() {
    let bytes = worked();
    assert_eq!(convert_all(&bytes), Some(2));
    for end in 0..bytes.len() {
        if let Err(fault) = xmidi::decode(&bytes[..end]) {
            assert!(fault.offset() <= end as u64, "{fault}");
        }
        convert_all(&bytes[..end]);
    }
    mutate(&music::songs().unwrap(), 1, |bytes| {
        convert_all(bytes);
        if let Ok(file) = xmidi::decode(bytes) {
            assert!(xmidi::encode(&file.value).unwrap() == bytes);
        }
    });
    // One sequence is cut, the other is whole.
    let mut songs = music::songs().unwrap();
    let place = songs.windows(4).position(|id| id == b"EVNT").unwrap();
    songs[place + 8] = 0xF4;
    let install = Install::new();
    std::fs::write(install.input().join("dell.xmi"), &songs).unwrap();
    let out = install.input().with_file_name("out");
    common::convert(&install.input(), &out, &["-q"])
        .assert()
        .code(2);
    assert!(!out.join("music/dell/dell-00.mid").exists());
    assert!(out.join("music/dell/dell-01.mid").exists());
    let document = common::json(&out.join("music/dell.json"));
    let fault = document["sequences"][0]["fault"].as_str().unwrap();
    assert!(fault.contains("status"), "{fault}");
}

/// Counts of the files of the beta client: names, sequences, notes, check.
const RETAIL: &str = include_str!("music_checks.txt");

fn check(bytes: &[u8]) -> (usize, usize, String) {
    let file = xmidi::decode(bytes).unwrap();
    assert!(file.deviations.is_empty(), "{:?}", file.deviations);
    assert!(xmidi::encode(&file.value).unwrap() == bytes);
    let (mut text, mut notes) = (String::new(), 0);
    let forms = file.value.sequences();
    let mut sequences = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        let decoded = events::decode(form.events().unwrap().1).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        let sequence = decoded.value;
        writeln!(text, "#{index} {}", sequence.end).unwrap();
        for event in &sequence.events {
            if let Message::Note {
                channel,
                key,
                velocity,
                duration,
            } = event.message
            {
                notes += 1;
                writeln!(text, "{} {duration} {channel} {key} {velocity}", event.tick).unwrap();
            }
        }
        // A file that is written again has the same contents.
        let (again, _) = events::encode(&sequence).unwrap();
        assert_eq!(events::decode(&again).unwrap().value.end, sequence.end);
        sequences.push(sequence);
    }
    let digest = Sha256::digest(text.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    (forms.len(), notes, hex[..12].to_owned())
}

/// Runs by hand: `RELICAST_EVERQUEST=/path/of/an/install cargo test --test everquest retail_songs`.
#[test]
fn retail_songs_play_what_the_sheet_counts() {
    let Some(install) = std::env::var_os("RELICAST_EVERQUEST").map(PathBuf::from) else {
        skip("RELICAST_EVERQUEST names no install");
    };
    let mut checked = 0;
    for row in RETAIL.lines() {
        let (names, facts) = row.split_once(':').unwrap();
        let facts: Vec<&str> = facts.split_whitespace().collect();
        for name in names.split(',').map(str::trim) {
            let Ok(bytes) = std::fs::read(install.join(format!("{name}.xmi"))) else {
                continue;
            };
            let (sequences, notes, check) = check(&bytes);
            let found = [sequences.to_string(), notes.to_string(), check];
            assert_eq!(found[..], facts[..], "{name}");
            checked += 1;
        }
    }
    assert!(checked > 0, "no songs in {}", install.display());
    println!("{checked} files");
}
