//! What a slice of bytes holds. Content decides; the name only breaks ties, and keeps a damaged file
//! from being passed over as unknown.

use serde::Serialize;

use crate::asset::{AssetKind, Category};
use crate::formats::codec::FixedSize;
use crate::formats::everquest::sound::eff;
use crate::formats::everquest::{pfs, texture};
use crate::formats::zipper::gamez::Version;
use crate::formats::zipper::{
    anim, archive, gamez, interp, mechlib, motion, save, texture as packages, zmap,
};

/// What a file or archive member holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Zipper archive with its table at the end.
    Archive,
    /// Zipper scripts.
    Interp,
    /// Zipper texture package.
    Textures,
    /// Zipper world or airframe library.
    GameZ,
    /// Zipper animation container.
    Anim,
    /// Member of a Zipper model library.
    MechlibMember,
    /// Keyframes of one motion.
    Motion,
    /// Member of a MechWarrior 3 save game.
    SaveMember,
    /// Windows DLL, which may hold messages.
    MessageDll,
    /// RIFF/WAVE sound.
    Wave,
    /// Recoil mission map.
    Zmap,
    /// Binary reader value.
    BinaryReader,
    /// Text reader value.
    TextReader,
    /// AVI video.
    Avi,
    /// MPEG video.
    Mpeg,
    /// EverQuest archive.
    Pfs,
    /// EverQuest scene outside an archive.
    Wld,
    /// Windows bitmap in an EverQuest archive.
    Bitmap,
    /// DDS picture in an EverQuest archive.
    Dds,
    /// A disc image: a CUE sheet, or an image without one.
    Disc,
    /// An audio track of a disc image.
    AudioTrack,
    /// A file that is read as part of a disc image.
    DiscPart,
    /// List of what sounds where in an EverQuest zone.
    Emitters,
    /// The same as text.
    EmitterText,
    /// Names of the sounds of an EverQuest zone.
    SoundBank,
    /// An empty file.
    Empty,
    /// A Windows program or driver.
    Program,
    /// A known kind of file that no converter is meant for.
    Foreign,
    /// Nothing known.
    Unknown,
}

impl Kind {
    /// The asset that a source of this kind becomes, and where it goes.
    pub fn asset(self) -> (AssetKind, Category) {
        match self {
            Self::Wave => (AssetKind::Sounds, Category::Sounds),
            Self::BinaryReader | Self::TextReader => (AssetKind::Readers, Category::Config),
            Self::Interp => (AssetKind::Scripts, Category::Config),
            Self::MessageDll => (AssetKind::Messages, Category::Text),
            Self::Motion => (AssetKind::Motions, Category::Animations),
            Self::Anim => (AssetKind::Animations, Category::Animations),
            Self::Zmap => (AssetKind::Maps, Category::Worlds),
            Self::SaveMember => (AssetKind::Saves, Category::Config),
            Self::Textures => (AssetKind::Textures, Category::Textures),
            Self::GameZ => (AssetKind::Worlds, Category::Worlds),
            Self::Disc => (AssetKind::Discs, Category::Music),
            Self::AudioTrack => (AssetKind::Music, Category::Music),
            Self::MechlibMember => (AssetKind::Models, Category::Models),
            Self::Bitmap | Self::Dds => (AssetKind::Textures, Category::Textures),
            Self::Wld => (AssetKind::Archives, Category::Worlds),
            Self::Pfs => (AssetKind::Archives, Category::Textures),
            Self::Emitters | Self::EmitterText | Self::SoundBank => {
                (AssetKind::Sounds, Category::Sounds)
            }
            Self::Avi | Self::Mpeg => (AssetKind::Video, Category::Video),
            _ => (AssetKind::Other, Category::Config),
        }
    }

    /// Words for reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Interp => "scripts",
            Self::Textures => "textures",
            Self::GameZ => "world",
            Self::Anim => "animations",
            Self::MechlibMember => "model",
            Self::Motion => "motion",
            Self::SaveMember => "save game part",
            Self::MessageDll => "library",
            Self::Wave => "sound",
            Self::Zmap => "map",
            Self::BinaryReader => "reader",
            Self::TextReader => "text reader",
            Self::Avi => "AVI video",
            Self::Mpeg => "MPEG video",
            Self::Pfs => "EverQuest archive",
            Self::Wld => "EverQuest scene",
            Self::Bitmap => "bitmap",
            Self::Dds => "DDS picture",
            Self::Disc => "disc image",
            Self::AudioTrack => "audio track",
            Self::DiscPart => "part of a disc image",
            Self::Emitters | Self::EmitterText => "sound emitters",
            Self::SoundBank => "sound names",
            Self::Empty => "empty file",
            Self::Program => "program",
            Self::Foreign => "other known file",
            Self::Unknown => "unknown",
        }
    }

    /// Whether finding one means that the input is an install of ours.
    pub fn is_game_data(self) -> bool {
        !matches!(
            self,
            Self::Empty
                | Self::Program
                | Self::Foreign
                | Self::Unknown
                | Self::Mpeg
                | Self::MessageDll
                | Self::DiscPart
                | Self::TextReader
                | Self::EmitterText
                | Self::SoundBank
        )
    }
}

/// First word of an EverQuest scene.
pub const WLD_SIGNATURE: u32 = 0x5450_3D02;

/// Names that are known by their extension, and why they are not converted.
const FOREIGN: &[(&str, &str)] = &[
    ("ttf", "font, usable as it is"),
    ("fon", "font, usable as it is"),
    ("ifr", "force feedback effects, usable as they are"),
    ("ico", "icon, usable as it is"),
    ("cur", "pointer, usable as it is"),
    ("bmp", "picture, usable as it is"),
    ("jpg", "picture, usable as it is"),
    ("png", "picture, usable as it is"),
    ("gif", "picture, usable as it is"),
    ("tga", "picture, usable as it is"),
    ("tif", "picture, usable as it is"),
    ("dds", "picture, usable as it is"),
    ("mod", "EverQuest model of later years, no converter"),
    ("ter", "EverQuest terrain of later years, no converter"),
    ("zon", "EverQuest zone of later years, no converter"),
    ("ani", "EverQuest animation of later years, no converter"),
    ("lit", "EverQuest light of later years, no converter"),
    ("lay", "EverQuest layers of later years, no converter"),
    ("prt", "EverQuest particles of later years, no converter"),
    ("pts", "EverQuest attachments of later years, no converter"),
    ("xmi", "EverQuest music (XMIDI), no converter"),
    ("mp3", "music, usable as it is"),
    ("ogg", "music, usable as it is"),
    ("txt", "text, usable as it is"),
    ("rtf", "text, usable as it is"),
    ("htm", "text, usable as it is"),
    ("html", "text, usable as it is"),
    ("pdf", "document, usable as it is"),
    ("doc", "document, usable as it is"),
    ("xml", "text, usable as it is"),
    ("ini", "settings, usable as they are"),
    ("hlp", "Windows help, no converter"),
    ("cnt", "Windows help, no converter"),
    ("inf", "settings of the installer"),
    ("cfg", "settings of the program, not game data"),
    ("reg", "settings of the installer"),
    ("lnk", "Windows shortcut"),
    ("url", "Windows shortcut"),
    ("isu", "uninstaller log"),
    ("log", "log"),
    ("cab", "installer archive, no converter"),
    ("hdr", "installer archive, no converter"),
    ("icd", "encrypted program, no converter"),
    ("vxd", "Windows driver, not game data"),
    ("rof", "Crimson Skies resource file, no converter yet"),
    ("bm", "Crimson Skies livery, no converter yet"),
    ("script", "Crimson Skies interface script, no converter yet"),
    ("cue", "disc image inside another one, or not to be opened"),
    ("iso", "disc image inside another one, or not to be opened"),
    (
        "eff",
        "spell table or spell effects of EverQuest, no converter yet",
    ),
    ("bin", "raw data, no converter"),
    ("256", "installer picture, no converter"),
    ("016", "installer picture, no converter"),
];

/// Extensions of files that can be used as they are.
pub fn usable_extensions() -> impl Iterator<Item = &'static str> {
    let usable = FOREIGN
        .iter()
        .filter(|(_, reason)| reason.contains("usable as"));
    usable.map(|(extension, _)| *extension)
}

/// How names of libraries start that games bring along and that are nobody's data: of Windows and its run
/// times, DirectX, and of makers of sound, video, graphics and network libraries of the time. What they
/// hold of texts (error messages) is theirs.
const SYSTEM_LIBRARIES: &[&str] = &[
    "3dfx", "a3dapi", "binkw", "comctl32", "ctl3d", "d3dim", "d3drm", "d3dx", "ddraw", "dinput",
    "dplay", "dpwsock", "dsetup", "dsound", "eaxman", "gamespy", "glide2x", "glide3x", "ifc2",
    "mfc4", "mfc7", "mss16", "mss32", "mssb16", "msvci", "msvcp", "msvcr", "oleaut32", "openal32",
    "opengl32", "riched", "shfolder", "smackw", "unicows", "vorbis", "wing32", "winmm", "ws2_32",
    "wsock32",
];

/// Whether a library called so (lower case, without extension) is one that games only bring along.
fn is_system_library(stem: &str) -> bool {
    let mut known = SYSTEM_LIBRARIES.iter();
    known.any(|start| stem.starts_with(start))
}

/// Why a file of this name and kind is not converted; `None` when its kind has a converter.
pub fn skip_reason(kind: Kind, extension: Option<&str>) -> Option<&'static str> {
    let by_name = || {
        FOREIGN
            .iter()
            .find(|(known, _)| Some(*known) == extension)
            .map(|(_, reason)| *reason)
    };
    match kind {
        Kind::DiscPart => Some("read as part of a disc image"),
        Kind::Empty => Some("the file is empty"),
        Kind::Program => Some("program code, not game data"),
        Kind::Foreign => by_name(),
        Kind::Unknown => Some("no known format"),
        _ => None,
    }
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..).and_then(u32::load)
}

/// Whether a file of this kind without a byte is one that was lost: containers and media have a header at
/// the least. Lists and texts may well be empty.
fn is_never_empty(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Archive
            | Kind::Interp
            | Kind::Textures
            | Kind::GameZ
            | Kind::Anim
            | Kind::MessageDll
            | Kind::Wave
            | Kind::Zmap
            | Kind::Avi
            | Kind::Mpeg
            | Kind::Pfs
            | Kind::Wld
    )
}

/// Tells what the file called `name` (without folders) is.
pub fn sniff(bytes: &[u8], name: &str) -> Kind {
    let name = name.to_lowercase();
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) => (stem, Some(extension)),
        None => (&*name, None),
    };
    if bytes.is_empty() {
        return match by_name(stem, extension, bytes) {
            kind if is_never_empty(kind) => kind,
            _ => Kind::Empty,
        };
    }
    match word(bytes, 0) {
        Some(interp::SIGNATURE) => return Kind::Interp,
        Some(gamez::SIGNATURE) => return Kind::GameZ,
        Some(anim::SIGNATURE) => return Kind::Anim,
        Some(WLD_SIGNATURE) => return Kind::Wld,
        _ => {}
    }
    if bytes.starts_with(b"MZ") {
        return match extension {
            Some("dll") if !is_system_library(stem) => Kind::MessageDll,
            _ => Kind::Program,
        };
    }
    if bytes.get(4..8) == Some(b"PFS ") {
        return Kind::Pfs;
    }
    if archive::sniff(bytes).is_some() {
        return Kind::Archive;
    }
    if packages::package::sniff(bytes) {
        return Kind::Textures;
    }
    if bytes.starts_with(b"RIFF") {
        match bytes.get(8..12) {
            Some(b"WAVE") if is_followed_by_another(bytes) => return Kind::Archive,
            Some(b"WAVE") => return Kind::Wave,
            Some(b"AVI ") => return Kind::Avi,
            _ => {}
        }
    }
    if extension == Some("zmap") && zmap::looks_like(bytes) {
        return Kind::Zmap;
    }
    if extension == Some("zrd") {
        return match word(bytes, 0) {
            Some(4) => Kind::BinaryReader,
            _ => Kind::TextReader,
        };
    }
    if bytes.starts_with(&[0, 0, 1, 0xBA]) || bytes.starts_with(&[0, 0, 1, 0xB3]) {
        return Kind::Mpeg;
    }
    by_name(stem, extension, bytes)
}

/// Whether a second RIFF file lies right behind the first: members of a sound archive that lost its
/// table.
fn is_followed_by_another(bytes: &[u8]) -> bool {
    let size = word(bytes, 4).unwrap_or_default() as usize;
    [8, 9].into_iter().any(|more| {
        let rest = bytes.get(size.saturating_add(more)..);
        rest.is_some_and(|rest| rest.starts_with(b"RIFF"))
    })
}

/// Tells what an archive member called `name` is; `siblings` are the names of all members.
pub fn sniff_member(bytes: &[u8], name: &str, siblings: &ArchiveContext) -> Kind {
    if bytes.starts_with(b"RIFF") {
        return Kind::Wave;
    }
    if siblings.mechlib {
        return Kind::MechlibMember;
    }
    if siblings.save {
        return Kind::SaveMember;
    }
    if motion::looks_like(bytes) {
        return Kind::Motion;
    }
    match name.to_lowercase().rsplit_once('.') {
        Some((_, "zrd")) if word(bytes, 0) == Some(4) || !bytes.starts_with(b"(") => {
            Kind::BinaryReader
        }
        Some((_, "zrd")) => Kind::TextReader,
        Some((_, "wav")) => Kind::Wave,
        None if siblings.motion => Kind::Motion,
        _ => Kind::Unknown,
    }
}

/// Tells what a list of sounds is. Files of spells have the same extension: of those that are not named
/// as emitters are, `start` tells.
fn sound_list(stem: &str, extension: Option<&str>, start: &[u8]) -> Option<Kind> {
    match extension? {
        "emt" => Some(Kind::EmitterText),
        "eff" if stem.ends_with("_sndbnk") => Some(Kind::SoundBank),
        "eff" if stem.ends_with("_sounds") || eff::looks_like(start) => Some(Kind::Emitters),
        _ => None,
    }
}

/// Tells what a member of an EverQuest archive is. One that is damaged keeps the kind that its first
/// bytes or its name tell, so that its damage is reported and it is not taken for an empty file.
pub fn sniff_pfs_entry(entry: &pfs::Entry<'_>) -> Kind {
    if entry.is_empty() {
        return Kind::Empty;
    }
    by_start(&entry.start(), &entry.label())
}

/// Tells what the member called `name` of an EverQuest archive is by its content.
pub fn sniff_pfs_member(bytes: &[u8], name: &str) -> Kind {
    match bytes.is_empty() {
        true => Kind::Empty,
        false => by_start(bytes, name),
    }
}

/// Tells what a member is by as many of its first bytes as can be had.
fn by_start(bytes: &[u8], name: &str) -> Kind {
    if word(bytes, 0) == Some(WLD_SIGNATURE) {
        return Kind::Wld;
    }
    match texture::sniff(bytes) {
        Some(texture::FileKind::Bmp) => Kind::Bitmap,
        Some(texture::FileKind::Dds) => Kind::Dds,
        None if bytes.starts_with(b"RIFF") => Kind::Wave,
        None => {
            let name = name.to_lowercase();
            match name.rsplit_once('.') {
                Some((_, "wld")) => Kind::Wld,
                Some((_, "bmp")) => Kind::Bitmap,
                Some((_, "dds")) => Kind::Dds,
                Some((_, "wav")) => Kind::Wave,
                Some((stem, extension)) => match sound_list(stem, Some(extension), bytes) {
                    Some(kind) => kind,
                    None if FOREIGN.iter().any(|(known, _)| *known == extension) => Kind::Foreign,
                    None => Kind::Unknown,
                },
                None => Kind::Unknown,
            }
        }
    }
}

/// What the names and contents of an archive's members say together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArchiveContext {
    /// It is a model library: members `format`, `version` and `materials`.
    pub mechlib: bool,
    /// The game of the model library, when it tells one.
    pub version: Option<Version>,
    /// It is a save game: a member `zSaveHeader`.
    pub save: bool,
    /// At least one member is a motion.
    pub motion: bool,
}

impl ArchiveContext {
    /// Looks at all members of an archive.
    pub fn of(archive: &archive::Archive<'_>) -> Self {
        Self::of_passing(archive, &mut |_| {})
    }

    /// [`of`](Self::of), telling `passed` of each member that was looked at.
    pub fn of_passing(
        archive: &archive::Archive<'_>,
        passed: &mut dyn FnMut(&archive::Entry<'_>),
    ) -> Self {
        let has = |name: &str| {
            archive.entries.iter().any(|entry| {
                entry
                    .row
                    .name
                    .text_bytes()
                    .eq_ignore_ascii_case(name.as_bytes())
            })
        };
        Self {
            mechlib: mechlib::is_mechlib(archive),
            version: mechlib::version_of(archive).ok(),
            save: has(save::HEADER_NAME),
            motion: archive.entries.iter().any(|entry| {
                passed(entry);
                motion::looks_like(&entry.data)
            }),
        }
    }
}

/// The last resort: a file whose content says nothing, taken for what its name says, so that a
/// damaged file is reported as a failure of its kind and not passed over.
fn by_name(stem: &str, extension: Option<&str>, bytes: &[u8]) -> Kind {
    match extension {
        Some("zbd") => by_zbd_name(stem),
        Some("wav") => Kind::Wave,
        Some("zmap") => Kind::Zmap,
        Some("avi") => Kind::Avi,
        Some("mpg" | "mpeg") => Kind::Mpeg,
        Some("exe" | "com" | "sys") => Kind::Program,
        Some("dll") if is_system_library(stem) => Kind::Program,
        Some("dll") => Kind::MessageDll,
        Some("s3d" | "pfs" | "eqg") => Kind::Pfs,
        Some("wld") => Kind::Wld,
        extension if sound_list(stem, extension, bytes).is_some() => {
            sound_list(stem, extension, bytes).unwrap_or(Kind::Unknown)
        }
        Some(extension) if FOREIGN.iter().any(|(known, _)| *known == extension) => Kind::Foreign,
        _ => Kind::Unknown,
    }
}

fn by_zbd_name(stem: &str) -> Kind {
    match stem {
        "interp" => Kind::Interp,
        "gamez" | "planes" => Kind::GameZ,
        "anim" | "cam_anim" | "mis_anim" => Kind::Anim,
        _ if stem.contains("tex") || stem.contains("image") => Kind::Textures,
        _ => Kind::Archive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_beats_the_name() {
        let interp = [0x19, 0x11, 0x97, 8, 7, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(sniff(&interp, "a.wav"), Kind::Interp);
        assert_eq!(sniff(b"RIFF\0\0\0\0WAVE", "a.zbd"), Kind::Wave);
        assert_eq!(sniff(b"RIFF\0\0\0\0AVI ", "a"), Kind::Avi);
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
        for (extension, _) in FOREIGN {
            let kind = sniff(b"some text", &format!("a.{extension}"));
            assert!(skip_reason(kind, Some(extension)).is_some(), "{extension}");
        }
    }
}
