//! Sources that hold one value, whether a file of their own or a member of an archive.

use std::ops::Range;

use crate::config::{Config, SoundFormat};
use crate::convert::zipper::document;
use crate::convert::{
    ConvertError, Disposition, Encoding, OutputRole, OutputSpec, Sink, SkipReason, SourceItem,
    sound,
};
use crate::formats::codec::{Decoded, Deviations};
use crate::formats::kind::{Kind, skip_reason};
use crate::formats::riff;
use crate::formats::zipper::zrd::Value;
use crate::formats::zipper::zrd::controls::Controls;
use crate::formats::zipper::zrd::{binary, text};
use crate::formats::zipper::{interp, motion, save, zmap};
use crate::scene::{Asset, Document};

/// The part for a source of `kind`; `member` is its stored name and the stem of its outputs.
pub(in crate::convert) fn part(
    kind: Kind,
    member: Option<(String, String)>,
    range: Range<u64>,
    config: &Config,
) -> SourceItem {
    let encodings: &[Encoding] = match (kind, config.sounds.format) {
        (Kind::Wave, SoundFormat::Wav) => &[Encoding::Wav],
        (Kind::Wave, SoundFormat::Flac) => &[Encoding::Flac],
        (Kind::Wave, SoundFormat::Both) => &[Encoding::Wav, Encoding::Flac],
        _ => &[Encoding::Json],
    };
    let mut wanted: Vec<OutputSpec> = encodings
        .iter()
        .map(|&encoding| OutputSpec {
            role: OutputRole::Main,
            encoding,
        })
        .collect();
    wanted.extend(OutputSpec::raw(config));
    let verdict = match skip_reason(kind, None) {
        Some(reason) => Disposition::Skip(SkipReason::Other(reason.to_owned())),
        None => Disposition::Convert,
    };
    let part = SourceItem {
        verdict,
        ..SourceItem::whole(kind, range, wanted)
    };
    match member {
        Some((name, stem)) => part.of_member(name, stem),
        None => part,
    }
}

/// Converts a source of `kind`; `name` is its stored name.
///
/// # Errors
/// The source breaks a hard rule of its format, or the sink fails.
pub(in crate::convert) fn convert(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    _config: &Config,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    match kind {
        Kind::Wave => {
            let Decoded {
                value,
                mut deviations,
            } = riff::decode(bytes)?;
            let sound = sound(&value, bytes)?;
            deviations.absorb("sound", 0, sound.deviations);
            sink.take(OutputRole::Main, Asset::Sound(sound.value))?;
            if sink.wants(OutputRole::Raw) {
                sink.take(OutputRole::Raw, Asset::Document(Document::new(&value)))?;
            }
            Ok(deviations)
        }
        Kind::BinaryReader => {
            let Decoded { value, deviations } = binary::decode(bytes)?;
            documents(sink, reader(&value), || Document::new(&value))?;
            Ok(deviations)
        }
        Kind::TextReader => {
            let Decoded { value, deviations } = text::decode(bytes)?;
            let values = value.values()?;
            let main = match &*values {
                [single] => reader(single),
                values => Document::new(values),
            };
            documents(sink, main, || Document::new(&value))?;
            Ok(deviations)
        }
        Kind::Interp => {
            let Decoded { value, deviations } = interp::decode(bytes)?;
            let main = Document::new(document::scripts(&value));
            documents(sink, main, || Document::new(&value))?;
            Ok(deviations)
        }
        Kind::Motion => {
            let Decoded { value, deviations } = motion::decode(bytes)?;
            let main = Document::new(document::motion(&value));
            documents(sink, main, || Document::new(&value))?;
            Ok(deviations)
        }
        Kind::Zmap => {
            let Decoded { value, deviations } = zmap::decode(bytes)?;
            let main = Document::new(document::map(&value));
            documents(sink, main, || Document::new(&value))?;
            Ok(deviations)
        }
        Kind::SaveMember => {
            let Decoded { value, deviations } = save::decode(name, bytes)?;
            documents(sink, Document::new(&value), || Document::new(&value))?;
            Ok(deviations)
        }
        _ => Ok(Deviations::default()),
    }
}

/// The document of a reader value: the value itself, or, for a control configuration, a view with
/// the keys named.
fn reader<'a>(value: &'a Value<'a>) -> Document<'a> {
    match Controls::of(value) {
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
    if sink.wants(OutputRole::Raw) {
        sink.take(OutputRole::Raw, Asset::Document(raw()))?;
    }
    Ok(())
}
