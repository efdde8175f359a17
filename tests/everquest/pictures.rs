//! Pictures: pixels of the fixtures, and corrupt files.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use relicast::formats::everquest::pfs;
use relicast::formats::everquest::texture::{self, Texels};
use relicast::formats::everquest::wld::{self, Body, Surface, Wld};
use serde_json::Value;

use crate::support::{ARCHIVES, CORRUPT_WORDS, fixture_members, fixtures, members};

fn crc32(bytes: &[u8]) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}

/// Files that masked materials of a scene show.
fn masked_files(wld: &Wld<'_>) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for fragment in &wld.fragments {
        let Body::Material(material) = &fragment.body else {
            continue;
        };
        if material.surface() != Surface::Masked {
            continue;
        }
        let Body::SimpleSprite(sprite) = &wld.get(material.texture).unwrap().body else {
            panic!("no texture");
        };
        let Body::SimpleSpriteDefinition(sprite) = &wld.get(sprite.definition).unwrap().body else {
            panic!("no sprite");
        };
        for &frame in &sprite.frames {
            let Body::BitmapInfo(info) = &wld.get(frame).unwrap().body else {
                panic!("no bitmap");
            };
            files.extend(info.files.iter().map(|file| file.text().to_lowercase()));
        }
    }
    files
}

#[test]
fn pictures_have_the_documented_pixels() {
    let folder = fixtures();
    let json = fs::read(folder.join("textures.json")).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let mut checked = 0;
    for (archive, pictures) in json.as_object().unwrap() {
        let members = fixture_members(&folder, archive);
        let scene = members.get(&archive.replace(".s3d", ".wld"));
        let masked = scene.map(|bytes| masked_files(&wld::decode(bytes).unwrap().value));
        for (name, facts) in pictures.as_object().unwrap() {
            let decoded = texture::decode(&members[name]).unwrap();
            assert!(
                decoded.deviations.is_empty(),
                "{name}: {:?}",
                decoded.deviations
            );
            let picture = decoded.value;
            assert_eq!(facts["width"], picture.width, "{archive}/{name}");
            assert_eq!(facts["height"], picture.height, "{archive}/{name}");
            let is_masked = facts["masked"].as_bool().unwrap();
            if let Some(masked) = &masked {
                assert_eq!(masked.contains(name), is_masked, "{archive}/{name}");
            }
            let key = picture.key(name);
            let rgba = picture.rgba(key.filter(|_| is_masked));
            assert_eq!(facts["rgba_crc32"], *crc32(&rgba), "{archive}/{name}");
            if let Some(pixels) = facts["key_pixels"].as_u64() {
                let keyed = picture.rgba(key);
                let found = keyed.chunks(4).filter(|pixel| pixel[3] == 0).count();
                assert_eq!(found as u64, pixels, "{archive}/{name}");
            }
            checked += 1;
        }
    }
    assert!(checked > 600, "{checked}");
}

#[test]
fn pictures_survive() {
    let folder = fixtures();
    for archive in ARCHIVES {
        assert_pictures(archive, fixture_members(&folder, archive));
    }
}

#[test]
fn made_pictures_survive() {
    for file in relicast_samples::everquest::files(1).unwrap() {
        if file.path.ends_with(".s3d") {
            let archive = pfs::decode(&file.bytes).unwrap().value;
            assert_pictures(&file.path, members(&archive));
        }
    }
}

/// Pictures are written as they were read.
fn assert_pictures(archive: &str, members: BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in members {
        let again = match texture::sniff(&bytes) {
            Some(texture::FileKind::Bmp) => {
                texture::bmp::encode(&texture::bmp::decode(&bytes).unwrap().value)
            }
            Some(texture::FileKind::Dds) => {
                texture::dds::encode(&texture::dds::decode(&bytes).unwrap().value)
            }
            // Formats of other programs are stored as they are.
            Some(texture::FileKind::Png | texture::FileKind::Jpeg | texture::FileKind::Targa)
            | None => continue,
        };
        assert_eq!(again.unwrap(), bytes, "{archive}/{name}");
        assert!(texture::decode(&bytes).is_ok(), "{archive}/{name}");
    }
}

#[test]
fn corrupt_pictures_do_no_harm() {
    let folder = fixtures();
    let members = fixture_members(&folder, "newformat_obj.s3d");
    let mut kinds = BTreeMap::new();
    for bytes in members.values() {
        if let Ok(decoded) = texture::decode(bytes) {
            let kind = match decoded.value.texels {
                Texels::Indexed { .. } => 0,
                Texels::Rgb(_) => 1,
                Texels::Rgba(_) => 2,
            };
            kinds.insert((texture::sniff(bytes).is_some(), kind), bytes);
        }
    }
    assert_eq!(kinds.len(), 3);
    for bytes in kinds.values() {
        let head = &bytes[..bytes.len().min(160)];
        for offset in 0..head.len() {
            for word in CORRUPT_WORDS {
                let mut torn = bytes.to_vec();
                let end = (offset + 4).min(torn.len());
                torn[offset..end].copy_from_slice(&word.to_le_bytes()[..end - offset]);
                if let Ok(decoded) = texture::decode(&torn) {
                    let picture = decoded.value;
                    let pixels = picture.width as usize * picture.height as usize;
                    assert_eq!(picture.rgba(picture.key("a")).len(), pixels * 4);
                }
            }
            assert!(texture::decode(&bytes[..offset]).is_err());
        }
    }
}
