//! State that the window tests check without the window: files, runs and approvals, read through
//! the terminal program and the database.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Home, wait_until};

/// The folder of a home's sample workspace.
pub fn sample_folder(home: &Home) -> PathBuf {
    home.path().join("sample")
}

/// The plan of the sample workspace.
pub fn sample_plan(home: &Home) -> PathBuf {
    sample_folder(home).join("plans/add-json-flag.md")
}

/// The text of a file.
///
/// # Panics
/// If it cannot be read.
#[track_caller]
pub fn text(path: &Path) -> String {
    match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// All runs of a home, newest first, from `planwright runs --json`.
#[track_caller]
pub fn runs(home: &Home) -> Vec<Value> {
    home.planwright(home.path(), ["runs", "--json"])
        .expect(0)
        .json()
}

/// The receipt of a run, from `planwright receipt --json`.
#[track_caller]
pub fn receipt(home: &Home, run: &str) -> Value {
    home.planwright(home.path(), ["receipt", run, "--json"])
        .expect(0)
        .last_json()
}

/// The state of a step in a receipt; empty if the run never reached it.
pub fn step_state<'a>(receipt: &'a Value, task: &str) -> &'a str {
    let steps = receipt["steps"].as_array();
    steps
        .into_iter()
        .flatten()
        .find(|step| step["task"] == task)
        .and_then(|step| step["state"].as_str())
        .unwrap_or_default()
}

/// The revision of a plan file, from `planwright check`.
#[track_caller]
pub fn revision(home: &Home, plan: &Path) -> String {
    let plan = plan.to_string_lossy().into_owned();
    let checked = home.planwright(home.path(), ["check", &plan, "--json"]);
    let revision = checked.last_json()["revision"].as_str().map(str::to_owned);
    revision.expect("a revision is reported")
}

/// Waits until text that a person typed is stored on disk.
#[track_caller]
pub fn wait_until_kept(home: &Home, words: &str) {
    wait_until(&format!("“{words}” to be on disk"), || {
        holds(&home.path().join("data"), words.as_bytes())
    });
}

fn holds(folder: &Path, words: &[u8]) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let is_database = name.to_string_lossy().contains(".db");
        is_database
            && std::fs::read(entry.path())
                .is_ok_and(|bytes| bytes.windows(words.len()).any(|part| part == words))
    })
}
