//! Objects of the zone: a sign, a tree, a fire, a flag that waves, a lever with joints, a mill
//! whose sails turn.

use relicast::formats::codec::Vec3;
use relicast::formats::everquest::wld::{Body, FragmentRef, Mesh, MeshAnimation, Version};

use super::sheet::{BoneSheet, GLOWING, Key, MASKED, SOLID, Sheet};
use super::solid::{Form, Quad, Solid};
use super::{Member, pictures};
use crate::Outcome;

/// Shape of the sign: a board that is readable from the north, on a post.
pub fn sign() -> Solid {
    let mut solid = Solid::default();
    solid.cuboid([0.0, 0.0, 3.0], [0.15, 1.5, 0.75]);
    solid.material = 1;
    solid.cuboid([-0.3, 0.0, 1.5], [0.1, 0.1, 1.5]);
    solid
}

fn still(place: [f32; 3]) -> Vec<Key> {
    vec![([1.0, 0.0, 0.0, 0.0], place, 1.0)]
}

fn add_mesh(sheet: &mut Sheet, name: &str, mesh: Mesh<'static>) -> Outcome<FragmentRef> {
    sheet.add(&format!("{name}_DMSPRITEDEF"), Body::Mesh(Box::new(mesh)))
}

/// A mesh with its own materials: names, methods, files.
fn shape(
    sheet: &mut Sheet,
    name: &str,
    solid: &Solid,
    surfaces: &[(&str, u32, &[&str])],
) -> Outcome<Mesh<'static>> {
    let mut materials = Vec::new();
    for (material, method, files) in surfaces {
        materials.push(sheet.material(material, *method, files)?);
    }
    let palette = sheet.palette(name, materials)?;
    solid.mesh(palette, &Form::OBJECT)
}

fn add_object(sheet: &mut Sheet, name: &str, mesh: Mesh<'static>, callback: &str) -> Outcome {
    let mesh = add_mesh(sheet, name, mesh)?;
    let instance = sheet.instance(Body::MeshInstance, mesh)?;
    sheet.actor(name, instance, callback)?;
    Ok(())
}

fn tree(sheet: &mut Sheet) -> Outcome {
    let mut solid = Solid::default();
    solid.cuboid([0.0, 0.0, 2.0], [0.3, 0.3, 2.0]);
    (solid.material, solid.passable) = (1, true);
    for right in [
        [0.0, 2.5, 0.0],
        [0.0, -2.5, 0.0],
        [2.5, 0.0, 0.0],
        [-2.5, 0.0, 0.0],
    ] {
        solid.quad(&Quad {
            middle: [0.0, 0.0, 5.0],
            right,
            up: [0.0, 0.0, 2.5],
            repeat: 1.0,
        });
    }
    let surfaces: [(&str, u32, &[&str]); 2] = [
        ("BARK", SOLID, &["BARK.DDS"]),
        ("LEAVES", MASKED, &["LEAVES.BMP"]),
    ];
    let mesh = shape(sheet, "ELM", &solid, &surfaces)?;
    add_object(sheet, "ELM", mesh, "TREECALLBACK")
}

fn fire(sheet: &mut Sheet) -> Outcome {
    let mut solid = Solid::default();
    solid.cuboid([0.0, 0.0, 0.15], [0.8, 0.15, 0.15]);
    solid.cuboid([0.0, 0.0, 0.15], [0.15, 0.8, 0.15]);
    (solid.material, solid.passable) = (1, true);
    for right in [
        [0.0, 0.6, 0.0],
        [0.0, -0.6, 0.0],
        [0.6, 0.0, 0.0],
        [-0.6, 0.0, 0.0],
    ] {
        solid.quad(&Quad {
            middle: [0.0, 0.0, 0.9],
            right,
            up: [0.0, 0.0, 0.6],
            repeat: 1.0,
        });
    }
    let embers: &[&str] = &["EMBER1.BMP", "EMBER2.BMP", "EMBER3.BMP"];
    let surfaces: [(&str, u32, &[&str]); 2] =
        [("LOGS", SOLID, &["BARK.DDS"]), ("EMBER", GLOWING, embers)];
    let mut mesh = shape(sheet, "EMBERS", &solid, &surfaces)?;
    mesh.light_offset = Vec3::from([0.0, 0.0, 0.9]);
    add_object(sheet, "EMBERS", mesh, "SPRITECALLBACK")
}

/// A cloth of 5 × 3 vertices that waves in 4 frames.
fn flag(sheet: &mut Sheet) -> Outcome {
    let mut solid = Solid::default();
    for column in 0..4_u16 {
        let west = 0.25 + f32::from(column) * 0.5;
        solid.quad(&Quad {
            middle: [0.0, west, 4.0],
            right: [0.0, 0.25, 0.0],
            up: [0.0, 0.0, 0.75],
            repeat: 1.0,
        });
    }
    let mut mesh = shape(sheet, "PENNON", &solid, &[("CLOTH", SOLID, &["CLOTH.BMP"])])?;
    let mut positions = mesh.positions.to_vec();
    for frame in 1..4_i16 {
        for &[x, y, z] in mesh.positions.iter() {
            let wave = [0, 90, 0, -90][usize::from((frame as u16 + (y / 256) as u16) % 4)];
            positions.push([x + wave, y, z]);
        }
    }
    let vertex_count = u16::try_from(solid.len())?;
    let animation = sheet.add(
        "PENNON_DMTRACKDEF",
        Body::MeshAnimation(MeshAnimation {
            vertex_count,
            frame_count: 4,
            sleep: 150,
            scale_exponent: mesh.scale_exponent,
            positions: positions.into(),
            ..MeshAnimation::default()
        }),
    )?;
    mesh.animation = sheet.instance(Body::MeshAnimationInstance, animation)?;
    add_object(sheet, "PENNON", mesh, "SPRITECALLBACK")
}

/// An object of two bones with a mesh on each.
fn jointed(
    sheet: &mut Sheet,
    name: &str,
    parts: [(&Solid, &str, &str); 2],
    rests: [Vec<Key>; 2],
) -> Outcome {
    let mut bones = Vec::new();
    for ((index, (solid, bone, file)), rest) in parts.into_iter().enumerate().zip(rests) {
        let mesh = shape(sheet, bone, solid, &[(bone, SOLID, &[file])])?;
        let mesh = add_mesh(sheet, bone, mesh)?;
        bones.push(BoneSheet {
            name: bone.to_owned(),
            parent: index.checked_sub(1),
            rest,
            attachment: sheet.instance(Body::MeshInstance, mesh)?,
        });
    }
    sheet.skeleton(name, &bones, &[])?;
    Ok(())
}

fn lever(sheet: &mut Sheet) -> Outcome {
    let mut base = Solid::default();
    base.cuboid([0.0, 0.0, 0.5], [0.4, 0.4, 0.5]);
    let mut arm = Solid::default();
    arm.cuboid([0.0, 0.0, 0.75], [0.1, 0.1, 0.75]);
    let parts = [(&base, "LEVER", "BARK.DDS"), (&arm, "LEVERARM", "IRON.BMP")];
    let place = [0.0, 0.0, 1.0];
    jointed(sheet, "LEVER", parts, [still([0.0; 3]), still(place)])?;
    let pull: Vec<Key> = [0.0_f32, 0.2, 0.4, 0.5]
        .map(|sine| ([(1.0 - sine * sine).sqrt(), 0.0, sine, 0.0], place, 1.0))
        .to_vec();
    sheet.track("C01LEVERARM", &pull)?;
    // The root has its code twice.
    sheet.track("C01C01_LEVER", &still([0.0; 3]))?;
    Ok(())
}

fn mill(sheet: &mut Sheet) -> Outcome {
    let mut tower = Solid::default();
    tower.cuboid([0.0, 0.0, 3.0], [1.0, 1.0, 3.0]);
    let mut sails = Solid::default();
    sails.cuboid([0.1, 0.0, 0.0], [0.05, 0.3, 2.5]);
    sails.cuboid([0.1, 0.0, 0.0], [0.05, 2.5, 0.3]);
    let parts = [
        (&tower, "MILL", "BARK.DDS"),
        (&sails, "MILLSAIL", "SAIL.BMP"),
    ];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let eighth = [0.923_879_5, 0.382_683_43, 0.0, 0.0];
    let turn: Vec<Key> = [[1.0, 0.0, 0.0, 0.0], eighth, [half, half, 0.0, 0.0]]
        .map(|rotation| (rotation, [1.0, 0.0, 5.0], 1.0))
        .to_vec();
    jointed(sheet, "MILL", parts, [still([0.0; 3]), turn])
}

/// Members of the archive.
pub fn members() -> Outcome<Vec<Member>> {
    let mut sheet = Sheet::default();
    let surfaces: [(&str, u32, &[&str]); 2] = [
        ("SIGN", SOLID, &["SIGN.BMP"]),
        ("POST", SOLID, &["BARK.DDS"]),
    ];
    let mesh = shape(&mut sheet, "SIGN", &sign(), &surfaces)?;
    add_object(&mut sheet, "SIGN", mesh, "SPRITECALLBACK")?;
    tree(&mut sheet)?;
    fire(&mut sheet)?;
    flag(&mut sheet)?;
    lever(&mut sheet)?;
    mill(&mut sheet)?;
    let mut members = pictures::objects()?;
    members.push(("dell_obj.wld".to_owned(), sheet.finish(Version::Old)?));
    // Text sources that the exporter of the models left in archives.
    for (name, text) in [
        ("trees.mdf", "MATERIAL \"BARK\"\r\nUSERDEFINED 20\r\n"),
        ("fire.sps", "SPRITE \"FIRE\"\r\nFRAMES 2\r\n"),
    ] {
        members.push((name.to_owned(), text.as_bytes().to_vec()));
    }
    Ok(members)
}
