//! Faults of mapped memory. When a page of a mapped file cannot be had (the disk fails, or the file was
//! cut), the system sends the signal SIGBUS, which ends a program that does not expect it. Here it is
//! expected: zeros take the place of the missing pages, and the mapping remembers where they begin, so
//! that whoever read from it throws away what came of it.
//!
//! The signal is handled where it arises, by code that takes no lock and no memory. Mappings that are
//! watched stand in a list that only grows: its nodes are used again, never freed. A fault anywhere else
//! goes to the handler that was there before.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A mapping that is watched, as long as this lives.
#[derive(Debug)]
pub(super) struct Watch(&'static Node);

/// What the handler knows of a mapping.
#[derive(Debug)]
struct Node {
    next: Option<&'static Node>,
    /// Odd while the other fields are being changed.
    version: AtomicUsize,
    /// Address of the first byte, and of the byte behind the last; equal when nothing is watched.
    start: AtomicUsize,
    end: AtomicUsize,
    /// The first byte that could not be read, counted from `start`.
    fault: AtomicUsize,
}

/// No fault.
const NONE: usize = usize::MAX;

/// The newest node.
static HEAD: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

/// Nodes that watch nothing.
static FREE: Mutex<Vec<&'static Node>> = Mutex::new(Vec::new());

/// What was done with the signal before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Size of a page, set before the handler is.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

impl Watch {
    /// Watches the mapping of `length` bytes at `start`, which must be unmapped after this is dropped.
    ///
    /// # Errors
    /// The signal cannot be handled.
    pub(super) fn new(start: usize, length: usize) -> io::Result<Self> {
        install()?;
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let node = free.pop().unwrap_or_else(|| {
            // Nobody else adds a node while the lock is held.
            let head = HEAD.load(Ordering::SeqCst);
            // SAFETY: the pointer is null or one that was leaked below.
            #[expect(unsafe_code, reason = "the safety comment above")]
            let next = unsafe { head.as_ref() };
            let node = Box::leak(Box::new(Node {
                next,
                version: AtomicUsize::new(0),
                start: AtomicUsize::new(0),
                end: AtomicUsize::new(0),
                fault: AtomicUsize::new(NONE),
            }));
            HEAD.store(ptr::from_mut(node), Ordering::SeqCst);
            node
        });
        drop(free);
        node.set(start, start.saturating_add(length));
        Ok(Self(node))
    }

    /// The first byte of the mapping that could not be read, when there was one.
    pub(super) fn fault(&self) -> Option<usize> {
        Some(self.0.fault.load(Ordering::SeqCst)).filter(|place| *place != NONE)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.set(0, 0);
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(self.0);
    }
}

impl Node {
    /// Only the owner of a node calls this.
    fn set(&self, start: usize, end: usize) {
        self.version.fetch_add(1, Ordering::SeqCst);
        self.start.store(start, Ordering::SeqCst);
        self.end.store(end, Ordering::SeqCst);
        self.fault.store(NONE, Ordering::SeqCst);
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    /// Bounds of the mapping if `address` lies in it. A node that changes meanwhile is not the one that
    /// the faulting thread reads from: that one keeps its place for as long as bytes are borrowed.
    fn holds(&self, address: usize) -> Option<(usize, usize)> {
        let version = self.version.load(Ordering::SeqCst);
        let start = self.start.load(Ordering::SeqCst);
        let end = self.end.load(Ordering::SeqCst);
        let same = version.is_multiple_of(2) && version == self.version.load(Ordering::SeqCst);
        (same && start <= address && address < end).then_some((start, end))
    }
}

/// Handles the signal from now on.
fn install() -> io::Result<()> {
    static DONE: OnceLock<Result<(), i32>> = OnceLock::new();
    let done = DONE.get_or_init(|| {
        // SAFETY: the call takes a number and gives one.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        if let Some(page) = usize::try_from(page)
            .ok()
            .filter(|size| size.is_power_of_two())
        {
            PAGE.store(page, Ordering::SeqCst);
        }
        let last = || io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let mut before = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: no new action is given, and the old one is written to memory of its type.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let asked = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), before.as_mut_ptr()) };
        if asked != 0 {
            return Err(last());
        }
        // SAFETY: the call above succeeded and has filled it in.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let before = unsafe { before.assume_init() };
        BEFORE.get_or_init(|| before);
        // SAFETY: all of its fields are integers or bits, for which zero is a value.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handle as extern "C" fn(_, _, _) as usize;
        // On the stack that the standard library sets up for signals, where there is one.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the mask is one of the action; the handler has the signature that SA_SIGINFO asks for,
        // stays for as long as the program, and does nothing that may not be done in a handler: it reads
        // atomics, calls mmap, which is a plain system call, and keeps errno.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let set = unsafe {
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut())
        };
        match set {
            0 => Ok(()),
            _ => Err(last()),
        }
    });
    done.map_err(io::Error::from_raw_os_error)
}

/// Handles SIGBUS.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system hands a handler with SA_SIGINFO a valid siginfo_t; for SIGBUS the address is
    // set, and means nothing only when another process sent the signal, which has a code of 0 or less.
    #[expect(unsafe_code, reason = "the safety comment above")]
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    if code <= 0 || !mend(address) {
        pass_on(signal, info, context, code);
    }
}

/// Puts zeros in place of what cannot be read from `address` on, to the end of its mapping. False when no
/// watched mapping has this address.
fn mend(address: usize) -> bool {
    // SAFETY: the pointer is null or one that was leaked, and so are those behind it.
    #[expect(unsafe_code, reason = "the safety comment above")]
    let mut next = unsafe { HEAD.load(Ordering::SeqCst).as_ref() };
    while let Some(node) = next {
        next = node.next;
        let Some((start, end)) = node.holds(address) else {
            continue;
        };
        let mask = PAGE.load(Ordering::SeqCst) - 1;
        let first = address & !mask;
        let Some(behind) = end.checked_add(mask).map(|end| end & !mask) else {
            return false;
        };
        // SAFETY: the pages from `first` to `behind` belong to one mapping that this program made and has
        // not unmapped: a thread is reading from it at this moment, by a borrow that keeps it. They are
        // pages of a file for reading only, and stay readable; only their bytes change, as they do when
        // the file changes. The mapping is unmapped as a whole later, with what lies there then.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let mended = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::with_exposed_provenance_mut(first),
                behind - first,
                rustix::mm::ProtFlags::READ,
                rustix::mm::MapFlags::PRIVATE | rustix::mm::MapFlags::FIXED,
            )
        };
        if mended.is_ok() {
            node.fault
                .fetch_min(first.max(start) - start, Ordering::SeqCst);
        }
        return mended.is_ok();
    }
    false
}

/// Does what would have been done without this handler.
fn pass_on(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
    code: libc::c_int,
) {
    let before = BEFORE.get();
    let handler = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
    if matches!(handler, libc::SIG_DFL | libc::SIG_IGN) {
        // SAFETY: the default action is set for a signal that has one; the access that faulted is tried
        // again and ends the program then. What another process sent is sent again, for the same end.
        #[expect(unsafe_code, reason = "the safety comment above")]
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            if code <= 0 {
                libc::raise(signal);
            }
        }
        return;
    }
    let takes_info = before.is_some_and(|before| before.sa_flags & libc::SA_SIGINFO != 0);
    // SAFETY: neither of the two values that are no functions was set, so it is the address of a handler,
    // of the signature that its flags tell; it gets what this one got.
    #[expect(unsafe_code, reason = "the safety comment above")]
    unsafe {
        if takes_info {
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                std::mem::transmute(handler);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(libc::c_int) = std::mem::transmute(handler);
            handler(signal);
        }
    }
}
