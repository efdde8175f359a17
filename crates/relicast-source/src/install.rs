//! Detection of the game that a file belongs to, with evidence.
//!
//! Folder names are never trusted. Versions inside files count most, footers and file sets less, file names
//! least. A file gets the game that its own content shows, otherwise that of the nearest folder around it
//! whose files agree. So a Pirate's Moon that is installed next to or into a MechWarrior 3 is detected file by
//! file.
//!
//! ```
//! use relicast_formats::asset::Game;
//! use relicast_source::install::{Detection, Evidence, Strength};
//!
//! let seen = Evidence {
//!     game: Game::Rc,
//!     strength: Strength::Strong,
//!     path: "zbd/m1/gamez.zbd".to_owned(),
//!     reason: "world version 15".to_owned(),
//! };
//! let detection = Detection::new(vec![seen], None);
//! assert_eq!(detection.game("zbd/m1/zrdr.zbd"), Some(Game::Rc), "a neighbor");
//! ```

use std::collections::BTreeMap;

use serde::Serialize;

use super::tree::SourceFile;
use relicast_formats::asset::Game;
use relicast_formats::descriptor::GameEvidence;
use relicast_formats::kind::{Kind, game_evidence};

pub use relicast_formats::descriptor::Strength;

/// One piece of evidence for a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The game.
    pub game: Game,
    /// Its strength.
    pub strength: Strength,
    /// The file.
    pub path: String,
    /// Evidence that was found in it.
    pub reason: String,
}

/// Evidence in one file, strongest first.
pub fn evidence(file: &SourceFile, kind: Kind, bytes: &[u8]) -> Option<Evidence> {
    let found = |game, strength, reason: String| {
        Some(Evidence {
            game,
            strength,
            path: file.path.clone(),
            reason,
        })
    };
    match game_evidence(kind, bytes, file.name()) {
        GameEvidence::Shown(game, strength, reason) => return found(game, strength, reason),
        GameEvidence::Denied => return None,
        GameEvidence::Silent => {}
    }
    let name = file.name().to_lowercase();
    let game = match &*name {
        "messages.dll" | "image.zbd" | "soundsm.zbd" => Game::Rc,
        "mech3msg.dll" | "mech3.exe" | "rmechtex.zbd" => Game::Mw,
        "strings.dll" | "planes.zbd" | "crimson.icd" | "crimson.exe" | "crimson.rof" => Game::Cs,
        // Installers name their product.
        "setup.ini" | "data.tag" => {
            let game = product(bytes)?;
            return found(game, Strength::Weak, "name of the product".to_owned());
        }
        _ => return None,
    };
    found(game, Strength::Weak, "file name".to_owned())
}

/// The game that the settings of an installer name.
fn product(bytes: &[u8]) -> Option<Game> {
    let text = String::from_utf8_lossy(bytes.get(..MAX_SETTINGS_LENGTH).unwrap_or(bytes));
    let text = text.to_lowercase();
    let products = [
        ("pirate's moon", Game::Pm),
        ("mechwarrior 3", Game::Mw),
        ("recoil", Game::Rc),
        ("crimson skies", Game::Cs),
        ("everquest", Game::Eq),
    ];
    let mut products = products.into_iter();
    products
        .find(|(name, _)| text.contains(name))
        .map(|(_, game)| game)
}

/// Number of bytes of an installer's settings that are searched.
const MAX_SETTINGS_LENGTH: usize = 4096;

/// The games of all files.
#[derive(Debug, Default)]
pub struct Detection {
    /// All evidence, in file order.
    pub evidence: Vec<Evidence>,
    folders: BTreeMap<String, BTreeMap<Game, Tally>>,
    own: BTreeMap<String, Evidence>,
    forced: Option<Game>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    strong: u32,
    medium: u32,
    weak: u32,
}

fn parents(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(parent, _)| parent))
    })
    .skip(1)
}

impl Detection {
    /// Weighs the evidence of all files; `forced` overrides all of it.
    pub fn new(evidence: Vec<Evidence>, forced: Option<Game>) -> Self {
        let mut detection = Self {
            forced,
            ..Self::default()
        };
        for item in &evidence {
            for folder in parents(&item.path) {
                let tally = detection
                    .folders
                    .entry(folder.to_owned())
                    .or_default()
                    .entry(item.game)
                    .or_default();
                let counter = match item.strength {
                    Strength::Strong => &mut tally.strong,
                    Strength::Medium => &mut tally.medium,
                    Strength::Weak => &mut tally.weak,
                };
                *counter = counter.saturating_add(1);
            }
            detection.own.insert(item.path.clone(), item.clone());
        }
        detection.evidence = evidence;
        detection
    }

    /// The game of the file at `path`.
    pub fn game(&self, path: &str) -> Option<Game> {
        if self.forced.is_some() {
            return self.forced;
        }
        let own = self
            .own
            .get(path)
            .filter(|own| own.strength > Strength::Weak)
            .map(|own| own.game);
        own.or_else(|| parents(path).find_map(|folder| self.folder_game(folder)))
            .or_else(|| self.own.get(path).map(|own| own.game))
    }

    /// The game of a folder, when its strongest kind of evidence names one more often than any
    /// other.
    fn folder_game(&self, folder: &str) -> Option<Game> {
        let tallies = self.folders.get(folder)?;
        let levels: [fn(&Tally) -> u32; 3] = [
            |tally| tally.strong,
            |tally| tally.medium,
            |tally| tally.weak,
        ];
        let level = levels
            .into_iter()
            .find(|level| tallies.values().any(|tally| level(tally) > 0))?;
        let (&game, best) = tallies.iter().max_by_key(|(_, tally)| level(tally))?;
        let rivals = tallies
            .values()
            .filter(|tally| level(tally) == level(best))
            .count();
        (rivals == 1).then_some(game)
    }

    /// The games found, each with its strongest piece of evidence.
    pub fn games(&self) -> Vec<(Game, Option<&Evidence>)> {
        if let Some(game) = self.forced {
            return vec![(game, None)];
        }
        let mut best: BTreeMap<Game, &Evidence> = BTreeMap::new();
        for item in &self.evidence {
            let held = best.entry(item.game).or_insert(item);
            if item.strength > held.strength {
                *held = item;
            }
        }
        let strongest = best.values().map(|item| item.strength).max();
        best.into_iter()
            .filter(|(_, item)| item.strength > Strength::Weak || Some(item.strength) == strongest)
            .map(|(game, item)| (game, Some(item)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(game: Game, strength: Strength, path: &str) -> Evidence {
        Evidence {
            game,
            strength,
            path: path.to_owned(),
            reason: String::new(),
        }
    }

    #[test]
    fn mixed_installs_are_distinguished_by_folder_and_file() {
        let detection = Detection::new(
            vec![
                seen(Game::Mw, Strength::Strong, "mw3/zbd/c1/gamez.zbd"),
                seen(Game::Pm, Strength::Strong, "pm/zbd/c1/gamez.zbd"),
                seen(Game::Pm, Strength::Medium, "mw3/zbd/motion.zbd"),
            ],
            None,
        );
        assert_eq!(detection.game("mw3/zbd/c1/texture.zbd"), Some(Game::Mw));
        assert_eq!(detection.game("mw3/zbd/rimage.zbd"), Some(Game::Mw));
        assert_eq!(detection.game("mw3/zbd/motion.zbd"), Some(Game::Pm));
        assert_eq!(detection.game("pm/rimage.zbd"), Some(Game::Pm));
        assert_eq!(detection.game("readme.txt"), None);
    }

    #[test]
    fn a_name_alone_loses_to_any_content() {
        let detection = Detection::new(
            vec![
                seen(Game::Mw, Strength::Weak, "Mech3Msg.dll"),
                seen(Game::Pm, Strength::Medium, "zbd/reader.zbd"),
            ],
            None,
        );
        assert_eq!(detection.game("Mech3Msg.dll"), Some(Game::Pm));
        let games: Vec<Game> = detection.games().iter().map(|(game, _)| *game).collect();
        assert_eq!(games, [Game::Pm]);
    }

    #[test]
    fn installers_name_their_product() {
        assert_eq!(
            product(b"[Startup]\r\nAppName=MechWarrior 3\r\n"),
            Some(Game::Mw)
        );
        assert_eq!(
            product(b"Application=MechWarrior 3 Pirate's Moon"),
            Some(Game::Pm)
        );
        assert_eq!(product(b"AppName=Sample"), None);
    }

    #[test]
    fn the_command_line_overrides() {
        let detection = Detection::new(
            vec![seen(Game::Mw, Strength::Strong, "gamez.zbd")],
            Some(Game::Rc),
        );
        assert_eq!(detection.game("gamez.zbd"), Some(Game::Rc));
    }
}
