//! A small scene of EverQuest with most kinds of fragments and their optional parts.

use relicast::formats::codec::{Blob, F32, Vec3};
use relicast::formats::everquest::wld::{
    self, Actor, ActorAction, ActorDefinition, ActorFlags, BitmapInfo, Body, Bone, BspNode,
    BspTree, EncodedText, Face, Fragment, FragmentKind, FragmentRef, Frames, GlobalAmbientLight,
    Instance, LegacyMesh, LegacyMeshFlags, LightDefinition, LightFlags, Material, MaterialFlags,
    MaterialGroup, MaterialPalette, Mesh, MeshAnimation, Name, PackedFrame, Placement,
    PolyhedronDefinition, RawBody, Region, RegionFlags, RenderMethod, SimpleSprite, Skeleton,
    SkeletonFlags, Skin, SpriteFlags, StringTable, TextureCoordinates, Track, TrackDefinition,
    TrackFlags, Version, VertexColors, VertexPiece, VisibilityList, VisibilityNode, Wld, Zone,
};

fn text(text: &str) -> EncodedText {
    EncodedText::new(text).unwrap()
}

fn instance(definition: FragmentRef) -> Instance {
    Instance {
        definition,
        flags: 0,
    }
}

/// A scene that has most kinds of fragments and their optional parts.
pub fn scene(version: Version) -> Vec<u8> {
    let mut scene = Scene {
        version,
        strings: StringTable::default(),
        fragments: Vec::new(),
    };
    scene.add("", Body::GlobalAmbientLight(GlobalAmbientLight::default()));
    let palette = scene.palette();
    let mesh = scene.mesh(palette);
    let skeleton = scene.skeleton(mesh);
    scene.actor(skeleton);
    scene.light_and_collision();
    scene.legacy_mesh(palette);
    scene.regions(mesh);
    scene.add(
        "ODD",
        Body::Raw(RawBody {
            kind: FragmentKind::Other(0x99),
            bytes: Blob::borrowed(b"anything"),
            fault: None,
        }),
    );
    let wld = Wld::new(version, scene.strings, scene.fragments).unwrap();
    wld::encode(&wld).unwrap()
}

/// Builder of a scene.
struct Scene {
    version: Version,
    strings: StringTable,
    fragments: Vec<Fragment<'static>>,
}

impl Scene {
    /// Appends a fragment; returns a reference to it.
    fn add(&mut self, name: &str, body: Body<'static>) -> FragmentRef {
        let name = self.strings.add(name).unwrap();
        self.fragments.push(Fragment::new(name, body));
        FragmentRef::to(self.fragments.len() - 1).unwrap()
    }

    /// A material of two pictures that alternate, and its palette.
    fn palette(&mut self) -> FragmentRef {
        let bitmap = self.add(
            "LEAF",
            Body::BitmapInfo(BitmapInfo {
                files: vec![text("LEAF.BMP"), text("LEAFD.DDS")],
            }),
        );
        let sprite = self.add(
            "LEAF_SPRITE",
            Body::SimpleSpriteDefinition(SimpleSprite {
                flags: SpriteFlags::SLEEP | SpriteFlags::CURRENT_FRAME,
                current_frame: Some(1),
                sleep: Some(100),
                frames: vec![bitmap, bitmap],
            }),
        );
        let texture = self.add("", Body::SimpleSprite(instance(sprite)));
        let material = self.add(
            "LEAF_MDF",
            Body::Material(Material {
                flags: MaterialFlags::PAIR,
                render_method: RenderMethod(0x8000_0013),
                texture,
                pair: Some((0, F32(-0.0))),
                ..Material::default()
            }),
        );
        self.add(
            "TREE_MP",
            Body::MaterialPalette(MaterialPalette {
                flags: 0,
                materials: vec![material],
            }),
        )
    }

    /// A triangle with an animation of its vertices.
    fn mesh(&mut self, palette: FragmentRef) -> FragmentRef {
        let animation = self.add(
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
        let animation = self.add("", Body::MeshAnimationInstance(instance(animation)));
        self.add(
            "TREE_DMSPRITEDEF",
            Body::Mesh(Box::new(Mesh {
                palette,
                animation,
                collision: FragmentRef(-2),
                radius: F32(f32::NAN),
                scale_exponent: 3,
                positions: vec![[0, 0, 0], [8, 0, 0], [0, 8, 0]].into(),
                texture_coordinates: match self.version.is_new() {
                    true => TextureCoordinates::Float(vec![[0.25, 1.0].into(); 3].into()),
                    false => TextureCoordinates::Fixed(vec![[64, 256]; 3].into()),
                },
                normals: vec![[0, 0, -127]; 3].into(),
                colors: vec![wld::Bgra::default(); 3].into(),
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
        )
    }

    /// A skeleton of two bones with the mesh.
    fn skeleton(&mut self, mesh: FragmentRef) -> FragmentRef {
        let skin = self.add("", Body::MeshInstance(instance(mesh)));
        let track = self.add(
            "TREE_TRACKDEF",
            Body::TrackDefinition(TrackDefinition {
                flags: TrackFlags::PACKED,
                frames: Frames::Packed(vec![PackedFrame::default(); 2].into()),
            }),
        );
        let track = self.add(
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
        let skeleton = self.add(
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
        self.add("", Body::Skeleton(instance(skeleton)))
    }

    /// A model with the skeleton, and an actor in the zone with colors of its own.
    fn actor(&mut self, skeleton: FragmentRef) {
        let model = self.add(
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
        let colors = self.add(
            "TREE_DMT",
            Body::VertexColors(VertexColors {
                unk0: 1,
                unk8: 1,
                sleep: 200,
                colors: vec![wld::Bgra::default(); 3].into(),
                ..VertexColors::default()
            }),
        );
        let colors = self.add("", Body::VertexColorsInstance(instance(colors)));
        self.add(
            "",
            Body::Actor(Box::new(Actor {
                model: Name {
                    reference: model.0,
                    text: None,
                },
                flags: ActorFlags::PLACE | ActorFlags::COLORS,
                place: Some(Placement {
                    position: Vec3::from([1.0, 2.0, 3.0]),
                    ..Placement::default()
                }),
                colors: Some(colors),
                ..Actor::default()
            })),
        );
    }

    /// A light that changes, and collision shapes of three forms.
    fn light_and_collision(&mut self) {
        self.add(
            "LIGHT_LDEF",
            Body::LightDefinition(Box::new(LightDefinition {
                flags: LightFlags::LEVELS | LightFlags::COLORS | LightFlags::SLEEP,
                frame_count: 2,
                sleep: Some(200),
                levels: Some(vec![F32(1.0), F32(0.5)]),
                colors: Some(vec![Vec3::default(); 2]),
                ..LightDefinition::default()
            })),
        );
        for (flags, scale) in [(1, Some(F32(2.0))), (0, Some(F32(3.0))), (0, None)] {
            self.add(
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
    }

    /// A mesh in the older format.
    fn legacy_mesh(&mut self, palette: FragmentRef) {
        self.add(
            "",
            Body::LegacyMesh(Box::new(LegacyMesh {
                flags: LegacyMeshFlags::COLORS | LegacyMeshFlags::POINT,
                palette,
                positions: vec![Vec3::default()],
                colors: Some(vec![wld::Bgra::default()]),
                point: Some(Vec3::default()),
                ..LegacyMesh::default()
            })),
        );
    }

    /// A tree of two regions, the regions, and the zone of them.
    fn regions(&mut self, mesh: FragmentRef) {
        self.add(
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
            self.add(
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
        self.add(
            "WT_ZONE",
            Body::Zone(Box::new(Zone {
                regions: vec![0, 1],
                ..Zone::default()
            })),
        );
    }
}
