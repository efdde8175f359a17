//! The zone: four regions of hilly ground around the center, a pond in one, the exit in another,
//! lamps, and placements.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::sound::eff::{self, Emitter, EmitterKind, Emitters, SoundId};
use relicast::formats::everquest::wld::{
    Actor, ActorFlags, AmbientLight, Bgra, Body, BspNode, BspTree, FragmentRef, GlobalAmbientLight,
    LightDefinition, LightFlags, Placement, PointLight, PointLightFlags, Region, RegionFlags,
    Sphere, Version, VertexColors, VisibilityList, VisibilityNode, Zone,
};

use super::sheet::{BOUNDARY, GLASS, MASKED, SOLID, Sheet};
use super::solid::{Form, Quad, Solid};
use super::{Member, objects, pictures};
use crate::Outcome;
use crate::random::Random;
use crate::tone::{Coding, Tone};

/// Units from the center to each edge.
const HALF: f32 = 64.0;

/// Height of the water.
const WATER: f32 = -2.0;

/// Regions with a special kind, counted from 0: the pond and the exit.
const POND: usize = 3;
const WAY_OUT: usize = 2;

/// North-east, north-west, south-east and south-west corner of the ground, in the order of the tree.
const QUARTERS: [[f32; 2]; 4] = [[0.0, 0.0], [0.0, -HALF], [-HALF, 0.0], [-HALF, -HALF]];

fn light(ambient: u8, warm: u8) -> Bgra {
    Bgra {
        blue: warm / 4,
        green: warm / 2,
        red: warm,
        alpha: ambient,
    }
}

/// Heights that all quarters agree on; the pond is low.
fn height(x: i32, y: i32, pond: bool) -> f32 {
    let edge = x.abs().max(y.abs()) >= HALF as i32;
    let mut random = Random::named(&format!("{x} {y}"));
    match (edge, pond && x < -8 && y < -8) {
        (true, _) => 6.0,
        (_, true) => -5.0,
        _ => random.between(0, 48) as f32 / 32.0,
    }
}

fn quarter(index: usize, cells: u16) -> Solid {
    let [south, east] = QUARTERS[index];
    let step = HALF / f32::from(cells);
    let places = 0..=cells;
    let at = |corner: f32, place: u16| (corner + f32::from(place) * step) as i32;
    let heights: Vec<Vec<f32>> = places
        .clone()
        .map(|row| {
            let columns = places.clone();
            columns
                .map(|column| height(at(south, row), at(east, column), index == POND))
                .collect()
        })
        .collect();
    let mut solid = Solid::new(0, 0);
    solid.light = light(200, 20);
    solid.ground([south, east], step, &heights, 0.125);
    let middle = |height: f32| [south + HALF / 2.0, east + HALF / 2.0, height];
    match index {
        0 => {
            solid.material = 1;
            solid.light = light(120, 90);
            solid.cuboid(middle(2.0), [6.0, 6.0, 1.0]);
        }
        1 => {
            // A fence that is visible from both sides, with holes.
            solid.material = 2;
            solid.passable = true;
            for side in [1.0, -1.0] {
                solid.quad(&Quad {
                    middle: middle(3.0),
                    right: [0.0, side * 16.0, 0.0],
                    up: [0.0, 0.0, 2.0],
                    repeat: 4.0,
                });
            }
        }
        WAY_OUT => {
            // Players cannot pass here; it is invisible.
            solid.material = 4;
            solid.quad(&Quad {
                middle: [south, east + HALF / 2.0, 10.0],
                right: [0.0, HALF / 2.0, 0.0],
                up: [0.0, 0.0, 10.0],
                repeat: 1.0,
            });
        }
        _ => {
            solid.material = 3;
            solid.passable = true;
            solid.quad(&Quad {
                middle: middle(WATER),
                right: [0.0, -HALF / 2.0, 0.0],
                up: [HALF / 2.0, 0.0, 0.0],
                repeat: 8.0,
            });
        }
    }
    solid
}

fn tree() -> BspTree<'static> {
    let split = |normal: [f32; 3], front, back| BspNode {
        normal: Vec3::from(normal),
        front,
        back,
        ..BspNode::default()
    };
    let leaf = |region| BspNode {
        region,
        ..BspNode::default()
    };
    let (north, west) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    BspTree {
        nodes: vec![
            split(north, 2, 5),
            split(west, 3, 4),
            leaf(1),
            leaf(2),
            split(west, 6, 7),
            leaf(3),
            leaf(4),
        ]
        .into(),
    }
}

fn scene(scale: u32) -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    let ambient = Bgra {
        alpha: 255,
        ..Bgra::default()
    };
    let body = Body::GlobalAmbientLight(GlobalAmbientLight { color: ambient });
    sheet.add("", body)?;
    let materials = vec![
        sheet.material("GRASS", SOLID, &["GRASS.BMP"])?,
        sheet.material("PATH", SOLID, &["PATH.BMP"])?,
        sheet.material("FENCE", MASKED, &["FENCE.BMP"])?,
        sheet.material("WATER", GLASS, &["WATER.BMP"])?,
        sheet.material("M0000", BOUNDARY, &[])?,
    ];
    let palette = sheet.palette("DELL", materials)?;
    let mut meshes = Vec::new();
    for (index, [south, east]) in QUARTERS.into_iter().enumerate() {
        let form = Form {
            center: [south + HALF / 2.0, east + HALF / 2.0, 0.0],
            ..Form::GROUND
        };
        let cells = 8 * u16::try_from(scale.clamp(1, 16))?;
        let mesh = quarter(index, cells).mesh(palette, &form)?;
        let name = format!("R{}_DMSPRITEDEF", index + 1);
        meshes.push(sheet.add(&name, Body::Mesh(Box::new(mesh)))?);
    }
    sheet.add("DELL", Body::BspTree(tree()))?;
    for (index, mesh) in meshes.into_iter().enumerate() {
        let region = Region {
            flags: RegionFlags::SPHERE | RegionFlags::CODED_LISTS | RegionFlags::MESH,
            nodes: vec![VisibilityNode::default()].into(),
            // These include four regions.
            visible: vec![VisibilityList::Coded(vec![0xC4].into())],
            sphere: Some([0.0, 0.0, 0.0, 100.0].map(F32)),
            mesh: Some(mesh),
            ..Region::default()
        };
        let name = format!("R{:06}", index + 1);
        sheet.add(&name, Body::Region(Box::new(region)))?;
    }
    for (name, region) in [("WT_ZONE", POND), ("DRNTP00255000007_ZONE", WAY_OUT)] {
        let zone = Zone {
            regions: vec![u32::try_from(region)?],
            ..Zone::default()
        };
        sheet.add(name, Body::Zone(Box::new(zone)))?;
    }
    let definition = sheet.add(
        "DEFAULT_LIGHTDEF",
        Body::LightDefinition(Box::new(LightDefinition {
            flags: LightFlags::LEVELS,
            frame_count: 1,
            levels: Some(vec![F32(1.0)]),
            ..LightDefinition::default()
        })),
    )?;
    let light = sheet.instance(Body::Light, definition)?;
    let regions = (0..4).collect();
    sheet.add(
        "DEFAULT_AMBIENTLIGHT",
        Body::AmbientLight(AmbientLight {
            light,
            flags: 0,
            regions,
        }),
    )?;
    sheet.finish(Version::Old)
}

/// A placement: model, position, heading and tilt in 512ths of a turn, scale.
type Place = (&'static str, [f32; 3], f32, f32, f32);

const PLACES: [Place; 9] = [
    ("SIGN", [8.0, 0.0, 1.0], 0.0, 0.0, 1.0),
    ("SIGN", [-4.0, 10.0, 1.0], 128.0, 0.0, 1.5),
    ("ELM", [30.0, 40.0, 1.0], 60.0, 0.0, 1.0),
    ("ELM", [44.0, -20.0, 1.0], 300.0, 10.0, 1.25),
    ("EMBERS", [20.0, 12.0, 1.0], 0.0, 0.0, 1.0),
    ("PENNON", [12.0, -14.0, 1.0], 256.0, 0.0, 1.0),
    ("LEVER", [10.0, 6.0, 1.0], 64.0, 0.0, 1.0),
    ("MILL", [40.0, 20.0, 1.0], 200.0, 0.0, 1.0),
    // Moved out of the world by the tools.
    ("ELM", [0.0, 0.0, -32768.0], 0.0, 0.0, 1.0),
];

fn placements() -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    for (index, (model, place, heading, tilt, scale)) in PLACES.into_iter().enumerate() {
        let bounds = sheet.add("", Body::Sphere(Sphere { radius: F32(scale) }))?;
        // Signs have baked light of their own.
        let colors = match model {
            "SIGN" => {
                let bright = light(180, 60 + 90 * u8::try_from(index)?);
                let colors = sheet.add(
                    &format!("SIGN{index}_DMT"),
                    Body::VertexColors(VertexColors {
                        unk0: 1,
                        unk8: 1,
                        sleep: 200,
                        colors: vec![bright; objects::sign().len()].into(),
                        ..VertexColors::default()
                    }),
                )?;
                Some(sheet.instance(Body::VertexColorsInstance, colors)?)
            }
            _ => None,
        };
        let mut flags = ActorFlags::PLACE | ActorFlags::RADIUS | ActorFlags::SCALE;
        flags.set(ActorFlags::COLORS, colors.is_some());
        let actor = Actor {
            model: sheet.name(&format!("{model}_ACTORDEF"))?,
            flags,
            bounds,
            place: Some(Placement {
                position: Vec3::from(place),
                rotation_z: F32(heading),
                rotation_y: F32(tilt),
                ..Placement::default()
            }),
            radius: Some(F32(scale)),
            scale: Some(F32(scale)),
            colors,
            ..Actor::default()
        };
        sheet.add("", Body::Actor(Box::new(actor)))?;
    }
    sheet.finish(Version::Old)
}

fn lamps() -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    let lamps = [
        ("L1", [1.0, 0.8, 0.5], [20.0, 12.0, 4.0], 40.0),
        ("L2", [0.5, 0.6, 1.0], [-30.0, -30.0, 8.0], 60.0),
    ];
    for (name, color, place, radius) in lamps {
        let definition = sheet.add(
            &format!("{name}_LDEF"),
            Body::LightDefinition(Box::new(LightDefinition {
                flags: LightFlags::SLEEP
                    | LightFlags::LEVELS
                    | LightFlags::SKIP_FRAMES
                    | LightFlags::COLORS,
                frame_count: 1,
                sleep: Some(200),
                levels: Some(vec![F32(1.0)]),
                colors: Some(vec![Vec3::from(color)]),
                ..LightDefinition::default()
            })),
        )?;
        let light: FragmentRef = sheet.instance(Body::Light, definition)?;
        let lamp = PointLight {
            light,
            flags: PointLightFlags::from_bits_retain(0x100),
            position: Vec3::from(place),
            radius: F32(radius),
            regions: None,
        };
        sheet.add("", Body::PointLight(lamp))?;
    }
    sheet.finish(Version::Old)
}

/// Members of the zone's main archive.
pub fn members(scale: u32) -> Outcome<Vec<Member>> {
    let mut members = pictures::ground()?;
    members.push(("dell.wld".to_owned(), scene(scale)?));
    members.push(("objects.wld".to_owned(), placements()?));
    members.push(("lights.wld".to_owned(), lamps()?));
    Ok(members)
}

/// Sound emitters, as records.
pub fn emitters() -> Outcome<Vec<u8>> {
    let emitter = |sequence, kind, sound, place: [f32; 3], radius| Emitter {
        sequence,
        position: Vec3::from(place),
        radius: F32(radius),
        sound1: SoundId(sound),
        kind,
        full_volume_range: 20,
        ..Emitter::default()
    };
    let list = Emitters {
        emitters: vec![
            emitter(0, EmitterKind::Positional, 1, [20.0, 12.0, 1.0], 30.0),
            emitter(1, EmitterKind::DayNight, 162, [-30.0, -30.0, 0.0], 50.0),
            emitter(2, EmitterKind::Music, 2, [0.0, 0.0, 0.0], 90.0),
            emitter(3, EmitterKind::Positional, 160, [10.0, 6.0, 1.0], 10.0),
            emitter(4, EmitterKind::Music, -1, [5.0, 0.0, 0.0], 40.0),
            emitter(5, EmitterKind::Music, -2, [6.0, 0.0, 0.0], 40.0),
        ],
        ..Emitters::default()
    };
    Ok(eff::encode(&list)?)
}

/// Members of the archive of sounds.
pub fn sounds() -> Outcome<Vec<Member>> {
    let sound = |name: &str, notes: &'static [u32], note_length| -> Outcome<Member> {
        let tone = Tone {
            coding: Coding::Pcm16,
            channels: 1,
            rate: 22_050,
            notes,
            note_length,
        };
        Ok((format!("{name}.wav"), tone.file(Vec::new())?))
    };
    Ok(vec![
        sound("embers_lp", &[140, 150], 60)?,
        sound("mill_lp", &[90], 120)?,
        sound("pond_lp", &[300, 310, 305], 40)?,
    ])
}

/// Names of the sounds that emitters number.
pub const SOUND_BANK: &str = "EMIT\r\nembers_lp\r\nmill_lp\r\nLOOP\r\npond_lp\r\n";

/// Sound emitters, as text.
pub const TEXT_EMITTERS: &str = "\u{feff}; A sample.\r\n\
    2,frogs.wav,0,2,0.80,500,500,0,-30.00,-30.00,0.00,10.00,60.00,0.00,80.00,0,0,0,1.00,1\r\n\
    2,wind.wav,0,0,1.00,0,0,1,0.00,0.00,20.00,100.00,200.00,25.00,200.00,4000,9000,0,1.00,1,0\r\n\
    1,frogs.wav,0,1,0.50,500,500,0,60.00,15.00,3.00,0.00,0.00,0.00,90.00,0,0,0,1.00\r\n\
    2,wind.wav,0,0,0.20,0,0,1,10.00,20.00,30.00,5.00,50.00,0,50,0,0,0,0,0,0,1\r\n";
