//! The local web server: a gallery and the outputs that it shows, read only.
//!
//! - `request` — what a request may ask for: method, host, path; `range` — parts of files.
//! - `site` — what is at each path; `reply` — headers, compression; `body` — bytes on their way.
//! - `patience` — connections that take nothing for a while are closed.
//!
//! The server listens at this machine alone unless it is told otherwise, answers only those who call it by an address
//! or a name that it knows (so that no page elsewhere can read it through a name of its own), and never leaves the
//! output folder.
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

use super::catalogue::Catalogue;
use super::error::GalleryError;
use patience::Patient;
use site::Site;

/// Connections that are open at once; the next ones wait.
const MOST_CONNECTIONS: usize = 400;

/// Threads that read and compress files.
const THREADS: usize = 8;

/// Time in which the head of a request has to come.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Bytes of a head.
const HEAD_SIZE: usize = 32 << 10;

/// Headers of a request.
const MOST_HEADERS: usize = 64;

/// How a gallery is served.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address to listen at.
    pub bind: IpAddr,
    /// Port; 0 for any that is free.
    pub port: u16,
    /// Names of this machine that it may be called by, beside its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// How long a connection may take nothing before it is closed.
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

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
    patience: Duration,
}

impl Server {
    /// Reads the converted folder `out` and begins to listen.
    ///
    /// # Errors
    /// The folder cannot be read, or the port is taken.
    pub fn bind(out: &Path, options: &Options) -> Result<Self, GalleryError> {
        // First of all, so that a taken port is told at once.
        let wanted = SocketAddr::new(options.bind, options.port);
        let fault = |error| GalleryError::Listen {
            address: wanted.to_string(),
            error,
        };
        let listener = TcpListener::bind(wanted).map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let root = out.canonicalize().map_err(super::error::access(out))?;
        let site = Site::new(root, Catalogue::of_folder(out)?, address, &options.hosts);
        Ok(Self {
            listener,
            address,
            site: Arc::new(site),
            patience: options.patience,
        })
    }

    /// The address that it listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            ip if ip.is_unspecified() => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), self.address.port())
            }
            _ => self.address,
        };
        format!("http://{address}/")
    }

    /// Number of assets that it shows.
    pub fn assets(&self) -> usize {
        self.site.assets()
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// The system gives no threads or takes the port away.
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
        let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&room).acquire_owned().await else {
                return Ok(());
            };
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(fault) => {
                    // A caller that hung up, or no handle left: others still come.
                    debug!("a connection failed: {fault}");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            };
            // Small answers go out at once; without it they only come later.
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
                    .max_headers(MOST_HEADERS);
                if let Err(fault) = connection.serve_connection(stream, answer).await {
                    debug!("a connection ended: {fault}");
                }
                drop(place);
            });
        }
    }
}
