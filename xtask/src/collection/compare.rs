//! Comparison of two output folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use walkdir::WalkDir;

use crate::Outcome;

/// The first few differences between an output folder and the one that a single run leaves: files by their
/// bytes, the report without times and the store. A gallery is not part of an output.
///
/// # Errors
/// A file cannot be read.
pub fn differences(whole: &Path, merged: &Path) -> Outcome<Vec<String>> {
    let (whole, merged) = (files(whole)?, files(merged)?);
    let mut found: Vec<String> = whole
        .iter()
        .filter(|(path, bytes)| merged.get(*path) != Some(bytes))
        .map(|(path, _)| path.clone())
        .collect();
    found.extend(
        merged
            .into_keys()
            .filter(|path| !whole.contains_key(path))
            .map(|path| format!("{path} (only there)")),
    );
    found.truncate(5);
    Ok(found)
}

fn files(folder: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let entries = WalkDir::new(folder).into_iter();
    for entry in entries.filter_entry(|entry| entry.depth() != 1 || entry.file_name() != "gallery")
    {
        let entry = entry?;
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path().strip_prefix(folder)?;
        let mut bytes = fs::read(entry.path())?;
        if path == Path::new("report.json") {
            let mut report = serde_json::from_slice(&bytes)?;
            remove_times(&mut report);
            if let Value::Object(fields) = &mut report {
                // Outputs shared in a store change nothing else.
                fields.shift_remove("store");
                // The seal covers the times, too.
                fields.shift_remove("seal");
            }
            bytes = serde_json::to_vec(&report)?;
        }
        found.insert(path.to_string_lossy().into_owned(), bytes);
    }
    Ok(found)
}

fn remove_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(remove_times);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_times),
        _ => (),
    }
}
