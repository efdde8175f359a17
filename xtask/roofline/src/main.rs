//! `relicast-roofline inflate|png|blake3 DIR...`: resource use of one step of a conversion by itself, with the same
//! bytes, on one thread. Reading files is not counted. The last line is JSON: processor seconds, bytes in, bytes out,
//! pieces.
//!
//! It is a separate program because it must be optimized like the converter; `cargo xtask bench` builds and runs it.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use png::{BitDepth, ColorType, Decoder, Transformations};
use relicast::emit::png::encode;
use relicast::limits::spending::process_seconds;
use relicast::scene::image::Effort;
use relicast::scene::{Image, Pixels};
use walkdir::WalkDir;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Resources that a part took.
#[derive(Debug, Default)]
struct Taken {
    seconds: f64,
    bytes_in: u64,
    bytes_out: u64,
    pieces: u64,
    /// Number of pictures that were identical byte by byte, as proof that the same work was done.
    same: u64,
}

fn main() -> Outcome {
    let mut arguments = std::env::args_os().skip(1);
    let part = arguments.next().unwrap_or_default();
    let mut paths = Vec::new();
    for folder in arguments {
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() {
                paths.push(entry.into_path());
            }
        }
    }
    let taken = match part.to_str() {
        Some("inflate") => inflate(&paths)?,
        Some("png") => pictures(&paths)?,
        Some("blake3") => hash(&paths)?,
        _ => return Err("one of inflate, png and blake3, and folders".into()),
    };
    println!(
        "{}",
        serde_json::json!({
            "seconds": taken.seconds,
            "bytes_in": taken.bytes_in,
            "bytes_out": taken.bytes_out,
            "pieces": taken.pieces,
            "same": taken.same,
        })
    );
    Ok(())
}

/// The 32-bit word at an offset of a file.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(word)).ok()
}

/// Offsets of the deflated blocks of all members of an archive, and their inflated sizes.
fn blocks(bytes: &[u8]) -> Option<Vec<(usize, usize, usize)>> {
    let mut blocks = Vec::new();
    if bytes.get(4..8)? != b"PFS " {
        return Some(blocks);
    }
    let index = word(bytes, 0)?;
    for member in 0..word(bytes, index)? {
        let row = index + 4 + 12 * member;
        let (mut at, mut left) = (word(bytes, row + 4)?, word(bytes, row + 8)?);
        while left > 0 {
            let (deflated, inflated) = (word(bytes, at)?, word(bytes, at + 4)?);
            blocks.push((at + 8, deflated, inflated));
            at += 8 + deflated;
            left = left.checked_sub(inflated.max(1))?;
        }
    }
    Some(blocks)
}

/// Inflates every block of every archive into the same buffer.
fn inflate(paths: &[PathBuf]) -> Outcome<Taken> {
    let mut taken = Taken::default();
    let mut inflater = libdeflater::Decompressor::new();
    let mut out = Vec::new();
    for path in paths {
        let bytes = fs::read(path)?;
        let blocks = blocks(&bytes)
            .ok_or_else(|| format!("{}: the directory has a wrong offset", path.display()))?;
        let start = process_seconds();
        for &(at, deflated, inflated) in &blocks {
            out.resize(inflated, 0);
            let block = bytes.get(at..at + deflated).ok_or("a block is truncated")?;
            inflater.zlib_decompress(block, &mut out)?;
        }
        taken.seconds += process_seconds() - start;
        let sum = |size: fn(&(usize, usize, usize)) -> usize| {
            blocks.iter().map(|block| size(block) as u64).sum::<u64>()
        };
        taken.bytes_in += sum(|block| block.1);
        taken.bytes_out += sum(|block| block.2);
        taken.pieces += blocks.len() as u64;
    }
    Ok(taken)
}

/// Encodes every picture again, with the encoder that made it.
fn pictures(paths: &[PathBuf]) -> Outcome<Taken> {
    let mut taken = Taken::default();
    let is_picture = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "png");
    for path in paths.iter().filter(is_picture) {
        let file = fs::read(path)?;
        let Some(image) = picture(&file)? else {
            continue;
        };
        let start = process_seconds();
        let again = encode(&image, Effort::default())?;
        taken.seconds += process_seconds() - start;
        taken.bytes_in += match &image.pixels {
            Pixels::Gray(texels) => texels.len(),
            Pixels::Rgb(texels) | Pixels::Rgba(texels) => texels.len(),
            Pixels::Indexed { indices, .. } => indices.len(),
        } as u64;
        taken.bytes_out += again.len() as u64;
        taken.pieces += 1;
        taken.same += u64::from(again == file);
    }
    Ok(taken)
}

/// A picture as its encoder received it; `None` for forms that the encoder does not write.
fn picture(file: &[u8]) -> Outcome<Option<Image<'static>>> {
    let mut decoder = Decoder::new(Cursor::new(file));
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info()?;
    let mut texels = vec![
        0;
        reader
            .output_buffer_size()
            .ok_or("a picture is too large")?
    ];
    let frame = reader.next_frame(&mut texels)?;
    if frame.bit_depth != BitDepth::Eight {
        return Ok(None);
    }
    texels.truncate(frame.buffer_size());
    let info = reader.info();
    let pixels = match frame.color_type {
        ColorType::Grayscale => Pixels::Gray(texels.into()),
        ColorType::Rgb => Pixels::Rgb(texels),
        ColorType::Rgba => Pixels::Rgba(texels),
        ColorType::Indexed => {
            let colors = info.palette.as_deref().unwrap_or_default();
            let alphas = info.trns.as_deref().unwrap_or_default();
            let (colors, _) = colors.as_chunks::<3>();
            let color = |(index, &[red, green, blue]): (usize, &[u8; 3])| {
                let alpha = alphas.get(index).copied().unwrap_or(255);
                [red, green, blue, alpha]
            };
            Pixels::Indexed {
                indices: texels.into(),
                palette: colors.iter().enumerate().map(color).collect(),
            }
        }
        ColorType::GrayscaleAlpha => return Ok(None),
    };
    Ok(Some(Image {
        width: info.width,
        height: info.height,
        pixels,
    }))
}

/// Hashes every file separately.
fn hash(paths: &[PathBuf]) -> Outcome<Taken> {
    let mut taken = Taken::default();
    for path in paths {
        let bytes = fs::read(path)?;
        let start = process_seconds();
        std::hint::black_box(blake3::hash(&bytes));
        taken.seconds += process_seconds() - start;
        taken.bytes_in += bytes.len() as u64;
        taken.pieces += 1;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_come_back_as_they_were_encoded() {
        let indexed = Pixels::Indexed {
            indices: vec![0, 1, 2, 1].into(),
            palette: vec![[1, 2, 3, 255], [4, 5, 6, 128], [7, 8, 9, 255]],
        };
        for pixels in [
            indexed,
            Pixels::Gray(vec![1, 2, 3, 4].into()),
            Pixels::Rgb((0..12).collect()),
            Pixels::Rgba((0..16).collect()),
        ] {
            let image = Image {
                width: 2,
                height: 2,
                pixels,
            };
            let file = encode(&image, Effort::default()).unwrap();
            let again = picture(&file).unwrap().unwrap();
            assert_eq!(encode(&again, Effort::default()).unwrap(), file);
        }
    }

    #[test]
    fn a_directory_that_has_no_target_is_no_list_of_blocks() {
        assert_eq!(blocks(b"\xff\xff\0\0PFS more"), None);
        assert_eq!(blocks(b"RIFF\0\0\0\0WAVE"), Some(vec![]));
    }
}
