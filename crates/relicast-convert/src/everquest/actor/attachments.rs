//! Extras for attachments without geometry: particles, sprites and others.

use serde_json::{Map, Value, json};

use crate::everquest::scene_builder::{SceneBuilder, Source};
use crate::everquest::{render_method, space};
use relicast_codec::Vec3;
use relicast_formats::everquest::wld::{
    Bgra, Body, FragmentRef, Material, ParticleCloud, RenderMethod,
};
use relicast_scene::model::number;

/// The frames of a texture: files, pictures, and the time of a frame.
pub(in crate::everquest) fn texture_facts(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    texture: FragmentRef,
) -> Value {
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
        json!({"file": file, "image": found.map(|found| found.key)})
    });
    let mut facts = Map::new();
    facts.insert("frames".to_owned(), Value::from_iter(frames));
    if let Some(sleep) = chain.sleep {
        facts.insert("sleepMs".to_owned(), sleep.into());
    }
    facts.into()
}

fn vector(stored: Vec3) -> Value {
    json!(space::vector(stored.to_array()).map(number))
}

fn colour(stored: Bgra) -> Value {
    json!([stored.red, stored.green, stored.blue, stored.alpha])
}

fn method(stored: RenderMethod) -> Value {
    format!("{:#010x}", stored.0).into()
}

/// A source of particles, directions in scene space.
fn cloud(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    cloud: &ParticleCloud,
) -> Map<String, Value> {
    let corners = |corners: [Vec3; 2]| Value::from_iter(corners.map(vector));
    let mut facts = Map::new();
    let mut add = |key: &str, value: Value| facts.insert(key.to_owned(), value);
    add("type", cloud.particle_kind.into());
    add(
        "movement",
        serde_json::to_value(cloud.movement).unwrap_or_default(),
    );
    add("flags", cloud.cloud_flags.into());
    add("simultaneous", cloud.simultaneous.into());
    add("gravityFactor", number(cloud.gravity_factor.get()));
    add("gravity", vector(cloud.gravity));
    add("durationMs", cloud.duration.into());
    add("spawnRadius", number(cloud.spawn_radius.get()));
    add("spawnAngle", number(cloud.spawn_angle.get()));
    add("lifespanMs", cloud.lifespan.into());
    add("velocity", number(cloud.velocity.get()));
    add("direction", vector(cloud.direction));
    add("spawnRateMs", cloud.spawn_rate.into());
    add("spawnScale", number(cloud.spawn_scale.get()));
    add("tint", colour(cloud.tint));
    for (key, stored) in [("spawnBox", cloud.spawn_box), ("box", cloud.other_box)] {
        if let Some(stored) = stored {
            add(key, corners(stored));
        }
    }
    let wld = source.file.wld();
    let sprite = cloud.sprite.and_then(|sprite| wld.get(sprite));
    if let Some(Body::BlitSpriteDefinition(sprite)) = sprite.map(|fragment| &fragment.body) {
        let texture = texture_facts(builder, source, sprite.texture);
        add(
            "sprite",
            json!({"renderMethod": method(sprite.render_method), "texture": texture}),
        );
    }
    facts
}

/// Extras of an attachment on a joint; `None` if the reference leads to no fragment.
pub(super) fn facts(
    builder: &SceneBuilder<'_, '_>,
    source: Source<'_>,
    thing: FragmentRef,
) -> Option<Map<String, Value>> {
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
    let mut facts = Map::new();
    let (key, value) = match definition.map(|fragment| &fragment.body) {
        Some(Body::ParticleCloud(stored)) => ("particles", cloud(builder, source, stored).into()),
        Some(Body::BlitSpriteDefinition(sprite)) => {
            let texture = texture_facts(builder, source, sprite.texture);
            let sprite = json!({"renderMethod": method(sprite.render_method), "texture": texture});
            ("sprite", sprite)
        }
        Some(Body::FlatSpriteDefinition(sprite)) => {
            let [width, height] = sprite.size.to_array().map(number);
            let texture = texture_facts(builder, source, sprite.shading.texture());
            let sprite = json!({
                "size": [width, height],
                "renderMethod": method(sprite.render_method),
                "texture": texture,
            });
            ("sprite", sprite)
        }
        _ => {
            let definition = definition.unwrap_or(fragment);
            let kind = serde_json::to_value(definition.kind()).unwrap_or_default();
            (
                "attachment",
                json!({"kind": kind, "name": definition.name()}),
            )
        }
    };
    facts.insert(key.to_owned(), value);
    Some(facts)
}
