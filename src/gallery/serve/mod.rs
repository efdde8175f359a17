//! Local web server: a gallery and its outputs, read only.
//!
//! - `request` — validates method, host and path; `range` — parts of files.
//! - `site` — the content of each path; `reply` — headers, compression; `body` — response bodies.
//! - `patience` — closes stalled connections.
//!
//! By default the server listens on this machine only. It answers only requests for an address or host name
//! that it knows (so that no other web page can read it through DNS rebinding), and never leaves the output
//! folder.
//!
//! ```
//! use relicast::gallery::serve::{Options, Server};
//!
//! let folder = tempfile::tempdir()?;
//! assert!(Server::bind(folder.path(), &Options::default()).is_err(), "nothing was converted there");
//! # Ok::<(), std::io::Error>(())
//! ```

mod body;
mod patience;
mod range;
mod reply;
mod request;
mod site;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;
use tracing::debug;

use super::catalog::Catalog;
use super::error::GalleryError;
use patience::Patient;
use site::Site;

/// Maximum number of open connections; further ones wait.
const MAX_CONNECTIONS: usize = 400;

/// Threads that read and compress files.
const THREADS: usize = 8;

/// Time limit for a request head.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Maximum bytes of a request head.
const HEAD_SIZE: usize = 32 << 10;

/// Maximum headers of a request.
const MAX_HEADERS: usize = 64;

/// Options of the server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address to listen on.
    pub bind: IpAddr,
    /// Port; 0 for any free port.
    pub port: u16,
    /// Host names of this machine to accept, besides its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Time after which a stalled connection is closed.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bind: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            hosts: Vec::new(),
            patience: Duration::from_secs(30),
        }
    }
}

/// Listening server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
    patience: Duration,
}

impl Server {
    /// Reads the converted folder `out` and starts to listen.
    ///
    /// # Errors
    /// The folder cannot be read, or the port is in use.
    pub fn bind(out: &Path, options: &Options) -> Result<Self, GalleryError> {
        // First, so that a port in use is reported at once.
        let wanted = SocketAddr::new(options.bind, options.port);
        let fault = |error| GalleryError::Listen {
            address: wanted.to_string(),
            error,
        };
        let listener = TcpListener::bind(wanted).map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let root = out.canonicalize().map_err(super::error::access(out))?;
        let site = Site::new(root, Catalog::of_folder(out)?, address, &options.hosts);
        Ok(Self {
            listener,
            address,
            site: Arc::new(site),
            patience: options.patience,
        })
    }

    /// Address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// URL to open in a browser.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            ip if ip.is_unspecified() => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), self.address.port())
            }
            _ => self.address,
        };
        format!("http://{address}/")
    }

    /// Number of assets.
    pub fn assets(&self) -> usize {
        self.site.assets()
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// The system provides no threads or closes the port.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .thread_name("serve")
            .build()?;
        runtime.block_on(self.accept())
    }

    async fn accept(self) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&room).acquire_owned().await else {
                return Ok(());
            };
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(fault) => {
                    // The client closed the connection, or no file handle is free; other connections may
                    // succeed.
                    debug!("a connection failed: {fault}");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            };
            // Sends small responses without delay.
            let _ = stream.set_nodelay(true);
            let site = Arc::clone(&self.site);
            let stream = TokioIo::new(Patient::new(stream, self.patience));
            tokio::spawn(async move {
                let answer = service_fn(move |request| {
                    let site = Arc::clone(&site);
                    async move { Ok::<_, Infallible>(reply::answer(&site, request).await) }
                });
                let mut connection = http1::Builder::new();
                connection
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .max_buf_size(HEAD_SIZE)
                    .max_headers(MAX_HEADERS);
                if let Err(fault) = connection.serve_connection(stream, answer).await {
                    debug!("a connection ended: {fault}");
                }
                drop(place);
            });
        }
    }
}
