//! Lengths, loops and cue points of WAV and FLAC files.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::known::Facts;
use crate::gallery::kinds::{Mark, extension};
use crate::pipeline::report::converted::Converted;
use relicast_codec::Deviations;
use relicast_formats::riff::{self, FormatTag};

/// Maximum size of a sound to read; for longer ones, the browser finds the facts.
const MAX_BYTES: u64 = 256 << 20;

/// Bytes of a FLAC file that contain the metadata.
const FLAC_HEAD: u64 = 1 << 20;

/// Reads a sound.
pub(super) fn read(converted: &Converted, path: &str, facts: &mut Facts) {
    match extension(path) {
        "wav" => {
            if let Some(bytes) = converted.read(path, MAX_BYTES) {
                wave(&bytes, facts);
            }
        }
        "flac" => {
            if let Some(head) = converted.head(path, FLAC_HEAD) {
                flac(&head, facts);
            }
        }
        _ => {}
    }
}

fn wave(bytes: &[u8], facts: &mut Facts) {
    let Ok(wave) = riff::decode(bytes) else {
        return;
    };
    let wave = wave.value;
    let (Ok(format), Ok(data)) = (wave.format(), wave.data()) else {
        return;
    };
    let rate = format.header.rate;
    let length = data.payload.len() as u64;
    let frames = match format.coding() {
        FormatTag::Pcm | FormatTag::Float => length.checked_div(format.header.block_align.into()),
        _ => wave.fact_frames().map(u64::from),
    };
    let frames = frames.unwrap_or_default();
    size(facts, frames, rate, format.header.channels.into());
    facts.put("bits", format.header.bits);
    let mut ignored = Deviations::default();
    let labels = wave.labels();
    let cues = wave.cue_points(&mut ignored).into_iter().map(|cue| {
        let name = labels.iter().find(|label| label.cue_id == cue.id);
        mark_at(
            cue.sample_offset.into(),
            rate,
            name.map(|label| &*label.text),
        )
    });
    facts.put("cues", cues.collect::<Vec<_>>());
    let sampler = wave.sampler(&mut ignored);
    let loops = sampler.iter().flat_map(|sampler| &sampler.loops);
    let loops: Vec<Value> = loops
        .map(|it| stretch(it.start.into(), u64::from(it.end) + 1, rate))
        .collect();
    facts.mark(Mark::Loops, !loops.is_empty());
    facts.put("loops", loops);
}

/// Adds length, rate and channels.
fn size(facts: &mut Facts, frames: u64, rate: u32, channels: u64) {
    facts.put("rate", rate);
    facts.put("channels", channels);
    facts.put("samples", frames);
    facts.put("seconds", seconds(frames, rate));
    let milliseconds = frames.saturating_mul(1000).checked_div(rate.into());
    facts.numbers = [milliseconds.unwrap_or_default(), rate.into()];
}

#[expect(clippy::cast_precision_loss, reason = "times for people")]
fn seconds(frame: u64, rate: u32) -> f64 {
    match rate {
        0 => 0.0,
        rate => frame as f64 / f64::from(rate),
    }
}

fn mark_at(frame: u64, rate: u32, name: Option<&str>) -> Value {
    match name {
        Some(name) => json!({"at": seconds(frame, rate), "sample": frame, "name": name}),
        None => json!({"at": seconds(frame, rate), "sample": frame}),
    }
}

/// Range from one frame to the frame after the last.
fn stretch(start: u64, end: u64, rate: u32) -> Value {
    json!({
        "start": seconds(start, rate),
        "end": seconds(end, rate),
        "startSample": start,
        "endSample": end,
    })
}

/// Reads the metadata blocks.
fn flac(head: &[u8], facts: &mut Facts) {
    let Some(mut rest) = head.strip_prefix(b"fLaC") else {
        return;
    };
    let mut rate = 0;
    while let Some((&[kind, a, b, c], behind)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_be_bytes([0, a, b, c])).unwrap_or(usize::MAX);
        let Some(block) = behind.get(..length) else {
            return;
        };
        match kind & 0x7F {
            0 => rate = stream_info(block, facts).unwrap_or_default(),
            4 => comments(block, rate, facts).unwrap_or_default(),
            _ => {}
        }
        if kind & 0x80 != 0 {
            return;
        }
        rest = behind.get(length..).unwrap_or_default();
    }
}

fn stream_info(block: &[u8], facts: &mut Facts) -> Option<u32> {
    let packed = u64::from_be_bytes(*block.get(10..)?.first_chunk()?);
    let rate = u32::try_from(packed >> 44).ok()?;
    size(facts, packed & 0xF_FFFF_FFFF, rate, (packed >> 41 & 7) + 1);
    facts.put("bits", (packed >> 36 & 31) + 1);
    Some(rate)
}

fn comments(block: &[u8], rate: u32, facts: &mut Facts) -> Option<()> {
    fn text<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
        let length = u32::from_le_bytes(*rest.first_chunk()?);
        let text = rest.get(4..)?.get(..usize::try_from(length).ok()?)?;
        *rest = rest.get(4 + text.len()..)?;
        Some(text)
    }
    let mut rest = block;
    text(&mut rest)?;
    let count = u32::from_le_bytes(*rest.first_chunk()?);
    rest = rest.get(4..)?;
    let mut tags = BTreeMap::new();
    for _ in 0..count {
        let Some(tag) = text(&mut rest) else { break };
        let tag = String::from_utf8_lossy(tag);
        if let Some((name, value)) = tag.split_once('=') {
            tags.insert(name.to_uppercase(), value.to_owned());
        }
    }
    let number = |name: &str| tags.get(name)?.parse::<u64>().ok();
    if let (Some(start), Some(length)) = (number("LOOPSTART"), number("LOOPLENGTH")) {
        facts.put(
            "loops",
            vec![stretch(start, start.saturating_add(length), rate)],
        );
        facts.mark(Mark::Loops, true);
    }
    let is_cue = |name: &&String| {
        let digits = name.strip_prefix("CUEPOINT_").unwrap_or("-");
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let cues = tags.keys().filter(is_cue).filter_map(|name| {
        let label = tags.get(&format!("{name}_NAME"));
        Some(mark_at(number(name)?, rate, label.map(|label| &**label)))
    });
    facts.put("cues", cues.collect::<Vec<_>>());
    facts.put("track", tags.get("TITLE").cloned().unwrap_or_default());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use relicast_formats::riff::{Format, Wave};

    /// Metadata blocks of half a second with a loop.
    fn sample_flac() -> Vec<u8> {
        let mut file = b"fLaC\0\0\0\x22".to_vec();
        file.extend([0; 10]);
        let packed = 22_050_u64 << 44 | 7 << 36 | 11_025;
        file.extend(packed.to_be_bytes());
        file.extend([0; 16]);
        let mut comment = Vec::new();
        comment.extend(b"\x05\0\0\0maker\x03\0\0\0");
        for tag in ["LOOPSTART=100", "LoopLength=50", "CUEPOINT_001=7"] {
            comment.extend(u32::try_from(tag.len()).unwrap().to_le_bytes());
            comment.extend(tag.bytes());
        }
        file.extend([0x84, 0, 0, u8::try_from(comment.len()).unwrap()]);
        file.extend(comment);
        file
    }

    #[test]
    fn both_kinds_of_files_have_their_length() {
        let mut facts = Facts::default();
        flac(&sample_flac(), &mut facts);
        assert_eq!(facts.numbers, [500, 22_050]);
        assert_eq!(facts.values["bits"], 8);
        assert_eq!(facts.values["loops"][0]["endSample"], 150);
        assert_eq!(facts.values["cues"][0]["sample"], 7);
        let format = Format::pcm(2, 11_025, 16);
        let file = Wave::new(&format, Vec::new(), vec![0_u8; 44_100].into()).unwrap();
        let mut facts = Facts::default();
        wave(&riff::encode(&file).unwrap(), &mut facts);
        assert_eq!(facts.numbers, [1000, 11_025]);
        assert_eq!(facts.values["channels"], 2);
    }

    #[test]
    fn files_that_end_early_are_no_trouble() {
        let file = sample_flac();
        for end in 0..file.len() {
            flac(&file[..end], &mut Facts::default());
            wave(&file[..end], &mut Facts::default());
        }
    }
}
