//! The output folder is not ours alone: several inputs in one folder, edited outputs, a person's own files,
//! originals, documents with wrong contents.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod collection;
mod corrupt;
mod edited;
mod extras;
mod games;
mod inputs;
mod layout;
mod long_documents;
mod originals;
mod package;
mod percent;
mod protected_folders;
mod references;
mod samples;
mod schemas;
mod script_keys;
mod selection;
mod store;
mod sums;
mod targets;
mod verify;
