//! Outputs packed one after the other: earlier edits stay.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast::asset::{AssetKind, Game};
use relicast::pack::{Destination, Only, PackError, Packed, Request as PackRequest, apply, pack};
use relicast::pipeline::report::manifest::ManifestOutput;

use crate::common::files;
use crate::place::Place;

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| {
        let bytes = fs::read(folder.join(&path)).unwrap();
        (path, bytes)
    };
    let paths = files(folder).into_iter();
    let game_files = paths.filter(|path| !path.contains("relicast"));
    game_files.map(read).collect()
}

/// Makes a WAV file silent.
fn silence(place: &Place, output: &ManifestOutput) {
    place.edit(&output.path, |bytes| {
        let reader = hound::WavReader::new(&*bytes).unwrap();
        let mut out = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut out, reader.spec()).unwrap();
        for _ in 0..reader.len() {
            writer.write_sample(0_i32).unwrap();
        }
        writer.finalize().unwrap();
        out.into_inner()
    });
}

fn request(place: &Place, to: &Destination, only: &[&str]) -> PackRequest {
    PackRequest {
        to: to.clone(),
        only: (!only.is_empty()).then(|| Only::new(only.iter().copied()).unwrap()),
        ..place.request()
    }
}

fn packed(place: &Place, to: &Destination, only: &[&str]) -> Packed {
    let packed = pack(&request(place, to, only)).unwrap();
    assert_eq!(packed.refused, []);
    packed
}

/// Two sounds of one archive, and a sound of another one.
fn sounds(place: &Place) -> [ManifestOutput; 3] {
    let all = place.outputs(|output| {
        output.kind == AssetKind::Sounds && output.path.ends_with(".wav") && output.member.is_some()
    });
    let first = all
        .iter()
        .find(|output| {
            all.iter()
                .filter(|other| other.source == output.source)
                .count()
                > 1
        })
        .unwrap();
    let second = all
        .iter()
        .find(|output| output.source == first.source && output.path != first.path)
        .unwrap();
    let third = all.iter().find(|output| output.source != first.source);
    [first, second, third.unwrap()].map(Clone::clone)
}

#[test]
fn files_packed_separately_equal_files_packed_at_once() {
    for to_install in [false, true] {
        let place = Place::of(Game::Mw);
        let sounds = sounds(&place);
        for sound in &sounds {
            silence(&place, sound);
        }
        let at_once = Destination::Folder(place.path("at once"));
        packed(&place, &at_once, &[]);
        let expected = contents(&place.path("at once"));
        assert_eq!(expected.len(), 2);
        let to = match to_install {
            true => Destination::InPlace,
            false => Destination::Folder(place.path("mod")),
        };
        let folder = place.path(if to_install { "install" } else { "mod" });
        let before = to_install.then(|| contents(&folder));
        for (done, sound) in sounds.iter().enumerate() {
            let packed = packed(&place, &to, &[&globset::escape(&sound.path)]);
            assert_eq!(packed.removed, Vec::<String>::new());
            assert_eq!(packed.edits.len(), if done == 1 { 2 } else { 1 });
        }
        let after = contents(&folder);
        for (path, bytes) in &expected {
            assert!(after[path] == *bytes, "{path}");
        }
        if to_install {
            relicast::pack::restore(&folder, false).unwrap();
            assert!(Some(contents(&folder)) == before);
        }
    }
}

#[test]
fn a_selection_that_holds_no_edit_undoes_nothing() {
    let place = Place::of(Game::Mw);
    let [first, second, third] = sounds(&place);
    silence(&place, &first);
    let to = Destination::Folder(place.path("mod"));
    packed(&place, &to, &[]);
    let before = contents(&place.path("mod"));
    let none = packed(&place, &to, &[&globset::escape(&third.path)]);
    assert_eq!((none.files.len(), none.removed.len()), (0, 0));
    assert!(contents(&place.path("mod")) == before);
    for pattern in ["no/such/*.wav", "SOUNDS"] {
        let only = [&*globset::escape(&first.path), pattern];
        let refused = pack(&request(&place, &to, &only));
        assert!(matches!(refused, Err(PackError::NothingMatches(found)) if found == pattern));
    }
    assert!(contents(&place.path("mod")) == before);
    // The first edit stays packed, though its output is as it was.
    silence(&place, &second);
    place.convert("install", "fresh");
    let original = fs::read(place.path("fresh").join(&first.path)).unwrap();
    fs::write(place.path("out").join(&first.path), original).unwrap();
    let both = packed(&place, &to, &[&globset::escape(&second.path)]);
    let earlier: Vec<bool> = both.edits.iter().map(|edit| edit.is_earlier).collect();
    assert_eq!(earlier.iter().filter(|is_earlier| **is_earlier).count(), 1);
    assert_eq!((both.edits.len(), both.undone.len()), (2, 0));
    assert!(contents(&place.path("mod")) != before);
    // Without its stored copy it cannot stay: that is refused, not undone.
    let now = contents(&place.path("mod"));
    let stored = place.path("mod/.relicast-edits");
    for edit in files(&stored) {
        fs::write(stored.join(edit), "damaged").unwrap();
    }
    let refused = pack(&request(&place, &to, &[&globset::escape(&second.path)]));
    assert!(matches!(refused, Err(PackError::LostEdit(path)) if path == first.path));
    assert!(contents(&place.path("mod")) == now);
    // By its own name it is taken out, which is reported; another edit that `convert` moved is not named.
    let aside = place.path("out").join(format!("{}.edited-1", first.path));
    fs::write(aside, "another edit").unwrap();
    let undone = packed(&place, &to, &["sounds/**"]).undone;
    let [undone] = &undone[..] else {
        panic!("{undone:?}");
    };
    assert_eq!(undone.output.as_ref(), Some(&first.path));
    assert_eq!(undone.moved_to, None);
}

#[test]
fn an_edit_that_is_undone_is_taken_out_by_its_own_name() {
    let place = Place::of(Game::Mw);
    let [first, _, third] = sounds(&place);
    let original = fs::read(place.path("out").join(&first.path)).unwrap();
    silence(&place, &first);
    silence(&place, &third);
    let to = Destination::InPlace;
    packed(&place, &to, &[]);
    fs::write(place.path("out").join(&first.path), original).unwrap();
    let undone = packed(&place, &to, &[&globset::escape(&first.path)]);
    assert_eq!(undone.removed, [first.source.to_string()]);
    let again = packed(&place, &to, &[&globset::escape(&third.path)]);
    assert_eq!((again.edits.len(), again.removed.len()), (1, 0));
}

#[test]
fn what_a_patch_changed_is_not_undone_by_a_selection() {
    let place = Place::of(Game::Mw);
    let [first, second, _] = sounds(&place);
    silence(&place, &first);
    let patch = place.path("mod.rpatch");
    pack(&PackRequest {
        patch: Some(patch.clone()),
        ..place.request()
    })
    .unwrap();
    silence(&place, &second);
    let (install, folder) = (place.path("install"), place.path("patched"));
    for (to, folder) in [
        (Destination::Folder(folder.clone()), &folder),
        (Destination::InPlace, &install),
    ] {
        apply(&patch, &install, &to, false).unwrap();
        let before = contents(folder);
        let only = [&*globset::escape(&second.path)];
        let refused = pack(&request(&place, &to, &only));
        let named = folder.join(&*first.source);
        assert!(
            matches!(&refused, Err(PackError::OtherwiseMade(path)) if *path == named),
            "{refused:?}"
        );
        assert!(contents(folder) == before);
    }
}

#[test]
fn members_that_came_stay_when_others_are_packed() {
    let place = Place::of(Game::Mw);
    let [first, second, _] = sounds(&place);
    let new = format!("{}/new sound.wav", first.path.rsplit_once('/').unwrap().0);
    fs::copy(
        place.path("out").join(&first.path),
        place.path("out").join(&new),
    )
    .unwrap();
    let to = Destination::Folder(place.path("mod"));
    let added = pack(&PackRequest {
        add: true,
        ..request(&place, &to, &[])
    });
    assert_eq!(added.unwrap().edits.len(), 1);
    silence(&place, &second);
    let both = packed(&place, &to, &[&globset::escape(&second.path)]);
    let outputs: Vec<&str> = both.edits.iter().map(|edit| &*edit.output).collect();
    assert!(
        outputs.contains(&&*new) && outputs.contains(&&*second.path),
        "{outputs:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_in_the_place_of_stored_files_hold_nothing_up() {
    let place = Place::of(Game::Mw);
    let [first, second, _] = sounds(&place);
    silence(&place, &first);
    silence(&place, &second);
    let install = place.path("install");
    packed(
        &place,
        &Destination::InPlace,
        &[&globset::escape(&first.path)],
    );
    let pipe = |path: &Path| {
        fs::remove_file(path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    let stored = install.join(".relicast-edits");
    pipe(&stored.join(&files(&stored)[0]));
    let only = [&*globset::escape(&second.path)];
    // The output is what was packed, so the stored one is not missed; but nothing can be stored in its place.
    let result = pack(&request(&place, &Destination::InPlace, &only));
    assert!(
        matches!(
            result,
            Ok(_) | Err(PackError::Access { .. } | PackError::Foreign(_))
        ),
        "{result:?}"
    );
    pipe(&install.join(".relicast-originals").join(&*first.source));
    let restored = relicast::pack::restore(&install, false).unwrap();
    let [(path, reason)] = &restored.left[..] else {
        panic!("{restored:?}");
    };
    assert_eq!(*path, *first.source);
    assert!(reason.contains("missing or damaged"), "{reason}");
    pipe(&install.join(&*first.source));
    let refused = pack(&request(&place, &Destination::InPlace, &only));
    assert!(refused.is_err(), "{refused:?}");
}
