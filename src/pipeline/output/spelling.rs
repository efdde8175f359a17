//! Documents as files: short ones are whole in memory before they are written, long ones are written while they are spelled,
//! under a name that is not theirs yet.

use std::io::{self, Write};
use std::time::Instant;

use super::encoding::ItemEncoder;
use super::folder::{OutputFolder, Unfinished};
use crate::pipeline::run::stage_clock::StageClock;
use relicast_convert::ConvertError;
use relicast_emit::json;
use relicast_limits::{
    self as limits,
    spending::{self, Stage},
};
use relicast_scene::{Asset, Document, Encoding};

/// Spells the documents of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spelling<'s> {
    pub encoder: ItemEncoder<'s>,
    /// Where outputs go, if they are written.
    pub folder: Option<&'s OutputFolder>,
    /// Somebody wants all bytes of an output at once.
    pub is_whole: bool,
}

/// A document that is spelled.
pub(super) enum Spelled<'s> {
    /// A short one by its path, not written yet.
    Whole(&'s str, Vec<u8>),
    /// A long one.
    Streamed(Streamed<'s>),
}

/// A file that is written and has no name yet.
pub(super) struct Streamed<'s> {
    /// Its path below the output folder.
    pub path: &'s str,
    /// None where outputs are not written.
    pub file: Option<Unfinished<'s>>,
    pub blake3: blake3::Hash,
    pub size: u64,
}

impl<'s> Spelling<'s> {
    /// The file of a document at this path. Other assets than documents have no file in JSON.
    ///
    /// # Errors
    /// It cannot be expressed, or cannot be written.
    pub(super) fn make(
        self,
        asset: &Asset<'_>,
        encoding: Encoding,
        path: &'s str,
    ) -> Result<Spelled<'s>, ConvertError> {
        match (asset, encoding) {
            (Asset::Document(document), Encoding::Json) if !self.is_whole => {
                self.spell(document, path)
            }
            _ => {
                let bytes = self.encoder.single(asset, encoding, path)?;
                Ok(Spelled::Whole(path, bytes.into_owned()))
            }
        }
    }

    fn spell(self, document: &Document<'_>, path: &'s str) -> Result<Spelled<'s>, ConvertError> {
        let region = spending::enter(Stage::Emit, "");
        let start = Instant::now();
        let mut pieces = Pieces {
            path,
            folder: self.folder,
            begun: None,
        };
        let spelled = json::write(document, self.encoder.options.style, &mut pieces);
        let spelled = spelled.map_err(|error| match error.is_io() {
            true => unwritten(path, error.into()),
            false => ConvertError::Emit(error.to_string()),
        });
        let end = spelled?;
        let made = if pieces.begun.is_none() {
            region.note(0, end.len() as u64);
            Spelled::Whole(path, end)
        } else {
            let last = pieces.write_all(&end);
            last.map_err(|error| unwritten(path, error))?;
            let Begun { file, hasher, size } = pieces.begun.unwrap_or_default();
            region.note(0, size);
            // It was hashed and written as it was spelled.
            spending::enter(Stage::Write, "").note(size, size);
            let blake3 = hasher.finalize();
            Spelled::Streamed(Streamed {
                path,
                file,
                blake3,
                size,
            })
        };
        StageClock::add(&self.encoder.clock.emit, start);
        Ok(made)
    }
}

/// An output that cannot be written.
pub(super) fn unwritten(path: &str, error: io::Error) -> ConvertError {
    let path = path.to_owned();
    ConvertError::Write { path, error }
}

/// Writes a file that begins with the first piece.
struct Pieces<'s> {
    path: &'s str,
    folder: Option<&'s OutputFolder>,
    begun: Option<Begun<'s>>,
}

#[derive(Default)]
struct Begun<'s> {
    file: Option<Unfinished<'s>>,
    hasher: blake3::Hasher,
    size: u64,
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let begun = match &mut self.begun {
            Some(begun) => begun,
            none => {
                let file = self.folder.map(|folder| folder.begin(self.path));
                none.insert(Begun {
                    file: file.transpose()?,
                    ..Begun::default()
                })
            }
        };
        begun.size += bytes.len() as u64;
        limits::reserve_written(begun.size);
        begun.hasher.update(bytes);
        if let Some(file) = &mut begun.file {
            file.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
