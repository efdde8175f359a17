//! Documents of runs as files: parsed while they are read, so that their text is never in memory as a whole,
//! and limited to a share of the run's memory.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::seal::Unsealing;
use relicast_limits as limits;
use relicast_source::bytes::open_regular;

/// Bytes to read at once; memory is checked after each.
const PIECE: usize = 1 << 16;

/// Reason why a document could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// It cannot be read, is not a regular file, or exceeds a limit.
    #[error(transparent)]
    Access(#[from] io::Error),
    /// It is not such a document.
    #[error(transparent)]
    Json(serde_json::Error),
}

/// Reads a document, and returns whether its seal is valid, if it has one.
///
/// # Errors
/// It cannot be read, is not such a document, or exceeds its memory budget.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<(T, Option<bool>), Unread> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    let most = limits::document_text();
    if length > most {
        let expected = format!("at most {} MiB (half of limits.memory_mib)", most >> 20);
        return Err(too_large(&expected, &mebibytes(length)).into());
    }
    let mut counted = Counted {
        file: file.take(length),
        seal: Unsealing::new(length),
    };
    let parsed = limits::with_document_budget(|| {
        let text = BufReader::with_capacity(PIECE, &mut counted);
        let mut deserializer = serde_json::Deserializer::from_reader(text);
        let document = T::deserialize(&mut deserializer)?;
        deserializer.end()?;
        serde_json::Result::Ok(document)
    });
    match parsed {
        Ok(Ok(document)) => Ok((document, counted.seal.fits())),
        Ok(Err(error)) if error.is_io() => Err(io::Error::from(error).into()),
        Ok(Err(error)) => Err(Unread::Json(error)),
        Err(_) => {
            let most = limits::document_memory() >> 20;
            let expected = format!("rows within {most} MiB of memory (3/4 of limits.memory_mib)");
            let found = format!("more in {} of text", mebibytes(length));
            Err(too_large(&expected, &found).into())
        }
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

/// Error for an exceeded limit, with advice.
fn too_large(expected: &str, found: &str) -> io::Error {
    let text = format!(
        "expected {expected}, found {found}; no install needs this much: convert again into a new folder, \
         several inputs with --layout source"
    );
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// Reader that passes the bytes of a document to the parser.
struct Counted {
    file: io::Take<File>,
    seal: Unsealing,
}

impl Read for &mut Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        limits::check();
        let count = self.file.read(buffer)?;
        self.seal.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
