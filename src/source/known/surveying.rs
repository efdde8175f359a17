//! A survey on its way: files are looked up piece by piece, by whoever has nothing better to do.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::survey::{Finding, Question, Reading, Survey, sum_up};
use super::table::{Sha256Digest, Table, table};
use crate::asset::Game;
use crate::source::bytes::FileBytes;
use crate::source::source_file::SourceFile;

/// Bytes of a file that are hashed at a time, which takes about a millisecond.
const PIECE: usize = 1 << 20;

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
    /// Files that were begun and put aside, the longest ago first.
    aside: Mutex<VecDeque<Looking>>,
    /// How many are put aside, before those are gone on with: a file is read by one thread at a time, so that all that is
    /// left at the end must not be of one.
    most_aside: usize,
    /// What was found, by the places of the files, in any order.
    findings: Mutex<Vec<(usize, Finding<'static>)>>,
}

/// A file of which a part was read.
struct Looking {
    index: usize,
    question: Question<'static>,
    bytes: FileBytes,
    hasher: Sha256,
    /// Bytes that were read.
    read: usize,
}

impl Looking {
    /// Reads a piece further; false at the end.
    fn go_on(&mut self) -> bool {
        let left = self.bytes.get(self.read..).unwrap_or_default();
        let piece = left.get(..PIECE).unwrap_or(left);
        self.hasher.update(piece);
        self.bytes.release(piece);
        self.read = self.read.saturating_add(piece.len());
        self.read < self.bytes.len()
    }

    /// SHA-256 of what was read; `None` where the file could not be read to its end.
    fn digest(&mut self) -> Option<Sha256Digest> {
        self.bytes.check().ok()?;
        Some(self.hasher.finalize_reset().into())
    }
}

impl Debug for Surveying<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Surveying");
        told.field("files", &self.files.len());
        told.field("begun", &self.begun).finish_non_exhaustive()
    }
}

impl<'f> Surveying<'f> {
    /// As of [`survey`](super::survey()), with nothing looked up yet.
    pub fn new(
        files: &'f [&'f SourceFile],
        reading: Reading,
        game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
    ) -> Self {
        Self::among(table(), files, reading, game_of)
    }

    /// The same among the known files of a table.
    pub(super) fn among(
        table: &'static Table,
        files: &'f [&'f SourceFile],
        reading: Reading,
        game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
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
            aside: Mutex::new(VecDeque::new()),
            most_aside: rayon::current_num_threads().saturating_mul(2),
            findings: Mutex::new(Vec::with_capacity(files.len())),
        }
    }

    /// Whether there is a file that nobody looks up at the moment, and that is to be looked up.
    pub fn has_more(&self) -> bool {
        self.begun.load(Ordering::Relaxed) < self.order.len() || !locked(&self.aside).is_empty()
    }

    /// Looks a file up, or a piece of it when it is large; false when there is none that nobody else is at.
    pub fn look_up_some(&self) -> bool {
        let may_begin = locked(&self.aside).len() < self.most_aside;
        if may_begin && self.begin() {
            return true;
        }
        let aside = locked(&self.aside).pop_front();
        let Some(mut looking) = aside else {
            return false;
        };
        match looking.go_on() {
            true => locked(&self.aside).push_back(looking),
            false => {
                let hash = looking.digest();
                self.keep(looking.index, looking.question.answer(hash, self.table));
            }
        }
        true
    }

    /// Begins with the next file; false when there is none.
    fn begin(&self) -> bool {
        let next = self.begun.fetch_add(1, Ordering::Relaxed);
        let Some(&index) = self.order.get(next) else {
            return false;
        };
        let file = self.files[index];
        let question = Question::of(file, (self.game_of)(file), self.reading, self.table);
        let bytes = match question.wants_hash {
            true => file.location.open().ok(),
            false => None,
        };
        match bytes {
            Some(bytes) => locked(&self.aside).push_back(Looking {
                index,
                question,
                bytes,
                hasher: Sha256::new(),
                read: 0,
            }),
            None => self.keep(index, question.answer(None, self.table)),
        }
        true
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

fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
