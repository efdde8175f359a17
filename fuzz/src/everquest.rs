//! Checks of EverQuest's formats.

use relicast::formats::everquest::eqg::{
    animation, creature, emitters, layers, light, mesh, particles, points, text, tiles, walls, zone,
};
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::texture::{self, bmp, dds};
use relicast::formats::everquest::wld::{self, Body};
use relicast::formats::kind::{Kind, sniff_pfs_entry};

use super::{check_deviations, round_trip};

/// Archives: blocks never overlap; members inflate to their declared size or not at all.
pub fn pfs(bytes: &[u8]) {
    let Some(archive) = round_trip(bytes, pfs::decode(bytes), pfs::encode) else {
        return;
    };
    let held: usize = archive.entries.iter().map(|entry| entry.blocks.len()).sum();
    assert!(held <= bytes.len());
    for entry in archive.entries.iter().take(64) {
        assert!(entry.fault.is_none() || entry.blocks.is_empty());
        if let Ok(extracted) = entry.extract() {
            assert_eq!(extracted.value.len(), entry.row.size as usize);
            check_deviations(&entry.blocks, &extracted.deviations);
        }
    }
}

/// A member with one flipped bit. The first five bytes select its position; the rest is the member. The
/// member is refused, or inflates to its original content.
pub fn pfs_damage(bytes: &[u8]) {
    let Some((&[a, b, c, d, bit], content)) = bytes.split_first_chunk() else {
        return;
    };
    let members = [("a.bin", content)];
    let packed = pfs::pack(&members, None, 6).expect("the name is plain");
    let mut damaged = pfs::encode(&packed).expect("it fits");
    let stored = packed.entries.iter().map(|entry| entry.blocks.len());
    let length: usize = stored.sum();
    let Some(place) = (u32::from_le_bytes([a, b, c, d]) as usize).checked_rem(length) else {
        return;
    };
    let start = packed
        .entries
        .first()
        .map_or(0, |entry| entry.row.offset as usize);
    damaged[start + place] ^= 1 << (bit % 8);
    let Ok(decoded) = pfs::decode(&damaged) else {
        return;
    };
    let archive = decoded.value;
    let entry = archive.member("a.bin").expect("the directory is whole");
    assert!(entry.is_empty() == content.is_empty());
    match entry.extract() {
        Ok(same) => assert!(same.value == content, "damage is passed on"),
        Err(error) => assert!(error.offset() <= damaged.len() as u64),
    }
    assert_ne!(sniff_pfs_entry(entry), Kind::Empty);
}

/// Scenes, and the functions of their fragments.
pub fn wld(bytes: &[u8]) {
    let Some(wld) = round_trip(bytes, wld::decode(bytes), wld::encode) else {
        return;
    };
    for fragment in &wld.fragments {
        match &fragment.body {
            Body::SkeletonDefinition(skeleton) => {
                assert_eq!(skeleton.parents_first().len(), skeleton.bones.len());
            }
            Body::BspTree(tree) => {
                tree.leaf_at([1.0, 2.0, 3.0]);
            }
            Body::Region(region) => {
                for list in region.visible.iter().take(64) {
                    list.regions(1000);
                }
            }
            Body::Zone(zone) => {
                zone.meaning(fragment.name());
            }
            Body::Mesh(mesh) => {
                assert_eq!(mesh.faces_with_materials().count(), mesh.faces.len());
            }
            Body::TrackDefinition(track) => {
                for frame in 0..track.len() {
                    let pose = track.pose(frame).expect("the frame is there");
                    assert!(pose.rotation.iter().all(|part| part.is_finite()));
                }
            }
            _ => {}
        }
    }
}

/// Files in the EQG format: a byte that selects the type, then the file.
pub fn eqg(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    match choice % 12 {
        0 => drop(round_trip(bytes, mesh::decode(bytes), mesh::encode)),
        1 => drop(round_trip(bytes, creature::decode(bytes), creature::encode)),
        2 => drop(round_trip(
            bytes,
            animation::decode(bytes),
            animation::encode,
        )),
        3 => drop(round_trip(bytes, layers::decode(bytes), layers::encode)),
        4 => drop(round_trip(bytes, light::decode(bytes), light::encode)),
        5 => drop(round_trip(
            bytes,
            particles::decode(bytes),
            particles::encode,
        )),
        6 => drop(round_trip(bytes, points::decode(bytes), points::encode)),
        7 => drop(round_trip(bytes, zone::decode(bytes), zone::encode)),
        8 => drop(round_trip(bytes, tiles::decode(bytes), tiles::encode)),
        9 => drop(round_trip(bytes, walls::decode(bytes), walls::encode)),
        10 => drop(round_trip(bytes, emitters::decode(bytes), emitters::encode)),
        _ => {
            if let Some(text) = round_trip(bytes, text::decode(bytes), text::encode) {
                let _ = (
                    text.zone(),
                    text.group(),
                    text.water(),
                    text.light(),
                    text.levels(),
                );
            }
        }
    }
}

/// The byte that selects the type of a member of that name, for [`eqg`].
pub fn eqg_choice(name: &str) -> u8 {
    let endings = [
        ".mds", ".ani", ".lay", ".lit", ".prt", ".pts", "l.zon", "fen.dat", "invw.dat", ".edd",
    ];
    let place = endings.iter().position(|ending| name.ends_with(ending));
    match place {
        Some(place) => u8::try_from(place + 1).expect("few kinds"),
        None if name.ends_with(".mod") || name.ends_with(".ter") => 0,
        None => 11,
    }
}

/// Pictures: bitmaps, DDS, and pictures of other programs.
pub fn picture(bytes: &[u8]) {
    let is_plain = match texture::sniff(bytes) {
        Some(texture::FileKind::Bmp) => {
            round_trip(bytes, bmp::decode(bytes), bmp::encode);
            bmp::decode(bytes).is_ok_and(|bitmap| bitmap.value.picture().is_ok())
        }
        Some(texture::FileKind::Dds) => {
            round_trip(bytes, dds::decode(bytes), dds::encode);
            true
        }
        Some(texture::FileKind::Png | texture::FileKind::Jpeg | texture::FileKind::Targa)
        | None => false,
    };
    if let Ok(decoded) = texture::decode(bytes) {
        let picture = decoded.value;
        let texels = picture.width as usize * picture.height as usize;
        // DXT packs four bits per texel, a bitmap one; other programs compress.
        assert!(!is_plain || texels <= bytes.len().saturating_mul(8));
        let key = picture.key("leaf.bmp");
        assert_eq!(picture.rgba(key).len(), texels * 4);
    }
}
