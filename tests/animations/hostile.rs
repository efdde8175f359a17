//! Containers that lie: whatever they say, there are documents or a named error, never a panic.

use std::fs;

use relicast::config::Config;
use relicast::convert::{Companion, ConvertError, Role, Sink, Verdict, open_with};
use relicast::emit::{Options, encode};
use relicast::formats::kind::{Kind, sniff};
use relicast::scene::{Asset, Encoding};

use super::common;

/// Writes every document and throws it away.
#[derive(Default)]
struct Discard {
    documents: usize,
    bytes: usize,
}

impl Sink for Discard {
    fn wants(&self, _role: Role) -> bool {
        true
    }

    fn take(&mut self, _role: Role, asset: Asset<'_>) -> Result<(), ConvertError> {
        if let Asset::Document(_) = &asset {
            let made = encode(&asset, Encoding::Json, &[], Options::default());
            let made = made.map_err(|error| ConvertError::Emit(error.to_string()))?;
            let text: serde_json::Value = serde_json::from_slice(&made).unwrap();
            assert!(text.is_object());
            self.documents += 1;
            self.bytes += made.len();
        }
        Ok(())
    }
}

fn convert(bytes: &[u8], companions: &[Companion<'_>]) -> Discard {
    let mut sink = Discard::default();
    let config = Config::default();
    let kind = sniff(bytes, "anim.zbd");
    let Ok(opened) = open_with(kind, "anim.zbd", bytes, companions) else {
        return sink;
    };
    for (index, part) in opened.parts(&config).iter().enumerate() {
        if part.verdict != Verdict::Convert {
            continue;
        }
        match opened.convert(index, &config, &mut sink) {
            Ok(_) | Err(ConvertError::Format(_)) => {}
            Err(error) => panic!("part {index}: {error}"),
        }
    }
    sink
}

/// Numbers without a pattern, the same in every run.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

const WORDS: [[u8; 4]; 8] = [
    [0; 4],
    [0xFF; 4],
    [0, 0, 0, 0x80],
    [0, 0, 0xC0, 0x7F],
    [0, 0, 0x80, 0x7F],
    [0xFF, 0xFF, 0x7F, 0x7F],
    [1, 0, 0, 0],
    [31, 1, 0, 0],
];

fn torment(path: &str, world: &str, rounds: usize) {
    let Some(root) = common::fixtures("zipper") else {
        return;
    };
    let whole = fs::read(root.join(path)).unwrap();
    let world_bytes = fs::read(root.join(world)).unwrap();
    let outputs = vec![Some("worlds/gamez.gltf".to_owned())];
    let companions = [Companion {
        path: "gamez.zbd",
        kind: Kind::GameZ,
        bytes: &world_bytes,
        outputs: &outputs,
    }];
    let sane = convert(&whole, &companions);
    assert!(sane.documents > 3);
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let mut documents = 0;
    for round in 0..rounds {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(next(&mut state) % whole.len());
        }
        for _ in 0..=round % 5 {
            let place = 8 + next(&mut state) % (bytes.len().max(16) - 12);
            let word = WORDS[next(&mut state) % WORDS.len()];
            if let Some(field) = bytes.get_mut(place..place + 4) {
                field.copy_from_slice(&word);
            }
        }
        let found = convert(&bytes, &[]);
        assert!(
            found.bytes < 64 * whole.len() + (1 << 16),
            "{}",
            found.bytes
        );
        documents += found.documents;
    }
    assert!(documents > rounds / 2, "{documents}");
}

#[test]
fn recoil_survives() {
    torment("rc/zbd/m1/anim.zbd", "rc/zbd/m1/gamez.zbd", 400);
}

#[test]
fn mechwarrior_survives() {
    torment("mw/zbd/c1/anim.zbd", "mw/zbd/c1/gamez.zbd", 400);
}

#[test]
fn pirates_moon_survives() {
    torment("pm/zbd/c1/anim.zbd", "pm/zbd/c1/gamez.zbd", 400);
}

#[test]
fn crimson_skies_survives() {
    torment("cs/ZBD/C1/cam_anim.zbd", "cs/ZBD/C1/gamez.zbd", 400);
    torment("cs/ZBD/C1/M01/mis_anim.zbd", "cs/ZBD/C1/gamez.zbd", 400);
}
