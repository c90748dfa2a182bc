//! Set-up: installs what is missing on a fresh machine if no password is needed, and otherwise
//! prints one command for the user to run.
//!
//! Installs only through apt and never asks for a password. The only direct downloads are the user
//! interface's packages, as pinned by its lock file.

mod needs;

use std::path::Path;

use crate::process::{Failure, cargo, on_path, output, program, run as start, succeeds};
use crate::ui;
use needs::{NEEDS, Need, What};

pub(crate) use needs::Purpose;

/// The supported package managers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Zypper,
}

/// The oldest Node version that can build the user interface.
const NODE: u32 = 20;

/// Installs what is missing, or prints the command that installs it.
pub(crate) fn run(root: &Path, purpose: Purpose) -> Result<(), Failure> {
    packages(root, purpose)?;
    if purpose == Purpose::Test {
        components(root)?;
    }
    node(root)?;
    ui::install(root)
}

fn packages(root: &Path, purpose: Purpose) -> Result<(), Failure> {
    let found = |what: What| match what {
        What::Program(name) => on_path(name),
        What::Library(name) => succeeds(program(root, "pkg-config").args(["--exists", name])),
    };
    let missing = missing(purpose, found);
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|need| need.what.name()).collect();
    let names = names.join(", ");
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let Some(manager) = manager(&release) else {
        return Err(Failure::one(format!(
            "missing: {names}. Install them with your package manager, then try again"
        )));
    };
    let line = install_line(manager, &missing);
    let by_hand = || {
        Failure::one(format!(
            "missing: {names}. Run this command, then try again:\n{line}"
        ))
    };
    let Some(before) = privileges(root).filter(|_| manager == Manager::Apt) else {
        return Err(by_hand());
    };
    for words in [
        vec!["apt-get", "update"],
        [
            vec!["apt-get", "install", "-y", "--no-install-recommends"],
            package_names(manager, &missing),
        ]
        .concat(),
    ] {
        let words = [before.to_vec(), words].concat();
        let (name, arguments) = words.split_first().ok_or_else(by_hand)?;
        let mut apt = program(root, name);
        apt.args(arguments);
        start(apt.env("DEBIAN_FRONTEND", "noninteractive"))
            .map_err(|failure| Failure([failure.0, by_hand().0].concat()))?;
    }
    match self::missing(purpose, found).first() {
        None => Ok(()),
        Some(need) => Err(Failure::one(format!(
            "`{}` is still missing after installing its package",
            need.what.name()
        ))),
    }
}

/// The prefix for commands that need root; `None` if a password would be required.
fn privileges(root: &Path) -> Option<&'static [&'static str]> {
    if output(program(root, "id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        return Some(&[]);
    }
    succeeds(program(root, "sudo").args(["-n", "true"])).then_some(&[
        "sudo",
        "-n",
        "--preserve-env=DEBIAN_FRONTEND",
    ])
}

fn missing(purpose: Purpose, found: impl Fn(What) -> bool) -> Vec<&'static Need> {
    // Other systems use a different sandbox and have their own webview.
    let is_everywhere = |what: What| {
        let anywhere = ["git", "cc", "node", "npm", "python3"];
        cfg!(target_os = "linux") || anywhere.contains(&what.name())
    };
    NEEDS
        .iter()
        .filter(|need| need.from <= purpose && is_everywhere(need.what))
        .filter(|need| !found(need.what))
        .collect()
}

/// Checks the Node version. Distributions ship old ones for years, and failing here is clearer than
/// in the middle of a build.
fn node(root: &Path) -> Result<(), Failure> {
    let version = output(program(root, "node").arg("--version"))?;
    let too_old = major(&version).is_none_or(|major| major < NODE);
    if too_old {
        return Err(Failure::one(format!(
            "Node {} is too old: install Node {NODE} or newer from https://nodejs.org",
            version.trim()
        )));
    }
    Ok(())
}

/// The major version of a string such as `v20.19.1`.
fn major(version: &str) -> Option<u32> {
    version
        .trim()
        .strip_prefix('v')?
        .split('.')
        .next()?
        .parse()
        .ok()
}

fn manager(os_release: &str) -> Option<Manager> {
    let ids = os_release
        .lines()
        .filter_map(|line| {
            line.strip_prefix("ID=")
                .or_else(|| line.strip_prefix("ID_LIKE="))
        })
        .flat_map(|value| value.trim_matches(['"', '\'']).split_whitespace());
    for id in ids {
        return Some(match id {
            "debian" | "ubuntu" => Manager::Apt,
            "fedora" | "rhel" | "centos" => Manager::Dnf,
            "arch" => Manager::Pacman,
            "suse" | "opensuse" | "opensuse-leap" | "opensuse-tumbleweed" | "sles" => {
                Manager::Zypper
            }
            _ => continue,
        });
    }
    None
}

fn package_names(manager: Manager, needs: &[&Need]) -> Vec<&'static str> {
    let column = match manager {
        Manager::Apt => 0,
        Manager::Dnf => 1,
        Manager::Pacman => 2,
        Manager::Zypper => 3,
    };
    needs.iter().map(|need| need.packages[column]).collect()
}

fn install_line(manager: Manager, needs: &[&Need]) -> String {
    let names = package_names(manager, needs).join(" ");
    match manager {
        Manager::Apt => format!("sudo apt-get update && sudo apt-get install -y {names}"),
        Manager::Dnf => format!("sudo dnf install -y {names}"),
        Manager::Pacman => format!("sudo pacman -S --needed {names}"),
        Manager::Zypper => format!("sudo zypper install -y {names}"),
    }
}

/// Installs rustfmt and clippy, which a minimal toolchain lacks.
fn components(root: &Path) -> Result<(), Failure> {
    let lacking: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(command, _)| !succeeds(cargo(root).args([command, "--version"])))
        .map(|(_, component)| component)
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let names = lacking.join(" ");
    if !on_path("rustup") {
        return Err(Failure::one(format!(
            "the Rust toolchain is missing {names}, and rustup is not installed; install them \
             with the package manager that installed cargo"
        )));
    }
    let mut add = program(root, "rustup");
    add.args(["component", "add"]).args(&lacking);
    start(&mut add).map_err(|_| {
        Failure::one(format!(
            "rustup couldn't add {names} (this requires network access). Run this command, then \
             try again:\nrustup component add {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::{Manager, Purpose, install_line, major, manager, missing};

    #[test]
    fn each_family_is_known_by_its_os_release() {
        for (release, expected) in [
            (
                "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n",
                Some(Manager::Apt),
            ),
            ("ID=ubuntu\nID_LIKE=debian\n", Some(Manager::Apt)),
            (
                "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n",
                Some(Manager::Apt),
            ),
            (
                "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
                Some(Manager::Dnf),
            ),
            ("ID=fedora\n", Some(Manager::Dnf)),
            ("ID=manjaro\nID_LIKE=arch\n", Some(Manager::Pacman)),
            (
                "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n",
                Some(Manager::Zypper),
            ),
            ("ID=nixos\n", None),
            ("", None),
        ] {
            assert_eq!(manager(release), expected, "{release}");
        }
    }

    #[test]
    fn the_line_installs_exactly_what_is_missing() {
        let lacking = missing(Purpose::Test, |what| {
            !["bwrap", "webkit2gtk-4.1"].contains(&what.name())
        });
        assert_eq!(
            install_line(Manager::Apt, &lacking),
            "sudo apt-get update && sudo apt-get install -y bubblewrap libwebkit2gtk-4.1-dev"
        );
        assert_eq!(
            install_line(Manager::Pacman, &lacking),
            "sudo pacman -S --needed bubblewrap webkit2gtk-4.1"
        );
    }

    #[test]
    fn starting_the_window_needs_no_virtual_screen() {
        let names = |purpose| -> Vec<&str> {
            missing(purpose, |_| false)
                .iter()
                .map(|need| need.what.name())
                .collect()
        };
        assert!(!names(Purpose::Run).contains(&"Xvfb"));
        assert!(names(Purpose::Test).contains(&"Xvfb"));
        assert!(names(Purpose::Run).contains(&"webkit2gtk-4.1"));
    }

    #[test]
    fn a_complete_machine_lacks_nothing() {
        assert!(missing(Purpose::Test, |_| true).is_empty());
    }

    #[test]
    fn the_version_of_node_is_its_first_number() {
        assert_eq!(major("v20.19.1\n"), Some(20));
        assert_eq!(major("v8.0.0"), Some(8));
        assert_eq!(major("nightly"), None);
    }
}
