//! Recovery: when a model's step fails, a rule chooses how to continue, or the model chooses a
//! letter if no rule applies. No strategy is tried twice, and the recovery always ends. Each
//! decision is recorded with its reason.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{ModelServer, Output, Project};
use serde_json::{Value, json};

use crate::greeting::{self, edit, give_up, look, replace, report};
use crate::run;

const PLAN: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting
  - files: `hello.py`
";

const NEEDED: &str =
    "- [ ] **T2** Write down what was changed\n  - depends: T1\n  - files: `NOTES.md`\n";

/// Two consecutive reports that the step can't be done.
fn gives_up() -> [Turn; 2] {
    [give_up("no way to do it"), give_up("no way to do it")]
}

fn play_with(plan: &str, turns: Vec<Turn>) -> (Output, Project, usize) {
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with(&server);
    let project = greeting::files(plan).file("other.py", "x = 1\n").git();
    let ran = run(&home, &project, greeting::PLAN, &[]);
    let requests = server.finished().len();
    (ran, project, requests)
}

fn play(turns: Vec<Turn>) -> Output {
    play_with(PLAN, turns).0
}

/// The recovery decisions: the failure, the strategy, and who decided.
fn decisions(ran: &Output) -> Vec<[String; 3]> {
    let of = |event: &Value| {
        assert!(!event["reason"].as_str().unwrap().is_empty(), "{event}");
        ["failure", "strategy", "by"].map(|key| event[key].as_str().unwrap().to_owned())
    };
    ran.events("recovery").iter().map(of).collect()
}

fn decided(ran: &Output) -> Vec<String> {
    let all = decisions(ran).into_iter();
    all.map(|decision| decision.join(" ")).collect()
}

fn joined(parts: impl IntoIterator<Item = Vec<Turn>>) -> Vec<Turn> {
    parts.into_iter().flatten().collect()
}

fn right() -> Vec<Turn> {
    vec![edit(), report("it is Moin")]
}

#[test]
fn rules_decide_first_and_the_step_begins_anew_with_less() {
    let wordy = Turn::say("I think I should change it.").times(4);
    let again = edit().expecting("An earlier attempt at this step failed");
    let ran = play(vec![wordy, again, report("it is Moin")]);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(decided(&ran), ["format retry_simplified code"]);
}

#[test]
fn where_no_rule_says_it_the_model_picks_one_letter() {
    let letter = Turn::say("B) change the line with edit_file")
        .expecting("This step failed: Change the greeting")
        .expecting("Answer with one letter")
        .expecting_at("/messages/0/content", json!("Answer with one letter."));
    let again = edit().expecting("Now do it this way: change the line with edit_file");
    let ran = play(joined([
        gives_up().into(),
        vec![letter, again, report("it is Moin")],
    ]));
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(decided(&ran), ["gave_up try_alternative model"]);
}

#[test]
fn no_strategy_is_used_twice_and_then_a_person_is_asked() {
    let picks = |letter: &str| vec![Turn::say(letter)];
    let ran = play(joined([
        gives_up().into(),
        picks("A"),
        gives_up().into(),
        picks("A) once more, please"),
    ]));
    assert_eq!(
        decided(&ran),
        ["gave_up retry_same model", "gave_up ask_user model"]
    );
    let asked = &ran.events("waiting")[0];
    assert_eq!(
        (&asked["for"], &asked["id"]),
        (&json!("failure"), &json!("T1"))
    );
    assert_eq!(ran.status, 3, "{}", ran.shown());

    // Each letter can be chosen only once. After that the step ends, whatever the model chooses.
    let ran = play(joined([
        gives_up().into(),
        picks("A"),
        gives_up().into(),
        picks("B) another way"),
        gives_up().into(),
    ]));
    let last = decided(&ran).pop().unwrap();
    assert_eq!(last, "gave_up ask_user code", "{:?}", decided(&ran));
}

#[test]
fn an_answer_without_a_letter_is_no_choice_of_the_models() {
    let ran = play(joined([
        gives_up().into(),
        vec![Turn::say("I am not sure what you mean.")],
        right(),
    ]));
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(decided(&ran), ["gave_up try_alternative code"]);
}

#[test]
fn leaving_a_step_out_is_for_a_person_to_say_and_not_for_the_model() {
    let skip = || vec![Turn::say("C")];
    let ran = play(joined([gives_up().into(), skip()]));
    assert_eq!(decided(&ran), ["gave_up ask_user model"]);
    assert_eq!(ran.status, 3, "{}", ran.shown());

    let plan = format!("{PLAN}{NEEDED}");
    let (ran, project, _) = play_with(&plan, joined([gives_up().into(), skip()]));
    assert_eq!(decided(&ran), ["gave_up ask_user model"]);
    assert!(!project.at("NOTES.md").exists());
}

#[test]
fn the_same_call_again_is_not_made_again_and_ends_the_attempt() {
    let same = look().times(4);
    let (ran, _, requests) = play_with(PLAN, joined([vec![same], right()]));
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(decided(&ran), ["loop retry_simplified code"]);
    assert_eq!(requests, 6);
    let made: Vec<Value> = ran
        .events("progress")
        .into_iter()
        .filter(|event| event["phase"] == "tool_calling")
        .filter(|event| event["current_action"].to_string().contains("read_file"))
        .collect();
    assert_eq!(made.len(), 1, "executed once: {made:?}");
}

#[test]
fn circles_of_two_three_and_four_calls_are_seen() {
    let names = ["\"Hello\"", "\"Moin\"", "\"Servus\"", "\"Gude\""];
    for period in 2..=4 {
        let names = &names[..period];
        let round = (0..period).map(|at| replace(names[at], names[(at + 1) % period]));
        let round: Vec<Turn> = round.collect();
        let circle = joined(vec![round; 3]);
        let (ran, _, _) = play_with(PLAN, joined([circle, right()]));
        assert_eq!(
            ran.last_json()["state"],
            "done",
            "{period}: {}",
            ran.shown()
        );
        assert_eq!(decided(&ran), ["loop retry_simplified code"], "{period}");
        let reason = ran.events("recovery")[0]["reason"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(reason.contains("is stuck in a loop"), "{reason}");
    }
}

#[test]
fn steps_are_taken_apart_only_so_deep() {
    let plan = "\
# Change several files

## Tasks
- [ ] **T1** Change all of the greetings
  - files: `a.py`, `b.py`, `c.py`, `d.py`, `e.py`, `f.py`
  - complexity: 9
";
    // The run ends even if the model gives up every time.
    let server = ModelServer::start(Scenario::new([give_up("no way to do it").forever()]));
    let home = home_with(&server);
    let project = Project::new().file(greeting::PLAN, plan).git();
    let ran = run(&home, &project, greeting::PLAN, &[]);
    assert_ne!(ran.last_json()["state"], "done");
    let text = project.read(greeting::PLAN);
    let deepest = text
        .lines()
        .filter(|line| line.trim_start().starts_with("- ["))
        .map(|line| (line.len() - line.trim_start().len()) / 2)
        .max();
    assert!(deepest <= Some(2), "{text}");
    assert!(server.requests().len() < 60, "{}", server.requests().len());
}
