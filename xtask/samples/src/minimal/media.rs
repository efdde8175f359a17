//! Sounds and videos.

use relicast::formats::riff::adpcm::{encode_ima, encode_ms};
use relicast::formats::riff::avi::write::{self as movies, Movie};
use relicast::formats::riff::{self, Chunk, Format, FourCc, Wave};

/// Sounds of every coding, each with every supported chunk.
pub fn waves() -> Vec<Vec<u8>> {
    let tone: Vec<i16> = (0..120).map(|index| (index % 40 - 20) * 500).collect();
    let pcm: Vec<u8> = tone
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let ms = Format::ms_adpcm(2, 22050, 64);
    let ima = Format::ima_adpcm(1, 22050, 36);
    let ms_data = encode_ms(&ms, &tone).expect("the format is whole");
    let ima_data = encode_ima(&ima, &tone).expect("the format is whole");
    [
        (Format::pcm(1, 11025, 8), vec![0x80, 0xFF, 0x80]),
        (Format::pcm(2, 44100, 16), pcm),
        (ms, ms_data),
        (ima, ima_data),
    ]
    .map(|(format, data)| annotated(&format, data))
    .into()
}

/// A video with sound and tags, one without, and one in two RIFF chunks.
pub fn videos() -> Vec<Vec<u8>> {
    let movie = Movie {
        width: 3,
        height: 2,
        rate: 15,
        frames: vec![vec![7; 18]; 3],
        sound: Some((Format::pcm(1, 8000, 8), vec![0x80; 30])),
        sound_name: Some("Sound Forge 4.0 Audio"),
        software: Some("seeds"),
    };
    let silent = Movie {
        sound: None,
        ..movie.clone()
    };
    let [movie, silent] = [movie, silent].map(|movie| movies::write(&movie).expect("it is small"));
    let more = b"RIFF\x18\0\0\0AVIXLIST\x0c\0\0\0movi00dc\x01\0\0\0x\0";
    let long = [&movie[..], more].concat();
    vec![movie, silent, long]
}

/// A file with every supported chunk: 4 frames, two cue points, a label, a loop.
pub fn annotated(format: &Format<'_>, data: Vec<u8>) -> Vec<u8> {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let point = |id, position, sample| {
        let mut bytes = words(&[id, position]);
        bytes.extend(b"data");
        bytes.extend(words(&[0, 0, sample]));
        bytes
    };
    let cue = [words(&[2]), point(1, 2, 2), point(7, 3, 12)].concat();
    let label = [&b"adtllabl"[..], &words(&[9, 7]), b"slide\0"].concat();
    let smpl = words(&[0, 0, 45351, 60, 0, 0, 0, 1, 0, 1, 0, 1, 3, 0, 0]);
    let chunks = vec![
        Chunk::new(FourCc::FACT, words(&[4])).expect("it fits"),
        Chunk::new(FourCc::CUE, cue).expect("it fits"),
        Chunk::new(FourCc::LIST, label).expect("it fits"),
        Chunk::new(FourCc::SAMPLER, smpl).expect("it fits"),
        Chunk::new(FourCc(*b"odd!"), vec![1, 2, 3]).expect("it fits"),
    ];
    riff::encode(&Wave::new(format, chunks, data.into()).expect("it fits")).expect("it fits")
}

pub fn plain_file() -> Vec<u8> {
    annotated(&Format::pcm(1, 22050, 8), vec![0x80, 0xFF, 0x80, 0x00])
}
