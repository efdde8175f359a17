//! Check that packed meshes show the triangles of an edit, in any order.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::joints::{Joint, Joints, joints};
use super::summary::Summary;
use super::surface::{Surface, surfaces};
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::packed::Packed;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// Largest difference of parts of normals.
const NORMAL: f32 = 0.03;

/// Largest difference of texture coordinates.
const UV: f32 = 0.5 / 256.0 + 1e-5;

/// Largest difference of linear colors.
const COLOR: f32 = 0.005;

/// A triangle of a primitive.
#[derive(Debug, Clone, Copy)]
struct Shown<'m> {
    part: &'m ScenePrimitive,
    /// The bones of its corners.
    joints: &'m [Option<Joint>],
    first: usize,
}

/// The triangles of a mesh by surface.
type Triangles<'m> = BTreeMap<Surface, Vec<Shown<'m>>>;

fn triangles<'m>(mesh: &'m SceneMesh, surfaces: &[Surface], joints: &'m Joints) -> Triangles<'m> {
    let mut all = Triangles::new();
    let parts = mesh.primitives.iter().zip(surfaces).enumerate();
    for (number, (part, surface)) in parts {
        let joints = joints.get(number).map_or(&[][..], Vec::as_slice);
        let firsts = (0..part.positions.len() / 3).map(|number| number * 3);
        let triangles = firsts.map(|first| Shown {
            part,
            joints,
            first,
        });
        all.entry(*surface).or_default().extend(triangles);
    }
    all.retain(|_, triangles| !triangles.is_empty());
    all
}

impl Shown<'_> {
    fn corner(&self, step: usize) -> [f32; 3] {
        let at = self.first + step;
        self.part.positions.get(at).copied().unwrap_or_default()
    }

    /// Positions as bits, the smallest first.
    fn key(&self) -> [[u32; 3]; 3] {
        let mut key = [0, 1, 2].map(|step| self.corner(step).map(|part| (part + 0.0).to_bits()));
        let least = (0..3).min_by_key(|&step| key[step]);
        key.rotate_left(least.unwrap_or_default());
        key
    }

    fn cell(&self, size: f64) -> [i64; 3] {
        let corners = [0, 1, 2].map(|step| self.corner(step).map(f64::from));
        [0, 1, 2].map(|axis| {
            let sum: f64 = corners.iter().map(|corner| corner[axis]).sum();
            (sum / 3.0 / size).floor() as i64
        })
    }
}

/// Largest differences that count as equal.
#[derive(Debug, Clone, Copy)]
struct Slack {
    position: f64,
    /// True if normals follow from faces.
    has_free_normals: bool,
    has_uv: bool,
}

fn off<const N: usize>(one: &[f32; N], other: &[f32; N]) -> f32 {
    let parts = one.iter().zip(other);
    parts.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

impl Slack {
    /// Largest allowed difference of a position.
    fn at(&self, position: [f32; 3]) -> f64 {
        let reach = f64::from(off(&position, &[0.0; 3]));
        self.position * 1.001 + 2e-6 * reach.max(1.0)
    }

    /// The largest difference of positions, if the triangles are equal in some turn.
    fn compare(&self, wanted: Shown<'_>, found: Shown<'_>) -> Option<f32> {
        let turns = (0..3).filter_map(|turn| self.turned(wanted, found, turn));
        turns.min_by(f32::total_cmp)
    }

    fn turned(&self, wanted: Shown<'_>, found: Shown<'_>, turn: usize) -> Option<f32> {
        let mut most = 0.0_f32;
        for step in 0..3 {
            let other = (step + turn) % 3;
            let (one, two) = (wanted.corner(step), found.corner(other));
            let far = off(&one, &two);
            if f64::from(far) > self.at(one) {
                return None;
            }
            most = most.max(far);
            let (at, to) = (wanted.first + step, found.first + other);
            let bone = |shown: Shown<'_>, at: usize| Some(shown.joints.get(at).copied()??.bone);
            if bone(wanted, at).is_some_and(|wanted| bone(found, to) != Some(wanted)) {
                return None;
            }
            let normals = (wanted.part.normals.get(at), found.part.normals.get(to));
            if let (Some(one), Some(two), false) = (normals.0, normals.1, self.has_free_normals)
                && off(one, two) > NORMAL
            {
                return None;
            }
            let uv = |part: &ScenePrimitive, at: usize| part.uvs.first()?.get(at).copied();
            if let (Some(one), Some(two), true) =
                (uv(wanted.part, at), uv(found.part, to), self.has_uv)
                && off(&one, &two) > UV
            {
                return None;
            }
            // White stands for no color of its own.
            let wanted = wanted.part.colors.get(at).filter(|it| **it != [1.0; 3]);
            if let (Some(one), Some(two)) = (wanted, found.part.colors.get(to))
                && off(one, two) > COLOR
            {
                return None;
            }
        }
        Some(most)
    }
}

/// Triangles that are being paired: each wanted one with a found one.
struct Pairing<'p, 'm> {
    slack: Slack,
    wanted: &'p [Shown<'m>],
    found: &'p [Shown<'m>],
    /// Found triangles by the cells of their centers.
    cells: HashMap<[i64; 3], Vec<usize>>,
    size: f64,
    /// For each found triangle its pair.
    pairs: Vec<Option<usize>>,
}

impl Slack {
    /// Pairs all triangles, equal ones first. Returns the largest difference of positions; `None`: some have no pair.
    fn pair(self, wanted: &[Shown<'_>], found: &[Shown<'_>]) -> Option<f32> {
        if wanted.len() != found.len() {
            return None;
        }
        let mut equal: HashMap<[[u32; 3]; 3], Vec<usize>> = HashMap::new();
        for (at, triangle) in found.iter().enumerate().rev() {
            equal.entry(triangle.key()).or_default().push(at);
        }
        let mut pairs = vec![None; found.len()];
        let mut rest = Vec::new();
        for (number, &triangle) in wanted.iter().enumerate() {
            let all = equal.get_mut(&triangle.key());
            let twin = all.and_then(|all| {
                let is_one = |at: &usize| self.compare(triangle, found[*at]).is_some();
                Some(all.remove(all.iter().rposition(is_one)?))
            });
            match twin {
                Some(at) => pairs[at] = Some(number),
                None => rest.push(number),
            }
        }
        if rest.is_empty() {
            return Some(0.0);
        }
        let corners = wanted
            .iter()
            .flat_map(|it| [0, 1, 2].map(|step| it.corner(step)));
        let size = 2.0 * corners.map(|corner| self.at(corner)).fold(1e-6, f64::max);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (at, triangle) in found.iter().enumerate() {
            cells.entry(triangle.cell(size)).or_default().push(at);
        }
        let mut pairing = Pairing {
            slack: self,
            wanted,
            found,
            cells,
            size,
            pairs,
        };
        let mut seen = HashSet::new();
        for number in rest {
            seen.clear();
            if !pairing.find(number, &mut seen, MAX_DEPTH) {
                return None;
            }
        }
        pairing.farthest()
    }
}

/// Most found triangles that are tried for a wanted one, and most pairs that are changed for one.
const MAX_TRIED: usize = 64;
const MAX_DEPTH: usize = 64;

impl Pairing<'_, '_> {
    /// The found triangles that a wanted one may be paired with, the nearest first.
    fn candidates(&self, wanted: usize) -> Vec<usize> {
        let triangle = self.wanted[wanted];
        let [x, y, z] = triangle.cell(self.size);
        let around =
            (0..27_i64).map(|cell| [x + cell % 3 - 1, y + cell / 3 % 3 - 1, z + cell / 9 - 1]);
        let near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        let near = near.filter_map(|&at| Some((self.slack.compare(triangle, self.found[at])?, at)));
        let mut near: Vec<(f32, usize)> = near.collect();
        near.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        near.truncate(MAX_TRIED);
        near.into_iter().map(|(_, at)| at).collect()
    }

    /// Finds a pair for a wanted triangle; others may get another one. Returns false if there is none.
    fn find(&mut self, wanted: usize, seen: &mut HashSet<usize>, depth: usize) -> bool {
        let candidates = self.candidates(wanted);
        let free = candidates.iter().find(|&&at| self.pairs[at].is_none());
        if let Some(&free) = free {
            self.pairs[free] = Some(wanted);
            return true;
        }
        for at in candidates {
            let other = self.pairs[at].filter(|_| depth > 0 && seen.insert(at));
            if other.is_some_and(|other| self.find(other, seen, depth - 1)) {
                self.pairs[at] = Some(wanted);
                return true;
            }
        }
        false
    }

    /// The largest difference of positions.
    fn farthest(&self) -> Option<f32> {
        let pairs = self.pairs.iter().zip(self.found);
        let far = pairs.map(|(wanted, found)| self.slack.compare(self.wanted[(*wanted)?], *found));
        far.collect::<Option<Vec<f32>>>()
            .map(|far| far.into_iter().fold(0.0, f32::max))
    }
}

/// Checks that packed meshes show the triangles of the edit; `summary` returns the results for an original mesh. Returns the largest error of a corner.
///
/// # Errors
/// One does not.
pub(in crate::pack::scene::everquest::wld) fn check<'r>(
    scene: &Scene<'_>,
    recuts: impl Iterator<Item = &'r Recut>,
    packed: &Packed<'_>,
    summary: &dyn Fn(usize) -> Summary,
) -> Result<f32, Refusal> {
    let mut farthest = 0.0_f32;
    for recut in recuts {
        let other = || {
            refusal!(
                "mesh {}: it has other triangles in the packed file",
                recut.mesh.name
            )
        };
        let edited = scene.matches.get(recut.node).copied().flatten();
        let node = edited.and_then(|edited| packed.node(edited));
        let node = node.and_then(|node| packed.scene.nodes.get(node));
        let number = node.and_then(|node| node.mesh).ok_or_else(other)?;
        let mesh = packed.scene.meshes.get(number).ok_or_else(other)?;
        let of_found = surfaces(scene, packed.scene, mesh)?;
        let of_wanted = surfaces(scene, &scene.edited, &recut.mesh)?;
        let bones = [
            joints(packed.document, number, mesh)?,
            joints(&scene.edited_document, recut.edited, &recut.mesh)?,
        ];
        let (found, wanted) = (
            triangles(mesh, &of_found, &bones[0]),
            triangles(&recut.mesh, &of_wanted, &bones[1]),
        );
        if wanted.keys().ne(found.keys()) {
            return Err(other());
        }
        let summary = summary(recut.base);
        let base = scene.base.meshes.get(recut.base);
        let slack = Slack {
            position: summary.slack,
            has_free_normals: summary.has_free_normals,
            has_uv: base
                .is_some_and(|mesh| mesh.primitives.iter().any(|part| !part.uvs.is_empty())),
        };
        for (wanted, found) in wanted.values().zip(found.values()) {
            let far = slack.pair(wanted, found).ok_or_else(other)?;
            farthest = farthest.max(far);
        }
    }
    Ok(farthest)
}
