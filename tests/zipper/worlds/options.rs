//! Effects of the options of `[scenes]`, which change nothing else.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use serde_json::Value;

use super::common::{self, convert, json};
use super::output::{Loaded, Place, Places, load};
use super::{Install, on_every_install, with_game, with_sample};

const WORLD: &str = "worlds/zbd/c1/gamez.gltf";

impl Install {
    /// Converts the scenes of an install with an option, and hands over the outputs.
    fn with_option(self, game: &str, option: &str, check: impl FnOnce(&Path)) {
        let option = format!("[scenes]\n{option}\n");
        match self {
            Self::Made => with_sample(game, &option, check),
            Self::Fixture => {
                let files = "include = [\"gamez.zbd\", \"planes.zbd\", \"rtexture*.zbd\"]";
                let config = format!("[run]\n{files}\n{option}");
                with_game(game, &config, |_, out| check(out));
            }
        }
    }
}

fn places(out: &Path) -> Places {
    let mut places = Places::new();
    load(&out.join(WORLD)).places(&mut places);
    places
}

/// The JSON of a file.
fn document(out: &Path) -> Value {
    json(&out.join(WORLD))
}

fn triangles(places: &Places) -> usize {
    let surfaces = places.values().flat_map(|place| &place.surfaces);
    surfaces.map(|surface| surface.triangles.len()).sum()
}

fn layers_become_more_texture_coordinates_if_asked_to(install: Install) {
    install.with_option("pm", "", |plain| {
        install.with_option("pm", "layers = \"extras\"", |out| {
            let (before, after) = (document(plain), document(out));
            let of = |document: &Value| {
                let meshes = document["meshes"].as_array().unwrap().clone();
                let parts = meshes.into_iter().flat_map(|mesh| {
                    let parts = mesh["primitives"].as_array().unwrap();
                    parts.clone()
                });
                parts.collect::<Vec<Value>>()
            };
            let layer = |part: &Value| part["extras"]["zipper"]["layer"].is_u64();
            assert!(of(&before).iter().any(layer));
            assert!(!of(&after).iter().any(layer));
            let mut layered = 0;
            for part in of(&after) {
                let layers = part["extras"]["zipper"]["layers"].as_array().cloned();
                for (number, layer) in (1..).zip(layers.unwrap_or_default()) {
                    let set = format!("TEXCOORD_{number}");
                    assert!(part["attributes"][&set].is_u64(), "{set}");
                    let picture = layer["picture"].as_str().unwrap();
                    assert!(out.join(picture).is_file(), "{picture}");
                    layered += 1;
                }
            }
            assert!(layered > 0);
        });
    });
}

/// Positions and normals of faces, by picture and priority.
type Faces = BTreeMap<(Option<String>, i64), Vec<[[f32; 3]; 2]>>;

fn by_priority(place: &Place) -> Faces {
    let mut found = Faces::new();
    for surface in &place.surfaces {
        let key = (surface.picture.clone(), surface.priority);
        let vertices = surface.triangles.iter().flat_map(|triangle| {
            let [a, b, c] = triangle.each_ref().map(|vertex| vertex.position);
            let [ab, ac] = [b, c].map(|to| std::array::from_fn::<f32, 3, _>(|at| to[at] - a[at]));
            let cross: [f32; 3] = std::array::from_fn(|at| {
                let (next, last) = ((at + 1) % 3, (at + 2) % 3);
                ab[next] * ac[last] - ab[last] * ac[next]
            });
            let length = cross.iter().map(|part| part * part).sum::<f32>().sqrt();
            let normal = cross.map(|part| part / length);
            triangle.each_ref().map(|vertex| [vertex.position, normal])
        });
        found.entry(key).or_default().extend(vertices);
    }
    found
}

fn decals_are_lifted_off_their_plane_by_their_priority(install: Install) {
    install.with_option("cs", "", |plain| {
        install.with_option("cs", "decal_offset = 0.5", |out| {
            let (before, after) = (places(plain), places(out));
            let mut lifted = 0;
            for (index, place) in &before {
                let (old, new) = (by_priority(place), by_priority(&after[index]));
                assert_eq!(old.len(), new.len());
                for ((picture, priority), old) in old {
                    let new = &new[&(picture, priority)];
                    assert_eq!(old.len(), new.len());
                    for ([old, _], [new, normal]) in old.iter().zip(new) {
                        let by: f32 = (0..3).map(|at| (new[at] - old[at]) * normal[at]).sum();
                        let far: f32 = (0..3).map(|at| (new[at] - old[at]).powi(2)).sum();
                        let far = far.sqrt();
                        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                        let expected = priority.abs() as f32 * 0.5;
                        #[expect(clippy::cast_precision_loss, reason = "a sign")]
                        let by = by * priority.signum() as f32;
                        // Corners of a polygon that is not flat move along its mean normal.
                        assert!(
                            by <= expected + 1e-3 && by >= expected * 0.5,
                            "{by} {expected}"
                        );
                        assert!((far - expected).abs() <= 1e-3, "{far} {expected}");
                        lifted += usize::from(priority > 0);
                    }
                }
            }
            assert!(lifted > 10);
        });
    });
}

fn lights_are_as_bright_as_asked(install: Install) {
    install.with_option("mw", "", |plain| {
        install.with_option("mw", "light_scale = 2.5", |out| {
            let lights = |out: &Path| {
                let document = document(out);
                let lights = &document["extensions"]["KHR_lights_punctual"]["lights"];
                let lights = lights.as_array().unwrap().iter();
                let bright = lights.map(|light| light["intensity"].as_f64().unwrap_or(1.0));
                bright.collect::<Vec<f64>>()
            };
            let (before, after) = (lights(plain), lights(out));
            assert!(before.iter().all(|light| *light > 0.0));
            for (before, after) in before.iter().zip(after) {
                assert!((before * 2.5 - after).abs() < 1e-4);
            }
        });
    });
}

fn kinds_of_ground_are_forgotten_if_asked_to(install: Install) {
    install.with_option("rc", "", |plain| {
        install.with_option("rc", "merge_soil = true", |out| {
            let world = "worlds/zbd/m1/gamez.gltf";
            let soils = |document: &Value| {
                let materials = document["materials"].as_array().unwrap().iter();
                let soils = materials.filter(|one| !one["extras"]["zipper"]["soil"].is_null());
                soils.count()
            };
            let (before, after) = (json(&plain.join(world)), json(&out.join(world)));
            assert!(soils(&before) > 0);
            assert_eq!(soils(&after), 0);
            let count = |document: &Value| document["materials"].as_array().unwrap().len();
            assert!(count(&after) <= count(&before));
        });
    });
}

fn cells_hold_what_is_in_them_if_asked_to(install: Install) {
    install.with_option("cs", "", |plain| {
        install.with_option("cs", "group_partitions = true", |out| {
            let (before, after) = (places(plain), places(out));
            assert_eq!(triangles(&before), triangles(&after));
            assert!(before.keys().eq(after.keys()));
            for (index, place) in &before {
                assert_eq!(place.to_world, after[index].to_world, "{}", place.name);
            }
            let names = |file: &Loaded| {
                let nodes = file.document.nodes();
                let cells = nodes.filter(|node| node.name().unwrap().starts_with("cell_"));
                cells.map(|cell| cell.children().len()).collect::<Vec<_>>()
            };
            assert!(names(&load(&plain.join(WORLD))).is_empty());
            let cells = names(&load(&out.join(WORLD)));
            // The made world has few things far apart.
            let least = match install {
                Install::Made => 1,
                Install::Fixture => 3,
            };
            assert!(
                cells.len() >= least && cells.iter().all(|children| *children > 0),
                "{cells:?}"
            );
        });
    });
}

fn faces_without_normals_are_smooth_if_asked_to(install: Install) {
    install.with_option("mw", "", |plain| {
        install.with_option("mw", "smooth_angle = 89.0", |out| {
            let (before, after) = (places(plain), places(out));
            assert_eq!(triangles(&before), triangles(&after));
            let normals = |places: &Places| {
                let surfaces = places.values().flat_map(|place| &place.surfaces);
                let vertices = surfaces.flat_map(|surface| surface.triangles.iter().flatten());
                vertices.map(|vertex| vertex.normal).collect::<Vec<_>>()
            };
            let (before, after) = (normals(&before), normals(&after));
            let changed = before
                .iter()
                .zip(&after)
                .filter(|(one, other)| one != other);
            let changed = changed.count();
            assert!(
                changed > 0 && changed < before.len(),
                "{changed} of {}",
                before.len()
            );
            for normal in after {
                let length: f32 = normal.iter().map(|part| part * part).sum();
                assert!((length - 1.0).abs() < 1e-3);
            }
        });
    });
}

fn levels_are_placed_side_by_side_if_asked_to(install: Install) {
    install.with_option("cs", "lods = \"all\"", |apart| {
        install.with_option("cs", "lods = \"together\"", |out| {
            let together = places(out);
            let mut all = places(apart);
            load(&apart.join("worlds/zbd/c1/gamez.lod1.gltf")).places(&mut all);
            assert_eq!(triangles(&together), triangles(&all));
            assert!(!out.join("worlds/zbd/c1/gamez.lod1.gltf").exists());
            for (index, place) in &all {
                assert_eq!(place.to_world, together[index].to_world, "{}", place.name);
            }
        });
    });
}

fn textures_move_by_clips_if_asked_to(install: Install) {
    install.with_option("cs", "animate_uv = true", |out| {
        let document = document(out);
        let used = document["extensionsUsed"].as_array().unwrap();
        for name in ["KHR_animation_pointer", "KHR_texture_transform"] {
            assert!(used.iter().any(|used| used == name), "{name}");
        }
        let buffer = fs::read(out.join(WORLD).with_extension("bin")).unwrap();
        let clips = document["animations"].as_array().unwrap();
        assert!(!clips.is_empty());
        for clip in clips {
            let target = &clip["channels"][0]["target"];
            assert_eq!(target["path"], "pointer");
            let pointer = &target["extensions"]["KHR_animation_pointer"]["pointer"];
            let pointer = pointer.as_str().unwrap();
            let (info, offset) = pointer.rsplit_once('/').unwrap();
            assert_eq!(offset, "offset");
            assert!(document.pointer(info).is_some(), "{pointer}");
            let material = info.split('/').nth(2).unwrap().parse::<usize>().unwrap();
            let scroll = &document["materials"][material]["extras"]["zipper"]["scroll"];
            let sampler = &clip["samplers"][0];
            let values = |key: &str| floats(&buffer, &document, sampler[key].as_u64().unwrap());
            let (times, offsets) = (values("input"), values("output"));
            assert_eq!((times.len(), offsets.len()), (2, 4));
            for (axis, offset) in [("u", offsets[2]), ("v", offsets[3])] {
                let rate = scroll[axis].as_f64().unwrap();
                assert!((rate * f64::from(times[1]) - f64::from(offset)).abs() < 1e-4);
                assert!(
                    (offset - offset.round()).abs() < 1e-2,
                    "{offset} is not whole"
                );
            }
        }
    });
}

/// The floats of an accessor.
pub fn floats(buffer: &[u8], document: &Value, accessor: u64) -> Vec<f32> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let accessor = &document["accessors"][usize::try_from(accessor).unwrap()];
    let view = &document["bufferViews"][number(&accessor["bufferView"])];
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let width = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        _ => 2,
    };
    let bytes = &buffer[start..][..number(&accessor["count"]) * width * 4];
    let words = bytes.chunks_exact(4);
    words
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

fn all_pictures_of_cycles_are_there_if_asked_for(install: Install) {
    install.with_option("pm", "", |plain| {
        install.with_option("pm", "embed_cycles = true", |out| {
            let (before, after) = (document(plain), document(out));
            let count = |document: &Value| document["images"].as_array().unwrap().len();
            assert!(count(&after) > count(&before));
            let names: Vec<String> = after["images"]
                .as_array()
                .unwrap()
                .iter()
                .map(|image| image["name"].as_str().unwrap().to_lowercase())
                .collect();
            let materials = after["materials"].as_array().unwrap().iter();
            let frames =
                materials.filter_map(|one| one["extras"]["zipper"]["cycle"]["frames"].as_array());
            let frames: Vec<&Value> = frames.flatten().collect();
            assert!(frames.len() > 4);
            for frame in frames {
                let stem = frame.as_str().unwrap().to_lowercase();
                assert!(names.contains(&stem), "{stem} in {names:?}");
            }
        });
    });
}

fn levels_that_are_placed_together_are_named_if_asked_to(install: Install) {
    install.with_option("cs", "lods = \"together\"\nmsft_lod = true", |out| {
        let document = document(out);
        let nodes = document["nodes"].as_array().unwrap();
        let mut groups = 0;
        for node in nodes {
            let Some(ids) = node["extensions"]["MSFT_lod"]["ids"].as_array() else {
                continue;
            };
            groups += 1;
            assert!(node["name"].as_str().unwrap().contains("_LOD0"));
            for (level, id) in (1..).zip(ids) {
                let coarser = &nodes[usize::try_from(id.as_u64().unwrap()).unwrap()];
                let name = coarser["name"].as_str().unwrap();
                assert!(name.contains(&format!("_LOD{level}")), "{name}");
            }
            let shares = node["extras"]["MSFT_screencoverage"].as_array().unwrap();
            let shares: Vec<f64> = shares.iter().map(|share| share.as_f64().unwrap()).collect();
            assert_eq!(shares.len(), ids.len() + 1);
            assert!(
                shares.windows(2).all(|pair| pair[0] >= pair[1]),
                "{shares:?}"
            );
        }
        let least = match install {
            Install::Made => 1,
            Install::Fixture => 2,
        };
        assert!(groups >= least, "{groups}");
        let used = document["extensionsUsed"].as_array().unwrap();
        assert!(used.iter().any(|used| used == "MSFT_lod"));
    });
}

/// The made world with a node renamed.
fn renamed(from: &str, to: &str, config: &str, check: impl FnOnce(&Path)) {
    let samples = common::sample_installs(&[Game::Mw]);
    let root = samples.path();
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("zbd/c1");
    fs::create_dir_all(&input).unwrap();
    let mut bytes = fs::read(root.join("mw/zbd/c1/gamez.zbd")).unwrap();
    let padded = format!("{from}\0");
    let all = bytes.windows(padded.len());
    let at = all.clone().position(|window| window == padded.as_bytes());
    let at = at.unwrap();
    bytes[at..at + from.len()].fill(0);
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    fs::write(input.join("gamez.zbd"), bytes).unwrap();
    let textures = input.join("rtexture3.zbd");
    fs::copy(root.join("mw/zbd/c1/rtexture3.zbd"), textures).unwrap();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, config).unwrap();
    let out = folder.path().join("out");
    let mut command = convert(folder.path(), &out, &["-q"]);
    command.arg("--config").arg(&settings).assert().success();
    check(&out);
}

#[test]
fn volumes_of_collision_are_empty_unless_asked_for_and_then_bare() {
    let volume = |out: &Path| {
        let document = document(out);
        let nodes = document["nodes"].as_array().unwrap().clone();
        let mut volumes = nodes.into_iter();
        let found = volumes.find(|node| node["extras"]["zipper"]["collision"] == true);
        let mesh = found.unwrap()["mesh"].as_u64();
        mesh.map(|mesh| document["meshes"][usize::try_from(mesh).unwrap()].clone())
    };
    renamed("fence_01", "bvol01", "", |out| {
        assert_eq!(volume(out), None);
        let report = json(&out.join("report.json"));
        let parts = report["sources"].as_array().unwrap().iter();
        let counts =
            parts.filter_map(|source| source["parts"][0]["checks"]["collision_volumes"].as_u64());
        assert_eq!(counts.max(), Some(1));
    });
    renamed(
        "fence_01",
        "bvol01",
        "[scenes]\ncollision = true\n",
        |out| {
            let mesh = volume(out).unwrap();
            let parts = mesh["primitives"].as_array().unwrap();
            assert!(!parts.is_empty());
            assert!(parts.iter().all(|part| part["material"].is_null()));
        },
    );
}

#[test]
fn aircraft_show_what_is_seen_from_outside() {
    let files = "[run]\ninclude = [\"planes.zbd\", \"rtexture*.zbd\"]\n";
    with_game("cs", files, |_, out| {
        let names = |file: &str| {
            let mut places = Places::new();
            load(&out.join("models/zbd/planes").join(file)).places(&mut places);
            let shown = places
                .into_values()
                .filter(|place| !place.surfaces.is_empty());
            shown.map(|place| place.name).collect::<Vec<String>>()
        };
        let (shown, hidden) = (
            names("player_kestrel.gltf"),
            names("player_kestrel.hidden.gltf"),
        );
        // The fixture calls its propeller at rest by a name that no game has. In the games, `staticprop` is
        // the one at rest, and without it the first state is shown.
        for part in ["body", "wings", "canopy", "prop_spin"] {
            assert!(shown.iter().any(|name| name == part), "{part} in {shown:?}");
        }
        for part in ["panel", "wreck", "shadow", "prop_still"] {
            assert!(
                !shown.iter().any(|name| name == part),
                "{part} in {shown:?}"
            );
            assert!(
                hidden.iter().any(|name| name == part),
                "{part} not in {hidden:?}"
            );
        }
    });
}

fn walkable_nodes_are_named_for_godot_if_asked_to(install: Install) {
    for game in ["mw", "cs"] {
        install.with_option(game, "godot_suffix = true", |out| {
            let document = document(out);
            let mut solid = 0;
            let nodes = document["nodes"].as_array().unwrap();
            let parent = |child: usize| {
                nodes.iter().find(|node| {
                    let mut children = node["children"].as_array().into_iter().flatten();
                    children.any(|node| node.as_u64() == Some(child as u64))
                })
            };
            for (index, node) in nodes.iter().enumerate() {
                let name = node["name"].as_str().unwrap();
                // The mesh of a skewed node hangs below it, without facts of its own.
                let owner = match name.contains("__shear") {
                    true => parent(index).unwrap(),
                    false => node,
                };
                // Scenes after the first contain the index alone.
                let own = &owner["extras"]["zipper"];
                let mut same = nodes.iter().map(|node| &node["extras"]["zipper"]);
                let first =
                    same.find(|facts| own["index"].is_u64() && facts["index"] == own["index"]);
                let facts = first.unwrap_or(own);
                let flags = facts["flags"].as_array().into_iter().flatten();
                let is_floor = flags
                    .filter_map(Value::as_str)
                    .any(|flag| flag == "altitude_surface" || flag == "intersect_surface");
                let ends = name.ends_with("-col");
                assert!(!ends || is_floor, "{name}: {facts}");
                assert!(
                    ends || !is_floor || node["mesh"].is_null(),
                    "{name}: {facts}"
                );
                solid += usize::from(ends);
            }
            assert!(solid > 0, "{game}");
        });
        install.with_option(game, "", |out| {
            let document = document(out);
            let mut nodes = document["nodes"].as_array().unwrap().iter();
            assert!(!nodes.any(|node| node["name"].as_str().unwrap().ends_with("-col")));
        });
    }
}

on_every_install! {
    layers_become_more_texture_coordinates_if_asked_to,
    decals_are_lifted_off_their_plane_by_their_priority,
    lights_are_as_bright_as_asked,
    kinds_of_ground_are_forgotten_if_asked_to,
    cells_hold_what_is_in_them_if_asked_to,
    faces_without_normals_are_smooth_if_asked_to,
    levels_are_placed_side_by_side_if_asked_to,
    textures_move_by_clips_if_asked_to,
    all_pictures_of_cycles_are_there_if_asked_for,
    levels_that_are_placed_together_are_named_if_asked_to,
    walkable_nodes_are_named_for_godot_if_asked_to,
}
