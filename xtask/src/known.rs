//! `cargo xtask known-files`: the table of known files, from the project's list of them and from
//! `xtask/further-known-files.json`, whose entries were published later.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::Value;

use crate::Outcome;
use crate::process::workspace;

/// Make the table of known files from a JSON list of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The list, such as ../shared/formats/known-files.json.
    list: PathBuf,
    /// Write nothing; fail when the table is not that of the list.
    #[arg(long)]
    check: bool,
}

const HEADER: &str = "# Known files: names, sizes and SHA-256 of files that others published. Made by `cargo xtask \
                      known-files`.\n";

/// An edition with the lines of its files.
struct Edition {
    game: String,
    words: String,
    source: String,
    is_shared: bool,
    rows: BTreeSet<String>,
}

fn text<'v>(entry: &'v Value, key: &str) -> Outcome<&'v str> {
    let text = entry[key].as_str();
    Ok(text.ok_or_else(|| format!("no {key}: {entry}"))?)
}

fn hash(entry: &Value) -> Outcome<Option<String>> {
    let Some(digits) = entry["sha256"].as_str() else {
        return Ok(None);
    };
    let pairs = (0..digits.len()).step_by(2).map(|at| {
        let pair = digits.get(at..at + 2).unwrap_or_default();
        u8::from_str_radix(pair, 16)
    });
    let bytes: Vec<u8> = pairs.collect::<Result<_, _>>()?;
    if bytes.len() != 32 {
        return Err(format!("no SHA-256: {digits}").into());
    }
    Ok(Some(STANDARD_NO_PAD.encode(bytes)))
}

/// The table of a list, in the format that `relicast::source::known` reads.
fn table(list: &[Value]) -> Outcome<String> {
    let mut editions: Vec<Edition> = Vec::new();
    for entry in list {
        let (size, hash) = (entry["size"].as_u64(), hash(entry)?);
        if size.is_none() && hash.is_none() {
            continue;
        }
        let path = text(entry, "path")?.replace('\\', "/").to_lowercase();
        let is_outside =
            path.starts_with('/') || path.contains(':') || path.split('/').any(|part| part == "..");
        if is_outside {
            return Err(format!("not a path below an install: {path}").into());
        }
        let (game, words) = (text(entry, "game")?, text(entry, "edition")?);
        let known = editions
            .iter()
            .position(|edition| edition.game == game && edition.words == words);
        let place = match known {
            Some(place) => place,
            None => {
                editions.push(Edition {
                    game: game.to_owned(),
                    words: words.to_owned(),
                    source: text(entry, "source")?.to_owned(),
                    is_shared: entry.get("same_in").is_some(),
                    rows: BTreeSet::new(),
                });
                editions.len() - 1
            }
        };
        let size = size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        let hash = hash.unwrap_or_else(|| "-".to_owned());
        let optional = if entry.get("installed_by").is_some() {
            "\to"
        } else {
            ""
        };
        editions[place]
            .rows
            .insert(format!("{path}\t{size}\t{hash}{optional}\n"));
    }
    let mut out = HEADER.to_owned();
    for edition in editions {
        let Edition {
            game,
            words,
            source,
            is_shared,
            rows,
        } = edition;
        let shared = if is_shared { "\t*" } else { "" };
        out.push_str(&format!("=\t{game}\t{words}\t{source}{shared}\n"));
        out.extend(rows);
    }
    Ok(out)
}

/// Writes the table, or compares it.
///
/// # Errors
/// The list cannot be read, or contains an invalid entry.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut list: Vec<Value> = serde_json::from_slice(&fs::read(&arguments.list)?)?;
    let further = workspace().join("xtask/further-known-files.json");
    let further: Vec<Value> = serde_json::from_slice(&fs::read(further)?)?;
    list.extend(further);
    let made = table(&list)?;
    let path = workspace().join("crates/relicast-source/src/known/known-files.txt");
    let stored = fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if made == stored {
        println!("{} is that of the list", path.display());
        return Ok(());
    }
    if arguments.check {
        return Err("the table of known files is old: run `cargo xtask known-files`".into());
    }
    fs::write(&path, made)?;
    println!("wrote {}", path.display());
    Ok(())
}
