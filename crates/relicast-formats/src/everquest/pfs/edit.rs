//! Adding members to an archive and removing them.

use flate2::Compression;

use super::archive::{Archive, DIRECTORY_CRC, Entry, data_order};
use super::directory::encode_names;
use super::name::name_crc;
use super::pack::entry;
use crate::everquest::plain;
use relicast_codec::{FormatError, Result};

impl Archive<'_> {
    /// Adds a member after the others, with its row sorted by the hash of its name.
    ///
    /// # Errors
    /// A name that Windows-1252 cannot encode, or whose hash another member has; 4 GiB or more; an archive without
    /// names.
    pub fn add(&mut self, name: &str, data: &[u8]) -> Result<()> {
        let name = &*name.to_lowercase();
        let bytes = plain::text_bytes(name)
            .filter(|bytes| !bytes.is_empty() && !bytes.contains(&0))
            .ok_or_else(|| {
                let expected = "a name in Windows-1252";
                FormatError::unencodable("name", 0, expected, name)
            })?;
        let crc = name_crc(&bytes);
        if let Some(other) = self.entries.iter().find(|other| other.row.name_crc == crc) {
            let expected = "a unique hash for each name";
            let found = format_args!("{name} and {}", other.label());
            return Err(FormatError::unencodable("name_crc", 0, expected, found));
        }
        let mut position = 0;
        let mut new = entry(crc, data, &mut position, Compression::best())?;
        new.name = Some(name.to_owned());
        // After all blocks of members; the blocks of the directory come last, as in retail archives.
        let last = self.entries.iter().map(|entry| entry.row.offset).max();
        new.row.offset = last.unwrap_or(0).saturating_add(1);
        if let Some(directory) = &mut self.directory {
            let behind = new.row.offset.saturating_add(1);
            directory.entry.row.offset = directory.entry.row.offset.max(behind);
            if crc < DIRECTORY_CRC {
                directory.place = directory.place.saturating_add(1);
            }
        }
        let place = self
            .entries
            .partition_point(|entry| entry.row.name_crc < crc);
        self.entries.insert(place, new);
        self.name_all()
    }

    /// Removes a member.
    ///
    /// # Errors
    /// There is none with this index, or the archive has no names.
    pub fn remove(&mut self, index: usize) -> Result<()> {
        if index >= self.entries.len() {
            let expected = format_args!("less than {}", self.entries.len());
            return Err(FormatError::unencodable("index", 0, expected, index));
        }
        self.entries.remove(index);
        if let Some(directory) = &mut self.directory
            && index < directory.place
        {
            directory.place -= 1;
        }
        self.name_all()
    }

    /// Writes the names of the members again, in the order of their blocks.
    fn name_all(&mut self) -> Result<()> {
        let all: Vec<&Entry<'_>> = self.entries.iter().collect();
        let mut names = Vec::with_capacity(all.len());
        for index in data_order(&all) {
            let name = all.get(index).and_then(|entry| entry.name.as_deref());
            let bytes = name.and_then(plain::text_bytes);
            names.push(bytes.ok_or_else(|| {
                FormatError::unencodable("name", 0, "a name for every member", "one without")
            })?);
        }
        let listing = encode_names(&names)?;
        match &mut self.directory {
            Some(directory) => directory.entry.replace(&listing),
            None => Err(FormatError::unencodable(
                "directory",
                0,
                "names of members",
                "none",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{decode, encode, pack};

    #[test]
    fn what_is_added_and_taken_out_again_leaves_the_archive_as_it_was() {
        let members: [(&str, &[u8]); 3] =
            [("b.txt", b"bee"), ("a.bmp", &[7; 9000]), ("c.wav", b"")];
        let before = encode(&pack(&members, None, 6).unwrap()).unwrap();
        let mut archive = decode(&before).unwrap().value;
        archive.add("new.txt", b"new").unwrap();
        assert!(archive.add("NEW.TXT", b"again").is_err());
        let after = encode(&archive).unwrap();
        let mut read = decode(&after).unwrap();
        assert!(read.deviations.is_empty(), "{:?}", read.deviations);
        let new = read
            .value
            .member("new.txt")
            .unwrap()
            .extract()
            .unwrap()
            .value;
        assert_eq!(new, b"new");
        for (name, bytes) in members {
            let member = read.value.member(name).unwrap();
            assert_eq!(member.extract().unwrap().value, bytes, "{name}");
        }
        for gone in ["new.txt", "a.bmp"] {
            let index = read
                .value
                .entries
                .iter()
                .position(|entry| entry.label() == gone);
            read.value.remove(index.unwrap()).unwrap();
        }
        let less = encode(&read.value).unwrap();
        let less = decode(&less).unwrap();
        assert!(less.deviations.is_empty(), "{:?}", less.deviations);
        let names: Vec<_> = less
            .value
            .entries
            .iter()
            .map(|entry| entry.label())
            .collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(less.value.member("a.bmp").is_none() && less.value.member("b.txt").is_some());
    }
}
