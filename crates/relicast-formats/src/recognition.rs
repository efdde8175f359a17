//! Detectors of the [registry](super::registry) that take more than a magic number, and detection of the game.

use crate::asset::Game;

use super::descriptor::{GameEvidence, Strength};
use super::detector::Candidate;
use super::zipper::ZipperGame;
use super::zipper::archive::{self, FooterVersion};
use super::zipper::save::SavedBy;

/// True if this is the name of a texture package.
pub(super) fn names_textures(stem: &str) -> bool {
    stem.contains("tex") || stem.contains("image")
}

/// True if a second RIFF file follows the first: members of a sound archive that lost its
/// table.
pub(super) fn is_followed_by_another(source: &Candidate<'_>) -> bool {
    let size = source.word(4).unwrap_or_default() as usize;
    let mut ends = [8, 9].into_iter();
    ends.any(|more| source.has(size.saturating_add(more), b"RIFF"))
}

pub(super) fn is_wave(source: &Candidate<'_>) -> bool {
    source.has(0, b"RIFF") && source.has(8, b"WAVE")
}

/// True if it begins as a program of DOS or Windows does: with sizes of its pages and of its header that fit.
pub(super) fn is_program(source: &Candidate<'_>) -> bool {
    let half = |offset| source.half_word(offset).map(u32::from);
    let (Some(last), Some(pages), Some(header)) = (half(2), half(4), half(8)) else {
        return false;
    };
    source.has(0, b"MZ") && last < 512 && header >= 2 && header * 16 <= pages * 512
}

/// True if it begins only with letters, digits, signs, spaces and ends of lines.
pub(super) fn starts_as_text(source: &Candidate<'_>) -> bool {
    let mut start = source.bytes.iter().take(64);
    start.all(|&byte| byte >= b' ' || byte.is_ascii_whitespace())
}

/// True if it begins with an asterisk and a word in capitals, as texts of zones of tiles do.
pub(super) fn starts_with_keyword(source: &Candidate<'_>) -> bool {
    let word = source.bytes.get(1..4).unwrap_or_default();
    let is_word = word.len() == 3 && word.iter().all(u8::is_ascii_uppercase);
    source.has(0, b"*") && is_word && starts_as_text(source)
}

/// True if it begins as a bitmap of OS/2 or Windows does: with a header of a size that these have.
pub(super) fn is_bitmap(source: &Candidate<'_>) -> bool {
    let sizes = [12, 16, 40, 52, 56, 64, 108, 124];
    source.has(0, b"BM") && source.word(14).is_some_and(|size| sizes.contains(&size))
}

/// No evidence for a game.
pub(super) fn silent(_: &Candidate<'_>) -> GameEvidence {
    GameEvidence::Silent
}

/// Detects the game by the version after the signature.
fn by_version(
    source: &Candidate<'_>,
    what: &str,
    game: fn(u32) -> Option<ZipperGame>,
) -> GameEvidence {
    let Some(version) = source.word(4) else {
        return GameEvidence::Silent;
    };
    match game(version) {
        Some(game) => GameEvidence::Shown(
            game.into(),
            Strength::Strong,
            format!("{what} version {version}"),
        ),
        None => GameEvidence::Denied,
    }
}

pub(super) fn game_of_world(source: &Candidate<'_>) -> GameEvidence {
    by_version(source, "world", ZipperGame::from_world_version)
}

pub(super) fn game_of_animations(source: &Candidate<'_>) -> GameEvidence {
    by_version(source, "animation", ZipperGame::from_animation_version)
}

pub(super) fn game_of_archive(source: &Candidate<'_>) -> GameEvidence {
    let archive = archive::decode(source.bytes).ok();
    let saved = archive.and_then(|archive| SavedBy::new(&archive.value));
    match saved {
        Some(SavedBy::Recoil) => return save_of(Game::Rc),
        Some(SavedBy::CrimsonSkies) => return save_of(Game::Cs),
        Some(SavedBy::MechWarrior) | None => {}
    }
    let (game, reason) = match archive::footer_version(source.bytes) {
        Some(FooterVersion::Two) => (Game::Pm, "archive version 2"),
        Some(FooterVersion::One) if source.stem.starts_with("reader") => {
            (Game::Mw, "reader archive of version 1")
        }
        Some(FooterVersion::One) | None => return GameEvidence::Silent,
    };
    GameEvidence::Shown(game, Strength::Medium, reason.to_owned())
}

fn save_of(game: Game) -> GameEvidence {
    GameEvidence::Shown(game, Strength::Medium, "save game".to_owned())
}

pub(super) fn game_of_map(_: &Candidate<'_>) -> GameEvidence {
    GameEvidence::Shown(Game::Rc, Strength::Medium, "mission map".to_owned())
}

pub(super) fn everquest_signature(_: &Candidate<'_>) -> GameEvidence {
    GameEvidence::Shown(Game::Eq, Strength::Strong, "EverQuest signature".to_owned())
}
