//! A small scene of EverQuest with most kinds of fragments and their optional parts.

use relicast::formats::codec::{Blob, F32, Vec3};
use relicast::formats::everquest::wld::{
    self, Actor, ActorAction, ActorDefinition, ActorFlags, BitmapInfo, Body, Bone, BspNode,
    BspTree, EncodedText, Face, Fragment, FragmentKind, FragmentRef, Frames, GlobalAmbientLight,
    Instance, LegacyMesh, LegacyMeshFlags, LightDefinition, LightFlags, Material, MaterialFlags,
    MaterialGroup, MaterialPalette, Mesh, MeshAnimation, Name, PackedFrame, Placement,
    PolyhedronDefinition, RawBody, Region, RegionFlags, RenderMethod, SimpleSprite, Skeleton,
    SkeletonFlags, Skin, SpriteFlags, StringTable, TextureCoordinates, Track, TrackDefinition,
    TrackFlags, Version, VertexColours, VertexPiece, VisibilityList, VisibilityNode, Wld, Zone,
};

fn reference(fragments: &[Fragment<'_>]) -> FragmentRef {
    FragmentRef::to(fragments.len() - 1).unwrap()
}

fn text(text: &str) -> EncodedText {
    EncodedText::new(text).unwrap()
}

/// A scene that has most kinds of fragments and their optional parts.
pub fn scene(version: Version) -> Vec<u8> {
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
            positions: vec![[1, -2, 3]; 6].into(),
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
            positions: vec![[0, 0, 0], [8, 0, 0], [0, 8, 0]].into(),
            texture_coordinates: match version.is_new() {
                true => TextureCoordinates::Float(vec![[0.25, 1.0].into(); 3].into()),
                false => TextureCoordinates::Fixed(vec![[64, 256]; 3].into()),
            },
            normals: vec![[0, 0, -127]; 3].into(),
            colours: vec![wld::Bgra::default(); 3].into(),
            faces: vec![Face {
                vertices: [0, 1, 2],
                ..Face::default()
            }]
            .into(),
            pieces: vec![VertexPiece { count: 3, bone: 1 }].into(),
            face_groups: vec![MaterialGroup {
                count: 1,
                material: 0,
            }]
            .into(),
            vertex_groups: vec![MaterialGroup {
                count: 3,
                material: 0,
            }]
            .into(),
            ..Mesh::default()
        })),
    );
    let skin = add("", Body::MeshInstance(instance(mesh)));
    let track = add(
        "TREE_TRACKDEF",
        Body::TrackDefinition(TrackDefinition {
            flags: TrackFlags::PACKED,
            frames: Frames::Packed(vec![PackedFrame::default(); 2].into()),
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
        Body::SkeletonDefinition(Box::new(Skeleton {
            flags: SkeletonFlags::SKINS | SkeletonFlags::RADIUS,
            radius: Some(F32(2.0)),
            bones: vec![bone(&[1]), bone(&[])],
            skins: Some(vec![Skin {
                mesh: skin,
                link: 2,
            }]),
            ..Skeleton::default()
        })),
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
            colours: vec![wld::Bgra::default(); 3].into(),
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
        Body::LightDefinition(Box::new(LightDefinition {
            flags: LightFlags::LEVELS | LightFlags::COLOURS | LightFlags::SLEEP,
            frame_count: 2,
            sleep: Some(200),
            levels: Some(vec![F32(1.0), F32(0.5)]),
            colours: Some(vec![Vec3::default(); 2]),
            ..LightDefinition::default()
        })),
    );
    for (flags, scale) in [(1, Some(F32(2.0))), (0, Some(F32(3.0))), (0, None)] {
        add(
            "BOX_POLYHDEF",
            Body::PolyhedronDefinition(Box::new(PolyhedronDefinition {
                flags: wld::PolyhedronFlags::from_bits_retain(flags),
                scale,
                vertices: vec![Vec3::from([9.0, 9.0, 9.0]); 3],
                faces: vec![wld::CollisionFace {
                    vertices: vec![0, 1, 2],
                }],
                ..PolyhedronDefinition::default()
            })),
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
            ]
            .into(),
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
                nodes: vec![VisibilityNode::default()].into(),
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
        Body::Zone(Box::new(Zone {
            regions: vec![0, 1],
            ..Zone::default()
        })),
    );
    add(
        "ODD",
        Body::Raw(RawBody {
            kind: FragmentKind::Other(0x99),
            bytes: Blob::borrowed(b"anything"),
            fault: None,
        }),
    );
    let wld = Wld::new(version, strings, list).unwrap();
    wld::encode(&wld).unwrap()
}
