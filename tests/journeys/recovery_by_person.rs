//! Recovery strategies that a person chooses, while a step is running or after it failed.

use std::sync::mpsc::{Receiver, channel};

use gate::recovery::RecoveryStrategy as Way;
use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, PATIENCE, Project, planwright_binary};
use serde_json::{Value, json};
use workbench::wire::RunEvent;
use workbench::{
    EndState, Environment, ModelChoice, Policy, RunChoice, RunControl, RunRequest, Steer, Workbench,
};

use crate::greeting::{edit, give_up, look, project, report, write};
use crate::{resume, revision, run, run_id};

fn recover(strategy: Way, words: Option<&str>) -> Steer {
    Steer::Recover {
        task: "T1".to_owned(),
        strategy,
        words: words.map(str::to_owned),
    }
}

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
- [ ] **T2** Write down what was changed
  - depends: T1
  - files: `NOTES.md`
";

fn note() -> Turn {
    write("NOTES.md", "Moin now.\n")
}

/// A run on its own thread, with its events as they arrive.
struct Live {
    control: RunControl,
    events: Receiver<RunEvent>,
    thread: std::thread::JoinHandle<workbench::Result<EndState>>,
}

impl Live {
    fn start(server: &ModelServer, home: &Home, project: &Project) -> Self {
        let named = [
            ("PLANWRIGHT_HOME", home.path().display().to_string()),
            ("PLANWRIGHT_BASE_URL", server.base_url()),
            ("PLANWRIGHT_MODEL", "gpt-5-scripted".to_owned()),
        ];
        let named = named.map(|(name, value)| (name.to_owned(), value.into()));
        let environment = Environment {
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .filter(|(name, _)| !name.starts_with("PLANWRIGHT_"))
                .chain(named)
                .collect(),
            cwd: project.path().to_owned(),
            program: planwright_binary().to_owned(),
        };
        let request = RunRequest {
            file: "plans/p.md".into(),
            revision: revision(home, project, "plans/p.md"),
            workspace: None,
            policy: Some(Policy::All),
            upto: None,
            answers: None,
            reason: None,
            parallel: 1,
            model: ModelChoice::Configured,
            choice: RunChoice::default(),
            hand_over: None,
        };
        let control = RunControl::new().unwrap();
        let steered = control.clone();
        let (mut bench, _) = Workbench::open(environment).unwrap();
        let (sender, events) = channel();
        let thread = std::thread::spawn(move || {
            bench.run_controlled(&request, &steered, &mut |event| {
                // Sending fails if the test has stopped listening.
                let _ = sender.send(event);
            })
        });
        Self {
            control,
            events,
            thread,
        }
    }

    #[track_caller]
    fn wait_for(&self, what: &str, wanted: impl Fn(&RunEvent) -> bool) {
        loop {
            match self.events.recv_timeout(PATIENCE) {
                Ok(event) if wanted(&event) => return,
                Ok(_) => {}
                Err(error) => panic!("waited for {what}: {error}"),
            }
        }
    }

    fn finish(self) -> (EndState, Vec<RunEvent>) {
        let ended = self.thread.join().unwrap().unwrap();
        (ended, self.events.try_iter().collect())
    }
}

fn recoveries(events: &[RunEvent]) -> Vec<(String, String)> {
    let found = events.iter().filter_map(|event| match event {
        RunEvent::Recovery { strategy, by, .. } => Some((strategy.clone(), by.as_str().to_owned())),
        _ => None,
    });
    found.collect()
}

fn step<'a>(receipt: &'a Value, task: &str) -> &'a Value {
    let steps = receipt["steps"].as_array().unwrap();
    steps.iter().find(|step| step["task"] == task).unwrap()
}

#[test]
fn a_person_steps_in_while_the_model_answers_and_the_next_request_has_their_words() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("I am going to rewrite the whole program.").stall_after(3),
        edit().expecting("Now do it this way: change the one word, nothing else"),
        report("as far as it goes"),
        note(),
        report("as far as it goes"),
    ]));
    let (home, project) = (home_with(&server), project(PLAN));
    let live = Live::start(&server, &home, &project);
    server.wait_until_stalled(1);
    live.wait_for("words", |event| matches!(event, RunEvent::Text { .. }));
    let words = Some("change the one word, nothing else");
    assert!(live.control.send(recover(Way::TryAlternative, words)));
    // The request ends at once, not when the model has finished.
    server.wait_until_dropped(1);
    server.release();
    let (ended, events) = live.finish();
    assert_eq!(ended, EndState::Done);
    let chosen = ("try_alternative".to_owned(), "person".to_owned());
    assert_eq!(recoveries(&events), [chosen]);
    assert!(project.read("hello.py").contains("Moin"));
    server.finished();
}

#[test]
fn a_step_is_left_out_taken_apart_stopped_or_ended_whatever_the_model_is_at() {
    // Each option is chosen, and the resulting plan and run are checked.
    let stalled = || Turn::say("I begin to think about it.").stall_after(2);
    let play = |turns: Vec<Turn>, way: Way, words: Option<&str>| {
        let server = ModelServer::start(Scenario::new(
            std::iter::once(stalled()).chain(turns).collect::<Vec<_>>(),
        ));
        let (home, project) = (home_with(&server), project(PLAN));
        let live = Live::start(&server, &home, &project);
        server.wait_until_stalled(1);
        assert!(live.control.send(recover(way, words)));
        server.wait_until_dropped(1);
        server.release();
        let (ended, events) = live.finish();
        let plan = project.read("plans/p.md");
        server.finished();
        (ended, events, plan)
    };

    let (ended, events, plan) = play(vec![], Way::Abort, None);
    assert_eq!(ended, EndState::Stopped);
    assert_eq!(recoveries(&events)[0].0, "abort");
    assert!(!plan.contains("[x]"), "{plan}");

    let (ended, _, plan) = play(vec![], Way::AskUser, None);
    assert_eq!(ended, EndState::Waiting);
    assert!(!plan.contains("[x]"), "{plan}");

    // The run waits, because it asks about the dependent steps.
    let words = Some("the greeting stays");
    let (ended, _, plan) = play(vec![], Way::SkipAndContinue, words);
    assert_eq!(ended, EndState::Waiting);
    assert!(plan.contains("- skipped: the greeting stays"), "{plan}");

    let (ended, _, plan) = play(
        vec![
            look(),
            report("as far as it goes"),
            edit(),
            report("as far as it goes"),
            // The last part has no change, so its report is accepted only after the model has read
            // something.
            report("as far as it goes"),
            look(),
            report("as far as it goes"),
            note(),
            report("as far as it goes"),
        ],
        Way::DecomposeFurther,
        None,
    );
    assert_eq!(ended, EndState::Done, "{plan}");
    assert_eq!(plan.matches("origin: run").count(), 3, "{plan}");
}

#[test]
fn a_step_that_the_model_gave_up_goes_on_in_the_way_that_the_person_answers() {
    let server = ModelServer::start(Scenario::new([
        give_up("as far as it goes"),
        give_up("as far as it goes"),
        // The model picks the letter for asking the person.
        Turn::say("D"),
        edit().expecting("Now do it this way: it is one word in the first line"),
        report("as far as it goes"),
        note(),
        report("as far as it goes"),
    ]));
    let (home, project) = (home_with(&server), project(PLAN));
    let waits = run(&home, &project, "plans/p.md", &[]).expect(3);
    let asked = waits.events("waiting")[0].clone();
    assert_eq!(asked["for"], "failure", "{}", waits.shown());
    let words = "it is one word in the first line";
    let way = Answers::new().with("T1", json!({"way": "try_alternative", "words": words}));
    let ended = resume(&home, &project, &run_id(&waits), &way).expect(0);
    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ended), "--json"])
        .expect(0)
        .last_json();
    let recoveries = step(&receipt, "T1")["recoveries"].as_array().unwrap();
    let by: Vec<&Value> = recoveries.iter().map(|one| &one["by"]).collect();
    assert_eq!(by, ["model", "person"], "{receipt:#}");
    server.finished();
}

#[test]
fn a_way_that_there_is_not_changes_nothing_and_the_question_stays() {
    let server = ModelServer::start(Scenario::new([
        give_up("as far as it goes"),
        give_up("as far as it goes"),
        Turn::say("D"),
    ]));
    let (home, project) = (home_with(&server), project(PLAN));
    let waits = run(&home, &project, "plans/p.md", &[]).expect(3);
    let magic = Answers::new().with("T1", json!({"way": "by_magic"}));
    let asked = resume(&home, &project, &run_id(&waits), &magic).expect(3);
    let message = asked.events("waiting")[0]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        message.contains("retry_same, retry_simplified"),
        "{message}"
    );
    server.finished();
}
