//! Tests of a weak model constrained by a schema: one change to one file at a time, judged by the
//! check.

use serde_json::json;

use super::model_work::{PROFILE, words};
use super::*;
use crate::context::FileText;
use crate::model_step::Offer;
use crate::model_step::StepProfile;
use crate::model_step::act::{self, Act, EditForm};
use crate::turn::{Reply, Usage};

const PLAN: &str = "\
# Greet in German

- [ ] **T1** Replace `hello` by `hallo` in hello.py
  - files: `hello.py`
  - verify: `python3 check.py`
";

const TEXT: &str = "GREETING = 'hello'\nprint(GREETING)\n";

fn config() -> Config {
    Config {
        model: Some(StepProfile {
            is_schema_bound: true,
            ..PROFILE
        }),
        ..World::config("{}")
    }
}

fn world(model: fn(&StepRequest) -> Reply) -> World {
    let file = FileText {
        path: "hello.py".to_owned(),
        text: TEXT.to_owned(),
        lines_total: 2,
        ..FileText::default()
    };
    World {
        model,
        is_red: true,
        // The check fails for any text except the expected one.
        breaking: vec![("= 'moin'", "check.py")],
        material: Material {
            files: vec![file],
            ..Material::default()
        },
        ..World::new(PLAN)
    }
}

fn said(act: &Act, text: &str) -> Reply {
    act::read(act, repair::Reply::of_text(text), (Usage::default(), 0))
}

fn edit(new: &str) -> String {
    let arguments = json!({"path": "hello.py", "old_text": "GREETING = 'hello'", "new_text": new});
    json!({"name": "edit_file", "arguments": arguments}).to_string()
}

/// A model that is wrong at first and right when asked in another form.
fn chooses(request: &StepRequest) -> Reply {
    let Offer::Act(act) = &request.offer else {
        return words("no act was asked for");
    };
    match act.way {
        EditForm::Setting => said(act, &edit("GREETING = 'moin'")),
        _ => said(act, &edit("GREETING = 'hallo'")),
    }
}

#[test]
fn what_does_not_pass_is_taken_back_and_the_next_way_is_asked_for() {
    let mut world = world(chooses);
    let (ended, _) = world.play(config(), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert_eq!(world.performed.len(), 2);
    assert_eq!(world.requests.len(), 2, "nobody has to report");
    for request in &world.requests {
        assert_eq!(request.messages.len(), 1, "each begins anew");
        assert!(request.messages[0].content.contains(TEXT));
        assert!(request.tokens() <= 1_500, "{}", request.tokens());
    }
    let undone = world.journal.iter();
    let undone = undone.filter(|entry| matches!(entry, Entry::TrialUndone { .. }));
    assert_eq!(undone.count(), 1);
    let report = world.state().tasks["T1"].work.report.clone();
    assert!(report.is_some() && world.state().tasks["T1"].work.is_inferred);
}

#[test]
fn nothing_happens_twice_wherever_the_process_dies() {
    let (_, effects) = world(chooses).play(config(), Die::Never);
    for at in 0..effects {
        let mut world = world(chooses);
        assert_eq!(world.play(config(), Die::Before(at)).0, None);
        let answers = Config {
            answers: World::config(r#"{"unknown": "check"}"#).answers,
            ..config()
        };
        let (ended, _) = world.play(answers, Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(world.performed.len(), 2, "died before effect {at}");
    }
}

#[test]
fn a_model_that_never_gets_it_right_leaves_the_file_as_it_was_and_a_person_is_asked() {
    fn never(request: &StepRequest) -> Reply {
        match &request.offer {
            Offer::Act(act) => said(act, &edit("GREETING = 'moin'")),
            Offer::Letters(_) => words("D"),
            _ => words("no"),
        }
    }
    let mut world = world(never);
    let (ended, _) = world.play(config(), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{:?}", world.asked);
    assert!(!world.written.contains_key("T1"), "{:?}", world.written);
    assert_eq!(world.plan.matches("- [x]").count(), 0);
}

#[test]
fn a_server_that_does_not_keep_the_schema_is_asked_with_tools() {
    fn talks(request: &StepRequest) -> Reply {
        match &request.offer {
            Offer::Act(act) => said(act, "Sure, I will do that."),
            _ => super::model_work::call(
                "edit_file",
                json!({"path": "hello.py", "old_text": "a", "new_text": "hallo"}),
            ),
        }
    }
    let mut world = world(talks);
    let (ended, _) = world.play(config(), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let acts = world.requests.iter();
    let acts = acts.filter(|request| matches!(request.offer, Offer::Act(_)));
    assert_eq!(acts.count(), 3);
}

#[test]
fn a_check_that_passed_before_the_change_ends_nothing_by_itself() {
    fn reports(request: &StepRequest) -> Reply {
        match &request.offer {
            Offer::Act(act) => said(act, &edit("GREETING = 'hallo'")),
            _ => super::model_work::report(true),
        }
    }
    let mut world = World {
        is_red: false,
        ..world(reports)
    };
    let (ended, _) = world.play(config(), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let state = world.state();
    assert!(!state.tasks["T1"].work.is_inferred, "the model said so");
    let told = act::SHOWS_NOTHING;
    let last = world.requests.last().unwrap();
    assert!(
        last.messages
            .iter()
            .any(|message| message.content.contains(told))
    );
}

#[test]
fn without_a_check_or_with_a_large_file_tools_are_offered() {
    let text = PLAN.replace("  - verify: `python3 check.py`\n", "");
    let mut bare = World {
        plan: text.clone(),
        approved: text.clone(),
        ..world(chooses)
    };
    bare.play(config(), Die::Never);
    assert!(matches!(bare.requests[0].offer, Offer::Schema(_)));

    let mut large = world(chooses);
    large.material.files[0].lines_total = 10_000;
    large.play(config(), Die::Never);
    assert!(matches!(large.requests[0].offer, Offer::Schema(_)));
    let schema = large.requests[0].call_schema();
    let write = &schema["anyOf"];
    let paths: Vec<_> = write
        .as_array()
        .into_iter()
        .flatten()
        .filter(|branch| {
            branch["properties"]["arguments"]["properties"]["path"]["enum"] == json!(["hello.py"])
        })
        .collect();
    assert_eq!(
        paths.len(),
        2,
        "edit and write are held to the step's file: {schema}"
    );
}
