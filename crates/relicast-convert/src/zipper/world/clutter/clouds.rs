//! Field of clouds: cards over the upper sides of fog volumes.

use glam::{DMat4, DVec3};

use crate::zipper::scene::hierarchy::Nodes;
use crate::zipper::scene::mesh;
use crate::zipper::settings;
use crate::zipper::world::file::WorldFile;
use crate::zipper::world::key_table::FOG_VOLUMES;
use crate::zipper::world::zones;
use relicast_formats::zipper::gamez::{Model, Polygon, PolygonFlags};
use relicast_formats::zipper::zrd::Value as Stored;
use relicast_scene::extras::zipper;

use super::random::Random;
use super::registry::plain;
use super::{Crowd, Strewn, Thing};

/// Seed of the field, so that it is the same at every start.
const SEED: u32 = 0x9B3A_9CE2;

/// Default distance between two cards in meters.
const USUAL_DISTANCE: f64 = 206.25;

/// Maximum number of steps along a side of a polygon.
const MAX_STEPS: f64 = 4096.0;

/// Cards from which one is chosen at random for each place.
#[derive(Debug, Clone, Default)]
struct Block {
    weight: f64,
    /// Nodes with weights.
    nodes: Vec<(usize, f64)>,
    /// Ranges of the distance from a reference, of the displacement, and of the scale.
    push: [f64; 2],
    displacement: [f64; 2],
    scale: [f64; 2],
}

/// The field of clouds from `fogvol.zrd`.
#[derive(Debug, Default)]
struct Field {
    distance: f64,
    blocks: Vec<Block>,
}

/// A flat outline with its corners in order.
#[derive(Debug)]
struct Outline {
    points: Vec<DVec3>,
}

impl Outline {
    /// The directions of the rows and of the columns, and the normal.
    fn basis(&self) -> Option<[DVec3; 3]> {
        let [first, second, ..] = *self.points else {
            return None;
        };
        let after = self.points.iter().cycle().skip(1);
        let area = self.points.iter().zip(after);
        let normal = area
            .map(|(one, next)| (*one - first).cross(*next - first))
            .sum::<DVec3>()
            .try_normalize()?;
        let along = (second - first).try_normalize()?;
        Some([along, along.cross(normal), normal])
    }

    /// True if a point over or under the plane is inside; outlines of volumes are convex.
    fn holds(&self, point: DVec3, normal: DVec3) -> bool {
        let after = self.points.iter().cycle().skip(1);
        let mut sides = self
            .points
            .iter()
            .zip(after)
            .map(|(one, next)| (*next - *one).cross(point - *one).dot(normal));
        sides.all(|side| side >= 0.0)
    }

    /// Calls `visitor` with the center of each cell of the field over the outline.
    fn cells(&self, distance: f64, mut visitor: impl FnMut(DVec3, DVec3)) -> bool {
        let Some([along, across, normal]) = self.basis() else {
            return true;
        };
        let Some(&origin) = self.points.first() else {
            return true;
        };
        let extent = |axis: DVec3| {
            let places = self.points.iter().map(|point| (*point - origin).dot(axis));
            places.fold([f64::MAX, f64::MIN], |[least, most], at| {
                [least.min(at), most.max(at)]
            })
        };
        let steps = |[least, most]: [f64; 2], step: f64| {
            let length = most - least;
            if length > step {
                (length / step + 0.5).trunc()
            } else {
                1.0
            }
        };
        let (rows, columns) = (extent(along), extent(across));
        let row_count = steps(rows, distance * 3.0_f64.sqrt() / 2.0);
        let column_count = steps(columns, distance);
        let cells = row_count * column_count;
        if cells.is_nan() || cells > MAX_STEPS * MAX_STEPS / 64.0 {
            return false;
        }
        let row_step = (rows[1] - rows[0]) / row_count;
        let column_step = (columns[1] - columns[0]) / column_count;
        for row in 0..row_count as u32 {
            let u = rows[0] + (f64::from(row) + 0.5) * row_step;
            let shift = if row % 2 == 1 { 0.5 } else { 0.0 };
            for column in 0..column_count as u32 {
                let v = columns[0] + (f64::from(column) + shift) * column_step;
                visitor(origin + along * u + across * v, normal);
            }
        }
        true
    }
}

impl WorldFile<'_> {
    /// Places clouds over the fog volumes.
    pub(super) fn strew_clouds(&self, strewn: &mut Strewn) {
        let mut field = None;
        settings::visit_named(&self.dependencies, &["fogvol"], |reader| {
            if field.is_none() {
                field = Some(self.field(std::slice::from_ref(&reader.value)));
            }
        });
        let Some(field) = field.filter(|field| !field.blocks.is_empty()) else {
            return;
        };
        let mut random = Random::new(SEED);
        let mut crowd = Crowd {
            name: "clutter_clouds".to_owned(),
            facts: zipper::Clutter {
                from: Some("fogvol.zrd".to_owned()),
                hidden_from_below: Some(true),
                certain: Some(false),
                ..zipper::Clutter::default()
            },
            things: Vec::new(),
        };
        let mut gated = 0_usize;
        for &index in &self.placed {
            let name = self.gamez.node(index).map(|node| node.name());
            let is_volume = name.is_some_and(|name| name.to_lowercase().starts_with("fvol"));
            let Some((_, model)) = self.gamez.model(index).filter(|_| is_volume) else {
                continue;
            };
            if !zones::is_shown(&self.gamez, index) {
                gated += 1;
                continue;
            }
            let matrix = self.to_world(index);
            let open = model.polygons.iter();
            let open = open.filter(|polygon| !polygon.flags().contains(PolygonFlags::UNK3));
            for outline in open.flat_map(|polygon| outlines(model, polygon, &matrix)) {
                outline.cells(field.distance, |point, normal| {
                    let thing = field.draw(point, normal, &outline, &mut random);
                    crowd
                        .things
                        .extend(thing.filter(|_| !strewn.is_full(&crowd)));
                });
            }
        }
        crowd.facts.volumes_of_other_zones = (gated > 0).then_some(gated);
        strewn.crowds.push(crowd);
    }

    fn field(&self, values: &[Stored<'_>]) -> Field {
        let mut field = Field {
            distance: USUAL_DISTANCE,
            blocks: Vec::new(),
        };
        for (key, values) in FOG_VOLUMES.pairs(values) {
            if key.eq_ignore_ascii_case("distance")
                && let [distance] = *settings::numbers(values, 1)
                && distance.is_finite()
                && distance > 0.0
            {
                field.distance = f64::from(distance);
            }
            if key.eq_ignore_ascii_case("clutter") {
                field.blocks.push(self.cloud_block(values));
            }
        }
        field.blocks.retain(|block| !block.nodes.is_empty());
        field
    }

    fn cloud_block(&self, values: &[Stored<'_>]) -> Block {
        let mut block = Block {
            weight: 1.0,
            scale: [1.0, 1.0],
            ..Block::default()
        };
        for (key, values) in FOG_VOLUMES.pairs(values) {
            let numbers = settings::numbers(values, 64);
            let range = match *numbers {
                [least, most, ..] => Some([f64::from(least), f64::from(most)]),
                [one] => Some([f64::from(one); 2]),
                [] => None,
            };
            let range = range.filter(|range| range.iter().all(|end| end.is_finite()));
            match (&*key.to_lowercase(), range) {
                ("weight", Some([weight, _])) => block.weight = weight,
                ("perp_dist_range", Some(range)) => block.push = range,
                ("perturb_dist_range", Some(range)) => block.displacement = range,
                ("scale_range", Some(range)) => block.scale = range,
                ("nodes", _) => {
                    let weights = numbers.iter().copied().map(f64::from);
                    let weights = weights.chain(std::iter::repeat(1.0));
                    let names = settings::texts(values).into_iter();
                    let named = names.zip(weights).filter_map(|(name, weight)| {
                        Some((self.named_plain(&plain(&name))?, weight))
                    });
                    block.nodes = named.collect();
                }
                _ => {}
            }
        }
        block
    }
}

impl Field {
    /// Chooses the card of a cell; `None` if it is displaced out of the outline. All random numbers are generated
    /// in any case.
    fn draw(
        &self,
        cell: DVec3,
        normal: DVec3,
        outline: &Outline,
        random: &mut Random,
    ) -> Option<Thing> {
        let block = random.choice(self.blocks.iter().map(|block| block.weight));
        let block = self.blocks.get(block)?;
        let node = random.choice(block.nodes.iter().map(|(_, weight)| *weight));
        let (node, _) = *block.nodes.get(node)?;
        // The band in which it fades.
        random.unit();
        // The reference of the distance is unknown; the plane is used here.
        let pushed = cell + normal * random.between(block.push);
        let reach = random.between(block.displacement);
        let shift = DVec3::from_array(std::array::from_fn(|_| (random.unit() - 0.5) * reach));
        let scale = random.between(block.scale);
        let point = pushed + shift;
        outline
            .holds(point, normal)
            .then_some(Thing { point, scale, node })
    }
}

/// The outlines of a polygon: its own, or for a strip one per triangle.
fn outlines(model: &Model, polygon: &Polygon, matrix: &DMat4) -> Vec<Outline> {
    let point = |&index: &u32| {
        let vertex = model.vertices.get(index as usize)?.to_array();
        let point = matrix.transform_point3(DVec3::from_array(vertex.map(f64::from)));
        point.is_finite().then_some(point)
    };
    let points: Option<Vec<DVec3>> = polygon.vertex_indices.iter().map(point).collect();
    let Some(points) = points else {
        return Vec::new();
    };
    if !polygon.flags().contains(PolygonFlags::TRI_STRIP) {
        return vec![Outline { points }];
    }
    let triangles = mesh::triangles(model, polygon).into_iter();
    let corners = triangles.map(|triangle| Outline {
        points: triangle
            .iter()
            .filter_map(|&corner| points.get(corner).copied())
            .collect(),
    });
    corners.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(edge: f64) -> Outline {
        Outline {
            points: vec![
                DVec3::ZERO,
                DVec3::new(0.0, 0.0, edge),
                DVec3::new(edge, 0.0, edge),
                DVec3::new(edge, 0.0, 0.0),
            ],
        }
    }

    #[test]
    fn rows_start_half_a_step_in_and_odd_ones_half_a_column_in() {
        let mut cells = Vec::new();
        let outline = square(100.0);
        let [along, across, normal] = outline.basis().unwrap();
        assert_eq!((along, across, normal), (DVec3::Z, DVec3::NEG_X, DVec3::Y));
        // By hand: steps of 43.3 m fit trunc(2.309 + 0.5) = 2 times, those of 50 m twice.
        assert!(outline.cells(50.0, |point, _| cells.push(point)));
        let expected = [(100.0, 25.0), (50.0, 25.0), (75.0, 75.0), (25.0, 75.0)];
        assert_eq!(cells.len(), expected.len());
        for (cell, (x, z)) in cells.iter().zip(expected) {
            assert!(cell.abs_diff_eq(DVec3::new(x, 0.0, z), 1e-9), "{cells:?}");
        }
        // Narrower than a step: one.
        cells.clear();
        assert!(outline.cells(500.0, |point, _| cells.push(point)));
        assert_eq!(cells.len(), 1);
        assert!(!outline.cells(1e-3, |_, _| {}));
    }

    #[test]
    fn a_point_is_inside_over_and_under_the_outline_too() {
        let outline = square(10.0);
        for (point, is_inside) in [
            ([5.0, 9.0, 5.0], true),
            ([5.0, -9.0, 0.0], true),
            ([-0.1, 0.0, 5.0], false),
            ([5.0, 0.0, 10.1], false),
        ] {
            let point = DVec3::from_array(point);
            assert_eq!(outline.holds(point, DVec3::Y), is_inside, "{point}");
        }
    }
}
