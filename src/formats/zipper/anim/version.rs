//! The four versions of the format, and the macro that declares a structure for all of them.

use serde::Serialize;

use crate::formats::codec::{Reader, Result, Stream, Writer};

/// Version of the file, which names the game. Ordered by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Version {
    /// Version 28, Recoil.
    #[default]
    Recoil,
    /// Version 39, MechWarrior 3.
    MechWarrior,
    /// Version 50, Pirate's Moon.
    PiratesMoon,
    /// Version 53, Crimson Skies.
    CrimsonSkies,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Self; 4] = [
        Self::Recoil,
        Self::MechWarrior,
        Self::PiratesMoon,
        Self::CrimsonSkies,
    ];

    /// The number in the file's header.
    pub const fn code(self) -> u32 {
        match self {
            Self::Recoil => 28,
            Self::MechWarrior => 39,
            Self::PiratesMoon => 50,
            Self::CrimsonSkies => 53,
        }
    }

    /// The version with that number.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.code() == code)
    }

    /// True when scripts lie in a pool at the end of the file, false when they lie in the events.
    pub const fn has_script_pool(self) -> bool {
        self.since(Self::PiratesMoon)
    }

    /// True when each definition has a reset block, whose first 64 bytes its fixed part repeats.
    pub const fn embeds_reset_state(self) -> bool {
        self.until(Self::MechWarrior)
    }

    /// True for `first` and everything newer.
    pub const fn since(self, first: Self) -> bool {
        self as u8 >= first as u8
    }

    /// True for `last` and everything older.
    pub const fn until(self, last: Self) -> bool {
        self as u8 <= last as u8
    }
}

/// A structure whose layout depends on the version; declared once for both directions.
pub trait Versioned: Default {
    /// Bytes that this value takes in a file of `version`.
    fn length(&self, version: Version) -> usize;

    /// Tells whether `payload` is exactly one such structure, so that reading it cannot fail.
    fn fits(payload: &[u8], version: Version) -> bool;

    /// Visits every field in file order.
    ///
    /// # Errors
    /// A hard rule is broken.
    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: Version) -> Result<()>;
}

impl<T: Versioned> Versioned for Box<T> {
    fn length(&self, version: Version) -> usize {
        T::length(self, version)
    }

    fn fits(payload: &[u8], version: Version) -> bool {
        T::fits(payload, version)
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: Version) -> Result<()> {
        T::visit(self, stream, version)
    }
}

/// A [`Stream`] that can look ahead.
pub trait Peek<'a>: Stream<'a> {
    /// The next `length` bytes, without moving; `None` when fewer remain, and always when writing.
    fn peek(&self, length: usize) -> Option<&'a [u8]>;
}

impl<'a> Peek<'a> for Reader<'a> {
    #[inline]
    fn peek(&self, length: usize) -> Option<&'a [u8]> {
        self.whole().get(self.position()..)?.get(..length)
    }
}

impl<'a> Peek<'a> for Writer {
    #[inline]
    fn peek(&self, _length: usize) -> Option<&'a [u8]> {
        None
    }
}

/// Declares a structure of fixed size for each version, and its [`Versioned`].
///
/// The four numbers after the name are its sizes in Recoil, MechWarrior 3, Pirate's Moon and
/// Crimson Skies, checked at compile time. A field may carry, in brackets:
///
/// - `[since VERSION]`, `[until VERSION]`: the field exists only there;
/// - `[always VALUE]`, `[always VALUE, until VERSION]`: soft rule, as in
///   [`record!`](crate::record);
/// - `[padded]`: soft rule up to Pirate's Moon: text, a NUL, zero padding. (For Crimson Skies the
///   padding is not known.)
macro_rules! versioned {
    (
        $(#[$meta:meta])*
        pub struct $name:ident[$recoil:literal, $mech:literal, $pirates:literal, $crimson:literal] {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$($rule:tt)*])*
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Size of the structure in bytes in a file of `version`.
            pub const fn size(version: $crate::formats::zipper::anim::Version) -> usize {
                let _ = version;
                0 $(+ if true $(&& $crate::formats::zipper::anim::version::versioned!(
                    @present version, $($rule)*
                ))* {
                    <$type as $crate::formats::codec::FixedSize>::SIZE
                } else {
                    0
                })*
            }
        }

        const _: () = {
            use $crate::formats::zipper::anim::Version;
            assert!(
                $name::size(Version::Recoil) == $recoil
                    && $name::size(Version::MechWarrior) == $mech
                    && $name::size(Version::PiratesMoon) == $pirates
                    && $name::size(Version::CrimsonSkies) == $crimson,
                concat!("the fields of ", stringify!($name), " do not add up to its sizes"),
            );
        };

        impl $crate::formats::zipper::anim::version::Versioned for $name {
            fn length(&self, version: $crate::formats::zipper::anim::Version) -> usize {
                Self::size(version)
            }

            fn fits(payload: &[u8], version: $crate::formats::zipper::anim::Version) -> bool {
                payload.len() == Self::size(version)
            }

            #[inline]
            fn visit<'a, S: $crate::formats::zipper::anim::version::Peek<'a>>(
                &mut self,
                stream: &mut S,
                version: $crate::formats::zipper::anim::Version,
            ) -> $crate::formats::codec::Result<()> {
                let _ = version;
                let _ = &stream;
                $(
                    if true $(&& $crate::formats::zipper::anim::version::versioned!(
                        @present version, $($rule)*
                    ))* {
                        let _offset = stream.position();
                        stream.value(stringify!($field), &mut self.$field)?;
                        $($crate::formats::zipper::anim::version::versioned!(
                            @rule S, stream, version, _offset, self.$field, stringify!($field),
                            $($rule)*
                        );)*
                    }
                )*
                Ok(())
            }
        }
    };
    (@present $version:ident, since $first:ident) => {
        $version.since($crate::formats::zipper::anim::Version::$first)
    };
    (@present $version:ident, until $last:ident) => {
        $version.until($crate::formats::zipper::anim::Version::$last)
    };
    (@present $version:ident, $($rule:tt)*) => {
        true
    };
    (@rule $S:ident, $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr,
        since $first:ident) => {};
    (@rule $S:ident, $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr,
        until $last:ident) => {};
    (@rule $S:ident, $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr,
        always $expected:expr) => {
        $stream.always($name, $offset, $value, $expected);
    };
    (@rule $S:ident, $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr,
        always $expected:expr, until $last:ident) => {
        if $version.until($crate::formats::zipper::anim::Version::$last) {
            $stream.always($name, $offset, $value, $expected);
        }
    };
    (@rule $S:ident, $stream:ident, $version:ident, $offset:ident, $value:expr, $name:expr,
        padded) => {
        if $S::READING
            && $version.until($crate::formats::zipper::anim::Version::PiratesMoon)
            && let Some(fault) = $value.fault()
        {
            $stream.deviate($name, $offset, "ASCII text, a NUL and zero padding", fault);
        }
    };
}

pub(crate) use versioned;
