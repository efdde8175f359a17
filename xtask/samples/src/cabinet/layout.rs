//! Layout of the data of an InstallShield set in its volumes.

use relicast::formats::codec::{Bytes, FixedSize};
use relicast::formats::installshield::file::SPLIT;
use relicast::formats::installshield::header::{BESIDE, HEADER_SIZE, SIGNATURE};
use relicast::formats::installshield::records::{CommonHeader, VolumeHeader5, VolumeHeader6};

use super::set::NewSet;
use crate::{Outcome, SampleFile};

/// Stored bytes of a file, and the offsets at which they may be divided.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    pub(super) bytes: Vec<u8>,
    pub(super) cuts: Vec<usize>,
}

/// Start of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// From 1.
    pub(super) volume: usize,
    pub(super) offset: usize,
    pub(super) flags: u16,
}

/// A volume without its header.
#[derive(Debug, Default)]
struct Volume {
    data: Vec<u8>,
    start: usize,
    first: usize,
    last: usize,
    first_here: usize,
    last_offset: usize,
    last_here: usize,
    first_expanded: usize,
    last_expanded: usize,
    continues: bool,
}

/// All volumes.
pub(super) struct Arranged {
    volumes: Vec<Volume>,
    pub(super) places: Vec<Place>,
}

/// Stores the files in sequence. A file that does not fit is divided between chunks, from version 6 on
/// at any byte.
pub(super) fn arrange(
    stored: &[Stored],
    start: usize,
    most: Option<usize>,
    newer: bool,
) -> Arranged {
    let mut volumes = vec![Volume {
        start,
        ..Volume::default()
    }];
    let mut places = Vec::new();
    for (index, file) in stored.iter().enumerate() {
        let mut rest = 0;
        let mut place = None;
        loop {
            let number = volumes.len();
            let Some(volume) = volumes.last_mut() else {
                break;
            };
            let at = volume.start + volume.data.len();
            let room = most.map_or(usize::MAX, |most| most.saturating_sub(at));
            let left = file.bytes.len() - rest;
            let fits = match left <= room {
                true => left,
                false if newer => room,
                false => {
                    let cuts = file
                        .cuts
                        .iter()
                        .filter(|cut| **cut > rest && **cut - rest <= room);
                    cuts.max().map_or(0, |cut| cut - rest)
                }
            };
            // A volume holds at least one chunk.
            let alone = volume.data.is_empty();
            let fits = match (fits, alone) {
                (0, true) if left > 0 => file
                    .cuts
                    .iter()
                    .find(|cut| **cut > rest)
                    .map_or(left, |cut| cut - rest),
                (fits, _) => fits,
            };
            if fits > 0 || left == 0 {
                let place = place.get_or_insert(Place {
                    volume: number,
                    offset: at,
                    flags: 0,
                });
                volume
                    .data
                    .extend_from_slice(&file.bytes[rest..rest + fits]);
                volume.last = index;
                if rest > 0 {
                    (volume.first_here, volume.continues) = (fits, true);
                    volume.first_expanded = file.bytes.len();
                }
                if fits < left {
                    (volume.last_offset, volume.last_here) = (at, fits);
                    volume.last_expanded = file.bytes.len();
                    place.flags = SPLIT;
                    // The offset in the last volume, as in real sets.
                    if !newer {
                        place.offset = HEADER_SIZE;
                    }
                }
                rest += fits;
            }
            if rest == file.bytes.len() {
                break;
            }
            volumes.push(Volume {
                start: HEADER_SIZE,
                first: index,
                last: index,
                ..Volume::default()
            });
        }
        places.push(place.unwrap_or_default());
    }
    Arranged { volumes, places }
}

/// Returns the files of the set; `tables` go into the header file or the first volume.
pub(super) fn files(
    set: &NewSet,
    tables: &[u8],
    arranged: &Arranged,
    newer: bool,
) -> Outcome<Vec<SampleFile>> {
    let mut files = Vec::new();
    let count = arranged.volumes.len();
    let descriptor = u32::try_from(tables.len())?;
    if set.header_file {
        let size = HEADER_SIZE + tables.len();
        let none = Volume {
            start: size,
            ..Volume::default()
        };
        let mut bytes = header(set, (0, descriptor), &none, newer)?;
        bytes.extend_from_slice(tables);
        files.push(SampleFile {
            path: format!("{}1.hdr", set.base),
            bytes,
        });
    }
    for (number, volume) in arranged.volumes.iter().enumerate() {
        let link = match (number, number + 1 == count) {
            (0, true) => 0,
            (0, false) => 2,
            (_, true) => 1,
            (_, false) => 3,
        };
        let link = if set.beside { link | BESIDE } else { link };
        let own = number == 0 && !set.header_file;
        let mut bytes = header(set, (link, if own { descriptor } else { 0 }), volume, newer)?;
        if own {
            bytes.extend_from_slice(tables);
            bytes.extend([0; 8]);
        }
        bytes.extend_from_slice(&volume.data);
        files.push(SampleFile {
            path: format!("{}{}.cab", set.base, number + 1),
            bytes,
        });
    }
    Ok(files)
}

fn header(
    set: &NewSet,
    (link, descriptor): (u8, u32),
    volume: &Volume,
    newer: bool,
) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    CommonHeader {
        signature: Bytes(SIGNATURE),
        version: set.version,
        link,
        descriptor_offset: u32::try_from(HEADER_SIZE)?,
        descriptor_size: descriptor,
        ..CommonHeader::default()
    }
    .store(&mut bytes);
    let first_offset = if volume.continues { HEADER_SIZE } else { 0 };
    let [data_offset, first_offset, first_expanded, first_here] = [
        volume.start,
        first_offset,
        volume.first_expanded,
        volume.first_here,
    ]
    .map(|value| value as u64);
    let [last_offset, last_expanded, last_here] =
        [volume.last_offset, volume.last_expanded, volume.last_here].map(|value| value as u64);
    let (first_file, last_file) = (u32::try_from(volume.first)?, u32::try_from(volume.last)?);
    if newer {
        VolumeHeader6 {
            data_offset,
            first_file,
            last_file,
            first_offset,
            first_expanded,
            first_here,
            last_offset,
            last_expanded,
            last_here,
        }
        .store(&mut bytes);
    } else {
        VolumeHeader5 {
            data_offset: u32::try_from(data_offset)?,
            unk04: 0,
            first_file,
            last_file,
            first_offset: u32::try_from(first_offset)?,
            first_expanded: u32::try_from(first_expanded)?,
            first_here: u32::try_from(first_here)?,
            last_offset: u32::try_from(last_offset)?,
            last_expanded: u32::try_from(last_expanded)?,
            last_here: u32::try_from(last_here)?,
        }
        .store(&mut bytes);
    }
    bytes.resize(HEADER_SIZE, 0);
    Ok(bytes)
}
