//! Checks of EverQuest's formats.

use relicast::formats::everquest::pfs;
use relicast::formats::everquest::texture::{self, bmp, dds};
use relicast::formats::everquest::wld::{self, Body};

use super::{check_deviations, round_trip};

/// Archives: blocks never overlap, members inflate to the size that they claim or not at all.
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

/// Scenes, and what their fragments can be asked.
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

/// Pictures: bitmaps and DDS.
pub fn picture(bytes: &[u8]) {
    match texture::sniff(bytes) {
        Some(texture::FileKind::Bmp) => {
            round_trip(bytes, bmp::decode(bytes), bmp::encode);
        }
        Some(texture::FileKind::Dds) => {
            round_trip(bytes, dds::decode(bytes), dds::encode);
        }
        None => {}
    }
    if let Ok(decoded) = texture::decode(bytes) {
        let picture = decoded.value;
        let texels = picture.width as usize * picture.height as usize;
        // DXT packs four bits a texel, a bitmap one.
        assert!(texels <= bytes.len().saturating_mul(8));
        let key = picture.key("leaf.bmp");
        assert_eq!(picture.rgba(key).len(), texels * 4);
    }
}
