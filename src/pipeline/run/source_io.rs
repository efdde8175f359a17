//! Differences between files and disc images when their bytes are read.

use crate::pipeline::plan::planned::PlannedFile;
use relicast_codec::FormatError;
use relicast_convert::{self as convert, Converter, Dependency, OpenContext, SharedWork};
use relicast_formats::depth::Depth;
use relicast_limits as limits;
use relicast_source::bytes::FileBytes;
use relicast_source::location::Location;

/// BLAKE3 of a source; for a disc image or cabinet, of all its files. `None` if one of them cannot be read.
pub(in crate::pipeline) fn digest(location: &Location, bytes: &FileBytes) -> Option<String> {
    match location {
        Location::Disc(disc) => disc.blake3(),
        Location::Container(container, _) => container.blake3(),
        Location::ContainerPart(container, number, _) => {
            container.volumes.get(*number)?.blake3().map(str::to_owned)
        }
        Location::Member(container, number) => {
            let known = container.member_blake3(*number);
            known.or_else(|| Some(bytes.blake3().ok()?.to_hex().to_string()))
        }
        _ => Some(bytes.blake3().ok()?.to_hex().to_string()),
    }
}

/// Opens a source, whose BLAKE3 is `digest`, for conversion within its memory budget.
///
/// # Errors
/// It is too damaged to list its items, or exceeds a limit.
pub(in crate::pipeline) fn open<'a>(
    file: &'a PlannedFile,
    bytes: &'a FileBytes,
    digest: &str,
    dependencies: &[Dependency<'a>],
    shared: &SharedWork,
) -> Result<Box<dyn Converter + 'a>, FormatError> {
    let open = || match &file.source.location {
        Location::Disc(disc) => convert::open_disc_among(disc, dependencies),
        Location::Container(container, _) => convert::open_container(container),
        _ => convert::open(OpenContext {
            kind: file.kind,
            name: file.source.name(),
            path: &file.source.path,
            bytes: if convert::is_only_copied(file.kind) {
                &[]
            } else {
                bytes
            },
            size: bytes.size(),
            dependencies,
            digest: (!digest.is_empty()).then_some(digest),
            shared: Some(shared),
            depth: Depth::Whole,
        }),
    };
    limits::with_permits(open).unwrap_or_else(|exceeded| Err(exceeded.into()))
}
