//! Files of the EQG format: the fixtures come back byte for byte and become the scenes that they expect.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
use relicast::formats::decoded_file;
use relicast::formats::everquest::eqg::light;
use relicast::formats::everquest::pfs;
use relicast::formats::kind::{ArchiveContext, Kind, sniff_pfs_member};
use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::output::{Loaded, Part, converted, facts, load};
use crate::support::members;

const ARCHIVES: [&str; 5] = ["syn1a", "syn1b", "syn1c", "syn1d", "syn1x"];

pub const NEAR: f32 = 2e-4;

fn folder() -> PathBuf {
    relicast_testing::fixtures("everquest/eqg")
}

pub fn expected(name: &str) -> Value {
    let bytes = fs::read(folder().join(format!("{name}.expect.json"))).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn held(name: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let bytes = fs::read(folder().join(format!("{name}.eqg"))).unwrap();
    members(&pfs::decode(&bytes).unwrap().value)
}

#[expect(clippy::cast_possible_truncation, reason = "as the files have them")]
pub fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

pub fn vector(value: &Value) -> Vec3 {
    let at = |place: usize| float(&value[place]);
    Vec3::new(at(0), at(1), at(2))
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Converts fixtures by file name and hands over the outputs. Deviations are failures.
pub fn fixtures(names: &[&str], config: &str, check: impl FnOnce(&Path)) {
    let inputs: Vec<PathBuf> = names.iter().map(|name| folder().join(name)).collect();
    converted(&inputs, config, check);
}

pub fn round_trips(name: &str, kind: Kind, bytes: &[u8]) {
    let context = ArchiveContext::default();
    let decoded = decoded_file::decode(kind, name, bytes, &context);
    let decoded = decoded
        .unwrap_or_else(|| panic!("{name}: {kind:?}"))
        .unwrap();
    assert!(
        decoded.deviations.is_empty(),
        "{name}: {:?}",
        decoded.deviations
    );
    assert_eq!(decoded.value.encode().unwrap().unwrap(), bytes, "{name}");
}

#[test]
fn every_member_comes_back_byte_for_byte() {
    for archive in ARCHIVES {
        let expected = expected(archive);
        let members = held(archive);
        let known = expected["members"].as_object().unwrap();
        assert_eq!(members.len(), known.len());
        for (name, bytes) in &members {
            assert_eq!(bytes.len() as u64, known[name]["size"].as_u64().unwrap());
            let kind = sniff_pfs_member(bytes, name);
            round_trips(name, kind, bytes);
        }
        let bytes = fs::read(folder().join(format!("{archive}.eqg"))).unwrap();
        let decoded = pfs::decode(&bytes).unwrap().value;
        assert_eq!(pfs::encode(&decoded).unwrap(), bytes);
    }
    let loose = fs::read(folder().join("syn1b.zon")).unwrap();
    round_trips("syn1b.zon", Kind::EqgZone, &loose);
}

/// A triangle: material, and place and texture coordinates of each corner.
type Corners = (String, [(Vec3, [f32; 2]); 3]);

fn drawn(model: &Value, positions: &Value) -> Vec<Corners> {
    let triangles = model["drawn_triangles"].as_array().unwrap();
    let corners = triangles.iter().map(|triangle| {
        let material = triangle["material"].as_str().unwrap().to_owned();
        let corner = |at: usize| {
            let vertex = index(&triangle["v"][at]);
            let uv = &model["uv_gltf"][vertex];
            (vector(&positions[vertex]), [float(&uv[0]), float(&uv[1])])
        };
        (material, [corner(0), corner(1), corner(2)])
    });
    corners.collect()
}

fn made(parts: &[Part], world: Mat4) -> Vec<Corners> {
    let mut all = Vec::new();
    for part in parts {
        for triangle in &part.triangles {
            let corners = triangle.map(|corner| {
                let vertex = &part.vertices[corner];
                let place = world.transform_point3(Vec3::from_array(vertex.position));
                (place, vertex.uv.unwrap_or([f32::NAN; 2]))
            });
            all.push((part.material.clone(), corners));
        }
    }
    all
}

/// Every expected triangle is there once, with its corners in their sense, and no other is.
fn assert_same(what: &str, mut found: Vec<Corners>, expected: Vec<Corners>) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (material, corners) in expected {
        let is_near = |(one, uv): &(Vec3, [f32; 2]), (other, wanted): &(Vec3, [f32; 2])| {
            let has_uv = !uv[0].is_nan();
            let uvs = uv.iter().zip(wanted);
            (*one - *other).length() < NEAR * 4.0
                && (!has_uv || uvs.into_iter().all(|(a, b)| (a - b).abs() < NEAR))
        };
        let same = |(name, found): &Corners| {
            let [a, b, c] = *found;
            let turns = [[a, b, c], [b, c, a], [c, a, b]];
            // Materials of several models with one name get numbers.
            let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            (*name == material || plain.strip_suffix('_') == Some(&material))
                && turns.iter().any(|turn| {
                    turn.iter()
                        .zip(&corners)
                        .all(|(one, other)| is_near(one, other))
                })
        };
        let place = found.iter().position(same);
        let place = place.unwrap_or_else(|| panic!("{what}: {material} {corners:?} of {found:?}"));
        found.swap_remove(place);
    }
}

/// The matrix of each node of a scene.
pub fn worlds(scene: &Loaded, local: impl Fn(&gltf::Node<'_>) -> Mat4) -> HashMap<usize, Mat4> {
    let mut all = HashMap::new();
    let root = scene.document.default_scene().unwrap();
    let mut open: Vec<(gltf::Node<'_>, Mat4)> =
        root.nodes().map(|node| (node, Mat4::IDENTITY)).collect();
    while let Some((node, above)) = open.pop() {
        let matrix = above * local(&node);
        all.insert(node.index(), matrix);
        open.extend(node.children().map(|child| (child, matrix)));
    }
    all
}

pub fn at_rest(node: &gltf::Node<'_>) -> Mat4 {
    Mat4::from_cols_array_2d(&node.transform().matrix())
}

pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').unwrap().0
}

#[test]
fn models_have_the_triangles_and_materials_that_are_expected() {
    for archive in ["syn1a", "syn1b", "syn1c", "syn1d", "syn1x"] {
        let expected = expected(archive);
        fixtures(&[&format!("{archive}.eqg")], "", |out| {
            for (name, model) in expected["models"].as_object().unwrap() {
                if model["kind"] == "ter" {
                    continue;
                }
                let scene = load(&out.join(format!("models/{archive}/{}.gltf", stem(name))));
                let pieces = match model["pieces"].as_array() {
                    Some(pieces) => pieces.clone(),
                    None => vec![model.clone()],
                };
                let hidden = out.join(format!("models/{archive}/{}.hidden.gltf", stem(name)));
                let mut found: Vec<Part> = Vec::new();
                for mesh in scene.document.meshes() {
                    found.extend(scene.parts(&mesh));
                }
                let wanted: Vec<Corners> = pieces
                    .iter()
                    .flat_map(|piece| drawn(piece, &piece["positions_gltf"]))
                    .collect();
                assert_same(name, made(&found, Mat4::IDENTITY), wanted);
                let undrawn: u64 = pieces
                    .iter()
                    .map(|piece| piece["undrawn_triangles"].as_u64().unwrap())
                    .sum();
                assert_eq!(hidden.is_file(), undrawn > 0, "{name}");
                if undrawn > 0 {
                    let hidden = load(&hidden);
                    let parts = hidden
                        .document
                        .meshes()
                        .flat_map(|mesh| hidden.parts(&mesh));
                    let count: usize = parts.map(|part| part.triangles.len()).sum();
                    assert_eq!(count as u64, undrawn, "{name}");
                }
            }
        });
    }
}

pub fn linear(level: f32) -> f32 {
    let level = level.min(255.0) / 255.0;
    match level {
        level if level <= 0.04045 => level / 12.92,
        level => ((level + 0.055) / 1.055).powf(2.4),
    }
}

/// True if every vertex has the light of one of the stored colors of its place.
fn assert_lit(what: &str, parts: &[Part], model: &Value, colors: &[[u8; 4]]) {
    for part in parts {
        for vertex in &part.vertices {
            let place = Vec3::from_array(vertex.position);
            let positions = model["positions_gltf"].as_array().unwrap();
            let same = positions.iter().enumerate();
            let same = same.filter(|(_, stored)| (vector(stored) - place).length() < NEAR);
            let found = vertex.color.unwrap_or_else(|| panic!("{what}: no colors"));
            let mut fitting = same.filter(|(at, _)| {
                let [red, green, blue, share] = colors[*at].map(f32::from);
                [red, green, blue].iter().zip(found).all(|(level, found)| {
                    (linear(level + share) - f32::from(found) / 65535.0).abs() < 1e-3
                })
            });
            assert!(fitting.next().is_some(), "{what}: {vertex:?}");
        }
    }
}

#[test]
fn zones_place_models_with_their_light() {
    for (archive, inputs) in [
        ("syn1a", vec!["syn1a.eqg"]),
        ("syn1b", vec!["syn1b.eqg", "syn1b.zon"]),
        ("syn1c", vec!["syn1c.eqg"]),
    ] {
        let expected = expected(archive);
        let members = held(archive);
        let ignored = expected["lit_ignored"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        fixtures(&inputs, "", |out| {
            let scene = load(&out.join(format!("worlds/{archive}.gltf")));
            let worlds = worlds(&scene, at_rest);
            let mut placed = 0;
            for placement in expected["zone"]["placements"].as_array().unwrap() {
                let name = placement["name"].as_str().unwrap();
                let model = placement["model"]
                    .as_str()
                    .unwrap_or_default()
                    .to_lowercase();
                let Some(model) = expected["models"].get(&model) else {
                    continue;
                };
                let node = match placement["terrain"].as_bool() {
                    Some(true) => scene.node("terrain").children().next().unwrap(),
                    _ => scene.node(name),
                };
                let parts = node
                    .mesh()
                    .map(|mesh| scene.parts(&mesh))
                    .unwrap_or_default();
                let found = made(&parts, worlds[&node.index()]);
                assert_same(name, found, drawn(model, &placement["world_gltf"]));
                placed += 1;
                let file = format!("{}.lit", name.to_lowercase());
                let is_ignored = ignored.iter().any(|name| *name == file.as_str());
                if let Some(bytes) = members.get(&file).filter(|_| !is_ignored) {
                    let light = light::decode(bytes).unwrap().value;
                    assert_lit(name, &parts, model, &light.colors);
                }
            }
            assert!(placed > 0);
            let tables = common::json(&out.join(format!("worlds/{archive}.everquest.json")));
            assert_eq!(
                tables["odd_lights"].as_array().unwrap().len(),
                ignored.len()
            );
            assert_eq!(tables["loose"].is_string(), archive == "syn1b");
        });
    }
}

#[test]
fn regions_and_lights_are_where_they_are_expected() {
    for (archive, inputs) in [
        ("syn1a", vec!["syn1a.eqg"]),
        ("syn1b", vec!["syn1b.eqg", "syn1b.zon"]),
    ] {
        let expected = expected(archive);
        let config = "[everquest]\nvolumes = true\nlight = \"both\"\n";
        fixtures(&inputs, config, |out| {
            let tables = common::json(&out.join(format!("worlds/{archive}.everquest.json")));
            let found = tables["regions"].as_array().unwrap();
            let wanted = expected["zone"]["regions"].as_array().unwrap();
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                assert_eq!(found["name"], wanted["name"]);
                assert!(
                    (vector(&found["center"]) - vector(&wanted["center_gltf"])).length() < NEAR
                );
                assert!((vector(&found["half"]) - vector(&wanted["half_file"])).length() < NEAR);
                // The sheet calls general what the fixture calls generic.
                let kind = found["kind"].as_str().unwrap().replace('_', " ");
                let wanted_kind = wanted["kind"]
                    .as_str()
                    .unwrap()
                    .replace("generic", "general");
                assert_eq!(kind, wanted_kind);
                for (found, wanted) in found["corners"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .zip(wanted["corners_gltf"].as_array().unwrap())
                {
                    assert!((vector(found) - vector(wanted)).length() < NEAR * 4.0);
                }
                if let Some(number) = wanted.get("index").filter(|index| index.is_u64()) {
                    assert_eq!(found["index"], *number);
                }
            }
            let scene = load(&out.join(format!("worlds/{archive}.gltf")));
            for light in expected["zone"]["lights"].as_array().unwrap() {
                let node = scene.node(light["name"].as_str().unwrap());
                let place = Vec3::from_array(node.transform().decomposed().0);
                assert!((place - vector(&light["pos_gltf"])).length() < NEAR);
                let made = node.light().unwrap();
                assert_eq!(made.range().unwrap(), float(&light["radius"]));
                assert!((Vec3::from_array(made.color()) - vector(&light["rgb"])).length() < NEAR);
            }
            let hidden = load(&out.join(format!("worlds/{archive}.hidden.gltf")));
            let shown = hidden.document.nodes();
            let shown = shown.filter(|node| !facts(node.extras())["volume"].is_null());
            assert_eq!(shown.count(), wanted.len());
        });
    }
}

#[test]
fn pictures_are_as_stored_and_every_kind_is_read() {
    let config = "[textures]\nmips = true\n";
    for archive in ARCHIVES {
        let expected = expected(archive);
        fixtures(&[&format!("{archive}.eqg")], config, |out| {
            let folder = out.join(format!("textures/{archive}"));
            for (name, picture) in expected["pictures"].as_object().unwrap() {
                let path = folder.join(format!("{}.png", stem(name)));
                let image = image::open(&path).unwrap().to_rgba8();
                let size = [image.width(), image.height()].map(Value::from);
                assert_eq!(picture["size"], Value::from(size.to_vec()), "{name}");
                let crc = crc32(image.as_raw());
                assert_eq!(
                    u64::from(crc),
                    picture["rgba_crc32"].as_u64().unwrap(),
                    "{name}"
                );
                let levels = picture["file_mips"].as_u64().unwrap();
                for level in 1..=levels {
                    let path = folder.join(format!("{}.mip{level}.png", stem(name)));
                    assert_eq!(path.is_file(), level < levels, "{name} {level}");
                }
            }
            let signed = expected["normal_map_signed"].as_object();
            for (name, facts) in signed.into_iter().flatten() {
                let image = image::open(folder.join(format!("{}.png", stem(name))))
                    .unwrap()
                    .to_rgb8();
                for (x, u) in (0..).zip(facts["u_row0"].as_array().unwrap()) {
                    let byte = (float(u) / 127.0 * 127.5 + 127.5).round();
                    assert!((f32::from(image.get_pixel(x, 0)[0]) - byte).abs() <= 1.0);
                }
                for (y, v) in (0..).zip(facts["v_column0"].as_array().unwrap()) {
                    let byte = (float(v) / 127.0 * 127.5 + 127.5).round();
                    assert!((f32::from(image.get_pixel(0, y)[1]) - byte).abs() <= 1.0);
                }
            }
        });
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn shaders_show_how_surfaces_are_drawn() {
    let expected = expected("syn1c");
    fixtures(&["syn1c.eqg"], "", |out| {
        let scene = load(&out.join("models/syn1c/obj_board.gltf"));
        let mut shaders = 0;
        for material in scene
            .document
            .materials()
            .filter(|one| one.index().is_some())
        {
            let extras = facts(material.extras());
            let class = expected["blend"][extras["shader"].as_str().unwrap()]
                .as_str()
                .unwrap();
            let blend = extras["blend"].as_str().unwrap();
            let same = match class {
                "chroma" => "masked",
                "addalpha" => "additive",
                other => other,
            };
            assert_eq!(blend, same, "{extras}");
            let mode = match blend {
                "masked" => gltf::material::AlphaMode::Mask,
                "additive" | "alpha" | "waterfall" | "water" => gltf::material::AlphaMode::Blend,
                _ => gltf::material::AlphaMode::Opaque,
            };
            assert_eq!(material.alpha_mode(), mode);
            assert!(!material.double_sided());
            shaders += 1;
        }
        assert_eq!(shaders, 25);
        let report = common::json(&out.join("report.json")).to_string();
        for name in expected["missing"].as_array().unwrap() {
            assert!(report.contains(name.as_str().unwrap()), "{name}");
        }
    });
}

#[test]
fn ground_of_tiles_has_the_heights_and_holes_that_are_expected() {
    let expected = expected("syn1d");
    fixtures(&["syn1d.eqg"], "", |out| {
        let scene = load(&out.join("worlds/syn1d.gltf"));
        for tile in expected["tiles"].as_array().unwrap() {
            let node = scene.node(&format!("tile_{}_{}", tile["lng"], tile["lat"]));
            let parts = scene.parts(&node.mesh().unwrap());
            let holes = tile["holes"].as_array().unwrap().len();
            assert_eq!(parts[0].triangles.len(), 2 * (16 - holes));
            for corner in tile["corners_gltf"].as_array().unwrap() {
                let is_there = parts[0].vertices.iter().any(|vertex| {
                    (Vec3::from_array(vertex.position) - vector(corner)).length() < NEAR
                });
                assert!(is_there, "{corner}");
            }
            for part in &parts {
                for [a, b, c] in &part.triangles {
                    let [a, b, c] =
                        [a, b, c].map(|at| Vec3::from_array(part.vertices[*at].position));
                    assert!((b - a).cross(c - a).y > 0.0, "ground faces up");
                }
            }
        }
        let objects: Vec<String> = scene
            .node("objects")
            .children()
            .map(|node| node.name().unwrap().to_owned())
            .collect();
        assert_eq!(objects.len(), 2, "{objects:?}");
        let tables = common::json(&out.join("worlds/syn1d.everquest.json"));
        assert_eq!(
            tables["walls"].as_array().unwrap().len(),
            expected["invisible_walls"].as_array().unwrap().len()
        );
        assert_eq!(tables["regions"][0]["name"], "AWT_pond");
        assert_eq!(
            tables["lights"][0]["color"],
            serde_json::json!([1.0, 0.0, 0.0])
        );
    });
}

#[test]
fn emitters_of_environments_are_where_they_are_expected() {
    let expected = expected("syn1a");
    let inputs = ["syn1a.eqg", "syn1a_EnvironmentEmitters.txt"];
    fixtures(&inputs, "", |out| {
        let scene = load(&out.join("worlds/syn1a.gltf"));
        let nodes: Vec<Vec3> = scene
            .node("emitters")
            .children()
            .map(|node| Vec3::from_array(node.transform().decomposed().0))
            .collect();
        let wanted = expected["emitters_gltf"].as_array().unwrap();
        assert_eq!(nodes.len(), wanted.len());
        for (found, wanted) in nodes.iter().zip(wanted) {
            assert!((*found - vector(wanted)).length() < NEAR);
        }
        let emitter = facts(scene.node("campfire1").extras());
        assert_eq!(emitter["emitter"]["EmitterDefIdx"], "43");
    });
}
