//! Text of the games' code page.

use encoding_rs::WINDOWS_1252;

/// Text of Windows-1252 bytes; every byte has a character, so nothing is lost.
pub(super) fn text(bytes: &[u8]) -> String {
    WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

/// Windows-1252 bytes of a text; `None` when a character has none.
pub(super) fn text_bytes(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}
