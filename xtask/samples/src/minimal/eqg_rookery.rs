//! A creature in the EQG format as in custom archives: variants by the number of the material, animations with the
//! name of another model, pictures whose names do not show their format. Everything is invented.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use relicast::formats::codec::F32;
use relicast::formats::everquest::eqg::layers::{self, Layer, Layers};
use relicast::formats::everquest::eqg::parts::{NO_STRING, Strings};
use relicast::formats::everquest::texture::dds::{PixelFormat, PixelFormatFlags};

use super::eqg::{Member, crow, standing_clip, surface};

/// Names of the pictures, and their formats.
pub const PICTURES: [(&str, ImageFormat); 5] = [
    ("crow_c.dds", ImageFormat::Png),
    ("c_crow_s00_c.jpg", ImageFormat::Jpeg),
    ("c_crow_s01_c.bmp", ImageFormat::Png),
    ("c_crow_s01_n.png", ImageFormat::Tga),
    ("grass_n.tga", ImageFormat::Tga),
];

/// A picture of 8 × 8 texels in a format: columns get redder, rows greener.
pub fn picture(format: ImageFormat) -> Vec<u8> {
    let color = |x: u32, y: u32| [(x * 32) as u8, (y * 32) as u8, 128];
    let picture = match format {
        ImageFormat::Png => DynamicImage::from(RgbaImage::from_fn(8, 8, |x, y| {
            let [red, green, blue] = color(x, y);
            Rgba([red, green, blue, 200])
        })),
        _ => DynamicImage::from(RgbImage::from_fn(8, 8, |x, y| Rgb(color(x, y)))),
    };
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format)
        .expect("it is written to memory");
    bytes.into_inner()
}

/// A surface with a palette, whose rows are numbered.
pub fn palettised() -> Vec<u8> {
    let format = PixelFormat {
        flags: PixelFormatFlags::INDEXED,
        bits: 8,
        ..PixelFormat::default()
    };
    let palette = (0..=255_u8).flat_map(|index| [index, 255 - index, 7, 0]);
    let indices = (0..64_u8).map(|place| place / 8);
    surface(8, format, 0, palette.chain(indices).collect())
}

/// Three variants of the only material; the names of textures are in alphabetical order.
fn layer_file() -> Vec<u8> {
    let mut strings = Strings::default();
    let records = [
        (
            "C_CROW_S01_M01",
            ["C_CROW_S01_C.DDS", "C_CROW_S01_E.DDS", "C_CROW_S01_N.DDS"],
        ),
        ("C_CROW_S00_M01", ["C_CROW_S00_C.DDS", "GRASS_N.DDS", ""]),
        // Of another model.
        ("C_CROW_S00_M02", ["C_CROW_S00_C.DDS", "", ""]),
    ];
    let layers = records.map(|(name, textures)| {
        let material = strings.add(name);
        let [first, second, third] = textures.map(|texture| match texture {
            "" => NO_STRING,
            texture => strings.add(texture),
        });
        let has_environment = textures.iter().any(|texture| texture.contains("_E."));
        Layer {
            material,
            textures: [first, second],
            further: [third, NO_STRING, NO_STRING],
            shininess: F32(40.0),
            environment_strength: F32(if has_environment { 1.5 } else { 0.0 }),
            ..Layer::default()
        }
    });
    let layers = Layers {
        magic: layers::MAGIC,
        version: 4,
        layers: layers.to_vec(),
        strings,
        ..Layers::default()
    };
    layers::encode(&layers).expect("it fits")
}

/// The members of the rookery's archive.
pub fn rookery() -> Vec<Member> {
    let pictures = PICTURES.map(|(name, format)| (name, picture(format)));
    let mut members = vec![
        ("crow.mod", crow()),
        ("crow.lay", layer_file()),
        ("stnd_ba_1_raven.ani", standing_clip()),
        ("walk_ba_1_raven.ani", standing_clip()),
        ("c_crow_s01_e.dds", palettised()),
    ];
    members.extend(pictures);
    members
}
