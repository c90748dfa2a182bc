//! Journeys: tests of what a person does with Planwright, with real files, a real SQLite database
//! and real processes. Each test is named after the promise that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod adequacy;
mod agents;
mod answering;
mod approving;
mod at_the_terminal;
mod bad_input;
mod checking;
mod checkpoints_by_rule;
mod crashing;
mod crashing_with_model;
mod desk;
mod documents;
mod done_stays_done;
mod editing;
mod escaping;
mod focused_context;
mod gate;
mod graph;
mod greeting;
mod handing_over;
mod held;
mod history;
mod history_moves;
mod iterative_planning;
mod knowing;
mod losses;
mod meanwhile;
mod modelled_run;
mod models;
mod one_path;
mod opening;
mod permission_rules;
mod places;
mod planning;
mod planning_with_agent;
mod planning_with_model;
mod private_files;
mod profiles;
mod records;
mod recovery;
mod recovery_by_person;
mod repeats;
mod report_progress;
mod review;
mod routes;
mod running;
mod running_changes;
mod safe_output;
mod session;
mod session_faults;
mod session_gate;
mod session_handoff;
mod session_size;
mod settings;
mod side_by_side;
mod small_schema;
mod source;
mod steering;
mod storm;
mod storm_between;
mod streaming_progress;
mod templates;
mod undoing;
mod verification;
mod weak_replies;
mod window_approving;
mod window_changes;
mod window_runs;

use planwright_tests::{Answers, Home, Output, Project};

/// A plan file's revision as printed by `check`.
#[track_caller]
fn revision(home: &Home, project: &Project, plan: &str) -> String {
    let checked = home.planwright(project, ["check", plan, "--json"]);
    checked.last_json()["revision"].as_str().unwrap().to_owned()
}

/// Runs a plan at its current revision.
#[track_caller]
fn run(home: &Home, project: &Project, plan: &str, more: &[&str]) -> Output {
    let revision = revision(home, project, plan);
    run_revision(home, project, plan, &revision, more)
}

/// Runs a plan at a given revision.
#[track_caller]
fn run_revision(
    home: &Home,
    project: &Project,
    plan: &str,
    revision: &str,
    more: &[&str],
) -> Output {
    let mut arguments = vec!["run", plan, "--approve", revision, "--json"];
    arguments.extend(more);
    home.planwright(project, arguments)
}

/// Answers a run's questions and resumes it.
#[track_caller]
fn resume(home: &Home, project: &Project, run: &str, answers: &Answers) -> Output {
    let answers = answers.write_to(home.path());
    let arguments = [
        "resume",
        run,
        "--answers",
        answers.to_str().unwrap(),
        "--json",
    ];
    home.planwright(project, arguments)
}

/// The run id in an output.
#[track_caller]
fn run_id(output: &Output) -> String {
    output.json()[0]["run"]
        .as_str()
        .expect("the first line names the run")
        .to_owned()
}
