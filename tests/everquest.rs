//! EverQuest archives, scenes and pictures: round trips, counts and pictures of the fixtures, values
//! made by our own writers, and files that lie.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use relicast::formats::codec::{Blob, F32, Vec3};
use relicast::formats::everquest::pfs::{self, Archive, Footer, name_crc};
use relicast::formats::everquest::texture::{self, Texels};
use relicast::formats::everquest::wld::{
    self, Actor, ActorAction, ActorDefinition, ActorFlags, BitmapInfo, Body, Bone, BspNode,
    BspTree, EncodedText, Face, Fragment, FragmentKind, FragmentRef, Frames, GlobalAmbientLight,
    Instance, LegacyMesh, LegacyMeshFlags, LightDefinition, LightFlags, Material, MaterialFlags,
    MaterialGroup, MaterialPalette, Mesh, MeshAnimation, Name, PackedFrame, Placement,
    PolyhedronDefinition, Raw, Region, RegionFlags, RenderMethod, SimpleSprite, Skeleton,
    SkeletonFlags, Skin, SpriteFlags, StringTable, Surface, TextureCoordinates, Track,
    TrackDefinition, TrackFlags, Version, VertexColours, VertexPiece, VisibilityList,
    VisibilityNode, Wld, Zone, ZoneLine,
};
use serde_json::Value;

const ARCHIVES: [&str; 5] = [
    "gfaydark.s3d",
    "gfaydark_chr.s3d",
    "gfaydark_obj.s3d",
    "names_by_crc.s3d",
    "newformat_obj.s3d",
];

fn fixtures() -> Option<PathBuf> {
    let path = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/fixtures/everquest"
    ));
    if path.is_dir() {
        return Some(path.to_owned());
    }
    eprintln!("SKIPPED: no fixtures at {}", path.display());
    None
}

/// The members of an archive by name.
fn members(archive: &Archive<'_>) -> BTreeMap<String, Vec<u8>> {
    archive
        .entries
        .iter()
        .map(|entry| {
            let data = entry.extract().unwrap();
            assert!(data.deviations.is_empty(), "{:?}", data.deviations);
            (entry.name.clone().unwrap(), data.value)
        })
        .collect()
}

fn fixture_members(folder: &Path, archive: &str) -> BTreeMap<String, Vec<u8>> {
    let bytes = fs::read(folder.join(archive)).unwrap();
    members(&pfs::decode(&bytes).unwrap().value)
}

fn meshes<'w>(wld: &'w Wld<'_>) -> impl Iterator<Item = &'w Mesh> {
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
fn fixture_archives_survive_and_have_all_their_names() {
    let Some(folder) = fixtures() else { return };
    for name in ARCHIVES {
        let bytes = fs::read(folder.join(name)).unwrap();
        let decoded = pfs::decode(&bytes).unwrap();
        let archive = decoded.value;
        assert_eq!(pfs::encode(&archive).unwrap(), bytes, "{name}");
        assert!(archive.scattered.is_none(), "{name}");
        let odd_order = u64::from(name == "names_by_crc.s3d");
        assert_eq!(decoded.deviations.total(), odd_order, "{name}");
        for entry in &archive.entries {
            let own = entry.name.as_deref().unwrap();
            assert_eq!(name_crc(own.as_bytes()), entry.row.name_crc, "{own}");
        }
        // Packed anew, the archive lists and holds the same.
        let contents = members(&archive);
        let list: Vec<_> = contents
            .iter()
            .map(|(name, data)| (&**name, &**data))
            .collect();
        let packed = pfs::pack(&list, archive.footer.clone(), 6).unwrap();
        let packed_bytes = pfs::encode(&packed).unwrap();
        let again = pfs::decode(&packed_bytes).unwrap();
        assert!(
            again.deviations.is_empty(),
            "{name}: {:?}",
            again.deviations
        );
        assert_eq!(again.value, packed);
        assert_eq!(members(&again.value), contents);
        assert_eq!(again.value.footer, archive.footer);
    }
}

#[test]
fn the_retail_archive_has_the_documented_sizes() {
    let Some(folder) = fixtures() else { return };
    let bytes = fs::read(folder.join("gfaydark.s3d")).unwrap();
    let archive = pfs::decode(&bytes).unwrap().value;
    assert_eq!(archive.entries.len(), 40);
    let directory = archive.directory.as_ref().unwrap();
    assert_eq!((directory.place, directory.entry.row.size), (13, 635));
    assert_eq!(archive.footer.as_ref().unwrap().seconds(), 0x36AD_285B);
    let inflated: usize = members(&archive).values().map(Vec::len).sum();
    assert_eq!(inflated + 635, 4_645_775);
    assert_eq!(archive.member("OBJECTS.wld").unwrap().row.size, 886_396);
}

#[test]
fn fixture_scenes_survive_with_every_fragment_understood() {
    let Some(folder) = fixtures() else { return };
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
    let Some(folder) = fixtures() else { return };
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
    let Some(folder) = fixtures() else { return };
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
    let Some(folder) = fixtures() else { return };
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
    let Some(folder) = fixtures() else { return };
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

fn crc32(bytes: &[u8]) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}

/// Files that masked materials of a scene show.
fn masked_files(wld: &Wld<'_>) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for fragment in &wld.fragments {
        let Body::Material(material) = &fragment.body else {
            continue;
        };
        if material.surface() != Surface::Masked {
            continue;
        }
        let Body::SimpleSprite(sprite) = &wld.get(material.texture).unwrap().body else {
            panic!("no texture");
        };
        let Body::SimpleSpriteDefinition(sprite) = &wld.get(sprite.definition).unwrap().body else {
            panic!("no sprite");
        };
        for &frame in &sprite.frames {
            let Body::BitmapInfo(info) = &wld.get(frame).unwrap().body else {
                panic!("no bitmap");
            };
            files.extend(info.files.iter().map(|file| file.text().to_lowercase()));
        }
    }
    files
}

#[test]
fn pictures_have_the_documented_pixels() {
    let Some(folder) = fixtures() else { return };
    let json = fs::read(folder.join("textures.json")).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let mut checked = 0;
    for (archive, pictures) in json.as_object().unwrap() {
        let members = fixture_members(&folder, archive);
        let scene = members.get(&archive.replace(".s3d", ".wld"));
        let masked = scene.map(|bytes| masked_files(&wld::decode(bytes).unwrap().value));
        for (name, facts) in pictures.as_object().unwrap() {
            let decoded = texture::decode(&members[name]).unwrap();
            assert!(
                decoded.deviations.is_empty(),
                "{name}: {:?}",
                decoded.deviations
            );
            let picture = decoded.value;
            assert_eq!(facts["width"], picture.width, "{archive}/{name}");
            assert_eq!(facts["height"], picture.height, "{archive}/{name}");
            let is_masked = facts["masked"].as_bool().unwrap();
            if let Some(masked) = &masked {
                assert_eq!(masked.contains(name), is_masked, "{archive}/{name}");
            }
            let key = picture.key(name);
            let rgba = picture.rgba(key.filter(|_| is_masked));
            assert_eq!(facts["rgba_crc32"], *crc32(&rgba), "{archive}/{name}");
            if let Some(pixels) = facts["key_pixels"].as_u64() {
                let keyed = picture.rgba(key);
                let found = keyed.chunks(4).filter(|pixel| pixel[3] == 0).count();
                assert_eq!(found as u64, pixels, "{archive}/{name}");
            }
            checked += 1;
        }
    }
    assert!(checked > 600, "{checked}");
}

#[test]
fn pictures_survive() {
    let Some(folder) = fixtures() else { return };
    for archive in ARCHIVES {
        for (name, bytes) in fixture_members(&folder, archive) {
            let again = match texture::sniff(&bytes) {
                Some(texture::FileKind::Bmp) => {
                    texture::bmp::encode(&texture::bmp::decode(&bytes).unwrap().value)
                }
                Some(texture::FileKind::Dds) => {
                    texture::dds::encode(&texture::dds::decode(&bytes).unwrap().value)
                }
                None => continue,
            };
            assert_eq!(again.unwrap(), bytes, "{archive}/{name}");
            assert!(texture::decode(&bytes).is_ok(), "{archive}/{name}");
        }
    }
}

fn reference(fragments: &[Fragment<'_>]) -> FragmentRef {
    FragmentRef::to(fragments.len() - 1).unwrap()
}

fn text(text: &str) -> EncodedText {
    EncodedText::new(text).unwrap()
}

/// A scene that has most kinds of fragments and their optional parts.
fn sample(version: Version) -> Vec<u8> {
    let mut strings = StringTable::default();
    let mut list: Vec<Fragment<'_>> = Vec::new();
    let mut add = |name: &str, body: Body<'static>| {
        let name = strings.add(name).unwrap();
        list.push(Fragment::new(name, body));
        reference(&list)
    };
    add("", Body::GlobalAmbientLight(GlobalAmbientLight::default()));
    let bitmap = add(
        "LEAF",
        Body::BitmapInfo(BitmapInfo {
            files: vec![text("LEAF.BMP"), text("LEAFD.DDS")],
        }),
    );
    let sprite = add(
        "LEAF_SPRITE",
        Body::SimpleSpriteDefinition(SimpleSprite {
            flags: SpriteFlags::SLEEP | SpriteFlags::CURRENT_FRAME,
            current_frame: Some(1),
            sleep: Some(100),
            frames: vec![bitmap, bitmap],
        }),
    );
    let instance = |definition| Instance {
        definition,
        flags: 0,
    };
    let texture = add("", Body::SimpleSprite(instance(sprite)));
    let material = add(
        "LEAF_MDF",
        Body::Material(Material {
            flags: MaterialFlags::PAIR,
            render_method: RenderMethod(0x8000_0013),
            texture,
            pair: Some((0, F32(-0.0))),
            ..Material::default()
        }),
    );
    let palette = add(
        "TREE_MP",
        Body::MaterialPalette(MaterialPalette {
            flags: 0,
            materials: vec![material],
        }),
    );
    let animation = add(
        "TREE_DMTRACKDEF",
        Body::MeshAnimation(MeshAnimation {
            vertex_count: 3,
            frame_count: 2,
            sleep: 67,
            scale_exponent: 4,
            positions: vec![[1, -2, 3]; 6],
            ..MeshAnimation::default()
        }),
    );
    let animation = add("", Body::MeshAnimationInstance(instance(animation)));
    let mesh = add(
        "TREE_DMSPRITEDEF",
        Body::Mesh(Box::new(Mesh {
            palette,
            animation,
            collision: FragmentRef(-2),
            radius: F32(f32::NAN),
            scale_exponent: 3,
            positions: vec![[0, 0, 0], [8, 0, 0], [0, 8, 0]],
            texture_coordinates: match version.is_new() {
                true => TextureCoordinates::Float(vec![[0.25, 1.0].into(); 3]),
                false => TextureCoordinates::Fixed(vec![[64, 256]; 3]),
            },
            normals: vec![[0, 0, -127]; 3],
            colours: vec![wld::Bgra::default(); 3],
            faces: vec![Face {
                vertices: [0, 1, 2],
                ..Face::default()
            }],
            pieces: vec![VertexPiece { count: 3, bone: 1 }],
            face_groups: vec![MaterialGroup {
                count: 1,
                material: 0,
            }],
            vertex_groups: vec![MaterialGroup {
                count: 3,
                material: 0,
            }],
            ..Mesh::default()
        })),
    );
    let skin = add("", Body::MeshInstance(instance(mesh)));
    let track = add(
        "TREE_TRACKDEF",
        Body::TrackDefinition(TrackDefinition {
            flags: TrackFlags::PACKED,
            frames: Frames::Packed(vec![PackedFrame::default(); 2]),
        }),
    );
    let track = add(
        "TREE_TRACK",
        Body::Track(Track {
            definition: track,
            flags: TrackFlags::SLEEP,
            sleep: Some(100),
        }),
    );
    let bone = |children: &[u32]| Bone {
        track,
        children: children.to_vec(),
        ..Bone::default()
    };
    let skeleton = add(
        "TREE_HS_DEF",
        Body::SkeletonDefinition(Skeleton {
            flags: SkeletonFlags::SKINS | SkeletonFlags::RADIUS,
            radius: Some(F32(2.0)),
            bones: vec![bone(&[1]), bone(&[])],
            skins: Some(vec![Skin {
                mesh: skin,
                link: 2,
            }]),
            ..Skeleton::default()
        }),
    );
    let skeleton = add("", Body::Skeleton(instance(skeleton)));
    let model = add(
        "TREE_ACTORDEF",
        Body::ActorDefinition(Box::new(ActorDefinition {
            flags: ActorFlags::SPRITE_VOLUME,
            actions: vec![ActorAction {
                distances: vec![F32(1e30)],
                ..ActorAction::default()
            }],
            sprites: vec![skeleton],
            user_data: text("odd"),
            ..ActorDefinition::default()
        })),
    );
    let colours = add(
        "TREE_DMT",
        Body::VertexColours(VertexColours {
            unk0: 1,
            unk8: 1,
            sleep: 200,
            colours: vec![wld::Bgra::default(); 3],
            ..VertexColours::default()
        }),
    );
    let colours = add("", Body::VertexColoursInstance(instance(colours)));
    add(
        "",
        Body::Actor(Box::new(Actor {
            model: Name {
                reference: model.0,
                text: None,
            },
            flags: ActorFlags::PLACE | ActorFlags::COLOURS,
            place: Some(Placement {
                position: Vec3::from([1.0, 2.0, 3.0]),
                ..Placement::default()
            }),
            colours: Some(colours),
            ..Actor::default()
        })),
    );
    add(
        "LIGHT_LDEF",
        Body::LightDefinition(LightDefinition {
            flags: LightFlags::LEVELS | LightFlags::COLOURS | LightFlags::SLEEP,
            frame_count: 2,
            sleep: Some(200),
            levels: Some(vec![F32(1.0), F32(0.5)]),
            colours: Some(vec![Vec3::default(); 2]),
            ..LightDefinition::default()
        }),
    );
    for (flags, scale) in [(1, Some(F32(2.0))), (0, Some(F32(3.0))), (0, None)] {
        add(
            "BOX_POLYHDEF",
            Body::PolyhedronDefinition(PolyhedronDefinition {
                flags: wld::PolyhedronFlags::from_bits_retain(flags),
                scale,
                vertices: vec![Vec3::from([9.0, 9.0, 9.0]); 3],
                faces: vec![wld::CollisionFace {
                    vertices: vec![0, 1, 2],
                }],
                ..PolyhedronDefinition::default()
            }),
        );
    }
    add(
        "",
        Body::LegacyMesh(Box::new(LegacyMesh {
            flags: LegacyMeshFlags::COLOURS | LegacyMeshFlags::POINT,
            palette,
            positions: vec![Vec3::default()],
            colours: Some(vec![wld::Bgra::default()]),
            point: Some(Vec3::default()),
            ..LegacyMesh::default()
        })),
    );
    add(
        "",
        Body::BspTree(BspTree {
            nodes: vec![
                BspNode {
                    front: 2,
                    back: 3,
                    ..BspNode::default()
                },
                BspNode {
                    region: 1,
                    ..BspNode::default()
                },
                BspNode {
                    region: 2,
                    ..BspNode::default()
                },
            ],
        }),
    );
    for flags in [
        RegionFlags::CODED_LISTS | RegionFlags::MESH,
        RegionFlags::SPHERE,
    ] {
        let coded = flags.contains(RegionFlags::CODED_LISTS);
        add(
            "R000001",
            Body::Region(Box::new(Region {
                flags,
                nodes: vec![VisibilityNode::default()],
                visible: vec![match coded {
                    true => VisibilityList::Coded(vec![0xC2].into()),
                    false => VisibilityList::Plain(vec![0, 1]),
                }],
                sphere: (!coded).then_some([F32(1.0); 4]),
                mesh: coded.then_some(mesh),
                ..Region::default()
            })),
        );
    }
    add(
        "WT_ZONE",
        Body::Zone(Zone {
            regions: vec![0, 1],
            ..Zone::default()
        }),
    );
    add(
        "ODD",
        Body::Raw(Raw {
            kind: FragmentKind::Other(0x99),
            bytes: Blob::borrowed(b"anything"),
            fault: None,
        }),
    );
    let wld = Wld::new(version, strings, list).unwrap();
    wld::encode(&wld).unwrap()
}

#[test]
fn a_scene_of_our_own_survives_in_both_versions() {
    for version in [Version::Old, Version::New, Version::OldMarked] {
        let bytes = sample(version);
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
fn coordinates_of_the_other_version_are_not_written() {
    let bytes = sample(Version::New);
    let mut wld = wld::decode(&bytes).unwrap().value;
    wld.header.version = Version::Old;
    let error = wld::encode(&wld).unwrap_err();
    assert!(error.field().ends_with("texture_coordinates"), "{error}");
}

/// Decodes what was made of a good file; whatever decodes must survive.
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

const LIES: [u32; 7] = [0, 1, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];

/// Calls `check` with the file cut at, and with each lie in place of, every `step`-th word.
fn torment(bytes: &[u8], step: usize, check: impl Fn(&[u8])) {
    for offset in (0..bytes.len()).step_by(step) {
        check(&bytes[..offset]);
        let end = (offset + 4).min(bytes.len());
        let mut torn = bytes.to_vec();
        for lie in LIES {
            torn[offset..end].copy_from_slice(&lie.to_le_bytes()[..end - offset]);
            check(&torn);
        }
    }
}

#[test]
fn lying_scenes_do_no_harm_and_survive_when_they_decode() {
    for version in [Version::Old, Version::New] {
        torment(&sample(version), 1, survives);
    }
}

#[test]
fn lying_fixture_scenes_do_no_harm() {
    let Some(folder) = fixtures() else { return };
    let bytes = &fixture_members(&folder, "gfaydark_obj.s3d")["gfaydark_obj.wld"];
    torment(bytes, bytes.len() / 60 * 4 / 4 + 1, survives);
}

#[test]
fn references_in_circles_are_kept_and_told() {
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
fn a_body_that_lies_is_kept_raw_with_its_reason() {
    let mut bytes = sample(Version::Old);
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

fn small_archive() -> Vec<u8> {
    let long = vec![7; 20_000];
    let members: [(&str, &[u8]); 4] = [
        ("B.TXT", b"second"),
        ("a.txt", b"first"),
        ("empty", b""),
        ("long.bin", &long),
    ];
    let archive = pfs::pack(&members, Some(Footer::new(0x1234_5678)), 6).unwrap();
    pfs::encode(&archive).unwrap()
}

#[test]
fn an_archive_of_our_own_lists_and_extracts() {
    let bytes = small_archive();
    assert!(bytes.ends_with(b"STEVE\x12\x34\x56\x78"));
    let decoded = pfs::decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    assert_eq!(pfs::encode(&decoded.value).unwrap(), bytes);
    let contents = members(&decoded.value);
    assert_eq!(contents["b.txt"], b"second");
    assert_eq!(contents["empty"], b"");
    assert_eq!(contents["long.bin"], [7; 20_000]);
    assert_eq!(contents.len(), 4);
    let same_twice: [(&str, &[u8]); 2] = [("a", b"1"), ("A", b"2")];
    assert!(pfs::pack(&same_twice, None, 6).is_err());
}

#[test]
fn a_name_with_a_wrong_hash_is_found_by_its_place_and_told() {
    let bytes = small_archive();
    let archive = pfs::decode(&bytes).unwrap().value;
    let index = archive
        .entries
        .iter()
        .position(|entry| entry.name.as_deref() == Some("a.txt"))
        .unwrap();
    let mut changed = archive.clone();
    changed.entries[index].row.name_crc ^= 1;
    let changed = pfs::encode(&changed).unwrap();
    let decoded = pfs::decode(&changed).unwrap();
    assert_eq!(decoded.value.entries[index].name.as_deref(), Some("a.txt"));
    assert_eq!(decoded.deviations.total(), 1);
    assert_eq!(decoded.deviations.described()[0].field, "name_crc");
}

#[test]
fn an_archive_without_names_is_listed_by_hash() {
    let bytes = small_archive();
    let mut archive = pfs::decode(&bytes).unwrap().value;
    archive.version = pfs::Version::Nameless;
    archive.directory = None;
    let bytes = pfs::encode(&archive).unwrap();
    let decoded = pfs::decode(&bytes).unwrap();
    let archive = decoded.value;
    assert_eq!(archive.entries.len(), 4);
    for entry in &archive.entries {
        assert_eq!(entry.label(), format!("{:08x}.bin", entry.row.name_crc));
        assert!(entry.extract().is_ok());
    }
}

#[test]
fn members_that_share_bytes_get_faults_and_survive() {
    let bytes = small_archive();
    let mut archive = pfs::decode(&bytes).unwrap().value;
    let offsets: Vec<u32> = archive
        .entries
        .iter()
        .filter(|entry| entry.row.size > 0)
        .map(|entry| entry.row.offset)
        .collect();
    archive.scattered = Some(Blob::borrowed(&bytes[12..bytes.len() - 9 - 4 - 5 * 12]));
    for entry in archive
        .entries
        .iter_mut()
        .filter(|entry| entry.row.size > 0)
    {
        entry.row.offset = offsets[0];
    }
    let bytes = pfs::encode(&archive).unwrap();
    let decoded = pfs::decode(&bytes).unwrap();
    let faults = decoded.value.entries.iter();
    assert_eq!(faults.filter(|entry| entry.fault.is_some()).count(), 2);
    assert_eq!(pfs::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn lying_archives_do_no_harm_and_survive_when_they_decode() {
    torment(&small_archive(), 1, |bytes| {
        if let Ok(decoded) = pfs::decode(bytes) {
            assert!(pfs::encode(&decoded.value).unwrap() == bytes);
            for entry in &decoded.value.entries {
                if let Ok(data) = entry.extract() {
                    assert_eq!(data.value.len(), entry.row.size as usize);
                }
            }
        }
    });
}

#[test]
fn lying_pictures_do_no_harm() {
    let Some(folder) = fixtures() else { return };
    let members = fixture_members(&folder, "newformat_obj.s3d");
    let mut kinds = BTreeMap::new();
    for bytes in members.values() {
        if let Ok(decoded) = texture::decode(bytes) {
            let kind = match decoded.value.texels {
                Texels::Indexed { .. } => 0,
                Texels::Rgb(_) => 1,
                Texels::Rgba(_) => 2,
            };
            kinds.insert((texture::sniff(bytes).is_some(), kind), bytes);
        }
    }
    assert_eq!(kinds.len(), 3);
    for bytes in kinds.values() {
        let head = &bytes[..bytes.len().min(160)];
        for offset in 0..head.len() {
            for lie in LIES {
                let mut torn = bytes.to_vec();
                let end = (offset + 4).min(torn.len());
                torn[offset..end].copy_from_slice(&lie.to_le_bytes()[..end - offset]);
                if let Ok(decoded) = texture::decode(&torn) {
                    let picture = decoded.value;
                    let pixels = picture.width as usize * picture.height as usize;
                    assert_eq!(picture.rgba(picture.key("a")).len(), pixels * 4);
                }
            }
            assert!(texture::decode(&bytes[..offset]).is_err());
        }
    }
}

proptest! {
    #[test]
    fn any_members_come_back(contents in vec(vec(any::<u8>(), 0..20_000), 0..6), level in 0_u32..10) {
        let names: Vec<String> = (0..contents.len()).map(|index| format!("m{index}.bin")).collect();
        let list: Vec<(&str, &[u8])> = names
            .iter()
            .zip(&contents)
            .map(|(name, data)| (&**name, &**data))
            .collect();
        let archive = pfs::pack(&list, None, level).unwrap();
        let bytes = pfs::encode(&archive).unwrap();
        let decoded = pfs::decode(&bytes).unwrap();
        prop_assert_eq!(decoded.deviations.total(), 0);
        let found = members(&decoded.value);
        for (name, data) in names.iter().zip(&contents) {
            prop_assert_eq!(&found[name], data);
        }
    }

    #[test]
    fn any_fragment_survives(kind in 0_u32..0x40, body in vec(any::<u8>(), 0..200)) {
        let mut bytes = sample(Version::Old);
        bytes.truncate(bytes.len() - 4);
        bytes[8] += 1;
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(&body);
        let decoded = wld::decode(&bytes).unwrap();
        prop_assert_eq!(wld::encode(&decoded.value).unwrap(), bytes);
    }
}

/// Prints how fast a scene decodes; run it with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement, not a check"]
fn speed_of_a_scene() {
    let Some(folder) = fixtures() else { return };
    let bytes = &fixture_members(&folder, "gfaydark.s3d")["gfaydark.wld"];
    let start = std::time::Instant::now();
    let rounds = 50;
    for _ in 0..rounds {
        let decoded = wld::decode(bytes).unwrap();
        assert!(!decoded.value.fragments.is_empty());
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = bytes.len() as f64 * f64::from(rounds) / 1e6;
    eprintln!("{:.0} MB/s", megabytes / seconds);
}
