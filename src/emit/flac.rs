//! FLAC files: the samples without loss, with tags.
//!
//! Samples of 8 bits are made signed, as FLAC has no other; samples of 16 bits stay as they are.
//! Rates stay, odd ones too. Only fixed predictors are used: they work in whole numbers, where
//! linear prediction would let the bytes depend on a machine's mathematics library. (The one
//! logarithm left is rounded up to a whole number, and exact where that would matter.)
//!
//! Tags are those of the caller in their order, then
//!
//! | tag | value |
//! | --- | --- |
//! | `CUEPOINT_001` | frame of the first cue point, counted in the samples |
//! | `CUEPOINT_001_ID` | its number in the source |
//! | `CUEPOINT_001_POSITION` | its frame in play order, only when it differs |
//! | `CUEPOINT_001_NAME` | its label, only when there is one |
//! | `LOOP_001_START`, `LOOP_001_END` | first and last frame of the first loop, both played |
//! | `LOOP_001_COUNT` | how often it plays, 0 for ever |
//! | `LOOP_001_DIRECTION` | `forward`, `alternating`, `backward` or a number |
//! | `LOOPSTART`, `LOOPLENGTH` | start and length in frames of the first loop, if it plays forward for ever: the form that players know |
//!
//! ```
//! use std::num::NonZeroU16;
//! use relicast::emit::flac::encode_flac;
//! use relicast::scene::{Samples, Sound};
//!
//! let sound = Sound::new(NonZeroU16::MIN, 22_050, Samples::U8((&[128; 64]).into()));
//! let tags = [("TITLE".to_owned(), "Silence".to_owned())];
//! let file = encode_flac(&sound, &tags)?;
//! assert!(file.starts_with(b"fLaC"));
//! # Ok::<(), relicast::emit::flac::FlacError>(())
//! ```

use std::io::Cursor;
use std::num::NonZeroU8;

use flac_codec::encode::{FlacSampleWriter, Options, OptionsError};
use flac_codec::metadata::{BlockList, Streaminfo, VorbisComment, write_blocks};

use crate::scene::{Loop, LoopDirection, Sound};

/// Frames of a block; the format's streamable subset allows 4608 at low rates.
const BLOCK_SIZE: u16 = 4096;

/// Largest rate in Hz that every decoder takes; some stop short of the 20 bits of the header.
const LARGEST_RATE: u32 = 655_350;

/// MD5 of no samples.
const EMPTY_MD5: [u8; 16] = 0xd41d_8cd9_8f00_b204_e980_0998_ecf8_427e_u128.to_be_bytes();

/// Why a sound cannot be written as FLAC.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlacError {
    /// A FLAC file has one to eight channels.
    #[error("{0} channels are more than the 8 of a FLAC file")]
    TooManyChannels(u16),
    /// A FLAC file has a rate from 1 to 655350.
    #[error("rate of {0} Hz is outside a FLAC file's 1 to {LARGEST_RATE}")]
    Rate(u32),
    /// A tag name is empty or holds characters other than printable ASCII without `=`.
    #[error("{0:?} is no name of a tag")]
    TagName(String),
    /// The encoder refused, for example because the tags are larger than 16 MiB.
    #[error("FLAC encoder failed: {0}")]
    Encoder(#[from] flac_codec::Error),
    /// The encoder does not know this program's options.
    #[error("FLAC encoder refused its options: {0}")]
    Options(#[from] OptionsError),
}

/// The bytes of a FLAC file with these tags (name and value). A sound without samples gives a file
/// without audio frames.
///
/// # Errors
/// The sound has more than 8 channels, a rate of 0 or above 655350 Hz, or a tag cannot be written.
pub fn encode_flac(sound: &Sound<'_>, tags: &[(String, String)]) -> Result<Vec<u8>, FlacError> {
    let channels = u8::try_from(sound.channels.get())
        .ok()
        .filter(|channels| (1..=8).contains(channels))
        .and_then(NonZeroU8::new)
        .ok_or(FlacError::TooManyChannels(sound.channels.get()))?;
    if !(1..=LARGEST_RATE).contains(&sound.rate) {
        return Err(FlacError::Rate(sound.rate));
    }
    let comment = comment(sound, tags)?;
    let bits = u32::from(sound.samples.bits());
    if sound.frames() == 0 {
        return without_frames(sound.rate, channels, bits, comment);
    }
    let mut file = Cursor::new(Vec::with_capacity(sound.samples.bytes().len() / 2));
    let options = options()?.comment(comment);
    let total = sound.frames() as u64 * u64::from(channels.get());
    let mut writer = FlacSampleWriter::new(
        &mut file,
        options,
        sound.rate,
        bits,
        channels.get(),
        Some(total),
    )?;
    let block = usize::from(BLOCK_SIZE) * usize::from(channels.get());
    let mut buffer = Vec::with_capacity(block);
    let mut samples = sound.samples.signed();
    loop {
        buffer.clear();
        buffer.extend(samples.by_ref().take(block));
        if buffer.is_empty() {
            break;
        }
        writer.write(&buffer)?;
    }
    writer.finalize()?;
    Ok(file.into_inner())
}

/// Fixed predictors alone cost some 2 % of size and save almost half of the time. Most game sounds
/// are short, so no room is left for later tags.
pub(super) fn options() -> Result<Options, OptionsError> {
    Ok(Options::fast()
        .block_size(BLOCK_SIZE)?
        .max_partition_order(5)?
        .mid_side(true)
        .no_padding())
}

fn without_frames(
    rate: u32,
    channels: NonZeroU8,
    bits: u32,
    comment: VorbisComment,
) -> Result<Vec<u8>, FlacError> {
    let mut blocks = BlockList::new(Streaminfo {
        minimum_block_size: BLOCK_SIZE,
        maximum_block_size: BLOCK_SIZE,
        minimum_frame_size: None,
        maximum_frame_size: None,
        sample_rate: rate,
        channels,
        bits_per_sample: bits
            .try_into()
            .map_err(|_| flac_codec::Error::InvalidBitsPerSample)?,
        total_samples: None,
        md5: Some(EMPTY_MD5),
    });
    blocks.insert(comment);
    let mut file = Vec::new();
    write_blocks(&mut file, blocks.blocks())?;
    Ok(file)
}

/// Adds tags in their order.
pub(super) fn add_tags(
    comment: &mut VorbisComment,
    tags: &[(String, String)],
) -> Result<(), FlacError> {
    for (name, value) in tags {
        let is_allowed = |byte: u8| (0x20..=0x7D).contains(&byte) && byte != b'=';
        if name.is_empty() || !name.bytes().all(is_allowed) {
            return Err(FlacError::TagName(name.clone()));
        }
        comment.insert(name, value);
    }
    Ok(())
}

fn comment(sound: &Sound<'_>, tags: &[(String, String)]) -> Result<VorbisComment, FlacError> {
    let mut comment = VorbisComment::default();
    add_tags(&mut comment, &tags_of(sound, tags))?;
    Ok(comment)
}

/// The tags of the caller, and those of the cue points and loops of a sound.
pub(super) fn tags_of(sound: &Sound<'_>, tags: &[(String, String)]) -> Vec<(String, String)> {
    let mut tags = tags.to_vec();
    let mut add = |name: &str, value: &dyn std::fmt::Display| {
        tags.push((name.to_owned(), value.to_string()));
    };
    for (number, point) in (1_usize..).zip(&sound.cue_points) {
        let name = format!("CUEPOINT_{number:03}");
        add(&name, &point.sample);
        add(&format!("{name}_ID"), &point.id);
        if point.position != point.sample {
            add(&format!("{name}_POSITION"), &point.position);
        }
        if let Some(label) = &point.label {
            add(&format!("{name}_NAME"), label);
        }
    }
    for (number, stretch) in (1_usize..).zip(&sound.loops) {
        let name = format!("LOOP_{number:03}");
        add(&format!("{name}_START"), &stretch.start);
        add(&format!("{name}_END"), &stretch.end);
        add(&format!("{name}_COUNT"), &stretch.count);
        let direction = match stretch.direction {
            LoopDirection::Forward => "forward".to_owned(),
            LoopDirection::Alternating => "alternating".to_owned(),
            LoopDirection::Backward => "backward".to_owned(),
            LoopDirection::Other(code) => code.to_string(),
        };
        add(&format!("{name}_DIRECTION"), &direction);
    }
    if let Some(&Loop {
        start,
        end,
        count: 0,
        direction: LoopDirection::Forward,
    }) = sound.loops.first()
        && let Some(last) = end.checked_sub(start)
    {
        add("LOOPSTART", &start);
        add("LOOPLENGTH", &(u64::from(last) + 1));
    }
    tags
}
