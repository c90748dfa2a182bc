//! Adequacy as a user sees it: plans are judged against the workspace and expanded, findings are
//! muted and fixed, and the quality gate is overridden.

use desktop::wire::{ApproveRequest, EditOutcome, Insights, WindowFinding};
use planwright_tests::{Home, Project, wait_until};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::documents::Bench;

/// A thin plan: a large goal with two steps and no check.
const THIN: &str = "\
---
planwright: 1
id: users-7f3k
goal: Migrate the users table to the new schema and refactor every report that reads it
---
# Migrate the users table

## Requirements
- R1 every user has a display name
- R2 the reports read the new column

## Tasks
- [ ] **T1** Add the display name column to the users table
  - files: `db/users.sql`
  - covers: R1
  - by: person
- [ ] **T2** Read the new column in the reports
  - files: `src/report.py`
  - covers: R2
  - by: person
";

const READS: &str = "\
# Read two files

- [ ] **T1** Read the list of users
  - call: `read_file {\"path\": \"src/users.py\"}`
- [ ] **T2** Read the report of all users
  - call: `read_file {\"path\": \"src/report.py\"}`
";

/// A user's template that produces thin plans.
const TEMPLATE: &str = "\
---
planwright: 1
match:
  - migrate the users table to {{where}}
params:
  - where
---
# Migrate the users table to {{where}}

## Tasks
- [ ] **T1** Copy every user to the new table in {{where}}
  - by: person
- [ ] **T2** Let the reports read the new table in {{where}}
  - by: person
";

const GOAL: &str = "Migrate the users table to postgres";

fn project() -> Project {
    Project::new()
        .file("plans/thin.md", THIN)
        .file("db/users.sql", "create table users (id);\n")
        .file("src/report.py", "def report():\n    pass\n")
        .file("Makefile", "test:\n\tpython3 -m unittest\n")
}

fn database(home: &Home) -> Connection {
    Connection::open(home.path().join("data/planwright.db")).unwrap()
}

fn count(home: &Home, sql: &str) -> i64 {
    let found = database(home).query_row(sql, [], |row| row.get(0));
    found.unwrap()
}

/// The current revision of a plan, and the window's findings about it.
fn findings(bench: &Bench, plan: &str) -> (String, Vec<WindowFinding>) {
    let outline = bench.desktop.outline(plan, None).unwrap();
    let report = bench.desktop.findings(plan, &outline.revision).unwrap();
    (outline.revision, report.findings)
}

#[track_caller]
fn written(outcome: EditOutcome) -> String {
    match outcome {
        EditOutcome::Written { revision, .. } => revision,
        other => panic!("{other:?}"),
    }
}

fn insights(bench: &Bench, project: &Project) -> Insights {
    let workspace = project.path().to_str().unwrap();
    bench.desktop.insights(Some(workspace), None).unwrap()
}

#[test]
fn the_terminal_judges_a_plan_by_its_workspace() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/reads.md", READS)
        .file("src/report.py", "x\n");
    let check = || {
        let checked = home.planwright(&project, ["check", "plans/reads.md", "--json"]);
        let report = checked.last_json();
        let findings = report["findings"].as_array().unwrap();
        let missing = findings.iter().filter(|one| one["code"] == "path_missing");
        missing
            .map(|one| one["task"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(check(), ["T1"]);
    // Files that Git ignores count as existing.
    project.write(".gitignore", "src/users.py\n");
    project.write("src/users.py", "x\n");
    assert!(check().is_empty());
}

#[test]
fn the_window_hears_again_of_a_plan_when_its_workspace_is_known() {
    let bench = Bench::new();
    let project = Project::new()
        .file("plans/reads.md", READS)
        .file("src/report.py", "x\n");
    let outline = bench.open(&project, "plans/reads.md");
    let missing = || {
        let report = bench
            .desktop
            .findings(&outline.plan, &outline.revision)
            .unwrap();
        let findings = report.findings.into_iter();
        let missing = findings.filter(|one| one.code == "path_missing");
        missing.filter_map(|one| one.task).collect::<Vec<_>>()
    };
    wait_until("the missing file is told", || missing() == ["T1"]);
    // The badge in the list comes from the same assessment.
    let workspace = project.path().to_str().unwrap();
    let head = bench.desktop.outline(&outline.plan, None).unwrap();
    let listed = bench.desktop.plans(workspace).unwrap().plans;
    assert_eq!(listed[0].badge.as_ref(), Some(&head.badge));
    project.write("src/users.py", "x\n");
    wait_until("the finding is gone", || missing().is_empty());
    let again = (Some(outline.revision.clone()), "app".to_owned());
    wait_until("the window hears of it", || {
        bench.told_of(&outline.plan).contains(&again)
    });
}

#[test]
fn a_file_that_changed_since_the_plan_was_first_seen_is_told() {
    let home = Home::new();
    let project = project();
    let outdated = || {
        let checked = home.planwright(&project, ["check", "plans/thin.md", "--json"]);
        let report = checked.last_json();
        let findings = report["findings"].as_array().unwrap();
        let found = findings.iter().filter(|one| one["code"] == "base_outdated");
        found.map(|one| one["task"].clone()).collect::<Vec<_>>()
    };
    assert!(outdated().is_empty());
    assert_eq!(count(&home, "SELECT count(*) FROM plan_bases"), 2);
    project.write("src/report.py", "def report():\n    return 1\n");
    assert_eq!(outdated(), [json!("T2")]);
}

/// The steps for which `check` reports a changed file.
fn outdated(home: &Home, project: &Project) -> Vec<Value> {
    let checked = home.planwright(project, ["check", "plans/p.md", "--json"]);
    let report = checked.last_json();
    let findings = report["findings"].as_array().unwrap();
    let found = findings.iter().filter(|one| one["code"] == "base_outdated");
    found.map(|one| one["task"].clone()).collect()
}

#[test]
fn what_the_plans_own_run_changed_is_not_told_as_changed_by_others() {
    let plan = |front: &str, command: &str| {
        let call = json!({ "command": command });
        format!(
            "{front}# Report\n\n## Tasks\n- [ ] **T1** Add a line to the report with a command\n  \
             - call: `run_command {call}`\n- [ ] **T2** Read over the report\n  - files: \
             `src/report.py`\n  - by: person\n"
        )
    };
    let adds = "echo '# more' >> src/report.py";
    let fails = "echo '# more' >> src/report.py; false";
    for (has_base, command, exit) in [(false, adds, 3), (false, fails, 4), (true, adds, 3)] {
        let home = Home::new();
        let project = Project::new().file("src/report.py", "pass\n").git();
        project.commit("as it is");
        let commit = project.run_git(&["rev-parse", "HEAD"]);
        let front = match has_base {
            true => format!("---\nplanwright: 1\nbase: {}\n---\n", commit.trim()),
            false => String::new(),
        };
        project.write("plans/p.md", plan(&front, command));
        assert!(outdated(&home, &project).is_empty());
        crate::run(&home, &project, "plans/p.md", &[]).expect(exit);
        assert!(project.read("src/report.py").contains("more"));
        assert!(
            outdated(&home, &project).is_empty(),
            "{command}, base: {has_base}"
        );
        project.write("src/report.py", "by hand\n");
        assert!(
            outdated(&home, &project).contains(&json!("T2")),
            "{command}, base: {has_base}"
        );
    }
}

#[test]
fn a_finding_is_muted_with_a_reason_in_the_plan_and_can_be_heard_again() {
    let bench = Bench::new();
    let project = Project::new().file("plans/reads.md", READS);
    let outline = bench.open(&project, "plans/reads.md");
    let plan = &outline.plan;
    let of_task = |all: &[WindowFinding]| all.iter().find(|one| one.task.is_some()).cloned();
    wait_until("a step has a finding", || {
        of_task(&findings(&bench, plan).1).is_some()
    });
    let (revision, all) = findings(&bench, plan);
    let found = of_task(&all).unwrap();

    let refused = bench
        .desktop
        .mute(plan, &revision, &found.id, "  ")
        .unwrap_err();
    assert!(refused.message.contains("reason"), "{refused}");
    let outcome = bench
        .desktop
        .mute(plan, &revision, &found.id, "it is made by\nthe build");
    let revision = written(outcome.unwrap());
    let line = format!("- mute: {} it is made by the build\n", found.code);
    assert!(project.read("plans/reads.md").contains(&line));
    written(bench.desktop.undo_edit(plan).unwrap());
    assert_eq!(project.read("plans/reads.md"), READS);
    written(bench.desktop.redo_edit(plan).unwrap());

    let muted = findings(&bench, plan)
        .1
        .into_iter()
        .find(|one| one.id == found.id)
        .unwrap();
    assert_eq!(muted.muted.as_deref(), Some("it is made by the build"));
    written(bench.desktop.unmute(plan, &revision, &found.id).unwrap());
    assert_eq!(project.read("plans/reads.md"), READS);
    let counted = insights(&bench, &project).findings;
    let counted = counted.iter().find(|one| one.code == found.code).unwrap();
    assert_eq!((counted.muted, counted.fixed), (1, 0));
}

#[test]
fn a_finding_about_the_whole_plan_is_muted_in_its_front_matter() {
    let bench = Bench::new();
    let project = project();
    let outline = bench.open(&project, "plans/thin.md");
    let plan = &outline.plan;
    let (revision, all) = findings(&bench, plan);
    let found = all.iter().find(|one| one.task.is_none()).unwrap();
    let before = bench.desktop.findings(plan, &revision).unwrap().badge.score;
    let outcome = bench
        .desktop
        .mute(plan, &revision, &found.id, "agreed with the team");
    let revision = written(outcome.unwrap());
    let line = format!("mute: [\"{} agreed with the team\"]\n---\n", found.code);
    assert!(project.read("plans/thin.md").contains(&line));
    let report = bench.desktop.findings(plan, &revision).unwrap();
    assert_eq!(report.badge.score, before, "muting doesn't raise the score");
    let muted = report
        .findings
        .iter()
        .find(|one| one.id == found.id)
        .unwrap();
    assert_eq!(muted.muted.as_deref(), Some("agreed with the team"));
    written(bench.desktop.unmute(plan, &revision, &found.id).unwrap());
    assert_eq!(project.read("plans/thin.md"), THIN);
}

#[test]
fn a_fix_that_was_applied_is_counted() {
    let bench = Bench::new();
    let text = READS.replace(
        "`read_file {\"path\": \"src/report.py\"}`",
        "`read_file {\"path\": \"src/user.py\"}`",
    );
    let project = Project::new()
        .file("plans/reads.md", &text)
        .file("src/users.py", "x\n");
    let outline = bench.open(&project, "plans/reads.md");
    let plan = &outline.plan;
    let mendable = |all: &[WindowFinding]| all.iter().find(|one| !one.fixes.is_empty()).cloned();
    wait_until("something can be mended", || {
        mendable(&findings(&bench, plan).1).is_some()
    });
    let (revision, all) = findings(&bench, plan);
    let found = mendable(&all).unwrap();
    written(
        bench
            .desktop
            .apply_fix(plan, &revision, &found.id, 0)
            .unwrap(),
    );
    let counted = insights(&bench, &project).findings;
    let counted = counted.iter().find(|one| one.code == found.code).unwrap();
    assert_eq!(counted.fixed, 1);
}

#[test]
fn a_thin_plan_is_made_fuller_in_the_window_and_taken_back_in_one_step() {
    let bench = Bench::new();
    let project = project();
    let outline = bench.open(&project, "plans/thin.md");
    let (plan, revision) = (&outline.plan, &outline.revision);
    let view = bench.desktop.expand(plan, revision).unwrap();
    assert!(view.before.is_too_thin);
    assert!(
        view.improved && view.after.badge.score > view.before.badge.score,
        "{view:?}"
    );
    assert!(!view.changes.is_empty() && !view.rounds.is_empty());
    assert!(
        view.changes.iter().all(|change| !change.diff.is_empty()),
        "{view:?}"
    );
    assert_eq!(project.read("plans/thin.md"), THIN, "nothing is written");

    let none = bench
        .desktop
        .preview_expansion(plan, revision, &[])
        .unwrap();
    assert!(none.diff.is_empty());
    let all: Vec<String> = view
        .changes
        .iter()
        .map(|change| change.change.id.clone())
        .collect();
    let preview = bench
        .desktop
        .preview_expansion(plan, revision, &all)
        .unwrap();
    assert_eq!(preview.after, view.after);
    let unknown = bench
        .desktop
        .preview_expansion(plan, revision, &["+99".to_owned()]);
    assert!(unknown.is_err());

    // Another program changes a different line meanwhile; both changes are kept.
    let moved_on = THIN.replace("# Migrate the users table", "# Migrate all users");
    project.write("plans/thin.md", &moved_on);
    written(bench.desktop.apply_expansion(plan, revision, &all).unwrap());
    let text = project.read("plans/thin.md");
    assert!(text.contains("# Migrate all users") && text.len() > moved_on.len());
    written(bench.desktop.undo_edit(plan).unwrap());
    assert_eq!(project.read("plans/thin.md"), moved_on);

    let known = insights(&bench, &project);
    let [expansion] = known.expansions.as_slice() else {
        panic!("{known:?}")
    };
    let changes = u32::try_from(all.len()).unwrap();
    assert_eq!((expansion.offered, expansion.accepted), (changes, changes));
    assert!(expansion.improved && expansion.score_after > expansion.score_before);
    assert_eq!(expansion.path, "plans/thin.md");
}

#[test]
fn the_insights_have_the_adequacy_of_every_revision() {
    let bench = Bench::new();
    let project = project();
    let outline = bench.open(&project, "plans/thin.md");
    let view = bench
        .desktop
        .expand(&outline.plan, &outline.revision)
        .unwrap();
    let all: Vec<String> = view
        .changes
        .iter()
        .map(|change| change.change.id.clone())
        .collect();
    let outcome = bench
        .desktop
        .apply_expansion(&outline.plan, &outline.revision, &all);
    let after = written(outcome.unwrap());
    bench.desktop.outline(&outline.plan, None).unwrap();
    let points = || insights(&bench, &project).points;
    wait_until("both revisions are there", || points().len() == 2);
    let points = points();
    assert_eq!(points[0].revision, outline.revision);
    assert_eq!(
        (&points[1].revision, &*points[1].author),
        (&after, "person")
    );
    assert!(points[1].score > points[0].score && points[0].is_too_thin);
    let elsewhere = bench.desktop.insights(Some("/nowhere"), None).unwrap();
    assert_eq!(elsewhere, Insights::default());
}

/// The example query of the specification, verbatim except for its comment.
const SEEDS_QUERY: &str = "SELECT plan_session_id,
       iterative_loop_round,
       iterative_stop_reason,
       iterative_loop_metadata_json
FROM plan_sessions
WHERE iterative_loop_metadata_json IS NOT NULL
ORDER BY updated_at DESC
LIMIT 20";

#[test]
fn the_seeds_queries_return_numbers_after_one_expansion() {
    let home = Home::new();
    let project = project();
    let shown = home
        .planwright(&project, ["expand", "plans/thin.md", "--json"])
        .expect(0);
    let shown = shown.last_json();
    assert_eq!(shown.get("applied"), None);
    assert_eq!(project.read("plans/thin.md"), THIN);

    let db = database(&home);
    let (rounds, stop, metadata): (i64, String, String) = db
        .query_row(SEEDS_QUERY, [], |row| {
            Ok((row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .unwrap();
    assert_eq!(rounds, shown["rounds"].as_array().unwrap().len() as i64);
    assert_eq!(stop, shown["stop_reason"].as_str().unwrap());
    for (path, side) in [("adequacy_before", "before"), ("adequacy_after", "after")] {
        let sql = format!(
            "SELECT json_extract(iterative_loop_metadata_json, '$.{path}.score') FROM plan_sessions"
        );
        let score: f64 = db.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(json!(score), shown[side]["score"]);
    }
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    // The specification's table of fields: each key with a check of its value's type.
    type Is = fn(&Value) -> bool;
    let table: [(&str, Is); 15] = [
        ("adequacy_score", Value::is_f64),
        ("is_too_thin", Value::is_boolean),
        ("adequacy_reason_codes", Value::is_array),
        ("detail_target_min_tasks", Value::is_u64),
        ("estimated_goal_complexity", Value::is_u64),
        ("aggregate_unresolved_risk", Value::is_f64),
        ("refinement_rounds", Value::is_u64),
        ("loop_stop_reason", Value::is_string),
        ("plan_depth", Value::is_string),
        ("initial_plan_max_output_tokens", Value::is_null),
        ("adequacy_before", Value::is_object),
        ("adequacy_after", Value::is_object),
        ("task_count_before_refine", Value::is_u64),
        ("task_count_after_refine", Value::is_u64),
        ("adequacy_improved_heuristic", Value::is_boolean),
    ];
    for (key, is) in table {
        let value = metadata.get(key);
        assert!(value.is_some_and(is), "{key}: {value:?}");
    }
    for key in ["loop_status", "stop_reason", "adequacy"] {
        assert!(metadata.get(key).is_some(), "{key}");
    }
    for key in [
        "score",
        "is_too_thin",
        "reason_codes",
        "aggregate_unresolved_risk",
    ] {
        assert!(metadata["adequacy_before"].get(key).is_some(), "{key}");
        assert!(metadata["adequacy_after"].get(key).is_some(), "{key}");
    }
    let event: String = db
        .query_row(
            "SELECT payload_json FROM plan_events WHERE kind = 'plan_session_created'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let event: Value = serde_json::from_str(&event).unwrap();
    assert_eq!(
        (&event["version"], &event["node_count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(event["adequacy"]["is_too_thin"], true);
    assert_eq!(event["plan_adequacy_shadow"], true);
    assert_eq!(event["plan_adequacy_enforce"], false);
    assert!(event["goal"].as_str().unwrap().starts_with("Migrate"));

    // Applying the expansion creates another version in the same planning session, with its steps.
    let applied = home.planwright(&project, ["expand", "plans/thin.md", "--apply", "--json"]);
    let applied = applied.expect(0).last_json()["applied"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(crate::revision(&home, &project, "plans/thin.md"), applied);
    assert_eq!(count(&home, "SELECT count(*) FROM plan_sessions"), 1);
    assert_eq!(count(&home, "SELECT current_version FROM plan_sessions"), 2);
    assert_eq!(count(&home, "SELECT count(*) FROM plan_versions"), 2);
    assert_eq!(
        count(&home, "SELECT count(*) FROM plan_nodes WHERE version = 1"),
        2
    );
    assert_eq!(
        count(&home, "SELECT count(*) FROM plan_nodes WHERE version = 2"),
        2,
        "rules add no steps"
    );
}

#[test]
fn an_expansion_reads_as_a_table_of_before_and_after() {
    let home = Home::new();
    let project = project();
    let shown = home
        .planwright(&project, ["expand", "plans/thin.md"])
        .expect(0);
    let text = shown.stdout;
    for words in ["before", "after", "score", "steps", "round 1", "--apply"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
}

#[test]
fn a_thin_plan_that_is_run_all_the_same_is_kept_as_overridden() {
    let home = Home::new().with_env("PLANWRIGHT_PLAN_ADEQUACY_ENFORCE", "1");
    let project = project();
    crate::run(&home, &project, "plans/thin.md", &[]).expect(3);
    assert_eq!(count(&home, "SELECT count(*) FROM finding_actions"), 0);
    crate::run(&home, &project, "plans/thin.md", &["--reason", "a trial"]);
    let overridden = "SELECT count(*) FROM finding_actions
        WHERE action = 'overridden' AND reason = 'a trial' AND code = 'missing_plan_verification'";
    assert_eq!(count(&home, overridden), 1);
}

#[test]
fn what_enforcement_refuses_leaves_no_trace_in_the_telemetry() {
    let project = Project::new().file(".planwright/templates/move.md", TEMPLATE);
    let settings = json!({"auto_expand_thin_plan": false, "plan_adequacy_enforce": true});
    let home = Home::new();
    home.write_settings(&settings);
    let refused = home.planwright(&project, ["plan", GOAL, "--json"]);
    assert_eq!(refused.last_json()["adequacy"]["is_too_thin"], true);
    refused.expect(1);
    for table in ["plan_sessions", "plan_events"] {
        assert_eq!(
            count(&home, &format!("SELECT count(*) FROM {table}")),
            0,
            "{table}"
        );
    }
    let accepted = [
        "plan",
        GOAL,
        "--json",
        "--reason",
        "to be filled in by hand",
    ];
    home.planwright(&project, accepted).expect(0);
    assert_eq!(count(&home, "SELECT count(*) FROM plan_sessions"), 1);
}

#[test]
fn the_window_approves_a_weak_plan_only_with_a_reason() {
    let bench = Bench::new();
    let project = Project::new().file("plans/users.md", THIN);
    bench
        .home
        .write_settings(&json!({"plan_adequacy_enforce": true}));
    let outline = bench.open(&project, "plans/users.md");
    assert_eq!(outline.badge.word, "outline");
    let ask = |run: bool, reason: Option<&str>| {
        bench.desktop.approve(ApproveRequest {
            plan: outline.plan.clone(),
            revision: outline.revision.clone(),
            run,
            upto: None,
            policy: None,
            parallel: None,
            reason: reason.map(str::to_owned),
            notes: None,
            branch: None,
            effort: None,
            shown_ms: None,
        })
    };
    // Approving without running and approving with a run both require a reason that isn't blank.
    for (run, reason) in [(false, None), (true, None), (false, Some("  "))] {
        let refused = ask(run, reason).unwrap_err();
        assert!(refused.message.contains("outline"), "{refused}");
    }
    let overridden = "SELECT count(*) FROM finding_actions WHERE action = 'overridden'";
    assert_eq!(count(&bench.home, overridden), 0);
    ask(false, Some("the rest is done by hand")).unwrap();
    assert!(count(&bench.home, overridden) > 0);
}

#[test]
fn a_thin_draft_is_made_fuller_by_default() {
    // The project's own check is known, but no step of the draft runs it.
    let project =
        planwright_tests::fixtures::python_report().file(".planwright/templates/move.md", TEMPLATE);
    let home = Home::new();
    let made = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0);
    let report = made.last_json();
    let expansion = &report["expansion"];
    assert_eq!(expansion["before"]["is_too_thin"], true, "{report}");
    assert!(expansion["after"]["score"].as_f64() > expansion["before"]["score"].as_f64());
    assert_eq!(expansion["after"]["score"], report["adequacy"]["score"]);
}

#[test]
fn a_check_groups_its_findings_and_says_how_many_are_muted() {
    let home = Home::new();
    let muted = READS.replace(
        "- [ ] **T2**",
        "  - mute: path_missing the build makes it\n- [ ] **T2**",
    );
    let project = Project::new()
        .file("plans/reads.md", &muted)
        .file("src/report.py", "x\n");
    let text = home
        .planwright(&project, ["check", "plans/reads.md"])
        .expect(0);
    assert!(text.stdout.contains("1 muted"), "{}", text.stdout);
    assert!(!text.stdout.contains("src/users.py"), "{}", text.stdout);
    let json = home.planwright(&project, ["check", "plans/reads.md", "--json"]);
    let report = json.last_json();
    let findings = report["findings"].as_array().unwrap();
    let found = findings
        .iter()
        .find(|one| one["code"] == "path_missing")
        .unwrap();
    assert_eq!(found["muted"], "the build makes it");
}

#[test]
fn one_question_at_a_time_is_open_and_survives_a_restart() {
    let bench = Bench::new();
    let project = Project::new()
        .file("plans/drop.md", DROP)
        .file("plans/other.md", DROP.replace("old", "older"));
    let outline = bench.open(&project, "plans/drop.md");
    let plan = &outline.plan;
    let asked = bench.desktop.plan_question(plan).unwrap().unwrap();
    assert!(
        asked.options.len() > 1 && !asked.stakes.is_empty(),
        "{asked:?}"
    );
    assert!(
        asked
            .options
            .iter()
            .all(|option| !option.consequence.is_empty())
    );
    let other = project.at("plans/other.md").display().to_string();
    assert_eq!(
        bench.desktop.plan_question(&other).unwrap(),
        None,
        "one question at a time"
    );
    let inbox = |bench: &Bench| {
        let items = bench.desktop.inbox().unwrap().into_iter();
        let questions = items.filter(|item| item.kind == "plan_question");
        questions.map(|item| item.id).collect::<Vec<_>>()
    };
    assert_eq!(inbox(&bench), std::slice::from_ref(&asked.id));

    let bench = bench.restarted();
    bench.open(&project, "plans/drop.md");
    assert_eq!(
        bench.desktop.plan_question(plan).unwrap(),
        Some(asked.clone())
    );
    assert_eq!(inbox(&bench), std::slice::from_ref(&asked.id));

    // The last option is that nothing has to be kept; the plan records it as an assumption.
    let many = u32::try_from(asked.options.len()).unwrap();
    assert!(bench.desktop.answer_question(&asked.id, many).is_err());
    written(bench.desktop.answer_question(&asked.id, many - 1).unwrap());
    assert!(project.read("plans/drop.md").contains("  - assume: "));
    assert!(bench.desktop.answer_question(&asked.id, 0).is_err(), "once");
    assert!(inbox(&bench).is_empty());
    written(bench.desktop.undo_edit(plan).unwrap());
    assert_eq!(project.read("plans/drop.md"), DROP);
    // The answered question isn't asked again, even after undo; another question may be asked.
    let again = bench.desktop.plan_question(plan).unwrap();
    assert!(again.is_none_or(|again| again.id != asked.id));
}

/// A plan with an irreversible step and no backup.
const DROP: &str = "\
# Tidy up

- [ ] **T1** Drop the old customers table from the production database
  - by: person
- [ ] **T2** Tell the team about it
  - by: person
";
