//! Detection of archives and disc images that other programs unpack.
//!
//! ```
//! use relicast_formats::packed_elsewhere::detect;
//!
//! assert_eq!(detect(b"MComprHD....").map(|format| format.name), Some("a CHD disc image"));
//! assert!(detect(b"PFS ").is_none());
//! ```

use std::path::Path;

/// Number of bytes at the start of a file that are enough to detect it.
pub const HEAD: u64 = 16;

/// A format that another program must unpack before relicast can read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedFormat {
    /// Its name, with an article.
    pub name: &'static str,
    magic: &'static [u8],
    is_disc: bool,
}

const FORMATS: &[PackedFormat] = &[
    PackedFormat {
        name: "a CHD disc image",
        magic: b"MComprHD",
        is_disc: true,
    },
    PackedFormat {
        name: "a 7z archive",
        magic: b"7z\xBC\xAF\x27\x1C",
        is_disc: false,
    },
    PackedFormat {
        name: "a RAR archive",
        magic: b"Rar!\x1A\x07",
        is_disc: false,
    },
];

/// Returns the format of a file that starts with `head`, if another program unpacks it.
pub fn detect(head: &[u8]) -> Option<&'static PackedFormat> {
    let mut formats = FORMATS.iter();
    formats.find(|format| head.starts_with(format.magic))
}

impl PackedFormat {
    /// Advice to the user about unpacking the file at `path`.
    pub fn advice(&self, path: &Path) -> String {
        let file = path.display();
        if self.is_disc {
            let name = path.with_extension("cue");
            let name = name.file_name().unwrap_or_default().to_string_lossy();
            format!("run `chdman extractcd -i {file} -o {name}` and convert {name}")
        } else {
            "unpack it and convert the folder".to_owned()
        }
    }
}
