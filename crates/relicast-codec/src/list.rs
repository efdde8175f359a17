//! Lists that values of a structure are read into: copies, or the bytes of the file themselves.

use std::borrow::Cow;
use std::ops::Deref;

use smallvec::{Array, SmallVec};

use super::number::{FixedSize, InPlace};
use relicast_limits::{self as limits, Exceeded};

/// Reason why a list cannot take its values.
#[derive(Debug, Clone)]
pub enum ReserveError {
    /// They exceed the memory budget of the current work.
    Share(Exceeded),
    /// The system has no memory; its message.
    Memory(String),
}

impl From<Exceeded> for ReserveError {
    fn from(exceeded: Exceeded) -> Self {
        Self::Share(exceeded)
    }
}

/// A list of values: on the heap, inline while short, or borrowed from the file.
pub trait List<'a, T: FixedSize>: Deref<Target = [T]> {
    /// Replaces its values by those in `stored`, whose length is a multiple of a value's size.
    ///
    /// # Errors
    /// There is no memory for copies.
    fn load(&mut self, stored: &'a [u8]) -> Result<(), ReserveError>;
}

/// Reads all values in `stored`.
#[inline]
fn values<T: FixedSize>(stored: &[u8]) -> impl Iterator<Item = T> {
    let chunks = stored.chunks_exact(T::SIZE.max(1));
    chunks.map(|chunk| T::load(chunk).unwrap_or_default())
}

fn count<T: FixedSize>(stored: &[u8]) -> usize {
    stored.len() / T::SIZE.max(1)
}

impl<T: FixedSize> List<'_, T> for Vec<T> {
    fn load(&mut self, stored: &[u8]) -> Result<(), ReserveError> {
        self.clear();
        reserve(self, count::<T>(stored))?;
        self.extend(values::<T>(stored));
        Ok(())
    }
}

impl<T: FixedSize, A: Array<Item = T>> List<'_, T> for SmallVec<A> {
    fn load(&mut self, stored: &[u8]) -> Result<(), ReserveError> {
        self.clear();
        let count = count::<T>(stored);
        if count > self.inline_size() {
            limits::try_reserve(count.saturating_mul(size_of::<T>()))?;
        }
        let made = self.try_reserve_exact(count);
        made.map_err(|error| ReserveError::Memory(error.to_string()))?;
        self.extend(values::<T>(stored));
        Ok(())
    }
}

/// Borrows from the file if its bytes are aligned as the values must be in memory, otherwise copies them.
impl<'a, T: InPlace> List<'a, T> for Cow<'a, [T]> {
    #[inline]
    fn load(&mut self, stored: &'a [u8]) -> Result<(), ReserveError> {
        const {
            assert!(
                size_of::<T>() == T::SIZE,
                "memory and file have different layouts"
            )
        }
        *self = match bytemuck::try_cast_slice(stored) {
            Ok(there) if cfg!(target_endian = "little") => Cow::Borrowed(there),
            _ => {
                let mut copies = Vec::new();
                List::load(&mut copies, stored)?;
                Cow::Owned(copies)
            }
        };
        Ok(())
    }
}

/// Copies the values, so that they outlive the file.
pub fn owned<T: Clone>(list: Cow<'_, [T]>) -> Cow<'static, [T]> {
    Cow::Owned(list.into_owned())
}

/// Reserves memory for `count` values in an empty list.
pub(super) fn reserve<T>(list: &mut Vec<T>, count: usize) -> Result<(), ReserveError> {
    limits::try_reserve(count.saturating_mul(size_of::<T>()))?;
    let made = list.try_reserve_exact(count);
    made.map_err(|error| ReserveError::Memory(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{F32, Vec3};

    /// Bytes at an address that is a multiple of 8, plus `ahead`.
    fn placed(words: &mut Vec<u64>, ahead: usize, bytes: &[u8]) -> std::ops::Range<usize> {
        words.resize(bytes.len() / 8 + 2, 0);
        let place = ahead..ahead + bytes.len();
        bytemuck::cast_slice_mut::<u64, u8>(words)[place.clone()].copy_from_slice(bytes);
        place
    }

    fn list<T: InPlace + PartialEq + std::fmt::Debug>(bytes: &[u8], ahead: usize) -> bool {
        let mut words = Vec::new();
        let place = placed(&mut words, ahead, bytes);
        let stored = &bytemuck::cast_slice::<u64, u8>(&words)[place];
        let (mut read, mut copied) = (Cow::<[T]>::default(), Vec::<T>::new());
        List::load(&mut read, stored).unwrap();
        List::load(&mut copied, stored).unwrap();
        assert_eq!(*read, *copied);
        assert_eq!(read.len(), bytes.len() / T::SIZE);
        matches!(read, Cow::Borrowed(_))
    }

    #[test]
    fn values_are_read_in_place_and_copied_where_they_cannot_be() {
        let bytes: Vec<u8> = (0..48).map(|number| number * 5).collect();
        let is_little = cfg!(target_endian = "little");
        for ahead in 0..8 {
            assert_eq!(list::<[i8; 3]>(&bytes, ahead), is_little);
            assert_eq!(list::<[i16; 3]>(&bytes, ahead), is_little && ahead % 2 == 0);
            assert_eq!(list::<F32>(&bytes, ahead), is_little && ahead % 4 == 0);
            assert_eq!(list::<Vec3>(&bytes, ahead), is_little && ahead % 4 == 0);
        }
        list::<Vec3>(&[], 1);
    }
}
