//! Fields whose stored form depends on the version of the file.

use super::error::Result;
use super::number::FixedSize;
use super::stream::Stream;

/// Size of a value in each version of its format, oldest first. No format has more
/// than four.
pub type Sizes = [usize; 4];

/// A value whose stored form may depend on `V`, the version of the file: a fieldless enum,
/// oldest version first.
pub trait Field<V> {
    /// Size of the value in each version, in bytes.
    const SIZES: Sizes;

    /// Visits the value in file order. A value without fields is called `name`; the fields of a structure
    /// have names of their own.
    ///
    /// # Errors
    /// The data ends too early or a hard rule (`[must]` of [`record!`](crate::record)) is broken; when writing, this
    /// version cannot represent the value.
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: V,
    ) -> Result<()>;
}

impl<T: FixedSize, V> Field<V> for T {
    const SIZES: Sizes = [T::SIZE; 4];

    #[inline]
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        _version: V,
    ) -> Result<()> {
        stream.value(name, self)
    }
}

/// Arithmetic of [`record!`](crate::record) on sizes, evaluated by the compiler.
#[doc(hidden)]
pub mod sizes {
    use super::Sizes;

    /// Sum of the sizes of two fields.
    pub const fn add(left: Sizes, right: Sizes) -> Sizes {
        let ([a, b, c, d], [e, f, g, h]) = (left, right);
        [a + e, b + f, c + g, d + h]
    }

    /// Sizes of a field that exists from version index `first` on; the oldest version has index 0.
    pub const fn since(sizes: Sizes, first: usize) -> Sizes {
        within(sizes, first, usize::MAX)
    }

    /// Sizes of a field that exists up to version index `last`, inclusive.
    pub const fn until(sizes: Sizes, last: usize) -> Sizes {
        within(sizes, 0, last)
    }

    const fn within([a, b, c, d]: Sizes, first: usize, last: usize) -> Sizes {
        const fn size_if(size: usize, number: usize, first: usize, last: usize) -> usize {
            if first <= number && number <= last {
                size
            } else {
                0
            }
        }
        [
            size_if(a, 0, first, last),
            size_if(b, 1, first, last),
            size_if(c, 2, first, last),
            size_if(d, 3, first, last),
        ]
    }

    /// Size in version number `number`.
    pub const fn at([oldest, older, newer, newest]: Sizes, number: usize) -> usize {
        match number {
            0 => oldest,
            1 => older,
            2 => newer,
            _ => newest,
        }
    }

    /// True if the sizes equal those that the declaration states.
    pub const fn equal(left: Sizes, right: Sizes) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (left, right);
        a == e && b == f && c == g && d == h
    }
}
