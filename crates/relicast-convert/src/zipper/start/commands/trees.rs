//! Commands of Crimson Skies' scripts that find, delete and switch whole trees of nodes.
//!
//! Their behavior is from the documentation of CSVM (CC BY 4.0), which read the cells from the program.

use std::collections::BTreeSet;
use std::ops::Range;

use relicast_scene::extras::zipper;

use super::{Applier, Current, NO_NODE, Refusal, node_called, plain};
use crate::zipper::scene::hierarchy::Nodes;
use relicast_formats::zipper::gamez::World;
use relicast_formats::zipper::script::{Command, CommandKind};

const NO_CELLS: Refusal = "cells of a world that has none";

/// Columns and rows of the cells between two corners. The corners may be in any order and outside the grid; the
/// last column and row are left out.
fn cells_between(world: &World, corners: [f32; 4]) -> Option<(Range<usize>, Range<usize>)> {
    let (columns, rows) = world.grid()?;
    let record = &world.record;
    let [width, depth] = record.virt_partition_size.to_array();
    let cell = |at: f32, origin: f32, size: f32, count: usize| {
        let last = count.checked_sub(1)?;
        let place = ((f64::from(at) - f64::from(origin)) / f64::from(size)).floor();
        // The cast of a float saturates.
        place
            .is_finite()
            .then(|| (place.max(0.0) as usize).min(last))
    };
    let [x1, z1, x2, z2] = corners;
    let column = |x: f32| cell(x, record.area_left.0, width, columns);
    let row = |z: f32| cell(z, record.area_bottom.0, depth, rows);
    let range = |one: usize, other: usize| one.min(other)..one.max(other);
    Some((range(column(x1)?, column(x2)?), range(row(z1)?, row(z2)?)))
}

impl Applier<'_, '_> {
    /// Runs a command for a tree of nodes.
    pub(super) fn tree(&mut self, command: &Command) -> Result<(), Refusal> {
        match command.kind {
            CommandKind::DeleteTree => self.delete(command.text()),
            CommandKind::WorldPartitionSetActive => self.switch_cells(command),
            _ => self.find_below(command),
        }
    }

    fn find_below(&mut self, command: &Command) -> Result<(), Refusal> {
        let (above, name) = match *command.texts() {
            [name] => match self.current {
                Current::Node(index) => (Some(index), name),
                Current::None | Current::Unknown => (None, name),
            },
            [above, name] => (node_called(self.state, above), name),
            _ => (None, ""),
        };
        let below = above.map(|above| self.below(above)).unwrap_or_default();
        let wanted = plain(name);
        let found = below.into_iter().skip(1).find(|&index| {
            let node = self.state.node(index);
            !wanted.is_empty() && node.is_some_and(|node| plain(&node.name()) == wanted)
        });
        self.current = found.map_or(Current::Unknown, Current::Node);
        match found {
            Some(index) => {
                let facts = zipper::Node {
                    found_by: Some(zipper::FoundBy {
                        command: Some(command.kind.name().to_owned()),
                        certain: Some(false),
                    }),
                    ..zipper::Node::default()
                };
                self.state.note(index, facts);
            }
            None => self.note_missing(name),
        }
        Ok(())
    }

    fn delete(&mut self, name: &str) -> Result<(), Refusal> {
        let Some(index) = node_called(self.state, name) else {
            self.note_missing(name);
            return Err(NO_NODE);
        };
        let tree = self.below(index);
        if let Current::Node(current) = self.current
            && tree.contains(&current)
        {
            self.current = Current::Unknown;
        }
        self.state.delete(&tree);
        Ok(())
    }

    fn switch_cells(&mut self, command: &Command) -> Result<(), Refusal> {
        let [x1, z1, x2, z2] = *command.numbers() else {
            return Err(NO_CELLS);
        };
        let world = self.state.gamez.nodes.world();
        let (_, world) = world.ok_or(NO_CELLS)?;
        let (columns, rows) = cells_between(world, [x1, z1, x2, z2]).ok_or(NO_CELLS)?;
        let (width, _) = world.grid().ok_or(NO_CELLS)?;
        let cells = rows.flat_map(|row| columns.clone().map(move |column| row * width + column));
        let entries = cells.filter_map(|cell| world.partitions.get(cell));
        let entries = entries.flat_map(|cell| &cell.entries);
        let nodes: BTreeSet<usize> = entries.map(|entry| entry.node as usize).collect();
        let count = self.state.count();
        for node in nodes.into_iter().filter(|&node| node < count) {
            self.set_active(node, command.is_on());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{F32, Vec2};

    #[test]
    fn cells_are_half_open_for_any_order_of_the_corners() {
        let mut world = World::default();
        let record = &mut world.record;
        // Sixteen cells of 1024 m from (-16384, 0) on, the first row at the largest z.
        (record.area_left, record.area_bottom) = (F32(-16384.0), F32(0.0));
        record.virt_partition_size = Vec2::from([1024.0, -1024.0]);
        (record.virt_partition_x_count, record.virt_partition_z_count) = (16, 16);
        let between = |corners| cells_between(&world, corners).unwrap();
        // The first rectangle of C3's scripts.
        let expected = (6..14, 2..6);
        assert_eq!(between([-10240.0, -2048.0, -2048.0, -6144.0]), expected);
        assert_eq!(between([-2048.0, -6144.0, -10240.0, -2048.0]), expected);
        // Inside one cell: nothing.
        assert_eq!(between([-10000.0, -2500.0, -9900.0, -2100.0]), (6..6, 2..2));
        // Outside: clamped to the grid.
        assert_eq!(between([-90000.0, 5.0, 90000.0, -90000.0]), (0..15, 0..15));
        world.record.virt_partition_size = Vec2::from([0.0, 0.0]);
        assert_eq!(cells_between(&world, [1.0; 4]), None);
    }
}
