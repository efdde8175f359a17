//! Small files, and decoders that are not ours.

use std::io::Cursor;

use relicast::emit::encode_flac;
use relicast::formats::riff::Format;
use relicast::scene::Sound;
use relicast_samples::minimal::media::annotated;

/// Samples of a FLAC file as an independent decoder reads them, as little-endian WAV bytes. That
/// decoder lacks escaped partitions, which the encoder takes for extreme noise; the encoder's own
/// crate reads those.
pub fn foreign_decode(flac: &[u8]) -> (u32, u32, u32, Vec<u8>) {
    let mut reader = claxon::FlacReader::new(Cursor::new(flac)).unwrap();
    let info = reader.streaminfo();
    let samples: claxon::Result<Vec<i32>> = reader.samples().collect();
    let samples = match samples {
        Ok(samples) => samples,
        Err(claxon::Error::Unsupported("unencoded binary is not yet implemented")) => {
            let mut samples = Vec::new();
            let reader = flac_codec::decode::FlacSampleReader::new(Cursor::new(flac));
            reader.unwrap().read_to_end(&mut samples).unwrap();
            samples
        }
        Err(other) => panic!("{other}"),
    };
    let mut bytes = Vec::new();
    for sample in samples {
        match info.bits_per_sample {
            8 => bytes.push(u8::try_from(sample + 128).unwrap()),
            16 => bytes.extend(i16::try_from(sample).unwrap().to_le_bytes()),
            other => panic!("{other} bits"),
        }
    }
    if !bytes.is_empty() {
        let frames = bytes.len() as u64 / u64::from(info.channels * info.bits_per_sample / 8);
        assert_eq!(info.samples, Some(frames));
    }
    (info.channels, info.sample_rate, info.bits_per_sample, bytes)
}

pub fn assert_flac_is_lossless(sound: &Sound<'_>) -> Vec<u8> {
    let flac = encode_flac(sound, &[("TITLE".to_owned(), "täst".to_owned())]).unwrap();
    let (channels, rate, bits, bytes) = foreign_decode(&flac);
    assert_eq!(channels, u32::from(sound.channels.get()));
    assert_eq!(rate, sound.rate);
    assert_eq!(bits, u32::from(sound.samples.bits()));
    assert!(bytes == sound.samples.bytes());
    let reader = claxon::FlacReader::new(Cursor::new(&flac)).unwrap();
    assert_eq!(reader.get_tag("TITLE").collect::<Vec<_>>(), ["täst"]);
    flac
}

pub fn tag(flac: &[u8], name: &str) -> Option<String> {
    let reader = claxon::FlacReader::new(Cursor::new(flac)).unwrap();
    reader.get_tag(name).next().map(str::to_owned)
}

/// Repeatable noise around a rising tone.
pub fn samples(count: usize) -> Vec<i16> {
    let mut state = 0x1234_5678_u32;
    (0..count)
        .map(|index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = i32::try_from(state >> 22).unwrap() - 512;
            let phase = i32::try_from(index * index / 2000 % 400).unwrap();
            let tone = ((phase - 200).abs() - 100) * 120;
            i16::try_from(tone + noise).unwrap()
        })
        .collect()
}

pub fn le_bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|s| s.to_le_bytes()).collect()
}

pub fn plain_file() -> Vec<u8> {
    annotated(&Format::pcm(1, 22050, 8), vec![0x80, 0xFF, 0x80, 0x00])
}
