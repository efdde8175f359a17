//! GLB container: a header and two chunks, each padded to four bytes.

use super::GltfError;

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Builds a `.glb` from its JSON and its buffer, which may be empty.
pub(super) fn glb(mut json: Vec<u8>, bin: &[u8]) -> Result<Vec<u8>, GltfError> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let bin_length = bin.len().next_multiple_of(4);
    let bin_chunk = if bin.is_empty() {
        0
    } else {
        CHUNK_HEADER + bin_length
    };
    let total = HEADER + CHUNK_HEADER + json.len() + bin_chunk;
    let word = |length: usize| u32::try_from(length).map_err(|_| GltfError::TooLarge);
    let mut file = Vec::with_capacity(total);
    file.extend_from_slice(b"glTF");
    file.extend_from_slice(&2_u32.to_le_bytes());
    file.extend_from_slice(&word(total)?.to_le_bytes());
    file.extend_from_slice(&word(json.len())?.to_le_bytes());
    file.extend_from_slice(b"JSON");
    file.extend_from_slice(&json);
    if !bin.is_empty() {
        file.extend_from_slice(&word(bin_length)?.to_le_bytes());
        file.extend_from_slice(b"BIN\0");
        file.extend_from_slice(bin);
        file.resize(total, 0);
    }
    Ok(file)
}
