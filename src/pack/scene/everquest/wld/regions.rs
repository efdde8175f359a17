//! Regions of a zone follow their meshes: spheres grow, and more regions see them. Nothing shrinks, and the partition
//! stays.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::members::Members;
use super::partition::{Partition, Reached};
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::edits::Place;
use relicast_codec::F32;
use relicast_codec::quantity::counted;
use relicast_formats::everquest::wld::{Body, FragmentRef, Region, RegionFlags, Wld};

/// Triangles of a mesh that are new or have moved vertices, in file axes.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The path of a scene that changes the mesh.
    pub path: String,
    pub triangles: Vec<[DVec3; 3]>,
}

/// Growth of the regions of a scene.
#[derive(Debug, Default)]
pub(super) struct Growth {
    /// Names of regions with larger spheres.
    enlarged: Vec<String>,
    /// Names of all changed regions.
    names: BTreeSet<String>,
    /// Largest number of regions that see a region now and did not before.
    viewers: usize,
    /// True if a mesh has parts in other leaves of the partition than that of its region.
    is_outside: bool,
}

impl Growth {
    /// Describes it for people.
    pub(super) fn describe(&self) -> Option<String> {
        let (one, some) = match self.names.first().filter(|_| self.names.len() == 1) {
            Some(name) => (format!("the region {name}"), ["was", "is", ""]),
            None => {
                let all = counted(self.names.len(), "region", "regions");
                (all, ["were", "are", "up to "])
            }
        };
        let [was, is, up_to] = some;
        let mut parts = Vec::new();
        if !self.enlarged.is_empty() {
            parts.push(format!("{was} enlarged"));
        }
        if self.viewers > 0 {
            let more = counted(self.viewers, "more region", "more regions");
            parts.push(format!("{is} visible from {up_to}{more}"));
        }
        let mut text = match parts.is_empty() {
            true => String::new(),
            false => format!("{one} {}", parts.join(" and ")),
        };
        if self.is_outside {
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(
                "the partition (BSP) of the zone is unchanged, so the game may not stop players at ground outside the former volume of its region",
            );
        }
        (!text.is_empty()).then_some(text)
    }
}

/// A region whose mesh changed.
#[derive(Debug)]
struct Changed<'t> {
    /// Its number, counted from 0.
    number: u32,
    name: String,
    path: &'t str,
    is_enlarged: bool,
    reached: Reached,
    viewers: usize,
}

/// Returns the numbers of the region fragments of a file.
pub(super) fn region_fragments(wld: &Wld<'_>) -> Vec<usize> {
    let fragments = wld.fragments.iter().enumerate();
    fragments
        .filter(|(_, fragment)| matches!(fragment.body, Body::Region(_)))
        .map(|(index, _)| index)
        .collect()
}

/// Returns true if a mesh is the ground of a region.
pub(super) fn is_ground(wld: &Wld<'_>, mesh: usize) -> bool {
    let mut bodies = wld.fragments.iter().map(|fragment| &fragment.body);
    bodies.any(|body| matches!(body, Body::Region(region) if mesh_of(region) == Some(mesh)))
}

/// The mesh of a region.
pub(super) fn mesh_of(region: &Region<'_>) -> Option<usize> {
    region.mesh.and_then(FragmentRef::index)
}

/// Removes a mesh from its regions.
pub(super) fn empty(wld: &mut Wld<'_>, mesh: usize) {
    for fragment in &mut wld.fragments {
        if let Body::Region(region) = &mut fragment.body
            && mesh_of(region) == Some(mesh)
        {
            region.mesh = None;
            region
                .flags
                .remove(RegionFlags::MESH | RegionFlags::LEGACY_MESH);
        }
    }
}

/// Lets the regions follow their meshes. Returns the growth by the path of the scene.
///
/// # Errors
/// By scene, edits that the format cannot hold.
pub(super) fn follow(
    members: &mut Members<'_>,
    original: &Members<'_>,
    touched: &BTreeMap<Place, Touched>,
) -> Result<BTreeMap<String, Growth>, Refusals> {
    let mut growths: BTreeMap<String, Growth> = BTreeMap::new();
    let mut refusals = Refusals::new();
    let files: BTreeSet<usize> = touched.keys().map(|place| place.member).collect();
    for member in files {
        let (Some(before), Some(file)) = (original.files.get(member), members.files.get(member))
        else {
            continue;
        };
        let of = |mesh: usize| {
            let index = mesh;
            touched.get(&Place { member, index })
        };
        let fragments = region_fragments(&file.body);
        let mut changed = changed(&before.body, &file.body, &fragments, of);
        if changed.is_empty() {
            continue;
        }
        let first = changed.first().map_or("", |region| region.path).to_owned();
        let Some(file) = members.edit(member) else {
            continue;
        };
        for region in changed.iter().filter(|region| region.is_enlarged) {
            enlarge(&mut file.body, &fragments, region.number);
        }
        if let Err(refusal) = show(&mut file.body, &fragments, &mut changed) {
            refusals.push((first, refusal));
        }
        for region in changed {
            let growth = growths.entry(region.path.to_owned()).or_default();
            growth.is_outside |= region.reached.is_any();
            growth.viewers = growth.viewers.max(region.viewers);
            if region.is_enlarged {
                growth.enlarged.push(region.name.clone());
            }
            if region.is_enlarged || region.viewers > 0 {
                growth.names.insert(region.name);
            }
        }
    }
    unless_refused(growths, refusals)
}

/// The regions whose meshes changed.
fn changed<'t>(
    before: &Wld<'_>,
    now: &Wld<'_>,
    fragments: &[usize],
    touched: impl Fn(usize) -> Option<&'t Touched>,
) -> Vec<Changed<'t>> {
    let partition = Partition::new(now);
    let mut all = Vec::new();
    for (number, &index) in (0_u32..).zip(fragments) {
        let fragment = now.fragments.get(index);
        let Some((name, Body::Region(region))) =
            fragment.map(|fragment| (fragment.name(), &fragment.body))
        else {
            continue;
        };
        let Some(mesh) = mesh_of(region) else {
            continue;
        };
        let Some(touched) = touched(mesh) else {
            continue;
        };
        let mut reached = Reached::default();
        if let Some(partition) = &partition {
            for triangle in &touched.triangles {
                partition.reach(*triangle, &mut reached);
            }
            reached.leaves.remove(&number);
            if reached.is_any() {
                let mut known = Reached::default();
                for triangle in triangles(before, mesh) {
                    partition.reach(triangle, &mut known);
                }
                reached.without(&known);
            }
        }
        let is_enlarged = region.sphere.is_some_and(|sphere| {
            let corners = touched.triangles.iter().flatten();
            let least = farthest(before, mesh, sphere).max(f64::from(sphere[3].get()));
            let most = corners.map(|corner| distance(*corner, sphere));
            most.fold(0.0, f64::max) > least * 1.0001
        });
        all.push(Changed {
            number,
            name: name.to_owned(),
            path: &touched.path,
            is_enlarged,
            reached,
            viewers: 0,
        });
    }
    all
}

fn distance(point: DVec3, [x, y, z, _]: [F32; 4]) -> f64 {
    let center = [x, y, z].map(|part| f64::from(part.get()));
    (point - DVec3::from_array(center)).length()
}

/// Distance of the farthest vertex of a mesh from the center of a sphere.
fn farthest(wld: &Wld<'_>, mesh: usize, sphere: [F32; 4]) -> f64 {
    let far = |at: [f32; 3]| distance(DVec3::from_array(at.map(f64::from)), sphere);
    match wld.fragments.get(mesh).map(|fragment| &fragment.body) {
        Some(Body::Mesh(mesh)) => mesh.all_positions().map(far).fold(0.0, f64::max),
        Some(Body::LegacyMesh(mesh)) => {
            let positions = (0..mesh.positions.len()).filter_map(|vertex| mesh.position(vertex));
            positions.map(far).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// The triangles of a mesh in file axes.
fn triangles(wld: &Wld<'_>, mesh: usize) -> Vec<[DVec3; 3]> {
    let place =
        |position: Option<[f32; 3]>| DVec3::from_array(position.unwrap_or_default().map(f64::from));
    match wld.fragments.get(mesh).map(|fragment| &fragment.body) {
        Some(Body::Mesh(mesh)) => {
            let faces = mesh.faces.iter();
            let corner = |vertex: u16| place(mesh.position(usize::from(vertex)));
            faces.map(|face| face.vertices.map(corner)).collect()
        }
        Some(Body::LegacyMesh(mesh)) => {
            let faces = mesh.faces.iter();
            let corner = |vertex: u16| place(mesh.position(usize::from(vertex)));
            faces.map(|face| face.vertices.map(corner)).collect()
        }
        _ => Vec::new(),
    }
}

/// Extends the sphere of a region to its whole mesh.
fn enlarge(wld: &mut Wld<'_>, fragments: &[usize], number: u32) {
    let Some(&index) = fragments.get(number as usize) else {
        return;
    };
    let own = match wld.fragments.get(index).map(|fragment| &fragment.body) {
        Some(Body::Region(region)) => mesh_of(region).zip(region.sphere),
        _ => None,
    };
    let Some((mesh, sphere)) = own else { return };
    // The next number up, so that rounding to single precision does not make it too small.
    let radius = (farthest(wld, mesh, sphere) as f32).next_up();
    if let Some(Body::Region(region)) = wld.fragments.get_mut(index).map(|it| &mut it.body)
        && let Some([.., stored]) = &mut region.sphere
    {
        *stored = F32(stored.get().max(radius));
    }
}

/// Adds changed regions to the lists of the regions that may see them now: those that see a leaf into which their meshes
/// extend. Larger regions with parts in solid space, which no list names, are seen by all.
fn show(
    wld: &mut Wld<'_>,
    fragments: &[usize],
    changed: &mut [Changed<'_>],
) -> Result<(), Refusal> {
    let has_partition = Partition::new(wld).is_some();
    let count = u32::try_from(fragments.len()).unwrap_or(u32::MAX);
    for (viewer, &index) in (0_u32..).zip(fragments) {
        let fragment = wld.fragments.get_mut(index);
        let Some(Body::Region(region)) = fragment.map(|fragment| &mut fragment.body) else {
            continue;
        };
        let mut is_new = vec![false; changed.len()];
        for list in &mut region.visible {
            let mut seen = list.regions(count).value;
            seen.sort_unstable();
            let sees = |region: u32| region == viewer || seen.binary_search(&region).is_ok();
            let mut more = Vec::new();
            for (at, region) in changed.iter().enumerate() {
                let is_everywhere =
                    region.is_enlarged && (region.reached.is_solid || !has_partition);
                let mut leaves = region.reached.leaves.iter();
                if region.number != viewer
                    && !sees(region.number)
                    && (is_everywhere || leaves.any(|leaf| sees(*leaf)))
                {
                    more.push(region.number);
                    is_new[at] = true;
                }
            }
            if !more.is_empty() {
                seen.extend(more);
                seen.sort_unstable();
                list.set_regions(&seen).map_err(Refusal::new)?;
            }
        }
        for (region, is_new) in changed.iter_mut().zip(is_new) {
            region.viewers += usize::from(is_new);
        }
    }
    Ok(())
}
