//! Converts a whole install and prints the progress:
//! `cargo run --example convert_install -- INSTALL OUTPUT`.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use relicast::config::Config;
use relicast::pipeline::progress::{StageProgress, Step};
use relicast::pipeline::report::{Report, Status};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;

/// Converts `install` into `out`; `progress` is called for every step, from all threads.
pub fn run(
    install: &Path,
    out: &Path,
    progress: impl Fn(&StageProgress) + Sync,
) -> Result<Report, Box<dyn Error>> {
    let mut config = Config::default();
    // Videos need ffmpeg.
    config.video.enabled = false;
    let request = Request {
        inputs: vec![install.to_owned()],
        out: out.to_owned(),
        config,
        ..Request::default()
    };
    // Another thread may set it to end the run early; the next run continues.
    let cancel = AtomicBool::new(false);
    Ok(convert(&request, &progress, &cancel)?.report)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(install), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: convert_install INSTALL OUTPUT".into());
    };
    let report = run(install.as_ref(), out.as_ref(), |progress| {
        if progress.step == Step::Advanced {
            eprint!("\r{} {:>3} %", progress.stage, progress.percent());
        } else {
            eprintln!("\r{} {:?}", progress.stage, progress.step);
        }
    })?;
    println!(
        "{} outputs; {} items failed",
        report.totals.outputs,
        report.count(Status::Failed)
    );
    Ok(())
}
