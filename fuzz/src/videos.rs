//! Videos: the headers of AVI files, and the positions of their data.

use relicast::formats::codec::Decoded;
use relicast::formats::riff::avi;

use super::check_deviations;

/// AVI files: the reported streams match the data in the file.
pub fn avi(bytes: &[u8]) {
    let Decoded { value, deviations } = match avi::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return;
        }
    };
    check_deviations(bytes, &deviations);
    let mut sizes = vec![0; value.streams.len()];
    for (stream, data) in avi::stream_chunks(bytes) {
        if let Some(size) = sizes.get_mut(stream) {
            *size += data.len() as u64;
        }
    }
    let reported: u64 = value.streams.iter().map(|stream| stream.bytes).sum();
    assert!(reported <= bytes.len() as u64);
    // A stream whose header comes after its data is not counted.
    assert!(
        value
            .streams
            .iter()
            .zip(sizes)
            .all(|(stream, size)| stream.bytes <= size)
    );
    let text: usize = value.tags.iter().map(|tag| tag.text.len()).sum();
    assert!(text <= 2 * bytes.len());
}
