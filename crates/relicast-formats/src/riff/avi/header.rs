//! The fixed structures of an AVI file.

use crate::riff::FourCc;

bitflags::bitflags! {
    /// Flags of the main header.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct AviFlags: u32 {
        /// The file has an index.
        const HAS_INDEX = 0x10;
        /// Chunks are to be taken in the order of the index.
        const MUST_USE_INDEX = 0x20;
        /// Streams are interleaved.
        const INTERLEAVED = 0x100;
        /// The index can be trusted to tell key frames.
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
        /// Offset 4: most bytes in a second, as the writer guessed.
        bytes_per_second: u32,
        /// Offset 8: chunks are padded to multiples of this.
        padding: u32,
        /// Offset 12: what the file is like.
        flags: AviFlags,
        /// Offset 16: frames of the first stream of pictures; those of the first RIFF chunk only in
        /// files of OpenDML.
        frames: u32,
        /// Offset 20: frames before time starts.
        initial_frames: u32,
        /// Offset 24: number of streams.
        streams: u32,
        /// Offset 28: size of the largest chunk, as the writer guessed.
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
        /// Offset 4: the codec that is to decode the stream.
        handler: FourCc,
        /// Offset 8: flags.
        flags: u32,
        /// Offset 12: order among streams of one kind.
        priority: u16,
        /// Offset 14: language.
        language: u16,
        /// Offset 16: how far sound runs ahead of pictures, in frames.
        initial_frames: u32,
        /// Offset 20: with `rate` the time of a frame or sample: `scale / rate` seconds.
        scale: u32,
        /// Offset 24: see `scale`.
        rate: u32,
        /// Offset 28: first frame or sample in units of that time.
        start: u32,
        /// Offset 32: frames or samples.
        length: u32,
        /// Offset 36: size of the largest chunk, as the writer guessed.
        buffer_size: u32,
        /// Offset 40: quality from 0 to 10000; 2^32 - 1 when unknown.
        quality: u32,
        /// Offset 44: bytes of a sample; 0 when every chunk is one.
        sample_size: u32,
        /// Offset 48: where in the picture the stream is shown: left, top, right, bottom.
        frame: [i16; 4],
    }
}

relicast_codec::record! {
    /// Picture format: the `strf` of a stream of pictures.
    pub struct BitmapHeader[40] {
        /// Offset 0: size of this structure and what belongs to it.
        size: u32,
        /// Offset 4: width in pixels.
        width: i32,
        /// Offset 8: height in pixels; plain pictures are stored from the bottom when it is positive.
        height: i32,
        /// Offset 12: always 1.
        planes: u16,
        /// Offset 14: bits of a pixel.
        bits: u16,
        /// Offset 16: the codec; 0 for plain pixels.
        compression: FourCc,
        /// Offset 20: bytes of a picture.
        image_size: u32,
        /// Offset 24: pixels in a meter across.
        pixels_per_meter_x: u32,
        /// Offset 28: pixels in a meter down.
        pixels_per_meter_y: u32,
        /// Offset 32: colors of the palette, 0 for all.
        colors: u32,
        /// Offset 36: colors that matter, 0 for all.
        important_colors: u32,
    }
}
