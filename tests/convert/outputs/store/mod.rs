//! A store that runs share: the same outputs as without, each content once, and no stored file is ever
//! changed.

#[cfg(unix)]
mod measure;

use relicast_testing::rounds;
use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::thread;

use assert_cmd::assert::Assert;
use relicast::asset::Game;
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::reuse::store::upkeep;
use relicast::pipeline::run;
use relicast_samples::SampleFile;
use serde_json::Value;

use crate::common::{convert, files, json, relicast};
use crate::install::{Install, sounds};

/// Result of a run: its files, and the report without times and without the figures of the store.
fn left(out: &Path) -> (BTreeMap<String, Vec<u8>>, Value) {
    let mut found = BTreeMap::new();
    for path in files(out) {
        if path != "report.json" {
            found.insert(path.clone(), fs::read(out.join(&path)).unwrap());
        }
    }
    let mut report = json(&out.join("report.json"));
    report.as_object_mut().unwrap().remove("store");
    // It is over the times as well.
    report.as_object_mut().unwrap().remove("seal");
    forget_times(&mut report);
    (found, report)
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "seconds");
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

fn with_store(input: &Path, out: &Path, store: &Path) -> Assert {
    convert(input, out, &["--store", store.to_str().unwrap()]).assert()
}

fn store_of(out: &Path) -> Value {
    json(&out.join("report.json"))["store"].clone()
}

fn count(out: &Path, name: &str) -> u64 {
    store_of(out)[name].as_u64().unwrap()
}

fn store(arguments: &[&str], code: i32) -> String {
    let mut command = relicast();
    let run = command.arg("store").args(arguments).assert().code(code);
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// The path of an object.
fn object(store: &Path, blake3: &str) -> PathBuf {
    store.join("objects").join(&blake3[..2]).join(&blake3[2..])
}

/// The hash of an output by the manifest.
fn hash_of(out: &Path, path: &str) -> String {
    let manifest = json(&out.join("manifest.json"));
    let outputs = manifest["outputs"].as_array().unwrap();
    let row = outputs.iter().find(|row| row["path"] == path).unwrap();
    row["blake3"].as_str().unwrap().to_owned()
}

#[cfg(unix)]
fn make_writable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

#[cfg(not(unix))]
fn make_writable(_: &Path) {}

/// Editions of a sample game: most files are the same in all of them. Texts differ in each, one file is missing, and
/// one has another byte, which others may take from.
fn editions(game: Game, root: &Path, count: usize) -> Vec<PathBuf> {
    let files = relicast_samples::files(game, 1).unwrap();
    (0..count)
        .map(|number| {
            let name = relicast_samples::folder(game);
            let folder = root.join(format!("edition-{number}/{name}"));
            let mut changed: Vec<SampleFile> = files.clone();
            if number > 0 {
                let middle = |file: &mut SampleFile| {
                    let place = file.bytes.len() / 2;
                    if let Some(byte) = file.bytes.get_mut(place) {
                        *byte ^= 1;
                    }
                };
                middle(&mut changed[(number * 7 + 3) % files.len()]);
                for file in &mut changed {
                    if file.path.to_lowercase().ends_with(".txt") {
                        let text = format!("edition {number}");
                        file.bytes.extend(text.into_bytes());
                    }
                }
                changed.remove((number * 5) % files.len());
            }
            relicast_samples::write_files(&folder, &changed).unwrap();
            folder
        })
        .collect()
}

#[test]
fn outputs_manifest_and_report_are_those_of_a_run_without_a_store() {
    for game in relicast_samples::GAMES {
        let root = tempfile::tempdir().unwrap();
        let store = root.path().join("store");
        let most: usize = if game == Game::Mw { 6 } else { 3 };
        let editions_of_game = editions(game, root.path(), rounds(most.div_ceil(2), most));
        for (number, input) in editions_of_game.into_iter().enumerate() {
            let plain = root.path().join(format!("plain-{number}"));
            let shared = root.path().join(format!("shared-{number}"));
            let code = |run: Assert| run.get_output().status.code();
            let plain_code = code(convert(&input, &plain, &[]).assert());
            assert_eq!(plain_code, code(with_store(&input, &shared, &store)));
            let (plain, with) = (left(&plain), left(&shared));
            assert_eq!(
                plain.0.keys().collect::<Vec<_>>(),
                with.0.keys().collect::<Vec<_>>()
            );
            for (path, bytes) in &plain.0 {
                assert!(*bytes == with.0[path], "{game}: {path} differs");
            }
            assert!(
                plain.1 == with.1,
                "{game}: the report of edition {number} differs"
            );
            let items = count(&shared, "items");
            match number {
                0 => assert_eq!(items, 0),
                _ => assert!(items > 0, "{game}: nothing was taken from the store"),
            }
            relicast().arg("verify").arg(&shared).assert().success();
        }
        let verified = upkeep::verify(&store).unwrap();
        assert!(verified.equal > 0);
        assert_eq!(verified.damaged, Vec::<String>::new());
        assert_eq!(verified.foreign, Vec::<String>::new());
    }
}

#[test]
fn a_disc_image_and_another_configuration_share_what_is_the_same() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let disc = relicast_samples::disc::files().unwrap();
    relicast_samples::write_files(&at("images"), &disc).unwrap();
    let config = at("flac.toml");
    fs::write(&config, "[sounds]\nformat = \"flac\"\n").unwrap();
    let flac = ["--config", config.to_str().unwrap()];
    convert(&at("images"), &at("plain"), &[]).assert().success();
    convert(&at("images"), &at("plain-flac"), &flac)
        .assert()
        .success();
    with_store(&at("images"), &at("one"), &at("store")).success();
    let shared = at("store");
    let all = [&flac[..], &["--store", shared.to_str().unwrap()]].concat();
    convert(&at("images"), &at("two"), &all).assert().success();
    assert!(left(&at("plain")) == left(&at("one")));
    assert!(left(&at("plain-flac")) == left(&at("two")));
    // All but the sounds, and the tables that name them, was made before.
    let converted = json(&at("two/report.json"))["totals"]["assets"]["sounds"]["parts"].clone();
    let parts = json(&at("two/report.json"))["totals"]["parts"].clone();
    let done = parts["converted"].as_u64().unwrap_or(0) + parts["copied"].as_u64().unwrap_or(0);
    let taken = count(&at("two"), "items");
    let sounds = converted.as_u64().unwrap();
    let expected = done - sounds - 3..=done - sounds;
    assert!(taken > 0 && expected.contains(&taken), "{taken}");
}

#[cfg(unix)]
#[test]
fn outputs_are_read_only_links_and_no_run_changes_an_object() {
    use std::os::unix::fs::MetadataExt;

    let install = Install::new();
    let (one, two, store_at) = (install.out("one"), install.out("two"), install.out("store"));
    with_store(&install.input(), &one, &store_at).success();
    with_store(&install.input(), &two, &store_at).success();
    let path = "config/zbd/interp.json";
    let inode = |path: PathBuf| fs::metadata(path).unwrap().ino();
    assert_eq!(inode(one.join(path)), inode(two.join(path)));
    let kept = object(&store_at, &hash_of(&one, path));
    assert_eq!(inode(one.join(path)), inode(kept.clone()));
    assert_eq!(fs::metadata(&kept).unwrap().mode() & 0o222, 0);
    assert!(count(&two, "linked") > 0);
    assert_eq!(count(&two, "added"), 0);
    assert_eq!(count(&two, "bytes"), count(&two, "bytes_saved"));
    let before = fs::read(&kept).unwrap();
    // Other settings, the same folder: outputs are replaced, objects are not.
    let style = install.out("compact.toml");
    fs::write(&style, "[documents]\nstyle = \"compact\"\n").unwrap();
    let arguments = [
        "--config",
        style.to_str().unwrap(),
        "--store",
        store_at.to_str().unwrap(),
    ];
    convert(&install.input(), &two, &arguments)
        .assert()
        .success();
    assert_ne!(fs::read(two.join(path)).unwrap(), before);
    assert_eq!(fs::read(&kept).unwrap(), before);
    assert_eq!(fs::read(one.join(path)).unwrap(), before);
    // Convert everything again over the existing outputs, which are the same files.
    convert(
        &install.input(),
        &one,
        &["--force", "--store", store_at.to_str().unwrap()],
    )
    .assert()
    .success();
    assert_eq!(inode(one.join(path)), inode(kept));
    for folder in [&one, &two, &store_at] {
        let left: Vec<String> = files(folder)
            .into_iter()
            .filter(|path| path.contains("relicast-part"))
            .collect();
        assert_eq!(left, Vec::<String>::new());
    }
    let reported: Value =
        serde_json::from_str(&store(&["stats", store_at.to_str().unwrap(), "--json"], 0)).unwrap();
    assert!(
        reported["linked"].as_u64().unwrap() > 0 && reported["saved"].as_u64().unwrap() > 0,
        "{reported}"
    );
}

#[test]
fn a_second_run_an_edit_and_a_foreign_file_are_as_without_a_store() {
    let install = Install::new();
    let (plain, shared, store_at) = (
        install.out("plain"),
        install.out("shared"),
        install.out("store"),
    );
    let warm = install.out("warm");
    with_store(&install.input(), &warm, &store_at).success();
    convert(&install.input(), &plain, &[]).assert().success();
    with_store(&install.input(), &shared, &store_at).success();
    let run = with_store(&install.input(), &shared, &store_at).success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    // An edit that replaces the file, as editors do; a file of a person where an output belongs.
    let (edited, foreign) = ("config/zbd/interp.json", "loose/new.txt");
    for out in [&plain, &shared] {
        fs::remove_file(out.join(edited)).unwrap();
        fs::write(out.join(edited), "mine").unwrap();
        fs::write(out.join(foreign), "mine too").unwrap();
    }
    install.write("new.txt", b"of the install");
    convert(&install.input(), &plain, &[]).assert().success();
    with_store(&install.input(), &shared, &store_at).success();
    assert!(left(&plain) == left(&shared));
    for path in [edited, foreign] {
        let aside = shared.join(format!("{path}.edited-1"));
        assert!(fs::read(aside).unwrap().starts_with(b"mine"));
    }
    assert!(upkeep::verify(&store_at).unwrap().damaged.is_empty());
    // A folder that was made without a store goes on with one, and the other way round.
    install.write("newer.txt", b"newer");
    with_store(&install.input(), &plain, &store_at).success();
    convert(&install.input(), &shared, &[]).assert().success();
    assert!(left(&plain) == left(&shared));
}

#[test]
fn a_damaged_object_is_quarantined_and_never_shared() {
    let install = Install::new();
    let (one, two, three) = (install.out("one"), install.out("two"), install.out("three"));
    let store_at = install.out("store");
    with_store(&install.input(), &one, &store_at).success();
    let path = "config/zbd/interp.json";
    let whole = fs::read(one.join(path)).unwrap();
    let hash = hash_of(&one, path);
    let kept = object(&store_at, &hash);
    // As long as before, with other bytes.
    make_writable(&kept);
    let mut bytes = whole.clone();
    bytes[0] ^= 1;
    fs::write(&kept, &bytes).unwrap();
    assert!(
        store(&["verify", store_at.to_str().unwrap()], 2).contains(&format!("damaged    {hash}"))
    );
    with_store(&install.input(), &two, &store_at).success();
    assert_eq!(fs::read(two.join(path)).unwrap(), whole);
    assert_eq!(count(&two, "damaged"), 1);
    assert_eq!(
        fs::read(store_at.join("damaged").join(&hash)).unwrap(),
        bytes
    );
    assert_eq!(fs::read(&kept).unwrap(), whole);
    // Shorter; and gone.
    make_writable(&kept);
    fs::write(&kept, "").unwrap();
    let other = object(&store_at, &hash_of(&one, "loose/readme.txt"));
    fs::remove_file(&other).unwrap();
    with_store(&install.input(), &three, &store_at).success();
    assert_eq!(fs::read(three.join(path)).unwrap(), whole);
    assert_eq!(fs::read(&other).unwrap(), b"hello");
    assert_eq!(
        store(&["verify", store_at.to_str().unwrap()], 0)
            .lines()
            .count(),
        1
    );
    // An entry that was changed is not believed.
    for item in files(&store_at.join("items")) {
        let item = store_at.join("items").join(item);
        let text = fs::read_to_string(&item).unwrap();
        fs::write(&item, text.replace("\"size\":", "\"size\": ")).unwrap();
    }
    let four = install.out("four");
    with_store(&install.input(), &four, &store_at).success();
    assert_eq!(count(&four, "items"), 0);
    // The store is gone: nothing is missed.
    fs::remove_dir_all(&store_at).unwrap();
    install.write("new.txt", b"new");
    with_store(&install.input(), &four, &store_at).success();
    relicast().arg("verify").arg(&four).assert().success();
    assert!(count(&four, "added") > 0);
}

#[test]
fn foreign_folders_and_places_in_one_another_are_refused() {
    let install = Install::new();
    let out = install.out("out");
    let mine = install.out("mine");
    fs::create_dir(&mine).unwrap();
    fs::write(mine.join("notes.txt"), "mine").unwrap();
    with_store(&install.input(), &out, &mine).code(1);
    assert_eq!(files(&mine), ["notes.txt"]);
    with_store(&install.input(), &out, &out.join("store")).code(1);
    with_store(&install.input(), &out, &install.input().join("store")).code(1);
    with_store(&install.input(), &out.join("inner"), &out).code(1);
    assert!(!out.exists() && !install.input().join("store").exists());
    store(&["stats", mine.to_str().unwrap()], 1);
    store(
        &[
            "gc",
            mine.to_str().unwrap(),
            "--keep",
            mine.to_str().unwrap(),
        ],
        1,
    );
    assert_eq!(files(&mine), ["notes.txt"]);
    // The configuration can name it; it changes no digest.
    let config = install.out("p.toml");
    let store_at = install.out("store");
    fs::write(
        &config,
        format!("[run]\nstore = '{}'\n", store_at.display()),
    )
    .unwrap();
    convert(
        &install.input(),
        &out,
        &["--config", config.to_str().unwrap()],
    )
    .assert()
    .success();
    let plain = install.out("plain");
    convert(&install.input(), &plain, &[]).assert().success();
    assert!(left(&plain) == left(&out));
    assert!(upkeep::stats(&store_at).unwrap().objects > 0);
}

#[test]
fn gc_deletes_what_no_listed_folder_uses_and_nothing_when_it_is_unsure() {
    let install = Install::new();
    let (one, two, store_at) = (
        install.out("homes/one"),
        install.out("homes/two"),
        install.out("store"),
    );
    let store_text = store_at.to_str().unwrap();
    with_store(&install.input(), &one, &store_at).success();
    install.write("ZBD/soundsH.zbd", &sounds(9));
    with_store(&install.input(), &two, &store_at).success();
    let before = upkeep::stats(&store_at).unwrap();
    let homes = install.out("homes");
    let gc = |keep: &Path, more: &[&str], code| {
        let all = [
            &["gc", store_text, "--keep", keep.to_str().unwrap(), "--json"],
            more,
        ]
        .concat();
        store(&all, code)
    };
    let reported: Value = serde_json::from_str(&gc(&homes, &[], 0)).unwrap();
    assert_eq!(reported["deleted"], 0);
    assert_eq!(reported["kept"], before.objects);
    let reported: Value = serde_json::from_str(&gc(&one, &["--dry-run"], 0)).unwrap();
    assert!(reported["deleted"].as_u64().unwrap() > 0);
    assert_eq!(upkeep::stats(&store_at).unwrap(), before);
    // What a folder uses is not known.
    fs::create_dir(install.out("none")).unwrap();
    gc(&install.out("none"), &[], 1);
    fs::create_dir(one.join(".relicast")).unwrap();
    gc(&homes, &[], 1);
    fs::remove_dir(one.join(".relicast")).unwrap();
    assert_eq!(upkeep::stats(&store_at).unwrap(), before);
    let kept: Value = serde_json::from_str(&gc(&one, &[], 0)).unwrap();
    assert_eq!(kept["deleted"], reported["deleted"]);
    let after = upkeep::stats(&store_at).unwrap();
    assert!(after.objects < before.objects && after.items < before.items);
    assert_eq!(upkeep::verify(&store_at).unwrap().equal, after.objects);
    // The outputs have their bytes all the same, and a run puts what is missing back.
    relicast().arg("verify").arg(&two).assert().success();
    let three = install.out("homes/three");
    with_store(&install.input(), &three, &store_at).success();
    let (two, three) = (left(&two), left(&three));
    assert!(two.0 == three.0);
    assert_eq!(upkeep::stats(&store_at).unwrap().objects, before.objects);
}

#[test]
fn threads_and_processes_share_a_store_at_once() {
    let root = tempfile::tempdir().unwrap();
    let inputs = editions(Game::Rc, root.path(), 4);
    let store_at = root.path().join("store");
    let at = |name: String| root.path().join(name);
    thread::scope(|scope| {
        for (number, input) in inputs.iter().enumerate() {
            let (out, store) = (at(format!("thread-{number}")), store_at.clone());
            scope.spawn(move || {
                let mut request = Request {
                    inputs: vec![input.clone()],
                    out,
                    ..Request::default()
                };
                request.config.run.store = store;
                let outcome = run::convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
                assert!(!outcome.cancelled);
            });
        }
    });
    let other = root.path().join("other");
    let children: Vec<_> = inputs
        .iter()
        .enumerate()
        .map(|(number, input)| {
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
            command.arg("convert").arg(input).arg("--store").arg(&other);
            command.arg("--out").arg(at(format!("process-{number}")));
            command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(matches!(child.wait().unwrap().code(), Some(0 | 2)));
    }
    for (number, input) in inputs.iter().enumerate() {
        let plain = at(format!("plain-{number}"));
        drop(convert(input, &plain, &[]).assert());
        let plain = left(&plain).0;
        for kind in ["thread", "process"] {
            assert!(
                left(&at(format!("{kind}-{number}"))).0 == plain,
                "{kind} {number}"
            );
        }
    }
    for store in [&store_at, &other] {
        let verified = upkeep::verify(store).unwrap();
        assert!(
            verified.damaged.is_empty() && verified.foreign.is_empty(),
            "{verified:?}"
        );
    }
    assert_eq!(
        upkeep::stats(&store_at).unwrap().objects,
        upkeep::stats(&other).unwrap().objects
    );
}

/// If another file system is available, outputs are copied and stay writable.
#[cfg(target_os = "linux")]
#[test]
fn across_file_systems_outputs_are_copies() {
    use std::os::unix::fs::MetadataExt;

    let install = Install::new();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        eprintln!("SKIPPED: no /dev/shm");
        return;
    };
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    if device(other.path()) == device(install.folder.path()) {
        eprintln!("SKIPPED: /dev/shm is no file system of its own");
        return;
    }
    let store_at = other.path().join("store");
    let (one, two) = (install.out("one"), install.out("two"));
    with_store(&install.input(), &one, &store_at).success();
    with_store(&install.input(), &two, &store_at).success();
    assert!(left(&one) == left(&two));
    assert!(count(&two, "copied") > 0 && count(&two, "linked") == 0);
    assert_eq!(count(&two, "bytes_saved"), 0);
    let output = fs::metadata(two.join("loose/readme.txt")).unwrap();
    assert_ne!(output.mode() & 0o200, 0);
}

#[test]
fn merged_shards_are_shared_too() {
    let install = Install::new();
    let (plain, merged, store_at) = (
        install.out("plain"),
        install.out("merged"),
        install.out("store"),
    );
    convert(&install.input(), &plain, &[]).assert().success();
    with_store(&install.input(), &install.out("whole"), &store_at).success();
    let before = upkeep::stats(&store_at).unwrap();
    let mut command = relicast();
    command
        .arg("merge")
        .arg("--out")
        .arg(&merged)
        .arg("--store")
        .arg(&store_at);
    for shard in ["1/2", "2/2"] {
        let out = install.out(&format!("shard-{}", &shard[..1]));
        convert(&install.input(), &out, &["--shard", shard])
            .assert()
            .success();
        command.arg(out);
    }
    command.assert().success();
    let (plain, with) = (left(&plain), left(&merged));
    assert!(plain.0 == with.0);
    assert!(plain.1 == with.1);
    let outputs = json(&merged.join("manifest.json"))["outputs"]
        .as_array()
        .unwrap()
        .len();
    let taken = ["linked", "cloned", "copied"].map(|name| count(&merged, name));
    assert_eq!(taken.iter().sum::<u64>(), outputs as u64);
    assert_eq!(upkeep::stats(&store_at).unwrap().objects, before.objects);
}
