//! A conversation with a model from a goal to completed work, through the terminal, against a
//! scripted server.

use planwright_tests::ModelServer;
use planwright_tests::conversation::{GOAL, PLAN, executing, home_with, plan, planning};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::Scenario;

#[test]
fn a_goal_is_planned_offered_approved_and_carried_out_by_a_run() {
    let server = ModelServer::start(Scenario::new(planning().into_iter().chain(executing())));
    let home = home_with(&server);
    let project = python_report().git();
    let before = project.snapshot();

    let planned = plan(&home, &project);
    let (session, revision) = (
        planned["session"].as_str().unwrap().to_owned(),
        planned["revision"].as_str().unwrap().to_owned(),
    );
    let path = planned["path"].as_str().unwrap().to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with(PLAN), "{text}");
    assert!(text.contains(&format!("goal: {GOAL}")), "{text}");
    assert_eq!(server.requests().len(), 5);

    // The plan is the only new file.
    std::fs::rename(&path, home.path().join("kept.md")).unwrap();
    std::fs::remove_dir(project.at("plans")).unwrap();
    assert_eq!(before.contents(), project.snapshot().contents());
    std::fs::create_dir(project.at("plans")).unwrap();
    std::fs::rename(home.path().join("kept.md"), &path).unwrap();

    let done = home
        .planwright(
            &project,
            ["chat", &session, "--approve", &revision[..12], "--json"],
        )
        .expect(0);
    assert_eq!(done.last_json()["state"], "done", "{}", done.shown());
    assert!(project.read("report/table.py").contains("render_json"));
    let (passes, output) = project.run("python3", &["-m", "unittest"]);
    assert!(passes, "{output}");
    let requests = server.finished();
    assert_eq!(requests.len(), 11);
    let listed = home.planwright(&project, ["sessions", "--json"]).expect(0);
    assert_eq!(listed.json()[0]["mode"], "plan", "the run has ended");
}
