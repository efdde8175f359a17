//! Nodes that a world has once: its grid of cells, the window and its camera, and the sun.

use relicast::formats::codec::{F32, Vec2, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    ByGame, Camera, Display, FogType, Light, LightFlags, LightRecord, NodeData, Partition,
    PartitionEntry, PartitionRecord, Window, World, WorldRecord, quick_root,
};

use super::tree::Tree;
use super::{ADDRESS, is_late};
use crate::Outcome;

/// Index of the sun.
pub const SUN: usize = 4;

/// Adds the first nodes of every world, in the game's order. The world has `columns` times
/// `rows` cells without entries.
pub fn set(tree: &mut Tree, version: ZipperGame, columns: u16, rows: u16) -> Outcome {
    let world = NodeData::World(Box::new(grid(version, columns, rows)));
    tree.add("world1", world, None)?;
    let window = NodeData::Window(Box::new(Window {
        resolution: [640, 480],
        buffer_index: -1,
        ..Window::default()
    }));
    let camera = NodeData::Camera(Box::new(camera(version)));
    let display = NodeData::Display(Display {
        resolution: [640, 480],
        clear_color: Vec3::from([0.25, 0.5, 0.75]),
        ..Display::default()
    });
    let mut nodes = [
        ("window1", window),
        ("camera1", camera),
        ("display", display),
    ];
    if version == ZipperGame::CrimsonSkies {
        nodes.rotate_right(1);
    }
    for (name, data) in nodes {
        tree.add(name, data, None)?;
    }
    let sun = NodeData::Light(Box::new(sun(version)));
    tree.add("sunlight", sun, None).map(|_| ())
}

/// The camera of a world.
pub(crate) fn camera(version: ZipperGame) -> Camera {
    let skies = version == ZipperGame::CrimsonSkies;
    let mut camera = Camera {
        window_index: if skies { 2 } else { 1 },
        focus_node_xy: -1,
        focus_node_xz: -1,
        clip_near: F32(1.0),
        clip_far: F32(2000.0),
        fov_h_scale: F32(1.0),
        fov_v_scale: F32(1.0),
        clip_recalc: 1,
        fov_recalc: 1,
        rotate_recalc: 1,
        ..Camera::default()
    };
    if !skies {
        camera.lod_multiplier = F32(1.0);
        camera.lod_mul_inv_sq = F32(1.0);
        camera.fov_h_base = F32(1.0);
        camera.fov_v_base = F32(0.75);
        camera.fov_scaled = [F32(1.0), F32(0.75)];
        camera.fov_half = [F32(0.5), F32(0.375)];
        // Cotangents of the half angles.
        camera.fov_cot = [F32(1.830_487_7), F32(2.540_479)];
    }
    camera
}

fn sun(version: ZipperGame) -> Light {
    let mut record = LightRecord {
        recalc: 1,
        directional: 1,
        directed_source: 1,
        orientation: Vec3::from([-0.75, 0.5, 0.0]),
        translate: Vec3::from([120.0, 300.0, 80.0]),
        world_view_vector: Vec3::from([0.0, 1.0, 0.0]),
        diffuse: F32(0.75),
        ambient: F32(0.25),
        color: Vec3::from([1.0, 0.9375, 0.75]),
        range_near: F32(10.0),
        range_far: F32(20.0),
        range_near_sq: F32(100.0),
        range_far_sq: F32(400.0),
        range_inv: F32(1.0 / 10.0),
        parent_ptr: ADDRESS,
        ..LightRecord::default()
    };
    if version != ZipperGame::Recoil {
        record.flags =
            ByGame::from(LightFlags::DIRECTIONAL | LightFlags::DIRECTED_SOURCE | LightFlags::COLOR);
    }
    if version == ZipperGame::CrimsonSkies {
        // As the engine creates it; the weather sets it.
        record = LightRecord {
            flags: ByGame::from(
                LightFlags::RECALC
                    | LightFlags::POINT_SOURCE
                    | LightFlags::SATURATED
                    | LightFlags::LIGHT_MAP
                    | LightFlags::REACHES_CELL,
            ),
            diffuse: F32(0.0),
            ambient: F32(1.0),
            color: Vec3::from([1.0; 3]),
            range_near: F32(32.0),
            range_far: F32(64.0),
            range_far_sq: F32(4096.0),
            range_inv: F32(1.0 / 32.0),
            range_near_sq: F32(1024.0),
            ..record
        };
    }
    Light {
        record,
        parents: vec![0],
    }
}

fn grid(version: ZipperGame, columns: u16, rows: u16) -> World {
    let edge = version.partition_edge();
    let (width, depth) = (f32::from(columns) * edge, f32::from(rows) * edge);
    let (x_count, z_count) = (i32::from(columns), i32::from(rows));
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    World {
        record: WorldRecord {
            refresh_capacity: x_count * z_count,
            refresh_ptr: ADDRESS,
            fog_type: FogType::Linear,
            fog_color: Vec3::from([0.5, 0.625, 0.75]),
            fog_range: Vec2::from([200.0, 1500.0]),
            // The high one first.
            fog_altitude: Vec2::from([900.0, 500.0]),
            area_bottom: F32(depth),
            area_right: F32(width),
            area_width: F32(width),
            area_height: F32(-depth),
            area_margin: [-3.0, depth + 3.0, width + 3.0, -3.0].map(F32),
            partition_max_dec_feature_count: 16,
            virtual_partition: 1,
            virt_partition_min: [1, 1],
            virt_partition_max: [x_count - 1, z_count - 1],
            virt_partition_size: Vec2::from([edge, -edge]),
            virt_partition_half: Vec2::from([edge / 2.0, -edge / 2.0]),
            virt_partition_inv: Vec2::from([1.0 / edge, -1.0 / edge]),
            virt_partition_diag: F32(-0.75 * edge),
            inclusion_tolerance: [F32(3.0); 2],
            virt_partition_x_count: x_count,
            virt_partition_z_count: z_count,
            virt_partition_ptr: ADDRESS,
            ones: [F32(1.0); 3],
            light_nodes_ptr: ADDRESS,
            light_data_ptr: ADDRESS,
            ..WorldRecord::default()
        },
        lights: vec![SUN as u32],
        sounds: Vec::new(),
        partitions: cells
            .map(|(column, row)| {
                let left = f32::from(column) * edge;
                cell(left, depth - f32::from(row) * edge, edge)
            })
            .collect(),
    }
}

/// Range of heights of everything in a cell.
const HEIGHTS: [f32; 2] = [-8.0, 40.0];

fn cell(x: f32, z: f32, edge: f32) -> Partition {
    let [low, high] = HEIGHTS;
    let (half, rise) = (f64::from(edge / 2.0), f64::from(high - low) / 2.0);
    Partition {
        record: PartitionRecord {
            flags: 0x100,
            area: -1,
            x: F32(x),
            z: F32(z),
            min: Vec3::from([x, low, z - edge]),
            max: Vec3::from([x + edge, high, z]),
            mid: Vec3::from([x + edge / 2.0, (low + high) / 2.0, z - edge / 2.0]),
            diagonal: F32(quick_root((2.0 * half * half + rise * rise) as f32)),
            ..PartitionRecord::default()
        },
        entries: Vec::new(),
    }
}

/// Lists a node in a cell.
pub fn add_to_cell(tree: &mut Tree, version: ZipperGame, node: usize, cell: usize) {
    let entry = PartitionEntry {
        node: node as u32,
        y_range: match is_late(version) {
            true => Vec2::from(HEIGHTS),
            false => Vec2::default(),
        },
    };
    if let Some(NodeData::World(world)) = tree.nodes.first_mut().map(|node| &mut node.data)
        && let Some(cell) = world.partitions.get_mut(cell)
    {
        cell.record.nodes_ptr = ADDRESS;
        cell.entries.push(entry);
    }
}
