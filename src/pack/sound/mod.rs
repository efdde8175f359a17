//! Edited sounds, encoded like the original file.
//!
//! - `recording` — the edit, and its conversion to another form; `vorbis` — edits as Ogg Vorbis; `marks` — positions in
//!   a sound that was resampled.

mod marks;
mod recording;
mod vorbis;

use super::edited::{Content, Refusal};
use crate::golden::diff::sound::{DecodedSound, decode_sound};
pub(super) use recording::Recording;
use recording::{Depth, RATES, Target};
use relicast_codec::quantity::{counted, thousands};
use relicast_codec::shown;
use relicast_formats::riff::adpcm::{decode_ima, decode_ms, encode_ima, encode_ms};
use relicast_formats::riff::{self, Chunk, Format, FormatTag, FourCc, Wave};

/// Largest excess of a RIFF file's size over its chunks that is reproduced.
const MAX_MORE: u32 = 8;

/// Puts the samples of the edit (WAV, FLAC or Ogg Vorbis) into the WAV file `original`, in its channels, rate and bits.
/// Cue points, loops and labels are taken from an edited WAV that has them, else from the original.
///
/// # Errors
/// The edit is not a sound, or the original has a form that is not supported.
pub(super) fn encode(original: &[u8], edited: &[u8]) -> Result<Content, Refusal> {
    let recording = Recording::new(edited)?;
    put(original, edited, recording, |format, _| Target {
        channels: format.header.channels,
        rate: format.header.rate,
        bits: bits_of(format),
    })
}

/// Encodes a new sound in the coding of the WAV file `like`. It keeps its rate, and channels and bits as far as games
/// play them.
///
/// # Errors
/// As for [`encode`].
pub(super) fn encode_new(like: &[u8], new: &[u8]) -> Result<Content, Refusal> {
    let recording = Recording::new(new)?;
    put(like, new, recording, |format, recording| Target {
        channels: recording.channels.min(2),
        rate: recording.rate,
        bits: match (format.coding(), recording.depth) {
            (FormatTag::Pcm, Depth::Bits(..=8)) => 8,
            (_, Depth::Lossy) => bits_of(format),
            _ => 16,
        },
    })
}

/// Bits of the samples of a format once they are decoded.
fn bits_of(format: &Format<'_>) -> u32 {
    match format.coding() == FormatTag::Pcm && format.header.bits <= 8 {
        true => 8,
        false => 16,
    }
}

fn put(
    original: &[u8],
    edited: &[u8],
    recording: Recording,
    target: impl Fn(&Format<'_>, &Recording) -> Target,
) -> Result<Content, Refusal> {
    let stored = riff::decode(original).map_err(Refusal::new)?.value;
    let format = stored.format().map_err(Refusal::new)?;
    let target = target(&format, &recording);
    let Target { channels, rate, .. } = target;
    if !(1..=2).contains(&channels) || !RATES.contains(&rate) {
        refuse!(
            "writing {channels} channels at {rate} Hz, as in the game's file, is not supported"
        );
    }
    let (own_rate, own_depth) = (recording.rate, recording.depth);
    let (sound, changed) = recording.into_form(target)?;
    let (new, data) = match format.coding() {
        FormatTag::Pcm if format.header.bits <= 16 => plain(&sound, channels, rate, target.bits)?,
        FormatTag::Pcm => {
            refuse!(
                "writing {}-bit samples, as in the game's file, is not supported",
                format.header.bits
            );
        }
        coding @ (FormatTag::MsAdpcm | FormatTag::ImaAdpcm) => {
            let old_channels = format.header.channels.max(1);
            let block = (format.header.block_align / old_channels).saturating_mul(channels);
            compressed(coding, &sound, channels, rate, block)?
        }
        other => {
            refuse!("writing its coding, {}, is not supported", shown(&other));
        }
    };
    let theirs = riff::decode(edited).ok().map(|decoded| decoded.value);
    let frames = u32::try_from(sound.samples.len() / usize::from(channels)).unwrap_or(u32::MAX);
    let too_large = || refusal!("it is larger than a WAV file can be");
    let mut chunks = Vec::with_capacity(stored.chunks.len());
    let (mut has_format, mut has_data) = (false, false);
    for chunk in &stored.chunks {
        let new = match chunk.id {
            FourCc::FORMAT if !has_format => {
                has_format = true;
                Chunk::new(chunk.id, format_bytes(&format, &new, &chunk.payload))
            }
            FourCc::DATA if !has_data => {
                has_data = true;
                Chunk::new(chunk.id, data.clone())
            }
            FourCc::FACT => Chunk::new(chunk.id, frames.to_le_bytes().to_vec()),
            id => match theirs
                .as_ref()
                .and_then(|theirs| counterpart(theirs, chunk))
            {
                Some(edited) if own_rate != rate => {
                    Chunk::new(id, marks::scaled(id, &edited.payload, own_rate, rate))
                }
                edited => Chunk::new(id, edited.unwrap_or(chunk).payload.to_vec()),
            },
        };
        chunks.push(new.ok_or_else(too_large)?);
    }
    let mut wave = Wave {
        chunks,
        tail: stored.tail.clone(),
        ..Wave::default()
    };
    let size = |wave: &Wave<'_>| {
        let length: usize = wave.chunks.iter().map(Chunk::stored_length).sum();
        u32::try_from(length.saturating_add(4)).map_err(|_| too_large())
    };
    // Some tools write a size slightly larger than the chunks; the excess stays.
    let more = stored.riff_size.wrapping_sub(size(&stored)?);
    let most = u32::try_from(stored.tail.len()).unwrap_or(0).max(MAX_MORE);
    let more = if more <= most { more } else { 0 };
    wave.riff_size = size(&wave)?.checked_add(more).ok_or_else(too_large)?;
    let bytes = riff::encode(&wave).map_err(Refusal::new)?;
    let loss = (own_depth == Depth::Lossy).then(|| vorbis::LOSS.to_owned());
    let reports = [changed, rounding(&bytes, &sound)?, loss];
    let reports: Vec<String> = reports.into_iter().flatten().collect();
    let rounding = (!reports.is_empty()).then(|| reports.join("; "));
    Ok(Content::rounded(bytes, rounding))
}

/// The chunk of an edited file that is like one of the original; a list is like one of the same type.
fn counterpart<'w>(theirs: &'w Wave<'_>, chunk: &Chunk<'_>) -> Option<&'w Chunk<'w>> {
    let list = |chunk: &Chunk<'_>| match chunk.id {
        FourCc::LIST => chunk.payload.first_chunk::<4>().copied(),
        _ => None,
    };
    let mut chunks = theirs.chunks.iter();
    chunks.find(|other| other.id == chunk.id && list(other) == list(chunk))
}

/// The format chunk of new samples. Plain samples of the same form keep the stored chunk, and all keep the bytes behind
/// the form.
fn format_bytes(before: &Format<'_>, new: &Format<'_>, stored: &[u8]) -> Vec<u8> {
    let form = |format: &Format<'_>| {
        let header = &format.header;
        (header.channels, header.rate, header.bits)
    };
    let mut bytes = new.to_bytes();
    if new.header.tag == FormatTag::Pcm && before.header.tag == FormatTag::Pcm {
        if form(before) == form(new) {
            return stored.to_vec();
        }
        bytes.extend(stored.iter().skip(bytes.len()));
    }
    bytes
}

type Coded = (Format<'static>, Vec<u8>);

fn plain(sound: &DecodedSound, channels: u16, rate: u32, bits: u32) -> Result<Coded, Refusal> {
    let data = match bits {
        // 8-bit samples are stored from 0 to 255.
        8 => {
            let samples = sound.samples.iter();
            let samples = samples.map(|&sample| u8::try_from(sample + 128));
            samples.collect::<Result<_, _>>().map_err(Refusal::new)?
        }
        _ => {
            let samples = sixteen_bits(sound)?.into_iter();
            samples.flat_map(i16::to_le_bytes).collect()
        }
    };
    let bits = if bits == 8 { 8 } else { 16 };
    Ok((Format::pcm(channels, rate, bits), data))
}

fn sixteen_bits(sound: &DecodedSound) -> Result<Vec<i16>, Refusal> {
    let samples = sound.samples.iter().map(|&sample| i16::try_from(sample));
    samples.collect::<Result<_, _>>().map_err(Refusal::new)
}

fn compressed(
    coding: FormatTag,
    sound: &DecodedSound,
    channels: u16,
    rate: u32,
    block: u16,
) -> Result<Coded, Refusal> {
    let samples = sixteen_bits(sound)?;
    let (format, data) = match coding {
        FormatTag::MsAdpcm => {
            let format = Format::ms_adpcm(channels, rate, block);
            let data = encode_ms(&format, &samples);
            (format, data)
        }
        _ => {
            let format = Format::ima_adpcm(channels, rate, block);
            let data = encode_ima(&format, &samples);
            (format, data)
        }
    };
    Ok((format, data.map_err(Refusal::new)?))
}

/// Difference between the packed samples and the edit, in words.
fn rounding(packed: &[u8], sound: &DecodedSound) -> Result<Option<String>, Refusal> {
    let wave = riff::decode(packed).map_err(Refusal::new)?.value;
    let format = wave.format().map_err(Refusal::new)?;
    let data = &wave.data().map_err(Refusal::new)?.payload;
    let samples: Vec<i32> = match format.coding() {
        FormatTag::MsAdpcm => decode_ms(&format, data)
            .map_err(Refusal::new)?
            .value
            .into_iter()
            .map(i32::from)
            .collect(),
        FormatTag::ImaAdpcm => decode_ima(&format, data)
            .map_err(Refusal::new)?
            .value
            .into_iter()
            .map(i32::from)
            .collect(),
        _ => decode_sound(packed)
            .map(|sound| sound.samples)
            .unwrap_or_default(),
    };
    let pairs = samples.iter().zip(&sound.samples);
    let differences: Vec<u32> = pairs
        .map(|(&packed, &edited)| packed.abs_diff(edited))
        .filter(|&by| by > 0)
        .collect();
    if samples.len() < sound.samples.len() {
        refuse!("the packed sound has fewer samples than the edit");
    }
    let differing = differences.iter().max().map(|largest| {
        format!(
            "{} of {} samples differ from the edit, by at most {largest} of 32,768",
            thousands(differences.len() as u64),
            thousands(sound.samples.len() as u64)
        )
    });
    let following = match samples.len() - sound.samples.len() {
        0 => None,
        added => Some(format!(
            "{} added to fill the last block",
            counted(added, "sample was", "samples were")
        )),
    };
    let parts: Vec<String> = differing.into_iter().chain(following).collect();
    Ok((!parts.is_empty()).then(|| format!("{}: the game's file is compressed", parts.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight bits, mono, with a format chunk that ends in an empty extension.
    fn file(samples: &[u8], more: u32, tail: &[u8]) -> Vec<u8> {
        let mut chunks = b"WAVEfmt ".to_vec();
        chunks.extend(18_u32.to_le_bytes());
        chunks.extend(Format::pcm(1, 11025, 8).to_bytes());
        chunks.extend([0, 0]);
        chunks.extend(b"data");
        chunks.extend(u32::try_from(samples.len()).unwrap().to_le_bytes());
        chunks.extend(samples);
        let size = u32::try_from(chunks.len()).unwrap() + more;
        [b"RIFF".as_slice(), &size.to_le_bytes(), &chunks, tail].concat()
    }

    #[test]
    fn what_a_file_has_besides_its_samples_stays_and_an_edit_undone_gives_the_old_bytes() {
        let long = [128, 130, 90, 128, 127, 128];
        let edit = file(&long[..4], 0, b"");
        for (more, tail) in [(0, &b""[..]), (4, b""), (0, b"behind"), (6, b"behind")] {
            let original = file(&long, more, tail);
            let packed = encode(&original, &edit).unwrap().bytes;
            assert!(packed == file(&long[..4], more, tail), "{more} {tail:?}");
            let restored = encode(&packed, &original).unwrap().bytes;
            assert!(restored == original, "{more} {tail:?}");
        }
        // A size that is much too large is not reproduced.
        let packed = encode(&file(&long, 5000, b""), &edit).unwrap().bytes;
        assert!(packed == edit);
    }

    /// The file with lists, each with its type, behind its samples.
    fn with_lists(samples: &[u8], lists: &[&[u8; 8]]) -> Vec<u8> {
        let mut bytes = file(samples, 0, b"");
        for list in lists {
            bytes.extend(b"LIST\x08\0\0\0");
            bytes.extend(*list);
        }
        let size = u32::try_from(bytes.len() - 8).unwrap();
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        bytes
    }

    #[test]
    fn lists_are_taken_from_an_edit_by_their_type() {
        let (old, new) = ([128, 130, 90, 128], [128, 9, 90, 128]);
        let [info, labels] = [b"INFOgame", b"adtlgame"];
        let [their_info, their_labels] = [b"INFOedit", b"adtledit"];
        for (game, edit, wanted) in [
            (vec![labels], vec![their_info], vec![labels]),
            (
                vec![labels],
                vec![their_info, their_labels],
                vec![their_labels],
            ),
            (
                vec![labels, info],
                vec![their_info, their_labels],
                vec![their_labels, their_info],
            ),
            (vec![info, labels], vec![], vec![info, labels]),
        ] {
            let packed = encode(&with_lists(&old, &game), &with_lists(&new, &edit)).unwrap();
            assert!(
                packed.bytes == with_lists(&new, &wanted),
                "{game:?} {edit:?}"
            );
        }
    }

    #[test]
    fn a_rate_that_no_resampler_has_memory_for_is_refused() {
        let mut game = file(&[128, 130], 0, b"");
        let edit = game.clone();
        for rate in [0, 1, 999, 768_001, u32::MAX] {
            game[24..28].copy_from_slice(&rate.to_le_bytes());
            let refused = encode(&game, &edit).unwrap_err().to_string();
            assert!(refused.contains("is not supported"), "{rate}: {refused}");
        }
    }
}
