//! FLAC files: lossless samples, with tags.
//!
//! Samples of 8 bits become signed, because FLAC has no unsigned ones; samples of 16 bits are unchanged.
//! Sample rates are unchanged. Frames are encoded here (`frame`, with its predictors, Rice codes and bits), with the
//! same bytes on every machine; a library writes the metadata before them.
//!
//! The caller's tags come first, in their order, then:
//!
//! | tag | value |
//! | --- | --- |
//! | `CUEPOINT_001` | frame of the first cue point, counted in the samples |
//! | `CUEPOINT_001_ID` | its number in the source |
//! | `CUEPOINT_001_POSITION` | its frame in play order, only when it differs |
//! | `CUEPOINT_001_NAME` | its label, only when there is one |
//! | `LOOP_001_START`, `LOOP_001_END` | first and last frame of the first loop, both played |
//! `LOOP_001_COUNT` | number of repetitions, 0 for endless |
//! | `LOOP_001_DIRECTION` | `forward`, `alternating`, `backward` or a number |
//! | `LOOPSTART`, `LOOPLENGTH` | start and length in frames of the first loop, if it plays forward for ever: the form that players know |
//!
//! ```
//! use std::num::NonZeroU16;
//! use relicast_emit::flac::encode_flac;
//! use relicast_scene::{Samples, Sound};
//!
//! let sound = Sound::new(NonZeroU16::MIN, 22_050, Samples::U8((&[128; 64]).into()));
//! let tags = [("TITLE".to_owned(), "Silence".to_owned())];
//! let file = encode_flac(&sound, &tags)?;
//! assert!(file.starts_with(b"fLaC"));
//! # Ok::<(), relicast_emit::flac::FlacError>(())
//! ```

mod bits;
mod frame;
mod predict;
mod rice;

use std::num::{NonZeroU8, NonZeroU32, NonZeroU64};

use flac_codec::metadata::{BlockList, Streaminfo, VorbisComment, write_blocks};

use relicast_scene::{Loop, LoopDirection, Samples, Sound};

pub(super) use frame::{BLOCK, Format, FrameEncoder};

/// Largest rate in Hz that every decoder supports; some do not read all 20 bits of the header.
const MAX_RATE: u32 = 655_350;

/// Reason why a sound cannot be written as FLAC.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlacError {
    /// A FLAC file has one to eight channels.
    #[error("{0} channels exceed the limit of FLAC, 8")]
    TooManyChannels(u16),
    /// A FLAC file has a rate from 1 to 655350.
    #[error("a rate of {0} Hz is outside the range of FLAC, 1 to {MAX_RATE} Hz")]
    Rate(u32),
    /// A tag name is empty or holds characters other than printable ASCII without `=`.
    #[error("{0:?} is not a valid tag name")]
    TagName(String),
    /// The head cannot be written, for example because the tags are larger than 16 MiB.
    #[error("FLAC metadata failed: {0}")]
    Encoder(#[from] flac_codec::Error),
}

/// Encodes a FLAC file with these tags (name and value). A sound without samples becomes a file
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
    if !(1..=MAX_RATE).contains(&sound.rate) {
        return Err(FlacError::Rate(sound.rate));
    }
    let mut comment = VorbisComment::default();
    add_tags(&mut comment, &tags_of(sound, tags))?;
    let format = Format {
        rate: sound.rate,
        channels: channels.get(),
        depth: sound.samples.bits().to_le_bytes()[0],
    };
    relicast_limits::reserve(sound.samples.bytes().len());
    let mut frames = Vec::with_capacity(sound.samples.bytes().len() / 2);
    let sizes = put_frames(sound, format, &mut frames);
    let mut file = Vec::with_capacity(frames.len() + 512);
    let mut blocks = BlockList::new(Streaminfo {
        minimum_block_size: BLOCK as u16,
        maximum_block_size: BLOCK as u16,
        minimum_frame_size: sizes.iter().min().and_then(|&size| NonZeroU32::new(size)),
        maximum_frame_size: sizes.iter().max().and_then(|&size| NonZeroU32::new(size)),
        sample_rate: sound.rate,
        channels,
        bits_per_sample: u32::from(format.depth)
            .try_into()
            .map_err(|_| flac_codec::Error::InvalidBitsPerSample)?,
        total_samples: NonZeroU64::new(sound.frames() as u64),
        md5: Some(md5_of(sound)),
    });
    blocks.insert(comment);
    write_blocks(&mut file, blocks.blocks())?;
    file.append(&mut frames);
    Ok(file)
}

/// Appends all frames of a sound; returns their sizes.
fn put_frames(sound: &Sound<'_>, format: Format, out: &mut Vec<u8>) -> Vec<u32> {
    let mut encoder = FrameEncoder::new(format);
    let channels = usize::from(format.channels);
    let whole = sound.frames() * channels;
    let mut samples = sound.samples.signed().take(whole);
    let mut block = Vec::with_capacity(BLOCK.min(sound.frames()) * channels);
    let mut sizes = Vec::with_capacity(sound.frames().div_ceil(BLOCK));
    for number in 0.. {
        block.clear();
        block.extend(samples.by_ref().take(BLOCK * channels));
        if block.is_empty() {
            break;
        }
        let start = out.len();
        encoder.encode(number, &block, out);
        sizes.push(u32::try_from(out.len() - start).unwrap_or(0));
    }
    sizes
}

/// MD5 of the samples in FLAC's form: signed, least significant byte first.
fn md5_of(sound: &Sound<'_>) -> [u8; 16] {
    let width = usize::from(sound.samples.bits() / 8);
    let length = sound.frames() * usize::from(sound.channels.get()) * width;
    let bytes = sound.samples.bytes();
    let whole = bytes.get(..length).unwrap_or(bytes);
    match sound.samples {
        Samples::I16Le(_) => md5::compute(whole).0,
        Samples::U8(_) => {
            let signed: Vec<u8> = whole.iter().map(|byte| byte ^ 0x80).collect();
            md5::compute(signed).0
        }
    }
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

/// Returns the caller's tags, and those of the cue points and loops of a sound.
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
