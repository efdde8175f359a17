//! The `record!` macro: a fixed-size structure whose declaration is its documentation and codec.

/// Declares a fixed-size structure and its [`Walk`](super::Walk).
///
/// The number after the name is the size in bytes, checked at compile time. A field may carry a
/// rule in brackets:
///
/// - `[must VALUE]`: hard, anything else is an error;
/// - `[always VALUE]`: soft, anything else is kept and reported as a deviation;
/// - `[within RANGE]`: soft, for ordered values;
/// - `[padded]`: soft, for [`PaddedText`](super::PaddedText): ASCII, one NUL, zero padding.
///
/// ```
/// relicast::record! {
///     /// Eight bytes at the end of a file.
///     pub struct Footer[8] {
///         /// Offset 0: format version.
///         version: u32 [must 1],
///         /// Offset 4: number of entries.
///         count: u32,
///     }
/// }
/// let decoded = relicast::formats::codec::decode::<Footer>(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap();
/// assert_eq!(decoded.value.count, 7);
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$size:literal] {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$($rule:tt)*])?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Size of the structure in bytes.
            pub const SIZE: usize = $size;
        }

        const _: () = assert!(
            0 $(+ <$type as $crate::formats::codec::FixedSize>::SIZE)* == $size,
            concat!("the fields of ", stringify!($name), " do not add up to its size"),
        );

        impl<'a> $crate::formats::codec::Walk<'a> for $name {
            const SMALLEST: usize = $size;

            #[inline]
            fn walk<S: $crate::formats::codec::Stream<'a>>(
                &mut self,
                stream: &mut S,
            ) -> $crate::formats::codec::Result<()> {
                $(
                    let _offset = stream.position();
                    stream.value(stringify!($field), &mut self.$field)?;
                    $($crate::record!(@rule stream, _offset, self.$field, stringify!($field), $($rule)*);)?
                )*
                Ok(())
            }
        }
    };
    (@rule $stream:ident, $offset:ident, $value:expr, $name:expr, must $expected:expr) => {
        $stream.must($name, $offset, $value, $expected)?;
    };
    (@rule $stream:ident, $offset:ident, $value:expr, $name:expr, always $expected:expr) => {
        $stream.always($name, $offset, $value, $expected);
    };
    (@rule $stream:ident, $offset:ident, $value:expr, $name:expr, within $range:expr) => {
        if S::READING && !($range).contains(&$value) {
            $stream.deviate($name, $offset, format_args!("{:?}", $range), format_args!("{:?}", $value));
        }
    };
    (@rule $stream:ident, $offset:ident, $value:expr, $name:expr, padded) => {
        if S::READING && let Some(fault) = $value.fault() {
            $stream.deviate($name, $offset, "ASCII text, a NUL and zero padding", fault);
        }
    };
}
