//! Boxes of nodes, spheres of models and the cells of a world after an edit.
//!
//! Values that match the known rule are computed anew by it. Other stored values only grow until they hold what they
//! must, so that nothing in sight is culled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use glam::DVec3;

use crate::pack::edited::Refusal;
use crate::pack::scene::zipper::tree::{Extent, GameTree};
use relicast_codec::{Box3, F32, Vec2, Vec3};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    Affine, AreaPartition, GameZ, ModelRecord, Node, NodeBounds, NodeData, NodeFlags, Partition,
    PartitionEntry, World, quick_root,
};

/// Edited nodes and models.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Touched {
    /// Moved nodes.
    pub moved: BTreeSet<usize>,
    /// Models with other vertices.
    pub models: BTreeSet<usize>,
    /// Nodes with other children.
    pub parents: BTreeSet<usize>,
}

/// Updates the bounds of `after`, which was edited from `before`.
///
/// # Errors
/// A node of a world is outside the grid of cells.
pub(in crate::pack::scene) fn update(
    before: &GameTree,
    after: &mut GameTree,
    touched: &Touched,
) -> Result<(), Refusal> {
    for &number in &touched.models {
        let old = before.model(number).and_then(Extent::of_model);
        if let Some(model) = after.model_mut(number)
            && let Some(new) = Extent::of_model(model)
        {
            sphere(
                &mut model.record.bbox_mid,
                &mut model.record.bbox_diag,
                old,
                new,
            );
        }
    }
    let shows = |node: &usize| {
        after
            .model_of(*node)
            .is_some_and(|model| touched.models.contains(&model))
    };
    let mut changed: BTreeSet<usize> = (0..after.count()).filter(shows).collect();
    for &node in &touched.moved {
        let parents = after.node(node).map(|node| node.parents.clone());
        changed.extend(
            parents
                .unwrap_or_default()
                .into_iter()
                .map(|it| it as usize),
        );
    }
    changed.extend(&touched.parents);
    let dirty = after.with_ancestors(&changed);
    for node in deepest_first(after, &dirty) {
        boxes(before, after, node);
    }
    cells(before, after, &dirty, &touched.moved)
}

fn deepest_first(tree: &GameTree, nodes: &BTreeSet<usize>) -> Vec<usize> {
    let depth = |node: usize| {
        let mut at = node;
        (0..512)
            .take_while(|_| tree.parent(at).map(|parent| at = parent).is_some())
            .count()
    };
    let mut sorted: Vec<(usize, usize)> = nodes.iter().map(|&node| (depth(node), node)).collect();
    sorted.sort_by_key(|&(depth, node)| (std::cmp::Reverse(depth), node));
    sorted.into_iter().map(|(_, node)| node).collect()
}

fn sphere(middle: &mut Vec3, radius: &mut F32, old: Option<Extent>, new: Extent) {
    // Values derived from unchanged ones keep every bit.
    if old == Some(new) {
        return;
    }
    let center = |extent: Extent| (extent.least + extent.greatest) * 0.5;
    let half = |extent: Extent| (extent.greatest - extent.least).length() * 0.5;
    let stored = DVec3::from_array(middle.to_array().map(f64::from));
    let size = half(new).max(1e-3);
    let is_rule = old.is_some_and(|old| {
        (center(old) - stored).length() <= 1e-3 * size
            && (half(old) - f64::from(radius.0)).abs() <= 1e-3 * size
    });
    if is_rule {
        *middle = Vec3::from(center(new).to_array().map(|part| part as f32));
        *radius = F32(half(new) as f32);
    } else {
        // No point of the box is farther than its farthest corner.
        let reach = (new.least - stored)
            .abs()
            .max((new.greatest - stored).abs())
            .length();
        if reach > f64::from(radius.0) {
            *radius = F32(reach as f32);
        }
    }
}

/// Gives a model the sphere around its box.
pub(in crate::pack::scene::zipper) fn fit_sphere(record: &mut ModelRecord, extent: Extent) {
    let center = (extent.least + extent.greatest) * 0.5;
    record.bbox_mid = Vec3::from(center.to_array().map(|part| part as f32));
    record.bbox_diag = F32(((extent.greatest - extent.least).length() * 0.5) as f32);
}

/// The boxes that a node should have: of its model, of its children, of both.
pub(in crate::pack::scene::zipper) fn should_be(
    tree: &GameTree,
    node: usize,
) -> [Option<Extent>; 3] {
    let model = tree.model_of(node).and_then(|number| tree.model(number));
    let model = model.and_then(Extent::of_model);
    let children = tree.node(node).map(|node| node.children.clone());
    let children = children
        .unwrap_or_default()
        .into_iter()
        .fold(None, |all, child| {
            let child = child as usize;
            Extent::join(
                all,
                around(tree, child).map(|extent| extent.through(&tree.local(child))),
            )
        });
    [model, children, Extent::join(model, children)]
}

/// Bounds of a node and all below it by its stored boxes, in its own space.
fn around(tree: &GameTree, node: usize) -> Option<Extent> {
    let stored = tree.node(node)?.bounds(tree.version())?;
    Extent::of_box(&stored)
}

fn boxes(before: &GameTree, after: &mut GameTree, index: usize) {
    let old = should_be(before, index);
    let new = should_be(after, index);
    let local = after.local(index);
    let Some(node) = after.node_mut(index) else {
        return;
    };
    if !matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_)) {
        return;
    }
    let flags = node.record.flags;
    let moved = before.local(index) != local;
    let [old_model, old_children, old_both] = old;
    let [model, children, both] = new;
    let record = &mut node.record;
    let holds = |flag| flags.contains(flag);
    renew(
        &mut record.model_bbox,
        holds(NodeFlags::BBOX_MODEL),
        old_model,
        model,
    );
    renew(
        &mut record.child_bbox,
        holds(NodeFlags::BBOX_CHILD),
        old_children,
        children,
    );
    let is_empty = record.node_bbox.is_zero() && !holds(NodeFlags::BBOX_NODE);
    match &mut record.node_bbox {
        NodeBounds::Box(stored) => renew(stored, holds(NodeFlags::BBOX_NODE), old_both, both),
        NodeBounds::Corners(_) => {
            if let Some(both) = both.filter(|both| !is_empty && (moved || old_both != Some(*both)))
            {
                record.node_bbox = NodeBounds::corners(&both.to_box(), &transform_of(&node.data));
            }
        }
    }
}

/// The stored transform of a node, the identity for one without.
pub(in crate::pack::scene::zipper) fn transform_of(data: &NodeData) -> Affine {
    match data {
        NodeData::Object3d(object) => object.transform,
        _ => Affine::identity(),
    }
}

/// Updates one stored box, by the change from the old expected box to the new one.
pub(in crate::pack::scene::zipper) fn renew(
    stored: &mut Box3,
    holds: bool,
    old: Option<Extent>,
    new: Option<Extent>,
) {
    let had = Extent::of_box(stored);
    if !holds && had.is_none() {
        return;
    }
    let Some(new) = new.filter(|new| old != Some(*new)) else {
        return;
    };
    let by_rule = match (had, old) {
        (Some(had), Some(old)) => had.is_like(old),
        _ => false,
    };
    let wanted = match by_rule {
        true => Some(new),
        false => Extent::join(had, Some(new)),
    };
    if let Some(wanted) = wanted
        && !had.is_some_and(|had| had == wanted)
    {
        *stored = wanted.to_box();
    }
}

/// Columns and rows that a box overlaps, as ranges.
pub(in crate::pack::scene::zipper) struct Cells {
    pub x: RangeInclusive<i64>,
    pub z: RangeInclusive<i64>,
}

pub(in crate::pack::scene::zipper) fn overlapped(
    world: &World,
    edge: f64,
    extent: &Extent,
) -> Cells {
    let (left, bottom) = (
        f64::from(world.record.area_left.0),
        f64::from(world.record.area_bottom.0),
    );
    // Casts of floats saturate.
    let column = |x: f64| ((x - left) / edge).floor() as i64;
    let row = |z: f64| ((bottom - z) / edge).floor() as i64;
    Cells {
        x: column(extent.least.x)..=column(extent.greatest.x),
        z: row(extent.greatest.z)..=row(extent.least.z),
    }
}

fn as_world(tree: &GameTree) -> Option<(&GameZ, usize)> {
    match tree {
        GameTree::World(gamez) => gamez.nodes.world().map(|(index, _)| (&**gamez, index)),
        GameTree::Mech { .. } => None,
    }
}

pub(in crate::pack::scene::zipper) fn in_world(tree: &GameTree, node: usize) -> Option<Extent> {
    around(tree, node).map(|extent| extent.through(&tree.world(node)))
}

/// Indices of the grid's cells in a range: things at the edge may extend beyond. `None`: the range is outside the grid.
pub(in crate::pack::scene::zipper) fn within_grid(
    Cells { x, z }: Cells,
    columns: usize,
    rows: usize,
) -> Option<BTreeSet<usize>> {
    let within = |cells: RangeInclusive<i64>, count: usize| {
        let last = i64::try_from(count).unwrap_or(i64::MAX).saturating_sub(1);
        let (first, last) = ((*cells.start()).max(0), (*cells.end()).min(last));
        usize::try_from(first).unwrap_or(usize::MAX)..=usize::try_from(last).unwrap_or_default()
    };
    let is_before = *x.end() < 0 || *z.end() < 0;
    if is_before || columns == 0 || rows == 0 {
        return None;
    }
    let (x, z) = (within(x, columns), within(z, rows));
    let cells = z.flat_map(|z| x.clone().map(move |x| z * columns + x));
    let cells: BTreeSet<usize> = cells.collect();
    (!cells.is_empty()).then_some(cells)
}

/// Lists moved nodes in the cells that they are in now.
fn cells(
    before: &GameTree,
    after: &mut GameTree,
    dirty: &BTreeSet<usize>,
    moved: &BTreeSet<usize>,
) -> Result<(), Refusal> {
    let Some((gamez, world_index)) = as_world(before) else {
        return Ok(());
    };
    let Some((_, world)) = gamez.nodes.world() else {
        return Ok(());
    };
    let edge = f64::from(gamez.version.partition_edge());
    let Some((columns, rows)) = world.grid() else {
        return Ok(());
    };
    let mut listed: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (cell, partition) in world.partitions.iter().enumerate() {
        for entry in &partition.entries {
            listed.entry(entry.node as usize).or_default().insert(cell);
        }
    }
    // Deleted nodes are in no cell any more.
    let still = as_world(after).and_then(|(gamez, _)| gamez.nodes.world());
    let still = still.map(|(_, world)| world.placed()).unwrap_or_default();
    listed.retain(|&node, _| u32::try_from(node).is_ok_and(|node| still.contains(&node)));
    let all = |extent: &Extent| within_grid(overlapped(world, edge, extent), columns, rows);
    let version = gamez.version;
    let mut changes: Vec<(usize, Option<Extent>, Extent, BTreeSet<usize>)> = Vec::new();
    for (&node, cells) in &listed {
        if !dirty.contains(&node) && !moved.contains(&node) {
            continue;
        }
        let Some(new) = in_world(after, node) else {
            continue;
        };
        let old = in_world(before, node);
        if old == Some(new) {
            continue;
        }
        let name = || {
            before
                .node(node)
                .map(|node| node.name())
                .unwrap_or_default()
        };
        let outside = || {
            refusal!(
                "node {}: it would be outside the grid of the world's cells",
                name()
            )
        };
        let had = old.and_then(|old| all(&old));
        let has = all(&new).ok_or_else(outside);
        let wanted = match (had, has) {
            // It is in the cells that its box overlaps.
            (Some(had), Ok(has)) if had == *cells => has,
            // Its cells follow another rule; they stay while the box stays in the same ones.
            (Some(had), Ok(has)) => cells
                .union(&has.difference(&had).copied().collect())
                .copied()
                .collect(),
            (None, Ok(has)) => cells.union(&has).copied().collect(),
            // It was outside the grid already.
            (None, Err(_)) => cells.clone(),
            (Some(_), Err(refusal)) => return Err(refusal),
        };
        changes.push((node, old, new, wanted));
    }
    move_cell_words(before, after, world, edge, moved)?;
    let Some(NodeData::World(world)) = after.node_mut(world_index).map(|node| &mut node.data)
    else {
        return Ok(());
    };
    for (node, old, new, wanted) in changes {
        list_in_cells(world, version, node, old, new, &wanted);
    }
    Ok(())
}

fn list_in_cells(
    world: &mut World,
    version: ZipperGame,
    node: usize,
    old: Option<Extent>,
    new: Extent,
    wanted: &BTreeSet<usize>,
) {
    let has_heights = version.since(ZipperGame::PiratesMoon);
    let is_node = |entry: &PartitionEntry| entry.node as usize == node;
    let known: Option<PartitionEntry> = world
        .partitions
        .iter()
        .flat_map(|cell| &cell.entries)
        .find(|entry| is_node(entry))
        .cloned();
    let Some(mut entry) = known else { return };
    if has_heights {
        entry.y_range = heights(entry.y_range, old, new);
    }
    let pointer = world
        .partitions
        .iter()
        .map(|cell| cell.record.nodes_ptr)
        .find(|&it| it != 0);
    for (number, cell) in world.partitions.iter_mut().enumerate() {
        let place = cell.entries.iter().position(is_node);
        match (place, wanted.contains(&number)) {
            (Some(place), true) => {
                if let Some(stored) = cell.entries.get_mut(place)
                    && has_heights
                {
                    stored.y_range = entry.y_range;
                }
            }
            (Some(place), false) => {
                cell.entries.remove(place);
                if cell.entries.is_empty() {
                    cell.record.nodes_ptr = 0;
                }
                continue;
            }
            (None, true) => {
                cell.entries.push(entry.clone());
                if cell.record.nodes_ptr == 0 {
                    cell.record.nodes_ptr = pointer.unwrap_or(1);
                }
            }
            (None, false) => continue,
        }
        grow_cell(cell, new);
    }
}

/// Lowest and highest y of a node in a cell.
fn heights(stored: Vec2, old: Option<Extent>, new: Extent) -> Vec2 {
    let (low, high) = (f64::from(stored.x.0), f64::from(stored.y.0));
    let is_rule = old.is_some_and(|old| {
        let slack = 1e-3 * (old.greatest.y - old.least.y).max(1.0);
        (low - old.least.y).abs() <= slack && (high - old.greatest.y).abs() <= slack
    });
    let (low, high) = match is_rule {
        true => (new.least.y, new.greatest.y),
        false => (low.min(new.least.y), high.max(new.greatest.y)),
    };
    let narrow = |stored: F32, wanted: f64| match f64::from(stored.0) == wanted {
        true => stored.0,
        false => wanted as f32,
    };
    Vec2::from([narrow(stored.x, low), narrow(stored.y, high)])
}

/// A cell is as high as the nodes in it; it is never made lower.
pub(in crate::pack::scene::zipper) fn grow_cell(cell: &mut Partition, extent: Extent) {
    let record = &mut cell.record;
    let (low, high) = (record.min.y.0, record.max.y.0);
    let (new_low, new_high) = (
        low.min(extent.least.y as f32),
        high.max(extent.greatest.y as f32),
    );
    if (new_low, new_high) == (low, high) {
        return;
    }
    record.min.y = F32(new_low);
    record.max.y = F32(new_high);
    record.mid.y = F32((new_high + new_low) * 0.5);
    let half = f64::from(record.max.x.0 - record.min.x.0) / 2.0;
    let rise = f64::from(new_high - new_low) * 0.5;
    record.diagonal = F32(quick_root((2.0 * half * half + rise * rise) as f32));
}

/// Updates the stored cell of a moved node and of the nodes below it.
fn move_cell_words(
    before: &GameTree,
    after: &mut GameTree,
    world: &World,
    edge: f64,
    moved: &BTreeSet<usize>,
) -> Result<(), Refusal> {
    let Some((columns, rows)) = world.grid() else {
        return Ok(());
    };
    let nodes: BTreeSet<usize> = moved.iter().flat_map(|&node| after.below(node)).collect();
    for index in nodes {
        let Some(node) = before.node(index) else {
            continue;
        };
        let stored = node.record.area_partition;
        // Nodes that got a parent are in no cell any more.
        let is_below = |node: &Node| node.record.area_partition == AreaPartition::NONE;
        if stored == AreaPartition::NONE || after.node(index).is_none_or(is_below) {
            continue;
        }
        let cell = |tree: &GameTree| {
            let matrix = tree.world(index);
            let own = matrix.w_axis.truncate();
            let middle =
                in_world(tree, index).map_or(own, |extent| (extent.least + extent.greatest) * 0.5);
            [own, middle].map(|at| {
                let Cells { x, z } = overlapped(
                    world,
                    edge,
                    &Extent {
                        least: at,
                        greatest: at,
                    },
                );
                (*x.start(), *z.start())
            })
        };
        let (old, new) = (cell(before), cell(after));
        if old == new {
            continue;
        }
        let found = (i64::from(stored.x), i64::from(stored.z));
        let is_rule = |at: &usize| old.get(*at) == Some(&found);
        let stays = old.last() == new.last();
        let refuse = |reason: &str| Err(refusal!("node {}: {reason}", node.name()));
        // Where its position and its center are in one cell, either may be the rule; the center is more likely, as a
        // position may be on the edge of the world.
        let rules = (0..old.len()).rev().filter(is_rule);
        let mut wanted = rules.filter_map(|rule| new.get(rule).copied()).peekable();
        if wanted.peek().is_none() && !stays {
            return refuse(
                "it would move to another cell, and its stored cell does not follow from its position",
            );
        }
        let inside = wanted.find_map(|(x, z)| {
            let is_inside = usize::try_from(x).is_ok_and(|column| column < columns)
                && usize::try_from(z).is_ok_and(|row| row < rows);
            is_inside.then_some((i32::try_from(x).ok()?, i32::try_from(z).ok()?))
        });
        let (x, z) = match inside {
            Some(cell) => cell,
            // A cell that follows another rule stays while most of the node stays in its cell.
            None if stays => continue,
            None => return refuse("it would be outside the world"),
        };
        let [virtual_x, virtual_z] = node.record.virtual_partition;
        let shifted = |from: i32, to: i32, word: i16| {
            let step = to.saturating_sub(from);
            i16::try_from(i32::from(word).saturating_add(step)).unwrap_or(word)
        };
        let words = match (virtual_x, virtual_z) {
            (0, 0) => [0, 0],
            (a, b) => [shifted(stored.x, x, a), shifted(stored.z, z, b)],
        };
        if let Some(node) = after.node_mut(index) {
            node.record.area_partition = AreaPartition { x, z };
            node.record.virtual_partition = words;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_beyond_the_grid_is_in_the_cells_within() {
        let cells = |x, z| within_grid(Cells { x, z }, 4, 3).map(Vec::from_iter);
        assert_eq!(cells(1..=2, 0..=1), Some(vec![1, 2, 5, 6]));
        assert_eq!(cells(-5..=0, 2..=9), Some(vec![8]));
        assert_eq!(cells(i64::MIN..=i64::MAX, 1..=1), Some(vec![4, 5, 6, 7]));
        for (x, z) in [
            (-3..=-1, 0..=0),
            (4..=9, 0..=0),
            (0..=0, -2..=-1),
            (0..=0, 3..=3),
        ] {
            assert_eq!(cells(x, z), None);
        }
        let (x, z) = (0..=0, 0..=0);
        assert_eq!(within_grid(Cells { x, z }, 0, 0), None);
    }
}
