//! Poster of a video, which ffmpeg writes as a portable pixmap.

use std::fs;
use std::io;
use std::path::Path;

use relicast_scene::{Image, Pixels};

/// Reads the pixmap at `path`; `None` when the video ended before its time.
///
/// # Errors
/// The file cannot be read, or is not a pixmap.
pub(super) fn read(path: &Path) -> io::Result<Option<Image<'static>>> {
    let bytes = match fs::read(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "the poster is not a pixmap");
    parse(&bytes).map(Some).ok_or_else(broken)
}

/// Parses `P6`, width, height, the largest value 255, and pixels.
fn parse(bytes: &[u8]) -> Option<Image<'static>> {
    let mut rest = bytes.strip_prefix(b"P6")?;
    let mut number = || {
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let tail = rest.get(start..)?;
        let end = tail.iter().position(u8::is_ascii_whitespace)?;
        let (digits, more) = tail.split_at_checked(end)?;
        rest = more;
        std::str::from_utf8(digits).ok()?.parse::<u32>().ok()
    };
    let (width, height, largest) = (number()?, number()?, number()?);
    let pixels = rest.get(1..)?;
    let size = (width as usize)
        .checked_mul(height as usize)?
        .checked_mul(3)?;
    (largest == 255 && pixels.len() == size && size > 0).then(|| Image {
        width,
        height,
        pixels: Pixels::Rgb(pixels.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixmap_is_a_picture() {
        let image = parse(b"P6\n2 1\n255\n\x01\x02\x03\n\x05\x06").unwrap();
        assert_eq!((image.width, image.height), (2, 1));
        assert_eq!(image.pixels, Pixels::Rgb(vec![1, 2, 3, 10, 5, 6]));
        for bad in [&b"P6\n2 1\n255\n\x01"[..], b"P5\n1 1\n255\n1", b"P6"] {
            assert!(parse(bad).is_none());
        }
    }
}
