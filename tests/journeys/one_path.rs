//! All plans are made in the same way: a plan from a conversation is routed, expanded, judged,
//! stored and reported like one made in a single request.

use planwright_tests::conversation::{GOAL, executing, home_with, plan, planning};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use rusqlite::Connection;
use serde_json::{Value, json};

/// A plan that is too thin for its goal.
const THIN: &str = "\
# Print the report as JSON

## Requirements
- R1 `report --json` prints every row as JSON
- R2 The flag is described in the README

## Tasks
- [ ] **T1** Add the `--json` flag to `report/cli.py`
  - covers: R1
  - complexity: 8
";

fn offering(text: &str) -> [Turn; 2] {
    [
        Turn::call("edit_plan", json!({ "new_text": text })),
        Turn::call("propose_plan", json!({})),
    ]
}

fn rows(home: &Home, sql: &str) -> Vec<Vec<String>> {
    let database = Connection::open(home.path().join("data/planwright.db")).unwrap();
    let mut statement = database.prepare(sql).unwrap();
    let columns = statement.column_count();
    let read = statement.query_map([], |row| {
        (0..columns)
            .map(|at| Ok(row.get::<_, Option<String>>(at)?.unwrap_or_default()))
            .collect()
    });
    read.unwrap().map(Result::unwrap).collect()
}

fn count(home: &Home, table: &str) -> String {
    let sql = format!("SELECT CAST(count(*) AS TEXT) FROM {table}");
    rows(home, &sql)[0][0].clone()
}

fn solvers(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let attempts = report["route"]["attempts"].as_array().into_iter().flatten();
    let solvers = attempts.filter(|one| one["kind"] == "solver");
    solvers
        .map(|one| (text(&one["plugin"]), text(&one["status"])))
        .collect()
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = pairs.iter();
    pairs
        .map(|(plugin, status)| ((*plugin).to_owned(), (*status).to_owned()))
        .collect()
}

#[test]
fn a_conversation_is_decided_on_kept_and_reported_as_a_plan_in_one_go_is() {
    let server = ModelServer::start(Scenario::new(planning()));
    let home = home_with(&server);
    let project = python_report().git();
    let report = plan(&home, &project);
    assert_eq!(server.finished().len(), 5);

    let route = &report["route"];
    assert_eq!(route["conversation"], true, "{route:#}");
    assert_eq!(
        solvers(&report),
        named(&[("gs-symbolic", "weak"), ("gs-llm-fast", "success")]),
        "rules first, as always: {route:#}"
    );
    assert!(route["decision"]["planners"].is_array(), "{route:#}");
    assert_eq!(route["requests"], 5, "{route:#}");
    assert!(route.get("weak").is_none(), "{route:#}");
    assert!(report["adequacy"]["badge"].is_string(), "{report:#}");
    assert!(report["session"].is_string(), "{report:#}");
    // The database records how the plan was made, as for any other plan.
    for (table, wanted) in [
        ("plan_sessions", "1"),
        ("plan_versions", "1"),
        ("plan_nodes", "3"),
        ("plan_events", "1"),
        ("routes", "1"),
    ] {
        assert_eq!(count(&home, table), wanted, "{table}");
    }
    let outcomes = rows(
        &home,
        "SELECT plugin, verdict FROM route_outcomes WHERE plugin LIKE 'gs-%' ORDER BY seq",
    );
    assert_eq!(
        outcomes,
        [["gs-symbolic", "weak"], ["gs-llm-fast", "success"]]
    );
    let known = rows(&home, "SELECT strategy, goal_text FROM plan_sessions");
    assert_eq!(known, [["gs-llm-fast", GOAL]]);
}

#[test]
fn what_rules_plan_asks_no_model_for_a_conversation_either() {
    let server = ModelServer::start(Scenario::new([]));
    let home = home_with(&server);
    let project = python_report().git();
    let goal = "Rename the function render_rows to table_lines everywhere and test it";
    let out = home
        .planwright(&project, ["plan", goal, "--json"])
        .expect(0);
    let report = out.last_json();
    assert!(server.requests().is_empty());
    assert_eq!(report["route"]["solver"], "gs-symbolic", "{report:#}");
    assert!(report["session"].is_null(), "{report:#}");
    assert_eq!(count(&home, "sessions"), "0");
}

#[test]
fn a_thin_plan_of_a_conversation_is_made_fuller_and_what_is_offered_is_the_fuller_one() {
    let server = ModelServer::start(Scenario::new(offering(THIN)));
    let home = home_with(&server);
    home.write_settings(&json!({
        "plannerFallbackOrder": ["planner-default"],
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    }));
    let project = python_report().git();
    let out = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0);
    server.finished();
    let report = out.last_json();
    let expansion = &report["expansion"];
    assert!(expansion["stop_reason"].is_string(), "{report:#}");
    assert!(expansion["refinement_rounds"].as_u64() > Some(0));
    let text = std::fs::read_to_string(report["path"].as_str().unwrap()).unwrap();
    assert!(!text.ends_with(THIN), "{text}");
    let proposal = &out.events("proposal")[0];
    assert_eq!(proposal["revision"], report["revision"], "{}", out.shown());
    let loops = rows(
        &home,
        "SELECT status, iterative_stop_reason FROM plan_sessions",
    );
    assert_eq!(loops[0][1], expansion["stop_reason"].as_str().unwrap());

    // If automatic expansion is off, the plan is kept unchanged and marked as too thin.
    let server = ModelServer::start(Scenario::new(offering(THIN)));
    let home = home_with(&server);
    home.write_settings(&json!({
        "auto_expand_thin_plan": false,
        "plannerFallbackOrder": ["planner-default"],
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    }));
    let out = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0);
    server.finished();
    let report = out.last_json();
    let text = std::fs::read_to_string(report["path"].as_str().unwrap()).unwrap();
    assert!(text.ends_with(THIN), "{text}");
    assert_eq!(report["route"]["weak"], true, "{report:#}");
    let badge = report["adequacy"]["badge"].as_str().unwrap();
    let why = report["route"]["weakness"].as_str().unwrap();
    assert!(why.contains(badge), "{why}");
    assert!(out.stderr.contains("weak plan"), "{}", out.stderr);
}

#[test]
fn a_weak_plan_of_a_conversation_goes_on_to_the_thorough_solver_within_the_budget() {
    let gaps = r#"{"gaps": ["nothing describes the flag in the README"]}"#;
    let fuller = json!({"tasks": [{
        "id": "N1",
        "description": "Describe `--json` in README.md with one call and its output",
        "files": ["README.md"],
        "covers": ["R2"],
        "accept": ["README.md shows one call with `--json` and its output"],
        "depends_on": ["T1"],
    }]});
    let mut turns: Vec<Turn> = offering(THIN).into();
    turns.push(Turn::say(gaps));
    turns.push(Turn::say(fuller.to_string()).times(2));
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with(&server);
    home.write_settings(&json!({
        "auto_expand_thin_plan": false,
        "plannerFallbackOrder": ["planner-default"],
    }));
    let project = python_report().git();
    let out = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0);
    let report = out.last_json();
    let tried = solvers(&report);
    assert_eq!(tried[1], named(&[("gs-llm-fast", "weak")])[0], "{tried:?}");
    assert_eq!(tried[2].0, "gs-llm-deep", "{tried:?}");
    // There is one file and one conversation, no matter which solver wrote the plan.
    assert_eq!(
        std::fs::read_dir(project.at("plans")).unwrap().count(),
        1,
        "{}",
        out.shown()
    );
    assert_eq!(count(&home, "sessions"), "1");
    let text = std::fs::read_to_string(report["path"].as_str().unwrap()).unwrap();
    assert!(text.contains("Describe `--json` in README.md"), "{text}");
    let session = report["session"].as_str().unwrap();
    let revision = report["revision"].as_str().unwrap();
    // The expanded plan is the one that is approved.
    let done = home.planwright(
        &project,
        ["chat", session, "--approve", &revision[..12], "--json"],
    );
    assert_ne!(done.status, 5, "{}", done.shown());
}

#[test]
fn a_plan_that_is_offered_in_a_later_turn_is_kept_and_told_the_same_way() {
    let server = ModelServer::start(Scenario::new(planning().into_iter().chain([
        Turn::call(
            "edit_plan",
            json!({
                "old_text": "one test for the array, one for the lines",
                "new_text": "one test for the array, one for the lines, one for no rows",
            }),
        ),
        Turn::call("propose_plan", json!({})),
    ])));
    let home = home_with(&server);
    let project = python_report().git();
    let first = plan(&home, &project);
    let (session, revision) = (
        first["session"].as_str().unwrap(),
        first["revision"].as_str().unwrap(),
    );
    let out = home
        .planwright(
            &project,
            [
                "chat",
                session,
                "--changes",
                &revision[..12],
                "Test a report without rows too",
                "--json",
            ],
        )
        .expect(0);
    server.finished();
    let told = out.events("planned").pop().unwrap();
    assert_eq!(told["session"], session, "{told:#}");
    assert_eq!(told["route"]["conversation"], true, "{told:#}");
    assert!(told["adequacy"]["score"].is_number(), "{told:#}");
    assert_eq!(told["revision"], out.last_json()["revision"], "{told:#}");
    assert_eq!(count(&home, "plan_sessions"), "2");
    assert_eq!(count(&home, "routes"), "2");
    // Changes were requested for the first version; the second has no verdict yet.
    let verdicts = rows(
        &home,
        "SELECT reviewer_verdict FROM plan_versions ORDER BY rowid",
    );
    assert_eq!(verdicts, [["needs_revision"], ["pending"]]);
}

#[test]
fn approving_and_running_a_plan_is_kept_with_its_version_and_its_steps() {
    let server = ModelServer::start(Scenario::new(planning().into_iter().chain(executing())));
    let home = home_with(&server);
    let project = python_report().git();
    let planned = plan(&home, &project);
    let of = |name: &str| planned[name].as_str().unwrap();
    home.planwright(
        &project,
        [
            "chat",
            of("session"),
            "--approve",
            &of("revision")[..12],
            "--json",
        ],
    )
    .expect(0);
    let verdicts = rows(&home, "SELECT reviewer_verdict FROM plan_versions");
    assert_eq!(verdicts, [["approved"]]);
    let steps = rows(
        &home,
        "SELECT node_id, status FROM plan_nodes ORDER BY node_id",
    );
    assert_eq!(
        steps,
        [
            ["T1", "completed"],
            ["T2", "completed"],
            ["T3", "completed"]
        ]
    );
}

#[test]
fn enforcement_holds_for_a_plan_of_a_conversation() {
    let turns: Vec<Turn> = offering(THIN).into();
    let server =
        ModelServer::start(Scenario::new(
            turns.into_iter().chain([Turn::call(
                "ask_user",
                json!({"question": "Is one step enough?"}),
            )
            .expecting("too weak")]),
        ));
    let home = home_with(&server);
    home.write_settings(&json!({
        "plan_adequacy_enforce": true,
        "auto_expand_thin_plan": false,
    }));
    let project: Project = python_report().git();
    let out = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(3);
    server.finished();
    assert!(out.events("proposal").is_empty(), "{}", out.shown());
    assert_eq!(count(&home, "plan_sessions"), "0");
    assert_eq!(count(&home, "routes"), "0");
}
