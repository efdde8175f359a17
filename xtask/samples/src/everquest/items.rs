//! Items: `IT7` has joints and emits sparks, `IT8` is one mesh, `IT9` is a picture that faces the
//! camera. The file is of the new version.

use relicast::formats::codec::{F32, Vec2, Vec3};
use relicast::formats::everquest::wld::{
    Bgra, BitmapInfo, BlitSprite, Body, EncodedText, FlatHeading, FlatPitch, FlatSprite,
    FlatSpriteFlags, FragmentRef, ParticleCloud, ParticleCloudFlags, ParticleMovement,
    RenderMethod, Shading, ShadingFlags, Version,
};

use super::sheet::{BoneSheet, Key, SOLID, Sheet};
use super::solid::{Form, Solid};
use super::{Member, pictures};
use crate::Outcome;

const ITEM: Form = Form {
    flags: 0x4003,
    floats: true,
    ..Form::OBJECT
};

fn mesh(sheet: &mut Sheet, name: &str, solid: &Solid, texture: &str) -> Outcome<FragmentRef> {
    let material = sheet.material(name, SOLID, &[texture])?;
    let palette = sheet.palette(name, vec![material])?;
    let mesh = sheet.add(
        &format!("{name}_DMSPRITEDEF"),
        Body::Mesh(Box::new(solid.mesh(palette, &ITEM)?)),
    )?;
    sheet.instance(Body::MeshInstance, mesh)
}

fn blade(sheet: &mut Sheet) -> Outcome {
    let mut grip = Solid::default();
    grip.cuboid([0.0, 0.0, 0.0], [0.1, 0.1, 0.4]);
    let mut edge = Solid::default();
    edge.cuboid([0.0, 0.0, 1.2], [0.05, 0.2, 1.2]);
    let grip = mesh(sheet, "IT7GRIP", &grip, "IT7STEEL.BMP")?;
    let edge = mesh(sheet, "IT7EDGE", &edge, "IT7STEEL.BMP")?;
    let texture = sheet.texture("SPARK", &["SPARK.BMP"])?;
    let sprite = sheet.add(
        "SPARK_SPB",
        Body::BlitSpriteDefinition(BlitSprite {
            flags: 0,
            texture,
            render_method: RenderMethod(0x8000_0017),
        }),
    )?;
    let cloud = sheet.add(
        "IT7_PCD",
        Body::ParticleCloud(Box::new(ParticleCloud {
            flags: ParticleCloudFlags::from_bits_retain(4),
            particle_kind: 3,
            movement: ParticleMovement::Stream,
            simultaneous: 20,
            gravity: Vec3::from([0.0, 0.0, -1.0]),
            spawn_radius: F32(0.25),
            lifespan: 800,
            velocity: F32(2.0),
            direction: Vec3::from([0.0, 0.0, 1.0]),
            spawn_rate: 40,
            spawn_scale: F32(0.5),
            tint: Bgra {
                blue: 40,
                green: 160,
                red: 255,
                alpha: 255,
            },
            sprite: Some(sprite),
            ..ParticleCloud::default()
        })),
    )?;
    let still = |place| -> Vec<Key> { vec![([1.0, 0.0, 0.0, 0.0], place, 1.0)] };
    let bone = |name: &str, parent, place, attachment| BoneSheet {
        name: name.to_owned(),
        parent,
        rest: still(place),
        attachment,
    };
    let nothing = FragmentRef::default();
    let bones = [
        bone("IT7", None, [0.0; 3], grip),
        bone("IT7EDGE", Some(0), [0.0, 0.0, 0.5], edge),
        bone("IT7TIP", Some(1), [0.0, 0.0, 2.5], cloud),
        bone("IT7_POINT", Some(0), [0.0, 0.0, -0.5], nothing),
    ];
    sheet.skeleton("IT7", &bones, &[])?;
    Ok(())
}

fn coin(sheet: &mut Sheet) -> Outcome {
    let file = EncodedText::new("COIN.DDS").ok_or("a plain name")?;
    let files = vec![file];
    let frame = sheet.add("COIN", Body::BitmapInfo(BitmapInfo { files }))?;
    let texture = sheet.texture("COINFACE", &["COIN.DDS"])?;
    let heading = FlatHeading {
        cap: 512,
        frames: vec![frame],
    };
    let definition = sheet.add(
        "IT9_2DSPRITE",
        Body::FlatSpriteDefinition(Box::new(FlatSprite {
            flags: FlatSpriteFlags::RADIUS,
            frame_count: 1,
            size: Vec2::from([0.5, 0.5]),
            radius: Some(F32(0.4)),
            pitches: vec![FlatPitch {
                cap: 512,
                marked: false,
                headings: vec![heading],
            }],
            render_method: RenderMethod(0x8000_0013),
            shading: Shading {
                flags: ShadingFlags::TEXTURE,
                texture: Some(texture),
                ..Shading::default()
            },
            ..FlatSprite::default()
        })),
    )?;
    let sprite = sheet.instance(Body::FlatSprite, definition)?;
    sheet.actor("IT9", sprite, "SPRITECALLBACK")?;
    Ok(())
}

/// Members of the archive.
pub fn members() -> Outcome<Vec<Member>> {
    let mut sheet = Sheet::default();
    blade(&mut sheet)?;
    let mut shield = Solid::default();
    shield.cuboid([0.0, 0.0, 0.0], [0.1, 0.8, 1.0]);
    let shield = mesh(&mut sheet, "IT8", &shield, "IT8OAK.BMP")?;
    sheet.actor("IT8", shield, "SPRITECALLBACK")?;
    coin(&mut sheet)?;
    let mut members = pictures::items()?;
    members.push(("gequip.wld".to_owned(), sheet.finish(Version::New)?));
    Ok(members)
}
