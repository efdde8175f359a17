//! The samples of an edited sound, and their conversion to the form of a game file.

use rubato::audioadapter_buffers::owned::InterleavedOwned;
use rubato::{Async, FixedAsync, Resampler, SincInterpolationParameters, WindowFunction};

use super::vorbis;
use crate::golden::diff::sound::{DecodedSound, MAX_SAMPLES, decode_sound};
use crate::pack::edited::Refusal;
use relicast_codec::quantity::{counted, thousands};
use relicast_codec::shown;
use relicast_formats::riff::{self, FormatTag};
use relicast_limits as limits;

/// Rates that are resampled, in Hz.
pub(super) const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;

/// Most channels that are mixed.
const MAX_CHANNELS: u32 = 32;

/// Length of the resampling filter, in samples.
const FILTER: usize = 128;

/// Frames that are resampled at a time.
const PIECE: usize = 1024;

/// Form of samples as they were saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack) enum Depth {
    /// Whole numbers of so many bits.
    Bits(u32),
    /// Floats of 32 bits.
    Float,
    /// None: a coding that loses a little of each sample.
    Lossy,
}

/// The form that samples get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub channels: u16,
    pub rate: u32,
    /// 8 or 16.
    pub bits: u32,
}

/// An edited sound.
#[derive(Debug)]
pub(in crate::pack) struct Recording {
    pub channels: u16,
    pub rate: u32,
    pub depth: Depth,
    /// From -1 to 1, channels interleaved.
    pub samples: Vec<f32>,
}

impl Recording {
    /// Decodes a WAV, FLAC or Ogg Vorbis file.
    ///
    /// # Errors
    /// It is not one, or is too long.
    pub(in crate::pack) fn new(bytes: &[u8]) -> Result<Self, Refusal> {
        limits::try_reserve(bytes.len().saturating_mul(4)).map_err(Refusal::new)?;
        let recording = match vorbis::is_ogg(bytes) {
            true => {
                let (channels, rate, samples) = vorbis::decode(bytes)?;
                let depth = Depth::Lossy;
                Self {
                    channels,
                    rate,
                    depth,
                    samples,
                }
            }
            false => match decode_sound(bytes) {
                Some(sound) => Self::from_whole_numbers(&sound)?,
                None => Self::from_floats(bytes)?,
            },
        };
        let (channels, rate) = (recording.channels, recording.rate);
        if channels == 0 || u32::from(channels) > MAX_CHANNELS {
            refuse!("it has {channels} channels; export it with one or two");
        }
        if !RATES.contains(&rate) {
            refuse!(
                "its sampling rate is {} Hz; export it with 8,000 to 192,000 Hz",
                thousands(rate.into())
            );
        }
        Ok(recording)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "samples of up to 24 bits are exact, of more bits are rounded to the 16 of games anyway"
    )]
    fn from_whole_numbers(sound: &DecodedSound) -> Result<Self, Refusal> {
        let (channels, rate, bits) = sound.format;
        let full = 2_f64.powi(i32::try_from(bits).unwrap_or(32) - 1);
        if sound.samples.iter().any(|&it| f64::from(it).abs() > full) {
            refuse!("a sample exceeds the declared bit depth");
        }
        let memory = sound.samples.len().saturating_mul(size_of::<f32>());
        limits::try_reserve(memory).map_err(Refusal::new)?;
        let samples = sound.samples.iter();
        Ok(Self {
            channels: u16::try_from(channels).unwrap_or(u16::MAX),
            rate,
            depth: Depth::Bits(bits),
            samples: samples.map(|&it| (f64::from(it) / full) as f32).collect(),
        })
    }

    fn from_floats(bytes: &[u8]) -> Result<Self, Refusal> {
        let unreadable = || Err(unreadable(bytes));
        let Ok(reader) = hound::WavReader::new(bytes) else {
            return unreadable();
        };
        let spec = reader.spec();
        if spec.sample_format != hound::SampleFormat::Float || reader.len() as usize > MAX_SAMPLES {
            return unreadable();
        }
        match reader.into_samples::<f32>().collect() {
            Ok(samples) => Ok(Self {
                channels: spec.channels,
                rate: spec.sample_rate,
                depth: Depth::Float,
                samples,
            }),
            Err(_) => unreadable(),
        }
    }

    /// The samples in another form, and what was changed, in words; `None` if they are the same.
    ///
    /// # Errors
    /// The sound would be too long.
    pub(super) fn into_form(
        mut self,
        target: Target,
    ) -> Result<(DecodedSound, Option<String>), Refusal> {
        let mut report = Vec::new();
        let (channels, rate) = (self.channels, self.rate);
        if target.channels < channels {
            let by = mixes(channels, target.channels);
            let frames = self.samples.chunks_exact(channels.into());
            self.samples = frames
                .flat_map(|frame| by.iter().map(|weights| mixed(frame, weights)))
                .collect();
            self.channels = target.channels;
        }
        let is_resampled = target.rate != rate;
        if is_resampled {
            self.samples = resampled(&self.samples, self.channels, rate, target.rate)?;
            report.push(format!(
                "resampled from {} to {} Hz",
                thousands(rate.into()),
                thousands(target.rate.into())
            ));
        }
        if self.channels < target.channels {
            let copies = usize::from(target.channels);
            let samples = self.samples.into_iter();
            let copied = samples.flat_map(|sample| std::iter::repeat_n(sample, copies));
            self.samples = copied.collect();
        }
        if channels != target.channels {
            report.push(format!(
                "{} mixed to {}",
                counted(channels, "channel", "channels"),
                target.channels
            ));
        }
        let rounded = Rounded::new(&self.samples, target.bits);
        let is_changed = !report.is_empty() || !rounded.is_exact;
        report.extend(self.depth.narrowed(target.bits).filter(|_| is_changed));
        if rounded.clipped > 0 {
            let clipped = counted(rounded.clipped, "sample", "samples");
            report.push(format!("{clipped} louder than full scale clipped"));
        }
        let sound = DecodedSound {
            format: (target.channels.into(), target.rate, target.bits),
            samples: rounded.samples,
        };
        Ok((sound, (!report.is_empty()).then(|| report.join(", "))))
    }
}

impl Depth {
    /// The change to fewer bits, in words; `None` if there are not fewer.
    fn narrowed(self, bits: u32) -> Option<String> {
        match self {
            Self::Bits(own) if own > bits => Some(format!("{own} to {bits} bits")),
            Self::Float => Some(format!("float to {bits} bits")),
            _ => None,
        }
    }
}

/// Samples as whole numbers.
struct Rounded {
    samples: Vec<i32>,
    is_exact: bool,
    /// Number of samples beyond the largest number.
    clipped: usize,
}

impl Rounded {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the sample is within the numbers of its bits"
    )]
    fn new(samples: &[f32], bits: u32) -> Self {
        let most = if bits == 8 { 128.0 } else { 32_768.0 };
        let (mut is_exact, mut clipped) = (true, 0);
        let round = |&sample: &f32| {
            let exact = if sample.is_nan() { 0.0 } else { sample * most };
            let whole = libm::roundf(exact);
            is_exact &= whole == sample * most && whole < most;
            // Full scale itself is one step too far.
            clipped += usize::from(whole > most || whole < -most);
            whole.clamp(-most, most - 1.0) as i32
        };
        Self {
            samples: samples.iter().map(round).collect(),
            is_exact,
            clipped,
        }
    }
}

/// Weights of the channels in each channel of the mix.
fn mixes(channels: u16, target: u16) -> Vec<Vec<f32>> {
    /// Weight of the channel in the middle in the left and right one.
    const HALF_POWER: f32 = std::f32::consts::FRAC_1_SQRT_2;
    let all = usize::from(channels);
    let mut sides: Vec<Vec<f32>> = match target {
        1 => vec![vec![1.0; all]],
        // Left, right, middle, low, then pairs; four channels have no middle.
        _ => [0, 1]
            .map(|side| {
                let weight = |channel: usize| match channel {
                    2 if all != 4 => HALF_POWER,
                    3 if all > 5 => 0.0,
                    channel if all == 5 && channel > 2 => f32::from((channel + 1) % 2 == side),
                    channel => f32::from(channel % 2 == side),
                };
                (0..all).map(weight).collect()
            })
            .into(),
    };
    for weights in &mut sides {
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    sides
}

fn mixed(frame: &[f32], weights: &[f32]) -> f32 {
    frame
        .iter()
        .zip(weights)
        .map(|(it, weight)| it * weight)
        .sum()
}

/// Samples at another rate.
fn resampled(samples: &[f32], channels: u16, from: u32, to: u32) -> Result<Vec<f32>, Refusal> {
    let (channels, ratio) = (usize::from(channels), f64::from(to) / f64::from(from));
    let frames = samples.len() / channels;
    let rounded = (frames as u64)
        .saturating_mul(to.into())
        .saturating_add(u64::from(from) / 2);
    let length = usize::try_from(rounded / u64::from(from)).unwrap_or(usize::MAX);
    let length = length.max(usize::from(frames > 0)).saturating_mul(channels);
    if length > MAX_SAMPLES {
        refuse!("it is too long; shorten it");
    }
    let memory = length.saturating_add(samples.len()).saturating_mul(8);
    limits::try_reserve(memory).map_err(Refusal::new)?;
    let parameters = SincInterpolationParameters::new(FILTER, WindowFunction::BlackmanHarris2);
    let resampler = Async::new_sinc(ratio, 1.0, &parameters, PIECE, channels, FixedAsync::Input);
    let mut resampler = resampler.map_err(Refusal::new)?;
    let (lead, skipped) = lead(ratio);
    let all = lead.saturating_add(frames).saturating_add(FILTER);
    let mut input = vec![0.0; lead.saturating_mul(channels)];
    input.extend_from_slice(samples);
    input.resize(all.saturating_mul(channels), 0.0);
    let input = InterleavedOwned::new_from(input, channels, all).map_err(Refusal::new)?;
    let output = resampler
        .process_all(&input, all, None)
        .map_err(Refusal::new)?;
    let skipped = skipped.saturating_sub(resampler.output_delay());
    let output = output.take_data().into_iter();
    Ok(output
        .skip(skipped.saturating_mul(channels))
        .take(length)
        .collect())
}

/// Number of silent frames before a sound that is resampled, and of frames before its first one in the result. The
/// delay of the filter is a fraction of a frame; silence makes it a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers of frames are small"
)]
fn lead(ratio: f64) -> (usize, usize) {
    /// Most frames of silence.
    const MOST: u32 = 1024;
    let first = libm::ceil(1.0 / ratio) as u32;
    // The first frame of the resampler is one after its start.
    let delay = |lead: u32| (f64::from(lead) + FILTER as f64 / 2.0) * ratio - 1.0;
    let fraction = |lead: &u32| (delay(*lead) - libm::round(delay(*lead))).abs();
    let leads = first..first.saturating_add(MOST);
    let best = leads.min_by(|one, other| fraction(one).total_cmp(&fraction(other)));
    let best = best.unwrap_or(first);
    (best as usize, libm::round(delay(best)) as usize)
}

/// Reason why a file cannot be read, with its format if that is known.
fn unreadable(bytes: &[u8]) -> Refusal {
    let format = riff::decode(bytes).ok().and_then(|wave| {
        let format = wave.value.format().ok()?;
        Some(match format.coding() {
            FormatTag::Pcm => return None,
            FormatTag::Float => format!("a WAV of {}-bit floats", format.header.bits),
            coding => format!("a WAV in the coding {}", shown(&coding)),
        })
    });
    let known = match bytes {
        [b'I', b'D', b'3', ..] | [0xFF, 0xE0..=0xFF, ..] => Some("an MP3"),
        [b'F', b'O', b'R', b'M', ..] => Some("an AIFF"),
        [b'f', b'L', b'a', b'C', ..] => Some("a FLAC that is damaged or too long"),
        [b'R', b'F', b'6', b'4', ..] => Some("an RF64 file"),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some("an MPEG-4 file"),
        _ => None,
    };
    match format.or_else(|| known.map(str::to_owned)) {
        Some(format) => {
            refusal!("it is {format}; export it as WAV of 16 or 24 bits, as FLAC or as Ogg Vorbis")
        }
        None => refusal!("not a readable WAV, FLAC or Ogg Vorbis file"),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use relicast_emit::{encode_flac, encode_ogg};
    use relicast_limits::Limits;
    use relicast_scene::{Samples, Sound};

    use super::{Depth, Recording, Target, mixes};

    fn tone(rate: u32, seconds: f32, hertz: f32) -> Vec<f32> {
        let frames = (rate as f32 * seconds) as usize;
        let at = |frame: usize| frame as f32 / rate as f32;
        (0..frames)
            .map(|frame| 0.5 * libm::sinf(std::f32::consts::TAU * hertz * at(frame)))
            .collect()
    }

    #[test]
    fn a_tone_is_the_same_at_every_rate() {
        for (from, to) in [(48_000, 22_050), (8_000, 44_100), (44_100, 11_127)] {
            let recording = Recording {
                channels: 1,
                rate: from,
                depth: Depth::Float,
                samples: tone(from, 0.5, 440.0),
            };
            let target = Target {
                channels: 1,
                rate: to,
                bits: 16,
            };
            let (sound, _) = recording.into_form(target).unwrap();
            let expected = tone(to, 0.5, 440.0);
            assert!(sound.samples.len().abs_diff(expected.len()) <= 1);
            let pairs = sound.samples.iter().zip(&expected);
            // The filter reaches beyond both ends.
            let inner = pairs.skip(200).take(expected.len() - 400);
            for (&found, &wanted) in inner {
                let by = (found as f32 / 32_768.0 - wanted).abs();
                assert!(by < 0.002, "{from} to {to}: {by}");
            }
        }
    }

    #[test]
    fn a_small_file_of_a_long_sound_needs_the_memory_of_the_sound() {
        let silence = vec![0; 2 * 9_000_000];
        let sound = Sound::new(NonZero::<u16>::MIN, 44_100, Samples::I16Le(silence.into()));
        for file in [
            encode_flac(&sound, &[]).unwrap(),
            encode_ogg(&sound, &[]).unwrap(),
        ] {
            assert!(file.len() < 1 << 20, "{}", file.len());
            let read = |memory_mib| {
                let limits = Limits {
                    memory_mib,
                    ..Limits::default()
                };
                limits.scope(|| Recording::new(&file))
            };
            assert!(read(512).is_ok());
            let refused = read(64).unwrap_err().to_string();
            assert!(refused.contains("too long"), "{refused}");
        }
    }

    #[test]
    fn mixes_are_no_louder_than_their_channels() {
        for channels in 2..=8 {
            for target in 1..=2 {
                for weights in mixes(channels, target) {
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                }
            }
        }
        assert_eq!(mixes(4, 2)[0], [0.5, 0.0, 0.5, 0.0]);
    }

    #[test]
    fn samples_without_a_number_or_beyond_full_scale_are_clipped() {
        let recording = Recording {
            channels: 2,
            rate: 8_000,
            depth: Depth::Float,
            samples: vec![f32::NAN, 1.0, -1.0, 2.5, f32::INFINITY, 0.25],
        };
        let target = Target {
            channels: 2,
            rate: 8_000,
            bits: 16,
        };
        let (sound, report) = recording.into_form(target).unwrap();
        assert_eq!(sound.samples, [0, 32_767, -32_768, 32_767, 32_767, 8_192]);
        assert_eq!(
            report.unwrap(),
            "float to 16 bits, 2 samples louder than full scale clipped"
        );
    }
}
