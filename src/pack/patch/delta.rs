//! Deltas between two byte strings: computed, and applied.

use std::io::{self, Write};

use qbsdiff::{Bsdiff, Bspatch, ParallelScheme};

/// Computes the delta from `before` to `after`: differences and new bytes, compressed. It is the same on every machine.
///
/// # Errors
/// They are larger than 2 GiB, or memory is short.
pub(super) fn between(before: &[u8], after: &[u8]) -> io::Result<Vec<u8>> {
    let mut delta = Vec::new();
    Bsdiff::new(before, after)
        .parallel_scheme(ParallelScheme::Never)
        .compare(&mut delta)?;
    Ok(delta)
}

/// Applies `delta`. The result has `size` bytes.
///
/// # Errors
/// The delta is damaged, or for other bytes.
pub(super) fn apply(before: &[u8], delta: &[u8], size: u64) -> io::Result<Vec<u8>> {
    if !has_space(delta) {
        let what = "its parts are longer than the delta";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    let patch = Bspatch::new(delta)?;
    if patch.hint_target_size() != size {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "it yields {} bytes, expected {size}",
                patch.hint_target_size()
            ),
        ));
    }
    let mut made = Bounded {
        bytes: Vec::new(),
        most: size,
    };
    patch.apply(before, &mut made)?;
    match made.bytes.len() as u64 == size {
        true => Ok(made.bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// True if the two lengths in the head of a delta, which the library adds without a check, fit into it.
fn has_space(delta: &[u8]) -> bool {
    let length = |at: usize| {
        let bytes = delta.get(at..)?.first_chunk()?;
        // Sign and magnitude; no length is negative.
        u64::try_from(i64::from_le_bytes(*bytes)).ok()
    };
    let parts = length(8).zip(length(16));
    let end =
        parts.and_then(|(control, difference)| control.checked_add(difference)?.checked_add(32));
    end.is_some_and(|end| end <= delta.len() as u64)
}

/// Accepts no more bytes than declared.
struct Bounded {
    bytes: Vec<u8>,
    most: u64,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let all = (self.bytes.len() as u64).saturating_add(bytes.len() as u64);
        if all > self.most {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it yields more bytes than expected",
            ));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{apply, between};

    #[test]
    fn what_was_different_is_made_again_and_nothing_else() {
        let before: Vec<u8> = (0..=u8::MAX).cycle().take(5000).collect();
        let mut after = before.clone();
        after.splice(700..900, b"something else".iter().copied());
        let delta = between(&before, &after).unwrap();
        assert!(delta.len() < 300, "{} bytes", delta.len());
        assert_eq!(delta, between(&before, &after).unwrap());
        let size = after.len() as u64;
        assert_eq!(apply(&before, &delta, size).unwrap(), after);
        assert!(apply(&before, &delta, size + 1).is_err());
        for end in 0..delta.len() {
            // Without its last bytes, which are a checksum, the delta may still be complete.
            let made = apply(&before, &delta[..end], size);
            assert!(made.is_err() || made.unwrap() == after, "{end}");
        }
    }

    #[test]
    fn damaged_deltas_are_errors_or_make_something_of_the_same_size() {
        let (before, after) = (vec![7; 4000], [vec![7; 1000], vec![9; 2000]].concat());
        let delta = between(&before, &after).unwrap();
        let size = after.len() as u64;
        for at in 0..delta.len() {
            for bit in 0..8 {
                let mut damaged = delta.clone();
                damaged[at] ^= 1 << bit;
                let made = apply(&before, &damaged, size);
                assert!(made.is_err() || made.unwrap().len() as u64 == size);
            }
        }
    }
}
