//! Disc images: a document of facts about the disc, and a recording for each audio track. The
//! files of its data tracks are sources of their own.

mod document;
mod track_use;

pub use document::{AudioDocument, DiscDocument, TrackDocument, document};
pub use track_use::TrackUse;

use std::collections::BTreeMap;
use std::io;

use document::unreadable;

use crate::options::{ConvertOptions, SoundFormat};
use crate::{
    ConvertError, Converter, Disposition, Encoding, OutputRole, OutputSpec, Sink, SkipCode,
    SkipReason, SourceItem,
};
use relicast_codec::{Deviations, FormatError};
use relicast_formats::asset::AssetKind;
use relicast_formats::kind::Kind;
use relicast_scene::{Asset, Document, Recording, SampleSource};
use relicast_source::disc::audio::Samples;
use relicast_source::disc::cue::{self, TrackMode};
use relicast_source::disc::identity::{Contents, PRESSINGS};
use relicast_source::disc::layout::{FRAME, Track};
use relicast_source::disc::sector::USER;
use relicast_source::disc::sums::{Pregap, Sums, md5_text};
use relicast_source::disc::{Disc, DiscKind};

/// Opens a disc image.
///
/// # Errors
/// Nothing of it can be read: its sheet is invalid.
pub fn open_disc(disc: &Disc) -> Result<Box<dyn Converter + '_>, FormatError> {
    open_disc_with_uses(disc, BTreeMap::new())
}

/// Opens a disc image with the known uses of its tracks.
///
/// # Errors
/// As [`open_disc`].
pub(crate) fn open_disc_with_uses(
    disc: &Disc,
    uses: BTreeMap<u8, TrackUse>,
) -> Result<Box<dyn Converter + '_>, FormatError> {
    match &disc.problem {
        Some(problem) => Err(problem.clone()),
        None => Ok(Box::new(DiscFile::new(disc, uses))),
    }
}

/// Number of the last track of a disc.
pub(crate) fn last_track(disc: &Disc) -> u8 {
    let numbers = disc.layout.tracks.iter().map(|track| track.number);
    numbers.max().unwrap_or_default()
}

/// Items of a disc.
#[derive(Debug, Clone)]
enum Content {
    /// Facts about the disc.
    Document,
    /// An audio track, by its index.
    Track(usize),
    /// The audio tracks of the disc, which the image cannot hold.
    NoMusic,
    /// An audio track whose file is copied, with the reason.
    Copied(u8, String),
    /// A track or file that cannot be read.
    Fault(u8, FormatError),
}

/// Text of the reason for music that is not in the image.
const NO_MUSIC: &str = "the disc has music, which an ISO image cannot hold; use a CUE/BIN image";

#[derive(Debug)]
struct DiscFile<'a> {
    disc: &'a Disc,
    contents: Vec<Content>,
    /// Use of each track, by track number.
    uses: BTreeMap<u8, TrackUse>,
    deviations: Deviations,
}

impl<'a> DiscFile<'a> {
    fn new(disc: &'a Disc, uses: BTreeMap<u8, TrackUse>) -> Self {
        let mut contents = vec![Content::Document];
        for (place, track) in disc.layout.tracks.iter().enumerate() {
            let session = disc
                .sessions
                .iter()
                .find(|session| session.track.number == place);
            let no_tree = session.and_then(|session| session.volume.as_ref().err());
            if let Some(why) = copied(disc, place) {
                contents.push(Content::Copied(track.number, why));
                continue;
            }
            match (&track.problem, no_tree) {
                (Some(error), _) | (None, Some(error)) => {
                    contents.push(Content::Fault(track.number, error.clone()));
                }
                (None, None) if track.mode == TrackMode::Audio => {
                    contents.push(Content::Track(place));
                }
                (None, None) if session.is_none() => {
                    let expected =
                        "AUDIO, MODE1/2048, MODE1/2352, MODE2/2048, MODE2/2336 or MODE2/2352";
                    let error =
                        FormatError::unsupported("TRACK.mode", 0, expected, track.mode.word());
                    contents.push(Content::Fault(track.number, error));
                }
                (None, None) => {}
            }
        }
        if had_music(disc) {
            contents.push(Content::NoMusic);
        }
        Self {
            disc,
            contents,
            uses,
            deviations: deviations(disc),
        }
    }
}

/// Files that identify discs with audio tracks.
const WITH_MUSIC: &[&str] = &["mech3.exe", "mech3msg.dll", "recoil.exe"];

/// Sectors between the data of a disc and the first sample of its music: a pregap of two seconds, a postgap before it,
/// and the two sectors that burning adds.
const MUSIC_GAP: u64 = 2 * 150 + 2;

/// Returns true if an image without a sheet is of a disc with audio tracks: by its files, or by its length, which is
/// that of the data track of a known pressing.
fn had_music(disc: &Disc) -> bool {
    if disc.kind == DiscKind::Cue {
        return false;
    }
    let is_known = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        WITH_MUSIC.contains(&&*name) || name.ends_with(".zmap")
    };
    let sectors = disc.layout.lead_out.unwrap_or_default();
    let mut starts = PRESSINGS.iter().filter_map(|one| one.starts.first());
    starts.any(|&start| (start.saturating_sub(MUSIC_GAP)..=start).contains(&sectors))
        || disc.entries().any(|(_, path, _)| is_known(&path))
}

/// Reason for which a track is copied with its file instead of read, if it is.
fn copied(disc: &Disc, place: usize) -> Option<String> {
    let track = disc.sheet.as_ref()?.tracks.get(place)?;
    let start = track.indices.iter().find(|index| index.number == 1)?;
    let file = disc.files.get(start.file)?;
    let form = file.lossy?;
    Some(format!(
        "{:?} holds {form} with lossy compression: the file is copied unchanged",
        file.name
    ))
}

/// Deviations of a disc as a whole.
fn deviations(disc: &Disc) -> Deviations {
    let mut all = disc.deviations.clone();
    all.absorb_from(disc.layout.deviations.clone(), |_| (None, 0));
    for (place, session) in disc.sessions.iter().enumerate() {
        if let Some(track) = disc.layout.tracks.get(session.track.number) {
            let expected = Track::expected(&track.body).div_ceil(track.mode.sector_size());
            if session.track.sectors() < expected {
                let offset = track
                    .body
                    .first()
                    .map_or(0, |piece| piece.offset + piece.length);
                let field = format!("TRACK {:02}", track.number);
                let expected = format!("{expected} sectors");
                all.push(field, place_of(offset), expected, session.track.sectors());
            }
        }
        if let Ok(volume) = &session.volume {
            all.absorb_from(volume.deviations.clone(), |_| (None, 0));
            let there = session.track.start + session.track.sectors();
            if volume.sectors > there {
                let expected = format!("{} sectors (the size of the volume)", volume.sectors);
                all.push("volume", place_of(there * USER as u64), expected, there);
            }
        }
        let health = disc.health().and_then(|health| health.get(place));
        for run in health.map_or(&[][..], |health| &health.runs) {
            let found = if run.first == run.last {
                format!("LBA {}: {}", run.first, run.fault)
            } else {
                format!("LBA {} to {}: {}", run.first, run.last, run.fault)
            };
            let offset = (run.first - session.track.start) * session.track.stored_size();
            all.push(
                "sector",
                place_of(offset),
                "sectors as they were written",
                found,
            );
        }
    }
    all
}

fn place_of(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

fn member_of(number: u8) -> String {
    format!("track {number:02}")
}

/// The index of the track that an item of a disc is.
pub fn track_of(disc: &Disc, item: &SourceItem) -> Option<usize> {
    let member = item.member.as_deref()?;
    let mut tracks = disc.layout.tracks.iter();
    tracks.position(|track| member_of(track.number) == member)
}

fn stem_of(number: u8) -> String {
    format!("track{number:02}")
}

impl Converter for DiscFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let part = |content: &Content| {
            let (kind, member, stem, wanted, range) = match content {
                Content::Document => {
                    let size = self.disc.files.iter().map(|file| file.size).sum();
                    (Kind::Disc, None, None, vec![OutputSpec::DOCUMENT], 0..size)
                }
                Content::Track(place) => {
                    let track = self.disc.layout.tracks.get(*place);
                    let number = track.map_or(0, |track| track.number);
                    let pregap = options.music.pregap;
                    let start = self.disc.place_of_samples(*place, pregap);
                    let start = start.map_or(0, |start| start.offset);
                    let samples = self.disc.samples(*place, pregap);
                    let bytes = samples.map_or(0, |samples| samples.bytes());
                    let range = start..start.saturating_add(bytes);
                    let stem = Some(stem_of(number));
                    let member = Some(member_of(number));
                    (Kind::AudioTrack, member, stem, formats(options), range)
                }
                Content::NoMusic => {
                    let member = Some("audio tracks".to_owned());
                    (Kind::AudioTrack, member, None, vec![], 0..0)
                }
                Content::Copied(number, _) | Content::Fault(number, _) => {
                    let member = Some(member_of(*number));
                    (
                        Kind::AudioTrack,
                        member,
                        Some(stem_of(*number)),
                        vec![],
                        0..0,
                    )
                }
            };
            let (asset, category) = kind.asset();
            let verdict = match content {
                Content::Fault(_, error) => Disposition::Fail(error.clone()),
                Content::NoMusic => Disposition::Skip(SkipReason::new(SkipCode::NoMusic, NO_MUSIC)),
                Content::Copied(_, why) => {
                    Disposition::Skip(SkipReason::new(SkipCode::CopiedAsFile, why))
                }
                _ => Disposition::Convert,
            };
            SourceItem {
                member,
                kind,
                asset: match content {
                    Content::Fault(..) => AssetKind::Discs,
                    _ => asset,
                },
                category,
                range,
                stem,
                suffix: None,
                folders: Vec::new(),
                wanted,
                verdict,
            }
        };
        self.contents.iter().map(part).collect()
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match self.contents.get(index) {
            Some(Content::Document) => {
                let mut document = document(self.disc)?;
                for track in &mut document.tracks {
                    track.plays = self.uses.get(&track.number).cloned();
                }
                if let Some(found) = &document.identification {
                    sink.note(format!("pressing: {}", found.describe()));
                }
                sink.take(OutputRole::Main, Asset::Document(Document::new(&document)))?;
                Ok(Deviations::default())
            }
            Some(Content::Track(place)) => self.track(*place, options.music.pregap, sink),
            Some(Content::Fault(_, error)) => Err(error.clone().into()),
            Some(Content::Copied(..) | Content::NoMusic) | None => Ok(Deviations::default()),
        }
    }
}

fn formats(options: &ConvertOptions) -> Vec<OutputSpec> {
    let encodings: &[Encoding] = match options.music.format {
        SoundFormat::Wav => &[Encoding::Wav],
        SoundFormat::Flac => &[Encoding::Flac],
        SoundFormat::Both => &[Encoding::Wav, Encoding::Flac],
        SoundFormat::Ogg => &[Encoding::Ogg],
    };
    let wanted = encodings.iter().map(|&encoding| OutputSpec {
        role: OutputRole::Main,
        encoding,
    });
    wanted.collect()
}

/// Samples of a track, read as a recording.
#[derive(Debug)]
struct TrackSamples(Samples);

impl SampleSource for TrackSamples {
    fn frames(&self) -> u64 {
        self.0.frames()
    }

    fn read(&self, frame: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(frame.saturating_mul(FRAME), buffer)
    }
}

impl DiscFile<'_> {
    fn track(
        &self,
        place: usize,
        pregap: Pregap,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let mut deviations = Deviations::default();
        let (Some(track), Some(samples), Some(sums)) = (
            self.disc.layout.tracks.get(place),
            self.disc.samples(place, pregap),
            self.disc.sums(place),
        ) else {
            return Ok(deviations);
        };
        let sums = sums.as_ref().map_err(unreadable)?.of(pregap);
        let (expected, there) = (Track::expected(&track.body), Track::present(&track.body));
        let offset = track.body.first().map_or(0, |piece| piece.offset);
        if there < expected {
            let expected = format!("{} samples", expected / FRAME);
            let found = format!("{} (the image ends)", there / FRAME);
            deviations.push("samples", place_of(offset + there), expected, found);
        }
        let recording = Recording {
            samples: &TrackSamples(samples),
            md5: sums.md5,
            tags: self.tags(place, track, sums),
        };
        sink.take(OutputRole::Main, Asset::Recording(recording))?;
        Ok(deviations)
    }

    /// Vorbis comments for the FLAC file of a track.
    fn tags(&self, place: usize, track: &Track, sums: &Sums) -> Vec<(String, String)> {
        let disc = self.disc;
        let sheet = disc.sheet.as_ref();
        let listed = sheet.and_then(|sheet| sheet.tracks.get(place));
        let volume = disc
            .sessions
            .iter()
            .find_map(|session| session.volume.as_ref().ok());
        let album = sheet
            .and_then(|sheet| sheet.title.clone())
            .or_else(|| volume.map(|volume| volume.name.clone()))
            .filter(|album| !album.is_empty())
            .unwrap_or_else(|| disc.name.clone());
        let contents = Contents::of(&disc.layout);
        let ids = contents.as_ref();
        let title = listed.and_then(|listed| listed.title.clone());
        let performer = listed.and_then(|listed| listed.performer.clone());
        let performer = performer.or_else(|| sheet?.performer.clone());
        let plays = self.uses.get(&track.number);
        let title = title.or_else(|| plays?.title());
        let values = [
            (
                "TITLE",
                Some(title.unwrap_or_else(|| format!("Track {:02}", track.number))),
            ),
            ("ARTIST", performer),
            ("ALBUM", Some(album)),
            ("TRACKNUMBER", Some(track.number.to_string())),
            ("TRACKTOTAL", Some(last_track(disc).to_string())),
            ("COMMENT", plays.and_then(TrackUse::description)),
            ("ISRC", listed.and_then(|listed| listed.isrc.clone())),
            ("CATALOG", sheet.and_then(|sheet| sheet.catalog.clone())),
            ("CRC32", Some(format!("{:08X}", sums.crc32))),
            ("MD5", Some(md5_text(&sums.md5))),
            ("DISCID", ids.map(Contents::cddb)),
            ("MUSICBRAINZ_DISCID", ids.map(Contents::musicbrainz)),
            ("CTDB_TOCID", ids.and_then(Contents::ctdb)),
            ("CUESHEET", sheet.map(|_| cue::text(&disc.sheet_bytes))),
        ];
        let known = values.into_iter().filter_map(|(name, value)| {
            let value = value.filter(|value| !value.is_empty())?;
            Some((name.to_owned(), value))
        });
        known.collect()
    }
}
