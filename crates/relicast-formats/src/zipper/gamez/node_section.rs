//! The node section: an array of slots, then data and index lists of the used ones.

use crate::zipper::ZipperGame;
use relicast_codec::{Decoded, Field, FormatError, Reader, Result, Stream, Writer};

use super::early::{NodeBounds, Revision};
use super::lists::{counted, null_iff_empty};
use super::name::NodeName;
use super::node::{Node, NodeRecord};
use super::node_class::NodeClass;
use super::node_data::NodeData;
use super::node_rules;
use super::nodes::{Context, FreeNode, Nodes};
use super::section::Section;

fn blank(revision: Revision) -> NodeRecord {
    NodeRecord {
        model_index: -1,
        node_bbox: NodeBounds::of_revision(revision),
        ..NodeRecord::default()
    }
}

/// Bytes of a slot: record and trailer.
const fn slot_size(version: ZipperGame, revision: Revision) -> usize {
    NodeRecord::size(version)
        .saturating_add(revision.further_node_bytes())
        .saturating_add(4)
}

/// Fails for a record whose bounds have the form of the other revision.
fn check_bounds(record: &NodeRecord, revision: Revision, offset: usize) -> Result<()> {
    let (expected, found) = match (revision, &record.node_bbox) {
        (Revision::Released, NodeBounds::Corners(_)) => ("a box", "corners"),
        (Revision::Early, NodeBounds::Box(_)) => ("corners", "a box"),
        (Revision::Released, NodeBounds::Box(_)) | (Revision::Early, NodeBounds::Corners(_)) => {
            return Ok(());
        }
    };
    Err(FormatError::unencodable(
        "node_bbox",
        offset,
        expected,
        found,
    ))
}

/// Fails for a node whose record or data have the form of the other revision.
fn check_revision(node: &Node, revision: Revision, offset: usize) -> Result<()> {
    check_bounds(&node.record, revision, offset)?;
    match &node.data {
        NodeData::Object3d(object)
            if object.early_translation.is_none() != revision.is_released() =>
        {
            let expected = "a translation before the matrix only in worlds of version 13";
            let found = format_args!("{:?}", object.early_translation.0);
            Err(FormatError::unencodable(
                "early_translation",
                offset,
                expected,
                found,
            ))
        }
        _ => Ok(()),
    }
}

/// A slot as stored in the array; the meaning of its trailer depends on class and game.
#[derive(Default)]
struct SlotHead {
    record: NodeRecord,
    trailer: u32,
}

/// Reads the slots and returns the number of used ones. The rules declared with the fields apply to used slots only.
fn read_slots(reader: &mut Reader<'_>, context: &Context) -> Result<(Vec<SlotHead>, usize)> {
    let version = context.version;
    let size = slot_size(version, context.revision);
    let mut heads: Vec<SlotHead> = Vec::new();
    let mut used = 0_usize;
    let mut in_tail = false;
    reader.list("", &mut heads, context.slots, size, |reader, head| {
        head.record.node_bbox = NodeBounds::of_revision(context.revision);
        let mut quiet = Reader::new(reader.whole());
        quiet.seek("", reader.position())?;
        if version.stores_free_nodes() && !in_tail {
            let mut name = NodeName::default();
            quiet.clone().value("name", &mut name)?;
            in_tail = name.is_blank();
        }
        if in_tail {
            head.record.visit("", &mut quiet, version)?;
            reader.seek("", quiet.position())?;
        } else {
            used = used.saturating_add(1);
            head.record.visit("", reader, version)?;
        }
        reader.value("trailer", &mut head.trailer)
    })?;
    Ok((heads, used))
}

/// Reads the section and returns its end, which only reading finds.
pub(super) fn decode(
    bytes: &[u8],
    start: usize,
    end: usize,
    context: &Context,
) -> Result<Decoded<(Nodes, usize)>> {
    let version = context.version;
    let mut section = Section::new(bytes, start, end)?;
    let size = slot_size(version, context.revision);
    let (heads, used) = section.head(|reader| read_slots(reader, context))?;
    let mut nodes = Nodes::default();
    nodes.free.reserve_exact(heads.len().saturating_sub(used));
    nodes.used.reserve_exact(used);
    let blank = blank(context.revision);
    for (index, head) in heads.into_iter().enumerate() {
        let offset = start.saturating_add(index.saturating_mul(size));
        if index >= used {
            let residue = (head.record != blank).then(|| Box::new(head.record));
            let next = index.saturating_add(1);
            let expected = if next < context.slots {
                next
            } else {
                0x00FF_FFFF
            };
            if residue.is_some() || head.trailer as usize != expected {
                let found = format_args!("a link to {}", head.trailer);
                let expected = format_args!("a blank record and a link to {expected}");
                section.deviate(format!("[{index}]"), offset, expected, found);
            }
            nodes.free.push(FreeNode {
                link: head.trailer,
                residue,
            });
            continue;
        }
        let node = read_node(&mut section, index, head, offset, context)?;
        nodes.used.push(node);
    }
    node_rules::check_whole(&nodes, &mut section, start, context);
    let read = section.position();
    Ok(section.finish_early((nodes, read)))
}

fn read_node(
    section: &mut Section<'_>,
    index: usize,
    head: SlotHead,
    offset: usize,
    context: &Context,
) -> Result<Node> {
    let version = context.version;
    let class = head.record.class;
    let data = NodeData::of_class(class, context.revision).ok_or_else(|| {
        FormatError::unsupported("class", offset, "0 to 6, or 9", class.code()).within("", index)
    })?;
    let mut node = Node {
        record: head.record,
        data,
        ..Node::default()
    };
    if version.stores_free_nodes() && class != NodeClass::Empty {
        node.gap = section.jump(index, "data_offset", head.trailer)?;
    } else {
        node.link = head.trailer;
    }
    section.part(index, |reader| {
        node_rules::check_record(&node.record, reader, version, offset);
        node_rules::check_place(&node, reader, index, offset, context);
        let data_offset = reader.position();
        node.data.visit(reader, version)?;
        node_rules::check_data(&node, reader, version, data_offset);
        if class != NodeClass::Empty {
            let relations = &node.record.relations;
            let parents = relations.parent_count as usize;
            reader.values("parents", &mut node.parents, parents)?;
            let children = relations.child_count as usize;
            reader.values("children", &mut node.children, children)?;
        }
        let relations = &node.record.relations;
        for (field, pointer, count) in [
            (
                "parent_array_ptr",
                relations.parent_array_ptr,
                relations.parent_count,
            ),
            (
                "child_array_ptr",
                relations.child_array_ptr,
                relations.child_count,
            ),
        ] {
            null_iff_empty(reader, field, offset, pointer, count as usize);
        }
        Ok(node)
    })
}

/// Writes the section, which starts at `start` in the file.
pub(super) fn encode(
    nodes: &Nodes,
    version: ZipperGame,
    revision: Revision,
    start: usize,
) -> Result<Vec<u8>> {
    let mut head = Writer::default();
    let mut data = Writer::default();
    let size = slot_size(version, revision);
    let slots = nodes.used.len().saturating_add(nodes.free.len());
    let data_start = start.saturating_add(slots.saturating_mul(size));
    if !version.stores_free_nodes() && !nodes.free.is_empty() {
        let found = nodes.free.len();
        return Err(FormatError::unencodable(
            "nodes",
            start,
            "no free slots",
            found,
        ));
    }
    for (index, node) in nodes.used.iter().enumerate() {
        check_revision(node, revision, head.position())
            .and_then(|()| write_node(node, version, &mut head, &mut data, data_start))
            .map_err(|error| error.within("nodes", index))?;
    }
    for slot in &nodes.free {
        let mut record = slot
            .residue
            .as_deref()
            .cloned()
            .unwrap_or_else(|| blank(revision));
        check_bounds(&record, revision, head.position())?;
        record.visit("", &mut head, version)?;
        head.value("link", &mut slot.link.clone())?;
    }
    let mut bytes = head.into_bytes();
    bytes.append(&mut data.into_bytes());
    Ok(bytes)
}

fn write_node(
    node: &Node,
    version: ZipperGame,
    head: &mut Writer,
    data: &mut Writer,
    data_start: usize,
) -> Result<()> {
    let mut node = node.clone();
    node.record.class = node.data.class();
    if version.stores_free_nodes() && node.record.name.is_blank() {
        let expected = "a name (slots without a name are free)";
        return Err(FormatError::unencodable(
            "name",
            head.position(),
            expected,
            "none",
        ));
    }
    let empty = node.data == NodeData::Empty;
    if !empty {
        node.record.relations.parent_count = counted("parents", node.parents.len())?;
        node.record.relations.child_count = counted("children", node.children.len())?;
    }
    node.record.visit("", head, version)?;
    let length = node.gap.len();
    data.bytes("gap", &mut node.gap.0, length)?;
    let mut trailer = node.link;
    if version.stores_free_nodes() && !empty {
        trailer = counted("data_offset", data_start.saturating_add(data.position()))?;
    }
    head.value("trailer", &mut trailer)?;
    node.data.visit(data, version)?;
    let (parents, children) = match empty {
        true => (0, 0),
        false => (node.parents.len(), node.children.len()),
    };
    data.values("parents", &mut node.parents, parents)?;
    data.values("children", &mut node.children, children)
}
