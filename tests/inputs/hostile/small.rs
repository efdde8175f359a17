//! Small valid files of the formats, for the tests that damage them.

use relicast::formats::codec::{Blob, Bytes, F32, PaddedText, QuatWxyz, Vec3};
use relicast::formats::zipper::archive::{self, Archive, Entry, FooterVersion, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::motion::{self, Motion, PartFlags};
use relicast::formats::zipper::save::{self, Activation, ActivationHead, ActivationKind};
use relicast::formats::zipper::texture::color::Rgb565;
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, ImageHeader, Package};
use relicast::formats::zipper::zmap::{self, Feature, Map};

pub fn entry<'a>(name: &str, data: &'a [u8]) -> Entry<'a> {
    Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: Blob::borrowed(data),
        ..Entry::default()
    }
}

pub fn small_archive(version: FooterVersion) -> Vec<u8> {
    let archive = Archive {
        version,
        entries: vec![entry("a.bin", b"first"), entry("b.bin", b"second")],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

pub fn small_interp() -> Vec<u8> {
    let script = |path: &str, lines| Script {
        row: interp::Row {
            path: PaddedText::new(path).unwrap(),
            time: 7,
            start: 0,
        },
        lines,
    };
    let file = Interp {
        scripts: vec![
            script("c1.gs", vec![Line::from_tokens(["set", "A", "b"])]),
            script("none.gw", vec![]),
        ],
        ..Interp::default()
    };
    interp::encode(&file).unwrap()
}

pub fn small_motion() -> Vec<u8> {
    let part = |name: &'static [u8]| motion::Part {
        name: Blob::borrowed(name),
        flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
        translations: vec![Vec3::default(); 2],
        rotations: vec![QuatWxyz::default(); 2],
    };
    let file = Motion {
        header: motion::Header {
            version: 4,
            loop_time: F32(1.0),
            frame_count: 1,
            part_count: 2,
            unk16: F32(-1.0),
            unk20: F32(1.0),
        },
        parts: vec![part(b"hip"), part(b"foot")],
        ..Motion::default()
    };
    motion::encode(&file).unwrap()
}

pub fn small_map() -> Vec<u8> {
    let map = Map {
        header: zmap::Header {
            version: 5,
            unused: 3,
            ..zmap::Header::default()
        },
        features: vec![Feature {
            vertices: vec![Vec3::default(); 2],
            ..Feature::default()
        }],
    };
    zmap::encode(&map).unwrap()
}

pub fn image<'a>(flags: u32, palette: Vec<Rgb565>, width: u16, texels: &'a [u8]) -> Image<'a> {
    Image {
        header: ImageHeader {
            flags: ImageFlags::from_bits_retain(flags),
            width,
            height: 1,
            palette_count: palette.len().try_into().unwrap(),
            ..ImageHeader::default()
        },
        texels: Blob::borrowed(texels),
        palette,
        ..Image::default()
    }
}

pub fn pack(images: Vec<Image<'_>>) -> Vec<u8> {
    let rows = (0..images.len()).map(|index| package::Row {
        name: PaddedText::new(&format!("t{index}")).unwrap(),
        start: 0,
        palette_index: -1,
    });
    let file = Package {
        directory: package::Directory {
            header: package::Header {
                version: 1,
                ..package::Header::default()
            },
            rows: rows.collect(),
            palettes: vec![],
        },
        images,
        ..Package::default()
    };
    package::encode(&file).unwrap()
}

pub fn small_package() -> Vec<u8> {
    let mut full = image(0x0B, vec![], 2, &[0, 0xF8, 0, 0]);
    full.alpha = Some(Blob::borrowed(&[0, 255]));
    let local = image(0x05, vec![Rgb565(0), Rgb565(31)], 2, &[1, 0]);
    pack(vec![full, local])
}

pub fn small_activation() -> Vec<u8> {
    let activation = Activation {
        head: ActivationHead {
            kind: ActivationKind::Plain,
            name: PaddedText::new("hit_wall").unwrap(),
            ..ActivationHead::default()
        },
        node_states: vec![Bytes([7; 68])],
    };
    save::encode(&save::SaveMember::Activation(activation)).unwrap()
}
