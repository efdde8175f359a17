//! Details page of an asset: its origin, files, facts, dependencies in both directions, and commands that show
//! more.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::asset::{Asset, Detail};
use super::entry::Entry;
use super::facts::Facts;
use super::kinds::Viewer;
use super::names::Name;
use crate::pipeline::report::Faults;
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::{InputNumber, ManifestSource};
use relicast_formats::asset::AssetKind;

/// Lookup data for the details of all assets.
#[derive(Debug)]
pub(super) struct Context<'c> {
    sources: &'c [ManifestSource],
    /// Source for each path.
    by_path: HashMap<(InputNumber, &'c str), &'c ManifestSource>,
}

impl<'c> Context<'c> {
    /// Lookup data of a converted folder.
    pub fn new(converted: &'c Converted) -> Self {
        let sources = &converted.manifest.sources;
        Self {
            sources,
            by_path: (sources.iter())
                .map(|source| ((source.input, &*source.path), source))
                .collect(),
        }
    }
}

/// Paths on this machine.
#[derive(Debug)]
pub(super) struct Here {
    /// Paths of inputs, and the prefix of paths in them.
    inputs: BTreeMap<InputNumber, (String, String)>,
    /// The folder of the outputs.
    out: String,
}

impl Here {
    /// Paths of a converted folder and of its inputs.
    pub fn new(converted: &Converted) -> Self {
        let others = converted.report.others.iter();
        let others = others.map(|other| &other.input_report);
        let inputs = converted.report.inputs.iter().chain(others);
        let inputs = inputs.map(|input| {
            let path = input.path.clone().unwrap_or_default();
            (input.input, (path, input.prefix.clone()))
        });
        Self {
            inputs: inputs.collect(),
            out: converted.root.display().to_string(),
        }
    }
}

/// Details of an asset.
pub(super) fn detail(
    context: &Context<'_>,
    entry: &Entry<'_>,
    facts: Facts,
    names: &[Name],
) -> Detail {
    let value = value(context, entry, facts.values, names);
    let text = serde_json::to_string(&value).unwrap_or_default();
    let rows = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let main = entry.main();
    Detail {
        rows: rows.unwrap_or_default().into(),
        input: entry.input,
        source: entry.source.into(),
        member: entry.member.map(Into::into),
        is_inner: main.is_some_and(|main| main.disc.is_some() || main.cabinet.is_some()),
        links: facts.links,
    }
}

/// Details that are the same in every environment.
fn value(
    context: &Context<'_>,
    entry: &Entry<'_>,
    facts: Map<String, Value>,
    names: &[Name],
) -> Map<String, Value> {
    let mut value = Map::new();
    let mut put = |key: &str, facts: Value| {
        let is_nothing = match &facts {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if !is_nothing {
            value.insert(key.to_owned(), facts);
        }
    };
    put("key", json!(entry.key));
    put("source", source(context, entry));
    put("member", json!(entry.member));
    if let Some(main) = entry.main() {
        put("range", json!([main.range.start, main.range.end]));
        if !main.packing.is_none() {
            put("packing", json!(main.packing));
        }
        put("disc", json!(main.disc));
        put("cabinet", json!(main.cabinet));
        put("converter", json!(main.converter));
        put("settings", json!(main.config_digest));
        let of = |place: &u32| {
            let source = context.sources.get(usize::try_from(*place).ok()?)?;
            Some(&*source.path)
        };
        let made_from = main.made_from.iter().filter_map(of);
        put("madeFrom", json!(made_from.collect::<Vec<_>>()));
    }
    put("outputs", Value::Array(outputs(entry)));
    put("status", json!(entry.status));
    put("reason", json!(entry.reason().map(|reason| &reason.text)));
    let listed = |faults: &Faults| match faults.is_empty() {
        true => Value::Null,
        false => json!(faults),
    };
    if let Some(item) = entry.item {
        put("deviations", listed(&item.deviations));
        put("notes", json!(item.notes));
        put("missing", json!(item.missing));
        put("checks", json!(item.checks));
    } else if let Some(source) = entry.source_report {
        put("deviations", listed(&source.deviations));
        put("fileKind", json!(source.kind));
    }
    put("names", json!(names));
    put("facts", Value::Object(facts));
    value
}

fn source(context: &Context<'_>, entry: &Entry<'_>) -> Value {
    let mut row = Map::new();
    row.insert("path".to_owned(), json!(entry.source));
    row.insert("input".to_owned(), json!(entry.input));
    if let Some(source) = context.by_path.get(&(entry.input, entry.source)) {
        row.insert("size".to_owned(), json!(source.size));
        row.insert("blake3".to_owned(), json!(source.blake3));
    } else if let Some(source) = entry.source_report {
        row.insert("size".to_owned(), json!(source.size));
    }
    Value::Object(row)
}

fn outputs(entry: &Entry<'_>) -> Vec<Value> {
    let outputs = entry.outputs.iter().map(|(role, output)| {
        let mut row = Map::new();
        row.insert("path".to_owned(), json!(output.path));
        row.insert("role".to_owned(), json!(role));
        row.insert("size".to_owned(), json!(output.size));
        row.insert("blake3".to_owned(), json!(output.blake3));
        row.insert("key".to_owned(), json!(output.key));
        if let Some(tool) = &output.tool {
            row.insert("tool".to_owned(), json!(tool));
        }
        Value::Object(row)
    });
    outputs.collect()
}

/// Word for a shell, quoted if necessary.
fn quoted(word: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "/._-+=:@".contains(character);
    match !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => {
            let word = match word.starts_with('-') {
                true => format!("./{word}"),
                false => word.to_owned(),
            };
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    }
}

/// Glob that matches exactly this path.
fn exact_glob(path: &str) -> String {
    let mut glob = String::with_capacity(path.len());
    for character in path.chars() {
        match character {
            '*' | '?' | '[' | ']' | '{' | '}' => {
                glob.extend(['[', character, ']']);
            }
            character => glob.push(character),
        }
    }
    glob
}

/// Commands that inspect, prove, convert, verify, package and pack an asset. Paths of this machine are included
/// only for its user, whose paths are `here`.
fn commands(asset: &Asset, here: Option<&Here>) -> Vec<Value> {
    let detail = &asset.detail;
    let known = here.and_then(|here| here.inputs.get(&detail.input));
    let (input, prefix) = known.map_or(("", ""), |(input, prefix)| (input, prefix));
    let is_file = !input.is_empty() && input.ends_with(&*detail.source);
    let input = if input.is_empty() { "INPUT" } else { input };
    let out = here.map_or("OUT", |here| &here.out);
    let below = detail.source.strip_prefix(prefix).unwrap_or(&detail.source);
    let file = match (detail.is_inner, is_file) {
        (true, _) => None,
        (_, true) => Some(input.to_owned()),
        _ => Some(format!("{}/{below}", input.trim_end_matches('/'))),
    };
    let mut commands = Vec::new();
    let mut add = |what: &str, command: String| {
        commands.push(json!({"what": what, "command": command}));
    };
    if let Some(file) = &file {
        add("inspect", format!("relicast inspect {}", quoted(file)));
    }
    let proved = file.as_deref().unwrap_or(input);
    add("prove", format!("relicast prove {}", quoted(proved)));
    let place = match &detail.member {
        Some(member) => format!("{}/{}", detail.source, member.replace('\\', "/")),
        None => detail.source.to_string(),
    };
    let (input, only) = (quoted(input), quoted(&exact_glob(&place)));
    add(
        "convert",
        format!("relicast convert {input} --out AGAIN --only {only}"),
    );
    let out = quoted(out);
    add("verify", format!("relicast verify {out}"));
    let package = format!("relicast package {out} --to PACKAGES --bagit --ro-crate");
    add("package", package);
    // Assets that can be packed, from files in folders.
    let is_packable = matches!(
        asset.row.kind,
        AssetKind::Textures
            | AssetKind::Sounds
            | AssetKind::Readers
            | AssetKind::Scripts
            | AssetKind::Loose
    );
    if is_packable && !detail.is_inner && asset.row.viewer != Viewer::None {
        let only = quoted(&exact_glob(&asset.row.key));
        let pack = format!("relicast pack {out} --from {input} --to MOD --only {only}");
        add("pack", pack);
    }
    commands
}

/// Name of an asset's kind in a relation.
fn relation(asset: &Asset) -> &'static str {
    match asset.row.kind {
        AssetKind::Textures => "texture",
        AssetKind::Sounds => "sound",
        AssetKind::Music => "music",
        AssetKind::Models => "model",
        AssetKind::Worlds => "world",
        AssetKind::Motions => "motion",
        AssetKind::Animations => "animation",
        AssetKind::Readers => "definition",
        AssetKind::Scripts => "script",
        _ => "document",
    }
}

/// Fields that are added to the stored ones.
#[derive(Debug, Serialize)]
struct More<'a> {
    uses: Vec<(usize, &'static str)>,
    #[serde(rename = "usedBy")]
    used_by: Vec<(usize, &'static str)>,
    links: &'a BTreeMap<String, usize>,
    commands: Vec<Value>,
}

/// Chunk of details as JSON, see `docs/gallery.md`: those of `assets`, the first of which has the index `first`
/// in `all`.
pub(super) fn chunk(
    first: usize,
    assets: &[Asset],
    all: &[Asset],
    here: Option<&Here>,
) -> serde_json::Result<String> {
    let relations = |ids: &[usize]| -> Vec<(usize, &'static str)> {
        let known = ids
            .iter()
            .filter_map(|&id| Some((id, relation(all.get(id)?))));
        known.collect()
    };
    let mut text = format!("{{\"first\":{first},\"assets\":[");
    for (place, asset) in assets.iter().enumerate() {
        let more = serde_json::to_string(&More {
            uses: relations(&asset.uses),
            used_by: relations(&asset.used_by),
            links: &asset.detail.links,
            commands: commands(asset, here),
        })?;
        if place > 0 {
            text.push(',');
        }
        let id = first + place;
        let more = more.strip_prefix('{').unwrap_or(&more);
        text.push_str(&format!("{{\"id\":{id},{},{more}", asset.detail.rows));
    }
    text.push_str("]}");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell_stay_one_word() {
        assert_eq!(quoted("a/b.zbd"), "a/b.zbd");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; $(rm)"), "'it'\\''s; $(rm)'");
        assert_eq!(quoted("-rf"), "'./-rf'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn globs_of_odd_names_take_only_these() {
        assert_eq!(exact_glob("a/b[1]*.wav"), "a/b[[]1[]][*].wav");
    }
}
