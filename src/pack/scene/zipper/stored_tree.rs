//! Reads the nodes and models behind a scene from the game file.

use super::tree::GameTree;
use crate::pack::edited::Refusal;
use crate::pack::scene::driver::job::Job;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive::{self, Archive};
use relicast_formats::zipper::gamez;
use relicast_formats::zipper::mechlib::{self, MATERIALS_MEMBER};

/// The nodes and models behind a scene.
///
/// # Errors
/// Its game file cannot be read.
pub(super) fn of_output(job: &Job<'_>, output: &ManifestOutput) -> Result<GameTree, Refusal> {
    if job.kind == Kind::GameZ {
        let gamez = gamez::decode(job.current).map_err(Refusal::new)?.value;
        return Ok(GameTree::World(Box::new(gamez)));
    }
    let archive = archive::decode(job.current).map_err(Refusal::new)?.value;
    of_member(&archive, output.member.as_deref().unwrap_or_default())
}

/// The nodes and models of a member of a library.
///
/// # Errors
/// There is no such member, or it cannot be read.
pub(super) fn of_member(archive: &Archive<'_>, member: &str) -> Result<GameTree, Refusal> {
    let mut named = archive
        .entries
        .iter()
        .filter(|entry| entry.name() == member);
    let (Some(entry), None) = (named.next(), named.next()) else {
        refuse!("the game file has no member {member}, or has several");
    };
    let version = mechlib::version_of(archive).map_err(Refusal::new)?;
    let mut entries = archive.entries.iter();
    let materials = match entries.find(|entry| entry.name() == MATERIALS_MEMBER) {
        Some(materials) => {
            let decoded = mechlib::decode_materials(&materials.data, version);
            decoded.map_err(Refusal::new)?.value
        }
        None => Vec::new(),
    };
    let decoded = mechlib::decode_model(&entry.data, version).map_err(Refusal::new)?;
    Ok(GameTree::Mech {
        mech: decoded.value,
        materials,
        version,
    })
}
