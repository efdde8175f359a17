//! Pictures as paint programs save them: every form of PNG, and other formats under its name.

use relicast_testing::test;
use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use png::{BitDepth, ColorType};
use relicast::asset::{AssetKind, Game};
use relicast::pack::pack;
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::GAMES;

use crate::place::{Place, picture};

/// A PNG; `set` adds what the form needs.
fn as_png(
    picture: &RgbaImage,
    (color, depth): (ColorType, BitDepth),
    data: &[u8],
    set: impl FnOnce(&mut png::Info<'_>),
) -> Vec<u8> {
    let mut info = png::Info::with_size(picture.width(), picture.height());
    (info.color_type, info.bit_depth) = (color, depth);
    set(&mut info);
    let mut bytes = Vec::new();
    let encoder = png::Encoder::with_info(&mut bytes, info).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    drop(writer);
    bytes
}

/// A picture of few gray levels that 16 bits of color hold, opaque.
fn gray(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| match (x + y) % 3 {
        0 => Rgba([0, 0, 0, 255]),
        1 => Rgba([255, 255, 255, 255]),
        _ => Rgba([132, 130, 132, 255]),
    })
}

/// A picture in every form of PNG that holds it.
fn forms(picture: &RgbaImage) -> Vec<(&'static str, Vec<u8>)> {
    let texels = || picture.pixels().map(|texel| texel.0);
    let wide = |channels: &[u8]| -> Vec<u8> { channels.iter().flat_map(|it| [*it; 2]).collect() };
    let rgba: Vec<u8> = texels().flatten().collect();
    let rgb: Vec<u8> = texels().flat_map(|[r, g, b, _]| [r, g, b]).collect();
    let form = (ColorType::Rgba, BitDepth::Sixteen);
    let mut forms = vec![("16 bits", as_png(picture, form, &wide(&rgba), |_| {}))];
    if texels().all(|[.., alpha]| alpha == 255) {
        let form = (ColorType::Rgb, BitDepth::Sixteen);
        let bytes = as_png(picture, form, &wide(&rgb), |_| {});
        forms.push(("16 bits, opaque", bytes));
    }
    let mut colors: Vec<[u8; 4]> = texels().collect();
    colors.sort_unstable();
    colors.dedup();
    if colors.len() <= 256 {
        let indices: Vec<u8> = texels()
            .map(|texel| colors.iter().position(|own| *own == texel).unwrap() as u8)
            .collect();
        let palette: Vec<u8> = colors.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        let alphas: Vec<u8> = colors.iter().map(|&[.., alpha]| alpha).collect();
        let form = (ColorType::Indexed, BitDepth::Eight);
        forms.push((
            "palette with tRNS",
            as_png(picture, form, &indices, |info| {
                info.palette = Some(palette.into());
                info.trns = Some(alphas.into());
            }),
        ));
    }
    if texels().all(|[r, g, b, _]| r == g && g == b) {
        let lumas: Vec<u8> = texels().map(|[r, ..]| r).collect();
        let both: Vec<u8> = texels().flat_map(|[r, .., alpha]| [r, alpha]).collect();
        forms.push((
            "gray",
            as_png(
                picture,
                (ColorType::Grayscale, BitDepth::Eight),
                &lumas,
                |_| {},
            ),
        ));
        forms.push((
            "gray and alpha",
            as_png(
                picture,
                (ColorType::GrayscaleAlpha, BitDepth::Sixteen),
                &wide(&both),
                |_| {},
            ),
        ));
    }
    forms
}

fn is_plain(output: &ManifestOutput) -> bool {
    output.kind == AssetKind::Textures
        && output.path.ends_with(".png")
        && output.member.is_some()
        && output.path.rsplit('/').next().unwrap().matches('.').count() == 1
}

#[test]
fn every_form_of_png_gives_the_same_game_files() {
    for game in GAMES {
        let place = Place::of(game);
        // A PNG is copied as it is.
        let made = place.outputs(|output| {
            let member = output.member.as_deref().unwrap_or_default();
            let base = output.path.replace(".png", ".base.png");
            let is_made_of_parts = place.path("out").join(base).exists();
            is_plain(output) && !member.to_lowercase().ends_with(".png") && !is_made_of_parts
        });
        for output in made.iter().take(4) {
            let path = place.path("out").join(&output.path);
            let before = std::fs::read(&path).unwrap();
            let (width, height) = picture(&path).dimensions();
            let mut painted = picture(&path);
            painted.put_pixel(width / 2, height / 2, Rgba([255, 0, 132, 255]));
            for edited in [painted, gray(width, height)] {
                let mut plain = Cursor::new(Vec::new());
                edited.write_to(&mut plain, ImageFormat::Png).unwrap();
                place.edit(&output.path, |_| plain.into_inner());
                let wanted = packed_bytes(&place);
                let files = wanted.as_ref().map(Vec::len);
                assert_eq!(files, Ok(1), "{game:?}: {}", output.path);
                for (form, bytes) in forms(&edited) {
                    place.edit(&output.path, |_| bytes);
                    assert!(
                        packed_bytes(&place) == wanted,
                        "{game:?}: {}: {form}",
                        output.path
                    );
                }
                for format in [ImageFormat::Bmp, ImageFormat::Tga, ImageFormat::Tiff] {
                    let mut bytes = Cursor::new(Vec::new());
                    edited.write_to(&mut bytes, format).unwrap();
                    place.edit(&output.path, |_| bytes.into_inner());
                    assert!(
                        packed_bytes(&place) == wanted,
                        "{game:?}: {}: {format:?}",
                        output.path
                    );
                }
            }
            std::fs::write(&path, before).unwrap();
        }
    }
}

/// The game files with the edit, or the reasons why there are none.
fn packed_bytes(place: &Place) -> Result<Vec<(String, Vec<u8>)>, Vec<String>> {
    let packed = pack(&place.request()).unwrap();
    if !packed.refused.is_empty() {
        return Err(packed
            .refused
            .into_iter()
            .map(|(_, reason)| reason.to_string())
            .collect());
    }
    let files = packed.files.into_iter();
    let read = |(path, _): (String, u64)| {
        let bytes = std::fs::read(place.path("mod").join(&path)).unwrap();
        (path, bytes)
    };
    Ok(files.map(read).collect())
}

fn sky(place: &Place) -> ManifestOutput {
    place.outputs(|output| output.path.ends_with("rtexture4/ground.png"))[0].clone()
}

#[test]
fn what_games_do_not_have_is_reported() {
    let place = Place::of(Game::Rc);
    let output = sky(&place);
    let picture = gray(64, 32);
    let rgba: Vec<u8> = picture.pixels().flat_map(|texel| texel.0).collect();
    let deep: Vec<u8> = rgba.iter().flat_map(|it| [*it, it ^ 0x55]).collect();
    let form = (ColorType::Rgba, BitDepth::Eight);
    let mut jpeg = Cursor::new(Vec::new());
    let opaque = DynamicImage::from(picture.clone()).into_rgb8();
    opaque.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let profile = |name: &str| {
        let profile = name.as_bytes().to_vec();
        as_png(&picture, form, &rgba, |info| {
            info.icc_profile = Some(profile.into())
        })
    };
    let gamma = |value| {
        as_png(&picture, form, &rgba, |info| {
            info.source_gamma = Some(png::ScaledFloat::from_scaled(value));
        })
    };
    for (bytes, wanted) in [
        (
            as_png(
                &picture,
                (ColorType::Rgba, BitDepth::Sixteen),
                &deep,
                |_| {},
            ),
            "16 to 8 bits",
        ),
        (profile("Adobe RGB (1998)"), "color profile was ignored"),
        (profile("sRGB IEC61966-2.1"), ""),
        (gamma(100_000), "gamma was ignored"),
        (gamma(45_455), ""),
        (jpeg.into_inner(), "JPEG, which is lossy"),
    ] {
        place.edit(&output.path, |_| bytes);
        let packed = place.pack();
        let reported = packed.edits[0].rounding.clone().unwrap_or_default();
        assert!(reported.contains(wanted), "{wanted}: {reported}");
        let is_quiet = !reported.contains("ignored") && !reported.contains("16 to 8");
        assert!(is_quiet || !wanted.is_empty(), "{reported}");
    }
}

#[test]
fn other_files_under_the_name_of_a_png_are_refused_by_name() {
    let place = Place::of(Game::Rc);
    let output = sky(&place);
    for (bytes, name) in [
        (&b"GIF89a and more"[..], "it is a GIF; export it as PNG"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "it is a WEBP"),
        (b"8BPS\0\x01", "Photoshop"),
        (b"gimp xcf v011", "GIMP"),
        (b"DDS \x7C\0\0\0", "it is a DDS"),
        (b"BM and no bitmap", "it is a BMP, and not a readable one"),
        (b"", "not a readable PNG"),
        (b"no picture", "not a readable PNG"),
    ] {
        place.edit(&output.path, |_| bytes.to_vec());
        let refused = pack(&place.request()).unwrap().refused;
        assert!(
            refused[0].1.to_string().contains(name),
            "{name}: {refused:?}"
        );
    }
}

#[test]
fn a_copied_png_never_becomes_another_format() {
    let place = Place::of(Game::Cs);
    let hangar = place.outputs(|output| output.path.ends_with("hangar.png"))[0].clone();
    let painted = gray(8, 8);
    let mut bytes = Cursor::new(Vec::new());
    painted.write_to(&mut bytes, ImageFormat::Bmp).unwrap();
    place.edit(&hangar.path, |_| bytes.into_inner());
    place.pack();
    place.convert_packed();
    let after = std::fs::read(place.path("after").join(&hangar.path)).unwrap();
    assert_eq!(image::guess_format(&after).unwrap(), ImageFormat::Png);
    assert_eq!(
        image::load_from_memory(&after).unwrap().into_rgba8(),
        painted
    );
}
