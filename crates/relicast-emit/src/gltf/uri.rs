//! References from a glTF file to neighboring files.

use std::fmt::Write;

/// Percent-encodes a path with `/` as separator: reserved characters become `%XX`, byte by
/// byte of their UTF-8.
pub fn encode_path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// Decodes percent-encoded text; `None` when an escape is incomplete, or the bytes are not UTF-8.
pub fn decode_uri(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The relative path from the folder of one file to another file. Both paths are relative to the same folder
/// and use `/`.
pub fn relative_path(from_file: &str, to_file: &str) -> String {
    let from: Vec<&str> = from_file.split('/').collect();
    let to: Vec<&str> = to_file.split('/').collect();
    let folders = from.len() - 1;
    let shared = (from.iter().take(folders).zip(to.iter().take(to.len() - 1)))
        .take_while(|(one, other)| one == other)
        .count();
    let up = std::iter::repeat_n("..", folders - shared);
    up.chain(to.into_iter().skip(shared))
        .collect::<Vec<&str>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded_part_by_part() {
        assert_eq!(encode_path("a b/ü#1%.png"), "a%20b/%C3%BC%231%25.png");
    }

    #[test]
    fn encoded_texts_are_decoded() {
        assert_eq!(decode_uri("a%20b%2Fc").as_deref(), Some("a b/c"));
        assert_eq!(decode_uri("%C3%BC").as_deref(), Some("ü"));
        for wrong in ["%", "%2", "%zz", "%FF", "%+1"] {
            assert_eq!(decode_uri(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ways_between_files() {
        assert_eq!(
            relative_path("worlds/c1/c1.gltf", "worlds/c1/c1.bin"),
            "c1.bin"
        );
        assert_eq!(
            relative_path("worlds/c1/c1.gltf", "textures/a/b.png"),
            "../../textures/a/b.png"
        );
        assert_eq!(relative_path("c1.gltf", "textures/b.png"), "textures/b.png");
        assert_eq!(relative_path("a/b", "a"), "../a");
    }
}
