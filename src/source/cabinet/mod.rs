//! Cabinets and other packed folders as sources: InstallShield sets, Microsoft cabinets, zip archives.
//!
//! - [`volume`] — the files that a cabinet consists of, read by place.
//! - [`container`] — a cabinet opened: a [`Container`] with its members; `reading` — their bytes, `scratch` — some of
//!   them kept.
//! - [`member`] — one member: where it lies and how it is packed; `names` — paths of members.
//! - [`set`] — InstallShield sets, `set_members` — what is in them; [`microsoft`] — Microsoft cabinets, `folder` — their streams; [`zipped`] — zip archives,
//!   `archive` — what is in them; `stub` — programs
//!   that unpack themselves.
//!
//! Cabinets lie on disk, in disc images and in one another. They are read by place and never as a whole; a member is
//! inflated when it is asked for, small ones into memory, large ones into temporary files without a name.

mod archive;
pub mod container;
mod folder;
pub mod member;
pub mod microsoft;
mod names;
mod reading;
mod scratch;
pub mod set;
mod set_members;
pub(super) mod stub;
pub mod volume;
pub mod zipped;

pub use container::{Container, ContainerKind, Sniffed, looks_packed};
pub use member::{Member, MemberPlace};
