//! Tables of a zone: regions and their visibility, the partition, water, lava, and lines to other zones.
//! Regions count from 0, vectors are in scene space.

use std::sync::Arc;

use crate::documents::DocumentForm;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::everquest::checks::Checks;
use crate::everquest::mesh::primitive_extras;
use crate::everquest::scene_builder::Layers;
use crate::everquest::space;
use crate::options::ConvertOptions;
use relicast_codec::{Deviations, F32};
use relicast_formats::everquest::wld::{
    Body, BspTree, Region, VisibilityList, Wld, ZoneLine, ZoneMeaning,
};
use relicast_scene::extras::{ObjectExtras, camel_case_within, everquest};
use relicast_scene::model::{Mesh, Node, Primitive};

use super::cells::{Cell, Cells};
use super::lights::LightTable;
use super::placements::PlacementTable;

/// The tables of a zone.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Tables<'w> {
    /// Axes of the file in the scene, and the numbering of items.
    space: Value,
    regions_from: u8,
    /// Counts for the report.
    pub checks: Checks,
    /// Ambient light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lights: Option<LightTable>,
    /// Placed models.
    pub placed: PlacementTable,
    /// Water, lava, ways to other zones.
    volumes: Vec<Volume<'w>>,
    /// Encoding of `visible` in the regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    visible_runs: Option<&'static str>,
    regions: Vec<Row<RegionTable<'w>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bsp: Option<Vec<Row<BspRow>>>,
    #[serde(skip)]
    deviations: Deviations,
}

/// Explanation of [`Runs`] in the document.
const RUNS: &str = "runs of visible regions, a comma between two: how many regions are between the end \
                    of the run before (at first region 0) and the run, then a colon and its length \
                    unless that is 1; \"2,1:3\" are the regions 2, 4, 5 and 6";

/// A row of a table: one line of the document, regardless of its layout.
#[derive(Debug)]
struct Row<T>(T);

relicast_codec::json_form_of!(@[T: schemars::JsonSchema] Row<T> => T);

impl<T: Serialize> Serialize for Row<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let line = serde_json::value::to_raw_value(&self.0).map_err(serde::ser::Error::custom)?;
        line.serialize(serializer)
    }
}

/// Regions as text, see [`RUNS`]. A large zone has a million runs; as lists of numbers they take twenty
/// times the space of their file.
#[derive(Debug, PartialEq)]
struct Runs(String);

/// Appends a number in decimal digits; most have one.
fn push_number(text: &mut Vec<u8>, number: i64) {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => text.push(b'0' + digit),
        Ok(number @ 10..100) => text.extend([b'0' + number / 10, b'0' + number % 10]),
        _ => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// Writes runs as text.
struct RunWriter<'t> {
    text: &'t mut Vec<u8>,
    /// The end of the last one.
    end: i64,
}

impl RunWriter<'_> {
    /// Appends a run. If it starts before the end of the previous one, which no retail file has, its distance is
    /// negative.
    fn push(&mut self, first: u32, count: u32) {
        if !self.text.is_empty() {
            self.text.push(b',');
        }
        let first = i64::from(first);
        push_number(self.text, first - self.end);
        if count != 1 {
            self.text.push(b':');
            push_number(self.text, i64::from(count));
        }
        self.end = first + i64::from(count);
    }
}

impl Runs {
    /// The runs of some lists, in order; `text` is a buffer. Deviations go to `deviations`.
    fn new(
        lists: &[VisibilityList<'_>],
        count: u32,
        text: &mut Vec<u8>,
        mut deviate: impl FnMut(Deviations),
    ) -> Self {
        text.clear();
        let mut writer = RunWriter { text, end: 0 };
        for list in lists {
            deviate(list.each_run(count, |first, count| writer.push(first, count)));
        }
        // Digits and signs are UTF-8.
        Self(String::from_utf8(text.clone()).unwrap_or_default())
    }
}

relicast_codec::json_form!(Runs = {"type": "string", "pattern": "^(-?[0-9]+(:[0-9]+)?(,-?[0-9]+(:[0-9]+)?)*)?$"});

impl Serialize for Runs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Regions of one kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Volume<'w> {
    name: &'w str,
    code: String,
    #[serde(flatten)]
    meaning: ZoneMeaning,
    /// Destination of an absolute zone line in scene space, assuming that it is stored in file axes; null for
    /// coordinates that do not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene_destination: Option<[Option<F32>; 3]>,
    regions: Vec<u32>,
    /// Boxes around the cells of the regions, least and greatest corner, in the order of `regions`.
    boxes: Vec<Row<Option<[[F32; 3]; 2]>>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RegionTable<'w> {
    name: &'w str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sphere: Option<[F32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reverb_volume: Option<F32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reverb_offset: Option<i32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    user_data: String,
    /// Regions that can be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    visible: Option<Runs>,
}

/// A node of the partition; `front` and `back` count from 0, leaves have the region instead.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum BspRow {
    Leaf {
        region: u32,
    },
    Plane {
        normal: [F32; 3],
        distance: F32,
        front: Option<u32>,
        back: Option<u32>,
    },
}

fn rows(tree: &BspTree) -> Vec<Row<BspRow>> {
    let nodes = tree.nodes.iter();
    nodes
        .map(|node| match node.region.checked_sub(1) {
            Some(region) => BspRow::Leaf { region },
            None => BspRow::Plane {
                normal: space::vector(node.normal.to_array()).map(F32),
                distance: node.distance,
                front: node.front.checked_sub(1),
                back: node.back.checked_sub(1),
            },
        })
        .map(Row)
        .collect()
}

impl<'w> RegionTable<'w> {
    fn new(
        name: &'w str,
        region: &Region<'_>,
        wld: &'w Wld<'_>,
        count: u32,
        room: Option<&mut Vec<u8>>,
        deviations: &mut Deviations,
    ) -> Self {
        let visible = room.map(|text| {
            let deviate = |found| deviations.absorb(name, 0, found);
            Runs::new(&region.visible, count, text, deviate)
        });
        let mesh = region.mesh.and_then(|mesh| wld.get(mesh));
        Self {
            name,
            mesh: mesh.map(|mesh| mesh.name()),
            sphere: region.sphere.map(|[x, y, z, radius]| {
                let [x, y, z] = space::vector([x, y, z].map(F32::get));
                [F32(x), F32(y), F32(z), radius]
            }),
            reverb_volume: region.reverb_volume,
            reverb_offset: region.reverb_offset,
            user_data: region.user_data.text(),
            visible,
        }
    }
}

impl<'w> Tables<'w> {
    /// The tables of a scene file.
    pub(super) fn new(wld: &'w Wld<'_>, options: &ConvertOptions) -> Self {
        let mut deviations = Deviations::default();
        let regions = wld
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::Region(region) => Some((fragment.name(), &**region)),
                _ => None,
            });
        let regions: Vec<(&str, &Region<'_>)> = regions.collect();
        let count = u32::try_from(regions.len()).unwrap_or(u32::MAX);
        let visibility = options.everquest.visibility;
        let mut text = Vec::new();
        let regions = regions
            .into_iter()
            .map(|(name, region)| {
                let room = visibility.then_some(&mut text);
                let row = RegionTable::new(name, region, wld, count, room, &mut deviations);
                Row(row)
            })
            .collect();
        let tree = wld
            .fragments
            .iter()
            .find_map(|fragment| match &fragment.body {
                Body::BspTree(tree) => Some(tree),
                _ => None,
            });
        let zones = wld
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::Zone(zone) => Some((fragment.name(), zone)),
                _ => None,
            });
        let volumes = zones.map(|(name, zone)| {
            let meaning = zone.meaning(name);
            let destination = match &meaning.line {
                Some(ZoneLine::Absolute { position, .. }) => Some(*position),
                _ => None,
            };
            Volume {
                name,
                code: zone.code.text(),
                scene_destination: destination.map(space::vector),
                meaning,
                regions: zone.regions.clone(),
                boxes: Vec::new(),
            }
        });
        let volumes: Vec<Volume<'w>> = volumes.collect();
        for volume in &volumes {
            if volume.meaning.broken_line {
                deviations.push("zone", 0, "a complete zone line", volume.name);
            }
            let beyond = volume.regions.iter().filter(|&&region| region >= count);
            let beyond = beyond.count();
            if beyond > 0 {
                let expected = format_args!("regions below {count}");
                deviations.push(
                    "zone.regions",
                    0,
                    expected,
                    format_args!("{beyond} out of range"),
                );
            }
        }
        Self {
            space: json!(space::facts(options.everquest.scale)),
            regions_from: 0,
            checks: Checks::default(),
            lights: None,
            placed: PlacementTable::default(),
            volumes,
            visible_runs: visibility.then_some(RUNS),
            regions,
            bsp: tree.map(rows),
            deviations,
        }
    }

    /// Cuts out the cells of special regions: boxes for the tables, and meshes if they are wanted.
    pub(super) fn find_volumes(&mut self, cells: &mut Cells<'_>, layers: &mut Layers<'_, '_>) {
        let meshes = layers.main.view().options.everquest.volumes;
        for volume in &mut self.volumes {
            for &region in &volume.regions {
                let cell = region.checked_add(1).and_then(|region| cells.cell(region));
                let bounds = cell.as_ref().and_then(Cell::bounds);
                volume.boxes.push(Row(
                    bounds.map(|corners| corners.map(|corner| corner.map(F32)))
                ));
                if let (true, Some(cell)) = (meshes, cell) {
                    show(volume.name, region, &volume.meaning, &cell, layers);
                }
            }
        }
    }

    /// Converts all lengths to another unit.
    pub(super) fn scale_lengths(&mut self, factor: f32) {
        if factor == 1.0 {
            return;
        }
        let scale = |length: &mut F32| *length = F32(length.get() * factor);
        for volume in &mut self.volumes {
            let destination = volume.scene_destination.iter_mut().flatten();
            destination.flatten().for_each(scale);
            let boxes = volume.boxes.iter_mut().filter_map(|row| row.0.as_mut());
            boxes.flatten().flatten().for_each(scale);
        }
        let spheres = self
            .regions
            .iter_mut()
            .filter_map(|row| row.0.sphere.as_mut());
        spheres.flatten().for_each(scale);
        for row in self.bsp.iter_mut().flatten() {
            if let BspRow::Plane { distance, .. } = &mut row.0 {
                scale(distance);
            }
        }
        let places = self.placed.left_out.iter_mut();
        let places = places.filter_map(|row| row.position.as_mut());
        places.flatten().for_each(scale);
    }

    /// Adds the faults that break a rule of the format.
    pub(super) fn deviations(&self, all: &mut Deviations) {
        all.absorb("zone", 0, self.deviations.clone());
    }
}

/// Adds the cell of a special region to the hidden scene.
fn show(name: &str, region: u32, meaning: &ZoneMeaning, cell: &Cell, layers: &mut Layers<'_, '_>) {
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    for face in &cell.faces {
        let base = u32::try_from(positions.len()).unwrap_or(u32::MAX);
        let corners = face
            .iter()
            .map(|corner| corner.to_array().map(|part| part as f32));
        positions.extend(corners);
        let last = u32::try_from(face.len())
            .unwrap_or(u32::MAX)
            .saturating_sub(1);
        for corner in 1..last {
            indices.extend([base, base + corner, base + corner + 1]);
        }
    }
    let primitive = Primitive {
        positions: Arc::new(positions),
        indices: Arc::new(indices),
        is_passable: true,
        extras: primitive_extras(false),
        ..Primitive::default()
    };
    let facts = everquest::Node {
        volume: serde_json::to_value(meaning).ok().map(camel_case_within),
        region: Some(region),
        ..everquest::Node::default()
    };
    let hidden = layers.hidden();
    let mesh = hidden.scene.add_mesh(Mesh {
        name: name.to_owned(),
        primitives: vec![primitive],
        ..Mesh::default()
    });
    hidden.attach(Node {
        name: name.to_owned(),
        mesh: Some(mesh),
        extras: facts.extras(),
        ..Node::default()
    });
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Tables<'static>>(
    "regions",
    "Regions of a zone: water, zone lines, visibility, lights",
)];

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses the regions of a text, as described by [`RUNS`].
    fn read(text: &str) -> Vec<i64> {
        let mut end = 0;
        let mut regions = Vec::new();
        for run in text.split(',').filter(|run| !run.is_empty()) {
            let (skip, count) = run.split_once(':').unwrap_or((run, "1"));
            let first = end + skip.parse::<i64>().unwrap();
            end = first + count.parse::<i64>().unwrap();
            regions.extend(first..end);
        }
        regions
    }

    #[test]
    fn texts_of_runs_are_read_as_they_say() {
        assert_eq!(read("2,1:3"), [2, 4, 5, 6]);
        let text = |lists: &[&[u16]]| {
            let lists: Vec<_> = (lists.iter())
                .map(|list| VisibilityList::Plain(list.to_vec()))
                .collect();
            let mut room = b"what was there".to_vec();
            let text = Runs::new(&lists, u32::MAX, &mut room, |odd| assert!(odd.is_empty()));
            text.0
        };
        assert_eq!(text(&[&[0, 7, 8], &[9, 3, 4]]), "0,6:2,0,-7:2");
        assert_eq!(read(&text(&[&[0, 7, 8, 9, 3, 4]])), [0, 7, 8, 9, 3, 4]);
        assert_eq!(text(&[]), "");
        for numbers in [9_u16, 10, 19, 99, 100, 101, 65_535].windows(2) {
            let mut list = vec![numbers[0]];
            list.extend(numbers[1]..=numbers[1].saturating_add(numbers[0] % 120));
            let expected: Vec<i64> = list.iter().copied().map(i64::from).collect();
            assert_eq!(read(&text(&[&list])), expected);
        }
    }
}
