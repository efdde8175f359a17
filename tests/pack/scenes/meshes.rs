//! Vertices, normals, texture coordinates and colors of meshes.

use relicast_testing::test;
use std::collections::{BTreeMap, HashMap};
use std::fs;

use relicast::asset::AssetKind;
use relicast::pack::{Request, pack};

use relicast_samples::SampleFile;

use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};
use crate::scenes::{GAMES, near};

fn bits<const N: usize>(row: [f32; N]) -> [u32; N] {
    row.map(f32::to_bits)
}

/// An install whose scenes have no scattered things. Their meshes follow those of other files and may share
/// accessors with meshes of the scene, all of which these tests change.
fn without_clutter(files: &[SampleFile]) -> Place {
    Place::with(files, |config| config.worlds.clutter = false)
}

/// Changes every accessor of an attribute that triangles use; equal rows stay equal.
fn each_accessor(scene: &Scene, name: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (mesh, value) in scene.json["meshes"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        for primitive in 0..value["primitives"].as_array().unwrap().len() {
            let mode = value["primitives"][primitive]["mode"].as_u64().unwrap_or(4);
            if let Some(accessor) = scene.attribute(mesh, primitive, name).filter(|_| mode == 4) {
                found.push(accessor);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Rows of an attribute for each corner of each primitive, by the name of the mesh.
pub fn corners<const N: usize>(
    scene: &Scene,
    name: &str,
) -> BTreeMap<(String, usize), Vec<[f32; N]>> {
    let mut all = BTreeMap::new();
    for (mesh, value) in scene.json["meshes"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        for primitive in 0..value["primitives"].as_array().unwrap().len() {
            let accessors = (
                scene.attribute(mesh, primitive, name),
                scene.attribute(mesh, primitive, "indices"),
            );
            if let (Some(values), Some(indices)) = accessors {
                let rows = scene.floats::<N>(values);
                let indices = scene.indices(indices);
                let key = (value["name"].to_string(), primitive);
                all.insert(key, indices.iter().map(|&at| rows[at as usize]).collect());
            }
        }
    }
    all
}

#[test]
fn moved_vertices_and_texture_coordinates_are_packed_in_every_game() {
    for game in GAMES {
        let place = without_clutter(&relicast_samples::files(game, 1).unwrap());
        let mut edited = Vec::new();
        // A model may be shown by several scenes; all are moved the same way.
        let mut moves: HashMap<[u32; 3], [f32; 3]> = HashMap::new();
        let mut dice = Dice(7);
        for output in place.scenes() {
            let mut scene = Scene::open(&place.out(&output.path));
            for accessor in each_accessor(&scene, "POSITION") {
                let mut rows = scene.floats::<3>(accessor);
                for row in &mut rows {
                    let by = *moves.entry(bits(*row)).or_insert_with(|| {
                        [dice.part(), dice.part(), dice.part()].map(|part| part / 64.0)
                    });
                    *row = [row[0] + by[0], row[1] + by[1], row[2] + by[2]];
                }
                scene.put_floats(accessor, &rows);
            }
            for accessor in each_accessor(&scene, "TEXCOORD_0") {
                let rows = scene.floats::<2>(accessor);
                let rows: Vec<_> = rows.iter().map(|[u, v]| [u * 0.5, v * 0.75]).collect();
                scene.put_floats(accessor, &rows);
            }
            scene.save();
            edited.push((output.path, scene));
        }
        let packed = place.pack();
        assert!(!packed.edits.is_empty(), "{game:?}");
        place.convert_packed();
        for (path, scene) in edited {
            let after = Scene::open(&place.path("after").join(&path));
            let mut count = 0;
            let (wanted, found) = (
                corners::<3>(&scene, "POSITION"),
                corners::<3>(&after, "POSITION"),
            );
            assert_eq!(wanted.len(), found.len());
            for (key, wanted) in wanted {
                let sorted = |rows: &[[f32; 3]]| {
                    let mut rows: Vec<_> = rows
                        .iter()
                        .map(|row| bits(row.map(|part| part + 0.0)))
                        .collect();
                    rows.sort_unstable();
                    rows.dedup();
                    rows
                };
                assert_eq!(
                    sorted(&wanted),
                    sorted(&found[&key]),
                    "{game:?} {path} {key:?}"
                );
                count += wanted.len();
            }
            let (wanted, found) = (
                corners::<2>(&scene, "TEXCOORD_0"),
                corners::<2>(&after, "TEXCOORD_0"),
            );
            for (key, wanted) in wanted {
                for uv in &wanted {
                    assert!(
                        found[&key].iter().any(|other| near(*uv, *other, 1e-5)),
                        "{path} {key:?}"
                    );
                }
            }
            assert!(count > 0 || scene.json["meshes"].is_null(), "{path}");
        }
    }
}

#[test]
fn repainted_vertices_are_packed() {
    let mut painted = 0;
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let mut edited = Vec::new();
        for output in place.scenes() {
            let mut scene = Scene::open(&place.out(&output.path));
            let accessors = each_accessor(&scene, "COLOR_0");
            for &accessor in &accessors {
                let rows = scene.shorts(accessor);
                let rows: Vec<_> = rows
                    .iter()
                    .map(|[r, g, b, a]| [*b, *g / 2, *r, *a])
                    .collect();
                scene.put_shorts(accessor, &rows);
            }
            if !accessors.is_empty() {
                painted += accessors.len();
                scene.save();
                edited.push((output.path, scene));
            }
        }
        if edited.is_empty() {
            continue;
        }
        place.pack();
        place.convert_packed();
        for (path, scene) in edited {
            let after = Scene::open(&place.path("after").join(&path));
            for accessor in each_accessor(&scene, "COLOR_0") {
                // Vertices are the same, and accessors are in the same order.
                let mut wanted = scene.shorts(accessor);
                wanted.sort_unstable();
                wanted.dedup();
                let all: Vec<[u16; 4]> = each_accessor(&after, "COLOR_0")
                    .into_iter()
                    .flat_map(|accessor| after.shorts(accessor))
                    .collect();
                for color in wanted {
                    let close = |other: &&[u16; 4]| {
                        color.iter().zip(**other).all(|(a, b)| a.abs_diff(b) < 330)
                    };
                    let is_white = color == [u16::MAX; 4];
                    assert!(
                        is_white || all.iter().find(close).is_some(),
                        "{game:?} {path} {color:?}"
                    );
                }
            }
        }
    }
    assert!(painted > 0, "some sample has baked light");
}

#[test]
fn edited_normals_are_packed() {
    let mut edited = 0;
    for game in GAMES {
        let place = without_clutter(&relicast_samples::files(game, 1).unwrap());
        for output in place.scenes() {
            let mut scene = Scene::open(&place.out(&output.path));
            for accessor in each_accessor(&scene, "NORMAL") {
                let rows = scene.floats::<3>(accessor);
                let rows: Vec<_> = rows.iter().map(|[x, y, z]| [*z, *x, *y]).collect();
                scene.put_floats(accessor, &rows);
            }
            scene.save();
        }
        let packed = place.pack();
        edited += packed.edits.len();
        place.convert_packed();
        // Stored normals are those of the edit; others follow from the shape, and this is reported.
        for edit in packed
            .edits
            .iter()
            .filter(|edit| edit.output.ends_with(".gltf"))
        {
            let (wanted, after) = (
                Scene::open(&place.out(&edit.output)),
                Scene::open(&place.path("after").join(&edit.output)),
            );
            let (wanted, found) = (
                corners::<3>(&wanted, "NORMAL"),
                corners::<3>(&after, "NORMAL"),
            );
            let off = wanted.iter().any(|(key, rows)| {
                rows.iter()
                    .zip(&found[key])
                    .any(|(one, other)| !near(*one, *other, 1e-5))
            });
            if off {
                assert!(
                    edit.rounding.as_ref().unwrap().contains("normal"),
                    "{edit:?}"
                );
            }
        }
    }
    assert!(edited > 0);
}

/// The indices of all triangles of a scene.
fn cuts(scene: &Scene) -> Vec<Vec<u32>> {
    let meshes = scene.json["meshes"].as_array().into_iter().flatten();
    let primitives = meshes.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let indices = primitives.filter_map(|primitive| primitive["indices"].as_u64());
    indices.map(|at| scene.indices(at as usize)).collect()
}

#[test]
fn a_corner_that_is_moved_back_gives_the_old_bytes_though_its_polygons_were_cut_otherwise() {
    let mut cut_otherwise = 0;
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let models = place.scenes().into_iter();
        let mut models = models.filter(|output| output.kind == AssetKind::Models);
        let (output, mut scene) = models
            .find_map(|output| {
                let scene = Scene::open(&place.out(&output.path));
                let is_plain = !each_accessor(&scene, "POSITION").is_empty();
                is_plain.then_some((output, scene))
            })
            .unwrap();
        let before = cuts(&scene);
        let scene_files = [&*output.path, &output.path.replace(".gltf", ".bin")]
            .map(|path| (path.to_owned(), fs::read(place.out(path)).unwrap()));
        let accessors = each_accessor(&scene, "POSITION");
        let corner = scene.floats::<3>(accessors[0])[0];
        for accessor in accessors {
            let mut rows = scene.floats::<3>(accessor);
            for row in rows.iter_mut().filter(|row| **row == corner) {
                *row = [row[0] + 3.5, row[1] - 1.25, row[2] + 2.0];
            }
            scene.put_floats(accessor, &rows);
        }
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&output.path));
        cut_otherwise += usize::from(cuts(&after) != before);
        for (path, bytes) in scene_files {
            fs::write(place.path("after").join(path), bytes).unwrap();
        }
        let [out, install, to] = ["after", "modded", "back"].map(|folder| place.path(folder));
        let packed = pack(&Request::new(&out, &install, &to)).unwrap();
        assert_eq!(packed.refused, [], "{game:?}");
        let file = &packed.files[0].0;
        let [restored, original] =
            ["back", "install"].map(|folder| fs::read(place.path(folder).join(file)).unwrap());
        assert!(restored == original, "{game:?}: {}", output.path);
    }
    assert!(
        cut_otherwise > 0,
        "some polygon is cut along another diagonal"
    );
}
