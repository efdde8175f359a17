//! Members of model libraries after their nodes changed: lists in the order of the tree.

use relicast_formats::zipper::mechlib::{MechModel, MechNode};

use crate::pack::edited::Refusal;

/// Puts the nodes of a member in the order of their tree, and drops those outside of it. Returns for each node its
/// number before.
///
/// # Errors
/// The nodes are no tree.
pub(super) fn put_in_order(mech: &mut MechModel) -> Result<Vec<usize>, Refusal> {
    let mut order = Vec::with_capacity(mech.nodes.len());
    let mut numbers: Vec<Option<u32>> = vec![None; mech.nodes.len()];
    let mut open = vec![0_usize];
    while let Some(node) = open.pop() {
        let number = u32::try_from(order.len()).map_err(Refusal::new)?;
        let found = mech.nodes.get(node).zip(numbers.get_mut(node));
        let (found, place) = found.ok_or_else(|| refusal!("a node does not exist"))?;
        if place.replace(number).is_some() {
            refuse!("node {}: it is below several nodes", found.node.name());
        }
        order.push(node);
        open.extend(found.node.children.iter().rev().map(|&it| it as usize));
    }
    let numbered = |list: &[u32]| -> Vec<u32> {
        let known = list.iter().filter_map(|&it| *numbers.get(it as usize)?);
        known.collect()
    };
    let nodes = order.iter().filter_map(|&node| {
        let MechNode { node, model } = mech.nodes.get(node)?;
        let mut node = node.clone();
        node.parents = numbered(&node.parents);
        node.children = numbered(&node.children);
        node.record.relations.parent_count = u32::from(!node.parents.is_empty());
        Some(MechNode {
            node,
            model: model.clone(),
        })
    });
    mech.nodes = nodes.collect();
    Ok(order)
}
