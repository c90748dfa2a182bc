//! Runs by a model are aborted between any two effects: no side effect happens twice, nothing is
//! lost, the outcome is the same, and no request with a stored reply is repeated.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Project};
use serde_json::{Value, json};
use workbench::{Effect, EndState, ModelChoice, ResumeRequest, RunRequest};

use crate::crashing::{play_watched, state_of, the_run};
use crate::greeting::{self, replace, report_learned, search, write};

/// A plan with every kind of work in a model's steps, each of which would leave a trace if it were
/// repeated.
const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Find where the greeting stands
  - tools: search_files
- [ ] **T2** Change the greeting in the program
  Then run `sh count.sh T2`.
  - files: `hello.py`
  - covers: R1
  - verify: `sh verify.sh`
- [ ] **T3** Write down whom it greets
  - files: `NOTES.md`
- [ ] **T4** Say where it is used
  - files: `USED.md`
- [ ] **T5** Tidy up
  Remove `gone.txt`, count with `sh count.sh T5`.
  - files: `hello.py`
";

/// A plan whose steps are planned during the run.
const GROWING: &str = "\
---
planwright: 1
goal: Greet in German
strategy: iterative
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Find where the greeting stands
  - tools: search_files
";

/// A repository in which Git ignores the file with the counts, so that it is never restored and
/// every repetition is visible.
fn project(plan: &str) -> Project {
    greeting::files(plan)
        .file(".gitignore", "counted.log\n__pycache__\n")
        .file("gone.txt", "x\n")
        .file("count.sh", "echo \"$1\" >> counted.log\n")
        .file("verify.sh", "grep -q Moin hello.py\n")
        .git()
}

fn answers(home: &Home) -> String {
    let answers = Answers::new()
        .with("T3", json!("Everybody"))
        .permit("write_file", "exact other.txt", "once")
        .permit("delete_file", "exact gone.txt", "once")
        .permit("edit_file", "exact hello.py", "run")
        .unknown("check");
    answers.write_to(home.path()).to_str().unwrap().to_owned()
}

/// A report that the step is done, with a learned fact.
fn report(summary: &str) -> Turn {
    report_learned(summary, true, &[&format!("learned: {summary}")])
}

/// A report that the step cannot be done.
fn unable() -> Turn {
    report_learned("I cannot", false, &["learned: I cannot"])
}

fn note(path: &str) -> Turn {
    write(path, &format!("This is {path}.\n"))
}

fn command(line: &str) -> Turn {
    Turn::call("run_command", json!({ "command": line }))
}

/// The model's answer. It depends only on the request, so that a repeated request gets the same
/// answer however often the run was aborted.
fn author(body: &Value, _: usize) -> Turn {
    let messages = body["messages"].as_array().unwrap();
    let words: Vec<&str> = messages
        .iter()
        .filter_map(|one| one["content"].as_str())
        .collect();
    let words = words.join("\n");
    let replies = messages.iter().filter(|one| one["role"] == "assistant");
    let turns = replies.count();
    let step = |id: &str| words.contains(&format!("Your step, {id}:"));
    let script = if words.contains("Answer with one letter") {
        vec![Turn::say("B) write it without a search")]
    } else if step("T1") {
        vec![search(), report("it stands in hello.py")]
    } else if step("T2") && body.to_string().contains("count.sh") {
        vec![
            Turn::say("I will change the greeting."),
            replace("\"Hola\"", "\"Moin\""),
            replace("\"Hello\"", "\"Hallo\""),
            command("sh count.sh T2"),
            report("changed"),
            replace("\"Hallo\"", "\"Moin\""),
            report("changed again"),
        ]
    } else if step("T2") {
        vec![
            replace("\"Hello\"", "\"Moin\""),
            report("the greeting is Moin"),
        ]
    } else if step("T3") {
        vec![
            Turn::call("ask_user", json!({"question": "Whom does it greet?"})),
            note("NOTES.md"),
            report("written down"),
        ]
    } else if step("T4") && words.contains("Now do it this way") {
        vec![note("other.txt"), note("USED.md"), report("said")]
    } else if step("T4") {
        vec![unable(), unable()]
    } else if step("T5") {
        vec![
            command("sh count.sh T5"),
            Turn::call("delete_file", json!({"path": "gone.txt"})),
            report("tidy"),
        ]
    } else if words.contains("**T2**")
        || words.contains("Moin is")
        || turns > 0
        || done_with_t2(&words)
    {
        vec![Turn::say("null")]
    } else {
        vec![Turn::say(
            "{\"what\": \"Change the greeting in hello.py to Moin\", \"why\": \"R1\", \"tools\": [\"edit_file\"]}",
        )]
    };
    let last = Turn::say("The script has no more.");
    script.into_iter().nth(turns).unwrap_or(last)
}

fn done_with_t2(words: &str) -> bool {
    words.contains("the greeting is Moin") && words.contains("T2")
}

/// What happened in a run: its effects in order, and how it ended.
#[derive(Debug, Clone, PartialEq)]
struct Played {
    effects: Vec<&'static str>,
    ended: Option<EndState>,
}

/// The kind of an effect, as far as these tests distinguish them.
fn kind(effect: &Effect) -> &'static str {
    match effect {
        Effect::AskModel { .. } | Effect::AskPlanner { .. } | Effect::AskAgent { .. } => "ask",
        Effect::Perform { .. } => "perform",
        Effect::Check { .. } | Effect::CheckGoal { .. } => "check",
        Effect::EditPlan(_) => "edit_plan",
        Effect::Journal(_) => "journal",
        Effect::ReadPlan => "read_plan",
        Effect::Progress(_) | Effect::Notice { .. } => "notice",
        Effect::TakeCheckpoint { .. } => "checkpoint",
        Effect::Prepare { .. } => "prepare",
        Effect::Examine { .. } => "examine",
        _ => "other",
    }
}

struct Stage {
    server: ModelServer,
    home: Home,
    project: Project,
}

impl Stage {
    fn new(plan: &str) -> Self {
        let server = ModelServer::written_by(Scenario::new([]), author);
        let home = home_with(&server);
        if plan == GROWING {
            // A check of the goal, from the user's settings.
            home.write_settings(&json!({"verify_commands": ["sh verify.sh"]}));
        }
        Self {
            server,
            home,
            project: project(plan),
        }
    }

    fn play(&self, break_before: Option<usize>, is_new: bool) -> Played {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&seen);
        let watch = move |effect: &Effect| {
            let mut noted = noted.lock().unwrap();
            if break_before == Some(noted.len()) {
                return ControlFlow::Break(());
            }
            noted.push(kind(effect));
            ControlFlow::Continue(())
        };
        let answers = Some(answers(&self.home).into());
        let run = |bench: &mut workbench::Workbench, cancel: &workbench::CancelToken| {
            if is_new {
                let request = RunRequest {
                    file: greeting::PLAN.into(),
                    revision: plan::Revision::of(self.project.read(greeting::PLAN).as_bytes())
                        .as_str()
                        .to_owned(),
                    workspace: None,
                    policy: None,
                    upto: None,
                    answers,
                    reason: None,
                    parallel: 1,
                    model: ModelChoice::Configured,
                    choice: workbench::RunChoice::default(),
                    hand_over: None,
                };
                return bench.run(&request, cancel, &mut |_| {});
            }
            let request = ResumeRequest {
                run: the_run(&self.home, &self.project),
                answers,
                model: ModelChoice::Configured,
                hand_over: None,
            };
            bench.resume(&request, cancel, &mut |_| {})
        };
        let ended = play_watched(&self.home, &self.project, watch, run);
        let effects = seen.lock().unwrap().clone();
        Played {
            effects,
            ended: ended.ok(),
        }
    }

    /// Counts how often each request arrived, by content.
    fn requests(&self) -> BTreeMap<Vec<u8>, usize> {
        let mut all = BTreeMap::new();
        for request in self.server.requests() {
            *all.entry(request.body).or_default() += 1;
        }
        all
    }

    /// The final state, without the run's id and times.
    fn end(&self) -> End {
        let run = the_run(&self.home, &self.project);
        let receipt = self
            .home
            .planwright(&self.project, ["receipt", &run, "--json"])
            .expect(0)
            .last_json();
        let steps = receipt["steps"].as_array().unwrap();
        let of = |step: &Value| format!("{} {} {}", step["task"], step["state"], step["reason"]);
        End {
            files: state_of(&self.project),
            steps: steps.iter().map(of).collect(),
        }
    }
}

#[derive(Debug, PartialEq)]
struct End {
    files: Vec<(String, String)>,
    steps: Vec<String>,
}

/// Plays the run without interruptions; the results are compared with this one.
fn undisturbed(plan: &str, requests: usize) -> (Played, End, BTreeMap<Vec<u8>, usize>) {
    let stage = Stage::new(plan);
    let played = stage.play(None, true);
    let end = stage.end();
    assert_eq!(played.ended, Some(EndState::Done), "{end:#?}");
    let asked = stage.requests();
    assert!(asked.values().all(|times| *times == 1), "{asked:?}");
    assert_eq!(asked.len(), requests);
    (played, end, asked)
}

/// Aborts a run before each effect whose number modulo `shards` is `shard`, and resumes it.
fn cut_everywhere(plan: &str, requests: usize, shard: usize, shards: usize) {
    let (whole, expected, asked) = undisturbed(plan, requests);
    assert!(whole.effects.len() > 30, "{}", whole.effects.len());
    for at in (shard..whole.effects.len()).step_by(shards) {
        let stage = Stage::new(plan);
        let cut = stage.play(Some(at), true);
        assert_eq!((cut.effects.len(), cut.ended), (at, None));
        assert_eq!(cut.effects[..], whole.effects[..at]);
        let resumed = stage.play(None, false);
        let place = format!("cut before effect {at}, {}", whole.effects[at]);
        assert_eq!(resumed.ended, Some(EndState::Done), "{place}");
        assert_eq!(stage.end(), expected, "{place}");
        // A request is repeated only if its reply had arrived but wasn't recorded yet.
        let last = |kind: &str| whole.effects[..at].iter().rposition(|one| *one == kind);
        let is_unkept = last("ask") > last("journal");
        let again = stage.requests();
        assert!(again.keys().eq(asked.keys()), "{place}: different requests");
        let total: usize = again.values().sum();
        assert_eq!(total, requests + usize::from(is_unkept), "{place}");
    }
}

/// Number of tests that share the places at which to abort, so that they run in parallel.
const SHARDS: usize = 4;
const REQUESTS: usize = 20;

#[test]
fn cut_between_every_two_effects_a_models_run_ends_as_if_undisturbed_1() {
    cut_everywhere(PLAN, REQUESTS, 0, SHARDS);
}

#[test]
fn cut_between_every_two_effects_a_models_run_ends_as_if_undisturbed_2() {
    cut_everywhere(PLAN, REQUESTS, 1, SHARDS);
}

#[test]
fn cut_between_every_two_effects_a_models_run_ends_as_if_undisturbed_3() {
    cut_everywhere(PLAN, REQUESTS, 2, SHARDS);
}

#[test]
fn cut_between_every_two_effects_a_models_run_ends_as_if_undisturbed_4() {
    cut_everywhere(PLAN, REQUESTS, 3, SHARDS);
}

#[test]
fn a_plan_that_grows_is_cut_between_every_two_effects_and_no_step_is_thought_of_twice() {
    cut_everywhere(GROWING, 6, 0, 1);
}

#[test]
fn cut_again_and_again_it_still_ends_the_same() {
    let (_, expected, asked) = undisturbed(PLAN, REQUESTS);
    let stage = Stage::new(PLAN);
    // The number of effects per process varies, but is always large enough to check pending
    // outcomes and then reach the next effect.
    let length = |times: usize| 5 + times % 8;
    let (mut times, mut played) = (0, stage.play(Some(length(0)), true));
    while played.ended.is_none() {
        times += 1;
        assert!(times < 200, "no progress: {:?}", played.effects);
        played = stage.play(Some(length(times)), false);
    }
    assert_eq!(played.ended, Some(EndState::Done));
    assert!(times > 10, "{times}");
    assert_eq!(stage.end(), expected);
    assert!(stage.requests().keys().eq(asked.keys()));
}
