//! Writer of sound fonts (SF2): samples, and presets that assign them to keys. The synthesizer reads sound
//! fonts.
//!
//! - [`dls`] — instrument collections of another format, read as sound fonts.
//!
//! ```
//! use relicast_formats::sound_font::{Font, Preset, Sample, Zone};
//!
//! let font = Font {
//!     name: "Beep".to_owned(),
//!     samples: vec![Sample { rate: 22_050, key: 60, data: vec![0, 9000, 0, -9000], ..Sample::default() }],
//!     presets: vec![Preset { zones: vec![Zone::new(0)], ..Preset::default() }],
//! };
//! assert!(font.encode()?.starts_with(b"RIFF"));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod dls;

use relicast_codec::{FixedSize, FormatError, Result};

/// Checks that the chunks of a sound font are within it, before memory is allocated for them.
///
/// # Errors
/// It is not a sound font, or one of its chunks is longer than its parent.
pub fn check(bytes: &[u8]) -> Result<()> {
    let kind = bytes.get(8..12);
    if !bytes.starts_with(b"RIFF") || kind != Some(b"sfbk") {
        return Err(FormatError::malformed(
            "id",
            0,
            "RIFF with sfbk",
            "other bytes",
        ));
    }
    check_chunks(bytes.get(12..).unwrap_or_default(), 12, true)
}

fn check_chunks(bytes: &[u8], base: usize, has_lists: bool) -> Result<()> {
    let mut place = 0_usize;
    while let Some(size) = bytes.get(place.saturating_add(4)..).and_then(u32::load) {
        relicast_limits::check();
        let start = place.saturating_add(8);
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(contents) = rest.get(..size) else {
            let offset = base.saturating_add(place).saturating_add(4);
            let expected = format_args!("at most {}", rest.len());
            return Err(FormatError::malformed("size", offset, expected, size));
        };
        if has_lists
            && bytes
                .get(place..)
                .is_some_and(|head| head.starts_with(b"LIST"))
        {
            let inner = contents.get(4..).unwrap_or_default();
            check_chunks(inner, base.saturating_add(start).saturating_add(4), false)?;
        }
        place = start.saturating_add(size);
        // Not all writers pad chunks, and readers do not skip the padding inside of lists.
        place = place.saturating_add(if has_lists { size % 2 } else { 0 });
    }
    Ok(())
}

/// Frames of silence that follow each sample.
const GAP: usize = 46;

/// Numbers of the generators that a zone sets.
pub mod generator {
    /// Pan from left (−500) to right (500).
    pub const PAN: u16 = 17;
    /// Time from silence to full loudness, in timecents.
    pub const ATTACK: u16 = 34;
    /// Time at full loudness, in timecents.
    pub const HOLD: u16 = 35;
    /// Time from there to the sustain level, in timecents.
    pub const DECAY: u16 = 36;
    /// Sustain level below the full loudness, in tenths of a decibel.
    pub const SUSTAIN: u16 = 37;
    /// Time from the end of the key to silence, in timecents.
    pub const RELEASE: u16 = 38;
    /// Lowest and highest key.
    pub const KEYS: u16 = 43;
    /// Lowest and highest velocity.
    pub const VELOCITIES: u16 = 44;
    /// Attenuation, in tenths of a decibel.
    pub const ATTENUATION: u16 = 48;
    /// Tuning in semitones.
    pub const COARSE_TUNE: u16 = 51;
    /// Tuning in cents.
    pub const FINE_TUNE: u16 = 52;
    /// The sample.
    pub const SAMPLE: u16 = 53;
    /// Loop mode: 1 for endless.
    pub const LOOPS: u16 = 54;
    /// Exclusive class: notes of a class end each other.
    pub const CLASS: u16 = 57;
    /// Key at which the sample has its own pitch.
    pub const ROOT: u16 = 58;
    /// The instrument.
    pub const INSTRUMENT: u16 = 41;
}

/// A sound font.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Font {
    /// Its name.
    pub name: String,
    /// The samples.
    pub samples: Vec<Sample>,
    /// The presets, each with an instrument of its own.
    pub presets: Vec<Preset>,
}

/// A sample, one channel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// Frames per second.
    pub rate: u32,
    /// Key at which it has its own pitch.
    pub key: u8,
    /// Loop: first frame, and the frame after the last.
    pub repeat: Option<(u32, u32)>,
    /// The frames.
    pub data: Vec<i16>,
}

/// A preset, which a program number of a bank selects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// Bank; 128 for drums.
    pub bank: u16,
    /// Program.
    pub program: u16,
    /// Zones that it plays.
    pub zones: Vec<Zone>,
}

/// A range of keys with its sample.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Zone {
    /// Lowest and highest key.
    pub keys: (u8, u8),
    /// Lowest and highest velocity.
    pub velocities: (u8, u8),
    /// Number of the sample.
    pub sample: u16,
    /// Further settings, by [`generator`].
    pub settings: Vec<(u16, i16)>,
}

impl Zone {
    /// Creates a zone of all keys.
    pub fn new(sample: u16) -> Self {
        Self {
            keys: (0, 127),
            velocities: (0, 127),
            sample,
            settings: Vec::new(),
        }
    }
}

fn name(text: &str) -> [u8; 20] {
    let mut field = [0; 20];
    let bytes = text.bytes().filter(u8::is_ascii).take(19);
    for (place, byte) in field.iter_mut().zip(bytes) {
        *place = byte;
    }
    field
}

fn chunk(id: &[u8; 4], bytes: &[u8]) -> Result<Vec<u8>> {
    let length = long(bytes.len())?;
    let mut chunk = id.to_vec();
    chunk.extend(length.to_le_bytes());
    chunk.extend(bytes);
    if bytes.len() % 2 == 1 {
        chunk.push(0);
    }
    Ok(chunk)
}

fn long(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| FormatError::unencodable("size", 0, "at most 2^32 - 1", value))
}

fn short(value: usize) -> Result<u16> {
    u16::try_from(value).map_err(|_| FormatError::unencodable("count", 0, "at most 65535", value))
}

/// The lists of a font.
#[derive(Default)]
struct Lists {
    presets: Vec<u8>,
    preset_bags: Vec<u8>,
    preset_settings: Vec<u8>,
    instruments: Vec<u8>,
    bags: Vec<u8>,
    settings: Vec<u8>,
}

fn put(list: &mut Vec<u8>, number: u16, value: [u8; 2]) {
    list.extend(number.to_le_bytes());
    list.extend(value);
}

impl Lists {
    fn bag(bags: &mut Vec<u8>, settings: &[u8]) -> Result<()> {
        bags.extend(short(settings.len() / 4)?.to_le_bytes());
        bags.extend([0; 2]);
        Ok(())
    }

    fn preset(&mut self, place: usize, preset: &Preset) -> Result<()> {
        self.presets.extend(name(&preset.name));
        self.presets.extend(preset.program.to_le_bytes());
        self.presets.extend(preset.bank.to_le_bytes());
        let first = short(self.preset_bags.len() / 4)?;
        self.presets.extend(first.to_le_bytes());
        self.presets.extend([0; 12]);
        Self::bag(&mut self.preset_bags, &self.preset_settings)?;
        let instrument = short(place)?.to_le_bytes();
        put(&mut self.preset_settings, generator::INSTRUMENT, instrument);
        self.instruments.extend(name(&preset.name));
        let first = short(self.bags.len() / 4)?;
        self.instruments.extend(first.to_le_bytes());
        for zone in &preset.zones {
            Self::bag(&mut self.bags, &self.settings)?;
            put(&mut self.settings, generator::KEYS, zone.keys.into());
            put(
                &mut self.settings,
                generator::VELOCITIES,
                zone.velocities.into(),
            );
            for (number, value) in &zone.settings {
                put(&mut self.settings, *number, value.to_le_bytes());
            }
            put(
                &mut self.settings,
                generator::SAMPLE,
                zone.sample.to_le_bytes(),
            );
        }
        Ok(())
    }

    /// Appends the records that end the lists.
    fn close(&mut self) -> Result<()> {
        self.presets.extend(name("EOP"));
        self.presets.extend([0; 4]);
        let end = short(self.preset_bags.len() / 4)?;
        self.presets.extend(end.to_le_bytes());
        self.presets.extend([0; 12]);
        Self::bag(&mut self.preset_bags, &self.preset_settings)?;
        self.preset_settings.extend([0; 4]);
        self.instruments.extend(name("EOI"));
        let end = short(self.bags.len() / 4)?;
        self.instruments.extend(end.to_le_bytes());
        Self::bag(&mut self.bags, &self.settings)?;
        self.settings.extend([0; 4]);
        Ok(())
    }
}

impl Font {
    /// Encodes the file.
    ///
    /// # Errors
    /// A list is too long for the format.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut frames: Vec<u8> = Vec::new();
        let mut headers = Vec::new();
        for sample in &self.samples {
            let start = long(frames.len() / 2)?;
            frames.extend(sample.data.iter().flat_map(|frame| frame.to_le_bytes()));
            let end = long(frames.len() / 2)?;
            frames.resize(frames.len().saturating_add(2 * GAP), 0);
            let (first, behind) = sample.repeat.unwrap_or((0, end.saturating_sub(start)));
            headers.extend(name(&sample.name));
            let places = [first, behind].map(|place| start.saturating_add(place).min(end));
            for place in [start, end, places[0], places[1], sample.rate] {
                headers.extend(place.to_le_bytes());
            }
            headers.extend([sample.key, 0, 0, 0, 1, 0]);
        }
        headers.extend(name("EOS"));
        headers.extend([0; 26]);
        let mut lists = Lists::default();
        for (place, preset) in self.presets.iter().enumerate() {
            lists.preset(place, preset)?;
        }
        lists.close()?;
        let list = |kind: &[u8; 4], chunks: &[(&[u8; 4], &[u8])]| {
            let mut bytes = kind.to_vec();
            for (id, contents) in chunks {
                bytes.extend(chunk(id, contents)?);
            }
            chunk(b"LIST", &bytes)
        };
        let mut title = self.name.clone().into_bytes();
        // Readers expect texts of even length.
        title.resize(title.len().saturating_add(2) / 2 * 2, 0);
        let mut file = b"sfbk".to_vec();
        file.extend(list(
            b"INFO",
            &[
                (b"ifil", &[2, 0, 1, 0]),
                (b"isng", b"EMU8000\0"),
                (b"INAM", &title),
            ],
        )?);
        file.extend(list(b"sdta", &[(b"smpl", &frames)])?);
        file.extend(list(
            b"pdta",
            &[
                (b"phdr", &lists.presets),
                (b"pbag", &lists.preset_bags),
                (b"pmod", &[0; 10]),
                (b"pgen", &lists.preset_settings),
                (b"inst", &lists.instruments),
                (b"ibag", &lists.bags),
                (b"imod", &[0; 10]),
                (b"igen", &lists.settings),
                (b"shdr", &headers),
            ],
        )?);
        chunk(b"RIFF", &file)
    }
}
