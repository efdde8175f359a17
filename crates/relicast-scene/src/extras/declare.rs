//! Macro that declares extras.

/// Declares structures whose values are all optional, with keys in camelCase. `..` marks a field with the keys of a
/// game's file, in addition to those of the structure.
macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident $(: $family:literal)? {
        $($(#[$field_doc:meta])* $field:ident: $value:ty,)*
        $(.. $(#[$stored_doc:meta])* $stored:ident)?
    })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default, rename_all = "camelCase")]
        pub struct $name {
            $($(#[$field_doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$value>,)*
            $($(#[$stored_doc])* #[serde(flatten)] pub $stored: crate::extras::Stored,)?
        }

        impl $name {
            /// Copies the values of `other` that are set.
            pub fn merge(&mut self, other: Self) {
                $(if other.$field.is_some() {
                    self.$field = other.$field;
                })*
                $(self.$stored.extend(other.$stored);)?
            }
        }
        $(impl super::ObjectExtras for $name {
            const FAMILY: &'static str = $family;
        })?
    )+};
}

pub(super) use facts;
