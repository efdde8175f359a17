//! Motions and packages of Zipper's games that ask for much more than they need.

use relicast::formats::codec::{Blob, F32, PaddedText, QuatWxyz, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::archive::{self, Archive, Entry};
use relicast::formats::zipper::gamez::{self, Model, ModelSlot, PerCorner, Polygon};
use relicast::formats::zipper::motion::{self, Motion, Part, PartFlags};
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, Package, Row};
use relicast_testing::test;

use relicast::pipeline::report::{Report, Status};
use relicast_samples::minimal::worlds;

use super::{ALLOWED, Bomb, run};

/// A package of `count` motions of one part, each with `frames` frames in `seconds`.
fn motions(count: usize, frames: u32, seconds: f32) -> Vec<u8> {
    let samples = frames as usize + 1;
    let mut value = Motion {
        parts: vec![Part {
            name: Blob::from(b"hips".to_vec()),
            flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
            translations: vec![Vec3::default(); samples],
            rotations: vec![QuatWxyz::default(); samples],
        }],
        ..Motion::default()
    };
    value.header.version = 4;
    value.header.loop_time = F32(seconds);
    value.header.frame_count = frames;
    value.header.unk16 = F32(-1.0);
    value.header.unk20 = F32(1.0);
    let bytes = motion::encode(&value).unwrap();
    let entries = (0..count).map(|number| {
        let mut entry = Entry {
            data: Blob::from(bytes.clone()),
            ..Entry::default()
        };
        entry.row.name = PaddedText::new(&format!("bomb_{number}")).unwrap();
        entry
    });
    let package = Archive {
        entries: entries.collect(),
        ..Archive::default()
    };
    archive::encode(&package).unwrap()
}

#[test]
fn two_hundred_endless_motions_are_failures_that_name_their_limit() {
    let bomb = Bomb::new("motion.zbd", &motions(200, 2, 1000.0));
    bomb.converts_to_failure("bomb_199", "limits.clip_seconds");
}

#[test]
fn two_hundred_long_motions_are_held_to_memory() {
    let bomb = Bomb::new("motion.zbd", &motions(200, 9_000, 899.0));
    let out = bomb.out();
    let ended = run(&[
        "convert",
        bomb.input(),
        "--out",
        out.to_str().unwrap(),
        "-q",
    ]);
    assert_eq!(ended.code, Some(0), "{}", ended.printed);
    assert!(ended.peak < ALLOWED, "{} MiB", ended.peak >> 20);
}

#[test]
fn proving_a_large_package_takes_no_copies_of_it() {
    let side = 1024;
    let texels = vec![0x55; usize::from(side) * usize::from(side) * 2];
    let mut value = Package::default();
    value.directory.header.version = 1;
    for number in 0..100 {
        let mut image = Image {
            texels: Blob::from(texels.clone()),
            ..Image::default()
        };
        image.header.flags = ImageFlags::TWO_BYTES | ImageFlags::OPAQUE;
        (image.header.width, image.header.height) = (side, side);
        value.images.push(image);
        value.directory.rows.push(Row {
            name: PaddedText::new(&format!("bomb_{number}")).unwrap(),
            palette_index: -1,
            ..Row::default()
        });
    }
    let bytes = package::encode(&value).unwrap();
    drop(value);
    let bomb = Bomb::new("texture.zbd", &bytes);
    assert!(bytes.len() > 200 << 20);
    drop(bytes);
    bomb.stays_within_bounds(&["prove"], &[0]);
}

#[test]
fn a_world_that_is_listed_and_too_large_to_convert_names_its_limit() {
    let mut world = worlds::gamez(ZipperGame::Recoil);
    let polygon = Polygon {
        vertex_indices: PerCorner::from_slice(&[0, 1, 2]),
        materials: PerCorner::from_elem(0, 1),
        ..Polygon::default()
    };
    let model = Model {
        vertices: vec![Vec3::default(); 3],
        polygons: vec![polygon; 10_000],
        ..Model::default()
    };
    let models = &mut world.models;
    models
        .slots
        .retain(|slot| matches!(slot, ModelSlot::Used(_)));
    models.array.index_free = -1;
    // Each of them needs some two megabytes.
    models
        .slots
        .extend((0..24).map(|_| ModelSlot::Used(Box::new(model.clone()))));
    let bomb = Bomb::new("gamez.zbd", &gamez::encode(&world).unwrap());
    let settings = bomb.folder.path().join("settings.toml");
    std::fs::write(&settings, "[limits]\nmemory_mib = 64\n").unwrap();
    let out = bomb.out();
    let [out_path, settings] = [&out, &settings].map(|path| path.to_str().unwrap());
    let arguments = [
        "convert",
        bomb.input(),
        "--out",
        out_path,
        "-q",
        "--config",
        settings,
    ];
    let ended = run(&arguments);
    assert_eq!(ended.code, Some(2), "{}", ended.printed);
    assert!(
        ended.printed.contains("limits.memory_mib"),
        "{}",
        ended.printed
    );
    let report = std::fs::read(out.join("report.json")).unwrap();
    let report: Report = serde_json::from_slice(&report).unwrap();
    let parts = &report.sources[0].items;
    assert!(!parts.is_empty());
    for part in parts {
        assert_eq!(part.status, Status::Failed);
        let reason = &part.reason.as_ref().unwrap().text;
        assert!(reason.contains("limits.memory_mib"), "{reason}");
    }
}
