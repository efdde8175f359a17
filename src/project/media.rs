//! Checks whether copied media can be played, because the engine fails to open a level with media it cannot
//! import. Also reads loops of sounds.

/// Bit rates of MPEG 1 layer III in kbit/s, by index; of MPEG 2 and 2.5 below.
const RATES: [[usize; 15]; 2] = [
    [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Sample rates of MPEG 1, by index; MPEG 2 uses half, MPEG 2.5 a quarter.
const FREQUENCIES: [usize; 3] = [44_100, 48_000, 32_000];

/// Bytes of an MP3 file that are sufficient for the check.
pub(super) const HEAD: u64 = 1 << 18;

/// Bytes of a WAV file that contain everything before its samples.
pub(super) const WAV_HEAD: u64 = 64 << 10;

/// Returns whether a file starts with two frames of MPEG layer III, after an optional tag.
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
    // Some encoders add padding.
    let start = after_tag
        .iter()
        .position(|&byte| byte != 0)
        .unwrap_or_default();
    let frames = after_tag.get(start..).unwrap_or_default();
    let second = frame(frames).and_then(|length| frames.get(length..));
    second.is_some_and(|second| frame(second).is_some())
}

/// Length of the frame at the start.
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

/// Loop of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SoundLoop {
    /// 0 forward, 1 alternating, 2 backward.
    pub kind: u32,
    /// First frame.
    pub start: u32,
    /// Last frame, which is played.
    pub last: u32,
}

/// First loop of a WAV file with its sampler chunk before the samples, as in rebuilt files.
pub(super) fn sound_loop(head: &[u8]) -> Option<SoundLoop> {
    let mut at = 12;
    if !head.starts_with(b"RIFF") {
        return None;
    }
    loop {
        let id = head.get(at..at + 4)?;
        let length = u32::from_le_bytes(*head.get(at + 4..)?.first_chunk()?) as usize;
        let payload = head.get(at + 8..)?;
        match id {
            b"data" => return None,
            b"smpl" => {
                let word = |place: usize| -> Option<u32> {
                    Some(u32::from_le_bytes(*payload.get(place..)?.first_chunk()?))
                };
                // Number of loops, then fields of the first: number, kind, start, last.
                let is_there = length >= 60 && word(28)? > 0;
                return is_there.then_some(()).and_then(|()| {
                    Some(SoundLoop {
                        kind: word(40)?,
                        start: word(44)?,
                        last: word(48)?,
                    })
                });
            }
            _ => at = at.checked_add(8)?.checked_add(length.next_multiple_of(2))?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_loop_is_found_before_the_samples() {
        let mut file = b"RIFF\0\0\0\0WAVEfmt \x03\0\0\0abc\0smpl\x3c\0\0\0".to_vec();
        let words = [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 1, 64, 1023, 0, 0];
        file.extend(words.into_iter().flat_map(u32::to_le_bytes));
        let expected = SoundLoop {
            kind: 1,
            start: 64,
            last: 1023,
        };
        assert_eq!(sound_loop(&file), Some(expected));
        for end in 0..file.len() - 8 {
            assert_eq!(sound_loop(&file[..end]), None, "{end}");
        }
        // No loop, and one after the samples.
        file[60] = 0;
        assert_eq!(sound_loop(&file), None);
        assert_eq!(sound_loop(b"RIFF\0\0\0\0WAVEdata\x04\0\0\0smplsmpl"), None);
    }

    #[test]
    fn frames_follow_each_other() {
        // 128 kbit/s at 44.1 kHz: 417 bytes; with padding, one more.
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
