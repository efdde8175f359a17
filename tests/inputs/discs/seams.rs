//! Cue sheets as other programs write them.

use relicast_testing::test;
use serde_json::Value;

use super::{RAW, music, tracks_of, wave_file};

/// A chunk of a WAV file.
fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap().to_le_bytes();
    let padding = vec![0; body.len() % 2];
    [&name[..], &size, body, &padding].concat()
}

#[test]
fn the_samples_of_a_wave_file_follow_any_chunks() {
    let samples = music(4, 6);
    let mut format =
        b"\xFE\xFF\x02\0\x44\xAC\0\0\x10\xB1\x02\0\x04\0\x10\0\x16\0\x10\0\x03\0\0\0".to_vec();
    format.extend(b"\x01\0\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71");
    let chunks = [
        chunk(b"JUNK", &[1; 27]),
        chunk(b"fmt ", &format),
        chunk(b"fact", &[0; 4]),
        chunk(b"LIST", b"INFOISFT\x04\0\0\0abc\0"),
        chunk(b"data", &samples),
        chunk(b"id3 ", &[5; 31]),
    ]
    .concat();
    let size = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
    let file = [&b"RIFF"[..], &size, b"WAVE", &chunks].concat();
    // A program that wrote to a pipe could not know the sizes.
    let mut endless = wave_file(&samples);
    let place = endless.len() - samples.len();
    endless[4..8].fill(0xFF);
    endless[place - 4..place].fill(0xFF);
    let sheet = "FILE one.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n\
                 FILE two.wav WAVE\nTRACK 02 AUDIO\nINDEX 00 00:00:00\nINDEX 01 00:00:02\n";
    let files = [("one.wav", file), ("two.wav", endless)];
    let (tracks, document) = tracks_of(sheet, &files, "drop", 0);
    assert!(tracks[0].as_ref() == Some(&samples));
    assert!(tracks[1].as_deref() == Some(&samples[2 * RAW..]));
    assert_eq!(document["tracks"][1]["start"], 8);
    assert_eq!(document["lead_out"], 12);
}

#[test]
fn marks_ends_of_lines_and_letter_case_say_nothing() {
    let (one, two) = (music(1, 9), music(2, 7));
    let sheet = "\u{FEFF}rem made by hand\r\n\r\nfile \"DISC (Track 1).BIN\" binary\r\n  track 1 audio\r\n\
                 \tindex 1 0:0:0\r\nFILE \"disc (track 2).bin\" Binary\r\n\ttrack 02 Audio\r\n\
                 \t\tIndex 00 00:00:00\r\n\t\tINDEX 01 00:00:03\r\n";
    let files = [
        ("disc (Track 1).bin", one.clone()),
        ("Disc (Track 2).bin", two.clone()),
    ];
    let (tracks, document) = tracks_of(sheet, &files, "drop", 0);
    assert!(tracks == [Some(one), Some(two[3 * RAW..].to_vec())]);
    assert_eq!(document["tracks"][1]["start"], 12);
    assert_eq!(document["tracks"][1]["pregap"], 3);
    let prepended = tracks_of(sheet, &files, "prepend", 0).0;
    assert!(prepended[1].as_ref() == Some(&two));
}

#[test]
fn a_file_that_is_named_again_goes_on() {
    let whole = music(3, 10);
    let sheet = "FILE a.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE a.bin BINARY\n\
                 TRACK 02 AUDIO\nINDEX 00 00:00:05\nINDEX 01 00:00:06\n";
    let (tracks, document) = tracks_of(sheet, &[("a.bin", whole.clone())], "drop", 0);
    assert!(tracks[0].as_deref() == Some(&whole[..5 * RAW]));
    assert!(tracks[1].as_deref() == Some(&whole[6 * RAW..]));
    assert_eq!(document["files"].as_array().unwrap().len(), 1);
    assert_eq!(document["lead_out"], 10);
}

/// A sheet of `count` audio tracks of two sectors each in one file.
fn many(count: usize) -> String {
    let mut sheet = "FILE a.bin BINARY\n".to_owned();
    for number in 0..count {
        let (seconds, sectors) = (2 * number / 75, 2 * number % 75);
        sheet += &format!(
            "TRACK {:02} AUDIO\nTITLE \"T{number}\"\nINDEX 01 00:{seconds:02}:{sectors:02}\n",
            number + 1
        );
    }
    sheet
}

#[test]
fn a_disc_has_ninety_nine_tracks_and_no_more() {
    let whole = music(8, 2 * 120);
    let files = [("a.bin", whole.clone())];
    let compare = |tracks: &[Option<Vec<u8>>]| {
        assert_eq!(tracks.len(), 99);
        for (number, track) in tracks.iter().enumerate() {
            let start = 2 * number * RAW;
            assert!(
                track.as_deref() == Some(&whole[start..start + 2 * RAW]),
                "{number}"
            );
        }
    };
    let cut = [("a.bin", whole[..2 * 99 * RAW].to_vec())];
    let (tracks, document) = tracks_of(&many(99), &cut, "drop", 0);
    compare(&tracks);
    assert_eq!(document["lead_out"], 198);
    assert!(document["ids"]["musicbrainz"].is_string());

    // Tracks beyond the image do not change those before; their sectors belong to the last one.
    let (mut tracks, document) = tracks_of(&many(120), &files, "drop", 0);
    let last = tracks[98].as_mut().unwrap();
    assert!(last[..] == whole[2 * 98 * RAW..]);
    last.truncate(2 * RAW);
    compare(&tracks);
    assert_eq!(document["sheet"]["tracks"][98]["title"], "T98");
    let others = document["sheet"]["others"].as_array().unwrap();
    let others: Vec<&Value> = others.iter().map(|line| &line["text"]).collect();
    assert_eq!(
        others[..3],
        ["TRACK 100 AUDIO", "TITLE \"T99\"", "INDEX 01 00:02:48"]
    );
}

#[test]
fn numbers_need_not_start_at_one() {
    let whole = music(7, 5);
    let sheet = "FILE a.bin BINARY\nTRACK 98 AUDIO\nINDEX 01 00:00:00\nTRACK 99 AUDIO\nINDEX 01 00:00:02\n\
                 INDEX 02 00:00:04\n";
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(scratch.path().join("a.cue"), sheet).unwrap();
    std::fs::write(scratch.path().join("a.bin"), &whole).unwrap();
    let out = scratch.path().join("out");
    assert_eq!(
        super::convert(&scratch.path().join("a.cue"), &out, ""),
        Some(0)
    );
    let track = |name: &str| super::flac(&out.join("music/a").join(name)).0;
    assert!(track("track98.flac") == whole[..2 * RAW]);
    assert!(track("track99.flac") == whole[2 * RAW..]);
}
