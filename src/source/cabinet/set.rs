//! InstallShield sets: a header file, volumes, and sometimes files beside them.

use std::sync::Arc;

use super::container::{Budget, ComponentFacts, Container, ContainerKind, GroupFacts, SetupFacts};
use super::member::{Member, MemberPlace, Method, dos_time};
use super::names::{of_target, safe};
use super::volume::Volume;
use crate::formats::codec::FormatError;
use crate::formats::installshield::file::{FileFacts, SPLIT};
use crate::formats::installshield::header::{BESIDE, HEADER_SIZE, Header, Version, VolumeFacts};
use crate::formats::installshield::tables::{self, Tables};
use crate::limits;

/// Largest tables that are read. Those of real sets have thousands of bytes.
const LARGEST_TABLES: u64 = 32 << 20;

/// Highest number of a volume that is looked for.
const MOST_VOLUMES: u32 = 999;

/// Finds a file of a set: its path below the folder of the set, with `/`; letter case is ignored.
pub type Find<'f> = &'f mut dyn FnMut(&str) -> Option<Volume>;

/// The name of a file of a set without its number: `data` of `data1.cab`; with the number. `None` for other names.
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

/// Whether a set of this base name holds the files of the installer itself.
fn is_installers(base: &str) -> bool {
    ["_sys", "_user"]
        .iter()
        .any(|own| base.eq_ignore_ascii_case(own))
}

/// A volume with file data.
struct Data {
    number: u32,
    /// Its place among the volumes of the container.
    place: usize,
    link: u8,
    facts: VolumeFacts,
    size: u64,
}

/// Opens the set that `head` is the header file of, or the first volume of when it has none.
pub fn open(head: Volume, find: Find<'_>, budget: Arc<Budget>) -> Container {
    let mut container = Container::new(ContainerKind::InstallShield, head, budget);
    match limits::guarded(|| read(&mut container, find)) {
        Ok(Ok(members)) => container.with_members(members),
        Ok(Err(problem)) => container.failed(problem),
        Err(exceeded) => container.failed(exceeded.into()),
    }
}

fn unreadable(field: &str, error: &std::io::Error) -> FormatError {
    FormatError::malformed(field, 0, "bytes that can be read", error)
}

/// The bytes of the tables.
fn table_bytes(head: &Volume) -> Result<Vec<u8>, FormatError> {
    // The descriptor lies at 0x200 in all known files; its fixed part is not larger than this.
    let start = head
        .start(1 << 12)
        .map_err(|error| unreadable("header", &error))?;
    let header = Header::decode(&start)?;
    if header.common.descriptor_size == 0 {
        let expected = "the tables of the set, here or in the .hdr beside it";
        let found = "neither: the header of this set is missing";
        return Err(FormatError::malformed(
            "header.descriptor_size",
            16,
            expected,
            found,
        ));
    }
    // A header file is its tables and nothing else.
    let all = head.size <= LARGEST_TABLES && is_header(head.name());
    let size = match all {
        true => head.size,
        false => tables::extent(&start)?.unwrap_or_default().min(head.size),
    };
    if size > LARGEST_TABLES {
        let expected = format!("at most {LARGEST_TABLES} bytes");
        return Err(FormatError::unsupported("tables", 0, expected, size));
    }
    limits::claim(usize::try_from(size).unwrap_or(usize::MAX));
    head.start(size)
        .map_err(|error| unreadable("tables", &error))
}

/// The tables of a file of a set, or its header when it has none, as stored and as made again from what they
/// decode to.
///
/// # Errors
/// The file cannot be read, or holds something else.
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
    tell(container, &tables, is_installers(base));
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

/// Fills in what the tables say, files aside.
fn tell(container: &mut Container, tables: &Tables<'_>, installer: bool) {
    let texts = |texts: &[crate::formats::installshield::Text]| -> Vec<String> {
        texts.iter().map(|text| text.text.clone()).collect()
    };
    let facts = &mut container.facts;
    facts.version = Some(format!("{:08X}", tables.version().0));
    facts.installer = installer;
    facts.languages.clone_from(&tables.languages);
    // Groups of real sets cut the files into ranges; what lies on one another is not counted over and over.
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
    let told = tables.files.iter().filter_map(|file| {
        let facts = file.facts();
        facts.volume.filter(|_| !facts.is_placeholder())
    });
    let told = u32::from(told.max().unwrap_or(1)).min(MOST_VOLUMES);
    let own_is_volume = container
        .volumes
        .first()
        .is_some_and(|head| !is_header(head.name()));
    let mut found: Vec<Data> = Vec::new();
    let mut number = 1;
    while number <= MOST_VOLUMES {
        let name = format!("{base}{number}.cab");
        let place = match number == 1 && own_is_volume {
            true => Some(0),
            false => find(&name).map(|volume| {
                container.volumes.push(volume);
                container.volumes.len() - 1
            }),
        };
        let header = place.map(|place| volume_header(container, tables.version(), place));
        // The link of a volume tells whether another one follows: 2 and 3 say so.
        let mut more = number < told;
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
                // One gap may be a volume that was lost; two are the end.
                let before = container.facts.missing.len();
                more |= before < 2;
            }
        }
        if !more {
            break;
        }
        number += 1;
    }
    // Numbers behind the last volume were only looked for.
    let last = found.last().map_or(told, |last| last.number.max(told));
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

/// The groups of each file.
fn groups_of(container: &mut Container, tables: &Tables<'_>) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); tables.files.len()];
    // Real groups cut the files into ranges; ranges that lie on one another are bounded.
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

/// The file whose data each file has; `None` for those that point to none before them.
fn roots(tables: &Tables<'_>) -> Vec<Option<usize>> {
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(tables.files.len());
    for (index, file) in tables.files.iter().enumerate() {
        let root = match file.facts().same_as {
            None => Some(index),
            // Twins point to files before them, so that there are no loops.
            Some(other) => roots.get(other as usize).copied().flatten(),
        };
        roots.push(root);
    }
    roots
}

/// What members are made from.
struct Context<'t> {
    roots: Vec<Option<usize>>,
    tables: &'t Tables<'t>,
    volumes: Vec<Data>,
    base: &'t str,
}

impl Context<'_> {
    fn member(
        &self,
        container: &mut Container,
        index: usize,
        groups: &[usize],
        find: Find<'_>,
    ) -> Member {
        let file = self.tables.files.get(index);
        let own = file.map(|file| file.facts());
        let name = file
            .and_then(|file| file.name.as_ref())
            .map(|name| name.text.clone());
        let no_name = name.is_none();
        let name = name.unwrap_or_else(|| format!("file-{index:05}"));
        let folder = own.and_then(|own| self.tables.folders.get(own.folder as usize));
        let groups: Vec<_> = groups
            .iter()
            .filter_map(|group| self.tables.groups.get(*group))
            .collect();
        let target = groups
            .first()
            .and_then(|group| self.tables.target_of(group));
        let target = of_target(target.unwrap_or_default());
        let inner = folder.map_or("", |folder| &*folder.text);
        let (path, changed) = safe(&[&*target, inner, &*name]);
        let stored_path = match inner {
            "" => name,
            inner => format!("{inner}\\{name}"),
        };
        if changed {
            let expected = "a path below the folder of the product";
            let found = format!("{stored_path}, read as {path}");
            container
                .deviations
                .push(format!("files[{index}].name"), 0, expected, found);
        }
        let data = own.ok_or_else(|| "it has no descriptor".to_owned());
        let data = data.and_then(|own| self.data_of(index, own));
        let mut member = Member {
            path,
            stored_path,
            index,
            size: own.map_or(0, |own| own.size),
            packed: 0,
            method: Method::Stored,
            obfuscated: false,
            places: Vec::new(),
            cut: 0,
            md5: own.and_then(|own| own.md5),
            groups: groups.iter().map(|group| group.name.text.clone()).collect(),
            time: own.and_then(|own| dos_time(own.date, own.time)),
            problem: None,
        };
        let placed = data.and_then(|(number, data)| {
            member.packed = data.stored();
            member.obfuscated = data.is_obfuscated();
            if data.is_compressed() {
                let known = !self.tables.version().is_first();
                member.method = Method::InstallShield { known };
            }
            if member.size != data.size {
                return Err(format!(
                    "it has {} bytes, its twin has {}",
                    member.size, data.size
                ));
            }
            self.place(container, number, data, &mut member, find)
        });
        let named = match no_name {
            true => Err("its name cannot be read".to_owned()),
            false => Ok(()),
        };
        let folder = match folder {
            Some(_) => Ok(()),
            None => Err("its folder does not exist".to_owned()),
        };
        let fits = check_ratio(&member);
        member.problem = placed.and(named).and(folder).and(fits).err();
        member
    }

    /// The file whose data a file has: itself, or the first of a row of twins.
    fn data_of(&self, index: usize, own: FileFacts) -> Result<(usize, FileFacts), String> {
        match self.roots.get(index) {
            Some(Some(root)) if *root == index => Ok((index, own)),
            Some(Some(root)) => {
                let file = self
                    .tables
                    .files
                    .get(*root)
                    .ok_or("its twin does not exist")?;
                Ok((*root, file.facts()))
            }
            _ => Err("its data is that of a file that is none before it".to_owned()),
        }
    }

    /// Finds the stored bytes of file `number`.
    fn place(
        &self,
        container: &mut Container,
        number: usize,
        data: FileFacts,
        member: &mut Member,
        find: Find<'_>,
    ) -> Result<(), String> {
        let stored = data.stored();
        if data.size == 0 || stored == 0 {
            return match data.size {
                0 => {
                    // Nothing is read of it, whatever its flags say.
                    member.method = Method::Stored;
                    Ok(())
                }
                size => Err(format!("{size} bytes of none")),
            };
        }
        let at = u32::try_from(number).unwrap_or(u32::MAX);
        let later = self.tables.version().is_later();
        let first = match data.volume {
            Some(volume) => self
                .volumes
                .iter()
                .position(|own| own.number == u32::from(volume)),
            None => {
                let holds = |own: &Data| own.facts.first_file <= at && at <= own.facts.last_file;
                self.volumes.iter().position(holds)
            }
        };
        let beside = match (later, first.and_then(|first| self.volumes.get(first))) {
            (true, _) => data.offset == 0,
            (false, Some(volume)) => {
                volume.link & BESIDE != 0 || (data.offset == volume.size && data.flags & SPLIT == 0)
            }
            (false, None) => false,
        };
        if beside {
            return place_beside(container, data, member, find);
        }
        let Some(first) = first else {
            return Err(self.lost(data.volume));
        };
        member.places = self.pieces(at, data, first)?;
        Ok(())
    }

    /// Says which volume is missing, as far as that is known.
    fn lost(&self, volume: Option<u16>) -> String {
        match volume {
            Some(volume) => format!("{}{volume}.cab is missing", self.base),
            None => {
                let mut number = 1;
                while self.volumes.iter().any(|own| own.number == number) {
                    number += 1;
                }
                format!("its volume is missing ({}{number}.cab)", self.base)
            }
        }
    }

    /// The pieces of a file that starts in the volume at place `first`.
    fn pieces(&self, at: u32, data: FileFacts, first: usize) -> Result<Vec<MemberPlace>, String> {
        let stored = data.stored();
        let Some(volume) = self.volumes.get(first) else {
            return Err(self.lost(data.volume));
        };
        let next = self.volumes.get(first + 1);
        let follows = next
            .is_some_and(|next| next.number == volume.number + 1 && next.facts.first_file == at);
        let goes_on = volume.facts.last_file == at
            && volume.facts.last_offset != 0
            && (follows
                || data.flags & SPLIT != 0
                || volume.facts.last_here < stored && volume.link & 2 != 0);
        // It went on here, but the volume that it starts in is missing.
        let began_before = volume.facts.first_file == at
            && volume.facts.first_offset != 0
            && volume.number > 1
            && data.volume.is_none();
        if began_before && !goes_on && volume.facts.first_here <= stored {
            return Err(format!("{}{}.cab is missing", self.base, volume.number - 1));
        }
        if !goes_on {
            return Ok(vec![volume.piece(data.offset, stored)?]);
        }
        let mut pieces = Vec::new();
        let mut left = stored;
        let (mut offset, mut here) = (volume.facts.last_offset, volume.facts.last_here);
        let mut current = first;
        loop {
            let Some(volume) = self.volumes.get(current) else {
                break;
            };
            let length = here.min(left);
            if length > 0 {
                pieces.push(volume.piece(offset, length)?);
                left -= length;
            }
            if left == 0 {
                return Ok(pieces);
            }
            let number = volume.number + 1;
            current += 1;
            match self.volumes.get(current) {
                Some(next) if next.number == number && next.facts.first_file == at => {
                    (offset, here) = (next.facts.first_offset, next.facts.first_here);
                }
                Some(next) if next.number == number => {
                    return Err(format!("{}{number}.cab does not go on with it", self.base));
                }
                _ => return Err(format!("{}{number}.cab is missing", self.base)),
            }
        }
        Err(format!("{left} of its {stored} bytes are in no volume"))
    }
}

impl Data {
    /// Bytes of this volume, which must have them.
    fn piece(&self, offset: u64, length: u64) -> Result<MemberPlace, String> {
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > self.size) {
            return Err(format!(
                "its data, {length} bytes from {offset} on, lies behind the end of volume {} ({} bytes)",
                self.number, self.size
            ));
        }
        Ok(MemberPlace {
            volume: self.place,
            offset,
            length,
        })
    }
}

/// A member whose data lies beside the cabinet in a file of its name. When it is compressed, that file starts with
/// the stored bytes; where it is shorter than they are, their end is missing.
fn place_beside(
    container: &mut Container,
    data: FileFacts,
    member: &mut Member,
    find: Find<'_>,
) -> Result<(), String> {
    let (path, changed) = safe(&[&*member.stored_path]);
    let found = if changed { None } else { find(&path) };
    let Some(mut volume) = found else {
        return Err(format!(
            "its data lies beside the cabinet, in {path}, which is missing"
        ));
    };
    volume.beside = true;
    let stored = data.stored();
    let length = stored.min(volume.size);
    let missing = stored - length;
    let most = if data.is_compressed() {
        stored.saturating_sub(data.size)
    } else {
        0
    };
    if missing > most {
        return Err(format!("{path} has {} bytes of {stored}", volume.size));
    }
    member.cut = missing;
    container.volumes.push(volume);
    member.places = vec![MemberPlace {
        volume: container.volumes.len() - 1,
        offset: 0,
        length,
    }];
    Ok(())
}

/// Refuses a member that would expand beyond all reason.
pub(super) fn check_ratio(member: &Member) -> Result<(), String> {
    let ratio = limits::current().expansion;
    let most = member.packed.saturating_mul(ratio.into()).max(1 << 20);
    if member.size <= most {
        return Ok(());
    }
    Err(format!(
        "expected at most {ratio} times the stored size (limits.expansion), found {} bytes of {}",
        member.size, member.packed
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets_are_told() {
        assert_eq!(base_of("data1.cab"), Some(("data", 1)));
        assert_eq!(base_of("_SYS1.HDR"), Some(("_SYS", 1)));
        assert_eq!(base_of("data12.CAB"), Some(("data", 12)));
        assert_eq!(base_of("data.cab"), None);
        assert_eq!(base_of("data1.exe"), None);
        assert!(is_installers("_User") && !is_installers("data"));
    }
}
