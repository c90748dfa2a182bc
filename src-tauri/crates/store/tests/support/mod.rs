//! A separate data folder with one run to write to.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]
#![allow(dead_code, reason = "each test program uses its part")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sha2::{Digest, Sha256};
use store::{Author, NewRevision, NewRun, Store};

pub(crate) const PLAN: &str = "/w/plans/a.md";
pub(crate) const RUN: &str = "r1";

pub(crate) fn open(folder: &Path) -> Store {
    let (store, report) = Store::open(folder, 0).unwrap();
    assert_eq!(report.damaged, None);
    store
}

pub(crate) fn database(folder: &Path) -> PathBuf {
    folder.join("planwright.db")
}

pub(crate) fn record(store: &Store, content: &[u8]) -> String {
    let hash: String = Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let revision = NewRevision {
        plan: PLAN,
        hash: &hash,
        parent: None,
        author: Author::Person,
        reason: "test",
        at_ms: 1,
        content,
    };
    store.revisions().record(&revision).unwrap();
    hash
}

/// Creates a run with `entries` journal entries.
pub(crate) fn run(store: &Store, entries: usize) {
    let revision = record(store, b"a plan");
    let run = NewRun {
        id: RUN,
        plan: PLAN,
        workspace: "/w",
        revision: &revision,
        policy: "all",
        state: "running",
        title: "A plan",
        at_ms: 1,
    };
    store.runs().create(&run).unwrap();
    let entries = vec![("step", "{\"text\":\"0123456789\"}"); entries];
    store.journal().append(RUN, 1, &entries, 2).unwrap();
}

pub(crate) fn entries(store: &Store) -> usize {
    store.journal().read(RUN).unwrap().len()
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Starts this test program again, running only `test`, with the folder in its environment.
pub(crate) fn child(test: &str, folder: &Path) -> Child {
    command(test, folder).spawn().unwrap()
}

pub(crate) fn command(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// The folder passed by [`child`]; `None` outside a child process.
pub(crate) fn given_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

const FOLDER: &str = "PLANWRIGHT_STORE_TEST_FOLDER";
