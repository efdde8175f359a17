//! Rules for imports between layers, and for circles between files.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

use super::graph::Graph;

/// A layer: the first part of a module's path, and the layers that it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// The layers of `src/`, from the bottom up; the compiler enforces the boundaries of the crates below. A
/// layer imports itself and the layers listed for it; the root (`lib.rs`) is the top.
pub const LAYERS: &[Layer] = &[
    ("config", &[]),
    ("pipeline", &["config"]),
    ("golden", &["pipeline"]),
    ("package", &["golden", "pipeline"]),
    ("pack", &["config", "golden", "pipeline"]),
    ("collection", &["golden", "package", "pipeline"]),
    ("gallery", &["config", "pipeline"]),
    ("project", &["config", "pipeline"]),
    (
        "cli",
        &[
            "collection",
            "config",
            "gallery",
            "golden",
            "pack",
            "package",
            "pipeline",
            "project",
        ],
    ),
];

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// A file imports from a layer above its own.
    Upward {
        /// The importing file and line.
        place: String,
        /// The layer of the file.
        from: String,
        /// The layer that is imported.
        to: String,
        /// The imported file.
        file: String,
    },
    /// Files that import each other: `file:line` of each import on the shortest circle.
    Circle(Vec<String>),
    /// A module that belongs to no layer.
    Unknown(String),
}

impl Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upward {
                place,
                from,
                to,
                file,
            } => write!(
                formatter,
                "upward arrow: {place} ({from}) imports {file} ({to})"
            ),
            Self::Circle(way) => {
                write!(
                    formatter,
                    "circle of {} files: {}",
                    way.len(),
                    way.join(" -> ")
                )?;
                match way.first() {
                    Some(first) => write!(formatter, " -> {first}"),
                    None => Ok(()),
                }
            }
            Self::Unknown(file) => write!(formatter, "no layer: {file}"),
        }
    }
}

/// All broken rules: upward imports, then [`circles`].
pub fn violations(graph: &Graph, layers: &[Layer]) -> Vec<Violation> {
    let mut found = Vec::new();
    let allowed: BTreeMap<&str, &[&str]> = layers.iter().copied().collect();
    for (index, node) in graph.nodes().iter().enumerate() {
        let Some(layer) = node.module.first() else {
            continue;
        };
        let Some(below) = allowed.get(layer.as_str()) else {
            found.push(Violation::Unknown(node.file.display().to_string()));
            continue;
        };
        for &target in node.to.keys() {
            let other = &graph.nodes()[target];
            let to = other.module.first().map_or("the root", String::as_str);
            if to != layer && !below.contains(&to) {
                let (file, line) = graph.place(index, target);
                found.push(Violation::Upward {
                    place: format!("{}:{line}", file.display()),
                    from: layer.clone(),
                    to: to.to_owned(),
                    file: other.file.display().to_string(),
                });
            }
        }
    }
    found.extend(circles(graph));
    found
}

/// Files that import each other.
pub fn circles(graph: &Graph) -> Vec<Violation> {
    let found = graph.circles().into_iter().map(|way| {
        let next = way.iter().skip(1).chain(way.first());
        let arrows = way.iter().zip(next).map(|(&from, &to)| {
            let (file, line) = graph.place(from, to);
            format!("{}:{line}", file.display())
        });
        Violation::Circle(arrows.collect())
    });
    found.collect()
}

/// Table of the number of files in each layer that import from each other layer.
pub fn table(graph: &Graph) -> String {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for node in graph.nodes() {
        for &target in node.to.keys() {
            let other = &graph.nodes()[target];
            if let (Some(from), Some(to)) = (node.module.first(), other.module.first())
                && from != to
            {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
    }
    let mut text = String::new();
    for ((from, to), count) in counts {
        let _ = writeln!(text, "{from:>10} -> {to:<10} {count}");
    }
    text
}
