//! Groups similar messages of many files into one line with a count and an example. The report lists every
//! message with its item; the groups are printed at the end of a run.
//!
//! ```
//! use relicast::pipeline::report::findings::group;
//!
//! assert!(group(&[]).is_empty());
//! ```

use std::collections::{BTreeMap, BTreeSet};

use tracing::{info, warn};

use super::finding::{Finding, FindingKind};
use super::reason::Reason;
use super::{ItemReport, SourceReport, Status};

/// Message and its origin.
struct Message<'r> {
    kind: FindingKind,
    source: &'r str,
    member: Option<&'r str>,
    text: &'r str,
}

/// Similar messages found so far.
struct Group<'r> {
    finding: Finding,
    /// Words of the messages; `None` where they differ.
    words: Vec<Option<String>>,
    sources: BTreeSet<&'r str>,
}

/// Maximum number of groups of one kind, and of words. Further messages join the last group, because a hostile
/// source could have a different message for every member.
const MAX_GROUPS: usize = 64;

/// The words of a message without its variable parts: text in brackets, and numbers.
fn words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            digit if digit.is_ascii_digit() => {
                if !plain.ends_with('#') {
                    plain.push('#');
                }
            }
            other => plain.push(other),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

impl Group<'_> {
    /// Returns whether at least three of five words are equal.
    fn is_similar(&self, words: &[String]) -> bool {
        let own = self.words.iter().zip(words);
        let equal = own.filter(|(own, other)| own.as_ref() == Some(*other));
        equal.count().saturating_mul(5) >= words.len().saturating_mul(3)
    }
}

/// Groups the messages of all sources: the most severe kind first, then the most frequent message.
pub fn group(sources: &[SourceReport]) -> Vec<Finding> {
    let mut groups: BTreeMap<(FindingKind, usize), Vec<Group<'_>>> = BTreeMap::new();
    for source in sources {
        each_message(source, &mut |message| {
            let words = words(message.text);
            let similar = groups.entry((message.kind, words.len())).or_default();
            let full = similar.len() >= MAX_GROUPS;
            let last = similar.len().saturating_sub(1);
            let place = similar.iter().position(|group| group.is_similar(&words));
            match place
                .or(full.then_some(last))
                .and_then(|at| similar.get_mut(at))
            {
                Some(group) => {
                    group.finding.count = group.finding.count.saturating_add(1);
                    group.sources.insert(message.source);
                    for (own, other) in group.words.iter_mut().zip(words) {
                        if own.as_ref() != Some(&other) {
                            *own = None;
                        }
                    }
                }
                None => similar.push(Group {
                    finding: Finding {
                        kind: message.kind,
                        count: 1,
                        sources: 1,
                        source: message.source.to_owned(),
                        member: message.member.map(str::to_owned),
                        example: message.text.to_owned(),
                    },
                    words: words.into_iter().map(Some).collect(),
                    sources: BTreeSet::from([message.source]),
                }),
            }
        });
    }
    let mut findings: Vec<Finding> = groups
        .into_values()
        .flatten()
        .map(|group| Finding {
            sources: group.sources.len() as u64,
            ..group.finding
        })
        .collect();
    // Stable sort: equal counts stay in the order of the sources.
    findings.sort_by_key(|finding| (finding.kind, std::cmp::Reverse(finding.count)));
    findings
}

fn each_message<'r>(source: &'r SourceReport, take: &mut dyn FnMut(Message<'r>)) {
    let mut say = |kind, item: Option<&'r ItemReport>, text: &'r str| {
        take(Message {
            kind,
            source: &source.path,
            member: item.and_then(|item| item.member.as_deref()),
            text,
        });
    };
    if let Some((kind, text)) = with_kind(source.status, source.reason.as_ref()) {
        say(kind, None, text);
    }
    for text in &source.deviations.first {
        say(FindingKind::Deviation, None, text);
    }
    for text in &source.notes {
        say(FindingKind::Note, None, text);
    }
    for item in &source.items {
        if let Some((kind, text)) = with_kind(item.status, item.reason.as_ref()) {
            say(kind, Some(item), text);
        }
        for text in &item.deviations.first {
            say(FindingKind::Deviation, Some(item), text);
        }
        for (place, text) in item.notes.iter().enumerate() {
            let kind = if item.missing.contains(&place) {
                FindingKind::Missing
            } else {
                FindingKind::Note
            };
            say(kind, Some(item), text);
        }
    }
}

/// Text of a reason with its kind of finding: failures are findings, and so are skips that a user can act on. A
/// file whose items failed has no reason of its own.
fn with_kind(status: Status, reason: Option<&Reason>) -> Option<(FindingKind, &str)> {
    let reason = reason?;
    let kind = match status {
        Status::Failed => FindingKind::Failure,
        Status::Skipped if reason.has_remedy() => FindingKind::Skip,
        _ => return None,
    };
    Some((kind, &reason.text))
}

/// Logs at most `most` findings: those that the user can act on as warnings, deviations and notes as
/// information. Failures were logged when they occurred.
pub fn log(findings: &[Finding], most: usize) {
    let listed = findings
        .iter()
        .filter(|finding| finding.kind != FindingKind::Failure);
    for finding in listed.clone().take(most) {
        let kind = finding.kind.label(2);
        let &Finding { count, sources, .. } = finding;
        let (source, member) = (&*finding.source, finding.member.as_deref());
        let example = &*finding.example;
        match finding.kind {
            FindingKind::Note | FindingKind::Deviation => {
                info!(
                    event = "finding",
                    kind, count, sources, source, member, example, "{finding}"
                );
            }
            _ => {
                warn!(
                    event = "finding",
                    kind, count, sources, source, member, example, "{finding}"
                );
            }
        }
    }
    let more = listed.count().saturating_sub(most);
    if more > 0 {
        info!(
            event = "more",
            count = more,
            "{more} more kinds of findings are in report.json"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::report::Faults;
    use crate::pipeline::report::reason::FailureCode;
    use relicast_convert::SkipReason;
    use relicast_formats::asset::AssetKind;
    use relicast_formats::kind::Kind;

    fn source(path: &str, notes: &[&str]) -> SourceReport {
        SourceReport {
            input: Default::default(),
            path: path.to_owned(),
            size: 1,
            modified: 0,
            blake3: None,
            kind: "sound".to_owned(),
            game: None,
            status: Status::Converted,
            reason: None,
            deviations: Faults::default(),
            notes: Vec::new(),
            items: vec![ItemReport {
                member: Some("a.wav".to_owned()),
                asset: AssetKind::Sounds,
                status: Status::Converted,
                reason: None,
                outputs: Vec::new(),
                deviations: Faults::default(),
                notes: notes.iter().map(|&note| note.to_owned()).collect(),
                missing: Vec::new(),
                checks: None,
                seconds: 0.0,
                made: None,
            }],
        }
    }

    #[test]
    fn repeated_messages_are_one_finding() {
        let sources = [
            source(
                "a",
                &["no package has the texture leaf", "12 lights (a, b)"],
            ),
            source("b", &["no package has the texture bark", "7 lights (c)"]),
            source("c", &["something else altogether happens here"]),
        ];
        let findings = group(&sources);
        let counts: Vec<u64> = findings.iter().map(|finding| finding.count).collect();
        assert_eq!(counts, [2, 2, 1], "{findings:?}");
        assert!(findings[2].to_string().starts_with("c: a.wav: something"));
        let line = findings.iter().map(Finding::to_string);
        let line = line
            .filter(|line| line.contains("texture"))
            .collect::<String>();
        let expected = "2 notes like this in 2 files: a: a.wav: no package has the texture leaf";
        assert_eq!(line, expected);
    }

    #[test]
    fn failures_come_first_and_skips_are_findings_when_a_user_can_act() {
        let mut failed = source("z", &[]);
        failed.items[0].status = Status::Failed;
        failed.items[0].reason = Some(Reason::failure(
            FailureCode::Invalid,
            "at byte 7: expected 1, found 2",
        ));
        let mut skipped = source("y", &["a note"]);
        skipped.items[0].status = Status::Skipped;
        skipped.items[0].reason = Some((&SkipReason::no_ffmpeg("it was not found")).into());
        let mut foreign = source("x", &[]);
        foreign.items[0].status = Status::Skipped;
        foreign.items[0].reason =
            Some((&SkipReason::for_kind(Kind::Program, "no ffmpeg: program code")).into());
        let mut broken = source("w", &[]);
        broken.items[0].deviations = Faults {
            total: 1,
            first: vec!["size at byte 4 (0x4): expected 1, found 2".to_owned()],
        };
        let mut wanting = source("v", &["a first", "no archive has the texture leaf"]);
        wanting.items[0].missing = vec![1];
        let findings = group(&[foreign, skipped, broken, wanting, failed]);
        let kinds: Vec<FindingKind> = findings.iter().map(|finding| finding.kind).collect();
        let [first, .., last] = &*kinds else {
            panic!("{kinds:?}");
        };
        assert_eq!((*first, *last), (FindingKind::Failure, FindingKind::Note));
        assert_eq!(
            kinds[1..4],
            [
                FindingKind::Skip,
                FindingKind::Deviation,
                FindingKind::Missing
            ]
        );
    }

    #[test]
    fn a_source_that_says_something_else_each_time_does_not_grow_the_findings() {
        let texts: Vec<String> = (0..1000_u32)
            .map(|index| format!("{0} {0}{0} {0}x", char::from_u32(0x4E00 + index).unwrap()))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let findings = group(&[source("a", &texts)]);
        assert!(findings.len() <= MAX_GROUPS);
        assert_eq!(
            findings.iter().map(|finding| finding.count).sum::<u64>(),
            1000
        );
    }
}
