//! The user interface: its packages, checks, build and generated bindings.

use std::path::{Path, PathBuf};

use crate::process::{Failure, cargo, program, run as start};

/// A copy of the lock file from which the packages were installed.
const INSTALLED: &str = "node_modules/.installed-from";

/// The folder of the user interface.
fn folder(root: &Path) -> PathBuf {
    root.join("ui")
}

/// Installs the locked packages unless they are already installed.
pub(crate) fn install(root: &Path) -> Result<(), Failure> {
    let ui = folder(root);
    let lock = std::fs::read(ui.join("package-lock.json"))
        .map_err(|error| Failure::one(format!("can't read ui/package-lock.json: {error}")))?;
    if std::fs::read(ui.join(INSTALLED)).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    start(program(&ui, "npm").args(["ci", "--no-audit", "--no-fund"]))?;
    std::fs::write(ui.join(INSTALLED), lock)
        .map_err(|error| Failure::one(format!("can't write ui/{INSTALLED}: {error}")))
}

/// Checks types, lints, formatting and unit tests.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    install(root)?;
    let script = |name: &str| start(program(&folder(root), "npm").args(["run", "--silent", name]));
    let checked = script("check");
    let tested = script("test");
    checked.and(tested)
}

/// Builds the page that the desktop program embeds.
pub(crate) fn build(root: &Path) -> Result<(), Failure> {
    install(root)?;
    start(program(&folder(root), "npm").args(["run", "--silent", "build"]))
}

/// Generates the bindings for the desktop program's commands.
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
