//! Steering a run in progress, as a window does: answers, pause, skip, retry, and output.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gate::answers::Answer;
use gate::question::QuestionKind;
use planwright_tests::{Home, PATIENCE, Project, planwright_binary, processes_with, wait_until};
use workbench::wire::RunEvent;
use workbench::{
    EndState, Environment, GivenAnswer, Policy, RunControl, RunRequest, Steer, Workbench,
};

use crate::revision;

/// A plan in a project, opened as in a window.
struct Window {
    home: Home,
    project: Project,
    bench: Workbench,
}

/// A run on its own thread, with its events as they arrive.
struct Live {
    control: RunControl,
    events: Receiver<RunEvent>,
    seen: Vec<RunEvent>,
    thread: std::thread::JoinHandle<workbench::Result<EndState>>,
}

impl Window {
    fn new(plan: &str) -> Self {
        let (home, project) = (Home::new(), Project::new().file("plans/p.md", plan));
        let environment = Environment {
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .filter(|(name, _)| !name.starts_with("PLANWRIGHT_"))
                .chain([("PLANWRIGHT_HOME".to_owned(), home.path().into())])
                .collect(),
            cwd: project.path().to_owned(),
            program: planwright_binary().to_owned(),
        };
        let (bench, _) = Workbench::open(environment).unwrap();
        Self {
            home,
            project,
            bench,
        }
    }

    fn start(
        &self,
        control: &RunControl,
        go: impl FnOnce(
            &mut Workbench,
            &RunControl,
            &mut dyn FnMut(RunEvent),
        ) -> workbench::Result<EndState>
        + Send
        + 'static,
    ) -> Live {
        let (sender, events) = channel();
        let mut bench = self.bench.again().unwrap();
        let steered = control.clone();
        let thread = std::thread::spawn(move || {
            go(&mut bench, &steered, &mut |event| {
                // Sending fails if the test has stopped listening.
                let _ = sender.send(event);
            })
        });
        Live {
            control: control.clone(),
            events,
            seen: Vec::new(),
            thread,
        }
    }

    fn run(&self, policy: Policy, control: &RunControl) -> Live {
        let request = RunRequest {
            file: "plans/p.md".into(),
            revision: revision(&self.home, &self.project, "plans/p.md"),
            workspace: None,
            policy: Some(policy),
            upto: None,
            answers: None,
            reason: None,
            parallel: 1,
            model: workbench::ModelChoice::Configured,
            choice: workbench::RunChoice::default(),
            hand_over: None,
        };
        self.start(control, move |bench, control, sink| {
            bench.run_controlled(&request, control, sink)
        })
    }

    fn resume(&self, run: &str, answers: Vec<GivenAnswer>, control: &RunControl) -> Live {
        let run = run.to_owned();
        self.start(control, move |bench, control, sink| {
            bench.resume_controlled(&run, answers, control, sink)
        })
    }

    /// An answer to a question about a step of the current plan.
    fn answer(&self, task: &str, question: QuestionKind, answer: Answer) -> GivenAnswer {
        let text = self.project.read("plans/p.md");
        let prints = agent::run::fingerprints(&text, &plan::parse(&text).0);
        GivenAnswer {
            task: task.to_owned(),
            question,
            fingerprint: prints.get(&plan::TaskId::from(task)).cloned(),
            answer,
            permission: None,
        }
    }
}

impl Live {
    #[track_caller]
    fn wait_for(&mut self, what: &str, wanted: impl Fn(&RunEvent) -> bool) -> RunEvent {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = self.events.recv_timeout(left) else {
                panic!("waited for {what}; seen: {:#?}", self.seen);
            };
            self.seen.push(event.clone());
            if wanted(&event) {
                return event;
            }
        }
    }

    #[track_caller]
    fn wait_for_output(&mut self, wanted: &str) {
        self.wait_for(
            wanted,
            |event| matches!(event, RunEvent::Output { text, .. } if text.contains(wanted)),
        );
    }

    fn finish(mut self) -> (EndState, Vec<RunEvent>) {
        let ended = self.thread.join().unwrap().unwrap();
        self.seen.extend(self.events.try_iter());
        (ended, self.seen)
    }
}

fn run_of(events: &[RunEvent]) -> String {
    let run = events.iter().find_map(|event| match event {
        RunEvent::Started { run, .. } => Some(run.clone()),
        _ => None,
    });
    run.unwrap()
}

fn waits_for(events: &[RunEvent]) -> Vec<(String, String, String)> {
    let waiting = events.iter().filter_map(|event| match event {
        RunEvent::Waiting {
            kind, id, message, ..
        } => Some((id.clone(), kind.clone(), message.clone())),
        _ => None,
    });
    waiting.collect()
}

/// A step that prints a word once it is running, and ends when a file appears.
fn gate(id: &str, word: &str, opens: &str) -> String {
    let command = format!("sh -c 'echo {word}; while [ ! -e {opens} ]; do sleep 0.02; done'");
    let call = serde_json::json!({ "command": command });
    format!("- [ ] **{id}** Wait until the gate is open\n  - call: `run_command {call}`\n")
}

const DECIDES: &str = "\
- [ ] **D1** Which ending is it to have?
  - type: decision
  - depends:
  - option: The short one -> T8
  - option: The long one -> T9
- [ ] **T8** Write the short ending of it
  - depends: D1
  - call: `write_file {\"path\": \"short\", \"content\": \"\"}`
- [ ] **T9** Write the long ending of it
  - depends: D1
  - call: `write_file {\"path\": \"long\", \"content\": \"\"}`
";

#[test]
fn a_decision_is_answered_while_another_step_runs() {
    let gate = gate("T1", "at-work", "open");
    let plan = format!("# Decide on the way\n\n## Tasks\n{DECIDES}{gate}  - depends:\n");
    let window = Window::new(&plan);
    let control = RunControl::new().unwrap();
    let mut live = window.run(Policy::All, &control);
    live.wait_for(
        "the question",
        |event| matches!(event, RunEvent::Waiting { id, .. } if id == "D1"),
    );
    live.wait_for_output("at-work");
    let label = "The long one".to_owned();
    let choice = Answer::Choice { label, note: None };
    assert!(control.send(Steer::Answer(window.answer(
        "D1",
        QuestionKind::Decision,
        choice
    ))));
    window.project.write("open", "");
    let (ended, events) = live.finish();
    assert_eq!(ended, EndState::Done, "{events:#?}");
    assert!(window.project.at("long").exists());
    assert!(!window.project.at("short").exists());
    assert_eq!(control.take_unused(), Vec::new());
}

#[test]
fn an_answer_after_the_end_is_refused_and_resumes_the_run() {
    let window = Window::new(&format!("# Decide and go on\n\n## Tasks\n{DECIDES}"));
    let control = RunControl::new().unwrap();
    let (ended, events) = window.run(Policy::All, &control).finish();
    assert_eq!(ended, EndState::Waiting);
    let label = "The short one".to_owned();
    let choice = Answer::Choice { label, note: None };
    let answer = window.answer("D1", QuestionKind::Decision, choice);
    assert!(
        !control.send(Steer::Answer(answer.clone())),
        "no run is there to receive it"
    );
    let (ended, _) = window
        .resume(&run_of(&events), vec![answer], &control)
        .finish();
    assert_eq!(ended, EndState::Done);
    assert!(window.project.at("short").exists());
}

#[test]
fn what_a_refused_resume_did_not_take_is_given_back() {
    let window = Window::new(&format!("# Decide and go on\n\n## Tasks\n{DECIDES}"));
    let control = RunControl::new().unwrap();
    let answer = window.answer("D1", QuestionKind::Decision, Answer::Stop);
    let mut bench = window.bench.again().unwrap();
    let refused = bench.resume_controlled("nosuchrun", vec![answer.clone()], &control, &mut |_| {});
    refused.unwrap_err();
    assert_eq!(control.take_unused(), vec![Steer::Answer(answer)]);
}

#[test]
fn a_pause_ends_after_the_step_in_hand_and_resume_goes_on() {
    let first = gate("T1", "at-work", "open");
    let plan = format!(
        "# Pause between two steps\n\n## Tasks\n{first}- [ ] **T2** Write the second file\n  - call: `write_file {{\"path\": \"second\", \"content\": \"\"}}`\n"
    );
    let window = Window::new(&plan);
    let control = RunControl::new().unwrap();
    let mut live = window.run(Policy::All, &control);
    live.wait_for_output("at-work");
    assert!(control.send(Steer::Pause));
    window.project.write("open", "");
    let (ended, events) = live.finish();
    assert_eq!(ended, EndState::Paused);
    assert!(!window.project.at("second").exists());
    let plan = window.project.read("plans/p.md");
    assert!(
        plan.contains("- [x] **T1**") && plan.contains("- [ ] **T2**"),
        "{plan}"
    );
    let run = run_of(&events);
    let runs = window.home.planwright(&window.project, ["runs", "--json"]);
    assert_eq!(runs.expect(0).json()[0]["state"], "paused");
    // The terminal program resumes it like any other run.
    let resumed = window
        .home
        .planwright(&window.project, ["resume", &run, "--json"])
        .expect(0);
    assert_eq!(resumed.last_json()["state"], "done");
    assert!(window.project.at("second").exists());
}

#[test]
fn the_running_step_is_skipped_and_its_command_ended() {
    let plan = "\
# Leave out what takes too long

## Tasks
- [ ] **T1** Sleep for as long as possible
  - call: `run_command {\"command\": \"sh -c 'echo asleep; sleep 861.5'\"}`
- [ ] **T2** Write the file that needs no sleep
  - depends:
  - call: `write_file {\"path\": \"second\", \"content\": \"\"}`
";
    let window = Window::new(plan);
    let control = RunControl::new().unwrap();
    let mut live = window.run(Policy::All, &control);
    live.wait_for_output("asleep");
    live.wait_for(
        "the time passing",
        |event| matches!(event, RunEvent::Progress { elapsed_ms, .. } if *elapsed_ms >= 200),
    );
    assert!(control.send(Steer::Skip {
        task: "T1".to_owned(),
        reason: "it sleeps for ever".to_owned(),
    }));
    let (ended, events) = live.finish();
    assert_eq!(ended, EndState::Done, "{events:#?}");
    assert!(window.project.at("second").exists());
    let plan = window.project.read("plans/p.md");
    let reason = "; skipped by a person: it sleeps for ever";
    assert!(
        plan.contains("- skipped: interrupted during") && plan.contains(reason),
        "{plan}"
    );
    wait_until("the command is gone", || processes_with("861.5").is_empty());
}

#[test]
fn a_failed_step_is_tried_again() {
    let plan = "\
# Try once more

## Tasks
- [ ] **T1** Look for the file that is missing
  - call: `run_command {\"command\": \"test -f wanted\"}`
";
    let window = Window::new(plan);
    let control = RunControl::new().unwrap();
    let (ended, events) = window.run(Policy::All, &control).finish();
    assert_eq!(ended, EndState::Failed);
    window.project.write("wanted", "");
    let task = "T1".to_owned();
    let retry = Steer::Retry { task };
    assert!(!control.send(retry.clone()));
    let control = RunControl::new().unwrap();
    assert!(control.send(retry));
    let (ended, _) = window
        .resume(&run_of(&events), Vec::new(), &control)
        .finish();
    assert_eq!(ended, EndState::Done);
}

#[test]
fn an_approval_ahead_does_not_count_for_a_step_that_changed() {
    let first = gate("T1", "at-work", "open");
    let plan = format!(
        "# Approve ahead\n\n## Tasks\n{first}- [ ] **T2** Write the second file\n  - call: `write_file {{\"path\": \"second\", \"content\": \"\"}}`\n"
    );
    let window = Window::new(&plan);
    let control = RunControl::new().unwrap();
    for task in ["T1", "T2"] {
        assert!(control.send(Steer::Answer(window.answer(
            task,
            QuestionKind::Approval,
            Answer::Run
        ))));
    }
    let mut live = window.run(Policy::Each, &control);
    live.wait_for_output("at-work");
    let before = window.project.read("plans/p.md");
    window.project.edit("plans/p.md", "\"second\"", "\"evil\"");
    window.project.write("open", "");
    let (ended, events) = live.finish();
    assert_eq!(ended, EndState::NotCovered);
    assert!(!window.project.at("evil").exists() && !window.project.at("second").exists());
    let asked = waits_for(&events);
    assert_eq!(asked.len(), 1, "{asked:?}");
    let (id, kind, message) = &asked[0];
    assert_eq!((id.as_str(), kind.as_str()), ("T2", "approval"));
    assert!(message.contains("changed after you answered"), "{message}");

    // Once the approved text is restored, the run asks about the step again and then runs it.
    let now = window.project.read("plans/p.md");
    assert!(before != now);
    window.project.edit("plans/p.md", "\"evil\"", "\"second\"");
    let run = run_of(&events);
    let control = RunControl::new().unwrap();
    let (ended, _) = window.resume(&run, Vec::new(), &control).finish();
    assert_eq!(ended, EndState::Waiting);
    let yes = window.answer("T2", QuestionKind::Approval, Answer::Run);
    let (ended, _) = window.resume(&run, vec![yes], &control).finish();
    assert_eq!(ended, EndState::Done);
    assert!(window.project.at("second").exists());
}

#[test]
fn much_output_comes_in_few_pieces_and_bounded() {
    let plan = "\
# Say much

## Tasks
- [ ] **T1** Count to a thousand in small steps
  - call: `run_command {\"command\": \"sh -c 'i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo line $i; done'\"}`
- [ ] **T2** Say more than anybody wants to read
  - call: `run_command {\"command\": \"sh -c 'i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo 0123456789012345678901234567890123456789; done'\"}`
";
    let window = Window::new(plan);
    let control = RunControl::new().unwrap();
    let (ended, events) = window.run(Policy::All, &control).finish();
    assert_eq!(ended, EndState::Done, "{events:#?}");
    let pieces = |wanted: &str| -> Vec<&str> {
        let output = events.iter().filter_map(|event| match event {
            RunEvent::Output { task, text, .. } if task == wanted => Some(text.as_str()),
            _ => None,
        });
        output.collect()
    };
    let few = pieces("T1");
    assert!(few.len() < 100, "{} pieces", few.len());
    let wanted: String = (1..=1000).map(|line| format!("line {line}\n")).collect();
    assert_eq!(few.concat(), wanted);
    assert_eq!(pieces("T2").concat().len(), 64 * 1024);
    let told = events.iter().any(|event| {
        matches!(event, RunEvent::Notice { message } if message.contains("output truncated"))
    });
    assert!(told, "the truncation is reported");
}

#[test]
fn cancelling_ends_the_command_in_hand() {
    let plan = "\
# Cancel what goes on

## Tasks
- [ ] **T1** Sleep for as long as possible
  - call: `run_command {\"command\": \"sh -c 'echo asleep; sleep 862.5'\"}`
";
    let window = Window::new(plan);
    let control = RunControl::new().unwrap();
    let mut live = window.run(Policy::All, &control);
    live.wait_for_output("asleep");
    live.control.cancel();
    let (ended, _) = live.finish();
    assert_eq!(ended, EndState::Cancelled);
    wait_until("the command is gone", || processes_with("862.5").is_empty());
}

#[test]
fn two_connections_work_on_the_same_data_at_the_same_time() {
    let first = gate("T1", "at-work", "open");
    let window = Window::new(&format!("# Look while it runs\n\n## Tasks\n{first}"));
    let control = RunControl::new().unwrap();
    let mut live = window.run(Policy::All, &control);
    live.wait_for_output("at-work");
    let bench = Arc::new(Mutex::new(window.bench.again().unwrap()));
    let runs = bench.lock().unwrap().runs().unwrap();
    assert_eq!(runs[0].state, "running");
    window.project.write("open", "");
    assert_eq!(live.finish().0, EndState::Done);
}
