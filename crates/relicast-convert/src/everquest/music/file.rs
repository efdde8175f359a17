//! The items of an XMIDI file: a document of all its sequences, each sequence as a song, and, if the settings
//! want it, as sound.

use crate::documents::DocumentForm;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::options::{ConvertOptions, SoundFormat};
use crate::{
    ConvertError, Converter, Encoding, ItemIndex, Needs, OpenContext, OutputRole, OutputSpec, Sink,
    SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::everquest::xmidi::container::{Branch, Form, Timbre};
use relicast_formats::everquest::xmidi::events::{self, Sequence, TICKS_PER_SECOND};
use relicast_formats::everquest::xmidi::{self, Xmidi};
use relicast_formats::kind::Kind;
use relicast_formats::midi;
use relicast_limits as limits;
use relicast_scene::{Asset, Document};

use super::fonts::Fonts;
use super::render;
use super::song::{Facts, Song};

/// Controller before the events that branches lead to.
const BRANCH: u8 = 120;

/// An XMIDI file.
#[derive(Debug)]
pub(crate) struct XmidiFile<'a> {
    stem: String,
    length: u64,
    file: Xmidi<'a>,
    fonts: Fonts<'a>,
    deviations: Deviations,
}

/// Kind of an item.
enum Item {
    Document,
    Song(usize),
    Sound(usize),
}

impl<'a> XmidiFile<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// Its chunks cannot be read.
    pub(crate) fn open(context: &OpenContext<'a, '_>) -> Result<Self, FormatError> {
        let Decoded { value, deviations } = xmidi::decode(context.bytes)?;
        let name = context.name;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Ok(Self {
            stem: stem.to_owned(),
            length: context.bytes.len() as u64,
            file: value,
            fonts: Fonts::new(context),
            deviations,
        })
    }

    fn item(index: usize, sequences: usize) -> Item {
        match index.checked_sub(1) {
            None => Item::Document,
            Some(place) => match place.checked_sub(sequences) {
                None => Item::Song(place),
                Some(place) => Item::Sound(place),
            },
        }
    }

    fn song(&self, sequence: &Sequence, place: usize) -> Song {
        Song::new(sequence, &format!("{} song {place}", self.stem))
    }

    fn document(&self, sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
        let mut deviations = Deviations::default();
        let mut rows = Vec::new();
        for (place, form) in self.file.sequences().iter().enumerate() {
            limits::check();
            let path = sink.path_of(ItemIndex::of_member(place)).map(str::to_owned);
            let (facts, fault) = match decode(form) {
                Ok(Decoded { value, .. }) => {
                    check_branches(place, form, &value, &mut deviations);
                    (Some(self.song(&value, place).facts), None)
                }
                Err(fault) => (None, Some(fault.to_string())),
            };
            rows.push(SequenceDocument {
                index: place,
                path,
                facts,
                fault,
                instruments: form.timbres(),
                stored_branches: form.branches(),
            });
        }
        let document = FileDocument {
            ticks_per_second: TICKS_PER_SECOND,
            sequences: rows,
        };
        sink.take(OutputRole::Main, Asset::Document(Document::new(document)))?;
        sink.take_raw(|| Document::new(&self.file))?;
        Ok(deviations)
    }
}

/// Decodes a sequence; offsets count from the start of the file.
fn decode(form: &Form<'_, '_>) -> Result<Decoded<Sequence>, FormatError> {
    let (offset, bytes) = form.events()?;
    let decoded = events::decode(bytes).map_err(|fault| fault.shifted(offset).inside("EVNT"))?;
    let mut deviations = Deviations::default();
    deviations.absorb("EVNT", offset, decoded.deviations);
    Ok(Decoded {
        value: decoded.value,
        deviations,
    })
}

/// Checks that branches lead right after the controllers that name them.
fn check_branches(
    place: usize,
    form: &Form<'_, '_>,
    sequence: &Sequence,
    deviations: &mut Deviations,
) {
    let named: BTreeSet<(u16, u32)> = sequence
        .events
        .iter()
        .filter_map(|event| match event.message.as_controller() {
            Some((_, BRANCH, value)) => Some((u16::from(value), event.behind)),
            _ => None,
        })
        .collect();
    for Branch { id, offset } in form.branches() {
        if !named.contains(&(id, offset)) {
            let field = format!("sequences[{place}].RBRN");
            let expected = format_args!("a position after a controller 120 of {id}");
            deviations.push(field, form.offset(), expected, offset);
        }
    }
}

/// Dependencies of an item; only sound takes sound fonts.
pub(crate) fn needs(item: &SourceItem) -> Needs {
    let is_sound = |wanted: &OutputSpec| {
        matches!(
            wanted.encoding,
            Encoding::Wav | Encoding::Flac | Encoding::Ogg
        )
    };
    match item.wanted.iter().any(is_sound) {
        true => Needs::All,
        false => Needs::Nothing,
    }
}

impl Converter for XmidiFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let spec = |encoding| OutputSpec {
            role: OutputRole::Main,
            encoding,
        };
        let mut wanted = vec![OutputSpec::DOCUMENT];
        wanted.extend(OutputSpec::raw(options));
        let mut items = vec![SourceItem::whole(Kind::Xmidi, 0..self.length, wanted)];
        let forms = self.file.sequences();
        let item = |place: usize, form: &Form<'_, '_>, more: &str, wanted: Vec<OutputSpec>| {
            limits::check();
            let range = match form.events() {
                Ok((start, bytes)) => start as u64..start.saturating_add(bytes.len()) as u64,
                Err(_) => form.offset() as u64..form.offset() as u64,
            };
            SourceItem::whole(Kind::Xmidi, range, wanted).of_member(
                format!("sequence {place}{more}"),
                format!("{}-{place:02}", self.stem),
            )
        };
        for (place, form) in forms.iter().enumerate() {
            items.push(item(place, form, "", vec![spec(Encoding::Midi)]));
        }
        if options.music.render {
            let sounds: &[Encoding] = match options.music.format {
                SoundFormat::Wav => &[Encoding::Wav],
                SoundFormat::Flac => &[Encoding::Flac],
                SoundFormat::Both => &[Encoding::Wav, Encoding::Flac],
                SoundFormat::Ogg => &[Encoding::Ogg],
            };
            for (place, form) in forms.iter().enumerate() {
                let wanted = sounds.iter().copied().map(spec).collect();
                items.push(item(place, form, " as sound", wanted));
            }
        }
        items
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let forms = self.file.sequences();
        let item = Self::item(index, forms.len());
        let place = match item {
            Item::Document => return self.document(sink),
            Item::Song(place) | Item::Sound(place) => place,
        };
        let Some(form) = forms.get(place) else {
            return Ok(Deviations::default());
        };
        let Decoded { value, deviations } = decode(form)?;
        let song = self.song(&value, place);
        if let Item::Song(_) = item {
            let bytes = midi::encode(&song.midi)?;
            sink.take(OutputRole::Main, Asset::Midi(&bytes))?;
            return Ok(deviations);
        }
        let font = self.fonts.choose(options)?;
        sink.note(format!("played with {}", font.name));
        let mut sound = render::render(&song, &font.font)?;
        if options.music.trim > 0.0 {
            let cut = render::trim(&mut sound, options.music.trim);
            if cut > 0.0 {
                sink.note(format!(
                    "{cut:.2} s of silence at the end were cut (music.trim)"
                ));
            }
        }
        sink.take(OutputRole::Main, Asset::Sound(sound))?;
        // Faults of the sequence are reported with its song.
        Ok(Deviations::default())
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileDocument {
    ticks_per_second: u32,
    sequences: Vec<SequenceDocument>,
}

/// A sequence. Lists of sounds refer to it by its number plus one.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SequenceDocument {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(flatten)]
    facts: Option<Facts>,
    /// Error of a sequence that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// Instruments to load: programs, and keys of drums (bank 127).
    instruments: Vec<Timbre>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stored_branches: Vec<Branch>,
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<FileDocument>(
    "music",
    "Sequences of a music file, with loops",
)];
