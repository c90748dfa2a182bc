//! Finds the program under test and ensures that it is built from the current sources.
//!
//! `cargo xtask test` builds it once and passes its path in `PLANWRIGHT_TEST_BINARY`. Otherwise
//! (`cargo test`, `cargo nextest run`, an editor), each test process runs cargo once, which is
//! quick if nothing changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The path of the real `planwright`.
///
/// # Panics
/// If it does not compile; cargo's messages are in the test's output.
pub fn planwright_binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match std::env::var_os("PLANWRIGHT_TEST_BINARY") {
        Some(path) => {
            let path = PathBuf::from(path);
            let there = path.is_file();
            assert!(
                there,
                "PLANWRIGHT_TEST_BINARY names {}, which isn't a file",
                path.display()
            );
            path
        }
        None => build(),
    })
}

/// The path of the real `planwright-desktop`, which `cargo xtask test` builds with the page
/// embedded.
///
/// # Panics
/// If it was not built. Cargo alone cannot build it, since the page is built by npm.
pub fn desktop_binary() -> PathBuf {
    let path = match std::env::var_os("PLANWRIGHT_TEST_DESKTOP") {
        Some(path) => PathBuf::from(path),
        None => planwright_binary().with_file_name("planwright-desktop"),
    };
    assert!(
        path.is_file(),
        "{} is missing; `cargo xtask test` builds it",
        path.display()
    );
    path
}

/// Builds the program into the target folder of this test, with the same profile.
fn build() -> PathBuf {
    let test = std::env::current_exe().expect("the test knows its own path");
    // <target>/<profile folder>/deps/<test>
    let profile = test
        .parent()
        .and_then(Path::parent)
        .expect("a test binary is two folders deep");
    let target = profile
        .parent()
        .expect("the profile folder is in the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args([
            "build",
            "--locked",
            "--package=planwright-cli",
            "--bin=planwright",
        ])
        .args(["--message-format=json-render-diagnostics", "--target-dir"])
        .arg(target);
    match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => {}
        Some(name) => {
            cargo.args(["--profile", name]);
        }
    }
    let output = cargo.stdin(Stdio::null()).output().expect("cargo starts");
    let messages = String::from_utf8_lossy(&output.stdout);
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "`planwright` does not build:\n{problems}"
    );
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "planwright")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the program it built")
}
