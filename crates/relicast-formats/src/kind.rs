//! Detection of kinds. Content decides; the name only breaks ties, and keeps a damaged file
//! from being reported as unknown.
//!
//! ```
//! use relicast_formats::kind::{Kind, sniff};
//!
//! let sound = b"RIFF\x04\0\0\0WAVE";
//! assert_eq!(sniff(sound, "gamez.zbd"), Kind::Wave);
//! assert_eq!(sniff(b"cut short", "gamez.zbd"), Kind::GameZ);
//! ```

use crate::asset::{AssetKind, Category, Game};
use crate::descriptor::{Becomes, GameEvidence, Owners, WhenEmpty};
use crate::everquest::pfs;
use crate::foreign::foreign_reason;
use crate::zipper::texture::package;
use crate::zipper::{archive, rof};

pub use crate::detector::ArchiveContext;
pub use crate::foreign::usable_extensions;
pub use crate::registry::{DecodedType, Kind};

use crate::detector::{Candidate, Evidence, Place};

impl Kind {
    /// Label for reports.
    pub fn label(self) -> &'static str {
        self.format().label
    }

    /// The asset that a source of this kind becomes, and its folder.
    pub fn asset(self) -> (AssetKind, Category) {
        match self.format().becomes {
            Becomes::Asset(asset, category) => (asset, category),
            Becomes::Nothing(_) | Becomes::NothingByName => (AssetKind::Other, Category::Config),
        }
    }

    /// True if such a file shows that the input is an install of a supported game.
    pub fn is_game_data(self) -> bool {
        self.format().shows_install
    }

    /// True if a source of this kind may come from `game`; `None` when the kind does not decide.
    pub fn may_be_of(self, game: Game) -> Option<bool> {
        match self.format().owners {
            Owners::Any => None,
            Owners::Only(games) => Some(games.contains(&game)),
        }
    }
}

/// Default reason for a kind without a converter.
pub const NO_CONVERTER: &str = "no converter";

/// Reason why a file of this name and kind is not converted; `None` when its kind is converted.
pub fn skip_reason(kind: Kind, extension: Option<&str>) -> Option<&'static str> {
    match kind.format().becomes {
        Becomes::Asset(..) => None,
        Becomes::Nothing(reason) => Some(reason),
        Becomes::NothingByName => extension.and_then(foreign_reason),
    }
}

/// Runs the detectors of all kinds, the strongest evidence first, each in the order of the table.
fn recognize(candidate: &Candidate<'_>) -> Option<Kind> {
    let mut all = Evidence::EACH.into_iter();
    all.find_map(|evidence| by(candidate, evidence))
}

/// Runs the detectors of all kinds with this kind of evidence.
fn by(candidate: &Candidate<'_>, evidence: Evidence) -> Option<Kind> {
    let shows = |kind: &&Kind| {
        let mut detectors = kind.format().detectors.iter();
        detectors.any(|detector| {
            detector.counts_in(candidate.place)
                && detector.test().evidence() == evidence
                && detector.test().matches(candidate)
        })
    };
    Kind::ALL.iter().find(shows).copied()
}

/// A name in lower case, with the start of its extension.
struct Name(String);

impl Name {
    fn new(name: &str) -> Self {
        Self(name.to_lowercase())
    }

    fn candidate<'a>(&'a self, bytes: &'a [u8], place: Place<'a>) -> Candidate<'a> {
        let (stem, extension) = match self.0.rsplit_once('.') {
            Some((stem, extension)) => (stem, Some(extension)),
            None => (&*self.0, None),
        };
        Candidate {
            bytes,
            stem,
            extension,
            place,
        }
    }
}

/// Detects the kind of the file called `name` (without folders).
pub fn sniff(bytes: &[u8], name: &str) -> Kind {
    let name = Name::new(name);
    let candidate = name.candidate(bytes, Place::File);
    if bytes.is_empty() {
        let lost =
            by(&candidate, Evidence::Name).filter(|kind| kind.format().empty == WhenEmpty::Lost);
        return lost.unwrap_or(Kind::Empty);
    }
    recognize(&candidate).unwrap_or(Kind::Unknown)
}

/// Returns true if the file called `name` (without folders) may be of a kind that is converted, by windows of its first
/// and last bytes. If not, [`sniff`] detects its kind by the first window alone.
pub fn may_be_converted(first: &[u8], last: &[u8], name: &str) -> bool {
    let name = Name::new(name);
    let candidate = name.candidate(first, Place::File);
    let is_converted = |kind: Kind| matches!(kind.format().becomes, Becomes::Asset(..));
    if let Some(kind) = by(&candidate, Evidence::Signature) {
        return is_converted(kind);
    }
    // Sounds may be followed by others, and tables refer to bytes after the window.
    candidate.has(0, b"RIFF")
        || package::may_begin(first)
        || archive::may_end(last)
        || recognize(&candidate).is_some_and(is_converted)
}

/// True if the content of the file called `name`, and not its name alone, shows that it is of `kind`.
pub fn has_content_of(kind: Kind, bytes: &[u8], name: &str) -> bool {
    let name = Name::new(name);
    let candidate = name.candidate(bytes, Place::File);
    let mut detectors = kind.format().detectors.iter();
    detectors.any(|detector| {
        detector.counts_in(candidate.place)
            && detector.test().evidence() != Evidence::Name
            && detector.test().matches(&candidate)
    })
}

/// Detects the game of the file called `name` (without folders).
pub fn game_evidence(kind: Kind, bytes: &[u8], name: &str) -> GameEvidence {
    let name = Name::new(name);
    (kind.format().game)(&name.candidate(bytes, Place::File))
}

/// Detects the kind of an archive member called `name`; `siblings` describes its archive.
pub fn sniff_member(bytes: &[u8], name: &str, siblings: &ArchiveContext) -> Kind {
    let name = Name::new(name);
    let candidate = name.candidate(bytes, Place::ZipperMember(siblings));
    recognize(&candidate).unwrap_or(Kind::Unknown)
}

/// Detects the kind of a member of an EverQuest archive. A damaged one gets the kind that its first
/// bytes or its name suggest, so that its damage is reported and it does not count as an empty file.
pub fn sniff_pfs_entry(entry: &pfs::Entry<'_>) -> Kind {
    if entry.is_empty() {
        return Kind::Empty;
    }
    let label = entry.label();
    let ending = label.rsplit_once('.').map(|(_, ending)| ending);
    let is_built = ending.is_some_and(|ending| {
        BY_STRUCTURE
            .iter()
            .any(|built| ending.eq_ignore_ascii_case(built))
    });
    let most = if is_built { usize::MAX } else { SIGNATURE };
    by_start(&entry.start(most), &label)
}

/// Detects the kind of a file of a resource archive.
pub fn sniff_resource(entry: &rof::Entry<'_>) -> Kind {
    match sniff(&entry.start(SIGNATURE), &entry.name) {
        kind @ (Kind::Livery | Kind::Wave) => kind,
        _ if entry.record.decoded == 0 && entry.fault.is_none() => Kind::Empty,
        Kind::Foreign => Kind::Foreign,
        _ => Kind::Unknown,
    }
}

/// Number of bytes of an archive member that hold its signature.
const SIGNATURE: usize = 64;

/// Extensions of members of EverQuest archives whose content is checked beyond a signature.
const BY_STRUCTURE: [&str; 2] = ["eff", "dat"];

/// Detects the kind of the member called `name` of an EverQuest archive by its content.
pub fn sniff_pfs_member(bytes: &[u8], name: &str) -> Kind {
    match bytes.is_empty() {
        true => Kind::Empty,
        false => by_start(bytes, name),
    }
}

/// Detects the kind of a member by its available first bytes.
fn by_start(bytes: &[u8], name: &str) -> Kind {
    let name = Name::new(name);
    let candidate = name.candidate(bytes, Place::EverQuestMember);
    recognize(&candidate).unwrap_or(Kind::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_may_be_converted_are_detected_by_their_ends() {
        let zeros = [0; 64];
        let footer = [1_u32, 9].map(u32::to_le_bytes).concat();
        let package = [0_u32, 1, 0, 9, 0, 0].map(u32::to_le_bytes).concat();
        assert!(may_be_converted(&zeros, &zeros, "a.s3d"));
        assert!(may_be_converted(b"RIFF\0\0\0\0WAVE", &zeros, "a"));
        assert!(may_be_converted(&zeros, &footer, "a.bin"));
        assert!(may_be_converted(&package, &zeros, "a.bin"));
        assert!(!may_be_converted(b"%PDF-1.2", &zeros, "a.pdf"));
        assert!(!may_be_converted(&zeros, &zeros, "a.bin"));
    }

    #[test]
    fn content_beats_the_name() {
        let interp = [0x19, 0x11, 0x97, 8, 7, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(sniff(&interp, "a.wav"), Kind::Interp);
        assert_eq!(sniff(b"RIFF\0\0\0\0WAVE", "a.zbd"), Kind::Wave);
        assert_eq!(sniff(b"RIFF\0\0\0\0AVI ", "a"), Kind::Avi);
    }

    #[test]
    fn signature_at_the_front_beats_a_table_at_the_end() {
        use crate::detector::{Detector, Evidence, Test};
        use crate::zipper::archive::{Archive, Entry, encode};

        let mut tried = 0;
        for kind in Kind::ALL {
            let files = kind
                .format()
                .detectors
                .iter()
                .filter_map(|detector| match detector {
                    Detector::File(test) | Detector::FileOrEverQuestMember(test) => Some(*test),
                    Detector::ZipperMember(_) | Detector::EverQuestMember(_) => None,
                });
            for test in files.filter(|test| test.evidence() == Evidence::Signature) {
                let mut front = vec![0; 64];
                match test {
                    Test::Word(word) => front[..4].copy_from_slice(&word.to_le_bytes()),
                    Test::Magic(at, magic) => front[at..at + magic.len()].copy_from_slice(magic),
                    _ => continue,
                }
                let mut entry = Entry {
                    data: front.into(),
                    ..Entry::default()
                };
                entry.row.name = relicast_codec::PaddedText::new("a").unwrap();
                let entries = vec![entry];
                let whole = encode(&Archive {
                    entries,
                    ..Archive::default()
                });
                assert_eq!(sniff(&whole.unwrap(), "a"), *kind, "{}", test.describe());
                tried += 1;
            }
        }
        assert!(tried > 20, "{tried}");
    }

    #[test]
    fn sounds_in_a_row_are_an_archive_that_lost_its_table() {
        let one = b"RIFF\x04\0\0\0WAVE";
        assert_eq!(sniff(one, "soundsh.zbd"), Kind::Wave);
        assert_eq!(sniff(&one.repeat(2), "soundsh.zbd"), Kind::Archive);
    }

    #[test]
    fn a_damaged_file_keeps_the_kind_of_its_name() {
        assert_eq!(sniff(b"RIFX", "A.WAV"), Kind::Wave);
        assert_eq!(sniff(b"no map", "m1.zmap"), Kind::Zmap);
        assert_eq!(sniff(b"", "m1.zmap"), Kind::Zmap);
        assert_eq!(sniff(b"", "GameZ.zbd"), Kind::GameZ);
        assert_eq!(sniff(b"", "gfaydark.s3d"), Kind::Pfs);
        assert_eq!(sniff(b"", "Mech3Msg.dll"), Kind::MessageDll);
        for name in ["a.txt", "a_sndbnk.eff", "a.exe", "a.zrd", "a"] {
            assert_eq!(sniff(b"", name), Kind::Empty, "{name}");
        }
        assert_eq!(sniff(b"cut", "rTexture2.ZBD"), Kind::Textures);
        assert_eq!(sniff(b"cut", "soundsH.zbd"), Kind::Archive);
    }

    #[test]
    fn music_and_its_instruments_are_reported() {
        assert_eq!(sniff(b"FORM\0\0\0\x0EXDIRINFO", "a.bin"), Kind::Xmidi);
        assert_eq!(sniff(b"cut", "Gl.XMI"), Kind::Xmidi);
        assert_eq!(sniff(b"MThd\0\0\0\x06", "a.dat"), Kind::MusicFile);
        assert_eq!(sniff(b"RIFF\0\0\0\0sfbk", "a.sbk"), Kind::SoundFont);
        assert_eq!(sniff(b"RIFF\0\0\0\0DLS ", "a"), Kind::SoundFont);
        assert_eq!(sniff(b"SMK2\0\0\0\0", "intro"), Kind::Smacker);
        assert_eq!(sniff(b"", "intro.smk"), Kind::Smacker);
    }

    #[test]
    fn system_libraries_are_program_code() {
        for name in ["mss32.dll", "SMACKW32.DLL", "msvcrt.dll", "binkw32.dll"] {
            assert_eq!(sniff(b"MZ\0\0", name), Kind::Program, "{name}");
            assert_eq!(sniff(b"cut", name), Kind::Program, "{name}");
        }
        for name in ["messages.dll", "Mech3Msg.dll", "strings.dll", "langui.dll"] {
            assert_eq!(sniff(b"MZ\0\0", name), Kind::MessageDll, "{name}");
        }
    }

    #[test]
    fn every_kind_that_is_not_game_data_has_a_reason() {
        for kind in [Kind::Empty, Kind::Program, Kind::Unknown] {
            assert!(skip_reason(kind, None).is_some());
        }
        for (extension, _) in crate::foreign::foreign() {
            let kind = sniff(b"some text", &format!("a.{extension}"));
            assert!(skip_reason(kind, Some(extension)).is_some(), "{extension}");
        }
    }
}
