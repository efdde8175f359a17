//! Skies: all layers and bodies of `sky.wld` in one scene.

use crate::everquest::archive::SceneFile;
use crate::everquest::scene_builder::Layers;
use crate::everquest::sky;
use crate::options::ConvertOptions;
use crate::shared::scene_outputs::scene_outputs;
use crate::{ConvertError, OutputRole, Sink, SourceItem};
use relicast_codec::Deviations;
use relicast_formats::asset::AssetKind;
use relicast_formats::asset::Category;
use relicast_formats::kind::Kind;
use relicast_scene::extras::{ObjectExtras, everquest};

use super::convert::ModelSource;
use super::converter::PfsConverter;

impl PfsConverter<'_> {
    pub(super) fn sky_item(&self, file: &SceneFile, options: &ConvertOptions) -> SourceItem {
        let range = match self.is_loose() {
            true => 0..self.length,
            false => self.range(file.member),
        };
        let wanted = scene_outputs(OutputRole::Main, options).collect();
        SourceItem {
            member: Some(format!("{}, all layers", file.name)),
            asset: AssetKind::Worlds,
            category: Category::Worlds,
            ..SourceItem::whole(Kind::Wld, range, wanted)
        }
    }

    /// All models of a scene as one scene, each with its function in a sky.
    pub(super) fn convert_sky(
        &self,
        place: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (Some(file), Some(catalog)) = (self.scenes().get(place), self.catalogs.get(place))
        else {
            return Ok(Deviations::default());
        };
        let mut layers = Layers::new(&file.stem(), self.archive_set.view(options));
        // Faults of a model are reported with its own file.
        let mut deviations = Deviations::default();
        for model in &catalog.models {
            relicast_limits::check();
            let before = layers.main.scene.roots.len();
            let made = ModelSource {
                file,
                catalog,
                model,
            };
            let facts = everquest::Node::default();
            self.build_model(&mut layers, made, &facts, &mut deviations, &mut NoNotes);
            let Some(layer) = sky::layer(&model.name) else {
                continue;
            };
            let facts = everquest::Node {
                layer: Some(layer),
                ..everquest::Node::default()
            };
            let scene = &mut layers.main.scene;
            for root in scene.roots.iter().skip(before) {
                if let Some(node) = scene.nodes.get_mut(root.index()) {
                    facts.put_below(&mut node.extras);
                }
            }
        }
        layers.main.note(&everquest::Scene {
            sky: Some(sky::facts(self.sky_settings)),
            ..everquest::Scene::default()
        });
        layers.take(sink)?;
        Ok(Deviations::default())
    }
}

/// Discards notes that the conversion of the model reports.
struct NoNotes;

impl Sink for NoNotes {
    fn wants(&self, _role: OutputRole) -> bool {
        false
    }

    fn take(
        &mut self,
        _role: OutputRole,
        _asset: relicast_scene::Asset<'_>,
    ) -> Result<(), ConvertError> {
        Ok(())
    }
}
