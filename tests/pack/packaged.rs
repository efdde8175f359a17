//! Game files in disc images and in cabinets: changes are written to a folder, and nothing else is.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::pack::{Destination, PackError, Packed, Request as PackRequest, apply, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::SampleFile;

use crate::common::{contents, json};
use crate::place::Place;

/// A disc, converted from either input: the sheet alone, or the folder around it.
fn disc(files: &[SampleFile], input: &str) -> Place {
    let place = Place::empty();
    relicast_samples::write_files(&place.path("install"), files).unwrap();
    place.convert(input, "out");
    place
}

fn request(place: &Place, from: &str) -> PackRequest {
    PackRequest::new(&place.path("out"), &place.path(from), &place.path("mod"))
}

fn packed(place: &Place, from: &str) -> Packed {
    let packed = pack(&request(place, from)).unwrap();
    assert_eq!(packed.refused, []);
    packed
}

/// Halves a sound, and writes the expectation of the edit.
fn edit_sound(place: &Place, output: &ManifestOutput) {
    place.edit(&output.path, |bytes| {
        let mut reader = hound::WavReader::new(&*bytes).unwrap();
        let spec = reader.spec();
        let mut out = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut out, spec).unwrap();
        for sample in reader.samples::<i32>() {
            writer.write_sample(sample.unwrap() / 2).unwrap();
        }
        writer.finalize().unwrap();
        out.into_inner()
    });
}

/// The reader of a sample that is edited, and its sound.
fn edit(place: &Place) -> [ManifestOutput; 2] {
    let reader = place.outputs(|output| {
        output.path.starts_with("config/")
            && output.path.ends_with(".json")
            && output.member.is_some()
            && output.source.to_lowercase().contains("reader")
    });
    let sound = place.outputs(|output| {
        output.path.ends_with(".wav")
            && output.member.is_some()
            && output.source.to_lowercase().contains("sounds")
    });
    place.edit(&reader[0].path, |_| b"[\"NEW\", [1, 2.5]]".to_vec());
    edit_sound(place, &sound[0]);
    [reader[0].clone(), sound[0].clone()]
}

/// Copies the packed files over the game's own files, and checks that these convert to the edits.
fn assert_packed(place: &Place, game: Game, packed: &Packed, edited: &[ManifestOutput; 2]) {
    let install = relicast_samples::files(game, 1).unwrap();
    let plain: BTreeMap<String, &[u8]> = install
        .iter()
        .map(|file| (file.path.to_lowercase(), &*file.bytes))
        .collect();
    relicast_samples::write_files(&place.path("plain"), &install).unwrap();
    for (path, _) in &packed.files {
        let made = fs::read(place.path("mod").join(path)).unwrap();
        let original = plain.get(&path.to_lowercase()).unwrap();
        assert!(made != *original, "{path}");
        let own = install
            .iter()
            .find(|file| file.path.eq_ignore_ascii_case(path))
            .unwrap();
        fs::write(place.path("plain").join(&own.path), made).unwrap();
    }
    place.convert("plain", "after");
    let outputs = json(&place.path("after/manifest.json"));
    let outputs = outputs["outputs"].as_array().unwrap();
    for (number, edited) in edited.iter().enumerate() {
        let found = outputs.iter().find(|output| {
            output["member"].as_str() == edited.member.as_deref()
                && edited
                    .source
                    .to_lowercase()
                    .ends_with(&output["source"].as_str().unwrap().to_lowercase())
                && output["path"].as_str().unwrap().rsplit('.').next()
                    == edited.path.rsplit('.').next()
        });
        let path = found.unwrap_or_else(|| panic!("{edited:?}"))["path"]
            .as_str()
            .unwrap();
        let (made, wanted) = (
            place.path("after").join(path),
            place.path("out").join(&edited.path),
        );
        match number {
            0 => assert_eq!(json(&made), json(&wanted)),
            _ => {
                let samples = |path: &Path| {
                    let mut reader = hound::WavReader::open(path).unwrap();
                    let samples: Vec<i32> = reader.samples().map(Result::unwrap).collect();
                    samples
                };
                let (made, wanted) = (samples(&made), samples(&wanted));
                let edit = packed
                    .edits
                    .iter()
                    .find(|edit| edit.output == edited.path)
                    .unwrap();
                assert!(made == wanted || edit.rounding.is_some());
                assert!(made.len() >= wanted.len());
            }
        }
    }
}

#[test]
fn files_of_a_disc_are_written_to_a_folder_and_the_image_stays() {
    let files = relicast_samples::disc::files().unwrap();
    let sheet = format!("install/{}", relicast_samples::disc::SHEET);
    for input in [&*sheet, "install"] {
        let place = disc(&files, input);
        let before = contents(&place.path("install"));
        // Nothing was edited.
        let none = pack(&PackRequest {
            reading: relicast::golden::Reading::All,
            ..request(&place, input)
        });
        assert!(none.unwrap().edits.is_empty() && !place.path("mod").exists());
        let edited = edit(&place);
        let packed = packed(&place, input);
        let paths: Vec<_> = packed.files.iter().map(|(path, _)| &**path).collect();
        assert_eq!(
            paths,
            ["zbd/reader.zbd", "zbd/soundsL.zbd"],
            "as on the disc"
        );
        assert_packed(&place, Game::Mw, &packed, &edited);

        let in_place = pack(&PackRequest {
            to: Destination::InPlace,
            ..request(&place, input)
        });
        let refused = in_place.unwrap().refused;
        assert_eq!(refused.len(), 2);
        assert!(
            refused
                .iter()
                .all(|(_, reported)| reported.to_string().contains("--to")),
            "{refused:?}"
        );
        assert!(contents(&place.path("install")) == before);
    }
}

#[test]
fn music_of_a_disc_and_other_discs_are_refused() {
    let files = relicast_samples::disc::files().unwrap();
    let sheet = format!("install/{}", relicast_samples::disc::SHEET);
    for input in [&*sheet, "install"] {
        let place = disc(&files, input);
        let music =
            place.outputs(|output| output.disc.is_some() && output.source.ends_with(".cue"));
        let tune = music
            .iter()
            .find(|output| !output.path.ends_with(".json"))
            .unwrap();
        place.edit(&tune.path, |mut bytes| {
            bytes.truncate(bytes.len() / 2);
            bytes
        });
        let refused = pack(&request(&place, input)).unwrap().refused;
        assert!(refused.len() == 1, "{refused:?}");
        assert!(
            refused[0].1.to_string().contains("disc itself"),
            "{refused:?}"
        );
    }
    let place = disc(&files, &sheet);
    edit(&place);
    let image = place.path("install/Sample Disc.bin");
    let mut bytes = fs::read(&image).unwrap();
    let install = relicast_samples::files(Game::Mw, 1).unwrap();
    let reader = install
        .iter()
        .find(|file| file.path == "zbd/reader.zbd")
        .unwrap();
    let start = &reader.bytes[..64];
    let at = bytes
        .windows(64)
        .position(|window| window == start)
        .unwrap();
    bytes[at + 20] ^= 1;
    fs::write(&image, bytes).unwrap();
    let refused = pack(&request(&place, &sheet));
    assert!(
        matches!(refused, Err(PackError::OtherInstall { .. })),
        "{refused:?}"
    );
    assert!(!place.path("mod").exists());
}

#[test]
fn a_patch_of_a_disc_makes_the_files_of_an_installed_game_too() {
    let files = relicast_samples::disc::files().unwrap();
    let sheet = format!("install/{}", relicast_samples::disc::SHEET);
    let place = disc(&files, &sheet);
    edit(&place);
    let patch = place.path("edit.relicast-patch");
    let request = PackRequest {
        patch: Some(patch.clone()),
        ..request(&place, &sheet)
    };
    pack(&request).unwrap();
    let mut wanted = contents(&place.path("mod"));
    wanted.retain(|path, _| !path.contains("relicast"));
    relicast_samples::write_files(
        &place.path("plain"),
        &relicast_samples::files(Game::Mw, 1).unwrap(),
    )
    .unwrap();
    for (number, from) in [&*sheet, "install", "plain"].into_iter().enumerate() {
        let made = place.path(&format!("made{number}"));
        let to = Destination::Folder(made.clone());
        apply(&patch, &place.path(from), &to, false).unwrap();
        let mut made = contents(&made);
        made.retain(|path, _| !path.contains("relicast"));
        assert!(made == wanted, "{from}");
    }
    let refused = apply(&patch, &place.path(&sheet), &Destination::InPlace, false);
    assert!(matches!(refused, Err(PackError::Packaged(_))));
}

#[test]
fn files_of_cabinets_are_written_to_a_folder() {
    let discs = [
        (
            Game::Mw,
            relicast_samples::cabinet::disc::mechwarrior().unwrap(),
        ),
        (
            Game::Cs,
            relicast_samples::cabinet::disc::crimson_skies().unwrap(),
        ),
    ];
    for (game, files) in discs {
        let place = disc(&files, "install");
        let before = contents(&place.path("install"));
        let edited = edit_cabinet(&place);
        assert!(
            edited.iter().all(|output| output.cabinet.is_some()),
            "{edited:?}"
        );
        let packed = packed(&place, "install");
        assert_eq!(packed.edits.len(), 2);
        assert_packed(&place, game, &packed, &edited);
        assert!(contents(&place.path("install")) == before);
    }
}

fn edit_cabinet(place: &Place) -> [ManifestOutput; 2] {
    let reader = place.outputs(|output| {
        output.path.starts_with("config/")
            && output.path.ends_with(".json")
            && output
                .member
                .as_deref()
                .is_some_and(|own| own.ends_with(".zrd"))
    });
    let sound = place.outputs(|output| {
        output.path.ends_with(".wav")
            && output.member.is_some()
            && output.source.to_lowercase().contains("soundsl")
    });
    place.edit(&reader[0].path, |_| b"[\"NEW\", [1, 2.5]]".to_vec());
    edit_sound(place, &sound[0]);
    [reader[0].clone(), sound[0].clone()]
}
