//! Archives of sounds with the list that describes them.

use relicast_testing::test;
use std::fs;
use std::num::NonZeroU16;

use relicast::asset::Game;
use relicast::emit::encode_wav;
use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::zrd::{Value, binary, text};
use relicast::scene::{Samples, Sound};
use serde_json::json;

use crate::common::{convert, json as read_json, sample_installs};

fn pack(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = members.iter().map(|(name, data)| Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: data.clone().into(),
        ..Entry::default()
    });
    let archive = Archive {
        entries: entries.collect(),
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

/// A sound of some bytes.
fn wave(level: u8) -> Vec<u8> {
    let sound = Sound::new(NonZeroU16::MIN, 11_025, Samples::U8(vec![level; 64].into()));
    encode_wav(&sound).unwrap().to_vec()
}

#[test]
fn sounds_of_one_name_all_come_out_and_mechwarriors_list_mentions_them() {
    let folder = tempfile::tempdir().unwrap();
    let zbd = folder.path().join("in/zbd");
    fs::create_dir_all(&zbd).unwrap();
    let members: Vec<(&str, Vec<u8>)> = (1..=4)
        .map(|level| ("wep_ac10_fire.wav", wave(level)))
        .chain([("order.wav", wave(9))])
        .collect();
    fs::write(zbd.join("soundsH.zbd"), pack(&members)).unwrap();
    let list = "(SETS (M1 ((wep_ac10_fire wep_ac10_fire.wav LOOPED 3D (30 700)) \
                (order order.wav VOLUME 0.5 SUBTITLE MSG_OBJECTIVE_RIDGE))))";
    let values = text::decode(list.as_bytes()).unwrap().value;
    let reader = binary::encode(&Value::List(values.values().unwrap())).unwrap();
    fs::write(zbd.join("reader.zbd"), pack(&[("sounds.zrd", reader)])).unwrap();
    let sample = sample_installs(&[Game::Pm]);
    let messages = sample.path().join("pm/Mech3Msg.dll");
    fs::copy(messages, folder.path().join("in/Mech3Msg.dll")).unwrap();
    let out = folder.path().join("out");
    convert(&folder.path().join("in"), &out, &["-q"])
        .assert()
        .success();
    let mut found: Vec<_> = fs::read_dir(out.join("sounds/zbd/soundsh"))
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(found.len(), 5);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 5, "each has its own samples");
    let table = read_json(&out.join("sounds/zbd/soundsh.json"));
    let rows = table["entries"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["rename"].clone()).collect();
    assert!(names[0].is_null() && names[1..4].iter().all(|name| name.is_string()));
    let fire = &rows[0]["sound"];
    assert_eq!(
        (&fire["isLooped"], &fire["range"]),
        (&json!(true), &json!([30.0, 700.0]))
    );
    let order = &rows[4]["sound"];
    assert_eq!(order["volume"], 0.5);
    assert_eq!(order["subtitle"], "MSG_OBJECTIVE_RIDGE");
    assert_eq!(order["subtitleText"], "Reach the ridge before dawn.");
}
