//! What of the settings can change outputs, as digests: a run takes an output of before only when they agree.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use smol_str::SmolStr;

use super::Config;
use crate::asset::AssetKind;

impl Config {
    /// Digest of all settings that can change an output's bytes or name.
    pub fn digest(&self) -> String {
        let bytes = (
            &self.run.names,
            &self.textures,
            &self.sounds,
            &self.readers,
            &self.scripts,
            (&self.messages, &self.motions, &self.maps, &self.saves),
            (&self.archives, &self.documents, &self.raw),
            (&self.scenes, &self.worlds, &self.models, &self.everquest),
            (
                (&self.discs, &self.cabinets, &self.liveries),
                (&self.music, self.music.sound_font_digest()),
            ),
            (&self.video.of_bytes(), &self.loose),
            (&self.animations, &self.limits),
        );
        digest(&bytes)
    }

    /// All settings that can change an output's bytes or name, by section and name: those of
    /// [`digest`](Self::digest), the same on every machine.
    pub fn of_outputs(&self) -> serde_json::Value {
        let plain = Self {
            video: self.video.of_bytes(),
            ..self.clone()
        };
        let mut all = serde_json::to_value(plain).unwrap_or_default();
        if let Some(sections) = all.as_object_mut() {
            sections.remove("stages");
            sections.remove("target");
            sections.remove("gallery");
            sections.insert(
                "run".to_owned(),
                serde_json::json!({ "names": self.run.names }),
            );
        }
        all
    }

    /// Digest of the settings that can change the bytes of an asset of `kind`, so that a change of
    /// one setting redoes only what it touches.
    pub fn digest_for(&self, kind: AssetKind) -> String {
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
                (self.worlds.placements, self.worlds.hide_unplaced),
                (self.worlds.state, &self.worlds.script_macros),
                (&self.animations.clips, &self.animations.visibility),
                (&self.liveries, &self.documents, &self.raw),
            )),
            AssetKind::Video => digest(&(&self.video.of_bytes(), &self.documents, &self.raw)),
            _ => digest(&(&self.documents, &self.raw)),
        }
    }
}

/// The digests of one configuration by kind, each made once: a run asks for one with every item.
#[derive(Debug)]
pub struct KindDigests<'a> {
    config: &'a Config,
    known: Mutex<HashMap<AssetKind, SmolStr>>,
}

impl<'a> KindDigests<'a> {
    /// Those of `config`; none is made yet.
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
        after.sounds.clean = !after.sounds.clean;
        let digests = KindDigests::new(&after);
        for kind in [AssetKind::Sounds, AssetKind::Textures, AssetKind::Sounds] {
            assert_eq!(*digests.of(kind), *after.digest_for(kind));
        }
    }
}
