//! Archives, with the comments, times and stale memory that packers of the time left in them.

use relicast::formats::codec::{Bytes, PaddedText};
use relicast::formats::zipper::archive::{self, Archive, Entry, FooterVersion, Row};

use crate::Outcome;
use crate::random::Random;

/// Builder of an archive.
#[derive(Debug)]
pub struct Pack {
    archive: Archive<'static>,
    folder: &'static str,
    checksummed: bool,
}

impl Pack {
    /// An archive of Recoil, MechWarrior 3 or Crimson Skies; comments name files below `folder`.
    pub fn new(folder: &'static str) -> Self {
        Self {
            archive: Archive::default(),
            folder,
            checksummed: false,
        }
    }

    /// Makes it an archive of Pirate's Moon, without checksum.
    pub fn version_two(mut self) -> Self {
        self.archive.version = FooterVersion::Two;
        self
    }

    /// Stores a checksum, as Pirate's Moon does for readers.
    pub fn checksummed(mut self) -> Self {
        self.checksummed = true;
        self
    }

    /// Writes 1 for every length, as Pirate's Moon does for motions.
    pub fn unit_lengths(mut self) -> Self {
        self.archive.unit_lengths = true;
        self
    }

    /// Adds a member. Rows alternate: comment and time, stale memory, zeros, a comment with an
    /// invalid time.
    pub fn add(&mut self, name: &str, data: Vec<u8>) -> Outcome {
        let name_field = PaddedText::new(name).ok_or_else(|| format!("name too long: {name}"))?;
        let mut random = Random::named(name);
        let comment = format!("D:\\build\\{}\\{name}", self.folder);
        let comment = PaddedText::<64>::new(&comment).unwrap_or_default();
        let mut row = Row {
            name: name_field,
            ..Row::default()
        };
        match self.archive.entries.len() % 4 {
            0 => {
                row.flags = 2;
                row.comment = Bytes(comment.0);
                // 100 ns ticks since 1601 of a day in early 1999, some seconds apart.
                let time = 125_600_000_000_000_000 + random.below(86_400) * 10_000_000;
                (row.time_low, row.time_high) = (time as u32, (time >> 32) as u32);
            }
            1 => {
                row.flags = random.below(4) as u32;
                row.comment = Bytes(random.bytes());
                (row.time_low, row.time_high) = (random.bits() as u32, random.bits() as u32);
            }
            2 => {}
            _ => row.comment = Bytes(comment.0),
        }
        self.archive.entries.push(Entry {
            row,
            data: data.into(),
            ..Entry::default()
        });
        Ok(())
    }

    /// Encodes the file.
    pub fn finish(mut self) -> Outcome<Vec<u8>> {
        if self.checksummed {
            self.archive.checksum = self.archive.computed_checksum();
        }
        Ok(archive::encode(&self.archive)?)
    }
}
