//! Recordings as FLAC, WAV and Ogg Vorbis, written while they are read: memory does not grow with their length.
//!
//! A FLAC is encoded in segments, on all threads, because frames are independent.
//!
//! ```
//! use relicast_emit::recording::write;
//! use relicast_scene::{Encoding, Recording, SampleSource};
//!
//! #[derive(Debug)]
//! struct Silence;
//! impl SampleSource for Silence {
//!     fn frames(&self) -> u64 { 588 }
//!     fn read(&self, _frame: u64, buffer: &mut [u8]) -> std::io::Result<()> {
//!         buffer.fill(0);
//!         Ok(())
//!     }
//! }
//! let recording = Recording { samples: &Silence, md5: [0; 16], tags: Vec::new() };
//! let mut file = Vec::new();
//! write(&recording, Encoding::Wav, &mut file)?;
//! assert_eq!(file.len(), 44 + 588 * 4);
//! # Ok::<(), relicast_emit::EmitError>(())
//! ```

use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroU64};

use flac_codec::metadata::{BlockList, Streaminfo, VorbisComment, write_blocks};

use relicast_limits as limits;

use super::EmitError;
use super::flac::{self, BLOCK, FlacError, Format, FrameEncoder};
use super::ogg;
use super::wav::WavError;
use relicast_scene::Encoding;
use relicast_scene::recording::{FRAME, RATE, Recording};

/// Blocks of a segment.
const SEGMENT: usize = 32;

/// Segments of a recording in memory at once: enough for all threads together with the segments of other
/// tracks, and few enough for a disc with many.
const MAX_AT_ONCE: usize = 8;

/// Writes a recording.
///
/// # Errors
/// Its samples cannot be read, its tags or length do not fit the format, or `out` cannot be written.
pub fn write(
    recording: &Recording<'_>,
    encoding: Encoding,
    out: &mut dyn Write,
) -> Result<(), EmitError> {
    match encoding {
        Encoding::Flac => write_flac(recording, out),
        Encoding::Wav => write_wav(recording, out),
        Encoding::Ogg => Ok(ogg::write_recording(recording, out)?),
        other => Err(EmitError::Mismatch(other.extension())),
    }
}

fn write_wav(recording: &Recording<'_>, out: &mut dyn Write) -> Result<(), EmitError> {
    let bytes = recording.samples.frames().saturating_mul(FRAME as u64);
    let size = u32::try_from(bytes)
        .ok()
        .filter(|size| *size <= u32::MAX - 36)
        .ok_or(WavError::TooLarge(
            usize::try_from(bytes).unwrap_or(usize::MAX),
        ))?;
    let mut header = Vec::with_capacity(44);
    header.extend(b"RIFF");
    header.extend((size + 36).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16_u32.to_le_bytes());
    header.extend([1, 0, 2, 0]);
    header.extend(RATE.to_le_bytes());
    header.extend((RATE * FRAME as u32).to_le_bytes());
    header.extend([4, 0, 16, 0]);
    header.extend(b"data");
    header.extend(size.to_le_bytes());
    out.write_all(&header)?;
    let mut buffer = vec![0; BLOCK * SEGMENT * FRAME];
    let mut frame = 0;
    while frame < recording.samples.frames() {
        let part = segment(recording, frame, &mut buffer)?;
        out.write_all(part)?;
        frame += (part.len() / FRAME) as u64;
    }
    Ok(())
}

/// Reads the segment that starts at `frame`; the last one is shorter than `buffer`.
fn segment<'b>(
    recording: &Recording<'_>,
    frame: u64,
    buffer: &'b mut [u8],
) -> io::Result<&'b [u8]> {
    let left = recording.samples.frames().saturating_sub(frame);
    let count = usize::try_from(left).map_or(buffer.len(), |left| {
        left.saturating_mul(FRAME).min(buffer.len())
    });
    let part = buffer.get_mut(..count).unwrap_or_default();
    recording.samples.read(frame, part)?;
    Ok(part)
}

fn write_flac(recording: &Recording<'_>, out: &mut dyn Write) -> Result<(), EmitError> {
    let mut comment = VorbisComment::default();
    flac::add_tags(&mut comment, &recording.tags)?;
    let mut blocks = BlockList::new(Streaminfo {
        minimum_block_size: BLOCK as u16,
        maximum_block_size: BLOCK as u16,
        minimum_frame_size: None,
        maximum_frame_size: None,
        sample_rate: RATE,
        channels: NonZeroU8::MIN.saturating_add(1),
        bits_per_sample: 16_u32
            .try_into()
            .map_err(|_| FlacError::Encoder(flac_codec::Error::InvalidBitsPerSample))?,
        total_samples: NonZeroU64::new(recording.samples.frames()),
        md5: Some(recording.md5),
    });
    blocks.insert(comment);
    write_blocks(&mut *out, blocks.blocks()).map_err(FlacError::Encoder)?;
    let segments = recording
        .samples
        .frames()
        .div_ceil((BLOCK * SEGMENT) as u64);
    let numbers: Vec<u64> = (0..segments).collect();
    for numbers in numbers.chunks(MAX_AT_ONCE) {
        for bytes in limits::par_map(numbers, |number| encode_segment(recording, *number)) {
            out.write_all(&bytes?)?;
        }
    }
    Ok(())
}

/// The frames of segment `number`.
fn encode_segment(recording: &Recording<'_>, number: u64) -> Result<Vec<u8>, EmitError> {
    let mut buffer = vec![0; BLOCK * SEGMENT * FRAME];
    let start = number * (BLOCK * SEGMENT) as u64;
    let samples = segment(recording, start, &mut buffer)?;
    let mut encoded = Vec::with_capacity(samples.len());
    let mut block = Vec::with_capacity(BLOCK * 2);
    let mut encoder = FrameEncoder::new(Format {
        rate: RATE,
        channels: 2,
        depth: 16,
    });
    let first = number * SEGMENT as u64;
    for (number, bytes) in (first..).zip(samples.chunks(BLOCK * FRAME)) {
        block.clear();
        let pairs = bytes.as_chunks::<2>().0.iter();
        block.extend(pairs.map(|&pair| i32::from(i16::from_le_bytes(pair))));
        encoder.encode(number, &block, &mut encoded);
    }
    Ok(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Samples(Vec<u8>);

    impl relicast_scene::SampleSource for Samples {
        fn frames(&self) -> u64 {
            (self.0.len() / FRAME) as u64
        }

        fn read(&self, frame: u64, buffer: &mut [u8]) -> io::Result<()> {
            let start = frame as usize * FRAME;
            buffer.copy_from_slice(&self.0[start..start + buffer.len()]);
            Ok(())
        }
    }

    fn samples_of(frames: usize) -> Samples {
        let mut state = 7_u32;
        let samples = (0..2 * frames).flat_map(|index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let tone = (index as i32 / 2 * 97 % 20_000 - 10_000) as i16;
            (tone + (state >> 26) as i16).to_le_bytes()
        });
        Samples(samples.collect())
    }

    fn encoded(samples: &Samples, encoding: Encoding) -> Vec<u8> {
        let recording = Recording {
            samples,
            md5: md5::compute(&samples.0).0,
            tags: vec![("TITLE".to_owned(), "Tone".to_owned())],
        };
        let mut out = Vec::new();
        write(&recording, encoding, &mut out).unwrap();
        out
    }

    #[test]
    fn a_foreign_decoder_reads_every_segment() {
        // More than 2048 frames, so that numbers of one, two and three bytes occur.
        for frames in [1, 15, 4096, 4097, 4096 * 32 + 1, 4096 * 2050 + 200] {
            let samples = samples_of(frames);
            let flac = encoded(&samples, Encoding::Flac);
            let mut reader = claxon::FlacReader::new(&*flac).unwrap();
            assert_eq!(reader.streaminfo().samples, Some(frames as u64));
            let back: Vec<u8> = reader
                .samples()
                .flat_map(|sample| (sample.unwrap() as i16).to_le_bytes())
                .collect();
            assert!(back == samples.0, "{frames} frames");
        }
    }

    #[test]
    fn no_samples_are_a_file_all_the_same() {
        let flac = encoded(&samples_of(0), Encoding::Flac);
        assert_eq!(
            claxon::FlacReader::new(&*flac).unwrap().samples().count(),
            0
        );
        assert_eq!(encoded(&samples_of(0), Encoding::Wav).len(), 44);
    }

    #[test]
    fn a_wave_file_holds_the_samples() {
        let samples = samples_of(5000);
        let wave = encoded(&samples, Encoding::Wav);
        let mut reader = hound::WavReader::new(&*wave).unwrap();
        assert_eq!(reader.spec().sample_rate, RATE);
        assert_eq!(reader.samples::<i16>().count(), 10_000);
        assert_eq!(&wave[44..], &*samples.0);
    }
}
