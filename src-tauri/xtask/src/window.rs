//! `cargo xtask run` and `cargo xtask demo`: the window, built from the sources and opened.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::process::{Failure, Programs, build_programs, cargo, program, run as start};
use crate::setup::{self, Purpose};
use crate::{display, ui};

/// Sets up, builds and opens the window; `words` are handed to the program.
pub(crate) fn run(root: &Path, words: &[&str]) -> ExitCode {
    report((|| {
        setup::run(root, Purpose::Run)?;
        let programs = build(root)?;
        if !display::is_at_hand() {
            return Err(Failure::one(
                "Built, but there is no display to open the window on (DISPLAY and WAYLAND_DISPLAY are \
                 not set). `cargo xtask demo` plays the whole job in a window on a virtual display and \
                 leaves pictures of it in target/demo/.",
            ));
        }
        // The program starts in the top folder; a path is meant in the folder of whoever typed it.
        let here = std::env::current_dir().unwrap_or_default();
        let words = words.iter().map(|word| match word.starts_with('-') {
            true => PathBuf::from(word),
            false => here.join(word),
        });
        start(program(root, programs.desktop).args(words))
    })())
}

/// Plays the whole job in the real window; pictures and a transcript are left in `target/demo/`.
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
        // Always on the virtual screen: the pictures then have one size, and nobody's mouse is in them.
        let display = display::Virtual::start(root)?;
        start(&mut display::on(&display, root, &demo))
    })())
}

fn build(root: &Path) -> Result<Programs, Failure> {
    ui::build(root)?;
    build_programs(root)
}

/// Ends the program with what came of it.
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
    /// Tells tests which programs to use, so that they do not ask cargo each time.
    pub(crate) fn name_in(&self, command: &mut std::process::Command) {
        let named: [(&str, &OsStr); 2] = [
            ("PLANWRIGHT_TEST_BINARY", self.planwright.as_os_str()),
            ("PLANWRIGHT_TEST_DESKTOP", self.desktop.as_os_str()),
        ];
        command.envs(named);
    }
}
