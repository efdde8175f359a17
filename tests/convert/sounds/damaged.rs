//! Files with wrong headers or missing ends.

use relicast_samples::minimal::media::annotated;

use crate::sounds::support::{foreign_decode, le_bytes, plain_file, samples};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, proptest};
use proptest::sample::select;
use relicast::convert;
use relicast::emit::{WavError, encode_flac, encode_wav};
use relicast::formats::codec::Blob;
use relicast::formats::riff::adpcm::{decode_ima, decode_ms, encode_ima, encode_ms};
use relicast::formats::riff::{self, Chunk, Format, FormatTag, FourCc, Wave};
use relicast_testing::rounds;
use relicast_testing::test;

/// Files of every coding, small enough to damage in every place.
fn small_files() -> Vec<Vec<u8>> {
    let tone = samples(300);
    let ms = Format::ms_adpcm(2, 22050, 64);
    let ima = Format::ima_adpcm(2, 22050, 64);
    vec![
        plain_file(),
        annotated(&Format::pcm(2, 44100, 16), le_bytes(&tone[..40])),
        annotated(&ms, encode_ms(&ms, &tone).unwrap()),
        annotated(&ima, encode_ima(&ima, &tone).unwrap()),
    ]
}

/// For any bytes: no panic, a faithful copy, and outputs in proportion to the input.
fn survive(bytes: &[u8]) {
    let Ok(wave) = riff::decode(bytes) else {
        return;
    };
    assert!(riff::encode(&wave.value).unwrap() == bytes);
    let Ok(converted) = convert::sound(&wave.value, bytes) else {
        return;
    };
    let sound = converted.value;
    assert!(sound.samples.bytes().len() <= 4 * bytes.len());
    assert!(sound.cue_points.len() <= bytes.len() / 24);
    let written = match encode_wav(&sound) {
        Ok(written) => written,
        Err(WavError::TooManyChannels(size)) if size > 0xFFFF => return,
        Err(other) => panic!("{other}"),
    };
    assert!(written.len() <= 5 * bytes.len() + 64);
    let again = riff::decode(&written).unwrap();
    let again = convert::sound(&again.value, &written).unwrap().value;
    assert!(again.samples == sound.samples);
    if let Ok(flac) = encode_flac(&sound, &[]) {
        assert!(foreign_decode(&flac).3 == sound.samples.bytes());
    }
}

#[test]
fn damaged_files_never_panic() {
    for file in small_files() {
        for length in (0..file.len()).step_by(rounds(3, 1)) {
            survive(&file[..length]);
        }
        for place in (0..file.len() - 3).step_by(rounds(3, 1)) {
            for word in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF_u32] {
                let mut damaged = file.clone();
                damaged[place..place + 4].copy_from_slice(&word.to_le_bytes());
                survive(&damaged);
            }
        }
        for place in 0..60.min(file.len()) {
            for byte in (0..=255).step_by(rounds(5, 1)) {
                let mut damaged = file.clone();
                damaged[place] = byte;
                survive(&damaged);
            }
        }
    }
}

#[test]
fn files_without_needed_parts_are_named_errors() {
    assert!(riff::decode(b"RIFX\0\0\0\0WAVE").is_err());
    assert!(riff::decode(b"RIFF\0\0\0\0AVI ").is_err());
    assert!(riff::decode(b"RIFF").is_err());
    let error = |format: &Format<'_>| {
        let wave = Wave::new(format, Vec::new(), Blob::from(vec![0; 64])).unwrap();
        convert::sound(&wave, &[]).unwrap_err().field().to_owned()
    };
    let empty = riff::decode(b"RIFF\x04\0\0\0WAVE").unwrap().value;
    assert_eq!(convert::sound(&empty, &[]).unwrap_err().field(), "chunks");
    assert_eq!(error(&Format::pcm(0, 22050, 8)), "fmt.channels");
    assert_eq!(error(&Format::pcm(1, 22050, 20)), "fmt.bits");
    assert_eq!(error(&Format::ms_adpcm(1, 22050, 6)), "fmt.block_align");
    assert_eq!(error(&Format::ima_adpcm(2, 22050, 7)), "fmt.block_align");
    assert_eq!(error(&Format::ms_adpcm(3, 22050, 256)), "fmt.channels");
    let mut float = Format::pcm(1, 22050, 16);
    float.header.tag = FormatTag::Float;
    assert_eq!(error(&float), "fmt.bits");
    let mut mpeg = Format::pcm(1, 22050, 16);
    mpeg.header.tag = FormatTag::Other(0x50);
    assert_eq!(error(&mpeg), "fmt.tag");
}

#[test]
fn wrong_block_sizes_are_deviations() {
    let mut format = Format::ima_adpcm(1, 11025, 64);
    let data = encode_ima(&format, &samples(300)).unwrap();
    let honest = decode_ima(&format, &data).unwrap();
    for stored in [0_u16, 1, 120, 122, u16::MAX] {
        format.extension = [[2, 0], stored.to_le_bytes()].concat().into();
        let decoded = decode_ima(&format, &data).unwrap();
        assert_eq!(decoded.value, honest.value);
        assert_eq!(decoded.deviations.total(), 1);
    }
    let mut cut = data.clone();
    cut.truncate(data.len() - 10);
    let decoded = decode_ima(&Format::ima_adpcm(1, 11025, 64), &cut).unwrap();
    assert_eq!(decoded.value, honest.value[..honest.value.len() - 20]);
    assert_eq!(decoded.deviations.total(), 1);
}

#[test]
fn blocks_of_any_size_come_back() {
    let tone = samples(40_000);
    for channels in [1_u16, 2] {
        for block_align in [14, 15, 16, 17, 255, 32_768, 32_769, u16::MAX] {
            let ms = Format::ms_adpcm(channels, 22050, block_align);
            let ima = Format::ima_adpcm(channels, 22050, block_align);
            let ms_data = encode_ms(&ms, &tone).unwrap();
            let ima_data = encode_ima(&ima, &tone).unwrap();
            for data in [&ms_data, &ima_data] {
                assert_eq!(data.len() % usize::from(block_align), 0);
            }
            let ms = decode_ms(&ms, &ms_data).unwrap().value;
            let ima = decode_ima(&ima, &ima_data).unwrap().value;
            assert!(ms.len() >= tone.len() && ms.len() <= 2 * ms_data.len());
            assert!(ima.len() >= tone.len() && ima.len() <= 2 * ima_data.len());
            assert_eq!(ms[..2], tone[..2]);
            assert_eq!(ima[0], tone[0]);
        }
    }
}

#[test]
fn one_label_is_not_multiplied_by_many_points() {
    let format = Format::pcm(1, 11025, 8);
    let points = 1000_u32;
    let cue = [points.to_le_bytes().to_vec(), vec![0; 24 * 1000]].concat();
    let text = [&b"adtllabl\x04\x10\0\0\0\0\0\0"[..], &[b'x'; 4096]].concat();
    let chunks = vec![
        Chunk::new(FourCc::CUE, cue).unwrap(),
        Chunk::new(FourCc::LIST, text).unwrap(),
    ];
    let wave = Wave::new(&format, chunks, Blob::default()).unwrap();
    let sound = convert::sound(&wave, &[]).unwrap().value;
    assert_eq!(sound.cue_points.len(), 1000);
    let labels = sound.cue_points.iter().filter_map(|p| p.label.as_ref());
    assert_eq!(labels.map(String::len).collect::<Vec<_>>(), [4096]);
}

#[test]
fn crowds_of_chunks_become_tail() {
    let mut bytes = b"RIFF\xFF\xFF\xFF\x7FWAVE".to_vec();
    bytes.extend(b"none\0\0\0\0".repeat(50_000));
    let wave = riff::decode(&bytes).unwrap().value;
    assert!(wave.chunks.len() < 5000);
    assert_eq!(riff::encode(&wave).unwrap(), bytes);
}

proptest! {
    #[test]
    fn anything_behind_the_header_survives(
        chunks in vec((select(vec![b"fmt ", b"data", b"cue ", b"smpl", b"LIST", b"fact", b"zzzz"]), vec(any::<u8>(), 0..60), 0..3_u32), 0..6),
        size in any::<u32>(),
        tail in vec(any::<u8>(), 0..20),
    ) {
        let mut bytes = b"RIFF".to_vec();
        bytes.extend(size.to_le_bytes());
        bytes.extend(b"WAVE");
        for (id, payload, excess) in chunks {
            bytes.extend(id);
            bytes.extend((payload.len() as u32 + excess).to_le_bytes());
            bytes.extend(payload);
        }
        bytes.extend(tail);
        prop_assert!(riff::decode(&bytes).is_ok());
        survive(&bytes);
    }
}

#[test]
fn faults_of_the_format_are_in_its_chunk() {
    let mut ms = Format::ms_adpcm(1, 22050, 64);
    let data = encode_ms(&ms, &samples(300)).unwrap();
    ms.extension = [[32, 0], [9, 0]].concat().into();
    let bytes = annotated(&ms, data);
    let wave = riff::decode(&bytes).unwrap().value;
    let deviations = convert::sound(&wave, &bytes).unwrap().deviations;
    let places: Vec<(&str, u64)> = (deviations.described().iter())
        .map(|deviation| (&*deviation.field, deviation.offset))
        .collect();
    assert_eq!(
        places[..2],
        [("fmt.samples_per_block", 38), ("fmt.coefficients", 40)]
    );
    ms.header.channels = 3;
    let bytes = annotated(&ms, vec![0; 64]);
    let wave = riff::decode(&bytes).unwrap().value;
    let error = convert::sound(&wave, &bytes).unwrap_err();
    assert_eq!((error.field(), error.offset()), ("fmt.channels", 22));
}
