//! Ordinary edits in Blender, packed, converted again, and compared with the edit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use serde_json::{Value, json};
use walkdir::WalkDir;

use super::columns::{Column, EXPECTED, SMALL};
use super::table::Grid;
use super::{Blender, Converted, pack, place};
use crate::Outcome;
use crate::process::{remove_folder, run};
use crate::tally::Tally;

/// End of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Packed, and shown by the packed game with nothing else changed.
    Shown,
    /// Refused with a message.
    Refused,
    /// Named as something that the game does not store.
    Named,
    /// Blender does not write it, and nothing was packed.
    NoEdit,
    /// The scene has nothing to edit so.
    Absent,
    /// Packed or not, and not shown.
    Lost,
    /// Shown, and something else changed.
    Others,
    /// Blender or a comparison failed.
    Failed,
}

/// An edit of a scene, and its end.
#[derive(Debug)]
pub(super) struct Found {
    column: &'static str,
    edit: String,
    end: End,
    /// Edited things, in words of the script.
    edited: String,
    /// Message of the program, or what the comparison found.
    why: String,
    /// All messages of the program.
    said: String,
}

/// The file that Blender writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Export {
    /// A `.gltf`, over the one that was converted.
    #[default]
    Gltf,
    /// A `.glb`, over the one that was converted.
    Glb,
    /// A `.glb` beside the `.gltf` that was converted.
    Beside,
}

impl Export {
    /// Extensions of the scene that was converted, and of the one that Blender writes.
    fn extensions(self) -> [&'static str; 2] {
        match self {
            Self::Gltf => ["gltf"; 2],
            Self::Glb => ["glb"; 2],
            Self::Beside => ["gltf", "glb"],
        }
    }
}

/// Folders of the edits of one scene: `NAME/edited` is a conversion that Blender edits, `NAME/game` the packed game,
/// `NAME/shown` its conversion.
#[derive(Debug)]
struct Work<'w> {
    program: &'w Path,
    converted: &'w Converted,
    column: Column,
    export: Export,
    folder: PathBuf,
}

/// An edit that the script knows.
#[derive(Debug)]
pub(super) struct Edit {
    pub name: String,
    /// Options of the exporter, which change an unedited file too.
    options: String,
}

/// All edits that the script knows.
///
/// # Errors
/// The script cannot be run.
pub(super) fn list(blender: &Blender) -> Outcome<Vec<Edit>> {
    let listed = blender.run("rounds_blender.py", "DONE ", &[json!({ "list": true })])?;
    let edits = listed.first().and_then(|answer| answer["edits"].as_array());
    let edits = edits.into_iter().flatten().filter_map(|edit| {
        Some(Edit {
            name: edit["name"].as_str()?.to_owned(),
            options: edit["options"].to_string(),
        })
    });
    Ok(edits.collect())
}

/// Edits of one scene; prints a line for each.
///
/// # Errors
/// A file cannot be written, or a program cannot be run.
pub(super) fn of(
    program: &Path,
    blender: &Blender,
    converted: &Converted,
    (column, export): (Column, Export),
    edits: &[&Edit],
) -> Outcome<(Vec<Found>, Tally)> {
    let folder = place().join("edits").join(blender.version);
    let work = Work {
        program,
        converted,
        column,
        export,
        folder: folder.join(column.name.replace([' ', '\'', '/'], "_")),
    };
    remove_folder(&work.folder)?;
    let mut found = Vec::new();
    let mut comparisons = Vec::new();
    for (edit, unedited, answer) in work.edited(blender, edits)? {
        let (it, comparison) = work.packed(&edit.name, &unedited, &answer)?;
        comparisons.extend(comparison.map(|comparison| (found.len(), comparison)));
        found.push(it);
    }
    let jobs: Vec<Value> = comparisons.iter().map(|(_, job)| job.clone()).collect();
    let answers = blender.run("rounds_compare.py", "COMPARED ", &jobs)?;
    for ((at, _), answer) in comparisons.iter().zip(&answers) {
        if let Some(it) = found.get_mut(*at) {
            it.compared(answer);
        }
    }
    for it in found.iter().filter(|it| it.is_good()) {
        remove_folder(&work.at(&it.edit))?;
    }
    let tally = count(blender, &found);
    Ok((found, tally))
}

impl Work<'_> {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name.replace(' ', "_"))
    }

    /// Path of the scene with an extension.
    fn scene(&self, folder: &Path, extension: &str) -> PathBuf {
        folder.join(format!("{}.{extension}", self.column.scene))
    }

    /// Folder of the conversion.
    fn original(&self) -> PathBuf {
        self.converted.folder.join(self.export.extensions()[0])
    }

    /// Copies the conversion for an edit, and returns a job of Blender.
    fn job(&self, name: &str, edit: &Edit) -> Outcome<Value> {
        let folder = self.at(name).join("edited");
        copy(&self.original(), &folder)?;
        let [scene, to] = self.export.extensions().map(|it| self.scene(&folder, it));
        Ok(json!({ "scene": scene, "to": to, "edit": edit.name }))
    }

    /// Edits in Blender. Each has the name of the unedited export with the same options, and the answer of the script.
    fn edited<'e>(
        &self,
        blender: &Blender,
        edits: &[&'e Edit],
    ) -> Outcome<Vec<(&'e Edit, String, Value)>> {
        let mut unedited: BTreeMap<&str, String> = BTreeMap::new();
        let mut jobs = Vec::new();
        for edit in edits {
            if !unedited.contains_key(&*edit.options) {
                let name = format!("unedited {}", unedited.len());
                let mut job = self.job(&name, edit)?;
                job["unedited"] = true.into();
                jobs.push(job);
                unedited.insert(&edit.options, name);
            }
        }
        for edit in edits {
            jobs.push(self.job(&edit.name, edit)?);
        }
        let answers = blender.run("rounds_blender.py", "DONE ", &jobs)?;
        let answers = answers.into_iter().skip(unedited.len());
        let edits = edits.iter().zip(answers).map(|(edit, answer)| {
            let unedited = unedited.get(&*edit.options).cloned();
            (*edit, unedited.unwrap_or_default(), answer)
        });
        Ok(edits.collect())
    }

    /// Packs an edited folder. If that succeeds, converts the packed game; the result is to be compared.
    fn packed(
        &self,
        edit: &str,
        unedited: &str,
        answer: &Value,
    ) -> Outcome<(Found, Option<Value>)> {
        let text = |key: &str| answer[key].as_str().map(str::to_owned);
        let mut found = Found {
            column: self.column.name,
            edit: edit.to_owned(),
            end: End::Failed,
            edited: text("edited").unwrap_or_default(),
            why: String::new(),
            said: String::new(),
        };
        if let Some(why) = text("absent") {
            (found.end, found.why) = (End::Absent, why);
            return Ok((found, None));
        }
        if let Some(why) = text("error") {
            found.why = why;
            return Ok((found, None));
        }
        let folder = self.at(edit);
        let install = &self.converted.install;
        let packed = pack(
            self.program,
            &folder.join("edited"),
            install,
            &folder.join("mod"),
            &["--add"],
        )?;
        packed.reason().clone_into(&mut found.why);
        found.said.clone_from(&packed.text);
        if packed.is_refused {
            found.end = End::Refused;
            return Ok((found, None));
        }
        copy(install, &folder.join("game"))?;
        if folder.join("mod").is_dir() {
            copy(&folder.join("mod"), &folder.join("game"))?;
        }
        let mut command = Command::new(self.program);
        let settings = format!("{}.toml", self.export.extensions()[0]);
        command.args(["convert", "-q", "--config"]);
        command.arg(self.converted.folder.join(settings));
        command.arg("--out");
        run(command.arg(folder.join("shown")).arg(folder.join("game")))?;
        let [from, to] = self.export.extensions();
        let job = json!({
            "original": self.scene(&self.original(), from),
            "unedited": self.scene(&self.at(unedited).join("edited"), to),
            "edited": self.scene(&folder.join("edited"), to),
            "packed": self.scene(&folder.join("shown"), from),
        });
        Ok((found, Some(job)))
    }
}

impl Found {
    /// Takes the result of the comparison.
    fn compared(&mut self, answer: &Value) {
        let texts = |key: &str| -> Vec<&str> {
            let list = answer[key].as_array().into_iter().flatten();
            list.filter_map(Value::as_str).collect()
        };
        let (edits, lost, mut others) = (texts("edits"), texts("lost"), texts("others"));
        // The message names them.
        if self.why.contains("other materials change too") {
            others.retain(|what| !what.starts_with("material of "));
        }
        others.retain(|what| {
            let name = what.strip_suffix(" moved");
            !name.is_some_and(|name| self.said.contains(&format!("{name} moves too")))
        });
        if self
            .said
            .contains("empty objects in place of the last ones")
        {
            others.retain(|what| !what.ends_with("_empty is new"));
        }
        if let Some(why) = answer["error"].as_str() {
            (self.end, self.why) = (End::Failed, why.to_owned());
        } else if !lost.is_empty() && lost.iter().all(|what| self.names(what)) {
            self.end = End::Named;
        } else if !lost.is_empty() {
            self.end = End::Lost;
            self.why = format!("lost: {}; {}", lost.join(", "), self.why);
        } else if !others.is_empty() {
            self.end = End::Others;
            self.why = format!("also changed: {}; {}", others.join(", "), self.why);
        } else if edits.is_empty() {
            self.end = End::NoEdit;
        } else {
            self.end = End::Shown;
        }
    }

    /// True if the message says that the game does not store this.
    fn names(&self, lost: &str) -> bool {
        const NAMED: [(&str, &str); 17] = [
            // The proof of the program compares all triangles.
            ("", "joined to the mesh of the scene"),
            ("", ", which is joined to "),
            ("parent of", "the new parent of"),
            ("clip ", "the new name of clip"),
            ("clip ", "the deletion of clip"),
            ("clip ", "the new clip"),
            (" of camera ", "not stored by the game: its"),
            ("color of light ", "not stored by the game: its color"),
            ("has the name", "the new name of"),
            (" is at ", "are moved instead of its node"),
            ("name of the material", "not stored by the game"),
            ("extras.note", "not stored by the game"),
            ("roughness", "not stored by the game: its roughness"),
            ("alpha mode", "does not blend by the alpha of a picture"),
            ("alpha mode", "its alpha mode"),
            (
                "color of ",
                "the nearest one that the tint of its object allows",
            ),
            ("color of new faces", "the color that their node"),
        ];
        let mut named = NAMED.iter();
        named.any(|(what, said)| lost.contains(what) && self.said.contains(said))
    }

    fn is_good(&self) -> bool {
        match SMALL.contains(&(self.column, &*self.edit)) {
            true => self.end == End::Shown,
            false => !matches!(self.end, End::Lost | End::Others | End::Failed),
        }
    }

    fn is_expected(&self) -> bool {
        EXPECTED.contains(&(self.column, &*self.edit))
    }
}

impl End {
    fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Refused => "refused",
            Self::Named => "named",
            Self::NoEdit => "no edit",
            Self::Absent => "–",
            Self::Lost => "LOST",
            Self::Others => "OTHERS",
            Self::Failed => "FAILED",
        }
    }
}

/// Prints a table of edits and scenes.
pub(super) fn table(blender: &Blender, found: &[Found]) {
    let mut table = Grid::default();
    for it in found {
        table.set(&it.edit, it.column, it.end.word());
    }
    println!("edits in {}:\n{table}", blender.version);
}

/// Counts: an edit that was lost, or with which something else changed, is a failure, unless it is known.
fn count(blender: &Blender, found: &[Found]) -> Tally {
    let mut tally = Tally::default();
    for it in found {
        let name = format!("{}, {}: {}", blender.version, it.column, it.edit);
        println!("{name}: {} ({}): {}", it.end.word(), it.edited, it.why);
        if it.is_expected() {
            let what = "is known to be lost, but is not: take it out of EXPECTED";
            tally.check(format_args!("{name} {what}"), !it.is_good());
        } else if it.end != End::Absent {
            tally.check(format_args!("{name}: {}", it.end.word()), it.is_good());
        }
    }
    tally
}

/// Copies a folder into another one, over files of the same name.
pub(super) fn copy(from: &Path, to: &Path) -> Outcome {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let place = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&place)?;
        } else {
            fs::copy(entry.path(), &place)?;
        }
    }
    Ok(())
}
