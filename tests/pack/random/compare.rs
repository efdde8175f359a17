//! Comparison of an output with an edit, exactly or within the reported rounding.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use image::RgbaImage;
use relicast_samples::edits::What;
use serde_json::Value;

use crate::common;

/// An edit that was packed.
#[derive(Debug, Clone)]
pub struct Packed {
    pub output: String,
    pub group: String,
    pub what: What,
    /// Reported difference from the edit.
    pub rounding: Option<String>,
}

/// Checks that the output `after` shows the edit `edited` of `first`.
pub fn assert_shows(edit: &Packed, first: &Path, edited: &Path, after: &Path) {
    let context = || {
        let Packed {
            output,
            group,
            what,
            rounding,
        } = edit;
        format!("{output} of {group} ({what}), reported {rounding:?}")
    };
    let exact = edit.rounding.is_none();
    match &edit.what {
        What::Texels(_) => {
            let (wanted, shown) = (picture(edited), picture(after));
            assert_eq!(wanted.dimensions(), shown.dimensions(), "{}", context());
            assert_off_as_reported(edit.rounding.as_deref(), (&wanted, &shown), &context());
        }
        What::Frames(_) => {
            let (wanted, shown) = (samples(edited), samples(after));
            // Compressed sounds end with a whole block.
            match exact {
                true => assert!(shown == wanted, "{}: {} samples", context(), shown.len()),
                false => assert!(
                    shown.len() >= wanted.len(),
                    "{}: {}",
                    context(),
                    shown.len()
                ),
            }
        }
        What::Value { pointer, new, .. } => {
            let (wanted, shown) = (common::json(edited), common::json(after));
            let value = shown.pointer(pointer);
            assert!(
                value.is_some_and(|value| same(value, new)),
                "{}: {value:?}",
                context()
            );
            if exact {
                assert!(
                    same(&shown, &wanted),
                    "{}: something else changed",
                    context()
                );
            }
        }
        What::Node(_) | What::Corners(_) => {
            let (mut wanted, mut shown) = (Scene::open(edited), Scene::open(after));
            let follows = ["another edited scene of", "other edited scenes of"];
            if follows.iter().any(|words| context().contains(words)) {
                wanted.keep_edited_corners(&Scene::open(first), &mut shown);
            }
            wanted.assert_near(&shown, &context());
        }
        What::Byte(_) => {
            let (wanted, shown) = (fs::read(edited).unwrap(), fs::read(after).unwrap());
            assert!(wanted == shown, "{}", context());
        }
    }
}

/// Checks that an output is what it was before all edits, as far as its format can show.
pub fn assert_restored(edit: &Packed, before: &Path, after: &Path, rounding: Option<&str>) {
    if fs::read(before).unwrap() == fs::read(after).unwrap() {
        return;
    }
    // A mesh that was made anew stays in the order that it has since.
    let own = edit.rounding.as_deref().unwrap_or_default();
    let anew = match own.contains("each new one is a separate polygon") {
        true => ", with other triangles since,",
        false => "",
    };
    let context = || {
        format!(
            "{} ({}){anew} restored: {rounding:?}",
            edit.output, edit.what
        )
    };
    match &edit.what {
        What::Texels(_) => {
            assert_off_as_reported(rounding, (&picture(before), &picture(after)), &context());
        }
        What::Frames(_) => {
            let (wanted, shown) = (samples(before), samples(after));
            assert!(
                rounding.is_some() && shown.len() >= wanted.len(),
                "{}",
                context()
            );
        }
        What::Value { .. } => {
            let (wanted, shown) = (common::json(before), common::json(after));
            assert!(same(&wanted, &shown), "{}", context());
        }
        What::Node(_) | What::Corners(_) => {
            Scene::open(before).assert_near(&Scene::open(after), &context())
        }
        What::Byte(_) => panic!("{}", context()),
    }
}

fn picture(path: &Path) -> RgbaImage {
    image::open(path).unwrap().into_rgba8()
}

/// Checks that pictures differ by as much as was reported: in visible pixels, or anywhere if hidden pixels
/// are stored.
fn assert_off_as_reported(
    rounding: Option<&str>,
    pictures: (&RgbaImage, &RgbaImage),
    context: &str,
) {
    let by = [true, false].map(|seen| difference(pictures, seen));
    match rounding {
        None => assert_eq!(by[0], 0, "{context}"),
        Some(text) => assert!(
            by.iter()
                .any(|by| text.contains(&format!("by at most {by} of 255"))),
            "{context}: {by:?}"
        ),
    }
}

/// Largest difference in a channel, at pixels that are visible in one of the pictures or anywhere.
fn difference((one, other): (&RgbaImage, &RgbaImage), where_seen: bool) -> u8 {
    assert_eq!(one.dimensions(), other.dimensions());
    let pairs = one.pixels().zip(other.pixels());
    let is_meant = |one: u8, other: u8| !where_seen || one != 0 || other != 0;
    let meant = pairs.filter(|(one, other)| is_meant(one.0[3], other.0[3]));
    let channels = meant.flat_map(|(one, other)| one.0.into_iter().zip(other.0));
    channels
        .map(|(one, other)| one.abs_diff(other))
        .max()
        .unwrap_or(0)
}

/// Samples as an independent reader returns them.
fn samples(path: &Path) -> Vec<i32> {
    let bytes = fs::read(path).unwrap();
    if bytes.starts_with(b"fLaC") {
        let mut reader = claxon::FlacReader::new(&*bytes).unwrap();
        return reader.samples().map(Result::unwrap).collect();
    }
    let reader = hound::WavReader::new(&*bytes).unwrap();
    reader.into_samples::<i32>().map(Result::unwrap).collect()
}

/// True if documents are equal, floats to single precision.
pub fn same(one: &Value, other: &Value) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
    let single =
        |number: &serde_json::Number| number.as_f64().map(|number| (number as f32).to_bits());
    match (one, other) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => single(a) == single(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let of = |key: &String| b.get(key);
            a.len() == b.len() && a.iter().all(|(key, a)| of(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Compared parts of a scene: places of nodes, and triangles.
struct Scene {
    nodes: Vec<(String, [f64; 10])>,
    /// Nodes of the first scene.
    shown: BTreeSet<usize>,
    /// Corners of the triangles of each primitive, in order; meshes in the order of the names of nodes that
    /// show them.
    corners: Vec<Vec<[f32; 3]>>,
}

impl Scene {
    /// The scene at a path, or that of the buffer there.
    fn open(path: &Path) -> Self {
        let path = path.with_extension("gltf");
        let json = common::json(&path);
        let uri = json["buffers"][0]["uri"].as_str();
        let buffer = uri.map_or_else(Vec::new, |uri| fs::read(path.with_file_name(uri)).unwrap());
        let nodes = json["nodes"].as_array().into_iter().flatten().map(|node| {
            let part =
                |key: &str, at: usize, default: f64| node[key][at].as_f64().unwrap_or(default);
            let place: [f64; 10] = std::array::from_fn(|at| match at {
                0..3 => part("translation", at, 0.0),
                3..7 => part("rotation", at - 3, f64::from(u8::from(at == 6))),
                _ => part("scale", at - 7, 1.0),
            });
            (node["name"].as_str().unwrap_or_default().to_owned(), place)
        });
        // Scenes beside the first follow from it.
        let mut shown = BTreeSet::new();
        let mut left = vec![&json["scenes"][0]["nodes"]];
        while let Some(list) = left.pop() {
            for node in list.as_array().into_iter().flatten() {
                let node = node.as_u64().unwrap() as usize;
                if shown.insert(node) {
                    left.push(&json["nodes"][node]["children"]);
                }
            }
        }
        // The place of a node may be part of its order among its siblings.
        let nodes_with = json["nodes"].as_array().into_iter().flatten();
        let assigned: BTreeMap<&str, u64> = nodes_with
            .filter_map(|node| Some((node["name"].as_str()?, node["mesh"].as_u64()?)))
            .collect();
        let mut seen = BTreeSet::new();
        let meshes = assigned.into_values().filter(|mesh| seen.insert(*mesh));
        let primitives = meshes.flat_map(|mesh| {
            let mesh = &json["meshes"][mesh as usize];
            mesh["primitives"].as_array().unwrap()
        });
        Self {
            nodes: nodes.collect(),
            shown,
            corners: primitives
                .map(|primitive| corners(&json, &buffer, primitive))
                .collect(),
        }
    }

    /// Removes corners that were not edited, here and in the expectation.
    fn keep_edited_corners(&mut self, first: &Self, shown: &mut Self) {
        let lists = self.corners.iter_mut().zip(&mut shown.corners);
        for ((wanted, shown), first) in lists.zip(&first.corners) {
            if wanted.len() == first.len() && shown.len() == first.len() {
                let is_edited: Vec<bool> = wanted.iter().zip(first).map(|(a, b)| a != b).collect();
                for list in [wanted, shown] {
                    let mut kept = is_edited.iter();
                    list.retain(|_| *kept.next().unwrap());
                }
            }
        }
    }

    fn assert_near(&self, shown: &Self, context: &str) {
        assert_eq!(self.nodes.len(), shown.nodes.len(), "{context}: nodes");
        let near = |a: f64, b: f64| (a - b).abs() <= 2e-3 * a.abs().max(1.0);
        let transforms: BTreeMap<&str, &[f64; 10]> = shown
            .nodes
            .iter()
            .map(|(name, place)| (&**name, place))
            .collect();
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.filter(|(node, _)| self.shown.contains(node));
        for (_, (name, wanted)) in nodes {
            let place = transforms
                .get(&**name)
                .unwrap_or_else(|| panic!("{context}: {name} is gone"));
            let is_there = wanted.iter().zip(place.iter()).all(|(a, b)| near(*a, *b));
            assert!(
                is_there,
                "{context}: {name} is at {place:?}, wanted {wanted:?}"
            );
        }
        assert_eq!(
            self.corners.len(),
            shown.corners.len(),
            "{context}: primitives"
        );
        let is_there = |wanted: &[f32; 3], shown: &[f32; 3]| {
            let mut pairs = wanted.iter().zip(shown);
            pairs.all(|(a, b)| near((*a).into(), (*b).into()))
        };
        let all = |scene: &Self| scene.corners.concat();
        if context.contains("other triangles along") {
            // Along other diagonals, between the same corners.
            let (wanted, shown) = (places(&all(self)), places(&all(shown)));
            assert!(wanted == shown, "{context}: {shown:?}, wanted {wanted:?}");
        } else if context.contains("other triangles") {
            // A mesh that was made anew has its triangles in an order of its own.
            let (wanted, shown) = (all(self), all(shown));
            let mut left = shown.as_chunks::<3>().0.to_vec();
            for triangle in wanted.as_chunks::<3>().0 {
                let is_same = |shown: &[[f32; 3]; 3]| {
                    let at = |turn: usize| {
                        (0..3).all(|at| is_there(&triangle[at], &shown[(at + turn) % 3]))
                    };
                    (0..3).any(at)
                };
                let found = left.iter().position(is_same);
                assert!(found.is_some(), "{context}: {triangle:?} is missing");
                left.swap_remove(found.unwrap());
            }
            assert!(left.is_empty(), "{context}: {left:?} is new");
        } else {
            for (at, (wanted, shown)) in self.corners.iter().zip(&shown.corners).enumerate() {
                assert_eq!(
                    wanted.len(),
                    shown.len(),
                    "{context}: corners of primitive {at}"
                );
                for (wanted, shown) in wanted.iter().zip(shown) {
                    assert!(
                        is_there(wanted, shown),
                        "{context}: a corner is at {shown:?}, wanted {wanted:?}"
                    );
                }
            }
        }
    }
}

/// Places that have corners, in hundredths.
fn places(corners: &[[f32; 3]]) -> BTreeSet<[i64; 3]> {
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
    let hundredths = |part: f32| (f64::from(part) * 100.0).round() as i64;
    let corners = corners.iter();
    corners.map(|corner| corner.map(hundredths)).collect()
}

fn corners(json: &Value, buffer: &[u8], primitive: &Value) -> Vec<[f32; 3]> {
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let rows = |accessor: &Value, size: usize| -> Vec<Vec<u8>> {
        let accessor = &json["accessors"][number(accessor)];
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let stride = number(&view["byteStride"]).max(size);
        let row = |row: usize| buffer[start + row * stride..start + row * stride + size].to_vec();
        (0..number(&accessor["count"])).map(row).collect()
    };
    let Some(position) = primitive["attributes"].get("POSITION") else {
        return Vec::new();
    };
    let float =
        |row: &[u8], at: usize| f32::from_le_bytes(row[at * 4..at * 4 + 4].try_into().unwrap());
    let positions: Vec<[f32; 3]> = rows(position, 12)
        .iter()
        .map(|row| std::array::from_fn(|at| float(row, at)))
        .collect();
    let Some(indices) = primitive.get("indices") else {
        return positions;
    };
    let size = match json["accessors"][number(indices)]["componentType"].as_u64() {
        Some(5125) => 4,
        Some(5121) => 1,
        _ => 2,
    };
    let index = |row: &Vec<u8>| {
        row.iter()
            .rev()
            .fold(0_usize, |all, byte| all << 8 | usize::from(*byte))
    };
    rows(indices, size)
        .iter()
        .map(|row| positions[index(row)])
        .collect()
}
