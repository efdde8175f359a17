//! Detectors, which find the kind of a source by its content and its name.
//!
//! The [registry](super::registry) lists the detectors of each kind; [`kind`](super::kind) runs them.
//!
//! ```
//! use relicast_formats::detector::{Evidence, Test};
//!
//! assert_eq!(Test::Extension(&["zmap"]).describe(), "named *.zmap");
//! assert_eq!(Test::Magic(0, b"DDS ").evidence(), Evidence::Signature);
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::save::SavedBy;
use crate::zipper::{archive, mechlib, motion};
use relicast_codec::FixedSize;

/// Container of a source. The same bytes may mean different things in different containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// A file of its own, in a folder or on a disc.
    File,
    /// A member of a Zipper archive, with the facts about its members.
    ZipperMember(&'a ArchiveContext),
    /// A member of an EverQuest archive.
    EverQuestMember,
}

/// A source whose kind is to be detected.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// All of its bytes, or the available first bytes of a damaged one.
    pub bytes: &'a [u8],
    /// Its name in lower case, without the extension.
    pub stem: &'a str,
    /// Extension in lower case: the text after the last period of the name; `None` when there is no period.
    pub extension: Option<&'a str>,
    /// Container.
    pub place: Place<'a>,
}

impl Candidate<'_> {
    /// The little-endian 32-bit word at `offset`, if the source is long enough.
    pub fn word(&self, offset: usize) -> Option<u32> {
        self.bytes.get(offset..).and_then(u32::load)
    }

    /// The little-endian 16-bit word at `offset`, if the source is long enough.
    pub fn half_word(&self, offset: usize) -> Option<u16> {
        self.bytes.get(offset..).and_then(u16::load)
    }

    /// True if `bytes` are stored at `offset`.
    pub fn has(&self, offset: usize, bytes: &[u8]) -> bool {
        let end = offset.saturating_add(bytes.len());
        self.bytes.get(offset..end) == Some(bytes)
    }

    /// True if the name ends with one of these extensions.
    pub fn ends_with(&self, extensions: &[&str]) -> bool {
        let extension = self.extension;
        extension.is_some_and(|extension| extensions.contains(&extension))
    }

    /// Context of the Zipper archive around it.
    pub fn context(&self) -> Option<&ArchiveContext> {
        match self.place {
            Place::ZipperMember(context) => Some(context),
            Place::File | Place::EverQuestMember => None,
        }
    }
}

/// Strength of a test's evidence. Stronger evidence comes first: a signature at the front of a file beats
/// numbers at its end that happen to form a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// A magic number at a fixed offset.
    Signature,
    /// Consistent values.
    Structure,
    /// The name.
    Name,
}

impl Evidence {
    /// All kinds of evidence, the strongest first.
    pub const EACH: [Self; 3] = [Self::Signature, Self::Structure, Self::Name];
}

/// Condition on a source.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// The file starts with this little-endian word.
    Word(u32),
    /// These bytes are at this offset.
    Magic(usize, &'static [u8]),
    /// Magic numbers at several offsets, as described; it may also check the name.
    Signature(&'static str, fn(&Candidate<'_>) -> bool),
    /// The content has the described structure; it may also check the name.
    Structure(&'static str, fn(&Candidate<'_>) -> bool),
    /// The name has one of these extensions.
    Extension(&'static [&'static str]),
    /// The name matches the description; it may also check the content.
    Name(&'static str, fn(&Candidate<'_>) -> bool),
}

impl Test {
    /// Strength of its evidence.
    pub fn evidence(self) -> Evidence {
        match self {
            Self::Word(_) | Self::Magic(..) | Self::Signature(..) => Evidence::Signature,
            Self::Structure(..) => Evidence::Structure,
            Self::Extension(_) | Self::Name(..) => Evidence::Name,
        }
    }

    /// True if it matches `candidate`.
    pub fn matches(self, candidate: &Candidate<'_>) -> bool {
        match self {
            Self::Word(word) => candidate.word(0) == Some(word),
            Self::Magic(offset, bytes) => candidate.has(offset, bytes),
            Self::Signature(_, holds) | Self::Structure(_, holds) | Self::Name(_, holds) => {
                holds(candidate)
            }
            Self::Extension(extensions) => candidate.ends_with(extensions),
        }
    }

    /// Description of the test.
    pub fn describe(self) -> String {
        match self {
            Self::Word(word) => format!("starts with the word {word:#010x}"),
            Self::Magic(offset, bytes) => {
                format!("\"{}\" at byte {offset}", bytes.escape_ascii())
            }
            Self::Signature(words, _) | Self::Structure(words, _) | Self::Name(words, _) => {
                words.to_owned()
            }
            Self::Extension(extensions) => {
                let endings = extensions.iter().map(|extension| format!("*.{extension}"));
                format!("named {}", endings.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A test, and the containers in which it counts.
#[derive(Debug, Clone, Copy)]
pub enum Detector {
    /// For separate files.
    File(Test),
    /// For members of Zipper archives.
    ZipperMember(Test),
    /// For members of EverQuest archives.
    EverQuestMember(Test),
    /// For separate files and members of EverQuest archives.
    FileOrEverQuestMember(Test),
}

impl Detector {
    /// The test.
    pub fn test(self) -> Test {
        match self {
            Self::File(test)
            | Self::ZipperMember(test)
            | Self::EverQuestMember(test)
            | Self::FileOrEverQuestMember(test) => test,
        }
    }

    /// Containers in which it counts, in words.
    pub fn place(self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::ZipperMember(_) => "member of a Zipper archive",
            Self::EverQuestMember(_) => "member of an EverQuest archive",
            Self::FileOrEverQuestMember(_) => "file or member of an EverQuest archive",
        }
    }

    /// True if it counts in `place`.
    pub fn counts_in(self, place: Place<'_>) -> bool {
        match place {
            Place::File => matches!(self, Self::File(_) | Self::FileOrEverQuestMember(_)),
            Place::ZipperMember(_) => matches!(self, Self::ZipperMember(_)),
            Place::EverQuestMember => {
                matches!(
                    self,
                    Self::EverQuestMember(_) | Self::FileOrEverQuestMember(_)
                )
            }
        }
    }
}

/// Facts gathered from the names and contents of an archive's members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArchiveContext {
    /// True for a model library: members `format`, `version` and `materials`.
    pub mechlib: bool,
    /// The game of the model library, when it states one.
    pub version: Option<ZipperGame>,
    /// Game of the save, for a save game.
    pub save: Option<SavedBy>,
    /// True if at least one member is a motion.
    pub motion: bool,
}

impl ArchiveContext {
    /// Gathers the facts of all members of an archive.
    pub fn new(archive: &archive::Archive<'_>) -> Self {
        Self {
            mechlib: mechlib::is_mechlib(archive),
            version: mechlib::version_of(archive).ok(),
            save: SavedBy::new(archive),
            motion: (archive.entries.iter()).any(|entry| motion::looks_like(&entry.data)),
        }
    }
}
