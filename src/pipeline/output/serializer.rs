//! Serialized documents: short ones are completed in memory before they are written, long ones are streamed to
//! a temporary file.

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

/// Serializer for the documents of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputSerializer<'s> {
    pub encoder: ItemEncoder<'s>,
    /// Destination, if outputs are written.
    pub folder: Option<&'s OutputFolder>,
    /// True if a collector needs all bytes of an output at once.
    pub is_whole: bool,
}

/// Serialized document.
pub(super) enum Serialized<'s> {
    /// Short document by path, not written yet.
    Whole(&'s str, Vec<u8>),
    /// Long document.
    Streamed(Streamed<'s>),
}

/// Streamed file with a temporary name.
pub(super) struct Streamed<'s> {
    /// Its path below the output folder.
    pub path: &'s str,
    /// None in a dry run.
    pub file: Option<Unfinished<'s>>,
    pub blake3: blake3::Hash,
    pub size: u64,
}

impl<'s> OutputSerializer<'s> {
    /// Serializes a document for this path. Other assets have no file in JSON.
    ///
    /// # Errors
    /// It cannot be expressed in JSON, or cannot be written.
    pub(super) fn make(
        self,
        asset: &Asset<'_>,
        encoding: Encoding,
        path: &'s str,
    ) -> Result<Serialized<'s>, ConvertError> {
        match (asset, encoding) {
            (Asset::Document(document), Encoding::Json) if !self.is_whole => {
                self.serialize(document, path)
            }
            _ => {
                let bytes = self.encoder.single(asset, encoding, path)?;
                Ok(Serialized::Whole(path, bytes.into_owned()))
            }
        }
    }

    fn serialize(
        self,
        document: &Document<'_>,
        path: &'s str,
    ) -> Result<Serialized<'s>, ConvertError> {
        let region = spending::enter(Stage::Emit, "");
        let start = Instant::now();
        let mut pieces = Pieces {
            path,
            folder: self.folder,
            begun: None,
        };
        let serialized = json::write(document, self.encoder.options.style, &mut pieces);
        let serialized = serialized.map_err(|error| match error.is_io() {
            true => write_error(path, error.into()),
            false => ConvertError::Emit(error.to_string()),
        });
        let end = serialized?;
        let made = if pieces.begun.is_none() {
            region.note(0, end.len() as u64);
            Serialized::Whole(path, end)
        } else {
            let last = pieces.write_all(&end);
            last.map_err(|error| write_error(path, error))?;
            let Begun { file, hasher, size } = pieces.begun.unwrap_or_default();
            region.note(0, size);
            // Already hashed and written by the stream.
            spending::enter(Stage::Write, "").note(size, size);
            let blake3 = hasher.finalize();
            Serialized::Streamed(Streamed {
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

/// Error for an output that cannot be written.
pub(super) fn write_error(path: &str, error: io::Error) -> ConvertError {
    let path = path.to_owned();
    ConvertError::Write { path, error }
}

/// Writer that creates the file with the first chunk.
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
