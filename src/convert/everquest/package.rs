//! The parts of an archive or of a loose scene, and what each becomes.
//!
//! Every member is one part, in the order of the index; the models of scenes follow behind all of them,
//! so that the place of a member's part depends on nothing but the index.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::config::{Config, Hidden};
use crate::convert::archive::unique_stems;
use crate::convert::zipper::value;
use crate::convert::{
    AssetKind, Category, Companion, ConvertError, Encoding, Opened, Part, Role, Sink, Verdict,
    Wanted,
};
use crate::formats::codec::{Decoded, Deviations, FormatError};
use crate::formats::everquest::pfs::{Entry, Version};
use crate::formats::everquest::texture;
use crate::formats::everquest::wld::{Body, FragmentKind};
use crate::formats::kind::{Kind, skip_reason, sniff_pfs_member};
use crate::scene::{Asset, Document};

use super::actor::{self, Cast, Subject, sprite};
use super::catalog::{Catalog, Model, ModelEntry, Root};
use super::library::{Library, SceneFile, Shelf, stem_of};
use super::stage::{Layers, Source};
use super::zone::{Zone, is_zone};
use super::{masks, object, picture, scene_outputs, sounds};

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// The table of the archive.
    Table,
    /// A member, by its place.
    Member(usize),
    /// A scene, by its place among the scenes.
    Scene(usize),
    /// A model of a scene, both by their places.
    Model(usize, usize),
}

/// An archive or a loose scene.
#[derive(Debug)]
pub(super) struct Package<'a> {
    name: &'a str,
    library: Library<'a>,
    /// Names and kinds of the members of an archive.
    members: Vec<(String, Kind)>,
    /// The models of each scene.
    catalogs: Vec<Catalog>,
    items: Vec<Item>,
    deviations: Deviations,
    length: u64,
}

impl<'a> Package<'a> {
    /// Opens an archive.
    pub(super) fn archive(
        name: &'a str,
        bytes: &'a [u8],
        companions: &[Companion<'a>],
    ) -> Result<Self, FormatError> {
        let (own, deviations) = Shelf::own(name, bytes, companions)?;
        let members = own.archive().entries.iter();
        let members = members
            .map(|entry| {
                let name = entry.label();
                let kind = sniff_pfs_member(&entry.start(), &name);
                (name, kind)
            })
            .collect();
        let library = Library::new(own, companions);
        Ok(Self::new(name, library, members, deviations, bytes.len()))
    }

    /// Opens a loose scene.
    pub(super) fn loose(
        name: &'a str,
        bytes: &'a [u8],
        companions: &[Companion<'a>],
    ) -> Result<Self, FormatError> {
        let library = Library::new(Shelf::loose(name, bytes)?, companions);
        let deviations = Deviations::default();
        Ok(Self::new(
            name,
            library,
            Vec::new(),
            deviations,
            bytes.len(),
        ))
    }

    fn new(
        name: &'a str,
        library: Library<'a>,
        members: Vec<(String, Kind)>,
        deviations: Deviations,
        length: usize,
    ) -> Self {
        let mut package = Self {
            name,
            library,
            members,
            catalogs: Vec::new(),
            items: Vec::new(),
            deviations,
            length: length as u64,
        };
        let scenes = package.scenes();
        let by_member: HashMap<usize, usize> = scenes
            .iter()
            .enumerate()
            .map(|(place, scene)| (scene.member, place))
            .collect();
        let catalogs: Vec<Catalog> = scenes.iter().map(|scene| Catalog::of(&scene.wld)).collect();
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
                        .is_some_and(|file| sprite::is_flat(&file.wld, sprites)),
                    _ => true,
                }
            });
            items.extend(models.map(|model| Item::Model(scene, model)));
        }
        package.catalogs = catalogs;
        package.items = items;
        package
    }

    fn is_loose(&self) -> bool {
        self.members.is_empty() && !self.scenes().is_empty()
    }

    fn own(&self) -> Option<&Shelf<'a>> {
        self.library.shelves().first()
    }

    fn scenes(&self) -> &[SceneFile] {
        self.own().map_or(&[], Shelf::scenes)
    }

    fn entry(&self, member: usize) -> Option<&Entry<'a>> {
        self.own()?.archive().entries.get(member)
    }

    /// The stored bytes of a member.
    fn range(&self, member: usize) -> std::ops::Range<u64> {
        match self.entry(member) {
            Some(entry) => {
                let start = u64::from(entry.row.offset).min(self.length);
                let end = start.saturating_add(entry.blocks.len() as u64);
                start..end.min(self.length)
            }
            None => 0..self.length,
        }
    }

    /// Stems of the outputs of all members: without the ending, unless two pictures differ in nothing
    /// but that.
    fn stems(&self) -> Vec<String> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (name, _) in &self.members {
            *counts.entry(stem_of(name)).or_default() += 1;
        }
        let stem = |(name, kind): &(String, Kind)| match kind {
            Kind::Bitmap | Kind::Dds if counts.get(&stem_of(name)) != Some(&1) => name.clone(),
            _ => match name.rsplit_once('.') {
                Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
                _ => name.clone(),
            },
        };
        unique_stems(&self.members.iter().map(stem).collect::<Vec<_>>())
    }

    fn table_part(&self, config: &Config) -> Part {
        let data_end = (0..self.members.len()).map(|member| self.range(member).end);
        let mut wanted = vec![Wanted::DOCUMENT];
        wanted.extend(Wanted::raw(config));
        Part {
            member: None,
            kind: Kind::Pfs,
            asset: AssetKind::Archives,
            category: self.category(),
            range: data_end.max().unwrap_or(0)..self.length,
            stem: None,
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    /// Folder of the archive's own document: that of most of its members.
    fn category(&self) -> Category {
        let mut counts = BTreeMap::new();
        for &(_, kind) in &self.members {
            let (_, category) = AssetKind::of(kind);
            *counts.entry(category).or_insert(0_usize) += 1;
        }
        let most = counts.iter().max_by_key(|(_, count)| **count);
        most.map_or(Category::Config, |(category, _)| *category)
    }

    fn member_part(&self, member: usize, stem: String, config: &Config) -> Part {
        let Some((name, kind)) = self.members.get(member).cloned() else {
            return self.table_part(config);
        };
        let range = self.range(member);
        let mut part = match kind {
            Kind::Bitmap | Kind::Dds => self.picture_part(&name, kind, stem, range, config),
            Kind::Emitters | Kind::EmitterText | Kind::SoundBank => {
                sounds::part(kind, Some((name.clone(), stem)), range, config)
            }
            _ => value::part(kind, Some((name.clone(), stem)), range, config),
        };
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_lowercase());
        if let Some(reason) = skip_reason(kind, ending.as_deref()) {
            part.verdict = Verdict::Skip(reason.to_owned());
        }
        let own = self.own();
        let scene_fault = own.and_then(|own| own.scene_fault(member));
        let fault = self.entry(member).and_then(|entry| entry.fault.as_ref());
        if let Some(fault) = fault.or(scene_fault) {
            part.verdict = Verdict::Fail(fault.clone());
        }
        part
    }

    fn picture_part(
        &self,
        name: &str,
        kind: Kind,
        stem: String,
        range: std::ops::Range<u64>,
        config: &Config,
    ) -> Part {
        let (asset, category) = AssetKind::of(kind);
        let png = |role| Wanted {
            role,
            encoding: Encoding::Png,
        };
        let mut wanted = vec![png(Role::Main)];
        let uses = self.own().map(|own| own.uses(config.everquest.corrections));
        if uses.is_some_and(|uses| uses.additive.contains(&name.to_lowercase())) {
            wanted.push(png(Role::Additive));
        }
        wanted.extend(Wanted::raw(config));
        Part {
            member: Some(name.to_owned()),
            kind,
            asset,
            category,
            range,
            stem: Some(stem),
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    /// The zone of a scene file that is one.
    fn zone(&self, place: usize) -> Option<Zone<'_, 'a>> {
        let file = self.scenes().get(place).filter(|it| is_zone(&it.wld))?;
        let first = self.scenes().iter().position(|it| is_zone(&it.wld));
        Some(Zone {
            file,
            takes_placements: first == Some(place),
            library: &self.library,
        })
    }

    /// Stem of the file itself.
    fn file_stem(&self) -> String {
        stem_of(self.name)
    }

    fn zone_part(&self, zone: &Zone<'_, '_>, stem: String, config: &Config) -> Part {
        let mut wanted: Vec<Wanted> = scene_outputs(Role::Main, config).collect();
        if Zone::has_hidden(config) {
            wanted.extend(scene_outputs(Role::Hidden, config));
        }
        wanted.push(Wanted {
            role: Role::Regions,
            encoding: Encoding::Json,
        });
        wanted.extend(Wanted::raw(config));
        let is_main = self.is_loose() || zone.file.stem() == self.file_stem();
        Part {
            member: (!self.is_loose()).then(|| zone.file.name.clone()),
            kind: Kind::Wld,
            asset: AssetKind::Worlds,
            category: Category::Worlds,
            range: match self.is_loose() {
                true => 0..self.length,
                false => self.range(zone.file.member),
            },
            stem: (!is_main).then_some(stem),
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    fn scene_part(&self, place: usize, stem: String, config: &Config) -> Option<Part> {
        if let Some(zone) = self.zone(place) {
            return Some(self.zone_part(&zone, stem, config));
        }
        let scene = self.scenes().get(place)?;
        let has_models = self
            .catalogs
            .get(place)
            .is_some_and(|it| !it.models.is_empty());
        let mut wanted = vec![Wanted::DOCUMENT];
        wanted.extend(Wanted::raw(config));
        Some(Part {
            member: (!self.is_loose()).then(|| scene.name.clone()),
            kind: Kind::Wld,
            asset: AssetKind::Archives,
            category: match has_models {
                true => Category::Models,
                false => Category::Worlds,
            },
            range: match self.is_loose() {
                true => 0..self.length,
                false => self.range(scene.member),
            },
            stem: (!self.is_loose()).then_some(stem),
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        })
    }

    fn model_part(
        &self,
        scene: &SceneFile,
        model: &Model,
        spares: &[usize],
        stem: String,
        config: &Config,
    ) -> Part {
        let mut wanted: Vec<Wanted> = scene_outputs(Role::Main, config).collect();
        let corrections = config.everquest.corrections;
        let has_invisible =
            |meshes: &[usize]| masks::has_invisible(&scene.wld, meshes, corrections);
        let has_hidden = match &model.root {
            Root::Meshes(meshes) => has_invisible(meshes),
            &Root::Skeleton(skeleton) => {
                let source = Source {
                    file: scene,
                    shelf: 0,
                };
                actor::skeleton(source, skeleton).is_some_and(|skeleton| {
                    let cast = Cast::of(&scene.wld, skeleton, &model.name, spares);
                    actor::has_hidden(&cast, has_invisible)
                })
            }
            Root::Sprites(_) => false,
        };
        if config.scenes.hidden == Hidden::Separate && has_hidden {
            wanted.extend(scene_outputs(Role::Hidden, config));
        }
        Part {
            member: Some(match self.is_loose() {
                true => model.name.clone(),
                false => format!("{}/{}", scene.name, model.name),
            }),
            kind: Kind::Wld,
            asset: AssetKind::Models,
            category: Category::Models,
            range: match self.is_loose() {
                true => 0..self.length,
                false => self.range(scene.member),
            },
            stem: Some(stem),
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    /// Stems of the models of all scenes, in order.
    fn model_stems(&self) -> Vec<String> {
        let models = self.catalogs.iter().flat_map(|catalog| &catalog.models);
        let names = models.map(|model| {
            // A period would be taken for the start of an extension.
            model.name.replace('.', "_")
        });
        unique_stems(&names.collect::<Vec<_>>())
    }

    fn convert_picture(
        &self,
        member: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Some(entry) = self.entry(member) else {
            return Ok(Deviations::default());
        };
        let bytes = entry.extract()?;
        let name = entry.label().to_lowercase();
        let Decoded {
            value,
            mut deviations,
        } = texture::decode(&bytes.value)?;
        deviations.absorb("blocks", 0, bytes.deviations);
        if sink.wants(Role::Additive) {
            let made = picture::additive(&value);
            sink.take(Role::Additive, Asset::Image(made))?;
        }
        let masked = self.library.view(config).is_masked(0, &name);
        let made = picture::image(value, &name, masked, &config.textures);
        sink.take(Role::Main, Asset::Image(made))?;
        if sink.wants(Role::Raw) {
            let raw = crate::formats::typed::decode(
                self.members[member].1,
                &name,
                &bytes.value,
                &crate::formats::kind::Siblings::default(),
            );
            if let Some(Ok(raw)) = raw {
                sink.take(Role::Raw, Asset::Document(Document::new(&raw.value)))?;
            }
        }
        Ok(deviations)
    }

    fn convert_member(
        &self,
        member: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (Some((name, kind)), Some(entry)) = (self.members.get(member), self.entry(member))
        else {
            return Ok(Deviations::default());
        };
        if matches!(kind, Kind::Bitmap | Kind::Dds) {
            return self.convert_picture(member, config, sink);
        }
        let bytes = entry.extract()?;
        let mut deviations = match kind {
            Kind::Emitters | Kind::EmitterText | Kind::SoundBank => {
                sounds::convert(*kind, name, &bytes.value, None, sink)?
            }
            _ => value::convert(*kind, name, &bytes.value, config, sink)?,
        };
        deviations.absorb("blocks", 0, bytes.deviations);
        Ok(deviations)
    }

    fn convert_scene(
        &self,
        place: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        if let Some(zone) = self.zone(place) {
            if sink.wants(Role::Raw) {
                sink.take(Role::Raw, Asset::Document(Document::new(&zone.file.wld)))?;
            }
            return zone.convert(&zone.file.stem(), config, sink);
        }
        let (Some(scene), Some(catalog)) = (self.scenes().get(place), self.catalogs.get(place))
        else {
            return Ok(Deviations::default());
        };
        let document = SceneDocument::new(scene, catalog);
        sink.take(Role::Main, Asset::Document(Document::new(document)))?;
        if sink.wants(Role::Raw) {
            sink.take(Role::Raw, Asset::Document(Document::new(&scene.wld)))?;
        }
        Ok(scene.deviations.clone())
    }

    fn convert_model(
        &self,
        place: usize,
        model: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (Some(file), Some(model)) = (
            self.scenes().get(place),
            self.catalogs.get(place).and_then(|it| it.models.get(model)),
        ) else {
            return Ok(Deviations::default());
        };
        let view = self.library.view(config);
        let mut layers = Layers::new(&model.name, view);
        let source = Source { file, shelf: 0 };
        let mut facts = Map::new();
        if let Some(Body::ActorDefinition(actor)) = model
            .actor
            .and_then(|index| file.wld.fragments.get(index))
            .map(|fragment| &fragment.body)
            && !actor.callback.as_str().is_empty()
        {
            let callback = Value::from(actor.callback.as_str());
            facts.insert("callback".to_owned(), callback);
        }
        let mut deviations = Deviations::default();
        match &model.root {
            Root::Meshes(meshes) => {
                object::build(&mut layers, source, &model.name, meshes, facts);
            }
            &Root::Skeleton(index) => {
                for (key, value) in facts {
                    layers.main.note(&key, value);
                }
                if let Some(skeleton) = actor::skeleton(source, index) {
                    let subject = Subject {
                        name: &model.name,
                        skeleton,
                        spares: self
                            .catalogs
                            .get(place)
                            .map_or(&[], |catalog| &catalog.spare_meshes),
                        tracks: file.tracks(),
                    };
                    let others = self.library.tracks_beside(file.member);
                    let faults = actor::build(&mut layers, source, subject, others);
                    faults.deviations(&mut deviations);
                    let notes = faults.notes(&model.name);
                    notes.into_iter().for_each(|note| sink.note(note));
                }
            }
            Root::Sprites(sprites) => {
                sprite::build(&mut layers, source, &model.name, sprites, facts);
            }
        }
        layers.take(sink)?;
        let checks = &layers.main.checks;
        checks.notes().into_iter().for_each(|note| sink.note(note));
        checks.deviations(&mut deviations);
        Ok(deviations)
    }
}

impl Opened for Package<'_> {
    fn parts(&self, config: &Config) -> Vec<Part> {
        let stems = self.stems();
        let mut model_stems = self.model_stems().into_iter();
        let mut model_stem: HashMap<(usize, usize), String> = HashMap::new();
        for (scene, catalog) in self.catalogs.iter().enumerate() {
            for model in 0..catalog.models.len() {
                let stem = model_stems.next().unwrap_or_default();
                model_stem.insert((scene, model), stem);
            }
        }
        let parts = self.items.iter().map(|&item| match item {
            Item::Table => Some(self.table_part(config)),
            Item::Member(member) => {
                let stem = stems.get(member).cloned().unwrap_or_default();
                Some(self.member_part(member, stem, config))
            }
            Item::Scene(scene) => {
                let member = self.scenes().get(scene)?.member;
                let stem = stems.get(member).cloned().unwrap_or_default();
                self.scene_part(scene, stem, config)
            }
            Item::Model(scene, model) => {
                let stem = model_stem.remove(&(scene, model)).unwrap_or_default();
                let file = self.scenes().get(scene)?;
                let catalog = self.catalogs.get(scene)?;
                let model = catalog.models.get(model)?;
                Some(self.model_part(file, model, &catalog.spare_meshes, stem, config))
            }
        });
        parts.flatten().collect()
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match self.items.get(index).copied() {
            Some(Item::Table) => {
                let document = TableDocument::new(self);
                sink.take(Role::Main, Asset::Document(Document::new(document)))?;
                if let (true, Some(own)) = (sink.wants(Role::Raw), self.own()) {
                    let raw = Document::new(own.archive());
                    sink.take(Role::Raw, Asset::Document(raw))?;
                }
                Ok(Deviations::default())
            }
            Some(Item::Member(member)) => self.convert_member(member, config, sink),
            Some(Item::Scene(scene)) => self.convert_scene(scene, config, sink),
            Some(Item::Model(scene, model)) => self.convert_model(scene, model, config, sink),
            None => Ok(Deviations::default()),
        }
    }
}

/// The table of an archive.
#[derive(Debug, Serialize)]
struct TableDocument<'a> {
    archive: &'a str,
    version: Version,
    /// Seconds since 1970 at which it was packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    packed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datetime: Option<String>,
    members: Vec<MemberDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct MemberDocument<'a> {
    name: &'a str,
    kind: Kind,
    crc: String,
    offset: u32,
    size: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a FormatError>,
}

impl<'a> TableDocument<'a> {
    fn new(package: &'a Package<'_>) -> Self {
        let archive = package.own().map(Shelf::archive);
        let seconds = archive.and_then(|archive| Some(archive.footer.as_ref()?.seconds()));
        let entries = archive.into_iter().flat_map(|archive| &archive.entries);
        Self {
            archive: package.name,
            version: archive.map(|archive| archive.version).unwrap_or_default(),
            packed: seconds,
            datetime: seconds.and_then(crate::convert::zipper::document::unix_time),
            members: entries
                .zip(&package.members)
                .map(|(entry, (name, kind))| MemberDocument {
                    name,
                    kind: *kind,
                    crc: format!("{:08x}", entry.row.name_crc),
                    offset: entry.row.offset,
                    size: entry.row.size,
                    error: entry.fault.as_ref(),
                })
                .collect(),
        }
    }
}

/// What a scene file holds.
#[derive(Debug, Serialize)]
struct SceneDocument<'a> {
    scene: &'a str,
    version: u32,
    fragments: Vec<KindCount>,
    models: Vec<ModelEntry<'a>>,
    /// Meshes that nothing shows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spare_meshes: Vec<&'a str>,
    /// Number of tracks in animation sets that fit no bone of the file, by the model that they name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    stray_tracks: BTreeMap<&'a str, usize>,
}

/// How many fragments of a kind there are, and how many of them are kept as raw bytes.
#[derive(Debug, Serialize)]
struct KindCount {
    kind: FragmentKind,
    code: u32,
    count: usize,
    #[serde(skip_serializing_if = "is_zero")]
    raw: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<'a> SceneDocument<'a> {
    fn new(scene: &'a SceneFile, catalog: &'a Catalog) -> Self {
        let wld = &scene.wld;
        let mut counts: BTreeMap<u32, KindCount> = Default::default();
        for fragment in &wld.fragments {
            let kind = fragment.kind();
            let entry = counts.entry(kind.code()).or_insert_with(|| KindCount {
                kind,
                code: kind.code(),
                count: 0,
                raw: 0,
            });
            entry.count += 1;
            entry.raw += usize::from(matches!(fragment.body, Body::Raw(_)));
        }
        let models = catalog.models.iter();
        let spare = catalog.spare_meshes.iter();
        Self {
            scene: &scene.name,
            version: wld.header.version.code(),
            fragments: counts.into_values().collect(),
            models: models.map(|model| ModelEntry::new(wld, model)).collect(),
            spare_meshes: spare
                .filter_map(|&index| Some(wld.fragments.get(index)?.name()))
                .collect(),
            stray_tracks: scene.tracks().index.strangers(wld),
        }
    }
}
