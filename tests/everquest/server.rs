//! Placements of a server's tables in the scenes of zones.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use glam::{Mat4, Quat, Vec3};
use gltf::animation::util::ReadOutputs;
use relicast::formats::everquest::wld::{Body, Frames, Wld};
use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::output::{Loaded, Part, facts, load};
use crate::whole::Install;

const TABLE: &str = "\
zone,name,model,race,gender,texture,face,pos_x,pos_y,pos_z,heading,opentype,size
dell,LEVER,,,,,,10,20,3,128,5,200
dell,,LEVER,,,,,11,20,3,0,,0
dell,Fdr the Bold,FDR,200,0,1,0,30,-40,2,0,,6
dell,a_stranger,,4000,0,0,0,0,0,0,0,,
dell,DOOR9,,,,,,0,0,0,0,,100
fen,LEVER,,,,,,0,0,0,0,,100
dell,Fdr the Plain,FDR,200,0,0,0,35,-40,2,0,,6
mill,WHEEL,,,,,,10,20,3,128,5,50
mill,a_guard,,1,0,0,0,0,0,0,0,,6
";

fn node(document: &Value, line: u64) -> Option<&Value> {
    let mut nodes = document["nodes"].as_array()?.iter();
    nodes.find(|node| node["extras"]["everquest"]["server"]["line"] == line)
}

/// Settings that name a table next to the install, with `text` in it.
fn with_table(install: &Install, text: &str) -> String {
    let table = install.input().with_file_name("doors.csv");
    fs::write(&table, text).unwrap();
    format!(
        "[everquest]\nplacements = {:?}\n",
        table.display().to_string()
    )
}

/// Names of the pictures of the materials that the meshes below a node show.
fn pictures_below(document: &Value, node: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let at = |kind: &str, index: &Value| document[kind][index.as_u64().unwrap() as usize].clone();
    let mut pictures = Vec::new();
    for child in list(&node["children"]) {
        let child = at("nodes", &child);
        pictures.extend(pictures_below(document, &child));
        if child["mesh"].is_null() {
            continue;
        }
        for primitive in list(&at("meshes", &child["mesh"])["primitives"]) {
            let material = at("materials", &primitive["material"]);
            let texture = &material["pbrMetallicRoughness"]["baseColorTexture"]["index"];
            let image = at("images", &at("textures", texture)["source"]);
            pictures.push(image["uri"].as_str().unwrap().to_lowercase());
        }
    }
    pictures
}

#[test]
fn doors_and_creatures_of_a_server_are_in_the_scene_of_their_zone() {
    let install = Install::new();
    let settings = with_table(&install, TABLE);
    let out = install.convert("placed", &settings);
    let dell = common::json(&out.join("worlds/dell.gltf"));

    let lever = node(&dell, 2).unwrap();
    // +X of the server is west, which is +X of the scene; +Y is north, which is +Z.
    assert_eq!(lever["translation"], serde_json::json!([10.0, 3.0, 20.0]));
    assert_eq!(lever["scale"], serde_json::json!([2.0, 2.0, 2.0]));
    let extras = &lever["extras"]["everquest"];
    assert_eq!(extras["model"], "LEVER");
    assert_eq!(extras["server"]["file"], "doors.csv");
    assert_eq!(extras["server"]["openType"], 5);
    let turn = lever["rotation"][1].as_f64().unwrap();
    assert!(
        (turn - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-6,
        "{turn}"
    );
    assert!(node(&dell, 3).is_some(), "a model in its own column");

    let creature = node(&dell, 4).unwrap();
    assert_eq!(
        creature["translation"],
        serde_json::json!([30.0, 2.0, -40.0])
    );
    assert_eq!(
        creature["extras"]["everquest"]["server"]["name"],
        "Fdr the Bold"
    );
    assert!(
        creature["children"]
            .as_array()
            .is_some_and(|parts| !parts.is_empty())
    );
    // One has the pictures of its row, the other those of its model.
    let skinned = pictures_below(&dell, creature);
    assert!(
        skinned.iter().any(|picture| picture.contains("fdrch0101")),
        "{skinned:?}"
    );
    let plain = pictures_below(&dell, node(&dell, 8).unwrap());
    assert!(
        plain.iter().any(|picture| picture.contains("fdrch0001")),
        "{plain:?}"
    );
    assert!(
        !plain.iter().any(|picture| picture.contains("fdrch0101")),
        "{plain:?}"
    );
    for line in [5, 6, 7] {
        assert!(node(&dell, line).is_none(), "line {line}");
    }

    let tables = common::json(&out.join("worlds/dell.everquest.json"));
    let left_out = tables["placed"]["left_out"].as_array().unwrap().iter();
    let left_out: Vec<&Value> = left_out.filter(|row| row["file"] == "doors.csv").collect();
    let lines: Vec<u64> = left_out
        .iter()
        .filter_map(|row| row["index"].as_u64())
        .collect();
    assert_eq!(lines, [5, 6]);
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    for text in [
        "4 of 6 rows of doors.csv are in the scene",
        "no model is known for the race 4000: skipped 1 row of doors.csv",
        "no archive of the zone has the model DOOR9: skipped 1 row of doors.csv",
    ] {
        assert!(report.contains(text), "{text}");
    }
}

#[test]
fn doors_of_a_server_are_in_zones_of_eqg_archives() {
    let install = Install::new();
    let settings = with_table(&install, TABLE);
    let out = install.convert("placed", &settings);
    let mill = common::json(&out.join("worlds/mill.gltf"));
    let wheel = node(&mill, 9).unwrap();
    assert_eq!(wheel["translation"], serde_json::json!([10.0, 3.0, 20.0]));
    assert_eq!(wheel["scale"], serde_json::json!([0.5, 0.5, 0.5]));
    assert_eq!(wheel["extras"]["everquest"]["model"], "WHEEL.mod");
    assert!(wheel["mesh"].is_u64());
    assert!(node(&mill, 10).is_none());
    let tables = common::json(&out.join("worlds/mill.everquest.json"));
    let left_out = tables["left_out"].as_array().unwrap().iter();
    let left_out: Vec<&Value> = left_out.filter(|row| row["file"] == "doors.csv").collect();
    assert_eq!(left_out.len(), 1);
    assert_eq!(left_out[0]["line"], 10);
    assert_eq!(
        left_out[0]["reason"],
        "no archive of the zone has the model"
    );
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    let text = "no archive of the zone has the model HUM: skipped 1 row of doors.csv";
    assert!(report.contains(text));
}

/// Positions of the vertices below a node of the row at a line, in the space of the node.
fn standing(world: &Loaded, line: u64) -> Vec<[i64; 3]> {
    let creature = world
        .document
        .nodes()
        .find(|node| facts(node.extras())["server"]["line"] == line);
    let mut positions = Vec::new();
    let mut stack = vec![(creature.unwrap(), Mat4::IDENTITY)];
    while let Some((node, place)) = stack.pop() {
        for part in node.mesh().into_iter().flat_map(|mesh| world.parts(&mesh)) {
            let vertices = part.vertices.iter();
            positions.extend(
                vertices.map(|vertex| rounded(place.transform_point3(vertex.position.into()))),
            );
        }
        stack.extend(node.children().map(|child| {
            let local = Mat4::from_cols_array_2d(&child.transform().matrix());
            (child, place * local)
        }));
    }
    positions.sort_unstable();
    positions
}

/// Creatures of both kinds of archives, in zones of both kinds.
#[test]
fn creatures_are_in_zones_of_the_other_kind_of_archive_too() {
    let install = Install::new();
    install.edit("dell_chr.s3d", "dell_chr.wld", pose_standing);
    let creatures = fs::read(install.input().join("dell_chr.s3d")).unwrap();
    fs::write(install.input().join("mill_chr.s3d"), creatures).unwrap();
    // Names the archive from which a zone takes a model.
    fs::write(install.input().join("dell_chr.txt"), "1\r\ncrow,mill\r\n").unwrap();
    let table = "zone,name,model,race,texture,x,y,z\n\
                 dell,a crow,CROW,4000,1,1,2,3\n\
                 dell,a plain crow,CROW,4000,0,1,2,3\n\
                 mill,a crow,CROW,4000,1,1,2,3\n\
                 mill,Fdr,FDR,4001,0,1,2,3\n";
    let settings = with_table(&install, table);
    let out = install.convert("placed", &settings);
    let crow = posed(&load(&out.join("models/mill/crow.gltf")), "stand");
    let crow_at_rest = {
        let model = load(&out.join("models/mill/crow.gltf"));
        let meshes = model.document.meshes();
        let parts: Vec<Part> = meshes.flat_map(|mesh| model.parts(&mesh)).collect();
        let vertices = parts.iter().flat_map(|part| &part.vertices);
        let mut positions: Vec<_> = vertices
            .map(|vertex| rounded(vertex.position.into()))
            .collect();
        positions.sort_unstable();
        positions
    };
    assert_ne!(crow, crow_at_rest);
    let fdr = posed(&load(&out.join("models/mill_chr/fdr.gltf")), "stand");
    let [dell, mill] = ["dell", "mill"].map(|zone| load(&out.join(format!("worlds/{zone}.gltf"))));
    assert_eq!(standing(&dell, 2), crow);
    assert_eq!(standing(&dell, 3), crow);
    assert_eq!(standing(&mill, 4), crow);
    assert_eq!(standing(&mill, 5), fdr);
    // The look of the row, where the model has it.
    let dell = common::json(&out.join("worlds/dell.gltf"));
    let [skinned, plain] = [2, 3].map(|line| pictures_below(&dell, node(&dell, line).unwrap()));
    assert_ne!(skinned, plain);
    let report = common::json(&out.join("report.json"));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let parts = list(&report["sources"]);
    let parts = parts.iter().flat_map(|source| list(&source["parts"]));
    let notes: Vec<Value> = parts.flat_map(|part| list(&part["notes"])).collect();
    let wanted = "2 of 2 rows of doors.csv are in the scene";
    assert_eq!(notes.iter().filter(|note| *note == wanted).count(), 2);
}

/// Positions of the vertices of all meshes that a skin of a model moves, in the first frame of a clip.
fn posed(model: &Loaded, clip: &str) -> Vec<[i64; 3]> {
    let document = &model.document;
    let mut locals: HashMap<usize, Mat4> = document
        .nodes()
        .map(|node| {
            let local = node.transform().matrix();
            (node.index(), Mat4::from_cols_array_2d(&local))
        })
        .collect();
    let mut clips = document.animations();
    let clip = clips.find(|found| found.name() == Some(clip)).unwrap();
    for channel in clip.channels() {
        let node = channel.target().node().index();
        let (mut scale, mut rotation, mut translation) =
            locals[&node].to_scale_rotation_translation();
        let reader = channel.reader(|_| Some(model.buffer()));
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(mut values) => {
                translation = values.next().unwrap().into();
            }
            ReadOutputs::Scales(mut values) => scale = values.next().unwrap().into(),
            ReadOutputs::Rotations(values) => {
                rotation = Quat::from_array(values.into_f32().next().unwrap());
            }
            ReadOutputs::MorphTargetWeights(_) => {}
        }
        let posed = Mat4::from_scale_rotation_translation(scale, rotation, translation);
        locals.insert(node, posed);
    }
    let mut worlds = HashMap::new();
    let mut stack: Vec<_> = document.scenes().next().unwrap().nodes().collect();
    let mut above: HashMap<usize, usize> = HashMap::new();
    while let Some(node) = stack.pop() {
        let parent = above.get(&node.index()).map(|parent| worlds[parent]);
        let world: Mat4 = parent.unwrap_or(Mat4::IDENTITY) * locals[&node.index()];
        worlds.insert(node.index(), world);
        for child in node.children() {
            above.insert(child.index(), node.index());
            stack.push(child);
        }
    }
    let mut positions = Vec::new();
    for node in document.nodes() {
        let (Some(mesh), Some(skin)) = (node.mesh(), node.skin()) else {
            continue;
        };
        let reader = skin.reader(|_| Some(model.buffer()));
        let inverse = reader.read_inverse_bind_matrices().unwrap();
        let joints = skin.joints().zip(inverse);
        let joints: Vec<Mat4> = joints
            .map(|(joint, inverse)| worlds[&joint.index()] * Mat4::from_cols_array_2d(&inverse))
            .collect();
        for part in mesh.primitives() {
            let reader = part.reader(|_| Some(model.buffer()));
            let bound = reader.read_joints(0).unwrap().into_u16();
            let weights = reader.read_weights(0).unwrap().into_f32();
            let bound = bound.zip(weights);
            for (position, (bound, weights)) in reader.read_positions().unwrap().zip(bound) {
                let moved: Vec3 = bound
                    .into_iter()
                    .zip(weights)
                    .map(|(joint, weight)| {
                        joints[usize::from(joint)].transform_point3(position.into()) * weight
                    })
                    .sum();
                positions.push(rounded(moved));
            }
        }
    }
    positions.sort_unstable();
    positions
}

#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
fn rounded(position: Vec3) -> [i64; 3] {
    position
        .to_array()
        .map(|part| (part * 1000.0).round() as i64)
}

/// A set of tracks of the sample's creature as its idle pose, from its second frame on.
fn pose_standing(scene: &mut Wld<'_>) {
    let names: Vec<String> = scene
        .fragments
        .iter()
        .map(|fragment| fragment.name().to_owned())
        .collect();
    for (fragment, name) in scene.fragments.iter_mut().zip(names) {
        let Some(rest) = name.strip_prefix("C05FDR") else {
            continue;
        };
        fragment.name = Some(scene.strings.add(&format!("P01FDR{rest}")).unwrap());
        if let Body::TrackDefinition(track) = &mut fragment.body {
            match &mut track.frames {
                Frames::Packed(frames) => {
                    let first = usize::from(frames.len() > 1);
                    frames.to_mut().rotate_left(first);
                }
                Frames::Float(frames) => {
                    let first = usize::from(frames.len() > 1);
                    frames.to_mut().rotate_left(first);
                }
            }
        }
    }
}

#[test]
fn creatures_of_a_server_are_in_the_pose_of_their_clip() {
    let install = Install::new();
    install.edit("dell_chr.s3d", "dell_chr.wld", pose_standing);
    let settings = with_table(&install, TABLE);
    let out = install.convert("placed", &settings);
    let model = load(&out.join("models/dell_chr/fdr.gltf"));
    let clips = model.document.animations();
    let names: Vec<&str> = clips.filter_map(|clip| clip.name()).collect();
    assert!(names.contains(&"stand"), "{names:?}");
    let dell = load(&out.join("worlds/dell.gltf"));
    let positions = standing(&dell, 4);
    assert_eq!(positions, posed(&model, "stand"));
    assert_ne!(positions, posed(&model, "walk"));
}

#[test]
fn columns_come_in_any_order_and_unknown_ones_are_kept_in_the_extras() {
    let install = Install::new();
    let table = "guild;heading;pos_z;NAME;pos_x;lockpick;zone;pos_y\n\
                 NULL;128;3;LEVER;10;201;DELL;20\n";
    let settings = with_table(&install, table);
    let out = install.convert("placed", &settings);
    let dell = common::json(&out.join("worlds/dell.gltf"));
    let lever = node(&dell, 2).unwrap();
    assert_eq!(lever["translation"], serde_json::json!([10.0, 3.0, 20.0]));
    let server = &lever["extras"]["everquest"]["server"];
    assert_eq!(server["columns"], serde_json::json!({"lockpick": "201"}));
}

/// All files of a folder with their bytes, without those that contain times.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = common::files(folder).into_iter();
    let files = files.filter(|path| path != "report.json" && !path.starts_with("gallery"));
    files
        .map(|path| {
            let bytes = fs::read(folder.join(&path)).unwrap();
            (path, bytes)
        })
        .collect()
}

#[test]
fn a_second_run_after_the_table_changed_leaves_what_a_fresh_run_leaves() {
    let install = Install::new();
    let lever = |x: u32| format!("zone,name,pos_x,pos_y,pos_z\ndell,LEVER,{x},20,3\n");
    let convert = |name: &str, x: u32| -> PathBuf {
        let settings = with_table(&install, &lever(x));
        install.convert(name, &settings)
    };
    let first = contents(&convert("again", 10));
    // As long as the other, so that only its content differs.
    let second = contents(&convert("again", 11));
    let fresh = contents(&convert("fresh", 11));
    let paths = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(paths(&second), paths(&fresh));
    for ((path, second), (_, fresh)) in second.iter().zip(&fresh) {
        assert!(second == fresh, "{path}");
    }
    let world = |files: &[(String, Vec<u8>)]| {
        let mut files = files.iter();
        files.find(|(path, _)| path == "worlds/dell.gltf").cloned()
    };
    assert_ne!(world(&first), world(&second));
    // Without the table its nodes are gone.
    let bare = contents(&install.convert("again", ""));
    let (_, bytes) = world(&bare).unwrap();
    assert!(!String::from_utf8(bytes).unwrap().contains("doors.csv"));
}

#[test]
fn a_table_that_cannot_be_read_ends_the_run_before_it_begins() {
    let install = Install::new();
    let table = install.input().with_file_name("doors.csv");
    fs::write(&table, "zone,name,x,y,z\ndell,LEVER,1,north,3\n").unwrap();
    let out = install.input().with_file_name("out");
    let output = common::convert(&install.input(), &out, &["--placements"])
        .arg(&table)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("doors.csv: line 2: y is \"north\", expected a number"),
        "{said}"
    );
    assert!(!out.exists());
}
