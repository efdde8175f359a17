//! Packed files, read by programs that share nothing with ours: Python with its own libraries, and readers
//! written here from the specifications of the formats.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use relicast::asset::{AssetKind, Game};
use relicast::pack::pack;
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::edits;
use relicast_samples::random::Random;
use relicast_testing::needs_program;
use relicast_testing::test;

use crate::random::trial::{Files, Trial};
use crate::random::{surfaces, unpacked};

fn trial(game: Game) -> Trial {
    Trial::new(
        &Files::Sample(relicast_samples::files(game, 1).unwrap()),
        7,
        false,
    )
}

/// Edits all wanted outputs that can be packed, packs, and returns the report of each.
fn packed(trial: &Trial, wanted: impl Fn(&ManifestOutput) -> bool) -> Vec<relicast::pack::Edit> {
    let mut random = Random::new(9);
    for output in trial
        .manifest("out")
        .outputs
        .iter()
        .filter(|output| wanted(output))
    {
        let edit = edits::edit(&trial.path("out"), &output.path, &mut random);
        let edit = edit.unwrap().unwrap();
        if trial.alone(&edit).is_ok() {
            trial.put(&edit);
        }
    }
    let packed = pack(&trial.request()).unwrap();
    assert_eq!(packed.refused, []);
    assert!(!packed.edits.is_empty());
    packed.edits
}

fn python(script: &str, arguments: &[PathBuf]) -> String {
    needs_program("python3", &["--version"]);
    let output = Command::new("python3")
        .args(["-c", script])
        .args(arguments)
        .output();
    let output = output.unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

const ARCHIVE: &str = r#"
import struct, sys, zlib, hashlib
data = open(sys.argv[1], 'rb').read()
start, magic, version = struct.unpack_from('<I4sI', data)
assert magic == b'PFS ', magic
def inflate(at, size):
    out = b''
    while len(out) < size:
        packed, whole = struct.unpack_from('<II', data, at)
        block = zlib.decompress(data[at + 8:at + 8 + packed])
        assert len(block) == whole
        out += block
        at += 8 + packed
    return out
rows = struct.unpack_from('<I', data, start)[0]
files = []
for row in range(rows):
    crc, offset, size = struct.unpack_from('<III', data, start + 4 + row * 12)
    content = inflate(offset, size)
    if crc == 0x61580AC9:
        names = content
    else:
        files.append((offset, content))
at = 4
for offset, content in sorted(files):
    length = struct.unpack_from('<I', names, at)[0]
    name = names[at + 4:at + 4 + length].rstrip(b'\0').decode('latin-1')
    at += 4 + length
    print(name, len(content), hashlib.sha256(content).hexdigest())
"#;

const SOUND: &str = r#"
import sys, wave
with wave.open(sys.argv[1]) as sound:
    frames = sound.readframes(sound.getnframes())
    sys.stdout.write(f'{sound.getnchannels()} {sound.getsampwidth()} {sound.getframerate()} {frames.hex()}')
"#;

/// The members of archives, and the sounds among them.
#[test]
fn archives_of_everquest_are_read_by_zlib_of_python() {
    let trial = trial(Game::Eq);
    let edits = packed(&trial, |output| {
        output.path.ends_with(".wav")
            || (output.path.ends_with(".png") && output.source.ends_with(".s3d"))
    });
    let mut sounds = 0;
    for edit in &edits {
        let archive = trial.path("mod").join(&edit.source);
        let bytes = fs::read(&archive).unwrap();
        let Some(members) = unpacked::members(&bytes) else {
            assert!(edit.member.is_none(), "{edit:?}");
            continue;
        };
        let listed = python(ARCHIVE, &[archive]);
        assert_eq!(listed.lines().count(), members.len());
        let member = &members[edit.member.as_deref().unwrap()];
        let length = format!(" {} ", member.len());
        assert!(
            listed.lines().any(|line| line.contains(&length)),
            "{listed}"
        );
        if edit.output.ends_with(".wav") {
            same_sound(&trial, edit, member);
            sounds += 1;
        }
    }
    assert!(sounds > 0);
}

fn same_sound(trial: &Trial, edit: &relicast::pack::Edit, packed: &[u8]) {
    let place = trial.path("packed.wav");
    fs::write(&place, packed).unwrap();
    let edited = trial.path("out").join(&edit.output);
    if edit.rounding.is_none() {
        assert_eq!(
            python(SOUND, &[place]),
            python(SOUND, &[edited]),
            "{edit:?}"
        );
    }
}

/// Loose sounds of MechWarrior 3.
#[test]
fn loose_sounds_are_read_by_python() {
    let trial = trial(Game::Mw);
    let edits = packed(&trial, |output| {
        output.path.ends_with(".wav") && output.member.is_none()
    });
    for edit in &edits {
        let bytes = fs::read(trial.path("mod").join(&edit.source)).unwrap();
        same_sound(&trial, edit, &bytes);
    }
}

/// Red, green, blue of each texel of a bitmap of 8 or 24 bits, from the specification.
fn bitmap(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let word = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..2], b"BM");
    let (start, header) = (word(10) as usize, word(14) as usize);
    let (width, height) = (word(18) as usize, word(22));
    let bits = usize::from(bytes[28]);
    assert_eq!(word(30), 0, "not compressed");
    let rows = height.unsigned_abs() as usize;
    let stride = (width * bits).div_ceil(32) * 4;
    let mut texels = Vec::new();
    for row in 0..rows {
        let stored = if height > 0 { rows - 1 - row } else { row };
        for column in 0..width {
            let at = start + stored * stride + column * bits / 8;
            let color = match bits {
                8 => 14 + header + usize::from(bytes[at]) * 4,
                24 => at,
                other => panic!("{other} bits"),
            };
            texels.push([bytes[color + 2], bytes[color + 1], bytes[color]]);
        }
    }
    (width as u32, rows as u32, texels)
}

#[test]
fn bitmaps_are_read_by_their_specification() {
    let trial = trial(Game::Eq);
    let edits = packed(&trial, |output| {
        let member = output.member.as_deref().unwrap_or_default();
        output.kind == AssetKind::Textures
            && output.path.ends_with(".png")
            && member.ends_with(".bmp")
    });
    let mut exact = 0;
    for edit in &edits {
        let archive = fs::read(trial.path("mod").join(&edit.source)).unwrap();
        let member = &unpacked::members(&archive).unwrap()[edit.member.as_deref().unwrap()];
        // Pictures in blocks have names of bitmaps too.
        if !member.starts_with(b"BM") {
            continue;
        }
        let (width, height, texels) = bitmap(member);
        let wanted = image::open(trial.path("out").join(&edit.output))
            .unwrap()
            .into_rgba8();
        assert_eq!(wanted.dimensions(), (width, height), "{edit:?}");
        if edit.rounding.is_none() {
            let pairs = wanted.pixels().zip(&texels);
            for (texel, stored) in pairs.filter(|(texel, _)| texel.0[3] == 255) {
                assert_eq!(texel.0[..3], *stored, "{edit:?}");
            }
            exact += 1;
        }
    }
    assert!(exact > 0, "{edits:?}");
}

#[test]
fn surfaces_are_read_by_their_specification() {
    let trial = trial(Game::Eq);
    let edits = packed(&trial, |output| {
        let name = output.member.as_deref().unwrap_or(&output.source);
        let is_picture = output.kind == AssetKind::Textures && output.path.ends_with(".png");
        is_picture && name.ends_with(".dds") && output.source.ends_with(".s3d")
    });
    let mut near = 0;
    let mut all = 0;
    for edit in &edits {
        let file = fs::read(trial.path("mod").join(&edit.source)).unwrap();
        let surface = match &edit.member {
            Some(name) => unpacked::members(&file).unwrap()[name].clone(),
            None => file,
        };
        let (width, height, texels) = surfaces::read(&surface);
        // Archives with scenes have the bottom row first.
        let rows: Vec<_> = texels.chunks(width as usize).rev().collect();
        let texels = rows.concat();
        let wanted = image::open(trial.path("out").join(&edit.output))
            .unwrap()
            .into_rgba8();
        assert_eq!(wanted.dimensions(), (width, height), "{edit:?}");
        // Decoders of blocks round by one or the other.
        let slack = if edit.rounding.is_none() { 4 } else { 255 };
        for (texel, stored) in wanted.pixels().zip(&texels) {
            let parts = texel.0.iter().zip(stored);
            let by = parts.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            let is_hidden = texel.0[3] == 0 && stored[3] == 0;
            assert!(
                is_hidden || by <= slack,
                "{edit:?}: {stored:?}, wanted {texel:?}"
            );
            near += usize::from(is_hidden || by <= 16);
            all += 1;
        }
    }
    assert!(
        all > 0 && near * 10 > all * 6,
        "{near} of {all} texels are as edited"
    );
}

const LIBRARY: &str = r#"
import struct, sys
data = open(sys.argv[1], 'rb').read()
u16 = lambda at: struct.unpack_from('<H', data, at)[0]
u32 = lambda at: struct.unpack_from('<I', data, at)[0]
pe = u32(0x3C)
assert data[:2] == b'MZ' and data[pe:pe + 4] == b'PE\0\0'
count, optional = u16(pe + 6), u16(pe + 20)
assert u16(pe + 24) == 0x10B, 'of 32 bits'
section, file = u32(pe + 24 + 32), u32(pe + 24 + 36)
image = u32(pe + 24 + 56)
sections = []
for number in range(count):
    at = pe + 24 + optional + number * 40
    size, start, raw, place = struct.unpack_from('<IIII', data, at + 8)
    assert start % section == 0 and place % file == 0 and place + raw <= len(data)
    sections.append((start, max(size, raw), place, raw))
sections.sort()
for one, other in zip(sections, sections[1:]):
    assert one[0] + one[1] <= other[0] + section and one[0] < other[0], 'sections overlap'
assert sections[-1][0] + sections[-1][1] <= image + section
def place(address):
    for start, size, at, raw in sections:
        if start <= address < start + size:
            return address - start + at
    raise ValueError(hex(address))
root = place(u32(pe + 24 + 96 + 2 * 8))
texts = []
def walk(at, path):
    named, numbered = u16(at + 12), u16(at + 14)
    for entry in range(named + numbered):
        name, to = u32(at + 16 + entry * 8), u32(at + 20 + entry * 8)
        if to & 0x80000000:
            walk(root + (to & 0x7FFFFFFF), path + [name])
        else:
            address, size = u32(root + to), u32(root + to + 4)
            leaf(path + [name], place(address), size)
def leaf(path, at, size):
    assert at + size <= len(data)
    if path[0] == 6:
        end = at + size
        for number in range(16):
            length = u16(at)
            texts.append(data[at + 2:at + 2 + length * 2].decode('utf-16-le'))
            at += 2 + length * 2
        assert at <= end
    if path[0] == 11:
        for block in range(u32(at)):
            low, high, offset = struct.unpack_from('<III', data, at + 4 + block * 12)
            entry = at + offset
            for message in range(low, high + 1):
                length, wide = u16(entry), u16(entry + 2)
                assert length % 4 == 0 and length >= 4
                text = data[entry + 4:entry + length]
                texts.append(text.decode('utf-16-le' if wide else 'cp1252', 'replace').rstrip('\0').rstrip('\r\n'))
                entry += length
            assert entry <= at + size
walk(root, [])
sys.stdout.reconfigure(encoding='utf-8')
print('\x1e'.join(texts))
"#;

#[test]
fn libraries_are_read_by_the_specification_of_executables() {
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs] {
        let trial = trial(game);
        let manifest = trial.manifest("out");
        let messages = manifest
            .outputs
            .iter()
            .find(|output| output.kind == AssetKind::Messages);
        let messages = messages.unwrap();
        let path = trial.path("out").join(&messages.path);
        let mut document = crate::common::json(&path);
        let mut wanted = Vec::new();
        for (number, entry) in document["entries"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .enumerate()
        {
            let is_shared = wanted
                .iter()
                .any(|(id, _): &(_, String)| *id == entry["id"]);
            if entry["value"].is_string() && wanted.len() < 4 && !is_shared {
                // Keys that share a text say the same.
                let text = format!(
                    "another text, number {number}, {}",
                    "long ".repeat(40).trim_end()
                );
                wanted.push((entry["id"].clone(), text.clone()));
                entry["value"] = text.into();
            }
        }
        for entry in document["entries"].as_array_mut().unwrap() {
            if let Some((_, text)) = wanted.iter().find(|(id, _)| *id == entry["id"]) {
                entry["value"] = text.clone().into();
            }
        }
        write(&path, &document);
        let packed = pack(&trial.request()).unwrap();
        assert_eq!(packed.refused, []);
        let message = python(LIBRARY, &[trial.path("mod").join(&*messages.source)]);
        let texts: Vec<&str> = message.trim_end_matches('\n').split('\u{1e}').collect();
        for (_, text) in wanted {
            assert!(
                texts.iter().any(|found| found.trim_end() == text),
                "{game:?}: {text}: {texts:?}"
            );
        }
    }
}

fn write(path: &Path, document: &serde_json::Value) {
    fs::write(path, serde_json::to_vec(document).unwrap()).unwrap();
}
