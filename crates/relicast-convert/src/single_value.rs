//! Sources that hold one value, either a file of their own or a member of an archive: sounds, readers,
//! scripts, motions, maps, saves.

use crate::documents::DocumentForm;
use std::ops::Range;

use crate::options::{ConvertOptions, SoundFormat};
use crate::zipper::sound_list::ListedSound;
use crate::zipper::{document, saves};
use crate::{
    ConvertError, Disposition, Encoding, OutputRole, OutputSpec, Sink, SkipReason, SourceItem,
    sound,
};
use relicast_codec::{Decoded, Deviations};
use relicast_formats::kind::{Kind, NO_CONVERTER, skip_reason};
use relicast_formats::riff;
use relicast_formats::zipper::zrd::Value;
use relicast_formats::zipper::zrd::controls::Controls;
use relicast_formats::zipper::zrd::{binary, text};
use relicast_formats::zipper::{interp, motion, save, zmap};
use relicast_scene::{Asset, Document};

/// The item for a source of `kind`; `member` is its stored name and the stem of its outputs.
pub(crate) fn item(
    kind: Kind,
    member: Option<(String, String)>,
    range: Range<u64>,
    options: &ConvertOptions,
) -> SourceItem {
    let encodings: &[Encoding] = match (kind, options.sounds.format) {
        (Kind::Wave, SoundFormat::Wav) => &[Encoding::Wav],
        (Kind::Wave, SoundFormat::Flac) => &[Encoding::Flac],
        (Kind::Wave, SoundFormat::Both) => &[Encoding::Wav, Encoding::Flac],
        (Kind::Wave, SoundFormat::Ogg) => &[Encoding::Ogg],
        (Kind::MusicFile | Kind::SoundFont, _) => &[Encoding::Copy],
        _ => &[Encoding::Json],
    };
    let mut wanted: Vec<OutputSpec> = encodings
        .iter()
        .map(|&encoding| OutputSpec {
            role: OutputRole::Main,
            encoding,
        })
        .collect();
    wanted.extend(OutputSpec::raw(options).filter(|_| encodings != [Encoding::Copy]));
    let verdict = match converter(kind) {
        Some(_) => Disposition::Convert,
        None => {
            let reason = skip_reason(kind, None).unwrap_or(NO_CONVERTER);
            Disposition::Skip(SkipReason::for_kind(kind, reason))
        }
    };
    let item = SourceItem {
        verdict,
        ..SourceItem::whole(kind, range, wanted)
    };
    match member {
        Some((name, stem)) => item.of_member(name, stem),
        None => item,
    }
}

/// Converts a source that holds one value: its stored name, its bytes, and the sink for the assets.
pub(crate) type ValueConverter = fn(&str, &[u8], &mut dyn Sink) -> Result<Deviations, ConvertError>;

/// The converter of sources that hold one value of `kind`; `None` for kinds that other converters handle,
/// or none does.
pub(crate) fn converter(kind: Kind) -> Option<ValueConverter> {
    match kind {
        Kind::Wave => Some(wave),
        Kind::BinaryReader => Some(binary_reader),
        Kind::TextReader => Some(text_reader),
        Kind::Interp => Some(scripts),
        Kind::Motion => Some(motion_frames),
        Kind::Zmap => Some(mission_map),
        Kind::SaveMember => Some(save_member),
        Kind::Plane => Some(saved_plane),
        Kind::MusicFile | Kind::SoundFont => Some(copy),
        Kind::Archive
        | Kind::Rof
        | Kind::Livery
        | Kind::Textures
        | Kind::GameZ
        | Kind::Anim
        | Kind::MechlibMember
        | Kind::MessageDll
        | Kind::Avi
        | Kind::Mpeg
        | Kind::Smacker
        | Kind::Xmidi
        | Kind::SpellTable
        | Kind::SpellSprites
        | Kind::SpellStages
        | Kind::TextList
        | Kind::ZoneMap
        | Kind::WorldSettings
        | Kind::Pfs
        | Kind::Wld
        | Kind::Bitmap
        | Kind::Picture
        | Kind::Dds
        | Kind::Ply
        | Kind::EnvironmentEmitters
        | Kind::EqgZone
        | Kind::EqgZoneText
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
        | Kind::EqgText
        | Kind::EmitterDefinitions
        | Kind::Emitters
        | Kind::GrassCards
        | Kind::EmitterText
        | Kind::SoundBank
        | Kind::Disc
        | Kind::AudioTrack
        | Kind::DiscPart
        | Kind::Cabinet
        | Kind::CabinetPart
        | Kind::Foreign
        | Kind::Program
        | Kind::Empty
        | Kind::Unknown => None,
    }
}

/// Converts a source of `kind`; `name` is its stored name.
///
/// # Errors
/// The source breaks a hard rule of its format, nothing converts its kind, or the sink fails.
pub(crate) fn convert(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    match converter(kind) {
        Some(convert) => convert(name, bytes, sink),
        None => Err(ConvertError::Emit(NO_CONVERTER.to_owned())),
    }
}

fn wave(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    listed_sound(bytes, None, sink)
}

/// Converts a sound, with its facts from a list.
///
/// # Errors
/// It is damaged, or the sink fails.
pub(crate) fn listed_sound(
    bytes: &[u8],
    listed: Option<&ListedSound>,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Decoded {
        value,
        mut deviations,
    } = riff::decode(bytes)?;
    let mut sound = sound(&value, bytes)?;
    if let Some(listed) = listed {
        listed.repeat(&mut sound.value);
    }
    deviations.absorb("sound", 0, sound.deviations);
    sink.take(OutputRole::Main, Asset::Sound(sound.value))?;
    sink.take_raw(|| Document::new(&value))?;
    Ok(deviations)
}

fn binary_reader(
    _name: &str,
    bytes: &[u8],
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = binary::decode(bytes)?;
    documents(sink, reader(&value), || Document::new(&value))?;
    Ok(deviations)
}

fn text_reader(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = text::decode(bytes)?;
    let values = value.values()?;
    let main = match &*values {
        [single] => reader(single),
        values => Document::new(values),
    };
    documents(sink, main, || Document::new(&value))?;
    Ok(deviations)
}

fn scripts(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = interp::decode(bytes)?;
    let main = Document::new(document::scripts(&value));
    documents(sink, main, || Document::new(&value))?;
    Ok(deviations)
}

fn motion_frames(
    _name: &str,
    bytes: &[u8],
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = motion::decode(bytes)?;
    let main = Document::new(document::motion(&value));
    documents(sink, main, || Document::new(&value))?;
    Ok(deviations)
}

fn mission_map(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = zmap::decode(bytes)?;
    let main = Document::new(document::map(&value));
    documents(sink, main, || Document::new(&value))?;
    Ok(deviations)
}

fn save_member(name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = save::decode(name, bytes)?;
    documents(sink, Document::new(&value), || Document::new(&value))?;
    Ok(deviations)
}

fn saved_plane(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    let Decoded { value, deviations } = save::crimson::decode_plane(bytes)?;
    let main = Document::new(saves::PlaneDocument::new(&value));
    documents(sink, main, || Document::new(value))?;
    Ok(deviations)
}

/// Copies files that any player can play.
fn copy(_name: &str, bytes: &[u8], sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
    sink.take(OutputRole::Main, Asset::Copy(bytes))?;
    Ok(Deviations::default())
}

/// The document of a reader value: the value itself, or, for a control configuration, a view with
/// the keys named.
fn reader<'a>(value: &'a Value<'a>) -> Document<'a> {
    match Controls::new(value) {
        Some(controls) => Document::new(controls),
        None => Document::new(value),
    }
}

fn documents<'a>(
    sink: &mut dyn Sink,
    main: Document<'_>,
    raw: impl FnOnce() -> Document<'a>,
) -> Result<(), ConvertError> {
    sink.take(OutputRole::Main, Asset::Document(main))?;
    sink.take_raw(raw)
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<Value<'static>>("reader", "A reader: numbers, texts and lists"),
    DocumentForm::of::<[Value<'static>]>("readers", "A text reader of several values"),
    DocumentForm::of::<Controls<'static>>("controls", "Control settings: keys by name"),
    DocumentForm::of::<save::SaveMember<'static>>("save-section", "A section of a save game"),
];
