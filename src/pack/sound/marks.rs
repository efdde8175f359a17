//! Positions of cue points, loops and labels of a sound that was resampled.

use relicast_formats::riff::FourCc;

/// Size of a cue point, and of a loop of a sampler.
const RECORD: usize = 24;

/// Length of the fixed part of a sampler chunk.
const SAMPLER: usize = 36;

/// The payload of a chunk, with positions for another rate.
pub(super) fn scaled(id: FourCc, payload: &[u8], from: u32, to: u32) -> Vec<u8> {
    let mut scaled = payload.to_vec();
    let scale = |frame: u32| {
        let frame = u64::from(frame) * u64::from(to) / u64::from(from.max(1));
        u32::try_from(frame).unwrap_or(u32::MAX)
    };
    match id {
        FourCc::CUE => {
            let points = scaled.get_mut(4..).unwrap_or_default();
            for point in points.chunks_exact_mut(RECORD) {
                change(point, 4, scale);
                change(point, 20, scale);
            }
        }
        FourCc::SAMPLER => {
            change(&mut scaled, 8, |_| 1_000_000_000 / to.max(1));
            let loops = scaled.get_mut(SAMPLER..).unwrap_or_default();
            for own in loops.chunks_exact_mut(RECORD) {
                change(own, 8, scale);
                change(own, 12, scale);
            }
        }
        FourCc::LIST if payload.starts_with(b"adtl") => {
            let mut at = 4;
            while let Some(&[a, b, c, d]) = scaled.get(at + 4..).and_then(<[u8]>::first_chunk) {
                // A label of a section has the length of that.
                if scaled
                    .get(at..)
                    .is_some_and(|chunk| chunk.starts_with(b"ltxt"))
                {
                    change(&mut scaled, at + 12, scale);
                }
                let length = u32::from_le_bytes([a, b, c, d]) as usize;
                at = at
                    .saturating_add(8)
                    .saturating_add(length.saturating_add(length % 2));
                if at > scaled.len() {
                    break;
                }
            }
        }
        _ => {}
    }
    scaled
}

/// Changes the number at a place, if there is one.
fn change(bytes: &mut [u8], at: usize, to: impl Fn(u32) -> u32) {
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = to(u32::from_le_bytes(*place)).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::{FourCc, scaled};

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn positions_follow_the_rate_and_nothing_else_does() {
        let halved = |id, payload: &[u8]| scaled(id, payload, 44_100, 22_050);
        assert_eq!(
            halved(FourCc::CUE, &words(&[1, 7, 100, 9, 8, 6, 200])),
            words(&[1, 7, 50, 9, 8, 6, 100])
        );
        let sampler = [&[1, 2, 3, 60, 4, 5, 6, 1, 0][..], &[7, 0, 10, 20, 9, 9]].concat();
        let wanted = [&[1, 2, 45_351, 60, 4, 5, 6, 1, 0][..], &[7, 0, 5, 10, 9, 9]].concat();
        assert_eq!(halved(FourCc::SAMPLER, &words(&sampler)), words(&wanted));
        let list = |length: u32| {
            let mut list = b"adtllabl\x06\0\0\0\x01\0\0\0a\0ltxt\x08\0\0\0\x01\0\0\0".to_vec();
            list.extend(length.to_le_bytes());
            list
        };
        assert_eq!(halved(FourCc::LIST, &list(300)), list(150));
        for cut in 0..list(1).len() {
            for id in [FourCc::CUE, FourCc::SAMPLER, FourCc::LIST] {
                assert_eq!(halved(id, &list(1)[..cut]).len(), cut);
            }
        }
    }
}
