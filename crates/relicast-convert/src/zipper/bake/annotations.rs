//! Events that no track can represent: lenses, children, frames of textures.

use serde_json::Value;

use relicast_codec::F32;
use relicast_formats::zipper::anim::event::camera::{CameraFlags, CameraFromTo, CameraState};
use relicast_formats::zipper::anim::{FloatRamp, NodeIndex, NodeTarget};
use relicast_scene::extras::{Float, Stored, camel_case, zipper};
use relicast_scene::model::number;

use super::evaluate::{BakeContext, CameraSetup, Timeline};
use super::schedule::Action;

impl Timeline {
    /// Marks a change of a camera's lens.
    pub(super) fn lens_ramp(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &CameraFromTo,
        start: f64,
    ) {
        let ramp = |flag, ramp: FloatRamp| {
            let ends = [ramp.from.0, ramp.to.0].map(number);
            body.flags.contains(flag).then(|| Value::from_iter(ends))
        };
        let fields = lens_fields(|flag| match flag {
            CameraFlags::CLIP_NEAR => ramp(flag, body.clip_near),
            CameraFlags::CLIP_FAR => ramp(flag, body.clip_far),
            CameraFlags::LOD_MULTIPLIER => ramp(flag, body.lod_multiplier),
            CameraFlags::FOV_H => ramp(flag, body.fov_h),
            CameraFlags::FOV_V => ramp(flag, body.fov_v),
            CameraFlags::ZOOM_H => ramp(flag, body.zoom_h),
            _ => ramp(flag, body.zoom_v),
        });
        let name = name_of(setting, body.node);
        let seconds = Float(body.run_time.0);
        self.mark(
            zipper::Mark {
                camera: Some(name),
                from_to: Some(fields),
                seconds: Some(seconds),
                ..zipper::Mark::default()
            },
            start,
        );
        let from =
            |flag, ramp: FloatRamp| body.flags.contains(flag).then(|| f64::from(ramp.from.0));
        let setup = CameraSetup {
            near: from(CameraFlags::CLIP_NEAR, body.clip_near),
            far: from(CameraFlags::CLIP_FAR, body.clip_far),
            fov_h: from(CameraFlags::FOV_H, body.fov_h),
            fov_v: from(CameraFlags::FOV_V, body.fov_v),
        };
        self.set_lens(setting, body.node, setup);
    }

    /// Sets the lens of a camera.
    pub(super) fn lens(&mut self, setting: &BakeContext<'_, '_>, body: &CameraState, start: f64) {
        let value = |flag, value: F32| body.flags.contains(flag).then_some(value.0);
        let fields = lens_fields(|flag| {
            let value = match flag {
                CameraFlags::CLIP_NEAR => value(flag, body.clip_near),
                CameraFlags::CLIP_FAR => value(flag, body.clip_far),
                CameraFlags::LOD_MULTIPLIER => value(flag, body.lod_multiplier),
                CameraFlags::FOV_H => value(flag, body.fov_h),
                CameraFlags::FOV_V => value(flag, body.fov_v),
                CameraFlags::ZOOM_H => value(flag, body.zoom_h),
                _ => value(flag, body.zoom_v),
            };
            value.map(number)
        });
        self.mark(
            zipper::Mark {
                camera: Some(name_of(setting, body.node)),
                set: Some(fields.into()),
                ..zipper::Mark::default()
            },
            start,
        );
        let wide = |flag, stored| value(flag, stored).map(f64::from);
        let setup = CameraSetup {
            near: wide(CameraFlags::CLIP_NEAR, body.clip_near),
            far: wide(CameraFlags::CLIP_FAR, body.clip_far),
            fov_h: wide(CameraFlags::FOV_H, body.fov_h),
            fov_v: wide(CameraFlags::FOV_V, body.fov_v),
        };
        self.set_lens(setting, body.node, setup);
    }

    /// Records the lens of a camera. The first value of each property is used.
    fn set_lens(&mut self, setting: &BakeContext<'_, '_>, node: NodeIndex, setup: CameraSetup) {
        let node = setting.names.node(node.target());
        let Some(node) = node.filter(|&node| setting.world.rest(node).is_camera) else {
            return;
        };
        if setup == CameraSetup::default() {
            return;
        }
        let known = self.cameras.entry(node).or_default();
        known.near = known.near.or(setup.near);
        known.far = known.far.or(setup.far);
        known.fov_h = known.fov_h.or(setup.fov_h);
        known.fov_v = known.fov_v.or(setup.fov_v);
    }

    /// Adds a mark at a time.
    pub(super) fn mark(&mut self, mark: zipper::Mark, time: f64) {
        self.marks.push(zipper::Mark {
            time: Some(Float(time as f32)),
            ..mark
        });
    }

    /// Marks that a node gets or loses a child.
    pub(super) fn reparent(
        &mut self,
        setting: &BakeContext<'_, '_>,
        is_added: bool,
        parent: NodeIndex,
        child: NodeIndex,
        action: &Action<'_>,
    ) {
        let [parent, child] = [parent, child].map(|node| Some(name_of(setting, node)));
        let (add_child, delete_child) = if is_added {
            (child, None)
        } else {
            (None, child)
        };
        let mark = zipper::Mark {
            add_child,
            delete_child,
            parent,
            ..zipper::Mark::default()
        };
        self.mark(mark, action.start);
    }
}

/// Lens properties of an event, by name.
fn lens_fields(value: impl Fn(CameraFlags) -> Option<Value>) -> Stored {
    let flags = CameraFlags::all().iter_names();
    let fields =
        flags.filter_map(|(name, flag)| Some((camel_case(&name.to_lowercase()), value(flag)?)));
    fields.collect()
}

/// Name of a node in the file.
pub(super) fn name_of(setting: &BakeContext<'_, '_>, node: NodeIndex) -> Value {
    match node.target() {
        NodeTarget::Entry(place) => {
            let nodes = &setting.definition.tables.nodes;
            let name = nodes.get(place).map(|node| node.name.text());
            name.map_or(Value::Null, Value::from)
        }
        NodeTarget::Root => Value::from(setting.definition.head.name.text()),
        NodeTarget::Input => Value::from("INPUT_NODE"),
        NodeTarget::None | NodeTarget::Other(_) => Value::Null,
    }
}
