//! Archives of EverQuest, with the members that scenes are made from decoded.
//!
//! A scene may need the members of a second archive too: placed models are in another one than their zone.

use std::collections::BTreeMap;

use crate::config::Unit;
use crate::pack::edited::{IN_TWO_STEPS, Refusal};
use crate::pack::scene::driver::job::Job;
use relicast_codec::Blob;
use relicast_formats::everquest::pfs::{self, Archive, Directory, Entry};

/// Content of a member that scenes are made from.
pub(in crate::pack::scene) trait Content: Sized {
    /// Members of an archive, in messages.
    const LABEL: &'static str;

    /// Returns true if the name may be that of such a member.
    fn is_wanted(entry: &Entry<'_>) -> bool;

    /// Decodes a member; `None` if it cannot be read, and thus has no scene.
    fn decode(name: &str, bytes: &[u8]) -> Option<Self>;

    /// Encodes it.
    ///
    /// # Errors
    /// The format cannot hold it.
    fn encode(&self) -> Result<Vec<u8>, Refusal>;

    /// Returns true if another content has the same items, perhaps with other values, so that edits of scenes have the
    /// same places in both.
    fn has_form_of(&self, _other: &Self) -> bool {
        false
    }
}

/// An archive whose scenes were edited.
#[derive(Debug)]
pub(in crate::pack::scene) struct EditedArchive<'j, C> {
    pub(super) job: Job<'j>,
    /// The original archive.
    pub(super) original: Members<'j, C>,
    /// The archive with the edits of other kinds.
    pub(super) current: Members<'j, C>,
    /// Paths of other archives with things that its scenes show.
    pub(super) others: Vec<String>,
    /// True if documents of its members were edited too.
    is_mixed: bool,
}

impl<'j, C: Content> EditedArchive<'j, C> {
    /// Opens the archive of a job.
    ///
    /// # Errors
    /// Its scenes cannot be packed, or documents of its members were edited too.
    pub(super) fn open(job: Job<'j>) -> Result<Self, Refusal> {
        if matches!(job.settings.everquest.scale, Unit::Meters) {
            refuse!("scenes in meters cannot be packed; convert in the units of the game files");
        }
        let original = Members::open(job.original)?;
        let current = Members::open(job.current)?;
        match original.has_files_of(&current) {
            true => Ok(Self {
                is_mixed: job.original != job.current && original.differs_from(&current),
                others: Vec::new(),
                job,
                original,
                current,
            }),
            false => Err(refusal!(
                "documents of its {} were edited too; {IN_TWO_STEPS}",
                C::LABEL
            )),
        }
    }
}

impl<C> EditedArchive<'_, C> {
    /// Adds to the reason why a packed scene does not show the edit that documents of its members were edited too.
    pub(super) fn explained(&self, refusal: Refusal) -> Refusal {
        match self.is_mixed {
            true => refusal!(
                "{refusal}; a document of the same file was edited too, and may cause this: {IN_TWO_STEPS}"
            ),
            false => refusal,
        }
    }
}

/// A member.
#[derive(Debug)]
pub(in crate::pack::scene) struct Member<C> {
    /// Its name in the archive.
    pub name: String,
    pub body: C,
    /// Its archive, and its place there; without a place it is new.
    place: (usize, Option<usize>),
    /// Its original bytes.
    content: Vec<u8>,
    is_edited: bool,
}

impl<C> Member<C> {
    /// Returns true if it may differ from the original.
    pub(super) fn is_edited(&self) -> bool {
        self.is_edited
    }
}

/// A renamed member.
#[derive(Debug)]
struct Rename {
    from: String,
    to: String,
    /// The old one stays too.
    is_copy: bool,
}

/// An archive with its members, and perhaps further archives.
#[derive(Debug)]
pub(in crate::pack::scene) struct Members<'a, C> {
    archive: Archive<'a>,
    joined: Vec<Archive<'a>>,
    /// Members that scenes are made from, in the order of the archives, then new ones.
    pub files: Vec<Member<C>>,
    renames: Vec<Rename>,
    /// Members of other kinds that are added.
    pub new: NewMembers,
    /// True if they are added to the joined archives too.
    pub shares_new: bool,
}

/// Names and bytes of new members.
pub(super) type NewMembers = BTreeMap<String, Vec<u8>>;

/// An encoded archive.
#[derive(Debug)]
pub(super) struct Encoded {
    pub bytes: Vec<u8>,
    /// Its new and changed members.
    pub members: NewMembers,
}

/// A member that borrows nothing.
fn owned_entry(entry: Entry<'_>) -> Entry<'static> {
    Entry {
        row: entry.row,
        name: entry.name,
        blocks: entry.blocks.into_owned(),
        fault: entry.fault,
    }
}

/// An archive that borrows nothing.
fn owned(archive: Archive<'_>) -> Archive<'static> {
    let directory = archive.directory.map(|directory| Directory {
        place: directory.place,
        entry: owned_entry(directory.entry),
    });
    Archive {
        version: archive.version,
        entries: archive.entries.into_iter().map(owned_entry).collect(),
        directory,
        footer: archive.footer,
        scattered: archive.scattered.map(Blob::into_owned),
        trailing: archive.trailing.into_owned(),
    }
}

impl<'a, C: Content> Members<'a, C> {
    /// Opens an archive.
    ///
    /// # Errors
    /// It cannot be read, or encoding it does not reproduce its bytes.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let mut members = Self {
            archive: Archive::default(),
            joined: Vec::new(),
            files: Vec::new(),
            renames: Vec::new(),
            new: NewMembers::new(),
            shares_new: false,
        };
        let archive = pfs::decode(bytes).map_err(Refusal::new)?.value;
        members.read(&archive, 0)?;
        members.archive = archive;
        Ok(members)
    }

    /// Adds the members of another archive.
    ///
    /// # Errors
    /// As for [`Members::open`].
    pub(super) fn join(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let archive = pfs::decode(bytes).map_err(Refusal::new)?.value;
        self.read(&archive, self.joined.len() + 1)?;
        self.joined.push(owned(archive));
        Ok(())
    }

    fn read(&mut self, archive: &Archive<'_>, number: usize) -> Result<(), Refusal> {
        if archive.scattered.is_some() {
            refuse!("the members of its archive are not contiguous");
        }
        for (place, entry) in archive.entries.iter().enumerate() {
            if !C::is_wanted(entry) {
                continue;
            }
            let name = entry.label();
            let content = entry.extract().map_err(Refusal::new)?.value;
            if let Some(body) = C::decode(&name, &content) {
                self.files.push(Member {
                    name,
                    body,
                    place: (number, Some(place)),
                    content,
                    is_edited: false,
                });
            }
        }
        Ok(())
    }

    /// Adds a member to the first archive, behind the others. Returns its number.
    pub(super) fn add(&mut self, name: String, body: C) -> usize {
        self.files.push(Member {
            name,
            body,
            place: (0, None),
            content: Vec::new(),
            is_edited: true,
        });
        self.files.len() - 1
    }

    /// Returns a stored member of any kind by its name.
    pub(super) fn member(&self, name: &str) -> Option<&Entry<'a>> {
        self.archive.member(name)
    }

    /// Returns a member for editing.
    pub(super) fn edit(&mut self, member: usize) -> Option<&mut Member<C>> {
        let member = self.files.get_mut(member)?;
        member.is_edited = true;
        Some(member)
    }

    /// Returns the number of a member by its name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mut files = self.files.iter();
        files.position(|file| file.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if a member has other bytes than in another archive.
    fn differs_from(&self, other: &Self) -> bool {
        let own = self.files.iter().map(|file| &file.content);
        !own.eq(other.files.iter().map(|file| &file.content))
    }

    /// Returns true if the members have the items of those of another archive.
    pub(super) fn has_files_of(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Member<C>, &Member<C>)| {
            let is_equal = one.content == other.content;
            one.name == other.name && (is_equal || one.body.has_form_of(&other.body))
        };
        let files = self.files.iter().zip(&other.files);
        self.files.len() == other.files.len() && { files }.all(is_same)
    }

    /// Renames a member, or with `is_copy` adds a copy under the new name. Members that do not exist are ignored.
    ///
    /// # Errors
    /// Another member has the new name.
    pub(super) fn rename(
        &mut self,
        from: String,
        to: String,
        is_copy: bool,
    ) -> Result<(), Refusal> {
        if from == to || self.archive.member(&from).is_none() {
            return Ok(());
        }
        let is_planned = self.renames.iter().any(|planned| planned.to == to);
        if is_planned || self.archive.member(&to).is_some() {
            refuse!(
                "its baked light would be renamed to {to}, but the archive already has a member of this name"
            );
        }
        self.renames.push(Rename { from, to, is_copy });
        Ok(())
    }

    /// Encodes the archive with its current members.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub(super) fn encode(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut all = self.encode_all()?.into_iter();
        Ok(all.next().map(|first| first.bytes).unwrap_or_default())
    }

    /// Encodes the archive and the joined ones with their current members.
    ///
    /// # Errors
    /// The formats cannot hold them.
    pub(super) fn encode_all(&mut self) -> Result<Vec<Encoded>, Refusal> {
        let mut added: Vec<NewMembers> = vec![NewMembers::new(); self.joined.len() + 1];
        let mut changed = added.clone();
        for file in self.files.iter().filter(|file| file.is_edited) {
            let inside = |refusal: Refusal| refusal!("{}: {refusal}", file.name);
            let bytes = file.body.encode().map_err(inside)?;
            let (number, place) = file.place;
            let Some(place) = place else {
                if let Some(added) = added.get_mut(number) {
                    added.insert(file.name.clone(), bytes);
                }
                continue;
            };
            if bytes == file.content {
                continue;
            }
            let before = C::decode(&file.name, &file.content);
            let again = before.and_then(|before| before.encode().ok());
            if again.as_ref() != Some(&file.content) {
                return Err(inside(refusal!(
                    "encoding it unchanged does not reproduce its bytes"
                )));
            }
            let mut archives = std::iter::once(&mut self.archive).chain(&mut self.joined);
            let archive = archives.nth(number);
            if let Some(entry) = archive.and_then(|archive| archive.entries.get_mut(place)) {
                entry.replace(&bytes).map_err(Refusal::new)?;
            }
            if let Some(changed) = changed.get_mut(number) {
                changed.insert(file.name.to_lowercase(), bytes);
            }
        }
        self.put_renames()?;
        let archives = std::iter::once(&mut self.archive).chain(&mut self.joined);
        let mut encoded = Vec::with_capacity(added.len());
        // Each addition moves the entries behind it.
        let lists = added.into_iter().zip(changed).enumerate();
        for (archive, (number, (mut added, mut members))) in archives.zip(lists) {
            if number == 0 || self.shares_new {
                added.extend(self.new.clone());
            }
            for (name, bytes) in added {
                archive.add(&name, &bytes).map_err(Refusal::new)?;
                members.insert(name.to_lowercase(), bytes);
            }
            let bytes = pfs::encode(archive).map_err(Refusal::new)?;
            encoded.push(Encoded { bytes, members });
        }
        Ok(encoded)
    }

    fn put_renames(&mut self) -> Result<(), Refusal> {
        for Rename { from, to, is_copy } in std::mem::take(&mut self.renames) {
            let mut entries = self.archive.entries.iter();
            let is_own = |entry: &Entry<'_>| entry.label().eq_ignore_ascii_case(&from);
            let Some(place) = entries.position(is_own) else {
                continue;
            };
            let entry = self.archive.entries.get(place);
            let bytes = entry
                .map(Entry::extract)
                .transpose()
                .map_err(Refusal::new)?;
            let bytes = bytes.map(|bytes| bytes.value).unwrap_or_default();
            if !is_copy {
                self.archive.remove(place).map_err(Refusal::new)?;
            }
            self.archive.add(&to, &bytes).map_err(Refusal::new)?;
        }
        Ok(())
    }
}

/// Makes an archive with new and changed members of it. `original` is the archive of the install, `current` the one with
/// other edits.
///
/// # Errors
/// A member has another edit too, or the archive cannot be written.
pub(in crate::pack) fn merged(
    original: &[u8],
    current: &[u8],
    members: &NewMembers,
) -> Result<Vec<u8>, Refusal> {
    let before = pfs::decode(original).map_err(Refusal::new)?.value;
    let mut after = pfs::decode(current).map_err(Refusal::new)?.value;
    let extract = |entry: &Entry<'_>| entry.extract().map_err(Refusal::new);
    for (name, bytes) in members {
        let was = before.member(name).map(extract).transpose()?;
        let was = was.map(|was| was.value);
        let mut entries = after.entries.iter_mut();
        let Some(entry) = entries.find(|entry| entry.label().eq_ignore_ascii_case(name)) else {
            after.add(name, bytes).map_err(Refusal::new)?;
            continue;
        };
        let now = extract(entry)?.value;
        if was.as_ref() != Some(&now) && now != *bytes {
            refuse!(
                "a placement of its zone gets a model of its own in {name}, in which other outputs were edited too; {IN_TWO_STEPS}"
            );
        }
        entry.replace(bytes).map_err(Refusal::new)?;
    }
    pfs::encode(&after).map_err(Refusal::new)
}
