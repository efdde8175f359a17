//! Worlds at the start of missions: the file, then the scripts that run at load, then the reset sequences of all
//! animations, then the animations that start at load.
//!
//! - [`plan`] — the missions of a world, and their start;
//! - [`state`] — a world that changes;
//! - [`commands`] — effects of script commands on it;
//! - [`animations`] — effects of animations on it in the first frame;
//! - `calls`, `lights` — animations that others start, and the lights that they switch on;
//! - [`report`] — changes made, and changes skipped with reasons.
//!
//! Values that only the running game decides stay as stored and are reported by name: chance, the place of the
//! player, options. In the games, placed vehicles, turrets and pickups come between the resets and
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

/// The world of a file at the start of the missions of a plan. `serial` numbers distinguish models that the scripts
/// of several worlds of one file change.
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
