//! Hashes that threads without other work begin with before it is known which files are asked for.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::hashing::{Hashing, PIECE};
use super::survey::may_be_asked;
use super::table::{Table, table};
use crate::source::location::Location;
use crate::source::source_file::SourceFile;

/// Hashes of large files that are likely to be asked for, as far as there was time to take them. A survey goes on with them;
/// what nobody asks for goes with this.
#[derive(Default)]
pub struct EarlyHashes(Mutex<Begun>);

#[derive(Default)]
struct Begun {
    /// Places of the files that nobody has begun with, the smallest first; `None` before it was looked for them.
    left: Option<Vec<usize>>,
    /// Files that nobody is at, and where they lie.
    aside: VecDeque<(PathBuf, Hashing)>,
    /// Those of which all is read.
    ended: Vec<(PathBuf, Hashing)>,
}

impl Debug for EarlyHashes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EarlyHashes")
            .finish_non_exhaustive()
    }
}

impl EarlyHashes {
    /// Hashes a piece of one of the files; false when there is none that nobody else is at. They are the same at each call.
    pub fn take_some(&self, files: &[SourceFile]) -> bool {
        self.take_some_among(table(), files)
    }

    fn take_some_among(&self, table: &Table, files: &[SourceFile]) -> bool {
        let Some((path, mut hashing)) = self.next(table, files) else {
            return false;
        };
        let has_more = hashing.go_on();
        self.with(|begun| match has_more {
            true => begun.aside.push_back((path, hashing)),
            false => begun.ended.push((path, hashing)),
        });
        true
    }

    /// A file to go on with, or to begin with.
    fn next(&self, table: &Table, files: &[SourceFile]) -> Option<(PathBuf, Hashing)> {
        if let Some(aside) = self.with(|begun| begun.aside.pop_front()) {
            return Some(aside);
        }
        loop {
            let index = self.with(|begun| {
                let left = begun.left.get_or_insert_with(|| likely(table, files));
                left.pop()
            })?;
            let file = files.get(index)?;
            let hashing = Hashing::begin(file).filter(|hashing| hashing.may_wait);
            if let (Location::File(path), Some(hashing)) = (&file.location, hashing) {
                return Some((path.clone(), hashing));
            }
        }
    }

    /// What was begun, by where the files lie.
    pub(super) fn into_begun(self) -> HashMap<PathBuf, Hashing> {
        let begun = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        begun.aside.into_iter().chain(begun.ended).collect()
    }

    fn with<T>(&self, work: impl FnOnce(&mut Begun) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Places of large files that are likely to be asked for, the smallest first.
fn likely(table: &Table, files: &[SourceFile]) -> Vec<usize> {
    let is_likely = |file: &SourceFile| {
        // Elsewhere a file is read whole when it is opened.
        let is_large = cfg!(unix) && file.size > PIECE as u64;
        is_large && matches!(file.location, Location::File(_)) && may_be_asked(file, table)
    };
    let places = files.iter().enumerate();
    let places = places.filter_map(|(index, file)| is_likely(file).then_some(index));
    let mut places: Vec<usize> = places.collect();
    // The largest is begun with first, of equal ones the first.
    places.sort_by_key(|&index| (files[index].size, Reverse(index)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Game;
    use crate::source::known::survey::{FileVerdict, Reading, Survey};
    use crate::source::known::surveying::Surveying;
    use crate::source::tree::Tree;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    use sha2::{Digest, Sha256};

    fn table_of(rows: &str) -> &'static Table {
        let table = Table::parse(Box::leak(rows.to_owned().into_boxed_str()));
        Box::leak(Box::new(table))
    }

    /// The survey, and the number of looks that it took.
    fn surveyed(
        table: &'static Table,
        files: &[SourceFile],
        early: EarlyHashes,
    ) -> (Survey, usize) {
        let files: Vec<&SourceFile> = files.iter().collect();
        let game_of = |_: &SourceFile| Some(Game::Mw);
        let surveying = Surveying::among(table, &files, Reading::Cheap, &game_of, early);
        let looks = std::iter::repeat(()).take_while(|()| surveying.look_up_some());
        let looks = looks.count();
        (surveying.finish(), looks)
    }

    #[test]
    fn a_survey_goes_on_with_what_was_begun() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = [
            ("a", 3 * PIECE + 1),
            ("b", 2 * PIECE),
            ("c", PIECE),
            ("d", 3 * PIECE),
        ];
        let mut rows = "=\tMW\tone\ts\n".to_owned();
        for (name, size) in sizes {
            let bytes = vec![name.as_bytes()[0]; size];
            std::fs::write(folder.path().join(name), &bytes).unwrap();
            let hash = STANDARD_NO_PAD.encode(Sha256::digest(&bytes));
            // Nothing is known of the last one.
            if name != "d" {
                rows += &format!("{name}\t{size}\t{hash}\n");
            }
        }
        let table = table_of(&rows);
        let files = Tree::list(&[folder.path().to_owned()], None).unwrap().files;
        let (plain, _) = surveyed(table, &files, EarlyHashes::default());
        let known = plain
            .files
            .iter()
            .filter(|file| file.verdict == FileVerdict::Known);
        assert_eq!(known.count(), 3);
        // Four pieces of one and two of the other are taken before; of files that are not mapped none is.
        let all = if cfg!(unix) { 6 } else { 0 };
        // The survey begins with four files; the three of them that are asked for have 4, 2 and 1 pieces, and end with a look
        // even when nothing of them is left.
        for (before, looks) in [(0, 11), (1, 10), (4, 8), (5, 7), (9, 7)] {
            let early = EarlyHashes::default();
            let taken = (0..before).filter(|_| early.take_some_among(table, &files));
            assert_eq!(taken.count(), before.min(all));
            let looks = if cfg!(unix) { looks } else { 4 };
            assert_eq!(surveyed(table, &files, early), (plain.clone(), looks));
        }
    }
}
