//! Catalog data of each asset and source, and the environment that shows a gallery. `rows` and `details`
//! create and write it.

use std::collections::BTreeMap;

use super::kinds::Viewer;
use crate::pipeline::report::Status;
use crate::pipeline::report::manifest::InputNumber;
use relicast_formats::asset::{AssetKind, Game};

/// Environment in which a gallery is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting<'s> {
    /// Prefix of output paths.
    pub base: &'s str,
    /// True if it is shown by the local server, to the person who started it.
    pub is_served: bool,
    /// Outputs embedded for pages without a server.
    pub embed: &'s str,
}

/// Row of an asset in a list.
#[derive(Debug)]
pub(super) struct Row {
    pub game: Option<Game>,
    pub kind: AssetKind,
    pub viewer: Viewer,
    pub status: Status,
    pub world: Option<usize>,
    pub source: Option<usize>,
    pub marks: u32,
    pub key: String,
    pub name: String,
    pub title: String,
    pub terms: String,
    pub size: u64,
    pub numbers: [u64; 2],
    pub thumb: Option<String>,
}

/// Details of an asset. They are numerous, so they are stored as serialized text.
#[derive(Debug)]
pub(super) struct Detail {
    /// Fields of an object, without its braces.
    pub rows: Box<str>,
    pub input: InputNumber,
    pub source: Box<str>,
    pub member: Option<Box<str>>,
    /// True for assets on a disc or in a cabinet.
    pub is_inner: bool,
    pub links: BTreeMap<String, usize>,
}

/// Source file with members.
#[derive(Debug)]
pub(super) struct Source {
    /// Its path.
    pub path: String,
    /// Its game.
    pub game: Option<Game>,
    /// Number of its assets.
    pub count: usize,
    /// Asset for its own table.
    pub asset: Option<usize>,
}

/// Asset in the catalog. Its details are serialized, except for references from other assets.
#[derive(Debug)]
pub(super) struct Asset {
    pub row: Row,
    pub detail: Detail,
    pub uses: Vec<usize>,
    pub used_by: Vec<usize>,
}
