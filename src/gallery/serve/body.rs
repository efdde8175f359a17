//! Response bodies: from memory, or streamed from a file.

use std::fs::File;
use std::future::Future;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::task::{JoinHandle, spawn_blocking};

/// Chunk size in bytes.
const PIECE: u64 = 256 << 10;

/// Content of a response.
#[derive(Debug)]
pub(super) enum Payload {
    /// Bytes in memory; `None` once they are sent.
    Bytes(Option<Bytes>),
    /// Part of a file.
    File(FilePart),
}

impl Payload {
    /// Body from memory.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self::Bytes(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// Empty body.
    pub fn empty() -> Self {
        Self::Bytes(None)
    }

    /// Body with the next `length` bytes of a file.
    pub fn file(file: File, length: u64) -> Self {
        Self::File(FilePart {
            left: length,
            state: State::Idle(Some(file)),
        })
    }
}

/// Part of a file that remains to be sent.
#[derive(Debug)]
pub(super) struct FilePart {
    left: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    Idle(Option<File>),
    Reading(JoinHandle<io::Result<(File, Vec<u8>)>>),
}

fn read(mut file: File, length: u64) -> io::Result<(File, Vec<u8>)> {
    let mut bytes = Vec::new();
    (&mut file).take(length).read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

impl FilePart {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            match &mut self.state {
                State::Idle(file) => {
                    let Some(file) = file.take().filter(|_| self.left > 0) else {
                        return Poll::Ready(None);
                    };
                    let length = self.left.min(PIECE);
                    self.state = State::Reading(spawn_blocking(move || read(file, length)));
                }
                State::Reading(task) => {
                    let done = ready!(Pin::new(task).poll(context));
                    let done = done.map_err(io::Error::other).and_then(|done| done);
                    self.state = State::Idle(None);
                    let (file, bytes) = match done {
                        Ok(done) => done,
                        Err(fault) => return Poll::Ready(Some(Err(fault))),
                    };
                    if bytes.is_empty() {
                        // The file became shorter: the client must notice that the body is incomplete.
                        return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
                    }
                    self.left = self.left.saturating_sub(bytes.len() as u64);
                    self.state = State::Idle(Some(file));
                    return Poll::Ready(Some(Ok(Frame::data(bytes.into()))));
                }
            }
        }
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            Self::Bytes(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::File(part) => part.poll(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Bytes(bytes) => bytes.is_none(),
            Self::File(part) => part.left == 0,
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            Self::Bytes(bytes) => bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
            Self::File(part) => part.left,
        })
    }
}
