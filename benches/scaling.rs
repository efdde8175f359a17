//! Speedup by a second job, compared with the speedup that the machine allows.
//!
//! Two programs of one job each, side by side, have nothing to wait for in each other: they gain what the machine
//! gives, which is 2 where its cores are free and equally fast at any time, and less where they share memory, a
//! hypervisor and neighbors. As that changes by the minute, all three are taken in turns and compared by their medians:
//! the best times of one job and of two would come from different minutes.

use super::print::verdict;
use super::program::{Bench, settle};
use crate::Outcome;
use crate::process::remove_folder;

/// Time with one job over time with two, on a machine with two cores on which 2 is possible.
const SPEED_UP: f64 = 1.85;

/// Seconds of one job, of two jobs, and of two programs of one job each at once, round by round.
#[derive(Debug, Default)]
pub struct Scaling {
    one: Vec<f64>,
    two: Vec<f64>,
    apart: Vec<f64>,
}

impl Scaling {
    /// Two programs at once, then one job, whose outputs are there afterwards; the seconds that it took.
    ///
    /// # Errors
    /// A conversion fails, or a folder cannot be emptied.
    pub fn take_one(&mut self, bench: &Bench) -> Outcome<f64> {
        let other = Bench {
            out: bench.out.with_extension("other"),
            ..bench.clone()
        };
        remove_folder(&bench.out)?;
        settle();
        self.apart.push(bench.run_next_to(1, &other)?);
        remove_folder(&other.out)?;
        let seconds = bench.convert(1)?;
        self.one.push(seconds);
        Ok(seconds)
    }

    /// Two jobs, whose outputs are there afterwards.
    ///
    /// # Errors
    /// The conversion fails, or its folder cannot be emptied.
    pub fn take_two(&mut self, bench: &Bench) -> Outcome {
        self.two.push(bench.convert(2)?);
        Ok(())
    }

    /// The least seconds that one job took.
    pub fn least_of_one(&self) -> f64 {
        least(&self.one)
    }

    /// The least seconds that two jobs took.
    pub fn least_of_two(&self) -> f64 {
        least(&self.two)
    }

    /// Prints the speedup, and its share of the possible one.
    pub fn print(&self, what: &str) {
        let [one, two, apart] = [&self.one, &self.two, &self.apart].map(|seconds| median(seconds));
        let (gained, given) = (one / two, 2.0 * one / apart);
        println!(
            "  medians: 1 job {one:.3} s, 2 jobs {two:.3} s, two programs of 1 job side by side {apart:.3} s: \
             the machine gives {given:.2} x"
        );
        verdict(
            &format!("{what}speed-up, 1 to 2 jobs"),
            gained,
            SPEED_UP,
            "x",
            true,
        );
        verdict(
            &format!("{what}speed-up, of what the machine gives"),
            gained / given,
            SPEED_UP / 2.0,
            "x",
            true,
        );
    }
}

fn least(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The value in the middle; the mean of both of an even number.
fn median(seconds: &[f64]) -> f64 {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(middle.saturating_sub(1)..)) {
        (0, Some([below, above, ..])) => (below + above) / 2.0,
        _ => sorted.get(middle).copied().unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert!(median(&[]).is_nan());
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
