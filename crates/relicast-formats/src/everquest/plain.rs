//! Text of the games' code page.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use relicast_limits as limits;

/// Maximum bytes of UTF-8 for one byte of Windows-1252.
const UNFOLDS: usize = 3;

/// Text of Windows-1252 bytes; every byte has a character, so nothing is lost. ASCII text needs no memory.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if !bytes.is_ascii() {
        limits::reserve(bytes.len().saturating_mul(UNFOLDS));
    }
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

/// The same text, as an owned value.
pub(super) fn text(bytes: &[u8]) -> String {
    match decode(bytes) {
        Cow::Owned(text) => text,
        Cow::Borrowed(text) => {
            limits::reserve(text.len());
            text.to_owned()
        }
    }
}

/// Windows-1252 bytes of a text; `None` when a character has none.
pub(super) fn text_bytes(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}
