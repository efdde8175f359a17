//! The items of an animation container and their conversion.

use std::ops::Range;

use crate::options::{self, ConvertOptions};
use crate::shared::scene_outputs::scene_outputs;
use crate::shared::stems::unique_stems;
use crate::zipper::bake::evaluate::NodeKey;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Nodes};
use crate::{
    ConvertError, Converter, Dependency, Disposition, ItemIndex, OutputRole, OutputSpec, Sink,
    SkipCode, SkipReason, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::anim::{self, Definition};
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{NodeId, Scene};
use relicast_scene::{Asset, Document};

use super::dependencies::Related;
use super::uses;
use crate::zipper::anim_documents::context::Shared;
use crate::zipper::anim_documents::definition::with_document;
use crate::zipper::anim_documents::index::Index;
use crate::zipper::anim_documents::script_uses::{FirstUses, first_uses};
use crate::zipper::anim_scenes::clip_writer::{Places, Staging};
use crate::zipper::anim_scenes::clips::{self, Group};
use crate::zipper::anim_scenes::stored_nodes::StoredNodes;

/// An animation container.
#[derive(Debug)]
pub(crate) struct AnimFile<'a> {
    container: anim::AnimFile,
    /// Byte range of each definition.
    ranges: Vec<Range<usize>>,
    /// Names of the definitions' documents.
    stems: Vec<String>,
    /// Groups that have clips, with the names of their scenes.
    groups: Vec<Group>,
    scenes: Vec<String>,
    related: Related<'a>,
    uses: FirstUses,
    deviations: Deviations,
    length: u64,
}

/// Source of an item of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::zipper) enum PartSource {
    /// The container as a whole.
    Index,
    /// One definition, by its index in the container without the reserved one.
    Definition(usize),
    /// A scene with clips, by the index of its group.
    Clips(usize),
}

impl<'a> AnimFile<'a> {
    pub(crate) fn open(
        bytes: &'a [u8],
        dependencies: &[Dependency<'a>],
    ) -> Result<Self, FormatError> {
        let Decoded { value, deviations } = anim::decode(bytes)?;
        let names: Vec<String> = value.definitions.iter().map(label).collect();
        let groups = clips::groups(&value);
        let roots: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
        let uses = first_uses(&value);
        Ok(Self {
            scenes: unique_stems(&roots),
            groups,
            ranges: value.ranges(),
            stems: unique_stems(&names),
            container: value,
            related: Related::new(dependencies),
            uses,
            deviations,
            length: bytes.len() as u64,
        })
    }

    /// Source of the item at `index`: the index, then the definitions, then the clips.
    pub(in crate::zipper) fn source_at(&self, index: usize) -> Option<PartSource> {
        let Some(place) = ItemIndex(index).member() else {
            return Some(PartSource::Index);
        };
        let definitions = self.container.definitions.len();
        match place.checked_sub(definitions) {
            None => Some(PartSource::Definition(place)),
            Some(group) => (group < self.groups.len()).then_some(PartSource::Clips(group)),
        }
    }

    fn part_of(&self, source: PartSource, options: &ConvertOptions) -> SourceItem {
        let (range, name) = match source {
            PartSource::Index => (0..self.length, None),
            PartSource::Definition(index) => {
                let range = &self.ranges[index];
                let range = range.start as u64..range.end as u64;
                (range, Some(self.stems[index].clone()))
            }
            PartSource::Clips(group) => {
                let definitions = &self.groups[group].definitions;
                let ranges = definitions.iter().map(|&index| &self.ranges[index]);
                let start = ranges.clone().map(|range| range.start).min();
                let end = ranges.map(|range| range.end).max();
                let range = start.unwrap_or(0) as u64..end.unwrap_or(0) as u64;
                (range, Some(self.scenes[group].clone()))
            }
        };
        let mut wanted = Vec::new();
        if let PartSource::Clips(_) = source {
            wanted.extend(scene_outputs(OutputRole::Main, options));
        } else {
            wanted.push(OutputSpec::DOCUMENT);
            wanted.extend(OutputSpec::raw(options).filter(|_| source == PartSource::Index));
        }
        let member = match source {
            PartSource::Clips(_) => name.as_ref().map(|name| format!("clips/{name}")),
            _ => name.clone(),
        };
        let verdict = match (source, options.animations.clips) {
            (PartSource::Clips(_), options::Clips::None) => Disposition::Skip(SkipReason::new(
                SkipCode::SwitchedOff,
                "clips are switched off",
            )),
            _ => Disposition::Convert,
        };
        SourceItem {
            member,
            kind: Kind::Anim,
            asset: AssetKind::Animations,
            category: Category::Animations,
            range,
            stem: name,
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict,
        }
    }

    /// Indices of a definition's events that have no target.
    fn dangling(&self, index: usize) -> Deviations {
        let definition = &self.container.definitions[index];
        let mut deviations = Deviations::default();
        for block in definition.blocks_of_events() {
            for (place, event) in block.events.iter().enumerate() {
                for used in uses::of(&event.body) {
                    if let Some((table, found)) = uses::fault(&used, definition) {
                        let field = format!("{}.events[{place}]", block.head.name.text());
                        let expected = format_args!("an entry of {table}");
                        deviations.push(field, self.ranges[index].start, expected, found);
                    }
                }
            }
        }
        deviations
    }

    fn convert_source(
        &self,
        source: PartSource,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match source {
            PartSource::Index => {
                let index = {
                    // The index itself is the first item.
                    let document = |place: usize| sink.path_of(ItemIndex::of_member(place));
                    let Self {
                        container,
                        related,
                        uses,
                        ..
                    } = self;
                    Index::new(container, related, uses, options, document)
                };
                let notes = index.missing.notes().into_iter();
                notes
                    .chain(index.bound.note())
                    .for_each(|note| sink.note(note));
                sink.take(OutputRole::Main, Asset::Document(Document::new(&index)))?;
                sink.take_raw(|| Document::new(&self.container))?;
            }
            PartSource::Definition(index) => {
                let definition = &self.container.definitions[index];
                let shared = Shared {
                    container: &self.container,
                    uses: &self.uses,
                    stems: &self.stems,
                    style: options.documents.style,
                };
                with_document(index, definition, &shared, |document| {
                    sink.take(OutputRole::Main, Asset::Document(document))
                })?;
                return Ok(self.dangling(index));
            }
            PartSource::Clips(group) => self.convert_clips(&self.groups[group], options, sink)?,
        }
        Ok(Deviations::default())
    }

    /// Makes the scene of a group: the nodes of each file, then the clips.
    fn convert_clips(
        &self,
        group: &Group,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<(), ConvertError> {
        let bindings = self.related.bindings(&self.container, options);
        let worlds = self.related.worlds();
        let mechs = self.related.mechs(&self.container, options);
        let mut cast: Vec<&dyn Nodes> = Vec::new();
        cast.extend(worlds.iter().map(|world| world.file.gamez() as &dyn Nodes));
        cast.extend(mechs.iter().map(|mech| &mech.model as &dyn Nodes));
        let show = clips::bake(&self.container, bindings, &StoredNodes(cast), group);
        show.notes.iter().for_each(|note| sink.note(note.clone()));
        if show.is_empty() {
            return Ok(());
        }
        let mut scene = Scene {
            name: group.name.clone(),
            ..Scene::default()
        };
        let mut places = Places::new();
        for (&lookup, wanted) in &show.wanted {
            let mech = lookup.checked_sub(worlds.len());
            let mech = mech.and_then(|place| mechs.get(place));
            if let Some(world) = worlds.get(lookup) {
                let hierarchy = world.file.subset(wanted, options);
                take_in(hierarchy, lookup, &mut scene, &mut places);
            } else if let Some(mech) = mech
                && let Some(hierarchy) = mech.library.subset(&mech.model, wanted, options)
            {
                take_in(hierarchy, lookup, &mut scene, &mut places);
            }
        }
        let facts = zipper::Scene {
            game: Some(self.container.version.short_name().to_owned()),
            forward: Some("-Z".to_owned()),
            ..zipper::Scene::default()
        };
        scene.extras = facts.extras();
        let notes = Staging::new(places).add(&mut scene, &show, options);
        notes.into_iter().for_each(|note| sink.note(note));
        let world = worlds.first().map(|world| world.file.pictures(options));
        let view = world.or_else(|| Some(mechs.first()?.library.pictures(options)));
        if let Some(view) = view {
            sink.take(OutputRole::Main, Asset::Scene(&scene, &view))?;
        }
        Ok(())
    }
}

/// Moves the nodes of an assembly into a scene, and records their places.
fn take_in<N: Nodes>(
    mut hierarchy: HierarchyBuilder<'_, '_, '_, N>,
    lookup: usize,
    scene: &mut Scene,
    places: &mut Places,
) {
    let moved = scene.nodes.len();
    let roots = scene.merge(std::mem::take(hierarchy.main()));
    scene.roots.extend(roots);
    let shown = hierarchy.shown.iter();
    for shown in shown.filter(|shown| shown.layer == Layer::Main) {
        let index = shown.index;
        let node = NodeId::from(shown.node.index() + moved);
        let found = places.entry(NodeKey { lookup, index }).or_default();
        found.push(node);
    }
}

/// Name of a definition's document: its node, the animation, and the bound node where that is another one;
/// endings `.flt` left out. The reference names its files like this.
fn label(definition: &Definition) -> String {
    let head = &definition.head;
    let plain = |name: String| {
        name.strip_suffix(".flt")
            .map_or(name.clone(), str::to_owned)
    };
    let [name, animation, root] =
        [&head.name, &head.anim_name, &head.anim_root_name].map(|field| plain(field.text()));
    if root == name {
        format!("{name}-{animation}")
    } else {
        format!("{name}-{animation}-{root}")
    }
}

impl Converter for AnimFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let sources = (0..).map_while(|index| self.source_at(index));
        sources
            .map(|source| self.part_of(source, options))
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
        match self.source_at(index) {
            Some(source) => self.convert_source(source, options, sink),
            None => Ok(Deviations::default()),
        }
    }
}
