//! The fixed structures of an AVI file.

use crate::riff::FourCc;

bitflags::bitflags! {
    /// Flags of the main header.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct AviFlags: u32 {
        /// The file has an index.
        const HAS_INDEX = 0x10;
        /// Chunks must be read in the order of the index.
        const MUST_USE_INDEX = 0x20;
        /// Streams are interleaved.
        const INTERLEAVED = 0x100;
        /// The index reliably marks key frames.
        const TRUST_KEY_FRAMES = 0x800;
        /// The file was made for capturing.
        const CAPTURE = 0x1_0000;
        /// The file is protected by copyright.
        const COPYRIGHTED = 0x2_0000;
        const _ = !0;
    }
}

relicast_codec::plain_flags!(AviFlags: u32);

relicast_codec::record! {
    /// The chunk `avih`.
    pub struct MainHeader[56] {
        /// Offset 0: time of a frame in microseconds.
        frame_time: u32,
        /// Offset 4: largest number of bytes per second, estimated by the writer.
        bytes_per_second: u32,
        /// Offset 8: chunks are padded to multiples of this.
        padding: u32,
        /// Offset 12: flags.
        flags: AviFlags,
        /// Offset 16: frames of the first stream of pictures; in files of OpenDML, only those of the first RIFF
        /// chunk.
        frames: u32,
        /// Offset 20: frames before the start time.
        initial_frames: u32,
        /// Offset 24: number of streams.
        streams: u32,
        /// Offset 28: size of the largest chunk, estimated by the writer.
        buffer_size: u32,
        /// Offset 32: width in pixels.
        width: u32,
        /// Offset 36: height in pixels.
        height: u32,
        /// Offset 40: unused.
        reserved: [u32; 4],
    }
}

relicast_codec::record! {
    /// The chunk `strh`.
    pub struct StreamHeader[56] {
        /// Offset 0: `vids`, `auds`, `txts` or `mids`.
        kind: FourCc,
        /// Offset 4: codec of the stream.
        handler: FourCc,
        /// Offset 8: flags.
        flags: u32,
        /// Offset 12: order among streams of one kind.
        priority: u16,
        /// Offset 14: language.
        language: u16,
        /// Offset 16: lead of sound over pictures, in frames.
        initial_frames: u32,
        /// Offset 20: with `rate`, the duration of a frame or sample: `scale / rate` seconds.
        scale: u32,
        /// Offset 24: see `scale`.
        rate: u32,
        /// Offset 28: first frame or sample in that unit.
        start: u32,
        /// Offset 32: number of frames or samples.
        length: u32,
        /// Offset 36: size of the largest chunk, estimated by the writer.
        buffer_size: u32,
        /// Offset 40: quality from 0 to 10000; 2^32 - 1 when unknown.
        quality: u32,
        /// Offset 44: size of a sample; 0 when every chunk is one.
        sample_size: u32,
        /// Offset 48: rectangle of the stream in the picture: left, top, right, bottom.
        frame: [i16; 4],
    }
}

relicast_codec::record! {
    /// Picture format: the `strf` of a stream of pictures.
    pub struct BitmapHeader[40] {
        /// Offset 0: size of this structure and its palette.
        size: u32,
        /// Offset 4: width in pixels.
        width: i32,
        /// Offset 8: height in pixels; uncompressed pictures are stored from the bottom up when it is positive.
        height: i32,
        /// Offset 12: always 1.
        planes: u16,
        /// Offset 14: bits per pixel.
        bits: u16,
        /// Offset 16: codec; 0 for uncompressed pixels.
        compression: FourCc,
        /// Offset 20: size of a picture.
        image_size: u32,
        /// Offset 24: horizontal pixels per meter.
        pixels_per_meter_x: u32,
        /// Offset 28: vertical pixels per meter.
        pixels_per_meter_y: u32,
        /// Offset 32: number of colors in the palette, 0 for all.
        colors: u32,
        /// Offset 36: number of important colors, 0 for all.
        important_colors: u32,
    }
}
