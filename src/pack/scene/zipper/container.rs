//! The game file around a tree of nodes: a world, or a library with a tree in each member.

use std::collections::{BTreeMap, BTreeSet};

use super::apply::apply;
use super::edited_scene::EditedScene;
use super::materials::new_materials;
use super::materials::table::{self, MaterialEdits};
use super::materials::texture_lookup;
use super::objects::deletion::Animated;
use super::objects::{MadeObjects, put_in_order};
use super::stored_tree;
use super::tree::GameTree;
use crate::config::Config;
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::Job;
use relicast_convert::zipper::animated_nodes;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive::{self, Archive};
use relicast_formats::zipper::gamez::{self, GameZ};
use relicast_formats::zipper::mechlib;
use relicast_formats::zipper::texture::key_of;

/// Checks that scenes of a file of this kind can be packed.
///
/// # Errors
/// They cannot.
pub(super) fn check(kind: Kind, original: &[u8]) -> Result<(), Refusal> {
    match kind {
        Kind::GameZ => Ok(()),
        Kind::Archive => match archive::decode(original) {
            Ok(decoded) if mechlib::is_mechlib(&decoded.value) => Ok(()),
            _ => Err(refusal!(
                "packing scenes of an archive is supported only for model libraries"
            )),
        },
        other => Err(refusal!(
            "packing scenes of {} files is not supported",
            other.label()
        )),
    }
}

/// A game file with edited scenes in it.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub bytes: Vec<u8>,
    /// Objects that were added, deleted or moved, by the path of their scene.
    pub objects: BTreeMap<String, MadeObjects>,
    /// Renamed nodes that animations no longer find.
    pub unfound: Animated,
}

/// The game file with edited scenes in it.
///
/// # Errors
/// The edits that cannot be packed, each with the reason.
pub(super) fn replace(job: &Job<'_>, scenes: &[EditedScene<'_>]) -> Result<Packed, SceneError> {
    let mut tables = MaterialEdits::default();
    if job.kind == Kind::GameZ {
        let mut gamez = gamez::decode(job.current).map_err(Refusal::new)?.value;
        new_materials::add(&mut gamez, scenes)?;
        let is_asked = |scene: &EditedScene<'_>| {
            !scene.objects.deleted.is_empty() || !scene.objects.moved.is_empty()
        };
        let renamed = renamed(scenes.iter());
        let animated = match scenes.iter().any(is_asked) {
            true => animated(job, scenes, &gamez)?,
            false if renamed.is_empty() => Animated::new(),
            false => animated(job, scenes, &gamez).unwrap_or_default(),
        };
        let mut tree = GameTree::World(Box::new(gamez));
        let refs: Vec<&EditedScene<'_>> = scenes.iter().collect();
        let objects = apply(&mut tree, &refs, job.settings, &mut tables, &animated)?;
        return match &mut tree {
            GameTree::World(gamez) => {
                let is_new = |name: &str| {
                    let mut new = scenes.iter().flat_map(|scene| &scene.new_materials);
                    new.any(|new| new.picture.is_some() && key_of(&new.name) == key_of(name))
                };
                let knows = |name: &str| is_new(name) || texture_lookup::is_known(job, name);
                tables.apply_to_world(gamez, &knows)?;
                let mut unfound = animated;
                unfound.retain(|node, _| renamed.contains(node));
                if !unfound.is_empty() {
                    let found = self::animated(job, scenes, gamez).unwrap_or_default();
                    unfound.retain(|node, _| !found.contains_key(node));
                }
                Ok(Packed {
                    bytes: gamez::encode(gamez).map_err(Refusal::new)?,
                    objects,
                    unfound,
                })
            }
            GameTree::Mech { .. } => Err(refusal!("it is not a world").into()),
        };
    }
    let mut archive = archive::decode(job.current).map_err(Refusal::new)?.value;
    if archive.scattered.is_some() {
        return Err(refusal!("the members of its archive are not contiguous").into());
    }
    let mut by_member: BTreeMap<&str, Vec<&EditedScene<'_>>> = BTreeMap::new();
    for scene in scenes {
        let member = scene.output.member.as_deref().unwrap_or_default();
        by_member.entry(member).or_default().push(scene);
    }
    let had_checksum = archive.checksum != 0 && archive.checksum == archive.computed_checksum();
    new_materials::add_to_library(&mut archive, scenes)?;
    let mut packed = Packed::default();
    for (member, scenes) in by_member {
        let renamed = renamed(scenes.iter().copied());
        let moved = moved_by_motions(&scenes).into_iter();
        let unfound = moved.filter(|(node, _)| renamed.contains(node));
        packed.unfound.extend(unfound);
        let (bytes, own) = library_member(&archive, member, &scenes, job.settings, &mut tables)?;
        packed.objects.extend(own);
        let mut entries = archive.entries.iter_mut();
        if let Some(entry) = entries.find(|entry| entry.name() == member) {
            entry.data = bytes.into();
        }
    }
    library_materials(&mut archive, &tables)?;
    if had_checksum {
        archive.checksum = archive.computed_checksum();
    }
    packed.bytes = archive::encode(&archive).map_err(Refusal::new)?;
    Ok(packed)
}

/// Nodes of a world that animation definitions name: of the containers in the folder of the world, and below it.
fn animated(
    job: &Job<'_>,
    scenes: &[EditedScene<'_>],
    gamez: &GameZ,
) -> Result<Animated, SceneError> {
    let unknown = |reason: &dyn std::fmt::Display| {
        refusal!(
            "objects were deleted or have another parent, but the animations of the world cannot be read, so it is not known which may be; leave them there, and to hide one remove active from their extras.zipper.flags ({reason})"
        )
    };
    let output = scenes.first().map(|scene| scene.output);
    let place = output.and_then(|output| {
        let prefix = job.place.strip_suffix(&*output.source)?;
        let end = output
            .source
            .rfind('/')
            .map_or(0, |end| end.saturating_add(1));
        Some((prefix, output.source.get(..end)?, output.input))
    });
    let Some((prefix, folder, input)) = place else {
        return Err(unknown(&"their place is unknown").into());
    };
    let mut animated = Animated::new();
    for source in &job.manifest.sources {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        let is_container = source.input == input
            && source.path.starts_with(folder)
            && name.to_ascii_lowercase().ends_with("anim.zbd");
        if is_container {
            let bytes = job.originals.read(&format!("{prefix}{}", source.path))?;
            let own = animated_nodes(gamez, &bytes)
                .map_err(|error| unknown(&format_args!("{}: {error}", source.path)))?;
            for (node, name) in own {
                let words = || format!("the animation definition {name}");
                animated.entry(node).or_insert_with(words);
            }
        }
    }
    Ok(animated)
}

/// Applies edits to the materials that all models of a library share.
fn library_materials(archive: &mut Archive<'_>, tables: &MaterialEdits) -> Result<(), SceneError> {
    if tables.is_empty() {
        return Ok(());
    }
    table::edit_library(archive, |materials, _| {
        Ok(tables.apply_to_library(materials)?)
    })
}

fn library_member(
    archive: &Archive<'_>,
    member: &str,
    scenes: &[&EditedScene<'_>],
    config: &Config,
    tables: &mut MaterialEdits,
) -> Result<(Vec<u8>, BTreeMap<String, MadeObjects>), Refusals> {
    let all = |reason: &dyn std::fmt::Display| -> Refusals {
        let refuse = |scene: &&EditedScene<'_>| (scene.output.path.clone(), Refusal::new(reason));
        scenes.iter().map(refuse).collect()
    };
    let mut tree = stored_tree::of_member(archive, member).map_err(|refusal| all(&refusal))?;
    let version = tree.version();
    let animated = moved_by_motions(scenes);
    let mut made = apply(&mut tree, scenes, config, tables, &animated)?;
    if !made.is_empty() {
        let order = put_in_order(&mut tree).map_err(|refusal| all(&refusal))?;
        for scene in scenes {
            made.entry(scene.output.path.clone()).or_default().order = order.clone();
        }
    }
    match &tree {
        GameTree::Mech { mech, .. } => match mechlib::encode_model(mech, version) {
            Ok(bytes) => Ok((bytes, made)),
            Err(error) => Err(all(&error)),
        },
        GameTree::World(_) => Err(all(&"it is not a model")),
    }
}

/// Nodes that scenes rename.
fn renamed<'s, 'j: 's>(scenes: impl Iterator<Item = &'s EditedScene<'j>>) -> BTreeSet<usize> {
    let renamed = scenes.flat_map(|scene| {
        let changes = scene.difference.nodes.iter();
        let changes = changes.filter(|change| change.name.is_some());
        changes.filter_map(|change| game_node(&scene.base, change.base))
    });
    renamed.map(|(index, _)| index).collect()
}

/// Nodes of a model that motions move.
fn moved_by_motions(scenes: &[&EditedScene<'_>]) -> Animated {
    let mut animated = Animated::new();
    for scene in scenes {
        for clip in &scene.base.clips {
            let nodes = clip.channels.iter().map(|channel| channel.node);
            for (index, _) in nodes.filter_map(|node| game_node(&scene.base, node)) {
                let words = || format!("the motion {}", clip.name);
                animated.entry(index).or_insert_with(words);
            }
        }
    }
    animated
}
