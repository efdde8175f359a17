//! Tables and verdicts that benches print.

use relicast::pipeline::report::Report;

/// Bytes of a megabyte, as benches print it.
pub const MEGABYTE: f64 = 1_048_576.0;

/// Prints one line of the comparison with the targets.
pub fn verdict(what: &str, value: f64, limit: f64, unit: &str, at_least: bool) {
    let (passes, relation) = match at_least {
        true => (value >= limit, "at least"),
        false => (value < limit, "below"),
    };
    let mark = if passes { "pass" } else { "MISS" };
    println!("  {mark}  {what}: {value:.2} {unit} (target: {relation} {limit:.2} {unit})");
}

/// Prints the work of a run by kind of asset.
pub fn print_kinds(report: &Report) {
    println!();
    println!(
        "{:<12} {:>7} {:>10} {:>10} {:>9} {:>9}",
        "asset", "items", "MB in", "MB out", "seconds", "MB/s"
    );
    for (kind, totals) in &report.totals.assets {
        let megabytes = totals.source_bytes as f64 / MEGABYTE;
        println!(
            "{:<12} {:>7} {:>10.1} {:>10.1} {:>9.3} {:>9.1}",
            kind.label(),
            totals.items,
            megabytes,
            totals.output_bytes as f64 / MEGABYTE,
            totals.seconds,
            megabytes / totals.seconds.max(1e-9),
        );
    }
    println!("(with 1 job; seconds of decoding, encoding and writing)");
}

/// Prints the time of a run by stage.
pub fn print_stages(report: &Report) {
    println!();
    println!(
        "{:<12} {:>9} {:>7} {:>8} {:>10}",
        "stage", "seconds", "share", "items", "MB"
    );
    let all: f64 = report.stages.iter().map(|stage| stage.seconds).sum();
    for stage in &report.stages {
        println!(
            "{:<12} {:>9.3} {:>6.1}% {:>8} {:>10.1}",
            stage.stage,
            stage.seconds,
            stage.seconds * 100.0 / all.max(1e-9),
            stage.items,
            stage.bytes as f64 / MEGABYTE,
        );
    }
    println!("(with 2 jobs; seconds of all threads together)");
}
