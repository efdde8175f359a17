//! Seconds on the clock of a clip.

/// Maximum start of a baked event, in seconds.
pub(crate) const LATEST: f64 = 86_400.0;

/// A valid number of seconds: not negative, not infinite.
pub(crate) fn seconds(value: f32) -> f64 {
    let wide = f64::from(value);
    if wide > 0.0 { wide.min(LATEST) } else { 0.0 }
}
