//! Converter of each kind, the dependency that its files are for other files, and the needs of its items.
//!
//! The match over all kinds is exhaustive: a new row in [`formats::registry`](relicast_formats::registry) does
//! not compile without its conversion here. A kind without a converter is skipped with a reason.

use crate::options::ConvertOptions;
use relicast_codec::FormatError;
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::{Kind, skip_reason};

use super::contract::{Converter, OpenContext};
use super::dependencies::{Dependency, DependencyKind, Needs};
use super::shared::disc::{last_track, open_disc_with_uses};
use super::shared::passthrough::LooseFile;
use super::shared::video::VideoFile;
use super::single::SingleFile;
use super::source_item::SourceItem;
use super::{everquest, zipper};
use relicast_source::disc::Disc;

/// Opens a file.
type Open = for<'a, 'd> fn(OpenContext<'a, 'd>) -> Result<Box<dyn Converter + 'a>, FormatError>;

/// Function that opens files of a kind.
#[derive(Clone, Copy)]
enum Opening {
    /// Opened by this function.
    Converter(Open),
    /// Opened by this function when the settings ask for a copy.
    Copy(Open),
    /// Not opened as files: the converter of their container converts sources of this kind.
    InContainers,
    /// Never opened.
    Never,
}

/// Conversion of files of a kind.
struct Conversion {
    opening: Opening,
    /// Returns the dependency that it is for other files, by its kind and items.
    provides: fn(&[&SourceItem]) -> DependencyKind,
    /// Returns the dependencies that an item of it needs.
    needs: fn(&SourceItem) -> Needs,
}

impl Conversion {
    /// Opened by `open`. No file depends on such files, and their items need all
    /// dependencies.
    const fn by(open: Open) -> Self {
        Self::opened(Opening::Converter(open))
    }

    const fn opened(opening: Opening) -> Self {
        Self {
            opening,
            provides: |_| DependencyKind::Other,
            needs: |_| Needs::All,
        }
    }

    const fn providing(self, provides: fn(&[&SourceItem]) -> DependencyKind) -> Self {
        Self { provides, ..self }
    }

    const fn needing(self, needs: fn(&SourceItem) -> Needs) -> Self {
        Self { needs, ..self }
    }
}

/// Makes functions that open a file by an expression in its context.
macro_rules! openers {
    ($($name:ident($context:ident) $converter:expr;)*) => {$(
        #[allow(clippy::unnecessary_wraps, reason = "all openers have one type")]
        fn $name<'a>($context: OpenContext<'a, '_>) -> Result<Box<dyn Converter + 'a>, FormatError> {
            Ok(Box::new($converter))
        }
    )*};
}

openers! {
    archive(context) zipper::archive::ArchiveFile::open(context)?;
    resources(context) zipper::crimson::ResourceFile::open(context)?;
    livery(context) zipper::crimson::LiveryFile::new(context.name, context.bytes);
    textures(context) zipper::texture::PackageFile::open(context.name, context.bytes)?;
    world(context) {
        let OpenContext { name, bytes, depth, .. } = context;
        zipper::world::WorldFile::open_to(depth, name, bytes, context.dependencies)?.at(context.path)
    };
    animations(context) zipper::anim::AnimFile::open(context.bytes, context.dependencies)?;
    messages(context) zipper::messages::MessageLibrary::open(context.bytes)?;
    xmidi(context) everquest::XmidiFile::open(&context)?;
    pfs(context) everquest::PfsConverter::archive(&context)?;
    scene(context) everquest::PfsConverter::loose(&context)?;
    sound_list(context) everquest::ListFile::new(&context);
    table(context) everquest::TableFile::new(&context);
    eqg(context) everquest::EqgFile::new(context.kind, context.name, context.bytes);
    picture(context) everquest::PictureFile::new(context.kind, context.name, context.bytes);
    ply(context) everquest::PlyFile::new(context.name, context.bytes);
    single(context) SingleFile::new(context.kind, context.name, context.bytes);
    video(context) VideoFile::open(context.kind, context.bytes)?;
    loose(context) LooseFile::new(context.kind, context.size);
}

/// The table.
const fn conversion(kind: Kind) -> Conversion {
    match kind {
        Kind::Archive => Conversion::by(archive)
            .providing(archive_content)
            .needing(archive_needs),
        Kind::Rof => Conversion::by(resources)
            .providing(|_| DependencyKind::Resources)
            .needing(resource_needs),
        Kind::Livery => Conversion::by(livery).providing(|_| DependencyKind::Liveries),
        Kind::Textures => Conversion::by(textures).providing(|_| DependencyKind::Textures),
        Kind::GameZ => Conversion::by(world).providing(|_| DependencyKind::World),
        Kind::Anim => Conversion::by(animations).providing(|_| DependencyKind::Animations),
        Kind::MessageDll => Conversion::by(messages).providing(|_| DependencyKind::Messages),
        Kind::Plane => Conversion::by(single).providing(|_| DependencyKind::Saves),
        Kind::Interp => Conversion::by(single).providing(|_| DependencyKind::Scripts),
        Kind::Zmap | Kind::Wave => Conversion::by(single),
        Kind::MusicFile => Conversion::by(single).providing(|_| DependencyKind::MusicFile),
        Kind::SpellTable | Kind::SpellSprites | Kind::ZoneMap => Conversion::by(table),
        Kind::GrassCards => Conversion::by(table).providing(|_| DependencyKind::GrassCards),
        Kind::WorldSettings => Conversion::by(table).providing(|_| DependencyKind::WorldSettings),
        Kind::SpellStages => Conversion::by(table).providing(|_| DependencyKind::SpellStages),
        Kind::TextList => Conversion::by(table).providing(|_| DependencyKind::TextList),
        Kind::SoundFont => Conversion::by(single).providing(|_| DependencyKind::SoundFont),
        Kind::Xmidi => Conversion::by(xmidi)
            .providing(|_| DependencyKind::Songs)
            .needing(everquest::needs_of_music),
        Kind::BinaryReader | Kind::TextReader => {
            Conversion::by(single).providing(|_| DependencyKind::Readers)
        }
        Kind::Pfs => Conversion::by(pfs)
            .providing(|_| DependencyKind::EverQuest)
            .needing(everquest_needs),
        Kind::Wld => Conversion::by(scene).providing(|_| DependencyKind::EverQuestScene),
        Kind::Emitters => Conversion::by(sound_list).providing(|_| DependencyKind::Emitters),
        Kind::EmitterText => Conversion::by(sound_list).providing(|_| DependencyKind::EmitterText),
        Kind::SoundBank => Conversion::by(sound_list).providing(|_| DependencyKind::SoundBank),
        Kind::Dds | Kind::Picture => Conversion::by(picture),
        Kind::Ply => Conversion::by(ply),
        Kind::EnvironmentEmitters => {
            Conversion::by(eqg).providing(|_| DependencyKind::EnvironmentEmitters)
        }
        Kind::EqgZone => Conversion::by(eqg).providing(|_| DependencyKind::EverQuestZone),
        Kind::EqgZoneText
        | Kind::EqgTiles
        | Kind::EqgWalls
        | Kind::EqgTerrain
        | Kind::EqgModel
        | Kind::EqgCreature
        | Kind::EqgAnimation
        | Kind::EqgLayers
        | Kind::EqgLight
        | Kind::EqgParticles
        | Kind::EqgPoints
        | Kind::EqgText => Conversion::by(eqg),
        Kind::EmitterDefinitions => {
            Conversion::by(eqg).providing(|_| DependencyKind::EmitterDefinitions)
        }
        Kind::Avi | Kind::Mpeg | Kind::Smacker => Conversion::by(video),
        Kind::Foreign | Kind::Unknown => Conversion::opened(Opening::Copy(loose)),
        Kind::MechlibMember
        | Kind::Motion
        | Kind::SaveMember
        | Kind::Bitmap
        | Kind::Cabinet
        | Kind::AudioTrack => Conversion::opened(Opening::InContainers),
        Kind::Disc => Conversion::opened(Opening::InContainers).providing(|_| DependencyKind::Disc),
        Kind::DiscPart | Kind::CabinetPart | Kind::Empty | Kind::Program => {
            Conversion::opened(Opening::Never)
        }
    }
}

/// Content of a Zipper archive, by its members.
fn archive_content(items: &[&SourceItem]) -> DependencyKind {
    let has = |kind: Kind| items.iter().any(|item| item.kind == kind);
    if items.iter().any(|item| item.asset == AssetKind::Saves) {
        return DependencyKind::Saves;
    }
    if has(Kind::MechlibMember) {
        DependencyKind::Models
    } else if has(Kind::Motion) {
        DependencyKind::Motions
    } else if has(Kind::Wave) {
        DependencyKind::Sounds
    } else if has(Kind::BinaryReader) || has(Kind::TextReader) {
        DependencyKind::Readers
    } else {
        DependencyKind::Other
    }
}

/// A list marks looped sounds, and the table of their archive repeats it; the tables of other archives, and
/// members that are converted as they would be alone, need nothing.
fn archive_needs(item: &SourceItem) -> Needs {
    let is_listed = item.kind == Kind::Wave || item.category == Category::Sounds;
    match is_listed || item.kind == Kind::MechlibMember {
        true => Needs::All,
        false => Needs::Nothing,
    }
}

/// The table describes other archives, and liveries are applied to textures.
fn resource_needs(item: &SourceItem) -> Needs {
    match item.kind {
        Kind::Rof | Kind::Livery => Needs::All,
        _ => Needs::Nothing,
    }
}

/// Scenes of the zone determine the use of a picture.
fn everquest_needs(item: &SourceItem) -> Needs {
    let of_all = [
        Kind::Wld,
        Kind::EqgZone,
        Kind::EqgZoneText,
        Kind::EqgTerrain,
        Kind::EqgModel,
        Kind::EqgCreature,
    ];
    match of_all.contains(&item.kind) {
        true => Needs::All,
        false => Needs::Zone,
    }
}

/// Opens a file. Dependencies that cannot be read are ignored. A file of a kind that only
/// containers hold, or that nothing converts, has one item, which is skipped with the reason.
///
/// # Errors
/// The container is damaged beyond listing its items.
///
/// ```
/// use relicast_convert::options::ConvertOptions;
/// use relicast_convert::{OpenContext, open};
/// use relicast_formats::kind::sniff;
///
/// let bytes = b"( DETAIL 3 )";
/// let kind = sniff(bytes, "detail.zrd");
/// let file = open(OpenContext::new(kind, "detail.zrd", bytes))?;
/// assert_eq!(file.items(&ConvertOptions::default()).len(), 1);
/// # Ok::<(), relicast_codec::FormatError>(())
/// ```
pub fn open<'a>(context: OpenContext<'a, '_>) -> Result<Box<dyn Converter + 'a>, FormatError> {
    match conversion(context.kind).opening {
        Opening::Converter(open) | Opening::Copy(open) => open(context),
        Opening::InContainers | Opening::Never => single(context),
    }
}

/// Opens a disc image with the [`dependencies`](super::dependencies()) that define the use of its tracks.
///
/// # Errors
/// Nothing of it can be read: its sheet is invalid.
pub fn open_disc_among<'a>(
    disc: &'a Disc,
    dependencies: &[Dependency<'_>],
) -> Result<Box<dyn Converter + 'a>, FormatError> {
    let uses = zipper::disc_music::of_disc(dependencies, last_track(disc));
    open_disc_with_uses(disc, uses)
}

/// True if a file of this kind is converted under these settings. `extension` is its own, in lower
/// case.
pub fn is_converted(kind: Kind, extension: Option<&str>, options: &ConvertOptions) -> bool {
    match conversion(kind).opening {
        Opening::Converter(_) => skip_reason(kind, extension).is_none(),
        Opening::Copy(_) => {
            skip_reason(kind, extension).is_none() || is_loose(kind, extension, options)
        }
        Opening::InContainers | Opening::Never => false,
    }
}

/// Returns true if files of a kind are copied, if at all, without reading their bytes.
pub fn is_only_copied(kind: Kind) -> bool {
    matches!(conversion(kind).opening, Opening::Copy(_))
}

/// True if a file that nothing converts is copied.
pub fn is_loose(kind: Kind, extension: Option<&str>, options: &ConvertOptions) -> bool {
    is_only_copied(kind) && options.loose.copies(extension)
}

/// Returns the dependency that a file of `kind` with these items is for other files.
pub fn dependency_kind(kind: Kind, items: &[&SourceItem]) -> DependencyKind {
    (conversion(kind).provides)(items)
}

/// Returns the needs of `item`, of a file of this kind.
pub fn needs(container: Kind, item: &SourceItem) -> Needs {
    (conversion(container).needs)(item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Disposition;
    use relicast_formats::descriptor::Becomes;

    #[test]
    fn a_kind_without_a_converter_is_skipped_by_name() {
        let options = ConvertOptions::default();
        for &kind in Kind::ALL {
            if let Opening::Converter(_) = conversion(kind).opening {
                let becomes = kind.format().becomes;
                assert!(matches!(becomes, Becomes::Asset(..)), "{kind:?}");
                continue;
            }
            if let Opening::Copy(_) = conversion(kind).opening {
                continue;
            }
            let file = open(OpenContext::new(kind, "a", b"some bytes")).unwrap();
            let items = file.items(&options);
            let known = crate::single_value::converter(kind).is_some();
            let skipped = matches!(items[0].verdict, Disposition::Skip(_));
            assert!(known || skipped, "{kind:?}");
            assert!(!is_converted(kind, Some("a"), &options), "{kind:?}");
        }
    }
}
