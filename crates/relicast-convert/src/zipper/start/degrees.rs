//! Scripts whose angles are degrees.
//!
//! The rule for Crimson Skies is from the documentation of CSVM (CC BY 4.0), which read it from the scripts.

use std::collections::BTreeSet;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::script::{CommandKind, Step};

/// Scripts whose angles are degrees: all scripts of Recoil, and scripts of Crimson Skies in which an angle is
/// greater than a full turn in radians.
pub(super) fn scripts_in_degrees(steps: &[Step], version: ZipperGame) -> BTreeSet<usize> {
    let turns = steps.iter().filter(|step| {
        let turn = step.command.as_ref();
        turn.is_some_and(|command| {
            let is_turn = command.kind == CommandKind::Object3DRotate;
            let is_large = |angle: &f32| angle.abs() > std::f32::consts::TAU;
            is_turn
                && (version != ZipperGame::CrimsonSkies || command.triple().iter().any(is_large))
        })
    });
    turns.map(|step| step.script).collect()
}
