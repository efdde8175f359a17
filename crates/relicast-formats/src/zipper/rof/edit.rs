//! Replaces, adds and removes files. All other bytes, their order, and the gaps between them are preserved.

use super::archive::{Block, BlockHead, Entry, LONGEST_NAME, RECORD, Record, Rof, Storage};
use super::pack::{deflated, word};
use relicast_codec::{Blob, FormatError, Result};

/// zlib levels to try for a packed file, the game's first.
const LEVELS: [u32; 3] = [1, 6, 9];

impl Entry<'_> {
    /// The zlib level that gives the stored bytes, or the level of the game's files where none does.
    fn level(&self) -> u32 {
        let [first, ..] = LEVELS;
        let Ok(bytes) = self.extract() else {
            return first;
        };
        let gives = |level: &u32| {
            let again = deflated(&bytes.value, *level);
            again.is_ok_and(|again| *again == *self.data)
        };
        LEVELS.into_iter().find(gives).unwrap_or(first)
    }

    /// The bytes of a file in the form of this one: packed in the same way, or plain.
    fn stored_as(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        match self.record.storage {
            Storage::Packed => deflated(bytes, self.level()),
            _ => Ok(bytes.to_vec()),
        }
    }
}

/// A run of bytes that changes its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Block(usize),
    File(usize),
}

fn no_entry(index: usize) -> FormatError {
    FormatError::unencodable("records", 0, "a file of the archive", index)
}

impl Rof<'_> {
    /// Replaces the bytes of a file, packed if the old ones are.
    ///
    /// # Errors
    /// There is no such file, it is damaged, another one shares its bytes, or the archive becomes too large for its
    /// offsets.
    pub fn replace(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        let entry = self.file(index)?;
        let stored = entry.stored_as(bytes)?;
        let decoded = word(bytes.len())?;
        self.store(index, stored)?;
        if let Some(entry) = self.entries.get_mut(index) {
            entry.record.decoded = decoded;
        }
        self.settle_records()
    }

    /// Adds a file at the end of the folder of the file `like`, stored in the same way, and returns its index among
    /// the entries.
    ///
    /// # Errors
    /// There is no such file, the name is invalid or taken, or the archive becomes too large for its offsets.
    pub fn add(&mut self, like: usize, name: &str, bytes: &[u8]) -> Result<usize> {
        let beside = self.file(like)?;
        let fits = !name.is_empty()
            && name.len() < LONGEST_NAME
            && name
                .bytes()
                .all(|byte| byte.is_ascii_graphic() || byte == b' ')
            && !name.contains(['/', '\\', ':']);
        if !fits {
            let expected = "a name of ASCII without separators";
            return Err(FormatError::unencodable("name", 0, expected, name));
        }
        let parent = beside.parent;
        let (storage, stored) = (beside.record.storage, beside.stored_as(bytes)?);
        let mut around = self.entries.iter().filter(|entry| entry.parent == parent);
        if around.any(|entry| entry.name.eq_ignore_ascii_case(name)) {
            return Err(FormatError::unencodable(
                "name",
                0,
                "a name that is new in its folder",
                name,
            ));
        }
        let (number, _) = self.place_of(like)?;
        let end = self.end();
        let block = self.blocks.get(number).ok_or_else(|| no_entry(like))?;
        let length = name.len().saturating_add(1);
        let record = Record {
            start: word(end)?,
            decoded: word(bytes.len())?,
            stored: word(stored.len())?,
            storage,
            name_length: word(length)?,
            name_offset: word(block.names.len())?,
        };
        // It comes after everything that moves when its folder grows.
        let grown = block.length().saturating_add(RECORD).saturating_add(length);
        let by = grown.saturating_sub(block.length());
        self.resize(Piece::Block(number), grown)?;
        let record = Record {
            start: word((record.start as usize).saturating_add(by))?,
            ..record
        };
        let mut place = 0_usize;
        for (at, block) in self.blocks.iter_mut().enumerate() {
            place = place.saturating_add(block.records.len());
            if at == number {
                let mut names = block.names.to_vec();
                names.extend(name.bytes());
                names.push(0);
                block.names = Blob::from(names);
                block.records.push(record);
                break;
            }
        }
        for parent in self
            .entries
            .iter_mut()
            .filter_map(|entry| entry.parent.as_mut())
        {
            if *parent >= place {
                *parent = parent.saturating_add(1);
            }
        }
        let entry = Entry {
            name: name.to_owned(),
            parent,
            record,
            data: Blob::from(stored),
            ..Entry::default()
        };
        self.entries.insert(place.min(self.entries.len()), entry);
        self.settle_records()?;
        Ok(place)
    }

    /// Removes a file.
    ///
    /// # Errors
    /// There is no such file, or another one shares its bytes.
    pub fn remove(&mut self, index: usize) -> Result<()> {
        self.file(index)?;
        self.store(index, Vec::new())?;
        let (number, at) = self.place_of(index)?;
        let block = self.blocks.get(number).ok_or_else(|| no_entry(index))?;
        let record = block.records.get(at).ok_or_else(|| no_entry(index))?;
        let length = record.name_length as usize;
        let less = RECORD.saturating_add(length);
        let left = block.length().saturating_sub(less);
        self.resize(Piece::Block(number), left)?;
        if let Some(block) = self.blocks.get_mut(number) {
            block.forget(at, length);
        }
        // The offsets of later names may have changed.
        let block = self.blocks.get(number).ok_or_else(|| no_entry(index))?;
        let offsets: Vec<u32> = block
            .records
            .iter()
            .map(|record| record.name_offset)
            .collect();
        self.entries.remove(index);
        let first = index.saturating_sub(at);
        let own = self.entries.iter_mut().skip(first);
        for (entry, offset) in own.zip(offsets) {
            entry.record.name_offset = offset;
        }
        for parent in self
            .entries
            .iter_mut()
            .filter_map(|entry| entry.parent.as_mut())
        {
            if *parent > index {
                *parent = parent.saturating_sub(1);
            }
        }
        self.settle_records()
    }

    /// The file at an index among the entries.
    fn file(&self, index: usize) -> Result<&Entry<'_>> {
        let entry = self.entries.get(index).ok_or_else(|| no_entry(index))?;
        match (&entry.fault, entry.is_folder()) {
            (Some(fault), _) => Err(fault.clone()),
            (None, true) => Err(no_entry(index)),
            (None, false) => Ok(entry),
        }
    }

    /// The block of an entry, and the index of its record in it.
    fn place_of(&self, index: usize) -> Result<(usize, usize)> {
        let mut left = index;
        for (number, block) in self.blocks.iter().enumerate() {
            match left.checked_sub(block.records.len()) {
                Some(rest) => left = rest,
                None => return Ok((number, left)),
            }
        }
        Err(no_entry(index))
    }

    /// The end of all data.
    fn end(&self) -> usize {
        let blocks = self.blocks.iter();
        let blocks = blocks.map(|block| block.offset.saturating_add(block.length()));
        let whole = self.entries.iter().filter(|entry| !entry.data.is_empty());
        let files =
            whole.map(|entry| (entry.record.start as usize).saturating_add(entry.data.len()));
        let gaps = self.gaps.iter();
        let gaps = gaps.map(|gap| gap.offset.saturating_add(gap.bytes.len()));
        blocks.chain(files).chain(gaps).max().unwrap_or_default()
    }

    /// True if something encloses `at`.
    fn is_inside(&self, at: usize) -> bool {
        let around = |start: usize, length: usize| start < at && at < start.saturating_add(length);
        let blocks = self.blocks.iter();
        let files = self.entries.iter();
        blocks
            .clone()
            .any(|block| around(block.offset, block.length()))
            || files
                .clone()
                .any(|entry| around(entry.record.start as usize, entry.data.len()))
            || self
                .gaps
                .iter()
                .any(|gap| around(gap.offset, gap.bytes.len()))
    }

    /// Replaces the stored bytes of a file.
    fn store(&mut self, index: usize, stored: Vec<u8>) -> Result<()> {
        let entry = self.entries.get(index).ok_or_else(|| no_entry(index))?;
        let start = entry.record.start as usize;
        // An empty file may have any offset. Its new bytes go to the end, unless its offset is between other data.
        if entry.data.is_empty() && (start == 0 || start > self.end() || self.is_inside(start)) {
            let end = word(self.end())?;
            if let Some(entry) = self.entries.get_mut(index) {
                entry.record.start = end;
            }
        }
        self.resize(Piece::File(index), stored.len())?;
        if let Some(entry) = self.entries.get_mut(index) {
            entry.record.stored = word(stored.len())?;
            entry.data = Blob::from(stored);
        }
        Ok(())
    }

    /// Moves the data after a piece whose length changes.
    ///
    /// # Errors
    /// Other data is inside it, or an offset becomes too large. In both cases nothing has moved.
    fn resize(&mut self, piece: Piece, new: usize) -> Result<()> {
        let found = match piece {
            Piece::Block(number) => {
                let block = self.blocks.get(number);
                block.map(|block| (block.offset, block.length()))
            }
            Piece::File(index) => {
                let entry = self.entries.get(index);
                entry.map(|entry| (entry.record.start as usize, entry.data.len()))
            }
        };
        let (at, old) = found.ok_or_else(|| no_entry(0))?;
        let end = at.saturating_add(old);
        let shares = |start: usize| {
            FormatError::unencodable("start", at, "bytes not shared with other entries", start)
        };
        let moved = |start: usize, length: usize| -> Result<usize> {
            match start {
                start if start >= end => Ok(start.saturating_sub(old).saturating_add(new)),
                // An empty piece at its start does not move.
                start if start == at && length == 0 => Ok(start),
                start if start >= at || start.saturating_add(length) > at => Err(shares(start)),
                start => Ok(start),
            }
        };
        let leads = |entry: &Entry<'_>| {
            let is_whole = entry.is_folder() && entry.fault.is_none();
            matches!(piece, Piece::Block(_)) && is_whole && entry.record.start as usize == at
        };
        let mut starts = Vec::with_capacity(self.entries.len());
        for (index, entry) in self.entries.iter().enumerate() {
            let start = entry.record.start as usize;
            // The offset of a damaged file can have any value, and must not point into another file.
            let length = match (&entry.fault, entry.is_folder()) {
                (Some(_), true) => 1,
                (Some(_), false) => (entry.record.stored as usize).max(1),
                (None, true) => 0,
                (None, false) => entry.data.len(),
            };
            let start = match piece == Piece::File(index) {
                true => start,
                // A folder that grows keeps its offset.
                false if leads(entry) => start,
                false => moved(start, length)?,
            };
            starts.push(word(start)?);
        }
        let mut offsets = Vec::with_capacity(self.blocks.len());
        for (number, block) in self.blocks.iter().enumerate() {
            offsets.push(match piece == Piece::Block(number) {
                true => block.offset,
                false => moved(block.offset, block.length())?,
            });
        }
        let gaps = self.gaps.iter();
        let gaps = gaps.map(|gap| moved(gap.offset, gap.bytes.len()));
        let gaps: Vec<usize> = gaps.collect::<Result<_>>()?;
        for (entry, start) in self.entries.iter_mut().zip(starts) {
            entry.record.start = start;
        }
        for (block, offset) in self.blocks.iter_mut().zip(offsets) {
            block.offset = offset;
        }
        for (gap, offset) in self.gaps.iter_mut().zip(gaps) {
            gap.offset = offset;
        }
        Ok(())
    }

    /// Writes the records of entries into their blocks, and sets the record offset of each entry.
    fn settle_records(&mut self) -> Result<()> {
        let mut entries = self.entries.iter_mut();
        for block in &mut self.blocks {
            for (at, record) in block.records.iter_mut().enumerate() {
                let entry = entries.next().ok_or_else(|| no_entry(at))?;
                *record = entry.record;
                let before = at.saturating_mul(RECORD).saturating_add(BlockHead::SIZE);
                entry.record_offset = block.offset.saturating_add(before);
            }
        }
        word(self.end()).map(|_| ())
    }
}

impl Block<'_> {
    /// Removes a record with its name of `length` bytes.
    fn forget(&mut self, at: usize, length: usize) {
        let mut running = 0_usize;
        for (index, record) in self.records.iter_mut().enumerate() {
            // Words that are not offsets do not change.
            if index > at && record.name_offset as usize == running {
                let less = u32::try_from(length).unwrap_or_default();
                record.name_offset = record.name_offset.saturating_sub(less);
            }
            running = running.saturating_add(record.name_length as usize);
        }
        let before = self.records.iter().take(at);
        let start: usize = before.map(|record| record.name_length as usize).sum();
        let mut names = self.names.to_vec();
        let end = start.saturating_add(length).min(names.len());
        names.drain(start.min(end)..end);
        self.names = Blob::from(names);
        if at < self.records.len() {
            self.records.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::encode;
    use super::super::pack::{NewFile, pack};
    use super::super::read::decode;
    use super::*;

    fn made(files: &[(&str, &[u8], Option<u32>)]) -> Vec<u8> {
        let files: Vec<NewFile<'_>> = files
            .iter()
            .map(|&(path, bytes, packed)| NewFile {
                path,
                bytes,
                packed,
            })
            .collect();
        pack(&files, &["A/B"]).unwrap()
    }

    const FILES: [(&str, &[u8], Option<u32>); 4] = [
        ("A/ONE.TXT", b"one one one one", Some(1)),
        ("A/TWO.PNG", b"\x89PNG", None),
        ("A/C/DEEP", b"deep deep deep deep deep", Some(9)),
        ("TOP", b"", None),
    ];

    fn index(archive: &Rof<'_>, path: &str) -> usize {
        let mut all = 0..archive.entries.len();
        all.find(|&index| archive.path(index).join("/") == path)
            .unwrap()
    }

    /// The files of an archive that must be whole.
    fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let decoded = decode(bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        let archive = decoded.value;
        assert_eq!(encode(&archive).unwrap(), bytes);
        let all = 0..archive.entries.len();
        let files = all.filter(|&index| !archive.entries[index].is_folder());
        files
            .map(|index| {
                let bytes = archive.entries[index].extract().unwrap();
                assert!(bytes.deviations.is_empty());
                (archive.path(index).join("/"), bytes.value.into_owned())
            })
            .collect()
    }

    #[test]
    fn a_file_of_any_length_is_put_in_and_the_old_one_gives_the_old_archive() {
        let before = made(&FILES);
        for (path, old, _) in FILES {
            for new in [
                &b""[..],
                b"x",
                b"something that is a good deal longer than before",
            ] {
                let mut archive = decode(&before).unwrap().value;
                let place = index(&archive, path);
                archive.replace(place, new).unwrap();
                let after = encode(&archive).unwrap();
                let expected: Vec<(String, Vec<u8>)> = files(&before)
                    .into_iter()
                    .map(|(own, bytes)| match own == path {
                        true => (own, new.to_vec()),
                        false => (own, bytes),
                    })
                    .collect();
                assert_eq!(files(&after), expected, "{path}");
                let mut archive = decode(&after).unwrap().value;
                archive.replace(place, old).unwrap();
                assert_eq!(encode(&archive).unwrap(), before, "{path}: {new:?}");
            }
        }
    }

    #[test]
    fn a_file_that_comes_and_goes_leaves_the_archive_as_it_was() {
        let before = made(&FILES);
        for (path, ..) in FILES {
            let mut archive = decode(&before).unwrap().value;
            let like = index(&archive, path);
            let new = archive.add(like, "NEW.DAT", b"new new new new").unwrap();
            let after = encode(&archive).unwrap();
            let folder = path
                .rsplit_once('/')
                .map(|(folder, _)| format!("{folder}/"));
            let name = format!("{}NEW.DAT", folder.unwrap_or_default());
            let mut expected = files(&before);
            expected.push((name.clone(), b"new new new new".to_vec()));
            expected.sort();
            let mut found = files(&after);
            found.sort();
            assert_eq!(found, expected, "{path}");
            let mut archive = decode(&after).unwrap().value;
            assert_eq!(index(&archive, &name), new);
            assert!(archive.add(like, "new.dat", b"").is_err());
            archive.remove(new).unwrap();
            assert_eq!(encode(&archive).unwrap(), before, "{path}");
        }
    }

    #[test]
    fn files_go_and_the_others_stay() {
        let before = made(&FILES);
        for (path, ..) in FILES {
            let mut archive = decode(&before).unwrap().value;
            archive.remove(index(&archive, path)).unwrap();
            let mut expected = files(&before);
            expected.retain(|(own, _)| own != path);
            assert_eq!(files(&encode(&archive).unwrap()), expected);
        }
    }

    #[test]
    fn what_nothing_leads_to_moves_and_stays() {
        let mut before = made(&FILES);
        before.extend(b"garbage");
        let mut archive = decode(&before).unwrap().value;
        assert_eq!(archive.gaps.len(), 1);
        let place = index(&archive, "A/TWO.PNG");
        archive.replace(place, b"longer than it was").unwrap();
        let after = encode(&archive).unwrap();
        assert!(after.ends_with(b"garbage"));
        assert_eq!(after.len(), before.len() + 14);
        let mut archive = decode(&after).unwrap().value;
        archive.replace(place, b"\x89PNG").unwrap();
        assert_eq!(encode(&archive).unwrap(), before);
    }

    #[test]
    fn damaged_archives_are_edited_whole_or_refused() {
        let bytes = made(&FILES);
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let Ok(decoded) = decode(&changed) else {
                    continue;
                };
                for index in 0..decoded.value.entries.len() {
                    let mut archive = decoded.value.clone();
                    if archive.replace(index, b"other").is_err() {
                        continue;
                    }
                    let after = encode(&archive).unwrap();
                    let again = decode(&after).unwrap().value;
                    assert_eq!(*again.entries[index].extract().unwrap().value, *b"other");
                    for (other, entry) in decoded.value.entries.iter().enumerate() {
                        let Ok(bytes) = entry.extract() else { continue };
                        let Ok(kept) = again.entries[other].extract() else {
                            panic!("{at}: {value}: {other} was lost");
                        };
                        assert!(other == index || kept.value == bytes.value);
                    }
                }
            }
        }
    }
}
