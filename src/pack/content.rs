//! One source or member from its edited output, by kind.

use super::digest::hash;
use super::edited::{Content, Edited, Refusal};
use super::{picture, proof, reader, script, sound};
use crate::formats::kind::Kind;
use crate::scene::Encoding;

/// Encodes what `edited` holds as a source of `kind`; `name` and `original` are those of the source.
///
/// # Errors
/// It is no such content, or the format cannot hold it.
pub(super) fn encode(
    kind: Kind,
    name: &str,
    original: &[u8],
    edited: &Edited<'_>,
) -> Result<Content, Refusal> {
    // What was copied goes back as it is.
    if edited.output.blake3 == hash(original) && kind != Kind::Wave {
        return Ok(Content {
            bytes: edited.bytes.clone(),
            rounding: None,
        });
    }
    let content = match kind {
        Kind::Wave => {
            edited.is_main(&[Encoding::Wav, Encoding::Flac])?;
            return sound::encode(original, &edited.bytes);
        }
        Kind::Bitmap => return picture::encode_bitmap(name, original, edited),
        Kind::BinaryReader | Kind::TextReader => {
            edited.is_main(&[Encoding::Json])?;
            reader::encode(kind, original, &document(&edited.bytes)?)?
        }
        Kind::Interp => {
            edited.is_main(&[Encoding::Json])?;
            script::encode(original, &document(&edited.bytes)?)?
        }
        other => {
            return Err(Refusal::new(format_args!(
                "there is no way back for a source of the kind {}",
                other.label()
            )));
        }
    };
    proof::document(kind, name, &content, &document(&edited.bytes)?)?;
    Ok(Content {
        bytes: content,
        rounding: None,
    })
}

/// The JSON of an edited document.
fn document(bytes: &[u8]) -> Result<serde_json::Value, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| {
        Refusal::new(format_args!(
            "line {}, column {}: {error}",
            error.line(),
            error.column()
        ))
    })
}
