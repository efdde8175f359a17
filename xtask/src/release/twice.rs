//! The same program, built in two folders: the same sources give the same bytes in any folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::builder::Builder;
use super::profile::{Profiles, take};
use super::system::System;
use crate::Outcome;
use crate::process::{remove_folder, run, target, workspace};
use crate::tally::Tally;

/// Builds for each of `systems` in two folders, with one profile, and compares.
///
/// # Errors
/// A program does not build, or a file cannot be read.
pub fn checks(systems: &[&'static System], profiles: &Profiles) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for system in systems {
        let what = format!(
            "{}: two builds in different folders are the same",
            system.title
        );
        let folder = target().join("release-twice");
        remove_folder(&folder)?;
        fs::create_dir_all(&folder)?;
        let builder = match Builder::new(system) {
            Ok(builder) => builder,
            Err(why) => {
                tally.skip(&what, why);
                continue;
            }
        };
        let profile = profiles.get(system, &builder, &folder)?;
        match &profile {
            Ok(profile) => println!("{} with {} …", system.title, profile.display()),
            Err(why) => println!("{} without a profile: {why} …", system.title),
        }
        let mut programs = Vec::new();
        for place in ["one", "a-place-with-a-longer-name"] {
            let root = folder.join(place).join("relicast");
            copy(&root)?;
            let builder = Builder::from(system, root, folder.join(place).join("products"));
            let builder = match builder {
                Ok(builder) => builder,
                Err(why) => {
                    tally.skip(&what, why);
                    break;
                }
            };
            println!("{} in {} …", system.title, folder.join(place).display());
            // The folder of the profile is no part of a program either.
            let profile = match &profile {
                Ok(_) => take(system, &folder, &folder.join(place))?.ok(),
                Err(_) => None,
            };
            programs.push(fs::read(builder.build(profile.as_deref())?)?);
            // Only the program is compared; its build takes a gigabyte.
            remove_folder(&folder.join(place))?;
        }
        if let [first, second] = &*programs {
            let differing = first.iter().zip(second).filter(|(a, b)| a != b).count();
            let is_same = first == second;
            if !is_same {
                eprintln!(
                    "{} and {} bytes, {differing} differ",
                    first.len(),
                    second.len()
                );
            }
            tally.check(&what, is_same);
        }
    }
    Ok(tally)
}

/// The committed sources, with their history, which the program's version is read from.
fn copy(folder: &Path) -> Outcome {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    run(Command::new("git")
        .args(["clone", "--quiet"])
        .arg(workspace())
        .arg(folder))
}
