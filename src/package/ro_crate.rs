//! RO-Crate 1.2 metadata: files, their sources, and the actions that converted them, with program,
//! version and settings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::bagit::day;
use super::facts::{Facts, Payload, failures};
use super::media::media_type;
use crate::pipeline::report::manifest::{InputNumber, ManifestOutput};

/// Name of the file next to the outputs.
pub(super) const FILE_NAME: &str = "ro-crate-metadata.json";

const VERSION: &str = "https://w3id.org/ro/crate/1.2";
const CONTEXT: &str = "https://w3id.org/ro/crate/1.2/context";

/// The license of content whose license is unknown.
const RIGHTS: &str = "#rights";

/// Outputs of one source, by one program.
type Group<'a> = (InputNumber, &'a str, &'a str, Option<&'a str>);

/// The document.
///
/// # Errors
/// It cannot be written as JSON.
pub(super) fn document(facts: &Facts<'_>) -> serde_json::Result<Vec<u8>> {
    let mut groups: BTreeMap<Group<'_>, Vec<&ManifestOutput>> = BTreeMap::new();
    for output in &facts.manifest.outputs {
        let tool = output.tool.as_deref();
        let group = (output.input, &*output.source, &*output.converter, tool);
        groups.entry(group).or_default().push(output);
    }
    let failed = failed(facts);
    let actions = (0..groups.len()).map(action_id);
    let actions = actions.chain((0..failed.len()).map(failure_id));
    let mut graph = vec![
        json!({
            "@id": FILE_NAME,
            "@type": "CreativeWork",
            "conformsTo": {"@id": VERSION},
            "about": {"@id": "./"},
        }),
        root(facts, actions.map(reference).collect()),
    ];
    if facts.license.is_none() {
        graph.push(json!({
            "@id": RIGHTS,
            "@type": "CreativeWork",
            "name": "Rights of the sources",
            "description": "No license was given: the rights are those of the games that the files were \
                            converted from.",
        }));
    } else if let Some(url) = facts.license {
        graph.push(json!({"@id": url, "@type": "CreativeWork", "name": url, "description": url}));
    }
    graph.extend(programs(facts));
    graph.extend(facts.manifest.settings.iter().map(|(digest, settings)| {
        json!({
            "@id": settings_id(digest),
            "@type": "CreativeWork",
            "name": format!("settings {digest}"),
            "encodingFormat": "application/json",
            "text": settings.to_string(),
        })
    }));
    for (source, number) in facts.manifest.sources.iter().zip(0..) {
        graph.push(json!({
            "@id": source_id(number),
            "@type": "CreativeWork",
            "name": source.path,
            "identifier": format!("blake3:{}", source.blake3),
            "size": format!("{} bytes", source.size),
        }));
    }
    let outputs: BTreeMap<&str, &ManifestOutput> = facts
        .manifest
        .outputs
        .iter()
        .map(|output| (&*output.path, output))
        .collect();
    for file in facts.payload {
        graph.push(entity(file, outputs.get(&*file.path).copied()));
    }
    for ((group, outputs), number) in groups.iter().zip(0..) {
        graph.push(action(facts, number, *group, outputs));
    }
    graph.extend(failed);
    let mut bytes = serde_json::to_vec_pretty(&json!({"@context": CONTEXT, "@graph": graph}))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The package itself.
fn root(facts: &Facts<'_>, actions: Vec<Value>) -> Value {
    let parts: Vec<Value> = facts
        .payload
        .iter()
        .map(|file| reference(iri(&file.path)))
        .collect();
    let games: Vec<&str> = (facts.report.games.iter())
        .map(|game| &*game.title)
        .collect();
    let games = match games.is_empty() {
        true => "files of games".to_owned(),
        false => games.join(", "),
    };
    json!({
        "@id": "./",
        "@type": "Dataset",
        "name": facts.name,
        "description": format!(
            "{games}: {} files, converted from {} sources by relicast; manifest.json names the source \
             bytes of each of them.",
            facts.manifest.outputs.len(),
            facts.manifest.sources.len(),
        ),
        "datePublished": day(facts.packaged.unwrap_or(facts.run)),
        "license": reference(facts.license.unwrap_or(RIGHTS).to_owned()),
        "hasPart": parts,
        "mentions": actions,
    })
}

/// The programs that took part, each version once.
fn programs(facts: &Facts<'_>) -> Vec<Value> {
    let mut programs = BTreeSet::new();
    for output in &facts.manifest.outputs {
        programs.insert(format!("relicast {}", output.converter));
        programs.extend(output.tool.clone());
    }
    programs.insert(format!("relicast {}", facts.report.converter));
    let program = |program: &String| {
        let (name, version) = program.split_once(' ').unwrap_or((program, "unknown"));
        json!({
            "@id": program_id(program),
            "@type": "SoftwareApplication",
            "name": name,
            "url": match name {
                "ffmpeg" => "https://ffmpeg.org",
                _ => "https://crates.io/crates/relicast",
            },
            "version": version,
            "softwareVersion": version,
        })
    };
    programs.iter().map(program).collect()
}

/// A file of the package.
fn entity(file: &Payload, made: Option<&ManifestOutput>) -> Value {
    let mut entity = Map::new();
    let mut set = |key: &str, value: Value| entity.insert(key.to_owned(), value);
    set("@id", iri(&file.path).into());
    set("@type", "File".into());
    set(
        "name",
        file.path.rsplit('/').next().unwrap_or(&file.path).into(),
    );
    set("contentSize", file.digests.size.to_string().into());
    set("encodingFormat", media_type(&file.path).into());
    set("sha256", file.digests.sha256.clone().into());
    if let Some(output) = made {
        let sources = output.made_from.iter();
        let sources: Vec<Value> = sources
            .map(|&number| reference(source_id(number)))
            .collect();
        set("isBasedOn", sources.into());
        if let Some(member) = &output.member {
            set("alternateName", member.clone().into());
        }
    }
    Value::Object(entity)
}

/// The action that made the outputs of a group.
fn action(
    facts: &Facts<'_>,
    number: usize,
    group: Group<'_>,
    outputs: &[&ManifestOutput],
) -> Value {
    let (input, source, converter, tool) = group;
    let made_from: BTreeSet<u32> = outputs
        .iter()
        .flat_map(|output| &output.made_from)
        .copied()
        .collect();
    let settings = facts.manifest.inputs.iter();
    let settings = settings.filter(|row| row.input == input);
    let settings = settings.filter(|row| facts.manifest.settings.contains_key(&row.config_digest));
    let objects: Vec<Value> = made_from
        .into_iter()
        .map(source_id)
        .chain(settings.map(|row| settings_id(&row.config_digest)))
        .map(reference)
        .collect();
    let programs = [
        Some(format!("relicast {converter}")),
        tool.map(str::to_owned),
    ];
    let programs = programs.into_iter().flatten();
    let programs: Vec<Value> = programs.map(|name| reference(program_id(&name))).collect();
    let results: Vec<Value> = outputs
        .iter()
        .map(|output| reference(iri(&output.path)))
        .collect();
    json!({
        "@id": action_id(number),
        "@type": "CreateAction",
        "name": format!("Conversion of {source}"),
        "endTime": facts.run.to_string(),
        "actionStatus": reference("http://schema.org/CompletedActionStatus".to_owned()),
        "instrument": programs,
        "object": objects,
        "result": results,
    })
}

/// The conversions that failed.
fn failed(facts: &Facts<'_>) -> Vec<Value> {
    let numbers = facts.source_numbers();
    let failed = facts.sources().filter_map(|source| {
        let failures = failures(source);
        let number = numbers.get(&(source.input, &*source.path));
        (!failures.is_empty()).then_some((source, number, failures))
    });
    let action = |((source, number, failures), index): ((_, Option<&u32>, Vec<String>), usize)| {
        let source: &crate::pipeline::report::SourceReport = source;
        let mut action = json!({
            "@id": failure_id(index),
            "@type": "CreateAction",
            "name": format!("Conversion of {}", source.path),
            "endTime": facts.run.to_string(),
            "actionStatus": reference("http://schema.org/FailedActionStatus".to_owned()),
            "instrument": reference(program_id(&format!("relicast {}", facts.report.converter))),
            "error": failures,
        });
        if let (Some(&number), Some(action)) = (number, action.as_object_mut()) {
            action.insert("object".to_owned(), reference(source_id(number)));
        }
        action
    };
    failed.zip(0..).map(action).collect()
}

fn reference(id: String) -> Value {
    json!({ "@id": id })
}

fn source_id(number: u32) -> String {
    format!("#source-{number}")
}

fn action_id(number: usize) -> String {
    format!("#conversion-{number}")
}

fn failure_id(number: usize) -> String {
    format!("#failure-{number}")
}

fn settings_id(digest: &str) -> String {
    format!("#settings-{}", iri(digest))
}

fn program_id(program: &str) -> String {
    format!("#program-{}", iri(program))
}

/// A path as a URL reference: every character except letters, digits, `-`, `.`, `_`, `~` and the slash is encoded.
fn iri(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'/' => encoded.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => {
                let digits = b"0123456789ABCDEF";
                let digit = |value: u8| digits.get(usize::from(value)).copied().unwrap_or(b'0');
                encoded.push('%');
                encoded.push(char::from(digit(byte >> 4)));
                encoded.push(char::from(digit(byte & 15)));
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(iri("a b/c%.png"), "a%20b/c%25.png");
        assert_eq!(iri("ü"), "%C3%BC");
    }
}
