//! Writes bytes to a file on a thread of its own, while the next ones are made. The blocks of a folder can only be
//! expanded in sequence, and every file of it waits for that.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use relicast_formats::installshield::packed::Take;

/// Bytes that are passed on at once.
const PART: usize = 1 << 20;

/// Largest number of parts that wait to be written.
const WAITING: usize = 4;

/// Collects bytes and passes them on.
struct Sender {
    part: Vec<u8>,
    parts: SyncSender<Vec<u8>>,
    /// Written parts, to be filled again.
    written: Receiver<Vec<u8>>,
}

impl Sender {
    fn take(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = PART.saturating_sub(self.part.len()).min(bytes.len());
            let (now, later) = bytes.split_at(room);
            self.part.extend_from_slice(now);
            bytes = later;
            if self.part.len() == PART {
                self.send()?;
            }
        }
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        let mut next = self.written.try_recv().unwrap_or_default();
        next.clear();
        let part = std::mem::replace(&mut self.part, next);
        // The receiver is gone after a failed write; that error is the one to report.
        self.parts
            .send(part)
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Writes what `make` passes on, in order, and returns the file.
///
/// # Errors
/// The bytes cannot be written, or `make` fails.
pub(super) fn write(
    mut file: File,
    make: impl FnOnce(Take<'_>) -> io::Result<()>,
) -> io::Result<File> {
    let (parts, to_write) = sync_channel::<Vec<u8>>(WAITING);
    let (done, written) = sync_channel(WAITING + 2);
    thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for part in to_write {
                file.write_all(&part)?;
                // The sender may have ended.
                let _ = done.try_send(part);
            }
            Ok(file)
        });
        let mut sender = Sender {
            part: Vec::with_capacity(PART),
            parts,
            written,
        };
        let made = make(&mut |bytes| sender.take(bytes)).and_then(|()| sender.send());
        drop(sender);
        let written: io::Result<File> = writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the writer thread failed")));
        let file = written?;
        made.map(|()| file)
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{self, Read, Seek};

    use super::{PART, write};

    #[test]
    fn bytes_arrive_in_order_in_pieces_of_any_size() {
        let bytes: Vec<u8> = (0..3 * PART + 77)
            .map(|place| (place / 251) as u8)
            .collect();
        for piece in [1000, PART, 2 * PART + 1] {
            let file = write(tempfile::tempfile().unwrap(), |take| {
                bytes.chunks(piece).try_for_each(take)
            });
            let (mut file, mut found) = (file.unwrap(), Vec::new());
            file.rewind().unwrap();
            file.read_to_end(&mut found).unwrap();
            assert!(found == bytes, "pieces of {piece}");
        }
    }

    #[test]
    fn errors_of_both_sides_are_reported() {
        let made = write(tempfile::tempfile().unwrap(), |_| {
            Err(io::Error::other("made badly"))
        });
        assert_eq!(made.unwrap_err().to_string(), "made badly");
        // A file that was opened for reading cannot be written.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("read");
        std::fs::write(&path, "x").unwrap();
        let written = write(File::open(path).unwrap(), |take| {
            (0..20).try_for_each(|_| take(&vec![0; PART]))
        });
        assert_ne!(written.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
