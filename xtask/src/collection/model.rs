//! Estimate of what more nodes would bring, by the measured times of jobs.
//!
//! The model: every node runs one job at a time. A job starts as soon as its inputs are made and a node is
//! free, the first disc first. A job takes the time that it took when measured alone, plus the time that the
//! scheduler needs to start it. File servers and networks are assumed to have no limits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::Outcome;

/// Seconds that the jobs of a disc take.
#[derive(Debug, Clone, Default)]
pub struct Times {
    /// Identifying and planning.
    prepare: f64,
    shards: Vec<f64>,
    prove: f64,
    /// Merging, gallery, package.
    publish: f64,
}

impl Times {
    /// All of them.
    pub fn sum(&self) -> f64 {
        self.prepare + self.shards.iter().sum::<f64>() + self.prove + self.publish
    }
}

/// Reads the times that Snakemake measured for a disc.
///
/// # Errors
/// A file of times is missing or has no time.
pub fn times(folder: &Path, disc: &str) -> Outcome<Times> {
    let of = |rule: &str| seconds(&folder.join(rule).join(format!("{disc}.tsv")));
    let mut shards = Vec::new();
    for entry in WalkDir::new(folder.join("convert").join(disc)).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            shards.push(seconds(entry.path())?);
        }
    }
    Ok(Times {
        prepare: of("identify")? + of("plan")?,
        shards,
        prove: of("prove")?,
        publish: of("merge")? + of("gallery")? + of("package")?,
    })
}

/// The first column of the first row.
fn seconds(path: &Path) -> Outcome<f64> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let row = text.lines().nth(1).and_then(|row| row.split('\t').next());
    let seconds = row.and_then(|column| column.parse().ok());
    seconds.ok_or_else(|| format!("{} has no time", path.display()).into())
}

/// Seconds until all discs are done.
pub fn simulate(discs: &[Times], nodes: usize, start: f64) -> f64 {
    // Jobs that are ready, by disc and step, with the time that they are ready at; nodes by the time they are free.
    let mut ready: BinaryHeap<Reverse<(u64, usize, Step)>> = (0..discs.len())
        .map(|disc| Reverse((0, disc, Step::Prepare)))
        .collect();
    let mut free: BinaryHeap<Reverse<u64>> = (0..nodes).map(|_| Reverse(0)).collect();
    let mut left: Vec<(usize, u64)> = discs.iter().map(|disc| (disc.shards.len(), 0)).collect();
    let mut end = 0;
    while let (Some(Reverse((at, disc, step))), Some(Reverse(node))) = (ready.pop(), free.pop()) {
        let times = &discs[disc];
        let takes = match step {
            Step::Prepare => times.prepare,
            Step::Shard(shard) => times.shards[shard],
            Step::Prove => times.prove,
            Step::Publish => times.publish,
        };
        let done = at.max(node) + micros(takes + start);
        end = end.max(done);
        free.push(Reverse(done));
        match step {
            Step::Prepare => {
                ready.extend(
                    (0..times.shards.len()).map(|shard| Reverse((done, disc, Step::Shard(shard)))),
                );
                ready.push(Reverse((done, disc, Step::Prove)));
            }
            Step::Shard(_) => {
                let (shards, last) = &mut left[disc];
                *shards -= 1;
                *last = done.max(*last);
                if *shards == 0 {
                    ready.push(Reverse((*last, disc, Step::Publish)));
                }
            }
            Step::Prove | Step::Publish => (),
        }
    }
    seconds_of(end)
}

/// A job of a disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Prepare,
    Shard(usize),
    Prove,
    Publish,
}

/// Whole microseconds, as floats have no total order.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times of jobs are positive and below centuries"
)]
fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

#[expect(clippy::cast_precision_loss, reason = "below centuries")]
fn seconds_of(micros: u64) -> f64 {
    micros as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::{Times, simulate};

    fn disc() -> Times {
        Times {
            prepare: 1.0,
            shards: vec![4.0, 4.0],
            prove: 2.0,
            publish: 1.0,
        }
    }

    #[test]
    fn one_node_takes_the_sum_and_many_the_longest_chain() {
        let discs = vec![disc(); 5];
        assert!((simulate(&discs, 1, 0.0) - 60.0).abs() < 1e-3);
        assert!((simulate(&discs, 100, 0.0) - 6.0).abs() < 1e-3);
        let two = simulate(&discs, 2, 0.0);
        assert!((30.0..36.0).contains(&two), "{two}");
        assert!((simulate(&discs, 100, 0.5) - 7.5).abs() < 1e-3);
    }
}
