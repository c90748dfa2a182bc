//! Tests that an answer is used only for the question it matches.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

use gate::answers::{Answer, Answers, Grant, Lookup, Unknown};
use gate::question::{PermissionRequest, Question, QuestionKind};

fn question(kind: QuestionKind, options: &[&str]) -> Question {
    Question {
        task: "T1".to_owned(),
        question: kind,
        message: String::new(),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        permission: None,
        fingerprint: None,
    }
}

fn take(json: &str, question: &Question) -> Lookup {
    Answers::parse(json).unwrap().take(question)
}

fn choice(label: &str) -> Lookup {
    Lookup::Answer(Answer::Choice {
        label: label.to_owned(),
        note: None,
    })
}

#[test]
fn an_option_is_meant_by_its_words_or_their_beginning() {
    let layouts = question(
        QuestionKind::Decision,
        &["One object per line", "One array", "Other"],
    );
    for (said, found) in [
        ("One array", choice("One array")),
        ("one ARRAY", choice("One array")),
        ("One obj", choice("One object per line")),
        (
            "o",
            Lookup::NoMatch(
                "invalid answer “o”; choose one of: One object per line · One array · Other"
                    .to_owned(),
            ),
        ),
        (
            "",
            Lookup::NoMatch(
                "invalid answer “”; choose one of: One object per line · One array · Other"
                    .to_owned(),
            ),
        ),
    ] {
        assert_eq!(
            take(&format!(r#"{{"T1": "{said}"}}"#), &layouts),
            found,
            "{said}"
        );
    }
    assert_eq!(
        take(r#"{"T2": "One array"}"#, &layouts),
        Lookup::None,
        "another task's answer"
    );
}

#[test]
fn feedback_is_never_approval() {
    let approval = question(QuestionKind::Approval, &["Run", "Skip", "Stop"]);
    for said in [
        r#""looks good""#,
        r#"{"note": "go on"}"#,
        r#"{"done": true}"#,
        r#""Done""#,
        "true",
    ] {
        let found = take(&format!(r#"{{"T1": {said}}}"#), &approval);
        assert_eq!(found, Lookup::None, "{said}");
    }
    assert_eq!(
        take(r#"{"T1": "Run"}"#, &approval),
        Lookup::Answer(Answer::Run)
    );
}

#[test]
fn done_is_said_and_not_implied() {
    let person = question(QuestionKind::Person, &["Done", "Skip"]);
    assert_eq!(take(r#"{"T1": {"done": false}}"#, &person), Lookup::None);
    assert_eq!(take(r#"{"T1": {"note": "nearly"}}"#, &person), Lookup::None);
    let done = Answer::Done {
        note: Some("by hand".to_owned()),
    };
    assert_eq!(
        take(r#"{"T1": {"done": true, "note": "by hand"}}"#, &person),
        Lookup::Answer(done)
    );
}

#[test]
fn a_blank_reason_is_none() {
    let gate = question(QuestionKind::Gate, &[]);
    assert_eq!(take(r#"{"T1": {"reason": "  "}}"#, &gate), Lookup::None);
}

#[test]
fn an_answer_is_used_once_a_process() {
    let failure = question(QuestionKind::Failure, &["Retry", "Skip", "Stop"]);
    let mut answers = Answers::parse(r#"{"T1": "Retry"}"#).unwrap();
    assert_eq!(answers.take(&failure), Lookup::Answer(Answer::Retry));
    assert_eq!(answers.take(&failure), Lookup::None);
}

#[test]
fn the_general_answer_to_unknown_outcomes_yields_to_the_steps_own() {
    let unknown = question(QuestionKind::Unknown, &["check", "repeat", "skip"]);
    let how = |how| Lookup::Answer(Answer::Unknown { how });
    assert_eq!(
        take(r#"{"unknown": "check"}"#, &unknown),
        how(Unknown::Check)
    );
    let own = r#"{"unknown": "check", "T1": {"unknown": "skip"}}"#;
    assert_eq!(take(own, &unknown), how(Unknown::Skip));
    let words = r#"{"unknown": "check", "T1": "repeat"}"#;
    assert_eq!(take(words, &unknown), how(Unknown::Repeat));
    let of_another_question = r#"{"unknown": "check", "T1": "Done"}"#;
    assert_eq!(take(of_another_question, &unknown), how(Unknown::Check));
}

#[test]
fn a_permission_for_once_is_spent_and_a_no_wins() {
    let mut asked = question(QuestionKind::Permission, &[]);
    asked.permission = Some(PermissionRequest {
        tool: "run_command".to_owned(),
        subject: "make".to_owned(),
        danger: None,
        content: None,
    });
    let mut answers = Answers::parse(
        r#"{"permissions": [{"tool": "run_command", "match": "exact make", "answer": "once"}]}"#,
    )
    .unwrap();
    let once = Answer::Permission {
        grant: Grant::Once,
        words: None,
    };
    assert_eq!(answers.take(&asked), Lookup::Answer(once));
    assert_eq!(answers.take(&asked), Lookup::None);

    let both = r#"{"permissions": [
        {"tool": "run_command", "match": "prefix ", "answer": "run"},
        {"tool": "run_command", "match": "exact make", "answer": "no", "words": "not today"}]}"#;
    let no = Answer::Permission {
        grant: Grant::No,
        words: Some("not today".to_owned()),
    };
    assert_eq!(take(both, &asked), Lookup::Answer(no));
}

#[test]
fn a_file_that_cannot_be_read_says_what_is_allowed() {
    for (json, says) in [
        ("[]", "a JSON object"),
        ("{", "a JSON object"),
        (r#"{"unknown": "maybe"}"#, "check"),
        (
            r#"{"permissions": [{"tool": "run_command", "match": "make", "answer": "once"}]}"#,
            "exact",
        ),
        (
            r#"{"permissions": [{"tool": "run_command", "match": "exact make", "answer": "yes"}]}"#,
            "once",
        ),
    ] {
        let error = Answers::parse(json).unwrap_err().to_string();
        assert!(error.contains(says), "{json}: {error}");
    }
}
