//! What a scene tells beyond what the model has fields for.
//!
//! ```
//! use relicast::scene::model::number;
//! use serde_json::Value;
//!
//! assert_eq!(number(1.5), Value::from(1.5));
//! assert_eq!(number(f32::NAN), Value::Null);
//! ```

use serde_json::{Map, Value};

/// Data for which the model has no field, kept in order and written as it is. Empty means none.
pub type Extras = Map<String, Value>;

/// A number for [`Extras`] with the digits of the 32-bit float rather than those of its 64-bit twin.
/// Null if it is not finite.
pub fn number(value: f32) -> Value {
    // Adding zero makes negative zero positive.
    let digits = (value + 0.0).to_string().parse().ok();
    digits
        .and_then(serde_json::Number::from_f64)
        .map_or(Value::Null, Value::Number)
}
