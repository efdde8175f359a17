//! Ground of EverQuest's zones with moved vertices and other triangles: its regions follow.

use std::collections::BTreeSet;
use std::fs;

use relicast::asset::Game;
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::{self, Body, Fragment, Mesh, Region};
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_meshes::{members, move_first, sample, scenes, set_rows};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// The scene of the zone, and the number of the mesh of its ground.
pub fn zone(place: &Place) -> (String, Scene, usize) {
    let path = scenes(place, "dell.s3d")
        .into_iter()
        .find(|path| path.starts_with("worlds/dell.gltf"));
    let path = path.unwrap();
    let scene = Scene::open(&place.out(&path));
    let mesh = ground(&scene);
    (path, scene, mesh)
}

pub fn ground(scene: &Scene) -> usize {
    let meshes = scene.json["meshes"].as_array().unwrap();
    let found = meshes.iter().position(|mesh| mesh["name"] == "terrain");
    found.unwrap()
}

/// A vertex of a triangle: position, normal, texture coordinates, color.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    pub color: [u16; 4],
}

pub type Triangle = [Corner; 3];

pub fn primitives(scene: &Scene, mesh: usize) -> Vec<Value> {
    let primitives = scene.json["meshes"][mesh]["primitives"].as_array();
    primitives.unwrap().clone()
}

pub fn triangles(scene: &Scene, mesh: usize, primitive: usize) -> Vec<Triangle> {
    let attribute = |name: &str| scene.attribute(mesh, primitive, name);
    let positions = scene.floats::<3>(attribute("POSITION").unwrap());
    let normals = scene.floats::<3>(attribute("NORMAL").unwrap());
    let uvs = attribute("TEXCOORD_0").map(|it| scene.floats::<2>(it));
    let colors = attribute("COLOR_0").map(|it| scene.shorts(it));
    let corner = |index: &u32| {
        let at = *index as usize;
        Corner {
            position: positions[at],
            normal: normals[at],
            uv: uvs.as_ref().map_or([0.0; 2], |rows| rows[at]),
            color: colors.as_ref().map_or([0xFFFF; 4], |rows| rows[at]),
        }
    };
    let indices = scene.indices(attribute("indices").unwrap());
    let triangles = indices.as_chunks::<3>().0.iter();
    triangles
        .map(|triangle| triangle.each_ref().map(corner))
        .collect()
}

/// Gives a primitive other triangles, each with vertices of its own.
pub fn set_triangles(scene: &mut Scene, mesh: usize, primitive: usize, triangles: &[Triangle]) {
    let corners = || triangles.iter().flatten();
    let rows = |scene: &mut Scene, name: &str| match name {
        "POSITION" => scene.add_floats(&corners().map(|it| it.position).collect::<Vec<_>>()),
        "NORMAL" => scene.add_floats(&corners().map(|it| it.normal).collect::<Vec<_>>()),
        "TEXCOORD_0" => scene.add_floats(&corners().map(|it| it.uv).collect::<Vec<_>>()),
        _ => scene.add_shorts(&corners().map(|it| it.color).collect::<Vec<_>>()),
    };
    let names: Vec<String> = primitives(scene, mesh)[primitive]["attributes"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    for name in names {
        let accessor = rows(scene, &name);
        scene.json["meshes"][mesh]["primitives"][primitive]["attributes"][&name] = accessor.into();
    }
    let numbers: Vec<u32> = (0..triangles.len() as u32 * 3).collect();
    let accessor = scene.add_indices(&numbers);
    scene.json["meshes"][mesh]["primitives"][primitive]["indices"] = accessor.into();
}

/// All triangles of a mesh with the names of their materials.
fn shown(scene: &Scene, mesh: usize) -> Vec<(String, Triangle)> {
    let mut all = Vec::new();
    for (number, primitive) in primitives(scene, mesh).iter().enumerate() {
        let material = primitive["material"].as_u64().unwrap() as usize;
        let name = scene.json["materials"][material]["name"].as_str().unwrap();
        let solid = &primitive["extras"]["everquest"]["solid"];
        let triangles = triangles(scene, mesh, number).into_iter();
        all.extend(triangles.map(|triangle| (format!("{name} {solid}"), triangle)));
    }
    all
}

/// True if triangles are equal, except for rounding, in some turn.
fn is_one(one: &Triangle, other: &Triangle) -> bool {
    let near = |turn: usize| {
        (0..3).all(|step| {
            let (one, other) = (one[step], other[(step + turn) % 3]);
            let off = |one: &[f32], other: &[f32]| {
                let parts = one.iter().zip(other);
                parts.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            let reach = off(&one.position, &[0.0; 3]);
            off(&one.position, &other.position) < 0.04 + 1e-4 * reach
                && off(&one.normal, &other.normal) < 0.03
                && off(&one.uv, &other.uv) < 0.01
                && (0..3).all(|at| one.color[at].abs_diff(other.color[at]) < 400)
        })
    };
    (0..3).any(near)
}

/// The regions of a zone with their meshes.
fn regions<'w>(fragments: &'w [Fragment<'_>]) -> Vec<(Region<'w>, Option<Mesh<'w>>)> {
    let regions = fragments
        .iter()
        .filter_map(|fragment| match &fragment.body {
            Body::Region(region) => Some(region),
            _ => None,
        });
    regions
        .map(|region| {
            let index = region.mesh.and_then(|mesh| mesh.index());
            let mesh = index.map(|index| match &fragments[index].body {
                Body::Mesh(mesh) => (**mesh).clone(),
                other => panic!("{other:?}"),
            });
            ((**region).clone(), mesh)
        })
        .collect()
}

/// Checks the packed zone: regions enclose their meshes and see what they saw, and only fragments of the ground changed.
/// Returns the number of changed meshes.
fn check_regions(place: &Place) -> usize {
    let [packed, original] = ["mod", "install"]
        .map(|folder| members(&fs::read(place.path(folder).join("dell.s3d")).unwrap()));
    for (name, bytes) in &original {
        assert!(name == "dell.wld" || packed[name] == *bytes, "{name}");
    }
    let [packed, original] = [&packed, &original].map(|files| {
        let decoded = wld::decode(&files["dell.wld"]).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        decoded.value.into_owned()
    });
    assert_eq!(packed.fragments.len(), original.fragments.len());
    let mut meshes = BTreeSet::new();
    for (at, (now, before)) in packed.fragments.iter().zip(&original.fragments).enumerate() {
        if now == before {
            continue;
        }
        match (&now.body, &before.body) {
            (Body::Mesh(_), Body::Mesh(_)) => {
                meshes.insert(at);
            }
            (Body::Region(now), Body::Region(before)) => {
                let [(.., radius), (.., old)] = [now.sphere, before.sphere].map(|it| {
                    let [x, y, z, radius] = it.unwrap();
                    ([x, y, z], radius)
                });
                assert!(radius.get() >= old.get());
            }
            other => panic!("{other:?} changed"),
        }
    }
    let count = regions(&packed.fragments).len() as u32;
    let both = regions(&packed.fragments)
        .into_iter()
        .zip(regions(&original.fragments));
    for ((now, mesh), (before, old)) in both {
        for (now, before) in now.visible.iter().zip(&before.visible) {
            let now: BTreeSet<u32> = now.regions(count).value.into_iter().collect();
            assert!(
                before
                    .regions(count)
                    .value
                    .iter()
                    .all(|it| now.contains(it))
            );
        }
        let Some((mesh, [x, y, z, radius])) = mesh.zip(now.sphere) else {
            continue;
        };
        let far = |[a, b, c]: [f32; 3]| {
            let way = [a - x.get(), b - y.get(), c - z.get()];
            way.iter().map(|part| part * part).sum::<f32>().sqrt()
        };
        let before = old.map_or(0.0, |old| old.all_positions().map(far).fold(0.0, f32::max));
        for position in mesh.all_positions() {
            let allowed = radius.get().max(before) * 1.0001 + 0.01;
            assert!(far(position) <= allowed, "{position:?} is outside");
        }
    }
    meshes.len()
}

/// Edits the ground, packs it, converts it again, and compares. Returns the report.
pub fn round(edit: impl FnOnce(&mut Scene, usize)) -> (String, usize) {
    let place = sample();
    let (path, mut scene, mesh) = zone(&place);
    edit(&mut scene, mesh);
    scene.save();
    let packed = place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let (mut found, wanted) = (shown(&after, ground(&after)), shown(&scene, mesh));
    assert_eq!(found.len(), wanted.len());
    for (surface, triangle) in wanted {
        let twin = found
            .iter()
            .position(|(own, found)| *own == surface && is_one(&triangle, found));
        let twin = twin.unwrap_or_else(|| panic!("no {surface} is at {triangle:?}"));
        found.swap_remove(twin);
    }
    (format!("{:?}", packed.edits), check_regions(&place))
}

/// Moves a triangle by a way.
fn moved(triangle: Triangle, [x, y, z]: [f32; 3]) -> Triangle {
    triangle.map(|corner| {
        let [a, b, c] = corner.position;
        Corner {
            position: [a + x, b + y, c + z],
            ..corner
        }
    })
}

/// Splits a triangle into four.
fn split([a, b, c]: Triangle) -> [Triangle; 4] {
    let middle = |one: Corner, other: Corner| {
        let half = |a: f32, b: f32| (a + b) / 2.0;
        Corner {
            position: [0, 1, 2].map(|axis| half(one.position[axis], other.position[axis])),
            uv: [0, 1].map(|axis| half(one.uv[axis], other.uv[axis])),
            ..one
        }
    };
    let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
    [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
}

#[test]
fn ground_may_leave_its_region() {
    let (report, meshes) = round(|scene, _| move_first(scene, "terrain", 500.0));
    assert!(report.contains("was enlarged"), "{report}");
    assert_eq!(meshes, 1);
}

/// The zone with regions that see only themselves.
fn blind() -> Place {
    let mut files = relicast_samples::files(Game::Eq, 1).unwrap();
    let file = files.iter_mut().find(|file| file.path == "dell.s3d");
    let file = file.unwrap();
    let mut archive = pfs::decode(&file.bytes).unwrap().value;
    let at = archive
        .entries
        .iter()
        .position(|entry| entry.label() == "dell.wld");
    let entry = &mut archive.entries[at.unwrap()];
    let bytes = entry.extract().unwrap().value;
    let mut zone = wld::decode(&bytes).unwrap().value.into_owned();
    let mut number = 0;
    for fragment in &mut zone.fragments {
        if let Body::Region(region) = &mut fragment.body {
            region.visible[0].set_regions(&[number]).unwrap();
            number += 1;
        }
    }
    entry.replace(&wld::encode(&zone).unwrap()).unwrap();
    let encoded = pfs::encode(&archive).unwrap();
    drop(archive);
    file.bytes = encoded;
    Place::new(&files)
}

#[test]
fn regions_see_the_ground_that_came_to_them() {
    for (way, viewers, is_far) in [
        ([0.0; 3], vec![0], false),
        ([-40.0, 0.0, 0.0], vec![0, 1], false),
        ([0.0, 0.0, -40.0], vec![0, 2], false),
        ([-300.0, 0.0, -300.0], vec![0, 1, 2, 3], true),
    ] {
        let place = blind();
        let (path, mut scene, mesh) = zone(&place);
        let mut all = triangles(&scene, mesh, 0);
        let is_inside = |corner: &&Corner| {
            let [x, _, z] = corner.position;
            (20.0..30.0).contains(&x) && (20.0..30.0).contains(&z)
        };
        let from = all.iter().flatten().find(is_inside).unwrap().position;
        for corner in all.iter_mut().flatten() {
            if corner.position == from {
                let to = [0, 1, 2].map(|axis| from[axis] + way[axis]);
                corner.position = [to[0], to[1] + 0.125, to[2]];
            }
        }
        set_triangles(&mut scene, mesh, 0, &all);
        scene.save();
        let report = format!("{:?}", place.pack().edits);
        assert_eq!(report.contains("was enlarged"), is_far, "{report}");
        assert_eq!(
            report.contains("visible from"),
            viewers.len() > 1,
            "{report}"
        );
        assert_eq!(
            report.contains("may not stop players"),
            viewers.len() > 1,
            "{report}"
        );
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        assert_eq!(triangles(&after, ground(&after), 0).len(), all.len());
        let packed = members(&fs::read(place.path("mod").join("dell.s3d")).unwrap());
        let packed = wld::decode(&packed["dell.wld"]).unwrap().value;
        for (number, (region, _)) in (0..).zip(regions(&packed.fragments)) {
            let mut wanted = vec![number];
            if viewers.contains(&number) && number != 0 {
                wanted.insert(0, 0);
            }
            assert_eq!(region.visible[0].regions(4).value, wanted, "{way:?}");
        }
    }
}

#[test]
fn small_edits_inside_a_region_change_its_mesh_alone() {
    let (report, meshes) = round(|scene, _| move_first(scene, "terrain", 0.0625));
    assert!(!report.contains("visible"), "{report}");
    assert_eq!(meshes, 1);
}

#[test]
fn all_ground_may_be_scaled() {
    let (report, _) = round(|scene, mesh| {
        for primitive in 0..primitives(scene, mesh).len() {
            let accessor = scene.attribute(mesh, primitive, "POSITION").unwrap();
            let rows = scene.floats::<3>(accessor);
            let rows: Vec<_> = rows.into_iter().map(|row| row.map(|it| it * 1.5)).collect();
            set_rows(scene, mesh, primitive, "POSITION", &rows);
        }
    });
    assert!(report.contains("regions were enlarged"), "{report}");
}

#[test]
fn the_texture_coordinates_of_one_face_are_parted_from_its_neighbors() {
    let (report, meshes) = round(|scene, mesh| {
        let mut all = triangles(scene, mesh, 0);
        for corner in &mut all[7] {
            corner.uv = corner.uv.map(|part| part + 0.25);
        }
        set_triangles(scene, mesh, 0, &all);
    });
    assert!(report.contains("1 region is rebuilt"), "{report}");
    assert_eq!(meshes, 1);
}

#[test]
fn faces_are_flipped_deleted_copied_and_split() {
    type Edit = fn(&mut Vec<Triangle>);
    let edits: [(&str, Edit, usize); 6] = [
        ("flipped", |all| all[5].swap(1, 2), 1),
        (
            "deleted",
            |all| {
                all.remove(5);
            },
            1,
        ),
        ("copied", |all| all.push(moved(all[5], [0.0, 3.0, 0.0])), 1),
        (
            "split",
            |all| {
                let parts = split(all.remove(5));
                all.extend(parts);
            },
            1,
        ),
        (
            "extruded",
            |all| {
                let base = all.remove(5);
                let top = moved(base, [0.0, 4.0, 0.0]);
                for (one, other) in [(0, 1), (1, 2), (2, 0)] {
                    all.push([base[one], base[other], top[other]]);
                    all.push([base[one], top[other], top[one]]);
                }
                all.push(top);
            },
            1,
        ),
        (
            "all split",
            |all| *all = all.drain(..).flat_map(split).collect(),
            usize::MAX,
        ),
    ];
    for (name, edit, most) in edits {
        let (report, meshes) = round(|scene, mesh| {
            let mut all = triangles(scene, mesh, 0);
            edit(&mut all);
            set_triangles(scene, mesh, 0, &all);
        });
        assert!(report.contains("rebuilt"), "{name}: {report}");
        assert!((1..=most).contains(&meshes), "{name}: {meshes} meshes");
    }
}

#[test]
fn a_face_gets_another_material_of_the_ground() {
    let (report, meshes) = round(|scene, mesh| {
        let own = primitives(scene, mesh);
        let other = own
            .iter()
            .position(|part| part["material"] != own[0]["material"]);
        let other = other.unwrap();
        let mut all = triangles(scene, mesh, 0);
        let taken = all.remove(3);
        let mut more = triangles(scene, mesh, other);
        more.push(taken);
        set_triangles(scene, mesh, 0, &all);
        set_triangles(scene, mesh, other, &more);
    });
    assert!(report.contains("1 region is rebuilt"), "{report}");
    assert_eq!(meshes, 1);
}

#[test]
fn distant_new_ground_goes_to_the_region_that_it_is_in() {
    let (report, meshes) = round(|scene, mesh| {
        let mut all = triangles(scene, mesh, 0);
        let far = all[all.len() - 1];
        let way = [0, 1, 2].map(|axis| far[0].position[axis] - all[0][0].position[axis]);
        all.push(moved(all[0], [way[0], way[1] + 6.0, way[2]]));
        all.push(moved(all[0], [800.0, 0.0, 0.0]));
        set_triangles(scene, mesh, 0, &all);
    });
    assert!(report.contains("rebuilt"), "{report}");
    assert!(meshes <= 2);
}

#[test]
fn a_region_without_ground_loses_its_mesh() {
    let place = sample();
    let (path, mut scene, mesh) = zone(&place);
    let (mut count, mut empty) = (0, Vec::new());
    for primitive in 0..primitives(&scene, mesh).len() {
        let mut all = triangles(&scene, mesh, primitive);
        // The first region is north and west of the middle.
        let is_inside = |triangle: &Triangle| {
            let middle = |axis: usize| triangle.iter().map(|it| it.position[axis]).sum::<f32>();
            middle(0) > 0.0 && middle(2) > 0.0
        };
        let before = all.len();
        all.retain(|triangle| !is_inside(triangle));
        count += before - all.len();
        if all.is_empty() {
            empty.push(primitive);
        } else {
            set_triangles(&mut scene, mesh, primitive, &all);
        }
    }
    for primitive in empty.into_iter().rev() {
        let list = scene.json["meshes"][mesh]["primitives"].as_array_mut();
        list.unwrap().remove(primitive);
    }
    assert!(count > 0);
    scene.save();
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let lost = shown(&scene, mesh).len();
    assert_eq!(shown(&after, ground(&after)).len(), lost);
    let packed = members(&fs::read(place.path("mod").join("dell.s3d")).unwrap());
    let packed = wld::decode(&packed["dell.wld"]).unwrap();
    assert!(packed.deviations.is_empty());
    let meshes: Vec<bool> = regions(&packed.value.fragments)
        .into_iter()
        .map(|(_, mesh)| mesh.is_some())
        .collect();
    assert_eq!(meshes, [false, true, true, true]);
}

#[test]
fn new_ground_with_a_material_of_objects_is_refused() {
    let place = sample();
    let (_, mut scene, mesh) = zone(&place);
    let own: BTreeSet<u64> = primitives(&scene, mesh)
        .iter()
        .map(|part| part["material"].as_u64().unwrap())
        .collect();
    let count = scene.json["materials"].as_array().unwrap().len() as u64;
    let other = (0..count).find(|it| !own.contains(it)).unwrap();
    scene.json["meshes"][mesh]["primitives"][0]["material"] = json!(other);
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("had the material"), "{refused:?}");
}

/// Splits each triangle of a primitive in two.
fn halves(triangles: &[Triangle]) -> Vec<Triangle> {
    let split = |&[a, b, c]: &Triangle| {
        let middle = |one: f32, other: f32| (one + other) / 2.0;
        let between = Corner {
            position: std::array::from_fn(|axis| middle(b.position[axis], c.position[axis])),
            uv: std::array::from_fn(|axis| middle(b.uv[axis], c.uv[axis])),
            ..b
        };
        [[a, b, between], [a, between, c]]
    };
    triangles.iter().flat_map(split).collect()
}

#[test]
fn subdivided_ground_stays_in_its_regions() {
    let place = sample();
    let (path, mut scene, mesh) = zone(&place);
    let before = triangles(&scene, mesh, 0);
    set_triangles(&mut scene, mesh, 0, &halves(&before));
    scene.save();
    let reported = format!("{:?}", place.pack().edits);
    assert!(reported.contains("rebuilt"), "{reported}");
    for other in ["enlarged", "visible from", "partition"] {
        assert!(!reported.contains(other), "{reported}");
    }
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    assert_eq!(triangles(&after, ground(&after), 0).len(), 2 * before.len());
}
