//! Selection of the user: globs, kinds of assets, and the dependencies of the selected files.

use super::planned::{FilePlan, PlannedFile, PlannedItem};
use crate::config::Config;
use relicast_convert::{Disposition, SkipCode, SkipReason};
use relicast_formats::asset::AssetKind;
use relicast_source::tree::Selection;

/// Returns true for kinds of items that use the content of other items.
fn has_needs(asset: AssetKind) -> bool {
    matches!(
        asset,
        AssetKind::Worlds | AssetKind::Models | AssetKind::Animations
    )
}

/// Returns true for kinds of items that others use.
fn is_needed(asset: AssetKind) -> bool {
    matches!(
        asset,
        AssetKind::Textures | AssetKind::Motions | AssetKind::Sounds
    )
}

/// Path of a member for globs.
fn path_of(file: &PlannedFile, planned: &PlannedItem) -> Option<String> {
    let member = planned.item.member.as_deref()?.replace('\\', "/");
    Some(format!("{}/{member}", file.source.path))
}

/// Matching items of a file, by index; none for an excluded file.
fn matching(
    file: &PlannedFile,
    selection: &Selection,
    takes: fn(&Selection, &str) -> bool,
) -> Vec<bool> {
    let path = &file.source.path;
    let whole = takes(selection, path);
    let excluded = selection.excludes(path);
    let by_member = |planned: &PlannedItem| {
        !excluded && path_of(file, planned).is_some_and(|path| takes(selection, &path))
    };
    let items = file.items().iter();
    items.map(|planned| whole || by_member(planned)).collect()
}

/// Turns unselected items into skips, after all paths are assigned, so that a partial run names its outputs
/// like a whole run. Worlds, models and animations include the textures, motions and sounds of their own file
/// and of its dependencies, unless `no_needs`. Returns whether anything matches.
pub(super) fn select(
    files: &mut [PlannedFile],
    selection: &Selection,
    config: &Config,
    no_needs: bool,
) -> bool {
    let of_file = |file: &PlannedFile| matching(file, selection, Selection::takes);
    let mut chosen: Vec<Vec<bool>> = files.iter().map(of_file).collect();
    let found = files
        .iter()
        .zip(&chosen)
        .any(|(file, items)| selection.takes(&file.source.path) || items.contains(&true));
    if !found && !files.is_empty() {
        return false;
    }
    if !no_needs {
        let mut needed: Vec<usize> = Vec::new();
        for (index, (file, chosen)) in files.iter().zip(&chosen).enumerate() {
            let needs = file.items().iter().zip(chosen).any(|(planned, &chosen)| {
                let asset = planned.item.asset;
                chosen && has_needs(asset) && config.enables(asset)
            });
            if needs {
                needed.push(index);
                needed.extend(&file.dependencies);
            }
        }
        needed.sort_unstable();
        needed.dedup();
        for index in needed {
            let (Some(file), Some(chosen)) = (files.get(index), chosen.get_mut(index)) else {
                continue;
            };
            let allowed = matching(file, selection, Selection::allows);
            for ((planned, chosen), allowed) in file.items().iter().zip(chosen).zip(allowed) {
                *chosen |= allowed && is_needed(planned.item.asset);
            }
        }
    }
    for (file, chosen) in files.iter_mut().zip(chosen) {
        let whole = selection.takes(&file.source.path);
        match &mut file.plan {
            FilePlan::Items { items, .. } => {
                for (planned, chosen) in items.iter_mut().zip(chosen) {
                    skip_unless(planned, chosen, config);
                }
            }
            plan => {
                if !whole {
                    *plan = FilePlan::Skip(SkipReason::not_selected());
                }
            }
        }
    }
    true
}

fn skip_unless(planned: &mut PlannedItem, chosen: bool, config: &Config) {
    let reason = if !chosen {
        Some(SkipReason::not_selected())
    } else if !config.enables(planned.item.asset) {
        let label = planned.item.asset.label();
        Some(SkipReason::new(
            SkipCode::SwitchedOff,
            format!("{label} are disabled in the settings"),
        ))
    } else {
        None
    };
    if let (Some(reason), Disposition::Convert | Disposition::Fail(_)) =
        (reason, &planned.item.verdict)
    {
        planned.item.verdict = Disposition::Skip(reason);
    }
}
