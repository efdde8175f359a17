//! Sections of Crimson Skies' save games, and saved planes.
//!
//! ```
//! use relicast_formats::zipper::save::crimson::{PlaneRecord, decode_plane, encode_plane};
//!
//! let bytes = encode_plane(&PlaneRecord { airframe: 5, ..PlaneRecord::default() })?;
//! assert_eq!(bytes.len(), 204);
//! assert_eq!(decode_plane(&bytes)?.value.airframe, 5);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```
//!
//! Offsets are those of the retail build. Pointers and stale memory are preserved.

use relicast_codec::{Bytes, Decoded, FixedSize, FormatError, PaddedText, Reader, Result, Vec3};

relicast_codec::record! {
    /// The member `zSaveHeader`, 12 bytes.
    pub struct MaskedHeader[12] {
        /// Offset 0: 12.
        version: u32 [must 12],
        /// Offset 4: 2.
        format: u32 [must 2],
        /// Offset 8: the parts that were written: 1 a world's vehicles, 2 the pilot, 0x10000 a mission,
        /// 0x20000 the world that a mission left.
        mask: u32,
    }
}

relicast_codec::record! {
    /// A color of a saved plane, 4 bytes.
    pub struct Paint[4]: FixedSize {
        /// Offset 0.
        red: u8,
        /// Offset 1.
        green: u8,
        /// Offset 2.
        blue: u8,
        /// Offset 3: 0.
        unk3: u8,
    }
}

relicast_codec::record! {
    /// A plane, 204 bytes: a slot of the pilot's hangar, or a separate file.
    pub struct PlaneRecord[204]: FixedSize {
        /// Offset 0: 0 for an empty slot of the hangar.
        owned: u32,
        /// Offset 4.
        name: PaddedText<36>,
        /// Offset 40.
        cost: u32,
        /// Offset 44: 0 to 10.
        airframe: u32,
        /// Offset 48: 0 to 2 tiers, 3 to 5 the same with nitrous, 6 none.
        engine: u32,
        /// Offset 52: left and right, 0 to 4.
        hardpoints: [u32; 2],
        /// Offset 60.
        weight: u32,
        /// Offset 64: 0 to 13.
        pattern: u32,
        /// Offset 68: swatches of the paints, 0 to 26.
        color_index: [u32; 3],
        /// Offset 80: shades of the swatches.
        shade_index: [u32; 3],
        /// Offset 92: on nose, tail and wing, 0 to 49.
        decals: [u32; 3],
        /// Offset 104: the paints.
        rgb: [Paint; 3],
        /// Offset 116: nose, tail, left, right; 5 times units of 0 to 12.
        armour: [u32; 4],
        /// Offset 132: a bit for each twin gun; higher bits may be garbage.
        twin_guns: u8,
        /// Offset 133.
        unk133: Bytes<3>,
        /// Offset 136: 0 to 4 calibres 30 to 70, 5 none.
        guns: [u32; 4],
        /// Offset 152: 0 slug, 1 dumdum, 2 armour-piercing, 3 magnesium, 4 none.
        ammunition: [u32; 4],
        /// Offset 168: four on the left, four on the right; 11 none.
        pylons: [u32; 8],
        /// Offset 200.
        unk200: Bytes<4>,
    }
}

impl PlaneRecord {
    /// True if every number is in its range.
    pub fn is_plausible(&self) -> bool {
        let within = |values: &[u32], most: u32| values.iter().all(|&value| value <= most);
        let none = |&value: &u32| value <= 49 || value == u32::MAX;
        let name = self.name.text_bytes();
        let readable = name.iter().all(|&byte| byte >= b' ' && byte != 0x7F);
        self.owned <= 1
            && !name.is_empty()
            && readable
            && within(&[self.airframe], 10)
            && within(&[self.engine], 6)
            && within(&self.hardpoints, 4)
            && within(&[self.pattern], 13)
            && within(&self.color_index, 26)
            && self.decals.iter().all(none)
            && within(&self.guns, 5)
            && within(&self.ammunition, 4)
            && within(&self.pylons, 11)
    }
}

relicast_codec::record! {
    /// An attempt at a mission, 84 bytes.
    pub struct Attempt[84]: FixedSize {
        /// Offset 0: bit 0 won; the others are objectives by their priority.
        objectives: u32,
        /// Offset 4: milliseconds.
        time: u32,
        /// Offset 8: kills by airframe.
        kills: [u8; 12],
        /// Offset 20: aces by airframe.
        aces: [u8; 12],
        /// Offset 32.
        shots: u16,
        /// Offset 34.
        hits: u16,
        /// Offset 36.
        unk36: Bytes<4>,
        /// Offset 40.
        money: u32,
        /// Offset 44.
        airframe: u32,
        /// Offset 48.
        plane: PaddedText<36>,
    }
}

relicast_codec::record! {
    /// Results of a mission, 168 bytes.
    pub struct MissionResult[168]: FixedSize {
        /// Offset 0.
        latest: Attempt,
        /// Offset 84: the best of all, value by value.
        best: Attempt,
    }
}

relicast_codec::record! {
    /// `UIData`, next to `PilotStatus`, 10,820 bytes: the state of a pilot in the menus.
    pub struct PilotData[10820] {
        /// Offset 0x000: the mission whose result is recorded.
        recorded_mission: u32,
        /// Offset 0x004.
        unk004: Bytes<8>,
        /// Offset 0x00C: folder of the profile, an absolute path.
        folder: PaddedText<260>,
        /// Offset 0x110.
        unk110: Bytes<76>,
        /// Offset 0x15C: width and height of the screen.
        screen: [u32; 2],
        /// Offset 0x164: settings of the screen.
        unk164: Bytes<432>,
        /// Offset 0x314: stale text follows the first NUL.
        pilot: PaddedText<32>,
        /// Offset 0x334.
        unk334: Bytes<4>,
        /// Offset 0x338: number of completed missions, which is the index of the next one.
        missions_done: u32,
        /// Offset 0x33C.
        selected_plane: u32,
        /// Offset 0x340.
        wingman_plane: u32,
        /// Offset 0x344: file of the memento's picture.
        memento: PaddedText<260>,
        /// Offset 0x448: money.
        funds: u32,
        /// Offset 0x44C: the hangar; the last is the workshop's copy.
        planes: [PlaneRecord; 26],
        /// Offset 0x1904.
        unk1904: Bytes<12>,
        /// Offset 0x1910: by mission, from the first on.
        results: [MissionResult; 24],
        /// Offset 0x28D0.
        unk28d0: Bytes<4>,
        /// Offset 0x28D4: the proposed name for a save game; stale text follows the first NUL.
        save_name: PaddedText<368>,
    }
}

impl PilotData {
    /// The planes of the hangar, without empty slots and the workshop's copy.
    pub fn hangar(&self) -> impl Iterator<Item = &PlaneRecord> {
        let slots = self.planes.iter().take(self.planes.len().saturating_sub(1));
        slots.filter(|plane| plane.owned != 0)
    }
}

relicast_codec::record! {
    /// `VehicleList/…`, 408 bytes.
    pub struct SkyVehicle[408] {
        /// Offset 0: 408.
        size: u32 [always 408],
        /// Offset 4.
        position: Vec3,
        /// Offset 16.
        orientation: Vec3,
        /// Offset 28.
        velocity: Vec3,
        /// Offset 40.
        unk40: Bytes<368>,
    }
}

/// True for a saved plane: exactly its length, with every number in its range.
pub fn looks_like_plane(bytes: &[u8]) -> bool {
    bytes.len() == PLANE && PlaneRecord::load(bytes).is_some_and(|plane| plane.is_plausible())
}

const PLANE: usize = <PlaneRecord as FixedSize>::SIZE;

/// Decodes a saved plane.
///
/// # Errors
/// Its length is not 204 bytes.
pub fn decode_plane(bytes: &[u8]) -> Result<Decoded<PlaneRecord>> {
    let plane = PlaneRecord::load(bytes).filter(|_| bytes.len() == PLANE);
    let Some(plane) = plane else {
        return Err(FormatError::truncated("plane", 0, PLANE, bytes.len()));
    };
    let mut reader = Reader::new(bytes);
    reader.take("plane", PLANE)?;
    Ok(reader.finish(plane))
}

/// Encodes a saved plane.
///
/// # Errors
/// Never. The return type is that of all encoders.
pub fn encode_plane(plane: &PlaneRecord) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(PLANE);
    plane.store(&mut bytes);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_detected_by_their_ranges() {
        let mut plane = PlaneRecord {
            name: PaddedText::new("Blue").unwrap(),
            airframe: 10,
            guns: [5; 4],
            ..PlaneRecord::default()
        };
        let bytes = encode_plane(&plane).unwrap();
        assert!(looks_like_plane(&bytes));
        assert!(!looks_like_plane(&bytes[1..]));
        assert_eq!(decode_plane(&bytes).unwrap().value, plane);
        for length in 0..bytes.len() {
            assert!(decode_plane(&bytes[..length]).is_err());
        }
        plane.pattern = 14;
        assert!(!looks_like_plane(&encode_plane(&plane).unwrap()));
    }
}
