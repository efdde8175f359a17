//! Identification of discs: identifiers computed from the positions of their tracks, and known pressings.
//!
//! | identifier | made of |
//! | --- | --- |
//! | CDDB | digits of the seconds at which tracks start, playing time, number of tracks |
//! | MusicBrainz | SHA-1 of first and last track and all starts, counted from the lead-in |
//! | CTDB | SHA-1 of the starts of audio tracks, counted from the first of them |
//!
//! The CTDB rule reproduces the five identifiers in the source of the table of pressings.
//!
//! ```
//! use relicast_source::disc::identity::Contents;
//!
//! let contents = Contents { first: 1, starts: vec![0, 15_000], audio: vec![true, true], lead_out: 30_000 };
//! assert_eq!(contents.cddb().len(), 8);
//! assert!(contents.ctdb().is_some());
//! ```

use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use serde::Serialize;

use super::cue::TrackMode;
use super::layout::Layout;
use super::sector::LEAD_IN;

/// Table of contents of a disc.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contents {
    /// Number of the first track.
    pub first: u8,
    /// First sector of each track; the first of the disc is 0.
    pub starts: Vec<u64>,
    /// True for each track that is audio.
    pub audio: Vec<bool>,
    /// Sector after the last track.
    pub lead_out: u64,
}

/// Sectors between the first session of a disc and the data of its second.
const SESSION_GAP: u64 = 11_400;

impl Contents {
    /// The contents of a layout; `None` when a position is unknown.
    pub fn of(layout: &Layout) -> Option<Self> {
        let tracks = &layout.tracks;
        let starts: Option<Vec<u64>> = tracks.iter().map(|track| track.start).collect();
        Some(Self {
            first: tracks.first()?.number,
            starts: starts?,
            audio: tracks
                .iter()
                .map(|track| track.mode == TrackMode::Audio)
                .collect(),
            lead_out: layout.lead_out?,
        })
    }

    /// CDDB disc ID: eight hexadecimal digits.
    pub fn cddb(&self) -> String {
        let second = |sector: u64| (sector + LEAD_IN) / 75;
        let digits = |mut number: u64| {
            let mut sum = 0;
            while number > 0 {
                sum += number % 10;
                number /= 10;
            }
            sum
        };
        let sum: u64 = self.starts.iter().map(|&start| digits(second(start))).sum();
        let first = self.starts.first().copied().unwrap_or_default();
        let length = second(self.lead_out).saturating_sub(second(first));
        let id = (sum % 255) << 24 | (length & 0xFFFF) << 8 | (self.starts.len() as u64 & 0xFF);
        format!("{id:08X}")
    }

    /// MusicBrainz disc ID. Data tracks after the music are in a session of their own, which does
    /// not count.
    pub fn musicbrainz(&self) -> String {
        let music = self.audio.iter().rposition(|audio| *audio);
        let count = music.map_or(self.starts.len(), |last| last + 1);
        let end = match self.starts.get(count) {
            Some(&data) => data.saturating_sub(SESSION_GAP),
            None => self.lead_out,
        };
        let last = usize::from(self.first) + count.saturating_sub(1);
        let mut text = format!("{:02X}{last:02X}", self.first);
        let mut places = [0_u64; 100];
        if let Some((lead_out, tracks)) = places.split_first_mut() {
            *lead_out = end + LEAD_IN;
            let tracks = tracks.iter_mut().skip(usize::from(self.first.max(1)) - 1);
            for (place, start) in tracks.zip(self.starts.iter().take(count)) {
                *place = start + LEAD_IN;
            }
        }
        for place in places {
            text.push_str(&format!("{place:08X}"));
        }
        base64_of(&text, [('+', '.'), ('/', '_'), ('=', '-')])
    }

    /// CUETools database ID; `None` without audio.
    pub fn ctdb(&self) -> Option<String> {
        let first = self.audio.iter().position(|audio| *audio)?;
        let last = self.audio.iter().rposition(|audio| *audio)?;
        let origin = self.starts.get(first)?;
        let end = match self.starts.get(last + 1) {
            Some(&data) => data.saturating_sub(SESSION_GAP),
            None => self.lead_out,
        };
        let music = self.starts.get(first + 1..=last)?.iter().copied();
        let mut text = String::new();
        for place in music.chain([end]) {
            text.push_str(&format!("{:08X}", place.saturating_sub(*origin)));
        }
        let unused = 99_usize.saturating_sub(last - first);
        text.push_str(&"0".repeat(8 * unused));
        Some(base64_of(&text, [('+', '.'), ('/', '_'), ('=', '-')]))
    }
}

fn base64_of(text: &str, letters: [(char, char); 3]) -> String {
    use base64::Engine;
    let digest = digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes());
    let code = base64::engine::general_purpose::STANDARD.encode(digest);
    let replace = |letter: char| {
        let found = letters.iter().find(|(from, _)| *from == letter);
        found.map_or(letter, |(_, to)| *to)
    };
    code.chars().map(replace).collect()
}

/// A pressing whose tracks are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pressing {
    /// The game's title.
    pub game: &'static str,
    /// Version and language.
    pub edition: &'static str,
    /// First sector of each audio track.
    pub starts: &'static [u64],
    /// Sector after the last one.
    pub lead_out: u64,
    /// CRC-32 of the samples of each audio track, including the gap after it.
    pub checksums: &'static [u32],
}

/// Known pressings. All have one data track, which starts at sector 0.
pub const PRESSINGS: &[Pressing] = &[
    Pressing {
        game: "MechWarrior 3",
        edition: "v1.0 US",
        starts: &[266_445, 280_839],
        lead_out: 294_795,
        checksums: &[0x515B_ECAE, 0x45D6_4143],
    },
    Pressing {
        game: "MechWarrior 3",
        edition: "v1.0 DE",
        starts: &[282_656, 296_612],
        lead_out: 311_156,
        checksums: &[0xEDCC_302C, 0xA262_C28B],
    },
    Pressing {
        game: "MechWarrior 3",
        edition: "v1.1 US",
        starts: &[266_420, 280_376],
        lead_out: 294_770,
        checksums: &[0x8256_86B5, 0x2162_7377],
    },
    Pressing {
        game: "MechWarrior 3",
        edition: "v1.2 US",
        starts: &[266_434, 280_390],
        lead_out: 294_784,
        checksums: &[0xDB5F_6872, 0x6150_2511],
    },
    Pressing {
        game: "MechWarrior 3: Pirate's Moon",
        edition: "v1.2",
        starts: &[100_361],
        lead_out: 142_572,
        checksums: &[0x535B_D032],
    },
];

/// Result of comparing a disc with a known pressing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identification {
    /// The pressing.
    pub pressing: &'static Pressing,
    /// True if every track is at the sector that the pressing has.
    pub contents_match: bool,
    /// Number of each audio track on this disc, and true if its samples are those of the pressing.
    pub tracks: Vec<(u8, bool)>,
}

impl Identification {
    /// A line of text.
    pub fn describe(&self) -> String {
        let mut parts = vec![if self.contents_match {
            "table of contents matches".to_owned()
        } else {
            "table of contents differs".to_owned()
        }];
        parts.extend(self.tracks.iter().map(|(number, matches)| {
            if *matches {
                format!("track {number} matches")
            } else {
                format!("track {number} differs")
            }
        }));
        let Pressing { game, edition, .. } = self.pressing;
        format!("{game} {edition} ({})", parts.join(", "))
    }
}

/// Finds the pressing of a disc. `tracks` are the audio tracks: number, and the checksums of
/// their samples, one for each way of dealing with gaps. Samples count more than positions; a disc that
/// shares neither is unknown.
pub fn identify(contents: Option<&Contents>, tracks: &[(u8, Vec<u32>)]) -> Option<Identification> {
    let judged = PRESSINGS.iter().map(|pressing| {
        let contents_match = contents.is_some_and(|contents| {
            let starts = contents.starts.get(1..).unwrap_or_default();
            contents.starts.first() == Some(&0)
                && contents.audio.first() == Some(&false)
                && starts == pressing.starts
                && contents.lead_out == pressing.lead_out
        });
        let matches: Vec<(u8, bool)> = tracks
            .iter()
            .map(|(number, checksums)| {
                let known = |sum: &u32| pressing.checksums.contains(sum);
                (*number, checksums.iter().any(known))
            })
            .collect();
        Identification {
            pressing,
            contents_match,
            tracks: matches,
        }
    });
    let score = |found: &Identification| {
        let matches = found.tracks.iter().filter(|(_, matches)| *matches).count();
        2 * matches + usize::from(found.contents_match)
    };
    let mut best: Option<Identification> = None;
    for found in judged {
        if score(&found) > best.as_ref().map_or(0, score) {
            best = Some(found);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(pressing: &Pressing) -> Contents {
        let mut starts = vec![0];
        starts.extend(pressing.starts);
        let mut audio = vec![true; starts.len()];
        audio[0] = false;
        Contents {
            first: 1,
            starts,
            audio,
            lead_out: pressing.lead_out,
        }
    }

    #[test]
    fn the_identifiers_of_the_known_pressings_come_out() {
        let expected = [
            "hUJiDDh7s2IYPP1GpLfGVYpIWxE-",
            "vPmoaaMWAdaLNkVSMLqK2HZxmaE-",
            "WJdZLalC42N4VOtU.QQx5GDfvqI-",
            "WJdZLalC42N4VOtU.QQx5GDfvqI-",
            "Y1qrr8eDEKTsSDhgyfHah6MGKzA-",
        ];
        for (pressing, expected) in PRESSINGS.iter().zip(expected) {
            assert_eq!(contents(pressing).ctdb().as_deref(), Some(expected));
        }
    }

    #[test]
    fn other_identifiers_follow_their_published_examples() {
        // Example from MusicBrainz's documentation.
        let music = Contents {
            first: 1,
            starts: [150, 15_363, 32_314, 46_592, 63_414, 80_489]
                .map(|sector| sector - 150)
                .into(),
            audio: vec![true; 6],
            lead_out: 95_462 - 150,
        };
        assert_eq!(music.musicbrainz(), "49HHV7Eb8UKF3aQiNmu1GR8vKTY-");
        assert_eq!(music.cddb(), "3404F606");
    }

    #[test]
    fn samples_distinguish_pressings_with_equal_tables() {
        let shifted = &PRESSINGS[3];
        let tracks = [(2, vec![0, shifted.checksums[0]]), (3, vec![0])];
        let found = identify(Some(&contents(shifted)), &tracks).unwrap();
        assert_eq!(
            found.describe(),
            "MechWarrior 3 v1.2 US (table of contents matches, track 2 matches, track 3 differs)"
        );
        let found = identify(None, &[(2, vec![PRESSINGS[0].checksums[0]])]).unwrap();
        assert_eq!(found.pressing, &PRESSINGS[0]);
        assert!(!found.contents_match);
        assert_eq!(identify(None, &[(2, vec![1, 2, 3])]), None);
    }
}
