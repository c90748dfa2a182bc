//! Planwright as an ACP agent, tested with the protocol's own client as the editor.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod acp_support;

use agent_client_protocol::UntypedMessage;
use agent_client_protocol::v1::schema::{
    CancelNotification, CloseSessionRequest, ContentBlock, NewSessionRequest, PermissionOptionKind,
    SessionId, SetSessionModeRequest, StopReason, ToolCallContent, ToolKind,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use acp_support::model::{Model, call};
use acp_support::{GOAL, NOT_NOW, RUN, SOURCE, STORE, Says, Site, always, one_by_one, person};

const END: Result<StopReason, agent_client_protocol::Error> = Ok(StopReason::EndTurn);

#[test]
fn an_editor_learns_who_it_talks_to() {
    let site = Site::new();
    let hello = site.talk(always(&[]), async |editor| editor.initialize().await);
    let hello = serde_json::to_value(hello).unwrap();
    assert_eq!(hello["protocolVersion"], 1);
    assert_eq!(hello["agentInfo"]["name"], "planwright");
    assert_eq!(hello["agentInfo"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_session_needs_a_workspace_and_has_only_the_plan_mode() {
    let site = Site::new();
    let home = site.home().display().to_string();
    site.talk(always(&[]), async |editor| {
        let session = editor.open().await;
        for folder in ["/", &home, "/no/such/folder", "relative"] {
            let request = NewSessionRequest::new(folder);
            let refused = editor.connection.send_request(request).block_task().await;
            let refused = refused.unwrap_err();
            assert_eq!(i32::from(refused.code), -32602, "{refused:?}");
        }
        let set = async |mode: &'static str| {
            let request = SetSessionModeRequest::new(session.clone(), mode);
            editor.connection.send_request(request).block_task().await
        };
        assert!(set("plan").await.is_ok());
        assert!(set("exec").await.is_err());
        assert!(set("auto").await.is_err());
        let request = UntypedMessage::new("craft/drainMidTurnQueue", json!({})).unwrap();
        let unknown = editor.connection.send_request(request).block_task().await;
        assert_eq!(i32::from(unknown.unwrap_err().code), -32601);
        let close = CloseSessionRequest::new(session.clone());
        assert!(
            editor
                .connection
                .send_request(close)
                .block_task()
                .await
                .is_ok()
        );
        assert!(editor.prompt(&session, GOAL).await.is_err());
    });
    assert_eq!(site.runs(), 0);
}

#[test]
fn an_approved_plan_is_run_step_by_step() {
    let site = Site::new();
    let (ended, text, entries, asked) = site.talk(always(&[RUN, "Run"]), async |editor| {
        let session = editor.open().await;
        let ended = editor.prompt(&session, GOAL).await;
        (ended, editor.text(), editor.entries(), editor.asked())
    });
    assert_eq!(ended, END);
    assert!(site.source().contains("def sum_rows(rows)"), "{text}");
    assert!(!site.source().contains("total"), "{text}");
    let approvals = site.approvals();
    assert_eq!(approvals.len(), 1);
    let (revision, run, policy) = &approvals[0];
    assert_eq!(policy, "each");
    let run = run.as_ref().unwrap();
    assert!(text.contains(&format!("Run `{run}`: done")), "{text}");
    assert!(text.contains(&revision[..12]), "{text}");
    assert!(text.contains("Fair · "), "{text}");
    assert!(entries.len() > 1);
    assert!(
        entries.iter().all(|(_, status)| status == "completed"),
        "{entries:?}"
    );
    assert!(entries[0].0.starts_with("T1 "), "{entries:?}");

    let first = &asked[0];
    let fields = &first.tool_call.fields;
    assert_eq!(fields.kind, Some(ToolKind::SwitchMode));
    let title = format!("Approve revision {}", &revision[..12]);
    assert_eq!(fields.title.as_deref(), Some(title.as_str()));
    let options: Vec<(&str, PermissionOptionKind)> = first
        .options
        .iter()
        .map(|option| (option.name.as_str(), option.kind))
        .collect();
    use PermissionOptionKind::{AllowOnce, RejectOnce};
    assert_eq!(
        options,
        [
            ("Approve and run", AllowOnce),
            ("Approve without running", AllowOnce),
            ("Not now", RejectOnce)
        ]
    );
    let shown = match &fields.content.as_ref().unwrap()[0] {
        ToolCallContent::Content(content) => &content.content,
        other => panic!("{other:?}"),
    };
    let ContentBlock::Text(shown) = shown else {
        panic!("{shown:?}")
    };
    let approved = workbench::approval::revision_text(&site.bench.store, revision).unwrap();
    assert_eq!(shown.text, approved);
}

#[test]
fn an_approval_without_a_run_is_stored_and_changes_nothing() {
    let site = Site::new();
    let (ended, text) = site.talk(always(&[STORE]), async |editor| {
        let session = editor.open().await;
        (editor.prompt(&session, GOAL).await, editor.text())
    });
    assert_eq!(ended, END);
    assert_eq!(site.source(), SOURCE);
    assert_eq!(site.runs(), 0);
    let approvals = site.approvals();
    assert_eq!(approvals.len(), 1);
    let (revision, run, policy) = &approvals[0];
    assert_eq!((run, policy.as_str()), (&None, "all"));
    let plan = std::fs::read(&site.plans()[0]).unwrap();
    assert_eq!(plan::Revision::of(&plan).as_str(), revision);
    assert!(text.contains("is approved"), "{text}");
}

/// Answers that must not be taken as an approval.
fn refusals() -> Vec<Says> {
    let names = [
        NOT_NOW,
        "",
        "approve",
        "allow_once",
        "Approve and run",
        "PLANWRIGHT_APPROVE_AND_RUN",
        "planwright_approve_and_run ",
        "planwright_approve",
        "0",
    ];
    let named = names.iter().map(|name| Says::option(name));
    named.chain([Says::Cancelled, Says::Error]).collect()
}

#[test]
fn nothing_but_the_offered_option_approves() {
    let site = Site::new();
    let rounds = refusals().len();
    let text = site.talk(one_by_one(refusals()), async |editor| {
        let session = editor.open().await;
        assert_eq!(editor.prompt(&session, GOAL).await, END);
        for _ in 1..rounds {
            assert_eq!(editor.prompt(&session, "/review").await, END);
        }
        assert_eq!(editor.asked().len(), rounds);
        editor.text()
    });
    let said = text.matches("Nothing was approved. Say what to change, or ask again");
    assert_eq!(said.count(), rounds, "{text}");
    assert_eq!(site.approvals(), []);
    assert_eq!(site.runs(), 0);
    assert_eq!(site.source(), SOURCE);
    assert_eq!(site.plans().len(), 1);
}

#[test]
fn a_cancelled_turn_approves_nothing_even_if_the_answer_follows() {
    let site = Site::new();
    let person = person(|request, connection| {
        let cancel = CancelNotification::new(request.session_id.clone());
        connection.send_notification(cancel).unwrap();
        Says::option(RUN)
    });
    let ended = site.talk(person, async |editor| {
        let session = editor.open().await;
        let ended = editor.prompt(&session, GOAL).await;
        assert_eq!(editor.asked().len(), 1);
        ended
    });
    assert_eq!(ended, Ok(StopReason::Cancelled));
    assert_eq!(site.approvals(), []);
    assert_eq!(site.source(), SOURCE);
}

#[test]
fn an_editor_that_hangs_up_while_it_is_asked_approves_nothing() {
    let site = Site::new();
    let (tell, told) = tokio::sync::oneshot::channel();
    let mut tell = Some(tell);
    let person = person(move |_, _| {
        tell.take().unwrap().send(()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        Says::Cancelled
    });
    site.talk(person, async |editor| {
        let session = editor.open().await;
        let prompted = editor.prompt(&session, GOAL);
        tokio::select! {
            ended = prompted => panic!("{ended:?}"),
            asked = told => asked.unwrap(),
        }
    });
    assert_eq!(site.approvals(), []);
    assert_eq!(site.source(), SOURCE);
}

#[test]
fn a_file_that_changed_meanwhile_is_not_approved_but_shown_again() {
    for option in [RUN, STORE] {
        let site = Site::new();
        let folder = site.path("plans");
        let mut is_first = true;
        let person = person(move |_, _| {
            if std::mem::take(&mut is_first) {
                let plan = std::fs::read_dir(&folder).unwrap().next().unwrap();
                let plan = plan.unwrap().path();
                let text = std::fs::read_to_string(&plan).unwrap();
                std::fs::write(plan, text + "\nA note at the end.\n").unwrap();
                return Says::option(option);
            }
            Says::option(STORE)
        });
        let approvals = |site: &Site| site.approvals().len();
        let text = site.talk(person, async |editor| {
            let session = editor.open().await;
            assert_eq!(editor.prompt(&session, GOAL).await, END);
            assert!(editor.text().contains("Not approved: the file has changed"));
            assert_eq!(approvals(&site), 0, "{option}");
            // Without a model, the agent can only show the changed file and ask again.
            assert_eq!(editor.prompt(&session, "Better now?").await, END);
            editor.text()
        });
        assert!(text.contains("Changes need a model"), "{text}");
        let approvals = site.approvals();
        assert_eq!(approvals.len(), 1, "{text}");
        let plan = std::fs::read(&site.plans()[0]).unwrap();
        assert_eq!(plan::Revision::of(&plan).as_str(), approvals[0].0);
        assert_eq!(site.source(), SOURCE);
    }
}

#[test]
fn without_a_model_changes_are_explained_and_an_unchanged_plan_is_not_asked_about_again() {
    let site = Site::new();
    site.talk(always(&[NOT_NOW]), async |editor| {
        let session = editor.open().await;
        assert_eq!(editor.prompt(&session, GOAL).await, END);
        assert_eq!(editor.prompt(&session, "Also rename report").await, END);
        assert!(editor.text().contains("Changes need a model, or edit"));
        assert_eq!(editor.asked().len(), 1);
        assert_eq!(editor.prompt(&session, "/new").await, END);
        assert_eq!(editor.prompt(&session, "Rename report to show").await, END);
        assert_eq!(editor.asked().len(), 2);
    });
    assert_eq!(site.plans().len(), 2);
    assert_eq!(site.approvals(), []);
}

#[test]
fn an_enforced_thin_plan_is_not_offered_for_approval() {
    let site = Site::new();
    site.settings(r#"{ "plan_adequacy_enforce": true }"#);
    let (asked, text) = site.talk(always(&[RUN]), async |editor| {
        let session = editor.open().await;
        assert_eq!(editor.prompt(&session, "Make everything nicer").await, END);
        (editor.asked().len(), editor.text())
    });
    assert_eq!(asked, 0, "{text}");
    assert!(text.contains("approve it in the window"), "{text}");
    assert_eq!(site.approvals(), []);
}

#[test]
fn a_hard_linked_plan_is_refused() {
    let site = Site::new();
    let folder = site.path("plans");
    let person = person(move |_, _| {
        let plan = std::fs::read_dir(&folder).unwrap().next().unwrap();
        std::fs::hard_link(plan.unwrap().path(), folder.join("second.md")).unwrap();
        Says::option(RUN)
    });
    let ended = site.talk(person, async |editor| {
        let session = editor.open().await;
        editor.prompt(&session, GOAL).await
    });
    assert!(ended.unwrap_err().message.contains("hard links"));
    assert_eq!(site.approvals(), []);
    assert_eq!(site.source(), SOURCE);
}

#[test]
fn a_run_left_waiting_is_resumed_only_if_the_person_says_so() {
    let site = Site::new();
    // The person approves, dismisses the first question, declines to resume, resumes, and answers.
    let mut asked = 0;
    let person = person(move |request, _| {
        asked += 1;
        match asked {
            1 => Says::option(RUN),
            2 => Says::Cancelled,
            3 => Says::option("not_now"),
            4 => Says::option("resume"),
            _ => {
                let mut options = request.options.iter();
                let run = options.find(|option| option.name == "Run").unwrap();
                Says::option(&run.option_id.0)
            }
        }
    });
    let titles = site.talk(person, async |editor| {
        let session = editor.open().await;
        assert_eq!(editor.prompt(&session, GOAL).await, END);
        assert!(
            editor.text().contains("The run is waiting on you"),
            "{}",
            editor.text()
        );
        assert_eq!(editor.prompt(&session, "Go on").await, END);
        assert_eq!(site.source(), SOURCE);
        assert_eq!(editor.prompt(&session, "Go on").await, END);
        assert!(editor.text().contains(": done"), "{}", editor.text());
        editor.titles()
    });
    assert!(titles[2].starts_with("Resume run "), "{titles:?}");
    assert!(site.source().contains("sum_rows"));
    assert_eq!(site.approvals().len(), 1);
}

#[test]
fn a_stopped_run_leaves_the_files_of_later_steps_alone() {
    let site = Site::new();
    let text = site.talk(always(&[RUN, "Stop"]), async |editor| {
        let session = editor.open().await;
        assert_eq!(editor.prompt(&session, GOAL).await, END);
        editor.text()
    });
    assert!(text.contains(": stopped"), "{text}");
    assert_eq!(site.source(), SOURCE);
}

#[test]
fn an_editor_that_hangs_up_leaves_its_run_waiting_with_its_record_complete() {
    let site = Site::new();
    let (tell, told) = tokio::sync::oneshot::channel();
    let (mut tell, mut is_first) = (Some(tell), true);
    let person = person(move |_, _| {
        if std::mem::take(&mut is_first) {
            return Says::option(RUN);
        }
        tell.take().unwrap().send(()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        Says::Cancelled
    });
    site.talk(person, async |editor| {
        let session = editor.open().await;
        tokio::select! {
            ended = editor.prompt(&session, GOAL) => panic!("{ended:?}"),
            asked = told => asked.unwrap(),
        }
    });
    let run = site.approvals()[0].1.clone().unwrap();
    let row = site.bench.find_run(&run).unwrap();
    assert_eq!(site.bench.live_state(&row).unwrap(), "waiting");
    assert_eq!(site.source(), SOURCE);
    assert!(!site.bench.questions_of(&run).unwrap().is_empty());
}

#[test]
fn planning_can_be_cancelled_and_the_session_goes_on() {
    let site = Site::new();
    site.talk(always(&[NOT_NOW]), async |editor| {
        let session = editor.open().await;
        let prompted = editor.prompt(&session, GOAL);
        let cancelled = async { editor.cancel(&session) };
        let (ended, ()) = tokio::join!(prompted, cancelled);
        assert_eq!(ended, Ok(StopReason::Cancelled));
        assert_eq!(editor.prompt(&session, &format!("/new {GOAL}")).await, END);
        assert_eq!(editor.asked().len(), 1);
    });
    assert_eq!(site.approvals(), []);
}

#[test]
fn an_editor_that_asks_and_never_reads_is_not_listened_to_until_it_does() {
    use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
    let site = Site::new();
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let bench = site.bench.again().unwrap();
    let serving = std::thread::spawn(move || {
        bridges::acp_agent::serve_on(&bench, || {
            let stream = tokio::net::UnixStream::from_std(theirs).unwrap();
            stream.into_split()
        })
    });
    let patience = std::time::Duration::from_millis(500);
    ours.set_write_timeout(Some(patience)).unwrap();
    let line = |id: usize| match id {
        0 => json!({ "jsonrpc": "2.0", "id": id, "method": "initialize",
            "params": { "protocolVersion": 1 } }),
        id => json!({ "jsonrpc": "2.0", "id": id, "method": "unknown/method",
            "params": { "padding": "x".repeat(8_000) } }),
    };
    let (mut writer, mut sent, mut rest) = (ours.try_clone().unwrap(), 0_usize, Vec::new());
    while sent < 20_000 {
        let line = format!("{}\n", line(sent)).into_bytes();
        sent += 1;
        let mut from = 0;
        while from < line.len() {
            match writer.write(&line[from..]) {
                Ok(written) => from += written,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
                    rest = line[from..].to_vec();
                    break;
                }
            }
        }
        if !rest.is_empty() {
            break;
        }
    }
    assert!(!rest.is_empty(), "{sent} requests were read");
    // Once the editor reads again, it gets an answer to every request.
    let mut reader = BufReader::new(ours.try_clone().unwrap());
    let finishing = std::thread::spawn(move || writer.write_all(&rest).unwrap());
    for at in 0..sent {
        let mut answer = String::new();
        reader.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["id"], at);
        assert!(at == 0 || answer["error"].is_object(), "{answer}");
    }
    finishing.join().unwrap();
    ours.shutdown(std::net::Shutdown::Both).unwrap();
    serving.join().unwrap().unwrap();
}

#[test]
fn one_session_has_one_turn_at_a_time() {
    let site = Site::new();
    let person = person(|_, _| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        Says::option(NOT_NOW)
    });
    site.talk(person, async |editor| {
        let session = editor.open().await;
        let (first, second) = tokio::join!(
            editor.prompt(&session, GOAL),
            editor.prompt(&session, "Rename report to show")
        );
        assert_eq!(first, END);
        assert!(second.unwrap_err().message.contains("still working"));
    });
    assert_eq!(site.plans().len(), 1);
}

#[test]
fn what_the_person_says_about_a_plan_reaches_the_model_that_wrote_it() {
    let plan = "# Print the report as JSON\n\n## Requirements\n- R1 `report(rows, as_json=True)` \
                returns every row as JSON\n\n## Tasks\n- [ ] **T1** Read `src/report.py` to see what \
                `report` returns\n  - call: `read_file {\"path\": \"src/report.py\"}`\n- [ ] **T2** \
                Add a parameter to `report` in `src/report.py` that returns `json.dumps(rows)`\n  \
                - depends: T1\n  - files: `src/report.py`\n  - covers: R1\n  - verify: `python3 -m \
                py_compile src/report.py`\n";
    let (old, new) = ("Add a parameter", "Add the parameter `as_json`");
    let model = Model::start(vec![
        call(
            "ask_user",
            &json!({ "question": "Which name?", "options": ["as_json", "json"] }),
        ),
        call("edit_plan", &json!({ "new_text": plan })),
        call("propose_plan", &json!({})),
        call("edit_plan", &json!({ "old_text": old, "new_text": new })),
        call("propose_plan", &json!({})),
    ]);
    let site = Site::with_model(&model);
    let answers = vec![Says::option(NOT_NOW), Says::option(STORE)];
    let text = site.talk(one_by_one(answers), async |editor| {
        let session = editor.open().await;
        assert_eq!(
            editor
                .prompt(&session, "Let the report function return JSON")
                .await,
            END
        );
        assert!(editor.text().contains("Which name?"), "{}", editor.text());
        assert_eq!(editor.prompt(&session, "as_json").await, END);
        assert_eq!(editor.asked().len(), 1, "{}", editor.text());
        assert_eq!(editor.prompt(&session, "Name it in T2").await, END);
        editor.text()
    });
    let requests = model.requests();
    assert!(requests[1].contains("as_json"), "{}", requests[1]);
    assert!(requests[3].contains("Name it in T2"), "{}", requests[3]);
    let approvals = site.approvals();
    assert_eq!(approvals.len(), 1, "{text}");
    let approved = std::fs::read_to_string(&site.plans()[0]).unwrap();
    assert!(approved.contains(new), "{approved}");
    assert_eq!(
        plan::Revision::of(approved.as_bytes()).as_str(),
        approvals[0].0
    );
}

/// A message from the editor, or an edit of the plan file.
#[derive(Debug, Clone)]
enum Move {
    Open(&'static str),
    Prompt(usize, String),
    PromptAndCancel(usize, String),
    Mode(usize, &'static str),
    Cancel(usize),
    Close(usize),
    Unknown(&'static str),
    Edit,
}

fn moves() -> impl Strategy<Value = Move> {
    let words = prop::sample::select(vec![
        GOAL.to_owned(),
        "/review".to_owned(),
        format!("/new {GOAL}"),
        "/new".to_owned(),
        "approve".to_owned(),
        RUN.to_owned(),
        "Yes, run it".to_owned(),
        "Delete src/report.py".to_owned(),
        String::new(),
    ]);
    let session = 0..3_usize;
    prop_oneof![
        1 => prop::sample::select(vec!["", "src", "/"]).prop_map(Move::Open),
        6 => (session.clone(), words.clone()).prop_map(|(at, words)| Move::Prompt(at, words)),
        2 => (session.clone(), words).prop_map(|(at, words)| Move::PromptAndCancel(at, words)),
        1 => (session.clone(), prop::sample::select(vec!["plan", "exec", "yolo", RUN]))
            .prop_map(|(at, mode)| Move::Mode(at, mode)),
        1 => session.clone().prop_map(Move::Cancel),
        1 => session.prop_map(Move::Close),
        1 => prop::sample::select(vec!["session/approve", "planwright/approve", "session/load"])
            .prop_map(Move::Unknown),
        1 => Just(Move::Edit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_without_our_approving_option_leaves_an_approval(
        moves in prop::collection::vec(moves(), 1..12),
        answers in prop::collection::vec(0..11_usize, 12),
    ) {
        let site = Site::new();
        let before = site.files();
        let answers = answers.into_iter();
        let answers: Vec<Says> = answers
            .map(|at| refusals().into_iter().nth(at).unwrap())
            .collect();
        site.talk(one_by_one(answers), async |editor| {
            let mut sessions = vec![editor.open().await];
            for made in moves {
                make(&site, editor, &mut sessions, made).await;
            }
        });
        prop_assert_eq!(site.approvals(), []);
        prop_assert_eq!(site.runs(), 0);
        prop_assert_eq!(site.files(), before);
    }
}

async fn make(
    site: &Site,
    editor: &acp_support::Editor,
    sessions: &mut Vec<SessionId>,
    made: Move,
) {
    let at = |at: usize| sessions[at % sessions.len()].clone();
    match made {
        Move::Open(folder) => {
            let request = NewSessionRequest::new(site.path(folder));
            let opened = editor.connection.send_request(request).block_task().await;
            sessions.extend(opened.ok().map(|opened| opened.session_id));
        }
        Move::Prompt(session, words) => {
            let _ = editor.prompt(&at(session), &words).await;
        }
        Move::PromptAndCancel(session, words) => {
            let session = at(session);
            let prompted = editor.prompt(&session, &words);
            let cancelled = async { editor.cancel(&session) };
            let _ = tokio::join!(prompted, cancelled);
        }
        Move::Mode(session, mode) => {
            let request = SetSessionModeRequest::new(at(session), mode);
            let _ = editor.connection.send_request(request).block_task().await;
        }
        Move::Cancel(session) => editor.cancel(&at(session)),
        Move::Close(session) => {
            let request = CloseSessionRequest::new(at(session));
            let _ = editor.connection.send_request(request).block_task().await;
        }
        Move::Unknown(method) => {
            let params = json!({ "sessionId": at(0), "optionId": RUN });
            let request = UntypedMessage::new(method, params).unwrap();
            let _ = editor.connection.send_request(request).block_task().await;
        }
        Move::Edit => {
            for plan in site.plans() {
                let text = std::fs::read_to_string(&plan).unwrap();
                std::fs::write(plan, text + "\nAnother line.\n").unwrap();
            }
        }
    }
}
