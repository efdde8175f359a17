//! The items of an archive: the outputs of each, and their folders and stems.

use std::collections::{BTreeMap, HashMap};

use crate::everquest::actor::{self, ModelParts};
use crate::everquest::archive::{SceneFile, stem_of};
use crate::everquest::catalog::{Model, Root};
use crate::everquest::eqg;
use crate::everquest::scene_builder::Source;
use crate::everquest::zone::Zone;
use crate::everquest::{picture, render_method, sounds};
use crate::options::{ConvertOptions, Hidden};
use crate::shared::scene_outputs::scene_outputs;
use crate::shared::stems::unique_stems;
use crate::single_value;
use crate::{Disposition, Encoding, OutputRole, OutputSpec, SkipReason, SourceItem};
use relicast_codec::FormatError;
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::everquest::pfs::Entry;
use relicast_formats::foreign::is_usable;
use relicast_formats::kind::{Kind, skip_reason};

use super::converter::PfsConverter;
use super::eqg_members::is_zone;

/// Number of bytes that are read to count the surfaces of a DDS picture. Its header has 128; the rest is a margin.
const DDS_HEADER: usize = 256;

/// Stem of the table of an archive whose zone has its name.
const TABLE: &str = "archive";

/// Returns true for members that are copied because other programs can use them as they are.
fn is_copied(kind: Kind, ending: Option<&str>, options: &ConvertOptions) -> bool {
    kind == Kind::Foreign && options.loose.enabled && options.loose.copies(ending)
}

impl PfsConverter<'_> {
    /// Stems of the outputs of all members: without the extension, unless two pictures differ only in that. Documents
    /// that are not scenes have their extension too.
    pub(super) fn stems(&self) -> Vec<String> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let pictures = self
            .members
            .iter()
            .filter(|(_, kind)| !eqg::is_document(*kind));
        for (name, _) in pictures {
            *counts.entry(stem_of(name)).or_default() += 1;
        }
        let stem = |(name, kind): &(String, Kind)| {
            let is_alone = counts.get(&stem_of(name)) == Some(&1);
            let is_scene = self.is_scene(name, *kind) || is_zone(*kind);
            if picture::is_picture(*kind) && !is_alone {
                return name.clone();
            }
            // Many files of one model have its name: only the model gets this stem.
            if eqg::is_document(*kind) && !is_scene {
                return name.clone();
            }
            match name.rsplit_once('.') {
                Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
                _ => name.clone(),
            }
        };
        unique_stems(&self.members.iter().map(stem).collect::<Vec<_>>())
    }

    pub(super) fn table_item(&self, options: &ConvertOptions) -> SourceItem {
        let data_end = (0..self.members.len()).map(|member| self.range(member).end);
        let mut wanted = vec![OutputSpec::DOCUMENT];
        wanted.extend(OutputSpec::raw(options));
        let category = self.category();
        // The zone has the name of the archive, and its scenes and the table would have the same stem.
        let gives_way = category == Category::Worlds && self.has_zone_of_its_name();
        SourceItem {
            member: None,
            kind: Kind::Pfs,
            asset: AssetKind::Archives,
            category,
            range: data_end.max().unwrap_or(0)..self.length,
            stem: gives_way.then(|| TABLE.to_owned()),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: match self.directory_damage() {
                Some(damage) => Disposition::Fail(damage),
                None => Disposition::Convert,
            },
        }
    }

    /// True if a zone becomes a scene with the name of the archive.
    fn has_zone_of_its_name(&self) -> bool {
        let stem = self.file_stem();
        let mut scenes = self.scenes().iter();
        let mut members = self.members.iter();
        scenes.any(|file| file.is_zone() && file.stem() == stem)
            || members.any(|(name, kind)| is_zone(*kind) && stem_of(name) == stem)
    }

    /// Reason for which the names of the members cannot be inflated. They are then known by their hashes.
    fn directory_damage(&self) -> Option<FormatError> {
        let directory = self.own()?.stored().directory.as_ref()?;
        let damage = directory.entry.extract().err()?;
        Some(damage.inside("directory"))
    }

    /// Output folder of the archive's own document: that of most of its members.
    pub(super) fn category(&self) -> Category {
        let mut counts = BTreeMap::new();
        for &(_, kind) in &self.members {
            let (_, category) = kind.asset();
            // The tables of worlds are next to the worlds.
            if eqg::is_document(kind) && category == Category::Worlds {
                continue;
            }
            *counts.entry(category).or_insert(0_usize) += 1;
        }
        let most = counts.iter().max_by_key(|(_, count)| **count);
        most.map_or(Category::Config, |(category, _)| *category)
    }

    pub(super) fn member_item(
        &self,
        member: usize,
        stem: String,
        options: &ConvertOptions,
    ) -> SourceItem {
        let Some((name, kind)) = self.members.get(member).cloned() else {
            return self.table_item(options);
        };
        let range = self.range(member);
        let mut item = if let Some(item) = self.eqg_item(member, &stem, options) {
            item
        } else if picture::is_picture(kind) {
            self.picture_item(&name, kind, stem, self.entry(member), range, options)
        } else if sounds::list(kind).is_some() {
            sounds::item(kind, Some((name.clone(), stem)), range, options)
        } else {
            single_value::item(kind, Some((name.clone(), stem)), range, options)
        };
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_lowercase());
        if let Some(reason) = skip_reason(kind, ending.as_deref()) {
            // Members that are not converted are inflated here only, so that all damage is reported.
            let damage = self.entry(member).and_then(|entry| entry.extract().err());
            let ending = ending.as_deref();
            item.verdict = match damage {
                Some(damage) => Disposition::Fail(damage),
                None if is_copied(kind, ending, options) => {
                    item.asset = AssetKind::Loose;
                    item.category = Category::Loose;
                    item.wanted = vec![OutputSpec {
                        role: OutputRole::Main,
                        encoding: Encoding::Copy,
                    }];
                    Disposition::Convert
                }
                None if ending.is_some_and(is_usable) => Disposition::Skip(SkipReason::for_kind(
                    kind,
                    format!("{reason}; it stays in its archive"),
                )),
                None => Disposition::Skip(SkipReason::for_kind(kind, reason)),
            };
        }
        let own = self.own();
        let scene_fault = own.and_then(|own| own.scene_fault(member));
        let fault = self.entry(member).and_then(|entry| entry.fault.as_ref());
        if let Some(fault) = fault.or(scene_fault) {
            item.verdict = Disposition::Fail(fault.clone());
        }
        item
    }

    pub(super) fn picture_item(
        &self,
        name: &str,
        kind: Kind,
        stem: String,
        entry: Option<&Entry<'_>>,
        range: std::ops::Range<u64>,
        options: &ConvertOptions,
    ) -> SourceItem {
        let (asset, category) = kind.asset();
        let png = |role| OutputSpec {
            role,
            encoding: Encoding::Png,
        };
        let mut wanted = vec![png(OutputRole::Main)];
        if let (Kind::Dds, Some(entry)) = (kind, entry) {
            let size = entry.row.size as usize;
            let more = picture::surfaces(&entry.start(DDS_HEADER), size, &options.textures);
            if more.iter().any(picture::is_face) {
                wanted.clear();
            }
            wanted.extend(more);
        }
        if let Some(uses) = self
            .own()
            .map(|own| own.uses(options.everquest.corrections))
        {
            let name = name.to_lowercase();
            for (set, role) in [
                (&uses.additive, OutputRole::Additive),
                (&uses.normal, OutputRole::Normal),
                (&uses.glow, OutputRole::Glow),
            ] {
                if set.contains(&name) {
                    wanted.push(png(role));
                }
            }
        }
        // Formats of other programs have no fields of the game.
        if kind != Kind::Picture {
            wanted.extend(OutputSpec::raw(options));
        }
        SourceItem {
            member: Some(name.to_owned()),
            kind,
            asset,
            category,
            range,
            stem: Some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        }
    }

    pub(super) fn zone_item(
        &self,
        zone: &Zone<'_, '_>,
        stem: String,
        options: &ConvertOptions,
    ) -> SourceItem {
        let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
        if Zone::has_hidden(options) {
            wanted.extend(scene_outputs(OutputRole::Hidden, options));
        }
        wanted.push(OutputSpec {
            role: OutputRole::Regions,
            encoding: Encoding::Json,
        });
        wanted.extend(OutputSpec::raw(options));
        let is_main = self.is_loose() || zone.file.stem() == self.file_stem();
        SourceItem {
            member: (!self.is_loose()).then(|| zone.file.name.clone()),
            kind: Kind::Wld,
            asset: AssetKind::Worlds,
            category: Category::Worlds,
            range: if self.is_loose() {
                0..self.length
            } else {
                self.range(zone.file.member)
            },
            stem: (!is_main).then_some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        }
    }

    pub(super) fn scene_item(
        &self,
        scene_index: usize,
        stem: String,
        options: &ConvertOptions,
    ) -> Option<SourceItem> {
        if let Some(zone) = self.zone(scene_index) {
            return Some(self.zone_item(&zone, stem, options));
        }
        let scene = self.scenes().get(scene_index)?;
        let has_models = self
            .catalogs
            .get(scene_index)
            .is_some_and(|catalog| !catalog.models.is_empty());
        let mut wanted = vec![OutputSpec::DOCUMENT];
        wanted.extend(OutputSpec::raw(options));
        Some(SourceItem {
            member: (!self.is_loose()).then(|| scene.name.clone()),
            kind: Kind::Wld,
            asset: AssetKind::Archives,
            category: if has_models {
                Category::Models
            } else {
                Category::Worlds
            },
            range: if self.is_loose() {
                0..self.length
            } else {
                self.range(scene.member)
            },
            stem: (!self.is_loose()).then_some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        })
    }

    pub(super) fn model_item(
        &self,
        scene: &SceneFile,
        model: &Model,
        spares: &[usize],
        stem: String,
        options: &ConvertOptions,
    ) -> SourceItem {
        let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
        let has_invisible = |meshes: &[usize]| render_method::has_invisible(scene.wld(), meshes);
        let has_hidden = match &model.root {
            Root::Meshes(meshes) => has_invisible(meshes),
            &Root::Skeleton(skeleton) => {
                let source = Source {
                    file: scene,
                    opened: 0,
                };
                actor::skeleton(source, skeleton).is_some_and(|skeleton| {
                    let model_parts = ModelParts::new(scene.wld(), skeleton, &model.name, spares);
                    actor::has_hidden(&model_parts, has_invisible)
                })
            }
            Root::Sprites(_) => false,
        };
        if options.scenes.hidden == Hidden::Separate && has_hidden {
            wanted.extend(scene_outputs(OutputRole::Hidden, options));
        }
        SourceItem {
            member: Some(if self.is_loose() {
                model.name.clone()
            } else {
                format!("{}/{}", scene.name, model.name)
            }),
            kind: Kind::Wld,
            asset: AssetKind::Models,
            category: Category::Models,
            range: if self.is_loose() {
                0..self.length
            } else {
                self.range(scene.member)
            },
            stem: Some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        }
    }

    /// Stems of the models of all scenes, in order.
    pub(super) fn model_stems(&self) -> Vec<String> {
        let models = self.catalogs.iter().flat_map(|catalog| &catalog.models);
        let names = models.map(|model| {
            // A period would be read as the start of an extension.
            model.name.replace('.', "_")
        });
        unique_stems(&names.collect::<Vec<_>>())
    }
}
