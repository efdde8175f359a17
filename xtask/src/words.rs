//! `cargo xtask words`: the words of names, comments, messages and documents, checked against xtask/words.toml.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use crate::Outcome;
use crate::process::workspace;

/// Check that names, comments, messages and documents use the words of the glossary.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders to read; the whole project when none is given.
    paths: Vec<PathBuf>,
}

/// Words that are not used, as xtask/words.toml lists them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    openings: Entry,
    words: Vec<Entry>,
    #[serde(default)]
    allowed: Vec<Allowed>,
}

/// Words or phrases, and the words to use in their place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    not: Vec<String>,
    #[serde(rename = "use")]
    instead: String,
    /// Phrases that begin with one of the words and are plain.
    #[serde(default)]
    except: Vec<String>,
}

/// Words that are right in some files, with the reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    words: Vec<String>,
    /// Files, by their paths.
    paths: Vec<String>,
    #[serde(rename = "because")]
    _because: String,
}

/// Use of a word that is not used.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    line: usize,
    word: String,
    instead: String,
    text: String,
}

/// Reads the files and prints each word that has a plainer one, with its place.
///
/// # Errors
/// A file cannot be read, or such a word is used.
pub fn run(arguments: &Arguments) -> Outcome {
    let root = workspace();
    let glossary = Glossary::read()?;
    let all = [PathBuf::new()];
    let paths = if arguments.paths.is_empty() {
        &all[..]
    } else {
        &arguments.paths
    };
    let (mut files, mut found) = (0, 0);
    for path in paths {
        for file in texts(&root.join(path))? {
            files += 1;
            let name = file.strip_prefix(root).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            for finding in glossary.check(&name, &fs::read_to_string(&file)?) {
                let Finding {
                    line,
                    word,
                    instead,
                    text,
                } = finding;
                eprintln!("{name}:{line}: \"{word}\" → {instead}\n    {text}");
                found += 1;
            }
        }
    }
    match found {
        0 => {
            println!("words: {files} files, all by the glossary (xtask/words.toml)");
            Ok(())
        }
        _ => Err(format!("{found} words have a plainer one (xtask/words.toml); see above").into()),
    }
}

/// Text files below a path, in order. Built, generated and recorded files are left out.
fn texts(path: &Path) -> Outcome<Vec<PathBuf>> {
    const ENDINGS: [&str; 16] = [
        "rs",
        "md",
        "toml",
        "py",
        "gd",
        "cs",
        "ts",
        "mjs",
        "css",
        "html",
        "hbs",
        "yml",
        "yaml",
        "gdshaderinc",
        "sh",
        "smk",
    ];
    const FOLDERS: [&str; 5] = ["target", ".git", "node_modules", "dist", "corpus"];
    let is_left_out = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        // `src/golden` is code.
        let is_recorded = entry.path() == workspace().join("golden");
        entry.depth() > 0
            && entry.file_type().is_dir()
            && (is_recorded || FOLDERS.contains(&&*name))
    };
    let mut files = Vec::new();
    let entries = WalkDir::new(path).sort_by_file_name().into_iter();
    for entry in entries.filter_entry(|entry| !is_left_out(entry)) {
        let path = entry?.into_path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_list = path.file_name().is_some_and(|name| name == "words.toml");
        if ending.is_some_and(|ending| ENDINGS.contains(&ending)) && !is_list {
            files.push(path);
        }
    }
    Ok(files)
}

impl Glossary {
    fn read() -> Outcome<Self> {
        let file = workspace().join("xtask/words.toml");
        Ok(toml::from_str(&fs::read_to_string(file)?)?)
    }

    fn check(&self, path: &str, text: &str) -> Vec<Finding> {
        let mut found = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let mut add = |word: &str, instead: &str| {
                if !self.is_allowed(path, word) {
                    found.push(Finding {
                        line,
                        word: word.to_owned(),
                        instead: instead.to_owned(),
                        text: text.trim().chars().take(120).collect(),
                    });
                }
            };
            if let Some(opening) = opening(text)
                && self.openings.not.iter().any(|word| word == opening)
            {
                add(opening, &self.openings.instead);
            }
            let words = words(text);
            for place in 0..words.len() {
                let begins = |phrase: &String| begins_with(&words[place..], phrase);
                for entry in &self.words {
                    if let Some(phrase) = entry.not.iter().find(|phrase| begins(phrase))
                        && !entry.except.iter().any(begins)
                    {
                        add(phrase, &entry.instead);
                    }
                }
            }
        }
        found
    }

    fn is_allowed(&self, path: &str, word: &str) -> bool {
        self.allowed.iter().any(|allowed| {
            let is_listed = |list: &[String], text: &str| list.iter().any(|listed| listed == text);
            is_listed(&allowed.words, word) && is_listed(&allowed.paths, path)
        })
    }
}

/// First word of a line of a Rust doc comment.
fn opening(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
    text.split_whitespace().next()
}

/// Words of a line, in lower case: names are parted at underscores and capital letters.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in line.chars() {
        if letter.is_ascii_alphabetic() {
            let goes_on = before.is_ascii_alphabetic()
                && !(letter.is_ascii_uppercase() && before.is_ascii_lowercase());
            match words.last_mut() {
                Some(word) if goes_on => word.push(letter.to_ascii_lowercase()),
                _ => words.push(letter.to_ascii_lowercase().to_string()),
            }
        }
        before = letter;
    }
    words
}

fn begins_with(words: &[String], phrase: &str) -> bool {
    let mut words = words.iter();
    phrase
        .split(' ')
        .all(|part| words.next().is_some_and(|word| word == part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glossary() -> Glossary {
        let text = r#"
            [openings]
            not = ["What"]
            use = "a noun"
            [[words]]
            not = ["told", "way back"]
            use = "reported"
            [[words]]
            not = ["stand"]
            use = "is at"
            except = ["stand for"]
            [[allowed]]
            words = ["told"]
            paths = ["tests/quotes.rs"]
            because = "a quotation"
        "#;
        toml::from_str(text).unwrap()
    }

    fn found(text: &str) -> Vec<(usize, String)> {
        let found = glossary().check("src/lib.rs", text);
        found
            .into_iter()
            .map(|finding| (finding.line, finding.word))
            .collect()
    }

    #[test]
    fn words_are_found_in_prose_and_within_names() {
        assert_eq!(found("a\nfn is_told(isTold: ToldOnce) {}").len(), 3);
        assert_eq!(found("toldo, retold, untold"), []);
        assert_eq!(found("The way back."), [(1, "way back".to_owned())]);
        assert_eq!(
            found("WAY_BACK way-back"),
            vec![(1, "way back".to_owned()); 2]
        );
    }

    #[test]
    fn phrases_that_are_plain_and_places_that_are_allowed_pass() {
        assert_eq!(found("Letters stand for bytes."), []);
        assert_eq!(found("They stand here.").len(), 1);
        assert_eq!(glossary().check("tests/quotes.rs", "told"), []);
    }

    #[test]
    fn doc_comments_do_not_open_with_a_question_word() {
        assert_eq!(found("    /// What a run does."), [(1, "What".to_owned())]);
        assert_eq!(found("// What is not a doc comment.\n/// Whatever"), []);
    }

    #[test]
    fn every_exception_is_needed() {
        for allowed in Glossary::read().unwrap().allowed {
            for path in &allowed.paths {
                let text = fs::read_to_string(workspace().join(path)).unwrap();
                let lines: Vec<_> = text.lines().map(words).collect();
                for word in &allowed.words {
                    let begins = |words: &Vec<String>| {
                        (0..words.len()).any(|place| begins_with(&words[place..], word))
                    };
                    assert!(lines.iter().any(begins), "{word} is not used in {path}");
                }
            }
        }
    }
}
