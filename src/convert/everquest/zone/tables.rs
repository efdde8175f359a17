//! What of a zone has no place in a scene: regions and what is seen from them, their partition, water,
//! lava and ways to other zones. Regions count from 0, vectors are in scene space.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::config::Config;
use crate::convert::everquest::mesh::primitive_extras;
use crate::convert::everquest::stage::{Checks, Layers};
use crate::convert::everquest::{extras, space};
use crate::formats::codec::{Deviations, F32};
use crate::formats::everquest::wld::{Body, BspTree, Region, Wld, ZoneLine, ZoneMeaning};
use crate::scene::model::{Mesh, Node, Primitive};

use super::cells::{Cell, Cells};
use super::lights::LightTable;
use super::placements::PlacementTable;

/// The tables of a zone.
#[derive(Debug, Serialize)]
pub(super) struct Tables<'w> {
    /// How the axes of the file lie in the scene, and how things are counted.
    space: Value,
    regions_from: u8,
    /// What was counted.
    pub checks: Checks,
    /// Ambient light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lights: Option<LightTable>,
    /// Placed models.
    pub placed: PlacementTable,
    /// Water, lava, ways to other zones.
    volumes: Vec<Volume<'w>>,
    regions: Vec<RegionTable<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bsp: Option<Vec<BspRow>>,
    #[serde(skip)]
    deviations: Deviations,
}

/// Regions of one kind.
#[derive(Debug, Serialize)]
struct Volume<'w> {
    name: &'w str,
    code: String,
    #[serde(flatten)]
    meaning: ZoneMeaning,
    /// Where an absolute line leads, if its axes are those of the file; null for coordinates that stay as
    /// they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene_destination: Option<[Option<F32>; 3]>,
    regions: Vec<u32>,
    /// Boxes around the cells of the regions, least and greatest corner, in the order of `regions`.
    boxes: Vec<Option<[[F32; 3]; 2]>>,
}

#[derive(Debug, Serialize)]
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
    /// Regions that can be seen: the first of each run and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    visible: Option<Vec<[u32; 2]>>,
}

/// A node of the partition; `front` and `back` count from 0, leaves have the region instead.
#[derive(Debug, Serialize)]
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

fn rows(tree: &BspTree) -> Vec<BspRow> {
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
        .collect()
}

/// Numbers as runs: the first of each and how many there are. Repetitions and order are kept.
pub(super) fn runs_of(numbers: &[u32]) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some([first, count]) if first.checked_add(*count) == Some(number) => *count += 1,
            _ => runs.push([number, 1]),
        }
    }
    runs
}

impl<'w> RegionTable<'w> {
    fn new(
        name: &'w str,
        region: &Region<'_>,
        wld: &'w Wld<'_>,
        count: u32,
        visibility: bool,
        deviations: &mut Deviations,
    ) -> Self {
        let visible = visibility.then(|| {
            let lists = region.visible.iter().map(|list| {
                let runs = list.runs(count);
                deviations.absorb(name, 0, runs.deviations);
                runs.value
            });
            lists.flatten().collect()
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
    pub(super) fn new(wld: &'w Wld<'_>, config: &Config) -> Self {
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
        let visibility = config.everquest.visibility;
        let regions = regions
            .into_iter()
            .map(|(name, region)| {
                RegionTable::new(name, region, wld, count, visibility, &mut deviations)
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
                deviations.push("zone", 0, "a whole way to another zone", volume.name);
            }
            let beyond = volume.regions.iter().filter(|&&region| region >= count);
            let beyond = beyond.count();
            if beyond > 0 {
                let expected = format_args!("regions below {count}");
                deviations.push("zone.regions", 0, expected, format_args!("{beyond} others"));
            }
        }
        Self {
            space: space::facts(),
            regions_from: 0,
            checks: Checks::default(),
            lights: None,
            placed: PlacementTable::default(),
            volumes,
            regions,
            bsp: tree.map(rows),
            deviations,
        }
    }

    /// Cuts out the cells of special regions: boxes for the tables, and meshes where they are wanted.
    pub(super) fn find_volumes(&mut self, cells: &mut Cells<'_>, layers: &mut Layers<'_, '_>) {
        let meshes = layers.main.view().config.everquest.volumes;
        for volume in &mut self.volumes {
            for &region in &volume.regions {
                let cell = region.checked_add(1).and_then(|region| cells.cell(region));
                let bounds = cell.as_ref().and_then(Cell::bounds);
                volume
                    .boxes
                    .push(bounds.map(|corners| corners.map(|it| it.map(F32))));
                if let (true, Some(cell)) = (meshes, cell) {
                    show(volume.name, region, &volume.meaning, &cell, layers);
                }
            }
        }
    }

    /// What breaks a rule.
    pub(super) fn deviations(&self, all: &mut Deviations) {
        all.absorb("zone", 0, self.deviations.clone());
    }
}

/// Adds the cell of a special region to the hidden scene.
fn show(name: &str, region: u32, meaning: &ZoneMeaning, cell: &Cell, layers: &mut Layers<'_, '_>) {
    let mut primitive = Primitive {
        extras: primitive_extras(false),
        ..Primitive::default()
    };
    for face in &cell.faces {
        let base = u32::try_from(primitive.positions.len()).unwrap_or(u32::MAX);
        let positions = face
            .iter()
            .map(|corner| corner.to_array().map(|part| part as f32));
        primitive.positions.extend(positions);
        let last = u32::try_from(face.len())
            .unwrap_or(u32::MAX)
            .saturating_sub(1);
        for corner in 1..last {
            primitive
                .indices
                .extend([base, base + corner, base + corner + 1]);
        }
    }
    let mut facts = Map::new();
    let label = serde_json::to_value(meaning).unwrap_or_default();
    facts.insert("volume".to_owned(), label);
    facts.insert("region".to_owned(), Value::from(region));
    let hidden = layers.hidden();
    let mesh = hidden.scene.add_mesh(Mesh {
        name: name.to_owned(),
        primitives: vec![primitive],
        ..Mesh::default()
    });
    hidden.hang(Node {
        name: name.to_owned(),
        mesh: Some(mesh),
        extras: extras(facts),
        ..Node::default()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_keep_every_number() {
        assert_eq!(runs_of(&[]), <[[u32; 2]; 0]>::default());
        assert_eq!(
            runs_of(&[3, 4, 5, 9, 9, u32::MAX]),
            [[3, 3], [9, 1], [9, 1], [u32::MAX, 1]]
        );
    }
}
