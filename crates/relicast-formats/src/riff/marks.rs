//! Chunks that mark positions in a sound: cue points, sampler loops, labels.

use serde::Serialize;

use relicast_codec::{Decoded, FixedSize, Reader, Stream, Walk, latin1};

use super::chunk::{Chunk, FourCc};

relicast_codec::record! {
    /// A position in the sound. In the supported games both positions are frame numbers and equal, except in
    /// archives of low quality, which were resampled without moving them.
    pub struct CuePoint[24] {
        /// Offset 0: number that labels refer to.
        id: u32,
        /// Offset 4: frame in play order.
        position: u32,
        /// Offset 8: chunk that contains the point, "data".
        chunk: FourCc,
        /// Offset 12: offset of that chunk in a wave list, otherwise 0.
        chunk_start: u32,
        /// Offset 16: offset of the compressed block of the point, otherwise 0.
        block_start: u32,
        /// Offset 20: frame, from the start of the block.
        sample_offset: u32,
    }
}

relicast_codec::record! {
    /// The fixed part of a sampler chunk.
    pub struct SamplerHeader[36] {
        /// Offset 0: number of the sampler's maker.
        manufacturer: u32,
        /// Offset 4: the maker's product.
        product: u32,
        /// Offset 8: nanoseconds per frame.
        sample_period: u32,
        /// Offset 12: note at which the sound plays at its own rate.
        midi_unity_note: u32,
        /// Offset 16: fraction of a semitone above that note, in units of 2^-32.
        midi_pitch_fraction: u32,
        /// Offset 20: frames per second of the SMPTE time.
        smpte_format: u32,
        /// Offset 24: SMPTE time of the first frame.
        smpte_offset: u32,
        /// Offset 28: number of loops.
        loop_count: u32,
        /// Offset 32: number of bytes after the loops.
        sampler_data: u32,
    }
}

relicast_codec::open_enum! {
    /// Direction in which a loop plays.
    pub enum LoopKind: u32 {
        /// From start to end.
        Forward = 0,
        /// Forth and back.
        Alternating = 1,
        /// From end to start.
        Backward = 2,
    }
}

relicast_codec::record! {
    /// A section that repeats.
    pub struct SampleLoop[24] {
        /// Offset 0: cue point that labels of the loop refer to.
        cue_id: u32,
        /// Offset 4: direction.
        kind: LoopKind,
        /// Offset 8: first frame.
        start: u32,
        /// Offset 12: last frame, which is also played.
        end: u32,
        /// Offset 16: fraction of a frame, in units of 2^-32.
        fraction: u32,
        /// Offset 20: number of repetitions, 0 for endless.
        play_count: u32,
    }
}

/// A sampler chunk. A maker's bytes after the loops stay in the chunk.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampler {
    /// The fixed part.
    pub header: SamplerHeader,
    /// The loops that fit the chunk.
    pub loops: Vec<SampleLoop>,
}

/// Text of a cue point.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Label {
    /// [`CuePoint::id`] of the point.
    pub cue_id: u32,
    /// The text up to its NUL; bytes above 0x7F are read as Latin-1.
    pub text: String,
}

/// Reads `declared` structures, or as many as fit.
fn records<'a, T: Walk<'a>>(reader: &mut Reader<'a>, declared: u32, offset: usize) -> Vec<T> {
    let declared = declared as usize;
    let room = reader
        .remaining()
        .checked_div(T::SMALLEST)
        .unwrap_or_default();
    if declared > room {
        reader.deviate(
            "count",
            offset,
            format_args!("at most {room}, the number that fits the chunk"),
            declared,
        );
    }
    let mut list = Vec::new();
    for _ in 0..declared.min(room) {
        let mut item = T::default();
        if item.walk(reader).is_err() {
            break;
        }
        list.push(item);
    }
    list
}

/// Decodes the payload of a cue chunk.
pub(super) fn cue_points(payload: &[u8]) -> Decoded<Vec<CuePoint>> {
    let mut reader = Reader::new(payload);
    let mut count = 0_u32;
    if reader.value("count", &mut count).is_err() {
        reader.deviate("count", 0, "4 bytes", payload.len());
    }
    let points = records(&mut reader, count, 0);
    reader.finish(points)
}

/// Decodes the payload of a sampler chunk.
pub(super) fn sampler(payload: &[u8]) -> Decoded<Option<Sampler>> {
    let mut reader = Reader::new(payload);
    let mut header = SamplerHeader::default();
    if header.walk(&mut reader).is_err() {
        reader.deviate("header", 0, SamplerHeader::SIZE, payload.len());
        return Decoded {
            value: None,
            deviations: reader.into_deviations(),
        };
    }
    let loops = records(&mut reader, header.loop_count, 28);
    Decoded {
        value: Some(Sampler { header, loops }),
        deviations: reader.into_deviations(),
    }
}

/// Decodes the labels in the payload of a list chunk; empty when the list has another type.
pub(super) fn labels(payload: &[u8]) -> Vec<Label> {
    let mut reader = Reader::new(payload);
    let mut kind = FourCc::default();
    let mut labels = Vec::new();
    if reader.value("type", &mut kind).is_err() || kind != FourCc(*b"adtl") {
        return labels;
    }
    while reader.remaining() >= Chunk::HEADER {
        let Ok(chunk) = Chunk::read(&mut reader) else {
            break;
        };
        if chunk.id == FourCc(*b"labl")
            && let Some(cue_id) = u32::load(&chunk.payload)
        {
            let text = chunk.payload.get(4..).unwrap_or_default();
            let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
            labels.push(Label {
                cue_id,
                text: latin1(text),
            });
        }
    }
    labels
}
