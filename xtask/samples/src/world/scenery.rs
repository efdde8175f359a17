//! The sample world: a strip of land with a house, a tower with a simpler level of detail, a fence, a
//! pool, and objects that are created during play.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, Affine, AreaPartition, Facade, GameZ, ModelArray, ModelFlags, ModelSlot, Models,
    NodeFlags, Object3dFlags, PolygonFlags, ZoneId,
};

use super::shape::{Face, Shape, WHOLE};
use super::surface::{self, material};
use super::tree::{Angle, Place, Tree, placed, still};
use super::{is_late, stage};
use crate::Outcome;

/// Builder of models: each gets a slot.
pub(super) struct Catalog {
    version: ZipperGame,
    models: Vec<Shape>,
}

impl Catalog {
    pub(super) fn new(version: ZipperGame) -> Self {
        Self {
            version,
            models: Vec::new(),
        }
    }

    /// Gives a node a new model; returns the slot.
    pub(super) fn attach(&mut self, tree: &mut Tree, node: usize, shape: Shape) -> usize {
        // In Crimson Skies a free slot comes before the used ones.
        let free = usize::from(self.version.scatters_models());
        let slot = self.models.len() + free;
        tree.set_model(node, slot as i32, shape.bounds());
        self.models.push(shape);
        slot
    }

    /// Gives a node the model of a slot as well.
    pub(super) fn share(&mut self, tree: &mut Tree, node: usize, slot: usize) {
        let free = usize::from(self.version.scatters_models());
        let shape = &mut self.models[slot - free];
        shape.users += 1;
        tree.set_model(node, slot as i32, shape.bounds());
    }

    /// The model section with two free slots.
    pub(super) fn finish(self, cycled: impl Fn(i32) -> bool) -> Models {
        let version = self.version;
        let count = self.models.len();
        let free = |next: usize| ModelSlot::Free {
            next: next as i32,
            residue: None,
        };
        let last = ModelSlot::Free {
            next: -1,
            residue: None,
        };
        let models = self.models.into_iter();
        let mut slots: Vec<ModelSlot> = models
            .map(|shape| ModelSlot::Used(Box::new(shape.model(version, false, &cycled))))
            .collect();
        let index_free = match version.scatters_models() {
            true => {
                slots.insert(0, last);
                slots.push(free(0));
                count + 1
            }
            false => {
                slots.extend([free(count + 1), last]);
                count
            }
        };
        Models {
            array: ModelArray {
                array_size: slots.len() as i32,
                count: count as i32,
                index_free: index_free as i32,
            },
            slots,
        }
    }
}

/// Encodes a file of the sample's materials and these nodes and models.
pub(super) fn file(version: ZipperGame, tree: Tree, models: Catalog) -> Outcome<Vec<u8>> {
    let materials = surface::materials(version)?;
    let animated: Vec<bool> = materials
        .used
        .iter()
        .map(|material| material.cycle.is_some())
        .collect();
    let cycled = |material: i32| animated.get(material as usize).copied() == Some(true);
    let (nodes, last_free) = tree.finish()?;
    let mut gamez = GameZ {
        version,
        textures: surface::textures(version)?,
        models: models.finish(cycled),
        materials,
        nodes,
        ..GameZ::default()
    };
    gamez.header.timestamp = if is_late(version) { 942_371_914 } else { 0 };
    gamez.header.node_last_free = last_free;
    Ok(gamez::encode(&gamez)?)
}

/// Land of 3 × 3 vertices with a road, a pool and a bank.
fn land(version: ZipperGame) -> Shape {
    let edge = version.partition_edge();
    let heights = [0.0, 2.0, 6.0, 0.0, 0.0, 4.0, 0.0, 0.0, 8.0];
    let vertices: Vec<[f32; 3]> = (0_u8..9)
        .zip(heights)
        .map(|(number, height)| {
            let (column, row) = (f32::from(number % 3), f32::from(number / 3));
            [column * edge, height, row * edge / 2.0]
        })
        .collect();
    let mut shape = Shape::new(&vertices);
    shape.normals = vec![[0.0, 1.0, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.8, 0.6]];
    let repeated = WHOLE.map(|[u, v]| [u * 4.0, v * 4.0]);
    let field = |corners, normal| {
        Face::quad(corners, material::GROUND)
            .uvs(&repeated)
            .normal(normal)
    };
    let shades = [
        [255.0; 3],
        [200.0, 210.0, 180.0],
        [128.0; 3],
        [90.0, 80.0, 70.0],
    ];
    shape.faces = vec![
        field([3, 4, 1, 0], 0),
        field([4, 5, 2, 1], 1)
            .over(&[material::FENCE])
            .zones(&[1, 2, 3]),
        field([6, 7, 4, 3], 0).lit(&shades),
        field([7, 8, 5, 4], 2)
            .over(&[material::BRICKS, material::FLAME])
            .lit(&shades[1..]),
    ];
    // A pool like an L, in the plane of the land and above it.
    let corner = |x: f32, z: f32| [40.0 + x * 30.0, 0.0, 40.0 + z * 30.0];
    let outline = [(0, 0), (0, 2), (2, 2), (2, 1), (1, 1), (1, 0)];
    let first = shape.vertices.len() as u32;
    let pool = outline.map(|(x, z)| corner(x as f32, z as f32));
    shape.vertices.extend(pool);
    let corners: Vec<u32> = (first..first + 6).collect();
    let uvs = outline.map(|(x, z)| [x as f32 / 2.0, z as f32 / 2.0]);
    let pool = Face::plain(&corners, material::WATER).uvs(&uvs).normal(0);
    shape.faces.push(pool.priority(2).zones(&[7]));
    // A road of six consecutive corners, as a strip if the game has strips.
    let first = shape.vertices.len() as u32;
    for step in 0_u8..3 {
        let z = 10.0 + f32::from(step) * 50.0;
        shape.vertices.extend([[10.0, 0.0, z], [25.0, 0.0, z]]);
    }
    let uv = |corner: u32| [(corner % 2) as f32, (corner / 2) as f32];
    if version == ZipperGame::Recoil {
        for start in [first, first + 2] {
            let corners = [start, start + 2, start + 3, start + 1];
            let uvs = corners.map(|corner| uv(corner - first));
            let face = Face::quad(corners, material::TILE).uvs(&uvs).normal(0);
            shape.faces.push(face.priority(5));
        }
    } else {
        let corners: Vec<u32> = [1, 0, 3, 2, 5, 4].map(|corner| first + corner).into();
        let uvs: Vec<[f32; 2]> = corners.iter().map(|corner| uv(corner - first)).collect();
        let strip = Face::plain(&corners, material::TILE).uvs(&uvs).normal(0);
        let strip = strip.flags(PolygonFlags::TRI_STRIP).priority(5);
        shape.faces.push(strip.lit(&shades));
    }
    shape
}

/// A gable roof whose sides are also visible from below, without normals.
fn roof() -> Shape {
    let mut shape = Shape::new(&[
        [-6.0, 0.0, 5.0],
        [6.0, 0.0, 5.0],
        [6.0, 4.0, 0.0],
        [-6.0, 4.0, 0.0],
        [6.0, 0.0, -5.0],
        [-6.0, 0.0, -5.0],
    ]);
    let red = [[220.0, 60.0, 40.0], [255.0, 128.0, 96.0]];
    let both = PolygonFlags::SHOW_BACKFACE;
    shape.faces = vec![
        Face::quad([0, 1, 2, 3], material::CLAMPED).flags(both),
        Face::quad([4, 5, 3, 2], material::CLAMPED).flags(both),
        Face::plain(&[1, 4, 2], material::PAINT).lit(&red),
        Face::plain(&[5, 0, 3], material::PAINT)
            .lit(&red)
            .priority(-3),
    ];
    shape
}

/// An octagon in the sky, seen from below, without light and fog.
fn sky() -> Shape {
    let ring = [
        (4.0, 0.0),
        (3.0, 3.0),
        (0.0, 4.0),
        (-3.0, 3.0),
        (-4.0, 0.0),
        (-3.0, -3.0),
        (0.0, -4.0),
        (3.0, -3.0),
    ];
    let vertices = ring.map(|(x, z)| [x * 200.0, 300.0, z * 200.0]);
    let uvs = ring.map(|(x, z)| [0.5 + x / 8.0, 0.5 + z / 8.0]);
    let mut shape = Shape::new(&vertices);
    shape.flags = ModelFlags::empty();
    shape.scroll = [0.0625, -0.125];
    let corners: Vec<u32> = (0..8).collect();
    shape.with(Face::plain(&corners, material::SKY).uvs(&uvs))
}

fn flag() -> Shape {
    let mut shape = Shape::card(3.0, 2.0, material::LOST);
    let waved = shape.vertices.iter().map(|&[x, y, _]| [x, y, x / 3.0]);
    shape.morphs = waved.collect();
    let face = &mut shape.faces[0];
    face.flags = PolygonFlags::SHOW_BACKFACE;
    shape
}

/// Fireflies as dots, and a tinted lantern.
fn swarm(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    let place = Place::at(90.0, 3.0, 70.0);
    let flies = tree.object("fireflies", placed(place), Some(0))?;
    let mut dots = Shape::card(6.0, 2.0, material::PAINT);
    dots.as_points = true;
    models.attach(tree, flies, dots);
    let mut tinted = placed(Place::at(94.0, 0.0, 70.0));
    tinted.flags |= Object3dFlags::COLOR;
    tinted.color = Vec3::from([1.0, 0.5, 0.0]);
    tinted.tint_weight = F32(0.75);
    let lantern = tree.object("lantern", tinted, Some(0))?;
    let glass = Shape::brick(
        [-0.5, 0.0, -0.5],
        [0.5, 1.5, 0.5],
        material::PAINT,
        material::PAINT,
    );
    models.attach(tree, lantern, glass);
    Ok(())
}

/// Scenery of Crimson Skies only: an airship that waits at the origin, and a volume of fog.
fn skies_only(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    let anchor = tree.object("samplezep", still(), Some(0))?;
    let hull = tree.object("samplezep_hull", still(), Some(anchor))?;
    let shape = Shape::brick(
        [-4.0, -4.0, -20.0],
        [4.0, 4.0, 20.0],
        material::PAINT,
        material::TILE,
    );
    models.attach(tree, hull, shape);
    let fog = tree.object("fvol01", placed(Place::at(180.0, 0.0, 20.0)), Some(0))?;
    let shape = Shape::brick(
        [-10.0, 0.0, -8.0],
        [10.0, 6.0, 8.0],
        material::PAINT,
        material::PAINT,
    );
    models.attach(tree, fog, shape);
    Ok(())
}

/// The black bars of films, switched off: above and below what a camera sees 7.5 m ahead.
fn letterbox(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    let bars = tree.object("letterbox", still(), Some(0))?;
    let (top, bottom) = ([2.491, 4.047], [-4.047, -2.46]);
    let corners = |[low, high]: [f32; 2]| {
        [
            [-6.646, low, -7.5],
            [6.646, low, -7.5],
            [6.646, high, -7.5],
            [-6.646, high, -7.5],
        ]
    };
    let shape = Shape::new(&[corners(top), corners(bottom)].concat());
    let shape = shape
        .with(Face::plain(&[0, 1, 2, 3], material::PAINT))
        .with(Face::plain(&[4, 5, 6, 7], material::PAINT));
    models.attach(tree, bars, shape);
    tree.hide(bars);
    Ok(())
}

/// Two hangars whose parts have the same names, so that only an index distinguishes them.
fn hangars(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    for (name, x) in [("hangar_w", 30.0), ("hangar_e", 70.0)] {
        let hangar = tree.object(name, placed(Place::at(x, 0.0, 180.0)), Some(0))?;
        let healthy = tree.object("healthy", still(), Some(hangar))?;
        let walls = Shape::brick(
            [-4.0, 0.0, -4.0],
            [4.0, 3.0, 4.0],
            material::TILE,
            material::TILE,
        );
        models.attach(tree, healthy, walls);
        let vent = tree.object("air_gen", placed(Place::at(0.0, 3.5, 0.0)), Some(healthy))?;
        models.attach(tree, vent, Shape::card(1.0, 1.0, material::SIGNAL));
    }
    Ok(())
}

/// A template of Crimson Skies for the texture of the ground: a tile of it, and a tree at (0.25, 0.625) on it.
fn wood(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    let root = tree.object("wood", still(), None)?;
    let tile = [
        [0.0; 3],
        [10.0, 0.0, 0.0],
        [10.0, 0.0, -10.0],
        [0.0, 0.0, -10.0],
    ];
    let face = Face::quad([0, 1, 2, 3], material::GROUND);
    let face = face.uvs(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    models.attach(tree, root, Shape::new(&tile).with(face));
    let place = placed(Place::at(2.5, 0.0, -6.25));
    let pine = tree.object("wood_tree", place, Some(root))?;
    let card = tree.object("wood_card", placed(Place::at(0.0, 0.5, 0.0)), Some(pine))?;
    let mut shape = Shape::card(3.0, 6.0, material::FENCE);
    shape.facade = Some(Facade::CylindricalY);
    models.attach(tree, card, shape);
    Ok(())
}

/// Scenery of Recoil only: a turret with its fire point, and a pickup in the world.
fn recoil_only(tree: &mut Tree, models: &mut Catalog) -> Outcome {
    let place = placed(Place::at(70.0, 0.0, 80.0));
    let turret = tree.object("turret_1", place, Some(0))?;
    let healthy = tree.object("healthy", still(), Some(turret))?;
    let barrel = tree.object("barrel_part", still(), Some(healthy))?;
    let shape = Shape::brick(
        [-0.5, 0.0, -2.0],
        [0.5, 1.0, 2.0],
        material::PAINT,
        material::PAINT,
    );
    models.attach(tree, barrel, shape);
    let fire = placed(Place::at(0.0, 0.5, -2.0));
    let fire = tree.object("fire_point", fire, Some(healthy))?;
    models.attach(tree, fire, Shape::card(0.25, 0.25, material::SIGNAL));
    let thing = tree.object("pu03401", placed(Place::at(74.0, 0.0, 80.0)), Some(0))?;
    models.attach(tree, thing, Shape::card(1.0, 1.0, material::PAINT));
    Ok(())
}

/// The world of a game.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn world(version: ZipperGame) -> Outcome<Vec<u8>> {
    let mut tree = Tree::new(version);
    let mut models = Catalog::new(version);
    stage::set(&mut tree, version, 2, 1)?;

    let ground = tree.object("ground_01", still(), None)?;
    models.attach(&mut tree, ground, land(version));
    let record = &mut tree.nodes[ground].record;
    record.flags |= NodeFlags::TERRAIN;
    record.area_partition = AreaPartition { x: 0, z: 0 };
    stage::add_to_cell(&mut tree, version, ground, 0);
    stage::add_to_cell(&mut tree, version, ground, 1);

    let dome = tree.object("sky", placed(Place::at(128.0, 0.0, 128.0)), Some(0))?;
    models.attach(&mut tree, dome, sky());

    buildings(&mut tree, &mut models)?;
    let blaze = fences_and_fire(&mut tree, &mut models)?;
    poles(&mut tree, &mut models)?;
    swarm(&mut tree, &mut models)?;
    match version {
        ZipperGame::CrimsonSkies => skies_only(&mut tree, &mut models)?,
        ZipperGame::Recoil => recoil_only(&mut tree, &mut models)?,
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {}
    }

    made_in_play(&mut tree, &mut models, blaze)?;
    if version == ZipperGame::CrimsonSkies {
        hangars(&mut tree, &mut models)?;
        letterbox(&mut tree, &mut models)?;
        wood(&mut tree, &mut models)?;
    }

    file(version, tree, models)
}

/// A house with a roof, a pane, a hidden ruin and a lamp, and a tower with two levels of detail.
fn buildings(tree: &mut Tree, models: &mut Catalog) -> Outcome<()> {
    let place = Place::at(150.0, 0.0, 60.0).turned(Angle::ZERO, Angle::STEEP, Angle::ZERO);
    let house = tree.object("house", placed(place), Some(0))?;
    let walls = tree.object("house_walls", still(), Some(house))?;
    let brick = Shape::brick(
        [-5.0, 0.0, -4.0],
        [5.0, 6.0, 4.0],
        material::BRICKS,
        material::TILE,
    );
    models.attach(tree, walls, brick);
    let top = tree.object("house_roof", placed(Place::at(0.0, 6.0, 0.0)), Some(house))?;
    models.attach(tree, top, roof());
    let mut glass = placed(Place::at(0.0, 2.0, 4.25));
    glass.flags |= Object3dFlags::OPACITY;
    glass.opacity = F32(0.5);
    let glass = tree.object("house_glass", glass, Some(house))?;
    models.attach(tree, glass, Shape::card(4.0, 2.0, material::GLASS));
    let ruin = tree.object("house_ruin", still(), Some(house))?;
    let rubble = Shape::brick(
        [-4.0, 0.0, -3.0],
        [4.0, 1.0, 3.0],
        material::GROUND,
        material::PAINT,
    );
    models.attach(tree, ruin, rubble);
    tree.hide(ruin);

    let tower = tree.object("tower", placed(Place::at(200.0, 0.0, 40.0)), None)?;
    tree.nodes[tower].record.area_partition = AreaPartition { x: 0, z: 0 };
    stage::add_to_cell(tree, models.version, tower, 0);
    let near = tree.lod("tower_hi", 0.0, 150.0, tower)?;
    let body = tree.object("tower_body", still(), Some(near))?;
    let mut shaft = Shape::brick(
        [-2.0, 0.0, -2.0],
        [2.0, 20.0, 2.0],
        material::BRICKS,
        material::SIGNAL,
    );
    shaft.points = vec![
        vec![[0.0, 21.0, 0.0]],
        vec![[2.0, 20.0, 2.0], [-2.0, 20.0, -2.0]],
    ];
    models.attach(tree, body, shaft);
    let far = tree.lod("tower_lo", 150.0, 600.0, tower)?;
    let block = tree.object("tower_block", still(), Some(far))?;
    models.attach(tree, block, Shape::card(4.0, 20.0, material::BRICKS));

    let lamp = tree.object("lamp", placed(Place::at(0.0, 7.0, 5.0)), Some(house))?;
    let mut light = Shape::new(&[]);
    light.points = vec![vec![[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]]];
    models.attach(tree, lamp, light);
    if models.version == ZipperGame::Recoil {
        tree.relate(tower, lamp);
    }
    Ok(())
}

/// A fence, the same mirrored, and a fire; returns the model of its flame.
fn fences_and_fire(tree: &mut Tree, models: &mut Catalog) -> Outcome<usize> {
    let place = Place::at(100.0, 1.0, 100.0)
        .turned(Angle::FLAT, Angle::QUARTER.back(), Angle::STEEP)
        .scaled(1.0, 2.0, 1.0);
    let fence = tree.object("fence_01", placed(place), Some(0))?;
    tree.nodes[fence].record.zone_id = ZoneId(3);
    let mut bars = Shape::card(16.0, 4.0, material::FENCE);
    bars.faces[0].flags = PolygonFlags::SHOW_BACKFACE;
    let bars = models.attach(tree, fence, bars);
    let place = Place::at(120.0, 0.0, 100.0).scaled(-1.0, 1.0, 1.0);
    let mirrored = tree.object("fence_02", placed(place), Some(0))?;
    models.share(tree, mirrored, bars);

    let place = Place::at(60.0, 0.0, 110.0).turned(Angle::ZERO, Angle::HALF, Angle::ZERO);
    let fire = tree.object("camp_fire", placed(place), Some(0))?;
    let mut blaze = Shape::card(4.0, 4.0, material::FLAME);
    blaze.facade = Some(Facade::SphericalY);
    let blaze = models.attach(tree, fire, blaze);
    Ok(blaze)
}

/// A leaning pole with a banner.
fn poles(tree: &mut Tree, models: &mut Catalog) -> Outcome<()> {
    let mut leaning = still();
    leaning.flags = Object3dFlags::ALWAYS | Object3dFlags::USE_MATRIX;
    leaning.transform = Affine {
        basis: [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from),
        translation: Vec3::from([80.0, 0.0, 120.0]),
    };
    let pole = tree.object("pole", leaning, Some(0))?;
    let stick = Shape::brick(
        [-0.25, 0.0, -0.25],
        [0.25, 8.0, 0.25],
        material::PAINT,
        material::PAINT,
    );
    models.attach(tree, pole, stick);
    let banner = tree.object("banner", placed(Place::at(1.5, 6.0, 0.0)), Some(pole))?;
    models.attach(tree, banner, flag());
    Ok(())
}

/// Objects that are created while the game runs.
fn made_in_play(tree: &mut Tree, models: &mut Catalog, blaze: usize) -> Outcome<()> {
    let place = Place::at(0.0, 0.5, 0.0);
    let barrel = tree.object("barrel", placed(place), None)?;
    let cask = Shape::brick(
        [-1.0, 0.0, -1.0],
        [1.0, 2.0, 1.0],
        material::PAINT,
        material::TILE,
    );
    models.attach(tree, barrel, cask);
    let lid = tree.object("barrel_lid", placed(Place::at(0.0, 2.0, 0.0)), Some(barrel))?;
    models.attach(tree, lid, Shape::card(2.0, 0.5, material::SIGNAL));
    let spark = tree.object("spark", still(), None)?;
    models.share(tree, spark, blaze);
    Ok(())
}
