//! Edited documents that hold all of their source, so that things can be added and removed too.

use super::edited::Refusal;
use super::json::read;
use relicast_convert::zipper::document::{MapDocument, MotionDocument};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::{motion, zmap};

/// Encodes the source of `kind` that an edited document holds; `None` for kinds without such a document.
///
/// # Errors
/// The document is of another shape, or the format cannot hold it.
pub(super) fn encode(
    kind: Kind,
    original: &[u8],
    edited: &[u8],
) -> Option<Result<Vec<u8>, Refusal>> {
    Some(match kind {
        Kind::Motion => encode_motion(original, edited),
        Kind::Zmap => encode_map(original, edited),
        _ => return None,
    })
}

fn encode_motion(original: &[u8], edited: &[u8]) -> Result<Vec<u8>, Refusal> {
    let document: MotionDocument = read(edited)?;
    let before = motion::decode(original).map_err(Refusal::new)?.value;
    let after = document.motion(&before).map_err(Refusal::new)?;
    motion::encode(&after).map_err(Refusal::new)
}

fn encode_map(original: &[u8], edited: &[u8]) -> Result<Vec<u8>, Refusal> {
    let document: MapDocument<'_> = read(edited)?;
    let before = zmap::decode(original).map_err(Refusal::new)?.value;
    let after = document.map(&before).map_err(Refusal::new)?;
    zmap::encode(&after).map_err(Refusal::new)
}
