//! An edited picture as a DDS surface with its smaller sizes.

use super::pixels::{Pixels, Texel, variants};
use crate::config::Config;
use crate::pack::digest::hash;
use crate::pack::edited::{Content, Edited, Refusal};
use crate::pack::proof;
use relicast_convert::shown_picture;
use relicast_emit::{self as emit, Options};
use relicast_formats::everquest::texture::{RowOrder, dds};
use relicast_scene::{Asset, Encoding};

/// Puts the edited picture into the surface `original`, called `name`.
///
/// # Errors
/// The edit is not a PNG, or the surface has a form that is not supported.
pub(in crate::pack) fn encode(
    name: &str,
    original: &[u8],
    edit: &Edited<'_>,
    settings: &Config,
) -> Result<Content, Refusal> {
    let edited = Pixels::new(&edit.bytes)?;
    let mut surface = dds::decode(original).map_err(Refusal::new)?.value;
    let before = surface.picture().map_err(Refusal::new)?;
    if (before.width, before.height) != (edited.width, edited.height) {
        let order = rows_of(name, original, edit, settings)?;
        surface = surface
            .resized(edited.width, edited.height)
            .map_err(Refusal::new)?;
        let is_edited = vec![true; edited.texels.len()];
        return repaint(surface, &edited, &is_edited, order);
    }
    // The archive decides if the first or the last row is shown first; here most texels decide, if most are as before.
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
    // A picture that was painted over as a whole is like neither.
    let order = match bottom.0.abs_diff(top.0) > edited.texels.len() / 4 {
        true => None,
        false => rows_of(name, original, edit, settings).ok(),
    };
    let is_nearest = bottom.0 <= top.0;
    let (order, is_edited) = match order.map_or(is_nearest, |it| it == RowOrder::BottomFirst) {
        true => (RowOrder::BottomFirst, bottom.1),
        false => (RowOrder::TopFirst, top.1),
    };
    repaint(surface, &edited, &is_edited, order)
}

/// A surface with the edited texels of a picture of its size, in all its sizes.
fn repaint(
    mut surface: dds::Dds<'_>,
    edited: &Pixels,
    is_edited: &[bool],
    order: RowOrder,
) -> Result<Content, Refusal> {
    let is_bottom_first = order == RowOrder::BottomFirst;
    let mut is_edited = is_edited.to_vec();
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
    let rounding = edited.report([proof::seen(&result, &edited.texels)]);
    Ok(Content::rounded(bytes, rounding))
}

/// The order of rows that the archive set when the picture was made.
fn rows_of(
    name: &str,
    original: &[u8],
    edit: &Edited<'_>,
    settings: &Config,
) -> Result<RowOrder, Refusal> {
    let options = Options {
        effort: settings.textures.effort,
        ..Options::default()
    };
    for order in [RowOrder::BottomFirst, RowOrder::TopFirst] {
        for is_masked in [false, true] {
            let shown = shown_picture(name, original, order, is_masked, &settings.textures);
            let shown = Asset::Image(shown.map_err(Refusal::new)?);
            let png = emit::encode(&shown, Encoding::Png, &[], options).map_err(Refusal::new)?;
            if hash(&png) == edit.output.blake3 {
                return Ok(order);
            }
        }
    }
    Err(refusal!(
        "its size changed, and its original picture cannot be reproduced, so the order of its rows is unknown; keep the original size"
    ))
}

/// A picture with its last row first.
fn turned_over<T: Clone>(texels: &[T], width: u32) -> Vec<T> {
    let rows = texels.chunks((width as usize).max(1)).rev();
    rows.flatten().cloned().collect()
}
