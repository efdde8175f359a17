//! Cabinets and archives: a document of facts about them. Their members are sources of their own.

use serde::Serialize;

use crate::options::ConvertOptions;
use crate::{ConvertError, Converter, Disposition, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::{Deviations, FormatError};
use relicast_formats::kind::Kind;
use relicast_scene::{Asset, Document};
use relicast_source::cabinet::container::ContainerFacts;
use relicast_source::cabinet::{Container, ContainerKind, MemberPlace};

/// Opens a cabinet.
///
/// # Errors
/// Nothing of it can be read.
pub fn open_container(container: &Container) -> Result<Box<dyn Converter + '_>, FormatError> {
    match &container.problem {
        Some(problem) => Err(problem.clone()),
        None => Ok(Box::new(CabinetFile(container))),
    }
}

#[derive(Debug)]
struct CabinetFile<'a>(&'a Container);

impl Converter for CabinetFile<'_> {
    fn items(&self, _: &ConvertOptions) -> Vec<SourceItem> {
        let (asset, category) = Kind::Cabinet.asset();
        let size = self.0.volumes.first().map_or(0, |volume| volume.size);
        vec![SourceItem {
            member: None,
            kind: Kind::Cabinet,
            asset,
            category,
            range: 0..size,
            stem: None,
            suffix: None,
            folders: Vec::new(),
            wanted: vec![OutputSpec::DOCUMENT],
            verdict: Disposition::Convert,
        }]
    }

    fn deviations(&self) -> &Deviations {
        &self.0.deviations
    }

    fn convert(
        &self,
        _: usize,
        _: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let document = container_document(self.0);
        for missing in &self.0.facts.missing {
            sink.note(format!("volume missing: {missing}"));
        }
        for moved in &self.0.facts.moved {
            sink.note(format!("a second file has the path {moved}"));
        }
        sink.take(OutputRole::Main, Asset::Document(Document::new(&document)))?;
        Ok(Deviations::default())
    }
}

/// Facts about a cabinet.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerDocument<'a> {
    /// The file that it was opened by.
    pub file: &'a str,
    /// Kind of container.
    pub kind: ContainerKind,
    /// Its files.
    pub volumes: Vec<VolumeRow<'a>>,
    /// Facts that the container stores about itself.
    #[serde(flatten)]
    pub facts: &'a ContainerFacts,
    /// Its members.
    pub members: Vec<MemberRow<'a>>,
}

/// A file of a cabinet.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// Size in bytes.
    pub size: u64,
    /// True if it is a file next to the cabinet that holds one member.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
}

/// A member of a cabinet.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberRow<'a> {
    /// Its number in the cabinet.
    pub index: usize,
    /// Its path below the folder of the product.
    pub path: &'a str,
    /// Its path as stored, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_path: Option<&'a str>,
    /// Its file groups.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub groups: &'a [String],
    /// Size in bytes.
    pub size: u64,
    /// Bytes as stored; none if only the whole folder has a size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed: Option<u64>,
    /// Compression method.
    pub packing: &'static str,
    /// Byte ranges; volumes by their indices in `volumes`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub places: &'a [MemberPlace],
    /// MD5, if the cabinet has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
    /// Time of the last change on the publisher's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<&'a str>,
    /// Error of a member that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<&'a str>,
}

/// The document of a cabinet.
pub fn container_document(container: &Container) -> ContainerDocument<'_> {
    let volumes = container.volumes.iter().map(|volume| VolumeRow {
        name: volume.name(),
        size: volume.size,
        beside: volume.beside,
    });
    let members = container.members.iter().map(|member| MemberRow {
        index: member.index,
        path: &member.path,
        stored_path: Some(&*member.stored_path)
            .filter(|stored| stored.replace('\\', "/") != member.path),
        groups: &member.groups,
        size: member.size,
        packed: (container.kind != ContainerKind::Microsoft).then_some(member.packed),
        packing: member.packing(),
        places: &member.places,
        md5: member
            .md5
            .map(|md5| md5.iter().map(|byte| format!("{byte:02x}")).collect()),
        time: member.time.as_deref(),
        problem: member.problem.as_deref(),
    });
    ContainerDocument {
        file: container.name(),
        kind: container.kind,
        volumes: volumes.collect(),
        facts: &container.facts,
        members: members.collect(),
    }
}
