//! Reads a section of a file in parts, each with its own path in errors and deviations.

use relicast_codec::{Blob, Decoded, Deviations, FormatError, Reader, Result, Stream};

/// A section: bytes up to its end, offsets counted from the start of the file.
pub(super) struct Section<'a> {
    bytes: &'a [u8],
    position: usize,
    deviations: Deviations,
}

impl<'a> Section<'a> {
    /// The section from `start` to `end`.
    pub fn new(bytes: &'a [u8], start: usize, end: usize) -> Result<Self> {
        match bytes.get(..end) {
            Some(bytes) if start <= end => Ok(Self {
                bytes,
                position: start,
                deviations: Deviations::default(),
            }),
            _ => Err(FormatError::malformed(
                "",
                start,
                format_args!("a section within {} bytes", bytes.len()),
                format_args!("{start}..{end}"),
            )),
        }
    }

    /// Offset of the next part.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Reads the fields before the parts; their paths do not change.
    pub fn head<T>(&mut self, visit: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let mut reader = Reader::new(self.bytes);
        reader.seek("", self.position)?;
        let value = visit(&mut reader)?;
        self.position = reader.position();
        self.deviations = reader.into_deviations();
        Ok(value)
    }

    /// Reads the next part; paths of its fields start with `[index]`.
    pub fn part<T>(
        &mut self,
        index: usize,
        visit: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<T> {
        let mut reader = Reader::new(self.bytes);
        reader.seek("", self.position)?;
        let value = visit(&mut reader).map_err(|error| error.within("", index))?;
        self.position = reader.position();
        let met = reader.into_deviations();
        if !met.is_empty() {
            self.deviations.absorb(&format!("[{index}]"), 0, met);
        }
        Ok(value)
    }

    /// Adds a section that was read separately, starting here.
    pub fn resume<T>(&mut self, ahead: Self, value: T) -> T {
        self.position = ahead.position;
        self.deviations.absorb_from(ahead.deviations, |_| (None, 0));
        value
    }

    /// Moves to the stored offset of the next part and returns the bytes jumped over. The offset is
    /// word `field` of slot `index`.
    ///
    /// # Errors
    /// The offset is before the current position, or past the section.
    pub fn jump(
        &mut self,
        index: usize,
        field: &'static str,
        stored: u32,
    ) -> Result<Blob<'static>> {
        let target = stored as usize;
        if target == self.position {
            return Ok(Blob::default());
        }
        let Some(gap) = self.bytes.get(self.position..target) else {
            return Err(FormatError::malformed(
                field,
                self.position,
                format_args!("an offset from {} to {}", self.position, self.bytes.len()),
                target,
            )
            .within("", index));
        };
        let path = format!("[{index}].{field}");
        self.deviate(path, self.position, self.position, target);
        self.position = target;
        Ok(Blob::from(gap.to_vec()))
    }

    /// Records a broken soft rule.
    pub fn deviate(
        &mut self,
        field: impl Into<String>,
        offset: usize,
        expected: impl std::fmt::Display,
        found: impl std::fmt::Display,
    ) {
        self.deviations.push(field, offset, expected, found);
    }

    /// The value of the section, which must end at the current position.
    ///
    /// # Errors
    /// Bytes are left.
    pub fn finish<T>(self, value: T) -> Result<Decoded<T>> {
        if self.position != self.bytes.len() {
            return Err(FormatError::malformed(
                "end",
                self.position,
                format_args!("the next section at {}", self.position),
                self.bytes.len(),
            ));
        }
        Ok(self.finish_early(value))
    }

    /// The value of the section, even if bytes are left.
    pub fn finish_early<T>(self, value: T) -> Decoded<T> {
        Decoded {
            value,
            deviations: self.deviations,
        }
    }
}
