//! Errors about objects at the path of an output.

use std::io;

/// Error for an object that is not a regular file.
pub(super) fn not_a_file(path: &str) -> io::Error {
    let text = format!("{path} is not a regular file and was not changed");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// Error with the path of its folder.
pub(super) fn at(path: &str, fault: io::Error) -> io::Error {
    match fault.get_ref() {
        // The error already names its folder.
        Some(_) => fault,
        None => io::Error::new(fault.kind(), format!("folder {path}: {fault}")),
    }
}

/// Error for an object that is not a folder.
pub(super) fn in_the_way(name: &str, is_link: bool) -> io::Error {
    let what = match is_link {
        true => "a link, and links in the output folder are not followed",
        false => "not a folder",
    };
    io::Error::new(io::ErrorKind::NotADirectory, format!("{name} is {what}"))
}
