//! `cargo xtask deb`: builds the package for Debian and its derivatives, and checks that it
//! installs, opens a window and leaves nothing behind when removed.
//!
//! The package contains both programs, `planwright-desktop` and `planwright`, the desktop entry
//! with its icons, the manual pages and shell completions of `planwright`, and the licenses. It
//! never contains user data, and removing it leaves user data alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::display::Virtual;
use crate::process::{
    Failure, build_programs, build_release_planwright, output, program, run as start, succeeds,
};
use crate::setup::{self, Purpose};
use crate::ui;

/// How long to wait for a window to show something.
const PATIENCE: Duration = Duration::from_secs(30);

/// With fewer colors than this on the screen, no window with text is showing.
const COLOURS: u32 = 40;

/// Which build of the programs to package.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Built {
    /// The release build.
    Release,
    /// The tests' build, which saves a second build when only the package itself is checked.
    ForTests,
}

/// Builds the package and returns its path.
pub(crate) fn build(root: &Path, how: Built) -> Result<PathBuf, Failure> {
    setup::run(root, Purpose::Run)?;
    ui::build(root)?;
    let terminal = match how {
        Built::Release => build_release_planwright(root)?,
        Built::ForTests => build_programs(root)?.planwright,
    };
    let mut files = shell_files(root, &terminal)?;
    files.insert("/usr/bin/planwright".to_owned(), json!(terminal));
    let extra = json!({"bundle": {"linux": {"deb": {"files": files}}}});
    let mut bundle = program(root, root.join("ui/node_modules/.bin/tauri"));
    bundle
        .args(["build", "--ci", "--bundles", "deb", "--config"])
        .arg(extra.to_string())
        .args((how == Built::ForTests).then_some("--debug"));
    start(bundle.args(["--", "--locked"]))?;
    // <target>/<profile>/planwright
    let folder = terminal.with_file_name("bundle").join("deb");
    let package = newest_deb(&folder)
        .ok_or_else(|| Failure::one(format!("no package found in {}", folder.display())))?;
    println!("{}", package.display());
    Ok(package)
}

/// Folders where shells on Debian look for completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "/usr/share/bash-completion/completions/planwright"),
    ("zsh", "/usr/share/zsh/vendor-completions/_planwright"),
    (
        "fish",
        "/usr/share/fish/vendor_completions.d/planwright.fish",
    ),
];

/// Writes the manual pages and completions of the terminal program, and returns where each file is
/// installed.
fn shell_files(root: &Path, terminal: &Path) -> Result<Map<String, Value>, Failure> {
    let folder = terminal.with_file_name("shell-files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| unusable(&folder, &error))?;
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        let written = std::fs::write(&file, text);
        written
            .map_err(|error| unusable(&file, &error))
            .map(|()| file)
    };
    let manual = output(program(root, terminal).arg("manual"))?;
    let manual: BTreeMap<String, String> = serde_json::from_str(&manual)
        .map_err(|error| Failure::one(format!("invalid `planwright manual` JSON: {error}")))?;
    let mut files = Map::new();
    for (name, text) in manual {
        // Debian compresses pages like this; `-n` leaves out the time, so builds are reproducible.
        start(
            program(root, "gzip")
                .args(["-9", "-n"])
                .arg(write(&name, &text)?),
        )?;
        let page = folder.join(format!("{name}.gz"));
        files.insert(format!("/usr/share/man/man1/{name}.gz"), json!(page));
    }
    for (shell, place) in COMPLETIONS {
        let script = output(program(root, terminal).args(["completions", shell]))?;
        files.insert(place.to_owned(), json!(write(shell, &script)?));
    }
    Ok(files)
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::one(format!("{}: {error}", path.display()))
}

fn newest_deb(folder: &Path) -> Option<PathBuf> {
    let files = folder.read_dir().ok()?.flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "deb"))
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok())
}

/// Builds the package, installs it, opens its window on a virtual display, removes it, and checks
/// that nothing is left. If installing needs a password or Planwright is already installed, unpacks
/// the package and starts the programs from there instead.
pub(crate) fn check(root: &Path, how: Built) -> Result<(), Failure> {
    setup::run(root, Purpose::Test)?;
    let package = build(root, how)?;
    let scratch = package.with_file_name("check");
    let _ = std::fs::remove_dir_all(&scratch);
    let made = std::fs::create_dir_all(scratch.join("home"));
    made.map_err(|error| Failure::one(format!("can't create {}: {error}", scratch.display())))?;

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
        return Err(Failure::one(
            "removing the package also removed the user's data",
        ));
    }
    println!(
        "installed, opened and removed {} files; none left behind, user data kept",
        files.len()
    );
    Ok(())
}

/// The package as installed or unpacked on this machine.
struct Installed<'a> {
    root: &'a Path,
    top: PathBuf,
    /// Its package name, if it was installed through the package manager.
    package: Option<String>,
}

impl Installed<'_> {
    fn program(&self, name: &str) -> PathBuf {
        self.top.join("usr/bin").join(name)
    }

    fn user_data(&self, scratch: &Path) -> bool {
        scratch.join("home/data").is_dir()
    }

    /// Removes the package. Fails if any of its files remain.
    fn remove(&self, files: &[PathBuf]) -> Result<(), Failure> {
        match &self.package {
            Some(name) => start(program(self.root, "dpkg").args(["--purge", name]))?,
            None => std::fs::remove_dir_all(&self.top)
                .map_err(|error| Failure::one(format!("couldn't remove the package: {error}")))?,
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

/// The files of a package, relative to its install root. Folders are left out because packages
/// share them.
fn files_of(root: &Path, package: &Path) -> Result<Vec<PathBuf>, Failure> {
    let list = output(program(root, "dpkg-deb").arg("--contents").arg(package))?;
    let files: Vec<PathBuf> = list.lines().filter_map(listed_file).collect();
    let wanted = [
        "usr/bin/planwright",
        "usr/bin/planwright-desktop",
        "usr/share/applications/Planwright.desktop",
        "usr/share/man/man1/planwright.1.gz",
        "usr/share/man/man1/planwright-run.1.gz",
        "usr/share/bash-completion/completions/planwright",
        "usr/share/zsh/vendor-completions/_planwright",
        "usr/share/fish/vendor_completions.d/planwright.fish",
        "usr/share/doc/planwright/LICENSE-MIT",
        "usr/share/doc/planwright/LICENSE-APACHE",
    ];
    let lacking = wanted
        .iter()
        .filter(|path| !files.iter().any(|file| file == Path::new(path)));
    let lacking: Vec<String> = lacking
        .map(|path| format!("the package is missing /{path}"))
        .collect();
    Failure::unless_empty(lacking).map(|()| files)
}

/// The path in a line of `dpkg-deb --contents`: `-rwxr-xr-x 0/0 123 2026-01-01 00:00 ./usr/bin/x`.
fn listed_file(line: &str) -> Option<PathBuf> {
    let path = line.split_whitespace().nth(5)?;
    let is_folder = line.starts_with('d');
    (!is_folder).then(|| PathBuf::from(path.trim_start_matches("./")))
}

/// Checks that both programs start: the terminal program answers and the window shows something.
fn opens(installed: &Installed<'_>, scratch: &Path) -> Result<(), Failure> {
    let root = installed.root;
    if !succeeds(program(root, installed.program("planwright")).arg("--version")) {
        return Err(Failure::one("the installed `planwright` doesn't start"));
    }
    let display = Virtual::start(root)?;
    let empty = colours(&display, scratch)?;
    let mut window = display.command(root, installed.program("planwright-desktop"));
    window
        .env("PLANWRIGHT_HOME", scratch.join("home"))
        .env("HOME", scratch);
    let window = window.stdin(Stdio::null()).spawn();
    let mut window = Started(
        window.map_err(|error| Failure::one(format!("couldn't start the desktop app: {error}")))?,
    );
    let deadline = Instant::now() + PATIENCE;
    loop {
        let seen = colours(&display, scratch)?;
        if seen >= empty + COLOURS && scratch.join("home/data").is_dir() {
            return Ok(());
        }
        if let Ok(Some(status)) = window.0.try_wait() {
            return Err(Failure::one(format!(
                "the installed desktop app exited with {status}"
            )));
        }
        if Instant::now() > deadline {
            return Err(Failure::one(format!(
                "the installed window was still blank after {} s; screenshot: {}",
                PATIENCE.as_secs(),
                screen(scratch).display()
            )));
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// A child process that is killed on drop.
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

/// Counts the colors on the screen.
fn colours(display: &Virtual, scratch: &Path) -> Result<u32, Failure> {
    let mut picture = program(scratch, "import");
    picture.args(["-window", "root"]).arg(screen(scratch));
    display.dress(&mut picture);
    if !succeeds(&mut picture) {
        return Err(Failure::one("couldn't capture the virtual screen"));
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
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{listed_file, shell_files};

    #[test]
    fn pages_are_compressed_and_each_file_has_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let terminal = folder.path().join("planwright");
        let script = "#!/bin/sh\ncase $1 in\n\
                      manual) echo '{\"planwright.1\": \"page\"}' ;;\n\
                      completions) echo \"for $2\" ;;\nesac\n";
        std::fs::write(&terminal, script).unwrap();
        std::fs::set_permissions(&terminal, PermissionsExt::from_mode(0o755)).unwrap();
        let files = shell_files(folder.path(), &terminal).unwrap();
        let file = |place: &str| Path::new(files[place].as_str().unwrap());
        assert!(file("/usr/share/man/man1/planwright.1.gz").is_file());
        let fish = file("/usr/share/fish/vendor_completions.d/planwright.fish");
        assert_eq!(std::fs::read_to_string(fish).unwrap(), "for fish\n");
        assert_eq!(files.len(), 4);
    }

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
