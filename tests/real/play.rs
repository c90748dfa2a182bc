//! Carries out one step with the real program and a real model.

use std::process::Command;
use std::time::Instant;

use agent::model_step::act::{NO_CHANGE, OTHER_LINES};
use planwright_tests::evaluation::Place;
use planwright_tests::{Home, Project, planwright_binary};
use serde_json::{Value, json};

use crate::steps::{Outside, Step};

/// Timeout of a try, in seconds.
const LIMIT_S: &str = "60";

/// The result of one try.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Try {
    /// Whether the program reports that everything is done (exit code 0).
    pub(crate) is_done: bool,
    /// Whether it is done according to the outside check.
    pub(crate) is_right: bool,
    /// Number of replies from the model.
    pub(crate) replies: u32,
    /// Number of replies with a parsable call.
    pub(crate) usable: u32,
    /// Whether the step was complete after the first reply that changed something.
    pub(crate) at_first: bool,
    pub(crate) seconds: f64,
    /// The largest request in tokens, as counted by the server.
    pub(crate) largest: u64,
}

/// A home with this model, probed, and with these profile values overridden.
pub(crate) fn home(place: &Place, overruled: &[&str]) -> Home {
    let home = Home::new();
    home.write_settings(&json!({
        "endpoint": {"base_url": place.base_url, "model": place.model},
        "policy": "all",
        "server_wait_s": 0,
    }));
    planwright(&home, &["models", "--probe"]);
    for value in overruled {
        planwright(&home, &["models", "--set", value]);
    }
    home
}

fn planwright(home: &Home, words: &[&str]) {
    let mut command = Command::new(planwright_binary());
    command.args(words).env("PLANWRIGHT_HOME", home.path());
    let done = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{words:?}: {said}");
}

/// The project that a step starts from.
pub(crate) fn project(step: &Step) -> Project {
    let mut project = Project::new().file("plans/step.md", plan(step));
    if let Some(before) = step.before {
        project = project.file(step.file, before);
    }
    let project = project.git();
    project.commit("before");
    project
}

fn plan(step: &Step) -> String {
    let title = step.title;
    format!(
        "# {title}\n\n- [ ] **T1** {title}\n  - files: `{}`\n  - verify: `{}`\n",
        step.file, step.verify
    )
}

pub(crate) fn play(home: &Home, step: &Step) -> Try {
    let (project, plan) = (project(step), plan(step));
    let revision = plan::Revision::of(plan.as_bytes());
    let began = Instant::now();
    let run = Command::new("timeout")
        .args([LIMIT_S, &planwright_binary().display().to_string(), "run"])
        .args(["--approve", revision.as_str(), "--policy", "all", "--json"])
        .arg("plans/step.md")
        .current_dir(project.path())
        .env("PLANWRIGHT_HOME", home.path())
        .output()
        .expect("the program starts");
    let seconds = began.elapsed().as_secs_f64();
    let told = String::from_utf8_lossy(&run.stdout);
    let told = told
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let run_id = told
        .filter_map(|told| told["run"].as_str().map(str::to_owned))
        .next();
    let journal = run_id.map_or_else(Vec::new, |run| home.journal(&run));
    let replies: Vec<&Value> = journal
        .iter()
        .filter(|entry| entry["kind"] == "replied")
        .collect();
    let usable = replies
        .iter()
        .filter(|reply| is_usable(&reply["reply"]))
        .count();
    let largest = replies
        .iter()
        .filter_map(|reply| reply["reply"]["usage"]["input"].as_u64());
    let is_done = run.status.success();
    let rejected = journal
        .iter()
        .any(|entry| entry["kind"] == "claim_rejected");
    Try {
        is_done,
        is_right: is_right(&project, step),
        replies: count(replies.len()),
        usable: count(usable),
        at_first: is_done && !rejected,
        seconds,
        largest: largest.max().unwrap_or_default(),
    }
}

/// Whether a call could be parsed, even if it was then rejected.
fn is_usable(reply: &Value) -> bool {
    let is_some = |of: &Value| of.as_array().is_some_and(|all| !all.is_empty());
    let faults = reply["faults"].as_array().into_iter().flatten();
    let mut says = faults.filter_map(|fault| fault["message"].as_str());
    is_some(&reply["calls"]) || says.any(|message| message == NO_CHANGE || message == OTHER_LINES)
}

pub(crate) fn is_right(project: &Project, step: &Step) -> bool {
    let is_there = project.at(step.file).is_file();
    is_there
        && match step.outside {
            Outside::Holds(text) => project.read(step.file).trim() == text.trim(),
            Outside::Python(code) => project.run("python3", &["-B", "-c", code]).0,
        }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
