//! Edited parts of a livery: shading, weights of the paints, overlay.

use super::pixels::{Pixels, Texel};
use crate::pack::edited::{Content, Edited, Refusal, Refusals};
use crate::pack::proof;
use crate::pack::unit::Unit;
use relicast_convert::{OutputRole, OutputSpec};
use relicast_formats::zipper::livery::{self, Livery};
use relicast_scene::Encoding;

/// A part of a livery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Base,
    Mask,
    Overlay,
}

impl Part {
    /// The part that an output is; `None` for outputs that are generated from the parts.
    fn of(path: &str) -> Option<Self> {
        let parts = [
            (Self::Base, OutputRole::Base),
            (Self::Mask, OutputRole::Mask),
            (Self::Overlay, OutputRole::Overlay),
        ];
        let ends = |role: OutputRole| {
            let encoding = Encoding::Png;
            let infix = OutputSpec { role, encoding }.infix();
            path.ends_with(&format!("{infix}.{}", encoding.extension()))
        };
        let found = parts.into_iter().find(|(_, role)| ends(*role));
        found.map(|(part, _)| part)
    }
}

/// Encodes the livery with its edited parts.
///
/// # Errors
/// The edited output follows from the parts, is not a PNG, or the parts differ in size.
pub(in crate::pack) fn encode(unit: &Unit<'_, '_>) -> Result<Content, Refusals> {
    let before = livery::decode(unit.original);
    let before = before.map_err(|error| unit.refuse(error))?.value;
    let (mut refused, mut parts) = (Refusals::new(), Vec::new());
    for &edit in unit.edits {
        match part(edit) {
            Ok(part) => parts.push(part),
            Err(refusal) => refused.push((edit.output.path.clone(), refusal)),
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let edited = |part: Part| {
        parts
            .iter()
            .find(|(own, _)| *own == part)
            .map(|(_, own)| own)
    };
    let size = |pixels: &Pixels| (pixels.width, pixels.height);
    let old = (u32::from(before.width), u32::from(before.height));
    let kept = (parts.len() < 3).then_some(old);
    let mut sizes = parts.iter().map(|(_, own)| size(own)).chain(kept);
    let new = sizes.next().unwrap_or(old);
    if sizes.any(|other| other != new) {
        return Err(unit.refuse(format_args!(
            "base, mask and overlay must have the same size ({} × {} before); to change it, edit all three",
            old.0, old.1
        )));
    }
    let (Ok(width), Ok(height)) = (u16::try_from(new.0), u16::try_from(new.1)) else {
        return Err(unit.refuse("at most 65,535 texels per side can be stored"));
    };
    let colors = |part: Part, before: Vec<u8>| {
        let texels = edited(part).map(|own| own.texels.iter().flat_map(|&[r, g, b, _]| [r, g, b]));
        texels.map_or(before, Iterator::collect)
    };
    let base = colors(Part::Base, before.base_picture());
    let mask = colors(Part::Mask, before.mask_picture());
    let overlay = edited(Part::Overlay).map(|own| own.texels.as_flattened().to_vec());
    let overlay = overlay.unwrap_or_else(|| before.overlay_picture());
    let after = Livery {
        trailing: before.trailing.clone(),
        ..Livery::from_pictures(width, height, &base, &mask, &overlay)
    };
    let bytes = livery::encode(&after).map_err(|error| unit.refuse(error))?;
    let again = livery::decode(&bytes)
        .map_err(|error| unit.refuse(error))?
        .value;
    let roundings = parts.iter().map(|(part, own)| {
        let opaque = |texels: Vec<u8>| -> Vec<Texel> {
            let texels = texels.as_chunks::<3>().0.iter();
            texels.map(|&[r, g, b]| [r, g, b, u8::MAX]).collect()
        };
        let shown = match part {
            Part::Base => opaque(again.base_picture()),
            Part::Mask => opaque(again.mask_picture()),
            Part::Overlay => again.overlay_picture().as_chunks::<4>().0.to_vec(),
        };
        own.report([proof::texels(&shown, &own.texels)])
    });
    let roundings = roundings.collect();
    Ok(Content { bytes, roundings })
}

/// The part that was edited, and its picture.
fn part(edit: &Edited<'_>) -> Result<(Part, Pixels), Refusal> {
    match Part::of(&edit.output.path) {
        Some(part) => Ok((part, Pixels::new(&edit.bytes)?)),
        None => Err(refusal!(
            "it is generated from the parts of the livery, its name and its paints; edit the parts: .base.png, .mask.png, .overlay.png"
        )),
    }
}
