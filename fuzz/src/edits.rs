//! Packing of structured edits: edits of outputs of every kind of every game that a program could have made, for any
//! bytes that describe them. They are packed or refused; a dry run writes nothing.
//!
//! The first byte selects the game, the next two the output among those of the sort; the others are the edit.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroU16;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, PoisonError};

use image::{ImageFormat, RgbaImage};
use relicast::config::{Config, SoundFormat};
use relicast::emit::{encode_flac, encode_wav};
use relicast::pack::{self, Request as PackRequest};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::report::manifest::{self, Manifest};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast::scene::{Samples, Sound};
use relicast_samples::GAMES;
use relicast_samples::edits::leaves;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Largest size of a side in texels, and largest number of frames.
const MAX_COUNT: usize = 300;

/// A sample with its outputs, for one edit at a time.
struct Place {
    folder: TempDir,
    outputs: Vec<String>,
}

static PLACES: [LazyLock<Mutex<Place>>; 5] = [
    LazyLock::new(|| place(0)),
    LazyLock::new(|| place(1)),
    LazyLock::new(|| place(2)),
    LazyLock::new(|| place(3)),
    LazyLock::new(|| place(4)),
];

fn place(game: usize) -> Mutex<Place> {
    let folder = tempfile::tempdir().expect("a folder");
    let (install, out) = (folder.path().join("install"), folder.path().join("out"));
    let files = relicast_samples::files(GAMES[game], 1).expect("a sample");
    relicast_samples::write_files(&install, &files).expect("its files");
    let mut config = Config::default();
    config.video.enabled = false;
    config.raw.enabled = true;
    config.sounds.format = SoundFormat::Both;
    let request = Request {
        inputs: vec![install],
        out: out.clone(),
        config,
        ..Request::default()
    };
    convert(&request, &Unobserved, &AtomicBool::new(false)).expect("outputs");
    let manifest = fs::read(out.join(manifest::FILE_NAME)).expect("a manifest");
    let manifest: Manifest = serde_json::from_slice(&manifest).expect("a manifest");
    let outputs = manifest.outputs.into_iter().map(|output| output.path);
    Mutex::new(Place {
        folder,
        outputs: outputs.collect(),
    })
}

/// Sequential bytes; zeros when there are no more.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or_default()
    }

    fn short(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    fn float(&mut self) -> f32 {
        let bits = [self.byte(), self.byte(), self.byte(), self.byte()];
        Some(f32::from_le_bytes(bits))
            .filter(|float| float.is_finite())
            .unwrap_or(1e30)
    }

    fn is_empty(&self) -> bool {
        self.0.len() == 0
    }
}

/// Edits the output that the first bytes select among those with one of the endings, packs, and restores it.
fn edit(
    bytes: &[u8],
    endings: &[&str],
    change: impl FnOnce(Vec<u8>, &str, &mut Bytes<'_>) -> Vec<u8>,
) {
    let mut bytes = Bytes(bytes.iter());
    let place = &PLACES[usize::from(bytes.byte()) % PLACES.len()];
    let place = place.lock().unwrap_or_else(PoisonError::into_inner);
    let has_ending = |path: &&String| endings.iter().any(|ending| path.ends_with(ending));
    let outputs: Vec<&String> = place.outputs.iter().filter(has_ending).collect();
    let path = outputs[bytes.short() % outputs.len()];
    let output = place.folder.path().join("out").join(path);
    let before = fs::read(&output).expect("an output");
    let content = change(before.clone(), path, &mut bytes);
    fs::write(&output, &content).expect("an edit");
    let at = |name: &str| place.folder.path().join(name);
    let packed = pack::pack(&PackRequest {
        check: true,
        ..PackRequest::new(&at("out"), &at("install"), &at("mod"))
    });
    fs::write(&output, &before).expect("the output again");
    let packed = packed.expect("an edit is packed or refused");
    let reported = packed.edits.len() + packed.unedited.len() + packed.refused.len();
    assert_eq!(reported, usize::from(content != before), "{path}");
    assert!(packed.refused.is_empty() || packed.files.is_empty());
    assert!(!at("mod").exists());
    for (path, refusal) in packed.refused {
        let refusal = refusal.to_string();
        // Faults of a value are reported with its path.
        let names_value = refusal.starts_with("$.") || refusal.starts_with("$[");
        assert!(
            !names_value || refusal.contains("line "),
            "{path}: {refusal}"
        );
    }
}

/// Documents: values change to any type, items and keys are added and removed.
pub fn documents(bytes: &[u8]) {
    edit(bytes, &[".json"], |before, _, bytes| {
        let mut document: Value = serde_json::from_slice(&before).expect("a document");
        for _ in 0..8 {
            if bytes.is_empty() {
                break;
            }
            alter(&mut document, bytes);
        }
        serde_json::to_vec(&document).expect("a document")
    });
}

fn alter(document: &mut Value, bytes: &mut Bytes<'_>) {
    let mut pointers = Vec::new();
    leaves(document, String::new(), &mut pointers);
    let Some(pointer) = pointers.get(bytes.short() % pointers.len().max(1)).cloned() else {
        return;
    };
    let sort = bytes.byte();
    let parent = pointer
        .rsplit_once('/')
        .map_or("", |(parent, _)| parent)
        .to_owned();
    match sort % 12 {
        0 => put(document, &pointer, json!(bytes.float())),
        1 => put(document, &pointer, json!(bytes.byte() as i8)),
        2 => put(
            document,
            &pointer,
            json!(i64::from(bytes.float().to_bits() as i32) << (sort & 16)),
        ),
        3 => put(
            document,
            &pointer,
            json!(u64::MAX - u64::from(bytes.byte())),
        ),
        4 => {
            let length = usize::from(bytes.byte());
            let text: String = (0..length).map(|_| char::from(bytes.byte())).collect();
            put(document, &pointer, json!(text));
        }
        5 => put(document, &pointer, json!("Ж\u{0}\u{10FFFF}")),
        6 => put(document, &pointer, Value::Null),
        7 => put(document, &pointer, json!(sort & 16 == 0)),
        8 => put(document, &pointer, json!([bytes.byte(), {"a": []}])),
        9 => match document.pointer_mut(&parent) {
            Some(Value::Array(items)) => drop(items.pop()),
            Some(Value::Object(fields)) => {
                let last = fields.keys().next_back().cloned();
                last.and_then(|last| fields.remove(&last));
            }
            _ => {}
        },
        10 => match document.pointer_mut(&parent) {
            Some(Value::Array(items)) => items.extend(items.last().cloned()),
            Some(Value::Object(fields)) => drop(fields.insert("other".to_owned(), json!(1))),
            _ => {}
        },
        _ => match document.pointer_mut(&parent) {
            Some(Value::Array(items)) => items.reverse(),
            Some(other) => *other = json!({}),
            None => {}
        },
    }
}

fn put(document: &mut Value, pointer: &str, new: Value) {
    if let Some(value) = document.pointer_mut(pointer) {
        *value = new;
    }
}

/// Pictures of every form: texels with any colors and alphas, of any size.
pub fn pictures(bytes: &[u8]) {
    edit(bytes, &[".png"], |before, _, bytes| {
        let mut picture = image::load_from_memory(&before)
            .expect("a picture")
            .into_rgba8();
        if bytes.byte() & 7 == 0 {
            let (width, height) = (bytes.short() % MAX_COUNT, bytes.short() % MAX_COUNT);
            let side = |side: usize| u32::try_from(side).expect("it is small").max(1);
            picture = RgbaImage::from_fn(side(width), side(height), |x, y| {
                *picture.get_pixel(x % picture.width(), y % picture.height())
            });
        }
        let (width, height) = picture.dimensions();
        while !bytes.is_empty() {
            let start = bytes.short() as u32 % (width * height);
            let color = image::Rgba([bytes.byte(), bytes.byte(), bytes.byte(), bytes.byte()]);
            for at in start..(start + u32::from(bytes.byte())).min(width * height) {
                picture.put_pixel(at % width, at / width, color);
            }
        }
        let mut png = Cursor::new(Vec::new());
        picture
            .write_to(&mut png, ImageFormat::Png)
            .expect("a picture");
        png.into_inner()
    });
}

/// Sounds in both forms: any samples, channels and rate.
pub fn sounds(bytes: &[u8]) {
    edit(bytes, &[".wav", ".flac"], |_, path, bytes| {
        let form = bytes.byte();
        let channels = NonZeroU16::new(1 + u16::from(form & 3)).expect("it is above 0");
        let rate = 1 + u32::try_from(bytes.short()).expect("it is small");
        let count = (bytes.short() % MAX_COUNT) * usize::from(channels.get()) * 2;
        let start = bytes.byte();
        let mut noise: Vec<u8> = (0..count).map(|_| bytes.byte()).collect();
        if form & 4 != 0 {
            noise
                .iter_mut()
                .for_each(|sample| *sample = sample.wrapping_add(start));
        }
        let samples = match form & 8 {
            0 => Samples::U8(noise.into()),
            _ => Samples::I16Le(noise.into()),
        };
        let sound = Sound::new(channels, rate, samples);
        let encoded = match path.ends_with(".wav") {
            true => encode_wav(&sound).map(|bytes| bytes.into_owned()).ok(),
            false => encode_flac(&sound, &[]).ok(),
        };
        encoded.unwrap_or_default()
    });
}

/// Scenes: nodes with changed positions and names, triangles with changed numbers, buffers with changed bytes.
pub fn scenes(bytes: &[u8]) {
    edit(bytes, &[".gltf", ".bin"], |before, path, bytes| {
        if path.ends_with(".bin") {
            let mut buffer = before;
            while !bytes.is_empty() && !buffer.is_empty() {
                let at = bytes.short() % buffer.len();
                let new = bytes.float().to_le_bytes();
                let whole = at / 4 * 4;
                buffer
                    .iter_mut()
                    .skip(whole)
                    .zip(new)
                    .for_each(|(old, new)| *old = new);
            }
            return buffer;
        }
        let mut scene: Value = serde_json::from_slice(&before).expect("a scene");
        for _ in 0..6 {
            if bytes.is_empty() {
                break;
            }
            match bytes.byte() % 4 {
                0 => alter(&mut scene, bytes),
                sort => turn(&mut scene, sort, bytes),
            }
        }
        serde_json::to_vec(&scene).expect("a scene")
    });
}

/// Changes a property of a node.
fn turn(scene: &mut Value, sort: u8, bytes: &mut Bytes<'_>) {
    let Some(nodes) = scene["nodes"]
        .as_array_mut()
        .filter(|nodes| !nodes.is_empty())
    else {
        return;
    };
    let chosen = bytes.short() % nodes.len();
    let mut floats = |count: usize| -> Value { (0..count).map(|_| bytes.float()).collect() };
    let (key, new) = match sort {
        1 => ("translation", floats(3)),
        2 => ("rotation", floats(4)),
        _ => ("scale", floats(3)),
    };
    nodes[chosen][key] = new;
}

/// Edits of outputs of each game, each a few bytes.
fn choices(edits: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (game, edit) in (0_u8..10).zip(edits.iter().cycle()) {
        let output = [game % 5, game.wrapping_mul(23), 0];
        seeds.push([&output, *edit].concat());
    }
    seeds
}

/// Edits of documents.
pub fn document_seeds() -> Vec<Vec<u8>> {
    choices(&[
        &[3, 0, 0, 0, 0, 128, 63],
        &[9, 1, 1, 7, 2, 0, 7],
        &[20, 0, 4, 4, b'd', b'o', b'o', b'r', 5, 0, 6],
        &[7, 0, 9, 1, 0, 10],
        &[40, 0, 2, 1, 2, 3, 4, 1, 0, 11],
        &[60, 1, 5, 2, 2, 8, 9],
    ])
}

/// Edits of pictures.
pub fn picture_seeds() -> Vec<Vec<u8>> {
    choices(&[
        &[1, 5, 0, 255, 0, 132, 255, 9],
        &[1, 0, 0, 1, 2, 3, 0, 200, 9, 0, 8, 8, 8, 128, 3],
        &[8, 40, 0, 30, 0, 7, 0, 9, 9, 9, 255, 1],
    ])
}

/// Edits of sounds.
pub fn sound_seeds() -> Vec<Vec<u8>> {
    choices(&[
        &[0, 0x11, 0x2B, 5, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        &[9, 0x22, 0x56, 40, 0, 1, 200, 3, 1, 250],
        &[14, 0x40, 0x1F, 255, 0, 7],
    ])
}

/// Edits of scenes.
pub fn scene_seeds() -> Vec<Vec<u8>> {
    choices(&[
        &[1, 2, 0, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 128, 63],
        &[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63],
        &[
            0, 9, 0, 0, 0, 0, 128, 63, 3, 1, 0, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 64,
        ],
    ])
}
