//! Animation containers as documents, compared with an independent decoder's values of the same files,
//! and with the scenes and sounds of the same conversion. Documents are read back as plain JSON; nothing
//! here uses the converter's own code.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test or helper that cannot go on fails its test"
)]

use crate::common;
use crate::corrupt;

mod expected;
mod hostile;
mod links;
mod named;
mod special;
mod stored;
mod stored_rules;
mod table;

use std::path::Path;

use serde_json::Value;

/// Converts the fixtures of a game, and hands over their folder of expectations and the outputs.
fn with_game(game: &str, check: impl FnOnce(&Path, &Path)) {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut command = common::convert(&root.join(game), &out, &["-q", "--strict"]);
    command.assert().success();
    check(&root.join("expect").join(game), &out);
}

/// The index of a container below the output folder.
fn index(out: &Path, container: &str) -> Value {
    common::json(&out.join("animations").join(format!("{container}.json")))
}

/// The document of a definition, by its entry in the index.
fn document(out: &Path, entry: &Value) -> Value {
    common::json(&out.join(entry["document"].as_str().unwrap()))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The events of a list of blocks, in file order.
fn flat(blocks: &Value) -> Vec<Value> {
    let mut events = Vec::new();
    for block in list(blocks) {
        let mut own = block.clone();
        let parts = own.as_object_mut().unwrap();
        let body = parts.remove("body");
        let then = parts.remove("then");
        let otherwise = parts.remove("otherwise");
        let end = parts.remove("end");
        // The events that a loop repeats are before it in the file, those that a condition decides on are
        // after it.
        events.extend(body.iter().flat_map(flat));
        events.push(own);
        events.extend(then.iter().flat_map(flat));
        events.extend(otherwise.iter().flat_map(flat));
        events.extend(end);
    }
    events
}
