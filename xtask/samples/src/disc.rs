//! A sample disc: a sheet and an image with a data track and two audio tracks, with gaps between them,
//! like MechWarrior 3's.

use relicast::asset::Game;
use relicast::source::disc::cue::{
    CueFile, CueIndex, CueSheet, CueTrack, FileFormat, Time, TrackMode, write,
};
use relicast::source::disc::sector::RAW;
use relicast::source::disc::write::{NewFile, iso9660, raw_sectors};

use crate::Outcome;
use crate::tone::{self, Coding, Tone};
use crate::{SampleFile, files as install_files};

/// Name of the sheet.
pub const SHEET: &str = "Sample Disc.cue";

/// Name of the image.
const IMAGE: &str = "Sample Disc.bin";

/// Parts of the install that are on the disc.
const ON_DISC: [&str; 7] = [
    "README.TXT",
    "Mech3Msg.dll",
    "video/intro.avi",
    "zbd/interp.zbd",
    "zbd/motion.zbd",
    "zbd/reader.zbd",
    "zbd/soundsL.zbd",
];

/// Sectors of silence between data and music.
const FIRST_GAP: usize = 150;

/// Sectors between the two tunes.
const SECOND_GAP: usize = 20;

/// The files of the image.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files() -> Outcome<Vec<SampleFile>> {
    let install = install_files(Game::Mw, 1)?;
    let chosen = install.iter().filter(|file| ON_DISC.contains(&&*file.path));
    let chosen: Vec<NewFile<'_>> = chosen
        .map(|file| NewFile {
            path: &file.path,
            bytes: &file.bytes,
        })
        .collect();
    let music = [
        tune(&[262, 330, 392, 523, 392, 330]),
        tune(&[220, 262, 330, 440]),
    ];
    image("SAMPLE_DISC", &chosen, &music)
}

/// Samples of a tune, in whole sectors.
fn tune(notes: &'static [u32]) -> Vec<u8> {
    let tone = Tone {
        coding: Coding::Pcm16,
        channels: 2,
        rate: 44_100,
        notes,
        note_length: 400,
    };
    let mut samples = tone::words(&tone.samples());
    samples.resize(samples.len().next_multiple_of(RAW), 0);
    samples
}

/// A sheet and an image of a data track and audio tracks.
///
/// # Errors
/// The disc would be too long for a sheet.
pub fn image(volume: &str, files: &[NewFile<'_>], music: &[Vec<u8>]) -> Outcome<Vec<SampleFile>> {
    let mut bytes = raw_sectors(&iso9660(volume, files), 1, 0);
    let mut sheet = CueSheet {
        catalog: Some("0000000000017".to_owned()),
        title: Some(volume.to_owned()),
        performer: Some("relicast".to_owned()),
        remarks: vec!["COMMENT \"a sample; nothing here is from a game\"".to_owned()],
        files: vec![CueFile {
            name: IMAGE.to_owned(),
            format: FileFormat::Binary,
            offset: 0,
        }],
        ..CueSheet::default()
    };
    let index = |number: u8, bytes: usize| -> Outcome<CueIndex> {
        Ok(CueIndex {
            number,
            file: 0,
            time: Time(u32::try_from(bytes / RAW)?),
            offset: 0,
        })
    };
    let track = |number: u8, mode: TrackMode, indices: Vec<CueIndex>| CueTrack {
        number,
        title: (mode == TrackMode::Audio).then(|| format!("Tune {}", number - 1)),
        performer: None,
        isrc: (mode == TrackMode::Audio).then(|| format!("XXSAM99000{number:02}")),
        flags: match mode {
            TrackMode::Audio => vec!["DCP".to_owned()],
            _ => Vec::new(),
        },
        mode,
        session: 1,
        pregap: None,
        postgap: None,
        indices,
        offset: 0,
    };
    sheet
        .tracks
        .push(track(1, TrackMode::Mode1Raw, vec![index(1, 0)?]));
    for (number, samples) in (2..).zip(music) {
        let start = index(0, bytes.len())?;
        // The gap after the data is silent; the gap between tunes has the noise of a fade.
        match number {
            2 => bytes.resize(bytes.len() + FIRST_GAP * RAW, 0),
            _ => bytes.extend((0..SECOND_GAP * RAW).map(|byte| (byte % 4 / 3) as u8)),
        }
        let indices = vec![start, index(1, bytes.len())?];
        bytes.extend(samples);
        sheet.tracks.push(track(number, TrackMode::Audio, indices));
    }
    Ok(vec![
        SampleFile {
            path: SHEET.to_owned(),
            bytes: write(&sheet).into_bytes(),
        },
        SampleFile {
            path: IMAGE.to_owned(),
            bytes,
        },
    ])
}
