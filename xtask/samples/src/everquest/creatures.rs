//! Creatures: `FDR` has sets of its own, a second skin and a second head; `FRG` borrows the sets of
//! `FRO`, whose tracks are in the archive that all zones share.

use relicast::formats::everquest::wld::{Body, FragmentRef, Version};

use super::sheet::{BoneSheet, Key, SKIN, Sheet};
use super::solid::{Form, Solid};
use super::{Member, pictures};
use crate::Outcome;

const STILL: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

/// A bone: name without the model's code, parent, position in the parent, half its box and the box's
/// center, material.
type Part = (
    &'static str,
    Option<usize>,
    [f32; 3],
    Option<([f32; 3], [f32; 3], u16)>,
);

/// A walker on two legs that looks north: forward is +X, left is +Y.
const PARTS: [Part; 12] = [
    ("", None, [0.0, 0.0, 0.0], None),
    (
        "PE",
        Some(0),
        [0.0, 0.0, -0.25],
        Some(([0.35, 0.5, 0.3], [0.0, 0.0, 0.0], 1)),
    ),
    (
        "CH",
        Some(1),
        [0.0, 0.0, 0.3],
        Some(([0.4, 0.6, 0.6], [0.0, 0.0, 0.6], 0)),
    ),
    ("HE", Some(2), [0.1, 0.0, 1.25], None),
    ("HEAD_POINT", Some(3), [0.0, 0.0, 0.9], None),
    (
        "BI_L",
        Some(2),
        [0.0, 0.75, 1.1],
        Some(([0.15, 0.15, 0.6], [0.0, 0.05, -0.5], 2)),
    ),
    ("L_POINT", Some(5), [0.1, 0.05, -1.1], None),
    (
        "BI_R",
        Some(2),
        [0.0, -0.75, 1.1],
        Some(([0.15, 0.15, 0.6], [0.0, -0.05, -0.5], 2)),
    ),
    ("R_POINT", Some(7), [0.1, -0.05, -1.1], None),
    (
        "TH_L",
        Some(1),
        [0.0, 0.3, -0.3],
        Some(([0.2, 0.2, 0.8], [0.0, 0.0, -0.8], 1)),
    ),
    (
        "TH_R",
        Some(1),
        [0.0, -0.3, -0.3],
        Some(([0.2, 0.2, 0.8], [0.0, 0.0, -0.8], 1)),
    ),
    // A flag on the left shoulder distinguishes left from right; its scale is its bone's.
    (
        "FL",
        Some(2),
        [-0.2, 0.6, 1.3],
        Some(([0.1, 0.2, 0.4], [0.0, 0.0, 0.4], 3)),
    ),
];

/// Index of the head among the parts, and of the bone with a scale.
const HEAD: u16 = 3;
const FLAG: usize = 11;

/// Materials by part of the body.
const SURFACES: [&str; 4] = ["CH", "LG", "UA", "HE"];

/// A turn about the axis from right to left, in parts of 1/100: forward swings up.
fn swing(parts: i16) -> [f32; 4] {
    let sine = -f32::from(parts) / 100.0;
    [(1.0 - sine * sine).sqrt(), 0.0, sine, 0.0]
}

fn rest(index: usize, place: [f32; 3]) -> Key {
    (STILL, place, if index == FLAG { 0.5 } else { 1.0 })
}

/// The frames of a bone in a set.
fn moves(set: &str, index: usize, place: [f32; 3], phase: i16) -> Vec<Key> {
    let scale = rest(index, place).2;
    match (set, index) {
        // Bob up and down.
        ("L01", 0) => (0..8)
            .map(|frame| (STILL, [0.0, 0.0, [0.0, 0.1][frame % 2]], 1.0))
            .collect(),
        // Arms and legs swing against each other; the quaternions change sign on the way.
        ("L01", 5 | 7 | 9 | 10) => [0, 25, 40, 25, 0, -25, -40, -25]
            .iter()
            .enumerate()
            .map(|(frame, angle)| {
                let sign = if frame % 3 == 2 { -1.0 } else { 1.0 };
                (swing(angle * phase).map(|part| part * sign), place, scale)
            })
            .collect(),
        // A strike: fewer frames than the whole body has.
        ("C05", 7) => [0, -60, -90, 30]
            .iter()
            .map(|&angle| (swing(angle), place, scale))
            .collect(),
        ("C05", 2) => (0..6)
            .map(|frame| {
                let sine = [0.0, 0.1, 0.2, 0.3, 0.2, 0.1][frame];
                ([1.0_f32 - sine * sine, 0.0, 0.0, sine], place, scale)
            })
            .collect(),
        // The flag grows.
        ("C05", FLAG) => [0.5, 0.75, 1.0, 1.25, 1.0, 0.75]
            .map(|scale| (STILL, place, scale))
            .to_vec(),
        _ => vec![rest(index, place)],
    }
}

fn phase(index: usize) -> i16 {
    match index {
        5 | 10 => 1,
        _ => -1,
    }
}

/// Adds the tracks of a set, but none for the attachment points.
fn add_set(sheet: &mut Sheet, model: &str, set: &str) -> Outcome {
    for (index, (bone, _, place, _)) in PARTS.iter().enumerate() {
        if !bone.ends_with("_POINT") {
            let frames = moves(set, index, *place, phase(index));
            sheet.track(&format!("{set}{model}{bone}"), &frames)?;
        }
    }
    Ok(())
}

fn bones(model: &str) -> Vec<BoneSheet> {
    let parts = PARTS.iter().enumerate();
    parts
        .map(|(index, &(bone, parent, place, _))| BoneSheet {
            name: format!("{model}{bone}"),
            parent,
            rest: vec![rest(index, place)],
            attachment: FragmentRef::default(),
        })
        .collect()
}

fn body() -> Solid {
    let mut solid = Solid::default();
    for (bone, (_, _, _, shape)) in (0_u16..).zip(PARTS) {
        if let Some((half, middle, material)) = shape {
            (solid.bone, solid.material) = (bone, material);
            solid.cuboid(middle, half);
        }
    }
    solid
}

/// A head with a nose, so that its direction is visible; the second one has a hat.
fn head(hat: bool) -> Solid {
    let mut solid = Solid::new(3, HEAD);
    solid.cuboid([0.0, 0.0, 0.4], [0.4, 0.4, 0.4]);
    solid.cuboid([0.5, 0.0, 0.35], [0.12, 0.08, 0.08]);
    if hat {
        solid.material = 1;
        solid.cuboid([0.0, 0.0, 0.95], [0.3, 0.3, 0.15]);
    }
    solid
}

fn materials(sheet: &mut Sheet, model: &str, skin: u8) -> Outcome<Vec<FragmentRef>> {
    let mut made = Vec::new();
    for part in SURFACES {
        let name = format!("{model}{part}{skin:02}01");
        made.push(sheet.material(&name, SKIN, &[&format!("{name}.BMP")])?);
    }
    Ok(made)
}

fn mesh(
    sheet: &mut Sheet,
    name: &str,
    solid: &Solid,
    palette: FragmentRef,
) -> Outcome<FragmentRef> {
    let mesh = solid.mesh(palette, &Form::CREATURE)?;
    sheet.add(&format!("{name}_DMSPRITEDEF"), Body::Mesh(Box::new(mesh)))
}

/// Members of the zone's archive of creatures.
pub fn members() -> Outcome<Vec<Member>> {
    let mut sheet = Sheet::default();
    let model = "FDR";
    let default = materials(&mut sheet, model, 0)?;
    materials(&mut sheet, model, 1)?;
    let palette = sheet.palette(model, default)?;
    let skins = [
        mesh(&mut sheet, &format!("{model}HE00"), &head(false), palette)?,
        mesh(&mut sheet, model, &body(), palette)?,
    ];
    mesh(&mut sheet, &format!("{model}HE01"), &head(true), palette)?;
    sheet.skeleton(model, &bones(model), &skins)?;
    for set in ["L01", "C05"] {
        add_set(&mut sheet, model, set)?;
    }
    // Remains of another model, and a track whose bone does not exist.
    sheet.track("P01ZZZPE", &[rest(1, [0.0; 3])])?;
    sheet.track("L01FDRTAIL", &[rest(1, [0.0; 3])])?;

    let borrower = "FRG";
    let default = materials(&mut sheet, borrower, 0)?;
    let palette = sheet.palette(borrower, default)?;
    let skins = [
        mesh(&mut sheet, borrower, &body(), palette)?,
        mesh(
            &mut sheet,
            &format!("{borrower}HE00"),
            &head(false),
            palette,
        )?,
    ];
    sheet.skeleton(borrower, &bones(borrower), &skins)?;

    let mut members =
        pictures::creature(model, &SURFACES, &[(0, [120, 160, 90]), (1, [190, 90, 70])])?;
    members.extend(pictures::creature(
        borrower,
        &SURFACES,
        &[(0, [90, 150, 170])],
    )?);
    members.push(("dell_chr.wld".to_owned(), sheet.finish(Version::Old)?));
    Ok(members)
}

/// Members of the archive that all zones share.
pub fn shared_members() -> Outcome<Vec<Member>> {
    let mut sheet = Sheet::default();
    add_set(&mut sheet, "FRO", "L01")?;
    Ok(vec![(
        "global_chr.wld".to_owned(),
        sheet.finish(Version::Old)?,
    )])
}
