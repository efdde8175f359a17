//! Estimated work of an item, for the remaining time.

use super::planned::PlannedItem;
use relicast_convert::Disposition;
use relicast_formats::asset::AssetKind;

/// Work for any item: its outputs are opened, hashed and renamed.
const EACH: u64 = 10_000;

/// Work per source byte by asset kind. Measured on installs of several games; one unit is about the cost of
/// copying one byte.
fn by_byte(asset: AssetKind) -> u64 {
    match asset {
        AssetKind::Worlds => 40,
        AssetKind::Textures | AssetKind::Music => 20,
        AssetKind::Animations => 10,
        AssetKind::Sounds | AssetKind::Motions => 5,
        AssetKind::Models => 2,
        AssetKind::Video => 60,
        _ => 1,
    }
}

/// Estimated work of an item; 0 if the plan does not convert it.
pub(in crate::pipeline) fn estimate(planned: &PlannedItem) -> u64 {
    let item = &planned.item;
    if item.verdict != Disposition::Convert {
        return 0;
    }
    let length = item.range.end.saturating_sub(item.range.start);
    length
        .saturating_mul(by_byte(item.asset))
        .saturating_add(EACH)
}
