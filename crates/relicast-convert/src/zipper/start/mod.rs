//! Worlds as missions begin in them: the file, then the scripts that run at load, then the reset sequences of
//! all animations, then those that start at load.
//!
//! - [`plan`] — the missions of a world, and what each begins with;
//! - [`state`] — a world that changes;
//! - [`commands`] — what commands of scripts do to it;
//! - [`animations`] — what animations do to it in the first frame;
//! - `calls`, `lights` — animations that others start, and the lights that they switch on;
//! - [`report`] — what was done, and what was not and why.
//!
//! Values that only the running game decides stay as stored and are reported by name: chance, the place of the
//! player, options. In the games, placed vehicles, turrets and things to pick up come between the resets and
//! the mission's list. Names of animations never find them, so that their order does not matter here.

mod animations;
mod calls;
mod commands;
mod degrees;
mod lights;
pub(in crate::zipper) mod plan;
pub(in crate::zipper) mod report;
pub(in crate::zipper) mod state;

pub(in crate::zipper) use plan::{Missions, StartPlan};
pub(in crate::zipper) use state::StagedWorld;

use relicast_formats::zipper::gamez::GameZ;

/// The world of a file as the missions of a plan begin in it. Worlds of one file with different numbers keep the
/// models apart that their scripts change.
pub(in crate::zipper) fn begin<'g>(
    gamez: &'g GameZ,
    missions: &Missions<'_>,
    plan: &StartPlan,
    serial: usize,
) -> StagedWorld<'g> {
    let mut state = StagedWorld::new(gamez, serial);
    commands::apply(&mut state, missions, plan);
    animations::run(&mut state, missions, plan);
    state.settle();
    state
}
