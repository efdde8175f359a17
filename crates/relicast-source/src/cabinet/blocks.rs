//! Blocks of a folder of Microsoft cabinets, over all its volumes.

use std::io;

use super::volume::Volume;
use relicast_formats::microsoft_cabinet::data;

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

/// Bytes before the data of each block that belong to the application.
pub(super) fn reserve(runs: &[Run]) -> Result<u8, Ended> {
    let reserve = runs.first().map_or(0, |run| run.reserve);
    match runs.iter().all(|run| run.reserve == reserve) {
        true => Ok(reserve),
        false => Err(Ended::Reading(io::Error::other(
            "cabinets of the set reserve different sizes",
        ))),
    }
}

/// Visits the blocks until `visit` has enough, each with its parts: more than one for a block that continues in
/// the next volume. Returns the reason if blocks are missing at the end.
pub(super) fn each_block(
    runs: &[Run],
    volumes: &[Volume],
    visit: &mut dyn FnMut(&[Part]) -> Result<bool, Ended>,
) -> Result<Option<String>, Ended> {
    let reserve = reserve(runs)?;
    let mut parts: Vec<Part> = Vec::new();
    for run in runs {
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
    let cut = "it continues in a missing cabinet".to_owned();
    Ok((!parts.is_empty()).then_some(cut))
}

/// Why the expansion of a folder ended.
pub(super) enum Ended {
    /// Its bytes cannot be read.
    Reading(io::Error),
    /// They could not be stored.
    Taking(io::Error),
}

impl Ended {
    pub(super) fn too_large() -> Self {
        let text = "a block that continues in the next volume is too large";
        Self::Reading(io::Error::other(text))
    }
}

/// Block, or part of a block in one volume, as its header describes it.
pub(super) struct Part {
    pub(super) volume: usize,
    /// First byte of its header.
    pub(super) offset: u64,
    checksum: u32,
    packed: u16,
    /// Expanded size; 0 if the block continues in the next volume.
    pub(super) expanded: u16,
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
    pub(super) fn length(&self) -> u64 {
        BLOCK + u64::from(self.reserve) + u64::from(self.packed)
    }

    /// Reads its data and checks the checksum.
    pub(super) fn read<'b>(
        &self,
        volumes: &[Volume],
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], Ended> {
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
            let text = format!("block at byte {offset} of {path}: its checksum does not match");
            return Err(Ended::Reading(io::Error::new(
                io::ErrorKind::InvalidData,
                text,
            )));
        }
        Ok(data)
    }
}
