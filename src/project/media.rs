//! Whether media that were copied as they are can be played: the engine stops at a level that names what it cannot import.

/// Bit rates of MPEG 1 layer III in kbit a second, by index; of MPEG 2 and 2.5 below.
const RATES: [[usize; 15]; 2] = [
    [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Samples a second of MPEG 1, by index; 2 has half of it, 2.5 a quarter.
const FREQUENCIES: [usize; 3] = [44_100, 48_000, 32_000];

/// Bytes of `*.mp3` that are enough to tell.
pub(super) const HEAD: u64 = 1 << 18;

/// Whether a file begins with two frames of MPEG layer III, after a tag if there is one.
pub(super) fn is_mp3(bytes: &[u8]) -> bool {
    let after_tag = match bytes {
        [b'I', b'D', b'3', _, _, _, sizes @ ..] => {
            let Some(sizes) = sizes.first_chunk::<4>() else {
                return false;
            };
            let size = sizes.iter().fold(0_usize, |size, &byte| {
                (size << 7) | usize::from(byte & 0x7f)
            });
            bytes.get(size + 10..).unwrap_or_default()
        }
        bytes => bytes,
    };
    // Some writers pad.
    let start = after_tag
        .iter()
        .position(|&byte| byte != 0)
        .unwrap_or_default();
    let frames = after_tag.get(start..).unwrap_or_default();
    let second = frame(frames).and_then(|length| frames.get(length..));
    second.is_some_and(|second| frame(second).is_some())
}

/// Length of the frame that begins here.
fn frame(bytes: &[u8]) -> Option<usize> {
    let &[0xff, second, third, _] = bytes.first_chunk()? else {
        return None;
    };
    let (version, layer) = ((second >> 3) & 3, (second >> 1) & 3);
    if second & 0xe0 != 0xe0 || version == 1 || layer != 1 {
        return None;
    }
    let is_first = version == 3;
    let rate = *RATES[usize::from(!is_first)]
        .get(usize::from(third >> 4))
        .filter(|rate| **rate > 0)?;
    let frequency = *FREQUENCIES.get(usize::from((third >> 2) & 3))?;
    let frequency = match version {
        3 => frequency,
        2 => frequency / 2,
        _ => frequency / 4,
    };
    let samples = if is_first { 144 } else { 72 };
    Some(samples * rate * 1000 / frequency + usize::from((third >> 1) & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_each_other() {
        // 128 kbit/s at 44.1 kHz: 417 bytes; with a pad, one more.
        assert_eq!(frame(&[0xff, 0xfb, 0x90, 0]), Some(417));
        assert_eq!(frame(&[0xff, 0xfb, 0x92, 0]), Some(418));
        // MPEG 2, 64 kbit/s at 22.05 kHz.
        assert_eq!(frame(&[0xff, 0xf3, 0x80, 0]), Some(208));
        let mut whole = b"ID3\x03\0\0\0\0\0\x05".to_vec();
        whole.extend([7; 5]);
        for _ in 0..2 {
            whole.extend([0xff, 0xfb, 0x90, 0]);
            whole.extend([0; 413]);
        }
        assert!(is_mp3(&whole));
        assert!(!is_mp3(&whole[..whole.len() - 417]));
        for wrong in [&b"ID3"[..], b"", b"RIFF", &[0xff, 0xff, 0xff, 0xff]] {
            assert!(!is_mp3(wrong));
        }
    }
}
