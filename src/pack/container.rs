//! Archives whose members are files, opened so that members can be replaced.

use std::borrow::Cow;

use super::edited::Refusal;
use relicast_codec::{Bytes, PaddedText};
use relicast_formats::decoded_file::{DecodedFile, decode};
use relicast_formats::everquest::pfs;
use relicast_formats::kind::{ArchiveContext, Kind, sniff_member, sniff_pfs_entry, sniff_resource};
use relicast_formats::zipper::archive::{self, Archive};
use relicast_formats::zipper::rof::{self, Rof};

/// An opened archive. Members that are not replaced keep their bytes, and their rows except position and size.
#[derive(Debug)]
pub(super) enum Container<'a> {
    /// Of a Zipper game: members are stored as they are.
    Stored {
        archive: Archive<'a>,
        siblings: ArchiveContext,
        /// True if the archive stores the checksum of its members.
        had_checksum: bool,
    },
    /// Of EverQuest: members are compressed in blocks.
    Deflated(pfs::Archive<'a>),
    /// Of Crimson Skies: members are in folders, and some are compressed.
    Resources(Rof<'a>),
}

impl<'a> Container<'a> {
    /// Opens the archive in `bytes`; `None` when files of this kind have no such members.
    ///
    /// # Errors
    /// It cannot be read, or its members cannot be moved.
    pub(super) fn open(kind: Kind, name: &str, bytes: &'a [u8]) -> Result<Option<Self>, Refusal> {
        if !matches!(kind, Kind::Archive | Kind::Pfs | Kind::Rof) {
            return Ok(None);
        }
        let decoded = decode(kind, name, bytes, &ArchiveContext::default());
        let decoded = decoded.transpose().map_err(Refusal::new)?;
        let (opened, is_scattered) = match decoded.map(|decoded| decoded.value) {
            Some(DecodedFile::Archive(archive)) => {
                let checksum = archive.checksum;
                let is_scattered = archive.scattered.is_some();
                let opened = Self::Stored {
                    siblings: ArchiveContext::new(&archive),
                    had_checksum: checksum != 0 && checksum == archive.computed_checksum(),
                    archive,
                };
                (opened, is_scattered)
            }
            Some(DecodedFile::Pfs(archive)) => {
                let is_scattered = archive.scattered.is_some();
                (Self::Deflated(archive), is_scattered)
            }
            // Its members may be anywhere.
            Some(DecodedFile::Rof(archive)) => (Self::Resources(archive), false),
            _ => return Ok(None),
        };
        match is_scattered {
            true => Err(refusal!("the members of its archive are not contiguous")),
            false => Ok(Some(opened)),
        }
    }

    /// Number of members.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Stored { archive, .. } => archive.entries.len(),
            Self::Deflated(archive) => archive.entries.len(),
            Self::Resources(archive) => archive.entries.len(),
        }
    }

    /// The first byte of a member, and its name.
    pub(super) fn place(&self, index: usize) -> Option<(u64, String)> {
        match self {
            Self::Stored { archive, .. } => {
                let entry = archive.entries.get(index)?;
                Some((entry.offset as u64, entry.name()))
            }
            Self::Deflated(archive) => {
                let entry = archive.entries.get(index)?;
                Some((u64::from(entry.row.offset), entry.label()))
            }
            Self::Resources(archive) => {
                let entry = archive.entries.get(index)?;
                Some((u64::from(entry.record.start), archive.path(index).join("/")))
            }
        }
    }

    /// The context that the archive gives its members.
    pub(super) fn siblings(&self) -> ArchiveContext {
        match self {
            Self::Stored { siblings, .. } => *siblings,
            Self::Deflated(_) | Self::Resources(_) => ArchiveContext::default(),
        }
    }

    /// Kind of a member.
    pub(super) fn kind(&self, index: usize) -> Option<Kind> {
        match self {
            Self::Stored {
                archive, siblings, ..
            } => {
                let entry = archive.entries.get(index)?;
                Some(sniff_member(&entry.data, &entry.name(), siblings))
            }
            Self::Deflated(archive) => archive.entries.get(index).map(sniff_pfs_entry),
            Self::Resources(archive) => archive.entries.get(index).map(sniff_resource),
        }
    }

    /// The bytes of a member.
    ///
    /// # Errors
    /// They cannot be inflated, or there is no such member.
    pub(super) fn extract(&self, index: usize) -> Result<Cow<'_, [u8]>, Refusal> {
        let bytes = match self {
            Self::Stored { archive, .. } => {
                let entry = archive.entries.get(index);
                entry.map(|entry| Cow::Borrowed(&*entry.data.0))
            }
            Self::Deflated(archive) => {
                let entry = archive.entries.get(index);
                let extracted = entry.map(pfs::Entry::extract).transpose();
                let extracted = extracted.map_err(Refusal::new)?;
                extracted.map(|extracted| Cow::Owned(extracted.value))
            }
            Self::Resources(archive) => {
                let entry = archive.entries.get(index);
                let extracted = entry.map(rof::Entry::extract).transpose();
                let extracted = extracted.map_err(Refusal::new)?;
                extracted.map(|extracted| extracted.value)
            }
        };
        bytes.ok_or_else(|| no_member(index))
    }

    /// The stored bytes of a member, compressed or not.
    pub(super) fn stored(&self, index: usize) -> Option<&[u8]> {
        match self {
            Self::Stored { archive, .. } => archive.entries.get(index).map(|entry| &*entry.data.0),
            Self::Deflated(archive) => archive.entries.get(index).map(|entry| &*entry.blocks.0),
            Self::Resources(archive) => archive.entries.get(index).map(|entry| &*entry.data.0),
        }
    }

    /// Replaces a member. An unchanged member keeps its compressed blocks, which another deflater would encode
    /// differently.
    ///
    /// # Errors
    /// It is larger than a member can be, or there is no such member.
    pub(super) fn replace(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), Refusal> {
        if *self.extract(index)? == *bytes {
            return Ok(());
        }
        match self {
            Self::Stored { archive, .. } => {
                let entry = archive.entries.get_mut(index);
                entry.ok_or_else(|| no_member(index))?.data = bytes.into();
                Ok(())
            }
            Self::Deflated(archive) => {
                let entry = archive.entries.get_mut(index);
                let entry = entry.ok_or_else(|| no_member(index))?;
                entry.replace(&bytes).map_err(Refusal::new)
            }
            Self::Resources(archive) => archive.replace(index, &bytes).map_err(Refusal::new),
        }
    }

    /// Removes members, and adds others, each with its name and a member to model its row on.
    ///
    /// # Errors
    /// A name is taken or cannot be stored, or the archive cannot have more or fewer members.
    pub(super) fn restructure(
        &mut self,
        mut removed: Vec<usize>,
        added: Vec<(usize, String, Vec<u8>)>,
    ) -> Result<(), Refusal> {
        removed.sort_unstable();
        removed.dedup();
        match self {
            Self::Stored { archive, .. } => {
                let count = archive.entries.len();
                for (like, name, bytes) in added {
                    let entries = &archive.entries;
                    if entries
                        .iter()
                        .any(|other| other.name().eq_ignore_ascii_case(&name))
                    {
                        return Err(taken(&name));
                    }
                    let like = entries.get(like).ok_or_else(|| no_member(like))?;
                    let stored = PaddedText::new(&name);
                    let stored = stored.ok_or_else(|| {
                        refusal!("{name} is not a valid member name: use at most 63 characters")
                    })?;
                    archive.entries.push(archive::Entry {
                        row: archive::Row {
                            name: stored,
                            // The stored source path of the neighbor is wrong for this one.
                            comment: Bytes([0; 64]),
                            ..like.row.clone()
                        },
                        data: bytes.into(),
                        ..archive::Entry::default()
                    });
                }
                for index in removed.into_iter().rev().filter(|&index| index < count) {
                    archive.entries.remove(index);
                }
            }
            Self::Deflated(archive) => {
                for index in removed.into_iter().rev() {
                    archive.remove(index).map_err(Refusal::new)?;
                }
                for (_, name, bytes) in added {
                    if archive.member(&name).is_some() {
                        return Err(taken(&name));
                    }
                    archive.add(&name, &bytes).map_err(Refusal::new)?;
                }
            }
            Self::Resources(archive) => {
                // Each insertion moves the entries behind it.
                let mut places = Vec::new();
                for (like, name, bytes) in added {
                    let name = name.rsplit('/').next().unwrap_or(&name);
                    let place = archive.add(shifted(like, &places), name, &bytes);
                    places.push(place.map_err(Refusal::new)?);
                }
                for index in removed.into_iter().rev() {
                    let index = shifted(index, &places);
                    archive.remove(index).map_err(Refusal::new)?;
                }
            }
        }
        Ok(())
    }

    /// The archive as a file.
    ///
    /// # Errors
    /// It is larger than such a file can be.
    pub(super) fn encode(self) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Stored {
                mut archive,
                had_checksum,
                ..
            } => {
                if had_checksum {
                    archive.checksum = archive.computed_checksum();
                }
                archive::encode(&archive).map_err(Refusal::new)
            }
            Self::Deflated(archive) => pfs::encode(&archive).map_err(Refusal::new),
            Self::Resources(archive) => rof::encode(&archive).map_err(Refusal::new),
        }
    }
}

/// Index of an entry after others were inserted at `places`, one after the other.
fn shifted(index: usize, places: &[usize]) -> usize {
    let moved = |at: usize, &place: &usize| match at >= place {
        true => at.saturating_add(1),
        false => at,
    };
    places.iter().fold(index, moved)
}

fn taken(name: &str) -> Refusal {
    refusal!("its archive already has a member {name}")
}

fn no_member(index: usize) -> Refusal {
    refusal!("its archive has no member number {index}")
}
