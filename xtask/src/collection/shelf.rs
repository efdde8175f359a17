//! The discs and installs of a collection, in several editions.

use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast_samples::{self as sample, SampleFile, cabinet, disc};

use crate::Outcome;

/// Something that a collection holds.
#[derive(Debug, Clone)]
pub struct Disc {
    /// Name of its folder.
    pub name: String,
    /// Folder or disc image.
    pub input: PathBuf,
    /// True if it exists.
    pub exists: bool,
}

/// Change of an install since it was first pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edition {
    Original,
    /// A file was replaced.
    Patched,
    /// It holds more than the original.
    Extended,
    /// Half of an archive is missing.
    Damaged,
}

/// A disc, a damaged install and one that is gone, for the small run; written below a folder.
///
/// # Errors
/// A file cannot be written.
pub fn small(folder: &Path) -> Outcome<Vec<Disc>> {
    Ok(vec![
        install(folder, Game::Rc, Edition::Original)?,
        install(folder, Game::Eq, Edition::Damaged)?,
        image(folder, "disc", &disc::files()?)?,
        Disc {
            name: "gone".to_owned(),
            input: folder.join("gone"),
            exists: false,
        },
    ])
}

/// Twelve discs and installs in four editions, one of them damaged; written below a folder.
///
/// # Errors
/// A file cannot be written.
pub fn whole(folder: &Path) -> Outcome<Vec<Disc>> {
    let mut discs = Vec::new();
    for game in sample::GAMES {
        discs.push(install(folder, game, Edition::Original)?);
    }
    discs.push(install(folder, Game::Rc, Edition::Patched)?);
    discs.push(install(folder, Game::Eq, Edition::Patched)?);
    discs.push(install(folder, Game::Mw, Edition::Extended)?);
    discs.push(install(folder, Game::Cs, Edition::Damaged)?);
    discs.push(image(folder, "disc", &disc::files()?)?);
    discs.push(image(
        folder,
        "cabinets-mw",
        &cabinet::disc::mechwarrior()?,
    )?);
    discs.push(image(
        folder,
        "cabinets-cs",
        &cabinet::disc::crimson_skies()?,
    )?);
    Ok(discs)
}

fn install(folder: &Path, game: Game, edition: Edition) -> Outcome<Disc> {
    let name = match edition {
        Edition::Original => sample::folder(game).to_owned(),
        Edition::Patched => format!("{}-patched", sample::folder(game)),
        Edition::Extended => format!("{}-extended", sample::folder(game)),
        Edition::Damaged => format!("{}-damaged", sample::folder(game)),
    };
    let scale = if edition == Edition::Extended { 2 } else { 1 };
    let mut files = sample::files(game, scale)?;
    match edition {
        Edition::Original | Edition::Extended => (),
        Edition::Patched => patch(&mut files, sample::files(game, 2)?)?,
        Edition::Damaged => damage(&mut files)?,
    }
    let input = folder.join(&name);
    write(&input, &files)?;
    Ok(Disc {
        name,
        input,
        exists: true,
    })
}

/// Replaces the first file that has other bytes in the extended edition by that one.
fn patch(files: &mut [SampleFile], others: Vec<SampleFile>) -> Outcome {
    for other in others {
        let same_path = files.iter_mut().find(|file| file.path == other.path);
        if let Some(file) = same_path
            && file.bytes != other.bytes
        {
            *file = other;
            return Ok(());
        }
    }
    Err("the extended edition differs in no file".into())
}

/// Cuts the largest archive in half.
fn damage(files: &mut [SampleFile]) -> Outcome {
    let is_archive = |file: &&mut SampleFile| {
        let extension = Path::new(&file.path).extension();
        extension.is_some_and(|extension| extension == "zbd" || extension == "s3d")
    };
    let archives = files.iter_mut().filter(is_archive);
    let largest = archives.max_by_key(|file| file.bytes.len());
    let largest = largest.ok_or("the install has no archive")?;
    largest.bytes.truncate(largest.bytes.len() / 2);
    Ok(())
}

fn image(folder: &Path, name: &str, files: &[SampleFile]) -> Outcome<Disc> {
    let place = folder.join(name);
    write(&place, files)?;
    Ok(Disc {
        name: name.to_owned(),
        input: place.join(disc::SHEET),
        exists: true,
    })
}

fn write(folder: &Path, files: &[SampleFile]) -> Outcome {
    fs::create_dir_all(folder)?;
    sample::write_files(folder, files)?;
    Ok(())
}
