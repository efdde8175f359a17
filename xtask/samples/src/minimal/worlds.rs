//! Small worlds and a 'mech made from typed values only, following every rule of each game.

use relicast::formats::codec::{Box3, F32, Vec2, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    ActiveBox, Affine, AreaPartition, ByGame, Cycle, CycleRecord, Display, EarlyTranslation,
    FreeMaterial, FreeNode, GameZ, Light, LightFlags, LightRecord, Links, Lod, Material,
    MaterialArray, MaterialFlags, MaterialRecord, Materials, Model, ModelArray, ModelFlags,
    ModelRecord, ModelSlot, ModelType, Models, Node, NodeBounds, NodeData, NodeFlags, NodeName,
    NodeRecord, Nodes, Object3d, Object3dFlags, Partition, PartitionEntry, PartitionRecord,
    PerCorner, PointLight, PointLightRecord, Polygon, PolygonFlags, PolygonRecord, Relations,
    Revision, Rotation, Soil, Texture, TextureName, TextureState, Window, World, WorldRecord,
    ZoneId, ZoneSet, quick_root,
};
use relicast::formats::zipper::mechlib::{MechModel, MechNode};

use crate::world::stage;

/// An address that is never used, for pointers that announce data.
const ADDRESS: u32 = 0x0100_0010;

fn is_late(version: ZipperGame) -> bool {
    matches!(version, ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies)
}

fn one() -> Vec3 {
    Vec3::from([1.0; 3])
}

fn texture(name: (&str, &str), mip_index: i32, version: ZipperGame) -> Texture {
    let image_ptr = if is_late(version) { ADDRESS } else { 0 };
    Texture {
        image_ptr,
        name: TextureName::new(name.0, name.1).unwrap(),
        state: if image_ptr == 0 {
            TextureState::Used
        } else {
            TextureState::Assigned
        },
        mip_index,
        ..Texture::default()
    }
}

/// A textured material, or a plain color.
pub fn material(texture: Option<i32>, version: ZipperGame) -> MaterialRecord {
    let always = match version {
        ZipperGame::Recoil => MaterialFlags::empty(),
        _ => MaterialFlags::ALWAYS,
    };
    let half = F32(0.5);
    let plain = MaterialRecord {
        alpha: 96,
        flags: always,
        color: Vec3::from([10.0, 20.0, 30.0]),
        field24: half,
        field28: half,
        ..MaterialRecord::default()
    };
    match texture {
        None => plain,
        Some(texture_index) => MaterialRecord {
            alpha: 255,
            flags: always | MaterialFlags::TEXTURED,
            rgb: 0x7FFF,
            color: Vec3::from([255.0; 3]),
            texture_index,
            ..plain
        },
    }
}

fn materials(version: ZipperGame) -> Materials {
    let mut grass = material(Some(0), version);
    grass.soil = Soil::Other(8);
    let mut water = material(Some(1), version);
    water.flags |= MaterialFlags::CYCLED | MaterialFlags::TAKES_DECALS;
    water.cycle_ptr = ADDRESS;
    let cycle = Cycle {
        record: CycleRecord {
            looping: 1,
            current_frame: 2,
            speed: F32(4.0),
            tex_map_index: 3,
            tex_map_ptr: ADDRESS,
            ..CycleRecord::default()
        },
        textures: vec![1, 2, 1],
    };
    let records = [
        (grass, None),
        (water, Some(cycle)),
        (material(None, version), None),
    ];
    let used: Vec<Material> = records
        .into_iter()
        .enumerate()
        .map(|(index, (record, cycle))| Material {
            record,
            links: Links::used(index, 3).unwrap(),
            cycle,
        })
        .collect();
    let free = (3..5).map(|index| FreeMaterial {
        links: Links::free(index, 3, 5).unwrap(),
        residue: None,
    });
    Materials {
        array: MaterialArray {
            array_size: 5,
            count: 3,
            index_free: 3,
            index_last: 2,
        },
        used,
        free: free.collect(),
    }
}

fn polygon(
    version: ZipperGame,
    corners: &[u32],
    flags: PolygonFlags,
    materials: &[i32],
) -> Polygon {
    let late = is_late(version);
    let normals = flags.contains(PolygonFlags::NORMALS);
    let mut record = PolygonRecord {
        priority: -3,
        vertex_indices_ptr: ADDRESS,
        normal_indices_ptr: if normals { ADDRESS } else { 0 },
        materials_ptr: if late { ADDRESS } else { 0 },
        uvs_ptr: ADDRESS,
        vertex_colors_ptr: ADDRESS,
        matl_refs_ptr: ADDRESS,
        zone_set: ZoneSet::new(&[-1, 7]),
        ..PolygonRecord::default()
    };
    record.corners.flags = ByGame::from(flags);
    let materials = if late { materials } else { &materials[..1] };
    let count = corners.len() * materials.len();
    Polygon {
        record,
        vertex_indices: corners.into(),
        normal_indices: if normals {
            PerCorner::from_elem(0, corners.len())
        } else {
            PerCorner::new()
        },
        materials: materials.into(),
        uvs: (0..count)
            .map(|index| Vec2::from([index as f32, -0.0]))
            .collect(),
        colors: match version {
            ZipperGame::Recoil => PerCorner::new(),
            _ => PerCorner::from_elem(Vec3::from([255.0, 128.0, 0.0]), corners.len()),
        },
    }
}

/// A square with an overlay, a strip or triangle, and a point sprite.
pub fn model(version: ZipperGame, mechlib: bool) -> Model {
    let mut model = Model {
        record: ModelRecord {
            flags: ByGame::from(
                ModelFlags::LIGHTING | ModelFlags::FOG | ModelFlags::TEXTURE_SCROLL,
            ),
            parent_count: 1,
            tex_scroll_u: F32(0.25),
            polygons_ptr: ADDRESS,
            vertices_ptr: ADDRESS,
            normals_ptr: ADDRESS,
            lights_ptr: ADDRESS,
            bbox_diag: F32(1.5),
            ..ModelRecord::default()
        },
        vertices: vec![
            Vec3::from([0.0, 0.0, 0.0]),
            Vec3::from([1.0, 0.0, -0.0]),
            Vec3::from([1.0, 1.0, 0.5]),
            Vec3::from([0.0, 1.0, 0.0]),
        ],
        normals: vec![Vec3::from([0.0, 0.0, 1.0])],
        lights: vec![PointLight {
            record: PointLightRecord {
                interval_or_scale: F32(1.0),
                flags: 30,
                vertices_ptr: ADDRESS,
                ..PointLightRecord::default()
            },
            vertices: vec![one()],
        }],
        polygons: vec![
            polygon(version, &[0, 1, 2, 3], PolygonFlags::NORMALS, &[2, 0]),
            polygon(
                version,
                &[3, 2, 1],
                match version {
                    ZipperGame::Recoil => PolygonFlags::SHOW_BACKFACE,
                    _ => PolygonFlags::SHOW_BACKFACE | PolygonFlags::TRI_STRIP,
                },
                &[1],
            ),
            polygon(version, &[0, 1, 3], PolygonFlags::empty(), &[2]),
        ],
        ..Model::default()
    };
    if is_late(version) {
        model.record.flags.known |= match version {
            ZipperGame::CrimsonSkies => ModelFlags::AMBIENT_ONLY,
            _ => ModelFlags::HARDWARE_RENDER,
        };
        model.record.material_refs_ptr = ADDRESS;
        model.material_references =
            model.expected_references(version, mechlib, |material| material == 1 && !mechlib);
    }
    model
}

fn sprites() -> Model {
    let mut sprites = Model {
        lights: model(ZipperGame::Recoil, false).lights,
        ..Model::default()
    };
    sprites.record.model_type = ModelType::Points;
    sprites.record.parent_count = 1;
    sprites.record.lights_ptr = ADDRESS;
    sprites
}

fn models(version: ZipperGame) -> Models {
    let free = |next| ModelSlot::Free {
        next,
        residue: None,
    };
    let square = ModelSlot::Used(Box::new(model(version, false)));
    let sprites = ModelSlot::Used(Box::new(sprites()));
    let (slots, index_free) = match version {
        ZipperGame::CrimsonSkies => (vec![free(-1), square, sprites, free(0)], 3),
        _ => (vec![square, sprites, free(3), free(-1)], 2),
    };
    Models {
        array: ModelArray {
            array_size: 4,
            count: 2,
            index_free,
        },
        slots,
    }
}

/// A node with the constants of its class.
pub fn node(name: &str, data: NodeData, version: ZipperGame) -> Node {
    let fixed = NodeFlags::ACTIVE
        | NodeFlags::ALTITUDE_SURFACE
        | NodeFlags::INTERSECT_SURFACE
        | NodeFlags::TREE_VALID
        | NodeFlags::ID_ZONE_CHECK;
    let mut node = Node {
        record: NodeRecord {
            name: NodeName::new(name).unwrap(),
            flags: fixed,
            zone_id: ZoneId::ANY,
            class: data.class(),
            data_ptr: ADDRESS,
            model_index: -1,
            action_priority: 1,
            area_partition: AreaPartition::NONE,
            ..NodeRecord::default()
        },
        data,
        ..Node::default()
    };
    match node.data {
        NodeData::Lod(_) if is_late(version) => {
            node.record.field196 = 160;
            node.record.active_bbox = ActiveBox::Child;
        }
        NodeData::Empty | NodeData::Object3d(_) | NodeData::Lod(_) => {
            node.record.field196 = if version == ZipperGame::Recoil {
                0
            } else {
                160
            };
        }
        NodeData::Light(_) => {
            node.record.flags |= NodeFlags::BBOX_NODE;
            if version == ZipperGame::CrimsonSkies {
                node.record.flags -= NodeFlags::ACTIVE;
            }
            node.record.node_bbox = NodeBounds::Box(Box3 {
                min: Vec3::from([1.0, 1.0, -2.0]),
                max: Vec3::from([2.0, 2.0, -1.0]),
            });
        }
        _ => {}
    }
    if node.data == NodeData::Empty {
        node.record.data_ptr = 0;
    }
    if is_late(version) {
        node.link = 0x0200_0001;
    }
    node
}

fn relate(nodes: &mut [Node], parent: usize, child: usize) {
    nodes[parent].children.push(child as u32);
    nodes[parent].record.relations.child_array_ptr = ADDRESS;
    nodes[child].parents.push(parent as u32);
    nodes[child].record.relations.parent_array_ptr = ADDRESS;
}

/// An object that is turned about all axes, or one that is not.
pub fn object(turned: bool) -> NodeData {
    let mut object = Object3d {
        flags: Object3dFlags::ALWAYS | Object3dFlags::TRANSFORM_INITIAL,
        scale: one(),
        transform: Affine::identity(),
        ..Object3d::default()
    };
    if turned {
        object.flags = Object3dFlags::ALWAYS | Object3dFlags::OPACITY;
        object.opacity = F32(0.5);
        object.rotate = Vec3::from([0.5, -1.0, 2.0]);
        object.scale = Vec3::from([1.0, 2.0, 1.0]);
        object.transform = Affine {
            basis: Rotation(object.rotate).basis(object.scale),
            translation: Vec3::from([5.0, -0.0, 7.0]),
        };
    }
    NodeData::Object3d(Box::new(object))
}

/// A level of detail from 3 to 20 units.
pub fn lod(version: ZipperGame) -> NodeData {
    let pair = [F32(2.0), F32(4.0)];
    let late = is_late(version);
    NodeData::Lod(Box::new(Lod {
        measures_distance: 1,
        range_near_sq: F32(9.0),
        range_far: F32(20.0),
        range_far_sq: F32(400.0),
        fade_far: if late { Default::default() } else { pair },
        field64: if late { pair } else { Default::default() },
        uniform_scale: 1,
        ..Lod::default()
    }))
}

fn camera(version: ZipperGame) -> NodeData {
    NodeData::Camera(Box::new(stage::camera(version)))
}

fn light(version: ZipperGame) -> NodeData {
    let mut record = LightRecord {
        recalc: 1,
        directional: 1,
        world_view_vector: Vec3::from([0.0, 1.0, 0.0]),
        diffuse: F32(0.75),
        ambient: F32(0.25),
        color: one(),
        range_near: F32(10.0),
        range_far: F32(20.0),
        range_near_sq: F32(100.0),
        range_far_sq: F32(400.0),
        range_inv: F32(1.0 / 10.0),
        parent_ptr: ADDRESS,
        ..LightRecord::default()
    };
    if version != ZipperGame::Recoil {
        record.flags = ByGame::from(LightFlags::DIRECTIONAL | LightFlags::COLOR);
    }
    NodeData::Light(Box::new(Light {
        record,
        parents: vec![0],
    }))
}

/// Two columns and one row of cells; `standing` is listed in the first.
fn world(version: ZipperGame, standing: u32, sun: u32) -> NodeData {
    let edge = version.partition_edge();
    let cell = |column: f32, entries: Vec<PartitionEntry>| {
        let (x, z) = (column * edge, edge);
        let (low, high) = (-4.0_f32, 12.0);
        let (half, depth) = (f64::from(edge / 2.0), 8.0_f64);
        #[expect(clippy::cast_possible_truncation, reason = "the format rounds here")]
        let diagonal = quick_root((2.0 * half * half + depth * depth) as f32);
        Partition {
            record: PartitionRecord {
                flags: 0x100,
                area: -1,
                x: F32(x),
                z: F32(z),
                min: Vec3::from([x, low, z - edge]),
                max: Vec3::from([x + edge, high, z]),
                mid: Vec3::from([x + edge / 2.0, 4.0, z - edge / 2.0]),
                diagonal: F32(diagonal),
                nodes_ptr: if entries.is_empty() { 0 } else { ADDRESS },
                ..PartitionRecord::default()
            },
            entries,
        }
    };
    let mut entry = PartitionEntry {
        node: standing,
        ..PartitionEntry::default()
    };
    if is_late(version) {
        entry.y_range = Vec2::from([-4.0, 12.0]);
    }
    NodeData::World(Box::new(World {
        record: WorldRecord {
            refresh_capacity: 2,
            refresh_ptr: ADDRESS,
            area_bottom: F32(edge),
            area_right: F32(2.0 * edge),
            area_width: F32(2.0 * edge),
            area_height: F32(-edge),
            area_margin: [-3.0, edge + 3.0, 2.0 * edge + 3.0, -3.0].map(F32),
            partition_max_dec_feature_count: 16,
            virtual_partition: 1,
            virt_partition_min: [1, 1],
            virt_partition_max: [1, 0],
            virt_partition_size: Vec2::from([edge, -edge]),
            virt_partition_half: Vec2::from([edge / 2.0, -edge / 2.0]),
            virt_partition_inv: Vec2::from([1.0 / edge, -1.0 / edge]),
            virt_partition_diag: F32(-0.75 * edge),
            inclusion_tolerance: [F32(3.0); 2],
            virt_partition_x_count: 2,
            virt_partition_z_count: 1,
            virt_partition_ptr: ADDRESS,
            ones: [F32(1.0); 3],
            light_nodes_ptr: ADDRESS,
            light_data_ptr: ADDRESS,
            ..WorldRecord::default()
        },
        lights: vec![sun],
        sounds: Vec::new(),
        partitions: vec![cell(0.0, vec![entry]), cell(1.0, Vec::new())],
    }))
}

fn nodes(version: ZipperGame) -> Nodes {
    let skies = version == ZipperGame::CrimsonSkies;
    let display = Display {
        resolution: [640, 480],
        clear_color: one(),
        ..Display::default()
    };
    let window = Window {
        resolution: [640, 480],
        buffer_index: -1,
        ..Window::default()
    };
    let display = node("display", NodeData::Display(display), version);
    let window = node("window1", NodeData::Window(Box::new(window)), version);
    let mut used = vec![node("world1", world(version, 5, 4), version)];
    match skies {
        true => used.extend([display, window, node("camera1", camera(version), version)]),
        false => used.extend([window, node("camera1", camera(version), version), display]),
    }
    let first = if skies { 1 } else { 0 };
    used.push(node("sunlight", light(version), version));
    used.push(node("house", object(true), version));
    used.push(node("house_near", lod(version), version));
    used.push(node("house_walls", object(false), version));
    used.push(node("star", object(false), version));
    for (index, model) in [(7_usize, first), (8, first + 1)] {
        used[index].record.model_index = model;
    }
    used[5].record.area_partition = AreaPartition { x: 0, z: 0 };
    if is_late(version) {
        used[7].record.active_bbox = ActiveBox::Model;
    }
    for (parent, child) in [(0, 8), (5, 6), (6, 7)] {
        relate(&mut used, parent, child);
    }
    let mut free = Vec::new();
    if version.stores_free_nodes() {
        let mut wreck = node("wreck", NodeData::Empty, version);
        wreck.link = 10;
        used.push(wreck);
        for link in [11, 0x00FF_FFFF] {
            free.push(FreeNode {
                link,
                residue: None,
            });
        }
    }
    Nodes { used, free }
}

/// A world with every class of node, every kind of material, and free slots if the game has them.
pub fn gamez(version: ZipperGame) -> GameZ {
    let mut gamez = GameZ {
        version,
        textures: vec![
            texture(("grass", "tif"), 2, version),
            texture(("water", ".bmp"), -1, version),
            texture(("grass_small_and_cut", ""), -1, version),
        ],
        materials: materials(version),
        models: models(version),
        nodes: nodes(version),
        ..GameZ::default()
    };
    gamez.header.timestamp = if is_late(version) { 942_371_914 } else { 0 };
    gamez.header.node_last_free = 9;
    gamez
}

/// The world of [`gamez`] in the format of a Recoil demo (version 13): corners in place of the boxes of nodes, and the
/// translation of each object once more before its matrix.
pub fn early_gamez() -> GameZ {
    let mut gamez = gamez(ZipperGame::Recoil);
    gamez.revision = Revision::Early;
    for node in &mut gamez.nodes.used {
        let mut transform = Affine::identity();
        if let NodeData::Object3d(object) = &mut node.data {
            transform = object.transform;
            object.early_translation = EarlyTranslation(Some(transform.translation));
        }
        let own = node.record.node_bbox.stored_box().unwrap_or_default();
        node.record.node_bbox = match node.data {
            NodeData::Object3d(_) if node.name() == "house" => {
                node.record.flags |= NodeFlags::BBOX_NODE | NodeFlags::BBOX_CHILD;
                node.record.child_bbox = Box3 {
                    min: Vec3::from([0.0; 3]),
                    max: Vec3::from([1.0, 1.0, 0.5]),
                };
                NodeBounds::corners(&node.record.child_bbox, &transform)
            }
            _ if own == Box3::default() => NodeBounds::of_revision(Revision::Early),
            _ => NodeBounds::corners(&own, &transform),
        };
    }
    gamez
}

/// A 'mech of a chain of four nodes, and a sibling of the third one.
pub fn mech(version: ZipperGame) -> MechModel {
    let late = is_late(version);
    let mut nodes = [
        node("strider", object(false), version),
        node("hip", object(true), version),
        node(
            "leg_near",
            if late { lod(version) } else { object(false) },
            version,
        ),
        node("foot", object(false), version),
        node("eyepoint", object(false), version),
    ];
    for (parent, child) in [(0, 1), (1, 2), (2, 3), (1, 4)] {
        relate(&mut nodes, parent, child);
        nodes[child].record.relations = Relations {
            parent_count: 1,
            ..nodes[child].record.relations
        };
    }
    for node in &mut nodes {
        node.link = 0;
        node.record.model_index = 0;
    }
    nodes[1].record.model_index = ADDRESS as i32;
    let mut nodes: Vec<MechNode> = nodes
        .into_iter()
        .map(|node| MechNode { node, model: None })
        .collect();
    nodes[1].model = Some(Box::new(model(version, true)));
    MechModel { nodes }
}
