//! The scenes of a zone.

use crate::config::Config;
use crate::convert::everquest::scene_builder::Layers;
use crate::convert::everquest::surroundings;
use crate::convert::{ConvertError, OutputRole, Sink};
use crate::formats::codec::Deviations;
use crate::scene::model::Node;
use crate::scene::{Asset, Document};

use super::cells::Cells;
use super::sources::Zone;
use super::tables::Tables;
use super::{lights, placements, terrain};

impl Zone<'_, '_> {
    /// Converts the zone.
    pub(in crate::convert::everquest) fn convert(
        &self,
        name: &str,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let view = self.archive_set.view(config);
        let mut layers = Layers::new(name, view);
        let sources = self.sources();
        layers.is_ground = true;
        layers.ambient = lights::ambient_of(&sources);
        let root = layers.root(Node {
            name: name.to_owned(),
            ..Node::default()
        });
        let bounds = terrain::add(self, root, &mut layers);
        let placed = placements::add(self, &sources, root, &mut layers);
        let lights = lights::add(&sources, root, &mut layers);
        if let Some(emitters) = self.emitters {
            surroundings::add(emitters, root, &mut layers);
        }
        let mut tables = Tables::new(self.file.wld(), config);
        let mut cells = Cells::new(self.file.wld(), bounds);
        tables.find_volumes(&mut cells, &mut layers);
        tables.placed = placed;
        layers.main.note("ambient", lights.global.clone());
        tables.lights = Some(lights);
        layers.take(sink)?;
        let checks = std::mem::take(&mut layers.main.checks);
        if sink.wants(OutputRole::Regions) {
            tables.checks = checks.clone();
            tables.scale_lengths(config.everquest.scale.factor());
            sink.take(OutputRole::Regions, Asset::Document(Document::new(&tables)))?;
        }
        checks.report(sink);
        let mut deviations = self.file.deviations.clone();
        for source in sources.iter().skip(1) {
            let name = self.label(*source);
            deviations.absorb(&name, 0, source.file.deviations.clone());
        }
        checks.deviations(&mut deviations);
        tables.deviations(&mut deviations);
        Ok(deviations)
    }
}
