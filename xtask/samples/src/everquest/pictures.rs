//! Pictures as stored in the archives: bitmaps with a palette or without, and DDS.

use relicast::formats::codec::Bytes;
use relicast::formats::everquest::texture::{bmp, dds};

use super::Member;
use crate::Outcome;
use crate::picture::{Color, Picture, distance};

/// The color of palette entry 0, which masked surfaces do not show.
const KEY: Color = [12, 200, 40];

/// Texels along each side of most pictures.
const SIDE: u16 = 32;

/// A bitmap of 8 bits per texel. Texels that `hole` selects get the key color; `shortened` leaves a color out
/// of the palette so that the texels begin earlier.
fn palettised(
    picture: &Picture,
    shortened: bool,
    hole: impl Fn(u16, u16) -> bool,
) -> Outcome<Vec<u8>> {
    let mut palette: Vec<Color> = vec![KEY];
    let width = usize::from(picture.width);
    let mut indices = Vec::new();
    for (place, &texel) in picture.texels.iter().enumerate() {
        let (x, y) = (place % width, place / width);
        if hole(u16::try_from(x)?, u16::try_from(y)?) {
            indices.push(0);
            continue;
        }
        // Fewer colors, so that all fit.
        let color = texel.map(|channel| channel & 0xE0 | channel >> 5);
        let known = palette.iter().skip(1).position(|&other| other == color);
        let index = match known {
            Some(index) => index + 1,
            None => {
                palette.push(color);
                palette.len() - 1
            }
        };
        indices.push(u8::try_from(index)?);
    }
    let colors = if shortened { 255 } else { 256 };
    if palette.len() > colors {
        return Err("too many colors".into());
    }
    palette.resize(colors, [0; 3]);
    let pixel_offset = 54 + 4 * colors;
    let rows: Vec<u8> = indices
        .chunks(width)
        .rev()
        .flat_map(|row| {
            let mut row = row.to_vec();
            row.resize(row.len().next_multiple_of(4), 0);
            row
        })
        .collect();
    let file = bmp::Bmp {
        header: header(pixel_offset, rows.len())?,
        info: info(picture, 8, if shortened { 255 } else { 0 }),
        palette: palette.iter().map(|&[r, g, b]| [b, g, r, 0]).collect(),
        rows: rows.into(),
        trailing: vec![0; 2].into(),
        ..bmp::Bmp::default()
    };
    Ok(bmp::encode(&file)?)
}

fn header(pixel_offset: usize, length: usize) -> Outcome<bmp::BmpHeader> {
    Ok(bmp::BmpHeader {
        magic: Bytes(*b"BM"),
        file_size: u32::try_from(pixel_offset + length + 2)?,
        reserved: 0,
        pixel_offset: u32::try_from(pixel_offset)?,
    })
}

fn info(picture: &Picture, bits: u16, colors_used: u32) -> bmp::InfoHeader {
    bmp::InfoHeader {
        header_size: 40,
        width: i32::from(picture.width),
        height: i32::from(picture.height),
        planes: 1,
        bits,
        colors_used,
        ..bmp::InfoHeader::default()
    }
}

/// A bitmap of 24 bits per texel.
fn true_color(picture: &Picture) -> Outcome<Vec<u8>> {
    let rows: Vec<u8> = picture
        .texels
        .chunks(usize::from(picture.width))
        .rev()
        .flat_map(|row| {
            let mut row: Vec<u8> = row.iter().flat_map(|&[r, g, b]| [b, g, r]).collect();
            row.resize(row.len().next_multiple_of(4), 0);
            row
        })
        .collect();
    let file = bmp::Bmp {
        header: header(54, rows.len())?,
        info: info(picture, 24, 0),
        rows: rows.into(),
        trailing: vec![0; 2].into(),
        ..bmp::Bmp::default()
    };
    Ok(bmp::encode(&file)?)
}

/// A DDS header for a picture in a format.
fn surface(picture: &Picture, pixel_format: dds::PixelFormat) -> dds::DdsHeader {
    dds::DdsHeader {
        magic: Bytes(*b"DDS "),
        size: 124,
        flags: 0x1007,
        height: u32::from(picture.height),
        width: u32::from(picture.width),
        pixel_format,
        caps: [0x1000, 0, 0, 0],
        ..dds::DdsHeader::default()
    }
}

/// A DDS in which each block of 4 × 4 texels has the color of its first one.
fn blocks(picture: &Picture) -> Outcome<Vec<u8>> {
    let format = dds::PixelFormat {
        size: 32,
        flags: dds::PixelFormatFlags::CODE,
        code: Bytes(*b"DXT1"),
        ..dds::PixelFormat::default()
    };
    let (width, height) = (usize::from(picture.width), usize::from(picture.height));
    let mut data = Vec::new();
    // The bottom row comes first.
    for top in (0..height / 4).rev() {
        for left in 0..width / 4 {
            let texel = picture.texels[(top * 4) * width + left * 4];
            let [r, g, b] = texel.map(u16::from);
            let color = (r >> 3) << 11 | (g >> 2) << 5 | b >> 3;
            data.extend(color.to_le_bytes());
            data.extend([0; 6]);
        }
    }
    let file = dds::Dds {
        header: surface(picture, format),
        data: data.into(),
    };
    Ok(dds::encode(&file)?)
}

/// A DDS of 32 bits per texel with alpha.
fn with_alpha(picture: &Picture, alpha: impl Fn(u16, u16) -> u8) -> Outcome<Vec<u8>> {
    let format = dds::PixelFormat {
        size: 32,
        flags: dds::PixelFormatFlags::RGB | dds::PixelFormatFlags::ALPHA,
        bits: 32,
        red: 0x00FF_0000,
        green: 0xFF00,
        blue: 0xFF,
        alpha: 0xFF00_0000,
        ..dds::PixelFormat::default()
    };
    let mut data = Vec::new();
    for y in (0..picture.height).rev() {
        for x in 0..picture.width {
            let index = usize::from(y) * usize::from(picture.width) + usize::from(x);
            let [r, g, b] = picture.texels[index];
            data.extend([b, g, r, alpha(x, y)]);
        }
    }
    let file = dds::Dds {
        header: surface(picture, format),
        data: data.into(),
    };
    Ok(dds::encode(&file)?)
}

fn solid(_: u16, _: u16) -> bool {
    false
}

fn member(name: &str, bytes: Vec<u8>) -> Member {
    (name.to_owned(), bytes)
}

/// A picture of one color with a frame and a word on it.
fn tile(word: &str, color: Color) -> Picture {
    let dark = color.map(|channel| channel / 3);
    Picture::paint(SIDE, SIDE, |x, y| {
        let shade = ((x * 7 + y * 3) % 5) as u8 * 4;
        color.map(|channel| channel.saturating_sub(shade))
    })
    .frame(1, dark)
    .label(word, 2, dark)
}

/// Pictures of the ground and of objects on it.
pub fn ground() -> Outcome<Vec<Member>> {
    let grass = Picture::checker(SIDE, SIDE, 4, [[70, 140, 60], [80, 152, 66]]);
    let path = Picture::bricks(SIDE, SIDE, [168, 140, 100], [120, 96, 64]);
    let water = Picture::gradient(
        SIDE,
        SIDE,
        [
            [40, 90, 200],
            [60, 120, 220],
            [40, 100, 210],
            [50, 110, 230],
        ],
    );
    let fence = Picture::bricks(SIDE, SIDE, [140, 96, 50], [96, 64, 32]);
    Ok(vec![
        member("grass.bmp", palettised(&grass, false, solid)?),
        member("path.bmp", palettised(&path, true, solid)?),
        member("water.bmp", true_color(&water)?),
        member("fence.bmp", palettised(&fence, false, |x, _| x % 8 >= 4)?),
    ])
}

/// Pictures of the objects.
pub fn objects() -> Outcome<Vec<Member>> {
    let bark = Picture::bricks(SIDE, SIDE, [110, 80, 50], [80, 56, 36]);
    let leaves = Picture::checker(SIDE, SIDE, 2, [[40, 120, 40], [60, 150, 50]]);
    let crown = |x, y| distance(x, y, SIDE, SIDE) > 240;
    let cloth = Picture::checker(SIDE, SIDE, 8, [[200, 40, 40], [230, 220, 200]]);
    let mut all = vec![
        member(
            "sign.bmp",
            palettised(&tile("DELL", [220, 200, 150]), false, solid)?,
        ),
        member("bark.dds", blocks(&bark)?),
        member("leaves.bmp", palettised(&leaves, false, crown)?),
        member("cloth.bmp", palettised(&cloth, true, solid)?),
        member("iron.bmp", true_color(&tile("ARM", [130, 136, 150]))?),
        // A surface whose name has another format's extension.
        member("sail.bmp", blocks(&cloth)?),
    ];
    for (number, bright) in [(1, 255), (2, 200), (3, 230)] {
        let flame = Picture::paint(SIDE, SIDE, |x, y| {
            let far = distance(x, y, SIDE, SIDE).min(255);
            let heat = (255 - far) * bright / 255;
            [heat as u8, (heat * 2 / 3) as u8, (heat / 5) as u8]
        });
        all.push(member(
            &format!("ember{number}.bmp"),
            palettised(&flame, false, solid)?,
        ));
    }
    Ok(all)
}

/// Pictures of a creature's parts in some skins: names are model, part, skin, number.
pub fn creature(model: &str, parts: &[&str], skins: &[(u8, Color)]) -> Outcome<Vec<Member>> {
    let mut all = Vec::new();
    for &(skin, color) in skins {
        for part in parts {
            let name = format!("{model}{part}{skin:02}01");
            let picture = tile(part, color).label(&format!("{skin}"), 1, [250; 3]);
            let bytes = palettised(&picture, false, solid)?;
            all.push(member(&format!("{}.bmp", name.to_lowercase()), bytes));
        }
    }
    Ok(all)
}

/// Pictures of the items.
pub fn items() -> Outcome<Vec<Member>> {
    let coin = tile("C", [230, 190, 60]);
    let ring = |x, y| match distance(x, y, SIDE, SIDE) {
        ..=255 => 255,
        _ => 0,
    };
    let spark = Picture::gradient(
        8,
        8,
        [[255, 255, 200], [255, 200, 90], [255, 200, 90], [90, 40, 0]],
    );
    Ok(vec![
        member(
            "it7steel.bmp",
            palettised(&tile("IT7", [170, 176, 190]), false, solid)?,
        ),
        member(
            "it8oak.bmp",
            palettised(&tile("IT8", [150, 100, 60]), false, solid)?,
        ),
        member("coin.dds", with_alpha(&coin, ring)?),
        member("spark.bmp", true_color(&spark)?),
    ])
}
