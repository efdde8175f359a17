//! Names of file formats: media types, and PRONOM's identifiers if one fits every version.
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
    ("ogv", "video/ogg", Some("fmt/945")),
    ("png", "image/png", None),
    ("ttf", "font/ttf", Some("x-fmt/453")),
    ("txt", "text/plain", Some("x-fmt/111")),
    ("wav", "audio/vnd.wave", Some("fmt/6")),
    ("webm", "video/webm", Some("fmt/573")),
    ("xml", "application/xml", Some("fmt/101")),
];

/// Registered identifiers of source kinds: kind as in reports, media type, PRONOM identifier.
const KINDS: &[(&str, &str, Option<&str>)] = &[
    ("AVI video", "video/x-msvideo", Some("fmt/5")),
    ("DDS picture", "image/vnd-ms.dds", Some("fmt/1040")),
    ("MPEG video", "video/mpeg", None),
    ("bitmap", "image/bmp", None),
    ("sound", "audio/vnd.wave", Some("fmt/6")),
];

/// The same for sources whose kind is ambiguous: kind and extension.
const NAMED: &[(&str, &str, &str, Option<&str>)] = &[
    ("cabinet", "zip", "application/zip", Some("x-fmt/263")),
    (
        "disc image",
        "iso",
        "application/x-iso9660-image",
        Some("fmt/468"),
    ),
    ("music", "mid", "audio/midi", Some("x-fmt/230")),
    ("music", "mp3", "audio/mpeg", Some("fmt/134")),
    ("music", "ogg", "audio/ogg", None),
    ("other known file", "ttf", "font/ttf", Some("x-fmt/453")),
    ("other known file", "txt", "text/plain", Some("x-fmt/111")),
];

/// Media type and PRONOM identifier of a source of this kind, as named in reports. Formats of these games alone have
/// none.
pub fn of_source(kind: &str, path: &str) -> Option<(&'static str, Option<&'static str>)> {
    if let Some((_, media_type, pronom)) = KINDS.iter().find(|(known, ..)| *known == kind) {
        return Some((media_type, *pronom));
    }
    let (_, extension) = path.rsplit_once('.')?;
    let mut rows = NAMED.iter();
    let row = rows.find(|row| row.0 == kind && extension.eq_ignore_ascii_case(row.1))?;
    Some((row.2, row.3))
}

/// The row of a file's extension.
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

/// True if the file's format is compressed.
pub(super) fn is_packed(path: &str) -> bool {
    let packed = ["png", "flac", "mp3", "mp4", "mkv", "webm", "ogg", "ogv"];
    row(path).is_some_and(|row| packed.contains(&row.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_detected_by_kind_and_extension() {
        use relicast_formats::registry::Kind;

        assert_eq!(
            of_source("sound", "a.b"),
            Some(("audio/vnd.wave", Some("fmt/6")))
        );
        assert_eq!(of_source("disc image", "a.cue"), None);
        assert_eq!(of_source("disc image", "a.ISO").unwrap().1, Some("fmt/468"));
        assert_eq!(of_source("archive", "a.zbd"), None);
        let named = NAMED.iter().map(|row| row.0);
        for label in KINDS.iter().map(|row| row.0).chain(named) {
            assert!(
                Kind::ALL.iter().any(|kind| kind.label() == label),
                "{label}"
            );
        }
    }

    #[test]
    fn files_are_detected_by_their_extension() {
        assert_eq!(media_type("a.b/c.PNG"), "image/png");
        assert_eq!(media_type("a.json/c"), "application/octet-stream");
        assert_eq!(pronom("x.flac"), Some("fmt/279"));
        assert!(is_packed("x.flac") && !is_packed("x.wav"));
    }
}
