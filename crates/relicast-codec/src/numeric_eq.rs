//! Equality by number, for rules about constants.

use super::number::{Box3, Bytes, F32, Vec2, Vec3};

/// Equality of constants in soft rules: bit by bit, but both zeros of a float are equal.
pub trait NumericEq {
    /// True when `self` equals `other`.
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
