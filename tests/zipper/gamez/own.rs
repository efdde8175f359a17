//! Worlds and 'mechs of our own: they keep every rule, and breaking one is noticed.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, AreaPartition, ByGame, Cycle, GameZ, Model, ModelFlags, ModelSlot, NodeData, NodeFlags,
    Object3dFlags, PolygonFlags, Soil, TextureState, World, ZoneId, ZoneSet,
};
use relicast::formats::zipper::mechlib::{self, MechMaterial, TextureText};
use relicast_testing::test;

use relicast_samples::minimal::worlds;

/// The model of a node.
fn model_of(world: &GameZ, node: usize) -> Option<&Model> {
    world.models.get(world.nodes.used[node].model()?)
}

#[test]
fn worlds_of_our_own_keep_every_rule_and_every_value() {
    for version in ZipperGame::ALL {
        let made = worlds::gamez(version);
        let bytes = gamez::encode(&made).unwrap();
        let decoded = gamez::decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{version:?}");
        let read = decoded.value;
        assert_eq!(gamez::encode(&read).unwrap(), bytes);
        assert_eq!(read.textures, made.textures);
        assert_eq!(read.materials.free, made.materials.free);
        let (model, original) = (read.models.iter().next(), made.models.iter().next());
        let ((slot, model), (first, original)) = (model.unwrap(), original.unwrap());
        assert_eq!(slot, first);
        assert_eq!(model.vertices, original.vertices);
        assert_eq!(model.lights[0].vertices, original.lights[0].vertices);
        assert_eq!(model.material_references, original.material_references);
        for (read, made) in model.polygons.iter().zip(&original.polygons) {
            assert_eq!(read.vertex_indices, made.vertex_indices);
            assert_eq!(read.materials, made.materials);
            assert_eq!(read.uvs, made.uvs);
            assert_eq!(read.colors, made.colors);
            assert_eq!(read.flags(), made.flags());
        }
        assert_eq!(read.nodes.free, made.nodes.free);
        for (read, made) in read.nodes.used.iter().zip(&made.nodes.used) {
            assert_eq!(read.name(), made.name());
            assert_eq!(
                (&read.parents, &read.children),
                (&made.parents, &made.children)
            );
            assert_eq!(read.data.class(), made.data.class());
        }
        assert_eq!(model_of(&read, 7).unwrap().polygons.len(), 3);
        assert!(model_of(&read, 0).is_none());
    }
}

#[test]
fn mechs_of_our_own_keep_every_rule() {
    for version in [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon] {
        let made = worlds::mech(version);
        let bytes = mechlib::encode_model(&made, version).unwrap();
        let decoded = mechlib::decode_model(&bytes, version).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{version:?}");
        assert_eq!(
            mechlib::encode_model(&decoded.value, version).unwrap(),
            bytes
        );
        let children: Vec<&[u32]> = decoded
            .value
            .nodes
            .iter()
            .map(|node| &*node.node.children)
            .collect();
        assert_eq!(children, [&[1][..], &[2, 4], &[3], &[], &[]]);

        let materials = [
            MechMaterial {
                record: worlds::material(Some(77), version),
                texture: Some(TextureText(b"metal1".to_vec())),
            },
            MechMaterial {
                record: worlds::material(None, version),
                texture: None,
            },
        ];
        let bytes = mechlib::encode_materials(&materials, version).unwrap();
        assert_eq!(bytes.len(), 4 + 40 + 4 + 6 + 40);
        let decoded = mechlib::decode_materials(&bytes, version).unwrap();
        assert_eq!(decoded.deviations.described(), []);
        assert_eq!(decoded.value, materials);
    }
}

#[test]
fn nodes_out_of_order_are_no_mech() {
    let version = ZipperGame::MechWarrior3;
    let mut made = worlds::mech(version);
    made.nodes[1].node.children.swap(0, 1);
    assert!(mechlib::encode_model(&made, version).is_err());
    let mut two_roots = worlds::mech(version);
    two_roots.nodes[1].node.children.pop();
    assert!(mechlib::encode_model(&two_roots, version).is_err());
}

#[test]
fn values_that_a_game_cannot_hold_are_refused() {
    let mut strip = worlds::gamez(ZipperGame::Recoil);
    let ModelSlot::Used(square) = &mut strip.models.slots[0] else {
        panic!("the first slot is in use");
    };
    square.polygons[0].record.corners.flags = ByGame::from(PolygonFlags::TRI_STRIP);
    let error = gamez::encode(&strip).unwrap_err();
    assert!(
        error.field().starts_with("models[0].polygons[0]"),
        "{error}"
    );

    let mut layers = worlds::gamez(ZipperGame::MechWarrior3);
    let ModelSlot::Used(square) = &mut layers.models.slots[0] else {
        panic!("the first slot is in use");
    };
    square.polygons[0].materials.push(1);
    assert!(gamez::encode(&layers).is_err());

    let mut scattered = worlds::gamez(ZipperGame::PiratesMoon);
    scattered.models.slots.swap(0, 2);
    assert!(gamez::encode(&scattered).is_err());
}

fn square(gamez: &mut GameZ) -> &mut Model {
    let used = gamez.models.slots.iter_mut().find_map(|slot| match slot {
        ModelSlot::Used(model) => Some(model),
        ModelSlot::Free { .. } => None,
    });
    used.unwrap()
}

fn world(gamez: &mut GameZ) -> &mut World {
    match &mut gamez.nodes.used[0].data {
        NodeData::World(world) => world,
        other => panic!("{other:?}"),
    }
}

fn house(gamez: &mut GameZ) -> &mut gamez::Object3d {
    match &mut gamez.nodes.used[5].data {
        NodeData::Object3d(object) => object,
        other => panic!("{other:?}"),
    }
}

fn cycle(gamez: &mut GameZ) -> &mut Cycle {
    gamez.materials.used[1].cycle.as_mut().unwrap()
}

/// Change of a world, and the field of the deviation that follows.
type Breach = (&'static str, fn(&mut GameZ));

/// Breaches of soft rules that every game has.
const BREACHES: [Breach; 30] = [
    ("textures[1].state", |gamez| {
        gamez.textures[1].state = TextureState::Other(7)
    }),
    ("textures[0].mip_index", |gamez| {
        gamez.textures[0].mip_index = 3
    }),
    ("textures[2].name", |gamez| {
        gamez.textures[2].name.0 = [b'x'; 20]
    }),
    ("materials.array", |gamez| {
        gamez.materials.array.index_free = 0
    }),
    ("materials[0].soil", |gamez| {
        gamez.materials.used[0].record.soil = Soil::Other(14)
    }),
    ("materials[0].links", |gamez| {
        gamez.materials.used[0].links.next = 2
    }),
    ("materials[0].field24", |gamez| {
        gamez.materials.used[0].record.field24 = F32(0.0)
    }),
    ("materials[0].texture_index", |gamez| {
        gamez.materials.used[0].record.texture_index = 3
    }),
    ("materials[2].color", |gamez| {
        gamez.materials.used[2].record.color.x = F32(-1.0)
    }),
    ("materials.free[0].links", |gamez| {
        gamez.materials.free[0].links.prev = 0
    }),
    ("materials.tex_map_index", |gamez| {
        cycle(gamez).record.tex_map_index = 1
    }),
    ("materials.cycle.textures", |gamez| {
        cycle(gamez).textures[0] = -1
    }),
    ("models.index_free", |gamez| {
        gamez.models.array.index_free = -1
    }),
    ("flags", |gamez| {
        square(gamez).record.flags.unknown = 1 << 30
    }),
    ("morph_factor", |gamez| {
        square(gamez).record.morph_factor = F32(1.0)
    }),
    ("vertices_ptr", |gamez| {
        square(gamez).record.vertices_ptr = 0
    }),
    ("parent_count", |gamez| {
        square(gamez).record.parent_count = 2
    }),
    ("polygons.vertex_indices", |gamez| {
        square(gamez).polygons[0].vertex_indices[0] = 4
    }),
    ("polygons.materials", |gamez| {
        square(gamez).polygons[2].materials[0] = 3
    }),
    ("zone_set", |gamez| {
        square(gamez).polygons[0].record.zone_set = ZoneSet(4)
    }),
    ("polygons[1].priority", |gamez| {
        square(gamez).polygons[1].record.priority = 51
    }),
    ("lights[0].elapsed", |gamez| {
        square(gamez).lights[0].record.elapsed = 1
    }),
    ("nodes[5].zone_id", |gamez| {
        gamez.nodes.used[5].record.zone_id = ZoneId(0x1FF)
    }),
    ("nodes[5].model_index", |gamez| {
        gamez.nodes.used[5].record.model_index = 4
    }),
    ("nodes[8].flags", |gamez| {
        gamez.nodes.used[8].record.flags |= NodeFlags::from_bits_retain(1)
    }),
    ("nodes[0].area_partition", |gamez| {
        gamez.nodes.used[0].record.area_partition = AreaPartition { x: 0, z: 0 };
    }),
    ("nodes[5].transform", |gamez| {
        house(gamez).transform.basis[0] = Vec3::from([0.0, 0.0, 1.0]);
    }),
    ("nodes[5].opacity", |gamez| {
        house(gamez).flags -= Object3dFlags::OPACITY
    }),
    ("nodes[0].partitions[1].x", |gamez| {
        world(gamez).partitions[1].record.max.x = F32(0.5)
    }),
    ("nodes[0]", |gamez| {
        world(gamez).partitions[0].entries[0].node = 99
    }),
];

#[test]
fn each_broken_rule_is_a_deviation_and_survives() {
    for version in ZipperGame::ALL {
        for (field, change) in BREACHES {
            let mut changed = worlds::gamez(version);
            change(&mut changed);
            let bytes = gamez::encode(&changed).unwrap();
            let decoded = gamez::decode(&bytes).unwrap();
            let found: Vec<&str> = decoded
                .deviations
                .described()
                .iter()
                .map(|deviation| &*deviation.field)
                .collect();
            assert!(
                found.iter().any(|found| found.ends_with(field)),
                "{version:?} {field}: {found:?}"
            );
            assert!(found.len() <= 2, "{version:?} {field}: {found:?}");
            assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
        }
    }
}

#[test]
fn rules_of_single_games_are_kept_apart() {
    let deviations = |version, change: fn(&mut GameZ)| {
        let mut changed = worlds::gamez(version);
        change(&mut changed);
        let bytes = gamez::encode(&changed).unwrap();
        gamez::decode(&bytes).unwrap().deviations.total()
    };
    // Only Crimson Skies uses the word at 40; only Pirate's Moon derives a flag from the polygons.
    let totals = ZipperGame::ALL.map(|version| {
        deviations(version, |gamez| {
            gamez.nodes.used[5].record.field040 = 0x0040_0000
        })
    });
    assert_eq!(totals, [1, 1, 1, 0]);
    let unrendered = |gamez: &mut GameZ| {
        square(gamez).record.flags.known -= ModelFlags::HARDWARE_RENDER;
    };
    assert_eq!(
        ZipperGame::ALL.map(|version| deviations(version, unrendered)),
        [0, 0, 1, 0]
    );
    // Material references are a table of the later games.
    let unreferenced = |gamez: &mut GameZ| {
        for reference in &mut square(gamez).material_references {
            reference.usage_count += 1;
        }
    };
    assert_eq!(
        ZipperGame::ALL.map(|version| deviations(version, unreferenced)),
        [0, 0, 1, 1]
    );
}

#[test]
fn zeros_of_either_sign_pass_and_are_kept() {
    for version in ZipperGame::ALL {
        let mut made = worlds::gamez(version);
        house(&mut made).field096.translation.x = F32(-0.0);
        square(&mut made).record.morph_factor = F32(-0.0);
        let bytes = gamez::encode(&made).unwrap();
        let mut decoded = gamez::decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), []);
        assert_eq!(square(&mut decoded.value).record.morph_factor, F32(-0.0));
        assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
    }
}
