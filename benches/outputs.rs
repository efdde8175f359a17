//! Very many outputs in the benchmark: time and memory for each of 200,000 against those for each of 20,000.

use relicast_samples::{bulk_small, write_files};

use super::print::{MEGABYTE, verdict};
use super::program::Bench;
use super::spending::spending;
use crate::Outcome;
use crate::demo::read_report;
use crate::process::remove_folder;

/// Containers of a thousand members of the small install and of the large one.
const CONTAINERS: [u32; 2] = [20, 200];

/// Numbers that the project promises.
mod targets {
    /// Cost of an output among very many, over that of one among a tenth as many. Growth by a tenth is noise.
    pub const GROWTH: f64 = 1.1;
}

/// Cost of each output.
struct Each {
    outputs: f64,
    seconds: f64,
    processor: Option<f64>,
    memory: Option<f64>,
}

/// Measures both; `bench` gives program and folders.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, scale: f64, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("outputs");
    bench.source.clone_from(&folder);
    bench.options.clear();
    println!();
    let [few, many] = CONTAINERS.map(|count| ((f64::from(count) * scale).round() as u32).max(1));
    let few = measure_one(&bench, few, rounds)?;
    let many = measure_one(&bench, many, rounds)?;
    let title = format!(
        "time for each of {:.0} outputs, of that for each of {:.0}",
        many.outputs, few.outputs
    );
    let growth = many.seconds / few.seconds;
    verdict(&title, growth, targets::GROWTH, "x", false);
    if let (Some(many), Some(few)) = (many.processor, few.processor) {
        let title = "the same, processor time";
        verdict(title, many / few, targets::GROWTH, "x", false);
    }
    match (many.memory, few.memory) {
        (Some(of_many), Some(of_few)) => {
            let title = "peak memory for each output, of that of the smaller install";
            verdict(title, of_many / of_few, targets::GROWTH, "x", false);
            let more = of_many * many.outputs - of_few * few.outputs;
            println!(
                "        each further output takes {:.0} bytes of memory",
                more / (many.outputs - few.outputs)
            );
        }
        _ => println!("  ----  peak memory: not measured, there is no /proc here"),
    }
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}

fn measure_one(bench: &Bench, containers: u32, rounds: u32) -> Outcome<Each> {
    let members = containers * bulk_small::MANY;
    println!("writing an install with {members} members …");
    remove_folder(&bench.source)?;
    write_files(&bench.source, &bulk_small::many(containers)?)?;
    let mut seconds = f64::INFINITY;
    for round in 0..=rounds.min(2) {
        let now = bench.convert(2)?;
        // The first run warms the file cache up and is not counted.
        if round > 0 {
            seconds = seconds.min(now);
        }
    }
    let outputs = read_report(&bench.out)?.totals.outputs as f64;
    let peak = bench.peak_memory(2)?.map(|peak| peak as f64);
    let costs = spending(bench, 2)?;
    println!(
        "{outputs:.0} outputs: {seconds:.2} s with 2 jobs, {:.1} µs each{}{}",
        seconds / outputs * 1e6,
        costs.as_ref().map_or(String::new(), |costs| format!(
            ", {:.1} µs of the processor",
            costs.seconds / outputs * 1e6
        )),
        peak.map_or(String::new(), |peak| format!(
            "; {:.0} MB, {:.0} bytes each",
            peak / MEGABYTE,
            peak / outputs
        )),
    );
    Ok(Each {
        outputs,
        seconds: seconds / outputs,
        processor: costs.map(|costs| costs.seconds / outputs),
        memory: peak.map(|peak| peak / outputs),
    })
}
