//! Set-up: what a fresh machine lacks is installed where that is allowed, and otherwise named in
//! one line that the user can run.
//!
//! Installs through apt only; never asks for a password; downloads nothing by itself.

use std::path::Path;

use crate::process::{Failure, cargo, on_path, output, program, run as start, succeeds};

/// The families of package managers that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Zypper,
}

/// A program that must be there, and its package in each family (apt, dnf, pacman, zypper).
struct Need {
    program: &'static str,
    packages: [&'static str; 4],
}

/// A C compiler stands here for completeness: without one, nothing written in Rust links, and
/// this program would not have started. It can still be absent under the name that the bundled
/// SQLite is built with.
const NEEDS: [Need; 5] = [
    // The sandbox of commands; its tests try to escape from the real thing.
    Need {
        program: "bwrap",
        packages: ["bubblewrap"; 4],
    },
    Need {
        program: "git",
        packages: ["git"; 4],
    },
    // The journeys plan and run a Python project.
    Need {
        program: "python3",
        packages: ["python3", "python3", "python", "python3"],
    },
    Need {
        program: "cc",
        packages: ["build-essential", "gcc", "base-devel", "gcc"],
    },
    Need {
        program: "pkg-config",
        packages: ["pkg-config", "pkgconf-pkg-config", "pkgconf", "pkg-config"],
    },
];

/// Installs or names what is missing.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    packages(root)?;
    components(root)
}

fn packages(root: &Path) -> Result<(), Failure> {
    let missing = missing(on_path);
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|need| need.program).collect();
    let names = names.join(", ");
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let Some(manager) = manager(&release) else {
        return Err(Failure::one(format!(
            "missing: {names}. Install them with the package manager of this system, then run \
             `cargo xtask test` again"
        )));
    };
    let line = install_line(manager, &missing);
    let by_hand = || {
        Failure::one(format!(
            "missing: {names}. Run this line, then try again:\n{line}"
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
    match self::missing(on_path).first() {
        None => Ok(()),
        Some(need) => Err(Failure::one(format!(
            "`{}` is still not on the PATH after its package was installed",
            need.program
        ))),
    }
}

/// The words before a command that needs root; `None` where a password would be asked for.
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

fn missing(found: impl Fn(&str) -> bool) -> Vec<&'static Need> {
    // Bubblewrap exists on Linux alone; elsewhere the sandbox has other tiers.
    let wanted = |need: &&Need| cfg!(target_os = "linux") || need.program != "bwrap";
    NEEDS
        .iter()
        .filter(wanted)
        .filter(|need| !found(need.program))
        .collect()
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

/// rustfmt and clippy, which a minimal toolchain leaves out.
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
            "the Rust toolchain lacks {names}, and there is no rustup to add them; install them \
             with the package manager that installed cargo"
        )));
    }
    let mut add = program(root, "rustup");
    add.args(["component", "add"]).args(&lacking);
    start(&mut add).map_err(|_| {
        Failure::one(format!(
            "rustup could not add {names} (it needs the network once). Run this line, then try \
             again:\nrustup component add {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::{Manager, install_line, manager, missing};

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
        let lacking = missing(|name| !["bwrap", "python3"].contains(&name));
        assert_eq!(
            install_line(Manager::Apt, &lacking),
            "sudo apt-get update && sudo apt-get install -y bubblewrap python3"
        );
        assert_eq!(
            install_line(Manager::Pacman, &lacking),
            "sudo pacman -S --needed bubblewrap python"
        );
    }

    #[test]
    fn a_complete_machine_lacks_nothing() {
        assert!(missing(|_| true).is_empty());
    }
}
