//! Conversion of hostile files: neither memory, time nor output is multiplied.

use relicast::config::{AlphaPlane, Config, ConvertOptions, Textures};
use relicast::convert::zipper::texture::picture;
use relicast::convert::{self, ConvertError, Disposition, OpenContext, OutputRole, Sink};
use relicast::emit::{Options, encode};
use relicast::formats::codec::{Blob, Deviations, FaultKind, FormatError, PaddedText};
use relicast::formats::kind::{Kind, sniff};
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::texture::color::Rgb565;
use relicast::formats::zipper::texture::package::{self, ImageFlags};
use relicast::scene::Asset;
use relicast_testing::test;
use std::time::{Duration, Instant};

use super::PATIENCE;
use super::small::{entry, image, pack};

/// Takes assets, encodes them, and counts the bytes.
#[derive(Default)]
struct Counter {
    bytes: usize,
}

impl Sink for Counter {
    fn wants(&self, _role: OutputRole) -> bool {
        true
    }

    fn take(
        &mut self,
        role: OutputRole,
        asset: Asset<'_>,
    ) -> std::result::Result<(), ConvertError> {
        let encoding = match (&asset, role) {
            (Asset::Image(_), _) => convert::Encoding::Png,
            (Asset::Sound(_), _) => convert::Encoding::Wav,
            _ => convert::Encoding::Json,
        };
        let bytes = encode(&asset, encoding, &[], Options::default());
        self.bytes += bytes
            .map_err(|error| ConvertError::Emit(error.to_string()))?
            .len();
        Ok(())
    }
}

/// Bytes of output of a whole file, and the members that were refused with the fields of their
/// faults.
fn convert_all(name: &str, bytes: &[u8]) -> (usize, Vec<(String, FormatError)>) {
    let options = ConvertOptions::default();
    let opened = convert::open(OpenContext::new(sniff(bytes, name), name, bytes)).unwrap();
    let mut counter = Counter::default();
    let mut refused = Vec::new();
    for (index, part) in opened.items(&options).into_iter().enumerate() {
        assert!(part.range.start <= part.range.end && part.range.end <= bytes.len() as u64);
        let member = part.member.unwrap_or_default();
        match part.verdict {
            Disposition::Convert => match opened.convert(index, &options, &mut counter) {
                Ok(_) => {}
                Err(ConvertError::Format(error)) => refused.push((member, error)),
                Err(other) => panic!("{member}: {other}"),
            },
            Disposition::Fail(error) => refused.push((member, error)),
            Disposition::Skip(_) => {}
        }
    }
    (counter.bytes, refused)
}

#[test]
fn members_that_share_bytes_do_not_multiply_them() {
    let started = Instant::now();
    let sound = vec![b'x'; 1 << 20];
    let names = (0..20_000).map(|index| entry(&format!("{index}.txt"), b""));
    let mut entries = vec![entry("first.txt", &sound)];
    entries.extend(names);
    let mut bytes = archive::encode(&Archive {
        entries,
        ..Archive::default()
    })
    .unwrap();
    let table = sound.len();
    let length = (1_u32 << 20).to_le_bytes();
    for row in bytes[table..].chunks_exact_mut(Row::SIZE) {
        row[..4].fill(0);
        row[4..8].copy_from_slice(&length);
    }
    let archive = archive::decode(&bytes).unwrap().value;
    let held: usize = archive.entries.iter().map(|entry| entry.data.len()).sum();
    assert_eq!(held, sound.len());
    assert_eq!(archive::encode(&archive).unwrap(), bytes);
    let (_, refused) = convert_all("a.zbd", &bytes);
    assert_eq!(refused.len(), 20_000);
    let (member, error) = &refused[6];
    assert_eq!((&**member, error.field()), ("6.txt", "entries[7].start"));
    assert_eq!(error.offset(), (table + 7 * Row::SIZE) as u64);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn images_that_share_bytes_do_not_multiply_them() {
    let started = Instant::now();
    let texels = vec![0xA5; 2 * 60_000];
    let mut images = vec![image(0x05, vec![], 60_000, &texels)];
    images[0].header.flags = ImageFlags::TWO_BYTES | ImageFlags::OPAQUE;
    images.extend((0..20_000).map(|_| image(0x05, vec![], 0, &[])));
    let mut bytes = pack(images);
    let first = bytes[56..60].to_vec();
    for row in 1..=20_000 {
        let place = 24 + row * 40 + 32;
        bytes[place..place + 4].copy_from_slice(&first);
    }
    let (written, refused) = convert_all("texture.zbd", &bytes);
    assert_eq!(refused.len(), 20_000);
    let (member, error) = &refused[0];
    assert_eq!((&**member, error.field()), ("t1", "rows[1].start"));
    assert_eq!(error.offset(), 24 + 40 + 32);
    assert!(written < 8 * bytes.len(), "{written} of {}", bytes.len());
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn names_of_any_bytes_are_kept_and_members_converted() {
    let reader = [4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    let mut names: Vec<[u8; 64]> = Vec::new();
    for name in [
        &b"..\\..\\evil.zrd"[..],
        b"C:\\windows\\evil.zrd",
        b"/etc/evil.zrd",
        b"\x01\x1b[2J\r\n.zrd",
        b"con.zrd",
        b"",
        b".zrd",
        b"\xFF\xFE.zrd",
    ] {
        let mut field = [0; 64];
        field[..name.len()].copy_from_slice(name);
        names.push(field);
    }
    names.push([b'n'; 64]);
    names.push([0xFF; 64]);
    let entries = names.iter().map(|&name| Entry {
        row: Row {
            name: PaddedText(name),
            ..Row::default()
        },
        data: Blob::borrowed(&reader),
        ..Entry::default()
    });
    let archive = Archive {
        entries: entries.collect(),
        ..Archive::default()
    };
    let bytes = archive::encode(&archive).unwrap();
    let decoded = archive::decode(&bytes).unwrap();
    assert_eq!(archive::encode(&decoded.value).unwrap(), bytes);
    let fields: Vec<&str> = (decoded.deviations.described().iter())
        .map(|deviation| &*deviation.field)
        .collect();
    assert_eq!(
        fields,
        ["entries[7].name", "entries[8].name", "entries[9].name"]
    );
    let (_, refused) = convert_all("readerc1.zbd", &bytes);
    assert_eq!(refused, []);
}

#[test]
fn one_name_for_all_members_takes_linear_time() {
    let started = Instant::now();
    let mut entries = vec![entry("same.zrd", b""); 20_000];
    entries.extend((0..20_000).map(|index| entry(&format!("same-{index}.zrd"), b"")));
    let archive = Archive {
        entries,
        ..Archive::default()
    };
    let bytes = archive::encode(&archive).unwrap();
    let opened = convert::open(OpenContext::new(Kind::Archive, "reader.zbd", &bytes)).unwrap();
    let parts = opened.items(&ConvertOptions::default());
    let mut stems: Vec<String> = parts.into_iter().filter_map(|part| part.stem).collect();
    assert_eq!(stems.len(), 40_000);
    stems.sort();
    stems.dedup();
    assert_eq!(stems.len(), 40_000);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn damaged_members_cost_only_themselves() {
    let good = [4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    let archive = Archive {
        entries: vec![
            entry("good.zrd", &good),
            entry("cut.zrd", &good[..14]),
            entry("cut.wav", b"RIFF\xFF\xFF"),
            entry("last.zrd", &good),
        ],
        ..Archive::default()
    };
    let bytes = archive::encode(&archive).unwrap();
    let (_, refused) = convert_all("reader.zbd", &bytes);
    let refused: Vec<(&str, &str, u64)> = refused
        .iter()
        .map(|(member, error)| (&**member, error.field(), error.offset()))
        .collect();
    assert_eq!(
        refused,
        [("cut.zrd", "value.count", 4), ("cut.wav", "size", 4)]
    );
}

#[test]
fn damaged_images_cost_only_themselves() {
    let mut bytes = pack(vec![
        image(0x05, vec![], 2, &[1, 2, 3, 4]),
        image(0x05, vec![], 2, &[1, 2, 3, 4]),
        image(0x05, vec![], 2, &[1, 2, 3, 4]),
    ]);
    let second = 24 + 3 * 40 + 20;
    bytes[second + 4..second + 8].copy_from_slice(&[0xFF; 4]);
    let (_, refused) = convert_all("texture.zbd", &bytes);
    let [(member, error)] = &*refused else {
        panic!("{refused:?}");
    };
    assert_eq!((&**member, error.field()), ("t1", "texels"));
    assert_eq!(error.offset(), second as u64 + 16);
    assert_eq!(error.kind(), FaultKind::Truncated);
}

#[test]
fn pictures_of_odd_images_are_errors_or_deviations() {
    let draw = |bytes: &[u8], options: &Textures| {
        let directory = package::decode_directory(bytes).unwrap().value;
        let image = package::decode_image(bytes, &directory, 0).unwrap().value;
        let mut deviations = Deviations::default();
        let drawn = picture(&image, &directory, 0, options, &mut deviations);
        drawn.map(|_| deviations)
    };
    let defaults = Textures::default();
    let apart = Textures {
        alpha_plane: AlphaPlane::Separate,
        ..Textures::default()
    };
    let empty = pack(vec![image(0x05, vec![], 0, &[])]);
    let error = draw(&empty, &defaults).unwrap_err();
    assert_eq!((error.field(), error.offset()), ("width", 68));
    // Indices past the palette are drawn black and reported, with alpha merged or apart.
    let mut stray = image(0x0B, vec![Rgb565(31)], 2, &[0, 200]);
    stray.alpha = Some(Blob::borrowed(&[0, 255]));
    let stray = pack(vec![stray]);
    for options in [&defaults, &apart] {
        let deviations = draw(&stray, options).unwrap();
        assert_eq!(deviations.total(), 1);
        assert_eq!(deviations.described()[0].offset, 64 + 16 + 1);
    }
    // A palette larger than indices can reach.
    let wide = pack(vec![image(0x05, vec![Rgb565(7); 65_535], 2, &[255, 0])]);
    assert_eq!(draw(&wide, &defaults).unwrap().total(), 0);
}

#[test]
fn scripts_of_odd_lines_take_linear_time() {
    let started = Instant::now();
    let line = || Line {
        token_count: 9,
        text: Blob::borrowed(b"x"),
    };
    let file = Interp {
        scripts: vec![Script {
            lines: (0..500_000).map(|_| line()).collect(),
            ..Script::default()
        }],
        ..Interp::default()
    };
    let bytes = interp::encode(&file).unwrap();
    let decoded = interp::decode(&bytes).unwrap();
    assert_eq!(decoded.deviations.total(), 1_000_000);
    assert_eq!(decoded.value.scripts[0].lines.len(), 500_000);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn deep_readers_do_not_multiply_their_documents() {
    for bytes in [
        format!(
            "{}{}{}",
            "(".repeat(200),
            "1 ".repeat(100_000),
            ")".repeat(200)
        ),
        format!("({})", "()".repeat(100_000)),
    ] {
        let (written, refused) = convert_all("a.zrd", bytes.as_bytes());
        assert_eq!(refused, []);
        assert!(written < 100 * bytes.len(), "{written} of {}", bytes.len());
    }
}

#[test]
fn configurations_nested_deep_are_refused() {
    for text in [
        format!("run = {}", "[".repeat(100_000)),
        format!("{}x = 1", "a.".repeat(100_000)),
        format!("[{}x]", "a.".repeat(100_000)),
        "run = { jobs = 99999999999999999999 }".to_owned(),
    ] {
        assert!(toml::from_str::<Config>(&text).is_err());
    }
}
