//! The model library among the files of a world, for the 'mechs that its missions place.

use crate::Dependency;
use crate::zipper::mech::MechLibrary;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::archive::{self, Archive, Entry};
use relicast_formats::zipper::mechlib;

use super::missions::folder_of;

/// The 'mechs that missions place.
#[derive(Debug)]
pub(super) struct Mechs<'a> {
    pub(super) path: &'a str,
    archive: Archive<'a>,
    pub(super) library: MechLibrary<'a>,
}

impl<'a> Mechs<'a> {
    /// The model library among the dependencies. Skins of 'mechs are searched before the world's
    /// textures, as for 'mechs alone.
    pub(super) fn open(dependencies: &[Dependency<'a>]) -> Option<Self> {
        let mut archives = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Archive);
        let (path, archive) = archives.find_map(|dependency| {
            let archive = archive::decode(dependency.bytes).ok()?.value;
            mechlib::is_mechlib(&archive).then_some((dependency.path, archive))
        })?;
        let folder = folder_of(path);
        let mut sorted = dependencies.to_vec();
        sorted.sort_by_key(|dependency| folder_of(dependency.path) != folder);
        Some(Self {
            path,
            library: MechLibrary::open(&archive, &sorted),
            archive,
        })
    }

    /// The members of a name, and true if their roots have a child with the exact name, as in the shipped library.
    /// Members without such a child are used only where no member has one.
    pub(super) fn bearing(&self, name: &str, version: ZipperGame) -> (Vec<&Entry<'a>>, bool) {
        let all = self.called(&name.to_lowercase());
        let bears = |entry: &&Entry<'_>| {
            let Ok(decoded) = mechlib::decode_model(&entry.data, version) else {
                return false;
            };
            let nodes = decoded.value.nodes;
            let children = nodes.first().map(|root| &*root.node.children);
            let mut children = children.unwrap_or_default().iter();
            children.any(|&child| {
                let child = nodes.get(child as usize);
                child.is_some_and(|child| child.node.name() == name)
            })
        };
        let bearing: Vec<&Entry<'a>> = all.iter().copied().filter(bears).collect();
        match bearing.is_empty() {
            true => (all, false),
            false => (bearing, true),
        }
    }

    /// The members of a name.
    fn called(&self, name: &str) -> Vec<&Entry<'a>> {
        let is_so = |entry: &&Entry<'_>| {
            let member = entry.name().to_lowercase();
            let stem = member.strip_suffix(".flt").unwrap_or(&member);
            entry.fault.is_none() && (stem == name || stem.strip_prefix("mech_") == Some(name))
        };
        self.archive.entries.iter().filter(is_so).collect()
    }
}
