//! Member of a cabinet: position and compression of its bytes.

use std::ops::Range;

use serde::Serialize;

use relicast_limits as limits;

/// Part of the stored bytes of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberPlace {
    /// Index of the volume in [`Container::volumes`](super::Container::volumes).
    pub volume: usize,
    /// First byte in it.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

/// Compression of a member's stored bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Not compressed.
    Stored,
    /// Compressed by InstallShield.
    InstallShield {
        /// True if the cabinet's version shows that the data is in chunks.
        known: bool,
    },
    /// The part of a Microsoft cabinet's folder that starts here.
    Folder {
        /// Index of the folder.
        folder: usize,
        /// First byte among the expanded ones.
        start: u64,
    },
    /// Member of a zip archive, by index.
    Zip(usize),
}

/// A member.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its path in the tree that an installation creates, with `/`.
    pub path: String,
    /// Its path as stored.
    pub stored_path: String,
    /// Its number in the cabinet.
    pub index: usize,
    /// Size in bytes.
    pub size: u64,
    /// Bytes as stored.
    pub packed: u64,
    /// Compression.
    pub method: Method,
    /// The stored bytes are obfuscated.
    pub obfuscated: bool,
    /// Places of the stored bytes; empty where only the decoder knows them.
    pub places: Vec<MemberPlace>,
    /// Number of stored bytes that are missing at the end and follow from the rule of the compression.
    pub cut: u64,
    /// MD5 of the bytes, where the cabinet states it.
    pub md5: Option<[u8; 16]>,
    /// File groups that hold it.
    pub groups: Vec<String>,
    /// Time of its last change by the publisher's clock, `YYYY-MM-DDTHH:MM:SS`.
    pub time: Option<String>,
    /// Reason why it cannot be read.
    pub problem: Option<String>,
}

impl Member {
    /// Name of the compression, for documents.
    pub fn packing(&self) -> &'static str {
        match (self.method, self.obfuscated) {
            (Method::Stored, false) => "stored",
            (Method::Stored, true) => "stored, obfuscated",
            (Method::InstallShield { .. }, false) => "deflate",
            (Method::InstallShield { .. }, true) => "deflate, obfuscated",
            (Method::Folder { .. }, _) => "folder",
            (Method::Zip(_), _) => "zip",
        }
    }
}

/// Converts a DOS time to text; `None` for an empty one.
pub(super) fn dos_time(date: u16, time: u16) -> Option<String> {
    let bits = |word: u16, range: Range<u16>| {
        (word >> range.start) & ((1 << (range.end - range.start)) - 1)
    };
    let (year, month, day) = (1980 + bits(date, 9..16), bits(date, 5..9), bits(date, 0..5));
    let (hour, minute, second) = (bits(time, 11..16), bits(time, 5..11), 2 * bits(time, 0..5));
    let sane = (1..=12).contains(&month) && (1..=31).contains(&day);
    let sane = sane && hour < 24 && minute < 60 && second < 60;
    sane.then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
}

/// Refuses a member that would expand beyond the limit.
pub(super) fn check_ratio(member: &Member) -> Result<(), String> {
    let ratio = limits::current().expansion;
    let most = member.packed.saturating_mul(ratio.into()).max(1 << 20);
    if member.size <= most {
        return Ok(());
    }
    Err(format!(
        "expected at most {ratio} times the stored size (limits.expansion), found {} bytes of {}",
        member.size, member.packed
    ))
}

#[cfg(test)]
mod tests {
    use super::dos_time;

    #[test]
    fn times_are_reported_as_they_are() {
        // Date and time of a LAUNCHER.INI: 0x2304, 0x6CE7.
        assert_eq!(
            dos_time(0x2304, 0x6CE7).as_deref(),
            Some("1997-08-04T13:39:14")
        );
        assert_eq!(dos_time(0, 0), None);
    }
}
