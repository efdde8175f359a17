//! What the catalogue keeps of each asset and source, and where a gallery is seen. `rows` and `details` make and write
//! it.

use std::collections::BTreeMap;

use super::kinds::Viewer;
use crate::pipeline::report::Status;
use crate::pipeline::report::manifest::InputNumber;
use relicast_formats::asset::{AssetKind, Game};

/// Where a gallery is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting<'s> {
    /// What the paths of outputs begin with.
    pub base: &'s str,
    /// By a server of this program, for the person who made it.
    pub is_served: bool,
    /// What is wrapped for pages without a server.
    pub embed: &'s str,
}

/// What a list shows of an asset.
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

/// The details of an asset. There are many, so they are kept as the text that is sent.
#[derive(Debug)]
pub(super) struct Detail {
    /// The rows of an object, without the braces around it.
    pub rows: Box<str>,
    pub input: InputNumber,
    pub source: Box<str>,
    pub member: Option<Box<str>>,
    /// On a disc or in a cabinet, and in no folder.
    pub is_inner: bool,
    pub links: BTreeMap<String, usize>,
}

/// A source file that has members.
#[derive(Debug)]
pub(super) struct Source {
    /// Its path.
    pub path: String,
    /// Number of its game among the catalogue's.
    pub game: Option<Game>,
    /// Its assets.
    pub count: usize,
    /// The asset that is its own table.
    pub asset: Option<usize>,
}

/// An asset as the catalogue keeps it. Its details are JSON already, save for what others say of it.
#[derive(Debug)]
pub(super) struct Asset {
    pub row: Row,
    pub detail: Detail,
    pub uses: Vec<usize>,
    pub used_by: Vec<usize>,
}
