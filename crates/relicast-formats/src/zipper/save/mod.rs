//! Sections of save games, which are archives of version 1 whose members are called `Owner/Key`.
//!
//! - MechWarrior 3 (`*.mw3`): the header and animation activations are understood; their reference calls itself
//!   unfinished.
//! - Recoil (files without an ending in `SavedGames`): every section, see [`recoil`].
//! - Crimson Skies (`Status.dat`, `*.sav`, `Persist.NNN`, `Mission.NNN`): see [`crimson`].
//!
//! All other sections, and those that break a rule, stay raw.
//!
//! ```
//! use relicast_formats::zipper::save::{HEADER_NAME, decode, encode};
//!
//! let bytes = [8, 0, 0, 0, 2, 0, 0, 0];
//! let member = decode(HEADER_NAME, &bytes)?.value;
//! assert_eq!(encode(&member)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod crimson;
pub mod recoil;

use relicast_codec::quantity::counted;
use serde::Serialize;

use relicast_codec::{
    Blob, Bytes, Decoded, F32, FixedSize, FormatError, PaddedText, Reader, Result, Stream, Walk,
    Writer,
};

use super::archive::Archive;
use crimson::{MaskedHeader, PilotData, SkyVehicle};
use recoil::{
    AnimationState, Deformation, Fog, Mine, MissionData, Pickup, Player, RunningAnimation, Vehicle,
};

/// The game that wrote a save.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SavedBy {
    /// MechWarrior 3, or Pirate's Moon, whose saves are undocumented.
    #[default]
    #[serde(rename = "mechwarrior-3")]
    MechWarrior,
    /// Recoil.
    Recoil,
    /// Crimson Skies.
    CrimsonSkies,
}

/// Owners of sections that only saves of Recoil have.
const RECOIL_OWNERS: [&str; 4] = ["Mission", "MissionLate", "HUDTimer", "Mines"];

impl SavedBy {
    /// The game that wrote an archive; `None` for one that is not a save.
    pub fn new(archive: &Archive<'_>) -> Option<Self> {
        let mut headers = archive.entries.iter().filter(|entry| {
            let name = entry.row.name.text_bytes();
            name.eq_ignore_ascii_case(HEADER_NAME.as_bytes())
        });
        if let Some(header) = headers.next() {
            return match header.data.len() {
                MaskedHeader::SIZE => Some(Self::CrimsonSkies),
                _ => Some(Self::MechWarrior),
            };
        }
        let is_owned = |name: &[u8]| {
            let mut owners = RECOIL_OWNERS.iter();
            owners.any(|owner| {
                let rest = name.strip_prefix(owner.as_bytes());
                rest.is_some_and(|rest| rest.starts_with(b"/"))
            })
        };
        let mut entries = archive.entries.iter();
        let found = entries.any(|entry| is_owned(entry.row.name.text_bytes()));
        found.then_some(Self::Recoil)
    }
}

/// Name of the member that identifies a save game.
pub const HEADER_NAME: &str = "zSaveHeader";

relicast_codec::record! {
    /// The member [`HEADER_NAME`], 8 bytes.
    pub struct SaveHeader[8] {
        /// Offset 0: 8.
        version: u32 [must 8],
        /// Offset 4: 2.
        format: u32 [must 2],
    }
}

relicast_codec::open_enum! {
    /// Effect of an activation.
    pub enum ActivationKind: i32 {
        /// All values are zero.
        Plain = 1,
        /// The first three values are zero, six are unknown.
        Positioned = 2,
        /// Nine unknown values (stale memory).
        Stale = 5,
    }
}

relicast_codec::record! {
    /// Start of an activation, 88 bytes; `count` node states of 68 bytes follow.
    pub struct ActivationHead[88] {
        /// Offset 0.
        kind: ActivationKind,
        /// Offset 4: 0.
        unk04: i32 [must 0],
        /// Offset 8: name of the animation.
        name: PaddedText<32> [padded],
        /// Offset 40: index of the node, -1 for none.
        node_index: i32 [within -1..=19_999],
        /// Offset 44: nine values whose meaning depends on the kind and is not known.
        values: [F32; 9],
        /// Offset 80: stale pointer, 0 exactly when `unk86` is.
        pointer: u32,
        /// Offset 84: 1, 3 (executed) or 4 (invalid) were seen.
        status: u8,
        /// Offset 85: number of node states.
        count: u8,
        /// Offset 86: 0 or 25.
        unk86: u8,
        /// Offset 87: 0.
        unk87: u8 [must 0],
    }
}

/// One animation that was running when the game was saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activation {
    /// The known part.
    pub head: ActivationHead,
    /// 68 bytes per node, not decoded.
    pub node_states: Vec<Bytes<68>>,
}

impl<'a> Walk<'a> for Activation {
    const SMALLEST: usize = ActivationHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        if !S::READING {
            self.head.count = u8::try_from(self.node_states.len()).map_err(|_| {
                FormatError::unencodable("count", offset, "at most 255", self.node_states.len())
            })?;
        }
        self.head.walk(stream)?;
        if let (true, ActivationKind::Other(kind)) = (S::READING, self.head.kind) {
            return Err(FormatError::unsupported("kind", offset, "1, 2 or 5", kind));
        }
        stream.values(
            "node_states",
            &mut self.node_states,
            usize::from(self.head.count),
        )
    }
}

/// A member of a save game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SaveMember<'a> {
    /// The header.
    Header(SaveHeader),
    /// A valid activation.
    Activation(Activation),
    /// The header of Crimson Skies.
    MaskedHeader(MaskedHeader),
    /// Facts about a pilot in the menus of Crimson Skies.
    Pilot(Box<PilotData>),
    /// A vehicle of Crimson Skies.
    SkyVehicle(Box<SkyVehicle>),
    /// The mission.
    Mission(MissionData),
    /// An animation that was requested or has run.
    Animation(AnimationState),
    /// An animation that runs.
    Running(RunningAnimation<'a>),
    /// A vehicle.
    Vehicle(Vehicle),
    /// The player.
    Player(Box<Player>),
    /// Something to pick up.
    Pickup(Pickup),
    /// The fog of the world.
    Fog(Fog),
    /// A change of the ground.
    Deformation(Deformation),
    /// A mine.
    Mine(Mine),
    /// Seconds of the timer that is shown.
    Timer(F32),
    /// A number alone: hits that weapons dealt, or 1 where the mission's first animations are to start.
    Number(u32),
    /// A section known by name only, verbatim.
    Raw(Blob<'a>),
    /// Anything else, verbatim.
    Unknown(Blob<'a>),
}

/// A member that is one whole section.
fn whole<'a, T: Walk<'a>>(bytes: &'a [u8]) -> Option<Decoded<T>> {
    let mut reader = Reader::new(bytes);
    let mut value = T::default();
    value.walk(&mut reader).ok()?;
    (reader.remaining() == 0).then(|| reader.finish(value))
}

/// Puts a section into its variant.
fn as_member<'a, T>(
    decoded: Option<Decoded<T>>,
    variant: impl FnOnce(T) -> SaveMember<'a>,
) -> Option<Decoded<SaveMember<'a>>> {
    decoded.map(|decoded| Decoded {
        value: variant(decoded.value),
        deviations: decoded.deviations,
    })
}

/// A single word or number.
fn single<'a, T: FixedSize>(
    bytes: &'a [u8],
    variant: impl FnOnce(T) -> SaveMember<'a>,
) -> Option<Decoded<SaveMember<'a>>> {
    let value = T::load(bytes).filter(|_| bytes.len() == T::SIZE)?;
    let mut reader = Reader::new(bytes);
    reader.take("value", bytes.len()).ok()?;
    Some(reader.finish(variant(value)))
}

fn of_recoil<'a>(owner: &str, bytes: &'a [u8]) -> Option<Decoded<SaveMember<'a>>> {
    match owner {
        "Mission" => as_member(whole(bytes), SaveMember::Mission),
        "AnimActivation" | "Anim" => as_member(whole(bytes), SaveMember::Animation),
        "RunningAnim" => as_member(whole(bytes), SaveMember::Running),
        "VehicleList" => as_member(whole(bytes), SaveMember::Vehicle),
        "Player" => as_member(whole(bytes), SaveMember::Player),
        "Pickup" => as_member(whole(bytes), SaveMember::Pickup),
        "GWWorld" => as_member(whole(bytes), SaveMember::Fog),
        "zDEClient" => as_member(whole(bytes), SaveMember::Deformation),
        "Mines" => as_member(whole(bytes), SaveMember::Mine),
        "HUDTimer" => single(bytes, SaveMember::Timer),
        "Weapons" | "MissionLate" => single(bytes, SaveMember::Number),
        _ => None,
    }
}

/// Owners of sections of Crimson Skies with unknown content.
const SKY_OWNERS: [&str; 18] = [
    "AnimActivation",
    "Anim",
    "DZPathList",
    "GWWorld",
    "Mission",
    "MStructList",
    "Objective",
    "Persistence",
    "PilotStatus",
    "Player",
    "PlayerVehicle",
    "RunningAnim",
    "TurretList",
    "VehicleList",
    "Voices",
    "Weapons",
    "ZeppelinList",
    "zDEClient",
];

fn of_crimson_skies<'a>(owner: &str, bytes: &'a [u8]) -> Option<Decoded<SaveMember<'a>>> {
    let known = match owner {
        // The same data under two owners.
        "UIData" | "InMenu" => as_member(whole(bytes), SaveMember::Pilot),
        "VehicleList" => as_member(whole(bytes), SaveMember::SkyVehicle),
        _ => None,
    };
    known.or_else(|| {
        SKY_OWNERS.contains(&owner).then(|| {
            let mut reader = Reader::new(bytes);
            let taken = reader.take("member", bytes.len()).unwrap_or_default();
            reader.finish(SaveMember::Raw(Blob::borrowed(taken)))
        })
    })
}

/// Decodes the member called `name` of a save of `game`. Unknown content is returned as [`SaveMember::Raw`] or,
/// with a deviation, as [`SaveMember::Unknown`].
///
/// # Errors
/// The header member is truncated or of another version.
pub fn decode_of<'a>(
    game: SavedBy,
    name: &str,
    bytes: &'a [u8],
) -> Result<Decoded<SaveMember<'a>>> {
    let owner = name.split('/').next().unwrap_or_default();
    match game {
        SavedBy::MechWarrior => decode(name, bytes),
        SavedBy::Recoil => match of_recoil(owner, bytes) {
            Some(decoded) => Ok(decoded),
            None => unknown(bytes, "a section of a known owner and size"),
        },
        SavedBy::CrimsonSkies if name.eq_ignore_ascii_case(HEADER_NAME) => {
            let mut reader = Reader::new(bytes);
            let mut header = MaskedHeader::default();
            header.walk(&mut reader)?;
            match reader.remaining() {
                0 => Ok(reader.finish(SaveMember::MaskedHeader(header))),
                _ => unknown(bytes, "a header of 12 bytes"),
            }
        }
        SavedBy::CrimsonSkies => match of_crimson_skies(owner, bytes) {
            Some(decoded) => Ok(decoded),
            None => unknown(bytes, "a section of a known owner"),
        },
    }
}

/// Decodes the member called `name` of a save of MechWarrior 3. Unknown content is returned as
/// [`SaveMember::Unknown`] with a deviation.
///
/// # Errors
/// The header member is truncated or of another version.
pub fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<Decoded<SaveMember<'a>>> {
    let mut reader = Reader::new(bytes);
    if name.eq_ignore_ascii_case(HEADER_NAME) {
        let mut header = SaveHeader::default();
        header.walk(&mut reader)?;
        return match reader.remaining() {
            0 => Ok(reader.finish(SaveMember::Header(header))),
            _ => unknown(bytes, "a header of 8 bytes"),
        };
    }
    let mut activation = Activation::default();
    let walked = activation.walk(&mut reader);
    match walked {
        Ok(()) if reader.remaining() == 0 => Ok(reader.finish(SaveMember::Activation(activation))),
        _ => unknown(bytes, "an animation activation"),
    }
}

/// A member that does not match `expected`, verbatim.
fn unknown<'a>(bytes: &'a [u8], expected: &str) -> Result<Decoded<SaveMember<'a>>> {
    let mut raw = Reader::new(bytes);
    let kind = bytes.get(..4).and_then(i32::load);
    let kind = kind.map_or_else(String::new, |kind| format!(" of kind {kind}"));
    let found = format_args!("{}{kind}", counted(bytes.len(), "byte", "bytes"));
    raw.deviate("member", 0, expected, found);
    let value = SaveMember::Unknown(Blob::borrowed(raw.take("member", bytes.len())?));
    Ok(raw.finish(value))
}

/// Encodes a member.
///
/// # Errors
/// An activation with more than 255 node states.
pub fn encode(member: &SaveMember<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    match member {
        SaveMember::Header(header) => header.clone().walk(&mut writer)?,
        SaveMember::Activation(activation) => activation.clone().walk(&mut writer)?,
        SaveMember::MaskedHeader(header) => header.clone().walk(&mut writer)?,
        SaveMember::Pilot(pilot) => pilot.clone().walk(&mut writer)?,
        SaveMember::SkyVehicle(vehicle) => vehicle.clone().walk(&mut writer)?,
        SaveMember::Mission(mission) => mission.clone().walk(&mut writer)?,
        SaveMember::Animation(animation) => animation.clone().walk(&mut writer)?,
        SaveMember::Running(running) => running.clone().walk(&mut writer)?,
        SaveMember::Vehicle(vehicle) => vehicle.clone().walk(&mut writer)?,
        SaveMember::Player(player) => player.clone().walk(&mut writer)?,
        SaveMember::Pickup(pickup) => pickup.clone().walk(&mut writer)?,
        SaveMember::Fog(fog) => fog.clone().walk(&mut writer)?,
        SaveMember::Deformation(deformation) => deformation.clone().walk(&mut writer)?,
        SaveMember::Mine(mine) => mine.clone().walk(&mut writer)?,
        SaveMember::Timer(seconds) => writer.value("seconds", &mut { *seconds })?,
        SaveMember::Number(number) => writer.value("number", &mut { *number })?,
        SaveMember::Raw(bytes) | SaveMember::Unknown(bytes) => {
            writer.bytes("member", &mut bytes.0.clone(), bytes.len())?;
        }
    }
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit_wall() -> Activation {
        Activation {
            head: ActivationHead {
                kind: ActivationKind::Plain,
                name: PaddedText::new("hit_wall").unwrap(),
                node_index: 7,
                status: 3,
                ..ActivationHead::default()
            },
            node_states: Vec::new(),
        }
    }

    #[test]
    fn activation_example_has_the_documented_bytes() {
        let bytes = encode(&SaveMember::Activation(hit_wall())).unwrap();
        assert_eq!(bytes.len(), 88);
        assert_eq!(&bytes[8..16], b"hit_wall");
        assert_eq!((bytes[40], bytes[84]), (7, 3));
        let decoded = decode("anything", &bytes).unwrap();
        assert_eq!(decoded.value, SaveMember::Activation(hit_wall()));
        assert!(decoded.deviations.is_empty());
    }

    #[test]
    fn what_is_not_understood_stays_raw() {
        let mut bytes = encode(&SaveMember::Activation(hit_wall())).unwrap();
        bytes[87] = 1;
        let decoded = decode("anything", &bytes).unwrap();
        assert!(matches!(decoded.value, SaveMember::Unknown(_)));
        assert_eq!(decoded.deviations.total(), 1);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn the_header_is_a_hard_rule() {
        assert!(decode(HEADER_NAME, &[8, 0, 0, 0, 2, 0, 0, 0]).is_ok());
        assert!(decode(HEADER_NAME, &[9, 0, 0, 0, 2, 0, 0, 0]).is_err());
    }
}
