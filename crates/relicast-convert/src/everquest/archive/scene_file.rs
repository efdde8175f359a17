//! Scene files of an archive, decoded.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use self_cell::self_cell;

use relicast_codec::{Blob, Deviations, FormatError};
use relicast_formats::depth::Depth;
use relicast_formats::everquest::wld::{self, FragmentKind, Wld};

use crate::everquest::actor::{SkinIndex, TrackIndex, TrackSource};

self_cell!(
    /// A scene with the bytes that its lists are read from.
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
    /// Its index among the members of the archive.
    pub member: usize,
    scene: SceneInBytes,
    /// Its soft faults.
    pub deviations: Deviations,
    tracks: OnceLock<TrackIndex>,
    materials: OnceLock<SkinIndex>,
    zone: OnceLock<bool>,
}

impl SceneFile {
    /// Decodes the bytes of a member, to the given `depth`.
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
            let decoded = wld::decode_except(bytes, left(depth))?;
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
    pub(crate) fn tracks(&self) -> TrackSource<'_> {
        TrackSource {
            name: &self.name,
            wld: self.wld(),
            index: self.tracks.get_or_init(|| TrackIndex::new(self.wld())),
        }
    }

    /// Its materials by creature variant, listed at the first call.
    pub(crate) fn materials(&self) -> &SkinIndex {
        self.materials.get_or_init(|| SkinIndex::new(self.wld()))
    }

    /// Returns true for a zone, which has regions or their partition. Evaluated at the first call.
    pub(crate) fn is_zone(&self) -> bool {
        *self.zone.get_or_init(|| {
            let mut kinds = self.wld().fragments.iter().map(|fragment| fragment.kind());
            kinds.any(|kind| matches!(kind, FragmentKind::BspTree | FragmentKind::Region))
        })
    }

    /// The name without its extension, lower case.
    pub(crate) fn stem(&self) -> String {
        stem_of(&self.name)
    }
}

/// Kinds of fragments that are not decoded. An outline, which gives the models and their appearance,
/// needs half of all: placements, their light, and movements are skipped.
fn left(depth: Depth) -> &'static [FragmentKind] {
    match depth {
        Depth::Outline => &[
            FragmentKind::TrackDefinition,
            FragmentKind::Track,
            FragmentKind::Actor,
            FragmentKind::VertexColors,
            FragmentKind::VertexColorsInstance,
        ],
        Depth::Whole => &[],
    }
}

/// A name without its extension, lower case.
pub(crate) fn stem_of(name: &str) -> String {
    let name = name.to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name,
    }
}

/// The decoded scenes of an archive, and the errors of the others, by member.
#[derive(Debug, Default)]
pub(super) struct Scenes {
    /// Scenes that can be read.
    pub(super) files: Vec<SceneFile>,
    /// Errors of the others.
    pub(super) faults: BTreeMap<usize, FormatError>,
}
