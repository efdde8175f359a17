//! One source or member from its edited output, by kind.

use super::digest::hash;
use super::edited::{Content, Edited, Refusal};
use super::{picture, proof, reader, script, sound};
use crate::formats::kind::Kind;

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
    let path = &*edited.output.path;
    if path.ends_with(".raw.json") {
        return Err(Refusal::new("raw documents are not read"));
    }
    let content = match kind {
        Kind::Wave => return sound::encode(original, &edited.bytes),
        Kind::Bitmap => return picture::encode_bitmap(name, original, edited),
        Kind::BinaryReader | Kind::TextReader => {
            reader::encode(kind, original, &document(&edited.bytes)?)?
        }
        Kind::Interp => script::encode(original, &document(&edited.bytes)?)?,
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
