//! `relicast package`: packages an output folder for repositories.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::output_folder;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::remark;
use super::terminal::progress::with_bar;
use super::terminal::wording::size;
use crate::package::{self, Container, Options, PackageError};
use relicast_codec::quantity::counted;

/// Arguments of `package`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("kind").required(true).multiple(true).args(["bagit", "ro_crate"])))]
pub struct Arguments {
    /// Output folder of a finished run.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Folder for the package; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Make a BagIt 1.0 bag, with SHA-256 and SHA-512.
    #[arg(long)]
    bagit: bool,
    /// Write RO-Crate 1.2 metadata: sources, outputs, version and settings.
    #[arg(long)]
    ro_crate: bool,
    /// Write one zip file instead of a folder.
    #[arg(long, conflicts_with = "tar")]
    zip: bool,
    /// Write one tar file instead of a folder.
    #[arg(long)]
    tar: bool,
    /// Name of the package. Default: name of the output folder.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Date of the package, such as 2026-11-22. Default: SOURCE_DATE_EPOCH, or no date.
    #[arg(long, value_name = "DATE", value_parser = date)]
    date: Option<Timestamp>,
    /// URL of the license of the content.
    #[arg(long, value_name = "URL")]
    license: Option<String>,
}

/// Parses a day or a time.
fn date(text: &str) -> Result<Timestamp, String> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let day = text.parse::<Date>();
    let start = day.and_then(|day| day.to_zoned(TimeZone::UTC));
    let start = start.map(|start| start.timestamp());
    start.map_err(|_| "expected a day (2026-11-22) or a time (2026-11-22T10:00:00Z)".to_owned())
}

/// Reads SOURCE_DATE_EPOCH, the date for reproducible builds.
fn date_of_environment() -> Result<Option<Timestamp>, String> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.trim().parse().ok());
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    let shown = text.to_string_lossy();
    time.map(Some)
        .ok_or_else(|| format!("SOURCE_DATE_EPOCH is \"{shown}\"; expected a number of seconds"))
}

/// Runs `package`.
pub fn run(arguments: &Arguments) -> Exit {
    if let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    let date = match arguments.date {
        Some(date) => Some(date),
        None => match date_of_environment() {
            Ok(date) => date,
            Err(error) => return usage(error),
        },
    };
    let options = Options {
        name: arguments.name.clone(),
        bagit: arguments.bagit,
        ro_crate: arguments.ro_crate,
        container: match (arguments.zip, arguments.tar) {
            (true, _) => Container::Zip,
            (false, true) => Container::Tar,
            (false, false) => Container::Folder,
        },
        date,
        license: arguments.license.clone(),
    };
    match with_bar(false, |bar| {
        package::package(&arguments.out, &arguments.to, &options, bar)
    }) {
        Ok(packaged) => {
            for path in &packaged.extra {
                print_line(&format!("left out   {path}: not an output of a run"));
            }
            print_line(&format!(
                "{}, {} in {}",
                counted(packaged.files, "file", "files"),
                size(packaged.bytes),
                packaged.path.display()
            ));
            Exit::Success
        }
        Err(PackageError::Altered(faults)) => {
            faults
                .iter()
                .for_each(|fault| print_line(&fault.to_string()));
            remark(
                "refused",
                &format!(
                    "error: {} the manifest; run the conversion again or restore the originals",
                    counted(
                        faults.len(),
                        "output does not match",
                        "outputs do not match"
                    )
                ),
            );
            Exit::Failures
        }
        Err(error) => usage(error),
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_and_times_are_dates() {
        assert_eq!(
            date("2026-11-22").unwrap().to_string(),
            "2026-11-22T00:00:00Z"
        );
        assert_eq!(
            date("2026-11-22T01:00:00+01:00").unwrap(),
            date("2026-11-22").unwrap()
        );
        assert!(date("yesterday").is_err());
    }
}
