//! A trial environment: a workspace, targets outside to attack, and checks on them.
//!
//! Created in the app's data folder and removed when dropped.

use std::fs::{self, File};
use std::io::{self, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{CWD, FileType, Mode as FileMode, OFlags, mknodat, open};
use rustix::process::{getpid, getrlimit};

use super::attempts::{LIMIT, OUTSIDE_FILES, Targets, queue_name};
use super::helper::{ARGUMENT, ATTEMPT};
use super::probe::Bubblewrap;
use super::roots::Sources;
use super::wire::Job;
use super::{
    Attempt, CancelToken, Exit, Mode, PrivateFiles, ProbeConfig, Tier, environment, limits, roots,
    run, tree,
};

/// Time limit of the attempts, in milliseconds; they normally take far less.
const PATIENCE_MS: u64 = 10_000;

/// Targets for attacks, observed from outside.
pub(super) struct Scratch {
    root: PathBuf,
    pub(super) workspace: PathBuf,
    outside: PathBuf,
    marker: String,
    tcp: TcpListener,
    udp: UdpSocket,
    socket: UnixListener,
    socket_path: PathBuf,
    abstract_socket: UnixListener,
    fifo: File,
}

impl Scratch {
    pub(super) fn new(data_dir: &Path) -> io::Result<Self> {
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
            // Ignore a failure to clean up, since the reason for the first failure matters more.
            let _ = fs::remove_dir_all(&root);
        }
        made
    }

    fn fill(root: &Path, marker: String) -> io::Result<Self> {
        let (workspace, outside) = (root.join("workspace"), root.join("outside"));
        for folder in [
            "src",
            "libs/nested/.git",
            "plans",
            ".git/hooks",
            ".git/worktrees/side",
            ".git/modules/lib",
        ] {
            fs::create_dir_all(workspace.join(folder))?;
        }
        for file in [
            "src/main.txt",
            "src/swapped",
            "libs/nested/.git/config",
            ".git/HEAD",
            ".git/config",
            ".git/worktrees/side/commondir",
            ".git/modules/lib/config",
            "plans/plan.md",
            ".env",
        ] {
            fs::write(workspace.join(file), "whole")?;
        }
        fs::create_dir_all(outside.join("secret"))?;
        fs::write(outside.join("secret/key"), "whole")?;
        for name in OUTSIDE_FILES {
            fs::write(outside.join(name), "whole")?;
        }
        fs::create_dir_all(root.join("unlisted"))?;
        fs::write(root.join("unlisted/file"), "whole")?;
        let fifo = fifo(&workspace.join("src/fifo"))?;
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
            fifo,
        })
    }

    /// Makes the attempts of one mode and checks each from outside.
    pub(super) fn attack(
        &self,
        tier: Tier,
        bwrap: Option<&Bubblewrap>,
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
            (exit, _) => return Err(format!("The self-test failed: {exit:?} {text}")),
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
        bwrap: Option<&Bubblewrap>,
        mode: Mode,
        config: &ProbeConfig,
    ) -> io::Result<Job> {
        let targets = Targets {
            tier,
            mode,
            unlisted: self.root.join("unlisted/file"),
            app: getpid().as_raw_nonzero().get(),
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
        let homes = vec![config.home.clone()];
        let mut roots = roots::find(&Sources {
            workspace: &self.workspace,
            homes: &homes,
            env: &env,
            words: &[],
            granted: &config.toolchains,
            data: &self.root,
            private: &PrivateFiles::none(),
        });
        roots.readable.push(config.helper.clone());
        if tier == Tier::Bubblewrap {
            // Make the targets readable, except the one that should be hidden.
            roots.readable.push(self.outside.clone());
            roots.hidden.push(self.outside.join("secret"));
        }
        let sized = bwrap.filter(|bwrap| bwrap.is_sized);
        let temporary = sized.map(|_| limits::temporary());
        Ok(Job {
            tier,
            bwrap: bwrap.map(|bwrap| bwrap.path.clone()),
            helper: config.helper.clone(),
            workspace: self.workspace.clone(),
            mode,
            writable: None,
            protected: vec!["plans/plan.md".into()],
            control_paths: Vec::new(),
            commits: false,
            sees_private: mode == Mode::Exec,
            private_files: Vec::new(),
            aside: self.root.join("displaced"),
            homes,
            hidden: roots.hidden,
            readable: roots.readable,
            git_settings: String::new(),
            temporary,
            argv,
            env,
            stdin: None,
            network: false,
            timeout_ms: PATIENCE_MS,
            output_limit: 0,
            record: None,
            interactive: None,
            marker: self.marker.clone(),
        })
    }

    /// Corrects the command's report if something else actually happened.
    fn judge(&self, attempt: &mut Attempt, before: &[Print], after: &[Print]) {
        let reached = match attempt.name.as_str() {
            "tcp" => self.tcp.accept().is_ok(),
            "udp" => {
                // Sending into an isolated network succeeds; only arrival would be an escape.
                let arrived = self.udp.recv(&mut [0; 8]).is_ok();
                if !attempt.refused && !arrived {
                    attempt.detail = "sent, but not received".to_owned();
                }
                attempt.refused = !arrived;
                arrived
            }
            "unix_socket" => self.socket.accept().is_ok(),
            "abstract_socket" => self.abstract_socket.accept().is_ok(),
            "setsid_child" => {
                let left = !tree::marked(&self.marker).is_empty();
                if attempt.detail == "it succeeded" {
                    attempt.detail = "started, but stopped when the command ended".to_owned();
                }
                attempt.refused = !left;
                left
            }
            "limits_of_another" => {
                let is_set = getrlimit(LIMIT.0).current == Some(LIMIT.1);
                attempt.refused |= !is_set;
                is_set
            }
            "sysv_shared_memory" | "sysv_messages" | "sysv_semaphores" | "posix_messages" => {
                let is_left = left_by_name(&attempt.name, getpid().as_raw_nonzero().get());
                if !attempt.refused && !is_left {
                    attempt.detail = "created, but removed when the command ended".to_owned();
                }
                attempt.refused = !is_left;
                is_left
            }
            "plan_fifo" => (&self.fifo).read(&mut [0; 8]).is_ok_and(|read| read > 0),
            "create" => self.outside.join("created").exists(),
            "git_commondir" => self.workspace.join(".git/commondir").exists(),
            "git_swap" => !self.workspace.join(".git").exists(),
            "planwright_folder" => self.workspace.join(".planwright").exists(),
            _ => before.iter().zip(after).any(|(before, after)| {
                before.attempt == attempt.name && before.state != after.state
            }),
        };
        if reached {
            attempt.refused = false;
            attempt.detail = "it succeeded".to_owned();
        }
    }

    /// The state of every file that an attempt would change.
    fn fingerprints(&self) -> Vec<Print> {
        let outside = OUTSIDE_FILES
            .iter()
            .map(|name| (name, self.outside.join(name)));
        let inside = [
            ("git_hooks", ".git/hooks"),
            ("git_config", ".git/config"),
            ("git_moved_head", ".git/HEAD"),
            ("git_worktree", ".git/worktrees/side/commondir"),
            ("git_submodule", ".git/modules/lib/config"),
            ("git_nested", "libs/nested/.git/config"),
            ("plan_file", "plans/plan.md"),
            ("plan_write", "src/main.txt"),
            ("plan_remove", "src/main.txt"),
            ("plan_chmod", "src/main.txt"),
            ("plan_utime", "src/main.txt"),
            ("plan_inode_flags", "src/main.txt"),
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
        // Anything that can't be removed is small and private.
        let _ = fs::remove_dir_all(&self.root);
        let _ = fs::remove_file(&self.socket_path);
    }
}

struct Print {
    attempt: &'static str,
    state: Option<State>,
}

/// The complete state of a file; every change also changes its ctime.
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

/// Creates a named pipe and opens it for this process to read.
fn fifo(path: &Path) -> io::Result<File> {
    let mode = FileMode::RUSR | FileMode::WUSR;
    mknodat(CWD, path, FileType::Fifo, mode, 0)?;
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(open(path, flags, FileMode::empty())?.into())
}

/// Whether the IPC object that an attempt created with this key exists outside the sandbox; removes
/// it.
#[allow(unsafe_code, reason = "these calls have no safe wrapper")]
fn left_by_name(attempt: &str, number: i32) -> bool {
    let name = queue_name(number);
    // SAFETY: the name is the only pointer that is read, and it outlives the calls. Calls that
    // remove an object ignore their pointer.
    unsafe {
        match attempt {
            "sysv_shared_memory" => {
                let id = libc::shmget(number, 0, 0);
                id >= 0 && libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()) == 0
            }
            "sysv_messages" => {
                let id = libc::msgget(number, 0);
                id >= 0 && libc::msgctl(id, libc::IPC_RMID, std::ptr::null_mut()) == 0
            }
            "sysv_semaphores" => {
                let id = libc::semget(number, 0, 0);
                id >= 0 && libc::semctl(id, 0, libc::IPC_RMID) == 0
            }
            _ => libc::mq_unlink(name.as_ptr()) == 0,
        }
    }
}

fn abstract_name(marker: &str) -> String {
    format!("planwright-{marker}")
}

/// A listener and its path, which is in the outside folder or, if that is too long for a socket, in
/// the system's temporary folder.
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
