//! What follows from the bytes and the name of an archive alone: its scenes, decoded, and small facts about
//! its members.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use self_cell::self_cell;

use relicast_codec::{Blob, Deviations, FormatError};
use relicast_formats::depth::Depth;
use relicast_formats::everquest::pfs::Archive;
use relicast_formats::everquest::texture::RowOrder;
use relicast_formats::everquest::wld::{self, FragmentKind, Wld};
use relicast_formats::kind::{Kind, sniff_pfs_entry};
use relicast_limits as limits;

use super::actor::{SkinIndex, TrackIndex, TrackSource};
use super::inflated_members::{InflatedMembers, Place};
use super::render_method::Uses;

self_cell!(
    /// A scene beside the bytes that its lists are read in.
    struct SceneInBytes {
        owner: Blob<'static>,
        #[covariant]
        dependent: Wld,
    }

    impl {Debug}
);

/// A scene file in memory.
#[derive(Debug)]
pub(crate) struct SceneFile {
    /// Name of the member.
    pub name: String,
    /// Its place among the members of the archive.
    pub member: usize,
    scene: SceneInBytes,
    /// Its soft faults.
    pub deviations: Deviations,
    tracks: OnceLock<TrackIndex>,
    materials: OnceLock<SkinIndex>,
    zone: OnceLock<bool>,
}

impl SceneFile {
    /// Decodes the bytes of a member, as far as `depth` says.
    ///
    /// # Errors
    /// As [`wld::decode`].
    pub(super) fn decode(
        name: String,
        member: usize,
        bytes: Vec<u8>,
        depth: Depth,
    ) -> Result<Self, FormatError> {
        let mut deviations = Deviations::default();
        let scene = SceneInBytes::try_new(Blob::from(bytes), |bytes| {
            let decoded = wld::decode_but(bytes, left(depth))?;
            deviations = decoded.deviations;
            Ok::<_, FormatError>(decoded.value)
        })?;
        Ok(Self {
            name,
            member,
            scene,
            deviations,
            tracks: OnceLock::new(),
            materials: OnceLock::new(),
            zone: OnceLock::new(),
        })
    }

    /// The scene.
    pub(crate) fn wld(&self) -> &Wld<'_> {
        self.scene.borrow_dependent()
    }

    /// Its tracks, listed at the first call.
    pub(super) fn tracks(&self) -> TrackSource<'_> {
        TrackSource {
            name: &self.name,
            wld: self.wld(),
            index: self.tracks.get_or_init(|| TrackIndex::new(self.wld())),
        }
    }

    /// Its materials by what creatures wear, listed at the first call.
    pub(super) fn materials(&self) -> &SkinIndex {
        self.materials.get_or_init(|| SkinIndex::new(self.wld()))
    }

    /// Whether it is a zone: it has regions or their partition. Looked up at the first call.
    pub(super) fn is_zone(&self) -> bool {
        *self.zone.get_or_init(|| {
            let mut kinds = self.wld().fragments.iter().map(|fragment| fragment.kind());
            kinds.any(|kind| matches!(kind, FragmentKind::BspTree | FragmentKind::Region))
        })
    }

    /// The name without its ending, lower case.
    pub(super) fn stem(&self) -> String {
        stem_of(&self.name)
    }
}

/// Kinds of fragments that stay as they are stored. An outline, which tells which models there are and what they look like,
/// needs half of all: placements, their light, and movements are left.
fn left(depth: Depth) -> &'static [FragmentKind] {
    match depth {
        Depth::Outline => &[
            FragmentKind::TrackDefinition,
            FragmentKind::Track,
            FragmentKind::Actor,
            FragmentKind::VertexColours,
            FragmentKind::VertexColoursInstance,
        ],
        Depth::Whole => &[],
    }
}

/// A name without its ending, lower case.
pub(super) fn stem_of(name: &str) -> String {
    let name = name.to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name,
    }
}

/// Magic numbers of the models and zones in archives of the later kind, and of their parts.
const LATER: [&[u8]; 13] = [
    b"EQGZ", b"EQTZP", b"EQGT", b"EQGM", b"EQGS", b"EQGA", b"EQGL", b"EQGP", b"EQLOD", b"EQAL",
    b"EQOBG", b"PTCL", b"EQPT",
];

/// Bytes of the longest of [`LATER`].
const LATER_MAGIC: usize = 5;

/// Which row of an archive's DDS pictures is stored first, from the other members of the archive, or from its
/// name if those are of no help.
fn row_order(path: &str, archive: &Archive<'_>, kinds: &[Kind]) -> RowOrder {
    for entry in &archive.entries {
        let start = entry.start(LATER_MAGIC);
        if LATER.iter().any(|magic| start.starts_with(magic)) {
            return RowOrder::TopFirst;
        }
    }
    let has_scene = kinds.contains(&Kind::Wld);
    if !has_scene && path.to_lowercase().ends_with(".eqg") {
        RowOrder::TopFirst
    } else {
        RowOrder::BottomFirst
    }
}

/// What was found out about the members of an archive. Little, and kept as long as a run.
#[derive(Debug, Default)]
pub(crate) struct MemberFacts {
    /// What each member is.
    kinds: OnceLock<Vec<Kind>>,
    rows: OnceLock<RowOrder>,
    /// Whether the picture of a member can be read.
    pub(super) readable: Vec<OnceLock<bool>>,
    /// Where the bytes of a member that is a scene wait, inflated.
    kept: Vec<OnceLock<Place>>,
    /// How the scenes use pictures, without and with corrections.
    pub(super) uses: [OnceLock<Uses>; 2],
}

impl MemberFacts {
    pub(super) fn of(archive: &Archive<'_>) -> Self {
        Self {
            readable: archive.entries.iter().map(|_| OnceLock::new()).collect(),
            kept: archive.entries.iter().map(|_| OnceLock::new()).collect(),
            ..Self::default()
        }
    }

    /// What each member is.
    pub(super) fn kinds(&self, archive: &Archive<'_>) -> &[Kind] {
        self.kinds
            .get_or_init(|| archive.entries.iter().map(sniff_pfs_entry).collect())
    }

    /// Which row of the archive's DDS pictures is stored first.
    pub(super) fn rows(&self, path: &str, archive: &Archive<'_>) -> RowOrder {
        let order = || row_order(path, archive, self.kinds(archive));
        *self.rows.get_or_init(order)
    }
}

/// The scenes of an archive, and why others cannot be read, by member.
#[derive(Debug, Default)]
pub(crate) struct Scenes {
    /// Those that can be read.
    pub(super) files: Vec<SceneFile>,
    /// Why others cannot.
    pub(super) faults: BTreeMap<usize, FormatError>,
}

impl Scenes {
    /// Decodes the scenes of an archive, as far as `depth` says. What they inflate to is kept by `inflated`, and `facts`
    /// tell where.
    pub(super) fn of(
        archive: &Archive<'_>,
        facts: &MemberFacts,
        inflated: Option<&InflatedMembers>,
        depth: Depth,
    ) -> Self {
        let mut scenes = Self::default();
        let members = archive.entries.iter().zip(facts.kinds(archive));
        for (member, (entry, kind)) in members.enumerate() {
            let name = entry.label();
            if *kind != Kind::Wld {
                continue;
            }
            // One that asks for too much is one scene that cannot be read.
            let decoded = limits::with_budget(|| {
                let bytes = match inflated.zip(facts.kept.get(member)) {
                    Some((inflated, place)) => inflated.extract_to(place, entry)?,
                    None => entry.extract()?,
                };
                let mut scene = SceneFile::decode(name, member, bytes.value, depth)?;
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
}
