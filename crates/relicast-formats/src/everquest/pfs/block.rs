//! Blocks of a member: independent zlib streams, each prefixed by its two sizes.

use std::sync::atomic::{AtomicU64, Ordering};

use flate2::{
    Compress, Compression, Decompress, DecompressError, FlushCompress, FlushDecompress, Status,
};

use super::start;
use relicast_codec::{Decoded, Deviations, FixedSize, FormatError, Reader, Result, Stream, shown};
use relicast_limits as limits;

/// Inflated bytes of every block but the last of a member, in every archive seen.
pub const BLOCK_SIZE: usize = 8192;

/// Maximum ratio that deflate can reach: 258 bytes for two bits. A block that states more is refused.
const MAX_RATIO: usize = 1032;

/// Ratio up to which memory for a whole member is reserved at once.
const PLAUSIBLE_RATIO: usize = 16;

/// Counter that [`inflated`] returns.
static INFLATED: AtomicU64 = AtomicU64::new(0);

/// Number of bytes that this process has inflated from archives so far, including starts of members and blocks that
/// proved damaged. Compared with the sizes of the members it shows how often the same member was inflated again.
pub fn inflated() -> u64 {
    INFLATED.load(Ordering::Relaxed)
}

fn count(bytes: usize) {
    INFLATED.fetch_add(bytes as u64, Ordering::Relaxed);
    limits::spending::inflated(bytes);
}

/// Sizes before one block.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    deflated: usize,
    inflated: usize,
}

/// Reads the sizes of the next block and checks them against the remaining bytes of the
/// stream and of the member.
fn sizes(reader: &mut Reader<'_>, left: usize) -> Result<Sizes> {
    let offset = reader.position();
    let (mut deflated, mut inflated) = (0_u32, 0_u32);
    reader.value("deflated", &mut deflated)?;
    reader.value("inflated", &mut inflated)?;
    let sizes = Sizes {
        deflated: deflated as usize,
        inflated: inflated as usize,
    };
    let field = offset.saturating_add(u32::SIZE);
    if sizes.inflated > left {
        return Err(FormatError::malformed(
            "inflated",
            field,
            format_args!("at most {left}, the remaining bytes of the member"),
            inflated,
        ));
    }
    if sizes.inflated > sizes.deflated.saturating_mul(MAX_RATIO) {
        return Err(FormatError::malformed(
            "inflated",
            field,
            format_args!("at most the size that {deflated} bytes can inflate to"),
            inflated,
        ));
    }
    Ok(sizes)
}

/// Length of the block stream at the start of `bytes` that inflates to `size` bytes. Nothing is
/// inflated.
pub(super) fn stream_length(bytes: &[u8], size: usize) -> Result<usize> {
    // The limit on the size is checked before the stream is read, the limit on the ratio after it.
    limits::check_inflated(size, size)?;
    let mut reader = Reader::new(bytes);
    let mut left = size;
    while left > 0 {
        let sizes = sizes(&mut reader, left)?;
        reader.take("block", sizes.deflated)?;
        left = left.saturating_sub(sizes.inflated);
    }
    limits::check_inflated(reader.position(), size)?;
    Ok(reader.position())
}

/// Inflates a block stream. Memory grows block by block, so a stream with false sizes
/// costs no more than it really inflates to.
pub(super) fn inflate(stream: &[u8], size: usize) -> Result<Decoded<Vec<u8>>> {
    stream_length(stream, size)?;
    let mut reader = Reader::new(stream);
    let mut deviations = Deviations::default();
    let mut out = Vec::new();
    // This size is within the limits, so a plausible size is reserved at once.
    out.try_reserve_exact(size.min(stream.len().saturating_mul(PLAUSIBLE_RATIO)))
        .ok();
    let mut inflater = Inflater::default();
    while out.len() < size {
        let sizes = sizes(&mut reader, size.saturating_sub(out.len()))?;
        let offset = reader.position();
        let data = reader.take("block", sizes.deflated)?;
        let start = out.len();
        limits::try_reserve(sizes.inflated)?;
        out.resize(start.saturating_add(sizes.inflated), 0);
        let place = out.get_mut(start..).unwrap_or_default();
        count(sizes.inflated);
        match inflater.inflate(data, place) {
            Ok(taken) if taken == data.len() => {}
            Ok(taken) => deviations.push(
                "block",
                offset,
                format_args!("a zlib stream of {} compressed bytes", data.len()),
                taken,
            ),
            Err(damage) => {
                let size_of_block = sizes.inflated;
                let expected = format_args!("a zlib stream that inflates to {size_of_block} bytes");
                let intact = start.saturating_add(damage.intact);
                let what = damage.what;
                let found = format_args!("{what}; {intact} of {size} bytes inflate before that");
                return Err(FormatError::malformed("block", offset, expected, found));
            }
        }
    }
    Ok(Decoded {
        value: out,
        deviations,
    })
}

/// Length of the checksum at the end of a zlib stream.
const CHECKSUM: usize = 4;

/// Reason for which a block gives other bytes than expected.
struct Damage {
    what: String,
    /// Bytes that are decoded before that.
    intact: usize,
}

/// Inflates blocks: whole ones at once, and damaged ones step by step, to describe the damage.
#[derive(Default)]
struct Inflater {
    whole: libdeflater::Decompressor,
    stepwise: Option<Decompress>,
}

impl Inflater {
    /// Fills `out` with the inflated `data`, and returns the number of bytes of `data` that were consumed.
    fn inflate(&mut self, data: &[u8], out: &mut [u8]) -> std::result::Result<usize, Damage> {
        let inflated = self.whole.zlib_decompress(data, out);
        // The decoder verified the checksum, but does not report where the stream ends. If the last 4 bytes are the
        // checksum, all of `data` was consumed.
        let last = data.len().checked_sub(CHECKSUM);
        let last = last.and_then(|start| data.get(start..));
        if inflated == Ok(out.len()) && last == Some(&libdeflater::adler32(out).to_be_bytes()[..]) {
            return Ok(data.len());
        }
        let stepwise = self.stepwise.get_or_insert_with(|| Decompress::new(true));
        stepwise.reset(true);
        let status = stepwise.decompress(data, out, FlushDecompress::Finish);
        match damage(stepwise, &status, out.len()) {
            None => Ok(usize::try_from(stepwise.total_in()).unwrap_or(usize::MAX)),
            Some(what) => Err(Damage {
                what,
                intact: usize::try_from(stepwise.total_out()).unwrap_or(usize::MAX),
            }),
        }
    }
}

/// Damage of a block that was asked for `size` bytes; `None` when it gave them, and its checksum
/// agrees.
fn damage(
    zlib: &Decompress,
    status: &std::result::Result<Status, DecompressError>,
    size: usize,
) -> Option<String> {
    match status {
        Ok(Status::StreamEnd) if zlib.total_out() == size as u64 => None,
        Ok(Status::StreamEnd) => Some(format!("{} bytes", zlib.total_out())),
        Ok(_) => Some("more or less data than the sizes of the block state".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// Inflates the start of a stream: at most `max` bytes of its first block; if the block is damaged, the bytes before
/// the damage. No more of it is inflated.
pub(super) fn first(stream: &[u8], size: usize, max: usize) -> Result<Vec<u8>> {
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

    let mut reader = Reader::new(stream);
    let sizes = sizes(&mut reader, size)?;
    let data = reader.take("block", sizes.deflated)?;
    let max = sizes.inflated.min(max).min(BLOCK_SIZE);
    if let Some(out) = start::inflate(data, max) {
        count(out.len());
        return Ok(out);
    }
    let mut out = vec![0; max];
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    // Inflating the whole member reports the damage; the bytes before it still show the kind of the member.
    let (_, _, intact) = decompress(&mut DecompressorOxide::new(), data, &mut out, 0, flags);
    out.truncate(intact);
    count(intact);
    Ok(out)
}

/// Deflates `data` into a block stream in the blocks of the games' packer. The same data give the same bytes
/// on every machine.
pub(super) fn deflate(data: &[u8], level: Compression) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut zlib = Compress::new(level, true);
    for block in data.chunks(BLOCK_SIZE) {
        zlib.reset();
        // Stored blocks need five more bytes each, and the zlib frame six.
        let mut deflated = Vec::with_capacity(block.len().saturating_add(64));
        let status = zlib.compress_vec(block, &mut deflated, FlushCompress::Finish);
        if !matches!(status, Ok(Status::StreamEnd)) {
            return Err(FormatError::unencodable(
                "block",
                out.len(),
                "a block that can be deflated",
                shown(&status),
            ));
        }
        for length in [deflated.len(), block.len()] {
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            length.store(&mut out);
        }
        out.extend_from_slice(&deflated);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::FaultKind;

    /// The largest member that is inflated.
    const LARGE: usize = 64 << 20;

    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        (0..length)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect()
    }

    #[test]
    fn streams_are_cut_like_the_packer_does_and_inflate_back() {
        for length in [0, 1, 8191, 8192, 8193, 20_000] {
            let data = noise(length);
            let stream = deflate(&data, Compression::new(6)).unwrap();
            assert_eq!(stream_length(&stream, length).unwrap(), stream.len());
            let inflated = inflate(&stream, length).unwrap();
            assert_eq!(inflated.value, data);
            assert!(inflated.deviations.is_empty());
        }
    }

    #[test]
    fn impossible_sizes_are_refused_before_anything_is_inflated() {
        let mut stream = deflate(&[0; 8192], Compression::new(9)).unwrap();
        assert_eq!(inflate(&stream, 8191).unwrap_err().field(), "inflated");
        assert_eq!(inflate(&stream, 8193).unwrap_err().field(), "deflated");
        let deflated = stream[0] as usize;
        let claimed = (deflated * MAX_RATIO + 1) as u32;
        stream[4..8].copy_from_slice(&claimed.to_le_bytes());
        assert_eq!(inflate(&stream, LARGE).unwrap_err().field(), "inflated");
        let error = inflate(&stream, LARGE + 1).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Limit);
    }

    #[test]
    fn a_stream_that_inflates_to_another_size_is_an_error() {
        let stream = deflate(&noise(100), Compression::new(6)).unwrap();
        let mut shorter = stream.clone();
        shorter[4] = 99;
        assert_eq!(inflate(&shorter, 99).unwrap_err().field(), "block");
        let mut longer = stream.clone();
        longer[4] = 101;
        assert_eq!(inflate(&longer, 101).unwrap_err().field(), "block");
        let mut torn = stream;
        *torn.last_mut().unwrap() ^= 1;
        assert_eq!(inflate(&torn, 100).unwrap_err().field(), "block");
    }
}
