//! Report of the rounding of a packed scene.

/// Report of the rounding of a packed scene.
#[derive(Debug, Default)]
pub(in crate::pack) struct RoundingReport(Vec<String>);

impl RoundingReport {
    /// Reports a number of things, if there are any.
    pub(in crate::pack) fn count(&mut self, count: usize, what: &str) {
        if count > 0 {
            self.0.push(format!("{count} {what}"));
        }
    }

    /// Reports something.
    pub(in crate::pack) fn say(&mut self, what: impl Into<String>) {
        self.0.push(what.into());
    }

    /// All of it as one text; `None` if there is nothing.
    pub(in crate::pack) fn text(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join("; "))
    }
}
