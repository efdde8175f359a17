//! Digests of the settings that affect outputs: a run reuses earlier outputs only if they are equal.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use smol_str::SmolStr;

use super::Config;
use relicast_formats::asset::AssetKind;

impl Config {
    /// Digest of [all settings](Self::of_outputs) that affect the result of a run.
    pub fn digest(&self) -> String {
        digest(&(
            self.of_outputs(),
            self.music.sound_font_digest(),
            self.everquest.placements.digests(),
        ))
    }

    /// Settings that affect an output, or the project or gallery next to the outputs, by section and name. They
    /// are the same on every machine.
    pub fn of_outputs(&self) -> serde_json::Value {
        let plain = Self {
            video: self.video.of_bytes(),
            ..self.clone()
        };
        let mut all = serde_json::to_value(plain).unwrap_or_default();
        if let Some(sections) = all.as_object_mut() {
            sections.remove("stages");
            sections.remove("target");
            sections.insert(
                "run".to_owned(),
                serde_json::json!({ "names": self.run.names }),
            );
        }
        all
    }

    /// Digest of the settings that affect the bytes of an asset of `kind`, so that a changed setting redoes
    /// only the affected assets.
    pub fn digest_for(&self, kind: AssetKind) -> String {
        // With other limits any item may fail or be truncated.
        digest(&(&self.limits, self.own_digest_for(kind)))
    }

    fn own_digest_for(&self, kind: AssetKind) -> String {
        match kind {
            AssetKind::Textures => digest(&(
                &self.textures,
                (&self.everquest.corrections, self.everquest.normal_green),
                (&self.liveries, &self.documents, &self.raw),
            )),
            AssetKind::Sounds => digest(&(&self.sounds, &self.documents, &self.raw)),
            AssetKind::Music => digest(&(
                (&self.music, self.music.sound_font_digest(), &self.discs),
                (&self.documents, &self.raw),
            )),
            AssetKind::Discs => digest(&(&self.discs, &self.documents)),
            AssetKind::Cabinets => digest(&(&self.cabinets, &self.documents)),
            AssetKind::Animations => digest(&(
                (&self.animations, &self.scenes, &self.models, &self.textures),
                (&self.run.names, &self.documents, &self.raw),
            )),
            AssetKind::Worlds | AssetKind::Models => digest(&(
                (&self.scenes, &self.models, &self.textures, &self.everquest),
                (
                    self.worlds.placements,
                    self.worlds.hide_unplaced,
                    self.worlds.clutter,
                ),
                (self.worlds.state, &self.worlds.script_macros),
                (&self.animations.clips, &self.animations.visibility),
                (&self.liveries, &self.documents, &self.raw),
                self.everquest.placements.digests(),
            )),
            AssetKind::Video => digest(&(&self.video.of_bytes(), &self.documents, &self.raw)),
            _ => digest(&(&self.documents, &self.raw)),
        }
    }
}

/// Digests of one configuration by kind, each computed once, because every item needs one.
#[derive(Debug)]
pub struct KindDigests<'a> {
    config: &'a Config,
    known: Mutex<HashMap<AssetKind, SmolStr>>,
}

impl<'a> KindDigests<'a> {
    /// Digests for `config`, computed on demand.
    pub fn new(config: &'a Config) -> Self {
        Self {
            config,
            known: Mutex::default(),
        }
    }

    /// [`Config::digest_for`] of a kind.
    pub fn of(&self, kind: AssetKind) -> SmolStr {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = known
            .entry(kind)
            .or_insert_with(|| self.config.digest_for(kind).into());
        digest.clone()
    }
}

fn digest(value: &impl Serialize) -> String {
    let text = serde_json::to_vec(value).unwrap_or_default();
    let hex = blake3::hash(&text).to_hex();
    hex.as_str().chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ProjectKind;

    #[test]
    fn a_setting_changes_only_the_digests_it_touches() {
        let before = Config::default();
        let mut after = before.clone();
        after.textures.dilate = false;
        assert_ne!(before.digest(), after.digest());
        let changed = |kind| before.digest_for(kind) != after.digest_for(kind);
        assert!(changed(AssetKind::Textures));
        assert!(!changed(AssetKind::Sounds));
        after = before.clone();
        after.run.jobs = 7;
        assert_eq!(before.digest(), after.digest());
        after.project.kind = ProjectKind::Godot;
        assert_ne!(before.digest(), after.digest());
        let of_sounds = |config: &Config| config.digest_for(AssetKind::Sounds);
        assert_eq!(of_sounds(&before), of_sounds(&after));
        after.limits.part_mib += 1;
        assert_ne!(of_sounds(&before), of_sounds(&after));
        after = before.clone();
        after.sounds.clean = !after.sounds.clean;
        let digests = KindDigests::new(&after);
        for kind in [AssetKind::Sounds, AssetKind::Textures, AssetKind::Sounds] {
            assert_eq!(*digests.of(kind), *after.digest_for(kind));
        }
    }
}
