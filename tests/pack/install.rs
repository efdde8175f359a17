//! Edits packed into the install itself and undone, patches, and how edits are found.

use relicast_testing::rounds;
use relicast_testing::test;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use relicast::asset::Game;
use relicast::config::SoundFormat;
use relicast::golden::Reading;
use relicast::pack::{
    Destination, PackError, Request as PackRequest, Restored, apply, pack, restore,
};

use crate::common::{contents, files, json};
use crate::place::Place;

const READER: &str = "config/zbd/m1/zrdr/movers.json";
const ARCHIVE: &str = "zbd/m1/zrdr.zbd";
const PICTURE: &str = "textures/zbd/m1/rtexture4/ground.png";
const PACKAGE: &str = "zbd/m1/rtexture4.zbd";

impl Place {
    /// Packs into the install.
    fn in_place(&self) -> PackRequest {
        PackRequest {
            to: Destination::InPlace,
            ..PackRequest::new(&self.path("out"), &self.path("install"), &self.path("mod"))
        }
    }

    fn edit_reader(&self, text: &str) {
        fs::write(self.path("out").join(READER), text).unwrap();
    }

    fn edit_picture(&self) {
        let path = self.path("out").join(PICTURE);
        let mut picture = image::open(&path).unwrap().into_rgba8();
        picture.put_pixel(1, 1, image::Rgba([255, 0, 132, 255]));
        picture.save(&path).unwrap();
    }
}

#[test]
fn an_install_is_changed_in_place_and_restored() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    let before = contents(&install);
    place.edit_reader("[1]");
    let packed = pack(&place.in_place()).unwrap();
    assert_eq!(packed.refused, []);
    assert_eq!(packed.files.len(), 1);
    // The originals are no sources, and are edited on.
    place.convert("install", "after");
    assert_eq!(
        json(&place.path("after").join(READER)),
        serde_json::json!([1])
    );
    assert_eq!(
        files(&place.path("after")).len(),
        files(&place.path("out")).len()
    );
    place.edit_picture();
    place.edit_reader("[2]");
    assert_eq!(pack(&place.in_place()).unwrap().files.len(), 2);
    let changed = contents(&install);
    // Once more changes nothing.
    pack(&place.in_place()).unwrap();
    assert!(contents(&install) == changed);
    assert_eq!(restore(&install, true).unwrap().files, [PACKAGE, ARCHIVE]);
    assert!(contents(&install) == changed);
    assert_eq!(restore(&install, false).unwrap().files, [PACKAGE, ARCHIVE]);
    assert!(contents(&install) == before);
    assert!(!install.join(".relicast-originals").exists());
    assert_eq!(restore(&install, false).unwrap(), Restored::default());
}

#[test]
fn scenes_are_edited_on_in_place() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    let before = contents(&install);
    let world = place.path("out/worlds/zbd/m1/gamez.gltf");
    let moved = |to: &str| {
        let text = fs::read_to_string(&world).unwrap();
        let start = text.find(r#""name":"house","#).unwrap();
        let x = start + text[start..].find(r#""translation":["#).unwrap() + 15;
        let end = x + text[x..].find(',').unwrap();
        fs::write(&world, format!("{}{to}{}", &text[..x], &text[end..])).unwrap();
        pack(&place.in_place()).unwrap()
    };
    for (round, to) in ["151.5", "152.5"].into_iter().enumerate() {
        let packed = moved(to);
        assert_eq!(packed.refused, []);
        assert_eq!(packed.files.len(), 1);
        let out = format!("after{round}");
        place.convert("install", &out);
        let after = json(&place.path(&out).join("worlds/zbd/m1/gamez.gltf"));
        let nodes = after["nodes"].as_array().unwrap();
        let house = nodes.iter().find(|node| node["name"] == "house").unwrap();
        assert_eq!(house["translation"][0], to.parse::<f64>().unwrap());
    }
    restore(&install, false).unwrap();
    assert!(contents(&install) == before);
}

#[test]
fn an_edit_that_is_undone_restores_the_original() {
    let place = Place::of(Game::Rc);
    let before = contents(&place.path("install"));
    let reader = fs::read(place.path("out").join(READER)).unwrap();
    place.edit_reader("[1]");
    place.edit_picture();
    pack(&place.in_place()).unwrap();
    fs::write(place.path("out").join(READER), reader).unwrap();
    let packed = pack(&place.in_place()).unwrap();
    assert_eq!(packed.removed, [ARCHIVE]);
    let after = contents(&place.path("install"));
    assert_eq!(after[ARCHIVE], before[ARCHIVE]);
    assert_ne!(after[PACKAGE], before[PACKAGE]);
}

#[test]
fn what_others_changed_since_is_left_alone_and_the_rest_restored() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    let original = contents(&install);
    place.edit_reader("[1]");
    place.edit_picture();
    pack(&place.in_place()).unwrap();
    fs::write(install.join(ARCHIVE), "mine").unwrap();
    let before = contents(&install);
    assert!(pack(&place.in_place()).is_err());
    assert!(contents(&install) == before);
    for check in [true, false] {
        let restored = restore(&install, check).unwrap();
        assert_eq!(restored.files, [PACKAGE]);
        let [(path, reason)] = &restored.left[..] else {
            panic!("{restored:?}");
        };
        assert_eq!(path, ARCHIVE);
        assert!(reason.contains("another program changed it"), "{reason}");
    }
    assert_eq!(fs::read(install.join(ARCHIVE)).unwrap(), b"mine");
    assert!(fs::read(install.join(PACKAGE)).unwrap() == original[PACKAGE]);
    // What the reason says to do restores it: copy the original, or the file of the game where that is damaged.
    let stored = install.join(".relicast-originals").join(ARCHIVE);
    fs::write(&stored, "damaged").unwrap();
    let damaged = restore(&install, false).unwrap();
    assert!(
        damaged.left[0].1.contains("missing or damaged"),
        "{damaged:?}"
    );
    fs::write(&stored, &original[ARCHIVE]).unwrap();
    fs::copy(&stored, install.join(ARCHIVE)).unwrap();
    assert_eq!(restore(&install, false).unwrap(), Restored::default());
    assert!(contents(&install) == original);
}

#[test]
fn a_deleted_game_file_is_restored() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    let original = contents(&install);
    place.edit_reader("[1]");
    pack(&place.in_place()).unwrap();
    fs::remove_file(install.join(ARCHIVE)).unwrap();
    assert_eq!(restore(&install, false).unwrap().files, [ARCHIVE]);
    assert!(contents(&install) == original);
}

#[test]
fn a_selection_is_packed_beside_what_others_changed() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    place.edit_reader("[1]");
    for to in [Destination::InPlace, place.request().to] {
        let request = PackRequest {
            to: to.clone(),
            ..place.in_place()
        };
        pack(&request).unwrap();
        let folder = match to {
            Destination::InPlace => install.clone(),
            Destination::Folder(folder) => folder,
        };
        fs::write(folder.join(ARCHIVE), "mine").unwrap();
        place.edit_picture();
        let only = Some(relicast::pack::Only::new([PICTURE]).unwrap());
        let packed = pack(&PackRequest { only, ..request }).unwrap();
        assert_eq!(packed.files.len(), 1);
        assert_eq!(fs::read(folder.join(ARCHIVE)).unwrap(), b"mine");
        if folder == install {
            fs::remove_file(install.join(ARCHIVE)).unwrap();
            restore(&install, false).unwrap();
        }
    }
}

/// `relicast pack --in-place`.
fn program(place: &Place) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_relicast"))
        .arg("pack")
        .arg(place.path("out"))
        .arg("--from")
        .arg(place.path("install"))
        .arg("--in-place")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the program after a while; false when it had ended before.
fn killed(place: &Place, after: Duration) -> bool {
    let mut program = program(place);
    std::thread::sleep(after);
    let was_running = program.try_wait().unwrap().is_none();
    program.kill().unwrap();
    program.wait().unwrap();
    was_running
}

#[test]
fn a_killed_run_leaves_whole_files_and_the_originals() {
    let place = Place::of(Game::Rc);
    let install = place.path("install");
    let before = contents(&install);
    place.edit_reader("[1]");
    place.edit_picture();
    assert!(program(&place).wait().unwrap().success());
    let changed = contents(&install);
    assert_ne!(changed[ARCHIVE], before[ARCHIVE]);
    restore(&install, false).unwrap();
    let mut kills = 0;
    // From a run that has hardly begun to one that ends.
    for step in 0..400_u64 {
        let was_running = killed(&place, Duration::from_micros(500 * step));
        for path in before.keys() {
            let now = fs::read(install.join(path)).unwrap();
            assert!(now == before[path] || now == changed[path], "{path}");
        }
        restore(&install, false).unwrap();
        for path in before.keys() {
            assert!(
                fs::read(install.join(path)).unwrap() == before[path],
                "{path}"
            );
        }
        kills += usize::from(was_running);
        if !was_running {
            break;
        }
    }
    assert!(kills > 2, "{kills}");
    // What killed runs left is no hindrance.
    assert_eq!(pack(&place.in_place()).unwrap().files.len(), 2);
    let after = contents(&install);
    assert!(before.keys().all(|path| after[path] == changed[path]));
}

#[test]
fn a_patch_makes_the_game_files_elsewhere() {
    for (game, edited) in [
        (Game::Rc, &[READER, PICTURE][..]),
        (Game::Eq, &["sounds", "textures"]),
    ] {
        let place = Place::of(game);
        match game {
            Game::Rc => {
                place.edit_reader("[1]");
                place.edit_picture();
            }
            _ => edit_everquest(&place),
        }
        let patch = place.path("desert.relicast-patch");
        let request = PackRequest {
            patch: Some(patch.clone()),
            to: Destination::Folder(place.path("mod")),
            ..place.in_place()
        };
        let packed = pack(&request).unwrap();
        assert_eq!(packed.refused, []);
        assert!(packed.edits.len() >= edited.len());
        assert_eq!(
            packed.patch.unwrap(),
            fs::metadata(&patch).unwrap().len(),
            "{game:?}"
        );
        let to = Destination::Folder(place.path("made"));
        let applied = apply(&patch, &place.path("install"), &to, true).unwrap();
        assert_eq!(applied.files, packed.files);
        assert!(!place.path("made").exists());
        apply(&patch, &place.path("install"), &to, false).unwrap();
        let (mut modded, mut made) = (contents(&place.path("mod")), contents(&place.path("made")));
        for files in [&mut modded, &mut made] {
            files.retain(|path, _| !path.contains("relicast"));
        }
        assert!(modded == made, "{game:?}");
        // It is smaller by far than what it makes: the game's own data are not in it.
        let size: u64 = packed.files.iter().map(|(_, size)| size).sum();
        assert!(packed.patch.unwrap() < size, "{game:?}");
        // In place, and back.
        let before = contents(&place.path("install"));
        apply(&patch, &place.path("install"), &Destination::InPlace, false).unwrap();
        let after = contents(&place.path("install"));
        assert!(made.iter().all(|(path, bytes)| after[path] == *bytes));
        restore(&place.path("install"), false).unwrap();
        assert!(contents(&place.path("install")) == before);
    }
}

/// Edits a sound and a picture of an archive.
fn edit_everquest(place: &Place) {
    let manifest = json(&place.path("out/manifest.json"));
    let outputs = manifest["outputs"].as_array().unwrap();
    let of = |ending: &str, member: &str| {
        let found = outputs.iter().find(|output| {
            output["path"].as_str().unwrap().ends_with(ending)
                && output["member"]
                    .as_str()
                    .is_some_and(|name| name.ends_with(member))
        });
        place
            .path("out")
            .join(found.unwrap()["path"].as_str().unwrap())
    };
    let sound = of(".wav", ".wav");
    let mut bytes = fs::read(&sound).unwrap();
    let end = bytes.len();
    bytes[end - 20..].fill(3);
    fs::write(&sound, bytes).unwrap();
    let picture = of(".png", ".bmp");
    let mut edited = image::open(&picture).unwrap().into_rgba8();
    edited.put_pixel(0, 0, image::Rgba([8, 8, 8, 255]));
    edited.save(&picture).unwrap();
}

#[test]
fn a_patch_is_refused_for_another_install_and_when_it_is_damaged() {
    let place = Place::of(Game::Rc);
    place.edit_reader("[1]");
    place.edit_picture();
    let patch = place.path("desert.relicast-patch");
    let request = PackRequest {
        patch: Some(patch.clone()),
        ..place.in_place()
    };
    pack(&PackRequest {
        to: Destination::Folder(place.path("mod")),
        ..request.clone()
    })
    .unwrap();
    let to = Destination::Folder(place.path("made"));
    let whole = fs::read(&patch).unwrap();
    // The list names the outputs that a game file was made from, which a patch does not.
    let game_files = |name: &str| {
        let mut all = contents(&place.path(name));
        all.retain(|path, _| !path.contains("relicast"));
        all
    };
    let wanted = game_files("mod");
    for at in (0..whole.len()).step_by(whole.len() / rounds(30, 150)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x41;
        fs::write(&patch, damaged).unwrap();
        let applied = apply(&patch, &place.path("install"), &to, false);
        if applied.is_ok() {
            assert!(game_files("made") == wanted);
        }
        fs::write(&patch, &whole[..at]).unwrap();
        assert!(apply(&patch, &place.path("install"), &to, false).is_err());
    }
    // Something else is not replaced by a patch.
    fs::write(&patch, "mine").unwrap();
    assert!(matches!(pack(&request), Err(PackError::Foreign(_))));
    assert_eq!(fs::read(&patch).unwrap(), b"mine");
    fs::write(&patch, whole).unwrap();
    fs::remove_dir_all(place.path("made")).ok();
    fs::write(place.path("install").join(ARCHIVE), "another").unwrap();
    let refused = apply(&patch, &place.path("install"), &to, false).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("differ or are missing here: 1"),
        "{refused}"
    );
    assert!(!place.path("made").exists());
}

#[test]
fn edits_are_found_by_the_file_system_and_by_reading_everything() {
    let place = Place::of(Game::Rc);
    let path = place.path("out").join(READER);
    let text = fs::read_to_string(&path).unwrap();
    // Another text of the same length, with the time of the first.
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let letter = text.find('"').unwrap() + 1;
    let mut edited = text.clone();
    edited.replace_range(letter..=letter, "?");
    fs::write(&path, &edited).unwrap();
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(time - Duration::from_secs(3600))
        .unwrap();
    for reading in [Reading::All, Reading::Touched] {
        // Systems without a time of change see by reading only.
        if reading == Reading::Touched && !cfg!(unix) {
            continue;
        }
        let packed = pack(&PackRequest {
            reading,
            check: true,
            ..place.in_place()
        });
        assert_eq!(packed.unwrap().edits.len(), 1, "{reading:?}");
    }
    // What was only touched is no edit.
    fs::write(&path, text).unwrap();
    let touched = fs::File::options().write(true).open(&path).unwrap();
    touched.set_modified(SystemTime::now()).unwrap();
    assert!(pack(&place.in_place()).unwrap().edits.is_empty());
}

#[test]
fn what_means_the_same_writes_nothing() {
    let place = Place::of(Game::Rc);
    let path = place.path("out").join(PICTURE);
    let before = fs::read(&path).unwrap();
    image::open(&path)
        .unwrap()
        .into_rgba8()
        .save(&path)
        .unwrap();
    assert_ne!(
        fs::read(&path).unwrap(),
        before,
        "it was saved in another way"
    );
    let packed = pack(&place.in_place()).unwrap();
    assert_eq!((packed.edits.len(), packed.files.len()), (0, 0));
    assert_eq!(packed.unedited, [PICTURE]);
    assert!(!place.path("install/.relicast-originals").exists());
}

#[test]
fn one_sound_edited_in_two_forms_is_refused() {
    let place = Place::of(Game::Rc);
    place.convert_with("install", "out", |config| {
        config.sounds.format = SoundFormat::Both;
    });
    let sounds = files(&place.path("out")).into_iter();
    let mut sounds = sounds.filter(|path| path.starts_with("sounds/") && path.ends_with(".flac"));
    let flac = sounds.next().unwrap();
    let wav = flac.replace(".flac", ".wav");
    let path = place.path("out").join(&wav);
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 8..].fill(3);
    fs::write(&path, bytes).unwrap();
    // The same music, saved by another program.
    let path = place.path("out").join(&flac);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([0; 4]);
    fs::write(&path, bytes).unwrap();
    let packed = pack(&place.in_place()).unwrap();
    let refused: Vec<_> = packed
        .refused
        .iter()
        .map(|(path, _)| path.clone())
        .collect();
    assert_eq!(refused, [flac, wav]);
    assert!(packed.refused[0].1.to_string().contains("several outputs"));
}

#[test]
fn a_check_shows_that_files_of_others_are_in_the_way() {
    let place = Place::of(Game::Rc);
    place.edit_reader("[1]");
    let check = |to: &str| {
        pack(&PackRequest {
            to: Destination::Folder(place.path(to)),
            check: true,
            ..place.in_place()
        })
    };
    assert!(matches!(check("install/mod"), Err(PackError::Inside(_))));
    fs::create_dir_all(place.path("mod/zbd/m1")).unwrap();
    fs::write(place.path("mod").join(ARCHIVE), "mine").unwrap();
    assert!(matches!(check("mod"), Err(PackError::Foreign(_))));
    assert_eq!(check("other").unwrap().files.len(), 1);
    assert!(!place.path("other").exists());
}
