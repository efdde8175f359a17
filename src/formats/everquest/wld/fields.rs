//! Shapes of fields that the fragments share: optional ones, and counts narrower than a word.

use crate::formats::codec::{FixedSize, FormatError, Result, Stream};

fn check_presence<'a, S: Stream<'a>>(
    stream: &S,
    present: bool,
    field: &'static str,
    held: bool,
) -> Result<()> {
    if S::READING || present == held {
        return Ok(());
    }
    Err(FormatError::unencodable(
        field,
        stream.position(),
        if present {
            "a value, by the flags"
        } else {
            "no value, by the flags"
        },
        if held { "one" } else { "none" },
    ))
}

/// A field that is there only when a flag says so.
pub(super) fn optional<'a, S: Stream<'a>, T: FixedSize>(
    stream: &mut S,
    present: bool,
    field: &'static str,
    value: &mut Option<T>,
) -> Result<()> {
    check_presence(stream, present, field, value.is_some())?;
    if present {
        stream.value(field, value.get_or_insert_default())?;
    }
    Ok(())
}

/// A part of a structure that is there only when a flag says so.
pub(super) fn optional_part<'a, S: Stream<'a>, T: Default>(
    stream: &mut S,
    present: bool,
    field: &'static str,
    value: &mut Option<T>,
    visit: impl FnOnce(&mut S, &mut T) -> Result<()>,
) -> Result<()> {
    check_presence(stream, present, field, value.is_some())?;
    if present {
        visit(stream, value.get_or_insert_default())?;
    }
    Ok(())
}

/// A `u16` that counts `length` things: read, or derived from the value.
pub(super) fn count16<'a, S: Stream<'a>>(
    stream: &mut S,
    field: &'static str,
    length: usize,
) -> Result<usize> {
    let mut count = if S::READING {
        0
    } else {
        u16::try_from(length).map_err(|_| {
            FormatError::unencodable(field, stream.position(), "at most 65535", length)
        })?
    };
    stream.value(field, &mut count)?;
    Ok(usize::from(count))
}

/// A `u32` count and its values.
pub(super) fn counted<'a, S: Stream<'a>, T: FixedSize>(
    stream: &mut S,
    field: &'static str,
    values: &mut Vec<T>,
) -> Result<()> {
    let count = stream.count(field, values.len())?;
    stream.values(field, values, count)
}
