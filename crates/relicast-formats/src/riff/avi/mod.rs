//! AVI files: their headers, and the number of bytes of each stream.
//!
//! Pictures and sounds are not decoded. A file is read from its first chunk to its last without
//! memory for its chunks, so that inspecting a video of any size needs only time. Layouts are those of the
//! public RIFF and OpenDML specifications.
//!
//! ```text
//! RIFF "AVI "
//!   LIST "hdrl": "avih", then a LIST "strl" a stream ("strh", "strf", perhaps "strd", "strn")
//!   LIST "INFO": tags
//!   LIST "movi": chunks "NNxx" of stream NN, perhaps grouped in LIST "rec "
//!   "idx1": the old index
//! RIFF "AVIX" (OpenDML): more of "movi"
//! ```

mod header;
mod walk;
pub mod write;

use serde::Serialize;

use relicast_codec::{Blob, Decoded, FormatError, Reader, Result, Stream as _, Walk};

pub use header::{AviFlags, BitmapHeader, MainHeader, StreamHeader};
use walk::{Cursor, Node};

use super::chunk::FourCc;
use super::format::Format;

/// Largest number of streams, because a file names them by two digits.
const MAX_STREAMS: usize = 100;

/// Largest number of stored tags of a file.
const MAX_TAGS: usize = 256;

/// Longest text of a tag in bytes; the rest is cut off.
const MAX_TEXT_LENGTH: usize = 4096;

/// Headers of an AVI file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Avi<'a> {
    /// Offset 4: the size of the first RIFF chunk as stored.
    pub riff_size: u32,
    /// The main header.
    pub header: MainHeader,
    /// The streams in the order of their headers.
    pub streams: Vec<Stream<'a>>,
    /// Tags of the INFO lists, and the date of digitizing, in file order.
    pub tags: Vec<Tag>,
    /// Entries of the old index.
    pub index_entries: u32,
    /// Number of RIFF chunks of the file; more than one in OpenDML files.
    pub riff_chunks: u32,
}

/// A stream.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stream<'a> {
    /// Its header.
    pub header: StreamHeader,
    /// Coding of its data.
    pub format: StreamFormat<'a>,
    /// Its name, in which sound editors often leave their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of its complete chunks.
    pub chunks: u32,
    /// Number of its bytes in the file, including those of a truncated chunk.
    pub bytes: u64,
}

/// Coding of the data of a stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StreamFormat<'a> {
    /// Pictures.
    Video(BitmapHeader),
    /// Sound.
    Audio(Format<'a>),
    /// Anything else, or a format chunk that is too short.
    Other(Blob<'a>),
}

impl Default for StreamFormat<'_> {
    fn default() -> Self {
        Self::Other(Blob::default())
    }
}

/// Text about the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tag {
    /// Meaning of the text, such as `ISFT` for the program that wrote the file.
    pub id: FourCc,
    /// The text up to its NUL; bytes above 0x7F are read as Latin-1.
    pub text: String,
}

impl Avi<'_> {
    /// The first stream of pictures.
    pub fn video(&self) -> Option<(&Stream<'_>, &BitmapHeader)> {
        self.streams.iter().find_map(|stream| match &stream.format {
            StreamFormat::Video(bitmap) => Some((stream, bitmap)),
            _ => None,
        })
    }

    /// Duration in seconds by its headers: that of its longest stream.
    pub fn duration(&self) -> Option<f64> {
        let lengths = self.streams.iter().filter_map(Stream::duration);
        lengths.reduce(f64::max)
    }
}

impl Stream<'_> {
    /// Duration of the stream in seconds by its header; `None` when that has no rate.
    pub fn duration(&self) -> Option<f64> {
        let StreamHeader {
            scale,
            rate,
            length,
            ..
        } = self.header;
        (rate > 0 && scale > 0).then(|| f64::from(length) * f64::from(scale) / f64::from(rate))
    }
}

/// Reads the headers of an AVI file and counts the chunks of its streams.
///
/// # Errors
/// The bytes do not start as an AVI file, or the main header is missing or shorter than 56 bytes.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Avi<'_>>> {
    let mut reader = Reader::new(bytes);
    let (mut id, mut form) = (FourCc::default(), FourCc::default());
    let mut avi = Avi::default();
    reader.value("riff", &mut id)?;
    reader.must("riff", 0, id, FourCc::RIFF)?;
    reader.value("riff_size", &mut avi.riff_size)?;
    reader.value("form", &mut form)?;
    reader.must("form", 8, form, FourCc(*b"AVI "))?;
    let mut seen = Seen::default();
    let mut cursor = Cursor::new(bytes);
    while let Some(node) = cursor.next() {
        seen.node(&mut avi, &node, &mut reader)?;
    }
    if !seen.main_header {
        return Err(FormatError::malformed("header", 12, "a chunk avih", "none"));
    }
    seen.check(&avi, bytes.len(), &mut reader);
    Ok(Decoded {
        value: avi,
        deviations: reader.into_deviations(),
    })
}

/// The data of all streams, chunk by chunk, each with the number of its stream.
pub fn stream_chunks(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut cursor = Cursor::new(bytes);
    let mut in_movie = false;
    std::iter::from_fn(move || {
        loop {
            let node = cursor.next()?;
            if let Some(form) = node.form {
                in_movie = form == FourCc(*b"movi") || (in_movie && form == FourCc(*b"rec "));
            } else if let (true, Some(stream)) = (in_movie, stream_of(node.id)) {
                return Some((stream, node.payload));
            }
        }
    })
}

/// The stream that a chunk of the movie belongs to.
fn stream_of(id: FourCc) -> Option<usize> {
    let [tens, ones, first, _] = id.0;
    let digit = |byte: u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
    // Indices of OpenDML are named `ixNN`, so letters come first; palettes (`pc`) are not pictures.
    let stream = digit(tens)? * 10 + digit(ones)?;
    first.is_ascii_alphabetic().then_some(stream)
}

/// Chunks met so far.
#[derive(Debug, Default)]
struct Seen {
    main_header: bool,
    in_movie: bool,
    /// The list that the last chunks were in.
    form: FourCc,
    /// The chunk that is truncated by the end of the file: offset, name, size as stored, bytes left.
    cut: Option<(usize, FourCc, u32, usize)>,
}

impl Seen {
    fn node<'a>(
        &mut self,
        avi: &mut Avi<'a>,
        node: &Node<'a>,
        reader: &mut Reader<'a>,
    ) -> Result<()> {
        if node.is_cut() && self.cut.is_none() {
            self.cut = Some((node.offset, node.id, node.size, node.available()));
        }
        if let Some(form) = node.form {
            if form == FourCc(*b"strl") && avi.streams.len() < MAX_STREAMS {
                avi.streams.push(Stream::default());
            }
            avi.riff_chunks += u32::from(node.id == FourCc::RIFF);
            self.in_movie = form == FourCc(*b"movi") || (self.in_movie && &form.0 == b"rec ");
            self.form = form;
            return Ok(());
        }
        if self.in_movie {
            if let Some(stream) = stream_of(node.id).and_then(|index| avi.streams.get_mut(index)) {
                let is_palette = &node.id.0[2..] == b"pc";
                stream.chunks += u32::from(!node.is_cut() && !is_palette);
                stream.bytes += node.payload.len() as u64;
            }
            if node.id != FourCc(*b"idx1") {
                return Ok(());
            }
        }
        match (&node.id.0, &self.form.0) {
            (b"avih", _) if !self.main_header => {
                let start = node.start();
                let mut header = Reader::new(node.payload);
                let walked = avi.header.walk(&mut header);
                walked.map_err(|error| error.inside("header").shifted(start))?;
                self.main_header = true;
            }
            (b"strh" | b"strf" | b"strn", b"strl") => {
                if let Some(stream) = avi.streams.last_mut() {
                    stream.take(node, reader);
                }
            }
            (b"idx1", _) => {
                avi.index_entries = u32::try_from(node.payload.len() / 16).unwrap_or(u32::MAX);
            }
            (b"IDIT", _) => self.tag(avi, node),
            (_, b"INFO") => self.tag(avi, node),
            _ => {}
        }
        Ok(())
    }

    fn tag(&mut self, avi: &mut Avi<'_>, node: &Node<'_>) {
        if avi.tags.len() < MAX_TAGS {
            avi.tags.push(Tag {
                id: node.id,
                text: text(node.payload),
            });
        }
    }

    /// Soft rules that concern the file as a whole.
    fn check(&self, avi: &Avi<'_>, length: usize, reader: &mut Reader<'_>) {
        if let Some((offset, id, size, found)) = self.cut {
            reader.deviate(
                "size",
                offset.saturating_add(4),
                format_args!("at most {found}, the bytes left for {id}"),
                size,
            );
        }
        for (index, stream) in avi.streams.iter().enumerate() {
            let stated = stream.header.length;
            let is_video = matches!(stream.format, StreamFormat::Video(_));
            if is_video && stream.chunks < stated {
                reader.deviate(
                    "movi",
                    length,
                    format_args!("{stated} frames of stream {index}"),
                    stream.chunks,
                );
            }
        }
    }
}

impl<'a> Stream<'a> {
    fn take(&mut self, node: &Node<'a>, reader: &mut Reader<'a>) {
        let mut payload = Reader::new(node.payload);
        match &node.id.0 {
            b"strh" => {
                if self.header.walk(&mut payload).is_err() {
                    reader.deviate("strh", node.start(), StreamHeader::SIZE, node.payload.len());
                }
            }
            b"strn" => self.name = Some(text(node.payload)),
            _ => self.format = self.read_format(node, reader),
        }
    }

    fn read_format(&self, node: &Node<'a>, reader: &mut Reader<'a>) -> StreamFormat<'a> {
        let read = match &self.header.kind.0 {
            b"vids" => {
                let mut bitmap = BitmapHeader::default();
                let walked = bitmap.walk(&mut Reader::new(node.payload));
                walked.map(|()| StreamFormat::Video(bitmap))
            }
            b"auds" => Format::decode(node.payload).map(StreamFormat::Audio),
            _ => return StreamFormat::Other(Blob::borrowed(node.payload)),
        };
        read.unwrap_or_else(|error| {
            reader.deviate("strf", node.start(), error.expected(), error.found());
            StreamFormat::Other(Blob::borrowed(node.payload))
        })
    }
}

/// Text up to its NUL.
fn text(bytes: &[u8]) -> String {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = text.get(..MAX_TEXT_LENGTH).unwrap_or(text);
    relicast_codec::latin1(text).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
