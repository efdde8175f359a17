//! The `record!` macro: the declaration of a structure is its documentation and its codec.

/// Declares a structure with its reader and writer.
///
/// The text after the name selects the kind of structure:
///
/// - `Name[12]`: 12 bytes, with a [`Walk`](super::Walk);
/// - `Name[12]: FixedSize`: 12 bytes without rules, a [`FixedSize`](super::FixedSize) value: long lists of it are read
///   without visiting each field;
/// - `Name[12]: FixedSize + InPlace`: the same, equal in memory and in the file: lists of it are not copied;
/// - `Name[12, 12, 16, 16] in Version`: a size for each of up to four versions, the last one repeated, with a
///   [`Field`](super::Field);
/// - `Name[12..]`: at least 12 bytes, then data by flags and counts, with a [`Walk`](super::Walk).
///
/// Sizes are checked at compile time. A field may carry rules in brackets:
///
/// - `[must VALUE]`: hard, any other value is an error;
/// - `[always VALUE]`: soft, any other value is accepted and reported as a deviation;
/// - `[equals VALUE]`, `[zero]`: the same, but −0.0 equals +0.0;
/// - `[nonzero]`: soft, not the default value; `[within RANGE]`: soft, for ordered values;
/// - `[padded]`: soft, for [`PaddedText`](super::PaddedText): ASCII, one NUL, zero padding.
///
/// ```
/// relicast_codec::record! {
///     /// Eight bytes at the end of a file.
///     pub struct Footer[8] {
///         /// Offset 0: format version.
///         version: u32 [must 1],
///         /// Offset 4: number of entries.
///         count: u32,
///     }
/// }
/// let decoded = relicast_codec::decode::<Footer>(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap();
/// assert_eq!(decoded.value.count, 7);
/// ```
///
/// # Versions
///
/// In a structure with a size for each version, a field with `[since VERSION]` exists in this version and newer ones,
/// with `[until VERSION]` in this version and older ones; elsewhere it has its default. `always`, `zero` and `padded`
/// may end in `, until VERSION`: the rule does not apply to newer files.
///
/// Doc comments state offsets and sizes by version, oldest first; `-` where the field does not exist. The last number
/// also applies to all newer versions: `Offset - · - · 4` is offset 4 from the third version on.
///
/// ```
/// use relicast_codec::{Field, Reader};
///
/// #[derive(Debug, Clone, Copy)]
/// pub enum Edition { First, Second, Third, Fourth }
///
/// relicast_codec::record! {
///     /// Head of a section.
///     pub struct Head[4, 4, 8, 8] in Edition {
///         /// Offset 0: number of rows.
///         rows: u32,
///         /// Offset - · - · 4: time of the build; 0 in the third version.
///         time: u32 [since Third] [zero, until Third],
///     }
/// }
/// let mut head = Head::default();
/// let mut reader = Reader::new(&[5, 0, 0, 0, 9, 0, 0, 0]);
/// head.visit("head", &mut reader, Edition::Fourth).unwrap();
/// assert_eq!((head.rows, head.time), (5, 9));
/// let mut reader = Reader::new(&[5, 0, 0, 0, 9, 0, 0, 0]);
/// head.visit("head", &mut reader, Edition::Third).unwrap();
/// assert_eq!(reader.finish(()).deviations.total(), 1); // `[zero, until Third]` applies to Third.
/// assert_eq!(Head::size(Edition::First), 4);
/// ```
///
/// # Counts and options
///
/// In a structure of variable size (`Name[12..]`) a line can also be a count, which is no field:
/// `NAME: u32 [counts LIST]` (or `u16`) reads it, or writes the length of the list. Further rules define the storage of
/// a field:
///
/// - `[bind]`, before all other rules: later rules may use the value by its name, as they use counts;
/// - `[if CONDITION]`, before all but `[bind]`: an `Option`, stored if the condition is true; `[if held]`: if an
///   earlier line has set it to `Some`; `[if held or CONDITION]`: either;
/// - `[count LENGTH]`: a list of that many [`FixedSize`](super::FixedSize) values;
/// - `[records LENGTH]`: a list of structures; `[nested]`: one;
/// - `[counted]`: a list after its own `u32` count; `[by |value, stream| RESULT]`: visited by the expression.
///
/// A field that the file stores earlier than the Rust structure declares it has two lines: `NAME: TYPE [early]`,
/// without other rules, where it is stored, and `NAME: TYPE [visited]` where it is declared.
///
/// `NAME: u32 [counts by FUNCTION]` is a count with a custom encoding: the function reads or writes it, with the
/// structure and the stream, and returns the number; the type is ignored. `[check FUNCTION]`, only here, calls one
/// after the field is read, with the structure, the stream and the offset of the field, or `[check FUNCTION, from
/// LABEL]` with the offset of the count that carries `[at LABEL]`.
///
/// ```
/// use relicast_codec::{decode, encode};
///
/// relicast_codec::record! {
///     /// A line through points, some with a width.
///     pub struct Line[8..] {
///         /// Offset 0: bit 0: a width follows.
///         flags: u32 [bind],
///         /// Offset 4: number of points, which end the structure.
///         point_count: u32 [counts points],
///         /// Width.
///         width: Option<u16> [if flags & 1 != 0],
///         points: Vec<[i16; 2]> [count point_count],
///     }
/// }
/// let bytes = [1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 7, 0, 8, 0];
/// let line = decode::<Line>(&bytes).unwrap().value;
/// assert_eq!((line.width, line.points.as_slice()), (Some(3), &[[7, 8]][..]));
/// assert_eq!(encode(&line).unwrap(), bytes);
/// ```
#[macro_export]
macro_rules! record {
    // A structure that is copied as a whole.
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$size:literal]: FixedSize {
            $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        const _: () = assert!(
            0 $(+ <$type as $crate::FixedSize>::SIZE)* == $size,
            concat!("the fields of ", stringify!($name), " do not add up to its size"),
        );

        impl $crate::FixedSize for $name {
            const SIZE: usize = $size;
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                let rest = bytes;
                $(
                    let ($field, rest) =
                        rest.split_at_checked(<$type as $crate::FixedSize>::SIZE)?;
                )*
                let _ = rest;
                Some(Self {
                    $($field: <$type as $crate::FixedSize>::load($field)?,)*
                })
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                $($crate::FixedSize::store(self.$field, out);)*
            }
            fn describe_layout(layout: &mut $crate::Layout<'_>) {
                $(layout.part($crate::Segment::Name(stringify!($field)), <$type as $crate::FixedSize>::describe_layout);)*
            }
        }
    };

    // The same, with equal layout in memory and file.
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$size:literal]: FixedSize + InPlace {
            $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $crate::record! {
            $(#[$meta])*
            #[derive(bytemuck::Pod, bytemuck::Zeroable)]
            #[repr(C)]
            pub struct $name[$size]: FixedSize {
                $($(#[$field_meta])* $field: $type,)*
            }
        }

        impl $crate::InPlace for $name {}

        const _: () = {
            const fn is_in_place<T: $crate::InPlace>() {}
            $(is_in_place::<$type>();)*
        };
    };

    // A structure of one size.
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$size:literal] {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$($rule:tt)*])*
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Size of the structure in bytes.
            pub const SIZE: usize = $size;
        }

        const _: () = assert!(
            0 $(+ <$type as $crate::FixedSize>::SIZE)* == $size,
            concat!("the fields of ", stringify!($name), " do not add up to its size"),
        );

        impl<'a> $crate::Walk<'a> for $name {
            const SMALLEST: usize = $size;

            #[inline]
            fn walk<S: $crate::Stream<'a>>(
                &mut self,
                stream: &mut S,
            ) -> $crate::Result<()> {
                $(
                    let _offset = stream.position();
                    stream.value(stringify!($field), &mut self.$field)?;
                    $($crate::record!(
                        @rule S stream _offset [] self.$field, stringify!($field), $type, $($rule)*
                    );)*
                )*
                Ok(())
            }
        }
    };

    // A structure with a size for each version.
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$a:literal, $b:literal, $c:literal, $d:literal] in $versions:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$($rule:tt)*])*
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Size of the structure in bytes in a file of `version`.
            pub const fn size(version: $versions) -> usize {
                $crate::sizes::at([$a, $b, $c, $d], version as usize)
            }
        }

        const _: () = {
            let sizes: $crate::Sizes = [0; 4];
            $(
                let field = <$type as $crate::Field<$versions>>::SIZES;
                $(let field = $crate::record!(@sizes field $versions, $($rule)*);)*
                let sizes = $crate::sizes::add(sizes, field);
            )*
            assert!(
                $crate::sizes::equal(sizes, [$a, $b, $c, $d]),
                concat!("the fields of ", stringify!($name), " do not add up to its sizes"),
            );
        };

        impl $crate::Field<$versions> for $name {
            const SIZES: $crate::Sizes = [$a, $b, $c, $d];

            #[inline]
            fn visit<'a, S: $crate::Stream<'a>>(
                &mut self,
                name: &'static str,
                stream: &mut S,
                version: $versions,
            ) -> $crate::Result<()> {
                stream.part(name, |stream| {
                    let _ = (version, &stream);
                    $(
                        if true $(&& $crate::record!(@present version $versions, $($rule)*))* {
                            let _offset = stream.position();
                            $crate::Field::visit(&mut self.$field, stringify!($field), stream, version)?;
                            $($crate::record!(
                                @rule S stream _offset [version $versions]
                                self.$field, stringify!($field), $type, $($rule)*
                            );)*
                        }
                    )*
                    Ok(())
                })
            }
        }
    };

    // A structure with counts and options.
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$lifetime:lifetime>)? [$smallest:literal..] { $($lines:tt)* }
    ) => {
        $crate::record!(
            @lines [$(#[$meta])*] [$name $(<$lifetime>)?] $smallest [] [] $($lines)*
        );
    };

    // Lines are parsed one at a time: a count adds a step to the walk, but no field to the structure.
    (
        @lines $meta:tt $name:tt $smallest:literal [$($fields:tt)*] [$($steps:tt)*]
        $(#[$line_meta:meta])*
        $count:ident: $word:ident [counts by $function:path] $(, $($rest:tt)*)?
    ) => {
        $crate::record!(
            @lines $meta $name $smallest [$($fields)*]
            [$($steps)* [@count_by $count, $function]]
            $($($rest)*)?
        );
    };
    (
        @lines $meta:tt $name:tt $smallest:literal [$($fields:tt)*] [$($steps:tt)*]
        $(#[$line_meta:meta])*
        $count:ident: $word:ident [counts $list:ident] $([at $label:ident])? $(, $($rest:tt)*)?
    ) => {
        $crate::record!(
            @lines $meta $name $smallest [$($fields)*]
            [$($steps)* [@count $word $count, $list, $($label)?]]
            $($($rest)*)?
        );
    };
    (
        @lines $meta:tt $name:tt $smallest:literal [$($fields:tt)*] [$($steps:tt)*]
        $(#[$line_meta:meta])*
        $field:ident: $type:ident [early] $(, $($rest:tt)*)?
    ) => {
        $crate::record!(
            @lines $meta $name $smallest [$($fields)*]
            [$($steps)* [@field $field, $type,]]
            $($($rest)*)?
        );
    };
    (
        @lines $meta:tt $name:tt $smallest:literal [$($fields:tt)*] [$($steps:tt)*]
        $(#[$line_meta:meta])*
        $field:ident: $type:ty $([$($rule:tt)*])* $(, $($rest:tt)*)?
    ) => {
        $crate::record!(
            @lines $meta $name $smallest
            [$($fields)* {$(#[$line_meta])* pub $field: $type}]
            [$($steps)* [@field $field, $type, $([$($rule)*])*]]
            $($($rest)*)?
        );
    };
    (
        @lines [$(#[$meta:meta])*] [$name:ident $(<$lifetime:lifetime>)?] $smallest:literal
        [$({$($field:tt)*})*] [$([$($step:tt)*])*]
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name $(<$lifetime>)? {
            $($($field)*,)*
        }

        impl<'a> $crate::Walk<'a> for $name $(<$lifetime>)? {
            const SMALLEST: usize = $smallest;

            fn walk<S: $crate::Stream<'a>>(
                &mut self,
                stream: &mut S,
            ) -> $crate::Result<()> {
                $($crate::record!(@step S self stream $($step)*);)*
                Ok(())
            }
        }
    };

    (
        @step $S:ident $self:ident $stream:ident
        @field $field:ident, $type:ty, [visited]
    ) => {};
    (@step $S:ident $self:ident $stream:ident @count_by $count:ident, $function:path) => {
        let $count = $function($self, $stream)?;
    };
    (
        @step $S:ident $self:ident $stream:ident
        @count u32 $count:ident, $list:ident, $($label:ident)?
    ) => {
        $(let $label = $stream.position();)?
        let $count = $stream.count(stringify!($count), $self.$list.len())?;
    };
    (
        @step $S:ident $self:ident $stream:ident
        @count u16 $count:ident, $list:ident, $($label:ident)?
    ) => {
        $(let $label = $stream.position();)?
        let $count = $stream.count16(stringify!($count), $self.$list.len())?;
    };
    (
        @step $S:ident $self:ident $stream:ident
        @field $field:ident, $type:ty, [bind] $([$($rule:tt)*])*
    ) => {
        $crate::record!(@step $S $self $stream @field $field, $type, $([$($rule)*])*);
        let $field = $self.$field;
    };
    (
        @step $S:ident $self:ident $stream:ident
        @field $field:ident, $type:ty, [if $($condition:tt)*] $([$($rule:tt)*])*
    ) => {
        let present = $crate::record!(@condition $self.$field, $($condition)*);
        $stream.optional(stringify!($field), present, &mut $self.$field, |stream, value| {
            $crate::record!(@visit stream stringify!($field), value, $([$($rule)*])*)
        })?;
    };
    (
        @step $S:ident $self:ident $stream:ident
        @field $field:ident, $type:ty, $([$($rule:tt)*])*
    ) => {
        let _offset = $stream.position();
        $crate::record!(
            @visit $stream stringify!($field), &mut $self.$field, $([$($rule)*])*
        )?;
        $($crate::record!(
            @after $S $self $stream _offset $self.$field, stringify!($field), $type, $($rule)*
        );)*
    };

    (@condition $value:expr, held) => { $value.is_some() };
    (@condition $value:expr, held or $condition:expr) => { $condition || $value.is_some() };
    (@condition $value:expr, $condition:expr) => { $condition };

    // Storage of a field: the first rule that defines it, otherwise a single value.
    (@visit $stream:ident $name:expr, $value:expr, [count $count:expr] $($rest:tt)*) => {
        $stream.values($name, $value, $count)
    };
    (@visit $stream:ident $name:expr, $value:expr, [records $count:expr] $($rest:tt)*) => {
        $stream.records($name, $value, $count)
    };
    (@visit $stream:ident $name:expr, $value:expr, [counted] $($rest:tt)*) => {
        $stream.counted($name, $value)
    };
    (@visit $stream:ident $name:expr, $value:expr, [nested] $($rest:tt)*) => {
        $stream.nested($name, $value)
    };
    (
        @visit $stream:ident $name:expr, $value:expr,
        [by |$visited:ident, $on:ident| $result:expr] $($rest:tt)*
    ) => {{
        let $visited = $value;
        let $on = &mut *$stream;
        $result
    }};
    (@visit $stream:ident $name:expr, $value:expr, [$($rule:tt)*] $($rest:tt)*) => {
        $crate::record!(@visit $stream $name, $value, $($rest)*)
    };
    (@visit $stream:ident $name:expr, $value:expr,) => {
        $stream.value($name, $value)
    };

    // Rules after a field of a structure with counts and options.
    (
        @after $S:ident $self:ident $stream:ident $offset:ident $value:expr, $name:expr, $type:ty,
        check $function:path
    ) => {
        if $S::READING {
            $function($self, $stream, $offset);
        }
    };
    (
        @after $S:ident $self:ident $stream:ident $offset:ident $value:expr, $name:expr, $type:ty,
        check $function:path, from $label:ident
    ) => {
        if $S::READING {
            $function($self, $stream, $label);
        }
    };
    (
        @after $S:ident $self:ident $stream:ident $offset:ident $value:expr, $name:expr, $type:ty,
        $($rule:tt)*
    ) => {
        $crate::record!(@rule $S $stream $offset [] $value, $name, $type, $($rule)*);
    };

    // Versions in which a field exists.
    (@sizes $sizes:ident $versions:ident, since $first:ident) => {
        $crate::sizes::since($sizes, $versions::$first as usize)
    };
    (@sizes $sizes:ident $versions:ident, until $last:ident) => {
        $crate::sizes::until($sizes, $versions::$last as usize)
    };
    (@sizes $sizes:ident $versions:ident, $($rule:tt)*) => { $sizes };
    (@present $version:ident $versions:ident, since $first:ident) => {
        $version as usize >= $versions::$first as usize
    };
    (@present $version:ident $versions:ident, until $last:ident) => {
        $version as usize <= $versions::$last as usize
    };
    (@present $version:ident $versions:ident, $($rule:tt)*) => { true };

    // Rules about the value of a field.
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        must $expected:expr
    ) => {
        $stream.must($name, $offset, $value, $expected)?;
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        always $expected:expr
    ) => {
        $stream.always($name, $offset, $value, $expected);
    };
    (
        @rule $S:ident $stream:ident $offset:ident [$version:ident $versions:ident]
        $value:expr, $name:expr, $type:ty, always $expected:expr, until $last:ident
    ) => {
        if $version as usize <= $versions::$last as usize {
            $stream.always($name, $offset, $value, $expected);
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        equals $expected:expr
    ) => {
        if $S::READING && !$crate::NumericEq::same(&$value, &$expected) {
            $stream.deviate($name, $offset, $crate::shown(&$expected), $crate::shown(&$value));
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        zero
    ) => {
        $crate::record!(
            @rule $S $stream $offset $version $value, $name, $type, equals <$type>::default()
        );
    };
    (
        @rule $S:ident $stream:ident $offset:ident [$version:ident $versions:ident]
        $value:expr, $name:expr, $type:ty, zero, until $last:ident
    ) => {
        if $version as usize <= $versions::$last as usize {
            $crate::record!(@rule $S $stream $offset [] $value, $name, $type, zero);
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        nonzero
    ) => {
        if $S::READING && $value == <$type>::default() {
            $stream.deviate($name, $offset, "anything but 0", $crate::shown(&$value));
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        within $range:expr
    ) => {
        if $S::READING && !($range).contains(&$value) {
            $stream.deviate($name, $offset, $crate::shown(&$range), $crate::shown(&$value));
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        padded
    ) => {
        if $S::READING && let Some(fault) = $value.fault() {
            $stream.deviate($name, $offset, "ASCII text, a NUL and zero padding", fault);
        }
    };
    (
        @rule $S:ident $stream:ident $offset:ident [$version:ident $versions:ident]
        $value:expr, $name:expr, $type:ty, padded, until $last:ident
    ) => {
        if $version as usize <= $versions::$last as usize {
            $crate::record!(@rule $S $stream $offset [] $value, $name, $type, padded);
        }
    };
    // All other rules define the versions or the storage of a field.
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        since $first:ident
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        until $last:ident
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        nested
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        counted
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        count $count:expr
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        records $count:expr
    ) => {};
    (
        @rule $S:ident $stream:ident $offset:ident $version:tt $value:expr, $name:expr, $type:ty,
        by |$visited:ident, $on:ident| $result:expr
    ) => {};
}
