//! The missions of a world, and the start of each.
//!
//! Recoil has one mission per world, in the world's folder. MechWarrior 3 and Pirate's Moon have their missions in
//! the world's folder too, as archives `readerm1` and so on, next to `reader`. Crimson Skies has a folder for each
//! mission below that of the world.
//!
//! The scripts that run at load are known for Recoil (`initm1.gw`, then `m1_zbd.gs` or else `m1.gs`) and for
//! Crimson Skies: `adjust.gw` of the world, then the script of the mission, both in a folder of the world's name
//! (from the documentation of CSVM: `load.gw` compiled the world, so that it runs only where no mission has a
//! script). For other names, scripts that read this world are used.

use std::collections::{BTreeMap, BTreeSet};

use crate::Dependency;
use crate::zipper::settings;
use crate::zipper::world::turrets::{self, TurretDefinition};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::{self, AnimFile};
use relicast_formats::zipper::archive;
use relicast_formats::zipper::interp::{self, Interp};
use relicast_formats::zipper::mechlib;
use relicast_formats::zipper::script::run::plain;
use relicast_formats::zipper::script::{CommandKind, ScriptRun, run};

/// A mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) struct StartMission {
    /// Short name.
    pub label: String,
    /// Paths of its readers.
    pub readers: Vec<String>,
    /// Its folder.
    folder: String,
}

/// State at the start of missions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::zipper) struct StartPlan {
    /// The missions with this start.
    pub missions: Vec<StartMission>,
    /// Indices of scripts, in order of execution.
    pub scripts: Vec<usize>,
    /// Rules that selected the scripts.
    pub rules: BTreeSet<&'static str>,
    /// Indices of containers.
    pub containers: Vec<usize>,
    /// Animations that the list of the mission starts.
    pub starts: Vec<String>,
    /// Turrets of Recoil, which have their own reset.
    pub turrets: Turrets,
}

/// The turrets of a mission.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::zipper) struct Turrets {
    /// In the order of the document.
    pub definitions: Vec<TurretDefinition>,
    /// Default animation of destruction.
    pub destroyed_by: Option<String>,
}

impl StartPlan {
    /// Names of the missions.
    pub(in crate::zipper) fn labels(&self) -> Vec<String> {
        let missions = self.missions.iter();
        missions.map(|mission| mission.label.clone()).collect()
    }
}

/// Context for the starts of missions.
#[derive(Debug)]
pub(in crate::zipper) struct Missions<'a> {
    /// The world's path in lower case with forward slashes.
    pub world: String,
    /// The scripts.
    pub scripts: Option<Interp<'a>>,
    /// The containers of animations, with their paths.
    pub containers: Vec<(String, AnimFile)>,
    /// Predefined macros.
    pub macros: Vec<(String, String)>,
    game: ZipperGame,
    readers: Vec<Dependency<'a>>,
}

/// The folder of a path.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last name of a path, without its extension.
fn stem_of(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl<'a> Missions<'a> {
    /// Files around the world at `path`. Unreadable files are left out; their own items report them.
    pub(in crate::zipper) fn open(
        path: &str,
        game: ZipperGame,
        dependencies: &[Dependency<'a>],
        macros: Vec<(String, String)>,
    ) -> Self {
        let of_kind = |kind: Kind| {
            let files = dependencies.iter();
            files.filter(move |dependency| dependency.kind == kind)
        };
        let scripts = of_kind(Kind::Interp).find_map(|file| {
            let decoded = interp::decode(file.bytes).ok()?;
            Some(decoded.value)
        });
        let containers = of_kind(Kind::Anim).filter_map(|file| {
            let container = anim::decode(file.bytes).ok()?.value;
            (container.version == game).then(|| (plain(file.path), container))
        });
        let world = plain(path);
        let folder = folder_of(&world).to_owned();
        let inside = |file: &&Dependency<'_>| {
            let own = plain(file.path);
            let own = folder_of(&own);
            folder.is_empty()
                || own == folder
                || own
                    .strip_prefix(&*folder)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let readers = of_kind(Kind::Archive).filter(inside).filter(|file| {
            archive::decode(file.bytes).is_ok_and(|decoded| !mechlib::is_mechlib(&decoded.value))
        });
        Self {
            readers: readers.copied().collect(),
            containers: containers.collect(),
            scripts,
            macros,
            game,
            world,
        }
    }

    /// The missions, in the order of their files.
    fn missions(&self) -> Vec<StartMission> {
        let own = folder_of(&self.world);
        let name = own.rsplit('/').next().unwrap_or_default();
        let mut missions: BTreeMap<String, StartMission> = BTreeMap::new();
        let mut add = |label: &str, folder: &str, reader: Option<&str>| {
            let key = format!("{folder}/{label}");
            let mission = missions.entry(key).or_insert_with(|| StartMission {
                label: label.to_owned(),
                readers: Vec::new(),
                folder: folder.to_owned(),
            });
            mission.readers.extend(reader.map(str::to_owned));
        };
        let readers = self.readers.iter().map(|reader| reader.path);
        match self.game {
            ZipperGame::Recoil => {
                let mut own_readers = readers
                    .filter(|path| folder_of(&plain(path)) == own)
                    .peekable();
                if !name.is_empty() && (own_readers.peek().is_some() || !self.containers.is_empty())
                {
                    add(name, own, None);
                    own_readers.for_each(|path| add(name, own, Some(path)));
                }
            }
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {
                for path in readers {
                    let plain = plain(path);
                    let label = stem_of(&plain).strip_prefix("reader").unwrap_or_default();
                    if !label.is_empty() && folder_of(&plain) == own {
                        add(label, own, Some(path));
                    }
                }
            }
            ZipperGame::CrimsonSkies => {
                let containers = self.containers.iter().map(|(path, _)| (path.clone(), None));
                let readers = readers.map(|path| (plain(path), Some(path)));
                for (path, reader) in readers.chain(containers) {
                    let folder = folder_of(&path);
                    if folder != own {
                        let label = folder.rsplit('/').next().unwrap_or_default();
                        add(label, folder, reader);
                    }
                }
            }
        }
        missions.into_values().collect()
    }

    /// Start of each mission; missions with the same start are merged.
    pub(in crate::zipper) fn plans(&self) -> Vec<StartPlan> {
        let own = folder_of(&self.world);
        let mut plans: Vec<StartPlan> = Vec::new();
        for mission in self.missions() {
            let (scripts, rules) = self.scripts_of(&mission.label);
            let containers = self.containers.iter().enumerate();
            let containers = containers.filter(|(_, (path, _))| {
                let folder = folder_of(path);
                folder == own || folder == mission.folder
            });
            let containers: Vec<usize> = containers.map(|(place, _)| place).collect();
            let (starts, turrets) = self.starts(&mission);
            let same = plans.iter_mut().find(|plan| {
                let files = (&plan.scripts, &plan.containers) == (&scripts, &containers);
                files && (&plan.starts, &plan.turrets) == (&starts, &turrets)
            });
            match same {
                Some(plan) => plan.missions.push(mission),
                None => plans.push(StartPlan {
                    missions: vec![mission],
                    scripts,
                    rules,
                    containers,
                    starts,
                    turrets,
                }),
            }
        }
        plans
    }

    /// The animations that the readers of a mission start, in order, and its turrets.
    fn starts(&self, mission: &StartMission) -> (Vec<String>, Turrets) {
        let own = self.readers.iter();
        let own = own.filter(|reader| mission.readers.iter().any(|path| path == reader.path));
        let own: Vec<Dependency<'_>> = own.copied().collect();
        let mut starts = Vec::new();
        let mut turrets = Turrets::default();
        settings::visit_named(&own, &["startanims", "ai"], |reader| {
            if reader.stem == "startanims" {
                let values = std::slice::from_ref(&reader.value);
                let known = ["NEW_GAME_START", "LOAD_GAME_START"];
                let names = settings::after(values, "NEW_GAME_START", &known);
                starts.extend(settings::texts(names.unwrap_or_default()));
            }
            if reader.stem == "ai" && self.game == ZipperGame::Recoil {
                let values = settings::unwrapped(std::slice::from_ref(&reader.value));
                turrets.definitions.extend(turrets::definitions(values));
                let mut keys = values.iter();
                if keys.any(|value| settings::is_key(value, &["DESTROY_ANIM"])) {
                    let usual = settings::texts(keys.as_slice()).into_iter().next();
                    turrets.destroyed_by = turrets.destroyed_by.take().or(usual);
                }
            }
        });
        (starts, turrets)
    }

    /// The scripts that run when a mission is loaded, and the rules that selected them.
    fn scripts_of(&self, mission: &str) -> (Vec<usize>, BTreeSet<&'static str>) {
        let Some(scripts) = &self.scripts else {
            return Default::default();
        };
        let folder = folder_of(&self.world);
        let world = folder.rsplit('/').next().unwrap_or_default();
        let paths = scripts
            .scripts
            .iter()
            .map(|script| plain(&script.row.path.text()));
        let paths: Vec<String> = paths.collect();
        // Of several files of one name, the one in the world's folder is used.
        let named = |name: String| {
            let called = paths.iter().enumerate().filter(|(_, path)| {
                path.rsplit_once('/').map_or(&***path, |(_, last)| last) == name
            });
            let all: Vec<usize> = called.map(|(place, _)| place).collect();
            let is_near = |place: &&usize| {
                let path = paths.get(**place);
                path.is_some_and(|path| folder_of(path).split('/').any(|part| part == world))
            };
            all.iter().find(is_near).or_else(|| all.first()).copied()
        };
        let mut found = Vec::new();
        let mut rules = BTreeSet::new();
        if self.game != ZipperGame::CrimsonSkies && !world.is_empty() {
            let first = named(format!("init{mission}.gw"));
            let main = named(format!("{world}_zbd.gs")).or_else(|| named(format!("{world}.gs")));
            if first.is_some() || main.is_some() {
                rules.insert(match self.game {
                    ZipperGame::Recoil => BY_MISSION,
                    _ => BY_RECOIL,
                });
            }
            found.extend(first.into_iter().chain(main));
        }
        if self.game == ZipperGame::CrimsonSkies {
            let of_world = |name: &str| self.script_of_world(name);
            let own = of_world(&format!("{mission}.gw"));
            if let Some(own) = own.filter(|_| mission != world) {
                found.extend(of_world("adjust.gw"));
                found.push(own);
                rules.insert(BY_OWN);
            } else if let Some(load) = of_world("load.gw") {
                found.push(load);
                rules.insert(BY_WORLD);
            }
        }
        if found.is_empty() {
            let reads = self.readers_of_this_world(scripts);
            if !reads.is_empty() {
                rules.insert(BY_READING);
            }
            found = reads;
        }
        (found, rules)
    }

    /// The script of a name in a folder with the name of the world's folder.
    fn script_of_world(&self, name: &str) -> Option<usize> {
        let folder = folder_of(&self.world);
        let world = folder.rsplit('/').next().unwrap_or_default();
        let scripts = &self.scripts.as_ref()?.scripts;
        scripts.iter().position(|script| {
            let path = plain(&script.row.path.text());
            let mut parts = path.rsplit('/');
            parts.next() == Some(name) && parts.any(|part| part == world)
        })
    }

    /// Names of ground clutter in the scripts of a Crimson Skies world: templates, or a reader.
    pub(in crate::zipper) fn clutter_names(&self) -> Vec<String> {
        let Some(scripts) = self
            .scripts
            .as_ref()
            .filter(|_| self.game == ZipperGame::CrimsonSkies)
        else {
            return Vec::new();
        };
        let places = ["adjust.gw", "load.gw"].map(|name| self.script_of_world(name));
        let places: Vec<usize> = places.into_iter().flatten().collect();
        let steps = run(scripts, &places, &self.macros).steps.into_iter();
        let adds = steps.filter(|step| {
            let command = step.command.as_ref();
            command.is_some_and(|command| command.kind == CommandKind::AddClutterTemplates)
        });
        adds.flat_map(|step| step.tokens.into_iter().skip(1))
            .collect()
    }

    /// Scripts with any name that read this world by its path.
    fn readers_of_this_world(&self, scripts: &Interp<'_>) -> Vec<usize> {
        let all = 0..scripts.scripts.len();
        let named = all.filter(|&place| {
            let lines = scripts.scripts.get(place).map(|script| &script.lines);
            let mut firsts = lines
                .into_iter()
                .flatten()
                .filter_map(|line| line.tokens().next());
            firsts.any(|first| first.starts_with(CommandKind::GameZReadZBDFile.name()))
        });
        let reads = named.take(MAX_READERS).filter(|&place| {
            let ran = run(scripts, &[place], &self.macros);
            // Not through another script, which is found itself.
            ran.steps
                .iter()
                .any(|step| step.script == place && self.reads_this(&step.tokens))
        });
        reads.collect()
    }

    /// True if a line reads this world.
    fn reads_this(&self, tokens: &[String]) -> bool {
        let kind = tokens.first().and_then(|token| {
            let (kind, _) = relicast_formats::zipper::script::command::kind_of(token)?;
            Some(kind)
        });
        let path = tokens.get(1).map(|path| plain(path)).unwrap_or_default();
        let ends = self.world == path || self.world.ends_with(&format!("/{path}"));
        kind == Some(CommandKind::GameZReadZBDFile) && path.contains('/') && ends
    }

    /// Commands that the scripts of a plan run, from the line on that reads this world, if any does.
    pub(super) fn run(&self, plan: &StartPlan) -> ScriptRun {
        let Some(scripts) = &self.scripts else {
            return ScriptRun::default();
        };
        let mut ran = run(scripts, &plan.scripts, &self.macros);
        let reads = ran.steps.iter().rposition(|step| {
            let command = step.command.as_ref();
            let is_read =
                command.is_some_and(|command| command.kind == CommandKind::GameZReadZBDFile);
            is_read && self.reads_this(&step.tokens)
        });
        if let Some(reads) = reads {
            ran.steps.drain(..=reads);
        }
        ran
    }

    /// Paths of scripts by their indices.
    pub(super) fn paths(&self, places: &[usize]) -> Vec<String> {
        let scripts = self.scripts.iter().flat_map(|scripts| {
            let found = places
                .iter()
                .filter_map(|&place| scripts.scripts.get(place));
            found.map(|script| script.row.path.text())
        });
        scripts.collect()
    }

    /// Nodes that follow the camera, by name, with the axes: the sky, as set by the scripts of all missions, or of
    /// the world where it has no missions.
    pub(in crate::zipper) fn skies(&self) -> Vec<(String, &'static str)> {
        let mut plans = self.plans();
        // In Crimson Skies the script that compiled the world names the sky, and those of missions do not.
        if plans.is_empty() || self.game == ZipperGame::CrimsonSkies {
            let folder = folder_of(&self.world);
            let name = folder.rsplit('/').next().unwrap_or_default();
            let (scripts, rules) = self.scripts_of(name);
            plans.push(StartPlan {
                scripts,
                rules,
                ..StartPlan::default()
            });
        }
        let mut skies = Vec::new();
        for plan in &plans {
            for step in self.run(plan).steps {
                let Some(command) = step.command.filter(|command| !command.has_macro()) else {
                    continue;
                };
                let axes = match command.kind {
                    CommandKind::CameraSetHorizon => "xyz",
                    CommandKind::CameraSetHorizonXZ => "xz",
                    _ => continue,
                };
                let sky = (command.text().to_owned(), axes);
                if !skies.contains(&sky) {
                    skies.push(sky);
                }
            }
        }
        skies
    }
}

/// Maximum number of scripts that are tested for reading a world.
const MAX_READERS: usize = 256;

/// The rule for Recoil.
const BY_MISSION: &str = "scripts of the mission's name";
/// The rule for Recoil, used for a later game.
const BY_RECOIL: &str = "scripts of the world's name, as in Recoil; not confirmed for this game";
/// The rule for Crimson Skies.
const BY_OWN: &str = "adjust.gw of the world and the mission's own script";
/// The rule for Crimson Skies where the mission has no script.
const BY_WORLD: &str = "load.gw of the world";
/// The rule where no name is known.
const BY_READING: &str = "scripts that read this world";
