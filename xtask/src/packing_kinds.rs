//! Edits one output of each kind of every sample, packs and converts again, and prints the differences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use relicast::asset::Game;
use relicast::golden::diff::diff;
use relicast::pack::{Packed, Request, pack};
use relicast::pipeline::report::manifest::{self, Manifest, ManifestOutput};
use relicast_samples::edits::{self, What};
use relicast_samples::random::Random;
use relicast_samples::{self as sample, GAMES};

use crate::Outcome;
use crate::demo;
use crate::process::{remove_folder, shown};
use crate::tally::Tally;

/// Edits of a kind that are tried before the kind is reported as unpackable.
const MAX_TRIES: usize = 5;

/// Maximum width of a cell of the printed table, in characters.
const CELL_WIDTH: usize = 58;

/// An edit that can be packed.
struct PackableEdit {
    group: String,
    output: ManifestOutput,
    edit: edits::Edit,
}

/// Edits, packs and converts the sample of every game. Needs the installs and outputs of the demonstration.
///
/// # Errors
/// A file cannot be written or read, or a program cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    println!();
    println!("one thing of each kind edited, packed and converted again:");
    for game in GAMES {
        let workspace = Workspace::new(game)?;
        let (packable, unpackable) = workspace.find_packable_edits()?;
        let passed = workspace.pack(program, game, packable, &mut tally)?;
        println!(
            "{}: {passed} kinds can be packed; no packable edit was found for:",
            game.title()
        );
        for (group, reason) in unpackable {
            println!("    {group}: {}", cut(&reason, 2 * CELL_WIDTH));
        }
    }
    Ok(tally)
}

/// Working folder with copies of an install and of its outputs.
struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    fn new(game: Game) -> Outcome<Self> {
        let name = sample::folder(game);
        let folder = demo::folder().join("packing").join("kinds").join(name);
        remove_folder(&folder)?;
        for (from, to) in [("install", "install"), ("out", "out"), ("out", "first")] {
            copy(&demo::folder().join(from).join(name), &folder.join(to))?;
        }
        Ok(Self { folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn request(&self) -> Request {
        Request::new(&self.path("out"), &self.path("install"), &self.path("mod"))
    }

    /// Finds an edit of each kind that can be packed, and the kinds without any, with the last reason.
    fn find_packable_edits(&self) -> Outcome<(Vec<PackableEdit>, BTreeMap<String, String>)> {
        let manifest = self.path("out").join(manifest::FILE_NAME);
        let listed: Manifest = serde_json::from_slice(&fs::read(manifest)?)?;
        let mut groups: BTreeMap<String, Vec<ManifestOutput>> = BTreeMap::new();
        for output in listed.outputs {
            groups
                .entry(edits::group(&output))
                .or_default()
                .push(output);
        }
        let mut packable: Vec<PackableEdit> = Vec::new();
        let mut unpackable = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (group, outputs) in groups {
            let mut random = Random::named(&group);
            for _ in 0..MAX_TRIES {
                let chosen = usize::try_from(random.below(outputs.len() as u64))?;
                let output = &outputs[chosen];
                // One edit per member: edits of several outputs of one could contradict each other.
                let member = (output.source.clone(), output.range.start);
                let edit = edits::edit(&self.path("out"), &output.path, &mut random)?;
                let Some(edit) = edit.filter(|_| !taken.contains(&member)) else {
                    continue;
                };
                self.put(&edit)?;
                let packed = pack(&Request {
                    check: true,
                    ..self.request()
                })?;
                self.undo(&edit)?;
                if let Some((_, refusal)) = packed.refused.first() {
                    unpackable.insert(group.clone(), refusal.to_string());
                    continue;
                }
                unpackable.remove(&group);
                taken.insert(member);
                let output = output.clone();
                let group = group.clone();
                packable.push(PackableEdit {
                    group,
                    output,
                    edit,
                });
                break;
            }
        }
        Ok((packable, unpackable))
    }

    fn put(&self, edit: &edits::Edit) -> Outcome {
        for (path, bytes) in &edit.files {
            fs::write(self.path("out").join(path), bytes)?;
        }
        Ok(())
    }

    fn undo(&self, edit: &edits::Edit) -> Outcome {
        for (path, _) in &edit.files {
            fs::copy(self.path("first").join(path), self.path("out").join(path))?;
        }
        Ok(())
    }

    /// Packs all accepted edits together with the program, converts, and prints the differences. Returns the
    /// number packed.
    fn pack(
        &self,
        program: &Path,
        game: Game,
        mut edits: Vec<PackableEdit>,
        tally: &mut Tally,
    ) -> Outcome<usize> {
        let packed = self.together(&mut edits)?;
        let title = game.title();
        let mut command = Command::new(program);
        command
            .arg("pack")
            .arg(self.path("out"))
            .arg("--from")
            .arg(self.path("install"));
        command.arg("--to").arg(self.path("mod"));
        tally.check(format!("{title}: pack"), quiet(command)?);
        copy(&self.path("install"), &self.path("modded"))?;
        copy(&self.path("mod"), &self.path("modded"))?;
        fs::remove_file(self.path("modded").join("relicast-pack.json"))?;
        fs::remove_dir_all(self.path("modded").join(".relicast-edits"))?;
        let mut command = Command::new(program);
        command
            .arg("convert")
            .arg(self.path("modded"))
            .arg("--out")
            .arg(self.path("after"));
        // Videos are not edited here.
        let settings = self.path("without-videos.toml");
        fs::write(&settings, "[video]\nenabled = false\n")?;
        command.arg("--quiet").arg("--config").arg(settings);
        tally.check(
            format!("{title}: convert the packed files"),
            quiet(command)?,
        );
        let differing = diff(&self.path("first"), &self.path("after"))?;
        let size = |path: &str| {
            let found = packed.files.iter().find(|(packed, _)| packed == path);
            found.map_or(0, |(_, size)| *size)
        };
        println!(
            "{:<34} {:<CELL_WIDTH$} {:>10}  what differs",
            game.title(),
            "edited",
            "packed"
        );
        for PackableEdit {
            group,
            output,
            edit,
        } in &edits
        {
            let after = differing.changed.iter().find(|changed| {
                let path = &changed.before.path;
                // A change of the .bin file is reported for its .gltf.
                *path == output.path || output.path.strip_suffix("bin") == path.strip_suffix("gltf")
            });
            let change = after.map(|changed| changed.change.to_string());
            tally.check(
                format!(
                    "{title}: edit of {} appears after converting again",
                    output.path
                ),
                change.is_some(),
            );
            println!(
                "  {:<32} {:<CELL_WIDTH$} {:>10}  {}",
                cut(group, 32),
                cut(&describe(output, &edit.what), CELL_WIDTH),
                size(&output.source),
                cut(&change.unwrap_or_default(), CELL_WIDTH)
            );
        }
        Ok(edits.len())
    }

    /// Packs all edits together, without those that are refused, and returns the result.
    fn together(&self, edits: &mut Vec<PackableEdit>) -> Outcome<Packed> {
        loop {
            for edit in &*edits {
                self.put(&edit.edit)?;
            }
            let packed = pack(&Request {
                check: true,
                ..self.request()
            })?;
            if packed.refused.is_empty() {
                return Ok(packed);
            }
            let is_refused = |own: &PackableEdit| {
                packed
                    .refused
                    .iter()
                    .any(|(path, _)| *path == own.output.path)
            };
            let (refused, accepted): (Vec<_>, Vec<_>) = edits.drain(..).partition(is_refused);
            if refused.is_empty() {
                return Err(
                    format!("the edits cannot be packed together: {:?}", packed.refused).into(),
                );
            }
            *edits = accepted;
            for edit in &refused {
                self.undo(&edit.edit)?;
            }
        }
    }
}

/// Runs a command, and prints its error output if it fails.
fn quiet(mut command: Command) -> Outcome<bool> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        eprintln!("`{}`: {}", shown(&command), output.status);
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Outcome {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn describe(output: &ManifestOutput, what: &What) -> String {
    let name = output.path.rsplit('/').next().unwrap_or_default();
    format!("{name}: {what}")
}

/// Shortens a text to `max` characters.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}
