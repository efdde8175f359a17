//! Disc images: sheets with layouts of imaginary files, and file systems in memory.

use std::io;

use relicast::source::disc::cue::{self, CueSheet};
use relicast::source::disc::identity::Contents;
use relicast::source::disc::image::ImageFile;
use relicast::source::disc::iso9660;
use relicast::source::disc::layout;
use relicast::source::disc::record::Sectors;
use relicast::source::disc::sector::USER;

/// Sheets: a written sheet is read as the same tracks, and no layout reaches outside a file.
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

/// File systems. The bytes follow 16 empty sectors.
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
