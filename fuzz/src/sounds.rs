//! Sounds: RIFF, both ADPCM codings, and their writers.

use relicast::convert::sound;
use relicast::emit::{WavError, encode_flac, encode_wav};
use relicast::formats::codec::Decoded;
use relicast::formats::riff;

use super::{check_deviations, round_trip};

/// WAV files: the file as chunks, its sound, and the sound written as WAV and FLAC.
pub fn wave(bytes: &[u8]) {
    let Some(wave) = round_trip(bytes, riff::decode(bytes), riff::encode) else {
        return;
    };
    let Decoded { value, deviations } = match sound(&wave, bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return;
        }
    };
    check_deviations(bytes, &deviations);
    assert!(value.samples.bytes().len() <= 4 * bytes.len());
    match encode_wav(&value) {
        Ok(written) => {
            assert!(written.len() <= 5 * bytes.len() + 64);
            let again = riff::decode(&written)
                .expect("what was written can be read")
                .value;
            let again = sound(&again, &written).expect("it is a sound").value;
            assert!(again.samples == value.samples);
            assert_eq!((again.channels, again.rate), (value.channels, value.rate));
        }
        Err(WavError::TooManyChannels(size)) => assert!(size > 0xFFFF),
        Err(other) => panic!("{other}"),
    }
    let rate = (1..=655_350).contains(&value.rate);
    let written = encode_flac(&value, &[]);
    assert_eq!(
        written.is_ok(),
        rate && value.channels.get() <= 8,
        "{written:?}"
    );
}
