//! Members that archives get and lose.

use relicast_testing::test;
use std::fs;

use relicast::asset::Game;
use relicast::pack::{Change, Packed, Request as PackRequest, pack};
use relicast_samples::GAMES;

use crate::common::{files, json};
use crate::place::Place;

impl Place {
    /// Packs with members that come and go.
    fn pack_members(&self) -> Packed {
        let request = PackRequest {
            add: true,
            remove: true,
            ..self.request()
        };
        pack(&request).unwrap()
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.path("out").join(path), bytes).unwrap();
    }
}

fn changes(packed: &Packed) -> Vec<(&str, Change)> {
    let edits = packed.edits.iter();
    edits.map(|edit| (&*edit.output, edit.change)).collect()
}

#[test]
fn sounds_come_and_go_in_every_game() {
    for game in GAMES {
        let place = Place::of(game);
        let sounds = place.outputs(|output| {
            output.path.starts_with("sounds/")
                && output.path.ends_with(".wav")
                && output.member.is_some()
                && !output.source.to_lowercase().ends_with(".rof")
        });
        let Some([one, other]) = sounds.first_chunk::<2>() else {
            panic!("{game}: too few sounds");
        };
        let read = |path: &str| fs::read(place.path("out").join(path)).unwrap();
        let folder = one.path.rsplit_once('/').unwrap().0;
        let new = format!("{folder}/brand new.wav");
        place.write(&new, &read(&other.path));
        fs::remove_file(place.path("out").join(&one.path)).unwrap();

        // Without being asked for, nothing comes and nothing goes.
        let packed = place.pack();
        assert_eq!(
            (
                packed.files.len(),
                packed.missing.len(),
                packed.strangers.len()
            ),
            (0, 1, 1)
        );

        let packed = place.pack_members();
        assert_eq!(packed.refused, [], "{game}");
        let mut expected = [(&*new, Change::Added), (&*one.path, Change::Removed)];
        expected.sort_by_key(|(path, _)| *path);
        assert_eq!(changes(&packed), expected, "{game}");
        assert_eq!(packed.files.len(), 1);

        let before = fs::read(place.path("install").join(&packed.files[0].0)).unwrap();
        let after = fs::read(place.path("mod").join(&packed.files[0].0)).unwrap();
        assert_ne!(before, after);
        place.convert_packed();
        let after = files(&place.path("after"));
        assert!(
            !after.contains(&one.path),
            "{game}: {} is still there",
            one.path
        );
        let made = fs::read(place.path("after").join(&new)).unwrap();
        let (made, wanted) = (samples(&made), samples(&read(&other.path)));
        assert_eq!(made.1, wanted.1, "{game}");
        // It is coded as the neighboring sound; the change that this causes is reported.
        let is_reported = packed.edits.iter().any(|edit| edit.rounding.is_some());
        assert!(made.0 == wanted.0 || is_reported, "{game}");
        // All else is as it was.
        for path in files(&place.path("out"))
            .iter()
            .filter(|path| path.ends_with(".wav"))
        {
            if *path != new {
                assert!(
                    fs::read(place.path("after").join(path)).unwrap() == read(path),
                    "{path}"
                );
            }
        }
    }
}

/// Samples and format.
fn samples(bytes: &[u8]) -> (Vec<u8>, (u16, u32)) {
    let wave = relicast::formats::riff::decode(bytes).unwrap().value;
    let format = wave.format().unwrap();
    let data = wave.data().unwrap().payload.to_vec();
    (data, (format.header.channels, format.header.rate))
}

#[test]
fn pictures_of_each_kind_of_alpha_come_and_go() {
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs] {
        let place = Place::of(game);
        let pictures = place.outputs(|output| {
            output.path.starts_with("textures/")
                && output.path.ends_with(".png")
                && output.member.is_some()
                && !output.source.to_lowercase().ends_with(".rof")
        });
        let gone = &pictures[0].path;
        let folder = gone.rsplit_once('/').unwrap().0;
        // Colors that 5, 6 and 5 bits hold.
        let new = ["opaque", "holes", "smooth"].map(|name| {
            let picture = image::RgbaImage::from_fn(24, 10, |x, y| {
                let alpha = match name {
                    "opaque" => 255,
                    "holes" if (x + y) % 3 == 0 => 0,
                    "holes" => 255,
                    _ => (x * 10 + y) as u8,
                };
                let color = [255 * (x % 2) as u8, 255 * (y % 2) as u8, 255];
                image::Rgba([color[0], color[1], color[2], alpha])
            });
            let path = format!("{folder}/{name}.png");
            picture.save(place.path("out").join(&path)).unwrap();
            (path, picture)
        });
        fs::remove_file(place.path("out").join(gone)).unwrap();
        let packed = place.pack_members();
        assert_eq!(packed.refused, [], "{game}");
        assert_eq!(packed.files.len(), 1, "{game}");
        assert_eq!(packed.edits.len(), 4, "{game}");
        assert!(
            packed.edits.iter().all(|edit| edit.rounding.is_none()),
            "{game}"
        );

        let size = |folder: &str| {
            fs::metadata(place.path(folder).join(&packed.files[0].0))
                .unwrap()
                .len()
        };
        assert_ne!(size("install"), size("mod"));
        place.convert_packed();
        assert!(!place.path("after").join(gone).exists(), "{game}: {gone}");
        for (path, wanted) in &new {
            let made = image::open(place.path("after").join(path))
                .unwrap()
                .to_rgba8();
            assert_eq!(made.dimensions(), wanted.dimensions());
            for (made, wanted) in made.pixels().zip(wanted.pixels()) {
                assert_eq!(made.0[3], wanted.0[3], "{game}: {path}");
                assert!(wanted.0[3] == 0 || made == wanted, "{game}: {path}");
            }
        }
        for output in pictures.iter().filter(|output| output.path != *gone) {
            let read = |folder: &str| fs::read(place.path(folder).join(&output.path)).unwrap();
            assert!(read("after") == read("out"), "{}", output.path);
        }
    }
}

#[test]
fn a_reader_that_comes_and_goes_leaves_the_install_as_it_was() {
    let place = Place::of(Game::Rc);
    let new = "config/zbd/m1/zrdr/more.json";
    place.write(new, b"[\"MORE\", [1, 2.5, \"three\"]]\n");
    let packed = place.pack_members();
    assert_eq!(packed.refused, []);
    assert_eq!(changes(&packed), [(new, Change::Added)]);
    let archive = packed.files[0].0.clone();
    place.convert_packed();
    let document = json(&place.path("after").join(new));
    assert_eq!(document, serde_json::json!(["MORE", [1, 2.5, "three"]]));

    // The other way: what was converted with it loses it.
    let original = fs::read(place.path("install").join(&archive)).unwrap();
    let grown = fs::read(place.path("mod").join(&archive)).unwrap();
    fs::write(place.path("install").join(&archive), &grown).unwrap();
    place.convert("install", "again");
    fs::remove_file(place.path("again").join(new)).unwrap();
    let request = PackRequest {
        remove: true,
        ..PackRequest::new(
            &place.path("again"),
            &place.path("install"),
            &place.path("less"),
        )
    };
    let packed = pack(&request).unwrap();
    assert_eq!(changes(&packed), [(new, Change::Removed)]);
    let back = fs::read(place.path("less").join(&archive)).unwrap();
    assert!(back == original, "the archive is not what it was");
}

#[test]
fn what_belongs_to_no_archive_or_is_there_already_is_refused() {
    let place = Place::of(Game::Rc);
    // Nothing there is of an archive; a kind that the archive's folder has not; a file beside what it could replace.
    place.write("loose/more.txt", b"text");
    place.write("config/zbd/m1/zrdr/picture.png", b"no picture");
    fs::create_dir(place.path("out").join("elsewhere")).unwrap();
    place.write("elsewhere/sound.wav", b"no sound");
    place.write("sounds/zbd/soundsh/broken.wav", b"no sound");
    let texture = place
        .path("out")
        .join("textures/zbd/m1/rtexture4/ground.png");
    let too_long = "a name with more than thirty-one characters.png";
    fs::copy(&texture, texture.with_file_name(too_long)).unwrap();
    let packed = place.pack_members();
    let refused: Vec<&str> = packed.refused.iter().map(|(path, _)| &**path).collect();
    assert_eq!(
        refused
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        5,
        "{:?}",
        packed.refused
    );
    assert!(packed.files.is_empty() && !place.path("mod").exists());
}

#[test]
fn a_member_goes_only_with_all_that_was_made_of_it() {
    let place = Place::of(Game::Rc);
    fs::remove_dir_all(place.path("out")).unwrap();
    place.convert_with("install", "out", |config| {
        config.sounds.format = relicast::config::SoundFormat::Both;
    });
    let sounds = place.outputs(|output| output.path.ends_with(".flac") && output.member.is_some());
    let flac = &sounds[0].path;
    fs::remove_file(place.path("out").join(flac)).unwrap();
    let packed = place.pack_members();
    assert_eq!(packed.refused.len(), 1);
    fs::remove_file(place.path("out").join(flac.replace(".flac", ".wav"))).unwrap();
    let packed = place.pack_members();
    assert_eq!(packed.refused, []);
    assert_eq!(packed.edits.len(), 1);
}
