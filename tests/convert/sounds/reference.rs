//! The fixtures, compared with the description by their maker.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use crate::common::{fixtures, json};
use crate::sounds::support::{assert_flac_is_lossless, tag};
use relicast::convert;
use relicast::emit::encode_wav;
use relicast::formats::riff::{self, FormatTag};
use relicast::formats::zipper::archive;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks one WAV file against the facts of the generator.
fn check(bytes: &[u8], facts: &Value) {
    let decoded = riff::decode(bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    let wave = decoded.value;
    assert_eq!(riff::encode(&wave).unwrap(), bytes);
    let format = wave.format().unwrap();
    let number = |key: &str| facts[key].as_u64();
    let coding = match format.coding() {
        FormatTag::Pcm => "pcm",
        FormatTag::MsAdpcm => "ms_adpcm",
        FormatTag::ImaAdpcm => "ima_adpcm",
        other => panic!("{other:?}"),
    };
    assert_eq!(facts["format"], coding);
    assert_eq!(number("bits"), Some(format.header.bits.into()));
    let converted = convert::sound(&wave, bytes).unwrap();
    assert!(
        converted.deviations.is_empty(),
        "{:?}",
        converted.deviations
    );
    let sound = converted.value;
    assert_eq!(number("channels"), Some(sound.channels.get().into()));
    assert_eq!(number("rate"), Some(sound.rate.into()));
    assert_eq!(number("frames"), Some(sound.frames() as u64));
    assert_eq!(number("cue_points"), Some(sound.cue_points.len() as u64));
    let written = encode_wav(&sound).unwrap();
    if coding == "pcm" {
        assert_eq!(
            facts["data_sha256"],
            sha256(&wave.data().unwrap().payload).as_str()
        );
        assert!(*written == *bytes, "plain files stay as they are");
    } else {
        let rounding = match coding {
            "ms_adpcm" => "pcm_s16le_sha256_truncate",
            _ => "pcm_s16le_sha256_shift",
        };
        assert_eq!(
            number("block_align"),
            Some(format.header.block_align.into())
        );
        assert_eq!(
            number("samples_per_block"),
            Some(format.samples_per_block().into())
        );
        assert_eq!(facts[rounding], sha256(sound.samples.bytes()).as_str());
        let clean = riff::decode(&written).unwrap();
        assert!(clean.deviations.is_empty());
        let again = convert::sound(&clean.value, &written).unwrap().value;
        assert_eq!(again.samples, sound.samples);
        assert_eq!(again.cue_points, sound.cue_points);
        assert_eq!(again.rate, sound.rate);
    }
    let flac = assert_flac_is_lossless(&sound);
    for (index, point) in sound.cue_points.iter().enumerate() {
        let name = format!("CUEPOINT_{:03}", index + 1);
        assert_eq!(tag(&flac, &name), Some(point.sample.to_string()));
    }
}

#[test]
fn sound_archives_of_all_games_match_the_reference() {
    let root = fixtures("zipper");
    let mut seen = BTreeMap::new();
    for game in ["rc", "mw", "pm", "cs"] {
        for file in walkdir::WalkDir::new(root.join(game)) {
            let file = file.unwrap();
            let name = file.file_name().to_string_lossy().to_lowercase();
            if !name.starts_with("sounds") || !name.ends_with(".zbd") {
                continue;
            }
            let expect = root
                .join("expect")
                .join(file.path().strip_prefix(&root).unwrap());
            let bytes = fs::read(file.path()).unwrap();
            let archive = archive::decode(&bytes).unwrap().value;
            let facts = json(&expect.join("wave_facts.json"));
            let manifest = json(&expect.join("manifest.json"));
            let manifest = manifest.as_array().unwrap();
            assert_eq!(manifest.len(), archive.entries.len());
            for (entry, listed) in archive.entries.iter().zip(manifest) {
                let name = listed.get("rename").filter(|rename| !rename.is_null());
                let name = name.unwrap_or(&listed["name"]).as_str().unwrap();
                assert!(*entry.data == *fs::read(expect.join(name)).unwrap());
                check(&entry.data, &facts[name]);
                *seen.entry(game).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn loose_file_matches_the_reference() {
    let root = fixtures("zipper");
    let name = "bb_patch_notice.wav";
    let bytes = fs::read(root.join("mw/zbd").join(name)).unwrap();
    let facts = json(
        &root
            .join("expect/mw/zbd")
            .join(name)
            .join("wave_facts.json"),
    );
    check(&bytes, &facts[name]);
}
