//! Random edits of outputs of every kind of every game are packed, or are refused by name before anything is
//! written.
//!
//! The manifest lists the outputs that may be edited, so that new kinds of outputs are tried without a word
//! here. Packed files convert to the edits, everything else stays as it was, and the edits undone give the
//! install again.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod compare;
mod folders;
mod independent;
mod refused;
mod restored;
mod surfaces;
mod trial;
mod unpacked;

use relicast::asset::Game;
use relicast_testing::test;
use relicast_testing::{fixtures, rounds};
use trial::{Files, Trial};

/// Trials of a game, each with its own seed. `cargo xtask properties` runs many; `RELICAST_SEED` names the
/// first seed. Even ones have typed decodes of everything, and sounds in the other format.
fn trials(files: &Files, game: u64) -> impl Iterator<Item = Trial> {
    let first = std::env::var("RELICAST_SEED").ok();
    let first: u64 = first.map_or(1, |seed| seed.parse().unwrap());
    let count = rounds(1, 12) as u64;
    let seeds = first..first + count;
    seeds.map(move |seed| Trial::new(files, seed * 5 + game, seed % 2 == 0))
}

/// The number of edits depends on the speed of the machine, so these tests are not repeatable and are left
/// out by default.
fn only_on_request() {
    if std::env::var_os("RELICAST_THOROUGH").is_none()
        && std::env::var_os("RELICAST_SEED").is_none()
    {
        relicast_testing::skip("cargo xtask properties runs it");
    }
}

fn try_sample(game: Game, number: u64) {
    only_on_request();
    let files = Files::Sample(relicast_samples::files(game, 1).unwrap());
    trials(&files, number).for_each(|trial| trial.run());
}

#[test]
fn edits_of_recoil_are_packed() {
    try_sample(Game::Rc, 0);
}

#[test]
fn edits_of_mechwarrior_are_packed() {
    try_sample(Game::Mw, 1);
}

#[test]
fn edits_of_pirates_moon_are_packed() {
    try_sample(Game::Pm, 2);
}

#[test]
fn edits_of_crimson_skies_are_packed() {
    try_sample(Game::Cs, 3);
}

#[test]
fn edits_of_everquest_are_packed() {
    try_sample(Game::Eq, 4);
}

/// Made by an encoder that is not ours.
fn try_fixture(game: &str, number: u64) {
    only_on_request();
    let files = Files::Folder(fixtures("zipper").join(game));
    trials(&files, number).for_each(|trial| trial.run());
}

#[test]
fn edits_of_the_fixtures_of_recoil_are_packed() {
    try_fixture("rc", 0);
}

#[test]
fn edits_of_the_fixtures_of_mechwarrior_are_packed() {
    try_fixture("mw", 1);
}

#[test]
fn edits_of_the_fixtures_of_pirates_moon_are_packed() {
    try_fixture("pm", 2);
}

#[test]
fn edits_of_the_fixtures_of_crimson_skies_are_packed() {
    try_fixture("cs", 3);
}
