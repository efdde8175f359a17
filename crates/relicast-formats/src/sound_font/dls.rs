//! Instrument collections (DLS level 1), read as sound fonts: waves, the keys that play them, and their
//! volume envelopes. Values are converted to the units of sound fonts.
//!
//! ```
//! use relicast_formats::sound_font::dls::{decode, looks_like};
//!
//! assert!(looks_like(b"RIFF\x04\0\0\0DLS "));
//! assert!(decode(b"RIFF\x04\0\0\0WAVE").is_err());
//! ```

use std::collections::BTreeMap;

use super::{Font, Preset, Sample, Zone, generator};
use crate::riff::FourCc;
use relicast_codec::{Decoded, Deviations, FixedSize, FormatError, Result};
use relicast_limits as limits;

/// Banks with this bit are drums.
const DRUMS: u32 = 0x8000_0000;
/// Bank of drums in sound fonts.
const DRUM_BANK: u16 = 128;

/// Shortest time in timecents.
const INSTANT: i16 = -12_000;

/// A chunk: its name, offset and content.
#[derive(Debug, Clone, Copy)]
struct Chunk<'a> {
    id: FourCc,
    /// Type of the list.
    kind: FourCc,
    offset: usize,
    bytes: &'a [u8],
}

const LIST: FourCc = FourCc(*b"LIST");

/// The chunks in a range of bytes; one that reaches beyond the end is cut there.
fn chunks(bytes: &[u8], base: usize) -> Vec<Chunk<'_>> {
    let mut all = Vec::new();
    let mut place = 0_usize;
    while let Some((id, size)) = header(bytes, place) {
        limits::check();
        let start = place.saturating_add(8);
        let rest = bytes.get(start..).unwrap_or_default();
        let contents = rest.get(..size).unwrap_or(rest);
        let kind = match id {
            LIST => FourCc::load(contents).unwrap_or_default(),
            _ => FourCc::default(),
        };
        let skipped = if id == LIST { 4 } else { 0 };
        let chunk = Chunk {
            id,
            kind,
            offset: base.saturating_add(start).saturating_add(skipped),
            bytes: contents.get(skipped..).unwrap_or_default(),
        };
        limits::push(&mut all, chunk);
        place = start.saturating_add(size).saturating_add(size % 2);
    }
    all
}

fn header(bytes: &[u8], place: usize) -> Option<(FourCc, usize)> {
    let head = bytes.get(place..)?;
    let size = u32::load(head.get(4..)?)?;
    Some((FourCc::load(head)?, usize::try_from(size).ok()?))
}

impl<'a> Chunk<'a> {
    fn inner(&self) -> Vec<Self> {
        chunks(self.bytes, self.offset)
    }

    fn is_list(&self, kind: &[u8; 4]) -> bool {
        self.id == LIST && self.kind.0 == *kind
    }

    fn find(of: &[Self], id: &[u8; 4]) -> Option<Self> {
        let mut all = of.iter();
        all.find(|chunk| chunk.id.0 == *id).copied()
    }

    fn list(of: &[Self], kind: &[u8; 4]) -> Vec<Self> {
        let list = of.iter().find(|chunk| chunk.is_list(kind));
        list.map(Chunk::inner).unwrap_or_default()
    }

    fn number<T: FixedSize>(&self, place: usize) -> Option<T> {
        T::load(self.bytes.get(place..)?)
    }

    /// A number that must be present.
    fn needed<T: FixedSize>(&self, field: &'static str, place: usize) -> Result<T> {
        let missing = || FormatError::truncated(field, self.offset, T::SIZE, self.bytes.len());
        self.number(place).ok_or_else(missing)
    }
}

/// The name in a list of information.
fn name_of(of: &[Chunk<'_>]) -> String {
    let name = Chunk::find(&Chunk::list(of, b"INFO"), b"INAM");
    let bytes = name.map(|name| name.bytes).unwrap_or_default();
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    relicast_codec::latin1(bytes)
}

/// Tuning of a wave at a key.
#[derive(Debug, Clone, Copy)]
struct Tuning {
    key: u8,
    cents: i16,
    /// Additional gain in tenths of a decibel, times 65536.
    gain: i32,
    repeat: Option<(u32, u32)>,
}

impl Tuning {
    /// Decodes a chunk `wsmp`.
    fn new(chunk: Chunk<'_>) -> Result<Self> {
        let key: u16 = chunk.needed("wsmp.key", 4)?;
        let size: u32 = chunk.needed("wsmp.size", 0)?;
        let loops: u32 = chunk.needed("wsmp.loops", 16)?;
        let place = usize::try_from(size).unwrap_or(usize::MAX);
        let repeat = (loops > 0).then(|| {
            let start: u32 = chunk.number(place.saturating_add(8))?;
            let length: u32 = chunk.number(place.saturating_add(12))?;
            Some((start, start.checked_add(length)?))
        });
        Ok(Self {
            key: u8::try_from(key).unwrap_or(60).min(127),
            cents: chunk.needed("wsmp.cents", 6)?,
            gain: chunk.needed("wsmp.gain", 8)?,
            repeat: repeat.flatten().filter(|(start, end)| end > start),
        })
    }
}

/// A wave of the pool.
struct Wave {
    name: String,
    rate: u32,
    tuning: Option<Tuning>,
    data: Vec<i16>,
}

fn wave(list: Chunk<'_>) -> Result<Wave> {
    let parts = list.inner();
    let missing = |what: &'static str| FormatError::malformed("wave", list.offset, what, "none");
    let format = Chunk::find(&parts, b"fmt ").ok_or_else(|| missing("a format chunk"))?;
    let data = Chunk::find(&parts, b"data").ok_or_else(|| missing("a data chunk"))?;
    let tag: u16 = format.needed("fmt.tag", 0)?;
    let channels: u16 = format.needed("fmt.channels", 2)?;
    let bits: u16 = format.needed("fmt.bits", 14)?;
    if tag != 1 || channels != 1 {
        let found = format_args!("coding {tag}, channels: {channels}");
        let place = format.offset;
        return Err(FormatError::unsupported("fmt", place, "mono PCM", found));
    }
    limits::try_reserve(data.bytes.len().saturating_mul(2))?;
    let data = match bits {
        8 => (data.bytes.iter())
            .map(|&byte| (i16::from(byte) - 128) * 256)
            .collect(),
        16 => (data.bytes.as_chunks().0.iter())
            .map(|&pair| i16::from_le_bytes(pair))
            .collect(),
        _ => {
            let place = format.offset.saturating_add(14);
            return Err(FormatError::unsupported("fmt.bits", place, "8 or 16", bits));
        }
    };
    let tuning = Chunk::find(&parts, b"wsmp");
    Ok(Wave {
        name: name_of(&parts),
        rate: format.needed("fmt.rate", 4)?,
        tuning: tuning.map(Tuning::new).transpose()?,
        data,
    })
}

/// Generators of the articulations, in the units of sound fonts.
fn articulation(parts: &[Chunk<'_>]) -> BTreeMap<u16, i16> {
    let mut settings = BTreeMap::new();
    let lists = parts
        .iter()
        .filter(|part| part.is_list(b"lart") || part.is_list(b"lar2"));
    let rows = lists.flat_map(Chunk::inner);
    for chunk in rows.filter(|chunk| [*b"art1", *b"art2"].contains(&chunk.id.0)) {
        let size: u32 = chunk.number(0).unwrap_or(8);
        let count: u32 = chunk.number(4).unwrap_or(0);
        let start = usize::try_from(size).unwrap_or(usize::MAX);
        let rows = chunk
            .bytes
            .get(start..)
            .unwrap_or_default()
            .chunks_exact(12);
        for row in rows.take(count as usize) {
            limits::check();
            let word = |place: usize| row.get(place..).and_then(u16::load).unwrap_or_default();
            // Generators that depend on something else (velocity, a wheel) are left to the synthesizer.
            if (word(0), word(2)) != (0, 0) {
                continue;
            }
            let scale = row.get(8..).and_then(i32::load).unwrap_or_default();
            settings.extend(setting(word(4), scale));
        }
    }
    settings
}

/// Converts a 16.16 fixed-point number to an integer, rounded down and limited to a range.
fn whole(scale: i32, least: i16, most: i16) -> i16 {
    let whole = i16::try_from(scale >> 16).unwrap_or(i16::MIN);
    whole.clamp(least, most)
}

fn setting(destination: u16, scale: i32) -> Option<(u16, i16)> {
    let time = |longest| match scale {
        i32::MIN => INSTANT,
        scale => whole(scale, INSTANT, longest),
    };
    Some(match destination {
        0x0004 => (generator::PAN, whole(scale, -500, 500)),
        0x0206 => (generator::ATTACK, time(8000)),
        0x0207 => (generator::DECAY, time(8000)),
        0x0209 => (generator::RELEASE, time(8000)),
        // From 1000 (full) to 0 (96 decibels below).
        0x020A => {
            let below = 1000 - i32::from(whole(scale, 0, 1000));
            let tenths = i16::try_from(below * 96 / 100).unwrap_or(0);
            (generator::SUSTAIN, tenths)
        }
        0x020C => (generator::HOLD, time(5000)),
        _ => return None,
    })
}

/// Samples that zones refer to: a wave with its loop.
struct Pool {
    waves: Vec<Wave>,
    samples: Vec<Sample>,
    known: BTreeMap<(usize, Option<(u32, u32)>), u16>,
}

impl Pool {
    fn sample(&mut self, place: usize, repeat: Option<(u32, u32)>) -> Option<u16> {
        if let Some(&known) = self.known.get(&(place, repeat)) {
            return Some(known);
        }
        let wave = self.waves.get(place)?;
        let number = u16::try_from(self.samples.len()).ok()?;
        limits::reserve(wave.data.len().saturating_mul(2));
        let frames = u32::try_from(wave.data.len()).ok()?;
        self.samples.push(Sample {
            name: wave.name.clone(),
            rate: wave.rate,
            key: wave.tuning.map_or(60, |tuning| tuning.key),
            repeat: repeat.filter(|&(_, end)| end <= frames),
            data: wave.data.clone(),
        });
        self.known.insert((place, repeat), number);
        Some(number)
    }
}

fn zone(
    region: &[Chunk<'_>],
    pool: &mut Pool,
    table: &[usize],
    common: &BTreeMap<u16, i16>,
) -> Option<Zone> {
    let head = Chunk::find(region, b"rgnh")?;
    let link = Chunk::find(region, b"wlnk")?;
    let part = |place: usize| -> Option<u8> {
        let word: u16 = head.number(place)?;
        Some(u8::try_from(word).unwrap_or(127).min(127))
    };
    let cue: u32 = link.number(8)?;
    let place = *table.get(usize::try_from(cue).ok()?)?;
    let wave = pool.waves.get(place)?;
    let own = Chunk::find(region, b"wsmp").and_then(|chunk| Tuning::new(chunk).ok());
    let tuning = own.or(wave.tuning);
    if wave.data.is_empty() {
        return None;
    }
    let sample = pool.sample(place, tuning.and_then(|tuning| tuning.repeat))?;
    let mut settings = common.clone();
    settings.extend(articulation(region));
    if let Some(tuning) = tuning {
        settings.insert(generator::ROOT, i16::from(tuning.key));
        settings.insert(generator::COARSE_TUNE, tuning.cents / 100);
        settings.insert(generator::FINE_TUNE, tuning.cents % 100);
        let quieter = whole(tuning.gain.saturating_neg(), 0, 1440);
        settings.insert(generator::ATTENUATION, quieter);
        settings.insert(generator::LOOPS, i16::from(tuning.repeat.is_some()));
    }
    let class: u16 = head.number(10).unwrap_or_default();
    if class != 0 {
        settings.insert(generator::CLASS, class.cast_signed().clamp(1, 127));
    }
    let velocities = (part(4)?, part(6)?);
    Some(Zone {
        keys: (part(0)?, part(2)?),
        velocities: match velocities {
            (0, 0) => (0, 127),
            given => given,
        },
        sample,
        settings: settings.into_iter().collect(),
    })
}

fn preset(list: Chunk<'_>, pool: &mut Pool, table: &[usize]) -> Result<(Preset, usize)> {
    let parts = list.inner();
    let missing = || FormatError::malformed("insh", list.offset, "an instrument header", "none");
    let head = Chunk::find(&parts, b"insh").ok_or_else(missing)?;
    let bank: u32 = head.needed("insh.bank", 4)?;
    let program: u32 = head.needed("insh.program", 8)?;
    let common = articulation(&parts);
    let regions = Chunk::list(&parts, b"lrgn").into_iter();
    let regions = regions.filter(|region| region.is_list(b"rgn ") || region.is_list(b"rgn2"));
    let (mut zones, mut lost) = (Vec::new(), 0_usize);
    for region in regions {
        limits::check();
        match zone(&region.inner(), pool, table, &common) {
            Some(zone) => zones.push(zone),
            None => lost = lost.saturating_add(1),
        }
    }
    let melodic = u16::try_from((bank >> 8) & 0x7F).unwrap_or_default();
    let preset = Preset {
        name: name_of(&parts),
        bank: if bank & DRUMS == 0 {
            melodic
        } else {
            DRUM_BANK
        },
        program: u16::try_from(program & 0x7F).unwrap_or_default(),
        zones,
    };
    Ok((preset, lost))
}

/// True if bytes are such a collection.
pub fn looks_like(bytes: &[u8]) -> bool {
    let kind = bytes.get(8..).and_then(FourCc::load);
    bytes.starts_with(b"RIFF") && kind == Some(FourCc(*b"DLS "))
}

/// Decodes a collection.
///
/// # Errors
/// It is not a collection, or a wave or instrument lacks required data.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Font>> {
    if !looks_like(bytes) {
        return Err(FormatError::malformed(
            "id",
            0,
            "RIFF with DLS",
            "other bytes",
        ));
    }
    let all = chunks(bytes.get(12..).unwrap_or_default(), 12);
    let mut deviations = Deviations::default();
    let pool = all.iter().find(|chunk| chunk.is_list(b"wvpl"));
    let Some(pool) = pool else {
        return Err(FormatError::malformed("wvpl", 12, "a wave pool", "none"));
    };
    // The table has offsets from the start of the pool's contents.
    let mut starts = BTreeMap::new();
    let mut waves = Vec::new();
    for list in pool
        .inner()
        .into_iter()
        .filter(|list| list.is_list(b"wave"))
    {
        let start = list.offset.saturating_sub(12).saturating_sub(pool.offset);
        starts.insert(start, waves.len());
        waves.push(wave(list)?);
    }
    let table: Vec<usize> = match Chunk::find(&all, b"ptbl") {
        Some(chunk) => {
            let size: u32 = chunk.needed("ptbl.size", 0)?;
            let count: u32 = chunk.needed("ptbl.cues", 4)?;
            let start = usize::try_from(size).unwrap_or(usize::MAX);
            let cues = chunk.bytes.get(start..).unwrap_or_default().as_chunks().0;
            let cues = cues.iter().take(count as usize);
            let place = |cue: &[u8; 4]| {
                let start = usize::try_from(u32::from_le_bytes(*cue)).ok()?;
                starts.get(&start).copied()
            };
            cues.map(|cue| place(cue).unwrap_or(usize::MAX)).collect()
        }
        None => (0..waves.len()).collect(),
    };
    let mut pool = Pool {
        waves,
        samples: Vec::new(),
        known: BTreeMap::new(),
    };
    let mut presets = Vec::new();
    for list in Chunk::list(&all, b"lins")
        .into_iter()
        .filter(|list| list.is_list(b"ins "))
    {
        let (preset, lost) = preset(list, &mut pool, &table)?;
        if lost > 0 {
            let found = format_args!("others: {lost}");
            deviations.push("rgn", list.offset, "regions with keys and a wave", found);
        }
        // A preset without zones cannot be played.
        if !preset.zones.is_empty() {
            presets.push(preset);
        }
    }
    Ok(Decoded {
        value: Font {
            name: name_of(&all),
            samples: pool.samples,
            presets,
        },
        deviations,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
        let mut all = id.to_vec();
        all.extend((bytes.len() as u32).to_le_bytes());
        all.extend(bytes);
        all.resize(all.len().next_multiple_of(2), 0);
        all
    }

    fn list(kind: &[u8; 4], parts: &[Vec<u8>]) -> Vec<u8> {
        let mut all = kind.to_vec();
        parts.iter().for_each(|part| all.extend(part));
        chunk(b"LIST", &all)
    }

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn longs(longs: &[i32]) -> Vec<u8> {
        longs.iter().flat_map(|long| long.to_le_bytes()).collect()
    }

    fn collection() -> Vec<u8> {
        let wave = |frames: &[u16]| {
            let mut format = words(&[1, 1]);
            format.extend(longs(&[22_050, 44_100]));
            format.extend(words(&[2, 16]));
            list(
                b"wave",
                &[chunk(b"fmt ", &format), chunk(b"data", &words(frames))],
            )
        };
        let (first, second) = (wave(&[1, 2, 3, 4]), wave(&[9, 8, 7, 6]));
        let mut tuning = longs(&[20]);
        tuning.extend(words(&[69, 50]));
        tuning.extend(longs(&[-20 << 16, 0, 1, 16, 0, 1, 2]));
        let curve = |destination: u16, scale: i32| {
            let mut row = words(&[0, 0, destination, 0]);
            row.extend(longs(&[scale]));
            row
        };
        let mut curves = longs(&[8, 2]);
        curves.extend(curve(0x0206, -1200 << 16));
        curves.extend(curve(0x020A, 500 << 16));
        let region = list(
            b"rgn ",
            &[
                chunk(b"rgnh", &words(&[30, 90, 0, 127, 0, 0])),
                chunk(b"wsmp", &tuning),
                chunk(b"wlnk", &[words(&[0, 0]), longs(&[1, 1])].concat()),
                list(b"lart", &[chunk(b"art1", &curves)]),
            ],
        );
        let instrument = list(
            b"ins ",
            &[
                chunk(b"insh", &longs(&[1, 0x300, 5])),
                list(b"lrgn", &[region]),
                list(b"INFO", &[chunk(b"INAM", b"Reed\0")]),
            ],
        );
        let cues = longs(&[8, 2, 0, first.len() as i32]);
        let mut file = b"DLS ".to_vec();
        file.extend(chunk(b"colh", &longs(&[1])));
        file.extend(list(b"lins", &[instrument]));
        file.extend(chunk(b"ptbl", &cues));
        file.extend(list(b"wvpl", &[first, second]));
        chunk(b"RIFF", &file)
    }

    #[test]
    fn regions_become_zones_in_the_units_of_sound_fonts() {
        let font = decode(&collection()).unwrap();
        assert!(font.deviations.is_empty());
        let font = font.value;
        assert_eq!(font.samples.len(), 1);
        assert_eq!(font.samples[0].data, [9, 8, 7, 6]);
        assert_eq!(font.samples[0].repeat, Some((1, 3)));
        let preset = &font.presets[0];
        assert_eq!((&*preset.name, preset.bank, preset.program), ("Reed", 3, 5));
        let zone = &preset.zones[0];
        assert_eq!(zone.keys, (30, 90));
        let set = |number| {
            zone.settings
                .iter()
                .find(|(known, _)| *known == number)
                .map(|set| set.1)
        };
        assert_eq!(set(generator::ROOT), Some(69));
        assert_eq!(set(generator::FINE_TUNE), Some(50));
        assert_eq!(set(generator::ATTENUATION), Some(20));
        assert_eq!(set(generator::ATTACK), Some(-1200));
        assert_eq!(set(generator::SUSTAIN), Some(480));
        assert_eq!(set(generator::LOOPS), Some(1));
    }

    #[test]
    fn damaged_collections_are_refused_or_read_in_part() {
        let whole = collection();
        for place in 0..whole.len() {
            decode(&whole[..place]).ok();
            for byte in [0, 0x7F, 0xFF] {
                let mut torn = whole.clone();
                torn[place] = byte;
                if let Ok(font) = decode(&torn) {
                    font.value.encode().ok();
                }
            }
        }
        assert!(decode(b"RIFF\0\0\0\0sfbk").is_err());
    }
}
