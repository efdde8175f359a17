//! Texture packages.

use relicast::formats::codec::{Blob, PaddedText};
use relicast::formats::zipper::texture::color::Rgb565;
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, ImageHeader, Package};

/// Texture packages: direct colors, key colors, alpha planes, own and shared palettes.
pub fn packages() -> Vec<Vec<u8>> {
    let row = |name: &str, palette_index| package::Row {
        name: PaddedText::new(name).expect("the names are short"),
        start: 0,
        palette_index,
    };
    let image = |flags: u32, palette_count, texels: &'static [u8]| Image {
        header: ImageHeader {
            flags: ImageFlags::from_bits_retain(flags),
            width: 2,
            height: 2,
            palette_count,
            ..ImageHeader::default()
        },
        texels: Blob::borrowed(texels),
        ..Image::default()
    };
    const WORDS: &[u8] = &[0, 0xF8, 0, 0, 0xE0, 7, 0x1F, 0];
    let mut full = image(0x0B, 0, WORDS);
    full.alpha = Some(Blob::borrowed(&[0, 1, 0x80, 0xFF]));
    let mut local = image(0x05, 3, &[1, 0, 2, 1]);
    local.palette = vec![Rgb565(0), Rgb565(0x001F), Rgb565(0xFFFF)];
    let mut keyed = image(0x03, 2, &[0, 1, 1, 0]);
    keyed.palette = vec![Rgb565(0), Rgb565(0x07E0)];
    let header = package::Header {
        version: 1,
        ..package::Header::default()
    };
    let direct = Package {
        directory: package::Directory {
            header: header.clone(),
            rows: vec![
                row("rgb", -1),
                row("key", -1),
                row("pal", -1),
                row("pal", -1),
            ],
            palettes: vec![],
        },
        images: vec![full, image(0x03, 0, WORDS), local, keyed],
        ..Package::default()
    };
    let shared = Package {
        directory: package::Directory {
            header,
            rows: vec![row("glob", 0)],
            palettes: vec![(0..256).map(Rgb565).collect()],
        },
        images: vec![image(0x15, 256, &[0, 1, 0xFE, 0xFF])],
        ..Package::default()
    };
    [direct, shared]
        .map(|package| package::encode(&package).expect("it fits"))
        .into()
}

/// Pictures for the surfaces of worlds and 'mechs, and their names.
pub fn surfaces() -> (Vec<u8>, [&'static str; 2]) {
    let names = ["grass", "water"];
    let mut package = Package {
        directory: package::Directory {
            header: package::Header {
                version: 1,
                ..package::Header::default()
            },
            ..package::Directory::default()
        },
        ..Package::default()
    };
    for (name, flags) in names.into_iter().zip([0x05, 0x03]) {
        package.directory.rows.push(package::Row {
            name: PaddedText::new(name).expect("the names are short"),
            start: 0,
            palette_index: -1,
        });
        package.images.push(Image {
            header: ImageHeader {
                flags: ImageFlags::from_bits_retain(flags),
                width: 2,
                height: 2,
                ..ImageHeader::default()
            },
            texels: Blob::borrowed(&[0, 0xF8, 0, 0, 0xE0, 7, 0x1F, 0]),
            ..Image::default()
        });
    }
    (package::encode(&package).expect("it fits"), names)
}
