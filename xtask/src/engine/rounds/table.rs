//! Tables of results.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Counts by row and column.
#[derive(Debug)]
pub(super) struct Table<'c> {
    columns: Vec<&'c str>,
    rows: BTreeMap<String, BTreeMap<&'c str, usize>>,
}

impl<'c> Table<'c> {
    pub(super) fn new(columns: &[&'c str]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: BTreeMap::new(),
        }
    }

    /// Counts one more.
    pub(super) fn add(&mut self, row: &str, column: &'c str) {
        let row = self.rows.entry(row.to_owned()).or_default();
        *row.entry(column).or_default() += 1;
    }
}

/// Words by row and column, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Grid {
    columns: Vec<String>,
    rows: Vec<(String, BTreeMap<String, String>)>,
}

impl Grid {
    pub(super) fn set(&mut self, row: &str, column: &str, word: &str) {
        if !self.columns.iter().any(|it| it == column) {
            self.columns.push(column.to_owned());
        }
        let word = (column.to_owned(), word.to_owned());
        match self.rows.iter_mut().find(|(name, _)| name == row) {
            Some((_, words)) => words.extend([word]),
            None => self.rows.push((row.to_owned(), BTreeMap::from([word]))),
        }
    }
}

impl Display for Grid {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let width = self
            .rows
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or_default();
        write!(formatter, "{:width$}", "")?;
        for column in &self.columns {
            let short = column.split_once(' ').map_or(&**column, |(game, _)| game);
            write!(formatter, "  {short:<7}")?;
        }
        write!(formatter, "\n{:width$}", "")?;
        for column in &self.columns {
            let rest = column.split_once(' ').map_or("", |(_, rest)| rest);
            write!(formatter, "  {rest:<7.7}")?;
        }
        for (name, row) in &self.rows {
            write!(formatter, "\n{name:width$}")?;
            for column in &self.columns {
                let word = row.get(column).map_or("", |word| &**word);
                write!(formatter, "  {word:<7}")?;
            }
        }
        Ok(())
    }
}

impl Display for Table<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let width = self.rows.keys().map(String::len).max().unwrap_or_default();
        write!(formatter, "{:width$}", "")?;
        for column in &self.columns {
            write!(formatter, "  {column:>7}")?;
        }
        for (name, row) in &self.rows {
            write!(formatter, "\n{name:width$}")?;
            for column in &self.columns {
                let width = column.len().max(7);
                match row.get(column) {
                    Some(count) => write!(formatter, "  {count:>width$}")?,
                    None => write!(formatter, "  {:>width$}", "–")?,
                }
            }
        }
        Ok(())
    }
}
