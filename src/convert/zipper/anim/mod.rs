//! Compiled animations as documents: what happens to which node when, for people who write game logic.
//!
//! - `file` — the parts of a container: an index, then each definition;
//! - `index` — what a container holds, what calls what, and what it names;
//! - `related` — the files beside a container: its world, sounds, other containers;
//! - `forest` — the nodes that names can mean, and where they went;
//! - `bind` — names bound to nodes.
//!
//! # Where clips go
//!
//! Parts are numbered by `AnimFile::pieces`: a further kind of part is a variant of
//! `file::Piece`, listed there (which happens without companions, when the run is planned), described
//! in `part_of`, and carried out in `convert_piece`. What all parts share is opened once by
//! `related::Related`: `worlds` (the decoded worlds), `forests` (their nodes, with the file and the name
//! that each has in the outputs) and `bindings` (for each definition the node of its root and of every
//! entry of its node table). A document that should link to its clip finds the path of the clip's
//! scene only through the plan; the stem of a part's outputs is known, see `part_of`.

mod bind;
mod file;
mod forest;
mod index;
mod related;

pub(in crate::convert) use file::AnimFile;
