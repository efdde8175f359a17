//! Descriptions of edits of pictures, sounds and documents: what changed, in words.

use serde_json::Value;

use super::container::Container;
use super::digest::hash;
use super::edited::Edited;
use super::game_file::GameFile;
use super::json::parse;
use super::picture::Pixels;
use super::rounding::RoundingReport;
use super::sound::Recording;
use super::value::leaf;
use crate::config::Config;
use relicast_convert::{self as convert, ConvertError, Disposition, OpenContext, OutputRole, Sink};
use relicast_emit::{self as emit, Options};
use relicast_formats::kind::Kind;
use relicast_scene::{Asset, Encoding};

/// Words for one and for several texels.
const PIXELS: [&str; 2] = ["pixel", "pixels"];

/// Describes edits of a game file, in their order; `None` where the output as it was is not known.
pub(super) fn describe(
    file: GameFile<'_>,
    edits: &[&Edited<'_>],
    settings: &Config,
) -> Vec<Option<String>> {
    let container = Container::open(file.kind, file.name, file.bytes);
    let container = container.ok().flatten();
    let describe = |edit: &&Edited<'_>| {
        let place = (edit.output.range.start, edit.output.member.clone()?);
        let found = container.as_ref().and_then(|container| {
            let mut members = 0..container.len();
            let index = members.find(|&at| container.place(at).as_ref() == Some(&place))?;
            Some((container, index))
        });
        let (container, index) = found?;
        let bytes = container.extract(index).ok()?;
        changes(container.kind(index)?, &place.1, &bytes, edit, settings)
    };
    let of_file = |edit: &&Edited<'_>| changes(file.kind, file.name, file.bytes, edit, settings);
    let edits = edits.iter();
    edits
        .map(|edit| describe(edit).or_else(|| of_file(edit)))
        .collect()
}

/// Describes the edit of an output of a file or member.
fn changes(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    edit: &Edited<'_>,
    settings: &Config,
) -> Option<String> {
    let (_, extension) = edit.output.path.rsplit_once('.')?;
    let encoding = [Encoding::Png, Encoding::Wav, Encoding::Flac, Encoding::Json];
    let mut encoding = encoding.into_iter();
    let encoding = encoding.find(|encoding| encoding.extension() == extension)?;
    let before = original(kind, name, bytes, edit, encoding, settings)?;
    match encoding {
        Encoding::Json => documents(&parse(&before).ok()?, &parse(&edit.bytes).ok()?),
        Encoding::Png => pictures(&before, edit),
        _ => sounds(&before, &edit.bytes),
    }
}

/// The output as it was; `None` if it depends on other files.
fn original(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    edit: &Edited<'_>,
    encoding: Encoding,
    settings: &Config,
) -> Option<Vec<u8>> {
    if hash(bytes) == edit.output.blake3 {
        return Some(bytes.to_vec());
    }
    let options = settings.options();
    let file = convert::open(OpenContext::new(kind, name, bytes)).ok()?;
    let items = file.items(&options);
    let place = (edit.output.range.start, edit.output.member.as_deref());
    let index = items.iter().position(|item| {
        let is_same = (item.range.start, item.member.as_deref()) == place;
        let is_whole = item.member.is_none() && (items.len() == 1 || place.1.is_none());
        let mut wanted = item.wanted.iter();
        let is_shown =
            wanted.any(|spec| spec.role == OutputRole::Main && spec.encoding == encoding);
        (is_same || is_whole) && is_shown && item.verdict == Disposition::Convert
    })?;
    let mut taken = Encoded {
        encoding,
        options: Options {
            style: options.documents.style,
            ..Options::default()
        },
        bytes: Vec::new(),
    };
    file.convert(index, &options, &mut taken).ok()?;
    (hash(&taken.bytes) == edit.output.blake3).then_some(taken.bytes)
}

/// Encodes the main asset of an item.
struct Encoded {
    encoding: Encoding,
    options: Options,
    bytes: Vec<u8>,
}

impl Sink for Encoded {
    fn wants(&self, role: OutputRole) -> bool {
        role == OutputRole::Main
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        if role == OutputRole::Main {
            let bytes = emit::encode(&asset, self.encoding, &[], self.options);
            let bytes = bytes.map_err(|error| ConvertError::Emit(error.to_string()))?;
            self.bytes = bytes.into_owned();
        }
        Ok(())
    }
}

fn documents(before: &Value, after: &Value) -> Option<String> {
    let [changed, added, removed] = leaf::changes(before, after);
    let mut report = RoundingReport::default();
    report.count(changed, ["value", "values"]);
    report.count(added, ["value added", "values added"]);
    report.count(removed, ["value removed", "values removed"]);
    report.list()
}

fn pictures(before: &[u8], edit: &Edited<'_>) -> Option<String> {
    let (before, after) = (Pixels::new(before).ok()?, Pixels::new(&edit.bytes).ok()?);
    if (before.width, before.height) != (after.width, after.height) {
        return Some(format!(
            "size {}\u{a0}×\u{a0}{} → {}\u{a0}×\u{a0}{}",
            before.width, before.height, after.width, after.height
        ));
    }
    let texels = before.texels.iter().zip(&after.texels);
    let differs = texels.filter(|(before, after)| {
        let is_hidden = !edit.has_alpha_plane && before[3] == 0 && after[3] == 0;
        before != after && !is_hidden
    });
    let mut report = RoundingReport::default();
    report.count(differs.count(), PIXELS);
    report.list()
}

fn sounds(before: &[u8], after: &[u8]) -> Option<String> {
    let (before, after) = (Recording::new(before).ok()?, Recording::new(after).ok()?);
    let tenths = |sound: &Recording| {
        let frames = sound.samples.len() as f64 / f64::from(sound.channels.max(1));
        format!("{:.1}", frames / f64::from(sound.rate.max(1)))
    };
    let (old, new) = (tenths(&before), tenths(&after));
    let mut report = RoundingReport::default();
    if old != new {
        report.say(format!("length {old} s → {new} s"));
    }
    // Sounds of another form are resampled or mixed, which is reported as rounding.
    let form = |sound: &Recording| (sound.channels, sound.rate, sound.samples.len());
    if form(&before) == form(&after) {
        let samples = before.samples.iter().zip(&after.samples);
        let differ = samples.filter(|(before, after)| before != after);
        report.count(differ.count(), ["sample", "samples"]);
    }
    report.list()
}
