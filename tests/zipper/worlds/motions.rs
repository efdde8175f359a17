//! Poses of 'mechs over time.

use gltf::animation::util::ReadOutputs;
use relicast_testing::test;

use super::common::json;
use super::expected::vector;
use super::output::load;
use super::with_game;

/// Parts that keep the translation of their node.
const LIMBS: [&str; 7] = ["torso", "larm", "rarm", "lhand", "rhand", "lcalf", "rcalf"];

fn check(game: &str, mech: &str, motion: &str, clip: &str) {
    with_game(game, "", |expect, out| {
        let expected = json(&expect.join("zbd/motion.zbd").join(format!("{motion}.json")));
        let file = load(&out.join(format!("models/zbd/mechlib/{mech}.gltf")));
        let mut clips = file.document.animations();
        let animation = clips
            .find(|animation| animation.name() == Some(clip))
            .unwrap();
        let time = expected["loop_time"].as_f64().unwrap();
        let count = expected["frame_count"].as_f64().unwrap();
        let mut moved = 0;
        for part in expected["parts"].as_array().unwrap() {
            let name = part["name"].as_str().unwrap();
            let frames = part["frames"].as_array().unwrap();
            for channel in animation.channels() {
                if channel.target().node().name() != Some(name) {
                    continue;
                }
                moved += 1;
                let reader = channel.reader(|_| Some(&file.buffer));
                let times: Vec<f32> = reader.read_inputs().unwrap().collect();
                assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
                let frame = |at: f32| {
                    let place = (f64::from(at) / time * count).round();
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a small number of frames"
                    )]
                    let place = place as usize;
                    assert!((place as f64 * time / count - f64::from(at)).abs() < 1e-5);
                    &frames[place % frames.len()]
                };
                match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(values) => {
                        assert!(!LIMBS.contains(&name), "{name} keeps its translation");
                        for (at, value) in times.iter().zip(values) {
                            let stored = vector(&frame(*at)["translation"], ["x", "y", "z"]);
                            for (one, other) in value.into_iter().zip(stored) {
                                assert!((f64::from(one) - other).abs() < 1e-5, "{name} at {at}");
                            }
                        }
                    }
                    ReadOutputs::Rotations(values) => {
                        for (at, value) in times.iter().zip(values.into_f32()) {
                            // The decoder names the four numbers in the order of the file, which has
                            // the scalar first.
                            let [w, x, y, z] =
                                vector(&frame(*at)["rotation"], ["x", "y", "z", "w"]);
                            let dot: f64 = value
                                .into_iter()
                                .zip([x, y, z, w])
                                .map(|(one, other)| f64::from(one) * other)
                                .sum();
                            assert!(dot.abs() > 1.0 - 1e-5, "{name} at {at}: {dot}");
                        }
                    }
                    _ => panic!("motions move and turn"),
                }
            }
        }
        assert!(moved >= 3, "{moved} channels");
        let longest = animation.channels().filter_map(|channel| {
            let reader = channel.reader(|_| Some(&file.buffer));
            reader.read_inputs().unwrap().last()
        });
        let longest = longest.fold(0.0, f32::max);
        assert!((f64::from(longest) - time).abs() < 1e-5);
    });
}

#[test]
fn mechs_walk_and_run() {
    check("mw", "bushwhacker", "bushwhacker_walk", "walk");
    check("mw", "madcat", "madcat_run", "run");
    check("pm", "mech_bushwhacker", "bushwhacker_walk", "walk");
    check("pm", "mech_madcat", "madcat_run", "run");
}

#[test]
fn mechs_are_posed_as_at_the_start_of_their_first_motion() {
    with_game("mw", "", |expect, out| {
        let expected = json(&expect.join("zbd/motion.zbd/bushwhacker_run.json"));
        let file = load(&out.join("models/zbd/mechlib/bushwhacker.gltf"));
        let part = &expected["parts"][0];
        assert_eq!(part["name"], "hip");
        let mut nodes = file.document.nodes();
        let hip = nodes.find(|node| node.name() == Some("hip")).unwrap();
        let (translation, _, _) = hip.transform().decomposed();
        let stored = vector(&part["frames"][0]["translation"], ["x", "y", "z"]);
        for (one, other) in translation.into_iter().zip(stored) {
            assert!((f64::from(one) - other).abs() < 1e-5);
        }
    });
}
