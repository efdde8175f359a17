//! Names: the directory member, and the assignment of its names to members.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::archive::Entry;
use super::name::name_crc;
use crate::everquest::plain;
use relicast_codec::{Decoded, Deviations, Reader, Result, Stream, Walk, Writer};

/// One name as stored, its NUL included.
#[derive(Debug, Clone, Default, PartialEq)]
struct Name<'a>(Cow<'a, [u8]>);

/// The inflated directory: u32 count, then names { u32 length, bytes that end in a NUL }.
#[derive(Debug, Clone, Default, PartialEq)]
struct Names<'a>(Vec<Name<'a>>);

impl<'a> Walk<'a> for Name<'a> {
    const SMALLEST: usize = 4;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let length = stream.count("length", self.0.len())?;
        let offset = stream.position();
        stream.bytes("name", &mut self.0, length)?;
        if S::READING && self.0.iter().position(|&byte| byte == 0) != length.checked_sub(1) {
            stream.deviate("name", offset, "one NUL, at the end", plain::text(&self.0));
        }
        Ok(())
    }
}

impl<'a> Walk<'a> for Names<'a> {
    const SMALLEST: usize = 4;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let count = stream.count("count", self.0.len())?;
        stream.records("names", &mut self.0, count)
    }
}

/// The names of an inflated directory, without their NULs.
pub(super) fn decode_names(bytes: &[u8]) -> Result<Decoded<Vec<Vec<u8>>>> {
    let mut reader = Reader::new(bytes);
    let mut names = Names::default();
    names.walk(&mut reader)?;
    let decoded = reader.finish(names);
    let names = decoded.value.0.iter().map(|name| {
        let text = name.0.split(|&byte| byte == 0).next();
        text.unwrap_or_default().to_vec()
    });
    Ok(Decoded {
        value: names.collect(),
        deviations: decoded.deviations,
    })
}

/// The directory that holds `names`.
pub(super) fn encode_names(names: &[Vec<u8>]) -> Result<Vec<u8>> {
    let stored = names.iter().map(|name| {
        let mut bytes = name.clone();
        bytes.push(0);
        Name(Cow::Owned(bytes))
    });
    let mut names = Names(stored.collect());
    let mut writer = Writer::default();
    names.walk(&mut writer)?;
    Ok(writer.into_bytes())
}

/// Assigns each name to its entry: to the one entry that has the name's hash, otherwise to the entry with
/// the name's index in data order (the packer's rule). A name or an entry that is left over is a
/// deviation, and so is a directory whose order contradicts its hashes.
///
/// `row_offset` returns the offset in the file of an entry's row.
pub(super) fn pair(
    names: &[Vec<u8>],
    entries: &mut [Entry<'_>],
    row_offset: impl Fn(usize) -> usize,
    deviations: &mut Deviations,
) {
    let mut by_crc: BTreeMap<u32, Option<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let slot = by_crc.entry(entry.row.name_crc).or_insert(Some(index));
        if *slot != Some(index) {
            *slot = None;
        }
    }
    let mut by_offset: Vec<usize> = (0..entries.len()).collect();
    by_offset.sort_by_key(|&index| entries.get(index).map(|entry| entry.row.offset));

    let mut late = Vec::new();
    let mut out_of_order = 0_usize;
    for (place, name) in names.iter().enumerate() {
        let target = by_crc.get(&name_crc(name)).copied().flatten();
        let free = target
            .and_then(|index| entries.get_mut(index))
            .filter(|entry| entry.name.is_none());
        match free {
            Some(entry) => {
                entry.name = Some(plain::text(name));
                out_of_order += usize::from(by_offset.get(place).copied() != target);
            }
            None => late.push((place, name)),
        }
    }
    if out_of_order > 0 {
        deviations.push_usual(
            "directory",
            0,
            "names in the order of the member data",
            format_args!("{out_of_order} out of order, assigned by their hashes"),
        );
    }
    for (place, name) in late {
        let text = plain::text(name);
        let index = by_offset.get(place).copied();
        let free = index
            .and_then(|index| Some((index, entries.get_mut(index)?)))
            .filter(|(_, entry)| entry.name.is_none());
        match free {
            Some((index, entry)) => {
                let crc = name_crc(name);
                if entry.row.name_crc != crc {
                    deviations.push(
                        "name_crc",
                        row_offset(index),
                        format_args!("{crc:#010x}, the hash of {text}"),
                        format_args!("{:#010x}", entry.row.name_crc),
                    );
                }
                entry.name = Some(text);
            }
            None => deviations.push("directory", 0, "a member for each name", text),
        }
    }
    for (index, entry) in entries.iter().enumerate() {
        if entry.name.is_none() {
            let found = format!("none for {:#010x}", entry.row.name_crc);
            deviations.push("name_crc", row_offset(index), "a name", found);
        }
    }
}
