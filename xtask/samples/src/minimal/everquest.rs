//! Files of EverQuest.

use relicast::formats::codec::Bytes;
use relicast::formats::everquest::texture::{bmp, dds};
use relicast::formats::everquest::{pfs, wld};

use super::scene::scene;

/// A comment, an emitter and an invalid line.
pub const EMITTERS: &[u8] = b"; comment\r\n\
    2,wind.wav,0,2,0.5,100,200,1,1.5,-2,3,10,100,1,150,1000,2000,0,4,1 ; night\r\n2,broken\n";

/// The scene of [`super::scene`] in both versions.
pub fn scenes() -> Vec<Vec<u8>> {
    [wld::Version::Old, wld::Version::New].map(scene).into()
}

/// Archives with and without a footer, and an empty one.
pub fn archives() -> Vec<Vec<u8>> {
    let scenes = scenes();
    let bitmaps = bitmaps();
    let members: Vec<(&str, &[u8])> = vec![
        ("a.wld", &scenes[0]),
        ("leaf.bmp", &bitmaps[0]),
        ("empty.txt", b""),
    ];
    let footer = pfs::Footer::new(920_246_400);
    let pack = |members: &[(&str, &[u8])], footer| {
        let packed = pfs::pack(members, footer, 6).expect("the names are plain");
        pfs::encode(&packed).expect("it fits")
    };
    vec![
        pack(&members, Some(footer)),
        pack(&members[1..], None),
        pack(&[], None),
    ]
}

/// Bitmaps with a palette and without, and DDS.
pub fn bitmaps() -> Vec<Vec<u8>> {
    let info = |bits, colors_used| bmp::InfoHeader {
        header_size: 40,
        width: 4,
        height: 2,
        planes: 1,
        bits,
        colors_used,
        ..bmp::InfoHeader::default()
    };
    let file = |bits, palette: Vec<[u8; 4]>, rows: Vec<u8>| {
        let header = bmp::BmpHeader {
            magic: Bytes(*b"BM"),
            pixel_offset: 54 + 4 * palette.len() as u32,
            ..bmp::BmpHeader::default()
        };
        let bitmap = bmp::Bmp {
            header,
            info: info(bits, palette.len() as u32),
            palette,
            rows: rows.into(),
            ..bmp::Bmp::default()
        };
        bmp::encode(&bitmap).expect("it fits")
    };
    let surface = |code: &[u8; 4], bits, data: Vec<u8>| {
        let coded = code != &[0; 4];
        let pixel_format = dds::PixelFormat {
            size: 32,
            flags: match coded {
                true => dds::PixelFormatFlags::CODE,
                false => dds::PixelFormatFlags::RGB | dds::PixelFormatFlags::ALPHA,
            },
            code: Bytes(*code),
            bits,
            red: 0x00FF_0000,
            green: 0xFF00,
            blue: 0xFF,
            alpha: 0xFF00_0000,
        };
        let header = dds::DdsHeader {
            magic: Bytes(*b"DDS "),
            size: 124,
            width: 4,
            height: 4,
            pixel_format,
            ..dds::DdsHeader::default()
        };
        let data = data.into();
        dds::encode(&dds::Dds { header, data }).expect("it fits")
    };
    vec![
        file(
            8,
            vec![[0, 255, 0, 0], [1, 2, 3, 0]],
            vec![0, 1, 0, 1, 1, 1, 0, 0],
        ),
        file(24, vec![], (0..24).collect()),
        file(
            4,
            vec![[9; 4]; 16],
            vec![0x01, 0x23, 0, 0, 0x45, 0x67, 0, 0],
        ),
        surface(b"DXT1", 0, vec![0x5A; 8]),
        surface(b"DXT3", 0, vec![0xA5; 16]),
        surface(b"DXT5", 0, vec![0x3C; 16]),
        surface(&[0; 4], 32, vec![7; 64]),
    ]
}
