//! Summary of a run: what was converted, counts, required actions, the output folder and the next step.

use std::collections::BTreeMap;

use super::missing;
use super::terminal::console::abridged;
use super::terminal::lines::print_line;
use super::terminal::wording::{shell_word, size};
use crate::pipeline::report::finding::FindingKind;
use crate::pipeline::report::reason::FailureCode;
use crate::pipeline::report::{Edited, Report, SkipTotal, Status, StoreReport};
use crate::pipeline::request::Request;
use crate::pipeline::run::Outcome;
use relicast_codec::quantity::{counted, thousands};
use relicast_convert::SkipCode;

/// Most failures that are printed; the report has all.
const FAILURES: usize = 10;

/// Most kinds of missing things that are printed; the report has all.
const MISSING: usize = 8;

/// Prints the results of a run and what it lacks. [`print_end`] prints the rest after the last output was
/// written.
pub(super) fn print(request: &Request, outcome: &Outcome) {
    let report = &outcome.report;
    if let Some(shard) = request.shard {
        print_line(&format!("shard {shard}:"));
    }
    if outcome.nothing_to_do {
        print_line(&format!(
            "nothing to do: {} in {} {} up to date",
            counted(report.totals.outputs, "output", "outputs"),
            request.out.display(),
            if report.totals.outputs == 1 {
                "is"
            } else {
                "are"
            }
        ));
        return;
    }
    print_games(report, outcome.cancelled);
    print_line(&counts(report));
    print_skips(report);
    print_failures(report);
    print_missing(report);
    print_left(report);
    if report.unknown_variant.is_some() {
        print_line(
            "  unknown game version: please send what `relicast identify` prints to the person from whom you have relicast (also in report.json)",
        );
    }
    if let Some(store) = &report.store {
        print_store(store);
    }
    if let Some(line) = deviations(report) {
        print_line(&line);
    }
}

/// Prints the output folder and the next step.
pub(super) fn print_end(request: &Request, outcome: &Outcome) {
    let stages = &request.config.stages;
    if !(stages.convert && stages.emit) {
        return;
    }
    let totals = &outcome.report.totals;
    if !outcome.nothing_to_do {
        print_line(&format!(
            "{}, {} in {} (see report.json)",
            counted(totals.outputs, "output", "outputs"),
            size(totals.output_bytes),
            request.out.display()
        ));
    }
    if !outcome.cancelled && request.shard.is_none() && totals.outputs > 0 {
        print_next(&request.out);
    }
}

/// Prints the command that shows the outputs.
pub(super) fn print_next(out: &std::path::Path) {
    let out = shell_word(out);
    print_line(&format!("view them with: relicast serve {out} --open"));
}

/// Prints the games with their editions.
fn print_games(report: &Report, cancelled: bool) {
    let verb = if cancelled {
        "Partly converted: "
    } else {
        "Converted "
    };
    for edition in &report.editions {
        print_line(&format!("{verb}{}", edition.line()));
    }
    let has_edition = |title: &str| report.editions.iter().any(|edition| edition.game == title);
    for game in report.games.iter().filter(|game| !has_edition(&game.title)) {
        print_line(&format!("{verb}{}", game.title));
    }
}

/// Prints items that were not converted: a line for each reason with a remedy, and one for the rest.
fn print_skips(report: &Report) {
    let mut skipped: Vec<&SkipTotal> = report.totals.skipped.iter().collect();
    skipped.sort_by_key(|total| std::cmp::Reverse(total.count));
    let mut rest: BTreeMap<&str, u64> = BTreeMap::new();
    for SkipTotal { reason, count } in skipped {
        let counted = thousands(*count);
        match (reason.skip(), reason.skip().and_then(without_remedy)) {
            (_, Some(why)) => *rest.entry(why).or_default() += count,
            (Some(SkipCode::Cancelled), _) => {}
            (Some(SkipCode::NotSelected), _) => print_line(&format!("  {counted} not selected")),
            (Some(SkipCode::NoFfmpeg), _) => print_line(&format!(
                "  {counted} skipped: {reason}, and run the same command again"
            )),
            _ => print_line(&format!("  {counted} skipped: {reason}")),
        }
    }
    let mut rest: Vec<(&str, u64)> = rest.into_iter().collect();
    rest.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let is_one = rest.len() == 1;
    let items = rest.iter().map(|&(why, count)| match is_one {
        true => why.to_owned(),
        false => format!("{} {why}", thousands(count)),
    });
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let all = thousands(rest.iter().map(|&(_, count)| count).sum());
        let items = items.join(", ");
        print_line(&format!("  {all} not converted: {items}; see report.json"));
    }
}

/// Text for skips without a remedy.
fn without_remedy(code: SkipCode) -> Option<&'static str> {
    match code {
        SkipCode::NotConverted => Some("without a converter"),
        SkipCode::PartOfOther | SkipCode::CopiedAsFile => Some("part of another file"),
        SkipCode::UnknownFormat => Some("of unknown format"),
        SkipCode::Empty => Some("empty"),
        SkipCode::NotAFile => Some("not a file"),
        _ => None,
    }
}

/// Prints things that other files of the game would have.
fn print_missing(report: &Report) {
    let (count, lines) = missing::lines(report);
    if lines.is_empty() {
        return;
    }
    print_line(&format!(
        "  {} missing; add the files that have {} to the input and run again:",
        counted(count, "thing is", "things are"),
        if count == 1 { "it" } else { "them" }
    ));
    for line in lines.iter().take(MISSING) {
        print_line(&format!("    {line}"));
    }
    let more = lines.len().saturating_sub(MISSING) as u64;
    if more > 0 {
        let kinds = counted(more, "more kind", "more kinds");
        print_line(&format!("    {kinds} in report.json"));
    }
}

/// Line about deviations, which need no action.
fn deviations(report: &Report) -> Option<String> {
    let count = report.totals.deviations;
    let counted = counted(count, "harmless deviation", "harmless deviations");
    (count > 0).then(|| format!("  {counted} from the formats; see report.json"))
}

/// Prints the use of the store.
pub(super) fn print_store(store: &StoreReport) {
    print_line(&format!(
        "  store: {} reused; outputs: {} linked, {} cloned, {} copied, {} saved; {} added, {}",
        counted(store.items, "item", "items"),
        store.linked,
        store.cloned,
        store.copied,
        size(store.bytes_saved),
        counted(store.added, "file", "files"),
        size(store.added_bytes)
    ));
    if store.damaged > 0 {
        print_line(&format!(
            "  store: {} changed by another program; moved to `damaged` and made again",
            counted(store.damaged, "file", "files")
        ));
    }
    if store.faults > 0 {
        print_line(&format!(
            "  store: {} could not be shared; the outputs are complete, but not in the store",
            counted(store.faults, "output or item", "outputs or items")
        ));
    }
}

/// Prints files in the output folder that this run did not write.
fn print_left(report: &Report) {
    let outputs = |count: usize, one: &str, many: &str| counted(count as u64, one, many);
    if !report.removed.is_empty() {
        print_line(&format!(
            "  {} deleted (use --keep to preserve stale outputs)",
            outputs(report.removed.len(), "stale output", "stale outputs")
        ));
    }
    if !report.kept.is_empty() {
        print_line(&format!(
            "  {} preserved (by --keep, or because the source could not be read)",
            outputs(
                report.kept.len(),
                "output of an earlier run",
                "outputs of an earlier run"
            )
        ));
    }
    let moved = |edited: &&Edited| edited.moved_to.is_some();
    let (moved, left): (Vec<&Edited>, Vec<&Edited>) = report.edited.iter().partition(moved);
    if let Some(first) = moved.first() {
        print_line(&format!(
            "  {} moved aside, such as {} (--force overwrites instead)",
            outputs(moved.len(), "changed file", "changed files"),
            first.moved_to.as_deref().unwrap_or_default()
        ));
    }
    if let Some(first) = left.first() {
        print_line(&format!(
            "  {} preserved, such as {}",
            outputs(left.len(), "edited stale output", "edited stale outputs"),
            first.path
        ));
    }
}

/// Prints failures: each one, or the kinds with an example if there are many; and the next step if a limit was
/// exceeded.
pub(super) fn print_failures(report: &Report) {
    print_failed(report);
    if report
        .reasons()
        .any(|reason| reason.failed() == Some(FailureCode::Limit))
    {
        print_line(
            "    if you trust these files, raise the limit: run `relicast config > pipeline.toml`, change the \
             named setting, and run again with --config pipeline.toml",
        );
    }
}

fn print_failed(report: &Report) {
    let failed = report.count(Status::Failed);
    if failed == 0 {
        return;
    }
    print_line(&format!("  {} failed:", thousands(failed)));
    let items = report.sources.iter().flat_map(|source| {
        let own = source
            .reason
            .as_ref()
            .map(|reason| &*reason.text)
            .map(|reason| (source.status, None, reason));
        let items = source.items.iter();
        let items = items.filter_map(|item| {
            Some((
                item.status,
                item.member.as_deref(),
                &*item.reason.as_ref()?.text,
            ))
        });
        own.into_iter()
            .chain(items)
            .map(|(status, member, reason)| (status, &*source.path, member, reason))
    });
    let failures: Vec<String> = items
        .filter(|&(status, ..)| status == Status::Failed)
        .map(|(_, path, member, reason)| match member {
            Some(member) => format!("{path}: {member}: {reason}"),
            None => format!("{path}: {reason}"),
        })
        .collect();
    if failures.len() <= FAILURES {
        failures
            .iter()
            .for_each(|line| print_line(&format!("    {}", abridged(line))));
        return;
    }
    let kinds = report.findings.iter();
    let kinds = kinds.filter(|finding| finding.kind == FindingKind::Failure);
    for finding in kinds.clone().take(FAILURES) {
        print_line(&format!("    {finding}"));
    }
    let more = kinds.count().saturating_sub(FAILURES) as u64;
    if more > 0 {
        let kinds = counted(more, "more kind", "more kinds");
        print_line(&format!("    {kinds} of failures in report.json"));
    }
}

/// Counts of files and items by result.
pub(super) fn counts(report: &Report) -> String {
    let all = [
        Status::Converted,
        Status::Copied,
        Status::Unchanged,
        Status::Skipped,
        Status::Failed,
    ];
    // Items that were not started are neither done nor skipped.
    let cancelled = report.totals.skipped_for(SkipCode::Cancelled);
    let counts: Vec<String> = all
        .into_iter()
        .map(|status| match status {
            Status::Skipped => (
                report.count(status).saturating_sub(cancelled),
                status.label(),
            ),
            _ => (report.count(status), status.label()),
        })
        .chain([(cancelled, "not started")])
        .filter(|&(count, _)| count > 0)
        .map(|(count, label)| format!("{} {label}", thousands(count)))
        .collect();
    format!(
        "{}, {}: {}",
        counted(report.totals.files, "file", "files"),
        size(report.totals.bytes),
        counts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_one_line_or_none() {
        let mut report = Report::default();
        assert_eq!(deviations(&report), None);
        for (count, line) in [
            (
                1,
                "  1 harmless deviation from the formats; see report.json",
            ),
            (
                2_380,
                "  2,380 harmless deviations from the formats; see report.json",
            ),
        ] {
            report.totals.deviations = count;
            assert_eq!(deviations(&report).as_deref(), Some(line));
        }
    }
}
