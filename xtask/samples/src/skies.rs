//! Files that only Crimson Skies has: resource archives with liveries, saved planes, pilots.

use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::livery::{self, Livery};
use relicast::formats::zipper::rof::{self, NewFile};
use relicast::formats::zipper::save::crimson::{
    self, Attempt, MaskedHeader, MissionResult, Paint, PilotData, PlaneRecord,
};
use relicast::formats::zipper::save::{self, HEADER_NAME, SaveMember};
use relicast::scene::image::Effort;
use relicast::scene::{Image, Pixels};

use crate::Outcome;
use crate::pack::Pack;
use crate::random::Random;
use crate::sounds::tip;

/// The livery of a part: stripes of the three paints with soft borders, a panel line over them.
fn livery(width: u16, height: u16) -> Outcome<Vec<u8>> {
    let mut random = Random::named("livery");
    let (mut base, mut mask, mut overlay) = (Vec::new(), Vec::new(), Vec::new());
    for y in 0..height {
        for x in 0..width {
            let shade = 200 + (random.bits() % 40) as u8;
            base.extend([shade, shade, shade - 2]);
            let band = usize::from(x * 3 / width);
            let mut weights = [0_u8; 3];
            // The last column of a band is half of the next.
            let soft = x * 3 / width != (x + 1) * 3 / width && band < 2;
            weights[band] = if soft { 128 } else { 255 };
            if soft {
                weights[band + 1] = 122;
            }
            // A corner without paint.
            if x == 0 && y == 0 {
                weights = [0; 3];
            }
            mask.extend(weights);
            let alpha = match y == height / 2 {
                true => 255,
                false => (random.bits() % 3) as u8 * 20,
            };
            overlay.extend([40, 40, 44, alpha]);
        }
    }
    let livery = Livery::from_pictures(width, height, &base, &mask, &overlay);
    Ok(livery::encode(&livery)?)
}

const LAYOUT: &str = "[GLOBALVARS]\r\nG0=SHADE,200\r\n[@Hangar@]\r\nRows of the hangar\r\n\
                      BACK=P,HANGAR.PNG,0,0,1,1,0,0,0\r\nNAME=T,IDS_NAME,10,20,2,100,<SHADE>,1,0,,\r\n";

/// A Targa picture with runs, the bottom row first, 32 bits per texel and no alpha bits declared.
fn targa() -> Vec<u8> {
    let mut bytes = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2, 0, 32, 0];
    bytes.extend([0x83, 10, 20, 200, 255, 0x03]);
    bytes.extend(
        [
            [0, 0, 0, 0],
            [255, 0, 0, 128],
            [0, 255, 0, 255],
            [0, 0, 255, 255],
        ]
        .concat(),
    );
    bytes
}

/// `crimson.rof`: liveries of two patterns, pictures, scripts, tables, a sound.
pub fn resources() -> Outcome<Vec<u8>> {
    let picture = Image {
        width: 2,
        height: 1,
        pixels: Pixels::Rgb(vec![200, 100, 50, 10, 20, 30]),
    };
    let picture = relicast::emit::png::encode(&picture, Effort::Fast)?;
    let (wing, small) = (livery(32, 32)?, livery(8, 4)?);
    let (sound, targa) = (tip()?, targa());
    let file = |path, bytes, packed| NewFile {
        path,
        bytes,
        packed,
    };
    let files = [
        file("ASSETS/LAYOUT.CSV", LAYOUT.as_bytes(), Some(1)),
        file("ASSETS/GRAPHICS/HANGAR.PNG", &picture, None),
        file("ASSETS/GRAPHICS/SKETCH.TGA", &targa, Some(1)),
        file("ASSETS/GRAPHICS/BLCKSWAN/FUR_WING.BM", &wing, Some(1)),
        file("ASSETS/GRAPHICS/FORTUNE/FUR_WING.BM", &wing, Some(1)),
        file("ASSETS/GRAPHICS/FORTUNE/BLO_FIN.BM", &small, Some(1)),
        file(
            "ASSETS/SCRIPTS/AIRFRAME.SCRIPT",
            b"gui_create a { }\r\n",
            Some(1),
        ),
        file(
            "ASSETS/SCRIPTS/RESOURCE.H",
            b"#define IDS_NAME 1\r\n",
            Some(1),
        ),
        file("ASSETS/SOUNDS/CLICK.WAV", &sound, None),
    ];
    Ok(rof::pack(&files, &["ASSETS/BINARIES"])?)
}

/// `crimptch.rof`: a script that replaces an older one.
pub fn patch() -> Outcome<Vec<u8>> {
    let script = NewFile {
        path: "ASSETS/SCRIPTS/AIRFRAME.SCRIPT",
        bytes: b"gui_create a { callback(b) }\r\n",
        packed: Some(1),
    };
    Ok(rof::pack(&[script], &[])?)
}

fn record(name: &str, airframe: u32, pattern: u32) -> PlaneRecord {
    let paint = |red, green, blue| Paint {
        red,
        green,
        blue,
        unk3: 0,
    };
    PlaneRecord {
        owned: 1,
        name: PaddedText::new(name).unwrap_or_default(),
        cost: 9000,
        airframe,
        engine: 4,
        hardpoints: [2, 3],
        weight: 12_000,
        pattern,
        color_index: [1, 26, 26],
        shade_index: [8, 0, 9],
        decals: [21, 7, u32::MAX],
        rgb: [paint(20, 160, 60), paint(240, 240, 10), paint(25, 25, 25)],
        armour: [20, 10, 15, 15],
        twin_guns: 3,
        guns: [1, 0, 5, 5],
        ammunition: [2, 0, 4, 4],
        pylons: [1, 2, 11, 11, 10, 2, 5, 11],
        ..PlaneRecord::default()
    }
}

/// A plane of the hangar as a file of its own.
pub fn plane() -> Outcome<Vec<u8>> {
    Ok(crimson::encode_plane(&record("Green Test", 7, 4))?)
}

/// `Status.dat`: a pilot with a plane and a mission.
pub fn status() -> Outcome<Vec<u8>> {
    let mut pilot = PilotData {
        folder: PaddedText::new("C:\\Games\\Sample").unwrap_or_default(),
        screen: [800, 600],
        pilot: PaddedText::new("Sample").unwrap_or_default(),
        missions_done: 1,
        funds: 2500,
        ..PilotData::default()
    };
    pilot.planes[0] = record("Swan", 7, 1);
    let attempt = Attempt {
        objectives: 3,
        time: 65_000,
        shots: 200,
        hits: 50,
        money: 1500,
        airframe: 7,
        plane: PaddedText::new("Swan").unwrap_or_default(),
        ..Attempt::default()
    };
    pilot.results[0] = MissionResult {
        latest: attempt,
        best: attempt,
    };
    let members = [
        (HEADER_NAME, header(2)),
        (
            "PilotStatus/PilotStatus",
            SaveMember::Raw(vec![0; 1448].into()),
        ),
        ("UIData/UIData", SaveMember::Pilot(Box::new(pilot))),
    ];
    packed(&members)
}

/// `Mission.NNN`: the result of a mission; a section occurs twice.
pub fn mission() -> Outcome<Vec<u8>> {
    let mut random = Random::named("turrets");
    let mut turret = || SaveMember::Raw(random.bytes::<280>().to_vec().into());
    let (one, two) = (turret(), turret());
    let members = [
        (HEADER_NAME, header(0x20000)),
        ("TurretList/tur1", one),
        ("TurretList/tur1", two),
    ];
    packed(&members)
}

fn header(mask: u32) -> SaveMember<'static> {
    SaveMember::MaskedHeader(MaskedHeader {
        version: 12,
        format: 2,
        mask,
    })
}

fn packed(members: &[(&str, SaveMember<'_>)]) -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("save");
    for (name, member) in members {
        pack.add(name, save::encode(member)?)?;
    }
    pack.finish()
}
