//! Zones and objects of the fixtures as glTF, compared with an evaluation of the fragments that uses
//! nothing of the converter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use relicast::formats::everquest::wld::{
    self, Actor, Body, FragmentKind, Mesh, Surface, Wld, ZoneLine, ZoneMeaning,
};
use serde_json::Value;

use crate::common;
use crate::output::{Loaded, Part, converted, facts, fixtures, key, load, triangles, turned};
use crate::support::fixture_members;

const ZONE: &[&str] = &["gfaydark.s3d", "gfaydark_obj.s3d"];

/// Bytes of the scene of an archive.
fn scene(archive: &str, member: &str) -> Vec<u8> {
    let folder = crate::support::fixtures().unwrap();
    fixture_members(&folder, archive)[member].clone()
}

fn material_names(wld: &Wld<'_>, mesh: &Mesh) -> Vec<(String, Surface)> {
    let Some(Body::MaterialPalette(palette)) = wld.get(mesh.palette).map(|it| &it.body) else {
        panic!("no palette");
    };
    let names = palette.materials.iter().map(|&material| {
        let fragment = wld.get(material).unwrap();
        match &fragment.body {
            Body::Material(material) => (fragment.name().to_owned(), material.surface()),
            other => panic!("{:?}", other.kind()),
        }
    });
    names.collect()
}

type Triangles = BTreeMap<(String, bool), Vec<[[i64; 5]; 3]>>;

/// Triangles of a mesh by the fact sheet: (x, y, z) of glTF = (y, z, x) of the file, corners reversed,
/// V from the top. Drawn ones first, then the others.
fn expected(wld: &Wld<'_>, mesh: &Mesh, drawn: &mut Triangles, undrawn: &mut Triangles) {
    let names = material_names(wld, mesh);
    let scale = 0.5_f32.powi(i32::from(mesh.scale_exponent));
    for (face, slot) in mesh.faces_with_materials() {
        let (name, surface) = &names[usize::from(slot.unwrap())];
        let [a, b, c] = face.vertices.map(usize::from);
        let corners = [a, c, b].map(|vertex| {
            let raw = mesh.positions[vertex].map(f32::from);
            let centre = mesh.centre.to_array();
            let [x, y, z] = [0, 1, 2].map(|axis: usize| raw[axis] * scale + centre[axis]);
            let [u, v] = mesh.texture_coordinates.get(vertex).unwrap_or_default();
            let no_texture = matches!(surface, Surface::Boundary);
            let [u, v] = if no_texture { [0.0; 2] } else { [u, 1.0 - v] };
            [y, z, x, u, v].map(key)
        });
        let set = match surface {
            Surface::Boundary | Surface::Invisible => &mut *undrawn,
            _ => &mut *drawn,
        };
        let solid = face.flags.bits() & 0x10 == 0;
        let list = set.entry((name.clone(), solid)).or_default();
        list.push(turned(corners));
    }
}

fn sorted(mut all: Triangles) -> Triangles {
    for list in all.values_mut() {
        list.sort_unstable();
    }
    all
}

fn meshes<'w>(wld: &'w Wld<'_>) -> impl Iterator<Item = &'w Mesh> {
    wld.fragments.iter().filter_map(|it| match &it.body {
        Body::Mesh(mesh) => Some(&**mesh),
        _ => None,
    })
}

fn all_parts(file: &Loaded) -> Vec<Part> {
    let meshes = file.document.meshes();
    meshes.flat_map(|mesh| file.parts(&mesh)).collect()
}

/// Vertices of parts; those of one material share them.
fn vertex_count(parts: &[Part]) -> usize {
    let mut seen = BTreeSet::new();
    let own = parts
        .iter()
        .filter(|part| seen.insert(part.material.clone()));
    own.map(|part| part.vertices.len()).sum()
}

#[test]
fn terrain_has_every_triangle_where_it_belongs() {
    let Some(inputs) = fixtures(&ZONE[..1]) else {
        return;
    };
    let bytes = scene("gfaydark.s3d", "gfaydark.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    let (mut drawn, mut undrawn) = (Triangles::new(), Triangles::new());
    for mesh in meshes(&wld) {
        expected(&wld, mesh, &mut drawn, &mut undrawn);
    }
    let (drawn, undrawn) = (sorted(drawn), sorted(undrawn));
    for config in ["", "[everquest]\nterrain = \"regions\"\n"] {
        let config = format!("{config}\n[worlds]\nenabled = true\n");
        converted(&inputs, &config, |out| {
            let zone = load(&out.join("worlds/gfaydark.gltf"));
            let hidden = load(&out.join("worlds/gfaydark.hidden.gltf"));
            let (shown, others) = (all_parts(&zone), all_parts(&hidden));
            assert!(triangles(&shown) == drawn);
            assert!(triangles(&others) == undrawn);
            let count = |all: &Triangles| all.values().map(Vec::len).sum::<usize>();
            assert_eq!((count(&drawn), count(&undrawn)), (73_551, 1_430));
            if config.contains("regions") {
                let regions = zone.document.nodes();
                let regions = regions.filter(|it| !facts(it.extras())["region"].is_null());
                assert!(regions.count() > 1000);
            } else {
                assert_eq!(vertex_count(&shown) + vertex_count(&others), 97_028);
                assert_eq!(zone.document.meshes().count(), 1);
            }
        });
    }
}

#[test]
fn normals_light_and_windings_fit_the_stored_ones() {
    let Some(inputs) = fixtures(&ZONE[..1]) else {
        return;
    };
    converted(&inputs, "", |out| {
        let zone = load(&out.join("worlds/gfaydark.gltf"));
        let parts = all_parts(&zone);
        let (mut agree, mut disagree) = (0, 0);
        for part in &parts {
            for triangle in &part.triangles {
                let [a, b, c] = triangle.map(|at| part.vertices[at].position.map(f64::from));
                let minus = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|at: usize| p[at] - q[at]);
                let (u, v) = (minus(b, a), minus(c, a));
                let across = [
                    u[1] * v[2] - u[2] * v[1],
                    u[2] * v[0] - u[0] * v[2],
                    u[0] * v[1] - u[1] * v[0],
                ];
                let along: f64 = triangle
                    .iter()
                    .flat_map(|&at| part.vertices[at].normal.map(f64::from))
                    .zip(across.iter().cycle())
                    .map(|(one, other)| one * other)
                    .sum();
                match along {
                    along if along > 0.0 => agree += 1,
                    along if along < 0.0 => disagree += 1,
                    _ => {}
                }
            }
        }
        assert!(
            agree > 73_000 && disagree * 1000 < agree,
            "{agree} {disagree}"
        );
        assert!(
            parts
                .iter()
                .all(|part| part.vertices.iter().all(|it| it.colour.is_some()))
        );
        let dark = "[everquest]\nvertex_light = \"none\"\n";
        converted(&inputs, dark, |out| {
            let zone = load(&out.join("worlds/gfaydark.gltf"));
            let mut parts = all_parts(&zone).into_iter();
            assert!(parts.all(|part| part.vertices.iter().all(|it| it.colour.is_none())));
        });
    });
}

/// The name of an actor's model without the ending of actor definitions.
fn model_of(actor: &Actor) -> String {
    let name = actor.model.as_str();
    name.strip_suffix("_ACTORDEF").unwrap_or(name).to_owned()
}

#[test]
fn things_stand_where_they_are_placed() {
    let Some(inputs) = fixtures(ZONE) else { return };
    let placed = scene("gfaydark.s3d", "objects.wld");
    let placed = wld::decode(&placed).unwrap().value;
    let models = scene("gfaydark_obj.s3d", "gfaydark_obj.wld");
    let models = wld::decode(&models).unwrap().value;
    let exists = |name: &str| {
        let found = models.find(FragmentKind::ActorDefinition, &format!("{name}_ACTORDEF"));
        found.is_some()
    };
    let actors = placed.fragments.iter().enumerate();
    let actors = actors.filter_map(|(index, it)| match &it.body {
        Body::Actor(actor) => Some((index, &**actor)),
        _ => None,
    });
    let actors: Vec<(usize, &Actor)> = actors.collect();
    converted(&inputs, "", |out| {
        let zone = load(&out.join("worlds/gfaydark.gltf"));
        let objects = zone.node("objects");
        let nodes: BTreeMap<u64, gltf::Node<'_>> = objects
            .children()
            .map(|node| (facts(node.extras())["index"].as_u64().unwrap(), node))
            .collect();
        let tables = common::json(&out.join("worlds/gfaydark.everquest.json"));
        let left_out = tables["placed"]["left_out"].as_array().unwrap();
        let own = left_out.iter().filter(|it| it["file"] == "objects.wld");
        assert_eq!(nodes.len() + own.count(), actors.len());
        assert!(nodes.len() > 1000);
        for (index, actor) in &actors {
            let Some(node) = nodes.get(&(*index as u64)) else {
                let model = model_of(actor);
                let place = actor.place.as_ref().unwrap();
                assert!(
                    !exists(&model) || place.position.z.get() <= -30_000.0,
                    "{model}"
                );
                continue;
            };
            assert_eq!(facts(node.extras())["model"], model_of(actor));
            let place = actor.place.as_ref().unwrap();
            let (translation, rotation, scale) = node.transform().decomposed();
            let [x, y, z] = place.position.to_array();
            assert_eq!(translation, [y, z, x]);
            assert_eq!(scale, [actor.scale.unwrap().get(); 3]);
            // Where north (+X of the file) goes: turned by the heading about +Z after the tilt.
            let turn = |parts: f32| f64::from(parts) / 512.0 * std::f64::consts::TAU;
            let (heading, tilt) = (turn(place.rotation_z.get()), turn(place.rotation_y.get()));
            let north = [
                heading.cos() * tilt.cos(),
                heading.sin() * tilt.cos(),
                tilt.sin(),
            ];
            let [i, j, k, w] = rotation.map(f64::from);
            // The third column of the rotation's matrix: where +Z of the scene goes.
            let seen = [
                2.0 * (i * k + w * j),
                2.0 * (j * k - w * i),
                1.0 - 2.0 * (i * i + j * j),
            ];
            let expected = [north[1], north[2], north[0]];
            for axis in 0..3 {
                assert!(
                    (seen[axis] - expected[axis]).abs() < 1e-5,
                    "{seen:?} {expected:?}"
                );
            }
        }
    });
}

#[test]
fn placements_share_meshes_when_they_have_no_light_of_their_own() {
    let Some(inputs) = fixtures(ZONE) else { return };
    let placed = scene("gfaydark.s3d", "objects.wld");
    let placed = wld::decode(&placed).unwrap().value;
    converted(&inputs, "[everquest]\nvertex_light = \"none\"\n", |out| {
        let zone = load(&out.join("worlds/gfaydark.gltf"));
        let models: BTreeSet<String> = zone
            .node("objects")
            .children()
            .map(|node| facts(node.extras())["model"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(zone.document.meshes().count(), models.len() + 1);
    });
    converted(&inputs, "", |out| {
        let zone = load(&out.join("worlds/gfaydark.gltf"));
        let mut checked = 0;
        for node in zone.node("objects").children() {
            let index = facts(node.extras())["index"].as_u64().unwrap();
            let Body::Actor(actor) = &placed.fragments[usize::try_from(index).unwrap()].body else {
                panic!("no actor");
            };
            let (Some(colours), Some(mesh)) = (actor.colours, node.mesh()) else {
                continue;
            };
            let Body::VertexColoursInstance(instance) = &placed.get(colours).unwrap().body else {
                panic!("no colours");
            };
            let Body::VertexColours(colours) = &placed.get(instance.definition).unwrap().body
            else {
                panic!("no colours");
            };
            let parts = zone.parts(&mesh);
            assert_eq!(vertex_count(&parts), colours.colours.len());
            // The brightest channel of linear light grows with the stored one.
            let linear = |level: f64| {
                let level = level.min(255.0) / 255.0;
                match level {
                    level if level <= 0.04045 => level / 12.92,
                    level => ((level + 0.055) / 1.055).powf(2.4),
                }
            };
            let red = |colour: &wld::Bgra| linear(f64::from(colour.red) + f64::from(colour.alpha));
            let expected: f64 = colours.colours.iter().map(red).sum();
            let mut seen = BTreeSet::new();
            let own = parts
                .iter()
                .filter(|part| seen.insert(part.material.clone()));
            let found = own.flat_map(|part| &part.vertices);
            let found = found.map(|it| f64::from(it.colour.map_or(65535, |it| it[0])) / 65535.0);
            let found: f64 = found.sum();
            assert!(
                (found - expected).abs() < 0.01 * expected.max(1.0),
                "{found} {expected}"
            );
            checked += 1;
        }
        assert!(checked > 1000);
    });
}

#[test]
fn objects_are_the_same_in_both_versions_and_as_the_file_has_them() {
    let Some(inputs) = fixtures(&["gfaydark_obj.s3d", "newformat_obj.s3d"]) else {
        return;
    };
    let bytes = scene("gfaydark_obj.s3d", "gfaydark_obj.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    converted(&inputs, "", |out| {
        let (mut vertices, mut faces, mut passable) = (0, 0, 0);
        let (mut right, mut wrong) = (0, 0);
        for fragment in &wld.fragments {
            let Body::Mesh(mesh) = &fragment.body else {
                continue;
            };
            let name = fragment
                .name()
                .strip_suffix("_DMSPRITEDEF")
                .unwrap()
                .to_lowercase();
            let old = load(&out.join(format!("models/gfaydark_obj/{name}.gltf")));
            let new = load(&out.join(format!("models/newformat_obj/{name}.gltf")));
            let (parts, others) = (all_parts(&old), all_parts(&new));
            let (mut drawn, mut undrawn) = (Triangles::new(), Triangles::new());
            expected(&wld, mesh, &mut drawn, &mut undrawn);
            assert!(undrawn.is_empty());
            assert!(triangles(&parts) == sorted(drawn), "{name}");
            assert!(triangles(&others) == triangles(&parts), "{name}");
            vertices += vertex_count(&parts);
            for part in &parts {
                faces += part.triangles.len();
                passable += if part.solid { 0 } else { part.triangles.len() };
            }
            // Boards of a dozen triangles are signs, and the two with a picture of their own its front:
            // seen from outside, U must grow to the right where V grows downwards, or the text would
            // read backwards.
            if mesh.faces.len() == 12 {
                let fronts = parts.iter().filter(|part| part.triangles.len() == 2);
                let fronts: Vec<Part> = fronts.cloned().collect();
                let (yes, no) = reading_sense(&fronts);
                right += yes;
                wrong += no;
            }
        }
        assert_eq!((vertices, faces, passable), (6_589, 4_102, 1_051));
        assert!(right > 30 && wrong == 0, "{right} against {wrong}");
    });
}

/// Faces on which a text reads as it should, and those on which it is mirrored.
fn reading_sense(parts: &[Part]) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for part in parts {
        for triangle in &part.triangles {
            let [a, b, c] = triangle.map(|at| part.vertices[at].uv.unwrap().map(f64::from));
            // Corners run counter-clockwise seen from outside; with V downwards, so must the picture's.
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
            match area {
                area if area < 0.0 => right += 1,
                area if area > 0.0 => wrong += 1,
                _ => {}
            }
        }
    }
    (right, wrong)
}

#[test]
fn flags_move_as_their_frames_say() {
    let Some(inputs) = fixtures(&["gfaydark_obj.s3d"]) else {
        return;
    };
    let bytes = scene("gfaydark_obj.s3d", "gfaydark_obj.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    converted(&inputs, "", |out| {
        let mut animated = 0;
        for fragment in &wld.fragments {
            let Body::Mesh(mesh) = &fragment.body else {
                continue;
            };
            let Some(Body::MeshAnimationInstance(instance)) =
                wld.get(mesh.animation).map(|it| &it.body)
            else {
                continue;
            };
            let Body::MeshAnimation(frames) = &wld.get(instance.definition).unwrap().body else {
                panic!("no frames");
            };
            animated += 1;
            let name = fragment
                .name()
                .strip_suffix("_DMSPRITEDEF")
                .unwrap()
                .to_lowercase();
            let file = load(&out.join(format!("models/gfaydark_obj/{name}.gltf")));
            let mesh_out = file.document.meshes().next().unwrap();
            let parts = file.parts(&mesh_out);
            let morphs = file.morphs(&mesh_out);
            let clip = file.document.animations().next().unwrap();
            let (_, (times, weights)) = file.weights(&clip).into_iter().next().unwrap();
            let count = usize::from(frames.frame_count);
            assert_eq!(times.len(), count + 1);
            assert_eq!(weights.len(), times.len() * morphs.len());
            let scale = 0.5_f32.powi(i32::from(frames.scale_exponent));
            let centre = mesh.centre.to_array();
            let corner = |frame: usize, vertex: usize| {
                let raw = frames.positions[frame * mesh.positions.len() + vertex].map(f32::from);
                let [x, y, z] = [0, 1, 2].map(|axis: usize| raw[axis] * scale + centre[axis]);
                [y, z, x]
            };
            for (key, time) in times.iter().enumerate() {
                let wanted = key as f32 * f32::from(frames.sleep) / 1000.0;
                assert!((time - wanted).abs() < 1e-4);
                let weights = &weights[key * morphs.len()..(key + 1) * morphs.len()];
                // One material, so vertices are in the order of the file.
                let solid = &parts[0];
                for vertex in 0..solid.vertices.len().min(20) {
                    let at = [0, 1, 2].map(|axis: usize| {
                        let moved = morphs.iter().zip(weights);
                        let moved = moved.map(|(morph, weight)| morph[vertex][axis] * weight);
                        solid.vertices[vertex].position[axis] + moved.sum::<f32>()
                    });
                    let slot = mesh.vertex_groups[0].material;
                    assert_eq!(slot, mesh.face_groups[0].material);
                    let wanted = corner(key % count, vertex);
                    for axis in 0..3 {
                        assert!(
                            (at[axis] - wanted[axis]).abs() < 1e-3,
                            "{name} {key} {vertex}"
                        );
                    }
                }
            }
        }
        assert_eq!(animated, 2);
    });
}

#[test]
fn pictures_are_those_of_the_fixtures_texel_by_texel() {
    let names = [
        "gfaydark.s3d",
        "gfaydark_obj.s3d",
        "gfaydark_chr.s3d",
        "names_by_crc.s3d",
        "newformat_obj.s3d",
    ];
    let Some(inputs) = fixtures(&names) else {
        return;
    };
    let folder = crate::support::fixtures().unwrap();
    let facts = common::json(&folder.join("textures.json"));
    let config =
        "[textures]\ndilate = false\n[worlds]\nenabled = false\n[models]\nenabled = false\n";
    converted(&inputs, config, |out| {
        let report = common::json(&out.join("report.json"));
        let mut outputs: BTreeMap<(String, String), String> = BTreeMap::new();
        for source in report["sources"].as_array().unwrap() {
            for part in source["parts"].as_array().into_iter().flatten() {
                let Some(member) = part["member"].as_str() else {
                    continue;
                };
                let outputs_of = part["outputs"].as_array().into_iter().flatten();
                let mut pictures = outputs_of.filter_map(Value::as_str);
                let main =
                    pictures.find(|it| it.ends_with(".png") && !it.ends_with(".additive.png"));
                if let Some(main) = main {
                    let path = source["path"].as_str().unwrap().to_owned();
                    outputs.insert((path, member.to_owned()), main.to_owned());
                }
            }
        }
        let mut compared = 0;
        for (archive, members) in facts.as_object().unwrap() {
            for (member, facts) in members.as_object().into_iter().flatten() {
                let wanted = facts["rgba_crc32"].as_str().unwrap();
                let wanted = u32::from_str_radix(wanted, 16).unwrap();
                let path = &outputs[&(archive.clone(), member.clone())];
                let found = crc_of(&fs::read(out.join(path)).unwrap());
                assert_eq!(found, wanted, "{archive} {member}");
                compared += 1;
            }
        }
        assert!(compared > 600, "{compared}");
    });
}

/// CRC-32 of the texels of a PNG as red, green, blue, alpha.
fn crc_of(bytes: &[u8]) -> u32 {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut texels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut texels).unwrap();
    texels.truncate(info.buffer_size());
    let mut crc = flate2::Crc::new();
    match info.color_type {
        png::ColorType::Rgba => crc.update(&texels),
        png::ColorType::Rgb => {
            for texel in texels.chunks_exact(3) {
                crc.update(&[texel[0], texel[1], texel[2], 255]);
            }
        }
        other => panic!("{other:?}"),
    }
    crc.sum()
}

#[test]
fn regions_their_partition_and_ways_out_are_told() {
    let Some(inputs) = fixtures(&ZONE[..1]) else {
        return;
    };
    let bytes = scene("gfaydark.s3d", "gfaydark.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    converted(&inputs, "[everquest]\nvolumes = true\n", |out| {
        let tables = common::json(&out.join("worlds/gfaydark.everquest.json"));
        let nodes = tables["bsp"].as_array().unwrap();
        assert_eq!(nodes.len(), 5809);
        let float = |value: &Value| value.as_f64().unwrap();
        let region_of = |[x, y, z]: [f64; 3]| {
            let (mut at, mut depth) = (0, 1);
            loop {
                let node = &nodes[at];
                if let Some(region) = node["region"].as_u64() {
                    return (region, depth);
                }
                let normal = node["normal"].as_array().unwrap();
                let side = float(&normal[0]) * y
                    + float(&normal[1]) * z
                    + float(&normal[2]) * x
                    + float(&node["distance"]);
                let next = if side >= 0.0 { "front" } else { "back" };
                at = usize::try_from(node[next].as_u64().unwrap()).unwrap();
                depth += 1;
            }
        };
        // Numbers of the fact sheet count regions from 1.
        for (point, region, depth) in [
            ([0.0, 0.0, 0.0], 1775, 14),
            ([500.0, 500.0, 50.0], 2318, 14),
            ([-1000.0, 200.0, 300.0], 750, 11),
            ([-1937.0, -2646.0, 33.0], 2860, 17),
            ([2619.0, -51.0, 45.0], 2885, 18),
        ] {
            assert_eq!(region_of(point), (region - 1, depth));
        }
        let regions = tables["regions"].as_array().unwrap();
        assert_eq!(regions.len(), 2905);
        let mut visible = 0;
        for (index, region) in regions.iter().enumerate() {
            let runs = region["visible"].as_array().unwrap();
            let ends = runs.iter().map(|run| {
                let first = run[0].as_u64().unwrap();
                (first, first + run[1].as_u64().unwrap())
            });
            let ends: Vec<(u64, u64)> = ends.collect();
            assert!(
                ends.iter()
                    .any(|(first, end)| (*first..*end).contains(&(index as u64)))
            );
            visible += ends.iter().map(|(first, end)| end - first).sum::<u64>();
        }
        assert_eq!(visible, 2_973_289);

        let volumes = tables["volumes"].as_array().unwrap();
        let zones = wld.fragments.iter().filter_map(|it| match &it.body {
            Body::Zone(zone) => Some((it.name(), zone)),
            _ => None,
        });
        let mut cells = 0;
        for (volume, (name, zone)) in volumes.iter().zip(zones) {
            assert_eq!(volume["name"], name);
            let ZoneMeaning { line, .. } = zone.meaning(name);
            let Some(ZoneLine::Reference(number)) = line else {
                panic!("{line:?}");
            };
            assert_eq!(volume["line"]["reference"], number);
            let boxes = volume["boxes"].as_array().unwrap();
            assert_eq!(boxes.len(), zone.regions.len());
            for (corners, &region) in boxes.iter().zip(&zone.regions) {
                let corner = |at: usize| [0, 1, 2].map(|axis: usize| float(&corners[at][axis]));
                let (least, greatest) = (corner(0), corner(1));
                let middle = [0, 1, 2].map(|axis: usize| (least[axis] + greatest[axis]) / 2.0);
                // Retail cells of zone lines are boxes, so their middle lies inside.
                let [y, z, x] = middle;
                assert_eq!(region_of([x, y, z]).0, u64::from(region));
                cells += 1;
            }
        }
        assert_eq!((volumes.len(), cells), (4, 9));
        let hidden = load(&out.join("worlds/gfaydark.hidden.gltf"));
        let shown = hidden.document.nodes();
        let shown = shown.filter(|node| !facts(node.extras())["volume"].is_null());
        assert_eq!(shown.count(), 9);
    });
}
