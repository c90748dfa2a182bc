//! A display to open windows on: the one at hand, or a virtual one that ends with its last user.
//!
//! Windows also need a session bus. One is started for the command, so that nothing that happens in a
//! test reaches the person's own desktop.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::process::{Failure, program};

/// Width, height and depth of the virtual screen.
const SCREEN: &str = "1400x900x24";

/// Whether windows can be opened on a display of the person's own.
pub(crate) fn is_at_hand() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// A virtual display, for as long as this lives.
pub(crate) struct Virtual {
    server: Child,
    name: String,
}

impl Virtual {
    /// Starts one under a free number and waits until it takes windows.
    ///
    /// # Errors
    /// When Xvfb is missing or does not start.
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
            .map_err(|error| Failure::one(format!("`Xvfb` could not be started: {error}")))?;
        let mut number = String::new();
        // The server writes its number when it is ready, or closes the pipe when it ends.
        let read = server
            .stdout
            .take()
            .map(|pipe| BufReader::new(pipe).read_line(&mut number));
        let number = number.trim();
        if !matches!(read, Some(Ok(1..))) || number.is_empty() {
            let _ = server.kill();
            let _ = server.wait();
            return Err(Failure::one("`Xvfb` ended before it was ready"));
        }
        Ok(Self {
            name: format!(":{number}"),
            server,
        })
    }

    /// A command whose windows open here, on a session bus of its own.
    pub(crate) fn command(&self, root: &Path, name: impl AsRef<OsStr>) -> Command {
        let mut command = program(root, "dbus-run-session");
        command.arg("--").arg(name);
        self.dress(&mut command);
        command
    }

    /// Points a command that needs no bus at this display.
    pub(crate) fn dress(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("GDK_BACKEND", "x11")
            // Nothing here can read the screen aloud, and asking for it takes a second a window.
            .env("NO_AT_BRIDGE", "1");
    }
}

impl Drop for Virtual {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Moves a command, with its arguments, folder and variables, onto the display.
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
