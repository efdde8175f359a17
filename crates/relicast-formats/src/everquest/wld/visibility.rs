//! Regions that can be seen from a region: a run-length code of their numbers.

use relicast_codec::{Decoded, Deviations};

/// Decodes a list of region numbers, counted from 0 and ascending. Numbers from `region_count` on
/// are left out and reported, so the work is bounded by both lengths.
pub(super) fn regions(code: &[u8], region_count: u32) -> Decoded<Vec<u32>> {
    let mut value = Vec::new();
    let deviations = each_run(code, region_count, |first, count| {
        value.extend(first..first.saturating_add(count));
    });
    Decoded { value, deviations }
}

/// Decodes a list as runs: the first number and the length of each. Runs never touch, and there are no more
/// than bytes.
pub(super) fn each_run(
    code: &[u8],
    region_count: u32,
    mut take: impl FnMut(u32, u32),
) -> Deviations {
    let mut deviations = Deviations::default();
    let mut next = 0_u32;
    let mut bytes = code.iter().copied();
    let mut torn = false;
    let mut beyond = false;
    // The run that may continue; none yet if its length is 0.
    let (mut first, mut length) = (0_u32, 0_u32);
    let mut include = |next: &mut u32, count: u32| {
        let end = next.saturating_add(count);
        beyond |= end > region_count;
        let inside = end.min(region_count).saturating_sub(*next);
        if inside > 0 {
            if first.saturating_add(length) != *next {
                if length > 0 {
                    take(first, length);
                }
                (first, length) = (*next, 0);
            }
            length = length.saturating_add(inside);
        }
        *next = end;
    };
    while let Some(byte) = bytes.next() {
        let low = u32::from(byte & 7);
        let high = u32::from(byte >> 3 & 7);
        match byte {
            0x00..=0x3E => next = next.saturating_add(u32::from(byte)),
            0x3F | 0xFF => {
                let (Some(first), Some(second)) = (bytes.next(), bytes.next()) else {
                    torn = true;
                    break;
                };
                let count = u32::from(u16::from_le_bytes([first, second]));
                match byte {
                    0x3F => next = next.saturating_add(count),
                    _ => include(&mut next, count),
                }
            }
            0x40..=0x7F => {
                next = next.saturating_add(high);
                include(&mut next, low);
            }
            0x80..=0xBF => {
                include(&mut next, high);
                next = next.saturating_add(low);
            }
            0xC0..=0xFE => include(&mut next, u32::from(byte & 0x3F)),
        }
    }
    if length > 0 {
        take(first, length);
    }
    if torn {
        deviations.push(
            "code",
            code.len(),
            "a count of two bytes",
            "end of the list",
        );
    }
    if beyond {
        let expected = format_args!("regions below {region_count}");
        deviations.push("code", 0, expected, next);
    }
    deviations
}

/// Encodes region numbers, counted from 0 and ascending.
pub(super) fn encode(regions: &[u32]) -> Vec<u8> {
    let mut code = Vec::new();
    let mut next = 0_u32;
    let in_a_row = |one: &u32, other: &u32| one.checked_add(1) == Some(*other);
    for run in regions.chunk_by(in_a_row) {
        let Some((&first, &last)) = run.first().zip(run.last()) else {
            continue;
        };
        let skipped = first.saturating_sub(next);
        next = last.saturating_add(1);
        let included = next.saturating_sub(first);
        match (u8::try_from(skipped), u8::try_from(included)) {
            (Ok(skipped @ 1..=7), Ok(included @ 1..=7)) => {
                code.push(0x40 | skipped << 3 | included);
            }
            _ => {
                push_count(&mut code, skipped, [0x00, 0x3F]);
                push_count(&mut code, included, [0xC0, 0xFF]);
            }
        }
    }
    code
}

/// Appends a count: added to the first code if it is small, else behind the second one.
fn push_count(code: &mut Vec<u8>, mut count: u32, [short, long]: [u8; 2]) {
    while count > 0 {
        let part = u16::try_from(count).unwrap_or(u16::MAX);
        match u8::try_from(part) {
            Ok(part @ 0..=0x3E) => code.push(short + part),
            _ => {
                code.push(long);
                code.extend(part.to_le_bytes());
            }
        }
        count -= u32::from(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_list_survives_a_round_trip(
            runs in prop::collection::vec((0_u32..70_000, 1_u32..70_000), 0..3),
            small in prop::collection::vec((0_u32..80, 1_u32..80), 0..40),
        ) {
            for runs in [runs, small] {
                let mut list = Vec::new();
                let mut next = 0;
                for (skipped, included) in runs {
                    let first = next + skipped;
                    next = first + included;
                    list.extend(first..next);
                }
                let decoded = regions(&encode(&list), next);
                prop_assert!(decoded.deviations.is_empty());
                prop_assert_eq!(decoded.value, list);
            }
        }
    }

    #[test]
    fn each_code_skips_and_includes() {
        let code = [
            2,                 // skip 2
            0x40 | 1 << 3 | 2, // skip 1, include 3 and 4
            0x80 | 1 << 3 | 3, // include 5, skip 3
            0xC2,              // include 9 and 10
            0x3F,
            4,
            0, // skip 4
            0xFF,
            1,
            0, // include 15
        ];
        let decoded = regions(&code, 100);
        assert_eq!(decoded.value, [3, 4, 5, 9, 10, 15]);
        let mut runs = Vec::new();
        let deviations = each_run(&code, 100, |first, count| runs.push([first, count]));
        assert_eq!(runs, [[3, 3], [9, 2], [15, 1]]);
        assert!(deviations.is_empty());
        assert!(decoded.deviations.is_empty());
    }

    #[test]
    fn a_list_never_grows_past_the_regions() {
        let decoded = regions(&[0xFF; 3000], 10);
        assert_eq!(decoded.value, (0..10).collect::<Vec<_>>());
        assert_eq!(decoded.deviations.total(), 1);
        let torn = regions(&[0x3F, 1], 10);
        assert!(torn.value.is_empty());
        assert_eq!(torn.deviations.total(), 1);
    }
}
