//! Containers of each game.

use relicast::formats::codec::F32;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{self, AnimFile, BaseFile, InfoBlock, SourceFile};

use super::indices;
use super::maker::{ADDRESS, padded, reserved};
use super::scenes;
use crate::Outcome;

/// Content of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// Everything: the one container of a world.
    All,
    /// Animations shared by all missions of a world.
    Group,
    /// Animations of one mission.
    Mission,
}

/// Seconds since 1970 of the sample's sources.
const MADE: u32 = 919_047_053;

fn source(path: &str) -> Outcome<SourceFile> {
    let mut path = padded::<80>(path)?;
    // Remains of a longer path.
    path.0[76..].copy_from_slice(b"zrd\0");
    Ok(SourceFile {
        path,
        timestamp: MADE,
    })
}

fn info(version: ZipperGame, has_scripts: bool) -> InfoBlock {
    InfoBlock {
        definitions_ptr: ADDRESS,
        scripts_ptr: if has_scripts { ADDRESS } else { 0 },
        world_ptr: ADDRESS,
        gravity: F32(-9.8),
        unk40: u32::from(version >= ZipperGame::PiratesMoon),
        one60: u32::from(version > ZipperGame::Recoil),
        ..InfoBlock::default()
    }
}

/// A container of a game.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn container(version: ZipperGame, holding: Holding) -> Outcome<AnimFile> {
    let mut scripts = Vec::new();
    let pool = &mut scripts;
    let mut definitions = Vec::new();
    if holding != Holding::Mission {
        definitions.push(scenes::fire(version, pool)?);
        definitions.push(scenes::ride(version, pool)?);
        definitions.push(scenes::banner(version, pool)?);
        definitions.push(scenes::lift(version, pool)?);
    }
    if holding != Holding::Group {
        definitions.push(scenes::roof(version, pool)?);
        definitions.push(scenes::hit(version, pool)?);
        definitions.extend(scenes::fences(version, pool)?);
        definitions.push(scenes::rest(version, pool)?);
        definitions.push(scenes::dawn(version, pool)?);
    }
    if version == ZipperGame::CrimsonSkies && holding != Holding::Group {
        definitions.push(scenes::pair(version, pool)?);
        definitions.push(scenes::vent(version, pool)?);
        definitions.push(scenes::propeller(version, pool)?);
    }
    let mut file = AnimFile {
        version,
        sources: vec![
            source("..\\data\\common\\house.zrd")?,
            source("..\\data\\fire.zrd")?,
        ],
        info: info(version, !scripts.is_empty()),
        reserved: reserved(version)?,
        definitions,
        scripts,
        ..AnimFile::default()
    };
    match version {
        ZipperGame::PiratesMoon => file.timestamp = MADE,
        ZipperGame::CrimsonSkies => {
            for path in ["..\\zbd\\c1\\gamez.zbd", "..\\zbd\\planes.zbd"] {
                let path = padded(path)?;
                file.base_files.push(BaseFile {
                    path,
                    timestamp: MADE,
                });
            }
            indices::store(&mut file)?;
        }
        ZipperGame::Recoil | ZipperGame::MechWarrior3 => {}
    }
    Ok(file)
}

/// The bytes of a container.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn encoded(version: ZipperGame, holding: Holding) -> Outcome<Vec<u8>> {
    Ok(anim::encode(&container(version, holding)?)?)
}

/// A container of MechWarrior 3 of about so many megabytes: the sample's definitions repeatedly,
/// each time with a lift that moves in some hundred frames.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn bulk(megabytes: f64) -> Outcome<Vec<u8>> {
    let version = ZipperGame::MechWarrior3;
    let mut file = container(version, Holding::All)?;
    let few = std::mem::take(&mut file.definitions);
    let wanted = (megabytes * 1_048_576.0) as usize;
    let mut length = 0;
    for round in 0_u32.. {
        if length >= wanted {
            break;
        }
        let mut scripts = Vec::new();
        let mut made = few.clone();
        made.push(scenes::long_lift(version, &mut scripts, 150)?);
        for mut definition in made {
            let name = format!("{}_{round:05}", definition.anim_name());
            definition.head.anim_name = padded(&name)?;
            length += definition.length(version);
            file.definitions.push(definition);
        }
    }
    Ok(anim::encode(&file)?)
}
