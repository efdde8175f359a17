//! The direction of a codec that appends values to a buffer.

use std::borrow::Cow;
use std::fmt::Display;

use super::error::{FormatError, Result};
use super::list::List;
use super::number::FixedSize;
use super::stream::{Stream, Walk};

/// Encodes values into a buffer.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A writer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(capacity),
        }
    }

    /// The bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes written so far.
    pub fn written(&self) -> &[u8] {
        &self.bytes
    }
}

fn check_length(field: &'static str, position: usize, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        Ok(())
    } else {
        Err(FormatError::unencodable(field, position, expected, found))
    }
}

impl<'a> Stream<'a> for Writer {
    const READING: bool = false;

    #[inline]
    fn position(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    fn remaining(&self) -> usize {
        usize::MAX
    }

    #[inline]
    fn value<T: FixedSize>(&mut self, _field: &'static str, value: &mut T) -> Result<()> {
        value.store(&mut self.bytes);
        Ok(())
    }

    fn values<T: FixedSize, L: List<'a, T>>(
        &mut self,
        field: &'static str,
        values: &mut L,
        count: usize,
    ) -> Result<()> {
        check_length(field, self.bytes.len(), count, values.len())?;
        for value in values.iter() {
            value.store(&mut self.bytes);
        }
        Ok(())
    }

    fn bytes(
        &mut self,
        field: &'static str,
        bytes: &mut Cow<'a, [u8]>,
        length: usize,
    ) -> Result<()> {
        check_length(field, self.bytes.len(), length, bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn deviate(
        &mut self,
        _field: &'static str,
        _offset: usize,
        _expected: impl Display,
        _found: impl Display,
    ) {
        // Soft rules are not checked when writing.
    }

    fn list<T: Default>(
        &mut self,
        field: &'static str,
        list: &mut Vec<T>,
        count: usize,
        _smallest: usize,
        mut visit: impl FnMut(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()> {
        check_length(field, self.bytes.len(), count, list.len())?;
        for (index, item) in list.iter_mut().enumerate() {
            visit(self, item).map_err(|error| error.within(field, index))?;
        }
        Ok(())
    }
}

/// Encodes one structure. The value is cloned, because a walk visits its fields mutably.
///
/// # Errors
/// The value does not fit the format, for example because a list is too long for its count.
pub fn encode<'a, T: Walk<'a> + Clone>(value: &T) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    value.clone().walk(&mut writer)?;
    Ok(writer.into_bytes())
}
