//! Damaged and hostile files of the formats that have no such tests of their own: what breaks a hard
//! rule is refused with the place of the fault, what decodes comes back byte for byte, and neither
//! memory, time nor output is multiplied by a few bytes that lie.
//!
//! Readers, message DLLs and sounds have theirs in `readers.rs`, `messages.rs` and `sounds/`.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use std::time::{Duration, Instant};

use relicast::config::{AlphaPlane, Config, Textures};
use relicast::convert::zipper::texture::picture;
use relicast::convert::{self, ConvertError, Disposition, OpenContext, OutputRole, Sink};
use relicast::emit::{Options, encode};
use relicast::formats::codec::{
    Blob, Bytes, Decoded, Deviations, F32, FaultKind, FormatError, PaddedText, QuatWxyz, Result,
    Vec3,
};
use relicast::formats::kind::{Kind, sniff};
use relicast::formats::zipper::archive::{self, Archive, Entry, FooterVersion, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::motion::{self, Motion, PartFlags};
use relicast::formats::zipper::save::{self, Activation, ActivationHead, ActivationKind};
use relicast::formats::zipper::texture::colour::Rgb565;
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, ImageHeader, Package};
use relicast::formats::zipper::zmap::{self, Feature, Map};
use relicast::scene::Asset;

/// What header words are replaced by.
const WORDS: [u32; 6] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];

/// More than any of these tests takes on a slow machine, less than quadratic work would.
const PATIENCE: Duration = Duration::from_secs(20);

fn entry<'a>(name: &str, data: &'a [u8]) -> Entry<'a> {
    Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: Blob::borrowed(data),
        ..Entry::default()
    }
}

fn small_archive(version: FooterVersion) -> Vec<u8> {
    let archive = Archive {
        version,
        entries: vec![entry("a.bin", b"first"), entry("b.bin", b"second")],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

fn small_interp() -> Vec<u8> {
    let script = |path: &str, lines| Script {
        row: interp::Row {
            path: PaddedText::new(path).unwrap(),
            time: 7,
            start: 0,
        },
        lines,
    };
    let file = Interp {
        scripts: vec![
            script("c1.gs", vec![Line::from_tokens(["set", "A", "b"])]),
            script("none.gw", vec![]),
        ],
        ..Interp::default()
    };
    interp::encode(&file).unwrap()
}

fn small_motion() -> Vec<u8> {
    let part = |name: &'static [u8]| motion::Part {
        name: Blob::borrowed(name),
        flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
        translations: vec![Vec3::default(); 2],
        rotations: vec![QuatWxyz::default(); 2],
    };
    let file = Motion {
        header: motion::Header {
            version: 4,
            loop_time: F32(1.0),
            frame_count: 1,
            part_count: 2,
            unk16: F32(-1.0),
            unk20: F32(1.0),
        },
        parts: vec![part(b"hip"), part(b"foot")],
        ..Motion::default()
    };
    motion::encode(&file).unwrap()
}

fn small_map() -> Vec<u8> {
    let map = Map {
        header: zmap::Header {
            version: 5,
            unk04: 3,
            ..zmap::Header::default()
        },
        features: vec![Feature {
            vertices: vec![Vec3::default(); 2],
            ..Feature::default()
        }],
    };
    zmap::encode(&map).unwrap()
}

fn image<'a>(flags: u32, palette: Vec<Rgb565>, width: u16, texels: &'a [u8]) -> Image<'a> {
    Image {
        header: ImageHeader {
            flags: ImageFlags::from_bits_retain(flags),
            width,
            height: 1,
            palette_count: palette.len().try_into().unwrap(),
            ..ImageHeader::default()
        },
        texels: Blob::borrowed(texels),
        palette,
        ..Image::default()
    }
}

fn pack(images: Vec<Image<'_>>) -> Vec<u8> {
    let rows = (0..images.len()).map(|index| package::Row {
        name: PaddedText::new(&format!("t{index}")).unwrap(),
        start: 0,
        palette_index: -1,
    });
    let file = Package {
        directory: package::Directory {
            header: package::Header {
                version: 1,
                ..package::Header::default()
            },
            rows: rows.collect(),
            palettes: vec![],
        },
        images,
        ..Package::default()
    };
    package::encode(&file).unwrap()
}

fn small_package() -> Vec<u8> {
    let mut full = image(0x0B, vec![], 2, &[0, 0xF8, 0, 0]);
    full.alpha = Some(Blob::borrowed(&[0, 255]));
    let local = image(0x05, vec![Rgb565(0), Rgb565(31)], 2, &[1, 0]);
    pack(vec![full, local])
}

fn small_activation() -> Vec<u8> {
    let activation = Activation {
        head: ActivationHead {
            kind: ActivationKind::Plain,
            name: PaddedText::new("hit_wall").unwrap(),
            ..ActivationHead::default()
        },
        node_states: vec![Bytes([7; 68])],
    };
    save::encode(&save::SaveMember::Activation(activation)).unwrap()
}

/// What a format makes of bytes: nothing but its fault, or the bytes that encoding gives back.
type RoundTrip = fn(&[u8]) -> std::result::Result<Vec<u8>, FormatError>;

fn round_trip<T>(
    decoded: Result<Decoded<T>>,
    encode: impl FnOnce(&T) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    Ok(encode(&decoded?.value).unwrap())
}

/// Every format of this file with a small file of it.
fn formats() -> Vec<(&'static str, Vec<u8>, RoundTrip)> {
    let archive: RoundTrip = |bytes| round_trip(archive::decode(bytes), archive::encode);
    let saved: RoundTrip = |bytes| round_trip(save::decode("any", bytes), save::encode);
    let header: RoundTrip = |bytes| round_trip(save::decode("zSaveHeader", bytes), save::encode);
    vec![
        ("archive 1", small_archive(FooterVersion::One), archive),
        ("archive 2", small_archive(FooterVersion::Two), archive),
        ("scripts", small_interp(), |bytes| {
            round_trip(interp::decode(bytes), interp::encode)
        }),
        ("motion", small_motion(), |bytes| {
            round_trip(motion::decode(bytes), motion::encode)
        }),
        ("map", small_map(), |bytes| {
            round_trip(zmap::decode(bytes), zmap::encode)
        }),
        ("textures", small_package(), |bytes| {
            round_trip(package::decode(bytes), package::encode)
        }),
        ("save header", vec![8, 0, 0, 0, 2, 0, 0, 0], header),
        ("activation", small_activation(), saved),
    ]
}

#[test]
fn truncation_is_an_error_at_every_length() {
    for (format, bytes, round_trip) in formats() {
        assert_eq!(round_trip(&bytes).unwrap(), bytes, "{format}");
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            match (format, round_trip(cut)) {
                // What is no activation is kept verbatim; a map may end after any of its features.
                ("activation", kept) => assert_eq!(kept.unwrap(), cut),
                ("map", Ok(kept)) => assert_eq!((kept, length), (cut.to_vec(), 32)),
                (_, Ok(_)) => panic!("{format} cut at {length} decodes"),
                ("archive 1" | "archive 2", Err(error)) => {
                    assert_eq!(error.kind(), FaultKind::Malformed);
                    assert_eq!(error.field(), "footer", "cut at {length}");
                    assert!(error.offset() <= length as u64);
                }
                (_, Err(error)) => {
                    assert_eq!(error.kind(), FaultKind::Truncated, "{format}: {error}");
                    assert!(error.offset() <= length as u64, "{format}: {error}");
                    assert!(error.found().ends_with("left"), "{format}: {error}");
                }
            }
        }
    }
}

#[test]
fn bytes_behind_the_end_are_kept() {
    for (format, mut bytes, round_trip) in formats() {
        if format.starts_with("archive") || format == "map" {
            // The footer is sought from the end; a map's features run to the end.
            continue;
        }
        bytes.extend(b"behind");
        assert_eq!(round_trip(&bytes).unwrap(), bytes, "{format}");
    }
    let mut bytes = small_motion();
    let end = bytes.len() as u64;
    bytes.extend(b"behind");
    let decoded = motion::decode(&bytes).unwrap();
    let deviation = &decoded.deviations.described()[0];
    assert_eq!((&*deviation.field, deviation.offset), ("trailing", end));
    assert_eq!(deviation.found, "6 more bytes");
}

#[test]
fn words_that_lie_are_refused_or_survive() {
    let started = Instant::now();
    for (format, bytes, round_trip) in formats() {
        let mut refused = 0;
        for place in 0..=bytes.len() - 4 {
            for word in WORDS {
                let mut damaged = bytes.clone();
                damaged[place..place + 4].copy_from_slice(&word.to_le_bytes());
                match round_trip(&damaged) {
                    Ok(kept) => assert_eq!(kept, damaged, "{format}, {word:#x} at {place}"),
                    Err(error) => {
                        assert!(error.offset() <= bytes.len() as u64, "{format}: {error}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 0 || format == "activation", "{format}");
    }
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn counts_beyond_the_file_are_named_before_memory_is_taken() {
    let with = |mut bytes: Vec<u8>, place: usize, word: u32| {
        bytes[place..place + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    for count in [1000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        let archive = small_archive(FooterVersion::One);
        let footer = archive.len() - 4;
        let package = small_package();
        let cases = [
            (
                archive::decode(&with(archive, footer, count)).map(drop),
                ("footer", footer - 8),
            ),
            (
                interp::decode(&with(small_interp(), 8, count)).map(drop),
                ("scripts", 12),
            ),
            (
                interp::decode(&with(small_interp(), 268, count)).map(drop),
                ("scripts[0].lines[0].text", 276),
            ),
            (
                motion::decode(&with(small_motion(), 8, count)).map(drop),
                ("parts", 24),
            ),
            (
                motion::decode(&with(small_motion(), 12, count)).map(drop),
                ("parts", 24),
            ),
            (
                motion::decode(&with(small_motion(), 24, count)).map(drop),
                ("parts[0].name", 28),
            ),
            (
                zmap::decode(&with(small_map(), 35, count)).map(drop),
                ("features[0].vertices", 39),
            ),
            (
                package::decode(&with(package.clone(), 8, count)).map(drop),
                ("palettes", 104),
            ),
            (
                package::decode(&with(package.clone(), 12, count)).map(drop),
                ("rows", 24),
            ),
            (
                package::decode(&with(package, 108, count | count << 16)).map(drop),
                ("images[0].texels", 120),
            ),
        ];
        for (result, (field, offset)) in cases {
            let error = result.unwrap_err();
            assert_eq!((error.field(), error.offset()), (field, offset as u64));
        }
    }
}

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
    let config = Config::default();
    let opened = convert::open(OpenContext::new(sniff(bytes, name), name, bytes)).unwrap();
    let mut counter = Counter::default();
    let mut refused = Vec::new();
    for (index, part) in opened.parts(&config).into_iter().enumerate() {
        assert!(part.range.start <= part.range.end && part.range.end <= bytes.len() as u64);
        let member = part.member.unwrap_or_default();
        match part.verdict {
            Disposition::Convert => match opened.convert(index, &config, &mut counter) {
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
    let parts = opened.parts(&Config::default());
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
