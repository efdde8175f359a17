//! Census: counts of the contents of an install, compared with the published numbers of known editions. No
//! other module depends on it.
//!
//! - [`published`] — the published numbers, compiled in from `golden/census`.
//! - [`taken`] — counts of an input; [`counted`] — counts of one file.
//!
//! ```
//! use relicast::pipeline::census::published::editions;
//!
//! assert!(editions().iter().any(|edition| edition.name.starts_with("Crimson Skies")));
//! ```

pub mod counted;
pub mod published;
pub mod taken;

use self::published::{Edition, editions};
use super::plan::planned::PlannedFile;
use relicast_formats::asset::Game;

/// Returns a line for each game whose container counts differ from those of retail installs. A game counts as
/// installed if at least half of its worlds exist.
pub(super) fn differences(files: &[PlannedFile]) -> Vec<String> {
    let containers = files.iter().filter(|file| {
        let extension = file.source.extension();
        extension.as_deref() == Some("zbd")
    });
    let known: Vec<Container<'_>> = containers
        .filter_map(|file| {
            Some(Container {
                game: file.game?,
                kind: file.kind.label(),
                name: file.source.name(),
            })
        })
        .collect();
    let lines = editions()
        .iter()
        .filter_map(|edition| difference(edition, &known));
    lines.collect()
}

/// Container of an install.
#[derive(Debug, Clone, Copy)]
struct Container<'f> {
    game: Game,
    kind: &'f str,
    name: &'f str,
}

fn difference(edition: &Edition, known: &[Container<'_>]) -> Option<String> {
    let rows = edition.totals.iter().filter_map(|total| {
        let wanted = *total.rows.get("files")?;
        let own = known
            .iter()
            .filter(|one| one.game == edition.game && total.takes(one.kind, one.name));
        Some((total, own.count() as u64, wanted))
    });
    let rows: Vec<_> = rows.collect();
    let worlds = rows.iter().find(|(total, ..)| total.kind == "world");
    let &(_, own, wanted) = worlds?;
    if own * 2 < wanted {
        return None;
    }
    let words: Vec<String> = rows
        .iter()
        .filter(|(_, own, wanted)| own != wanted)
        .map(|(total, own, wanted)| format!("{own} × {} ({wanted})", total.what))
        .collect();
    (!words.is_empty()).then(|| {
        let (game, words) = (edition.game, words.join(", "));
        format!("{game}: counts differ from those of retail installs (in brackets): {words}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installs_are_compared_and_parts_of_them_are_not() {
        let edition = editions().iter().find(|edition| edition.game == Game::Cs);
        let edition = edition.unwrap();
        let mut known = Vec::new();
        for total in &edition.totals {
            let container = Container {
                game: Game::Cs,
                kind: &total.kind,
                name: total.named.as_deref().unwrap_or("any.zbd"),
            };
            let count = usize::try_from(total.rows["files"]).unwrap();
            known.extend(std::iter::repeat_n(container, count));
        }
        assert_eq!(difference(edition, &known), None);
        known.retain(|one| one.kind != "scripts");
        let message = difference(edition, &known).unwrap();
        assert!(message.ends_with(": 0 × script files (1)"), "{message}");
        known.retain(|one| one.kind != "world");
        assert_eq!(difference(edition, &known), None);
    }
}
