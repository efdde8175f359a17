//! A folder shown as a cabinet of its own, for the crate `cab`.

use std::io::{self, Read, Seek, SeekFrom};

use super::blocks::{Ended, Part, Run, each_block, reserve};
use super::volume::Volume;
use relicast_codec::{Bytes, FixedSize};
use relicast_formats::microsoft_cabinet::{
    CabinetEntry, CabinetFolder, CabinetHeader, HAS_RESERVE, SIGNATURE,
};

/// Bytes of the cabinet that a folder is shown as.
enum Piece {
    Own(Vec<u8>),
    Of {
        volume: usize,
        offset: u64,
        length: u64,
    },
}

impl Piece {
    fn length(&self) -> u64 {
        match self {
            Self::Own(bytes) => bytes.len() as u64,
            Self::Of { length, .. } => *length,
        }
    }
}

/// A cabinet of one folder with one file that is the whole folder.
pub(super) struct Single<'v> {
    volumes: &'v [Volume],
    /// With the place behind each.
    pieces: Vec<(u64, Piece)>,
    place: u64,
    /// Why blocks are missing at the end.
    pub(super) cut: Option<String>,
}

impl<'v> Single<'v> {
    pub(super) fn of(
        runs: &[Run],
        method: u16,
        size: u64,
        volumes: &'v [Volume],
    ) -> Result<Self, Ended> {
        let reserve = reserve(runs)?;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut count = 0_u32;
        let cut = each_block(runs, volumes, &mut |parts| {
            count += 1;
            let [part] = parts else {
                pieces.push(Piece::Own(joined(volumes, parts, reserve)?));
                return Ok(true);
            };
            match pieces.last_mut() {
                Some(Piece::Of {
                    volume,
                    offset,
                    length,
                }) if *volume == part.volume && *offset + *length == part.offset => {
                    *length += part.length();
                }
                _ => pieces.push(Piece::Of {
                    volume: part.volume,
                    offset: part.offset,
                    length: part.length(),
                }),
            }
            Ok(true)
        })?;
        let blocks = u16::try_from(count).map_err(|_| {
            let text = format!("a folder of {count} blocks; at most 65535");
            Ended::Reading(io::Error::other(text))
        })?;
        let head = head_of(method, size, blocks, reserve);
        let mut end = 0;
        let pieces = std::iter::once(Piece::Own(head))
            .chain(pieces)
            .map(|piece| {
                end += piece.length();
                (end, piece)
            });
        Ok(Self {
            pieces: pieces.collect(),
            volumes,
            place: 0,
            cut,
        })
    }
}

/// A block put together from its parts, without a checksum.
fn joined(volumes: &[Volume], parts: &[Part], reserve: u8) -> Result<Vec<u8>, Ended> {
    let expanded = parts.last().map_or(0, |part| part.expanded);
    let mut data = Vec::new();
    for part in parts {
        data.extend_from_slice(part.read(volumes, &mut Vec::new())?);
    }
    let packed = u16::try_from(data.len()).map_err(|_| Ended::too_large())?;
    let mut bytes = vec![0; 4];
    packed.store(&mut bytes);
    expanded.store(&mut bytes);
    bytes.resize(bytes.len() + usize::from(reserve), 0);
    bytes.extend_from_slice(&data);
    Ok(bytes)
}

/// Header, folder and file of a cabinet that is one folder.
fn head_of(method: u16, size: u64, blocks: u16, reserve: u8) -> Vec<u8> {
    let start = CabinetHeader::SIZE + 4 + CabinetFolder::SIZE;
    let mut bytes = Vec::new();
    let data = start + CabinetEntry::SIZE + 2;
    CabinetHeader {
        signature: Bytes(SIGNATURE),
        files: u32::try_from(start).unwrap_or_default(),
        minor: 3,
        major: 1,
        folder_count: 1,
        file_count: 1,
        flags: HAS_RESERVE,
        ..CabinetHeader::default()
    }
    .store(&mut bytes);
    bytes.extend_from_slice(&[0, 0, 0, reserve]);
    CabinetFolder {
        data: u32::try_from(data).unwrap_or_default(),
        blocks,
        method,
    }
    .store(&mut bytes);
    CabinetEntry {
        size: u32::try_from(size).unwrap_or(u32::MAX),
        ..CabinetEntry::default()
    }
    .store(&mut bytes);
    bytes.extend_from_slice(b"f\0");
    bytes
}

impl Read for Single<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let index = self.pieces.partition_point(|(end, _)| *end <= self.place);
        let Some((end, piece)) = self.pieces.get(index) else {
            return Ok(0);
        };
        let left = end - self.place;
        let within = piece.length() - left;
        let count = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let part = buffer.get_mut(..count).unwrap_or_default();
        match piece {
            Piece::Own(bytes) => {
                let start = usize::try_from(within).unwrap_or(usize::MAX);
                let bytes = bytes.get(start..).and_then(|bytes| bytes.get(..count));
                part.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            }
            Piece::Of { volume, offset, .. } => {
                let volume = self.volumes.get(*volume).ok_or(io::ErrorKind::NotFound)?;
                volume.read_at(offset + within, part)?;
            }
        }
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for Single<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let size = self.pieces.last().map_or(0, |(end, _)| *end);
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => size.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}
