//! What the page of an asset tells: where it comes from, its files, what is known of it, what it uses and what uses
//! it, and commands that show more.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::catalogue::Asset;
use super::converted::Converted;
use super::entry::Entry;
use super::facts::Facts;
use super::names::Name;
use crate::asset::AssetKind;
use crate::pipeline::manifest::{InputNumber, ManifestSource};

/// What details of all assets are made with.
#[derive(Debug)]
pub(super) struct Context<'c> {
    sources: &'c [ManifestSource],
    /// The source of each path.
    by_path: HashMap<(InputNumber, &'c str), &'c ManifestSource>,
    /// Where inputs lie on this machine, and what the paths in them begin with.
    inputs: BTreeMap<InputNumber, (&'c str, &'c str)>,
    /// The folder of the outputs.
    out: String,
}

impl<'c> Context<'c> {
    /// The context of a converted folder.
    pub fn new(converted: &'c Converted) -> Self {
        let sources = &converted.manifest.sources;
        let others = converted.report.others.iter();
        let others = others.map(|other| &other.input_report);
        let inputs = converted.report.inputs.iter().chain(others);
        let inputs = inputs.map(|input| {
            let path = input.path.as_deref().unwrap_or_default();
            (input.input, (path, &*input.prefix))
        });
        Self {
            sources,
            by_path: (sources.iter())
                .map(|source| ((source.input, &*source.path), source))
                .collect(),
            inputs: inputs.collect(),
            out: converted.root.display().to_string(),
        }
    }
}

/// The details of an asset.
#[derive(Debug)]
pub(super) struct Detail {
    /// All that is the same wherever it is seen.
    value: Map<String, Value>,
    /// Commands with the places of this machine.
    commands: Vec<Value>,
    /// The same for another one.
    portable: Vec<Value>,
    links: BTreeMap<String, usize>,
}

impl Detail {
    /// The details of an asset.
    pub fn new(context: &Context<'_>, entry: &Entry<'_>, facts: Facts, names: Vec<Name>) -> Self {
        let mut value = Map::new();
        let mut put = |key: &str, part: Value| {
            let is_nothing = match &part {
                Value::Null => true,
                Value::Array(list) => list.is_empty(),
                _ => false,
            };
            if !is_nothing {
                value.insert(key.to_owned(), part);
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
            put(
                "madeFrom",
                json!(main.made_from.iter().filter_map(of).collect::<Vec<_>>()),
            );
        }
        put("outputs", Value::Array(outputs(entry)));
        put("status", json!(entry.status));
        put("reason", json!(entry.reason()));
        if let Some(part) = entry.part {
            put(
                "deviations",
                json!(Some(&part.deviations).filter(|them| !them.is_empty())),
            );
            put("notes", json!(part.notes));
            put("missing", json!(part.missing));
            put("checks", json!(part.checks));
        } else if let Some(source) = entry.source_report {
            put(
                "deviations",
                json!(Some(&source.deviations).filter(|them| !them.is_empty())),
            );
            put("fileKind", json!(source.kind));
        }
        put("names", json!(names));
        value.insert("facts".to_owned(), Value::Object(facts.values));
        Self {
            value,
            commands: commands(context, entry, true),
            portable: commands(context, entry, false),
            links: facts.links,
        }
    }
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

/// A word for a shell: as it is, or in quotes.
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

/// A glob that takes exactly this path.
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

/// Commands that inspect, prove, convert, verify and package an asset. Places of this machine are named only for the
/// person at it.
fn commands(context: &Context<'_>, entry: &Entry<'_>, is_here: bool) -> Vec<Value> {
    let (input, prefix) = context
        .inputs
        .get(&entry.input)
        .copied()
        .unwrap_or_default();
    let input = if is_here && !input.is_empty() {
        input
    } else {
        "INPUT"
    };
    let out = if is_here { &*context.out } else { "OUT" };
    let below = entry.source.strip_prefix(prefix).unwrap_or(entry.source);
    let row = entry.source_report;
    // A file on a disc or in a cabinet lies in no folder.
    let is_inner = entry
        .main()
        .is_some_and(|main| main.disc.is_some() || main.cabinet.is_some());
    let is_whole = row.is_some_and(|_| input.ends_with(below)) && is_here;
    let file = match (is_inner, is_whole) {
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
        add("prove", format!("relicast prove {}", quoted(file)));
    } else {
        add("prove", format!("relicast prove {}", quoted(input)));
    }
    let place = match entry.member {
        Some(member) => format!("{}/{}", entry.source, member.replace('\\', "/")),
        None => entry.source.to_owned(),
    };
    add(
        "convert",
        format!(
            "relicast convert {} --out AGAIN --only {}",
            quoted(input),
            quoted(&exact_glob(&place))
        ),
    );
    add("verify", format!("relicast verify {}", quoted(out)));
    add(
        "package",
        format!(
            "relicast package {} --to PACKAGES --bagit --ro-crate",
            quoted(out)
        ),
    );
    commands
}

/// The word for an asset in a relation.
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

#[derive(Debug, Serialize)]
struct Told<'a> {
    id: usize,
    #[serde(flatten)]
    value: &'a Map<String, Value>,
    uses: Vec<(usize, &'static str)>,
    #[serde(rename = "usedBy")]
    used_by: Vec<(usize, &'static str)>,
    links: &'a BTreeMap<String, usize>,
    commands: &'a [Value],
}

/// A chunk of details; see `docs/gallery.md`.
#[derive(Debug, Serialize)]
pub(super) struct Chunk<'a> {
    first: usize,
    assets: Vec<Told<'a>>,
}

/// The details of `assets`, the first of which has the number `first` among `all`.
pub(super) fn chunk<'a>(
    first: usize,
    assets: &'a [Asset],
    all: &'a [Asset],
    is_served: bool,
) -> Chunk<'a> {
    let relations = |ids: &[usize]| -> Vec<(usize, &'static str)> {
        let known = ids
            .iter()
            .filter_map(|&id| Some((id, relation(all.get(id)?))));
        known.collect()
    };
    let told = assets.iter().enumerate().map(|(place, asset)| Told {
        id: first + place,
        value: &asset.detail.value,
        uses: relations(&asset.uses),
        used_by: relations(&asset.used_by),
        links: &asset.detail.links,
        commands: match is_served {
            true => &asset.detail.commands,
            false => &asset.detail.portable,
        },
    });
    Chunk {
        first,
        assets: told.collect(),
    }
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
