//! `relicast serve`: shows the gallery of an output folder in the browser and writes nothing.

use relicast_codec::quantity::counted;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::output_folder;
use super::terminal::exit::Exit;
use super::terminal::lines::{output_fault, print_line, usage};
use super::terminal::log::remark;
use crate::gallery::serve::{Options, Server};

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder of a run.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Port to listen on; 0 for any free port.
    #[arg(long, value_name = "N", default_value_t = 7333)]
    port: u16,
    /// Address to listen on. The default is reachable from this machine only; others open the outputs to the
    /// network.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Additional host name to accept, besides the addresses of this machine and localhost; may be repeated.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the gallery in the browser.
    #[arg(long)]
    open: bool,
}

/// Runs `serve` until it is interrupted.
pub fn run(arguments: Arguments) -> Exit {
    if let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    let options = Options {
        bind: arguments.bind,
        port: arguments.port,
        hosts: arguments.host,
        ..Options::default()
    };
    let server = match Server::bind(&arguments.out, &options) {
        Ok(server) => server,
        Err(error) => return usage(error),
    };
    let assets = counted(server.assets(), "asset", "assets");
    print_line(&format!("{assets} at {}", server.url()));
    if !arguments.bind.is_loopback() {
        remark(
            "open",
            "anyone who can reach this machine can view the outputs",
        );
    }
    if output_fault().is_none() {
        remark("serving", "press Ctrl-C to stop");
    }
    if arguments.open && !open(&server.url()) {
        remark(
            "no-browser",
            "cannot open a browser; open the address above",
        );
    }
    match server.run() {
        Ok(()) => Exit::Success,
        Err(error) => usage(format_args!("cannot serve: {error}")),
    }
}

/// Opens our own address in the browser of the system.
fn open(url: &str) -> bool {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    command.arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().is_ok()
}
