//! Tests the scenarios: they require work, and their checks detect whether it was done.

use std::collections::BTreeSet;

use planwright_tests::scenarios::{self, Act, PLAN, RightEnd};

#[test]
fn there_are_scenarios_of_each_length_and_half_are_held_out() {
    let all = scenarios::all();
    assert!(all.len() >= 20);
    let ids: BTreeSet<&str> = all.iter().map(|scenario| scenario.id).collect();
    assert_eq!(ids.len(), all.len(), "each has an id of its own");
    for steps in [1, 3, 7, 14] {
        let of_length: Vec<_> = all.iter().filter(|one| one.length() == steps).collect();
        assert!(of_length.len() >= 3, "{steps} steps");
        assert!(of_length.iter().any(|one| one.held_out), "{steps} steps");
        assert!(of_length.iter().any(|one| !one.held_out), "{steps} steps");
    }
    let held_out = all.iter().filter(|one| one.held_out).count();
    assert!(held_out.abs_diff(all.len() - held_out) <= 4, "{held_out}");
}

#[test]
fn no_scenario_is_right_before_anything_was_done() {
    for scenario in scenarios::all() {
        let changes = scenario.changed_paths().next().is_some();
        let answers = scenario.steps.iter().any(|step| step.fact.is_some());
        let project = scenario.project();
        let wrong = scenario.faults_of(&project, "");
        if scenario.end == RightEnd::Done && changes {
            assert!(
                !wrong.is_empty(),
                "{} is right from the beginning",
                scenario.id
            );
        } else if scenario.id == "S4" {
            assert!(answers && !wrong.is_empty());
        }
        assert_eq!(
            project.run_git(&["status", "--porcelain"]),
            "",
            "{}",
            scenario.id
        );
    }
}

#[test]
fn a_file_that_nobody_was_to_touch_is_missed() {
    let scenario = scenarios::all()
        .into_iter()
        .find(|one| one.id == "S4")
        .unwrap();
    let project = scenario.project();
    assert_eq!(scenario.faults_of(&project, "9464"), Vec::<String>::new());
    project.write("docs/ports.md", "changed");
    project.write("src/new.py", "");
    let wrong = scenario.faults_of(&project, "9464");
    assert_eq!(wrong.len(), 2, "{wrong:?}");
}

#[test]
fn no_line_of_a_plan_is_a_line_that_a_file_is_to_have() {
    for scenario in scenarios::all() {
        let plan = scenario.plan();
        for act in scenario.steps.iter().flat_map(|step| &step.acts) {
            if let Act::Edit { new, .. } = act {
                let put_in = |line: &str| new.lines().any(|new| new.trim() == line.trim());
                let same = plan.lines().filter(|line| !line.trim().is_empty());
                let same: Vec<&str> = same.filter(|line| put_in(line)).collect();
                assert!(same.is_empty(), "{}: {same:?}", scenario.id);
            }
        }
    }
}

#[test]
fn every_plan_is_read_without_a_problem_and_no_step_is_blocked() {
    for scenario in scenarios::all() {
        let (plan, problems) = plan::parse(&scenario.plan());
        assert!(problems.is_empty(), "{} {PLAN}: {problems:?}", scenario.id);
        let titles: Vec<&str> = plan.tasks.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(
            titles.len(),
            scenario.steps.len(),
            "{}: {titles:?}",
            scenario.id
        );
        for (task, step) in plan.tasks.iter().zip(&scenario.steps) {
            assert_eq!(task.files, step.files, "{} {}", scenario.id, step.id);
            assert_eq!(task.verify.len(), usize::from(step.verify.is_some()));
        }
    }
}
