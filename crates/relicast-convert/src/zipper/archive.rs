//! Archives with their table at the end: an item for each member, and a document of the table.

use crate::documents::DocumentForm;
use std::collections::HashMap;

use serde::Serialize;

use super::mech::MechLibrary;
use super::row_info::{Info, source_folder};
use super::saves;
use super::sound_list::{ListedSound, SoundList};
use crate::options::ConvertOptions;
use crate::shared::sound::cue_times;
use crate::shared::stems::unique_stems;
use crate::single_value;
use crate::{
    ConvertError, Converter, Disposition, ItemIndex, OpenContext, OutputRole, Sink, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::{ArchiveContext, Kind, sniff_member};
use relicast_formats::riff;
use relicast_formats::zipper::archive::{self, Archive, FooterVersion};
use relicast_formats::zipper::save::SavedBy;
use relicast_scene::{Asset, Document};

/// An archive and its members.
#[derive(Debug)]
pub(crate) struct ArchiveFile<'a> {
    archive: Archive<'a>,
    kinds: Vec<Kind>,
    names: Vec<String>,
    /// The game that wrote it, if it is a save.
    saved_by: Option<SavedBy>,
    /// The number at the end of the file's name: the only difference between saves of several missions.
    number: Option<String>,
    /// Context for the members of a model library.
    mechs: Option<MechLibrary<'a>>,
    /// Facts about its sounds.
    sounds: Option<SoundList>,
    deviations: Deviations,
    length: u64,
}

impl<'a> ArchiveFile<'a> {
    pub(crate) fn open(context: OpenContext<'a, '_>) -> Result<Self, FormatError> {
        let bytes = context.bytes;
        let Decoded {
            value: archive,
            mut deviations,
        } = archive::decode(bytes)?;
        let siblings = ArchiveContext::new(&archive);
        let names: Vec<String> = archive.entries.iter().map(archive::Entry::name).collect();
        let kinds: Vec<Kind> = archive
            .entries
            .iter()
            .zip(&names)
            .map(|(entry, name)| sniff_member(&entry.data, name, &siblings))
            .collect();
        check_checksum(&archive, &kinds, bytes.len(), &mut deviations);
        let mechs = siblings
            .mechlib
            .then(|| MechLibrary::open(&archive, context.dependencies));
        let sounds = kinds.contains(&Kind::Wave);
        let sounds = sounds.then(|| SoundList::read(context.dependencies));
        Ok(Self {
            sounds: sounds.flatten(),
            saved_by: siblings.save,
            number: number_of(context.name),
            mechs,
            archive,
            kinds,
            names,
            deviations,
            length: bytes.len() as u64,
        })
    }

    /// Output folder of the archive's own document: that of most of its members.
    fn category(&self) -> Category {
        let mut counts = std::collections::BTreeMap::new();
        for &kind in &self.kinds {
            let (_, category) = kind.asset();
            *counts.entry(category).or_insert(0_usize) += 1;
        }
        let most = counts.iter().max_by_key(|(_, count)| **count);
        most.map_or(Category::Config, |(category, _)| *category)
    }
}

/// The ending of a name that is a number.
fn number_of(name: &str) -> Option<String> {
    let (_, ending) = name.rsplit_once('.')?;
    let is_number = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| ending.to_owned())
}

/// Pirate's Moon stores a checksum over reader archives and 0 over all others.
fn check_checksum(
    archive: &Archive<'_>,
    kinds: &[Kind],
    length: usize,
    deviations: &mut Deviations,
) {
    if archive.version != FooterVersion::Two {
        return;
    }
    let readers = kinds
        .iter()
        .any(|kind| matches!(kind, Kind::BinaryReader | Kind::TextReader));
    let expected = if readers {
        archive.computed_checksum()
    } else {
        0
    };
    if archive.checksum != expected {
        deviations.push(
            "checksum",
            length.saturating_sub(4),
            format_args!("{expected:#010x}"),
            format_args!("{:#010x}", archive.checksum),
        );
    }
}

impl Converter for ArchiveFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        // A row with a fault may start anywhere, even after the end of the file.
        let whole = self
            .archive
            .entries
            .iter()
            .filter(|entry| entry.fault.is_none());
        let data_end = whole.map(|entry| {
            let end = entry.offset.saturating_add(entry.data.len());
            end as u64
        });
        let table = data_end.max().unwrap_or(0)..self.length;
        let mut items = vec![SourceItem::table(
            Kind::Archive,
            self.category(),
            table,
            options,
        )];
        if self.saved_by.is_some() {
            for item in &mut items {
                (item.asset, item.category) = (AssetKind::Saves, Category::Config);
                item.range = 0..self.length;
                item.suffix.clone_from(&self.number);
            }
            let faults = self.archive.entries.iter().zip(&self.names);
            items.extend(faults.filter_map(|(entry, name)| {
                let fault = entry.fault.as_ref()?;
                let item = SourceItem::whole(Kind::SaveMember, 0..0, Vec::new());
                Some(SourceItem {
                    verdict: Disposition::Fail(fault.clone()),
                    ..item.of_member(name.clone(), name.clone())
                })
            }));
            return items;
        }
        let stems = unique_stems(&self.names);
        let members = self.archive.entries.iter().zip(&self.kinds);
        for ((entry, &kind), (name, stem)) in members.zip(self.names.iter().zip(stems)) {
            let start = (entry.offset as u64).min(self.length);
            let range = start..start.saturating_add(entry.data.len() as u64);
            let member = Some((name.clone(), without_extension(&stem, kind)));
            let mut item = match (&self.mechs, kind, member) {
                (Some(mechs), Kind::MechlibMember, Some(member)) => {
                    mechs.item(member, &entry.data, range, options)
                }
                (_, kind, member) => single_value::item(kind, member, range, options),
            };
            if let Some(fault) = &entry.fault {
                item.verdict = Disposition::Fail(fault.clone());
            }
            items.push(item);
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
        let Some(member) = ItemIndex(index).member() else {
            if let Some(game) = self.saved_by {
                return saves::convert(&self.archive, game, sink);
            }
            let document = Document::new(ArchiveDocument::new(self));
            sink.take(OutputRole::Main, Asset::Document(document))?;
            sink.take_raw(|| Document::new(&self.archive))?;
            return Ok(Deviations::default());
        };
        let entry = &self.archive.entries[member];
        let name = &self.names[member];
        if let (Some(mechs), Kind::MechlibMember) = (&self.mechs, self.kinds[member]) {
            return mechs.convert(name, &entry.data, options, sink);
        }
        if let (Some(sounds), Kind::Wave) = (&self.sounds, self.kinds[member]) {
            return single_value::listed_sound(&entry.data, sounds.of_file(name), sink);
        }
        single_value::convert(self.kinds[member], name, &entry.data, sink)
    }
}

/// The stem of a member's outputs: its name without the extension that its kind implies.
fn without_extension(name: &str, kind: Kind) -> String {
    let implied = kind.format().implies;
    let cut = name.len().saturating_sub(implied.len());
    match name.get(cut..) {
        Some(end) if !implied.is_empty() && end.eq_ignore_ascii_case(implied) && cut > 0 => {
            name[..cut].to_owned()
        }
        _ => name.to_owned(),
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ArchiveDocument<'a> {
    version: FooterVersion,
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
    entries: Vec<EntryDocument<'a>>,
    /// Contents of `sounds.zrd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sounds: Option<&'a SoundList>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EntryDocument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rename: Option<String>,
    kind: Kind,
    /// Number of an earlier entry of this name, ignoring letter case: look-ups by name find that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<usize>,
    offset: usize,
    length: usize,
    flags: u32,
    info: Info,
    /// Source folder on the developers' disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_folder: Option<String>,
    /// Entry of the sound in `sounds.zrd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<&'a ListedSound>,
    /// Times of its cue points in seconds: lip movements and films wait for them. The game adds one at its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cue_times: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a FormatError>,
}

impl<'a> ArchiveDocument<'a> {
    fn new(file: &'a ArchiveFile<'_>) -> Self {
        let stems = unique_stems(&file.names);
        let entries = file.archive.entries.iter().zip(&file.kinds);
        let mut first: HashMap<String, usize> = HashMap::new();
        let rows = file.names.iter().zip(&file.kinds).enumerate();
        let shadowed: Vec<Option<usize>> = rows
            .map(|(row, (name, kind))| {
                let is_reader = matches!(kind, Kind::BinaryReader | Kind::TextReader);
                let known = *first.entry(name.to_lowercase()).or_insert(row);
                (is_reader && known != row).then_some(known)
            })
            .collect();
        Self {
            sounds: file.sounds.as_ref(),
            version: file.archive.version,
            checksum: (file.archive.version == FooterVersion::Two)
                .then(|| format!("{:08x}", file.archive.checksum)),
            entries: entries
                .zip(file.names.iter().zip(stems))
                .zip(shadowed)
                .map(
                    |(((entry, &kind), (name, stem)), shadowed_by)| EntryDocument {
                        shadowed_by,
                        cue_times: cue_times_of(entry, kind),
                        sound: file.sounds.as_ref().and_then(|list| list.of_file(name)),
                        rename: (stem != *name).then_some(stem),
                        name,
                        kind,
                        offset: entry.offset,
                        length: entry.data.len(),
                        flags: entry.row.flags,
                        info: Info::new(&entry.row),
                        source_folder: source_folder(&entry.row),
                        error: entry.fault.as_ref(),
                    },
                )
                .collect(),
        }
    }
}

fn cue_times_of(entry: &archive::Entry<'_>, kind: Kind) -> Vec<f64> {
    let is_sound = kind == Kind::Wave && entry.fault.is_none();
    let wave = is_sound.then(|| riff::decode(&entry.data).ok()).flatten();
    wave.map_or_else(Vec::new, |wave| cue_times(&wave.value))
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<ArchiveDocument<'static>>(
    "archive",
    "The table of an archive: a row for each member",
)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implied_extensions_are_dropped() {
        assert_eq!(without_extension("x.ZRD", Kind::BinaryReader), "x");
        assert_eq!(without_extension(".zrd", Kind::BinaryReader), ".zrd");
        assert_eq!(without_extension("walk.old", Kind::Motion), "walk.old");
    }
}
