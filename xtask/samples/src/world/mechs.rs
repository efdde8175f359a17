//! Model libraries of MechWarrior 3 and Pirate's Moon: 'mechs whose parts match the motions.

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::mechlib::{
    self, FORMAT_MEMBER, Format, MATERIALS_MEMBER, MechMaterial, MechModel, MechNode, TextureText,
    VERSION_MEMBER,
};

use super::super::motion::rest;
use super::super::pack::Pack;
use super::shape::{Face, Shape};
use super::surface::{painted, textured};
use super::tree::{Angle, Place, Tree, placed, still};
use super::{ADDRESS, is_late};
use crate::Outcome;

/// Indices of the materials.
mod material {
    pub const PLATES: i32 = 0;
    pub const PAINT: i32 = 1;
    pub const GLASS: i32 = 2;
    pub const SOOT: i32 = 3;
    pub const LOST: i32 = 4;
}

/// Level of detail of a 'mech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Full,
    Low,
}

/// Encodes `mechlib.zbd`. The pictures are those of `rmechtex.zbd`.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn mechs(version: ZipperGame) -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("mechlib");
    if version == ZipperGame::PiratesMoon {
        pack = pack.version_two();
    }
    let format = Format { format: 1 };
    pack.add(FORMAT_MEMBER, mechlib::encode_format(&format)?)?;
    pack.add(VERSION_MEMBER, mechlib::encode_version(version)?)?;
    let table = mechlib::encode_materials(&materials(version), version)?;
    pack.add(MATERIALS_MEMBER, table)?;
    let mut add = |member: &str, name: &str, width: f32, detail: Detail| -> Outcome {
        let mech = mech(version, name, width, detail)?;
        pack.add(member, mechlib::encode_model(&mech, version)?)
    };
    add("wanderer.flt", "wanderer", 1.0, Detail::Full)?;
    add("mech_strider_01.flt", "strider_01", 1.25, Detail::Full)?;
    // It has no motions of its own but uses those of another 'mech, which the converter knows by name.
    add("vulture.flt", "vulture", 0.75, Detail::Full)?;
    if version == ZipperGame::MechWarrior3 {
        add("wanderer_1.flt", "wanderer", 1.0, Detail::Low)?;
    }
    pack.finish()
}

fn materials(version: ZipperGame) -> Vec<MechMaterial> {
    let texture = |name: &str| MechMaterial {
        record: textured(version, ADDRESS as i32),
        texture: Some(TextureText(name.into())),
    };
    let paint = |color, alpha| MechMaterial {
        record: painted(version, color, alpha),
        texture: None,
    };
    vec![
        texture("ground.tif"),
        paint([90.0, 100.0, 120.0], 255),
        paint([255.0, 200.0, 60.0], 128),
        texture("flame"),
        texture("no_such_skin.tif"),
    ]
}

/// The tree of a 'mech with the models of its nodes.
struct Build {
    version: ZipperGame,
    tree: Tree,
    models: Vec<(usize, Shape)>,
    detail: Detail,
}

impl Build {
    /// Adds a part below another at the position of its motions.
    fn part(&mut self, name: &str, parent: usize) -> Outcome<usize> {
        let [x, y, z] = rest(name).unwrap_or_default();
        let mut place = Place::at(x, y, z);
        // Stored matrices need not match any motion.
        if name.starts_with('l') {
            place = place.turned(Angle::FLAT, Angle::ZERO, Angle::ZERO);
        }
        self.tree.object(name, placed(place), Some(parent))
    }

    fn attach(&mut self, node: usize, shape: Shape) {
        self.tree.set_model(node, ADDRESS as i32, shape.bounds());
        self.models.push((node, shape));
    }

    /// Gives a part a box that hangs from its joint or is on top of it.
    fn block(&mut self, node: usize, low: [f32; 3], high: [f32; 3], front: i32) {
        let shape = match self.detail {
            Detail::Full => Shape::brick(low, high, material::PLATES, front),
            Detail::Low => {
                let [left, bottom, _] = low;
                let [right, top, _] = high;
                let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
                Shape::new(&corners.map(|[x, y]| [x, y, 0.0]))
                    .with(Face::plain(&[0, 1, 2, 3], material::PAINT))
            }
        };
        self.attach(node, shape);
    }

    fn leg(&mut self, side: &str, hip: usize, width: f32) -> Outcome {
        let thigh = self.part(&format!("{side}thigh"), hip)?;
        let half = 0.25 * width;
        self.block(
            thigh,
            [-half, -2.0, -0.3],
            [half, 0.0, 0.3],
            material::PAINT,
        );
        let calf = self.part(&format!("{side}calf"), thigh)?;
        self.block(
            calf,
            [-half, -2.0, -0.25],
            [half, 0.0, 0.25],
            material::PLATES,
        );
        let foot = self.part(&format!("{side}foot"), calf)?;
        self.block(
            foot,
            [-half, -0.25, -0.75],
            [half, 0.0, 0.5],
            material::LOST,
        );
        Ok(())
    }

    fn finish(self) -> MechModel {
        let mut nodes: Vec<MechNode> = Vec::new();
        for (index, mut node) in self.tree.nodes.into_iter().enumerate() {
            let model = self.models.iter().find(|(user, _)| *user == index);
            let shape = model.map(|(_, shape)| shape.clone());
            if shape.is_none() {
                node.record.model_index = 0;
            }
            nodes.push(MechNode {
                node,
                model: shape.map(|shape| Box::new(shape.model(self.version, true, |_| false))),
            });
        }
        MechModel { nodes }
    }
}

/// A 'mech, each node before its children.
fn mech(version: ZipperGame, name: &str, width: f32, detail: Detail) -> Outcome<MechModel> {
    let mut build = Build {
        version,
        tree: Tree::new(version),
        models: Vec::new(),
        detail,
    };
    let root = build.tree.object(name, still(), None)?;
    let hip = build.part("hip", root)?;
    build.block(
        hip,
        [-width / 2.0, -0.3, -0.4],
        [width / 2.0, 0.3, 0.4],
        material::PAINT,
    );
    let torso = build.part("torso", hip)?;
    let (low, high) = ([-width, 0.0, -0.75], [width, 2.0, 0.75]);
    if is_late(version) {
        // Levels of detail, which only Pirate's Moon has in 'mechs.
        let near = build.tree.lod("torso_hi", 0.0, 200.0, torso)?;
        let body = build.tree.object("torso_body", still(), Some(near))?;
        let mut hull = Shape::brick(low, high, material::PLATES, material::PAINT);
        let front = hull.faces.pop().into_iter();
        hull.faces
            .extend(front.map(|face| face.over(&[material::SOOT])));
        build.attach(body, hull);
        let far = build.tree.lod("torso_lo", 200.0, 800.0, torso)?;
        let block = build.tree.object("torso_block", still(), Some(far))?;
        let hull = Shape::brick(low, high, material::PAINT, material::PAINT);
        build.attach(block, hull);
    } else {
        build.block(torso, low, high, material::SOOT);
    }
    let head = build.part("head", torso)?;
    build.block(head, [-0.4, 0.0, -0.5], [0.4, 0.6, 0.5], material::GLASS);
    let place = Place::at(0.0, 0.3, -0.6);
    build.tree.object("eyepoint", placed(place), Some(head))?;
    for side in ["l", "r"] {
        let arm = build.part(&format!("{side}arm"), torso)?;
        build.block(
            arm,
            [-0.25, -1.5, -0.25],
            [0.25, 0.25, 0.25],
            material::PAINT,
        );
        let gun = build
            .tree
            .object("gun", placed(Place::at(0.0, -1.5, -0.5)), Some(arm))?;
        build.block(gun, [-0.1, -0.1, -1.0], [0.1, 0.1, 0.5], material::PAINT);
        if side == "r" {
            build.tree.hide(gun);
        }
    }
    build.leg("l", hip, width)?;
    build.leg("r", hip, width)?;
    Ok(build.finish())
}
