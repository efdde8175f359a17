//! JSON documents of archives and scene files.

use crate::documents::DocumentForm;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::everquest::archive::SceneFile;
use crate::everquest::catalog::{Catalog, ModelEntry};
use relicast_codec::FormatError;
use relicast_formats::everquest::pfs::{Archive, Version};
use relicast_formats::everquest::wld::{Body, FragmentKind};
use relicast_formats::kind::Kind;

/// The table of an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TableDocument<'a> {
    archive: &'a str,
    version: Version,
    /// Time of packing, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    packed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datetime: Option<String>,
    members: Vec<MemberDocument<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    pub(super) fn new(
        name: &'a str,
        archive: Option<&'a Archive<'_>>,
        members: &'a [(String, Kind)],
    ) -> Self {
        let seconds = archive.and_then(|archive| Some(archive.footer.as_ref()?.seconds()));
        let entries = archive.into_iter().flat_map(|archive| &archive.entries);
        Self {
            archive: name,
            version: archive.map(|archive| archive.version).unwrap_or_default(),
            packed: seconds,
            datetime: seconds.and_then(crate::zipper::document::unix_time),
            members: entries
                .zip(members)
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

/// Content of a scene file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SceneDocument<'a> {
    scene: &'a str,
    version: u32,
    fragments: Vec<KindCount>,
    models: Vec<ModelEntry<'a>>,
    /// Meshes that are not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spare_meshes: Vec<&'a str>,
    /// Number of tracks in animation sets that fit no bone of the file, by the model that they name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    stray_tracks: BTreeMap<&'a str, usize>,
}

/// Count of the fragments of a kind, and of those stored as raw bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KindCount {
    kind: FragmentKind,
    code: u32,
    count: usize,
    #[serde(skip_serializing_if = "is_zero")]
    raw: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<'a> SceneDocument<'a> {
    pub(super) fn new(scene: &'a SceneFile, catalog: &'a Catalog) -> Self {
        let wld = scene.wld();
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
            models: models
                .map(|model| ModelEntry::new(wld, model, &catalog.spare_meshes))
                .collect(),
            spare_meshes: spare
                .filter_map(|&index| Some(wld.fragments.get(index)?.name()))
                .collect(),
            stray_tracks: scene.tracks().index.unmatched_tracks(wld),
        }
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<TableDocument<'static>>(
        "everquest-archive",
        "The table of an archive: a row for each member",
    ),
    DocumentForm::of::<SceneDocument<'static>>("everquest-scene", "Content of a scene file"),
];
