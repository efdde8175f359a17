//! Shapes of EverQuest: vertices of zones, objects and creatures where they are.

use std::collections::BTreeMap;
use std::fs;

use relicast::asset::Game;
use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::{self, Body};
use relicast::pack::Packed;
use relicast::scene::space::vertex_color;
use relicast_testing::test;

use crate::scenes::foreign::rewrite;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};

pub fn sample() -> Place {
    Place::new(&relicast_samples::files(Game::Eq, 1).unwrap())
}

/// Scenes of the scene files of an archive.
pub fn scenes(place: &Place, archive: &str) -> Vec<String> {
    let outputs = place.manifest().outputs.into_iter();
    let found: Vec<String> = outputs
        .filter(|output| output.source == archive && output.path.ends_with(".gltf"))
        .filter(|output| output.path.starts_with("worlds/") || output.path.starts_with("models/"))
        .map(|output| output.path)
        .collect();
    assert!(!found.is_empty(), "{archive} has scenes");
    found
}

/// The scene files of an archive, inflated.
pub fn members(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let archive = pfs::decode(bytes).unwrap().value;
    let entries = archive.entries.iter();
    entries
        .map(|entry| (entry.label(), entry.extract().unwrap().value))
        .collect()
}

/// A scene file without the bounds of meshes and skeletons, and without the lists of visible regions. Computed bounds differ from stored ones in their
/// last bits, because the games' tools computed them from positions that were not rounded yet.
pub fn without_bounds(name: &str, bytes: &[u8]) -> Vec<u8> {
    if !name.ends_with(".wld") {
        return bytes.to_vec();
    }
    let mut decoded = wld::decode(bytes).unwrap().value;
    for fragment in &mut decoded.fragments {
        match &mut fragment.body {
            Body::Mesh(mesh) => {
                mesh.radius = F32(0.0);
                (mesh.min, mesh.max) = (Vec3::default(), Vec3::default());
            }
            // Lists of visible regions only grow.
            Body::Region(region) => region.visible.clear(),
            Body::SkeletonDefinition(skeleton) if skeleton.radius.is_some() => {
                skeleton.radius = Some(F32(0.0));
            }
            _ => {}
        }
    }
    wld::encode(&decoded).unwrap()
}

/// The packed archive and the original one.
pub fn packed_and_original(place: &Place, archive: &str) -> [BTreeMap<String, Vec<u8>>; 2] {
    ["mod", "install"].map(|folder| members(&fs::read(place.path(folder).join(archive)).unwrap()))
}

/// Changes every vertex of every attribute of the meshes that `wants` selects.
pub fn edit(scene: &mut Scene, dice: &mut Dice, wants: impl Fn(&str) -> bool) -> usize {
    let mut edited = 0;
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        let own = scene.json["meshes"][mesh].clone();
        if !wants(own["name"].as_str().unwrap()) {
            continue;
        }
        for primitive in 0..own["primitives"].as_array().unwrap().len() {
            if let Some(accessor) = scene.attribute(mesh, primitive, "POSITION") {
                let mut rows = scene.floats::<3>(accessor);
                for part in rows.iter_mut().flatten() {
                    *part += dice.part() * 0.1;
                }
                set_rows(scene, mesh, primitive, "POSITION", &rows);
                edited += rows.len();
            }
            if let Some(accessor) = scene.attribute(mesh, primitive, "NORMAL") {
                let mut rows = scene.floats::<3>(accessor);
                for row in &mut rows {
                    *row = row.map(|part| part + dice.part() * 0.5);
                    let length = row.iter().map(|part| part * part).sum::<f32>().sqrt();
                    *row = row.map(|part| part / length);
                }
                set_rows(scene, mesh, primitive, "NORMAL", &rows);
            }
            if let Some(accessor) = scene.attribute(mesh, primitive, "TEXCOORD_0") {
                let mut rows = scene.floats::<2>(accessor);
                for part in rows.iter_mut().flatten() {
                    *part += dice.part();
                }
                set_rows(scene, mesh, primitive, "TEXCOORD_0", &rows);
            }
            brighten(scene, mesh, primitive, dice);
        }
    }
    edited
}

/// Gives a primitive values of its own: several may share theirs.
pub fn set_rows<const N: usize>(
    scene: &mut Scene,
    mesh: usize,
    primitive: usize,
    name: &str,
    rows: &[[f32; N]],
) {
    let accessor = scene.add_floats(rows);
    scene.json["meshes"][mesh]["primitives"][primitive]["attributes"][name] = accessor.into();
}

/// Brighter colors, so that the light of the sky stays as it is.
pub fn brighten(scene: &mut Scene, mesh: usize, primitive: usize, dice: &mut Dice) {
    let Some(accessor) = scene.attribute(mesh, primitive, "COLOR_0") else {
        return;
    };
    let levels: Vec<u16> = (0..=255_u8)
        .map(|level| vertex_color([f32::from(level); 3], 1.0)[0])
        .collect();
    let mut rows = scene.shorts(accessor);
    for short in rows.iter_mut().flat_map(|row| &mut row[..3]) {
        let level = levels.binary_search(short).unwrap();
        *short = levels[(level + dice.roll(20)).min(255)];
    }
    // Several may share theirs.
    let accessor = scene.add_shorts(&rows);
    scene.json["meshes"][mesh]["primitives"][primitive]["attributes"]["COLOR_0"] = accessor.into();
}

/// Checks that a scene shows another within steps of 1/`steps`.
pub fn shows(after: &Scene, wanted: &Scene, slack: f32, path: &str) {
    let meshes = wanted.json["meshes"].as_array().map_or(0, Vec::len);
    assert_eq!(after.nodes().len(), wanted.nodes().len(), "{path}");
    for mesh in 0..meshes {
        let count = wanted.json["meshes"][mesh]["primitives"]
            .as_array()
            .unwrap()
            .len();
        for primitive in 0..count {
            let place = |scene: &Scene, name: &str| scene.attribute(mesh, primitive, name);
            for (name, slack) in [("POSITION", slack), ("NORMAL", 0.02)] {
                let (Some(one), Some(other)) = (place(after, name), place(wanted, name)) else {
                    continue;
                };
                let rows = after
                    .floats::<3>(one)
                    .into_iter()
                    .zip(wanted.floats::<3>(other));
                for (found, wanted) in rows {
                    for (a, b) in found.into_iter().zip(wanted) {
                        assert!(
                            (a - b).abs() <= slack,
                            "{path} {name}: {found:?} {wanted:?}"
                        );
                    }
                }
            }
            if let (Some(one), Some(other)) =
                (place(after, "TEXCOORD_0"), place(wanted, "TEXCOORD_0"))
            {
                let rows = after
                    .floats::<2>(one)
                    .into_iter()
                    .zip(wanted.floats::<2>(other));
                for (found, wanted) in rows {
                    assert!(
                        near(wanted, found, 1.0 / 512.0 + 1e-4),
                        "{path}: {found:?} {wanted:?}"
                    );
                }
            }
            if let (Some(one), Some(other)) = (place(after, "COLOR_0"), place(wanted, "COLOR_0")) {
                assert_eq!(after.shorts(one), wanted.shorts(other), "{path}");
            }
        }
    }
}

/// Edits the scenes of an archive, packs, converts again and compares; then the edit that undoes it.
fn round(archive: &str, slack: f32, wants: impl Fn(&str, &str) -> bool) {
    let place = sample();
    let mut dice = Dice(5);
    let mut edited = Vec::new();
    for path in scenes(&place, archive) {
        let mut scene = Scene::open(&place.out(&path));
        if edit(&mut scene, &mut dice, |mesh| wants(&path, mesh)) > 0 {
            scene.save();
            edited.push((path, scene));
        }
    }
    assert!(!edited.is_empty(), "{archive} has shapes");
    let Packed { edits, files, .. } = place.pack();
    assert_eq!(files.len(), 1);
    assert!(
        edits.iter().any(|edit| edit.rounding.is_some()),
        "{edits:?}"
    );
    place.convert_packed();
    for (path, scene) in &edited {
        let after = Scene::open(&place.path("after").join(path));
        shows(&after, scene, slack, path);
    }
    // Members that were not edited have their bytes.
    let [packed, original] = packed_and_original(&place, archive);
    assert_ne!(packed, original);
    for (name, bytes) in &original {
        assert!(name.ends_with(".wld") || packed[name] == *bytes, "{name}");
    }
    let again = Place::copy_of(&place.path("modded"));
    for (path, _) in &edited {
        for path in [path.clone(), path.replace(".gltf", ".bin")] {
            let before = sample_output(&place, &path);
            fs::write(again.out(&path), before).unwrap();
        }
    }
    again.pack();
    let [packed, _] = packed_and_original(&again, archive);
    for (name, bytes) in &original {
        let [now, before] = [&packed[name], bytes].map(|bytes| without_bounds(name, bytes));
        assert!(now == before, "{name} is as it was");
    }
}

/// An output as it was before it was edited.
fn sample_output(place: &Place, path: &str) -> Vec<u8> {
    if !place.path("before").exists() {
        place.convert("install", "before");
    }
    fs::read(place.path("before").join(path)).unwrap()
}

#[test]
fn ground_of_zones_survives_a_round_trip() {
    round("dell.s3d", 0.02, |_, mesh| {
        mesh == "terrain" || mesh == "invisible"
    });
}

#[test]
fn objects_survive_a_round_trip() {
    round("dell_obj.s3d", 0.002, |_, mesh| {
        mesh != "PENNON_DMSPRITEDEF"
    });
}

#[test]
fn creatures_in_the_spaces_of_their_bones_survive_a_round_trip() {
    round("dell_chr.s3d", 0.001, |_, _| true);
}

#[test]
fn items_survive_a_round_trip() {
    round("gequip.s3d", 0.002, |_, mesh| {
        mesh.ends_with("_DMSPRITEDEF")
    });
}

#[test]
fn baked_light_of_placements_is_packed() {
    let place = sample();
    let path = scenes(&place, "dell.s3d").remove(0);
    let mut scene = Scene::open(&place.out(&path));
    let mut dice = Dice(3);
    let signs: Vec<usize> = scene
        .nodes()
        .iter()
        .filter(|node| node["extras"]["everquest"]["model"] == "SIGN")
        .filter_map(|node| node["mesh"].as_u64())
        .map(|mesh| mesh as usize)
        .collect();
    assert_eq!(signs.len(), 2);
    let primitives = scene.json["meshes"][signs[0]]["primitives"]
        .as_array()
        .unwrap()
        .len();
    for primitive in 0..primitives {
        brighten(&mut scene, signs[0], primitive, &mut dice);
    }
    scene.save();
    place.pack();
    place.convert_packed();
    shows(
        &Scene::open(&place.path("after").join(&path)),
        &scene,
        0.0,
        &path,
    );
    let [packed, original] = packed_and_original(&place, "dell.s3d");
    assert_eq!(packed["dell.wld"], original["dell.wld"]);
    assert_ne!(packed["objects.wld"], original["objects.wld"]);
}

#[test]
fn what_another_program_wrote_without_an_edit_changes_nothing() {
    for archive in ["dell.s3d", "dell_obj.s3d", "dell_chr.s3d"] {
        let place = sample();
        for path in scenes(&place, archive) {
            let mut scene = Scene::open(&place.out(&path));
            rewrite(&mut scene, true);
            scene.save();
        }
        let packed = place.pack();
        assert!(!packed.unedited.is_empty());
        assert!(packed.files.is_empty(), "{archive}: {packed:?}");
    }
}

#[test]
fn scenes_saved_again_are_no_edits_beside_edited_ones_of_their_archive() {
    let place = sample();
    let paths = scenes(&place, "dell_obj.s3d");
    let (edited, again) = paths.split_first().unwrap();
    let mut scene = Scene::open(&place.out(edited));
    edit(&mut scene, &mut Dice(4), |_| true);
    scene.save();
    for path in again {
        let mut scene = Scene::open(&place.out(path));
        rewrite(&mut scene, true);
        scene.save();
    }
    let packed = place.pack();
    let of_scenes = |path: &&String| path.ends_with(".gltf");
    let unedited: Vec<_> = packed.unedited.iter().filter(of_scenes).collect();
    assert_eq!(unedited, again.iter().collect::<Vec<_>>());
    let outputs = packed.edits.iter().map(|edit| &edit.output);
    let outputs: Vec<_> = outputs.filter(of_scenes).collect();
    assert_eq!(outputs, [edited]);
}

#[test]
fn what_another_program_moved_is_packed() {
    let place = sample();
    let path = scenes(&place, "dell_chr.s3d").remove(0);
    let mut scene = Scene::open(&place.out(&path));
    edit(&mut scene, &mut Dice(8), |_| true);
    scene.save();
    rewrite(&mut scene, false);
    scene.save();
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let accessor = after.attribute(0, 0, "POSITION").unwrap();
    let indices = after.indices(after.attribute(0, 0, "indices").unwrap());
    let found = after.floats::<3>(accessor);
    let wanted = scene.floats::<3>(scene.attribute(0, 0, "POSITION").unwrap());
    assert_eq!(indices.len(), wanted.len());
    for (index, wanted) in indices.into_iter().zip(wanted) {
        assert!(near(found[index as usize], wanted, 0.001));
    }
}

#[test]
fn shapes_that_cannot_be_packed_are_refused_by_name() {
    type Refused = (&'static str, fn(&mut Scene), &'static str);
    let edits: [Refused; 1] = [(
        "dell_obj.s3d",
        |scene| move_first(scene, "SIGN_DMSPRITEDEF", 1e6),
        "32,767 units",
    )];
    for (archive, edit, reason) in edits {
        let place = sample();
        for path in scenes(&place, archive) {
            let mut scene = Scene::open(&place.out(&path));
            let before = scene.bin.clone();
            edit(&mut scene);
            if scene.bin != before {
                scene.save();
            }
        }
        let refused = place.refused();
        assert!(refused[0].1.contains(reason), "{refused:?}");
    }
}

pub fn move_first(scene: &mut Scene, name: &str, way: f32) {
    let meshes = scene.json["meshes"].as_array().unwrap();
    let Some(mesh) = meshes.iter().position(|mesh| mesh["name"] == name) else {
        return;
    };
    let accessor = scene.attribute(mesh, 0, "POSITION").unwrap();
    let mut rows = scene.floats::<3>(accessor);
    rows[0][1] += way;
    set_rows(scene, mesh, 0, "POSITION", &rows);
}

#[test]
fn larger_objects_get_larger_steps() {
    let place = sample();
    let mut grown = None;
    for path in scenes(&place, "dell_obj.s3d") {
        let mut scene = Scene::open(&place.out(&path));
        let before = scene.bin.clone();
        move_first(&mut scene, "SIGN_DMSPRITEDEF", 100.0);
        if scene.bin != before {
            scene.save();
            grown = Some((path, scene));
        }
    }
    let (path, scene) = grown.unwrap();
    let packed = place.pack();
    assert!(
        packed
            .edits
            .iter()
            .any(|edit| edit.output == path.replace(".gltf", ".bin"))
    );
    place.convert_packed();
    shows(
        &Scene::open(&place.path("after").join(&path)),
        &scene,
        0.01,
        &path,
    );
}
