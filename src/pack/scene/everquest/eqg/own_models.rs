//! Models that placements of zones get: copies of theirs, in new members. Edits of the shape are those of the copy.

use std::collections::{BTreeMap, BTreeSet};

use super::members::{Body, Members};
use super::placements::fixed;
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::own_models::OwnModel;
use crate::pack::scene::everquest::scene::Scene;

/// A model that placements get.
#[derive(Debug)]
struct Copy {
    placements: Vec<Place>,
    /// The name of the model that is copied, as the zone has it.
    twin: String,
    /// The member with it.
    from: usize,
    /// The name of the copy.
    name: String,
}

/// Models that placements get.
#[derive(Debug, Default)]
pub(super) struct OwnModels {
    copies: Vec<Copy>,
    /// Words about them by scene.
    pub words: BTreeMap<String, Vec<String>>,
}

impl OwnModels {
    /// Finds the models that placements of scenes get.
    ///
    /// # Errors
    /// By scene, models that cannot be copied.
    pub(super) fn find(scenes: &[Scene<'_>], members: &Members<'_>) -> Result<Self, Refusals> {
        let mut own = Self::default();
        let mut taken = BTreeSet::new();
        let mut refusals = Refusals::new();
        for scene in scenes {
            let path = &scene.output.path;
            for model in &scene.own_models {
                match Copy::new(scene, model, members, &mut taken) {
                    Ok(copy) => {
                        let nodes = model.nodes.iter().map(|&node| scene.name(node));
                        let nodes: Vec<&str> = nodes.collect();
                        let has = if nodes.len() == 1 { "has" } else { "have" };
                        let its = if nodes.len() == 1 { "its" } else { "their" };
                        let words = own.words.entry(path.clone()).or_default();
                        words.push(format!(
                            "{} {has} a model of {its} own, {}: {}",
                            nodes.join(", "),
                            copy.name,
                            model.reason
                        ));
                        if copy.has_clips(members) {
                            words.push(format!(
                                "not stored by the game: clips of {}; those of {} stay with it",
                                copy.name, copy.twin
                            ));
                        }
                        own.copies.push(copy);
                    }
                    Err(refusal) => refusals.push((path.clone(), refusal)),
                }
            }
        }
        unless_refused(own, refusals)
    }

    /// Returns true if there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    /// The name of the model that a placement had, if it gets another one.
    pub(super) fn twin_of(&self, place: Place) -> Option<&str> {
        let mut copies = self.copies.iter();
        let found = copies.find(|copy| copy.placements.contains(&place));
        found.map(|copy| &*copy.twin)
    }

    /// Opens an archive and adds the models.
    ///
    /// # Errors
    /// The archive no longer has what they are copies of.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Members<'a>, Refusal> {
        let mut members = Members::open(bytes)?;
        for copy in &self.copies {
            copy.put(&mut members)?;
        }
        Ok(members)
    }
}

/// Checks that the placements that get models of their own are stored in the archive.
///
/// # Errors
/// One is not.
pub(super) fn check(coded: &Coded<'_, '_>) -> Result<(), Refusal> {
    let own = coded.scene.own_models.iter();
    let mut nodes = own.flat_map(|own| own.nodes.iter().copied());
    match nodes.find(|&node| coded.placement(node).is_none()) {
        Some(node) => Err(refusal!(
            "node {}: {}",
            coded.scene.name(node),
            fixed(coded, node)
        )),
        None => Ok(()),
    }
}

impl Copy {
    fn new(
        scene: &Scene<'_>,
        model: &OwnModel,
        members: &Members<'_>,
        taken: &mut BTreeSet<String>,
    ) -> Result<Self, Refusal> {
        let node = model.nodes.first().copied().unwrap_or_default();
        let inside = |refusal: Refusal| refusal!("node {}: {refusal}", scene.name(node));
        let zone = scene
            .output
            .member
            .as_deref()
            .and_then(|it| members.find(it));
        let lost = || inside(refusal!("the zone of the archive does not have it"));
        let member = zone.ok_or_else(lost)?;
        let mut placements = Vec::new();
        let mut twin = None;
        for &node in &model.nodes {
            let place = scene.base.nodes.get(node).and_then(placement_of);
            let (name, index) = place.ok_or_else(lost)?;
            twin.get_or_insert(name);
            placements.push(Place { member, index });
        }
        let twin = twin.ok_or_else(lost)?;
        let from = members.find(twin).ok_or_else(|| {
            inside(refusal!(
                "it cannot get a model of its own, because {twin} is in another archive; edit the scene of the model"
            ))
        })?;
        let (stem, extension) = twin.rsplit_once('.').unwrap_or((twin, "mod"));
        let mut number = 2_usize;
        let name = loop {
            let name = format!("{stem}_{number}.{extension}");
            if members.member(&name).is_none() && taken.insert(name.to_lowercase()) {
                break name;
            }
            number += 1;
        };
        Ok(Self {
            placements,
            twin: twin.to_owned(),
            from,
            name,
        })
    }

    /// Returns true if the model that is copied has clips, which the game finds by its name.
    fn has_clips(&self, members: &Members<'_>) -> bool {
        let stem = self
            .twin
            .rsplit_once('.')
            .map_or(&*self.twin, |(stem, _)| stem);
        let ending = format!("_{stem}.ani").to_lowercase();
        let mut files = members.files.iter();
        files.any(|file| file.name.to_lowercase().ends_with(&ending))
    }

    fn put(&self, members: &mut Members<'_>) -> Result<(), Refusal> {
        let lost = || refusal!("the archive no longer has {}", self.twin);
        let body = members.files.get(self.from).map(|file| file.body.clone());
        let body = body.ok_or_else(lost)?;
        members.add(self.name.to_lowercase(), body);
        for place in &self.placements {
            let file = members.edit(place.member);
            let Some(Body::Zone(zone)) = file.map(|file| &mut file.body) else {
                return Err(lost());
            };
            let mut models = zone.models.iter();
            let known = models.position(|&own| zone.strings.text(own) == self.name);
            let known = known.unwrap_or_else(|| {
                let name = zone.strings.add(&self.name);
                zone.models.push(name);
                zone.models.len() - 1
            });
            let model = i32::try_from(known).map_err(|_| lost())?;
            let placement = zone.placements.get_mut(place.index).ok_or_else(lost)?;
            placement.model = model;
        }
        Ok(())
    }
}
