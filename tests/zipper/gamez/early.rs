//! Worlds of version 13, of Recoil's demos: two records of another size, all else as in version 15.

use relicast::formats::codec::{Box3, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, Affine, EarlyTranslation, NodeBounds, NodeData, NodeFlags, Object3d, Revision,
};
use relicast_samples::minimal::worlds;
use relicast_testing::test;

/// Slot of the node `house`, which is turned, placed and has a box.
const HOUSE: usize = 5;
/// Slots of nodes, used and free.
const SLOTS: usize = 12;
/// Objects among them.
const OBJECTS: usize = 3;

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(word(bytes, at))
}

fn object(node: &gamez::Node) -> &Object3d {
    match &node.data {
        NodeData::Object3d(object) => object,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_demo_world_is_read_and_written_without_a_deviation() {
    let made = worlds::early_gamez();
    let bytes = gamez::encode(&made).unwrap();
    assert_eq!(word(&bytes, 4), 13);
    assert_eq!(gamez::sniff(&bytes), Some(ZipperGame::Recoil));
    let decoded = gamez::decode(&bytes).unwrap();
    assert_eq!(decoded.deviations.described(), []);
    assert_eq!(decoded.value.revision, Revision::Early);
    assert_eq!(decoded.value.version, ZipperGame::Recoil);
    assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
    let json = serde_json::to_value(&decoded.value).unwrap();
    assert_eq!(json["revision"], "early");
}

#[test]
fn its_records_have_their_fields_at_the_offsets_of_version_13() {
    let bytes = gamez::encode(&worlds::early_gamez()).unwrap();
    let released = gamez::encode(&worlds::gamez(ZipperGame::Recoil)).unwrap();
    assert_eq!(bytes.len(), released.len() + SLOTS * 72 + OBJECTS * 12);
    let nodes = word(&bytes, 32) as usize;
    let slot = nodes + HOUSE * 268;
    assert_eq!(&bytes[slot..slot + 6], b"house\0");
    let corner: Vec<f32> = (0..3)
        .map(|axis| float(&bytes, slot + 116 + axis * 4))
        .collect();
    // The box of the children is at 236: from 0 to (1, 1, 0.5). The first corner is (0, 0, 0.5) under the
    // matrix.
    assert_eq!(float(&bytes, slot + 236 + 12), 1.0);
    assert_eq!(float(&bytes, slot + 236 + 20), 0.5);
    let data = word(&bytes, slot + 264) as usize;
    let matrix: Vec<f32> = (0..12)
        .map(|part| float(&bytes, data + 60 + part * 4))
        .collect();
    let place: Vec<f32> = (0..3)
        .map(|axis| float(&bytes, data + 48 + axis * 4))
        .collect();
    assert_eq!(place, [5.0, 0.0, 7.0]);
    assert_eq!(matrix[9..], [5.0, 0.0, 7.0]);
    for axis in 0..3 {
        assert_eq!(corner[axis], 0.5 * matrix[6 + axis] + place[axis]);
    }
}

#[test]
fn corners_go_round_the_lower_face_and_then_the_upper() {
    let bounds = Box3 {
        min: Vec3::from([-1.0, -2.0, -3.0]),
        max: Vec3::from([1.0, 2.0, 3.0]),
    };
    let moved = Affine {
        translation: Vec3::from([10.0, 20.0, 30.0]),
        ..Affine::identity()
    };
    let NodeBounds::Corners(corners) = NodeBounds::corners(&bounds, &moved) else {
        panic!("corners were asked for");
    };
    let expected = [
        [9.0, 18.0, 33.0],
        [11.0, 18.0, 33.0],
        [11.0, 18.0, 27.0],
        [9.0, 18.0, 27.0],
        [9.0, 22.0, 33.0],
        [11.0, 22.0, 33.0],
        [11.0, 22.0, 27.0],
        [9.0, 22.0, 27.0],
    ];
    assert_eq!(corners.map(|corner| corner.to_array()), expected);
}

#[test]
fn the_box_of_a_node_is_that_around_its_model_and_its_children() {
    let mut world = worlds::early_gamez();
    let house = &mut world.nodes.used[HOUSE];
    house.record.model_bbox = Box3 {
        min: Vec3::from([-2.0, 0.25, 0.0]),
        max: Vec3::from([0.5, 3.0, 0.25]),
    };
    let bounds = house.bounds(ZipperGame::Recoil).unwrap();
    assert_eq!(bounds.min.to_array(), [-2.0, 0.0, 0.0]);
    assert_eq!(bounds.max.to_array(), [1.0, 3.0, 0.5]);
}

#[test]
fn corners_without_their_flag_are_reported() {
    let mut world = worlds::early_gamez();
    world.nodes.used[HOUSE].record.flags -= NodeFlags::BBOX_NODE;
    let bytes = gamez::encode(&world).unwrap();
    let decoded = gamez::decode(&bytes).unwrap();
    let met = decoded.deviations.described();
    let fields: Vec<&str> = met.iter().map(|deviation| &*deviation.field).collect();
    assert_eq!(fields, ["nodes[5].node_bbox"]);
}

#[test]
fn records_of_the_other_revision_are_not_written() {
    let mut boxed = worlds::early_gamez();
    boxed.nodes.used[HOUSE].record.node_bbox = NodeBounds::Box(Box3::default());
    let error = gamez::encode(&boxed).unwrap_err();
    assert_eq!(error.field(), "nodes[5].node_bbox");
    let mut placed = worlds::gamez(ZipperGame::Recoil);
    let NodeData::Object3d(house) = &mut placed.nodes.used[HOUSE].data else {
        panic!("the house is an object");
    };
    house.early_translation = EarlyTranslation(Some(Vec3::default()));
    let error = gamez::encode(&placed).unwrap_err();
    assert_eq!(error.field(), "nodes[5].early_translation");
    let mut other = worlds::early_gamez();
    other.version = ZipperGame::MechWarrior3;
    assert_eq!(gamez::encode(&other).unwrap_err().field(), "revision");
    assert!(
        object(&other.nodes.used[HOUSE])
            .early_translation
            .0
            .is_some()
    );
}
