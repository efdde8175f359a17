//! Packs that run at the same time, and other programs that change game files meanwhile.

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use relicast::asset::Game;
use relicast::pack::{
    Destination, Only, PackError, Packed, Request as PackRequest, apply, pack, pack_observed,
    restore,
};
use relicast::pipeline::progress::StageProgress;
use relicast_samples::SampleFile;

use crate::common::{contents, files};
use crate::place::Place;

/// Repetitions of a race.
fn race_rounds() -> usize {
    relicast_testing::rounds(10, 40)
}

/// Maximum repetitions of a race that did not occur.
const MAX_ROUNDS: usize = 4000;

/// An install of two readers, both edited.
fn edited() -> Place {
    let reader = |name: &str, text: &str| SampleFile {
        path: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let place = Place::new(&[
        reader("detail.zrd", "( DETAIL 3 )"),
        reader("other.zrd", "( OTHER 5 )"),
    ]);
    edit(&place, 7);
    place
}

/// Gives both readers this number.
fn edit(place: &Place, number: u32) {
    for (output, name) in [("detail", "DETAIL"), ("other", "OTHER")] {
        let outputs = place.outputs(|found| found.path.contains(output));
        place.edit(&outputs[0].path, |_| {
            format!("[\"{name}\", {number}]").into_bytes()
        });
    }
}

fn in_place(place: &Place) -> PackRequest {
    PackRequest {
        to: Destination::InPlace,
        ..place.request()
    }
}

/// Refused because another pack is running, or has changed the install since this one read it.
fn is_refused(packed: &Result<Packed, PackError>) -> bool {
    matches!(
        packed,
        Err(PackError::Busy(_) | PackError::OtherInstall { .. })
    )
}

#[test]
fn two_packs_at_once_never_lose_the_original() {
    let place = edited();
    let before = contents(&place.path("install"));
    let mut done = 0;
    for round in 0..race_rounds() {
        edit(&place, 10 + u32::try_from(round).unwrap());
        let request = in_place(&place);
        let both = std::thread::scope(|scope| {
            let other = scope.spawn(|| pack(&request));
            [pack(&request), other.join().unwrap()]
        });
        for packed in &both {
            assert!(packed.is_ok() || is_refused(packed), "{packed:?}");
            done += u32::from(packed.is_ok());
        }
        assert!(both.iter().any(Result::is_ok), "{both:?}");
        if round % 2 == 1 {
            let both = std::thread::scope(|scope| {
                let other = scope.spawn(|| restore(&request.from, false));
                [restore(&request.from, false), other.join().unwrap()]
            });
            assert!(both.iter().any(Result::is_ok), "{both:?}");
            assert!(contents(&place.path("install")) == before);
        }
    }
    assert!(done as usize >= race_rounds());
}

#[test]
fn a_pack_that_read_the_install_before_another_one_changed_it_changes_nothing() {
    let place = edited();
    let install = place.path("install");
    let before = contents(&install);
    let originals = install.join(".relicast-originals");
    fs::create_dir(&originals).unwrap();
    let lock = fs::File::create(originals.join("lock")).unwrap();
    lock.lock().unwrap();
    let refused = pack(&in_place(&place));
    assert!(is_refused(&refused), "{refused:?}");
    let patch = place.path("mod.rpatch");
    let packed = pack(&PackRequest {
        patch: Some(patch.clone()),
        ..place.request()
    });
    assert!(
        packed.is_ok(),
        "the lock is that of the install: {packed:?}"
    );
    let refused = apply(&patch, &install, &Destination::InPlace, false);
    assert!(matches!(refused, Err(PackError::Busy(_))), "{refused:?}");
    assert!(matches!(restore(&install, false), Err(PackError::Busy(_))));
    for (path, bytes) in &before {
        assert!(fs::read(install.join(path)).unwrap() == *bytes);
    }
    drop(lock);
    pack(&in_place(&place)).unwrap();
    assert!(contents(&install) != before);
    assert_eq!(restore(&install, false).unwrap().files.len(), 2);
    assert!(contents(&install) == before);
    assert!(!originals.exists());
}

#[test]
fn a_stored_original_is_never_overwritten_and_a_wrong_one_never_restored() {
    let place = edited();
    let install = place.path("install");
    pack(&in_place(&place)).unwrap();
    let kept = install.join(".relicast-originals/detail.zrd");
    let original = fs::read(&kept).unwrap();
    let packed = fs::read(install.join("detail.zrd")).unwrap();
    fs::write(&kept, &packed).unwrap();
    let restored = restore(&install, false).unwrap();
    assert_eq!(restored.files, ["other.zrd"]);
    let left = restored.left.iter().map(|(path, _)| &**path);
    assert_eq!(left.collect::<Vec<&str>>(), ["detail.zrd"]);
    assert!(kept.exists());
    edit(&place, 9);
    let refused = pack(&in_place(&place));
    assert!(matches!(refused, Err(PackError::Foreign(path)) if path == kept));
    assert_eq!(fs::read(&kept).unwrap(), packed);
    fs::write(&kept, &original).unwrap();
    restore(&install, false).unwrap();
    assert_eq!(fs::read(install.join("detail.zrd")).unwrap(), original);
}

/// Puts another file in the place of one, as the launcher of a game does with its settings.
fn replace(place: &Path, text: &str) {
    let beside = place.with_extension("new");
    fs::write(&beside, text).unwrap();
    fs::rename(&beside, place).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_file_that_another_program_replaces_meanwhile_is_never_lost() {
    let (mut rounds, mut refused) = (0, 0);
    // On a busy machine the pack is often done before the other program's thread runs.
    while rounds < race_rounds() || (refused == 0 && rounds < MAX_ROUNDS) {
        rounds += 1;
        let place = edited();
        let (game_file, kept) = (
            place.path("install/other.zrd"),
            place.path("install/.relicast-originals/other.zrd"),
        );
        let packed = std::thread::scope(|scope| {
            scope.spawn(|| {
                // Its original is kept: the next that is written is the game file.
                while !kept.exists() {
                    std::thread::yield_now();
                }
                replace(&game_file, "( OTHER 99 )");
            });
            pack(&in_place(&place))
        });
        refused += u32::from(matches!(packed, Err(PackError::Foreign(_))));
        assert_eq!(fs::read_to_string(&game_file).unwrap(), "( OTHER 99 )");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "( OTHER 5 )");
    }
    assert!(refused > 0, "the race was never met");
}

#[test]
fn two_packs_into_one_folder_leave_what_a_list_names() {
    let place = edited();
    for round in 0..race_rounds() {
        edit(&place, 10 + u32::try_from(round).unwrap());
        let request = place.request();
        let both = std::thread::scope(|scope| {
            let other = scope.spawn(|| pack(&request));
            [pack(&request), other.join().unwrap()]
        });
        for packed in &both {
            assert!(packed.is_ok() || is_refused(packed), "{packed:?}");
        }
        let mut left = files(&place.path("mod"));
        left.sort();
        let (edits, left): (Vec<String>, Vec<String>) = left
            .into_iter()
            .partition(|path| path.starts_with(".relicast-edits/"));
        assert_eq!(left, ["detail.zrd", "other.zrd", "relicast-pack.json"]);
        assert_eq!(edits.len(), 2);
    }
}

#[test]
fn two_packs_of_different_outputs_of_one_archive_lose_neither() {
    let place = Place::of(Game::Mw);
    let sounds = ["blast01", "blast02"].map(|name| format!("sounds/zbd/soundsh/{name}.wav"));
    for sound in &sounds {
        place.edit(sound, |mut bytes| {
            let end = bytes.len();
            bytes[end - 8..].fill(9);
            bytes
        });
    }
    let requests = sounds.each_ref().map(|sound| PackRequest {
        only: Some(Only::new([globset::escape(sound)]).unwrap()),
        ..place.request()
    });
    let to_folder = place.request().to;
    for (to, list) in [
        (to_folder, "mod/relicast-pack.json"),
        (
            Destination::InPlace,
            "install/.relicast-originals/originals.json",
        ),
    ] {
        let [one, other] = requests.each_ref().map(|request| PackRequest {
            to: to.clone(),
            ..request.clone()
        });
        // The other one begins and ends after this one has read the list, and before it writes.
        let is_done = AtomicBool::new(false);
        let meanwhile = |progress: &StageProgress| {
            if progress.stage == "pack" && !is_done.swap(true, Ordering::SeqCst) {
                pack(&other).unwrap();
            }
        };
        let late = pack_observed(&one, &meanwhile);
        assert!(is_done.into_inner() && is_refused(&late), "{late:?}");
        pack(&one).unwrap();
        let text = fs::read_to_string(place.path(list)).unwrap();
        assert!(sounds.iter().all(|sound| text.contains(sound)), "{text}");
    }
}
