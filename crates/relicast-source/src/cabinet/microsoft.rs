//! Microsoft cabinets, alone and in sets.
//!
//! ```
//! use std::sync::Arc;
//!
//! use relicast_source::cabinet::microsoft::open;
//! use relicast_source::cabinet::volume::Volume;
//!
//! // Damage is reported: the container has a problem and no members.
//! let opened = open(Volume::in_memory("cut.cab", b"MSCF".to_vec()), 0, &mut |_| None, Arc::default());
//! assert!(opened.problem.is_some() && opened.members.is_empty());
//! ```

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use super::blocks::Run;
use super::container::{Backend, Budget, Container, ContainerKind};
use super::folder::Folder;
use super::member::{Member, Method, dos_time};
use super::names::safe;
use super::volume::{Find, Volume};
use relicast_codec::{FixedSize, FormatError};
use relicast_formats::microsoft_cabinet::{
    self as tables, Cabinet, CabinetEntry, CabinetHeader, FROM_PREVIOUS, THROUGH, TO_NEXT,
};
use relicast_limits as limits;

/// Most cabinets of a set.
const MAX_VOLUMES: usize = 999;

/// Opens the set of cabinets that `head` belongs to. `base`: its offset in the file, if it is appended to a program.
pub fn open(head: Volume, base: u64, find: Find<'_>, budget: Arc<Budget>) -> Container {
    let (head, base) = match base {
        0 => (first_of(head, find), 0),
        base => (head, base),
    };
    let mut container = Container::new(ContainerKind::Microsoft, head, budget);
    match limits::with_budget(|| read(&mut container, base, find)) {
        Ok(Ok(members)) => container.with_members(members),
        Ok(Err(problem)) => container.failed(problem),
        Err(exceeded) => container.failed(exceeded.into()),
    }
}

fn tables_of(volume: &Volume, base: u64) -> Result<Cabinet, FormatError> {
    let unreadable =
        |error: io::Error| FormatError::malformed("header", 0, "readable bytes", error);
    let size = volume.size.saturating_sub(base);
    let mut start =
        vec![0; usize::try_from(size.min(CabinetHeader::SIZE as u64)).unwrap_or_default()];
    volume.read_at(base, &mut start).map_err(unreadable)?;
    let extent = usize::try_from(tables::extent(&start, size)?).unwrap_or(usize::MAX);
    limits::reserve(extent);
    let mut bytes = vec![0; extent];
    volume.read_at(base, &mut bytes).map_err(unreadable)?;
    tables::decode(&bytes)
}

/// The first cabinet of the set that can be reached.
fn first_of(head: Volume, find: Find<'_>) -> Volume {
    let mut first = head;
    let mut seen = HashSet::new();
    while seen.insert(first.path.to_lowercase()) && seen.len() < MAX_VOLUMES {
        let previous = tables_of(&first, 0).ok().and_then(|tables| tables.previous);
        match previous.and_then(|name| find(&safe(&[&*name]).0)) {
            Some(previous) if !seen.contains(&previous.path.to_lowercase()) => first = previous,
            _ => break,
        }
    }
    first
}

/// State collected while a set is read.
#[derive(Default)]
struct Gathered {
    folders: Vec<Folder>,
    members: Vec<Member>,
    known: HashSet<(usize, u32, String)>,
}

fn read(container: &mut Container, base: u64, find: Find<'_>) -> Result<Vec<Member>, FormatError> {
    let mut gathered = Gathered::default();
    let mut seen: HashSet<String> = HashSet::new();
    let mut number = 0;
    let mut set = None;
    while let Some(volume) = container.volumes.get(number) {
        seen.insert(volume.path.to_lowercase());
        let (base, path) = (if number == 0 { base } else { 0 }, volume.path.clone());
        let cabinet = match tables_of(volume, base) {
            Ok(cabinet) => cabinet,
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                container
                    .deviations
                    .push(path.clone(), 0, "a cabinet of the set", error);
                container.facts.missing.push(path);
                break;
            }
        };
        if set.is_some_and(|set| set != cabinet.header.set) {
            let expected = "a cabinet of the same set";
            container
                .deviations
                .push(path.clone(), 32, expected, cabinet.header.set);
        }
        set = Some(cabinet.header.set);
        if number == 0 && base == 0 && cabinet.previous.is_some() {
            container.facts.missing.extend(cabinet.previous.clone());
        }
        add(&mut gathered, container, &cabinet, number, base);
        let Some(next) = cabinet.next.as_deref().filter(|_| number < MAX_VOLUMES) else {
            break;
        };
        match find(&safe(&[next]).0) {
            Some(next) if seen.contains(&next.path.to_lowercase()) => {
                let found = format!("a loop to {}", next.path);
                container
                    .deviations
                    .push("next", 0, "a chain of cabinets", found);
                break;
            }
            Some(next) => container.volumes.push(next),
            None => {
                container.facts.missing.push(next.to_owned());
                break;
            }
        }
        number += 1;
    }
    container.facts.version = Some("1.3".to_owned());
    let mut most = 0_u64;
    for folder in &gathered.folders {
        most = most.saturating_add(folder.size);
    }
    let stored = container
        .volumes
        .iter()
        .map(|volume| volume.size)
        .sum::<u64>();
    let ratio = limits::current().expansion;
    if most > stored.saturating_mul(ratio.into()).max(1 << 20) {
        let expected =
            format!("folders of at most {ratio} times the stored size (limits.expansion)");
        let found = format!("{most} bytes of {stored}");
        return Err(FormatError::unsupported("folders", 0, expected, found));
    }
    container.backend = Backend::Folders(gathered.folders);
    Ok(gathered.members)
}

/// Returns true for a file that starts in the cabinet before.
fn comes_from_before(file: &CabinetEntry) -> bool {
    matches!(file.folder, FROM_PREVIOUS | THROUGH)
}

/// Adds the folders of one cabinet. Returns the number of the first of them in the set.
fn add_folders(gathered: &mut Gathered, cabinet: &Cabinet, volume: usize, base: u64) -> usize {
    let mut files = cabinet.files.iter();
    let continued = files.any(|file| comes_from_before(&file.entry));
    let before = gathered.folders.len();
    let first = if continued && before > 0 {
        before - 1
    } else {
        before
    };
    for (index, folder) in cabinet.folders.iter().enumerate() {
        let run = Run {
            volume,
            offset: base + u64::from(folder.data),
            blocks: folder.blocks,
            reserve: cabinet.data_reserve,
        };
        let known = gathered.folders.get_mut(first + index);
        match known {
            Some(known) => known.runs.push(run),
            None => gathered.folders.push(Folder {
                method: folder.method,
                runs: vec![run],
                size: 0,
                lock: Mutex::new(()),
                fault: OnceLock::new(),
            }),
        }
    }
    first
}

/// Adds the folders and files of one cabinet.
fn add(
    gathered: &mut Gathered,
    container: &mut Container,
    cabinet: &Cabinet,
    volume: usize,
    base: u64,
) {
    let before = gathered.folders.len();
    let first = add_folders(gathered, cabinet, volume, base);
    for file in &cabinet.files {
        limits::check();
        let entry = file.entry;
        let folder = match entry.folder {
            FROM_PREVIOUS | THROUGH => first,
            TO_NEXT => first + cabinet.folders.len().saturating_sub(1),
            own => first.saturating_add(own.into()),
        };
        let named = (folder, entry.start, file.name.clone());
        // A file that continues over several cabinets is listed in each.
        if !gathered.known.insert(named) {
            continue;
        }
        let (path, changed) = safe(&[&*file.name]);
        let index = gathered.members.len();
        if changed {
            let expected = "a path below the folder of the cabinet";
            let found = format!("{}, read as {path}", file.name);
            container
                .deviations
                .push("file.name", index, expected, found);
        }
        let mut problem = None;
        match gathered.folders.get_mut(folder) {
            Some(folder) => {
                let end = u64::from(entry.start) + u64::from(entry.size);
                folder.size = folder.size.max(end);
                if folder.method & 0xF == 2 {
                    problem =
                        Some("it is compressed by Quantum, which is not supported".to_owned());
                }
            }
            None => problem = Some("its folder does not exist".to_owned()),
        }
        if comes_from_before(&entry) && before == 0 {
            let lost = cabinet
                .previous
                .as_deref()
                .unwrap_or("the previous cabinet");
            problem = Some(format!("it starts in {lost}, which is missing"));
        }
        gathered.members.push(Member {
            path,
            stored_path: file.name.clone(),
            index,
            size: entry.size.into(),
            packed: entry.size.into(),
            method: Method::Folder {
                folder,
                start: entry.start.into(),
            },
            obfuscated: false,
            places: Vec::new(),
            cut: 0,
            md5: None,
            groups: Vec::new(),
            time: dos_time(entry.date, entry.time),
            problem,
        });
    }
}
