//! The `layout!` macro: a structure whose fields depend on the game, declared once for reading,
//! writing and size.

use crate::formats::codec::{Box3, Bytes, F32, FixedSize, Result, Stream, Vec2, Vec3};

use super::version::Version;

/// A value whose stored form may depend on the game.
pub trait Field {
    /// Bytes that the value takes in a file of `version`.
    fn size(version: Version) -> usize;

    /// Visits the value in file order.
    ///
    /// # Errors
    /// The data ends, a hard rule is broken, or (writing) the value has no stored form.
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: Version,
    ) -> Result<()>;
}

impl<T: FixedSize> Field for T {
    #[inline]
    fn size(_version: Version) -> usize {
        T::SIZE
    }

    #[inline]
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        _version: Version,
    ) -> Result<()> {
        stream.value(name, self)
    }
}

/// Equality of constants for soft rules: by bits, but both zeros of a float are the same.
pub(super) trait NumericEq {
    /// True when `self` passes for `other`.
    fn same(&self, other: &Self) -> bool;
}

macro_rules! same_by_equality {
    ($($name:ty),* $(,)?) => {$(
        impl NumericEq for $name {
            #[inline]
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

same_by_equality!(u8, u16, i16, u32, i32);

impl<const N: usize> NumericEq for Bytes<N> {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl NumericEq for F32 {
    #[inline]
    fn same(&self, other: &Self) -> bool {
        self == other || self.0 == other.0
    }
}

impl NumericEq for Vec2 {
    fn same(&self, other: &Self) -> bool {
        self.x.same(&other.x) && self.y.same(&other.y)
    }
}

impl NumericEq for Vec3 {
    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.x.same(&other.x) && self.y.same(&other.y) && self.z.same(&other.z)
    }
}

impl NumericEq for Box3 {
    fn same(&self, other: &Self) -> bool {
        self.min.same(&other.min) && self.max.same(&other.max)
    }
}

impl<T: NumericEq, const N: usize> NumericEq for [T; N] {
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(left, right)| left.same(right))
    }
}

/// Declares a structure and its [`Field`].
///
/// `where SET` after the type names the games that store the field. Soft rules follow in brackets:
/// `[always VALUE]`, `[zero]`, `[nonzero]`, `[within RANGE]`, each optionally for some games only,
/// as in `[always 1; RC_MW]`. The games are those of [`super::version`].
macro_rules! layout {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $(where $set:ident)? $([$($rule:tt)*])?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::formats::zipper::gamez::Field for $name {
            fn size(version: $crate::formats::zipper::gamez::Version) -> usize {
                let _ = version;
                let mut size = 0_usize;
                $(
                    if true $(&& version.is_in($crate::formats::zipper::gamez::version::$set))? {
                        size = size.saturating_add(
                            <$type as $crate::formats::zipper::gamez::Field>::size(version),
                        );
                    }
                )*
                size
            }

            #[inline]
            fn visit<'a, S: $crate::formats::codec::Stream<'a>>(
                &mut self,
                _name: &'static str,
                stream: &mut S,
                version: $crate::formats::zipper::gamez::Version,
            ) -> $crate::formats::codec::Result<()> {
                $(
                    if true $(&& version.is_in($crate::formats::zipper::gamez::version::$set))? {
                        let _offset = stream.position();
                        $crate::formats::zipper::gamez::Field::visit(
                            &mut self.$field,
                            stringify!($field),
                            stream,
                            version,
                        )?;
                        $(
                            if S::READING {
                                layout!(
                                    @rule stream, version, _offset, self.$field,
                                    stringify!($field), $type, $($rule)*
                                );
                            }
                        )?
                    }
                )*
                Ok(())
            }
        }
    };
    (
        @rule $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr, $type:ty,
        always $expected:expr $(; $set:ident)?
    ) => {
        if true $(&& $version.is_in($crate::formats::zipper::gamez::version::$set))?
            && !$crate::formats::zipper::gamez::layout::NumericEq::same(&$value, &$expected)
        {
            $stream.deviate($name, $offset, format_args!("{:?}", $expected), format_args!("{:?}", $value));
        }
    };
    (
        @rule $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr, $type:ty,
        zero $(; $set:ident)?
    ) => {
        layout!(
            @rule $stream, $version, $offset, $value, $name, $type,
            always <$type>::default() $(; $set)?
        )
    };
    (
        @rule $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr, $type:ty,
        nonzero $(; $set:ident)?
    ) => {
        if true $(&& $version.is_in($crate::formats::zipper::gamez::version::$set))?
            && $value == <$type>::default()
        {
            $stream.deviate($name, $offset, "anything but 0", format_args!("{:?}", $value));
        }
    };
    (
        @rule $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr, $type:ty,
        within $range:expr
    ) => {
        if !($range).contains(&$value) {
            $stream.deviate($name, $offset, format_args!("{:?}", $range), format_args!("{:?}", $value));
        }
    };
}

/// A soft rule about a pointer: it is null exactly when there is nothing to point at.
pub(super) fn null_iff_empty<'a, S: Stream<'a>>(
    stream: &mut S,
    field: &'static str,
    offset: usize,
    pointer: u32,
    count: usize,
) {
    if S::READING && (pointer == 0) != (count == 0) {
        stream.deviate(
            field,
            offset,
            if count == 0 { "0" } else { "anything but 0" },
            format_args!("{pointer:#x} for {count} items"),
        );
    }
}

/// A list that is stored only when `present`.
///
/// # Errors
/// The data ends, or (writing) the list does not agree with `present` and `count`.
pub(super) fn values_if<'a, S: Stream<'a>, T: FixedSize>(
    stream: &mut S,
    present: bool,
    field: &'static str,
    list: &mut Vec<T>,
    count: usize,
) -> Result<()> {
    let count = if present { count } else { 0 };
    stream.values(field, list, count)
}

/// The length of a list as a count field.
///
/// # Errors
/// The length does not fit.
pub(super) fn counted<T: TryFrom<usize>>(field: &'static str, length: usize) -> Result<T> {
    T::try_from(length).map_err(|_| {
        crate::formats::codec::FormatError::unencodable(field, 0, "a count that fits", length)
    })
}

#[cfg(test)]
mod tests {
    use super::super::*;

    /// Sizes in file order of the games.
    fn sizes<T: Field>() -> [usize; 4] {
        Version::ALL.map(T::size)
    }

    #[test]
    fn structures_have_the_documented_sizes() {
        assert_eq!(sizes::<Header>(), [28, 28, 32, 32]);
        assert_eq!(sizes::<Texture>(), [36, 40, 44, 44]);
        assert_eq!(sizes::<MaterialArray>(), [16; 4]);
        assert_eq!(sizes::<MaterialRecord>(), [40; 4]);
        assert_eq!(sizes::<Links>(), [4; 4]);
        assert_eq!(sizes::<CycleRecord>(), [28; 4]);
        assert_eq!(sizes::<ModelArray>(), [12; 4]);
        assert_eq!(sizes::<ModelRecord>(), [84, 92, 100, 100]);
        assert_eq!(sizes::<PointLightRecord>(), [76; 4]);
        assert_eq!(sizes::<PolygonRecord>(), [28, 36, 40, 40]);
        assert_eq!(sizes::<MaterialReference>(), [12; 4]);
        assert_eq!(sizes::<NodeRecord>(), [192, 208, 208, 208]);
        assert_eq!(sizes::<Camera>(), [488; 4]);
        assert_eq!(sizes::<Display>(), [28; 4]);
        assert_eq!(sizes::<Window>(), [248; 4]);
        assert_eq!(sizes::<Object3d>(), [144; 4]);
        assert_eq!(sizes::<Lod>(), [80, 80, 92, 92]);
        assert_eq!(sizes::<LightRecord>(), [228, 208, 256, 256]);
        assert_eq!(sizes::<WorldRecord>(), [172, 188, 204, 204]);
        assert_eq!(sizes::<PartitionRecord>(), [64, 72, 88, 88]);
        assert_eq!(sizes::<PartitionEntry>(), [4, 4, 12, 12]);
    }
}
