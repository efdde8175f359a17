//! Numbers of extras.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::number;

/// A 32-bit number, written with the fewest digits that identify it; null if it is not finite.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct Float(pub f32);

/// Three numbers: a color, a position, a size.
pub type Float3 = [Float; 3];

/// Some numbers.
pub fn floats<const N: usize>(values: [f32; N]) -> [Float; N] {
    values.map(Float)
}

impl From<f32> for Float {
    fn from(value: f32) -> Self {
        Self(value)
    }
}

impl From<Float> for f64 {
    fn from(value: Float) -> Self {
        // The written digits are those of the 32-bit number.
        number(value.0).as_f64().unwrap_or(Self::NAN)
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<f64>::deserialize(deserializer)?;
        Ok(Self(value.map_or(f32::NAN, |value| value as f32)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Float {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Float".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "number"})
    }
}
