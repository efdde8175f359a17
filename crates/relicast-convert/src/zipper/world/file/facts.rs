//! Extras of the scenes of a world or of a model.

use crate::Sink;
use crate::zipper::crimson::LiveryVariants;
use relicast_formats::zipper::gamez::GameZ;
use relicast_scene::extras::{Stored, zipper};

use super::WorldFile;
use crate::zipper::world::airframes::airframe_facts;
use crate::zipper::world::key_table::FOG_VOLUMES;
use crate::zipper::world::{environment, states, zones};

impl WorldFile<'_> {
    /// The extras of the scenes of the world, or of the model below a root.
    pub(super) fn item_facts(
        &self,
        root: Option<usize>,
        livery_variants: Option<&LiveryVariants<'_>>,
        sink: &mut dyn Sink,
    ) -> zipper::Scene {
        let mut facts = self.facts(&self.gamez);
        if let Some(root) = root
            && let Some((airframe, note)) = airframe_facts(&self.gamez, root, &self.dependencies)
        {
            facts.airframe = Some(airframe);
            note.into_iter().for_each(|note| sink.note(note));
        }
        if let Some(livery_variants) = livery_variants {
            let variants = livery_variants.variants.facts().into_iter();
            let is_state = |variant: &zipper::Variant| {
                let name = variant.name.as_deref();
                name.is_some_and(|name| name.starts_with(states::PREFIX))
            };
            let (states, liveries): (Vec<_>, Vec<_>) = variants.partition(is_state);
            // A single livery is the model itself.
            facts.liveries = (liveries.len() > 1).then_some(liveries);
            facts.picture_states = (!states.is_empty()).then_some(states);
            livery_variants
                .notes
                .iter()
                .for_each(|note| sink.note(note.clone()));
        }
        facts
    }

    /// The extras of scenes of the whole world.
    pub(in crate::zipper::world) fn facts(&self, gamez: &GameZ) -> zipper::Scene {
        let mut facts = environment::extras(gamez);
        facts.zones = zones::facts(gamez).filter(|_| self.has_world());
        facts.fog_volumes.clone_from(&self.fog_volumes);
        if self.fog_volumes.is_some() {
            facts.keys = Some(Stored::from_iter([(
                "fogVolumes".to_owned(),
                FOG_VOLUMES.legend(),
            )]));
        }
        facts
    }
}
