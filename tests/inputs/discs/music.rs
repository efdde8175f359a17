//! Music of a disc, as the readers on the disc describe it.

use std::fs;

use relicast::asset::Game;
use relicast::source::disc::sector::RAW;
use relicast::source::disc::write::NewFile;
use relicast_samples as samples;
use relicast_testing::test;
use serde_json::json;

use super::{convert, disc_of, flac};

fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let found = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.map(|(_, value)| &**value)
}

/// Writes a disc with three tracks of music and readers at `path`; `cut` bytes are missing at their end.
fn disc(folder: &std::path::Path, path: &str, cut: usize, titles: bool) {
    let install = samples::files(Game::Rc, 1).unwrap();
    let readers = install.iter().find(|file| file.path == "zbd/zrdr.zbd");
    let readers = &readers.unwrap().bytes;
    let bytes = &readers[..readers.len() - cut];
    let music: Vec<Vec<u8>> = (1..=3).map(|sound| vec![sound; 8 * RAW]).collect();
    let files = samples::disc::image("DISC", &[NewFile { path, bytes }], &music).unwrap();
    for file in files {
        let text = match file.path.ends_with(".cue") && !titles {
            true => {
                let text = String::from_utf8(file.bytes).unwrap();
                let lines = text.lines().filter(|line| !line.contains("TITLE \"Tune"));
                lines.collect::<Vec<_>>().join("\n").into_bytes()
            }
            false => file.bytes,
        };
        fs::write(folder.join(&file.path), text).unwrap();
    }
}

#[test]
fn tracks_are_called_as_the_game_calls_them_and_list_which_missions_play_them() {
    let scratch = tempfile::tempdir().unwrap();
    // The disc itself, and a folder with it.
    for (number, input) in [samples::disc::SHEET, ""].into_iter().enumerate() {
        let folder = scratch.path().join(format!("in{number}"));
        fs::create_dir(&folder).unwrap();
        disc(&folder, "ZBD/ZRDR.ZBD", 0, false);
        let out = scratch.path().join(format!("out{number}"));
        assert_eq!(convert(&folder.join(input), &out, ""), Some(0));
        let (document, tracks) = disc_of(&out);
        // Four tracks: missions take tracks 2 and 3 in turn.
        let plays = |track: usize| &document["tracks"][track - 1]["plays"];
        assert_eq!(
            plays(2),
            &json!({"names": ["menu"], "is_menu": true, "missions": [2]})
        );
        assert_eq!(plays(3), &json!({"names": ["convoy"], "missions": [1]}));
        assert!(plays(1).is_null() && plays(4).is_null());
        let (_, tags) = flac(&tracks.join("track02.flac"));
        assert_eq!(tag(&tags, "TITLE"), Some("menu"));
        assert_eq!(tag(&tags, "COMMENT"), Some("menu; mission 2"));
        let (_, tags) = flac(&tracks.join("track04.flac"));
        assert_eq!(
            (tag(&tags, "TITLE"), tag(&tags, "COMMENT")),
            (Some("Track 04"), None)
        );
    }
}

#[test]
fn the_sheet_names_tracks_first_and_readers_of_other_games_list_no_missions() {
    let scratch = tempfile::tempdir().unwrap();
    disc(scratch.path(), "zbd/reader.zbd", 0, true);
    let out = scratch.path().join("out");
    let input = scratch.path().join(samples::disc::SHEET);
    assert_eq!(convert(&input, &out, ""), Some(0));
    let (document, tracks) = disc_of(&out);
    assert_eq!(document["tracks"][1]["plays"], json!({"names": ["menu"]}));
    let (_, tags) = flac(&tracks.join("track02.flac"));
    assert_eq!(tag(&tags, "TITLE"), Some("Tune 1"));
    assert_eq!(tag(&tags, "COMMENT"), None);
}

#[test]
fn damaged_readers_cost_the_music_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    disc(scratch.path(), "zbd/zrdr.zbd", 7, false);
    let out = scratch.path().join("out");
    let input = scratch.path().join(samples::disc::SHEET);
    assert_eq!(convert(&input, &out, ""), Some(2));
    let (document, tracks) = disc_of(&out);
    assert!(document["tracks"][1]["plays"].is_null());
    assert_eq!(flac(&tracks.join("track04.flac")).0, vec![3; 8 * RAW]);
}
