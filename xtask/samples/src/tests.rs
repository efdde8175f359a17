//! Every file of a sample decodes, without deviations but the deliberate ones, and is written back
//! byte by byte.

use relicast::convert;
use relicast::formats::codec;
use relicast::formats::decoded_file;
use relicast::formats::everquest::sound::{bank, eff, emt};
use relicast::formats::everquest::texture::{bmp, dds};
use relicast::formats::everquest::{pfs, wld};
use relicast::formats::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_member};
use relicast::formats::riff;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::motion::Motion;
use relicast::formats::zipper::texture::package;
use relicast::formats::zipper::zrd::{binary, text};
use relicast::formats::zipper::{
    anim, archive, gamez, interp, livery, mechlib, messages, rof, save, zmap,
};

use super::*;

/// Places with a deviation, and why the sample has it.
const DELIBERATE: [(&str, &str); 4] = [
    ("mw/zbd/bb_patch_notice.wav", "a RIFF size that lies"),
    (
        "mw/pilots/games/Sample 1.mw3/Section/Token",
        "a save game member that is not understood",
    ),
    ("mw/Mech3Msg.dll", "a key without a text"),
    ("cs/strings.dll", "a text without a key"),
];

/// What a check of a file or member found.
struct Finding {
    place: String,
    deviations: u64,
}

/// Checks one file or member; containers lead to their members.
fn check(place: &str, kind: Kind, name: &str, bytes: &[u8]) -> Vec<Finding> {
    check_in(place, kind, name, bytes, &ArchiveContext::default())
}

/// The same for a member of an archive whose members say this together.
fn check_in(
    place: &str,
    kind: Kind,
    name: &str,
    bytes: &[u8],
    around: &ArchiveContext,
) -> Vec<Finding> {
    let version = around.version.unwrap_or_default();
    let mut findings = Vec::new();
    let (encoded, deviations) = match kind {
        Kind::Archive => {
            let decoded = archive::decode(bytes).unwrap();
            let siblings = ArchiveContext::of(&decoded.value);
            for entry in &decoded.value.entries {
                let member = entry.name();
                let kind = sniff_member(&entry.data, &member, &siblings);
                let place = format!("{place}/{member}");
                findings.extend(check_in(&place, kind, &member, &entry.data, &siblings));
            }
            (
                archive::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Textures => {
            let decoded = package::decode(bytes).unwrap();
            (
                package::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Interp => {
            let decoded = interp::decode(bytes).unwrap();
            (
                interp::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Motion => {
            let decoded = codec::decode::<Motion<'_>>(bytes).unwrap();
            (
                codec::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Wave => {
            let decoded = riff::decode(bytes).unwrap();
            let mut deviations = decoded.deviations.total();
            let sound = convert::sound(&decoded.value, bytes).unwrap();
            deviations += sound.deviations.total();
            (riff::encode(&decoded.value).unwrap(), deviations)
        }
        Kind::Avi => {
            let decoded = riff::avi::decode(bytes).unwrap();
            let (video, _) = decoded.value.video().unwrap();
            assert_eq!(video.chunks, video.header.length, "{place}");
            // Videos are not written back.
            (bytes.to_vec(), decoded.deviations.total())
        }
        Kind::Zmap => {
            let decoded = zmap::decode(bytes).unwrap();
            (
                zmap::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::BinaryReader => {
            let decoded = binary::decode(bytes).unwrap();
            (
                binary::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::TextReader => {
            let decoded = text::decode(bytes).unwrap();
            (text::encode(&decoded.value), decoded.deviations.total())
        }
        Kind::SaveMember => {
            let game = around.save.unwrap_or_default();
            let decoded = save::decode_of(game, name, bytes).unwrap();
            (
                save::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Rof => {
            let decoded = rof::decode(bytes).unwrap();
            for (index, entry) in decoded.value.entries.iter().enumerate() {
                let place = format!("{place}/{}", decoded.value.path(index).join("/"));
                let extracted = entry.extract().unwrap();
                assert!(extracted.deviations.is_empty(), "{place}");
                if !entry.is_folder() {
                    let kind = sniff(&extracted.value, &entry.name);
                    findings.extend(check(&place, kind, &entry.name, &extracted.value));
                }
            }
            (
                rof::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Livery => {
            let decoded = livery::decode(bytes).unwrap();
            (
                livery::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Plane => {
            let decoded = save::crimson::decode_plane(bytes).unwrap();
            (
                save::crimson::encode_plane(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::MessageDll => {
            let decoded = messages::decode(bytes).unwrap();
            assert!(decoded.value.has_messages(), "{place}");
            // Libraries are not written back.
            (bytes.to_vec(), decoded.deviations.total())
        }
        Kind::GameZ => {
            let decoded = gamez::decode(bytes).unwrap();
            (
                gamez::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Anim => {
            let decoded = anim::decode(bytes).unwrap();
            (
                anim::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::MechlibMember => mechlib_member(name, bytes, version),
        Kind::Pfs => {
            let decoded = pfs::decode(bytes).unwrap();
            for entry in &decoded.value.entries {
                let member = entry.label();
                let extracted = entry.extract().unwrap();
                assert!(extracted.deviations.is_empty(), "{place}/{member}");
                let place = format!("{place}/{member}");
                let kind = sniff_pfs_member(&extracted.value, &member);
                findings.extend(check(&place, kind, &member, &extracted.value));
            }
            (
                pfs::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Wld => {
            let decoded = wld::decode(bytes).unwrap();
            (
                wld::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Bitmap => {
            let decoded = bmp::decode(bytes).unwrap();
            decoded.value.picture().unwrap();
            (
                bmp::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Dds => {
            let decoded = dds::decode(bytes).unwrap();
            decoded.value.picture().unwrap();
            (
                dds::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Emitters => {
            let decoded = eff::decode(bytes).unwrap();
            (
                eff::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::EmitterText => {
            let decoded = emt::decode(bytes).unwrap();
            (
                emt::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::SoundBank => {
            let decoded = bank::decode(bytes).unwrap();
            (
                bank::encode(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        Kind::Program | Kind::Foreign | Kind::Unknown | Kind::MusicFile | Kind::SoundFont => {
            (bytes.to_vec(), 0)
        }
        other => {
            let alone = ArchiveContext::default();
            let decoded = decoded_file::decode(other, name, bytes, &alone);
            let decoded = decoded.unwrap_or_else(|| panic!("{place} is taken for {other:?}"));
            let decoded = decoded.unwrap();
            (
                decoded.value.encode().unwrap().unwrap(),
                decoded.deviations.total(),
            )
        }
    };
    assert_eq!(encoded, bytes, "{place} is not written back as it was");
    findings.push(Finding {
        place: place.to_owned(),
        deviations,
    });
    findings
}

/// Bytes of a member of a model library as written back, and its deviations.
fn mechlib_member(name: &str, bytes: &[u8], version: ZipperGame) -> (Vec<u8>, u64) {
    match name {
        mechlib::FORMAT_MEMBER => {
            let decoded = mechlib::decode_format(bytes).unwrap();
            (
                mechlib::encode_format(&decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        mechlib::VERSION_MEMBER => {
            let decoded = mechlib::decode_version(bytes).unwrap();
            (
                mechlib::encode_version(decoded.value).unwrap(),
                decoded.deviations.total(),
            )
        }
        mechlib::MATERIALS_MEMBER => {
            let decoded = mechlib::decode_materials(bytes, version).unwrap();
            (
                mechlib::encode_materials(&decoded.value, version).unwrap(),
                decoded.deviations.total(),
            )
        }
        _ => {
            let decoded = mechlib::decode_model(bytes, version).unwrap();
            (
                mechlib::encode_model(&decoded.value, version).unwrap(),
                decoded.deviations.total(),
            )
        }
    }
}

#[test]
fn samples_decode_and_encode_without_unwanted_deviations() {
    let mut deviating = Vec::new();
    for game in GAMES {
        for file in files(game, 1).unwrap() {
            let name = file.path.rsplit('/').next().unwrap();
            let place = format!("{}/{}", folder(game), file.path);
            let kind = sniff(&file.bytes, name);
            for finding in check(&place, kind, name, &file.bytes) {
                if finding.deviations > 0 {
                    deviating.push(finding.place);
                }
            }
        }
    }
    let mut deliberate: Vec<&str> = DELIBERATE.iter().map(|(place, _)| *place).collect();
    deliberate.sort_unstable();
    deviating.sort_unstable();
    assert_eq!(deviating, deliberate);
}

#[test]
fn bulk_is_as_large_as_asked_and_valid() {
    let files = bulk::files(8.0).unwrap();
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    let megabytes = size as f64 / 1_048_576.0;
    assert!((7.0..10.0).contains(&megabytes), "{megabytes}");
    for file in files {
        let name = file.path.rsplit('/').next().unwrap();
        let kind = sniff(&file.bytes, name);
        for finding in check(&file.path, kind, name, &file.bytes) {
            assert_eq!(finding.deviations, 0, "{}", finding.place);
        }
    }
}

#[test]
fn plain_is_valid_and_has_256_polygons_a_cell() {
    let bytes = world::plain(3, 2).unwrap();
    let [finding] = &*check("plain", Kind::GameZ, "gamez.zbd", &bytes) else {
        panic!("one file is one finding");
    };
    assert_eq!(finding.deviations, 0);
    let gamez = gamez::decode(&bytes).unwrap().value;
    let models = gamez.models.iter().map(|(_, model)| model);
    assert_eq!(
        models.map(|model| model.polygons.len()).sum::<usize>(),
        6 * 256
    );
}

#[test]
fn larger_samples_hold_the_smallest() {
    let small = files(relicast::asset::Game::Rc, 1).unwrap();
    let large = files(relicast::asset::Game::Rc, 2).unwrap();
    let paths = |files: &[SampleFile]| -> Vec<String> {
        files.iter().map(|file| file.path.clone()).collect()
    };
    assert_eq!(paths(&small), paths(&large));
    let size = |files: &[SampleFile]| files.iter().map(|file| file.bytes.len()).sum::<usize>();
    assert!(size(&large) > size(&small));
}
