//! Headers of AVI files, for any bytes.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, proptest};
use relicast::formats::riff::avi;
use relicast_testing::test;

use crate::video::support::movie;

/// Offsets of faults are in the file, and no more is reported of the streams than the file has.
fn survive(bytes: &[u8]) {
    let decoded = match avi::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return;
        }
    };
    for deviation in decoded.deviations.described() {
        assert!(deviation.offset <= bytes.len() as u64, "{deviation}");
    }
    let streams = &decoded.value.streams;
    let reported: u64 = streams.iter().map(|stream| stream.bytes).sum();
    let there: usize = avi::stream_chunks(bytes).map(|(_, data)| data.len()).sum();
    assert!(reported <= there as u64 && there <= bytes.len());
    assert!(streams.len() <= bytes.len() / 12);
}

#[test]
fn every_damaged_byte_of_the_headers_is_survived() {
    let bytes = movie(8, 4, 3);
    let end = bytes.windows(4).position(|name| name == b"movi").unwrap() + 64;
    for at in 0..end {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            survive(&damaged);
        }
        survive(&bytes[..at]);
    }
}

proptest! {
    #[test]
    fn anything_is_survived(
        places in vec((0_usize..2000, any::<u8>()), 0..12),
        tail in vec(any::<u8>(), 0..64),
        cut in 0_usize..2000,
    ) {
        let mut bytes = movie(8, 4, 3);
        for (at, value) in places {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        bytes.truncate(cut.max(12));
        bytes.extend(tail);
        survive(&bytes);
        prop_assert!(bytes.len() < 4096);
    }
}
