//! Generated scenes: round trips, and corrupt files.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use relicast::formats::codec::F32;
use relicast::formats::everquest::wld::{
    self, Body, Bone, Fragment, FragmentKind, FragmentRef, Instance, Name, Skeleton, StringTable,
    Version, Wld,
};
use relicast_testing::test;

use crate::support::{fixture_members, fixtures, mutate};
use relicast_samples::minimal::scene;

#[test]
fn a_scene_of_our_own_survives_in_both_versions() {
    for version in [Version::Old, Version::New, Version::OldMarked] {
        let bytes = scene::scene(version);
        let decoded = wld::decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        assert_eq!(wld::encode(&decoded.value).unwrap(), bytes);
        let scales: Vec<_> = decoded
            .value
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::PolyhedronDefinition(volume) => Some(volume.scale),
                _ => None,
            })
            .collect();
        assert_eq!(scales, [Some(F32(2.0)), Some(F32(3.0)), None]);
        let raw = decoded
            .value
            .fragments
            .iter()
            .filter(|fragment| matches!(fragment.body, Body::Raw(_)));
        assert_eq!(raw.count(), 1);
        let tree = decoded.value.find(FragmentKind::Mesh, "tree_dmspritedef");
        assert!(tree.is_some());
        let json = serde_json::to_value(&decoded.value).unwrap();
        assert_eq!(json["fragments"][tree.unwrap()]["name"], "TREE_DMSPRITEDEF");
    }
}

#[test]
fn lists_read_in_place_are_those_that_are_copied() {
    for version in [Version::Old, Version::New] {
        let bytes = scene::scene(version);
        let mut shifted = vec![0; bytes.len() + 12];
        let aligned = shifted.as_ptr().align_offset(8);
        let mut decoded = Vec::new();
        for start in aligned..aligned + 4 {
            let place = start..start + bytes.len();
            shifted[place.clone()].copy_from_slice(&bytes);
            decoded.push(wld::decode(&shifted[place]).unwrap().value.into_owned());
        }
        assert!(decoded.iter().all(|scene| *scene == decoded[0]));
        assert_eq!(wld::encode(&decoded[0]).unwrap(), bytes);
    }
}

#[test]
fn bodies_that_are_not_requested_stay_as_they_are() {
    let bytes = scene::scene(Version::Old);
    let whole = wld::decode(&bytes).unwrap().value;
    let left = [FragmentKind::Mesh, FragmentKind::Material];
    let part = wld::decode_except(&bytes, &left).unwrap().value;
    assert_eq!(wld::encode(&part).unwrap(), bytes);
    let mut count = 0;
    for (part, whole) in part.fragments.iter().zip(&whole.fragments) {
        assert_eq!((part.kind(), part.name()), (whole.kind(), whole.name()));
        match &part.body {
            Body::Raw(raw) if left.contains(&raw.kind) => {
                assert_eq!(raw.fault, None);
                count += 1;
            }
            body => assert_eq!(*body, whole.body),
        }
    }
    let wanted = |fragment: &&Fragment<'_>| left.contains(&fragment.kind());
    assert_eq!(count, whole.fragments.iter().filter(wanted).count());
    assert!(count > 1 && part.fragments.len() == whole.fragments.len());
}

#[test]
fn coordinates_of_the_other_version_are_not_written() {
    let bytes = scene::scene(Version::New);
    let mut wld = wld::decode(&bytes).unwrap().value;
    wld.header.version = Version::Old;
    let error = wld::encode(&wld).unwrap_err();
    assert!(error.field().ends_with("texture_coordinates"), "{error}");
}

/// Decodes variants of a good file; everything that decodes must survive.
fn survives(bytes: &[u8]) {
    if let Ok(decoded) = wld::decode(bytes) {
        assert!(wld::encode(&decoded.value).unwrap() == bytes);
        for fragment in &decoded.value.fragments {
            match &fragment.body {
                Body::SkeletonDefinition(skeleton) => {
                    assert_eq!(skeleton.parents_first().len(), skeleton.bones.len());
                }
                Body::BspTree(tree) => {
                    tree.leaf_at([1.0, 2.0, 3.0]);
                }
                Body::Region(region) => {
                    for list in &region.visible {
                        assert!(list.regions(100).value.len() <= usize::from(u16::MAX));
                    }
                }
                Body::Mesh(mesh) => {
                    assert_eq!(mesh.faces_with_materials().count(), mesh.faces.len())
                }
                _ => {}
            }
        }
    }
}

#[test]
fn corrupt_scenes_do_no_harm_and_survive_when_they_decode() {
    for version in [Version::Old, Version::New] {
        mutate(&scene::scene(version), 1, survives);
    }
}

#[test]
fn corrupt_fixture_scenes_do_no_harm() {
    let folder = fixtures();
    let bytes = &fixture_members(&folder, "gfaydark_obj.s3d")["gfaydark_obj.wld"];
    mutate(bytes, bytes.len() / 60 + 1, survives);
}

#[test]
fn references_in_circles_are_preserved_and_reported() {
    let mut list: Vec<Fragment<'_>> = Vec::new();
    for definition in [2, 1, 99] {
        let body = Body::SimpleSprite(Instance {
            definition: FragmentRef(definition),
            flags: 0,
        });
        list.push(Fragment::new(Name::default(), body));
    }
    let wld = Wld::new(Version::Old, StringTable::default(), list).unwrap();
    let bytes = wld::encode(&wld).unwrap();
    let decoded = wld::decode(&bytes).unwrap();
    assert_eq!(decoded.deviations.total(), 3);
    assert_eq!(decoded.value, wld);
    assert!(decoded.value.get(FragmentRef(99)).is_none());
    assert!(decoded.value.get(FragmentRef(-2)).is_none());
}

#[test]
fn a_corrupt_body_is_stored_raw_with_its_reason() {
    let mut bytes = scene::scene(Version::Old);
    let wld = wld::decode(&bytes).unwrap().value;
    let index = wld.find(FragmentKind::Zone, "WT_ZONE").unwrap();
    let before: usize = wld.fragments[..index]
        .iter()
        .map(|fragment| {
            let one = vec![fragment.clone()];
            let file = Wld::new(Version::Old, StringTable::default(), one).unwrap();
            8 + file.header.largest_fragment as usize
        })
        .sum();
    let count = 28 + wld.header.string_bytes as usize + before + 8 + 8;
    assert_eq!(bytes[count..count + 4], [2, 0, 0, 0]);
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let decoded = wld::decode(&bytes).unwrap();
    let Body::Raw(raw) = &decoded.value.fragments[index].body else {
        panic!("a list of 2^32 regions");
    };
    assert_eq!(raw.kind, FragmentKind::Zone);
    assert_eq!(raw.fault.as_ref().unwrap().field(), "regions");
    assert_eq!(decoded.value.fragments[index].name(), "WT_ZONE");
    let deviation = &decoded.deviations.described()[0];
    assert_eq!(deviation.offset as usize, count + 4);
    assert_eq!(wld::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn a_chain_of_65_536_bones_decodes_and_walks() {
    let mut bones: Vec<Bone> = (1..65_536)
        .map(|child| Bone {
            children: vec![child],
            ..Bone::default()
        })
        .collect();
    // The last one closes a loop.
    bones.push(Bone {
        children: vec![0],
        ..Bone::default()
    });
    let skeleton = Body::SkeletonDefinition(Box::new(Skeleton {
        bones,
        ..Skeleton::default()
    }));
    let list = vec![Fragment::new(Name::default(), skeleton)];
    let wld = Wld::new(Version::Old, StringTable::default(), list).unwrap();
    let bytes = wld::encode(&wld).unwrap();
    let decoded = wld::decode(&bytes).unwrap();
    assert!(!decoded.deviations.is_empty());
    assert_eq!(decoded.value, wld);
    let Body::SkeletonDefinition(skeleton) = &decoded.value.fragments[0].body else {
        panic!("no skeleton");
    };
    assert_eq!(skeleton.parents_first().len(), 65_536);
}

proptest! {
    #[test]
    fn any_fragment_survives(kind in 0_u32..0x40, body in vec(any::<u8>(), 0..200)) {
        let mut bytes = scene::scene(Version::Old);
        bytes.truncate(bytes.len() - 4);
        bytes[8] += 1;
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(&body);
        let decoded = wld::decode(&bytes).unwrap();
        prop_assert_eq!(wld::encode(&decoded.value).unwrap(), bytes);
    }
}
