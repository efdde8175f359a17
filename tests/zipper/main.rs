//! Formats and conversions of Recoil, MechWarrior 3, Pirate's Moon and Crimson Skies: fixtures against independent
//! decodes, small files of our own, and damaged ones.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/corrupt.rs"]
mod corrupt;

mod anim;
mod animations;
mod clips;
mod converted;
mod gamez;
mod messages;
mod readers;
mod skies;
mod worlds;

relicast_testing::main!();
