//! A document of a source, converted again for any bytes of the source.

use std::ops::Range;

use serde_json::Value;

use crate::pack::digest::hash;
use crate::pack::edited::{Edited, Refusal};
use crate::pack::unit::Unit;
use relicast_codec::{SourceMap, latin1, locate};
use relicast_convert::zipper::crimson::table_text;
use relicast_convert::{
    self as convert, ConvertError, Disposition, OpenContext, OutputRole, OutputSpec, Sink,
    documents,
};
use relicast_emit::{self as emit, Options};
use relicast_formats::decoded_file::decode;
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::{Asset, Encoding};

/// Secondary documents, by the suffix of their names.
const SECONDARY: [OutputRole; 4] = [
    OutputRole::Raw,
    OutputRole::Tables,
    OutputRole::Regions,
    OutputRole::Font,
];

/// The part of a source that a document shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// An item of it.
    Item(usize),
    /// The typed value of the whole.
    Typed,
    /// Rows of a table of the interface, which is a text.
    Table,
}

/// A document of a source.
#[derive(Debug)]
pub(super) struct View<'u> {
    pub kind: Kind,
    name: &'u str,
    siblings: &'u ArchiveContext,
    settings: convert::ConvertOptions,
    role: OutputRole,
    /// The part of the source that it shows.
    shown: Shown,
    /// JSON pointer within that part: empty, or, for typed values, below the names of their kinds.
    part: String,
    /// Byte range of the item, unless it is the whole.
    range: Option<Range<usize>>,
}

impl<'u> View<'u> {
    /// Finds the edited document in its source.
    ///
    /// # Errors
    /// It is not a JSON document, or cannot be reproduced from the source alone.
    pub(super) fn new(
        unit: &Unit<'u, '_>,
        edit: &Edited<'_>,
        edited: &Value,
    ) -> Result<Self, Refusal> {
        let path = &*edit.output.path;
        let stem = path
            .strip_suffix(".json")
            .ok_or_else(|| not_packable(unit.kind))?;
        let encoding = Encoding::Json;
        let is_secondary =
            |&role: &OutputRole| stem.ends_with(&*OutputSpec { role, encoding }.infix());
        let role = SECONDARY.into_iter().find(is_secondary);
        let role = role.unwrap_or(OutputRole::Main);
        let mut settings = unit.settings.options();
        settings.raw.enabled |= role == OutputRole::Raw;
        let open = OpenContext::new(unit.kind, unit.name, unit.original);
        let is_other = matches!(unit.kind, Kind::Unknown | Kind::Foreign);
        let is_table = is_other && table_text::is_table(unit.name);
        let parts = match convert::open(open) {
            Ok(file) => file.items(&settings),
            Err(_) if is_table || role == OutputRole::Raw => Vec::new(),
            Err(_) => return Err(not_packable(unit.kind)),
        };
        let own_stem = stem.rsplit('/').next().unwrap_or(stem);
        let mut found = parts.iter().enumerate().filter(|(_, part)| {
            let mut wanted = part.wanted.iter();
            let shows = part.verdict == Disposition::Convert
                && wanted.any(|wanted| wanted.role == role && wanted.encoding == Encoding::Json);
            // Items of a file are distinguished by their offsets; a member of an archive is a whole file.
            let is_member = parts.len() == 1 || edit.output.member.is_none();
            let is_same_item =
                part.member == edit.output.member && part.range.start == edit.output.range.start;
            let has_suffix = part
                .suffix
                .as_ref()
                .is_none_or(|suffix| own_stem.ends_with(&format!(".{suffix}")));
            shows && has_suffix && (is_same_item || (is_member && part.member.is_none()))
        });
        let mut own_part = String::new();
        let (shown, range) = match (found.next(), role) {
            (Some((item, part)), _) => {
                let range = part.member.is_some().then(|| part.range.clone());
                let range = range.and_then(|range| {
                    Some(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
                });
                (Shown::Item(item), range)
            }
            (None, OutputRole::Raw) => {
                let value = typed(unit.kind, unit.name, unit.original, unit.siblings)?;
                own_part = part_like(&value, edited);
                (Shown::Typed, None)
            }
            (None, OutputRole::Main) if is_table => (Shown::Table, None),
            (None, _) => return Err(not_packable(unit.kind)),
        };
        let view = Self {
            kind: unit.kind,
            name: unit.name,
            siblings: unit.siblings,
            settings,
            role,
            shown,
            part: own_part,
            range,
        };
        // A raw document is the typed value, independent of settings and other files.
        if role != OutputRole::Raw && hash(&view.emit(unit.original, path)?) != edit.output.blake3 {
            return Err(Refusal::new(
                "it contains data of other files, or was made by another version: edit its raw document (raw.enabled)",
            ));
        }
        Ok(view)
    }

    /// True if the source alone gives the document: this is not checked for raw ones.
    pub(super) fn is_proven(&self) -> bool {
        self.role != OutputRole::Raw
    }

    /// Byte range of its values in the source.
    pub(super) fn range(&self, bytes: &[u8]) -> Range<usize> {
        match &self.range {
            Some(range) => range.start.min(bytes.len())..range.end.min(bytes.len()),
            None => 0..bytes.len(),
        }
    }

    /// The document of the source with these bytes.
    ///
    /// # Errors
    /// The bytes are not a valid source.
    pub(super) fn show(&self, bytes: &[u8]) -> Result<Value, Refusal> {
        match self.shown {
            Shown::Item(_) => {}
            Shown::Typed => {
                let mut value = typed(self.kind, self.name, bytes, self.siblings)?;
                let part = value.pointer_mut(&self.part).map(Value::take);
                return part.ok_or_else(|| not_packable(self.kind));
            }
            Shown::Table => return Ok(table_text::document(&latin1(bytes))),
        }
        let mut shown = None;
        self.convert(bytes, &mut |asset| {
            if let Asset::Document(document) = asset {
                let value = document.to_value();
                shown = Some(value.map_err(|error| ConvertError::Emit(error.to_string()))?);
            }
            Ok(())
        })?;
        shown.ok_or_else(|| not_packable(self.kind))
    }

    /// The document of the source with these bytes, and the positions of the fields read for it.
    ///
    /// # Errors
    /// The bytes are not a valid source.
    pub(super) fn located(&self, bytes: &[u8]) -> Result<(Value, SourceMap), Refusal> {
        let (shown, map) = locate(bytes, || self.show(bytes));
        Ok((shown?, map))
    }

    /// The document as the file at `path` below the output folder.
    fn emit(&self, bytes: &[u8], path: &str) -> Result<Vec<u8>, Refusal> {
        let documents = &self.settings.documents;
        let options = Options {
            style: documents.style,
            ..Options::default()
        };
        let mut file = Vec::new();
        self.convert(bytes, &mut |asset| {
            let json = emit::encode(asset, Encoding::Json, &[], options);
            let json = json.map_err(|error| ConvertError::Emit(error.to_string()))?;
            file = match asset {
                Asset::Document(document) if documents.schemas => {
                    let place = documents::place_from(path, document);
                    emit::json::with_schema(json.into_owned(), &place, documents.style)
                }
                _ => json.into_owned(),
            };
            Ok(())
        })?;
        Ok(file)
    }

    /// Number of members' outputs that change when the archive that the document describes gets other bytes: a table
    /// may change how they are read.
    ///
    /// # Errors
    /// The bytes are not such an archive.
    pub(super) fn members_that_follow(
        &self,
        before: &[u8],
        after: &[u8],
    ) -> Result<usize, Refusal> {
        if self.range.is_some() || !matches!(self.shown, Shown::Item(_) | Shown::Typed) {
            return Ok(0);
        }
        let (before, after) = (self.of_members(before)?, self.of_members(after)?);
        let pairs = before.iter().zip(&after);
        let differing = pairs.filter(|(before, after)| before != after).count();
        Ok(differing + before.len().abs_diff(after.len()))
    }

    /// True if a value may decide the use of pictures of other members: glow, relief, a color that is not shown.
    pub(super) fn shows_what_pictures_are(&self, pointer: &str) -> bool {
        match self.kind {
            Kind::Wld => true,
            Kind::EqgTerrain | Kind::EqgModel | Kind::EqgCreature => pointer.contains("/materials"),
            _ => false,
        }
    }

    /// All outputs of members in order, with their hashes; without a hash if it is unknown.
    fn of_members(&self, bytes: &[u8]) -> Result<Vec<MemberShown>, Refusal> {
        let file = convert::open(OpenContext::new(self.kind, self.name, bytes));
        let file = file.map_err(Refusal::new)?;
        let parts = file.items(&self.settings);
        let members = parts.iter().enumerate();
        let members = members.filter(|(_, part)| part.member.is_some());
        let hash_of = |item: usize, wanted: OutputSpec| {
            let (role, mut hashed) = (wanted.role, None);
            let take = &mut |asset: &Asset<'_>| {
                let bytes = emit::encode(asset, wanted.encoding, &[], Options::default());
                hashed = bytes.ok().map(|bytes| hash(&bytes));
                Ok(())
            };
            let mut sink = Taken { role, take };
            file.convert(item, &self.settings, &mut sink).ok()?;
            hashed
        };
        let values = members.flat_map(|(item, part)| {
            let outputs = part.wanted.iter();
            outputs.map(move |&wanted| (part.member.clone(), wanted, hash_of(item, wanted)))
        });
        Ok(values.collect())
    }

    /// Converts the item, and passes on its assets.
    fn convert(&self, bytes: &[u8], take: Take<'_>) -> Result<(), Refusal> {
        let item = match self.shown {
            Shown::Item(item) => item,
            Shown::Typed => 0,
            Shown::Table => {
                let document = table_text::document(&latin1(bytes));
                let asset = Asset::Document(table_text::asset(&document));
                return take(&asset).map_err(Refusal::new);
            }
        };
        let file = convert::open(OpenContext::new(self.kind, self.name, bytes));
        let file = file.map_err(Refusal::new)?;
        let role = self.role;
        let converted = file.convert(item, &self.settings, &mut Taken { role, take });
        converted.map(|_| ()).map_err(Refusal::new)
    }
}

/// Name of a member, if it has one; one of its outputs; and its hash, if known.
type MemberShown = (Option<String>, OutputSpec, Option<String>);

/// The typed value of a file, under the name of its kind.
fn typed(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    siblings: &ArchiveContext,
) -> Result<Value, Refusal> {
    let decoded = decode(kind, name, bytes, siblings);
    let decoded = decoded.ok_or_else(|| Refusal::new("it has no typed value"))?;
    let value = decoded.map_err(Refusal::new)?.value;
    serde_json::to_value(&value).map_err(Refusal::new)
}

/// JSON pointer to the part of a typed value that a document shows: below the names of its kind, without the facts next
/// to it. Points below the first name if no part matches.
fn part_like(value: &Value, document: &Value) -> String {
    let mut at = String::new();
    let mut below_first = None;
    let mut inner = value;
    loop {
        if is_like(inner, document) {
            return at;
        }
        let (name, next) = match inner {
            Value::Object(fields) if fields.len() == 1 => match fields.iter().next() {
                Some((name, field)) => (&**name, field),
                None => break,
            },
            Value::Array(items) => match items.first() {
                Some(first) => ("0", first),
                None => break,
            },
            _ => break,
        };
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        below_first.get_or_insert_with(|| at.clone());
        inner = next;
    }
    below_first.unwrap_or_default()
}

/// True if a value may be the old state of an edited one.
fn is_like(value: &Value, document: &Value) -> bool {
    match (value, document) {
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.keys().any(|key| theirs.contains_key(key))
        }
        (Value::Array(ours), Value::Array(theirs)) => match (ours.first(), theirs.first()) {
            (Some(one), Some(other)) => is_like(one, other),
            _ => true,
        },
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => false,
        _ => true,
    }
}

fn not_packable(kind: Kind) -> Refusal {
    Refusal::new(format_args!(
        "packing such an output of {} files is not supported",
        kind.label()
    ))
}

/// Consumer of an asset.
type Take<'t> = &'t mut dyn FnMut(&Asset<'_>) -> Result<(), ConvertError>;

/// Passes on assets of a role.
struct Taken<'t> {
    role: OutputRole,
    take: Take<'t>,
}

impl Sink for Taken<'_> {
    fn wants(&self, role: OutputRole) -> bool {
        role == self.role
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        match role == self.role {
            true => (self.take)(&asset),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::part_like;

    #[test]
    fn what_a_document_shows_is_found_from_its_keys() {
        let value = json!({"mechlib": {"model": [{"nodes": [], "models": []}, "pirates_moon"]}});
        let part = |document| part_like(&value, &document);
        assert_eq!(part(value.clone()), "");
        assert_eq!(part(value["mechlib"].clone()), "/mechlib");
        assert_eq!(part(json!({"models": [], "nodes": []})), "/mechlib/model/0");
        assert_eq!(part(json!({"other": 1})), "/mechlib");
        assert_eq!(
            part_like(&json!({"lights": [1, 2]}), &json!([1])),
            "/lights"
        );
        let value = json!({"mechlib": {"materials": [[{"record": 1}], "recoil"]}});
        assert_eq!(
            part_like(&value, &json!([{"record": 2}])),
            "/mechlib/materials/0"
        );
        assert_eq!(part_like(&json!(5), &json!(6)), "");
    }
}
