//! Selects the outputs that a run packs, and the game files of earlier runs that it leaves alone.
//!
//! A game file is written as a whole. So a run for some outputs also packs the outputs that earlier runs packed into
//! the same game files, as they were then, and leaves all other game files as these runs wrote them.

use std::collections::BTreeMap;
use std::path::Path;

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use super::edited::Change;
use super::error::PackError;
use super::palettes::Palettes;

/// Ends of the names of a scene's files.
pub(super) const SCENE_FILES: [&str; 3] = [".gltf", ".glb", ".bin"];

/// Requested outputs, by globs of their paths.
#[derive(Debug, Clone)]
pub struct Only {
    patterns: Vec<String>,
    set: GlobSet,
}

impl Only {
    /// Outputs that one of these globs matches.
    ///
    /// # Errors
    /// One of them is not a valid glob.
    pub fn new(
        patterns: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, globset::Error> {
        let patterns: Vec<String> = patterns.into_iter().map(Into::into).collect();
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            set.add(Glob::new(pattern)?);
        }
        let set = set.build()?;
        Ok(Self { patterns, set })
    }

    /// True if a glob matches this path, or that of another file of the same scene.
    pub fn matches(&self, path: &str) -> bool {
        let stem = SCENE_FILES.iter().find_map(|end| path.strip_suffix(end));
        let is_part = |stem: &str| {
            let parts = SCENE_FILES.iter().map(|end| format!("{stem}{end}"));
            parts.into_iter().any(|part| self.set.is_match(part))
        };
        self.set.is_match(path) || stem.is_some_and(is_part)
    }

    /// Checks that every glob matches one of these paths.
    ///
    /// # Errors
    /// One matches none of them.
    pub(super) fn check<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Result<(), PackError> {
        let mut unmatched: Vec<bool> = self.patterns.iter().map(|_| true).collect();
        let mut left = unmatched.len();
        for path in paths {
            if left == 0 {
                break;
            }
            for index in self.set.matches(path) {
                if let Some(is_unmatched) = unmatched.get_mut(index)
                    && std::mem::take(is_unmatched)
                {
                    left -= 1;
                }
            }
        }
        let mut patterns = self.patterns.iter().zip(unmatched);
        match patterns.find(|(_, is_unmatched)| *is_unmatched) {
            Some((pattern, _)) => Err(PackError::NothingMatches(pattern.clone())),
            None => Ok(()),
        }
    }
}

/// An output that a game file was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MadeFrom {
    /// Its effect.
    pub change: Change,
    /// BLAKE3 of its files as they were packed, by path: a scene has several, a deleted output none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Treatment of full palettes.
    #[serde(default, skip_serializing_if = "Palettes::is_default")]
    pub palettes: Palettes,
}

/// The outputs that a game file was made from, by path.
pub(super) type Outputs = BTreeMap<String, MadeFrom>;

/// The game files that earlier runs wrote; `None` for those whose outputs are unknown.
pub(super) type EarlierFiles = BTreeMap<String, Option<Outputs>>;

/// Changes of members that a run is to make.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MemberChanges {
    /// Add files that no run wrote as members.
    pub add: bool,
    /// Remove members whose outputs were deleted.
    pub remove: bool,
}

/// The outputs that a run packs.
#[derive(Debug)]
pub(super) struct Selection<'r> {
    only: Option<&'r Only>,
    members: MemberChanges,
    earlier: EarlierFiles,
    /// Outputs that earlier runs packed into the game files that this one changes.
    along: Outputs,
}

impl<'r> Selection<'r> {
    /// Selects the outputs that match `only`, if it is given; new and deleted ones if the request includes them.
    pub(super) fn new(
        only: Option<&'r Only>,
        members: MemberChanges,
        earlier: EarlierFiles,
    ) -> Self {
        let mut selection = Self {
            only,
            members,
            earlier,
            along: Outputs::new(),
        };
        if let Some(only) = only {
            let files = selection.earlier.values().flatten();
            let asked = files.filter(|outputs| outputs.keys().any(|path| only.matches(path)));
            selection.along = asked.flat_map(Outputs::clone).collect();
        }
        selection
    }

    fn matches(&self, path: &str) -> bool {
        self.only.is_none_or(|only| only.matches(path))
    }

    /// True if an output is packed when it was edited.
    pub(super) fn wants(&self, path: &str) -> bool {
        self.matches(path)
    }

    /// True if an output is packed as an earlier run packed it.
    pub(super) fn stays(&self, path: &str) -> bool {
        !self.matches(path) && self.along.contains_key(path)
    }

    /// The outputs that stay as earlier runs packed them.
    pub(super) fn staying(&self) -> impl Iterator<Item = (&str, &MadeFrom)> {
        let along = self.along.iter().filter(|(path, _)| self.stays(path));
        along.map(|(path, made_from)| (&**path, made_from))
    }

    /// The treatment of full palettes for an output; `asked` is that of this run.
    pub(super) fn palettes(&self, path: &str, asked: Palettes) -> Palettes {
        let earlier = self.along.get(path).filter(|_| self.stays(path));
        earlier.map_or(asked, |earlier| earlier.palettes)
    }

    /// True if a file that no run wrote becomes a member.
    pub(super) fn adds(&self, path: &str) -> bool {
        self.matches(path) && (self.members.add || self.was(path, Change::Added))
    }

    /// True if the member of a deleted output is removed.
    pub(super) fn removes(&self, path: &str) -> bool {
        self.matches(path) && (self.members.remove || self.was(path, Change::Removed))
    }

    /// True if an earlier run made this change of the output.
    fn was(&self, path: &str, change: Change) -> bool {
        let earlier = self.along.get(path);
        earlier.is_some_and(|earlier| earlier.change == change)
    }

    /// True if the run may add or remove members.
    pub(super) fn changes_members(&self) -> bool {
        let mut along = self.along.values();
        self.members.add
            || self.members.remove
            || along.any(|made_from| made_from.change != Change::Edited)
    }

    /// True if a game file of an earlier run stays as it is, though this run does not write it.
    pub(super) fn retains(&self, path: &str) -> bool {
        let is_asked = |path: &String| self.matches(path) || self.along.contains_key(path);
        let is_asked = |outputs: &Outputs| outputs.keys().any(is_asked);
        self.only.is_some()
            && match self.earlier.get(path) {
                Some(Some(outputs)) => !is_asked(outputs),
                Some(None) | None => true,
            }
    }

    /// The game files of earlier runs, as they were when this run began.
    pub(super) fn known(&self) -> &EarlierFiles {
        &self.earlier
    }

    /// The outputs that earlier runs packed into game files that this run writes or restores, by game file; `None`
    /// where they are unknown.
    pub(super) fn earlier(&self) -> impl Iterator<Item = (&str, Option<&Outputs>)> {
        let files = self.earlier.iter().filter(|(path, _)| !self.retains(path));
        files.map(|(path, outputs)| (&**path, outputs.as_ref()))
    }

    /// Adds the outputs that earlier runs packed into these game files. Returns false when there are no more.
    ///
    /// # Errors
    /// The outputs of one of them are unknown; `folder` is their folder.
    pub(super) fn follow<'p>(
        &mut self,
        files: impl Iterator<Item = &'p String>,
        folder: &Path,
    ) -> Result<bool, PackError> {
        if self.only.is_none() {
            return Ok(false);
        }
        let before = self.along.len();
        for path in files {
            match self.earlier.get(path) {
                Some(Some(outputs)) => self.along.extend(outputs.clone()),
                Some(None) => return Err(PackError::OtherwiseMade(folder.join(path))),
                None => {}
            }
        }
        Ok(self.along.len() > before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn earlier() -> EarlierFiles {
        let outputs = |paths: &[&str]| {
            let paths = paths
                .iter()
                .map(|path| ((*path).to_owned(), MadeFrom::default()));
            Some(paths.collect::<Outputs>())
        };
        [
            ("sounds.zbd", outputs(&["a.wav", "b.wav"])),
            ("reader.zbd", outputs(&["c.json"])),
            ("both.zbd", outputs(&["b.wav", "d.gltf"])),
            ("patched.zbd", None),
        ]
        .map(|(path, outputs)| (path.to_owned(), outputs))
        .into()
    }

    #[test]
    fn what_shares_a_game_file_with_what_is_asked_for_goes_along() {
        let only = Only::new(["a.wav"]).unwrap();
        let mut selection = Selection::new(Some(&only), MemberChanges::default(), earlier());
        let wanted = |selection: &Selection<'_>| {
            let paths = ["a.wav", "b.wav", "c.json", "d.gltf", "e.png"];
            paths.map(|path| selection.wants(path) || selection.stays(path))
        };
        assert!(selection.wants("a.wav") && selection.stays("b.wav"));
        assert_eq!(wanted(&selection), [true, true, false, false, false]);
        assert!(selection.retains("reader.zbd") && selection.retains("patched.zbd"));
        assert!(!selection.retains("sounds.zbd") && !selection.retains("both.zbd"));
        let written = ["sounds.zbd", "both.zbd"].map(str::to_owned);
        assert!(selection.follow(written.iter(), Path::new("")).unwrap());
        assert_eq!(wanted(&selection), [true, true, false, true, false]);
        assert!(!selection.follow(written.iter(), Path::new("")).unwrap());
        let patched = ["patched.zbd".to_owned()];
        assert!(selection.follow(patched.iter(), Path::new("")).is_err());
    }

    #[test]
    fn without_globs_everything_is_packed_and_nothing_is_left_alone() {
        let members = MemberChanges {
            remove: true,
            ..MemberChanges::default()
        };
        let mut selection = Selection::new(None, members, earlier());
        assert!(selection.wants("e.png") && selection.removes("e.png") && !selection.adds("e.png"));
        assert!(!selection.retains("patched.zbd"));
        let all = earlier();
        assert!(!selection.follow(all.keys(), Path::new("")).unwrap());
    }

    #[test]
    fn a_glob_that_matches_nothing_is_reported() {
        let only = Only::new(["textures/**", "*.wav", "no/such.png"]).unwrap();
        let paths = ["textures/a/b.png", "a.wav"];
        let error = only.check(paths.into_iter()).unwrap_err().to_string();
        assert!(error.contains("no/such.png"), "{error}");
        let only = Only::new(["textures/**", "*.wav"]).unwrap();
        assert!(only.check(paths.into_iter()).is_ok());
    }
}
