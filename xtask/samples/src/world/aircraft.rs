//! The library of aircraft of Crimson Skies: two airframes in two levels of detail each.

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::PolygonFlags;

use super::scenery::{Catalog, file};
use super::shape::{Face, Shape};
use super::surface::material;
use super::tree::{Angle, Place, Tree, placed, still};
use crate::Outcome;

/// Encodes `planes.zbd`.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn aircraft() -> Outcome<Vec<u8>> {
    let version = ZipperGame::CrimsonSkies;
    let mut tree = Tree::new(version);
    let mut models = Catalog::new(version);
    airframe(&mut tree, &mut models, "player_finch", 8.0)?;
    airframe(&mut tree, &mut models, "heron", 12.0)?;
    file(version, tree, models)
}

/// A wing of both sides, of half the span, swept to the back.
fn wing(span: f32, material: i32) -> Shape {
    let mut shape = Shape::new(&[
        [-span, 0.5, 1.0],
        [0.0, 0.0, -1.0],
        [span, 0.5, 1.0],
        [span, 0.5, 2.0],
        [0.0, 0.0, 1.5],
        [-span, 0.5, 2.0],
    ]);
    shape.normals = vec![[0.0, 1.0, 0.0]];
    // Bent at the front and at the back: not convex.
    let uvs = [
        [0.0, 0.25],
        [0.5, 0.0],
        [1.0, 0.25],
        [1.0, 1.0],
        [0.5, 0.75],
        [0.0, 1.0],
    ];
    let face = Face::plain(&[0, 5, 4, 3, 2, 1], material);
    let turned = [uvs[0], uvs[5], uvs[4], uvs[3], uvs[2], uvs[1]];
    let face = face.uvs(&turned).normal(0).over(&[material::FENCE]);
    shape.with(face.flags(PolygonFlags::SHOW_BACKFACE))
}

fn airframe(tree: &mut Tree, models: &mut Catalog, name: &str, span: f32) -> Outcome {
    let root = tree.object(name, still(), None)?;
    let geometry = tree.object("geometry", still(), Some(root))?;
    let healthy = tree.object("healthy", still(), Some(geometry))?;
    let near = tree.lod("lod_hi", 0.0, 300.0, healthy)?;
    let body = tree.object("body", still(), Some(near))?;
    let hull = Shape::brick(
        [-1.0, -1.0, -5.0],
        [1.0, 1.0, 5.0],
        material::BRICKS,
        material::TILE,
    );
    models.attach(tree, body, hull);
    let wings = tree.object("wings", placed(Place::at(0.0, 0.25, -1.0)), Some(body))?;
    models.attach(tree, wings, wing(span, material::CLAMPED));
    for (name, material, behind) in [
        ("fin", material::SKIN, 4.0),
        ("crest", material::DECAL, 4.5),
    ] {
        let place = Place::at(0.0, 1.0, behind);
        let part = tree.object(name, placed(place), Some(body))?;
        models.attach(tree, part, Shape::card(2.0, 2.0, material));
    }
    for (side, name) in [(-1.0, "aileron_l"), (1.0, "aileron_r")] {
        let place = Place::at(side * span * 0.75, 0.75, 0.75);
        let turned = place.turned(Angle::FLAT.back(), Angle::ZERO, Angle::ZERO);
        let flap = tree.object(name, placed(turned), Some(body))?;
        let shape = Shape::brick(
            [-1.5, 0.0, 0.0],
            [1.5, 0.125, 0.5],
            material::PAINT,
            material::PAINT,
        );
        models.attach(tree, flap, shape);
    }
    let still_parts = tree.object("dontmove", placed(Place::at(0.0, 0.0, -5.25)), Some(body))?;
    for (name, width, material) in [
        ("prop1", 3.0, material::FLAME),
        ("prop1b", 2.5, material::FLAME),
        ("nitroprop1", 3.5, material::FLAME),
        ("staticprop1", 0.5, material::GLASS),
    ] {
        let hub = Place::at(0.0, -1.5, 0.0);
        let propeller = tree.object(name, placed(hub), Some(still_parts))?;
        let mut blades = Shape::card(width, 3.0, material);
        blades.faces[0].flags = PolygonFlags::SHOW_BACKFACE;
        models.attach(tree, propeller, blades);
    }
    panels(tree, models, body)?;
    eye(tree, models, root)?;
    let far = tree.lod("lod_lo", 300.0, 2000.0, healthy)?;
    let block = tree.object("body_lo", still(), Some(far))?;
    let coarse = Shape::brick(
        [-1.0, -1.0, -5.0],
        [1.0, 1.0, 5.0],
        material::PAINT,
        material::PAINT,
    );
    models.attach(tree, block, coarse);
    let wreck = tree.object("damaged", still(), Some(geometry))?;
    let stump = Shape::brick(
        [-0.5, -0.5, -2.0],
        [0.5, 0.5, 2.0],
        material::GROUND,
        material::LOST,
    );
    models.attach(tree, wreck, stump);
    tree.hide(wreck);
    Ok(())
}

/// A panel of the right wing in its three states: torn, whole, and the duplicate of another setting.
fn panels(tree: &mut Tree, models: &mut Catalog, body: usize) -> Outcome {
    for (name, height) in [("pdp2", 0.5), ("pdp2_h", 0.75), ("pdp2i", 1.0)] {
        let place = placed(Place::at(3.0, height, 0.0));
        let panel = tree.object(name, place, Some(body))?;
        models.attach(tree, panel, Shape::card(1.0, 0.5, material::PAINT));
    }
    Ok(())
}

/// The marker that is the eye of views from the cockpit: a triangle without texture, below a group of markers.
fn eye(tree: &mut Tree, models: &mut Catalog, root: usize) -> Outcome {
    let markers = tree.object("markers", placed(Place::at(0.0, 0.5, 0.0)), Some(root))?;
    let place = placed(Place::at(0.0, 0.25, -0.25));
    let eye = tree.object("cockpit_camera", place, Some(markers))?;
    let mut triangle = Shape::new(&[[0.0; 3], [0.25, 0.0, 0.0], [0.0, 0.25, 0.0]]);
    triangle = triangle.with(Face::plain(&[0, 1, 2], material::PAINT));
    models.attach(tree, eye, triangle);
    Ok(())
}
