//! The way of a file through the program without its input and output: kind, parts, assets, bytes.

use relicast::config::{AlphaPlane, Config, Palette, SoundFormat};
use relicast::convert::{ConvertError, Part, Role, Sink, Verdict, open};
use relicast::emit::json::Style;
use relicast::emit::{EmitError, Options, encode, encode_scene};
use relicast::formats::kind::sniff;
use relicast::scene::Asset;

use super::check_deviations;

/// Names that decide the kind of bytes which say nothing themselves.
pub const NAMES: [&str; 10] = [
    "sounds.zbd",
    "rtexture.zbd",
    "interp.zbd",
    "messages.dll",
    "a.wav",
    "m1.zmap",
    "control.zrd",
    "game.mw3",
    "motion.zbd",
    "unknown",
];

/// Writes every wanted output and throws it away.
struct Discard<'p> {
    part: &'p Part,
    written: usize,
}

impl Sink for Discard<'_> {
    fn wants(&self, role: Role) -> bool {
        self.part.wanted.iter().any(|wanted| wanted.role == role)
    }

    fn take(&mut self, role: Role, asset: Asset<'_>) -> Result<(), ConvertError> {
        let options = Options {
            style: Style::Compact,
            ..Options::default()
        };
        if let Asset::Scene(scene, pictures) = asset {
            let made = encode_scene(scene, pictures, "a/b.gltf", Some("a/b.bin"), options);
            made.map_err(|error| ConvertError::Emit(error.to_string()))?;
            return Ok(());
        }
        for wanted in self.part.wanted.iter().filter(|wanted| wanted.role == role) {
            let tags = [("TITLE".to_owned(), "title".to_owned())];
            match encode(&asset, wanted.encoding, &tags, options) {
                Ok(bytes) => self.written += bytes.len(),
                Err(error @ (EmitError::Mismatch(_) | EmitError::Json(_) | EmitError::Png(_))) => {
                    panic!("{error}")
                }
                Err(error) => return Err(ConvertError::Emit(error.to_string())),
            }
        }
        Ok(())
    }
}

/// A whole file. The first byte chooses its name and the settings, the rest is the file.
pub fn convert(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let name = NAMES[usize::from(choice & 0x1F) % NAMES.len()];
    let mut config = Config::default();
    config.raw.enabled = choice & 0x20 != 0;
    if choice & 0x40 != 0 {
        config.sounds.format = SoundFormat::Both;
        config.textures.palette = Palette::Expand;
    }
    if choice & 0x80 != 0 {
        config.textures.alpha_plane = AlphaPlane::Separate;
    }
    let kind = sniff(bytes, name);
    let opened = match open(kind, name, bytes) {
        Ok(opened) => opened,
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return;
        }
    };
    check_deviations(bytes, opened.deviations());
    let parts = opened.parts(&config);
    assert!(parts.len() <= bytes.len() + 1);
    let mut written = 0;
    for (index, part) in parts.iter().enumerate() {
        if part.verdict != Verdict::Convert {
            continue;
        }
        let mut sink = Discard { part, written: 0 };
        match opened.convert(index, &config, &mut sink) {
            Ok(deviations) => check_deviations(bytes, &deviations),
            Err(ConvertError::Format(error)) => {
                assert!(error.offset() <= bytes.len() as u64, "{error}");
            }
            Err(ConvertError::Emit(_)) => {}
            Err(other) => panic!("{other}"),
        }
        written += sink.written;
    }
    // Each byte may become some text of a document; nothing may be multiplied by anything else.
    assert!(
        written <= 256 * bytes.len() + 4096,
        "{written} bytes of output"
    );
}
