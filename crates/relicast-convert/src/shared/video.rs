//! Videos: facts from their own headers, and the bytes for an external decoder.

use serde::Serialize;

use crate::options::ConvertOptions;
use crate::{ConvertError, Converter, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::kind::Kind;
use relicast_formats::riff::avi::{self, Avi, StreamFormat};
use relicast_formats::riff::{FormatTag, FourCc};
use relicast_scene::{Asset, Document, Video};

/// A file with a video.
#[derive(Debug)]
pub(crate) struct VideoFile<'a> {
    kind: Kind,
    bytes: &'a [u8],
    /// The headers of an AVI; the decoder reads other kinds.
    avi: Option<Avi<'a>>,
    deviations: Deviations,
}

impl<'a> VideoFile<'a> {
    /// # Errors
    /// The file is empty, or an AVI without headers or without pictures.
    pub(crate) fn open(kind: Kind, bytes: &'a [u8]) -> Result<Self, FormatError> {
        if bytes.is_empty() {
            return Err(FormatError::malformed("file", 0, "a video", "no bytes"));
        }
        // Some copies of discs hold videos that InstallShield packed, under their own names.
        if bytes.starts_with(b"ISc(") {
            return Err(FormatError::unsupported(
                "file",
                0,
                "a video",
                "one packed by InstallShield (49 53 63 28); copy it from the game's disc",
            ));
        }
        // The headers of MPEG videos are read by ffmpeg.
        let (avi, deviations) = if kind == Kind::Avi {
            let Decoded { value, deviations } = avi::decode(bytes)?;
            if value.video().is_none() {
                return Err(FormatError::unsupported(
                    "streams",
                    0,
                    "a video stream",
                    format_args!("{} streams, none of them video", value.streams.len()),
                ));
            }
            (Some(value), deviations)
        } else {
            (None, Deviations::default())
        };
        Ok(Self {
            kind,
            bytes,
            avi,
            deviations,
        })
    }
}

impl Converter for VideoFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let wanted = |role, encoding| OutputSpec { role, encoding };
        let mut outputs = vec![
            wanted(OutputRole::Main, Encoding::Video(options.video.container())),
            wanted(OutputRole::Facts, Encoding::Json),
        ];
        if options.video.poster {
            outputs.push(wanted(OutputRole::Poster, Encoding::Png));
        }
        if self.avi.is_some() {
            outputs.extend(OutputSpec::raw(options));
        }
        vec![SourceItem::whole(
            self.kind,
            0..self.bytes.len() as u64,
            outputs,
        )]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        _config: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let frames = self.avi.as_ref().and_then(Avi::video);
        let duration = frames.and_then(|(stream, _)| {
            let stated = stream.duration()?;
            let share = f64::from(stream.chunks) / f64::from(stream.header.length.max(1));
            Some(stated * share.min(1.0))
        });
        let facts = match &self.avi {
            Some(avi) => Document::new(AviDocument::new(avi, self.bytes)),
            None => Document::new(OtherDocument {
                container: self.kind.label(),
            }),
        };
        let video = Video {
            bytes: self.bytes,
            facts,
            frames: frames.map(|(stream, _)| stream.chunks),
            duration,
        };
        sink.take(OutputRole::Main, Asset::Video(video))?;
        if let (Some(avi), true) = (&self.avi, sink.wants(OutputRole::Raw)) {
            sink.take(OutputRole::Raw, Asset::Document(Document::new(avi)))?;
        }
        Ok(Deviations::default())
    }
}

/// A container that only the decoder reads.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OtherDocument {
    container: &'static str,
}

/// The headers of an AVI.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AviDocument {
    container: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
    /// `ISFT`, `ICRD` and the like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<avi::Tag>,
    streams: Vec<StreamDocument>,
}

/// A stream of an AVI.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StreamDocument {
    #[serde(flatten)]
    kind: StreamKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Frames, or chunks of sound.
    chunks: u32,
    bytes: u64,
    /// BLAKE3 of the stored data; for PCM these are the samples.
    blake3: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
enum StreamKind {
    Video {
        codec: FourCc,
        width: i32,
        height: i32,
        bits: u16,
        /// Frames by the header.
        frames: u32,
        /// Frames in a second, as a fraction.
        rate: String,
    },
    Audio {
        coding: FormatTag,
        channels: u16,
        rate: u32,
        bits: u16,
    },
    Other {
        kind: FourCc,
    },
}

impl AviDocument {
    fn new(avi: &Avi<'_>, bytes: &[u8]) -> Self {
        let mut hashers = vec![blake3::Hasher::new(); avi.streams.len()];
        for (stream, data) in avi::stream_chunks(bytes) {
            if let Some(hasher) = hashers.get_mut(stream) {
                hasher.update(data);
            }
        }
        let streams = avi.streams.iter().zip(hashers);
        let streams = streams.map(|(stream, hasher)| StreamDocument {
            kind: StreamKind::new(stream),
            name: stream.name.clone(),
            chunks: stream.chunks,
            bytes: stream.bytes,
            blake3: hasher.finalize().to_hex().to_string(),
        });
        Self {
            container: Kind::Avi.label(),
            duration: avi.duration(),
            tags: avi.tags.clone(),
            streams: streams.collect(),
        }
    }
}

impl StreamKind {
    fn new(stream: &avi::Stream<'_>) -> Self {
        let header = &stream.header;
        match &stream.format {
            StreamFormat::Video(bitmap) => Self::Video {
                codec: bitmap.compression,
                width: bitmap.width,
                height: bitmap.height,
                bits: bitmap.bits,
                frames: header.length,
                rate: format!("{}/{}", header.rate, header.scale),
            },
            StreamFormat::Audio(format) => Self::Audio {
                coding: format.coding(),
                channels: format.header.channels,
                rate: format.header.rate,
                bits: format.header.bits,
            },
            StreamFormat::Other(_) => Self::Other { kind: header.kind },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::kind::sniff;

    #[test]
    fn videos_that_installshield_packed_are_named_as_such() {
        let bytes = b"ISc(\x0c\x60\0\x01\0\0\0\0";
        let kind = sniff(bytes, "Campaign.avi");
        assert_eq!(kind, Kind::Avi);
        let error = VideoFile::open(kind, bytes).unwrap_err().to_string();
        assert!(error.contains("packed by InstallShield"), "{error}");
    }
}
