//! Embedded pictures as lossless WebP (`EXT_texture_webp`), if smaller than the PNG.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use webp::{Encoder, WebPConfig};

use super::error::GltfError;

/// Name of the extension.
const NAME: &str = "EXT_texture_webp";

/// Converts a PNG to a WebP with the same pixels, including the colors of transparent ones; `None` when that is not
/// smaller, or the PNG has more than 8 bits per channel.
pub(super) fn smaller(png: &[u8]) -> Option<Vec<u8>> {
    let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png).ok()?;
    let kind = picture.color();
    if kind.bytes_per_pixel() != kind.channel_count() {
        return None;
    }
    let mut config = WebPConfig::new().ok()?;
    config.lossless = 1;
    config.exact = 1;
    config.method = 4;
    config.quality = 75.0;
    let webp = match kind.has_alpha() {
        true => {
            let picture = picture.to_rgba8();
            Encoder::from_rgba(&picture, picture.width(), picture.height()).encode_advanced(&config)
        }
        false => {
            let picture = picture.to_rgb8();
            Encoder::from_rgb(&picture, picture.width(), picture.height()).encode_advanced(&config)
        }
    };
    let webp = webp.ok()?;
    (webp.len() < png.len()).then(|| webp.to_vec())
}

/// Makes textures name their WebP images by the extension only; so readers must support it.
pub(super) fn restate(document: &[u8], images: &BTreeSet<usize>) -> Result<Vec<u8>, GltfError> {
    let mut document: Value = serde_json::from_slice(document)?;
    let textures = document["textures"].as_array_mut().into_iter().flatten();
    for texture in textures.filter_map(Value::as_object_mut) {
        let source = texture.get("source").and_then(Value::as_u64);
        let Some(source) = source.filter(|source| images.contains(&(*source as usize))) else {
            continue;
        };
        texture.shift_remove("source");
        texture.insert("extensions".to_owned(), json!({NAME: {"source": source}}));
    }
    for list in ["extensionsUsed", "extensionsRequired"] {
        let list = &mut document[list];
        if !list.is_array() {
            *list = json!([]);
        }
        let names = list.as_array_mut().into_iter();
        for names in names {
            names.push(Value::from(NAME));
            names.sort_by(|first, second| first.as_str().cmp(&second.as_str()));
        }
    }
    Ok(serde_json::to_vec(&document)?)
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, RgbaImage};

    use super::*;

    /// Stripes of few colors; some are transparent.
    fn stripes() -> RgbaImage {
        RgbaImage::from_fn(64, 64, |x, y| {
            let shade = (x / 4 * 16) as u8;
            image::Rgba([
                shade,
                255 - shade,
                40,
                if (x + y) % 9 == 0 { 0 } else { 255 },
            ])
        })
    }

    #[test]
    fn a_picture_keeps_its_pixels_also_where_they_are_not_seen() {
        let picture = stripes();
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).unwrap();
        let webp = smaller(png.get_ref()).unwrap();
        assert!(webp.starts_with(b"RIFF") && webp.len() < png.get_ref().len());
        let back = webp::Decoder::new(&webp).decode().unwrap();
        assert_eq!((back.width(), back.height()), (64, 64));
        assert_eq!(back.to_vec(), picture.into_raw());
        assert_eq!(smaller(b"no picture"), None);
    }

    #[test]
    fn textures_of_such_images_need_the_extension_and_others_stay() {
        let document = json!({
            "textures": [{"sampler": 0, "source": 0}, {"source": 1}],
            "extensionsUsed": ["KHR_materials_unlit"],
        });
        let document = serde_json::to_vec(&document).unwrap();
        let restated = restate(&document, &BTreeSet::from([1])).unwrap();
        let restated: Value = serde_json::from_slice(&restated).unwrap();
        assert_eq!(
            restated,
            json!({
                "textures": [
                    {"sampler": 0, "source": 0},
                    {"extensions": {"EXT_texture_webp": {"source": 1}}},
                ],
                "extensionsUsed": ["EXT_texture_webp", "KHR_materials_unlit"],
                "extensionsRequired": ["EXT_texture_webp"],
            })
        );
    }
}
