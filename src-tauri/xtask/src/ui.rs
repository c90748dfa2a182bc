//! The user interface: its packages, its checks, its build, and the bindings it is typed by.

use std::path::{Path, PathBuf};

use crate::process::{Failure, cargo, program, run as start};

/// A copy of the lock file, kept inside of what was installed from it.
const INSTALLED: &str = "node_modules/.installed-from";

/// Where it lies.
fn folder(root: &Path) -> PathBuf {
    root.join("ui")
}

/// Installs the locked packages; nothing happens when they are there.
pub(crate) fn install(root: &Path) -> Result<(), Failure> {
    let ui = folder(root);
    let lock = std::fs::read(ui.join("package-lock.json"))
        .map_err(|error| Failure::one(format!("ui/package-lock.json cannot be read: {error}")))?;
    if std::fs::read(ui.join(INSTALLED)).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    start(program(&ui, "npm").args(["ci", "--no-audit", "--no-fund"]))?;
    std::fs::write(ui.join(INSTALLED), lock)
        .map_err(|error| Failure::one(format!("ui/{INSTALLED} cannot be written: {error}")))
}

/// Types, lint and format, unit tests.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    install(root)?;
    let script = |name: &str| start(program(&folder(root), "npm").args(["run", "--silent", name]));
    let checked = script("check");
    let tested = script("test");
    checked.and(tested)
}

/// Builds what the desktop program carries inside.
pub(crate) fn build(root: &Path) -> Result<(), Failure> {
    install(root)?;
    start(program(&folder(root), "npm").args(["run", "--silent", "build"]))
}

/// Writes the bindings that the commands of the desktop program give.
pub(crate) fn write_bindings(root: &Path) -> Result<(), Failure> {
    let mut test = cargo(root);
    test.args([
        "test",
        "--quiet",
        "--locked",
        "--package=planwright-desktop",
    ]);
    test.args(["bindings_are_those_of_the_commands"]);
    start(test.env("PLANWRIGHT_WRITE_BINDINGS", "1"))
}
