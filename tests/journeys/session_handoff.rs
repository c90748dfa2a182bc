//! From plan mode to exec mode and back: a plan approved in a conversation is carried out by a run,
//! with its questions and its receipt, and the conversation's model receives the plan exactly once.

use planwright_tests::conversation::{home_with, take_what_is_offered};
use planwright_tests::model_server::{Recorded, Scenario, Turn};
use planwright_tests::transcript::{assert_prefix_kept, last_said, messages, result, words};
use planwright_tests::{Home, ModelServer, Output, Project, Running};
use serde_json::{Value, json};

const GOAL: &str = "Write a greeting and check it";

/// Text that occurs exactly once in the plan.
const MARK: &str = "quince-and-medlar";

const PLAN: &str = "\
# Write a greeting

For the quince-and-medlar party.

## Requirements
- R1 `a.txt` says hello

## Tasks
- [ ] **T1** Write `a.txt` with a greeting
  - files: `a.txt`
  - covers: R1
  - accept: `a.txt` holds the word hello
  - verify: `grep hello a.txt`
";

/// A model, a workspace, and a session with a proposed plan.
struct Talk {
    server: ModelServer,
    home: Home,
    project: Project,
    session: String,
    revision: String,
    path: std::path::PathBuf,
}

impl Talk {
    /// Like `new`, but with this plan; the model then plays these turns.
    #[track_caller]
    fn about(plan: &str, then: impl IntoIterator<Item = Turn>) -> Self {
        let offering = [
            Turn::call("edit_plan", json!({ "new_text": plan })),
            Turn::call("propose_plan", json!({})),
        ];
        Self::begun(offering.into_iter().chain(then))
    }

    #[track_caller]
    fn begun(turns: impl IntoIterator<Item = Turn>) -> Self {
        let server = ModelServer::start(Scenario::new(turns));
        let home = home_with(&server);
        take_what_is_offered(&home);
        let project = Project::new().file("README.md", "A party.\n").git();
        let planned = home
            .planwright(&project, ["plan", GOAL, "--json"])
            .expect(0);
        let last = planned.last_json();
        let of = |name: &str| last[name].as_str().unwrap().to_owned();
        Self {
            session: of("session"),
            revision: of("revision"),
            path: of("path").into(),
            server,
            home,
            project,
        }
    }

    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        [&["chat", self.session.as_str()], more, &["--json"]].concat()
    }

    #[track_caller]
    fn chat(&self, more: &[&str]) -> Output {
        self.home
            .planwright(&self.project, self.arguments(more))
            .expect(0)
    }

    fn spawn(&self, more: &[&str]) -> Running {
        self.home.spawn(&self.project, self.arguments(more))
    }

    #[track_caller]
    fn approve(&self, words: &str) -> Output {
        self.chat(&[words, "--approve", &self.revision])
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.path).unwrap()
    }

    /// The request with this number, counted from 0.
    #[track_caller]
    fn request(&self, number: usize) -> Recorded {
        self.server.requests()[number].clone()
    }
}

/// The turns in which the model carries out the plan's step.
fn working() -> [Turn; 2] {
    let report = json!({"summary": "the greeting is written", "done": true});
    [
        Turn::call("write_file", json!({"path": "a.txt", "content": "hello\n"})),
        Turn::call("report_progress", report),
    ]
}

fn count(needle: &str, text: &str) -> usize {
    text.matches(needle).count()
}

/// The number of times the plan's text occurs in a request, in calls and in messages.
fn shown(request: &Recorded) -> usize {
    count(MARK, &request.text())
}

#[test]
fn a_proposal_brings_no_plan_text_and_neither_does_anything_behind_it() {
    let talk = Talk::about(PLAN, [Turn::say("Gladly.")]);
    let out = talk.chat(&["Thank you"]);
    let requests = talk.server.finished();
    let told = result(&requests[2], 1);
    assert!(
        told.contains(&talk.revision[..12]) && told.contains("plans/"),
        "{told}"
    );
    // The text occurs once, in the call in which the model wrote it, and in no message.
    assert_eq!(
        [
            shown(&requests[0]),
            shown(&requests[1]),
            shown(&requests[2])
        ],
        [0, 1, 1]
    );
    assert!(
        requests
            .iter()
            .all(|request| !words(request).contains(MARK))
    );
    // Nor does any event contain the text.
    assert!(!out.stdout.contains(MARK));
    assert_prefix_kept(&requests);
}

#[test]
fn what_is_approved_in_a_conversation_is_carried_out_by_a_run_that_hears_the_words() {
    let after = Turn::say("Nothing is left to do.");
    let talk = Talk::about(PLAN, working().into_iter().chain([after]));
    let done = talk.approve("Greet them warmly");
    assert_eq!(done.last_json()["state"], "done", "{}", done.shown());
    assert_eq!(talk.project.read("a.txt"), "hello\n");
    let run = done.json()[0]["run"].as_str().unwrap().to_owned();
    let receipt = ["receipt", run.as_str(), "--json"];
    let receipt = talk.home.planwright(&talk.project, receipt).expect(0);
    assert_eq!(receipt.json()[0]["state"], "done");
    talk.chat(&["Is all done?"]);
    let requests = talk.server.finished();
    // The request uses the step's own prompt, not the conversation's.
    let step = words(&requests[2]);
    assert!(step.contains("Your step, T1"), "{step}");
    assert!(
        step.contains("The person says: Greet them warmly"),
        "{step}"
    );
    assert_eq!(count(MARK, &requests[2].text()), 0);
    let talked = words(&requests[4]);
    assert!(talked.contains("Greet them warmly"), "{talked}");
    assert!(talked.contains(&format!("in run {run}")), "{talked}");
    assert!(talked.contains("T1 done"), "{talked}");
    assert_prefix_kept(&[requests[1].clone(), requests[4].clone()]);
}

#[test]
fn the_same_plan_asks_and_proves_the_same_whether_run_or_talked_about() {
    let plan = format!(
        "{PLAN}- [ ] **T2** Sweep up\n  - call: `run_command {{\"command\": \"rm -r old\"}}`\n- [ ] **C1** Look at it\n  - type: checkpoint\n"
    );
    for policy in ["each", "risky", "all"] {
        let seen: Vec<Vec<Value>> = [true, false]
            .map(|by_chat| {
                let talk = Talk::about(&plan, working());
                talk.project.write("old/a", "a");
                let revision = talk.revision.clone();
                let path = talk.path.display().to_string();
                let begin = match by_chat {
                    true => vec!["chat", &talk.session, "--approve", &revision],
                    false => vec!["run", &path, "--approve", &revision],
                };
                let options = ["--policy", policy, "--json"];
                let mut out = talk
                    .home
                    .planwright(&talk.project, [begin, options.to_vec()].concat());
                let run = out.json()[0]["run"].as_str().unwrap().to_owned();
                let mut seen = Vec::new();
                for _ in 0..6 {
                    let asked = out.events("waiting");
                    seen.extend(asked.iter().map(without_names));
                    seen.push(json!(out.last_json()["state"]));
                    let answers = json!({
                        "T1": "run", "T2": "run", "C1": "Continue",
                        "permissions": [{"tool": "run_command", "match": "exact rm -r old", "answer": "once"}],
                    });
                    let file = talk.home.path().join("answers.json");
                std::fs::write(&file, answers.to_string()).unwrap();
                let file = file.display().to_string();
                    let next = match by_chat {
                        true => ["chat", &talk.session, "--resume", "--answers", &file, "--json"].to_vec(),
                        false => ["resume", &run, "--answers", &file, "--json"].to_vec(),
                    };
                    if out.last_json()["state"] == "done" {
                        break;
                    }
                    out = talk.home.planwright(&talk.project, next);
                }
                let receipt = ["receipt", run.as_str(), "--json"];
                let receipt = talk.home.planwright(&talk.project, receipt).expect(0);
                seen.push(without_names(&receipt.json()[0]));
                seen
            })
            .into();
        assert_eq!(seen[0], seen[1], "{policy}");
        assert!(seen[0].len() > 2, "{policy}: no question was asked");
    }
}

/// A run's output without the parts that differ between runs.
fn without_names(told: &Value) -> Value {
    const NAMES: [&str; 5] = ["run", "session", "plan", "workspace", "revision"];
    fn clean(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !name.ends_with("_ms") && !NAMES.contains(&name.as_str()));
                fields.values_mut().for_each(clean);
            }
            Value::Array(items) => items.iter_mut().for_each(clean),
            _ => {}
        }
    }
    let mut told = told.clone();
    clean(&mut told);
    told
}

#[test]
fn work_that_was_cut_off_goes_on_in_the_same_run() {
    for how in [&["--resume"][..], &["Go on"]] {
        let [write, done] = working();
        let stalled = Turn::say("I begin.").stall_after(1);
        let talk = Talk::about(PLAN, [stalled, write, done]);
        let running = talk.spawn(&["--approve", &talk.revision]);
        talk.server.wait_until_stalled(1);
        running.kill_9();
        talk.server.release();
        let out = talk.chat(how);
        assert_eq!(out.last_json()["state"], "done", "{}", out.shown());
        assert_eq!(talk.project.read("a.txt"), "hello\n");
        let runs = talk
            .home
            .planwright(&talk.project, ["runs", "--json"])
            .expect(0);
        assert_eq!(runs.json().len(), 1, "{}", runs.shown());
    }
}

#[test]
fn a_permission_is_given_in_the_conversation_and_words_are_none() {
    let ask = Turn::call("run_command", json!({"command": "touch b.txt"}));
    let [write, done] = working();
    let talk = Talk::about(PLAN, [ask, write, done]);
    let asked = talk
        .spawn(&["--approve", &talk.revision])
        .finish()
        .expect(3);
    assert_eq!(asked.events("waiting")[0]["for"], "permission");
    let words = talk.spawn(&["yes, do it"]).finish().expect(3);
    assert_eq!(words.events("waiting")[0]["for"], "permission");
    assert!(!talk.project.at("b.txt").exists());
    talk.chat(&["--allow", "once"]);
    assert!(talk.project.at("b.txt").exists());
    assert_eq!(talk.project.read("a.txt"), "hello\n");
}

#[test]
fn words_answer_what_the_model_of_a_step_asks() {
    let ask = Turn::call("ask_user", json!({"question": "In which language?"}));
    let [write, _] = working();
    let talk = Talk::about(PLAN, [ask, write]);
    let asked = talk
        .spawn(&["--approve", &talk.revision])
        .finish()
        .expect(3);
    assert_eq!(
        asked.events("waiting")[0]["for"],
        "question",
        "{}",
        asked.shown()
    );
    talk.chat(&["In German"]);
    let requests = talk.server.finished();
    assert!(
        words(&requests[3]).contains("In German"),
        "{}",
        words(&requests[3])
    );
}

#[test]
fn the_plan_is_there_after_a_compaction_once() {
    let big = "A line of a long file, with some words in it.\n".repeat(260);
    let reads =
        (0..6).map(|number| Turn::call("read_file", json!({ "path": format!("big{number}.txt") })));
    let sum = Turn::say("SUMMARY: six long files were read; a.txt is to be written.");
    let talk = Talk::about(
        PLAN,
        reads.chain([sum, Turn::say("Written down.").times(2)]),
    );
    for number in 0..6 {
        talk.project.write(&format!("big{number}.txt"), &big);
    }
    let out = talk.chat(&["Read them all"]);
    talk.chat(&["And now?"]);
    assert_eq!(out.events("compacted").len(), 1, "{}", out.shown());
    assert_eq!(out.last_json()["state"], "answered", "{}", out.shown());
    let requests = talk.server.finished();
    // After the requests that read files come the one for the summary and two more.
    let [.., summing, after, last] = &requests[..] else {
        unreachable!("more than three requests")
    };
    assert!(
        last_said(summing).contains("sum up"),
        "{}",
        last_said(summing)
    );
    for request in [after, last] {
        let said = words(request);
        assert!(said.contains("SUMMARY: six long files"), "{said}");
        assert_eq!(count(MARK, &said), 1, "{said}");
        assert!(said.contains("You work on the plan below."), "{said}");
        assert!(request.body.len() < summing.body.len() / 2);
    }
    assert_prefix_kept(&[after.clone(), last.clone()]);
}

#[test]
fn in_exec_mode_nothing_happens_that_nobody_approved() {
    let talk = Talk::about(PLAN, working());
    for words in [
        &["Write it", "--mode", "exec"][..],
        &["--resume", "--mode", "exec"],
    ] {
        let refused = talk.spawn(words).finish().expect(5);
        assert!(
            refused.stderr.contains("approve") || refused.stdout.contains("approve"),
            "{}",
            refused.shown()
        );
    }
    assert!(!talk.project.at("a.txt").exists());
    assert_eq!(talk.server.requests().len(), 2, "no model was called");
}

#[test]
fn after_the_run_a_conversation_can_only_plan() {
    let late = Turn::call("write_file", json!({"path": "b.txt", "content": ""}));
    let talk = Talk::about(
        PLAN,
        working().into_iter().chain([late, Turn::say("I see.")]),
    );
    talk.approve("Go on");
    talk.chat(&["Now think about b.txt"]);
    let requests = talk.server.finished();
    let told = words(requests.last().unwrap());
    assert!(told.contains("nothing but the plan may change"), "{told}");
    assert!(!talk.project.at("b.txt").exists());
}

#[test]
fn a_mode_switched_there_and_back_says_nothing() {
    let talk = Talk::about(PLAN, [Turn::say("A.")]);
    talk.chat(&["--mode", "exec"]);
    talk.chat(&["--mode", "plan"]);
    talk.chat(&["Still planning?"]);
    assert_eq!(last_said(&talk.request(2)), "Still planning?");
    assert_prefix_kept(&talk.server.finished());
}

#[test]
fn a_plan_of_500_tasks_is_read_in_few_words_that_can_be_asked_for_more() {
    let tasks: String = (1..=500)
        .map(|number| {
            format!(
                "- [ ] **T{number}** Write the file number {number} of five hundred\n  - files: `f{number}.txt`\n  - accept: f{number}.txt is there\n"
            )
        })
        .collect();
    let long = format!("# Write many files\n\nFor the {MARK} party.\n\n## Tasks\n{tasks}");
    let all = Turn::call("read_plan", json!({}));
    let one = Turn::call("read_plan", json!({"task": "T321"}));
    let talk = Talk::about(PLAN, [all, one, Turn::say("That is a long plan.")]);
    let front = talk.text().replace(PLAN, "");
    std::fs::write(&talk.path, format!("{front}{long}")).unwrap();
    talk.chat(&["How long is it?"]);
    let requests = talk.server.finished();
    let said = result(&requests[3], 2);
    assert!(
        said.contains("0 of 500 tasks done") && said.contains("read_plan"),
        "{said}"
    );
    assert!(said.len() < 2_600, "{}: {said}", said.len());
    let task = result(&requests[4], 3);
    assert!(
        task.contains("**T321**") && !task.contains("**T322**"),
        "{task}"
    );
}

#[test]
fn what_somebody_else_changed_stands_before_the_words_of_the_next_turn() {
    let talk = Talk::about(PLAN, [Turn::say("I see.").times(3)]);
    let text = talk.text();
    std::fs::write(
        &talk.path,
        text.replace("with a greeting", "with two greetings"),
    )
    .unwrap();
    talk.chat(&["What changed?"]);
    let said = last_said(&talk.request(2));
    let change = said.find("+- [ ] **T1** Write `a.txt` with two greetings");
    assert!(
        change < said.find("What changed?") && change.is_some(),
        "{said}"
    );
    assert_eq!(count(MARK, &said), 0, "only the changes: {said}");
    // The changes are reported only once.
    talk.chat(&["And now?"]);
    assert_eq!(last_said(&talk.request(3)), "And now?");
    std::fs::remove_file(&talk.path).unwrap();
    talk.chat(&["Where is it?"]);
    let said = last_said(&talk.request(4));
    assert!(
        said.starts_with("[The plan file was deleted by somebody else."),
        "{said}"
    );
    assert_prefix_kept(&talk.server.finished());
}

#[test]
fn a_plan_edited_between_offer_and_approval_is_not_approved_unseen() {
    let talk = Talk::about(PLAN, []);
    let text = talk.text();
    std::fs::write(
        &talk.path,
        text.replace("`a.txt` with", "`/etc/passwd` with"),
    )
    .unwrap();
    let out = talk
        .home
        .planwright(
            &talk.project,
            talk.arguments(&["Go on", "--approve", &talk.revision]),
        )
        .expect(5);
    assert!(out.stdout.contains("T1"), "{}", out.shown());
    assert_eq!(talk.server.requests().len(), 2, "nothing was asked");
    let sessions = talk
        .home
        .planwright(&talk.project, ["sessions", "--json"])
        .expect(0);
    assert_eq!(sessions.json()[0]["mode"], "plan");
}

#[test]
fn feedback_patches_the_plan_and_the_new_revision_must_be_approved_anew() {
    let patch = Turn::call(
        "edit_plan",
        json!({"old_text": "holds the word hello", "new_text": "holds the words hello and welcome"}),
    );
    let talk = Talk::about(PLAN, [patch, Turn::call("propose_plan", json!({}))]);
    let before = talk.text();
    let out = talk.chat(&["Welcome them too", "--changes", &talk.revision]);
    let offered = out.events("proposal")[0]["revision"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(offered, talk.revision);
    assert_eq!(
        before.replace("the word hello", "the words hello and welcome"),
        talk.text()
    );
    let said = last_said(&talk.request(2));
    assert!(
        said.contains("The person asks for changes to the plan at revision"),
        "{said}"
    );
    assert_eq!(count(MARK, &said), 0, "{said}");
    let old = talk.arguments(&["Go on", "--approve", &talk.revision]);
    let _ = talk.home.planwright(&talk.project, old).expect(5);
    assert_prefix_kept(&talk.server.finished());
}

#[test]
fn what_is_only_for_the_screen_reaches_no_request() {
    let talk = Talk::about(PLAN, [Turn::say("I see.")]);
    talk.chat(&["And?"]);
    for request in talk.server.finished() {
        let known = ["role", "content", "tool_calls", "tool_call_id"];
        for message in messages(&request) {
            let fields = message.as_object().unwrap().keys();
            let other: Vec<&String> = fields
                .filter(|name| !known.contains(&name.as_str()))
                .collect();
            assert!(other.is_empty(), "{other:?}");
        }
        assert!(!request.text().contains("\"diff\""), "{}", request.text());
        assert_eq!(request.json["tools"].as_array().map(Vec::len), Some(8));
        assert_ne!(request.json["model"], Value::Null);
    }
}
