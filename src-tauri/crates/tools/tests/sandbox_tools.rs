//! The tools that plans use work in the sandbox, within the limitations of each tier.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;
use std::process::Command;

use support::{Place, every_tier, sealed_tiers};
use tools::sandbox::{Mode, Sandbox, Tier};

fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn succeeds(place: &Place, sandbox: &Sandbox, line: &str, mode: Mode) {
    let outcome = place.run(sandbox, &place.shell(line, mode)).unwrap();
    assert!(
        outcome.exit.is_success(),
        "{:?} {line}: {}",
        sandbox.tier(),
        outcome.text()
    );
}

#[test]
fn toolchains_start_in_every_tier_and_mode() {
    for (place, sandbox) in every_tier() {
        for program in ["cargo", "rustc", "python3", "node", "git", "npm"] {
            if !is_installed(program) {
                continue;
            }
            for mode in [Mode::Exec, Mode::Plan] {
                if sandbox.tier() != Tier::None || mode == Mode::Exec {
                    succeeds(&place, &sandbox, &format!("{program} --version"), mode);
                }
            }
        }
    }
}

#[test]
fn python_tests_run() {
    if !is_installed("python3") {
        return;
    }
    for (place, sandbox) in every_tier() {
        let test = "import subprocess, tempfile, unittest\n\
            class T(unittest.TestCase):\n def test(self):\n  tempfile.mkdtemp()\n\
            \x20 self.assertEqual(subprocess.check_output(['echo', 'a']), b'a\\n')\n";
        fs::write(place.workspace.join("src/test_it.py"), test).unwrap();
        succeeds(
            &place,
            &sandbox,
            "cd src && python3 -m unittest",
            Mode::Exec,
        );
        if sandbox.tier() != Tier::None {
            succeeds(
                &place,
                &sandbox,
                "cd src && python3 -m unittest",
                Mode::Plan,
            );
        }
    }
}

#[test]
fn a_crate_builds_and_its_tests_run_offline() {
    if !is_installed("cargo") {
        return;
    }
    for (place, sandbox) in every_tier() {
        // Make the package a separate Cargo workspace, since the scratch folder may be inside
        // another one.
        let manifest =
            "[workspace]\n[package]\nname = \"it\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        let lock = "version = 4\n[[package]]\nname = \"it\"\nversion = \"0.1.0\"\n";
        fs::write(place.workspace.join("Cargo.toml"), manifest).unwrap();
        fs::write(place.workspace.join("Cargo.lock"), lock).unwrap();
        fs::write(place.workspace.join("src/lib.rs"), "#[test]\nfn t() {}\n").unwrap();
        succeeds(&place, &sandbox, "cargo test --lib", Mode::Exec);
        if sandbox.tier() != Tier::None {
            succeeds(&place, &sandbox, "cargo test --lib", Mode::Plan);
        }
    }
}

#[test]
fn git_reads_everywhere_and_commits_in_namespaces() {
    if !is_installed("git") {
        return;
    }
    for (place, sandbox) in sealed_tiers() {
        fs::remove_dir_all(place.workspace.join(".git")).unwrap();
        let made = Command::new("git")
            .args(["init", "-q"])
            .current_dir(&place.workspace)
            .status();
        assert!(made.unwrap().success());
        succeeds(&place, &sandbox, "git status --short", Mode::Plan);
        succeeds(
            &place,
            &sandbox,
            "git status --short && git diff",
            Mode::Exec,
        );
        if sandbox.tier() == Tier::Bubblewrap {
            let commit = "git -c user.name=a -c user.email=a@b commit -qm one";
            let line = format!("git add -A && {commit} && git log --oneline");
            succeeds(&place, &sandbox, &line, Mode::Exec);
            assert!(!place.workspace.join(".git/commondir").exists());
        }
    }
}

#[test]
fn a_local_server_can_be_tested_in_namespaces() {
    if !is_installed("python3") {
        return;
    }
    for (place, sandbox) in sealed_tiers() {
        if sandbox.tier() == Tier::Bubblewrap {
            let test = "import socket, multiprocessing\n\
                s = socket.create_server(('127.0.0.1', 0))\n\
                socket.create_connection(s.getsockname())\n\
                multiprocessing.Lock()\n";
            fs::write(place.workspace.join("src/server.py"), test).unwrap();
            succeeds(&place, &sandbox, "python3 src/server.py", Mode::Exec);
        }
    }
}

#[test]
fn a_workspace_with_blanks_and_other_letters_in_its_name_works() {
    for (mut place, sandbox) in every_tier() {
        let odd = place
            .home
            .parent()
            .unwrap()
            .canonicalize()
            .unwrap()
            .join("ä b\"c");
        fs::rename(&place.workspace, &odd).unwrap();
        place.workspace = odd.clone();
        succeeds(&place, &sandbox, "pwd; echo x > src/y", Mode::Exec);
        assert!(odd.join("src/y").is_file());
    }
}
