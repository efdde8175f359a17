//! One output of each kind of every sample, edited, packed and converted again, with the differences.

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

/// Edits that are tried of a kind before none is said to be accepted.
const TRIES: usize = 5;

/// Longest text of a cell.
const CELL: usize = 58;

/// An edit that is accepted.
struct Thrown {
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
        let place = Place::of(game)?;
        let (thrown, hopeless) = place.throw()?;
        let passed = place.pack(program, game, thrown, &mut tally)?;
        println!(
            "{}: {passed} kinds are packed; never, or not with the edits that were tried:",
            game.title()
        );
        for (group, reason) in hopeless {
            println!("    {group}: {}", cut(&reason, 2 * CELL));
        }
    }
    Ok(tally)
}

/// Copies of an install and of its outputs.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn of(game: Game) -> Outcome<Self> {
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

    /// An accepted edit of each kind, and the kinds of which none was found, with the last reason.
    fn throw(&self) -> Outcome<(Vec<Thrown>, BTreeMap<String, String>)> {
        let manifest = self.path("out").join(manifest::FILE_NAME);
        let listed: Manifest = serde_json::from_slice(&fs::read(manifest)?)?;
        let mut groups: BTreeMap<String, Vec<ManifestOutput>> = BTreeMap::new();
        for output in listed.outputs {
            groups
                .entry(edits::group(&output))
                .or_default()
                .push(output);
        }
        let mut thrown: Vec<Thrown> = Vec::new();
        let mut hopeless = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (group, outputs) in groups {
            let mut random = Random::named(&group);
            for _ in 0..TRIES {
                let chosen = usize::try_from(random.below(outputs.len() as u64))?;
                let output = &outputs[chosen];
                // One edit a member, because several outputs of one may contradict each other.
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
                    hopeless.insert(group.clone(), refusal.to_string());
                    continue;
                }
                hopeless.remove(&group);
                taken.insert(member);
                let output = output.clone();
                let group = group.clone();
                thrown.push(Thrown {
                    group,
                    output,
                    edit,
                });
                break;
            }
        }
        Ok((thrown, hopeless))
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
        mut thrown: Vec<Thrown>,
        tally: &mut Tally,
    ) -> Outcome<usize> {
        let packed = self.together(&mut thrown)?;
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
            "{:<34} {:<CELL$} {:>10}  what differs",
            game.title(),
            "edited",
            "packed"
        );
        for Thrown {
            group,
            output,
            edit,
        } in &thrown
        {
            let after = differing.changed.iter().find(|changed| {
                let path = &changed.before.path;
                // The buffer of a scene is reported with the scene.
                *path == output.path || output.path.strip_suffix("bin") == path.strip_suffix("gltf")
            });
            let change = after.map(|changed| changed.change.to_string());
            tally.check(
                format!("{title}: {} shows its edit", output.path),
                change.is_some(),
            );
            println!(
                "  {:<32} {:<CELL$} {:>10}  {}",
                cut(group, 32),
                cut(&describe(output, &edit.what), CELL),
                size(&output.source),
                cut(&change.unwrap_or_default(), CELL)
            );
        }
        Ok(thrown.len())
    }

    /// Packs together all edits that can be packed, and returns the result.
    fn together(&self, thrown: &mut Vec<Thrown>) -> Outcome<Packed> {
        loop {
            for thrown in &*thrown {
                self.put(&thrown.edit)?;
            }
            let packed = pack(&Request {
                check: true,
                ..self.request()
            })?;
            if packed.refused.is_empty() {
                return Ok(packed);
            }
            let is_refused = |own: &Thrown| {
                packed
                    .refused
                    .iter()
                    .any(|(path, _)| *path == own.output.path)
            };
            let (out, kept): (Vec<_>, Vec<_>) = thrown.drain(..).partition(is_refused);
            if out.is_empty() {
                return Err(format!("edits are refused together: {:?}", packed.refused).into());
            }
            *thrown = kept;
            for thrown in &out {
                self.undo(&thrown.edit)?;
            }
        }
    }
}

/// Runs a command; prints its output if it fails.
fn quiet(mut command: Command) -> Outcome<bool> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        eprintln!("`{}`: {}", shown(&command), output.status);
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}

/// Copies a folder with its contents.
fn copy(from: &Path, to: &Path) -> Outcome {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let place = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

fn describe(output: &ManifestOutput, what: &What) -> String {
    let name = output.path.rsplit('/').next().unwrap_or_default();
    format!("{name}: {what}")
}

/// The beginning of a text.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}
