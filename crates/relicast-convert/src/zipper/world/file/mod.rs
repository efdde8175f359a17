//! The items of a file with a world or with aircraft: the whole, then each model.

mod facts;
mod findings;
mod measures;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use crate::options::{Clips, ConvertOptions};
use crate::shared::scene_outputs::scene_outputs;
use crate::shared::stems::unique_stems;
use crate::zipper::anim_scenes::world_clips::add_clips;
use crate::zipper::crimson::{Liveries, LiveryVariants};
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Layout, Purpose};
use crate::zipper::scene::material::{self, SourceMaterial, Surfaces};
use crate::zipper::scene::texture_library::{TextureLibrary, key_of};
use crate::zipper::start::Missions;
use crate::{
    ConvertError, Converter, Dependency, Disposition, Encoding, ItemIndex, OutputRole, OutputSpec,
    Sink, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::depth::Depth;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{self, GameZ};
use relicast_scene::extras::ObjectExtras;
use relicast_scene::{Asset, Document};

use super::aircraft_cameras;
use super::aircraft_parts::AircraftParts;
use super::environment;
use super::flip_books;
use super::markers;
use super::mechs::Mechs;
use super::mission_nodes::MissionNodes;
use super::missions::Mission;
use super::roots;
use super::states;
use super::waiting::GivenPlace;
use super::zones;

/// The library of aircraft that missions of Crimson Skies place.
#[derive(Debug)]
pub(super) struct Aircraft<'a> {
    /// Path of the library.
    pub path: &'a str,
    /// The library, with the pictures of the world.
    pub file: Box<WorldFile<'a>>,
}

/// A world or a library of aircraft.
#[derive(Debug)]
pub(crate) struct WorldFile<'a> {
    pub(super) name: &'a str,
    /// Its path below the input, or its name if the path is unknown.
    pub(super) path: &'a str,
    pub(super) gamez: GameZ,
    pub(super) materials: Vec<SourceMaterial>,
    pub(super) library: TextureLibrary<'a>,
    /// Roots of the models.
    pub(super) templates: Vec<usize>,
    /// Nodes of the world, in the order in which they are added.
    pub(super) placed: Vec<usize>,
    /// Nodes hidden regardless of their flags.
    pub(super) hidden: HashSet<usize>,
    /// Nodes that are shown regardless of their flags.
    pub(super) shown: HashSet<usize>,
    /// Helpers, and nodes that wait for a place.
    unplaced: OnceLock<HashSet<usize>>,
    /// Actors that animations place.
    pub(super) waiting: OnceLock<BTreeMap<usize, GivenPlace>>,
    unreachable: BTreeSet<usize>,
    pub(super) missions: Vec<Mission>,
    /// Paths of readers that would place objects in missions, but that no game reads.
    pub(super) unread: Vec<String>,
    pub(super) mechs: Option<Mechs<'a>>,
    /// The aircraft that missions place.
    pub(super) aircraft: Option<Aircraft<'a>>,
    /// Contents of the reader of fog volumes.
    pub(super) fog_volumes: Option<serde_json::Value>,
    /// Material variants of aircraft.
    liveries: Liveries<'a>,
    /// Containers with animations of the world.
    pub(super) animations: Vec<Dependency<'a>>,
    /// All its dependencies.
    pub(super) dependencies: Vec<Dependency<'a>>,
    /// State at the start of missions.
    pub(super) around: OnceLock<Missions<'a>>,
    deviations: Deviations,
    length: u64,
}

impl<'a> WorldFile<'a> {
    pub(crate) fn open(
        name: &'a str,
        bytes: &'a [u8],
        dependencies: &[Dependency<'a>],
    ) -> Result<Self, FormatError> {
        Self::open_to(Depth::Whole, name, bytes, dependencies)
    }

    /// Opens the file with its models to the given depth: outlines are enough for its list of items.
    pub(crate) fn open_to(
        depth: Depth,
        name: &'a str,
        bytes: &'a [u8],
        dependencies: &[Dependency<'a>],
    ) -> Result<Self, FormatError> {
        let Decoded { value, deviations } = gamez::decode_to(bytes, depth)?;
        let parts = AircraftParts::new(&value);
        let mut file = Self {
            name,
            path: name,
            dependencies: dependencies.to_vec(),
            around: OnceLock::new(),
            materials: material::of_world(&value),
            library: TextureLibrary::new(dependencies, value.version),
            templates: Vec::new(),
            placed: Vec::new(),
            hidden: parts.hidden,
            shown: parts.shown,
            unplaced: OnceLock::new(),
            waiting: OnceLock::new(),
            unreachable: BTreeSet::new(),
            missions: Vec::new(),
            unread: Vec::new(),
            mechs: Mechs::open(dependencies),
            aircraft: None,
            fog_volumes: None,
            liveries: Liveries::new(dependencies),
            animations: dependencies
                .iter()
                .filter(|dependency| dependency.kind == Kind::Anim)
                .copied()
                .collect(),
            deviations,
            length: bytes.len() as u64,
            gamez: value,
        };
        flip_books::apply(&file.gamez, dependencies, &mut file.materials);
        let options = ConvertOptions::default();
        let world = file.build_layout(None, None, &options);
        let templates: Vec<usize> = roots::root_nodes(&file.gamez)
            .filter(|&index| !world.has(index))
            .collect();
        let outside: HashSet<usize> = templates.iter().copied().collect();
        let unreachable = roots::unreachable(&file.gamez, &|index| {
            world.has(index) || outside.contains(&index)
        });
        let placed = world.shown().collect();
        drop(world);
        file.templates = templates;
        file.placed = placed;
        file.unreachable = unreachable;
        if file.has_world() {
            file.open_missions(depth, dependencies);
        }
        Ok(file)
    }

    /// The same file, with its path below the input.
    pub(crate) fn at(self, path: &'a str) -> Self {
        Self { path, ..self }
    }

    /// Helpers, and nodes that wait for a place.
    pub(super) fn unplaced_nodes(&self) -> &HashSet<usize> {
        self.unplaced.get_or_init(|| {
            let mut unplaced = roots::helpers(&self.gamez);
            unplaced.extend(roots::unplaced(&self.gamez));
            unplaced
        })
    }

    pub(super) fn has_world(&self) -> bool {
        self.gamez.nodes.world().is_some()
    }

    /// The layout of the world, or of the model below a root, as a mission changes it.
    pub(super) fn build_layout(
        &self,
        root: Option<usize>,
        mission: Option<&MissionNodes>,
        options: &ConvertOptions,
    ) -> Layout<'_, GameZ> {
        let mut layout = Layout::new(&self.gamez, &options.scenes);
        layout.hidden_nodes.clone_from(&self.hidden);
        layout.shown_nodes.clone_from(&self.shown);
        if roots::hides_unplaced(&self.gamez, options) {
            layout.hidden_nodes.extend(self.unplaced_nodes());
        }
        if root.is_none() {
            let waiting = self.waiting(options).map(|(index, _)| index);
            layout.hidden_nodes.extend(waiting);
        }
        if let Some(mission) = mission {
            mission.hide(&mut layout);
        }
        if let Some(root) = root {
            layout.shown_nodes.insert(root);
            layout.add(&[root], None);
        } else if self.has_world() {
            (layout.hidden_meshes).extend(zones::hidden_meshes(&self.gamez));
            roots::add_world(&self.gamez, &mut layout);
            environment::add(&self.gamez, &mut layout);
        }
        layout
    }

    /// Builds the world, or the model below a root.
    pub(super) fn assemble<'s>(
        &'s self,
        root: Option<usize>,
        options: &'s ConvertOptions,
    ) -> HierarchyBuilder<'s, 's, 'a, GameZ> {
        let layout = self.build_layout(root, None, options);
        self.assemble_in(root, layout, options, None, None)
    }

    /// Builds the world, or the model below a root, by its layout: with the variants of the model, or as a mission
    /// changes the world.
    pub(super) fn assemble_in<'s>(
        &'s self,
        root: Option<usize>,
        layout: Layout<'s, GameZ>,
        options: &'s ConvertOptions,
        livery_variants: Option<&'s LiveryVariants<'a>>,
        mission: Option<&MissionNodes>,
    ) -> HierarchyBuilder<'s, 's, 'a, GameZ> {
        let version = self.gamez.version;
        let view = self.library.view(options);
        let view = livery_variants.map_or(view, |livery_variants| {
            view.with_skins(&livery_variants.skins)
        });
        let surfaces = Surfaces::new(&self.materials, view, version);
        let purpose = match root {
            None => Purpose::World,
            Some(_) => Purpose::Model,
        };
        let mut hierarchy = HierarchyBuilder::new(layout, surfaces, purpose);
        if let Some(livery_variants) = livery_variants {
            hierarchy.use_variants(&livery_variants.variants);
        }
        if root.is_none() {
            for (index, place) in self.waiting(options) {
                let notes = hierarchy.notes.entry(index).or_default();
                notes.placed_by_animation = Some(place.facts());
            }
        }
        if root.is_none() || !self.has_world() {
            for (index, mark) in markers::marks(&self.gamez) {
                hierarchy.notes.entry(index).or_default().merge(mark);
            }
        }
        if let Some(mission) = mission {
            mission.apply(&mut hierarchy);
        }
        if root.is_some() {
            hierarchy.build();
        } else if self.has_world() {
            environment::note_sky(&self.gamez, &mut hierarchy);
            zones::note_hidden(&mut hierarchy);
            if !hierarchy.layout.nodes_only {
                self.note_scripted_skies(options, &mut hierarchy);
            }
            hierarchy.prepare_shapes();
            let sun = mission.and_then(|mission| mission.sunlight);
            environment::build_world(&self.gamez, sun, options, &mut hierarchy);
        }
        hierarchy
    }

    /// Returns the materials that may be assigned to the model of a layout.
    fn livery_variants(
        &self,
        layout: &Layout<'_, GameZ>,
        options: &ConvertOptions,
    ) -> Option<LiveryVariants<'a>> {
        let is_skies = self.gamez.version == ZipperGame::CrimsonSkies;
        if !is_skies && self.liveries.is_empty() {
            return None;
        }
        let models: BTreeSet<usize> = self.models_of(layout);
        let models = models
            .into_iter()
            .filter_map(|slot| self.gamez.models.get(slot));
        let polygons = models.flat_map(|model| &model.polygons);
        let materials: BTreeSet<i32> = polygons
            .flat_map(|polygon| polygon.layers().map(|(material, _)| material))
            .collect();
        let materials = materials
            .into_iter()
            .filter_map(|material| self.materials.get(usize::try_from(material).ok()?));
        let materials: Vec<&SourceMaterial> = materials.collect();
        let textures = materials
            .iter()
            .filter_map(|material| Some(key_of(material.texture()?)));
        let textures = textures.collect();
        let mut livery_variants = self
            .liveries
            .livery_variants(&textures, &self.library, options);
        if is_skies {
            let view = self.library.view(options);
            states::add(materials.into_iter(), &view, &mut livery_variants.variants);
        }
        (!livery_variants.variants.variants.is_empty()).then_some(livery_variants)
    }

    /// The decoded file.
    pub(crate) fn gamez(&self) -> &GameZ {
        &self.gamez
    }

    /// The missions whose readers place objects.
    pub(super) fn missions(&self) -> &[Mission] {
        &self.missions
    }

    /// Roots of the models, which are the items after the first.
    pub(super) fn templates(&self) -> &[usize] {
        &self.templates
    }

    pub(super) fn stem(&self) -> &str {
        self.name
            .rsplit_once('.')
            .map_or(self.name, |(stem, _)| stem)
    }

    fn template_stems(&self) -> Vec<String> {
        let names: Vec<String> = self
            .templates
            .iter()
            .map(|&index| self.gamez.nodes.used[index].name())
            .collect();
        // A period would be treated as the start of an extension, and removed from the file's name.
        let stems = unique_stems(&names).into_iter();
        stems
            .map(|stem| stem.trim_end_matches(".flt").to_owned())
            .collect()
    }

    /// The models that the nodes of a layout show.
    fn models_of(&self, layout: &Layout<'_, GameZ>) -> BTreeSet<usize> {
        let nodes = &self.gamez.nodes.used;
        let models = layout.shown().filter_map(|index| nodes.get(index)?.model());
        models.collect()
    }

    fn outputs(&self, root: Option<usize>, options: &ConvertOptions) -> Vec<OutputSpec> {
        let mut wanted = Vec::new();
        if root.is_some() || self.has_world() {
            for layer in self.build_layout(root, None, options).layers() {
                wanted.extend(scene_outputs(layer.role(), options));
            }
        }
        wanted.push(OutputSpec {
            role: OutputRole::Tables,
            encoding: Encoding::Json,
        });
        if root.is_none() {
            wanted.extend(OutputSpec::raw(options));
        }
        wanted
    }
}

impl Converter for WorldFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let (asset, category) = if self.has_world() {
            (AssetKind::Worlds, Category::Worlds)
        } else {
            (AssetKind::Models, Category::Models)
        };
        let whole = SourceItem {
            member: None,
            kind: Kind::GameZ,
            asset,
            category,
            range: 0..self.length,
            stem: None,
            suffix: None,
            folders: Vec::new(),
            wanted: self.outputs(None, options),
            verdict: Disposition::Convert,
        };
        let templates = self.templates.iter().zip(self.template_stems());
        let templates = templates.map(|(&index, stem)| SourceItem {
            member: Some(stem.clone()),
            kind: Kind::GameZ,
            asset: AssetKind::Models,
            category: Category::Models,
            range: 0..self.length,
            stem: Some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted: self.outputs(Some(index), options),
            verdict: Disposition::Convert,
        });
        let missions = self.missions.iter();
        let missions = missions.filter(|_| options.worlds.placements);
        let missions = missions.map(|mission| SourceItem {
            member: Some(format!("mission {}", mission.label)),
            suffix: Some(mission.label.clone()),
            wanted: scene_outputs(OutputRole::Main, options)
                .chain([OutputSpec {
                    role: OutputRole::Tables,
                    encoding: Encoding::Json,
                }])
                .collect(),
            ..whole.clone()
        });
        let missions: Vec<SourceItem> = missions.collect();
        std::iter::once(whole)
            .chain(templates)
            .chain(missions)
            .collect()
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
        let place = ItemIndex(index).member();
        let after = place.and_then(|place| place.checked_sub(self.templates.len()));
        if let Some(mission) = after.and_then(|place| self.missions.get(place)) {
            return self.convert_mission(mission, options, sink);
        }
        let root = place.and_then(|place| self.templates.get(place).copied());
        let layout = self.build_layout(root, None, options);
        let livery_variants = root.and_then(|_| self.livery_variants(&layout, options));
        let mut hierarchy = self.assemble_in(root, layout, options, livery_variants.as_ref(), None);
        let start_facts = match root {
            None if self.has_world() => self.add_starts(options, &mut hierarchy, sink),
            _ => None,
        };
        if root.is_none() {
            self.furnish_world(options, &mut hierarchy, sink);
        } else if let Some(root) = root.filter(|_| !self.has_world()) {
            aircraft_cameras::add(&self.gamez, root, &mut hierarchy);
        }
        let facts = self.item_facts(root, livery_variants.as_ref(), sink);
        let name = match root {
            Some(root) => self.gamez.nodes.used[root].name(),
            None => self.stem().to_owned(),
        };
        for builder in hierarchy.builders.values_mut() {
            builder.scene.name.clone_from(&name);
            builder.scene.extras = facts.extras();
        }
        if let (Some(facts), Some(main)) = (start_facts, hierarchy.builders.get_mut(&Layer::Main)) {
            main.scene.extras = facts.extras();
        }
        let checks = self.checks(root, livery_variants.as_ref(), options, &mut hierarchy);
        let used = hierarchy.shown.iter().map(|shown| shown.index);
        let used: BTreeSet<usize> = used
            .filter_map(|index| self.gamez.nodes.used.get(index)?.model())
            .collect();
        let view = self.library.view(options);
        let view = livery_variants.as_ref().map_or(view, |livery_variants| {
            view.with_skins(&livery_variants.skins)
        });
        let tables = self.tables(root, used, &checks);
        let mut layers = hierarchy.builders.iter();
        let main = layers.next().filter(|(layer, _)| sink.wants(layer.role()));
        let with_tables = main.filter(|_| root.is_some() || self.has_world());
        match with_tables {
            Some((layer, builder)) => sink.take_with_document(
                layer.role(),
                &builder.scene,
                &view,
                OutputRole::Tables,
                &|| Document::new(&tables),
            )?,
            None => sink.take(OutputRole::Tables, Asset::Document(Document::new(&tables)))?,
        }
        for (&layer, builder) in layers {
            let role = layer.role();
            if (root.is_some() || self.has_world()) && sink.wants(role) {
                sink.take(role, Asset::Scene(&builder.scene, &view))?;
            }
        }
        drop(hierarchy);
        sink.take_raw(|| Document::new(&self.gamez))?;
        checks.report(sink);
        let mut deviations = Deviations::default();
        checks.deviations(&mut deviations);
        Ok(deviations)
    }
}

impl<'a> WorldFile<'a> {
    /// Adds clips and clutter to a world, and reports unusual findings.
    fn furnish_world(
        &self,
        options: &ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'_, '_, 'a, GameZ>,
        sink: &mut dyn Sink,
    ) {
        if self.has_world() && options.animations.clips == Clips::World {
            let notes = add_clips(&self.animations, &self.gamez, options, hierarchy);
            notes.into_iter().for_each(|note| sink.note(note));
        }
        self.note_findings(options, sink);
        if self.has_world() {
            let main = hierarchy.builders.entry(Layer::Main).or_default();
            self.add_clutter(options, main, sink);
        }
    }
}
