//! Blocks of a member: independent zlib streams, each with its two sizes in front.

use flate2::{
    Compress, Compression, Decompress, DecompressError, FlushCompress, FlushDecompress, Status,
};

use crate::formats::codec::{Decoded, Deviations, FixedSize, FormatError, Reader, Result, Stream};
use crate::limits;

/// Inflated bytes of every block but the last of a member, in every archive seen.
pub const BLOCK_SIZE: usize = 8192;

/// The best ratio that deflate can reach: 258 bytes for two bits.
const BEST_RATIO: usize = 1032;

/// Sizes in front of one block.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    deflated: usize,
    inflated: usize,
}

/// Reads the sizes of the next block and checks them against the bytes that are left of the
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
            format_args!("at most the {left} bytes left of the member"),
            inflated,
        ));
    }
    if sizes.inflated > sizes.deflated.saturating_mul(BEST_RATIO) {
        return Err(FormatError::malformed(
            "inflated",
            field,
            format_args!("what {deflated} bytes can inflate to"),
            inflated,
        ));
    }
    Ok(sizes)
}

/// Length of the block stream at the start of `bytes` that inflates to `size` bytes. Nothing is
/// inflated.
pub(super) fn stream_length(bytes: &[u8], size: usize) -> Result<usize> {
    // The size alone first, then with what is stored for it.
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

/// Inflates a block stream. Memory grows block by block, so a stream that lies about its sizes
/// costs no more than it really inflates to.
pub(super) fn inflate(stream: &[u8], size: usize) -> Result<Decoded<Vec<u8>>> {
    stream_length(stream, size)?;
    let mut reader = Reader::new(stream);
    let mut deviations = Deviations::default();
    let mut out = Vec::new();
    let mut zlib = Decompress::new(true);
    while out.len() < size {
        let sizes = sizes(&mut reader, size.saturating_sub(out.len()))?;
        let offset = reader.position();
        let data = reader.take("block", sizes.deflated)?;
        let start = out.len();
        limits::room(sizes.inflated)?;
        out.resize(start.saturating_add(sizes.inflated), 0);
        zlib.reset(true);
        let status = zlib.decompress(
            data,
            out.get_mut(start..).unwrap_or_default(),
            FlushDecompress::Finish,
        );
        let expected = format_args!("a zlib stream of {} bytes", sizes.inflated);
        if let Some(damage) = damage(&zlib, &status, sizes.inflated) {
            let intact = (start as u64).saturating_add(zlib.total_out());
            let found = format_args!("{damage}; {intact} of {size} bytes inflate before that");
            return Err(FormatError::malformed("block", offset, expected, found));
        }
        if zlib.total_in() != data.len() as u64 {
            deviations.push(
                "block",
                offset,
                format_args!("a zlib stream of {} bytes", data.len()),
                zlib.total_in(),
            );
        }
    }
    Ok(Decoded {
        value: out,
        deviations,
    })
}

/// What is wrong with a block that was asked for `size` bytes; `None` when it gave them, and its checksum
/// agrees.
fn damage(
    zlib: &Decompress,
    status: &std::result::Result<Status, DecompressError>,
    size: usize,
) -> Option<String> {
    match status {
        Ok(Status::StreamEnd) if zlib.total_out() == size as u64 => None,
        Ok(Status::StreamEnd) => Some(format!("{} bytes", zlib.total_out())),
        Ok(_) => Some("more or less data".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// Inflates the start of a stream: what can be had of its first block, whole or damaged.
pub(super) fn first(stream: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut reader = Reader::new(stream);
    let sizes = sizes(&mut reader, size)?;
    let data = reader.take("block", sizes.deflated)?;
    let mut out = vec![0; sizes.inflated.min(BLOCK_SIZE)];
    let mut zlib = Decompress::new(true);
    // Damage is told by whoever inflates the whole member; what lies before it still says what it is.
    let _ = zlib.decompress(data, &mut out, FlushDecompress::None);
    out.truncate(usize::try_from(zlib.total_out()).unwrap_or_default());
    Ok(out)
}

/// Deflates `data` into a block stream as the games' packer cuts it. The same bytes for the same
/// data, whatever the machine.
pub(super) fn deflate(data: &[u8], level: Compression) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut zlib = Compress::new(level, true);
    for block in data.chunks(BLOCK_SIZE) {
        zlib.reset();
        // Room for stored blocks: five bytes each, and six for the zlib frame.
        let mut deflated = Vec::with_capacity(block.len().saturating_add(64));
        let status = zlib.compress_vec(block, &mut deflated, FlushCompress::Finish);
        if !matches!(status, Ok(Status::StreamEnd)) {
            return Err(FormatError::unencodable(
                "block",
                out.len(),
                "a block that deflates",
                format_args!("{status:?}"),
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
    use crate::formats::codec::FaultKind;

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
        let claimed = (deflated * BEST_RATIO + 1) as u32;
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
