//! Texts as editors save them: UTF-8 with or without a byte order mark, and UTF-16 with one.

use std::borrow::Cow;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::edited::{Content, Refusal};

/// Byte order mark of UTF-32, which begins like that of UTF-16.
const UTF_32_MARK: [u8; 4] = [0xFF, 0xFE, 0, 0];

/// An edited text in UTF-8, without a byte order mark.
///
/// # Errors
/// Its mark is of UTF-16, and the rest is not; or it is of UTF-32.
pub(super) fn decoded(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Refusal> {
    if bytes.starts_with(&UTF_32_MARK) {
        refuse!("it is a text in UTF-32; save it as UTF-8");
    }
    let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) else {
        return Ok(Cow::Borrowed(bytes));
    };
    let text = bytes.get(mark..).unwrap_or_default();
    if encoding == UTF_8 {
        return Ok(Cow::Borrowed(text));
    }
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(text);
    match decoded {
        Some(decoded) => Ok(Cow::Owned(decoded.into_owned().into_bytes())),
        None => Err(refusal!(
            "it begins as a text in {}, but is not one; save it as UTF-8",
            encoding.name()
        )),
    }
}

/// The bytes of the output at `path`: documents become UTF-8.
///
/// # Errors
/// The text is in another encoding.
pub(super) fn read(path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    if !is_document(path) {
        return Ok(bytes);
    }
    let decoded = match decoded(&bytes)? {
        Cow::Borrowed(text) if text.len() == bytes.len() => None,
        text => Some(text.into_owned()),
    };
    Ok(decoded.unwrap_or(bytes))
}

/// True if an output is a text that is read as UTF-8: a document, or the JSON of a scene.
pub(super) fn is_document(path: &str) -> bool {
    path.ends_with(".json") || path.ends_with(".gltf")
}

/// The bytes of a text that is copied into the game, in the encoding of `original`, and a note about it; `None` if it
/// is stored as it is: only an editor that wrote a byte order mark has changed the encoding.
///
/// # Errors
/// The encoding lacks a letter of it.
pub(super) fn like(original: &[u8], edited: &[u8]) -> Result<Option<Content>, Refusal> {
    let is_marked = |bytes: &[u8]| encoding_rs::Encoding::for_bom(bytes).is_some();
    if !is_marked(edited) || is_marked(original) || original.contains(&0) {
        return Ok(None);
    }
    let text = decoded(edited)?;
    let encoding = match std::str::from_utf8(original) {
        Ok(original) if !original.is_ascii() => UTF_8,
        _ => WINDOWS_1252,
    };
    let text = std::str::from_utf8(&text)
        .map_err(|_| refusal!("it begins as a text in UTF-8, but is not one"))?;
    let foreign = |letter: &char| encoding.encode(letter.encode_utf8(&mut [0; 4])).2;
    if let Some(letter) = text.chars().find(foreign) {
        refuse!(
            "{letter:?} cannot be stored: the game's text is in {}",
            encoding.name()
        );
    }
    let saved = encoding_rs::Encoding::for_bom(edited).map_or(UTF_8, |(encoding, _)| encoding);
    let saved = match saved == UTF_16LE || saved == UTF_16BE {
        true => "UTF-16",
        false => "UTF-8 with a byte order mark",
    };
    let note = format!("saved as {saved}, stored in {} as before", encoding.name());
    let bytes = encoding.encode(text).0.into_owned();
    Ok(Some(Content::rounded(bytes, Some(note))))
}

#[cfg(test)]
mod tests {
    use super::{decoded, like};

    /// A text in each form that editors save.
    fn forms(text: &str) -> [Vec<u8>; 4] {
        let units = || std::iter::once(0xFEFF).chain(text.encode_utf16());
        [
            text.as_bytes().to_vec(),
            ["\u{FEFF}", text].concat().into_bytes(),
            units().flat_map(u16::to_le_bytes).collect(),
            units().flat_map(u16::to_be_bytes).collect(),
        ]
    }

    #[test]
    fn every_form_gives_the_same_text() {
        for form in forms("{\"a\": \"ä€𝄞\"}\r\n") {
            assert_eq!(
                *decoded(&form).unwrap(),
                *b"{\"a\": \"\xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E\"}\r\n"
            );
        }
        assert_eq!(*decoded(b"").unwrap(), *b"");
    }

    #[test]
    fn half_letters_and_utf_32_are_refused() {
        for bytes in [
            &b"\xFF\xFEa"[..],
            b"\xFE\xFF\xD8\x00\x00a",
            b"\xFF\xFE\0\0a\0\0\0",
        ] {
            assert!(decoded(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn copied_texts_keep_the_encoding_of_the_game() {
        let original = b"caf\xE9 \x80";
        for form in &forms("café €!")[1..] {
            assert_eq!(
                like(original, form).unwrap().unwrap().bytes,
                b"caf\xE9 \x80!"
            );
            assert_eq!(
                like("é".as_bytes(), form).unwrap().unwrap().bytes,
                "café €!".as_bytes()
            );
        }
        assert_eq!(like(original, b"caf\xE9").unwrap(), None);
        assert_eq!(like(b"\0binary", b"\xFF\xFEa\0").unwrap(), None);
        assert!(like(original, &forms("Ж")[2]).is_err());
    }
}
