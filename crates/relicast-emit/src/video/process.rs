//! An external program with all processes that it starts: they end together, and not after relicast.

use std::io::{self, Read};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus};
use std::time::Instant;

/// A running program in a process group of its own, which is killed when the program ends or this is
/// dropped.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    ended: Option<(ExitStatus, Instant)>,
}

impl Group {
    /// Starts a program.
    ///
    /// Ctrl-C on a terminal reaches a whole group of processes. ffmpeg would react by ending the file early
    /// and successfully; in a group of its own only relicast stops it.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        end_with_us(command);
        Ok(Self {
            child: command.spawn()?,
            ended: None,
        })
    }

    /// Takes its standard output, once.
    pub(super) fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Takes its standard error, once.
    pub(super) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Returns the exit status and the time it was seen, after killing the program's own children.
    pub(super) fn poll(&mut self) -> Option<(ExitStatus, Instant)> {
        if self.ended.is_none() {
            #[cfg(unix)]
            if has_ended(self.child.id()) {
                // Until its exit status is taken, its number is not reused for another group.
                kill_group(self.child.id());
            }
            let status = self.child.try_wait().ok().flatten();
            self.ended = status.map(|status| (status, Instant::now()));
        }
        self.ended
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.poll().is_some() {
            return;
        }
        #[cfg(unix)]
        kill_group(self.child.id());
        // Both fail only when the program has ended meanwhile.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the system kill the program when the thread that starts it and waits for it ends. So it ends even
/// when relicast is killed.
#[cfg(target_os = "linux")]
fn end_with_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before this setting took effect.
        if getppid() == Some(parent) {
            Ok(())
        } else {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    };
    // SAFETY: between fork and exec the closure makes two system calls and nothing else: it takes no lock
    // and allocates no memory (both kinds of error are plain numbers).
    #[expect(unsafe_code, reason = "the safety comment above")]
    unsafe {
        command.pre_exec(ask);
    }
}

/// True if a child has ended; its exit status remains available.
#[cfg(unix)]
fn has_ended(id: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

/// Kills the program and all processes that it started: ffmpeg may be started by a script.
#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // Fails only when no process is left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Longest line that is read, in bytes; the rest is skipped.
const MAX_LENGTH: usize = 4096;

/// Reader of lines with a bounded length, for untrusted output.
#[derive(Debug)]
pub(super) struct ShortLines<R> {
    inner: R,
    length: usize,
}

impl<R: Read> ShortLines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, length: 0 }
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.inner.read(buffer)?;
            let mut kept = 0;
            for place in 0..count {
                let Some(&byte) = buffer.get(place) else {
                    break;
                };
                self.length = match byte {
                    b'\n' | b'\r' => 0,
                    _ => self.length.saturating_add(1),
                };
                if self.length <= MAX_LENGTH
                    && let Some(target) = buffer.get_mut(kept)
                {
                    *target = byte;
                    kept += 1;
                }
            }
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_nothing_else_is_lost() {
        let long = "x".repeat(MAX_LENGTH * 40);
        let text = format!("one\n{long}\ntwo\r{long}\n\nthree");
        let mut read = String::new();
        ShortLines::new(text.as_bytes())
            .read_to_string(&mut read)
            .unwrap();
        let cut = "x".repeat(MAX_LENGTH);
        assert_eq!(read, format!("one\n{cut}\ntwo\r{cut}\n\nthree"));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_started_ends_with_it() {
        use std::process::Stdio;
        use std::time::Duration;

        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!"]);
        let mut group = Group::start(command.stdout(Stdio::piped())).unwrap();
        let mut heard = String::new();
        // The pipe does not end before the sleeping process does.
        let stdout = group.take_stdout();
        let reader = std::thread::spawn(move || {
            stdout.unwrap().read_to_string(&mut heard).unwrap();
            heard
        });
        let start = Instant::now();
        while group.poll().is_none() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(reader.join().unwrap().trim().parse::<u32>().is_ok());
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
