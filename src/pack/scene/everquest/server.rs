//! Edits of nodes that come from the tables of a server, which no game file stores.

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::Difference;
use crate::pack::scene::file::SceneFile;

use super::recut::Recut;

/// Returns the table and the line that a node, or one above it, comes from.
fn row_of(scene: &SceneFile, node: usize) -> Option<(&str, u64)> {
    let mut at = Some(node);
    // A node has at most as many ancestors as there are nodes.
    for _ in 0..scene.nodes.len() {
        let node = scene.nodes.get(at?)?;
        let row = node
            .extras
            .get("everquest")
            .and_then(|facts| facts.get("server"));
        if let Some(row) = row {
            return Some((row.get("file")?.as_str()?, row.get("line")?.as_u64()?));
        }
        at = node.parent;
    }
    None
}

/// Checks that no edit is of a node or mesh that only tables of a server place.
///
/// # Errors
/// An edit is; the refusal names the table and the line.
pub(super) fn check(
    base: &SceneFile,
    difference: &Difference,
    recut: &[Recut],
) -> Result<(), Refusal> {
    let refuse = |node: usize, remedy: &str| match row_of(base, node) {
        None => Ok(()),
        Some((file, line)) => {
            let name = base.nodes.get(node).map_or("", |node| &*node.name);
            Err(refusal!(
                "node {name}: it comes from line {line} of {file}, not from a game file; {remedy}"
            ))
        }
    };
    for change in &difference.nodes {
        refuse(change.base, "edit the table and convert again")?;
    }
    let meshes = difference.meshes.iter().map(|change| change.old);
    for mesh in meshes.chain(recut.iter().map(|recut| recut.base)) {
        let nodes = base.nodes.iter().enumerate();
        let mut showing = nodes
            .filter(|(_, node)| node.mesh == Some(mesh))
            .map(|(number, _)| number);
        let Some(first) = showing.next() else {
            continue;
        };
        if showing.all(|node| row_of(base, node).is_some()) {
            refuse(first, "edit the scene of the model")?;
        }
    }
    Ok(())
}
