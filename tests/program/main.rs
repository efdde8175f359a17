//! The program for people and scripts: command line, terminal, texts, gallery, projects, examples.

#[path = "../common/mod.rs"]
mod common;

mod cli;
mod examples;
mod gallery;
mod project;
mod terminal;
mod texts;

relicast_testing::main!();
