//! Zones (`.zon`), versions 1 and 2: placements of models, regions, lights.
//!
//! ```
//! use relicast_formats::everquest::eqg::zone::{MAGIC, Placement, RegionKind, Zone, decode, encode, zone_line};
//!
//! assert_eq!(RegionKind::new("AWT_lake"), RegionKind::Water);
//! assert_eq!(zone_line("ATP_12_1"), 12);
//!
//! let mut zone = Zone { magic: MAGIC, version: 1, ..Zone::default() };
//! zone.models.push(zone.strings.add("ground.ter"));
//! zone.placements.push(Placement::default());
//! let decoded = decode(&encode(&zone)?)?.value;
//! assert_eq!(decoded.strings.text(decoded.models[0]), "ground.ter");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use super::parts::{Strings, trailing, unknown_version};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, F32, FormatError, Result, Stream, Vec3};

/// First bytes of a zone.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGZ");

relicast_codec::record! {
    /// A zone, in file axes.
    pub struct Zone[28..] {
        /// Offset 0: `EQGZ`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: 1 or 2.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of models.
        model_count: u32 [counts models],
        /// Offset 16: number of placements.
        placement_count: u32 [counts placements],
        /// Offset 20: number of regions.
        region_count: u32 [counts regions],
        /// Offset 24: number of lights.
        light_count: u32 [counts lights],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// Names of the models.
        models: Vec<u32> [count model_count],
        /// Placed models; the first is the terrain.
        placements: Vec<Placement> [by |value, stream| placements(value, stream, placement_count, version)],
        /// Boxes of water, ways to other zones and the like.
        regions: Vec<Region> [count region_count],
        /// Lights.
        lights: Vec<PointLight> [count light_count],
        /// Bytes after the last field, by rule none; some files have four zeros.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

relicast_codec::record! {
    /// A placed model, 36 bytes; light follows in version 2.
    pub struct Placement[36..] {
        /// Offset 0: the model, by its index in the list; −1 for none.
        model: i32,
        /// Offset 4: name of the placement, which is also that of its baked light.
        name: u32,
        /// Offset 8: position.
        position: Vec3,
        /// Offset 20: radians about z, y and x, applied in opposite order.
        rotation: Vec3,
        /// Offset 32: scale.
        scale: F32,
        /// Offset 36 of version 2: light baked into its vertices, as in `.lit` files.
        #[serde(skip_serializing_if = "Option::is_none")]
        colors: Option<Vec<[u8; 4]>> [if held] [counted],
    }
}

fn placements<'a, S: Stream<'a>>(
    list: &mut Vec<Placement>,
    stream: &mut S,
    count: usize,
    version: u32,
) -> Result<()> {
    use relicast_codec::Walk;

    if !matches!(version, 1 | 2) {
        return Err(unknown_version("1 or 2", version));
    }
    let smallest = if version == 2 { 40 } else { 36 };
    stream.list("placements", list, count, smallest, |stream, placement| {
        if S::READING {
            placement.colors = (version == 2).then(Vec::new);
        } else if placement.colors.is_some() != (version == 2) {
            let place = stream.position();
            let expected = "a list in version 2, none in version 1";
            let found = placement.colors.is_some();
            return Err(FormatError::unencodable("colors", place, expected, found));
        }
        placement.walk(stream)
    })
}

relicast_codec::record! {
    /// A box, 40 bytes.
    pub struct Region[40]: FixedSize {
        /// Offset 0: name, whose first letters give the kind.
        name: u32,
        /// Offset 4: center.
        center: Vec3,
        /// Offset 16: 512ths of a turn about z, −y and x.
        turn: Vec3,
        /// Offset 28: half the lengths of its sides; signs do not matter.
        half: Vec3,
    }
}

relicast_codec::record! {
    /// A light, 32 bytes. Its axes differ from all others.
    pub struct PointLight[32]: FixedSize {
        /// Offset 0: name; if the third letter is `B` it lights terrain too, others are baked in.
        name: u32,
        /// Offset 4: position: −y, x and z.
        position: Vec3,
        /// Offset 16: red, green, blue, 0 to 1.
        color: Vec3,
        /// Offset 28: radius.
        radius: F32,
    }
}

/// Kind of a region, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RegionKind {
    /// `AWT`.
    Water,
    /// `ALV`.
    Lava,
    /// `AVW`.
    FreezingWater,
    /// `APK`: players fight players.
    PlayerFights,
    /// `ATP`: a way to another zone.
    ZoneLine,
    /// `ASL`: ice.
    Slippery,
    /// `APV`.
    General,
    /// `AFG`.
    Fog,
    /// Another name.
    Unknown,
}

impl RegionKind {
    /// The kind of a region with this name.
    pub fn new(name: &str) -> Self {
        let start: String = name.chars().take(3).collect();
        match &*start.to_ascii_uppercase() {
            "AWT" => Self::Water,
            "ALV" => Self::Lava,
            "AVW" => Self::FreezingWater,
            "APK" => Self::PlayerFights,
            "ATP" => Self::ZoneLine,
            "ASL" => Self::Slippery,
            "APV" => Self::General,
            "AFG" => Self::Fog,
            _ => Self::Unknown,
        }
    }
}

/// Number of the zone line with this name: the digits after the first underscore, 0 without any.
pub fn zone_line(name: &str) -> u32 {
    let rest = name.split_once('_').map_or("", |(_, rest)| rest);
    let end = rest.find(|letter: char| !letter.is_ascii_digit());
    let digits = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
    digits.parse().unwrap_or_default()
}

/// Decodes a zone.
///
/// # Errors
/// Not a zone, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Zone>> {
    let mut decoded = codec::decode::<Zone>(bytes)?;
    let zone = &decoded.value;
    let deviations = &mut decoded.deviations;
    let models = zone.models.iter().map(|&name| ("models", name));
    let placed = zone
        .placements
        .iter()
        .map(|one| ("placements.name", one.name));
    let regions = zone.regions.iter().map(|one| ("regions.name", one.name));
    let lights = zone.lights.iter().map(|one| ("lights.name", one.name));
    for (field, name) in models.chain(placed).chain(regions).chain(lights) {
        zone.strings.check(deviations, field, name);
    }
    let odd = zone.placements.iter().filter(|placement| {
        let model = usize::try_from(placement.model);
        placement.model != -1 && !model.is_ok_and(|model| model < zone.models.len())
    });
    let odd = odd.count();
    if odd > 0 {
        let found = format_args!("{odd} invalid");
        deviations.push("placements.model", 0, "existing models", found);
    }
    Ok(decoded)
}

/// Encodes a zone.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(zone: &Zone) -> Result<Vec<u8>> {
    codec::encode(zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_determine_what_regions_are() {
        assert_eq!(RegionKind::new("awt_pool"), RegionKind::Water);
        assert_eq!(RegionKind::new("ATP_12"), RegionKind::ZoneLine);
        assert_eq!(RegionKind::new("A"), RegionKind::Unknown);
        assert_eq!(zone_line("ATP_12"), 12);
        assert_eq!(zone_line("ATP_7b"), 7);
        assert_eq!(zone_line("ATP"), 0);
        assert_eq!(zone_line("ATP_99999999999"), 0);
    }

    #[test]
    fn light_is_part_of_placements_of_version_2_only() {
        for version in [1, 2] {
            let placement = Placement {
                model: -1,
                colors: (version == 2).then(|| vec![[1, 2, 3, 4]]),
                ..Placement::default()
            };
            let mut zone = Zone {
                magic: MAGIC,
                version,
                placements: vec![placement],
                regions: vec![Region::default()],
                lights: vec![PointLight::default()],
                ..Zone::default()
            };
            zone.strings.add("a");
            let bytes = encode(&zone).unwrap();
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, zone);
            assert!(decoded.deviations.is_empty());
            zone.version = 3 - version;
            assert!(encode(&zone).is_err());
        }
    }
}
