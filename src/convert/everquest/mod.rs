//! Assets of EverQuest.
//!
//! - [`space`] — from file axes to scene space, the only place that says how;
//! - [`companion`] — which archives belong together;
//! - [`library`] — pictures and scenes across archives;
//! - [`package`] — the parts of an archive or of a loose scene, and what each becomes;
//! - [`picture`], [`masks`] — pictures, and which of them have a colour key;
//! - [`stage`] — a scene in the making: surfaces, textures, what was counted;
//! - [`geometry`] — meshes of both kinds as one, in file axes;
//! - [`mesh`] — geometry to meshes of a scene;
//! - [`catalog`] — the models of a scene file;
//! - [`object`] — models of meshes alone;
//! - [`actor`] — models with a skeleton;
//! - [`zone`] — zones;
//! - [`sounds`] — lists of what sounds where.

mod actor;
mod catalog;
pub(super) mod companion;
mod geometry;
mod library;
mod masks;
mod mesh;
mod object;
mod package;
mod picture;
mod sounds;
mod space;
mod stage;
mod zone;

use serde_json::{Map, Value};

use super::{Companion, Opened};
use crate::config::{Config, SceneContainer};
use crate::convert::{Encoding, Role, Wanted};
use crate::formats::codec::FormatError;
use crate::formats::kind::Kind;
use crate::scene::model::Extras;

/// Opens an archive, a loose scene or a list of sounds.
///
/// # Errors
/// The container is damaged beyond listing its parts.
pub(super) fn open<'a>(
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    companions: &[Companion<'a>],
) -> Result<Box<dyn Opened + 'a>, FormatError> {
    Ok(match kind {
        Kind::Pfs => Box::new(package::Package::archive(name, bytes, companions)?),
        Kind::Wld => Box::new(package::Package::loose(name, bytes, companions)?),
        _ => Box::new(sounds::ListFile::new(kind, name, bytes, companions)),
    })
}

/// Extras below the one key that all of them share; none stay none.
fn extras(facts: Map<String, Value>) -> Extras {
    let mut extras = Extras::new();
    if !facts.is_empty() {
        extras.insert("everquest".to_owned(), Value::Object(facts));
    }
    extras
}

/// The outputs of a scene of `role`.
fn scene_outputs(role: Role, config: &Config) -> impl Iterator<Item = Wanted> + use<> {
    let encodings: &[Encoding] = match config.scenes.container {
        SceneContainer::Gltf => &[Encoding::Gltf, Encoding::Bin],
        SceneContainer::Glb => &[Encoding::Glb],
    };
    let encodings = encodings.iter();
    encodings.map(move |&encoding| Wanted { role, encoding })
}
