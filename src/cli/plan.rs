//! `relicast plan`: splits a conversion into shards.

use std::path::PathBuf;

use serde::Serialize;

use super::inspect::json::print_document;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::{self, LogFormat};
use super::terminal::progress::{Mode, ProgressDisplay};
use super::terminal::wording::size;
use crate::config::{Config, GameChoice};
use crate::pipeline::plan::cut::{ShardedPlan, shards};
use crate::pipeline::report::manifest::CONVERTER;
use crate::pipeline::request::Request;
use crate::pipeline::run::plan_only;
use crate::pipeline::shard::{By, MOST_SHARDS};
use relicast_codec::quantity::counted;
use relicast_formats::asset::Game;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images or files to convert.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Number of shards.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SHARDS)))]
    shards: u32,
    /// Balance the shards by work (an estimate) or size (bytes of the sources).
    #[arg(long, value_name = "WHAT", default_value = "work")]
    by: By,
    /// Configuration file (see `relicast config`).
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Treat the input as this game instead of detecting it.
    #[arg(long)]
    game: Option<Game>,
    /// Plan only files or archive members (ARCHIVE/MEMBER) that match; may be repeated.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// With --only: leave out the textures, motions and sounds that the selected worlds, models and animations
    /// need.
    #[arg(long)]
    no_needs: bool,
    /// Print one JSON object with the files of every shard instead of a line for each.
    #[arg(long)]
    json: bool,
}

/// JSON document of `--json`.
#[derive(Serialize)]
struct Document {
    converter: &'static str,
    config_digest: String,
    #[serde(flatten)]
    cut: ShardedPlan,
}

/// Runs `plan`.
pub fn run(arguments: Arguments) -> Exit {
    let progress = ProgressDisplay::new(Mode::Silent);
    log::start(
        tracing::level_filters::LevelFilter::ERROR,
        LogFormat::Text,
        &progress,
    );
    let mut config = match arguments.config.as_deref().map(Config::load) {
        None => Config::default(),
        Some(Ok(config)) => config,
        Some(Err(error)) => return usage(error),
    };
    if let Some(game) = arguments.game {
        config.run.game = GameChoice::from(game);
    }
    let config_digest = config.digest();
    let request = Request {
        inputs: arguments.inputs,
        only: arguments.only,
        no_needs: arguments.no_needs,
        config,
        ..Request::default()
    };
    let plan = plan_only(&request, &progress);
    progress.finish();
    let cut = match plan {
        Ok(plan) => shards(&plan, arguments.shards, arguments.by),
        Err(error) => return usage(error),
    };
    if arguments.json {
        return print_document(&Document {
            converter: CONVERTER,
            config_digest,
            cut,
        });
    }
    print(&cut);
    Exit::Success
}

fn print(cut: &ShardedPlan) {
    for shard in &cut.shards {
        let share = shard.work.saturating_mul(100).checked_div(cut.work);
        print_line(&format!(
            "shard {}: {}, {}, {}, {}, {}% of the work",
            shard.shard,
            counted(shard.sources.len(), "file", "files"),
            size(shard.bytes),
            counted(shard.items, "item", "items"),
            counted(shard.outputs, "output", "outputs"),
            share.unwrap_or(0)
        ));
    }
    print_line(&format!(
        "{}, {}: convert each shard with `--shard I/{} --by {}` into a folder of its own, then run `relicast merge`",
        counted(cut.files, "file", "files"),
        size(cut.bytes),
        cut.shards.len(),
        cut.by.label()
    ));
}
