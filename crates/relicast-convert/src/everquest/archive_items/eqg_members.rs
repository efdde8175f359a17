//! EQG members of an archive: models, zones, and all others as documents.

use crate::everquest::archive::stem_of;
use crate::everquest::eqg::{self, models};
use crate::everquest::ply_file;
use crate::options::{ConvertOptions, Hidden};
use crate::shared::scene_outputs::scene_outputs;
use crate::{ConvertError, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::Deviations;
use relicast_formats::kind::Kind;
use relicast_scene::{Asset, Document};

use super::converter::PfsConverter;

/// True if a source is a zone.
pub(super) fn is_zone(kind: Kind) -> bool {
    matches!(kind, Kind::EqgZone | Kind::EqgZoneText)
}

impl PfsConverter<'_> {
    /// True if the model of a member becomes a scene of its own: not the terrain of a zone.
    pub(super) fn is_scene(&self, name: &str, kind: Kind) -> bool {
        let shown = self.own().is_some_and(|own| own.models().is_terrain(name));
        models::is_model(kind) && !(kind == Kind::EqgTerrain && shown)
    }

    /// The item of an EQG member; `None` for others.
    pub(super) fn eqg_item(
        &self,
        member: usize,
        stem: &str,
        options: &ConvertOptions,
    ) -> Option<SourceItem> {
        let (name, kind) = self.members.get(member)?;
        let range = self.range(member);
        if *kind == Kind::Ply {
            let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
            wanted.extend(OutputSpec::raw(options));
            let item = SourceItem::whole(Kind::Ply, range, wanted);
            return Some(item.of_member(name.clone(), stem.to_owned()));
        }
        if !eqg::is_document(*kind) {
            return None;
        }
        let names = Some((name.clone(), stem.to_owned()));
        let start = self.entry(member).map(|entry| entry.start(usize::MAX));
        let start = start.unwrap_or_default();
        let mut item = eqg::document_item(*kind, names, range, &start, options);
        let own = self.own()?;
        if is_zone(*kind) {
            let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
            if options.scenes.hidden == Hidden::Separate {
                wanted.extend(scene_outputs(OutputRole::Hidden, options));
            }
            wanted.push(OutputSpec {
                role: OutputRole::Regions,
                encoding: Encoding::Json,
            });
            wanted.extend(OutputSpec::raw(options));
            item.wanted = wanted;
            item.stem = (stem_of(name) != self.file_stem()).then(|| stem.to_owned());
        } else if self.is_scene(name, *kind) {
            let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
            let file = own.models().get(member);
            let hides = file.is_some_and(|file| file.model.has_hidden());
            if options.scenes.hidden == Hidden::Separate && hides {
                wanted.extend(scene_outputs(OutputRole::Hidden, options));
            }
            wanted.extend(OutputSpec::raw(options));
            item.wanted = wanted;
        }
        if let Some(fault) = own.models().fault(member) {
            item.verdict = eqg::verdict(fault);
        }
        Some(item)
    }

    /// Converts an EQG member; `None` for others.
    pub(super) fn convert_eqg(
        &self,
        member: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Option<Result<Deviations, ConvertError>> {
        let (name, kind) = self.members.get(member)?;
        if *kind == Kind::Ply {
            let bytes = match self.own()?.inflate(member) {
                Ok(bytes) => bytes.value,
                Err(fault) => return Some(Err(fault.into())),
            };
            return Some(ply_file::convert(name, &bytes, options, sink));
        }
        if !eqg::is_document(*kind) {
            return None;
        }
        Some(self.convert_eqg_member(member, name, *kind, options, sink))
    }

    fn convert_eqg_member(
        &self,
        member: usize,
        name: &str,
        kind: Kind,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Some(own) = self.own() else {
            return Ok(Deviations::default());
        };
        if is_zone(kind) {
            let stem = stem_of(name);
            let loose = self.loose_zone.filter(|(path, _)| {
                let file = path.rsplit('/').next().unwrap_or(path);
                stem_of(file) == stem
            });
            let adjacent = eqg::zone::AdjacentFiles {
                zone: loose,
                emitters: self.emitters.filter(|_| stem == self.file_stem()),
            };
            return eqg::zone::convert(&self.archive_set, member, &stem, adjacent, options, sink);
        }
        let file = own.models().get(member);
        if let (true, Some(file)) = (self.is_scene(name, kind), file) {
            if sink.wants(OutputRole::Raw) {
                let bytes = own.inflate(member)?.value;
                let context = relicast_formats::kind::ArchiveContext::default();
                let raw = relicast_formats::decoded_file::decode(kind, name, &bytes, &context);
                if let Some(Ok(raw)) = raw {
                    sink.take(OutputRole::Raw, Asset::Document(Document::new(&raw.value)))?;
                }
            }
            return eqg::model::convert(&self.archive_set, member, file, name, options, sink);
        }
        let bytes = own.inflate(member)?;
        let mut deviations = eqg::convert_document(kind, name, &bytes.value, sink)?;
        deviations.absorb("blocks", 0, bytes.deviations);
        Ok(deviations)
    }
}
