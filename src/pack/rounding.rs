//! Report of the changes or of the rounding of an edit.

use relicast_codec::quantity::counted;

/// Report of the changes or of the rounding of an edit.
#[derive(Debug, Default)]
pub(in crate::pack) struct RoundingReport(Vec<String>);

/// Words for rounded transforms.
pub(in crate::pack) const PLACES_ARE_ROUNDED: [&str; 2] = [
    "transform is rounded, by at most 0.0003 of the value",
    "transforms are rounded, by at most 0.0003 of the value",
];

/// Words for rounded colors.
pub(in crate::pack) const COLORS_ARE_ROUNDED: [&str; 2] = [
    "color is rounded, by at most 0.005",
    "colors are rounded, by at most 0.005",
];

impl RoundingReport {
    /// Reports a number of things, if there are any: in the words for one, or for several.
    pub(in crate::pack) fn count(&mut self, count: usize, [one, several]: [&str; 2]) {
        if count > 0 {
            self.0.push(counted(count, one, several));
        }
    }

    /// Reports something.
    pub(in crate::pack) fn say(&mut self, what: impl Into<String>) {
        self.0.push(what.into());
    }

    /// All of it as one list; `None` if there is nothing.
    pub(in crate::pack) fn list(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(", "))
    }

    /// All of it as one text; `None` if there is nothing.
    pub(in crate::pack) fn text(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join("; "))
    }
}
