//! The macro that declares the [registry](super::registry) of formats, and the parts shared by its rows.

use relicast_codec::{Decoded, Result};

macro_rules! codec {
    () => {
        Codec::None
    };
    ($value:ident, $decode:expr) => {
        Codec::ReadOnly(|source| decoded(source, $decode, DecodedFile::$value))
    };
    ($value:ident, $decode:expr, $encode:expr) => {
        Codec::RoundTrip(|source| decoded(source, $decode, DecodedFile::$value))
    };
}

macro_rules! encoded {
    ($value:ident) => {{
        let _ = $value;
        None
    }};
    ($value:ident, $encode:expr) => {
        Some(($encode)($value))
    };
}

macro_rules! visited {
    ($visitor:ident) => {
        None
    };
    ($visitor:ident, $type:ty) => {
        Some($visitor.visit::<$type>())
    };
}

/// Declares the kinds: `Kind [Variant(Type) = decode, encode] { fields of Format }`. A kind without
/// brackets has no codec; one without an encoder is only read.
macro_rules! formats {
    ($(
        $(#[$meta:meta])*
        $kind:ident
        $([$value:ident($type:ty) = $decode:expr $(, $encode:expr)?])?
        { $($body:tt)* }
    )*) => {
        /// Kind of a file or archive member.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum Kind {
            $($(#[$meta])* $kind,)*
        }

        impl Kind {
            /// Every kind, in the order in which their detectors run.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The row of this kind.
            pub fn format(self) -> &'static Format {
                match self {
                    $(Self::$kind => const { &Format { $($body)* } },)*
                }
            }

            /// Codec of this kind.
            pub fn codec(self) -> Codec {
                match self {
                    $(Self::$kind => codec!($($value, $decode $(, $encode)?)?),)*
                }
            }
        }

        /// Action on the type that sources of a kind are decoded to.
        pub trait DecodedType {
            /// Result of the action.
            type Output;

            /// Runs the action.
            fn visit<T: relicast_codec::Described>(self) -> Self::Output;
        }

        /// A decoded file or archive member.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "each variant is named as the type it holds")]
        pub enum DecodedFile<'a> {
            $($($value($type),)?)*
        }

        impl<'a> DecodedFile<'a> {
            /// Visits the type that sources of a kind are decoded to; `None` for kinds that are not decoded.
            pub fn visit_type<V: DecodedType>(kind: Kind, visitor: V) -> Option<V::Output> {
                match kind {
                    $(Kind::$kind => visited!(visitor $(, $type)?),)*
                }
            }
        }

        impl DecodedFile<'_> {
            /// Encodes the value; `None` for formats that are only read.
            ///
            /// # Errors
            /// Never for a decoded value; otherwise it does not fit its format.
            pub fn encode(&self) -> Option<Result<Vec<u8>>> {
                match self {
                    $($(Self::$value(value) => encoded!(value $(, $encode)?),)?)*
                }
            }
        }
    };
}
pub(super) use {codec, encoded, formats, visited};

/// Decodes with `decode` and wraps the value in its variant.
pub(super) fn decoded<S, T, F>(
    source: S,
    decode: impl FnOnce(S) -> Result<Decoded<T>>,
    variant: impl FnOnce(T) -> F,
) -> Result<Decoded<F>> {
    decode(source).map(|decoded| Decoded {
        value: variant(decoded.value),
        deviations: decoded.deviations,
    })
}

/// Moves the value of a large format to the heap.
pub(super) fn boxed<T>(decoded: Decoded<T>) -> Decoded<Box<T>> {
    Decoded {
        value: Box::new(decoded.value),
        deviations: decoded.deviations,
    }
}
