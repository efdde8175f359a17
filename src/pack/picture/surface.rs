//! An edited picture as a DDS surface with its smaller sizes.

use super::pixels::{Pixels, Texel, variants};
use crate::formats::everquest::texture::dds;
use crate::pack::edited::{Content, Edited, Refusal};
use crate::pack::proof;

/// The surface `original` with the edited picture in it.
///
/// # Errors
/// The edit is no PNG or of another size, or the surface is of a form that is not written.
pub(in crate::pack) fn encode(original: &[u8], edit: &Edited<'_>) -> Result<Content, Refusal> {
    let edited = Pixels::of(&edit.bytes)?;
    let mut surface = dds::decode(original).map_err(Refusal::new)?.value;
    let before = surface.picture().map_err(Refusal::new)?;
    if (before.width, before.height) != (edited.width, edited.height) {
        return Err(Refusal::new(format_args!(
            "it is {} × {}; surfaces keep their size, {} × {}",
            edited.width, edited.height, before.width, before.height
        )));
    }
    // The rows are shown from the last to the first or from the first to the last, by the archive: as most texels say.
    let bottom_first = variants(&before, None);
    let top_first: Vec<_> = bottom_first
        .iter()
        .map(|shown| turned_over(shown, edited.width))
        .collect();
    let differing = |shown: &[Vec<Texel>]| {
        let edited = edited.edited(shown);
        let count = edited.iter().filter(|edited| **edited).count();
        (count, edited)
    };
    let (bottom, top) = (differing(&bottom_first), differing(&top_first));
    let is_bottom_first = bottom.0 <= top.0;
    let mut is_edited = if is_bottom_first { bottom.1 } else { top.1 };
    let mut texels = edited.texels.clone();
    if is_bottom_first {
        texels = turned_over(&texels, edited.width);
        is_edited = turned_over(&is_edited, edited.width);
    }
    let data = surface
        .repainted(&texels, &is_edited)
        .map_err(Refusal::new)?;
    surface.data = data.into();
    let bytes = dds::encode(&surface).map_err(Refusal::new)?;
    let after = dds::decode(&bytes).map_err(Refusal::new)?.value;
    let after = after.picture().map_err(Refusal::new)?.rgba(None);
    let mut result: Vec<Texel> = after.as_chunks::<4>().0.to_vec();
    if !is_bottom_first {
        result = turned_over(&result, edited.width);
    }
    let rounding = proof::seen(&result, &edited.texels);
    Ok(Content::rounded(bytes, rounding))
}

/// A picture with its last row first.
fn turned_over<T: Clone>(texels: &[T], width: u32) -> Vec<T> {
    let rows = texels.chunks((width as usize).max(1)).rev();
    rows.flatten().cloned().collect()
}
