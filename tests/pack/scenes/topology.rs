//! Meshes with other triangles than the game has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use relicast::formats::zipper::gamez::{self, PolygonFlags};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_testing::test;
use serde_json::json;

use crate::scenes::GAMES;
use crate::scenes::foreign::rewrite;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::triangles::{Corner, WrittenTriangle, all, candidates, read, write};

/// One scene of each game file and member.
pub(super) fn outputs(place: &Place) -> Vec<ManifestOutput> {
    let mut seen = BTreeSet::new();
    let scenes = place.scenes().into_iter();
    scenes
        .filter(|output| seen.insert((output.source.clone(), output.member.clone())))
        .collect()
}

/// Scenes by their paths, and their expected triangles.
pub(super) type Wanted = Vec<(String, BTreeMap<String, Vec<WrittenTriangle>>)>;

pub(super) fn assert_packed_shows(place: &Place, scenes: Wanted, what: &str) {
    place.pack();
    place.convert_packed();
    for (path, wanted) in scenes {
        let after = all(&Scene::open(&place.path("after").join(&path)));
        assert_eq!(wanted.len(), after.len(), "{what} {path}");
        for (mesh, wanted) in wanted {
            assert_eq!(wanted, after[&mesh], "{what} {path} {mesh}");
        }
    }
}

/// Edits a mesh of each game file; the packed files show the edit and everything else as it was.
fn round(edit: impl Fn(&mut Scene, usize), foreign: bool) -> usize {
    let mut edited = 0;
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let mut scenes = Vec::new();
        for output in outputs(&place) {
            let mut scene = Scene::open(&place.out(&output.path));
            for mesh in candidates(&scene) {
                edit(&mut scene, mesh);
                edited += 1;
            }
            let wanted = all(&scene);
            if foreign {
                rewrite(&mut scene, true);
            }
            scene.save();
            scenes.push((output.path, wanted));
        }
        assert_packed_shows(&place, scenes, &format!("{game:?}"));
    }
    assert!(edited > GAMES.len(), "every game has meshes to edit");
    edited
}

/// A small triangle next to the first one of a primitive, within its bounds.
fn add(scene: &mut Scene, mesh: usize) {
    let mut corners = read(scene, mesh, 0);
    let [a, b, c] = [corners[0], corners[1], corners[2]];
    let middle = a.between(b).between(c);
    corners.extend([a, b, middle]);
    write(scene, mesh, 0, &corners);
}

fn split(corners: &[Corner]) -> Vec<Corner> {
    let triangles = corners.as_chunks::<3>().0.iter();
    triangles
        .flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (a.between(b), b.between(c), c.between(a));
            [a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]
        })
        .collect()
}

pub(super) fn subdivide(scene: &mut Scene, mesh: usize) {
    let count = scene.json["meshes"][mesh]["primitives"]
        .as_array()
        .unwrap()
        .len();
    for primitive in 0..count {
        let corners = split(&read(scene, mesh, primitive));
        write(scene, mesh, primitive, &corners);
    }
}

/// Removes the last triangle, if there is another.
fn take_away(scene: &mut Scene, mesh: usize) {
    let mut corners = read(scene, mesh, 0);
    if corners.len() > 3 {
        corners.truncate(corners.len() - 3);
    }
    write(scene, mesh, 0, &corners);
}

/// A pyramid in place of everything.
fn replace(scene: &mut Scene, mesh: usize) {
    let known = read(scene, mesh, 0)[0];
    let corner = |at: [f32; 3], normal: [f32; 3]| Corner {
        at,
        normal: known.normal.map(|_| normal),
        ..known
    };
    let tip = [0.25, 2.0, 0.25];
    let ring = [
        [-1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.5],
        [1.25, 0.0, 1.5],
        [1.0, 0.0, -1.0],
    ];
    let mut corners = Vec::new();
    for side in 0..4 {
        let (one, other) = (ring[side], ring[(side + 1) % 4]);
        corners.extend([one, other, tip].map(|at| corner(at, [0.0, 0.6, 0.8])));
    }
    write(scene, mesh, 0, &corners);
    let primitives = scene.json["meshes"][mesh]["primitives"]
        .as_array_mut()
        .unwrap();
    primitives.truncate(1);
}

#[test]
fn added_triangles_are_packed_in_every_game() {
    round(add, false);
}

#[test]
fn triangles_taken_away_are_packed_in_every_game() {
    round(take_away, false);
}

#[test]
fn subdivided_meshes_are_packed_in_every_game() {
    round(subdivide, false);
}

#[test]
fn wholly_other_meshes_are_packed_in_every_game() {
    round(replace, false);
}

/// Gives the first triangle of a mesh other texture coordinates than its neighbors have at the same vertices.
fn remap_one_face(scene: &mut Scene, mesh: usize) {
    let mut corners = read(scene, mesh, 0);
    for corner in &mut corners[..3] {
        corner.uv = corner.uv.map(|[u, v]| [u * 0.5 + 0.125, v + 0.25]);
    }
    write(scene, mesh, 0, &corners);
}

#[test]
fn texture_coordinates_of_one_face_are_packed_in_every_game() {
    round(remap_one_face, false);
    round(remap_one_face, true);
}

#[test]
fn other_triangles_that_another_program_wrote_are_packed() {
    round(add, true);
    round(subdivide, true);
}

#[test]
fn the_edit_taken_back_gives_the_bytes_of_the_game() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for output in outputs(&place) {
            let mut scene = Scene::open(&place.out(&output.path));
            for mesh in candidates(&scene) {
                add(&mut scene, mesh);
            }
            scene.save();
        }
        let packed = place.pack();
        assert!(!packed.files.is_empty(), "{game:?}");
        place.convert_packed();
        let changed = Place::copy_of(&place.path("modded"));
        for output in outputs(&changed) {
            let mut scene = Scene::open(&changed.out(&output.path));
            let original = Scene::open(&place.out(&output.path));
            for mesh in candidates(&scene) {
                let mut corners = read(&scene, mesh, 0);
                let added = read(&original, mesh, 0).split_off(corners.len() - 3);
                let is_added = |triangle: &[Corner; 3]| {
                    triangle.map(|it| it.at) == [added[0].at, added[1].at, added[2].at]
                };
                let triangles = corners.as_chunks::<3>().0;
                let place = triangles.iter().rposition(is_added).unwrap();
                corners.drain(place * 3..place * 3 + 3);
                write(&mut scene, mesh, 0, &corners);
            }
            scene.save();
        }
        let packed = changed.pack();
        assert!(!packed.files.is_empty(), "{game:?}");
        for output in outputs(&place) {
            let file = |place: &Place, folder: &str| {
                let path = place.path(folder).join(&*output.source);
                fs::read(path).unwrap()
            };
            assert_ne!(file(&place, "install"), file(&changed, "install"));
            assert!(
                file(&place, "install") == file(&changed, "mod"),
                "{game:?} {}",
                output.source
            );
        }
    }
}

/// Reverses the order of the materials of a scene, and of the primitives of every mesh that has one primitive
/// for each.
fn turn_round(scene: &mut Scene) -> usize {
    let materials = scene.json["materials"].as_array_mut().unwrap();
    materials.reverse();
    let count = materials.len();
    let mut turned = 0;
    for mesh in scene.json["meshes"].as_array_mut().unwrap() {
        let primitives = mesh["primitives"].as_array_mut().unwrap();
        let mut seen = BTreeSet::new();
        let mut parts = primitives.iter();
        if parts.all(|it| seen.insert(it["material"].as_u64())) {
            primitives.reverse();
            turned += usize::from(primitives.len() > 1);
        }
        for primitive in primitives {
            if let Some(material) = primitive["material"].as_u64() {
                primitive["material"] = (count - 1 - material as usize).into();
            }
        }
    }
    turned
}

#[test]
fn primitives_and_materials_may_come_in_another_order() {
    let mut turned = 0;
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let mut scenes = Vec::new();
        for output in outputs(&place) {
            let mut scene = Scene::open(&place.out(&output.path));
            for mesh in candidates(&scene) {
                let mut corners = read(&scene, mesh, 0);
                let old = corners[0].at;
                let moved = corners.iter_mut().filter(|corner| corner.at == old);
                moved.for_each(|corner| corner.at[1] += 0.25);
                write(&mut scene, mesh, 0, &corners);
            }
            turned += turn_round(&mut scene);
            let wanted = all(&scene);
            scene.save();
            scenes.push((output.path, wanted));
        }
        assert_packed_shows(&place, scenes, &format!("{game:?}"));
    }
    assert!(turned > 0, "some meshes have several primitives");
}

#[test]
fn polygons_whose_triangles_stay_keep_their_corners() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = outputs(&place)
            .into_iter()
            .find(|output| output.source.to_lowercase().ends_with("gamez.zbd"))
            .unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let mesh = candidates(&scene)
            .into_iter()
            .find(|&mesh| read(&scene, mesh, 0).len() >= 12)
            .unwrap();
        add(&mut scene, mesh);
        scene.save();
        place.pack();
        let polygons = |folder: &str| {
            let bytes = fs::read(place.path(folder).join(&*output.source)).unwrap();
            let decoded = gamez::decode(&bytes).unwrap();
            let deviations = decoded.deviations.total();
            let models = decoded.value.models;
            let all: Vec<_> = models
                .iter()
                .flat_map(|(number, model)| {
                    let polygons = model.polygons.clone();
                    polygons.into_iter().map(move |polygon| (number, polygon))
                })
                .collect();
            (deviations, all)
        };
        let (rules, before) = polygons("install");
        let (rules_after, after) = polygons("mod");
        assert_eq!(
            rules, rules_after,
            "{game:?}: no rule of the format is broken"
        );
        assert_eq!(after.len(), before.len() + 1);
        let added: Vec<_> = after.iter().filter(|it| !before.contains(it)).collect();
        let [(model, added)] = added[..] else {
            panic!("{game:?}: one polygon is new");
        };
        assert_eq!(added.corners(), 3);
        let like = before.iter().any(|(number, polygon)| {
            number == model
                && polygon.materials == added.materials
                && polygon.record.zone_set == added.record.zone_set
                && polygon.flags() - PolygonFlags::TRI_STRIP == added.flags()
        });
        assert!(like, "{game:?}: {added:?}");
    }
}

/// Files by others: the models of the edited meshes change and follow the rules of the format, nothing else
/// changes.
#[test]
fn other_triangles_in_a_file_of_others_change_their_models_alone() {
    let root = crate::common::fixtures("zipper");
    let mut edited = 0;
    for game in ["rc", "mw", "pm", "cs"] {
        let place = Place::copy_of(&root.join(game));
        let mut output = place.scenes().into_iter();
        let output = output.find(|it| it.path.starts_with("worlds/")).unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let meshes: Vec<usize> = candidates(&scene).into_iter().take(4).collect();
        if meshes.is_empty() {
            continue;
        }
        for (number, &mesh) in meshes.iter().enumerate() {
            match number % 2 {
                0 => add(&mut scene, mesh),
                _ => subdivide(&mut scene, mesh),
            }
        }
        let wanted = all(&scene);
        scene.save();
        let packed = place.pack();
        let [(path, _)] = &*packed.files else {
            panic!("{packed:?}")
        };
        let read = |folder: &str| {
            let bytes = fs::read(place.path(folder).join(path)).unwrap();
            gamez::decode(&bytes).unwrap()
        };
        let (before, after) = (read("install"), read("mod"));
        assert_eq!(
            before.deviations.total(),
            after.deviations.total(),
            "{game}"
        );
        let (before, after) = (before.value, after.value);
        assert!(before.textures == after.textures && before.materials == after.materials);
        let slots = before.models.slots.iter().zip(&after.models.slots);
        let changed = slots.filter(|(old, new)| old != new).count();
        assert_eq!(changed, meshes.len(), "{game}");
        place.convert_packed();
        let found = all(&Scene::open(&place.path("after").join(&output.path)));
        for (mesh, wanted) in wanted {
            assert_eq!(wanted, found[&mesh], "{game} {mesh}");
        }
        edited += meshes.len();
    }
    assert!(edited > 0, "some file has meshes to edit");
}

#[test]
fn a_mesh_may_take_materials_of_other_meshes_of_the_scene() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = outputs(&place).remove(0);
        let mut scene = Scene::open(&place.out(&output.path));
        let meshes = candidates(&scene);
        let own = |scene: &Scene, mesh: usize| {
            let primitive = &scene.json["meshes"][mesh]["primitives"][0];
            (
                primitive["material"].clone(),
                read(scene, mesh, 0)[0].uv.is_some(),
            )
        };
        let pair = meshes.iter().find_map(|&mesh| {
            let (material, has_uvs) = own(&scene, mesh);
            let name = |material: &serde_json::Value| {
                let number = material.as_u64().unwrap() as usize;
                scene.json["materials"][number]["name"].to_string()
            };
            let is_plain = |name: String| !name.contains("_unlit") && !name.contains("_blend");
            let other = meshes.iter().find(|&&other| {
                let (theirs, have_uvs) = own(&scene, other);
                let words = is_plain(name(&theirs)) == is_plain(name(&material));
                theirs != material && have_uvs == has_uvs && words
            })?;
            Some((mesh, own(&scene, *other).0))
        });
        let Some((mesh, material)) = pair else {
            continue;
        };
        let corners = read(&scene, mesh, 0);
        let list = scene.json["meshes"][mesh]["primitives"]
            .as_array_mut()
            .unwrap();
        let mut more = list[0].clone();
        more["material"] = material.clone();
        list.push(more);
        let number = list.len() - 1;
        let moved: Vec<Corner> = corners
            .iter()
            .map(|corner| Corner {
                at: corner.at.map(|part| part * 0.5),
                ..*corner
            })
            .collect();
        write(&mut scene, mesh, number, &moved);
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&output.path));
        let name = scene.json["meshes"][mesh]["name"].as_str().unwrap();
        let (wanted, found) = (all(&scene), all(&after));
        let places = |list: &[crate::scenes::triangles::WrittenTriangle]| {
            let mut places: Vec<_> = list
                .iter()
                .map(|(_, corners)| corners.map(|it| it.0))
                .collect();
            places.sort_unstable();
            places
        };
        assert_eq!(places(&wanted[name]), places(&found[name]), "{game:?}");
    }
}

/// Cuts the triangles of the first shown mesh of a kind of every game; returns the number refused with the
/// reason.
fn refused_for(kind: impl Fn(&Scene, usize) -> bool, reason: &str) -> usize {
    let mut met = 0;
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for output in outputs(&place) {
            let mut scene = Scene::open(&place.out(&output.path));
            let objects = scene.objects();
            let mut meshes = objects
                .iter()
                .filter_map(|&node| scene.nodes()[node]["mesh"].as_u64());
            let found = meshes.find(|&mesh| kind(&scene, mesh as usize));
            let Some(mesh) = found else {
                continue;
            };
            subdivide(&mut scene, mesh as usize);
            scene.save();
            let refused = place.refused();
            assert!(refused[0].1.contains(reason), "{game:?} {refused:?}");
            met += 1;
            break;
        }
    }
    met
}

#[test]
fn new_triangles_without_texture_coordinates_are_refused_by_name() {
    let lacks_texture = |scene: &Scene, mesh: usize| {
        let primitives = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
        primitives.iter().any(|primitive| {
            let material = primitive["material"].as_u64();
            let facts =
                material.map(|it| &scene.json["materials"][it as usize]["extras"]["zipper"]);
            primitive["targets"].is_null()
                && facts.is_some_and(|facts| facts["missingTexture"].is_string())
        })
    };
    assert!(refused_for(lacks_texture, "have no texture coordinates") > 0);
}

#[test]
fn vertices_that_morph_are_refused_by_name() {
    let morphs = |scene: &Scene, mesh: usize| {
        let primitive = &scene.json["meshes"][mesh]["primitives"][0];
        primitive["targets"].is_array()
    };
    assert!(refused_for(morphs, "morph targets") > 0);
}

fn refused(edit: impl Fn(&mut Scene, usize)) -> Vec<String> {
    let mut reasons = Vec::new();
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = outputs(&place).remove(0);
        let mut scene = Scene::open(&place.out(&output.path));
        let mesh = candidates(&scene)[0];
        edit(&mut scene, mesh);
        scene.save();
        reasons.push(place.refused()[0].1.clone());
    }
    reasons
}

#[test]
fn meshes_that_no_model_can_be_are_refused_by_name() {
    let nothing = refused(|scene, mesh| {
        let corner = read(scene, mesh, 0)[0];
        scene.json["meshes"][mesh]["primitives"]
            .as_array_mut()
            .unwrap()
            .truncate(1);
        write(scene, mesh, 0, &[corner; 3]);
    });
    let empty = refused(|scene, mesh| {
        scene.json["meshes"][mesh]["primitives"] = json!([]);
    });
    for reason in nothing.iter().chain(&empty) {
        assert!(reason.contains("no visible triangle is left"), "{reason}");
    }
    for reason in refused(|scene, mesh| {
        let mut corners = read(scene, mesh, 0);
        corners.pop();
        write(scene, mesh, 0, &corners);
    }) {
        assert!(reason.contains("multiple of 3"), "{reason}");
    }
    for reason in refused(|scene, mesh| {
        add(scene, mesh);
        let materials = scene.json["materials"].as_array_mut().unwrap();
        materials.push(json!({"name": "gold", "extras": {"zipper": {"soil": "sand"}}}));
        let number = materials.len() - 1;
        scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
        scene.json["asset"]["generator"] = "by hand".into();
    }) {
        assert!(reason.contains("gold"), "{reason}");
    }
    for reason in refused(|scene, mesh| {
        add(scene, mesh);
        let primitive = &mut scene.json["meshes"][mesh]["primitives"][0];
        primitive.as_object_mut().unwrap().remove("material");
    }) {
        assert!(reason.contains("has no material"), "{reason}");
    }
}

#[test]
fn hostile_meshes_are_faults_and_never_panics() {
    let edits: [fn(&mut Scene, usize); 6] = [
        |scene, mesh| {
            add(scene, mesh);
            let at = scene.attribute(mesh, 0, "POSITION").unwrap();
            let mut rows = scene.floats::<3>(at);
            rows[0][1] = f32::NAN;
            scene.put_floats(at, &rows);
        },
        |scene, mesh| {
            add(scene, mesh);
            let indices = scene.add_indices(&[0, 1, 4_000_000]);
            scene.json["meshes"][mesh]["primitives"][0]["indices"] = indices.into();
        },
        |scene, mesh| {
            let at = scene.attribute(mesh, 0, "indices").unwrap();
            scene.json["accessors"][at]["count"] = u64::MAX.into();
        },
        |scene, mesh| {
            scene.json["meshes"][mesh]["primitives"][0]["material"] = 4_000_000.into();
        },
        |scene, mesh| {
            add(scene, mesh);
            scene.json["meshes"][mesh]["primitives"][0]["mode"] = 5.into();
        },
        |scene, mesh| {
            let big = [f32::MAX, -f32::MAX, f32::MAX];
            let corner = read(scene, mesh, 0)[0];
            let at = |at: [f32; 3]| Corner { at, ..corner };
            let mut corners = read(scene, mesh, 0);
            corners.extend([at(big), at([f32::MAX; 3]), at([-f32::MAX; 3])]);
            write(scene, mesh, 0, &corners);
            scene.json["meshes"][mesh]["primitives"][0]["mode"] = 1.into();
        },
    ];
    for edit in edits {
        for reason in refused(edit) {
            assert!(!reason.is_empty());
        }
    }
}
