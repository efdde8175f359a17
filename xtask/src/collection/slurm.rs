//! A Slurm cluster of one machine: a controller and two node daemons that live as long as the test.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::process::remove_folder;
use crate::tools::{MUNGE, SLURM};

/// Names of the nodes.
pub const NODES: [&str; 2] = ["n1", "n2"];

/// Longest time from the start of the daemons until the nodes wait for jobs.
const START: Duration = Duration::from_secs(60);

/// A running cluster; it is stopped when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    daemons: Vec<Child>,
    folder: PathBuf,
}

impl Cluster {
    /// Starts a cluster whose files are in a folder of its own below the system's temporary one. Its daemons
    /// write to `logs`.
    ///
    /// # Errors
    /// Slurm is missing and cannot be installed, or does not start here.
    pub fn start(logs: &Path) -> Outcome<Self> {
        MUNGE.ensure()?;
        SLURM.ensure()?;
        let name = format!("relicast-slurm-{}", std::process::id());
        let mut cluster = Self {
            daemons: Vec::new(),
            folder: std::env::temp_dir().join(name),
        };
        remove_folder(&cluster.folder)?;
        for part in ["state", "spool-n1", "spool-n2", "munge", "bin"] {
            fs::create_dir_all(cluster.folder.join(part))?;
        }
        fs::create_dir_all(logs)?;
        cluster.write_files()?;
        cluster.spawn_daemons(logs)?;
        cluster.wait()?;
        Ok(cluster)
    }

    fn configuration(&self) -> PathBuf {
        self.folder.join("slurm.conf")
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("munge").join("socket")
    }

    fn write_files(&self) -> Outcome {
        let folder = self.folder.display();
        let (host, user) = (words("hostname", &["-s"])?, words("id", &["-un"])?);
        let [controller, first, second] = free_ports()?;
        let socket = self.socket();
        let socket = socket.display();
        let text = format!(
            "ClusterName=relicast\nSlurmctldHost={host}\nSlurmctldPort={controller}\n\
             AuthType=auth/munge\nAuthInfo=socket={socket}\nCredType=cred/munge\n\
             SlurmUser={user}\nSlurmdUser={user}\nStateSaveLocation={folder}/state\n\
             SlurmdSpoolDir={folder}/spool-%n\nSlurmctldPidFile={folder}/controller.pid\n\
             SlurmdPidFile={folder}/%n.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n\
             MinJobAge=3600\nSlurmdParameters=config_overrides\n\
             NodeName=n1 NodeHostname={host} Port={first} CPUs=2 RealMemory=64000\n\
             NodeName=n2 NodeHostname={host} Port={second} CPUs=2 RealMemory=64000\n\
             PartitionName=discs Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(self.configuration(), text)?;
        let mut key = [0; 1024];
        std::io::Read::read_exact(&mut File::open("/dev/urandom")?, &mut key)?;
        let key_file = self.folder.join("munge/key");
        fs::write(&key_file, key)?;
        crate::process::run(Command::new("chmod").arg("600").arg(key_file))?;
        // Jobs start steps without the variable that names the configuration.
        let step = self.folder.join("bin/srun");
        let text = format!(
            "#!/bin/sh\nSLURM_CONF='{}' exec /usr/bin/srun \"$@\"\n",
            self.configuration().display()
        );
        fs::write(&step, text)?;
        crate::process::run(Command::new("chmod").arg("755").arg(step))
    }

    fn spawn_daemons(&mut self, logs: &Path) -> Outcome {
        let munge = self.folder.join("munge");
        let mut daemon = Command::new("munged");
        daemon.args(["--foreground", "--force"]);
        for (option, path) in [
            ("key-file", munge.join("key")),
            ("socket", self.socket()),
            ("pid-file", munge.join("pid")),
            ("seed-file", munge.join("seed")),
            ("log-file", munge.join("log")),
        ] {
            daemon.arg(format!("--{option}={}", path.display()));
        }
        self.spawn(daemon, &logs.join("munged.log"))?;
        let since = Instant::now();
        while !self.socket().exists() {
            if since.elapsed() > START {
                return Err("munged does not start".into());
            }
            sleep(Duration::from_millis(100));
        }
        let mut controller = Command::new("slurmctld");
        controller
            .args(["-D", "-c", "-f"])
            .arg(self.configuration());
        self.spawn(controller, &logs.join("slurmctld.log"))?;
        for node in NODES {
            let mut daemon = Command::new("slurmd");
            daemon
                .args(["-D", "-N", node, "-f"])
                .arg(self.configuration());
            self.spawn(daemon, &logs.join(format!("{node}.log")))?;
        }
        Ok(())
    }

    fn spawn(&mut self, mut daemon: Command, log: &Path) -> Outcome {
        let log = File::create(log)?;
        daemon.stdin(Stdio::null());
        daemon.stdout(log.try_clone()?).stderr(log);
        self.daemons.push(daemon.spawn()?);
        Ok(())
    }

    fn wait(&self) -> Outcome {
        let since = Instant::now();
        while since.elapsed() < START {
            let states = self.ask("sinfo", &["--noheader", "--Node", "--format=%T"]);
            if states.is_ok_and(|states| {
                states.lines().filter(|&state| state == "idle").count() == NODES.len()
            }) {
                return Ok(());
            }
            sleep(Duration::from_millis(500));
        }
        Err("the nodes of Slurm do not become idle on this machine".into())
    }

    /// Returns the output of one of Slurm's commands.
    ///
    /// # Errors
    /// The command fails.
    pub fn ask(&self, program: &str, arguments: &[&str]) -> Outcome<String> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("SLURM_CONF", self.configuration());
        let output = command.stdin(Stdio::null()).output()?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        }
    }

    /// Makes a command and the jobs that it submits use this cluster.
    ///
    /// # Errors
    /// The search path of programs cannot be made.
    pub fn give_to(&self, command: &mut Command) -> Outcome {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(places)?);
        command.env("SLURM_CONF", self.configuration());
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // A process that ended by itself is fine as well.
            drop(daemon.kill());
            drop(daemon.wait());
        }
        drop(remove_folder(&self.folder));
    }
}

/// Unused ports.
fn free_ports() -> Outcome<[u16; 3]> {
    let listeners = [
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
    ];
    let [first, second, third] = &listeners;
    Ok([
        first.local_addr()?.port(),
        second.local_addr()?.port(),
        third.local_addr()?.port(),
    ])
}

/// Returns the output of a program, without the end of its line.
fn words(program: &str, arguments: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
