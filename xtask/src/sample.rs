//! `cargo xtask sample`.

use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast_samples::{GAMES, cabinet, disc, files, folder, hostile, write_files};

use crate::Outcome;

/// Writes a sample install of each game into its own folder below DIR, and a disc image.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder that the installs are written to; existing files are overwritten.
    dir: PathBuf,
    /// Multiplies the number of generated sounds, textures and `.zrd` files (1 to 1000).
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    scale: u32,
    /// Write only this game; repeatable. Without it: all games and the disc images.
    #[arg(long = "game", value_enum)]
    games: Vec<Game>,
}

/// Writes all samples, each into its own folder below `dir`.
///
/// # Errors
/// A file cannot be written.
pub fn write_all(dir: &Path) -> Outcome {
    run(&Arguments {
        dir: dir.to_owned(),
        scale: 1,
        games: Vec::new(),
    })
}

/// Runs the command.
///
/// # Errors
/// A game without a sample was asked for, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Outcome {
    let games = match &*arguments.games {
        [] => &GAMES[..],
        chosen => chosen,
    };
    for &game in games {
        let files = files(game, arguments.scale)?;
        let target = arguments.dir.join(folder(game));
        write_files(&target, &files)?;
        let size: usize = files.iter().map(|file| file.bytes.len()).sum();
        println!(
            "{}: {} files, {} KB in {}",
            game,
            files.len(),
            size / 1024,
            target.display()
        );
    }
    if arguments.games.is_empty() {
        let target = arguments.dir.join("disc");
        write_files(&target, &disc::files()?)?;
        println!("disc image: {}", target.join(disc::SHEET).display());
        let made = [
            ("cabinets-mw", cabinet::disc::mechwarrior()?),
            ("cabinets-cs", cabinet::disc::crimson_skies()?),
        ];
        for (name, files) in made {
            let target = arguments.dir.join(name);
            write_files(&target, &files)?;
            println!(
                "disc image with cabinets: {}",
                target.join(disc::SHEET).display()
            );
        }
        let target = arguments.dir.join("hostile");
        write_files(&target, &hostile::files()?)?;
        println!(
            "archives with hostile file names (path traversal): {}",
            target.display()
        );
    }
    Ok(())
}
