//! Encodes one source or member from its edited outputs, by kind.

use super::edited::{Content, Refusal, Refusals};
use super::json::parse;
use super::unit::Unit;
use super::{document, message, picture, proof, reader, script, sound, value};
use relicast_formats::everquest::texture::{self, FileKind};
use relicast_formats::kind::Kind;
use relicast_scene::Encoding;

/// Encodes edited outputs as a source of its kind.
///
/// # Errors
/// The content is invalid, or the format cannot hold it.
pub(super) fn encode(unit: &Unit<'_, '_>) -> Result<Content, Refusals> {
    if let Some(copied) = unit.copied()? {
        return Ok(copied);
    }
    if unit
        .edits
        .iter()
        .any(|edit| edit.output.path.ends_with(".raw.json"))
    {
        return value::encode(unit);
    }
    let (kind, name, original) = (unit.kind, unit.name, unit.original);
    let refuse = |refusal: Refusal| unit.refuse(refusal);
    let is_foreign = matches!(kind, Kind::Unknown | Kind::Foreign);
    if let Some(format) = picture::foreign::format_of(name).filter(|_| is_foreign) {
        let edit = unit.only(&[Encoding::Png])?;
        return picture::foreign::encode(format, original, edit).map_err(refuse);
    }
    if is_foreign
        && unit
            .edits
            .iter()
            .all(|edit| edit.output.path.ends_with(".png"))
    {
        // A separate picture file that was converted.
        let edit = unit.only(&[Encoding::Png])?;
        match texture::sniff(original) {
            Some(FileKind::Bmp) => {
                return picture::bitmap::encode(name, original, edit).map_err(refuse);
            }
            Some(FileKind::Jpeg) => {
                return picture::portable::encode(original, edit).map_err(refuse);
            }
            _ => {}
        }
    }
    match kind {
        Kind::Livery => picture::livery::encode(unit),
        Kind::Wave => {
            let edit = unit.only(&[Encoding::Wav, Encoding::Flac, Encoding::Ogg])?;
            sound::encode(original, &edit.bytes).map_err(refuse)
        }
        Kind::Bitmap => {
            let edit = unit.only(&[Encoding::Png])?;
            picture::bitmap::encode(name, original, edit).map_err(refuse)
        }
        Kind::Picture => {
            let edit = unit.only(&[Encoding::Png])?;
            picture::portable::encode(original, edit).map_err(refuse)
        }
        Kind::Dds => {
            let edit = unit.only(&[Encoding::Png])?;
            picture::surface::encode(name, original, edit, unit.settings).map_err(refuse)
        }
        Kind::BinaryReader | Kind::TextReader => {
            document(unit, |edited| reader::encode(kind, original, edited))
        }
        Kind::Xmidi if unit.edits.iter().all(|edit| !edit.output.path.ends_with(".json")) => {
            Err(unit.refuse(
                "it is a rendering of the game's music, and cannot be turned back into notes; edit the document with the notes, or the raw document (raw.enabled)",
            ))
        }
        Kind::Interp => document(unit, |edited| script::encode(original, edited)),
        Kind::MessageDll => message::encode(unit),
        _ => match unit.only(&[Encoding::Json]) {
            Ok(edit) => match document::encode(kind, original, &edit.bytes) {
                Some(bytes) => self::document(unit, |_| bytes),
                None => value::encode(unit),
            },
            Err(_) => value::encode(unit),
        },
    }
}

/// A source with a single document: encoded, and converted again for comparison.
fn document(
    unit: &Unit<'_, '_>,
    encode: impl FnOnce(&mut serde_json::Value) -> Result<Vec<u8>, Refusal>,
) -> Result<Content, Refusals> {
    let edit = unit.only(&[Encoding::Json])?;
    let packed = || {
        let mut edited = parse(&edit.bytes)?;
        let bytes = encode(&mut edited)?;
        proof::document(unit.kind, unit.name, &bytes, &edited)?;
        Ok(Content::exact(bytes))
    };
    packed().map_err(|refusal: Refusal| unit.refuse(refusal))
}
