//! Messages at the end of a run, and its report.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast_samples::minimal::{containers, everquest, media, readers, textures};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{convert, json as read_json};
use crate::texts::text;

/// Files of each status: converted, copied, skipped, failed, and one with a deviation.
fn input() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut odd_map = containers::maps().swap_remove(1);
    odd_map[4] = 99;
    let mut cut = textures::packages().swap_remove(0);
    cut.truncate(cut.len() - 5);
    let files: [(&str, Vec<u8>); 8] = [
        ("broken.zmap", b"broken".to_vec()),
        ("cut.zbd", cut),
        ("leaf.bmp", everquest::bitmaps().swap_remove(0)),
        ("game.exe", b"MZ and so on".to_vec()),
        ("odd.zmap", odd_map),
        ("reader.zrd", readers::text_readers().swap_remove(2)),
        ("readme.txt", b"Read me.".to_vec()),
        ("tone.wav", media::waves().swap_remove(1)),
    ];
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Replaces the parts that differ from run to run.
fn redact(value: &mut Value) {
    const REDACTED: [&str; 6] = [
        "seal",
        "seconds",
        "modified",
        "converter",
        "config_digest",
        "request_digest",
    ];
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if REDACTED.contains(&name.as_str()) {
                    *value = json!(format!("[{name}]"));
                } else {
                    redact(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        _ => {}
    }
}

fn run(input: &Path, out: &Path, arguments: &[&str], code: i32) -> String {
    let command = &mut convert(input, out, &["--jobs", "1"]);
    let done = command.args(arguments).assert().code(code);
    let output = done.get_output();
    let stdout = text(&output.stdout);
    // The number of progress messages depends on the speed of the machine.
    let stderr = text(&output.stderr);
    let lines = stderr.lines().filter(|line| !line.contains(" items in "));
    let stderr: String = lines.flat_map(|line| [line, "\n"]).collect();
    let said = format!("{stdout}--- standard error\n{stderr}");
    said.replace(&*out.to_string_lossy(), "OUT")
        .replace(&*input.to_string_lossy(), "IN")
}

#[test]
fn a_run_with_failures_for_people() {
    let (input, out) = (input(), tempfile::tempdir().unwrap());
    insta::assert_snapshot!(run(input.path(), out.path(), &[], 2));
}

#[test]
fn a_run_with_nothing_to_do_for_people() {
    let (input, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let map = containers::maps().swap_remove(1);
    fs::write(input.path().join("m.zmap"), map).unwrap();
    run(input.path(), out.path(), &[], 0);
    insta::assert_snapshot!(run(input.path(), out.path(), &[], 0));
}

#[test]
fn a_dry_run_for_people() {
    let (input, out) = (input(), tempfile::tempdir().unwrap());
    insta::assert_snapshot!(run(input.path(), out.path(), &["--dry-run"], 0));
}

#[test]
fn the_report_for_scripts() {
    let (input, out) = (input(), tempfile::tempdir().unwrap());
    run(input.path(), out.path(), &["-q"], 2);
    let mut report = read_json(&out.path().join("report.json"));
    redact(&mut report);
    report["inputs"][0]["path"] = json!("IN");
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
}
