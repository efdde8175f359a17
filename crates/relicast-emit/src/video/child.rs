//! Running ffmpeg: its reports become progress, and silence ends it.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ffmpeg_sidecar::command::FfmpegCommand;
use ffmpeg_sidecar::event::{FfmpegEvent, LogLevel};
use ffmpeg_sidecar::ffmpeg_time_duration::FfmpegTimeDuration;
use ffmpeg_sidecar::log_parser::FfmpegLogParser;

use super::error::VideoError;
use super::facts::Decoded;
use super::job::Control;
use super::process::{Group, ShortLines};
use super::tool::Tool;

/// Interval of the checks for cancellation and silence.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time that the pipes of an ended program are read for: it may have left them to another one.
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// Number of warnings that are stored.
const MAX_COMPLAINTS: usize = 3;

/// Longest line of a warning, in characters.
const MAX_LINE_LENGTH: usize = 300;

/// Result of a successful run.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub decoded: Decoded,
    pub complaints: Vec<String>,
    pub last_line: String,
}

/// Messages from the two pipes of the program.
enum Message {
    Event(Box<FfmpegEvent>),
    Digest(String),
}

/// Runs ffmpeg to its end.
///
/// # Errors
/// It cannot be started, fails or stalls, or the run is cancelled.
pub(super) fn run(
    tool: &Tool,
    arguments: &[OsString],
    stall: Duration,
    duration: Option<f64>,
    control: &Control<'_>,
) -> Result<Outcome, VideoError> {
    let mut command = FfmpegCommand::new_with_path(&tool.program);
    command.args(arguments);
    let started = Group::start(command.as_inner_mut());
    let mut child = started.map_err(|error| VideoError::Start {
        program: tool.program.clone(),
        error,
    })?;
    let messages = listen(&mut child);
    let mut watch = Watch::new(duration);
    loop {
        if control.cancel.load(Ordering::Relaxed) {
            return Err(VideoError::Cancelled);
        }
        match messages.recv_timeout(POLL_INTERVAL) {
            Ok(message) => watch.take(message, control),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match child.poll() {
                Some(_) => break,
                None => thread::sleep(POLL_INTERVAL),
            },
        }
        if let Some((_, at)) = child.poll()
            && (watch.heard.elapsed() > POLL_INTERVAL * 10 || at.elapsed() > DRAIN_TIME)
        {
            break;
        }
        if watch.quiet() > stall {
            return Err(VideoError::Stalled {
                seconds: stall.as_secs(),
                line: watch.last_words(),
            });
        }
    }
    watch.outcome.decoded.finish();
    match child.poll() {
        Some((status, _)) if status.success() => {
            watch.outcome.last_line = watch.last_words();
            Ok(watch.outcome)
        }
        status => Err(VideoError::Failed {
            status: status.map_or_else(|| "lost".to_owned(), |(status, _)| status.to_string()),
            line: watch.last_words(),
        }),
    }
}

/// Reads both pipes on threads of their own, which end with the pipes.
fn listen(child: &mut Group) -> Receiver<Message> {
    let (sender, receiver) = sync_channel(256);
    if let Some(stderr) = child.take_stderr() {
        let sender = sender.clone();
        thread::spawn(move || forward_events(stderr, &sender));
    }
    if let Some(stdout) = child.take_stdout() {
        thread::spawn(move || forward_digests(stdout, &sender));
    }
    receiver
}

fn forward_events(stderr: impl Read, sender: &SyncSender<Message>) {
    let mut parser = FfmpegLogParser::new(BufReader::new(ShortLines::new(stderr)));
    loop {
        let message = match parser.parse_next_event() {
            Ok(FfmpegEvent::LogEOF) => return,
            Ok(event) => Message::Event(Box::new(event)),
            Err(fault) if fault.is::<io::Error>() => return,
            // A line that the parser does not understand is skipped.
            Err(_) => continue,
        };
        if sender.send(message).is_err() {
            return;
        }
    }
}

fn forward_digests(stdout: impl Read, sender: &SyncSender<Message>) {
    let lines = BufReader::new(ShortLines::new(stdout)).split(b'\n');
    for line in lines.map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.starts_with('#') {
            continue;
        }
        if sender.send(Message::Digest(line)).is_err() {
            return;
        }
    }
}

/// Progress of ffmpeg's output.
struct Watch {
    outcome: Outcome,
    duration: Option<f64>,
    /// Time of the last progress.
    moved: Instant,
    /// Time of the last output.
    heard: Instant,
    at: (u32, u32, String),
    /// The last line, and the last error line.
    last: String,
    error: String,
}

impl Watch {
    fn new(duration: Option<f64>) -> Self {
        Self {
            outcome: Outcome::default(),
            duration,
            moved: Instant::now(),
            heard: Instant::now(),
            at: (0, 0, String::new()),
            last: String::new(),
            error: String::new(),
        }
    }

    fn quiet(&self) -> Duration {
        self.moved.elapsed()
    }

    fn take(&mut self, message: Message, control: &Control<'_>) {
        self.heard = Instant::now();
        let event = match message {
            Message::Digest(line) => {
                // Only a new frame counts as progress.
                if self.outcome.decoded.digest(&line) {
                    self.moved = Instant::now();
                }
                return;
            }
            Message::Event(event) => event,
        };
        self.outcome.decoded.event(&event);
        match *event {
            FfmpegEvent::Progress(progress) => {
                let at = (progress.frame, progress.size_kb, progress.time);
                if at != self.at {
                    self.moved = Instant::now();
                    self.at = at;
                }
                let duration = self.outcome.decoded.duration.or(self.duration);
                let done = FfmpegTimeDuration::from_str(&self.at.2);
                if let (Some(done), Some(duration)) = (done, duration) {
                    (control.advance)((done.as_seconds() / duration).clamp(0.0, 1.0));
                }
            }
            FfmpegEvent::Log(level, line) => self.line(&level, &line),
            _ => {}
        }
    }

    fn line(&mut self, level: &LogLevel, line: &str) {
        let line = plain(line);
        if line.is_empty() {
            return;
        }
        if matches!(level, LogLevel::Error | LogLevel::Fatal) {
            let complaints = &mut self.outcome.complaints;
            if complaints.len() < MAX_COMPLAINTS && !complaints.contains(&line) {
                complaints.push(line.clone());
            }
            self.error.clone_from(&line);
        }
        self.last = line;
    }

    /// The last error, or otherwise the last line.
    fn last_words(&self) -> String {
        let words = [&self.error, &self.last];
        let words = words.into_iter().find(|words| !words.is_empty());
        words.map_or_else(|| "it printed no message".to_owned(), Clone::clone)
    }
}

/// A line of ffmpeg's log without its level and the addresses of its modules (`[avi @ 0x55…]`).
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line.trim();
    while let Some((head, tail)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let name = head.split(" @ ").next().unwrap_or(head);
        if !["info", "warning", "error", "fatal", "verbose", "panic"].contains(&name) {
            text.push_str(name);
            text.push_str(": ");
        }
        rest = tail.trim_start();
    }
    text.push_str(rest);
    text.chars().take(MAX_LINE_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_level_and_addresses() {
        assert_eq!(plain("[avi @ 0x55d] [error] bad chunk"), "avi: bad chunk");
        assert_eq!(plain("[fatal] no such codec"), "no such codec");
        assert_eq!(plain("plain"), "plain");
        assert_eq!(plain("[open"), "[open");
    }
}
