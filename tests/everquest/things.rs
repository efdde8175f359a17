//! Objects and pictures of the fixtures, compared with an evaluation of the fragments that uses nothing of
//! the converter.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use relicast::formats::everquest::wld::{self, Body};
use serde_json::Value;

use crate::common;
use crate::output::{Part, converted, fixtures, load, triangles};
use crate::stored::{Triangles, all_parts, expected, scene, sorted, vertex_count};

#[test]
fn objects_are_the_same_in_both_versions_and_as_the_file_has_them() {
    let inputs = fixtures(&["gfaydark_obj.s3d", "newformat_obj.s3d"]);
    let bytes = scene("gfaydark_obj.s3d", "gfaydark_obj.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    converted(&inputs, "", |out| {
        let (mut vertices, mut faces, mut passable) = (0, 0, 0);
        let (mut right, mut wrong) = (0, 0);
        for fragment in &wld.fragments {
            let Body::Mesh(mesh) = &fragment.body else {
                continue;
            };
            let name = fragment
                .name()
                .strip_suffix("_DMSPRITEDEF")
                .unwrap()
                .to_lowercase();
            let old = load(&out.join(format!("models/gfaydark_obj/{name}.gltf")));
            let new = load(&out.join(format!("models/newformat_obj/{name}.gltf")));
            let (parts, others) = (all_parts(&old), all_parts(&new));
            let (mut drawn, mut undrawn) = (Triangles::new(), Triangles::new());
            expected(&wld, mesh, &mut drawn, &mut undrawn);
            assert!(undrawn.is_empty());
            assert!(triangles(&parts) == sorted(drawn), "{name}");
            assert!(triangles(&others) == triangles(&parts), "{name}");
            vertices += vertex_count(&parts);
            for part in &parts {
                faces += part.triangles.len();
                passable += if part.solid { 0 } else { part.triangles.len() };
            }
            // Boards of a dozen triangles are signs, and the two with a picture of their own its front:
            // seen from outside, U must grow to the right where V grows downwards, or the text would
            // read backwards.
            if mesh.faces.len() == 12 {
                let fronts = parts.iter().filter(|part| part.triangles.len() == 2);
                let fronts: Vec<Part> = fronts.cloned().collect();
                let (yes, no) = reading_sense(&fronts);
                right += yes;
                wrong += no;
            }
        }
        assert_eq!((vertices, faces, passable), (6_589, 4_102, 1_051));
        assert!(right > 30 && wrong == 0, "{right} against {wrong}");
    });
}

/// Faces on which a text is readable, and those on which it is mirrored.
fn reading_sense(parts: &[Part]) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for part in parts {
        for triangle in &part.triangles {
            let [a, b, c] = triangle.map(|at| part.vertices[at].uv.unwrap().map(f64::from));
            // Corners run counter-clockwise seen from outside; with V downwards, so must the picture's.
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
            match area {
                area if area < 0.0 => right += 1,
                area if area > 0.0 => wrong += 1,
                _ => {}
            }
        }
    }
    (right, wrong)
}

#[test]
fn flags_move_as_their_frames_say() {
    let inputs = fixtures(&["gfaydark_obj.s3d"]);
    let bytes = scene("gfaydark_obj.s3d", "gfaydark_obj.wld");
    let wld = wld::decode(&bytes).unwrap().value;
    converted(&inputs, "", |out| {
        let mut animated = 0;
        for fragment in &wld.fragments {
            let Body::Mesh(mesh) = &fragment.body else {
                continue;
            };
            let Some(Body::MeshAnimationInstance(instance)) =
                wld.get(mesh.animation).map(|it| &it.body)
            else {
                continue;
            };
            let Body::MeshAnimation(frames) = &wld.get(instance.definition).unwrap().body else {
                panic!("no frames");
            };
            animated += 1;
            let name = fragment
                .name()
                .strip_suffix("_DMSPRITEDEF")
                .unwrap()
                .to_lowercase();
            let file = load(&out.join(format!("models/gfaydark_obj/{name}.gltf")));
            let mesh_out = file.document.meshes().next().unwrap();
            let parts = file.parts(&mesh_out);
            let morphs = file.morphs(&mesh_out);
            let clip = file.document.animations().next().unwrap();
            let (_, (times, weights)) = file.weights(&clip).into_iter().next().unwrap();
            let count = usize::from(frames.frame_count);
            assert_eq!(times.len(), count + 1);
            assert_eq!(weights.len(), times.len() * morphs.len());
            let scale = 0.5_f32.powi(i32::from(frames.scale_exponent));
            let center = mesh.center.to_array();
            let corner = |frame: usize, vertex: usize| {
                let raw = frames.positions[frame * mesh.positions.len() + vertex].map(f32::from);
                let [x, y, z] = [0, 1, 2].map(|axis: usize| raw[axis] * scale + center[axis]);
                [y, z, x]
            };
            for (key, time) in times.iter().enumerate() {
                let wanted = key as f32 * f32::from(frames.sleep) / 1000.0;
                assert!((time - wanted).abs() < 1e-4);
                let weights = &weights[key * morphs.len()..(key + 1) * morphs.len()];
                // One material, so vertices are in the order of the file.
                let solid = &parts[0];
                for vertex in 0..solid.vertices.len().min(20) {
                    let at = [0, 1, 2].map(|axis: usize| {
                        let moved = morphs.iter().zip(weights);
                        let moved = moved.map(|(morph, weight)| morph[vertex][axis] * weight);
                        solid.vertices[vertex].position[axis] + moved.sum::<f32>()
                    });
                    let slot = mesh.vertex_groups[0].material;
                    assert_eq!(slot, mesh.face_groups[0].material);
                    let wanted = corner(key % count, vertex);
                    for axis in 0..3 {
                        assert!(
                            (at[axis] - wanted[axis]).abs() < 1e-3,
                            "{name} {key} {vertex}"
                        );
                    }
                }
            }
        }
        assert_eq!(animated, 2);
    });
}

#[test]
fn pictures_are_those_of_the_fixtures_texel_by_texel() {
    let names = [
        "gfaydark.s3d",
        "gfaydark_obj.s3d",
        "gfaydark_chr.s3d",
        "names_by_crc.s3d",
        "newformat_obj.s3d",
    ];
    let inputs = fixtures(&names);
    let folder = crate::support::fixtures();
    let facts = common::json(&folder.join("textures.json"));
    let config =
        "[textures]\ndilate = false\n[worlds]\nenabled = false\n[models]\nenabled = false\n";
    converted(&inputs, config, |out| {
        let report = common::json(&out.join("report.json"));
        let mut outputs: BTreeMap<(String, String), String> = BTreeMap::new();
        for source in report["sources"].as_array().unwrap() {
            for part in source["parts"].as_array().into_iter().flatten() {
                let Some(member) = part["member"].as_str() else {
                    continue;
                };
                let outputs_of = part["outputs"].as_array().into_iter().flatten();
                let mut pictures = outputs_of.filter_map(Value::as_str);
                let main = pictures.find(|picture| {
                    picture.ends_with(".png") && !picture.ends_with(".additive.png")
                });
                if let Some(main) = main {
                    let path = source["path"].as_str().unwrap().to_owned();
                    outputs.insert((path, member.to_owned()), main.to_owned());
                }
            }
        }
        let mut compared = 0;
        for (archive, members) in facts.as_object().unwrap() {
            for (member, facts) in members.as_object().into_iter().flatten() {
                let wanted = facts["rgba_crc32"].as_str().unwrap();
                let wanted = u32::from_str_radix(wanted, 16).unwrap();
                let path = &outputs[&(archive.clone(), member.clone())];
                let found = crc_of(&fs::read(out.join(path)).unwrap());
                assert_eq!(found, wanted, "{archive} {member}");
                compared += 1;
            }
        }
        assert!(compared > 600, "{compared}");
    });
}

/// CRC-32 of the texels of a PNG as red, green, blue, alpha.
fn crc_of(bytes: &[u8]) -> u32 {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut texels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut texels).unwrap();
    texels.truncate(info.buffer_size());
    let mut crc = flate2::Crc::new();
    match info.color_type {
        png::ColorType::Rgba => crc.update(&texels),
        png::ColorType::Rgb => {
            for texel in texels.chunks_exact(3) {
                crc.update(&[texel[0], texel[1], texel[2], 255]);
            }
        }
        other => panic!("{other:?}"),
    }
    crc.sum()
}
