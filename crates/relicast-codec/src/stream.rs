//! The two directions of a codec: [`Reader`] fills a value from bytes, [`Writer`](super::Writer) appends it.
//!
//! A structure is declared once as a [`Walk`]: a function that passes each field, in file order, to
//! a [`Stream`]. It decodes with a `Reader` and encodes with a `Writer`, so the two cannot
//! differ. Counts are checked against the remaining bytes before memory is allocated.

use std::borrow::Cow;
use std::fmt::Display;

use super::error::{Decoded, Deviations, FaultKind, FormatError, Result};
use super::layout::Segment;
use super::list::{List, ReserveError, reserve};
use super::locator;
use super::number::FixedSize;
use super::quantity::counted;
use super::shown::shown;
use relicast_limits as limits;

/// One direction of a codec, visiting the fields of a structure in file order.
pub trait Stream<'a>: Sized {
    /// True for a reader. Walks check this when a value must be derived in one direction only.
    const READING: bool;

    /// Byte offset of the next field from the start of the slice or of the output.
    fn position(&self) -> usize;

    /// Bytes after the next field's offset; `usize::MAX` when writing.
    fn remaining(&self) -> usize;

    /// Visits one fixed-size field.
    ///
    /// # Errors
    /// The data ends before the field.
    fn value<T: FixedSize>(&mut self, field: &'static str, value: &mut T) -> Result<()>;

    /// Visits `count` consecutive fixed-size fields.
    ///
    /// # Errors
    /// The data ends before the last one, or (writing) the list does not hold `count` values.
    fn values<T: FixedSize, L: List<'a, T>>(
        &mut self,
        field: &'static str,
        values: &mut L,
        count: usize,
    ) -> Result<()>;

    /// Visits `length` bytes that the value borrows from the file.
    ///
    /// # Errors
    /// The data ends before the last byte, or (writing) the value does not hold `length` bytes.
    fn bytes(
        &mut self,
        field: &'static str,
        bytes: &mut Cow<'a, [u8]>,
        length: usize,
    ) -> Result<()>;

    /// Visits a structure that is the field `field` of another, or a part of one.
    #[inline]
    fn part<R>(&mut self, _field: &'static str, visit: impl FnOnce(&mut Self) -> R) -> R {
        visit(self)
    }

    /// Visits the bytes after the last field of a file. By rule there are none, so bytes there are stored and
    /// reported.
    ///
    /// # Errors
    /// None when reading or writing a file; the signature is the same for every field.
    fn trailing(&mut self, bytes: &mut Cow<'a, [u8]>) -> Result<()> {
        let offset = self.position();
        let length = if Self::READING {
            self.remaining()
        } else {
            bytes.len()
        };
        self.bytes("trailing", bytes, length)?;
        if length > 0 {
            let found = counted(length, "more byte", "more bytes");
            self.deviate("trailing", offset, "end of data", found);
        }
        Ok(())
    }

    /// Records a broken soft rule; does nothing when writing.
    fn deviate(
        &mut self,
        field: &'static str,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    );

    /// Runs `visit` for each of `count` structures of at least `smallest` bytes.
    ///
    /// # Errors
    /// `count` structures cannot fit in the bytes left, or `visit` fails (the path of its error is
    /// prefixed with the list and index), or (writing) the list does not hold `count` values.
    fn list<T: Default>(
        &mut self,
        field: &'static str,
        list: &mut Vec<T>,
        count: usize,
        smallest: usize,
        visit: impl FnMut(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()>;

    /// Visits `count` structures that implement [`Walk`].
    ///
    /// # Errors
    /// Like [`Stream::list`].
    fn records<T: Walk<'a>>(
        &mut self,
        field: &'static str,
        list: &mut Vec<T>,
        count: usize,
    ) -> Result<()> {
        self.list(field, list, count, T::SMALLEST, |stream, item| {
            item.walk(stream)
        })
    }

    /// Visits a nested structure; the path of its errors is prefixed with `field`.
    ///
    /// # Errors
    /// The errors of the structure.
    fn nested<T: Walk<'a>>(&mut self, field: &'static str, value: &mut T) -> Result<()> {
        self.part(field, |stream| value.walk(stream))
            .map_err(|error| error.inside(field))
    }

    /// Checks a soft rule: `value` should be `expected`; it starts at `offset`.
    fn always<T: FixedSize>(&mut self, field: &'static str, offset: usize, value: T, expected: T) {
        if Self::READING && value != expected {
            self.deviate(field, offset, shown(&expected), shown(&value));
        }
    }

    /// Checks a hard rule: `value` must be `expected`; it starts at `offset`.
    ///
    /// # Errors
    /// They differ.
    fn must<T: FixedSize>(
        &mut self,
        field: &'static str,
        offset: usize,
        value: T,
        expected: T,
    ) -> Result<()> {
        if Self::READING && value != expected {
            return Err(FormatError::malformed(
                field,
                offset,
                shown(&expected),
                shown(&value),
            ));
        }
        Ok(())
    }

    /// Visits a `u32` that counts `length` items of the same structure: read, or derived from the value.
    ///
    /// # Errors
    /// The data ends, or (writing) the length does not fit a `u32`.
    fn count(&mut self, field: &'static str, length: usize) -> Result<usize> {
        let mut count = if Self::READING {
            0
        } else {
            u32::try_from(length).map_err(|_| {
                FormatError::unencodable(field, self.position(), "at most 2^32 - 1", length)
            })?
        };
        self.value(field, &mut count)?;
        Ok(count as usize)
    }

    /// Visits a `u16` that counts `length` items of the same structure: read, or derived from the value.
    ///
    /// # Errors
    /// The data ends, or (writing) the length does not fit a `u16`.
    fn count16(&mut self, field: &'static str, length: usize) -> Result<usize> {
        let mut count = if Self::READING {
            0
        } else {
            u16::try_from(length).map_err(|_| {
                FormatError::unencodable(field, self.position(), "at most 65535", length)
            })?
        };
        self.value(field, &mut count)?;
        Ok(usize::from(count))
    }

    /// Visits a `u32` count and that many values.
    ///
    /// # Errors
    /// Like [`Stream::count`] and [`Stream::values`].
    fn counted<T: FixedSize, L: List<'a, T>>(
        &mut self,
        field: &'static str,
        values: &mut L,
    ) -> Result<()> {
        let count = self.count(field, values.len())?;
        self.values(field, values, count)
    }

    /// Visits a part of a structure that is stored only when `present`, by earlier flags.
    ///
    /// # Errors
    /// The errors of `visit`, or (writing) a value that is present or missing against the flags.
    fn optional<T: Default>(
        &mut self,
        field: &'static str,
        present: bool,
        value: &mut Option<T>,
        visit: impl FnOnce(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()> {
        let held = value.is_some();
        if !Self::READING && present != held {
            let (expected, found) = match present {
                true => ("a value, by the flags", "none"),
                false => ("no value, by the flags", "one"),
            };
            return Err(FormatError::unencodable(
                field,
                self.position(),
                expected,
                found,
            ));
        }
        if present {
            visit(self, value.get_or_insert_default())?;
        }
        Ok(())
    }
}

/// A structure declared once for both directions.
pub trait Walk<'a>: Default {
    /// Smallest size of a value in bytes; bounds the memory allocated for a list of them.
    const SMALLEST: usize;

    /// Visits every field in file order.
    ///
    /// # Errors
    /// A hard rule is broken.
    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()>;
}

/// A boxed structure walks like the structure itself.
impl<'a, T: Walk<'a>> Walk<'a> for Box<T> {
    const SMALLEST: usize = T::SMALLEST;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        (**self).walk(stream)
    }
}

/// Decodes values from a slice.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    deviations: Deviations,
    /// Offset of `bytes` in the file, if its fields are located.
    base: Option<usize>,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            deviations: Deviations::default(),
            base: locator::base(bytes),
        }
    }

    /// The whole slice, read or not.
    pub fn whole(&self) -> &'a [u8] {
        self.bytes
    }

    /// Moves to an absolute offset.
    ///
    /// # Errors
    /// The offset is past the end.
    pub fn seek(&mut self, field: &'static str, position: usize) -> Result<()> {
        if position > self.bytes.len() {
            return Err(FormatError::malformed(
                field,
                self.position,
                format_args!("an offset up to {}", self.bytes.len()),
                position,
            ));
        }
        self.position = position;
        Ok(())
    }

    /// Reads the next `length` bytes.
    ///
    /// # Errors
    /// Fewer bytes remain.
    #[inline]
    pub fn take(&mut self, field: &'static str, length: usize) -> Result<&'a [u8]> {
        let position = self.position;
        let taken = self.pass(field, length)?;
        if let Some(base) = self.base {
            locator::bytes(field, base.saturating_add(position), length);
        }
        Ok(taken)
    }

    /// Visits an item of a list.
    #[inline]
    fn item<R>(
        &mut self,
        field: &'static str,
        index: usize,
        visit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        match self.base {
            None => visit(self),
            Some(_) => {
                let segments = [Segment::Name(field), Segment::Index(index)];
                locator::scope(&segments, || visit(self))
            }
        }
    }

    #[inline]
    fn pass(&mut self, field: &'static str, length: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        match rest.get(..length) {
            Some(taken) => {
                self.position = self.position.saturating_add(length);
                Ok(taken)
            }
            None => Err(FormatError::truncated(
                field,
                self.position,
                length,
                rest.len(),
            )),
        }
    }

    /// Records a known oddity of real files, which is no deviation.
    #[cold]
    pub fn note_usual(
        &mut self,
        field: &'static str,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        self.deviations.push_usual(field, offset, expected, found);
    }

    /// Returns the value with the deviations so far; trailing bytes are a soft fault.
    pub fn finish<T>(mut self, value: T) -> Decoded<T> {
        let left = Stream::remaining(&self);
        if left > 0 {
            let found = counted(left, "more byte", "more bytes");
            let position = self.position;
            self.deviations.push("end", position, "end of data", found);
        }
        Decoded {
            value,
            deviations: self.deviations,
        }
    }

    /// Returns the deviations so far.
    pub fn into_deviations(self) -> Deviations {
        self.deviations
    }
}

impl<'a> Stream<'a> for Reader<'a> {
    const READING: bool = true;

    #[inline]
    fn position(&self) -> usize {
        self.position
    }

    #[inline]
    fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    #[inline]
    fn part<R>(&mut self, field: &'static str, visit: impl FnOnce(&mut Self) -> R) -> R {
        match self.base {
            None => visit(self),
            Some(_) => locator::scope(&[Segment::Name(field)], || visit(self)),
        }
    }

    #[inline]
    fn value<T: FixedSize>(&mut self, field: &'static str, value: &mut T) -> Result<()> {
        let position = self.position;
        let taken = self.pass(field, T::SIZE)?;
        if let Some(base) = self.base {
            locator::value::<T>(field, base.saturating_add(position));
        }
        *value = T::load(taken)
            .ok_or_else(|| FormatError::truncated(field, position, T::SIZE, taken.len()))?;
        Ok(())
    }

    fn values<T: FixedSize, L: List<'a, T>>(
        &mut self,
        field: &'static str,
        values: &mut L,
        count: usize,
    ) -> Result<()> {
        let position = self.position;
        let remaining = Stream::remaining(self);
        let length = count
            .checked_mul(T::SIZE)
            .filter(|&length| length <= remaining)
            .ok_or_else(|| {
                FormatError::truncated(
                    field,
                    position,
                    format_args!("{count} values of {}", T::SIZE),
                    remaining,
                )
            })?;
        let taken = self.pass(field, length)?;
        if let Some(base) = self.base {
            locator::values::<T>(field, base.saturating_add(position), count);
        }
        let loaded = values.load(taken);
        loaded.map_err(|refused| reserve_error(refused, count, field, position))
    }

    fn bytes(
        &mut self,
        field: &'static str,
        bytes: &mut Cow<'a, [u8]>,
        length: usize,
    ) -> Result<()> {
        *bytes = Cow::Borrowed(self.take(field, length)?);
        Ok(())
    }

    #[cold]
    fn deviate(
        &mut self,
        field: &'static str,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        self.deviations.push(field, offset, expected, found);
    }

    fn list<T: Default>(
        &mut self,
        field: &'static str,
        list: &mut Vec<T>,
        count: usize,
        smallest: usize,
        mut visit: impl FnMut(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()> {
        let remaining = Stream::remaining(self);
        if count
            .checked_mul(smallest.max(1))
            .is_none_or(|length| length > remaining)
        {
            return Err(FormatError::truncated(
                field,
                self.position,
                format_args!("{count} structures of at least {smallest}"),
                remaining,
            ));
        }
        list.clear();
        reserve(list, count)
            .map_err(|refused| reserve_error(refused, count, field, self.position))?;
        for index in 0..count {
            limits::check();
            let mark = self.deviations.mark();
            // Filled in place, so that large ones are not moved again.
            list.push(T::default());
            if let Some(item) = list.last_mut()
                && let Err(error) = self.item(field, index, |reader| visit(reader, item))
            {
                list.pop();
                return Err(error.within(field, index));
            }
            if self.deviations.mark() != mark {
                self.deviations.prefix_from(mark, field, index);
            }
        }
        Ok(())
    }
}

/// Error of a list that cannot take its `count` values.
#[cold]
fn reserve_error(
    refused: ReserveError,
    count: usize,
    field: &'static str,
    offset: usize,
) -> FormatError {
    match refused {
        ReserveError::Share(exceeded) => exceeded.into(),
        ReserveError::Memory(reason) => {
            let expected = format_args!("memory for {count} values");
            FormatError::new(FaultKind::Limit, field, offset, expected, reason)
        }
    }
}

/// Decodes a whole slice as one structure; bytes after it are a deviation.
///
/// # Errors
/// A hard rule of the structure is broken.
pub fn decode<'a, T: Walk<'a>>(bytes: &'a [u8]) -> Result<Decoded<T>> {
    let mut reader = Reader::new(bytes);
    let mut value = T::default();
    value.walk(&mut reader)?;
    Ok(reader.finish(value))
}
