//! Texts as editors save them: UTF-8 with or without a byte order mark, and UTF-16 with one.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

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
    let Some((encoding, mark)) = Encoding::for_bom(bytes) else {
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

/// An encoding, and the byte order mark that a text in it begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    encoding: &'static Encoding,
    is_marked: bool,
}

impl Form {
    /// The form of a text; `None` if the bytes are no text. Letters of an unmarked text that are not UTF-8 are those of
    /// Windows.
    fn of(bytes: &[u8]) -> Option<Self> {
        if let Some((encoding, _)) = Encoding::for_bom(bytes) {
            let is_marked = true;
            return Some(Self {
                encoding,
                is_marked,
            });
        }
        let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F);
        let encoding = match std::str::from_utf8(bytes) {
            _ if bytes.iter().any(is_control) => return None,
            Ok(text) if text.is_ascii() => declared(text).unwrap_or(WINDOWS_1252),
            Ok(_) => UTF_8,
            Err(_) => WINDOWS_1252,
        };
        let is_marked = false;
        Some(Self {
            encoding,
            is_marked,
        })
    }

    /// The bytes of a text.
    fn encode(self, text: &str) -> Vec<u8> {
        let mark = self.is_marked.then_some('\u{FEFF}');
        let text: String = mark.into_iter().chain(text.chars()).collect();
        let units = || text.encode_utf16();
        match self.encoding {
            encoding if encoding == UTF_16LE => units().flat_map(u16::to_le_bytes).collect(),
            encoding if encoding == UTF_16BE => units().flat_map(u16::to_be_bytes).collect(),
            encoding => encoding.encode(&text).0.into_owned(),
        }
    }
}

impl Display for Form {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let name = self.encoding.name();
        match self.is_marked && self.encoding == UTF_8 {
            true => write!(formatter, "{name} with a byte order mark"),
            false => formatter.write_str(name),
        }
    }
}

/// The encoding that an XML text names for letters that it may get.
fn declared(text: &str) -> Option<&'static Encoding> {
    let (declaration, _) = text.strip_prefix("<?xml")?.split_once("?>")?;
    let name = declaration.split_once("encoding=").and_then(|(_, rest)| {
        let quote = rest.chars().next()?;
        rest.split(quote).nth(1)
    });
    name.map_or(Some(UTF_8), |name| Encoding::for_label(name.as_bytes()))
}

/// The bytes of a text that is copied into the game, in the encoding of `original`, and a note about it; `None` if it
/// is stored as it is: it has this encoding, or one of both is no text.
///
/// # Errors
/// The encoding lacks a letter of it.
pub(super) fn like(original: &[u8], edited: &[u8]) -> Result<Option<Content>, Refusal> {
    let (Some(form), Some(saved)) = (Form::of(original), Form::of(edited)) else {
        return Ok(None);
    };
    if form == saved {
        return Ok(None);
    }
    let text = match saved.is_marked {
        true => decoded(edited)?,
        false => match saved.encoding.decode_without_bom_handling(edited).0 {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    };
    let text = std::str::from_utf8(&text)
        .map_err(|_| refusal!("it begins as a text in UTF-8, but is not one"))?;
    let foreign = |letter: &char| form.encoding.encode(letter.encode_utf8(&mut [0; 4])).2;
    if let Some(letter) = text.chars().find(foreign) {
        refuse!("{letter:?} cannot be stored: the game's text is in {form}; use another letter");
    }
    let bytes = form.encode(text);
    let note = format!("saved as {saved}, stored in {form} as before");
    Ok((bytes != edited).then(|| Content::rounded(bytes, Some(note))))
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
    fn copied_texts_keep_the_encoding_of_the_game_in_whichever_they_were_saved() {
        // Letters of Windows in an unmarked text, as old editors save them.
        let old = b"caf\xE9 \x80".to_vec();
        let all = || forms("café €").into_iter().chain([old.clone()]);
        for game in all() {
            for saved in all() {
                let packed = like(&game, &saved).unwrap();
                let stored = packed.map_or(saved.clone(), |packed| packed.bytes);
                assert!(stored == game, "{saved:?} into {game:?}: {stored:?}");
            }
        }
        for saved in forms("Ж") {
            assert!(like(&old, &saved).is_err(), "{saved:?}");
        }
    }

    #[test]
    fn plain_letters_say_nothing_about_the_encoding_but_xml_does() {
        let xml = |encoding: &str| format!("<?xml version=\"1.0\"{encoding}?><a/>").into_bytes();
        let saved = "<a>é</a>".as_bytes();
        let stored = |game: &[u8]| like(game, saved).unwrap().map(|packed| packed.bytes);
        assert_eq!(stored(b"<a/>"), Some(b"<a>\xE9</a>".to_vec()));
        assert_eq!(stored(&xml(" encoding=\"us-ascii\"")), stored(b"<a/>"));
        assert_eq!(stored(&xml(" encoding='utf-8'")), None);
        assert_eq!(stored(&xml("")), None);
        assert_eq!(like(b"<a/>", b"<b/>").unwrap(), None);
        assert_eq!(like(b"\0binary", b"\xFF\xFEa\0").unwrap(), None);
        assert_eq!(like(b"\xE9\x01\x02", "é".as_bytes()).unwrap(), None);
    }
}
