//! A survey on its way: files are looked up piece by piece, by whoever has nothing better to do.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::early::EarlyHashes;
use super::hashing::Hashing;
use super::survey::{Finding, Question, Reading, Survey, sum_up};
use super::table::{Table, table};
use crate::asset::Game;
use crate::source::location::Location;
use crate::source::source_file::SourceFile;

/// Looks all files up. `game_of` tells the game of a file, which decides whether a known name with another
/// content means anything.
pub fn survey(
    files: &[&SourceFile],
    reading: Reading,
    game_of: &(dyn Fn(&SourceFile) -> Option<Game> + Sync),
) -> Survey {
    Surveying::new(files, reading, game_of, EarlyHashes::default()).finish()
}

/// A survey on its way.
pub struct Surveying<'f> {
    files: &'f [&'f SourceFile],
    reading: Reading,
    game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
    table: &'static Table,
    /// The files by their places, the largest first.
    order: Vec<usize>,
    /// Number of those that somebody has begun with.
    begun: AtomicUsize,
    /// Files that were begun and put aside.
    aside: Mutex<Vec<Looking>>,
    /// How many are put aside, before those are gone on with, always with the one that has most left: a file is read by one
    /// thread at a time, so that all that is left at the end must not be of one.
    most_aside: usize,
    /// Hashes that were begun before, by where the files lie.
    early: Mutex<HashMap<PathBuf, Hashing>>,
    /// What was found, by the places of the files, in any order.
    findings: Mutex<Vec<(usize, Finding<'static>)>>,
}

/// A file of which a part was read.
struct Looking {
    index: usize,
    question: Question<'static>,
    hashing: Hashing,
}

impl Debug for Surveying<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Surveying");
        told.field("files", &self.files.len());
        told.field("begun", &self.begun).finish_non_exhaustive()
    }
}

impl<'f> Surveying<'f> {
    /// As of [`survey`], with nothing looked up yet, and with hashes that are begun of the same files.
    pub fn new(
        files: &'f [&'f SourceFile],
        reading: Reading,
        game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
        early: EarlyHashes,
    ) -> Self {
        Self::among(table(), files, reading, game_of, early)
    }

    /// The same among the known files of a table.
    pub(super) fn among(
        table: &'static Table,
        files: &'f [&'f SourceFile],
        reading: Reading,
        game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
        early: EarlyHashes,
    ) -> Self {
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by_key(|&index| Reverse(files[index].size));
        Self {
            files,
            reading,
            game_of,
            table,
            order,
            begun: AtomicUsize::new(0),
            aside: Mutex::default(),
            most_aside: rayon::current_num_threads().saturating_mul(2),
            early: Mutex::new(early.into_begun()),
            findings: Mutex::new(Vec::with_capacity(files.len())),
        }
    }

    /// Whether there is a file that nobody looks up at the moment, and that is to be looked up.
    pub fn has_more(&self) -> bool {
        self.begun.load(Ordering::Relaxed) < self.order.len() || !locked(&self.aside).is_empty()
    }

    /// Looks a file up, or a piece of it when it is large and mapped; false when there is none that nobody else is at.
    pub fn look_up_some(&self) -> bool {
        let may_begin = locked(&self.aside).len() < self.most_aside;
        if may_begin && self.begin() {
            return true;
        }
        let Some(mut looking) = self.most_left() else {
            return false;
        };
        match looking.hashing.go_on() {
            true => locked(&self.aside).push(looking),
            false => self.end(looking),
        }
        true
    }

    /// Of the files that are put aside the one of which most is yet to be read.
    fn most_left(&self) -> Option<Looking> {
        let mut aside = locked(&self.aside);
        let left = aside.iter().map(|looking| looking.hashing.left());
        let (place, _) = left.enumerate().max_by_key(|(_, left)| *left)?;
        Some(aside.swap_remove(place))
    }

    /// Begins with the next file; false when there is none.
    fn begin(&self) -> bool {
        let next = self.begun.fetch_add(1, Ordering::Relaxed);
        let Some(&index) = self.order.get(next) else {
            return false;
        };
        let file = self.files[index];
        let question = Question::of(file, (self.game_of)(file), self.reading, self.table);
        let begun = match &file.location {
            Location::File(path) => locked(&self.early).remove(path),
            _ => None,
        };
        let hashing = match question.wants_hash {
            true => begun.or_else(|| Hashing::begin(file)),
            false => None,
        };
        let Some(hashing) = hashing else {
            self.keep(index, question.answer(None, self.table));
            return true;
        };
        let mut looking = Looking {
            index,
            question,
            hashing,
        };
        if looking.hashing.may_wait {
            locked(&self.aside).push(looking);
        } else {
            while looking.hashing.go_on() {}
            self.end(looking);
        }
        true
    }

    /// Keeps what is known of a file that was read.
    fn end(&self, looking: Looking) {
        let answer = looking
            .question
            .answer(looking.hashing.digest(), self.table);
        self.keep(looking.index, answer);
    }

    /// Looks up what nobody has looked up yet, and sums up.
    pub fn finish(self) -> Survey {
        (0..rayon::current_num_threads())
            .into_par_iter()
            .for_each(|_| while self.look_up_some() {});
        let found = self.findings.into_inner();
        let mut findings = found.unwrap_or_else(PoisonError::into_inner);
        findings.sort_by_key(|(index, _)| *index);
        let findings = findings.into_iter().map(|(_, finding)| finding);
        sum_up(findings.collect(), self.table)
    }

    fn keep(&self, index: usize, finding: Finding<'static>) {
        locked(&self.findings).push((index, finding));
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::known::hashing::PIECE;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    use sha2::{Digest, Sha256};

    fn table_of(rows: &str) -> &'static Table {
        let table = Table::parse(Box::leak(rows.to_owned().into_boxed_str()));
        Box::leak(Box::new(table))
    }

    fn hash_of(bytes: &[u8]) -> String {
        STANDARD_NO_PAD.encode(Sha256::digest(bytes))
    }

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<SourceFile>) {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let tree = crate::source::tree::Tree::list(&[folder.path().to_owned()], None).unwrap();
        (folder, tree.files)
    }

    fn told(rows: &str, files: &[(&str, &[u8])]) -> Survey {
        let (_folder, files) = folder(files);
        let files: Vec<&SourceFile> = files.iter().collect();
        let game_of = |_: &SourceFile| Some(Game::Mw);
        let early = EarlyHashes::default();
        Surveying::among(table_of(rows), &files, Reading::Likely, &game_of, early).finish()
    }

    #[test]
    fn an_edition_needs_a_file_of_its_own() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{a}\nzbd/b.zbd\t-\t{b}\nzbd/gone.zbd\t9\t-\nopt\t9\t-\to\n\
             =\tMW\ttwo\ts\nzbd/a.zbd\t1\t{a}\nzbd/c.zbd\t1\t{c}\n=\tMW\tall\ts\t*\nzbd/d.zbd\t1\t{d}\n",
            a = hash_of(b"a"),
            b = hash_of(b"b"),
            c = hash_of(b"c"),
            d = hash_of(b"d"),
        );
        let both: Survey = told(&rows, &[("ZBD/A.ZBD", b"a"), ("zbd/d.zbd", b"d")]);
        assert!(both.editions.is_empty(), "{:?}", both.editions);
        assert_eq!(both.known_files, 2);
        let one = told(
            &rows,
            &[
                ("x/zbd/a.zbd", b"a"),
                ("x/ZBD/b.zbd", b"b"),
                ("x/readme", b"?"),
            ],
        );
        assert_eq!(one.editions.len(), 1);
        assert_eq!(one.editions[0].edition, "one");
        assert_eq!((one.editions[0].matched, one.editions[0].known), (2, 4));
        assert_eq!(one.editions[0].missing, ["zbd/gone.zbd"]);
        assert_eq!(one.no_record, 1);
        assert!(one.foreign.is_empty() && one.other_content.is_empty());
    }

    #[test]
    fn other_content_is_told_without_anything_personal() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{}\nzbd/size.zbd\t4\t-\n",
            hash_of(b"a")
        );
        let found = told(
            &rows,
            &[("me/zbd/a.zbd", b"other"), ("zbd/size.zbd", b"other")],
        );
        assert_eq!(found.other_content.len(), 1);
        let text = found.unknown_variant("0.1").unwrap();
        assert!(text.contains("zbd/a.zbd 5 "), "{text}");
        assert!(!text.contains("me/"), "{text}");
        assert!(text.contains("likeliest edition: none"), "{text}");
    }

    #[test]
    fn sizes_alone_need_more_of_them() {
        let rows = "=\tMW\tdisc\ts\na\t1\t-\nb\t2\t-\nc\t3\t-\n";
        let two = told(rows, &[("a", b"1"), ("b", b"22")]);
        assert!(two.editions.is_empty());
        let three = told(rows, &[("a", b"1"), ("b", b"22"), ("c", b"333")]);
        assert_eq!(three.editions[0].matched, 3);
    }

    #[test]
    fn large_files_are_looked_up_in_pieces_by_any_number_of_threads() {
        let large: Vec<Vec<u8>> = (0..4_u8).map(|file| vec![file; 2 * PIECE + 1]).collect();
        let names = ["a", "b", "c", "d"];
        let rows: String = (names.iter().zip(&large))
            .map(|(name, bytes)| format!("{name}\t{}\t{}\n", bytes.len(), hash_of(bytes)))
            .collect();
        let table = table_of(&format!("=\tMW\tone\ts\n{rows}"));
        let files: Vec<(&str, &[u8])> = (names.into_iter().zip(&large))
            .map(|(name, bytes)| (name, &**bytes))
            .chain([("empty", &[] as &[u8]), ("e", b"e")])
            .collect();
        let (_folder, files) = folder(&files);
        let files: Vec<&SourceFile> = files.iter().collect();
        for (threads, before) in [(1, 0), (1, 3), (2, 7), (3, 100)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let found = pool.unwrap().install(|| {
                let game_of = |_: &SourceFile| Some(Game::Mw);
                let early = EarlyHashes::default();
                let surveying = Surveying::among(table, &files, Reading::All, &game_of, early);
                assert!(surveying.has_more());
                let looks = (0..before).filter(|_| surveying.look_up_some()).count();
                // Each large one is begun and then read in three pieces, where files are mapped.
                let all = if cfg!(unix) { 4 * 4 + 2 } else { 6 };
                assert_eq!(looks, before.min(all));
                assert_eq!(surveying.has_more(), before < all);
                surveying.finish()
            });
            assert_eq!((found.known_files, found.no_record), (4, 2));
            let paths: Vec<&str> = found.files.iter().map(|file| &*file.path).collect();
            assert_eq!(paths, names);
        }
    }
}
