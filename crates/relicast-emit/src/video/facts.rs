//! Facts that ffmpeg found in a source: streams, tags, a digest of every decoded frame.
//!
//! All facts follow from the source alone: no version of ffmpeg, no encoder, no time.

use std::collections::BTreeMap;

use ffmpeg_sidecar::event::{FfmpegEvent, Stream};
use serde::Serialize;

/// Largest number of stored tags of a file or a stream.
const MAX_TAGS: usize = 64;

/// Maximum number of listed streams.
const MAX_STREAMS: usize = 64;

/// Maximum number of listed frames: ten hours at thirty per second.
const MAX_FRAMES: usize = 1 << 20;

/// Longest digest, in hexadecimal digits.
const MAX_DIGEST_LENGTH: usize = 64;

/// Content of a source.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Decoded {
    /// Duration in seconds, from ffmpeg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Tags of the file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// The streams that were decoded, pictures first.
    pub streams: Vec<StreamFacts>,
    /// Sound of the first stream of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundDigest>,
    /// MD5 of each decoded frame in the source's own pixel format, as `ffmpeg -f framemd5` prints it.
    pub frames: Vec<String>,
    /// Section of the tags that are read next.
    #[serde(skip)]
    section: Section,
    #[serde(skip)]
    packets: blake3::Hasher,
    /// Time of the last frame of pictures and of sound.
    #[serde(skip)]
    at: [Option<i64>; 2],
}

/// A stream.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StreamFacts {
    /// ffmpeg's name of the codec.
    pub codec: String,
    /// Width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Frames per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_rate: Option<f32>,
    /// ffmpeg's name of the pixel format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<String>,
    /// Samples per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_rate: Option<u32>,
    /// ffmpeg's name of the channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<String>,
    /// Tags of the stream.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// Digest of the stored sound.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SoundDigest {
    /// Number of packets.
    pub packets: u64,
    /// Their total size in bytes.
    pub bytes: u64,
    /// BLAKE3 over the MD5s of the packets, 16 hexadecimal digits.
    pub digest: String,
}

/// Section of ffmpeg's description of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    /// Something else.
    #[default]
    None,
    /// The input.
    Input,
    /// Tags of the input.
    InputTags,
    /// Tags of its last stream.
    StreamTags,
}

impl Decoded {
    /// Handles one event.
    pub(super) fn event(&mut self, event: &FfmpegEvent) {
        match event {
            FfmpegEvent::ParsedInput(_) => self.section = Section::Input,
            FfmpegEvent::ParsedDuration(duration) => {
                self.section = Section::Input;
                let seconds = duration.duration;
                self.duration = (seconds.is_finite() && seconds > 0.0).then_some(seconds);
            }
            FfmpegEvent::ParsedInputStream(stream) => {
                self.section = Section::Input;
                if (stream.is_video() || stream.is_audio()) && self.streams.len() < MAX_STREAMS {
                    self.streams.push(StreamFacts::new(stream));
                }
            }
            FfmpegEvent::Log(_, line) if self.section != Section::None => self.line(line),
            FfmpegEvent::Progress(_)
            | FfmpegEvent::ParsedOutput(_)
            | FfmpegEvent::ParsedStreamMapping(_) => self.section = Section::None,
            _ => {}
        }
    }

    /// Handles a line of the description of the input.
    fn line(&mut self, line: &str) {
        let line = line.strip_prefix("[info]").unwrap_or(line).trim();
        if line == "Metadata:" {
            self.section = if self.streams.is_empty() {
                Section::InputTags
            } else {
                Section::StreamTags
            };
            return;
        }
        let tags = match self.section {
            Section::InputTags => Some(&mut self.tags),
            Section::StreamTags => self.streams.last_mut().map(|stream| &mut stream.tags),
            _ => None,
        };
        match (tags, line.split_once(':')) {
            (Some(tags), Some((name, text))) if tags.len() < MAX_TAGS => {
                tags.insert(name.trim().to_owned(), text.trim().to_owned());
            }
            _ => self.section = Section::None,
        }
    }

    /// Handles a line of `framemd5`: stream, times, duration, size, digest. Returns true if its frame is later
    /// than all others of its stream.
    pub(super) fn digest(&mut self, line: &str) -> bool {
        let fields: Vec<&str> = line.splitn(7, ',').map(str::trim).collect();
        let &[stream, time, _, _, size, md5] = &*fields else {
            return false;
        };
        let is_digit = |byte: u8| byte.is_ascii_hexdigit();
        if md5.is_empty() || md5.len() > MAX_DIGEST_LENGTH || !md5.bytes().all(is_digit) {
            return false;
        }
        let at = match stream {
            "0" if self.frames.len() < MAX_FRAMES => {
                self.frames.push(md5.to_owned());
                &mut self.at[0]
            }
            "1" => {
                let sound = self.sound.get_or_insert_default();
                sound.packets += 1;
                sound.bytes = sound.bytes.saturating_add(size.parse::<u64>().unwrap_or(0));
                self.packets.update(md5.as_bytes());
                &mut self.at[1]
            }
            _ => return false,
        };
        let before = *at;
        *at = before.max(time.parse().ok());
        *at > before
    }

    /// Finishes after the last event.
    pub(super) fn finish(&mut self) {
        if let Some(sound) = &mut self.sound {
            let hex = self.packets.finalize().to_hex();
            sound.digest = hex.chars().take(16).collect();
        }
        self.streams.sort_by_key(|stream| stream.width.is_none());
    }
}

impl StreamFacts {
    fn new(stream: &Stream) -> Self {
        let video = stream.video_data();
        let audio = stream.audio_data();
        Self {
            codec: stream.format.clone(),
            width: video.map(|video| video.width),
            height: video.map(|video| video.height),
            frame_rate: video.map(|video| video.fps),
            pixels: video.map(|video| video.pix_fmt.clone()),
            sample_rate: audio.map(|audio| audio.sample_rate),
            channels: audio.map(|audio| audio.channels.clone()),
            tags: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ffmpeg_sidecar::log_parser::FfmpegLogParser;

    use super::*;

    const LOG: &str = "\
[info] ffmpeg version 5.1 Copyright (c) 2000-2022 the FFmpeg developers
[info] Input #0, avi, from 'file:c1.avi':
[info]   Metadata:
[info]     software        : an editor: a good one
[info]   Duration: 00:00:02.50, start: 0.000000, bitrate: 274 kb/s
[info]   Stream #0:0: Video: indeo5 (IV50 / 0x30355649), yuv410p, 640x480, 3020 kb/s, 15 fps, 15 tbr, 15 tbn
[info]   Stream #0:1: Audio: pcm_u8 ([1][0][0][0] / 0x0001), 22050 Hz, mono, u8, 176 kb/s
[info]     Metadata:
[info]       title           : Sound Forge 4.0 Audio
[info] Stream mapping:
[info]   Stream #0:0 -> #0:0 (indeo5 (native) -> h264 (libx264))
[info] Output #0, mp4, to 'file:x':
[info]   Metadata:
[info]     encoder         : Lavf59
";

    #[test]
    fn streams_and_tags_are_those_of_the_source() {
        let mut parser = FfmpegLogParser::new(LOG.as_bytes());
        let mut decoded = Decoded::default();
        loop {
            match parser.parse_next_event() {
                Ok(FfmpegEvent::LogEOF) => break,
                Ok(event) => decoded.event(&event),
                Err(_) => {}
            }
        }
        assert_eq!(decoded.duration, Some(2.5));
        assert_eq!(decoded.tags["software"], "an editor: a good one");
        assert_eq!(decoded.tags.len(), 1);
        let [video, audio] = &*decoded.streams else {
            panic!("{decoded:?}");
        };
        assert_eq!((&*video.codec, video.width), ("indeo5", Some(640)));
        assert_eq!(video.pixels.as_deref(), Some("yuv410p"));
        assert_eq!(audio.sample_rate, Some(22_050));
        assert_eq!(audio.tags["title"], "Sound Forge 4.0 Audio");
    }

    #[test]
    fn digests_are_distinguished_by_stream() {
        let mut decoded = Decoded::default();
        for line in [
            "0,          0,          0,        1,    57600, 03b9",
            "1,          0,          0,     1024,     1024, 1639",
            "1,       1024,       1024,     1024,       24, a803",
            "0,          1,          1,        1,    57600, ba44",
            "nonsense",
        ] {
            assert_eq!(decoded.digest(line), line != "nonsense");
        }
        for more in [
            "0,          1,          1,        1,    57600, ba44",
            "0,          2,          2,        1,    57600, no digest",
            "0,          2,          2,        1",
            "7,          2,          2,        1,    57600, ba44",
        ] {
            assert!(!decoded.digest(more), "{more} is no progress");
        }
        decoded.frames.truncate(2);
        decoded.finish();
        assert_eq!(decoded.frames, ["03b9", "ba44"]);
        let sound = decoded.sound.unwrap();
        assert_eq!((sound.packets, sound.bytes), (2, 1048));
        assert_eq!(sound.digest.len(), 16);
    }
}
