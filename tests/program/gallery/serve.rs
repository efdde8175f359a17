//! The server, over plain connections: answers, refusals, and slow clients, which never make others wait.

use relicast_testing::test;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use relicast::gallery::serve::{Options, Server};
use serde_json::Value;

use crate::gallery::SAMPLES;

/// A server of the samples for all tests.
static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| start(Duration::from_secs(30)));

fn start(patience: Duration) -> SocketAddr {
    let options = Options {
        patience,
        ..Options::default()
    };
    let server = Server::bind(&SAMPLES.out(), &options).unwrap();
    let address = server.address();
    thread::spawn(move || server.run());
    address
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// Sends bytes and reads the answer to its end; no answer is status 0.
fn send(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    stream.write_all(request).unwrap();
    let mut bytes = Vec::new();
    // A connection that is cut has no answer.
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else {
        return Answer {
            status: 0,
            head: String::new(),
            body: bytes,
        };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer {
        status,
        head,
        body: bytes[end + 4..].to_vec(),
    }
}

/// Asks for a path with more headers.
fn ask(method: &str, path: &str, headers: &str) -> Answer {
    let address = *SERVER;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n"
    );
    send(address, request.as_bytes())
}

fn get(path: &str) -> Answer {
    ask("GET", path, "")
}

const PICTURE: &str = "textures/eq/dell/grass.png";

#[test]
fn page_catalog_and_outputs_are_there() {
    let page = get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let index: Value = serde_json::from_slice(&get("/data/index.json").body).unwrap();
    assert_eq!(
        (&index["base"], &index["served"]),
        (&"out/".into(), &true.into())
    );
    assert_eq!(get("/data/list/0.json").status, 200);
    assert_eq!(get("/data/detail/0.json").status, 200);
    let report: Value = serde_json::from_slice(&get("/data/report.json").body).unwrap();
    assert!(
        report["totals"]["seconds"].is_number(),
        "the person here may know"
    );
    let picture = get(&format!("/out/{PICTURE}"));
    assert_eq!(picture.header("content-type"), Some("image/png"));
    assert_eq!(picture.body, fs::read(SAMPLES.out().join(PICTURE)).unwrap());
    for path in [
        "/data/list/00.json",
        "/data/list/99.json",
        "/data/list/-1.json",
        "/data/",
        "/nothing",
        "/out/",
        "/out/x.png",
        "/index.htm",
    ] {
        let status = get(path).status;
        assert!(matches!(status, 400 | 404), "{path}: {status}");
    }
}

#[test]
fn answers_carry_their_guards() {
    for path in [
        "/",
        "/data/index.json",
        "/out/textures/eq/dell/grass.png",
        "/nothing",
        "/out/%00",
    ] {
        let answer = get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe-eval"),
            "{path}"
        );
        assert!(!policy.contains("script-src 'unsafe-inline'"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin")
        );
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let output = get("/out/textures/eq/dell/grass.png");
    assert!(
        output
            .header("content-security-policy")
            .unwrap()
            .starts_with("sandbox")
    );
}

#[test]
fn only_reading_is_answered() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let answer = ask(method, "/", "");
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    }
    let head = ask("HEAD", &format!("/out/{PICTURE}"), "");
    let length = fs::metadata(SAMPLES.out().join(PICTURE)).unwrap().len();
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-length"), Some(&*length.to_string()));
    assert!(head.body.is_empty());
    assert_eq!(
        fs::read_dir(SAMPLES.out())
            .unwrap()
            .filter(|entry| { entry.as_ref().unwrap().file_name() == "gallery" })
            .count(),
        0,
        "nothing was written"
    );
}

#[test]
fn other_names_are_not_answered() {
    let address = *SERVER;
    let port = address.port();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        &format!("127.0.0.1.evil.example:{port}"),
        "",
    ] {
        let answer = send(
            address,
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        assert_eq!(answer.status, 421, "{host}");
    }
    let none = send(address, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(matches!(none.status, 400 | 421));
    let two = format!(
        "GET / HTTP/1.1\r\nHost: {address}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    );
    assert!(matches!(send(address, two.as_bytes()).status, 400 | 421));
    let absolute = format!(
        "GET http://evil.example/ HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(send(address, absolute.as_bytes()).status, 421);
    let local = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(send(address, local.as_bytes()).status, 200);
}

#[test]
fn no_path_leads_out() {
    fs::write(SAMPLES.place("secret.txt"), "secret").unwrap();
    for path in [
        "/../secret.txt",
        "/out/../../secret.txt",
        "/out/%2e%2e/%2e%2e/secret.txt",
        "/out/..%2f..%2fsecret.txt",
        "/out/..%5c..%5csecret.txt",
        "/out/..\\..\\secret.txt",
        "/out/%252e%252e/secret.txt",
        "/out//etc/passwd",
        "/out/%2fetc%2fpasswd",
        "/out/textures%00/../../secret.txt",
        "/out/./../secret.txt",
        "/out/.%2e/secret.txt",
        "/out/%c0%ae%c0%ae/secret.txt",
        "/out/textures/../../secret.txt",
        "//etc/passwd",
        "/out/c:/windows/win.ini",
        "/out/manifest.json",
        "/out/report.json",
        "/out/.relicast/x",
    ] {
        let answer = get(path);
        assert!(
            matches!(answer.status, 400 | 404),
            "{path}: {}",
            answer.status
        );
        assert!(
            !String::from_utf8_lossy(&answer.body).contains("secret"),
            "{path}"
        );
    }
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_outputs_are_not_followed() {
    fs::write(SAMPLES.place("secret.txt"), "secret").unwrap();
    let folder = SAMPLES.out().join("links");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(SAMPLES.place("secret.txt"), folder.join("file.txt")).unwrap();
    std::os::unix::fs::symlink(SAMPLES.place("in"), folder.join("folder")).unwrap();
    let answers =
        ["/out/links/file.txt", "/out/links/folder/eq/README.TXT"].map(|path| get(path).status);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(answers, [404, 404]);
}

/// A file and its folder become links to places outside and back, as fast as the system can, during requests:
/// files outside are never served.
#[test]
#[cfg(unix)]
fn links_that_appear_while_a_file_is_looked_for_are_not_followed() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    let outside = SAMPLES.place("raced");
    let folder = SAMPLES.out().join("race");
    let _ = fs::remove_dir_all(&outside);
    let _ = fs::remove_dir_all(&folder);
    for (place, text) in [(&outside, "secret"), (&folder.join("inner"), "public")] {
        fs::create_dir_all(place).unwrap();
        fs::write(place.join("file.txt"), text).unwrap();
        fs::write(place.join("own.txt"), text).unwrap();
    }
    symlink(&outside, folder.join("link")).unwrap();
    let ended = AtomicBool::new(false);
    let (mut public, mut refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let inner = folder.join("inner");
            while !ended.load(Ordering::Relaxed) {
                // The folder.
                fs::rename(&inner, folder.join("kept")).unwrap();
                fs::rename(folder.join("link"), &inner).unwrap();
                thread::yield_now();
                fs::rename(&inner, folder.join("link")).unwrap();
                fs::rename(folder.join("kept"), &inner).unwrap();
                // The file.
                let (file, other) = (inner.join("file.txt"), inner.join("other.txt"));
                symlink(outside.join("file.txt"), &other).unwrap();
                fs::rename(&other, &file).unwrap();
                thread::yield_now();
                fs::write(&other, "public").unwrap();
                fs::rename(&other, &file).unwrap();
            }
        });
        let limit = Instant::now() + Duration::from_secs(4);
        let mut leaked = None;
        while leaked.is_none() && Instant::now() < limit {
            for path in ["/out/race/inner/file.txt", "/out/race/inner/own.txt"] {
                let answer = get(path);
                match (answer.status, &*answer.body) {
                    (200, b"public") => public += 1,
                    (404, _) => refused += 1,
                    (status, body) => {
                        leaked = Some(format!(
                            "{path}: {status} {}",
                            String::from_utf8_lossy(body)
                        ));
                    }
                }
            }
        }
        ended.store(true, Ordering::Relaxed);
        assert_eq!(leaked, None);
    });
    fs::remove_dir_all(&folder).unwrap();
    fs::remove_dir_all(&outside).unwrap();
    assert!(
        public > 0 && refused > 0,
        "{public} given, {refused} refused: no race"
    );
}

#[test]
fn parts_of_files() {
    let whole = fs::read(SAMPLES.out().join(PICTURE)).unwrap();
    let length = whole.len();
    let part = |range: &str| {
        ask(
            "GET",
            &format!("/out/{PICTURE}"),
            &format!("Range: {range}\r\n"),
        )
    };
    let first = part("bytes=0-9");
    assert_eq!((first.status, &*first.body), (206, &whole[..10]));
    assert_eq!(
        first.header("content-range"),
        Some(&*format!("bytes 0-9/{length}"))
    );
    let last = part("bytes=-5");
    assert_eq!((last.status, &*last.body), (206, &whole[length - 5..]));
    let huge = part("bytes=7-99999999999999999999999999999999");
    assert_eq!((huge.status, &*huge.body), (206, &whole[7..]));
    for range in ["bytes=99999999-", "bytes=18446744073709551615-", "bytes=-0"] {
        let answer = part(range);
        assert_eq!(answer.status, 416, "{range}");
        assert_eq!(
            answer.header("content-range"),
            Some(&*format!("bytes */{length}"))
        );
    }
    let many = format!("bytes={}", vec!["0-"; 5000].join(","));
    for range in ["bytes=0-1,4-5", "bytes=5-1", "bytes=x", "items=0-1", &many] {
        let answer = part(range);
        assert_eq!((answer.status, &answer.body), (200, &whole), "{range:.40}");
    }
    // A part of another state is no part.
    let other = ask(
        "GET",
        &format!("/out/{PICTURE}"),
        "Range: bytes=0-1\r\nIf-Range: \"other\"\r\n",
    );
    assert_eq!(other.status, 200);
    let tag = first.header("etag").unwrap();
    let same = ask(
        "GET",
        &format!("/out/{PICTURE}"),
        &format!("Range: bytes=0-1\r\nIf-Range: {tag}\r\n"),
    );
    assert_eq!(same.status, 206);
    let known = ask(
        "GET",
        &format!("/out/{PICTURE}"),
        &format!("If-None-Match: {tag}\r\n"),
    );
    assert_eq!((known.status, known.body.len()), (304, 0));
}

#[test]
fn texts_are_packed_for_those_who_can_unpack_them() {
    let path = "/out/models/mw/zbd/mechlib/wanderer.gltf";
    let plain = get(path);
    let packed = ask("GET", path, "Accept-Encoding: br, gzip\r\n");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.len() < plain.body.len() / 2);
    let mut unpacked = Vec::new();
    GzDecoder::new(&*packed.body)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.body);
    assert_eq!(
        ask("GET", path, "Accept-Encoding: gzip;q=0\r\n").header("content-encoding"),
        None
    );
    assert_eq!(
        ask(
            "GET",
            &format!("/out/{PICTURE}"),
            "Accept-Encoding: gzip\r\n"
        )
        .header("content-encoding"),
        None
    );
    let index = ask("GET", "/data/index.json", "Accept-Encoding: gzip\r\n");
    assert_eq!(index.header("content-encoding"), Some("gzip"));
    let part = ask("GET", path, "Accept-Encoding: gzip\r\nRange: bytes=0-3\r\n");
    assert_eq!(
        (part.header("content-encoding"), &*part.body),
        (None, &plain.body[..4])
    );
}

#[test]
fn two_hundred_at_once_are_all_answered() {
    let whole = fs::read(SAMPLES.out().join(PICTURE)).unwrap();
    let index = get("/data/index.json").body;
    thread::scope(|scope| {
        let asking: Vec<_> = (0..200)
            .map(|number| {
                scope.spawn(move || match number % 2 {
                    0 => get(&format!("/out/{PICTURE}")),
                    _ => get("/data/index.json"),
                })
            })
            .collect();
        for (number, asked) in asking.into_iter().enumerate() {
            let answer = asked.join().unwrap();
            assert_eq!(answer.status, 200);
            assert!(answer.body == if number % 2 == 0 { &*whole } else { &*index });
        }
    });
}

#[test]
fn slow_ones_keep_no_one_waiting() {
    let address = *SERVER;
    // Heads that never end, and answers that nobody takes.
    let slow: Vec<TcpStream> = (0..150)
        .map(|number| {
            let mut stream = TcpStream::connect(address).unwrap();
            let request = format!("GET /data/detail/0.json HTTP/1.1\r\nHost: {address}\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            if number % 2 == 0 {
                stream.write_all(b"\r\n").unwrap();
            }
            stream
        })
        .collect();
    let start = Instant::now();
    assert_eq!(get("/data/index.json").status, 200);
    assert!(
        start.elapsed() < Duration::from_secs(8),
        "{:?}",
        start.elapsed()
    );
    drop(slow);
}

#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let mut stream = TcpStream::connect(*SERVER).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(40)))
        .unwrap();
    let start = Instant::now();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "it is held for ever"
    );
    assert!(!bytes.starts_with(b"HTTP/1.1 200"));
}

#[test]
fn an_answer_that_no_client_takes_ends_the_connection() {
    let large = SAMPLES.out().join("large.bin");
    fs::write(&large, vec![7; 64 << 20]).unwrap();
    let address = start(Duration::from_secs(1));
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET /out/large.bin HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    thread::sleep(Duration::from_secs(4));
    let mut taken = 0;
    let mut buffer = vec![0; 1 << 20];
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        taken += length;
    }
    fs::remove_file(&large).unwrap();
    assert!(
        taken < 60 << 20,
        "all {taken} bytes came after the time was over"
    );
}

#[test]
fn what_is_no_request_is_survived() {
    let address = *SERVER;
    let long = [
        b"GET /".as_slice(),
        &vec![b'a'; 100_000],
        b" HTTP/1.1\r\n\r\n",
    ]
    .concat();
    let many = format!(
        "GET / HTTP/1.1\r\nHost: {address}\r\n{}\r\n",
        "X: y\r\n".repeat(5000)
    );
    for request in [
        b"\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET\r\n\r\n",
        &long,
        many.as_bytes(),
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        assert!(!bytes.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(get("/").status, 200);
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let options = Options {
        port: SERVER.port(),
        ..Options::default()
    };
    let fault = Server::bind(&SAMPLES.out(), &options).unwrap_err();
    assert!(fault.to_string().contains("cannot listen"));
}
