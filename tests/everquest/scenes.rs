//! Scenes of the fixtures: round trips, counts, and consistency of their values.

use relicast::formats::everquest::wld::{
    self, BitmapInfo, Body, FragmentKind, Mesh, Surface, TextureCoordinates, Wld, ZoneLine,
};
use relicast_testing::test;

use crate::support::{ARCHIVES, fixture_members, fixtures};

fn meshes<'w>(wld: &'w Wld<'_>) -> impl Iterator<Item = &'w Mesh<'w>> {
    wld.fragments
        .iter()
        .filter_map(|fragment| match &fragment.body {
            Body::Mesh(mesh) => Some(&**mesh),
            _ => None,
        })
}

fn count(wld: &Wld<'_>, kind: FragmentKind) -> usize {
    let fragments = wld.fragments.iter();
    fragments.filter(|fragment| fragment.kind() == kind).count()
}

fn bitmap_names<'w>(wld: &'w Wld<'_>) -> Vec<&'w BitmapInfo> {
    let bodies = wld.fragments.iter().map(|fragment| &fragment.body);
    bodies
        .filter_map(|body| match body {
            Body::BitmapInfo(info) => Some(info),
            _ => None,
        })
        .collect()
}

/// Surface of each face of a mesh, by the chain palette, material.
fn surfaces(wld: &Wld<'_>, mesh: &Mesh) -> Vec<Surface> {
    let Some(Body::MaterialPalette(palette)) = wld.get(mesh.palette).map(|found| &found.body)
    else {
        panic!("no palette");
    };
    mesh.faces_with_materials()
        .map(|(_, index)| {
            let material = palette.materials[usize::from(index.unwrap())];
            match &wld.get(material).unwrap().body {
                Body::Material(material) => material.surface(),
                other => panic!("{:?}", other.kind()),
            }
        })
        .collect()
}

#[test]
fn fixture_scenes_survive_with_every_fragment_understood() {
    let folder = fixtures();
    let mut scenes = 0;
    for archive in ARCHIVES {
        for (name, bytes) in fixture_members(&folder, archive) {
            if !name.ends_with(".wld") {
                continue;
            }
            scenes += 1;
            let decoded = wld::decode(&bytes).unwrap();
            assert!(
                decoded.deviations.is_empty(),
                "{name}: {:?}",
                decoded.deviations
            );
            let wld = decoded.value;
            assert!(wld::encode(&wld).unwrap() == bytes, "{name} changed");
            for fragment in &wld.fragments {
                let raw = matches!(fragment.body, Body::Raw(_));
                assert!(!raw, "{name}: {:?}", fragment.kind());
                let named = fragment.name.as_ref();
                let lost = named.is_some_and(|name| name.reference < 0 && name.text.is_none());
                assert!(!lost, "{name}: {named:?}");
            }
            let rebuilt = Wld::new(wld.header.version, wld.strings, wld.fragments).unwrap();
            assert_eq!(rebuilt.header, wld.header);
            let json = serde_json::to_vec(&rebuilt).unwrap();
            assert!(json.len() > bytes.len() / 2);
        }
    }
    assert_eq!(scenes, 6);
}

#[test]
fn scenes_hold_the_documented_counts() {
    let folder = fixtures();
    let expected = [
        (
            "gfaydark.s3d",
            4646,
            1597,
            97_028,
            74_981,
            73_551,
            33,
            32,
            32,
        ),
        (
            "gfaydark_obj.s3d",
            1126,
            84,
            6_589,
            4_102,
            4_102,
            192,
            210,
            210,
        ),
        (
            "newformat_obj.s3d",
            1126,
            84,
            6_589,
            4_102,
            4_102,
            192,
            210,
            254,
        ),
    ];
    for (archive, fragments, mesh_count, vertices, triangles, visible, materials, infos, files) in
        expected
    {
        let scene = archive.replace(".s3d", ".wld");
        let bytes = &fixture_members(&folder, archive)[&scene];
        let wld = wld::decode(bytes).unwrap().value;
        assert_eq!(wld.fragments.len(), fragments);
        assert_eq!(count(&wld, FragmentKind::Mesh), mesh_count);
        let sum = |size: fn(&Mesh) -> usize| meshes(&wld).map(size).sum::<usize>();
        assert_eq!(sum(|mesh| mesh.positions.len()), vertices);
        assert_eq!(sum(|mesh| mesh.faces.len()), triangles);
        let drawn = meshes(&wld)
            .flat_map(|mesh| surfaces(&wld, mesh))
            .filter(|&surface| surface != Surface::Boundary);
        assert_eq!(drawn.count(), visible);
        assert_eq!(count(&wld, FragmentKind::Material), materials);
        let names = bitmap_names(&wld);
        assert_eq!(names.len(), infos);
        assert_eq!(
            names.iter().map(|info| info.files.len()).sum::<usize>(),
            files
        );
    }
}

#[test]
fn the_new_version_holds_the_same_meshes_with_float_coordinates() {
    let folder = fixtures();
    let old_bytes = &fixture_members(&folder, "gfaydark_obj.s3d")["gfaydark_obj.wld"];
    let new_bytes = &fixture_members(&folder, "newformat_obj.s3d")["newformat_obj.wld"];
    let old = wld::decode(old_bytes).unwrap().value;
    let new = wld::decode(new_bytes).unwrap().value;
    assert!(new.header.version.is_new() && !old.header.version.is_new());
    for (old, new) in meshes(&old).zip(meshes(&new)) {
        assert!(matches!(
            new.texture_coordinates,
            TextureCoordinates::Float(_)
        ));
        for vertex in 0..old.positions.len() {
            assert_eq!(
                old.texture_coordinates.get(vertex),
                new.texture_coordinates.get(vertex)
            );
            assert_eq!(old.position(vertex), new.position(vertex));
        }
    }
    let names = bitmap_names(&new);
    let first = |info: &&&BitmapInfo| info.files[0].text().ends_with(".DDS");
    assert_eq!(names.iter().filter(first).count(), 47);
    assert_eq!(names.iter().filter(|info| info.files.len() > 1).count(), 22);
}

#[test]
fn points_and_regions_of_the_zone_agree() {
    let folder = fixtures();
    let bytes = &fixture_members(&folder, "gfaydark.s3d")["gfaydark.wld"];
    let wld = wld::decode(bytes).unwrap().value;
    let tree = wld
        .fragments
        .iter()
        .find_map(|fragment| match &fragment.body {
            Body::BspTree(tree) => Some(tree),
            _ => None,
        });
    let tree = tree.unwrap();
    for (point, region, depth) in [
        ([0.0, 0.0, 0.0], 1775, 14),
        ([500.0, 500.0, 50.0], 2318, 14),
        ([-1937.0, -2646.0, 33.0], 2860, 17),
    ] {
        let (leaf, steps) = tree.leaf_at(point).unwrap();
        assert_eq!((tree.nodes[leaf].region, steps), (region, depth));
    }
    let regions = wld.header.region_count;
    let mut seen = 0;
    let mut number = 0;
    let mut lines = Vec::new();
    for fragment in &wld.fragments {
        match &fragment.body {
            Body::Region(region) => {
                let visible = region.visible[0].regions(regions);
                assert!(visible.deviations.is_empty());
                assert!(visible.value.contains(&number), "region {number}");
                seen += visible.value.len();
                number += 1;
            }
            Body::Zone(zone) => lines.push(zone.meaning(fragment.name()).line),
            _ => {}
        }
    }
    assert_eq!((number, seen), (regions, 2_973_289));
    lines.sort_by_key(|line| match line {
        Some(ZoneLine::Reference(index)) => Some(*index),
        _ => None,
    });
    let expected: Vec<_> = (1..=4)
        .map(|index| Some(ZoneLine::Reference(index)))
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn skeletons_of_creatures_are_trees_and_cover_their_skins() {
    let folder = fixtures();
    let bytes = &fixture_members(&folder, "gfaydark_chr.s3d")["gfaydark_chr.wld"];
    let wld = wld::decode(bytes).unwrap().value;
    let mut skins = 0;
    for fragment in &wld.fragments {
        let Body::SkeletonDefinition(skeleton) = &fragment.body else {
            continue;
        };
        let order = skeleton.parents_first();
        assert_eq!(order.len(), skeleton.bones.len());
        assert_eq!(
            order.iter().filter(|(_, parent)| parent.is_none()).count(),
            1
        );
        for bone in &skeleton.bones {
            assert!(bone.name.as_str().ends_with("_DAG"));
            let Body::Track(track) = &wld.get(bone.track).unwrap().body else {
                panic!("no track");
            };
            let Body::TrackDefinition(track) = &wld.get(track.definition).unwrap().body else {
                panic!("no definition");
            };
            let pose = track.pose(0).unwrap();
            let length: f32 = pose.rotation.iter().map(|value| value * value).sum();
            assert!((length - 1.0).abs() < 1e-5 && pose.scale > 0.0);
        }
        for skin in skeleton.skins.iter().flatten() {
            let Body::MeshInstance(instance) = &wld.get(skin.mesh).unwrap().body else {
                panic!("no instance");
            };
            let Body::Mesh(mesh) = &wld.get(instance.definition).unwrap().body else {
                continue;
            };
            skins += 1;
            let bones = mesh.pieces.iter().map(|piece| usize::from(piece.bone));
            assert!(bones.max().is_some_and(|bone| bone < skeleton.bones.len()));
        }
    }
    assert!(skins > 0);
}
