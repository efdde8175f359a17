//! The members of a model library: its materials, and a scene for each 'mech.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Map;

use crate::config::Config;
use crate::convert::zipper::model::assembly::{Assembly, Extract, Nodes, Purpose};
use crate::convert::zipper::model::checks::Checks;
use crate::convert::zipper::model::library::{Library, View};
use crate::convert::zipper::model::material::{self, SourceMaterial, Surfaces};
use crate::convert::zipper::model::{scene_outputs, zipper};
use crate::convert::zipper::world::{NodePlaces, bound, game_label, note_stages, role_of};
use crate::convert::{
    AssetKind, Category, Companion, ConvertError, Encoding, Part, Role, Sink, Verdict, Wanted,
};
use crate::formats::codec::{Decoded, Deviations, FormatError};
use crate::formats::kind::Kind;
use crate::formats::zipper::archive::Archive;
use crate::formats::zipper::gamez::{Model, Node, Version};
use crate::formats::zipper::mechlib::{
    self, FORMAT_MEMBER, MATERIALS_MEMBER, MechModel, VERSION_MEMBER,
};
use crate::scene::{Asset, Document};
use serde::Serialize;
use serde_json::Value;

use super::motions::Motions;

/// What all members of a model library need.
#[derive(Debug)]
pub(in crate::convert) struct MechLibrary<'a> {
    version: Result<Version, FormatError>,
    materials: Result<Vec<SourceMaterial>, FormatError>,
    library: Library<'a>,
    motions: Motions<'a>,
}

impl Nodes for MechModel {
    fn node(&self, index: usize) -> Option<&Node> {
        Some(&self.nodes.get(index)?.node)
    }

    fn model(&self, index: usize) -> Option<(usize, &Model)> {
        Some((index, self.nodes.get(index)?.model.as_deref()?))
    }

    fn count(&self) -> usize {
        self.nodes.len()
    }
}

/// Members that are not 'mechs.
fn is_table(name: &str) -> bool {
    [FORMAT_MEMBER, VERSION_MEMBER, MATERIALS_MEMBER].contains(&name)
}

/// What of a 'mech has no place in its scene.
#[derive(Debug, Serialize)]
struct Tables<'a> {
    game: &'static str,
    checks: &'a Checks,
}

impl<'a> MechLibrary<'a> {
    pub(in crate::convert) fn open(archive: &Archive<'_>, companions: &[Companion<'a>]) -> Self {
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
            library: Library::new(companions, version.clone().unwrap_or_default()),
            version,
            materials,
            motions: Motions::new(companions),
        }
    }

    /// The part of a member.
    pub(in crate::convert) fn part(
        &self,
        (name, stem): (String, String),
        bytes: &[u8],
        range: Range<u64>,
        config: &Config,
    ) -> Part {
        let mut wanted = Vec::new();
        if is_table(&name) {
            wanted.push(Wanted::DOCUMENT);
        } else {
            wanted.extend(self.scenes(bytes, config));
            wanted.push(Wanted {
                role: Role::Tables,
                encoding: Encoding::Json,
            });
            wanted.extend(Wanted::raw(config));
        }
        Part {
            member: Some(name),
            kind: Kind::MechlibMember,
            asset: AssetKind::Models,
            category: Category::Models,
            range,
            stem: Some(stem),
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    /// The outputs of the scenes of a 'mech; those of the main one if it is damaged.
    fn scenes(&self, bytes: &[u8], config: &Config) -> Vec<Wanted> {
        let version = self.version.clone().unwrap_or_default();
        let Ok(decoded) = mechlib::decode_model(bytes, version) else {
            return scene_outputs(Role::Main, config).collect();
        };
        let mut assembly = self.assembly(&decoded.value, &[], version, config);
        assembly.dry = true;
        assembly.add(&[0], None);
        let layers = assembly.stages.keys();
        layers
            .flat_map(|&layer| scene_outputs(role_of(layer), config))
            .collect()
    }

    /// A 'mech with the places of its nodes in the outputs of its `part`; `None` if it is damaged.
    pub(in crate::convert) fn places(
        &self,
        part: usize,
        bytes: &[u8],
        config: &Config,
    ) -> Option<(MechModel, NodePlaces)> {
        let version = self.version.clone().ok()?;
        let mech = mechlib::decode_model(bytes, version).ok()?.value;
        let mut assembly = self.assembly(&mech, &[], version, config);
        assembly.dry = true;
        assembly.add(&[0], None);
        let mut places = NodePlaces::new();
        note_stages(&assembly.stages, part, &mut places);
        drop(assembly);
        Some((mech, places))
    }

    /// A scene with the wanted nodes of a 'mech and all below them, and what is above them without
    /// geometry. Nothing where the materials are damaged.
    pub(in crate::convert) fn excerpt<'s>(
        &'s self,
        mech: &'s MechModel,
        wanted: &BTreeSet<usize>,
        config: &'s Config,
    ) -> Option<Assembly<'s, 's, 'a, MechModel>> {
        let version = self.version.clone().ok()?;
        let materials = self.materials.as_ref().ok()?;
        let (extract, tops) = Extract::around(mech, wanted);
        let mut assembly = self.assembly(mech, materials, version, config);
        assembly.extract = Some(extract);
        assembly.add(&tops, None);
        Some(assembly)
    }

    /// The pictures, to write a scene with.
    pub(in crate::convert) fn pictures<'s>(&'s self, config: &'s Config) -> View<'s, 'a> {
        self.library.view(config)
    }

    fn assembly<'s>(
        &'s self,
        mech: &'s MechModel,
        materials: &'s [SourceMaterial],
        version: Version,
        config: &'s Config,
    ) -> Assembly<'s, 's, 'a, MechModel> {
        let surfaces = Surfaces::new(materials, self.library.view(config), version);
        let mut assembly = Assembly::new(mech, surfaces, Purpose::Mech);
        assembly.shown_nodes.insert(0);
        if !config.models.show_head {
            let nodes = mech.nodes.iter().enumerate();
            let heads = nodes.filter(|(_, node)| node.node.name() == "head");
            assembly.hidden_meshes.extend(heads.map(|(index, _)| index));
        }
        assembly
    }

    /// Converts a member.
    pub(in crate::convert) fn convert(
        &self,
        name: &str,
        bytes: &[u8],
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let (value, deviations) = match name {
            FORMAT_MEMBER => {
                let Decoded { value, deviations } = mechlib::decode_format(bytes)?;
                (serde_json::to_value(value), deviations)
            }
            VERSION_MEMBER => {
                let Decoded { value, deviations } = mechlib::decode_version(bytes)?;
                (serde_json::to_value(value), deviations)
            }
            MATERIALS_MEMBER => {
                let version = self.version.clone()?;
                let Decoded { value, deviations } = mechlib::decode_materials(bytes, version)?;
                (serde_json::to_value(value), deviations)
            }
            _ => return self.convert_mech(name, bytes, config, sink),
        };
        let value = value.map_err(|error| ConvertError::Emit(error.to_string()))?;
        sink.take(Role::Main, Asset::Document(Document::new(&value)))?;
        Ok(deviations)
    }

    fn convert_mech(
        &self,
        name: &str,
        bytes: &[u8],
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let version = self.version.clone()?;
        let materials = self.materials.as_ref().map_err(Clone::clone)?;
        let Decoded {
            value: mech,
            mut deviations,
        } = mechlib::decode_model(bytes, version)?;
        let mut assembly = self.assembly(&mech, materials, version, config);
        let bound_motions = self.motions.bind(name, &mech);
        bound_motions.pose(&mech, config, &mut assembly);
        assembly.add(&[0], None);
        let motions = bound_motions.animate(&mut assembly);
        let mut facts = Map::new();
        facts.insert("game".to_owned(), Value::from(game_label(version)));
        facts.insert("forward".to_owned(), Value::from("-Z"));
        for stage in assembly.stages.values_mut() {
            name.clone_into(&mut stage.scene.name);
            stage.scene.extras = zipper(facts.clone());
        }
        let mut checks = std::mem::take(&mut assembly.checks);
        checks.motions = Some(motions);
        bound(&assembly.stages, &mut checks);
        let view = self.library.view(config);
        for (&layer, stage) in &assembly.stages {
            let role = role_of(layer);
            if sink.wants(role) {
                sink.take(role, Asset::Scene(&stage.scene, &view))?;
            }
        }
        let tables = Tables {
            game: game_label(version),
            checks: &checks,
        };
        sink.take(Role::Tables, Asset::Document(Document::new(&tables)))?;
        if sink.wants(Role::Raw) {
            sink.take(Role::Raw, Asset::Document(Document::new(&mech)))?;
        }
        checks.report(sink);
        checks.deviations(&mut deviations);
        Ok(deviations)
    }
}
