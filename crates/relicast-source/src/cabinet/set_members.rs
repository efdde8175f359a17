//! Members of InstallShield sets, with the position of their bytes in volumes or in separate files.

use super::container::Container;
use super::member::{Member, MemberPlace, Method, check_ratio, dos_time};
use super::names::{of_target, safe};
use super::volume::Find;
use relicast_formats::installshield::file::{FileFacts, SPLIT};
use relicast_formats::installshield::header::{BESIDE, VolumeFacts};
use relicast_formats::installshield::tables::Tables;

/// A volume with file data.
pub(super) struct Data {
    pub(super) number: u32,
    /// Its index among the volumes of the container.
    pub(super) place: usize,
    pub(super) link: u8,
    pub(super) facts: VolumeFacts,
    pub(super) size: u64,
}

/// Index of the file whose data each file uses; `None` for links that do not point to an earlier file.
pub(super) fn roots(tables: &Tables<'_>) -> Vec<Option<usize>> {
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(tables.files.len());
    for (index, file) in tables.files.iter().enumerate() {
        let root = match file.facts().same_as {
            None => Some(index),
            // Links point to earlier files, so that there are no loops.
            Some(other) => roots.get(other as usize).copied().flatten(),
        };
        roots.push(root);
    }
    roots
}

/// Inputs that members are made from.
pub(super) struct Context<'t> {
    pub(super) roots: Vec<Option<usize>>,
    pub(super) tables: &'t Tables<'t>,
    pub(super) volumes: Vec<Data>,
    pub(super) base: &'t str,
}

impl Context<'_> {
    pub(super) fn member(
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
                    "it has {} bytes, the file with its data has {}",
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

    /// The file whose data a file uses: itself, or the first of a chain of links.
    fn data_of(&self, index: usize, own: FileFacts) -> Result<(usize, FileFacts), String> {
        match self.roots.get(index) {
            Some(Some(root)) if *root == index => Ok((index, own)),
            Some(Some(root)) => {
                let file = self
                    .tables
                    .files
                    .get(*root)
                    .ok_or("the file with its data does not exist")?;
                Ok((*root, file.facts()))
            }
            _ => Err("it refers to the data of a file that is not before it".to_owned()),
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
                    // Nothing of it is read, for any flags.
                    member.method = Method::Stored;
                    Ok(())
                }
                size => Err(format!("it has {size} bytes, of which none are stored")),
            };
        }
        let at = u32::try_from(number).unwrap_or(u32::MAX);
        let later = self.tables.version().is_newer();
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

    /// Names the missing volume, as far as it is known.
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

    /// Returns the pieces of a file that starts in the volume at index `first`.
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
        // It continued here, but the volume that it starts in is missing.
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
        while let Some(volume) = self.volumes.get(current) {
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
                    return Err(format!("{}{number}.cab does not continue it", self.base));
                }
                _ => return Err(format!("{}{number}.cab is missing", self.base)),
            }
        }
        Err(format!("{left} of its {stored} bytes are in no volume"))
    }
}

impl Data {
    /// Returns a range of this volume, which must contain it.
    fn piece(&self, offset: u64, length: u64) -> Result<MemberPlace, String> {
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > self.size) {
            return Err(format!(
                "its data, {length} bytes from {offset} on, is after the end of volume {} ({} bytes)",
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

/// A member whose data is in a separate file of its name next to the cabinet. When it is compressed, that file starts
/// with the stored bytes; if it is shorter than they are, their end is missing.
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
            "its data is in the separate file {path}, which is missing"
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
