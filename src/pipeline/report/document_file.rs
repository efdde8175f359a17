//! Documents of runs as files: parsed as they are read, so that their text is never in memory as a whole, and held to a share
//! of the memory of a run.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::seal::Unsealing;
use relicast_limits as limits;
use relicast_source::bytes::open_regular;

/// Bytes that are read at once; memory is looked at as often.
const PIECE: usize = 1 << 16;

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// It cannot be read, is no regular file, or meets a limit.
    #[error(transparent)]
    Access(#[from] io::Error),
    /// It is no such document.
    #[error(transparent)]
    Json(serde_json::Error),
}

/// Reads a document, and whether its seal fits, if it has one.
///
/// # Errors
/// It cannot be read, is no such document, or takes more memory than it may.
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

/// A limit that was met, with what to do.
fn too_large(expected: &str, found: &str) -> io::Error {
    let text = format!(
        "expected {expected}, found {found}; no install needs so much, so convert it again into a new folder, several \
         inputs with --layout source"
    );
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// Bytes of a document on their way to the parser.
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
