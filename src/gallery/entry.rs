//! Assets of a converted folder, one per item of a source, with their files. File contents are not read here.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::kinds::{Viewer, role, word};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::{InputNumber, ManifestOutput};
use crate::pipeline::report::reason::Reason;
use crate::pipeline::report::{ItemReport, SourceReport, Status};
use relicast_formats::asset::{AssetKind, Game};

/// Asset: one item of a source file, or a file without items.
#[derive(Debug, Clone)]
pub(super) struct Entry<'c> {
    /// Its game, if known.
    pub game: Option<Game>,
    /// Its kind.
    pub kind: AssetKind,
    /// Viewer that shows it.
    pub viewer: Viewer,
    /// Its status.
    pub status: Status,
    /// Input of the source.
    pub input: InputNumber,
    /// Path of the source file.
    pub source: &'c str,
    /// Stored name of the member.
    pub member: Option<&'c str>,
    /// Report of the source.
    pub source_report: Option<&'c SourceReport>,
    /// Row of the item in the report.
    pub item: Option<&'c ItemReport>,
    /// Output files, the main one first, with their roles.
    pub outputs: Vec<(String, &'c ManifestOutput)>,
    /// Stable key: the path of its main file, or a colon and its place in the source.
    pub key: String,
}

impl<'c> Entry<'c> {
    /// Main file.
    pub fn main(&self) -> Option<&'c ManifestOutput> {
        self.outputs.first().map(|(_, output)| *output)
    }

    /// First file with the role `role`.
    pub fn output(&self, role: &str) -> Option<&'c ManifestOutput> {
        let mut outputs = self.outputs.iter();
        outputs
            .find(|(is, _)| is == role)
            .map(|(_, output)| *output)
    }

    /// Stored name of the member, or else of the file.
    pub fn name(&self) -> &'c str {
        let name = self.member.unwrap_or(self.source);
        match self.member {
            Some(_) => name,
            None => name.rsplit_once('/').map_or(name, |(_, name)| name),
        }
    }

    /// Stored name without folders and extension.
    pub fn stem(&self) -> &'c str {
        let name = self.name();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }

    /// Reason for a skip or failure.
    pub fn reason(&self) -> Option<&'c Reason> {
        match self.item {
            Some(item) => item.reason.as_ref(),
            None => self.source_report?.reason.as_ref(),
        }
    }
}

/// All assets, sorted by game, kind, source, and position in the source.
pub(super) fn entries(converted: &Converted) -> Vec<Entry<'_>> {
    let outputs: HashMap<&str, &ManifestOutput> = (converted.manifest.outputs.iter())
        .map(|output| (&*output.path, output))
        .collect();
    let own = (converted.report.sources.iter()).map(|source| (source.input, source));
    let others = converted.report.others.iter().flat_map(|other| {
        let input = other.input_report.input;
        other.sources.iter().map(move |source| (input, source))
    });
    let only_game = match &*converted.report.games {
        [game] => Some(game.game),
        _ => None,
    };
    let mut entries = Vec::new();
    let mut claimed: HashSet<&str> = HashSet::new();
    let mut games: HashMap<(InputNumber, &str), Option<Game>> = HashMap::new();
    for (input, source) in own.chain(others) {
        let game = source.game.or(only_game);
        games.insert((input, &source.path), game);
        let whole = Entry {
            game,
            kind: AssetKind::Other,
            viewer: Viewer::None,
            status: source.status,
            input,
            source: &source.path,
            member: None,
            source_report: Some(source),
            item: None,
            outputs: Vec::new(),
            key: String::new(),
        };
        if source.items.is_empty() {
            entries.push(whole.clone());
        }
        for item in &source.items {
            let known = item.outputs.iter().filter_map(|path| outputs.get(&**path));
            let files: Vec<&ManifestOutput> = known.copied().collect();
            claimed.extend(files.iter().map(|output| &*output.path));
            entries.push(Entry {
                kind: item.asset,
                status: item.status,
                member: item.member.as_deref(),
                item: Some(item),
                outputs: in_order(files, item.asset),
                ..whole.clone()
            });
        }
    }
    entries.extend(left_over(converted, &claimed, &games));
    entries.sort_by(|a, b| order(a).cmp(&order(b)));
    name_keys(&mut entries);
    entries
}

type Order<'e> = (bool, Option<Game>, AssetKind, &'e str, InputNumber);

/// Sort key of assets; those of one source keep their order.
fn order<'e>(entry: &'e Entry<'_>) -> Order<'e> {
    (
        entry.game.is_none(),
        entry.game,
        entry.kind,
        entry.source,
        entry.input,
    )
}

/// Outputs that the report does not list, such as preserved outputs of an earlier run.
fn left_over<'c>(
    converted: &'c Converted,
    claimed: &HashSet<&str>,
    games: &HashMap<(InputNumber, &str), Option<Game>>,
) -> Vec<Entry<'c>> {
    type Group<'c> = (InputNumber, &'c str, Option<&'c str>, AssetKind);
    let mut groups: BTreeMap<Group<'c>, Vec<&'c ManifestOutput>> = BTreeMap::new();
    for output in &converted.manifest.outputs {
        if !claimed.contains(&*output.path) {
            let group = (
                output.input,
                &*output.source,
                output.member.as_deref(),
                output.kind,
            );
            groups.entry(group).or_default().push(output);
        }
    }
    let groups = groups.into_iter();
    let entry = |((input, source, member, kind), files): (Group<'c>, Vec<_>)| Entry {
        game: games.get(&(input, source)).copied().flatten(),
        kind,
        viewer: Viewer::None,
        status: Status::Unchanged,
        input,
        source,
        member,
        source_report: None,
        item: None,
        outputs: in_order(files, kind),
        key: String::new(),
    };
    groups.map(entry).collect()
}

/// Files of an asset with their roles, the main one first, the others by path.
fn in_order(mut files: Vec<&ManifestOutput>, kind: AssetKind) -> Vec<(String, &ManifestOutput)> {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let main = files.iter().copied().min_by_key(|output| {
        let path = &*output.path;
        (Viewer::new(path, kind).rank(), path.len(), path)
    });
    let Some(main) = main else {
        return Vec::new();
    };
    let others = files.into_iter().filter(|output| output.path != main.path);
    let others = others.map(|output| (role(&main.path, &output.path), output));
    std::iter::once(("main".to_owned(), main))
        .chain(others)
        .collect()
}

/// Sets the key and viewer of every asset.
fn name_keys(entries: &mut [Entry<'_>]) {
    let mut taken = BTreeSet::new();
    for entry in entries {
        entry.viewer = entry
            .main()
            .map_or(Viewer::None, |main| Viewer::new(&main.path, entry.kind));
        let key = match entry.main() {
            Some(main) => main.path.clone(),
            None => match entry.member {
                Some(member) => format!(":{}/{member}", entry.source),
                None => format!(":{}", entry.source),
            },
        };
        let mut unique = key.clone();
        let mut number = 1_u32;
        while !taken.insert(unique.clone()) {
            number += 1;
            unique = match number {
                2 => format!("{key}#{}", word(&entry.kind)),
                _ => format!("{key}#{}-{number}", word(&entry.kind)),
            };
        }
        entry.key = unique;
    }
}
