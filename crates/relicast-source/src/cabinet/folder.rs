//! Folders of Microsoft cabinets: streams of blocks over one or more volumes.

use std::io;
use std::sync::{Mutex, OnceLock};

use lzxd::{Lzxd, MAX_CHUNK_SIZE, WindowSize};

use super::blocks::{Ended, Run, each_block};
use super::volume::Volume;
use relicast_formats::installshield::packed::Take;
use relicast_formats::microsoft_cabinet::data::MsZip;

/// A folder: a stream of blocks over one or more volumes.
#[derive(Debug)]
pub struct Folder {
    pub(super) method: u16,
    pub(super) runs: Vec<Run>,
    /// Expanded bytes that its files need.
    pub size: u64,
    /// Locked by the thread that expands it.
    pub(super) lock: Mutex<()>,
    /// Reason why it could not be expanded completely.
    pub(super) fault: OnceLock<String>,
}

impl Folder {
    /// Reason why it could not be expanded completely, known after the attempt.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Expands as much of the folder as its files need and its blocks contain. The reason of an early end is stored as
    /// its fault.
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
        let cut = self.expand_each(volumes, take, given)?;
        match cut.filter(|_| *given < self.size) {
            Some(cut) => Err(Ended::Reading(io::Error::other(cut))),
            None => Ok(()),
        }
    }

    /// Expands the blocks. Returns the reason if blocks are missing at the end.
    fn expand_each(
        &self,
        volumes: &[Volume],
        take: Take<'_>,
        given: &mut u64,
    ) -> Result<Option<String>, Ended> {
        let damage = |text: String| Ended::Reading(io::Error::other(text));
        let mut method = Method::new(self.method).map_err(damage)?;
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
            let bytes = method.expand(data, size).map_err(damage)?;
            let left = usize::try_from(self.size - *given).unwrap_or(usize::MAX);
            let bytes = bytes.get(..left).unwrap_or(bytes);
            take(bytes).map_err(Ended::Taking)?;
            *given += bytes.len() as u64;
            Ok(*given < self.size)
        })
    }
}

/// Compression of the blocks of a folder, with the state carried from block to block.
enum Method {
    Stored,
    MsZip(MsZip),
    Lzx(Box<Lzxd>),
}

impl Method {
    /// Decodes the method from its bits: method in bits 0 to 3, size of the window as a power of two from bit 8.
    fn new(bits: u16) -> Result<Self, String> {
        let window = match (bits & 0xF, bits >> 8 & 0x1F) {
            (0, _) => return Ok(Self::Stored),
            (1, _) => return Ok(Self::MsZip(MsZip::default())),
            (3, 15) => WindowSize::KB32,
            (3, 16) => WindowSize::KB64,
            (3, 17) => WindowSize::KB128,
            (3, 18) => WindowSize::KB256,
            (3, 19) => WindowSize::KB512,
            (3, 20) => WindowSize::MB1,
            (3, 21) => WindowSize::MB2,
            (3, power) => {
                return Err(format!(
                    "LZX with a window of 2^{power} bytes, expected 2^15 to 2^21"
                ));
            }
            (2, _) => return Err("compressed by Quantum, which is not supported".to_owned()),
            (other, _) => return Err(format!("unknown compression method {other}")),
        };
        Ok(Self::Lzx(Box::new(Lzxd::new(window))))
    }

    /// Expands the next block to its `size` bytes.
    fn expand<'b>(&'b mut self, data: &'b [u8], size: usize) -> Result<&'b [u8], String> {
        match self {
            Self::Stored => data
                .get(..size)
                .ok_or_else(|| "a stored block that ends early".to_owned()),
            Self::MsZip(zip) => zip.expand(data, size),
            Self::Lzx(_) if size > MAX_CHUNK_SIZE => Err(format!(
                "an LZX block of {size} bytes, expected at most {MAX_CHUNK_SIZE}"
            )),
            Self::Lzx(lzx) => lzx
                .decompress_next(data, size)
                .map_err(|fault| format!("a damaged LZX block: {fault}")),
        }
    }
}
