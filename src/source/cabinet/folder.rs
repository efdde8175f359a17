//! Folders of Microsoft cabinets. The crate `cab` expands them; it knows no sets, so it is shown each folder as a cabinet
//! of its own, put together from the blocks in all volumes.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, OnceLock};

use super::volume::Volume;
use crate::formats::codec::{Bytes, FixedSize};
use crate::formats::installshield::packed::Take;
use crate::formats::microsoft_cabinet::{
    CabinetEntry, CabinetFolder, CabinetHeader, HAS_RESERVE, SIGNATURE,
};

/// Bytes of a block before its data and reserve.
const BLOCK: u64 = 8;

/// Part of a folder in one volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) volume: usize,
    pub(super) offset: u64,
    pub(super) blocks: u16,
    pub(super) reserve: u8,
}

/// A folder: a stream of blocks over one or more volumes.
#[derive(Debug)]
pub struct Folder {
    pub(super) method: u16,
    pub(super) runs: Vec<Run>,
    /// Expanded bytes that its files need.
    pub size: u64,
    /// Held by whoever expands it.
    pub(super) turn: Mutex<()>,
    /// Why not all of it could be expanded.
    pub(super) fault: OnceLock<String>,
}

impl Folder {
    /// Why not all of it could be expanded, once it was.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Expands as much of the folder as its files need and its blocks give. What ends it too early is kept as its
    /// fault.
    ///
    /// # Errors
    /// `take` fails.
    pub(super) fn expand(&self, volumes: &[Volume], take: Take<'_>) -> io::Result<u64> {
        let mut given = 0_u64;
        let ended = self.expand_blocks(volumes, take, &mut given);
        match ended {
            Ok(()) if given >= self.size => {}
            Ok(()) => {
                let text = format!("its folder ends at byte {given} of {}", self.size);
                self.fault.get_or_init(|| text);
            }
            Err(Ended::Taking(error)) => return Err(error),
            Err(Ended::Reading(error)) => {
                self.fault
                    .get_or_init(|| format!("its folder is damaged: {error}"));
            }
        }
        Ok(given)
    }

    fn expand_blocks(
        &self,
        volumes: &[Volume],
        take: Take<'_>,
        given: &mut u64,
    ) -> Result<(), Ended> {
        let single = Single::of(self, volumes).map_err(Ended::Reading)?;
        let cut = single.cut.clone();
        let mut cabinet = cab::Cabinet::new(single).map_err(Ended::Reading)?;
        let mut reader = cabinet.read_file("f").map_err(Ended::Reading)?;
        let mut buffer = vec![0; 1 << 16];
        while *given < self.size {
            let count = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
                Err(fault) => return Err(Ended::Reading(fault)),
            };
            let left = usize::try_from(self.size - *given).unwrap_or(usize::MAX);
            let part = buffer.get(..count.min(left)).unwrap_or_default();
            take(part).map_err(Ended::Taking)?;
            *given += part.len() as u64;
        }
        match cut.filter(|_| *given < self.size) {
            Some(cut) => Err(Ended::Reading(io::Error::other(cut))),
            None => Ok(()),
        }
    }
}

/// Why the expansion of a folder ended.
enum Ended {
    /// Its bytes are not to be had.
    Reading(io::Error),
    /// They could not be kept.
    Taking(io::Error),
}

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
struct Single<'v> {
    volumes: &'v [Volume],
    /// With the place behind each.
    pieces: Vec<(u64, Piece)>,
    place: u64,
    /// Why blocks are missing at the end.
    cut: Option<String>,
}

/// A block as its header tells.
struct Block {
    packed: u16,
    expanded: u16,
    length: u64,
}

fn block(volume: &Volume, offset: u64, reserve: u8) -> io::Result<Block> {
    let mut head = [0; 8];
    volume.read_at(offset, &mut head)?;
    let [_, _, _, _, a, b, c, d] = head;
    let packed = u16::from_le_bytes([a, b]);
    let length = BLOCK + u64::from(reserve) + u64::from(packed);
    if offset
        .checked_add(length)
        .is_none_or(|end| end > volume.size)
    {
        let text = format!("block at byte {offset}: {} ends within it", volume.path);
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
    }
    Ok(Block {
        packed,
        expanded: u16::from_le_bytes([c, d]),
        length,
    })
}

impl<'v> Single<'v> {
    fn of(folder: &Folder, volumes: &'v [Volume]) -> io::Result<Self> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut count = 0_u32;
        // The part of a block that ended the volume before.
        let mut open: Vec<u8> = Vec::new();
        let mut cut = None;
        let reserve = folder.runs.first().map_or(0, |run| run.reserve);
        'runs: for run in &folder.runs {
            let volume = volumes.get(run.volume).ok_or(io::ErrorKind::NotFound)?;
            if run.reserve != reserve {
                return Err(io::Error::other(
                    "cabinets of the set reserve different sizes",
                ));
            }
            let mut offset = run.offset;
            for _ in 0..run.blocks {
                let found = match block(volume, offset, reserve) {
                    Ok(found) => found,
                    Err(error) => {
                        cut = Some(error.to_string());
                        break 'runs;
                    }
                };
                let data = offset + BLOCK + u64::from(reserve);
                if found.expanded == 0 || !open.is_empty() {
                    let start = open.len();
                    open.resize(start + usize::from(found.packed), 0);
                    volume.read_at(data, open.get_mut(start..).unwrap_or_default())?;
                    if found.expanded != 0 {
                        let bytes = joined(&open, found.expanded, reserve)?;
                        pieces.push(Piece::Own(bytes));
                        open.clear();
                        count += 1;
                    }
                } else {
                    count += 1;
                    match pieces.last_mut() {
                        Some(Piece::Of {
                            volume,
                            offset: from,
                            length,
                        }) if *volume == run.volume && *from + *length == offset => {
                            *length += found.length;
                        }
                        _ => pieces.push(Piece::Of {
                            volume: run.volume,
                            offset,
                            length: found.length,
                        }),
                    }
                }
                offset += found.length;
            }
        }
        if !open.is_empty() && cut.is_none() {
            cut = Some("it goes on in a cabinet that is missing".to_owned());
        }
        let blocks = u16::try_from(count)
            .map_err(|_| io::Error::other(format!("a folder of {count} blocks; at most 65535")))?;
        let head = head_of(folder, blocks, reserve);
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
fn joined(data: &[u8], expanded: u16, reserve: u8) -> io::Result<Vec<u8>> {
    let packed = u16::try_from(data.len())
        .map_err(|_| io::Error::other("a block in two volumes is larger than a block"))?;
    let mut bytes = vec![0; 4];
    packed.store(&mut bytes);
    expanded.store(&mut bytes);
    bytes.resize(bytes.len() + usize::from(reserve), 0);
    bytes.extend_from_slice(data);
    Ok(bytes)
}

/// Header, folder and file of a cabinet that is one folder.
fn head_of(folder: &Folder, blocks: u16, reserve: u8) -> Vec<u8> {
    let size = CabinetHeader::SIZE + 4 + CabinetFolder::SIZE;
    let mut bytes = Vec::new();
    let data = size + CabinetEntry::SIZE + 2;
    CabinetHeader {
        signature: Bytes(SIGNATURE),
        files: u32::try_from(size).unwrap_or_default(),
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
        method: folder.method,
    }
    .store(&mut bytes);
    CabinetEntry {
        size: u32::try_from(folder.size).unwrap_or(u32::MAX),
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
