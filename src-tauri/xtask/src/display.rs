//! A display for windows: the existing one, or a virtual one that ends once nothing uses it.
//!
//! Windows also need a session bus. A private one is started for each command, so that tests never
//! reach the user's own desktop.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::process::{Failure, program};

/// Width, height and depth of the virtual screen.
const SCREEN: &str = "1400x900x24";

/// Whether the user's own display can be used.
pub(crate) fn is_at_hand() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// A virtual display that is stopped on drop.
pub(crate) struct Virtual {
    server: Child,
    name: String,
}

impl Virtual {
    /// Starts a virtual display on a free display number and waits until it accepts windows.
    ///
    /// # Errors
    /// If Xvfb is missing or does not start.
    pub(crate) fn start(root: &Path) -> Result<Self, Failure> {
        let mut server = program(root, "Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                SCREEN,
                "-nolisten",
                "tcp",
                "-noreset",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::one(format!("couldn't start `Xvfb`: {error}")))?;
        let mut number = String::new();
        // Xvfb writes its display number when it is ready and closes the pipe if it exits.
        let read = server
            .stdout
            .take()
            .map(|pipe| BufReader::new(pipe).read_line(&mut number));
        let number = number.trim();
        if !matches!(read, Some(Ok(1..))) || number.is_empty() {
            let _ = server.kill();
            let _ = server.wait();
            return Err(Failure::one("`Xvfb` exited before it was ready"));
        }
        Ok(Self {
            name: format!(":{number}"),
            server,
        })
    }

    /// A command whose windows open on this display, with its own session bus.
    pub(crate) fn command(&self, root: &Path, name: impl AsRef<OsStr>) -> Command {
        let mut command = program(root, "dbus-run-session");
        command.arg("--").arg(name);
        self.dress(&mut command);
        command
    }

    /// Sets the display for a command that needs no session bus.
    pub(crate) fn dress(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("GDK_BACKEND", "x11")
            // No screen reader runs here, and looking for one costs a second per window.
            .env("NO_AT_BRIDGE", "1");
    }
}

impl Drop for Virtual {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Wraps a command to run on the display, keeping its arguments, folder and environment.
pub(crate) fn on(display: &Virtual, root: &Path, command: &Command) -> Command {
    let mut moved = display.command(root, command.get_program());
    moved.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        moved.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => moved.env(name, value),
            None => moved.env_remove(name),
        };
    }
    moved
}
