//! Colors that nodes mix those of their materials with.

use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::NodeData;
use relicast_scene::space::{linear_from_srgb, srgb_from_linear};

/// The node that gives a node its tint, itself or one above it, and the tint.
pub(super) fn tint_at(tree: &GameTree, index: usize) -> Option<(usize, NodeTint)> {
    let mut at = index;
    for _ in 0..tree.count() {
        if let NodeData::Object3d(object) = &tree.node(at)?.data
            && let Some(color) = object.color()
        {
            let weight = object.tint_weight.0;
            let is_valid = weight > 0.0 && color.iter().all(|part| part.is_finite());
            let weight = weight.min(1.0);
            return is_valid.then_some((at, NodeTint { color, weight }));
        }
        at = tree.parent(at)?;
    }
    None
}

/// A color that a node is mixed with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NodeTint {
    /// sRGB, 0 to 1.
    color: [f32; 3],
    /// Its share, above 0, to 1.
    weight: f32,
}

impl NodeTint {
    /// The linear color of a material that is shown as nearly as possible as another one.
    pub(super) fn nearest_own(&self, wanted: [f32; 3]) -> [f32; 3] {
        let left = (1.0 - self.weight).max(f32::EPSILON);
        [0, 1, 2].map(|at| {
            let own = (srgb_from_linear(wanted[at]) - self.color[at] * self.weight) / left;
            linear_from_srgb(own.clamp(0.0, 1.0) * 255.0)
        })
    }

    /// The linear color of a material that is shown as another one.
    pub(super) fn own(&self, wanted: [f32; 3]) -> Option<[f32; 3]> {
        let own = Tinted::solved(wanted, self.color, self.weight, 1.0 - self.weight)?;
        Some(own.map(|part| linear_from_srgb(part * 255.0)))
    }
}

/// The tint of the objects of an edited scene whose meshes have a material, if all have the same.
pub(super) fn tint_of_users(
    tree: &GameTree,
    edited: &SceneFile,
    material: usize,
) -> Option<NodeTint> {
    let has_it = |mesh: usize| {
        let parts = edited.meshes.get(mesh).map(|mesh| &mesh.primitives);
        let mut parts = parts.into_iter().flatten();
        parts.any(|part| part.material == Some(material))
    };
    let nodes = edited.nodes.iter().enumerate();
    let users = nodes.filter(|(_, node)| node.mesh.is_some_and(has_it));
    let mut tints = users.map(|(node, _)| {
        let (index, _) = game_node(edited, node)?;
        Some(tint_at(tree, index)?.1)
    });
    let first = tints.next()??;
    tints.all(|tint| tint == Some(first)).then_some(first)
}

/// A color without picture, and the tint that unlit objects mix it with.
pub(super) struct Tinted {
    /// sRGB, 0 to 1.
    own: [f32; 3],
    tint: NodeTint,
}

impl Tinted {
    /// `None` if a scene does not show a material below a node so; `shown` is its linear color there.
    pub(super) fn of(
        before: &GameTree,
        node: usize,
        material: usize,
        shown: [f32; 3],
    ) -> Option<Self> {
        let (_, tint) = tint_at(before, node)?;
        let record = before.material(material)?;
        let own = record.color.to_array().map(|part| part / 255.0);
        let tinted = Self { own, tint };
        let mut parts = (0..3).map(|at| {
            let mixed = own[at] + (tint.color[at] - own[at]) * tint.weight;
            (mixed - srgb_from_linear(shown[at])).abs() < 2e-3
        });
        (!record.is_textured() && parts.all(|is_it| is_it)).then_some(tinted)
    }

    /// The color of the tint with which a linear color is shown.
    pub(super) fn tint(&self, wanted: [f32; 3]) -> Option<[f32; 3]> {
        let share = self.tint.weight;
        Self::solved(wanted, self.own, 1.0 - share, share)
    }

    /// The linear color of the material with which another one is shown.
    pub(super) fn own(&self, wanted: [f32; 3]) -> Option<[f32; 3]> {
        self.tint.own(wanted)
    }

    /// The color that gives a wanted one with a part of another one.
    fn solved(wanted: [f32; 3], other: [f32; 3], part: f32, left: f32) -> Option<[f32; 3]> {
        let solved = [0, 1, 2].map(|at| {
            let found = (srgb_from_linear(wanted[at]) - other[at] * part) / left;
            (-1e-3..=1.001)
                .contains(&found)
                .then(|| found.clamp(0.0, 1.0))
        });
        let [red, green, blue] = solved;
        Some([red?, green?, blue?])
    }
}
