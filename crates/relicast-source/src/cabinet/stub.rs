//! Self-extracting programs: a Microsoft cabinet or a zip archive in the program or appended to it.

use std::io;

use super::container::ContainerKind;
use super::volume::Volume;
use relicast_codec::FixedSize;
use relicast_formats::microsoft_cabinet::{CabinetHeader, SIGNATURE};

/// Length of the start of a program that is searched for a cabinet, in bytes.
const FARTHEST: u64 = 256 << 20;

/// Size of the search window, in bytes.
const WINDOW: usize = 1 << 20;

/// Bytes at the end of a file in which the directory of a zip archive ends.
const ZIP_END: u64 = 65_557;

/// Finds the cabinet in a program, and its offset.
///
/// # Errors
/// The program cannot be read.
pub fn inside(volume: &Volume) -> io::Result<Option<(ContainerKind, u64)>> {
    if ends_as_zip(volume)? {
        return Ok(Some((ContainerKind::Zip, 0)));
    }
    let mut window = Vec::new();
    let mut start = 0_u64;
    let end = volume.size.min(FARTHEST);
    while start < end {
        let count = usize::try_from(end - start).map_or(WINDOW, |left| left.min(WINDOW));
        window.resize(count, 0);
        volume.read_at(start, &mut window)?;
        for place in memchr_all(&window) {
            let header = window.get(place..).and_then(CabinetHeader::load);
            let at = start + place as u64;
            if header.is_some_and(|header| is_sane(&header, volume.size - at)) {
                return Ok(Some((ContainerKind::Microsoft, at)));
            }
        }
        if count < WINDOW {
            break;
        }
        // The next window overlaps this one by a header.
        start += (count - CabinetHeader::SIZE) as u64;
    }
    Ok(None)
}

/// Offsets of the signature.
fn memchr_all(window: &[u8]) -> impl Iterator<Item = usize> {
    let places = window.windows(SIGNATURE.len()).enumerate();
    places
        .filter(|(_, bytes)| *bytes == SIGNATURE)
        .map(|(place, _)| place)
}

/// True for a header, false for text of the program that resembles one.
fn is_sane(header: &CabinetHeader, left: u64) -> bool {
    let files = u64::from(header.files);
    header.major == 1
        && header.minor == 3
        && (header.unk04, header.unk12, header.unk20) == (0, 0, 0)
        && header.folder_count > 0
        && header.file_count > 0
        && u64::from(header.size) <= left
        && files >= CabinetHeader::SIZE as u64
        && files < u64::from(header.size)
}

fn ends_as_zip(volume: &Volume) -> io::Result<bool> {
    let count = volume.size.min(ZIP_END);
    let mut tail = vec![0; usize::try_from(count).map_err(io::Error::other)?];
    volume.read_at(volume.size - count, &mut tail)?;
    // The comment after the record reaches to the end of the file.
    let found = tail.windows(22).enumerate().any(|(place, record)| {
        let comment = record.get(20..).and_then(u16::load).map_or(0, usize::from);
        record.starts_with(b"PK\x05\x06") && place + 22 + comment == tail.len()
    });
    Ok(found)
}
