//! Zip archives.
//!
//! ```
//! use std::sync::Arc;
//!
//! use relicast_source::cabinet::volume::Volume;
//! use relicast_source::cabinet::zipped::open;
//!
//! // The end of an archive without a file.
//! let mut bytes = b"PK\x05\x06".to_vec();
//! bytes.extend([0; 18]);
//! let opened = open(Volume::in_memory("patch.zip", bytes), Arc::default());
//! assert!(opened.members.is_empty());
//! ```

use std::sync::Arc;

use ::zip::ZipArchive;

use super::archive::Archive;
use super::container::{Backend, Budget, Container, ContainerKind};
use super::member::{Member, Method, check_ratio};
use super::names::safe;
use super::volume::Volume;
use relicast_codec::FormatError;
use relicast_limits as limits;

/// Opens a zip archive, alone or appended to a program.
pub fn open(head: Volume, budget: Arc<Budget>) -> Container {
    let mut container = Container::new(ContainerKind::Zip, head, budget);
    match limits::with_budget(|| read(&mut container)) {
        Ok(Ok(members)) => container.with_members(members),
        Ok(Err(problem)) => container.failed(problem),
        Err(exceeded) => container.failed(exceeded.into()),
    }
}

fn read(container: &mut Container) -> Result<Vec<Member>, FormatError> {
    let Some(head) = container.volumes.first() else {
        return Ok(Vec::new());
    };
    // Each entry of the directory takes at least 46 bytes, and some hundreds in memory.
    let archive = ZipArchive::new(head.cursor(0));
    let mut archive = archive.map_err(|error| {
        FormatError::malformed("directory", 0, "the directory of a zip archive", error)
    })?;
    let mut members = Vec::new();
    for number in 0..archive.len() {
        limits::check();
        let entry = match archive.by_index_raw(number) {
            Ok(entry) => entry,
            Err(error) => {
                let place = number;
                container
                    .deviations
                    .push("entry", place, "a readable entry", error);
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let name = entry
            .name()
            .map_or_else(|_| format!("entry-{number:05}"), |name| name.into_owned());
        let (path, changed) = safe(&[&*name]);
        let mut member = Member {
            path,
            stored_path: name,
            index: number,
            size: entry.size(),
            packed: entry.compressed_size(),
            method: Method::Zip(number),
            obfuscated: false,
            places: Vec::new(),
            cut: 0,
            md5: None,
            groups: Vec::new(),
            time: entry
                .last_modified()
                .filter(|time| time.is_valid())
                .map(|time| time.to_string()),
            problem: None,
        };
        if entry.encrypted() {
            member.problem = Some("it is protected by a password".to_owned());
        }
        let beyond = check_ratio(&member).err();
        member.problem = member.problem.or(beyond);
        if changed {
            let expected = "a path below the folder of the archive";
            let found = format!("{}, read as {}", member.stored_path, member.path);
            container
                .deviations
                .push("entry.name", number, expected, found);
        }
        members.push(member);
    }
    container.backend = Backend::Zip(Box::new(Archive(archive)));
    Ok(members)
}
