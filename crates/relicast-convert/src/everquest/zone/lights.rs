//! Lights with a position, and lights of whole regions.

use std::collections::HashSet;

use glam::{DQuat, DVec3, Vec3};
use serde::Serialize;
use serde_json::{Value, json};

use crate::everquest::scene_builder::{Layers, Source};
use crate::everquest::space;
use relicast_formats::everquest::wld::{
    AmbientLight, Body, DirectionalLight, FragmentRef, LightDefinition, PointLight, Wld,
};
use relicast_scene::extras::{Float, ObjectExtras, everquest, floats};
use relicast_scene::model::{Light, LightKind, Node, NodeId, Transform, number};

use super::group::group;
use super::runs::runs_of;

/// Light data without a place in the scene.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct LightTable {
    /// Ambient color of the whole zone: red, green, blue, alpha, 0 to 255.
    pub global: Value,
    /// Ambient and directional lights of regions.
    pub regional: Vec<Value>,
    /// Number of lights with a position.
    pub placed: usize,
    /// Number of lights that are replaced by those of a newer archive at the same position.
    pub replaced: usize,
    /// Number of lights that are left out because their radius is 0.
    pub dark: usize,
}

/// The definition that a light's instance refers to.
fn definition<'w>(wld: &'w Wld<'_>, light: FragmentRef) -> Option<(&'w str, &'w LightDefinition)> {
    let Body::Light(instance) = &wld.get(light)?.body else {
        return None;
    };
    let fragment = wld.get(instance.definition)?;
    match &fragment.body {
        Body::LightDefinition(definition) => Some((fragment.name(), definition)),
        _ => None,
    }
}

/// Level and color of the first frame of a light.
fn first_frame(definition: Option<&LightDefinition>) -> (f32, [f32; 3]) {
    let level = definition.and_then(|definition| definition.levels.as_ref()?.first().copied());
    let color = definition.and_then(|definition| definition.colors.as_ref()?.first().copied());
    let level = level.map_or(1.0, |level| level.get());
    let color = color.map_or([1.0; 3], |color| color.to_array());
    (level, color)
}

/// Ambient light of the whole zone as red, green and blue, 0 to 255; black if no scene file has any.
pub(super) fn ambient_of(sources: &[Source<'_>]) -> [u8; 3] {
    let fragments = sources
        .iter()
        .flat_map(|source| &source.file.wld().fragments);
    let mut colors = fragments.filter_map(|fragment| match &fragment.body {
        Body::GlobalAmbientLight(light) => Some(light.color),
        _ => None,
    });
    let color = colors.next().unwrap_or_default();
    [color.red, color.green, color.blue]
}

/// Adds the lights of some scene files below a node.
pub(super) fn add(
    sources: &[Source<'_>],
    above: NodeId,
    layers: &mut Layers<'_, '_>,
) -> LightTable {
    let mut table = LightTable::default();
    let mut node = None;
    let relit: HashSet<[u32; 4]> = sources
        .iter()
        .filter(|source| source.opened > 0)
        .flat_map(|source| &source.file.wld().fragments)
        .filter_map(|fragment| match &fragment.body {
            Body::PointLight(light) => Some(place_of(light)),
            _ => None,
        })
        .collect();
    for source in sources {
        let wld = source.file.wld();
        for (index, fragment) in wld.fragments.iter().enumerate() {
            match &fragment.body {
                // A newer archive that lights the zone again has its own copy.
                Body::PointLight(light)
                    if source.opened == 0 && relit.contains(&place_of(light)) =>
                {
                    table.replaced += 1;
                }
                Body::GlobalAmbientLight(light) if table.global.is_null() => {
                    let color = light.color;
                    table.global = json!([color.red, color.green, color.blue, color.alpha]);
                }
                Body::AmbientLight(light) => {
                    table.regional.push(ambient(wld, fragment.name(), light));
                }
                Body::DirectionalLight(light) => {
                    let row = directional(wld, fragment.name(), light);
                    table.regional.push(row);
                    if layers.main.view().options.everquest.lights {
                        let above = *node.get_or_insert_with(|| group(layers, "lights", above));
                        parallel(wld, index, light, above, layers);
                    }
                }
                Body::PointLight(light) if light.radius.get() == 0.0 => table.dark += 1,
                Body::PointLight(light) => {
                    table.placed += 1;
                    if layers.main.view().options.everquest.lights {
                        let above = *node.get_or_insert_with(|| group(layers, "lights", above));
                        point(wld, index, light, above, layers);
                    }
                }
                _ => {}
            }
        }
    }
    table
}

/// Place and radius of a light, bit by bit.
fn place_of(light: &PointLight) -> [u32; 4] {
    let [x, y, z] = light.position.to_array();
    [x, y, z, light.radius.get()].map(f32::to_bits)
}

fn facts_of(definition: Option<(&str, &LightDefinition)>) -> everquest::Light {
    let mut facts = everquest::Light::default();
    let Some((name, definition)) = definition else {
        return facts;
    };
    facts.light = Some(name.to_owned());
    if let Some(levels) = &definition.levels {
        facts.levels = Some(levels.iter().map(|level| Float(level.get())).collect());
    }
    if let Some(colors) = definition.colors.as_ref().filter(|color| color.len() > 1) {
        let colors = colors.iter().map(|color| floats(color.to_array()));
        facts.colors = Some(colors.collect());
    }
    if definition.frame_count > 1
        && let Some(sleep) = definition.sleep
    {
        facts.sleep_ms = Some(sleep);
    }
    facts
}

/// A point light in scene space. The files have no intensity; a quarter of the squared radius lights a
/// surface at half the radius, facing the light, with the light's own color.
fn point(
    wld: &Wld<'_>,
    index: usize,
    light: &PointLight,
    above: NodeId,
    layers: &mut Layers<'_, '_>,
) {
    let definition = definition(wld, light.light);
    let (level, color) = first_frame(definition.map(|(_, definition)| definition));
    let place = Vec3::from_array(space::vector(light.position.to_array()));
    let radius = light.radius.get();
    let scale = layers.main.view().options.scenes.light_scale;
    let intensity = level.max(0.0) * radius * radius * 0.25 * scale.max(0.0);
    if !place.is_finite() || !intensity.is_finite() || radius <= 0.0 {
        layers.main.checks.unplaced += 1;
        return;
    }
    let facts = everquest::Light {
        index: Some(index),
        radius: Some(Float(radius)),
        color: Some(floats(color)),
        flags: Some(light.flags.bits()),
        regions: light.regions.as_ref().map(|regions| runs_of(regions)),
        ..facts_of(definition)
    };
    let scene_light = Light {
        name: name_of(definition).to_owned(),
        kind: LightKind::Point,
        color: clamped(color),
        intensity,
        range: Some(radius),
        extras: facts.extras(),
    };
    shine(
        scene_light,
        Transform::from_translation(place),
        above,
        layers,
    );
}

/// Name of a light's definition without the suffix for its kind.
fn name_of<'w>(definition: Option<(&'w str, &LightDefinition)>) -> &'w str {
    let name = definition.map_or("", |(name, _)| name);
    let name = name.strip_suffix("_LDEF").unwrap_or(name);
    name.strip_suffix("_LIGHTDEF").unwrap_or(name)
}

/// A color in the range of glTF.
fn clamped(color: [f32; 3]) -> [f32; 3] {
    color.map(|part| if part > 0.0 { part.min(1.0) } else { 0.0 })
}

/// Adds a node with a light. If the settings turn lights off, the node has extras only.
fn shine(light: Light, transform: Transform, above: NodeId, layers: &mut Layers<'_, '_>) {
    let shines = layers.main.view().options.everquest.shines();
    let scene = &mut layers.main.scene;
    let mut node = Node {
        name: light.name.clone(),
        transform,
        ..Node::default()
    };
    if shines {
        node.light = Some(scene.add_light(light));
    } else {
        node.extras = light.extras;
    }
    let node = scene.add_node(node);
    scene.add_child(above, node);
}

/// A directional light. It is assumed to shine along its stored direction and not against it. glTF has
/// no lights of regions, so the regions are in the extras.
fn parallel(
    wld: &Wld<'_>,
    index: usize,
    light: &DirectionalLight,
    above: NodeId,
    layers: &mut Layers<'_, '_>,
) {
    let definition = definition(wld, light.light);
    let (level, color) = first_frame(definition.map(|(_, definition)| definition));
    let along = DVec3::from_array(space::vector(light.normal.to_array()).map(f64::from));
    let scale = layers.main.view().options.scenes.light_scale;
    let intensity = level.max(0.0) * scale.max(0.0);
    let (Some(along), true) = (along.try_normalize(), intensity.is_finite()) else {
        layers.main.checks.unplaced += 1;
        return;
    };
    let facts = everquest::Light {
        index: Some(index),
        regions: Some(runs_of(&light.regions)),
        ..facts_of(definition)
    };
    let scene_light = Light {
        name: name_of(definition).to_owned(),
        kind: LightKind::Directional,
        color: clamped(color),
        intensity,
        range: None,
        extras: facts.extras(),
    };
    let transform = Transform {
        rotation: towards(along).as_quat(),
        ..Transform::IDENTITY
    };
    shine(scene_light, transform, above, layers);
}

/// The rotation that takes −Z, along which lights shine, to a direction of length 1.
fn towards(direction: DVec3) -> DQuat {
    let half = DVec3::NEG_Z.cross(direction);
    let turned = DQuat::from_xyzw(half.x, half.y, half.z, 1.0 + DVec3::NEG_Z.dot(direction));
    if turned.length_squared() > 1e-12 {
        turned.normalize()
    } else {
        // The opposite direction: half a turn.
        DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0)
    }
}

/// The light of whole regions, counted from 0.
fn ambient(wld: &Wld<'_>, name: &str, light: &AmbientLight) -> Value {
    let definition = definition(wld, light.light);
    let (level, color) = first_frame(definition.map(|(_, definition)| definition));
    json!({
        "name": name,
        "kind": "ambient",
        "level": number(level),
        "color": color.map(number),
        "light": facts_of(definition),
        "regions": runs_of(&light.regions),
    })
}

/// A directional light in scene space.
fn directional(wld: &Wld<'_>, name: &str, light: &DirectionalLight) -> Value {
    let definition = definition(wld, light.light);
    let (level, color) = first_frame(definition.map(|(_, definition)| definition));
    json!({
        "name": name,
        "kind": "directional",
        "normal": space::vector(light.normal.to_array()).map(number),
        "level": number(level),
        "color": color.map(number),
        "light": facts_of(definition),
        "regions": runs_of(&light.regions),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lights_shine_where_they_are_turned() {
        for direction in [
            DVec3::NEG_Z,
            DVec3::Z,
            DVec3::NEG_Y,
            DVec3::new(1.0, -2.0, 3.0).normalize(),
            DVec3::new(1e-9, 0.0, 1.0).normalize(),
        ] {
            let turned = towards(direction) * DVec3::NEG_Z;
            assert!(
                (turned - direction).length() < 1e-5,
                "{direction}: {turned}"
            );
        }
    }
}
