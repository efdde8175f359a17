//! The format chunk: coding, channels and rate.

use serde::Serialize;

use relicast_codec::{Blob, FixedSize, Reader, Result, Stream, Walk, Writer};

relicast_codec::open_enum! {
    /// Coding of samples.
    pub enum FormatTag: u16 {
        /// Plain samples: unsigned up to 8 bits, signed above.
        Pcm = 1,
        /// Microsoft ADPCM, 4 bits per sample.
        MsAdpcm = 2,
        /// IEEE 754 floats.
        Float = 3,
        /// IMA ADPCM in Microsoft's blocks (also called DVI), 4 bits per sample.
        ImaAdpcm = 0x11,
        /// The extension states the coding.
        Extensible = 0xFFFE,
    }
}

relicast_codec::record! {
    /// The 16 bytes that every format chunk starts with.
    pub struct FormatHeader[16] {
        /// Offset 0: coding.
        tag: FormatTag,
        /// Offset 2: samples per frame.
        channels: u16,
        /// Offset 4: frames per second.
        rate: u32,
        /// Offset 8: bytes per second, rounded for compressed sounds.
        bytes_per_second: u32,
        /// Offset 12: size of a frame, or of a block of compressed frames.
        block_align: u16,
        /// Offset 14: bits per sample.
        bits: u16,
    }
}

/// Predictor coefficients of Microsoft ADPCM, which are always these: weights of the last sample
/// and the one before, in units of 1/256.
pub const STANDARD_COEFFICIENTS: [[i16; 2]; 7] = [
    [256, 0],
    [512, -256],
    [0, 0],
    [192, 64],
    [240, 0],
    [460, -208],
    [392, -232],
];

/// A format chunk.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Format<'a> {
    /// The first 16 bytes.
    #[serde(flatten)]
    pub header: FormatHeader,
    /// The following bytes: empty, or a size field and as many bytes (more or fewer in
    /// broken files).
    pub extension: Blob<'a>,
}

impl<'a> Walk<'a> for Format<'a> {
    const SMALLEST: usize = FormatHeader::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        self.header.walk(stream)?;
        let length = match S::READING {
            true => stream.remaining(),
            false => self.extension.len(),
        };
        stream.bytes("extension", &mut self.extension.0, length)
    }
}

impl<'a> Format<'a> {
    /// Reads the payload of a format chunk.
    ///
    /// # Errors
    /// It is shorter than 16 bytes.
    pub fn decode(payload: &'a [u8]) -> Result<Self> {
        let mut format = Self::default();
        format.walk(&mut Reader::new(payload))?;
        Ok(format)
    }

    /// Encodes the payload of the format chunk.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let walked = self.clone().walk(&mut writer);
        debug_assert!(
            walked.is_ok(),
            "the extension is written with its own length"
        );
        writer.into_bytes()
    }

    /// Plain samples of 8 or 16 bits; a frame that overflows its size field gets the largest value.
    pub fn pcm(channels: u16, rate: u32, bits: u16) -> Self {
        let block_align = channels.saturating_mul(bits.div_ceil(8));
        Self {
            header: FormatHeader {
                tag: FormatTag::Pcm,
                channels,
                rate,
                bytes_per_second: rate.saturating_mul(u32::from(block_align)),
                block_align,
                bits,
            },
            extension: Blob::default(),
        }
    }

    /// Microsoft ADPCM in blocks of `block_align` bytes, with the standard coefficients.
    pub fn ms_adpcm(channels: u16, rate: u32, block_align: u16) -> Self {
        let samples = stored_frames(FormatTag::MsAdpcm, channels, block_align);
        let mut extension = Vec::with_capacity(34);
        32_u16.store(&mut extension);
        samples.store(&mut extension);
        7_u16.store(&mut extension);
        STANDARD_COEFFICIENTS.store(&mut extension);
        Self::adpcm(FormatTag::MsAdpcm, channels, rate, block_align, extension)
    }

    /// IMA ADPCM in blocks of `block_align` bytes.
    pub fn ima_adpcm(channels: u16, rate: u32, block_align: u16) -> Self {
        let samples = stored_frames(FormatTag::ImaAdpcm, channels, block_align);
        let mut extension = Vec::with_capacity(4);
        2_u16.store(&mut extension);
        samples.store(&mut extension);
        Self::adpcm(FormatTag::ImaAdpcm, channels, rate, block_align, extension)
    }

    fn adpcm(
        tag: FormatTag,
        channels: u16,
        rate: u32,
        block_align: u16,
        extension: Vec<u8>,
    ) -> Self {
        let samples = frames_in_block(tag, channels, block_align).max(1);
        let bytes = u64::from(rate).saturating_mul(u64::from(block_align)) / u64::from(samples);
        Self {
            header: FormatHeader {
                tag,
                channels,
                rate,
                bytes_per_second: u32::try_from(bytes).unwrap_or(u32::MAX),
                block_align,
                bits: 4,
            },
            extension: extension.into(),
        }
    }

    /// The coding: the tag, or the coding in the extension of an extensible format.
    pub fn coding(&self) -> FormatTag {
        let sub_format = self.extension.get(8..).and_then(u16::load);
        match (self.header.tag, sub_format) {
            (FormatTag::Extensible, Some(code)) => FormatTag::from_code(code),
            (tag, _) => tag,
        }
    }

    /// Frames in a block of ADPCM, as stored.
    pub fn stored_samples_per_block(&self) -> Option<u16> {
        self.extension.get(2..).and_then(u16::load)
    }

    /// Frames in a whole block of ADPCM, computed from its size; 0 when it is too small for a header, or
    /// for another coding.
    pub fn samples_per_block(&self) -> u32 {
        frames_in_block(self.coding(), self.header.channels, self.header.block_align)
    }

    /// The stored predictor coefficients of Microsoft ADPCM; `None` when their table is missing,
    /// empty or truncated.
    pub fn ms_coefficients(&self) -> Option<Vec<[i16; 2]>> {
        let count = usize::from(self.extension.get(4..).and_then(u16::load)?);
        let table = self.extension.get(6..)?.get(..count.checked_mul(4)?)?;
        let coefficients: Vec<[i16; 2]> =
            table.chunks_exact(4).filter_map(<[i16; 2]>::load).collect();
        (!coefficients.is_empty()).then_some(coefficients)
    }
}

/// [`frames_in_block`] as stored in a format's extension; larger numbers become the largest.
fn stored_frames(coding: FormatTag, channels: u16, block_align: u16) -> u16 {
    u16::try_from(frames_in_block(coding, channels, block_align)).unwrap_or(u16::MAX)
}

/// Number of frames of a whole block: those of the header and two (over the channels) of each byte after it.
fn frames_in_block(coding: FormatTag, channels: u16, block_align: u16) -> u32 {
    let (header, in_header) = match coding {
        FormatTag::MsAdpcm => (7, 2),
        FormatTag::ImaAdpcm => (4, 1),
        _ => return 0,
    };
    let channels = u32::from(channels);
    u32::from(block_align)
        .checked_sub(channels.saturating_mul(header))
        .and_then(|body| body.saturating_mul(2).checked_div(channels))
        .map_or(0, |frames| frames.saturating_add(in_header))
}
