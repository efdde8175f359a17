//! Boxes of new nodes, and their places in the world.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use crate::pack::scene::zipper::geometry::bounds::{
    Cells, grow_cell, in_world, overlapped, renew, should_be, transform_of, within_grid,
};
use crate::pack::scene::zipper::tree::{Extent, GameTree};
use relicast_codec::{Box3, Vec2};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    ActiveBox, AreaPartition, GameZ, Node, NodeBounds, NodeData, NodeFlags, PartitionEntry, World,
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
    let has_own = children.is_some() || usually_has_node_box(tree);
    let Some(node) = tree.node_mut(index) else {
        return;
    };
    let stored = |extent: Option<Extent>| extent.map(Extent::to_box).unwrap_or_default();
    let of_both = match version {
        ZipperGame::CrimsonSkies => both.filter(|_| has_own),
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
        record.active_bbox = active_box(model.is_some(), children.is_some());
    }
}

/// True if most objects of a file that have a model and no children have a box for both too.
pub(super) fn usually_has_node_box(tree: &GameTree) -> bool {
    let nodes = (0..tree.count()).filter(|&index| tree.model_of(index).is_some());
    let plain = nodes.filter_map(|index| tree.node(index)).filter(|node| {
        let is_object = matches!(node.data, NodeData::Object3d(_));
        is_object && node.children.is_empty()
    });
    let (with, without): (Vec<&Node>, Vec<&Node>) =
        plain.partition(|node| node.record.flags.contains(NodeFlags::BBOX_NODE));
    with.len() > without.len()
}

/// Gives an object that has children for the first time, or no more, the boxes that such objects have; their contents
/// follow when all bounds are updated. `has_own`: objects without children have a box for both too.
pub(super) fn adapt_boxes(tree: &mut GameTree, index: usize, has_own: bool) {
    let (version, has_model) = (tree.version(), tree.model_of(index).is_some());
    let Some(node) = tree.node_mut(index) else {
        return;
    };
    let boxes = NodeFlags::BBOX_CHILD | NodeFlags::BBOX_NODE;
    let adapts = match node.data {
        NodeData::Object3d(_) => true,
        // It keeps its box, from whose center distances are measured.
        NodeData::Lod(_) => !node.record.flags.intersects(boxes),
        _ => false,
    };
    if !adapts {
        return;
    }
    let has_children = match node.children.len() {
        0 => false,
        1 => true,
        _ => return,
    };
    let transform = transform_of(&node.data);
    let record = &mut node.record;
    let has_all = version == ZipperGame::CrimsonSkies;
    record.flags.set(NodeFlags::BBOX_CHILD, has_children);
    if !has_children {
        record.child_bbox = Box3::default();
    }
    let needs_both = match &record.node_bbox {
        NodeBounds::Box(_) if has_children => has_all || has_model,
        NodeBounds::Box(_) => has_all && has_own && has_model,
        NodeBounds::Corners(_) => has_children || has_model,
    };
    record.flags.set(NodeFlags::BBOX_NODE, needs_both);
    if !has_children || record.node_bbox.is_zero() {
        let own = match needs_both {
            true => record.model_bbox,
            false => Box3::default(),
        };
        record.node_bbox = match (&record.node_bbox, needs_both) {
            (NodeBounds::Box(_), _) => NodeBounds::Box(own),
            (NodeBounds::Corners(_), true) => NodeBounds::corners(&own, &transform),
            (NodeBounds::Corners(_), false) => NodeBounds::Corners(Box::default()),
        };
    }
    if version.since(ZipperGame::PiratesMoon) {
        record.active_bbox = active_box(has_model, has_children);
    }
}

fn active_box(has_model: bool, has_children: bool) -> ActiveBox {
    match (has_model, has_children) {
        (true, false) => ActiveBox::Model,
        (false, true) => ActiveBox::Child,
        _ => ActiveBox::Node,
    }
}

/// The way in which a world has a node at its top: as a child, which is always drawn, or in cells, which are drawn when
/// they are in sight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listing {
    is_in_cells: bool,
    /// The node names the world as its parent, which those in cells do in some games.
    names_world: bool,
}

/// The listings of the nodes at the top of a world.
#[derive(Debug, Default)]
pub(super) struct Listings {
    by_node: BTreeMap<usize, Listing>,
    /// That of most objects.
    usual: Listing,
}

impl Listings {
    pub(super) fn of(tree: &GameTree) -> Self {
        let mut listings = Self::default();
        let GameTree::World(gamez) = tree else {
            return listings;
        };
        let Some((world_index, world)) = gamez.nodes.world() else {
            return listings;
        };
        let children = gamez.nodes.used.get(world_index);
        let children = children.into_iter().flat_map(|node| &node.children);
        let placed = world.placed();
        let mut counts = BTreeMap::<Listing, usize>::new();
        for &stored in children.chain(&placed) {
            let index = stored as usize;
            let Some(node) = gamez.nodes.used.get(index) else {
                continue;
            };
            let parents = node.parents.iter();
            let mut parents = parents.map(|&parent| parent as usize);
            let listing = Listing {
                is_in_cells: placed.contains(&stored),
                names_world: parents.any(|parent| parent == world_index),
            };
            let is_new = listings.by_node.insert(index, listing).is_none();
            if is_new && matches!(node.data, NodeData::Object3d(_)) {
                *counts.entry(listing).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        listings.usual = most.map(|(listing, _)| listing).unwrap_or_default();
        listings
    }
}

fn cells_of(world: &World, node: u32) -> impl Iterator<Item = usize> {
    let cells = world.partitions.iter().enumerate();
    cells
        .filter(move |(_, cell)| cell.entries.iter().any(|entry| entry.node == node))
        .map(|(number, _)| number)
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

/// The cell of the center of a box that hangs over it by no more than the world allows.
fn engine_cell(gamez: &GameZ, extent: &Extent) -> Option<usize> {
    let (cell, _) = center_cell(gamez, extent)?;
    let (_, world) = gamez.nodes.world()?;
    let [x, z] = world.record.inclusion_tolerance.map(|it| f64::from(it.0));
    let slack = DVec3::new(x, 0.0, z);
    let center = (extent.least + extent.greatest) * 0.5;
    let inner = Extent {
        least: (extent.least + slack).min(center),
        greatest: (extent.greatest - slack).max(center),
    };
    (cells_around(gamez, &inner)? == BTreeSet::from([cell])).then_some(cell)
}

/// The cells of a new node: by the rule that its source follows, else by that of the engine. Empty where it must be
/// drawn always.
fn cells_for(
    before: &GameTree,
    gamez: &GameZ,
    source: Option<usize>,
    extent: &Extent,
) -> BTreeSet<usize> {
    let Some((center, _)) = center_cell(gamez, extent) else {
        return BTreeSet::new();
    };
    let of_source = source.and_then(|source| {
        let GameTree::World(old) = before else {
            return None;
        };
        let (_, world) = old.nodes.world()?;
        let cells: BTreeSet<usize> = cells_of(world, u32::try_from(source).ok()?).collect();
        Some((old, cells, in_world(before, source)?))
    });
    if let Some((old, cells, old_extent)) = of_source {
        let old_center = center_cell(old, &old_extent).map(|(cell, _)| BTreeSet::from([cell]));
        if cells.len() > 1 {
            return cells_around(gamez, extent).unwrap_or_default();
        }
        // It hangs over farther than the engine allows.
        if old_center == Some(cells) && engine_cell(old, &old_extent).is_none() {
            return BTreeSet::from([center]);
        }
    }
    engine_cell(gamez, extent).into_iter().collect()
}

/// Puts a new node at the top of the world, in the way in which the world has its source.
pub(super) fn place_in_world(
    before: &GameTree,
    tree: &mut GameTree,
    index: usize,
    source: Option<usize>,
    listings: &Listings,
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
    let of_source = source.and_then(|source| listings.by_node.get(&source));
    let listing = of_source.copied().unwrap_or(listings.usual);
    let wanted = match listing.is_in_cells {
        true => cells_for(before, gamez, source, &extent),
        false => BTreeSet::new(),
    };
    // No node is both a child of the world and in a cell.
    let is_child = wanted.is_empty();
    let area = center_cell(gamez, &extent).filter(|_| !is_child);
    let area = area.map_or(AreaPartition::NONE, |(_, area)| area);
    let Some(world_index) = gamez.nodes.world().map(|(index, _)| index) else {
        return;
    };
    if let Some(node) = gamez.nodes.used.get_mut(index) {
        put_area(node, area);
        if is_child || listing.names_world {
            node.parents = u32::try_from(world_index).into_iter().collect();
        }
    }
    if let Some(world) = gamez.nodes.used.get_mut(world_index) {
        if is_child {
            world.children.push(stored);
        }
        if let NodeData::World(world) = &mut world.data {
            list(world, stored, &extent, &wanted);
        }
    }
}

/// Sets the words for the cell of a copy.
fn put_area(node: &mut Node, area: AreaPartition) {
    let old = node.record.area_partition;
    let shifted = |word: i16, from: i32, to: i32| {
        let step = to.saturating_sub(from);
        i16::try_from(i32::from(word).saturating_add(step)).unwrap_or(word)
    };
    let has_both = area != AreaPartition::NONE && old != AreaPartition::NONE;
    node.record.virtual_partition = match node.record.virtual_partition {
        [x, z] if [x, z] != [0, 0] && has_both => {
            [shifted(x, old.x, area.x), shifted(z, old.z, area.z)]
        }
        _ => [0, 0],
    };
    node.record.area_partition = area;
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
