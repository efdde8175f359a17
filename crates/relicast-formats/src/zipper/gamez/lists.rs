//! Lists of a structure and the words that count or point at them.

use relicast_codec::{FixedSize, FormatError, List, Result, Stream};

/// Soft rule for a pointer: it is null if and only if the list is empty.
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
/// The data ends, or (writing) the list does not match `present` and `count`.
pub(super) fn values_if<'a, S: Stream<'a>, T: FixedSize>(
    stream: &mut S,
    present: bool,
    field: &'static str,
    list: &mut impl List<'a, T>,
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
    T::try_from(length).map_err(|_| FormatError::unencodable(field, 0, "a count that fits", length))
}
