//! Check that packed meshes show the triangles of an edit, in any order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    first: usize,
}

/// The triangles of a mesh by surface.
type Triangles<'m> = BTreeMap<Surface, Vec<Shown<'m>>>;

fn triangles<'m>(mesh: &'m SceneMesh, surfaces: &[Surface]) -> Triangles<'m> {
    let mut all = Triangles::new();
    for (part, surface) in mesh.primitives.iter().zip(surfaces) {
        let firsts = (0..part.positions.len() / 3).map(|number| number * 3);
        let triangles = firsts.map(|first| Shown { part, first });
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

    /// Pairs all triangles, equal ones first. Returns the largest difference of positions; `None`: some have no pair.
    fn pair(&self, wanted: &[Shown<'_>], found: &[Shown<'_>]) -> Option<f32> {
        if wanted.len() != found.len() {
            return None;
        }
        let mut equal: HashMap<[[u32; 3]; 3], Vec<usize>> = HashMap::new();
        for (at, triangle) in found.iter().enumerate().rev() {
            equal.entry(triangle.key()).or_default().push(at);
        }
        let mut open: BTreeSet<usize> = (0..found.len()).collect();
        let mut rest = Vec::new();
        for &triangle in wanted {
            let all = equal.get_mut(&triangle.key());
            let twin = all.and_then(|all| {
                let is_one = |at: &usize| self.compare(triangle, found[*at]).is_some();
                Some(all.remove(all.iter().rposition(is_one)?))
            });
            match twin {
                Some(at) => {
                    open.remove(&at);
                }
                None => rest.push(triangle),
            }
        }
        let reach = rest
            .iter()
            .flat_map(|it| [0, 1, 2].map(|step| it.corner(step)));
        let size = 2.0 * reach.map(|corner| self.at(corner)).fold(1e-6, f64::max);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for at in open {
            cells.entry(found[at].cell(size)).or_default().push(at);
        }
        let mut farthest = 0.0_f32;
        for triangle in rest {
            let [x, y, z] = triangle.cell(size);
            let around =
                (0..27_i64).map(|cell| [x + cell % 3 - 1, y + cell / 3 % 3 - 1, z + cell / 9 - 1]);
            let mut best: Option<(f32, [i64; 3], usize)> = None;
            for cell in around {
                for (place, &at) in cells.get(&cell).into_iter().flatten().enumerate() {
                    if let Some(far) = self.compare(triangle, found[at])
                        && best.is_none_or(|(known, ..)| far < known)
                    {
                        best = Some((far, cell, place));
                    }
                }
            }
            let (far, cell, place) = best?;
            cells.get_mut(&cell)?.remove(place);
            farthest = farthest.max(far);
        }
        Some(farthest)
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
        let (found, wanted) = (
            triangles(mesh, &of_found),
            triangles(&recut.mesh, &of_wanted),
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
