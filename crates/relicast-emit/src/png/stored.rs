//! Stores rows of indices uncompressed, without a trial, if quick deflate would make them longer.
//!
//! Quick deflate has one code for all pictures, made for differences between rows, and `png` stores data that it would
//! make longer. Nine of ten textures with a palette end so. The lengths of the code give a lower bound of the deflated
//! size; if that is too large already, the stored rows are the same bytes that the trial would produce.

use std::io::{self, Cursor};
use std::sync::LazyLock;

use fdeflate::{StoredOnlyCompressor, compress_to_vec};

use relicast_limits as limits;

/// Number of equal bytes for the measurement: one bit of a code makes eight bytes.
const EQUAL_BYTES: usize = 64;

/// Texels that are counted between two checks of the sum.
const COUNTED_AT_ONCE: usize = 1024;

/// Lower bound of the size of bytes after quick deflate, computed by the library itself.
struct LeastSize {
    /// Deflated size of no bytes.
    of_nothing: usize,
    /// Bits of each byte's code; 0 for zeros, which are coded as runs.
    bits: [u8; 256],
}

static LEAST_SIZE: LazyLock<LeastSize> = LazyLock::new(|| {
    let of_nothing = compress_to_vec(&[]).len();
    let mut bits = [0; 256];
    for (byte, bits) in (0..=u8::MAX).zip(&mut bits).skip(1) {
        let size = compress_to_vec(&[byte; EQUAL_BYTES]).len();
        let bytes_of_one = size.saturating_sub(of_nothing) / (EQUAL_BYTES / 8);
        *bits = u8::try_from(bytes_of_one).unwrap_or_default();
    }
    LeastSize { of_nothing, bits }
});

impl LeastSize {
    /// True if these bytes deflate to more than `most`.
    fn is_above(&self, most: usize, bytes: &[u8]) -> bool {
        let most_bits = most.saturating_sub(self.of_nothing).saturating_mul(8);
        let mut sum = 0_usize;
        bytes.chunks(COUNTED_AT_ONCE).any(|some| {
            let bits = some
                .iter()
                .map(|&byte| usize::from(self.bits[usize::from(byte)]));
            sum = sum.saturating_add(bits.sum());
            // Eight bits more, because the sum may have lost an incomplete byte.
            sum > most_bits.saturating_add(8)
        })
    }
}

/// The data of a picture of `width` × `height` indices, if stored: as zlib, each row with the filter byte 0. `None` if
/// deflate must be tried, and if the indices do not fill the picture.
///
/// # Errors
/// None in practice: it writes to memory.
pub(super) fn rows(indices: &[u8], width: u32, height: u32) -> io::Result<Option<Vec<u8>>> {
    let (width, height) = (width as usize, height as usize);
    if indices.is_empty() || width.checked_mul(height) != Some(indices.len()) {
        return Ok(None);
    }
    let raw = indices.len().saturating_add(height);
    let size = StoredOnlyCompressor::<()>::compressed_size(raw);
    // Data of more than one chunk is left to the library.
    if i32::try_from(size).is_err() || !LEAST_SIZE.is_above(size, indices) {
        return Ok(None);
    }
    limits::reserve(raw.saturating_add(size));
    let mut rows = Vec::with_capacity(raw);
    for row in indices.chunks(width) {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    let mut stored = StoredOnlyCompressor::new(Cursor::new(Vec::with_capacity(size)))?;
    stored.write_data(&rows)?;
    Ok(Some(stored.finish()?.into_inner()))
}

#[cfg(test)]
mod tests {
    use png::{BitDepth, ColorType, Encoder, Filter};
    use proptest::prelude::*;

    use super::*;

    /// The data that the library writes for a picture, in one chunk.
    fn by_trial(indices: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(vec![0; 3 * 256]);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(indices).unwrap();
        writer.finish().unwrap();
        let start = bytes.windows(4).position(|name| name == b"IDAT").unwrap();
        let length = u32::from_be_bytes(bytes[start - 4..start].try_into().unwrap());
        bytes[start + 4..][..length as usize].to_vec()
    }

    /// Pictures with few and many values, small and large ones, up to more than one block of 65,535 bytes.
    fn pictures() -> impl Strategy<Value = (u32, u32, Vec<u8>)> {
        let side = prop_oneof![1..20_u32, 60..70_u32, 250..300_u32];
        let values = prop_oneof![Just(0..=3_u8), Just(0..=20), Just(1..=255), Just(0..=255)];
        (side.clone(), side, values, any::<u64>()).prop_map(|(width, height, values, seed)| {
            let span = u64::from(values.end() - values.start()) + 1;
            let mut state = seed | 1;
            let texels = (0..width * height).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                values.start() + u8::try_from(state % span).unwrap()
            });
            (width, height, texels.collect())
        })
    }

    proptest! {
        #[test]
        fn what_is_stored_without_a_trial_is_what_the_trial_stores((width, height, indices) in pictures()) {
            let trial = by_trial(&indices, width, height);
            if let Some(stored) = rows(&indices, width, height).unwrap() {
                prop_assert_eq!(stored, trial);
            }
        }
    }

    #[test]
    fn many_values_are_stored_and_few_are_tried() {
        let many: Vec<u8> = (0..64 * 64_u32)
            .map(|index| (index * 7 % 251) as u8)
            .collect();
        let stored = rows(&many, 64, 64).unwrap().unwrap();
        assert_eq!(stored, by_trial(&many, 64, 64));
        let few = vec![1; 64 * 64];
        assert_eq!(rows(&few, 64, 64).unwrap(), None);
        assert!(by_trial(&few, 64, 64).len() < few.len());
    }

    #[test]
    fn rows_that_fill_no_picture_are_left_to_the_library() {
        for (width, height) in [(0, 4), (4, 0), (4, 4), (u32::MAX, u32::MAX)] {
            assert_eq!(rows(&[200; 12], width, height).unwrap(), None);
        }
        assert_eq!(rows(&[], 0, 0).unwrap(), None);
    }
}
