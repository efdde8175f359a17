//! Pictures with more colors than their palettes hold.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};
use relicast::asset::{AssetKind, Game};
use relicast::pack::{Destination, Only, Packed, Palettes, Request, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::GAMES;

use crate::place::{Place, picture};

/// A picture of thousands of colors; a corner is transparent if `is_cut`.
fn painting(width: u32, height: u32, is_cut: bool) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let (x, y) = (x * 255 / width.max(2), y * 255 / height.max(2));
        match is_cut && x + y < 60 {
            true => Rgba([0, 0, 0, 0]),
            false => Rgba([x as u8, y as u8, (255 - (x + y) / 2) as u8, 255]),
        }
    })
}

fn as_png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Pictures whose file has a palette, as far as the conversion shows it.
fn indexed(place: &Place) -> Vec<ManifestOutput> {
    place.outputs(|output| {
        let is_main = output.path.rsplit('/').next().unwrap().matches('.').count() == 1;
        let is_picture = output.kind == AssetKind::Textures && output.path.ends_with(".png");
        if !is_main || !is_picture || output.member.is_none() {
            return false;
        }
        let bytes = std::fs::read(place.path("out").join(&output.path)).unwrap();
        let reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        reader.info().palette.is_some() && !output.source.to_lowercase().ends_with(".rof")
    })
}

/// Mean difference of visible texels, per channel.
fn difference(one: &RgbaImage, other: &RgbaImage) -> f64 {
    let pairs = one.pixels().zip(other.pixels());
    let seen = pairs.filter(|(one, other)| one.0[3] != 0 || other.0[3] != 0);
    let by: Vec<f64> = seen
        .flat_map(|(one, other)| one.0.into_iter().zip(other.0))
        .map(|(one, other)| f64::from(one.abs_diff(other)))
        .collect();
    by.iter().sum::<f64>() / by.len() as f64
}

fn packed(place: &Place, palettes: Palettes) -> Packed {
    let packed = pack(&Request {
        palettes,
        ..place.request()
    });
    let packed = packed.unwrap();
    assert_eq!(packed.refused, []);
    packed
}

#[test]
fn full_palettes_are_made_anew_unless_they_are_shared_or_to_be_kept() {
    let (mut anew, mut shared) = (0, 0);
    for game in GAMES {
        let place = Place::of(game);
        let mut edited = indexed(&place);
        // Two of each file.
        let mut counts = BTreeMap::new();
        edited.retain(|output| {
            let count = counts.entry(output.source.clone()).or_insert(0);
            *count += 1;
            *count <= 2
        });
        let mut wanted = Vec::new();
        for output in &edited {
            let old = picture(&place.path("out").join(&output.path));
            let is_cut = old.pixels().any(|texel| texel.0[3] == 0);
            // Pictures of another size have all their texels edited.
            let new = painting(old.width() + 4, old.height() + 4, is_cut);
            place.edit(&output.path, |_| as_png(&new));
            wanted.push(new);
        }
        let mut results = Vec::new();
        for palettes in [Palettes::Keep, Palettes::Remake] {
            let packed = packed(&place, palettes);
            place.convert_packed();
            let differences = edited.iter().zip(&wanted).map(|(output, wanted)| {
                let after = picture(&place.path("after").join(&output.path));
                let cut = |picture: &RgbaImage| picture.pixels().filter(|it| it.0[3] == 0).count();
                assert_eq!(
                    cut(&after),
                    cut(wanted),
                    "{}: no color is transparent",
                    output.path
                );
                let edit = packed.edits.iter().find(|edit| edit.output == output.path);
                let reported = edit.unwrap().rounding.clone().unwrap_or_default();
                (difference(&after, wanted), reported)
            });
            results.push(differences.collect::<Vec<_>>());
            std::fs::remove_dir_all(place.path("after")).unwrap();
        }
        let [kept, remade] = &results[..] else {
            unreachable!()
        };
        for ((output, kept), remade) in edited.iter().zip(kept).zip(remade) {
            assert!(
                remade.0 <= kept.0,
                "{}: {remade:?}, kept {kept:?}",
                output.path
            );
            assert!(!kept.1.contains("anew"), "{kept:?}");
            if remade.1.contains("anew") {
                assert!(kept.1.contains("full and stays"), "{kept:?}");
                assert!(remade.0 < 8.0, "{}: {remade:?}", output.path);
                anew += 1;
            }
            shared += usize::from(remade.1.contains("shared by other pictures and stays"));
        }
        place.convert_packed();
        place.assert_others_unchanged(&edited);
    }
    assert!(anew > 1 && shared > 0, "{anew} made anew, {shared} shared");
}

#[test]
fn a_single_texel_of_a_new_color_leaves_the_others() {
    let new = Rgba([255, 0, 132, 255]);
    let by = |one: &Rgba<u8>| -> u32 {
        let channels = one.0.into_iter().zip(new.0);
        channels.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let place = Place::of(Game::Eq);
    let edited = indexed(&place);
    let of =
        |folder: &str, output: &ManifestOutput| picture(&place.path(folder).join(&output.path));
    let before: Vec<_> = edited.iter().map(|output| of("out", output)).collect();
    for (output, before) in edited.iter().zip(&before) {
        let mut painted = before.clone();
        painted.put_pixel(painted.width() / 2, painted.height() / 2, new);
        place.edit(&output.path, |_| as_png(&painted));
    }
    let packed = packed(&place, Palettes::Keep);
    assert_eq!(packed.edits.len(), edited.len());
    place.convert_packed();
    let mut exact = 0;
    for (output, before) in edited.iter().zip(&before) {
        let mut after = of("after", output);
        let (x, y) = (before.width() / 2, before.height() / 2);
        let (old, texel) = (before.get_pixel(x, y), *after.get_pixel(x, y));
        assert!(by(&texel) < by(old), "{}: {texel:?}", output.path);
        exact += usize::from(texel == new);
        after.put_pixel(x, y, *old);
        assert!(after == *before, "{}: others changed", output.path);
    }
    assert!(exact > 0, "a palette has a free place");
}

#[test]
fn a_picture_that_stays_keeps_the_treatment_of_its_palette() {
    for (first, second) in [
        (Palettes::Keep, Palettes::Remake),
        (Palettes::Remake, Palettes::Keep),
    ] {
        let place = Place::of(Game::Eq);
        let all = indexed(&place);
        let beside = |one: &ManifestOutput| {
            let other = |other: &&ManifestOutput| other.source == one.source && *other != one;
            all.iter().find(other).cloned()
        };
        let pair = all.iter().find_map(|one| Some([one.clone(), beside(one)?]));
        let pair = pair.unwrap();
        for output in &pair {
            let old = picture(&place.path("out").join(&output.path));
            let new = painting(old.width() + 4, old.height() + 4, false);
            place.edit(&output.path, |_| as_png(&new));
        }
        let shown = |at: usize, palettes, to: &str| {
            let only = Only::new([globset::escape(&pair[at].path)]).unwrap();
            let request = Request {
                palettes,
                only: Some(only),
                to: Destination::Folder(place.path(to)),
                ..place.request()
            };
            assert_eq!(pack(&request).unwrap().refused, []);
            place.convert_with_packed(to, "after");
            let after = picture(&place.path("after").join(&pair[0].path));
            std::fs::remove_dir_all(place.path("after")).unwrap();
            after
        };
        let once = shown(0, first, "mod");
        assert!(shown(0, second, "other") != once, "both ways give the same");
        assert!(
            shown(1, second, "mod") == once,
            "{first:?}, then {second:?}"
        );
    }
}
