//! Edited pictures as paint programs save them: PNG of any form, and other formats under its name.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use png::ScaledFloat;

use crate::pack::edited::{Content, Refusal};
use relicast_limits as limits;

/// Most bytes that decoding a picture may take.
const MAX_BYTES: u64 = 1 << 30;

/// Bytes per pixel while a picture is read: as stored, as RGBA, and as texels.
const BYTES_OF_A_PIXEL: usize = 12;

/// Start of each PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n";

/// End of a Targa picture of version 2.
const TARGA: &[u8] = b"TRUEVISION-XFILE.\0";

/// Gamma of sRGB, in units of 1/100,000, and the deviation of programs that round it.
const GAMMA: (u32, u32) = (45_455, 500);

/// A decoded picture, and what was lost or ignored, in words.
pub(in crate::pack) struct Opened {
    pub picture: DynamicImage,
    pub note: Option<String>,
}

/// Decodes the picture in a PNG, or in a BMP, JPEG, Targa or TIFF that has its name.
///
/// # Errors
/// It has another format, or is too large.
pub(in crate::pack) fn open(bytes: &[u8]) -> Result<Opened, Refusal> {
    let format = format_of(bytes)?;
    let unreadable = |error| match format {
        ImageFormat::Png => refusal!("not a readable PNG: {error}"),
        _ => refusal!(
            "it is a {}, and not a readable one: {error}",
            format_name(format)
        ),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = reader().into_dimensions().map_err(unreadable)?;
    let pixels = (width as usize).saturating_mul(height as usize);
    limits::try_reserve(pixels.saturating_mul(BYTES_OF_A_PIXEL)).map_err(Refusal::new)?;
    let mut reader = reader();
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let picture = reader.decode().map_err(unreadable)?;
    let mut notes = match format {
        ImageFormat::Png => png_notes(bytes),
        ImageFormat::Jpeg => {
            vec!["it is a JPEG, which is lossy: unedited texels changed too".to_owned()]
        }
        _ => Vec::new(),
    };
    notes.extend(is_narrowed(&picture).then(|| "16 to 8 bits a channel".to_owned()));
    Ok(Opened {
        picture,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    })
}

/// The picture of another format under the name of a PNG as a PNG; `None` if it is a PNG.
///
/// # Errors
/// As for [`open`].
pub(in crate::pack) fn as_png(bytes: &[u8]) -> Result<Option<Content>, Refusal> {
    if bytes.starts_with(PNG) {
        return Ok(None);
    }
    let opened = open(bytes)?;
    let mut png = Cursor::new(Vec::new());
    opened
        .picture
        .write_to(&mut png, ImageFormat::Png)
        .map_err(Refusal::new)?;
    Ok(Some(Content::rounded(png.into_inner(), opened.note)))
}

/// The format of a picture by its content.
///
/// # Errors
/// It has none that can be read.
fn format_of(bytes: &[u8]) -> Result<ImageFormat, Refusal> {
    let known = match bytes {
        [b'8', b'B', b'P', b'S', ..] => Some("a picture of Photoshop (PSD)"),
        [b'g', b'i', b'm', b'p', ..] => Some("a picture of GIMP (XCF)"),
        _ => None,
    };
    if let Some(name) = known {
        refuse!("it is {name}; export it as PNG");
    }
    match image::guess_format(bytes) {
        Ok(
            format @ (ImageFormat::Png | ImageFormat::Bmp | ImageFormat::Jpeg | ImageFormat::Tiff),
        ) => Ok(format),
        Ok(format) => Err(refusal!(
            "it is a {}; export it as PNG",
            format_name(format)
        )),
        // Targa has no mark at its start: color table or none, kind of picture.
        Err(_) if bytes.ends_with(TARGA) => Ok(ImageFormat::Tga),
        Err(_) => match bytes {
            [_, 0 | 1, 1..=3 | 9..=11, ..] => Ok(ImageFormat::Tga),
            _ => Ok(ImageFormat::Png),
        },
    }
}

fn format_name(format: ImageFormat) -> String {
    match format {
        ImageFormat::Tga => "Targa".to_owned(),
        _ => format!("{format:?}").to_uppercase(),
    }
}

/// True if a picture has more than 8 bits a channel.
fn is_narrowed(picture: &DynamicImage) -> bool {
    /// Step between the values that 8 bits have.
    const STEP: u16 = 257;
    let has_more = |values: &[u16]| values.iter().any(|value| value % STEP != 0);
    match picture {
        DynamicImage::ImageLuma16(picture) => has_more(picture.as_raw()),
        DynamicImage::ImageLumaA16(picture) => has_more(picture.as_raw()),
        DynamicImage::ImageRgb16(picture) => has_more(picture.as_raw()),
        DynamicImage::ImageRgba16(picture) => has_more(picture.as_raw()),
        _ => false,
    }
}

/// Facts of a PNG that no game knows.
fn png_notes(bytes: &[u8]) -> Vec<String> {
    let Ok(reader) = png::Decoder::new(Cursor::new(bytes)).read_info() else {
        return Vec::new();
    };
    let info = reader.info();
    let mut notes = Vec::new();
    let is_other_gamma = |gamma: ScaledFloat| gamma.into_scaled().abs_diff(GAMMA.0) > GAMMA.1;
    if info.srgb.is_some() {
        // The colors are those of the games.
    } else if let Some(profile) = &info.icc_profile {
        if !is_srgb(profile) {
            notes.push(
                "its color profile was ignored: convert it to sRGB if its colors look wrong"
                    .to_owned(),
            );
        }
    } else if info.gama_chunk.is_some_and(is_other_gamma) {
        notes.push("its gamma was ignored: export it as sRGB if it looks wrong".to_owned());
    }
    if info.animation_control.is_some_and(|it| it.num_frames > 1) {
        notes.push("only its first frame is packed".to_owned());
    }
    notes
}

/// True if a color profile is that of sRGB, by its description.
fn is_srgb(profile: &[u8]) -> bool {
    [&b"sRGB"[..], b"\0s\0R\0G\0B"]
        .iter()
        .any(|name| profile.windows(name.len()).any(|part| part == *name))
}
