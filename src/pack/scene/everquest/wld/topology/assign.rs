//! Assigns new triangles to meshes: those of the ground to regions.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DVec3;

use super::parts::Parts;
use super::rebuild::{Corner, NewFace};
use super::surface::Surface;
use super::trace::Trace;
use crate::pack::scene::compare::pairing::{Triangle, points};
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::wld::members::Members;
use crate::pack::scene::everquest::wld::partition::Partition;
use crate::pack::scene::everquest::wld::regions::{mesh_of, region_fragments};
use crate::pack::scene::file::SceneMesh;
use relicast_formats::everquest::wld::{Body, Wld};

/// Distance from a face to a point that is in front of it, so that the partition does not take it for solid space.
const IN_FRONT: f64 = 0.25;

/// Votes of a removed triangle and of one that stays, for the mesh at a position.
const VOTES: [u32; 2] = [4, 3];

/// A position, as bits.
type Key = [u32; 3];

/// Largest distance of a part of a removed triangle from it.
const PART_SLACK: f64 = 0.05;

/// Meshes that new triangles can go to.
#[derive(Debug)]
pub(super) struct Assignment<'t> {
    trace: &'t Trace,
    /// Meshes whose triangles can change, with center and radius in file axes.
    usable: BTreeMap<Place, (DVec3, f64)>,
    /// The removed triangles.
    parts: Parts<Place>,
    /// Votes at the positions of old triangles.
    votes: HashMap<Key, Vec<(Place, u32)>>,
    zones: Vec<ZoneFile<'t>>,
}

/// A scene file with a partition.
#[derive(Debug)]
struct ZoneFile<'t> {
    partition: Partition<'t>,
    /// The mesh of each region.
    meshes: Vec<Option<Place>>,
}

impl<'t> Assignment<'t> {
    /// Prepares the assignment for a mesh of a scene, of which some triangles are removed.
    pub(super) fn new(
        trace: &'t Trace,
        base: &SceneMesh,
        removed: &[Triangle],
        members: &'t Members<'_>,
    ) -> Self {
        let mut usable = BTreeMap::new();
        for &place in trace.meshes.keys() {
            if let (None, Some(Body::Mesh(mesh))) =
                (trace.fixed(place, members), members.body(place))
            {
                let center = DVec3::from_array(mesh.center.to_array().map(f64::from));
                usable.insert(place, (center, f64::from(mesh.radius.get())));
            }
        }
        let parts = removed.iter().filter_map(|triangle| {
            let (place, _) = trace.face(*triangle).ok()?;
            let part = base.primitives.get(triangle.primitive)?;
            let corners = points(part, triangle.first)?;
            let corners = corners.map(|at| DVec3::from_array(to_file(at.to_array())));
            Some((corners, place))
        });
        let parts = Parts::new(parts.collect(), PART_SLACK);
        let removed: HashSet<Triangle> = removed.iter().copied().collect();
        let mut votes: HashMap<Key, Vec<(Place, u32)>> = HashMap::new();
        for (primitive, part) in base.primitives.iter().enumerate() {
            for (corner, position) in part.positions.iter().enumerate() {
                let first = corner - corner % 3;
                let triangle = Triangle { primitive, first };
                let Ok((place, _)) = trace.face(triangle) else {
                    continue;
                };
                let [of_removed, of_kept] = VOTES;
                let vote = match removed.contains(&triangle) {
                    true => of_removed,
                    false => of_kept,
                };
                let all = votes.entry(key(*position)).or_default();
                match all.iter_mut().find(|(own, _)| *own == place) {
                    Some((_, known)) => *known = vote.max(*known),
                    None => all.push((place, vote)),
                }
            }
        }
        let mut files: Vec<usize> = usable.keys().map(|place| place.member).collect();
        files.dedup();
        let zones = files.into_iter().filter_map(|member| {
            let wld = &members.files.get(member)?.body;
            Some(ZoneFile {
                partition: Partition::new(wld)?,
                meshes: meshes(wld, member),
            })
        });
        Self {
            trace,
            usable,
            parts,
            votes,
            zones: zones.collect(),
        }
    }

    /// The mesh that a new triangle goes to, and the index of its material there. `twin` is the mesh of the triangle
    /// that it was, if it is known.
    pub(super) fn place(
        &self,
        face: &NewFace,
        surface: Surface,
        twin: Option<Place>,
    ) -> Option<(Place, u16)> {
        let slot = |place: Place| {
            let slot = self.trace.slot(place, surface.material)?;
            self.usable.contains_key(&place).then_some((place, slot))
        };
        if let Some(twin) = twin {
            // A mesh that cannot change is refused by name.
            return Some((twin, self.trace.slot(twin, surface.material)?));
        }
        let corners = face.corners.each_ref().map(Corner::point);
        if let Some(found) = self.parts.of(corners).and_then(slot) {
            return Some(found);
        }
        let mut sums: BTreeMap<Place, u32> = BTreeMap::new();
        for corner in &face.corners {
            let votes = self.votes.get(&key(corner.shown));
            for (place, vote) in votes.into_iter().flatten() {
                *sums.entry(*place).or_default() += vote;
            }
        }
        sums.retain(|place, _| slot(*place).is_some());
        let most = sums.values().copied().max();
        let mut best = sums.iter().filter(|(_, sum)| Some(**sum) == most);
        let first = best.next().map(|(place, _)| *place);
        if first.is_some() && best.next().is_none() {
            return slot(first?);
        }
        let leaf = self.leaf(face).and_then(slot);
        match first {
            None => leaf.or_else(|| self.nearest(center(face), &slot)),
            Some(first) => {
                let is_best = |(place, _): &(Place, u16)| sums.get(place).copied() == most;
                leaf.filter(is_best).or_else(|| slot(first))
            }
        }
    }

    /// The mesh of the region in front of a triangle.
    fn leaf(&self, face: &NewFace) -> Option<Place> {
        let point = center(face) + DVec3::from_array(face.outwards()) * IN_FRONT;
        let mut regions = self.zones.iter().filter_map(|zone| {
            let region = zone.partition.region_at(point)?;
            *zone.meshes.get(region as usize)?
        });
        regions.next()
    }

    fn nearest(
        &self,
        point: DVec3,
        slot: &dyn Fn(Place) -> Option<(Place, u16)>,
    ) -> Option<(Place, u16)> {
        let usable = self.usable.iter();
        let distances = usable.filter_map(|(place, (center, radius))| {
            Some(((point - *center).length() - radius, slot(*place)?))
        });
        let nearest = distances.min_by(|(one, _), (other, _)| one.total_cmp(other));
        nearest.map(|(_, found)| found)
    }
}

fn key(position: [f32; 3]) -> Key {
    position.map(|part| (part + 0.0).to_bits())
}

fn center(face: &NewFace) -> DVec3 {
    let [a, b, c] = face.corners.each_ref().map(Corner::point);
    (a + b + c) / 3.0
}

/// The meshes of the regions of a file.
fn meshes(wld: &Wld<'_>, member: usize) -> Vec<Option<Place>> {
    let fragments = region_fragments(wld).into_iter();
    let mesh = |index: usize| match &wld.fragments.get(index)?.body {
        Body::Region(region) => mesh_of(region).map(|index| Place { member, index }),
        _ => None,
    };
    fragments.map(mesh).collect()
}
