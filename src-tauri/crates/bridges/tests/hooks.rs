//! Tests of Claude Code's hook: its answer to the host after each kind of decision, or without one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use bridges::hooks::{self, Answer, Host};
use bridges::review_wait::Waiter;
use proptest::prelude::*;
use serde_json::{Value, json};
use store::WindowMark;
use workbench::{Environment, Workbench};

const PLAN: &str = "# Add a flag\n\n## Tasks\n- [ ] **T1** Add `--json` to `src/cli.py`\n";

/// A home folder, a project, and a window whose actions the test performs.
struct Stage {
    folder: tempfile::TempDir,
    bench: Workbench,
    project: PathBuf,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let project = base.join("project");
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        let bench = Workbench::open(environment(&base)).unwrap().0;
        Self {
            folder,
            bench,
            project,
        }
    }

    /// Opens the same data as another process would.
    fn other(&self) -> Workbench {
        let base = self.folder.path().canonicalize().unwrap();
        Workbench::open(environment(&base)).unwrap().0
    }

    fn event(&self, tool_input: Value) -> String {
        json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": self.project, "prompt_id": "p",
            "permission_mode": "plan", "hook_event_name": "PermissionRequest",
            "tool_name": "ExitPlanMode", "tool_input": tool_input, "unknown": {"field": 1},
        })
        .to_string()
    }

    /// Runs the hook; `decide` is what the person does in the window, once it is open on the plan.
    fn hook(&self, event: &str, decide: impl FnOnce(&Workbench, &str) + Send) -> Value {
        self.hook_within(event, Duration::from_secs(30), decide)
    }

    fn hook_within(
        &self,
        event: &str,
        limit: Duration,
        decide: impl FnOnce(&Workbench, &str) + Send,
    ) -> Value {
        let event = hooks::read(Host::Claude, event.as_bytes())
            .unwrap()
            .expect("a plan");
        let (opened, open) = mpsc::channel::<PathBuf>();
        let window = self.other();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                if let Ok(plan) = open.recv() {
                    decide(&window, &plan.display().to_string());
                }
            });
            let waiter = Waiter {
                open_window: &move |plan| {
                    opened.send(plan.to_owned()).unwrap();
                    Ok(())
                },
                is_cancelled: &|| false,
                limit,
            };
            told(hooks::answer(Host::Claude, &event, &self.bench, &waiter))
        })
    }

    fn plans(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.project.join("plans")) else {
            return Vec::new();
        };
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

fn environment(base: &Path) -> Environment {
    let variable = |name: &str, value: PathBuf| (name.to_owned(), value.into_os_string());
    Environment {
        variables: vec![
            variable("HOME", base.join("home")),
            variable("PLANWRIGHT_HOME", base.join("data")),
            ("PATH".to_owned(), "/usr/bin:/bin".into()),
        ],
        cwd: base.to_owned(),
        program: std::env::current_exe().unwrap(),
    }
}

fn told(answer: Answer) -> Value {
    match answer {
        Answer::Json(value) => {
            assert_eq!(
                value["hookSpecificOutput"]["hookEventName"],
                "PermissionRequest"
            );
            value["hookSpecificOutput"]["decision"].clone()
        }
        other => panic!("{other:?}"),
    }
}

fn message(decision: &Value) -> String {
    assert_eq!(decision["behavior"], "deny", "{decision}");
    decision["message"].as_str().unwrap().to_owned()
}

#[test]
fn an_approval_goes_back_with_the_whole_input() {
    let stage = Stage::new();
    let input = json!({"plan": PLAN, "planFilePath": "/elsewhere/p.md", "later": [1, {"a": 2}]});
    let decision = stage.hook(&stage.event(input.clone()), |window, plan| {
        let text = std::fs::read_to_string(plan).unwrap();
        assert_eq!(text, PLAN);
        let revision = plan::Revision::of(text.as_bytes());
        assert_eq!(window.approve_reviews(plan, revision.as_str()).unwrap(), 1);
    });
    assert_eq!(
        decision,
        json!({"behavior": "allow", "updatedInput": input})
    );
    assert_eq!(stage.plans(), [stage.project.join("plans/add-a-flag.md")]);
}

#[test]
fn an_approved_plan_with_edits_goes_back_as_the_person_left_it() {
    let stage = Stage::new();
    let edited = PLAN.replace("`--json`", "`--json` and `--csv`");
    let decision = stage.hook(&stage.event(json!({"plan": PLAN})), |window, plan| {
        let revision = record(window, plan, &edited);
        assert_eq!(window.approve_reviews(plan, &revision).unwrap(), 1);
    });
    assert_eq!(
        decision,
        json!({"behavior": "allow", "updatedInput": {"plan": edited}})
    );
}

/// Writes a person's edit and records it.
fn record(window: &Workbench, plan: &str, text: &str) -> String {
    std::fs::write(plan, text).unwrap();
    let opened = window.open_plan(Path::new(plan), None).unwrap();
    opened.content.revision.as_str().to_owned()
}

/// Requests changes to the plan's current content; returns the number of agents that received the
/// request.
fn request(window: &Workbench, plan: &str, words: &str) -> usize {
    let revision = plan::Revision::of(&std::fs::read(plan).unwrap());
    let told = window.request_changes_in_reviews(plan, revision.as_str(), words);
    told.unwrap()
}

#[test]
fn requested_changes_arrive_word_for_word_and_the_unchanged_plan_is_refused() {
    let stage = Stage::new();
    let words = "Keep the default output.\n\n  “quoted”, and <b>tags</b> \u{1F44D}";
    let event = stage.event(json!({"plan": PLAN}));
    let decision = stage.hook(&event, |window, plan| {
        assert_eq!(request(window, plan, words), 1);
    });
    assert_eq!(message(&decision), words);
    let again = stage.hook(&event, |_, _| panic!("the window isn't opened"));
    assert!(message(&again).contains("unchanged since changes were requested"));
    // A new version becomes a revision of the same file.
    let better = PLAN.replace("Add", "Carefully add");
    let decision = stage.hook(&stage.event(json!({"plan": better})), |window, plan| {
        assert_eq!(std::fs::read_to_string(plan).unwrap(), better);
        let revision = plan::Revision::of(better.as_bytes());
        window.approve_reviews(plan, revision.as_str()).unwrap();
    });
    assert_eq!(decision["behavior"], "allow");
    assert_eq!(stage.plans().len(), 1);
}

#[test]
fn edits_of_the_person_are_told_with_the_requested_changes() {
    let stage = Stage::new();
    let decision = stage.hook(&stage.event(json!({"plan": PLAN})), |window, plan| {
        record(window, plan, &PLAN.replace("`--json`", "`--ndjson`"));
        request(window, plan, "And test it.");
    });
    let message = message(&decision);
    assert!(message.starts_with("And test it.\n\n"), "{message}");
    assert!(
        message.contains("+- [ ] **T1** Add `--ndjson`"),
        "{message}"
    );
}

#[test]
fn a_plan_that_planwright_carries_out_itself_is_not_allowed_to_the_agent() {
    let stage = Stage::new();
    let decision = stage.hook(&stage.event(json!({"plan": PLAN})), |window, plan| {
        assert_eq!(window.take_over_reviews(plan).unwrap(), 1);
    });
    assert!(message(&decision).contains("don't carry it out"));
}

#[test]
fn an_empty_plan_is_refused_without_a_window_and_without_a_file() {
    let stage = Stage::new();
    for input in [
        json!({}),
        json!({"plan": ""}),
        json!({"plan": " \n\t "}),
        json!({"plan": 7}),
        json!({"plan": null}),
        json!("text"),
        Value::Null,
    ] {
        let decision = stage.hook(&stage.event(input.clone()), |_, _| panic!("no window"));
        assert!(message(&decision).contains("the plan is empty"), "{input}");
    }
    assert!(stage.plans().is_empty());
}

#[test]
fn without_a_decision_in_time_or_a_window_it_is_never_an_allow() {
    let stage = Stage::new();
    let _open = stage.bench.store.mark_window().unwrap();
    let event = stage.event(json!({"plan": PLAN}));
    let late = stage.hook_within(&event, Duration::from_millis(60), |_, _| {});
    assert!(message(&late).contains("nobody decided in time"));
    // A late decision has no effect, and the plan file remains.
    let plan = stage.plans()[0].display().to_string();
    let revision = plan::Revision::of(PLAN.as_bytes());
    assert_eq!(
        stage
            .bench
            .approve_reviews(&plan, revision.as_str())
            .unwrap(),
        0
    );

    let parsed = hooks::read(Host::Claude, event.as_bytes())
        .unwrap()
        .unwrap();
    let failing = Waiter {
        open_window: &|_| Err(workbench::Error::new(workbench::Code::Failed, "no display")),
        is_cancelled: &|| false,
        limit: Duration::from_secs(30),
    };
    let answer = hooks::answer(Host::Claude, &parsed, &stage.bench, &failing);
    assert!(message(&told(answer)).contains("no display"));
    let cancelled = Waiter {
        open_window: &|_| Ok(()),
        is_cancelled: &|| true,
        limit: Duration::from_secs(30),
    };
    let answer = hooks::answer(Host::Claude, &parsed, &stage.bench, &cancelled);
    assert!(message(&told(answer)).contains("stopped waiting"));
    assert!(stage.bench.waiting_reviews(None).unwrap().is_empty());
}

#[test]
fn a_decision_made_before_the_window_failed_still_counts() {
    let stage = Stage::new();
    let event = stage.event(json!({"plan": PLAN}));
    let event = hooks::read(Host::Claude, event.as_bytes())
        .unwrap()
        .unwrap();
    let waiter = Waiter {
        open_window: &|plan| {
            // A person requests changes in a window that already shows the plan.
            request(&stage.bench, &plan.display().to_string(), "smaller");
            Err(workbench::Error::new(workbench::Code::Failed, "no display"))
        },
        is_cancelled: &|| false,
        limit: Duration::from_secs(30),
    };
    let answer = hooks::answer(Host::Claude, &event, &stage.other(), &waiter);
    assert_eq!(message(&told(answer)), "smaller");
}

#[test]
fn a_closed_window_is_no_approval() {
    let stage = Stage::new();
    let mark: WindowMark = stage.bench.store.mark_window().unwrap();
    let decision = stage.hook(&stage.event(json!({"plan": PLAN})), move |_, _| drop(mark));
    assert!(message(&decision).contains("the window was closed"));
}

#[test]
fn of_two_hooks_of_one_conversation_only_the_newer_is_decided() {
    let stage = Stage::new();
    let first = stage.event(json!({"plan": PLAN}));
    let newer = PLAN.replace("flag", "switch");
    let second = stage.event(json!({"plan": newer}));
    let decision = stage.hook(&first, |window, _| {
        let event = hooks::read(Host::Claude, second.as_bytes())
            .unwrap()
            .unwrap();
        let revision = plan::Revision::of(newer.as_bytes());
        let waiter = Waiter {
            open_window: &|plan| {
                let plan = plan.display().to_string();
                assert_eq!(window.approve_reviews(&plan, revision.as_str()).unwrap(), 1);
                Ok(())
            },
            is_cancelled: &|| false,
            limit: Duration::from_secs(30),
        };
        let decision = told(hooks::answer(Host::Claude, &event, window, &waiter));
        assert_eq!(decision["behavior"], "allow");
    });
    assert!(message(&decision).contains("proposed again"));
}

#[test]
fn a_folder_that_is_no_workspace_is_refused() {
    let stage = Stage::new();
    let home = stage.folder.path().canonicalize().unwrap().join("home");
    for cwd in [
        json!(home),
        json!("/"),
        json!("/no/such/folder"),
        json!("relative"),
        json!(3),
    ] {
        let mut event: Value = serde_json::from_str(&stage.event(json!({"plan": PLAN}))).unwrap();
        event["cwd"] = cwd.clone();
        let decision = stage.hook(&event.to_string(), |_, _| panic!("no window"));
        assert!(message(&decision).contains("was not approved"), "{cwd}");
    }
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0);
}

#[test]
fn the_agents_own_file_is_the_plan_only_if_it_holds_exactly_the_plan() {
    let stage = Stage::new();
    let other = "# Read me\n";
    std::fs::write(stage.project.join("README.md"), other).unwrap();
    let input = json!({"plan": PLAN, "planFilePath": "README.md"});
    let decision = stage.hook(&stage.event(input), |window, plan| {
        assert!(plan.ends_with("plans/add-a-flag.md"), "{plan}");
        request(window, plan, "no");
    });
    assert_eq!(message(&decision), "no");
    let kept = std::fs::read_to_string(stage.project.join("README.md")).unwrap();
    assert_eq!(kept, other);
}

#[test]
fn events_that_concern_no_plan_are_not_answered() {
    let stage = Stage::new();
    for (key, value) in [
        ("hook_event_name", json!("PostToolUse")),
        ("tool_name", json!("Bash")),
        ("tool_name", Value::Null),
    ] {
        let mut event: Value = serde_json::from_str(&stage.event(json!({"plan": PLAN}))).unwrap();
        event[key] = value;
        assert_eq!(
            hooks::read(Host::Claude, event.to_string().as_bytes()),
            Ok(None)
        );
    }
}

proptest! {
    #[test]
    fn no_event_that_cannot_be_read_is_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let read = hooks::read(Host::Claude, bytes.as_slice());
        // Random bytes never form a valid plan event.
        prop_assert!(!matches!(read, Ok(Some(_))));
    }
}

#[test]
fn no_symlink_makes_a_proposal_write_another_file() {
    let stage = Stage::new();
    let hook = stage.project.join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let files = [
        hook,
        stage.project.join("src/lib.md"),
        stage.project.join("README.md"),
    ];
    for file in &files {
        std::fs::write(file, "kept\n").unwrap();
        // Replace the conversation's plan file with a symlink.
        let _ = std::fs::remove_dir_all(stage.project.join("plans"));
        let first = stage.hook(&stage.event(json!({"plan": PLAN})), |window, plan| {
            request(window, plan, "other");
        });
        assert_eq!(message(&first), "other");
        let plan = stage.plans().remove(0);
        std::fs::remove_file(&plan).unwrap();
        std::os::unix::fs::symlink(file, &plan).unwrap();
        let next = PLAN.replace("Add", file.file_name().unwrap().to_str().unwrap());
        stage.hook(&stage.event(json!({"plan": next})), |window, plan| {
            request(window, plan, "no");
        });
        assert_eq!(std::fs::read_to_string(file).unwrap(), "kept\n");
    }
    // Replace the plan folder itself with a symlink.
    std::fs::remove_dir_all(stage.project.join("plans")).unwrap();
    let hooks = stage.project.join(".git/hooks");
    std::os::unix::fs::symlink(&hooks, stage.project.join("plans")).unwrap();
    let event = stage.event(json!({"plan": PLAN.replace("flag", "third")}));
    let decision = stage.hook(&event, |_, _| panic!("no window"));
    assert!(message(&decision).contains("is a symlink"), "{decision}");
    assert_eq!(std::fs::read_dir(&hooks).unwrap().count(), 1);
}

#[test]
fn a_plan_that_is_not_text_is_refused_before_it_becomes_a_file() {
    let stage = Stage::new();
    let decision = stage.hook(&stage.event(json!({"plan": "# N\u{0}\n"})), |_, _| {
        panic!("no")
    });
    assert!(
        message(&decision).contains("can't review the plan"),
        "{decision}"
    );
    assert!(stage.plans().is_empty());
}

#[test]
fn hooks_of_one_conversation_at_once_share_a_file_and_one_is_decided() {
    let stage = Stage::new();
    let event = stage.event(json!({"plan": PLAN}));
    let mut asked: Vec<_> = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let (bench, folder) = (stage.other(), stage.project.clone());
                scope.spawn(move || {
                    bench
                        .ask_for_review(&workbench::ReviewRequest {
                            folder: &folder,
                            agent: "Claude Code",
                            agent_session: "s1",
                            text: PLAN,
                            file: None,
                            waits: true,
                        })
                        .unwrap()
                })
            })
            .collect();
        asked.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
    });
    assert_eq!(stage.plans().len(), 1, "{event}");
    let waiting = stage.bench.waiting_reviews(None).unwrap();
    assert_eq!(waiting.len(), 1, "{asked:?}");
}

#[test]
fn an_emptied_plan_is_never_allowed() {
    let stage = Stage::new();
    let decision = stage.hook(&stage.event(json!({"plan": PLAN})), |window, plan| {
        let revision = record(window, plan, "\n");
        window.approve_reviews(plan, &revision).unwrap();
    });
    assert!(message(&decision).contains("deleted all of its text"));
}
