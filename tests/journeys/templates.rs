//! Templates: a template is shown with the parts of the goal that it used, and can be declined
//! before or after planning.

use desktop::wire::{EditOutcome, GoalRequest, PlanAnew, PlanWriter};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;

use crate::documents::Bench;

const RENAME: &str = "Rename the function total to sum_rows everywhere and test it";

fn anew(plan: &str, seen: &str, by: PlanWriter) -> PlanAnew {
    PlanAnew {
        job: "anew".to_owned(),
        plan: plan.to_owned(),
        seen: seen.to_owned(),
        by,
    }
}

fn without_template(plan: &str, seen: &str) -> PlanAnew {
    anew(plan, seen, PlanWriter::Steps)
}

fn request(project: &Project, without_template: bool) -> GoalRequest {
    GoalRequest {
        job: "job".to_owned(),
        workspace: project.path().display().to_string(),
        goal: RENAME.to_owned(),
        requirements: Some(vec!["Rename total to sum_rows in every file".to_owned()]),
        template: None,
        without_template,
        reason: None,
        effort: "auto".to_owned(),
        pins: Vec::new(),
        agent: None,
    }
}

fn took(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn a_goal_is_planned_without_a_template_when_that_is_refused() {
    let home = Home::new();
    let project = python_report().git();
    let plan = |more: &[&str]| {
        let args = [&["plan", RENAME, "--json"], more].concat();
        home.planwright(&project, args).expect(0).last_json()
    };
    let with = plan(&[]);
    assert_eq!(with["route"]["template"], "rename-across-files");
    assert_eq!(
        with["route"]["took"],
        json!({"from": "total", "to": "sum_rows"})
    );
    let without = plan(&["--no-template"]);
    assert_eq!(without["route"]["template"], json!(null), "{without}");
    let reasons = without["route"]["reasons"].as_array().unwrap();
    assert!(
        reasons[0]
            .as_str()
            .unwrap()
            .starts_with("no template, as requested"),
        "{reasons:?}"
    );
    assert_eq!(without["requirements"], with["requirements"]);
    assert_ne!(
        with["path"], without["path"],
        "the first plan is still there"
    );
}

#[test]
fn a_plan_made_from_a_template_can_be_made_anew_without_it_and_nothing_is_lost() {
    let bench = Bench::new();
    let project = python_report().git();
    let root = project.path().display().to_string();
    bench.desktop.open_workspace(&root).unwrap();

    let read = bench.desktop.read_goal(Some(&root), RENAME).unwrap();
    let matched = read.template.unwrap();
    assert_eq!(matched.name, "rename-across-files");
    assert_eq!(matched.took, took(&[("from", "total"), ("to", "sum_rows")]));

    let made = bench.desktop.make_plan(request(&project, false)).unwrap();
    let plan = made.plan.plan;
    let first = std::fs::read_to_string(&plan).unwrap();
    let origin = bench.desktop.plan_origin(&plan).unwrap().unwrap();
    assert_eq!(origin.template.unwrap().took, matched.took);

    // Declining the template on an outdated revision writes nothing.
    let stale = bench
        .desktop
        .plan_anew(&without_template(&plan, &"0".repeat(64)));
    assert!(stale.is_err(), "{stale:?}");
    let again = bench
        .desktop
        .plan_anew(&without_template(&plan, &origin.revision))
        .unwrap();
    let EditOutcome::Written { revision, .. } = again else {
        panic!("{again:?}")
    };
    let second = std::fs::read_to_string(&plan).unwrap();
    assert_ne!(first, second);
    let id = |text: &str| plan::parse(text).0.front.id;
    assert_eq!(id(&first), id(&second), "it is the same plan");
    assert!(
        second.contains("- R1 Rename total to sum_rows in every file\n"),
        "{second}"
    );
    let origin = bench.desktop.plan_origin(&plan).unwrap().unwrap();
    assert_eq!((origin.template, origin.revision), (None, revision));

    // One undo restores the first plan byte for byte.
    bench.desktop.undo_edit(&plan).unwrap();
    assert_eq!(std::fs::read_to_string(&plan).unwrap(), first);
}

#[test]
fn what_rules_wrote_a_model_can_write_anew_and_the_other_way_round_and_a_failure_changes_nothing() {
    let draft = "\
- [ ] **T1** Rename `total` to `sum_rows` in `report/rows.py`
  - files: `report/rows.py`
  - covers: R1
  - accept: no file defines `total` any more
  - verify: `python3 -m unittest`
";
    let prose = "I would begin by reading the code.";
    let server = ModelServer::start(Scenario::new([
        Turn::say(draft),
        Turn::say(prose),
        Turn::say(prose),
    ]));
    let home = Home::new();
    home.write_settings(&json!({
        "endpoint": {"base_url": server.base_url(), "model": "gpt-4o"},
    }));
    let bench = Bench::on(home);
    let project = python_report().git();
    let root = project.path().display().to_string();
    bench.desktop.open_workspace(&root).unwrap();
    let made = bench.desktop.make_plan(request(&project, false)).unwrap();
    let plan = made.plan.plan;
    let text = || std::fs::read_to_string(&plan).unwrap();
    let solver = || bench.desktop.plan_route(&plan).unwrap().unwrap().solver;
    let seen = || {
        let origin = bench.desktop.plan_origin(&plan).unwrap();
        origin.unwrap().revision
    };
    let first = text();
    assert_eq!(solver(), "gs-symbolic");

    let by_model = anew(&plan, &seen(), PlanWriter::Model);
    let outcome = bench.desktop.plan_anew(&by_model).unwrap();
    assert!(matches!(outcome, EditOutcome::Written { .. }));
    assert_eq!(solver(), "gs-llm-fast");
    assert!(text().contains("no file defines `total`"), "{}", text());
    let id = |text: &str| plan::parse(text).0.front.id;
    assert_eq!(id(&first), id(&text()), "it is the same plan");

    // If the model doesn't write a plan, the current one stays unchanged.
    let (before, failed) = (text(), anew(&plan, &seen(), PlanWriter::Model));
    bench.desktop.plan_anew(&failed).unwrap_err();
    assert_eq!(text(), before);
    assert_eq!(server.finished().len(), 3);

    let by_rules = anew(&plan, &seen(), PlanWriter::Rules);
    bench.desktop.plan_anew(&by_rules).unwrap();
    assert_eq!(solver(), "gs-symbolic");
    // Each rewrite is a single undo step.
    bench.desktop.undo_edit(&plan).unwrap();
    bench.desktop.undo_edit(&plan).unwrap();
    assert_eq!(text(), first);
}

#[test]
fn a_plan_that_somebody_changed_is_not_made_anew() {
    let bench = Bench::new();
    let project = python_report().git();
    bench
        .desktop
        .open_workspace(&project.path().display().to_string())
        .unwrap();
    let made = bench.desktop.make_plan(request(&project, false)).unwrap();
    let plan = made.plan.plan;
    let seen = bench.desktop.plan_origin(&plan).unwrap().unwrap().revision;
    let mine = format!(
        "{}\nA word of mine.\n",
        std::fs::read_to_string(&plan).unwrap()
    );
    std::fs::write(&plan, &mine).unwrap();
    assert_eq!(bench.desktop.plan_origin(&plan).unwrap(), None);
    let outcome = bench
        .desktop
        .plan_anew(&without_template(&plan, &seen))
        .unwrap();
    assert!(
        matches!(outcome, EditOutcome::Conflict { .. }),
        "{outcome:?}"
    );
    assert_eq!(std::fs::read_to_string(&plan).unwrap(), mine);
}

#[test]
fn the_window_refuses_a_template_before_the_plan_is_made() {
    let bench = Bench::new();
    let project = python_report().git();
    bench
        .desktop
        .open_workspace(&project.path().display().to_string())
        .unwrap();
    let made = bench.desktop.make_plan(request(&project, true)).unwrap();
    assert_eq!(made.template, None);
    assert!(made.route[0].starts_with("no template"), "{:?}", made.route);
    // If no template fits the goal, none is shown.
    let read = bench
        .desktop
        .read_goal(None, "Organise the team day in June")
        .unwrap();
    assert_eq!(read.template, None);
}
