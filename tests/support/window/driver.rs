//! `WebKitWebDriver` as a process, and the program that it starts.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Home, wait_until};

/// A driver process that ends on drop.
pub(super) struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    /// Starts a driver on a free port. The program that it starts inherits its environment.
    pub(super) fn start(home: &Home) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        assert!(
            is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"),
            "window tests need a display; `cargo xtask test` provides one"
        );
        let port = free_port();
        let mut command = Command::new("WebKitWebDriver");
        command
            .arg(format!("--port={port}"))
            .arg("--host=127.0.0.1");
        home.dress(&mut command);
        let process = command
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            // A separate process group, so that the driver can be ended with everything it started.
            .process_group(0)
            .spawn()
            .expect("WebKitWebDriver starts (Debian package webkit2gtk-driver)");
        let driver = Self { process, port };
        wait_until("the driver to listen", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        driver
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("a bound address").port()
}

/// Ends every desktop program that uses this home, and waits until it is gone: a program that is
/// still running would keep the focus away from the next window.
pub(super) fn end_all(home: &Path) {
    // Several programs run at once only while a new one hands over to an old one.
    let is_gone = || match process_of(home) {
        Some(id) => {
            kill(id);
            false
        }
        None => true,
    };
    crate::wait_until("the program to be gone", is_gone);
}

/// The process id of the desktop program that uses this home.
pub(super) fn process_of(home: &Path) -> Option<u32> {
    let binary = crate::desktop_binary();
    let wanted = format!("PLANWRIGHT_HOME={}", home.display());
    let entries = std::fs::read_dir("/proc").ok()?;
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .find(|id| {
            let program = std::fs::read_link(format!("/proc/{id}/exe")).unwrap_or_default();
            program == binary
                && has_variable(*id, &wanted)
                && !is_zombie(*id)
                // Ignores helpers of sandboxed commands, which run the same program as children of
                // the window.
                && std::fs::read_link(format!("/proc/{}/exe", parent_of(*id)))
                    .map_or(true, |parent| parent != binary)
        })
}

fn parent_of(id: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok())
        .unwrap_or_default()
}

fn has_variable(id: u32, wanted: &str) -> bool {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(format!("/proc/{id}/environ"));
    // A process may end while it is being read.
    let _ = opened.and_then(|mut file| file.read_to_end(&mut bytes));
    bytes
        .split(|byte| *byte == 0)
        .any(|variable| variable == wanted.as_bytes())
}

fn is_zombie(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| rest.starts_with('Z'))
}

/// Kills one process with SIGKILL.
pub(super) fn kill(id: u32) {
    let id = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
    }
}
