//! Boxes of new nodes, and their places in the world.

use std::collections::BTreeSet;

use crate::pack::scene::zipper::geometry::bounds::{
    Cells, grow_cell, in_world, overlapped, renew, should_be, transform_of, within_grid,
};
use crate::pack::scene::zipper::tree::{Extent, GameTree};
use relicast_codec::{Box3, Vec2};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    ActiveBox, AreaPartition, GameZ, NodeBounds, NodeData, NodeFlags, PartitionEntry, World,
};

/// Sets the boxes of a new node. A copy of `source` keeps those that are still right.
pub(super) fn set_boxes(
    before: &GameTree,
    tree: &mut GameTree,
    index: usize,
    source: Option<usize>,
) {
    let parts = |tree: &GameTree, node: usize| {
        let children = tree
            .node(node)
            .is_some_and(|node| !node.children.is_empty());
        (tree.model_of(node).is_some(), children)
    };
    let new = should_be(tree, index);
    match source.filter(|&source| parts(before, source) == parts(tree, index)) {
        Some(source) => copy_boxes(should_be(before, source), new, tree, index),
        None => fresh_boxes(new, tree, index),
    }
}

fn copy_boxes(
    old: [Option<Extent>; 3],
    new: [Option<Extent>; 3],
    tree: &mut GameTree,
    index: usize,
) {
    let Some(node) = tree.node_mut(index) else {
        return;
    };
    let flags = node.record.flags;
    let record = &mut node.record;
    let ([old_model, old_children, old_both], [model, children, both]) = (old, new);
    for (stored, flag, old, new) in [
        (
            &mut record.model_bbox,
            NodeFlags::BBOX_MODEL,
            old_model,
            model,
        ),
        (
            &mut record.child_bbox,
            NodeFlags::BBOX_CHILD,
            old_children,
            children,
        ),
    ] {
        renew(stored, flags.contains(flag), old, new);
    }
    let is_zero = record.node_bbox.is_zero();
    match (&mut record.node_bbox, both) {
        (NodeBounds::Box(stored), _) => {
            renew(stored, flags.contains(NodeFlags::BBOX_NODE), old_both, both);
        }
        (NodeBounds::Corners(_), Some(both)) if !is_zero => {
            record.node_bbox = NodeBounds::corners(&both.to_box(), &transform_of(&node.data));
        }
        (NodeBounds::Corners(_), _) => {}
    }
}

/// Boxes as the games store them: a node with a model and children has one for each and one for both.
fn fresh_boxes([model, children, both]: [Option<Extent>; 3], tree: &mut GameTree, index: usize) {
    let version = tree.version();
    let Some(node) = tree.node_mut(index) else {
        return;
    };
    let stored = |extent: Option<Extent>| extent.map(Extent::to_box).unwrap_or_default();
    let of_both = match version {
        ZipperGame::CrimsonSkies => both,
        _ => both.filter(|_| model.is_some() && children.is_some()),
    };
    let record = &mut node.record;
    record.model_bbox = stored(model);
    record.child_bbox = stored(children);
    record.node_bbox = match (&record.node_bbox, both) {
        (NodeBounds::Box(_), _) => NodeBounds::Box(stored(of_both)),
        (NodeBounds::Corners(_), Some(both)) => {
            NodeBounds::corners(&both.to_box(), &transform_of(&node.data))
        }
        (NodeBounds::Corners(_), None) => NodeBounds::Corners(Box::default()),
    };
    let has_corners = record.node_bbox.stored_box().is_none();
    for (flag, is_set) in [
        (NodeFlags::BBOX_MODEL, model.is_some()),
        (NodeFlags::BBOX_CHILD, children.is_some()),
        (
            NodeFlags::BBOX_NODE,
            of_both.is_some() || (has_corners && both.is_some()),
        ),
    ] {
        record.flags.set(flag, is_set);
    }
    if version.since(ZipperGame::PiratesMoon) {
        record.active_bbox = match (model, children) {
            (Some(_), None) => ActiveBox::Model,
            (None, Some(_)) => ActiveBox::Child,
            _ => ActiveBox::Node,
        };
    }
}

/// Gives a node that has children for the first time, or no more, the box of its children.
pub(super) fn adapt_child_box(node: &mut relicast_formats::zipper::gamez::Node) {
    let is_filled = node.record.child_bbox != Box3::default();
    match node.children.is_empty() {
        true if is_filled => {
            node.record.child_bbox = Box3::default();
            node.record.flags.remove(NodeFlags::BBOX_CHILD);
        }
        false if node.children.len() == 1 && !is_filled => {
            node.record.flags.insert(NodeFlags::BBOX_CHILD);
        }
        _ => {}
    }
}

/// Lists of a world that have a node at its top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lists {
    /// The children of the world, which are always drawn.
    children: bool,
    /// Cells, which are drawn when they are in sight.
    cells: bool,
}

fn lists_of(gamez: &GameZ, node: usize) -> Lists {
    let world = gamez.nodes.world();
    let found = gamez.nodes.used.get(node);
    let stored = u32::try_from(node).unwrap_or(u32::MAX);
    Lists {
        children: found.zip(world).is_some_and(|(found, (world, _))| {
            found.parents.iter().any(|&parent| parent as usize == world)
        }),
        cells: world.is_some_and(|(_, world)| cells_of(world, stored).next().is_some()),
    }
}

fn cells_of(world: &World, node: u32) -> impl Iterator<Item = usize> {
    let cells = world.partitions.iter().enumerate();
    cells
        .filter(move |(_, cell)| cell.entries.iter().any(|entry| entry.node == node))
        .map(|(number, _)| number)
}

/// The lists that have most objects at the top of a world.
fn usual_lists(gamez: &GameZ) -> Lists {
    let objects = gamez.nodes.used.iter().enumerate();
    let objects = objects.filter(|(_, node)| matches!(node.data, NodeData::Object3d(_)));
    let mut counts = std::collections::BTreeMap::<Lists, usize>::new();
    let placed = gamez.nodes.world().map(|(_, world)| world.placed());
    for (number, node) in objects {
        let stored = u32::try_from(number).unwrap_or(u32::MAX);
        let is_top = node.parents.is_empty() || node.parents == [0];
        if is_top
            && (!node.parents.is_empty() || placed.as_ref().is_some_and(|it| it.contains(&stored)))
        {
            *counts.entry(lists_of(gamez, number)).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map_or(
        Lists {
            children: true,
            cells: false,
        },
        |(lists, _)| lists,
    )
}

/// Columns and rows, or cells, of a box within the grid.
fn cells_around(gamez: &GameZ, extent: &Extent) -> Option<BTreeSet<usize>> {
    let (_, world) = gamez.nodes.world()?;
    let (columns, rows) = world.grid()?;
    let edge = f64::from(gamez.version.partition_edge());
    within_grid(overlapped(world, edge, extent), columns, rows)
}

/// The cell of the center of a box; `None` outside the grid.
fn center_cell(gamez: &GameZ, extent: &Extent) -> Option<(usize, AreaPartition)> {
    let (_, world) = gamez.nodes.world()?;
    let (columns, rows) = world.grid()?;
    let center = (extent.least + extent.greatest) * 0.5;
    let point = Extent {
        least: center,
        greatest: center,
    };
    let edge = f64::from(gamez.version.partition_edge());
    let Cells { x, z } = overlapped(world, edge, &point);
    let (x, z) = (*x.start(), *z.start());
    let column = usize::try_from(x).ok().filter(|&x| x < columns)?;
    let row = usize::try_from(z).ok().filter(|&z| z < rows)?;
    let area = AreaPartition {
        x: i32::try_from(x).ok()?,
        z: i32::try_from(z).ok()?,
    };
    Some((row.checked_mul(columns)?.checked_add(column)?, area))
}

/// The cells of a new node: by the rule that its source follows, else by that of the engine, the cell of its center
/// where it stays within that. Empty where it must be drawn always.
fn cells_for(
    before: &GameTree,
    gamez: &GameZ,
    source: Option<usize>,
    extent: &Extent,
) -> BTreeSet<usize> {
    let center = center_cell(gamez, extent).map(|(cell, _)| BTreeSet::from([cell]));
    let Some(around) = cells_around(gamez, extent).filter(|_| center.is_some()) else {
        return BTreeSet::new();
    };
    let center = center.unwrap_or_default();
    let of_source = source.and_then(|source| {
        let GameTree::World(old) = before else {
            return None;
        };
        let (_, world) = old.nodes.world()?;
        let cells: BTreeSet<usize> = cells_of(world, u32::try_from(source).ok()?).collect();
        (!cells.is_empty()).then_some((old, cells, in_world(before, source)?))
    });
    match of_source {
        Some((old, cells, old_extent)) => {
            let is_center = cells.len() == 1
                && center_cell(old, &old_extent).is_some_and(|(cell, _)| cells.contains(&cell))
                && cells_around(old, &old_extent).is_some_and(|around| around != cells);
            // Recoil has a node in one cell; one that does not fit into it is drawn always.
            let is_one = gamez.version == ZipperGame::Recoil && cells.len() == 1;
            match (is_center, is_one && around.len() > 1) {
                (true, _) => center,
                (false, true) => BTreeSet::new(),
                (false, false) => around,
            }
        }
        None if around == center => center,
        None => BTreeSet::new(),
    }
}

/// Puts a new node at the top of the world, into the lists that have its source.
pub(super) fn place_in_world(
    before: &GameTree,
    tree: &mut GameTree,
    index: usize,
    source: Option<usize>,
) {
    let known = in_world(tree, index);
    let at = tree.world(index).w_axis.truncate();
    let extent = known.unwrap_or(Extent {
        least: at,
        greatest: at,
    });
    let GameTree::World(gamez) = tree else {
        return;
    };
    let Ok(stored) = u32::try_from(index) else {
        return;
    };
    let of_source = match (source, before) {
        (Some(source), GameTree::World(before)) => Some(lists_of(before, source)),
        _ => None,
    };
    let mut lists = of_source
        .filter(|lists| lists.children || lists.cells)
        .unwrap_or_else(|| usual_lists(gamez));
    let wanted = match lists.cells {
        true => cells_for(before, gamez, source, &extent),
        false => BTreeSet::new(),
    };
    lists.children |= wanted.is_empty();
    let area = center_cell(gamez, &extent).filter(|_| !wanted.is_empty());
    let area = area.map_or(AreaPartition::NONE, |(_, area)| area);
    let Some(world_index) = gamez.nodes.world().map(|(index, _)| index) else {
        return;
    };
    if let Some(node) = gamez.nodes.used.get_mut(index) {
        let old = node.record.area_partition;
        let shifted = |word: i16, from: i32, to: i32| {
            let step = to.saturating_sub(from);
            i16::try_from(i32::from(word).saturating_add(step)).unwrap_or(word)
        };
        node.record.virtual_partition = match node.record.virtual_partition {
            [x, z]
                if [x, z] != [0, 0]
                    && area != AreaPartition::NONE
                    && old != AreaPartition::NONE =>
            {
                [shifted(x, old.x, area.x), shifted(z, old.z, area.z)]
            }
            _ => [0, 0],
        };
        node.record.area_partition = area;
        if lists.children {
            node.parents = u32::try_from(world_index).into_iter().collect();
        }
    }
    if let Some(world) = gamez.nodes.used.get_mut(world_index) {
        if lists.children {
            world.children.push(stored);
        }
        if let NodeData::World(world) = &mut world.data {
            list(world, stored, &extent, &wanted);
        }
    }
}

/// Lists a node in cells.
fn list(world: &mut World, node: u32, extent: &Extent, wanted: &BTreeSet<usize>) {
    let mut pointers = world.partitions.iter().map(|cell| cell.record.nodes_ptr);
    let pointer = pointers.find(|&it| it != 0).unwrap_or(1);
    let entry = PartitionEntry {
        node,
        y_range: Vec2::from([extent.least.y as f32, extent.greatest.y as f32]),
    };
    for (number, cell) in world.partitions.iter_mut().enumerate() {
        if wanted.contains(&number) {
            cell.entries.push(entry.clone());
            if cell.record.nodes_ptr == 0 {
                cell.record.nodes_ptr = pointer;
            }
            grow_cell(cell, *extent);
        }
    }
}
