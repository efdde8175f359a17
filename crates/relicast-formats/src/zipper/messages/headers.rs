//! Structures of the PE format that the reader of the resource tree and the writer share.

use relicast_codec::{Bytes, PaddedText};

relicast_codec::record! {
    /// COFF file header, 20 bytes, after the `PE\0\0` signature.
    pub struct FileHeader[20] {
        /// Offset 0: 0x014C is i386.
        machine: u16,
        /// Offset 2.
        sections: u16,
        /// Offset 4: seconds since 1970.
        time: u32,
        /// Offset 8: symbol table, file offset.
        symbols: u32,
        /// Offset 12.
        symbol_count: u32,
        /// Offset 16: 224 with sixteen data directories.
        optional_size: u16,
        /// Offset 18: 0x0002 executable, 0x0100 32-bit, 0x2000 DLL.
        characteristics: u16,
    }
}

relicast_codec::record! {
    /// The part of a 32-bit optional header before the data directories, 96 bytes.
    pub struct OptionalHeader[96] {
        /// Offset 0: 0x010B is PE32.
        magic: u16,
        /// Offset 2: linker version.
        linker: Bytes<2>,
        /// Offset 4: bytes of code.
        code_size: u32,
        /// Offset 8: bytes of initialized data.
        data_size: u32,
        /// Offset 12: bytes of uninitialized data.
        bss_size: u32,
        /// Offset 16: address of the entry point, 0 for none.
        entry_point: u32,
        /// Offset 20.
        code_base: u32,
        /// Offset 24.
        data_base: u32,
        /// Offset 28: preferred address of the image.
        image_base: u32,
        /// Offset 32.
        section_alignment: u32,
        /// Offset 36.
        file_alignment: u32,
        /// Offset 40: major and minor version of the required system.
        system_version: [u16; 2],
        /// Offset 44: major and minor version of the image.
        image_version: [u16; 2],
        /// Offset 48: major and minor version of the required subsystem.
        subsystem_version: [u16; 2],
        /// Offset 52: reserved, 0.
        reserved: u32,
        /// Offset 56: bytes of the image in memory.
        image_size: u32,
        /// Offset 60: bytes before the first section.
        header_size: u32,
        /// Offset 64: 0 is accepted for DLLs.
        checksum: u32,
        /// Offset 68: 2 is the graphical subsystem.
        subsystem: u16,
        /// Offset 70.
        dll_characteristics: u16,
        /// Offset 72: stack and heap, reserved and committed.
        memory: [u32; 4],
        /// Offset 88.
        loader_flags: u32,
        /// Offset 92: number of data directories, 16.
        directory_count: u32,
    }
}

relicast_codec::record! {
    /// Section header, 40 bytes.
    pub struct SectionHeader[40] {
        /// Offset 0.
        name: PaddedText<8>,
        /// Offset 8: bytes in memory.
        virtual_size: u32,
        /// Offset 12: address relative to the image.
        virtual_address: u32,
        /// Offset 16: bytes in the file.
        raw_size: u32,
        /// Offset 20: file offset.
        raw_offset: u32,
        /// Offset 24: relocations and line numbers, unused in images.
        unused: Bytes<12>,
        /// Offset 36.
        flags: u32,
    }
}

relicast_codec::record! {
    /// Head of a resource directory, 16 bytes; its entries follow.
    pub struct ResourceDirectory[16] {
        /// Offset 0.
        characteristics: u32,
        /// Offset 4: seconds since 1970.
        time: u32,
        /// Offset 8: major and minor version.
        version: [u16; 2],
        /// Offset 12: entries with a text for a name, which come first.
        named: u16,
        /// Offset 14: entries with a number for a name.
        numbered: u16,
    }
}

relicast_codec::record! {
    /// Entry of a resource directory, 8 bytes. Offsets count from the start of the resources.
    pub struct ResourceEntry[8] {
        /// Offset 0: number, or with bit 31 the offset of a text.
        name: u32,
        /// Offset 4: offset of a data entry, or with bit 31 of a directory.
        target: u32,
    }
}

impl ResourceEntry {
    /// The bit that marks texts and directories.
    pub const MARK: u32 = 0x8000_0000;
}

relicast_codec::record! {
    /// Data entry of a resource, 16 bytes.
    pub struct ResourceData[16] {
        /// Offset 0: address relative to the image, not to the resources.
        address: u32,
        /// Offset 4: bytes.
        size: u32,
        /// Offset 8: 0 in message tables, 1252 in Crimson Skies.
        code_page: u32,
        /// Offset 12.
        reserved: u32 [always 0],
    }
}
