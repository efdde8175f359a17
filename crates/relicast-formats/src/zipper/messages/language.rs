//! Languages of the platform and the code pages of their texts.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// Western European, used where a language is unknown.
pub(super) const WESTERN: u16 = 1252;

/// ANSI code page of a language identifier; `None` for languages not listed here.
///
/// English, German and French were seen in editions of the games, the rest follows the platform.
pub fn code_page(language_id: u16) -> Option<u16> {
    let primary = language_id & 0x03FF;
    let variant = language_id >> 10;
    Some(match (primary, variant) {
        // Chinese: Taiwan, Hong Kong and Macao use traditional characters.
        (0x04, 1 | 3 | 5) => 950,
        (0x04, _) => 936,
        // Serbian in Cyrillic shares its language with Croatian.
        (0x1A, 3) => 1251,
        (0x11, _) => 932,
        (0x12, _) => 949,
        (0x1E, _) => 874,
        // Bulgarian, Russian, Ukrainian, Belarusian.
        (0x02 | 0x19 | 0x22 | 0x23, _) => 1251,
        // Czech, Hungarian, Polish, Romanian, Croatian, Slovak, Albanian, Slovenian.
        (0x05 | 0x0E | 0x15 | 0x18 | 0x1A | 0x1B | 0x1C | 0x24, _) => 1250,
        // Neutral, Catalan, Danish, German, English, Spanish, Finnish, French, Icelandic, Italian,
        // Dutch, Norwegian, Portuguese, Swedish, Indonesian.
        (
            0x00 | 0x03 | 0x06 | 0x07 | 0x09 | 0x0A | 0x0B | 0x0C | 0x0F | 0x10 | 0x13 | 0x14
            | 0x16 | 0x1D | 0x21,
            _,
        ) => WESTERN,
        (0x08, _) => 1253,
        (0x1F, _) => 1254,
        (0x0D, _) => 1255,
        (0x01, _) => 1256,
        // Estonian, Latvian, Lithuanian.
        (0x25..=0x27, _) => 1257,
        (0x2A, _) => 1258,
        _ => return None,
    })
}

/// The encoding of a code page that [`code_page`] gives. The five bytes that code page 1252 leaves
/// undefined map to the control characters of the same number.
fn encoding(code_page: u16) -> &'static Encoding {
    match code_page {
        874 => encoding_rs::WINDOWS_874,
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        1250 => encoding_rs::WINDOWS_1250,
        1251 => encoding_rs::WINDOWS_1251,
        1253 => encoding_rs::WINDOWS_1253,
        1254 => encoding_rs::WINDOWS_1254,
        1255 => encoding_rs::WINDOWS_1255,
        1256 => encoding_rs::WINDOWS_1256,
        1257 => encoding_rs::WINDOWS_1257,
        1258 => encoding_rs::WINDOWS_1258,
        _ => encoding_rs::WINDOWS_1252,
    }
}

/// Character encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    /// An ANSI code page.
    CodePage(u16),
    /// UTF-16, least significant byte first.
    Utf16,
}

impl Charset {
    /// The text of `bytes`; bytes without a character become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::CodePage(page) => encoding(page)
                .decode_without_bom_handling(bytes)
                .0
                .into_owned(),
            Self::Utf16 => {
                let (units, rest) = bytes.as_chunks::<2>();
                let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
                let text = char::decode_utf16(units)
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
                let odd = (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
                text.chain(odd).collect()
            }
        }
    }

    /// The bytes of `text`; `None` when the code page lacks a character.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::CodePage(page) => {
                let (bytes, _, unmappable) = encoding(page).encode(text);
                (!unmappable).then_some(bytes)
            }
            Self::Utf16 => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_languages_have_their_code_pages() {
        for (language, page) in [
            (1033, 1252),
            (2057, 1252),
            (1031, 1252),
            (1036, 1252),
            (1040, 1252),
            (3082, 1252),
            (1046, 1252),
            (1041, 932),
            (1028, 950),
            (2052, 936),
            (1042, 949),
            (1049, 1251),
            (1045, 1250),
            (1029, 1250),
            (1038, 1250),
        ] {
            assert_eq!(code_page(language), Some(page), "{language}");
        }
        assert_eq!(code_page(0x7F), None);
    }

    #[test]
    fn every_byte_of_western_text_survives() {
        let bytes: Vec<u8> = (0..=255).collect();
        let western = Charset::CodePage(WESTERN);
        let text = western.decode(&bytes);
        assert_eq!(&*western.encode(&text).unwrap(), bytes);
        for undefined in ['\u{81}', '\u{8D}', '\u{8F}', '\u{90}', '\u{9D}'] {
            assert!(text.contains(undefined));
        }
        assert_eq!(western.decode(b"\x80\xFC"), "\u{20AC}\u{FC}");
    }

    #[test]
    fn other_pages_decode() {
        assert_eq!(Charset::CodePage(932).decode(b"\x83\x81"), "\u{30E1}");
        assert_eq!(Charset::CodePage(1251).decode(b"\xCC"), "\u{41C}");
        assert_eq!(Charset::CodePage(1252).encode("\u{41C}"), None);
    }

    #[test]
    fn half_pairs_stay_visible() {
        assert_eq!(Charset::Utf16.decode(b"a\0\x00\xD8b\0"), "a\u{FFFD}b");
        assert_eq!(Charset::Utf16.decode(b"a\0b"), "a\u{FFFD}");
        assert_eq!(Charset::Utf16.decode(b"\x3D\xD8\x00\xDE"), "\u{1F600}");
    }
}
