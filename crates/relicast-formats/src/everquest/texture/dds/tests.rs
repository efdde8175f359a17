//! Pictures of all forms that occur.

use super::*;

fn dds(width: u32, height: u32, format: PixelFormat, data: &[u8]) -> Vec<u8> {
    let dds = Dds {
        header: DdsHeader {
            magic: Bytes(*b"DDS "),
            size: 124,
            width,
            height,
            pixel_format: PixelFormat { size: 32, ..format },
            ..DdsHeader::default()
        },
        data: data.to_vec().into(),
    };
    let bytes = encode(&dds).unwrap();
    assert_eq!(bytes.len(), 128 + data.len());
    assert_eq!(decode(&bytes).unwrap().value, dds);
    bytes
}

fn picture(bytes: &[u8]) -> Result<Picture> {
    super::super::decode(bytes).map(|decoded| decoded.value)
}

fn code(code: [u8; 4]) -> PixelFormat {
    PixelFormat {
        flags: PixelFormatFlags::CODE,
        code: Bytes(code),
        ..PixelFormat::default()
    }
}

#[test]
fn blocks_are_cut_at_the_edges_and_turned_over() {
    // Two blocks of 4 × 4 for a picture of 5 × 3; the first row of each is white.
    let block = [0xFF, 0xFF, 0, 0, 0, 0x55, 0x55, 0x55];
    let bytes = dds(5, 3, code(*b"DXT1"), &[block, block].concat());
    let Texels::Rgba(texels) = picture(&bytes).unwrap().texels else {
        panic!("not RGBA");
    };
    let rows: Vec<bool> = texels
        .chunks(5)
        .map(|row| row.iter().all(|texel| texel[0] == 255))
        .collect();
    assert_eq!(rows, [false, false, true]);
    assert_eq!(texels.len(), 15);
}

#[test]
fn plain_pixels_are_read_by_their_masks() {
    let format = PixelFormat {
        flags: PixelFormatFlags::RGB | PixelFormatFlags::ALPHA,
        bits: 32,
        red: 0x00FF_0000,
        green: 0x0000_FF00,
        blue: 0x0000_00FF,
        alpha: 0xFF00_0000,
        ..PixelFormat::default()
    };
    let bytes = dds(1, 2, format, &[3, 2, 1, 4, 7, 6, 5, 8]);
    assert_eq!(
        picture(&bytes).unwrap().texels,
        Texels::Rgba(vec![[5, 6, 7, 8], [1, 2, 3, 4]])
    );
    let format = PixelFormat {
        flags: PixelFormatFlags::LUMINANCE,
        bits: 8,
        red: 0xFF,
        ..PixelFormat::default()
    };
    let bytes = dds(2, 1, format, &[9, 8]);
    assert_eq!(
        picture(&bytes).unwrap().texels,
        Texels::Rgb(vec![[9; 3], [8; 3]])
    );
}

fn numbered(number: u32) -> PixelFormat {
    code(number.to_le_bytes())
}

#[test]
fn signed_pairs_are_directions() {
    let bytes = dds(2, 1, numbered(117), &[0, 0, 0x81, 0]);
    let expected = Texels::Rgb(vec![[128, 128, 255], [0, 128, 128]]);
    assert_eq!(picture(&bytes).unwrap().texels, expected);
    // No direction has −1 and −1: it was written with 128 as zero.
    let bytes = dds(2, 1, numbered(117), &[0x80; 4]);
    assert_eq!(
        picture(&bytes).unwrap().texels,
        Texels::Rgb(vec![[128, 128, 255]; 2])
    );
    let masks = PixelFormat {
        flags: PixelFormatFlags::SIGNED_PAIR,
        bits: 16,
        red: 0xFF,
        green: 0xFF00,
        ..PixelFormat::default()
    };
    let bytes = dds(1, 1, masks, &[0, 0x7F]);
    assert_eq!(
        picture(&bytes).unwrap().texels,
        Texels::Rgb(vec![[128, 255, 128]])
    );
}

#[test]
fn numbers_of_formats_count_without_masks() {
    let texels = |number, data: &[u8]| {
        let bytes = dds(1, 1, numbered(number), data);
        picture(&bytes).unwrap().texels
    };
    assert_eq!(
        texels(26, &[0x34, 0x12]),
        Texels::Rgba(vec![[34, 51, 68, 17]])
    );
    assert_eq!(texels(50, &[9]), Texels::Rgb(vec![[9; 3]]));
    assert_eq!(texels(51, &[9, 7]), Texels::Rgba(vec![[9, 9, 9, 7]]));
    assert_eq!(texels(20, &[1, 2, 3]), Texels::Rgb(vec![[3, 2, 1]]));
}

#[test]
fn levels_and_faces_are_found_by_what_is_there() {
    let format = numbered(50);
    let data: Vec<u8> = (0..21).collect();
    let bytes = dds(4, 4, format.clone(), &data);
    let flat = decode(&bytes).unwrap().value;
    assert_eq!((flat.faces(), flat.levels().unwrap()), (1, 3));
    assert_eq!(
        flat.surface(0, 2).unwrap().texels,
        Texels::Rgb(vec![[20; 3]])
    );
    let data: Vec<u8> = (0..30).collect();
    let bytes = dds(2, 2, format, &data);
    let mut cube = decode(&bytes).unwrap().value;
    cube.header.caps = [0, 0xFE00, 0, 0];
    assert_eq!((cube.faces(), cube.levels().unwrap()), (6, 2));
    assert_eq!(
        cube.surface(5, 1).unwrap().texels,
        Texels::Rgb(vec![[29; 3]])
    );
    let first = cube.surface(1, 0).unwrap().texels;
    assert_eq!(first, Texels::Rgb(vec![[7; 3], [8; 3], [5; 3], [6; 3]]));
    assert!(cube.surface(6, 0).is_err());
}

#[test]
fn what_cannot_be_read_is_reported() {
    let unknown = dds(4, 4, code(*b"DX10"), &[0; 16]);
    assert_eq!(picture(&unknown).unwrap_err().field(), "pixel_format.code");
    let short = dds(8, 4, code(*b"DXT5"), &[0; 31]);
    assert_eq!(picture(&short).unwrap_err().field(), "data");
    let wild = dds(u32::MAX, u32::MAX, code(*b"DXT1"), &[]);
    assert_eq!(picture(&wild).unwrap_err().field(), "size");
    assert_eq!(picture(b"GIF89a").unwrap_err().field(), "magic");
}
