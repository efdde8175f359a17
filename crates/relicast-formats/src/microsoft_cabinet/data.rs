//! Data blocks of Microsoft cabinets: their checksum, and the method MSZIP. The caller locates the blocks, and expands
//! the method LZX.
//!
//! Source: the public specifications of the format and of MSZIP ("MS-MCI").
//!
//! ```
//! use relicast_formats::microsoft_cabinet::data::{MsZip, checksum};
//!
//! // A block of MSZIP that holds five bytes as they are.
//! let block = b"CK\x01\x05\x00\xFA\xFFhello";
//! assert_eq!(MsZip::default().expand(block, 5)?, b"hello");
//! assert_eq!(checksum(b"\x01\x02\x03\x04\x01\x02\x03\x04"), 0);
//! # Ok::<(), String>(())
//! ```

use flate2::{Decompress, FlushDecompress};

/// Signature of an MSZIP block.
const SIGNATURE: &[u8] = b"CK";

/// Number of earlier bytes that a block may repeat.
const HISTORY: usize = 32 << 10;

/// Exclusive or of the words of `bytes`; up to three bytes at the end are a word of their own, with the first byte
/// highest.
pub fn checksum(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let sum = words
        .iter()
        .fold(0, |sum, word| sum ^ u32::from_le_bytes(*word));
    rest.iter()
        .fold(0, |last, byte| last << 8 | u32::from(*byte))
        ^ sum
}

/// True if a block with this checksum in its header is undamaged. A checksum of 0 is not checked. `sizes` and
/// `reserve` are the header bytes after it.
pub fn is_whole(stored: u32, sizes: [u8; 4], reserve: &[u8], data: &[u8]) -> bool {
    let without = checksum(data) ^ u32::from_le_bytes(sizes);
    // Some writers leave the reserve out.
    stored == 0 || stored == without || stored == without ^ checksum(reserve)
}

/// Expands the blocks of a folder in sequence.
#[derive(Default)]
pub struct MsZip {
    whole: libdeflater::Decompressor,
    stepwise: Option<Decompress>,
    /// The end of the previous blocks, as a stored deflate block; after it the block to expand.
    input: Vec<u8>,
    /// Expanded input, and room after it.
    output: Vec<u8>,
    /// Length of the previous bytes and of the last block.
    filled: usize,
}

impl std::fmt::Debug for MsZip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MsZip").finish_non_exhaustive()
    }
}

impl MsZip {
    /// Expands the next block to `size` bytes.
    ///
    /// # Errors
    /// It is not a block of MSZIP, or expands to more or fewer bytes.
    pub fn expand(&mut self, block: &[u8], size: usize) -> Result<&[u8], String> {
        let Some(data) = block.strip_prefix(SIGNATURE) else {
            return Err("a block without the MSZIP signature".to_owned());
        };
        let kept = self.filled.min(HISTORY);
        let before = self.output.get(self.filled - kept..self.filled);
        self.input.clear();
        if let (1.., Ok(length)) = (kept, u16::try_from(kept)) {
            self.input.push(0);
            self.input.extend_from_slice(&length.to_le_bytes());
            self.input.extend_from_slice(&(!length).to_le_bytes());
            self.input.extend_from_slice(before.unwrap_or_default());
        }
        self.input.extend_from_slice(data);
        let wanted = kept + size;
        // Bytes of earlier blocks are overwritten: clearing them would cost as much as copying.
        self.output.resize(self.output.len().max(wanted), 0);
        self.filled = 0;
        let out = self.output.get_mut(..wanted).unwrap_or_default();
        if self.whole.deflate_decompress(&self.input, out) != Ok(wanted) {
            let stepwise = self.stepwise.get_or_insert_with(|| Decompress::new(false));
            expand_stepwise(stepwise, &self.input, out)?;
        }
        self.filled = wanted;
        Ok(self.output.get(kept..wanted).unwrap_or_default())
    }
}

/// Expands a block that does not end like a deflate block, or is damaged.
fn expand_stepwise(stepwise: &mut Decompress, input: &[u8], out: &mut [u8]) -> Result<(), String> {
    stepwise.reset(false);
    let ended = stepwise.decompress(input, out, FlushDecompress::Finish);
    let given = usize::try_from(stepwise.total_out()).unwrap_or(usize::MAX);
    match ended {
        Err(error) => Err(format!("a damaged MSZIP block: {error}")),
        Ok(_) if given != out.len() => Err(format!(
            "an MSZIP block that ends early; bytes missing: {}",
            out.len().saturating_sub(given)
        )),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use flate2::{Compress, Compression, FlushCompress};

    use super::{HISTORY, MsZip, checksum, is_whole};

    /// Blocks like those of real writers: each repeats bytes of earlier ones. `ended`: with an end of the deflate
    /// stream.
    fn blocks(bytes: &[u8], ended: bool) -> Vec<Vec<u8>> {
        let mut compress = Compress::new(Compression::best(), false);
        let parts = bytes.chunks(HISTORY);
        let block = |part: &[u8]| {
            let mut out = Vec::with_capacity(1 << 17);
            out.extend_from_slice(b"CK");
            compress
                .compress_vec(part, &mut out, FlushCompress::Sync)
                .unwrap();
            if ended {
                out.extend_from_slice(&[3, 0]);
            }
            out
        };
        parts.map(block).collect()
    }

    fn bytes() -> Vec<u8> {
        let word = |index: u32| (index.wrapping_mul(2_654_435_761) >> 13).to_le_bytes();
        let some: Vec<u8> = (0..9000).flat_map(word).collect();
        // The second and third block repeat the bytes one block earlier.
        [&*some, &*some, &some[..500]].concat()
    }

    #[test]
    fn blocks_repeat_bytes_of_those_before() {
        let bytes = bytes();
        for ended in [true, false] {
            let mut zip = MsZip::default();
            let mut found = Vec::new();
            for (block, part) in blocks(&bytes, ended).iter().zip(bytes.chunks(HISTORY)) {
                found.extend_from_slice(zip.expand(block, part.len()).unwrap());
            }
            assert!(found == bytes, "ended: {ended}");
        }
    }

    #[test]
    fn damaged_blocks_are_refused() {
        let bytes = bytes();
        let all = blocks(&bytes, true);
        let mut zip = MsZip::default();
        assert!(zip.expand(b"PK", 1).unwrap_err().contains("signature"));
        assert!(
            zip.expand(&all[0], HISTORY + 1)
                .unwrap_err()
                .contains("ends early")
        );
        assert!(zip.expand(&all[0][..100], HISTORY).is_err());
        // Without the first block, the second one repeats missing bytes.
        assert!(MsZip::default().expand(&all[1], HISTORY).is_err());
    }

    #[test]
    fn checksums_agree_with_the_specification() {
        let text = b"\x97\0\x97\0#include <stdio.h>\r\n\r\nvoid main(void)\r\n{\r\n    printf(\"Hello, world!\\n\");\r\n}\r\n\
            #include <stdio.h>\r\n\r\nvoid main(void)\r\n{\r\n    printf(\"Welcome!\\n\");\r\n}\r\n\r\n";
        let (sizes, data) = text.split_first_chunk::<4>().unwrap();
        assert_eq!(checksum(text), 0x30A6_5ABD);
        assert!(is_whole(0x30A6_5ABD, *sizes, &[], data));
        assert!(!is_whole(0x30A6_5ABC, *sizes, &[], data));
        assert!(is_whole(0, *sizes, &[], data));
        assert!(is_whole(
            0x30A6_5ABD ^ 0x0403_0201,
            *sizes,
            &[1, 2, 3, 4],
            data
        ));
    }
}
