//! Parts shared by the two codings: blocks of fixed size that each hold a header a channel.

use crate::riff::{Format, FormatTag};
use relicast_codec::{Deviations, FormatError, Result, shown};

/// Validated block layout of a sound.
#[derive(Debug)]
pub(super) struct Blocks {
    /// One or two.
    pub channels: usize,
    /// Size of a block; at least its header, so never 0.
    pub size: usize,
    /// Size of the header of all channels.
    pub header: usize,
}

impl Blocks {
    /// Validates the blocks of `format`, each with a header of `header` bytes per channel.
    pub(super) fn new(
        format: &Format<'_>,
        coding: FormatTag,
        header: usize,
        deviations: &mut Deviations,
    ) -> Result<Self> {
        if format.coding() != coding {
            return Err(FormatError::unsupported(
                "fmt.tag",
                0,
                shown(&coding),
                shown(&format.header.tag),
            ));
        }
        let channels = usize::from(format.header.channels);
        if !(1..=2).contains(&channels) {
            return Err(FormatError::unsupported(
                "fmt.channels",
                2,
                "1 or 2 channels of ADPCM",
                channels,
            ));
        }
        let header = header.saturating_mul(channels);
        let size = usize::from(format.header.block_align);
        if size < header {
            return Err(FormatError::malformed(
                "fmt.block_align",
                12,
                format_args!("at least {header}, the header of a block"),
                size,
            ));
        }
        let derived = format.samples_per_block();
        match format.stored_samples_per_block() {
            Some(stored) if u32::from(stored) == derived => {}
            stored => deviations.push(
                "fmt.samples_per_block",
                18,
                format_args!("{derived}, computed from the block size"),
                shown(&stored),
            ),
        }
        Ok(Self {
            channels,
            size,
            header,
        })
    }

    /// Largest number of samples in `length` bytes: no byte holds more than two.
    pub(super) fn capacity(&self, length: usize) -> usize {
        length.saturating_mul(2)
    }

    /// Splits data into the header and body of each block, with the offset of the block. The last block may be short;
    /// one without a whole header is left out.
    pub(super) fn split<'d>(
        &self,
        data: &'d [u8],
        deviations: &mut Deviations,
    ) -> impl Iterator<Item = (usize, &'d [u8], &'d [u8])> + use<'d> {
        let stray = data.len().checked_rem(self.size).unwrap_or_default();
        if stray > 0 {
            deviations.push(
                "data",
                data.len().saturating_sub(stray),
                format_args!("whole blocks of {} bytes", self.size),
                format_args!("bytes in the last block: {stray}"),
            );
        }
        let (header, size) = (self.header, self.size);
        data.chunks(size.max(1))
            .enumerate()
            .filter_map(move |(index, block)| {
                let (header, body) = block.split_at_checked(header)?;
                Some((index.saturating_mul(size), header, body))
            })
    }
}

/// Limits a value to 16 bits.
pub(super) fn clamp(value: i64) -> i16 {
    i16::try_from(value).unwrap_or(if value < 0 { i16::MIN } else { i16::MAX })
}

/// Low and high half of a byte.
pub(super) fn nibbles(byte: u8) -> (u8, u8) {
    (byte & 0x0F, byte >> 4)
}

/// Splits interleaved `samples` into blocks of `frames` frames for an encoder. The last block is
/// padded with its last frame.
pub(super) fn frames_of_blocks(
    samples: &[i16],
    channels: usize,
    frames: usize,
) -> impl Iterator<Item = Vec<i16>> {
    let whole = frames.saturating_mul(channels).max(1);
    let even = samples
        .len()
        .saturating_sub(samples.len().checked_rem(channels).unwrap_or_default());
    samples
        .get(..even)
        .unwrap_or_default()
        .chunks(whole)
        .map(move |chunk| {
            let last = chunk
                .get(chunk.len().saturating_sub(channels)..)
                .unwrap_or_default();
            let fill = last.iter().cycle().take(whole.saturating_sub(chunk.len()));
            chunk.iter().chain(fill).copied().collect()
        })
}
