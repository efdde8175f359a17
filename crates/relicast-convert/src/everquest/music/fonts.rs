//! The sound font that music is played with: the user's, or one next to the music.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustysynth::SoundFont;

use crate::options::ConvertOptions;
use crate::{ConvertError, Dependency, OpenContext, SharedWork, SkipCode, SkipReason};
use relicast_formats::kind::Kind;
use relicast_formats::sound_font::{self, dls};
use relicast_source::bytes::FileBytes;

/// Sound fonts that were read, by BLAKE3 of their bytes; the error of those that could not be.
type Known = Mutex<HashMap<String, Result<Arc<SoundFont>, String>>>;

/// The available fonts.
#[derive(Debug)]
pub(super) struct Fonts<'a> {
    beside: Vec<Dependency<'a>>,
    known: Arc<Known>,
}

/// A font that was read.
pub(super) struct Chosen {
    pub(super) name: String,
    pub(super) font: Arc<SoundFont>,
}

impl<'a> Fonts<'a> {
    pub(super) fn new(context: &OpenContext<'a, '_>) -> Self {
        let beside = context.dependencies.iter().copied();
        Self {
            beside: beside
                .filter(|dependency| dependency.kind == Kind::SoundFont)
                .collect(),
            known: context.shared.map(SharedWork::of).unwrap_or_default(),
        }
    }

    /// The font to play with: the one that the settings name, or the first readable one next to the music.
    ///
    /// # Errors
    /// There is none, so the song is skipped; the error lists the fonts that were tried.
    pub(super) fn choose(&self, options: &ConvertOptions) -> Result<Chosen, ConvertError> {
        let own = &options.music.sound_font;
        if !own.as_os_str().is_empty() {
            let name = own.display().to_string();
            return match self.load(own) {
                Ok(font) => Ok(Chosen { name, font }),
                Err(why) => Err(left_out(&format!("{name}: {why}"))),
            };
        }
        let mut tried = Vec::new();
        for font in &self.beside {
            match self.read(font.bytes) {
                Ok(read) => {
                    return Ok(Chosen {
                        name: font.path.to_owned(),
                        font: read,
                    });
                }
                Err(why) => tried.push(format!("{}: {why}", font.path)),
            }
        }
        Err(left_out(&match tried.is_empty() {
            true => "none next to the music, and music.sound_font is not set".to_owned(),
            false => tried.join("; "),
        }))
    }

    fn load(&self, path: &Path) -> Result<Arc<SoundFont>, String> {
        let bytes = FileBytes::open_path(path).map_err(|fault| fault.to_string())?;
        self.read(&bytes)
    }

    fn read(&self, bytes: &[u8]) -> Result<Arc<SoundFont>, String> {
        let digest = blake3::hash(bytes).to_hex().to_string();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let read = known.entry(digest).or_insert_with(|| read(bytes));
        read.clone()
    }
}

/// True if music can be played with a font.
pub(crate) fn is_playable(bytes: &[u8]) -> bool {
    read(bytes).is_ok()
}

fn left_out(why: &str) -> ConvertError {
    let text = format!("no sound font: {why}");
    ConvertError::LeftOut(SkipReason::new(SkipCode::NoSoundFont, text))
}

fn read(bytes: &[u8]) -> Result<Arc<SoundFont>, String> {
    // The synthesizer only reads sound fonts.
    let made;
    let mut stream = bytes;
    if dls::looks_like(bytes) {
        let font = dls::decode(bytes).map_err(|fault| fault.to_string())?;
        made = (font.value.encode()).map_err(|fault| fault.to_string())?;
        stream = &made;
    }
    sound_font::check(stream).map_err(|fault| fault.to_string())?;
    match SoundFont::new(&mut stream) {
        Ok(font) => Ok(Arc::new(font)),
        Err(fault) => Err(fault.to_string()),
    }
}
