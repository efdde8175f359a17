//! The converter of an archive or of a loose scene: its items, and the source of each.

use std::collections::HashMap;

use crate::options::ConvertOptions;
use crate::{
    ConvertError, Converter, Dependency, Disposition, OpenContext, OutputRole, Sink, SkipCode,
    SkipReason, SourceItem,
};
use relicast_codec::{Deviations, FormatError};
use relicast_formats::everquest::model_list;
use relicast_formats::everquest::pfs::Entry;
use relicast_formats::kind::Kind;
use relicast_limits as limits;
use relicast_scene::{Asset, Document};

use crate::everquest::actor::sprite;
use crate::everquest::archive::{Archive, ArchiveSet, SceneFile, stem_of};
use crate::everquest::catalog::{Catalog, Model, Root};
use crate::everquest::sky;
use crate::everquest::zone::Zone;

use super::document::TableDocument;

/// Source of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// The table of the archive.
    Table,
    /// A member, by its index.
    Member(usize),
    /// A scene, by its index among the scenes.
    Scene(usize),
    /// A model of a scene.
    Model(ModelId),
    /// All models of a scene together, as a sky.
    Sky(usize),
}

/// A model of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ModelId {
    /// Index of the scene among the scenes of the archive.
    pub(super) scene: usize,
    /// Index of the model in the catalog of the scene.
    pub(super) model: usize,
}

/// An archive or a loose scene.
#[derive(Debug)]
pub(crate) struct PfsConverter<'a> {
    pub(super) name: &'a str,
    pub(super) archive_set: ArchiveSet<'a>,
    /// Names and kinds of the members of an archive.
    pub(super) members: Vec<(String, Kind)>,
    /// The models of each scene.
    pub(super) catalogs: Vec<Catalog>,
    pub(super) items: Vec<Item>,
    /// A zone in EQG format next to the archive: its path and its bytes.
    pub(super) loose_zone: Option<(&'a str, &'a [u8])>,
    /// Emitters of the environment of the zone, next to the archive.
    pub(super) emitters: Option<&'a [u8]>,
    /// Cards of grass of the zone, next to the archive.
    pub(super) grass: Option<&'a [u8]>,
    /// Settings of skies, from next to the archive.
    pub(super) sky_settings: Option<&'a [u8]>,
    /// Notes on missing archives that lists name, a line each.
    pub(super) missing: Vec<String>,
    pub(super) deviations: Deviations,
    pub(super) length: u64,
}

/// Notes on archives that lists among the dependencies name and that are not among `archives`.
fn missing(dependencies: &[Dependency<'_>], archives: &[Archive<'_>]) -> Vec<String> {
    let stems: Vec<String> = archives.iter().map(Archive::stem).collect();
    let lists = dependencies.iter().filter_map(|dependency| {
        let path = dependency.path.to_lowercase();
        model_list::zone_of(&path)?;
        Some((dependency.path, model_list::archives(dependency.bytes)))
    });
    let mut missing = Vec::new();
    for (path, archives) in lists {
        let absent = archives
            .into_iter()
            .filter(|listed| !listed.names.iter().any(|name| stems.contains(name)));
        missing.extend(absent.map(|listed| {
            format!(
                "{path} lists {:?}, but no such archive was found",
                listed.text
            )
        }));
    }
    missing
}

/// True if a scene holds the skies.
fn is_sky(file: Option<&SceneFile>, catalog: &Catalog) -> bool {
    let is_named = file.is_some_and(|file| file.stem() == sky::SCENE && !file.is_zone());
    is_named && (catalog.models.iter()).any(|model| sky::layer(&model.name).is_some())
}

impl<'a> PfsConverter<'a> {
    /// Opens an archive.
    pub(crate) fn archive(context: &OpenContext<'a, '_>) -> Result<Self, FormatError> {
        let (own, deviations) = Archive::own(context)?;
        let members = own.members().map(|(_, entry, kind)| (entry.label(), kind));
        let members = members.collect();
        let archive_set = ArchiveSet::new(own, context);
        let missing = missing(context.dependencies, archive_set.archives());
        let package = Self::new(context, archive_set, members, deviations);
        let adjacent = |kind: Kind| {
            let mut all = context.dependencies.iter();
            all.find(|dependency| dependency.kind == kind)
        };
        let loose_zone = adjacent(Kind::EqgZone).map(|zone| (zone.path, zone.bytes));
        let emitters = adjacent(Kind::EnvironmentEmitters).map(|list| list.bytes);
        let grass = adjacent(Kind::GrassCards).map(|cards| cards.bytes);
        let sky_settings = adjacent(Kind::WorldSettings).map(|settings| settings.bytes);
        Ok(Self {
            missing,
            loose_zone,
            emitters,
            grass,
            sky_settings,
            ..package
        })
    }

    /// Opens a loose scene.
    pub(crate) fn loose(context: &OpenContext<'a, '_>) -> Result<Self, FormatError> {
        let own = Archive::loose(context.name, context.bytes)?;
        let archive_set = ArchiveSet::new(own, context);
        let deviations = Deviations::default();
        Ok(Self::new(context, archive_set, Vec::new(), deviations))
    }

    fn new(
        context: &OpenContext<'a, '_>,
        archive_set: ArchiveSet<'a>,
        members: Vec<(String, Kind)>,
        deviations: Deviations,
    ) -> Self {
        let mut package = Self {
            name: context.name,
            archive_set,
            members,
            catalogs: Vec::new(),
            items: Vec::new(),
            loose_zone: None,
            emitters: None,
            grass: None,
            sky_settings: None,
            missing: Vec::new(),
            deviations,
            length: context.bytes.len() as u64,
        };
        let scenes = package.scenes();
        let by_member: HashMap<usize, usize> = scenes
            .iter()
            .enumerate()
            .map(|(place, scene)| (scene.member, place))
            .collect();
        let catalogs: Vec<Catalog> = scenes
            .iter()
            .map(|scene| Catalog::new(scene.wld()))
            .collect();
        let mut items = Vec::new();
        if package.is_loose() {
            items.extend((0..catalogs.len()).map(Item::Scene));
        } else {
            items.push(Item::Table);
            items.extend((0..package.members.len()).map(|member| {
                let scene = by_member.get(&member);
                scene.map_or(Item::Member(member), |&scene| Item::Scene(scene))
            }));
        }
        for (scene, catalog) in catalogs.iter().enumerate() {
            let models = (0..catalog.models.len()).filter(|&model| {
                let root = &catalog.models[model].root;
                match root {
                    Root::Sprites(sprites) => scenes
                        .get(scene)
                        .is_some_and(|file| sprite::is_flat(file.wld(), sprites)),
                    _ => true,
                }
            });
            items.extend(models.map(|model| Item::Model(ModelId { scene, model })));
        }
        let skies =
            (0..catalogs.len()).filter(|&scene| is_sky(scenes.get(scene), &catalogs[scene]));
        items.extend(skies.map(Item::Sky));
        package.catalogs = catalogs;
        package.items = items;
        package
    }

    /// The item that reports missing archives that lists name: the first that may take from
    /// other archives.
    fn missing_archive_reporter(&self) -> Option<usize> {
        self.items.iter().position(|item| match *item {
            Item::Scene(scene) => self.zone(scene).is_some(),
            Item::Model(_) | Item::Sky(_) => true,
            Item::Table | Item::Member(_) => false,
        })
    }

    pub(super) fn is_loose(&self) -> bool {
        self.members.is_empty() && !self.scenes().is_empty()
    }

    pub(super) fn own(&self) -> Option<&Archive<'a>> {
        self.archive_set.own()
    }

    pub(super) fn scenes(&self) -> &[SceneFile] {
        self.own().map_or(&[], Archive::scenes)
    }

    pub(super) fn entry(&self, member: usize) -> Option<&Entry<'a>> {
        self.own()?.entry(member)
    }

    /// The stored bytes of a member.
    pub(super) fn range(&self, member: usize) -> std::ops::Range<u64> {
        match self.entry(member) {
            Some(entry) => {
                let start = u64::from(entry.row.offset).min(self.length);
                let end = start.saturating_add(entry.blocks.len() as u64);
                start..end.min(self.length)
            }
            None => 0..self.length,
        }
    }

    /// The zone of a scene file, if it is one.
    pub(super) fn zone(&self, place: usize) -> Option<Zone<'_, 'a>> {
        let file = self.scenes().get(place).filter(|file| file.is_zone())?;
        let first = self.scenes().iter().position(SceneFile::is_zone);
        Some(Zone {
            file,
            takes_placements: first == Some(place),
            emitters: self.emitters.filter(|_| first == Some(place)),
            grass: self.grass.filter(|_| first == Some(place)),
            archive_set: &self.archive_set,
        })
    }

    /// Stem of the file itself.
    pub(super) fn file_stem(&self) -> String {
        stem_of(self.name)
    }
}

impl PfsConverter<'_> {
    /// The outputs and disposition of an item. Stems of models are taken from `model_stems`.
    fn item(
        &self,
        item: Item,
        options: &ConvertOptions,
        stems: &[String],
        model_stems: &mut HashMap<ModelId, String>,
    ) -> SourceItem {
        let found = match item {
            Item::Table => Some(self.table_item(options)),
            Item::Member(member) => {
                let stem = stems.get(member).cloned().unwrap_or_default();
                Some(self.member_item(member, stem, options))
            }
            Item::Scene(scene) => self.scenes().get(scene).and_then(|file| {
                let stem = stems.get(file.member).cloned().unwrap_or_default();
                self.scene_item(scene, stem, options)
            }),
            Item::Sky(scene) => self
                .scenes()
                .get(scene)
                .map(|file| self.sky_item(file, options)),
            Item::Model(id) => {
                let stem = model_stems.remove(&id).unwrap_or_default();
                self.model(id).map(|(file, catalog, model)| {
                    self.model_item(file, model, &catalog.spare_meshes, stem, options)
                })
            }
        };
        // Every item has its place in the list, so that indices stay valid.
        found.unwrap_or_else(|| {
            let reason = "no such scene or model in the archive".to_owned();
            SourceItem {
                verdict: Disposition::Skip(SkipReason::new(SkipCode::NotConverted, reason)),
                ..SourceItem::whole(Kind::Unknown, 0..self.length, Vec::new())
            }
        })
    }

    /// A model with its scene file and the catalog of that.
    pub(super) fn model(&self, id: ModelId) -> Option<(&SceneFile, &Catalog, &Model)> {
        let catalog = self.catalogs.get(id.scene)?;
        let model = catalog.models.get(id.model)?;
        Some((self.scenes().get(id.scene)?, catalog, model))
    }
}

impl Converter for PfsConverter<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let stems = self.stems();
        let mut model_stems = self.model_stems().into_iter();
        let mut model_stem: HashMap<ModelId, String> = HashMap::new();
        for (scene, catalog) in self.catalogs.iter().enumerate() {
            for model in 0..catalog.models.len() {
                let stem = model_stems.next().unwrap_or_default();
                model_stem.insert(ModelId { scene, model }, stem);
            }
        }
        let items = self.items.iter().map(|&item| {
            limits::check();
            self.item(item, options, &stems, &mut model_stem)
        });
        items.collect()
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        // The search for the item goes through all items, which may be very many.
        if !self.missing.is_empty() && self.missing_archive_reporter() == Some(index) {
            self.missing.iter().for_each(|line| sink.note(line.clone()));
        }
        match self.items.get(index).copied() {
            Some(Item::Table) => {
                let document =
                    TableDocument::new(self.name, self.own().map(Archive::stored), &self.members);
                sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
                if let (true, Some(own)) = (sink.wants(OutputRole::Raw), self.own()) {
                    let raw = Document::new(own.stored());
                    sink.take(OutputRole::Raw, Asset::Document(raw))?;
                }
                Ok(Deviations::default())
            }
            Some(Item::Member(member)) => self.convert_member(member, options, sink),
            Some(Item::Scene(scene)) => self.convert_scene(scene, options, sink),
            Some(Item::Model(id)) => self.convert_model(id, options, sink),
            Some(Item::Sky(scene)) => self.convert_sky(scene, options, sink),
            None => Ok(Deviations::default()),
        }
    }
}
