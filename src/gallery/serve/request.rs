//! Validation of requests: host name and path.

use std::net::{IpAddr, SocketAddr};

use relicast_emit::gltf::decode_uri;

/// Host names that the server accepts.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    address: SocketAddr,
    names: Vec<String>,
}

impl Hosts {
    /// Host names of a server at `address` with these additional names.
    pub fn new(address: SocketAddr, names: &[String]) -> Self {
        Self {
            address,
            names: names.iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    /// Returns whether a host is this server: an address, `localhost`, or one of its names. Any other name may
    /// belong to a foreign web page that resolves to this address.
    pub fn is_meant(&self, host: &str) -> bool {
        let (name, port) = split(host);
        let is_port = match port {
            Some(port) => port.parse() == Ok(self.address.port()),
            None => self.address.port() == 80,
        };
        let name = name.to_lowercase();
        let is_address = match name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>()
        {
            Ok(ip) if self.address.ip().is_loopback() => ip.is_loopback(),
            Ok(_) => true,
            Err(_) => false,
        };
        is_port && (is_address || name == "localhost" || self.names.contains(&name))
    }
}

/// Name and port of a host.
fn split(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Decoded path without the leading slash; `None` if no file can have it.
pub(super) fn path(encoded: &str) -> Option<String> {
    let path = decode_uri(encoded.strip_prefix('/')?)?;
    let is_plain =
        |part: &str| !matches!(part, "" | "." | "..") && !part.chars().any(char::is_control);
    let is_path = path.is_empty() || path.split('/').all(is_plain);
    (is_path && !path.contains(['\\', ':'])).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_known_are_answered() {
        let hosts = Hosts::new(
            "127.0.0.1:8080".parse().unwrap(),
            &["Attic.local".to_owned()],
        );
        for host in [
            "127.0.0.1:8080",
            "localhost:8080",
            "LOCALHOST:8080",
            "[::1]:8080",
            "attic.local:8080",
        ] {
            assert!(hosts.is_meant(host), "{host}");
        }
        for host in [
            "",
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.evil.example:8080",
            "192.168.0.7:8080",
            "localhost.evil.example:8080",
            "localhost:8080:8080",
            "localhost:",
            "[::1",
        ] {
            assert!(!hosts.is_meant(host), "{host}");
        }
        let open = Hosts::new("0.0.0.0:80".parse().unwrap(), &[]);
        assert!(
            open.is_meant("192.168.0.7")
                && open.is_meant("[fe80::1]:80")
                && !open.is_meant("evil.example")
        );
    }

    #[test]
    fn paths_that_could_lead_elsewhere_are_none() {
        assert_eq!(path("/").as_deref(), Some(""));
        assert_eq!(
            path("/out/a%20b/%C3%BC.png").as_deref(),
            Some("out/a b/ü.png")
        );
        for wrong in [
            "",
            "x",
            "//",
            "/..",
            "/out/../x",
            "/out/%2e%2e/x",
            "/out/%2E%2E%2fx",
            "/out/..%5cx",
            "/out/x%00.png",
            "/out\\x",
            "/out/%5c",
            "/out//x",
            "/out/./x",
            "/%2fetc/passwd",
            "/out/c:/x",
            "/out/x%",
            "/out/%zz",
            "/out/%ff",
            "/out/%0a",
        ] {
            assert_eq!(path(wrong), None, "{wrong}");
        }
        // A double-encoded path is a name with a percent sign.
        assert_eq!(path("/out/%252e%252e/x").as_deref(), Some("out/%2e%2e/x"));
    }
}
