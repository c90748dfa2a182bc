//! Reviews requested by other agents, through a separate database connection.

use std::time::{Duration, Instant};

use workbench::{
    AskedReview, Code, GateOutcome, GateRequest, Gating, HostConversation, ReviewOutcome,
    ReviewRequest, Workbench,
};

use crate::testing::Fixture;
use crate::wire::{AnswerRequest, ApproveRequest, DesktopEvent, GivenAnswer, Reviser};

const PLAN: &str = "\
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Change the greeting in `hello.py` to Moin
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

/// Long enough for many checks by the thread.
const PATIENCE: Duration = Duration::from_secs(20);

struct Agent {
    fixture: Fixture,
    bench: Workbench,
}

impl Agent {
    fn new() -> Self {
        let fixture = Fixture::with_plan(PLAN);
        let bench = fixture.desktop.shared.workbench().again().unwrap();
        Self { fixture, bench }
    }

    fn ask(&self, text: &str) -> AskedReview {
        let request = ReviewRequest {
            folder: &self.fixture.root,
            agent: "Claude Code",
            agent_session: "s1",
            text,
            file: None,
            waits: false,
        };
        self.bench.ask_for_review(&request).unwrap()
    }

    /// Waits for a matching event, ignoring events before index `from`.
    #[track_caller]
    fn wait_for(&self, from: usize, is_it: impl Fn(&DesktopEvent) -> bool) {
        let began = Instant::now();
        while !self.fixture.events().iter().skip(from).any(&is_it) {
            assert!(began.elapsed() < PATIENCE, "{:?}", self.fixture.events());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn approve(&self, asked: &AskedReview, run: bool) -> u32 {
        self.approve_up_to(asked, run, None)
    }

    fn approve_up_to(&self, asked: &AskedReview, run: bool, upto: Option<&str>) -> u32 {
        let plan = asked.plan.display().to_string();
        let request = ApproveRequest {
            plan,
            revision: asked.revision.clone(),
            run,
            upto: upto.map(str::to_owned),
            policy: None,
            parallel: None,
            reason: Some("small".to_owned()),
            notes: None,
            branch: None,
            effort: None,
            shown_ms: None,
        };
        self.fixture.desktop.approve(request).unwrap().told
    }
}

#[test]
fn the_windows_hear_of_a_review_that_another_process_asks_for_and_withdraws() {
    let agent = Agent::new();
    // The first check only records the current state.
    std::thread::sleep(super::LOOK_EVERY * 3);
    let from = agent.fixture.events().len();
    let asked = agent.ask(PLAN);
    let key = asked.plan.display().to_string();
    agent.wait_for(from, |event| *event == DesktopEvent::Inbox);
    let events = agent.fixture.events();
    let is_ours =
        |event: &&DesktopEvent| matches!(event, DesktopEvent::Review { plan } if *plan == key);
    assert!(events.iter().skip(from).any(|event| is_ours(&event)));
    let needed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            DesktopEvent::Needed { plan, message, .. } => Some((plan.clone(), message.clone())),
            _ => None,
        })
        .collect();
    let message = "Claude Code is waiting for your decision.".to_owned();
    assert_eq!(needed, [(key.clone(), message)]);

    let from = events.len();
    assert!(agent.bench.withdraw_review(&asked.id, "timed out").unwrap());
    agent.wait_for(from, |event| is_ours(&event));
    agent.wait_for(from, |event| *event == DesktopEvent::Inbox);
    let needs = |event: &DesktopEvent| matches!(event, DesktopEvent::Needed { .. });
    assert!(!agent.fixture.events().iter().skip(from).any(needs));
}

#[test]
fn a_waiting_review_is_one_inbox_item_and_gone_once_decided() {
    let agent = Agent::new();
    let desktop = &agent.fixture.desktop;
    let asked = agent.ask(PLAN);
    let key = asked.plan.display().to_string();
    let waiting = desktop.waiting_review(&key).unwrap().unwrap();
    assert_eq!(
        (waiting.id, waiting.agent.as_str()),
        (asked.id.clone(), "Claude Code")
    );
    let inbox = desktop.inbox().unwrap();
    let of_plan: Vec<_> = inbox.iter().filter(|item| item.plan == key).collect();
    assert_eq!(of_plan.len(), 1, "{inbox:?}");
    assert_eq!(of_plan[0].kind, "agent_review");
    assert_eq!(of_plan[0].title, "Greet in German");
    assert_eq!(
        of_plan[0].message,
        "Claude Code is waiting for your decision."
    );

    assert_eq!(agent.approve(&asked, false), 1);
    assert_eq!(desktop.waiting_review(&key).unwrap(), None);
    assert!(desktop.inbox().unwrap().iter().all(|item| item.plan != key));
    let outcome = agent.bench.review_outcome(&asked.id).unwrap();
    assert_eq!(
        outcome,
        ReviewOutcome::Approved {
            text: PLAN.to_owned(),
            revision: asked.revision.clone(),
            is_changed: false,
        }
    );
    assert_eq!(agent.approve(&asked, false), 0, "nobody waits any more");
}

#[test]
fn the_approval_of_a_part_reaches_no_agent() {
    let agent = Agent::new();
    let asked = agent.ask(PLAN);
    assert_eq!(agent.approve_up_to(&asked, false, Some("T1")), 0);
    let outcome = agent.bench.review_outcome(&asked.id).unwrap();
    assert_eq!(outcome, ReviewOutcome::Waiting);
}

#[test]
fn a_run_takes_a_waiting_review_over_whoever_starts_it() {
    // Approved once in the window, once in a terminal.
    for is_window in [true, false] {
        let mut agent = Agent::new();
        let asked = agent.ask(PLAN);
        if is_window {
            assert_eq!(agent.approve(&asked, true), 1);
        } else {
            let request = workbench::RunRequest {
                file: asked.plan.clone(),
                revision: asked.revision.clone(),
                workspace: None,
                policy: None,
                upto: None,
                answers: None,
                reason: Some("small".to_owned()),
                parallel: 1,
                model: workbench::ModelChoice::None,
                choice: workbench::RunChoice::default(),
                hand_over: None,
            };
            let cancel = workbench::environment::token().unwrap();
            agent.bench.run(&request, &cancel, &mut |_| {}).unwrap();
        }
        let outcome = agent.bench.review_outcome(&asked.id).unwrap();
        let ReviewOutcome::Withdrawn(reason) = outcome else {
            panic!("{is_window}: {outcome:?}");
        };
        assert!(reason.contains("don't carry it out"), "{reason}");
    }
}

#[test]
fn requested_changes_count_the_agents_that_got_them() {
    let agent = Agent::new();
    let asked = agent.ask(PLAN);
    let key = asked.plan.display().to_string();
    let desktop = &agent.fixture.desktop;
    let told = desktop.request_changes(&key, &asked.revision, "Say Servus.", Reviser::Model);
    assert_eq!(told.unwrap(), 1);
    let outcome = agent.bench.review_outcome(&asked.id).unwrap();
    assert_eq!(
        outcome,
        ReviewOutcome::ChangesRequested("Say Servus.".to_owned())
    );
    let told =
        desktop.request_changes(&key, &asked.revision, "Say Servus, please.", Reviser::Model);
    assert_eq!(told.unwrap(), 0);
}

/// The plan with a remark, which doesn't change what an approval of its steps covers.
fn with_remark() -> String {
    format!("{PLAN}\n## Notes\n\nThe greeting is tested elsewhere.\n")
}

#[test]
fn a_decision_on_an_older_version_is_none_on_what_an_agent_proposed_since() {
    let agent = Agent::new();
    let older = agent.ask(PLAN);
    let newer = agent.ask(&with_remark());
    assert_eq!(newer.plan, older.plan, "one conversation, one file");
    let key = older.plan.display().to_string();
    let desktop = &agent.fixture.desktop;
    for run in [false, true] {
        let refused = desktop.approve(ApproveRequest {
            plan: key.clone(),
            revision: older.revision.clone(),
            run,
            reason: Some("small".to_owned()),
            ..ApproveRequest::default()
        });
        assert_eq!(refused.unwrap_err().code, Code::NotCovered);
    }
    let refused = desktop.request_changes(&key, &older.revision, "Say Servus.", Reviser::Model);
    let refused = refused.unwrap_err();
    assert_eq!(refused.code, Code::NotCovered);
    assert!(refused.message.contains("another version"), "{refused:?}");
    assert!(
        desktop.comments(&key).unwrap().is_empty(),
        "not sent, not stored"
    );
    // A decision on the older version, made before the newer one was seen, reaches no agent.
    let bench = &agent.bench;
    assert_eq!(bench.approve_reviews(&key, &older.revision).unwrap(), 0);
    let told = bench.request_changes_in_reviews(&key, &older.revision, "no");
    assert_eq!(told.unwrap(), 0);
    let outcome = bench.review_outcome(&newer.id).unwrap();
    assert_eq!(outcome, ReviewOutcome::Waiting);
    assert_eq!(agent.approve(&newer, false), 1);
}

#[test]
fn an_agent_reads_approved_only_of_a_whole_plan_that_it_may_carry_out() {
    let agent = Agent::new();
    let asked = agent.ask(PLAN);
    let workspace = agent.bench.open_workspace(&agent.fixture.root).unwrap();
    let state = |agent: &Agent| {
        let file = agent.bench.plan_of_workspace(&workspace, &asked.relative);
        let file = file.unwrap();
        let content = workbench::plan_file::read(&workspace, &file).unwrap();
        agent.bench.plan_state(&file, &content).unwrap()
    };
    agent.approve_up_to(&asked, false, Some("T1"));
    agent.bench.withdraw_review(&asked.id, "test").unwrap();
    assert_eq!(state(&agent), "approved up to T1");
    agent.approve(&asked, false);
    assert_eq!(state(&agent), "approved");
}

#[test]
fn the_thread_ends_with_the_windows() {
    let agent = Agent::new();
    let shared = std::sync::Arc::downgrade(&agent.fixture.desktop.shared);
    std::thread::sleep(super::LOOK_EVERY * 2);
    drop(agent);
    let began = Instant::now();
    while shared.strong_count() > 0 {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_windows_hear_of_an_agents_question_show_the_change_and_answer_it() {
    let agent = Agent::new();
    // Wait for the first check, which only records the current state.
    std::thread::sleep(super::LOOK_EVERY * 3);
    std::fs::write(agent.fixture.root.join("other.py"), "a = 1\n").unwrap();
    let asked = agent.ask(PLAN);
    assert_eq!(agent.approve(&asked, false), 1);
    let conversation = HostConversation {
        agent: "Claude Code",
        session: "s1",
        ancestors: Vec::new(),
    };
    let mut bench = agent.bench.again().unwrap();
    let Gating::Gated(gated) = bench.gating(&conversation).unwrap() else {
        panic!("the conversation has an approved plan")
    };
    let line =
        "edit_file {\"path\": \"other.py\", \"old_text\": \"a = 1\", \"new_text\": \"a = 2\"}";
    let calls = vec![plan::ToolCall::parse(line).unwrap()];
    let calls = bench
        .resolve_calls(&gated, &agent.fixture.root, calls)
        .unwrap();
    let from = agent.fixture.events().len();
    let request = GateRequest::Calls(calls);
    let asked = bench.ask_gate(&gated, &request, &|| false).unwrap();
    agent.wait_for(
        from,
        |event| matches!(event, DesktopEvent::Needed { run: Some(run), .. } if *run == asked.run),
    );

    let desktop = &agent.fixture.desktop;
    let shown = desktop.run(&asked.run).unwrap();
    let question = &shown.questions[0];
    let permission = question.permission.clone().unwrap();
    assert_eq!(permission.subject, "other.py");
    assert!(!permission.diff.is_empty());
    desktop
        .answer(AnswerRequest {
            run: asked.run.clone(),
            task: question.task.clone(),
            kind: question.kind.clone(),
            fingerprint: question.fingerprint.clone(),
            answer: GivenAnswer::Deny {
                words: Some("leave it".to_owned()),
            },
        })
        .unwrap();
    let began = Instant::now();
    loop {
        match bench.gate_outcome(&asked, &|| false).unwrap() {
            GateOutcome::Waiting => assert!(began.elapsed() < PATIENCE),
            outcome => {
                assert_eq!(outcome, GateOutcome::Refused("leave it".to_owned()));
                break;
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // While the agent is working, its run isn't in the Inbox.
    let run = asked.run.as_str();
    let began = Instant::now();
    while desktop.run(run).unwrap().state != "paused" {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
    let inbox = desktop.inbox().unwrap();
    assert!(
        inbox.iter().all(|item| item.run.as_deref() != Some(run)),
        "{inbox:?}"
    );
}
