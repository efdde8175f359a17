//! The hash by which manifests identify bytes.

/// BLAKE3 of bytes, hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
