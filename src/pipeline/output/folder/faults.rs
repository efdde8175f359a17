//! What stands in the way of a path.

use std::io;

/// A fault of something that is no file.
pub(super) fn not_a_file(path: &str) -> io::Error {
    let text = format!("{path} is not a regular file and was left alone");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// A fault with the folder that it is about.
pub(super) fn at(path: &str, fault: io::Error) -> io::Error {
    match fault.get_ref() {
        // It names its folder already.
        Some(_) => fault,
        None => io::Error::new(fault.kind(), format!("folder {path}: {fault}")),
    }
}

/// An error for something that is no folder.
pub(super) fn in_the_way(name: &str, is_link: bool) -> io::Error {
    let what = match is_link {
        true => "a link, and links in the output folder are not followed",
        false => "not a folder",
    };
    io::Error::new(io::ErrorKind::NotADirectory, format!("{name} is {what}"))
}
