//! The hash that manifests name bytes by.

/// BLAKE3 of bytes, hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
