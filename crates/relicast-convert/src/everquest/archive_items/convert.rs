//! Conversion of the items of an archive.

use crate::everquest::actor::{self, Subject, sprite};
use crate::everquest::archive::SceneFile;
use crate::everquest::catalog::{Catalog, Model, Root};
use crate::everquest::scene_builder::{Layers, Source};
use crate::everquest::sound_paths::SoundPaths;
use crate::everquest::{picture, sounds, static_model};
use crate::options::ConvertOptions;
use crate::single_value;
use crate::{ConvertError, OutputRole, Sink};
use relicast_codec::{Decoded, Deviations};
use relicast_formats::everquest::wld::Body;
use relicast_formats::kind::Kind;
use relicast_scene::extras::everquest;
use relicast_scene::{Asset, Document};

use super::converter::{ModelId, PfsConverter};
use super::document::SceneDocument;

/// A model, its scene, and the data of the scene for it.
#[derive(Clone, Copy)]
pub(super) struct ModelSource<'m> {
    pub file: &'m SceneFile,
    pub catalog: &'m Catalog,
    pub model: &'m Model,
}

impl PfsConverter<'_> {
    pub(super) fn convert_picture(
        &self,
        member: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (Some(own), Some((name, kind))) = (self.own(), self.members.get(member)) else {
            return Ok(Deviations::default());
        };
        let name = name.to_lowercase();
        let masked = self.archive_set.view(options).is_masked(0, &name);
        let bytes = own.inflate(member)?;
        let Decoded {
            value,
            mut deviations,
        } = own
            .decode_picture(&bytes.value)
            .inspect_err(|_| own.note_readable(member, false))?;
        own.note_readable(member, true);
        deviations.absorb("blocks", 0, bytes.deviations);
        if sink.wants(OutputRole::Additive) {
            let made = picture::additive(&value);
            sink.take(OutputRole::Additive, Asset::Image(made))?;
        }
        if sink.wants(OutputRole::Normal) {
            let made = picture::normal(&value, options.everquest.normal_green);
            sink.take(OutputRole::Normal, Asset::Image(made))?;
        }
        if sink.wants(OutputRole::Glow) {
            sink.take(OutputRole::Glow, Asset::Image(picture::glow(&value)))?;
        }
        picture::take_surfaces(&bytes.value, || own.row_order(), &options.textures, sink)?;
        let made = match picture::is_as_stored(&bytes.value, &value, masked, &options.textures) {
            true => Asset::Copy(&bytes.value),
            false => Asset::Image(picture::image(value, &name, masked, &options.textures)),
        };
        sink.take(OutputRole::Main, made)?;
        if sink.wants(OutputRole::Raw) {
            let raw = relicast_formats::decoded_file::decode(
                *kind,
                &name,
                &bytes.value,
                &relicast_formats::kind::ArchiveContext::default(),
            );
            if let Some(Ok(raw)) = raw {
                sink.take(OutputRole::Raw, Asset::Document(Document::new(&raw.value)))?;
            }
        }
        Ok(deviations)
    }

    pub(super) fn convert_member(
        &self,
        member: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (Some((name, kind)), Some(own)) = (self.members.get(member), self.own()) else {
            return Ok(Deviations::default());
        };
        if picture::is_picture(*kind) {
            return self.convert_picture(member, options, sink);
        }
        if let Some(converted) = self.convert_eqg(member, options, sink) {
            return converted;
        }
        let bytes = own.inflate(member)?;
        let mut deviations = match sounds::list(*kind) {
            _ if *kind == Kind::Foreign => {
                sink.take(OutputRole::Main, Asset::Copy(&bytes.value))?;
                Deviations::default()
            }
            Some(list) => {
                let paths = SoundPaths::default();
                sounds::convert(list, name, &bytes.value, None, &paths, sink)?
            }
            None => single_value::convert(*kind, name, &bytes.value, sink)?,
        };
        deviations.absorb("blocks", 0, bytes.deviations);
        Ok(deviations)
    }

    pub(super) fn convert_scene(
        &self,
        place: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        if let Some(zone) = self.zone(place) {
            if sink.wants(OutputRole::Raw) {
                sink.take(
                    OutputRole::Raw,
                    Asset::Document(Document::new(zone.file.wld())),
                )?;
            }
            return zone.convert(&zone.file.stem(), options, sink);
        }
        let (Some(scene), Some(catalog)) = (self.scenes().get(place), self.catalogs.get(place))
        else {
            return Ok(Deviations::default());
        };
        let document = SceneDocument::new(scene, catalog);
        sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
        if sink.wants(OutputRole::Raw) {
            sink.take(OutputRole::Raw, Asset::Document(Document::new(scene.wld())))?;
        }
        Ok(scene.deviations.clone())
    }

    pub(super) fn convert_model(
        &self,
        id: ModelId,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Some((file, catalog, model)) = self.model(id) else {
            return Ok(Deviations::default());
        };
        let view = self.archive_set.view(options);
        let mut layers = Layers::new(&model.name, view);
        let mut facts = everquest::Node::default();
        if let Some(Body::ActorDefinition(actor)) = model
            .actor
            .and_then(|index| file.wld().fragments.get(index))
            .map(|fragment| &fragment.body)
            && !actor.callback.as_str().is_empty()
        {
            facts.callback = Some(actor.callback.as_str().to_owned());
        }
        let mut deviations = Deviations::default();
        self.build_model(
            &mut layers,
            ModelSource {
                file,
                catalog,
                model,
            },
            &facts,
            &mut deviations,
            sink,
        );
        layers.take(sink)?;
        let checks = &layers.main.checks;
        checks.report(sink);
        checks.deviations(&mut deviations);
        Ok(deviations)
    }

    /// Builds a model into scenes.
    pub(super) fn build_model(
        &self,
        layers: &mut Layers<'_, '_>,
        made: ModelSource<'_>,
        facts: &everquest::Node,
        deviations: &mut Deviations,
        sink: &mut dyn Sink,
    ) {
        let ModelSource {
            file,
            catalog,
            model,
        } = made;
        let source = Source { file, opened: 0 };
        match &model.root {
            Root::Meshes(meshes) => {
                static_model::build(layers, source, &model.name, meshes, facts);
            }
            &Root::Skeleton(index) => {
                layers.main.note(&everquest::Scene {
                    callback: facts.callback.clone(),
                    ..everquest::Scene::default()
                });
                if let Some(skeleton) = actor::skeleton(source, index) {
                    let subject = Subject {
                        name: &model.name,
                        skeleton,
                        spares: &catalog.spare_meshes,
                        tracks: file.tracks(),
                    };
                    let others = self.archive_set.tracks_for_scene(file.member);
                    let faults = actor::build(layers, source, subject, others);
                    faults.deviations(deviations);
                    if let Some(text) = faults.missing(&model.name) {
                        sink.note_missing(text);
                    }
                    let notes = faults.notes();
                    notes.into_iter().for_each(|note| sink.note(note));
                }
            }
            Root::Sprites(sprites) => {
                sprite::build(layers, source, &model.name, sprites, facts);
            }
        }
    }
}
