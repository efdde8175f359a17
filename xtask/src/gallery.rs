//! `cargo xtask gallery`: the gallery's program in the browser, from `gallery/`: built into `gallery/dist`,
//! which is committed; compared with a fresh build; and tested in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::Outcome;
use crate::process::{
    build_release, exists, exit_code, remove_folder, run as run_command, target, workspace,
};
use crate::tally::Tally;
use crate::{demo, render};

/// Build the gallery's program in the browser (gallery/dist), check it, or test it in Chromium.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

/// Task to run.
#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Build gallery/dist from gallery/src (the default).
    Build,
    /// Compare gallery/dist with a fresh build.
    Check,
    /// Test it in Chromium on the outputs of the demonstration's samples.
    Test {
        /// Folder for pictures of every kind of page.
        #[arg(long)]
        screenshots: Option<PathBuf>,
    },
    /// Write an output folder of made-up assets, to see how a large one is shown.
    #[command(hide = true)]
    Made {
        /// The folder; it must not exist.
        dir: PathBuf,
        /// Number of assets.
        #[arg(long, default_value_t = 110_000)]
        assets: u32,
    },
}

/// Files and folders of `gallery/` that a build takes.
const SOURCES: [&str; 6] = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "build.mjs",
    "src",
    "test",
];

/// Runs the command.
///
/// # Errors
/// node or npm is missing, the build fails, or what is checked is not as it should be.
pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.task {
        None | Some(Task::Build) => {
            let fresh = build()?;
            let dist = committed();
            remove_folder(&dist)?;
            copy(&fresh, &dist)?;
            println!("{}", dist.display());
            Ok(())
        }
        Some(Task::Check) => match differences(&committed(), &build()?)? {
            files if files.is_empty() => Ok(()),
            files => Err(format!("gallery/dist differs from a fresh build of gallery/src (run `cargo xtask gallery build`): {files:?}").into()),
        },
        Some(Task::Test { screenshots }) => {
            let program = build_release()?;
            let tally = browser_tests(&program, screenshots.as_deref(), Size::Whole)?;
            println!("{tally}");
            match tally.failed {
                0 => Ok(()),
                _ => Err("some tests of the gallery failed".into()),
            }
        }
        Some(Task::Made { dir, assets }) => made(dir, *assets),
    }
}

/// All tests of the gallery in a browser.
///
/// # Errors
/// node, npm or a browser is missing, or a program cannot be run.
pub fn whole(program: &Path) -> Outcome<Tally> {
    browser_tests(program, None, Size::Whole)
}

/// Checks of the gallery with a build of the program, the small part of its tests; skipped where node, npm or a browser
/// is missing.
///
/// # Errors
/// A file cannot be written or read, or a program cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let what = "gallery/dist equals a fresh build of gallery/src";
    match lacking() {
        Some(why) => {
            tally.skip(what, why);
            tally.skip("the gallery in a browser", why);
            return Ok(tally);
        }
        None => match build() {
            Ok(fresh) => {
                let wrong = differences(&committed(), &fresh)?;
                tally.check(format!("{what}; other: {wrong:?}"), wrong.is_empty());
            }
            Err(why) => {
                tally.skip(what, &why);
                tally.skip("the gallery in a browser", why);
                return Ok(tally);
            }
        },
    }
    match render::browser() {
        Ok(_) => {
            let screenshots = target().join("gallery-screenshots");
            tally += browser_tests(program, Some(&screenshots), Size::Small)?;
        }
        Err(why) => tally.skip("the gallery in a browser", why),
    }
    Ok(tally)
}

/// The program that is missing.
fn lacking() -> Option<&'static str> {
    match (exists("node"), exists("npm")) {
        (false, _) => Some("`node` is not installed"),
        (_, false) => Some("`npm` is not installed"),
        _ => None,
    }
}

fn committed() -> PathBuf {
    workspace().join("gallery").join("dist")
}

/// The folder that the program is built in, with the packages of the versions that are written down.
fn installed() -> Outcome<PathBuf> {
    if let Some(why) = lacking() {
        return Err(why.into());
    }
    let folder = target().join("gallery");
    fs::create_dir_all(&folder)?;
    for name in ["src", "test"] {
        remove_folder(&folder.join(name))?;
    }
    let lock = "package-lock.json";
    let from = workspace().join("gallery");
    let is_same = fs::read(folder.join(lock)).ok() == Some(fs::read(from.join(lock))?);
    for name in SOURCES {
        copy(&from.join(name), &folder.join(name))?;
    }
    if !is_same || !folder.join("node_modules").is_dir() {
        println!("npm ci in {} …", folder.display());
        let mut npm = Command::new("npm");
        npm.current_dir(&folder);
        let arguments = [
            "ci",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ];
        let done = run_command(npm.args(arguments));
        if done.is_err() {
            // The next run tries again.
            remove_folder(&folder.join("node_modules"))?;
        }
        done?;
    }
    Ok(folder)
}

/// Builds the program and gives the folder that holds it.
fn build() -> Outcome<PathBuf> {
    let folder = installed()?;
    let dist = folder.join("dist");
    remove_folder(&dist)?;
    let mut npm = Command::new("npm");
    npm.current_dir(&folder).args(["run", "--silent", "build"]);
    run_command(&mut npm)?;
    match dist.join("files.txt").is_file() {
        true => Ok(dist),
        false => Err("the build of the gallery left no files.txt".into()),
    }
}

/// Copies a file, or a folder with all in it.
fn copy(from: &Path, to: &Path) -> Outcome {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else {
        fs::copy(from, to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    }
    Ok(())
}

/// Names of the files that two folders do not share byte by byte.
fn differences(one: &Path, other: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for folder in [one, other] {
        for entry in fs::read_dir(folder)? {
            names.push(entry?.file_name());
        }
    }
    names.sort();
    names.dedup();
    names.retain(|name| fs::read(one.join(name)).ok() != fs::read(other.join(name)).ok());
    let names = names.iter().map(|name| name.to_string_lossy().into_owned());
    Ok(names.collect())
}

/// Size of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// A few assets of each kind: what `cargo xtask test` has.
    Small,
    /// All.
    Whole,
}

/// Converts all samples, writes their gallery, and runs the tests of `gallery/test` on it.
fn browser_tests(program: &Path, screenshots: Option<&Path>, size: Size) -> Outcome<Tally> {
    let out = demo::everything(program)?;
    let mut write = Command::new(program);
    write.arg("gallery").arg(&out).args(["--embed", "models"]);
    if exit_code(write.stdout(Stdio::null()))? != Some(0) {
        return Err("no gallery was written".into());
    }
    let folder = installed()?;
    let mut node = Command::new("node");
    node.current_dir(&folder).arg("test/run.mjs");
    copy(&committed(), &folder.join("dist"))?;
    node.arg("--gallery").arg(out.join("gallery"));
    node.arg("--browser").arg(render::browser()?);
    if let Some(screenshots) = screenshots {
        node.arg("--screenshots")
            .arg(std::path::absolute(screenshots)?);
    }
    if size == Size::Small {
        node.arg("--small");
    }
    let output = node
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let mut tally = Tally::default();
    let last = said.lines().last().unwrap_or_default();
    let count = |word: &str| -> u64 {
        let part = last
            .split(',')
            .find_map(|part| part.trim().strip_suffix(word));
        part.and_then(|count| count.trim().parse().ok())
            .unwrap_or_default()
    };
    tally.passed += count("passed");
    tally.failed += count("failed");
    tally.skipped += count("skipped");
    if !output.status.success() && tally.failed == 0 {
        tally.check("the tests of the gallery run to their end", false);
    }
    Ok(tally)
}

/// A picture of one gray pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\xdach\0\0\0\x82\0\x81\xdaE\x08;\0\0\0\0IEND\xaeB`\x82";

/// Words that names are made of.
const WORDS: [&str; 12] = [
    "lamp", "door", "mad", "walk", "splash", "tree", "stone", "wing", "sand", "gate", "crow",
    "bell",
];

/// Assets of one made-up archive.
const MEMBERS: u32 = 500;

/// Writes an output folder as a run would have left it, with pictures that are all the same.
fn made(dir: &Path, assets: u32) -> Outcome {
    fs::create_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let blake3 = "0".repeat(64);
    let mut sources: Vec<Value> = Vec::new();
    let mut reports: Vec<Value> = Vec::new();
    let mut outputs: Vec<Value> = Vec::new();
    let games = ["rc", "mw", "pm", "cs", "eq"];
    let mut shared = PathBuf::new();
    for number in 0..assets {
        let (archive, member) = (number / MEMBERS, number % MEMBERS);
        let game = games[archive as usize % games.len()];
        let source = format!("{game}/archive{archive:04}.zbd");
        if member == 0 {
            fs::create_dir_all(dir.join(format!("textures/{game}/archive{archive:04}")))?;
            sources.push(json!({"path": source, "size": 1, "blake3": blake3}));
            reports.push(json!({
                "path": source, "size": 1, "modified": 0, "blake3": blake3, "kind": "textures",
                "game": game, "status": "converted", "parts": [],
            }));
        }
        let words = [number, number / 12, number / 144].map(|at| WORDS[at as usize % WORDS.len()]);
        let name = format!("{}_{number}", words.join("_"));
        let path = format!("textures/{game}/archive{archive:04}/{name}.png");
        // A file has room for some thousand names.
        if number % 10_000 == 0 {
            shared = dir.join(&path);
            fs::write(&shared, PIXEL)?;
        } else {
            fs::hard_link(&shared, dir.join(&path))?;
        }
        outputs.push(json!({
            "path": path, "blake3": blake3, "size": PIXEL.len(), "kind": "textures", "source": source,
            "made_from": [archive], "member": name, "range": {"start": member, "end": member + 1},
            "converter": "made", "config_digest": "made", "key": "made",
        }));
        if let Some(parts) = reports
            .last_mut()
            .and_then(|report| report["parts"].as_array_mut())
        {
            parts.push(json!({"member": name, "asset": "textures", "status": "converted", "outputs": [path]}));
        }
    }
    let report = json!({
        "converter": "made", "config_digest": "made", "request_digest": "made", "complete": true,
        "games": [], "totals": {
            "files": sources.len(), "bytes": sources.len(), "parts": {"converted": assets}, "skipped": [],
            "deviations": 0, "outputs": assets, "output_bytes": 0, "assets": {},
        },
        "stages": [], "sources": reports,
    });
    outputs.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
    let manifest = json!({
        "converter": "made", "config_digest": "made", "complete": true,
        "sources": sources, "outputs": outputs,
    });
    fs::write(dir.join("manifest.json"), manifest.to_string())?;
    fs::write(dir.join("report.json"), report.to_string())?;
    Ok(())
}
