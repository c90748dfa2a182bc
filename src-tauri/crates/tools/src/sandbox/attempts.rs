//! Escape attempts from inside the sandbox: a command in a scratch workspace, against files and
//! sockets that the app created for it. Uses only the standard library and system calls.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::net::{SocketAddr as UnixAddr, UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, SystemTime};

use plan::word_list::WordList;
use rustix::fs::{
    AtFlags, CWD, IFlags, Mode as FileMode, OFlags, Timespec, Timestamps, XattrFlags,
    ioctl_setflags, open, setxattr, utimensat,
};
use rustix::process::{Pid, Resource, Rlimit, getgid, getuid, prlimit, setsid};
use serde::{Deserialize, Serialize};

use super::helper::{ARGUMENT, LINGER, STAY};
use super::{Attempt, Mode, Tier};

/// The attribute that one attempt sets.
pub(super) const ATTRIBUTE: &str = "user.planwright";

/// Files in the outside folder: one for each attempt that would change a file.
pub(super) const OUTSIDE_FILES: WordList = WordList(
    "open truncate append remove rename chmod chmod_open_file chown utime utime_open_file xattr \
     symlink_swap hard_link",
);

/// The targets to attack; passed as JSON in an argument.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Targets {
    pub(super) tier: Tier,
    pub(super) mode: Mode,
    pub(super) workspace: PathBuf,
    pub(super) outside: PathBuf,
    /// A file in a folder that should be hidden.
    pub(super) secret: PathBuf,
    /// A file in a folder that isn't listed as readable.
    pub(super) unlisted: PathBuf,
    pub(super) tcp: SocketAddr,
    pub(super) udp: SocketAddr,
    pub(super) socket: PathBuf,
    pub(super) abstract_name: String,
    /// The ID of the process that runs the probe; also used in names.
    pub(super) app: i32,
    pub(super) helper: PathBuf,
}

/// Makes all attempts and writes a list of [`Attempt`] as JSON to standard output.
pub(super) fn try_all(targets: Option<&str>) -> ExitCode {
    let Some(Ok(targets)) = targets.map(serde_json::from_str::<Targets>) else {
        return ExitCode::from(64);
    };
    let mut tried = Vec::new();
    match targets.mode {
        Mode::Exec => try_exec(&targets, &mut tried),
        Mode::Plan => try_plan(&targets, &mut tried),
    }
    let Ok(text) = serde_json::to_vec(&tried) else {
        return ExitCode::FAILURE;
    };
    if io::stdout().write_all(&text).is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn try_exec(targets: &Targets, tried: &mut Vec<Attempt>) {
    let mut note = |name: &str, result: io::Result<()>| tried.push(attempt(name, result));
    let outside = |name: &str| targets.outside.join(name);
    let workspace = |name: &str| targets.workspace.join(name);
    note("works", fs::write(workspace("src/works"), "x"));
    note("open", write_to(&outside("open")));
    note("create", fs::write(outside("created"), "x"));
    note("truncate", {
        let flags = OFlags::RDONLY | OFlags::TRUNC | OFlags::CLOEXEC;
        open(outside("truncate"), flags, FileMode::empty())
            .map(drop)
            .map_err(Into::into)
    });
    note("append", append_to(&outside("append")));
    note("remove", fs::remove_file(outside("remove")));
    note("rename", fs::rename(outside("rename"), outside("renamed")));
    note(
        "chmod",
        fs::set_permissions(outside("chmod"), Permissions::from_mode(0o606)),
    );
    note("chmod_open_file", {
        let file = File::open(outside("chmod_open_file"));
        file.and_then(|file| file.set_permissions(Permissions::from_mode(0o606)))
    });
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    note("chown", chown(outside("chown"), Some(user), Some(group)));
    note("utime", touch(&outside("utime")));
    note("utime_open_file", {
        let file = File::open(outside("utime_open_file"));
        file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
    });
    note("xattr", {
        let set = setxattr(outside("xattr"), ATTRIBUTE, b"x", XattrFlags::empty());
        set.map_err(Into::into)
    });
    note("symlink_swap", {
        let link = workspace("src/swapped");
        let swapped = fs::remove_file(&link).and_then(|()| symlink(outside("symlink_swap"), &link));
        swapped.and_then(|()| write_to(&link))
    });
    note("hard_link", {
        let link = workspace("src/linked");
        fs::hard_link(outside("hard_link"), &link).and_then(|()| append_to(&link))
    });
    note("read_secret", fs::read(&targets.secret).map(drop));
    note("read_unlisted", fs::read(&targets.unlisted).map(drop));
    note("read_accounts", fs::read("/etc/shadow").map(drop));
    if targets.tier == Tier::Bubblewrap {
        // Tier B has no separate user; there, the other attempts must fail even as root.
        note(
            "root_user",
            if getuid().is_root() {
                Ok(())
            } else {
                Err(io::ErrorKind::PermissionDenied.into())
            },
        );
    }
    note("kernel_settings", {
        let opened = KERNEL_FILES.map(|file| OpenOptions::new().write(true).open(file));
        // Opening even one of them is an escape.
        opened
            .into_iter()
            .reduce(|all, one| all.or(one))
            .map_or(Ok(()), |any| any.map(drop))
    });
    note("limits_of_another", limit_another(targets.app));
    for (name, result) in shared_memory(targets.app) {
        note(name, result);
    }
    note(
        "tcp",
        TcpStream::connect_timeout(&targets.tcp, Duration::from_millis(100)).map(drop),
    );
    note("udp", {
        let socket = UdpSocket::bind("0.0.0.0:0");
        socket
            .and_then(|socket| socket.send_to(b"x", targets.udp))
            .map(drop)
    });
    note(
        "unix_socket",
        UnixStream::connect(&targets.socket).map(drop),
    );
    note("abstract_socket", {
        let address = UnixAddr::from_abstract_name(&targets.abstract_name);
        address
            .and_then(|address| UnixStream::connect_addr(&address))
            .map(drop)
    });
    // Either end of the pair could send to any datagram socket.
    note("datagram_pair", UnixDatagram::pair().map(drop));
    note(
        "git_hooks",
        fs::write(workspace(".git/hooks/pre-commit"), "x"),
    );
    note("git_config", append_to(&workspace(".git/config")));
    note(
        "git_moved_head",
        fs::rename(workspace(".git/HEAD"), workspace("src/HEAD")),
    );
    note(
        "git_commondir",
        fs::write(workspace(".git/commondir"), "../src"),
    );
    note(
        "git_worktree",
        fs::write(workspace(".git/worktrees/side/commondir"), "../src"),
    );
    note(
        "git_submodule",
        append_to(&workspace(".git/modules/lib/config")),
    );
    note(
        "git_nested",
        append_to(&workspace("libs/nested/.git/config")),
    );
    note(
        "git_swap",
        fs::rename(workspace(".git"), workspace("src/git")),
    );
    note("planwright_folder", {
        let folder = workspace(".planwright");
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("settings.json"), "{}"))
    });
    note("plan_file", append_to(&workspace("plans/plan.md")));
    note(
        "plan_swap",
        fs::rename(workspace("plans"), workspace("src/plans")),
    );
    note("setsid_child", {
        let mut child = Command::new(&targets.helper);
        child
            .args([ARGUMENT, LINGER])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        child.status().map(drop)
    });
}

fn try_plan(targets: &Targets, tried: &mut Vec<Attempt>) {
    let mut note = |name: &str, result: io::Result<()>| tried.push(attempt(name, result));
    let file = targets.workspace.join("src/main.txt");
    note("plan_write", write_to(&file));
    note(
        "plan_create",
        fs::write(targets.workspace.join("src/created"), "x"),
    );
    note("plan_remove", fs::remove_file(&file));
    note(
        "plan_chmod",
        fs::set_permissions(&file, Permissions::from_mode(0o606)),
    );
    note("plan_chmod_open_file", {
        File::open(&file).and_then(|file| file.set_permissions(Permissions::from_mode(0o606)))
    });
    note("plan_utime", touch(&file));
    note("plan_utime_open_file", {
        File::open(&file).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
    });
    note("plan_inode_flags", {
        let file = File::open(&file);
        file.and_then(|file| ioctl_setflags(&file, IFlags::NODUMP).map_err(Into::into))
    });
    note("plan_fifo", {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fifo = open(targets.workspace.join("src/fifo"), flags, FileMode::empty());
        fifo.map_err(io::Error::from)
            .and_then(|fifo| File::from(fifo).write_all(b"x"))
    });
    note(
        "plan_private_file",
        fs::read_to_string(targets.workspace.join(".env")).and_then(|text| {
            // A covered file is empty.
            if text.is_empty() {
                Err(io::ErrorKind::NotFound.into())
            } else {
                Ok(())
            }
        }),
    );
    note("plan_datagram_pair", UnixDatagram::pair().map(drop));
    note("plan_xattr", {
        setxattr(&file, ATTRIBUTE, b"x", XattrFlags::empty()).map_err(Into::into)
    });
}

/// Kernel files that root can write as their owner.
const KERNEL_FILES: [&str; 4] = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sysrq-trigger",
];

/// The limit and the value that one attempt sets. The kernel ignores this limit, and nothing else
/// uses the value.
pub(super) const LIMIT: (Resource, u64) = (Resource::Locks, 4711);

fn limit_another(pid: i32) -> io::Result<()> {
    let limits = Rlimit {
        current: Some(LIMIT.1),
        maximum: None,
    };
    let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
    prlimit(Some(pid), LIMIT.0, limits)?;
    Ok(())
}

/// The name of a message queue.
pub(super) fn queue_name(number: i32) -> CString {
    CString::new(format!("/planwright-{number}")).unwrap_or_default()
}

/// Tries to create shared memory, message queues and a semaphore, which all processes of a user
/// share; each is named by the number.
#[allow(unsafe_code, reason = "these calls have no safe wrapper")]
fn shared_memory(number: i32) -> [(&'static str, io::Result<()>); 4] {
    let flags = libc::IPC_CREAT | 0o600;
    let name = queue_name(number);
    let said = |result: i64| {
        if result < 0 {
            Err(io::Error::last_os_error())
        } else {
            Ok(())
        }
    };
    // SAFETY: the only pointer is the name, which outlives the calls.
    unsafe {
        [
            (
                "sysv_shared_memory",
                said(libc::shmget(number, 1, flags).into()),
            ),
            ("sysv_messages", said(libc::msgget(number, flags).into())),
            (
                "sysv_semaphores",
                said(libc::semget(number, 1, flags).into()),
            ),
            (
                "posix_messages",
                said(
                    libc::mq_open(
                        name.as_ptr(),
                        libc::O_CREAT | libc::O_RDWR,
                        0o600,
                        std::ptr::null::<libc::mq_attr>(),
                    )
                    .into(),
                ),
            ),
        ]
    }
}

fn attempt(name: &str, result: io::Result<()>) -> Attempt {
    let refused = result.is_err();
    let detail = result
        .err()
        .map_or_else(|| "it succeeded".to_owned(), |error| error.to_string());
    Attempt {
        name: name.to_owned(),
        refused,
        detail,
    }
}

fn write_to(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .open(path)?
        .write_all(b"escaped")
}

fn append_to(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .append(true)
        .open(path)?
        .write_all(b"escaped")
}

fn touch(path: &Path) -> io::Result<()> {
    let time = Timespec {
        tv_sec: 1,
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: time,
        last_modification: time,
    };
    utimensat(CWD, path, &times, AtFlags::empty()).map_err(Into::into)
}

/// Leaves the session and starts a child without waiting for it.
pub(super) fn linger() -> ExitCode {
    let stays = setsid().map_err(io::Error::from).and_then(|_| {
        let mut child = Command::new("/proc/self/exe");
        child
            .args([ARGUMENT, STAY])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        child.stderr(Stdio::null()).spawn()
    });
    if stays.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Waits until it is killed.
pub(super) fn stay() -> ExitCode {
    loop {
        std::thread::park();
    }
}
