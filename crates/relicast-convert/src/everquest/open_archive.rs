//! An archive of a run: its members, and its scenes and models, each read when somebody asks for it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tracing::debug;

use crate::{ItemIndex, OpenContext, SharedWork};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::depth::Depth;
use relicast_formats::everquest::eqg::text;
use relicast_formats::everquest::pfs::{self, Archive, Entry};
use relicast_formats::everquest::texture::{self, FileKind, Picture, RowOrder};
use relicast_formats::kind::Kind;
use relicast_limits as limits;

use super::archive_cache::ArchiveCache;
use super::archive_content::{MemberFacts, SceneFile, Scenes, stem_of};
use super::eqg::models::Models;
use super::inflated_members::InflatedMembers;
use super::render_method::{self, Uses};

/// Endings of picture files. The file may have another one of these than the name in the scene.
pub(super) const PICTURE_ENDINGS: [&str; 6] = ["bmp", "dds", "tga", "png", "jpg", "jpeg"];

/// An archive, with the paths that its pictures are written to.
#[derive(Debug)]
pub(crate) struct OpenArchive<'a> {
    /// Path of the archive below the input.
    pub path: &'a str,
    bytes: &'a [u8],
    pub(super) outputs: &'a [Option<String>],
    /// What archives of the run are known by, and the BLAKE3 of this one.
    known: Option<(Arc<ArchiveCache>, String)>,
    /// Its tables, read at the first use: most of what all zones share has nothing for a given zone.
    content: OnceLock<Content<'a>>,
    /// What was found out about its members, by whoever read it first.
    facts: OnceLock<Arc<MemberFacts>>,
    /// How much of its scenes is decoded.
    depth: Depth,
    /// Where its scenes wait, inflated, for the next use.
    inflated: Option<Arc<InflatedMembers>>,
    /// Models of the later client.
    models: OnceLock<Models>,
}

/// What is in an archive.
#[derive(Debug)]
struct Content<'a> {
    archive: Archive<'a>,
    /// The first member of each name, lower case.
    members: BTreeMap<String, usize>,
    facts: Arc<MemberFacts>,
    /// Its scenes, decoded at the first use.
    scenes: Arc<OnceLock<Scenes>>,
}

impl<'a> Content<'a> {
    fn of(
        archive: Archive<'a>,
        path: &str,
        known: Option<&(Arc<ArchiveCache>, String)>,
        depth: Depth,
    ) -> Self {
        let mut members = BTreeMap::new();
        for (index, entry) in archive.entries.iter().enumerate() {
            members.entry(entry.label().to_lowercase()).or_insert(index);
        }
        let (facts, scenes) = match known {
            Some((known, digest)) => known.find(digest, path, &archive),
            None => (Arc::new(MemberFacts::of(&archive)), Arc::default()),
        };
        Self {
            archive,
            members,
            facts,
            // Whoever asks the next time gets whole ones.
            scenes: match depth {
                Depth::Outline => Arc::default(),
                Depth::Whole => scenes,
            },
        }
    }
}

impl<'a> OpenArchive<'a> {
    /// An archive that is read when somebody looks into it. `digest` is the BLAKE3 of its bytes, where it is known.
    pub(super) fn new(
        path: &'a str,
        bytes: &'a [u8],
        outputs: &'a [Option<String>],
        shared: Option<&SharedWork>,
        digest: Option<&str>,
    ) -> Self {
        let known = shared.zip(digest);
        Self {
            path,
            bytes,
            outputs,
            known: known.map(|(shared, digest)| (shared.of(), digest.to_owned())),
            content: OnceLock::new(),
            facts: OnceLock::new(),
            inflated: shared.map(SharedWork::of),
            depth: Depth::Whole,
            models: OnceLock::new(),
        }
    }

    /// The same with what is in it.
    fn holding(self, archive: Archive<'a>) -> Self {
        let content = Content::of(archive, self.path, self.known.as_ref(), self.depth);
        Self {
            content: content.into(),
            ..self
        }
    }

    /// What is in it; nothing in an archive that cannot be read, which is told where that is converted.
    fn content(&self) -> &Content<'a> {
        self.content.get_or_init(|| {
            let archive = pfs::decode(self.bytes).map(|decoded| decoded.value);
            let archive = archive.unwrap_or_default();
            Content::of(archive, self.path, self.known.as_ref(), self.depth)
        })
    }

    /// Whether somebody has looked into it.
    #[cfg(test)]
    pub(super) fn is_read(&self) -> bool {
        self.content.get().is_some()
    }

    /// The archive that is converted itself, with its soft faults.
    pub(super) fn own(context: &OpenContext<'a, '_>) -> Result<(Self, Deviations), FormatError> {
        let Decoded { value, deviations } = pfs::decode(context.bytes)?;
        let own = context.dependencies.first();
        let outputs = own.map_or(&[][..], |own| own.outputs);
        let OpenContext {
            name,
            bytes,
            shared,
            digest,
            depth,
            ..
        } = *context;
        let opened = Self {
            depth,
            ..Self::new(name, bytes, outputs, shared, digest)
        };
        Ok((opened.holding(value), deviations))
    }

    /// A scene file outside any archive: it has no pictures of its own.
    pub(super) fn loose(name: &'a str, bytes: &[u8]) -> Result<Self, FormatError> {
        limits::try_reserve(bytes.len())?;
        let scene = SceneFile::decode(name.to_owned(), 0, bytes.to_vec(), Depth::Whole)?;
        let opened = Self::new(name, &[], &[], None, None).holding(Archive::default());
        opened.content().scenes.get_or_init(|| Scenes {
            files: vec![scene],
            faults: BTreeMap::new(),
        });
        Ok(opened)
    }

    /// What was found out about its members. It need not be read where that is known.
    fn facts(&self) -> &MemberFacts {
        self.facts.get_or_init(|| {
            let known = self.known.as_ref();
            let known = known.and_then(|(known, digest)| known.facts(digest, self.path));
            known.unwrap_or_else(|| Arc::clone(&self.content().facts))
        })
    }

    /// What each member is.
    pub(super) fn kinds(&self) -> &[Kind] {
        self.content().facts.kinds(self.archive())
    }

    /// The archive; without members for a loose scene.
    pub(super) fn archive(&self) -> &Archive<'a> {
        &self.content().archive
    }

    /// Name of the archive without folder.
    pub(super) fn name(&self) -> &'a str {
        let path = self.path;
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    /// Name of the archive without folder and ending, lower case.
    pub(super) fn stem(&self) -> String {
        stem_of(self.name())
    }

    /// Path of the picture that a member becomes, below the output folder.
    pub(super) fn output(&self, member: usize) -> Option<&'a str> {
        let item = ItemIndex::of_member(member);
        self.outputs.get(item.0)?.as_deref()
    }

    /// The scenes of the archive that can be read, decoded at the first call.
    pub(super) fn scenes(&self) -> &[SceneFile] {
        &self.decoded().files
    }

    /// Why the scene of a member cannot be read.
    pub(super) fn scene_fault(&self, member: usize) -> Option<&FormatError> {
        self.decoded().faults.get(&member)
    }

    fn decoded(&self) -> &Scenes {
        self.content().scenes.get_or_init(|| {
            debug!("{}: its scenes are decoded", self.path);
            Scenes::of(
                self.archive(),
                &self.content().facts,
                self.inflated.as_deref(),
                self.depth,
            )
        })
    }

    /// How the scenes of the archive use pictures.
    pub(super) fn uses(&self, corrections: bool) -> &Uses {
        let [plain, corrected] = &self.facts().uses;
        let place = if corrections { corrected } else { plain };
        place.get_or_init(|| {
            let stem = self.stem();
            let mut uses = render_method::uses(
                self.scenes().iter().map(SceneFile::wld),
                corrections.then_some(stem.as_str()),
            );
            let mut of_models = Uses::default();
            self.models().add_uses(&mut of_models);
            let in_turn = of_models.additive.iter();
            let in_turn: Vec<String> = in_turn.flat_map(|name| self.in_turn(name)).collect();
            of_models.additive.extend(in_turn);
            uses.extend(of_models);
            for names in [&mut uses.normal, &mut uses.glow] {
                let others: Vec<String> =
                    names.iter().filter_map(|name| self.other(name)).collect();
                names.extend(others);
            }
            uses
        })
    }

    /// Names of the pictures that are shown in turn with a picture of a model, lower case, as a text beside it says.
    fn in_turn(&self, name: &str) -> Vec<String> {
        let member = self.member(&format!("{}.txt", stem_of(name)));
        let bytes = member.and_then(|member| self.bytes(member));
        let text = bytes.and_then(|bytes| text::decode(&bytes).ok());
        let frames = text.and_then(|text| text.value.frames());
        let (_, names) = frames.unwrap_or_default();
        names.iter().map(|name| name.to_lowercase()).collect()
    }

    /// The picture with another ending that stands for one that the archive lacks.
    fn other(&self, name: &str) -> Option<String> {
        let (stem, _) = name.rsplit_once('.').filter(|_| !self.has(name))?;
        let mut others = PICTURE_ENDINGS
            .iter()
            .map(|ending| format!("{stem}.{ending}"));
        others.find(|other| self.has(other))
    }

    /// The models of the later client, decoded at the first call.
    pub(super) fn models(&self) -> &Models {
        self.models
            .get_or_init(|| Models::of(self.archive(), self.kinds()))
    }

    /// The first member called so, in lower case.
    pub(super) fn member(&self, name: &str) -> Option<usize> {
        self.content().members.get(name).copied()
    }

    /// Members by name in lower case.
    pub(super) fn member_names(&self) -> impl Iterator<Item = (&str, usize)> {
        let members = self.content().members.iter();
        members.map(|(name, &member)| (name.as_str(), member))
    }

    /// The bytes of a member that is whole.
    pub(super) fn bytes(&self, member: usize) -> Option<Vec<u8>> {
        Some(self.archive().entries.get(member)?.extract().ok()?.value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.content().members.contains_key(name)
    }

    pub(super) fn is_readable(&self, member: usize) -> bool {
        let known = self.content().facts.readable.get(member);
        known.is_some_and(|known| *known.get_or_init(|| self.picture(member).is_some()))
    }

    /// Takes note of whether the picture of a member can be read, of someone who has tried.
    pub(super) fn note_readable(&self, member: usize, is_readable: bool) {
        if let Some(known) = self.content().facts.readable.get(member) {
            known.get_or_init(|| is_readable);
        }
    }

    pub(super) fn picture(&self, member: usize) -> Option<Picture> {
        let entry = self.archive().entries.get(member)?;
        let bytes = match &self.inflated {
            Some(inflated) => inflated.extract(entry).ok()?.value,
            None => entry.extract().ok()?.value,
        };
        Some(self.decode_picture(&bytes).ok()?.value)
    }

    /// Which row of the archive's DDS pictures is stored first.
    pub(super) fn row_order(&self) -> RowOrder {
        self.content().facts.rows(self.path, self.archive())
    }

    /// The bytes of a member of the archive, for its own conversion.
    ///
    /// # Errors
    /// As [`Entry::extract`].
    pub(super) fn extract(&self, entry: &Entry<'_>) -> Result<Decoded<Vec<u8>>, FormatError> {
        match &self.inflated {
            Some(inflated) => inflated.extract_last(entry),
            None => entry.extract(),
        }
    }

    /// Decodes a picture of the archive.
    pub(super) fn decode_picture(&self, bytes: &[u8]) -> Result<Decoded<Picture>, FormatError> {
        let order = match texture::sniff(bytes) {
            Some(FileKind::Dds) => self.row_order(),
            _ => RowOrder::default(),
        };
        texture::decode_rows(bytes, order)
    }
}
