//! A wide plain for benchmarks: any number of tiles of uneven ground.

use relicast::formats::zipper::ZipperGame;

use super::super::random::mix;
use super::scenery::{Catalog, file};
use super::shape::{Face, Shape};
use super::tree::{Tree, still};
use super::{stage, surface::material};
use crate::Outcome;

/// Squares along the edge of a tile.
const SQUARES: u32 = 16;

/// A world of MechWarrior 3 with `columns` times `rows` cells, each a tile of 256 polygons.
///
/// # Errors
/// There are too many cells for the format.
pub fn plain(columns: u16, rows: u16) -> Outcome<Vec<u8>> {
    let version = ZipperGame::MechWarrior3;
    let mut tree = Tree::new(version);
    let mut models = Catalog::new(version);
    stage::set(&mut tree, version, columns, rows)?;
    for row in 0..rows {
        for column in 0..columns {
            let name = format!("ground_{column:02}_{row:02}");
            let tile = tree.object(&name, still(), Some(0))?;
            models.attach(&mut tree, tile, ground(column, row, rows));
            let cell = usize::from(row) * usize::from(columns) + usize::from(column);
            stage::add_to_cell(&mut tree, version, tile, cell);
        }
    }
    file(version, tree, models)
}

fn ground(column: u16, row: u16, rows: u16) -> Shape {
    let step = 256.0 / SQUARES as f32;
    let across = SQUARES + 1;
    let (left, top) = (
        u32::from(column) * SQUARES,
        u32::from(rows - 1 - row) * SQUARES,
    );
    let places = (0..across * across).map(|place| (left + place % across, top + place / across));
    let places: Vec<(u32, u32)> = places.collect();
    let bits = |&(x, z): &(u32, u32)| mix(u64::from(x) << 32 | u64::from(z));
    let vertices: Vec<[f32; 3]> = places
        .iter()
        .map(|place| {
            let height = (bits(place) & 0xFF) as f32 / 32.0;
            [place.0 as f32 * step, height, place.1 as f32 * step]
        })
        .collect();
    let mut shape = Shape::new(&vertices);
    shape.normals = places
        .iter()
        .map(|place| {
            let slope = |shift: u32| ((bits(place) >> shift & 0xFF) as f32 - 128.0) / 512.0;
            let (x, z) = (slope(8), slope(16));
            [x, (1.0 - x * x - z * z).sqrt(), z]
        })
        .collect();
    let uvs: Vec<[f32; 2]> = (0..across * across)
        .map(|place| [(place % across) as f32 / 4.0, (place / across) as f32 / 4.0])
        .collect();
    for square in 0..SQUARES * SQUARES {
        let first = square / SQUARES * across + square % SQUARES;
        let corners = [first + across, first + across + 1, first + 1, first];
        let material =
            [material::GROUND, material::TILE, material::BRICKS][(square / 5 % 3) as usize];
        let mut face = Face::plain(&corners, material)
            .uvs(&corners.map(|corner| uvs[corner as usize]))
            .lit(&corners.map(|corner| {
                let light = 128 + (bits(&places[corner as usize]) >> 24 & 0x7F);
                [light as f32; 3]
            }));
        face.normals = corners.to_vec();
        shape.faces.push(face);
    }
    shape
}
