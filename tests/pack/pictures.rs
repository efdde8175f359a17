//! Pictures of every format that EverQuest installs hold are packed in their own format.

use relicast_testing::test;
use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use relicast::formats::everquest::pfs;
use relicast_samples::SampleFile;
use relicast_samples::minimal::eqg_rookery::{picture as sample, rookery};

use crate::place::{Place, picture};

/// A color of the palette of the sample's surface.
const PAINT: Rgba<u8> = Rgba([3, 252, 7, 255]);

/// Largest difference that a JPEG of the best quality makes to a painted texel and its neighbors.
const JPEG_ROUNDING: u8 = 60;

fn as_png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn bitmap() -> Vec<u8> {
    let shown = RgbImage::from_fn(8, 8, |x, y| Rgb([x as u8, y as u8, 9]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(shown)
        .write_to(&mut bytes, ImageFormat::Bmp)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn png_jpeg_targa_bitmaps_and_palettised_surfaces_are_packed_in_their_own_format() {
    let members = rookery();
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (*name, &**bytes))
        .collect();
    let archive = pfs::encode(&pfs::pack(&members, None, 1).unwrap()).unwrap();
    let file = |path: &str, bytes: Vec<u8>| SampleFile {
        path: path.to_owned(),
        bytes,
    };
    let place = Place::new(&[
        file("rookery.eqg", archive),
        file("uifiles/window.tga", sample(ImageFormat::Tga)),
        file("uifiles/map.jpg", sample(ImageFormat::Jpeg)),
        file("uifiles/button.bmp", bitmap()),
    ]);
    let edited = place.outputs(|output| {
        let name = output.path.rsplit('/').next().unwrap_or_default();
        name.ends_with(".png") && name.matches('.').count() == 1
    });
    assert_eq!(edited.len(), 9, "{edited:?}");
    for output in &edited {
        let mut painted = picture(&place.path("out").join(&output.path));
        painted.put_pixel(2, 3, PAINT);
        place.edit(&output.path, |_| as_png(&painted));
    }
    let packed = place.pack();
    assert_eq!(packed.edits.len(), edited.len());
    place.convert_packed();
    for edit in &packed.edits {
        let after = picture(&place.path("after").join(&edit.output));
        let found = after.get_pixel(2, 3).0;
        let by = found
            .into_iter()
            .zip(PAINT.0)
            .map(|(one, other)| one.abs_diff(other))
            .max();
        match &edit.rounding {
            None => assert_eq!(by, Some(0), "{}", edit.output),
            Some(reported) => assert!(
                by <= Some(JPEG_ROUNDING),
                "{}: {reported}, {by:?}",
                edit.output
            ),
        }
    }
    // Each keeps its format.
    let packed = std::fs::read(place.path("mod").join("uifiles/map.jpg")).unwrap();
    assert_eq!(image::guess_format(&packed).unwrap(), ImageFormat::Jpeg);
    let packed = std::fs::read(place.path("mod").join("uifiles/button.bmp")).unwrap();
    assert!(packed.starts_with(b"BM"));
}
