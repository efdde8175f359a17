//! The table of formats: name, detectors, decoder and encoder of every [`Kind`], and the asset that it
//! becomes.
//!
//! A row that lacks a field does not compile. Signatures are checked first, then structures, then names, each in the
//! order of the rows, so a row may rely on those above it. `docs/adding-a-format.md` explains a new row.
//!
//! ```
//! use relicast_formats::registry::Kind;
//!
//! assert_eq!(Kind::Interp.format().label, "scripts");
//! assert!(Kind::ALL.iter().all(|kind| !kind.format().label.is_empty()));
//! ```

use serde::Serialize;

use crate::asset::{AssetKind, Category, Game};

use super::descriptor::{Becomes, Format, Members, Owners, Support, WhenEmpty};
use super::detector::{ArchiveContext, Detector, Test};
use super::everquest::eqg;
use super::everquest::grass;
use super::everquest::lists;
use super::everquest::pfs;
use super::everquest::ply;
use super::everquest::readable;
use super::everquest::sound::{bank, eff, emt};
use super::everquest::spells;
use super::everquest::texture::{self, bmp, dds};
use super::everquest::wld::{self, Wld};
use super::everquest::xmidi;
use super::foreign::{foreign_reason, is_system_library};
use super::portable;
use super::recognition::{
    everquest_signature, game_of_animations, game_of_archive, game_of_map, game_of_world,
    is_bitmap, is_followed_by_another, is_program, is_wave, names_textures, silent, starts_as_text,
    starts_with_keyword,
};
use super::riff::avi::{self, Avi};
use super::riff::{self, Wave};
use super::table::{boxed, codec, decoded, encoded, formats, visited};
use super::zipper::anim::{self, AnimFile};
use super::zipper::archive::{self, Archive};
use super::zipper::gamez::{self, GameZ};
use super::zipper::interp::{self, Interp};
use super::zipper::livery::{self, Livery};
use super::zipper::mechlib::{self, Member};
use super::zipper::messages::{self, MessageFile};
use super::zipper::motion::{self, Motion};
use super::zipper::rof::{self, Rof};
use super::zipper::save::crimson::{self, PlaneRecord};
use super::zipper::save::{self, SaveMember};
use super::zipper::texture::package::{self, Package};
use super::zipper::zmap::{self, Map};
use super::zipper::zrd::text::TextDocument;
use super::zipper::zrd::{Value, binary, text};
use relicast_codec::{Decoded, Result};

/// A source to decode.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a, 'c> {
    /// Its own name, without folders.
    pub name: &'c str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Facts about the archive around it; empty for files.
    pub context: &'c ArchiveContext,
}

/// Decodes a source.
pub type Decode = for<'a, 'c> fn(Source<'a, 'c>) -> Result<Decoded<DecodedFile<'a>>>;

/// Reading and writing of a format.
#[derive(Debug, Clone, Copy)]
pub enum Codec {
    /// Read, and written to the same bytes.
    RoundTrip(Decode),
    /// Only read.
    ReadOnly(Decode),
    /// Neither: the converter copies it, or only its container exists.
    None,
}

impl Codec {
    /// The decoder.
    pub fn decoder(self) -> Option<Decode> {
        match self {
            Self::RoundTrip(decode) | Self::ReadOnly(decode) => Some(decode),
            Self::None => None,
        }
    }
}

use Support::{Absent as NONE, Full as FULL, Missing as MISSING, ReadOnly as READ};

const ZIPPER: [Support; 5] = [FULL, FULL, FULL, FULL, NONE];
const MECHWARRIOR: [Support; 5] = [NONE, FULL, FULL, NONE, NONE];
const EVERQUEST: [Support; 5] = [NONE, NONE, NONE, NONE, FULL];
const CRIMSON: [Support; 5] = [NONE, NONE, NONE, FULL, NONE];
const EVERY_GAME: [Support; 5] = [FULL; 5];
const EVERQUEST_READ: [Support; 5] = [NONE, NONE, NONE, NONE, READ];
const EVERY_GAME_READ: [Support; 5] = [READ; 5];

const OF_ZIPPER: Owners = Owners::Only(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs]);
const OF_MECHWARRIOR: Owners = Owners::Only(&[Game::Mw, Game::Pm]);
const OF_CRIMSON: Owners = Owners::Only(&[Game::Cs]);
const OF_EVERQUEST: Owners = Owners::Only(&[Game::Eq]);

formats! {
    /// Zipper scripts.
    Interp [Interp(Interp<'a>) = |source| interp::decode(source.bytes), interp::encode] {
        label: "scripts",
        files: "`interp.zbd`",
        detectors: &[
            Detector::File(Test::Word(interp::SIGNATURE)),
            Detector::File(Test::Name("named interp.zbd", |source| {
                source.ends_with(&["zbd"]) && source.stem == "interp"
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_ZIPPER,
        game: silent, members: Members::None, implies: "",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Scripts, Category::Config),
        outputs: "JSON",
        notes: "",
    }
    /// Zipper world or airframe library.
    GameZ [GameZ(Box<GameZ>) = |source| gamez::decode(source.bytes).map(boxed), gamez::encode] {
        label: "world",
        files: "`gamez.zbd`, `planes.zbd`",
        detectors: &[
            Detector::File(Test::Word(gamez::SIGNATURE)),
            Detector::File(Test::Name("named gamez.zbd or planes.zbd", |source| {
                source.ends_with(&["zbd"]) && ["gamez", "planes"].contains(&source.stem)
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_ZIPPER,
        game: game_of_world, members: Members::None, implies: "",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "glTF, a file for each template and aircraft, JSON tables",
        notes: "The report lists what a scene lacks (textures that are in no package, parts without a node). Frames \
            of animated pictures and moving UVs are in the extras; `scenes.embed_cycles`, \
            `scenes.cycle_atlas` and `scenes.animate_uv` put them into the file.",
    }
    /// Zipper animation container.
    Anim [Anim(Box<AnimFile>) = |source| anim::decode(source.bytes).map(boxed), anim::encode] {
        label: "animations",
        files: "`anim.zbd`, `cam_anim.zbd`, `mis_anim.zbd`",
        detectors: &[
            Detector::File(Test::Word(anim::SIGNATURE)),
            Detector::File(Test::Name("named anim.zbd, cam_anim.zbd or mis_anim.zbd", |source| {
                source.ends_with(&["zbd"]) && ["anim", "cam_anim", "mis_anim"].contains(&source.stem)
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_ZIPPER,
        game: game_of_animations, members: Members::None, implies: "",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Animations, Category::Animations),
        outputs: "JSON, a document for each definition and an index; glTF with clips, a file for each node that \
            they are bound to",
        notes: "",
    }
    /// EverQuest scene outside an archive.
    Wld [Wld(Box<Wld<'a>>) = |source| wld::decode(source.bytes).map(boxed), wld::encode] {
        label: "EverQuest scene",
        files: "`*.wld` in archives or alone",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Word(wld::SIGNATURE)),
            Detector::FileOrEverQuestMember(Test::Extension(&["wld"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Archives, Category::Worlds),
        outputs: "glTF, a file for each zone and model (objects, creatures, items), JSON tables",
        notes: "Creatures have a clip for each animation set, own or borrowed from an available model, a variant for \
            each skin, and other heads in `NAME.hidden`. Placed objects with joints are in their rest pose in zones; \
            their own files have their movements. Particles and sprites are extras.",
    }
    /// Windows DLL, which may hold messages.
    MessageDll [Messages(MessageFile<'a>) = |source| messages::decode(source.bytes)] {
        label: "library",
        files: "`messages.dll`, `Mech3Msg.dll`, `strings.dll`",
        detectors: &[
            Detector::File(Test::Signature("\"MZ\" at byte 0, and the name", |source| {
                source.has(0, b"MZ") && source.ends_with(&["dll"]) && !is_system_library(source.stem)
            })),
            Detector::File(Test::Name("named *.dll, except libraries that games only ship", |source| {
                source.ends_with(&["dll"]) && !is_system_library(source.stem)
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [READ, READ, READ, READ, NONE],
        becomes: Becomes::Asset(AssetKind::Messages, Category::Text),
        outputs: "JSON, one file per language",
        notes: "",
    }
    /// A Windows program or driver.
    Program {
        label: "program",
        files: "`*.exe`, `*.com`, `*.sys`, other `*.dll`",
        detectors: &[
            Detector::File(Test::Signature("\"MZ\" at byte 0, and sizes of a program", is_program)),
            Detector::File(Test::Extension(&["exe", "com", "sys", "dll"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [MISSING; 5],
        becomes: Becomes::Nothing("program code, not game data"),
        outputs: "",
        notes: "",
    }
    /// EverQuest archive.
    Pfs [Pfs(pfs::Archive<'a>) = |source| pfs::decode(source.bytes), pfs::encode] {
        label: "EverQuest archive",
        files: "`*.s3d`, `*.pfs`, `*.eqg`",
        detectors: &[
            Detector::File(Test::Magic(4, b"PFS ")),
            Detector::File(Test::Extension(&["s3d", "pfs", "eqg"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::Deflated, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Archives, Category::Textures),
        outputs: "one JSON table per archive, and the outputs of its members",
        notes: "",
    }
    /// Zipper archive with its table at the end.
    Archive [Archive(Archive<'a>) = |source| archive::decode(source.bytes), archive::encode] {
        label: "archive",
        files: "`*.zbd` with a table at the end",
        detectors: &[
            Detector::File(Test::Structure("a table at the end whose rows tile the file, with names", |source| {
                archive::sniff(source.bytes)
            })),
            Detector::File(Test::Structure("RIFF files in a row, of an archive that lost its table", |source| {
                is_wave(source) && is_followed_by_another(source)
            })),
            Detector::File(Test::Name("named *.zbd, and as no other kind", |source| {
                source.ends_with(&["zbd"]) && !names_textures(source.stem)
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_ZIPPER,
        game: game_of_archive, members: Members::Stored, implies: "",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "one JSON table per archive, and the outputs of its members",
        notes: "",
    }
    /// Zipper texture package.
    Textures [Textures(Package<'a>) = |source| package::decode(source.bytes), package::encode] {
        label: "textures",
        files: "`*texture*.zbd`, `*image.zbd`, `rmechtex*.zbd`",
        detectors: &[
            Detector::File(Test::Structure("a table of pictures that fits the file", |source| {
                package::sniff(source.bytes)
            })),
            Detector::File(Test::Name("named *tex*.zbd or *image*.zbd", |source| {
                source.ends_with(&["zbd"]) && names_textures(source.stem)
            })),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_ZIPPER,
        game: silent, members: Members::Stored, implies: "",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Textures, Category::Textures),
        outputs: "PNG, JSON facts of the package and of fonts",
        notes: "",
    }
    /// RIFF/WAVE sound.
    Wave [Wave(Wave<'a>) = |source| riff::decode(source.bytes), riff::encode] {
        label: "sound",
        files: "`*.wav` alone, in `sounds*.zbd` and in `*.s3d`",
        detectors: &[
            // Not a signature, because an archive of sounds begins with its first one.
            Detector::FileOrEverQuestMember(Test::Structure("\"RIFF\" at byte 0 and \"WAVE\" at byte 8", is_wave)),
            Detector::ZipperMember(Test::Magic(0, b"RIFF")),
            Detector::FileOrEverQuestMember(Test::Extension(&["wav"])),
            Detector::ZipperMember(Test::Extension(&["wav"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::None, implies: ".wav",
        support: EVERY_GAME,
        becomes: Becomes::Asset(AssetKind::Sounds, Category::Sounds),
        outputs: "WAV, FLAC (PCM, MS ADPCM, IMA ADPCM)",
        notes: "",
    }
    /// AVI video.
    Avi [Avi(Avi<'a>) = |source| avi::decode(source.bytes)] {
        label: "AVI video",
        files: "`*.avi`",
        detectors: &[
            Detector::File(Test::Signature("\"RIFF\" at byte 0 and \"AVI \" at byte 8", |source| {
                source.has(0, b"RIFF") && source.has(8, b"AVI ")
            })),
            Detector::File(Test::Extension(&["avi"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Asset(AssetKind::Video, Category::Video),
        outputs: "MP4 (H.264, AAC) or other, JSON facts; needs ffmpeg",
        notes: "",
    }
    /// Member of a Zipper model library.
    MechlibMember [Mechlib(Member) = mechlib_member, Member::encode] {
        label: "model",
        files: "members of `mechlib.zbd`",
        detectors: &[
            Detector::ZipperMember(Test::Structure("in an archive of format, version and materials", |source| {
                source.context().is_some_and(|context| context.mechlib)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_MECHWARRIOR,
        game: silent, members: Members::None, implies: ".flt",
        support: MECHWARRIOR,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "glTF with every motion as an animation, JSON tables",
        notes: "",
    }
    /// Section of a save game.
    SaveMember [Save(SaveMember<'a>) = save_member, save::encode] {
        label: "save game part",
        files: "save games: `*.mw3`, `SavedGames/*`, `Status.dat`, `*.sav`, `Persist.*`, `Mission.*`",
        detectors: &[
            Detector::ZipperMember(Test::Structure("in an archive with zSaveHeader or sections of Recoil", |source| {
                source.context().is_some_and(|context| context.save.is_some())
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_ZIPPER,
        game: silent, members: Members::None, implies: "",
        support: [FULL, FULL, FULL, FULL, NONE],
        becomes: Becomes::Asset(AssetKind::Saves, Category::Config),
        outputs: "JSON, one file per save",
        notes: "Recoil: every section. Crimson Skies: pilot, planes, results. MechWarrior 3: the header and animation \
            activations. Everything else is stored raw. No real save game was available. The outputs include the \
            names of pilots and the folders of their profiles.",
    }
    /// Saved plane of Crimson Skies.
    Plane [Plane(PlaneRecord) = |source| crimson::decode_plane(source.bytes), crimson::encode_plane] {
        label: "saved plane",
        files: "`Planes/*`",
        detectors: &[
            Detector::File(Test::Structure("204 bytes, every number in the range that a plane allows", |source| {
                crimson::looks_like_plane(source.bytes)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_CRIMSON,
        game: silent, members: Members::None, implies: "",
        support: CRIMSON,
        becomes: Becomes::Asset(AssetKind::Saves, Category::Config),
        outputs: "JSON; variants of the aircraft's glTF",
        notes: "",
    }
    /// Keyframes of one motion.
    Motion [Motion(Motion<'a>) = |source| motion::decode(source.bytes), motion::encode] {
        label: "motion",
        files: "members of `motion.zbd`",
        detectors: &[
            Detector::ZipperMember(Test::Structure("tables of keyframes that fit the member", |source| {
                motion::looks_like(source.bytes)
            })),
            Detector::ZipperMember(Test::Name("without an extension, next to motions", |source| {
                source.extension.is_none() && source.context().is_some_and(|context| context.motion)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_MECHWARRIOR,
        game: silent, members: Members::None, implies: "",
        support: MECHWARRIOR,
        becomes: Becomes::Asset(AssetKind::Motions, Category::Animations),
        outputs: "JSON; clips of 'mechs",
        notes: "",
    }
    /// Resource archive of Crimson Skies.
    Rof [Rof(Rof<'a>) = |source| rof::decode(source.bytes), rof::encode] {
        label: "resource archive",
        files: "`crimson.rof`, `crimptch.rof`",
        detectors: &[
            Detector::File(Test::Structure("records and names at byte 0 that lead into the file, and the name", |source| {
                source.ends_with(&["rof"]) && rof::looks_like(source.bytes)
            })),
            Detector::File(Test::Extension(&["rof"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_CRIMSON,
        game: silent, members: Members::Deflated, implies: "",
        support: CRIMSON,
        becomes: Becomes::Asset(AssetKind::Archives, Category::Textures),
        outputs: "one JSON table per archive, and its files: pictures as PNG, WAV, texts unchanged, tables as JSON too",
        notes: "A patch replaces single paths: both versions are written, and the tables mark the one that wins.",
    }
    /// Livery of Crimson Skies.
    Livery [Livery(Livery<'a>) = |source| livery::decode(source.bytes), livery::encode] {
        label: "livery",
        files: "`*.bm` in `crimson.rof`, or alone",
        detectors: &[Detector::File(Test::Extension(&["bm"]))],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_CRIMSON,
        game: silent, members: Members::None, implies: "",
        support: CRIMSON,
        becomes: Becomes::Asset(AssetKind::Textures, Category::Textures),
        outputs: "PNG of each part, PNG in the paints of its pattern, JSON; variants of the aircraft's glTF",
        notes: "The mix of paints whose weights do not sum to 255 is not certain; `liveries.rule` selects it.",
    }
    /// Recoil mission map.
    Zmap [Zmap(Map) = |source| zmap::decode(source.bytes), zmap::encode] {
        label: "map",
        files: "`maps/m*.zmap`",
        detectors: &[
            Detector::File(Test::Structure("lists that fit the file, and the name", |source| {
                source.ends_with(&["zmap"]) && zmap::looks_like(source.bytes)
            })),
            Detector::File(Test::Extension(&["zmap"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: Owners::Only(&[Game::Rc]),
        game: game_of_map, members: Members::None, implies: "",
        support: [FULL, NONE, NONE, NONE, NONE],
        becomes: Becomes::Asset(AssetKind::Maps, Category::Worlds),
        outputs: "JSON",
        notes: "",
    }
    /// Binary reader value.
    BinaryReader [Reader(Value<'a>) = |source| binary::decode(source.bytes), binary::encode] {
        label: "reader",
        files: "`*.zrd` alone, in `zrdr.zbd` and in `reader*.zbd`",
        detectors: &[
            Detector::File(Test::Structure("starts with the word 4, and the name is *.zrd", |source| {
                source.ends_with(&["zrd"]) && source.word(0) == Some(4)
            })),
            Detector::ZipperMember(Test::Name("named *.zrd, no parenthesis at byte 0", |source| {
                source.ends_with(&["zrd"]) && (source.word(0) == Some(4) || !source.has(0, b"("))
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_ZIPPER,
        game: silent, members: Members::None, implies: ".zrd",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Readers, Category::Config),
        outputs: "JSON; control settings with key names",
        notes: "",
    }
    /// Text reader value.
    TextReader [
        TextReader(TextDocument<'a>) = |source| text::decode(source.bytes), |value| Ok(text::encode(value))
    ] {
        label: "text reader",
        files: "`*.zrd` alone and in `reader*.zbd`",
        detectors: &[
            Detector::File(Test::Extension(&["zrd"])),
            Detector::ZipperMember(Test::Extension(&["zrd"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: ".zrd",
        support: ZIPPER,
        becomes: Becomes::Asset(AssetKind::Readers, Category::Config),
        outputs: "JSON",
        notes: "",
    }
    /// MPEG video.
    Mpeg {
        label: "MPEG video",
        files: "`*.mpg`, `*.mpeg`",
        detectors: &[
            Detector::File(Test::Magic(0, &[0, 0, 1, 0xBA])),
            Detector::File(Test::Magic(0, &[0, 0, 1, 0xB3])),
            Detector::File(Test::Extension(&["mpg", "mpeg"])),
        ],
        empty: WhenEmpty::Lost, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Asset(AssetKind::Video, Category::Video),
        outputs: "MP4 (H.264, AAC) or other, JSON facts; needs ffmpeg",
        notes: "",
    }
    /// Windows bitmap in an EverQuest archive.
    Bitmap [Bitmap(bmp::Bmp<'a>) = |source| bmp::decode(source.bytes), bmp::encode] {
        label: "bitmap",
        files: "`*.bmp` in `*.s3d`",
        detectors: &[
            Detector::EverQuestMember(Test::Signature("\"BM\" at byte 0, and the size of a header", is_bitmap)),
            Detector::EverQuestMember(Test::Extension(&["bmp"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Textures, Category::Textures),
        outputs: "PNG",
        notes: "",
    }
    /// Picture of another program in an EverQuest archive.
    Picture {
        label: "picture",
        files: "PNG, JPEG, Targa in `*.eqg` and `*.s3d`, under the name of any picture; Targa, BMP, JPEG next to them",
        detectors: &[
            Detector::EverQuestMember(Test::Magic(0, portable::PNG)),
            Detector::EverQuestMember(Test::Magic(0, portable::JPEG)),
            Detector::EverQuestMember(Test::Structure("the header of a Targa picture, and the name of a picture", |source| {
                source.ends_with(&["tga", "bmp", "dds", "png", "jpg", "jpeg"])
                    && texture::sniff(source.bytes) == Some(texture::FileKind::Targa)
            })),
            Detector::EverQuestMember(Test::Extension(&["png", "jpg", "jpeg", "tga"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST_READ,
        becomes: Becomes::Asset(AssetKind::Textures, Category::Textures),
        outputs: "PNG; a PNG as it is",
        notes: "",
    }
    /// Zone in the EQG format.
    EqgZone [EqgZone(Box<eqg::zone::Zone>) = |source| eqg::zone::decode(source.bytes).map(boxed), eqg::zone::encode] {
        label: "EverQuest zone",
        files: "`*.zon` in `*.eqg`, or as a separate file next to it",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGZ")),
            Detector::FileOrEverQuestMember(Test::Extension(&["zon"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "glTF with the terrain and the models that it places, JSON tables",
        notes: "A separate zone file next to the archive of its name replaces the one inside.",
    }
    /// Zone of tiles in the EQG format.
    EqgZoneText [EqgZoneText(eqg::text::Text) = |source| readable::statements(source.bytes), eqg::text::encode] {
        label: "EverQuest zone of tiles",
        files: "`*.zon` in `*.eqg` (version 4)",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQTZP")),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "glTF of the ground and the objects on it, JSON tables",
        notes: "No retail file was available for testing.",
    }
    /// Ground of a zone of tiles.
    EqgTiles [EqgTiles(Box<eqg::tiles::Tiles>) = |source| eqg::tiles::decode(source.bytes).map(boxed), eqg::tiles::encode] {
        label: "EverQuest tiles",
        files: "`ZONE.dat` in `*.eqg`",
        detectors: &[
            Detector::EverQuestMember(Test::Structure("a version, and the name of a picture, and named *.dat", |source| {
                source.ends_with(&["dat"]) && eqg::tiles::looks_like(source.bytes)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; part of the zone",
        notes: "",
    }
    /// Invisible walls of a zone of tiles.
    EqgWalls [EqgWalls(eqg::walls::Walls) = |source| eqg::walls::decode(source.bytes), eqg::walls::encode] {
        label: "EverQuest walls",
        files: "`invw.dat` in `*.eqg`",
        detectors: &[
            Detector::EverQuestMember(Test::Name("named invw.dat", |source| {
                source.ends_with(&["dat"]) && source.stem == "invw"
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; part of the zone",
        notes: "",
    }
    /// Terrain in the EQG format.
    EqgTerrain [EqgTerrain(Box<eqg::mesh::Mesh>) = |source| eqg::mesh::decode(source.bytes).map(boxed), eqg::mesh::encode] {
        label: "EverQuest terrain",
        files: "`*.ter` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGT")),
            Detector::FileOrEverQuestMember(Test::Extension(&["ter"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "glTF",
        notes: "",
    }
    /// Model in the EQG format.
    EqgModel [EqgModel(Box<eqg::mesh::Mesh>) = |source| eqg::mesh::decode(source.bytes).map(boxed), eqg::mesh::encode] {
        label: "EverQuest model",
        files: "`*.mod` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGM")),
            Detector::EverQuestMember(Test::Extension(&["mod"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "glTF with skins, clips, variants and points",
        notes: "Particles are extras.",
    }
    /// Creature in the EQG format.
    EqgCreature [EqgCreature(Box<eqg::creature::Creature>) = |source| eqg::creature::decode(source.bytes).map(boxed), eqg::creature::encode] {
        label: "EverQuest creature",
        files: "`*.mds` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGS")),
            Detector::EverQuestMember(Test::Extension(&["mds"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "glTF with skins, clips, variants and points",
        notes: "Parts that are hidden by default, such as other heads, are in `NAME.hidden`.",
    }
    /// Movement of the bones of a model.
    EqgAnimation [EqgAnimation(eqg::animation::Animation) = |source| eqg::animation::decode(source.bytes), eqg::animation::encode] {
        label: "EverQuest animation",
        files: "`*.ani` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGA")),
            Detector::EverQuestMember(Test::Extension(&["ani"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: everquest_signature, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Animations, Category::Animations),
        outputs: "JSON; clips of models",
        notes: "",
    }
    /// Alternative textures of a model.
    EqgLayers [EqgLayers(eqg::layers::Layers) = |source| eqg::layers::decode(source.bytes), eqg::layers::encode] {
        label: "EverQuest layers",
        files: "`*.lay` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGL")),
            Detector::EverQuestMember(Test::Extension(&["lay"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "JSON; variants of models",
        notes: "",
    }
    /// Light baked into the vertices of a placement.
    EqgLight [EqgLight(eqg::light::Light) = |source| eqg::light::decode(source.bytes), eqg::light::encode] {
        label: "EverQuest baked light",
        files: "`*.lit` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQGP")),
            Detector::EverQuestMember(Test::Extension(&["lit"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; vertex colors of zones",
        notes: "",
    }
    /// Particles of a model.
    EqgParticles [EqgParticles(eqg::particles::Particles) = |source| eqg::particles::decode(source.bytes), eqg::particles::encode] {
        label: "EverQuest particles",
        files: "`*.prt` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"PTCL")),
            Detector::EverQuestMember(Test::Extension(&["prt"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "JSON; extras of models",
        notes: "Version 3 is stored as bytes.",
    }
    /// Points on the bones of a model.
    EqgPoints [EqgPoints(eqg::points::Points) = |source| eqg::points::decode(source.bytes), eqg::points::encode] {
        label: "EverQuest points",
        files: "`*.pts` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQPT")),
            Detector::EverQuestMember(Test::Extension(&["pts"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "JSON; nodes of models",
        notes: "",
    }
    /// Text in the EQG format: levels of detail, plants, groups of models, lights, water.
    EqgText [EqgText(eqg::text::Text) = |source| readable::statements(source.bytes), eqg::text::encode] {
        label: "EverQuest text",
        files: "`*.lod`, `*.eco`, `*.tog`, `*.def`, `water.dat` in `*.eqg`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EQLOD")),
            Detector::EverQuestMember(Test::Structure("an asterisk and a keyword at byte 0, and named *.dat", |source| {
                source.ends_with(&["dat"]) && starts_with_keyword(source)
            })),
            Detector::EverQuestMember(Test::Extension(&["lod", "eco", "tog", "def"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; part of the zone",
        notes: "",
    }
    /// Particle emitters of a zone.
    EnvironmentEmitters [
        EnvironmentEmitters(eqg::text::Text) = |source| readable::environment(source.bytes), eqg::text::encode
    ] {
        label: "EverQuest environment emitters",
        files: "`ZONE_EnvironmentEmitters.txt`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Name("named *_environmentemitters.txt", |source| {
                source.ends_with(&["txt"]) && source.stem.ends_with("_environmentemitters")
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; nodes of zones",
        notes: "",
    }
    /// PLY mesh, under any name.
    Ply [Ply(ply::Ply<'a>) = |source| ply::decode(source.bytes), ply::encode] {
        label: "PLY mesh",
        files: "`stars*.dds` that are meshes, `*.ply`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"ply\n")),
            Detector::FileOrEverQuestMember(Test::Magic(0, b"ply\r\n")),
            Detector::FileOrEverQuestMember(Test::Extension(&["ply"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Models, Category::Models),
        outputs: "glTF",
        notes: "The axes are assumed to be those of the game's other files.",
    }
    /// Definitions of particle emitters.
    EmitterDefinitions [EmitterDefinitions(eqg::emitters::Definitions) = |source| eqg::emitters::decode(source.bytes), eqg::emitters::encode] {
        label: "EverQuest particle emitters",
        files: "`*.edd`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"EDD\0")),
            Detector::FileOrEverQuestMember(Test::Extension(&["edd"])),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "JSON",
        notes: "",
    }
    /// DDS picture, in an EverQuest archive or alone.
    Dds [Dds(dds::Dds<'a>) = |source| dds::decode(source.bytes), dds::encode] {
        label: "DDS picture",
        files: "`*.dds` in `*.s3d` and `*.eqg`, or alone",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"DDS ")),
            Detector::FileOrEverQuestMember(Test::Extension(&["dds"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Textures, Category::Textures),
        outputs: "PNG",
        notes: "",
    }
    /// Names of the sounds of an EverQuest zone.
    SoundBank [SoundBank(bank::SoundBank) = |source| bank::decode(source.bytes), bank::encode] {
        label: "sound names",
        files: "`*_sndbnk.eff`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Name("named *_sndbnk.eff", |source| {
                source.ends_with(&["eff"]) && source.stem.ends_with("_sndbnk")
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Sounds, Category::Sounds),
        outputs: "JSON",
        notes: "",
    }
    /// Sound emitters of an EverQuest zone.
    Emitters [Emitters(eff::Emitters<'a>) = |source| eff::decode(source.bytes), eff::encode] {
        label: "sound emitters",
        files: "`*_sounds.eff`",
        detectors: &[
            // Spell files have the same extension.
            Detector::FileOrEverQuestMember(Test::Name("named *_sounds.eff, or *.eff and made of emitters", |source| {
                source.ends_with(&["eff"])
                    && (source.stem.ends_with("_sounds") || eff::looks_like(source.bytes))
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Sounds, Category::Sounds),
        outputs: "JSON",
        notes: "",
    }
    /// Grass of an EverQuest zone.
    GrassCards [Grass(grass::Grass<'a>) = |source| grass::decode(source.bytes), grass::encode] {
        label: "EverQuest grass",
        files: "`ZONE.dat` next to the archives of a zone",
        detectors: &[
            Detector::File(Test::Structure("whole cards with places and heights of a zone, and named *.dat", |source| {
                source.ends_with(&["dat"]) && grass::looks_like(source.bytes)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: true, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Worlds, Category::Worlds),
        outputs: "JSON; an instanced mesh in the zone's scene with `everquest.grass`",
        notes: "The picture that a number refers to is unknown.",
    }
    /// Sound emitters of an EverQuest zone, as text.
    EmitterText [EmitterText(Vec<emt::EmitterLine>) = |source| emt::decode(source.bytes), emt::encode] {
        label: "sound emitters",
        files: "`*.emt`",
        detectors: &[Detector::FileOrEverQuestMember(Test::Extension(&["emt"]))],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Sounds, Category::Sounds),
        outputs: "JSON",
        notes: "",
    }
    /// Music of EverQuest.
    Xmidi [Xmidi(xmidi::Xmidi<'a>) = |source| xmidi::decode(source.bytes), xmidi::encode] {
        label: "XMIDI music",
        files: "`*.xmi`",
        detectors: &[
            Detector::File(Test::Signature("\"FORM\" with \"XDIR\" or \"XMID\"", |source| {
                xmidi::looks_like(source.bytes)
            })),
            Detector::File(Test::Extension(&["xmi"])),
        ],
        empty: WhenEmpty::Lost, shows_install: true, owners: OF_EVERQUEST,
        game: silent, members: Members::Stored, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Music, Category::Music),
        outputs: "MIDI, a file for each sequence, JSON with loops; FLAC through a sound font on request",
        notes: "Loops are markers, and in the JSON with ticks and seconds.",
    }
    /// Spells of EverQuest.
    SpellTable [SpellTable(spells::table::SpellTable<'a>) = |source| spells::table::decode(source.bytes), spells::table::encode] {
        label: "EverQuest spells",
        files: "`spdat.eff`",
        detectors: &[
            Detector::File(Test::Name("named spdat.eff", |source| {
                source.ends_with(&["eff"]) && source.stem == "spdat"
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "JSON, a line for each spell",
        notes: "",
    }
    /// Spell effects of old EverQuest clients.
    SpellSprites [SpellSprites(spells::sprites::SpriteTable<'a>) = |source| spells::sprites::decode(source.bytes), spells::sprites::encode] {
        label: "EverQuest spell sprites",
        files: "`spells.eff`",
        detectors: &[
            Detector::File(Test::Name("named spells.eff", |source| {
                source.ends_with(&["eff"]) && source.stem == "spells"
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "JSON",
        notes: "glTF has no particles.",
    }
    /// Spell effects of newer EverQuest clients.
    SpellStages [SpellStages(spells::stages::StageTable<'a>) = |source| spells::stages::decode(source.bytes), spells::stages::encode] {
        label: "EverQuest spell effects",
        files: "`spellsnew.eff`",
        detectors: &[
            Detector::File(Test::Name("named spellsnew.eff", |source| {
                source.ends_with(&["eff"]) && source.stem == "spellsnew"
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "JSON, with the names of emitters",
        notes: "",
    }
    /// List of an EverQuest install, as text.
    TextList [TextList(eqg::text::Text) = |source| readable::list(source.name, source.bytes), eqg::text::encode] {
        label: "EverQuest list",
        files: "`dbstr_us.txt`, `eqstr_us.txt`, `spells_us.txt`, `BaseData.txt`, `SkillCaps.txt`, `GlobalLoad.txt`, \
            `OnDemandResources.txt`, `requirements.txt`, `actortaginfo.txt`, `NewArmor*.txt` …",
        detectors: &[
            Detector::File(Test::Name("named as one of the lists", |source| {
                let layout = lists::Layout::of(&format!("{}.txt", source.stem));
                source.ends_with(&["txt"]) && layout.is_some_and(|layout| layout.fits(source.bytes))
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Text),
        outputs: "JSON: names of columns, and a line for each row",
        notes: "",
    }
    /// Map of an EverQuest zone.
    ZoneMap [ZoneMap(eqg::text::Text) = |source| readable::map(source.bytes), eqg::text::encode] {
        label: "EverQuest map",
        files: "`maps/*.txt`",
        detectors: &[
            Detector::File(Test::Name("named *.txt, with lines and points of a map", |source| {
                source.ends_with(&["txt"]) && lists::is_map(source.bytes)
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Maps, Category::Worlds),
        outputs: "JSON of lines and points",
        notes: "Coordinates are as stored.",
    }
    /// Settings of the world of EverQuest: skies, weather.
    WorldSettings [WorldSettings(eqg::text::Text) = |source| readable::settings(source.bytes), eqg::text::encode] {
        label: "EverQuest settings of the world",
        files: "`sky.ini`, `weather.ini`, `precipitation.ini`, `SPOffsets.ini`, `moddat.ini`, `npct.ini`, `WaterSwap.ini`",
        detectors: &[
            Detector::File(Test::Name("named as one of these", |source| {
                source.ends_with(&["ini"]) && lists::is_world_settings(&format!("{}.ini", source.stem))
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: OF_EVERQUEST,
        game: silent, members: Members::None, implies: "",
        support: EVERQUEST,
        becomes: Becomes::Asset(AssetKind::Other, Category::Config),
        outputs: "JSON",
        notes: "Settings of players are not read.",
    }
    /// Music for any player.
    MusicFile {
        label: "music",
        files: "`*.mp3`, `*.ogg`, `*.mid`",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Magic(0, b"OggS")),
            Detector::FileOrEverQuestMember(Test::Magic(0, b"MThd")),
            Detector::FileOrEverQuestMember(Test::Extension(&["mp3", "ogg", "mid"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Asset(AssetKind::Music, Category::Music),
        outputs: "copied unchanged",
        notes: "",
    }
    /// Instruments for music.
    SoundFont {
        label: "sound font",
        files: "`*.sf2`, `*.sbk`, `*.dls`",
        detectors: &[
            Detector::File(Test::Signature("\"RIFF\" with \"sfbk\" or \"DLS \"", |source| {
                source.has(0, b"RIFF") && (source.has(8, b"sfbk") || source.has(8, b"DLS "))
            })),
            Detector::File(Test::Extension(&["sf2", "sbk", "dls"])),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [NONE, NONE, NONE, NONE, READ],
        becomes: Becomes::Asset(AssetKind::Music, Category::Music),
        outputs: "copied unchanged; instruments for music (`music.render`)",
        notes: "Fonts for a sound card refer to samples in the card's memory, which no file has.",
    }
    /// Smacker video.
    Smacker {
        label: "Smacker video",
        files: "`*.smk`",
        detectors: &[
            Detector::File(Test::Magic(0, b"SMK2")),
            Detector::File(Test::Magic(0, b"SMK4")),
            Detector::File(Test::Extension(&["smk"])),
        ],
        empty: WhenEmpty::Lost, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Asset(AssetKind::Video, Category::Video),
        outputs: "MP4 (H.264, AAC) or other, JSON facts; needs ffmpeg",
        notes: "",
    }
    /// A disc image: a CUE sheet, or an image without one.
    Disc {
        label: "disc image",
        files: "`*.cue` with `*.bin` or `*.wav`, `*.iso`, raw `*.bin`",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::Stored, implies: "",
        support: EVERY_GAME,
        becomes: Becomes::Asset(AssetKind::Discs, Category::Music),
        outputs: "the files on it as above, JSON of the disc",
        notes: "",
    }
    /// An audio track of a disc image.
    AudioTrack {
        label: "audio track",
        files: "audio tracks of disc images",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: true, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [FULL, FULL, FULL, NONE, NONE],
        becomes: Becomes::Asset(AssetKind::Music, Category::Music),
        outputs: "FLAC, WAV",
        notes: "",
    }
    /// A file that is read as part of a disc image.
    DiscPart {
        label: "part of a disc image",
        files: "files that a CUE sheet names",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Nothing("read as part of a disc image"),
        outputs: "",
        notes: "",
    }
    /// A cabinet or archive, represented by the file that it is opened by.
    Cabinet {
        label: "cabinet",
        files: "InstallShield `data1.hdr`, `data1.cab` …; Microsoft `*.cab`; `*.zip`; self-extracting programs",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::Deflated, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Asset(AssetKind::Cabinets, Category::Config),
        outputs: "the files in it as above, JSON of the cabinet",
        notes: "Tables of InstallShield sets are written byte for byte; compressed data, Microsoft cabinets and zip archives are only read.",
    }
    /// A file that is read as part of a cabinet.
    CabinetPart {
        label: "part of a cabinet",
        files: "volumes of cabinets, and their separate files",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::Nothing("read as part of a cabinet"),
        outputs: "",
        notes: "",
    }
    /// A known kind of file without a converter.
    Foreign {
        label: "other known file",
        files: "fonts, force feedback, texts: `*.ttf`, `*.ifr`, `*.txt` …",
        detectors: &[
            Detector::FileOrEverQuestMember(Test::Name("named as one of the list below", |source| {
                // Disc images have the same extensions as texts of models.
                let is_text = !source.ends_with(&["mdf", "sps"]) || starts_as_text(source);
                is_text && source.extension.is_some_and(|extension| foreign_reason(extension).is_some())
            })),
        ],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: EVERY_GAME_READ,
        becomes: Becomes::NothingByName,
        outputs: "copied unchanged (`[loose]`)",
        notes: "",
    }
    /// An empty file.
    Empty {
        label: "empty file",
        files: "files of 0 bytes",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [MISSING; 5],
        becomes: Becomes::Nothing("the file is empty"),
        outputs: "",
        notes: "",
    }
    /// Unknown format.
    Unknown {
        label: "unknown",
        files: "anything else",
        detectors: &[],
        empty: WhenEmpty::Empty, shows_install: false, owners: Owners::Any,
        game: silent, members: Members::None, implies: "",
        support: [MISSING; 5],
        becomes: Becomes::Nothing("no known format"),
        outputs: "",
        notes: "",
    }
}

fn save_member<'a>(source: Source<'a, '_>) -> Result<Decoded<SaveMember<'a>>> {
    let game = source.context.save.unwrap_or_default();
    save::decode_of(game, source.name, source.bytes)
}

fn mechlib_member(source: Source<'_, '_>) -> Result<Decoded<Member>> {
    mechlib::decode_member(source.name, source.bytes, source.context.version)
}
