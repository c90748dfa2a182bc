//! The window receives little data even for a long conversation: proposals are listed without their
//! text, so two hundred proposals of a large plan take no more bytes than two hundred of a small
//! one.

use std::fmt::Write as _;

use desktop::Desktop;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;
use workbench::{CancelToken, Environment, SessionInput, SessionRequest, Workbench};

const PROPOSALS: usize = 200;

fn plan_of(tasks: usize) -> String {
    let mut text = "# Move every module to the new logger\n\n## Tasks\n".to_owned();
    for number in 1..=tasks {
        let _ = writeln!(
            text,
            "- [ ] **T{number}** Use the new logger in `src/part{number:03}.py`\n  - files: `src/part{number:03}.py`\n  - verify: `python3 -m unittest`"
        );
    }
    text
}

/// Plays a session with this many proposals; returns the bytes that the window receives for all of
/// its rows, and for its view.
fn bytes_of(tasks: usize) -> (usize, usize) {
    let mut turns = vec![
        Turn::call("edit_plan", json!({ "new_text": plan_of(tasks) })),
        Turn::call("propose_plan", json!({})),
    ];
    for number in 2..=PROPOSALS {
        let old = if number == 2 {
            "the new logger in `src/part001.py`".to_owned()
        } else {
            format!("logger number {:03} in `src/part001.py`", number - 1)
        };
        let new = format!("logger number {number:03} in `src/part001.py`");
        let edit = json!({ "old_text": old, "new_text": new });
        turns.push(Turn::call("edit_plan", edit));
        turns.push(Turn::call("propose_plan", json!({})));
    }
    let server = ModelServer::start(Scenario::new(turns));
    let (home, project) = (Home::new(), Project::new().file("README.md", "# Parts\n"));
    let environment = || Environment {
        variables: vec![
            ("PLANWRIGHT_HOME".to_owned(), home.path().into()),
            ("PLANWRIGHT_BASE_URL".to_owned(), server.base_url().into()),
            ("PLANWRIGHT_MODEL".to_owned(), "gpt-4.1".into()),
            ("PLANWRIGHT_API_KEY".to_owned(), "sk-test".into()),
        ],
        cwd: project.path().to_owned(),
        program: "/nonexistent".into(),
    };
    let (mut bench, _) = Workbench::open(environment()).unwrap();
    let goal = "Move every module to the new logger".to_owned();
    let request = SessionRequest {
        workspace: Some(project.path().to_owned()),
        goal: goal.clone(),
        ..SessionRequest::default()
    };
    let session = bench.begin_session(&request).unwrap().unwrap();
    let cancel = CancelToken::new().unwrap();
    let mut input = SessionInput::Goal { words: goal };
    for number in 1..=PROPOSALS {
        let end = bench
            .converse(&session, vec![input], None, &cancel, &mut |_| {})
            .unwrap();
        let revision = end
            .revision
            .unwrap_or_else(|| panic!("{number}: {}", end.message));
        let words = format!("Give the logger of the first module another number than {number}.");
        input = SessionInput::Feedback { revision, words };
    }
    drop(bench);
    server.finished();

    let desktop = Desktop::open(environment(), Box::new(|_| {})).unwrap();
    let view = desktop.talk(&session).unwrap();
    let (mut bytes, mut from) = (0, 0);
    while from < view.rows {
        let page = desktop.talk_rows(&session, from, 100).unwrap();
        bytes += serde_json::to_string(&page).unwrap().len();
        from += u32::try_from(page.rows.len()).unwrap().max(1);
    }
    (bytes, serde_json::to_string(&view).unwrap().len())
}

#[test]
fn two_hundred_proposals_cost_the_same_whatever_the_plan_holds() {
    let (small, small_view) = bytes_of(5);
    let (large, large_view) = bytes_of(40);
    // The rows differ only in the number of digits and in the plan's adequacy.
    let most = small + small / 10;
    assert!(large <= most, "{large} bytes instead of {small}");
    assert!(
        large_view <= small_view + 200,
        "{large_view} against {small_view}"
    );
    assert!(
        large < PROPOSALS * 4_000,
        "{large} bytes for {PROPOSALS} proposals"
    );
}
