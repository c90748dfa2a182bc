//! `cargo xtask deb`: the installable package for Debian and its kin, and a proof that it installs,
//! opens a window and leaves nothing behind.
//!
//! The package holds both programs, `planwright-desktop` and `planwright`, the entry in the desktop's
//! menu with its icons, and the licences. User data is never part of it and survives its removal.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::display::Virtual;
use crate::process::{
    Failure, build_programs, build_release_planwright, output, program, run as start, succeeds,
};
use crate::setup::{self, Purpose};
use crate::ui;

/// How long a window may take to show something.
const PATIENCE: Duration = Duration::from_secs(30);

/// A screen with fewer colours than this shows no window with text.
const COLOURS: u32 = 40;

/// How the programs in a package are built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Built {
    /// As they are shipped.
    Release,
    /// As the tests build them, which takes no second build: for looking at the package itself.
    ForTests,
}

/// Builds the package and says where it is.
pub(crate) fn build(root: &Path, how: Built) -> Result<PathBuf, Failure> {
    setup::run(root, Purpose::Run)?;
    ui::build(root)?;
    let terminal = match how {
        Built::Release => build_release_planwright(root)?,
        Built::ForTests => build_programs(root)?.planwright,
    };
    let extra = json!({"bundle": {"linux": {"deb": {"files": {"/usr/bin/planwright": terminal}}}}});
    let mut bundle = program(root, root.join("ui/node_modules/.bin/tauri"));
    bundle
        .args(["build", "--ci", "--bundles", "deb", "--config"])
        .arg(extra.to_string())
        .args((how == Built::ForTests).then_some("--debug"));
    start(bundle.args(["--", "--locked"]))?;
    // <target>/<profile>/planwright
    let folder = terminal.with_file_name("bundle").join("deb");
    let package = newest_deb(&folder)
        .ok_or_else(|| Failure::one(format!("no package was left in {}", folder.display())))?;
    println!("{}", package.display());
    Ok(package)
}

fn newest_deb(folder: &Path) -> Option<PathBuf> {
    let files = folder.read_dir().ok()?.flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "deb"))
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok())
}

/// Builds the package, installs it, opens its window on a virtual display, removes it, and looks at
/// what is left. Where installing needs a password, or the person has Planwright installed already, it
/// is unpacked instead and opened from there.
pub(crate) fn check(root: &Path, how: Built) -> Result<(), Failure> {
    setup::run(root, Purpose::Test)?;
    let package = build(root, how)?;
    let scratch = package.with_file_name("check");
    let _ = std::fs::remove_dir_all(&scratch);
    let made = std::fs::create_dir_all(scratch.join("home"));
    made.map_err(|error| Failure::one(format!("{} cannot be made: {error}", scratch.display())))?;

    let as_root = output(program(root, "id").arg("-u"))?.trim() == "0";
    let name = name_of(root, &package)?;
    let is_there = succeeds(program(root, "dpkg").args(["--status", &name]));
    let installed = if as_root && !is_there {
        start(program(root, "dpkg").arg("--install").arg(&package))?;
        Installed {
            root,
            top: PathBuf::from("/"),
            package: Some(name),
        }
    } else {
        let top = scratch.join("unpacked");
        start(
            program(root, "dpkg-deb")
                .arg("--extract")
                .arg(&package)
                .arg(&top),
        )?;
        Installed {
            root,
            top,
            package: None,
        }
    };
    let files = files_of(root, &package)?;
    let opened = opens(&installed, &scratch);
    let data_before = installed.user_data(&scratch);
    let removed = installed.remove(&files);
    opened?;
    removed?;
    if !data_before || !scratch.join("home/data").is_dir() {
        return Err(Failure::one("the user's data did not outlive the package"));
    }
    println!(
        "installed, opened, removed: {} files, none left; user data kept",
        files.len()
    );
    Ok(())
}

/// The package as it stands on this machine.
struct Installed<'a> {
    root: &'a Path,
    top: PathBuf,
    /// Its name, where the package manager knows it.
    package: Option<String>,
}

impl Installed<'_> {
    fn program(&self, name: &str) -> PathBuf {
        self.top.join("usr/bin").join(name)
    }

    fn user_data(&self, scratch: &Path) -> bool {
        scratch.join("home/data").is_dir()
    }

    /// Removes it; fails when one of its files is still there.
    fn remove(&self, files: &[PathBuf]) -> Result<(), Failure> {
        match &self.package {
            Some(name) => start(program(self.root, "dpkg").args(["--purge", name]))?,
            None => std::fs::remove_dir_all(&self.top)
                .map_err(|error| Failure::one(format!("not removed: {error}")))?,
        }
        let left = files.iter().map(|file| self.top.join(file));
        let left = left.filter(|file| file.symlink_metadata().is_ok());
        Failure::unless_empty(
            left.map(|file| format!("{} was left behind", file.display()))
                .collect(),
        )
    }
}

fn name_of(root: &Path, package: &Path) -> Result<String, Failure> {
    let field = output(
        program(root, "dpkg-deb")
            .arg("--field")
            .arg(package)
            .arg("Package"),
    )?;
    Ok(field.trim().to_owned())
}

/// The files of a package, relative to where it is installed; folders belong to everybody.
fn files_of(root: &Path, package: &Path) -> Result<Vec<PathBuf>, Failure> {
    let list = output(program(root, "dpkg-deb").arg("--contents").arg(package))?;
    let files: Vec<PathBuf> = list.lines().filter_map(listed_file).collect();
    let wanted = [
        "usr/bin/planwright",
        "usr/bin/planwright-desktop",
        "usr/share/applications/Planwright.desktop",
        "usr/share/doc/planwright/LICENSE-MIT",
        "usr/share/doc/planwright/LICENSE-APACHE",
    ];
    let lacking = wanted
        .iter()
        .filter(|path| !files.iter().any(|file| file == Path::new(path)));
    let lacking: Vec<String> = lacking
        .map(|path| format!("the package lacks /{path}"))
        .collect();
    Failure::unless_empty(lacking).map(|()| files)
}

/// The path in a line of `dpkg-deb --contents`: `-rwxr-xr-x 0/0 123 2026-01-01 00:00 ./usr/bin/x`.
fn listed_file(line: &str) -> Option<PathBuf> {
    let path = line.split_whitespace().nth(5)?;
    let is_folder = line.starts_with('d');
    (!is_folder).then(|| PathBuf::from(path.trim_start_matches("./")))
}

/// Starts both programs: the terminal answers, the window shows something.
fn opens(installed: &Installed<'_>, scratch: &Path) -> Result<(), Failure> {
    let root = installed.root;
    if !succeeds(program(root, installed.program("planwright")).arg("--version")) {
        return Err(Failure::one("the installed `planwright` does not start"));
    }
    let display = Virtual::start(root)?;
    let empty = colours(&display, scratch)?;
    let mut window = display.command(root, installed.program("planwright-desktop"));
    window
        .env("PLANWRIGHT_HOME", scratch.join("home"))
        .env("HOME", scratch);
    let window = window.stdin(Stdio::null()).spawn();
    let mut window =
        Started(window.map_err(|error| Failure::one(format!("not started: {error}")))?);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let seen = colours(&display, scratch)?;
        if seen >= empty + COLOURS && scratch.join("home/data").is_dir() {
            return Ok(());
        }
        if let Ok(Some(status)) = window.0.try_wait() {
            return Err(Failure::one(format!(
                "the installed window ended with {status}"
            )));
        }
        if Instant::now() > deadline {
            return Err(Failure::one(format!(
                "the installed window showed nothing within {} s; the screen is in {}",
                PATIENCE.as_secs(),
                screen(scratch).display()
            )));
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// A program that ends with this.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn screen(scratch: &Path) -> PathBuf {
    scratch.join("screen.png")
}

/// How many colours the screen shows.
fn colours(display: &Virtual, scratch: &Path) -> Result<u32, Failure> {
    let mut picture = program(scratch, "import");
    picture.args(["-window", "root"]).arg(screen(scratch));
    display.dress(&mut picture);
    if !succeeds(&mut picture) {
        return Err(Failure::one("the virtual screen could not be read"));
    }
    let count = output(
        program(scratch, "identify")
            .args(["-format", "%k"])
            .arg(screen(scratch)),
    )?;
    count
        .trim()
        .parse()
        .map_err(|_| Failure::one(format!("`identify` printed {count}")))
}

#[cfg(test)]
mod tests {
    use super::listed_file;
    use std::path::Path;

    #[test]
    fn files_are_listed_without_their_folders() {
        let file = "-rwxr-xr-x 0/0        9123456 2026-01-01 00:00 ./usr/bin/planwright";
        assert_eq!(
            listed_file(file).as_deref(),
            Some(Path::new("usr/bin/planwright"))
        );
        let folder = "drwxr-xr-x 0/0              0 2026-01-01 00:00 ./usr/bin/";
        assert_eq!(listed_file(folder), None);
    }
}
