//! Zones of the fixtures as glTF, compared with an evaluation of the fragments that uses nothing of the
//! converter.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};

use relicast::formats::everquest::wld::{self, Actor, Body, FragmentKind, ZoneLine, ZoneMeaning};
use serde_json::Value;

use crate::common;
use crate::output::{converted, facts, fixtures, load, triangles};
use crate::stored::{Triangles, all_parts, expected, meshes, scene, sorted, vertex_count};

const ZONE: &[&str] = &["gfaydark.s3d", "gfaydark_obj.s3d"];

#[test]
fn terrain_has_every_triangle_where_it_belongs() {
    let inputs = fixtures(&ZONE[..1]);
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
                let regions = regions.filter(|region| !facts(region.extras())["region"].is_null());
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
    let inputs = fixtures(&ZONE[..1]);
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
                .all(|part| part.vertices.iter().all(|vertex| vertex.color.is_some()))
        );
        let dark = "[everquest]\nvertex_light = \"none\"\n";
        converted(&inputs, dark, |out| {
            let zone = load(&out.join("worlds/gfaydark.gltf"));
            let mut parts = all_parts(&zone).into_iter();
            assert!(parts.all(|part| part.vertices.iter().all(|vertex| vertex.color.is_none())));
        });
    });
}

/// The name of an actor's model without the ending of actor definitions.
fn model_of(actor: &Actor) -> String {
    let name = actor.model.as_str();
    name.strip_suffix("_ACTORDEF").unwrap_or(name).to_owned()
}

#[test]
fn things_are_where_they_are_placed() {
    let inputs = fixtures(ZONE);
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
    let inputs = fixtures(ZONE);
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
            let (Some(colors), Some(mesh)) = (actor.colors, node.mesh()) else {
                continue;
            };
            let Body::VertexColorsInstance(instance) = &placed.get(colors).unwrap().body else {
                panic!("no colors");
            };
            let Body::VertexColors(colors) = &placed.get(instance.definition).unwrap().body else {
                panic!("no colors");
            };
            let parts = zone.parts(&mesh);
            assert_eq!(vertex_count(&parts), colors.colors.len());
            // The brightest channel of linear light grows with the stored one.
            let linear = |level: f64| {
                let level = level.min(255.0) / 255.0;
                match level {
                    level if level <= 0.04045 => level / 12.92,
                    level => ((level + 0.055) / 1.055).powf(2.4),
                }
            };
            let red = |color: &wld::Bgra| linear(f64::from(color.red) + f64::from(color.alpha));
            let expected: f64 = colors.colors.iter().map(red).sum();
            let mut seen = BTreeSet::new();
            let own = parts
                .iter()
                .filter(|part| seen.insert(part.material.clone()));
            let found = own.flat_map(|part| &part.vertices);
            let found =
                found.map(|found| f64::from(found.color.map_or(65535, |found| found[0])) / 65535.0);
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
fn regions_their_partition_and_ways_out_are_reported() {
    let inputs = fixtures(&ZONE[..1]);
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
        // These numbers count regions from 1.
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
            let runs = region["visible"].as_str().unwrap().split(',');
            let mut end = 0;
            let ends = runs.map(|run| {
                let (skip, count) = run.split_once(':').unwrap_or((run, "1"));
                let first = end + skip.parse::<u64>().unwrap();
                end = first + count.parse::<u64>().unwrap();
                (first, end)
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
        let zones = wld
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::Zone(zone) => Some((fragment.name(), zone)),
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
                // Retail cells of zone lines are boxes, so their middle is inside.
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
