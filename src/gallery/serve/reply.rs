//! Responses: status, headers, and gzip if the client accepts it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::task::spawn_blocking;

use super::body::Payload;
use super::range::{Wanted, wanted};
use super::request;
use super::site::{Found, Site, is_compressible};

/// Content policy for pages of the gallery: their own files, and generated content.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                      media-src 'self' blob: data:; connect-src 'self' blob: data:; font-src 'self'; \
                      worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Content policy for files of a game that are opened directly.
const OUTPUT_POLICY: &str =
    "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/// Minimum bytes to compress.
const SMALLEST_PACKED: u64 = 512;

/// Maximum bytes to compress in memory; larger files are sent uncompressed.
const MAX_PACKED_BYTES: u64 = 64 << 20;

/// Answers a request.
pub(super) async fn answer(site: &Arc<Site>, request: Request<Incoming>) -> Response<Payload> {
    let (head, _) = request.into_parts();
    let mut response = match check(site, &head) {
        Err(status) => plain(status),
        Ok(path) => {
            let site = Arc::clone(site);
            let headers = head.headers;
            // Files are read and compressed on separate threads.
            let found = spawn_blocking(move || respond(&site, &path, &headers)).await;
            match found {
                Ok(Ok(response)) => response,
                Ok(Err(fault)) if fault.kind() == io::ErrorKind::NotFound => {
                    plain(StatusCode::NOT_FOUND)
                }
                _ => plain(StatusCode::INTERNAL_SERVER_ERROR),
            }
        }
    };
    if head.method == Method::HEAD {
        let length = response.headers().get(header::CONTENT_LENGTH).cloned();
        *response.body_mut() = Payload::empty();
        if let Some(length) = length {
            response
                .headers_mut()
                .insert(header::CONTENT_LENGTH, length);
        }
    }
    guard(response.headers_mut());
    response
}

/// Requested path, or the status of an error.
fn check(site: &Site, head: &hyper::http::request::Parts) -> Result<String, StatusCode> {
    let mut hosts = head.headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let authority = head
        .uri
        .authority()
        .map(hyper::http::uri::Authority::as_str);
    let is_meant = |host: &str| site.hosts().is_meant(host);
    if !host.is_some_and(is_meant) || hosts.next().is_some() || !authority.is_none_or(is_meant) {
        return Err(StatusCode::MISDIRECTED_REQUEST);
    }
    if head.method != Method::GET && head.method != Method::HEAD {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    request::path(head.uri.path()).ok_or(StatusCode::BAD_REQUEST)
}

/// Short text response.
fn plain(status: StatusCode) -> Response<Payload> {
    let reason = status.canonical_reason().unwrap_or("no answer");
    let text = format!("{} {reason}\n", status.as_u16());
    let mut response = Response::new(Payload::new(text.clone()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    headers.insert(header::CONTENT_LENGTH, text.len().into());
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}

/// Adds headers common to all responses.
fn guard(headers: &mut HeaderMap) {
    let policy = HeaderValue::from_static(POLICY);
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(policy);
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(
        "cross-origin-opener-policy",
        HeaderValue::from_static("same-origin"),
    );
    // Cached responses are revalidated, which costs a few bytes if nothing has changed.
    let cache = HeaderValue::from_static("no-cache");
    headers.entry(header::CACHE_CONTROL).or_insert(cache);
}

/// Returns whether the client accepts gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::trim);
        let is_refused = weight.is_some_and(|weight| weight.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Response for a valid path.
fn respond(site: &Site, path: &str, headers: &HeaderMap) -> io::Result<Response<Payload>> {
    match site.find(path) {
        None => Err(io::ErrorKind::NotFound.into()),
        Some(Found::Own { bytes, media }) => own(site, path, &bytes, media, headers),
        Some(Found::Output { file, media }) => output(path, file, media, headers),
    }
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let mut tags = known.into_iter().flat_map(|tags| tags.split(','));
    tags.any(|known| known.trim().trim_start_matches("W/") == tag || known.trim() == "*")
}

fn begin(media: &'static str, tag: &str) -> Response<Payload> {
    let mut response = Response::new(Payload::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Response with bytes of the program.
fn own(
    site: &Site,
    path: &str,
    bytes: &Arc<[u8]>,
    media: &'static str,
    headers: &HeaderMap,
) -> io::Result<Response<Payload>> {
    let hash = blake3::hash(bytes).to_hex();
    let is_packed = takes_gzip(headers)
        && is_compressible(media, path)
        && bytes.len() as u64 >= SMALLEST_PACKED;
    let tag = match is_packed {
        true => format!("\"{hash}-gzip\""),
        false => format!("\"{hash}\""),
    };
    let mut response = begin(media, &tag);
    if is_known(headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    let bytes = match is_packed {
        true => {
            let packed = site.cached(&format!("{path}.gz"), || gzip(bytes).ok());
            packed.ok_or(io::ErrorKind::Other)?
        }
        false => Arc::clone(bytes),
    };
    if is_packed {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, bytes.len().into());
    *response.body_mut() = Payload::new(Bytes::from_owner(bytes));
    Ok(response)
}

/// Response with a file of a game.
fn output(
    path: &str,
    mut file: File,
    media: &'static str,
    headers: &HeaderMap,
) -> io::Result<Response<Payload>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let length = metadata.len();
    let age = metadata
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let range = headers
        .get(header::RANGE)
        .and_then(|value| value.to_str().ok());
    let is_packed = range.is_none()
        && takes_gzip(headers)
        && is_compressible(media, path)
        && (SMALLEST_PACKED..=MAX_PACKED_BYTES).contains(&length);
    let kind = if is_packed { "-gzip" } else { "" };
    let tag = format!("\"{length:x}-{:x}{kind}\"", age.as_nanos());
    let mut response = begin(media, &tag);
    let policy = HeaderValue::from_static(OUTPUT_POLICY);
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
        .headers_mut()
        .insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if is_known(headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    if is_packed {
        let mut bytes = Vec::new();
        file.take(MAX_PACKED_BYTES).read_to_end(&mut bytes)?;
        let packed = gzip(&bytes)?;
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, packed.len().into());
        *response.body_mut() = Payload::new(packed);
        return Ok(response);
    }
    // A part of another version of the file would not fit.
    let condition = headers
        .get(header::IF_RANGE)
        .and_then(|value| value.to_str().ok());
    let range = range.filter(|_| condition.is_none_or(|condition| condition == tag));
    let part = note_range(&mut response, range, length);
    file.seek(SeekFrom::Start(part.start))?;
    let length = part.end.saturating_sub(part.start);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length.into());
    *response.body_mut() = Payload::file(file, length);
    Ok(response)
}

/// Adds the status and range of a file of `length` bytes to its response; returns the bytes to send.
fn note_range(response: &mut Response<Payload>, range: Option<&str>, length: u64) -> Range<u64> {
    match range.map_or(Wanted::All, |range| wanted(range, length)) {
        Wanted::All => 0..length,
        Wanted::Part(part) => {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let last = part.end.saturating_sub(1);
            let shown = format!("bytes {}-{last}/{length}", part.start);
            insert(response, header::CONTENT_RANGE, &shown);
            part
        }
        Wanted::Nothing => {
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            let shown = format!("bytes */{length}");
            insert(response, header::CONTENT_RANGE, &shown);
            0..0
        }
    }
}

fn insert(response: &mut Response<Payload>, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_when_it_is_not_refused() {
        let takes = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(
                header::ACCEPT_ENCODING,
                HeaderValue::from_str(value).unwrap(),
            );
            takes_gzip(&headers)
        };
        assert!(takes("gzip, deflate, br") && takes("br;q=1, GZIP;q=0.5"));
        assert!(!takes("gzip;q=0") && !takes("identity") && !takes("gzip; q=0.000"));
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
