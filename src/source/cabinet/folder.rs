//! Folders of Microsoft cabinets: streams of blocks over one or more volumes. Folders of the method LZX are expanded by
//! the crate `cab`; it knows no sets, so `single` shows it each folder as a cabinet of its own.

mod single;

use std::io::{self, Read};
use std::sync::{Mutex, OnceLock};

use self::single::Single;
use super::volume::Volume;
use crate::formats::installshield::packed::Take;
use crate::formats::microsoft_cabinet::data::{self, MsZip};

/// Bits of a folder's method that name it.
const METHOD: u16 = 0xF;

/// Blocks hold the bytes as they are.
const STORED: u16 = 0;

/// Blocks are packed by MSZIP.
const MS_ZIP: u16 = 1;

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
        let cut = match self.method & METHOD {
            STORED | MS_ZIP => self.expand_plain(volumes, take, given)?,
            _ => self.expand_by_crate(volumes, take, given)?,
        };
        match cut.filter(|_| *given < self.size) {
            Some(cut) => Err(Ended::Reading(io::Error::other(cut))),
            None => Ok(()),
        }
    }

    /// Expands blocks that are stored, or packed by MSZIP. Says why blocks are missing at the end.
    fn expand_plain(
        &self,
        volumes: &[Volume],
        take: Take<'_>,
        given: &mut u64,
    ) -> Result<Option<String>, Ended> {
        let mut zip = MsZip::default();
        let (mut stored, mut whole) = (Vec::new(), Vec::new());
        self.each_block(volumes, &mut |parts| {
            let data = match parts {
                [part] => part.read(volumes, &mut stored)?,
                parts => {
                    whole.clear();
                    for part in parts {
                        whole.extend_from_slice(part.read(volumes, &mut stored)?);
                    }
                    &*whole
                }
            };
            let size = parts.last().map_or(0, |part| usize::from(part.expanded));
            let bytes = match self.method & METHOD {
                STORED => data
                    .get(..size)
                    .ok_or("a stored block that ends early".to_owned()),
                _ => zip.expand(data, size),
            };
            let bytes = bytes.map_err(|text| Ended::Reading(io::Error::other(text)))?;
            let left = usize::try_from(self.size - *given).unwrap_or(usize::MAX);
            let bytes = bytes.get(..left).unwrap_or(bytes);
            take(bytes).map_err(Ended::Taking)?;
            *given += bytes.len() as u64;
            Ok(*given < self.size)
        })
    }

    fn expand_by_crate(
        &self,
        volumes: &[Volume],
        take: Take<'_>,
        given: &mut u64,
    ) -> Result<Option<String>, Ended> {
        let single = Single::of(self, volumes)?;
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
        Ok(cut)
    }

    /// Bytes before the data of each block that are the application's own.
    fn reserve(&self) -> Result<u8, Ended> {
        let reserve = self.runs.first().map_or(0, |run| run.reserve);
        match self.runs.iter().all(|run| run.reserve == reserve) {
            true => Ok(reserve),
            false => Err(Ended::Reading(io::Error::other(
                "cabinets of the set reserve different sizes",
            ))),
        }
    }

    /// Visits the blocks until `visit` has enough, each with its parts: more than one for a block that goes on in
    /// the next volume. Says why blocks are missing at the end.
    fn each_block(
        &self,
        volumes: &[Volume],
        visit: &mut dyn FnMut(&[Part]) -> Result<bool, Ended>,
    ) -> Result<Option<String>, Ended> {
        let reserve = self.reserve()?;
        let mut parts: Vec<Part> = Vec::new();
        for run in &self.runs {
            let volume = volumes
                .get(run.volume)
                .ok_or_else(|| Ended::Reading(io::ErrorKind::NotFound.into()))?;
            let mut offset = run.offset;
            for _ in 0..run.blocks {
                let part = match Part::of(volume, run.volume, offset, reserve) {
                    Ok(part) => part,
                    Err(error) => return Ok(Some(error.to_string())),
                };
                offset += part.length();
                let is_whole = part.expanded != 0;
                parts.push(part);
                let packed: usize = parts.iter().map(|part| usize::from(part.packed)).sum();
                if packed > usize::from(u16::MAX) {
                    return Err(Ended::too_large());
                }
                if is_whole {
                    if !visit(&parts)? {
                        return Ok(None);
                    }
                    parts.clear();
                }
            }
        }
        let cut = "it goes on in a cabinet that is missing".to_owned();
        Ok((!parts.is_empty()).then_some(cut))
    }
}

/// Why the expansion of a folder ended.
enum Ended {
    /// Its bytes are not to be had.
    Reading(io::Error),
    /// They could not be kept.
    Taking(io::Error),
}

impl Ended {
    fn too_large() -> Self {
        let text = "a block in two volumes is larger than a block";
        Self::Reading(io::Error::other(text))
    }
}

/// A block, or the part of one in a volume, as its header tells.
struct Part {
    volume: usize,
    /// First byte of its header.
    offset: u64,
    checksum: u32,
    packed: u16,
    /// 0: the block goes on in the next volume.
    expanded: u16,
    reserve: u8,
}

impl Part {
    fn of(volume: &Volume, number: usize, offset: u64, reserve: u8) -> io::Result<Self> {
        let mut head = [0; 8];
        volume.read_at(offset, &mut head)?;
        let [s, t, u, v, a, b, c, d] = head;
        let part = Self {
            volume: number,
            offset,
            checksum: u32::from_le_bytes([s, t, u, v]),
            packed: u16::from_le_bytes([a, b]),
            expanded: u16::from_le_bytes([c, d]),
            reserve,
        };
        let end = offset.checked_add(part.length());
        if end.is_none_or(|end| end > volume.size) {
            let text = format!("block at byte {offset}: {} ends within it", volume.path);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        }
        Ok(part)
    }

    /// Bytes of header, reserve and data.
    fn length(&self) -> u64 {
        BLOCK + u64::from(self.reserve) + u64::from(self.packed)
    }

    /// Its data, after a look at the checksum.
    fn read<'b>(&self, volumes: &[Volume], buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Ended> {
        let volume = volumes
            .get(self.volume)
            .ok_or_else(|| Ended::Reading(io::ErrorKind::NotFound.into()))?;
        buffer.resize(usize::from(self.reserve) + usize::from(self.packed), 0);
        volume
            .read_at(self.offset + BLOCK, buffer)
            .map_err(Ended::Reading)?;
        let (reserve, data) = buffer.split_at(usize::from(self.reserve));
        let [a, b] = self.packed.to_le_bytes();
        let [c, d] = self.expanded.to_le_bytes();
        if !data::is_whole(self.checksum, [a, b, c, d], reserve, data) {
            let (offset, path) = (self.offset, &volume.path);
            let text = format!("block at byte {offset} of {path}: its checksum does not agree");
            return Err(Ended::Reading(io::Error::new(
                io::ErrorKind::InvalidData,
                text,
            )));
        }
        Ok(data)
    }
}
