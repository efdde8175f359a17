//! Things that real installs have and the fixtures lack, in a small install of our own: ambient light, lists
//! of light of older models, archives that light a zone anew, pictures of other archives and missing
//! pictures.

use relicast_testing::test;
use std::path::Path;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::wld::{
    Body, CollisionFace, FaceFlags, Polyhedron, PolyhedronDefinition, PolyhedronFlags,
};
use serde_json::{Value, json};

use crate::common;
use crate::moor::{ADDITIVE, Members, SOLID, Sheet, bmp, dds, install, world, zone};
use crate::output::{Loaded, Part, facts, load};

fn linear(level: u8) -> f64 {
    let level = f64::from(level) / 255.0;
    match level {
        level if level <= 0.04045 => level / 12.92,
        level => ((level + 0.055) / 1.055).powf(2.4),
    }
}

/// The one color of all vertices, red, green, blue.
fn assert_lit(parts: &[Part], expected: [u8; 3]) {
    assert!(!parts.is_empty());
    for vertex in parts.iter().flat_map(|part| &part.vertices) {
        let color = vertex.color.unwrap();
        for channel in 0..3 {
            let found = f64::from(color[channel]) / 65535.0;
            let wanted = linear(expected[channel]);
            assert!((found - wanted).abs() < 1e-3, "{color:?}, {expected:?}");
        }
    }
}

fn parts_of(scene: &Loaded, node: &str) -> Vec<Part> {
    scene.parts(&scene.node(node).mesh().unwrap())
}

const AMBIENT: [u8; 4] = [76, 70, 60, 255];

#[test]
fn ambient_light_is_added_to_baked_light() {
    let picture = bmp(4, [200, 100, 50]);
    let members = [
        ("ground.bmp", picture),
        ("moor.wld", zone(AMBIENT, [10, 20, 30, 100])),
    ];
    let night = "[everquest]\ndaylight = 0.0\n";
    install(&[("moor.s3d", &members)], night, true, |out| {
        let scene = load(&world(out));
        assert_lit(&parts_of(&scene, "terrain"), [86, 90, 90]);
    });
    install(&[("moor.s3d", &members)], "", true, |out| {
        let scene = load(&world(out));
        assert_lit(&parts_of(&scene, "terrain"), [186, 190, 190]);
        // Solid space behind a plane breaks no rule, and coordinates of nines stay.
        let tables = common::json(&world(out).with_extension("everquest.json"));
        assert_eq!(tables["bsp"][0]["back"], Value::Null);
        let volume = &tables["volumes"][0];
        let position = &volume["line"]["absolute"]["position"];
        assert_eq!(*position, json!([null, -15.0, 10.0]));
        assert_eq!(volume["scene_destination"], json!([-15.0, 10.0, null]));
        // The region reaches from its plane as far as places do, not from one end of the terrain.
        let far = json!([[-32768.0, -32768.0, -100.0], [32768.0, 32768.0, 32768.0]]);
        assert_eq!(volume["boxes"][0], far);
    });
}

fn objects() -> Vec<u8> {
    let mut sheet = Sheet::default();
    let wood = sheet.material("WOOD", SOLID, &["ground.bmp"]);
    sheet.model("BOX", wood);
    sheet.finish()
}

#[test]
fn light_of_an_older_model_gives_way_to_the_ambient_light() {
    for (ambient, expected) in [
        (AMBIENT, [76, 70, 60]),
        // Without any the thing would be black: the mean of what was baked there.
        ([0, 0, 0, 255], [30, 40, 60]),
    ] {
        let mut placed = Sheet::default();
        placed.place("BOX", [1.0, 2.0, 3.0], &[[20, 30, 50, 0], [40, 50, 70, 0]]);
        let members = [
            ("ground.bmp", bmp(4, [200; 3])),
            ("moor.wld", zone(ambient, [0; 4])),
            ("objects.wld", placed.finish()),
        ];
        let models = [("moor_obj.wld", objects())];
        let archives: [(&str, Members<'_>); 2] =
            [("moor.s3d", &members), ("moor_obj.s3d", &models)];
        install(&archives, "", false, |out| {
            let scene = load(&world(out));
            assert_lit(&parts_of(&scene, "BOX"), expected);
        });
    }
}

#[test]
fn archives_that_light_a_zone_anew_add_and_replace_what_is_there() {
    let mut placed = Sheet::default();
    placed.place("BOX", [1.0, 2.0, 3.0], &[[10, 10, 10, 0]; 4]);
    placed.place("BOX", [50.0, 2.0, 3.0], &[[20, 20, 20, 0]; 4]);
    let mut lights = Sheet::default();
    lights.light([0.0, 0.0, 9.0], 30.0);
    lights.light([5.0, 0.0, 9.0], 30.0);
    lights.light([7.0, 0.0, 9.0], 0.0);
    let mut anew = Sheet::default();
    anew.place("BOX", [1.0, 2.0, 3.0], &[[90, 90, 90, 0]; 4]);
    anew.place("BOX", [80.0, 2.0, 3.0], &[[30, 30, 30, 0]; 4]);
    anew.light([5.0, 0.0, 9.0], 30.0);
    anew.light([6.0, 0.0, 9.0], 30.0);
    let members = [
        ("ground.bmp", bmp(4, [200; 3])),
        ("moor.wld", zone([0; 4], [9, 9, 9, 0])),
        ("objects.wld", placed.finish()),
        ("lights.wld", lights.finish()),
    ];
    let models = [("moor_obj.wld", objects())];
    let later = [("moor_lit.wld", anew.finish())];
    let archives: [(&str, Members<'_>); 3] = [
        ("moor.s3d", &members),
        ("moor_obj.s3d", &models),
        ("moor_lit.s3d", &later),
    ];
    install(&archives, "", true, |out| {
        let scene = load(&world(out));
        let mut lit: Vec<(f32, Vec<Part>)> = scene
            .node("objects")
            .children()
            .map(|node| {
                let north = node.transform().decomposed().0[2];
                (north, scene.parts(&node.mesh().unwrap()))
            })
            .collect();
        lit.sort_by(|one, other| one.0.total_cmp(&other.0));
        let norths: Vec<f32> = lit.iter().map(|(north, _)| *north).collect();
        assert_eq!(norths, [1.0, 50.0, 80.0]);
        for ((_, parts), level) in lit.iter().zip([90, 20, 30]) {
            assert_lit(parts, [level; 3]);
        }
        let mut norths: Vec<f32> = scene
            .node("lights")
            .children()
            .map(|node| node.transform().decomposed().0[2])
            .collect();
        norths.sort_by(f32::total_cmp);
        assert_eq!(norths, [0.0, 5.0, 6.0]);
        let tables = common::json(&world(out).with_extension("everquest.json"));
        assert_eq!(tables["lights"]["placed"], 3);
        assert_eq!(tables["lights"]["replaced"], 1);
        assert_eq!(tables["lights"]["dark"], 1);
        assert_eq!(tables["placed"]["left_out"].as_array().unwrap().len(), 1);
    });
}

/// Levels of the left column of a picture, from top to bottom.
fn column(path: &Path) -> Vec<u8> {
    let picture = image::open(path).unwrap().into_rgba8();
    (0..picture.height())
        .map(|row| picture.get_pixel(0, row).0[0])
        .collect()
}

#[test]
fn a_loose_picture_is_converted_with_its_first_row_on_top() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    std::fs::write(input.join("wall.dds"), dds(&[10, 20, 30])).unwrap();
    std::fs::write(input.join("named.tga"), dds(&[40, 50])).unwrap();
    std::fs::write(input.join("cut.dds"), b"DDS").unwrap();
    let out = folder.path().join("out");
    let mut command = common::convert(&input, &out, &["-q"]);
    command.assert().code(2);
    assert_eq!(column(&out.join("textures/wall.png")), [10, 20, 30]);
    assert_eq!(column(&out.join("textures/named.png")), [40, 50]);
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let mut sources = report["sources"].as_array().unwrap().iter();
    let cut = sources.find(|source| source["path"] == "cut.dds").unwrap();
    assert!(cut.to_string().contains("\"failed\""), "{cut}");
}

#[test]
fn pictures_are_upright_in_archives_of_both_kinds() {
    let rows = [10, 20, 30, 40, 50];
    let turned = [50, 40, 30, 20, 10];
    let picture = || ("wall.dds", dds(&rows));
    let later = || {
        let mut members = relicast_samples::minimal::eqg::mill().into_iter();
        members.find(|(name, _)| *name == "wheel.mod").unwrap()
    };
    let scene = || ("moor_obj.wld", objects());
    let cases = [
        ("a.s3d", vec![picture()], turned),
        ("a.eqg", vec![picture(), later()], rows),
        ("a.eqg", vec![picture()], rows),
        // What is in an archive counts before its name.
        ("a.eqg", vec![picture(), scene()], turned),
        ("a.s3d", vec![picture(), later()], rows),
    ];
    for (name, members, expected) in cases {
        install(&[(name, &members)], "", false, |out| {
            let files = common::files(out);
            let file = files
                .iter()
                .find(|file| file.ends_with("wall.png"))
                .unwrap();
            assert_eq!(
                column(&out.join(file)),
                expected,
                "{name} {}",
                members.len()
            );
        });
    }
}

#[test]
fn surfaces_without_their_picture_keep_their_coordinates_and_name_it() {
    let mut sheet = Sheet::default();
    let gone = sheet.material("GONE", SOLID, &["gone.bmp"]);
    sheet.model("BOX", gone);
    let members = [("moor_obj.wld", sheet.finish())];
    install(&[("moor_obj.s3d", &members)], "", false, |out| {
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let mesh = scene.document.meshes().next().unwrap();
        let uvs: Vec<_> = scene.parts(&mesh)[0]
            .vertices
            .iter()
            .map(|vertex| vertex.uv)
            .collect();
        let expected = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Some);
        assert_eq!(uvs, expected);
        let material = scene.document.materials().next().unwrap();
        assert_eq!(facts(material.extras())["missingTexture"], "gone.bmp");
    });
}

/// A model with a flame of two pictures in another archive of the zone.
fn flames(config: &str, check: impl FnOnce(&Path)) {
    let mut sheet = Sheet::default();
    let flame = sheet.material("FLAME", ADDITIVE, &["flame1.bmp", "flame2.bmp"]);
    sheet.model("BOX", flame);
    let models = [("moor_obj.wld", sheet.finish())];
    let members = [
        ("ground.bmp", bmp(4, [200; 3])),
        ("flame1.bmp", bmp(4, [100, 50, 0])),
        ("flame2.bmp", bmp(2, [0, 20, 60])),
        ("moor.wld", zone([0; 4], [0; 4])),
    ];
    let archives: [(&str, Members<'_>); 2] = [("moor.s3d", &members), ("moor_obj.s3d", &models)];
    install(&archives, config, true, check);
}

/// The model of flames as JSON: animations of surfaces have no node, which the `gltf` crate wants.
fn flame(out: &Path) -> Value {
    common::json(&out.join("models/moor_obj/box.gltf"))
}

/// The pictures of a model; those in files must exist.
fn pictures(out: &Path, document: &Value) -> Vec<image::RgbaImage> {
    let folder = out.join("models/moor_obj");
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let images = document["images"].as_array().unwrap().iter();
    images
        .map(|one| {
            if let Some(uri) = one["uri"].as_str() {
                return image::open(folder.join(uri)).unwrap().into_rgba8();
            }
            let view = &document["bufferViews"][number(&one["bufferView"])];
            let buffer = &document["buffers"][number(&view["buffer"])];
            let bytes = std::fs::read(folder.join(buffer["uri"].as_str().unwrap())).unwrap();
            let start = number(&view["byteOffset"]);
            let bytes = &bytes[start..start + number(&view["byteLength"])];
            image::load_from_memory(bytes).unwrap().into_rgba8()
        })
        .collect()
}

#[test]
fn additive_pictures_of_another_archive_have_their_brightness_as_alpha() {
    flames("", |out| {
        let pictures = pictures(out, &flame(out));
        assert_eq!(pictures.len(), 1);
        assert_eq!(pictures[0].get_pixel(0, 0).0, [100, 50, 0, 172]);
    });
}

#[test]
fn surfaces_show_their_pictures_in_turn_as_settings_want() {
    let sizes = |pictures: &[image::RgbaImage]| -> Vec<(u32, u32)> {
        pictures
            .iter()
            .map(|picture| picture.dimensions())
            .collect()
    };
    flames("[scenes]\nembed_cycles = true\n", |out| {
        assert_eq!(sizes(&pictures(out, &flame(out))), [(4, 4), (2, 2)]);
    });
    flames("[scenes]\ncycle_atlas = true\n", |out| {
        let document = flame(out);
        let pictures = pictures(out, &document);
        assert_eq!(sizes(&pictures), [(8, 4)]);
        assert_eq!(pictures[0].get_pixel(0, 0).0, [100, 50, 0, 172]);
        assert_eq!(pictures[0].get_pixel(7, 3).0, [0, 20, 60, 60]);
        assert_eq!(document["animations"].as_array().unwrap().len(), 1);
        let used = document["extensionsUsed"].to_string();
        assert!(used.contains("KHR_animation_pointer"), "{used}");
    });
}

#[test]
fn what_stops_movement_is_reported_as_configured() {
    let mut sheet = Sheet::default();
    let wood = sheet.material("WOOD", SOLID, &["ground.bmp"]);
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
    let volume = PolyhedronDefinition {
        flags: PolyhedronFlags::SCALE,
        scale: Some(F32(2.0)),
        vertices: corners.map(Vec3::from).to_vec(),
        faces: [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
            .map(|corners| CollisionFace {
                vertices: corners.to_vec(),
            })
            .to_vec(),
        ..PolyhedronDefinition::default()
    };
    let definition = sheet.add("BOX_POLYHDEF", Body::PolyhedronDefinition(Box::new(volume)));
    let volume = Polyhedron {
        definition,
        ..Polyhedron::default()
    };
    let volume = sheet.add("", Body::Polyhedron(volume));
    sheet.model("BOX", wood);
    for fragment in &mut sheet.list {
        if let Body::Mesh(mesh) = &mut fragment.body {
            mesh.collision = volume;
            mesh.faces.to_mut()[1].flags = FaceFlags::PASSABLE;
        }
    }
    let members = [
        ("ground.bmp", bmp(4, [9; 3])),
        ("moor_obj.wld", sheet.finish()),
    ];
    let archives: [(&str, Members<'_>); 1] = [("moor_obj.s3d", &members)];
    let names = |out: &Path| -> Vec<String> {
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let nodes = scene.document.nodes();
        nodes.map(|node| node.name().unwrap().to_owned()).collect()
    };
    install(&archives, "", true, |out| assert_eq!(names(out), ["BOX"]));
    let asked = "[scenes]\ngodot_suffix = true\ncollision = true\n";
    install(&archives, asked, true, |out| {
        let expected = ["BOX-col", "BOX_collision-col", "BOX_passable"];
        assert_eq!(names(out), expected);
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let volume = scene.node("BOX_collision-col").mesh().unwrap();
        let part = volume.primitives().next().unwrap();
        assert_eq!(part.material().index(), None);
        assert_eq!(part.bounding_box().max, [2.0, 4.0, 2.0]);
        assert_eq!(part.indices().unwrap().count(), 12);
        for (node, solid) in [("BOX-col", true), ("BOX_passable", false)] {
            let mesh = scene.node(node).mesh().unwrap();
            let parts = scene.parts(&mesh);
            assert_eq!((parts.len(), parts[0].solid), (1, solid), "{node}");
        }
    });
}

#[test]
fn files_of_spells_are_no_emitters() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    // As many bytes as whole emitters have.
    let mut spells = vec![0; 560 * 84];
    spells[560..573].copy_from_slice(b"Spark of Wool");
    std::fs::write(input.join("spdat.eff"), &spells).unwrap();
    std::fs::write(input.join("spells.eff"), &spells[..2792 * 16]).unwrap();
    std::fs::write(input.join("moor_sounds.eff"), [0; 84]).unwrap();
    let out = folder.path().join("out");
    common::convert(&input, &out, &["-q"]).assert().success();
    let files = common::files(&out);
    let lists = files.iter().filter(|file| file.contains("sounds/sp"));
    assert_eq!(lists.count(), 0, "{files:?}");
    let spells = common::json(&out.join("config/spdat.json"));
    assert_eq!(spells["spells"][0]["name"], "Spark of Wool");
    assert_eq!(spells["records"], 84);
    assert!(out.join("config/spells.json").is_file());
    assert!(
        files.iter().any(|file| file.ends_with("moor_sounds.json")),
        "{files:?}"
    );
}
