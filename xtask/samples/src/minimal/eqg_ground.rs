//! The ground of the fen, and the wall around it.

use relicast::formats::codec::{Blob, F32, Vec3};
use relicast::formats::everquest::eqg::tiles::{
    self, Area, GroundLayer, Mask, ORIGIN, Place, PlacedGroup, PlacedObject, QuadFlags, Sheet,
    Tile, TileLight, Tiles,
};
use relicast::formats::everquest::eqg::walls::{self, Wall, Walls};

use super::eqg::WHOLE;

/// Ground of two tiles.
pub(super) fn ground() -> Vec<u8> {
    let tiles = Tiles {
        version: 21,
        texture: "grass_c.dds".to_owned(),
        quads: QUADS as u32,
        tiles: [0, 1].map(tile).to_vec(),
        ..Tiles::default()
    };
    tiles::encode(&tiles).expect("it fits")
}

/// Quads of a tile along each side.
const QUADS: usize = 2;

fn tile(number: u8) -> Tile {
    let corners = (QUADS + 1) * (QUADS + 1);
    let place = Place {
        longitude: ORIGIN.unsigned_abs() + u32::from(number),
        latitude: ORIGIN.unsigned_abs(),
        position: Vec3::from([4.0, 5.0, 0.5]),
        rotation: Vec3::from([0.0, 0.0, 45.0]),
        scale: WHOLE,
    };
    Tile {
        longitude: ORIGIN + i32::from(number),
        latitude: ORIGIN,
        id: i32::from(number),
        heights: (0..corners).map(|place| F32(place as f32 * 0.5)).collect(),
        tints: vec![[255; 4]; corners],
        baked: vec![[200, 190, 180, 255]; corners],
        flags: vec![
            QuadFlags::HOLE,
            QuadFlags::DIAGONAL,
            QuadFlags::empty(),
            QuadFlags::empty(),
        ],
        water_level: F32(1.0),
        sheet: Sheet {
            index: Some(i32::from(number)),
            bounded: Some(0),
            bounds: None,
            unk: Some(F32(0.0)),
        },
        layers: vec![
            GroundLayer {
                ecosystem: "plain.eco".to_owned(),
                mask: None,
            },
            GroundLayer {
                ecosystem: "mud.eco".to_owned(),
                mask: Some(Mask {
                    side: 2,
                    weights: Blob::from(vec![0, 64, 128, 255]),
                }),
            },
        ],
        objects: vec![PlacedObject {
            model: "STONE".to_owned(),
            name: "stone1".to_owned(),
            place,
            unk: 0,
            unk22: None,
        }],
        areas: vec![Area {
            name: "AWT_fen".to_owned(),
            place,
            size: Vec3::from([4.0, 4.0, 2.0]),
            ..Area::default()
        }],
        lights: vec![TileLight {
            name: "LIT_lamp".to_owned(),
            definition: "lamp".to_owned(),
            unk: 0,
            place,
            radius: F32(12.0),
        }],
        groups: vec![PlacedGroup {
            name: "hut".to_owned(),
            place,
            adjustment: F32(0.5),
        }],
    }
}

/// An invisible wall.
pub(super) fn fence() -> Vec<u8> {
    let points = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 8.0, 0.0]];
    let wall = Wall {
        name: "fence".to_owned(),
        flag: 1,
        points: points.map(Vec3::from).to_vec(),
    };
    let walls = Walls {
        walls: vec![wall],
        ..Walls::default()
    };
    walls::encode(&walls).expect("it fits")
}
