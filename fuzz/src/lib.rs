//! Properties that must hold for any bytes, one function a parser. The fuzz targets pass arbitrary bytes.
//!
//! No function may panic on a legal outcome, including a refusal. If bytes decode, encoding returns
//! the same bytes, and the output is in proportion to the input. The fuzzer's own limits check
//! memory.

#![allow(
    dead_code,
    missing_docs,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a check that fails is a panic; the project's own tests run these too, but not all of them"
)]

pub mod cabinets;
mod conversion;
pub mod discs;
pub mod edits;
mod everquest;
mod missions;
pub mod packing;
pub mod seeds;
mod sounds;
mod videos;

pub use conversion::{actors, convert, dds, dls, eff, emt, everquest, tables, xmidi};
pub use everquest::{eqg, eqg_choice, pfs, pfs_damage, picture, wld};
pub use missions::missions;
pub use sounds::wave;
pub use videos::avi;

use std::borrow::Cow;

use relicast::config::{Config, Textures};
use relicast::convert::zipper::texture;
use relicast::emit::png;
use relicast::formats::codec::{Decoded, Deviations, Result};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::livery::Rule;
use relicast::formats::zipper::save::SavedBy;
use relicast::formats::zipper::texture::package;
use relicast::formats::zipper::zrd::{Value, binary, controls::Controls, text};
use relicast::formats::zipper::{
    anim, archive, gamez, interp, livery, mechlib, messages, motion, rof, save, zmap,
};

/// Checks that decoded values encode to the same bytes, that faults are within the bytes, and that the number of
/// described deviations is limited.
fn round_trip<T>(
    bytes: &[u8],
    decoded: Result<Decoded<T>>,
    encode: impl FnOnce(&T) -> Result<Vec<u8>>,
) -> Option<T> {
    match decoded {
        Ok(Decoded { value, deviations }) => {
            check_deviations(bytes, &deviations);
            let encoded = encode(&value).expect("what was decoded can be encoded");
            assert!(encoded == bytes, "encoding gives other bytes");
            Some(value)
        }
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            assert!(!error.field().is_empty() && !error.expected().is_empty());
            None
        }
    }
}

fn check_deviations(bytes: &[u8], deviations: &Deviations) {
    assert!(deviations.described().len() <= Deviations::MAX_DESCRIBED);
    for deviation in deviations.described() {
        assert!(deviation.offset <= bytes.len() as u64, "{deviation}");
        assert!(!deviation.field.is_empty());
    }
}

/// Archives: members never hold more bytes than the file.
pub fn archive(bytes: &[u8]) {
    let decoded = archive::decode(bytes);
    assert_eq!(decoded.is_ok(), archive::footer_version(bytes).is_some());
    assert!(decoded.is_ok() || !archive::sniff(bytes));
    let Some(archive) = round_trip(bytes, decoded, archive::encode) else {
        return;
    };
    let held: usize = archive.entries.iter().map(|entry| entry.data.len()).sum();
    assert!(held <= bytes.len());
    for entry in &archive.entries {
        assert!(entry.fault.is_none() || entry.data.is_empty());
        assert!(entry.name().chars().count() <= 64);
        let _ = entry.row.provenance();
    }
    let _ = archive.computed_checksum();
}

/// Prepared scripts.
pub fn interp(bytes: &[u8]) {
    if let Some(interp) = round_trip(bytes, interp::decode(bytes), interp::encode) {
        let lines = interp.scripts.iter().flat_map(|script| &script.lines);
        let tokens: usize = lines.map(|line| line.tokens().count()).sum();
        assert!(tokens <= bytes.len());
    }
}

/// Number of values, including the value itself.
fn count(value: &Value<'_>) -> usize {
    let inner = value.as_list().unwrap_or_default();
    1 + inner.iter().map(count).sum::<usize>()
}

/// Binary readers, and the typed view of control configurations.
pub fn reader_binary(bytes: &[u8]) {
    let Some(value) = round_trip(bytes, binary::decode(bytes), binary::encode) else {
        return;
    };
    assert!(count(&value) <= bytes.len() / 8);
    let _ = Controls::new(&value);
    if let Ok(written) = text::write(std::slice::from_ref(&value)) {
        let document = text::decode(&written)
            .expect("written text can be parsed")
            .value;
        assert_eq!(document.values().expect("it has values"), [value]);
    }
}

/// Text readers: the tokens are the file, and the values survive both notations.
pub fn reader_text(bytes: &[u8]) {
    let encode = |document: &text::TextDocument<'_>| Ok(text::encode(document));
    let Some(document) = round_trip(bytes, text::decode(bytes), encode) else {
        return;
    };
    let values = document.values().expect("what was decoded has values");
    assert!(values.iter().map(count).sum::<usize>() <= bytes.len());
    let written = text::write(&values).expect("parsed values can be written");
    let again = text::decode(&written).expect("written text can be parsed");
    assert_eq!(again.value.values().expect("it has values"), values);
    for value in &values {
        let _ = Controls::new(value);
        let binary = binary::encode(value).expect("a text reader has a binary form");
        assert_eq!(
            binary::decode(&binary).expect("it reads back").value,
            *value
        );
    }
}

/// Motions: samples are not multiplied.
pub fn motion(bytes: &[u8]) {
    if let Some(motion) = round_trip(bytes, motion::decode(bytes), motion::encode) {
        let parts = motion.parts.iter();
        let samples: usize = parts.map(|part| part.rotations.len()).sum();
        assert!(samples.saturating_mul(28) <= bytes.len());
    }
}

/// Message DLLs, which have no encoder: texts are in proportion to the file.
pub fn messages(bytes: &[u8]) {
    let Ok(Decoded { value, deviations }) = messages::decode(bytes) else {
        return;
    };
    check_deviations(bytes, &deviations);
    let entries = value
        .languages
        .iter()
        .flat_map(|language| &language.entries);
    let texts: usize = entries
        .map(|entry| {
            entry.key.as_ref().map_or(0, String::len) + entry.value.as_ref().map_or(0, String::len)
        })
        .sum();
    // Each text at most eight times a language, three bytes a character.
    assert!(texts <= 64 * bytes.len(), "{texts} bytes of text");
    let resources: usize = value
        .resources
        .iter()
        .map(|resource| resource.data.len())
        .sum();
    assert!(resources <= bytes.len(), "{resources} bytes of resources");
}

/// Texture packages: the file as a whole, each image by itself, its picture and PNG.
pub fn texture(bytes: &[u8]) {
    let whole = round_trip(bytes, package::decode(bytes), package::encode).is_some();
    let Ok(Decoded {
        value: directory,
        deviations,
    }) = package::decode_directory(bytes)
    else {
        assert!(!whole);
        return;
    };
    check_deviations(bytes, &deviations);
    for index in 0..directory.rows.len().min(32) {
        let image = match package::decode_image(bytes, &directory, index) {
            Ok(Decoded { value, deviations }) => {
                check_deviations(bytes, &deviations);
                value
            }
            Err(error) => {
                assert!(!whole, "{error}");
                continue;
            }
        };
        assert!(image.texel_count() <= bytes.len());
        for options in texture_options() {
            let mut deviations = Deviations::default();
            let picture = texture::picture(&image, &directory, index, &options, &mut deviations);
            check_deviations(bytes, &deviations);
            match picture {
                Ok(picture) => {
                    png::encode(&picture, options.effort).expect("a picture is a PNG");
                }
                Err(error) => assert!(error.offset() <= bytes.len() as u64, "{error}"),
            }
        }
    }
}

fn texture_options() -> [Textures; 2] {
    use relicast::config::{AlphaPlane, Palette};
    let apart = Textures {
        palette: Palette::Expand,
        alpha_plane: AlphaPlane::Separate,
        dilate: false,
        ..Textures::default()
    };
    [Textures::default(), apart]
}

/// Worlds and airframe libraries.
pub fn gamez(bytes: &[u8]) {
    let decoded = gamez::decode(bytes);
    if decoded.is_ok() {
        assert!(gamez::sniff(bytes).is_some());
    }
    round_trip(bytes, decoded, gamez::encode);
}

/// Animation containers.
pub fn anim(bytes: &[u8]) {
    let decoded = anim::decode(bytes);
    if decoded.is_ok() {
        assert!(anim::sniff(bytes).is_some());
    }
    round_trip(bytes, decoded, anim::encode);
}

/// Members of model libraries: the first byte selects the member and the game.
pub fn mechlib(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let version = match choice & 1 {
        0 => ZipperGame::MechWarrior3,
        _ => ZipperGame::PiratesMoon,
    };
    match choice >> 1 & 3 {
        0 => {
            round_trip(bytes, mechlib::decode_format(bytes), mechlib::encode_format);
        }
        1 => {
            round_trip(bytes, mechlib::decode_version(bytes), |&version| {
                mechlib::encode_version(version)
            });
        }
        2 => {
            round_trip(bytes, mechlib::decode_materials(bytes, version), |it| {
                mechlib::encode_materials(it, version)
            });
        }
        _ => {
            round_trip(bytes, mechlib::decode_model(bytes, version), |it| {
                mechlib::encode_model(it, version)
            });
        }
    }
}

/// Mission maps.
pub fn zmap(bytes: &[u8]) {
    if let Some(map) = round_trip(bytes, zmap::decode(bytes), zmap::encode) {
        let features = map.features.iter();
        let vertices: usize = features.map(|feature| feature.vertices.len()).sum();
        assert!(vertices.saturating_mul(12) <= bytes.len());
    }
}

/// Members of save games: with the header's name, and with another, which never fails.
pub fn save(bytes: &[u8]) {
    let encode = |member: &save::SaveMember<'_>| save::encode(member);
    round_trip(bytes, save::decode(save::HEADER_NAME, bytes), encode);
    assert!(round_trip(bytes, save::decode("other", bytes), encode).is_some());
    for (game, owners) in [
        (SavedBy::Recoil, &RECOIL_OWNERS[..]),
        (
            SavedBy::CrimsonSkies,
            &["UIData/x", "VehicleList/x", "TurretList/x", "x"],
        ),
    ] {
        for name in owners {
            let decoded = save::decode_of(game, name, bytes);
            assert!(round_trip(bytes, decoded, encode).is_some());
        }
    }
    round_trip(
        bytes,
        save::crimson::decode_plane(bytes),
        save::crimson::encode_plane,
    );
}

/// Sections of Recoil's saves.
const RECOIL_OWNERS: [&str; 12] = [
    "Mission/x",
    "AnimActivation/x",
    "RunningAnim/x",
    "VehicleList/x",
    "Player/x",
    "Pickup/x",
    "GWWorld/x",
    "zDEClient/x",
    "Mines/x",
    "HUDTimer/x",
    "Weapons/x",
    "x",
];

/// Resource archives, and their files.
pub fn rof(bytes: &[u8]) {
    if let Some(archive) = round_trip(bytes, rof::decode(bytes), rof::encode) {
        let stored = archive.entries.iter().map(|entry| entry.data.len());
        assert!(stored.sum::<usize>() <= bytes.len(), "files share bytes");
        for entry in &archive.entries {
            if let Ok(extracted) = entry.extract() {
                check_deviations(bytes, &extracted.deviations);
            }
        }
    }
}

/// Liveries, and the skins that are painted with them.
pub fn livery(bytes: &[u8]) {
    if let Some(livery) = round_trip(bytes, livery::decode(bytes), livery::encode) {
        for rule in [Rule::Weights, Rule::Multiply, Rule::WeightsWhite] {
            let painted = livery.painted(rule, [[255, 0, 7], [0; 3], [255; 3]]);
            assert_eq!(painted.len(), livery.texel_count() * 3);
        }
    }
}

/// Configurations: valid settings stay the same when they are written and read again.
pub fn config(bytes: &[u8]) {
    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
    let Ok(config) = toml::from_str::<Config>(&text) else {
        return;
    };
    let written = config.to_toml().expect("settings are TOML");
    let again: Config = toml::from_str(&written).expect("what was written can be read");
    assert_eq!(again, config);
    assert_eq!(again.digest(), config.digest());
}
