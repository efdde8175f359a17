//! Soft rules of nodes: every file seen follows them, and reading does not depend on them.

use crate::zipper::ZipperGame;
use relicast_codec::{Box3, F32, NumericEq, Reader, Stream, Vec3, shown};

use super::affine::{Affine, Rotation};
use super::early::NodeBounds;

use super::node::{ActiveBox, AreaPartition, Node, NodeFlags, NodeRecord};
use super::node_class::NodeClass;
use super::node_data::{Camera, Light, Lod, NodeData, Object3d, Object3dFlags};
use super::nodes::{Context, Nodes};
use super::section::Section;

/// Checks the rules of the record at `offset` that are not declared with its fields.
pub(in super::super) fn check_record(
    record: &NodeRecord,
    reader: &mut Reader<'_>,
    version: ZipperGame,
    offset: usize,
) {
    if !record.name.is_regular()
        && !KNOWN_RESIDUE
            .iter()
            .any(|known| record.name.0.starts_with(known))
    {
        let expected = "a name written over the default name";
        reader.deviate("name", offset, expected, shown(&record.name));
    }
    if record.zone_id.0 > 0xFF || !(-1..=80).contains(&record.zone_id.id()) {
        let found = format_args!("{:#x}", record.zone_id.0);
        reader.deviate("zone_id", offset, "-1 to 80 in one byte", found);
    }
    let unknown = record.flags.difference(NodeFlags::all());
    if !unknown.is_empty() {
        let found = format_args!("{:#x}", record.flags.bits());
        reader.deviate("flags", offset, "known flags", found);
    }
    if matches!(record.active_bbox, ActiveBox::Other(_)) {
        reader.deviate("active_bbox", offset, "0 to 2", record.active_bbox.code());
    }
    if version != ZipperGame::Recoil {
        let expected = match record.class {
            NodeClass::Empty | NodeClass::Object3d | NodeClass::Lod => 160,
            _ => 0,
        };
        if record.field196 != expected {
            reader.deviate("field196", offset, expected, record.field196);
        }
    }
    if (record.data_ptr == 0) != (record.class == NodeClass::Empty) {
        let found = format_args!("{:#x}", record.data_ptr);
        reader.deviate(
            "data_ptr",
            offset,
            "null if and only if the node is empty",
            found,
        );
    }
    check_class(record, reader, version, offset);
}

/// Names that retail files write over another name than the default one.
const KNOWN_RESIDUE: [&[u8]; 3] = [
    b"abort_test\0ng\0ame\0",
    b"geometry\x008\0e_name\0",
    b"cockpit1\x000\0e_name\0",
];

/// Flags that a class always has and flags that it may have.
fn flags_of(class: NodeClass, version: ZipperGame) -> Option<(NodeFlags, NodeFlags)> {
    use NodeFlags as F;
    let fixed =
        F::ACTIVE | F::ALTITUDE_SURFACE | F::INTERSECT_SURFACE | F::TREE_VALID | F::ID_ZONE_CHECK;
    Some(match class {
        NodeClass::World if version == ZipperGame::Recoil => {
            let surface = F::ALTITUDE_SURFACE;
            (fixed.difference(surface), surface | F::LANDMARK)
        }
        NodeClass::Camera | NodeClass::Display | NodeClass::Window | NodeClass::World => {
            (fixed, F::empty())
        }
        NodeClass::Light if version == ZipperGame::CrimsonSkies => {
            (fixed.difference(F::ACTIVE) | F::BBOX_NODE, F::empty())
        }
        NodeClass::Light => (fixed | F::BBOX_NODE, F::empty()),
        _ => return None,
    })
}

const NO_BOX: Box3 = {
    const ZERO: Vec3 = Vec3 {
        x: F32(0.0),
        y: F32(0.0),
        z: F32(0.0),
    };
    Box3 {
        min: ZERO,
        max: ZERO,
    }
};

fn check_class(record: &NodeRecord, reader: &mut Reader<'_>, version: ZipperGame, offset: usize) {
    if let Some((always, optional)) = flags_of(record.class, version)
        && record.flags.difference(optional) != always
    {
        let found = shown(&record.flags);
        reader.deviate("flags", offset, shown(&always), found);
    }
    let fixed_name = match record.class {
        NodeClass::World => Some("world1"),
        NodeClass::Display => Some("display"),
        NodeClass::Light => Some("sunlight"),
        NodeClass::Camera if version.until(ZipperGame::PiratesMoon) => Some("camera1"),
        NodeClass::Window if version.until(ZipperGame::PiratesMoon) => Some("window1"),
        _ => None,
    };
    if let Some(name) = fixed_name
        && record.name.text_bytes() != name.as_bytes()
    {
        reader.deviate("name", offset, name, shown(&record.name));
    }
    let is_singular = !matches!(
        record.class,
        NodeClass::Empty | NodeClass::Object3d | NodeClass::Lod | NodeClass::Other(_)
    );
    if is_singular {
        check_singular(record, reader, offset);
    }
    if record.class == NodeClass::Lod {
        check_lod_record(record, reader, version, offset);
    }
    let relations = &record.relations;
    if record.class == NodeClass::Empty
        && (record.area_partition != AreaPartition::NONE
            || relations.parent_count != 0
            || relations.child_count != 0)
    {
        let found = format_args!("{}, {}", shown(&record.area_partition), shown(&relations));
        reader.deviate("relations", offset, "none", found);
    }
    if record.class == NodeClass::Object3d && version == ZipperGame::Recoil {
        let plain = NodeBounds::Box;
        for (field, flag, bounds) in [
            ("node_bbox", NodeFlags::BBOX_NODE, record.node_bbox.clone()),
            (
                "model_bbox",
                NodeFlags::BBOX_MODEL,
                plain(record.model_bbox),
            ),
            (
                "child_bbox",
                NodeFlags::BBOX_CHILD,
                plain(record.child_bbox),
            ),
        ] {
            if !record.flags.contains(flag) && !bounds.is_zero() {
                reader.deviate(field, offset, "zeros without its flag", shown(&bounds));
            }
        }
    }
}

/// Checks the rules of classes with one or few nodes per file.
fn check_singular(record: &NodeRecord, reader: &mut Reader<'_>, offset: usize) {
    if record.zone_id.id() != -1 {
        reader.deviate("zone_id", offset, -1, record.zone_id.id());
    }
    if record.area_partition != AreaPartition::NONE {
        let found = shown(&record.area_partition);
        reader.deviate("area_partition", offset, "none", found);
    }
    let relations = &record.relations;
    let childless = record.class != NodeClass::World;
    if relations.parent_count != 0 || (relations.child_count == 0) != childless {
        let found = shown(&relations);
        reader.deviate("relations", offset, "those of the class", found);
    }
    let node_box = match record.class {
        NodeClass::Light => Box3 {
            min: Vec3::from([1.0, 1.0, -2.0]),
            max: Vec3::from([2.0, 2.0, -1.0]),
        },
        _ => NO_BOX,
    };
    if !(record.node_bbox.may_be(&node_box)
        && record.model_bbox.same(&NO_BOX)
        && record.child_bbox.same(&NO_BOX))
    {
        let found = (&record.node_bbox, record.model_bbox, record.child_bbox);
        reader.deviate("node_bbox", offset, "the boxes of the class", shown(&found));
    }
}

fn check_lod_record(
    record: &NodeRecord,
    reader: &mut Reader<'_>,
    version: ZipperGame,
    offset: usize,
) {
    let relations = &record.relations;
    if version != ZipperGame::Recoil && (relations.parent_count != 1 || relations.child_count == 0)
    {
        let found = shown(&relations);
        reader.deviate("relations", offset, "one parent and children", found);
    }
    if version != ZipperGame::MechWarrior3 && record.area_partition != AreaPartition::NONE {
        let found = shown(&record.area_partition);
        reader.deviate("area_partition", offset, "none", found);
    }
    let (node, child) = (&record.node_bbox, &record.child_bbox);
    let regular = match version {
        ZipperGame::Recoil => true,
        ZipperGame::MechWarrior3 => node.may_be(child),
        ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => {
            node.may_be(&NO_BOX) && record.active_bbox == ActiveBox::Child
        }
    };
    if !regular || !record.model_bbox.same(&NO_BOX) {
        let found = (record.active_bbox, node, record.model_bbox, child);
        let found = shown(&found);
        reader.deviate("node_bbox", offset, "the boxes of the class", found);
    }
}

/// Checks the place of a node in the world: slot, model, cell.
pub(super) fn check_place(
    node: &Node,
    reader: &mut Reader<'_>,
    index: usize,
    offset: usize,
    context: &Context,
) {
    let record = &node.record;
    let version = context.version;
    let has_model = record.model_index >= 0;
    let model_fits = match node.model() {
        Some(model) => record.class == NodeClass::Object3d && model < context.models,
        None => record.model_index == -1,
    };
    if !model_fits {
        reader.deviate(
            "model_index",
            offset,
            "-1 or a model of an object",
            record.model_index,
        );
    }
    if matches!(version, ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon)
        && record.class == NodeClass::Object3d
        && record.flags.contains(NodeFlags::BBOX_MODEL)
        && !has_model
    {
        let found = shown(&record.flags);
        reader.deviate(
            "flags",
            offset,
            "BBOX_MODEL if and only if there is a model",
            found,
        );
    }
    let slots: &[usize] = match (record.class, version) {
        (NodeClass::World, _) => &[0],
        (NodeClass::Window, ZipperGame::CrimsonSkies) => &[2, 4],
        (NodeClass::Camera, ZipperGame::CrimsonSkies) => &[3, 5],
        (NodeClass::Display, ZipperGame::CrimsonSkies) => &[1],
        (NodeClass::Window, _) => &[1],
        (NodeClass::Camera, _) => &[2],
        (NodeClass::Display, _) => &[3, 4],
        _ => &[],
    };
    if !slots.is_empty() && !slots.contains(&index) {
        reader.deviate(
            "class",
            offset,
            format_args!("slot {}", shown(slots)),
            format_args!("{index}"),
        );
    }
    let AreaPartition { x, z } = record.area_partition;
    let range = if version == ZipperGame::CrimsonSkies {
        -1..=15
    } else {
        0..=255
    };
    let within = range.contains(&x) && range.contains(&z);
    if record.area_partition != AreaPartition::NONE && !within {
        reader.deviate(
            "area_partition",
            offset,
            "a cell or none",
            format_args!("{x}, {z}"),
        );
    }
    if version.since(ZipperGame::PiratesMoon) && node.link >> 24 != 2 {
        let found = format_args!("{:#x}", node.link);
        reader.deviate("link", offset, "0x02 in the highest byte", found);
    }
}

/// Checks the class data, which start at `offset`.
pub(in super::super) fn check_data(
    node: &Node,
    reader: &mut Reader<'_>,
    version: ZipperGame,
    offset: usize,
) {
    match &node.data {
        NodeData::Camera(camera) => check_camera(camera, reader, version, offset),
        NodeData::Light(light) => check_light(light, reader, version, offset),
        NodeData::Lod(lod) => check_lod(lod, reader, version, offset),
        NodeData::Object3d(object) => check_object(object, reader, offset),
        NodeData::Display(_) | NodeData::Window(_) | NodeData::World(_) | NodeData::Empty => {}
    }
}

fn expect(reader: &mut Reader<'_>, field: &'static str, offset: usize, found: F32, expected: f32) {
    if !found.same(&F32(expected)) {
        reader.deviate(field, offset, F32(expected), found);
    }
}

fn check_camera(camera: &Camera, reader: &mut Reader<'_>, version: ZipperGame, offset: usize) {
    let ordered = camera.clip_near.0 > 0.0 && camera.clip_far.0 > camera.clip_near.0;
    if !ordered {
        let found = (camera.clip_near, camera.clip_far);
        reader.deviate("clip_near", offset, "0 < near < far", shown(&found));
    }
    if version == ZipperGame::CrimsonSkies {
        if !matches!(camera.window_index, 2 | 4) {
            reader.deviate("window_index", offset, "2 or 4", camera.window_index);
        }
        for (field, value) in [
            ("lod_multiplier", camera.lod_multiplier),
            ("lod_mul_inv_sq", camera.lod_mul_inv_sq),
            ("fov_h_base", camera.fov_h_base),
            ("fov_v_base", camera.fov_v_base),
        ] {
            expect(reader, field, offset, value, 0.0);
        }
        return;
    }
    let multiplier = camera.lod_multiplier.0;
    expect(reader, "lod_multiplier", offset, camera.lod_multiplier, 1.0);
    let inverse = 1.0 / (multiplier * multiplier);
    expect(
        reader,
        "lod_mul_inv_sq",
        offset,
        camera.lod_mul_inv_sq,
        inverse,
    );
    let bases = [
        (camera.fov_h_base, camera.fov_h_scale),
        (camera.fov_v_base, camera.fov_v_scale),
    ];
    let derived = camera
        .fov_scaled
        .into_iter()
        .zip(camera.fov_half)
        .zip(camera.fov_cot);
    for ((base, scale), ((scaled, half), cotangent)) in bases.into_iter().zip(derived) {
        expect(reader, "fov_scaled", offset, scaled, base.0 * scale.0);
        expect(reader, "fov_half", offset, half, scaled.0 / 2.0);
        // The tangent may differ in the last place from machine to machine.
        let expected = 1.0 / f64::from(half.0).tan();
        let close = (f64::from(cotangent.0) - expected).abs() <= 1e-5 * expected.abs();
        if !close {
            reader.deviate("fov_cot", offset, "the cotangent of the half", cotangent);
        }
    }
}

fn check_light(light: &Light, reader: &mut Reader<'_>, version: ZipperGame, offset: usize) {
    let record = &light.record;
    let (near, far) = (record.range_near.0, record.range_far.0);
    let ordered = near > 0.0 && far > near;
    if !ordered {
        reader.deviate(
            "range_near",
            offset,
            "0 < near < far",
            format_args!("{near}, {far}"),
        );
    }
    if version != ZipperGame::Recoil {
        expect(
            reader,
            "range_near_sq",
            offset,
            record.range_near_sq,
            near * near,
        );
    }
    expect(
        reader,
        "range_far_sq",
        offset,
        record.range_far_sq,
        far * far,
    );
    expect(
        reader,
        "range_inv",
        offset,
        record.range_inv,
        1.0 / (far - near),
    );
    if light.parents.len() != 1 {
        reader.deviate("parent_count", offset, 1, light.parents.len());
    }
}

fn check_lod(lod: &Lod, reader: &mut Reader<'_>, version: ZipperGame, offset: usize) {
    let far = lod.range_far.0;
    let positive = lod.range_near_sq.0 >= 0.0 && far >= 0.0;
    if !positive {
        let found = format_args!("{}, {far}", lod.range_near_sq);
        reader.deviate("range_near_sq", offset, "at least 0", found);
    }
    expect(reader, "range_far_sq", offset, lod.range_far_sq, far * far);
    for [value, square] in [lod.fade_far, lod.field64, lod.field72] {
        expect(reader, "field64", offset, square, value.0 * value.0);
    }
    if version.until(ZipperGame::MechWarrior3) && (lod.morph == 0) != (lod.morph_band == 0) {
        let found = format_args!("{:#x}, {:#x}", lod.morph, lod.morph_band);
        reader.deviate("morph", offset, "both 0 or both not", found);
    }
}

fn check_object(object: &Object3d, reader: &mut Reader<'_>, offset: usize) {
    let flags = object.flags;
    if !flags.contains(Object3dFlags::ALWAYS) || !flags.difference(Object3dFlags::all()).is_empty()
    {
        reader.deviate(
            "flags",
            offset,
            "known flags",
            format_args!("{:#x}", flags.bits()),
        );
    }
    if object.opacity().is_none() {
        expect(reader, "opacity", offset, object.opacity, 0.0);
    }
    if object.color().is_none() {
        if !object.color.same(&Vec3::default()) {
            reader.deviate("color", offset, "zeros", shown(&object.color));
        }
        expect(reader, "tint_weight", offset, object.tint_weight, 0.0);
    }
    let initial = flags.contains(Object3dFlags::TRANSFORM_INITIAL);
    let matrix = flags.contains(Object3dFlags::USE_MATRIX);
    let one = Vec3::from([1.0; 3]);
    if (initial || matrix) && !(object.rotate.same(&Vec3::default()) && object.scale.same(&one)) {
        let found = format_args!("{}, {}", shown(&object.rotate), shown(&object.scale));
        reader.deviate("rotate", offset, "no rotation and scale 1", found);
    }
    if initial && !object.transform.same(&Affine::identity()) {
        reader.deviate(
            "transform",
            offset,
            "the identity",
            shown(&object.transform),
        );
    }
    if !initial && !matrix {
        let computed = Affine {
            basis: Rotation(object.rotate).basis(object.scale),
            translation: object.transform.translation,
        };
        // The last digits differ from the engine's; other differences are deviations.
        let size = object
            .scale
            .to_array()
            .into_iter()
            .fold(1.0, |most: f32, next| most.max(next.abs()));
        let close = object.transform.distance(&computed) <= 1e-3 * size;
        if !close {
            let found = shown(&object.transform.basis);
            reader.deviate("transform", offset, "the matrix of its angles", found);
        }
    }
}

/// Checks all nodes together: indices, mutual lists, the free list.
pub(super) fn check_whole(
    nodes: &Nodes,
    section: &mut Section<'_>,
    offset: usize,
    context: &Context,
) {
    let count = nodes.used.len();
    let mut children: Vec<(u32, usize)> = Vec::new();
    let mut parents: Vec<(u32, usize)> = Vec::new();
    for (index, node) in nodes.used.iter().enumerate() {
        children.extend(node.children.iter().map(|&child| (child, index)));
        for &parent in &node.parents {
            let child = u32::try_from(index).unwrap_or(u32::MAX);
            parents.push((child, parent as usize));
        }
        let placed: &[_] = match &node.data {
            NodeData::World(world) => &world.partitions,
            _ => &[],
        };
        let known = |&index: &u32| (index as usize) < count;
        let entries = placed.iter().flat_map(|cell| &cell.entries);
        let mut all = entries
            .map(|entry| &entry.node)
            .chain(&node.children)
            .chain(&node.parents);
        if !all.all(known) {
            let path = format!("[{index}]");
            section.deviate(
                path,
                offset,
                format_args!("indices below {count}"),
                "others",
            );
        }
    }
    children.sort_unstable();
    parents.sort_unstable();
    if children != parents {
        let differing = children
            .iter()
            .zip(&parents)
            .find(|(left, right)| left != right);
        let found = match differing {
            // The smaller pair is missing from the other list.
            Some((left, right)) => {
                let (child, parent) = left.min(right);
                format!("node {child} and node {parent}, of which only one lists the other")
            }
            None => format!("{} parents and {} children", parents.len(), children.len()),
        };
        section.deviate(
            "",
            offset,
            "parents and children that list each other",
            found,
        );
    }
    if context.version.stores_free_nodes() && !free_list_is_whole(nodes, context.last_free) {
        let expected = "a free list through all unused slots";
        section.deviate("node_last_free", offset, expected, context.last_free);
    }
}

/// Returns true if the free list visits every slot that was never used and ends. It probably visits the empty nodes
/// as well.
fn free_list_is_whole(nodes: &Nodes, head: i32) -> bool {
    const END: u32 = 0x00FF_FFFF;
    let used = nodes.used.len();
    let mut next = head.cast_unsigned() & END;
    let mut visited = 0_usize;
    // A cyclic list never ends, so the loop stops when the list is too long.
    for _ in 0..=used.saturating_add(nodes.free.len()) {
        let index = next as usize;
        let link = match (nodes.used.get(index), index.checked_sub(used)) {
            (Some(node), _) if node.data == NodeData::Empty => node.link,
            (None, Some(place)) => match nodes.free.get(place) {
                Some(slot) => {
                    visited = visited.saturating_add(1);
                    slot.link
                }
                None => break,
            },
            _ => return false,
        };
        next = link & END;
    }
    let ended = next == END || (nodes.free.is_empty() && next as usize == used);
    ended && visited == nodes.free.len()
}
