//! Placements of EverQuest that an edit shows with a shape of their own get a model of their own.

use glam::{Mat4, Quat, Vec3};
use relicast_formats::everquest::pfs;
use relicast_formats::everquest::wld::{self, Body};
use relicast_samples::SampleFile;
use relicast_samples::minimal::eqg;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_eqg::{changed, node};
use crate::scenes::everquest_meshes;
use crate::scenes::everquest_topology::recut;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

const DELL: &str = "worlds/dell.gltf";
const MILL: &str = everquest_eqg::WORLD;

/// A corner where it is shown, with its color.
type Corner = (Vec3, [f32; 4]);

fn local(scene: &Scene, node: usize) -> Mat4 {
    let json = &scene.nodes()[node];
    if json["matrix"].is_array() {
        let matrix: [f32; 16] = serde_json::from_value(json["matrix"].clone()).unwrap();
        return Mat4::from_cols_array(&matrix);
    }
    Mat4::from_scale_rotation_translation(
        Vec3::from(scene.vector(node, "scale", [1.0; 3])),
        Quat::from_array(scene.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0])),
        Vec3::from(scene.vector(node, "translation", [0.0; 3])),
    )
}

fn mesh_of(scene: &Scene, node: usize) -> usize {
    scene.nodes()[node]["mesh"].as_u64().unwrap() as usize
}

fn primitives(scene: &Scene, mesh: usize) -> &[Value] {
    scene.json["meshes"][mesh]["primitives"].as_array().unwrap()
}

/// The triangles of a placement where the scene shows them, each with its visible side.
fn triangles(scene: &Scene, node: usize) -> Vec<[Corner; 3]> {
    let (place, mesh) = (local(scene, node), mesh_of(scene, node));
    let mut all = Vec::new();
    for part in 0..primitives(scene, mesh).len() {
        let places = scene.floats::<3>(scene.attribute(mesh, part, "POSITION").unwrap());
        let colors = scene.attribute(mesh, part, "COLOR_0");
        let colors = colors.map(|colors| scene.shorts(colors));
        let corner = |index: u32| {
            let at = index as usize;
            let color = colors.as_ref().map_or([u16::MAX; 4], |colors| colors[at]);
            let color = color.map(|part| f32::from(part) / 65535.0);
            (place.transform_point3(Vec3::from(places[at])), color)
        };
        let indices = scene.indices(scene.attribute(mesh, part, "indices").unwrap());
        for corners in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|step: usize| corner(corners[step]));
            let is_mirrored = place.determinant() < 0.0;
            all.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
        }
    }
    all
}

fn is_same(one: &[Corner; 3], other: &[Corner; 3]) -> bool {
    (0..3).any(|turn| {
        (0..3).all(|step: usize| {
            let ((at, color), (there, shown)) = (one[step], other[(step + turn) % 3]);
            let mut parts = color.iter().zip(shown).take(3);
            at.distance(there) < 0.02 && parts.all(|(one, other)| (one - other).abs() < 0.02)
        })
    })
}

/// Checks that two scenes show a placement in the same way.
fn assert_shows(after: &Scene, found: usize, wanted: &Scene, node: usize, what: &str) {
    let (found, wanted) = (triangles(after, found), triangles(wanted, node));
    assert_eq!(found.len(), wanted.len(), "{what}");
    for one in &wanted {
        let is_shown = found.iter().any(|other| is_same(one, other));
        assert!(is_shown, "{what}: {one:?} is not shown");
    }
}

/// The placement with an index in its file.
fn placed(scene: &Scene, index: &Value) -> usize {
    let is_one = |node: &Value| {
        let facts = &node["extras"]["everquest"];
        facts["index"] == *index && facts["model"].is_string()
    };
    scene.nodes().iter().position(is_one).unwrap()
}

/// Packs an edited scene, and checks that the packed game shows all of its placements with meshes as it does. Returns the
/// report, and the packed scene.
fn shown(place: &Place, wanted: &Scene, path: &str, what: &str) -> (String, Scene) {
    let packed = place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(path));
    for node in wanted.shown() {
        let json = &wanted.nodes()[node];
        let facts = &json["extras"]["everquest"];
        if json["mesh"].is_u64() && facts["model"].is_string() {
            let found = placed(&after, &facts["index"]);
            let what = format!("{what}: {}", json["name"]);
            assert_shows(&after, found, wanted, node, &what);
        }
    }
    (format!("{:?}", packed.edits), after)
}

/// An edit of the transform of a node.
type Transform = fn(&mut Scene, usize);

const TRANSFORMS: [(&str, Transform); 4] = [
    ("scaled along one axis", |scene, node| {
        let [x, y, z] = scene.vector(node, "scale", [1.0; 3]);
        scene.set(node, "scale", [x * 2.0, y, z]);
    }),
    ("mirrored", |scene, node| {
        let [x, y, z] = scene.vector(node, "scale", [1.0; 3]);
        scene.set(node, "scale", [-x, y, z]);
    }),
    ("turned and scaled", |scene, node| {
        scene.set(node, "rotation", [0.3, 0.4, 0.5, 0.707_106_77]);
        scene.set(node, "scale", [1.0, 2.0, 3.0]);
    }),
    ("sheared", |scene, node| {
        let shear = Mat4::from_cols_array(&[
            1.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.25, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ]);
        let matrix = local(scene, node) * shear;
        let json = scene.json["nodes"][node].as_object_mut().unwrap();
        ["translation", "rotation", "scale"].iter().for_each(|key| {
            json.remove(*key);
        });
        json.insert("matrix".to_owned(), json!(matrix.to_cols_array()));
    }),
];

/// Names of the actors of the packed objects.
fn actors(place: &Place) -> Vec<String> {
    let bytes = std::fs::read(place.path("mod").join("dell_obj.s3d")).unwrap();
    let archive = pfs::decode(&bytes).unwrap().value;
    let member = archive.member("dell_obj.wld").unwrap().extract().unwrap();
    let wld = wld::decode(&member.value).unwrap().value;
    let actors = wld.fragments.iter();
    let actors = actors.filter(|it| matches!(it.body, Body::ActorDefinition(_)));
    actors.map(|actor| actor.name().to_owned()).collect()
}

#[test]
fn a_placement_whose_transform_the_game_cannot_store_gets_a_model_of_its_own() {
    for name in ["ELM", "SIGN", "SIGN_2"] {
        for (what, edit) in TRANSFORMS {
            let place = everquest_meshes::sample();
            let wanted = everquest_eqg::edited(&place, DELL, |scene| {
                let node = node(scene, name);
                edit(scene, node);
            });
            let (said, _) = shown(&place, &wanted, DELL, &format!("{name} {what}"));
            let model = name.trim_end_matches("_2");
            let words = format!("{model} has a model of its own, {model}_2 in dell_obj.wld");
            assert!(said.contains(&words), "{said}");
            let actor = format!("{model}_2_ACTORDEF");
            assert!(actors(&place).contains(&actor), "{:?}", actors(&place));
            // What was packed is no edit when it is converted again.
            let again = place.again("modded");
            assert!(again.pack().files.is_empty());
        }
    }
}

#[test]
fn a_placement_of_an_eqg_zone_whose_transform_cannot_be_stored_gets_a_model_of_its_own() {
    for name in ["WHEEL01", "WHEEL02", "CROW01"] {
        for (what, edit) in TRANSFORMS {
            if what.starts_with("turned") && name == "CROW01" {
                continue;
            }
            let place = everquest_eqg::sample();
            let wanted = everquest_eqg::edited(&place, MILL, |scene| {
                let node = node(scene, name);
                edit(scene, node);
            });
            let (said, _) = shown(&place, &wanted, MILL, &format!("{name} {what}"));
            let words = format!("{name} has a model of its own, ");
            assert!(said.contains(&words), "{said}");
            let members = changed(&place);
            let model = if name == "CROW01" {
                "crow_2.mod"
            } else {
                "wheel_2.mod"
            };
            let is_one = |wanted: &str| members.iter().any(|member| member == wanted);
            assert!(is_one(model) && is_one("mill.zon"), "{members:?}");
            let again = place.again("modded");
            assert!(again.pack().files.is_empty());
        }
    }
}

/// Joins a placement to another one, as Blender does (Ctrl+J), and takes it out.
fn join(scene: &mut Scene, to: usize, from: usize) {
    let (home, mesh) = (mesh_of(scene, to), mesh_of(scene, from));
    let matrix = local(scene, to).inverse() * local(scene, from);
    let mut own = scene.json["meshes"][home].clone();
    for part in 0..primitives(scene, mesh).len() {
        let accessor = |scene: &Scene, name: &str| scene.attribute(mesh, part, name).unwrap();
        let moved = |rows: Vec<[f32; 3]>, is_place: bool| -> Vec<[f32; 3]> {
            let row = |row: [f32; 3]| match is_place {
                true => matrix.transform_point3(Vec3::from(row)),
                false => matrix.transform_vector3(Vec3::from(row)).normalize(),
            };
            rows.into_iter().map(|it| row(it).to_array()).collect()
        };
        let places = moved(scene.floats::<3>(accessor(scene, "POSITION")), true);
        let normals = moved(scene.floats::<3>(accessor(scene, "NORMAL")), false);
        let mut new = primitives(scene, mesh)[part].clone();
        new["attributes"]["POSITION"] = scene.add_floats(&places).into();
        new["attributes"]["NORMAL"] = scene.add_floats(&normals).into();
        own["primitives"].as_array_mut().unwrap().push(new);
    }
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(own);
    scene.json["nodes"][to]["mesh"] = (meshes.len() - 1).into();
    for other in scene.json["nodes"].as_array_mut().unwrap() {
        if let Some(children) = other.get_mut("children").and_then(Value::as_array_mut) {
            children.retain(|child| *child != from);
        }
    }
}

#[test]
fn joined_placements_become_one_model() {
    for (to, from) in [("ELM", "SIGN"), ("ELM", "ELM_2"), ("ELM", "EMBERS")] {
        let place = everquest_meshes::sample();
        let wanted = everquest_eqg::edited(&place, DELL, |scene| {
            let nodes = [to, from].map(|name| node(scene, name));
            join(scene, nodes[0], nodes[1]);
        });
        let (said, after) = shown(&place, &wanted, DELL, from);
        assert!(said.contains("ELM_2 in dell_obj.wld"), "{said}");
        assert!(said.contains("placement is sunk"), "{said}");
        let materials = |scene: &Scene, name: &str| {
            let parts = primitives(scene, mesh_of(scene, node(scene, name))).iter();
            let materials = parts.map(|part| part["material"].as_u64().unwrap() as usize);
            let names = materials.map(|it| scene.json["materials"][it]["name"].to_string());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names.dedup();
            names
        };
        let found = placed(&after, &json!(9));
        let found = after.nodes()[found]["name"].as_str().unwrap();
        assert_eq!(materials(&after, found), materials(&wanted, "ELM"));
    }
}

#[test]
fn joined_placements_of_an_eqg_zone_become_one_model() {
    for (to, from) in [
        ("CROW01", "WHEEL01"),
        ("WHEEL01", "CROW01"),
        ("WHEEL01", "WHEEL02"),
    ] {
        let place = everquest_eqg::sample();
        let wanted = everquest_eqg::edited(&place, MILL, |scene| {
            let nodes = [to, from].map(|name| node(scene, name));
            join(scene, nodes[0], nodes[1]);
        });
        let packed = place.pack();
        let said = format!("{:?}", packed.edits);
        assert!(
            said.contains(&format!("{to} has a model of its own")),
            "{said}"
        );
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(MILL));
        let found = triangles(&after, node(&after, to)).len();
        assert_eq!(found, triangles(&wanted, node(&wanted, to)).len());
        let left = after.nodes().iter().filter(|node| node["name"] == from);
        assert_eq!(left.count(), 0);
    }
}

/// Gives a node a copy of its mesh and edits that.
fn edit_alone(scene: &mut Scene, name: &str, edit: impl FnOnce(&mut Scene, usize)) {
    let node = node(scene, name);
    let copy = scene.json["meshes"][mesh_of(scene, node)].clone();
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(copy);
    let mesh = meshes.len() - 1;
    scene.json["nodes"][node]["mesh"] = mesh.into();
    edit(scene, mesh);
}

/// Moves the vertices of the first primitive of a mesh up, those farther away by more.
fn stretch(scene: &mut Scene, mesh: usize) {
    let places = scene.attribute(mesh, 0, "POSITION").unwrap();
    let rows = scene.floats::<3>(places).into_iter();
    let rows: Vec<[f32; 3]> = rows.map(|[x, y, z]| [x, y + x * x + 1.0, z]).collect();
    let places = scene.add_floats(&rows);
    scene.json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"] = places.into();
}

#[test]
fn the_mesh_of_one_placement_may_be_edited_alone() {
    for (name, model) in [("ELM", "ELM_2"), ("SIGN", "SIGN_2"), ("ELM_2", "ELM_2")] {
        let place = everquest_meshes::sample();
        let wanted = everquest_eqg::edited(&place, DELL, |scene| edit_alone(scene, name, stretch));
        let (said, _) = shown(&place, &wanted, DELL, name);
        assert!(said.contains(&format!("{model} in dell_obj.wld")), "{said}");
        let place = everquest_meshes::sample();
        let wanted = everquest_eqg::edited(&place, DELL, |scene| {
            edit_alone(scene, name, |scene, mesh| recut(scene, mesh, 0, 1));
        });
        let packed = format!("{:?}", place.pack().edits);
        assert!(packed.contains("is rebuilt"), "{packed}");
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(DELL));
        let index = &wanted.nodes()[node(&wanted, name)]["extras"]["everquest"]["index"];
        let found = triangles(&after, placed(&after, index)).len();
        assert_eq!(found, triangles(&wanted, node(&wanted, name)).len());
    }
}

#[test]
fn a_placement_that_its_parent_shears_gets_a_model_of_its_own() {
    let place = everquest_meshes::sample();
    let mut wanted = everquest_eqg::edited(&place, DELL, |scene| {
        let (above, below) = (node(scene, "ELM"), node(scene, "ELM_2"));
        let objects = node(scene, "objects");
        let children = &mut scene.json["nodes"][objects]["children"];
        children
            .as_array_mut()
            .unwrap()
            .retain(|child| *child != below);
        scene.json["nodes"][above]["children"] = json!([below]);
        scene.set(above, "scale", [1.0, 3.0, 1.0]);
        scene.set(below, "rotation", [0.5, 0.0, 0.0, 0.866_025_4]);
        scene.set(below, "translation", [2.0, 0.5, 1.0]);
    });
    let packed = format!("{:?}", place.pack().edits);
    assert!(packed.contains("ELM_3 in dell_obj.wld"), "{packed}");
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(DELL));
    let (above, below) = (node(&wanted, "ELM"), node(&wanted, "ELM_2"));
    let matrix = local(&wanted, above) * local(&wanted, below);
    let index = |node: usize| wanted.nodes()[node]["extras"]["everquest"]["index"].clone();
    let found = [above, below].map(|node| placed(&after, &index(node)));
    assert_shows(&after, found[0], &wanted, above, "the parent");
    let json = wanted.json["nodes"][below].as_object_mut().unwrap();
    json.insert("matrix".to_owned(), json!(matrix.to_cols_array()));
    assert_shows(&after, found[1], &wanted, below, "the child");
}

#[test]
fn placements_that_are_scaled_in_the_same_way_get_one_model() {
    let place = everquest_meshes::sample();
    let wanted = everquest_eqg::edited(&place, DELL, |scene| {
        for name in ["ELM", "ELM_2"] {
            let elm = node(scene, name);
            TRANSFORMS[0].1(scene, elm);
        }
    });
    let (said, _) = shown(&place, &wanted, DELL, "both");
    assert!(said.contains("2 placements of ELM"), "{said}");
}

#[test]
fn a_model_of_its_own_goes_when_its_edit_is_undone() {
    let place = everquest_meshes::sample();
    let before = Scene::open(&place.out(DELL));
    let edit = || {
        everquest_eqg::edited(&place, DELL, |scene| {
            let elm = node(scene, "ELM");
            TRANSFORMS[0].1(scene, elm);
        })
    };
    edit();
    let mut files: Vec<String> = place
        .pack()
        .files
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    files.sort();
    assert_eq!(files, ["dell.s3d", "dell_obj.s3d"]);
    before.save();
    place.pack();
    assert!(!place.path("mod").join("dell_obj.s3d").exists());
    assert!(!place.path("mod").join("dell.s3d").exists());
}

#[test]
fn a_copy_with_another_shape_is_refused() {
    let place = everquest_meshes::sample();
    everquest_eqg::edited(&place, DELL, |scene| {
        let (elm, objects) = (node(scene, "ELM"), node(scene, "objects"));
        let nodes = scene.json["nodes"].as_array_mut().unwrap();
        let mut copy = nodes[elm].clone();
        copy["name"] = "ELM.001".into();
        nodes.push(copy);
        let new = nodes.len() - 1;
        scene.set(new, "translation", [3.0, 1.0, 4.0]);
        let children = &mut scene.json["nodes"][objects]["children"];
        children.as_array_mut().unwrap().push(new.into());
        edit_alone(scene, "ELM.001", stretch);
    });
    let refused = place.refused();
    assert!(
        refused[0].1.contains("a copy with another shape"),
        "{refused:?}"
    );
}

#[test]
fn placements_that_show_one_edited_mesh_get_one_model() {
    let place = everquest_meshes::sample();
    let wanted = everquest_eqg::edited(&place, DELL, |scene| {
        edit_alone(scene, "ELM", stretch);
        let (one, other) = (node(scene, "ELM"), node(scene, "ELM_2"));
        scene.json["nodes"][other]["mesh"] = mesh_of(scene, one).into();
    });
    let (said, _) = shown(&place, &wanted, DELL, "both");
    assert!(
        said.contains("2 placements of ELM have a model of their own, ELM_2"),
        "{said}"
    );
    assert!(!actors(&place).contains(&"ELM_3_ACTORDEF".to_owned()));
}

#[test]
fn an_own_model_and_an_edit_of_the_models_of_its_archive_are_refused_together() {
    let place = everquest_meshes::sample();
    everquest_eqg::edited(&place, DELL, |scene| {
        let elm = node(scene, "ELM");
        TRANSFORMS[0].1(scene, elm);
    });
    everquest_eqg::edited(&place, "models/dell_obj/elm.gltf", |scene| {
        everquest_meshes::move_first(scene, "ELM_DMSPRITEDEF", 1.0);
    });
    let refused = place.refused();
    let reason = "gets a model of its own in dell_obj.wld, in which other outputs were edited too";
    assert!(
        refused.iter().any(|(_, said)| said.contains(reason)),
        "{refused:?}"
    );
}

#[test]
fn a_placement_with_several_meshes_gets_no_model_of_its_own() {
    let place = everquest_meshes::sample();
    everquest_eqg::edited(&place, DELL, |scene| {
        let lever = node(scene, "LEVER");
        scene.set(lever, "scale", [1.0, 2.0, 3.0]);
    });
    let refused = place.refused();
    assert!(
        refused[0].1.contains("equally along all axes"),
        "{refused:?}"
    );
}

#[test]
fn a_placement_of_a_zone_next_to_its_archive_gets_no_model_of_its_own() {
    let mut files = everquest_eqg::files();
    files.push(SampleFile {
        path: "mill.zon".to_owned(),
        bytes: eqg::loose_zone(),
    });
    let place = Place::new(&files);
    everquest_eqg::edited(&place, MILL, |scene| {
        let wheel = node(scene, "WHEEL01");
        scene.set(wheel, "scale", [1.0, 2.0, 3.0]);
    });
    let refused = place.refused();
    assert!(refused[0].1.contains("next to the archive"), "{refused:?}");
}
