//! A sky: a dome, clouds, and a sun that goes around.

use relicast::formats::everquest::wld::{Body, FragmentRef, Version};

use super::Member;
use super::sheet::{BoneSheet, Key, SOLID, Sheet};
use super::solid::{Form, Solid};
use crate::Outcome;
use crate::minimal::everquest::bitmaps;

fn layer(sheet: &mut Sheet, name: &str, height: f32, picture: &str) -> Outcome<FragmentRef> {
    let mut solid = Solid::default();
    solid.cuboid([0.0, 0.0, height], [40.0, 40.0, 1.0]);
    let material = sheet.material(name, SOLID, &[picture])?;
    let palette = sheet.palette(name, vec![material])?;
    let mesh = solid.mesh(palette, &Form::OBJECT)?;
    let name = format!("{name}_DMSPRITEDEF");
    sheet.add(&name, Body::Mesh(Box::new(mesh)))
}

/// Members of the archive.
pub fn members() -> Outcome<Vec<Member>> {
    let mut sheet = Sheet::default();
    layer(&mut sheet, "LAYER11", 30.0, "NORMALSKY.BMP")?;
    layer(&mut sheet, "LAYER13", 20.0, "NORMALCLOUD.BMP")?;
    let sun = layer(&mut sheet, "SUN", 0.0, "SUN.BMP")?;
    let sun = sheet.instance(Body::MeshInstance, sun)?;
    let turned: [Key; 3] = [
        ([1.0, 0.0, 0.0, 0.0], [0.0, 25.0, 0.0], 1.0),
        ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 25.0], 1.0),
        ([1.0, 0.0, 0.0, 0.0], [0.0, -25.0, 0.0], 1.0),
    ];
    let bone = |name: &str, parent, rest: &[Key], attachment| BoneSheet {
        name: name.to_owned(),
        parent,
        rest: rest.to_vec(),
        attachment,
    };
    let bones = [
        bone(
            "LAYER12",
            None,
            &[([1.0, 0.0, 0.0, 0.0], [0.0; 3], 1.0)],
            FragmentRef::default(),
        ),
        bone("SUN", Some(0), &turned, sun),
    ];
    sheet.skeleton("LAYER12", &bones, &[])?;
    let bitmap = bitmaps().into_iter().nth(1).ok_or("a bitmap")?;
    let pictures = ["normalsky.bmp", "normalcloud.bmp", "sun.bmp"];
    let mut members: Vec<Member> = (pictures.iter())
        .map(|name| ((*name).to_owned(), bitmap.clone()))
        .collect();
    members.push(("sky.wld".to_owned(), sheet.finish(Version::Old)?));
    Ok(members)
}
