//! Results of rebuilt meshes.

use crate::pack::rounding::RoundingReport;

/// Results of rebuilt meshes that a scene shows.
#[derive(Debug, Default)]
pub(in crate::pack::scene::everquest::wld) struct Summary {
    /// Objects.
    pub objects: usize,
    /// Meshes of regions.
    pub ground: usize,
    /// Unedited vertices that are rounded too.
    pub rounded: usize,
    /// New corners with the baked light of the nearest vertex.
    pub relit: usize,
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
    /// Describes the ground for people; `farthest` is the largest error of a corner.
    pub(in crate::pack::scene::everquest::wld) fn describe_ground(
        &self,
        farthest: f32,
    ) -> Option<String> {
        let mut report = RoundingReport::default();
        let words = ["region is", "regions are"]
            .map(|regions| format!("{regions} rebuilt{}", off_by(farthest)));
        report.count(self.ground, words.each_ref().map(String::as_str));
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
