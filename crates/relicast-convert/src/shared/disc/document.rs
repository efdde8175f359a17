//! Document of a disc image: its files, identifiers, tracks and sheet.

use std::io;

use serde::Serialize;

use super::track_use::TrackUse;
use crate::ConvertError;
use relicast_source::disc::cue::{self, CueSheet, TrackMode};
use relicast_source::disc::data::Health;
use relicast_source::disc::identity::{Contents, Identification, identify};
use relicast_source::disc::iso9660::Names;
use relicast_source::disc::sums::TrackSums;
use relicast_source::disc::{Disc, DiscKind};

/// Error for samples that cannot be read.
pub(super) fn unreadable(error: &io::Error) -> ConvertError {
    ConvertError::Emit(format!("cannot read the audio samples: {error}"))
}

/// Facts about a disc.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiscDocument<'a> {
    /// Name of the file that it was opened by.
    pub image: &'a str,
    /// The files of the image.
    pub files: Vec<FileDocument<'a>>,
    /// Identifiers, if the positions of all tracks are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<Ids>,
    /// The pressing, in words.
    pub pressing: String,
    /// The pressing in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identification: Option<Identification>,
    /// Sector after the last track.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_out: Option<u64>,
    /// The tracks.
    pub tracks: Vec<TrackDocument<'a>>,
    /// The sheet, parsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<&'a CueSheet>,
    /// The text of the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet_text: Option<String>,
}

/// A file of an image.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileDocument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blake3: Option<&'a str>,
    /// Error of a file that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<&'a str>,
}

/// Identifiers of a disc.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ids {
    /// CDDB.
    pub cddb: String,
    /// MusicBrainz.
    pub musicbrainz: String,
    /// CUETools database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ctdb: Option<String>,
}

/// A track.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackDocument<'a> {
    /// Its number.
    pub number: u8,
    /// Layout of its sectors.
    pub mode: &'a TrackMode,
    /// First sector on the disc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// Sectors of the gap before it.
    pub pregap: u64,
    /// Sectors up to the gap of the next track.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sectors: Option<u64>,
    /// Checksums of its cuts.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub audio: Option<AudioDocument<'a>>,
    /// Its file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<VolumeDocument<'a>>,
    /// Its purpose in the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<TrackUse>,
    /// Its sectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'a Health>,
    /// Error of a track that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Checksums of an audio track.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AudioDocument<'a> {
    /// Digests of the track's samples for each of the three ways to cut it.
    pub pcm: &'a TrackSums,
}

/// A file system.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeDocument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Kind of its file names.
    pub names: Names,
    /// Number of files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Gathers the facts about a disc.
///
/// # Errors
/// Samples cannot be read.
pub fn document(disc: &Disc) -> Result<DiscDocument<'_>, ConvertError> {
    let contents = Contents::of(&disc.layout);
    let mut tracks = Vec::new();
    let mut audio = Vec::new();
    for (place, track) in disc.layout.tracks.iter().enumerate() {
        let sums = disc
            .sums(place)
            .map(|sums| sums.as_ref().map_err(unreadable));
        let sums = sums.transpose()?;
        if let Some(sums) = sums {
            let cuts = [&sums.append, &sums.drop, &sums.prepend];
            audio.push((track.number, cuts.map(|cut| cut.crc32).to_vec()));
        }
        let mut sessions = disc.sessions.iter().enumerate();
        let session = sessions.find(|(_, session)| session.track.number == place);
        let volume = session.and_then(|(_, session)| session.volume.as_ref().ok());
        let no_tree = session.and_then(|(_, session)| session.volume.as_ref().err());
        tracks.push(TrackDocument {
            number: track.number,
            mode: &track.mode,
            start: track.start,
            pregap: track.gap,
            sectors: track.sectors,
            audio: sums.map(|pcm| AudioDocument { pcm }),
            volume: volume.map(|volume| VolumeDocument {
                name: &volume.name,
                names: volume.names,
                files: volume.entries.len(),
                bytes: volume
                    .entries
                    .iter()
                    .fold(0, |sum, entry| entry.size.saturating_add(sum)),
            }),
            plays: None,
            check: session
                .and_then(|(number, _)| disc.health()?.get(number))
                .filter(|health| health.checked > 0),
            problem: track.problem.as_ref().or(no_tree).map(ToString::to_string),
        });
    }
    let identification = identify(contents.as_ref(), &audio);
    let pressing = match (&identification, audio.is_empty()) {
        (Some(found), _) => found.describe(),
        (None, true) => "unknown pressing (no audio track)".to_owned(),
        (None, false) => "unknown pressing".to_owned(),
    };
    Ok(DiscDocument {
        image: &disc.name,
        files: disc
            .files
            .iter()
            .map(|file| FileDocument {
                name: &file.name,
                size: file.size,
                blake3: file.blake3(),
                problem: file.problem.as_deref(),
            })
            .collect(),
        ids: contents.as_ref().map(|contents| Ids {
            cddb: contents.cddb(),
            musicbrainz: contents.musicbrainz(),
            ctdb: contents.ctdb(),
        }),
        pressing,
        identification,
        lead_out: disc.layout.lead_out,
        tracks,
        sheet: disc.sheet.as_ref(),
        sheet_text: (disc.kind == DiscKind::Cue).then(|| cue::text(&disc.sheet_bytes)),
    })
}
