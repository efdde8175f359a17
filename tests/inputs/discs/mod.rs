//! Disc images: every cut of every track, every file, and messages for damaged ones.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use crate::common;
mod compressed;
mod memory;
mod music;
mod seams;
mod volumes;
#[cfg(target_os = "linux")]
use crate::watching;

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::source::disc::Disc;
use relicast::source::disc::sector::{RAW, USER};
use relicast::source::disc::write::{NewFile, iso9660, raw_sectors};
use relicast::source::location::Location;
use relicast::source::tree::Tree;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The samples of a FLAC as another decoder reads them, with its tags. That decoder lacks escaped
/// partitions, which the encoder takes for extreme noise; the encoder's own decoder stands in then.
fn flac(path: &Path) -> (Vec<u8>, Vec<(String, String)>) {
    let mut reader = claxon::FlacReader::open(path).unwrap();
    let info = reader.streaminfo();
    assert_eq!(
        (info.sample_rate, info.channels, info.bits_per_sample),
        (44_100, 2, 16)
    );
    let tags = reader
        .tags()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let samples: claxon::Result<Vec<i32>> = reader.samples().collect();
    let samples = samples.unwrap_or_else(|error| {
        assert!(matches!(error, claxon::Error::Unsupported(_)), "{error}");
        let mut samples = Vec::new();
        let mut reader = flac_codec::decode::FlacSampleReader::open(path).unwrap();
        reader.read_to_end(&mut samples).unwrap();
        samples
    });
    let verified = flac_codec::decode::verify(path).unwrap();
    assert_eq!(verified, flac_codec::decode::Verified::MD5Match);
    let words = samples
        .into_iter()
        .map(|sample| i16::try_from(sample).unwrap());
    (words.flat_map(i16::to_le_bytes).collect(), tags)
}

/// Every file on the discs of an input, with its bytes.
fn files_on(input: &Path) -> Vec<(String, std::io::Result<Vec<u8>>)> {
    let tree = Tree::list(&[input.to_owned()], None).unwrap();
    let files = tree.files.iter();
    files
        .filter(|file| matches!(file.location, Location::DiscFile(..)))
        .map(|file| {
            let bytes = file.location.open().map(|bytes| bytes.to_vec());
            (file.path.clone(), bytes)
        })
        .collect()
}

fn convert(input: &Path, out: &Path, config: &str) -> Option<i32> {
    let settings = out.with_extension("toml");
    fs::write(&settings, config).unwrap();
    let settings = settings.to_str().unwrap();
    let output = common::convert(input, out, &["--quiet", "--config", settings]).output();
    output.unwrap().status.code()
}

fn expectations(root: &Path) -> Value {
    common::json(&root.join("truth.json"))
}

fn input_of(root: &Path, name: &str, variant: &Value) -> PathBuf {
    let file = variant.get("cue").or_else(|| variant.get("image")).unwrap();
    root.join(name).join(file.as_str().unwrap())
}

/// The document of the only disc in an output folder, and the folder of its tracks.
fn disc_of(out: &Path) -> (Value, PathBuf) {
    let music = out.join("music");
    let documents: Vec<String> = common::files(&music)
        .into_iter()
        .filter(|path| path.ends_with(".json"))
        .collect();
    assert_eq!(documents.len(), 1, "{documents:?}");
    let stem = documents[0].strip_suffix(".json").unwrap();
    (common::json(&music.join(&documents[0])), music.join(stem))
}

const CUTS: [(&str, &str, &str); 3] = [
    ("drop", "pcm", "track"),
    ("append", "pcm_with_next_pregap", "with_next_pregap"),
    ("prepend", "pcm_with_own_pregap", "with_own_pregap"),
];

#[test]
fn every_good_image_is_what_is_expected() {
    let root = common::fixtures("discs");
    let scratch = tempfile::tempdir().unwrap();
    let expected_facts = expectations(&root);
    let mut compared = 0;
    for (name, variant) in expected_facts["variants"].as_object().unwrap() {
        if !variant["expect"].as_str().unwrap().starts_with("ok") {
            continue;
        }
        let input = input_of(&root, name, variant);
        let found = files_on(&input);
        let expected = variant["files"].as_array().unwrap();
        assert_eq!(found.len(), expected.len(), "{name}: number of files");
        for file in expected {
            let path = file["path"].as_str().unwrap();
            let (_, bytes) = found.iter().find(|(own, _)| own == path).expect(path);
            let bytes = bytes.as_ref().unwrap();
            assert_eq!(sha256(bytes), file["sha256"], "{name}: {path}");
        }
        for (pregap, cut, document_cut) in CUTS {
            let out = scratch.path().join(format!("{name}-{pregap}"));
            let config = format!("[video]\nenabled = false\n[music]\npregap = \"{pregap}\"\n");
            assert_eq!(convert(&input, &out, &config), Some(0), "{name}");
            let (document, folder) = disc_of(&out);
            compare_places(name, variant, &document);
            for track in variant["tracks"].as_array().unwrap() {
                let Some(pcm) = track.get(cut) else {
                    continue;
                };
                let number = track["number"].as_u64().unwrap();
                let (bytes, tags) = flac(&folder.join(format!("track{number:02}.flac")));
                assert_eq!(
                    bytes.len() as u64 / 4,
                    pcm["samples"],
                    "{name} {number} {cut}"
                );
                assert_eq!(sha256(&bytes), pcm["sha256"], "{name} {number} {cut}");
                let tag = |wanted: &str| {
                    let found = tags.iter().find(|(name, _)| name == wanted);
                    found.map(|(_, value)| &**value).unwrap_or_default()
                };
                assert_eq!(tag("CRC32"), pcm["crc32"], "{name} {number} {cut}");
                assert_eq!(tag("MD5"), pcm["md5"], "{name} {number} {cut}");
                assert_eq!(tag("TRACKNUMBER"), number.to_string());
                assert!(tag("CUESHEET").contains("TRACK"));
                for id in ["DISCID", "MUSICBRAINZ_DISCID", "CTDB_TOCID"] {
                    assert!(!tag(id).is_empty(), "{id}");
                }
                let tracks = document["tracks"].as_array().unwrap();
                let own = tracks.iter().find(|own| own["number"] == number).unwrap();
                assert_eq!(own["pcm"][document_cut]["crc32"], pcm["crc32"]);
                assert_eq!(own["pcm"][document_cut]["md5"], pcm["md5"]);
                compared += 1;
            }
        }
    }
    assert!(compared >= 15, "{compared}");
}

fn compare_places(name: &str, variant: &Value, document: &Value) {
    for (own, track) in document["tracks"]
        .as_array()
        .unwrap()
        .iter()
        .zip(variant["tracks"].as_array().unwrap())
    {
        assert_eq!(own["number"], track["number"], "{name}");
        assert_eq!(own["mode"], track["type"], "{name}");
        assert_eq!(own["start"], track["start_sector"], "{name}");
        assert_eq!(own["sectors"], track["sectors"], "{name}");
        let pregap = track.get("pregap_sectors").and_then(Value::as_u64);
        assert_eq!(own["pregap"], pregap.unwrap_or(0), "{name}");
        if let Some(check) = own.get("check") {
            assert_eq!(check["bad"], 0, "{name}");
        }
    }
    if let Some(toc) = variant.get("toc") {
        assert_eq!(document["lead_out"], toc["lead_out_lba"], "{name}");
    }
}

#[test]
fn damaged_images_give_what_is_left_and_say_what_is_not() {
    let root = common::fixtures("discs");
    let scratch = tempfile::tempdir().unwrap();
    let expected_facts = expectations(&root);
    for name in ["truncated", "missing", "hostile", "escape"] {
        let variant = &expected_facts["variants"][name];
        let input = input_of(&root, name, variant);
        let found = files_on(&input);
        for file in variant["files"].as_array().unwrap() {
            let hash = file["sha256"].as_str().unwrap();
            let whole = found
                .iter()
                .any(|(_, bytes)| bytes.as_ref().is_ok_and(|bytes| sha256(bytes) == hash));
            assert!(whole, "{name}: {}", file["path"]);
        }
        for (path, _) in &found {
            let parts = path.split('/');
            for part in parts {
                assert!(
                    !["", ".", ".."].contains(&part) && !part.contains('\\'),
                    "{path}"
                );
            }
        }
        let out = scratch.path().join(name);
        let code = convert(&input, &out, "");
        assert_eq!(code, Some(if name == "escape" { 0 } else { 2 }), "{name}");
    }
    for path in common::files(scratch.path()) {
        let (first, _) = path.split_once('/').unwrap_or((&path, ""));
        let own = ["truncated", "missing", "hostile", "escape"];
        let inside = own
            .iter()
            .any(|name| first == *name || path == format!("{name}.toml"));
        assert!(inside, "{path}");
    }

    let (_, folder) = disc_of(&scratch.path().join("truncated"));
    let survives = &expected_facts["variants"]["truncated"]["tracks"][1]["survives"];
    let (bytes, _) = flac(&folder.join("track02.flac"));
    assert_eq!(sha256(&bytes), survives["sha256"]);
    assert!(!folder.join("track03.flac").exists());
    let said = |name: &str, wanted: &[&str]| {
        let report = fs::read_to_string(scratch.path().join(name).join("report.json")).unwrap();
        for text in wanted {
            assert!(report.contains(text), "{name}: {text}");
        }
    };
    said("truncated", &["found 12169 (the image ends)", "TRACK 03"]);
    said("missing", &["LOST.BIN", "no such file"]);
    said(
        "hostile",
        &[
            "zbd/again",
            "zbd/self",
            "a loop",
            "faraway.zbd",
            "toolong.zbd",
        ],
    );
    said("escape", &["../../slashes.txt", "bad\\\\u{1}name?.txt"]);
}

/// A small install, in the shape of one, that converts without fixtures.
fn install() -> Vec<(String, Vec<u8>)> {
    use relicast::formats::codec::Blob;
    use relicast::formats::riff::{self, Format, Wave};
    let sound = |frames: usize| {
        let data: Vec<u8> = (0..frames * 2)
            .map(|index| (index * 7 % 251) as u8)
            .collect();
        let wave = Wave::new(&Format::pcm(1, 22_050, 16), vec![], Blob::from(data));
        riff::encode(&wave.unwrap()).unwrap()
    };
    let readers = b"(MISSION (NAME \"one\" 1))".to_vec();
    vec![
        ("zbd/tip.wav".to_owned(), sound(20_000)),
        ("zbd/c1/deep/er/short.wav".to_owned(), sound(3)),
        ("DefaultCtlConfig.zrd".to_owned(), readers),
        ("Readme first.txt".to_owned(), b"invented".to_vec()),
        ("empty.txt".to_owned(), Vec::new()),
    ]
}

fn image_of(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let files: Vec<NewFile<'_>> = files
        .iter()
        .map(|(path, bytes)| NewFile { path, bytes })
        .collect();
    iso9660("OWN_DISC", &files)
}

fn write_tree(folder: &Path, files: &[(String, Vec<u8>)]) {
    for (path, bytes) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn assets(out: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = common::files(out).into_iter();
    paths
        .filter(|path| !path.starts_with("music/") && path.contains('/'))
        .map(|path| {
            let bytes = fs::read(out.join(&path)).unwrap();
            (path, bytes)
        })
        .collect()
}

#[test]
fn an_image_and_a_folder_of_its_files_become_the_same() {
    let scratch = tempfile::tempdir().unwrap();
    let place = |name: &str| scratch.path().join(name);
    let files = install();
    write_tree(&place("folder"), &files);
    let image = image_of(&files);
    fs::create_dir(place("discs")).unwrap();
    fs::write(place("discs/plain.iso"), &image).unwrap();
    fs::write(place("discs/raw.bin"), raw_sectors(&image, 1, 0)).unwrap();
    fs::write(place("discs/xa.bin"), raw_sectors(&image, 2, 0)).unwrap();
    fs::write(
        place("discs/cooked.cue"),
        "FILE plain.iso BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\n",
    )
    .unwrap();
    assert_eq!(convert(&place("folder"), &place("expected"), ""), Some(0));
    let expected = assets(&place("expected"));
    assert!(expected.len() >= 3, "{}", expected.len());
    for name in ["plain.iso", "raw.bin", "xa.bin", "cooked.cue"] {
        let out = place("out").with_file_name(format!("out-{name}"));
        assert_eq!(
            convert(&place("discs").join(name), &out, ""),
            Some(0),
            "{name}"
        );
        assert!(assets(&out) == expected, "{name}");
    }
    // A folder of discs: each in a folder of its name; the image that the sheet names is not one of its
    // own.
    assert_eq!(convert(&place("discs"), &place("all"), ""), Some(0));
    let all: Vec<String> = assets(&place("all"))
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    for disc in ["cooked", "raw", "xa"] {
        assert!(
            all.contains(&format!("sounds/{disc}/zbd/tip.wav")),
            "{all:?}"
        );
    }
    assert_eq!(all.len(), 3 * expected.len(), "{all:?}");
    // Nothing has changed: nothing is to be done.
    let again = common::convert(&place("discs"), &place("all"), &[])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("nothing to do"));
    // Switched off, images are files like any other.
    let off = "[discs]\nenabled = false\n";
    assert_eq!(
        convert(&place("discs/plain.iso"), &place("off"), off),
        Some(1)
    );
}

#[test]
fn bad_sectors_are_reported_by_number_and_by_file() {
    let scratch = tempfile::tempdir().unwrap();
    let image = image_of(&install());
    let mut raw = raw_sectors(&image, 1, 0);
    let input = scratch.path().join("disc.bin");
    fs::write(&input, &raw).unwrap();
    let tree = Tree::list(std::slice::from_ref(&input), None).unwrap();
    let disc = tree
        .files
        .iter()
        .find_map(|file| file.location.disc())
        .unwrap();
    let entry = |disc: &Disc| {
        let (_, _, entry) = disc
            .entries()
            .find(|(_, path, _)| path == "zbd/tip.wav")
            .unwrap();
        entry.extents[0].sector
    };
    let bad = usize::try_from(entry(disc)).unwrap() + 2;
    raw[bad * RAW + 700] ^= 0x10;
    fs::write(&input, &raw).unwrap();

    let out = scratch.path().join("out");
    assert_eq!(convert(&input, &out, ""), Some(0));
    let report = common::json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let first = |path: &str| {
        let source = sources
            .iter()
            .find(|source| source["path"] == path)
            .unwrap();
        source["deviations"]["first"][0]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let lba = format!("LBA {bad}: EDC ");
    assert!(first("disc.bin").contains(&lba), "{}", first("disc.bin"));
    let of_file = first("zbd/tip.wav");
    assert!(of_file.contains(&lba), "{of_file}");
    assert!(
        of_file.contains(&format!("at byte {}", 2 * USER)),
        "{of_file}"
    );
    let others = sources
        .iter()
        .filter(|source| source.get("deviations").is_some());
    assert_eq!(others.count(), 2);
    let strict = common::convert(&input, &scratch.path().join("strict"), &["--strict"]).output();
    assert_eq!(strict.unwrap().status.code(), Some(2));
    let proof = common::relicast()
        .arg("prove")
        .arg(&input)
        .output()
        .unwrap();
    let text = String::from_utf8(proof.stdout).unwrap();
    assert!(text.contains("DIFFERS    disc.bin") && text.contains(&format!("LBA {bad} to {bad}")));
    assert_eq!(proof.status.code(), Some(2));
}

/// Samples of a track that differ from those of every other one.
fn music(seed: u8, sectors: usize) -> Vec<u8> {
    (0..sectors * RAW)
        .map(|index| (index % 239) as u8 ^ seed)
        .collect()
}

fn wave_file(samples: &[u8]) -> Vec<u8> {
    let mut file =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xAC\0\0\x10\xB1\x02\0\x04\0\x10\0"
            .to_vec();
    file.extend(b"LIST\x03\0\0\0abc\0data");
    file.extend((samples.len() as u32).to_le_bytes());
    file.extend(samples);
    let size = file.len() as u32 - 8;
    file[4..8].copy_from_slice(&size.to_le_bytes());
    file
}

/// Converts a sheet with its files and gives the tracks' samples, `None` where there is no file, and the
/// document.
fn tracks_of(
    sheet: &str,
    files: &[(&str, Vec<u8>)],
    pregap: &str,
    code: i32,
) -> (Vec<Option<Vec<u8>>>, Value) {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("disc");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("own.cue"), sheet).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let out = scratch.path().join("out");
    let config = format!("[music]\npregap = \"{pregap}\"\n");
    assert_eq!(convert(&folder.join("own.cue"), &out, &config), Some(code));
    let (document, tracks) = disc_of(&out);
    let count = document["tracks"].as_array().unwrap().len();
    let samples = (1..=count).map(|number| {
        let path = tracks.join(format!("track{number:02}.flac"));
        path.exists().then(|| flac(&path).0)
    });
    (samples.collect(), document)
}

#[test]
fn a_gap_may_be_in_the_file_of_the_track_before() {
    let sheet = "FILE \"1.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 00 00:00:06\n\
                 FILE \"2.WAV\" WAVE\nINDEX 01 00:00:00\n";
    let (one, two) = (music(1, 8), music(2, 5));
    let files = [("1.wav", wave_file(&one)), ("2.wav", wave_file(&two))];
    let (gap, body) = (one[6 * RAW..].to_vec(), one[..6 * RAW].to_vec());
    let (tracks, document) = tracks_of(sheet, &files, "drop", 0);
    assert!(tracks == [Some(body.clone()), Some(two.clone())]);
    assert_eq!(document["tracks"][1]["start"], 8);
    assert_eq!(document["tracks"][1]["pregap"], 2);
    assert_eq!(document["lead_out"], 13);
    assert!(tracks_of(sheet, &files, "append", 0).0[0] == Some(one));
    let own = [gap, two].concat();
    assert!(tracks_of(sheet, &files, "prepend", 0).0 == [Some(body), Some(own)]);
}

#[test]
fn a_lost_track_costs_itself_alone() {
    let sheet = "FILE 1.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE 2.bin BINARY\nTRACK 02 AUDIO\n\
                 INDEX 00 00:00:00\nINDEX 01 00:00:02\nFILE 3.bin MOTOROLA\nTRACK 03 AUDIO\nINDEX 01 00:00:00\n";
    let swapped: Vec<u8> = music(3, 4)
        .chunks(2)
        .flat_map(|pair| [pair[1], pair[0]])
        .collect();
    let files = [("1.bin", music(1, 4)), ("3.BIN", swapped)];
    let (tracks, document) = tracks_of(sheet, &files, "drop", 2);
    assert!(tracks == [Some(music(1, 4)), None, Some(music(3, 4))]);
    assert_eq!(document["tracks"][1]["start"], 6);
    assert_eq!(document["tracks"][2].get("start"), None);
    assert_eq!(document.get("lead_out"), None);
    assert_eq!(document.get("ids"), None);
}

#[test]
fn announced_silence_is_counted_but_in_no_file() {
    let sheet = "REM x\nFILE 1.bin BINARY\nTRACK 01 AUDIO\nPREGAP 00:02:00\nINDEX 01 00:00:00\nPOSTGAP 00:00:10\n\
                 TRACK 02 AUDIO\nPREGAP 00:01:00\nINDEX 00 00:00:03\nINDEX 01 00:00:05\nNONSENSE 1\n";
    let whole = music(1, 9);
    let (tracks, document) = tracks_of(sheet, &[("1.bin", whole.clone())], "drop", 0);
    assert!(tracks[1].as_deref() == Some(&whole[5 * RAW..]));
    assert_eq!(document["tracks"][0]["start"], 0);
    assert_eq!(document["tracks"][1]["start"], 5 + 10 + 75);
    assert_eq!(document["tracks"][1]["pregap"], 2 + 75);
    assert_eq!(document["lead_out"], 9 + 10 + 75);
    assert_eq!(document["sheet"]["others"][0]["text"], "NONSENSE 1");
}

#[test]
fn music_is_the_same_for_any_number_of_threads_and_in_both_formats() {
    let scratch = tempfile::tempdir().unwrap();
    let place = |name: &str| scratch.path().join(name);
    let samples = music(9, 1000);
    fs::write(place("a.bin"), &samples).unwrap();
    fs::write(
        place("a.cue"),
        "FILE a.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n",
    )
    .unwrap();
    for jobs in ["1", "3"] {
        let config = format!("[run]\njobs = {jobs}\n[music]\nformat = \"both\"\n");
        assert_eq!(convert(&place("a.cue"), &place(jobs), &config), Some(0));
    }
    let read = |jobs: &str, name: &str| fs::read(place(jobs).join("music/a").join(name)).unwrap();
    for name in ["track01.flac", "track01.wav"] {
        assert!(read("1", name) == read("3", name));
    }
    assert!(read("1", "track01.wav")[44..] == samples);
}

#[test]
fn a_sheet_reads_no_file_from_elsewhere() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("disc");
    fs::create_dir(&folder).unwrap();
    fs::write(scratch.path().join("secret.bin"), music(1, 2)).unwrap();
    for name in [
        "../secret.bin",
        "..\\secret.bin",
        "/etc/passwd",
        "C:\\secret.bin",
    ] {
        let sheet = format!("FILE \"{name}\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n");
        fs::write(folder.join("a.cue"), sheet).unwrap();
        let out = scratch.path().join("out");
        assert_eq!(convert(&folder.join("a.cue"), &out, ""), Some(2), "{name}");
        assert!(!out.join("music/a/track01.flac").exists(), "{name}");
    }
}

#[test]
fn cut_and_broken_images_end_in_lines() {
    let scratch = tempfile::tempdir().unwrap();
    let image = image_of(&install());
    let out = scratch.path().join("out");
    let mut state = 5_u32;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for round in 0..12 {
        let mut broken = image.clone();
        broken.truncate(image.len() - random(image.len()) * (round % 2));
        for _ in 0..30 {
            let place = 16 * USER + random(20 * USER);
            if let Some(byte) = broken.get_mut(place) {
                *byte = random(256) as u8;
            }
        }
        let input = scratch.path().join("broken.iso");
        fs::write(&input, &broken).unwrap();
        let code = convert(&input, &out, "");
        assert!(matches!(code, Some(0..=2)), "round {round}: {code:?}");
    }
}
