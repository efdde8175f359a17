//! Reads the bytes of members.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, PoisonError};

use super::behind;
use super::container::{Backend, Check, Container};
use super::folder::Folder;
use super::member::{Member, MemberPlace, Method};
use super::names::{Taken, safe};
use super::scratch::{Inflated, Scratch};
use crate::bytes::{FileBytes, Held};
use relicast_codec::Deviations;
use relicast_formats::installshield::packed::{self, Compression, Fault, MARKER};
use relicast_limits as limits;

/// Members up to this size are cached in memory while there is room.
const SMALL: u64 = 1 << 20;

/// Receives the bytes of a member: memory or a temporary file.
enum Buffer {
    Held(Held),
    File(File),
}

impl Buffer {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Held(held) => held.add(bytes),
            Self::File(file) => file.write_all(bytes),
        }
    }
}

impl Container {
    /// The bytes of a member.
    ///
    /// # Errors
    /// It is damaged, or one of its volumes is missing or cannot be read.
    pub fn read(&self, index: usize) -> io::Result<FileBytes> {
        let member = self.members.get(index).ok_or(io::ErrorKind::NotFound)?;
        if let Some(problem) = &member.problem {
            return Err(io::Error::other(problem.clone()));
        }
        if let Method::Folder { folder, start } = member.method {
            let file = self.folder(folder)?;
            let file = file.try_clone()?;
            let bytes = FileBytes::read_part(file, start, member.size).map_err(|error| {
                let fault = match &self.backend {
                    Backend::Folders(folders) => folders.get(folder).and_then(Folder::fault),
                    _ => None,
                };
                fault.map_or(error, |fault| io::Error::other(fault.to_owned()))
            });
            if let Ok(bytes) = &bytes {
                self.check(index, member, bytes);
            }
            return bytes;
        }
        if let Some(bytes) = self.in_place(member) {
            let bytes = bytes?;
            self.check(index, member, &bytes);
            return Ok(bytes);
        }
        let kept = self.scratch().get(Inflated::Member(index));
        if let Some(file) = kept {
            return FileBytes::read(file.try_clone()?);
        }
        let bytes = self.inflate(index, member)?;
        self.check(index, member, &bytes);
        Ok(bytes)
    }

    fn scratch(&self) -> std::sync::MutexGuard<'_, Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a stored member that is contiguous in a file on disk.
    fn in_place(&self, member: &Member) -> Option<io::Result<FileBytes>> {
        let [place] = &*member.places else {
            return None;
        };
        if member.method != Method::Stored || member.obfuscated {
            return None;
        }
        let path = self.volumes.get(place.volume)?.on_disk()?;
        Some(
            File::open(path).and_then(|file| FileBytes::read_part(file, place.offset, member.size)),
        )
    }

    /// Computes the checksums of a member, once: its BLAKE3, and the comparison of its MD5 with that of the cabinet.
    fn check(&self, index: usize, member: &Member, bytes: &FileBytes) {
        let Some(check) = self.checks.get(index) else {
            return;
        };
        check.get_or_init(|| {
            let mut deviations = Deviations::default();
            let (mut context, mut hasher) = (md5::Context::new(), blake3::Hasher::new());
            let passed = bytes.pass(|part| -> io::Result<()> {
                hasher.update(part);
                if member.md5.is_some() {
                    context.consume(part);
                }
                Ok(())
            });
            let found = context.finalize().0;
            if let Some(expected) = member.md5.filter(|md5| passed.is_ok() && *md5 != found) {
                let text = |sum: [u8; 16]| format!("{:x}", md5::Digest(sum));
                deviations.push("md5", 0, text(expected), text(found));
            }
            Check {
                deviations,
                blake3: passed.ok().map(|()| hasher.finalize().to_hex().to_string()),
            }
        });
    }

    /// Inflates a member. Sets of the first version do not state their compression: data that is not a sequence of
    /// chunks, or a damaged one, is tried as a stream.
    fn inflate(&self, index: usize, member: &Member) -> io::Result<FileBytes> {
        let mut ways = vec![None];
        if let Method::InstallShield { known } = member.method {
            ways = match known || self.is_chunked(member)? {
                true => vec![Some(Compression::Chunks), Some(Compression::Stream)],
                false => vec![Some(Compression::Stream)],
            };
        }
        let mut first = None;
        for way in ways {
            let mut buffer = match Held::reserve(member.size).filter(|_| member.size <= SMALL) {
                Some(held) => Buffer::Held(held),
                None => Buffer::File(tempfile::tempfile()?),
            };
            match self.unpack(member, way, &mut |bytes| buffer.add(bytes)) {
                Ok(()) => {
                    return match buffer {
                        Buffer::Held(held) => Ok(FileBytes::Held(held)),
                        Buffer::File(file) => {
                            let bytes = FileBytes::read(file.try_clone()?)?;
                            let file = Arc::new(file);
                            self.scratch()
                                .keep(Inflated::Member(index), member.size, file);
                            Ok(bytes)
                        }
                    };
                }
                Err(Fault::Io(error)) => return Err(error),
                Err(fault) => {
                    first.get_or_insert(fault);
                }
            }
        }
        Err(first.map_or_else(|| io::ErrorKind::InvalidData.into(), io::Error::from))
    }

    fn unpack(
        &self,
        member: &Member,
        way: Option<Compression>,
        take: packed::Take<'_>,
    ) -> Result<(), Fault> {
        match (member.method, way) {
            (Method::Zip(number), _) => match &self.backend {
                Backend::Zip(archive) => Ok(archive.unpack(number, member.size, take)?),
                _ => Err(io::Error::from(io::ErrorKind::NotFound).into()),
            },
            (_, None) => {
                let mut reader = self.stored(member);
                let mut buffer = vec![0; 1 << 16];
                let mut left = member.size;
                while left > 0 {
                    let count =
                        usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
                    let part = buffer.get_mut(..count).unwrap_or_default();
                    reader.read_exact(part)?;
                    take(part)?;
                    left -= count as u64;
                }
                Ok(())
            }
            (_, Some(compression)) => {
                // The end of the last marker, or more, is missing; the marker ends the stream.
                let kept = MARKER.len() - usize::try_from(member.cut).map_or(4, |cut| cut.min(4));
                let tail = match member.cut {
                    0 => &[][..],
                    1..=3 => MARKER.get(kept..).unwrap_or_default(),
                    _ => &MARKER,
                };
                let packed = (member.packed - member.cut).saturating_add(tail.len() as u64);
                let mut input = BufReader::with_capacity(1 << 16, self.stored(member)).chain(tail);
                packed::expand(compression, &mut input, packed, member.size, take)
            }
        }
    }

    fn is_chunked(&self, member: &Member) -> io::Result<bool> {
        if member.cut > 0 {
            return Ok(false);
        }
        packed::is_chunked(member.packed, |place| {
            let mut word = [0; 2];
            let mut reader = self.stored(member);
            reader.skip(place);
            reader.read_exact(&mut word)?;
            Ok(word)
        })
    }

    /// The stored bytes of a member, without obfuscation.
    fn stored<'c>(&'c self, member: &'c Member) -> Stored<'c> {
        Stored {
            container: self,
            member,
            place: 0,
            index: 0,
            within: 0,
        }
    }

    /// The expanded bytes of a folder of Microsoft cabinets.
    fn folder(&self, number: usize) -> io::Result<Arc<File>> {
        let Backend::Folders(folders) = &self.backend else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let folder = folders.get(number).ok_or(io::ErrorKind::NotFound)?;
        // One thread expands it, the others wait.
        let _guard = folder.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = self.scratch().get(Inflated::Folder(number));
        if let Some(file) = kept {
            return Ok(file);
        }
        let file = Arc::new(behind::write(tempfile::tempfile()?, |take| {
            folder.expand(&self.volumes, take).map(|_| ())
        })?);
        self.scratch()
            .keep(Inflated::Folder(number), folder.size, Arc::clone(&file));
        Ok(file)
    }

    /// Makes the paths of members unique. Members of one path and of the same bytes become one; others get a folder
    /// named after their group.
    pub(super) fn disambiguate(&mut self) {
        let mut taken = Taken::default();
        let mut kept: Vec<Member> = Vec::new();
        let members = std::mem::take(&mut self.members);
        for mut member in members {
            limits::check();
            if let Some(place) = taken.by(&member.path) {
                let same = kept
                    .get(place)
                    .is_some_and(|first| self.is_same(first, &member));
                if let Some(first) = kept.get_mut(place).filter(|_| same) {
                    first.groups.append(&mut member.groups);
                    continue;
                }
                let group = member.groups.first().map_or("again", String::as_str);
                let (path, _) = safe(&[group, &member.path]);
                self.facts.moved.push(path.clone());
                member.path = path;
            }
            member.path = taken.take(member.path, kept.len());
            kept.push(member);
        }
        self.checks = kept.iter().map(|_| std::sync::OnceLock::new()).collect();
        self.scratch().0.clear();
        self.members = kept;
    }

    /// True if two members have the same bytes.
    fn is_same(&self, one: &Member, other: &Member) -> bool {
        if one.size != other.size {
            return false;
        }
        if !one.places.is_empty() && one.places == other.places {
            return true;
        }
        if let (Some(one), Some(other)) = (one.md5, other.md5) {
            return one == other;
        }
        let hash = |member: &Member| {
            let bytes = match member.problem {
                None => self.inflate(usize::MAX, member).ok()?,
                Some(_) => return None,
            };
            bytes.blake3().ok()
        };
        let (one, other) = (hash(one), hash(other));
        one.is_some() && one == other
    }
}

/// Reads the stored bytes of a member from its places in the volumes.
struct Stored<'c> {
    container: &'c Container,
    member: &'c Member,
    /// Index of the place that is read.
    place: usize,
    /// The next byte within it.
    within: u64,
    /// Offset of the next byte, counted from the first place.
    index: u64,
}

impl Stored<'_> {
    fn current(&mut self) -> Option<MemberPlace> {
        loop {
            let place = self.member.places.get(self.place)?;
            if self.within < place.length {
                return Some(*place);
            }
            self.within -= place.length;
            self.place += 1;
        }
    }

    fn skip(&mut self, bytes: u64) {
        self.within += bytes;
        self.index += bytes;
    }
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(place) = self.current() else {
            return Ok(0);
        };
        let left = place.length - self.within;
        let count = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let part = buffer.get_mut(..count).unwrap_or_default();
        let volume = self.container.volumes.get(place.volume);
        let volume = volume.ok_or(io::ErrorKind::NotFound)?;
        volume.read_at(place.offset.saturating_add(self.within), part)?;
        if self.member.obfuscated {
            packed::clear(part, self.index);
        }
        self.skip(count as u64);
        Ok(count)
    }
}
