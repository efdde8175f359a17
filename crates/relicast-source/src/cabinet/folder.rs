//! Folders of Microsoft cabinets: streams of blocks over one or more volumes. Folders of the method LZX are expanded by
//! the crate `cab`; it knows no sets, so `single` shows it each folder as a cabinet of its own.

use std::io::{self, Read};
use std::sync::{Mutex, OnceLock};

use super::blocks::{Ended, Run, each_block};
use super::single::Single;
use super::volume::Volume;
use relicast_formats::installshield::packed::Take;
use relicast_formats::microsoft_cabinet::data::MsZip;

/// Bits of a folder's method that name it.
const METHOD: u16 = 0xF;

/// Blocks hold the bytes as they are.
const STORED: u16 = 0;

/// Blocks are packed by MSZIP.
const MS_ZIP: u16 = 1;

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
        each_block(&self.runs, volumes, &mut |parts| {
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
        let single = Single::of(&self.runs, self.method, self.size, volumes)?;
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
}
