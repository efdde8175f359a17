//! A terminal with a program in it: a pseudo terminal of the system, and an emulator that keeps its screen.

use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{
    Child, CommandBuilder, ExitStatus, MasterPty, PtyPair, PtySize, native_pty_system,
};

/// Time that a program may take until the screen shows something or it ends. Far more than any of them needs.
const MAX_DURATION: Duration = Duration::from_secs(120);

/// Rows of every screen, with the rows above that were scrolled out.
const ROWS: u16 = 24;

fn size(columns: u16) -> PtySize {
    PtySize {
        rows: ROWS,
        cols: columns,
        ..PtySize::default()
    }
}

/// Opens a pseudo terminal, or skips the running test if the system has none.
fn open(columns: u16) -> PtyPair {
    if cfg!(windows) {
        relicast_testing::skip(
            "ConPTY draws screens of its own; pseudo terminals of Unix are tested",
        );
    }
    let opened = native_pty_system().openpty(size(columns));
    opened.unwrap_or_else(|error| relicast_testing::skip(format!("no pseudo terminals: {error}")))
}

/// A program to start in a terminal.
pub struct Program {
    command: CommandBuilder,
}

impl Program {
    /// relicast with arguments.
    pub fn relicast<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        Self::new(assert_cmd::cargo::cargo_bin!("relicast"), arguments)
    }

    /// relicast with arguments, its streams redirected as the shell does it: `> FILE`, `2> FILE`.
    pub fn redirected<S: AsRef<OsStr>>(
        redirection: &str,
        arguments: impl IntoIterator<Item = S>,
    ) -> Self {
        let script = format!("exec \"$0\" \"$@\" {redirection}");
        let mut program = Self::new(Path::new("/bin/sh"), ["-c", &script]);
        program
            .command
            .arg(assert_cmd::cargo::cargo_bin!("relicast"));
        program.command.args(arguments);
        program
    }

    fn new<S: AsRef<OsStr>>(path: &Path, arguments: impl IntoIterator<Item = S>) -> Self {
        let mut command = CommandBuilder::new(path);
        command.args(arguments);
        for unset in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "PAGER",
            "LINES",
            "COLUMNS",
        ] {
            command.env_remove(unset);
        }
        command.env("TERM", "xterm-256color");
        Self { command }
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it in a terminal with this number of columns.
    pub fn start(self, columns: u16) -> Terminal {
        let PtyPair { slave, master } = open(columns);
        let child = slave.spawn_command(self.command).unwrap();
        // Otherwise the terminal would not end with the program.
        drop(slave);
        let columns = NonZeroU16::new(columns).unwrap();
        let rows = NonZeroU16::new(ROWS).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 1000)));
        let bytes = Arc::default();
        let mut reader = master.try_clone_reader().unwrap();
        let (shown, read) = (Arc::clone(&screen), Arc::clone(&bytes));
        let emulator = thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(length) => {
                        let read: &Mutex<Vec<u8>> = &read;
                        read.lock().unwrap().extend(&buffer[..length]);
                        shown.lock().unwrap().process(&buffer[..length]);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // Linux says so when the last program has ended.
                    Err(_) => return,
                }
            }
        });
        Terminal {
            writer: Some(master.take_writer().unwrap()),
            master: Some(master),
            child,
            screen,
            bytes,
            emulator: Some(emulator),
        }
    }

    /// Runs it to its end in a terminal with this number of columns.
    pub fn run(self, columns: u16) -> Ended {
        self.start(columns).finish()
    }
}

/// A terminal in which a program runs.
pub struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    emulator: Option<JoinHandle<()>>,
}

/// Result of a program.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    /// The last screen and what was scrolled out above it, without spaces at the ends of lines.
    pub screen: String,
    /// Everything that was written to the terminal.
    pub bytes: Vec<u8>,
}

impl Ended {
    /// Lines of the screen that are not empty.
    pub fn lines(&self) -> Vec<&str> {
        let lines = self.screen.lines();
        lines.filter(|line| !line.trim().is_empty()).collect()
    }

    /// Asserts that the program ended with success.
    pub fn success(self) -> Self {
        assert!(self.status.success(), "{}:\n{}", self.status, self.screen);
        self
    }
}

/// The screen and what was scrolled out above it.
fn text(parser: &mut vt100::Parser) -> String {
    let mut rows = Vec::new();
    let screen = parser.screen_mut();
    let (_, columns) = screen.size();
    let above = screen.scrollback_len();
    for offset in (1..=above).rev() {
        screen.set_scrollback(offset);
        rows.extend(screen.rows(0, columns.get()).next());
    }
    screen.set_scrollback(0);
    rows.extend(screen.rows(0, columns.get()));
    let lines: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    lines.join("\n").trim_end().to_owned()
}

impl Terminal {
    /// Text on the screen now, with the text that was scrolled out.
    pub fn screen(&self) -> String {
        text(&mut self.screen.lock().unwrap())
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&mut self, what: &str, shows: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if shows(&screen) {
                return screen;
            }
            let ended = self.child.try_wait().unwrap();
            if ended.is_some() || start.elapsed() > MAX_DURATION {
                // What was written last may not be on the screen yet.
                thread::sleep(Duration::from_millis(200));
                let screen = self.screen();
                if shows(&screen) {
                    return screen;
                }
                let _ = self.child.kill();
                panic!("{what} was not shown; ended: {ended:?}; screen:\n{screen}");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types on its keyboard.
    pub fn press(&mut self, keys: &[u8]) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys).unwrap();
        writer.flush().unwrap();
    }

    /// Makes it wider or narrower.
    pub fn resize(&mut self, columns: u16) {
        let mut screen = self.screen.lock().unwrap();
        let rows = NonZeroU16::new(ROWS).unwrap();
        screen
            .screen_mut()
            .set_size(rows, NonZeroU16::new(columns).unwrap());
        self.master.as_ref().unwrap().resize(size(columns)).unwrap();
    }

    /// Number of the process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Closes the terminal window while the program runs.
    pub fn close(&mut self) {
        self.writer = None;
        self.master = None;
    }

    /// Waits for the end of the program.
    pub fn finish(mut self) -> Ended {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > MAX_DURATION => {
                    let _ = self.child.kill();
                    panic!("it does not end; screen:\n{}", self.screen());
                }
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        if let Some(emulator) = self.emulator.take() {
            emulator.join().unwrap();
        }
        let screen = self.screen();
        let bytes = std::mem::take(&mut *self.bytes.lock().unwrap());
        Ended {
            status,
            screen,
            bytes,
        }
    }
}
