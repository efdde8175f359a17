//! Tests that every file of a sample decodes, with only deliberate deviations, and is encoded byte by byte as it
//! was.

use relicast::convert;
use relicast::formats::decoded_file::{self, DecodedFile, MemberArchive};
use relicast::formats::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_member};
use relicast::formats::zipper::gamez;

use super::*;

/// Files with a deviation, and its reason.
const DELIBERATE: [(&str, &str); 4] = [
    ("mw/zbd/bb_patch_notice.wav", "a wrong RIFF size"),
    (
        "mw/pilots/games/Sample 1.mw3/Section/Token",
        "a save game member that is not understood",
    ),
    ("mw/Mech3Msg.dll", "a key without a text"),
    ("cs/strings.dll", "a text without a key"),
];

/// Result of checking a file or member.
struct Finding {
    place: String,
    deviations: u64,
}

/// Checks one file or member; containers include their members.
fn check(place: &str, kind: Kind, name: &str, bytes: &[u8]) -> Vec<Finding> {
    check_in(place, kind, name, bytes, &ArchiveContext::default())
}

/// The same for a member of an archive with this context.
fn check_in(
    place: &str,
    kind: Kind,
    name: &str,
    bytes: &[u8],
    around: &ArchiveContext,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut deviations = 0;
    let has_no_codec = matches!(
        kind,
        Kind::Program | Kind::Foreign | Kind::Unknown | Kind::MusicFile | Kind::SoundFont
    );
    if !has_no_codec {
        let decoded = decoded_file::decode(kind, name, bytes, around);
        let decoded = decoded.unwrap_or_else(|| panic!("{place} is taken for {kind:?}"));
        let decoded = decoded.unwrap_or_else(|fault| panic!("{place}: {fault}"));
        deviations = decoded.deviations.total() + check_content(place, bytes, &decoded.value);
        if let Some(archive) = decoded.value.archive() {
            findings.extend(check_members(place, archive));
        }
        match decoded.value.encode() {
            Some(encoded) => assert_eq!(
                encoded.unwrap(),
                bytes,
                "{place} is not written back as it was"
            ),
            None => assert!(matches!(kind, Kind::Avi | Kind::MessageDll), "{place}"),
        }
    }
    findings.push(Finding {
        place: place.to_owned(),
        deviations,
    });
    findings
}

/// Deviations in the content of a decoded file: its sound, picture, video or texts.
fn check_content(place: &str, bytes: &[u8], file: &DecodedFile<'_>) -> u64 {
    match file {
        DecodedFile::Wave(wave) => {
            let sound = convert::sound(wave, bytes).unwrap();
            return sound.deviations.total();
        }
        DecodedFile::Avi(avi) => {
            let (video, _) = avi.video().unwrap();
            assert_eq!(video.chunks, video.header.length, "{place}");
        }
        DecodedFile::Messages(library) => assert!(library.has_messages(), "{place}"),
        DecodedFile::Bitmap(bitmap) => drop(bitmap.picture().unwrap()),
        DecodedFile::Dds(picture) => drop(picture.picture().unwrap()),
        _ => {}
    }
    0
}

/// Checks the members of an archive.
fn check_members(place: &str, archive: MemberArchive<'_, '_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    match archive {
        MemberArchive::Zipper(archive) => {
            let siblings = ArchiveContext::new(archive);
            for entry in &archive.entries {
                let member = entry.name();
                let kind = sniff_member(&entry.data, &member, &siblings);
                let place = format!("{place}/{member}");
                findings.extend(check_in(&place, kind, &member, &entry.data, &siblings));
            }
        }
        MemberArchive::EverQuest(archive) => {
            for entry in &archive.entries {
                let member = entry.label();
                let place = format!("{place}/{member}");
                let extracted = entry.extract().unwrap();
                assert!(extracted.deviations.is_empty(), "{place}");
                let kind = sniff_pfs_member(&extracted.value, &member);
                findings.extend(check(&place, kind, &member, &extracted.value));
            }
        }
        MemberArchive::Resources(archive) => {
            for (index, entry) in archive.entries.iter().enumerate() {
                let place = format!("{place}/{}", archive.path(index).join("/"));
                let extracted = entry.extract().unwrap();
                assert!(extracted.deviations.is_empty(), "{place}");
                if !entry.is_folder() {
                    let kind = sniff(&extracted.value, &entry.name);
                    findings.extend(check(&place, kind, &entry.name, &extracted.value));
                }
            }
        }
    }
    findings
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
