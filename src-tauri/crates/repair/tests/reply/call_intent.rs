//! Calls that a reply makes are distinguished from those that it only talks about. The cases in
//! `cases/talk.jsonl` are in six languages and tested in every form of a call.

use repair::{FaultKind, Finish, Recovered, Reply, Want, recover};
use serde_json::Value;

use crate::{of_text, tools};

const WRITE: &str = r#"{"name": "write_file", "arguments": {"path": "a.txt", "content": "hello"}}"#;
const RUN: &str = r#"{"name": "run_command", "arguments": {"command": "make all"}}"#;
const READ: &str = r#"{"name": "read_file", "arguments": {"path": "a.txt"}}"#;

/// Texts that make a call in the middle of a line.
const SAME_LINE: [&str; 3] = [
    "I write it. {} This adds the greeting.",
    "{} Done.",
    "Fixing it now: {}",
];

/// The forms in which a call is written; `{}` stands for the call.
const FORMS: [&str; 4] = [
    "{}",
    "```json\n{}\n```",
    "<tool_call>\n{}\n</tool_call>",
    "[TOOL_CALLS][{}]",
];

struct Case {
    lang: String,
    kind: String,
    text: String,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("cases/talk.jsonl").lines();
    let cases = lines.map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let get = |key: &str| case[key].as_str().unwrap().to_owned();
        Case {
            lang: get("lang"),
            kind: get("kind"),
            text: get("text"),
        }
    });
    cases.collect()
}

/// A case with its calls written in this form.
fn filled(text: &str, form: &str) -> String {
    let of = |form: &str, call: &str| form.replace("{}", call);
    text.replace("{call}", &of(form, WRITE))
        .replace("{other}", &of(form, RUN))
        .replace("{fence}", &of(FORMS[1], WRITE))
        .replace("{tag}", &of(FORMS[2], WRITE))
        .replace("{read}", &of(form, READ))
}

fn writes(got: &Recovered) -> bool {
    let mut calls = got.calls.iter();
    calls.any(|call| matches!(call.name.as_str(), "write_file" | "run_command"))
}

/// Asserts that the call in this text is made, in whichever form it is written.
fn assert_made(text: &str) {
    for form in FORMS {
        let text = text.replace("{}", &form.replace("{}", WRITE));
        let got = of_text(&text, Finish::Stop);
        assert!(writes(&got), "{text}: {:?}", got.faults);
    }
}

#[test]
fn no_call_that_is_talked_about_is_made_whatever_its_form() {
    let mut made = Vec::new();
    let cases = cases();
    let talk: Vec<&Case> = cases.iter().filter(|case| case.kind != "act").collect();
    assert_eq!(talk.len(), 120);
    for case in talk {
        for form in FORMS {
            let text = filled(&case.text, form);
            if writes(&of_text(&text, Finish::Stop)) {
                made.push(format!("{} {}: {text:?}", case.lang, case.kind));
            }
        }
    }
    assert!(made.is_empty(), "{}\n{}", made.len(), made.join("\n"));
}

#[test]
fn a_call_within_a_line_is_made_where_the_sentences_around_it_are_whole() {
    for text in SAME_LINE {
        let got = of_text(&text.replace("{}", WRITE), Finish::Stop);
        assert!(writes(&got), "{text}: {:?}", got.faults);
    }
    for text in ["The form is {} here.", "So {}, as the log has it."] {
        let got = of_text(&text.replace("{}", WRITE), Finish::Stop);
        assert!(!writes(&got), "{text}");
    }
}

/// Introductions that don't say that the call is made, with words that aren't in any word list.
const INTRODUCED: [&str; 22] = [
    "The nightly job crashed on this:\n\n{}",
    "Off the table:\n{}",
    "**Wrong turn**\n\n{}\n\nThe owner has to look at it.",
    "### What broke the build\n\n{}",
    "I drafted this and keep it in the drawer:\n\n{}",
    "Nothing came of it after Tuesday:\n{}",
    "Kept for the record:\n{}\nIt stays there.",
    "The intern's idea:\n{}",
    "Das brachte den Server zum Absturz:\n{}",
    "Aus dem Papierkorb:\n\n{}",
    "C'est ce qui a tout cassé :\n{}",
    "À la poubelle :\n\n{}",
    "Esto rompió la compilación:\n{}",
    "Para el archivo:\n{}",
    "Isto quebrou tudo:\n{}",
    "Questo ha rotto tutto:\n{}",
    "Вот так всё и сломалось у соседа по парте вчера:\n{}",
    "这把构建弄坏了：\n{}",
    "これでビルドが壊れた：\n{}",
    "<!-- {} -->\nThe owner is away.",
    "User: change it\nAssistant: {}\nUser: no, put that back\n\nThis was the context.",
    "Findings:\n1. The file is small.\n2. {}\n3. The check is green.",
];

#[test]
fn what_introduces_a_call_has_to_say_that_it_is_made() {
    let mut made = Vec::new();
    for text in INTRODUCED {
        for form in FORMS {
            let text = text.replace("{}", &form.replace("{}", WRITE));
            if writes(&of_text(&text, Finish::Stop)) {
                made.push(text);
            }
        }
    }
    assert!(made.is_empty(), "{}\n{}", made.len(), made.join("\n"));
    // A complete sentence or a plain label before a call doesn't make the call doubtful, whatever
    // it says.
    for text in [
        "The greeting is short.\n\n{}",
        "The job crashed. I replace the word:\n\n{}",
        "Sure! Final answer:\n{}",
        "**Tool call**\n\n{}",
        "src/a.txt:\n\n{}",
        "If it fails, I will look again. Now:\n\n{}",
        "I could edit it or write it. I choose to write it:\n{}",
        "\u{feff}{}",
    ] {
        assert_made(text);
    }
}

#[test]
fn what_is_said_of_a_call_behind_it_can_take_it_back_in_any_words() {
    for text in [
        "{}\n\nNobody has said yes so far, so it does not go out.",
        "{}\n\nThe above comes from the log.",
        "{}\n\n… is what the bot answered.",
        "{}\n\nDas kommt mir nicht in die Tüte.",
        "{}\n\nCela ne part pas.",
        "{}\n\nEsto no sale de aquí.",
        "{}\n\nЭто я не отправлю.",
        "{}\n\n这个我没有发送。",
        "{}\n\nこれは送りません。",
        "Wäre das recht?\n{}",
    ] {
        for form in FORMS {
            let text = text.replace("{}", &form.replace("{}", WRITE));
            assert!(!writes(&of_text(&text, Finish::Stop)), "{text}");
        }
    }
    for text in [
        "{}\n\nThe second line is not changed.",
        "{}\n\nNothing else is touched.",
        "{}\n\nSonst ändert sich nichts.",
        "{}\n\nRien d'autre ne change.",
        "{}\n\n其他内容不变。",
        "What is missing?\n{}",
    ] {
        assert_made(text);
    }
}

#[test]
fn calls_that_are_meant_are_made_at_the_first_reading() {
    let mut lost = Vec::new();
    let cases = cases();
    let acts: Vec<&Case> = cases.iter().filter(|case| case.kind == "act").collect();
    assert_eq!(acts.len(), 120);
    for case in acts {
        for form in FORMS {
            let text = filled(&case.text, form);
            if !writes(&of_text(&text, Finish::Stop)) {
                lost.push(format!("{}: {text:?}", case.lang));
            }
        }
    }
    assert!(lost.is_empty(), "{}\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn a_question_about_a_call_is_left_to_the_person_in_a_conversation_and_asked_again_in_a_step() {
    let text = format!("{WRITE}\nShall I do that?");
    let in_conversation = of_text(&text, Finish::Stop);
    assert!(in_conversation.calls.is_empty() && in_conversation.faults.is_empty());
    assert!(
        in_conversation.text.contains("Shall I do that?") && in_conversation.text.contains("hello")
    );
    let in_step = recover(&Reply::of_text(text), &tools(), Want::Call);
    assert_eq!(in_step.faults.len(), 1);
    assert_eq!(in_step.faults[0].kind, FaultKind::Unsure);
    assert!(
        !in_step.faults[0].message.contains('\n'),
        "{}",
        in_step.faults[0].message
    );
}
