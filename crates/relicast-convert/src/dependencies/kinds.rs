//! Kinds of dependencies, dependencies as a converter gets them, and those that an item needs.

use relicast_formats::everquest::model_list::ListedArchive;
use relicast_formats::kind::Kind;

use super::super::dependency_places::PathParts;
use super::super::everquest::dependencies as everquest;

/// A file that another file is converted with.
#[derive(Debug, Clone, Copy)]
pub struct Dependency<'a> {
    /// Its path below the input, forward slashes.
    pub path: &'a str,
    /// Kind of the file.
    pub kind: Kind,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// BLAKE3 of its bytes, if it is known.
    pub digest: Option<&'a str>,
    /// For each of its items, the path of the main output below the output folder; `None` if there
    /// is no such output.
    pub outputs: &'a [Option<String>],
}

/// Dependencies of a file that an item is made from. To convert an item, its file is opened with exactly these
/// dependencies, so that no other file can affect an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// No dependencies: its own file has everything.
    Nothing,
    /// The archives of its zone: the first dependency, and the archives after it up to the first one that all zones
    /// share. Dependencies are in search order, shared archives last.
    Zone,
    /// All of them.
    All,
}

impl Needs {
    /// Every value.
    pub const EACH: [Self; 3] = [Self::Nothing, Self::Zone, Self::All];

    /// The dependencies that items with these needs are converted with, as indices into `dependencies`. `of`
    /// returns path and kind of a dependency.
    pub fn among<'p>(
        self,
        dependencies: &[usize],
        of: impl Fn(usize) -> (&'p str, Kind),
    ) -> Vec<usize> {
        match self {
            Self::Nothing => Vec::new(),
            Self::All => dependencies.to_vec(),
            Self::Zone => {
                let is_shared = |index: usize| {
                    let place = PathParts::new(of(index).0);
                    everquest::is_shared(&place.stem)
                };
                let Some((&own, others)) = dependencies.split_first() else {
                    return Vec::new();
                };
                let others = others.iter().copied();
                let others = others.filter(|&index| of(index).1 == Kind::Pfs);
                let zone = others.take_while(|&index| !is_shared(own) && !is_shared(index));
                std::iter::once(own).chain(zone).collect()
            }
        }
    }
}

/// Content of a file, as far as dependencies need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DependencyKind {
    /// Pictures.
    Textures,
    /// A world, or aircraft.
    World,
    /// A mechlib: archive of 'mech models.
    Models,
    /// Motions of 'mechs.
    Motions,
    /// An archive of EverQuest.
    EverQuest,
    /// A loose scene of EverQuest.
    EverQuestScene,
    /// An EverQuest zone in EQG format, next to its archive.
    EverQuestZone,
    /// Environment emitters of an EverQuest zone in EQG format.
    EnvironmentEmitters,
    /// Cards of grass of an EverQuest zone.
    GrassCards,
    /// Sound emitters of an EverQuest zone.
    Emitters,
    /// Names of the sounds of an EverQuest zone.
    SoundBank,
    /// Sound emitters of an EverQuest zone, as text.
    EmitterText,
    /// Definitions of particle emitters.
    EmitterDefinitions,
    /// Visual effects of spells, by emitter numbers.
    SpellStages,
    /// A text file of EverQuest with one entry per line, such as the archives of a zone.
    TextList,
    /// Settings of the world of EverQuest.
    WorldSettings,
    /// Standard music files.
    MusicFile,
    /// Songs of EverQuest.
    Songs,
    /// Instruments for music.
    SoundFont,
    /// Compiled animations.
    Animations,
    /// Sounds.
    Sounds,
    /// A disc image.
    Disc,
    /// Reader files (`.zrd`): text settings of Zipper's games, or an archive of them.
    Readers,
    /// Scripts of Zipper's games, compiled to lists of tokens (`interp.zbd`).
    Scripts,
    /// Texts that the game shows.
    Messages,
    /// A resource archive of Crimson Skies.
    Resources,
    /// A livery of Crimson Skies.
    Liveries,
    /// A save game, or a saved plane.
    Saves,
    /// Files that nothing depends on.
    Other,
}

/// File whose dependencies are looked up.
#[derive(Debug, Clone, Copy)]
pub struct DependencySource<'a> {
    /// Path below the input, forward slashes.
    pub path: &'a str,
    /// Content of the file.
    pub content: DependencyKind,
    /// Archives that the file lists, if it is a list of them.
    pub listed: &'a [ListedArchive],
}
