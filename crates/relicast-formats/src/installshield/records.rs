//! Structures of a cabinet, as stored. Offsets of texts and lists count from the descriptor, offsets
//! in file descriptors from the file table. "Text" below is the offset of a text.
//!
//! ```
//! use relicast_codec::FixedSize;
//! use relicast_formats::installshield::records::{FileDescriptor5, FileDescriptor6, SLOTS, slot_of};
//!
//! assert_eq!((FileDescriptor5::SIZE, FileDescriptor6::SIZE), (42, 87));
//! assert!(slot_of(b"Program Files") < SLOTS);
//! ```

use serde::{Serialize, Serializer};

use relicast_codec::record;
use relicast_codec::{Bytes, FixedSize};

/// Number of slots of the hash tables.
pub const SLOTS: usize = 71;

/// The slot of a name: the sum of its bytes modulo [`SLOTS`].
pub fn slot_of(name: &[u8]) -> usize {
    name.iter().map(|byte| usize::from(*byte)).sum::<usize>() % SLOTS
}

/// Heads of the lists of a hash table; 0 where a list is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slots(pub [u32; SLOTS]);

impl Default for Slots {
    fn default() -> Self {
        Self([0; SLOTS])
    }
}

relicast_codec::json_form_of!(Slots => Vec<u32>);

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl FixedSize for Slots {
    const SIZE: usize = 4 * SLOTS;

    fn load(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.get(..Self::SIZE)?.as_chunks::<4>();
        let mut slots = Self::default();
        for (slot, word) in slots.0.iter_mut().zip(words) {
            *slot = u32::from_le_bytes(*word);
        }
        Some(slots)
    }

    fn store(self, out: &mut Vec<u8>) {
        for slot in self.0 {
            slot.store(out);
        }
    }
}

record! {
    /// The first bytes of every volume and header file.
    pub struct CommonHeader[20]: FixedSize {
        /// Offset 0: `ISc(`.
        signature: Bytes<4>,
        /// Offset 4: version.
        version: u32,
        /// Offset 8: position in the set (0 alone, 2 first, 3 middle, 1 last); bit 5: the data is in separate files.
        link: u8,
        /// Offset 9: zeros.
        unk09: Bytes<3>,
        /// Offset 12: start of the descriptor.
        descriptor_offset: u32,
        /// Offset 16: its size; 0 in volumes without one.
        descriptor_size: u32,
    }
}

record! {
    /// Volume header of version 5.
    pub struct VolumeHeader5[40]: FixedSize {
        /// Offset 0: start of file data; in a header file its size.
        data_offset: u32,
        /// Offset 4: zero.
        unk04: u32,
        /// Offset 8: index of the first file here.
        first_file: u32,
        /// Offset 12: index of the last file here.
        last_file: u32,
        /// Offset 16: start of the rest of the first file.
        first_offset: u32,
        /// Offset 20: expanded size of that file.
        first_expanded: u32,
        /// Offset 24: number of its bytes here.
        first_here: u32,
        /// Offset 28: start of the last file.
        last_offset: u32,
        /// Offset 32: expanded size of that file.
        last_expanded: u32,
        /// Offset 36: number of its bytes here.
        last_here: u32,
    }
}

record! {
    /// Volume header of version 6 and later; fields as in version 5.
    pub struct VolumeHeader6[64]: FixedSize {
        /// Offset 0: start of file data; in a header file its size.
        data_offset: u64,
        /// Offset 8: index of the first file here.
        first_file: u32,
        /// Offset 12: index of the last file here.
        last_file: u32,
        /// Offset 16: start of the rest of the first file.
        first_offset: u64,
        /// Offset 24: expanded size of that file.
        first_expanded: u64,
        /// Offset 32: number of its bytes here.
        first_here: u64,
        /// Offset 40: start of the last file.
        last_offset: u64,
        /// Offset 48: expanded size of that file.
        last_expanded: u64,
        /// Offset 56: number of its bytes here.
        last_here: u64,
    }
}

record! {
    /// Cabinet descriptor.
    pub struct Descriptor[638]: FixedSize {
        /// Offset 0x00: start of the texts.
        strings: u32,
        /// Offset 0x04: zero.
        unk04: u32,
        /// Offset 0x08: first component descriptor.
        first_component: u32,
        /// Offset 0x0C: file table.
        table: u32,
        /// Offset 0x10: zero.
        unk10: u32,
        /// Offset 0x14: size of the file table.
        table_size: u32,
        /// Offset 0x18: the same again.
        table_size_again: u32,
        /// Offset 0x1C: number of folders; in version 6 and later its low half only.
        folder_count: u32,
        /// Offset 0x20: zero.
        unk20: u32,
        /// Offset 0x24: size of the list of folders, in some versions.
        folders_size: u32,
        /// Offset 0x28: number of files, including placeholders.
        file_count: u32,
        /// Offset 0x2C: from the table: offsets of the files (version 5), or the first file descriptor.
        files: u32,
        /// Offset 0x30: number of languages.
        language_count: u16,
        /// Offset 0x32: language identifiers of Windows.
        languages: u32,
        /// Offset 0x36: zero or stale.
        unk36: [u32; 2],
        /// Offset 0x3E: lists of file groups.
        group_slots: Slots,
        /// Offset 0x15A: lists of components.
        component_slots: Slots,
        /// Offset 0x276: setup types.
        setup_types: u32,
        /// Offset 0x27A: variables.
        variables: u32,
    }
}

record! {
    /// Entry of a list of a hash table.
    pub struct ListEntry[12]: FixedSize {
        /// Offset 0: text.
        name: u32,
        /// Offset 4: descriptor with this name.
        descriptor: u32,
        /// Offset 8: next entry; 0 at the end.
        next: u32,
    }
}

record! {
    /// File descriptor of version 5; sixteen bytes of MD5 follow in some sets.
    pub struct FileDescriptor5[42]: FixedSize {
        /// Offset 0: text; random in placeholders.
        name: u32,
        /// Offset 4: folder.
        folder: u32,
        /// Offset 8: flags.
        flags: u16,
        /// Offset 10: expanded size.
        size: u32,
        /// Offset 14: stored size.
        packed: u32,
        /// Offset 18: Windows file attributes.
        attributes: u32,
        /// Offset 22: DOS date in the low half.
        date: u32,
        /// Offset 26: DOS time in the low half.
        time: u32,
        /// Offset 30: version of a program file.
        version: [u32; 2],
        /// Offset 38: start of the data in the volume.
        offset: u32,
    }
}

record! {
    /// File descriptor of version 6 and later.
    pub struct FileDescriptor6[87]: FixedSize {
        /// Offset 0: flags.
        flags: u16,
        /// Offset 2: expanded size.
        size: u64,
        /// Offset 10: stored size.
        packed: u64,
        /// Offset 18: start of the data in the volume; 0 when it is in a separate file.
        offset: u64,
        /// Offset 26: MD5 of the expanded bytes.
        md5: Bytes<16>,
        /// Offset 42: version of a program file.
        version: [u32; 2],
        /// Offset 50: zeros.
        unk50: [u32; 2],
        /// Offset 58: text.
        name: u32,
        /// Offset 62: folder.
        folder: u16,
        /// Offset 64: Windows file attributes.
        attributes: u32,
        /// Offset 68: DOS date.
        date: u16,
        /// Offset 70: DOS time.
        time: u16,
        /// Offset 72: 1 or 2.
        unk72: u32,
        /// Offset 76: index of the previous file with the same data.
        previous: u32,
        /// Offset 80: index of the next such file.
        next: u32,
        /// Offset 84: bit 0: `previous` is valid; bit 1: `next` is valid.
        link: u8,
        /// Offset 85: volume, from 1.
        volume: u16,
    }
}

record! {
    /// File group of version 5.
    pub struct Group5[93]: FixedSize {
        /// Offset 0: text.
        name: u32,
        /// Offset 4: expanded size.
        expanded: u32,
        /// Offset 8: stored size.
        packed: u32,
        /// Offset 12: 4 in all known groups.
        unk12: u16,
        /// Offset 14: 10 in all known groups.
        unk14: u16,
        /// Offset 16: 1: shared files.
        shared: u32,
        /// Offset 20: 1: they register themselves.
        self_registering: u32,
        /// Offset 24: 1: they may be in use.
        possibly_locked: u32,
        /// Offset 28: 1: compressed.
        compressed: u32,
        /// Offset 32: text with a mask of systems.
        systems: u32,
        /// Offset 36: text with a language.
        language: u32,
        /// Offset 40: text.
        unk40: u32,
        /// Offset 44: text, a folder for HTTP.
        http: u32,
        /// Offset 48: text, a folder for FTP.
        ftp: u32,
        /// Offset 52: text.
        misc: u32,
        /// Offset 56: zeros.
        unk56: Bytes<20>,
        /// Offset 76: index of its first file.
        first: u32,
        /// Offset 80: index of its last file.
        last: u32,
        /// Offset 84: first volume, from 1.
        first_volume: u16,
        /// Offset 86: last volume.
        last_volume: u16,
        /// Offset 88: text.
        unk88: u32,
        /// Offset 92: zero.
        unk92: u8,
    }
}

record! {
    /// File group of version 6 and later.
    pub struct Group6[82]: FixedSize {
        /// Offset 0: text.
        name: u32,
        /// Offset 4: expanded size.
        expanded: u64,
        /// Offset 12: stored size.
        packed: u64,
        /// Offset 20: attributes.
        attributes: u16,
        /// Offset 22: index of its first file.
        first: u32,
        /// Offset 26: index of its last file.
        last: u32,
        /// Offset 30: text.
        unk30: u32,
        /// Offset 34: text with a mask of systems.
        systems: u32,
        /// Offset 38: text with a language.
        language: u32,
        /// Offset 42: text.
        unk42: u32,
        /// Offset 46: text, a folder for HTTP.
        http: u32,
        /// Offset 50: text, a folder for FTP.
        ftp: u32,
        /// Offset 54: text.
        misc: u32,
        /// Offset 58: text, the target folder.
        target: u32,
        /// Offset 62: overwrite mode.
        overwrite: u32,
        /// Offset 66: unknown.
        unk66: [u32; 4],
    }
}

record! {
    /// Component of version 5.
    pub struct Component5[140]: FixedSize {
        /// Offset 0x00: text, after the components above and backslashes.
        name: u32,
        /// Offset 0x04: zero.
        unk04: u32,
        /// Offset 0x08: unknown.
        unk08: [u16; 2],
        /// Offset 0x0C: text.
        description: u32,
        /// Offset 0x10: text.
        status_text: u32,
        /// Offset 0x14: ones.
        unk14: [u32; 2],
        /// Offset 0x1C: text, the target folder.
        target: u32,
        /// Offset 0x20: 4.
        unk20: u32,
        /// Offset 0x24: text.
        password: u32,
        /// Offset 0x28: 1, 1, 1, 0.
        unk28: [u32; 4],
        /// Offset 0x38: text.
        misc: u32,
        /// Offset 0x3C: zeros.
        unk3c: [u32; 3],
        /// Offset 0x48: text.
        display_name: u32,
        /// Offset 0x4C: text.
        cdrom_folder: u32,
        /// Offset 0x50: text.
        http: u32,
        /// Offset 0x54: text.
        ftp: u32,
        /// Offset 0x58: zeros.
        unk58: Bytes<24>,
        /// Offset 0x70: number of groups.
        group_count: u16,
        /// Offset 0x72: their names.
        groups: u32,
        /// Offset 0x76: number of components that this one depends on.
        depends_count: u16,
        /// Offset 0x78: their names.
        depends: u32,
        /// Offset 0x7C: number of components below this one.
        below_count: u16,
        /// Offset 0x7E: their names.
        below: u32,
        /// Offset 0x82: a count of unknown items.
        unk82: u16,
        /// Offset 0x84: offset of these items.
        unk84: u32,
        /// Offset 0x88: next component; 0 at the end.
        next: u32,
    }
}

record! {
    /// Component of version 6 and later.
    pub struct Component6[149]: FixedSize {
        /// Offset 0x00: text, after the components above and backslashes.
        name: u32,
        /// Offset 0x04: text.
        description: u32,
        /// Offset 0x08: text.
        status_text: u32,
        /// Offset 0x0C: 1 critical, 2 recommended, 4 standard.
        status: u16,
        /// Offset 0x0E: text.
        password: u32,
        /// Offset 0x12: text.
        misc: u32,
        /// Offset 0x16: its number.
        index: u16,
        /// Offset 0x18: text.
        display_name: u32,
        /// Offset 0x1C: text.
        cdrom_folder: u32,
        /// Offset 0x20: text.
        http: u32,
        /// Offset 0x24: text.
        ftp: u32,
        /// Offset 0x28: two GUIDs.
        guids: Bytes<32>,
        /// Offset 0x48: text.
        unk48: u32,
        /// Offset 0x4C: unknown.
        unk4c: Bytes<3>,
        /// Offset 0x4F: attributes.
        attributes: u32,
        /// Offset 0x53: unknown.
        unk53: [u32; 7],
        /// Offset 0x6F: number of groups.
        group_count: u16,
        /// Offset 0x71: their names.
        groups: u32,
        /// Offset 0x75: number of components that this one depends on.
        depends_count: u16,
        /// Offset 0x77: their names.
        depends: u32,
        /// Offset 0x7B: number of components below this one.
        below_count: u16,
        /// Offset 0x7D: their names.
        below: u32,
        /// Offset 0x81: next component; 0 at the end.
        next: u32,
        /// Offset 0x85: texts to run on installing, installed, uninstalling, uninstalled.
        events: [u32; 4],
    }
}

record! {
    /// Setup type.
    pub struct SetupType[20]: FixedSize {
        /// Offset 0: text.
        name: u32,
        /// Offset 4: text.
        description: u32,
        /// Offset 8: text.
        display_name: u32,
        /// Offset 12: number of components.
        component_count: u32,
        /// Offset 16: their names.
        components: u32,
    }
}

record! {
    /// Variable of the setup script.
    pub struct Variable[12]: FixedSize {
        /// Offset 0: text.
        name: u32,
        /// Offset 4: 4 for the system, 3 for the script.
        kind: u32,
        /// Offset 8: text.
        value: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::slot_of;

    #[test]
    fn slots_are_those_of_real_sets() {
        for (name, slot) in [
            ("Program Executable Files", 45),
            ("Program Files", 52),
            ("<WINDIR>", 15),
            ("Comp\\0009I32", 14),
        ] {
            assert_eq!(slot_of(name.as_bytes()), slot, "{name}");
        }
    }
}
