//! Lights of zones: position, radius, color and level.

use std::collections::BTreeMap;

use serde_json::Value;

use super::members::{Member, Members};
use crate::config::Config;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::json::index;
use crate::pack::scene::compare::leaves::{Leaf, single};
use crate::pack::scene::everquest::corners::to_scene;
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::glow::{self, Glow};
use crate::pack::scene::everquest::light_nodes::light_of;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::wld::{
    Body, FragmentKind, FragmentRef, LightDefinition, LightFlags, PointLight, Wld,
};

/// Changes to a light.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LightEdit {
    /// In file axes.
    pub position: [Option<f32>; 3],
    pub glow: Glow,
    pub levels: Option<Vec<f32>>,
}

/// Edits of lights.
#[derive(Debug, Default)]
pub(super) struct Lights {
    edits: Edits<LightEdit>,
    /// Removed lights, each with the output that removes it.
    gone: BTreeMap<Place, String>,
}

/// True if the extras of a node describe a light.
pub(super) fn has_light(facts: &Value) -> bool {
    facts["index"].is_u64() && facts["radius"].is_number() && facts["file"].is_null()
}

/// True if a node shows a light.
pub(super) fn is_light(document: &Document, node: usize) -> bool {
    light_of(document, node, has_light).is_some()
}

impl Lights {
    /// Collects the edits of the lights of a scene.
    ///
    /// # Errors
    /// A light is of another archive, or one of its changes cannot be packed.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        members: &Members<'_>,
        config: &Config,
    ) -> Result<(), Refusal> {
        for &node in &scene.gone_lights {
            let old = light_of(&scene.base_document, node, has_light).unwrap_or_default();
            let place = place_of(scene, node, &old, members).map_err(|refusal| {
                let name = scene.name(node);
                refusal!("light {name}: {refusal}")
            })?;
            self.gone.insert(place, scene.output.path.clone());
        }
        glow::for_each_edited(scene, has_light, |light| {
            let place = place_of(scene, light.node, &light.old, members)?;
            let mut edit = LightEdit {
                position: light.position,
                ..LightEdit::default()
            };
            edit.read(&light.leaves, &light.old, config)?;
            self.edits.add(place, scene, edit)
        })
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        self.edits.put(|Place { member, index }, edit| {
            let Some(file) = members.edit(member) else {
                return Ok(());
            };
            let put = edit.put(file, index);
            put.map_err(|refusal| refusal!("light {index} of {}: {refusal}", file.name))
        })
    }

    /// Removes deleted lights, with their values if no other light has them. All other edits find their fragments by the
    /// original numbers, so this is the last one. `inserted_before` returns the number of fragments that were inserted
    /// before an original one.
    ///
    /// # Errors
    /// By scene, lights that cannot be removed.
    pub(super) fn remove(
        &self,
        members: &mut Members<'_>,
        inserted_before: impl Fn(Place) -> usize,
    ) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&place, path) in self.gone.iter().rev() {
            let Some(file) = members.edit(place.member) else {
                continue;
            };
            let at = place.index + inserted_before(place);
            // Scenes name placements by the numbers of their fragments.
            let mut bodies = file.body.fragments.iter().map(|fragment| &fragment.body);
            if bodies.any(|body| matches!(body, Body::Raw(_) | Body::Actor(_))) {
                let reason = refusal!(
                    "lights of {} cannot be removed, because it has placements or fragments of an unknown kind",
                    file.name
                );
                refusals.push((path.clone(), reason));
                continue;
            }
            remove(&mut file.body, at);
        }
        unless_refused((), refusals)
    }
}

/// Removes a fragment, and those to which only it refers.
fn remove(wld: &mut Wld<'static>, at: usize) {
    let mut targets = Vec::new();
    if let Some(fragment) = wld.fragments.get(at) {
        let add = &mut |_, reference: FragmentRef, _: &[FragmentKind]| {
            targets.extend(reference.index());
        };
        fragment.body.references(add);
    }
    wld.remove(at);
    // They come before it.
    targets.sort_unstable();
    for target in targets.into_iter().rev().filter(|&target| target < at) {
        let mut is_used = false;
        for fragment in &wld.fragments {
            let visit = &mut |_, reference: FragmentRef, _: &[FragmentKind]| {
                is_used |= reference.index() == Some(target);
            };
            fragment.body.references(visit);
        }
        if !is_used {
            remove(wld, target);
        }
    }
}

/// The fragment of a light.
///
/// # Errors
/// The archive does not have it.
pub(super) fn place_of(
    scene: &Scene<'_>,
    node: usize,
    old: &Value,
    members: &Members<'_>,
) -> Result<Place, Refusal> {
    let facts = &old["extras"]["everquest"];
    let index =
        index(&facts["index"]).ok_or_else(|| refusal!("its extras have no fragment index"))?;
    let (radius, base) = (single(&facts["radius"]), scene.base.nodes.get(node));
    let is_own = |file: &Member| match file.body.fragments.get(index).map(|it| &it.body) {
        Some(Body::PointLight(light)) => {
            Some(light.radius.get()) == radius
                && base.is_some_and(|base| {
                    to_scene(light.position.to_array()) == base.local.translation
                })
        }
        _ => false,
    };
    let found: Vec<usize> = (0..members.files.len())
        .filter(|&member| members.files.get(member).is_some_and(is_own))
        .collect();
    match &*found {
        &[member] => Ok(Place { member, index }),
        _ => Err(refusal!(
            "only lights with a position, of this archive, can be packed"
        )),
    }
}

impl LightEdit {
    /// Reads the changes of a light.
    ///
    /// # Errors
    /// A value cannot be packed.
    pub(super) fn read(
        &mut self,
        leaves: &[Leaf],
        old: &Value,
        config: &Config,
    ) -> Result<(), Refusal> {
        let mut intensity = None;
        for leaf in leaves {
            if self.glow.read(leaf, old)? {
                continue;
            }
            match glow::without_place(leaf) {
                "extras.everquest.levels" => {
                    let stored = old["extras"]["everquest"]["levels"].as_array();
                    let known = self.levels.take().unwrap_or_else(|| {
                        let stored = stored.into_iter().flatten();
                        stored.filter_map(single).collect()
                    });
                    let mut levels = known;
                    match glow::place_of(leaf).and_then(|frame| levels.get_mut(frame)) {
                        Some(level) => *level = glow::number(leaf)?,
                        None => {
                            refuse!("levels cannot be added or removed");
                        }
                    }
                    self.levels = Some(levels);
                }
                "intensity" => intensity = Some(glow::number(leaf)?),
                other => {
                    refuse!(
                        "{other} cannot be packed; only position, range, color and intensity can"
                    );
                }
            }
        }
        let Some(intensity) = intensity.filter(|_| self.levels.is_none()) else {
            return Ok(());
        };
        let facts = &old["extras"]["everquest"];
        let radius = self
            .glow
            .radius
            .or(single(&facts["radius"]))
            .unwrap_or_default();
        let level = intensity / (radius * radius * 0.25 * config.scenes.light_scale.max(0.0));
        if !level.is_finite() || level < 0.0 {
            refuse!("its intensity does not correspond to a light level");
        }
        let stored = facts["levels"].as_array().into_iter().flatten();
        let mut levels: Vec<f32> = stored.filter_map(single).collect();
        match levels.first_mut() {
            Some(first) => *first = level,
            None => levels.push(level),
        }
        self.levels = Some(levels);
        Ok(())
    }

    fn put(&self, file: &mut Member, index: usize) -> Result<(), Refusal> {
        let lost = || refusal!("it is not a light with a position");
        let fragment = file.body.fragments.get_mut(index);
        let Some(Body::PointLight(light)) = fragment.map(|fragment| &mut fragment.body) else {
            return Err(lost());
        };
        self.put_light(light);
        if self.glow.color.is_none() && self.levels.is_none() {
            return Ok(());
        }
        let definition = definition_of(&file.body, index).ok_or_else(lost)?;
        let users = (0..file.body.fragments.len())
            .filter(|&other| definition_of(&file.body, other) == Some(definition));
        if users.count() > 1 {
            refuse!(
                "other lights share its color and level in the game, so they cannot be changed for one light"
            );
        }
        let fragment = file.body.fragments.get_mut(definition);
        match fragment.map(|fragment| &mut fragment.body) {
            Some(Body::LightDefinition(definition)) => {
                self.put_definition(definition);
                Ok(())
            }
            _ => Err(lost()),
        }
    }

    /// Changes position and radius.
    pub(super) fn put_light(&self, light: &mut PointLight) {
        let mut position = light.position.to_array();
        for (part, wanted) in position.iter_mut().zip(self.position) {
            *part = wanted.unwrap_or(*part);
        }
        light.position = Vec3::from(position);
        if let Some(radius) = self.glow.radius {
            light.radius = F32(radius);
        }
    }

    /// Changes color and levels.
    pub(super) fn put_definition(&self, definition: &mut LightDefinition) {
        let frames = definition.frame_count as usize;
        if let Some(color) = self.glow.color {
            let white = || vec![Vec3::from([1.0; 3]); frames.min(1 << 16)];
            let colors = definition.colors.get_or_insert_with(white);
            definition.flags.insert(LightFlags::COLORS);
            if let Some(first) = colors.first_mut() {
                *first = Vec3::from(color);
            }
        }
        if let Some(wanted) = &self.levels {
            let full = || vec![F32(1.0); frames.min(1 << 16)];
            let levels = definition.levels.get_or_insert_with(full);
            definition.flags.insert(LightFlags::LEVELS);
            for (level, wanted) in levels.iter_mut().zip(wanted) {
                *level = F32(*wanted);
            }
        }
    }
}

/// The definition of the light that a fragment refers to.
pub(super) fn definition_of(wld: &Wld<'_>, index: usize) -> Option<usize> {
    let light: FragmentRef = match &wld.fragments.get(index)?.body {
        Body::PointLight(light) => light.light,
        Body::AmbientLight(light) => light.light,
        Body::DirectionalLight(light) => light.light,
        _ => return None,
    };
    match &wld.get(light)?.body {
        Body::Light(instance) => instance.definition.index(),
        _ => None,
    }
}
