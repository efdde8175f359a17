//! Differences between two sets of golden hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use super::hashes::{Golden, GoldenOutput};

/// An output that differs from its golden hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// An unexpected output.
    Added(String),
    /// A missing output.
    Missing(String),
    /// Its bytes differ.
    Different {
        /// The output.
        path: String,
        /// The sorts of content that differ, such as `pixels` or `$.entries[3]`.
        what: Vec<String>,
    },
}

impl Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(path) => write!(formatter, "added      {path}"),
            Self::Missing(path) => write!(formatter, "missing    {path}"),
            Self::Different { path, what } => {
                write!(formatter, "different  {path}: {}", what.join(", "))
            }
        }
    }
}

/// Result of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Outputs that match their golden hashes.
    pub equal: usize,
    /// All others, sorted by path.
    pub differences: Vec<Difference>,
}

/// Compares actual with expected hashes.
pub fn compare(actual: &Golden, expected: &Golden) -> Comparison {
    let mut comparison = Comparison::default();
    let paths: BTreeSet<&String> = actual
        .outputs
        .keys()
        .chain(expected.outputs.keys())
        .collect();
    for path in paths {
        let difference = match (actual.outputs.get(path), expected.outputs.get(path)) {
            (Some(_), None) => Difference::Added(path.clone()),
            (None, _) => Difference::Missing(path.clone()),
            (Some(actual), Some(expected)) if actual.blake3 == expected.blake3 => {
                comparison.equal += 1;
                continue;
            }
            (Some(actual), Some(expected)) => Difference::Different {
                path: path.clone(),
                what: what_differs(actual, expected),
            },
        };
        comparison.differences.push(difference);
    }
    comparison
}

/// Names of the content digests that differ, the most specific ones only: a document's subtree is named only when no
/// part of it is.
fn what_differs(actual: &GoldenOutput, expected: &GoldenOutput) -> Vec<String> {
    let names: BTreeSet<&String> = actual
        .content_digest
        .keys()
        .chain(expected.content_digest.keys())
        .collect();
    let mut differing: BTreeMap<&str, String> = BTreeMap::new();
    for name in names {
        let note = match (
            actual.content_digest.get(name),
            expected.content_digest.get(name),
        ) {
            (Some(actual), Some(expected)) if actual == expected => continue,
            (Some(actual), Some(expected)) if is_plain(actual) && is_plain(expected) => {
                format!("{name} ({actual}, expected {expected})")
            }
            (Some(_), None) => format!("{name} (added)"),
            (None, Some(_)) => format!("{name} (missing)"),
            _ => name.clone(),
        };
        differing.insert(name, note);
    }
    let frames = frames_that_differ(&actual.frames, &expected.frames);
    let names: Vec<&str> = differing.keys().copied().collect();
    differing.retain(|name, _| {
        !names.iter().any(|other| {
            other.len() > name.len()
                && other.starts_with(name)
                && other[name.len()..].starts_with(['.', '['])
        })
    });
    let mut differing: Vec<String> = differing.into_values().collect();
    differing.extend(frames);
    if differing.is_empty() && actual.content_digest.is_empty() {
        vec!["content".to_owned()]
    } else if differing.is_empty() {
        vec!["encoding only, the content is the same".to_owned()]
    } else {
        differing
    }
}

/// The first frame that differs, and the number of others.
fn frames_that_differ(actual: &[String], expected: &[String]) -> Option<String> {
    let longest = actual.len().max(expected.len());
    let mut wrong = (0..longest).filter(|&index| actual.get(index) != expected.get(index));
    let first = wrong.next()?;
    Some(match wrong.count() {
        0 => format!("frame {first}"),
        more => format!("frame {first} and {more} more"),
    })
}

fn is_plain(value: &str) -> bool {
    value.len() != super::content_digest::HASH_LENGTH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(blake3: &str, content_digest: &[(&str, &str)]) -> GoldenOutput {
        GoldenOutput {
            blake3: blake3.to_owned(),
            size: 0,
            frames: Vec::new(),
            content_digest: content_digest
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        }
    }

    fn golden(outputs: &[(&str, GoldenOutput)]) -> Golden {
        Golden {
            outputs: outputs
                .iter()
                .map(|(path, output)| (path.to_string(), output.clone()))
                .collect(),
        }
    }

    #[test]
    fn frames_are_counted_and_the_first_is_reported() {
        let frames = |text: &str| -> Vec<String> { text.chars().map(String::from).collect() };
        let differ = |a, b| frames_that_differ(&frames(a), &frames(b));
        assert_eq!(differ("abc", "abc"), None);
        assert_eq!(differ("abc", "axc").as_deref(), Some("frame 1"));
        assert_eq!(
            differ("abc", "axcde").as_deref(),
            Some("frame 1 and 2 more")
        );
    }

    #[test]
    fn added_missing_and_different_are_distinguished() {
        let actual = golden(&[("a", output("1", &[])), ("b", output("2", &[]))]);
        let expected = golden(&[("b", output("3", &[])), ("c", output("4", &[]))]);
        let comparison = compare(&actual, &expected);
        assert_eq!(comparison.equal, 0);
        let lines: Vec<String> = comparison
            .differences
            .iter()
            .map(Difference::to_string)
            .collect();
        assert_eq!(
            lines,
            ["added      a", "different  b: content", "missing    c",]
        );
    }

    #[test]
    fn equal_facets_leave_the_encoding_and_no_facets_the_content() {
        let content_digest = [("pixels", "0123456789abcdef")];
        let (one, other) = (output("1", &content_digest), output("2", &content_digest));
        let encoding = ["encoding only, the content is the same"];
        assert_eq!(what_differs(&one, &other), encoding);
        let (one, other) = (output("1", &[]), output("2", &[]));
        assert_eq!(what_differs(&one, &other), ["content"]);
    }

    #[test]
    fn the_deepest_differing_facet_is_reported() {
        let actual = output(
            "1",
            &[("$", "x"), ("$.a", "y"), ("$.a[1]", "z"), ("$.b", "s")],
        );
        let expected = output(
            "2",
            &[("$", "X"), ("$.a", "Y"), ("$.a[1]", "Z"), ("$.b", "s")],
        );
        assert_eq!(what_differs(&actual, &expected), ["$.a[1] (z, expected Z)"]);
        let larger = output("1", &[("size", "4x4"), ("pixels", "0123456789abcdef")]);
        let smaller = output("2", &[("size", "2x4"), ("pixels", "fedcba9876543210")]);
        assert_eq!(
            what_differs(&larger, &smaller),
            ["pixels", "size (4x4, expected 2x4)"]
        );
    }
}
