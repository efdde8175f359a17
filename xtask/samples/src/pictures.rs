//! Texture packages of the samples.

use crate::Outcome;
use crate::picture::{Picture, distance};
use crate::random::Random;
use crate::texture::{self, Shared, Texture};

const MOSS: [u8; 3] = [66, 94, 48];
const SAND: [u8; 3] = [214, 184, 120];
const STEEL: [u8; 3] = [112, 124, 140];
const WHITE: [u8; 3] = [255, 255, 255];
const BLACK: [u8; 3] = [0, 0, 0];

fn sky(size: u16) -> Picture {
    let corners = [
        [30, 60, 150],
        [40, 80, 180],
        [240, 190, 150],
        [250, 210, 170],
    ];
    Picture::gradient(size, size, corners).label("SKY", size / 32, WHITE)
}

fn ground(size: u16) -> Picture {
    let corners = [MOSS, SAND, [120, 100, 60], MOSS];
    Picture::gradient(size, size, corners).label("GND", size / 32, WHITE)
}

fn wall(size: u16) -> Picture {
    Picture::bricks(size, size, [170, 84, 60], [200, 196, 180]).label("A1", 2, WHITE)
}

fn panel(size: u16) -> Picture {
    Picture::checker(size, size, 8, [STEEL, [92, 102, 118]])
        .frame(2, [40, 44, 52])
        .label("B2", 2, [255, 220, 40])
}

/// A fence: bars in front of nothing; black is nothing.
fn fence(width: u16, height: u16) -> Picture {
    Picture::paint(width, height, |x, y| match (x % 8, y % 16) {
        (0..=1, _) | (_, 0..=1) => [150, 150, 160],
        _ => BLACK,
    })
}

fn flame(size: u16) -> Picture {
    Picture::paint(size, size, |x, y| {
        let level = (255 - distance(x, y, size, size)).clamp(0, 255) as u8;
        [level, level / 2 + level / 4, level / 4]
    })
}

fn glow(size: u16) -> impl Fn(u16, u16) -> u8 {
    move |x, y| (255 - distance(x, y, size, size)).clamp(0, 255) as u8
}

fn numbered(number: u32, size: u16) -> Picture {
    let mut random = Random::new(u64::from(number));
    let mut color = || -> [u8; 3] { random.bytes::<3>().map(|byte| byte / 2 + 32) };
    let corners = [color(), color(), color(), color()];
    Picture::gradient(size, size, corners)
        .frame(1, WHITE)
        .label(&format!("{number:03}"), size / 20, WHITE)
}

/// Textures of the hardware renderer: color words, every kind of alpha, every edge mode.
pub(super) fn hardware(size: u16, modes: &[u16], scale: u32) -> Outcome<Vec<u8>> {
    texture::file(&[], hardware_list(size, modes, scale))
}

fn hardware_list(size: u16, modes: &[u16], scale: u32) -> Vec<Texture> {
    // Crimson Skies adds fire to the background.
    let flame_edges = modes.iter().copied().find(|mode| *mode == 7).unwrap_or(0);
    let mut textures = vec![
        Texture::direct("sky", &sky(size)),
        Texture::direct("ground", &ground(size)).leaked(),
        Texture::keyed("fence", &fence(size, size / 2)),
        Texture::direct("flame", &flame(size))
            .blended(glow(size))
            .edges(flame_edges),
        Texture::direct("odd_size", &wall(size / 2 + 5)),
    ];
    for &mode in modes {
        let picture = panel(32).label("", 2, WHITE);
        let labeled = picture.label(&format!("  {mode}"), 2, WHITE);
        textures.push(Texture::direct(&format!("edge{mode}"), &labeled).edges(mode));
    }
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::direct(&format!("tile_{number:03}"), &picture));
    }
    textures
}

/// Skins of 'mechs besides the first, which is the ground: two other colors, and scars.
fn skins(size: u16) -> Vec<Texture> {
    let painted = |name: &str, colors: [[u8; 3]; 4], label: &str| {
        let picture = Picture::gradient(size, size, colors).label(label, size / 32, WHITE);
        Texture::direct(name, &picture)
    };
    vec![
        painted(
            "ground_b",
            [[40, 60, 150], [90, 120, 220], STEEL, [40, 60, 150]],
            "B",
        ),
        painted(
            "ground_c",
            [[150, 40, 40], [220, 120, 90], SAND, [150, 40, 40]],
            "C",
        ),
        painted("ground_dmg", [BLACK, [60, 50, 40], STEEL, BLACK], "X"),
    ]
}

/// Textures of 'mechs in true color.
pub(super) fn mech_hardware(size: u16, scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = hardware_list(size, &[], scale);
    textures.extend(skins(size));
    texture::file(&[], textures)
}

/// Textures of 'mechs that share palettes.
pub(super) fn mech_sharing(size: u16) -> Outcome<Vec<u8>> {
    let mut textures = sharing_list(size);
    textures.extend(skins(size));
    texture::file(&[Shared::Cube, Shared::Heat], textures)
}

/// Textures of the software renderer: palettes of their own.
pub(super) fn software(size: u16, scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = vec![
        Texture::indexed("sky", &sky(size)),
        Texture::indexed("ground", &ground(size)),
        Texture::indexed("wall", &wall(size)).edges(3),
        Texture::indexed("one_color", &Picture::checker(8, 8, 8, [SAND, SAND])),
        Texture::indexed("flame", &flame(size)).blended(glow(size)),
    ];
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::indexed(&format!("tile_{number:03}"), &picture));
    }
    texture::file(&[], textures)
}

/// Textures that share palettes, some with planes, and one with its own palette.
pub(super) fn sharing(size: u16) -> Outcome<Vec<u8>> {
    texture::file(&[Shared::Cube, Shared::Heat], sharing_list(size))
}

fn sharing_list(size: u16) -> Vec<Texture> {
    vec![
        Texture::shared("sky", &sky(size), 0, Shared::Cube),
        Texture::shared("ground", &ground(size), 0, Shared::Cube).edges(1),
        Texture::shared("flame", &flame(size), 1, Shared::Heat).blended(glow(size)),
        Texture::shared("heat", &flame(size), 1, Shared::Heat).leaked(),
        Texture::indexed("panel", &panel(size)).edges(2),
        Texture::direct("sign", &wall(32).label("  N", 2, BLACK)),
    ]
}

/// Pictures of the interface.
pub(super) fn interface(cursor_twice: bool) -> Outcome<Vec<u8>> {
    let cursor = Picture::paint(16, 16, |x, y| match x < 12 && y >= x && y < 14 {
        true => WHITE,
        false => BLACK,
    });
    let mut textures = vec![
        Texture::direct(
            "title",
            &Picture::gradient(160, 120, [STEEL, WHITE, BLACK, SAND]).label("RELICAST", 4, WHITE),
        ),
        Texture::keyed("cursor", &cursor),
        Texture::direct("a_name_of_thirty_one_characters", &panel(24)),
    ];
    if cursor_twice {
        textures.push(Texture::keyed("cursor", &fence(16, 16)));
        textures.push(Texture::direct("CURSOR", &panel(16)));
    }
    texture::file(&[], textures)
}

/// Pictures of the interface of Crimson Skies, with a font. Each of its 94 characters is a few columns of ink and an
/// empty one.
pub(super) fn interface_with_font() -> Outcome<Vec<u8>> {
    const GLYPHS: u16 = 94;
    let cell = |glyph: u16| 2 + glyph % 3;
    let width = (0..GLYPHS).map(cell).sum();
    let starts = (0..GLYPHS).scan(0, |at, glyph| {
        let start = *at;
        *at += cell(glyph);
        Some((start, glyph))
    });
    let starts: Vec<(u16, u16)> = starts.collect();
    let font = Picture::paint(width, 8, |x, y| {
        let glyph = starts.iter().rev().find(|(start, _)| *start <= x);
        let inked = glyph.is_some_and(|(start, glyph)| {
            let is_gap = x - start + 1 == cell(*glyph);
            !is_gap && (y + glyph) % 5 != 0
        });
        if inked { WHITE } else { BLACK }
    });
    let title =
        Picture::gradient(160, 120, [STEEL, WHITE, BLACK, SAND]).label("RELICAST", 4, WHITE);
    texture::file(
        &[],
        vec![
            Texture::keyed("sample_8", &font),
            Texture::direct("title", &title),
        ],
    )
}

/// A world's textures of Crimson Skies, sorted by name as the game requires.
pub(super) fn skies(size: u16, scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = vec![
        Texture::keyed_indexed("07tail_star", &fence(16, 16)),
        Texture::indexed("21crest", &panel(16)),
        Texture::keyed_indexed("cutout", &fence(size, size)),
        Texture::indexed("flame", &flame(size))
            .blended(glow(size))
            .edges(7)
            .leaked(),
        Texture::indexed("fur_taillogo", &panel(16)),
        Texture::indexed("fur_wing", &panel(32)).blended(|x, _| if x == 0 { 0 } else { 255 }),
        Texture::indexed("ground", &ground(size)),
        Texture::indexed("hangar_door", &panel(size)).edges(8),
        Texture::indexed("sky", &sky(size)),
    ];
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::indexed(&format!("tile_{number:03}"), &picture));
    }
    texture::file(&[], textures)
}
