//! Results of rebuilt meshes.

use crate::pack::rounding::RoundingReport;

/// Results of rebuilt meshes that a scene shows.
#[derive(Debug, Default)]
pub(in crate::pack::scene::everquest::wld) struct Summary {
    /// Objects.
    pub objects: usize,
    /// Meshes of regions.
    pub ground: usize,
    /// Meshes that bones move.
    pub skins: usize,
    /// New corners with weights of several bones.
    pub shared: usize,
    /// Meshes that lost their levels of detail.
    pub detail: usize,
    /// Unedited vertices that are rounded too.
    pub rounded: usize,
    /// New corners with the baked light of the nearest vertex.
    pub relit: usize,
    /// Triangles that have no area any more.
    pub without_area: usize,
    /// Largest error of the positions.
    pub slack: f64,
    /// True if a mesh has no normals for some vertices.
    pub has_free_normals: bool,
}

/// The error of corners, for people; nothing if there is none.
pub(in crate::pack::scene::everquest::wld) fn off_by(farthest: f32) -> String {
    match farthest > 0.0 {
        true => format!(", with corners off by at most {farthest}"),
        false => String::new(),
    }
}

impl Summary {
    /// Describes the ground and meshes with bones for people; `farthest` is the largest error of a corner.
    pub(in crate::pack::scene::everquest::wld) fn describe(&self, farthest: f32) -> Option<String> {
        let mut report = RoundingReport::default();
        for (count, words) in [
            (self.ground, ["region is", "regions are"]),
            (self.skins, ["mesh with bones is", "meshes with bones are"]),
        ] {
            let words = words.map(|meshes| format!("{meshes} rebuilt{}", off_by(farthest)));
            report.count(count, words.each_ref().map(String::as_str));
        }
        report.count(
            self.shared,
            [
                "new corner has weights of several bones, of which the game stores the one with the largest",
                "new corners have weights of several bones, of which the game stores the one with the largest",
            ],
        );
        report.count(
            self.detail,
            [
                "mesh lost its levels of detail, so the game draws it whole at every distance",
                "meshes lost their levels of detail, so the game draws them whole at every distance",
            ],
        );
        report.count(
            self.without_area,
            [
                "triangle is smaller than the steps of its mesh, so it has no area and is not seen",
                "triangles are smaller than the steps of their meshes, so they have no area and are not seen",
            ],
        );
        report.count(
            self.relit,
            [
                "new corner has the baked light of the nearest vertex",
                "new corners have the baked light of the nearest vertices",
            ],
        );
        report.text()
    }
}
