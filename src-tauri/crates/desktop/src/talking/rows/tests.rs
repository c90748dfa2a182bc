//! Entries become rows that are updated in place and contain no plan text.

use agent::session::entry::{
    Answer, CallResult, Card, Ending, Entry, Mode, ModeSetBy, Purpose, Question,
};
use agent::turn::{Call, Finish, Reply, Usage};
use gate::question::PermissionRequest;
use serde_json::{Map, Value, json};

use super::Rows;
use crate::wire::{PermissionView, TalkItem};

const PLAN_WORDS: &str = "QUOKKA";

fn fold(entries: &[Entry]) -> Rows {
    let mut rows = Rows::default();
    for (at, entry) in entries.iter().enumerate() {
        rows.apply(i64::try_from(at).unwrap_or_default(), entry);
    }
    rows
}

fn items(rows: &Rows) -> Vec<TalkItem> {
    let page = rows.page(0, 200, |question| PermissionView {
        tool: question
            .permission
            .as_ref()
            .map(|asked| asked.tool.clone())
            .unwrap_or_default(),
        subject: question
            .permission
            .as_ref()
            .map(|asked| asked.subject.clone())
            .unwrap_or_default(),
        is_shell: true,
        facts: vec!["now".to_owned()],
        diff: Vec::new(),
        rules: Vec::new(),
        danger: None,
    });
    page.rows.into_iter().map(|row| row.item).collect()
}

fn kinds(rows: &Rows) -> Vec<String> {
    let kind = |item: TalkItem| {
        let value = serde_json::to_value(item).expect("rows are JSON");
        value["kind"].as_str().unwrap_or_default().to_owned()
    };
    items(rows).into_iter().map(kind).collect()
}

fn call(id: &str, name: &str, arguments: Value) -> Call {
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
    Call {
        id: id.to_owned(),
        ..Call::new(name, arguments)
    }
}

fn replied(text: &str, calls: Vec<Call>) -> Entry {
    let reply = Reply {
        text: text.to_owned(),
        calls,
        faults: Vec::new(),
        finish: Finish::Stop,
        usage: Usage {
            input: 100,
            cached: 40,
            output: 10,
        },
        elapsed_ms: 0,
    };
    Entry::Replied { reply }
}

fn said(words: &str, purpose: Purpose) -> Entry {
    Entry::Said {
        words: words.to_owned(),
        purpose,
    }
}

fn began(id: &str) -> Entry {
    Entry::CallBegan { id: id.to_owned() }
}

fn ended(id: &str, ok: bool, content: &str) -> Entry {
    Entry::CallEnded {
        id: id.to_owned(),
        result: CallResult {
            ok,
            content: content.to_owned(),
            ..CallResult::default()
        },
        notice: None,
    }
}

fn proposed(revision: &str) -> Entry {
    Entry::Proposed {
        card: Card {
            path: "plans/a.md".to_owned(),
            revision: revision.to_owned(),
            badge: "fair".to_owned(),
            score: 78,
            summary: "3 tasks".to_owned(),
            since: None,
            content: None,
        },
    }
}

#[test]
fn a_call_is_one_row_from_its_beginning_to_its_end() {
    let mut entries = vec![
        said("plan it", Purpose::Goal),
        Entry::TurnBegan,
        replied(
            "I *look*.",
            vec![
                call("c1", "read_file", json!({"path": "src/report.py"})),
                call(
                    "c2",
                    "edit_plan",
                    json!({"task": "T2", "new_text": format!("- [ ] **T2** {PLAN_WORDS}")}),
                ),
                call("c3", "write_file", json!({"path": "x", "content": "1"})),
            ],
        ),
        began("c1"),
    ];
    let rows = fold(&entries);
    assert!(rows.is_in_turn);
    let [
        _,
        TalkItem::Model { html },
        TalkItem::Call { title, state, .. },
        ..,
    ] = &items(&rows)[..]
    else {
        panic!("{:?}", items(&rows));
    };
    assert_eq!(html.trim(), "<p>I <em>look</em>.</p>");
    assert_eq!(
        (title.as_str(), state.as_str()),
        ("Read src/report.py", "running")
    );

    entries.extend([
        ended("c1", true, "\nlines 1-3 of 3\n1 def rows"),
        began("c2"),
        ended("c2", true, "T2 changed. Adequacy fair 78."),
        Entry::Refused {
            id: "c3".to_owned(),
            message: "Only the plan may be changed.".to_owned(),
        },
        replied("Done.", Vec::new()),
        Entry::TurnEnded {
            ending: Ending::Answered,
        },
    ]);
    let rows = fold(&entries);
    let line = |at: usize| match &items(&rows)[at] {
        TalkItem::Call {
            title,
            state,
            summary,
            ..
        } => format!("{title}|{state}|{summary}"),
        other => format!("{other:?}"),
    };
    assert_eq!(line(2), "Read src/report.py|done|lines 1-3 of 3");
    assert_eq!(
        line(3),
        "Changed T2 in the plan|done|T2 changed. Adequacy fair 78."
    );
    assert_eq!(line(4), "Write x|refused|Only the plan may be changed.");
    assert_eq!(
        kinds(&rows),
        ["said", "model", "call", "call", "call", "model"]
    );
    assert_eq!(
        (
            rows.cost.replies,
            rows.cost.input,
            rows.cost.cached,
            rows.cost.output
        ),
        (2, 200, 80, 20)
    );
    assert!(!rows.is_in_turn);
    let all = serde_json::to_string(&items(&rows)).expect("rows are JSON");
    assert!(!all.contains(PLAN_WORDS), "{all}");
}

#[test]
fn a_question_is_open_until_it_is_answered_and_keeps_its_answer() {
    let question = Question {
        call: "c1".to_owned(),
        message: "Which layout?".to_owned(),
        options: vec!["Lines".to_owned(), "Array".to_owned()],
        permission: None,
    };
    let mut entries = vec![
        said("plan it", Purpose::Goal),
        replied(
            "",
            vec![call("c1", "ask_user", json!({"question": "Which layout?"}))],
        ),
        Entry::Asked {
            question: question.clone(),
        },
        Entry::TurnEnded {
            ending: Ending::Waiting,
        },
    ];
    let rows = fold(&entries);
    assert_eq!(
        rows.open().map(|question| question.call.as_str()),
        Some("c1")
    );
    assert_eq!(
        kinds(&rows),
        ["said", "question"],
        "asking is no call line of its own"
    );
    entries.push(Entry::Answered {
        call: "c1".to_owned(),
        answer: Answer::Words {
            words: "Lines".to_owned(),
        },
    });
    entries.push(ended("c1", true, "The person answered: Lines"));
    let rows = fold(&entries);
    assert!(rows.open().is_none());
    let TalkItem::Question {
        is_open, answer, ..
    } = &items(&rows)[1]
    else {
        panic!("{:?}", items(&rows));
    };
    assert_eq!((*is_open, answer.as_deref()), (false, Some("Lines")));
    assert_eq!(kinds(&rows), ["said", "question"]);
}

#[test]
fn an_open_permission_is_told_as_things_are_now_and_a_settled_one_is_not() {
    let asked = Entry::Asked {
        question: Question {
            call: "c1".to_owned(),
            message: "Allow `run_command`: make deploy? No approved step shows it.".to_owned(),
            options: Vec::new(),
            permission: Some(PermissionRequest {
                tool: "run_command".to_owned(),
                subject: "make deploy".to_owned(),
                danger: None,
                content: None,
            }),
        },
    };
    let mut entries = vec![
        replied(
            "",
            vec![call("c1", "run_command", json!({"command": "make deploy"}))],
        ),
        asked,
    ];
    let permission = |entries: &[Entry]| match items(&fold(entries)).remove(1) {
        TalkItem::Permission {
            permission,
            why,
            answer,
            ..
        } => (permission, why, answer),
        other => panic!("{other:?}"),
    };
    let (view, why, answer) = permission(&entries);
    assert_eq!(view.facts, ["now"]);
    assert_eq!(view.subject, "make deploy");
    assert_eq!(why, "No approved step shows it.");
    assert_eq!(answer, None);
    entries.push(Entry::Answered {
        call: "c1".to_owned(),
        answer: Answer::No {
            words: "use make check".to_owned(),
        },
    });
    let (view, _, answer) = permission(&entries);
    assert!(view.facts.is_empty());
    assert_eq!(answer.as_deref(), Some("No: use make check"));
}

#[test]
fn proposals_are_numbered_and_name_the_one_before() {
    let entries = [
        proposed("aaaa"),
        said(
            "shorter",
            Purpose::Feedback {
                revision: "aaaa".to_owned(),
            },
        ),
        proposed("bbbb"),
    ];
    let rows = fold(&entries);
    assert_eq!(rows.latest.as_deref(), Some("bbbb"));
    let of = |at: usize| match &items(&rows)[at] {
        TalkItem::Proposal {
            number,
            revision,
            before,
            ..
        } => (*number, revision.clone(), before.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(of(0), (1, Some("aaaa".to_owned()), None));
    assert_eq!(of(2), (2, Some("bbbb".to_owned()), Some("aaaa".to_owned())));
}

#[test]
fn a_proposal_is_compared_with_what_the_model_edited() {
    let mut second = proposed("cccc");
    if let Entry::Proposed { card } = &mut second {
        card.since = Some("bbbb".to_owned());
    }
    let rows = fold(&[proposed("aaaa"), second]);
    let TalkItem::Proposal { before, .. } = &items(&rows)[1] else {
        panic!("no proposal");
    };
    assert_eq!(
        before.as_deref(),
        Some("bbbb"),
        "the person's edit is in bbbb"
    );
}

#[test]
fn a_proposal_that_came_to_nothing_says_why() {
    let entries = [
        replied("", vec![call("c1", "propose_plan", json!({}))]),
        began("c1"),
        ended("c1", false, "The plan has no tasks."),
    ];
    let TalkItem::Call {
        title,
        state,
        summary,
        ..
    } = &items(&fold(&entries))[0]
    else {
        panic!("no call");
    };
    assert_eq!(title, "Proposed the plan");
    assert_eq!(
        (state.as_str(), summary.as_str()),
        ("failed", "The plan has no tasks.")
    );
}

#[test]
fn trouble_stays_until_something_is_said() {
    let failed = Entry::TurnEnded {
        ending: Ending::Failed {
            reason: model::ModelError::Cut.to_string(),
        },
    };
    let mut entries = vec![said("plan it", Purpose::Goal), failed];
    let rows = fold(&entries);
    assert_eq!(
        rows.trouble.as_ref().map(|trouble| trouble.kind.as_str()),
        Some("broken_off")
    );
    entries.push(said("again", Purpose::Talk));
    assert!(fold(&entries).trouble.is_none());
    entries.push(Entry::TurnEnded {
        ending: Ending::Cancelled,
    });
    let rows = fold(&entries);
    assert!(rows.trouble.is_none(), "to stop is no trouble");
    assert_eq!(kinds(&rows), ["said", "ended", "said", "ended"]);
}

#[test]
fn the_mode_and_its_approval_have_a_row() {
    let entries = [Entry::ModeSet {
        from: Mode::Plan,
        to: Mode::Exec,
        by: ModeSetBy::Person,
        approved: Some("aaaa".to_owned()),
    }];
    let [
        TalkItem::Mode {
            to, by, approved, ..
        },
    ] = &items(&fold(&entries))[..]
    else {
        panic!("no mode");
    };
    assert_eq!(
        (to.as_str(), by.as_str(), approved.as_deref()),
        ("exec", "person", Some("aaaa"))
    );
}

#[test]
fn rows_of_version_0_are_drawn_without_the_plan_that_they_hold() {
    let stored = include_str!("../../../../agent/src/session/tests/rows_of_version_0.jsonl");
    let entries: Vec<Entry> = stored
        .lines()
        .map(|line| serde_json::from_str(line).expect("a stored row"))
        .collect();
    let rows = fold(&entries);
    assert_eq!(kinds(&rows), ["said", "proposal"]);
    let TalkItem::Proposal { path, revision, .. } = &items(&rows)[1] else {
        panic!("no proposal");
    };
    assert_eq!((path.as_str(), revision.as_deref()), ("plans/old.md", None));
    let all = serde_json::to_string(&items(&rows)).expect("rows are JSON");
    assert!(!all.contains("OLDPLANTEXT"), "{all}");
}

#[test]
fn the_bytes_of_a_page_do_not_grow_with_the_plan() {
    let bytes = |words: usize| {
        let text = "word ".repeat(words);
        let entries: Vec<Entry> = (0..200)
            .flat_map(|number| {
                let id = format!("c{number}");
                [
                    replied("", vec![call(&id, "edit_plan", json!({"new_text": text}))]),
                    began(&id),
                    ended(&id, true, "Written."),
                    proposed(&format!("{number:064}")),
                ]
            })
            .collect();
        let page = fold(&entries).page(0, 200, |_| panic!("nothing is asked"));
        serde_json::to_vec(&page).expect("a page is JSON").len()
    };
    assert_eq!(bytes(10), bytes(10_000));
}
