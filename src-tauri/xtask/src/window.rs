//! `cargo xtask run` and `cargo xtask demo`: build the window from source and open it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::process::{Failure, Programs, build_programs, cargo, program, run as start};
use crate::setup::{self, Purpose};
use crate::{display, ui};

/// Sets up, builds and opens the window, passing `words` to the program.
pub(crate) fn run(root: &Path, words: &[&str]) -> ExitCode {
    report((|| {
        setup::run(root, Purpose::Run)?;
        let programs = build(root)?;
        if !display::is_at_hand() {
            return Err(Failure::one(
                "the build succeeded, but there is no display for the window (DISPLAY and \
                 WAYLAND_DISPLAY are not set). `cargo xtask demo` runs a demo on a virtual \
                 display and saves screenshots to target/demo/.",
            ));
        }
        // The program starts in the repository root, but the user's paths are relative to the
        // current folder.
        let here = std::env::current_dir().unwrap_or_default();
        let words = words.iter().map(|word| match word.starts_with('-') {
            true => PathBuf::from(word),
            false => here.join(word),
        });
        start(program(root, programs.desktop).args(words))
    })())
}

/// Plays the whole demo in the real window, and leaves screenshots and a transcript in
/// `target/demo/`.
pub(crate) fn demo(root: &Path) -> ExitCode {
    report((|| {
        setup::run(root, Purpose::Test)?;
        let programs = build(root)?;
        let mut demo = cargo(root);
        demo.args([
            "test",
            "--locked",
            "--package=planwright-tests",
            "--test=demo",
            "--",
            "--nocapture",
        ]);
        programs.name_in(&mut demo);
        // Always uses the virtual screen, so that screenshots have the same size and no mouse
        // pointer.
        let display = display::Virtual::start(root)?;
        start(&mut display::on(&display, root, &demo))
    })())
}

fn build(root: &Path) -> Result<Programs, Failure> {
    ui::build(root)?;
    build_programs(root)
}

/// Prints a failure and returns the exit code.
pub(crate) fn report(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

impl Programs {
    /// Passes the program paths to the tests, so that they don't ask cargo each time.
    pub(crate) fn name_in(&self, command: &mut std::process::Command) {
        let named: [(&str, &OsStr); 2] = [
            ("PLANWRIGHT_TEST_BINARY", self.planwright.as_os_str()),
            ("PLANWRIGHT_TEST_DESKTOP", self.desktop.as_os_str()),
        ];
        command.envs(named);
    }
}
