//! Which tier holds on this machine: found out by trying to escape from it.
//!
//! What counts is seen from outside, by the app: a file unchanged, a listener nobody called, no
//! process left. What the command inside says is asked for besides.

use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::attempts::{OUTSIDE_FILES, Targets};
use super::helper::{ARGUMENT, ATTEMPT};
use super::wire::Job;
use super::{
    Attempt, CancelToken, Exit, Mode, ProbeConfig, ProbeReport, Sandbox, Tier, Unavailable, Wanted,
    confine, environment, hide, protect, run, tree,
};

/// Where bubblewrap may come from: folders that only the system's administrator writes to.
const TRUSTED: &[&str] = &["/usr/bin", "/bin", "/run/current-system/sw/bin"];

/// A machine on which the probe takes this long has other troubles.
const PATIENCE_MS: u64 = 10_000;

impl Sandbox {
    /// Finds the best tier that the settings allow and that refuses every escape. Takes some tens
    /// of milliseconds and leaves nothing behind.
    pub fn probe(config: &ProbeConfig) -> Self {
        let wanted: &[Tier] = match config.wanted {
            Wanted::Auto => &[Tier::Bubblewrap, Tier::Landlock],
            Wanted::Bubblewrap => &[Tier::Bubblewrap],
            Wanted::Landlock => &[Tier::Landlock],
            Wanted::None => &[],
        };
        let bwrap = find_bubblewrap();
        let mut unavailable = Vec::new();
        let mut report = None;
        for tier in [Tier::Bubblewrap, Tier::Landlock] {
            if !wanted.contains(&tier) {
                // Not asked for: listed only where nothing better is in force.
                if report.is_none() {
                    let reason = "The settings do not allow it.".to_owned();
                    unavailable.push(Unavailable { tier, reason });
                }
                continue;
            }
            if report.is_some() {
                break;
            }
            match prove(tier, bwrap.as_ref().map(PathBuf::as_path), config) {
                Ok(attempts) => report = Some((tier, attempts)),
                Err(reason) => unavailable.push(Unavailable { tier, reason }),
            }
        }
        let (tier, attempts) = report.unwrap_or((Tier::None, Vec::new()));
        Self {
            helper: config.helper.clone(),
            bwrap: bwrap.ok().filter(|_| tier == Tier::Bubblewrap),
            home: config.home.clone(),
            data_dir: config.data_dir.clone(),
            report: ProbeReport {
                tier,
                attempts,
                unavailable,
            },
        }
    }
}

/// The attempts, all refused; else the reason why the tier is not used.
fn prove(
    tier: Tier,
    bwrap: Result<&Path, &String>,
    config: &ProbeConfig,
) -> Result<Vec<Attempt>, String> {
    let bwrap = match tier {
        Tier::Bubblewrap => Some(bwrap.map_err(Clone::clone)?.to_owned()),
        Tier::Landlock if !confine::is_known() => {
            return Err("This kernel runs without Landlock.".to_owned());
        }
        Tier::Landlock | Tier::None => None,
    };
    let scratch = Scratch::new(&config.data_dir)
        .map_err(|error| format!("The data folder cannot be used for a trial: {error}"))?;
    let mut attempts = scratch.attack(tier, bwrap.clone(), Mode::Exec, config)?;
    let works = attempts.iter().position(|attempt| attempt.name == "works");
    let works = works.map(|at| attempts.remove(at));
    if works.is_none_or(|attempt| attempt.refused) || !scratch.workspace.join("src/works").exists()
    {
        return Err("A command inside it cannot write to its own workspace.".to_owned());
    }
    attempts.extend(scratch.attack(tier, bwrap, Mode::Plan, config)?);
    let held: Vec<_> = attempts.iter().filter(|attempt| !attempt.refused).collect();
    if held.is_empty() {
        return Ok(attempts);
    }
    let names: Vec<_> = held
        .iter()
        .map(|attempt| format!("{} ({})", attempt.name, attempt.detail))
        .collect();
    Err(format!(
        "It did not refuse everything that was tried: {}.",
        names.join(", ")
    ))
}

/// Something to attack, watched from outside.
struct Scratch {
    root: PathBuf,
    workspace: PathBuf,
    outside: PathBuf,
    marker: String,
    tcp: TcpListener,
    udp: UdpSocket,
    socket: UnixListener,
    socket_path: PathBuf,
    abstract_socket: UnixListener,
}

impl Scratch {
    fn new(data_dir: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let marker = format!("probe-{}-{count}", std::process::id());
        let mut private = fs::DirBuilder::new();
        private.recursive(true).mode(0o700);
        private.create(data_dir)?;
        let data_dir = data_dir.canonicalize()?;
        tree::sweep(&data_dir, "probe-");
        let root = data_dir.join(&marker);
        private.create(&root)?;
        let made = Self::fill(&root, marker);
        if made.is_err() {
            // The reason for the failure matters more than what it leaves.
            let _ = fs::remove_dir_all(&root);
        }
        made
    }

    fn fill(root: &Path, marker: String) -> io::Result<Self> {
        let (workspace, outside) = (root.join("workspace"), root.join("outside"));
        for folder in ["src", "plans", ".git/hooks"] {
            fs::create_dir_all(workspace.join(folder))?;
        }
        for file in [
            "src/main.txt",
            "src/swapped",
            ".git/config",
            "plans/plan.md",
        ] {
            fs::write(workspace.join(file), "whole")?;
        }
        fs::create_dir_all(outside.join("secret"))?;
        fs::write(outside.join("secret/key"), "whole")?;
        for name in OUTSIDE_FILES {
            fs::write(outside.join(name), "whole")?;
        }
        let (socket, socket_path) = listen(&outside, &marker)?;
        let abstract_socket =
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(abstract_name(&marker))?)?;
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        socket.set_nonblocking(true)?;
        abstract_socket.set_nonblocking(true)?;
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        Ok(Self {
            root: root.to_owned(),
            workspace,
            outside,
            marker,
            tcp,
            udp,
            socket,
            socket_path,
            abstract_socket,
        })
    }

    /// Runs the attempts of one mode and checks each from outside.
    fn attack(
        &self,
        tier: Tier,
        bwrap: Option<PathBuf>,
        mode: Mode,
        config: &ProbeConfig,
    ) -> Result<Vec<Attempt>, String> {
        let job = self
            .job(tier, bwrap, mode, config)
            .map_err(|error| error.to_string())?;
        let before = self.fingerprints();
        let cancel = CancelToken::new().map_err(|error| error.to_string())?;
        let outcome =
            run::execute(&job, &cancel, &mut |_| ()).map_err(|error| error.to_string())?;
        let text = outcome.text();
        let attempts = serde_json::from_str::<Vec<Attempt>>(&text);
        let mut attempts = match (outcome.exit, attempts) {
            (Exit::Exited(0), Ok(attempts)) => attempts,
            (exit, _) => return Err(format!("The trial in it failed: {exit:?} {text}")),
        };
        let after = self.fingerprints();
        for attempt in &mut attempts {
            self.judge(attempt, &before, &after);
        }
        Ok(attempts)
    }

    fn job(
        &self,
        tier: Tier,
        bwrap: Option<PathBuf>,
        mode: Mode,
        config: &ProbeConfig,
    ) -> io::Result<Job> {
        let targets = Targets {
            mode,
            workspace: self.workspace.clone(),
            outside: self.outside.clone(),
            secret: self.outside.join("secret/key"),
            tcp: self.tcp.local_addr()?,
            udp: self.udp.local_addr()?,
            socket: self.socket_path.clone(),
            abstract_name: abstract_name(&self.marker),
            helper: config.helper.clone(),
        };
        let argv = vec![
            config.helper.to_string_lossy().into_owned(),
            ARGUMENT.to_owned(),
            ATTEMPT.to_owned(),
            serde_json::to_string(&targets)?,
        ];
        let env = environment::allowed([], &[]);
        let mut readable = hide::readable(std::slice::from_ref(&config.home), &env);
        readable.push(config.helper.clone());
        if tier == Tier::Bubblewrap {
            // It shows everything; so a trial in a fresh folder has to show its targets too.
            readable.push(self.outside.clone());
        }
        Ok(Job {
            tier,
            bwrap,
            helper: config.helper.clone(),
            workspace: self.workspace.clone(),
            mode,
            protected: protect::names(&self.workspace, &["plans/plan.md".into()]),
            // Not the data folder, which holds the trial: the targets have to be in sight.
            hidden: hide::hidden(
                std::slice::from_ref(&config.home),
                &[self.outside.join("secret")],
            ),
            readable: run::shown(tier, readable),
            argv,
            env,
            timeout_ms: PATIENCE_MS,
            output_limit: 0,
            record: None,
            marker: self.marker.clone(),
        })
    }

    /// Corrects what the command said by what happened.
    fn judge(&self, attempt: &mut Attempt, before: &[Print], after: &[Print]) {
        let reached = match attempt.name.as_str() {
            "tcp" => self.tcp.accept().is_ok(),
            "udp" => {
                // Sending into a network without us succeeds; only arriving would be an escape.
                let arrived = self.udp.recv(&mut [0; 8]).is_ok();
                if !attempt.refused && !arrived {
                    attempt.detail = "it was sent, but did not arrive".to_owned();
                }
                attempt.refused = !arrived;
                arrived
            }
            "unix_socket" => self.socket.accept().is_ok(),
            "abstract_socket" => self.abstract_socket.accept().is_ok(),
            "setsid_child" => {
                let left = !tree::marked(&self.marker).is_empty();
                if attempt.detail == "it succeeded" {
                    attempt.detail = "it was started, and ended with the command".to_owned();
                }
                attempt.refused = !left;
                left
            }
            "create" => self.outside.join("created").exists(),
            "planwright_folder" => self.workspace.join(".planwright").exists(),
            _ => before.iter().zip(after).any(|(before, after)| {
                before.attempt == attempt.name && before.state != after.state
            }),
        };
        if reached {
            attempt.refused = false;
            attempt.detail = "it took effect".to_owned();
        }
    }

    /// The state of every file that an attempt would change.
    fn fingerprints(&self) -> Vec<Print> {
        let outside = OUTSIDE_FILES
            .iter()
            .map(|name| (*name, self.outside.join(name)));
        let inside = [
            ("git_hooks", ".git/hooks"),
            ("git_config", ".git/config"),
            ("plan_file", "plans/plan.md"),
            ("plan_write", "src/main.txt"),
            ("plan_remove", "src/main.txt"),
            ("plan_chmod", "src/main.txt"),
            ("plan_utime", "src/main.txt"),
            ("plan_xattr", "src/main.txt"),
        ];
        let inside = inside.map(|(name, path)| (name, self.workspace.join(path)));
        outside
            .chain(inside)
            .map(|(attempt, path)| Print {
                attempt,
                state: state(&path),
            })
            .collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays of a trial is small and private.
        let _ = fs::remove_dir_all(&self.root);
        let _ = fs::remove_file(&self.socket_path);
    }
}

struct Print {
    attempt: &'static str,
    state: Option<State>,
}

/// Changes with everything that can be done to a file: each change also sets its change time.
#[derive(PartialEq, Eq)]
struct State {
    content: Option<Vec<u8>>,
    mode: u32,
    links: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

fn state(path: &Path) -> Option<State> {
    let data = fs::symlink_metadata(path).ok()?;
    Some(State {
        content: fs::read(path).ok(),
        mode: data.mode(),
        links: data.nlink(),
        modified: (data.mtime(), data.mtime_nsec()),
        changed: (data.ctime(), data.ctime_nsec()),
    })
}

fn abstract_name(marker: &str) -> String {
    format!("planwright-{marker}")
}

/// A listener in the folder outside, or where its path would be too long for a socket, in the
/// system's temporary folder.
fn listen(outside: &Path, marker: &str) -> io::Result<(UnixListener, PathBuf)> {
    let path = outside.join("socket");
    match UnixListener::bind(&path) {
        Ok(listener) => Ok((listener, path)),
        Err(_) => {
            let path = std::env::temp_dir().join(format!("planwright-{marker}.socket"));
            Ok((UnixListener::bind(&path)?, path))
        }
    }
}

/// Bubblewrap, if it is the system's and plain.
fn find_bubblewrap() -> Result<PathBuf, String> {
    for folder in TRUSTED {
        let Ok(path) = Path::new(folder).join("bwrap").canonicalize() else {
            continue;
        };
        let Ok(data) = fs::metadata(&path) else {
            continue;
        };
        if data.mode() & 0o6000 != 0 {
            return Err(format!(
                "{} is set to run as another user, which is not safe here. Remove that mode bit.",
                path.display()
            ));
        }
        if !data.is_file() || data.uid() != 0 || data.mode() & 0o022 != 0 {
            return Err(format!(
                "{} can be changed by others than root.",
                path.display()
            ));
        }
        return Ok(path);
    }
    Err("Bubblewrap is not installed. Install the package `bubblewrap`.".to_owned())
}
