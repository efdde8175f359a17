//! How memory comes from the system and goes back: in small pages, as soon as the process has more than it
//! may keep, and not before.
//!
//! Memory that is given back is taken again a moment later, page by page, and all threads wait while their
//! tables of pages change; memory that is kept counts beside what the next piece of work takes. So what the
//! process has is looked at whenever a thread has taken a few more megabytes, and only what is beyond
//! a bound is given back. Systems that do not tell what the process has, all but Linux, are left as they are.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{freed, look};
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{give_back_with, use_small_pages};
#[cfg(target_os = "linux")]
pub(super) use linux::{freed, look};
#[cfg(target_os = "linux")]
pub use linux::{give_back_with, use_small_pages};

/// Bytes up to which the process keeps what is free.
#[cfg(any(target_os = "linux", test))]
const KEPT: usize = 184 << 20;

/// Bytes that the process may grow by, beyond what it needs, before the next attempt to give some back.
#[cfg(any(target_os = "linux", test))]
const SLACK: usize = 8 << 20;

/// What a process may have before free memory is given back, when what it has in use is `needed`.
#[cfg(any(target_os = "linux", test))]
fn ceiling(needed: usize) -> usize {
    needed.saturating_add(SLACK).max(KEPT)
}

/// The range of a line of `/proc/self/maps`, if it has that address and no file (`proc_pid_maps(5)`).
#[cfg(any(target_os = "linux", test))]
fn mapping(line: &str, address: usize) -> Option<std::ops::Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    let range = number(start)?..number(end)?;
    let inode = fields.nth(3)?;
    (inode == "0" && range.contains(&address)).then_some(range)
}

/// The second number of a line of `/proc/self/statm`, which is pages in memory (`proc_pid_statm(5)`).
#[cfg(any(target_os = "linux", test))]
fn pages(line: &[u8]) -> Option<usize> {
    let field = line.split(|byte| *byte == b' ').nth(1)?;
    str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_has_room_above_it() {
        assert_eq!(ceiling(0), KEPT);
        assert_eq!(ceiling(KEPT - SLACK), KEPT);
        assert_eq!(ceiling(KEPT), KEPT + SLACK);
        assert_eq!(ceiling(usize::MAX), usize::MAX);
    }

    #[test]
    fn the_second_number_is_pages_in_memory() {
        assert_eq!(pages(b"4521 1203 880 51 0 402 0\n"), Some(1203));
        assert_eq!(pages(b"4521"), None);
        assert_eq!(pages(b"4521 many 880"), None);
    }

    #[test]
    fn the_mapping_around_an_address_is_found_if_it_has_no_file() {
        let heap = "246a4000000-246e4000000 rw-p 00000000 00:00 0 ";
        assert_eq!(
            mapping(heap, 0x246_a400_0010),
            Some(0x246_a400_0000..0x246_e400_0000)
        );
        assert_eq!(mapping(heap, 0x246_e400_0000), None);
        let file = "246a4000000-246e4000000 rw-p 00000000 fe:00 326279 a file";
        assert_eq!(mapping(file, 0x246_a400_0010), None);
        assert_eq!(mapping("", 0), None);
    }
}
