//! The first five minutes with an archive: unpacked and used as a new user would, on systems with nothing
//! else on them.
//!
//! On each system that runs here, all samples are converted and compared with golden/, so that every system makes the
//! same files. For Linux the archive is also used in folders that become the root of the system: one with nothing but
//! busybox, and a minimal Debian.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::archive::{file_name, name, sample_name};
use super::system::{self, Packing, System};
use crate::Outcome;
use crate::demo;
use crate::process::{exists, remove_folder, run, target};
use crate::tally::Tally;
use crate::tools::BUSYBOX;
use relicast_samples::disc;

/// Longest time until the server of the gallery answers.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tries the archives in `archives` that are for `systems`.
///
/// # Errors
/// A file cannot be read or written, or a program cannot be run.
pub fn checks(systems: &[&'static System], archives: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for system in systems {
        let archive = archives.join(file_name(system));
        if !archive.is_file() {
            tally.skip(
                format!("{} in use", system.title),
                "no archive found for it",
            );
            continue;
        }
        let runner = match system.runner() {
            Ok(runner) => runner,
            Err(why) => {
                tally.skip(format!("{} in use", system.title), why);
                continue;
            }
        };
        println!("{} in use …", system.title);
        let folder = target().join("release-trial").join(system.triple);
        remove_folder(&folder)?;
        fs::create_dir_all(&folder)?;
        unpack(system.packing, &archive, &folder)?;
        unpack(Packing::Zip, &archives.join(sample_name()), &folder)?;
        let here = Place {
            title: system.title.to_owned(),
            root: None,
            runner,
            folder: folder.clone(),
            program: folder.join(name(system)).join(system.program()),
        };
        here.first_minutes(&mut tally)?;
        here.samples(&mut tally)?;
        if system.triple.contains("linux") && runner.is_none() {
            for root in bare_roots(&mut tally)? {
                in_root(&root, system, &folder)?.first_minutes(&mut tally)?;
            }
        }
    }
    Ok(tally)
}

/// A system with an unpacked archive and the sample disc.
struct Place {
    title: String,
    /// The folder that becomes the root, if any. Paths of the others are as seen from outside.
    root: Option<PathBuf>,
    runner: Option<&'static str>,
    folder: PathBuf,
    program: PathBuf,
}

impl Place {
    /// A path as the program sees it.
    fn seen(&self, path: &Path) -> PathBuf {
        let inside = self
            .root
            .as_ref()
            .and_then(|root| path.strip_prefix(root).ok());
        match inside {
            Some(inside) => Path::new("/").join(inside),
            None => path.to_owned(),
        }
    }

    fn command(&self) -> Command {
        match &self.root {
            None => system::command(self.runner, &self.program),
            Some(root) => {
                let mut command = Command::new("chroot");
                command.arg(root).arg(self.seen(&self.program));
                command
                    .env_clear()
                    .env("PATH", "/bin:/usr/bin:/sbin:/usr/sbin")
                    .env("HOME", "/root");
                command.stdin(Stdio::null());
                command
            }
        }
    }

    /// Download, convert, look, read: the first steps of README.md.
    fn first_minutes(&self, tally: &mut Tally) -> Outcome {
        let title = &self.title;
        let out = self.folder.join("converted");
        let disc = self.seen(&self.folder.join("sample-disc").join(disc::SHEET));
        let seen = self.seen(&out);
        let said = |tally: &mut Tally, what: &str, words: &[&Path]| -> Outcome<String> {
            let output = self.command().args(words).output()?;
            let both = [output.stdout, output.stderr].concat();
            let both = String::from_utf8_lossy(&both).into_owned();
            tally.check(format!("{title}: {what}"), output.status.success());
            if !output.status.success() {
                eprintln!("{}: {both}", output.status);
            }
            Ok(both)
        };
        let path = Path::new;
        let version = said(tally, "--version", &[path("--version")])?;
        tally.check(
            format!("{title}: the version names commit and day: {version}"),
            version.contains(super::archive::VERSION) && !version.contains("unknown"),
        );
        said(tally, "--help", &[path("--help")])?;
        said(tally, "doctor", &[path("doctor"), &self.seen(&self.folder)])?;
        let reported = said(
            tally,
            "convert",
            &[path("convert"), &disc, path("--out"), &seen],
        )?;
        tally.check(
            format!("{title}: the run reports what it did"),
            reported.contains("converted"),
        );
        said(tally, "verify", &[path("verify"), &seen])?;
        said(tally, "prove", &[path("prove"), &disc])?;
        let page = self.folder.join("report.html");
        let words = [path("report"), &seen, path("--html"), &self.seen(&page)];
        said(tally, "report", &words)?;
        tally.check(format!("{title}: the report is a page"), page.is_file());
        said(tally, "gallery", &[path("gallery"), &seen])?;
        tally.check(
            format!("{title}: the gallery has a page"),
            out.join("gallery").join("index.html").is_file(),
        );
        tally.check(format!("{title}: serve answers"), self.serves(&seen)?);
        Ok(())
    }

    /// True if `relicast serve` shows a page.
    fn serves(&self, out: &Path) -> Outcome<bool> {
        let port = std::net::TcpListener::bind(("127.0.0.1", 0))?
            .local_addr()?
            .port();
        let mut command = self.command();
        command
            .arg("serve")
            .arg(out)
            .args(["--port", &port.to_string()]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Ended(command.spawn()?);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if server.0.try_wait()?.is_some() {
                return Ok(false);
            }
            if page(port).is_some_and(|page| page.contains("<html")) {
                return Ok(true);
            }
            sleep(Duration::from_millis(200));
        }
        Ok(false)
    }

    /// Converts all samples and compares with golden/.
    fn samples(&self, tally: &mut Tally) -> Outcome {
        let settings = self.folder.join("without-ffmpeg.toml");
        fs::write(&settings, "[video]\nffmpeg = \"no-ffmpeg-here\"\n")?;
        for sample in demo::samples() {
            sample.write()?;
            let out = self.folder.join("out").join(sample.name);
            let golden = self.folder.join(format!("{}.json", sample.name));
            sample.golden_without_videos(&golden)?;
            let mut convert = self.command();
            convert
                .arg("convert")
                .arg(sample.input())
                .arg("--out")
                .arg(&out);
            convert.arg("--quiet").arg("--config").arg(&settings);
            let mut verify = self.command();
            verify.arg("verify").arg(&out).arg("--golden").arg(&golden);
            for (what, mut command) in [("converted", convert), ("same files as golden/", verify)] {
                let output = command.output()?;
                let is_good = output.status.success();
                tally.check(format!("{}: {}: {what}", self.title, sample.title), is_good);
                if !is_good {
                    eprintln!("{}", String::from_utf8_lossy(&output.stdout));
                    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
                }
            }
        }
        Ok(())
    }
}

/// A process that ends with this program.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The first page of a server on this machine.
fn page(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

fn unpack(packing: Packing, archive: &Path, folder: &Path) -> Outcome {
    let file = fs::File::open(archive)?;
    match packing {
        Packing::TarGz => tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(folder)?,
        Packing::Zip => zip::ZipArchive::new(file)?.extract(folder)?,
    }
    Ok(())
}

/// A folder that becomes the root of a system.
struct Root {
    title: &'static str,
    folder: PathBuf,
}

/// Systems with nothing on them, made if they are missing.
fn bare_roots(tally: &mut Tally) -> Outcome<Vec<Root>> {
    let mut roots = Vec::new();
    if !is_root() {
        tally.skip("bare systems", "only root may change the root of a system");
        return Ok(roots);
    }
    let title = "a Linux of nothing but busybox";
    match BUSYBOX.ensure() {
        Err(why) => tally.skip(title, why),
        Ok(()) => {
            let folder = target().join("release-trial").join("busybox");
            remove_folder(&folder)?;
            for name in ["bin", "tmp", "root", "dev", "proc"] {
                fs::create_dir_all(folder.join(name))?;
            }
            let found = Command::new("sh")
                .args(["-c", "command -v busybox"])
                .output()?;
            let found = String::from_utf8_lossy(&found.stdout).trim().to_owned();
            fs::copy(found, folder.join("bin").join("busybox"))?;
            roots.push(Root { title, folder });
        }
    }
    let title = "a minimal Debian";
    match minimal_debian() {
        Err(why) => tally.skip(title, why),
        Ok(folder) => roots.push(Root { title, folder }),
    }
    Ok(roots)
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    cfg!(unix) && output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A Debian of its smallest form, made once.
fn minimal_debian() -> Result<PathBuf, String> {
    let folder = target().join("release-tools").join("debian-minimal");
    if folder.join(".ready").exists() {
        return Ok(folder);
    }
    if !exists("debootstrap") && !exists("apt-get") {
        return Err("debootstrap, which makes it, is not installed".to_owned());
    }
    println!("a minimal Debian in {} …", folder.display());
    let script = "set -e
        command -v debootstrap || { apt-get update && apt-get install -y --no-install-recommends debootstrap; } >&2
        mirror=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|//p' | head -1)
        rm -rf --one-file-system \"$0\"
        debootstrap --variant=minbase stable \"$0\" \"${mirror:-http://deb.debian.org/debian}\" >&2
        touch \"$0/.ready\"";
    let mut command = Command::new("unshare");
    command.args(["-m", "--propagation", "private", "bash", "-c", script]);
    let output = command.arg(&folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(folder),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(said
                .lines()
                .last()
                .unwrap_or("it could not be made")
                .to_owned())
        }
    }
}

/// The unpacked archive and the sample in a root.
fn in_root(root: &Root, system: &System, unpacked: &Path) -> Outcome<Place> {
    let folder = root.folder.join("root").join("relicast");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    for part in [name(system), "sample-disc".to_owned()] {
        run(Command::new("cp")
            .arg("-a")
            .arg(unpacked.join(part))
            .arg(&folder))?;
    }
    Ok(Place {
        title: format!("{}, {}", system.title, root.title),
        root: Some(root.folder.clone()),
        runner: None,
        program: folder.join(name(system)).join(system.program()),
        folder,
    })
}
