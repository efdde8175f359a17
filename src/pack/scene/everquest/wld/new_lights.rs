//! Lights that an edit adds to a zone: copies of its lights, and new ones. Each gets a definition of its own.

use super::lights::{LightEdit, definition_of, has_light, place_of};
use super::members::Members;
use crate::config::Config;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::glow::Glow;
use crate::pack::scene::everquest::light_nodes::LightRules;
use crate::pack::scene::everquest::new_lights::NewLight;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::stored_lights::StoredLight;
use relicast_codec::F32;
use relicast_formats::everquest::wld::{
    Body, Fragment, FragmentRef, Instance, LightDefinition, LightFlags, Name, PointLight,
    PointLightFlags, Wld,
};

/// Rules of scene files for lights. Names are in capitals.
pub(super) const RULES: LightRules = LightRules {
    has_light,
    name: |name, _| name.to_uppercase(),
};

/// Scene file of an archive that has the lights of its zone.
const OF_LIGHTS: &str = "lights.wld";

/// Flags of all lights seen.
const FLAGS: PointLightFlags = PointLightFlags::from_bits_retain(0x100);

/// Duration of a frame in all lights seen, in milliseconds.
const SLEEP: u32 = 200;

/// A light to add, with the number of its scene file.
#[derive(Debug)]
struct Made {
    member: usize,
    definition: LightDefinition,
    light: PointLight,
}

/// Lights to add.
#[derive(Debug, Default)]
pub(super) struct NewLights {
    made: Vec<Made>,
    /// The same, as scenes must show them.
    pub stored: Vec<StoredLight>,
}

impl NewLights {
    /// Collects the lights that a scene adds.
    ///
    /// # Errors
    /// The scene is not a zone, or a value of a light cannot be packed.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        members: &Members<'_>,
        config: &Config,
    ) -> Result<(), Refusal> {
        for new in &scene.new_lights {
            let inside = |refusal: Refusal| refusal!("light {}: {refusal}", new.name);
            let is_model = scene.output.member.as_deref();
            if is_model.is_some_and(|member| member.contains('/')) {
                refuse!(
                    "light {}: it is new, and only zones have lights; delete it",
                    new.name
                );
            }
            let (made, unstored) = match &new.source {
                Some((node, old)) => {
                    let place = place_of(scene, *node, old, members).map_err(inside)?;
                    copy(new, old, place, members, config).map_err(inside)?
                }
                None => fresh(new, members, config)?,
            };
            let list = |values: &Option<Vec<F32>>| -> Vec<f32> {
                values.iter().flatten().map(|level| level.get()).collect()
            };
            let first = made.definition.colors.as_ref().and_then(|it| it.first());
            self.stored.push(StoredLight {
                path: scene.output.path.clone(),
                name: new.stored.clone(),
                position: to_scene(made.light.position.to_array()),
                radius: made.light.radius.get(),
                color: first.map_or([1.0; 3], |color| color.to_array()),
                levels: list(&made.definition.levels),
                unstored,
            });
            self.made.push(made);
        }
        Ok(())
    }

    /// Appends the lights.
    ///
    /// # Errors
    /// By scene, names that cannot be stored.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (made, stored) in self.made.iter().zip(&self.stored) {
            let Some(file) = members.edit(made.member) else {
                continue;
            };
            if let Err(refusal) = append(&mut file.body, made, &stored.name) {
                refusals.push((stored.path.clone(), refusal));
            }
        }
        unless_refused((), refusals)
    }
}

/// A copy of a light with the values of the edit, and what is not stored of it.
fn copy(
    new: &NewLight,
    old: &serde_json::Value,
    place: Place,
    members: &Members<'_>,
    config: &Config,
) -> Result<(Made, Vec<String>), Refusal> {
    let file = members.files.get(place.member);
    let parts = file.and_then(|file| {
        let definition = definition_of(&file.body, place.index)?;
        let body = |index: usize| Some(&file.body.fragments.get(index)?.body);
        match (body(place.index)?, body(definition)?) {
            (Body::PointLight(light), Body::LightDefinition(definition)) => {
                Some((light.clone(), (**definition).clone()))
            }
            _ => None,
        }
    });
    let (mut light, mut definition) =
        parts.ok_or_else(|| refusal!("its original is not a light with a position"))?;
    let mut edit = LightEdit {
        position: to_file(new.position).map(Some),
        ..LightEdit::default()
    };
    edit.read(&new.leaves(), old, config)?;
    edit.put_light(&mut light);
    edit.put_definition(&mut definition);
    let mut unstored = Vec::new();
    if light.regions.take().is_some() {
        light.flags.remove(PointLightFlags::REGIONS);
        unstored.push(format!(
            "light {} has no list of regions, unlike its original",
            new.stored
        ));
    }
    let member = place.member;
    let made = Made {
        member,
        definition,
        light,
    };
    Ok((made, unstored))
}

/// A light that is like those of the game.
fn fresh(
    new: &NewLight,
    members: &Members<'_>,
    config: &Config,
) -> Result<(Made, Vec<String>), Refusal> {
    let count = |wld: &Wld<'_>| {
        let bodies = wld.fragments.iter().map(|fragment| &fragment.body);
        bodies
            .filter(|body| matches!(body, Body::PointLight(_)))
            .count()
    };
    let files = members.files.iter().enumerate();
    let files = files.map(|(number, file)| (count(&file.body), number));
    let most = files.filter(|(lights, _)| *lights > 0).max();
    let member = most.map(|(_, number)| number);
    let member = member.or_else(|| members.find(OF_LIGHTS)).ok_or_else(|| {
        refusal!(
            "light {}: its archive has no {OF_LIGHTS}, in which zones have their lights",
            new.name
        )
    })?;
    let shine = new.shine(config.scenes.light_scale)?;
    let frames = u32::try_from(shine.levels.len()).unwrap_or(1);
    let mut definition = LightDefinition {
        flags: LightFlags::SLEEP
            | LightFlags::LEVELS
            | LightFlags::SKIP_FRAMES
            | LightFlags::COLORS,
        frame_count: frames,
        sleep: Some(SLEEP),
        ..LightDefinition::default()
    };
    let mut light = PointLight {
        flags: FLAGS,
        ..PointLight::default()
    };
    let edit = LightEdit {
        position: to_file(new.position).map(Some),
        glow: Glow {
            radius: Some(shine.radius),
            color: Some(shine.color),
        },
        levels: Some(shine.levels),
    };
    edit.put_light(&mut light);
    edit.put_definition(&mut definition);
    let made = Made {
        member,
        definition,
        light,
    };
    Ok((made, shine.unstored))
}

/// Appends a light with its definition, in the order of the game's files.
fn append(wld: &mut Wld<'static>, made: &Made, name: &str) -> Result<(), Refusal> {
    let full = || refusal!("its file has too many fragments");
    let reference = |wld: &Wld<'_>| FragmentRef::to(wld.fragments.len()).ok_or_else(full);
    let own = wld.strings.add(&format!("{name}_LDEF"));
    let own = own.map_err(Refusal::new)?;
    wld.header.string_count = wld.header.string_count.saturating_add(1);
    let definition = reference(wld)?;
    let body = Body::LightDefinition(Box::new(made.definition.clone()));
    wld.fragments.push(Fragment::new(own, body));
    let instance = reference(wld)?;
    let body = Body::Light(Instance {
        definition,
        flags: 0,
    });
    wld.fragments.push(Fragment::new(Name::default(), body));
    let body = Body::PointLight(PointLight {
        light: instance,
        ..made.light.clone()
    });
    wld.fragments.push(Fragment::new(Name::default(), body));
    Ok(())
}
