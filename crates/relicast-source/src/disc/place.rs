//! Positions on a disc: of a file, of a byte.

/// Number of a file on a disc, in all its data tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub usize);

/// Position of a byte of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BytePlace {
    /// Index of the track.
    pub track: usize,
    /// Index of the file of the image.
    pub file: usize,
    /// Number of the sector on the disc.
    pub sector: u64,
    /// Offset in the file.
    pub offset: u64,
    /// Bytes of a sector in the file.
    pub sector_bytes: u64,
    /// Number of these bytes that are data.
    pub data_bytes: u64,
}
