//! Compressed files of an image: their formats, and the programs that unpack them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::num::NonZero;
use std::path::Path;

use flac_codec::decode::FlacSampleReader;
use flac_codec::metadata::{BlockList, Metadata};

/// Compression of an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// FLAC; its samples are read.
    Flac,
    /// Lossy; such a file is copied unchanged.
    Lossy(&'static str),
    /// Another format, with the command that unpacks it.
    Packed(Packing),
}

/// An unsupported compression format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    what: &'static str,
    /// The command, in which `<in>` is the file, `<out>` the unpacked file, `<stem>` its name without extension.
    command: &'static str,
}

impl Packing {
    /// Description of a file called `name`, which is to be unpacked as `wanted`.
    fn describe(self, name: &str, wanted: &str) -> String {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let command = self.command.replace("<in>", name).replace("<out>", wanted);
        let command = command.replace("<stem>", stem);
        format!("it is {}; make it readable by `{command}`", self.what)
    }
}

const fn packing(what: &'static str, command: &'static str) -> Coding {
    Coding::Packed(Packing { what, command })
}

/// Signatures of compression formats.
const SIGNATURES: [(&[u8], Coding); 19] = [
    (b"fLaC", Coding::Flac),
    (b"OggS", Coding::Lossy("Ogg")),
    (b"ID3", Coding::Lossy("MP3")),
    (
        b"MAC ",
        packing("Monkey's Audio", "ffmpeg -i \"<in>\" \"<stem>.wav\""),
    ),
    (
        b"wvpk",
        packing("WavPack", "wvunpack \"<in>\" -o \"<stem>.wav\""),
    ),
    (
        b"TTA1",
        packing("True Audio", "ffmpeg -i \"<in>\" \"<stem>.wav\""),
    ),
    (b"tBaK", packing("TAK", "ffmpeg -i \"<in>\" \"<stem>.wav\"")),
    (
        b"OFR ",
        packing("OptimFROG", "ofr --decode \"<in>\" --output \"<stem>.wav\""),
    ),
    (
        b"ajkg",
        packing("Shorten", "ffmpeg -i \"<in>\" \"<stem>.wav\""),
    ),
    (
        b"ECM\0",
        packing("packed by ECM", "unecm \"<in>\" \"<out>\""),
    ),
    (
        b"MComprHD",
        packing(
            "a CHD image",
            "chdman extractcd -i \"<in>\" -o \"<stem>.cue\"",
        ),
    ),
    (
        b"CISO",
        packing("a CSO image", "maxcso --decompress \"<in>\""),
    ),
    (
        b"7z\xBC\xAF\x27\x1C",
        packing("a 7z archive", "7z x \"<in>\""),
    ),
    (b"Rar!", packing("a RAR archive", "unrar x \"<in>\"")),
    (b"PK\x03\x04", packing("a zip archive", "unzip \"<in>\"")),
    (
        b"\x1F\x8B\x08",
        packing("packed by gzip", "gunzip \"<in>\""),
    ),
    (b"\xFD7zXZ\0", packing("packed by xz", "xz -d \"<in>\"")),
    (
        b"\x28\xB5\x2F\xFD",
        packing("packed by zstd", "zstd -d \"<in>\""),
    ),
    (b"BZh", packing("packed by bzip2", "bunzip2 \"<in>\"")),
];

/// Endings of compressed files that may be found instead of a sheet's file: added to its whole name, or in place
/// of its ending.
pub const ENDINGS: [&str; 17] = [
    "flac", "mp3", "ogg", "ape", "wv", "tta", "tak", "ofr", "m4a", "ecm", "chd", "cso", "7z",
    "rar", "zip", "gz", "xz",
];

/// Detects the compression of a file by its first bytes; `None` if it is not compressed. For a file of `sectors`,
/// only long signatures count.
pub fn coding_of(start: &[u8], sectors: bool) -> Option<Coding> {
    let mut signatures = SIGNATURES.iter();
    let known = signatures
        .find(|(signature, _)| start.starts_with(signature) && (!sectors || signature.len() >= 4));
    if let Some((_, coding)) = known {
        return Some(*coding);
    }
    if start.get(4..8) == Some(b"ftyp") {
        return Some(packing("MPEG-4 sound", "ffmpeg -i \"<in>\" \"<stem>.wav\""));
    }
    let is_mpeg = matches!(start, [0xFF, second, ..] if second & 0xE6 == 0xE2);
    (is_mpeg && !sectors).then_some(Coding::Lossy("MP3"))
}

/// Advice to the user about a packed file at `path` that is needed under the name `wanted`.
pub fn advice(packing: Packing, path: &Path, wanted: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    packing.describe(&name, wanted)
}

/// Number of bytes of the samples in a FLAC file.
///
/// # Errors
/// It cannot be read, holds no CD audio, or does not state its length.
pub fn flac_length(path: &Path) -> Result<u64, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let blocks = BlockList::read(BufReader::new(file)).map_err(|error| error.to_string())?;
    let facts = blocks.streaminfo();
    let form = (
        facts.channels.get(),
        facts.sample_rate,
        u32::from(facts.bits_per_sample),
    );
    if form != (2, 44_100, 16) {
        return Err("its samples are not 44100 Hz, stereo, 16 bits".to_owned());
    }
    let frames = facts.total_samples.map(NonZero::get);
    let bytes = frames.and_then(|frames| frames.checked_mul(FRAME));
    bytes
        .filter(|bytes| *bytes <= MAX_BYTES)
        .ok_or_else(|| "its FLAC header states no length, or more than a disc holds".to_owned())
}

/// Bytes of a frame of CD audio.
const FRAME: u64 = 4;

/// Bytes of 100 minutes of samples.
const MAX_BYTES: u64 = 100 * 60 * 44_100 * FRAME;

/// Decodes the samples of a FLAC file into a temporary file without a name.
///
/// # Errors
/// It cannot be read or decoded, or the number of samples differs from its header.
pub fn decode_flac(path: &Path, bytes: u64) -> io::Result<File> {
    let damaged =
        |error: flac_codec::Error| io::Error::new(io::ErrorKind::InvalidData, error.to_string());
    let mut reader = FlacSampleReader::new(BufReader::new(File::open(path)?)).map_err(damaged)?;
    let form = (reader.channel_count(), reader.bits_per_sample());
    let mut samples = vec![0_i32; 1 << 14];
    let mut writer = BufWriter::new(tempfile::tempfile()?);
    let mut left = bytes / 2;
    loop {
        let count = reader.read(&mut samples).map_err(damaged)?;
        let read = samples.get(..count).unwrap_or_default();
        let more = left.checked_sub(count as u64).filter(|_| form == (2, 16));
        left =
            more.ok_or_else(|| io::Error::other("it has more samples than its header states"))?;
        if read.is_empty() {
            break;
        }
        for &sample in read {
            let sample = i16::try_from(sample).map_err(io::Error::other)?;
            writer.write_all(&sample.to_le_bytes())?;
        }
    }
    if left > 0 {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!("its samples end early; missing frames: {}", left / 2),
        ));
    }
    writer.into_inner().map_err(io::IntoInnerError::into_error)
}
