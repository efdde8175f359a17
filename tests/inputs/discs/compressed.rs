//! Sheets whose files are compressed, and discs of two sessions.

use std::fs;
use std::path::Path;

use relicast::source::disc::layout::BETWEEN_SESSIONS;
use relicast::source::disc::sector::RAW;
use relicast::source::disc::write::{NewFile, iso9660_at, raw_sectors};
use relicast_samples as samples;
use relicast_testing::test;
use serde_json::Value;

use super::{common, convert, flac};

fn report(out: &Path) -> String {
    common::json(&out.join("report.json")).to_string()
}

/// Sectors of music without a pattern that repeats.
fn music(sectors: usize) -> Vec<u8> {
    let mut random = samples::random::Random::new(sectors as u64);
    (0..sectors * RAW).map(|_| random.bits() as u8).collect()
}

/// FLAC files of two tracks, made by a conversion, and their samples.
fn flac_files(folder: &Path) -> [Vec<u8>; 2] {
    let tracks = [music(9), music(12)];
    let files = samples::disc::image("DISC", &[], &tracks).unwrap();
    let made = folder.join("made");
    samples::write_files(&made, &files).unwrap();
    let out = folder.join("made.out");
    assert_eq!(convert(&made.join(samples::disc::SHEET), &out, ""), Some(0));
    for (number, track) in (2..).zip(&tracks) {
        let name = format!("track{number:02}.flac");
        let found = common::files(&out)
            .into_iter()
            .find(|path| path.ends_with(&name));
        let path = out.join(found.unwrap());
        assert_eq!(flac(&path).0, *track);
        fs::copy(path, folder.join(format!("{number}.flac"))).unwrap();
    }
    tracks
}

#[test]
fn tracks_stored_as_flac_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let tracks = flac_files(folder.path());
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    for number in [2, 3] {
        let name = format!("{number}.flac");
        fs::rename(folder.path().join(&name), input.join(&name)).unwrap();
    }
    // One has its own name, the other that of the WAV file that it was.
    let sheet = "FILE \"2.flac\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n\
                 FILE \"3.wav\" WAVE\n TRACK 02 AUDIO\n  INDEX 01 00:00:00\n";
    fs::write(input.join("disc.cue"), sheet).unwrap();
    let out = folder.path().join("out");
    assert_eq!(convert(&input, &out, ""), Some(0));
    for (number, track) in (1..).zip(&tracks) {
        let path = out.join(format!("music/disc/track{number:02}.flac"));
        assert_eq!(flac(&path).0, *track, "track {number}");
    }
    let damaged = fs::read(input.join("2.flac")).unwrap();
    fs::write(input.join("2.flac"), &damaged[..damaged.len() / 2]).unwrap();
    assert_eq!(convert(&input, &folder.path().join("cut"), ""), Some(2));
}

#[test]
fn tracks_compressed_with_loss_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    let sheet = "FILE \"a.mp3\" MP3\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n\
                 FILE \"b.ogg\" WAVE\n TRACK 02 AUDIO\n  INDEX 01 00:00:00\n";
    fs::write(input.join("disc.cue"), sheet).unwrap();
    let files = [
        ("a.mp3", &b"ID3\x04\0\0 and frames"[..]),
        ("b.ogg", b"OggS\0\x02 and pages of it"),
    ];
    for (name, bytes) in files {
        fs::write(input.join(name), bytes).unwrap();
    }
    for (number, given) in [input.clone(), input.join("disc.cue")]
        .into_iter()
        .enumerate()
    {
        let out = folder.path().join(format!("out{number}"));
        assert_eq!(convert(&given, &out, ""), Some(0), "{}", given.display());
        for (name, bytes) in files {
            let found = common::files(&out)
                .into_iter()
                .find(|path| path.ends_with(name));
            assert_eq!(fs::read(out.join(found.unwrap())).unwrap(), bytes);
        }
        assert!(report(&out).contains("with lossy compression: the file is copied unchanged"));
    }
}

#[test]
fn other_compressed_files_say_which_program_makes_them_readable() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (
            "a.ape",
            "a.ape",
            &b"MAC \x96\x0F and more of it"[..],
            "ffmpeg -i \\\"a.ape\\\" \\\"a.wav\\\"",
        ),
        (
            "a.wv",
            "a.wav",
            b"wvpk and more of it than that",
            "wvunpack \\\"a.wv\\\"",
        ),
        (
            "a.bin.ecm",
            "a.bin",
            b"ECM\0 and more of it than that",
            "unecm \\\"a.bin.ecm\\\" \\\"a.bin\\\"",
        ),
        (
            "a.chd",
            "a.bin",
            b"MComprHD and more of it",
            "chdman extractcd -i \\\"a.chd\\\"",
        ),
        (
            "a.7z",
            "a.bin",
            b"7z\xBC\xAF\x27\x1C and more of it",
            "7z x \\\"a.7z\\\"",
        ),
    ];
    for (number, (stored, named, bytes, reported)) in cases.into_iter().enumerate() {
        let input = folder.path().join(format!("in{number}"));
        fs::create_dir(&input).unwrap();
        fs::write(input.join(stored), bytes).unwrap();
        let form = if named.ends_with("bin") {
            "BINARY"
        } else {
            "WAVE"
        };
        let sheet = format!("FILE \"{named}\" {form}\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n");
        fs::write(input.join("disc.cue"), sheet).unwrap();
        let out = folder.path().join(format!("out{number}"));
        assert_eq!(convert(&input, &out, ""), Some(2), "{stored}");
        assert!(
            report(&out).contains(reported),
            "{stored}: {}",
            report(&out)
        );
    }
}

#[test]
fn second_session_is_read_with_a_remark_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let readme = NewFile {
        path: "README.TXT",
        bytes: b"of the second session",
    };
    let audio = music(20);
    // The second session begins behind lead-out, lead-in and the gap before its track.
    let first = audio.len() / RAW + usize::try_from(BETWEEN_SESSIONS).unwrap() + 150;
    let image = raw_sectors(&iso9660_at("SECOND", &[readme], first), 1, first as u64);
    for (number, remark) in ["REM SESSION 02\n", ""].into_iter().enumerate() {
        let input = folder.path().join(format!("in{number}"));
        fs::create_dir(&input).unwrap();
        fs::write(input.join("1.bin"), &audio).unwrap();
        fs::write(input.join("2.bin"), &image).unwrap();
        let sheet = format!(
            "REM SESSION 01\nFILE \"1.bin\" BINARY\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n\
             {remark}FILE \"2.bin\" BINARY\n TRACK 02 MODE1/2352\n  INDEX 01 00:00:00\n"
        );
        fs::write(input.join("disc.cue"), sheet).unwrap();
        let found = super::files_on(&input);
        let files: Vec<_> = found
            .iter()
            .map(|(path, bytes)| (&**path, bytes.as_deref().unwrap()))
            .collect();
        assert_eq!(
            files,
            [("disc/README.TXT", &b"of the second session"[..])],
            "{remark:?}"
        );
        let out = folder.path().join(format!("out{number}"));
        assert_eq!(convert(&input, &out, ""), Some(0));
        let report: Value = common::json(&out.join("report.json"));
        let reported = report.to_string().contains("a later session");
        assert_eq!(reported, remark.is_empty(), "{report}");
        assert!(!report.to_string().contains("sectors as they were written"));
    }
}
