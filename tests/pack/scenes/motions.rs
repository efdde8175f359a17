//! Motions of 'mechs, edited as animations of their models.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

use relicast::asset::Game;
use relicast::config::RestPose;
use relicast::pack::{Request as PackRequest, pack};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common::files;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

const GAMES: [Game; 2] = [Game::Mw, Game::Pm];

fn place(game: Game) -> Place {
    Place::new(&relicast_samples::files(game, 1).unwrap())
}

/// A model that moves.
fn model(place: &Place) -> (String, Scene) {
    let mut scenes = place.scenes().into_iter().map(|output| {
        let scene = Scene::open(&place.out(&output.path));
        (output.path, scene)
    });
    scenes
        .find(|(path, scene)| path.starts_with("models/") && scene.json["animations"].is_array())
        .unwrap()
}

/// Accessors of keys and values of a channel that is not constant: of the first animation that has one.
fn moving(scene: &Scene, moves: &str) -> (usize, usize, usize, usize) {
    let animations = scene.json["animations"].as_array().unwrap();
    for (number, animation) in animations.iter().enumerate() {
        for (place, channel) in animation["channels"].as_array().unwrap().iter().enumerate() {
            let sampler = channel["sampler"].as_u64().unwrap() as usize;
            let of = |key: &str| animation["samplers"][sampler][key].as_u64().unwrap() as usize;
            let count = scene.json["accessors"][of("input")]["count"]
                .as_u64()
                .unwrap();
            if channel["target"]["path"] == moves && count > 2 {
                return (number, place, of("input"), of("output"));
            }
        }
    }
    panic!("nothing moves by {moves}");
}

fn set_sampler(scene: &mut Scene, animation: usize, channel: usize, key: &str, accessor: usize) {
    let animation = &mut scene.json["animations"][animation];
    let sampler = animation["channels"][channel]["sampler"].as_u64().unwrap() as usize;
    animation["samplers"][sampler][key] = accessor.into();
}

fn after(place: &Place, path: &str) -> Scene {
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

/// Rows of a channel of the packed model, found by the names of the animation and the node.
fn rows<const N: usize>(
    found: &Scene,
    scene: &Scene,
    animation: usize,
    channel: usize,
) -> Vec<[f32; N]> {
    let wanted = &scene.json["animations"][animation];
    let target = &wanted["channels"][channel]["target"];
    let animations = found.json["animations"].as_array().unwrap();
    let clip = animations
        .iter()
        .find(|clip| clip["name"] == wanted["name"])
        .unwrap();
    let channels = clip["channels"].as_array().unwrap();
    let channel = channels
        .iter()
        .find(|channel| channel["target"] == *target)
        .unwrap();
    let sampler = channel["sampler"].as_u64().unwrap() as usize;
    found.floats(clip["samplers"][sampler]["output"].as_u64().unwrap() as usize)
}

#[test]
fn translations_of_keys_are_packed_and_return_to_the_same_bytes() {
    for game in GAMES {
        let place = place(game);
        let (path, mut scene) = model(&place);
        let (animation, channel, _, output) = moving(&scene, "translation");
        let old = scene.floats::<3>(output);
        let raised: Vec<_> = old.iter().map(|[x, y, z]| [*x, y + 0.5, *z]).collect();
        let new = scene.add_floats(&raised);
        set_sampler(&mut scene, animation, channel, "output", new);
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?} {:?}", packed.files);
        assert!(packed.files[0].0.ends_with("motion.zbd"));
        let found = after(&place, &path);
        assert_eq!(rows::<3>(&found, &scene, animation, channel), raised);
        let back = Place::copy_of(&place.path("modded"));
        let mut scene = Scene::open(&back.out(&path));
        let (animation, channel, _, output) = moving(&scene, "translation");
        assert_eq!(scene.floats::<3>(output), raised);
        let new = scene.add_floats(&old);
        set_sampler(&mut scene, animation, channel, "output", new);
        scene.save();
        back.pack();
        for path in files(&back.path("mod")) {
            if path.ends_with(".zbd") {
                let (one, other) = (
                    back.path("mod").join(&path),
                    place.path("install").join(&path),
                );
                assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap());
            }
        }
    }
}

#[test]
fn rotations_and_more_frames_are_packed() {
    for game in GAMES {
        let place = place(game);
        let (path, mut scene) = model(&place);
        let (animation, channel, input, output) = moving(&scene, "rotation");
        let (times, turns) = (scene.floats::<1>(input), scene.floats::<4>(output));
        // A key between each two, turned further about x.
        let mut new_times = Vec::new();
        let mut new_turns = Vec::new();
        let turned = |[x, y, z, w]: [f32; 4]| {
            let (sine, cosine) = 0.25_f32.sin_cos();
            [
                cosine * x + sine * w,
                cosine * y - sine * z,
                cosine * z + sine * y,
                cosine * w - sine * x,
            ]
        };
        for key in 0..times.len() {
            if key > 0 {
                new_times.push([(times[key - 1][0] + times[key][0]) / 2.0]);
                new_turns.push(turned(turns[key - 1]));
            }
            new_times.push(times[key]);
            new_turns.push(turned(turns[key]));
        }
        let (keys, values) = (scene.add_floats(&new_times), scene.add_floats(&new_turns));
        set_sampler(&mut scene, animation, channel, "input", keys);
        set_sampler(&mut scene, animation, channel, "output", values);
        scene.save();
        place.pack();
        let found = after(&place, &path);
        let shown = rows::<4>(&found, &scene, animation, channel);
        assert_eq!(shown.len(), new_turns.len(), "{game:?}");
        for (one, other) in shown.iter().zip(&new_turns) {
            let cosine: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
            assert!(cosine.abs() > 1.0 - 1e-5, "{game:?} {one:?} {other:?}");
        }
    }
}

/// Keys as written by a program that counts in frames of its own, 24 per second.
fn resampled(scene: &mut Scene) {
    scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
    let count = scene.json["animations"].as_array().unwrap().len();
    for animation in 0..count {
        let clip = scene.json["animations"][animation].clone();
        scene.json["animations"][animation]
            .as_object_mut()
            .unwrap()
            .remove("extras");
        for (channel, target) in clip["channels"].as_array().unwrap().iter().enumerate() {
            let sampler = target["sampler"].as_u64().unwrap() as usize;
            let of = |key: &str| clip["samplers"][sampler][key].as_u64().unwrap() as usize;
            let times = scene.floats::<1>(of("input"));
            let end = times.last().unwrap()[0];
            let frames = (end * 24.0).ceil() as usize;
            let keys: Vec<[f32; 1]> = (0..=frames).map(|frame| [frame as f32 / 24.0]).collect();
            let place = |[time]: [f32; 1]| {
                let next = times
                    .iter()
                    .position(|key| key[0] >= time)
                    .unwrap_or(times.len() - 1);
                let before = next.saturating_sub(1);
                let span = times[next][0] - times[before][0];
                let part = if span > 0.0 {
                    (time - times[before][0]) / span
                } else {
                    1.0
                };
                (before, next, part.clamp(0.0, 1.0))
            };
            fn mixed<const N: usize>(
                rows: &[[f32; N]],
                (before, next, part): (usize, usize, f32),
                sign: f32,
            ) -> [f32; N] {
                std::array::from_fn(|at| {
                    sign * (rows[before][at] + (rows[next][at] - rows[before][at]) * part)
                })
            }
            let output = of("output");
            let values = match target["target"]["path"].as_str() {
                Some("rotation") => {
                    let rows = scene.floats::<4>(output);
                    let rows: Vec<[f32; 4]> = keys
                        .iter()
                        .map(|key| {
                            // Of length 1, and with the other sign.
                            let row = mixed(&rows, place(*key), -1.0);
                            let length = row.iter().map(|part| part * part).sum::<f32>().sqrt();
                            row.map(|part| part / length)
                        })
                        .collect();
                    scene.add_floats(&rows)
                }
                _ => {
                    let rows = scene.floats::<3>(output);
                    let rows: Vec<[f32; 3]> = keys
                        .iter()
                        .map(|key| mixed(&rows, place(*key), 1.0))
                        .collect();
                    scene.add_floats(&rows)
                }
            };
            let input = scene.add_floats(&keys);
            set_sampler(scene, animation, channel, "input", input);
            set_sampler(scene, animation, channel, "output", values);
        }
    }
}

#[test]
fn keys_of_another_program_are_found_again() {
    for game in GAMES {
        let place = place(game);
        let (path, mut scene) = model(&place);
        resampled(&mut scene);
        scene.save();
        let packed = place.pack();
        assert!(
            packed.files.is_empty() && !packed.unedited.is_empty(),
            "{game:?}"
        );
        let (animation, channel, _, output) = moving(&scene, "translation");
        let raised: Vec<_> = scene
            .floats::<3>(output)
            .iter()
            .map(|[x, y, z]| [*x, y + 0.5, *z])
            .collect();
        let new = scene.add_floats(&raised);
        set_sampler(&mut scene, animation, channel, "output", new);
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let reported = packed.edits[0].rounding.clone().unwrap();
        assert!(reported.contains("motions are shared"), "{reported}");
        let before = Scene::open(&{
            place.convert("install", "before");
            place.path("before").join(&path)
        });
        let found = after(&place, &path);
        let (old, new) = (
            rows::<3>(&before, &scene, animation, channel),
            rows::<3>(&found, &scene, animation, channel),
        );
        assert_eq!(old.len(), new.len());
        for (old, new) in old.iter().zip(&new) {
            assert!(
                (new[1] - old[1] - 0.5).abs() < 0.02,
                "{game:?} {old:?} {new:?}"
            );
        }
    }
}

#[test]
fn a_motion_that_poses_the_model_takes_the_pose_with_it() {
    for game in GAMES {
        let place = place(game);
        fs::remove_dir_all(place.path("out")).unwrap();
        let request = Request {
            inputs: vec![place.path("install")],
            out: place.path("out"),
            ..Request::default()
        };
        convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
        let (_, mut scene) = model(&place);
        // Whichever of them poses it.
        let count = scene.json["animations"].as_array().unwrap().len();
        for animation in 0..count {
            let clip = scene.json["animations"][animation].clone();
            let channels = clip["channels"].as_array().unwrap().iter().enumerate();
            let names = |target: &Value| {
                let node = target["target"]["node"].as_u64().unwrap() as usize;
                scene.nodes()[node]["name"].as_str().unwrap().to_owned()
            };
            let hips = channels.filter(|(_, channel)| {
                channel["target"]["path"] == "translation" && names(channel) == "hip"
            });
            let hips: Vec<usize> = hips.map(|(place, _)| place).collect();
            for channel in hips {
                let sampler = clip["channels"][channel]["sampler"].as_u64().unwrap() as usize;
                let output = clip["samplers"][sampler]["output"].as_u64().unwrap() as usize;
                let rows = scene.floats::<3>(output);
                let rows: Vec<_> = rows.iter().map(|[x, y, z]| [*x, y + 1.0, *z]).collect();
                let new = scene.add_floats(&rows);
                set_sampler(&mut scene, animation, channel, "output", new);
            }
        }
        scene.save();
        let packed = place.pack();
        let mut reported = packed
            .edits
            .iter()
            .filter_map(|edit| edit.rounding.as_ref());
        assert!(
            reported.any(|reported| reported.contains("the edited motion's start")),
            "{game:?} {:?}",
            packed.edits
        );
        assert_eq!(packed.files.len(), 1);
    }
}

#[test]
fn a_scene_shows_that_a_motion_it_shows_was_edited_as_well() {
    let place = place(Game::Mw);
    let (path, mut scene) = model(&place);
    let motion = scene.json["animations"][0]["extras"]["zipper"]["source"]
        .as_str()
        .unwrap()
        .to_owned();
    let motion = format!("animations/{}.json", motion.replace(".zbd/", "/"));
    let mut document = crate::common::json(&place.out(&motion));
    let turned = document
        .pointer_mut("/parts/0/frames/0/rotation/z")
        .unwrap();
    *turned = json!(0.3125);
    fs::write(place.out(&motion), serde_json::to_vec(&document).unwrap()).unwrap();
    let node = scene.objects()[0];
    scene.set(node, "translation", [1.5, 0.25, 2.0]);
    scene.save();
    let packed = place.pack();
    let reported = |path: &str| {
        let edit = packed.edits.iter().find(|edit| edit.output == path);
        edit.unwrap().rounding.clone().unwrap_or_default()
    };
    assert!(
        reported(&path).contains("it also shows the edit of"),
        "{:?}",
        packed.edits
    );
    assert!(
        !reported(&motion).contains("it also shows the edit of"),
        "{:?}",
        packed.edits
    );
}

/// Nodes that an animation keeps where they are.
fn still(scene: &Scene) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for animation in scene.json["animations"].as_array().into_iter().flatten() {
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = channel["sampler"].as_u64().unwrap() as usize;
            let output = &animation["samplers"][sampler]["output"];
            let is_still = channel["target"]["path"] == "translation" && {
                let rows = scene.floats::<3>(output.as_u64().unwrap() as usize);
                rows.windows(2).all(|pair| pair[0] == pair[1])
            };
            if is_still {
                found.insert(channel["target"]["node"].as_u64().unwrap() as usize);
            }
        }
    }
    found
}

#[test]
fn a_part_that_a_motion_keeps_where_it_is_stored_goes_elsewhere_and_back() {
    let mut returned = 0;
    for game in GAMES {
        let files = relicast_samples::files(game, 1).unwrap();
        let place = Place::with(&files, |config| {
            config.models.rest_pose = RestPose::Motion;
        });
        for output in place.scenes() {
            let path = output.path;
            let before = Scene::open(&place.out(&path));
            let nodes = still(&before);
            if nodes.is_empty() {
                continue;
            }
            let scene_files = [&*path, &path.replace(".gltf", ".bin")]
                .map(|path| (path.to_owned(), fs::read(place.out(path)).unwrap()));
            for node in nodes {
                let mut scene = Scene::open(&place.out(&path));
                let at = scene.vector(node, "translation", [0.0; 3]);
                scene.set(node, "translation", [at[0] + 0.5, at[1], at[2] - 0.25]);
                scene.save();
                let packed = pack(&place.request()).unwrap();
                if packed.refused.is_empty() {
                    returned += 1;
                    place.convert_packed();
                    for (path, bytes) in &scene_files {
                        fs::write(place.path("after").join(path), bytes).unwrap();
                    }
                    assert_returns(&place, &path, &before);
                }
                for (path, bytes) in &scene_files {
                    fs::write(place.out(path), bytes).unwrap();
                }
                for folder in ["mod", "modded", "after", "back", "again"] {
                    fs::remove_dir_all(place.path(folder)).ok();
                }
            }
        }
    }
    assert!(returned > 0, "some part is at its stored place");
}

/// Packs the outputs in `after`: the packed files then show a scene as it was before.
fn assert_returns(place: &Place, path: &str, before: &Scene) {
    let [out, install, to] = ["after", "modded", "back"].map(|folder| place.path(folder));
    let undone = pack(&PackRequest::new(&out, &install, &to)).unwrap();
    assert_eq!(undone.refused, [], "{path}");
    for (file, _) in &undone.files {
        fs::copy(to.join(file), install.join(file)).unwrap();
    }
    place.convert("modded", "again");
    let again = Scene::open(&place.path("again").join(path));
    for node in 0..before.nodes().len() {
        let at = |scene: &Scene| scene.vector(node, "translation", [0.0; 3]);
        let (was, is) = (at(before), at(&again));
        assert!(near(was, is, 1e-5), "{path} {node}: {is:?}");
    }
}

#[test]
fn a_renamed_clip_of_another_program_keeps_the_name_of_the_game() {
    let place = place(Game::Mw);
    let (_, mut scene) = model(&place);
    resampled(&mut scene);
    let old = scene.json["animations"][0]["name"]
        .as_str()
        .unwrap()
        .to_owned();
    scene.json["animations"][0]["name"] = "dance".into();
    scene.save();
    let packed = place.pack();
    assert!(packed.files.is_empty());
    let said = format!("{:?}", packed.edits);
    assert!(said.contains(&format!("new name of clip {old}")), "{said}");
}

#[test]
fn a_clip_that_another_program_deleted_stays_and_is_named() {
    let place = place(Game::Mw);
    let (_, mut scene) = model(&place);
    resampled(&mut scene);
    let clips = scene.json["animations"].as_array_mut().unwrap();
    let clip = clips.remove(0);
    let old = clip["name"].as_str().unwrap().to_owned();
    // An object keeps its part of the clip, under another name.
    let mut part = clip;
    part["name"] = format!("{old}_hip").into();
    part["channels"].as_array_mut().unwrap().truncate(1);
    clips.push(part);
    scene.save();
    let packed = place.pack();
    assert!(packed.files.is_empty());
    let said = format!("{:?}", packed.edits);
    assert!(
        said.contains(&format!("the deletion of clip {old}")),
        "{said}"
    );
    assert!(!said.contains("new clip"), "{said}");
}

#[test]
fn what_motions_do_not_say_is_refused() {
    let reason = |edit: &dyn Fn(&mut Scene)| {
        let place = place(Game::Mw);
        let (_, mut scene) = model(&place);
        edit(&mut scene);
        scene.save();
        place.refused()[0].1.clone()
    };
    let found = reason(&|scene| {
        scene.json["animations"][0]["extras"]["zipper"]["source"] = "zbd/motion.zbd/other".into();
    });
    assert!(found.contains("animation"), "{found}");
    let found = reason(&|scene| {
        scene.json["animations"][0]["name"] = "dance".into();
    });
    assert!(found.contains("removed or renamed"), "{found}");
    let found = reason(&|scene| {
        let (animation, channel, _, _) = moving(scene, "rotation");
        let sampler = &scene.json["animations"][animation]["channels"][channel]["sampler"];
        let sampler = sampler.as_u64().unwrap() as usize;
        scene.json["animations"][animation]["samplers"][sampler]["interpolation"] = json!("STEP");
    });
    assert!(found.contains("interpolate linearly"), "{found}");
    let found = reason(&|scene| {
        let (animation, channel, input, _) = moving(scene, "rotation");
        let mut times = scene.floats::<1>(input);
        times[1][0] *= 0.831;
        let new = scene.add_floats(&times);
        set_sampler(scene, animation, channel, "input", new);
    });
    assert!(found.contains("evenly spaced"), "{found}");
}
