//! Tests of plans that grow during the run: each step is added only once, a model's statement that
//! the goal is reached is only a claim, and limits are respected.

use serde_json::json;

use super::model_work::{call, config, everything, report, said, words};
use super::*;
use crate::model_step::Offer;
use crate::model_tool::ModelTool;
use crate::run_limits::RunLimits;

const GROWS: &str = "\
---
planwright: 1
goal: Write two files
strategy: iterative
---
# Write two files

## Tasks
- [ ] **T1** Write the first file of the two
  - files: `a`
";

fn is_planner(request: &StepRequest) -> bool {
    request.offer == Offer::Words
}

/// A model that plans one more step and then claims that the goal is reached.
fn grows(request: &StepRequest) -> Reply {
    let text = everything(request);
    if is_planner(request) {
        return words(match text.contains("Write the second file") {
            false => {
                r#"{"what": "Write the second file b", "why": "two are wanted", "tools": ["write_file"]}"#
            }
            true => r#"{"done": true}"#,
        });
    }
    let path = if text.contains("Your step, T1") {
        "a"
    } else {
        "b"
    };
    match said(request) {
        0 => call("write_file", json!({"path": path, "content": "x"})),
        _ => report(true),
    }
}

#[test]
fn a_plan_grows_by_one_step_at_a_time_until_its_goal_is_checked() {
    let mut world = World {
        model: grows,
        ..World::new(GROWS)
    };
    let config = |answers: &str| Config {
        project_checks: vec!["make test".to_owned()],
        ..config(answers)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    // The new step names no file, so writing one needs permission.
    assert_eq!(ended, Some(EndState::Waiting), "{}", world.plan);
    let yes = r#"{"permissions": [{"tool": "write_file", "match": "exact b", "answer": "once"}]}"#;
    let (ended, _) = world.play(config(yes), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{}", world.plan);
    assert_eq!(world.plan.matches("- [x]").count(), 2);
    assert!(world.plan.contains("origin: run"), "{}", world.plan);
    assert_eq!(world.state().planning.steps, 1);
    assert_eq!(world.state().planning.checked.len(), 1);
}

/// A model that gives a hint in its first report and none in its second.
fn hints(request: &StepRequest) -> Reply {
    let is_first = everything(request).contains("Your step, T1");
    match (is_planner(request), said(request)) {
        (false, 1..) if is_first => call(
            "report_progress",
            json!({"summary": "wrote it", "done": true, "next_hint": "look at the moon"}),
        ),
        _ => grows(request),
    }
}

#[test]
fn a_hint_is_that_of_the_last_report() {
    let mut world = World {
        model: hints,
        ..World::new(GROWS)
    };
    let yes = r#"{"permissions": [{"tool": "write_file", "match": "exact b", "answer": "once"}]}"#;
    world.play(config(yes), Die::Never);
    let asked = world.requests.iter().filter(|request| is_planner(request));
    let hinted: Vec<bool> = asked
        .map(|request| everything(request).contains("look at the moon"))
        .collect();
    assert_eq!(
        hinted,
        [true, false],
        "behind the first step, and no longer behind the second"
    );
}

#[test]
fn a_growing_run_that_is_cut_off_anywhere_adds_no_step_twice() {
    let yes = r#"{"unknown": "check", "T3": "Done",
        "permissions": [{"tool": "write_file", "match": "exact b", "answer": "run"}]}"#;
    let new = || World {
        model: grows,
        ..World::new(GROWS)
    };
    let (_, effects) = new().play(config(yes), Die::Never);
    for at in 0..effects {
        let mut world = new();
        world.play(config(yes), Die::Before(at));
        let (ended, _) = world.play(config(yes), Die::Never);
        assert_eq!(
            ended,
            Some(EndState::Done),
            "died before effect {at}:\n{}",
            world.plan
        );
        assert_eq!(
            world.plan.matches("- [x]").count(),
            3,
            "died before effect {at}:\n{}",
            world.plan
        );
        assert_eq!(
            world.plan.matches("- [ ]").count(),
            0,
            "died before effect {at}:\n{}",
            world.plan
        );
        assert_eq!(world.performed.len(), 2, "died before effect {at}");
    }
}

#[test]
fn a_goal_that_is_not_reached_is_not_called_so() {
    let mut world = World {
        model: grows,
        ..World::new(GROWS)
    };
    world.failing = vec!["make test"];
    let config = Config {
        project_checks: vec!["make test".to_owned()],
        ..config(
            r#"{"permissions": [{"tool": "write_file", "match": "exact b", "answer": "run"}]}"#,
        )
    };
    let (ended, _) = world.play(config, Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    let told = world
        .requests
        .iter()
        .any(|request| everything(request).contains("`make test` fails"));
    assert!(told, "the planner gets to know why");
}

#[test]
fn a_planner_that_names_no_step_stops_the_run_with_a_reason() {
    fn chatty(request: &StepRequest) -> Reply {
        if is_planner(request) {
            return words("Let me think about what could be useful here.");
        }
        grows(request)
    }
    let mut world = World {
        model: chatty,
        ..World::new(GROWS)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(world.requests.iter().filter(|r| is_planner(r)).count(), 3);
}

/// A model that writes as soon as it has the tool for it; until then, it only reads.
fn writes(request: &StepRequest) -> Reply {
    let writes = ModelTool::Workspace(plan::ToolName::WriteFile);
    match said(request) {
        0 if !request.tools.contains(&writes) => call("read_file", json!({"path": "a"})),
        0 => call("write_file", json!({"path": "a", "content": "x"})),
        _ => report(true),
    }
}

#[test]
fn a_long_step_is_done_in_smaller_ones() {
    let plan = GROWS
        .replace("strategy: iterative\n", "")
        .replace("  - files: `a`\n", "  - files: `a`\n  - complexity: 9\n");
    let mut world = World {
        model: writes,
        ..World::new(&plan)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(
        ended,
        Some(EndState::Done),
        "{}\n{:?}",
        world.plan,
        world.asked
    );
    assert!(world.plan.matches("- [x]").count() > 2, "{}", world.plan);
}

/// A model that claims in its first reply that the goal is reached.
fn claims(request: &StepRequest) -> Reply {
    match is_planner(request) {
        true => words("null"),
        false => grows(request),
    }
}

const NOTHING: &str = "\
---
planwright: 1
goal: Greet in German
strategy: iterative
---
# Greet in German
";

#[test]
fn a_goal_that_nothing_can_check_is_reached_when_a_person_says_so() {
    let mut world = World {
        model: claims,
        ..World::new(NOTHING)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{}", world.plan);
    assert_eq!(world.asked[0].question, QuestionKind::Person);
    assert!(
        world.plan.contains("  - by: person\n  - origin: run\n"),
        "{}",
        world.plan
    );
    let (ended, _) = world.play(config(r#"{"T1": "Done"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{}", world.plan);
    assert_eq!(
        world.requests.len(),
        1,
        "nothing is asked once a person has said it"
    );
}

#[test]
fn what_the_person_misses_is_told_to_the_model() {
    let mut world = World {
        model: grows,
        ..World::new(GROWS)
    };
    let yes = r#"{"permissions": [{"tool": "write_file", "match": "exact b", "answer": "run"}]}"#;
    let (ended, _) = world.play(config(yes), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{}", world.plan);
    assert_eq!(world.asked[0].task, "T3");
    let no = r#"{"T3": {"skip": "the second file is empty"}}"#;
    world.play(config(no), Die::Never);
    let told = world.requests.iter().any(|request| {
        is_planner(request) && everything(request).contains("not reached: the second file is empty")
    });
    assert!(told, "{}", world.plan);
    // The model claims the goal again, and the person is asked again.
    assert_eq!(world.asked[0].task, "T4", "{}", world.plan);
    let (ended, _) = world.play(config(r#"{"T4": "Done"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{}", world.plan);
}

#[test]
fn checks_of_a_workspace_are_run_behind_a_step_that_shows_them() {
    let mut world = World {
        model: claims,
        ..World::new(NOTHING)
    };
    let config = |answers: &str| Config {
        unseen_checks: vec!["make test".to_owned()],
        ..config(answers)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(
        world.plan.contains("  - verify: `make test`\n"),
        "{}",
        world.plan
    );
    let ran = |world: &World| {
        let mut journal = world.journal.iter();
        journal.any(|entry| matches!(entry, Entry::Checked { .. } | Entry::GoalChecked { .. }))
    };
    assert!(!ran(&world), "nobody has seen it yet");
    let (ended, _) = world.play(config(r#"{"T1": "Done"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{}", world.plan);
    assert!(ran(&world));
}

#[test]
fn a_requirement_that_no_step_covers_is_open_and_becomes_a_step_by_rule() {
    let plan = format!("{NOTHING}\n## Requirements\n- R1 the greeting is German\n");
    let mut world = World {
        model: claims,
        ..World::new(&plan)
    };
    world.play(config("{}"), Die::Never);
    let asked = world.requests.iter().filter(|request| is_planner(request));
    let told = asked
        .clone()
        .skip(1)
        .all(|request| everything(request).contains("no completed step covers R1"));
    assert!(told && asked.count() >= 3);
    assert!(
        world
            .plan
            .contains("the greeting is German\n  No step covers R1 yet."),
        "{}",
        world.plan
    );
}

#[test]
fn a_plan_whose_strategy_nobody_chose_grows_only_where_it_lacks_steps() {
    let whole = GROWS.replace("strategy: iterative\n", "");
    let by_profile = || Config {
        usual_strategy: PlanningStrategy::Iterative,
        is_by_profile: true,
        ..config("{}")
    };
    let play = |plan: &str| {
        let mut world = World {
            model: grows,
            ..World::new(plan)
        };
        let config = Config {
            answers: Answers::parse(r#"{"claims": "Count as done"}"#).unwrap(),
            ..by_profile()
        };
        let (ended, _) = world.play(config, Die::Never);
        let planned = world
            .requests
            .iter()
            .filter(|request| is_planner(request))
            .count();
        (ended, planned)
    };
    assert_eq!(play(&whole), (Some(EndState::Done), 0));
    let lacking = whole.replace(
        "## Tasks",
        "## Requirements\n- R1 there are two files\n\n## Tasks",
    );
    assert!(play(&lacking).1 > 0);
    // A step that a person skipped is not planned again.
    let left_out = lacking.replace(
        "  - files: `a`\n",
        "  - files: `a`\n- [ ] **T2** Write b\n  - covers: R1\n  - skipped: not now\n",
    );
    assert_eq!(play(&left_out), (Some(EndState::Incomplete), 0));
}

#[test]
fn an_outline_is_taken_apart_step_by_step() {
    fn outlined(request: &StepRequest) -> Reply {
        if is_planner(request) {
            return words(
                r#"[{"what": "Read the file a", "tools": ["read_file"]}, {"what": "Write the file a", "tools": ["write_file"]}]"#,
            );
        }
        writes(request)
    }
    let plan = GROWS.replace("iterative", "hybrid");
    let mut world = World {
        model: outlined,
        ..World::new(&plan)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(
        ended,
        Some(EndState::Done),
        "{}\n{:?}",
        world.plan,
        world.asked
    );
    assert_eq!(
        world.plan.matches("origin: run").count(),
        2,
        "{}",
        world.plan
    );
    assert_eq!(
        world
            .requests
            .iter()
            .filter(|request| is_planner(request))
            .count(),
        1
    );

    // Unless somebody chose a strategy, a step with files and a check doesn't belong to an outline.
    let by_profile = Config {
        usual_strategy: PlanningStrategy::Hybrid,
        is_by_profile: true,
        ..config("{}")
    };
    let mut world = World {
        model: outlined,
        ..World::new(&plan.replace("strategy: hybrid\n", ""))
    };
    world.play(by_profile, Die::Never);
    assert!(!world.requests.iter().any(is_planner));
}

#[test]
fn a_limit_holds_inside_a_step_too_and_going_on_allows_as_much_again() {
    fn reads(request: &StepRequest) -> Reply {
        match said(request) {
            at @ 0..5 => call(
                "read_file",
                json!({"path": "hello.py", "start_line": at + 1}),
            ),
            5 => call("write_file", json!({"path": "a", "content": "x"})),
            _ => report(true),
        }
    }
    let plan = GROWS.replace("strategy: iterative\n", "");
    let mut world = World {
        model: reads,
        ..World::new(&plan)
    };
    let limited = || Config {
        caps: RunLimits {
            calls: 4,
            ..RunLimits::default()
        },
        ..config("{}")
    };
    let (ended, _) = world.play(limited(), Die::Never);
    assert_eq!((ended, world.requests.len()), (Some(EndState::Stopped), 4));
    assert_eq!(world.standing("T1"), Standing::Running);
    let (ended, _) = world.play(limited(), Die::Never);
    assert_eq!((ended, world.requests.len()), (Some(EndState::Done), 7));
}

#[test]
fn the_project_s_own_checks_are_run_behind_the_last_step() {
    let plan = GROWS.replace("strategy: iterative\n", "").replace(
        "  - files: `a`\n",
        "  - files: `a`\n  - verify: `test -f a`\n",
    );
    let checked = || Config {
        project_checks: vec!["make test".to_owned()],
        ..config("{}")
    };
    let mut world = World {
        model: grows,
        failing: vec!["make test"],
        ..World::new(&plan)
    };
    let (ended, _) = world.play(checked(), Die::Never);
    assert_eq!(ended, Some(EndState::Failed), "{}", world.plan);
    // After the person has fixed the problem by hand, the checks run again.
    world.failing.clear();
    let (ended, _) = world.play(checked(), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
}
