//! Archives of the Zipper games and their small formats.

use relicast::formats::codec::{Blob, Bytes, F32, PaddedText, QuatWxyz, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::archive::{Archive, Entry, FooterVersion, Row};
use relicast::formats::zipper::messages::write::{Flavor, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::{archive, interp, mechlib, motion, save, zmap};

use super::media::waves;
use super::readers::binary_readers;
use super::worlds;

/// Archives of both footers: readers, sounds, a save game, motions, model libraries.
pub fn archives() -> Vec<Vec<u8>> {
    let readers: Vec<(String, Vec<u8>)> = (0..)
        .map(|index: u32| format!("reader{index}.zrd"))
        .zip(binary_readers())
        .collect();
    let sounds: Vec<(String, Vec<u8>)> = vec![
        ("a.wav".into(), waves().swap_remove(0)),
        ("A.wav".into(), waves().swap_remove(1)),
    ];
    let saved = vec![
        (save::HEADER_NAME.to_owned(), saves().swap_remove(0)),
        ("anim_act_0".into(), saves().swap_remove(1)),
    ];
    let moving = vec![("walk".to_owned(), motions().swap_remove(0))];
    let mechlib = ["format", "version", "materials"].map(|name| (name.to_owned(), vec![1; 4]));
    let versions = [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon];
    let [mechs, moon_mechs] = versions.map(mech_members);
    let mut unit = pack(FooterVersion::Two, &moving);
    unit.unit_lengths = true;
    let archives = [
        pack(FooterVersion::One, &[]),
        pack(FooterVersion::One, &readers),
        pack(FooterVersion::Two, &readers[..2]),
        pack(FooterVersion::One, &sounds),
        pack(FooterVersion::One, &saved),
        pack(FooterVersion::One, &mechlib),
        unit,
        pack(FooterVersion::One, &mechs),
        pack(FooterVersion::Two, &moon_mechs),
    ];
    let encoded = archives
        .iter()
        .map(|archive| archive::encode(archive).expect("it fits"));
    encoded.collect()
}

/// An archive of `members`, in memory.
pub fn pack<'a>(version: FooterVersion, members: &'a [(String, Vec<u8>)]) -> Archive<'a> {
    let mut archive = Archive {
        version,
        ..Archive::default()
    };
    for (name, data) in members {
        let mut comment = [0; 64];
        comment[..7].copy_from_slice(b"c:\\src\\");
        archive.entries.push(Entry {
            row: Row {
                name: PaddedText::new(name).expect("the names are short"),
                flags: 2,
                comment: Bytes(comment),
                time_low: 0,
                time_high: 0x01BE_0000,
                ..Row::default()
            },
            data: Blob::borrowed(data),
            ..Entry::default()
        });
    }
    if version == FooterVersion::Two {
        archive.checksum = archive.computed_checksum();
    }
    archive
}

/// Script files, one of them empty.
pub fn scripts() -> Vec<Vec<u8>> {
    let script = |path: &str, lines: &[&[&str]]| interp::Script {
        row: interp::Row {
            path: PaddedText::new(path).expect("the paths are short"),
            time: 0x3700_0000,
            start: 0,
        },
        lines: lines
            .iter()
            .map(|tokens| interp::Line::from_tokens(tokens.iter().copied()))
            .collect(),
    };
    let files = [
        vec![],
        vec![
            script("data\\c1.gs", &[&["set", "A", "b"], &["run"]]),
            script("data\\empty.gw", &[]),
            script("data\\odd.gw", &[&["two words", "", "x"]]),
        ],
    ];
    let encode = |scripts| {
        let file = interp::Interp {
            scripts,
            ..interp::Interp::default()
        };
        interp::encode(&file).expect("it fits")
    };
    files.map(encode).into()
}

/// Libraries with a message table and with a string table.
pub fn libraries() -> Vec<Vec<u8>> {
    let message = |key: Option<&str>, id, value: Option<&str>| Message {
        key: key.map(str::to_owned),
        id,
        value: value.map(str::to_owned),
        raw: None,
    };
    let entries = vec![
        message(Some("MSG_DOOR"), 7, Some("T\u{fc}r \u{20ac}")),
        message(Some("MSG_LINES"), 40, Some("first\r\nsecond %1")),
        message(Some("MSG_SAME"), 7, Some("T\u{fc}r \u{20ac}")),
        message(Some("MSG_LOST"), 5, None),
        message(None, 9, Some("no key")),
    ];
    let file = |flavor, lead, language_id| {
        let image = MessageImage {
            flavor,
            lead,
            export_name: Some("ZLocGetID".to_owned()),
            language: Language {
                language_id,
                code_page: 1252,
                entries: entries.clone(),
            },
        };
        write(&image).expect("it fits")
    };
    vec![
        file(Flavor::MessageTable, Lead::Short, 1031),
        file(Flavor::StringTable, Lead::Long, 1033),
    ]
}

/// Motions of two parts, of none, and with an empty name.
pub fn motions() -> Vec<Vec<u8>> {
    let part = |name: &'static [u8], samples: usize| motion::Part {
        name: Blob::borrowed(name),
        flags: motion::PartFlags::ROTATION | motion::PartFlags::TRANSLATION,
        translations: vec![Vec3::default(); samples],
        rotations: vec![QuatWxyz::default(); samples],
    };
    let file = |frame_count: u32, names: &[&'static [u8]]| {
        let samples = frame_count as usize + 1;
        let file = motion::Motion {
            header: motion::Header {
                version: 4,
                loop_time: F32(1.5),
                frame_count,
                part_count: 0,
                unk16: F32(-1.0),
                unk20: F32(1.0),
            },
            parts: names.iter().map(|name| part(name, samples)).collect(),
            ..motion::Motion::default()
        };
        motion::encode(&file).expect("it fits")
    };
    vec![file(2, &[b"hip", b"l_foot"]), file(0, &[b""]), file(3, &[])]
}

/// Members of a save game: its header, and activations with and without node states.
pub fn saves() -> Vec<Vec<u8>> {
    let activation = |kind, states: usize| {
        let activation = save::Activation {
            head: save::ActivationHead {
                kind,
                name: PaddedText::new("hit_wall").expect("it is short"),
                node_index: 7,
                status: 3,
                ..save::ActivationHead::default()
            },
            node_states: vec![Bytes([9; 68]); states],
        };
        save::encode(&save::SaveMember::Activation(activation)).expect("it fits")
    };
    let header = save::SaveMember::Header(save::SaveHeader {
        version: 8,
        format: 2,
    });
    vec![
        save::encode(&header).expect("it fits"),
        activation(save::ActivationKind::Plain, 0),
        activation(save::ActivationKind::Stale, 2),
    ]
}

/// Maps without features and with two.
pub fn maps() -> Vec<Vec<u8>> {
    let feature = |vertices: usize, objective| zmap::Feature {
        color: zmap::Rgb {
            r: 255,
            g: 128,
            b: 0,
        },
        vertices: vec![[8.0, 0.0, -8.0].into(); vertices],
        objective,
    };
    let file = |features| {
        let map = zmap::Map {
            header: zmap::Header {
                version: 5,
                unused: 3,
                min: Vec3::default(),
                max: [8.0, 0.0, 8.0].into(),
            },
            features,
        };
        zmap::encode(&map).expect("it fits")
    };
    vec![file(vec![]), file(vec![feature(2, -1), feature(0, 3)])]
}

/// A whole model library: a 'mech and its simpler version.
pub fn mech_members(version: ZipperGame) -> Vec<(String, Vec<u8>)> {
    let materials: Vec<mechlib::MechMaterial> = [None, Some("grass.tif"), Some("water")]
        .into_iter()
        .map(|texture| mechlib::MechMaterial {
            record: worlds::material(texture.map(|_| 1), version),
            texture: texture.map(|name| mechlib::TextureText(name.into())),
        })
        .collect();
    let mech = worlds::mech(version);
    let mech = || mechlib::encode_model(&mech, version).expect("it fits");
    let member = |name: &str, bytes| (name.to_owned(), bytes);
    vec![
        member(
            "format",
            mechlib::encode_format(&mechlib::Format { format: 1 }).expect("it fits"),
        ),
        member(
            "version",
            mechlib::encode_version(version).expect("it fits"),
        ),
        member(
            "materials",
            mechlib::encode_materials(&materials, version).expect("it fits"),
        ),
        member("mech_strider.flt", mech()),
        member("strider_1", mech()),
    ]
}

/// Motions of the 'mechs of [`mech_members`].
pub fn moves() -> Vec<u8> {
    let motions = motions();
    let moves: Vec<(String, Vec<u8>)> = ["strider_walk", "strider_stand"]
        .into_iter()
        .map(str::to_owned)
        .zip(motions)
        .collect();
    archive::encode(&pack(FooterVersion::One, &moves)).expect("it fits")
}
