//! Surfaces that change their picture.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::formats::zipper::gamez::{self, ModelSlot};
use serde_json::Value;

use super::common::{self, json};
use super::options::floats;

const WORLD: &str = "worlds/zbd/c1/gamez.gltf";

fn document(out: &Path) -> Value {
    json(&out.join(WORLD))
}

/// Converts a world whose texture coordinates stay in their picture.
fn with_tame_world(option: &str, check: impl FnOnce(&Path)) {
    let samples = common::sample_installs(&[Game::Pm]);
    let folder = tempfile::tempdir().unwrap();
    let (install, out) = (folder.path().join("install"), folder.path().join("out"));
    let [from, to] = [samples.path().join("pm"), install.clone()].map(|root| root.join("zbd/c1"));
    fs::create_dir_all(&to).unwrap();
    fs::copy(from.join("rtexture3.zbd"), to.join("rtexture3.zbd")).unwrap();
    let bytes = fs::read(from.join("gamez.zbd")).unwrap();
    let mut world = gamez::decode(&bytes).unwrap().value;
    for slot in &mut world.models.slots {
        let ModelSlot::Used(model) = slot else {
            continue;
        };
        for uv in model
            .polygons
            .iter_mut()
            .flat_map(|polygon| &mut polygon.uvs)
        {
            uv.x.0 = uv.x.0.rem_euclid(1.0);
            uv.y.0 = uv.y.0.rem_euclid(1.0);
        }
    }
    fs::write(to.join("gamez.zbd"), gamez::encode(&world).unwrap()).unwrap();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, format!("[scenes]\n{option}\n")).unwrap();
    let mut command = common::convert(&install, &out, &["-q", "--strict"]);
    command.arg("--config").arg(&settings).assert().success();
    check(&out);
}

#[test]
fn cycles_are_placed_side_by_side_if_asked_to() {
    with_tame_world("", |plain| {
        with_tame_world("cycle_atlas = true", |out| {
            let (before, after) = (document(plain), document(out));
            let buffer = fs::read(out.join(WORLD).with_extension("bin")).unwrap();
            let materials = after["materials"].as_array().unwrap();
            let mut atlases = 0;
            for clip in after["animations"].as_array().unwrap() {
                let target = &clip["channels"][0]["target"]["extensions"];
                let pointer = target["KHR_animation_pointer"]["pointer"].as_str().unwrap();
                let material = pointer.split('/').nth(2).unwrap().parse::<usize>().unwrap();
                let cycle = &materials[material]["extras"]["zipper"]["cycle"];
                let frames = cycle["frames"].as_array().unwrap();
                let assigned = &materials[material]["pbrMetallicRoughness"]["baseColorTexture"];
                let scale = &assigned["extensions"]["KHR_texture_transform"]["scale"][0];
                let count = frames.len() as f64;
                assert!((scale.as_f64().unwrap() * count - 1.0).abs() < 1e-6);

                let sampler = &clip["samplers"][0];
                assert_eq!(sampler["interpolation"], "STEP");
                let values = |key: &str| floats(&buffer, &after, sampler[key].as_u64().unwrap());
                let (times, offsets) = (values("input"), values("output"));
                let speed = cycle["fps"].as_f64().unwrap();
                for (time, offset) in times.iter().zip(offsets.chunks_exact(2)) {
                    let shown = f64::from(*time) * speed + cycle["start"].as_f64().unwrap();
                    let frame = match cycle["loop"].as_bool().unwrap() {
                        true => (shown + 1e-4).floor().rem_euclid(count),
                        false => (shown + 1e-4).floor().min(count - 1.0),
                    };
                    assert!((f64::from(offset[0]) * count - frame).abs() < 1e-4);
                }

                let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
                let texture = &after["textures"][number(&assigned["index"])];
                let image = &after["images"][number(&texture["source"])];
                let view = &after["bufferViews"][number(&image["bufferView"])];
                let png = &buffer[number(&view["byteOffset"])..][..number(&view["byteLength"])];
                let atlas = image::load_from_memory(png).unwrap().to_rgba8();
                for (place, frame) in (0_u32..).zip(frames) {
                    let name = format!("{}.png", frame.as_str().unwrap().to_lowercase());
                    let textures = out.join("textures");
                    let paths = common::files(&textures);
                    let ends = format!("/{name}");
                    let path = paths.iter().find(|path| path.ends_with(&ends)).unwrap();
                    let picture = image::open(textures.join(path)).unwrap().to_rgba8();
                    let width = atlas.width() / frames.len() as u32;
                    let across = width / picture.width();
                    let down = atlas.height() / picture.height();
                    assert!(across > 0 && down > 0);
                    for (x, y, texel) in picture.enumerate_pixels() {
                        for (right, under) in [(0, 0), (across - 1, down - 1)] {
                            let x = place * width + x * across + right;
                            let found = atlas.get_pixel(x, y * down + under);
                            assert_eq!(found, texel, "{name} at {x} {y}");
                        }
                    }
                }
                atlases += 1;
            }
            let names = |document: &Value| {
                let images = document["images"].as_array().unwrap().clone();
                images.iter().filter(|image| image["uri"].is_null()).count()
            };
            assert_eq!(names(&before), 0);
            assert!(atlases > 0 && names(&after) > 0);
        });
    });
}
