//! Names of file formats: media types, and PRONOM's identifiers where there is one that fits every version.
//!
//! ```
//! use relicast::package::media;
//!
//! assert_eq!(media::media_type("sounds/a.flac"), "audio/flac");
//! assert_eq!(media::pronom("sounds/a.flac"), Some("fmt/279"));
//! ```

/// Extension, media type and PRONOM identifier.
const TYPES: &[(&str, &str, Option<&str>)] = &[
    ("bin", "application/gltf-buffer", None),
    ("flac", "audio/flac", Some("fmt/279")),
    ("glb", "model/gltf-binary", None),
    ("gltf", "model/gltf+json", None),
    ("json", "application/json", Some("fmt/817")),
    ("mid", "audio/midi", Some("x-fmt/230")),
    ("mkv", "video/matroska", Some("fmt/569")),
    ("mp3", "audio/mpeg", Some("fmt/134")),
    ("mp4", "video/mp4", Some("fmt/199")),
    ("ogg", "audio/ogg", None),
    ("ogv", "video/ogg", None),
    ("png", "image/png", None),
    ("ttf", "font/ttf", None),
    ("txt", "text/plain", Some("x-fmt/111")),
    ("wav", "audio/vnd.wave", Some("fmt/6")),
    ("webm", "video/webm", Some("fmt/573")),
    ("xml", "application/xml", Some("fmt/101")),
];

/// What is known of a file by its extension.
fn row(path: &str) -> Option<&'static (&'static str, &'static str, Option<&'static str>)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    let mut rows = TYPES.iter();
    rows.find(|(known, ..)| extension.eq_ignore_ascii_case(known))
}

/// The media type of a file.
pub fn media_type(path: &str) -> &'static str {
    row(path).map_or("application/octet-stream", |row| row.1)
}

/// The PRONOM identifier of a file.
pub fn pronom(path: &str) -> Option<&'static str> {
    row(path)?.2
}

/// Whether a file is of a format that packs its bytes itself.
pub(super) fn is_packed(path: &str) -> bool {
    let packed = ["png", "flac", "mp3", "mp4", "mkv", "webm", "ogg", "ogv"];
    row(path).is_some_and(|row| packed.contains(&row.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_extension() {
        assert_eq!(media_type("a.b/c.PNG"), "image/png");
        assert_eq!(media_type("a.json/c"), "application/octet-stream");
        assert_eq!(pronom("x.flac"), Some("fmt/279"));
        assert!(is_packed("x.flac") && !is_packed("x.wav"));
    }
}
