//! The decision layer, through the terminal and against a scripted server: which route a goal
//! takes, what influences it, what happens when a route fails, and what is learned.

use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Flavour, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Output, Project};
use rusqlite::Connection;
use serde_json::{Value, json};

const GOAL: &str = "Add a --json flag to the report command that prints every row as JSON";
/// A goal that no template fits and that rules can only repeat.
const OPEN: &str = "The totals of the report are hard to read; lay them out anew";

const STRONG: &str = "gpt-4o";

const DRAFT: &str = "\
- [ ] **T1** Read how `render_rows` builds its lines
  - files: `report/table.py`
  - covers: R1, R2
- [ ] **T2** Lay out the totals of `render_rows` in columns, in `report/table.py`
  - depends: T1
  - files: `report/table.py`
  - covers: R1, R2
  - accept: the totals stand under their columns
  - verify: `python3 -m unittest tests.test_rows`
- [ ] **T3** Write a test in `tests/test_rows.py` of two totals
  - depends: T2
  - files: `tests/test_rows.py`
  - covers: R1, R2
  - accept: the test fails with the layout of before
";

fn home_with(server: &ModelServer) -> Home {
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", STRONG)
}

fn plan(home: &Home, project: &Project, goal: &str, more: &[&str]) -> Output {
    let mut arguments = vec!["plan", goal, "--json"];
    arguments.extend(more);
    home.planwright(project, arguments)
}

fn route(out: &Output) -> Value {
    out.last_json()["route"].clone()
}

/// The attempts, each with its plugin and result.
fn tried(route: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let attempts = route["attempts"].as_array().into_iter().flatten();
    attempts
        .map(|attempt| (text(&attempt["plugin"]), text(&attempt["status"])))
        .collect()
}

fn plugins(route: &Value) -> Vec<String> {
    tried(route).into_iter().map(|(plugin, _)| plugin).collect()
}

/// The plugins of a stage, in the order that the first planner chose.
fn order(route: &Value, kind: &str) -> Vec<String> {
    let stages = route["decision"]["planners"][0]["stages"].as_array();
    let mut stages = stages.into_iter().flatten();
    let stage = stages.find(|stage| stage["kind"] == kind).unwrap();
    let candidates = stage["candidates"].as_array().unwrap().iter();
    candidates
        .map(|one| one["plugin"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn database(home: &Home) -> Connection {
    Connection::open(home.path().join("data/planwright.db")).unwrap()
}

#[test]
fn a_usual_job_is_planned_by_rules_at_no_cost_though_a_model_is_there() {
    let server = ModelServer::start(Scenario::new([]));
    let home = home_with(&server);
    let project = python_report().git();
    let goal = "Rename the function render_rows to table_lines everywhere and test it";
    let route = route(&plan(&home, &project, goal, &["--depth", "standard"]).expect(0));
    assert_eq!(route["solver"], "gs-symbolic", "{route:#}");
    assert_eq!(
        plugins(&route).first().map(String::as_str),
        Some("sd-symbolic")
    );
    assert!(server.requests().is_empty());
    assert!(route.get("fallback").is_none(), "{route:#}");
}

#[test]
fn what_no_template_fits_goes_to_the_model_and_the_plan_says_so() {
    let server = ModelServer::start(Scenario::new([Turn::say(DRAFT)]).flavour(Flavour::Strict));
    let home = home_with(&server);
    let project = python_report().git();
    let out = plan(&home, &project, OPEN, &["--depth", "standard"]).expect(0);
    let route = route(&out);
    server.finished();
    assert_eq!(route["solver"], "gs-llm-fast", "{route:#}");
    let tried = tried(&route);
    assert!(
        tried.contains(&("gs-symbolic".to_owned(), "weak".to_owned())),
        "{tried:?}"
    );
    // There is no warning, because nothing failed and rules are expected to come first.
    assert!(route.get("fallback").is_none(), "{route:#}");
    assert_eq!(out.events("decided").len(), 1);
    let told: Vec<Value> = out.events("tried");
    assert_eq!(told.len(), tried.len(), "{}", out.shown());
}

#[test]
fn first_malformed_then_repaired_then_the_second_then_rules_within_budget_and_labelled() {
    let prose = "I will first look at the code and then write a very good plan for you.";
    // The deep route reads the goal and drafts twice without success; the fast route drafts twice
    // without success.
    let read = r#"{"requirements": [], "constraints": [], "terms": ["render_rows"], "missing": [], "assumptions": []}"#;
    let server = ModelServer::start(Scenario::new([
        Turn::say(read),
        Turn::say(prose),
        Turn::say(prose).expecting("could not be used"),
        Turn::say(prose),
        Turn::say(prose).expecting("could not be used"),
    ]));
    let home = home_with(&server);
    let project = python_report().git();
    let out = plan(&home, &project, OPEN, &["--depth", "deep"]).expect(0);
    let route = route(&out);
    assert_eq!(server.finished().len(), 5);
    let solvers: Vec<(String, String)> = tried(&route)
        .into_iter()
        .filter(|(plugin, _)| plugin.starts_with("gs-"))
        .collect();
    let wanted = [
        ("gs-llm-deep", "failed"),
        ("gs-llm-fast", "failed"),
        ("gs-symbolic", "weak"),
    ];
    assert_eq!(
        solvers,
        wanted.map(|(plugin, status)| (plugin.to_owned(), status.to_owned())),
        "{route:#}"
    );
    assert_eq!(route["solver"], "gs-symbolic");
    let why = route["fallback"].as_str().unwrap();
    assert!(
        why.contains("gs-llm-deep: the model gave two unusable answers")
            && why.contains("gs-llm-fast"),
        "{why}"
    );
    assert_eq!(route["requests"], 5);
    // Only one plan was written.
    let plans: Vec<_> = std::fs::read_dir(project.at("plans")).unwrap().collect();
    assert_eq!(plans.len(), 1);
}

#[test]
fn a_model_that_cannot_be_asked_is_named_where_it_would_have_been_asked() {
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", "ftp://127.0.0.1")
        .with_env("PLANWRIGHT_MODEL", STRONG);
    let project = python_report().git();
    // If rules can plan the whole goal, no model is used.
    let whole = "Rename render_rows to rows_as_text everywhere";
    let fits = route(&plan(&home, &project, whole, &["--depth", "standard"]).expect(0));
    assert!(fits.get("fallback").is_none(), "{fits:#}");
    let open = route(&plan(&home, &project, OPEN, &["--depth", "standard"]).expect(0));
    let why = open["fallback"].as_str().unwrap();
    assert!(why.contains("http://"), "{why}");
    let skipped = tried(&open).pop().unwrap();
    assert_eq!(skipped, ("planner-depth".to_owned(), "skipped".to_owned()));
}

#[test]
fn what_the_budget_has_no_room_for_is_skipped_before_a_request_and_says_why() {
    let prose = "I will look at the code first and then write a plan.";
    let server = ModelServer::start(Scenario::new([Turn::say(prose).times(2)]));
    let home = home_with(&server);
    home.write_settings(&json!({
        "refine_budget_tokens": 300,
        "defaultKBPlan": ["kb-fast"],
        "plannerFallbackOrder": ["planner-default"],
    }));
    let project = python_report().git();
    let route = route(&plan(&home, &project, OPEN, &["--depth", "standard"]).expect(0));
    assert_eq!(server.finished().len(), 2, "{route:#}");
    let tried = tried(&route);
    assert!(
        tried.contains(&("gs-llm-deep".to_owned(), "skipped".to_owned())),
        "{tried:?}"
    );
    let attempts = route["attempts"].to_string();
    assert!(
        attempts.contains("the budget of 300 tokens is used up"),
        "{attempts}"
    );
}

#[test]
fn a_pinned_route_that_fails_is_an_error_that_names_the_pin_and_nothing_else_is_tried() {
    let prose = "I will look at the code first and then write a plan.";
    let server = ModelServer::start(Scenario::new([Turn::say(prose).times(2)]));
    let home = home_with(&server);
    let project = python_report().git();
    let before = project.snapshot();
    let out = plan(&home, &project, OPEN, &["--pin", "gs-llm-fast"]).expect(4);
    assert_eq!(server.finished().len(), 2);
    assert!(
        out.stderr
            .contains("gs-llm-fast is pinned but produced no plan")
            && out.stderr.contains("No other plugin was tried"),
        "{}",
        out.shown()
    );
    let solvers: Vec<Value> = out
        .events("tried")
        .into_iter()
        .filter(|step| step["kind"] == "solver")
        .collect();
    assert_eq!(solvers.len(), 1, "{}", out.shown());
    assert_eq!(before.contents(), project.snapshot().contents());
    // Pinning an unknown plugin is an error before anything else happens.
    let out = plan(&home, &project, OPEN, &["--pin", "gs-llm-medium"]).expect(64);
    assert!(
        out.stderr.contains("unknown plugin gs-llm-medium"),
        "{}",
        out.stderr
    );
    let two = ["--pin", "kb-fast", "--pin", "kb-balanced"];
    let out = plan(&home, &project, OPEN, &two).expect(64);
    assert!(out.stderr.contains("are both kb plugins"), "{}", out.stderr);
}

#[test]
fn where_all_routes_are_weak_the_best_plan_is_kept_and_labelled() {
    let vague = "- [ ] **T1** Improve the report\n- [ ] **T2** Clean up\n";
    let server = ModelServer::start(Scenario::new([Turn::say(vague)]));
    let home = home_with(&server);
    home.write_settings(&json!({
        "auto_expand_thin_plan": false,
        "plannerFallbackOrder": ["planner-default"],
        "defaultKBPlan": ["kb-fast"],
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    }));
    let project = python_report().git();
    let out = plan(&home, &project, OPEN, &["--depth", "standard"]).expect(0);
    server.finished();
    let route = route(&out);
    assert_eq!(route["solver"], "gs-llm-fast", "{route:#}");
    assert_eq!(route["weak"], true, "{route:#}");
    assert!(
        tried(&route).contains(&("gs-llm-fast".to_owned(), "weak".to_owned())),
        "{route:#}"
    );
    assert!(out.stderr.contains("weak plan"), "{}", out.stderr);
    assert!(
        project
            .at("plans")
            .join("the-totals-of-the-report-are-hard-to-read-lay-them-out-anew.md")
            .exists()
    );
}

#[test]
fn a_plan_that_names_no_file_where_nothing_was_found_goes_on_to_the_next_and_is_labelled() {
    // None of these words occurs in the workspace.
    let goal = "Zyqqor the wumblefax so that quixxels glimmerate";
    // The steps are specific enough that the badge has nothing to criticize.
    let lost = "\
- [ ] **T1** Set `quixxel.glimmer` to 40 lumens in the console of the wumblefax
  - covers: R1
  - accept: `wumblefax get quixxel.glimmer` prints 40
- [ ] **T2** Call `zyqqor(wumblefax, 3)` for the quixxels QX-1, QX-2 and QX-7
  - depends: T1
  - covers: R1
  - accept: QX-1, QX-2 and QX-7 glimmerate within 5 seconds
  - verify: `python3 -m unittest`
- [ ] **T3** Record the 3 glimmer values of QX-1, QX-2 and QX-7 as `wumblefax.baseline`
  - depends: T2
  - covers: R1
  - accept: `wumblefax.baseline` holds 3 values above 39
  - verify: `python3 -m unittest`
";
    let server = ModelServer::start(Scenario::new([Turn::say(lost).forever()]));
    let home = home_with(&server);
    let project = python_report().git();
    let out = plan(&home, &project, goal, &["--depth", "standard"]).expect(0);
    let route = route(&out);
    let read = route["knowledge"].as_array().unwrap();
    assert_eq!(read.len(), 3, "{read:#?}");
    assert!(read.iter().all(|one| one["is_sufficient"] == false));
    let tried = tried(&route);
    let weak = |plugin: &str| tried.contains(&(plugin.to_owned(), "weak".to_owned()));
    assert!(weak("gs-llm-fast") && weak("gs-llm-deep"), "{tried:?}");
    let planners = route["attempts"].as_array().unwrap().iter();
    assert!(
        planners
            .clone()
            .any(|one| one["planner"] == "planner-depth"),
        "{tried:?}"
    );
    assert_eq!(route["weak"], true, "{route:#}");
    let why = route["weakness"].as_str().unwrap();
    assert!(why.contains("names no file"), "{why}");
    assert!(out.stderr.contains(why), "{}", out.stderr);
}

#[test]
fn whatever_is_kept_though_every_solver_was_weak_is_labelled() {
    let project = python_report().git();
    for goal in [GOAL, OPEN] {
        let out = plan(&Home::new(), &project, goal, &["--explain"]).expect(0);
        let route = route(&out);
        let solved = tried(&route);
        let is_good = solved.contains(&(
            route["solver"].as_str().unwrap().to_owned(),
            "success".to_owned(),
        ));
        assert_eq!(route["weak"] == true, !is_good, "{route:#}");
    }
}

#[test]
fn a_weak_plan_gives_way_to_a_good_one_that_knew_more() {
    let vague = "- [ ] **T1** Improve the report\n- [ ] **T2** Clean up\n";
    let read = r#"{"requirements": [], "constraints": [], "terms": ["render_rows"], "missing": [], "assumptions": []}"#;
    let server = ModelServer::start(Scenario::new([
        Turn::say(vague),
        Turn::say(read),
        Turn::say(DRAFT),
    ]));
    let home = home_with(&server);
    home.write_settings(&json!({
        "auto_expand_thin_plan": false,
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    }));
    let project = python_report().git();
    let route = route(&plan(&home, &project, OPEN, &["--depth", "standard"]).expect(0));
    server.finished();
    // The second planner uses the model to read the goal, and gathers more context.
    assert_eq!(route["planner"], "planner-depth", "{route:#}");
    assert_eq!(route["detector"], "sd-llm-deep");
    assert!(route.get("weak").is_none(), "{route:#}");
    let verdicts: Vec<String> = tried(&route)
        .into_iter()
        .filter(|(plugin, _)| plugin == "gs-llm-fast")
        .map(|(_, status)| status)
        .collect();
    assert_eq!(verdicts, ["weak", "success"]);
}

#[test]
fn two_parts_of_a_goal_are_planned_in_its_order() {
    let project = python_report().git();
    let goal = "Add a --json flag to the report command and document it in the README";
    let out = plan(&Home::new(), &project, goal, &["--explain"]).expect(0);
    let report = out.last_json();
    let words: Vec<&str> = report["requirements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(
        words[0].contains("--json") && words[1].contains("README"),
        "{words:?}"
    );
}

#[test]
fn each_configuration_key_changes_the_route() {
    let project = python_report().git();
    let with = |settings: Value| {
        let home = Home::new();
        home.write_settings(&settings);
        route(&plan(&home, &project, GOAL, &["--explain"]).expect(0))
    };
    let usual = with(json!({}));
    assert_eq!(usual["planner"], "planner-default");
    assert_eq!(usual["kb"], "kb-fast", "{usual:#}");
    assert_eq!(
        order(&usual, "kb"),
        ["kb-fast", "kb-balanced", "kb-thinkingdb"]
    );

    let other = with(json!({"defaultPlannerPlugin": "planner-depth"}));
    assert_eq!(other["planner"], "planner-depth");
    assert_eq!(
        other["kb"], "kb-thinkingdb",
        "the most thorough first: {other:#}"
    );

    let planners = |route: &Value| {
        let planners = route["decision"]["planners"].as_array().unwrap().iter();
        planners
            .map(|one| one["planner"]["plugin"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(planners(&usual), ["planner-default", "planner-depth"]);
    let other = with(json!({"plannerFallbackOrder": ["planner-default"]}));
    assert_eq!(planners(&other), ["planner-default"]);

    let other = with(json!({"defaultKBPlan": ["kb-balanced", "kb-fast"]}));
    assert_eq!(other["kb"], "kb-balanced");

    // With a model, there is more than one route to choose from.
    let draft = || Turn::say(DRAFT);
    let server = ModelServer::start(Scenario::new([
        draft(),
        Turn::say(r#"{"requirements": [], "constraints": [], "terms": []}"#),
        draft(),
    ]));
    let home = home_with(&server);
    home.write_settings(&json!({"defaultGoalSolverPlan": ["gs-llm-fast", "gs-symbolic"]}));
    let other = route(&plan(&home, &project, GOAL, &["--depth", "standard"]).expect(0));
    assert_eq!(other["solver"], "gs-llm-fast", "{other:#}");
    let home = home_with(&server);
    home.write_settings(&json!({"defaultSeedDetectorPlan": ["sd-llm-fast"]}));
    let other = route(&plan(&home, &project, GOAL, &["--depth", "standard"]).expect(0));
    assert_eq!(other["detector"], "sd-llm-fast", "{other:#}");
    server.finished();
}

#[test]
fn a_bad_order_in_the_settings_is_named_and_the_usual_one_holds() {
    let project = python_report().git();
    let home = Home::new();
    home.write_settings(&json!({
        "defaultKBPlan": [],
        "defaultGoalSolverPlan": ["gs-symbolic", "gs-magic"],
        "defaultPlannerPlugin": "kb-fast",
    }));
    let out = plan(&home, &project, GOAL, &["--explain"]).expect(0);
    for named in ["defaultKBPlan", "gs-magic", "defaultPlannerPlugin"] {
        assert!(out.stderr.contains(named), "{named}: {}", out.stderr);
    }
    assert_eq!(order(&route(&out), "kb").len(), 3);
}

#[test]
fn the_same_state_and_request_give_the_same_route_and_it_is_explained_whole() {
    let project = python_report().git();
    let decided = |home: &Home| {
        let out = plan(home, &project, GOAL, &["--explain"]).expect(0);
        route(&out)["decision"].clone()
    };
    let (one, other) = (Home::new(), Home::new());
    assert_eq!(decided(&one), decided(&other));
    assert_eq!(decided(&one), decided(&other), "also after one plan each");
    let out = one
        .planwright(&project, ["plan", GOAL, "--explain"])
        .expect(0);
    let text = &out.stdout;
    let decision = decided(&one);
    for planner in decision["planners"].as_array().unwrap() {
        for stage in planner["stages"].as_array().unwrap() {
            for candidate in stage["candidates"].as_array().unwrap() {
                let score = candidate["score"].as_f64().unwrap();
                let line = format!("{} {score:.3}", candidate["plugin"].as_str().unwrap());
                assert!(text.contains(&line), "{line}\n{text}");
                let sum: f64 = candidate["terms"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|term| term["value"].as_f64().unwrap())
                    .sum();
                assert!(
                    (sum - score).abs() < 1e-6,
                    "the terms add up to the score: {candidate:#}"
                );
            }
        }
    }
    for part in [
        "Why this route",
        "Tried",
        "place: number 1",
        "kb-fast success",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn words_and_depth_shift_the_order() {
    let project = python_report().git();
    let home = Home::new();
    let with = |goal: &str, more: &[&str]| route(&plan(&home, &project, goal, more).expect(0));
    let deep = with(
        "Make a thorough plan, step-by-step and with trade-offs, for a --json flag",
        &["--explain"],
    );
    assert_eq!(deep["kb"], "kb-thinkingdb", "{deep:#}");
    assert!(deep["reasons"].to_string().contains("thorough"), "{deep:#}");
    let quick = with(
        "A quick plan to add a --json flag to the report",
        &["--explain"],
    );
    assert_eq!(order(&quick, "kb")[0], "kb-fast");
    assert_eq!(quick["decision"]["effort"], "auto");
    let minimal = with(GOAL, &["--depth", "minimal"]);
    assert_eq!(minimal["effort"], "quick");
    assert!(!order(&minimal, "kb").contains(&"kb-thinkingdb".to_owned()));
}

#[test]
fn outcomes_are_kept_learned_from_and_survive_what_cannot_be_read() {
    let project = python_report().git();
    let home = Home::new();
    let first = plan(&home, &project, GOAL, &["--explain"])
        .expect(0)
        .last_json();
    for _ in 0..4 {
        plan(&home, &project, GOAL, &["--explain"]).expect(0);
    }
    let learned = |out: &Output| {
        let route = route(out);
        let stages = &route["decision"]["planners"][0]["stages"];
        stages[2]["candidates"][0]["terms"][0].clone()
    };
    let sixth = plan(&home, &project, GOAL, &["--explain"]).expect(0);
    let term = learned(&sixth);
    assert_eq!(term["name"], "learned");
    let why = term["why"].as_str().unwrap();
    assert!(why.contains("of 5 succeeded"), "{why}");
    // Planning the same goal again doesn't count as a rejection of the earlier plans.
    let rows = |sql: &str| -> Vec<Option<i64>> {
        let database = database(&home);
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.flatten().collect()
    };
    let of_all = "SELECT accepted FROM routes ORDER BY request";
    assert_eq!(rows(of_all), [None; 6]);

    // Approving the last plan marks it as accepted, and the undecided earlier ones for the same goal
    // as rejected.
    let (path, revision) = (
        first["path"].as_str().unwrap(),
        first["revision"].as_str().unwrap(),
    );
    let last = sixth.last_json();
    let (path, revision) = match last["path"].as_str() {
        Some(last_path) => (last_path, last["revision"].as_str().unwrap()),
        None => (path, revision),
    };
    home.planwright(
        &project,
        [
            "run",
            path,
            "--approve",
            &revision[..12],
            "--json",
            "--policy",
            "all",
        ],
    );
    let mut passed_over = [Some(0); 6];
    passed_over[5] = Some(1);
    assert_eq!(rows(of_all), passed_over, "only the approved plan counts");

    // Invalid rows and rows written by another program are ignored and reported.
    let broken = database(&home);
    broken
        .execute("UPDATE routes SET edited = 9e999 WHERE request = 1", [])
        .unwrap();
    drop(broken);
    let out = plan(&home, &project, GOAL, &["--explain"]).expect(0);
    let notices = out.events("notice");
    assert!(
        notices.iter().any(|notice| notice["message"]
            .to_string()
            .contains("unreadable planning outcome")),
        "{}",
        out.shown()
    );
}

#[test]
fn a_goal_that_names_no_file_is_searched_for_and_what_was_read_is_listed() {
    let project = python_report().git();
    let home = Home::new();
    let goal = "The amounts are printed without a thousands separator, mend that";
    let route = route(&plan(&home, &project, goal, &["--explain"]).expect(0));
    let read = route["knowledge"].as_array().unwrap();
    let balanced = read.iter().find(|one| one["plugin"] == "kb-balanced");
    let Some(balanced) = balanced else {
        panic!("only kb-fast was used: {read:#?}");
    };
    assert!(balanced["files"].as_u64().unwrap() > 0, "{balanced:#}");
    assert!(!balanced["why"].as_str().unwrap().is_empty());
    for file in balanced["offered"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        assert!(project.at(path).exists(), "{path}");
        assert!(!file["reason"].as_str().unwrap().is_empty());
    }
}
