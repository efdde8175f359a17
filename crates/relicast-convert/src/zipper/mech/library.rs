//! The members of a model library: its materials, and a scene for each 'mech.

use crate::documents::DocumentForm;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::options::ConvertOptions;
use crate::shared::scene_outputs::scene_outputs;
use crate::zipper::messages::Texts;
use crate::zipper::scene::checks::{Checks, VariantChecks};
use crate::zipper::scene::finish::{finish_model, measure_bounds};
use crate::zipper::scene::hierarchy::{
    HierarchyBuilder, Layer, Layout, ModelNumber, NodeSubset, Nodes, Purpose,
};
use crate::zipper::scene::material::{self, SourceMaterial, Surfaces};
use crate::zipper::scene::node_places::{NodePlaces, collect_places};
use crate::zipper::scene::scene_builder::SceneBuilder;
use crate::zipper::scene::texture_library::{TextureLibrary, TextureProvider, key_of};
use crate::{
    ConvertError, Dependency, Disposition, Encoding, ItemIndex, OutputRole, OutputSpec, Sink,
    SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::archive::Archive;
use relicast_formats::zipper::gamez::{Model, Node};
use relicast_formats::zipper::mechlib::{
    self, FORMAT_MEMBER, MATERIALS_MEMBER, MechModel, VERSION_MEMBER,
};
use relicast_scene::extras::{ObjectExtras, read, zipper};
use relicast_scene::model::Scene;
use relicast_scene::{Asset, Document};
use serde::Serialize;

use super::chassis::{Chassis, ChassisList};
use super::motions::Motions;
use super::skins;

/// Context shared by all members of a model library.
#[derive(Debug)]
pub(crate) struct MechLibrary<'a> {
    version: Result<ZipperGame, FormatError>,
    materials: Result<Vec<SourceMaterial>, FormatError>,
    library: TextureLibrary<'a>,
    motions: Motions<'a>,
    chassis: ChassisList,
    texts: Texts,
}

impl Nodes for MechModel {
    fn node(&self, index: usize) -> Option<&Node> {
        Some(&self.nodes.get(index)?.node)
    }

    fn model(&self, index: usize) -> Option<(ModelNumber, &Model)> {
        Some((ModelNumber(index), self.nodes.get(index)?.model.as_deref()?))
    }

    fn count(&self) -> usize {
        self.nodes.len()
    }
}

/// Maximum size of a chassis definition in the extras of a scene, in bytes of JSON. A longer one is in the tables only.
const MAX_FACTS_LENGTH: usize = 16 << 10;

/// The textures of a 'mech.
fn textures_of(mech: &MechModel, materials: &[SourceMaterial]) -> BTreeSet<String> {
    let models = mech.nodes.iter().filter_map(|node| node.model.as_deref());
    let polygons = models.flat_map(|model| &model.polygons);
    let materials_used: BTreeSet<i32> = polygons
        .flat_map(|polygon| polygon.layers().map(|(material, _)| material))
        .collect();
    let textures = materials_used.into_iter().filter_map(|material| {
        let material = materials.get(usize::try_from(material).ok()?)?;
        Some(key_of(material.texture()?))
    });
    textures.collect()
}

/// Members that are not 'mechs.
fn is_table(name: &str) -> bool {
    [FORMAT_MEMBER, VERSION_MEMBER, MATERIALS_MEMBER].contains(&name)
}

/// Tables that accompany the scene of a 'mech.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Tables<'a> {
    game: &'static str,
    /// The definition of its chassis.
    #[serde(skip_serializing_if = "Option::is_none")]
    chassis: Option<&'a Chassis>,
    checks: &'a Checks,
}

impl<'a> MechLibrary<'a> {
    pub(crate) fn open(archive: &Archive<'_>, dependencies: &[Dependency<'a>]) -> Self {
        let version = mechlib::version_of(archive);
        let mut entries = archive.entries.iter();
        let materials = entries.find(|entry| entry.name() == MATERIALS_MEMBER);
        let materials = match (&version, materials) {
            (Ok(version), Some(entry)) => mechlib::decode_materials(&entry.data, *version)
                .map(|decoded| material::of_library(&decoded.value))
                .map_err(|error| error.inside(MATERIALS_MEMBER)),
            (Err(error), _) => Err(error.clone()),
            (Ok(_), None) => Ok(Vec::new()),
        };
        Self {
            library: TextureLibrary::new(dependencies, version.clone().unwrap_or_default()),
            version,
            materials,
            motions: Motions::new(dependencies),
            chassis: ChassisList::new(dependencies),
            texts: Texts::new(dependencies),
        }
    }

    /// The item of a member.
    pub(crate) fn item(
        &self,
        (name, stem): (String, String),
        bytes: &[u8],
        range: Range<u64>,
        options: &ConvertOptions,
    ) -> SourceItem {
        let mut wanted = Vec::new();
        if is_table(&name) {
            wanted.push(OutputSpec::DOCUMENT);
        } else {
            wanted.extend(self.scenes(bytes, options));
            wanted.push(OutputSpec {
                role: OutputRole::Tables,
                encoding: Encoding::Json,
            });
            wanted.extend(OutputSpec::raw(options));
        }
        SourceItem {
            member: Some(name),
            kind: Kind::MechlibMember,
            asset: AssetKind::Models,
            category: Category::Models,
            range,
            stem: Some(stem),
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        }
    }

    /// The outputs of the scenes of a 'mech; only those of the main scene if the member is damaged.
    fn scenes(&self, bytes: &[u8], options: &ConvertOptions) -> Vec<OutputSpec> {
        let version = self.version.clone().unwrap_or_default();
        let Ok(decoded) = mechlib::decode_model(bytes, version) else {
            return scene_outputs(OutputRole::Main, options).collect();
        };
        let layers = build_layout(&decoded.value, options).layers().into_iter();
        layers
            .flat_map(|layer| scene_outputs(layer.role(), options))
            .collect()
    }

    /// A 'mech with the places of its nodes in the outputs of `item`; `None` if it is damaged.
    pub(crate) fn places(
        &self,
        item: ItemIndex,
        bytes: &[u8],
        options: &ConvertOptions,
    ) -> Option<(MechModel, NodePlaces)> {
        let version = self.version.clone().ok()?;
        let mech = mechlib::decode_model(bytes, version).ok()?.value;
        let mut layout = build_layout(&mech, options);
        layout.nodes_only = true;
        let mut hierarchy = self.hierarchy(layout, &[], version, options);
        hierarchy.build();
        let mut places = NodePlaces::new();
        collect_places(&hierarchy.builders, item, &mut places);
        drop(hierarchy);
        Some((mech, places))
    }

    /// A scene with the wanted nodes of a 'mech and all descendants, and their ancestors without geometry. `None`
    /// where the materials are damaged.
    pub(crate) fn subset<'s>(
        &'s self,
        mech: &'s MechModel,
        wanted: &BTreeSet<usize>,
        options: &'s ConvertOptions,
    ) -> Option<HierarchyBuilder<'s, 's, 'a, MechModel>> {
        let version = self.version.clone().ok()?;
        let materials = self.materials.as_ref().ok()?;
        let (extract, tops) = NodeSubset::around(mech, wanted);
        let mut layout = rules(mech, options);
        layout.extract = Some(extract);
        layout.add(&tops, None);
        let mut hierarchy = self.hierarchy(layout, materials, version, options);
        hierarchy.build();
        Some(hierarchy)
    }

    /// The pictures for writing a scene.
    pub(crate) fn pictures<'s>(&'s self, options: &'s ConvertOptions) -> TextureProvider<'s, 'a> {
        self.library.view(options)
    }

    fn hierarchy<'s>(
        &'s self,
        layout: Layout<'s, MechModel>,
        materials: &'s [SourceMaterial],
        version: ZipperGame,
        options: &'s ConvertOptions,
    ) -> HierarchyBuilder<'s, 's, 'a, MechModel> {
        let surfaces = Surfaces::new(materials, self.library.view(options), version);
        HierarchyBuilder::new(layout, surfaces, Purpose::Mech)
    }

    /// Converts a member.
    pub(crate) fn convert(
        &self,
        name: &str,
        bytes: &[u8],
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (document, deviations) = match name {
            FORMAT_MEMBER => {
                let Decoded { value, deviations } = mechlib::decode_format(bytes)?;
                (Document::new(value), deviations)
            }
            VERSION_MEMBER => {
                let Decoded { value, deviations } = mechlib::decode_version(bytes)?;
                (Document::new(value), deviations)
            }
            MATERIALS_MEMBER => {
                let version = self.version.clone()?;
                let Decoded { value, deviations } = mechlib::decode_materials(bytes, version)?;
                (Document::new(value), deviations)
            }
            _ => return self.convert_mech(name, bytes, options, sink),
        };
        sink.take(OutputRole::Main, Asset::Document(document))?;
        Ok(deviations)
    }

    fn convert_mech(
        &self,
        name: &str,
        bytes: &[u8],
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Decoded {
            value: mech,
            mut deviations,
        } = mechlib::decode_model(bytes, self.version.clone()?)?;
        let Built {
            builders,
            checks,
            version,
        } = self.build(name, &mech, options)?;
        let view = self.library.view(options);
        for (&layer, builder) in &builders {
            let role = layer.role();
            if sink.wants(role) {
                sink.take(role, Asset::Scene(&builder.scene, &view))?;
            }
        }
        let tables = Tables {
            game: version.short_name(),
            chassis: self.chassis.of(name),
            checks: &checks,
        };
        sink.take(OutputRole::Tables, Asset::Document(Document::new(&tables)))?;
        if sink.wants(OutputRole::Raw) {
            sink.take(OutputRole::Raw, Asset::Document(Document::new(&mech)))?;
        }
        checks.report(sink);
        checks.deviations(&mut deviations);
        Ok(deviations)
    }

    /// Assembles a 'mech.
    fn build(
        &self,
        name: &str,
        mech: &MechModel,
        options: &ConvertOptions,
    ) -> Result<Built, FormatError> {
        let version = self.version.clone()?;
        let materials = self.materials.as_ref().map_err(Clone::clone)?;
        let chassis = self.chassis.of(name);
        let lists = chassis.map(|chassis| &chassis.skins);
        let textures = textures_of(mech, materials);
        let variants = skins::variants(lists, &textures, &self.library, &self.texts);
        let layout = build_layout(mech, options);
        let mut hierarchy = self.hierarchy(layout, materials, version, options);
        hierarchy.use_variants(&variants);
        // Weapons name fire points, which are probably the nodes of those names.
        for point in chassis.map_or(&[][..], |chassis| &chassis.firepoints) {
            let nodes = mech.nodes.iter().enumerate();
            let named = nodes.filter(|(_, node)| {
                let name = point.name.as_deref();
                name.is_some_and(|name| node.node.name() == name)
            });
            for (index, _) in named {
                let notes = hierarchy.notes.entry(index).or_default();
                notes.firepoint = Some(zipper::FirePoint {
                    part: Some(point.part.clone()),
                    certain: Some(false),
                });
            }
        }
        let bound_motions = self.motions.bind(name, mech, chassis, options);
        bound_motions.pose(mech, options, &mut hierarchy);
        hierarchy.build();
        let motions = bound_motions.animate(options.scenes.godot_loop, &mut hierarchy);
        let mut facts = zipper::Scene {
            game: Some(version.short_name().to_owned()),
            forward: Some("-Z".to_owned()),
            ..zipper::Scene::default()
        };
        let stem = name.to_lowercase();
        let stem = stem.strip_suffix(".flt").unwrap_or(&stem);
        if let Some(full) = stem.strip_suffix("_1") {
            facts.coarse_of = Some(full.to_owned());
        }
        if let Some(Ok(chassis)) = chassis.map(serde_json::to_value)
            && chassis.to_string().len() <= MAX_FACTS_LENGTH
        {
            facts.chassis = Some(read(&chassis));
        }
        let skins = variants.facts();
        facts.skins = (!skins.is_empty()).then_some(skins);
        for builder in hierarchy.builders.values_mut() {
            name.clone_into(&mut builder.scene.name);
            builder.scene.extras = facts.extras();
        }
        let mut checks = std::mem::take(&mut hierarchy.layout.checks);
        checks.bound_meshes = finish_model(&mut hierarchy.builders, options);
        checks.motions = Some(motions);
        checks.variants = Some(VariantChecks {
            names: variants
                .variants
                .iter()
                .map(|variant| variant.name.clone())
                .collect(),
            replaced: variants.replaced(),
            missing: variants.lost.clone(),
        });
        measure_bounds(&hierarchy.builders, &mut checks);
        Ok(Built {
            builders: std::mem::take(&mut hierarchy.builders),
            checks,
            version,
        })
    }

    /// Visible parts of a 'mech, for other scenes: without clips, neither rotated nor bound as a skin.
    pub(crate) fn scene(
        &self,
        name: &str,
        bytes: &[u8],
        options: &ConvertOptions,
    ) -> Result<Scene, FormatError> {
        let mut options = options.clone();
        options.models.skin = false;
        options.scenes.face_forward = false;
        let mech = mechlib::decode_model(bytes, self.version.clone()?)?.value;
        let mut built = self.build(name, &mech, &options)?;
        let main = built.builders.remove(&Layer::Main);
        Ok(main.map(|builder| builder.scene).unwrap_or_default())
    }
}

/// A layout without nodes, by the rules of 'mechs.
fn rules<'s>(mech: &'s MechModel, options: &ConvertOptions) -> Layout<'s, MechModel> {
    let mut layout = Layout::new(mech, &options.scenes);
    layout.shown_nodes.insert(0);
    if !options.models.show_head {
        let nodes = mech.nodes.iter().enumerate();
        let heads = nodes.filter(|(_, node)| node.node.name() == "head");
        layout.hidden_meshes.extend(heads.map(|(index, _)| index));
    }
    layout
}

/// The layout of a 'mech.
fn build_layout<'s>(mech: &'s MechModel, options: &ConvertOptions) -> Layout<'s, MechModel> {
    let mut layout = rules(mech, options);
    layout.add(&[0], None);
    layout
}

/// An assembled 'mech.
struct Built {
    builders: BTreeMap<Layer, SceneBuilder>,
    checks: Checks,
    version: ZipperGame,
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<Vec<mechlib::MechMaterial>>(
        "library-materials",
        "The materials of a library of models",
    ),
    DocumentForm::of::<mechlib::Format>("library-format", "The format of a library of models"),
    DocumentForm::of::<Tables<'static>>(
        "mech",
        "What glTF cannot hold of a model: chassis, checks",
    ),
];
