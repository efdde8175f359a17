//! Finds cabinets and archives among the files of a tree and adds their members to it.
//!
//! Members of an installer's cabinets get the paths that an installation would give them, in the folder of the cabinet
//! as the folder of the product. Existing files retain their paths; folders of the cabinet that would cover others move
//! into a folder named after the cabinet. Archives, and cabinets without folders, always get such a folder.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::cabinet::container::{Budget, DEEPEST, Nested, may_be_packed};
use super::cabinet::volume::{DiscEntry, DiskFile, ReadAt, Volume};
use super::cabinet::{
    Container, ContainerKind, Sniffed, looks_packed, microsoft, set, stub, zipped,
};
use super::disc::image::find;
use super::location::Location;
use super::names::fold;
use super::source_file::SourceFile;
use relicast_limits as limits;

/// Treatment of cabinets and archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packed {
    /// They are handled like any other file.
    Closed,
    /// They are opened; those with the installer's own files are only listed.
    Opened,
    /// They are opened, including those with the installer's own files.
    WithInstaller,
}

/// Opens the cabinets among `files` and adds their members. `direct` are inputs that are files, with the
/// prefixes of their paths.
pub(super) fn expand(files: &mut Vec<SourceFile>, direct: &HashMap<usize, String>, packed: Packed) {
    let places = files.iter().map(SourceFile::folded).zip(0..);
    let mut finder = Finder {
        places: places.collect(),
        levels: vec![Level::default(); files.len()],
        files,
        direct,
        packed,
        nested: 0,
    };
    let mut index = 0;
    while index < finder.files.len() {
        finder.look_at(index);
        index += 1;
    }
}

/// Nesting of a file in cabinets.
#[derive(Debug, Clone, Default)]
struct Level {
    depth: usize,
    budget: Option<Arc<Budget>>,
}

struct Finder<'t> {
    files: &'t mut Vec<SourceFile>,
    /// The files by folded path.
    places: HashMap<String, usize>,
    levels: Vec<Level>,
    direct: &'t HashMap<usize, String>,
    packed: Packed,
    /// Cabinets within cabinets that were opened so far.
    nested: u32,
}

/// Splits a path into its folder with slash, and the rest.
fn split(path: &str) -> (&str, &str) {
    match path.rfind('/') {
        Some(place) => path.split_at(place + 1),
        None => ("", path),
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn input_of(location: &Location) -> Option<Arc<dyn ReadAt>> {
    match location {
        Location::File(path) => Some(Arc::new(DiskFile::new(path.clone()))),
        Location::DiscFile(disc, number) => Some(Arc::new(DiscEntry(Arc::clone(disc), *number))),
        Location::Member(container, index) => {
            Some(Arc::new(Nested::new(Arc::clone(container), *index)))
        }
        _ => None,
    }
}

fn volume_of(file: &SourceFile) -> Option<Volume> {
    let input = input_of(&file.location)?;
    Some(Volume::new(
        file.path.clone(),
        file.size,
        file.modified,
        input,
    ))
}

impl Finder<'_> {
    /// Opens the file at `index`, if it is a cabinet that is not part of one already.
    fn look_at(&mut self, index: usize) {
        let Some(file) = self.files.get(index) else {
            return;
        };
        if !may_be_packed(file.name()) {
            return;
        }
        // A file that cannot be read is reported when it is to be converted.
        let Some((volume, Ok(start))) = volume_of(file).map(|volume| {
            let start = volume.start(16);
            (volume, start)
        }) else {
            return;
        };
        let level = self.levels.get(index).cloned().unwrap_or_default();
        let budget = level.budget.clone().unwrap_or_default();
        match looks_packed(volume.name(), &start) {
            None => {}
            Some(_) if level.depth >= DEEPEST => {
                self.refuse(index, volume, budget, Container::too_deep);
            }
            Some(_) if level.depth > 0 && !self.may_open_another() => {
                self.refuse(index, volume, budget, Container::too_many);
            }
            Some(Sniffed::Packed(ContainerKind::InstallShield)) => self.open_set(index, budget),
            Some(Sniffed::Packed(ContainerKind::Microsoft)) => {
                let mut found = HashMap::new();
                let folder = split(&volume.path).0.to_owned();
                let container = microsoft::open(
                    volume,
                    0,
                    &mut |name| self.find(index, &folder, name, &mut found),
                    budget,
                );
                self.add(index, container, found);
            }
            Some(Sniffed::Packed(ContainerKind::Zip)) => {
                let container = zipped::open(volume, budget);
                self.add(index, container, HashMap::new());
            }
            Some(Sniffed::Program) => {
                let container = match stub::inside(&volume) {
                    Ok(Some((ContainerKind::Zip, _))) => zipped::open(volume, budget),
                    Ok(Some((_, base))) => microsoft::open(volume, base, &mut |_| None, budget),
                    _ => return,
                };
                // A program that holds something like a cabinet is still a program.
                if container.problem.is_none() {
                    self.add(index, container, HashMap::new());
                }
            }
        }
    }

    /// Counts a nested cabinet, if the limit allows it.
    fn may_open_another(&mut self) -> bool {
        let may = self.nested < limits::current().containers;
        self.nested = self.nested.saturating_add(u32::from(may));
        may
    }

    fn refuse(
        &mut self,
        index: usize,
        volume: Volume,
        budget: Arc<Budget>,
        refused: fn(Volume, Arc<Budget>) -> Container,
    ) {
        // A program deep inside stays a program; it is not searched for cabinets.
        if fold(volume.name()).ends_with(".exe") {
            return;
        }
        let container = refused(volume, budget);
        self.add(index, container, HashMap::new());
    }

    /// Opens the InstallShield set that the file at `index` is part of.
    fn open_set(&mut self, index: usize, budget: Arc<Budget>) {
        let Some(file) = self.files.get(index) else {
            return;
        };
        let (folder, name) = split(&file.path);
        let (folder, name) = (folder.to_owned(), name.to_owned());
        let mut found = HashMap::new();
        let heads =
            set::base_of(&name).map(|(base, _)| [format!("{base}1.hdr"), format!("{base}1.cab")]);
        let mut head = heads.into_iter().flatten().find_map(|name| {
            let volume = self.find(index, &folder, &name, &mut found)?;
            // A header of another format is ignored.
            volume
                .start(4)
                .ok()
                .filter(|start| *start == *b"ISc(")
                .map(|_| volume)
        });
        // A volume that the found set does not name stays as it is.
        let known = set::base_of(&name).and_then(|(base, _)| {
            let names = [
                format!("{folder}{base}1.hdr"),
                format!("{folder}{base}1.cab"),
            ];
            let mut places = names.iter().filter_map(|path| self.places.get(&fold(path)));
            places.find_map(|place| self.files.get(*place)?.location.container())
        });
        if known.is_some() {
            return;
        }
        if head.is_none() {
            head = self.files.get(index).and_then(volume_of);
        }
        let Some(head) = head else {
            return;
        };
        let container = set::open(
            head,
            &mut |name| self.find(index, &folder, name, &mut found),
            budget,
        );
        self.add(index, container, found);
    }

    /// Finds a file of the set that the file at `index` is part of: in the tree, or next to it on disk when it is an
    /// input by itself. `found` are files that are not in the tree yet, by path.
    fn find(
        &self,
        index: usize,
        folder: &str,
        name: &str,
        found: &mut HashMap<String, SourceFile>,
    ) -> Option<Volume> {
        let path = format!("{folder}{name}");
        let listed = self
            .places
            .get(&fold(&path))
            .and_then(|place| self.files.get(*place));
        if let Some(listed) = listed {
            return volume_of(listed);
        }
        if !self.direct.contains_key(&index) {
            return None;
        }
        let Some(Location::File(own)) = self.files.get(index).map(|file| &file.location) else {
            return None;
        };
        let place = find(own.parent()?, name)?;
        let metadata = place.metadata().ok()?;
        let below = name.rsplit_once('/').map_or("", |(below, _)| below);
        let own_name = place.file_name()?.to_string_lossy();
        let slash = if below.is_empty() { "" } else { "/" };
        let file = SourceFile {
            path: format!("{folder}{below}{slash}{own_name}"),
            size: metadata.len(),
            modified: super::source_file::modified(&metadata),
            location: Location::File(place),
            damage: None,
        };
        let volume = volume_of(&file);
        found.insert(fold(&file.path), file);
        volume
    }

    fn push(&mut self, file: SourceFile, level: Level) -> usize {
        self.places.insert(file.folded(), self.files.len());
        self.files.push(file);
        self.levels.push(level);
        self.files.len() - 1
    }

    /// Adds a cabinet and its members to the tree. `index` is the file that led to it.
    fn add(&mut self, index: usize, container: Container, mut found: HashMap<String, SourceFile>) {
        let level = self.levels.get(index).cloned().unwrap_or_default();
        let direct = self.direct.get(&index).cloned();
        let asked = direct.is_some() || self.packed == Packed::WithInstaller;
        let listed_only = container.facts.installer && !asked;
        let container = Arc::new(container);
        let mut beside: HashMap<String, usize> = HashMap::new();
        for (number, volume) in container.volumes.iter().enumerate() {
            let folded = fold(&volume.path);
            let place = match self.places.get(&folded) {
                Some(place) => *place,
                None => match found.remove(&folded) {
                    Some(file) => self.push(file, level.clone()),
                    None => continue,
                },
            };
            let Some(file) = self.files.get_mut(place) else {
                continue;
            };
            if input_of(&file.location).is_none() {
                continue;
            }
            let old = Box::new(file.location.clone());
            file.location = match number {
                0 if listed_only => Location::ContainerPart(Arc::clone(&container), 0, old),
                0 => Location::Container(Arc::clone(&container), old),
                number => Location::ContainerPart(Arc::clone(&container), number, old),
            };
            if volume.beside {
                beside.insert(folded, place);
            }
        }
        if container.problem.is_some() || listed_only {
            return;
        }
        let paths = self.paths(&container, direct.as_deref(), &beside);
        let modified = container.modified();
        let level = Level {
            depth: level.depth + 1,
            budget: Some(Arc::clone(&container.budget)),
        };
        for (number, (path, member)) in paths.into_iter().zip(&container.members).enumerate() {
            let location = Location::Member(Arc::clone(&container), number);
            // The size of an unreadable file is meaningless.
            let size = member.problem.as_ref().map_or(member.size, |_| 0);
            if let Some(place) = beside.get(&fold(&path)) {
                // The separate file is the member: it has its path, and its stored bytes.
                if let Some(file) = self.files.get_mut(*place) {
                    file.location = location;
                    (file.size, file.modified) = (size, modified);
                }
                continue;
            }
            let file = SourceFile {
                path,
                size,
                modified,
                location,
                damage: None,
            };
            self.push(file, level.clone());
        }
    }

    /// Returns a unique path in the tree for each member.
    fn paths(
        &self,
        container: &Container,
        direct: Option<&str>,
        beside: &HashMap<String, usize>,
    ) -> Vec<String> {
        let (folder, name) = split(&container.path);
        let own = format!("{folder}{}/", stem(name));
        let has_folders = || {
            container
                .members
                .iter()
                .any(|member| member.path.contains('/'))
        };
        let base = match (direct, container.kind) {
            (Some(prefix), _) => prefix.to_owned(),
            (None, ContainerKind::InstallShield) => folder.to_owned(),
            (None, ContainerKind::Microsoft) if has_folders() && fold(name).ends_with(".cab") => {
                folder.to_owned()
            }
            (None, _) => own.clone(),
        };
        let is_free = |path: &str| {
            let folded = fold(path);
            !self.places.contains_key(&folded) || beside.contains_key(&folded)
        };
        let top = |path: &str| path.split_once('/').map(|(top, _)| fold(top));
        let members = || container.members.iter().map(|member| &*member.path);
        // Folders that would cover others move as a whole, so that companions stay together.
        let covered = members().filter(|path| !is_free(&format!("{base}{path}")));
        let covered: HashSet<String> = covered.filter_map(top).collect();
        let mut taken: HashSet<String> = HashSet::new();
        let paths = members().map(|member| {
            let moves = top(member).is_some_and(|top| covered.contains(&top));
            let mut path = format!("{base}{member}");
            if moves || !is_free(&path) {
                path = format!("{own}{member}");
            }
            let mut number = 1_u32;
            let mut last = path.clone();
            while !is_free(&last) || taken.contains(&fold(&last)) {
                number = number.saturating_add(1);
                let (folder, name) = split(&path);
                last = match name.rsplit_once('.') {
                    Some((stem, extension)) => format!("{folder}{stem}-{number}.{extension}"),
                    None => format!("{path}-{number}"),
                };
            }
            taken.insert(fold(&last));
            last
        });
        paths.collect()
    }
}
