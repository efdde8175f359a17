//! Members of EverQuest's archives, read by code that shares nothing with the program's own.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::ZlibDecoder;

/// The row of the list of names.
const NAMES: u32 = 0x6158_0AC9;

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// Inflates blocks from `at` on until there are `size` bytes.
fn inflate(bytes: &[u8], mut at: usize, size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while out.len() < size {
        let length = word(bytes, at)? as usize;
        let whole = word(bytes, at + 4)? as usize;
        let block = bytes.get(at + 8..at + 8 + length)?;
        let before = out.len();
        ZlibDecoder::new(block).read_to_end(&mut out).ok()?;
        if out.len() - before != whole {
            return None;
        }
        at += 8 + length;
    }
    Some(out)
}

/// The members by name; none if it is no such archive, or a damaged one.
pub fn members(bytes: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    if bytes.get(4..8)? != b"PFS " {
        return None;
    }
    let directory = word(bytes, 0)? as usize;
    let mut rows = Vec::new();
    let mut names = Vec::new();
    for row in 0..word(bytes, directory)? as usize {
        let at = directory + 4 + row * 12;
        let (crc, offset, size) = (word(bytes, at)?, word(bytes, at + 4)?, word(bytes, at + 8)?);
        let data = inflate(bytes, offset as usize, size as usize)?;
        match crc {
            NAMES => names = data,
            _ => rows.push((offset, data)),
        }
    }
    rows.sort_by_key(|(offset, _)| *offset);
    let mut at = 4;
    let mut found = BTreeMap::new();
    for (_, data) in rows {
        let length = word(&names, at)? as usize;
        let name = names.get(at + 4..at + 4 + length)?;
        let name = String::from_utf8_lossy(name)
            .trim_end_matches('\0')
            .to_owned();
        found.insert(name, data);
        at += 4 + length;
    }
    Some(found)
}
