//! Extras for attachments without geometry: particles, sprites and others.

use crate::everquest::scene_builder::{SceneBuilder, Source};
use crate::everquest::{render_method, space};
use relicast_codec::Vec3;
use relicast_formats::everquest::wld::{
    Bgra, Body, FragmentRef, Material, ParticleCloud, RenderMethod,
};
use relicast_scene::extras::{Float, everquest, floats};

/// The frames of a texture: files, pictures, and the time of a frame.
pub(in crate::everquest) fn texture_facts(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    texture: FragmentRef,
) -> everquest::TextureFrames {
    let chain = render_method::texture(
        source.file.wld(),
        &Material {
            texture,
            ..Material::default()
        },
    );
    let archive_set = builder.view().archive_set;
    let frames = chain.frames.iter().filter_map(|files| files.first());
    let frames = frames.map(|file| {
        let found = archive_set.find(file, source.opened);
        everquest::Frame {
            file: file.clone(),
            image: found.map(|found| found.key.to_owned()),
        }
    });
    everquest::TextureFrames {
        frames: Some(frames.collect()),
        sleep_ms: chain.sleep,
    }
}

fn vector(stored: Vec3) -> [Float; 3] {
    floats(space::vector(stored.to_array()))
}

fn color(stored: Bgra) -> [u8; 4] {
    [stored.red, stored.green, stored.blue, stored.alpha]
}

fn method(stored: RenderMethod) -> String {
    format!("{:#010x}", stored.0)
}

/// A source of particles, directions in scene space.
fn cloud(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    cloud: &ParticleCloud,
) -> everquest::Particles {
    let wld = source.file.wld();
    let sprite = cloud.sprite.and_then(|sprite| wld.get(sprite));
    let sprite = match sprite.map(|fragment| &fragment.body) {
        Some(Body::BlitSpriteDefinition(sprite)) => Some(everquest::Sprite {
            size: None,
            render_method: Some(method(sprite.render_method)),
            texture: Some(texture_facts(builder, source, sprite.texture)),
        }),
        _ => None,
    };
    everquest::Particles {
        kind: Some(cloud.particle_kind),
        movement: serde_json::to_value(cloud.movement).ok(),
        flags: Some(cloud.cloud_flags),
        simultaneous: Some(cloud.simultaneous),
        gravity_factor: Some(Float(cloud.gravity_factor.get())),
        gravity: Some(vector(cloud.gravity)),
        duration_ms: Some(cloud.duration),
        spawn_radius: Some(Float(cloud.spawn_radius.get())),
        spawn_angle: Some(Float(cloud.spawn_angle.get())),
        lifespan_ms: Some(cloud.lifespan),
        velocity: Some(Float(cloud.velocity.get())),
        direction: Some(vector(cloud.direction)),
        spawn_rate_ms: Some(cloud.spawn_rate),
        spawn_scale: Some(Float(cloud.spawn_scale.get())),
        tint: Some(color(cloud.tint)),
        spawn_box: cloud.spawn_box.map(|corners| corners.map(vector)),
        other_box: cloud.other_box.map(|corners| corners.map(vector)),
        sprite,
    }
}

/// Extras of an attachment on a joint; `None` if the reference names no fragment.
pub(super) fn facts(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    thing: FragmentRef,
) -> Option<everquest::Node> {
    let wld = source.file.wld();
    let fragment = wld.get(thing)?;
    let definition = match &fragment.body {
        Body::FlatSprite(instance)
        | Body::BlitSprite(instance)
        | Body::Skeleton(instance)
        | Body::SpriteSequence(instance)
        | Body::ParticleSprite(instance)
        | Body::CameraSprite(instance)
        | Body::Light(instance) => wld.get(instance.definition),
        _ => Some(fragment),
    };
    let mut facts = everquest::Node::default();
    match definition.map(|fragment| &fragment.body) {
        Some(Body::ParticleCloud(stored)) => {
            facts.particles = serde_json::to_value(cloud(builder, source, stored)).ok();
        }
        Some(Body::BlitSpriteDefinition(sprite)) => {
            facts.sprite = Some(everquest::Sprite {
                size: None,
                render_method: Some(method(sprite.render_method)),
                texture: Some(texture_facts(builder, source, sprite.texture)),
            });
        }
        Some(Body::FlatSpriteDefinition(sprite)) => {
            let texture = sprite.shading.texture();
            facts.sprite = Some(everquest::Sprite {
                size: Some(floats(sprite.size.to_array())),
                render_method: Some(method(sprite.render_method)),
                texture: Some(texture_facts(builder, source, texture)),
            });
        }
        _ => {
            let definition = definition.unwrap_or(fragment);
            facts.attachment = Some(everquest::Attachment {
                kind: serde_json::to_value(definition.kind()).ok(),
                name: Some(definition.name().to_owned()),
            });
        }
    }
    Some(facts)
}
