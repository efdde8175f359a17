//! InstallShield sets: a header file, volumes, and sometimes separate files next to them.
//!
//! ```
//! use relicast_source::cabinet::set::base_of;
//!
//! assert_eq!(base_of("data2.cab"), Some(("data", 2)));
//! assert_eq!(base_of("readme.txt"), None);
//! ```

use std::sync::Arc;

use super::container::{Budget, ComponentFacts, Container, ContainerKind, GroupFacts, SetupFacts};
use super::member::Member;
use super::set_members::{Context, Data, roots};
use super::volume::{Find, Volume};
use relicast_codec::FormatError;
use relicast_formats::installshield::header::{HEADER_SIZE, Header, Version, VolumeFacts};
use relicast_formats::installshield::tables::{self, Tables};
use relicast_limits as limits;

/// Largest size of tables that are read. Tables of real sets have thousands of bytes.
const MAX_TABLES_BYTES: u64 = 32 << 20;

/// Highest volume number that is searched for.
const MAX_VOLUMES: u32 = 999;

/// Splits the name of a file of a set into its base and number: `data` and 1 for `data1.cab`. `None` for other names.
pub fn base_of(name: &str) -> Option<(&str, u32)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let known = ["cab", "hdr"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known));
    let base = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = stem.get(base.len()..)?;
    (known && !number.is_empty()).then_some(())?;
    Some((base, number.parse().ok()?))
}

/// True if a set of this base name holds the files of the installer itself.
fn is_installers(base: &str) -> bool {
    ["_sys", "_user"]
        .iter()
        .any(|own| base.eq_ignore_ascii_case(own))
}

/// Opens the set whose header file is `head`, or whose first volume when it has no header file.
pub fn open(head: Volume, find: Find<'_>, budget: Arc<Budget>) -> Container {
    let mut container = Container::new(ContainerKind::InstallShield, head, budget);
    match limits::with_budget(|| read(&mut container, find)) {
        Ok(Ok(members)) => container.with_members(members),
        Ok(Err(problem)) => container.failed(problem),
        Err(exceeded) => container.failed(exceeded.into()),
    }
}

fn unreadable(field: &str, error: &std::io::Error) -> FormatError {
    FormatError::malformed(field, 0, "readable bytes", error)
}

/// The bytes of the tables.
fn table_bytes(head: &Volume) -> Result<Vec<u8>, FormatError> {
    // The descriptor is at 0x200 in all known files; its fixed part is not larger than this.
    let start = head
        .start(1 << 12)
        .map_err(|error| unreadable("header", &error))?;
    let header = Header::decode(&start)?;
    if header.common.descriptor_size == 0 {
        let expected = "the tables of the set, here or in its .hdr file";
        let found = "neither: the header of this set is missing";
        return Err(FormatError::malformed(
            "header.descriptor_size",
            16,
            expected,
            found,
        ));
    }
    // A header file consists of its tables.
    let all = head.size <= MAX_TABLES_BYTES && is_header(head.name());
    let size = match all {
        true => head.size,
        false => tables::extent(&start)?.unwrap_or_default().min(head.size),
    };
    if size > MAX_TABLES_BYTES {
        let expected = format!("at most {MAX_TABLES_BYTES} bytes");
        return Err(FormatError::unsupported("tables", 0, expected, size));
    }
    limits::reserve(usize::try_from(size).unwrap_or(usize::MAX));
    head.start(size)
        .map_err(|error| unreadable("tables", &error))
}

/// Returns the tables of a file of a set, or its header when it has none: as stored, and as encoded again from
/// their decoded values.
///
/// # Errors
/// The file cannot be read, or has other content.
pub fn rebuilt(volume: &Volume) -> Result<(Vec<u8>, Vec<u8>), FormatError> {
    let start = volume
        .start(HEADER_SIZE as u64)
        .map_err(|error| unreadable("header", &error))?;
    let header = Header::decode(&start)?;
    if header.common.descriptor_size == 0 {
        let made = header.encode();
        return Ok((start, made));
    }
    let bytes = table_bytes(volume)?;
    let made = tables::decode(&bytes)?.value.encode();
    Ok((bytes, made))
}

fn is_header(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("hdr"))
}

fn read(container: &mut Container, find: Find<'_>) -> Result<Vec<Member>, FormatError> {
    let Some(head) = container.volumes.first() else {
        return Ok(Vec::new());
    };
    let name = head.name().to_owned();
    let (base, _) = base_of(&name).unwrap_or((&name, 1));
    let bytes = table_bytes(head)?;
    let decoded = tables::decode(&bytes)?;
    container.deviations = decoded.deviations;
    let tables = decoded.value;
    add_facts(container, &tables, is_installers(base));
    let volumes = volumes(container, &tables, base, find);
    let groups = groups_of(container, &tables);
    let context = Context {
        roots: roots(&tables),
        tables: &tables,
        volumes,
        base,
    };
    let mut members = Vec::new();
    for (index, own) in groups.into_iter().enumerate() {
        let Some(file) = tables.files.get(index) else {
            break;
        };
        if file.facts().is_placeholder() {
            container.facts.placeholders += 1;
            continue;
        }
        members.push(context.member(container, index, &own, find));
        limits::check();
    }
    Ok(members)
}

/// Fills in the facts of the tables, without files.
fn add_facts(container: &mut Container, tables: &Tables<'_>, installer: bool) {
    let texts = |texts: &[relicast_formats::installshield::Text]| -> Vec<String> {
        texts.iter().map(|text| text.text.clone()).collect()
    };
    let facts = &mut container.facts;
    facts.version = Some(format!("{:08X}", tables.version().0));
    facts.installer = installer;
    facts.languages.clone_from(&tables.languages);
    // Groups of real sets divide the files into ranges; overlapping ranges are bounded.
    let mut left = tables.files.len().saturating_mul(4);
    let groups = tables.groups.iter().map(|group| {
        let end = (group.last as usize)
            .saturating_add(1)
            .min(tables.files.len());
        let files = tables
            .files
            .get(group.first as usize..end)
            .unwrap_or_default();
        let files = files.get(..left.min(files.len())).unwrap_or_default();
        left -= files.len();
        let files = files.iter().map(|file| file.facts());
        let (mut count, mut bytes) = (0, 0_u64);
        for file in files.filter(|file| !file.is_placeholder()) {
            count += 1;
            bytes = bytes.saturating_add(file.size);
        }
        limits::check();
        GroupFacts {
            name: group.name.text.clone(),
            first: group.first,
            last: group.last,
            files: count,
            bytes,
            target: tables.target_of(group).map(str::to_owned),
        }
    });
    facts.groups = groups.collect();
    let components = tables.components.iter().map(|component| ComponentFacts {
        name: component.name.text.clone(),
        target: component.target.as_ref().map(|target| target.text.clone()),
        groups: texts(&component.groups),
        depends: texts(&component.depends),
        below: texts(&component.below),
    });
    facts.components = components.collect();
    let types = tables.setup_types.iter().map(|setup| SetupFacts {
        name: setup.name.text.clone(),
        components: texts(&setup.components),
    });
    facts.setup_types = types.collect();
}

/// Opens the volumes of the set.
fn volumes(
    container: &mut Container,
    tables: &Tables<'_>,
    base: &str,
    find: Find<'_>,
) -> Vec<Data> {
    let volumes = tables.files.iter().filter_map(|file| {
        let facts = file.facts();
        facts.volume.filter(|_| !facts.is_placeholder())
    });
    let stated = u32::from(volumes.max().unwrap_or(1)).min(MAX_VOLUMES);
    let own_is_volume = container
        .volumes
        .first()
        .is_some_and(|head| !is_header(head.name()));
    let mut found: Vec<Data> = Vec::new();
    let mut number = 1;
    while number <= MAX_VOLUMES {
        let name = format!("{base}{number}.cab");
        let place = match number == 1 && own_is_volume {
            true => Some(0),
            false => find(&name).map(|volume| {
                container.volumes.push(volume);
                container.volumes.len() - 1
            }),
        };
        let header = place.map(|place| volume_header(container, tables.version(), place));
        // The link of a volume says if another one follows: 2 and 3 mean yes.
        let mut more = number < stated;
        match (place, header) {
            (Some(place), Some(Ok((link, facts, size)))) => {
                more |= link & 2 != 0;
                found.push(Data {
                    number,
                    place,
                    link,
                    facts,
                    size,
                });
            }
            (_, Some(Err(problem))) => {
                let expected = format!("a volume of version {:08X}", tables.version().0);
                container
                    .deviations
                    .push(name.clone(), 0, expected, problem);
                container.facts.missing.push(name);
                more |= true;
            }
            _ => {
                container.facts.missing.push(name);
                // One gap may be a lost volume; two are the end.
                let before = container.facts.missing.len();
                more |= before < 2;
            }
        }
        if !more {
            break;
        }
        number += 1;
    }
    // Numbers after the last volume were only tried.
    let last = found.last().map_or(stated, |last| last.number.max(stated));
    let expects_more = found.last().is_some_and(|last| last.link & 2 != 0);
    let last = last + u32::from(expects_more);
    container
        .facts
        .missing
        .retain(|name| base_of(name).is_none_or(|(_, number)| number <= last));
    found
}

type HeaderFacts = (u8, VolumeFacts, u64);

fn volume_header(
    container: &Container,
    version: Version,
    place: usize,
) -> Result<HeaderFacts, String> {
    let volume = container.volumes.get(place).ok_or("none")?;
    let start = volume
        .start(HEADER_SIZE as u64)
        .map_err(|error| error.to_string())?;
    let header = Header::decode(&start).map_err(|error| error.to_string())?;
    if header.version() != version {
        return Err(format!("version {:08X}", header.version().0));
    }
    Ok((header.common.link, header.facts(), volume.size))
}

/// Finds the groups of each file.
fn groups_of(container: &mut Container, tables: &Tables<'_>) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); tables.files.len()];
    // Real groups divide the files into ranges; overlapping ranges are bounded.
    let mut left = tables.files.len().saturating_mul(4);
    for (number, group) in tables.groups.iter().enumerate() {
        let end = (group.last as usize).saturating_add(1).min(groups.len());
        if group.last == u32::MAX {
            continue;
        }
        let files = groups
            .get_mut(group.first as usize..end)
            .unwrap_or_default();
        if files.len() > left {
            let found = format!("{} overlaps too many", group.name.text);
            container
                .deviations
                .push("groups", 0, "ranges of files", found);
            break;
        }
        left -= files.len();
        files.iter_mut().for_each(|file| file.push(number));
        limits::check();
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets_are_reported() {
        assert_eq!(base_of("data1.cab"), Some(("data", 1)));
        assert_eq!(base_of("_SYS1.HDR"), Some(("_SYS", 1)));
        assert_eq!(base_of("data12.CAB"), Some(("data", 12)));
        assert_eq!(base_of("data.cab"), None);
        assert_eq!(base_of("data1.exe"), None);
        assert!(is_installers("_User") && !is_installers("data"));
    }
}
