//! Places, triangles, texture coordinates, colors and pictures.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::expected::{File, vector};
use super::output::{Place, Places, load, scenes};
use super::{WHOLE, with_game};

/// Expected surface of a polygon's triangles.
type Surface = (Option<String>, bool, u64, i64);

/// A corner: bits of position and texture coordinates, display-referred color.
type Corner = ([u32; 3], Option<[u32; 2]>, [u8; 3]);

#[derive(Debug, Default, PartialEq)]
struct Sum {
    corners: BTreeSet<Corner>,
    triangles: usize,
    /// Sum of the triangles' normals, each twice as long as its area.
    area: [f64; 3],
}

fn bits<const N: usize>(parts: [f64; N]) -> [u32; N] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the file has single precision"
    )]
    parts.map(|part| (part as f32 + 0.0).to_bits())
}

fn cross(points: [[f64; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = points;
    let u: [f64; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
    let v: [f64; 3] = std::array::from_fn(|axis| c[axis] - a[axis]);
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

fn add(sum: &mut [f64; 3], more: [f64; 3]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Expected triangles of a model, by surface.
///
/// Crimson Skies shows both sides of facades, for any flags of their polygons.
fn expected(file: &File, model: &Value, is_skies: bool) -> BTreeMap<Surface, Sum> {
    let is_open = is_skies && model["model_type"].as_str() == Some("Facade");
    let mut sums: BTreeMap<Surface, Sum> = BTreeMap::new();
    let vertices = model["vertices"].as_array().unwrap();
    for polygon in model["polygons"].as_array().unwrap() {
        let flag = |name: &str| polygon["flags"][name].as_bool().unwrap_or(false);
        // The decoder of Crimson Skies is older and has another word.
        let strip = flag("tri_strip") || flag("triangle_strip");
        let indices = polygon["vertex_indices"].as_array().unwrap();
        let points: Vec<[f64; 3]> = indices
            .iter()
            .map(|index| {
                let vertex = &vertices[usize::try_from(index.as_u64().unwrap()).unwrap()];
                vector(vertex, ["x", "y", "z"])
            })
            .collect();
        for (layer, material) in polygon["materials"].as_array().unwrap().iter().enumerate() {
            let index = material["material_index"].as_u64().unwrap();
            let uvs = material["uv_coords"].as_array();
            let uvs = uvs.filter(|uvs| !uvs.is_empty());
            let texture = file.textures[usize::try_from(index).unwrap()].clone();
            // No package has that one.
            let there = |name: &String| !name.starts_with("no_such_texture");
            let texture = texture.filter(|name| uvs.is_some() && there(name));
            let key = (
                texture.clone().map(|name| picture_of(&name)),
                is_open || flag("show_backface"),
                layer as u64,
                polygon["priority"].as_i64().unwrap()
                    + i64::from(flag("unk3"))
                    + i64::from(layer > 0),
            );
            let sum = sums.entry(key).or_default();
            sum.triangles += points.len() - 2;
            for at in 0..points.len() - 2 {
                let corners = match (strip, at % 2) {
                    (false, _) => [0, at + 1, at + 2],
                    (true, 0) => [at, at + 1, at + 2],
                    (true, _) => [at + 1, at, at + 2],
                };
                add(&mut sum.area, cross(corners.map(|corner| points[corner])));
            }
            for (corner, point) in points.iter().enumerate() {
                let uv = uvs
                    .filter(|_| texture.is_some())
                    .map(|uvs| bits(vector(&uvs[corner], ["u", "v"])));
                let colors = polygon["vertex_colors"].as_array();
                let color = colors.and_then(|colors| colors.get(corner));
                let color = color.map_or([255.0; 3], |color| vector(color, ["r", "g", "b"]));
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "colors of 0 to 255"
                )]
                let color = color.map(|part| part.round() as u8);
                sum.corners.insert((bits(*point), uv, color));
            }
        }
    }
    sums
}

/// File name of a picture without extension, of a texture as a material names it: its suffix goes, and
/// a name that was cut is continued.
fn picture_of(texture: &str) -> String {
    let stem = texture.split('.').next().unwrap().to_lowercase();
    match &*stem {
        "dockside_warehouse_" => "dockside_warehouse_north".to_owned(),
        _ => stem,
    }
}

/// The inverse of the curve that makes linear light.
fn display(linear: u16) -> u8 {
    let linear = f64::from(linear) / 65535.0;
    let shown = if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 1"
    )]
    let level = (shown * 255.0).round() as u8;
    level
}

fn found(place: &Place) -> BTreeMap<Surface, Sum> {
    let mut sums: BTreeMap<Surface, Sum> = BTreeMap::new();
    for surface in &place.surfaces {
        let key = (
            surface.picture.clone(),
            surface.double_sided,
            surface.layer,
            surface.priority,
        );
        let sum = sums.entry(key).or_default();
        sum.triangles += surface.triangles.len();
        for triangle in &surface.triangles {
            let points = [0, 1, 2].map(|at: usize| triangle[at].position.map(f64::from));
            let face = cross(points);
            add(&mut sum.area, face);
            let side: f64 = triangle
                .iter()
                .flat_map(|vertex| (0..3).map(|axis| face[axis] * f64::from(vertex.normal[axis])))
                .sum();
            assert!(side > 0.0, "{}: normals show to the back", place.name);
            for vertex in triangle {
                let color = vertex.color.unwrap_or([u16::MAX; 4]);
                let color = [0, 1, 2].map(|part: usize| display(color[part]));
                let uv = vertex.uv.map(|uv| uv.map(|part| (part + 0.0).to_bits()));
                let position = vertex.position.map(|part| (part + 0.0).to_bits());
                sum.corners.insert((position, uv, color));
            }
        }
    }
    sums
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 2e-4 * other.abs().max(1.0)
}

/// Every object and level of detail is there once, in its place, with the surfaces of its model.
fn compare(file: &File, places: &Places, is_skies: bool) {
    let to_world = file.to_world();
    let mut meshes = 0;
    for (index, node) in file.nodes.iter().enumerate() {
        let Some(node) = node else {
            continue;
        };
        let place = places.get(&index);
        let place = place.unwrap_or_else(|| panic!("node {index} ({}) is missing", node.name));
        assert_eq!(place.name, node.name);
        for (found, expected) in place.to_world.iter().zip(&to_world[index]) {
            let same = found
                .iter()
                .zip(expected)
                .all(|(one, other)| close(*one, *other));
            assert!(
                same,
                "{}: {:?}, expected {:?}",
                node.name, place.to_world, to_world[index]
            );
        }
        let model = node.model.filter(|_| node.is_object);
        let model = model.map_or(&Value::Null, |model| &file.models[model]);
        let is_drawn = model.is_object() && model["model_type"].as_str() != Some("Points");
        let expected = match is_drawn {
            true => expected(file, model, is_skies),
            false => BTreeMap::new(),
        };
        meshes += usize::from(!expected.is_empty());
        let mut expected = expected;
        let mut found = found(place);
        // What is mixed with a tint has no stored colors; a test of its own computes one.
        if place.surfaces.iter().any(|surface| surface.is_mixed) {
            for sums in [&mut expected, &mut found] {
                for (_, sum) in sums
                    .iter_mut()
                    .filter(|((picture, ..), _)| picture.is_none())
                {
                    let plain = sum.corners.iter().map(|(at, uv, _)| (*at, *uv, [0; 3]));
                    sum.corners = plain.collect();
                }
            }
        }
        let names = |sums: &BTreeMap<Surface, Sum>| sums.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "{}", node.name);
        for (key, found) in &found {
            let expected = &expected[key];
            assert_eq!(
                found.triangles, expected.triangles,
                "{}: {key:?}",
                node.name
            );
            assert_eq!(found.corners, expected.corners, "{}: {key:?}", node.name);
            let same = found
                .area
                .iter()
                .zip(expected.area)
                .all(|(one, other)| close(*one, other));
            assert!(
                same,
                "{}: {:?}, expected {:?}",
                node.name, found.area, expected.area
            );
        }
    }
    assert!(meshes > 10, "only {meshes} nodes have surfaces");
}

fn places_of(folders: &[&Path], named: &str) -> Places {
    let mut places = Places::new();
    for folder in folders {
        for file in scenes(folder) {
            let name = file.to_string_lossy().replace('\\', "/");
            if name.contains(named) {
                load(&file).places(&mut places);
            }
        }
    }
    places
}

fn check_world(game: &str, source: &str, output: &str) {
    with_game(game, WHOLE, |expect, out| {
        let file = File::world(&expect.join(source));
        let places = places_of(&[&out.join("worlds"), &out.join("models")], output);
        compare(&file, &places, game == "cs");
    });
}

#[test]
fn recoil_world() {
    check_world("rc", "zbd/m1/gamez.zbd", "zbd/m1/gamez");
}

#[test]
fn mechwarrior_world() {
    check_world("mw", "zbd/c1/gamez.zbd", "zbd/c1/gamez");
}

#[test]
fn pirates_moon_world() {
    check_world("pm", "zbd/c1/gamez.zbd", "zbd/c1/gamez");
}

#[test]
fn crimson_skies_aircraft() {
    check_world("cs", "ZBD/planes.zbd", "zbd/planes");
}

#[test]
fn crimson_skies_world() {
    check_world("cs", "ZBD/C1/gamez.zbd", "zbd/c1/gamez");
}

#[test]
fn mechs() {
    for (game, members) in [
        ("mw", ["bushwhacker", "madcat"]),
        ("pm", ["mech_bushwhacker", "mech_madcat"]),
    ] {
        with_game(game, WHOLE, |expect, out| {
            for member in members {
                let folder = expect.join("zbd/mechlib.zbd");
                let file = File::mech(&folder, &format!("{member}.flt"));
                let named = format!("zbd/mechlib/{member}.");
                compare(&file, &places_of(&[&out.join("models")], &named), false);
            }
        });
    }
}
