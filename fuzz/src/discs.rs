//! Disc images: sheets with layouts of files that never were, and file systems in memory.

use std::io;

use relicast::source::disc::cue::{self, CueSheet};
use relicast::source::disc::identity::Contents;
use relicast::source::disc::image::ImageFile;
use relicast::source::disc::iso9660;
use relicast::source::disc::layout;
use relicast::source::disc::record::Sectors;
use relicast::source::disc::sector::USER;
use relicast::source::disc::write::{NewFile, iso9660 as new_image};

/// Sheets: what is written of one is read as the same tracks, and no layout reaches outside a file.
pub fn cue(bytes: &[u8]) {
    let Ok(parsed) = cue::parse(bytes) else {
        return;
    };
    let sheet = parsed.value;
    let lengths = bytes
        .iter()
        .rev()
        .map(|&byte| u64::from(byte) << (byte % 24));
    let files: Vec<ImageFile> = sheet
        .files
        .iter()
        .zip(lengths.cycle())
        .map(|(file, length)| {
            let mut image = ImageFile::absent(&file.name, "invented".to_owned());
            if length % 5 != 0 {
                (image.problem, image.length, image.size) = (None, length, length);
            }
            image
        })
        .collect();
    let layout = layout::of_sheet(&sheet, &files);
    for piece in layout
        .tracks
        .iter()
        .flat_map(|track| track.body.iter().chain(&track.own_gap))
    {
        let end = piece.offset + piece.length;
        assert!(piece.length == 0 || end <= files[piece.file].length);
    }
    if let Some(contents) = Contents::of(&layout) {
        assert_eq!(contents.cddb().len(), 8);
        assert_eq!(contents.musicbrainz().len(), 28);
    }
    let tracks = |sheet: &CueSheet| -> Vec<u8> {
        let tracks = sheet
            .tracks
            .iter()
            .filter(|track| !track.indices.is_empty());
        tracks.map(|track| track.number).collect()
    };
    let again = cue::parse(cue::write(&sheet).as_bytes());
    let again = again.map_or(Vec::new(), |again| tracks(&again.value));
    assert_eq!(again, tracks(&sheet));
}

struct Image<'a>(&'a [u8]);

impl Sectors for Image<'_> {
    fn end(&self) -> u64 {
        (self.0.len() / USER) as u64
    }

    fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(sector)
            .map_err(io::Error::other)?
            .saturating_mul(USER);
        let bytes = self
            .0
            .get(start..)
            .and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// File systems. The bytes are what follows 16 empty sectors.
pub fn iso9660(bytes: &[u8]) {
    let mut whole = vec![0; 16 * USER];
    whole.extend_from_slice(bytes);
    whole.resize(whole.len().next_multiple_of(USER), 0);
    let image = Image(&whole);
    let Ok(volume) = iso9660::read(&image) else {
        return;
    };
    for entry in &volume.entries {
        let parts = entry.path.split('/');
        for part in parts {
            assert!(!matches!(part, "" | "." | "..") && !part.contains('\\'));
        }
        for extent in entry.extents.iter().filter(|_| entry.problem.is_none()) {
            assert!(extent.sector + extent.bytes.div_ceil(USER as u64) <= image.end());
        }
    }
}

/// Sheets to start from.
pub fn sheets() -> Vec<Vec<u8>> {
    let sheets = [
        "REM GENRE Soundtrack\r\nCATALOG 5125162227618\r\nTITLE \"A B\"\r\nFILE \"A B.BIN\" BINARY\r\n  TRACK 01 MODE1/2352\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    FLAGS DCP\r\n    ISRC ZZABC9905233\r\n    INDEX 00 00:01:00\r\n    INDEX 01 00:03:00\r\n",
        "\u{FEFF}file a.bin binary\n\ttrack 1 mode2/2352\n\t\tindex 1 0:0:0\nFILE \"b.wav\" WAVE\nTRACK 02 AUDIO\nPREGAP 00:02:00\nINDEX 01 00:00:00\nPOSTGAP 00:01:00\nTRACK 03 AUDIO\nINDEX 00 00:00:40\nFILE c.bin MOTOROLA\nINDEX 01 00:00:00\n",
    ];
    sheets.map(|sheet| sheet.as_bytes().to_vec()).into()
}

/// File systems to start from.
pub fn images() -> Vec<Vec<u8>> {
    let files = [
        NewFile {
            path: "Read me first.txt",
            bytes: b"one",
        },
        NewFile {
            path: "zbd/c1/gamez.zbd",
            bytes: &[7; 3000],
        },
        NewFile {
            path: "zbd/empty",
            bytes: b"",
        },
    ];
    let mut whole = new_image("FUZZ", &files);
    let with_joliet = whole.split_off(16 * USER);
    let mut without = with_joliet.clone();
    without[USER] = 3;
    vec![with_joliet, without]
}
