//! Shapes, colors, placements and lights of a zone and objects of a game.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use relicast::formats::everquest::wld::{self, Body};
use relicast::pack::{Request, pack};
use relicast::scene::space::vertex_color;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common::files;
use crate::scenes::everquest_meshes::{members, packed_and_original, scenes, without_bounds};
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

const ZONE: &str = "gfaydark.s3d";
const OBJECTS: &str = "gfaydark_obj.s3d";

/// Offset that is added to places, in units of the files.
const STEP: f32 = 0.25;

/// An install of a zone and its objects.
fn install() -> Place {
    let root = crate::common::fixtures("everquest");
    let folder = tempfile::tempdir().unwrap();
    for name in [ZONE, OBJECTS] {
        if !root.join(name).exists() {
            relicast_testing::skip(format!("no {name}"));
        }
        fs::copy(root.join(name), folder.path().join(name)).unwrap();
    }
    Place::copy_of(folder.path())
}

/// A copy of all outputs, to be restored later.
fn keep(place: &Place) {
    for path in files(&place.path("out")) {
        let to = place.path("before").join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(place.out(&path), to).unwrap();
    }
}

fn primitives(scene: &Scene, mesh: usize) -> usize {
    let primitives = scene.json["meshes"][mesh]["primitives"].as_array();
    primitives.map_or(0, Vec::len)
}

/// Gives a primitive an attribute of its own: several may share theirs.
fn put(scene: &mut Scene, (mesh, primitive): (usize, usize), name: &str, accessor: usize) {
    scene.json["meshes"][mesh]["primitives"][primitive]["attributes"][name] = accessor.into();
}

type Key = [u32; 3];

fn key(place: [f32; 3]) -> Key {
    place.map(f32::to_bits)
}

/// Places of the ground of scenes that stay within the spheres of all their regions if they rise a step.
fn free_places(archive: &[u8]) -> HashMap<Key, bool> {
    let members = members(archive);
    let wld = wld::decode(&members["gfaydark.wld"]).unwrap().value;
    let mut spheres: BTreeMap<usize, Vec<[f32; 4]>> = BTreeMap::new();
    for fragment in &wld.fragments {
        if let Body::Region(region) = &fragment.body
            && let (Some(mesh), Some(sphere)) = (region.mesh, region.sphere)
        {
            let sphere = sphere.map(|part| part.get());
            spheres
                .entry(mesh.index().unwrap())
                .or_default()
                .push(sphere);
        }
    }
    let mut free = HashMap::new();
    for (index, fragment) in wld.fragments.iter().enumerate() {
        let Body::Mesh(mesh) = &fragment.body else {
            continue;
        };
        for vertex in 0..mesh.positions.len() {
            let [x, y, z] = mesh.position(vertex).unwrap();
            let own = spheres.get(&index).into_iter().flatten();
            let stays = own.clone().all(|[cx, cy, cz, radius]| {
                let way = [x - cx, y - cy, z + STEP - cz];
                way.iter().map(|part| part * part).sum::<f32>().sqrt() < *radius
            });
            // Scene axes are y, z and x of the file.
            *free.entry(key([y, z, x])).or_insert(true) &= stays && own.count() > 0;
        }
    }
    free
}

/// Raises each 16th vertex of all meshes; corners at one place move together.
fn edit_objects(scene: &mut Scene) -> usize {
    let mut edited = 0;
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        for primitive in 0..primitives(scene, mesh) {
            let accessor = scene.attribute(mesh, primitive, "POSITION").unwrap();
            let mut rows = scene.floats::<3>(accessor);
            for row in &mut rows {
                let sum: u32 = row.iter().map(|part| part.to_bits() >> 12).sum();
                if sum.is_multiple_of(16) {
                    row[1] += STEP;
                    edited += 1;
                }
            }
            let accessor = scene.add_floats(&rows);
            put(scene, (mesh, primitive), "POSITION", accessor);
        }
    }
    edited
}

fn terrain(scene: &Scene) -> usize {
    let meshes = scene.json["meshes"].as_array().unwrap();
    let found = meshes.iter().position(|mesh| mesh["name"] == "terrain");
    found.unwrap()
}

/// A placement and a light of a zone.
fn nodes(scene: &Scene) -> [usize; 2] {
    let facts = |node: &Value| node["extras"]["everquest"].clone();
    let nodes = scene.nodes();
    let placed = nodes
        .iter()
        .position(|node| facts(node)["file"] == "objects.wld");
    let lit = nodes
        .iter()
        .position(|node| facts(node)["radius"].is_number());
    [placed.unwrap(), lit.unwrap()]
}

/// Other texture coordinates, colors and places of the ground; a placement and a light at other places.
/// Returns the number of raised vertices.
fn edit_zone(scene: &mut Scene, free: &HashMap<Key, bool>) -> usize {
    let levels: Vec<u16> = (0..=255_u8)
        .map(|level| vertex_color([f32::from(level); 3], 1.0)[0])
        .collect();
    let mesh = terrain(scene);
    let mut risen = 0;
    for primitive in 0..primitives(scene, mesh) {
        let place = (mesh, primitive);
        let attribute = |name: &str| scene.attribute(mesh, primitive, name).unwrap();
        let [positions, uvs, colors] = ["POSITION", "TEXCOORD_0", "COLOR_0"].map(attribute);
        let rows = scene.floats::<2>(uvs).into_iter();
        let rows: Vec<[f32; 2]> = rows.map(|[u, v]| [u + STEP, v]).collect();
        let accessor = scene.add_floats(&rows);
        put(scene, place, "TEXCOORD_0", accessor);
        let mut rows = scene.floats::<3>(positions);
        for row in &mut rows {
            let sum: u32 = row.iter().map(|part| part.to_bits() >> 12).sum();
            if sum.is_multiple_of(16) && free[&key(*row)] {
                row[1] += STEP;
                risen += 1;
            }
        }
        let accessor = scene.add_floats(&rows);
        put(scene, place, "POSITION", accessor);
        let mut rows = scene.shorts(colors);
        for [red, ..] in &mut rows {
            let level = levels.binary_search(red).unwrap();
            *red = levels[(level + 20).min(255)];
        }
        let accessor = scene.add_shorts(&rows);
        put(scene, place, "COLOR_0", accessor);
    }
    for node in nodes(scene) {
        let [x, y, z] = scene.vector(node, "translation", [0.0; 3]);
        scene.set(node, "translation", [x + 4.0, y + 0.5, z]);
    }
    let [_, light] = nodes(scene);
    scene.json["nodes"][light]["extras"]["everquest"]["radius"] = json!(125.5);
    risen
}

/// Gives a zone the ground, the placement and the light of another.
fn undo_zone(scene: &mut Scene, before: &Scene) {
    let mesh = terrain(scene);
    for primitive in 0..primitives(scene, mesh) {
        let place = (mesh, primitive);
        let of = |name: &str| before.attribute(mesh, primitive, name).unwrap();
        let accessors = [
            scene.add_floats(&before.floats::<3>(of("POSITION"))),
            scene.add_floats(&before.floats::<2>(of("TEXCOORD_0"))),
            scene.add_shorts(&before.shorts(of("COLOR_0"))),
        ];
        let names = ["POSITION", "TEXCOORD_0", "COLOR_0"];
        for (name, accessor) in names.into_iter().zip(accessors) {
            put(scene, place, name, accessor);
        }
    }
    for node in nodes(scene) {
        scene.json["nodes"][node] = before.json["nodes"][node].clone();
    }
}

/// Checks that a scene shows the meshes that were edited.
fn shows(after: &Scene, wanted: &Scene, meshes: &[usize], path: &str) {
    for &mesh in meshes {
        for primitive in 0..primitives(wanted, mesh) {
            let of = |scene: &Scene, name: &str| scene.attribute(mesh, primitive, name);
            if let (Some(one), Some(other)) = (of(after, "POSITION"), of(wanted, "POSITION")) {
                let rows = after.floats::<3>(one).into_iter();
                for (found, wanted) in rows.zip(wanted.floats::<3>(other)) {
                    let mut parts = found.iter().zip(wanted);
                    let is_near = parts.all(|(a, b)| (a - b).abs() <= 0.004);
                    assert!(is_near, "{path}: {found:?} {wanted:?}");
                }
            }
            if let (Some(one), Some(other)) = (of(after, "TEXCOORD_0"), of(wanted, "TEXCOORD_0")) {
                let rows = after.floats::<2>(one).into_iter();
                for (found, wanted) in rows.zip(wanted.floats::<2>(other)) {
                    let is_near = near(found, wanted, 1.0 / 512.0 + 1e-4);
                    assert!(is_near, "{path}: {found:?} {wanted:?}");
                }
            }
            if let (Some(one), Some(other)) = (of(after, "COLOR_0"), of(wanted, "COLOR_0")) {
                assert!(after.shorts(one) == wanted.shorts(other), "{path}");
            }
        }
    }
}

#[test]
fn a_zone_and_objects_of_a_game_survive_a_round_trip() {
    let place = install();
    keep(&place);
    let zone = "worlds/gfaydark.gltf";
    assert!(scenes(&place, ZONE).iter().any(|path| path == zone));
    let mut objects = Vec::new();
    for path in scenes(&place, OBJECTS) {
        // Waving flags are stored in steps of their own.
        if path.contains("flag") {
            continue;
        }
        let mut scene = Scene::open(&place.out(&path));
        if edit_objects(&mut scene) > 0 {
            scene.save();
            objects.push((path, scene));
        }
    }
    assert!(!objects.is_empty());
    let mut ground = Scene::open(&place.out(zone));
    let free = free_places(&fs::read(place.path("install").join(ZONE)).unwrap());
    assert!(edit_zone(&mut ground, &free) > 100);
    ground.save();
    place.pack();
    place.convert_packed();
    for (path, wanted) in &objects {
        let after = Scene::open(&place.path("after").join(path));
        let meshes = wanted.json["meshes"].as_array().unwrap().len();
        shows(&after, wanted, &Vec::from_iter(0..meshes), path);
    }
    let after = Scene::open(&place.path("after").join(zone));
    shows(&after, &ground, &[terrain(&ground)], zone);
    for node in nodes(&ground) {
        let of = |scene: &Scene| {
            let facts = scene.nodes()[node]["extras"].clone();
            (scene.vector(node, "translation", [0.0; 3]), facts)
        };
        assert_eq!(of(&after), of(&ground));
    }
    drop((after, ground));

    // What was packed is converted by now: its outputs are edited back.
    for (path, _) in &objects {
        for path in [path.clone(), path.replace(".gltf", ".bin")] {
            let [from, to] = ["before", "after"].map(|folder| place.path(folder).join(&path));
            fs::copy(from, to).unwrap();
        }
    }
    // The zone shows objects as they were edited: their shapes are no edits of the zone.
    let [before, mut ground] =
        ["before", "after"].map(|folder| Scene::open(&place.path(folder).join(zone)));
    undo_zone(&mut ground, &before);
    ground.save();
    let [out, install, undone] = ["after", "modded", "undone"].map(|folder| place.path(folder));
    let packed_again = pack(&Request::new(&out, &install, &undone)).unwrap();
    assert_eq!(packed_again.refused, []);
    for archive in [ZONE, OBJECTS] {
        let [packed, original] = packed_and_original(&place, archive);
        assert!(packed != original, "{archive}");
        let undone = members(&fs::read(undone.join(archive)).unwrap());
        for (name, bytes) in &original {
            let [now, before] = [&undone[name], bytes].map(|bytes| without_bounds(name, bytes));
            assert!(now == before, "{archive} {name} is as it was");
        }
    }
}

#[test]
fn ground_that_leaves_its_region_is_packed() {
    let place = install();
    let zone = "worlds/gfaydark.gltf";
    let mut scene = Scene::open(&place.out(zone));
    let mesh = terrain(&scene);
    let accessor = scene.attribute(mesh, 0, "POSITION").unwrap();
    let mut rows = scene.floats::<3>(accessor);
    let first = rows[0];
    for row in rows.iter_mut().filter(|row| **row == first) {
        row[1] += 1000.0;
    }
    let accessor = scene.add_floats(&rows);
    put(&mut scene, (mesh, 0), "POSITION", accessor);
    scene.save();
    let report = format!("{:?}", place.pack().edits);
    assert!(report.contains("was enlarged"), "{report}");
    assert!(report.contains("visible from"), "{report}");
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(zone));
    shows(&after, &scene, &[mesh], zone);
}
