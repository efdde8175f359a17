//! Textures and materials of the sample worlds.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    Cycle, CycleRecord, FreeMaterial, Links, Material, MaterialArray, MaterialFlags,
    MaterialRecord, Materials, Soil, Texture, TextureName, TextureState,
};

use super::{ADDRESS, is_late};
use crate::Outcome;

/// Stems, suffixes and smaller variants. The pictures are those of [`pictures`](super::super::pictures).
const TEXTURES: [(&str, &str, i32); 11] = [
    ("ground", "tif", 10),
    ("tile_001", "bmp", -1),
    ("tile_002", ".tif", -1),
    ("TILE_003", "tif", -1),
    ("fence", "tif", -1),
    ("flame", "tif", -1),
    ("sky", "", -1),
    ("edge3", "tif", -1),
    // No package has a picture of this name.
    ("lost_banner", "tif", -1),
    // Longer names are cut off.
    ("odd_size", "tiff", -1),
    ("ground_small_and_ol", "", -1),
];

/// More textures of Crimson Skies, which liveries and decals replace.
const LIVERY_TEXTURES: [(&str, &str, i32); 2] =
    [("fur_wing", "tif", -1), ("fur_taillogo", "tif", -1)];

/// The materials of [`materials`], by index.
pub mod material {
    pub const GROUND: i32 = 0;
    pub const TILE: i32 = 1;
    pub const WATER: i32 = 2;
    pub const FENCE: i32 = 3;
    pub const FLAME: i32 = 4;
    pub const PAINT: i32 = 5;
    pub const GLASS: i32 = 6;
    pub const LOST: i32 = 7;
    pub const CLAMPED: i32 = 8;
    pub const SKY: i32 = 9;
    pub const SIGNAL: i32 = 10;
    pub const BRICKS: i32 = 11;
    /// Only in Crimson Skies.
    pub const SKIN: i32 = 12;
    /// Only in Crimson Skies.
    pub const DECAL: i32 = 13;
}

/// The texture table.
pub fn textures(version: ZipperGame) -> Outcome<Vec<Texture>> {
    let late = is_late(version);
    let livery_textures: &[_] = match version {
        ZipperGame::CrimsonSkies => &LIVERY_TEXTURES,
        _ => &[],
    };
    let table = TEXTURES
        .iter()
        .chain(livery_textures)
        .map(|&(stem, suffix, mip_index)| {
            Ok(Texture {
                image_ptr: if late { ADDRESS } else { 0 },
                name: TextureName::new(stem, suffix).ok_or("texture name too long")?,
                state: match late {
                    true => TextureState::Assigned,
                    false => TextureState::Used,
                },
                mip_index,
                ..Texture::default()
            })
        });
    table.collect()
}

fn record(version: ZipperGame) -> MaterialRecord {
    MaterialRecord {
        alpha: 255,
        flags: match version {
            ZipperGame::Recoil => MaterialFlags::empty(),
            _ => MaterialFlags::ALWAYS,
        },
        field24: F32(0.5),
        field28: F32(0.5),
        ..MaterialRecord::default()
    }
}

/// A material of a plain color.
pub fn painted(version: ZipperGame, color: [f32; 3], alpha: u8) -> MaterialRecord {
    MaterialRecord {
        alpha,
        color: Vec3::from(color),
        ..record(version)
    }
}

/// A material with a texture; in a mechlib `texture_index` is an address.
pub fn textured(version: ZipperGame, texture_index: i32) -> MaterialRecord {
    let plain = record(version);
    MaterialRecord {
        flags: plain.flags | MaterialFlags::TEXTURED,
        rgb: 0x7FFF,
        color: Vec3::from([255.0; 3]),
        texture_index,
        ..plain
    }
}

fn cycled(record: &mut MaterialRecord, textures: &[i32], looping: bool, speed: f32) -> Cycle {
    record.flags |= MaterialFlags::CYCLED;
    record.cycle_ptr = ADDRESS;
    Cycle {
        record: CycleRecord {
            looping: u32::from(looping),
            current_frame: 1,
            speed: F32(speed),
            tex_map_index: textures.len() as i32,
            tex_map_ptr: ADDRESS,
            ..CycleRecord::default()
        },
        textures: textures.to_vec(),
    }
}

/// The materials, with two free slots after them.
pub fn materials(version: ZipperGame) -> Outcome<Materials> {
    let mut ground = textured(version, 0);
    ground.soil = Soil::Other(8);
    let mut water = textured(version, 2);
    water.soil = Soil::Water;
    water.flags |= MaterialFlags::TAKES_DECALS;
    let waves = cycled(&mut water, &[2, 3, 1, 3], true, 4.0);
    let mut signal = textured(version, 1);
    let flashes = cycled(&mut signal, &[1, 2], false, 1.5);
    let mut flame = textured(version, 5);
    flame.soil = Soil::Fire;
    let mut bricks = textured(version, 9);
    bricks.soil = Soil::Other(13);
    let mut records = vec![
        (ground, None),
        (textured(version, 1), None),
        (water, Some(waves)),
        (textured(version, 4), None),
        (flame, None),
        (painted(version, [200.0, 80.0, 40.5], 255), None),
        (painted(version, [40.0, 120.0, 200.0], 96), None),
        (textured(version, 8), None),
        (textured(version, 7), None),
        (textured(version, 6), None),
        (signal, Some(flashes)),
        (bricks, None),
    ];
    if version == ZipperGame::CrimsonSkies {
        records.push((textured(version, 11), None));
        records.push((textured(version, 12), None));
    }
    listed(records, 2)
}

/// Material slots, with `spare` free ones after the used ones.
pub fn listed(records: Vec<(MaterialRecord, Option<Cycle>)>, spare: usize) -> Outcome<Materials> {
    let count = records.len();
    let slots = count + spare;
    let mut materials = Materials {
        array: MaterialArray {
            array_size: slots as i32,
            count: count as i32,
            index_free: if spare > 0 { count as i32 } else { -1 },
            index_last: count as i32 - 1,
        },
        ..Materials::default()
    };
    for (index, (record, cycle)) in records.into_iter().enumerate() {
        let links = Links::used(index, count).ok_or("too many materials")?;
        materials.used.push(Material {
            record,
            links,
            cycle,
        });
    }
    for index in count..slots {
        materials.free.push(FreeMaterial {
            links: Links::free(index, count, slots).ok_or("too many materials")?,
            residue: None,
        });
    }
    Ok(materials)
}
