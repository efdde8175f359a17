//! Archives of a run.
//!
//! An [`Archive`] lists its members and returns their inflated bytes, its scenes and its models, each read at its first
//! use. The [`cache`] of the run holds values that follow from the bytes and the name of an archive. An [`ArchiveSet`]
//! searches the archives of a zone in order, and a [`TextureProvider`] makes their pictures.

mod cache;
mod scene_file;
mod set;
mod spool;
mod textures;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tracing::debug;

use crate::{ItemIndex, OpenContext, SharedWork};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::depth::Depth;
use relicast_formats::everquest::eqg::text;
use relicast_formats::everquest::pfs::{self, Entry};
use relicast_formats::everquest::texture::{self, FileKind, Picture, RowOrder};
use relicast_formats::kind::{Kind, sniff_pfs_entry};
use relicast_limits as limits;

use super::eqg::models::Models;
use super::render_method::{self, Uses};
use cache::{ArchiveCache, Facts, Key, MemberFacts};
use scene_file::Scenes;

pub(super) use scene_file::{SceneFile, stem_of};
pub(super) use set::{ArchiveSet, FoundTexture};
pub(super) use textures::{TextureProvider, glowing_key};

/// Extensions of picture files. The file may have another one of these than the name in the scene.
const PICTURE_ENDINGS: [&str; 6] = ["bmp", "dds", "tga", "png", "jpg", "jpeg"];

/// Magic numbers of the models and zones in EQG archives, and of their parts.
const EQG: [&[u8]; 13] = [
    b"EQGZ", b"EQTZP", b"EQGT", b"EQGM", b"EQGS", b"EQGA", b"EQGL", b"EQGP", b"EQLOD", b"EQAL",
    b"EQOBG", b"PTCL", b"EQPT",
];

/// Bytes of the longest of [`EQG`].
const EQG_MAGIC: usize = 5;

/// An archive, with the paths that its pictures are written to.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    /// Path of the archive below the input.
    pub path: &'a str,
    bytes: &'a [u8],
    /// Output path of each item.
    outputs: &'a [Option<String>],
    /// Cache of the run, and the key of the archive there.
    cached: Option<(Arc<ArchiveCache>, Key)>,
    facts: Arc<Facts>,
    /// Depth to which its scenes are decoded.
    depth: Depth,
    table: OnceLock<Table<'a>>,
    scenes: OnceLock<Arc<OnceLock<Scenes>>>,
    models: OnceLock<Models>,
}

/// The table of an archive.
#[derive(Debug)]
struct Table<'a> {
    stored: pfs::Archive<'a>,
    /// The first member of each name, lower case.
    by_name: BTreeMap<String, usize>,
}

impl<'a> Table<'a> {
    fn new(stored: pfs::Archive<'a>) -> Self {
        let mut by_name = BTreeMap::new();
        for (member, entry) in stored.entries.iter().enumerate() {
            by_name
                .entry(entry.label().to_lowercase())
                .or_insert(member);
        }
        Self { stored, by_name }
    }
}

impl<'a> Archive<'a> {
    /// An archive that is read at its first use, because most archives that all zones share have nothing for a given
    /// zone.
    /// `shared` has the BLAKE3 of its bytes.
    fn new(
        path: &'a str,
        bytes: &'a [u8],
        outputs: &'a [Option<String>],
        shared: Option<(&SharedWork, &str)>,
    ) -> Self {
        let cached = shared.map(|(shared, digest)| (shared.of(), Key::new(digest, path)));
        let facts = cached
            .as_ref()
            .map(|(cache, key): &(Arc<ArchiveCache>, Key)| cache.facts(key));
        Self {
            path,
            bytes,
            outputs,
            facts: facts.unwrap_or_default(),
            cached,
            depth: Depth::Whole,
            table: OnceLock::new(),
            scenes: OnceLock::new(),
            models: OnceLock::new(),
        }
    }

    /// The archive that is converted itself, with its soft faults.
    pub(super) fn own(context: &OpenContext<'a, '_>) -> Result<(Self, Deviations), FormatError> {
        let Decoded { value, deviations } = pfs::decode(context.bytes)?;
        let own = context.dependencies.first();
        let outputs = own.map_or(&[][..], |own| own.outputs);
        let shared = context.shared_as(context.digest);
        let opened = Self {
            depth: context.depth,
            table: Table::new(value).into(),
            ..Self::new(context.name, context.bytes, outputs, shared)
        };
        Ok((opened, deviations))
    }

    /// A scene file outside any archive: it has no pictures of its own.
    pub(super) fn loose(name: &'a str, bytes: &[u8]) -> Result<Self, FormatError> {
        limits::try_reserve(bytes.len())?;
        let scenes = Scenes {
            files: vec![SceneFile::decode(
                name.to_owned(),
                0,
                bytes.to_vec(),
                Depth::Whole,
            )?],
            faults: BTreeMap::new(),
        };
        Ok(Self {
            table: Table::new(pfs::Archive::default()).into(),
            scenes: Arc::new(OnceLock::from(scenes)).into(),
            ..Self::new(name, &[], &[], None)
        })
    }

    /// Its table; empty for an archive that cannot be read, which the conversion of that archive reports.
    fn table(&self) -> &Table<'a> {
        self.table.get_or_init(|| {
            let stored = pfs::decode(self.bytes).map(|decoded| decoded.value);
            Table::new(stored.unwrap_or_default())
        })
    }

    /// The archive as it is stored; without members for a loose scene.
    pub(super) fn stored(&self) -> &pfs::Archive<'a> {
        &self.table().stored
    }

    /// A member as it is stored.
    pub(super) fn entry(&self, member: usize) -> Option<&Entry<'a>> {
        self.stored().entries.get(member)
    }

    /// Name of a member.
    pub(super) fn label(&self, member: usize) -> Option<String> {
        self.entry(member).map(Entry::label)
    }

    /// The first member of a name in lower case.
    pub(super) fn member(&self, name: &str) -> Option<usize> {
        self.table().by_name.get(name).copied()
    }

    /// Members by name in lower case.
    pub(super) fn member_names(&self) -> impl Iterator<Item = (&str, usize)> {
        let members = self.table().by_name.iter();
        members.map(|(name, &member)| (name.as_str(), member))
    }

    /// All members, in order, with their kinds.
    pub(super) fn members(&self) -> impl Iterator<Item = (usize, &Entry<'a>, Kind)> {
        let entries = self.stored().entries.iter().enumerate();
        entries.filter_map(|(member, entry)| {
            let kind = &self.facts_of(member)?.kind;
            Some((member, entry, *kind.get_or_init(|| sniff_pfs_entry(entry))))
        })
    }

    fn facts_of(&self, member: usize) -> Option<&MemberFacts> {
        self.facts.of(&self.stored().entries, member)
    }

    /// Name of the archive without folder.
    pub(super) fn name(&self) -> &'a str {
        self.path
            .rsplit_once('/')
            .map_or(self.path, |(_, name)| name)
    }

    /// Name of the archive without folder and extension, lower case.
    pub(super) fn stem(&self) -> String {
        stem_of(self.name())
    }

    /// Path of the picture that a member becomes, below the output folder.
    fn output(&self, member: usize) -> Option<&'a str> {
        let item = ItemIndex::of_member(member);
        self.outputs.get(item.0)?.as_deref()
    }

    /// Inflates a member, or reads it if it is stored inflated.
    ///
    /// # Errors
    /// As [`Entry::extract`]; or there is no such member.
    pub(super) fn inflate(&self, member: usize) -> Result<Decoded<Vec<u8>>, FormatError> {
        let stored = self.facts_of(member).and_then(|facts| facts.stored.get());
        if let (Some((cache, _)), Some(&place)) = (&self.cached, stored)
            && let Some(value) = cache.stored(place)?
        {
            let deviations = Deviations::default();
            return Ok(Decoded { value, deviations });
        }
        let entry = self.entry(member).ok_or_else(|| {
            let expected = format_args!("one of {} members", self.stored().entries.len());
            FormatError::malformed("member", 0, expected, member)
        })?;
        entry.extract()
    }

    /// Inflates a member that will be needed again, and stores its bytes.
    ///
    /// # Errors
    /// As [`inflate`](Self::inflate).
    fn inflate_and_store(&self, member: usize) -> Result<Decoded<Vec<u8>>, FormatError> {
        let inflated = self.inflate(member)?;
        if let (Some((cache, _)), Some(facts)) = (&self.cached, self.facts_of(member))
            && facts.stored.get().is_none()
            && inflated.deviations.is_spotless()
            && let Some(place) = cache.store(&inflated.value)
        {
            facts.stored.get_or_init(|| place);
        }
        Ok(inflated)
    }

    /// The bytes of an undamaged member.
    pub(super) fn bytes(&self, member: usize) -> Option<Vec<u8>> {
        Some(self.inflate(member).ok()?.value)
    }

    /// The scenes of the archive that can be read, decoded at the first call.
    pub(super) fn scenes(&self) -> &[SceneFile] {
        &self.decoded().files
    }

    /// Returns the error of a scene that cannot be read.
    pub(super) fn scene_fault(&self, member: usize) -> Option<&FormatError> {
        self.decoded().faults.get(&member)
    }

    fn decoded(&self) -> &Scenes {
        let scenes = self.scenes.get_or_init(|| match &self.cached {
            Some((cache, key)) if self.depth == Depth::Whole => {
                cache.scenes(key, self.scene_bytes())
            }
            _ => Arc::default(),
        });
        scenes.get_or_init(|| {
            debug!("decoding the scenes of {}", self.path);
            self.decode_scenes()
        })
    }

    fn decode_scenes(&self) -> Scenes {
        let mut scenes = Scenes::default();
        for (member, entry, kind) in self.members() {
            if kind != Kind::Wld {
                continue;
            }
            // A scene that exceeds the budget is one that cannot be read.
            let decoded = limits::with_budget(|| {
                let bytes = self.inflate_and_store(member)?;
                let mut scene = SceneFile::decode(entry.label(), member, bytes.value, self.depth)?;
                scene.deviations.absorb("blocks", 0, bytes.deviations);
                Ok(scene)
            });
            match decoded.unwrap_or_else(|exceeded| Err(exceeded.into())) {
                Ok(scene) => scenes.files.push(scene),
                Err(fault) => {
                    scenes.faults.insert(member, fault);
                }
            }
        }
        scenes
    }

    /// Size of all members with the extension of a scene file.
    fn scene_bytes(&self) -> u64 {
        let named = self
            .member_names()
            .filter(|(name, _)| name.ends_with(".wld"));
        let entries = named.filter_map(|(_, member)| self.entry(member));
        entries.map(|entry| u64::from(entry.row.size)).sum()
    }

    /// The models of EQG files, decoded at the first call.
    pub(super) fn models(&self) -> &Models {
        self.models.get_or_init(|| {
            let members = self.members().filter(|(_, _, kind)| Models::reads(*kind));
            let members = members.map(|(member, entry, kind)| (member, entry.label(), kind));
            let members: Vec<(usize, String, Kind)> = members.collect();
            Models::of(&members, &|member| self.inflate(member))
        })
    }

    /// Uses of pictures by the scenes and models of the archive. A cached result does not read the archive.
    pub(super) fn uses(&self, corrections: bool) -> &Uses {
        self.facts.uses[usize::from(corrections)].get_or_init(|| {
            let stem = self.stem();
            let mut uses = render_method::uses(
                self.scenes().iter().map(SceneFile::wld),
                corrections.then_some(stem.as_str()),
            );
            let mut of_models = Uses::default();
            self.models().add_uses(&mut of_models);
            let animation_frames = of_models.additive.iter();
            let animation_frames: Vec<String> = animation_frames
                .flat_map(|name| self.animation_frames(name))
                .collect();
            of_models.additive.extend(animation_frames);
            uses.extend(of_models);
            for names in [&mut uses.normal, &mut uses.glow] {
                let others: Vec<String> =
                    names.iter().filter_map(|name| self.other(name)).collect();
                names.extend(others);
            }
            uses
        })
    }

    /// Names of the pictures that alternate with a picture of a model, lower case, by a text next to it.
    fn animation_frames(&self, name: &str) -> Vec<String> {
        let member = self.member(&format!("{}.txt", stem_of(name)));
        let bytes = member.and_then(|member| self.bytes(member));
        let text = bytes.and_then(|bytes| text::decode(&bytes).ok());
        let frames = text.and_then(|text| text.value.frames());
        let (_, names) = frames.unwrap_or_default();
        names.iter().map(|name| name.to_lowercase()).collect()
    }

    /// The picture with another extension, in place of one that the archive lacks.
    fn other(&self, name: &str) -> Option<String> {
        let (stem, _) = name
            .rsplit_once('.')
            .filter(|_| self.member(name).is_none())?;
        let mut others = PICTURE_ENDINGS
            .iter()
            .map(|ending| format!("{stem}.{ending}"));
        others.find(|other| self.member(other).is_some())
    }

    /// Returns true for a picture that can be decoded.
    fn is_readable(&self, member: usize) -> bool {
        let facts = self.facts_of(member);
        facts.is_some_and(|facts| {
            *facts
                .readable
                .get_or_init(|| self.picture(member).is_some())
        })
    }

    /// Caches whether the picture of a member can be decoded.
    pub(super) fn note_readable(&self, member: usize, is_readable: bool) {
        if let Some(facts) = self.facts_of(member) {
            facts.readable.get_or_init(|| is_readable);
        }
    }

    /// The picture of a member.
    fn picture(&self, member: usize) -> Option<Picture> {
        let bytes = self.inflate_and_store(member).ok()?.value;
        Some(self.decode_picture(&bytes).ok()?.value)
    }

    /// Decodes a picture of the archive.
    pub(super) fn decode_picture(&self, bytes: &[u8]) -> Result<Decoded<Picture>, FormatError> {
        let order = match texture::sniff(bytes) {
            Some(FileKind::Dds) => self.row_order(),
            _ => RowOrder::default(),
        };
        texture::decode_rows(bytes, order)
    }

    /// The row of the archive's DDS pictures that is stored first, by the other members of the archive, or by its
    /// name if the members do not show it.
    pub(super) fn row_order(&self) -> RowOrder {
        *self.facts.rows.get_or_init(|| {
            let is_eqg = self.stored().entries.iter().any(|entry| {
                let start = entry.start(EQG_MAGIC);
                EQG.iter().any(|magic| start.starts_with(magic))
            });
            let has_scene = || self.members().any(|(_, _, kind)| kind == Kind::Wld);
            if is_eqg || (self.path.to_lowercase().ends_with(".eqg") && !has_scene()) {
                RowOrder::TopFirst
            } else {
                RowOrder::BottomFirst
            }
        })
    }
}

#[cfg(test)]
mod tests;
