//! Durations of events of compiled animations, as far as their bodies state them. Callers decide those that
//! depend on the run of a game.

use relicast_formats::zipper::anim::EventBody;
use relicast_formats::zipper::anim::event::control::{CallAnimation, CallFlags};
use relicast_formats::zipper::anim::event::motion::{
    ObjectMotion, ObjectMotionGroup, ObjectMotionSiScript,
};

/// Duration of an event.
#[derive(Debug, Clone, Copy)]
pub(super) enum EventLength<'e> {
    /// These seconds, as stored.
    Seconds(f32),
    /// Duration of a motion by physics: its time if it has one; it may land before.
    Motion(&'e ObjectMotion),
    /// Until the last frame of a script.
    Script(&'e ObjectMotionSiScript),
    /// Until the last frame of the longest of several scripts.
    Scripts(&'e ObjectMotionGroup),
    /// Until the called animation ends.
    Call(&'e CallAnimation),
    /// Unknown.
    Unknown,
}

impl<'e> EventLength<'e> {
    /// Duration of an event.
    pub(super) fn new(body: &'e EventBody) -> Self {
        Self::Seconds(match body {
            EventBody::LightAnimation(body) => body.run_time.0,
            EventBody::ObjectMotion(body) => return Self::Motion(body),
            EventBody::ObjectMotionFromTo(body) => body.run_time.0,
            EventBody::ObjectMotionSiScript(body) => return Self::Script(body),
            EventBody::ObjectMotionGroup(body) => return Self::Scripts(body),
            EventBody::ObjectOpacityFromTo(body) => body.run_time.0,
            EventBody::ObjectConnector(body) => body.run_time.0,
            EventBody::CameraFromTo(body) => body.run_time.0,
            EventBody::FbfxColorFromTo(body) => body.run_time.0,
            EventBody::FbfxCsinwaveFromTo(body) => body.run_time.0,
            EventBody::CallAnimation(body)
                if body.flags.contains(CallFlags::WAIT_FOR_COMPLETION) =>
            {
                return Self::Call(body);
            }
            EventBody::Unknown(_) => return Self::Unknown,
            _ => 0.0,
        })
    }
}
