//! Import times of the default glTF of a zone, compared with a file of the same triangles without its structure (see
//! [`plain_gltf`]): Godot 4, Blender, and three.js in Chromium. A program that is not found gets a line of its own.
//!
//! Godot imports pictures by themselves and starts for seconds, so that it is asked four times: an empty project, the
//! pictures alone, the scene with its pictures imported before, and everything at once in a fresh project.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use walkdir::WalkDir;

use super::plain_gltf;
use super::print::{MEGABYTE, verdict};
use super::program::Bench;
use super::spending::children_seconds;
use crate::engine::godot4::Godot;
use crate::process::{remove_folder, shown, workspace};
use crate::{Outcome, npm, python, render};
use relicast_samples::{terrain, write_files};

/// Seconds that Godot may take for a real zone, start included.
const GODOT_SECONDS: f64 = 12.0;

/// Regions and trees of the made zone.
const REGIONS: usize = 1600;
const TREES: usize = 2500;

/// A project with nothing in it.
const PROJECT: &str = "config_version=5\n\n[application]\n\nconfig/name=\"bench\"\n";

/// Measures the made zone, and the zone called `zone` of the install `real`.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, real: Option<&Path>, zone: &str, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("imports");
    remove_folder(&folder)?;
    let made = folder.join("made-source");
    write_files(&made, &terrain::zone(REGIONS, TREES)?.archives)?;
    bench.options.clear();
    let mut zones = vec![("made zone".to_owned(), made, false)];
    if let Some(real) = real {
        let source = folder.join("real-source");
        fs::create_dir_all(&source)?;
        for name in [format!("{zone}.s3d"), format!("{zone}_obj.s3d")] {
            fs::copy(real.join(&name), source.join(&name))
                .map_err(|error| format!("{}: {error}", real.join(&name).display()))?;
        }
        zones.push((zone.to_owned(), source, true));
    }
    for (name, source, is_real) in zones {
        bench.source = source;
        bench.out = folder.join(format!("{name}-out").replace(' ', "-"));
        bench.convert(2)?;
        let ours = Scene::largest(&bench.out)?;
        let plain = Scene {
            folder: folder.join(format!("{name}-plain").replace(' ', "-")),
            file: ours.file.clone(),
        };
        let triangles = plain_gltf::write(&ours.path(), &plain.path())?;
        for picture in ours.pictures()? {
            put(&ours.folder, &plain.folder, &picture)?;
        }
        println!();
        println!("{name}: {triangles} triangles");
        ours.print("as relicast writes it")?;
        plain.print("written plainly")?;
        in_godot(&folder.join("godot"), &ours, &plain, is_real)?;
        in_blender(&ours, &plain, rounds)?;
        in_browser(&ours, &plain, rounds)?;
    }
    remove_folder(&folder)
}

/// A glTF file below a folder that has its pictures too.
struct Scene {
    folder: PathBuf,
    /// Path of the file below the folder.
    file: PathBuf,
}

impl Scene {
    /// The largest file of `worlds/`.
    fn largest(folder: &Path) -> Outcome<Self> {
        let entries = WalkDir::new(folder.join("worlds")).into_iter();
        let files = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let is_scene = entry.path().extension() == Some(OsStr::new("gltf"));
            let size = entry.metadata().ok()?.len();
            is_scene.then(|| (size, entry.into_path()))
        });
        let (_, path) = files.max().ok_or("no world came out")?;
        Ok(Self {
            folder: folder.to_owned(),
            file: path.strip_prefix(folder)?.to_owned(),
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join(&self.file)
    }

    fn document(&self) -> Outcome<Value> {
        Ok(serde_json::from_slice(&fs::read(self.path())?)?)
    }

    /// Paths of its pictures below the folder.
    fn pictures(&self) -> Outcome<Vec<PathBuf>> {
        let document = self.document()?;
        let images = document["images"].as_array().into_iter().flatten();
        let from = self.file.parent().unwrap_or(Path::new(""));
        let uris = images.filter_map(|image| image["uri"].as_str());
        Ok(uris.map(|uri| resolved(from, uri)).collect())
    }

    fn print(&self, what: &str) -> Outcome {
        let document = self.document()?;
        let count = |part: &str| document[part].as_array().map_or(0, Vec::len);
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len()) as f64 / MEGABYTE;
        println!(
            "  {what}: {} nodes, {} meshes, {} accessors, {} views; JSON {:.2} MB, buffer {:.2} MB",
            count("nodes"),
            count("meshes"),
            count("accessors"),
            count("bufferViews"),
            size(&self.path()),
            size(&self.path().with_extension("bin"))
        );
        Ok(())
    }

    /// Puts the file and its buffer into a project.
    fn put_into(&self, project: &Path) -> Outcome {
        put(&self.folder, project, &self.file)?;
        put(&self.folder, project, &self.file.with_extension("bin"))
    }
}

/// The path that a reference in a file of this folder leads to.
fn resolved(folder: &Path, uri: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in uri.split('/') {
        match part {
            ".." => drop(path.pop()),
            part => path.push(decoded(part)),
        }
    }
    path
}

/// A part of a reference without its escapes.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let [first, more @ ..] = rest {
        let escaped = more.get(..2).filter(|_| *first == b'%');
        let escaped = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Copies a file from one folder to the same place of another.
fn put(from: &Path, to: &Path, file: &Path) -> Outcome {
    let target = to.join(file);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from.join(file), &target)
        .map_err(|error| format!("cannot copy {}: {error}", file.display()))?;
    Ok(())
}

/// Elapsed seconds, and those of the processor where the system counts them.
#[derive(Clone, Copy)]
struct Took {
    seconds: f64,
    processor: Option<f64>,
}

impl Took {
    fn shown(self) -> String {
        let processor = self.processor.map_or(String::new(), |seconds| {
            format!(" ({seconds:.1} s of the processor)")
        });
        format!("{:.1} s{processor}", self.seconds)
    }
}

fn timed(work: impl FnOnce() -> Outcome) -> Outcome<Took> {
    let (start, before) = (Instant::now(), children_seconds());
    work()?;
    let after = children_seconds();
    Ok(Took {
        seconds: start.elapsed().as_secs_f64(),
        processor: before.zip(after).map(|(before, after)| after - before),
    })
}

fn in_godot(project: &Path, ours: &Scene, plain: &Scene, is_real: bool) -> Outcome {
    let godot = match Godot::find(false) {
        Ok(godot) => godot,
        Err(why) => {
            println!("  ----  Godot: {why}");
            return Ok(());
        }
    };
    let import = || -> Outcome<Took> {
        let mut faults = Vec::new();
        let took = timed(|| {
            faults = godot.import(project)?.faults;
            Ok(())
        })?;
        match faults.is_empty() {
            true => Ok(took),
            false => Err(format!("Godot finds fault: {}", faults.join("\n")).into()),
        }
    };
    let fresh = || -> Outcome {
        remove_folder(project)?;
        fs::create_dir_all(project)?;
        Ok(fs::write(project.join("project.godot"), PROJECT)?)
    };
    fresh()?;
    let empty = import()?;
    println!("  Godot, an empty project: {}", empty.shown());
    for picture in ours.pictures()? {
        put(&ours.folder, project, &picture)?;
    }
    println!("  Godot, the pictures alone: {}", import()?.shown());
    let mut whole = Vec::new();
    for (what, scene) in [("ours", ours), ("plain", plain)] {
        // The pictures stay imported; the previous scene is removed together with the files made from it.
        remove_folder(&project.join("worlds"))?;
        scene.put_into(project)?;
        let took = import()?;
        println!(
            "  Godot, {what}, pictures imported before: {}",
            took.shown()
        );
    }
    for (what, scene) in [("ours", ours), ("plain", plain)] {
        fresh()?;
        for picture in scene.pictures()? {
            put(&scene.folder, project, &picture)?;
        }
        scene.put_into(project)?;
        let took = import()?;
        println!("  Godot, {what}, everything at once: {}", took.shown());
        whole.push(took);
    }
    if let [ours, plain] = whole[..] {
        println!(
            "  Godot: ours takes {:.2} x what the plain file takes",
            ours.seconds / plain.seconds
        );
        if is_real {
            let title = "the zone in Godot, its start included";
            verdict(title, ours.seconds, GODOT_SECONDS, "s", false);
        }
    }
    remove_folder(project)
}

fn in_blender(ours: &Scene, plain: &Scene, rounds: u32) -> Outcome {
    let interpreter = match python::ensure("blender-5.0") {
        Ok(interpreter) => interpreter,
        Err(why) => {
            println!("  ----  Blender: {why}");
            return Ok(());
        }
    };
    let mut best = Vec::new();
    for (what, scene) in [("ours", ours), ("plain", plain)] {
        let mut command = Command::new(&interpreter);
        command
            .arg(workspace().join("xtask/engine/time_blender.py"))
            .arg(scene.path())
            .arg(rounds.to_string());
        let output = command.stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let reported = said.lines().find_map(|line| line.strip_prefix("TIME "));
        let Some(reported) = reported else {
            println!("  ----  Blender: `{}` failed", shown(&command));
            return Ok(());
        };
        let reported: Value = serde_json::from_str(reported)?;
        let took = Took {
            seconds: reported["seconds"].as_f64().unwrap_or(f64::NAN),
            processor: reported["processor"].as_f64(),
        };
        println!("  Blender, {what}: {}", took.shown());
        best.push(took.seconds);
    }
    if let [ours, plain] = best[..] {
        println!(
            "  Blender: ours takes {:.2} x what the plain file takes",
            ours / plain
        );
    }
    Ok(())
}

fn in_browser(ours: &Scene, plain: &Scene, rounds: u32) -> Outcome {
    let found = render::browser().and_then(|browser| Ok((browser, npm::ensure("render")?)));
    let (browser, modules) = match found {
        Ok(found) => found,
        Err(why) => {
            println!("  ----  three.js: {why}");
            return Ok(());
        }
    };
    let mut best = Vec::new();
    for (what, scene) in [("ours", ours), ("plain", plain)] {
        let job = json!({
            "modules": std::path::absolute(&modules)?,
            "browser": browser,
            "file": std::path::absolute(scene.path())?,
            "rounds": rounds,
        });
        let mut command = Command::new("node");
        command.arg(workspace().join("xtask/render/render.mjs"));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(job.to_string().as_bytes())?;
        }
        let output = child.wait_with_output()?;
        let reported: Value = serde_json::from_slice(&output.stdout)?;
        let seconds = |part: &str| reported[part].as_f64();
        let (Some(all), Some(bare)) = (seconds("all"), seconds("bare")) else {
            println!("  ----  three.js: {}", reported["error"]);
            return Ok(());
        };
        println!("  three.js, {what}: {all:.2} s, {bare:.2} s of it without its pictures");
        best.push(bare);
    }
    if let [ours, plain] = best[..] {
        println!(
            "  three.js: ours takes {:.2} x what the plain file takes, without pictures",
            ours / plain
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_to_files_next_to_and_above() {
        let of = |uri| resolved(Path::new("worlds/deep"), uri);
        assert_eq!(of("a%20b.png"), Path::new("worlds/deep/a b.png"));
        assert_eq!(of("../../textures/x.png"), Path::new("textures/x.png"));
        assert_eq!(of("100%.png"), Path::new("worlds/deep/100%.png"));
    }
}
