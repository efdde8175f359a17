//! Lists of the sounds of a zone, as documents, with positions in scene space and sounds by name.

use crate::documents::DocumentForm;
use std::ops::Range;

use serde::Serialize;

use crate::options::ConvertOptions;
use crate::{
    ConvertError, Converter, Disposition, OpenContext, OutputRole, OutputSpec, Sink, SourceItem,
};
use relicast_codec::{Decoded, Deviations, F32};
use relicast_formats::everquest::sound::bank::{self, Section, SoundBank};
use relicast_formats::everquest::sound::eff::{self, Emitter, EmitterKind, SoundId, SoundSource};
use relicast_formats::everquest::sound::emt;
use relicast_formats::kind::{Kind, NO_CONVERTER};
use relicast_limits as limits;
use relicast_scene::{Asset, Document};

use super::sound_paths::SoundPaths;
use super::space;

/// A file with a list of sounds.
#[derive(Debug)]
pub(crate) struct ListFile<'a> {
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    bank: Option<SoundBank>,
    paths: SoundPaths<'a>,
    deviations: Deviations,
}

impl<'a> ListFile<'a> {
    pub(crate) fn new(context: &OpenContext<'a, '_>) -> Self {
        let OpenContext {
            kind, name, bytes, ..
        } = *context;
        let mut banks =
            (context.dependencies.iter()).filter(|dependency| dependency.kind == Kind::SoundBank);
        let bank = banks.find_map(|dependency| bank::decode(dependency.bytes).ok());
        Self {
            kind,
            name,
            bytes,
            bank: bank.map(|bank| bank.value),
            paths: SoundPaths::new(context),
            deviations: Deviations::default(),
        }
    }
}

impl Converter for ListFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        vec![item(self.kind, None, 0..self.bytes.len() as u64, options)]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        _config: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match list(self.kind) {
            Some(list) => {
                let bank = self.bank.as_ref();
                convert(list, self.name, self.bytes, bank, &self.paths, sink)
            }
            None => Err(ConvertError::Emit(NO_CONVERTER.to_owned())),
        }
    }
}

/// The item of a list; `member` is its stored name and the stem of its outputs.
pub(super) fn item(
    kind: Kind,
    member: Option<(String, String)>,
    range: Range<u64>,
    options: &ConvertOptions,
) -> SourceItem {
    let (asset, category) = kind.asset();
    let (member, stem) = member.unzip();
    let mut wanted = vec![OutputSpec::DOCUMENT];
    wanted.extend(OutputSpec::raw(options));
    SourceItem {
        member,
        kind,
        asset,
        category,
        range,
        stem,
        suffix: None,
        folders: Vec::new(),
        wanted,
        verdict: Disposition::Convert,
    }
}

/// A list of sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Emitters,
    EmitterText,
    Bank,
}

/// Kind of list of a source of `kind`, if it is one.
pub(super) fn list(kind: Kind) -> Option<List> {
    let lists = [
        (Kind::Emitters, List::Emitters),
        (Kind::EmitterText, List::EmitterText),
        (Kind::SoundBank, List::Bank),
    ];
    let mut lists = lists.into_iter();
    lists
        .find(|(known, _)| *known == kind)
        .map(|(_, list)| list)
}

/// Converts a list of emitters. `bank` provides the names of sounds, `paths` their output paths.
pub(super) fn convert(
    list: List,
    name: &str,
    bytes: &[u8],
    bank: Option<&SoundBank>,
    paths: &SoundPaths<'_>,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    match list {
        List::Emitters => {
            let Decoded { value, deviations } = eff::decode(bytes)?;
            if bank.is_none() && !value.emitters.is_empty() {
                let list = name.replace("_sounds", "_sndbnk");
                sink.note_missing(format!(
                    "its sounds have no names: {list} is missing from this install"
                ));
            }
            let emitters = value.emitters.iter();
            let document = EmittersDocument {
                emitters: emitters
                    .map(|emitter| EmitterDocument::new(emitter, bank, paths))
                    .collect(),
            };
            sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
            sink.take_raw(|| Document::new(&value))?;
            Ok(deviations)
        }
        List::EmitterText => {
            let Decoded { value, deviations } = emt::decode(bytes)?;
            let emitters = value.iter().filter_map(|line| line.emitter.as_ref());
            let document = TextDocument {
                emitters: emitters
                    .map(|emitter| {
                        limits::check();
                        PlacedText {
                            scene_position: placed(emitter.position),
                            path: paths.of_file(&emitter.file),
                            emitter,
                        }
                    })
                    .collect(),
            };
            sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
            sink.take_raw(|| Document::new(&value))?;
            Ok(deviations)
        }
        List::Bank => {
            let Decoded { value, deviations } = bank::decode(bytes)?;
            let document = BankDocument {
                emit: value.names(Section::Emit).collect(),
                r#loop: value.names(Section::Loop).collect(),
                rand: value.names(Section::Rand).collect(),
            };
            sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
            sink.take_raw(|| Document::new(&value))?;
            Ok(deviations)
        }
    }
}

fn placed(position: [F32; 3]) -> [F32; 3] {
    space::vector(position.map(F32::get)).map(F32)
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EmittersDocument<'a> {
    emitters: Vec<EmitterDocument<'a>>,
}

/// An emitter with the names of its sounds and its position in scene space.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EmitterDocument<'a> {
    #[serde(flatten)]
    emitter: &'a Emitter,
    scene_position: [F32; 3],
    sounds: [SoundDocument<'a>; 2],
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SoundDocument<'a> {
    source: SoundSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// Path of the song, below the output folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
}

impl<'a> EmitterDocument<'a> {
    fn new(emitter: &'a Emitter, bank: Option<&'a SoundBank>, paths: &'a SoundPaths<'_>) -> Self {
        limits::check();
        let is_music = emitter.kind == EmitterKind::Music;
        let sound = |id: SoundId| {
            let source = id.source();
            // The numbers of music are songs of another file.
            let bank = bank.filter(|_| !is_music);
            let name = bank.and_then(|bank| bank.sound(id));
            let (name, path) = match source {
                SoundSource::MusicFile(number) => paths.of_index(number),
                SoundSource::Emit(number) if is_music => (None, paths.of_song(number)),
                _ => (name, name.and_then(|name| paths.of_sound(name))),
            };
            SoundDocument { source, name, path }
        };
        Self {
            emitter,
            scene_position: placed([emitter.position.x, emitter.position.y, emitter.position.z]),
            sounds: [sound(emitter.sound1), sound(emitter.sound2)],
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TextDocument<'a> {
    emitters: Vec<PlacedText<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlacedText<'a> {
    #[serde(flatten)]
    emitter: &'a emt::TextEmitter,
    scene_position: [F32; 3],
    /// Path of the sound, below the output folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BankDocument<'a> {
    emit: Vec<&'a str>,
    r#loop: Vec<&'a str>,
    rand: Vec<&'a str>,
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<EmittersDocument<'static>>(
        "sound-emitters",
        "Sounds of a zone and their positions",
    ),
    DocumentForm::of::<TextDocument<'static>>(
        "sound-emitters-text",
        "Sounds of a zone of newer clients",
    ),
    DocumentForm::of::<BankDocument<'static>>(
        "sound-names",
        "Names of sounds, by the kind of emitter",
    ),
];
